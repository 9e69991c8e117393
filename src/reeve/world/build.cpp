#include "reeve/world/build.h"

#include <algorithm>

#include "reeve/elements/load.h"
#include "reeve/elements/wind.h"
#include "reeve/math/hash.h"
#include "reeve/math/rotation.h"
#include "reeve/model/kinetics.h"
#include "reeve/world/builder.h"
#include "reeve/world/scene_events.h"

namespace reeve {

void Builder::look(Instant& now) {
  now.bind(model(), out_->start);
  now.rewind();
  now.prescribe(out_->start.time);
  now.cacheRotations();
}

void Builder::placeState() {
  State& state = out_->start;
  state.q.assign(at(model().positions), 0.0);
  state.v.assign(at(model().velocities), 0.0);
  state.u = state.p = state.pOld = state.v;
  state.force.assign(at(model().slots), 0.0);
  state.mode.assign(at(model().slots), Mode::free);
  state.memory.assign(at(model().memory), 0.0);
  state.sheets.resize(at(model().sheets));
  state.time = laid_ ? laid_->time : 0.0;
  for (std::size_t i = 0; i < model().bodies.size(); ++i) {
    const Body& body = model().bodies[i];
    const Block& b = model().blocks[at(body.block)];
    const Vec3 center = body.start.point(body.center_B);
    Vec3 velocity = Vec3::Zero(), omega = Vec3::Zero();
    if (body.hidden) {
      velocity = seeds_[i - 1 - scene().bodies.size()].first;
      omega = seeds_[i - 1 - scene().bodies.size()].second;
    } else if (b.free) {  // bodies[0] is the world, so bodies[i] is the description's i − 1
      const BodySettings& s = scene().bodies[i - 1].second;
      omega = s.angularVelocity;
      velocity = s.velocity + omega.cross(center - body.start.position);
    }
    for (int k = 0; k < 3; ++k) {
      state.q[at(b.q + k)] = center[k];
      state.v[at(b.v + k)] = velocity[k];
      state.v[at(b.v + 3 + k)] = omega[k];
    }
    const Quat q = body.start.orientation.normalized();
    const double wxyz[] = {q.w(), q.x(), q.y(), q.z()};
    for (int k = 0; k < 4; ++k) state.q[at(b.q + 3 + k)] = wxyz[k];
  }
  for (std::size_t i = 0; i < model().rotors.size(); ++i) {
    const Block& b = model().blocks[at(model().rotors[i].block)];
    state.q[at(b.q)] = scene().rotors[i].second.angle;
    state.v[at(b.v)] = scene().rotors[i].second.rate;
  }
  for (std::size_t i = 0; i < model().particles.size(); ++i) {
    const Block& b = model().blocks[at(model().particles[i].block)];
    const std::size_t named = scene().particles.size();
    const Vec3 position = i < named ? scene().particles[i].second.position : particleSeeds_[i - named].first;
    const Vec3 velocity = i < named ? scene().particles[i].second.velocity : particleSeeds_[i - named].second;
    for (int k = 0; k < 3; ++k) {
      state.q[at(b.q + k)] = position[k];
      state.v[at(b.v + k)] = velocity[k];
    }
  }
  for (const CoordinateSeed& seed : coordinateSeeds_) {
    const Block& b = model().blocks[at(seed.block)];
    for (int k = 0; k < b.dof; ++k) {
      state.q[at(b.q + k)] = seed.start[at(k)];
      state.v[at(b.v + k)] = seed.rate[at(k)];
    }
  }
  if (!laid_) return;
  std::copy(laid_->q.begin(), laid_->q.end(), state.q.begin());
  std::copy(laid_->v.begin(), laid_->v.end(), state.v.begin());
}

void Builder::addDrag(const std::string& name, int block, double linear, double angular) {
  out_->tunables.emplace_back(name, addElement(std::make_unique<Drag>(block, linear, angular), name));
}

/// What is open or not hooked on at the start is so by command, as if a program had given it.
void Builder::startCommands() {
  for (std::size_t i = 0; i < scene().rotors.size(); ++i)
    if (scene().rotors[i].second.brakeOpen) setOverride(out_->start, out_->bearings[i]->brakeKey(), 0.0);
  for (std::size_t i = 0; i < scene().joints.size(); ++i) {
    const JointSettings& s = scene().joints[i].second;
    if (s.brakeOpen) setOverride(out_->start, out_->joints[i]->brakeKey(), 0.0);
    if (!s.active) setOverride(out_->start, out_->joints[i]->holdKey(), 0.0);
  }
}

/// All names in their order, and how much state there is.
std::uint64_t Builder::sceneHash() {
  math::Hasher hasher;
  const auto add = [&](const auto& list) {
    hasher.add(static_cast<std::int64_t>(list.size()));
    for (const auto& [name, settings] : list) {
      hasher.add(static_cast<std::int64_t>(name.size()));
      for (const char c : name) hasher.add(static_cast<std::int64_t>(c));
    }
  };
  add(scene().bodies);
  add(scene().rotors);
  add(scene().particles);
  add(scene().joints);
  add(scene().motors);
  add(scene().couplings);
  add(scene().forces);
  add(scene().cables);
  for (const int size : {model().positions, model().velocities, model().slots, model().memory, model().sheets})
    hasher.add(static_cast<std::int64_t>(size));
  return hasher.value();
}

std::expected<std::unique_ptr<Built>, Problem> Builder::run() {
  BodySettings ground;
  ground.motion = BodyMotion::fixed;
  if (auto ok = addBody("world", ground); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().bodies)
    if (auto ok = addBody(name, s); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().particles)
    if (auto ok = addParticle(name, s); !ok) return std::unexpected(ok.error());
  if (auto ok = addRotorMass(); !ok) return std::unexpected(ok.error());
  startRotation_.assign(model().blocks.size(), Mat3::Identity());
  for (const Body& body : model().bodies)
    startRotation_[at(body.block)] = body.start.orientation.normalized().toRotationMatrix();
  for (const auto& [name, s] : scene().rotors)
    if (auto ok = addRotor(name, s); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().joints)
    if (auto ok = addJoint(name, s); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().motors)
    if (auto ok = addMotor(name, s); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().couplings)
    if (auto ok = addCoupling(name, s); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().forces)
    if (auto ok = addForce(name, s); !ok) return std::unexpected(ok.error());
  for (const auto& [name, s] : scene().bodies)
    if (s.drag > 0.0 || s.angularDrag > 0.0)
      addDrag("bodies." + name, model().bodies[at(things_[name].index)].block, s.drag, s.angularDrag);
  for (const auto& [name, s] : scene().bodies)
    if (s.dragArea > 0.0 && s.motion == BodyMotion::dynamic)
      out_->tunables.emplace_back(
          "bodies." + name,
          addElement(std::make_unique<Wind>(model().bodies[at(things_[name].index)].block, s.dragArea),
                     "bodies." + name));
  for (const auto& [name, s] : scene().particles)
    if (s.drag > 0.0) addDrag("particles." + name, model().particles[at(things_[name].index)].block, s.drag, 0.0);
  out_->namedPositions = at(model().positions);
  out_->namedVelocities = at(model().velocities);
  for (const auto& [name, s] : scene().cables) {
    laid_ = nullptr;
    for (const RelaidCable& l : out_->laid)
      if (at(l.cable) == out_->cables.size()) laid_ = &l;
    const int first = static_cast<int>(model().blocks.size());
    if (auto ok = addCable(name, s); !ok) return std::unexpected(ok.error());
    out_->cableBlocks.emplace_back(first, static_cast<int>(model().blocks.size()));
  }
  laid_ = out_->laid.empty() ? nullptr : &out_->laid.back();
  for (const Body& body : model().bodies)
    model().colliders.insert(model().colliders.end(), body.shapes.size(), body.block);
  for (const Particle& p : model().particles)
    if (p.radius > 0.0) model().colliders.push_back(p.block);
  if (auto together = joinCables(out_->cables, model())) addElement(std::move(together), "cables");
  if (!scene().events.empty())
    out_->eventLog = addElement(std::make_unique<EventLog>(static_cast<int>(scene().events.size())), "events");
  std::sort(out_->excluded.begin(), out_->excluded.end());
  placeState();
  startCommands();
  Instant now;
  look(now);
  out_->start.q = now.q;
  out_->start.v = now.v;
  for (const auto& e : model().elements) {
    const ElementLayout layout = e->layout();
    e->start(now, std::span<double>(out_->start.memory).subspan(at(e->memory), at(layout.memory)),
             std::span<Sheet>(out_->start.sheets).subspan(at(e->sheet), at(layout.sheets)));
  }
  now.touch();
  now.evaluate();
  momentum(now, out_->start.p);
  out_->scene = sceneHash();
  out_->declared = model().blocks;
  return std::move(out_);
}

std::expected<std::unique_ptr<Built>, Problem> build(Description description, const Extensions& extensions,
                                                     std::vector<RelaidCable> laid) {
  return Builder(std::move(description), extensions, std::move(laid)).run();
}

void startModes(const Model& model, std::span<const Element* const> elements, State& state) {
  Instant now;
  now.bind(model, state);
  now.rewind();
  now.evaluate();
  RowSet rows;
  for (const Element* e : elements) e->rows(now, rows);
  for (const Row& row : rows.rows) {
    if (!row.bounded()) continue;
    Mode mode = Mode::free;
    constexpr double touching = 1e-9;
    if (row.level == Level::position) {
      if (row.upper == 0.0 && row.error < -touching) mode = Mode::upper;
      if (row.lower == 0.0 && row.error > touching) mode = Mode::lower;
    }
    state.mode[static_cast<std::size_t>(row.slot)] = mode;
  }
}

}  // namespace reeve
