// Candidates that a hoist cable could never meet are refused, with a remedy: to name one is to expect something of it.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"

namespace reeve {

/// Whether a section is cut so deep by the cable that it was not met from a side. gap: m, negative inside.
bool HoistCable::deepInside(const Shape& shape, const WrapPlane& plane, double gap) const {
  constexpr double share = 0.2;  // of the section's width
  const auto section = sectionOutline(shape, plane, settings_.material.radius);
  return !section || gap < -share * section->perimeter() / 3.0;
}

/// At the start pose, s as it was measured.
std::expected<void, Problem> HoistCable::checkCandidates(const CableSite& site, const State& s) const {
  const Instant& now = *site.now;
  std::vector<Vec3> points;
  for (std::size_t c = 0; c < site.candidates.size(); ++c) {
    const LinkMount& mount = site.candidates[c];
    const std::string path = "/cables/" + site.name + "/candidates/" + std::to_string(c), name = "'" + mount.name + "'";
    if (mount.rotor >= 0 || mount.shapes.empty())
      return wrong(path, name + " has no shape that a cable could meet", "give the body a shape, or leave it out");
    const auto holds = [&](int i) { return node(i).mount.block == mount.block; };
    bool meets = false;
    for (int i = 0; i + 1 < declared_; ++i) {
      if (holds(i) || holds(i + 1)) continue;
      meets = true;
      points.clear();
      curveOf(now, s, i, i + 1, points);
      MovingPose pose;
      pose.start = now.pose(mount.block);
      for (const Shape& shape : mount.shapes)
        for (std::size_t m = 0; m + 1 < points.size(); ++m) {
          const auto touch = sweptContact(shape, pose, {points[m], points[m]}, {points[m + 1], points[m + 1]},
                                          settings_.material.radius, m > 0, m + 2 < points.size());
          if (!touch) continue;
          const auto plane = planeAtContact(shape, *touch);
          if (plane && deepInside(shape, *plane, touch->gap))
            return wrong(path, "the cable starts inside " + name + ", which it could not meet any more",
                         "lead it past the body, by a link if need be, or leave " + name + " out of candidates");
        }
    }
    if (!meets)
      return wrong(path, name + " carries an end of every span, and a span does not meet the body that holds it",
                   "leave it out of candidates, or put what is to be met on a body of its own");
  }
  return {};
}

}  // namespace reeve
