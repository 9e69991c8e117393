// Every entry of every span row against finite differences of the row's error.
#include "cables/cable_scenes.h"
#include "reeve/geometry/collide.h"
#include "reeve/math/rotation.h"
#include "reeve/world/build.h"
#include "support/gauge.h"

namespace reeve::test {
namespace {

/// Central differences along every free coordinate at the increments `base` of a step. Returns how many rows there are.
/// What is left is rounding: metres times 2e-16 over twice the step, some 1e-9.
std::size_t expectGradient(const Model& model, const State& start, const Element& cable,
                           const std::vector<double>& base, const std::string& what, double tolerance = 1e-8) {
  Instant now;
  now.bind(model, start);
  now.rewind();
  const auto errors = [&](const std::vector<double>& u) {
    now.u = u;
    now.place(0.01, 0.01);
    now.evaluate();
    RowSet rows;
    cable.rows(now, rows);
    return rows;
  };
  const RowSet rows = errors(base);
  int checked = 0;
  for (std::size_t b = 0; b < model.blocks.size(); ++b) {
    const Block& block = model.blocks[b];
    if (!block.free) continue;
    for (int k = 0; k < block.dof; ++k) {
      const double step = 1e-6;
      const auto shifted = [&](double by) {
        std::vector<double> u = base;
        const std::size_t i = static_cast<std::size_t>(block.v);
        if (block.rotates && k >= 3) {
          const Vec3 theta(u[i + 3], u[i + 4], u[i + 5]);
          const Vec3 turn = leftJacobianInverse(theta) * Vec3(Vec3::Unit(k - 3) * by);
          for (int c = 0; c < 3; ++c) u[i + 3 + static_cast<std::size_t>(c)] += turn[c];
        } else {
          u[i + static_cast<std::size_t>(k)] += by;
        }
        return errors(u);
      };
      const RowSet plus = shifted(step), minus = shifted(-step);
      EXPECT_EQ(plus.rows.size(), rows.rows.size());
      if (plus.rows.size() != rows.rows.size() || minus.rows.size() != rows.rows.size()) return 0;
      for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        if (rows.rows[r].level != Level::position) continue;
        double entry = 0.0;
        for (int e = rows.rows[r].first; e < rows.rows[r].first + rows.rows[r].count; ++e)
          if (rows.entries[static_cast<std::size_t>(e)].block == static_cast<int>(b))
            entry += rows.entries[static_cast<std::size_t>(e)].j[k];
        EXPECT_NEAR(entry, (plus.rows[r].error - minus.rows[r].error) / (2 * step), tolerance)
            << what << " row " << r << " block " << b << " dof " << k;
        ++checked;
      }
    }
  }
  EXPECT_GT(checked, 0) << what;
  return rows.rows.size();
}

/// Small increments of everything, the same for the same seed.
std::vector<double> increments(const Model& model, unsigned seed, double size) {
  std::vector<double> base(static_cast<std::size_t>(model.velocities));
  for (double& x : base) {
    seed = seed * 1664525u + 1013904223u;
    x = size * (static_cast<double>(seed >> 8) / 16777216.0 - 0.5);
  }
  // The spin of a rotor relative to a parent that turns is a rate, not a function of the pose: where the parent has
  // turned out of its plane the row's error is path-dependent to first order, and only its gradient at the start is
  // defined.
  for (const Spin& spin : model.spins)
    for (int k = 3; k < 6; ++k)
      base[static_cast<std::size_t>(model.blocks[static_cast<std::size_t>(spin.parent)].v + k)] = 0.0;
  return base;
}

void expectExactRows(Description d, const std::string& what, unsigned seed = 1, double tolerance = 1e-8) {
  auto built = build(std::move(d));
  ASSERT_TRUE(built) << what << ": " << built.error().reason;
  const Model& model = (*built)->model;
  expectGradient(model, (*built)->start, *(*built)->cables[0], increments(model, seed, 0.1), what, tolerance);
}

Description twoBodies() {
  Description d = still(1.0 / 240);
  BodySettings a = rigid(1, Vec3(0.1, 0.2, 0.3), Vec3(0, 0, 0)), b = rigid(2, Vec3(0.3, 0.2, 0.4), Vec3(2, 0.1, 0.4));
  a.center = Vec3(0.05, 0.02, -0.03);
  b.center = Vec3(-0.04, 0.01, 0.06);
  b.orientation = Quat(0.9, 0.1, 0.3, -0.1).normalized();
  d.bodies.emplace_back("a", a);
  d.bodies.emplace_back("b", b);
  addMass(d, "p", 1.0, Vec3(-2, 0.3, -1));
  addMass(d, "q", 1.0, Vec3(4, -0.2, -1));
  return d;
}

TEST(SpanRow, AgreesWithFiniteDifferencesForEveryKindOfLink) {
  {
    Description d = twoBodies();
    addCable(
        d, "c",
        {attachTo("p"), attachTo("a", Vec3(0.1, 0.2, 0.3)), through("b", Vec3(0.2, -0.1, 0.1), 0.2), attachTo("q")});
    expectExactRows(d, "points");
  }
  for (const int side : {1, -1}) {
    Description d = twoBodies();
    addCable(d, "c",
             {attachTo("p"), rollOn("a", Vec3(0.1, 0, 0.05), 0.3, side), rollOn("b", Vec3(0, 0.1, 0), 0.2, 1),
              attachTo("q")});
    expectExactRows(d, "wheels fixed to bodies");
  }
  {
    Description d = twoBodies();
    d.rotors.emplace_back("ra", wheelAt(Vec3(0.1, 0, 0.05), 0.3, 0.1, "a"));
    d.rotors.emplace_back("rb", wheelAt(Vec3(0.0, 0.1, 0.05), 0.2, 0.1, "b", Vec3(0.2, 1, 0.1).normalized()));
    addCable(d, "c", {attachTo("p"), rollOver("ra", 1), rollOver("rb", -1), attachTo("q")});
    expectExactRows(d, "rotors");
  }
  {
    Description d = twoBodies();
    d.rotors.emplace_back("ra", wheelAt(Vec3(0.1, 0, 0.05), 0.3, 0.1, "a"));
    d.rotors.emplace_back("rb", wheelAt(Vec3(0.0, 0.1, 0.05), 0.2, 0.1, "b"));
    addCable(d, "c", {woundOn("ra", 1, 3.0), woundOn("rb", -1, 3.0, LinkType::hybrid)});
    expectExactRows(d, "spool and hybrid");
  }
  {
    Description d = twoBodies();
    d.bodies[0].second.shapes.push_back(box(Vec3(0.5, 0.4, 0.3)));
    LinkSettings l = rollOver("a", 1);
    l.shape = 0;
    l.axis = Vec3::UnitY();
    addCable(d, "c", {attachTo("p"), l, rollOver("rb", 1, 0.3), attachTo("q")});
    d.rotors.emplace_back("rb", wheelAt(Vec3(0.0, 0.1, 0.05), 0.2, 0.1, "b"));
    expectExactRows(d, "a polygon and a wheel with friction");
  }
  {
    Description d = twoBodies();
    LinkSettings tube = through("a");
    tube.type = LinkType::sheath;
    tube.path = {Vec3(-0.2, 0, 0), Vec3(0, 0.1, 0.3), Vec3(0.3, 0, 0.1)};
    addCable(d, "c", {attachTo("p"), tube, attachTo("q")}).compression = 0.5;
    expectExactRows(d, "sheath");
  }
}

TEST(StopRow, AgreesWithFiniteDifferencesAtAnEyeAndAtWheels) {
  for (const std::string kind : {"eye", "wheel", "rotor", "shape"}) {
    Description d = still(1.0 / 240);
    d.bodies.emplace_back("a", rigid(1, Vec3(0.1, 0.2, 0.3), Vec3(0.1, 0.05, -0.2)));
    d.bodies.emplace_back("b", rigid(2, Vec3(0.3, 0.2, 0.4), Vec3(0.3, 0.1, 0.4)));
    addMass(d, "q", 1.0, Vec3(2, 0, -1));
    LinkSettings link = through("b", Vec3(-0.3, -0.1, -0.37));
    Vec3 tip(-0.1, -0.05, 0.2);  // of the first link on its body: the origin of the world
    if (kind != "eye") {
      // The end stands a little off the rim, so that the tangent is short.
      link = rollOn("b", Vec3(-0.09, -0.1, -0.37), 0.2, 1);
      tip += Vec3(-0.0005, 0.001, -0.01);
    }
    if (kind == "rotor") {
      d.rotors.emplace_back("wheel", wheelAt(Vec3(-0.09, -0.1, -0.37), 0.2, 0.1, "b"));
      link = rollOver("wheel", 1);
    }
    if (kind == "shape") {
      ShapeSettings block = box(Vec3(0.4, 0.4, 0.4));
      block.position = Vec3(-0.09, -0.1, -0.37);
      d.bodies[1].second.shapes.push_back(block);
      link = rollOver("b", 1);
      link.shape = 0;
      link.point = block.position;
      link.axis = Vec3::UnitY();
    }
    addCable(d, "c", {attachTo("a", tip), link, attachTo("q")}).material.radius = 0.02;
    auto built = build(std::move(d));
    ASSERT_TRUE(built) << kind << ": " << built.error().reason;
    const Model& model = (*built)->model;
    State& start = (*built)->start;
    const Element& cable = *(*built)->cables[0];
    const std::size_t without = expectGradient(model, start, cable, increments(model, 3, 1e-3), kind + " alone");
    for (int i = 0; i < cable.layout().slots; ++i)
      start.force[static_cast<std::size_t>(cable.slot + i)] = -10.0;  // it pulls
    Instant now;
    now.bind(model, start);
    now.rewind();
    now.evaluate();
    Events events;
    cable.begin(now, {d.settings.dt, NoGauge{}, events}, start);
    const std::size_t with = expectGradient(model, start, cable, increments(model, 3, 1e-3), kind);
    EXPECT_EQ(with, without + 1) << kind;
  }
}

TEST(SpanRow, AgreesWithFiniteDifferencesWhereItBendsRoundACandidateOfAnyShape) {
  for (int seed = 0; seed < 60; ++seed) {
    Description d = still(1.0 / 240);
    BodySettings body = rigid(1, Vec3(0.1, 0.2, 0.3), Vec3(0, 0.03, 0));
    body.orientation = Quat(1.0, 0.3 * std::sin(seed), 0.4 * std::cos(2 * seed), 0.3 * std::sin(3 * seed)).normalized();
    ShapeSettings shape = seed % 3 == 0 ? sphere(0.2) : box(Vec3(0.3, 0.4, 0.5));
    if (seed % 3 == 2) shape = cylinderAlongY(0.2, 0.6);
    body.shapes.push_back(shape);
    d.bodies.emplace_back("body", body);
    addMass(d, "p", 1.0, Vec3(-2, 0, 5));
    addMass(d, "q", 1.0, Vec3(2, 0.1, 5));
    CableSettings& c = addCable(d, "c", {attachTo("p"), attachTo("q")});
    c.candidates = {"body"};
    c.material.radius = 0.01;
    auto built = build(d);
    ASSERT_TRUE(built) << built.error().reason;
    const Model& model = (*built)->model;
    State& start = (*built)->start;
    const Element& cable = *(*built)->cables[0];
    // The rope, three centimetres above the body, comes down on it.
    double gap = 1.0;
    for (int k = 0; k < 50 && std::fabs(gap) > 1e-6; ++k) {
      Instant at;
      at.bind(model, start);
      at.rewind();
      std::vector<Vec3> ends;
      for (std::size_t i = 0; i < model.blocks.size(); ++i)
        if (model.blocks[i].free && model.blocks[i].dof == 3) ends.push_back(at.position(static_cast<int>(i)));
      for (const Body& b : model.bodies)
        if (b.name == "body") gap = closest(ends[0], ends[1], b.shapes[0], at.pose(b.block)).gap - 0.03;
      for (const Block& b : model.blocks)
        if (b.free && b.dof == 3) {
          start.q[static_cast<std::size_t>(b.q + 2)] -= gap;
          start.v[static_cast<std::size_t>(b.v + 2)] = -10.0;
        }
    }
    Instant now;
    now.bind(model, start);
    now.rewind();
    now.evaluate();
    Events events;
    cable.begin(now, {d.settings.dt, NoGauge{}, events}, start);
    std::vector<double> base = increments(model, static_cast<unsigned>(seed) + 1, 1e-3);
    for (const Block& b : model.blocks)
      if (b.free && b.dof == 3) base[static_cast<std::size_t>(b.v + 2)] -= 0.12;
    // Not bent, the way would be a straight line and the body would not appear in the row.
    now.u = base;
    now.place(0.01, 0.01);
    now.evaluate();
    RowSet rows;
    cable.rows(now, rows);
    ASSERT_EQ(rows.rows.size(), 1u);
    double onBody = 0.0;
    for (const Entry& e : rows.entries)
      if (model.blocks[static_cast<std::size_t>(e.block)].rotates) onBody += std::fabs(e.j[2]);
    EXPECT_GT(onBody, 0.02) << seed;
    expectGradient(model, start, cable, base, "candidate " + std::to_string(seed));
  }
}

/// Circles in one plane have a closed form of their own: on rotors with either axis, on bodies, on one body both.
TEST(SpanRow, AgreesWithFiniteDifferencesForWheelsInOnePlane) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    Description d = still(1.0 / 240);
    d.bodies.emplace_back("a", rigid(1, Vec3(0.1, 0.2, 0.3), Vec3(0, 0, 0)));
    d.bodies.emplace_back("b", rigid(2, Vec3(0.3, 0.2, 0.4), Vec3(2, 0, 0.4)));
    addMass(d, "p", 1.0, Vec3(-2, 0, -1));
    addMass(d, "q", 1.0, Vec3(4, 0, -1));
    const int first = seed % 2 ? 1 : -1, second = seed % 3 ? 1 : -1;
    d.rotors.emplace_back("ra", wheelAt(Vec3(0.1, 0, 0.05), 0.3, 0.1, "a", Vec3(0, seed % 4 < 2 ? 1 : -1, 0)));
    d.rotors.emplace_back("rb", wheelAt(Vec3(0.0, 0, 0.05), 0.2, 0.1, seed % 5 ? "b" : "a", Vec3(0, 1, 0)));
    if (seed % 5 == 0) d.rotors.back().second.position = Vec3(1, 0, 0.2);
    if (seed % 7 < 4)
      addCable(d, "c", {attachTo("p"), rollOver("ra", first), rollOver("rb", second), attachTo("q")});
    else
      addCable(d, "c",
               {attachTo("p"), rollOn("a", Vec3(0.1, 0, 0.05), 0.3, first), rollOver("rb", second), attachTo("q")});
    auto built = build(std::move(d));
    ASSERT_TRUE(built) << seed << ": " << built.error().reason;
    const Model& model = (*built)->model;
    std::vector<double> base = increments(model, seed, 0.1);
    for (const Block& b : model.blocks) {
      if (b.dof < 3) continue;
      const std::size_t v = static_cast<std::size_t>(b.v);
      base[v + 1] = 0.0;
      if (b.rotates) base[v + 3] = base[v + 5] = 0.0, base[v + 4] = 0.03 * static_cast<double>(seed % 3);
    }
    expectGradient(model, (*built)->start, *(*built)->cables[0], base, "plane " + std::to_string(seed));
  }
}

TEST(SpanRow, AgreesWithFiniteDifferencesOnRandomSkewWheels) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    Description d = twoBodies();
    const double s = seed;
    d.rotors.emplace_back("ra", wheelAt(Vec3(0.1, 0, 0.05), 0.3, 0.1, "a",
                                        Vec3(0.3 * std::sin(s), 1, 0.3 * std::cos(3 * s)).normalized()));
    d.rotors.emplace_back("rb", wheelAt(Vec3(0.0, 0.1, 0.05), 0.2, 0.1, "b",
                                        Vec3(0.4 * std::cos(s), 1, 0.2 * std::sin(7 * s)).normalized()));
    addCable(d, "c",
             {attachTo("p"), rollOver("ra", seed % 2 ? 1 : -1), rollOver("rb", seed % 3 ? 1 : -1), attachTo("q")});
    expectExactRows(d, "seed " + std::to_string(seed), seed);
  }
}

}  // namespace
}  // namespace reeve::test
