#include "reeve/cables/chain/segment_joint.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

void swingFactor(double s, double c, double growth, double& f, double& fc) {
  if (s < 1e-3 && c > 0.0) {
    const double t2 = s * s;  // θ² to this order
    f = 1.0 + t2 * (1.0 / 6.0 + growth) + 3.0 * t2 * t2 / 40.0;
    fc = -(1.0 / 3.0 + 2.0 * growth + 2.0 * t2 / 15.0);
    return;
  }
  const double sine = std::max(s, 1e-3), angle = math::atan2(s, c), law = angle * (1.0 + growth * angle * angle);
  f = law / sine;
  fc = -((1.0 + 3.0 * growth * angle * angle) * sine - law * c) / (sine * sine * sine);
}

SegmentJoint::Shape SegmentJoint::shape(const Instant& now, double remembered) const {
  Shape s;
  s.gap = now.point(b) - now.point(a);
  if (!bends && !twists) return s;
  const Mat3 ea = plainA ? now.rotation(a.block) : Mat3(now.rotation(a.block) * frameA);
  const Mat3 eb = plainB ? now.rotation(b.block) : Mat3(now.rotation(b.block) * frameB);
  const Mat3 relative = ea.transpose() * eb;
  const Vec3 t = relative.col(2);
  s.axisA = ea.col(2);
  s.axisB = eb.col(2);
  if (bends) {
    double f, fc;
    swingFactor(std::sqrt(t.x() * t.x() + t.y() * t.y()), t.z(), growth, f, fc);
    s.bend[0] = -f * t.y();
    s.bend[1] = f * t.x();
    const double mixed = fc * t.x() * t.y();
    s.bendGradient[0] = ea * Vec3(f * t.z() - fc * t.y() * t.y(), mixed, -f * t.x());
    s.bendGradient[1] = ea * Vec3(mixed, f * t.z() - fc * t.x() * t.x(), -f * t.y());
  }
  if (twists) {
    double angle;
    if (measure == TwistMeasure::parallel) {
      // Twist of swing · twist, straight from the matrix: tan Ω = (r₁₀ − r₀₁)/(r₀₀ + r₁₁).
      angle = math::atan2(relative(1, 0) - relative(0, 1), relative(0, 0) + relative(1, 1));
      s.twistGradient = (s.axisA + s.axisB) / std::max(1.0 + t.z(), 1e-6);
    } else {
      const Vec3 v = ea.col(0), w = eb.col(1), sum = s.axisA + s.axisB;
      const double size = std::max(sum.norm(), 1e-6);
      const Vec3 middle = sum / size, across = v.cross(w);
      const double sine = middle.dot(across), cosine = v.dot(w);
      angle = math::atan2(sine, cosine) - 0.5 * math::pi;
      // Under a turn φ of b: dw = φ×w, dd_b = φ×d_b; under a turn of a the opposite, since only relative turns count.
      const Vec3 tilt = (across - middle * sine) / size;
      const Vec3 dSine = w.cross(middle.cross(v)) + s.axisB.cross(tilt);
      const Vec3 dCosine = w.cross(v);
      s.twistGradient = (cosine * dSine - sine * dCosine) / std::max(sine * sine + cosine * cosine, 1e-12);
    }
    const double guess = remembered + restTwist + s.twistGradient.dot(now.turned(b.block) - now.turned(a.block));
    angle += 2.0 * math::pi * std::floor((guess - angle) / (2.0 * math::pi) + 0.5);
    s.twist = angle - restTwist;
  }
  return s;
}

double SegmentJoint::crossedLoad(double torque, double tension) const {
  if (measure != TwistMeasure::crossed || !twists || !bends || bend == 0.0) return 0.0;
  return std::fabs(torque) / (1.8 / bend + 0.45 * length * std::max(tension, 0.0));
}

double SegmentJoint::softening(std::span<const double> force) const {
  if (stiffens == 0.0) return 1.0;
  return stiffens / (stiffens + Vec3(force[0], force[1], force[2]).norm());
}

void SegmentJoint::rows(const Instant& now, double remembered, int slot, RowSet& out) const {
  const Shape s = shape(now, remembered);
  // With damping both sides are held in the middle of the gap: see the header.
  const Vec3 lead = damping > 0.0 ? Vec3(0.5 * s.gap) : Vec3(Vec3::Zero());
  const Vec3 armA = now.arm(a) + lead, armB = now.arm(b) - lead;
  out.group();
  for (int k = 0; k < 3; ++k) {
    Row& row = out.add(slot + k);
    row.error = s.gap[k];
    row.compliance = stretch;
    row.damping = damping;
    const Vec3 axis = Vec3::Unit(k);
    out.freshEntry(a.block, -axis, axis.cross(armA));
    out.freshEntry(b.block, axis, armB.cross(axis));
  }
  if (stiffens > 0.0) stiffen(now, slot, out);
  const auto angular = [&](int k, double error, double compliance, const Vec3& gradient) {
    Row& row = out.add(slot + k);
    row.error = error;
    row.compliance = compliance;
    row.damping = damping;
    out.freshEntry(a.block, Vec3::Zero(), -gradient);
    out.freshEntry(b.block, Vec3::Zero(), gradient);
  };
  if (bends)
    for (int k = 0; k < 2; ++k) angular(3 + k, s.bend[k], bend / gain.bend, s.bendGradient[k]);
  if (twists) angular(5, s.twist, twist / gain.twist, s.twistGradient);
}

/// Of the three rows of the gap, written last: ε₀ λ/(1 + λ/S) at the multipliers of the trial, and its tangent
///   ε₀ s (1 − (1 − s) n nᵀ),   s = S/(S + λ), n the direction of λ.
void SegmentJoint::stiffen(const Instant& now, int slot, RowSet& out) const {
  const double load[] = {now.multiplier(slot), now.multiplier(slot + 1), now.multiplier(slot + 2)};
  const double soft = softening(load), size = Vec3(load[0], load[1], load[2]).norm(), secant = soft * stretch;
  const int first = static_cast<int>(out.rows.size()) - 3;
  const auto bends = [&](int k, int l) {
    return size > 0.0 ? secant * (1.0 - soft) * (load[k] / size) * (load[l] / size) : 0.0;
  };
  for (int k = 0; k < 3; ++k) {
    Row& row = out.rows[static_cast<std::size_t>(first + k)];
    row.errorDependsOnForce = true;
    row.compliance = secant - bends(k, k);
    row.error += bends(k, k) * load[k];
    const int l = (k + 1) % 3;
    out.crosses.push_back({first + k, first + l, -bends(k, l)});
  }
}

void SegmentJoint::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  const Vec3 pull(force[0], force[1], force[2]);
  const auto lever = [&](const Anchor& end, const Vec3& f) -> std::size_t {  // its patch, to which more may be added
    if (!now.model().blocks[static_cast<std::size_t>(end.block)].free) return 0;
    const std::size_t before = out.patches.size();
    leverStiffness(now, end, f, out);
    if (out.patches.size() == before && now.rotates(end.block)) out.add(end.block, end.block);
    return out.patches.size();
  };
  const std::size_t ownA = lever(a, -pull), ownB = lever(b, pull);
  if (!moments || (!bends && !twists) || ownA == 0 || ownB == 0) return;
  const Shape s = shape(now, 0.0);
  const Vec3 sum = s.axisA + s.axisB;
  const Vec3 d = sum / std::max(sum.norm(), 1e-6);
  const Vec3 moment = force[3] * s.bendGradient[0] + force[4] * s.bendGradient[1] + force[5] * s.twistGradient;
  const Vec3 n = moment.cross(d);
  const Mat3 outer = d * n.transpose();
  const Mat3 own = -0.5 * (outer + outer.transpose());
  out.patches[ownA - 1].k.bottomRightCorner<3, 3>() += own;
  out.patches[ownB - 1].k.bottomRightCorner<3, 3>() += own;
  out.add(a.block, b.block).k.bottomRightCorner<3, 3>() = outer - skew(d) * (0.5 * moment.dot(d));
}

Gain SegmentJoint::follow(const Shape& s, std::span<const double> force, double share) const {
  // rad: up to here a joint counts as straight. What all joints together can win is bounded by it.
  constexpr double straight = 0.02;
  const double grown = 1.0 / softening(force);
  const double bent = bends && bend > 0.0 ? 0.5 * (s.bend[0] * s.bend[0] + s.bend[1] * s.bend[1]) / bend : 0.0;
  const double twisted = twists && twist > 0.0 ? 0.5 * s.twist * s.twist / twist : 0.0;
  const double credit = bends && bend > 0.0 ? 0.5 * straight * straight / bend : 0.0;
  Gain next = gain;
  const auto change = [&](double& own, double wanted, double energy) {
    const double rise = wanted - own, most = std::max(next.account + credit, 0.0);
    const double done = rise * energy <= most ? rise : most / energy;
    next.account -= done * energy;
    own += done;
  };
  change(next.bend, grown * share, bent);
  change(next.twist, grown, twisted);
  return next;
}

double storedEnergy(double deformation, double compliance, double damping, double force) {
  if (compliance <= 0.0) return 0.0;
  const double told = 0.5 * deformation * deformation / compliance, pulled = 0.5 * compliance * force * force;
  return damping > 0.0 || force == 0.0 ? told : std::min(told, pulled);
}

double SegmentJoint::energy(const Instant& now, double remembered, std::span<const double> force) const {
  const Shape s = shape(now, remembered);
  const double gap = s.gap.norm();
  double e = 0.0;
  if (stiffens > 0.0 && stretch > 0.0) {
    const double x = std::min(gap / (stretch * stiffens), 1.0 - 1e-9);
    e += stretch * stiffens * stiffens * (-x - math::log(1.0 - x));
  } else {
    e += storedEnergy(gap, stretch, damping, Vec3(force[0], force[1], force[2]).norm());
  }
  for (int k = 0; bends && k < 2; ++k)
    e += storedEnergy(s.bend[k], bend / gain.bend, damping, force[static_cast<std::size_t>(3 + k)]);
  if (twists) e += storedEnergy(s.twist, twist / gain.twist, damping, force[5]);
  return e;
}

}  // namespace reeve
