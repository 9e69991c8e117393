#pragma once
// Cables whose route changes (contacts come and go, spans split and merge) over time, as CSV: the columns of a
// trajectory are those of the start, so spans that come later, and which spans those numbers are of, are written here.
#include <string>
#include <vector>

#include "reeve/world/observation.h"

namespace reeve::record {

class Routes {
 public:
  Routes();

  /// Writes a line for every span of each cable that runs otherwise than at the first sample, and once more when it
  /// runs as it did then. Where a sample has no line of a cable, its route is that of the start.
  void add(const Observation& seen);

  /// The text so far, which the caller writes away; the buffer is empty after it.
  std::string take();
  std::size_t waiting() const { return buffer_.size(); }

 private:
  struct Kept {
    std::vector<std::string> start;  ///< names of what the spans ran between at the first sample
    bool elsewhere = false;          ///< at the last sample it ran otherwise
  };
  std::string buffer_;
  std::vector<Kept> cables_;
};

}  // namespace reeve::record
