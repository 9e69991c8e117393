#pragma once
// A race: one physical scene in several engines, one thread, in one run. What each takes per step, how wrong it is, and
// whether it failed.
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace reeve::race {

/// A scene under way in some engine.
class Runner {
 public:
  virtual ~Runner() = default;
  /// One step; nothing but the engine's own work. False: the engine itself reports failure.
  virtual bool step() = 0;
  /// What the race is judged by (Race::measures). Called after every step of the run that is judged, never while timed.
  virtual double measure() = 0;
  /// Kinetic and potential energy, J.
  virtual double energy() = 0;
};

struct Entrant {
  std::string engine;  ///< "reeve", "mujoco", "bullet", "ode"
  std::string how;     ///< "joints", "cylinders", "sequential impulse, 10 iterations"
  std::function<std::unique_ptr<Runner>(double dt)> start;  ///< empty: takes part in race/wasm.mjs alone
  /// The same set-up where it should stand still, judged by how far it comes (Race::still); empty: not checked.
  std::function<std::unique_ptr<Runner>(double dt)> atRest;
  std::optional<double> exact;  ///< of the measure at the end; without it a run of its own at a tenth of the step
  double wanted = 0.0;          ///< Reeve: largest time over the rival's that is asked for; 0: none
  std::string scene, drive;     ///< for another build of the same engine (race/wasm.mjs): as it reads it, what moves it
};

/// For a race that is judged by frequencies: one of them, and the mass times which every point counts.
struct Wave {
  double omega = 0.0;                               ///< rad/s
  std::vector<double> shape;                        ///< of the mode, at even distances from the load to the top
  double load = 0.0, perMetre = 0.0, length = 0.0;  ///< kg, kg/m, m
};

struct Race {
  std::string name;
  int size = 0;
  std::string measures;    ///< in words, with its unit
  double dt = 0.0;         ///< s
  int steps = 0;           ///< of the run that is judged
  int timed = 0;           ///< steps of one timed repeat, from the start
  bool relative = false;   ///< an error is |measure - exact|, or that as a share of what is exact for the entrant
  double work = 1.0;       ///< J, what energies are compared with
  double broken = 1e300;   ///< an error above this: failed
  double wild = 0.1;       ///< energy gained above this share of the work: failed
  double accuracy = 0.0;   ///< an error for which a step is looked for; 0: not looked for
  int finest = -5;         ///< the shortest step that is tried for it, dt 2^finest
  bool conserves = false;  ///< that accuracy asks the same of the energy, won or lost, as a share of the work
  double still = 0.0;      ///< how far a set-up that should stand still may come in a tenth of the time, at dt/10
  std::string reading;     ///< the measure for race/wasm.mjs: "fall weight", "joint middle"; empty: does not take part
  std::vector<Wave> waves;
  std::string rival;  ///< "mujoco cylinders": the entrant whose time is 1
  std::vector<Entrant> entrants;
};

struct Result {
  std::string key;  ///< the race as --only takes it
  std::string race, engine, how, rival, measures;
  int size = 0;
  double microseconds = 0.0;               ///< per step, the least of the repeats
  double error = 0.0, finer = 0.0;         ///< at the step, and at a tenth of it: what a sound set-up brings down
  double gained = 0.0, gainedFiner = 0.0;  ///< largest rise of the energy over Race::work
  bool failed = false;
  /// Its set-up: holds at a tenth of the step, or at a hundredth over a tenth of the time, and rests where it should.
  bool sound = true;
  double crept = -1.0;         ///< how far it came where it should have stood still; below zero: not checked
  double ratio = 0.0;          ///< time over the rival's; 0: there is no rival
  double accurateStep = 0.0;   ///< s, the longest step with Race::accuracy, or a shorter one that takes less; 0: none
  double accurateTime = 0.0;   ///< ms of CPU for the whole run with that step
  double accurateRatio = 0.0;  ///< over the rival's
  double wanted = 0.0;
  /// Wanted and not reached, beside every peer that is not set up in doubt: by the time at equal accuracy where both
  /// have one, or as soon as the peer alone has; otherwise, beside those that did not fail, at equal step. Who fails
  /// misses it anyway.
  bool missed = false;
  std::string behind;  ///< the first peer that is ahead, "bullet Dantzig"
};

struct Effort {
  double seconds = 0.5;  ///< of CPU for each entrant's repeats, at least
  int repeats = 5;       ///< at least
};

/// Judges every entrant, then times them in turns, so that a busy machine is unfair to nobody.
std::vector<Result> run(Race race, const Effort& effort);

}  // namespace reeve::race
