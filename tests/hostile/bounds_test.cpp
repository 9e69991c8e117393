// Work is bounded: building grows with what is built, contacts are looked up in constant time, and Ctrl-C is seen
// within 0.2 s in the middle of a step. Times are of the processor: others may be at work too.
#include <pthread.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "reeve/scene/scene.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

double processorTime(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// A cable of so many parts: segments, nodes, subdivisions, or wheels.
Description cableOfParts(CableModel model, int parts) {
  Description d = heavy(1.0 / 240);
  CableSettings c;
  c.model = model;
  c.route.resize(2);
  c.route[0].point = Vec3(0, 0, 0);
  c.route[1].point = Vec3(0.01 * parts, 0, 0);
  c.material.mass = 0.1;
  c.material.radius = 1e-3;
  c.slack = 1e-3 * parts;
  if (model == CableModel::strand) c.nodes = parts;
  if (model == CableModel::hoist) c.subdivisions = parts;
  if (model == CableModel::chain || model == CableModel::particles) c.segments = parts;
  if (model == CableModel::strand) c.slack = 0.0, c.material.axial = 1e4;
  if (model == CableModel::joints) {
    c.material.mass = 0.0;
    c.slack = 0.0;
    c.route.clear();
    c.route.resize(static_cast<std::size_t>(parts) + 2);
    for (int i = 0; i <= parts + 1; ++i) {
      LinkSettings& l = c.route[static_cast<std::size_t>(i)];
      l.point = Vec3(0.3 * i, 0, i % 2 == 0 ? 0.0 : 1.0);
      if (i == 0 || i == parts + 1) continue;
      RotorSettings wheel;
      wheel.position = l.point;
      wheel.radius = 0.05;
      wheel.mass = 0.1;
      d.rotors.emplace_back("w" + std::to_string(i), wheel);
      l.type = LinkType::roll;
      l.on = d.rotors.back().first;
      l.side = i % 2 == 0 ? 1 : -1;
    }
    BodySettings load;
    load.mass = 1.0;
    load.inertia = Vec3(1, 1, 1);
    load.position = c.route.back().point;
    d.bodies.emplace_back("load", load);
    c.route.back().on = "load";
    c.route.back().point = Vec3::Zero();
  }
  d.cables.emplace_back("c", c);
  return d;
}

constexpr CableModel models[] = {CableModel::joints, CableModel::strand, CableModel::hoist, CableModel::chain,
                                 CableModel::particles};

/// Processor time that it takes to build, s.
double buildTime(const Description& d) {
  const double before = processorTime();
  const auto world = World::build(d);
  EXPECT_TRUE(world) << world.error().path << " " << world.error().reason;
  return processorTime() - before;
}

TEST(Bounds, BuildingIsLinear) {
  for (const CableModel model : models) {
    const int parts = model == CableModel::joints ? 500 : 2000;
    buildTime(cableOfParts(model, parts));  // warm
    const double once = buildTime(cableOfParts(model, parts)), four = buildTime(cableOfParts(model, 4 * parts));
    EXPECT_LT(four, 9.0 * once + 0.02) << "model " << static_cast<int>(model) << ": four times as much took " << four
                                       << " s, once " << once << " s; 16 times would be quadratic";
  }
}

TEST(Bounds, MoreThanFitsIsRefusedBeforeMemoryIsTaken) {
  for (const CableModel model : models) {
    if (model == CableModel::joints) continue;  // its parts are written one by one
    const double before = processorTime();
    const auto world = World::build(cableOfParts(model, 2000000));
    ASSERT_FALSE(world) << "model " << static_cast<int>(model);
    EXPECT_NE(world.error().reason.find("000"), std::string::npos) << world.error().reason;
    EXPECT_LT(processorTime() - before, 0.2);
  }
}

/// So many balls of 0.1 m that lie side by side on a floor.
Description balls(int side) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("ground", ground());
  for (int i = 0; i < side; ++i)
    for (int k = 0; k < side; ++k) {
      BodySettings ball;
      ball.position = Vec3(0.25 * i, 0.25 * k, 0.1);
      ball.shapes.push_back(sphere(0.1));
      ball.mass = 1.0;
      d.bodies.emplace_back("b" + std::to_string(i) + "_" + std::to_string(k), ball);
    }
  return d;
}

TEST(Bounds, AStepOf30000RestingBallsTakesFourTimesThatOf7500) {
  double time[2] = {};
  for (const int which : {0, 1}) {
    World w = make(balls(which == 0 ? 87 : 174));
    for (int i = 0; i < 3; ++i) w.step();
    const double before = processorTime();
    for (int i = 0; i < 5; ++i) ASSERT_TRUE(w.step().good);
    time[which] = (processorTime() - before) / 5;
  }
  std::printf("7,569 balls %.1f ms a step, 30,276 balls %.1f ms\n", 1e3 * time[0], 1e3 * time[1]);
  EXPECT_LT(time[1], 8.0 * time[0]) << "all pairs would be 16 times";
}

/// Steps that take long: a flag that is raised in the middle of one ends it, and the state is that from before it.
TEST(Bounds, CtrlCIsSeenWithinAFifthOfASecondInTheMiddleOfAStepOfAnyModel) {
  for (const CableModel model : models) {
    const int parts = model == CableModel::joints ? 2000 : model == CableModel::strand ? 800 : 20000;
    World w = make(cableOfParts(model, parts));
    std::atomic<bool> flag = false;
    w.interruptBy(&flag);
    clockid_t clock{};
    pthread_getcpuclockid(pthread_self(), &clock);
    for (const int milliseconds : {1, 10, 40}) {
      flag = false;
      const std::uint64_t before = w.hash();
      const std::int64_t made = w.steps();
      std::atomic<double> raised = 0.0;
      std::atomic<bool> done = false;
      std::thread other([&] {
        const double until = processorTime(clock) + 1e-3 * milliseconds;
        while (processorTime(clock) < until && !done) std::this_thread::sleep_for(std::chrono::microseconds(200));
        raised = processorTime(clock);
        flag = true;
      });
      w.step();
      const double ended = processorTime(clock);
      done = true;
      other.join();
      EXPECT_LT(ended - raised, 0.2) << "model " << static_cast<int>(model) << " after " << milliseconds << " ms";
      if (w.steps() == made) {
        EXPECT_EQ(w.hash(), before) << "model " << static_cast<int>(model);
      }
    }
  }
}

}  // namespace
}  // namespace reeve::test
