#include "reeve/solvers/direct/linear_motion.h"

#include <algorithm>
#include <cmath>

namespace reeve {

namespace {
/// Looks that a solve may take, without and with cones; whole steps before passes, and before rows change one by one.
constexpr int mostSolves = 60, mostConeSolves = 160, wholeLooks = 6, wholeModes = 12;
/// Of cones: share of what they may give way by that passes settle to; and what must do after so many looks. Speeds
/// that are left in a heap open contacts, which then close with them: more of them kept a heap at rest astir for ever.
constexpr double closely = 1e-3, roughly = 0.1;
constexpr int closeLooks = 40;
/// A row at its bound that asks for no more than this is content, m/s or m/s².
constexpr double contentRate = 1e-11;

/// Adds scale · k (rows of a, columns of b) x and its transpose to what is free.
template <class At>
void addProduct(const Block& a, const Block& b, bool same, At&& k, std::span<const double> x, double scale,
                std::span<double> out) {
  for (int r = 0; r < a.dof; ++r)
    for (int c = 0; c < b.dof; ++c) {
      if (a.free) out[at(a.v + r)] += scale * k(r, c) * x[at(b.v + c)];
      if (b.free && !same) out[at(b.v + c)] += scale * k(r, c) * x[at(a.v + r)];
    }
}
}  // namespace

void LinearMotion::prepare(const Task& task, std::size_t coordinates) {
  for (auto* v : {&rhs, &x, &residual_, &correction_.change}) v->assign(coordinates, 0.0);
  rotations.resize(task.blocks().size(), Mat3::Zero());
}

void LinearMotion::begin(const Trial& trial, std::size_t slots) {
  multiplier.assign(slots, 0.0);
  rows.assign(trial.rows.rows.size(), MotionRow{});
}

Bounds LinearMotion::bounds(const Row& row, std::size_t r) const {
  const MotionRow& m = rows[r];
  return {m.lower + (row.lowerSlot < 0 ? 0.0 : row.lowerGain * multiplier[at(row.lowerSlot)]),
          m.upper + (row.upperSlot < 0 ? 0.0 : row.upperGain * multiplier[at(row.upperSlot)])};
}

void LinearMotion::addMass(const Task& task, const PatchSet& mass, std::span<const double> v, double scale,
                           std::span<double> out) {
  for (const Patch& p : mass.patches)
    addProduct(
        task.blocks()[at(p.a)], task.blocks()[at(p.b)], p.a == p.b, [&](int r, int c) { return p.k(r, c); }, v, scale,
        out);
  for (const Column& p : mass.columns)
    addProduct(
        task.blocks()[at(p.a)], task.blocks()[at(p.b)], p.a == p.b, [&](int r, int) { return p.k[r]; }, v, scale, out);
}

void LinearMotion::setLooseAside(const Task& task, const Trial& trial, const State& state, double scale) {
  const std::span<const Block> blocks = task.blocks();
  const std::vector<Row>& all = trial.rows.rows;
  loose.assign(blocks.size(), Loose::no);
  bool any = false;
  for (std::size_t i = 0; i < loose.size(); ++i)
    if (blocks[i].massless) any = true, loose[i] = Loose::rests;
  if (!any) return;
  // What has mass from the cable it is of is no such thing.
  for (const Patch& p : trial.mass.patches)
    if (p.a == p.b && p.k(0, 0) > blocks[at(p.a)].mass) loose[at(p.a)] = Loose::no;
  const auto isLoose = [&](const Entry& e) { return loose[at(e.block)] != Loose::no; };
  const auto each = [&](const Row& row, auto&& visit) {
    for (int e = row.first; e < row.first + row.count; ++e) visit(trial.rows.entries[at(e)]);
  };
  for (std::size_t r = 0; r < all.size(); ++r)
    if (rows[r].used && all[r].level == Level::position)
      each(all[r], [&](const Entry& e) { loose[at(e.block)] = Loose::no; });
  for (std::size_t r = 0; r < all.size(); ++r) {
    if (all[r].level != Level::velocity) continue;
    bool aside = false;
    each(all[r], [&](const Entry& e) { aside = aside || isLoose(e); });
    if (!aside) continue;
    rows[r].used = false;
    multiplier[at(all[r].slot)] = scale * state.force[at(all[r].slot)];
  }
  for (std::size_t i = 0; i < loose.size(); ++i)
    for (int k = 0; loose[i] != Loose::no && k < blocks[i].dof; ++k) rhs[at(blocks[i].v + k)] = 0.0;
  for (const Row& row : all)
    each(row, [&](const Entry& e) {
      const Block& b = blocks[at(e.block)];
      for (int k = 0; isLoose(e) && k < b.dof; ++k) rhs[at(b.v + k)] -= e.j[k] * multiplier[at(row.slot)];
      if (isLoose(e) && state.force[at(row.slot)] != 0.0) loose[at(e.block)] = Loose::pulled;
    });
}

void LinearMotion::startCones(Trial& trial, std::span<const double> force, double scale) {
  trial.findCones();
  for (const Cone& c : trial.cones.all())
    for (int k = 0; k < 3; ++k) {
      const std::size_t slot = at(trial.rows.rows[at(c.row + k)].slot);
      multiplier[slot] = rows[at(c.row)].used ? scale * force[slot] : 0.0;
    }
}

/// What the cones are asked at x; `fresh`: a solve begins.
void LinearMotion::layCones(const Task& task, Trial& trial, const RowSystem& system, double limit, bool fresh) {
  const RowSet& all = trial.rows;
  for (Cone& c : trial.cones.all()) {
    const std::size_t r = at(c.row);
    const auto mobility = [&](std::size_t k) { return system.mobility(all, all.rows[k]); };
    c.mobility = mobility(r);
    c.mobilityFriction = std::max(mobility(r + 1), mobility(r + 2));
    c.soft = all.rows[r].softness * c.mobility;
    c.softFriction = all.rows[r + 1].softness * c.mobilityFriction;
  }
  if (fresh) trial.cones.begin(all, multiplier, 1.0, limit);
  for (Cone& c : trial.cones.all()) {
    const std::size_t r = at(c.row);
    for (std::size_t k = 0; k < 3; ++k) c.y[k] = rowRate(all, all.rows[r + k], task.blocks(), x) - rows[r + k].target;
    if (!fresh) continue;
    c.used = rows[r].used;
    c.pinned = rows[r + 1].pinned || rows[r + 2].pinned;
    if (!c.pinned) continue;
    double slip[2];
    for (std::size_t k = 0; k < 2; ++k)
      slip[k] = rowRate(all, all.rows[r + 1 + k], task.blocks(), trial.now.v) - all.rows[r + 1 + k].speed;
    const double size = std::sqrt(slip[0] * slip[0] + slip[1] * slip[1]);
    for (int k = 0; k < 2; ++k) c.along[k] = slip[k] / size;
  }
}

/// The cones at x, and their stiffness; true if passes have settled and with them the solve.
bool LinearMotion::answerCones(const Task& task, Trial& trial, const RowSystem& system, double limit, int look,
                               bool quiet) {
  Cones& cones = trial.cones;
  const bool fresh = look == 0;
  pressed_.clear();
  if (cones.empty()) return false;
  layCones(task, trial, system, limit, fresh);
  bool enough = false;
  cones.respond(!fresh && !cones.searches());
  if (cones.searches()) {
    enough = cones.pass(moved_, (look < closeLooks ? closely : roughly) * limit) && quiet;
  } else if (look == wholeLooks || (fresh && cones.many())) {
    if (!fresh) std::fill(x.begin(), x.end(), 0.0);
    layCones(task, trial, system, limit, fresh);
    cones.beginPasses();
    cones.respond(false);
  }
  cones.write(trial.rows, 1.0, multiplier, trial.mode);
  if (enough && !cones.tighten(limit)) return true;
  cones.stiffness(trial.rows, task.blocks(), pressed_);
  return false;
}

/// residual = M x − JᵀΛ − rhs.
void LinearMotion::balance(const Task& task, const Trial& trial) {
  for (std::size_t i = 0; i < residual_.size(); ++i) residual_[i] = -rhs[i];
  for (std::size_t i = 0; i < task.blocks().size(); ++i) {
    const Block& b = task.blocks()[i];
    if (!b.free) {  // what a strand lays on a body that does not move is no equation
      for (int k = 0; k < b.dof; ++k) residual_[at(b.v + k)] = 0.0;
      continue;
    }
    const int linear = b.rotates ? 3 : b.dof;
    for (int k = 0; k < linear; ++k) residual_[at(b.v + k)] += b.mass * x[at(b.v + k)];
    if (!b.rotates) continue;
    const Vec3 l = rotations[i] * triple(x, b.v + 3);
    for (int k = 0; k < 3; ++k) residual_[at(b.v + 3 + k)] += l[k];
  }
  addMass(task, trial.mass, x, 1.0, residual_);
  trial.applyRows(multiplier, -1.0, residual_);
}

/// What the rows ask of the next solve; whether its matrix is symmetric.
bool LinearMotion::formEquations(const Task& task, const Trial& trial, const RowSystem& system) {
  bool symmetric = true;
  equations_.assign(trial.held().rows.size(), RowEquation{});
  for (std::size_t r = 0; r < equations_.size(); ++r) {
    const Row& row = trial.rows.rows[r];
    if (!rows[r].used) {
      equations_[r].holds = false;
      continue;
    }
    equations_[r] = equationOf(
        row, trial.mode[at(row.slot)], bounds(row, r), rowRate(trial.rows, row, task.blocks(), x) - rows[r].target,
        rows[r].compliance + row.softness * system.mobility(trial.rows, row), multiplier, 1.0, system);
    symmetric = symmetric && equations_[r].coupled < 0;
  }
  return symmetric;
}

/// One linear solve; moves x and the multipliers by it.
bool LinearMotion::correct(const Task& task, Trial& trial, RowSystem& system) {
  const PatchSet* sets[] = {&none_, &none_, &trial.mass, &pressed_};
  system.prepare(trial.held(), sets);
  balance(task, trial);
  system.begin(formEquations(task, trial, system));
  system.addInertia(rotations);
  system.addPatches(2, trial.mass, 1.0);
  system.addPatches(3, pressed_, 1.0);
  system.addRows(trial.held(), equations_);
  correction_.multiplierChange.resize(equations_.size());
  if (!system.solve(trial.held(), equations_, residual_, correction_.change, correction_.multiplierChange))
    return false;
  double share = 1.0;
  if (!trial.cones.empty())
    share = trial.cones.length(trial.rows, task.blocks(), correction_.change,
                               slopeAlong(trial, residual_, equations_, correction_));
  largest_ = moved_ = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += share * correction_.change[i];
    largest_ = std::max(largest_, std::fabs(x[i]));
    moved_ = std::max(moved_, std::fabs(correction_.change[i]));
  }
  for (std::size_t r = 0; r < equations_.size(); ++r)
    multiplier[at(trial.rows.rows[r].slot)] += share * correction_.multiplierChange[r];
  return true;
}

/// The active set; how many rows changed their mode. `single`: no more than one may.
int LinearMotion::switchModes(const Task& task, Trial& trial, bool single) {
  int changes = 0;
  for (std::size_t r = 0; r < equations_.size(); ++r) {
    const Row& row = trial.rows.rows[r];
    if (!rows[r].used || rows[r].pinned || !row.bounded()) continue;
    Mode& mode = trial.mode[at(row.slot)];
    double& force = multiplier[at(row.slot)];
    const Bounds limits = bounds(row, r);
    Mode wish = mode;
    if (limits.closed()) {
      wish = mode = Mode::free;
      force = limits.lower;
    } else if (mode == Mode::free) {
      wish = wishHolding(force, limits, task.negligible);
    } else {
      const double g = rowRate(trial.rows, row, task.blocks(), x) - rows[r].target + equations_[r].compliance * force;
      if (askAtBound(mode, limits, g) > contentRate) wish = Mode::free;
    }
    if (wish != mode && (!single || changes == 0)) {
      mode = wish;
      ++changes;
    }
    putToBound(row, mode, limits, force);
  }
  return changes;
}

bool LinearMotion::solve(const Task& task, Trial& trial, RowSystem& system, double limit) {
  std::fill(x.begin(), x.end(), 0.0);
  // The solve writes free blocks only; what else is in it is old.
  std::fill(correction_.change.begin(), correction_.change.end(), 0.0);
  // What the free blocks would do without rows is the scale of rounding where rows hold them back, or nearly do.
  double scale = 0.0;
  for (const Block& b : task.blocks())
    for (int k = 0; b.free && !b.massless && b.mass > 0.0 && k < (b.rotates ? 3 : b.dof); ++k)
      scale = std::max(scale, std::fabs(rhs[at(b.v + k)]) / b.mass);
  trial.findCones();
  moved_ = 0.0;
  bool quiet = false;  // no row changes its mode
  for (int look = 0; look < (trial.cones.empty() ? mostSolves : mostConeSolves); ++look) {
    if (task.model->interrupted()) return false;
    if (answerCones(task, trial, system, limit, look, quiet)) return true;
    const double before = moved_;
    if (!correct(task, trial, system)) return false;
    quiet = switchModes(task, trial, look > wholeModes) == 0;
    if (!std::isfinite(moved_)) return false;
    const double largest = std::max(largest_, scale);
    // It only stirs in its rounding, which ten thousand wheels in a row amplify.
    const bool stirs = look > 0 && moved_ <= 1e-9 * largest && moved_ > 0.1 * before;
    if (!quiet || (moved_ > 1e-12 * largest && !stirs)) continue;
    if (trial.cones.empty()) return true;
    if (trial.cones.searches()) continue;
    layCones(task, trial, system, limit, false);
    const double follows = trial.cones.respond(true);
    trial.cones.write(trial.rows, 1.0, multiplier, trial.mode);
    if (follows <= 1e-9 * largest && !trial.cones.tighten(limit)) return true;
  }
  return false;
}

}  // namespace reeve
