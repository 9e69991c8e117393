#pragma once
// Strands and their links for scenes in code.
#include "cables/cable_scenes.h"

namespace reeve::test {

inline LinkSettings freeNode(Vec3 point, Vec3 velocity = Vec3::Zero(), bool flows = false) {
  LinkSettings l;
  l.type = LinkType::node;
  l.point = point;
  l.velocity = velocity;
  l.flows = flows;
  return l;
}

inline LinkSettings guideOn(std::string on, GuideShape shape, Vec3 point, Vec3 axis, double radius,
                            std::vector<double> start, std::vector<double> end = {}, bool flows = true) {
  LinkSettings l;
  l.type = LinkType::guide;
  l.on = std::move(on);
  l.guide = shape;
  using enum GuideShape;
  if (shape != spline) {
    l.axis = axis;
    l.point = point;
  }
  if (shape != plane && shape != line && shape != spline && shape != formula) l.radius = radius;
  l.start = std::move(start);
  l.end = std::move(end);
  l.flows = flows;
  l.friction = 0.0;
  return l;
}

inline LinkSettings tubeOn(std::string on, std::vector<Vec3> path) {
  LinkSettings l = through(std::move(on));
  l.type = LinkType::sheath;
  l.path = std::move(path);
  return l;
}

inline LinkSettings rideOn(std::string strand, std::optional<int> node = {}, bool flows = true) {
  LinkSettings l;
  l.type = LinkType::ride;
  l.on = std::move(strand);
  l.riding = node;
  l.flows = flows;
  l.friction = 0.0;
  return l;
}

inline CableSettings& addStrand(Description& d, const std::string& name, double density,
                                std::vector<LinkSettings> route) {
  CableSettings& c = addCable(d, name, std::move(route));
  c.model = CableModel::strand;
  c.material.mass = density;
  d.settings.solver = SolverChoice::direct;
  return c;
}

}  // namespace reeve::test
