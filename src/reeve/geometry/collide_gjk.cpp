// Distance of two convex cores by the algorithm of Gilbert, Johnson and Keerthi (1988).
#include <limits>

#include "reeve/geometry/collide_internal.h"

namespace reeve::narrow {

namespace {

/// The point closest to the origin of some corners of a simplex.
struct Weights {
  double l[3];
  int n;
  int index[3];
};

/// Up to four points of the Minkowski difference b − a with the points they came from, and the weights of the closest.
struct Simplex {
  int count = 0;
  Vec3 w[4], a[4], b[4];
  double weight[4];

  void put(const Vec3& difference, const Vec3& onA, const Vec3& onB) {
    w[count] = difference;
    a[count] = onA;
    b[count] = onB;
    ++count;
  }
  /// Keeps the corners that hold the closest point.
  void keep(Weights& found) {
    for (int i = 0; i < found.n; ++i)
      for (int k = i + 1; k < found.n; ++k)
        if (found.index[k] < found.index[i]) {
          std::swap(found.index[i], found.index[k]);
          std::swap(found.l[i], found.l[k]);
        }
    for (int i = 0; i < found.n; ++i) {
      const int k = found.index[i];
      weight[i] = found.l[i];
      if (k == i) continue;
      w[i] = w[k];
      a[i] = a[k];
      b[i] = b[k];
    }
    count = found.n;
  }
};

double closestOnSegment(const Vec3& p, const Vec3& q, int i, int j, Weights& out) {
  const Vec3 d = q - p;
  const double dd = d.squaredNorm(), t = -p.dot(d);
  if (!(t > 0) || !(dd > 0)) {
    out = {{1, 0, 0}, 1, {i, 0, 0}};
    return p.squaredNorm();
  }
  if (t >= dd) {
    out = {{1, 0, 0}, 1, {j, 0, 0}};
    return q.squaredNorm();
  }
  const double s = t / dd;
  out = {{1 - s, s, 0}, 2, {i, j, 0}};
  return (p + s * d).squaredNorm();
}

double closestOnTriangle(const Vec3* w, int i, int j, int k, Weights& out) {
  const Vec3 &a = w[i], &b = w[j], &c = w[k];
  const Vec3 n = (b - a).cross(c - a);
  const double nn = n.squaredNorm();
  const double longest = std::max({(b - a).squaredNorm(), (c - a).squaredNorm(), (c - b).squaredNorm()});
  if (nn > 1e-24 * longest * longest) {
    const double u = n.dot(b.cross(c)), v = n.dot(c.cross(a)), x = n.dot(a.cross(b));
    if (u >= 0 && v >= 0 && x >= 0) {
      const double sum = u + v + x;
      out = {{u / sum, v / sum, x / sum}, 3, {i, j, k}};
      const double h = n.dot(a);
      return h * h / nn;
    }
  }
  Weights other;
  double best = closestOnSegment(a, b, i, j, out);
  if (const double d = closestOnSegment(b, c, j, k, other); d < best) {
    best = d;
    out = other;
  }
  if (const double d = closestOnSegment(c, a, k, i, other); d < best) {
    best = d;
    out = other;
  }
  return best;
}

/// False when the origin lies inside.
bool closestOnTetrahedron(const Vec3* w, Weights& out) {
  static constexpr int face[4][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}};
  double best = std::numeric_limits<double>::infinity();
  bool outside = false;
  for (const auto& f : face) {
    const Vec3 n = (w[f[1]] - w[f[0]]).cross(w[f[2]] - w[f[0]]);
    const double apex = n.dot(w[f[3]] - w[f[0]]), origin = -n.dot(w[f[0]]);
    // A flat tetrahedron has no inside: every face is a candidate.
    const bool flat = apex * apex <= 1e-26 * n.squaredNorm() * (w[f[3]] - w[f[0]]).squaredNorm();
    if (!flat && apex * origin > 0) continue;
    Weights candidate;
    outside = true;
    if (const double d = closestOnTriangle(w, f[0], f[1], f[2], candidate); d < best) {
      best = d;
      out = candidate;
    }
  }
  return outside;
}

/// The weights of the point of the simplex closest to the origin; false when the origin is inside.
bool closestPoint(const Simplex& s, Weights& found, Vec3& v) {
  found = {{1, 0, 0}, 1, {0, 0, 0}};
  if (s.count == 2) closestOnSegment(s.w[0], s.w[1], 0, 1, found);
  if (s.count == 3) closestOnTriangle(s.w, 0, 1, 2, found);
  if (s.count == 4 && !closestOnTetrahedron(s.w, found)) return false;
  v = found.l[0] * s.w[found.index[0]];
  for (int i = 1; i < found.n; ++i) v += found.l[i] * s.w[found.index[i]];
  return true;
}

}  // namespace

GjkResult gjk(const Pair& pair, double enough, double tolerance) {
  GjkResult result{false, 0, Vec3::UnitZ(), {}};
  Simplex s;
  Vec3 v = pair.offset;
  if (pair.b.kind == CoreKind::hull) v += pair.rotation * pair.b.hull->centre;
  if (pair.a.kind == CoreKind::hull) v -= pair.a.hull->centre;
  if (!(v.squaredNorm() > 0)) v = Vec3::UnitX();
  // Below this the difference vector no longer gives a direction.
  const double touching = 1e-9 * pair.scale;
  double last = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < 64; ++iteration) {
    const Vec3 a = pair.supportA(v), b = pair.supportB(-v), w = b - a;
    const double vv = v.squaredNorm(), vw = v.dot(w);
    if (vw > 0 && vw * vw > enough * enough * vv) return {true, vw / std::sqrt(vv), v / std::sqrt(vv), {a, b}};
    if (s.count > 0) {
      if (vv - vw <= tolerance * vv) break;
      bool repeated = false;
      for (int i = 0; i < s.count; ++i) repeated = repeated || s.w[i] == w;
      if (repeated) break;
    }
    s.put(w, a, b);
    Weights found;
    Vec3 next;
    if (!closestPoint(s, found, next)) return result;
    const double now = next.squaredNorm();
    if (!(now > touching * touching)) return result;
    // Rounding: no progress, and the simplex before was as good.
    if (!(now < last)) {
      --s.count;
      break;
    }
    s.keep(found);
    v = next;
    last = now;
  }
  result.apart = true;
  result.distance = v.norm();
  result.normal = v / result.distance;
  result.witness = {Vec3::Zero(), Vec3::Zero()};
  for (int i = 0; i < s.count; ++i) {
    result.witness.a += s.weight[i] * s.a[i];
    result.witness.b += s.weight[i] * s.b[i];
  }
  return result;
}

}  // namespace reeve::narrow
