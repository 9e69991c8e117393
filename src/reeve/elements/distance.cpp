#include "reeve/elements/distance.h"

#include <cmath>

namespace reeve {

Vec3 DistanceJoint::direction(const Instant& now, double& distance) const {
  const Vec3 d = now.point(b_) - now.point(a_);
  distance = d.norm();
  return distance > 1e-12 ? Vec3(d / distance) : Vec3::UnitZ();  // coincident points: any direction separates them
}

double DistanceJoint::coordinate(const Instant& now) const { return (now.point(b_) - now.point(a_)).norm(); }

double DistanceJoint::coordinateRate(const Instant& now) const {
  double distance;
  return direction(now, distance).dot(now.pointVelocity(b_) - now.pointVelocity(a_));
}

double DistanceJoint::separation(const Instant& now) const {
  const double excess = coordinate(now) - value(now, length_, rest_);
  if (settings_.mode == DistanceMode::rope) return std::max(excess, 0.0);
  if (settings_.mode == DistanceMode::strut) return std::max(-excess, 0.0);
  return std::fabs(excess);
}

/// A rope or strut that need not give way stays as long as it is.
std::string DistanceJoint::hookOn(const Instant& now, State& state) const {
  if (separation(now) > 0.0) setOverride(state, elementKey(*this, length_), coordinate(now));
  return {};
}

void DistanceJoint::rows(const Instant& now, RowSet& out) const {
  if (released(now)) return;
  double distance;
  const Vec3 n = direction(now, distance);
  out.group();
  Row& row = out.add(slot);
  row.error = distance - value(now, length_, rest_);
  give(now, row);
  row.restitution = value(now, restitution_, settings_.restitution);
  if (settings_.mode == DistanceMode::rope) row.upper = 0.0;
  if (settings_.mode == DistanceMode::strut) row.lower = 0.0;
  pushPoint(now, a_, -n, out);
  pushPoint(now, b_, n, out);
}

void DistanceJoint::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  const double load = force[static_cast<std::size_t>(slot)];
  double distance;
  const Vec3 n = direction(now, distance);
  const double pull = distance > 1e-12 ? std::max(-load, 0.0) / distance : 0.0;
  pairStiffness(now, a_, b_, pull * (Mat3::Identity() - n * n.transpose()), out);
  leverStiffness(now, a_, -load * n, out);
  leverStiffness(now, b_, load * n, out);
}

/// Of the stretch, not of the force: that has what the damping pulls in it.
Energy DistanceJoint::energy(const Instant& now, std::span<const double>) const {
  const double compliance = value(now, compliance_, settings_.compliance);
  const double stretch = released(now) || !(compliance > 0.0) ? 0.0 : separation(now);
  return {.elastic = stretch > 0.0 ? 0.5 * stretch * stretch / compliance : 0.0};
}

}  // namespace reeve
