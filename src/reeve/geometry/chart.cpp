#include "reeve/geometry/chart.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// More turns than this in a segment are a typing error; a trial of the solver is not to take forever either.
constexpr double mostTurn = 2e6;

/// Enough Gauss points for a path that turns by `angle`: sines of twice that angle times α³, to 1e-12.
int pointsForTurn(double angle) {
  const double turn = std::min(std::fabs(angle), mostTurn);
  return 5 + static_cast<int>(std::min(3.0, 6.0 * turn) + 0.9 * turn);
}

/// A point without curvature. (Vectors in braces would stay uninitialised.)
ChartPoint flat(const Vec3& x, const Vec3& du, const Vec3& dv) {
  ChartPoint p;
  p.x = x;
  p.du = {du, dv};
  return p;
}

class PlaneChart final : public Chart {
 public:
  explicit PlaneChart(const ChartFrame& f) : f_(f) {}
  int dimension() const override { return 2; }
  int points(const Vec2&) const override { return 2; }
  bool curved() const override { return false; }
  bool even() const override { return true; }
  ChartPoint at(const Vec2& u) const override { return flat(f_.origin + f_.x * u.x() + f_.y * u.y(), f_.x, f_.y); }

 private:
  ChartFrame f_;
};

class LineChart final : public Chart {
 public:
  explicit LineChart(const ChartFrame& f) : f_(f) {}
  int dimension() const override { return 1; }
  int points(const Vec2&) const override { return 2; }
  bool curved() const override { return false; }
  bool even() const override { return true; }
  ChartPoint at(const Vec2& u) const override { return flat(f_.origin + f_.z * u.x(), f_.z, Vec3::Zero()); }

 private:
  ChartFrame f_;
};

/// Circle, helix and cylinder: round an axis, with a height that grows with the angle or is a parameter of its own.
class RoundChart final : public Chart {
 public:
  RoundChart(const ChartFrame& f, double radius, double rise, int dimension)
      : f_(f), radius_(radius), rise_(rise), dimension_(dimension) {}
  int dimension() const override { return dimension_; }
  int points(const Vec2& d) const override { return pointsForTurn(d.x()); }
  bool curved() const override { return true; }
  const ChartFrame* round() const override { return &f_; }
  bool even() const override { return true; }
  ChartPoint at(const Vec2& u) const override {
    double s, c;
    math::sincos(u.x(), s, c);
    const Vec3 out = f_.x * c + f_.y * s, along = f_.y * c - f_.x * s;
    const double height = rise_ * u.x() + (dimension_ == 2 ? u.y() : 0.0);
    ChartPoint p;
    p.x = f_.origin + radius_ * out + f_.z * height;
    p.du = {radius_ * along + rise_ * f_.z, dimension_ == 2 ? f_.z : Vec3(Vec3::Zero())};
    p.duu[0] = -radius_ * out;
    return p;
  }

 private:
  ChartFrame f_;
  double radius_, rise_;
  int dimension_;
};

/// Sphere (major = 0) and torus: (round the axis, round the tube).
class RingChart final : public Chart {
 public:
  RingChart(const ChartFrame& f, double major, double minor, double most)
      : f_(f), major_(major), minor_(minor), most_(most) {}
  int dimension() const override { return 2; }
  int points(const Vec2& d) const override {
    const Vec2 way = reach(d);
    return pointsForTurn(std::fabs(way.x()) + std::fabs(way.y()));
  }
  /// On a sphere it is half a turn from pole to pole.
  Vec2 reach(const Vec2& d) const override {
    return major_ > 0.0 ? d : Vec2(std::clamp(d.x(), -most_, most_), std::clamp(d.y(), -math::pi, math::pi));
  }
  bool curved() const override { return true; }
  const ChartFrame* round() const override { return &f_; }
  ChartPoint at(const Vec2& u) const override {
    double sa, ca, sb, cb;
    math::sincos(u.x(), sa, ca);
    math::sincos(u.y(), sb, cb);
    const Vec3 out = f_.x * ca + f_.y * sa, along = f_.y * ca - f_.x * sa;
    const double r = major_ + minor_ * cb;
    ChartPoint p;
    p.x = f_.origin + r * out + f_.z * (minor_ * sb);
    p.du = {r * along, -minor_ * sb * out + minor_ * cb * f_.z};
    p.duu = {-r * out, -minor_ * sb * along, -minor_ * cb * out - minor_ * sb * f_.z};
    return p;
  }

 private:
  ChartFrame f_;
  double major_, minor_, most_;
};

class SplineChart final : public Chart {
 public:
  explicit SplineChart(std::vector<Vec3> points) : points_(std::move(points)) {
    knots_.push_back(0.0);
    for (std::size_t i = 1; i < points_.size(); ++i)
      knots_.push_back(knots_.back() + (points_[i] - points_[i - 1]).norm());
    bend();
  }
  int dimension() const override { return 1; }
  int points(const Vec2&) const override { return 12; }
  std::span<const double> breaks() const override { return knots_; }
  bool curved() const override { return true; }
  ChartPoint at(const Vec2& u) const override {
    // Beyond its ends, where it does not bend, it goes on straight.
    if (u.x() < 0.0 || u.x() > knots_.back()) {
      const double inside = u.x() < 0.0 ? 0.0 : knots_.back();
      const ChartPoint end = at(Vec2(inside, 0.0));
      return flat(end.x + (u.x() - inside) * end.du[0], end.du[0], Vec3::Zero());
    }
    std::size_t i = 1;
    while (i + 1 < knots_.size() && u.x() > knots_[i]) ++i;
    const double h = knots_[i] - knots_[i - 1], b = (u.x() - knots_[i - 1]) / h, a = 1.0 - b;
    const Vec3 &p0 = points_[i - 1], &p1 = points_[i], &m0 = second_[i - 1], &m1 = second_[i];
    ChartPoint p;
    p.x = a * p0 + b * p1 + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * (h * h / 6.0);
    p.du[0] = (p1 - p0) / h + ((3.0 * b * b - 1.0) * m1 - (3.0 * a * a - 1.0) * m0) * (h / 6.0);
    p.duu[0] = a * m0 + b * m1;
    return p;
  }

 private:
  /// Second derivatives at the knots of the natural cubic spline: a tridiagonal system.
  void bend() {
    const std::size_t n = points_.size();
    second_.assign(n, Vec3::Zero());
    std::vector<double> diagonal(n, 1.0), above(n, 0.0);
    for (std::size_t i = 1; i + 1 < n; ++i) {
      const double h0 = knots_[i] - knots_[i - 1], h1 = knots_[i + 1] - knots_[i];
      const Vec3 rhs = 6.0 * ((points_[i + 1] - points_[i]) / h1 - (points_[i] - points_[i - 1]) / h0);
      const double factor = h0 / diagonal[i - 1];
      diagonal[i] = 2.0 * (h0 + h1) - factor * above[i - 1];
      above[i] = h1;
      second_[i] = rhs - factor * second_[i - 1];
    }
    for (std::size_t i = n - 1; i-- > 1;) second_[i] = (second_[i] - above[i] * second_[i + 1]) / diagonal[i];
  }

  std::vector<Vec3> points_, second_;
  std::vector<double> knots_;
};

class TubeChart final : public Chart {
 public:
  explicit TubeChart(std::vector<Vec3> points) : points_(std::move(points)) {
    knots_.push_back(0.0);
    for (std::size_t i = 1; i < points_.size(); ++i)
      knots_.push_back(knots_.back() + (points_[i] - points_[i - 1]).norm());
  }
  int dimension() const override { return 1; }
  int points(const Vec2&) const override { return 2; }
  std::span<const double> breaks() const override { return std::span(knots_).subspan(1, knots_.size() - 2); }
  bool curved() const override { return false; }
  ChartPoint at(const Vec2& u) const override {
    std::size_t i = 1;
    while (i + 1 < knots_.size() && u.x() > knots_[i]) ++i;
    const Vec3 along = (points_[i] - points_[i - 1]) / (knots_[i] - knots_[i - 1]);
    return flat(points_[i - 1] + along * (u.x() - knots_[i - 1]), along, Vec3::Zero());
  }

 private:
  std::vector<Vec3> points_;
  std::vector<double> knots_;
};

/// Gauss' rule by Newton's method on the Legendre polynomial.
GaussRule makeRule(int n) {
  GaussRule rule;
  rule.count = n;
  for (int i = 0; i < n; ++i) {
    double x = math::cos(math::pi * (i + 0.75) / (n + 0.5)), slope = 1.0;
    for (int it = 0; it < 50; ++it) {
      double p0 = 1.0, p1 = x;
      for (int k = 2; k <= n; ++k) {
        const double p2 = ((2.0 * k - 1.0) * x * p1 - (k - 1.0) * p0) / k;
        p0 = p1;
        p1 = p2;
      }
      slope = n * (x * p1 - p0) / (x * x - 1.0);
      const double step = p1 / slope;
      x -= step;
      if (std::fabs(step) < 1e-16) break;
    }
    rule.at[static_cast<std::size_t>(n - 1 - i)] = 0.5 * (1.0 + x);
    rule.weight[static_cast<std::size_t>(n - 1 - i)] = 1.0 / ((1.0 - x * x) * slope * slope);
  }
  return rule;
}

class RimChart final : public Chart {
 public:
  RimChart(const ChartFrame& f, double radius) : f_(f), radius_(radius) {}
  int dimension() const override { return 2; }
  ChartPoint at(const Vec2& u) const override {
    double sine, cosine;
    math::sincos(u.x(), sine, cosine);
    const double slope = std::sqrt(0.5), r = radius_ + slope * u.y();
    const Vec3 out = cosine * f_.x + sine * f_.y, on = cosine * f_.y - sine * f_.x;
    ChartPoint p;
    p.x = f_.origin + r * out + slope * u.y() * f_.z;
    p.du = {Vec3(r * on), Vec3(slope * (out + f_.z))};
    p.duu = {Vec3(-r * out), Vec3(slope * on), Vec3(Vec3::Zero())};
    return p;
  }
  int points(const Vec2& difference) const override { return 4 + static_cast<int>(4.0 * std::fabs(difference.x())); }
  bool curved() const override { return false; }  // it is crossed, not lain on

 private:
  ChartFrame f_;
  double radius_;
};

}  // namespace

std::unique_ptr<Chart> planeChart(const ChartFrame& f) { return std::make_unique<PlaneChart>(f); }
std::unique_ptr<Chart> lineChart(const ChartFrame& f) { return std::make_unique<LineChart>(f); }
std::unique_ptr<Chart> cylinderChart(const ChartFrame& f, double radius) {
  return std::make_unique<RoundChart>(f, radius, 0.0, 2);
}
std::unique_ptr<Chart> rimChart(const ChartFrame& f, double radius) { return std::make_unique<RimChart>(f, radius); }
std::unique_ptr<Chart> circleChart(const ChartFrame& f, double radius) {
  return std::make_unique<RoundChart>(f, radius, 0.0, 1);
}
std::unique_ptr<Chart> helixChart(const ChartFrame& f, double radius, double pitch) {
  return std::make_unique<RoundChart>(f, radius, pitch / (2.0 * math::pi), 1);
}
std::unique_ptr<Chart> sphereChart(const ChartFrame& f, double radius, double most) {
  return std::make_unique<RingChart>(f, 0.0, radius, most);
}
std::unique_ptr<Chart> torusChart(const ChartFrame& f, double major, double minor) {
  return std::make_unique<RingChart>(f, major, minor, 0.0);
}
std::unique_ptr<Chart> splineChart(std::vector<Vec3> points) {
  return std::make_unique<SplineChart>(std::move(points));
}
std::unique_ptr<Chart> tubeChart(std::vector<Vec3> points) { return std::make_unique<TubeChart>(std::move(points)); }

const GaussRule& gaussRule(int n) {
  static const std::vector<GaussRule> rules = [] {
    std::vector<GaussRule> all(GaussRule::most + 1);
    for (int k = 1; k <= GaussRule::most; ++k) all[static_cast<std::size_t>(k)] = makeRule(k);
    return all;
  }();
  return rules[static_cast<std::size_t>(std::clamp(n, 1, GaussRule::most))];
}

}  // namespace reeve
