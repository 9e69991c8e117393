// A strand that breaks. A segment that was pulled harder than it bears parts in its middle; what is left of it hangs
// from its two ends as mass that goes with them, and is drawn over wheels and through holes until it has run off.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand.h"

namespace reeve {

void StrandKinematics::hangLoose(const Instant& now, int segment, SpanNow& out) const {
  const PartedMemory& kept = partedMemory(now.past(), segment);
  const Segment& g = segments_[at(segment)];
  for (std::size_t k = 0; k < 2; ++k) {
    if (!idle(now.past(), k == 0 ? g.from : g.to)) continue;
    out.s[k] -= out.flowed[k];
    out.flowed[k] = out.sRate[k] = 0.0;
  }
  const double before = kept.before - out.flowed[0], after = kept.after + out.flowed[1];
  out.rest = std::max(before + after, floorRest());
  const double share = std::clamp(after / out.rest, 0.0, 1.0);
  out.lump = {1.0 - share, share};
  out.slope = out.n;
  out.slopeRate.setZero();
}

void Strand::partSegment(State& state, int segment, double before, double after) const {
  PartedMemory& kept = partedMemory(state, segment);
  kept.parted = true;
  kept.before = before;
  kept.after = after;
  state.force[at(lengthSlot(segment))] = 0.0;
  state.mode[at(lengthSlot(segment))] = Mode::upper;
}

/// The most loaded segment parts, one at a time: with it the load on the others is gone. Judged before a step, by the
/// tension the last one ended with: within a jump forces are impulses over the step, which say nothing of a rope.
void Strand::breakMostLoaded(const Instant& now, State& state, Events& events) const {
  int worst = -1;
  double most = settings_.material.breaking;
  for (int k = 0; k < segmentCount(); ++k) {
    const double tension = -state.force[at(lengthSlot(k))];
    if (parted(state, k) || segments_[at(k)].chart >= 0 || tension <= most) continue;
    worst = k;
    most = tension;
  }
  if (worst < 0) return;
  const double half = 0.5 * look(now).spans[at(worst)].rest;
  partSegment(state, worst, half, half);
  events.add({now.time, element_, station(segments_[at(worst)].from).link, EventKind::parts});
}

/// Loose ends after a step: a drum takes no more than there is, and what has run off a wheel or through a hole leaves
/// the segment beyond it as the loose end.
void Strand::runOff(const Instant& now, const Page& page, State& state, Events& events) const {
  for (int k = 0; k < segmentCount(); ++k) {
    if (!parted(now.past(), k)) continue;
    const Segment& g = segments_[at(k)];
    const SpanNow& s = page.spans[at(k)];
    PartedMemory& kept = partedMemory(state, k);
    kept.before -= s.flowed[0];
    kept.after += s.flowed[1];
    for (const bool last : {false, true}) {
      const int st = last ? g.to : g.from, beyond = last ? segmentAfter(st) : segmentBefore(st);
      double& loose = last ? kept.after : kept.before;
      const bool round = station(st).wheel;
      if (round && wheel(station(st).index).drum && loose < 0.0) {
        WheelMemory& on = wheelMemory(state, station(st).index);
        (last ? on.entryS : on.exitS) += last ? -loose : loose;
        loose = 0.0;
      }
      if (beyond < 0 || parted(state, beyond) || segments_[at(beyond)].chart >= 0) continue;
      const WheelMemory* on = round ? &wheelMemory(state, station(st).index) : nullptr;
      const double stored = on ? on->exitS - on->entryS : 0.0;
      if ((!round && node(station(st).index).flow < 0) || loose + stored >= 0.0) continue;
      const double rest = std::max(page.spans[at(beyond)].rest + loose + stored, floorRest());
      partSegment(state, beyond, last ? 0.0 : rest, last ? rest : 0.0);
      loose = 0.0;
      if (turns(segments_[at(beyond)])) restLength(state, beyond) = rest;
      if (on) wheelMemory(state, station(st).index).exitS = on->entryS;
      events.add({now.time, element_, station(st).link, EventKind::runsOff});
    }
    if (turns(g)) restLength(state, k) = std::max(kept.before + kept.after, floorRest());
  }
}

}  // namespace reeve
