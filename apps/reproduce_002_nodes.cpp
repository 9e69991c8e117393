// Paper 002, what its strands are made of: kinds of nodes (figure 5a), strand graphs (figures 5b and 6), bending at
// nodes through which material flows (section 3.3), resampling (section 4.1).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce_002.h"
#include "reproduce_trial.h"

namespace reeve::command {
namespace {

LinkSettings strandLink(LinkType type, const Vec3& point = Vec3::Zero(), const std::string& on = "world") {
  LinkSettings l;
  l.type = type;
  l.on = on;
  l.point = point;
  l.friction = 0.0;
  return l;
}

Description strandAlong(std::vector<LinkSettings> route) {
  Description d;
  d.name = "strand";
  d.settings.solver = SolverChoice::direct;
  CableSettings c;
  c.model = CableModel::strand;
  c.material.mass = 0.2;
  c.route = std::move(route);
  d.cables.emplace_back("strand", c);
  return d;
}

// ---- fig 5a

struct NodeKind {
  const char* name;
  LinkType type;
  GuideShape guide;  ///< of a guide
  bool flows;
  int lagrangian, eulerian;  ///< coordinates the paper gives it
};

/// Coordinates of one node between two fixed ends.
CableObservation nodeOf(const NodeKind& kind) {
  LinkSettings node = strandLink(kind.type, Vec3(0.5, 0, 0));
  if (kind.type == LinkType::node) node.flows = false;
  if (kind.type == LinkType::guide) {
    node.guide = kind.guide;
    node.axis = Vec3::UnitZ();
    node.flows = kind.flows;
    if (kind.guide == GuideShape::plane) {
      node.start = {0.0, 0.0};
    } else {
      node.point = Vec3(0.5, 0, 0);
      node.start = {0.0};
    }
  }
  const LinkSettings from = strandLink(LinkType::attach), to = strandLink(LinkType::attach, Vec3(1, 0.1, -0.2));
  return built(strandAlong({from, node, to})).observe().cables.front().second;
}

Outcome nodeTypes(Sheet&) {
  using enum GuideShape;
  constexpr NodeKind kinds[] = {{"L3", LinkType::node, line, false, 3, 0},  {"L2", LinkType::guide, plane, false, 2, 0},
                                {"E2", LinkType::guide, plane, true, 2, 1}, {"L1", LinkType::guide, line, false, 1, 0},
                                {"E1", LinkType::guide, line, true, 1, 1},  {"L0", LinkType::attach, line, false, 0, 0},
                                {"E0", LinkType::pinhole, line, true, 0, 1}};
  std::string text;
  bool good = true;
  for (const NodeKind& kind : kinds) {
    const CableObservation c =
        kind.type == LinkType::attach
            ? built(strandAlong({strandLink(LinkType::attach), strandLink(LinkType::attach, Vec3(1, 0, 0))}))
                  .observe()
                  .cables.front()
                  .second
            : nodeOf(kind);
    text += fmt::format("{}{} {} + {}", text.empty() ? "" : ", ", kind.name, c.lagrangian, c.eulerian);
    good = good && c.lagrangian == kind.lagrangian && c.eulerian == kind.eulerian;
  }
  return Outcome::judged("coordinates of place and of material: " + text, good);
}

// ---- figs 5b and 6

Outcome penGraph(Sheet& sheet) {
  World world = built(shippedScene("bead-on-string"));
  sheet.picture(world, "bead-on-string");
  const CableObservation c = world.observe().cables.front().second;
  return Outcome::judged(
      fmt::format("the two mouths of the pen are {} E0-nodes, with {} coordinates of place between the "
                  "ends",
                  c.eulerian, c.lagrangian),
      c.eulerian == 2 && c.lagrangian == 0);
}

/// Material is counted along the whole strand: what lies in spans and on sheaves adds up to its length.
Outcome pulleyGraph(Sheet& sheet) {
  World world = built(compoundPulley(4, 0.1, false));
  sheet.picture(world, "four sheaves");
  const CableObservation start = world.observe().cables.front().second;
  const double before = totalLength(world);
  const bool good = advance(world, 1.0);
  const double kept = std::fabs(totalLength(world) - before);
  return Outcome::judged(
      fmt::format("4 sheaves: {} coordinates of material, {} of place; {} spans; after 1 s the length "
                  "of the strand is kept to {:.1g} m",
                  start.eulerian, start.lagrangian, start.spans.size(), kept),
      good && start.eulerian == 4 && start.lagrangian == 0 && kept < 1e-12);
}

// ---- section 3.3

/// A strand that leaves a hole levelly is a beam built in there: w L^4/(8 EI) at its free end.
double sagBeyondHole(double stiffness, int nodes, bool& good, Sheet& sheet) {
  std::vector<LinkSettings> route{strandLink(LinkType::attach, Vec3(-0.002, 0, 0)), strandLink(LinkType::pinhole)};
  for (int i = 1; i < nodes; ++i) {
    route.push_back(strandLink(LinkType::node, Vec3(static_cast<double>(i) / nodes, 0, 0)));
    route.back().flows = false;
  }
  route.push_back(strandLink(LinkType::attach, Vec3(1, 0, 0)));
  route.back().hold = EndHold::free;
  Description d = strandAlong(route);
  d.cables[0].second.material.bending = stiffness;
  d.cables[0].second.material.damping = 0.1;
  d.settings.dt = 0.005;
  World world = built(d);
  good = advance(world, 3.0) && good;
  sheet.picture(world, fmt::format("{} segments beyond the hole", nodes));
  return -world.observe().cables.front().second.polyline.back().z();
}

Outcome bendingAtHole(Sheet& sheet) {
  constexpr double sag = 0.02;  // m
  const double stiffness = 0.2 * 9.81 / (8 * sag);
  bool good = true;
  const double coarse = sagBeyondHole(stiffness, 8, good, sheet), fine = sagBeyondHole(stiffness, 32, good, sheet);
  return Outcome::judged(
      fmt::format("a strand that leaves a hole levelly sags as a beam built in there: {:.2f} mm with 8 "
                  "segments, {:.2f} mm with 32, w L^4/(8 EI) {:.2f} mm",
                  1e3 * coarse, 1e3 * fine, 1e3 * sag),
      good && std::fabs(fine / sag - 1) < 0.01 && std::fabs(fine / sag - 1) < std::fabs(coarse / sag - 1));
}

// ---- section 4.1

/// A rope drawn up through a hole, its free end thrown aside: the nodes come to the hole one after the other.
Outcome resampling(Sheet& sheet) {
  constexpr int nodes = 30;
  std::vector<LinkSettings> route{strandLink(LinkType::attach, Vec3::Zero(), "hand"), strandLink(LinkType::pinhole)};
  for (int k = 1; k <= nodes; ++k) {
    route.push_back(strandLink(LinkType::node, Vec3(0.8, 0, -0.8) * k / (nodes + 1)));
    route.back().flows = false;
  }
  route.push_back(strandLink(LinkType::attach, Vec3(0.8, 0, -0.8)));
  route.back().hold = EndHold::free;
  Description d = strandAlong(route);
  d.settings.dt = 1e-3;
  BodySettings hand;
  hand.motion = BodyMotion::kinematic;
  hand.position = Vec3(0, 0, 0.2);
  hand.collides = false;
  hand.prescribed.emplace();
  hand.prescribed->along = Vec3::UnitZ();
  hand.prescribed->travel.rate = 0.4;
  d.bodies.emplace_back("hand", hand);
  World world = built(d);
  int moved = 0;
  double with = 0.0, without = 0.0, remains = 0.0;
  const bool good = advance(world, 1.5, [&](World& now) {
    const EnergyObservation e = now.observe().energy;
    int here = 0;
    for (const Event& event : now.takeEvents()) here += event.what == "a node was put where the strand is coarsest";
    moved += here;
    double& worst = here > 0 ? with : without;
    worst = std::max(worst, std::fabs(e.remains - remains) / e.kinetic);
    remains = e.remains;
  });
  sheet.picture(world, "drawn through a hole, 1.5 s");
  return Outcome::judged(
      fmt::format("{} nodes of a whipping rope put elsewhere; what a step leaves over of the kinetic "
                  "energy is at most {:.2g} % where that happens, {:.2g} % where not",
                  moved, 100 * with, 100 * without),
      good && moved >= nodes / 2 && with < 0.01);
}

}  // namespace

std::vector<Item> nodeItems() {
  return {{"fig 5a: types of nodes", "3, 2, 1 and 0 coordinates of place; E-nodes one of material more", nodeTypes},
          {"fig 5b: graph of the pen on a string", "two holes, through which material flows", penGraph},
          {"fig 6: a pulley strand", "one coordinate of material along the whole strand", pulleyGraph},
          {"section 3.3: bending", "at an E-node just as at an L-node", bendingAtHole},
          {"section 4.1: resampling", "with mass along the strand, negligible effect on the energy", resampling}};
}

}  // namespace reeve::command
