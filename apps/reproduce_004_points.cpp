// Paper 004, section III: chains of particles with supplementary constraints. Table I, figures 1 to 6.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "command.h"
#include "reproduce_004.h"
#include "trials/chain_ratios.h"

namespace reeve::command {
namespace {

using trials::placesOf;
using trials::PointRow;

/// Largest stable ratio, in steps of ten, upwards from ten. Beyond 0.1 m of static stretch a link is no longer a link,
/// and beyond the paper's own largest ratio nobody asks.
double largestStable(const PointRow& row, SolverChoice solver) {
  double best = 0.0;
  for (double load = 10.0; load <= 1.001 * std::max(row.paper, std::min(1e15, 0.01 / row.link)); load *= 10.0) {
    World world = built(trials::pointChain(row, load, solver));
    if (trials::swingsStably(world, row, load))
      best = load;
    else if (load >= row.paper)
      break;
  }
  return best;
}

Outcome tableOne(Sheet&) {
  std::string text;
  bool good = true;
  for (const PointRow& row : trials::tableOne) {
    const double direct = largestStable(row, SolverChoice::direct), blocks = largestStable(row, SolverChoice::blocks);
    good = good && direct >= 0.999 * row.paper;
    text += fmt::format("{}{}) {:.0e} {:.0e}: paper {:.0e}, direct {:.0e}, blocks {:.0e}", text.empty() ? "" : "; ",
                        row.model, row.link, row.extra, row.paper, direct, blocks);
  }
  return Outcome::judged(text, good);
}

/// How much longer a chain of model `row` gets when it is pulled straight by what it weighs: links of compliance c that
/// bear w, beside them a cable or a link of compliance e that bears τ where extensions are equal.
double hangingStretch(const PointRow& row, double load, double gravity) {
  double sum = 0.0;
  for (int i = 0; i < 5; ++i) sum += (load + 4 - i) * gravity;
  if (row.model == 'b' || row.model == 'c') return row.extra * row.link * sum / (row.extra + 5 * row.link);
  if (row.model == 'd') return row.extra * load * gravity;  // nothing else holds the last
  return row.link * sum;
}

Outcome fiveModels(Sheet& sheet) {
  bool alive = true;
  std::string text;
  double worst = 0.0;
  for (const PointRow& row : trials::tableOne) {
    if (&row != trials::tableOne.data() && row.model == (&row)[-1].model) continue;
    World world = built(trials::pointChain(row, 100.0, SolverChoice::direct));
    alive = advance(world, 0.5) && alive;
    sheet.picture(world, fmt::format("model ({}), half a second after the drop", row.model));
    Description d = trials::pointChain(row, 100.0, SolverChoice::direct);
    d.settings.gravity = Vec3(10, 0, 0);
    World hanging = built(d);
    const auto rest = hanging.equilibrium();
    alive = alive && rest.has_value();
    const double stretch = placesOf(hanging).back().x() - 5.0, wanted = hangingStretch(row, 100.0, 10.0);
    worst = std::max(worst, std::fabs(stretch / wanted - 1));
    text += fmt::format("{}({}) {:.2f}", text.empty() ? "" : ", ", row.model, 1e6 * stretch);
  }
  return Outcome::judged(
      fmt::format("hanging with M/m = 100 they stretch by {} µm, at most {:.1g} % off the closed form", text,
                  100 * worst),
      alive && worst < 1e-3);
}

// ---- figs 2 to 6, with the paper's own stepper: one linear solve a step, first order

struct Samples {
  std::vector<double> stretch, bend;  ///< of the topmost link, and between it and the next
  std::vector<double> waves[4];       ///< size of the four transverse modes of the chain, longest first
  bool good = false;
};

Samples sampled(char model, double load, double extra) {
  World world = built(trials::pointChain({model, 1e-6, extra, 0.0}, load, SolverChoice::blocks));
  Samples s;
  s.good = advance(world, 30.0, [&](World& now) {
    const std::vector<Vec3> x = placesOf(now);
    const Vec3 u = x[1] - x[0], v = x[2] - x[1];
    s.stretch.push_back(u.norm() - 1.0);
    s.bend.push_back(std::atan2(u.z() * v.x() - u.x() * v.z(), u.dot(v)));
    const Vec3 chord = (x[5] - x[0]).normalized(), across(-chord.z(), 0, chord.x());
    for (int k = 1; k <= 4; ++k) {
      double sum = 0.0;
      for (std::size_t i = 1; i <= 4; ++i)
        sum += across.dot(x[i]) * std::sin(std::numbers::pi * k * static_cast<double>(i) / 5.0);
      s.waves[k - 1].push_back(0.4 * sum);
    }
  });
  return s;
}

double rms(const std::vector<double>& x) {
  double sum = 0.0;
  for (const double v : x) sum += v * v;
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(x.size(), 1)));
}

/// Correlation of each value with the next.
double followsOn(const std::vector<double>& x) {
  double mean = 0.0, up = 0.0, down = 0.0;
  for (const double v : x) mean += v / static_cast<double>(x.size());
  for (std::size_t i = 0; i + 1 < x.size(); ++i) {
    up += (x[i] - mean) * (x[i + 1] - mean);
    down += (x[i] - mean) * (x[i] - mean);
  }
  return down > 0.0 ? up / down : 0.0;
}

/// Dots in a box, each axis to its own scale.
std::string dots(const std::vector<double>& x, const std::vector<double>& y, const std::string& title) {
  double wide = 1e-300, high = 1e-300;
  for (const double v : x) wide = std::max(wide, std::fabs(v));
  for (const double v : y) high = std::max(high, std::fabs(v));
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 420 440\"><rect width=\"100%\" height=\"100%\" "
      "fill=\"#fbfcfd\"/><text x=\"8\" y=\"14\" font-size=\"11\" font-family=\"sans-serif\" fill=\"#5b6570\">{}, to "
      "{:.2g} across and {:.2g} up</text>",
      title, wide, high);
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
    out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.2\" fill=\"#1b6ca8\"/>", 210 + 200 * x[i] / wide,
                       230 - 200 * y[i] / high);
  return out + "</svg>";
}

/// Share of the samples nearer to zero than a tenth of the largest: half of them if it hovers there.
double nearZero(const std::vector<double>& x) {
  double most = 0.0, count = 0.0;
  for (const double v : x) most = std::max(most, std::fabs(v));
  for (const double v : x) count += std::fabs(v) < 0.1 * most ? 1.0 : 0.0;
  return count / static_cast<double>(std::max<std::size_t>(x.size(), 1));
}

Outcome distributions(Sheet& sheet, char shown) {
  const Samples a = sampled('a', 100, 1e-4), e = sampled('e', 100, 1e-4);
  const Samples& s = shown == 'a' ? a : e;
  sheet.drawing(dots(s.stretch, s.bend, fmt::format("model ({}): bend over stretch", shown)), "30 s, M/m = 100");
  const bool strongestAtZero = nearZero(a.bend) > 0.2, smaller = rms(e.bend) < 0.5 * rms(a.bend);
  const bool bivalued = nearZero(e.bend) < nearZero(a.bend);
  return Outcome::judged(
      fmt::format("{:.0f} % of the bend angles of (a) and {:.0f} % of those of (e) lie within a tenth of the largest; "
                  "bend {:.2g} rad rms in (a), {:.2g} in (e), stretch {:.2g} and {:.2g} m",
                  100 * nearZero(a.bend), 100 * nearZero(e.bend), rms(a.bend), rms(e.bend), rms(a.stretch),
                  rms(e.stretch)),
      a.good && e.good && smaller && (shown == 'a' ? strongestAtZero : bivalued));
}

/// What is left without the mean of half a second around: the swing is slow in every model.
std::vector<double> withoutSwing(const std::vector<double>& x) {
  constexpr std::size_t half = 15;
  std::vector<double> out;
  for (std::size_t i = half; i + half < x.size(); ++i) {
    double sum = 0.0;
    for (std::size_t k = i - half; k <= i + half; ++k) sum += x[k];
    out.push_back(x[i] - sum / (2 * half + 1));
  }
  return out;
}

Outcome returnMap(Sheet& sheet) {
  double follows[2], fast[2];
  bool good = true;
  for (const char model : {'a', 'e'}) {
    // Where (a) is close to instability, as in figure 5.
    const Samples s = sampled(model, 150, 1e-4);
    follows[model == 'a' ? 0 : 1] = followsOn(s.stretch);
    fast[model == 'a' ? 0 : 1] = followsOn(withoutSwing(s.stretch));
    const std::vector<double> next(s.stretch.begin() + 1, s.stretch.end());
    sheet.drawing(dots(s.stretch, next, fmt::format("model ({}): stretch a step later over stretch", model)),
                  "30 s, M/m = 150");
    good = good && s.good;
  }
  return Outcome::judged(
      fmt::format("M/m = 150: correlation of the stretch with that a step later {:.2f} in (a), {:.3f} in (e); without "
                  "the swing, which is slow in both, {:.2f} and {:.3f}",
                  follows[0], follows[1], fast[0], fast[1]),
      good && std::fabs(fast[0]) < 0.2 && follows[0] < 0.5 && follows[1] > 0.99 && fast[1] > 0.99);
}

/// Power of x by frequency up to 30 Hz, in bins of 1/T, by the definition of the discrete transform.
std::vector<double> spectrum(const std::vector<double>& x, std::size_t bins) {
  std::vector<double> power(bins, 0.0);
  for (std::size_t k = 1; k < bins; ++k) {
    double re = 0.0, im = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double phase = 2 * std::numbers::pi * static_cast<double>(k * i % x.size()) / static_cast<double>(x.size());
      re += x[i] * std::cos(phase);
      im += x[i] * std::sin(phase);
    }
    power[k] = (re * re + im * im) / static_cast<double>(x.size() * x.size());
  }
  return power;
}

Outcome spectra(Sheet& sheet) {
  std::string text;
  std::vector<double> total, high;
  record::Panel panel{"power of the bend angle by frequency in Hz (decades)", "rad^2", {}, {}};
  for (const double extra : {0.1, 5e-3, 1e-4}) {
    const Samples s = sampled('e', 150, extra);
    const std::vector<double> power = spectrum(s.bend, 900);
    double sum = 0.0, above = 0.0;
    record::Series line{fmt::format("{:g} rad/N", extra), {}};
    panel.times.clear();
    for (std::size_t k = 1; k < power.size(); ++k) {
      sum += power[k];
      if (k > 90) above += power[k];  // beyond 3 Hz; the pendulum itself swings at 0.2
      panel.times.push_back(static_cast<double>(k) / 30.0);
      line.values.push_back(std::log10(std::max(power[k], 1e-16)));
    }
    panel.series.push_back(line);
    total.push_back(sum);
    high.push_back(above);
    text += fmt::format("{}{:g}: {:.2g} rad^2 beyond 3 Hz of {:.2g}", text.empty() ? "" : ", ", extra, above, sum);
  }
  sheet.plot({panel}, "log of the power");
  return Outcome::judged(text, high[2] < high[1] && high[1] < high[0] && total[2] < total[0]);
}

Outcome waves(Sheet& sheet) {
  const Samples a = sampled('a', 100, 1e-4), e = sampled('e', 100, 1e-4);
  const auto share = [](const Samples& s) {
    const double all = rms(s.waves[0]) + rms(s.waves[1]) + rms(s.waves[2]) + rms(s.waves[3]);
    return (rms(s.waves[2]) + rms(s.waves[3])) / all;
  };
  record::Panel panel{"transverse modes 1 (long) to 4 (short), rms", "m", {1, 2, 3, 4}, {{"(a)", {}}, {"(e)", {}}}};
  for (int k = 0; k < 4; ++k) {
    panel.series[0].values.push_back(rms(a.waves[k]));
    panel.series[1].values.push_back(rms(e.waves[k]));
  }
  sheet.plot({panel}, "short waves are suppressed");
  return Outcome::judged(fmt::format("modes 3 and 4 have {:.0f} % of the transverse motion in (a), {:.1f} % in (e)",
                                     100 * share(a), 100 * share(e)),
                         a.good && e.good && share(e) < 0.5 * share(a));
}

}  // namespace

std::vector<Item> particleChainItems() {
  return {{"table I: largest mass ratio", "a) 1e2 b) 1e2 c) 1e3, 1e7, 1e15 d) 1e2 e) 1e3, 1e7, 1e15", tableOne},
          {"fig 1: chain models", "five models", fiveModels},
          {"fig 2: stretch and bend of (a)", "strongest concentration at 0",
           [](Sheet& s) { return distributions(s, 'a'); }},
          {"fig 3: stretch and bend of (e)", "bend diminished, distribution bi-valued",
           [](Sheet& s) { return distributions(s, 'e'); }},
          {"fig 4: return maps", "(a) nearly uncorrelated, (e) an ellipse", returnMap},
          {"fig 5: spectra", "vibration suppressed with growing bending stiffness", spectra},
          {"fig 6: short waves", "suppressed by bending", waves}};
}

}  // namespace reeve::command
