#pragma once
// Smallest, largest, mean and root mean square of observables over a run, for programs.
//
//   auto extremes = Extremes::of(world, {"cables.rope.tension", "motors.winch.power"});
//   while (...) { world.step(); extremes->add(world); }
//   extremes->values()[0].largest
#include <span>
#include <string>
#include <vector>

#include "reeve/world/world.h"

namespace reeve {

struct Extreme {
  double smallest = 0.0, largest = 0.0;
  double at = 0.0;               ///< s, when its magnitude was largest
  double mean = 0.0, rms = 0.0;  ///< over the samples
  std::int64_t samples = 0;      ///< that were numbers; 0: the rest says nothing
};

class Extremes {
 public:
  /// Follows these observables, or names the path that is wrong. Nothing is read yet.
  static std::expected<Extremes, Problem> of(const World& world, std::span<const std::string> paths);
  /// Takes in what is measured now. A value that is NaN (a span that is not there) is left out.
  void add(const World& world);
  /// In the order of the paths.
  std::span<const Extreme> values() const { return values_; }
  const std::vector<std::string>& paths() const { return paths_; }
  /// As if nothing had been read.
  void clear();

 private:
  std::vector<std::string> paths_;
  std::vector<Observable> observables_;
  std::vector<double> measured_;
  std::vector<Extreme> values_;
};

}  // namespace reeve
