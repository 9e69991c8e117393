// Derivatives of a span's length: equations (3) to (5) and the stiffness of tangent_span.h.
#include <algorithm>
#include <cmath>

#include "reeve/geometry/tangent_span.h"

namespace reeve {
namespace {

Mat3 skew(const Vec3& v) {
  Mat3 m;
  m << 0.0, -v.z(), v.y(), v.z(), 0.0, -v.x(), -v.y(), v.x(), 0.0;
  return m;
}

/// μ of equation (5), already times the row weights. An edge (ρ = ∞) is equation (4) divided by ρ.
std::array<double, 2> kinkWeights(const SpanGeometry& s) {
  const SpanEnd& e1 = s.end[0];
  const SpanEnd& e2 = s.end[1];
  const double weight1 = e1.onEdge ? 1.0 : e1.bendRadius;
  const double weight2 = e2.onEdge ? 1.0 : e2.bendRadius;
  const double a11 = e1.onEdge ? 0.0 : s.length * e1.tangent.dot(s.n);
  const double a22 = e2.onEdge ? 0.0 : s.length * e2.tangent.dot(s.n);
  const double a12 = weight1 * e1.outward.dot(e2.tangent);
  const double a21 = -weight2 * e2.outward.dot(e1.tangent);
  const double determinant = a11 * a22 - a12 * a21;
  // Singular where the contacts can run along each other without end: no derivative exists, n is the best guess left.
  if (!(std::abs(determinant) > 1e-12 * (std::abs(a11 * a22) + std::abs(a12 * a21)))) return {0.0, 0.0};
  const double mu1 = (a22 * e1.kink + a21 * e2.kink) / determinant;
  const double mu2 = (-a12 * e1.kink - a11 * e2.kink) / determinant;
  return {mu1 * weight1, mu2 * weight2};
}

/// How a body's rotation moves a contact: φ ↦ lever·φ, and the rotation that the lever a − origin takes part in.
struct Lever {
  Mat3 motion;     // of the contact, per φ
  Vec3 toOrigin;   // reference → link origin
  Vec3 toContact;  // link origin → contact (a rotor's own lever), or zero when all of it is in toOrigin
  Mat3 turning;    // of the rotor's lever, per φ
};

Lever leverOf(const SpanEnd& end, const SpanMount& mount) {
  Lever lever;
  if (!mount.rotor) {
    lever.toOrigin = end.point - mount.reference;
    lever.toContact.setZero();
    lever.turning.setIdentity();
  } else {
    lever.toOrigin = end.origin - mount.reference;
    lever.toContact = end.point - end.origin;
    lever.turning = Mat3::Identity() - end.axis * end.axis.transpose();
  }
  lever.motion = -skew(lever.toOrigin) - skew(lever.toContact) * lever.turning;
  return lever;
}

/// sign·(sym(nρᵀ) − (n·ρ)I): how the end of a lever ρ falls short along n as the lever turns.
Mat3 leverStiffness(const Vec3& n, const Vec3& rho, double sign) {
  const Mat3 outer = n * rho.transpose();
  return sign * (0.5 * (outer + outer.transpose()) - n.dot(rho) * Mat3::Identity());
}

Mat3 leverStiffnessPositive(const Vec3& n, const Vec3& rho, double sign) {
  Mat3 result = Mat3::Zero();
  const double length = rho.norm();
  if (length == 0.0) return result;
  const Vec3 direction = rho / length;
  const double c = n.dot(direction);
  const auto add = [&](const Vec3& axis, double value) {
    const double squared = axis.squaredNorm();
    if (value > 0.0 && squared > 1e-24) result += (value / squared) * axis * axis.transpose();
  };
  add(n + direction, sign * 0.5 * length * (1.0 - c));
  add(n - direction, -sign * 0.5 * length * (1.0 + c));
  const Vec3 across = n.cross(direction);
  add(across, -sign * length * c);
  if (across.squaredNorm() <= 1e-24 && sign * c < 0.0) {
    // Lever along the cable: every direction across it is an eigenvector with the same value.
    result = -sign * c * length * (Mat3::Identity() - n * n.transpose());
  }
  return result;
}

template <class LeverTerm>
Mat12 stiffness(const SpanGeometry& s, double tension, const SpanMount& mount1, const SpanMount& mount2,
                LeverTerm leverTerm) {
  const std::array<Lever, 2> lever{leverOf(s.end[0], mount1), leverOf(s.end[1], mount2)};
  Eigen::Matrix<double, 3, 12> apart;  // v₂ − v₁
  apart << -Mat3::Identity(), -lever[0].motion, Mat3::Identity(), lever[1].motion;
  const Eigen::Matrix<double, 3, 12> across = apart - s.n * (s.n.transpose() * apart);
  Mat12 k = (tension / s.length) * (across.transpose() * across);
  for (int i = 0; i < 2; ++i) {
    const Lever& v = lever[static_cast<std::size_t>(i)];
    const double sign = i == 0 ? -tension : tension;
    k.block<3, 3>(6 * i + 3, 6 * i + 3) +=
        leverTerm(s.n, v.toOrigin, sign) + v.turning.transpose() * leverTerm(s.n, v.toContact, sign) * v.turning;
  }
  return k;
}

}  // namespace

SpanGradient spanGradient(const SpanGeometry& s) {
  const std::array<double, 2> weight = kinkWeights(s);
  const Vec3 g = s.n - weight[0] * s.end[0].outward - weight[1] * s.end[1].outward;
  SpanGradient result;
  for (std::size_t i = 0; i < 2; ++i) {
    const SpanEnd& end = s.end[i];
    result.pull[i] = i == 0 ? Vec3(-g) : g;
    result.moment[i] = (end.point - end.origin).cross(result.pull[i]) - weight[i] * s.length * end.outward.cross(s.n);
    result.spin[i] = result.moment[i].dot(end.axis);
  }
  return result;
}

std::array<double, 12> spanRow(const SpanGeometry& s, const SpanGradient& gradient, const SpanMount& mount1,
                               const SpanMount& mount2) {
  std::array<double, 12> row{};
  for (std::size_t i = 0; i < 2; ++i) {
    const SpanMount& mount = i == 0 ? mount1 : mount2;
    Vec3 moment = (s.end[i].origin - mount.reference).cross(gradient.pull[i]) + gradient.moment[i];
    if (mount.rotor) moment -= gradient.spin[i] * s.end[i].axis;
    for (int j = 0; j < 3; ++j) {
      row[6 * i + static_cast<std::size_t>(j)] = gradient.pull[i](j);
      row[6 * i + 3 + static_cast<std::size_t>(j)] = moment(j);
    }
  }
  return row;
}

Mat3 spanTransverse(const SpanGeometry& span, double tension) {
  return (tension / span.length) * (Mat3::Identity() - span.n * span.n.transpose());
}

Mat12 spanStiffness(const SpanGeometry& span, double tension, const SpanMount& mount1, const SpanMount& mount2) {
  return stiffness(span, tension, mount1, mount2, leverStiffness);
}

Mat12 spanStiffnessPositive(const SpanGeometry& span, double tension, const SpanMount& mount1,
                            const SpanMount& mount2) {
  return stiffness(span, tension, mount1, mount2, leverStiffnessPositive);
}

}  // namespace reeve
