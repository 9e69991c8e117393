// What a strand may come to lie on: the edges and round parts of candidate bodies, grown by the strand's radius.
//
// Faces of a polyhedron move outward by the radius, and so its edges to where the moved faces meet: with the unit
// normals n₁, n₂ beside an edge, by r (n₁ + n₂)/(1 + n₁·n₂).
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_build.h"
#include "reeve/geometry/collide.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {

/// Nodes that come and go: so many for each shape, and not more than so many.
constexpr int eachShape = 4, mostSpares = 24;
/// A strand more nearly along an edge than this (sine) lies beside it, not across.
constexpr double alongEdge = 0.05;
/// A line that comes nearer to the middle of a round body than this share of its radius has no side to lie on.
constexpr double throughMiddle = 0.1;
/// How far (cosine) the direction away from an edge may be beyond the faces beside it: a strand flat on one of them.
constexpr double flatOn = 0.01;
/// Of a body's radius or thickness: a strand that is inside by less was on this side of it.
constexpr double deepShare = 0.25;

/// Of a span: so much of it beside a link on a candidate may be inside.
constexpr double besideLink = 1e-3;
/// With a little more at its ends: a body just above a node is beside one of its segments.
bool onSegment(double share) { return share > -1e-6 && share < 1.0 + 1e-6; }

std::optional<Hull> polyhedron(const Shape& shape) {
  if (const auto* hull = std::get_if<Hull>(&shape.geometry)) return *hull;
  if (const auto* prism = std::get_if<Prism>(&shape.geometry)) return prism->hull;
  const auto* box = std::get_if<Box>(&shape.geometry);
  if (!box) return std::nullopt;
  std::vector<Vec3> corners;
  for (int k = 0; k < 8; ++k)
    corners.emplace_back((k & 1 ? 1 : -1) * box->half.x(), (k & 2 ? 1 : -1) * box->half.y(),
                         (k & 4 ? 1 : -1) * box->half.z());
  auto hull = convexHull(std::span<const Vec3>(corners));
  return hull ? std::optional<Hull>(std::move(*hull)) : std::nullopt;
}

}  // namespace

void StrandBuild::addFeature(int block, const Shape& shape) {
  const double r = settings_.material.radius;
  const Pose& pose = shape.local;
  Feature f;
  f.block = block;
  f.origin = pose.position;
  f.along = pose.direction(Vec3::UnitZ());
  if (std::holds_alternative<HalfSpace>(shape.geometry)) {
    solids_.push_back({block, {f.along}, {f.along.dot(f.origin) + r}, 0.0});
    return;
  }
  const auto round = [&](Feature::Kind kind, double radius, double half, double up) {
    f.kind = kind;
    f.radius = radius + r;
    f.length = half;
    f.depth = deepShare * f.radius;
    f.origin = pose.position + up * f.along;
    features_.push_back(f);
  };
  if (const auto* ball = std::get_if<Sphere>(&shape.geometry)) {
    round(Feature::Kind::ball, ball->radius, 0.0, 0.0);
  } else if (const auto* tube = std::get_if<Cylinder>(&shape.geometry)) {
    f.flat = true;
    round(Feature::Kind::tube, tube->radius, tube->halfLength + r, 0.0);
    // Its flat ends are met at their rims, where a strand goes in over them and where it comes out.
    const double depth = std::min(f.depth, 2.0 * deepShare * tube->halfLength);
    for (const double up : {-1.0, 1.0}) {
      Feature rim = f;
      rim.kind = Feature::Kind::rim;
      rim.depth = depth;
      rim.origin = pose.position + up * (tube->halfLength + r) * f.along;
      rim.along = up * f.along;
      for (const bool leaves : {false, true}) {
        rim.leaves = leaves;
        features_.push_back(rim);
      }
    }
  } else if (const auto* capsule = std::get_if<Capsule>(&shape.geometry)) {
    round(Feature::Kind::tube, capsule->radius, capsule->halfLength, 0.0);
    for (const double up : {-capsule->halfLength, capsule->halfLength})
      round(Feature::Kind::ball, capsule->radius, 0.0, up);
  } else if (const auto hull = polyhedron(shape)) {
    Solid solid{block, {}, {}, 0.0};
    for (const Hull::Face& face : hull->faces) {
      const Vec3 n = pose.direction(face.normal);
      solid.normal.push_back(n);
      solid.offset.push_back(face.offset + n.dot(pose.position) + r);
    }
    f.kind = Feature::Kind::edge;
    // How thick it is: the least of the distances from a face to what is farthest behind it.
    double thick = HUGE_VAL;
    for (const Hull::Face& face : hull->faces) {
      double behind = 0.0;
      for (const Vec3& v : hull->vertices) behind = std::max(behind, face.offset - face.normal.dot(v));
      thick = std::min(thick, behind);
    }
    f.depth = deepShare * thick;
    solid.half = 0.5 * thick + r;
    for (const Hull::Edge& e : hull->edges) {
      const Vec3 from = pose.point(hull->vertices[at(e.from)]), to = pose.point(hull->vertices[at(e.to)]);
      f.normal = {solid.normal[at(e.left)], solid.normal[at(e.right)]};
      const double open = 1.0 + f.normal[0].dot(f.normal[1]);
      f.origin = from + (open > 0.1 ? Vec3((f.normal[0] + f.normal[1]) * (r / open)) : Vec3(Vec3::Zero()));
      f.length = (to - from).norm();
      f.along = (to - from) / f.length;
      features_.push_back(f);
    }
    solids_.push_back(std::move(solid));
  }
}

std::expected<void, Problem> StrandBuild::addFeatures(const CableSite& site, const Draft& draft) {
  room_ = stationCount();
  if (site.candidates.empty()) return {};
  const std::string path = draft.path + "/candidates";
  if (settings_.sliding)
    return wrong(path, "with sliding no node comes or goes", "leave sliding out, or the candidates");
  int shapes = 0;
  for (std::size_t i = 0; i < site.candidates.size(); ++i) {
    const LinkMount& mount = site.candidates[i];
    if (mount.shapes.empty() || mount.rotor >= 0)
      return wrong(path + "/" + std::to_string(i), "'" + settings_.candidates[i] + "' has no shape to lie on",
                   "name a body with shapes");
    for (const Shape& shape : mount.shapes) addFeature(mount.block, shape);
    shapes += static_cast<int>(mount.shapes.size());
  }
  if (auto ok = checkClear(site, draft); !ok) return ok;
  touches_ = true;
  spares_.resize(at(std::min(mostSpares, eachShape * shapes + eachShape)));
  room_ += static_cast<int>(spares_.size());
  return {};
}

/// Bodies a strand may meet have to be beside it: from inside there is no side to meet them from.
std::expected<void, Problem> StrandBuild::checkClear(const CableSite& site, const Draft& draft) const {
  const double r = settings_.material.radius;
  for (int k = 0; k + (closed_ ? 0 : 1) < stationCount(); ++k) {
    const Station &a = station(k), &b = station((k + 1) % stationCount());
    if (sharedChart(a, b) >= 0) continue;
    const SpanGeometry span = spanBetween(draftLink(*site.now, draft, a), draftLink(*site.now, draft, b));
    for (std::size_t i = 0; i < site.candidates.size(); ++i)
      for (const Shape& shape : site.candidates[i].shapes) {
        const LinkMount& mount = site.candidates[i];
        const auto on = [&](const Station& st) { return mounts_[at(st.link)].name == mount.name; };
        // A strand may begin on the surface of what it may come to lie on: what is next to that link is left out.
        if ((on(a) && a.wheel) || (on(b) && b.wheel)) continue;
        const Vec3 from = span.end[0].point, way = span.end[1].point - from;
        const Vec3 first = from + (on(a) ? besideLink : 0.0) * way,
                   last = from + (on(b) ? 1.0 - besideLink : 1.0) * way;
        if (closest(first, last, shape, site.now->pose(mount.block)).gap > -1e-6 - 0.1 * r) continue;
        const std::string& body = settings_.candidates[i];
        if (on(a) || on(b))
          return wrong(draft.linkPath(at(on(a) ? a.link : b.link)),
                       "the strand starts inside '" + body + "', which it is fixed to and may come to lie on",
                       "put the link on the surface of the body, or leave the body out of candidates");
        return wrong(draft.linkPath(at(b.link)), "the strand starts inside '" + body + "', which it may come to lie on",
                     "move the link, lead the strand round the body with a guide, or leave the body out of candidates");
      }
  }
  return {};
}

/// Outward and along the axis at 45 degrees: with h along the axis ρ = R + h, x² − 2h² − 2Rh − R² = 0. On the way in
/// that falls.
StrandContact::Crossing StrandContact::crossRim(const Feature& f, const Vec3& x0, const Vec3& d, const Vec3& axis) {
  const double h0 = axis.dot(x0), hd = axis.dot(d), r = f.radius;
  const double a = d.squaredNorm() - 2.0 * hd * hd, b = x0.dot(d) - 2.0 * h0 * hd - r * hd;
  const double c = x0.squaredNorm() - 2.0 * h0 * h0 - 2.0 * r * h0 - r * r, root = b * b - a * c;
  Crossing out;
  if (!(root > 0.0) || a <= 0.0) return out;
  out.share = (f.leaves ? std::sqrt(root) - b : -std::sqrt(root) - b) / a;
  const Vec3 x = x0 + out.share * d;
  const double h = axis.dot(x);
  const Vec3 away = x - h * axis;
  if (r + h < throughMiddle * r || away.norm() <= 0.0) return out;
  out.radial = away.normalized();
  out.high = h;
  out.ok = true;
  return out;
}

/// A straight segment from a to b beside a feature, which has moved on for `later` seconds as it moves now.
StrandTypes::Beside StrandContact::beside(const Instant& now, const Feature& f, const Vec3& a, const Vec3& b,
                                          double later) const {
  const bool turns = now.rotates(f.block);
  const Vec3 omega = turns ? now.angularVelocity(f.block) : Vec3(Vec3::Zero());
  const auto direction = [&](const Vec3& x) {
    const Vec3 d = turns ? Vec3(now.rotation(f.block) * x) : x;
    return Vec3(d + later * omega.cross(d));
  };
  const Vec3 p = now.position(f.block) + later * now.velocity(f.block) + direction(f.origin), d = b - a;
  const double l2 = d.squaredNorm();
  Beside out;
  if (l2 <= 0.0) return out;
  if (f.kind == Feature::Kind::rim) {
    const Vec3 axis = direction(f.along).normalized();
    const Crossing at = crossRim(f, a - p, d, axis);
    const Vec3 middle = (at.radial + axis) * std::sqrt(0.5);
    Vec3 across = axis.cross(at.radial).cross(d);
    if (!at.ok || across.norm() < alongEdge * std::sqrt(l2)) return out;
    across.normalize();
    out.normal = across.dot(middle) < 0.0 ? Vec3(-across) : across;
    out.share = at.share;
    out.gap = out.normal.dot(middle) * std::sqrt(2.0) * at.high;
    out.known = out.normal.dot(middle) >= std::sqrt(0.5) - flatOn;
    out.facing = out.known && onSegment(out.share);
    return out;
  }
  if (f.kind == Feature::Kind::ball) {
    out.share = (p - a).dot(d) / l2;
    const Vec3 away = a + out.share * d - p;
    const double far = away.norm();
    if (far < throughMiddle * f.radius) return out;
    out.normal = away / far;
    out.gap = far - f.radius;
    out.known = true;
    out.facing = onSegment(out.share);
    return out;
  }
  const Vec3 e = direction(f.along).normalized(), across = e.cross(d), w = a - p;
  const double size = across.norm(), de = d.dot(e);
  if (size < alongEdge * std::sqrt(l2)) return out;
  out.share = (de * w.dot(e) - w.dot(d)) / (l2 - de * de);
  out.along = w.dot(e) + out.share * de;
  if (f.kind == Feature::Kind::tube) {
    const Vec3 away = w + out.share * d - out.along * e;
    const double far = away.norm();
    if (far < throughMiddle * f.radius) return out;
    out.normal = away / far;
    out.gap = far - f.radius;
    out.known = true;
    out.facing = onSegment(out.share) && std::fabs(out.along) < f.length;
    return out;
  }
  const Vec3 n0 = direction(f.normal[0]), middle = (n0 + direction(f.normal[1])).normalized();
  out.normal = across / (across.dot(middle) < 0.0 ? -size : size);
  out.gap = out.normal.dot(w);
  out.known = out.normal.dot(middle) >= n0.dot(middle) - flatOn;
  out.facing = out.known && onSegment(out.share) && out.along > 0.0 && out.along < f.length;
  return out;
}

}  // namespace reeve
