#include <algorithm>
#include <cmath>
#include <numbers>

#include "reeve/model/model.h"
#include "session.h"

namespace reeve::wasm {
namespace {

constexpr double pulse = 2.0 * std::numbers::pi * 1.5;  ///< rad/s of the spring with the body it holds
constexpr std::size_t handful = 5;                      ///< pieces of a cable that a hand holds

int bodyNamed(const Description& scene, const std::string& name) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].first == name) return static_cast<int>(i);
  for (const auto& [rotor, settings] : scene.rotors)
    if (rotor == name) return bodyNamed(scene, settings.on);
  return -1;
}

/// kg that forces can move; 0 for what they cannot.
double massOf(const World& world, int body) {
  if (body < 0) return 0.0;
  const Body& found = world.model().bodies[static_cast<std::size_t>(body) + 1];
  const Block& block = world.model().blocks[static_cast<std::size_t>(found.block)];
  return block.free ? block.mass : 0.0;
}

/// The pull of a spring of so many kg on a point that moves.
Vec3 springForce(double mass, const Vec3& at, const Vec3& velocity, const Vec3& target) {
  const Vec3 force = mass * (pulse * pulse * (target - at) - 2.0 * pulse * velocity);
  const double most = 60.0 * mass * 9.81;  // a hand that would tear everything off helps nobody
  const double norm = force.norm();
  return norm > most ? Vec3(force * (most / norm)) : force;
}

void pushAt(Session& session, const Observation& seen, int body, const Vec3& point_W, const Vec3& force) {
  const BodyObservation& now = seen.bodies[static_cast<std::size_t>(body)].second;
  const auto handle = session.world.body(seen.bodies[static_cast<std::size_t>(body)].first);
  if (!handle) return;
  BodyPush push;
  push.force = force;
  push.at = now.orientation.conjugate() * (point_W - now.position);
  (void)session.world.push(*handle, push);
}

void pullBody(Session& session, const Observation& seen, const Grip& grip) {
  const double mass = massOf(session.world, grip.index);
  if (mass <= 0.0) return;
  const BodyObservation& now = seen.bodies[static_cast<std::size_t>(grip.index)].second;
  const Vec3 arm = now.orientation * grip.point;
  session.held = now.position + arm;
  const Vec3 force = springForce(mass, session.held, now.velocity + now.angularVelocity.cross(arm), grip.target);
  session.pull = force.norm();
  pushAt(session, seen, grip.index, session.held, force);
}

/// The span nearest to a point, and where along it that is.
const SpanObservation* spanAt(const CableObservation& cable, const Vec3& p, double& share) {
  const SpanObservation* best = nullptr;
  double nearest = unbounded;
  for (const SpanObservation& span : cable.spans) {
    const Vec3 chord = span.end - span.start;
    const double t = std::clamp((p - span.start).dot(chord) / std::max(chord.squaredNorm(), 1e-18), 0.0, 1.0);
    const double distance = (span.start + t * chord - p).norm();
    if (distance >= nearest) continue;
    nearest = distance;
    share = t;
    best = &span;
  }
  return best;
}

/// A segment or a particle that is part of a cable.
struct Piece {
  int index = 0;  ///< of the body or the particle in the model
  bool segment = false;
  double distance = 0.0;  ///< from where the hand is
  double mass = 0.0;
  Vec3 velocity = Vec3::Zero();
};

/// What a cable is made of that forces can move, the nearest to a point first; nothing for models that have no pieces.
std::vector<Piece> piecesOf(const World& world, const std::string& cable, const Vec3& p) {
  std::vector<Piece> pieces;
  const Model& model = world.model();
  const State& state = world.state();
  const auto add = [&](int block, std::size_t index, bool segment) {
    const Block& b = model.blocks[static_cast<std::size_t>(block)];
    if (!b.free || b.asleep) return;
    const double *at = state.q.data() + b.q, *rate = state.v.data() + b.v;
    pieces.push_back({static_cast<int>(index), segment, (Vec3(at[0], at[1], at[2]) - p).norm(), b.mass,
                      Vec3(rate[0], rate[1], rate[2])});
  };
  for (std::size_t i = 0; i < model.bodies.size(); ++i)
    if (model.bodies[i].hidden && model.bodies[i].name == cable) add(model.bodies[i].block, i, true);
  for (std::size_t i = 0; i < model.particles.size(); ++i)
    if (model.particles[i].hidden && model.particles[i].name == cable) add(model.particles[i].block, i, false);
  std::ranges::stable_sort(pieces, {}, &Piece::distance);
  return pieces;
}

/// What a cable bears by itself, N: the largest tension in it, and its weight on earth.
double loadOf(const CableObservation& cable, double mass) {
  double tension = 0.0;
  for (const SpanObservation& span : cable.spans) tension = std::max(tension, span.tension);
  return tension + mass * 9.81;
}

/// Pulls the pieces that a hand has hold of, by a spring that bears what the cable does at a twentieth of its length,
/// but no stiffer than those few stand without ringing: where they are is known at the beginning of a step only.
bool pullPieces(Session& session, const CableObservation& cable, const std::string& name, const Grip& grip) {
  const std::vector<Piece> pieces = piecesOf(session.world, name, session.held);
  const auto handle = session.world.cable(name);
  if (pieces.empty() || !handle) return false;
  double all = 0.0, held = 0.0;
  Vec3 velocity = Vec3::Zero();
  const std::size_t count = std::min<std::size_t>(pieces.size(), handful);
  for (const Piece& piece : pieces) all += piece.mass;
  for (std::size_t i = 0; i < count; ++i) {
    held += pieces[i].mass;
    velocity += pieces[i].mass / held * (pieces[i].velocity - velocity);  // their mean, weighted by mass
  }
  const double dt = session.world.description().settings.dt, load = loadOf(cable, all);
  const double stiffness = std::min(load / std::max(0.05 * cable.length, 1e-9), 0.25 * held / (dt * dt));
  const double damping = std::min(2.0 * std::sqrt(stiffness * held), 0.5 * held / dt);
  Vec3 force = stiffness * (grip.target - session.held) - damping * velocity;
  force *= std::min(1.0, 3.0 * load / std::max(force.norm(), 1e-300));  // what tears everything off helps nobody
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 share = pieces[i].mass / held * force;
    BodyPush push;
    push.force = share;
    if (pieces[i].segment)
      (void)session.world.push(BodyHandle{handle->scene, pieces[i].index - 1}, push);
    else
      (void)session.world.push(ParticleHandle{handle->scene, pieces[i].index}, share);
  }
  session.pull = force.norm();
  return true;
}

void pullCable(Session& session, const Observation& seen, const Grip& grip) {
  const CableObservation& cable = seen.cables[static_cast<std::size_t>(grip.index)].second;
  if (cable.polyline.empty()) return;
  const double place = grip.along * static_cast<double>(cable.polyline.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(std::max(place, 0.0)), cable.polyline.size() - 1);
  const Vec3& next = cable.polyline[std::min(i + 1, cable.polyline.size() - 1)];
  session.held = cable.polyline[i] + (place - static_cast<double>(i)) * (next - cable.polyline[i]);
  if (pullPieces(session, cable, seen.cables[static_cast<std::size_t>(grip.index)].first, grip)) return;
  double share = 0.0;
  const SpanObservation* span = spanAt(cable, session.held, share);
  if (!span) return;
  const Description& scene = session.world.description();
  Vec3 total = Vec3::Zero();
  for (const auto& [name, at, part] :
       {std::tuple{span->from, span->start, 1.0 - share}, {span->to, span->end, share}}) {
    const int body = bodyNamed(scene, name);
    const double mass = massOf(session.world, body);
    if (mass <= 0.0) continue;
    const BodyObservation& now = seen.bodies[static_cast<std::size_t>(body)].second;
    const Vec3 velocity = now.velocity + now.angularVelocity.cross(at - now.position);
    const Vec3 force = part * springForce(mass, session.held, velocity, grip.target);
    total += force;
    pushAt(session, seen, body, at, force);
  }
  session.pull = total.norm();
}

}  // namespace

void pull(Session& session) {
  session.pull = 0.0;
  if (!session.grip) return;
  const Observation seen = session.world.observe();
  if (session.grip->onCable)
    pullCable(session, seen, *session.grip);
  else
    pullBody(session, seen, *session.grip);
}

}  // namespace reeve::wasm
