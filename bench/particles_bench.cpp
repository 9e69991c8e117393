// Particle cables: particle-iterations a second, a rope of 1000 particles held to 1 % stretch against Bullet's soft
// rope at ten iterations (where Bullet is installed), and what collisions cost.
#include "reeve/cables/particles/particle_cable.h"
#include "reeve/model/model.h"
#include "reeve/threads/threads.h"
#include "worlds.h"

#ifdef REEVE_HAVE_BULLET_ROPE
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>
#endif

namespace {

using namespace reeve;

constexpr double spacing = 0.05;

/// Held at one end, let go from level, as Bullet's below.
Description swinging(int particles, int iterations, bool direct) {
  Description d;
  d.settings.dt = 1.0 / 60;
  CableSettings c;
  c.model = CableModel::particles;
  c.segments = particles - 1;
  c.collides = false;
  c.material.mass = 0.2;
  c.material.radius = 0.01;
  c.particles.iterations = iterations;
  c.particles.direct = direct;
  LinkSettings a, b;
  b.point = Vec3(spacing * (particles - 1), 0, 0);
  b.hold = EndHold::free;
  c.route = {a, b};
  d.cables.emplace_back("rope", c);
  return d;
}

double stretchOf(const World& world) {
  for (const auto& e : world.model().elements)
    if (const auto* c = dynamic_cast<const ParticleCable*>(e.get())) {
      double worst = 0.0;
      for (int i = 0; i + 1 < c->count(); ++i)
        worst = std::max(worst,
                         (c->position(world.state(), i + 1) - c->position(world.state(), i)).norm() / c->rest(i) - 1.0);
      return worst;
    }
  return 0.0;
}

/// One second of the fall from level, over and over from the start; the worst stretch on the way is reported.
void ropeStep(benchmark::State& state, const Description& d) {
  World world = bench::make(d);
  double worst = 0.0;
  for (auto _ : state) {
    if (world.steps() >= 60) {
      state.PauseTiming();
      world = bench::make(d);
      state.ResumeTiming();
    }
    world.step();
    state.PauseTiming();
    worst = std::max(worst, stretchOf(world));
    state.ResumeTiming();
  }
  state.counters["stretch_%"] = 100.0 * worst;
}

void particleIterations(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0)), iterations = 20;
  World world = bench::make(swinging(n, iterations, false));
  for (auto _ : state) world.step();
  state.counters["particle_iterations"] = benchmark::Counter(
      static_cast<double>(n) * iterations * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(particleIterations)->RangeMultiplier(10)->Range(100, 100000)->Unit(benchmark::kMicrosecond);

void particleIterationsThreads(benchmark::State& state) {
  const int n = 100000, iterations = 20;
  Description d = swinging(n, iterations, false);
  d.cables[0].second.particles.order = SolveOrder::coloured;
  World world = bench::make(d);
  Threads pool(static_cast<int>(state.range(0)));
  world.runWith(&pool);
  for (auto _ : state) world.step();
  world.runWith(nullptr);
  state.counters["particle_iterations"] = benchmark::Counter(
      static_cast<double>(n) * iterations * static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}
BENCHMARK(particleIterationsThreads)->Arg(1)->Arg(2)->Arg(4)->Unit(benchmark::kMicrosecond)->UseRealTime();

void rope1000Direct(benchmark::State& state) {
  ropeStep(state, swinging(1000, static_cast<int>(state.range(0)), true));
}
BENCHMARK(rope1000Direct)->Arg(1)->Arg(2)->Arg(3)->Arg(4)->Iterations(240)->Unit(benchmark::kMicrosecond);

void rope1000Sweeps(benchmark::State& state) {
  ropeStep(state, swinging(1000, static_cast<int>(state.range(0)), false));
}
BENCHMARK(rope1000Sweeps)->Arg(10)->Arg(100)->Iterations(240)->Unit(benchmark::kMicrosecond);

/// A cable of 4 mm radius lying in rows on the ground: every segment touches it, rows lie `apart` metres from each
/// other.
Description lying(int n, double segment, double apart) {
  Description d;
  d.settings.dt = 1.0 / 240;
  BodySettings ground;
  ground.motion = BodyMotion::fixed;
  ground.shapes.emplace_back().type = ShapeType::halfSpace;
  d.bodies.emplace_back("ground", ground);
  CableSettings c;
  c.model = CableModel::particles;
  c.segments = n - 1;
  c.material.mass = 0.05;
  c.material.radius = 0.004;
  c.particles.self = true;
  c.particles.curve = CurveType::polyline;
  const double length = segment * (n - 1);
  const int rows = std::max(2, static_cast<int>(std::sqrt(length / apart)));
  const double width = length / rows - apart;
  for (int r = 0; r < rows; ++r)
    for (const bool back : {r % 2 == 1, r % 2 == 0}) c.shape.push_back(Vec3(back ? width : 0.0, apart * r, 0.004));
  LinkSettings a, b;
  a.hold = b.hold = EndHold::free;
  a.point = c.shape.front();
  b.point = c.shape.back();
  c.shape.erase(c.shape.begin());
  c.shape.pop_back();
  c.route = {a, b};
  d.cables.emplace_back("cable", c);
  return d;
}

void lie(benchmark::State& state, double segment, double apart) {
  const int n = static_cast<int>(state.range(0));
  World world = bench::make(lying(n, segment, apart));
  world.step();
  for (auto _ : state) world.step();
  state.SetComplexityN(n);
  state.counters["ns_a_particle"] = benchmark::Counter(n * static_cast<double>(state.iterations()),
                                                       benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void toHundredThousand(benchmark::internal::Benchmark* b) {
  b->RangeMultiplier(10)->Range(100, 100000)->Iterations(10)->Unit(benchmark::kMicrosecond);
  b->Complexity(benchmark::oNLogN);
}
/// Two diameters and a half apart: only the ground is touched.
void collisions(benchmark::State& state) { lie(state, 0.01, 0.02); }
BENCHMARK(collisions)->Apply(toHundredThousand);
/// Side by side: every segment touches those of the rows next to it too.
void collisionsOfRows(benchmark::State& state) { lie(state, 0.01, 0.008); }
BENCHMARK(collisionsOfRows)->Apply(toHundredThousand);
/// The same with segments of a fifth of the radius.
void collisionsOfFineRows(benchmark::State& state) { lie(state, 0.0008, 0.008); }
BENCHMARK(collisionsOfFineRows)->Apply(toHundredThousand);

/// A metre of cable cut ever finer: what lies next to each other along it must not count.
void collisionsCutFiner(benchmark::State& state) {
  const int n = static_cast<int>(state.range(0));
  lie(state, 1.0 / (n - 1), 0.02);
}
BENCHMARK(collisionsCutFiner)->Apply(toHundredThousand);

#ifdef REEVE_HAVE_BULLET_ROPE
void bulletRope1000(benchmark::State& state) {
  btSoftBodyRigidBodyCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btSequentialImpulseConstraintSolver solver;
  btSoftRigidDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, 0, -9.81f));
  world.getWorldInfo().m_gravity.setValue(0, 0, -9.81f);
  const int n = 1000;
  const auto make = [&] {
    btSoftBody* rope = btSoftBodyHelpers::CreateRope(
        world.getWorldInfo(), btVector3(0, 0, 0), btVector3(static_cast<btScalar>(spacing * (n - 1)), 0, 0), n - 2, 1);
    rope->setTotalMass(static_cast<btScalar>(0.2 * spacing * (n - 1)));
    rope->setMass(0, 0);
    rope->m_cfg.piterations = static_cast<int>(state.range(0));
    rope->m_materials[0]->m_kLST = 1.0f;
    rope->m_cfg.collisions = 0;
    world.addSoftBody(rope);
    return rope;
  };
  btSoftBody* rope = make();
  double worst = 0.0;
  int steps = 0;
  for (auto _ : state) {
    if (steps++ % 60 == 59) {
      state.PauseTiming();
      world.removeSoftBody(rope);
      delete rope;
      rope = make();
      state.ResumeTiming();
    }
    world.stepSimulation(1.0f / 60, 0, 1.0f / 60);
    state.PauseTiming();
    for (int i = 0; i < rope->m_links.size(); ++i) {
      const btSoftBody::Link& l = rope->m_links[i];
      worst = std::max(worst, static_cast<double>((l.m_n[1]->m_x - l.m_n[0]->m_x).length()) / spacing - 1.0);
    }
    state.ResumeTiming();
  }
  world.removeSoftBody(rope);
  delete rope;
  state.counters["stretch_%"] = 100.0 * worst;
}
BENCHMARK(bulletRope1000)->Arg(10)->Iterations(240)->Unit(benchmark::kMicrosecond);
#endif

}  // namespace
