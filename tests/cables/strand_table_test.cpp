// Every kind of node beside every other, over every kind of segment: velocities, mass, momentum, velocity-dependent
// forces, weight and rows against finite differences of positions and kinetic energy, in random states.
//
// Kinds as in the paper: L holds a material point, E lets material flow; 0 has no place of its own, 1 slides on a
// curve, 2 on a surface, 3 is free.
#include <set>

#include "cables/strand_bench.h"

namespace reeve::test {
namespace {

constexpr double density = 0.7;

/// Two bodies turned by dice, two loads far out, and a strand for others to ride on.
Description bodies(Dice& dice) {
  Description d = still(1.0 / 240);
  const auto turned = [&] { return Quat(1.0, 0.5 * dice(), 0.5 * dice(), 0.5 * dice()).normalized(); };
  BodySettings a = rigid(1, Vec3(0.1, 0.2, 0.3), Vec3(0, 0, 0)), b = rigid(2, Vec3(0.3, 0.2, 0.4), Vec3(2, 0.1, 0.4));
  a.center = Vec3(0.05, 0.02, -0.03);
  b.center = Vec3(-0.04, 0.01, 0.06);
  a.orientation = turned();
  b.orientation = turned();
  d.bodies.emplace_back("a", a);
  d.bodies.emplace_back("b", b);
  addMass(d, "p", 1.0, Vec3(-2, 0.3, -1));
  addMass(d, "q", 1.0, Vec3(4, -0.2, -1));
  addStrand(d, "host", density,
            {attachTo("p"), freeNode(Vec3(-0.3, 0.8, -0.5)), freeNode(Vec3(0.8, 0.7, -0.6)),
             freeNode(Vec3(1.7, 0.9, -0.4)), freeNode(Vec3(2.5, 0.8, -0.5)), attachTo("q")});
  return d;
}

constexpr GuideShape curves[] = {GuideShape::line, GuideShape::circle, GuideShape::helix, GuideShape::spline};
constexpr GuideShape surfaces[] = {GuideShape::plane, GuideShape::cylinder, GuideShape::sphere, GuideShape::torus,
                                   GuideShape::formula};

std::span<const GuideShape> shapesOf(bool surface) {
  return surface ? std::span<const GuideShape>(surfaces) : std::span<const GuideShape>(curves);
}

const char* nameOf(GuideShape shape) {
  switch (shape) {
    case GuideShape::plane:
      return "plane";
    case GuideShape::cylinder:
      return "cylinder";
    case GuideShape::sphere:
      return "sphere";
    case GuideShape::torus:
      return "torus";
    case GuideShape::line:
      return "line";
    case GuideShape::circle:
      return "circle";
    case GuideShape::helix:
      return "helix";
    case GuideShape::formula:
      return "formula";
    case GuideShape::spline:
      break;
  }
  return "spline";
}

/// A guide with one node on it. u: 0 at its start, 1 at its end. way: over the top, or (-1) round below.
LinkSettings guide(const std::string& on, GuideShape shape, double u, bool flows, double way = 1.0) {
  struct Range {
    Vec2 from, to;
  };
  const auto range = [&]() -> Range {
    switch (shape) {
      case GuideShape::plane:
        return {Vec2(-0.3, 0.1), Vec2(0.4, 0.2)};
      case GuideShape::cylinder:
        return {Vec2(-2.4, -0.1), Vec2(-0.4, 0.2)};
      case GuideShape::sphere:
        return {Vec2(-2.4, -0.1), Vec2(-0.8, 0.2)};
      case GuideShape::torus:
        return {Vec2(-2.2, 0.5), Vec2(-0.8, 0.7)};
      case GuideShape::line:
        return {Vec2(-0.2, 0), Vec2(0.3, 0)};
      case GuideShape::circle:
      case GuideShape::helix:
        return {Vec2(-2.4, 0), Vec2(-0.7, 0)};
      case GuideShape::formula:
        return {Vec2(-2.3, -0.1), Vec2(-0.6, 0.2)};
      case GuideShape::spline:
        break;
    }
    return {Vec2(0.1, 0), Vec2(0.9, 0)};
  }();
  Vec2 at = range.from + u * (range.to - range.from);
  if (shape != GuideShape::plane && shape != GuideShape::line && shape != GuideShape::spline) at.x() *= way;
  const bool surface = std::find(std::begin(surfaces), std::end(surfaces), shape) != std::end(surfaces);
  LinkSettings l = guideOn(on, shape, Vec3(0.1, 0, 0.05), Vec3(0.1, 1.0, 0.2), 0.3, {at.x()}, {}, flows);
  if (surface) l.start.push_back(at.y());
  if (shape == GuideShape::torus) l.minor = 0.12;
  if (shape == GuideShape::helix) l.pitch = 0.2;
  if (shape == GuideShape::spline)
    l.path = {Vec3(-0.5, 0, 0), Vec3(-0.1, 0.1, 0.3), Vec3(0.2, 0, 0.3), Vec3(0.5, 0.1, 0)};
  // A bell: neither round the whole way nor of one curvature.
  if (shape == GuideShape::formula)
    l.formula = {"(0.3 + 0.2*v^2)*cos(u)", "(0.25 + 0.1*exp(v))*sin(u)", "v + 0.05*sin(2*u)"};
  return l;
}

/// Over a guide or round below it, whichever does not turn back on itself.
template <class Make>
Description smoothly(Make&& make) {
  Description d = make(1.0);
  const auto built = build(d);
  return !built && built.error().reason.starts_with("the strand turns back") ? make(-1.0) : d;
}

/// A way to make a node of a kind on the first (0) or second (1) body.
struct Maker {
  std::string name;
  std::function<LinkSettings(int side)> link;
};
std::string bodyOf(int side) { return side == 0 ? "a" : "b"; }
Vec3 pointOf(int side) { return side == 0 ? Vec3(0.1, 0.2, 0.3) : Vec3(0.2, -0.1, 0.1); }

std::vector<Maker> makersOf(bool flows, int freedom) {
  std::vector<Maker> all;
  switch (freedom) {
    case 0:
      all.push_back({flows ? "hole" : "point", [=](int side) {
                       return flows ? through(bodyOf(side), pointOf(side)) : attachTo(bodyOf(side), pointOf(side));
                     }});
      all.push_back({"ride", [=](int side) { return rideOn("host", side == 0 ? 1 : 3, flows); }});
      break;
    case 1:
      for (const GuideShape shape : curves)
        all.push_back({nameOf(shape), [=](int side) { return guide(bodyOf(side), shape, 0.4, flows); }});
      all.push_back({"between", [=](int side) {
                       LinkSettings l = rideOn("host", side == 0 ? 1 : 3, flows);
                       l.between = true;
                       l.start = {0.5};
                       return l;
                     }});
      all.push_back({"circle of a node", [=](int side) {
                       LinkSettings l = guide("host", GuideShape::circle, 0.4, flows);
                       l.riding = side == 0 ? 1 : 3;
                       return l;
                     }});
      break;
    case 2:
      for (const GuideShape shape : surfaces)
        all.push_back({nameOf(shape), [=](int side) { return guide(bodyOf(side), shape, 0.4, flows); }});
      break;
    default:
      all.push_back({"free", [=](int side) {
                       return freeNode(side == 0 ? Vec3(0.2, 0.3, 0.4) : Vec3(1.7, -0.3, 0.6), Vec3::Zero(), flows);
                     }});
  }
  return all;
}

struct GuideKind {
  std::string name;
  std::vector<Maker> makers;
};
std::vector<GuideKind> guideKinds() {
  std::vector<GuideKind> all;
  for (const bool flows : {false, true})
    for (int freedom = 0; freedom < 4; ++freedom)
      all.push_back({(flows ? "E" : "L") + std::to_string(freedom), makersOf(flows, freedom)});
  return all;
}

void expectConsistent(Description d, const std::string& what, unsigned seed, bool planar = false) {
  {
    Bench bench(d, what, seed, planar);
    bench.nodesMoveAsTheySay();
    bench.momentumAndMassComeFromTheEnergy();
    bench.energyAndForcesComeFromThePlacesOfTheMaterial(density);
    bench.rowsAreGradients();
  }
  d.settings.gravity = Vec3(0.5, -0.3, -9.0);
  Bench(std::move(d), what + " weighs", seed + 100, planar).forcesAtRestComeFromTheEnergy();
}

/// What has been looked at: segment, then pairs.
class Ledger {
 public:
  void note(const std::string& segment, const std::string& first, const std::string& second) {
    pairs_[segment].insert(first + "-" + second);
  }
  int count(const std::string& segment) const { return static_cast<int>(pairs_.at(segment).size()); }
  void print() const {
    for (const auto& [segment, pairs] : pairs_) {
      std::printf("%s, %zu:", segment.c_str(), pairs.size());
      for (const std::string& p : pairs) std::printf(" %s", p.c_str());
      std::printf("\n");
    }
    std::printf(
        "Not there: along a curve or surface L0, L3, E3 and but for tubes E0 (they are on none); 1 with 2 there (a "
        "curve "
        "and a surface are not one guide); a wheel's own arc ends in no node.\n");
  }

 private:
  std::map<std::string, std::set<std::string>> pairs_;
};

TEST(StrandTable, EveryPairOfNodesOverALine) {
  Ledger ledger;
  std::size_t turn = 0;
  const std::vector<GuideKind> all = guideKinds();
  for (unsigned seed = 1; seed <= 3; ++seed)
    for (const GuideKind& first : all)
      for (const GuideKind& second : all) {
        Dice dice{seed};
        Description d = bodies(dice);
        const Maker &a = first.makers[turn % first.makers.size()], &b = second.makers[++turn % second.makers.size()];
        addStrand(d, "s", density, {attachTo("p"), a.link(0), b.link(1), attachTo("q")}).material.bending = 0.3;
        expectConsistent(
            d, first.name + " " + a.name + " - " + second.name + " " + b.name + ", seed " + std::to_string(seed), seed);
        ledger.note("line", first.name, second.name);
      }
  EXPECT_EQ(ledger.count("line"), 64);
  ledger.print();
}

TEST(StrandTable, EveryPairOfNodesAlongAGuideOfABodyOrOfANode) {
  Ledger ledger;
  for (unsigned seed = 1; seed <= 2; ++seed)
    for (const bool surface : {false, true})
      for (const GuideShape shape : shapesOf(surface))
        for (const bool flows0 : {false, true})
          for (const bool flows1 : {false, true})
            for (const bool onNode : {false, true}) {
              const Description d = smoothly([&](double way) {
                Dice dice{seed};
                Description made = bodies(dice);
                LinkSettings first = guide(onNode ? "host" : "a", shape, 0.0, flows0, way),
                             last = guide(onNode ? "host" : "a", shape, 1.0, flows1, way);
                if (onNode) first.riding = last.riding = 2;
                addStrand(made, "s", density,
                          {attachTo("p"), first, last, attachTo("b", Vec3(0.1, 0, 0)), attachTo("q")})
                    .material.bending = 0.2;
                return made;
              });
              const std::string kind = surface ? "2" : "1", from = (flows0 ? "E" : "L") + kind,
                                to = (flows1 ? "E" : "L") + kind, where = onNode ? " of a node" : " of a body";
              expectConsistent(d, nameOf(shape) + where + ": " + from + " - " + to, seed);
              ledger.note(nameOf(shape), from, to);
            }
  for (const GuideShape shape : curves) EXPECT_EQ(ledger.count(nameOf(shape)), 4);
  for (const GuideShape shape : surfaces) EXPECT_EQ(ledger.count(nameOf(shape)), 4);
  ledger.print();
}

TEST(StrandTable, LinesInTubesAndTheirMouthsBesideEveryNode) {
  Ledger ledger;
  for (unsigned seed = 1; seed <= 2; ++seed)
    for (const GuideKind& kind : guideKinds())
      for (const Maker& maker : kind.makers) {
        Dice dice{seed};
        Description d = bodies(dice);
        std::vector<Vec3> path{Vec3(-0.2, 0, 0), Vec3(0.1, 0.1, 0.1)};
        if (seed == 2) path.push_back(Vec3(0.2, 0.3, 0.2));
        addStrand(d, "s", density, {attachTo("p"), tubeOn("a", path), maker.link(1), attachTo("q")});
        expectConsistent(d, "tube - " + kind.name + " " + maker.name, seed);
        ledger.note("tube", "E0", "E0");
        ledger.note("line from a tube", "E0", kind.name);
      }
  EXPECT_EQ(ledger.count("line from a tube"), 8);
  ledger.print();
}

/// A box comes up under the last span with an edge across it: the strand has a corner that slides along the edge.
TEST(StrandTable, CornersOnCandidatesBesideEveryNode) {
  Ledger ledger;
  for (const GuideKind& kind : guideKinds())
    for (const Maker& maker : kind.makers) {
      Dice dice{7};
      Description d = bodies(dice);
      CableSettings& s = addStrand(d, "s", density, {attachTo("p"), maker.link(1), attachTo("q")});
      s.material.radius = 1e-3;
      const Observation seen = make(d).observe();
      const auto& line = seen.cables.back().second.polyline;
      const Vec3 from = line[line.size() - 2], to = line.back(), t = (to - from).normalized();
      const Vec3 along = Vec3(0.3, 1.0, 0.2).cross(t).normalized(), up = t.cross(along);
      Mat3 turn;
      turn.col(1) = along;
      turn.col(0) = (t + up) * std::sqrt(0.5);
      turn.col(2) = turn.col(0).cross(along);
      const double reach = (0.2 + 1e-3) * std::sqrt(2.0) + 1e-4;
      BodySettings c = rigid(1.5, Vec3(0.2, 0.3, 0.2), 0.5 * (from + to) - reach * up);
      c.orientation = Quat(turn);
      c.velocity = up;
      c.shapes.push_back(box(Vec3(0.4, 1.2, 0.4)));
      d.bodies.emplace_back("c", c);
      d.cables.back().second.candidates = {"c"};
      const std::string what = kind.name + " " + maker.name + " - corner";
      EXPECT_GT(Bench(d, what, 3).events(), 0) << what;
      expectConsistent(d, what, 3);
      ledger.note("line to a corner", kind.name, "E1");
    }
  EXPECT_EQ(ledger.count("line to a corner"), 8);
  ledger.print();
}

/// A wheel whose axle leans by an angle against the plane of the strand, fixed on a body or a rotor on it.
TEST(StrandTable, WheelsAtAnAngleBesideEveryNode) {
  Ledger ledger;
  int turn = 0;
  for (const double lean : {0.0, 5.0, 20.0, 45.0})
    for (const GuideKind& kind : guideKinds())
      for (const Maker& maker : kind.makers) {
        Dice dice{static_cast<unsigned>(11 + turn)};
        Description d = bodies(dice);
        const bool rotor = turn % 2 == 0;
        const double friction = turn % 3 == 0 ? 0.3 : unbounded, angle = lean * M_PI / 180;
        const Vec3 axis(std::sin(angle) * 0.6, std::cos(angle), std::sin(angle) * 0.8), center(0.1, 0.02, 0.05);
        d.bodies[0].second.orientation = Quat::Identity();
        LinkSettings roll = rollOn("a", center, 0.3, 1, friction);
        roll.axis = axis;
        if (rotor) {
          d.rotors.emplace_back("ra", wheelAt(center, 0.3, 0.1, "a", axis));
          roll = rollOver("ra", 1, friction);
        }
        CableSettings& s = addStrand(d, "s", density, {attachTo("p"), roll, maker.link(1), attachTo("q")});
        if (lean == 0.0 || turn % 5 == 0) {
          s.material.axial = 50.0;
          s.tension = 2.0;
        }
        ++turn;
        const std::string angles = std::to_string(static_cast<int>(lean));
        expectConsistent(d, "wheel at " + angles + " - " + kind.name + " " + maker.name + (rotor ? ", rotor" : ""), 1);
        ledger.note("line from a wheel at " + angles, "wheel", kind.name);
      }
  EXPECT_EQ(ledger.count("line from a wheel at 45"), 8);
  ledger.print();
}

TEST(StrandTable, WheelsAtAnAngleToEachOther) {
  int turn = 0;
  for (const double lean : {0.0, 5.0, 20.0, 45.0})
    for (const bool rotor : {false, true})
      for (const double friction : {unbounded, 0.0})
        for (const bool stretch : {false, true}) {
          if (lean == 0.0 && !stretch) continue;  // in the plane: below
          Dice dice{static_cast<unsigned>(31 + turn++)};
          Description d = bodies(dice);
          d.bodies[0].second.orientation = d.bodies[1].second.orientation = Quat::Identity();
          const double angle = lean * M_PI / 180;
          const Vec3 axes[2] = {Vec3(std::sin(angle) * 0.6, std::cos(angle), std::sin(angle) * 0.8),
                                Vec3(0.0, std::cos(0.5 * angle), -std::sin(0.5 * angle))};
          const double radius[2] = {0.3, 0.2};
          std::vector<LinkSettings> route{attachTo("p")};
          for (int k = 0; k < 2; ++k) {
            LinkSettings roll = rollOn(bodyOf(k), Vec3(0.1, 0.02, 0.05), radius[k], k == 0 ? 1 : -1, friction);
            roll.axis = axes[k];
            if (rotor) {
              d.rotors.emplace_back("r" + bodyOf(k), wheelAt(roll.point, radius[k], 0.1, bodyOf(k), axes[k]));
              roll = rollOver("r" + bodyOf(k), k == 0 ? 1 : -1, friction);
            }
            route.push_back(roll);
          }
          route.push_back(attachTo("q"));
          CableSettings& s = addStrand(d, "s", density, route);
          if (stretch) s.material.axial = 50.0, s.tension = 2.0;
          expectConsistent(d, "two wheels at " + std::to_string(static_cast<int>(lean)) + (rotor ? ", rotors" : ""), 1);
        }
}

Description flatBodies() {
  Description d = still(1.0 / 240);
  BodySettings a = rigid(1, Vec3(0.1, 0.2, 0.3), Vec3(0, 0, 0)), b = rigid(2, Vec3(0.3, 0.2, 0.4), Vec3(2, 0, 0.4));
  a.center = Vec3(0.05, 0, -0.03);
  b.center = Vec3(-0.04, 0, 0.06);
  d.bodies.emplace_back("a", a);
  d.bodies.emplace_back("b", b);
  addMass(d, "p", 1.0, Vec3(-2, 0, -1));
  addMass(d, "q", 1.0, Vec3(4, 0, -1));
  return d;
}

/// In the plane of the wheels, where a strand that cannot stretch has no corner at the rim.
TEST(StrandTable, WheelsInThePlaneOfTheStrand) {
  for (unsigned seed = 1; seed <= 2; ++seed)
    for (const double friction : {unbounded, 0.0, 0.3}) {
      const std::string rubs = ", friction " + std::to_string(friction);
      {
        Description d = flatBodies();
        addStrand(d, "s", density,
                  {attachTo("p"), rollOn("a", Vec3(0.1, 0, 0.05), 0.3, 1, friction),
                   rollOn("b", Vec3(0, 0, 0), 0.2, -1, friction), attachTo("q")});
        expectConsistent(d, "wheels fixed to bodies" + rubs, seed, true);
      }
      {
        Description d = flatBodies();
        d.rotors.emplace_back("ra", wheelAt(Vec3(0.1, 0, 0.05), 0.3, 0.1, "a"));
        d.rotors.emplace_back("rb", wheelAt(Vec3(0.0, 0, 0.05), 0.2, 0.1, "b"));
        addStrand(d, "s", density,
                  {attachTo("p"), rollOver("ra", 1, friction), freeNode(Vec3(1, 0, 0.9)), rollOver("rb", -1, friction),
                   attachTo("q")});
        expectConsistent(d, "rotors" + rubs, seed, true);
      }
      for (const int side : {1, -1}) {
        Description d = still(1.0 / 240);
        d.rotors.emplace_back("ra", wheelAt(Vec3(0, 0, 0), 0.3, 0.1));
        d.rotors.emplace_back("rb", wheelAt(Vec3(1, 0, 0.1), 0.2, 0.1));
        d.rotors.emplace_back("rc", wheelAt(Vec3(0.4, 0, 0.8), 0.1, 0.1));
        std::vector<LinkSettings> route{rollOver("ra", side, friction), rollOver("rb", side, friction),
                                        rollOver("rc", side, friction)};
        if (side > 0) std::reverse(route.begin(), route.end());
        CableSettings& loop = addStrand(d, "s", density, route);
        loop.closed = true;
        // One that cannot stretch may be as tight as it likes, and rub as much: it is refused.
        if (friction > 0.0 && friction < unbounded) loop.material.axial = 50.0;
        expectConsistent(d, "a loop" + rubs, seed, true);
      }
    }
}

TEST(StrandTable, Stretch) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Dice dice{seed};
    Description d = bodies(dice);
    CableSettings& c = addStrand(d, "s", density,
                                 {attachTo("p"), through("a", Vec3(0.1, 0, 0.1)), freeNode(Vec3(1, 0, 0.9)),
                                  through("b", Vec3(0.1, 0, 0.1)), attachTo("q")});
    c.material.axial = 50.0;
    c.material.bending = 0.4;
    c.tension = 3.0;
    Bench(d, "stretch", seed).forcesAtRestComeFromTheEnergy();
  }
}

/// Over corners, along every guide and over wheels at any angle.
TEST(StrandTable, TwistBetweenClampedEnds) {
  using Way = std::function<std::vector<LinkSettings>(double)>;
  std::vector<std::pair<std::string, Way>> routes{
      {"corners",
       [](double) {
         return std::vector{freeNode(Vec3(0.6, 0.7, 0.4)), through("p"), freeNode(Vec3(1.4, -0.4, 0.9))};
       }},
      {"tube", [](double) {
         return std::vector{tubeOn("c", {Vec3(-0.2, 0, 0), Vec3(0.1, 0.1, 0.1), Vec3(0.2, 0.3, 0.2)})};
       }}};
  for (const bool flows : {false, true})
    for (const bool surface : {false, true})
      for (const GuideShape shape : shapesOf(surface))
        routes.push_back({nameOf(shape), [=](double way) {
                            return std::vector{guide("c", shape, 0.0, flows, way), guide("c", shape, 1.0, flows, way)};
                          }});
  for (const double lean : {0.0, 20.0, 45.0})
    for (const bool rotor : {false, true}) {
      const double angle = lean * M_PI / 180;
      LinkSettings roll = rollOn("c", Vec3(0.1, 0.02, 0.05), 0.2, 1, 0.0);
      roll.axis = Vec3(std::sin(angle) * 0.6, std::cos(angle), std::sin(angle) * 0.8);
      if (rotor) roll = rollOver("r" + std::to_string(static_cast<int>(lean)), 1, 0.0);
      routes.push_back(
          {"wheel at " + std::to_string(static_cast<int>(lean)), [=](double) { return std::vector{roll}; }});
      if (lean > 0.0)
        routes.push_back(
            {"two wheels", [=](double) {
               return std::vector{rollOn("b", Vec3(-0.3, 0.1, 0.1), 0.1, -1, 0.0), roll, freeNode(Vec3(1.3, 0, 0))};
             }});
    }
  for (unsigned seed = 1; seed <= 2; ++seed)
    for (const auto& [name, inner] : routes) {
      Dice dice{seed};
      Description world = bodies(dice);
      world.bodies.emplace_back("c", rigid(1, Vec3(0.1, 0.2, 0.3), Vec3(1.0, 0.1, 0.9)));
      for (const double lean : {0.0, 20.0, 45.0}) {
        const double angle = lean * M_PI / 180;
        world.rotors.emplace_back("r" + std::to_string(static_cast<int>(lean)),
                                  wheelAt(Vec3(0.1, 0.02, 0.05), 0.2, 0.1, "c",
                                          Vec3(std::sin(angle) * 0.6, std::cos(angle), std::sin(angle) * 0.8)));
      }
      LinkSettings first = attachTo("a", Vec3(0.1, 0.2, 0.3)), last = attachTo("b", Vec3(0.2, -0.1, 0.1));
      first.hold = last.hold = EndHold::clamped;
      const Description d = smoothly([&](double way) {
        Description made = world;
        std::vector<LinkSettings> route = inner(way);
        route.insert(route.begin(), first);
        route.push_back(last);
        addStrand(made, "s", density, route).material.torsion = 0.8;
        return made;
      });
      Bench bench(d, "twist, " + name, seed);
      bench.rowsAreGradients();
      bench.forcesAtRestComeFromTheEnergy();
      Bench(d, "twist, " + name, seed, false, 0.0).twistIsCarriedBySmallCorners();
    }
}

TEST(StrandTable, HolesThatSlideAlongTheLine) {
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Dice dice{seed};
    Description d = bodies(dice);
    CableSettings& c = addStrand(d, "s", density,
                                 {attachTo("p"), tubeOn("a", {Vec3(-0.2, 0, 0), Vec3(0.3, 0.1, 0.1)}),
                                  through("b", Vec3(0.2, -0.1, 0.1)), attachTo("q")});
    c.sliding = true;
    c.nodes = 2;
    // Away from the pose the rows are those of a line that misses the hole: exact to the first order in the miss.
    Bench(d, "sliding", seed, false, 0.0).rowsAreGradients();
  }
}

TEST(StrandTable, LumpedMass) {
  Dice dice{1};
  Description d = bodies(dice);
  addStrand(d, "s", density,
            {attachTo("p"), freeNode(Vec3(-1, 0.1, -0.4)), attachTo("a", Vec3(0.1, 0.2, 0.3)), attachTo("q")})
      .lumped = true;
  Bench bench(d, "lumped", 1);
  bench.momentumAndMassComeFromTheEnergy();
  bench.rowsAreGradients();
}

}  // namespace
}  // namespace reeve::test
