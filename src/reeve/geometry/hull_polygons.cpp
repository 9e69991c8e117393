#include "reeve/geometry/hull_polygons.h"

#include <algorithm>
#include <cmath>

namespace reeve::hull {

std::array<int, 4> firstTetrahedron(std::span<const Vec3> points) {
  const int n = static_cast<int>(points.size());
  std::array<int, 4> s{0, 0, 0, 0};
  double most = -1;
  for (int axis = 0; axis < 3; ++axis) {
    int low = 0, high = 0;
    for (int i = 1; i < n; ++i) {
      if (points[i][axis] < points[low][axis]) low = i;
      if (points[i][axis] > points[high][axis]) high = i;
    }
    const double d = (points[high] - points[low]).squaredNorm();
    if (d > most) {
      most = d;
      s[0] = low;
      s[1] = high;
    }
  }
  const Vec3 origin = points[s[0]], d = points[s[1]] - origin;
  most = -1;
  for (int i = 0; i < n; ++i) {
    const double a = d.cross(points[i] - origin).squaredNorm();
    if (a > most) {
      most = a;
      s[2] = i;
    }
  }
  const Vec3 normal = d.cross(points[s[2]] - origin);
  most = -1;
  for (int i = 0; i < n; ++i) {
    const double h = std::abs(normal.dot(points[i] - origin));
    if (h > most) {
      most = h;
      s[3] = i;
    }
  }
  return s;
}

namespace {

/// Grows patches of coplanar triangles from the largest on. patch[t] is −1 for dead triangles.
std::vector<int> growPatches(std::span<const Vec3> points, const std::vector<Triangle>& triangles, double flat,
                             int& patches) {
  std::vector<int> order;
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t)
    if (triangles[t].alive) order.push_back(t);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    return triangles[a].area != triangles[b].area ? triangles[a].area > triangles[b].area : a < b;
  });
  std::vector<int> patch(triangles.size(), -1), stack;
  patches = 0;
  for (const int seed : order) {
    if (patch[seed] >= 0) continue;
    const Triangle& plane = triangles[seed];
    const auto coplanar = [&](const Triangle& t) {
      for (const int v : t.vertex)
        if (std::abs(plane.normal.dot(points[v]) - plane.offset) > flat) return false;
      return true;
    };
    patch[seed] = patches;
    stack.assign(1, seed);
    while (!stack.empty()) {
      const int t = stack.back();
      stack.pop_back();
      for (const int next : triangles[t].adjacent)
        if (patch[next] < 0 && coplanar(triangles[next])) {
          patch[next] = patches;
          stack.push_back(next);
        }
    }
    ++patches;
  }
  return patch;
}

struct Border {
  int patch, from, to;
};

/// The border of each patch as one loop of vertices; empty if a patch has holes or pinches.
std::vector<std::vector<int>> borderLoops(const std::vector<Triangle>& triangles, const std::vector<int>& patch,
                                          int patches) {
  std::vector<std::vector<Border>> borders(patches);
  for (int t = 0; t < static_cast<int>(triangles.size()); ++t)
    for (int i = 0; i < 3 && patch[t] >= 0; ++i)
      if (patch[triangles[t].adjacent[i]] != patch[t])
        borders[patch[t]].push_back({patch[t], triangles[t].vertex[i], triangles[t].vertex[(i + 1) % 3]});
  std::vector<std::vector<int>> loops(patches);
  for (int p = 0; p < patches; ++p) {
    std::vector<Border>& b = borders[p];
    std::sort(b.begin(), b.end(),
              [](const Border& x, const Border& y) { return x.from != y.from ? x.from < y.from : x.to < y.to; });
    if (b.empty()) return {};
    int at = b.front().from;
    for (std::size_t step = 0; step < b.size(); ++step) {
      loops[p].push_back(at);
      const auto edge = std::lower_bound(b.begin(), b.end(), at, [](const Border& x, int v) { return x.from < v; });
      if (edge == b.end() || edge->from != at) return {};
      at = edge->to;
    }
    if (at != b.front().from) return {};
    for (std::size_t i = 1; i < b.size(); ++i)
      if (b[i].from == b[i - 1].from) return {};
  }
  return loops;
}

void fitPlane(Hull& h, Hull::Face& f) {
  Vec3 normal = Vec3::Zero(), mean = Vec3::Zero();
  const Vec3& base = h.vertices[h.corners[f.first]];
  for (int i = 0; i < f.count; ++i) {
    const Vec3& a = h.vertices[h.corners[f.first + i]];
    const Vec3& b = h.vertices[h.corners[f.first + (i + 1) % f.count]];
    normal += (a - base).cross(b - base);
    mean += a;
  }
  f.normal = normal.normalized();
  f.offset = f.normal.dot(mean / f.count);
}

}  // namespace

std::expected<Hull, HullError> mergeCoplanar(std::span<const Vec3> points, const std::vector<Triangle>& triangles,
                                             double flat) {
  int patches = 0;
  const std::vector<int> patch = growPatches(points, triangles, flat, patches);
  std::vector<std::vector<int>> loops = borderLoops(triangles, patch, patches);
  if (loops.empty()) return std::unexpected(HullError::unresolved);
  // A vertex where fewer than three faces meet lies on an edge or in a face: not a corner.
  std::vector<int> meets(points.size(), 0);
  for (const auto& loop : loops)
    for (const int v : loop) ++meets[v];
  Hull h;
  std::vector<int> renamed(points.size(), -1);
  for (const auto& loop : loops) {
    Hull::Face f{Vec3::Zero(), 0, static_cast<int>(h.corners.size()), 0};
    for (const int v : loop) {
      if (meets[v] < 3) continue;
      if (renamed[v] < 0) {
        renamed[v] = static_cast<int>(h.vertices.size());
        h.vertices.push_back(points[v]);
      }
      h.corners.push_back(renamed[v]);
      ++f.count;
    }
    if (f.count < 3) return std::unexpected(HullError::unresolved);
    if (f.count > maxHullCorners) return std::unexpected(HullError::tooManyCorners);
    fitPlane(h, f);
    h.faces.push_back(f);
  }
  if (const auto done = finish(h, 4 * flat); !done) return std::unexpected(done.error());
  return h;
}

std::expected<void, HullError> finish(Hull& h, double tolerance) {
  struct Side {
    int low, high, face;
    bool forward;
  };
  std::vector<Side> sides;
  for (int f = 0; f < static_cast<int>(h.faces.size()); ++f) {
    const Hull::Face& face = h.faces[f];
    for (const Vec3& v : h.vertices)
      if (!(face.normal.dot(v) - face.offset <= tolerance)) return std::unexpected(HullError::unresolved);
    for (int i = 0; i < face.count; ++i) {
      const int a = h.corners[face.first + i], b = h.corners[face.first + (i + 1) % face.count];
      sides.push_back({std::min(a, b), std::max(a, b), f, a < b});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
    if (x.low != y.low) return x.low < y.low;
    if (x.high != y.high) return x.high < y.high;
    return x.forward && !y.forward;
  });
  if (sides.size() % 2 != 0) return std::unexpected(HullError::unresolved);
  for (std::size_t i = 0; i < sides.size(); i += 2) {
    const Side &x = sides[i], &y = sides[i + 1];
    if (x.low != y.low || x.high != y.high || !x.forward || y.forward) return std::unexpected(HullError::unresolved);
    h.edges.push_back({x.low, x.high, x.face, y.face});
  }
  const auto v = h.vertices.size(), e = h.edges.size(), f = h.faces.size();
  if (v + f != e + 2) return std::unexpected(HullError::unresolved);

  h.around.assign(v + 1, 0);
  for (const int c : h.corners) ++h.around[c + 1];
  for (std::size_t i = 0; i < v; ++i) h.around[i + 1] += h.around[i];
  h.vertexFaces.assign(h.corners.size(), -1);
  h.vertexEdges.assign(h.corners.size(), -1);
  std::vector<int> face(h.around.begin(), h.around.end() - 1), edge = face;
  for (int i = 0; i < static_cast<int>(f); ++i)
    for (int k = 0; k < h.faces[i].count; ++k) h.vertexFaces[face[h.corners[h.faces[i].first + k]]++] = i;
  for (int i = 0; i < static_cast<int>(e); ++i) {
    h.vertexEdges[edge[h.edges[i].from]++] = i;
    h.vertexEdges[edge[h.edges[i].to]++] = i;
  }
  h.centre.setZero();
  for (const Vec3& x : h.vertices) h.centre += x / static_cast<double>(v);
  h.radius = 0;
  for (const Vec3& x : h.vertices) h.radius = std::max(h.radius, (x - h.centre).norm());
  return {};
}

}  // namespace reeve::hull

namespace reeve {

std::expected<std::vector<Vec2>, HullError> convexHull(std::span<const Vec2> points) {
  if (points.size() < 3) return std::unexpected(HullError::tooFewPoints);
  Vec2 lower = points[0], upper = points[0];
  for (const Vec2& p : points) {
    if (!p.allFinite()) return std::unexpected(HullError::notFinite);
    lower = lower.cwiseMin(p);
    upper = upper.cwiseMax(p);
  }
  std::vector<Vec2> sorted(points.begin(), points.end());
  // Ties are equal points, so the order is unique.
  std::sort(sorted.begin(), sorted.end(),
            [](const Vec2& a, const Vec2& b) { return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y(); });
  const double flat = 1e-9 * (upper - lower).norm();
  // Andrew's monotone chain: lower side to the right, upper side back.
  std::vector<Vec2> chain;
  const auto extend = [&](std::size_t keep, const Vec2& p) {
    while (chain.size() >= keep + 2) {
      const Vec2 a = chain[chain.size() - 2], b = chain.back(), d = p - a;
      const double turn = (b - a).x() * d.y() - (b - a).y() * d.x();
      if (turn > flat * std::max(d.norm(), (b - a).norm())) break;
      chain.pop_back();
    }
    if (chain.empty() || (chain.back() - p).norm() > flat) chain.push_back(p);
  };
  for (const Vec2& p : sorted) extend(0, p);
  const std::size_t keep = chain.size() - 1;
  for (auto p = sorted.rbegin(); p != sorted.rend(); ++p) extend(keep, *p);
  if (chain.size() > 1 && (chain.back() - chain.front()).norm() <= flat) chain.pop_back();
  if (chain.size() < 3) return std::unexpected(HullError::collinear);
  return chain;
}

std::expected<Hull, HullError> extrude(std::span<const Vec2> polygon, double halfHeight) {
  const int n = static_cast<int>(polygon.size());
  if (n < 3) return std::unexpected(HullError::tooFewPoints);
  if (n > maxHullCorners) return std::unexpected(HullError::tooManyCorners);
  if (!std::isfinite(halfHeight)) return std::unexpected(HullError::notFinite);
  if (!(halfHeight > 0)) return std::unexpected(HullError::notPositive);
  Hull h;
  double reach = halfHeight;
  for (int side = 0; side < 2; ++side)
    for (const Vec2& p : polygon) {
      if (!p.allFinite()) return std::unexpected(HullError::notFinite);
      h.vertices.emplace_back(p.x(), p.y(), side == 0 ? -halfHeight : halfHeight);
      reach = std::max(reach, p.norm());
    }
  h.faces.push_back({-Vec3::UnitZ(), halfHeight, 0, n});
  for (int i = n - 1; i >= 0; --i) h.corners.push_back(i);
  h.faces.push_back({Vec3::UnitZ(), halfHeight, n, n});
  for (int i = 0; i < n; ++i) h.corners.push_back(n + i);
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    const Vec2 d = polygon[j] - polygon[i];
    const Vec3 normal = Vec3(d.y(), -d.x(), 0).normalized();
    h.faces.push_back({normal, normal.dot(h.vertices[i]), static_cast<int>(h.corners.size()), 4});
    h.corners.insert(h.corners.end(), {i, j, n + j, n + i});
  }
  if (const auto done = hull::finish(h, 1e-7 * reach); !done) return std::unexpected(done.error());
  return h;
}

}  // namespace reeve
