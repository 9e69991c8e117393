#pragma once
// A world that moves: model, state and workspace together, for people.
#include <atomic>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reeve/model/description.h"
#include "reeve/model/problem.h"
#include "reeve/world/control.h"
#include "reeve/world/modes.h"
#include "reeve/world/observation.h"
#include "reeve/world/readings.h"

namespace reeve {

struct Model;
struct State;
class Executor;
enum class CableEnd;
struct Extensions;

/// A measured number by its path, "bodies.hook.position.z", resolved once and then cheap to read.
struct Observable {
  int section = -1, item = -1, field = -1, index = -1, part = -1;
};

/// Where a run stands. `bad` names the first culprit; the state then is the last good one.
struct Verdict {
  bool good = true;
  std::string culprit;  ///< "bodies.load"
  std::string reason;   ///< "position is not finite"
  double time = 0.0;
};

/// How well a state of rest balances, and whether what holds it would bring it back.
struct Rest {
  double unbalanced = 0.0;  ///< the largest force or torque left, N or N m
  double share = 0.0;       ///< of all weights together
  int steps = 0;
  bool examined = false;           ///< the second variation of the energy was looked at: up to 600 coordinates
  std::vector<std::string> loose;  ///< mechanisms that remain: what moves most in motions that nothing brings back
};

/// A cable that has gone on in another model: what there is of energy, J, and what its model has no use for.
struct Converted {
  double before = 0.0, after = 0.0;
  std::vector<Problem> notes;
};

class World {
 public:
  /// Builds a world, or says what is wrong with the description.
  static std::expected<World, Problem> build(Description description);
  /// The same with joints and cable models of one's own (extensions.h).
  static std::expected<World, Problem> build(Description description, const Extensions& extensions);
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  /// Advances by settings.dt. Never throws and never resets: if the step goes bad, the verdict says so and the state
  /// stays at the last good one.
  const Verdict& step();
  const Verdict& verdict() const;
  /// The verdict, and whether all that is measured now are numbers: a look at everything, for the end of a run.
  Verdict examine() const;

  /// Lets somebody else run what may be done in any order (reeve/threads); null: here. Results stay the same bits. The
  /// executor must outlive the world or be taken back.
  void runWith(Executor* executor);
  /// Once the flag is set, from a signal or another thread, a step that is being made ends soon and leaves the state as
  /// it was before; so does every further one. The flag must outlive the world or be taken back (null).
  void interruptBy(const std::atomic<bool>* flag);

  const Description& description() const;
  const Model& model() const;
  const State& state() const;
  double time() const;
  std::int64_t steps() const;

  /// How far everything is from where it is in another state of this scene, by the coordinates of velocities(): m, and
  /// rotation vectors in rad.
  std::expected<std::vector<double>, Problem> displacement(const State& from) const;

  /// Everything that can be measured now.
  Observation observe() const;
  /// A single number by path, "cables.main.spans.0.tension". resolve() names the nearest valid word on a bad path.
  std::expected<Observable, Problem> resolve(std::string_view path) const;
  double read(const Observable& observable) const;
  /// Many at once, values[i] of observables[i]: observables of one cable that stand together cost as much as one. What
  /// has no section is NaN.
  void readAll(std::span<const Observable> observables, std::span<double> values) const;
  /// Many numbers at once, as a view that stays where it is: after a step it shows the new ones (positions and
  /// velocities by themselves, the others when read again).
  std::span<const double> read(Reading which) const;
  std::span<const double> positions() const { return read(Reading::positions); }
  std::span<const double> velocities() const { return read(Reading::velocities); }
  std::span<const double> tensions() const { return read(Reading::tensions); }
  std::span<const double> lengths() const { return read(Reading::lengths); }
  std::span<const double> lengthRates() const { return read(Reading::lengthRates); }
  /// What the numbers of an array are, in their order.
  std::vector<std::string> names(Reading which) const;
  /// Change of a cable's length per change of every velocity coordinate, in the order of velocities(). Its path may get
  /// longer by moment arms · velocities, and a tension T in all of it is the generalized force −T · moment arms.
  std::expected<std::vector<double>, Problem> momentArms(CableHandle cable) const;
  /// Per change of one joint's coordinate, with all that the joint carries: m/rad, or m/m.
  std::expected<double, Problem> momentArm(CableHandle cable, JointHandle joint) const;
  /// Every scalar path of this world, in a fixed order (columns of a trajectory).
  std::vector<std::string> paths() const;
  /// Events since the last call.
  std::vector<Event> takeEvents();

  // Control (world/control.h). Commands and changed numbers are part of the state: saved, restored, hashed.
  std::expected<BodyHandle, Problem> body(std::string_view name) const;
  std::expected<RotorHandle, Problem> rotor(std::string_view name) const;
  std::expected<ParticleHandle, Problem> particle(std::string_view name) const;
  std::expected<JointHandle, Problem> joint(std::string_view name) const;
  std::expected<MotorHandle, Problem> motor(std::string_view name) const;
  std::expected<CableHandle, Problem> cable(std::string_view name) const;
  /// What a motor follows from now on, instead of the target in the scene.
  Done command(MotorHandle motor, double target);
  Done command(MotorHandle motor, const MotorCommand& command);
  /// Back to what the scene says.
  Done release(MotorHandle motor);
  Done push(BodyHandle body, const BodyPush& push);
  Done push(ParticleHandle particle, const Vec3& force, bool held = false);
  /// A torque about the axle, N m, from outside.
  Done push(RotorHandle rotor, double torque, bool held = false);
  /// Pays cable out at an attached end, m/s, until changed; negative reels in.
  Done reel(CableHandle cable, CableEnd end, double rate);
  /// Applies or releases the brake that the scene gives a rotor, a hinge or a slider.
  Done brake(RotorHandle rotor, bool held);
  Done brake(JointHandle joint, bool held);
  /// A joint that lets go of its bodies, and takes hold again where they are within 1e-6 m.
  Done release(JointHandle joint);
  Done hold(JointHandle joint);
  /// The joint takes hold of its bodies as they are: a ball or fixed joint where its anchor on a is now, a distance
  /// joint with no more than its own length, or as long as it is.
  Done hook(JointHandle joint);
  /// Cuts a span of a cable in its middle, for good.
  Done cut(CableHandle cable, int span);
  /// Lets an attached end of a cable go, for good.
  Done release(CableHandle cable, CableEnd end);
  /// From here on the cable is simulated by another model (world/convert.cpp): what it holds stays where it is and as
  /// fast, its length is the same, and its own mass begins with the velocities that its ends have. The change of energy
  /// is booked as applied. An error, and nothing changed, where that model cannot take it. Views of arrays are to be
  /// taken anew; handles stay good, but for parameters of this cable.
  std::expected<Converted, Problem> convert(CableHandle cable, CableModel model);
  /// A number of the scene that may change, "rotors.drum.friction". An error says why one may not.
  std::expected<ParameterHandle, Problem> parameter(std::string_view path) const;
  Done set(const ParameterHandle& parameter, double value);
  double get(const ParameterHandle& parameter) const;
  /// Makes the changes together, or none of them.
  Done apply(const Edit& edit, Fit fit = Fit::refuse);

  /// Finds a state of rest from here, by Newton with a pseudo time that shortens where cables go slack or taut, and
  /// takes it over; time stays. It is stable by the sign of the energy's second variation: from rest on a crest the
  /// search goes on downhill. An error, and the state as it was, if there is none. Routes stay as they are: nothing new
  /// is wrapped on the way. Friction holds where it can.
  std::expected<Rest, Problem> equilibrium();
  /// Small motions about the state, with the forces that act there (world/modes.h).
  std::expected<Linearization, Problem> linearise() const;
  /// The same as a system with inputs and outputs, in continuous time and of a step. An input is the command of a
  /// motor, "motors.winch", or a push: "bodies.load.force.x" (at the body's origin), ".torque.x", "rotors.drum.torque",
  /// "particles.p.force.x". An output is any observable. For states of rest.
  std::expected<StateSpace, Problem> linearise(std::span<const std::string> inputs,
                                               std::span<const std::string> outputs) const;
  /// Natural frequencies from the lowest on, with damping and shapes: of a state of rest.
  std::expected<std::vector<NaturalMode>, Problem> modes() const;

  /// A world of its own in the same state. It shares the model, so a world and its clones belong to one thread.
  World clone() const;
  /// Back to the start: state, commands, numbers.
  void reset();
  /// Takes over a state of this scene, as a value.
  Done setState(const State& state);

  /// 64-bit hash of the whole state: equal bits, equal hash.
  std::uint64_t hash() const;
  /// The state as text that restores it bit for bit.
  std::string saveState() const;
  std::expected<void, Problem> restoreState(std::string_view text);

 private:
  template <class H>
  Done knows(H handle, const char* what, std::size_t count) const;
  void fireEvents();
  Done replay(std::span<const struct Conversion> conversions);
  struct Parts;
  class Reduction;
  explicit World(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

/// Equal bits, and the hash of them.
bool sameBits(const State& a, const State& b);
std::uint64_t hashOf(const State& state);
/// As text, and back: what World::saveState writes and restoreState reads.
std::string textOf(const State& state);
std::expected<State, Problem> stateOf(std::string_view text);

}  // namespace reeve
