#include "reeve/geometry/span_change.h"

#include <cmath>

namespace reeve {

namespace {

/// A number or vector that carries its rate.
struct Rate {
  double x = 0.0, rate = 0.0;
  friend Rate operator+(Rate a, Rate b) { return {a.x + b.x, a.rate + b.rate}; }
  friend Rate operator-(Rate a, Rate b) { return {a.x - b.x, a.rate - b.rate}; }
  friend Rate operator*(Rate a, Rate b) { return {a.x * b.x, a.rate * b.x + a.x * b.rate}; }
  friend Rate operator*(double k, Rate a) { return {k * a.x, k * a.rate}; }
  friend Rate operator/(Rate a, Rate b) {
    const double q = a.x / b.x;
    return {q, (a.rate - q * b.rate) / b.x};
  }
};
struct VecRate {
  Vec3 x = Vec3::Zero(), rate = Vec3::Zero();
  friend VecRate operator-(const VecRate& a, const VecRate& b) { return {a.x - b.x, a.rate - b.rate}; }
  friend VecRate operator*(Rate k, const VecRate& a) { return {k.x * a.x, k.rate * a.x + k.x * a.rate}; }
};
Rate dot(const VecRate& a, const VecRate& b) { return {a.x.dot(b.x), a.rate.dot(b.x) + a.x.dot(b.rate)}; }
VecRate cross(const VecRate& a, const VecRate& b) { return {a.x.cross(b.x), a.rate.cross(b.x) + a.x.cross(b.rate)}; }

double weightOf(const SpanEnd& e) { return e.onEdge ? 1.0 : e.bendRadius; }

bool singular(double determinant, double down, double across) {
  return !(std::abs(determinant) > 1e-12 * (std::abs(down) + std::abs(across)));
}

/// ṡ of both contacts: equation (4), divided by ρ where that is infinite.
std::array<double, 2> arcsOf(const SpanGeometry& s, const SpanMotion& m, const std::array<Vec3, 2>& material) {
  const SpanEnd &e1 = s.end[0], &e2 = s.end[1];
  const double weight1 = weightOf(e1), weight2 = weightOf(e2);
  const double a11 = e1.onEdge ? 0.0 : s.length * e1.tangent.dot(s.n);
  const double a22 = e2.onEdge ? 0.0 : s.length * e2.tangent.dot(s.n);
  const double a12 = weight1 * e1.outward.dot(e2.tangent), a21 = -weight2 * e2.outward.dot(e1.tangent);
  const double determinant = a11 * a22 - a12 * a21;
  if (singular(determinant, a11 * a22, a12 * a21)) return {0.0, 0.0};
  const Vec3 apart = material[1] - material[0];
  const auto drive = [&](const SpanEnd& e, double weight, const Vec3& turning) {
    return -weight * (e.outward.dot(apart) + s.length * turning.dot(e.outward.cross(s.n)));
  };
  const double b1 = drive(e1, weight1, m.turning[0]), b2 = drive(e2, weight2, m.turning[1]);
  return {(a22 * b1 - a12 * b2) / determinant, (a11 * b2 - a21 * b1) / determinant};
}

/// μᵢρᵢ of equation (5).
std::array<Rate, 2> weightsOf(const SpanGeometry& s, Rate l, const VecRate& n, const std::array<VecRate, 2>& tangent,
                              const std::array<VecRate, 2>& outward) {
  const double weight1 = weightOf(s.end[0]), weight2 = weightOf(s.end[1]);
  const Rate a11 = s.end[0].onEdge ? Rate{} : l * dot(tangent[0], n);
  const Rate a22 = s.end[1].onEdge ? Rate{} : l * dot(tangent[1], n);
  const Rate a12 = weight1 * dot(outward[0], tangent[1]), a21 = -weight2 * dot(outward[1], tangent[0]);
  const Rate determinant = a11 * a22 - a12 * a21;
  if (singular(determinant.x, a11.x * a22.x, a12.x * a21.x)) return {};
  const auto kink = [&](std::size_t i) {
    return Rate{s.end[i].kink, -(tangent[i].rate.dot(n.x) + tangent[i].x.dot(n.rate))};
  };
  return {weight1 * ((a22 * kink(0) + a21 * kink(1)) / determinant),
          -weight2 * ((a12 * kink(0) + a11 * kink(1)) / determinant)};
}

}  // namespace

SpanChange spanChange(const SpanGeometry& s, const SpanMotion& m) {
  SpanChange out;
  std::array<Vec3, 2> material;
  for (std::size_t i = 0; i < 2; ++i) material[i] = m.origin[i] + m.turning[i].cross(s.end[i].point - s.end[i].origin);
  out.arc = arcsOf(s, m, material);
  std::array<VecRate, 2> tangent, outward, point, origin;
  for (std::size_t i = 0; i < 2; ++i) {
    const SpanEnd& e = s.end[i];
    const double bends = !e.onEdge && e.bendRadius > 0.0 ? out.arc[i] / e.bendRadius : 0.0;
    tangent[i] = {e.tangent, m.turning[i].cross(e.tangent) - bends * e.outward};
    outward[i] = {e.outward, m.turning[i].cross(e.outward) + bends * e.tangent};
    out.point[i] = material[i] + out.arc[i] * e.tangent;
    point[i] = {e.point, out.point[i]};
    origin[i] = {e.origin, m.origin[i]};
  }
  const Vec3 apart = out.point[1] - out.point[0];
  const Rate l{s.length, s.n.dot(apart)};
  const VecRate n{s.n, (apart - s.n * s.n.dot(apart)) / s.length};
  out.length = l.rate;
  const std::array<Rate, 2> weight = weightsOf(s, l, n, tangent, outward);
  const VecRate g = n - weight[0] * outward[0] - weight[1] * outward[1];
  for (std::size_t i = 0; i < 2; ++i) {
    const VecRate pull = i == 0 ? Rate{-1.0, 0.0} * g : g;
    out.pull[i] = pull.rate;
    out.moment[i] = (cross(point[i] - origin[i], pull) - weight[i] * l * cross(outward[i], n)).rate;
  }
  return out;
}

}  // namespace reeve
