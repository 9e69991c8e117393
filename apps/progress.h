#pragma once
// A line on the terminal that says how far a run is and how long it will take. Silent in a pipe.
#include <chrono>
#include <string>

namespace reeve::command {

class Progress {
 public:
  /// `seconds` of simulation are ahead.
  Progress(double seconds, bool wanted);
  ~Progress();
  /// After any step; draws a few times a second.
  void show(double simulated);

 private:
  using Clock = std::chrono::steady_clock;
  bool active_;
  double seconds_;
  Clock::time_point start_, last_;
  bool drawn_ = false;
};

/// Columns of the terminal on the standard output; 0 if that is not a terminal.
int terminalWidth();

}  // namespace reeve::command
