#include "reeve/world/observables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "reeve/record/trajectory.h"
#include "reeve/scene/scene.h"
#include "support/source_dir.h"

namespace reeve::record {
namespace {

World shipped(const std::string& name) {
  std::ifstream file(sourceDir() + "/scenes/" + name + ".json", std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  auto world = World::build(readScene(text.str(), name).value());
  EXPECT_TRUE(world) << name;
  return std::move(*world);
}

std::string unitAt(const World& world, const std::string& path) {
  const auto found = world.resolve(path);
  EXPECT_TRUE(found) << path;
  return found ? unitOf(world, *found) : "?";
}

TEST(Observables, everyPathResolvesAndThoseOfATrajectoryAreAmongThem) {
  for (const char* name : {"crane", "elevator-brake", "chain-winch", "bead-on-string", "belt", "top", "long-span"}) {
    SCOPED_TRACE(name);
    const World world = shipped(name);
    const std::vector<std::string> all = everyPath(world);
    const std::set<std::string> known(all.begin(), all.end());
    EXPECT_EQ(known.size(), all.size()) << "a path twice";
    for (const std::string& path : all) EXPECT_TRUE(world.resolve(path)) << path;
    for (const std::string& path : world.paths()) EXPECT_TRUE(known.contains(path)) << path;
  }
}

TEST(Observables, aUnitIsThatOfWhatTurnsOrSlides) {
  const World world = shipped("elevator-brake");
  EXPECT_EQ(unitAt(world, "time"), "s");
  EXPECT_EQ(unitAt(world, "bodies.car.position.z"), "m");
  EXPECT_EQ(unitAt(world, "bodies.car.angular_velocity.x"), "rad/s");
  EXPECT_EQ(unitAt(world, "bodies.car.orientation.w"), "");
  EXPECT_EQ(unitAt(world, "rotors.sheave.rate"), "rad/s");
  EXPECT_EQ(unitAt(world, "motors.machine.force"), "N m");
  EXPECT_EQ(unitAt(world, "motors.machine.power"), "W");
  EXPECT_EQ(unitAt(world, "cables.rope.spans.0.tension"), "N");
  EXPECT_EQ(unitAt(world, "cables.rope.links.1.wrap"), "rad");
  EXPECT_EQ(unitAt(world, "energy.motors"), "J");
  EXPECT_EQ(unitAt(world, "events.governor.time"), "s");
  const World finger = shipped("tendon-finger");
  EXPECT_EQ(unitAt(finger, "joints.middle-joint.coordinate"), "rad");
  for (const auto& [name, joint] : finger.description().joints)
    if (joint.type == JointType::slider) {
      EXPECT_EQ(unitAt(finger, "joints." + name + ".coordinate"), "m");
    }
}

TEST(Observables, aTableMayHaveUnitsInItsHeader) {
  Trajectory table({"time", "bodies.a.position.x", "energy.total", "cables.a.spans.0.slack"}, {"s", "m", "J", ""});
  EXPECT_EQ(table.take(), "time [s],bodies.a.position.x [m],energy.total [J],cables.a.spans.0.slack\n");
}

}  // namespace
}  // namespace reeve::record
