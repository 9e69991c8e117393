#include "reeve/math/rotation.h"

#include <cmath>
#include <utility>

#include "reeve/math/scalar.h"

namespace reeve {

Mat3 skew(const Vec3& a) {
  Mat3 m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

Quat rotationExp(const Vec3& theta) {
  const double square = theta.squaredNorm();
  double w, factor;  // factor = sin(|theta|/2)/|theta|
  if (square < 1e-3) {
    w = 1 + square * (-1.0 / 8 + square * (1.0 / 384 + square * (-1.0 / 46080)));
    factor = 0.5 + square * (-1.0 / 48 + square * (1.0 / 3840 + square * (-1.0 / 645120)));
  } else {
    const double angle = std::sqrt(square);
    double sine;
    math::sincos(0.5 * angle, sine, w);
    factor = sine / angle;
  }
  return {w, factor * theta.x(), factor * theta.y(), factor * theta.z()};
}

Vec3 rotationLog(const Quat& q) {
  const double sign = q.w() < 0 ? -1 : 1;
  const double w = sign * q.w();
  const Vec3 v = sign * q.vec();
  const double square = v.squaredNorm();
  if (square < 1e-6) {  // 2 atan(n/w)/n, with t = (n/w)²
    const double t = square / (w * w);
    return (2 / w) * (1 + t * (-1.0 / 3 + t * (1.0 / 5))) * v;
  }
  const double n = std::sqrt(square);
  return (2 * math::atan2(n, w) / n) * v;
}

Mat3 leftJacobianInverse(const Vec3& theta) {
  const double square = theta.squaredNorm();
  double c;
  if (square < 0.01) {
    c = 1.0 / 12 + square * (1.0 / 720 + square * (1.0 / 30240 + square * (1.0 / 1209600)));
  } else {
    const double limit = 2 * math::pi - 1e-3;
    const double angle = square < limit * limit ? std::sqrt(square) : limit;
    double sine, cosine;
    math::sincos(0.5 * angle, sine, cosine);
    c = (1 - 0.5 * angle * cosine / sine) / (angle * angle);
  }
  // [θ]×² = θθᵀ - θ² 1
  const Mat3 outer = theta * theta.transpose();
  return (1 - c * square) * Mat3::Identity() - 0.5 * skew(theta) + c * outer;
}

void orthonormalBasis(const Vec3& n, Vec3& t1, Vec3& t2) {
  const double sign = std::copysign(1.0, n.z());
  const double a = -1 / (sign + n.z());
  const double b = n.x() * n.y() * a;
  t1 = {1 + sign * n.x() * n.x() * a, sign * b, -sign * n.x()};
  t2 = {b, sign + n.y() * n.y() * a, -n.y()};
}

namespace {
/// For unit vectors at most a right angle apart.
Quat betweenNearby(const Vec3& a, const Vec3& b) {
  const Vec3 axis = a.cross(b);
  const double w = 1 + a.dot(b);  // axis and w: both times 2 cos(angle/2)
  const double scale = 1 / std::sqrt(w * w + axis.squaredNorm());
  return {scale * w, scale * axis.x(), scale * axis.y(), scale * axis.z()};
}
}  // namespace

Quat fromTwoVectors(const Vec3& a, const Vec3& b) {
  const double lengthA = math::hypot(math::hypot(a.x(), a.y()), a.z());
  const double lengthB = math::hypot(math::hypot(b.x(), b.y()), b.z());
  if (!(lengthA > 0) || !(lengthB > 0)) return Quat::Identity();
  const Vec3 from = a / lengthA, to = b / lengthB;
  if (from.dot(to) >= 0) return betweenNearby(from, to);
  // More than a right angle: half a turn about an axis perpendicular to `from`, then the small rest. The half turn is
  // about the true axis where there is one, so the whole is the smallest rotation.
  const Vec3 cross = from.cross(to);
  const double sine = cross.norm();
  Vec3 axis, unused;
  if (sine > 1e-12) {
    axis = cross / sine;
    axis = (axis - axis.dot(from) * from).normalized();
  } else {
    orthonormalBasis(from, axis, unused);
  }
  const Quat halfTurn(0, axis.x(), axis.y(), axis.z());
  const Quat q = betweenNearby(-from, to) * halfTurn;
  return q.w() < 0 ? Quat(-q.w(), -q.x(), -q.y(), -q.z()) : q;
}

Mat3 eigenSymmetric(const Mat3& a, Vec3& values) {
  Mat3 d = a, vectors = Mat3::Identity();
  d(0, 1) = d(1, 0);
  d(0, 2) = d(2, 0);
  d(1, 2) = d(2, 1);
  // Convergence is quadratic: six sweeps reach rounding, the rest is for safety.
  for (int sweep = 0; sweep < 12; ++sweep) {
    if (d(0, 1) == 0 && d(0, 2) == 0 && d(1, 2) == 0) break;
    for (const auto& [p, q] : {std::pair{0, 1}, std::pair{0, 2}, std::pair{1, 2}}) {
      const double off = d(p, q);
      if (std::abs(off) <= 1e-18 * (std::abs(d(p, p)) + std::abs(d(q, q)))) {
        d(p, q) = d(q, p) = 0;
        continue;
      }
      // The smaller root t = tan(angle) of t² + 2 t k - 1 = 0 makes the off-diagonal entry vanish.
      const double k = (d(q, q) - d(p, p)) / (2 * off);
      const double t = (k >= 0 ? 1 : -1) / (std::abs(k) + std::sqrt(k * k + 1));
      const double cosine = 1 / std::sqrt(t * t + 1), sine = t * cosine;
      const int r = 3 - p - q;
      d(p, p) -= t * off;
      d(q, q) += t * off;
      d(p, q) = d(q, p) = 0;
      const double rp = d(r, p), rq = d(r, q);
      d(r, p) = d(p, r) = cosine * rp - sine * rq;
      d(r, q) = d(q, r) = sine * rp + cosine * rq;
      for (int i = 0; i < 3; ++i) {
        const double vp = vectors(i, p), vq = vectors(i, q);
        vectors(i, p) = cosine * vp - sine * vq;
        vectors(i, q) = sine * vp + cosine * vq;
      }
    }
  }
  int order[3] = {0, 1, 2};
  for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 1}})
    if (d(order[j], order[j]) < d(order[i], order[i])) std::swap(order[i], order[j]);
  Mat3 sorted;
  for (int i = 0; i < 3; ++i) {
    values(i) = d(order[i], order[i]);
    sorted.col(i) = vectors.col(order[i]);
  }
  if (sorted.col(0).cross(sorted.col(1)).dot(sorted.col(2)) < 0) sorted.col(2) = -sorted.col(2);
  return sorted;
}

}  // namespace reeve
