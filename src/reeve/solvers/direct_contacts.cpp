// Contacts in the linear solves of `direct`: what they ask of an increment, a velocity or an acceleration, and Newton
// with a line search on their potential (contact_set.h).
#include <algorithm>
#include <cmath>

#include "reeve/solvers/direct.h"

namespace reeve {

namespace {
/// Newton iterations of the passes, which go on only while the line search hardly shortens them; and interior ones.
constexpr int mostPassIterations = 24, mostInteriorIterations = 100;
constexpr double tooFar = 0.02;
/// Iterations in which the friction bounds follow the loads at once, and interior ones in which they do.
constexpr int followingIterations = 6, followingInterior = 14;
/// κ stays above the product of impulse and gap of a motion that is this share of what is wrong.
constexpr double centralShare = 0.03;
/// Slope that the line search leaves, as a share of the one it starts with; and its trials.
constexpr double accepted = 0.5, sought = 0.1;
constexpr int mostTrials = 20;
/// m: a contact that is open by less takes part in velocity and acceleration solves.
constexpr double touchingGap = 1e-6;
/// m: what overlaps by more at the start of a step is pushed out without speed.
constexpr double pushedGap = 1e-5;
/// Approach speed of a hit, and slip that is no creep, as shares of what gravity adds in a step; m/s.
constexpr double hitShare = 0.01, slipShare = 0.01;
}  // namespace

void DirectSolver::writeRows(RowSet& rows, RowSet& touching) const {
  rows.clear();
  touching.clear();
  // Contacts are found anew for every step: their multipliers lie behind those of the model.
  for (const Element* e : elements_) e->rows(now_, e->slot >= model_->slots && e->layout().slots > 0 ? touching : rows);
}

void DirectSolver::placeContacts(const Scheme& s) {
  for (ContactTerm& c : contacts_.terms) {
    c.y[0] = touching_.rows[at(c.row)].error;
    for (int k = 1; k < 3; ++k) c.y[k] = rowRate(touching_, touching_.rows[at(c.row + k)], now_.moving(), now_.v) / s.k;
  }
  contacts_.start(touching_, force_, s.s2());
}

/// Where the slope along the step at hand has nearly vanished: it only grows, the potential being convex.
double DirectSolver::lineSearch(double slope) const {
  double d1 = 0.0, d2 = 0.0;
  for (std::size_t i = 0; i < change_.size(); ++i) d1 += change_[i] * base_[i], d2 += change_[i] * baseChange_[i];
  const auto at = [&](double a) { return d1 + a * d2 + contacts_.slope(a); };
  if (!(slope < 0.0)) return 1.0;
  double low = 0.0, high = 1.0, slopeLow = slope, slopeHigh = at(1.0);
  if (slopeHigh <= -accepted * slope) return 1.0;
  double a = 1.0;
  for (int trial = 0; trial < mostTrials; ++trial) {
    // Regula falsi, and bisection every third time: slopes have kinks.
    a = trial % 3 == 2 ? 0.5 * (low + high) : low - slopeLow * (high - low) / (slopeHigh - slopeLow);
    const double here = at(a);
    if (std::fabs(here) <= -sought * slope) break;
    if (here < 0.0)
      low = a, slopeLow = here;
    else
      high = a, slopeHigh = here;
  }
  return a;
}

/// The linear step from residual_ with what contacts add to the matrix now; and what it does to the residual without
/// contacts, which (A + JᵀDJ) dx − Jᵀdμ = −residual tells.
bool DirectSolver::contactStep(int set) {
  touch_.clear();
  contacts_.addPatches(*model_, touching_, touch_);
  system_.restore();
  system_.addPatches(set, touch_, 1.0);
  if (!system_.factor()) return false;
  system_.resolve(rows_, equations_, residual_, change_, multiplierChange_);
  ++report_.iterations;
  contacts_.setChange(*model_, touching_, change_);
  for (std::size_t i = 0; i < baseChange_.size(); ++i) baseChange_[i] = -residual_[i];
  contacts_.addForces(*model_, touching_, -1.0, ContactSet::Part::stiff, baseChange_);
  return true;
}

void DirectSolver::addContactStep(double a) {
  for (std::size_t i = 0; i < change_.size(); ++i) {
    sumChange_[i] += a * change_[i];
    base_[i] += a * baseChange_[i];
  }
  for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
    sumMultiplier_[r] += a * multiplierChange_[r];
    equations_[r].residual *= 1.0 - a;
  }
  contacts_.advance(a);
}

/// What is not in balance under the impulses as they are, as motion.
double DirectSolver::contactImbalance() {
  residual_ = base_;
  contacts_.addForces(*model_, touching_, -1.0, ContactSet::Part::impulse, residual_);
  return contacts_.motionOf(*model_, residual_);
}

bool DirectSolver::rowsHold() const {
  return std::all_of(equations_.begin(), equations_.end(), [](const auto& q) { return q.residual == 0.0; });
}

bool DirectSolver::contactPasses(int set, double enough) {
  contacts_.evaluate();
  bool feasible = rowsHold();
  int pass = 0;
  for (int it = 0; it < mostPassIterations; ++it) {
    if (contactImbalance() <= enough && feasible) {
      contacts_.nextPass(++pass);
      contacts_.evaluate();
      if (contactImbalance() <= enough) return true;
    }
    if (!contactStep(set)) return false;
    double slope = 0.0;
    for (std::size_t i = 0; i < change_.size(); ++i) slope += change_[i] * residual_[i];
    // Rows hold from the first step on, and along what keeps them the objective of the step is convex.
    const double a = feasible ? lineSearch(slope) : 1.0;
    feasible = true;
    addContactStep(a);
    contacts_.evaluate();
    if (a < tooFar) return false;
    if (pass == 0 && it < followingIterations) {
      contacts_.followLoad();
      contacts_.evaluate();
    }
  }
  return false;
}

bool DirectSolver::contactInterior(int set, double enough) {
  contacts_.startInterior(contacts_.motionOf(*model_, base_));
  double share = 0.3, wrong = enough;
  for (int it = 0; it < mostInteriorIterations; ++it) {
    const double kappa = std::max(share * contacts_.gapProduct(), contacts_.productOf(centralShare * wrong));
    contacts_.linearise(kappa);
    residual_ = base_;
    contacts_.addForces(*model_, touching_, -1.0, ContactSet::Part::wanted, residual_);
    if (!contactStep(set)) return false;
    const double a = contacts_.advanceInterior(it < followingInterior);
    addContactStep(a);
    share = a > 0.99 ? 0.01 : a > 0.9 ? 0.05 : a > 0.5 ? 0.2 : 0.6;
    const double error = contacts_.interiorError();
    wrong = contactImbalance();
    if (!std::isfinite(wrong)) return false;
    if (error > enough || wrong > enough) continue;
    contacts_.keepImpulses();
    return true;
  }
  return false;
}

bool DirectSolver::contactSolve(int set, double enough) {
  system_.keep();
  sumChange_.assign(change_.size(), 0.0);
  sumMultiplier_.assign(rows_.rows.size(), 0.0);
  base_ = residual_;
  bool solved = false;
  if (!contacts_.unknown()) {
    start_ = {residual_, equations_, contacts_.terms};
    solved = contactPasses(set, enough);
    if (!solved) {
      base_ = start_.residual;
      equations_ = start_.equations;
      contacts_.terms = start_.terms;
      std::fill(sumChange_.begin(), sumChange_.end(), 0.0);
      std::fill(sumMultiplier_.begin(), sumMultiplier_.end(), 0.0);
    }
  }
  if (!solved) solved = contactInterior(set, enough);
  change_ = sumChange_;
  multiplierChange_ = sumMultiplier_;
  return solved;
}

void DirectSolver::tellContacts(std::span<double> force, double scale, std::vector<Mode>& mode) const {
  for (const ContactTerm& c : contacts_.terms) {
    const bool slips = c.bound > 0.0 && c.p[1] * c.p[1] + c.p[2] * c.p[2] >= (1.0 - 1e-9) * c.bound * c.bound;
    for (int k = 0; k < 3; ++k) {
      const std::size_t slot = at(touching_.rows[at(c.row + k)].slot);
      if (!force.empty()) force[slot] = scale * c.p[k];
      if (k == 0)
        mode[slot] = c.p[0] > 0.0 ? Mode::free : Mode::lower;
      else
        mode[slot] = !slips ? Mode::free : c.p[k] < 0.0 ? Mode::lower : Mode::upper;
    }
  }
}

/// Contacts that are met at speed, or that part bodies which overlap: their velocities are found apart from the push.
bool DirectSolver::struckContacts() {
  const double least = std::max(touchSpeed, hitShare * now_.h * model_->description.settings.gravity.norm());
  bool any = false;
  for (const ContactTerm& c : contacts_.terms) {
    if (!(c.p[0] > 0.0)) continue;
    const Row& row = touching_.rows[at(c.row)];
    const bool pushed = row.ramp < -pushedGap;
    if (!pushed && (startMode_[at(row.slot)] == Mode::free ||
                    rowRate(touching_, row, model_->blocks, past_->v) - row.speed > -least))
      continue;
    any = true;
    for (int e = row.first; e < row.first + row.count; ++e)
      if (model_->blocks[at(touching_.entries[at(e)].block)].free) struck_.push_back(touching_.entries[at(e)].block);
  }
  return any;
}

/// Speed at which a gap that was open where the step began is closed, > 0: of its rate then and of the acceleration
/// that the history shows, v² = v₀² + 2 a gap. The step ends at the surface, so that no energy is lost or won by where
/// in the step it is met.
double DirectSolver::approachAt(const Row& row, const State& before, double h) const {
  const double speed = -rowRate(touching_, row, model_->blocks, before.v);
  if (!(speed > 0.0) || !(row.ramp > 0.0) || before.h != h) return speed;
  const double back = -rowRate(touching_, row, model_->blocks, before.u) / h,
               open = std::min(row.ramp, 2.0 * h * speed);
  return std::sqrt(std::max(speed * speed + 4.0 * (speed - back) / h * open, 0.0));
}

void DirectSolver::contactVelocities(const State& state, const State& before, double h, bool impact) {
  contacts_.take(*model_, rows_, touching_);
  if (contacts_.empty()) return;
  contacts_.start(touching_, state.force, impact ? h : 0.0);
  // What gravity alone adds in a step is not an impact worth bouncing.
  const double rest = 2.0 * h * model_->description.settings.gravity.norm();
  for (ContactTerm& c : contacts_.terms) {
    const Row& gap = touching_.rows[at(c.row)];
    c.used = c.used && (gap.error <= touchingGap || state.mode[at(gap.slot)] == Mode::free);
    // Free blocks only in the unknown: what others contribute to J v is known.
    for (int k = 0; k < 3; ++k) {
      const Row& row = touching_.rows[at(c.row + k)];
      c.y[k] = 0.0;
      for (int e = row.first; e < row.first + row.count; ++e) {
        const Entry& entry = touching_.entries[at(e)];
        const Block& b = model_->blocks[at(entry.block)];
        for (int i = 0; !b.free && i < b.dof; ++i) c.y[k] += entry.j[i] * state.v[at(b.v + i)];
      }
    }
    if (gap.restitution <= 0.0) continue;
    const double approach = approachAt(gap, before, h);
    if (approach > rest) c.y[0] -= gap.restitution * approach;
  }
}

void DirectSolver::contactAccelerations(const State& state, double h) {
  contacts_.take(*model_, rows_, touching_);
  if (contacts_.empty()) return;
  contacts_.start(touching_, state.force, 1.0);
  const double gravity = model_->description.settings.gravity.norm(),
               slip = std::max(touchSpeed, slipShare * h * gravity);
  const bool same =
      touchingPlus_.rows.size() == touching_.rows.size() && touchingMinus_.rows.size() == touching_.rows.size();
  for (ContactTerm& c : contacts_.terms) {
    const std::size_t r = at(c.row);
    double rate[3];
    for (std::size_t k = 0; k < 3; ++k) rate[k] = rowRate(touching_, touching_.rows[r + k], model_->blocks, state.v);
    const double error = touching_.rows[r].error;
    c.used = c.used && error <= touchingGap && rate[0] < slip;
    c.y[0] = same ? (touchingPlus_.rows[r].error - 2.0 * error + touchingMinus_.rows[r].error) / (h * h) : 0.0;
    c.y[1] = c.y[2] = 0.0;
    const double size = std::sqrt(rate[1] * rate[1] + rate[2] * rate[2]);
    c.slides = size > slip;
    if (!c.slides) continue;
    c.along[0] = -rate[1] / size;
    c.along[1] = -rate[2] / size;
  }
}

}  // namespace reeve
