// What programs may do to a cable of joints while it runs.
#include <algorithm>

#include "reeve/cables/joints/joints_cable.h"

namespace reeve {

std::optional<Parameter> JointsCable::parameter(std::string_view field) const {
  if (settings_.waves) return {};
  const MaterialSettings& m = settings_.material;
  const auto at = [&](int f, double declared, double low = 0.0) {
    return Parameter{elementKey(*this, f), declared, low, unbounded};
  };
  // What never stretched has rows that cannot: its stiffness stays.
  if (field == "material.axial" && m.axial < unbounded) {
    Parameter p = at(axial_, m.axial, 1e-40);
    p.high = 1e40;
    return p;
  }
  if (field == "material.damping") return at(damping_, m.damping);
  if (field == "material.breaking") return at(breaking_, m.breaking, 1e-40);
  if (field == "winding" && settings_.winding > 0.0) return at(winding_, settings_.winding);
  const bool ofCleat = field.ends_with(".cleat");
  const std::string_view head = "route.", tail = ofCleat ? ".cleat" : ".friction";
  if (!field.starts_with(head) || !field.ends_with(tail) || field.size() <= head.size() + tail.size()) return {};
  int i = 0;
  for (const char c : field.substr(head.size(), field.size() - head.size() - tail.size()))
    i = c >= '0' && c <= '9' && i < 100000 ? i * 10 + (c - '0') : 1000000;
  if (i >= declared_ || link(i).slip < 0) return {};
  if (ofCleat) {
    if (link(i).cleat == Cleat::off) return {};
    return Parameter{elementKey(*this, linkFriction_ + capacity() + i), 1.0, 0.0, 1.0};
  }
  Parameter p = at(linkFriction_ + i, link(i).friction);
  p.high = 1e40;
  return p;
}

std::string_view JointsCable::tunableFields() const {
  if (settings_.waves) return "";
  return "material.axial of a cable that stretches, material.damping, material.breaking, winding where it is positive, "
         "route.N.friction where it is finite, route.N.cleat where there is one (0 open, 1 closed)";
}

/// m that `payout` asks to have given at the first end since the start, less what it could not reel in.
double JointsCable::askedPayout(const State& s, double time) const {
  return profileValue(settings_.payout, time) - profileValue(settings_.payout, 0.0) + payoutOf(s).heldBack;
}

/// What it has given: no more than `drum` has.
double JointsCable::paidOutAt(const State& s, double time) const {
  if (payoutOf(s).holding != 0) return payoutOf(s).held;
  return std::min(askedPayout(s, time), settings_.drum.value_or(unbounded));
}

double JointsCable::reelRate(const Instant& now, const State& s, int place) const {
  if (!reels(s) || closed_) return 0.0;
  const auto route = routeOf(s);
  double rate = place == 0 ? value(s, reelFirst_, 0.0) : 0.0;
  if (place == 0 && pays_ && payoutOf(s).holding == 0 && askedPayout(s, now.time) < settings_.drum.value_or(unbounded))
    rate += profileRate(settings_.payout, now.time);
  if (place + 1 == route.spans()) rate += value(s, reelLast_, 0.0);
  const double left = stateOf(s, route[place]).rest - std::max(shortest_, 0.0);
  return rate < 0.0 && left <= 0.0 ? 0.0 : rate;
}

/// Who pays out works against the tension there.
void JointsCable::work(const Instant& now, std::span<const double> force, Doings& out) const {
  const State& s = now.past();
  if (!reels(s) || closed_) return;
  const auto route = routeOf(s);
  const int last = route.spans() - 1;
  for (int k = 0; k <= last; k += std::max(last, 1)) {
    const int from = route[k];
    if (stateOf(s, from).broken) continue;
    const double here = endTension(now, from, route.next(k), k == 0);  // beyond that of the middle
    out.add(Work::moved, (force[reeve::at(spanSlot(from))] - here) * reelRate(now, s, k));
  }
}

/// No more is reeled in than there is.
double JointsCable::reeled(const Instant& now, const State& s, int place) const {
  double given = now.h * reelRate(now, s, place);
  if (place == 0 && pays_)  // its table, not its slope at one moment
    given = now.h * value(s, reelFirst_, 0.0) + paidOutAt(s, now.time) - paidOutAt(s, s.time) +
            (place + 1 == routeOf(s).spans() ? now.h * value(s, reelLast_, 0.0) : 0.0);
  if (given >= 0.0) return given;
  return std::max(given, std::min(0.0, std::max(shortest_, 0.0) - stateOf(s, routeOf(s)[place]).rest));
}

std::string JointsCable::reel(State& s, CableEnd end, double rate) const {
  if (closed_) return "a closed cable has no end to reel at";
  if (settings_.waves) return "joints with waves cannot be reeled at an end: use a drum, or model hoist";
  const auto route = routeOf(s);
  const int i = route[end == CableEnd::first ? 0 : route.size() - 1];
  if (link(i).type != LinkType::attach) return "this end is wound on a drum: turn the rotor it is wound on";
  setOverride(s, elementKey(*this, end == CableEnd::first ? reelFirst_ : reelLast_), rate);
  return {};
}

std::string JointsCable::setRest(State& s, int span, double rest) const {
  const auto route = routeOf(s);
  if (span < 0 || span >= route.spans())
    return "there is no span " + std::to_string(span) + ": it has " + std::to_string(route.spans()) + " now";
  LinkState& from = stateOf(s, route[span]);
  if (from.broken) return "span " + std::to_string(span) + " has parted";
  if (rest < shortest_) return "a span cannot be shorter than the cable is thick";
  from.rest = rest;
  from.shortfall = 0.0;
  return {};
}

std::string JointsCable::release(State& s, CableEnd end) const {
  if (closed_) return "a closed cable has no end to let go";
  const auto route = routeOf(s);
  const bool first = end == CableEnd::first;
  if (link(route[first ? 0 : route.size() - 1]).type != LinkType::attach)
    return "this end is not attached but wound on";
  const int i = route[first ? 0 : route.size() - 2];
  LinkState& from = stateOf(s, i);
  if (from.broken) return "this end is loose already";
  // A span that has parted right at the link: all of it is the loose end of its neighbor.
  from.broken = true;
  if (first) {
    stateOf(s, route[1]).tail = from.rest;
    from.rest = 0.0;
  }
  letGo(s, i);
  return {};
}

std::string JointsCable::cut(State& s, int span) const {
  const auto route = routeOf(s);
  if (span < 0 || span >= route.spans())
    return "there is no span " + std::to_string(span) + ": it has " + std::to_string(route.spans()) + " now";
  if (stateOf(s, route[span]).broken) return "span " + std::to_string(span) + " has parted already";
  partSpan(s, span);
  return {};
}

}  // namespace reeve
