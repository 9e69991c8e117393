// Separating axes of polytopes: the normals of the faces and the cross products of the edges.
#include <array>
#include <cmath>
#include <limits>

#include "reeve/geometry/collide_internal.h"

namespace reeve::narrow {

namespace {

/// A polytope as plain arrays, whatever it comes from. A segment has one edge and no faces.
struct Solid {
  std::span<const Vec3> vertices;
  std::span<const Hull::Face> faces;
  std::span<const Hull::Edge> edges;
};

struct BoxStorage {
  std::array<Vec3, 8> vertices;
  std::array<Hull::Face, 6> faces;
};

/// Vertex i has the sign of its bits: 1 for x, 2 for y, 4 for z. Faces: −x +x −y +y −z +z.
constexpr std::array<Hull::Edge, 12> boxEdges = {{{0, 1, 4, 2},
                                                  {2, 3, 3, 4},
                                                  {4, 5, 2, 5},
                                                  {6, 7, 5, 3},
                                                  {0, 2, 0, 4},
                                                  {1, 3, 4, 1},
                                                  {4, 6, 5, 0},
                                                  {5, 7, 1, 5},
                                                  {0, 4, 2, 0},
                                                  {1, 5, 1, 2},
                                                  {2, 6, 0, 3},
                                                  {3, 7, 3, 1}}};
constexpr std::array<Hull::Edge, 1> segmentEdge = {{{0, 1, -1, -1}}};

Solid solidOf(const Core& core, BoxStorage& storage) {
  switch (core.kind) {
    case CoreKind::hull:
      return {core.hull->vertices, core.hull->faces, core.hull->edges};
    case CoreKind::box:
      for (int i = 0; i < 8; ++i)
        storage.vertices[i] = {i & 1 ? core.half.x() : -core.half.x(), i & 2 ? core.half.y() : -core.half.y(),
                               i & 4 ? core.half.z() : -core.half.z()};
      for (int i = 0; i < 6; ++i) storage.faces[i] = {Vec3::Unit(i / 2) * (i % 2 ? 1.0 : -1.0), core.half[i / 2], 0, 4};
      return {storage.vertices, storage.faces, boxEdges};
    case CoreKind::segment:
      storage.vertices[0] = -core.half;
      storage.vertices[1] = core.half;
      return {std::span(storage.vertices).first(2), {}, segmentEdge};
    default:
      storage.vertices[0].setZero();
      return {std::span(storage.vertices).first(1), {}, {}};
  }
}

/// An edge in the frame of a: a point, the vector along it, and the normals of its faces (none on a segment).
struct PlacedEdge {
  Vec3 point, along, left, right;
  bool free;
};

PlacedEdge placed(const Solid& s, const Hull::Edge& e) {
  const Vec3 &p = s.vertices[e.from], along = s.vertices[e.to] - p;
  if (e.left < 0) return {p, along, Vec3::Zero(), Vec3::Zero(), true};
  return {p, along, s.faces[e.left].normal, s.faces[e.right].normal, false};
}

PlacedEdge placed(const Solid& s, const Hull::Edge& e, const Mat3& R, const Vec3& t) {
  const PlacedEdge own = placed(s, e);
  return {R * own.point + t, R * own.along, R * own.left, R * own.right, own.free};
}

/// Whether n lies on the arc of normals of the edge (n ⟂ edge is given). The arc is less than half a turn.
bool onArc(const PlacedEdge& e, const Vec3& n) {
  if (e.free) return true;
  return e.left.cross(n).dot(e.along) * e.left.cross(e.right).dot(e.along) >= 0 &&
         n.cross(e.right).dot(e.along) * e.left.cross(e.right).dot(e.along) >= 0;
}

/// Quick rejection (Gregorius 2013): the arcs of the two edges on the unit sphere must cross.
bool arcsCross(const PlacedEdge& a, const PlacedEdge& b) {
  if (!b.free && b.left.dot(a.along) * b.right.dot(a.along) > 0) return false;
  return a.free || a.left.dot(b.along) * a.right.dot(b.along) <= 0;
}

void tryEdges(const PlacedEdge& a, const PlacedEdge& b, Axis& best) {
  if (!arcsCross(a, b)) return;
  Vec3 n = a.along.cross(b.along);
  const double l2 = n.squaredNorm();
  if (!(l2 > 1e-14 * a.along.squaredNorm() * b.along.squaredNorm())) return;
  n /= std::sqrt(l2);
  const double s = n.dot(b.point - a.point);
  if (s > best.gap && onArc(a, n) && onArc(b, -n)) best = {n, s};
  if (-s > best.gap && onArc(a, -n) && onArc(b, n)) best = {-n, -s};
}

/// An edge must beat the best face by this to be taken: single points on resting faces would make stacks shiver.
double faceAdvantage(double gap, double scale) { return 1e-9 * scale + 0.01 * std::abs(gap); }

}  // namespace

Axis separatingAxis(const Pair& pair, double enough) {
  BoxStorage storageA, storageB;
  const Solid a = solidOf(pair.a, storageA), b = solidOf(pair.b, storageB);
  Axis face;
  face.gap = -std::numeric_limits<double>::infinity();
  for (const Hull::Face& f : a.faces) {
    const double s = f.normal.dot(pair.supportB(-f.normal)) - f.offset;
    if (s > face.gap) face = {f.normal, s};
    if (s > enough) return face;
  }
  for (const Hull::Face& f : b.faces) {
    // b's face looks towards a, so the normal from a to b is its opposite.
    const Vec3 n = -(pair.rotation * f.normal);
    const double s = n.dot(pair.offset) - f.offset - n.dot(pair.supportA(n));
    if (s > face.gap) face = {n, s};
    if (s > enough) return face;
  }
  Axis edge;
  edge.gap = -std::numeric_limits<double>::infinity();
  for (const Hull::Edge& eb : b.edges) {
    const PlacedEdge placedB = placed(b, eb, pair.rotation, pair.offset);
    for (const Hull::Edge& ea : a.edges) tryEdges(placed(a, ea), placedB, edge);
    if (edge.gap > enough) return edge;
  }
  if (edge.gap > face.gap + faceAdvantage(face.gap, pair.scale)) return edge;
  if (face.gap > -std::numeric_limits<double>::infinity()) return face;
  // Points and parallel segments have neither: any direction across them parts them.
  const Vec3 along = pair.a.kind == CoreKind::segment ? pair.a.half : Vec3(pair.rotation * pair.b.half);
  Vec3 n = pair.offset - along * (along.dot(pair.offset) / std::max(along.squaredNorm(), 1e-300));
  n = n.squaredNorm() > 1e-24 * pair.scale * pair.scale ? Vec3(n.normalized()) : perpendicular(along);
  return {n, pair.separation(n)};
}

Axis separatingAxisBoxes(const Pair& pair, double enough) {
  const Vec3 &ha = pair.a.half, &hb = pair.b.half, &t = pair.offset;
  const Mat3 &R = pair.rotation, absR = R.cwiseAbs();
  Axis face;
  face.gap = -std::numeric_limits<double>::infinity();
  const Vec3 reachB = absR * hb;
  for (int i = 0; i < 3; ++i) {
    const double s = std::abs(t[i]) - ha[i] - reachB[i];
    if (s > face.gap) face = {t[i] < 0 ? Vec3(-Vec3::Unit(i)) : Vec3::Unit(i), s};
  }
  if (face.gap > enough) return face;
  const Vec3 tb = R.transpose() * t, reachA = absR.transpose() * ha;
  const double favoured = face.gap + 1e-10 * pair.scale;
  double bestB = favoured;
  int axisB = -1;
  for (int i = 0; i < 3; ++i) {
    const double s = std::abs(tb[i]) - hb[i] - reachA[i];
    if (s > bestB) {
      bestB = s;
      axisB = i;
    }
  }
  if (axisB >= 0) face = {tb[axisB] < 0 ? Vec3(-R.col(axisB)) : Vec3(R.col(axisB)), bestB};
  if (face.gap > enough) return face;
  Axis edge;
  edge.gap = face.gap + faceAdvantage(face.gap, pair.scale);
  bool found = false;
  for (int i = 0; i < 3; ++i) {
    const int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
    for (int j = 0; j < 3; ++j) {
      const double l2 = 1 - R(i, j) * R(i, j);
      if (!(l2 > 1e-8)) continue;
      const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      const double at = t[i2] * R(i1, j) - t[i1] * R(i2, j);
      const double reach = ha[i1] * absR(i2, j) + ha[i2] * absR(i1, j) + hb[j1] * absR(i, j2) + hb[j2] * absR(i, j1);
      const double l = std::sqrt(l2), s = (std::abs(at) - reach) / l;
      if (!(s > edge.gap)) continue;
      found = true;
      edge.gap = s;
      Vec3 n = Vec3::Zero();
      n[i1] = -R(i2, j) / l;
      n[i2] = R(i1, j) / l;
      edge.normal = at < 0 ? Vec3(-n) : n;
    }
  }
  if (!found) return face;
  return {edge.normal.normalized(), edge.gap};
}

}  // namespace reeve::narrow
