#include "reeve/record/evidence.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/scalar.h"

namespace reeve::record {

namespace {

/// More strain than this excuses nothing.
constexpr double largestStrain = 0.5;
/// Of the worst error, or the deepest overlap: what is wrong by more than this has a part in it.
constexpr double partShare = 0.1;
constexpr int mostFighters = 4;

template <class T>
const T* named(const Named<T>& list, const std::string& name) {
  for (const auto& [key, item] : list)
    if (key == name) return &item;
  return nullptr;
}

/// How near two straight ways come to each other, m.
double nearestOf(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = d - c, w = a - c;
  const double uu = u.squaredNorm(), uv = u.dot(v), vv = v.squaredNorm(), det = uu * vv - uv * uv;
  double s = det > 1e-12 * uu * vv ? std::clamp((uv * v.dot(w) - vv * u.dot(w)) / det, 0.0, 1.0) : 0.0;
  const double t = vv > 0.0 ? std::clamp((uv * s + v.dot(w)) / vv, 0.0, 1.0) : 0.0;
  if (uu > 0.0) s = std::clamp((uv * t - u.dot(w)) / uu, 0.0, 1.0);
  return (w + s * u - t * v).norm();
}

}  // namespace

double hiddenAt(const Description& scene, const Observation& start) {
  double sum = 0.0;
  for (std::size_t i = 0; i < scene.cables.size() && i < start.cables.size(); ++i) {
    const MaterialSettings& m = scene.cables[i].second.material;
    const double axial = m.axial < unbounded ? m.axial : math::pi * m.radius * m.radius * m.young.value_or(unbounded);
    double pull = 0.0, wrapped = 0.0;
    for (const SpanObservation& s : start.cables[i].second.spans) pull = std::max(pull, s.tension);
    for (const LinkObservation& l : start.cables[i].second.links) wrapped += l.kind == "spool" ? 0.0 : l.stored;
    sum += 0.5 * pull * pull / axial * wrapped;
  }
  return sum;
}

double slidingError(const Description& scene, const Observation& now) {
  double strain = 0.0;
  for (std::size_t i = 0; i < scene.cables.size() && i < now.cables.size(); ++i) {
    const MaterialSettings& m = scene.cables[i].second.material;
    for (const SpanObservation& s : now.cables[i].second.spans) strain = std::max(strain, s.tension / m.axial);
  }
  return 0.5 * std::min(strain, largestStrain) * now.energy.elastic;
}

double nearest(const Vec3& from, const Vec3& to, const std::vector<Vec3>& line) {
  double least = unbounded;
  for (std::size_t k = 1; k < line.size(); ++k) least = std::min(least, nearestOf(from, to, line[k - 1], line[k]));
  return least;
}

bool isRigid(const CableSettings& c) {
  return !(c.material.axial < unbounded) && !c.material.young && !(c.compliance.value_or(0.0) > 0.0) && !c.waves &&
         c.extension.empty();
}

std::string fightersOf(const Description& scene, const Observation& now, double error) {
  std::string names;
  int count = 0;
  const auto add = [&](const std::string& name) {
    if (count < mostFighters) names += (count++ == 0 ? "" : ", ") + name;
  };
  for (const auto& [name, joint] : now.joints) {
    const JointSettings* s = named(scene.joints, name);
    if (s && s->compliance == 0.0 && joint.error >= partShare * error) add("joints." + name);
  }
  for (const auto& [name, cable] : now.cables) {
    const CableSettings* s = named(scene.cables, name);
    double stretch = 0.0;
    for (const SpanObservation& span : cable.spans) stretch += span.length - span.rest;
    if (s && isRigid(*s) && s->model != CableModel::hoist && stretch >= partShare * error) add("cables." + name);
  }
  return count < 2 ? "" : ": there is no solution for " + names + " together";
}

std::string pressing(const Description& scene, const Observation& now, const ContactObservation& overlap) {
  const auto moves = [&](const std::string& name) {
    const BodySettings* body = named(scene.bodies, name);
    return body && body->motion == BodyMotion::kinematic;
  };
  for (const std::string& side : {overlap.a, overlap.b})
    if (moves(side)) return side;
  for (const ContactObservation& c : now.contacts) {
    const bool touches = c.a == overlap.a || c.a == overlap.b || c.b == overlap.a || c.b == overlap.b;
    if (!touches || !(c.gap < partShare * overlap.gap)) continue;
    for (const std::string& side : {c.a, c.b})
      if (moves(side)) return side;
  }
  return "";
}

std::string rivalsOf(const Description& scene, const Observation& now, const std::string& name, double limit) {
  const MotorSettings* m = named(scene.motors, name);
  if (!m) return "";
  for (const auto& [rival, r] : scene.motors)
    if (rival != name && r.on == m->on) return ": there is no solution with motors." + rival + ", which drives it too";
  for (const auto& [rival, c] : scene.cables)
    if (isRigid(c) && std::ranges::any_of(c.route, [&](const LinkSettings& l) {
          return l.on == m->on && (l.type == LinkType::spool || l.type == LinkType::hybrid);
        }))
      return ": there is no solution with cables." + rival + ", which it winds and which cannot stretch";
  const JointSettings* s = named(scene.joints, m->on);
  const JointObservation* joint = named(now.joints, m->on);
  if (s && joint && (joint->coordinate < s->lower + limit || joint->coordinate > s->upper - limit))
    return ": there is no solution within the limits of joints." + m->on;
  for (const auto& [rival, r] : scene.joints)
    if (const JointObservation* seen = named(now.joints, rival);
        rival != m->on && r.compliance == 0.0 && seen && seen->error > limit)
      return ": there is no solution with joints." + rival;
  for (const auto& [rival, r] : scene.motors)
    if (rival != name && !(r.maxForce < unbounded)) return ": motors." + rival + " has no limit either";
  return "";
}

}  // namespace reeve::record
