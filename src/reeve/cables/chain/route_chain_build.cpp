// From a route to a chain over wheels: links placed on their bodies, the path measured, segments laid along it.
#include <algorithm>
#include <cmath>

#include "reeve/cables/chain/route_chain.h"
#include "reeve/cables/drum.h"
#include "reeve/cables/idle.h"
#include "reeve/geometry/hull.h"
#include "reeve/geometry/wrap.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {
constexpr int mostRouteSegments = 100000;
/// A span should be more than one segment: how many there are by default, at least.
constexpr int segmentsOfSpan = 4;

/// m, in so many seconds.
double mostPaidOut(const Profile& payout, double seconds) {
  constexpr int samples = 1000;
  double most = 0.0;
  for (int k = 0; k <= samples; ++k)
    most = std::max(most, profileValue(payout, seconds * k / samples) - profileValue(payout, 0.0));
  return most;
}
}  // namespace

bool RouteChain::serves(const CableSettings& s) {
  const auto runs = [](const LinkSettings& l) { return l.type != LinkType::attach; };
  const bool drum = s.route.size() == 2 && s.route[0].type == LinkType::spool && !s.route[0].flanges &&
                    s.route[1].type == LinkType::attach;
  return !drum && std::any_of(s.route.begin(), s.route.end(), runs);
}

std::expected<void, Problem> RouteChain::addLink(const CableSite& site, std::size_t index) {
  const LinkSettings& s = settings_.route[index];
  const std::string path = "/cables/" + site.name + "/route/" + std::to_string(index);
  Link l;
  l.type = s.type;
  l.mount = site.links[index];
  l.side = s.side;
  l.hold = s.hold;
  l.center_B = l.mount.center_B + (l.mount.rotor >= 0 ? Vec3::Zero() : s.point);
  const bool inside = settings_.closed || (index > 0 && index + 1 < settings_.route.size());
  l.stores = s.type == LinkType::spool || s.type == LinkType::hybrid;
  if (index == 0 && given(settings_.payout)) {
    l.stores = l.paid = true;
    const double seconds = site.now->model().description.settings.seconds;
    l.stored = settings_.drum.value_or(mostPaidOut(settings_.payout, seconds) + settings_.material.radius);
  }
  l.friction = l.stores || s.type == LinkType::attach ? unbounded : s.friction;
  if (s.type != LinkType::attach && s.type != LinkType::pinhole) {
    l.axis_B = s.axis.value_or(l.mount.rotor >= 0 ? l.mount.axis_B : Vec3::UnitY()).normalized();
    orthonormalBasis(l.axis_B, l.across_B, l.up_B);
    l.up_B = l.axis_B.cross(l.across_B);
    l.spin = l.mount.axis_B.dot(l.axis_B) < 0.0 ? -1.0 : 1.0;
    l.radius = s.radius.value_or(l.mount.rotor >= 0 ? l.mount.radius : 0.0);
    if (s.shape) {
      const Section section = crossSection(l.mount.shapes[static_cast<std::size_t>(*s.shape)], l.center_B, l.axis_B);
      if (section.kind != Section::Kind::circle)
        return wrong(path + "/shape", "a chain runs over round wheels, and this section is none",
                     "give a radius, or use the joints model");
      l.center_B = section.centre;
      l.radius = section.radius;
    }
    if (!(l.radius > 0.0))
      return wrong(path + "/radius", "a wheel needs a radius above zero", "give radius, or use a pinhole for a point");
  }
  if (l.stores && !l.paid) {
    auto layers = drumLayersOf(s, settings_.material.radius, l.radius, path);
    if (!layers) return std::unexpected(layers.error());
    l.layers = *layers;
    l.stored = woundAtStart(s, l.layers, 2.0 * math::pi * l.radius);
  }
  if (inside || l.stores) {
    l.flow = site.addSlip();
    l.light = site.now->model().blocks[static_cast<std::size_t>(l.flow)].mass;
  }
  links_.push_back(std::move(l));
  return {};
}

/// Tangents and wraps at the start pose.
std::expected<void, Problem> RouteChain::measure(const CableSite& site) {
  const std::string path = "/cables/" + site.name;
  std::vector<Outline> outlines;
  std::vector<SpanLink> ends;
  for (const Link& l : links_)
    outlines.push_back(Outline::circle(l.layers.many() ? l.layers.radiusAt(l.layers.angleOf(l.stored)) : l.radius));
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Link& l = links_[i];
    const Mat3 r = site.now->rotates(l.mount.block) ? site.now->rotation(l.mount.block) : Mat3(Mat3::Identity());
    const LinkFrame frame{site.now->position(l.mount.block) + r * l.center_B, r * l.across_B, r * l.up_B, r * l.axis_B};
    ends.push_back({&outlines[i], static_cast<int>(l.side), frame});
  }
  const std::size_t n = links_.size(), spans = settings_.closed ? n : n - 1;
  std::vector<SpanGeometry> found;
  for (std::size_t k = 0; k < spans; ++k) {
    const std::size_t to = (k + 1) % n;
    const SpanGeometry& g = found.emplace_back(spanBetween(ends[k], ends[to]));
    const std::string link = path + "/route/" + std::to_string(to);
    if (g.status != TangentStatus::ok)
      return wrong(
          link,
          "there is no tangent from '" + links_[k].mount.name + "' to '" + links_[to].mount.name + "' with these sides",
          "change side, move them apart, or check that neither lies inside the other");
    if (g.length < 1e-9)
      return wrong(link, "the span from '" + links_[k].mount.name + "' has no length",
                   "put the links at different places");
    spans_.push_back({static_cast<int>(k), static_cast<int>(to)});
  }
  shortest_ = settings_.material.radius;
  for (const SpanGeometry& g : found) shortest_ = std::min(shortest_, 0.5 * g.length);
  double passed = links_.front().stores ? links_.front().stored : 0.0;
  double stored = passed;
  for (std::size_t k = 0; k < spans; ++k) {
    lines_.push_back({found[k].end[0].point, found[k].n, found[k].length, passed});
    passed += found[k].length;
    Link& l = links_[(k + 1) % n];
    if (l.stores) passed += l.stored, stored += l.stored;
    if (l.type != LinkType::roll) continue;
    const std::size_t next = (k + 1) % spans;
    const int turns = settings_.route[(k + 1) % n].turns;
    Wrap wrap = wrapBetween(outlines[(k + 1) % n], static_cast<int>(l.side), found[k].end[1].place,
                            found[next].end[0].place, turns);
    if (turns == 0 && wrap.angle > 2.0 * math::pi - 1e-9) wrap = Wrap{};
    l.wrap = wrap.angle;
    passed += l.radius * wrap.angle;
  }
  return divide(site, passed, passed - stored);
}

/// How long the segments are, how much they are stretched, and which of them lie where.
std::expected<void, Problem> RouteChain::divide(const CableSite& site, double path, double onRoute) {
  const std::string where = "/cables/" + site.name;
  double rest = path;
  if (settings_.length) rest = *settings_.length;
  if (settings_.slack != 0.0) rest += settings_.slack;
  if (settings_.tension) rest = path / (1.0 + *settings_.tension / section_.axial);
  strain_ = path / rest - 1.0;
  if (!(rest > 0.0) || strain_ > 1.0)
    return wrong(where + "/length", "the chain would be stretched to more than twice its length", "give more length");
  if (strain_ < -1e-9)
    return wrong(where + (settings_.length ? "/length" : "/slack"),
                 "a chain over wheels starts taut along its route, which is " + std::to_string(path) +
                     " m with what its drums store",
                 "leave it out, or use the joints model");
  if (strain_ > 1e-9 && !stretches())
    return wrong(where + "/length", "the chain is shorter than the path it takes, and it cannot stretch",
                 "give at least " + std::to_string(path) + " m, or a finite axial stiffness");
  const CableSettings plain;
  const int least = segmentsOfSpan * spanCount();
  const int asked = settings_.segments == plain.segments ? std::max(plain.segments, least) : settings_.segments;
  const double count = std::ceil(path / (onRoute / asked) * (1.0 - 1e-12));
  if (!(count <= mostRouteSegments))
    return wrong(where + "/segments", "it would take more than " + std::to_string(mostRouteSegments) + " segments",
                 "give fewer and longer segments, or store less");
  const int n = std::max(static_cast<int>(count), settings_.closed ? 3 : 1);
  const double pitch = path / n;
  length_ = rest / n;
  if (std::fabs(strain_) < 1e-9) length_ = pitch, strain_ = 0.0;
  std::vector<std::pair<int, int>> covers;
  for (int k = 0; k < spanCount(); ++k) {
    const Line& line = lines_[static_cast<std::size_t>(k)];
    const double from = line.before / pitch, to = (line.before + line.length) / pitch;
    const int first = std::clamp(static_cast<int>(std::floor(from + 1e-9)), 0, n - 1);
    const int last = std::clamp(static_cast<int>(std::ceil(to - 1e-9)) - 1, first, n - 1);
    spans_[static_cast<std::size_t>(k)].count = last - first + 1;
    spans_[static_cast<std::size_t>(k)].first = first;
    covers.emplace_back(first, last);
  }
  for (int i = 0; i < linkCount(); ++i) {
    const int in = entryOf(i), out = exitOf(i);
    const int before = in < 0 ? -1 : covers[static_cast<std::size_t>(in / 2)].second;
    int behind = out < 0 ? n : covers[static_cast<std::size_t>(out / 2)].first;
    if (settings_.closed && i == 0) behind += n;
    links_[static_cast<std::size_t>(i)].held = behind - before - 1;
  }
  pool_ = n + 2 * spanCount() + 2;
  return {};
}

void RouteChain::addSegments(const CableSite& site) {
  const MaterialSettings& m = settings_.material;
  const double pitch = length_ * (1.0 + strain_);
  const auto velocityOf = [&](int i) {
    const Link& l = link(i);
    return l.hold == EndHold::free && l.flow < 0 ? Vec3(Vec3::Zero())
                                                 : site.now->pointVelocity({l.mount.block, l.center_B});
  };
  int added = 0;
  const auto add = [&](const Pose& pose, const Vec3& velocity, const Vec3& turning) {
    SegmentSeed seed;
    seed.mass = m.mass * length_;
    seed.inertia = seed.mass * segmentInertia(m, length_);
    seed.pose = pose;
    seed.velocity = velocity;
    seed.angularVelocity = turning;
    const int block = site.addSegment(seed);
    if (added++ == 0) firstBlock_ = block;
  };
  for (int k = 0; k < spanCount(); ++k) {
    const Line& line = lines_[static_cast<std::size_t>(k)];
    Span& s = spans_[static_cast<std::size_t>(k)];
    const Quat frame = fromTwoVectors(Vec3::UnitZ(), line.along);
    const Vec3 v0 = velocityOf(s.from), v1 = velocityOf(s.to);
    const Vec3 turning = line.along.cross(v1 - v0) / line.length;
    const int material = s.first;
    s.first = added;
    for (int i = 0; i < s.count; ++i) {
      const double along = (material + i + 0.5) * pitch - line.before;
      add({line.start + along * line.along, frame}, v0 + (v1 - v0) * (along / line.length), turning);
    }
  }
  const Pose aside{lines_.front().start, fromTwoVectors(Vec3::UnitZ(), lines_.front().along)};
  while (added < pool_) add(aside, Vec3::Zero(), Vec3::Zero());
}

std::expected<std::unique_ptr<Cable>, Problem> RouteChain::make(const CableSite& site) {
  auto cable = std::make_unique<RouteChain>();
  cable->settings_ = *site.settings;
  if (auto ok = cable->check(site); !ok) return std::unexpected(ok.error());
  cable->section_ = sectionOf(site.settings->material);
  for (std::size_t i = 0; i < site.settings->route.size(); ++i)
    if (auto ok = cable->addLink(site, i); !ok) return std::unexpected(ok.error());
  if (auto ok = cable->measure(site); !ok) return std::unexpected(ok.error());
  if (cable->settings_.compliance) {  // of a span, so of the mean span's length of cable
    double free = 0.0;
    for (const Line& line : cable->lines_) free += line.length;
    cable->section_.axial =
        *cable->settings_.compliance > 0.0 ? free / cable->spanCount() / *cable->settings_.compliance : unbounded;
    cable->settings_.compliance.reset();
  }
  cable->joint_.bends = cable->joint_.twists = true;
  setJointMaterial(cable->settings_, cable->section_, cable->length_, cable->joint_);
  cable->addSegments(site);
  return cable;
}

}  // namespace reeve
