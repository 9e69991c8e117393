#pragma once
// Shapes, poses and the definition of the gap, for the collision tests. Random numbers come from mt19937_64 bits only.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "reeve/geometry/collide.h"

namespace reeve::collide_test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(bits_() >> 11) * 0x1p-53; }
  Vec3 vector(double reach) {
    const double x = uniform(-reach, reach), y = uniform(-reach, reach), z = uniform(-reach, reach);
    return {x, y, z};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector(1);
      const double l = v.norm();
      if (l > 0.1 && l < 1) return v / l;
    }
  }
  Quat rotation() {
    const double w = uniform(-1, 1), x = uniform(-1, 1), y = uniform(-1, 1), z = uniform(-1, 1);
    Quat q(w, x, y, z);
    q.normalize();
    return q;
  }
  Pose pose(double reach) {
    const Vec3 p = vector(reach);
    return {p, rotation()};
  }

 private:
  std::mt19937_64 bits_;
};

struct Named {
  std::string name;
  Shape shape;
};

inline std::vector<Named> boundedShapes() {
  Random random(11);
  std::vector<Vec3> cloud;
  for (int i = 0; i < 20; ++i) cloud.push_back(random.vector(0.6));
  std::vector<Vec2> wheel;
  for (int i = 0; i < 32; ++i) wheel.emplace_back(0.5 * std::cos(i * M_PI / 16), 0.5 * std::sin(i * M_PI / 16));
  const std::vector<Vec2> wedge = {{0.5, 0}, {0.2, 0.5}, {-0.4, 0.3}, {-0.4, -0.3}, {0.1, -0.5}};
  return {{"sphere", {Sphere{0.4}, {}}},           {"capsule", {Capsule{0.2, 0.5}, {}}},
          {"drum", {Cylinder{0.4, 0.3}, {}}},      {"rod", {Cylinder{0.15, 0.8}, {}}},
          {"box", {Box{Vec3(0.3, 0.5, 0.4)}, {}}}, {"hull", {*makeHull(cloud), {}}},
          {"prism", {*makePrism(wedge, 0.3), {}}}, {"wheel", {*makePrism(wheel, 0.2), {}}}};
}

/// How far b lies beyond a along n. The gap is the largest of these: no normal may beat it, and its own must attain it.
inline double separation(const Shape& a, const Pose& A, const Shape& b, const Pose& B, const Vec3& n) {
  const Vec3 pa = A.point(support(a, A.directionInverse(n))), pb = B.point(support(b, B.directionInverse(-n)));
  return n.dot(pb - pa);
}

/// The best of many directions, improved by a local search: a lower bound of the gap, good to about 1e-4.
inline double searchedGap(const Shape& a, const Pose& A, const Shape& b, const Pose& B, Random& random) {
  constexpr int samples = 400;
  std::vector<std::pair<double, Vec3>> found;
  for (int i = 0; i < samples; ++i) {
    const double z = 1 - 2 * (i + 0.5) / samples, r = std::sqrt(1 - z * z), angle = i * 2.399963229728653;
    const Vec3 n(r * std::cos(angle), r * std::sin(angle), z);
    found.emplace_back(separation(a, A, b, B, n), n);
  }
  std::sort(found.begin(), found.end(), [](const auto& x, const auto& y) { return x.first > y.first; });
  double best = found[0].first;
  for (int start = 0; start < 4; ++start) {
    auto [gap, n] = found[start];
    for (double step = 0.1; step > 1e-6;) {
      bool better = false;
      for (int i = 0; i < 12; ++i) {
        const Vec3 m = (n + step * random.vector(1)).normalized();
        const double s = separation(a, A, b, B, m);
        if (s > gap) {
          gap = s;
          n = m;
          better = true;
        }
      }
      if (!better) step *= 0.5;
    }
    best = std::max(best, gap);
  }
  return best;
}

inline int deepest(const Manifold& m) {
  int best = 0;
  for (int i = 1; i < m.count; ++i)
    if (m.points[i].gap < m.points[best].gap) best = i;
  return best;
}

}  // namespace reeve::collide_test
