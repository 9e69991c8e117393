#pragma once
// Extremes of a run: what a rope, a bearing or a motor must stand is its largest load, not its last one.
#include <cstdint>
#include <string>
#include <vector>

#include "reeve/world/world.h"

namespace reeve::record {

/// Smallest, largest and root mean square of one number over the steps of a run, the start included.
struct Peak {
  std::string subject;   ///< "cables.main.spans.0"
  std::string quantity;  ///< "tension"
  std::string unit;      ///< "N"
  std::string label;     ///< for people: "main: winch – hook"
  double smallest = 0.0;
  double largest = 0.0;
  double at = 0.0;        ///< s, when its magnitude was largest
  double rms = 0.0;       ///< root of the mean square over time
  double breaking = 0.0;  ///< N, of a tension whose cable has a breaking load; 0 otherwise
  std::int64_t samples = 0;

  /// Breaking load over the largest tension; 0 where there is no such load or no tension.
  double safety() const { return breaking > 0.0 && largest > 0.0 ? breaking / largest : 0.0; }
};

/// Follows tensions of cables and spans, forces and torques of joints, forces and power of motors, speeds of bodies and
/// particles, rates of rotors. Tensions and reactions are known after the first step, so they begin there.
class PeakMeter {
 public:
  explicit PeakMeter(const World& world);
  /// After every step.
  void look(const World& world);
  /// What was seen, in the order cables, spans, motors, joints, rotors, bodies, particles. What was never a number is
  /// left out.
  std::vector<Peak> peaks() const;

 private:
  enum class Kind { plain, magnitude, power };
  struct Followed {
    Peak peak;
    Kind kind = Kind::plain;
    std::size_t first = 0;  ///< of observables_; a magnitude has three
    double before = 0.0;    ///< work at the last step, J
    double squares = 0.0;
    double magnitude = 0.0;
  };
  void follow(const World& world, Kind kind, const std::string& subject, const char* field, const char* quantity,
              std::string unit, std::string label);
  void followCables(const World& world);
  void followMachines(const World& world);

  std::vector<Followed> followed_;
  std::vector<Observable> observables_;
  std::vector<double> values_;
  double time_;
};

}  // namespace reeve::record
