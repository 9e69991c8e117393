#include "support/plane_reference.h"

#include <algorithm>
#include <cmath>

namespace reeve::test {
namespace {

/// 1/s, of errors of the constraints: integration leaves next to none.
constexpr double decay = 20.0;
/// Steps of the differences, m and rad: first derivatives err by 1e-10, second ones by 1e-7.
constexpr double firstStep = 1e-5, secondStep = 1e-3;
/// N, rad, m: what counts as smooth.
constexpr double leastTension = 0.05, leastWrap = 0.02, leastRoom = 0.05;

/// Gauss with pivots; b becomes the solution. False if there is none.
bool solveDense(std::vector<double>& a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t p = c;
    for (std::size_t r = c + 1; r < n; ++r)
      if (std::fabs(a[r * n + c]) > std::fabs(a[p * n + c])) p = r;
    if (std::fabs(a[p * n + c]) < 1e-12) return false;
    for (std::size_t k = 0; k < n; ++k) std::swap(a[c * n + k], a[p * n + k]);
    std::swap(b[c], b[p]);
    for (std::size_t r = c + 1; r < n; ++r) {
      const double f = a[r * n + c] / a[c * n + c];
      for (std::size_t k = c; k < n; ++k) a[r * n + k] -= f * a[c * n + k];
      b[r] -= f * b[c];
    }
  }
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t k = r + 1; k < n; ++k) b[r] -= a[r * n + k] * b[k];
    b[r] /= a[r * n + r];
  }
  return true;
}

template <class List>
int indexOf(const List& list, const std::string& name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].first == name) return static_cast<int>(i);
  return -1;
}

}  // namespace

PlaneReference::PlaneReference(const Description& scene) : bodies_(static_cast<int>(scene.bodies.size())) {
  const double g = -scene.settings.gravity[2];
  for (const auto& [name, b] : scene.bodies) {
    for (const double q : {b.position[0], b.position[2], 0.0}) q_.push_back(q);
    for (const double m : {*b.mass, *b.mass, (*b.inertia)[1]}) mass_.push_back(m);
    for (const double f : {0.0, -g * *b.mass, 0.0}) weight_.push_back(f);
  }
  for (const auto& [name, r] : scene.rotors) {
    q_.push_back(0.0);
    mass_.push_back(*r.inertia);
    weight_.push_back(0.0);
  }
  v_.assign(q_.size(), 0.0);
  for (const LinkSettings& s : scene.cables[0].second.route) {
    Link l;
    l.rotor = indexOf(scene.rotors, s.on);
    l.body = indexOf(scene.bodies, s.on);
    l.px = s.point[0], l.pz = s.point[2];
    l.radius = s.radius.value_or(0.0);
    if (l.rotor >= 0) {
      const RotorSettings& r = scene.rotors[static_cast<std::size_t>(l.rotor)].second;
      l.body = indexOf(scene.bodies, r.on);
      l.px = r.position[0], l.pz = r.position[2];
      l.radius = r.radius;
    }
    l.side = s.side;
    l.sticks = s.type == LinkType::attach || (s.type == LinkType::roll && s.friction > 1e9);
    if (l.sticks && !links_.empty()) {
      if (!runs_.empty()) runs_.back().last = static_cast<int>(links_.size());
    }
    if (l.sticks) runs_.push_back({static_cast<int>(links_.size()), 0});
    links_.push_back(l);
  }
  runs_.pop_back();  // it would begin at the last link
  direction_.assign(links_.size(), 0.0);
  double apart = 0.0;
  for (int i = 0; i + 1 < static_cast<int>(links_.size()); ++i) {
    double direction = 0.0;
    span(q_, i, direction, apart);
    direction_[static_cast<std::size_t>(i)] = direction;
    // What lies on a link at the start is less than a turn, and more than nothing.
    if (i == 0) continue;
    const double side = links_[static_cast<std::size_t>(i)].side;
    double wrap = side * (direction - direction_[static_cast<std::size_t>(i - 1)]);
    wrap -= 2.0 * M_PI * std::floor(wrap / (2.0 * M_PI));
    direction_[static_cast<std::size_t>(i)] = direction_[static_cast<std::size_t>(i - 1)] + side * wrap;
  }
  for (const Run& run : runs_) start_.push_back(lengthOf(q_, run));
  tension_.assign(runs_.size(), 0.0);
}

void PlaneReference::centre(const Numbers& q, const Link& l, double& x, double& z) const {
  if (l.body < 0) {
    x = l.px, z = l.pz;
    return;
  }
  const std::size_t b = static_cast<std::size_t>(3 * l.body);
  const double c = std::cos(q[b + 2]), s = std::sin(q[b + 2]);
  x = q[b] + c * l.px + s * l.pz;
  z = q[b + 1] - s * l.px + c * l.pz;
}

double PlaneReference::spin(const Numbers& q, const Link& l) const {
  if (l.rotor >= 0) return q[static_cast<std::size_t>(3 * bodies_ + l.rotor)];
  return l.body >= 0 ? q[static_cast<std::size_t>(3 * l.body + 2)] : 0.0;
}

/// Of the span after link i. `apart`: room between the two rounds.
double PlaneReference::span(const Numbers& q, int i, double& direction, double& apart) const {
  const Link &a = links_[static_cast<std::size_t>(i)], &b = links_[static_cast<std::size_t>(i + 1)];
  double ax = 0.0, az = 0.0, bx = 0.0, bz = 0.0;
  centre(q, a, ax, az);
  centre(q, b, bx, bz);
  const double dx = bx - ax, dz = bz - az, d = std::hypot(dx, dz);
  const double w = b.side * b.radius - a.side * a.radius;
  apart = d - a.radius - b.radius;
  const double near = direction_[static_cast<std::size_t>(i)];
  direction = std::atan2(dx, dz) - std::asin(w / d);
  direction = near + std::remainder(direction - near, 2.0 * M_PI);
  return std::sqrt(d * d - w * w);
}

double PlaneReference::lengthOf(const Numbers& q, const Run& run) const {
  double sum = 0.0, before = 0.0;
  for (int i = run.first; i < run.last; ++i) {
    double direction = 0.0, apart = 0.0;
    sum += span(q, i, direction, apart);
    const Link& l = links_[static_cast<std::size_t>(i)];
    if (i == run.first)
      sum -= l.radius * l.side * (spin(q, l) - direction);
    else
      sum += l.radius * l.side * (direction - before);
    before = direction;
  }
  const Link& l = links_[static_cast<std::size_t>(run.last)];
  return sum + l.radius * l.side * (spin(q, l) - before);
}

bool PlaneReference::smooth(const Numbers& q) const {
  double before = 0.0;
  for (int i = 0; i + 1 < static_cast<int>(links_.size()); ++i) {
    double direction = 0.0, apart = 0.0;
    span(q, i, direction, apart);
    const Link& l = links_[static_cast<std::size_t>(i)];
    const double wrap = l.side * (direction - before);
    if (apart < leastRoom || (i > 0 && l.radius > 0.0 && (wrap < leastWrap || wrap > M_PI))) return false;
    before = direction;
  }
  return true;
}

bool PlaneReference::accelerate(const Numbers& q, const Numbers& v, Numbers& a) {
  const std::size_t n = q.size(), m = runs_.size();
  Numbers jacobian(m * n), rate(m), error(m), bend(m), shifted = q;
  const auto moved = [&](double by) -> const Numbers& {
    for (std::size_t i = 0; i < n; ++i) shifted[i] = q[i] + by * v[i];
    return shifted;
  };
  double fastest = 0.0;
  for (const double x : v) fastest = std::max(fastest, std::fabs(x));
  const double by = secondStep / std::max(fastest, 1.0);
  for (std::size_t k = 0; k < m; ++k) {
    const double here = lengthOf(q, runs_[k]), ahead = lengthOf(moved(by), runs_[k]);
    bend[k] = (ahead - 2.0 * here + lengthOf(moved(-by), runs_[k])) / (by * by);
    error[k] = here - start_[k];
  }
  shifted = q;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < m; ++k) {
      shifted[i] = q[i] + firstStep;
      const double high = lengthOf(shifted, runs_[k]);
      shifted[i] = q[i] - firstStep;
      jacobian[k * n + i] = (high - lengthOf(shifted, runs_[k])) / (2.0 * firstStep);
      rate[k] += jacobian[k * n + i] * v[i];
    }
    shifted[i] = q[i];
  }
  // J M⁻¹ Jᵀ T = J M⁻¹ F + γ + 2 a Ċ + a² C
  Numbers matrix(m * m), right(m);
  for (std::size_t k = 0; k < m; ++k) {
    right[k] = bend[k] + 2.0 * decay * rate[k] + decay * decay * error[k];
    for (std::size_t i = 0; i < n; ++i) right[k] += jacobian[k * n + i] * weight_[i] / mass_[i];
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t i = 0; i < n; ++i) matrix[k * m + j] += jacobian[k * n + i] * jacobian[j * n + i] / mass_[i];
  }
  if (!solveDense(matrix, right)) return false;
  tension_ = right;
  a.assign(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    double f = weight_[i];
    for (std::size_t k = 0; k < m; ++k) f -= jacobian[k * n + i] * right[k];
    a[i] = f / mass_[i];
  }
  return *std::min_element(tension_.begin(), tension_.end()) > leastTension;
}

bool PlaneReference::step(double h) {
  if (!smooth(q_)) return false;
  const std::size_t n = q_.size();
  Numbers a, q = q_, v = v_, dq(n, 0.0), dv(n, 0.0);
  for (const auto& [share, weight] : {std::pair{0.0, 1.0}, {0.5, 2.0}, {0.5, 2.0}, {1.0, 1.0}}) {
    // From the slopes found last.
    Numbers slope = v, bend = a;
    if (!a.empty())
      for (std::size_t i = 0; i < n; ++i) {
        q[i] = q_[i] + share * h * slope[i];
        v[i] = v_[i] + share * h * bend[i];
      }
    if (!accelerate(q, v, a)) return false;
    for (std::size_t i = 0; i < n; ++i) {
      dq[i] += weight * v[i];
      dv[i] += weight * a[i];
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    q_[i] += h / 6.0 * dq[i];
    v_[i] += h / 6.0 * dv[i];
  }
  for (int i = 0; i + 1 < static_cast<int>(links_.size()); ++i) {
    double direction = 0.0, apart = 0.0;
    span(q_, i, direction, apart);
    direction_[static_cast<std::size_t>(i)] = direction;
  }
  return true;
}

double PlaneReference::energy() const {
  double sum = 0.0;
  for (std::size_t i = 0; i < q_.size(); ++i) sum += 0.5 * mass_[i] * v_[i] * v_[i] - weight_[i] * q_[i];
  return sum;
}

}  // namespace reeve::test
