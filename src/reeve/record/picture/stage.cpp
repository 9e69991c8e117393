#include "reeve/record/picture/stage.h"

#include <cmath>

#include "reeve/math/scalar.h"

namespace reeve::record {
namespace {

bool finite(const Vec3& v) { return v.allFinite(); }

Quat unit(const Quat& q) {
  const double norm = q.norm();
  return std::isfinite(norm) && norm > 1e-9 ? Quat(q.coeffs() / norm) : Quat(Quat::Identity());
}

/// How far a rotation turns about `axis`, leaving out how it tilts the axis (swing and twist).
double twist(const Quat& q, const Vec3& axis) { return 2.0 * math::atan2(q.vec().dot(axis), q.w()); }

Vec3 turned(const Vec3& v, const Vec3& axis, double angle) {
  const double s = math::sin(angle), c = math::cos(angle);
  return c * v + s * axis.cross(v) + (1.0 - c) * axis.dot(v) * axis;
}

}  // namespace

Vec3 sideways(const Vec3& axis) {
  const Vec3 other = std::abs(axis.z()) < 0.9 * axis.norm() ? Vec3::UnitZ() : Vec3::UnitX();
  const Vec3 side = axis.cross(other);
  return side.norm() > 1e-12 ? Vec3(side.normalized()) : Vec3::UnitX();
}

Stage::Stage(const Description& description, const Observation& observation)
    : description_(description), observation_(observation) {
  for (const auto& [name, body] : description.bodies) start_[name] = {body.position, unit(body.orientation)};
  for (const auto& [name, particle] : description.particles) start_[name] = {particle.position, Quat::Identity()};
  now_ = start_;
  for (const auto& [name, body] : observation.bodies)
    if (finite(body.position) && body.orientation.coeffs().allFinite())
      now_[name] = {body.position, unit(body.orientation)};
  for (const auto& [name, particle] : observation.particles)
    if (finite(particle.position)) now_[name] = {particle.position, Quat::Identity()};
  for (const auto& [name, rotor] : description.rotors) rotorAngles_[name] = rotor.angle;
  for (const auto& [name, rotor] : observation.rotors)
    if (std::isfinite(rotor.angle)) rotorAngles_[name] = rotor.angle;
}

Pose Stage::pose(const std::string& name) const {
  const auto found = now_.find(name);
  return found == now_.end() ? Pose{} : found->second;
}

Vec3 Stage::carried(const std::string& name, const Vec3& point_W0) const {
  const auto start = start_.find(name);
  return start == start_.end() ? point_W0 : pose(name).point(start->second.pointInverse(point_W0));
}

Vec3 Stage::carriedDirection(const std::string& name, const Vec3& direction_W0) const {
  const auto start = start_.find(name);
  return start == start_.end() ? direction_W0 : pose(name).direction(start->second.directionInverse(direction_W0));
}

Stage::Wheel Stage::wheel(const std::string& rotorName, const RotorSettings& rotor) const {
  Vec3 axis_B = finite(rotor.axis) && rotor.axis.norm() > 1e-12 ? Vec3(rotor.axis.normalized()) : Vec3::UnitY();
  const Pose now = pose(rotor.on);
  const auto start = start_.find(rotor.on);
  const Quat before = start == start_.end() ? Quat(Quat::Identity()) : start->second.orientation;
  // The coordinate is the absolute spin, so what the parent turned about the axle since the start is in it already.
  const auto angle = rotorAngles_.find(rotorName);
  double turn = angle == rotorAngles_.end() ? rotor.angle : angle->second;
  if (std::abs(turn) > 1e6) turn = 0.0;
  turn -= twist(now.orientation, axis_B) - twist(before, axis_B);
  return {now.point(rotor.position), now.direction(axis_B), now.direction(turned(sideways(axis_B), axis_B, turn)),
          rotor.radius, rotor.width};
}

}  // namespace reeve::record
