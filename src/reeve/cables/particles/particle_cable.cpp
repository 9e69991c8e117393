#include "reeve/cables/particles/particle_cable.h"

#include <algorithm>
#include <cmath>

namespace reeve {

double ParticleCable::compliance(int segment) const {
  if (settings_.compliance) return *settings_.compliance;
  return settings_.material.axial == unbounded ? 0.0 : rest(segment) / settings_.material.axial;
}

void ParticleCable::start(const Instant& now, std::span<double> remembered, std::span<Sheet>) const {
  const Settings& world = now.model().description.settings;
  // The Verlet scheme looks back: x* = x − h v + a h²/2 makes the first step, and all of free fall, exact.
  const double h = world.dt / world.substeps / settings_.particles.substeps;
  const Vec3 back =
      settings_.particles.predictor == Predictor::verlet ? Vec3(-0.5 * h * world.gravity) : Vec3(Vec3::Zero());
  State state;
  state.memory.assign(at(memory) + remembered.size(), 0.0);
  for (std::size_t i = 0; i < at(count()); ++i) {
    positions(state)[i].set(start_[i]);
    velocities(state)[i].set(startVelocity_[i] + back);
  }
  for (int k = 0; k < linkCount(); ++k) {
    linkMemory(state, k).holds = link(k).active && !link(k).free;
    linkMemory(state, k).away = !link(k).active;
  }
  std::copy(state.memory.begin() + memory, state.memory.end(), remembered.begin());
}

Vec3 ParticleCable::linearMomentum(const State& s) const {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < count(); ++i) sum += massOf(i) * velocity(s, i);
  return sum;
}

Vec3 ParticleCable::angularMomentum(const State& s) const {
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < count(); ++i) sum += position(s, i).cross(massOf(i) * velocity(s, i));
  return sum;
}

Energy ParticleCable::energy(const Instant& now, std::span<const double>) const {
  const ParticleCableSettings& p = settings_.particles;
  const Vec3& gravity = now.model().description.settings.gravity;
  Energy sum;
  for (int i = 0; i < count(); ++i) {
    sum.kinetic += 0.5 * massOf(i) * velocity(now.past(), i).squaredNorm();
    sum.potential -= massOf(i) * gravity.dot(position(now.past(), i));
  }
  if (p.way != ParticleWay::xpbd && p.way != ParticleWay::springs) return sum;
  for (int i = 0; i + 1 < count(); ++i) {
    const double t = tension(now.past(), i);
    const double soft = p.way == ParticleWay::springs && p.spring ? 1.0 / *p.spring : compliance(i);
    // Where projections have not settled the stretch is not that of the tension; before the first step it alone tells.
    const double stretch = std::max((position(now.past(), i + 1) - position(now.past(), i)).norm() - rest(i), 0.0);
    const double told = soft > 0.0 ? 0.5 * stretch * stretch / soft : 0.0, pulled = 0.5 * t * t * soft;
    sum.elastic += t == 0.0 ? told : std::min(told, pulled);
  }
  return sum;
}

const char* ParticleCable::inspect(const State& state, const Inspection& how) const {
  const double bounds = how.bounds;
  for (const bool place : {true, false})
    for (const Triple& kept : place ? positions(state) : velocities(state)) {
      const double x = kept.vec().cwiseAbs().maxCoeff();
      const bool finite = std::isfinite(kept.x) && std::isfinite(kept.y) && std::isfinite(kept.z);
      if (finite && x <= bounds) continue;
      return !finite ? "is not finite: its particles flew apart"
             : place ? "left the bounds of the scene: its particles flew apart"
                     : "is faster than the bounds of the scene allow: its particles flew apart";
    }
  return nullptr;
}

void ParticleCable::view(const Instant& now, const State& state, std::vector<LinkView>& links,
                         std::vector<SpanView>& spans) const {
  links.clear();
  spans.clear();
  for (int k = 0; k < linkCount(); ++k) {
    const Link& l = link(k);
    LinkView& v = links.emplace_back();
    v.on = &l.on;
    v.holds = holds(state, k);
    v.mode = v.holds ? "fixed" : l.free ? "free" : "empty";
    v.force = linkMemory(state, k).force.vec();
    // A free end is where its particle is; a socket, empty or not, is where its body has it.
    v.entry = v.exit = l.free ? position(state, l.particle) : now.point(l.anchor);
  }
  for (int i = 0; i + 1 < count(); ++i) {
    SpanView& v = spans.emplace_back();
    v.to = static_cast<int>(links.size()) - 1;
    v.start = position(state, i);
    v.end = position(state, i + 1);
    v.length = (v.end - v.start).norm();
    v.rest = rest(i);
    v.tension = tension(state, i);
  }
}

void ParticleCable::draw(const Instant&, const State& state, std::vector<Vec3>& points,
                         std::vector<double>& tensions) const {
  points.clear();
  tensions.clear();
  for (int i = 0; i < count(); ++i) {
    points.push_back(position(state, i));
    tensions.push_back(std::max(tension(state, std::min(i, count() - 2)), 0.0));
  }
}

}  // namespace reeve
