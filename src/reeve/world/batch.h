#pragma once
// Many worlds of one scene, stepped together: for learning, for planning, for parameter studies.
//
//   auto batch = Batch::build(description, 1000);
//   batch->runWith(&threads);                                   // reeve/threads; null: here
//   auto heights = batch->bind("bodies.load.position.z");       // live: n × 1
//   auto commands = batch->bind("commands");                    // live: n × motors, written by the program
//   batch->expand("rotors.drum.friction", frictions);           // one value per world
//   while (...) { ...; batch->step(); }
//
// Worlds share nothing but their description: each is what a single world would be, bit for bit, on any number of
// threads.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reeve/world/modes.h"
#include "reeve/world/world.h"

namespace reeve {

/// An array of a batch, row by row: world w has numbers [w · columns, (w + 1) · columns).
struct Bound {
  int id = -1;
  std::span<double> numbers;
  std::size_t columns = 0;
  double& at(std::size_t world, std::size_t column) const { return numbers[world * columns + column]; }
};

/// Which worlds; empty: all of them.
using Mask = std::span<const std::uint8_t>;

class Batch {
 public:
  static std::expected<Batch, Problem> build(const Description& description, std::size_t count);

  std::size_t size() const { return worlds_.size(); }
  World& operator[](std::size_t world) { return worlds_[world]; }
  const World& operator[](std::size_t world) const { return worlds_[world]; }
  void runWith(Executor* executor) { executor_ = executor; }

  /// A live array: what is measured (an observable's path, a vector's without .x, or the name of a reading: positions,
  /// velocities, coordinates, rates, motor_forces, motor_powers, tensions, lengths, length_rates, rests), brought up to
  /// date by step, reset and forward; or "commands", which step sends to the motors, a NaN leaving one as it is.
  std::expected<Bound, Problem> bind(std::string_view name);
  /// One value per world of a number that may change; it stays over reset().
  Done expand(std::string_view path, std::span<const double> values);
  /// Steps those of the mask; false if any of them has gone bad.
  std::expected<bool, Problem> step(Mask mask = {}, int count = 1);
  Done reset(Mask mask = {});
  /// Without a step: bound arrays as they are after changes of single worlds, forces those that act there now.
  Done forward(Mask mask = {});
  /// Of every world what World::linearise gives, in parallel; the first problem names its world.
  std::expected<std::vector<StateSpace>, Problem> linearise(std::span<const std::string> inputs,
                                                            std::span<const std::string> outputs);

 private:
  struct Array {
    std::string name;
    bool commands = false;
    bool reading = false;
    Reading which = Reading::positions;
    std::vector<Observable> observables;
    std::size_t columns = 0;
    std::vector<double> numbers;
  };
  Done checkMask(Mask mask) const;
  Done checkCommands(Mask mask) const;
  void refreshOne(std::size_t world);
  bool stepOne(std::size_t world, int count);
  template <class Work>
  void forWorlds(Mask mask, Work&& work);

  std::vector<World> worlds_;
  std::vector<std::unique_ptr<Array>> arrays_;
  std::vector<MotorHandle> motors_;
  std::vector<std::pair<ParameterHandle, std::vector<double>>> expanded_;
  std::vector<std::uint8_t> failed_;
  Executor* executor_ = nullptr;
};

}  // namespace reeve
