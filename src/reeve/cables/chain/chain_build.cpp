// From a route to a chain: material, start shape, segments, joints; errors for people.
#include <algorithm>
#include <cmath>

#include "reeve/cables/chain/chain_cable.h"
#include "reeve/cables/chain/point_chain.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

std::unexpected<Problem> wrong(std::string path, std::string reason, std::string remedy) {
  return std::unexpected(Problem{std::move(path), std::move(reason), std::move(remedy)});
}

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

std::expected<void, Problem> ChainCable::check(const CableSite& site) const {
  const CableSettings& s = settings_;
  const std::string path = "/cables/" + site.name;
  if (s.route.size() != 2)
    return wrong(path + "/route", "a chain of segments runs from one end to another, so its route has two links",
                 "give both ends");
  if (s.material.friction == unbounded)
    return wrong(path + "/material/friction", "the segments of a chain need a finite contact coefficient",
                 "give a number, such as 0.3; \"inf\" is for cables of joints");
  if (s.closed) return wrong(path + "/closed", "a chain has two ends", "hold both ends on one small body to close it");
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string link = path + "/route/" + std::to_string(i);
    if (s.route[i].type != LinkType::attach)
      return wrong(link + "/type", "a chain ends in attach links", "use attach, or the joints model");
    if (site.links[i].rotor >= 0)
      return wrong(link + "/on", "'" + s.route[i].on + "' is a rotor, which holds no chain", "attach it to a body");
    if (s.route[i].hold == EndHold::clamped && !site.now->rotates(site.links[i].block))
      return wrong(link + "/hold", "'" + s.route[i].on + "' is a particle, which cannot hold a direction",
                   "use pinned, or a body");
  }
  if (s.segments < 1) return wrong(path + "/segments", "a chain of no segments is nothing", "give at least 1");
  const MaterialSettings& m = s.material;
  if (!(m.mass > 0.0))
    return wrong(path + "/material/mass", "the segments of a chain need mass", "give mass per metre");
  if (!(m.radius > 0.0)) return wrong(path + "/material/radius", "the section has no area", "give a radius above zero");
  if (!(m.axial > 0.0))
    return wrong(path + "/material/axial", "a chain without axial stiffness comes apart",
                 "give EA above zero, or \"inf\"");
  if (m.young && !(*m.young > 0.0))
    return wrong(path + "/material/young", "Young's modulus must be above zero", "steel has 2e11");
  if (!(m.poisson > -1.0) || m.poisson > 0.5)
    return wrong(path + "/material/poisson", "a Poisson ratio lies above -1 and at most at 0.5", "steel has 0.3");
  if (m.bending < 0.0 || m.torsion < 0.0)
    return wrong(path + "/material", "bending and torsion stiffness are not negative", "use 0 for none");
  return {};
}

std::expected<std::vector<Vec3>, Problem> ChainCable::path(const CableSite& site, double& rest) const {
  const CableSettings& s = settings_;
  const std::string where = "/cables/" + site.name;
  const auto end = [&](std::size_t i) {
    return site.now->point({site.links[i].block, site.links[i].center_B + s.route[i].point});
  };
  const Vec3 from = end(0), to = end(1);
  std::vector<Vec3> way{from};
  way.insert(way.end(), s.shape.begin(), s.shape.end());
  way.push_back(to);
  double along = 0.0;
  for (std::size_t i = 1; i < way.size(); ++i) along += (way[i] - way[i - 1]).norm();
  if (along < 1e-9)
    return wrong(where + "/route", "both ends of the chain are at the same point",
                 "move one, or give shape points between them");
  const double distance = (to - from).norm();
  const double length = s.length.value_or(along + s.slack);
  if (!(length > 0.0)) return wrong(where + "/slack", "the chain would have no length", "give more length");
  std::vector<Vec3> vertices;
  if (s.shape.empty() && length > distance * (1.0 + 1e-12)) {
    vertices.resize(static_cast<std::size_t>(s.segments) + 1);
    hangingPolyline(from, to, length, site.now->model().description.settings.gravity, vertices);
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
  joint.length = length;
  joint.stretch = section_.axial == unbounded ? 0.0 : length / section_.axial;
  if (settings_.compliance) joint.stretch = *settings_.compliance;
  joint.bends = joint.bends && section_.bending > 0.0;
  joint.twists = joint.twists && section_.torsion > 0.0;
  if (joint.bends) joint.bend = section_.bending == unbounded ? 0.0 : length / section_.bending;
  if (joint.twists) joint.twist = section_.torsion == unbounded ? 0.0 : length / section_.torsion;
  joint.measure = settings_.twist;
  joint.restTwist = settings_.twisted * length;
  joint.damping = settings_.material.damping;
  joint.growth = settings_.bendGrowth;
  joint.stiffens = settings_.stiffens;
  // Torque builds up only between two clamped ends; elsewhere its stiffness would cost a block a joint for nothing.
  joint.moments = settings_.route[0].hold == EndHold::clamped && settings_.route[1].hold == EndHold::clamped;
  joint.plainA = joint.frameA.isIdentity(0.0);
  joint.plainB = joint.frameB.isIdentity(0.0);
}

void ChainCable::addSegments(const CableSite& site, std::span<const Vec3> vertices, double rest,
                             std::vector<Pose>& poses) {
  double polyline = 0.0;
  for (std::size_t i = 1; i < vertices.size(); ++i) polyline += (vertices[i] - vertices[i - 1]).norm();
  const MaterialSettings& m = settings_.material;
  const double r = m.radius;
  const double turn =
      m.section == SectionShape::square ? r * r / 3.0 : 0.25 * r * r;  // of the section about its diameter
  Quat frame = fromTwoVectors(Vec3::UnitZ(), vertices[1] - vertices[0]);
  // Held ends that move: their motion is carried along the chain linearly, so that it starts without a jerk.
  const auto velocityOf = [&](std::size_t i) {
    return settings_.route[i].hold == EndHold::free
               ? Vec3(Vec3::Zero())
               : site.now->pointVelocity({site.links[i].block, site.links[i].center_B + settings_.route[i].point});
  };
  const Vec3 v0 = velocityOf(0), v1 = settings_.route[1].hold == EndHold::free ? v0 : velocityOf(1);
  double passed = 0.0;
  for (std::size_t i = 0; i + 1 < vertices.size(); ++i) {
    const Vec3 leg = vertices[i + 1] - vertices[i];
    frame = (fromTwoVectors(frame * Vec3::UnitZ(), leg) * frame).normalized();  // carried along without twist
    Segment segment;
    segment.length = leg.norm() * rest / polyline;
    SegmentSeed seed;
    seed.mass = m.mass * segment.length;
    const double across = segment.length * segment.length / 12.0 + turn;
    seed.inertia = seed.mass * Vec3(across, across, 2.0 * turn);
    seed.pose = {0.5 * (vertices[i] + vertices[i + 1]), frame};
    const double share = (passed + 0.5 * leg.norm()) / polyline;
    seed.velocity = (1.0 - share) * v0 + share * v1;
    seed.angularVelocity = leg.cross(v1 - v0) / (leg.norm() * polyline);
    passed += leg.norm();
    if (settings_.collides) seed.shape = reeve::Shape{Capsule{r, 0.5 * segment.length}, Pose{}};
    seed.friction = m.friction;
    segment.block = site.addSegment(seed);
    segments_.push_back(segment);
    poses.push_back(seed.pose);
  }
  if (!settings_.collides) return;
  // Segments closer along the cable than they are thick always overlap: they do not collide with each other.
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    double between = 0.0;
    for (std::size_t k = i + 1; k < segments_.size(); ++k) {
      site.exclude(segments_[i].block, segments_[k].block);
      between += segments_[k].length;
      if (between > 3.0 * r) break;
    }
  }
  for (const bool last : {false, true}) {
    double between = 0.0;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      const Segment& s = last ? segments_[segments_.size() - 1 - i] : segments_[i];
      if (settings_.route[last ? 1 : 0].hold != EndHold::free) site.exclude(site.links[last ? 1 : 0].block, s.block);
      between += s.length;
      if (between > 3.0 * r) break;
    }
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

void ChainCable::addJoints(const CableSite& site, std::span<const Pose> poses) {
  joinedFirst_ = settings_.route[0].hold != EndHold::free;
  joinedLast_ = settings_.route[1].hold != EndHold::free;
  if (joinedFirst_) joints_.push_back(joinEnd(site, false, poses.front()));
  for (std::size_t i = 0; i + 1 < segments_.size(); ++i) joints_.push_back(joinSegments(i, i + 1, poses));
  if (joinedLast_) joints_.push_back(joinEnd(site, true, poses.back()));
}

std::expected<std::unique_ptr<Cable>, Problem> ChainCable::make(const CableSite& site) {
  if (site.settings->route.size() > 2) return PointChain::make(site);
  auto cable = std::make_unique<ChainCable>();
  cable->settings_ = *site.settings;
  cable->mounts_ = site.links;
  if (auto ok = cable->check(site); !ok) return std::unexpected(ok.error());
  const MaterialSettings& m = site.settings->material;
  cable->section_ = {m.axial, m.bending, m.torsion};
  if (m.young) {
    const double r = m.radius, area = m.section == SectionShape::square ? 4.0 * r * r : math::pi * r * r;
    const double second = m.section == SectionShape::square ? area * area / 12.0 : 0.25 * math::pi * r * r * r * r;
    const double polar = m.section == SectionShape::square ? 0.1406 * area * area : 2.0 * second;
    if (m.axial == unbounded) cable->section_.axial = *m.young * area;
    if (m.bending == 0.0) cable->section_.bending = *m.young * second;
    if (m.torsion == 0.0) cable->section_.torsion = *m.young * polar / (2.0 * (1.0 + m.poisson));
  }
  double rest = 0.0;
  const auto vertices = cable->path(site, rest);
  if (!vertices) return std::unexpected(vertices.error());
  std::vector<Pose> poses;
  cable->addSegments(site, *vertices, rest, poses);
  cable->addJoints(site, poses);
  return cable;
}

}  // namespace reeve
