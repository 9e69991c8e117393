#include "reeve/geometry/transport.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// Cuts a piece into such that turn by a radian or less: calls visit(α₀, α₁).
template <class Visit>
void everyBend(const Chart& chart, const Vec2& u0, const Vec2& u1, double from, double to, Visit&& visit) {
  const GaussRule& rule = gaussRule(chart.points((to - from) * (u1 - u0)));
  double turn = 0.0;
  for (int i = 0; i < rule.count; ++i)
    turn +=
        (to - from) * rule.weight[at(i)] * pathTangent(chart, u0, u1, from + (to - from) * rule.at[at(i)]).slope.norm();
  const int count = 1 + static_cast<int>(std::min(turn, 1e6));
  for (int k = 0; k < count; ++k) visit(from + (to - from) * k / count, from + (to - from) * (k + 1) / count);
}

/// Calls visit(α, weight) for points between them that leave 1e-13.
template <class Visit>
void finely(double from, double to, Visit&& visit) {
  const GaussRule& rule = gaussRule(14);
  for (int i = 0; i < rule.count; ++i) visit(from + (to - from) * rule.at[at(i)], (to - from) * rule.weight[at(i)]);
}

/// With c fixed, (U, V) = (c across t, t×U) is a frame whose own twist is U'·V = −(c·t) t'·(t×c)/|t×c|²; what is
/// carried turns back by it. c is the binormal in the middle, so t keeps away from it.
Vec3 carriedRound(const Chart& chart, const Vec2& u0, const Vec2& u1, double from, double to, const Vec3& v) {
  const PathTangent middle = pathTangent(chart, u0, u1, 0.5 * (from + to));
  Vec3 c = middle.t.cross(middle.slope), other;
  if (c.norm() > 1e-6)
    c.normalize();
  else
    orthonormalBasis(middle.t, c, other);
  double angle = 0.0;
  finely(from, to, [&](double alpha, double weight) {
    const PathTangent p = pathTangent(chart, u0, u1, alpha);
    const Vec3 across = p.t.cross(c);
    angle += weight * c.dot(p.t) * p.slope.dot(across) / across.squaredNorm();
  });
  const auto frame = [&](double alpha) {
    const Vec3 t = pathTangent(chart, u0, u1, alpha).t, side = t.cross(c).normalized();
    return std::array<Vec3, 2>{side.cross(t), side};
  };
  const auto a = frame(from), b = frame(to);
  const double x = v.dot(a[0]), y = v.dot(a[1]);
  double sine, cosine;
  math::sincos(angle, sine, cosine);
  return (x * cosine - y * sine) * b[0] + (x * sine + y * cosine) * b[1];
}

}  // namespace

Vec3 carriedOver(const Vec3& v, const Vec3& a, const Vec3& b) {
  const Vec3 turn = a.cross(b);
  const double c = 1.0 + a.dot(b);
  return c < 1e-9 ? v : Vec3(v + turn.cross(v) + turn.cross(turn.cross(v)) / c);
}

Vec3 cornerBinormal(const Vec3& a, const Vec3& b) {
  const double c = 1.0 + a.dot(b);
  return c < 1e-9 ? Vec3(Vec3::Zero()) : Vec3(2.0 * a.cross(b) / c);
}

PathTangent pathTangent(const Chart& chart, const Vec2& u0, const Vec2& u1, double alpha) {
  const Vec2 d = u1 - u0;
  const ChartPoint p = chart.at(u0 + alpha * d);
  const Vec3 first = p.du[0] * d.x() + p.du[1] * d.y();
  const Vec3 second = p.duu[0] * d.x() * d.x() + 2.0 * p.duu[1] * d.x() * d.y() + p.duu[2] * d.y() * d.y();
  PathTangent out;
  out.speed = first.norm();
  out.t = out.speed > 0.0 ? Vec3(first / out.speed) : Vec3(Vec3::UnitZ());
  out.slope = out.speed > 0.0 ? Vec3((second - out.t * out.t.dot(second)) / out.speed) : Vec3(Vec3::Zero());
  return out;
}

std::array<Vec3, 2> endTangents(const Chart& chart, const Vec2& u0, const Vec2& u1) {
  std::array<Vec3, 2> t;
  everyPiece(chart, u0, u1, [&](double from, double to) {
    const double middle = 0.5 * (from + to);  // pieces that are not curved have one tangent
    if (from == 0.0) t[0] = pathTangent(chart, u0, u1, chart.curved() ? from : middle).t;
    t[1] = pathTangent(chart, u0, u1, chart.curved() ? to : middle).t;
  });
  return t;
}

Vec3 carriedAlong(const Chart& chart, const Vec2& u0, const Vec2& u1, const Vec3& start) {
  Vec3 v = start, before = Vec3::Zero();
  everyPiece(chart, u0, u1, [&](double from, double to) {
    if (!chart.curved()) {
      const Vec3 t = pathTangent(chart, u0, u1, 0.5 * (from + to)).t;
      if (from > 0.0) v = carriedOver(v, before, t);
      before = t;
      return;
    }
    everyBend(chart, u0, u1, from, to, [&](double a, double b) { v = carriedRound(chart, u0, u1, a, b, v); });
  });
  return v;
}

std::array<Vec2, 2> tangentGradient(const Chart& chart, const Vec2& u0, const Vec2& u1, double alpha, const Vec3& w) {
  const Vec2 d = u1 - u0;
  const ChartPoint p = chart.at(u0 + alpha * d);
  const double speed = (p.du[0] * d.x() + p.du[1] * d.y()).norm();
  std::array<Vec2, 2> out{Vec2::Zero(), Vec2::Zero()};
  if (speed <= 0.0) return out;
  for (int k = 0; k < 2; ++k) {
    const double turn = w.dot(p.duu[at(k)] * d.x() + p.duu[at(k + 1)] * d.y()) / speed;
    const double way = w.dot(p.du[at(k)]) / speed;
    out[0][k] = (1.0 - alpha) * turn - way;
    out[1][k] = alpha * turn + way;
  }
  return out;
}

std::array<Vec2, 2> carriedGradient(const Chart& chart, const Vec2& u0, const Vec2& u1) {
  std::array<Vec2, 2> out{Vec2::Zero(), Vec2::Zero()};
  if (!chart.curved()) return out;
  const auto add = [&](double alpha, double weight) {
    const PathTangent p = pathTangent(chart, u0, u1, alpha);
    const auto g = tangentGradient(chart, u0, u1, alpha, p.t.cross(p.slope));
    for (std::size_t k = 0; k < 2; ++k) out[k] += weight * g[k];
  };
  everyPiece(chart, u0, u1, [&](double from, double to) {
    everyBend(chart, u0, u1, from, to, [&](double a, double b) { finely(a, b, add); });
  });
  return out;
}

}  // namespace reeve
