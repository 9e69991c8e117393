// A chain whose first end is wound on a drum: whole segments come off at the tangent as it turns, and vanish on it.
//
// The segment at the drum leaves it along its own axis. With a the axle, c its centre, t that axis projected across the
// axle and side the sense of winding, the tangent point is  T = c + side r (t × a),  and the material there lies at
//   s = s₀ − side r (φ − α)                 from the middle of the segment, along it,
// φ the spin of the rotor, α the angle of t about the axle: what turns pays out, what wraps takes in. The rows are
//   C = x + s z − T,   z the segment's axis,   compliance ℓ/2EA,
// with −side r z on the rotor. A turn of the segment moves T along the drum and winds up as much cable; both cancel
// where z lies across the axle (an involute), so its Jacobian is that of a point fixed to it.
//
// When s passes the beginning of the segment the next one appears behind it, along the same line and moving rigidly
// with it, the joint between them stretched by the tension; when s passes its end the segment vanishes. What is wound
// up has its mass on the drum: inertia m r² and weight at the axle. It moves with the drum's surface, so spin momentum
// changes by m r² φ̇ as the moment of momentum m r v goes over to the segment. Length is that of whole segments and is
// never lost: wound, s + ℓ/2 of the one at the drum, and out. That part of the one at the drum, too, weighs at the
// axle.
// Where all is paid out, and where nothing more can be wound up (the last segment and what it holds stay out), that end
// of the segment stays fixed to the rim. A drum that has turned on by β = (e − s)/r, e = ∓ℓ/2 its end, carries it
// along,
//   T = c + r (side (t × a) cos β + t sin β),   s = e,   ∂T/∂φ = a × (T − c),
// which joins the other without a kink.
#include <algorithm>
#include <cmath>

#include "reeve/cables/chain/chain_cable.h"
#include "reeve/cables/chain/segment_motion.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {
/// Beyond its end by this share of its length a segment is wound up: so that one at the edge does not come and go.
constexpr double windingShare = 1e-3;
}  // namespace

ChainCable::Tangent ChainCable::tangent(const Instant& now, const State& state) const {
  const Drum& d = *drum_;
  const Mat3& r = now.rotation(d.parent);
  const Vec3 axle = r * d.axis_B, across = r * d.across_B, up = axle.cross(across);
  Tangent t;
  t.along = now.rotation(segment(held(state)).block).col(2);
  const Vec3 flat = t.along - axle * axle.dot(t.along);
  const Vec3 direction = flat / std::max(flat.norm(), 1e-9);
  const double last = drumMemory(state).angle;
  t.angle = math::atan2(direction.dot(up), direction.dot(across));
  t.angle += 2.0 * math::pi * std::floor((last - t.angle) / (2.0 * math::pi) + 0.5);
  t.point = now.position(d.parent) + r * d.center_B + d.side * d.radius * direction.cross(axle);
  t.offset = t.turned = drumMemory(state).offset - d.side * d.radius * (now.scalar(d.rotor) - t.angle);
  const double half = 0.5 * segment(held(state)).length;
  t.end = held(state) == 0 && t.turned < -half ? -1 : t.turned > half && windsNoMore(state) ? 1 : 0;
  if (t.end == 0) return t;
  t.offset = t.end * half;
  const double beyond = (t.offset - t.turned) / d.radius;
  t.point += d.radius * (d.side * (math::cos(beyond) - 1.0) * direction.cross(axle) + math::sin(beyond) * direction);
  return t;
}

double ChainCable::drumCompliance(const State& state) const {
  if (settings_.compliance) return *settings_.compliance;
  return section_.axial == unbounded ? 0.0 : 0.5 * segment(held(state)).length / section_.axial;
}

double ChainCable::drumInertia(const State& state) const {
  double wound = 0.0;
  for (int i = 0; i < held(state); ++i) wound += segment(i).length;
  return drum_->inertia + settings_.material.mass * wound * drum_->radius * drum_->radius;
}

/// What of the segment at the drum is still wound up, kg, and where it would be if it stuck out straight.
double ChainCable::woundPart(const Instant& now, Vec3& arm) const {
  const Segment& s = segment(held(now.past()));
  const double offset = tangent(now, now.past()).offset, half = 0.5 * s.length;
  const double wound = std::clamp(offset + half, 0.0, s.length);
  arm = now.rotation(s.block).col(2) * (0.5 * wound - half);
  return settings_.material.mass * wound;
}

void ChainCable::forces(const Instant& now, Forces& out) const {
  if (!drum_) return;
  const Block& b = now.model().blocks[at(segment(held(now.past())).block)];
  if (!b.weighs) return;
  Vec3 arm;
  const Vec3 lift = -woundPart(now, arm) * now.model().description.settings.gravity, moment = arm.cross(lift);
  for (int k = 0; k < 3; ++k) {
    out.force[at(b.v + k)] += lift[k];
    out.force[at(b.v + 3 + k)] += moment[k];
  }
}

double ChainCable::woundEnergy(const Instant& now) const {
  if (!drum_) return 0.0;
  double wound = 0.0;
  for (int i = 0; i < held(now.past()); ++i) wound += segment(i).length;
  const Vec3 centre = now.position(drum_->parent) + now.rotation(drum_->parent) * drum_->center_B;
  const Vec3& gravity = now.model().description.settings.gravity;
  Vec3 arm;
  const double part = woundPart(now, arm);
  const Vec3 place = now.position(segment(held(now.past())).block) + arm;
  return -settings_.material.mass * wound * gravity.dot(centre) + part * gravity.dot(place - centre);
}

void ChainCable::drumRows(const Instant& now, RowSet& out) const {
  const Drum& d = *drum_;
  const Tangent t = tangent(now, now.past());
  const int block = segment(held(now.past())).block;
  const Vec3 arm = t.offset * t.along, gap = now.position(block) + arm - t.point;
  const Vec3 armDrum = t.point - now.position(d.parent);
  const Mat3& r = now.rotation(d.parent);
  const Vec3 carried =
      t.end != 0 ? Vec3((r * d.axis_B).cross(armDrum - r * d.center_B)) : Vec3(d.side * d.radius * t.along);
  out.group();
  for (int k = 0; k < 3; ++k) {
    Row& row = out.add(slot + k);
    row.error = gap[k];
    row.compliance = drumCompliance(now.past());
    row.damping = settings_.material.damping;
    const Vec3 axis = Vec3::Unit(k);
    out.entry(block, axis, arm.cross(axis));
    out.entry(d.rotor, -carried[k]);
    out.entry(d.parent, -axis, axis.cross(armDrum));
  }
}

/// Whether the segment at the drum is the last but one, which stays out with it.
bool ChainCable::windsNoMore(const State& state) const {
  const int first = held(state), next = nextSegment(state, first);
  return next < 0 || nextSegment(state, next) < 0 || broken(state, segment(first).to);
}

/// Segments that appear or vanish now; false if none does.
bool ChainCable::wind(const Instant& now, State& state) const {
  const Tangent t = tangent(now, state);
  const int first = held(state);
  const double half = 0.5 * segment(first).length;
  if (t.offset < -half && first > 0) {
    payOut(now, state, t);
    return true;
  }
  const int next = nextSegment(state, first);
  if (t.offset <= half * (1.0 + 2.0 * windingShare) || windsNoMore(state) || segment(next).left >= 0) return false;
  takeIn(now, state, next);
  return true;
}

void ChainCable::payOut(const Instant& now, State& state, const Tangent& t) const {
  const auto& blocks = now.model().blocks;
  const int first = held(state), fresh = first - 1, j = segment(first).from;
  const SegmentMotion host = motionOf(state, blocks[at(segment(first).block)]);
  SegmentMotion motion = motionOf(state, blocks[at(segment(fresh).block)]);
  poolMemory(state, j).before = fresh;
  poolMemory(state, segment(fresh).from).after = fresh;
  SegmentJoint room;
  const SegmentJoint& between = present(state, j, room);
  const std::span<double> drum = forceOf(state, 0);
  const double pull = -Vec3(drum[0], drum[1], drum[2]).dot(t.along), gap = pull * between.stretch;
  const double back = 0.5 * (segment(first).length + segment(fresh).length) + gap;
  const Mat3 turn = host.turn();
  const auto turning = [](const Mat3& inertia, const Vec3& l) -> Vec3 { return inertia.inverse() * l; };
  const Vec3 r = -back * t.along, old = turn.transpose() * r;
  const Vec3 spin = turning(host.inertia(), host.l);
  const Vec3 spinOld = turn.transpose() * turning(host.inertia(), turn * host.lOld);
  motion.q = host.q;
  motion.x = host.x + r;
  motion.u = motion.x - (host.xOld() + old);
  motion.theta = host.theta;
  motion.p = motion.mass * (host.p / host.mass + spin.cross(r));
  motion.pOld = motion.mass * (host.pOld / host.mass + spinOld.cross(old));
  motion.l = motion.inertia() * spin;
  motion.lOld = turn.transpose() * (motion.inertia() * (turn * spinOld));
  setMotion(state, blocks[at(segment(fresh).block)], motion);
  const std::span<double> force = forceOf(state, j);
  for (std::size_t k = 0; k < 6; ++k) force[k] = k < 3 ? drum[k] : 0.0;
  jointMemory(state, j).twist = between.twists ? -between.restTwist : 0.0;
  const double before = drumInertia(state);
  drumMemory(state).held = fresh;
  drumMemory(state).offset += back;
  const double kept = drumInertia(state) / before;
  for (auto* list : {&state.p, &state.pOld}) (*list)[at(blocks[at(drum_->rotor)].v)] *= kept;
}

void ChainCable::takeIn(const Instant& now, State& state, int next) const {
  const auto& blocks = now.model().blocks;
  const int first = held(state), j = segment(first).to;
  SegmentJoint room;
  const SegmentJoint& between = present(state, j, room);
  const std::span<double> drum = forceOf(state, 0), force = forceOf(state, j);
  const Vec3 along = now.rotation(segment(next).block).col(2);
  const double gap = -Vec3(force[0], force[1], force[2]).dot(along) * between.stretch;
  const double back = 0.5 * (segment(first).length + segment(next).length) + gap;
  for (std::size_t k = 0; k < 3; ++k) drum[k] = force[k];
  std::ranges::fill(force, 0.0);
  jointMemory(state, j).twist = 0.0;
  poolMemory(state, j).before = -1;
  poolMemory(state, segment(first).from).after = -1;
  stopMotion(state, blocks[at(segment(first).block)]);
  const double before = drumInertia(state);
  drumMemory(state).held = next;
  drumMemory(state).offset -= back;
  const double kept = drumInertia(state) / before;
  for (auto* list : {&state.p, &state.pOld}) (*list)[at(blocks[at(drum_->rotor)].v)] *= kept;
}

}  // namespace reeve
