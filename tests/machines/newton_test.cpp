// Machines of NVIDIA Newton's routed tendons (reproduce_newton.cpp measures them whole), and the independent solution
// that one of them is judged by.
#include <cmath>

#include "machines.h"
#include "trials/free_rollers.h"

namespace reeve::test {
namespace {

double readPath(const World& w, const std::string& path) { return w.read(*w.resolve(path)); }

TEST(NewtonMachine, XyTableFollowsTheFirstFigureToATenthOfAMillimetre) {
  World w = make(shipped("newton-xy-table"));
  double sum = 0.0;
  int frames = 0;
  for (; frames < 600; ++frames) {
    ASSERT_TRUE(w.step().good);
    const double x = 0.05 * std::sin(2 * M_PI * w.time() / 2.5);
    sum +=
        std::pow(readPath(w, "bodies.table.position.x") - x, 2) + std::pow(readPath(w, "bodies.table.position.y"), 2);
  }
  EXPECT_LT(std::sqrt(sum / frames), 1e-4);
}

TEST(NewtonMachine, CircleWithoutFrictionDoesNotTurn) {
  Description d = shipped("newton-rollers");
  for (auto& [name, cable] : d.cables) cable.route[1].friction = 0.0;
  d.settings.dt = 1.0 / 60;
  World w = make(d);
  for (int i = 0; i < 120; ++i) {
    ASSERT_TRUE(w.step().good);
    EXPECT_LT(std::fabs(readPath(w, "rotors.circle.angle")), 1e-8);
  }
}

TEST(NewtonMachine, EllipseWithoutFrictionTurnsAsAnIndependentSolutionToATwentiethOfADegree) {
  Description d = shipped("newton-rollers");
  for (auto& [name, cable] : d.cables) cable.route[1].friction = 0.0;
  World w = make(d);
  auto exact = trials::FreeRoller::ellipse(0.08, 0.045, -0.4);
  double largest = 0.0;
  for (int i = 0; i < 600; ++i) {
    ASSERT_TRUE(w.step().good);
    exact.advance(w.time());
    largest = std::max(largest, std::fabs(exact.angle));
    EXPECT_NEAR(readPath(w, "joints.axle-ellipse.coordinate"), exact.angle, 0.05 * M_PI / 180);
  }
  EXPECT_GT(largest, 0.1);  // it does turn
}

}  // namespace
}  // namespace reeve::test
