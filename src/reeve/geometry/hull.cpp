// Quickhull (Barber, Dobkin and Huhdanpaa 1996) on triangles, then coplanar triangles merged to polygons.
#include "reeve/geometry/hull.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reeve/geometry/hull_polygons.h"

namespace reeve {

const char* describe(HullError error) {
  switch (error) {
    case HullError::tooFewPoints:
      return "a hull needs at least four points in space, a polygon three";
    case HullError::notFinite:
      return "a point has a coordinate that is not a finite number";
    case HullError::coplanar:
      return "all points lie in one plane: the hull has no volume";
    case HullError::collinear:
      return "all points lie on one line";
    case HullError::notPositive:
      return "the height must be greater than zero";
    case HullError::tooManyCorners:
      return "a face has more than 64 corners";
    case HullError::unresolved:
      return "the points are too close to degenerate for a reliable hull: round or thin them";
  }
  return "";
}

int Hull::supportVertex(const Vec3& direction) const {
  int best = 0;
  double most = vertices[0].dot(direction);
  for (int i = 1; i < static_cast<int>(vertices.size()); ++i) {
    const double x = vertices[i].dot(direction);
    if (x > most) {
      most = x;
      best = i;
    }
  }
  return best;
}

namespace {

using hull::Triangle;

class QuickHull {
 public:
  QuickHull(std::span<const Vec3> points, double scale) : points_(points), near_(1e-9 * scale) {}

  std::expected<std::vector<Triangle>, HullError> run(double flat) {
    if (const auto e = start(flat); !e) return std::unexpected(e.error());
    // Every turn puts one more point on the hull.
    for (std::size_t turn = 0; turn <= points_.size(); ++turn) {
      const int face = farthestFace();
      if (face < 0) return std::move(faces_);
      if (!add(face)) return std::unexpected(HullError::unresolved);
    }
    return std::unexpected(HullError::unresolved);
  }

 private:
  struct Horizon {
    int face, edge;  // the face beyond, and its edge on the horizon
  };

  double height(const Triangle& t, int p) const { return t.normal.dot(points_[p]) - t.offset; }

  Triangle make(int a, int b, int c, const Vec3& fallback) const {
    Triangle t{{a, b, c}, {-1, -1, -1}, fallback, 0, true, 0};
    const Vec3 m = (points_[b] - points_[a]).cross(points_[c] - points_[a]);
    const double l = m.norm();
    const double longest = std::max(
        {(points_[b] - points_[a]).norm(), (points_[c] - points_[b]).norm(), (points_[a] - points_[c]).norm()});
    if (l > near_ * longest) t.normal = m / l;
    t.area = 0.5 * l;
    t.offset = t.normal.dot(points_[a]);
    return t;
  }

  std::expected<void, HullError> start(double flat) {
    const std::array<int, 4> s = hull::firstTetrahedron(points_);
    const Vec3 d = points_[s[1]] - points_[s[0]];
    if (!(d.norm() > flat)) return std::unexpected(HullError::collinear);
    const Vec3 n = d.cross(points_[s[2]] - points_[s[0]]);
    if (!(n.norm() > flat * d.norm())) return std::unexpected(HullError::collinear);
    const double h = n.dot(points_[s[3]] - points_[s[0]]) / n.norm();
    if (!(std::abs(h) > flat)) return std::unexpected(HullError::coplanar);
    // Order so that 0 1 2 is counter-clockwise seen from outside, away from 3.
    const auto [a, b, c, e] = h < 0 ? s : std::array<int, 4>{s[0], s[2], s[1], s[3]};
    faces_.push_back(make(a, b, c, Vec3::Zero()));
    faces_.push_back(make(a, e, b, Vec3::Zero()));
    faces_.push_back(make(b, e, c, Vec3::Zero()));
    faces_.push_back(make(c, e, a, Vec3::Zero()));
    faces_[0].adjacent = {1, 2, 3};
    faces_[1].adjacent = {3, 2, 0};
    faces_[2].adjacent = {1, 3, 0};
    faces_[3].adjacent = {2, 1, 0};
    outside_.resize(4);
    for (int p = 0; p < static_cast<int>(points_.size()); ++p) assign(p, 0);
    return {};
  }

  /// Puts p on the list of the face (from `first` on) that it is farthest above, if any.
  void assign(int p, int first) {
    int best = -1;
    double most = near_;
    for (int f = first; f < static_cast<int>(faces_.size()); ++f) {
      if (!faces_[f].alive) continue;
      const double h = height(faces_[f], p);
      if (h > most) {
        most = h;
        best = f;
      }
    }
    if (best >= 0) outside_[best].push_back({p, most});
  }

  int farthestFace() const {
    int best = -1;
    double most = 0;
    for (int f = 0; f < static_cast<int>(faces_.size()); ++f)
      for (const Above& o : outside_[f])
        if (faces_[f].alive && o.height > most) {
          most = o.height;
          best = f;
        }
    return best;
  }

  /// Walks the faces visible from p, depth first, so that the horizon comes out as one counter-clockwise loop.
  void see(int p, int face, int edge, std::vector<Horizon>& horizon, std::vector<int>& seen) {
    Triangle& t = faces_[face];
    if (!t.alive) return;
    if (!(height(t, p) > near_)) {
      horizon.push_back({face, edge});
      return;
    }
    t.alive = false;
    seen.push_back(face);
    for (int k = 1; k <= 2; ++k) {
      const int i = (edge + k) % 3;
      const int next = faces_[face].adjacent[i];
      see(p, next, edgeTo(next, face, i), horizon, seen);
    }
  }

  /// The edge of `face` that borders on edge i of `other`.
  int edgeTo(int face, int other, int i) const {
    const int from = faces_[other].vertex[(i + 1) % 3];
    for (int k = 0; k < 3; ++k)
      if (faces_[face].vertex[k] == from) return k;
    return 0;
  }

  bool add(int face) {
    int p = -1;
    double most = 0;
    for (const Above& o : outside_[face])
      if (o.height > most) {
        most = o.height;
        p = o.point;
      }
    std::vector<Horizon> horizon;
    std::vector<int> seen{face};
    faces_[face].alive = false;
    for (int i = 0; i < 3; ++i) {
      const int next = faces_[face].adjacent[i];
      see(p, next, edgeTo(next, face, i), horizon, seen);
    }
    const int n = static_cast<int>(horizon.size());
    if (n < 3) return false;
    const int first = static_cast<int>(faces_.size());
    for (int i = 0; i < n; ++i) {
      const Triangle& beyond = faces_[horizon[i].face];
      const int to = beyond.vertex[horizon[i].edge], from = beyond.vertex[(horizon[i].edge + 1) % 3];
      faces_.push_back(make(from, to, p, faces_[horizon[i].face].normal));
      faces_.back().adjacent = {horizon[i].face, first + (i + 1) % n, first + (i + n - 1) % n};
      faces_[horizon[i].face].adjacent[horizon[i].edge] = first + i;
    }
    for (int i = 0; i < n; ++i)
      if (faces_[first + i].vertex[1] != faces_[first + (i + 1) % n].vertex[0]) return false;
    outside_.resize(faces_.size());
    for (const int f : seen) {
      const std::vector<Above> orphans = std::move(outside_[f]);
      outside_[f].clear();
      for (const Above& o : orphans)
        if (o.point != p) assign(o.point, first);
    }
    return true;
  }

  struct Above {
    int point;
    double height;
  };
  std::span<const Vec3> points_;
  double near_;
  std::vector<Triangle> faces_;
  std::vector<std::vector<Above>> outside_;
};

}  // namespace

std::expected<Hull, HullError> convexHull(std::span<const Vec3> points) {
  if (points.size() < 4) return std::unexpected(HullError::tooFewPoints);
  for (const Vec3& p : points)
    if (!p.allFinite()) return std::unexpected(HullError::notFinite);
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3& p : points) {
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  // About the middle, so that tolerances do not suffer from a far origin.
  const Vec3 middle = 0.5 * (lower + upper);
  const double scale = (upper - lower).norm();
  std::vector<Vec3> centred(points.begin(), points.end());
  for (Vec3& p : centred) p -= middle;
  const double flat = 1e-7 * scale;
  auto triangles = QuickHull(centred, scale).run(flat);
  if (!triangles) return std::unexpected(triangles.error());
  auto hull = hull::mergeCoplanar(centred, *triangles, flat);
  if (!hull) return hull;
  for (Vec3& v : hull->vertices) v += middle;
  hull->centre += middle;
  for (Hull::Face& f : hull->faces) f.offset += f.normal.dot(middle);
  return hull;
}

}  // namespace reeve
