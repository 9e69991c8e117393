#pragma once
// Which rows hold, and what they ask of a linear solve: written once for steps, for velocities after a jump, for
// accelerations and for the parts of a sweep.
//
// A bounded row holds (Mode::free: its multiplier is what it needs) or sits at a bound. It leaves when its multiplier
// is beyond its bounds; it holds again when what it asks, g = J x + e μ − target, is on the side that the bound allows.
#include "reeve/solvers/direct/trial.h"

namespace reeve {

struct Bounds {
  double lower = 0.0, upper = 0.0;
  /// Friction under no load, and what is given: nothing to decide.
  bool closed() const { return lower >= upper; }
  double at(Mode mode) const { return mode == Mode::lower ? lower : upper; }
};
/// Under the multipliers by slot.
inline Bounds boundsOf(const Row& row, std::span<const double> multiplier) {
  return {lowerBound(row, multiplier), upperBound(row, multiplier)};
}
/// The mode that a row which holds with this multiplier wants; `rounding` is a multiplier that is none.
Mode wishHolding(double multiplier, const Bounds& bounds, double rounding);
/// By how much a row that sits at its bound asks to hold; unbounded if that bound is gone.
double askAtBound(Mode mode, const Bounds& bounds, double g);
/// Puts a multiplier to the bound it sits at, unless that hangs on another multiplier.
void putToBound(const Row& row, Mode mode, const Bounds& bounds, double& multiplier);
/// What a row asks of the next linear solve, whose unknown multiplier is scale · `multiplier` (by slot). `value`: its
/// residual but for that multiplier.
RowEquation equationOf(const Row& row, Mode mode, const Bounds& bounds, double value, double compliance,
                       std::span<const double> multiplier, double scale, const RowSystem& system);

/// The active set of a step: changes modes from one trial to the next.
class ActiveSet {
 public:
  /// Nobody has changed its mode yet.
  void begin(std::size_t slots) { flips_.assign(slots, 0); }
  /// Changes the modes of the trial's rows, and forces that sit at bounds. Returns how many changed their mode.
  int update(const Step& step, int iteration);

 private:
  struct Wish {
    int row;
    Mode mode;
    bool touches = false;  ///< only because it touches
  };
  struct Wishes {
    bool leaving = false, waking = false;
  };
  Wishes gather(const Step& step, int iteration);
  void forgive(const Step& step);
  int grant(const Step& step, bool single);

  std::vector<std::uint8_t> flips_;  ///< by slot: changes of mode in this step
  std::vector<Wish> wishes_;         ///< rows that would change their mode
  std::vector<double> wrong_;        ///< by State::v index, m or rad: what forces beyond their bounds move
};

/// A row at its bound may be open by this share of Newton's tolerance before it holds again.
constexpr double slackShare = 0.01;
/// Iterations after which contacts that still change their mind are sorted out together.
constexpr int patience = 7;

}  // namespace reeve
