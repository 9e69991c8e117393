// Strands wound round many times, and on curves and surfaces of one's own.
#include "cables/strand_scenes.h"
#include "reeve/geometry/chart.h"

namespace reeve::test {
namespace {

/// A coil of `turns` on a body that spins across the coil's axis: ½ρL ω² (r²/2 + h²/12) for whole turns.
TEST(StrandTurns, ACoilHasTheKineticEnergyOfTheClosedForm) {
  const double r = 0.05, h = 0.8, rho = 0.3, rate = 3.0, inertia = 1e-3;
  for (const double turns : {1.0, 10.0, 100.0, 1000.0})
    for (const GuideShape shape : {GuideShape::cylinder, GuideShape::helix}) {
      Description d = still(1.0 / 1000);
      BodySettings body = rigid(0.01, Vec3(inertia, inertia, inertia));
      body.angularVelocity = Vec3(rate, 0, 0);
      d.bodies.emplace_back("post", body);
      const bool helix = shape == GuideShape::helix;
      const double angle = 2 * M_PI * turns;
      const auto end = [&](double share) {
        LinkSettings l =
            helix
                ? guideOn("post", shape, Vec3::Zero(), Vec3::UnitZ(), r, {angle * (share - 0.5)}, {}, false)
                : guideOn("post", shape, Vec3::Zero(), Vec3::UnitZ(), r, {angle * share, h * (share - 0.5)}, {}, false);
        if (helix) l.pitch = h / turns;
        return l;
      };
      addStrand(d, "wire", rho, {end(0), end(1)});
      World world = make(d);
      const double length = std::hypot(r * angle, h);
      const double coil = 0.5 * rho * length * rate * rate * (r * r / 2 + h * h / 12),
                   all = coil + 0.5 * inertia * rate * rate;
      EXPECT_NEAR(measure(world, "energy.kinetic"), all, 1e-12 * all) << turns;
      EXPECT_NEAR(measure(world, "cables.wire.length"), length, 1e-12 * length) << turns;
    }
}

/// Two loads on a strand that slides round a post many times: with M of everything that moves, x'' = (Δm g + ρ g (2x +
/// Δℓ))/M, so x = (Δm/2ρ + Δℓ/2) (cosh wt − 1), w² = 2ρg/M.
TEST(StrandTurns, LoadsOnBothEndsOfACoilMoveAsTheClosedForm) {
  const double r = 0.1, rho = 0.02, g = 10.0;
  for (const double turns : {1.0, 40.0, 100.0, 1000.0}) {
    Description d = heavy(1.0 / 1000, g);
    addMass(d, "left", 1.0, Vec3(-r, 0, -1));
    addMass(d, "right", 1.5, Vec3(r, 0, -1));
    const double angle = 2 * M_PI * turns + M_PI;
    // About y the angle runs from x to −z: from −x over the top to x and on.
    LinkSettings post = guideOn("world", GuideShape::circle, Vec3::Zero(), Vec3::UnitY(), r, {0}, {0});
    const auto placed = [&](double from, double to) {
      post.start = {from};
      post.end = {to};
      Description trial = d;
      addStrand(trial, "rope", rho, {attachTo("left"), post, attachTo("right")});
      return trial;
    };
    // Which way round depends on how the guide's x lies: one of the four quarters fits.
    std::optional<World> world;
    for (const double from : {0.0, M_PI, 0.5 * M_PI, -0.5 * M_PI})
      for (const double way : {1.0, -1.0}) {
        if (world) continue;
        auto built = World::build(placed(from, from + way * angle));
        if (built && std::fabs(built->read(*built->resolve("cables.rope.length")) - (2.0 + r * angle)) < 1e-9)
          world.emplace(std::move(*built));
      }
    ASSERT_TRUE(world) << turns;
    const double start = measure(*world, "energy.total"), mass = 2.5 + rho * (2.0 + r * angle);
    run(*world, 0.4);
    const double w = std::sqrt(2 * rho * g / mass), x = 0.5 * 0.5 / rho * (std::cosh(w * world->time()) - 1);
    EXPECT_NEAR(-1 - measure(*world, "particles.right.position.z"), x, 1e-6 * x) << turns;
    EXPECT_NEAR(measure(*world, "energy.total"), start, 1e-6 * measure(*world, "energy.kinetic")) << turns;
    EXPECT_NEAR(measure(*world, "cables.rope.length"), 2.0 + r * angle, 1e-9) << turns;
    EXPECT_EQ(measure(*world, "health.unconverged"), 0.0) << turns;
  }
}

/// A cone written in C++: its point at the origin, opening along z.
class Cone final : public Chart {
 public:
  explicit Cone(double half) : sine_(std::sin(half)), cosine_(std::cos(half)) {}
  int dimension() const override { return 2; }
  ChartPoint at(const Vec2& u) const override {
    const double c = std::cos(u.x()), s = std::sin(u.x());
    ChartPoint p;
    p.x = u.y() * Vec3(sine_ * c, sine_ * s, cosine_);
    p.du = {u.y() * sine_ * Vec3(-s, c, 0), Vec3(sine_ * c, sine_ * s, cosine_)};
    p.duu = {u.y() * sine_ * Vec3(-c, -s, 0), sine_ * Vec3(-s, c, 0), Vec3::Zero()};
    return p;
  }

 private:
  double sine_, cosine_;
};

/// A straight piece of strand from the point of a cone, whose end keeps to the cone, swings about the cone's axis:
/// small swings have w² = 3g/(2 l sin β).
TEST(StrandTurns, AStrandOnAConeOfOnesOwnSwingsAsTheClosedForm) {
  const double half = 0.5, l = 0.7, g = 10.0, w = std::sqrt(3 * g / (2 * l * std::sin(half)));
  for (const bool written : {false, true}) {
    Description d = heavy(1.0 / 2000, g);
    LinkSettings end;
    end.type = LinkType::guide;
    end.axis = Vec3::UnitY();
    end.friction = 0.0;
    end.flows = false;
    if (written) {
      end.guide = GuideShape::formula;
      end.formula = {"v*sin(" + std::to_string(half) + ")*cos(u)", "v*sin(" + std::to_string(half) + ")*sin(u)",
                     "v*cos(" + std::to_string(half) + ")"};
    } else {
      end.chart = std::make_shared<Cone>(half);
    }
    // Hanging down is where the frame's x and y put −z; a little beside it.
    double lowest = 0.0, down = 1e9;
    for (int k = 0; k < 4; ++k) {
      end.start = {k * M_PI / 2, l};
      Description trial = d;
      addStrand(trial, "wire", 0.2, {attachTo("world"), end});
      const double z = measure(make(trial), "cables.wire.spans.0.end.z");
      if (z < down) down = z, lowest = k * M_PI / 2;
    }
    EXPECT_NEAR(down, -l * std::sin(half), 1e-12);
    end.start = {lowest + 0.01, l};
    addStrand(d, "wire", 0.2, {attachTo("world"), end});
    World world = make(d);
    const auto side = [&] { return measure(world, "cables.wire.spans.0.end.x"); };
    const double away = side(), energy = measure(world, "energy.total");
    run(world, 1.3);
    EXPECT_NEAR(side() / away, std::cos(w * world.time()), 1e-3) << written;
    // On the cone, and as long as it is.
    EXPECT_NEAR(measure(world, "cables.wire.spans.0.end.y"), l * std::cos(half), 1e-9);
    EXPECT_NEAR(measure(world, "energy.total"), energy, 1e-3 * 0.2 * g * l * l * 0.5 * std::sin(half) * 0.5e-4);
  }
}

/// The same strand over a built-in cylinder and over one written as a formula.
TEST(StrandTurns, AFormulaOfACylinderDoesWhatTheCylinderDoes) {
  std::array<Vec3, 2> ends;
  for (const bool written : {false, true}) {
    Description d = heavy(1.0 / 1000);
    addMass(d, "load", 1.0, Vec3(0.1, 0.02, -1));
    LinkSettings post =
        guideOn("world", GuideShape::cylinder, Vec3::Zero(), Vec3::UnitY(), 0.1, {-1.5, 0}, {-0.2, 0.01});
    if (written) {
      post.guide = GuideShape::formula;
      post.radius.reset();
      post.formula = {"0.1*cos(u)", "0.1*sin(u)", "v"};
    }
    addStrand(d, "rope", 0.1, {attachTo("world", Vec3(-1, 0, 0.1)), post, attachTo("load")});
    World world = make(d);
    run(world, 0.3);
    ends[written ? 1 : 0] =
        Vec3(measure(world, "particles.load.position.x"), measure(world, "particles.load.position.y"),
             measure(world, "particles.load.position.z"));
  }
  EXPECT_LT((ends[0] - ends[1]).norm(), 1e-10);
}

TEST(StrandTurns, AHelicoidLosesNoEnergyAndWrongFormulasAreRefused) {
  const auto scene = [](std::vector<std::string> formula, std::vector<double> start) {
    Description d = heavy(1.0 / 4000);
    LinkSettings ring;
    ring.type = LinkType::guide;
    ring.guide = GuideShape::formula;
    ring.formula = std::move(formula);
    ring.start = std::move(start);
    ring.friction = 0.0;
    ring.flows = false;
    addStrand(d, "rope", 0.1, {attachTo("world", Vec3(0, 0, 0.5)), ring});
    return d;
  };
  World world = make(scene({"v*cos(u)", "v*sin(u)", "0.1*u"}, {0.3, 0.3}));
  const double energy = measure(world, "energy.total");
  double kinetic = 0.0, drift = 0.0;
  for (int k = 0; k < 20; ++k) {
    run(world, 0.02);
    kinetic = std::max(kinetic, measure(world, "energy.kinetic"));
    drift = std::max(drift, std::fabs(measure(world, "energy.total") - energy));
  }
  EXPECT_LT(drift, 1e-3 * kinetic);
  EXPECT_NEAR(measure(world, "cables.rope.spans.0.length"), std::hypot(0.3, 0.47), 1e-9);
  const auto refused = [&](std::vector<std::string> formula, std::vector<double> start) {
    const auto built = World::build(scene(std::move(formula), std::move(start)));
    return built ? std::string() : built.error().path + ": " + built.error().reason;
  };
  EXPECT_EQ(refused({"v*cos(u)", "v*sine(u)", "u"}, {0, 1}),
            "/cables/rope/route/1/formula/1: at character 3: 'sine' is not known");
  EXPECT_EQ(refused({"u", "u"}, {0}), "/cables/rope/route/1/formula: found 2 formulas for x, y and z");
  EXPECT_EQ(refused({"u", "log(u)", "0"}, {0}).substr(0, 72),
            "/cables/rope/route/1/formula: this guide cannot be used: it is not a fin");
  EXPECT_EQ(refused({"v*cos(u)", "v*sin(u)", "u"}, {0}),
            "/cables/rope/route/1/start: a surface has two parameters, and found 1");
}

/// Two weights of 1 and `mass` kg, 1 m below a post of 0.1 m round which a light strand goes half a turn and `turns`
/// more.
Description roundPost(int turns, double friction, double mass, bool stretches) {
  Description d = heavy(1.0 / 1000, 9.81);
  addMass(d, "a", 1.0, Vec3(-0.1, 0, -1));
  addMass(d, "b", mass, Vec3(0.1, 0, -1));
  LinkSettings post =
      guideOn("world", GuideShape::cylinder, Vec3::Zero(), Vec3::UnitY(), 0.1, {-M_PI, 0}, {2 * M_PI * turns, 0});
  post.friction = friction;
  CableSettings& rope = addStrand(d, "rope", 1e-5, {attachTo("a"), post, attachTo("b")});
  if (!stretches) return d;
  rope.material.axial = 1e5 * (1 + turns);  // all of it gives as much as a metre or two
  rope.material.damping = 0.01;
  return d;
}
constexpr int manyTurns[] = {0, 1, 3, 10, 50, 200, 1000};

TEST(StrandTurns, SlippingRoundAPostFollowsTheCapstanLawWithAnyNumberOfTurns) {
  for (const bool stretches : {false, true})
    for (const int turns : manyTurns) {
      // μφ = 1 with as many turns as there are: a = g (m − e)/(m + e).
      World world = make(roundPost(turns, 1.0 / (M_PI * (2 * turns + 1)), 5.0, stretches));
      const double start = measure(world, "energy.total");
      run(world, 0.3);
      const double e = std::exp(1.0), v = -0.3 * 9.81 * (5 - e) / (5 + e);
      // The first pull of one that stretches comes with the load's fall by mg/k, and its friction later than that.
      EXPECT_NEAR(measure(world, "particles.b.velocity.z"), v, (stretches ? 0.05 : 2e-3) * -v) << turns;
      EXPECT_EQ(measure(world, "health.unconverged"), 0.0) << turns;
      EXPECT_LT(measure(world, "energy.total"), start) << turns;
    }
}

TEST(StrandTurns, WhatSticksRoundAPostHangsFromItsOwnSpanWithAnyNumberOfTurns) {
  for (const bool stretches : {false, true})
    for (const int turns : manyTurns) {
      if (turns < 3) continue;  // e^(0.15 φ) > 20 from there on
      World world = make(roundPost(turns, 0.15, 20.0, stretches));
      run(world, 1.0);
      // mg l/EA, l = 1 m; what is on the post adds less than the law lets a pull reach into it, r/μ.
      const double stretch = stretches ? 20 * 9.81 / (1e5 * (1 + turns)) : 0.0;
      const double z = -1.0 - measure(world, "particles.b.position.z");
      EXPECT_GT(z, 0.99 * stretch - 1e-6) << turns;
      EXPECT_LT(z, stretch * (1 + 0.1 / 0.15) + 1e-4) << turns;
      EXPECT_EQ(measure(world, "health.unconverged"), 0.0) << turns;
    }
}

}  // namespace
}  // namespace reeve::test
