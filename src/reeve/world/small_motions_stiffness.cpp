// Stiffness of small motions: what elements write of it, and differences of what the others do.
#include <algorithm>
#include <cmath>
#include <utility>

#include "reeve/model/full_stiffness.h"
#include "reeve/solvers/solver.h"
#include "reeve/world/small_motions.h"

namespace reeve {

namespace {

/// Positions are moved by one and two of this to see gradients change, m and rad: rounding over it is 1e-12, and a
/// difference of fourth order leaves out its fourth power.
constexpr double nudge = 3e-5;
/// Of the largest force of all, and m or rad: a row with less of both is about to hold, or to let go.
constexpr double onEdge = 1e-6;

const Row* rowWith(const RowSet& set, int slot) {
  const auto it = std::ranges::find(set.rows, slot, &Row::slot);
  return it == set.rows.end() ? nullptr : &*it;
}

}  // namespace

Dense SmallMotions::stiffness() {
  place(-1, 0.0);
  FullStiffness whole(now_);
  left_.clear();
  differenced_.clear();
  for (const Element* e : elements_) {
    const auto* writes = dynamic_cast<const WritesFullStiffness*>(e);
    if (!writes || e->layout().sheets > 0 || !writes->fullStiffness(now_, state_.force, whole)) left_.push_back(e);
  }
  Dense k = pick(whole.k());
  for (Soft& s : soft_) s.law = s.gradient;
  for (const FullStiffness::Law& law : whole.laws()) {
    int i = 0;
    Soft* soft = softOf(law.slot, i);
    const Block& b = model_.blocks[at(law.block)];
    const auto first = std::lower_bound(free_.begin(), free_.end(), b.v);
    if (!soft || first == free_.end() || *first != b.v) continue;
    for (int c = 0; c < b.dof; ++c) soft->law(i, static_cast<int>(first - free_.begin()) + c) += law.change[c];
  }
  addDifferences(k);
  for (const Soft& s : soft_)
    if (s.level == Level::position) k += s.gradient.transpose() * s.inverse * s.law;
  return k;
}

/// Of the rows of positions that give way, by the slot of one.
SmallMotions::Soft* SmallMotions::softOf(int slot, int& row) {
  for (Soft& s : soft_)
    for (std::size_t i = 0; i < s.rows.size(); ++i)
      if (s.level == Level::position && rows_.rows[at(s.rows[i])].slot == slot) {
        row = static_cast<int>(i);
        return &s;
      }
  return nullptr;
}

/// Of elements that could not write theirs; of those that do nothing here there is none.
void SmallMotions::addDifferences(Dense& k) {
  std::vector<const Element*> acting;
  for (const Element* e : left_) {
    moved_.clear();
    forces_.force.assign(state_.v.size(), 0.0);
    forces_.damping.clear();
    e->rows(now_, moved_);
    e->forces(now_, forces_);
    const bool pushes = std::ranges::any_of(forces_.force, [](double f) { return f != 0.0; });
    if (moved_.rows.empty() && !pushes) continue;
    acting.push_back(e);
    differenced_.push_back(e == elements_.back() && e->name.empty() ? "contacts" : e->name);
  }
  left_ = acting;
  if (left_.empty()) return;
  pull(-1, 0.0);
  struct Ours {
    Soft* soft;
    int row, slot;
  };
  std::vector<Ours> ours;
  for (const Row& r : moved_.rows) {
    int i = 0;
    if (Soft* soft = softOf(r.slot, i)) ours.push_back({soft, i, r.slot});
  }
  for (int i = 0; i < size(); ++i) {
    Eigen::VectorXd force = Eigen::VectorXd::Zero(size()), error = Eigen::VectorXd::Zero(static_cast<int>(ours.size()));
    for (const auto& [by, weight] : {std::pair{1.0, 8.0}, {-1.0, -8.0}, {2.0, -1.0}, {-2.0, 1.0}}) {
      force += weight * pull(i, by * nudge);
      for (std::size_t n = 0; n < ours.size(); ++n)
        if (const Row* r = rowWith(moved_, ours[n].slot))
          error[static_cast<int>(n)] += weight * (r->error + r->compliance * state_.force[at(r->slot)]);
    }
    k.col(i) -= force / (12.0 * nudge);
    for (std::size_t n = 0; n < ours.size(); ++n)
      ours[n].soft->law(ours[n].row, i) = error[static_cast<int>(n)] / (12.0 * nudge);
  }
}

/// f + Jᵀλ of those elements with one coordinate moved, λ as it is; -1: none.
Eigen::VectorXd SmallMotions::pull(int i, double by) {
  place(i < 0 ? -1 : free_[at(i)], by);
  moved_.clear();
  forces_.force.assign(state_.v.size(), 0.0);
  forces_.damping.clear();
  for (const Element* e : left_) {
    e->rows(seenBy(*e), moved_);
    e->forces(seenBy(*e), forces_);
  }
  for (const Row& row : moved_.rows) {
    const double force = state_.force[at(row.slot)];
    if (force == 0.0) continue;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = moved_.entries[at(e)];
      const Block& b = model_.blocks[at(entry.block)];
      for (int k = 0; k < b.dof; ++k) forces_.force[at(b.v + k)] += force * entry.j[k];
    }
  }
  Eigen::VectorXd sum(size());
  for (int k = 0; k < size(); ++k) sum[k] = forces_.force[at(free_[at(k)])];
  return sum;
}

/// A rope that is taut without load, a contact without, friction that is used up.
std::vector<std::string> SmallMotions::edges() const {
  double most = 0.0;
  for (const Row& row : rows_.rows) most = std::max(most, std::fabs(state_.force[at(row.slot)]));
  std::vector<std::string> out;
  const auto add = [&](int slot) {
    std::string name = rowName(slot);
    if (std::ranges::find(out, name) == out.end()) out.push_back(std::move(name));
  };
  for (const Row& row : rows_.rows) {
    if (!row.bounded()) continue;
    const double lower = lowerBound(row, state_.force), upper = upperBound(row, state_.force);
    const double force = state_.force[at(row.slot)], room = std::min(force - lower, upper - force);
    if (row.level == Level::position) {
      if (lower < upper && room <= onEdge * most && std::fabs(row.error) < onEdge) add(row.slot);
    } else if (lower < upper && room <= onEdge * (upper - lower)) {
      add(row.slot);
    }
  }
  return out;
}

std::vector<std::string> SmallMotions::condensed() const {
  std::vector<std::string> out;
  for (const Element* e : elements_)
    if (e->layout().sheets > 0) out.push_back(e->name);
  return out;
}

std::string SmallMotions::rowName(int slot) const {
  for (const Element* e : elements_)
    if (slot >= e->slot && (slot < e->slot + e->layout().slots || e == elements_.back()))
      return e->nameOf(ElementPart::row, slot - e->slot);
  return "a constraint";
}

}  // namespace reeve
