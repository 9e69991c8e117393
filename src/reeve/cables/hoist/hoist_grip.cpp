// Which contacts of a hoist cable hold it by friction.
//
// The capstan law lets a contact hold T_hi ≤ e^{μθ} T_lo, so one with a slack side (T_lo = 0) holds nothing: both
// sides are slack. What slides over it has no mass, and between two runs without tension nothing says how far it
// slides: Newton did not find it, and a step that was taken all the same moved centimetres of cable across (5 kN of a
// cable that weighs 36 N). So a contact of which a side was slack at the end of a step lets go: both sides are one run,
// of one tension, as without friction. It holds again when that run has pulled for a while. Of several points of one
// shape one holds for all.
#include <algorithm>

#include "reeve/cables/hoist/hoist_cable.h"

namespace reeve {

namespace {
/// s, how long a run with waves has to pull before a contact on it holds again.
constexpr double gripAfter = 0.02;
}  // namespace

/// Whether the run that the span after this place is part of did not pull in the last step. With waves, not by more
/// than a link weighs.
bool HoistCable::slackAt(const State& s, int place) const {
  if (!waves() || settings_.pull == PullForm::force) return false;  // straight spans are solved slack or not
  const double link = linkMass(s, nodeAt(s, place)) * gravity_.norm();
  while (!startsRun(s, place)) --place;
  return pullOf(s, place) <= link;
}

/// Whether another contact with the same shape holds.
bool HoistCable::heldBeside(const State& s, int i) const {
  for (int k = 1; k + 1 < count(s); ++k) {
    const int j = nodeAt(s, k);
    if (j != i && node(j).contact && !stateOf(s, j).loose && stateOf(s, j).onSameShape(stateOf(s, i))) return true;
  }
  return false;
}

/// Before a step.
void HoistCable::settleGrips(const Instant& now, State& s) const {
  if (settings_.pull == PullForm::force) return;
  for (int k = 1; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k);
    if (!node(i).contact || node(i).slip < 0) continue;
    const bool slack = slackAt(s, k - 1) || slackAt(s, k);
    if (!stateOf(s, i).loose) {
      if (slack) letGo(s, k);
      continue;
    }
    double& pulls = stateOf(s, i).pulledFor;
    pulls = slack ? 0.0 : pulls + step_;
    const bool on = std::holds_alternative<HalfSpace>(shapeOf(s, i).geometry);  // there every point holds for itself
    if (slack || (waves() && pulls < gripAfter) || (!on && heldBeside(s, i))) continue;
    holdOn(now, s, k);
  }
}

/// Two runs become one: all their length stays, with what lies on the contact.
void HoistCable::letGo(State& s, int place) const {
  const int i = nodeAt(s, place);
  int first = place - 1;
  while (!startsRun(s, first)) --first;
  const int run = nodeAt(s, first);
  stateOf(s, run).joinRun(stateOf(s, i));
  stateOf(s, i).endRun();
  s.force[at(spanSlot(run))] = std::min(s.force[at(spanSlot(run))], s.force[at(spanSlot(i))]);
  if (s.mode[at(spanSlot(i))] == Mode::free) s.mode[at(spanSlot(run))] = Mode::free;
  for (const int row : {spanSlot(i), frictionSlot(i)}) {
    s.force[at(row)] = 0.0;
    s.mode[at(row)] = Mode::free;
  }
  stateOf(s, i).loose = true;
  stateOf(s, i).pulledFor = 0.0;
}

/// One run becomes two, of the same tension.
void HoistCable::holdOn(const Instant& now, State& s, int place) const {
  const int from = nodeAt(s, place - 1), i = nodeAt(s, place), to = nodeAt(s, place + 1);
  const Chord in = chordOf(now, s, from, i), out = chordOf(now, s, i, to);
  const Wrap wrap = wrapOf(now, s, i, in.span, out.span);
  const double before = spanArc(s, from, in.span.length), after = spanArc(s, i, out.span.length);
  const double arc = before + after + wrap.length;
  stateOf(s, i).loose = false;
  partRun(now, s, place - 1, arc, (before + 0.5 * wrap.length) / arc, wrap, in.span);
}

}  // namespace reeve
