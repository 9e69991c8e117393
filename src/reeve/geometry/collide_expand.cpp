// Penetration of two convex cores: grow a polytope inside the Minkowski difference where it is nearest the origin.
#include <array>
#include <cmath>
#include <limits>

#include "reeve/geometry/collide_internal.h"

namespace reeve::narrow {

namespace {

constexpr int maxVertices = 96;
constexpr int maxFaces = 2 * maxVertices;  // a closed surface of triangles has 2V − 4

struct Face {
  std::array<int, 3> vertex;
  std::array<int, 3> adjacent;  // across vertex[i] → vertex[i + 1]
  Vec3 normal;                  // unit, outward
  double offset;                // of its plane from the origin; negative while the origin is outside
  bool alive;
};

struct Border {
  int face, edge;
};

class Polytope {
 public:
  explicit Polytope(const Pair& pair) : pair_(pair) { best_.gap = -std::numeric_limits<double>::infinity(); }

  /// False when rounding stopped the growth before the answer was proven.
  bool run(const Vec3& first) {
    const bool curved = !pair_.a.polytope() || !pair_.b.polytope();
    const double tolerance = (curved ? 1e-5 : 1e-10) * pair_.scale;
    if (!start(first)) return false;
    while (vertices_ < maxVertices) {
      const int f = nearest();
      if (!(face_[f].offset < -best_.gap)) return true;
      const Vec3 n = face_[f].normal;
      const double offset = face_[f].offset;
      const Vec3 w = probe(n);
      if (n.dot(w) - offset <= tolerance) return true;
      if (!add(f, w)) return false;
    }
    return false;
  }

  const Axis& best() const { return best_; }

 private:
  /// The support of a − b along n, which bounds the depth; the least bound seen is the answer.
  Vec3 probe(const Vec3& n) {
    const Vec3 w = pair_.supportA(n) - pair_.supportB(-n);
    const double depth = n.dot(w);
    if (depth < -best_.gap) best_ = {n, -depth};
    return w;
  }

  bool make(int a, int b, int c, Face& f) const {
    f.vertex = {a, b, c};
    f.alive = true;
    const Vec3 m = (vertex_[b] - vertex_[a]).cross(vertex_[c] - vertex_[a]);
    const double l = m.norm();
    if (!(l > 1e-16 * pair_.scale * pair_.scale)) return false;
    f.normal = m / l;
    f.offset = f.normal.dot(vertex_[a]);
    return true;
  }

  /// A tetrahedron of support points, whether or not it holds the origin.
  bool start(const Vec3& d) {
    vertices_ = faces_ = borders_ = frees_ = 0;
    const Vec3 p0 = probe(d), p1 = probe(-d);
    const Vec3 line = p1 - p0, across = perpendicular(line), other = line.cross(across).normalized();
    Vec3 p2 = p0;
    double most = 0;
    for (const Vec3& dir : {across, Vec3(-across), other, Vec3(-other)}) {
      const Vec3 p = probe(dir);
      const double area = line.cross(p - p0).squaredNorm();
      if (area > most) {
        most = area;
        p2 = p;
      }
    }
    Vec3 n = line.cross(p2 - p0);
    if (!(n.norm() > 1e-12 * pair_.scale * pair_.scale)) return false;
    n.normalize();
    const Vec3 above = probe(n), below = probe(-n);
    const double up = n.dot(above - p0), down = -n.dot(below - p0);
    if (!(std::max(up, down) > 1e-9 * pair_.scale)) return false;
    vertex_[0] = p0;
    // Vertices 0 1 2 must turn counter-clockwise seen from the side away from vertex 3.
    vertex_[1] = up > down ? p2 : p1;
    vertex_[2] = up > down ? p1 : p2;
    vertex_[3] = up > down ? above : below;
    vertices_ = 4;
    static constexpr int corner[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    static constexpr int beside[4][3] = {{1, 2, 3}, {3, 2, 0}, {1, 3, 0}, {2, 1, 0}};
    for (int i = 0; i < 4; ++i) {
      if (!make(corner[i][0], corner[i][1], corner[i][2], face_[i])) return false;
      face_[i].adjacent = {beside[i][0], beside[i][1], beside[i][2]};
    }
    faces_ = 4;
    return true;
  }

  int nearest() const {
    int best = 0;
    double least = std::numeric_limits<double>::infinity();
    for (int i = 0; i < faces_; ++i)
      if (face_[i].alive && face_[i].offset < least) {
        least = face_[i].offset;
        best = i;
      }
    return best;
  }

  /// The faces that see w, depth first, so that the border comes out as one loop. The stack replaces recursion.
  bool see(const Vec3& w, int seed) {
    borders_ = 0;
    kill(seed);
    int top = 0;
    for (int i = 2; i >= 0; --i) stack_[top++] = {face_[seed].adjacent[i], edgeTo(face_[seed].adjacent[i], seed, i)};
    while (top > 0) {
      const Border at = stack_[--top];
      Face& f = face_[at.face];
      if (!f.alive) continue;
      if (f.normal.dot(w) - f.offset <= 1e-13 * pair_.scale) {
        if (borders_ == maxVertices) return false;
        border_[borders_++] = at;
        continue;
      }
      kill(at.face);
      for (int k = 2; k >= 1; --k) {
        const int i = (at.edge + k) % 3, next = f.adjacent[i];
        if (top == 2 * maxFaces) return false;
        stack_[top++] = {next, edgeTo(next, at.face, i)};
      }
    }
    return borders_ >= 3;
  }

  void kill(int f) {
    face_[f].alive = false;
    free_[frees_++] = f;
  }

  int edgeTo(int face, int other, int i) const {
    const int from = face_[other].vertex[(i + 1) % 3];
    for (int k = 0; k < 3; ++k)
      if (face_[face].vertex[k] == from) return k;
    return 0;
  }

  bool add(int seed, const Vec3& w) {
    if (!see(w, seed) || faces_ + borders_ - frees_ > maxFaces) return false;
    const int p = vertices_++;
    vertex_[p] = w;
    for (int i = 0; i < borders_; ++i) fresh_[i] = frees_ > 0 ? free_[--frees_] : faces_++;
    for (int i = 0; i < borders_; ++i) {
      const Border& b = border_[i];
      const int to = face_[b.face].vertex[b.edge], from = face_[b.face].vertex[(b.edge + 1) % 3];
      if (!make(from, to, p, face_[fresh_[i]])) return false;
      face_[fresh_[i]].adjacent = {b.face, fresh_[(i + 1) % borders_], fresh_[(i + borders_ - 1) % borders_]};
      face_[b.face].adjacent[b.edge] = fresh_[i];
    }
    for (int i = 0; i < borders_; ++i)
      if (face_[fresh_[i]].vertex[1] != face_[fresh_[(i + 1) % borders_]].vertex[0]) return false;
    return true;
  }

  const Pair& pair_;
  Axis best_;
  int vertices_ = 0, faces_ = 0, borders_ = 0, frees_ = 0;
  Vec3 vertex_[maxVertices];
  Face face_[maxFaces];
  Border border_[maxVertices], stack_[2 * maxFaces];
  int free_[maxFaces], fresh_[maxVertices];
};

}  // namespace

bool expand(const Pair& pair, Axis& axis) {
  Vec3 first = -pair.offset;
  if (!(first.squaredNorm() > 1e-30 * pair.scale * pair.scale)) first = Vec3(0.36, 0.48, 0.8);
  Polytope polytope(pair);
  // A second start meets other points in another order, so it rarely stops at the same degeneracy.
  const bool proven = polytope.run(first.normalized()) || polytope.run(Vec3(0.48, -0.64, 0.6));
  axis = polytope.best();
  return proven;
}

}  // namespace reeve::narrow
