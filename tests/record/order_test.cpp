#include <gtest/gtest.h>

#include "reeve/record/picture/solid.h"

namespace reeve::record {
namespace {

Solid boxAt(const Vec3& position, const Vec3& size, const View& view, const std::string& name) {
  ShapeSettings shape;
  shape.type = ShapeType::box;
  shape.size = size;
  Solid solid = *solidOf(shape, Pose{position, Quat::Identity()}, view);
  solid.owner = name;
  return solid;
}

std::vector<std::string> drawn(const std::vector<Solid>& solids) {
  std::vector<std::string> names;
  for (const std::size_t i : paintingOrder(solids)) names.push_back(solids[i].owner);
  return names;
}

TEST(PaintingOrder, aSmallBoxOnTheFarEdgeOfALargeFloorIsDrawnAfterTheFloor) {
  // Sorted by the depth of its middle, the floor would cover the box.
  const View view(Vec3(0, -1, 0.5));
  const std::vector<Solid> solids = {boxAt({0, 9, 0.5}, {1, 1, 1}, view, "box"),
                                     boxAt({0, 0, -0.5}, {20, 20, 1}, view, "floor")};
  EXPECT_EQ(drawn(solids), (std::vector<std::string>{"floor", "box"}));
}

TEST(PaintingOrder, followsTheLineOfSight) {
  const View front(Vec3(0, -1, 0)), back(Vec3(0, 1, 0));
  for (const View& view : {front, back}) {
    const std::vector<Solid> solids = {boxAt({0, 1, 0}, {1, 1, 1}, view, "far"),
                                       boxAt({0.2, -1, 0}, {1, 1, 1}, view, "near")};
    const bool isFront = view.direction(Vec3(0, -1, 0)).z() > 0;
    EXPECT_EQ(drawn(solids).back(), isFront ? "near" : "far");
  }
}

TEST(PaintingOrder, wheelsShowOnTheBodyThatCarriesThem) {
  const View view(Vec3(0, -1, 0));
  Solid wheel = wheelSolid({Vec3::Zero(), Vec3::UnitY(), Vec3::UnitX(), 0.2, 0.05}, view);
  wheel.owner = "wheel", wheel.parent = "beam";
  const std::vector<Solid> solids = {wheel, boxAt({0, 0, 0}, {2, 1, 1}, view, "beam")};
  EXPECT_EQ(drawn(solids), (std::vector<std::string>{"beam", "wheel"}));
}

TEST(PaintingOrder, aCycleStillDrawsEverythingOnce) {
  // Three planks that each lie on the next.
  const View view(Vec3(0, 0, 1));
  std::vector<Solid> solids;
  for (int i = 0; i < 3; ++i) {
    const double turn = 2.0943951 * i;
    ShapeSettings shape;
    shape.type = ShapeType::box;
    shape.size = Vec3(4, 0.3, 0.1);
    const Quat spin(std::cos(turn / 2), 0, 0, std::sin(turn / 2)), tilt(std::cos(0.1), 0, std::sin(0.1), 0);
    solids.push_back(*solidOf(shape, Pose{spin * Vec3(0, 0.8, 0), spin * tilt}, view));
    solids.back().owner = std::to_string(i);
  }
  EXPECT_EQ(drawn(solids).size(), 3u);
}

TEST(Solid, depthUnderTheMiddleOfASphereIsItsRadius) {
  const View view(Vec3(0, -1, 0));
  ShapeSettings shape;
  shape.radius = 2.0;
  const Solid solid = *solidOf(shape, Pose{}, view);
  const auto depth = solid.depth({0, 0});
  ASSERT_TRUE(depth);
  EXPECT_DOUBLE_EQ(depth->first, 2.0);
  EXPECT_DOUBLE_EQ(depth->second, -2.0);
  EXPECT_FALSE(solid.depth({2.1, 0}));
}

}  // namespace
}  // namespace reeve::record
