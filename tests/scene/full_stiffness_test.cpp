// Elements write all of their stiffness (model/full_stiffness.h): against differences of the forces that their own rows
// make, at states of shipped scenes in motion, where nothing balances and no plane lies in another.
#include <algorithm>
#include <cmath>

#include "reeve/model/full_stiffness.h"
#include "reeve/scene/scene.h"
#include "scene_files.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

using Vector = Eigen::VectorXd;

/// An instant at a state, and one element's f + Jᵀλ and laws there.
class Probe {
 public:
  Probe(const Model& model, const State& state) : model_(model), state_(state) { now.bind(model, state); }

  void place(int v, double by) {
    now.rewind();
    if (v >= 0) now.u[static_cast<std::size_t>(v)] = by;
    now.prescribe(state_.time);
    now.place(state_.time, 0.0);
    now.v = state_.v;
    now.touch();
    now.evaluate();
  }
  Vector pull(const Element& e) {
    Forces forces;
    forces.force.assign(state_.v.size(), 0.0);
    e.forces(now, forces);
    rows.clear();
    e.rows(now, rows);
    Vector out = Eigen::Map<const Vector>(forces.force.data(), static_cast<Eigen::Index>(forces.force.size()));
    for (const Row& row : rows.rows) out += state_.force[static_cast<std::size_t>(row.slot)] * gradient(row);
    return out;
  }
  Vector gradient(const Row& row) const {
    Vector j = Vector::Zero(static_cast<Eigen::Index>(state_.v.size()));
    for (int i = row.first; i < row.first + row.count; ++i) {
      const Entry& entry = rows.entries[static_cast<std::size_t>(i)];
      const Block& b = model_.blocks[static_cast<std::size_t>(entry.block)];
      for (int k = 0; k < b.dof; ++k) j[b.v + k] += entry.j[k];
    }
    return j;
  }
  /// C + ελ of a row that gives way.
  double law(int slot) const {
    const auto it = std::ranges::find(rows.rows, slot, &Row::slot);
    return it == rows.rows.end() ? NAN : it->error + it->compliance * state_.force[static_cast<std::size_t>(slot)];
  }

  Instant now;
  RowSet rows;

 private:
  const Model& model_;
  const State& state_;
};

struct Seen {
  int elements = 0, written = 0;
  double worst = 0.0;  ///< share of the largest entry
};

/// One column of what an element wrote against a difference of fourth order.
void compareColumn(Probe& probe, const Element& e, int v, const FullStiffness& whole, const std::vector<int>& soft,
                   const std::vector<Vector>& laws, double scale, Seen& seen) {
  constexpr double nudge = 3e-5;
  Vector force = Vector::Zero(whole.k().rows()), errors = Vector::Zero(static_cast<Eigen::Index>(soft.size()));
  for (const auto& [by, weight] : {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
    probe.place(v, by * nudge);
    force += weight / (12.0 * nudge) * probe.pull(e);
    for (std::size_t i = 0; i < soft.size(); ++i)
      errors[static_cast<Eigen::Index>(i)] += weight / (12.0 * nudge) * probe.law(soft[i]);
  }
  for (const Block& b : probe.now.model().blocks)
    for (int r = b.v; b.free && r < b.v + b.dof; ++r)
      seen.worst = std::max(seen.worst, std::fabs(whole.k()(r, v) + force[r]) / scale);
  for (std::size_t i = 0; i < soft.size(); ++i)
    if (const double found = errors[static_cast<Eigen::Index>(i)]; std::isfinite(found))
      seen.worst = std::max(seen.worst, std::fabs(laws[i][v] - found));
}

void compareElement(const Model& model, const State& state, const Element& e, Seen& seen) {
  const auto* writes = dynamic_cast<const WritesFullStiffness*>(&e);
  Probe probe(model, state);
  probe.place(-1, 0.0);
  const Vector rest = probe.pull(e);
  if (probe.rows.rows.empty() && rest.isZero(0.0)) return;
  ++seen.elements;
  FullStiffness whole(probe.now);
  if (!writes || !writes->fullStiffness(probe.now, state.force, whole)) {
    EXPECT_TRUE(whole.k().isZero(0.0)) << e.name;
    return;
  }
  ++seen.written;
  std::vector<int> soft;
  std::vector<Vector> laws;
  for (const Row& row : probe.rows.rows)
    if (row.level == Level::position && row.compliance > 0.0) {
      soft.push_back(row.slot);
      laws.push_back(probe.gradient(row));
    }
  for (const FullStiffness::Law& law : whole.laws())
    for (std::size_t i = 0; i < soft.size(); ++i)
      if (soft[i] == law.slot) {
        const Block& b = model.blocks[static_cast<std::size_t>(law.block)];
        laws[i].segment(b.v, b.dof) += law.change.head(b.dof);
      }
  // A share of its forces: a torque of 1 N m that turns by 1 rad changes by that much.
  const double scale = std::max({whole.k().cwiseAbs().maxCoeff(), rest.cwiseAbs().maxCoeff(), 1e-6});
  for (const Block& b : model.blocks)
    for (int k = 0; b.free && k < b.dof; ++k) {
      Seen own;
      compareColumn(probe, e, b.v + k, whole, soft, laws, scale, own);
      if (own.worst > 1e-6) {
        EXPECT_LT(own.worst, 1e-6) << e.name << " by coordinate " << b.v + k;
        seen.worst = std::max(seen.worst, own.worst);
        return;
      }
      seen.worst = std::max(seen.worst, own.worst);
    }
}

class FullStiffnessOf : public testing::TestWithParam<const char*> {};

TEST_P(FullStiffnessOf, EveryElementIsTheChangeOfItsForceToAMillionth) {
  const std::string name = GetParam();
  auto d = readScene(fileText("scenes/" + name + ".json"), name);
  ASSERT_TRUE(d) << d.error().reason;
  d->settings.solver = SolverChoice::direct;
  World w = make(*d);
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(w.step().good);
  const State state = w.state();
  Seen seen;
  for (const auto& e : w.model().elements) compareElement(w.model(), state, *e, seen);
  EXPECT_GE(seen.written, 1) << "of " << seen.elements;
  RecordProperty("worst", std::to_string(seen.worst));
}

INSTANTIATE_TEST_SUITE_P(Shipped, FullStiffnessOf,
                         testing::Values("double-pendulum", "skew-wheels", "crane", "differential-hoist", "gear",
                                         "robot-arm", "newton-four-bar", "elastic-01", "stretch", "yo-yo", "bend",
                                         "twist", "links", "elevator", "winch", "tendon-finger", "gantry",
                                         "cable-robot", "sheath-heavy", "shackle-swivel", "chain-options"));

}  // namespace
}  // namespace reeve::test
