#include <algorithm>
#include <cmath>

#include "reeve/math/scalar.h"
#include "reeve/model/model.h"
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

/// A direction across the line, carried along it without turning about it, point by point. web/page/rope.ts does the
/// same, so that both mean the same angle.
class CarriedFrame {
 public:
  explicit CarriedFrame(const std::vector<Vec3>& line) : line_(line) {}
  /// The angle of a direction about the tangent at the next point, rad.
  void advance(std::size_t i) {
    const Vec3 d = line_[std::min(i + 1, line_.size() - 1)] - line_[i == 0 ? 0 : i - 1];
    tangent_ = d.squaredNorm() < 1e-18 ? Vec3(Vec3::UnitZ()) : Vec3(d.normalized());
    if (i == 0) side_ = tangent_.cross(std::abs(tangent_.y()) < 0.9 ? Vec3(Vec3::UnitY()) : Vec3(Vec3::UnitX()));
    side_ -= side_.dot(tangent_) * tangent_;
    if (side_.squaredNorm() < 1e-12) side_ = tangent_.cross(Vec3(0.3, 0.5, 0.8));
    side_.normalize();
  }
  double angle(const Vec3& direction) const {
    return math::atan2(direction.dot(tangent_.cross(side_)), direction.dot(side_));
  }

 private:
  const std::vector<Vec3>& line_;
  Vec3 tangent_ = Vec3::UnitZ(), side_ = Vec3::UnitX();
};

/// Turns of the material about the line at each of its points, for cables of rigid segments: a line painted along them
/// when they were straight. Nothing for others.
std::vector<double> turnsOf(const World& world, const std::string& name, const std::vector<Vec3>& line) {
  std::vector<double> turns;
  const Model& model = world.model();
  const std::vector<double>& q = world.state().q;
  std::size_t body = 0, known = 0;
  const auto next = [&] {
    while (body < model.bodies.size() && !(model.bodies[body].hidden && model.bodies[body].name == name)) ++body;
    return body < model.bodies.size();
  };
  if (line.size() < 2 || !next()) return turns;
  CarriedFrame frame(line);
  for (std::size_t i = 0; i < line.size(); ++i) {
    frame.advance(i);
    turns.push_back(turns.empty() ? 0.0 : turns.back());
    // Segments that are asleep or wound up are not on the line: look ahead for the one that is here.
    const std::size_t before = body;
    for (; next(); ++body) {
      const double* at = q.data() + model.blocks[static_cast<std::size_t>(model.bodies[body].block)].q;
      if ((Vec3(at[0], at[1], at[2]) - line[i]).squaredNorm() > 1e-16) continue;
      const double angle = frame.angle(Quat(at[3], at[4], at[5], at[6]) * Vec3::UnitX()) / (2.0 * math::pi);
      turns.back() = angle + std::round(turns.back() - angle);
      if (known++ == 0) std::fill(turns.begin(), turns.end(), turns.back());
      break;
    }
    body = body < model.bodies.size() ? body + 1 : before;
  }
  return known > 0 ? turns : std::vector<double>{};
}

void putCable(std::vector<double>& out, const World& world, const Observation& seen, std::size_t index) {
  const Description& scene = world.description();
  const CableObservation& now = seen.cables[index].second;
  const std::size_t header = out.size();
  const std::vector<double> turns = turnsOf(world, seen.cables[index].first, now.polyline);
  out.insert(out.end(), {0.0, 0.0, materialOffset(scene, seen, scene.cables[index].second, now), now.length,
                         static_cast<double>(turns.size())});
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
    if (link.kind != "spool" && link.kind != "hybrid") continue;
    const int rotor = rotorIndex(scene, link.on);
    if (rotor < 0) continue;
    out.push_back(rotor);
    out.push_back(link.stored);
    ++windings;
  }
  out.insert(out.end(), turns.begin(), turns.end());
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
  for (std::size_t i = 0; i < seen.cables.size(); ++i) putCable(out, world, seen, i);
  for (const ContactObservation& contact : seen.contacts) {
    put(out, contact.point);
    out.push_back(contact.force);
  }
}

}  // namespace reeve::wasm
