#pragma once
// Samples over time as CSV: a header of paths, one line per sample, numbers that read back to the same bits.
#include <span>
#include <string>
#include <vector>

namespace reeve::record {

/// Quoted where a comma, quote or line break in it would break a table (RFC 4180).
std::string csvCell(const std::string& text);

class Trajectory {
 public:
  /// Columns are `time` and then the paths, in their order; a path that is "time" itself is left out. `units`, one for
  /// each path or none at all, stand behind them in the header: "time [s]".
  explicit Trajectory(const std::vector<std::string>& paths, const std::vector<std::string>& units = {});

  /// Whether column `index` of the paths is written.
  bool keeps(std::size_t index) const { return index != time_; }
  std::size_t samples() const { return samples_; }

  /// `values` has one number per path given to the constructor. A value that is not a number leaves its field empty.
  void add(double time, std::span<const double> values);

  /// The text so far, which the caller writes away; the buffer is empty after it.
  std::string take();
  /// Characters that wait in the buffer.
  std::size_t waiting() const { return buffer_.size(); }

 private:
  std::string buffer_;
  std::size_t columns_;
  std::size_t time_;
  std::size_t samples_ = 0;
};

}  // namespace reeve::record
