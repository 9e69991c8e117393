// All distances of a line at once: a banded LDLᵀ of J W Jᵀ + α̃.
#include <algorithm>
#include <cmath>

#include "reeve/cables/particles/line.h"

namespace reeve::particles {

namespace {
/// A pivot this much smaller than its diagonal means a distance the others already imply (doubles of a straight cable).
constexpr double implied = 1e-10;
/// Of the mobility of a free particle of its mass: a held one gives way next to nothing. With nothing at all a cable
/// that is too short between two held ends would have no solution, and would seem to pull with no force.
constexpr double heldGives = 1e-9;
}  // namespace

bool Line::band(const Bundle& bundle, const Factors& f) {
  const Points& p = bundle.points;
  const int m = static_cast<int>(banded_.size()), stride = width_ + 1;
  normal_.resize(at(m));
  matrix_.resize(at(m * stride));
  right_.resize(at(m));
  bool worth = false;
  const auto weigh = [&](int point, const Vec3& n, const Vec3& k) {
    if (!bundle.pushes(point))
      return (p.w[at(point)] > 0.0 ? p.w[at(point)] : heldGives / p.mass[at(point)]) * n.dot(k);
    const Proxy& body = bundle.bodyOf(point);
    return n.dot(body.mobility(body.armOf(bundle.mountOf(point).local)) * k);
  };
  for (int r = 0; r < m; ++r) {
    const int j = banded_[at(r)];
    const Distance& c = distances[at(j)];
    const Vec3 d = edge[at(j)] + (p.u[at(c.b)] - p.u[at(c.a)]);
    const double length = d.norm();
    normal_[at(r)] = length > 1e-12 ? Vec3(d / length) : Vec3(Vec3::Zero());
    const double alpha = f.soft ? c.compliance * f.alphaScale : 0.0;
    const double rate = f.lag > 0.0 ? f.lag * normal_[at(r)].dot(p.u[at(c.b)] - p.u[at(c.a)]) : 0.0;
    right_[at(r)] = -((f.soft ? 1.0 : c.stiffness) * (length - c.rest) + rate + alpha * lambda[at(j)]) / (1.0 + f.lag);
    matrix_[at(r * stride)] =
        weigh(c.a, normal_[at(r)], normal_[at(r)]) + weigh(c.b, normal_[at(r)], normal_[at(r)]) + alpha / (1.0 + f.lag);
    worth = worth || matrix_[at(r * stride)] > 0.0;
  }
  for (int r = 0; r < m; ++r) {
    const Distance& c = distances[at(banded_[at(r)])];
    for (int k = 1; k <= width_; ++k) {
      double sum = 0.0;
      if (r + k < m) {
        const Distance& o = distances[at(banded_[at(r + k)])];
        const Vec3 &n = normal_[at(r)], &q = normal_[at(r + k)];
        // The gradient is −n at a and +n at b.
        if (c.a == o.a) sum += weigh(c.a, n, q);
        if (c.b == o.b) sum += weigh(c.b, n, q);
        if (c.a == o.b) sum -= weigh(c.a, n, q);
        if (c.b == o.a) sum -= weigh(c.b, n, q);
      }
      matrix_[at(r * stride + k)] = sum;
    }
  }
  return worth;
}

void Line::solveDirect(Bundle& bundle, const Factors& f) {
  if (!band(bundle, f)) return;
  const int m = static_cast<int>(banded_.size()), stride = width_ + 1;
  double* a = matrix_.data();
  double* x = right_.data();
  // L D Lᵀ in place: a[r][0] becomes D, a[r][k] the multiplier of row r + k.
  for (int r = 0; r < m; ++r) {
    double* row = a + static_cast<std::ptrdiff_t>(r) * stride;
    double scale = 0.0;  // the diagonal as it was
    {
      const Distance& c = distances[at(banded_[at(r)])];
      scale = bundle.points.w[at(c.a)] + bundle.points.w[at(c.b)];
      if (scale <= 0.0) scale = row[0];
    }
    const bool skip = !(row[0] > implied * scale);
    if (skip) {
      for (int k = 0; k < stride; ++k) row[k] = 0.0;
      row[0] = 1.0;
      x[r] = 0.0;
      continue;
    }
    const int reach = std::min(width_, m - 1 - r);
    for (int k = 1; k <= reach; ++k) {
      const double l = row[k] / row[0];
      double* other = a + static_cast<std::ptrdiff_t>(r + k) * stride;
      for (int q = k; q <= reach; ++q) other[q - k] -= l * row[q];
      x[r + k] -= l * x[r];
    }
  }
  for (int r = m - 1; r >= 0; --r) {
    const double* row = a + static_cast<std::ptrdiff_t>(r) * stride;
    double sum = x[r];
    for (int k = 1; k <= std::min(width_, m - 1 - r); ++k) sum -= row[k] * x[r + k];
    x[r] = sum / row[0];
  }
  Points& p = bundle.points;
  bool pushed = false;
  for (int r = 0; r < m; ++r) {
    const int j = banded_[at(r)];
    const Distance& c = distances[at(j)];
    lambda[at(j)] += x[r];
    const Vec3 move = x[r] * normal_[at(r)];
    const auto push = [&](int point, double sign) {
      if (bundle.pushes(point)) {
        bundle.bodyOf(point).strike(bundle.bodyOf(point).armOf(bundle.mountOf(point).local), sign * move);
        pushed = true;
      } else {
        p.u[at(point)] += (sign * p.w[at(point)]) * move;
      }
    };
    push(c.a, -1.0);
    push(c.b, 1.0);
  }
  if (pushed) bundle.follow();
}

}  // namespace reeve::particles
