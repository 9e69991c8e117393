// Every entry of every span row against finite differences of the row's error.
#include "cables/cable_scenes.h"
#include "reeve/math/rotation.h"
#include "reeve/world/build.h"

namespace reeve::test {
namespace {

/// Central differences along every free coordinate at a pose some way from the start of the step.
void expectExactRows(Description d, const std::string& what, unsigned seed = 1, double tolerance = 1e-6) {
  auto built = build(std::move(d));
  ASSERT_TRUE(built) << what << ": " << built.error().reason;
  const Model& model = (*built)->model;
  State& start = (*built)->start;
  Instant now;
  now.bind(model, start);
  now.rewind();
  const Element& cable = *(*built)->cables[0];
  std::vector<double> base(start.v.size());
  for (double& x : base) {
    seed = seed * 1664525u + 1013904223u;
    x = 0.1 * (static_cast<double>(seed >> 8) / 16777216.0 - 0.5);
  }
  // The spin of a rotor relative to a parent that turns is a rate, not a function of the pose: where the parent has
  // turned out of its plane the row's error is path-dependent to first order, and only its gradient at the start is
  // defined.
  for (const Spin& spin : model.spins)
    for (int k = 3; k < 6; ++k)
      base[static_cast<std::size_t>(model.blocks[static_cast<std::size_t>(spin.parent)].v + k)] = 0.0;
  const auto errors = [&](const std::vector<double>& u) {
    now.u = u;
    now.place(0.01, 0.01);
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
      ASSERT_EQ(plus.rows.size(), rows.rows.size());
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
