// A world as a linear system with inputs and outputs: World::linearise(inputs, outputs). Equations are in modes.h.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include "reeve/model/kinetics.h"
#include "reeve/world/parts.h"
#include "reeve/world/small_motions.h"

namespace reeve {

/// How an input enters.
struct LinearInput {
  Eigen::VectorXd force;  ///< F: generalized force per unit
  int driven = -1;        ///< or the rigid row whose speed it is, by its place in SmallMotions::rigid()
  int given = -1;         ///< slot of the multiplier that it adds to, by `per` for each unit
  double per = 0.0;
  bool push = false;
};

namespace {

std::vector<std::string_view> wordsOf(std::string_view path) {
  std::vector<std::string_view> words;
  for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
    words.push_back(path.substr(0, dot));
    path = path.substr(dot + 1);
  }
  words.push_back(path);
  return words;
}

std::unexpected<Problem> noInput(const std::string& path, const std::string& reason) {
  return wrong(path, reason,
               "inputs are motors.NAME, bodies.NAME.force.x, bodies.NAME.torque.x, particles.NAME.force.x and "
               "rotors.NAME.torque");
}

/// Place of a State::v index among the free coordinates; -1: it does not move.
int placeOf(const SmallMotions& small, int v) {
  const auto it = std::lower_bound(small.free().begin(), small.free().end(), v);
  return it != small.free().end() && *it == v ? static_cast<int>(it - small.free().begin()) : -1;
}

std::expected<LinearInput, Problem> motorInput(const SmallMotions& small, const Motor& motor, const std::string& path) {
  const int row = small.rowOf(motor.slot);
  if (row < 0) return noInput(path, "the motor does not act now");
  const Row& r = small.rows().rows[at(row)];
  const Eigen::VectorXd j = small.gradient(small.rows(), r);
  LinearInput in;
  in.force = Eigen::VectorXd::Zero(small.size());
  switch (motor.settings().drive) {
    case DriveType::force:
      in.force = j;
      in.given = motor.slot;
      in.per = 1.0;
      return in;
    case DriveType::feedback:
      return wrong(path, "a feedback drive commands itself, once in a step", "use drive velocity, force or position");
    case DriveType::position:
    case DriveType::velocity:
      break;
  }
  if (!small.holds(r))
    return wrong(path, "the motor pushes with all it may: its command has no effect", "raise max_force");
  if (r.compliance > 0.0) {
    in.force = j / r.compliance;
    in.given = motor.slot;
    in.per = 1.0 / r.compliance;
    return in;
  }
  if (r.level == Level::position)
    return wrong(path, "a rigid position drive would move by a jump", "give it a stiffness, or command its speed");
  const auto it = std::find(small.rigid().begin(), small.rigid().end(), row);
  in.driven = static_cast<int>(it - small.rigid().begin());
  return in;
}

}  // namespace

/// One linearisation on its way from matrices of all coordinates to those of the states.
class World::Reduction {
 public:
  explicit Reduction(const Parts& parts)
      : parts_(parts), still_(parts), state_(still_.state), small_(parts.model(), still_.elements, state_) {}

  std::expected<StateSpace, Problem> run(std::span<const std::string> inputs, std::span<const std::string> outputs,
                                         const World& world) {
    if (auto possible = small_.check(); !possible) return std::unexpected(possible.error());
    for (const std::string& path : inputs) {
      auto input = inputOf(path);
      if (!input) return std::unexpected(input.error());
      inputs_.push_back(std::move(*input));
    }
    std::vector<Observable> measured;
    for (const std::string& path : outputs) {
      const auto o = world.resolve(path);
      if (!o) return std::unexpected(o.error());
      measured.push_back(*o);
    }
    if (auto done = reduce(); !done) return std::unexpected(done.error());
    StateSpace out;
    out.inputs.assign(inputs.begin(), inputs.end());
    out.outputs.assign(outputs.begin(), outputs.end());
    continuous(out);
    step(out);
    read(measured, out);
    out.exactness = small_.exactness();
    return out;
  }

 private:
  std::expected<LinearInput, Problem> inputOf(const std::string& path) const;
  Done reduce();
  void continuous(StateSpace& out);
  void step(StateSpace& out) const;
  void overTwo(const Dense& inputs, Table& now, Table& before) const;
  void read(std::span<const Observable> outputs, StateSpace& out) const;
  std::vector<double> multipliers(const Eigen::VectorXd& moved, const Eigen::VectorXd& speed,
                                  const Eigen::VectorXd& acceleration, const LinearInput* input) const;
  Table spread(const Dense& small) const;

  const Parts& parts_;
  SmallState still_;
  const State& state_;
  SmallMotions small_;
  std::vector<LinearInput> inputs_;
  Dense held_, mass_, damping_, stiffness_;  ///< of all coordinates
  Dense n_, p_, force_;                      ///< free motions; per driven speed; per input
  Dense mr_, dr_, kr_, kp_, br_;             ///< reduced: of free motions, of what drives have moved, of inputs
  Dense a_, b_;
  Eigen::CompleteOrthogonalDecomposition<Dense> pulls_;  ///< of Jᵀ: the least forces of rigid rows for what they hold
  std::vector<int> driven_;                              ///< inputs that are speeds
};

std::expected<LinearInput, Problem> World::Reduction::inputOf(const std::string& path) const {
  const std::vector<std::string_view> words = wordsOf(path);
  const Description& d = parts_.model().description;
  const auto find = [&](const auto& list) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (words.size() > 1 && list[i].first == words[1]) return static_cast<int>(i);
    return -1;
  };
  const auto nobody = [&] { return noInput(path, "there is no such input"); };
  if (words[0] == "motors" && words.size() == 2) {
    const int i = find(d.motors);
    return i < 0 ? std::expected<LinearInput, Problem>(nobody())
                 : motorInput(small_, *parts_.built->motors[at(i)], path);
  }
  LinearInput in;
  in.push = true;
  in.force = Eigen::VectorXd::Zero(small_.size());
  const auto put = [&](int v, double value) {
    if (const int place = placeOf(small_, v); place >= 0) in.force[place] += value;
  };
  const bool rotor = words[0] == "rotors" && words.size() == 3 && words[2] == "torque";
  const std::size_t axis = words.size() == 4 && words[3].size() == 1 ? std::string_view("xyz").find(words[3]) : 3;
  int block = -1;
  if (rotor) {
    if (const int i = find(d.rotors); i >= 0) block = parts_.model().rotors[at(i)].block;
    if (block < 0) return nobody();
    put(parts_.model().blocks[at(block)].v, 1.0);
  } else if (axis < 3 && (words[2] == "force" || words[2] == "torque")) {
    const Vec3 unit = Vec3::Unit(static_cast<int>(axis));
    Vec3 torque = Vec3::Zero();
    if (words[0] == "bodies") {
      const int i = find(d.bodies);
      if (i < 0) return nobody();
      const Body& body = parts_.model().bodies[at(i + 1)];
      block = body.block;
      torque = words[2] == "torque" ? unit : Vec3(-(parts_.now.rotation(block) * body.center_B).cross(unit));
    } else if (words[0] == "particles" && words[2] == "force") {
      if (const int i = find(d.particles); i >= 0) block = parts_.model().particles[at(i)].block;
    }
    if (block < 0) return nobody();
    const Block& b = parts_.model().blocks[at(block)];
    for (int k = 0; k < 3; ++k) {
      if (words[2] == "force") put(b.v + k, unit[k]);
      if (b.rotates) put(b.v + 3 + k, torque[k]);
    }
  } else {
    return nobody();
  }
  if (!parts_.model().blocks[at(block)].free) return wrong(path, "it does not move by forces", "push what is free");
  return in;
}

Done World::Reduction::reduce() {
  held_ = small_.held();
  n_ = motionsLeft(held_, small_.size());
  if (held_.rows() > 0) pulls_.compute(held_.transpose());
  mass_ = small_.mass();
  damping_ = small_.damping();
  stiffness_ = small_.stiffness();
  mr_ = n_.transpose() * mass_ * n_;
  const Eigen::LDLT<Dense> inverse(mr_);
  force_ = Dense::Zero(small_.size(), static_cast<int>(inputs_.size()));
  p_.resize(small_.size(), 0);
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (inputs_[i].driven < 0) {
      force_.col(static_cast<int>(i)) = inputs_[i].force;
      continue;
    }
    // What moves along with a given speed: the least kinetic energy, so that nothing free is accelerated by it.
    Eigen::VectorXd target = Eigen::VectorXd::Zero(held_.rows());
    target[inputs_[i].driven] = 1.0;
    Eigen::CompleteOrthogonalDecomposition<Dense> rows(held_);
    Eigen::VectorXd along = rows.solve(target);
    if (!((held_ * along - target).norm() < 1e-6))
      return wrong(std::to_string(i), "constraints do not let this drive move", "command one that can");
    if (n_.cols() > 0) along -= n_ * inverse.solve(n_.transpose() * (mass_ * along));
    p_.conservativeResize(Eigen::NoChange, p_.cols() + 1);
    p_.col(p_.cols() - 1) = along;
    driven_.push_back(static_cast<int>(i));
  }
  if (n_.cols() + p_.cols() == 0) return wrong("state", "nothing is left that can move", "release a brake or a joint");
  kr_ = n_.transpose() * stiffness_ * n_;
  dr_ = n_.transpose() * damping_ * n_;
  kp_ = n_.transpose() * stiffness_ * p_;
  br_ = n_.transpose() * force_;
  for (std::size_t k = 0; k < driven_.size(); ++k)
    br_.col(driven_[k]) -= n_.transpose() * (damping_ * p_.col(static_cast<int>(k)));
  return {};
}

/// Coordinates of World::velocities() from those that are free.
Table World::Reduction::spread(const Dense& small) const {
  Dense all = Dense::Zero(static_cast<int>(state_.v.size()) - 6, small.cols());
  for (int i = 0; i < small_.size(); ++i) all.row(small_.free()[at(i)] - 6) = small.row(i);
  return tableOf(all);
}

void World::Reduction::continuous(StateSpace& out) {
  const int f = static_cast<int>(n_.cols()), g = static_cast<int>(p_.cols()), m = static_cast<int>(inputs_.size());
  const Eigen::LDLT<Dense> inverse(mr_);
  a_ = Dense::Zero(2 * f + g, 2 * f + g);
  b_ = Dense::Zero(2 * f + g, m);
  for (int k = 0; k < g; ++k) b_(f + k, driven_[at(k)]) = 1.0;
  if (f > 0) {
    a_.block(0, f + g, f, f).setIdentity();
    a_.block(f + g, 0, f, f) = -inverse.solve(kr_);
    if (g > 0) a_.block(f + g, f, f, g) = -inverse.solve(kp_);
    a_.block(f + g, f + g, f, f) = -inverse.solve(dr_);
    if (m > 0) b_.bottomRows(f) = inverse.solve(br_);
  }
  out.A = tableOf(a_);
  out.B = tableOf(b_);
  Dense moved = Dense::Zero(small_.size(), 2 * f + g), speeds = moved;
  moved.leftCols(f) = n_;
  moved.middleCols(f, g) = p_;
  speeds.rightCols(f) = n_;
  out.positions = spread(moved);
  out.velocities = spread(speeds);
}

/// What a step takes of its own inputs and of those before.
void World::Reduction::overTwo(const Dense& inputs, Table& now, Table& before) const {
  Dense first = inputs, second = Dense::Zero(inputs.rows(), inputs.cols());
  for (int i = 0; i < inputs.cols(); ++i) {
    if (!inputs_[at(i)].push) continue;
    first.col(i) = 1.5 * inputs.col(i);
    second.col(i) = -0.5 * inputs.col(i);
  }
  now = tableOf(first);
  before = tableOf(second);
}

/// The matrix of the step, M + s D + s² K with s = 2h/3, and what it makes of states and inputs.
void World::Reduction::step(StateSpace& out) const {
  const int f = static_cast<int>(n_.cols()), g = static_cast<int>(p_.cols()), m = static_cast<int>(inputs_.size());
  const Settings& settings = parts_.model().description.settings;
  const double h = settings.dt / settings.substeps, s = 2.0 * h / 3.0;
  // Of hats, 4/3 x(n) − 1/3 x(n−1), and of inputs.
  Dense hats = Dense::Zero(2 * f + g, 2 * f + g), input = Dense::Zero(2 * f + g, m);
  hats.block(f, f, g, g).setIdentity();
  for (int k = 0; k < g; ++k) input(f + k, driven_[at(k)]) = s;
  if (f > 0) {
    const Eigen::PartialPivLU<Dense> factor(mr_ + s * dr_ + s * s * kr_);
    hats.block(f + g, 0, f, f) = -s * factor.solve(kr_);
    if (g > 0) hats.block(f + g, f, f, g) = -s * factor.solve(kp_);
    hats.block(f + g, f + g, f, f) = factor.solve(mr_);
    if (m > 0) {
      Dense pushed = s * br_;
      for (int k = 0; k < g; ++k) pushed.col(driven_[at(k)]) -= s * s * kp_.col(k);
      input.bottomRows(f) = factor.solve(pushed);
    }
    hats.topRows(f) = s * hats.bottomRows(f);
    hats.block(0, 0, f, f) += Dense::Identity(f, f);
    input.topRows(f) = s * input.bottomRows(f);
  }
  out.step.now = tableOf(4.0 / 3.0 * hats);
  out.step.before = tableOf(-1.0 / 3.0 * hats);
  overTwo(input, out.step.input, out.step.inputBefore);
}

/// Change of the multipliers, by slot.
std::vector<double> World::Reduction::multipliers(const Eigen::VectorXd& moved, const Eigen::VectorXd& speed,
                                                  const Eigen::VectorXd& acceleration, const LinearInput* input) const {
  std::vector<double> force(state_.force.size(), 0.0);
  small_.addElastic(moved, speed, force);
  if (held_.rows() > 0) {
    Eigen::VectorXd left = mass_ * acceleration + stiffness_ * moved + damping_ * speed;
    if (input && input->driven < 0) left -= input->force;
    const Eigen::VectorXd found = pulls_.solve(left);
    for (std::size_t r = 0; r < small_.rigid().size(); ++r)
      force[at(small_.rows().rows[at(small_.rigid()[r])].slot)] += found[static_cast<int>(r)];
  }
  if (input && input->given >= 0) force[at(input->given)] += input->per;
  return force;
}

/// C and D: how measured numbers change with what moves, how fast, and with the forces. What is measured is no row: its
/// derivative along a motion is a difference of fourth order.
void World::Reduction::read(std::span<const Observable> outputs, StateSpace& out) const {
  const int f = static_cast<int>(n_.cols()), g = static_cast<int>(p_.cols()), m = static_cast<int>(inputs_.size());
  const int count = static_cast<int>(outputs.size()), states = 2 * f + g;
  Dense c = Dense::Zero(count, states + m);
  Parts there(parts_);
  there.fresh = false;
  using Vector = Eigen::VectorXd;
  const auto measured = [&](const Vector& moved, const Vector& speed, std::span<const double> force, double by) {
    there.state = state_;
    Instant& now = there.now;
    now.bind(parts_.model(), there.state);
    now.rewind();
    for (int i = 0; i < small_.size(); ++i) {
      now.u[at(small_.free()[at(i)])] = by * moved[i];
      there.state.v[at(small_.free()[at(i)])] += by * speed[i];
    }
    for (std::size_t k = 0; k < force.size(); ++k) there.state.force[k] += by * force[k];
    now.prescribe(state_.time);
    now.place(state_.time, 0.0);
    now.v = there.state.v;
    now.touch();
    now.evaluate();
    Vector y(count);
    for (int i = 0; i < count; ++i) y[i] = there.measure(outputs[at(i)]);
    return y;
  };
  const auto along = [&](const Vector& moved, const Vector& speed, std::span<const double> force, double by) -> Vector {
    const Vector near = measured(moved, speed, force, by) - measured(moved, speed, force, -by);
    const Vector far = measured(moved, speed, force, 2 * by) - measured(moved, speed, force, -2 * by);
    return (8.0 * near - far) / (12.0 * by);
  };
  const Vector none = Vector::Zero(small_.size());
  double most = 1.0;
  for (const double x : state_.force) most = std::max(most, std::fabs(x));
  for (int j = 0; count > 0 && j < states + m; ++j) {
    Vector moved = none, speed = none, acceleration = none;
    const LinearInput* input = j < states ? nullptr : &inputs_[at(j - states)];
    if (j < f) moved = n_.col(j);
    if (j >= f && j < f + g) moved = p_.col(j - f);
    if (j >= f + g && j < states) speed = n_.col(j - f - g);
    for (int k = 0; input && k < g; ++k)
      if (driven_[at(k)] == j - states) speed = p_.col(k);
    if (f > 0) acceleration = n_ * (input ? b_.col(j - states) : a_.col(j)).tail(f);
    const std::vector<double> force = multipliers(moved, speed, acceleration, input);
    double pulls = 0.0;
    for (const double x : force) pulls = std::max(pulls, std::fabs(x));
    if (const double size = moved.cwiseAbs().maxCoeff(); size > 0.0) c.col(j) += along(moved, none, {}, 3e-5 / size);
    if (const double size = speed.cwiseAbs().maxCoeff(); size > 0.0) c.col(j) += along(none, speed, {}, 1e-3 / size);
    if (pulls > 0.0) c.col(j) += along(none, none, force, 1e-3 * most / pulls);
  }
  out.C = tableOf(c.leftCols(states));
  out.D = tableOf(c.rightCols(m));
  overTwo(c.rightCols(m), out.step.through, out.step.throughBefore);
}

std::expected<StateSpace, Problem> World::linearise(std::span<const std::string> inputs,
                                                    std::span<const std::string> outputs) const {
  parts_->use();
  for (const auto& [name, cable] : description().cables)
    if (cable.model == CableModel::particles)
      return wrong("/cables/" + name, "particle cables step themselves: their motion is in no row",
                   "use model joints, strand or chain");
  return Reduction(*parts_).run(inputs, outputs, *this);
}

}  // namespace reeve
