#include <cmath>

#include "reeve/math/scalar.h"
#include "session.h"

namespace reeve::wasm {
namespace {

void put(std::vector<double>& out, const Vec3& v) {
  for (int k = 0; k < 3; ++k) out.push_back(v[k]);
}

/// How far a rotation turns about `axis`, leaving out how it tilts the axis.
double twist(const Quat& q, const Vec3& axis) { return 2.0 * math::atan2(q.vec().dot(axis), q.w()); }

void putRotors(std::vector<double>& out, const Description& scene, const Observation& seen) {
  for (std::size_t i = 0; i < scene.rotors.size(); ++i) {
    const RotorSettings& rotor = scene.rotors[i].second;
    double turn = seen.rotors[i].second.angle;
    // The coordinate is the absolute spin: what the parent turned about the axle since the start is in it already.
    for (std::size_t k = 0; k < scene.bodies.size(); ++k) {
      if (scene.bodies[k].first != rotor.on) continue;
      const Vec3 axis = rotor.axis.normalized();
      turn -= twist(seen.bodies[k].second.orientation, axis) - twist(scene.bodies[k].second.orientation, axis);
    }
    out.push_back(turn);
    out.push_back(seen.rotors[i].second.rate);
  }
}

int rotorIndex(const Description& scene, const std::string& name) {
  for (std::size_t i = 0; i < scene.rotors.size(); ++i)
    if (scene.rotors[i].first == name) return static_cast<int>(i);
  return -1;
}

/// Rest length between the material's own start and the first point drawn: a stripe painted on the cable moves by it.
double materialOffset(const Description& scene, const Observation& seen, const CableSettings& cable,
                      const CableObservation& now) {
  if (now.links.empty()) return 0.0;
  if (!cable.closed) return now.links.front().stored;
  for (const LinkSettings& link : cable.route) {  // a belt moves with the first wheel that it turns
    const int rotor = rotorIndex(scene, link.on);
    if (rotor < 0) continue;
    const auto i = static_cast<std::size_t>(rotor);
    const double radius = link.radius.value_or(scene.rotors[i].second.radius);
    return -link.side * radius * (seen.rotors[i].second.angle - scene.rotors[i].second.angle);
  }
  return 0.0;
}

void putCable(std::vector<double>& out, const Description& scene, const Observation& seen, std::size_t index) {
  const CableObservation& now = seen.cables[index].second;
  const std::size_t header = out.size();
  out.insert(out.end(), {0.0, 0.0, materialOffset(scene, seen, scene.cables[index].second, now), now.length});
  double points = 0.0, windings = 0.0;
  const auto point = [&](const Vec3& p, double tension) {
    put(out, p);
    out.push_back(std::isfinite(tension) ? tension : 0.0);
    ++points;
  };
  for (std::size_t i = 0; i < now.polyline.size(); ++i)
    point(now.polyline[i], i < now.tensions.size() ? now.tensions[i] : 0.0);
  if (now.polyline.size() < 2)
    for (const SpanObservation& span : now.spans) {
      point(span.start, span.tension);
      point(span.end, span.tension);
    }
  for (const LinkObservation& link : now.links) {
    const int rotor = rotorIndex(scene, link.on);
    if (rotor < 0 || (link.kind != "spool" && link.kind != "hybrid")) continue;
    out.push_back(rotor);
    out.push_back(link.stored);
    ++windings;
  }
  out[header] = points;
  out[header + 1] = windings;
}

}  // namespace

void drawInto(const World& world, std::vector<double>& out) {
  const Observation seen = world.observe();
  const Description& scene = world.description();
  out.clear();
  out.insert(out.end(), {seen.time, static_cast<double>(seen.steps), seen.energy.kinetic, seen.energy.potential,
                         seen.energy.elastic, seen.energy.total, static_cast<double>(seen.health.iterations),
                         seen.health.residual, seen.health.worstError, static_cast<double>(seen.health.unconverged),
                         world.verdict().good ? 1.0 : 0.0, static_cast<double>(seen.contacts.size())});
  for (const auto& [name, body] : seen.bodies) {
    put(out, body.position);
    out.insert(out.end(), {body.orientation.w(), body.orientation.x(), body.orientation.y(), body.orientation.z()});
  }
  putRotors(out, scene, seen);
  for (const auto& [name, particle] : seen.particles) put(out, particle.position);
  for (std::size_t i = 0; i < seen.cables.size(); ++i) putCable(out, scene, seen, i);
  for (const ContactObservation& contact : seen.contacts) {
    put(out, contact.point);
    out.push_back(contact.force);
  }
}

}  // namespace reeve::wasm
