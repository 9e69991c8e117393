// What happens to a strand between steps: ends that come to a hole, nodes that are put elsewhere.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_cable.h"
#include "reeve/model/kinetics.h"

namespace reeve {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

void StrandCable::noticeStop(const Instant& now, int index, const State& state, std::vector<Notice>& notices) const {
  const std::size_t k = at(stopSlot(index));
  if (state.mode[k] != Mode::free || now.past().mode[k] == Mode::free || state.force[k] == 0.0) return;
  const Segment& g = segments_[at(index)];
  const bool first = !closed_ && g.from == 0, last = !closed_ && g.to == stationCount() - 1;
  notices.push_back({now.time, this, station(last ? g.from : g.to).link,
                     first || last ? "the strand's end has come to this link" : "it has met the link before it"});
}

/// A free node that came nearer to the next station than `finest` is taken out, and put in the middle of the longest
/// segment of its run. The second changes nothing, as the strand is straight there; the first straightens a corner that
/// is next to nothing. Nodes keep their order: those in between take their neighbour's place.
bool StrandCable::resample(const Instant& now, State& state) const {
  const auto& blocks = now.model().blocks;
  const auto material = [&](int st) { return materialAt(now, node(station(st).index)); };
  bool moved = false;
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
    // Of the two ends of the shortest, the one that may go and leaves the shorter gap.
    int out = shortest < low ? shortest + 1 : shortest;
    if (shortest >= low && shortest + 1 <= high && shortest + 2 <= end && rest(shortest + 1) < rest(shortest - 1))
      out = shortest + 1;
    const double gap = rest(out - 1) + rest(out);
    if (rest(shortest) < settings_.finest && longest != out - 1 && longest != out && rest(longest) > gap) {
      const Straight g = straight(now, segments_[at(longest)]);
      const Vec3 x = 0.5 * (g.a.x + g.b.x), v = 0.5 * (g.a.m + g.b.m);
      const double s = 0.5 * (g.a.s + g.b.s);
      const auto put = [&](int st, const Vec3& place, const Vec3& speed, double coordinate) {
        const Node& n = node(station(st).index);
        const Block& b = blocks[at(n.block)];
        for (int k = 0; k < 3; ++k) {
          state.q[at(b.q + k)] = place[k];
          state.v[at(b.v + k)] = speed[k];
        }
        state.memory[at(memory + n.kept)] = coordinate;
      };
      const int step = longest > out ? 1 : -1, stop = longest > out ? longest : longest + 1;
      for (int st = out; st != stop; st += step) {
        const Node& n = node(station(st + step).index);
        put(st, now.position(n.block), now.velocity(n.block), material(st + step));
      }
      put(stop, x, v, s);
      moved = true;
    }
    first = last;
  }
  return moved;
}

void StrandCable::begin(const Instant& now, const Gauge&, State& state, std::vector<Notice>& notices) const {
  bool changed = false;
  if (settings_.finest > 0.0 && resample(now, state)) {
    notices.push_back({now.time, this, -1, "a node was put where the strand is coarsest"});
    changed = true;
  }
  if (!changed && !pads_.empty()) changed = liftAndMeet(now, state, notices);
  if (!changed) return;
  Instant fresh;
  fresh.bind(now.model(), state);
  fresh.rewind();
  reeve::momentum(fresh, state.p);
  state.h = 0.0;
}

}  // namespace reeve
