// Paper 003, section 4.1: the oscillation of a span is suspended where its explicit scheme would be unstable.
#include "reproduce_003.h"

#include <fmt/format.h>

#include <cmath>

#include "reproduce_trial.h"

namespace reeve::command {
namespace {

constexpr double spanLength = 20.0, density = 1.0, stiffness = 1e5, waveStep = 0.02;
constexpr int pieces = 20;

/// Reeled in until the tension passes the bound, and paid out again.
Description reeledSpan(WaveScheme scheme) {
  Description d;
  d.name = "reeled span";
  d.settings.dt = waveStep;
  CableSettings c;
  c.model = CableModel::hoist;
  c.waveScheme = scheme;
  c.subdivisions = pieces;
  c.material.mass = density;
  c.material.axial = stiffness;
  c.waveDamping = 2.0;
  c.tension = 500.0;
  c.payout.table = {Vec2(4, 0), Vec2(8, -0.35), Vec2(12, -0.35), Vec2(16, 0)};
  c.route.resize(2);
  c.route[1].point = Vec3(spanLength, 0, 0);
  d.cables.emplace_back("cable", c);
  return d;
}

Outcome suspension(Sheet& sheet) {
  // √(T/ρ) h M/l reaches √2/2.
  const double critical = 0.5 * density * std::pow(spanLength / (pieces * waveStep), 2);
  int stopped = 0, resumed = 0;
  double before = 0.0, atStop = 0.0, jump = 0.0, lowest = 0.0;
  World world = built(reeledSpan(WaveScheme::explicitly));
  record::Panel panel{"tension, N", "N", {}, {{"explicit", {}}, {"implicit", {}}}};
  const auto follow = [&](World& now, std::size_t series) {
    const double tension = measured(now, "cables.cable.spans.0.tension");
    if (series == 0) panel.times.push_back(now.time());
    panel.series[series].values.push_back(tension);
    return tension;
  };
  bool good = advance(world, 24.0, [&](World& now) {
    const double tension = follow(now, 0);
    for (const Event& e : now.takeEvents()) {
      if (e.what.find("suspended") != std::string::npos && ++stopped == 1)
        atStop = before, jump = (before - tension) / before;
      if (e.what.find("resumed") != std::string::npos) ++resumed;
    }
    lowest = std::max(lowest, measured(now, "cables.cable.spans.0.sag"));
    before = tension;
  });
  int implicitly = 0;
  World other = built(reeledSpan(WaveScheme::implicitly));
  good = advance(other, 24.0,
                 [&](World& now) {
                   follow(now, 1);
                   for (const Event& e : now.takeEvents()) implicitly += e.what.find("suspended") != std::string::npos;
                 }) &&
         good;
  sheet.plot({panel}, "reeled in from 4 to 8 s, paid out from 12 to 16 s");
  const double weight = density * 9.81 * spanLength, wanted = stiffness * weight * weight / (24 * std::pow(atStop, 3));
  return Outcome::judged(
      fmt::format(
          "explicit: suspended {} times and resumed {}, first at {:.0f} N, the bound is {:.0f} N; the tension drops "
          "by {:.2f} % of itself, EA (rho g l)^2/(24 T^3) is {:.2f} %; sag at most {:.2f} m; implicit: never "
          "suspended",
          stopped, resumed, atStop, critical, 100 * jump, 100 * wanted, lowest),
      good && stopped > 0 && resumed == stopped && std::fabs(atStop / critical - 1) < 0.05 &&
          std::fabs(jump / wanted - 1) < 0.2 && lowest < 3.0 && implicitly == 0);
}

}  // namespace

Item suspensionItem() {
  return {"section 4.1: suspension", "oscillation suspended where the scheme would be unstable, resumed afterwards",
          suspension};
}

}  // namespace reeve::command
