#pragma once
// Constraints as plain functions (Amiragov 2020, section 3.4.2): give a scalar function of a few points and get a
// constraint of position based dynamics, PBD or XPBD.
//
//   Δλ = −(k C + α̃ λ)/(Σ_j w_j |∇_j C|² + α̃),  Δp_j = w_j ∇_j C Δλ,  α̃ = α/h²           (eqs 2.11 to 2.14)
//
// C = 0 is wanted, or C ≥ 0 (`atLeast`): then it acts only while C < 0 or λ > 0. α is the compliance (m/N for a C in
// m); 0 is rigid. PBD is α = 0 with k its stiffness factor. The sum in the denominator is over all points (the printed
// eq. 2.12 names the index once too few). The force on point j is ∇_j C λ/h².
//
// The gradient is written by hand (`analytic`), found exactly by automatic differentiation (`automatic`, from a
// function of any number type), or by central differences with a step of one's choice (`differences`, eq. 3.1). A
// hand-written solver (`by`) takes the place of the projection altogether.
//
//   // keep the middle of three particles on the line between the other two, to 1 mm per newton
//   auto straight = particles::Constraint::automatic({10, 11, 12}, [](const auto& p) {
//     return norm(p[1] - 0.5 * (p[0] + p[2]));      // norm, dot, cross, sqrt, abs, acos, sin, cos of dual.h
//   });
//   straight.compliance = 1e-3;
//   cable.particles.constraints.push_back(std::make_shared<particles::Constraint>(straight));
#include <array>
#include <functional>
#include <span>
#include <vector>

#include "reeve/cables/particles/dual.h"

namespace reeve::particles {

struct Constraint {
  static constexpr int most = 6;  ///< points of one constraint
  using Value = std::function<double(std::span<const Vec3>)>;
  using Gradient = std::function<void(std::span<const Vec3>, std::span<Vec3>)>;
  /// Moves the points by itself: positions in, displacements out; weights are inverse masses.
  using Solver = std::function<void(std::span<const Vec3>, std::span<const double> weights, std::span<Vec3> moves)>;

  std::vector<int> points;  ///< particles of the cable, counted from 0
  Value value;
  Gradient gradient;
  Solver solver;            ///< in place of value and gradient
  double compliance = 0.0;  ///< α
  double stiffness = 1.0;   ///< k, PBD
  bool atLeast = false;     ///< C ≥ 0 instead of C = 0

  static Constraint analytic(std::vector<int> points, Value value, Gradient gradient);
  static Constraint differences(std::vector<int> points, Value value, double step);
  static Constraint by(std::vector<int> points, Solver solver);
  /// `f` takes a span of PointOf<T> for T = double and T = Dual and returns a T.
  template <class F>
  static Constraint automatic(std::vector<int> points, F f) {
    Constraint c;
    c.points = std::move(points);
    c.value = [f](std::span<const Vec3> p) {
      std::array<PointOf<double>, most> q;
      for (std::size_t i = 0; i < p.size(); ++i) q[i] = {p[i].x(), p[i].y(), p[i].z()};
      return f(std::span<const PointOf<double>>(q.data(), p.size()));
    };
    c.gradient = [f](std::span<const Vec3> p, std::span<Vec3> out) {
      std::array<PointOf<Dual>, most> q;
      for (std::size_t i = 0; i < p.size(); ++i) q[i] = {p[i].x(), p[i].y(), p[i].z()};
      const std::span<const PointOf<Dual>> all(q.data(), p.size());
      for (std::size_t i = 0; i < p.size(); ++i)
        for (int k = 0; k < 3; ++k) {
          Dual& coordinate = k == 0 ? q[i].x : k == 1 ? q[i].y : q[i].z;
          coordinate.slope = 1.0;
          out[i][k] = f(all).slope;
          coordinate.slope = 0.0;
        }
    };
    return c;
  }

  // Built in, with gradients written by hand.
  static Constraint distance(int a, int b, double rest);
  /// The angle at b between a and c, rad.
  static Constraint angle(int a, int b, int c, double rest);
  /// Stays on or above the plane n·x = offset.
  static Constraint above(int a, const Vec3& normal, double offset);

  /// One projection of points at `x`: displacements into `moves`, and the multiplier. `alpha` is α̃.
  void project(std::span<const Vec3> x, std::span<const double> weights, double alpha, double& lambda,
               std::span<Vec3> moves) const;
};

}  // namespace reeve::particles
