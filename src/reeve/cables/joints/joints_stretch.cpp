// How the spans of a cable of joints stretch: see the head of joints_cable.h.
#include <algorithm>

#include "reeve/cables/joints/joints_cable.h"

namespace reeve {

namespace {
/// Stretched to this many times its rest length a cable is no cable any more: from there on it pulls like a spring of
/// that rest length, and an event tells of it.
constexpr double mostStretch = 1000.0;
/// Up to this strain the row is left undivided.
constexpr double littleStrain = 0.1;
}  // namespace

/// Length leaves a link at one end. What stretches with the other span stays, but for a turning wheel, which carries it
/// on, and where nothing is left of it.
void JointsCable::payOut(State& s, int i, bool exit, double given) const {
  LinkState& on = stateOf(s, i);
  on.stored -= given;
  if (!exit) on.share -= given;
  on.share = link(i).mount.rotor >= 0 ? 0.5 * on.stored : std::clamp(on.share, 0.0, std::max(on.stored, 0.0));
}

/// What lies on a link and stretches with the span at its exit or entry.
double JointsCable::clingsTo(const State& s, int i, bool exit) const {
  if (link(i).slip < 0 || settings_.compliance || settings_.waves || !(settings_.material.axial < unbounded))
    return 0.0;
  const LinkState& on = stateOf(s, i);
  return exit ? on.stored - on.share : on.share;
}

/// A span with what lies on its links on its side: that at the start of the step, less what has been paid out since.
JointsCable::Stretched JointsCable::stretched(const State& s, int from, int to, double rest, double length,
                                              double paidFrom, double paidTo) const {
  const auto lies = [&](int i, bool exit, double given) {
    const double there = clingsTo(s, i, exit);
    return there > 0.0 && link(i).mount.rotor < 0 ? there - given : there;
  };
  const double clings = lies(from, true, paidFrom) + lies(to, false, paidTo);
  return {rest + clings, length + clings};
}

double JointsCable::complianceOf(const State& s, int i, const Stretched& span) const {
  if (settings_.compliance) return stateOf(s, i).compliance;
  if (!(settings_.material.axial < unbounded)) return 0.0;
  // No stiffer than a piece as long as the cable is thick: spans are used up at wheels, and stop only about there.
  return std::max({span.rest, span.length / mostStretch, shortest_}) / axial(s);
}

/// 1 + ε, or 1 where that is next to nothing.
double JointsCable::divisor(const Stretched& span) const {
  if (settings_.compliance || settings_.waves || !(settings_.material.axial < unbounded)) return 1.0;
  const double ratio = span.length / std::max(span.rest, span.length / mostStretch);
  return ratio > 1.0 + littleStrain ? ratio : 1.0;
}

/// The tension that belongs to the stretch of a span; zero if it cannot stretch.
double JointsCable::stretchTension(const State& s, int from, int to, double length) const {
  const double rest = stateOf(s, from).reach(), give = complianceOf(s, from, stretched(s, from, to, rest, length));
  return give > 0.0 ? std::max(0.0, length - rest) / give : 0.0;
}

/// The rest length of the span itself, without its share of what lies stretched on the links beside it.
double JointsCable::shownRest(const State& s, int from, int to, double length) const {
  const LinkState& span = stateOf(s, from);
  const Stretched whole = stretched(s, from, to, span.reach(), length);
  if (span.reach() >= length || whole.length <= length) return span.rest;
  return length * whole.rest / whole.length - span.shortfall;
}

/// A span that has next to no rest length left cannot be meant: it was pulled away over its links, or wound on.
void JointsCable::tellSpent(const Instant& now, State& s, int from, int to, double length,
                            std::vector<Notice>& notices) const {
  if (!canStretch()) return;
  LinkState& span = stateOf(s, from);
  const Stretched whole = stretched(s, from, to, span.reach(), length);
  if (!span.overstretched && whole.rest * mostStretch < whole.length) {
    span.overstretched = true;
    notices.push_back({now.time, this, from, "is overstretched: the span after it has no rest length left"});
  } else if (span.overstretched && whole.rest * mostStretch > 2.0 * whole.length) {
    span.overstretched = false;
  }
}

}  // namespace reeve
