#include "reeve/geometry/collide.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reeve/geometry/collide_internal.h"

namespace reeve {

namespace narrow {

namespace {

/// Polytopes past this many edge pairs are grown instead of tested axis by axis.
constexpr std::size_t manyEdgePairs = 36;

std::size_t edgeCount(const Core& c) {
  return c.kind == CoreKind::hull ? c.hull->edges.size() : c.kind == CoreKind::box ? 12 : 1;
}

/// The axis of cores that touch or overlap.
Axis overlapAxis(const Pair& pair, double enough) {
  const bool polytopes = pair.a.polytope() && pair.b.polytope();
  if (polytopes && edgeCount(pair.a) * edgeCount(pair.b) <= manyEdgePairs) return separatingAxis(pair, enough);
  Axis axis;
  if (!expand(pair, axis) && polytopes) return separatingAxis(pair, enough);
  return polish(pair, axis);
}

/// A normal from feature pairs is exact and steady where the difference of the witnesses is neither; take it if it does
/// as well.
Separation steadied(const Pair& pair, const GjkResult& apart) {
  const Axis axis = polish(pair, {apart.normal, pair.separation(apart.normal)});
  if (axis.gap < apart.distance - 1e-9 * pair.scale) return {{apart.normal, apart.distance}, apart.witness, true};
  const Vec3 middle = 0.5 * (apart.witness.a + apart.witness.b - axis.normal * axis.gap);
  return {axis, {middle, middle + axis.normal * axis.gap}, true};
}

/// Closed form, or nothing.
bool simple(const Pair& pair, double enough, Separation& s) {
  if (pair.b.kind == CoreKind::point && pair.a.kind == CoreKind::box)
    s = boxPoint(pair.a.half, pair.offset);
  else if (pair.b.kind == CoreKind::point && pair.a.kind == CoreKind::cylinder)
    s = cylinderPoint(pair.a.half, pair.offset);
  else if (pair.b.kind == CoreKind::segment && pair.a.kind == CoreKind::box)
    s = boxSegment(pair, enough);
  else
    return false;
  return true;
}

/// An axis got cheaply. It bounds the gap from below; whether it is the gap shows when the features are put together.
bool quick(const Pair& pair, double enough, Separation& s) {
  if (pair.a.kind == CoreKind::box && pair.b.kind == CoreKind::box) {
    s = {separatingAxisBoxes(pair, enough), {}, false};
    return true;
  }
  if (pair.a.polytope() && pair.b.polytope()) return false;
  // On curved cores GJK creeps, so it only points the way for polish.
  const GjkResult rough = gjk(pair, enough, 0.02);
  if (!rough.apart || !(rough.distance > 1e-6 * pair.scale)) return false;
  s = {polish(pair, {rough.normal, pair.separation(rough.normal)}), {}, false};
  return s.axis.gap > 0;
}

/// The signed gap without shortcuts.
Separation thorough(const Pair& pair, double enough) {
  const GjkResult apart = gjk(pair, enough);
  if (!apart.apart || !(apart.distance > 1e-6 * pair.scale)) return {overlapAxis(pair, enough), {}, false};
  if (apart.distance > enough) return {{apart.normal, apart.distance}, apart.witness, true};
  return steadied(pair, apart);
}

}  // namespace

Separation touch(const Pair& pair, double margin, LocalManifold& out) {
  Separation s;
  out.count = 0;
  bool attained = false;
  if (!simple(pair, margin, s)) {
    bool settled = false;
    if (pair.b.kind != CoreKind::point && quick(pair, margin, s)) {
      if (!(s.axis.gap < margin)) return s;
      attained = touchingFeatures(pair, s, margin, out);
      // Boxes that overlap have their exact axis already.
      settled = attained || !(s.axis.gap > 1e-6 * pair.scale);
    }
    if (!settled) {
      s = thorough(pair, margin);
      out.count = 0;
    }
  }
  if (!(s.axis.gap < margin)) return s;
  if (pair.b.kind == CoreKind::point) {
    out.points[out.count++] = {pair.offset - s.axis.normal * s.axis.gap, s.axis.gap, 0};
    return s;
  }
  if (out.count == 0) attained = touchingFeatures(pair, s, margin, out);
  if (!attained) addWitness(pair, s, margin, out);
  return s;
}

}  // namespace narrow

namespace {

using narrow::Core;
using narrow::CoreKind;

/// a comes first in the closed forms: box, then cylinder, hull, segment, point. A half-space is always first.
int rank(CoreKind kind) {
  switch (kind) {
    case CoreKind::halfSpace:
      return 0;
    case CoreKind::box:
      return 1;
    case CoreKind::cylinder:
      return 2;
    case CoreKind::hull:
      return 3;
    case CoreKind::segment:
      return 4;
    case CoreKind::point:
      return 5;
  }
  return 6;
}

/// Writes contacts found in the frame of the first core to the world, in the caller's order.
class Writer {
 public:
  Writer(const narrow::Pair& pair, const Vec3& origin, bool swapped, Manifold& out)
      : pair_(pair), origin_(origin), swapped_(swapped), out_(out) {}

  void put(const Vec3& coreA, double coreGap, const Vec3& normal, std::uint32_t feature) {
    if (out_.count == Manifold::capacity) return;
    ContactPoint& c = out_.points[out_.count++];
    const Vec3 n = pair_.frame * normal;
    const Vec3 a = pair_.frame * coreA + origin_ + n * pair_.a.radius;
    c.gap = coreGap - pair_.a.radius - pair_.b.radius;
    const Vec3 b = a + n * c.gap;
    c.feature = feature;
    c.normal = swapped_ ? Vec3(-n) : n;
    c.pointA = swapped_ ? b : a;
    c.pointB = swapped_ ? a : b;
  }

 private:
  const narrow::Pair& pair_;
  const Vec3& origin_;
  bool swapped_;
  Manifold& out_;
};

/// The plane z = 0 under any core: its lowest points.
void overHalfSpace(const narrow::Pair& pair, double margin, Writer& writer) {
  using narrow::LocalManifold;
  const Mat3& R = pair.rotation;
  LocalManifold m;
  const auto put = [&](const Vec3& local, std::uint32_t feature) {
    const Vec3 p = R * local + pair.offset;
    if (!(p.z() < margin)) return;
    // Large hulls may overflow the list: then the lowest points matter.
    int at = m.count;
    if (m.count == LocalManifold::capacity) {
      at = 0;
      for (int i = 1; i < m.count; ++i)
        if (m.points[i].gap > m.points[at].gap) at = i;
      if (m.points[at].gap <= p.z()) return;
    } else {
      ++m.count;
    }
    m.points[at] = {{p.x(), p.y(), 0}, p.z(), feature};
  };
  const Core& c = pair.b;
  const Vec3 down = -R.row(2).transpose();
  switch (c.kind) {
    case CoreKind::point:
      put(Vec3::Zero(), 0);
      break;
    case CoreKind::segment:
      put(-c.half, 0);
      put(c.half, 1);
      break;
    case CoreKind::box:
      for (int i = 0; i < 8; ++i)
        put({i & 1 ? c.half.x() : -c.half.x(), i & 2 ? c.half.y() : -c.half.y(), i & 4 ? c.half.z() : -c.half.z()},
            static_cast<std::uint32_t>(i));
      break;
    case CoreKind::hull:
      for (std::size_t i = 0; i < c.hull->vertices.size(); ++i) put(c.hull->vertices[i], static_cast<std::uint32_t>(i));
      break;
    case CoreKind::cylinder: {
      const double r = c.half.x(), h = c.half.z(), across = std::sqrt(down.x() * down.x() + down.y() * down.y());
      const bool standing = std::abs(down.z()) > 0.7;
      const double end = down.z() < 0 ? -h : h, x = across > 1e-9 ? down.x() / across : 1,
                   y = across > 1e-9 ? down.y() / across : 0;
      if (standing) {
        put({r, 0, end}, 0);
        put({0, r, end}, 1);
        put({-r, 0, end}, 2);
        put({0, -r, end}, 3);
        if (across > 1e-9 && std::min(std::abs(x), std::abs(y)) > 1e-6) put({r * x, r * y, end}, 4);
      } else {
        put({r * x, r * y, -h}, 5);
        put({r * x, r * y, h}, 6);
      }
      break;
    }
    case CoreKind::halfSpace:
      break;
  }
  narrow::thin(m, Vec3::UnitZ(), Manifold::capacity);
  for (int i = 0; i < m.count; ++i) writer.put(m.points[i].a, m.points[i].gap, Vec3::UnitZ(), m.points[i].feature);
}

/// Spheres and capsules among themselves: the closest points, or both ends of the common stretch when nearly parallel,
/// each with its own normal.
void roundPair(const narrow::Pair& pair, double margin, Writer& writer) {
  const Vec3 ha = pair.a.kind == CoreKind::segment ? pair.a.half : Vec3::Zero();
  const Vec3 hb = pair.b.kind == CoreKind::segment ? Vec3(pair.rotation * pair.b.half) : Vec3::Zero();
  const Vec3 cross = ha.cross(hb);
  const double aa = ha.squaredNorm(), bb = hb.squaredNorm(), tiny = 1e-12 * pair.scale;
  const auto put = [&](const Vec3& a, const Vec3& b, std::uint32_t feature) {
    const Vec3 d = b - a;
    const double l = d.norm();
    if (!(l < margin)) return;
    Vec3 n = l > tiny                                               ? Vec3(d / l)
             : cross.squaredNorm() > 1e-12 * aa * bb && aa * bb > 0 ? Vec3(cross.normalized())
                                                                    : narrow::perpendicular(aa > 0 ? ha : hb);
    // Concentric spheres: any direction will do, the same every time.
    if (aa + bb == 0 && !(l > tiny)) n = Vec3::UnitZ();
    writer.put(a, l > tiny ? l : 0.0, n, feature);
  };
  Vec3 a, b;
  narrow::closestSegments(Vec3::Zero(), ha, pair.offset, hb, a, b);
  if (!(aa > 0 && bb > 0) || cross.squaredNorm() > 0.01 * aa * bb) return put(a, b, 0);
  const double t0 = ha.dot(pair.offset - hb) / aa, t1 = ha.dot(pair.offset + hb) / aa;
  const double low = std::max(-1.0, std::min(t0, t1)), high = std::min(1.0, std::max(t0, t1));
  if (!((high - low) * std::sqrt(aa) > 1e-6 * pair.scale)) return put(a, b, 0);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < 2; ++i) {
    const Vec3 end = ha * (i == 0 ? low : high);
    Vec3 from, to;
    narrow::closestSegments(end, Vec3::Zero(), pair.offset, hb, from, to);
    put(from, to, static_cast<std::uint32_t>(1 + i));
    least = std::min(least, (to - from).norm());
  }
  if ((b - a).norm() < least - 1e-9 * pair.scale) put(a, b, 3);
}

/// Contacts of cores already in order of rank.
void collideOrdered(const narrow::Pair& pair, double margin, Writer& writer) {
  const double coreMargin = margin + pair.a.radius + pair.b.radius;
  if (pair.a.kind == CoreKind::halfSpace)
    return pair.b.kind == CoreKind::halfSpace ? void() : overHalfSpace(pair, coreMargin, writer);
  if (pair.a.kind == CoreKind::point || pair.a.kind == CoreKind::segment) return roundPair(pair, coreMargin, writer);
  narrow::LocalManifold m;
  const narrow::Separation s = narrow::touch(pair, coreMargin, m);
  narrow::thin(m, s.axis.normal, Manifold::capacity);
  for (int i = 0; i < m.count; ++i) writer.put(m.points[i].a, m.points[i].gap, s.axis.normal, m.points[i].feature);
}

int collideCores(const Core& a, const Pose& A, const Core& b, const Pose& B, double margin, Manifold& out) {
  const bool swapped = rank(a.kind) > rank(b.kind);
  const narrow::Pair pair = swapped ? narrow::makePair(b, B, a, A) : narrow::makePair(a, A, b, B);
  out.count = 0;
  Writer writer(pair, swapped ? B.position : A.position, swapped, out);
  collideOrdered(pair, margin, writer);
  return out.count;
}

Closest closestCores(const Core& a, const Pose& A, const Core& b, const Pose& B) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  Manifold m;
  if (a.kind == CoreKind::halfSpace && b.kind == CoreKind::halfSpace)
    return {-inf, A.position, B.position, A.direction(Vec3::UnitZ())};
  collideCores(a, A, b, B, inf, m);
  int best = 0;
  for (int i = 1; i < m.count; ++i)
    if (m.points[i].gap < m.points[best].gap) best = i;
  const ContactPoint& c = m.points[best];
  return {c.gap, c.pointA, c.pointB, c.normal};
}

}  // namespace

int collide(const Shape& a, const Pose& A, const Shape& b, const Pose& B, double margin, Manifold& out) {
  return collideCores(narrow::coreOf(a.geometry), A * a.local, narrow::coreOf(b.geometry), B * b.local, margin, out);
}

Closest distance(const Shape& a, const Pose& A, const Shape& b, const Pose& B) {
  return closestCores(narrow::coreOf(a.geometry), A * a.local, narrow::coreOf(b.geometry), B * b.local);
}

SegmentClosest closest(const Vec3& p0_W, const Vec3& p1_W, const Shape& shape, const Pose& body) {
  Core segment;
  segment.half = 0.5 * (p1_W - p0_W);
  const double l2 = segment.half.squaredNorm();
  segment.kind = l2 > 0 ? CoreKind::segment : CoreKind::point;
  const Pose at{0.5 * (p0_W + p1_W), Quat::Identity()};
  const Closest c = closestCores(narrow::coreOf(shape.geometry), body * shape.local, segment, at);
  const double t = l2 > 0 ? std::clamp(0.5 + 0.5 * segment.half.dot(c.pointB - at.position) / l2, 0.0, 1.0) : 0.0;
  return {c.gap, t, c.pointB, c.pointA, c.normal};
}

void reduce(Manifold& manifold, int most) {
  most = std::clamp(most, 1, Manifold::capacity);
  if (manifold.count <= most) return;
  narrow::LocalManifold m;
  for (m.count = 0; m.count < manifold.count; ++m.count)
    m.points[m.count] = {manifold.points[m.count].pointA, manifold.points[m.count].gap,
                         static_cast<std::uint32_t>(m.count)};
  narrow::thin(m, manifold.points[0].normal, most);
  std::array<ContactPoint, Manifold::capacity> kept;
  for (int i = 0; i < m.count; ++i) kept[i] = manifold.points[m.points[i].feature];
  manifold.points = kept;
  manifold.count = m.count;
}

}  // namespace reeve
