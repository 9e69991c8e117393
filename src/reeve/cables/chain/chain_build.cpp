// From a route to a chain: material, start shape, segments, joints. What cannot be is refused in chain_check.cpp.
#include <algorithm>
#include <cmath>

#include "reeve/cables/chain/chain_cable.h"
#include "reeve/cables/chain/point_chain.h"
#include "reeve/cables/chain/route_chain.h"
#include "reeve/geometry/collide.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {
/// A segment takes about 3 kB: more of them are a mistake more often than a cable.
constexpr int mostSegments = 100000;

/// n + 1 points that divide a polyline into n parts of equal length.
std::vector<Vec3> divide(std::span<const Vec3> way, int n) {
  double total = 0.0;
  for (std::size_t i = 1; i < way.size(); ++i) total += (way[i] - way[i - 1]).norm();
  std::vector<Vec3> out{way.front()};
  double passed = 0.0;
  std::size_t i = 1;
  for (int k = 1; k < n; ++k) {
    const double wanted = total * k / n;
    while (i + 1 < way.size() && passed + (way[i] - way[i - 1]).norm() < wanted)
      passed += (way[i] - way[i - 1]).norm(), ++i;
    const double leg = (way[i] - way[i - 1]).norm();
    out.push_back(way[i - 1] + (way[i] - way[i - 1]) * (leg > 0.0 ? (wanted - passed) / leg : 0.0));
  }
  out.push_back(way.back());
  return out;
}

/// Beyond this strain the start is taken for a mistake.
constexpr double largestStrain = 1.0;

}  // namespace

std::expected<std::vector<Vec3>, Problem> ChainCable::path(const CableSite& site, double& rest) const {
  const CableSettings& s = settings_;
  const std::string where = "/cables/" + site.name;
  const auto end = [&](std::size_t i) {
    return site.now->point({site.links[i].block, site.links[i].center_B + s.route[i].point});
  };
  const Vec3 to = end(1), from = drum_ ? leavesFrom(site, s.shape.empty() ? to : s.shape.front()) : end(0);
  std::vector<Vec3> way{from};
  way.insert(way.end(), s.shape.begin(), s.shape.end());
  way.push_back(to);
  if (s.closed) way.push_back(from);
  double along = 0.0;
  for (std::size_t i = 1; i < way.size(); ++i) along += (way[i] - way[i - 1]).norm();
  if (along < 1e-9)
    return wrong(where + "/route", "both ends of the chain are at the same point",
                 "move one, or give shape points between them");
  const double distance = (to - from).norm();
  const double stored = drum_ ? s.route[0].stored.value_or(0.0) : 0.0;
  const double length = s.length ? *s.length - stored : along + s.slack;
  if (!(length > 0.0)) return wrong(where + "/slack", "the chain would have no length", "give more length");
  std::vector<Vec3> vertices;
  if (s.shape.empty() && !s.closed && s.segments == 1 && length > distance * (1.0 + 1e-6))
    return wrong(where + "/segments", "one segment cannot hang in a bow", "give more segments, or no slack");
  if (s.shape.empty() && !s.closed && length > distance * (1.0 + 1e-12)) {
    vertices.resize(static_cast<std::size_t>(s.segments) + 1);
    hangingPolyline(from, to, length, site.now->model().description.settings.gravity, vertices, asideOfFold);
  } else {
    vertices = divide(way, s.segments);
  }
  double polyline = 0.0;
  for (std::size_t i = 1; i < vertices.size(); ++i) {
    const double l = (vertices[i] - vertices[i - 1]).norm();
    if (l < 1e-9)
      return wrong(where + "/shape", "a segment would have no length", "use fewer segments, or straighten the shape");
    polyline += l;
  }
  const bool given = s.length || s.slack != 0.0 || s.tension;
  rest = given ? (s.tension ? polyline / (1.0 + *s.tension / section_.axial) : length) : polyline;
  const bool asked = s.shape.empty() || !given || std::fabs(length - along) < 1e-9 * along;
  if (asked && rest > polyline * (1.0 - 1e-9)) rest = polyline;  // a hanging start has the asked length to 1e-9
  const double strain = polyline / rest - 1.0;
  if (strain < -0.01)
    return wrong(where + "/length", "the chain is longer than the shape it should start along",
                 "lengthen the shape, or leave one of them out");
  if (strain > 1e-9 && section_.axial == unbounded)
    return wrong(where + "/length", "its ends are farther apart than it is long, and it cannot stretch",
                 "give at least " + std::to_string(polyline) + " m, or a finite axial stiffness");
  if (strain > largestStrain || strain * section_.axial > s.material.breaking)
    return wrong(where + "/length", "its ends are farther apart than stretching allows",
                 "give more length than " + std::to_string(rest) + " m, or move the ends together");
  return vertices;
}

void ChainCable::setMaterial(SegmentJoint& joint, double length) const {
  setJointMaterial(settings_, section_, length, joint);
  // Torque builds up only between two clamped ends; elsewhere its stiffness would cost a block a joint for nothing.
  joint.moments =
      settings_.closed || (settings_.route[0].hold == EndHold::clamped && settings_.route[1].hold == EndHold::clamped);
}

int ChainCable::addSegment(const CableSite& site, const Pose& pose, double length, const Vec3& velocity,
                           const Vec3& turning) {
  const MaterialSettings& m = settings_.material;
  SegmentSeed seed;
  seed.mass = m.mass * length;
  seed.inertia = seed.mass * segmentInertia(m, length);
  seed.pose = pose;
  seed.velocity = velocity;
  seed.angularVelocity = turning;
  if (settings_.collides) seed.shape = reeve::Shape{Capsule{m.radius, 0.5 * length}, Pose{}};
  seed.friction = m.friction;
  Segment& segment = segments_.emplace_back();
  segment.block = site.addSegment(seed);
  segment.length = length;
  return static_cast<int>(segments_.size()) - 1;
}

void ChainCable::addSegments(const CableSite& site, std::span<const Vec3> vertices, double rest,
                             std::vector<Pose>& poses) {
  double polyline = 0.0;
  for (std::size_t i = 1; i < vertices.size(); ++i) polyline += (vertices[i] - vertices[i - 1]).norm();
  Quat frame = fromTwoVectors(Vec3::UnitZ(), vertices[1] - vertices[0]);
  // Held ends that move: their motion is carried along the chain linearly, so that it starts without a jerk.
  const auto velocityOf = [&](std::size_t i) {
    return settings_.route[i].hold == EndHold::free || (i == 0 && drum_)
               ? Vec3(Vec3::Zero())
               : site.now->pointVelocity({site.links[i].block, site.links[i].center_B + settings_.route[i].point});
  };
  const Vec3 v0 = velocityOf(0), v1 = settings_.route[1].hold == EndHold::free ? v0 : velocityOf(1);
  if (drum_) {
    const Vec3 leg = vertices[1] - vertices[0];
    addWound(site, {0.5 * (vertices[0] + vertices[1]), frame}, leg.norm() * rest / polyline, drum_->wound, poses);
  }
  double passed = 0.0;
  for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
    const Vec3 leg = vertices[i + 1] - vertices[i];
    frame = (fromTwoVectors(frame * Vec3::UnitZ(), leg) * frame).normalized();  // carried along without twist
    const Pose pose{0.5 * (vertices[i] + vertices[i + 1]), frame};
    const double share = settings_.closed ? 0.0 : (passed + 0.5 * leg.norm()) / polyline;
    const Vec3 turning = settings_.closed ? Vec3(Vec3::Zero()) : Vec3(leg.cross(v1 - v0) / (leg.norm() * polyline));
    addSegment(site, pose, leg.norm() * rest / polyline, (1.0 - share) * v0 + share * v1, turning);
    passed += leg.norm();
    poses.push_back(pose);
  }
  finest_ = static_cast<int>(segments_.size());
  for (int i = 0; i < finest_; ++i)
    segments_[static_cast<std::size_t>(i)].from = i, segments_[static_cast<std::size_t>(i)].to = i + 1;
  if (settings_.merges > 0) addMerged(site, poses);
  if (settings_.collides) excludeNeighbours(site, poses), excludeKnotted(site, poses);
}

/// Spares for what is wound up; where they are does not matter while they sleep.
void ChainCable::addWound(const CableSite& site, const Pose& first, double length, int count,
                          std::vector<Pose>& poses) {
  for (int i = 0; i < count; ++i) {
    addSegment(site, first, length, Vec3::Zero(), Vec3::Zero());
    poses.push_back(first);
  }
}

/// Spares for what segments merge into: pairs of neighbours, pairs of those, and so on.
void ChainCable::addMerged(const CableSite& site, std::span<const Pose> poses) {
  int first = 0, count = finest_;
  for (int level = 0; level < settings_.merges && count > 1; ++level) {
    const int next = static_cast<int>(segments_.size());
    for (int k = 0; k + 1 < count; k += 2) {
      const int left = first + k;
      const Segment a = segment(left), b = segment(left + 1);
      const int own =
          addSegment(site, poses[static_cast<std::size_t>(a.from)], a.length + b.length, Vec3::Zero(), Vec3::Zero());
      Segment& whole = segments_[static_cast<std::size_t>(own)];
      whole.from = a.from;
      whole.to = b.to;
      whole.left = left;
      for (const int child : {left, left + 1}) segments_[static_cast<std::size_t>(child)].parent = own;
    }
    first = next;
    count = static_cast<int>(segments_.size()) - next;
  }
}

SegmentJoint ChainCable::joinSegments(std::size_t i, std::size_t k, std::span<const Pose> poses) const {
  SegmentJoint j;
  j.a = {segments_[i].block, Vec3(0, 0, 0.5 * segments_[i].length)};
  j.b = {segments_[k].block, Vec3(0, 0, -0.5 * segments_[k].length)};
  j.bends = j.twists = true;
  if (settings_.preformed) j.frameB = (poses[k].orientation.conjugate() * poses[i].orientation).toRotationMatrix();
  setMaterial(j, 0.5 * (segments_[i].length + segments_[k].length));
  return j;
}

SegmentJoint ChainCable::joinEnd(const CableSite& site, bool last, const Pose& pose) const {
  const std::size_t i = last ? 1 : 0;
  const Segment& segment = last ? segments_.back() : segments_.front();
  SegmentJoint j;
  const Anchor body{site.links[i].block, site.links[i].center_B + settings_.route[i].point};
  const Anchor own{segment.block, Vec3(0, 0, (last ? 0.5 : -0.5) * segment.length)};
  j.bends = j.twists = settings_.route[i].hold == EndHold::clamped;
  if (j.bends)
    (last ? j.frameB : j.frameA) = site.now->rotation(body.block).transpose() * pose.orientation.toRotationMatrix();
  j.a = last ? own : body;
  j.b = last ? body : own;
  setMaterial(j, 0.5 * segment.length);
  return j;
}

/// What holds a closed chain at a link: the middle of nothing, so it stretches no more than the body itself.
SegmentJoint ChainCable::joinRing(const CableSite& site, std::size_t link, std::span<const Pose> poses) const {
  const Anchor body{site.links[link].block, site.links[link].center_B + settings_.route[link].point};
  const Vec3 place = site.now->point(body);
  std::size_t best = 0;
  double nearest = unbounded;
  for (std::size_t i = 0; i < poses.size(); ++i)
    if (const double d = (poses[i].position - place).norm(); d < nearest - 1e-12) best = i, nearest = d;
  SegmentJoint j;
  j.a = body;
  const double half = 0.5 * segments_[best].length;
  const double along =
      std::clamp((poses[best].orientation.conjugate() * (place - poses[best].position)).z(), -half, half);
  j.b = {segments_[best].block, Vec3(0, 0, along)};
  j.bends = j.twists = settings_.route[link].hold == EndHold::clamped;
  if (j.bends) j.frameA = site.now->rotation(body.block).transpose() * poses[best].orientation.toRotationMatrix();
  setMaterial(j, 0.0);
  j.restTwist = 0.0;
  return j;
}

void ChainCable::addJoints(const CableSite& site, std::span<const Pose> poses) {
  const bool heldFirst = settings_.route[0].hold != EndHold::free && !drum_;
  const bool heldLast = settings_.route[1].hold != EndHold::free;
  const std::size_t n = poses.size();
  if (settings_.closed) {
    for (std::size_t i = 0; i < n; ++i) joints_.push_back(joinSegments((i + n - 1) % n, i, poses));
    for (std::size_t link = 0; link < 2; ++link) {
      if (settings_.route[link].hold == EndHold::free) continue;
      (link == 0 ? firstHeld_ : lastHeld_) = jointCount();
      joints_.push_back(joinRing(site, link, poses));
    }
    return;
  }
  if (heldFirst) firstHeld_ = 0;
  if (heldFirst)
    joints_.push_back(joinEnd(site, false, poses.front()));
  else if (pooled_)
    joints_.emplace_back();
  for (std::size_t i = 0; i + 1 < n; ++i) joints_.push_back(joinSegments(i, i + 1, poses));
  if (heldLast) lastHeld_ = jointCount();
  if (heldLast)
    joints_.push_back(joinEnd(site, true, poses.back()));
  else if (pooled_)
    joints_.emplace_back();
}

/// Where a taut chain to this place leaves the drum: the point n of its rim with n·(to − c) = r², on its side.
Vec3 ChainCable::leavesFrom(const CableSite& site, const Vec3& to) const {
  const Drum& d = *drum_;
  const Mat3& r = site.now->rotation(d.parent);
  const Vec3 centre = site.now->position(d.parent) + r * d.center_B, axle = r * d.axis_B;
  Vec3 away = to - centre;
  away -= axle * axle.dot(away);
  const double distance = std::max(away.norm(), d.radius * (1.0 + 1e-9)), share = d.radius / distance;
  const Vec3 e = away.normalized();
  return centre + d.radius * (share * e - d.side * std::sqrt(1.0 - share * share) * axle.cross(e));
}

std::expected<std::unique_ptr<Cable>, Problem> ChainCable::make(const CableSite& site) {
  if (RouteChain::serves(*site.settings)) return RouteChain::make(site);
  if (site.settings->route.size() > 2) return PointChain::make(site);
  if (!site.links.empty() && site.settings->route[0].type == LinkType::spool && !drumStands(site))
    return RouteChain::make(site);
  auto cable = std::make_unique<ChainCable>();
  cable->settings_ = *site.settings;
  cable->mounts_ = site.links;
  cable->pooled_ = site.settings->merges > 0;
  if (site.settings->segments > mostSegments)
    return wrong("/cables/" + site.name + "/segments",
                 "a chain has at most " + std::to_string(mostSegments) + " segments", "give fewer and longer ones");
  if (auto ok = cable->check(site); !ok) return std::unexpected(ok.error());
  cable->section_ = sectionOf(site.settings->material);
  const LinkSettings& first = site.settings->route[0];
  if (first.type == LinkType::spool) {
    Drum& drum = *(cable->drum_ = Drum{});
    const LinkMount& mount = site.links[0];
    drum.rotor = mount.rotor;
    drum.parent = mount.block;
    drum.center_B = mount.center_B;
    drum.axis_B = first.axis ? first.axis->normalized() : mount.axis_B;
    Vec3 up;
    orthonormalBasis(drum.axis_B, drum.across_B, up);
    drum.radius = first.radius.value_or(mount.radius);
    drum.side = first.side;
    drum.inertia = site.now->model().blocks[static_cast<std::size_t>(mount.rotor)].mass;
    cable->pooled_ = true;
  }
  const bool changes = site.settings->touchedBend != 1.0 || site.settings->stiffens > 0.0;
  cable->stride_ = changes ? gainStride : cable->pooled_ ? pooledStride : plainStride;
  double rest = 0.0;
  const auto vertices = cable->path(site, rest);
  if (!vertices) return std::unexpected(vertices.error());
  if (cable->drum_) {
    const double wound = first.stored.value_or(0.0) / (rest / site.settings->segments) + 1e-9;
    if (!(wound + site.settings->segments <= mostSegments))
      return wrong("/cables/" + site.name + "/route/0/stored",
                   "it would take more than " + std::to_string(mostSegments) + " segments to wind that up",
                   "store at most " + std::to_string(mostSegments * rest / site.settings->segments) +
                       " m, or give fewer and longer segments");
    cable->drum_->wound = static_cast<int>(wound);
  }
  std::vector<Pose> poses;
  cable->addSegments(site, *vertices, rest, poses);
  cable->addJoints(site, poses);
  return cable;
}

}  // namespace reeve
