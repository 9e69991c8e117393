#include "trials/spinning_cable.h"

#include <cmath>

#include "reeve/cables/particles/particle_cable.h"
#include "reeve/math/scalar.h"
#include "reeve/model/model.h"

namespace reeve::trials {
namespace {

constexpr double spin = 2.0, half = 0.5, seconds = 1.0;  // rad/s, m, s
constexpr int segments = 20;

/// Held by two bodies that move apart from each other across it and let go at once: what moves its ends sets it
/// turning.
Description spinning(ParticleWay way, double dt) {
  Description d;
  d.settings.dt = dt;
  d.settings.gravity = Vec3::Zero();
  CableSettings c;
  c.model = CableModel::particles;
  c.segments = segments;
  c.collides = false;
  c.material.mass = 0.1;
  c.particles.way = way;
  c.particles.iterations = way == ParticleWay::pbd || way == ParticleWay::xpbd ? 4 : 400;
  c.particles.direct = way == ParticleWay::pbd || way == ParticleWay::xpbd;
  if (way == ParticleWay::springs) c.particles.spring = 100.0;
  for (const double side : {-1.0, 1.0}) {
    const std::string name = side < 0.0 ? "left" : "right";
    BodySettings b;
    b.mass = 1.0;
    b.inertia = Vec3::Constant(1.0);
    b.position = Vec3(side * half, 0, 0);
    b.velocity = Vec3(0, side * half * spin, 0);
    d.bodies.emplace_back(name, b);
    LinkSettings& link = c.route.emplace_back();
    link.on = name;
    link.letsGo = 1e-12;
  }
  d.cables.emplace_back("cable", c);
  return d;
}

}  // namespace

std::expected<Spin, Problem> measureSpin(ParticleWay way, double dt) {
  auto world = World::build(spinning(way, dt));
  if (!world) return std::unexpected(world.error());
  const ParticleCable* cable = nullptr;
  for (const auto& e : world->model().elements)
    if (const auto* c = dynamic_cast<const ParticleCable*>(e.get())) cable = c;
  const auto step = [&] { return world->step().good; };
  const auto turning = [&] { return cable->angularMomentum(world->state()).z(); };
  // The sockets let go in the first step; from the second on nothing holds it.
  for (int i = 0; i < 2; ++i)
    if (!step()) return std::unexpected(Problem{"", world->verdict().reason, ""});
  if (cable->holds(world->state(), 0) || cable->holds(world->state(), 1))
    return std::unexpected(Problem{"/cables/cable", "the sockets did not let go", ""});
  const double before = turning();
  const Vec3 linear = cable->linearMomentum(world->state());
  // The angle of the step just made, from where the cable points and how its end moves.
  const Vec3 along = cable->position(world->state(), segments) - cable->position(world->state(), 0);
  const Vec3 moved = dt * (cable->velocity(world->state(), segments) - cable->velocity(world->state(), 0));
  const Vec3 was = along - moved;
  double phi = math::atan2(was.cross(along).norm(), was.dot(along));
  const long long steps = std::llround(seconds / dt);
  double left = 1.0;
  for (long long i = 0; i < steps; ++i) {
    if (!step()) return std::unexpected(Problem{"", world->verdict().reason, ""});
    const double next = math::atan2(math::sin(phi), 2.0 - math::cos(phi));
    left *= math::sin(next) / math::sin(phi);
    phi = next;
  }
  Spin out;
  out.lost = 1.0 - turning() / before;
  out.foretold = 1.0 - left;
  out.drift = (cable->linearMomentum(world->state()) - linear).norm();
  return out;
}

}  // namespace reeve::trials
