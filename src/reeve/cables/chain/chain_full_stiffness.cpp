// The whole change with position of chains (FullStiffness): of the joints between segments (segment_joint.h has the
// equations) and of the distances between points.
#include <cmath>

#include "reeve/cables/chain/chain_cable.h"
#include "reeve/cables/chain/point_chain.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

using Six = FullStiffness::Six;

/// d²f/dc² of swingFactor(), c = cos θ. Near θ = 0 from the series of f₀ = θ/sin θ and θ² in y = 1 − c, where the
/// closed form is a difference of nearly equal numbers.
double swingCurvature(double sine, double c, double growth) {
  if (c > 0.99) {
    const double y = 1.0 - c;
    constexpr double f0[] = {1.0, 1.0 / 3, 2.0 / 15, 2.0 / 35, 8.0 / 315, 8.0 / 693, 16.0 / 3003};
    constexpr double square[] = {0.0, 2.0, 1.0 / 3, 4.0 / 45, 1.0 / 35, 16.0 / 1575, 8.0 / 2079};
    double sum = 0.0;
    for (int n = 6; n >= 2; --n) {
      double product = 0.0;  // of yⁿ in f₀ θ²
      for (int k = 0; k <= n; ++k) product += f0[k] * square[n - k];
      sum = sum * y + n * (n - 1) * (f0[n] + growth * product);
    }
    return sum;
  }
  const double s = sine, angle = math::atan2(s, c), square = angle * angle;
  const double law = angle * (1.0 + growth * square), slope = 1.0 + 3.0 * growth * square, bend = 6.0 * growth * angle;
  const double n = slope * s - law * c;
  return (s * s * (bend + law) - 3.0 * n * c) / (s * s * s * s * s);
}

/// Change of the moment on b, in frame a, with the relative rotation of b in frame a.
Mat3 momentSlope(const SegmentJoint& joint, const Vec3& t, std::span<const double> force) {
  Mat3 slope = Mat3::Zero();
  for (int k = 0; k < 3; ++k) {
    const Vec3 d = Vec3::Unit(k).cross(t);
    Vec3 m = Vec3::Zero();
    if (joint.bends) {
      double f, fc;
      const double sine = std::sqrt(t.x() * t.x() + t.y() * t.y());
      swingFactor(sine, t.z(), joint.growth, f, fc);
      const double df = fc * d.z(), dfc = swingCurvature(sine, t.z(), joint.growth) * d.z();
      const double mixed = dfc * t.x() * t.y() + fc * (d.x() * t.y() + t.x() * d.y());
      const double along = df * t.z() + f * d.z();
      m += force[3] * Vec3(along - dfc * t.y() * t.y() - 2.0 * fc * t.y() * d.y(), mixed, -df * t.x() - f * d.x());
      m += force[4] * Vec3(mixed, along - dfc * t.x() * t.x() - 2.0 * fc * t.x() * d.x(), -df * t.y() - f * d.y());
    }
    if (joint.twists)
      m += force[5] * (d / (1.0 + t.z()) - (Vec3::UnitZ() + t) * (d.z() / ((1.0 + t.z()) * (1.0 + t.z()))));
    slope.col(k) = m;
  }
  return slope;
}

/// Of the force at both ends of the gap; with damping both sides are held in the middle of it.
void stretchStiffness(const SegmentJoint& joint, const Instant& now, int slot, const Vec3& pull, FullStiffness& out) {
  out.lever(joint.a, -pull);
  out.lever(joint.b, pull);
  if (!(joint.damping > 0.0)) return;
  // τ_b = (r_b − g/2) × F and τ_a = −(r_a + g/2) × F: of both, −(δg/2) × F.
  const Vec3 lead = 0.5 * (now.point(joint.b) - now.point(joint.a));
  const Mat3 half = 0.5 * skew(pull);
  const Anchor* ends[2] = {&joint.a, &joint.b};
  for (const Anchor* end : ends)
    for (int e = 0; e < 2; ++e) {
      const double sign = e == 0 ? -1.0 : 1.0;
      Six k = Six::Zero();
      k.bottomLeftCorner<3, 3>() = -sign * half;
      k.bottomRightCorner<3, 3>() = sign * half * skew(now.arm(*ends[e]));
      out.add(end->block, ends[e]->block, k);
    }
  for (int k = 0; k < 3; ++k) {
    FullStiffness::Column change = FullStiffness::Column::Zero();
    change.tail<3>() = lead.cross(Vec3::Unit(k));
    out.addLaw(slot + k, joint.a.block, change);
    out.addLaw(slot + k, joint.b.block, change);
  }
}

}  // namespace

bool SegmentJoint::hasFullStiffness(const Instant& now) const {
  if (stiffens > 0.0 || (twists && measure != TwistMeasure::parallel)) return false;
  return (!bends && !twists) || shape(now, 0.0).axisA.dot(shape(now, 0.0).axisB) > -0.99;  // not near a fold
}

void SegmentJoint::fullStiffness(const Instant& now, int slot, std::span<const double> force,
                                 FullStiffness& out) const {
  stretchStiffness(*this, now, slot, Vec3(force[0], force[1], force[2]), out);
  if (!bends && !twists) return;
  const Shape s = shape(now, 0.0);
  Vec3 moment = Vec3::Zero();
  if (bends) moment += force[3] * s.bendGradient[0] + force[4] * s.bendGradient[1];
  if (twists) moment += force[5] * s.twistGradient;
  const Mat3 ea = now.rotation(a.block) * frameA;
  const Mat3 slope = ea * momentSlope(*this, ea.transpose() * s.axisB, force) * ea.transpose();
  Six k = Six::Zero();
  k.bottomRightCorner<3, 3>() = slope;
  out.add(b.block, b.block, Six(-k));
  out.add(a.block, b.block, k);
  k.bottomRightCorner<3, 3>() = skew(moment) + slope;
  out.add(b.block, a.block, k);
  out.add(a.block, a.block, Six(-k));
}

bool ChainCable::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  if (drum_) return false;  // the tangent moves along the drum
  SegmentJoint room;
  for (int j = 0; j < jointCount(); ++j)
    if (joins(now.past(), j) && !present(now.past(), j, room).hasFullStiffness(now)) return false;
  for (int j = 0; j < jointCount(); ++j)
    if (joins(now.past(), j))
      present(now.past(), j, room).fullStiffness(now, slot + SegmentJoint::slots * j, forceOf(force, j), out);
  return true;
}

bool PointChain::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  if (bends() > 0) return false;
  for (int i = 0; i < links(); ++i)
    if (now.point(point(i)) == now.point(point(i + 1))) return false;
  for (int i = 0; i < links(); ++i) {
    const Anchor &a = point(i), &b = point(i + 1);
    const Vec3 apart = now.point(b) - now.point(a);
    const double length = apart.norm(), load = force[static_cast<std::size_t>(slot + i)];
    const Vec3 n = apart / length;
    out.pair(a, b, (-load / length) * (Mat3::Identity() - n * n.transpose()));
    out.lever(a, -load * n);
    out.lever(b, load * n);
  }
  return true;
}

}  // namespace reeve
