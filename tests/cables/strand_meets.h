#pragma once
// Strands and the bodies they meet: what several tests of candidates share.
#include "cables/strand_scenes.h"
#include "reeve/geometry/collide.h"
#include "reeve/model/model.h"

namespace reeve::test {

/// 2 kg fall 0.2 m on a strand of 2 m that leads through a hole to a load. One lighter than it is drawn up to the hole.
inline Description fallsOnStrand(const ShapeSettings& shape, const Quat& turn, double load, int nodes, double friction,
                                 double dt) {
  Description d = heavy(dt);
  BodySettings body;
  body.mass = 2.0;
  body.position = Vec3(0, 0, 0.6);
  body.orientation = turn;
  body.collides = false;
  body.shapes.push_back(shape);
  d.bodies.emplace_back("body", body);
  addMass(d, "load", load, Vec3(1, 0, -0.5));
  CableSettings& rope = addStrand(
      d, "rope", 0.05, {attachTo("world", Vec3(-1, 0, 0.3)), through("world", Vec3(1, 0, 0.3)), attachTo("load")});
  rope.candidates = {"body"};
  rope.nodes = nodes;
  rope.material.friction = friction;
  return d;
}

/// How deep a strand of this radius is inside the first body, which stands still, m: it is drawn along its middle. (An
/// arc is drawn as chords.)
inline double depth(const World& world, double radius) {
  const Body& still = world.model().bodies[1];
  double deepest = 0.0;
  const Observation seen = world.observe();
  const auto& line = seen.cables[0].second.polyline;
  for (std::size_t k = 0; k + 1 < line.size(); ++k)
    if ((line[k + 1] - line[k]).norm() > 1e-6)
      deepest = std::max(deepest, radius - closest(line[k], line[k + 1], still.shapes[0], still.start).gap);
  return deepest;
}

}  // namespace reeve::test
