// Paper 004: Rigid Body Cable for Virtual Environments (Servin, Lacoursière 2008). Here the rod of section VII-A,
// figures 9 to 12; particle chains, stability and the gantry are in files of their own.
#include "reproduce_004.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.h"
#include "reproduce_001.h"
#include "trials/chain_rods.h"

namespace reeve::command {

namespace {

using namespace trials;

constexpr int divisions[] = {3, 6, 12, 24};
struct Material {
  const char* name;
  double young;
  const char* color;
};
constexpr Material materials[] = {{"rubber", 2e7, "#1b6ca8"}, {"nylon", 2e9, "#c2562d"}, {"steel", 2e11, "#00704f"}};

// ---- fig 10

Outcome stretch(Sheet& sheet) {
  double worst = 0.0;
  std::vector<Trace> traces;
  for (const Material& m : materials)
    for (const int n : divisions) {
      Trace trace{{Vec2(0, 0)}, m.color, true};
      for (const double strain : {0.1, 0.25, 0.5}) {
        Description d = rodScene(m.young, n, 0.3);
        putOn(d, "end", Vec3(strain * m.young * 1e-2, 0, 0), Vec3::Zero(), 1.0);
        World world = built(d);
        advance(world, 8.0);
        const double got = (measured(world, "bodies.end.position.x") - rodLength) / rodLength;
        worst = std::max(worst, std::fabs(got / strain - 1.0));
        trace.points.push_back(Vec2(got, strain));
      }
      traces.push_back(trace);
    }
  sheet.drawing(traceDrawing(traces, Vec2(0, 0), Vec2(0.55, 0.55), "f/YA over strain", 420), "all twelve rods");
  return Outcome::judged(
      fmt::format("N = 3, 6, 12, 24, rubber, nylon, steel to 50 % strain: off by at most {:.1g} %", 100 * worst),
      worst < 1e-3);
}

// ---- fig 11

/// Turns at the end of a rod whose chuck keeps to the axis and is turned by the torque that `turns` need.
double twistedBy(const Material& m, int n, double turns, double& lateral) {
  const double seconds = m.young < 1e8 ? 40.0 : 12.0;
  World world = built(twistScene({.young = m.young, .segments = n, .turns = turns, .seconds = seconds}));
  advance(world, seconds);
  lateral = lateralOf(world);
  return turnsOf(world);
}

Outcome twist(Sheet& sheet) {
  double worst = 0.0, aside = 0.0;
  std::string steel;
  std::vector<Trace> traces;
  for (const Material& m : materials)
    for (const int n : divisions) {
      Trace trace{{Vec2(0, 0)}, m.color, true};
      for (const double turns : {2.4, 15.0, 37.0}) {
        double lateral;
        const double got = twistedBy(m, n, turns, lateral);
        worst = std::max(worst, std::fabs(got / turns - 1.0));
        aside = std::max(aside, lateral);
        trace.points.push_back(Vec2(got, turns));
        if (m.young == 2e11 && turns == 37.0) steel += fmt::format("{}{}: {:.4f}", steel.empty() ? "" : ", ", n, got);
      }
      traces.push_back(trace);
    }
  sheet.drawing(traceDrawing(traces, Vec2(0, 0), Vec2(40, 40), "torque L/(2 pi GJ) over turns", 420),
                "held on the axis under a tension of 30 EI per square metre");
  return Outcome::judged(
      fmt::format(
          "2.4, 15 and 37 turns, N = 3, 6, 12, 24, three materials: off by at most {:.1g} %, aside by {:.1g} m; "
          "steel at 37 turns by N {}. The paper's torques imply a law 6.76 times the printed one, so turns are "
          "compared",
          100 * worst, aside, steel),
      worst < 0.01);
}

// ---- fig 12

/// Radius that a couple of EI/radius bends the rod to.
double bentRadius(int n, double radius, Sheet* sheet = nullptr) {
  const Material& steel = materials[2];
  Description d = rodScene(steel.young, n, 0.2);
  putOn(d, "end", Vec3::Zero(), Vec3(0, -paperEI(steel.young) / radius, 0), 2.0);
  World world = built(d);
  advance(world, 15.0);
  if (sheet) sheet->picture(world, fmt::format("bent to R = {} m, N = {}", radius, n));
  return radiusOf(world);
}

Outcome bend(Sheet& sheet) {
  std::string text;
  bool good = true;
  std::vector<Trace> traces;
  for (const int n : divisions) {
    double off = 0.0;
    Trace trace;
    for (const double radius : {30.0, 10.0, 5.0, 2.0, 1.0}) {
      const double got = bentRadius(n, radius);
      if (radius >= rodLength) off = std::max(off, std::fabs(got / radius - 1.0));
      trace.points.push_back(Vec2(1.0 / radius, 1.0 / got));
      if (radius == 1.0)
        text += fmt::format("{}N = {}: {:.2f} % at R >= L, {:.1f} % at L/10", text.empty() ? "" : "; ", n, 100 * off,
                            100 * std::fabs(got - 1.0));
    }
    traces.push_back(trace);
    good = good && (n < 6 || off < 0.02) && (n < 24 || off < 0.005);
  }
  sheet.drawing(traceDrawing(traces, Vec2(0, 0), Vec2(1.3, 1.3), "curvature got over curvature asked, 1/m", 420),
                "N = 3, 6, 12, 24");
  return Outcome::judged("off by " + text, good);
}

// ---- fig 9

Outcome snapshots(Sheet& sheet) {
  double lateral;
  const double ratio = bentRadius(24, 2.0, &sheet) / 2.0, turns = twistedBy(materials[2], 24, 2.4, lateral);
  std::string text;
  bool alive = true;
  for (const char* scene : {"bend", "twist"}) {
    World world = built(shippedScene(scene));
    for (const double share : {0.5, 1.0}) {
      alive = advance(world, share * world.description().settings.seconds) && alive;
      sheet.picture(world, fmt::format("{} at {:.1f} s", scene, world.time()));
    }
  }
  return Outcome::judged(fmt::format("bent to R = 2 m ({:.4f} of it), twisted by {:.4f} turns of 2.4", ratio, turns),
                         alive && std::fabs(ratio - 1) < 0.005 && std::fabs(turns / 2.4 - 1) < 0.01);
}

}  // namespace

Paper rigidChain() {
  Paper p{"004", "Rigid Body Cable for Virtual Environments (Servin, Lacoursiere 2008)", particleChainItems()};
  const auto add = [&](const std::vector<Item>& items) { p.items.insert(p.items.end(), items.begin(), items.end()); };
  add({{"fig 9: bending and twisting", "snapshots", snapshots},
       {"fig 10: stretch", "f/YA = strain to 50 %, whatever the number of segments", stretch},
       {"fig 11: twist", "to 37 turns; steel unstable at 2.4 turns with 24 segments, at 15 with 12", twist},
       {"fig 12: bend", "10 % off (N = 6) to 2.5 % (N = 24)", bend}});
  add(stabilityItems());
  add(gantryItems());
  return p;
}

}  // namespace reeve::command
