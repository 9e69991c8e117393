// From a route to a strand: stations placed, lengths measured at the start pose, coordinates made, errors for people.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_cable.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// No segment gets shorter than this share of the shortest one at the start.
constexpr double nearestShare = 1e-3;
/// Free nodes are put elsewhere when nearer to the next one than this share of a mean segment.
constexpr double finestShare = 0.1;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::unexpected<Problem> wrong(std::string path, std::string reason, std::string remedy) {
  return std::unexpected(Problem{std::move(path), std::move(reason), std::move(remedy)});
}

Vec2 pair(const std::vector<double>& values) {
  return Vec2(values.empty() ? 0.0 : values[0], values.size() > 1 ? values[1] : 0.0);
}

bool neverMoves(const Model& model, int block) {
  if (model.blocks[at(block)].free) return false;
  return block == 0 || std::none_of(model.bodies.begin(), model.bodies.end(),
                                    [&](const Body& b) { return b.block == block && b.prescribed; });
}

}  // namespace

/// A strand while it is being built: what will be coordinates is still a place.
struct StrandCable::Draft {
  std::string path;
  std::vector<Vec3> x;       ///< by node
  std::vector<bool> flows;   ///< by node
  std::vector<Vec2> u;       ///< by node, on its chart
  std::vector<Vec3> v;       ///< by node: start velocity of free ones
  std::vector<bool> slides;  ///< by node: it has parameters of its own
};

namespace {

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

std::expected<void, Problem> StrandCable::addWheel(const CableSite& site, Draft& draft, std::size_t index) {
  const LinkSettings& s = settings_.route[index];
  const std::string path = draft.path + "/route/" + std::to_string(index);
  const LinkMount& mount = site.links[index];
  Wheel w;
  w.mount = mount;
  const bool onRotor = mount.rotor >= 0;
  if (!site.now->rotates(mount.block))
    return wrong(path + "/on", "'" + s.on + "' is a particle, which has no surface to roll on",
                 "use attach or pinhole, or a body");
  if (s.shape)
    return wrong(path + "/shape", "strands roll over round things only", "give a radius, or use model joints");
  w.normal_B = s.axis.value_or(onRotor ? mount.axis_B : Vec3::UnitY());
  if (w.normal_B.norm() < 1e-12)
    return wrong(path + "/axis", "the axis has no length", "give a direction, such as [0, 1, 0]");
  w.normal_B.normalize();
  if (onRotor && std::fabs(std::fabs(w.normal_B.dot(mount.axis_B)) - 1.0) > 1e-9)
    return wrong(path + "/axis", "the cable plane of a rotor is across its axle",
                 "leave the axis out, or give the rotor's own");
  orthonormalBasis(w.normal_B, w.x_B, w.y_B);
  if (w.x_B.cross(w.y_B).dot(w.normal_B) < 0.0) w.y_B = -w.y_B;
  const double radius = s.radius.value_or(onRotor ? mount.radius : 0.0);
  if (!(radius > 0.0))
    return wrong(path + "/radius", "a wheel needs a radius above zero", "give radius, or use a pinhole for a point");
  w.outline = Outline::circle(radius);
  w.center_B = mount.center_B + (onRotor ? Vec3(Vec3::Zero()) : s.point);
  w.side = s.side;
  w.friction = s.friction;
  w.still = neverMoves(site.now->model(), mount.block);
  wheels_.push_back(std::move(w));
  stations_.push_back({true, wheelCount() - 1, static_cast<int>(index), true});
  return {};
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
    pad.first = nodeCount();  // its station once all are there
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

/// A tube: material flows in at one mouth and out at the other.
std::expected<void, Problem> StrandCable::addTube(const CableSite& site, Draft& draft, std::size_t index) {
  const LinkSettings& s = settings_.route[index];
  const LinkMount& mount = site.links[index];
  std::vector<Vec3> points;
  double length = 0.0;
  for (const Vec3& p : s.path) {
    if (!points.empty()) length += (mount.center_B + p - points.back()).norm();
    points.push_back(mount.center_B + p);
  }
  if (points.size() < 2 || !(length > 0.0))
    return wrong(draft.path + "/route/" + std::to_string(index) + "/path", "a sheath needs a path of some length",
                 "give the points of the tube on the body");
  Ground g;
  g.block = mount.block;
  g.chart = tubeChart(points);
  grounds_.push_back(std::move(g));
  for (const double u : {0.0, length}) {
    Node n;
    n.place = Place::chart;
    n.chart = static_cast<int>(grounds_.size()) - 1;
    n.at = Vec2(u, 0.0);
    n.friction = s.friction;
    draft.x.push_back(site.now->point({mount.block, u == 0.0 ? points.front() : points.back()}));
    draft.u.push_back(n.at);
    draft.flows.push_back(true);
    draft.slides.push_back(false);
    nodes_.push_back(std::move(n));
    stations_.push_back({false, nodeCount() - 1, static_cast<int>(index), u == 0.0});
  }
  return {};
}

/// The strand a link rides on, with the node it names.
std::expected<const StrandCable*, Problem> StrandCable::hostOf(const CableSite& site, std::size_t index,
                                                               const std::string& cablePath) const {
  const LinkSettings& s = settings_.route[index];
  const std::string path = cablePath + "/route/" + std::to_string(index);
  const Cable* other = site.cable ? site.cable(s.on) : nullptr;
  if (!other)
    return wrong(path + "/on", "there is no strand '" + s.on + "' before this one",
                 "name a cable of model strand that is listed earlier");
  if (other->model() != CableModel::strand)
    return wrong(path + "/on", "'" + s.on + "' is not a strand", "give it model strand");
  const auto* host = static_cast<const StrandCable*>(other);
  if (s.riding && (*s.riding < 0 || *s.riding >= host->nodeCount()))
    return wrong(path + "/node", "'" + s.on + "' has " + std::to_string(host->nodeCount()) + " nodes",
                 "count them from 0");
  // A node is moved by few blocks at most; riders on riders would be moved by ever more.
  if (s.riding && (s.between || s.type == LinkType::guide) && host->node(*s.riding).host)
    return wrong(path + "/node", "this node rides on another strand itself", "name a node that does not");
  return host;
}

/// A chart's place in the world at the start.
Vec3 StrandCable::onGround(const Instant& now, const Ground& ground, const Vec2& u) const {
  const Vec3 local = ground.chart->at(u).x;
  return ground.host ? Vec3(ground.host->nodeMotion(now, ground.node).x + local) : now.point({ground.block, local});
}

/// A node on the line from one node of another strand to the next, where it slides.
std::expected<void, Problem> StrandCable::addBetween(const CableSite& site, Draft& draft, std::size_t index,
                                                     const StrandCable& host) {
  const LinkSettings& s = settings_.route[index];
  const std::string path = draft.path + "/route/" + std::to_string(index);
  int next = -1;
  for (int k = 0; k < host.segmentCount(); ++k) {
    const Segment& g = host.segments_[at(k)];
    const Station &a = host.station(g.from), &b = host.station(g.to);
    if (!a.wheel && !b.wheel && a.index == *s.riding && g.chart < 0) next = b.index;
  }
  if (next >= 0 && host.node(next).host)
    return wrong(path + "/node", "the next node rides on another strand itself", "name another");
  if (next < 0)
    return wrong(path + "/node", "no straight segment of '" + s.on + "' runs from this node to another",
                 "name the first of two nodes beside each other");
  Node n;
  n.place = Place::between;
  n.host = &host;
  n.hostA = *s.riding;
  n.hostB = next;
  n.friction = s.friction;
  const double share = s.start.empty() ? 0.5 : s.start[0];
  draft.x.push_back((1.0 - share) * host.nodeMotion(*site.now, n.hostA).x + share * host.nodeMotion(*site.now, next).x);
  draft.u.emplace_back(share, 0.0);
  draft.flows.push_back(s.flows);
  draft.slides.push_back(true);
  nodes_.push_back(std::move(n));
  stations_.push_back({false, nodeCount() - 1, static_cast<int>(index), true});
  return {};
}

std::expected<void, Problem> StrandCable::addRide(const CableSite& site, Draft& draft, std::size_t index) {
  const LinkSettings& s = settings_.route[index];
  const std::string path = draft.path + "/route/" + std::to_string(index);
  auto found = hostOf(site, index, draft.path);
  if (!found) return std::unexpected(found.error());
  const StrandCable* host = *found;
  if (s.between && !s.riding)
    return wrong(path + "/between", "the node the line starts from is not named", "give node");
  if (s.between) return addBetween(site, draft, index, *host);
  std::vector<int> riding;
  if (s.riding) {
    riding.push_back(*s.riding);
  } else {
    for (const Station& st : host->stations_)
      if (!st.wheel) riding.push_back(st.index);
  }
  for (const int k : riding) {
    Node n;
    n.place = Place::ride;
    n.host = host;
    n.hostA = k;
    n.friction = s.friction;
    draft.x.push_back(host->nodeMotion(*site.now, k).x);
    draft.u.emplace_back(0.0, 0.0);
    draft.flows.push_back(s.flows);
    draft.slides.push_back(false);
    nodes_.push_back(std::move(n));
    stations_.push_back({false, nodeCount() - 1, static_cast<int>(index), k == riding.front()});
  }
  return {};
}

std::expected<void, Problem> StrandCable::addLink(const CableSite& site, Draft& draft, std::size_t index) {
  const LinkSettings& s = settings_.route[index];
  const std::string path = draft.path + "/route/" + std::to_string(index);
  const LinkMount& mount = site.links[index];
  const bool inside = closed_ || (index > 0 && index + 1 < settings_.route.size());
  const bool ends =
      s.type == LinkType::attach || s.type == LinkType::node || s.type == LinkType::guide || s.type == LinkType::ride;
  mounts_.push_back(mount);
  if (s.type == LinkType::hybrid || s.type == LinkType::spool)
    return wrong(path + "/type", "a strand has all its material between its ends: it cannot be wound up",
                 "use model joints for drums, or roll and attach");
  if (!inside && !ends)
    return wrong(path + "/type", "a strand cannot end where its material flows", "end it with attach, or add one");
  if (s.type == LinkType::attach && closed_)
    return wrong(path + "/type", "a closed strand has no attachment", "make it open, or use roll or pinhole");
  if (!s.active && s.type != LinkType::guide)
    return wrong(path + "/active", "only guides join a strand's route later", "leave active out");
  if ((s.type == LinkType::pinhole || s.type == LinkType::sheath) && s.friction == unbounded)
    return wrong(path + "/friction", "a pinhole that never slips is an attachment",
                 "use attach, or give a finite friction");
  if (s.type != LinkType::roll && s.type != LinkType::ride && mount.rotor >= 0)
    return wrong(path + "/on", "only roll goes on a rotor", "name the body that carries it");
  if (s.type == LinkType::roll) return addWheel(site, draft, index);
  if (s.type == LinkType::guide) return addGuide(site, draft, index);
  if (s.type == LinkType::sheath) return addTube(site, draft, index);
  if (s.type == LinkType::ride) return addRide(site, draft, index);
  Node n;
  const bool free = s.type == LinkType::node || (s.type == LinkType::attach && s.hold == EndHold::free);
  n.place = free ? Place::free : Place::point;
  n.friction = s.friction;
  const bool particle = !site.now->rotates(mount.block);
  n.anchor = {mount.block, particle ? Vec3(Vec3::Zero()) : Vec3(mount.center_B + s.point)};
  draft.x.push_back(site.now->point(n.anchor));
  draft.u.emplace_back(0.0, 0.0);
  draft.flows.push_back(s.type == LinkType::pinhole || (s.type == LinkType::node && s.flows && inside));
  draft.slides.push_back(free);
  draft.v.resize(nodes_.size(), Vec3::Zero());
  draft.v.push_back(s.velocity);
  nodes_.push_back(std::move(n));
  stations_.push_back({false, nodeCount() - 1, static_cast<int>(index), true});
  return {};
}

std::expected<void, Problem> StrandCable::finishBuilding(const CableSite& site, Draft& draft) {
  const Instant& now = *site.now;
  static const Outline pointOutline = Outline::point();
  const auto linkOf = [&](const Station& st) {
    SpanLink l;
    if (st.wheel) {
      const Wheel& w = wheel(st.index);
      l.outline = &w.outline;
      l.sigma = w.side;
      l.frame = wheelFrame(now, w);
    } else {
      l.outline = &pointOutline;
      l.frame.origin = draft.x[at(st.index)];
    }
    return l;
  };
  const auto shared = [&](const Station& a, const Station& b) {
    if (a.wheel || b.wheel) return -1;
    const Node &na = node(a.index), &nb = node(b.index);
    return na.place == Place::chart && nb.place == Place::chart && na.chart == nb.chart ? na.chart : -1;
  };
  // A strand ends in material points.
  if (!closed_) {
    for (const Station* st : {&stations_.front(), &stations_.back()}) {
      draft.flows[at(st->index)] = false;
      nodes_[at(st->index)].tangent = false;
    }
  }
  // What a strand is off at the start lies on the line between its neighbours.
  const auto isOff = [&](const Station& st) {
    return !st.wheel && node(st.index).pad >= 0 && pads_[at(node(st.index).pad)].startsOff;
  };
  for (std::size_t k = 0; k < stations_.size(); ++k) {
    if (!isOff(stations_[k])) continue;
    std::size_t a = k, c = k;
    while (isOff(stations_[a])) --a;
    while (isOff(stations_[c])) ++c;
    if (stations_[a].wheel || stations_[c].wheel) continue;  // refused below
    const double f = static_cast<double>(k - a) / static_cast<double>(c - a);
    draft.x[at(stations_[k].index)] = (1.0 - f) * draft.x[at(stations_[a].index)] + f * draft.x[at(stations_[c].index)];
  }
  // Nodes that must be tangent are moved there: the freedom along the strand is not to be found by the first step.
  const auto tangency = [&](std::size_t k, std::size_t other) {
    const int i = stations_[k].index;
    const Ground& ground = grounds_[at(node(i).chart)];
    for (int it = 0; it < 50; ++it) {
      const ChartPoint p = ground.chart->at(draft.u[at(i)]);
      const SpanGeometry span = spanBetween(linkOf(stations_[k]), linkOf(stations_[other]));
      Vec3 d = span.end[1].point - draft.x[at(i)];
      if (!ground.host && now.rotates(ground.block)) d = now.rotation(ground.block).transpose() * d;
      const bool surface = ground.chart->dimension() == 2;
      const Vec3 normal = (surface ? Vec3(p.du[0].cross(p.du[1])) : p.duu[0]).normalized();
      const double miss = normal.dot(d);
      // Along the strand on the surface: δx = t δ, and N turns by −κ t δ.
      Vec3 t = (d - normal * normal.dot(d)).normalized();
      if (!surface) t = p.du[0].normalized();
      Vec2 step = Vec2::Zero();
      if (surface) {
        Eigen::Matrix2d metric;
        metric << p.du[0].dot(p.du[0]), p.du[0].dot(p.du[1]), p.du[0].dot(p.du[1]), p.du[1].dot(p.du[1]);
        step = metric.inverse() * Vec2(p.du[0].dot(t), p.du[1].dot(t));
      } else {
        step.x() = 1.0 / p.du[0].norm();
      }
      const Vec3 second =
          p.duu[0] * step.x() * step.x() + 2.0 * p.duu[1] * step.x() * step.y() + p.duu[2] * step.y() * step.y();
      const double slope = -normal.dot(second) * t.dot(d);
      if (std::fabs(slope) < 1e-12) return;
      const double move = std::clamp(-miss / slope, -0.2 * d.norm(), 0.2 * d.norm());
      draft.u[at(i)] += step * move;
      draft.x[at(i)] = onGround(now, ground, draft.u[at(i)]);
      if (std::fabs(move) < 1e-14) return;
    }
  };
  for (int round = 0; round < 40; ++round)
    for (std::size_t k = 0; k < stations_.size(); ++k) {
      if (stations_[k].wheel || !node(stations_[k].index).tangent || isOff(stations_[k])) continue;
      const bool onBefore = k > 0 && shared(stations_[k - 1], stations_[k]) >= 0;
      if (onBefore && k + 1 < stations_.size() && shared(stations_[k], stations_[k + 1]) < 0) tangency(k, k + 1);
      if (!onBefore && k > 0) tangency(k, k - 1);
    }
  // Free nodes in the free spans, along the hanging curve where there is slack.
  std::vector<Station> all;
  const std::size_t count = stations_.size(), spans = closed_ ? count : count - 1;
  double free = 0.0;
  std::vector<std::pair<Vec3, Vec3>> ends(spans);
  for (std::size_t k = 0; k < spans; ++k) {
    const Station &a = stations_[k], &b = stations_[(k + 1) % count];
    if (shared(a, b) >= 0) continue;
    const SpanGeometry span = spanBetween(linkOf(a), linkOf(b));
    const std::string path = draft.path + "/route/" + std::to_string(b.link);
    if (span.status != TangentStatus::ok)
      return wrong(path, "there is no tangent from the link before it with these sides",
                   "change side, move them apart, or check that neither lies inside the other");
    if (span.length < 1e-9) return wrong(path, "the span before it has no length", "put the links at different places");
    ends[k] = {span.end[0].point, span.end[1].point};
    free += span.length;
  }
  for (std::size_t k = 0; k < count; ++k) {
    all.push_back(stations_[k]);
    if (k >= spans || shared(stations_[k], stations_[(k + 1) % count]) >= 0 || settings_.nodes == 0) continue;
    const double length = (ends[k].second - ends[k].first).norm();
    std::vector<Vec3> points(at(settings_.nodes + 2));
    hangingPolyline(ends[k].first, ends[k].second, length * (1.0 + std::max(settings_.slack, 0.0) / free),
                    now.model().description.settings.gravity, points);
    for (int j = 1; j <= settings_.nodes; ++j) {
      Node n;
      n.place = Place::free;
      draft.x.push_back(points[at(j)]);
      draft.u.emplace_back(0.0, 0.0);
      draft.flows.push_back(false);
      draft.slides.push_back(true);
      nodes_.push_back(std::move(n));
      all.push_back({false, nodeCount() - 1, stations_[k].link, false});
    }
  }
  stations_ = std::move(all);
  for (std::size_t k = 0; k < stations_.size(); ++k)
    if (!stations_[k].wheel) nodes_[at(stations_[k].index)].at0 = static_cast<int>(k);
  for (Pad& pad : pads_) {
    pad.first = node(pad.first).at0;
    if (!stations_[at(pad.first - 1)].wheel && !stations_[at(pad.first + 2)].wheel) continue;
    if (pad.startsOff)
      return wrong(draft.path + "/route/" + std::to_string(pad.link) + "/active",
                   "a guide that is joined later cannot be next to a wheel", "put a pinhole or node between them");
    for (int k = 0; k < 2; ++k) nodes_[at(stations_[at(pad.first + k)].index)].pad = -1;
  }
  // Segments, and the material between them.
  startMemory_.assign(at(wheelCount() * perWheel), 0.0);
  std::vector<double> rests;
  const double stretch = settings_.tension ? 1.0 + *settings_.tension / settings_.material.axial : 1.0;
  const std::size_t total = stations_.size();
  double s = 0.0;
  for (std::size_t k = 0; k < total; ++k) {
    const Station& st = stations_[k];
    if (st.wheel) startMemory_[at(st.index * perWheel + exitS_)] = s;
    if (!st.wheel) nodes_[at(st.index)].s = s;
    if (!closed_ && k + 1 == total) break;
    Segment g;
    g.from = static_cast<int>(k);
    g.to = static_cast<int>((k + 1) % total);
    const Station& next = stations_[at(g.to)];
    g.chart = shared(st, next);
    const auto isFree = [&](const Station& x) { return !x.wheel && node(x.index).place == Place::free; };
    g.unilateral = g.chart < 0 && !isFree(st) && !isFree(next);
    double length = 0.0;
    if (g.chart >= 0 && isOff(st)) {
      length = (draft.x[at(next.index)] - draft.x[at(st.index)]).norm();
    } else if (g.chart >= 0) {
      const Chart& chart = *grounds_[at(g.chart)].chart;
      const Vec2 u0 = draft.u[at(st.index)], d = draft.u[at(next.index)] - u0;
      const GaussRule& rule = gaussRule(chart.points(d));
      for (int i = 0; i < rule.count; ++i) {
        const ChartPoint p = chart.at(u0 + rule.at[at(i)] * d);
        length += rule.weight[at(i)] * (p.du[0] * d.x() + p.du[1] * d.y()).norm();
      }
    } else {
      const SpanGeometry span = spanBetween(linkOf(st), linkOf(next));
      length = span.length;
      if (st.wheel) startMemory_[at(st.index * perWheel + exitAngle_)] = span.end[0].place.angle;
      if (next.wheel) startMemory_[at(next.index * perWheel + entryAngle_)] = span.end[1].place.angle;
      if (settings_.nodes == 0 && settings_.slack > 0.0) length *= 1.0 + settings_.slack / free;
    }
    if (!(length > 1e-9))
      return wrong(draft.path + "/route/" + std::to_string(next.link), "the strand has no length before this link",
                   "put the links at different places");
    s += length / stretch;
    rests.push_back(length / stretch);
    nearest_ = nearest_ > 0.0 ? std::min(nearest_, nearestShare * length) : nearestShare * length;
    if (next.wheel) {
      startMemory_[at(next.index * perWheel + entryS_)] = s;
      if (g.to != 0) {
        // What lies on the wheel: known once the tangent that leaves it is.
        const Wheel& w = wheel(next.index);
        const Station& beyond = stations_[(k + 2) % total];
        const SpanGeometry in = spanBetween(linkOf(st), linkOf(next)), out = spanBetween(linkOf(next), linkOf(beyond));
        if (out.status != TangentStatus::ok)
          return wrong(draft.path + "/route/" + std::to_string(beyond.link),
                       "there is no tangent from the link before it with these sides",
                       "change side, or move them apart");
        Wrap wrap =
            wrapBetween(w.outline, w.side, in.end[1].place, out.end[0].place, settings_.route[at(next.link)].turns);
        if (settings_.route[at(next.link)].turns == 0 && wrap.angle > 2.0 * math::pi - 1e-9) wrap = Wrap{};
        s += wrap.length;
      }
    }
    segments_.push_back(g);
  }
  length_ = s;
  if (closed_) segments_.back().around = 0.0;
  // The exit angle continues the entry's, whole turns included.
  for (std::size_t k = 0; k < total; ++k) {
    if (!stations_[k].wheel) continue;
    const int i = stations_[k].index;
    const Wheel& w = wheel(i);
    double& exit = startMemory_[at(i * perWheel + exitAngle_)];
    const double entry = startMemory_[at(i * perWheel + entryAngle_)];
    BoundaryPoint in, out;
    in.angle = entry;
    out.angle = exit;
    in.s = entry * w.outline.radius();
    out.s = exit * w.outline.radius();
    const int turns = settings_.route[at(stations_[k].link)].turns;
    Wrap wrap = wrapBetween(w.outline, w.side, in, out, turns);
    if (turns == 0 && wrap.angle > 2.0 * math::pi - 1e-9) wrap = Wrap{};
    exit = entry + w.side * wrap.angle;
    if (closed_ && k == 0) {
      // The loop closes on the first wheel: its entry belongs to the end of the material.
      length_ += wrap.length;
      startMemory_[at(i * perWheel + entryS_)] = -wrap.length;
    }
  }
  if (closed_) segments_.back().around = length_;
  startMemory_.insert(startMemory_.end(), rests.begin(), rests.end());
  // Coordinates, of the size of what hangs on them.
  const double share = density_ * length_ / static_cast<double>(segments_.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    Node& n = nodes_[i];
    if (draft.slides[i]) {
      std::vector<double> q, rate;
      if (n.place == Place::free) q = {draft.x[i].x(), draft.x[i].y(), draft.x[i].z()};
      rate.assign(q.size(), 0.0);
      if (n.place == Place::free && i < draft.v.size()) rate = {draft.v[i].x(), draft.v[i].y(), draft.v[i].z()};
      if (n.place == Place::between) q = {draft.u[i].x()};
      if (n.place == Place::chart)
        for (int k = 0; k < grounds_[at(n.chart)].chart->dimension(); ++k) q.push_back(draft.u[i][k]);
      rate.resize(q.size(), 0.0);
      n.block = site.addCoordinate(q, rate, share);
    }
    if (n.place == Place::free && !draft.flows[i]) {
      n.kept = static_cast<int>(startMemory_.size());
      startMemory_.push_back(n.s);
    }
    if (draft.flows[i]) {
      const double start[] = {n.s}, rate[] = {0.0};
      n.flow = site.addCoordinate(start, rate, share);
    }
  }
  // Where material flows, free nodes come to holes: they are put elsewhere before they are there.
  finest_ = settings_.finest;
  if (finest_ == 0.0 && std::any_of(draft.flows.begin(), draft.flows.end(), [](bool f) { return f; })) {
    const bool has = std::any_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.kept >= 0; });
    if (has) finest_ = finestShare * length_ / static_cast<double>(segments_.size());
  }
  for (Pad& pad : pads_) {
    pad.kept = static_cast<int>(startMemory_.size());
    startMemory_.push_back(pad.startsOff ? 1.0 : 0.0);
  }
  for (Wheel& w : wheels_) {
    const double zero[] = {0.0};
    if (w.friction < unbounded) w.slip = site.addCoordinate(zero, zero, share);
  }
  site.carry();
  return {};
}

std::expected<std::unique_ptr<Cable>, Problem> StrandCable::make(const CableSite& site) {
  auto cable = std::make_unique<StrandCable>();
  cable->settings_ = *site.settings;
  cable->closed_ = site.settings->closed;
  cable->density_ = site.settings->material.mass;
  Draft draft;
  draft.path = "/cables/" + site.name;
  const CableSettings& s = *site.settings;
  if (s.route.size() < 2) return wrong(draft.path + "/route", "a cable needs at least two links", "add a link");
  if (!(cable->density_ > 0.0))
    return wrong(draft.path + "/material/mass", "a strand needs a mass per metre above zero",
                 "give material.mass, or use model joints, which has none");
  if (s.length || !s.slacks.empty())
    return wrong(draft.path + (s.length ? "/length" : "/slacks"), "a strand is as long as its route",
                 "leave it out; slack adds to the spans");
  if (s.tension && s.material.axial == unbounded)
    return wrong(draft.path + "/tension", "a strand that cannot stretch takes no start tension",
                 "give it a finite axial stiffness");
  if (s.slack < 0.0) return wrong(draft.path + "/slack", "the strand would be shorter than its path", "give 0 or more");
  const SolverChoice solver = site.now->model().description.settings.solver;
  if (s.model == CableModel::strand && (solver == SolverChoice::sweep || solver == SolverChoice::blocks))
    return wrong("/settings/solver",
                 std::string(solver == SolverChoice::sweep ? "sweep" : "blocks") +
                     " cannot take strands, whose mass lies between the coordinates",
                 "use direct or auto");
  for (std::size_t i = 0; i < s.route.size(); ++i)
    if (auto ok = cable->addLink(site, draft, i); !ok) return std::unexpected(ok.error());
  if (auto ok = cable->finishBuilding(site, draft); !ok) return std::unexpected(ok.error());
  return cable;
}

}  // namespace reeve
