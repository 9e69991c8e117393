#pragma once
// How far Reeve is from what the machine can do: one thread, scalar arithmetic as the core is compiled.
#include <string>
#include <vector>

namespace reeve::race {

/// What this machine does at best, measured now. Rates of arithmetic are 0 where it is not an x86-64.
struct Machine {
  double chained = 0.0;  ///< flop/s of one chain x a + b: every operation waits for the one before
  double scalar = 0.0;   ///< flop/s of twelve such chains side by side
  double packed = 0.0;   ///< flop/s of twelve chains of pairs: SSE2, all that a build for every x86-64 may use
  double instructions =
      0.0;              ///< instructions/s of a loop of adds and products of integers and doubles, none of which waits
  double copied = 0.0;  ///< B/s read and written by a copy of 64 MB
  double triad = 0.0;   ///< B/s of a[i] = b[i] + s c[i] over three times 64 MB
};
Machine measureMachine(double seconds);

/// A machine of Reeve's, as so many equal units.
struct LimitCase {
  std::string name, unit;
  int size = 0;              ///< units
  double nanoseconds = 0.0;  ///< per unit and step
  double flops = 0.0;        ///< useful ones per unit and step, counted from the formulas
  double bytes = 0.0;        ///< of state that a step must read and write, per unit
};
/// Times all of them. `quick`: a few times.
std::vector<LimitCase> measureLimits(bool quick);

/// Runs the steps of one case once, in a function of their own, reeveLimitSteps, for callgrind. An exit code.
int runLimitCase(const std::string& name);

void print(const Machine& machine, const std::vector<LimitCase>& cases);
std::string limitJson(const Machine& machine, const std::vector<LimitCase>& cases);

}  // namespace reeve::race
