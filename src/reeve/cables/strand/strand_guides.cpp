// From a route to a strand: guides, the curves and surfaces it keeps to.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_draft.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {
Vec2 pair(const std::vector<double>& values) {
  return Vec2(values.empty() ? 0.0 : values[0], values.size() > 1 ? values[1] : 0.0);
}

std::expected<ChartFrame, Problem> guideFrame(const LinkSettings& s, const LinkMount& mount, const std::string& path) {
  ChartFrame f;
  f.origin = mount.center_B + s.point;
  Vec3 z = s.axis.value_or(Vec3::UnitZ());
  if (z.norm() < 1e-12) return wrong(path + "/axis", "the axis has no length", "give a direction, such as [0, 0, 1]");
  f.z = z.normalized();
  // An axis along z keeps x and y, so that angles count as people expect.
  if ((f.z - Vec3::UnitZ()).norm() < 1e-12) return f;
  orthonormalBasis(f.z, f.x, f.y);
  return f;
}

}  // namespace

/// A chart's place in the world at the start.
Vec3 StrandCable::onGround(const Instant& now, const Ground& ground, const Vec2& u) const {
  const Vec3 local = ground.chart->at(u).x;
  return ground.host ? Vec3(ground.host->nodeMotion(now, ground.node).x + local) : now.point({ground.block, local});
}

std::expected<void, Problem> StrandCable::addGuide(const CableSite& site, Draft& draft, std::size_t index) {
  const LinkSettings& s = settings_.route[index];
  const std::string path = draft.path + "/route/" + std::to_string(index);
  const LinkMount& mount = site.links[index];
  if (mount.rotor >= 0)
    return wrong(path + "/on", "a guide belongs to a body, not to a rotor",
                 "put it on the body that carries the rotor");
  const StrandCable* host = nullptr;
  if (s.riding) {
    auto found = hostOf(site, index, draft.path);
    if (!found) return std::unexpected(found.error());
    host = *found;
  }
  auto frame = guideFrame(s, mount, path);
  if (!frame) return std::unexpected(frame.error());
  const double radius = s.radius.value_or(0.0);
  const bool round = s.guide != GuideShape::plane && s.guide != GuideShape::line && s.guide != GuideShape::spline;
  if (round && !(radius > 0.0)) return wrong(path + "/radius", "this guide needs a radius above zero", "give radius");
  if (s.guide == GuideShape::torus && !(s.minor > 0.0))
    return wrong(path + "/minor", "a torus needs the radius of its tube", "give minor");
  if (s.guide == GuideShape::spline && s.path.size() < 2)
    return wrong(path + "/path", "a spline needs at least two points", "give path, points on the body");
  // A guide that is the same as the link before it is one guide: the strand keeps to it in between.
  int chart = -1;
  if (index > 0 && settings_.route[index - 1].type == LinkType::guide) {
    const LinkSettings& b = settings_.route[index - 1];
    const bool same = b.on == s.on && b.guide == s.guide && b.point == s.point && b.axis == s.axis &&
                      b.radius == s.radius && b.minor == s.minor && b.pitch == s.pitch && b.path == s.path &&
                      b.riding == s.riding;
    if (same) chart = node(stations_.back().index).chart;
  }
  if (chart < 0) {
    Ground g;
    g.block = mount.block;
    g.host = host;
    g.node = host ? *s.riding : -1;
    std::vector<Vec3> points;
    for (const Vec3& p : s.path) points.push_back(mount.center_B + p);
    switch (s.guide) {
      case GuideShape::plane:
        g.chart = planeChart(*frame);
        break;
      case GuideShape::cylinder:
        g.chart = cylinderChart(*frame, radius);
        break;
      case GuideShape::sphere:
        g.chart = sphereChart(*frame, radius);
        break;
      case GuideShape::torus:
        g.chart = torusChart(*frame, radius, s.minor);
        break;
      case GuideShape::line:
        g.chart = lineChart(*frame);
        break;
      case GuideShape::circle:
        g.chart = circleChart(*frame, radius);
        break;
      case GuideShape::helix:
        g.chart = helixChart(*frame, radius, s.pitch);
        break;
      case GuideShape::spline:
        g.chart = splineChart(std::move(points));
        break;
    }
    grounds_.push_back(std::move(g));
    chart = static_cast<int>(grounds_.size()) - 1;
  }
  const Ground& ground = grounds_[at(chart)];
  const bool surface = s.guide == GuideShape::cylinder || s.guide == GuideShape::sphere;
  const bool leaves = surface && s.flows && !s.end.empty() && !host && !closed_ && index > 0 &&
                      index + 1 < settings_.route.size() && s.friction == 0.0;
  if (!s.active && !leaves)
    return wrong(path + "/active",
                 "only cylinders and spheres inside a route, without friction and with two nodes, can be joined later",
                 "leave active out, or give start and end of a cylinder or sphere");
  if (leaves) {
    Pad pad;
    pad.node = nodeCount();
    pad.ball = s.guide == GuideShape::sphere;
    pad.radius = radius;
    pad.frame = *frame;
    pad.link = static_cast<int>(index);
    pad.startsOff = !s.active;
    pads_.push_back(pad);
  }
  for (const std::vector<double>* place : {&s.start, &s.end}) {
    if (place == &s.end && s.end.empty()) continue;
    Node n;
    n.place = Place::chart;
    n.chart = chart;
    n.friction = s.friction;
    n.tangent = s.flows && ground.chart->curved();
    n.pad = leaves ? static_cast<int>(pads_.size()) - 1 : -1;
    draft.x.push_back(onGround(*site.now, ground, pair(*place)));
    draft.u.push_back(pair(*place));
    draft.flows.push_back(s.flows);
    draft.slides.push_back(true);
    nodes_.push_back(std::move(n));
    stations_.push_back({false, nodeCount() - 1, static_cast<int>(index), place == &s.start});
  }
  return {};
}

}  // namespace reeve
