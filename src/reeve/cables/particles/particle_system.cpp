#include "reeve/cables/particles/particle_system.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/particles/particle_work.h"
#include "reeve/math/rotation.h"
#include "reeve/model/executor.h"

namespace reeve {

namespace {
/// Mean force and torque on a body in this step and in the one before, world frame.
struct BodyMemory {
  double now[6] = {}, before[6] = {};
};
constexpr int particleGrain = 1024;
constexpr double slideIn = 0.05;  // s, in which a plug goes most of the way home
}  // namespace

ElementLayout ParticleSystem::layout() const {
  return {.memory = numbersIn<BodyMemory> * static_cast<int>(freeBodies_.size())};
}

/// The mean force F of this step. The second-order difference takes a force to act at the end of the step, and a mean
/// over the step would be half a step late for it: an undamped cable would feed a body that swings on it. With
/// 3/2 F − 1/2 F_before the momentum it gives is that of Euler's step, p + h F to rounding.
void ParticleSystem::forces(const Instant& now, Forces& out) const {
  const bool second = now.stepping && now.second;
  for (std::size_t i = 0; i < freeBodies_.size(); ++i) {
    const Block& b = now.model().blocks[at(blocks_[at(freeBodies_[i])])];
    const BodyMemory& kept =
        overlay<BodyMemory>(now.past().memory, memory + numbersIn<BodyMemory> * static_cast<int>(i));
    for (int k = 0; k < (b.rotates ? 6 : 3); ++k)
      out.force[at(b.v + k)] += second ? 1.5 * kept.now[k] - 0.5 * kept.before[k] : kept.now[k];
  }
}

void ParticleSystem::work(const Instant& now, std::span<const double>, Doings& out) const {
  if (!(work_->step > 0.0)) return;
  const double share = now.h / work_->step;  // of steps that are made in parts
  out.addDone(reeve::Work::applied, share * work_->blown);
  out.addDone(reeve::Work::drag, share * work_->dragged);
  out.addDone(reeve::Work::damping, share * work_->lost);
  out.addDone(reeve::Work::impacts, share * work_->struck);
  out.addDone(reeve::Work::friction, share * work_->rubbed);
  out.addDone(reeve::Work::moved, share * work_->led);
}

namespace {
/// Momentum and kinetic energy of the free particles of a line.
std::pair<Vec3, double> lineMotion(const particles::Points& p, const particles::Line& line) {
  std::pair<Vec3, double> sum(Vec3::Zero(), 0.0);
  for (int i = line.first; i < line.first + line.count; ++i)
    if (p.w[at(i)] > 0.0) {
      sum.first += p.mass[at(i)] * p.v[at(i)];
      sum.second += 0.5 * p.mass[at(i)] * p.v[at(i)].squaredNorm();
    }
  return sum;
}
}  // namespace

void ParticleSystem::load(const Instant& now, const State& state) const {
  particles::Points& p = work_->bundle.points;
  for (std::size_t i = 0; i < cables_.size(); ++i) {
    const ParticleCable& c = *cables_[i];
    forRanges(now.model().executor, c.count(), particleGrain, [&](int begin, int end) {
      for (int k = begin; k < end; ++k) {
        p.x[at(first_[i] + k)] = c.position(state, k);
        p.v[at(first_[i] + k)] = c.velocity(state, k);
        p.u[at(first_[i] + k)].setZero();
        work_->tensions[at(first_[i] + k)] = 0.0;
      }
    });
  }
}

/// Mounts from what holds now; the orders of solving hang on them.
void ParticleSystem::attach(const State& state) const {
  Work& w = *work_;
  std::size_t link = 0;
  bool same = w.arranged;
  for (const ParticleCable* c : cables_)
    for (int k = 0; k < c->linkCount(); ++k, ++link) {
      const double held = c->linkMemory(state, k).holds.number;
      if (w.held.size() <= link) w.held.push_back(-1.0);
      same = same && w.held[link] == held;
      w.held[link] = held;
    }
  for (particles::Mount& m : w.bundle.mounts) {
    m.force.setZero();
    m.local = cables_[at(m.cable)]->link(m.link).anchor.local + cables_[at(m.cable)]->outBy(state, m.link);
  }
  if (same) return;
  particles::Points& p = w.bundle.points;
  w.bundle.mounts.clear();
  w.touching.spared.clear();
  for (std::size_t i = 0; i < p.w.size(); ++i) {
    p.w[i] = 1.0 / p.mass[i];
    p.mount[i] = -1;
  }
  for (std::size_t i = 0; i < cables_.size(); ++i) {
    const ParticleCable& c = *cables_[i];
    for (int k = 0; k < c.linkCount(); ++k) {
      const ParticleCable::Link& l = c.link(k);
      const auto body = std::find(blocks_.begin(), blocks_.end(), l.anchor.block) - blocks_.begin();
      const int point = first_[i] + l.particle;
      // Segments of all touching cables are counted in order.
      int base = 0;
      for (std::size_t o = 0; o < i; ++o) {
        const particles::Skin& s = w.touching.skins[o];
        if (s.touch != TouchMode::none || s.self) base += s.count - 1;
      }
      if (!l.free) w.touching.spared.push_back({static_cast<int>(body), base + l.spareFirst, base + l.spareLast});
      if (!c.holds(state, k) || p.mount[at(point)] >= 0) continue;
      p.w[at(point)] = 0.0;
      p.mount[at(point)] = static_cast<int>(w.bundle.mounts.size());
      particles::Mount m;
      m.point = point;
      m.body = static_cast<int>(body);
      m.local = l.anchor.local + c.outBy(state, k);
      m.cable = static_cast<int>(i);
      m.link = k;
      w.bundle.mounts.push_back(m);
    }
  }
  w.kept.resize(w.bundle.mounts.size());
  for (particles::Line& line : w.lines) line.arrange(w.bundle);
  w.arranged = true;
}

/// Stand-ins where the bodies are; prescribed ones know where they will be.
void ParticleSystem::stand(const Instant& now, double step) const {
  Work& w = *work_;
  bool led = false;
  for (std::size_t i = 0; i < w.bundle.bodies.size(); ++i) {
    particles::Proxy& b = w.bundle.bodies[i];
    b.x = now.position(b.block);
    b.v = now.velocity(b.block);
    b.q = b.rotates ? now.orientation(b.block) : Quat(Quat::Identity());
    b.omega = b.rotates ? now.angularVelocity(b.block) : Vec3(Vec3::Zero());
    b.push.setZero();
    b.twist.setZero();
    b.u.setZero();
    b.theta.setZero();
    b.turned = b.q;
    led = led || (b.moves && !b.free);
  }
  if (!led) return;
  w.ahead.bind(now.model(), now.past());
  w.ahead.q = now.q;
  w.ahead.v = now.v;
  w.ahead.prescribe(now.time + step);
  for (std::size_t i = 0; i < w.bundle.bodies.size(); ++i) {
    particles::Proxy& b = w.bundle.bodies[i];
    if (!b.moves || b.free) continue;
    w.travel[i] = (w.ahead.position(b.block) - b.x) / substeps_;
    w.turn[i] = rotationLog(w.ahead.orientation(b.block) * b.q.conjugate()) / substeps_;
  }
}

void ParticleSystem::solve(double h, Executor* executor) const {
  Work& w = *work_;
  // Loads that press a line on what bears it are solved until they do, within reason.
  constexpr int most = 80;
  constexpr double settled = 1e-3;  // of the impulse of the contacts, in an iteration
  for (int it = 0; it < std::max(w.iterations, most); ++it) {
    double pressed = 0.0, changed = 0.0;
    for (particles::Line& line : w.lines) {
      if (it < w.iterations || !line.contacts.empty()) w.touching.offer(w.bundle, h, line);
      line.project(w.bundle, h, line.contacts.empty() ? it : std::min(it, line.iterations - 1), executor);
      w.touching.take(line);
      for (const particles::ChainContact& c : line.contacts) {
        pressed += std::max(c.lambda + c.change, 0.0);
        changed += std::fabs(c.change);
      }
    }
    w.touching.project(w.bundle, h, false, executor);
    w.bundle.follow();
    if (it + 1 >= w.iterations && !(changed > settled * pressed)) return;
  }
}

/// A stand-in and what it carries of the cables' mass move together.
void ParticleSystem::weigh(int body) const {
  particles::Proxy& b = work_->bundle.bodies[at(body)];
  const particles::Load load = work_->bundle.loadOf(body);
  const double mass = b.mass + load.mass;
  b.w = 1.0 / mass;
  b.pivot = b.rotates && !b.held ? Vec3(load.moment / mass) : Vec3(Vec3::Zero());
  if (!b.rotates || b.held) return;
  const Mat3 r = b.q.toRotationMatrix(), off = skew(b.pivot);
  b.inverse_W = (r * (b.inertia_B + load.inertia + mass * off * off) * r.transpose()).inverse();
}

/// The world's solver moved the body a little otherwise than the stand-in went with the particles it holds. They go on
/// together with the momentum both have: with the body's velocity alone the difference would come back the step after,
/// times the mass of the particles over that of the body.
void ParticleSystem::merge() const {
  Work& w = *work_;
  for (std::size_t i = 0; i < w.bundle.bodies.size(); ++i) {
    particles::Proxy& b = w.bundle.bodies[i];
    if (!b.free) continue;
    weigh(static_cast<int>(i));
    Vec3 impulse = Vec3::Zero(), moment = Vec3::Zero(), velocity = b.pivotVelocity();
    for (const particles::Mount& m : w.bundle.mounts) {
      if (m.body != static_cast<int>(i)) continue;
      const Vec3 arm = b.armOf(m.local), there = b.rotates ? Vec3(velocity + b.omega.cross(arm)) : velocity;
      const Vec3 more = w.bundle.points.mass[at(m.point)] * (w.bundle.points.v[at(m.point)] - there);
      impulse += more;
      moment += arm.cross(more);
    }
    b.yield(impulse, moment, velocity, b.omega);
    b.v = b.centreVelocity(velocity);
  }
}

void ParticleSystem::substep(const Vec3& gravity, double time, double h, Executor* executor) const {
  using namespace particles;
  Work& w = *work_;
  Points& p = w.bundle.points;
  for (std::size_t i = 0; i < w.bundle.bodies.size(); ++i) {
    Proxy& b = w.bundle.bodies[i];
    b.got.setZero();
    b.gotMoment.setZero();
    if (!b.moves) continue;
    if (!b.free) {
      b.u = w.travel[i];
      b.theta = w.turn[i];
    } else {
      weigh(static_cast<int>(i));
      const Vec3 fall = b.held ? b.fall : b.weighs ? gravity : Vec3(Vec3::Zero());
      b.u = h * b.pivotVelocity() + (h * h) * fall;
      b.theta = h * b.omega;
      if (b.held) b.theta += (h * h) * b.tumble;
    }
    b.turned = b.rotates ? Quat((rotationExp(b.theta) * b.q).normalized()) : b.q;
  }
  for (std::size_t k = 0; k < w.bundle.mounts.size(); ++k) w.kept[k] = p.v[at(w.bundle.mounts[k].point)];
  for (std::size_t i = 0; i < w.lines.size(); ++i) {
    const ParticleCableSettings& s = cables_[i]->settings().particles;
    const Vec3 wind = s.gust ? Vec3(profileValue(*s.gust, time) * s.wind) : s.wind;
    if (!w.airs[i].still()) {
      const auto before = lineMotion(p, w.lines[i]);
      blow(p, w.lines[i].first, w.lines[i].count, w.airs[i], wind, h);
      const auto after = lineMotion(p, w.lines[i]);
      const double given = (after.first - before.first).dot(wind);
      w.blown += given;
      w.dragged += after.second - before.second - given;
    }
    const bool damps = s.way != ParticleWay::springs && s.way != ParticleWay::stiff && s.damping > 0.0;
    if (damps) w.lost -= (1.0 - (1.0 - s.damping) * (1.0 - s.damping)) * lineMotion(p, w.lines[i]).second;
    w.lines[i].predict(w.bundle, gravity, h, executor);
    blowHeld(w.bundle, w.lines[i].first, w.lines[i].count, w.airs[i], wind, h);
  }
  w.bundle.follow();
  w.touching.find(w.bundle, gravity, executor);
  for (Line& line : w.lines) line.prepare(w.bundle, h, executor);
  w.touching.warm(w.bundle);
  solve(h, executor);
  for (int round = 0; round < 3 && w.touching.check(w.bundle, executor); ++round) solve(h, executor);
  if (!w.touching.touches().empty()) {
    w.touching.project(w.bundle, h, true, executor);
    w.bundle.follow();
  }
  w.touching.remember();
  const Touching::Done touched = w.touching.done(w.bundle, h);
  w.struck += touched.blows;
  w.rubbed += touched.friction;
  w.led += touched.moved;
  w.touching.restrain(w.bundle);
  settleForces(gravity, h);
}

/// Velocities, positions, tensions and what the bodies got.
void ParticleSystem::settleForces(const Vec3& gravity, double h) const {
  using namespace particles;
  Work& w = *work_;
  Points& p = w.bundle.points;
  for (Line& line : w.lines)
    for (int j = 0; j < line.singles(); ++j) {
      line.guess[at(j)] = -line.lambda[at(j)] / (h * h);
      w.tensions[at(line.first + j)] += line.guess[at(j)];
    }
  for (std::size_t k = 0; k < w.bundle.mounts.size(); ++k) {
    Mount& m = w.bundle.mounts[k];
    Proxy& b = w.bundle.bodies[at(m.body)];
    const double mass = p.mass[at(m.point)];
    // The particle's own weight and inertia, and what presses on it, are the body's to bear.
    const Vec3 moved = p.u[at(m.point)] - p.shift[at(m.point)];
    const Vec3 own = (mass * h) * gravity - mass * (moved / h - w.kept[k]) + p.pressed[at(m.point)] / h;
    const Vec3 got = own + w.lines[at(m.cable)].pull(w.bundle, m.point) / h;
    m.force += got;
    if (!b.free && b.moves) w.led -= got.dot(moved) / h;
    if (!b.free) continue;
    b.push += own;
    if (b.rotates) b.twist += (b.turned * m.local).cross(own);
  }
  for (Proxy& b : w.bundle.bodies) {
    if (!b.moves) continue;
    b.x += b.movedBy(Vec3::Zero());
    b.q = b.turned;
    b.omega = b.theta / h;
    b.v = b.centreVelocity(b.u / h);
    b.push += b.got / h;
    b.twist += (b.gotMoment + (b.q * b.pivot).cross(b.got)) / h;
    b.u.setZero();
    b.theta.setZero();
  }
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    p.v[i] = (p.u[i] - p.shift[i]) / h;
    p.x[i] += p.u[i];
    p.u[i].setZero();
  }
}

bool ParticleSystem::sound(double bounds) const {
  for (const Vec3& x : work_->bundle.points.x)
    if (!(x.cwiseAbs().maxCoeff() <= 2.0 * bounds)) return false;
  return true;
}

/// Empty sockets take their particle when it comes near.
void ParticleSystem::plug(const Instant& now, State& state, Events& events) const {
  for (const ParticleCable* c : cables_)
    for (int k = 0; k < c->linkCount(); ++k) {
      const ParticleCable::Link& l = c->link(k);
      if (l.free || l.plugsIn <= 0.0 || c->holds(state, k)) continue;
      const double distance = (c->position(state, l.particle) - now.point(l.anchor)).norm();
      ParticleLinkMemory& kept = c->linkMemory(state, k);
      if (distance > l.plugsIn) kept.away = true;
      if (distance > l.plugsIn || !kept.away) continue;
      kept.holds = true;
      const Vec3 apart = c->position(state, l.particle) - now.point(l.anchor);
      const Vec3 out = now.rotates(l.anchor.block) ? Vec3(now.rotation(l.anchor.block).transpose() * apart) : apart;
      kept.out.set(out);
      events.add({now.time, c, k, EventKind::plugsIn});
    }
}

/// The share of its distance from home that a plug keeps in this step. It slides in no further than its cable reaches
/// unstretched from the next particle that is held on either side: a cable that does not stretch would pull it out
/// again.
double ParticleSystem::slides(const ParticleCable& c, const State& state, int k, double step) const {
  double kept = std::max(1.0 - step / slideIn, 0.0);
  const ParticleCable::Link& l = c.link(k);
  const auto body = std::find(blocks_.begin(), blocks_.end(), l.anchor.block) - blocks_.begin();
  const Vec3 home = work_->bundle.bodies[static_cast<std::size_t>(body)].startOf(l.anchor.local);
  const Vec3 out = c.position(state, l.particle) - home;
  for (int m = 0; m < c.linkCount(); ++m) {
    if (m == k || !c.holds(state, m)) continue;
    const int other = c.link(m).particle;
    const double length = c.arcBetween(other, l.particle);
    // |home + s out − there| = length, the nearer root: closer in it would have to stretch.
    const Vec3 apart = home - c.position(state, other);
    const double a = out.squaredNorm(), b = out.dot(apart), e = apart.squaredNorm() - length * length;
    if (!(e > 0.0) || !(a > 0.0)) continue;
    const double root = b * b - a * e;
    const double least = root >= 0.0 ? (-b - std::sqrt(root)) / a : 1.0;
    kept = std::clamp(least, kept, 1.0);
  }
  return kept;
}

void ParticleSystem::switchLinks(const Instant&, State& state, double time, double step, Events& events) const {
  for (const ParticleCable* c : cables_)
    for (int k = 0; k < c->linkCount(); ++k) {
      const ParticleCable::Link& l = c->link(k);
      ParticleLinkMemory& kept = c->linkMemory(state, k);
      if (kept.holds && kept.out.vec() != Vec3::Zero()) kept.out.set(slides(*c, state, k, step) * kept.out.vec());
      const Vec3 force = kept.force.vec();
      if (!c->holds(state, k) || force.norm() <= l.letsGo) continue;
      // An end that is pushed into its socket stays there.
      const int next = l.particle == 0 ? 1 : l.particle + 1 == c->count() ? l.particle - 1 : -1;
      if (next >= 0 && force.dot(c->position(state, next) - c->position(state, l.particle)) < 0.0) continue;
      kept.holds = kept.away = false;
      events.add({time, c, k, EventKind::letsGo});
    }
}

void ParticleSystem::store(State& state, double step) const {
  const Work& w = *work_;
  const particles::Points& p = w.bundle.points;
  for (std::size_t i = 0; i < cables_.size(); ++i) {
    const ParticleCable& c = *cables_[i];
    const std::span<Triple> positions = c.positions(state), velocities = c.velocities(state);
    const std::span<double> tensions = c.tensions(state);
    for (std::size_t k = 0; k < positions.size(); ++k) {
      positions[k].set(p.x[at(first_[i]) + k]);
      velocities[k].set(p.v[at(first_[i]) + k]);
    }
    for (std::size_t k = 0; k < tensions.size(); ++k) tensions[k] = w.tensions[at(first_[i]) + k] / substeps_;
    for (int k = 0; k < c.linkCount(); ++k) c.linkMemory(state, k).force = Triple{};
  }
  for (const particles::Mount& m : w.bundle.mounts)
    cables_[at(m.cable)]->linkMemory(state, m.link).force.set(m.force / step);
  for (std::size_t i = 0; i < freeBodies_.size(); ++i) {
    const particles::Proxy& b = w.bundle.bodies[at(freeBodies_[i])];
    BodyMemory& kept = overlay<BodyMemory>(state.memory, memory + numbersIn<BodyMemory> * static_cast<int>(i));
    // A scheme that starts makes up its history from the force that acts now.
    const bool starts = state.h != step;
    for (int d = 0; d < 6; ++d) {
      const double force = (d < 3 ? b.push[d] : b.twist[d - 3]) / step;
      kept.before[d] = starts ? force : kept.now[d];
      kept.now[d] = force;
    }
  }
}

void ParticleSystem::begin(const Instant& now, const StepContext& context, State& state) const {
  Events& events = context.events;
  const Settings& settings = now.model().description.settings;
  const double step = context.h, h = step / substeps_;
  Work& w = *work_;
  plug(now, state, events);
  load(now, state);
  attach(state);
  for (std::size_t i = 0; i < w.lines.size(); ++i)
    for (int j = 0; j < w.lines[i].singles(); ++j) w.lines[i].guess[at(j)] = cables_[i]->tension(state, j);
  stand(now, step);
  w.restraints.find(now, state, step, substeps_, w.bundle);
  merge();
  w.touching.pace = step;
  w.step = step;
  w.blown = w.dragged = w.lost = w.struck = w.rubbed = w.led = 0.0;
  w.touching.restart();
  for (int s = 0; s < substeps_ && !now.model().interrupted(); ++s) {
    substep(settings.gravity, now.time + s * h, h, now.model().executor);
    if (!sound(settings.bounds)) break;  // the step has gone bad: nothing sensible comes of going on
  }
  store(state, step);
  switchLinks(now, state, now.time + step, step, events);
}

}  // namespace reeve
