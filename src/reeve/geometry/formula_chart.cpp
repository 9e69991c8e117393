#include "reeve/geometry/formula_chart.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "reeve/math/at.h"

namespace reeve {

namespace {

/// What an integration along a path tells of itself: its length, and ∫|x − x₀|² dα.
struct Measure {
  double length = 0.0, spread = 0.0;
};

Measure measured(const Chart& chart, const Vec2& u0, const Vec2& u1, int cuts) {
  Measure out;
  const Vec3 from = chart.at(u0).x;
  for (int k = 0; k < cuts; ++k) {
    const Vec2 a = u0 + (u1 - u0) * k / cuts, b = u0 + (u1 - u0) * (k + 1) / cuts;
    everyGaussPoint(chart, a, b, [&](double alpha, double weight) {
      const ChartPoint p = chart.at(a + alpha * (b - a));
      out.length += weight * (p.du[0] * (b.x() - a.x()) + p.du[1] * (b.y() - a.y())).norm();
      out.spread += weight / cuts * (p.x - from).squaredNorm();
    });
  }
  return out;
}

/// By how much half the points would do otherwise.
double missOf(const Chart& chart, const Vec2& u0, const Vec2& u1) {
  const Measure once = measured(chart, u0, u1, 1), twice = measured(chart, u0, u1, 2);
  const double length = std::fabs(once.length - twice.length) / twice.length;
  return std::max(length, twice.spread > 0.0 ? std::fabs(once.spread - twice.spread) / twice.spread : 0.0);
}

class FormulaChart final : public Chart {
 public:
  explicit FormulaChart(std::array<math::Formula, 3> formulas) : formulas_(std::move(formulas)) {
    for (const math::Formula& formula : formulas_) surface_ = surface_ || formula.usesV();
  }
  int dimension() const override { return surface_ ? 2 : 1; }
  int points(const Vec2& d) const override {
    return 12 + static_cast<int>(std::min(density_ * (std::fabs(d.x()) + std::fabs(d.y())), 1e5));
  }
  /// As many points to a unit of the parameters as this path needs.
  void follow(const Vec2& u0, const Vec2& u1) {
    while (density_ < 1e4 && u0 != u1 && missOf(*this, u0, u1) > 1e-11) density_ *= 2.0;
  }
  ChartPoint at(const Vec2& u) const override {
    ChartPoint p;
    for (int k = 0; k < 3; ++k) {
      const math::Jet j = formulas_[reeve::at(k)].at(u.x(), u.y());
      p.x[k] = j.f;
      p.du[0][k] = j.u;
      p.du[1][k] = j.v;
      p.duu[0][k] = j.uu;
      p.duu[1][k] = j.uv;
      p.duu[2][k] = j.vv;
    }
    return p;
  }

 private:
  std::array<math::Formula, 3> formulas_;
  double density_ = 2.0;  ///< Gauss points to a unit of the parameters
  bool surface_ = false;
};

class PlacedChart final : public Chart {
 public:
  PlacedChart(const ChartFrame& f, std::shared_ptr<const Chart> chart) : f_(f), chart_(std::move(chart)) {
    const ChartFrame* axis = chart_->round();
    if (!axis) return;
    isRound_ = true;
    round_ = {f_.origin + turn(axis->origin), turn(axis->x), turn(axis->y), turn(axis->z)};
  }
  int dimension() const override { return chart_->dimension(); }
  int points(const Vec2& d) const override { return chart_->points(d); }
  std::span<const double> breaks() const override { return chart_->breaks(); }
  bool curved() const override { return chart_->curved(); }
  const ChartFrame* round() const override { return isRound_ ? &round_ : nullptr; }
  bool even() const override { return chart_->even(); }
  ChartPoint at(const Vec2& u) const override {
    ChartPoint p = chart_->at(u);
    p.x = f_.origin + turn(p.x);
    for (Vec3& d : p.du) d = turn(d);
    for (Vec3& d : p.duu) d = turn(d);
    return p;
  }

 private:
  Vec3 turn(const Vec3& v) const { return f_.x * v.x() + f_.y * v.y() + f_.z * v.z(); }
  ChartFrame f_, round_;
  std::shared_ptr<const Chart> chart_;
  bool isRound_ = false;
};

std::string placeOf(const Vec2& u, int dimension) {
  const std::string first = std::to_string(u.x());
  return dimension == 1 ? "at u = " + first : "at (u, v) = (" + first + ", " + std::to_string(u.y()) + ")";
}

std::string faultAt(const Chart& chart, const Vec2& u) {
  const int n = chart.dimension();
  const ChartPoint p = chart.at(u);
  const auto finite = [](const ChartPoint& q) {
    bool ok = q.x.allFinite();
    for (const Vec3& d : q.du) ok = ok && d.allFinite();
    for (const Vec3& d : q.duu) ok = ok && d.allFinite();
    return ok;
  };
  if (!finite(p)) return "it is not a finite number " + placeOf(u, n);
  const double step = 1e-5 * std::max(1.0, u.cwiseAbs().maxCoeff());
  for (int k = 0; k < n; ++k) {
    Vec2 e = Vec2::Zero();
    e[k] = step;
    const ChartPoint a = chart.at(u - e), b = chart.at(u + e);
    if (!finite(a) || !finite(b)) return "it is not a finite number beside " + placeOf(u, n).substr(3);
    const auto off = [&](const Vec3& told, const Vec3& low, const Vec3& high) {
      const Vec3 seen = (high - low) / (2.0 * step);
      // Of what is there; rounding of what is subtracted stays far below.
      const double size = std::max({told.norm(), seen.norm(), 1e-3 * p.du[0].norm()});
      return (told - seen).norm() > 1e-4 * size + 1e-9 * std::max(low.norm(), high.norm());
    };
    const char* name = k == 0 ? "u" : "v";
    if (off(p.du[at(k)], a.x, b.x))
      return std::string("its derivative x_") + name + " is not that of x " + placeOf(u, n);
    for (int i = 0; i < n; ++i)
      if (off(p.duu[at(i + k)], a.du[at(i)], b.du[at(i)]))
        return std::string("its derivative x_") + (i == 0 ? "u" : "v") + name + " is not that of x_" +
               (i == 0 ? "u " : "v ") + placeOf(u, n);
  }
  const double first = p.du[0].norm(), second = p.du[1].norm();
  if (!(first > 0.0)) return "its direction x_u vanishes " + placeOf(u, n);
  if (n == 2 && !(p.du[0].cross(p.du[1]).norm() > 1e-9 * first * second))
    return "its directions x_u and x_v run together or vanish " + placeOf(u, n);
  return {};
}

}  // namespace

std::unique_ptr<Chart> placedChart(const ChartFrame& frame, std::shared_ptr<const Chart> chart) {
  return std::make_unique<PlacedChart>(frame, std::move(chart));
}

std::unique_ptr<Chart> formulaChart(std::array<math::Formula, 3> formulas, const Vec2& u0, const Vec2& u1) {
  auto chart = std::make_unique<FormulaChart>(std::move(formulas));
  chart->follow(u0, u1);
  return chart;
}

std::string faultOf(const Chart& chart, const Vec2& u0, const Vec2& u1) {
  if (chart.dimension() != 1 && chart.dimension() != 2) return "it has neither one parameter nor two";
  constexpr int places = 8;
  // Shares of the way that are nobody's breaks.
  for (int k = 0; k <= places; ++k)
    if (std::string fault = faultAt(chart, u0 + (u1 - u0) * (k / (places + 0.0137))); !fault.empty()) return fault;
  if (u0 == u1) return {};
  if (!(missOf(chart, u0, u1) <= 1e-9))
    return "its " + std::to_string(chart.points(u1 - u0)) +
           " points from start to end are too few for what it does there";
  return {};
}

}  // namespace reeve
