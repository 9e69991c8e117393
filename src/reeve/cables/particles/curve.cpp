#include "reeve/cables/particles/curve.h"

#include <algorithm>
#include <cmath>

namespace reeve::particles {

namespace {
std::size_t at_(int i) { return static_cast<std::size_t>(i); }

/// Arc length of a piece between two parameters: Gauss-Legendre with five points.
double arc(const Curve& curve, int piece, double from, double to) {
  static constexpr double node[] = {0.0, 0.5384693101056831, 0.9061798459386640};
  static constexpr double weight[] = {0.5688888888888889, 0.4786286704993665, 0.2369268850561891};
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = weight[0] * curve.pieceTangent(piece, middle).norm();
  for (int k = 1; k < 3; ++k)
    sum += weight[k] * (curve.pieceTangent(piece, middle - half * node[k]).norm() +
                        curve.pieceTangent(piece, middle + half * node[k]).norm());
  return half * sum;
}

/// Parts of a piece over which the quadrature is good to rounding for curves without cusps.
constexpr int parts = 48;
}  // namespace

Curve Curve::catmullRom(std::span<const Vec3> points, double handle) {
  Curve curve;
  const int n = static_cast<int>(points.size());
  for (int i = 0; i < n; ++i) {
    const Vec3& before = points[at_(std::max(i - 1, 0))];
    const Vec3& after = points[at_(std::min(i + 1, n - 1))];
    const Vec3 tangent = handle * (after - before);
    if (i > 0) curve.control_.push_back(points[at_(i)] - tangent);
    curve.control_.push_back(points[at_(i)]);
    if (i + 1 < n) curve.control_.push_back(points[at_(i)] + tangent);
  }
  return curve;
}

Curve Curve::bezier(std::span<const Vec3> points) {
  Curve curve;
  const std::size_t used = points.empty() ? 0 : (points.size() - 1) / 3 * 3 + 1;
  curve.control_.assign(points.begin(), points.begin() + static_cast<std::ptrdiff_t>(used));
  return curve;
}

Curve Curve::polyline(std::span<const Vec3> points) {
  Curve curve;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (i > 0) {
      const Vec3 leg = points[i] - points[i - 1];
      curve.control_.push_back(points[i - 1] + leg / 3.0);
      curve.control_.push_back(points[i] - leg / 3.0);
    }
    curve.control_.push_back(points[i]);
  }
  return curve;
}

Vec3 Curve::pieceAt(int piece, double s) const {
  const Vec3* c = &control_[at_(3 * piece)];
  const double r = 1.0 - s;
  return (r * r * r) * c[0] + (3.0 * r * r * s) * c[1] + (3.0 * r * s * s) * c[2] + (s * s * s) * c[3];
}

Vec3 Curve::pieceTangent(int piece, double s) const {
  const Vec3* c = &control_[at_(3 * piece)];
  const double r = 1.0 - s;
  return (3.0 * r * r) * (c[1] - c[0]) + (6.0 * r * s) * (c[2] - c[1]) + (3.0 * s * s) * (c[3] - c[2]);
}

Vec3 Curve::at(double t) const {
  if (pieces() == 0) return control_.empty() ? Vec3(Vec3::Zero()) : control_.front();
  const double along = std::clamp(t, 0.0, 1.0) * pieces();
  const int piece = std::min(static_cast<int>(along), pieces() - 1);
  return pieceAt(piece, along - piece);
}

Vec3 Curve::tangent(double t) const {
  if (pieces() == 0) return Vec3::Zero();
  const double along = std::clamp(t, 0.0, 1.0) * pieces();
  const int piece = std::min(static_cast<int>(along), pieces() - 1);
  return pieces() * pieceTangent(piece, along - piece);
}

double Curve::length() const {
  double sum = 0.0;
  for (int piece = 0; piece < pieces(); ++piece)
    for (int k = 0; k < parts; ++k)
      sum += arc(*this, piece, static_cast<double>(k) / parts, static_cast<double>(k + 1) / parts);
  return sum;
}

std::vector<Vec3> Curve::place(int count) const {
  std::vector<Vec3> out;
  const double total = length();
  int cell = 0;  // piece · parts + part
  const int cells = pieces() * parts;
  const auto cellArc = [&](int c) {
    return arc(*this, c / parts, static_cast<double>(c % parts) / parts, static_cast<double>(c % parts + 1) / parts);
  };
  double passed = 0.0, here = cells > 0 ? cellArc(0) : 0.0;
  out.push_back(control_.front());
  for (int i = 1; i + 1 < count; ++i) {
    const double wanted = total * i / (count - 1);
    while (cell + 1 < cells && passed + here < wanted) {
      passed += here;
      here = cellArc(++cell);
    }
    // Within the cell: Newton on the arc length, kept inside by halving.
    const double from = static_cast<double>(cell % parts) / parts, end = static_cast<double>(cell % parts + 1) / parts;
    double low = from, high = end;
    double s = here > 0.0 ? from + (end - from) * std::clamp((wanted - passed) / here, 0.0, 1.0) : from;
    for (int it = 0; it < 40; ++it) {
      const double error = passed + arc(*this, cell / parts, from, s) - wanted;
      if (std::fabs(error) <= 1e-15 * total) break;
      (error > 0.0 ? high : low) = s;
      const double speed = pieceTangent(cell / parts, s).norm();
      double next = speed > 0.0 ? s - error / speed : 0.5 * (low + high);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
      if (next == s) break;
      s = next;
    }
    out.push_back(pieceAt(cell / parts, s));
  }
  out.push_back(control_.back());
  return out;
}

}  // namespace reeve::particles
