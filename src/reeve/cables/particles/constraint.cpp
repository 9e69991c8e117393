#include "reeve/cables/particles/constraint.h"

#include <algorithm>
#include <utility>

namespace reeve::particles {

Constraint Constraint::analytic(std::vector<int> points, Value value, Gradient gradient) {
  Constraint c;
  c.points = std::move(points);
  c.value = std::move(value);
  c.gradient = std::move(gradient);
  return c;
}

Constraint Constraint::differences(std::vector<int> points, Value value, double step) {
  Constraint c;
  c.points = std::move(points);
  c.gradient = [value, step](std::span<const Vec3> p, std::span<Vec3> out) {
    std::array<Vec3, most> q;
    std::copy(p.begin(), p.end(), q.begin());
    const std::span<const Vec3> all(q.data(), p.size());
    for (std::size_t i = 0; i < p.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        q[i][k] = p[i][k] + step;
        const double up = value(all);
        q[i][k] = p[i][k] - step;
        const double down = value(all);
        q[i][k] = p[i][k];
        out[i][k] = (up - down) / (2.0 * step);
      }
  };
  c.value = std::move(value);
  return c;
}

Constraint Constraint::by(std::vector<int> points, Solver solver) {
  Constraint c;
  c.points = std::move(points);
  c.solver = std::move(solver);
  return c;
}

Constraint Constraint::distance(int a, int b, double rest) {
  return analytic(
      {a, b}, [rest](std::span<const Vec3> p) { return (p[1] - p[0]).norm() - rest; },
      [](std::span<const Vec3> p, std::span<Vec3> out) {
        const Vec3 d = p[1] - p[0];
        const double length = d.norm();
        out[1] = length > 0.0 ? Vec3(d / length) : Vec3(Vec3::Zero());
        out[0] = -out[1];
      });
}

Constraint Constraint::angle(int a, int b, int c, double rest) {
  return analytic(
      {a, b, c},
      [rest](std::span<const Vec3> p) {
        const Vec3 u = p[0] - p[1], v = p[2] - p[1];
        return math::atan2(u.cross(v).norm(), u.dot(v)) - rest;
      },
      [](std::span<const Vec3> p, std::span<Vec3> out) {
        // ∂θ/∂a lies in the plane, across u, away from v: −(v̂ − û cos θ)/(|u| sin θ).
        const Vec3 u = p[0] - p[1], v = p[2] - p[1];
        const double lu = u.norm(), lv = v.norm();
        out[0] = out[1] = out[2] = Vec3::Zero();
        if (!(lu > 0.0) || !(lv > 0.0)) return;
        const Vec3 a = u / lu, c = v / lv;
        const double sine = a.cross(c).norm(), cosine = a.dot(c);
        if (sine < 1e-12) return;  // straight or folded: no direction is better than another
        out[0] = (a * cosine - c) / (lu * sine);
        out[2] = (c * cosine - a) / (lv * sine);
        out[1] = -out[0] - out[2];
      });
}

Constraint Constraint::above(int a, const Vec3& normal, double offset) {
  Constraint c = analytic(
      {a}, [normal, offset](std::span<const Vec3> p) { return normal.dot(p[0]) - offset; },
      [normal](std::span<const Vec3>, std::span<Vec3> out) { out[0] = normal; });
  c.atLeast = true;
  return c;
}

void Constraint::project(std::span<const Vec3> x, std::span<const double> weights, double alpha, double& lambda,
                         std::span<Vec3> moves) const {
  if (solver) {
    solver(x, weights, moves);
    return;
  }
  for (Vec3& m : moves) m.setZero();
  const double error = value(x);
  if (atLeast && error >= 0.0 && lambda <= 0.0) return;
  std::array<Vec3, most> slope;
  gradient(x, std::span<Vec3>(slope.data(), x.size()));
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += weights[i] * slope[i].squaredNorm();
  if (!(sum + alpha > 0.0)) return;
  double change = -(stiffness * error + alpha * lambda) / (sum + alpha);
  if (atLeast) change = std::max(change, -lambda);
  lambda += change;
  for (std::size_t i = 0; i < x.size(); ++i) moves[i] = (weights[i] * change) * slope[i];
}

}  // namespace reeve::particles
