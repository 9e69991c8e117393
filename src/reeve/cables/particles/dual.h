#pragma once
// Numbers that carry their derivative: forward-mode automatic differentiation for constraints given as plain functions.
//
// Dual(a, a′) stands for a + a′ε with ε² = 0. A function written for any number type, evaluated with ε on one
// coordinate, gives its exact partial derivative there (to rounding). PointOf<T> is the little vector such functions
// are written with.
#include <cmath>

#include "reeve/math/scalar.h"
#include "reeve/math/types.h"

namespace reeve::particles {

struct Dual {
  double value = 0.0, slope = 0.0;
  Dual() = default;
  Dual(double v, double s = 0.0) : value(v), slope(s) {}  // a plain number is a constant

  friend Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
  friend Dual operator-(Dual a, Dual b) { return {a.value - b.value, a.slope - b.slope}; }
  friend Dual operator-(Dual a) { return {-a.value, -a.slope}; }
  friend Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
  friend Dual operator/(Dual a, Dual b) {
    const double q = a.value / b.value;
    return {q, (a.slope - q * b.slope) / b.value};
  }
  friend bool operator<(Dual a, Dual b) { return a.value < b.value; }
  friend bool operator>(Dual a, Dual b) { return a.value > b.value; }
};

inline double sqrt(double x) { return std::sqrt(x); }
/// At 0 the slope is taken as 0, so that a distance of nothing gives no direction instead of NaN.
inline Dual sqrt(Dual x) {
  const double r = std::sqrt(x.value);
  return {r, r > 0.0 ? 0.5 * x.slope / r : 0.0};
}
inline double abs(double x) { return std::fabs(x); }
inline Dual abs(Dual x) { return x.value < 0.0 ? -x : x; }
inline double acos(double x) { return math::acos(x); }
inline Dual acos(Dual x) {
  const double across = 1.0 - x.value * x.value;
  return {math::acos(x.value), across > 0.0 ? -x.slope / std::sqrt(across) : 0.0};
}
inline double sin(double x) { return math::sin(x); }
inline Dual sin(Dual x) { return {math::sin(x.value), x.slope * math::cos(x.value)}; }
inline double cos(double x) { return math::cos(x); }
inline Dual cos(Dual x) { return {math::cos(x.value), -x.slope * math::sin(x.value)}; }

/// A point with coordinates of any number type.
template <class T>
struct PointOf {
  T x, y, z;
  friend PointOf operator+(const PointOf& a, const PointOf& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend PointOf operator-(const PointOf& a, const PointOf& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend PointOf operator*(T k, const PointOf& a) { return {k * a.x, k * a.y, k * a.z}; }
};
template <class T>
T dot(const PointOf<T>& a, const PointOf<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
PointOf<T> cross(const PointOf<T>& a, const PointOf<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
T norm(const PointOf<T>& a) {
  return sqrt(dot(a, a));
}

}  // namespace reeve::particles
