#include "trials/free_rollers.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace reeve::trials {
namespace {

constexpr double compliance = 1e-5, damping = 1e-5;   // m/N of each span, s
constexpr double inertia = 2e-4, bearing = 0.005;     // kg m², N m s/rad
constexpr double mass = 0.1, drag = 0.5, load = 3.0;  // kg, N s/m, N
constexpr double side = 0.12, axle = 1.0;             // m: hand and load beside the axle, its height

double handHeight(double t) { return 0.7 - 0.04 * (1 - std::cos(0.5 * std::numbers::pi * t)); }
double handSpeed(double t) { return -0.02 * std::numbers::pi * std::sin(0.5 * std::numbers::pi * t); }

/// 1 - e^(-8t), straight between sixtieths of a second, as the scene has it.
double ramp(double t) {
  const double frame = std::floor(60 * t), s = 60 * t - frame;
  return 1 - (1 - s) * std::exp(-8 * frame / 60) - s * std::exp(-8 * (frame + 1) / 60);
}

}  // namespace

FreeRoller FreeRoller::ellipse(double a, double b, double start) {
  FreeRoller r;
  r.a_ = a, r.b_ = b, r.start_ = start;
  return r;
}

FreeRoller FreeRoller::sector(double radius, double opening, double start) {
  FreeRoller r;
  r.a_ = radius, r.opening_ = opening, r.start_ = start;
  return r;
}

/// Of the tangent from a point (about the axle, world) that leaves the roller below it: in the world again. `left`: the
/// point is left of the roller.
FreeRoller::Point FreeRoller::contact(double turn, double px, double pz, bool left) const {
  const double c = std::cos(turn), s = std::sin(turn);
  const double qx = c * px - s * pz, qz = s * px + c * pz;  // on the body
  const auto world = [&](double x, double z) { return Point{c * x + s * z, -s * x + c * z}; };
  // Turning about +y takes z to x, so x, z is left-handed: from the left the upper tangent is counter-clockwise of the
  // way to the middle as x, z are drawn.
  const double sign = left ? -1 : 1;
  if (opening_ == 0.0) {
    const double rho = std::hypot(qx / a_, qz / b_), middle = std::atan2(qz / b_, qx / a_);
    const double at = middle + sign * std::acos(1 / rho);
    return world(a_ * std::cos(at), b_ * std::sin(at));
  }
  // The corner or the point of the arc that has all others on one side.
  const double far = std::hypot(qx, qz), middle = std::atan2(qz, qx), edge = 0.5 * opening_;
  double at = std::remainder(middle + sign * std::acos(a_ / far), 2 * std::numbers::pi);
  at = std::clamp(at, -edge, edge);
  const double xs[] = {0.0, a_ * std::cos(edge), a_ * std::cos(edge), a_ * std::cos(at)},
               zs[] = {0.0, -a_ * std::sin(edge), a_ * std::sin(edge), a_ * std::sin(at)};
  int best = 0;
  for (int i = 1; i < 4; ++i)
    if (sign * ((xs[best] - qx) * (zs[i] - qz) - (zs[best] - qz) * (xs[i] - qx)) < 0) best = i;
  return world(xs[best], zs[best]);
}

FreeRoller::Rates FreeRoller::rates(double t, const Rates& now) const {
  const double turn = start_ + now.angle;
  const double left = handHeight(t) - axle, right = now.height - axle;
  const Point p = contact(turn, -side, left, true), q = contact(turn, side, right, false);
  const double l1 = std::hypot(p.x + side, p.z - left), l2 = std::hypot(side - q.x, right - q.z);
  const double ux = (p.x + side) / l1, uz = (p.z - left) / l1, vx = (side - q.x) / l2, vz = (right - q.z) / l2;
  const double perAngle = ux * p.z - uz * p.x - (vx * q.z - vz * q.x);  // a point moves by (z, -x) per angle about y
  const double stretching = perAngle * now.rate + vz * now.speed - uz * handSpeed(t);
  const double tension = std::max(0.0, (now.stretch + damping * stretching) / (2 * compliance));
  return {now.rate, (-tension * perAngle - bearing * now.rate) / inertia, now.speed,
          (-load * ramp(t) - drag * now.speed - tension * vz) / mass, stretching};
}

void FreeRoller::advance(double until) {
  const int steps = std::max(1, static_cast<int>(std::ceil((until - time_) / 2e-5)));
  const double h = (until - time_) / steps;
  const auto add = [](const Rates& a, double s, const Rates& b) {
    return Rates{a.angle + s * b.angle, a.rate + s * b.rate, a.height + s * b.height, a.speed + s * b.speed,
                 a.stretch + s * b.stretch};
  };
  for (int i = 0; i < steps; ++i) {
    const Rates now{angle, rate_, height_, speed_, stretch_};
    const Rates k1 = rates(time_, now), k2 = rates(time_ + h / 2, add(now, h / 2, k1)),
                k3 = rates(time_ + h / 2, add(now, h / 2, k2)), k4 = rates(time_ + h, add(now, h, k3));
    const Rates next = add(add(add(add(now, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
    angle = next.angle, rate_ = next.rate, height_ = next.height, speed_ = next.speed, stretch_ = next.stretch;
    time_ += h;
    stretching_ = k4.stretch;
  }
  time_ = until;
}

double FreeRoller::tension() const { return std::max(0.0, (stretch_ + damping * stretching_) / (2 * compliance)); }

}  // namespace reeve::trials
