// A free end that slips out of a hole: the hole's node lies on the line to the end from then on, and does nothing. The
// little that was still outside is laid on in the direction of what is inside and moves with it, so that lengths stay
// exact and nothing is caught by a jerk.
#include <cmath>

#include "reeve/cables/strand/strand_build.h"

namespace reeve {

/// Holes next to a free end may lose it, and once they have the next ones may.
void StrandBuild::makeEnds() {
  if (closed_) return;
  for (const bool last : {false, true}) {
    const int end = last ? stationCount() - 1 : 0, step = last ? -1 : 1;
    if (station(end).wheel || node(station(end).index).kept < 0) continue;
    for (int st = end + step; st > 0 && st + 1 < stationCount() && !station(st).wheel; st += step) {
      Node& n = nodes_[at(station(st).index)];
      if (n.place != Place::point || n.flow < 0 || n.gone >= 0) break;
      n.gone = static_cast<int>(startMemory_.size());
      startMemory_.push_back(0.0);
    }
  }
}

bool Strand::slipOut(const Instant& now, State& state, Events& events) const {
  if (closed_) return false;
  const Settings& settings = now.model().description.settings;
  const double step = settings.dt / settings.substeps;
  const auto gone = [&](int st) {
    const Node& n = node(station(st).index);
    return n.gone >= 0 && goneFrom(state, n);
  };
  for (const bool last : {false, true}) {
    const int end = last ? stationCount() - 1 : 0, in = last ? -1 : 1;
    if (station(end).wheel || node(station(end).index).kept < 0) continue;
    int hole = end + in;
    while (hole > 0 && hole + 1 < stationCount() && !station(hole).wheel && gone(hole)) hole += in;
    if (station(hole).wheel || node(station(hole).index).gone < 0) continue;
    const int before = hole + in;
    if (station(before).wheel) continue;  // a wheel's span has no place for a node that does nothing
    const Node &h = node(station(hole).index), &b = node(station(before).index), &e = node(station(end).index);
    const double left = std::fabs(materialAt(now, e) - materialAt(now, h));
    const double shrinks = (last ? 1.0 : -1.0) * (flowRate(now, h) - flowRate(now, e));
    if (!(shrinks > 0.0 && left < 2.0 * nearest_ + 2.0 * step * shrinks)) continue;
    goneFrom(state, h) = true;
    const int inner = last ? before : hole;  // the segment between them
    const SpanNow& span = look(now).spans[at(inner)];
    const std::size_t k0 = last ? 1 : 0;
    const Vec3 x = span.x[k0] + (last ? 1.0 : -1.0) * left * span.n;
    const Block& own = now.model().blocks[at(e.block)];
    for (int k = 0; k < 3; ++k) {
      state.q[at(own.q + k)] = x[k];
      state.v[at(own.v + k)] = span.m[k0][k];
    }
    // It and those that lost the end before share what is left, evenly along the line.
    const double s0 = materialAt(now, b), s1 = materialAt(now, e), r0 = flowRate(now, b), r1 = flowRate(now, e);
    const int count = std::abs(end - before);
    for (int k = 1; k < count; ++k) {
      const int st = before - in * k;
      const Block& flow = now.model().blocks[at(node(station(st).index).flow)];
      const double f = static_cast<double>(k) / count;
      state.q[at(flow.q)] = s0 + f * (s1 - s0);
      state.v[at(flow.v)] = r0 + f * (r1 - r0);
    }
    for (int k = std::min(before, end); k < std::max(before, end); ++k) state.mode[at(stopSlot(k))] = Mode::lower;
    events.add({now.time, element_, station(hole).link, EventKind::strandEndOut});
    return true;
  }
  return false;
}

}  // namespace reeve
