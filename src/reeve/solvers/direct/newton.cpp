#include "reeve/solvers/direct/newton.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"
#include "reeve/solvers/account.h"

namespace reeve {

namespace {
/// A correction that changes no acceleration by more than this share of gravity is one of rounding.
constexpr double weightlessShare = 1e-7;
/// Share of the largest force by which forces may change where nothing moves: the solution for them has not been
/// refined.
constexpr double steadyPull = 1e-6;
/// A correction of more than so many tolerances is followed by one that is no rounding.
constexpr double farShare = 1e6;
/// A row that is open by this share of the tolerance is so by rounding: of a thousand falls it adds up to more than may
/// be left over. All rows together may be open by half of it.
constexpr double roundedShare = 1e-4, mostOpen = 0.5;
/// Of cones: share of what they may sink by that passes settle to; iterations, in caps; whole steps before passes.
constexpr double closeShare = 0.1;
constexpr int coneCap = 4, wholeSteps = 5;
}  // namespace

NewtonOutcome Newton::solve(const Step& step) {
  Trial& t = step.trial;
  NewtonOutcome out;
  Settling settling;
  lastChange_.reserve(step.past.v.size());  // few steps come to need it
  tangent.begin(step);
  predictTrial(step);
  startU_ = t.now.u;
  active_.begin(t.mode.size());
  fresh_ = true;
  bool untangled = false;
  for (int it = 0;; ++it) {
    if (step.task.model->interrupted()) return out;
    evaluate(step, it > 0 && !t.cones.searches());
    const int last = t.cones.empty() ? step.task.cap : coneCap * step.task.cap;
    if (it > last) return out;
    answerCones(step, it, out, settling);
    out.undecided = active_.update(step, it);
    if (it == 0) step.spin.find(*step.task.model, t.rows, t.mode, t.force, step.past);
    if (!untangled && it >= patience && out.undecided > 0 && tangle_.find(t)) {
      untangled = true;
      if (untangle(step, out)) it = 0;
    }
    if (out.undecided == 0 && finished(step, settling)) {
      out.iterations += it == 0 ? 1 : 0;  // to look is one
      out.converged = true;
      return out;
    }
    if (it == last) return out;
    const Corrected corrected = correct(step, it, out, settling);
    if (corrected == Corrected::no) return out;
    if (out.undecided == 0 && stays(step)) {
      out.undecided = active_.update(step, it);
      out.converged = out.undecided == 0;
      if (out.converged) return out;
      settling.settled = false;
      continue;
    }
    const bool search = corrected == Corrected::whole && !t.cones.empty();
    if (!take(step, search ? tangent.coneShare(step) : 1.0)) return out;
    settle(step, it, settling);
    if (it == 0) continue;
    // Corrections that shrink steadily are summed up at once.
    const bool smooth = it > 1 && settling.lastMoved > 0.0 && out.undecided == 0 && t.cones.empty();
    const double share = smooth ? steadyShare(settling.ratioBefore) : 0.0;
    if (!settling.settled && share > 0.0) {
      move(step, share / (1.0 - share));
      settling.lastMoved = settling.lastPulled = 0.0;
    }
    settling.ratioBefore = settling.ratio;
    lastChange_ = tangent.correction.change;
  }
}

void Newton::evaluate(const Step& step, bool follow) {
  evaluateTrial(step);
  if (!step.trial.cones.empty()) askCones(step, follow);
}

/// What the cones answer at the trial; `follow`: their friction bounds follow the load (contact_cones.h).
void Newton::askCones(const Step& step, bool follow) {
  Trial& t = step.trial;
  const double s2 = step.s.s2();
  for (Cone& c : t.cones.all()) {
    const std::size_t r = at(c.row);
    c.soft = t.soft[r];
    c.softFriction = std::max(t.soft[r + 1], t.soft[r + 2]);
    c.mobility = c.soft / t.rows.rows[r].softness;
    c.mobilityFriction = c.softFriction / t.rows.rows[r + 1].softness;
    for (std::size_t k = 0; k < 3; ++k) c.y[k] = rowResidual(t.rows.rows[r + k], t.rate[r + k], step.s.k, s2).value;
  }
  if (fresh_) t.cones.begin(t.rows, step.past.force, s2, sinks(step.task));
  follows_ = t.cones.respond(follow && !fresh_);
  fresh_ = false;
  t.cones.write(t.rows, s2, t.force, t.mode);
}

/// Takes the cones on by a pass, or begins with passes where whole steps do not settle them.
void Newton::answerCones(const Step& step, int it, const NewtonOutcome& out, Settling& settling) {
  Trial& t = step.trial;
  Cones& cones = t.cones;
  if (cones.empty()) return;
  const double tolerance = step.task.tolerance, limit = sinks(step.task);
  if (cones.searches() && it > 0) {
    // Rows that hold next to nothing in place have forces that are wrong by more than the places are.
    const bool rough = t.held().rows.empty() || it > 2 * step.task.cap;
    const bool enough = cones.pass(out.moved, rough ? closeShare * limit : tolerance);
    cones.write(t.rows, step.s.s2(), t.force, t.mode);
    settling.settled = enough && !cones.tighten(limit);
    return;
  }
  const bool late = it >= wholeSteps && (it > 2 * wholeSteps || !cones.steady() || follows_ > tolerance);
  if (!late && !(it == 0 && cones.many())) return;
  if (it > 0) {
    t.now.u = startU_;
    evaluate(step, false);
  }
  cones.beginPasses();
  askCones(step, false);
}

/// Back to where the step began to look, and from there with the contacts sorted out. False if that cannot be.
bool Newton::untangle(const Step& step, NewtonOutcome& out) {
  Trial& t = step.trial;
  t.now.u = startU_;
  t.force = step.past.force;
  t.mode = step.past.mode;
  evaluate(step, false);
  if (!tangle_.sortOut(step, tangent)) return false;
  active_.begin(t.mode.size());
  out.undecided = 1;
  return true;
}

/// Whether the trial, whose rows have settled on their modes, is the step.
bool Newton::finished(const Step& step, Settling& settling) {
  Trial& t = step.trial;
  if (t.cones.empty()) return settling.settled || balanced(step);
  if (!settling.settled) return false;
  const bool followed = follows_ <= step.task.tolerance;
  if (t.cones.searches() || (followed && !t.cones.tighten(sinks(step.task)))) return true;
  if (followed) askCones(step, false);
  settling.settled = false;
  return false;
}

/// Whether the trial is the step as it stands, with forces and all: no row is open, all of them together (what is
/// rounding of each aside), and no coordinate out of balance by more than what is not worth moving. What rests, or
/// moves under steady forces, needs no matrix. A balance that is out by less goes into the momentum, and tells once it
/// has added up.
bool Newton::balanced(const Step& step) {
  const Trial& t = step.trial;
  if (step.task.model->hasElementMass || t.bends || !t.cones.empty()) return false;
  const double limit = Tangent::unmoved(step), s2 = step.s.s2();
  const double rounding = roundedShare * step.task.tolerance, most = mostOpen * step.task.tolerance;
  double open = 0.0, all = 0.0;
  for (std::size_t r = 0; r < t.rows.rows.size(); ++r) {
    const Row& row = t.rows.rows[r];
    const Mode mode = t.mode[at(row.slot)];
    if (row.bounded() && mode != Mode::free) {
      if ((mode == Mode::lower ? row.lowerGain : row.upperGain) != 0.0) return false;
      continue;
    }
    const RowResidual w = rowResidual(row, t.rate[r], step.s.k, s2);
    const double asked = std::fabs(w.value + (w.compliance + t.soft[r]) * s2 * t.force[at(row.slot)]);
    all += asked;
    if (!(asked <= rounding)) open += asked;
    if (!(open <= limit && all <= most)) return false;
  }
  tangent.balance(step);
  const std::vector<double>& residual = tangent.residual;
  const std::vector<double>& mass = t.now.moving().mass;
  for (const Moving::Run& run : t.now.moving().plain)
    for (std::size_t i = at(run.v); i < at(run.v + run.count); ++i)
      if (!(std::fabs(residual[i]) <= limit * mass[i])) return false;
  for (const int block : t.now.moving().turning) {
    // No principal moment is smaller than det I/(½ tr I)².
    const Block& b = step.task.blocks()[at(block)];
    const double half = 0.5 * b.inertia_B.trace(), least = b.inertia_B.determinant() / (half * half);
    if (!(triple(residual, b.v + 3).norm() <= limit * least)) return false;
  }
  return true;
}

/// Works out a correction: by the last factor if that will do.
Newton::Corrected Newton::correct(const Step& step, int it, NewtonOutcome& out, const Settling& settling) {
  // What moves far is corrected again, and what hardly moves is not wrong by a share of it: the last digit of the
  // first corrections would be wasted.
  const bool first = it == 0 || settling.lastMoved > farShare * step.task.tolerance;
  const bool whole = it == 0 || out.undecided > 0 || !tangent.chord(step, settling.lastMoved);
  if (whole) {
    tangent.assemble(step);
    // Where this one cannot be the last (see settle()), the next corrects what it leaves.
    const double tolerance = step.task.tolerance, ends = std::max(tolerance, std::sqrt(tolerance * settling.lastMoved));
    const bool smooth = out.undecided == 0 && step.trial.cones.empty() && !step.task.model->hasElementMass;
    const double again = smooth ? ends : unbounded;
    const double enough = first ? RowSystem::roughly : RowSystem::exactly;
    if (!tangent.correct(step, enough, again, out.residual)) return Corrected::no;
  }
  ++out.iterations;
  out.moved = tangent.correction.moved;
  return whole ? Corrected::whole : Corrected::byLastFactor;
}

/// Whether the trial is as good as the step: the correction would move nothing by more than rounding does. Then only
/// the forces take it, which asks for no new evaluation; what is left of the balance goes into the momentum (see
/// accept()).
bool Newton::stays(const Step& step) {
  Trial& t = step.trial;
  const std::vector<double>& change = tangent.correction.multiplierChange;
  if (t.bends || !t.cones.empty() || !(tangent.correction.moved <= Tangent::unmoved(step))) return false;
  double most = 0.0, largest = 0.0;
  for (std::size_t r = 0; r < t.rows.rows.size(); ++r) {
    most = std::max(most, std::fabs(t.force[at(t.rows.rows[r].slot)]));
    largest = std::max(largest, std::fabs(change[r]));
  }
  if (!(largest <= steadyPull * step.s.s2() * most)) return false;
  for (std::size_t r = 0; r < t.rows.rows.size(); ++r) t.force[at(t.rows.rows[r].slot)] += change[r] / step.s.s2();
  return true;
}

/// Moves by this share of the correction, and notes how much that changes the forces. False if it is not finite.
bool Newton::take(const Step& step, double share) {
  const Trial& t = step.trial;
  const Correction& c = tangent.correction;
  double scale = share, largest = 0.0;
  for (const int block : t.now.moving().turning)
    largest = std::max(largest, triple(c.change, step.task.blocks()[at(block)].v + 3).norm());
  // A turn of more than a radian is beyond what the linearisation knows.
  if (largest * scale > 1.0) scale = 1.0 / largest;
  move(step, scale);
  double most = 0.0, change = 0.0;
  watched_ = true;
  for (std::size_t r = 0; r < t.held().rows.size(); ++r) {
    const Row& row = t.rows.rows[r];
    const double force = t.force[at(row.slot)], d = scale * c.multiplierChange[r] / step.s.s2();
    most = std::max(most, std::fabs(force));
    change = std::max(change, std::fabs(d));
    if (row.errorDependsOnForce)
      watched_ = watched_ && (std::fabs(d) <= 1e-9 * std::fabs(force) ||
                              std::fabs(d) * row.compliance <= 10.0 * step.task.tolerance);
  }
  pulled_ = most > 0.0 ? change / most : 0.0;
  return std::isfinite(c.moved) && std::isfinite(pulled_);
}

/// Adds so many times the correction to the unknowns.
void Newton::move(const Step& step, double times) {
  Trial& t = step.trial;
  const Correction& c = tangent.correction;
  for (const Moving::Run& run : t.now.moving().plain)
    for (int i = run.v; i < run.v + run.count; ++i) t.now.u[at(i)] += times * c.change[at(i)];
  for (const int block : t.now.moving().turning) {
    const int v = step.task.blocks()[at(block)].v + 3;
    const Vec3 phi = triple(c.change, v), theta = triple(t.now.u, v);
    const Vec3 turn = leftJacobianInverse(theta) * phi * times;
    for (int k = 0; k < 3; ++k) t.now.u[at(v + k)] += turn[k];
  }
  for (std::size_t r = 0; r < t.held().rows.size(); ++r)
    t.force[at(t.rows.rows[r].slot)] += times * c.multiplierChange[r] / step.s.s2();
}

/// Converged when the next correction, as the last two foretell it, is below the tolerance.
void Newton::settle(const Step& step, int it, Settling& was) const {
  const double tolerance = step.task.tolerance, moved = tangent.correction.moved;
  // Corrections so small that neither positions nor, as accelerations, forces are wrong by anything that counts. Taken
  // alone the forces tell less: over a thousand falls of a tackle they magnify the rounding of the positions.
  const double weightless = weightlessShare * step.s.s2() * step.task.gravity().norm();
  const double negligible = std::max(1e-3 * tolerance, std::min(0.1 * tolerance, weightless));
  was.ratio = it > 0 && was.lastMoved > 0.0 ? std::min(moved / was.lastMoved, 1.0) : 1.0;
  const double ratioForce = it > 0 && was.lastPulled > 0.0 ? std::min(pulled_ / was.lastPulled, 1.0) : 1.0;
  was.settled = moved * was.ratio < tolerance && watched_ && (pulled_ * ratioForce < 1e-9 || moved < negligible);
  if (step.trial.rows.rows.empty() && moved * was.ratio < tolerance) was.settled = true;
  // Nothing moves any more, and the forces only stir in the rounding of the positions: a thousand falls amplify it.
  const bool stirs = moved < tolerance && pulled_ < 1e-3 && it > 1 && pulled_ > 0.1 * was.lastPulled;
  was.stirring = stirs ? was.stirring + 1 : 0;
  if (was.stirring >= 2) was.settled = true;
  was.lastMoved = moved;
  was.lastPulled = pulled_;
}

/// The share by which corrections shrink if they shrink steadily along one line, as they do where a stiffness that is
/// negative has been left out; 0 otherwise.
double Newton::steadyShare(double last) const {
  const std::vector<double>& change = tangent.correction.change;
  double dot = 0.0, before = 0.0, now = 0.0;
  for (std::size_t i = 0; i < change.size(); ++i) {
    dot += change[i] * lastChange_[i];
    before += lastChange_[i] * lastChange_[i];
    now += change[i] * change[i];
  }
  const double share = before > 0.0 ? dot / before : 0.0;
  const bool parallel = dot > 0.0 && dot * dot > 0.99 * before * now;
  return parallel && share > 0.1 && share < 0.95 && std::fabs(share - last) < 0.1 * share ? share : 0.0;
}

void Newton::accept(const Step& step, State& state, Events& events) {
  Trial& t = step.trial;
  const Model& model = *step.task.model;
  state.force = t.force;
  state.mode = t.mode;
  if (!step.task.resting) {
    book(doingsOf(t.rows, step.task.elements, t.now, t.force, t.forces), step.s.second, step.s.h, state.accounts);
    if (!step.s.second) bookCatches(t.rows, model, t.force, step.past.v, t.now.v, step.s.h, state.accounts);
  }
  for (const Element* e : step.task.elements) e->finish(t.now, state, events);
  state.pOld = state.p;
  state.q = t.now.q;
  state.v = t.now.v;
  state.u = t.now.u;
  state.time = t.now.time;
  // What Newton's tolerance left over goes into the momentum, so that the impulses of a step balance to rounding. Light
  // coordinates have none to speak of: it would fling them about as soon as nothing holds them.
  tangent.balance(step);
  momentum(t.now, t.carried, state.p);
  std::vector<double>& left = tangent.residual;
  if (t.now.moving().massless) {
    for (const Block& b : model.blocks)
      for (int k = 0; b.massless && k < b.dof; ++k) left[at(b.v + k)] = 0.0;
  }
  for (const Moving::Run& run : t.now.moving().free)
    for (int i = run.v; i < run.v + run.count; ++i) state.p[at(i)] -= step.s.k * left[at(i)];
  everyParent(model, [&](int parent, std::span<const Spin> spins) {
    const Block& b = model.blocks[at(parent)];
    if (!b.free) return;
    const Vec3 turn = t.now.rotation(parent) * spinSum(spins, left) * step.s.k;
    for (int k = 0; k < 3; ++k) state.p[at(b.v + 3 + k)] -= turn[k];
  });
  restLoose(step, state);
}

/// Material between slack spans does not go on sliding for ever.
void Newton::restLoose(const Step& step, State& state) {
  const Trial& t = step.trial;
  if (!t.now.moving().massless) return;
  const std::span<const Block> blocks = step.task.blocks();
  loose_.assign(blocks.size(), 1);
  // What has mass from the cable it is of goes on by its momentum.
  for (const Patch& p : t.forces.damping.patches)
    if (p.a == p.b && p.k(0, 0) > 0.0) loose_[at(p.a)] = 0;
  for (const Row& row : t.rows.rows)
    for (int e = row.first; e < row.first + row.count; ++e)
      if (row.level == Level::position && t.force[at(row.slot)] != 0.0) loose_[at(t.rows.entries[at(e)].block)] = 0;
  for (std::size_t i = 0; i < loose_.size(); ++i) {
    const Block& b = blocks[i];
    for (int k = 0; b.massless && loose_[i] != 0 && k < b.dof; ++k)
      state.v[at(b.v + k)] = state.u[at(b.v + k)] = state.p[at(b.v + k)] = state.pOld[at(b.v + k)] = 0.0;
  }
}

}  // namespace reeve
