// From a route to a strand: guides, the curves and surfaces it keeps to.
#include <algorithm>
#include <cmath>

#include "reeve/cables/idle.h"
#include "reeve/cables/strand/strand_build.h"
#include "reeve/geometry/formula_chart.h"
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

/// What a guide of this shape needs, and what would do nothing with it.
std::expected<void, Problem> checkShape(const LinkSettings& s, const std::string& path) {
  const bool own = s.chart != nullptr, spline = s.guide == GuideShape::spline, formula = s.guide == GuideShape::formula,
             torus = s.guide == GuideShape::torus, helix = s.guide == GuideShape::helix,
             straight = s.guide == GuideShape::plane || s.guide == GuideShape::line;
  const bool round = !own && !formula && !straight && !spline;
  if (round && !(s.radius.value_or(0.0) > 0.0))
    return wrong(path + "/radius", "this guide needs a radius above zero", "give radius");
  if (!own && torus && !(s.minor > 0.0))
    return wrong(path + "/minor", "a torus needs the radius of its tube", "give minor");
  if (!own && spline && s.path.size() < 2)
    return wrong(path + "/path", "a spline needs at least two points", "give path, points on the body");
  if (!own && formula && s.formula.size() != 3)
    return wrong(path + "/formula", "found " + std::to_string(s.formula.size()) + " formulas for x, y and z",
                 "give three, such as [\"0.1*cos(u)\", \"0.1*sin(u)\", \"v\"]");
  const Idle idle[] = {
      {!round && s.radius.has_value(), "/radius", "a guide of this shape has no radius", "leave it out"},
      {(own || !torus) && s.minor != 0.0, "/minor", "only a torus has a tube", "leave it out"},
      {(own || !helix) && s.pitch != 0.0, "/pitch", "only a helix rises", "leave it out"},
      {(own || !spline) && !s.path.empty(), "/path", "only a spline goes through points", "use guide spline"},
      {(own || !formula) && !s.formula.empty(), "/formula", "the guide is of another shape", "use guide formula"},
      {spline && !own && s.axis.has_value(), "/axis", "a spline is given by its points", "leave it out"},
      {spline && !own && s.point != Vec3::Zero(), "/point", "a spline is given by its points", "move them"},
  };
  return refuse(path, idle);
}

std::expected<std::shared_ptr<const Chart>, Problem> formulaOf(const LinkSettings& s, const std::string& path) {
  std::array<math::Formula, 3> formulas;
  for (std::size_t k = 0; k < 3; ++k) {
    auto read = math::Formula::parse(s.formula[k]);
    if (!read)
      return wrong(path + "/formula/" + std::to_string(k),
                   "at character " + std::to_string(read.error().column) + ": " + read.error().reason,
                   "write it with numbers, u, v, pi, + - * / ^ ( ) and sin cos tan asin acos atan exp log sqrt");
    formulas[k] = std::move(*read);
  }
  return formulaChart(std::move(formulas), pair(s.start), pair(s.end.empty() ? s.start : s.end));
}

std::expected<std::shared_ptr<const Chart>, Problem> chartOf(const LinkSettings& s, const LinkMount& mount,
                                                             const ChartFrame& frame, const std::string& path) {
  const double radius = s.radius.value_or(0.0);
  if (s.chart || s.guide == GuideShape::formula) {
    std::shared_ptr<const Chart> own = s.chart;
    if (!own) {
      auto made = formulaOf(s, path);
      if (!made) return made;
      own = *made;
    }
    const Vec2 u0 = pair(s.start), u1 = pair(s.end.empty() ? s.start : s.end);
    if (std::string fault = faultOf(*own, u0, u1); !fault.empty())
      return wrong(path + (s.chart ? "/chart" : "/formula"), "this guide cannot be used: " + fault,
                   s.chart ? "correct the chart's functions" : "move start and end, or write it otherwise");
    return placedChart(frame, std::move(own));
  }
  switch (s.guide) {
    case GuideShape::plane:
      return planeChart(frame);
    case GuideShape::cylinder:
      return cylinderChart(frame, radius);
    case GuideShape::sphere:
      return sphereChart(frame, radius);
    case GuideShape::torus:
      return torusChart(frame, radius, s.minor);
    case GuideShape::line:
      return lineChart(frame);
    case GuideShape::circle:
      return circleChart(frame, radius);
    case GuideShape::helix:
      return helixChart(frame, radius, s.pitch);
    case GuideShape::spline:
    case GuideShape::formula:
      break;
  }
  std::vector<Vec3> points;
  for (const Vec3& p : s.path) points.push_back(mount.center_B + p);
  return splineChart(std::move(points));
}

/// As many numbers for a place as the chart has parameters.
std::expected<void, Problem> checkPlaces(const LinkSettings& s, int dimension, const std::string& path) {
  const std::string wanted = dimension == 1 ? "a curve has one parameter" : "a surface has two parameters";
  const auto wrongCount = [&](const char* field, std::size_t found) {
    return wrong(path + field, wanted + ", and found " + std::to_string(found),
                 dimension == 1 ? "give one number" : "give two numbers");
  };
  if (s.start.size() != at(dimension)) return wrongCount("/start", s.start.size());
  if (!s.end.empty() && s.end.size() != at(dimension)) return wrongCount("/end", s.end.size());
  return {};
}

/// The same guide in two links one after the other: the strand keeps to it in between.
bool sameGuide(const LinkSettings& a, const LinkSettings& b) {
  return a.type == LinkType::guide && b.type == LinkType::guide && a.on == b.on && a.guide == b.guide &&
         a.point == b.point && a.axis == b.axis && a.radius == b.radius && a.minor == b.minor && a.pitch == b.pitch &&
         a.path == b.path && a.riding == b.riding && a.formula == b.formula && a.chart == b.chart;
}

}  // namespace

/// A tube or spline stays somewhere only between points that differ.
std::expected<void, Problem> StrandBuild::checkPath(const std::vector<Vec3>& points, const std::string& path) {
  double length = 0.0;
  for (std::size_t i = 1; i < points.size(); ++i) length += (points[i] - points[i - 1]).norm();
  for (std::size_t i = 1; i < points.size(); ++i)
    if (!((points[i] - points[i - 1]).norm() > 1e-9 * length))
      return wrong(path + "/path/" + std::to_string(i), "it is the same point as the one before it", "leave it out");
  return {};
}

/// A chart's place in the world at the start.
Vec3 StrandBuild::onGround(const Instant& now, const Ground& ground, const Vec2& u) const {
  const Vec3 local = ground.chart->at(u).x;
  return ground.host ? Vec3(ground.host->nodeMotion(now, ground.node).x + local) : now.point({ground.block, local});
}

std::expected<void, Problem> StrandBuild::addGuide(const CableSite& site, Draft& draft, std::size_t index) {
  const LinkSettings& s = settings_.route[index];
  const std::string path = draft.linkPath(index);
  const LinkMount& mount = site.links[index];
  if (mount.rotor >= 0)
    return wrong(path + "/on", "a guide belongs to a body, not to a rotor",
                 "put it on the body that carries the rotor");
  const Strand* host = nullptr;
  int ridden = -1;
  if (s.riding) {
    auto found = hostOf(site, index, draft.path, ridden);
    if (!found) return std::unexpected(found.error());
    host = *found;
  }
  auto frame = guideFrame(s, mount, path);
  if (!frame) return std::unexpected(frame.error());
  if (auto ok = checkShape(s, path); !ok) return ok;
  if (auto ok = checkPath(s.path, path); !ok) return ok;
  int chart = -1;
  if (index > 0 && sameGuide(settings_.route[index - 1], s)) chart = node(stations_.back().index).chart;
  if (chart < 0) {
    auto made = chartOf(s, mount, *frame, path);
    if (!made) return std::unexpected(made.error());
    Ground g;
    g.block = mount.block;
    g.host = host;
    g.node = ridden;
    g.chart = std::move(*made);
    grounds_.push_back(std::move(g));
    chart = static_cast<int>(grounds_.size()) - 1;
  }
  if (auto ok = checkPlaces(s, grounds_[at(chart)].chart->dimension(), path); !ok) return ok;
  const bool surface = !s.chart && (s.guide == GuideShape::cylinder || s.guide == GuideShape::sphere);
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
    pad.radius = s.radius.value_or(0.0);
    pad.frame = *frame;
    pad.link = static_cast<int>(index);
    pad.startsOff = !s.active;
    pads_.push_back(pad);
  }
  addGuideNode(site, draft, index, chart, s.start, leaves);
  if (!s.end.empty()) addGuideNode(site, draft, index, chart, s.end, leaves);
  return {};
}

void StrandBuild::addGuideNode(const CableSite& site, Draft& draft, std::size_t index, int chart,
                               const std::vector<double>& place, bool leaves) {
  const LinkSettings& s = settings_.route[index];
  const Ground& ground = grounds_[at(chart)];
  Node n;
  n.place = Place::chart;
  n.chart = chart;
  n.friction = s.friction;
  n.tangent = s.flows && ground.chart->curved();
  n.pad = leaves ? static_cast<int>(pads_.size()) - 1 : -1;
  draft.x.push_back(onGround(*site.now, ground, pair(place)));
  draft.u.push_back(pair(place));
  draft.flows.push_back(s.flows);
  draft.slides.push_back(true);
  nodes_.push_back(std::move(n));
  stations_.push_back({false, nodeCount() - 1, static_cast<int>(index), &place == &s.start});
}

}  // namespace reeve
