// What happens to a strand between steps: ends that come to a hole, nodes that are put elsewhere.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand.h"
#include "reeve/math/rotation.h"
#include "reeve/model/kinetics.h"

namespace reeve {

void Strand::noticeStop(const Instant& now, int index, const State& state, Events& events) const {
  const std::size_t k = at(stopSlot(index));
  if (state.mode[k] != Mode::free || now.past().mode[k] == Mode::free || state.force[k] == 0.0) return;
  const Segment& g = segments_[at(index)];
  const bool first = !closed_ && g.from == 0, last = !closed_ && g.to == stationCount() - 1;
  events.add({now.time, element_, station(last ? g.from : g.to).link,
              first || last ? EventKind::strandEndAtLink : EventKind::linksMeet});
}

/// The run of free nodes a station belongs to: segments from `begin` to `end`, between stations that are nodes. The
/// strand's own ends are not moved.
Strand::Run Strand::runAt(int st) const {
  Run run;
  int first = st, last = st;
  while (first > 0 && freeNode(first - 1)) --first;
  while (last + 1 < stationCount() && freeNode(last + 1)) ++last;
  run.begin = first == 0 ? 0 : first - 1;
  run.end = last + 1 == stationCount() ? last : last + 1;
  run.low = std::max(first, 1);
  run.high = std::min(last, stationCount() - 2);
  run.next = last;
  run.movable = !station(run.begin).wheel && !station(run.end).wheel && run.low <= run.high;
  return run;
}

/// A free node that came nearer to the next station than the finest length is taken out, and put in the middle of the
/// longest segment of its run.
void Strand::resample(const Instant& now, State& state, std::vector<Resampled>& moved) const {
  const auto rest = [&](int k) {
    return materialAt(now, node(station(k + 1).index)) - materialAt(now, node(station(k).index));
  };
  for (int first = 0; first < stationCount(); ++first) {
    if (!freeNode(first)) continue;
    const Run run = runAt(first);
    first = run.next;
    if (!run.movable) continue;
    int shortest = run.begin;
    for (int k = run.begin; k < run.end; ++k)
      if (rest(k) < rest(shortest)) shortest = k;
    if (rest(shortest) >= finest_) continue;
    // Of the two ends of the shortest, the one that may go and leaves the shorter gap.
    int out = shortest < run.low ? shortest + 1 : shortest;
    if (shortest >= run.low && shortest + 1 <= run.high && shortest + 2 <= run.end &&
        rest(shortest + 1) < rest(shortest - 1))
      out = shortest + 1;
    const bool urgent = rest(shortest) < 0.5 * finest_;
    const RunMotion before = runMotion(look(now), run);
    if (relocate(now, state, run, out, urgent)) moved.push_back({run, before});
  }
}

/// Takes a free node out and puts it in the middle of the longest segment of its run, or (if it `stays` there) of the
/// gap it leaves itself. Nodes keep their order: those in between take their neighbour's place.
bool Strand::relocate(const Instant& now, State& state, const Run& run, int out, bool stays) const {
  const auto& blocks = now.model().blocks;
  const auto material = [&](int st) { return materialAt(now, node(station(st).index)); };
  const auto rest = [&](int segment) { return material(segment + 1) - material(segment); };
  int longest = run.begin;
  for (int k = run.begin; k < run.end; ++k)
    if (rest(k) > rest(longest)) longest = k;
  const double gap = rest(out - 1) + rest(out);
  const bool here = longest == out - 1 || longest == out || rest(longest) < gap;
  if (here && !stays) return false;
  const auto place = [&](int st) { return nodeMotion(now, station(st).index).x; };
  const auto put = [&](int st, const Vec3& x, const Vec3& v, double s) {
    const Node& n = node(station(st).index);
    const Block& b = blocks[at(n.block)];
    for (int k = 0; k < 3; ++k) {
      state.q[at(b.q + k)] = x[k];
      state.v[at(b.v + k)] = v[k];
    }
    materialOf(state, n) = s;
  };
  // Cutting the corner sets free a little length. It is passed on to where the node goes, and taken up there by a
  // bend: so every segment stays as long as its material, or (axial) as much longer as it was.
  const int from = here ? out - 1 : longest, to = here ? out + 1 : longest + 1;
  const SpanNow &g0 = look(now).spans[at(from)], &g1 = look(now).spans[at(to - 1)];
  const auto stretch = [&](int a, int b) {
    const SpanNow &s = look(now).spans[at(a)], &t = look(now).spans[at(b)];
    return settings_.material.axial == unbounded ? 1.0
           : a == b                              ? s.length / s.rest
                                                 : (s.length + t.length) / (s.rest + t.rest);
  };
  const double spare = gap - (place(out + 1) - place(out - 1)).norm() / stretch(out - 1, out);
  const Vec3 chord = g1.x[1] - g0.x[0], v = 0.5 * (g0.m[0] + g1.m[1]);
  const double length = chord.norm(), between = here ? gap : rest(longest) + spare;
  const double all = between * stretch(from, to - 1);
  Vec3 aside = now.model().description.settings.gravity;
  aside -= chord * (chord.dot(aside) / (length * length));
  if (aside.norm() < 1e-9) {
    Vec3 across;
    orthonormalBasis(chord / length, aside, across);
  }
  const double sag = 0.5 * std::sqrt(std::max(0.0, all * all - length * length));
  const Vec3 x = 0.5 * (g0.x[0] + g1.x[1]) + sag * aside.normalized();
  const double s0 = g0.s[0], s1 = g1.s[1];
  if (here) {
    put(out, x, v, 0.5 * (s0 + s1));
    return true;
  }
  if (longest > out) {
    for (int st = out; st < longest; ++st) {
      const Node& n = node(station(st + 1).index);
      put(st, now.position(n.block), now.velocity(n.block), material(st + 1) - spare);
    }
    put(longest, x, v, s0 - spare + 0.5 * between);
    return true;
  }
  for (int st = out; st > longest + 1; --st) {
    const Node& n = node(station(st - 1).index);
    put(st, now.position(n.block), now.velocity(n.block), material(st - 1) + spare);
  }
  put(longest + 1, x, v, s0 + 0.5 * between);
  return true;
}

/// As the state of an instant has it, which has been evaluated.
const StrandContact& StrandContact::arrangedAt(const Instant& now) const {
  return touches_ ? *now.cache<StrandCache>(*element_).own : *this;
}

void Strand::begin(const Instant& now, const StepContext& context, State& state) const {
  Events& events = context.events;
  if (breaks_ >= 0) breakMostLoaded(now, state, events);
  std::vector<Resampled> resampled;
  std::vector<Moved> before;
  if (finest_ > 0.0 && !touches_) resample(now, state, resampled);
  const bool moved = !resampled.empty();
  if (moved) events.add({now.time, element_, -1, EventKind::nodeMoved});
  const bool slid = !slides_.empty() && slideOn(now, state, events);
  const bool out = !moved && slipOut(now, state, events);
  const bool lifted = !moved && !slid && !out && !pads_.empty() && liftAndMeet(now, state, before, events);
  // One thing at a time: what comes after it sees the strand as it is then.
  const bool alone = !moved && !slid && !out && !lifted;
  const Changes met = touches_ && alone ? meet(now, state, before, events) : Changes{};
  state.impactPending = state.impactPending || met.struck;
  if (alone && !met.any) return;
  Instant fresh;
  fresh.bind(now.model(), state);
  fresh.rewind();
  fresh.evaluate();
  for (const Resampled& r : resampled) keepMotion(fresh, state, r.run, r.before);
  if (moved) {
    fresh.rewind();
    fresh.evaluate();
  }
  reeve::momentum(fresh, state.p);
  if (met.any || lifted) {
    arrangedAt(fresh).keepMomentum(fresh, before, state.p);
    state.needsVelocityProjection = true;
  }
  state.h = 0.0;
}

}  // namespace reeve
