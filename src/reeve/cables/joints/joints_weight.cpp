// The weight of a cable of joints, from its potential. With m the mass per metre of rest length, a and b the contacts
// of a span and ρ its rest length,
//     V = −m Σ ρ g·(a + b)/2 − m Σ ∫ g·x ds,      the second over what lies on links.
// Contacts that move along a wheel drop out of the gradient, since a span leaves it along its tangent. What remains is
// half the weight of a span at each contact, the weight of what lies on a link, and a force on whatever makes cable
// flow: length that goes from one span to the next takes its weight from the middle of one to the middle of the other,
//     ∂V/∂s = −m g·(c_next − c_before).
// So a row's tension is that in the middle of its span; at an end there is m g·(middle − end) more. What is wound on a
// drum ends at a place that turns with it.
#include <algorithm>
#include <cmath>

#include "reeve/cables/joints/joints_cable.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// Where what lies on a link is, on the whole.
struct LaidCable {
  double length = 0.0;  ///< m
  Vec3 middle = Vec3::Zero();
  Vec3 end = Vec3::Zero();  ///< where it flows to or from if a rotor turns it: its centre, or the end on a drum
};

/// Adds a force at a block, with its moment about the block's position.
void pushWeight(const Instant& now, int block, const Vec3& force, const Vec3& moment, Forces& out) {
  const Block& b = now.model().blocks[at(block)];
  for (int c = 0; c < 3; ++c) {
    out.force[at(b.v + c)] += force[c];
    if (b.rotates) out.force[at(b.v + 3 + c)] += moment[c];
  }
}

void pushWeight(const Instant& now, int block, double force, Forces& out) {
  out.force[at(now.model().blocks[at(block)].v)] += force;
}

Vec3 middleOfTube(const Instant& now, int block, const std::vector<Vec3>& tube_B, double length) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t k = 1; k < tube_B.size(); ++k)
    sum += 0.5 * (tube_B[k] - tube_B[k - 1]).norm() * (tube_B[k] + tube_B[k - 1]);
  return now.point({block, Vec3(sum / length)});
}

/// The mean place of an outline between two travels.
Vec3 middleOfArc(const Outline& outline, const LinkFrame& frame, double from, double to) {
  if (outline.isCircle()) {
    const double r = outline.radius(), a = from / r, b = to / r;
    if (std::fabs(b - a) < 1e-6) return frame.toWorld(outline.at(0.5 * (from + to)).point);
    double sa, ca, sb, cb;
    math::sincos(a, sa, ca);
    math::sincos(b, sb, cb);
    return frame.toWorld(Vec2(r * (sb - sa) / (b - a), r * (ca - cb) / (b - a)));
  }
  constexpr int pieces = 16;
  Vec2 sum = Vec2::Zero();
  for (int k = 0; k < pieces; ++k) sum += outline.at(from + (to - from) * (k + 0.5) / pieces).point;
  return frame.toWorld(sum / pieces);
}

}  // namespace

/// What the cable's weight does at an instant, link by link and span by span, for forces and energy alike.
struct JointsCable::Weigh {
  const JointsCable& cable;
  const Instant& now;
  const State& s;
  const JointsCache* trial;  ///< what has flowed since the state; null: nothing
  Vec3 g;
  double m;

  /// A span's contacts; of one that has lost its tangent the middles of its links.
  void ends(int from, int to, Vec3& a, Vec3& b) const {
    const SpanShape shape = cable.shapeOf(now, s, from, to);
    const bool found = shape.first.status == TangentStatus::ok;
    a = found ? shape.start().point : cable.frameOf(now, s, from).origin;
    b = found ? shape.end().point : cable.frameOf(now, s, to).origin;
  }
  double paid(int from, int end) const { return trial ? trial->spans[at(from)].paid[end] : 0.0; }
  double slid(int i) const { return trial ? cable.slipStep(now, i) : 0.0; }
  double rest(int place, int from, int to) const {
    const double reels = trial && cable.reels(s) ? cable.reeled(now, s, place) : 0.0;
    const double here = cable.stateOf(s, from).rest + paid(from, 0) + slid(from) + reels;
    return cable.stateOf(s, from).broken ? here : here + paid(from, 1) - slid(to);
  }
  double tail(int from, int to) const { return cable.stateOf(s, to).tail + paid(from, 1) - slid(to); }
  ContactTravel contact(int i, int span, bool exit) const {
    const bool known = trial && trial->spans[at(span)].kind != JointsCache::Kind::still;
    return known ? trial->spans[at(span)].travel[exit ? 0 : 1] : cable.stateOf(s, i).contact(exit);
  }
  Vec3 down() const { return g.norm() > 0.0 ? Vec3(g.normalized()) : Vec3::Zero(); }

  LaidCable laid(int place) const;
  void carry(int i, const Vec3& point, const Vec3& weight, bool wound, Forces& out) const;
  void flow(int i, bool exit, const Vec3& from, const Vec3& middle, Forces& out) const;
};

LaidCable JointsCable::Weigh::laid(int place) const {
  const auto route = cable.routeOf(s);
  const int i = route[place];
  const Link& l = cable.link(i);
  const LinkState& on = cable.stateOf(s, i);
  LaidCable out;
  out.middle = out.end = cable.frameOf(now, s, i).origin;
  if (l.type == LinkType::sheath) {
    out.length = l.tube;
    if (l.tube > 0.0) out.middle = middleOfTube(now, l.mount.block, l.tube_B, l.tube);
    return out;
  }
  if (!l.round() || on.holds) return out;
  const bool first = !cable.closed_ && place == 0, last = !cable.closed_ && place + 1 == route.size();
  const int before = first ? -1 : route.before(place);
  out.length = on.stored - (last ? 0.0 : paid(i, 0)) - (first ? 0.0 : paid(before, 1));
  const LinkFrame frame = cable.frameOf(now, s, i);
  const Outline& outline = cable.outlineOf(now, s, i);
  const int sigma = on.sense();
  // A cable that ends here lies on it all the way to its end; in layers all of them as far out as the last.
  const double along = l.layers.many() ? outline.radius() * l.layers.angleOf(out.length) : out.length;
  const double exit = last ? contact(i, before, false).s + sigma * along : contact(i, i, true).s;
  const double entry = first ? exit - sigma * along : contact(i, before, false).s;
  out.middle = middleOfArc(outline, frame, entry, exit);
  if (first || last) out.end = frame.toWorld(outline.at(first ? entry : exit).point);
  return out;
}

/// Weight at a place of a link. A rotor goes round under its cable, so what lies there does not turn with the parent.
void JointsCable::Weigh::carry(int i, const Vec3& point, const Vec3& weight, bool wound, Forces& out) const {
  const LinkMount& mount = cable.link(i).mount;
  const Vec3 x = now.position(mount.block);
  Vec3 moment = (point - x).cross(weight);
  if (mount.rotor >= 0) {
    const Vec3 axis = now.rotation(mount.block) * mount.axis_B;
    const double axial = axis.dot((point - cable.frameCenter(now, i)).cross(weight));
    moment -= axis * axial;
    if (!wound) pushWeight(now, mount.rotor, axial, out);  // held at a place of the rotor
  }
  pushWeight(now, mount.block, weight, moment, out);
}

/// Cable that goes from a link into the span beside it.
void JointsCable::Weigh::flow(int i, bool exit, const Vec3& from, const Vec3& middle, Forces& out) const {
  const Link& l = cable.link(i);
  const double gain = (exit ? m : -m) * g.dot(middle - from);
  if (l.slip >= 0) pushWeight(now, l.slip, gain, out);
  if (l.mount.rotor < 0 || !l.round() || cable.stateOf(s, i).holds) return;
  const double grown = trial ? trial->wheels[at(i)].grown : 1.0;
  const double torque = cable.stateOf(s, i).sense() * cable.radiusOf(s, i) * grown * gain;
  pushWeight(now, l.mount.rotor, l.spinsBack ? -torque : torque, out);
}

Vec3 JointsCable::frameCenter(const Instant& now, int i) const {
  const Link& l = link(i);
  return now.position(l.mount.block) + now.rotation(l.mount.block) * l.center_B;
}

JointsCable::Weigh JointsCable::weigh(const Instant& now, const JointsCache* trial) const {
  return {*this, now, now.past(), trial, now.model().description.settings.gravity, settings_.material.mass};
}

bool JointsCable::weighs() const { return settings_.weight && settings_.material.mass > 0.0; }

void JointsCable::forces(const Instant& now, Forces& out) const {
  if (!weighs()) return;
  const State& s = now.past();
  const auto route = routeOf(s);
  const Weigh w = weigh(now, &now.cache<JointsCache>(*this));
  LaidCable before = w.laid(0);
  const LaidCable first = before;
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const LaidCable after = closed_ && k + 1 == route.size() ? first : w.laid(k + 1);
    const bool winds[2] = {link(from).mount.rotor >= 0 && !stateOf(s, from).holds && link(from).round(),
                           link(to).mount.rotor >= 0 && !stateOf(s, to).holds && link(to).round()};
    if (before.length > 0.0) w.carry(from, before.middle, w.m * before.length * w.g, winds[0], out);
    Vec3 a, b;
    w.ends(from, to, a, b);
    if (stateOf(s, from).broken) {
      const double here = std::max(w.rest(k, from, to), 0.0), there = std::max(w.tail(from, to), 0.0);
      w.carry(from, a, w.m * here * w.g, winds[0], out);
      w.flow(from, true, before.end, a + 0.5 * here * w.down(), out);
      w.carry(to, b, w.m * there * w.g, winds[1], out);
      w.flow(to, false, after.end, b + 0.5 * there * w.down(), out);
    } else {
      const Vec3 half = 0.5 * w.m * w.rest(k, from, to) * w.g, middle = 0.5 * (a + b);
      w.carry(from, a, half, winds[0], out);
      w.carry(to, b, half, winds[1], out);
      w.flow(from, true, before.end, middle, out);
      w.flow(to, false, after.end, middle, out);
    }
    if (!closed_ && k + 1 == route.spans() && after.length > 0.0)
      w.carry(to, after.middle, w.m * after.length * w.g, winds[1], out);
    before = after;
  }
}

/// In gravity, J.
double JointsCable::weightEnergy(const Instant& now) const {
  if (!weighs()) return 0.0;
  const State& s = now.past();
  const auto route = routeOf(s);
  const Weigh w = weigh(now, &now.cache<JointsCache>(*this));
  double moment = 0.0;  // Σ length g·x
  for (int k = 0; k < route.size(); ++k) {
    const LaidCable laid = w.laid(k);
    moment += laid.length * w.g.dot(laid.middle);
  }
  // What `payout` gives was there before, at the height of the first end.
  if (pays_) moment -= paidOutAt(s, now.time) * w.g.dot(frameOf(now, s, route[0]).origin);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    Vec3 a, b;
    w.ends(from, to, a, b);
    if (!stateOf(s, from).broken) {
      moment += w.rest(k, from, to) * 0.5 * w.g.dot(a + b);
      continue;
    }
    const double here = std::max(w.rest(k, from, to), 0.0), there = std::max(w.tail(from, to), 0.0);
    moment += here * w.g.dot(a + 0.5 * here * w.down()) + there * w.g.dot(b + 0.5 * there * w.down());
  }
  return -w.m * moment;
}

/// By how much the tension of a span at one of its ends is above that in its middle, N.
double JointsCable::endTension(const Instant& now, int from, int to, bool start) const {
  if (!weighs()) return 0.0;
  const Weigh w = weigh(now, nullptr);
  Vec3 a, b;
  w.ends(from, to, a, b);
  return 0.5 * w.m * w.g.dot(start ? b - a : a - b);
}

}  // namespace reeve
