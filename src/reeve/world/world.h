#pragma once
// A world that moves: model, state and workspace together, for people.
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "reeve/model/description.h"
#include "reeve/model/problem.h"
#include "reeve/world/observation.h"

namespace reeve {

struct Model;
struct State;
class Executor;

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

class World {
 public:
  /// Builds a world, or says what is wrong with the description.
  static std::expected<World, Problem> build(Description description);
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

  const Description& description() const;
  const Model& model() const;
  const State& state() const;
  double time() const;
  std::int64_t steps() const;

  /// Everything that can be measured now.
  Observation observe() const;
  /// A single number by path, "cables.main.spans.0.tension". resolve() names the nearest valid word on a bad path.
  std::expected<Observable, Problem> resolve(std::string_view path) const;
  double read(const Observable& observable) const;
  /// Many at once, values[i] of observables[i]: observables of one cable that stand together cost as much as one. What
  /// has no section is NaN.
  void readAll(std::span<const Observable> observables, std::span<double> values) const;
  /// Every scalar path of this world, in a fixed order (columns of a trajectory).
  std::vector<std::string> paths() const;
  /// Events since the last call.
  std::vector<Event> takeEvents();

  /// 64-bit hash of the whole state: equal bits, equal hash.
  std::uint64_t hash() const;
  /// The state as text that restores it bit for bit.
  std::string saveState() const;
  std::expected<void, Problem> restoreState(std::string_view text);

 private:
  struct Parts;
  explicit World(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace reeve
