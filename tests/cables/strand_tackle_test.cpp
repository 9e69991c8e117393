// Tackles: wheels in one plane are worked out by themselves, and say what every span by itself says.
#include "cables/strand_scenes.h"
#include "reeve/cables/strand/strand_cable.h"
#include "reeve/world/build.h"
#include "support/dice.h"

namespace reeve::test {
namespace {

/// Sheaves of several sizes on the world and on two bodies, axles along and against the normal, passed on either side.
/// With a candidate far away nodes may come and go, and a strand takes every span by itself.
Description tackle(bool bySpan, unsigned seed) {
  Dice dice{seed};
  Description d = still(1.0 / 240);
  d.settings.gravity = Vec3(0.3, -0.4, -9.0);
  BodySettings a = rigid(3, Vec3(0.5, 0.4, 0.6), Vec3(1, 0, -2)), b = rigid(2, Vec3(0.3, 0.2, 0.4), Vec3(2.4, 0, -0.9));
  // In the xz-plane, turned about y, with centres of mass beside it.
  a.orientation = Quat(Eigen::AngleAxisd(0.3 * dice(), Vec3::UnitY()));
  b.orientation = Quat(Eigen::AngleAxisd(0.3 * dice(), Vec3::UnitY()));
  a.center = Vec3(0.05, 0.02, -0.03);
  b.center = Vec3(-0.04, -0.03, 0.06);
  d.bodies.emplace_back("a", a);
  d.bodies.emplace_back("b", b);
  addFixed(d, "far", Vec3(0, 50, 0)).shapes.push_back(sphere(0.5));
  addMass(d, "p", 1.0, Vec3(-0.6, 0, -2.5));
  addMass(d, "q", 1.0, Vec3(4, 0.3, -2));  // off the plane: the last span is skew
  std::vector<LinkSettings> route{attachTo("p")};
  struct Place {
    const char* on;
    double x, z;
  };
  const Place places[] = {{"world", 0, 0}, {"a", -0.3, 0.1},  {"world", 1, 0.1}, {"a", 0.4, -0.1},
                          {"b", -0.3, 0},  {"b", 0.3, -0.05}, {"a", 1.6, -0.2},  {"world", 3.2, 0}};
  int i = 0;
  for (const Place& p : places) {
    const std::string name = "w" + std::to_string(i);
    d.rotors.emplace_back(
        name, wheelAt(Vec3(p.x, 0, p.z), 0.08 + 0.03 * dice(), 0.01, p.on, Vec3(0, i % 3 == 1 ? -1 : 1, 0)));
    const bool behind = i % 4 == 2;  // seen from the other side
    LinkSettings l = rollOver(name, (i % 2 == 0) != behind ? 1 : -1);
    l.axis = Vec3(0, behind ? -1 : 1, 0);
    route.push_back(l);
    ++i;
  }
  route.push_back(attachTo("q"));
  CableSettings& rope = addStrand(d, "rope", 0.7, route);
  if (bySpan) rope.candidates = {"far"};
  return d;
}

/// All that a strand says in one state, by the coordinates of bodies and wheels.
struct Said {
  Eigen::VectorXd momentum, force, errors;
  Eigen::MatrixXd mass, rows, stiffness;
};

void spread(const Model& m, const PatchSet& patches, Eigen::MatrixXd& out) {
  for (const Patch& p : patches.patches) {
    const Block &a = m.blocks[at(p.a)], &b = m.blocks[at(p.b)];
    for (int r = 0; r < a.dof; ++r)
      for (int c = 0; c < b.dof; ++c) {
        out(a.v + r, b.v + c) += p.k(r, c);
        if (p.a != p.b) out(b.v + c, a.v + r) += p.k(r, c);
      }
  }
  for (const Column& p : patches.columns) {
    const Block &a = m.blocks[at(p.a)], &b = m.blocks[at(p.b)];
    for (int r = 0; r < a.dof; ++r) {
      out(a.v + r, b.v) += p.k[r];
      if (p.a != p.b) out(b.v, a.v + r) += p.k[r];
    }
  }
}

Said saidBy(const Description& d, unsigned seed, std::vector<double>* remembered = nullptr) {
  auto built = build(d);
  EXPECT_TRUE(built.has_value()) << (built ? "" : built.error().reason);
  const Model& m = (*built)->model;
  const auto& strand = static_cast<const StrandCable&>(*(*built)->cables.back());
  Instant now;
  now.bind(m, (*built)->start);
  now.rewind();
  Dice dice{seed};
  // Bodies by the dice in the plane, with any velocities; wheels turned a little.
  std::vector<double> u(now.u.size(), 0.0), v(now.v.size(), 0.0);
  int size = 0, last = 0;
  for (const Rotor& r : m.rotors) last = std::max(last, r.block);
  for (const Particle& q : m.particles) last = std::max(last, q.block);
  for (int i = 0; i <= last; ++i) {
    const Block& b = m.blocks[at(i)];
    if (!b.free) continue;
    size = std::max(size, b.v + b.dof);
    for (int k = 0; k < b.dof; ++k) {
      v[at(b.v + k)] = dice();
      const double step = 0.02 * dice();
      if (b.dof != 6 || k == 0 || k == 2 || k == 4) u[at(b.v + k)] = step;
    }
  }
  now.u = u;
  now.place(1.0 / 240, 1.0 / 240);
  now.v = v;
  now.touch();
  now.evaluate();
  Said said;
  std::vector<double> p(v.size(), 0.0);
  Forces f;
  f.force.assign(v.size(), 0.0);
  strand.momentum(now, p);
  strand.forces(now, f);
  said.momentum = Eigen::Map<Eigen::VectorXd>(p.data(), size);
  said.force = Eigen::Map<Eigen::VectorXd>(f.force.data(), size);
  const int all = static_cast<int>(v.size());
  Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(all, all), stiff = mass;
  PatchSet patches;
  strand.mass(now, patches);
  spread(m, patches, mass);
  patches.clear();
  std::vector<double> tension(at(m.slots), 0.0);
  for (int k = 0; k < 9; ++k) tension[at(strand.slot + k)] = -10.0 - k;
  strand.stiffness(now, tension, patches);
  spread(m, patches, stiff);
  said.mass = mass.topLeftCorner(size, size);
  said.stiffness = stiff.topLeftCorner(size, size);
  RowSet rows;
  strand.rows(now, rows);
  said.rows = Eigen::MatrixXd::Zero(9, size);
  said.errors = Eigen::VectorXd::Zero(9);
  for (int k = 0; k < 9; ++k) {
    const Row& row = rows.rows[at(k)];
    said.errors[k] = row.error;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& x = rows.entries[at(e)];
      const Block& b = m.blocks[at(x.block)];
      for (int j = 0; b.free && j < b.dof; ++j) said.rows(k, b.v + j) += x.j[j];
    }
  }
  if (remembered) {
    State state = (*built)->start;
    Events events;
    strand.finish(now, state, events);
    remembered->assign(state.memory.begin() + strand.memory, state.memory.begin() + strand.memory + 8 * 5 + 9);
  }
  return said;
}

// Of which sizes there are numbers of order ten; what a plane leaves out is of order 1e-9 at most, and here nothing.
TEST(StrandTackle, SaysWhatItsSpansSay) {
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u}) {
    std::vector<double> one, other;
    const Said a = saidBy(tackle(false, seed), seed, &one), b = saidBy(tackle(true, seed), seed, &other);
    ASSERT_EQ(a.mass.rows(), b.mass.rows());
    // They are worked out in different ways: only rounding is between them, but that is.
    EXPECT_GT((a.force - b.force).cwiseAbs().maxCoeff(), 0.0) << seed;
    EXPECT_GT(a.momentum.norm(), 1.0);
    EXPECT_GT(a.mass.norm(), 1.0);
    EXPECT_GT(a.stiffness.norm(), 10.0);
    EXPECT_LT((a.momentum - b.momentum).cwiseAbs().maxCoeff(), 1e-12) << seed;
    EXPECT_LT((a.force - b.force).cwiseAbs().maxCoeff(), 1e-11) << seed;
    EXPECT_LT((a.mass - b.mass).cwiseAbs().maxCoeff(), 1e-12) << seed;
    EXPECT_LT((a.stiffness - b.stiffness).cwiseAbs().maxCoeff(), 1e-10) << seed;
    EXPECT_LT((a.rows - b.rows).cwiseAbs().maxCoeff(), 1e-13) << seed;
    EXPECT_LT((a.errors - b.errors).cwiseAbs().maxCoeff(), 1e-13) << seed;
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_NEAR(one[i], other[i], 1e-13) << seed << " cell " << i;
  }
}

}  // namespace
}  // namespace reeve::test
