// From a route to a strand: what each link becomes, and errors for people.
#include <algorithm>
#include <cmath>

#include "reeve/cables/idle.h"
#include "reeve/cables/strand/strand_build.h"
#include "reeve/cables/strand/strand_cable.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {
bool neverMoves(const Model& model, int block) {
  if (model.blocks[at(block)].free) return false;
  return block == 0 || std::none_of(model.bodies.begin(), model.bodies.end(),
                                    [&](const Body& b) { return b.block == block && b.prescribed; });
}

}  // namespace

std::expected<void, Problem> StrandBuild::addWheel(const CableSite& site, Draft& draft, std::size_t index) {
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
  w.drum = s.type == LinkType::hybrid || s.type == LinkType::spool;
  w.winds = index == 0;
  w.friction = w.drum ? unbounded : s.friction;
  w.still = neverMoves(site.now->model(), mount.block);
  wheels_.push_back(std::move(w));
  stations_.push_back({true, wheelCount() - 1, static_cast<int>(index), true});
  return {};
}

/// Of a strand whose holes slide along its line: a Lagrangian node where the hole is at the start.
void StrandBuild::addSlide(const CableSite& site, Draft& draft, std::size_t index, const Vec3& point_B, bool last) {
  const Anchor anchor{site.links[index].block, point_B};
  Node n;
  n.place = Place::free;
  draft.x.push_back(site.now->point(anchor));
  draft.u.emplace_back(0.0, 0.0);
  draft.flows.push_back(false);
  draft.slides.push_back(true);
  nodes_.push_back(std::move(n));
  stations_.push_back({false, nodeCount() - 1, static_cast<int>(index), !last});
  slides_.push_back({anchor, static_cast<int>(index), nodeCount() - 1, last, 0});
}

/// A tube: material flows in at one mouth and out at the other.
std::expected<void, Problem> StrandBuild::addTube(const CableSite& site, Draft& draft, std::size_t index) {
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
  if (auto ok = checkPath(s.path, draft.linkPath(index)); !ok) return ok;
  if (settings_.sliding) {
    addSlide(site, draft, index, points.front(), false);
    addSlide(site, draft, index, points.back(), true);
    return {};
  }
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
std::expected<const Strand*, Problem> StrandBuild::hostOf(const CableSite& site, std::size_t index,
                                                          const std::string& cablePath, int& ridden) const {
  const LinkSettings& s = settings_.route[index];
  const std::string path = cablePath + "/route/" + std::to_string(index);
  const Cable* other = site.cable ? site.cable(s.on) : nullptr;
  if (!other)
    return wrong(path + "/on", "there is no strand '" + s.on + "' before this one",
                 "name a cable of model strand that is listed earlier");
  const auto* cable = dynamic_cast<const StrandCable*>(other);
  if (!cable) return wrong(path + "/on", "'" + s.on + "' is not a strand", "give it model strand");
  const Strand* host = &cable->built();
  // As people count them: along the strand.
  ridden = -1;
  int count = 0;
  for (int k = 0; k < host->stationCount(); ++k)
    if (const Station& st = host->station(k); !st.wheel && count++ == s.riding.value_or(-1)) ridden = st.index;
  if (s.riding && ridden < 0)
    return wrong(path + "/node", "'" + s.on + "' has " + std::to_string(count) + " nodes", "count them from 0");
  if (host->hasSpares())
    return wrong(path + "/on", "'" + s.on + "' has nodes that come and go with its candidates",
                 "take its candidates away, or ride on another strand");
  if (host->losesEnds())
    return wrong(path + "/on", "'" + s.on + "' has a free end that may slip out of its holes",
                 "attach its ends, or ride on another strand");
  // A node is moved by few blocks at most; riders on riders would be moved by ever more.
  if (s.riding && (s.between || s.type == LinkType::guide) && host->node(ridden).host)
    return wrong(path + "/node", "this node rides on another strand itself", "name a node that does not");
  return host;
}

/// A node on the line from one node of another strand to the next, where it slides.
std::expected<void, Problem> StrandBuild::addBetween(const CableSite& site, Draft& draft, std::size_t index,
                                                     const Strand& host, int ridden) {
  const LinkSettings& s = settings_.route[index];
  const std::string path = draft.path + "/route/" + std::to_string(index);
  int next = -1;
  for (int k = 0; k < host.segmentCount(); ++k) {
    const Segment& g = host.segment(k);
    const Station &a = host.station(g.from), &b = host.station(g.to);
    if (!a.wheel && !b.wheel && a.index == ridden && g.chart < 0) next = b.index;
  }
  if (next >= 0 && host.node(next).host)
    return wrong(path + "/node", "the next node rides on another strand itself", "name another");
  if (next < 0)
    return wrong(path + "/node", "no straight segment of '" + s.on + "' runs from this node to another",
                 "name the first of two nodes beside each other");
  if (s.start.size() != 1)
    return wrong(path + "/start", "found " + std::to_string(s.start.size()) + " numbers for a place on a line",
                 "give one, the share of the way to the next node");
  if (!(s.start[0] >= 0.0 && s.start[0] <= 1.0))
    return wrong(path + "/start", "this place is not between the two nodes", "give a share of the way, 0 to 1");
  Node n;
  n.place = Place::between;
  n.host = &host;
  n.hostA = ridden;
  n.hostB = next;
  n.friction = s.friction;
  const double share = s.start[0];
  draft.x.push_back((1.0 - share) * host.nodeMotion(*site.now, n.hostA).x + share * host.nodeMotion(*site.now, next).x);
  draft.u.emplace_back(share, 0.0);
  draft.flows.push_back(s.flows);
  draft.slides.push_back(true);
  nodes_.push_back(std::move(n));
  stations_.push_back({false, nodeCount() - 1, static_cast<int>(index), true});
  return {};
}

std::expected<void, Problem> StrandBuild::addRide(const CableSite& site, Draft& draft, std::size_t index) {
  const LinkSettings& s = settings_.route[index];
  const std::string path = draft.path + "/route/" + std::to_string(index);
  int ridden = -1;
  auto found = hostOf(site, index, draft.path, ridden);
  if (!found) return std::unexpected(found.error());
  const Strand* host = *found;
  if (s.between && !s.riding)
    return wrong(path + "/between", "the node the line starts from is not named", "give node");
  if (s.between) return addBetween(site, draft, index, *host, ridden);
  if (!s.start.empty())
    return wrong(path + "/start", "a ride on a node is where the node is", "give between, or leave it out");
  std::vector<int> riding;
  if (s.riding) {
    riding.push_back(ridden);
  } else {
    for (int k = 0; k < host->stationCount(); ++k)
      if (!host->station(k).wheel) riding.push_back(host->station(k).index);
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

std::expected<void, Problem> StrandBuild::addLink(const CableSite& site, Draft& draft, std::size_t index) {
  const LinkSettings& s = settings_.route[index];
  const std::string path = draft.path + "/route/" + std::to_string(index);
  const LinkMount& mount = site.links[index];
  const bool inside = closed_ || (index > 0 && index + 1 < settings_.route.size());
  const bool ends =
      s.type == LinkType::attach || s.type == LinkType::node || s.type == LinkType::guide || s.type == LinkType::ride;
  mounts_.push_back(mount);
  const bool drum = s.type == LinkType::hybrid || s.type == LinkType::spool;
  if (drum && inside)
    return wrong(path + "/type", "a hybrid or spool link ends a cable, but this one is in the middle",
                 "use roll, or make it the first or last link");
  if (!inside && !ends && !drum)
    return wrong(path + "/type", "a strand cannot end where its material flows",
                 "end it with attach, spool or hybrid, or add one");
  if (s.type == LinkType::attach && closed_)
    return wrong(path + "/type", "a closed strand has no attachment", "make it open, or use roll or pinhole");
  if (!s.active && s.type != LinkType::guide)
    return wrong(path + "/active", "only guides join a strand's route later", "leave active out");
  if ((s.type == LinkType::pinhole || s.type == LinkType::sheath) && s.friction == unbounded)
    return wrong(path + "/friction", "a pinhole that never slips is an attachment",
                 "use attach, or give a finite friction");
  if (s.type != LinkType::roll && !drum && s.type != LinkType::ride && mount.rotor >= 0)
    return wrong(path + "/on", "only roll, spool and hybrid go on a rotor", "name the body that carries it");
  const bool particle = !site.now->rotates(mount.block);
  if (settings_.sliding && (closed_ || drum || s.type == LinkType::roll || s.type == LinkType::guide ||
                            s.type == LinkType::ride || (s.type == LinkType::node && s.flows)))
    return wrong(path + "/type",
                 "with sliding no material flows at nodes: only attach, pinhole and sheath are slid over",
                 "leave sliding out, or the link");
  if (settings_.sliding && s.type == LinkType::pinhole) {
    addSlide(site, draft, index, particle ? Vec3(Vec3::Zero()) : Vec3(mount.center_B + s.point), false);
    return {};
  }
  if (s.type == LinkType::roll || drum) return addWheel(site, draft, index);
  if (s.type == LinkType::guide) return addGuide(site, draft, index);
  if (s.type == LinkType::sheath) return addTube(site, draft, index);
  if (s.type == LinkType::ride) return addRide(site, draft, index);
  Node n;
  const bool free = s.type == LinkType::node || (s.type == LinkType::attach && s.hold == EndHold::free);
  n.place = free ? Place::free : Place::point;
  n.pays = index == 0 && given(settings_.payout);
  n.friction = s.friction;
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

}  // namespace reeve
