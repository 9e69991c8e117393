// Paper 002: Large-Scale Dynamic Simulation of Highly Constrained Strands (Sueda, Jones, Levin, Pai 2011). Figures 1 to
// 4, 5c and 7; the tables and figures 8 and 9 are in reproduce_002_pulleys.cpp.
#include "reproduce_002.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "command.h"
#include "reproduce_trial.h"

namespace reeve::command {
namespace {

/// Runs a shipped scene against its own expectations, with pictures at its start, in the middle and at its end.
Item byStrandExpectations(std::string name, std::string reported, std::string scene) {
  return {std::move(name), std::move(reported), [=](Sheet& sheet) {
            World world = built(shippedScene(scene));
            const double end = world.description().settings.seconds;
            int drawn = 0;
            const double length = totalLength(world);
            double lost = 0.0;
            const Checked checked = checkExpectations(world, [&](World& now) {
              if (drawn < 2 && now.time() >= 0.5 * end * drawn) {
                sheet.picture(now, fmt::format("{} at {:.2f} s", scene, now.time()));
                ++drawn;
              }
              if (now.steps() % 16 == 0) lost = std::max(lost, std::fabs(totalLength(now) - length));
            });
            sheet.picture(world, fmt::format("{} at {:.2f} s", scene, world.time()));
            return Outcome::judged(fmt::format("{}: {}; material kept to {:.1g} m", scene, checked.text(), lost),
                                   checked.pass() && lost < 1e-10);
          }};
}

Outcome pulleysArmAndDrives(Sheet& sheet) {
  std::string text;
  bool alive = true;
  double lost = 0.0;
  for (const char* scene : {"compound-pulley", "robot-arm", "chain-drive-4", "line-shaft"}) {
    World world = built(shippedScene(scene));
    const double length = totalLength(world);
    const bool good = advance(world, 1.0);
    lost = std::max(lost, std::fabs(totalLength(world) - length));
    sheet.picture(world, fmt::format("{} at {:.2f} s", scene, world.time()));
    text += fmt::format("{}{}: {} spans{}", text.empty() ? "" : ", ", scene, spansOf(world).size(),
                        good ? "" : " went bad");
    alive = alive && good;
  }
  return Outcome::judged(fmt::format("{}; material kept to {:.1g} m", text, lost), alive && lost < 1e-10);
}

/// The same string with Lagrangian nodes only, its holes sliding along their line (the paper's counter-example): the
/// largest change of the pen's velocity in a step beyond that of the step before, m/s, in the first two seconds.
double jolt(Sheet& sheet, bool sliding, bool& good) {
  Description d = shippedScene("bead-on-string");
  d.cables.front().second.sliding = sliding;
  d.cables.front().second.nodes = sliding ? 8 : 0;
  World world = built(d);
  Vec3 last = Vec3::Zero(), change = Vec3::Zero();
  double largest = 0.0;
  int steps = 0;
  good = advance(world, 2.0,
                 [&](World& now) {
                   const Vec3 v(measured(now, "bodies.pen.velocity.x"), measured(now, "bodies.pen.velocity.y"),
                                measured(now, "bodies.pen.velocity.z"));
                   if (++steps > 3) largest = std::max(largest, (v - last - change).norm());
                   change = v - last;
                   last = v;
                 }) &&
         good;
  if (sliding) sheet.picture(world, "with sliding constraints, at 2 s");
  return largest;
}

/// The body slides without bouncing: what it feels changes smoothly though ever new material is at its mouths.
Outcome pen(Sheet& sheet) {
  World world = built(shippedScene("bead-on-string"));
  const double start = measured(world, "energy.total"), dt = world.description().settings.dt;
  double last = NAN, largest = 0.0, jump = 0.0, kinetic = 0.0, before = NAN, drift = 0.0;
  sheet.picture(world, "at the start");
  bool good = advance(world, world.description().settings.seconds, [&](World& now) {
    const double force = measured(now, "cables.string.links.1.force.z");
    // The second difference tells a jump from a fast change.
    if (std::isfinite(before)) jump = std::max(jump, std::fabs(force - 2 * last + before));
    before = last;
    last = force;
    largest = std::max(largest, std::fabs(force));
    kinetic = std::max(kinetic, measured(now, "energy.kinetic"));
    drift = std::max(drift, std::fabs(measured(now, "energy.total") - start));
  });
  sheet.picture(world, fmt::format("at {:.1f} s", world.time()));
  const double calm = jolt(sheet, false, good), thrown = jolt(sheet, true, good);
  return Outcome::judged(
      fmt::format("{:.0f} s at dt {:.4g} s: the force of the string on the pen bends by at most {:.2g} of its largest "
                  "from step to step; energy drifts {:.2g} of the largest kinetic; the pen's velocity jumps by at most "
                  "{:.2g} m/s in a step, with sliding constraints on 18 Lagrangian nodes by {:.2g} m/s",
                  world.time(), dt, jump / largest, drift / kinetic, calm, thrown),
      good && jump < 0.02 * largest && drift < 0.01 * kinetic && thrown > 10 * calm);
}

Outcome necklace(Sheet& sheet) {
  World world = built(shippedScene("necklace"));
  const Observation seen = world.observe();
  const CableObservation& string = seen.cables.front().second;
  const bool good = advance(world, 1.0);
  sheet.picture(world, "after 1 s");
  return Outcome::judged(fmt::format("{} bodies; the strand adds {} Lagrangian and {} Eulerian coordinates",
                                     seen.bodies.size(), string.lagrangian, string.eulerian),
                         good && string.lagrangian == 0 && seen.bodies.size() == 13);
}

Outcome casing(Sheet& sheet) {
  double shape[2] = {0, 0}, bend[2] = {0, 0};
  bool good = true;
  for (int k = 0; k < 2; ++k) {
    const char* scene = k == 0 ? "sheath-light" : "sheath-heavy";
    World world = built(shippedScene(scene));
    good = advance(world, world.description().settings.seconds) && good;
    sheet.picture(world, scene);
    for (const auto& [name, cable] : world.observe().cables) {
      double low = 0.0;
      for (const Vec3& p : cable.polyline)
        if (std::fabs(p.x()) < 0.55) low = std::min(low, p.z());
      (name == "casing" ? shape[k] : bend[k]) = low;
    }
  }
  return Outcome::judged(fmt::format("lowest point of the filament inside: {:.4f} m in the light casing, {:.4f} m in "
                                     "the heavy one: a difference in shape of {:.1f} mm",
                                     bend[0], bend[1], 1e3 * (bend[0] - bend[1])),
                         good && bend[1] < 4 * bend[0] && bend[1] < -0.02);
}

Outcome lumping(Sheet& sheet, const char* scene, const char* observe, double within) {
  double value[2];
  bool good = true;
  for (int k = 0; k < 2; ++k) {
    Description d = shippedScene(scene);
    d.cables.front().second.lumped = k == 1;
    World world = built(d);
    good = advance(world, d.settings.seconds) && good;
    sheet.picture(world, k == 1 ? "mass lumped at the nodes" : "mass integrated");
    value[k] = measured(world, observe);
  }
  const Description d = shippedScene(scene);
  double wanted = 0.0;
  for (const Expectation& e : d.expect)
    if (e.observe == observe && e.equals) wanted = *e.equals;
  return Outcome::judged(
      fmt::format("{}: integrated {:.3g}, lumped {:.3g}, right is {:.3g}", observe, value[0], value[1], wanted),
      good && std::fabs(value[0] - wanted) <= within &&
          std::fabs(value[1] - wanted) > 4 * std::fabs(value[0] - wanted));
}

/// Holds a body fast. The cage starts at the top of its way, where its rope is tautest: held there it would let the
/// shaft turn, so it is held where it has come to after 20 cm.
void jam(Description& d, const std::string& body) {
  std::erase_if(d.joints, [&](const auto& joint) { return joint.second.b == body; });  // what is fixed has no bearing
  for (auto& [name, settings] : d.bodies) {
    if (name != body) continue;
    settings.motion = body == "cage" ? BodyMotion::kinematic : BodyMotion::fixed;
    if (body != "cage") continue;
    settings.prescribed.emplace();
    settings.prescribed->along = Vec3::UnitZ();
    settings.prescribed->travel.table = {Vec2(0, 0), Vec2(1, -0.2)};
    settings.prescribed->travel.smooth = true;
  }
}

/// Each machine held fast by itself: the shaft stands still, short of a whole turn (ropes only pull, so it goes on
/// until the rope of that machine is taut), and stays there.
Outcome jammed(Sheet& sheet) {
  const Description shipped = shippedScene("line-shaft");
  World free = built(shipped);
  bool good = advance(free, shipped.settings.seconds);
  const double turned = measured(free, "joints.bearing.coordinate");
  sheet.picture(free, "running");
  std::string text =
      fmt::format("the shaft turns {:.1f} rad in {:.0f} s; with one held fast:", turned, shipped.settings.seconds);
  bool halts = true;
  constexpr std::pair<const char*, const char*> machines[] = {
      {"load", "compound pulley"}, {"hook", "double pulley"}, {"cage", "elevator"}, {"forearm", "robot arm"}};
  for (const auto& [body, machine] : machines) {
    Description d = shipped;
    d.expect.clear();
    jam(d, body);
    World world = built(d);
    good = advance(world, 5.0) && good;
    const double before = measured(world, "joints.bearing.coordinate");
    good = advance(world, 6.0) && good;
    const double after = measured(world, "joints.bearing.coordinate");
    halts = halts && std::fabs(after) < 1.6 * M_PI && std::fabs(after - before) < 1e-3;
    text += fmt::format(" {} {:.3f} rad (and {:+.1e} in a second more);", machine, before, after - before);
    sheet.picture(world, fmt::format("the {} jammed", machine));
  }
  text.pop_back();
  return Outcome::judged(text, good && turned > 12.0 && halts);
}

}  // namespace

Paper strands() {
  Paper p{"002", "Large-Scale Dynamic Simulation of Highly Constrained Strands (Sueda, Jones, Levin, Pai 2011)", {}};
  addPulleyTables(p.items);
  const std::vector<Item> figures = {
      {"fig 1: pulleys, arm, chain drives, line shaft", "picture", pulleysArmAndDrives},
      {"fig 1d: line shaft jammed", "jam any one component and the whole system halts", jammed},
      {"fig 2a: pen on a string", "slides smoothly; sliding constraints bounce", pen},
      {"fig 2b: necklace", "13 bodies, no Lagrangian coordinate added", necklace},
      byStrandExpectations("fig 2c: table edge", "material flows freely over the edge", "table-edge"),
      byStrandExpectations("fig 2d: wound four times", "four nodes are enough", "helix"),
      {"fig 3: filament in a casing", "a heavy casing bends the filament, a light one follows it", casing},
      {"fig 4a: tube on a wire", "integrated: in equilibrium wherever the node is; lumped: not",
       [](Sheet& s) { return lumping(s, "no-lumping-a", "bodies.tube.orientation.y", 1e-9); }},
      {"fig 4b: bead in a strand", "integrated: catenary; lumped: no bend at the bead",
       [](Sheet& s) { return lumping(s, "no-lumping-b", "bodies.bead.position.z", 0.005 * 0.4); }},
      byStrandExpectations("fig 5c: helical strand", "straightens and aligns with the axis", "helix"),
      byStrandExpectations("fig 7a: cable climbing", "travels up and down the cables", "cable-climb"),
      byStrandExpectations("fig 7b: robot arm", "turning the body does not change the cable's length", "robot-arm"),
      byStrandExpectations("fig 7c: chain drive", "8:1 through three chain drives, reversed midway", "chain-drive-8"),
      byStrandExpectations("fig 7d: columns", "slides up and down the columns with the tension", "columns"),
  };
  p.items.insert(p.items.end(), figures.begin(), figures.end());
  for (Item& item : nodeItems()) p.items.push_back(std::move(item));
  return p;
}

}  // namespace reeve::command
