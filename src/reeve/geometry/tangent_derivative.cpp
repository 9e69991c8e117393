// Derivatives of a span's length: equations (3) to (5) and the stiffness of tangent_span.h.
#include <algorithm>
#include <cmath>

#include "reeve/geometry/span_stiffness.h"

namespace reeve {
namespace {

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

/// How a body's rotation moves a contact: φ ↦ motion·φ, and the levers that turn with it.
struct Lever {
  Mat3 motion;     // of the contact, per φ: −[ρ]×, of a rotor −[ρ]× + (toContact × axis) axisᵀ
  Vec3 toOrigin;   // reference → link origin, or all the way to the contact where it is no rotor
  Vec3 toContact;  // a rotor: link origin → contact; it turns with the body but for the turn about the axis
  bool rotor;
};

Lever leverOf(const SpanLine::End& end, const SpanMount& mount) {
  Lever lever;
  lever.rotor = mount.rotor;
  const Vec3 whole = end.point - mount.reference;
  lever.motion << 0.0, whole.z(), -whole.y(), -whole.z(), 0.0, whole.x(), whole.y(), -whole.x(), 0.0;
  if (!mount.rotor) {
    lever.toOrigin = whole;
    lever.toContact.setZero();
    return lever;
  }
  lever.toOrigin = end.origin - mount.reference;
  lever.toContact = end.point - end.origin;
  const Vec3 spun = lever.toContact.cross(end.axis);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) lever.motion(r, c) += spun[r] * end.axis[c];
  return lever;
}

/// (I − aaᵀ) k (I − aaᵀ) of a symmetric k.
Mat3 without(const Mat3& k, const Vec3& a) {
  const Vec3 along = k * a, half = along - (0.5 * a.dot(along)) * a;
  Mat3 result = k;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) result(r, c) -= a[r] * half[c] + half[r] * a[c];
  return result;
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

/// The blocks of body 1, of body 2 and between them; those that are null are not wanted. With P = I − nnᵀ, what a pair
/// of displacements (x, φ) does is T/l (x₂ + M₂φ₂ − x₁ − M₁φ₁)ᵀ P (...), and levers on the diagonal.
template <class LeverTerm>
void stiffness(const SpanLine& s, double tension, const SpanMount& mount1, const SpanMount& mount2, LeverTerm leverTerm,
               Mat6* k11, Mat6* k22, Mat6* k12) {
  const double f = tension / s.length;
  const Mat3 across = f * (Mat3::Identity() - s.n * s.n.transpose());
  const auto projected = [&](const Mat3& motion) -> Mat3 {
    const Vec3 along(s.n.dot(motion.col(0)), s.n.dot(motion.col(1)), s.n.dot(motion.col(2)));
    Mat3 p;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) p(r, c) = f * (motion(r, c) - s.n[r] * along[c]);
    return p;
  };
  std::array<Lever, 2> lever;
  std::array<Mat3, 2> moved;
  for (std::size_t i = 0; i < 2; ++i) {
    Mat6* k = i == 0 ? k11 : k22;
    if (!k && !k12) continue;
    lever[i] = leverOf(s.end[i], i == 0 ? mount1 : mount2);
    moved[i] = projected(lever[i].motion);
    if (!k) continue;
    const double sign = i == 0 ? -tension : tension;
    Mat3 turns = lever[i].motion.transpose().lazyProduct(moved[i]);
    turns += leverTerm(s.n, lever[i].toOrigin, sign);
    if (lever[i].rotor) turns += without(leverTerm(s.n, lever[i].toContact, sign), s.end[i].axis);
    k->topLeftCorner<3, 3>() = across;
    k->topRightCorner<3, 3>() = moved[i];
    k->bottomLeftCorner<3, 3>() = moved[i].transpose();
    k->bottomRightCorner<3, 3>() = turns;
  }
  if (!k12) return;
  k12->topLeftCorner<3, 3>() = -across;
  k12->topRightCorner<3, 3>() = -moved[1];
  k12->bottomLeftCorner<3, 3>() = -moved[0].transpose();
  k12->bottomRightCorner<3, 3>() = -lever[0].motion.transpose().lazyProduct(moved[1]);
}

template <class LeverTerm>
Mat12 wholeStiffness(const SpanGeometry& s, double tension, const SpanMount& mount1, const SpanMount& mount2,
                     LeverTerm leverTerm) {
  Mat6 k11, k22, k12;
  stiffness(lineOf(s), tension, mount1, mount2, leverTerm, &k11, &k22, &k12);
  Mat12 k;
  k << k11, k12, k12.transpose(), k22;
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
  return wholeStiffness(span, tension, mount1, mount2, leverStiffness);
}

Mat12 spanStiffnessPositive(const SpanGeometry& span, double tension, const SpanMount& mount1,
                            const SpanMount& mount2) {
  return wholeStiffness(span, tension, mount1, mount2, leverStiffnessPositive);
}

// With r the lever, c the arm, P = I − nnᵀ and n, c and the axis square to each other, a turn φ moves the contact of a
// wheel that spins by φ × r + (φ − (φ·axis) axis) × c, of which P leaves φ × r − n (φ·(r × n)) + (n·φ) n × c. The arm
// itself gives a stiffness of rank one: T|c|/4 (n ± d)(n ± d)ᵀ with d its direction.
void addCircleStiffness(const Vec3& n, double length, double tension, const CircleEnd (&end)[2], Mat6* k11, Mat6* k22,
                        Mat6* k12) {
  const double f = tension / length;
  double across[3][3], moved[2][3][3];
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) across[r][c] = f * ((r == c ? 1.0 : 0.0) - n[r] * n[c]);
  for (int e = 0; e < 2; ++e) {
    Mat6* k = e == 0 ? k11 : k22;
    if (!k && !k12) continue;
    const Vec3 r = end[e].rotor ? end[e].lever : Vec3(end[e].lever + end[e].arm), turn = r.cross(n),
               lifts = end[e].rotor ? Vec3(n.cross(end[e].arm)) : Vec3::Zero();
    double(&m)[3][3] = moved[e];
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 3; ++c) m[i][c] = lifts[i] * n[c] - n[i] * turn[c];
    m[0][1] += r.z(), m[0][2] -= r.y(), m[1][0] -= r.z(), m[1][2] += r.x(), m[2][0] += r.y(), m[2][1] -= r.x();
    if (!k) continue;
    const double sign = e == 0 ? -tension : tension;
    const Mat3 turns = leverStiffnessPositive(n, r, sign);
    const bool rim = end[e].rotor && end[e].radius > 0.0;
    const Vec3 bends = end[e].radius * n + (e == 0 ? -1.0 : 1.0) * end[e].arm;
    const double rimStiff = rim ? 0.25 * tension / end[e].radius : 0.0;
    for (int i = 0; i < 3; ++i)
      for (int c = 0; c < 3; ++c) {
        (*k)(i, c) += across[i][c];
        (*k)(i, 3 + c) += f * m[i][c];
        (*k)(3 + c, i) += f * m[i][c];
        (*k)(3 + i, 3 + c) += f * (m[0][i] * m[0][c] + m[1][i] * m[1][c] + m[2][i] * m[2][c]) + turns(i, c) +
                              rimStiff * bends[i] * bends[c];
      }
  }
  if (!k12) return;
  const double(&a)[3][3] = moved[0], (&b)[3][3] = moved[1];
  for (int i = 0; i < 3; ++i)
    for (int c = 0; c < 3; ++c) {
      (*k12)(i, c) -= across[i][c];
      (*k12)(i, 3 + c) -= f * b[i][c];
      (*k12)(3 + c, i) -= f * a[i][c];
      (*k12)(3 + i, 3 + c) -= f * (a[0][i] * b[0][c] + a[1][i] * b[1][c] + a[2][i] * b[2][c]);
    }
}

void spanStiffnessPositive(const SpanLine& span, double tension, const SpanMount& mount1, const SpanMount& mount2,
                           Mat6* k11, Mat6* k22, Mat6* k12) {
  stiffness(span, tension, mount1, mount2, leverStiffnessPositive, k11, k22, k12);
}

}  // namespace reeve
