// From cables and bodies to the arrays they are advanced on.
#include <algorithm>

#include "reeve/cables/particles/particle_work.h"

namespace reeve {

namespace {
/// Iterations of a substep where a scene leaves them open.
constexpr int directIterations = 4, projectionIterations = 10;

/// A cable whose iterations are left open is solved as its stiffness asks, whatever load it carries: projections would
/// stretch under a load of many times its own mass.
bool solvesAtOnce(const ParticleCableSettings& p) {
  return p.iterations == 0 && p.way == ParticleWay::xpbd && p.order == SolveOrder::along;
}
}  // namespace

ParticleSystem::ParticleSystem(std::vector<const ParticleCable*> cables, const Model& model)
    : cables_(std::move(cables)), work_(std::make_unique<Work>()) {
  using namespace particles;
  Work& w = *work_;
  int points = 0;
  for (const ParticleCable* c : cables_) {
    const CableSettings& s = c->settings();
    const ParticleCableSettings& p = s.particles;
    first_.push_back(points);
    substeps_ = std::max(substeps_, p.substeps);
    const bool atOnce = p.direct || solvesAtOnce(p);
    const int iterations = p.iterations > 0 ? p.iterations : atOnce ? directIterations : projectionIterations;
    w.iterations = std::max(w.iterations, iterations);
    Line& line = w.lines.emplace_back();
    line.way = p.way;
    line.order = p.order;
    line.direct = atOnce;
    line.first = points;
    line.count = c->count();
    line.iterations = iterations;
    line.chunks = std::min(p.chunks, c->count());
    line.damping = p.damping;
    line.retard = s.material.damping;
    line.springDamping = p.springDamping;
    line.constraints = p.constraints;
    const auto spring = [&](int i) { return p.spring ? *p.spring : s.material.axial / c->rest(i); };
    for (int i = 0; i + 1 < c->count(); ++i) {
      const double k = p.way == ParticleWay::springs ? spring(i) : p.way == ParticleWay::pbd ? p.stiffness : 1.0;
      line.distances.push_back({points + i, points + i + 1, c->rest(i), c->compliance(i), k});
    }
    for (int i = 0; i + 2 < c->count() && p.doubles != DoubleRest::none; ++i) {
      const double k = p.way == ParticleWay::springs ? spring(i) * p.doubleStiffness : p.doubleStiffness;
      line.distances.push_back({points + i, points + i + 2, c->doubleRest(i), p.doubleCompliance, k});
    }
    w.airs.push_back({p.drag, p.skinDrag, p.air, 2.0 * s.material.radius});
    Skin& skin = w.touching.skins.emplace_back();
    skin.first = points;
    skin.count = c->count();
    skin.radius = s.material.radius;
    skin.friction = s.material.friction;
    skin.touch = s.collides ? p.touch : TouchMode::none;
    skin.self = s.collides && p.self;
    skin.law = p.law;
    skin.staticFriction = p.staticFriction;
    skin.slidingFriction = p.slidingFriction;
    double arc = 0.0;
    for (int i = 0; i < c->count(); ++i) {
      skin.arc.push_back(arc);
      if (i + 1 < c->count()) arc += c->rest(i);
    }
    w.touching.coloured = w.touching.coloured || p.order == SolveOrder::coloured;
    points += c->count();
  }
  w.bundle.points.resize(at(points));
  w.tensions.resize(at(points));
  for (std::size_t i = 0; i < cables_.size(); ++i)
    for (int k = 0; k < cables_[i]->count(); ++k) w.bundle.points.mass[at(first_[i] + k)] = cables_[i]->massOf(k);

  const auto stand = [&](int block) {
    const Block& b = model.blocks[at(block)];
    Proxy& p = w.bundle.bodies.emplace_back();
    p.block = block;
    p.rotates = b.rotates;
    p.free = b.free;
    p.weighs = b.weighs;
    p.mass = b.mass;
    p.inertia_B = b.inertia_B;
    blocks_.push_back(block);
    if (b.free) freeBodies_.push_back(static_cast<int>(w.bundle.bodies.size()) - 1);
  };
  for (const Body& body : model.bodies) {
    stand(body.block);
    w.bundle.bodies.back().moves = w.bundle.bodies.back().free || body.prescribed != nullptr;
    for (const Shape& shape : body.shapes) {
      Obstacle o;
      o.shape = &shape;
      o.body = static_cast<int>(w.bundle.bodies.size()) - 1;
      o.friction = body.friction;
      if (!std::holds_alternative<HalfSpace>(shape.geometry)) {
        const Aabb box = bounds(shape, Pose{});
        o.reach = box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs()).norm();
      }
      o.group = body.group;
      o.mask = body.mask;
      w.touching.obstacles.push_back(o);
    }
  }
  for (const Particle& p : model.particles) {
    if (p.hidden) continue;
    stand(p.block);
    w.bundle.bodies.back().moves = w.bundle.bodies.back().free;
  }
  w.travel.assign(w.bundle.bodies.size(), Vec3::Zero());
  w.turn.assign(w.bundle.bodies.size(), Vec3::Zero());
  w.touching.build();
  w.restraints.build(model, blocks_);
}

ParticleSystem::~ParticleSystem() = default;

}  // namespace reeve
