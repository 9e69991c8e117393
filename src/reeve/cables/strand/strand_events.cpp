// What happens to a strand between steps: ends that come to a hole, nodes that are put elsewhere.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_cable.h"
#include "reeve/math/rotation.h"
#include "reeve/model/kinetics.h"

namespace reeve {

void StrandCable::noticeStop(const Instant& now, int index, const State& state, std::vector<Notice>& notices) const {
  const std::size_t k = at(stopSlot(index));
  if (state.mode[k] != Mode::free || now.past().mode[k] == Mode::free || state.force[k] == 0.0) return;
  const Segment& g = segments_[at(index)];
  const bool first = !closed_ && g.from == 0, last = !closed_ && g.to == stationCount() - 1;
  notices.push_back({now.time, this, station(last ? g.from : g.to).link,
                     first || last ? "the strand's end has come to this link" : "it has met the link before it"});
}

/// A free node that came nearer to the next station than the finest length is taken out, and put in the middle of the
/// longest segment of its run. Nodes keep their order: those in between take their neighbour's place.
int StrandCable::resample(const Instant& now, State& state) const {
  const auto& blocks = now.model().blocks;
  const auto material = [&](int st) { return materialAt(now, node(station(st).index)); };
  int moved = -1;
  for (int first = 0; first < stationCount(); ++first) {
    if (!freeNode(first)) continue;
    int last = first;
    while (last + 1 < stationCount() && freeNode(last + 1)) ++last;
    // Segments first − 1 … last, between stations that are nodes; the ends of the strand are not moved.
    const int begin = first == 0 ? 0 : first - 1, end = last + 1 == stationCount() ? last : last + 1;
    const int low = std::max(first, 1), high = std::min(last, stationCount() - 2);
    if (station(begin).wheel || station(end).wheel || low > high) {
      first = last;
      continue;
    }
    const auto rest = [&](int segment) { return material(segment + 1) - material(segment); };
    int shortest = begin, longest = begin;
    for (int k = begin; k < end; ++k) {
      if (rest(k) < rest(shortest)) shortest = k;
      if (rest(k) > rest(longest)) longest = k;
    }
    if (rest(shortest) >= finest_) {
      first = last;
      continue;
    }
    // Of the two ends of the shortest, the one that may go and leaves the shorter gap.
    int out = shortest < low ? shortest + 1 : shortest;
    if (shortest >= low && shortest + 1 <= high && shortest + 2 <= end && rest(shortest + 1) < rest(shortest - 1))
      out = shortest + 1;
    // Where it goes: the middle of the longest segment, or of the gap it leaves itself.
    const double gap = rest(out - 1) + rest(out);
    const bool stays = longest == out - 1 || longest == out || rest(longest) < gap;
    if (stays && rest(shortest) >= 0.5 * finest_) {
      first = last;
      continue;
    }
    const auto place = [&](int st) { return nodeMotion(now, station(st).index).x; };
    const auto put = [&](int st, const Vec3& x, const Vec3& v, double s) {
      const Node& n = node(station(st).index);
      const Block& b = blocks[at(n.block)];
      for (int k = 0; k < 3; ++k) {
        state.q[at(b.q + k)] = x[k];
        state.v[at(b.v + k)] = v[k];
      }
      state.memory[at(memory + n.kept)] = s;
    };
    // Cutting the corner sets free a little length. It is passed on to where the node goes, and taken up there by a
    // bend: so every segment stays as long as its material.
    const double spare = gap - (place(out + 1) - place(out - 1)).norm();
    const int from = stays ? out - 1 : longest, to = stays ? out + 1 : longest + 1;
    const SpanNow &g0 = look(now).spans[at(from)], &g1 = look(now).spans[at(to - 1)];
    const Vec3 chord = g1.x[1] - g0.x[0], v = 0.5 * (g0.m[0] + g1.m[1]);
    const double length = chord.norm(), all = stays ? gap : rest(longest) + spare;
    Vec3 aside = now.model().description.settings.gravity;
    aside -= chord * (chord.dot(aside) / (length * length));
    if (aside.norm() < 1e-9) {
      Vec3 across;
      orthonormalBasis(chord / length, aside, across);
    }
    const double sag = 0.5 * std::sqrt(std::max(0.0, all * all - length * length));
    const Vec3 x = 0.5 * (g0.x[0] + g1.x[1]) + sag * aside.normalized();
    if (stays) {
      put(out, x, v, 0.5 * (g0.s[0] + g1.s[1]));
    } else if (longest > out) {
      for (int st = out; st < longest; ++st) {
        const Node& n = node(station(st + 1).index);
        put(st, now.position(n.block), now.velocity(n.block), material(st + 1) - spare);
      }
      put(longest, x, v, g0.s[0] - spare + 0.5 * all);
    } else {
      for (int st = out; st > longest + 1; --st) {
        const Node& n = node(station(st - 1).index);
        put(st, now.position(n.block), now.velocity(n.block), material(st - 1) + spare);
      }
      put(longest + 1, x, v, g0.s[0] + 0.5 * all);
    }
    moved = station(stays ? out : longest > out ? longest : longest + 1).index;
    first = last;
  }
  return moved;
}

void StrandCable::begin(const Instant& now, const Gauge&, State& state, std::vector<Notice>& notices) const {
  const int moved = finest_ > 0.0 ? resample(now, state) : -1;
  if (moved >= 0) notices.push_back({now.time, this, -1, "a node was put where the strand is coarsest"});
  const bool slid = !slides_.empty() && slideOn(now, state, notices);
  const bool met = !corners_.empty() && meetCorners(now, state, notices);
  const bool out = slipOut(now, state, notices);
  if (moved < 0 && !slid && !met && !out && (pads_.empty() || !liftAndMeet(now, state, notices))) return;
  Instant fresh;
  fresh.bind(now.model(), state);
  fresh.rewind();
  if (moved >= 0) {
    // The corner that was cut has moved a trace of mass along the strand. What that does to the kinetic energy the
    // moved node gives back.
    std::vector<double> p(state.v.size(), 0.0);
    momentum(fresh, p);
    const std::size_t k = at(now.model().blocks[at(node(moved).block)].v);
    const double size = p[k] * p[k] + p[k + 1] * p[k + 1] + p[k + 2] * p[k + 2];
    const double gained = kinetic(fresh) - kinetic(now);
    for (std::size_t i = k; size > 0.0 && i < k + 3; ++i) state.v[i] -= gained * p[i] / size;
    fresh.rewind();
  }
  reeve::momentum(fresh, state.p);
  state.h = 0.0;
}

}  // namespace reeve
