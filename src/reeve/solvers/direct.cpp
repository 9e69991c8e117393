#include "reeve/solvers/direct.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"
#include "reeve/solvers/account.h"

namespace reeve {

namespace {

/// A gyroscopic part larger than this makes the matrix worth factorising as unsymmetric.
constexpr double worthwhileSkewness = 0.02;
/// Gap, m, below which a row counts as touching at the start of a step.
constexpr double touching = 1e-9;
/// A row at its bound may be open by this share of Newton's tolerance before it holds again.
constexpr double slackShare = 0.01;
/// A drive whose speed changes by more than this share of it, and by this many times what it changed in the step
/// before, starts or stops abruptly.
constexpr double abruptShare = 0.1, abruptGrowth = 10.0;
/// A correction that changes no acceleration by more than this share of gravity is one of rounding.
constexpr double weightlessShare = 1e-7;
/// What would change accelerations by no more than this share of gravity, and positions by this share of the tolerance,
/// is not moved: less than a slack row may be open, or rows at the edge would follow what is left.
constexpr double unmovedWeight = 2e-8, unmovedShare = 0.5 * slackShare;
/// Share of the largest force by which forces may change then: the solution for them has not been refined.
constexpr double steadyPull = 1e-6;
/// Iterations after which contacts that still change their mind are sorted out together.
constexpr int patience = 7;
/// A correction of more than so many tolerances is followed by one that is no rounding.
constexpr double farShare = 1e6;
/// A correction by the last factor is taken if it is at most this share of the correction before.
constexpr double chordShare = 0.01;
/// Of cones: tolerances they may sink by; iterations, in caps; whole steps before passes.
constexpr double sinkShare = 1e3, closeShare = 0.1, metShare = 10.0;
constexpr int coneCap = 4, wholeSteps = 5;
/// m/s or rad/s: less than this is never abrupt.
constexpr double abruptSpeed = 1e-5;

}  // namespace

void DirectSolver::evaluate(const Scheme& s, bool follow) {
  now_.place(past_->time + (resting_ ? 0.0 : s.h), s.h);
  setVelocities(s, now_);
  now_.trial = force_;
  now_.evaluate();
  rows_.clear();
  for (const Element* e : elements_) e->rows(now_, rows_);
  dampHolding(rows_, now_);
  rate_.resize(rows_.rows.size());
  soft_.assign(rows_.rows.size(), 0.0);
  bends_ = false;
  for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
    const Row& row = rows_.rows[r];
    rate_[r] = asksForRate(row) ? rowRate(rows_, row, now_.moving(), now_.v) : 0.0;
    bends_ = bends_ || row.errorDependsOnForce;
    if (row.softness > 0.0) soft_[r] = row.softness * system_.mobility(rows_, row);
  }
  split(rows_);
  if (!cones_.empty()) askCones(s, follow);
}

/// By how much a row that sits at its bound asks to hold, m or rad; unbounded if that bound is gone.
double DirectSolver::asks(std::size_t r, const Scheme& s) const {
  const Row& row = rows_.rows[r];
  const double force = force_[at(row.slot)];
  const RowResidual q = rowResidual(row, rate_[r], s.k, s.s2());
  const double g = q.value + (q.compliance + soft_[r]) * s.s2() * force;
  if (mode_[at(row.slot)] == Mode::lower) return lowerBound(row, force_) == -unbounded ? unbounded : -g;
  return upperBound(row, force_) == unbounded ? unbounded : g;
}

int DirectSolver::updateModes(const Scheme& s, int iteration) {
  wishes_.clear();
  bool leaving = false, waking = false;
  for (std::size_t r = 0; r < held().rows.size(); ++r) {
    const Row& row = rows_.rows[r];
    if (!row.bounded()) continue;
    Mode& mode = mode_[at(row.slot)];
    double& force = force_[at(row.slot)];
    const double lower = lowerBound(row, force_), upper = upperBound(row, force_);
    if (lower >= upper) {
      // Friction under no load: nothing now, and it sticks when the load comes. Unless the load comes and goes from one
      // iteration to the next because it sticks: then it slides.
      const bool wavers = iteration >= patience;
      const double none = wavers ? std::min(lower, std::max(upper, 0.0)) : lower;
      if (!wavers)
        mode = Mode::free;
      else if (force != none)
        mode = force > none ? Mode::upper : Mode::lower;
      force = none;
    } else if (mode == Mode::free) {
      Mode wish = mode;
      if (force < lower - 1e-9 * std::fabs(lower) - negligible_) wish = Mode::lower;
      if (force > upper + 1e-9 * std::fabs(upper) + negligible_) wish = Mode::upper;
      if (wish == mode) continue;
      wishes_.push_back({static_cast<int>(r), wish});
      leaving = true;
    } else {
      const double asked = asks(r, s);
      const bool holds = asked > slackShare * tolerance_;
      // What just touches, or is just taut, may be wanted too: see below.
      const bool touches = row.level == Level::position && asked > -touching && flips_[at(row.slot)] == 0;
      if (holds || touches) wishes_.push_back({static_cast<int>(r), Mode::free, !holds});
      waking = waking || (holds && row.level == Level::position);
      if (mode == Mode::lower && row.lowerGain == 0.0) force = lower;
      if (mode == Mode::upper && row.upperGain == 0.0) force = upper;
    }
  }
  if (wishes_.empty()) return 0;
  // Where one row begins to hold, all that just touch do: else a pull would wake one span an iteration.
  if (!waking) std::erase_if(wishes_, [](const Wish& wish) { return wish.touches; });
  if (leaving) forgive(s);
  const bool single = iteration > 12;  // one at a time cannot cycle
  // Where elements carry mass one row that holds too much bends many others: it would be let go and caught again for
  // ever. The one that has changed least gives way.
  if (single && model_->hasElementMass)
    std::swap(wishes_.front(), *std::min_element(wishes_.begin(), wishes_.end(), [&](const Wish& a, const Wish& b) {
                return flips_[at(rows_.rows[at(a.row)].slot)] < flips_[at(rows_.rows[at(b.row)].slot)];
              }));
  int changes = 0;
  for (const Wish& wish : wishes_) {
    const Row& row = rows_.rows[at(wish.row)];
    if (single && changes > 0) break;
    mode_[at(row.slot)] = wish.mode;
    ++changes;
    if (flips_[at(row.slot)] < 255) ++flips_[at(row.slot)];
    if (wish.mode == Mode::lower && row.lowerGain == 0.0) force_[at(row.slot)] = lowerBound(row, force_);
    if (wish.mode == Mode::upper && row.upperGain == 0.0) force_[at(row.slot)] = upperBound(row, force_);
  }
  return changes;
}

/// Rows beyond their bounds by forces that all together move nothing they hold by more than a slack row may be open
/// stay as they are: a taut rope without load is at the edge to within rounding, in every step anew, and to follow the
/// rounding would cost iterations and add noise. A row that changes its mind again and again may stay with more, up to
/// what Newton's tolerance allows a position to be wrong.
void DirectSolver::forgive(const Scheme& s) {
  const auto eachPlace = [&](const Row& row, auto&& visit) {
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = rows_.entries[at(e)];
      const Block& b = model_->blocks[at(entry.block)];
      for (int k = 0; b.free && k < b.dof; ++k)
        visit(at(b.v + k), entry.j[k], b.rotates && k >= 3 ? b.inertia_B.trace() / 3.0 : b.mass);
    }
  };
  wrong_.assign(now_.v.size(), 0.0);
  for (const Wish& wish : wishes_) {
    if (wish.mode == Mode::free) continue;
    const Row& row = rows_.rows[at(wish.row)];
    const double bound = wish.mode == Mode::lower ? lowerBound(row, force_) : upperBound(row, force_);
    const double beyond = s.s2() * (force_[at(row.slot)] - bound);
    eachPlace(row, [&](std::size_t i, double j, double mass) { wrong_[i] += j * beyond / mass; });
  }
  std::erase_if(wishes_, [&](const Wish& wish) {
    if (wish.mode == Mode::free) return false;
    const Row& row = rows_.rows[at(wish.row)];
    const int flips = flips_[at(row.slot)];
    const double allowed = slackShare * tolerance_ * (flips < 2 ? 1.0 : flips < 4 ? 10.0 : 100.0);
    double moves = 0.0;
    eachPlace(row, [&](std::size_t i, double j, double) { moves = std::max(moves, std::fabs(j * wrong_[i])); });
    return moves > 0.0 && moves < allowed;
  });
}

/// (p − p̂ − c (f + Jᵀλ))/k of every free coordinate.
void DirectSolver::balance(const Scheme& s) {
  const double s2 = s.s2();
  const Vec3& gravity = model_->description.settings.gravity;
  std::fill(forces_.force.begin(), forces_.force.end(), 0.0);
  forces_.damping.clear();
  for (const Element* e : elements_) e->forces(now_, forces_);
  if (model_->hasElementMass) carriedMomentum(now_, carried_);
  spin_.hat(s, now_, *past_, pHat_);
  inertiaResidual(s, now_, pHat_, carried_, residual_);
  for (std::size_t i = 0; i < residual_.size(); ++i) residual_[i] -= s2 * forces_.force[i];
  for (const int block : now_.moving().weighing) {
    const Block& b = model_->blocks[at(block)];
    for (int k = 0; k < 3; ++k) residual_[at(b.v + k)] -= s2 * b.mass * gravity[k];
  }
  applyRows(force_, -s2, residual_);
}

void DirectSolver::fillEquation(std::size_t r, const RowResidual& w, Mode mode, double s2) {
  const Row& row = rows_.rows[r];
  RowEquation& q = equations_[r];
  q.compliance = w.compliance + soft_[r];
  if (row.bounded() && lowerBound(row, force_) >= upperBound(row, force_)) {
    q.holds = false;
    return;
  }
  if (mode == Mode::free) {
    q.residual = w.value + q.compliance * s2 * force_[at(row.slot)];
    return;
  }
  q.holds = false;
  const int slot = mode == Mode::lower ? row.lowerSlot : row.upperSlot;
  q.gain = mode == Mode::lower ? row.lowerGain : row.upperGain;
  if (slot < 0 || q.gain == 0.0) return;
  q.coupled = system_.rowOfSlot(slot);
  if (q.coupled < 0) return;
  const double bound = mode == Mode::lower ? lowerBound(row, force_) : upperBound(row, force_);
  q.residual = s2 * (force_[at(row.slot)] - bound);
}

/// What the rows ask of the next linear solve. False if some row holds that did not, or the other way round.
bool DirectSolver::formEquations(const Scheme& s) {
  const double s2 = s.s2();
  bool same = equations_.size() == held().rows.size();
  equations_.resize(held().rows.size());
  for (std::size_t r = 0; r < equations_.size(); ++r) {
    const Row& row = rows_.rows[r];
    RowEquation& q = equations_[r];
    const RowResidual w = rowResidual(row, rate_[r], s.k, s2);
    const Mode mode = row.bounded() ? mode_[at(row.slot)] : Mode::free;
    const bool held = q.holds;
    const int followed = q.coupled;
    q = RowEquation{};
    fillEquation(r, w, mode, s2);
    same = same && q.holds == held && q.coupled == followed;
  }
  return same;
}

void DirectSolver::linearise(const Scheme& s) {
  const double s2 = s.s2();
  stiffness_.clear();
  mass_.clear();
  for (const Element* e : elements_) e->stiffness(now_, force_, stiffness_);
  for (const ElementMass* m : model_->masses) m->mass(now_, mass_);
  balance(s);
  pressed_.clear();
  cones_.stiffness(rows_, model_->blocks, pressed_);
  const PatchSet* sets[] = {&stiffness_, &forces_.damping, &mass_, &pressed_};
  system_.prepare(held(), sets);

  skewness_ = 0.0;
  for (const int block : now_.moving().turning)
    rotations_[at(block)] = rotationTangent(s, now_, block, worldInertia(now_, block), pHat_, skewness_);
  everyParent(*model_, [&](int parent, std::span<const Spin> spins) {
    if (!model_->blocks[at(parent)].free) return;
    const Mat3 turn = -skew(now_.rotation(parent) * spinSum(spins, pHat_)) * (1.0 / s.k);
    rotations_[at(parent)] += turn;
    skewness_ = std::max(skewness_,
                         2.0 * turn.cwiseAbs().maxCoeff() / model_->blocks[at(parent)].inertia_B.diagonal().maxCoeff());
  });
  symmetric_ = skewness_ < worthwhileSkewness;
  if (symmetric_)
    for (const int block : now_.moving().turning) {
      Mat3& m = rotations_[at(block)];
      m = (0.5 * (m + m.transpose())).eval();
    }

  formEquations(s);
  for (const RowEquation& q : equations_) symmetric_ = symmetric_ && (q.holds || q.coupled < 0);
  system_.begin(symmetric_);
  system_.addInertia(rotations_);
  system_.addPatches(0, stiffness_, s2);
  system_.addPatches(1, forces_.damping, s.c);
  system_.addPatches(2, mass_, 1.0);
  system_.addPatches(3, pressed_, 1.0);
  system_.addRows(held(), equations_);
  for (const Cross& cross : rows_.crosses) {
    if (!equations_[at(cross.a)].holds || !equations_[at(cross.b)].holds) continue;
    system_.addCross(cross, cross.compliance / (s2 * (1.0 + rows_.rows[at(cross.a)].damping * s.k)));
  }
}

void DirectSolver::applyRows(std::span<const double> multiplier, double scale, std::span<double> out) const {
  for (const Row& row : rows_.rows) {
    const double f = scale * multiplier[at(row.slot)];
    if (f == 0.0) continue;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = rows_.entries[at(e)];
      const Moving::Place& b = now_.moving().place[at(entry.block)];
      if (!b.free) continue;
      double* x = out.data() + b.v;
      if (b.dof == 6)
        for (int k = 0; k < 6; ++k) x[k] += f * entry.j[k];
      else if (b.dof == 1)
        x[0] += f * entry.j[0];
      else
        for (int k = 0; k < b.dof; ++k) x[k] += f * entry.j[k];
    }
  }
}

/// Nothing is moved by a correction that small, m or rad.
double DirectSolver::unmoved(const Scheme& s) const {
  return std::min(unmovedShare * tolerance_, unmovedWeight * s.s2() * model_->description.settings.gravity.norm());
}

bool DirectSolver::correct(const Scheme& s, double enough) {
  multiplierChange_.resize(held().rows.size());
  if (!system_.factor()) return false;
  moved_ = system_.resolve(held(), equations_, residual_, change_, multiplierChange_, enough, unmoved(s));
  if (!(moved_ <= unmoved(s))) report_.residual = system_.backwardError();
  return true;
}

/// A correction by the factor of the one before, where rows and modes are as they were: that costs a third. False if it
/// is not much smaller than the last one.
bool DirectSolver::chord(const Scheme& s, double last) {
  // A force that changes its own row has a tangent of its own at every trial.
  if (bends_ || !cones_.steady() || !system_.matches(held())) return false;
  balance(s);
  if (!formEquations(s)) return false;
  moved_ = system_.resolve(held(), equations_, residual_, change_, multiplierChange_, RowSystem::coarsely, unmoved(s));
  // Mass between blocks changes with every trial: there it may only be the last correction.
  return moved_ < chordShare * last && (!model_->hasElementMass || moved_ * moved_ < tolerance_ * last);
}

/// Whether the trial is the step as it stands, with forces and all: no row is open, all of them together, and no
/// coordinate out of balance by more than what is not worth moving. What rests, or moves under steady forces, needs no
/// matrix. A balance that is out by less goes into the momentum, and tells once it has added up.
bool DirectSolver::balanced(const Scheme& s) {
  if (model_->hasElementMass || bends_ || !cones_.empty()) return false;
  const double limit = unmoved(s);
  double open = 0.0;
  for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
    const Row& row = rows_.rows[r];
    const double force = force_[at(row.slot)];
    if (row.bounded() && mode_[at(row.slot)] != Mode::free) {
      const bool low = mode_[at(row.slot)] == Mode::lower;
      if ((low ? row.lowerGain : row.upperGain) != 0.0) return false;
      continue;
    }
    const RowResidual w = rowResidual(row, rate_[r], s.k, s.s2());
    open += std::fabs(w.value + (w.compliance + soft_[r]) * s.s2() * force);
    if (!(open <= limit)) return false;
  }
  balance(s);
  const std::vector<double>& mass = now_.moving().mass;
  for (const Moving::Run& run : now_.moving().plain)
    for (std::size_t i = at(run.v); i < at(run.v + run.count); ++i)
      if (!(std::fabs(residual_[i]) <= limit * mass[i])) return false;
  for (const int block : now_.moving().turning) {
    // No principal moment is smaller than det I/(½ tr I)².
    const Mat3& inertia = model_->blocks[at(block)].inertia_B;
    const double half = 0.5 * inertia.trace(), least = inertia.determinant() / (half * half);
    if (!(triple(residual_, model_->blocks[at(block)].v + 3).norm() <= limit * least)) return false;
  }
  return true;
}

/// Whether the trial is as good as the step: the correction would move nothing by more than rounding does. Then only the
/// forces take it, which asks for no new evaluation; what is left of the balance goes into the momentum (see accept()).
bool DirectSolver::stays(const Scheme& s) {
  if (bends_ || !cones_.empty() || !(moved_ <= unmoved(s))) return false;
  double most = 0.0, change = 0.0;
  for (std::size_t r = 0; r < rows_.rows.size(); ++r) {
    most = std::max(most, std::fabs(force_[at(rows_.rows[r].slot)]));
    change = std::max(change, std::fabs(multiplierChange_[r]));
  }
  if (!(change <= steadyPull * s.s2() * most)) return false;
  for (std::size_t r = 0; r < rows_.rows.size(); ++r)
    force_[at(rows_.rows[r].slot)] += multiplierChange_[r] / s.s2();
  return true;
}

/// Moves by the correction, and notes how large it is. False if it is not finite.
bool DirectSolver::take(const Scheme& s, double share) {
  double scale = share, largest = 0.0;
  for (const int block : now_.moving().turning) {
    const int v = model_->blocks[at(block)].v + 3;
    largest = std::max(largest, Vec3(change_[at(v)], change_[at(v + 1)], change_[at(v + 2)]).norm());
  }
  // A turn of more than a radian is beyond what the linearisation knows.
  if (largest * scale > 1.0) scale = 1.0 / largest;
  move(s, scale);
  double most = 0.0, change = 0.0;
  watched_ = true;
  for (std::size_t r = 0; r < held().rows.size(); ++r) {
    const double force = force_[at(rows_.rows[r].slot)], d = scale * multiplierChange_[r] / s.s2();
    most = std::max(most, std::fabs(force));
    change = std::max(change, std::fabs(d));
    if (rows_.rows[r].errorDependsOnForce)
      watched_ = watched_ && (std::fabs(d) <= 1e-9 * std::fabs(force) ||
                              std::fabs(d) * rows_.rows[r].compliance <= 10.0 * tolerance_);
  }
  pulled_ = most > 0.0 ? change / most : 0.0;
  return std::isfinite(moved_) && std::isfinite(pulled_);
}

/// Adds so many times the correction to the unknowns.
void DirectSolver::move(const Scheme& s, double times) {
  for (const Moving::Run& run : now_.moving().plain)
    for (int i = run.v; i < run.v + run.count; ++i) now_.u[at(i)] += times * change_[at(i)];
  for (const int block : now_.moving().turning) {
    const Block& b = model_->blocks[at(block)];
    const Vec3 phi(change_[at(b.v + 3)], change_[at(b.v + 4)], change_[at(b.v + 5)]);
    const Vec3 theta(now_.u[at(b.v + 3)], now_.u[at(b.v + 4)], now_.u[at(b.v + 5)]);
    const Vec3 turn = leftJacobianInverse(theta) * phi * times;
    for (int k = 0; k < 3; ++k) now_.u[at(b.v + 3 + k)] += turn[k];
  }
  for (std::size_t r = 0; r < held().rows.size(); ++r)
    force_[at(rows_.rows[r].slot)] += times * multiplierChange_[r] / s.s2();
}

/// The share by which corrections shrink if they shrink steadily along one line, as they do where a stiffness that is
/// negative has been left out; 0 otherwise.
double DirectSolver::steadyShare(double last) {
  double dot = 0.0, before = 0.0, now = 0.0;
  for (std::size_t i = 0; i < change_.size(); ++i) {
    dot += change_[i] * lastChange_[i];
    before += lastChange_[i] * lastChange_[i];
    now += change_[i] * change_[i];
  }
  const double share = before > 0.0 ? dot / before : 0.0;
  const bool parallel = dot > 0.0 && dot * dot > 0.99 * before * now;
  return parallel && share > 0.1 && share < 0.95 && std::fabs(share - last) < 0.1 * share ? share : 0.0;
}

/// Where a step begins to look: at the start of it, moved on as it went before.
void DirectSolver::predict(const Scheme& s) {
  lastChange_.reserve(past_->v.size());  // few steps come to need it
  startMomentum(s, *past_, pHat_);
  now_.bind(*model_, *past_);
  now_.q = past_->q;
  now_.v = past_->v;
  now_.prescribe(past_->time + (resting_ ? 0.0 : s.h));
  force_ = past_->force;
  mode_ = past_->mode;
  startMode_ = past_->mode;
  flips_.assign(mode_.size(), 0);
  std::fill(now_.u.begin(), now_.u.end(), 0.0);
  for (const Moving::Run& run : now_.moving().free)
    for (std::size_t i = at(run.v); i < at(run.v + run.count); ++i)
      now_.u[i] = s.second ? 2.0 * s.h * past_->v[i] - past_->u[i] : s.h * past_->v[i];
  startU_ = now_.u;
}

bool DirectSolver::newton(const Scheme& s) {
  predict(s);
  double lastMoved = 0.0, lastPulled = 0.0, ratioBefore = 0.0;
  bool settled = false;
  int stirring = 0;
  // Corrections so small that neither positions nor, as accelerations, forces are wrong by anything that counts. Taken
  // alone the forces tell less: over a thousand falls of a tackle they magnify the rounding of the positions.
  const double negligible =
      std::max(1e-3 * tolerance_,
               std::min(0.1 * tolerance_, weightlessShare * s.s2() * model_->description.settings.gravity.norm()));
  bool untangled = false;
  fresh_ = true;
  sinks_ = sinkShare * tolerance_;
  for (int it = 0; it <= (cones_.empty() ? cap_ : coneCap * cap_); ++it) {
    if (model_->interrupted()) return false;
    evaluate(s, it > 0 && !cones_.searches());
    if (cones_.searches() && it > 0) {
      // Rows that hold next to nothing in place have forces that are wrong by more than the places are.
      const bool rough = held().rows.empty() || it > 2 * cap_;
      const bool enough = cones_.pass(moved_, rough ? closeShare * sinks_ : tolerance_);
      cones_.write(rows_, s.s2(), force_, mode_);
      settled = enough && !cones_.tighten(sinks_);
    } else if (!cones_.empty() &&
               ((it >= wholeSteps && (it > 2 * wholeSteps || !cones_.steady() || follows_ > tolerance_)) ||
                (it == 0 && cones_.many()))) {
      if (it > 0) {
        now_.u = startU_;
        evaluate(s, false);
      }
      cones_.beginPasses();
      askCones(s, false);
    }
    undecided_ = updateModes(s, it);
    if (it == 0) spin_.find(*model_, rows_, mode_, force_, *past_);
    if (!untangled && it >= patience && undecided_ > 0 && tangled()) {
      // Back to where the step began to look, and from there with the contacts sorted out.
      untangled = true;
      now_.u = startU_;
      force_ = past_->force;
      mode_ = past_->mode;
      evaluate(s);
      if (untangle(s)) {
        flips_.assign(mode_.size(), 0);
        undecided_ = 1;
        it = 0;
      }
    }
    if (undecided_ == 0 && cones_.empty() && (settled || balanced(s))) {
      report_.iterations += it == 0 ? 1 : 0;  // to look is one
      return true;
    }
    if (settled && undecided_ == 0) {
      if (cones_.searches() || (follows_ <= tolerance_ && !cones_.tighten(sinks_))) return true;
      if (follows_ <= tolerance_) askCones(s, false);
      settled = false;
    }
    if (it == (cones_.empty() ? cap_ : coneCap * cap_)) break;
    // What moves far is corrected again, and what hardly moves is not wrong by a share of it: the last digit of the
    // first corrections would be wasted.
    const bool first = it == 0 || lastMoved > farShare * tolerance_;
    const bool whole = it == 0 || undecided_ > 0 || !chord(s, lastMoved);
    if (whole) {
      linearise(s);
      if (!correct(s, first ? RowSystem::roughly : RowSystem::exactly)) return false;
    }
    ++report_.iterations;
    if (undecided_ == 0 && stays(s)) {
      undecided_ = updateModes(s, it);
      if (undecided_ == 0) return true;
      settled = false;
      continue;
    }
    if (!take(s, whole && !cones_.empty() ? coneStep() : 1.0)) return false;
    // Converged when the next correction, as the last two foretell it, is below the tolerance.
    const double ratio = it > 0 && lastMoved > 0.0 ? std::min(moved_ / lastMoved, 1.0) : 1.0;
    const double ratioForce = it > 0 && lastPulled > 0.0 ? std::min(pulled_ / lastPulled, 1.0) : 1.0;
    settled = moved_ * ratio < tolerance_ && watched_ && (pulled_ * ratioForce < 1e-9 || moved_ < negligible);
    if (rows_.rows.empty() && moved_ * ratio < tolerance_) settled = true;
    // Nothing moves any more, and the forces only stir in the rounding of the positions: a thousand falls amplify it.
    stirring = moved_ < tolerance_ && pulled_ < 1e-3 && it > 1 && pulled_ > 0.1 * lastPulled ? stirring + 1 : 0;
    if (stirring >= 2) settled = true;
    lastMoved = moved_;
    lastPulled = pulled_;
    if (it == 0) continue;
    // Corrections that shrink steadily are summed up at once.
    const double share =
        it > 1 && lastMoved > 0.0 && undecided_ == 0 && cones_.empty() ? steadyShare(ratioBefore) : 0.0;
    if (!settled && share > 0.0) {
      move(s, share / (1.0 - share));
      lastMoved = lastPulled = 0.0;
    }
    ratioBefore = ratio;
    lastChange_ = change_;
  }
  return false;
}

/// A drive that held makes its row change speed at once: not by a ramp, and not as it did the step before.
bool DirectSolver::driven(const Row& row) const {
  if (row.level != Level::velocity || row.compliance > 0.0 || row.lowerSlot >= 0 || row.upperSlot >= 0) return false;
  if (row.lower >= row.upper) return false;  // a given force keeps no speed
  if (row.bounded() && startMode_[at(row.slot)] != Mode::free) return false;
  const double was = rowRate(rows_, row, model_->blocks, past_->v), h = now_.h;
  const double before = 2.0 * (was - rowRate(rows_, row, model_->blocks, past_->u) / h);
  return std::fabs(row.speed - was) > abruptShare * std::max(std::fabs(row.speed), std::fabs(was)) +
                                          abruptGrowth * std::fabs(before) + 2.0 * h * std::fabs(row.ramp) +
                                          abruptSpeed;
}

void DirectSolver::strike(const Row& row) {
  for (int e = row.first; e < row.first + row.count; ++e)
    if (model_->blocks[at(rows_.entries[at(e)].block)].free) struck_.push_back(rows_.entries[at(e)].block);
}

bool DirectSolver::jumped() {
  const double met = cones_.empty() ? 0.0 : metShare * sinks_ / now_.h;  // m/s: what cones do not notice
  const auto taut = [&](const Row& row) {
    if (row.softness > 0.0 && rowRate(rows_, row, model_->blocks, past_->v) > -met) return false;
    return row.level == Level::position && row.bounded() && mode_[at(row.slot)] == Mode::free &&
           startMode_[at(row.slot)] != Mode::free && comesTaut(rows_, row, model_->blocks, past_->v);
  };
  for (const Row& row : rows_.rows)
    if (driven(row) || taut(row)) strike(row);
  return !struck_.empty();
}

void DirectSolver::accept(const Scheme& s, State& state, Events& events) {
  state.force = force_;
  state.mode = mode_;
  if (!resting_) {
    book(doingsOf(rows_, elements_, now_, force_), s.second, s.h, state.accounts);
    if (!s.second) bookCatches(rows_, *model_, force_, past_->v, now_.v, s.h, state.accounts);
  }
  for (const Element* e : elements_) e->finish(now_, state, events);
  state.pOld = state.p;
  state.q = now_.q;
  state.v = now_.v;
  state.u = now_.u;
  state.time = now_.time;
  // What Newton's tolerance left over goes into the momentum, so that the impulses of a step balance to rounding. Light
  // coordinates have none to speak of: it would fling them about as soon as nothing holds them.
  balance(s);
  momentum(now_, carried_, state.p);
  if (now_.moving().massless) {
    for (const Block& b : model_->blocks)
      for (int k = 0; b.massless && k < b.dof; ++k) residual_[at(b.v + k)] = 0.0;
  }
  for (const Moving::Run& run : now_.moving().free)
    for (int i = run.v; i < run.v + run.count; ++i) state.p[at(i)] -= s.k * residual_[at(i)];
  everyParent(*model_, [&](int parent, std::span<const Spin> spins) {
    const Block& b = model_->blocks[at(parent)];
    if (!b.free) return;
    const Vec3 left = now_.rotation(parent) * spinSum(spins, residual_) * s.k;
    for (int k = 0; k < 3; ++k) state.p[at(b.v + 3 + k)] -= left[k];
  });
  restLoose(state);
}

/// Material between slack spans does not go on sliding for ever.
void DirectSolver::restLoose(State& state) {
  if (!now_.moving().massless) return;
  loose_.assign(model_->blocks.size(), 1);
  for (const Row& row : rows_.rows)
    for (int e = row.first; e < row.first + row.count; ++e)
      if (row.level == Level::position && force_[at(row.slot)] != 0.0) loose_[at(rows_.entries[at(e)].block)] = 0;
  for (std::size_t i = 0; i < loose_.size(); ++i) {
    const Block& b = model_->blocks[i];
    for (int k = 0; b.massless && loose_[i] != 0 && k < b.dof; ++k)
      state.v[at(b.v + k)] = state.u[at(b.v + k)] = state.p[at(b.v + k)] = state.pOld[at(b.v + k)] = 0.0;
  }
}

bool DirectSolver::needsProjection(const State& state) {
  rowsAt(state, 0.0, rows_);
  for (const Row& row : rows_.rows) {
    if (row.level != Level::position || row.compliance > 0.0 ||
        (row.bounded() && state.mode[at(row.slot)] != Mode::free))
      continue;
    if (std::fabs(rowRate(rows_, row, model_->blocks, state.v) - row.speed) > 1e-9) return true;
  }
  return false;
}

/// Four Euler substeps, or sixteen, or 64; where even those do not converge (a tangle of contacts), sweeps of many
/// iterations, which always end somewhere sensible. What jumps on the way is settled by the last velocity solve.
void DirectSolver::recover(State& state, double h, Events& events) {
  fallback_ = state;
  for (const int parts : {4, 16, 64}) {
    const Scheme s = Scheme::euler(h / parts);
    bool converged = true;
    tried_.clear();
    for (int k = 0; k < parts && converged; ++k) {
      before_ = state;
      converged = newton(s);
      // Almost there, and only the tolerance missed: better than anything a sweep would give.
      if (!converged && parts == 64 && (undecided_ == 0 || model_->hasElementMass) && moved_ < 1e-4) {
        converged = true;
        report_.converged = false;
      }
      if (converged) accept(s, state, tried_);
    }
    if (converged) {
      events.add(tried_.all());
      velocitySolve(state, before_, s.h, true);
      ghost(state, h, before_.force);
      return;
    }
    state = fallback_;
    // Contacts that cannot agree do not agree in smaller steps either; what strikes a strand may, and there are no
    // sweeps.
    if (undecided_ > 0 && !model_->hasElementMass) break;
  }
  report_.converged = false;
  if (model_->hasElementMass) {  // sweeps know no mass between blocks: the best that Newton found has to do
    before_ = state;
    newton(Scheme::euler(h));
    accept(Scheme::euler(h), state, events);
    velocitySolve(state, before_, h, true);
    ghost(state, h, before_.force);
    return;
  }
  for (int k = 0; k < 4; ++k) sweep_.advance(*model_, elements_, state, 0.25 * h, 40, events);
  ghost(state, h, {});
}

void DirectSolver::accelerations(const Model& model, Elements elements, State& state, double h) {
  prepare(model, elements, state);
  if (state.needsVelocityProjection || needsProjection(state)) velocitySolve(state, state, h, false);
  ghost(state, h, {});
}

void DirectSolver::prepare(const Model& model, Elements elements, const State& state) {
  model_ = &model;
  system_.bind(model);
  system_.forget();
  elements_ = elements;
  const Settings& settings = model.description.settings;
  cap_ = settings.iterations > 0 ? settings.iterations : 30;
  tolerance_ = settings.tolerance;
  now_.bind(model, state);
  negligible_ = 1e-14 * now_.moving().weighed * settings.gravity.norm();
  const std::size_t n = state.v.size();
  // From nothing: what sleeps now but was awake once must leave no trace in what is solved for.
  for (auto* x : {&pHat_, &residual_, &change_, &rhs_, &velocity_, &forces_.force}) x->assign(n, 0.0);
  carried_.resize(model.hasElementMass ? n : 0);
  rotations_.resize(model.blocks.size(), Mat3::Zero());
}

StepReport DirectSolver::step(const Model& model, Elements elements, State& state, double h, Events& events) {
  prepare(model, elements, state);
  report_ = StepReport{};
  if (elements.empty() && model.spins.empty() && state.h == h && coast(state, h)) return report_;
  const int parts = partsOf(state, h);
  lost_ = 0.0;
  for (int k = 0; k < parts; ++k) advance(state, h / parts, events);
  findWorst(rows_, state.mode, report_);
  if (keepsEnergy_) chooseParts(state, h, parts);
  return report_;
}

/// Rows, and what they do, at a state that no smooth step has led to.
void DirectSolver::lookAgain(State& state) {
  rowsAt(state, 0.0, rows_);
  goOn(doingsOf(rows_, elements_, now_, state.force), state.accounts);
}

void DirectSolver::advance(State& state, double h, Events& events) {
  // Light nodes of a strand were struck: what they do is over before the step is, and a history of it would throw them.
  const bool rough = model_->hasElementMass && state.impactPending;
  struck_.clear();
  decaying_.clear();
  if (state.h != h || rough || state.needsVelocityProjection) {
    if (state.needsVelocityProjection || needsProjection(state)) velocitySolve(state, state, h, false);
    if (!rough) {
      ghost(state, h, {});
      goOn(doingsOf(rows_, elements_, now_, state.force), state.accounts);
    }
  }
  state.needsVelocityProjection = state.impactPending = false;
  before_ = state;
  for (const Decaying& d : decaying_) before_.force[at(d.slot)] = d.force;
  past_ = &before_;
  if (rough) {
    recover(state, h, events);
    lookAgain(state);
    return;
  }
  const bool smooth = newton(Scheme::bdf2(h));
  const bool jumps = smooth && jumped();
  if (smooth && !jumps) {
    accept(Scheme::bdf2(h), state, events);
    if (keepsEnergy_) lost_ += lossOf(state, h);
  } else if (!jumps || !jump(state, h, events)) {
    recover(state, h, events);
  }
  // After a smooth step the rows are those of the accepted instant already.
  if (!smooth || jumps) lookAgain(state);
}

}  // namespace reeve
