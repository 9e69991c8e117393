#include "reeve/cables/chain/route_chain.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/body_turn.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {
/// e^{μθ} beyond which a rope holds whatever is hung on it.
constexpr double steepestGrip = 60.0;
/// Share of a segment's direction across the axle, from which on it counts as in the plane of the wheel.
constexpr double levelEnough = 0.9999;
/// s, in which a kink that missed the rim comes onto it.
constexpr double fadesIn = 0.05;

Mat3 turnOfBlock(const Instant& now, int block) {
  return now.rotates(block) ? now.rotation(block) : Mat3(Mat3::Identity());
}
}  // namespace

ElementLayout RouteChain::layout() const {
  return {.slots = SegmentJoint::slots * (pool_ + 2 * spanCount()) + linkCount(),
          .memory = numbersIn<RouteSegmentMemory> * pool_ +
                    (numbersIn<RouteSpanMemory> + 2 * numbersIn<RouteEndMemory>)*spanCount() +
                    numbersIn<RouteLinkMemory> * linkCount()};
}

void RouteChain::start(const Instant& now, std::span<double> remembered, std::span<Sheet>) const {
  State state;
  state.memory.assign(static_cast<std::size_t>(memory) + remembered.size(), 0.0);
  for (int i = 0; i < pool_; ++i) segmentMemory(state, i).before = segmentMemory(state, i).after = -1;
  for (int k = 0; k < spanCount(); ++k) {
    const int first = span(k).first, last = first + span(k).count - 1;
    spanMemory(state, k).first = first;
    spanMemory(state, k).last = last;
    for (int i = first; i <= last; ++i) {
      RouteSegmentMemory& m = segmentMemory(state, i);
      m.awake = true;
      m.before = i > first ? i - 1 : -1;
      m.after = i < last ? i + 1 : -1;
      m.twist = joint_.twists && i < last ? -joint_.restTwist : 0.0;
    }
  }
  for (int i = 0; i < linkCount(); ++i) {
    RouteLinkMemory& m = linkMemory(state, i);
    m.held = link(i).held;
    if (link(i).flow < 0) continue;
    const double spin = link(i).mount.rotor >= 0 ? link(i).spin * now.scalar(link(i).mount.rotor) : 0.0;
    m.grip = now.scalar(link(i).flow) - link(i).side * link(i).radius * spin;
  }
  // Stretched as it starts; what passes an end is as far from its segment as the tension there asks.
  const double pull = stretches() ? strain_ * section_.axial : 0.0;
  for (int e = 0; e < 2 * spanCount(); ++e) {
    if (!runs(e)) continue;
    const int i = linkAt(e);
    RouteEndMemory& m = endMemory(state, e);
    Tangent t = tangent(now, state, e);
    m.angle = t.angle;
    if (const Link& l = link(i); l.layers.many())
      linkMemory(state, i).wound =
          l.radius * l.layers.angleOf(l.stored) - towards(e) * (l.side * l.radius * t.angle - now.scalar(l.flow));
    if (!arrives(e) && entryOf(i) >= 0)  // behind the other one by what is wrapped
      m.angle +=
          2.0 * math::pi *
          std::floor((endMemory(state, entryOf(i)).angle + link(i).side * link(i).wrap - m.angle) / (2.0 * math::pi) +
                     0.5);
    t = tangent(now, state, e);
    const double s = (t.point - now.position(block(segmentAt(state, e)))).dot(t.along);
    m.offset = s + (arrives(e) ? -1.0 : 1.0) * pull * tangentCompliance() - t.turned;
  }
  std::copy(state.memory.begin() + memory, state.memory.end(), remembered.begin());
}

/// How far what carries a rotor has turned about the axle, rad: its spin is counted in space, so its tangents are too.
double RouteChain::turnedBy(const Instant& now, int i) const {
  const Link& l = link(i);
  if (l.mount.rotor < 0 || !now.rotates(l.mount.block)) return 0.0;
  return bodyTurn(now, now.past().q, l.mount.block, LinkFrame{Vec3::Zero(), l.across_B, l.up_B, l.axis_B});
}

RouteChain::Tangent RouteChain::tangent(const Instant& now, const State& state, int e) const {
  const int i = linkAt(e);
  const Link& l = link(i);
  const Mat3 r = turnOfBlock(now, l.mount.block);
  Tangent t;
  t.along = t.flat = t.carried = now.rotation(block(segmentAt(state, e))).col(2);
  t.centre = t.point = now.position(l.mount.block) + r * l.center_B;
  t.axle = r * l.axis_B;
  t.offset = t.turned = endMemory(state, e).offset - now.scalar(l.flow);
  Vec3 outward = Vec3::Zero();
  if (l.radius > 0.0) {
    t.flat -= t.axle * t.axle.dot(t.along);
    t.level = std::max(t.flat.norm(), 1e-9);
    t.flat /= t.level;
    const double last = endMemory(state, e).angle, carried = linkMemory(state, i).turn + turnedBy(now, i);
    t.angle = math::atan2(t.flat.dot(r * l.up_B), t.flat.dot(r * l.across_B)) + carried;
    t.angle += 2.0 * math::pi * std::floor((last - t.angle) / (2.0 * math::pi) + 0.5);
    outward = l.side * t.flat.cross(t.axle);
    t.radius = l.radius;
    if (l.layers.many())
      windLayers(now, state, e, outward, t);
    else
      t.offset = t.turned += l.side * l.radius * t.angle;
    t.point += t.radius * outward;
  }
  if (!l.stores) return t;
  // A drum that has paid out all, or can wind up no more, carries that end of the segment with its rim.
  const double half = 0.5 * length_, away = arrives(e) ? -t.turned : t.turned;
  const bool out = linkMemory(state, i).held == 0 && away<-half, in = away> half && lastOfChain(state, e);
  if (!out && !in) return t;
  t.end = out ? -1 : 1;
  t.offset = (out ? -half : half) * (arrives(e) ? -1.0 : 1.0);
  t.carried = t.climb = Vec3::Zero();
  if (l.radius == 0.0) return t;
  const double beyond = (t.offset - t.turned) / t.radius, cosine = math::cos(beyond), sine = math::sin(beyond);
  t.point += t.radius * ((cosine - 1.0) * outward + sine * t.flat);
  t.carried = t.radius / l.radius * (cosine * t.flat - sine * outward);
  return t;
}

/// Where the chain runs on a drum with layers, and what that does to the material at its tangent.
void RouteChain::windLayers(const Instant& now, const State& state, int e, const Vec3& outward, Tangent& t) const {
  const Link& l = link(linkAt(e));
  const double sign = towards(e), first = l.side * l.radius * t.angle - now.scalar(l.flow);
  const double angle = (linkMemory(state, linkAt(e)).wound + sign * first) / l.radius;
  t.radius = l.layers.radiusAt(angle);
  t.offset = t.turned = endMemory(state, e).offset + sign * l.layers.lengthAt(angle);
  t.climb = sign * l.layers.slopeAt(angle) * outward;
  t.carried = t.radius / l.radius * t.along - t.climb / l.radius;
}

/// What is wrapped round a wheel; at an eye the kink. rad
double RouteChain::wrapOf(const Instant& now, const State& state, int i) const {
  const int in = entryOf(i), out = exitOf(i);
  if (in < 0 || out < 0 || link(i).flow < 0) return 0.0;
  const Tangent a = tangent(now, state, in), b = tangent(now, state, out);
  if (link(i).radius > 0.0) return link(i).side * (b.angle - a.angle);
  return math::atan2(a.along.cross(b.along).norm(), a.along.dot(b.along));
}

/// m of chain on a link, as stretched as it is there.
double RouteChain::storedOn(const Instant& now, const State& state, int i) const {
  const Link& l = link(i);
  if (l.flow < 0) return 0.0;
  if (!l.stores) return l.radius * wrapOf(now, state, i);
  const int e = exitOf(i) >= 0 ? exitOf(i) : entryOf(i);
  const Tangent t = tangent(now, state, e);
  double middle;
  return linkMemory(state, i).held * length_ + overhang(t, e, middle);
}

/// How much of the segment at an end is past the tangent, m, and where its middle is on the segment.
double RouteChain::overhang(const Tangent& t, int e, double& middle) const {
  const double half = 0.5 * length_, sign = arrives(e) ? -1.0 : 1.0;
  const double past = std::clamp(half + sign * t.offset, 0.0, length_);
  middle = sign * (0.5 * past - half);
  return past;
}

SegmentJoint RouteChain::jointBehind(const State& state, int i) const {
  SegmentJoint j = joint_;
  j.a = {block(i), Vec3(0, 0, 0.5 * length_)};
  j.b = {block(after(state, i)), Vec3(0, 0, -0.5 * length_)};
  return j;
}

/// What holds an end of the chain.
SegmentJoint RouteChain::holdAt(const State& state, int e) const {
  const Link& l = link(linkAt(e));
  SegmentJoint j = joint_;
  const Anchor body{l.mount.block, l.center_B};
  const Anchor own{block(segmentAt(state, e)), Vec3(0, 0, (arrives(e) ? 0.5 : -0.5) * length_)};
  j.a = arrives(e) ? own : body;
  j.b = arrives(e) ? body : own;
  j.bends = j.twists = false;
  j.length = 0.5 * length_;
  j.stretch = endCompliance();
  return j;
}

Mat3 RouteChain::axesAt(const Model& model, const State& state, int e) const {
  const std::size_t q = at(model.blocks[at(block(segmentAt(state, e)))].q + 3);
  const Mat3 r = Quat(state.q[q], state.q[q + 1], state.q[q + 2], state.q[q + 3]).toRotationMatrix();
  Mat3 axes;
  axes << r.col(2), r.col(0), r.col(1);
  return axes;
}

/// Of the chain at an end of a span, N.
double RouteChain::tensionAt(const Instant& now, const State& state, std::span<const double> force, int e) const {
  if (runs(e)) return (arrives(e) ? 1.0 : -1.0) * force[at(endSlot(e))];
  if (!held(e)) return 0.0;
  return -vectorAt(force, endSlot(e)).dot(now.rotation(block(segmentAt(state, e))).col(2));
}

void RouteChain::endRows(const Instant& now, int e, RowSet& out) const {
  const State& past = now.past();
  const Link& l = link(linkAt(e));
  const Tangent t = tangent(now, past, e);
  const int own = block(segmentAt(past, e)), parent = l.mount.block;
  const Mat3 axes = axesAt(now.model(), past, e);
  const Vec3 arm = t.offset * t.along, gap = now.position(own) + arm - t.point - endMemory(past, e).bias.vec();
  const Vec3 lever = t.centre - now.position(parent), rim = t.point - t.centre;
  // Of the turn of the segment: what its tangent lays down is along it, and what the tangent moves by is across the
  // axle.
  const Vec3 skewed = t.end == 0 ? Vec3(l.side * (t.radius * (t.along - t.flat) - t.climb)) : Vec3(Vec3::Zero());
  const Vec3 wraps = t.along.cross(t.axle.cross(t.flat)) / t.level;
  out.group();
  for (int k = 0; k < 3; ++k) {
    const Vec3 axis = axes.col(k);
    Row& row = out.add(endSlot(e) + k);
    row.error = axis.dot(gap);
    row.compliance = tangentCompliance();
    row.damping = settings_.material.damping;
    out.entry(own, axis, arm.cross(axis) + axis.dot(skewed) * wraps);
    out.entry(l.flow, -axis.dot(t.carried));
    Vec3 moment = rim.cross(axis);
    if (l.mount.rotor >= 0) moment -= t.axle * t.axle.dot(moment);
    if (now.rotates(parent))
      out.entry(parent, -axis, -(lever.cross(axis) + moment));
    else
      out.entry(parent, -axis);
  }
}

/// The last segment of the chain is held at its other end, which does not go through the link: with f what is left of
/// it in the span, f = ℓ/2 ∓ s, the link stops it at f = its radius.
void RouteChain::stopRow(const Instant& now, int e, RowSet& out) const {
  const State& past = now.past();
  const Link& l = link(linkAt(e));
  if (l.stores || !lastOfChain(past, e)) return;
  const Tangent t = tangent(now, past, e);
  const double sign = arrives(e) ? 1.0 : -1.0;
  out.group();
  Row& row = out.add(endSlot(e) + 3);
  row.error = 0.5 * length_ + sign * t.offset - shortest_;
  row.lower = 0.0;
  out.entry(l.flow, -sign);
  const Vec3 wraps = t.along.cross(t.axle.cross(t.flat)) / t.level;
  out.entry(block(segmentAt(past, e)), Vec3::Zero(), sign * l.side * l.radius * wraps);
  if (l.mount.rotor < 0 && l.radius > 0.0) out.entry(l.mount.block, Vec3::Zero(), -sign * l.side * l.radius * t.axle);
}

/// What keeps the chain from sliding on a link.
void RouteChain::gripRow(const Instant& now, int i, RowSet& out) const {
  const Link& l = link(i);
  if (l.flow < 0 || l.friction == 0.0) return;
  const double rim = l.mount.rotor >= 0 ? l.side * l.radius * l.spin : 0.0;
  out.group();
  Row& row = out.add(gripSlot(i));
  if (l.friction == unbounded) {
    row.error = now.scalar(l.flow) - linkMemory(now.past(), i).grip;
    if (l.paid) {
      row.error -= profileValue(settings_.payout, now.time) - profileValue(settings_.payout, 0.0);
      row.speed = profileRate(settings_.payout, now.time);
    }
    if (rim != 0.0) row.error -= rim * now.scalar(l.mount.rotor);
  } else {
    const int in = endSlot(entryOf(i)), behind = endSlot(exitOf(i));
    const double angle = std::max(wrapOf(now, now.past(), i), 0.0);
    const double gain = math::exp(std::min(l.friction * angle, steepestGrip)) - 1.0;
    row.level = Level::velocity;
    row.work = Work::friction;
    row.lower = row.upper = 0.0;
    row.lowerSlot = in;
    row.upperSlot = behind;
    // A chain that is pushed does not press on its wheel.
    row.lowerGain = now.multiplier(in) >= 0.0 ? -gain : 0.0;
    row.upperGain = now.multiplier(behind) <= 0.0 ? -gain : 0.0;
  }
  out.entry(l.flow, 1.0);
  if (rim != 0.0) out.entry(l.mount.rotor, -rim);
}

void RouteChain::rows(const Instant& now, RowSet& out) const {
  const State& past = now.past();
  for (int k = 0; k < spanCount(); ++k) {
    for (const int e : {2 * k, 2 * k + 1}) {
      if (runs(e)) endRows(now, e, out), stopRow(now, e, out);
      if (held(e)) holdAt(past, e).rows(now, 0.0, endSlot(e), out);
    }
    for (int i = spanMemory(past, k).first; after(past, i) >= 0; i = after(past, i))
      jointBehind(past, i).rows(now, segmentMemory(past, i).twist, jointSlot(i), out);
  }
  for (int i = 0; i < linkCount(); ++i) gripRow(now, i, out);
}

/// The lever of a segment at its tangent. Where more than half of the segment is past it the pull there turns the
/// segment away, −T s: less than what the pull at its other end, T ℓ/2, turns it back. Both together are positive, so
/// this part is kept; without it Newton would creep where a segment is light.
void RouteChain::leverAt(const Instant& now, std::span<const double> force, int e, const Tangent& t, const Vec3& pull,
                         PatchSet& out) const {
  const State& past = now.past();
  const int own = segmentAt(past, e);
  const double turns = t.offset * pull.dot(t.along), half = 0.5 * length_;
  leverStiffness(now, {block(own), Vec3(0, 0, t.offset)}, pull, out);
  if (turns >= 0.0 || t.level < levelEnough) return;  // a kink at the rim has a stiffness of its own, which is left out
  double back = 0.0;
  const int next = arrives(e) ? segmentMemory(past, own).before : segmentMemory(past, own).after;
  if (next >= 0)
    back = -half * vectorAt(force, jointSlot(arrives(e) ? next : own)).dot(t.along);
  else if (runs(e ^ 1))
    back = (arrives(e) ? -1.0 : 1.0) * tangent(now, past, e ^ 1).offset * tensionAt(now, past, force, e ^ 1);
  else
    back = half * tensionAt(now, past, force, e ^ 1);
  const double kept = std::max(turns, -std::max(back, 0.0));
  if (kept < 0.0)
    out.add(block(own), block(own)).k.bottomRightCorner<3, 3>() =
        kept * (Mat3::Identity() - t.along * t.along.transpose());
}

void RouteChain::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  const State& past = now.past();
  for (int k = 0; k < spanCount(); ++k) {
    for (const int e : {2 * k, 2 * k + 1}) {
      if (held(e)) holdAt(past, e).stiffness(now, force.subspan(at(endSlot(e)), SegmentJoint::slots), out);
      if (!runs(e)) continue;
      const Tangent t = tangent(now, past, e);
      const Link& l = link(linkAt(e));
      const Vec3 pull = axesAt(now.model(), past, e) * vectorAt(force, endSlot(e));
      leverAt(now, force, e, t, pull, out);
      if (!now.model().blocks[at(l.mount.block)].free || !now.rotates(l.mount.block)) continue;
      const Vec3 place = l.mount.rotor >= 0 ? t.centre : t.point;
      leverStiffness(now, anchorAt(now, l.mount.block, place), -pull, out);
    }
    for (int i = spanMemory(past, k).first; after(past, i) >= 0; i = after(past, i))
      jointBehind(past, i).stiffness(now, force.subspan(at(jointSlot(i)), SegmentJoint::slots), out);
  }
}

/// The way of the chain over a link, per metre of flow: it is lifted by it.
Vec3 RouteChain::flowWeight(const Instant& now, const State& state, int i) const {
  const int in = entryOf(i), out = exitOf(i);
  const Vec3 centre = tangent(now, state, in >= 0 ? in : out).centre;
  const Vec3 way =
      (out >= 0 ? tangent(now, state, out).point : centre) - (in >= 0 ? tangent(now, state, in).point : centre);
  return link(i).layers.many() ? Vec3(tangent(now, state, in >= 0 ? in : out).radius / link(i).radius * way) : way;
}

void RouteChain::forces(const Instant& now, Forces& out) const {
  const State& past = now.past();
  const Vec3& gravity = now.model().description.settings.gravity;
  if (gravity.isZero(0.0)) return;
  const double density = settings_.material.mass;
  const auto push = [&](int block, const Vec3& arm, const Vec3& force) {
    const Block& b = now.model().blocks[at(block)];
    const Vec3 moment = arm.cross(force);
    for (int k = 0; k < 3; ++k) {
      out.force[at(b.v + k)] += force[k];
      if (b.rotates) out.force[at(b.v + 3 + k)] += moment[k];
    }
  };
  for (int e = 0; e < 2 * spanCount(); ++e) {
    if (!runs(e)) continue;
    const Tangent t = tangent(now, past, e);
    double middle;
    const double over = overhang(t, e, middle);
    push(block(segmentAt(past, e)), middle * t.along, -density * over * gravity);
  }
  for (int i = 0; i < linkCount(); ++i) {
    const Link& l = link(i);
    if (l.flow < 0 || (l.radius == 0.0 && !l.stores)) continue;
    const Vec3 arm = turnOfBlock(now, l.mount.block) * l.center_B;
    push(l.mount.block, arm, density * storedOn(now, past, i) * gravity);
    out.force[at(now.model().blocks[at(l.flow)].v)] += density * gravity.dot(flowWeight(now, past, i));
  }
}

Energy RouteChain::energy(const Instant& now, std::span<const double> force) const {
  const State& past = now.past();
  const Vec3& gravity = now.model().description.settings.gravity;
  const double density = settings_.material.mass;
  Energy sum;
  for (int e = 0; e < 2 * spanCount(); ++e) {
    if (held(e)) sum.elastic += holdAt(past, e).energy(now, 0.0, force.subspan(at(endSlot(e)), SegmentJoint::slots));
    if (!runs(e)) continue;
    const Tangent t = tangent(now, past, e);
    const Vec3 place = now.position(block(segmentAt(past, e)));
    double middle;
    const double over = overhang(t, e, middle);
    sum.potential += density * over * gravity.dot(place + middle * t.along);
    sum.elastic += storedEnergy((place + t.offset * t.along - t.point - endMemory(past, e).bias.vec()).norm(),
                                tangentCompliance(), settings_.material.damping, vectorAt(force, endSlot(e)).norm());
  }
  for (int k = 0; k < spanCount(); ++k)
    for (int i = spanMemory(past, k).first; after(past, i) >= 0; i = after(past, i))
      sum.elastic += jointBehind(past, i).energy(now, segmentMemory(past, i).twist,
                                                 force.subspan(at(jointSlot(i)), SegmentJoint::slots));
  for (int i = 0; i < linkCount(); ++i) {
    const Link& l = link(i);
    if (l.flow < 0 || (l.radius == 0.0 && !l.stores)) continue;
    const int in = entryOf(i), out = exitOf(i);
    const Tangent t = tangent(now, past, in >= 0 ? in : out);
    Vec3 moment = storedOn(now, past, i) * t.centre;  // of what lies there, by its length
    if (!l.stores) moment += l.radius * l.radius * (t.flat - tangent(now, past, out).flat);
    sum.potential -= density * gravity.dot(moment);
  }
  return sum;
}

/// Who pays out works against what holds the chain there.
void RouteChain::work(const Instant& now, std::span<const double> force, Doings& out) const {
  for (int i = 0; i < linkCount(); ++i)
    if (link(i).paid) out.add(Work::moved, force[at(gripSlot(i))] * profileRate(settings_.payout, now.time));
}

void RouteChain::finish(const Instant& now, State& state, Events& events) const {
  for (int i = 0; i < linkCount(); ++i)
    if (link(i).flow >= 0) creep(now, state, i);
  for (int e = 0; e < 2 * spanCount(); ++e) {
    if (!runs(e)) continue;
    const Tangent t = tangent(now, state, e);
    endMemory(state, e).angle = t.angle;
    endMemory(state, e).bias = Vec3(endMemory(state, e).bias.vec() * std::max(1.0 - now.h / fadesIn, 0.0));
    RouteLinkMemory& m = linkMemory(state, linkAt(e));
    if (t.end != 0 && t.end != m.end)
      events.add({now.time, this, linkAt(e), t.end < 0 ? EventKind::allPaidOut : EventKind::allWoundUp});
    if (link(linkAt(e)).stores) m.end = t.end;
    const auto stopped = [&](const State& s) { return s.force[at(endSlot(e) + 3)] > 0.0; };
    if (stopped(state) && !stopped(now.past())) events.add({now.time, this, linkAt(e), EventKind::spanUsedUp});
  }
  for (int i = 0; i < linkCount(); ++i)
    if (link(i).flow >= 0) linkMemory(state, i).turn += turnedBy(now, i);
  if (!joint_.twists) return;
  for (int k = 0; k < spanCount(); ++k)
    for (int i = spanMemory(state, k).first; after(state, i) >= 0; i = after(state, i)) {
      double& twist = segmentMemory(state, i).twist;
      twist = jointBehind(state, i).shape(now, twist).twist;
    }
}

std::string RouteChain::nameOf(ElementPart part, int index) const {
  if (part == ElementPart::block) {
    for (int i = 0; i < linkCount(); ++i)
      if (link(i).flow == index) return name + ".links." + std::to_string(i) + " (chain that runs over it)";
    return {};
  }
  static constexpr const char* parts[] = {"x", "y", "z", "bend1", "bend2", "twist"};
  static constexpr const char* touches[] = {"along", "across1", "across2", "stop", "", ""};
  const int group = index / SegmentJoint::slots, which = index % SegmentJoint::slots;
  if (group < pool_) return name + ".segments." + std::to_string(group) + "." + parts[which];
  const int end = group - pool_;
  if (end < 2 * spanCount())
    return name + ".links." + std::to_string(linkAt(end)) + (arrives(end) ? ".entry." : ".exit.") +
           (runs(end) ? touches[which] : parts[which]);
  return name + ".links." + std::to_string(index - SegmentJoint::slots * (pool_ + 2 * spanCount())) + ".grip";
}

}  // namespace reeve
