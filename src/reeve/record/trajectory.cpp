#include "reeve/record/trajectory.h"

#include <algorithm>
#include <cmath>

#include "reeve/record/number.h"

namespace reeve::record {

std::string csvCell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) out.append(c == '"' ? "\"\"" : std::string(1, c));
  return out + "\"";
}

Trajectory::Trajectory(const std::vector<std::string>& paths)
    : columns_(paths.size()),
      time_(static_cast<std::size_t>(std::find(paths.begin(), paths.end(), "time") - paths.begin())) {
  buffer_ = "time";
  for (std::size_t i = 0; i < columns_; ++i)
    if (keeps(i)) buffer_.append(",").append(csvCell(paths[i]));
  buffer_ += '\n';
}

void Trajectory::add(double time, std::span<const double> values) {
  buffer_ += shortest(time);
  for (std::size_t i = 0; i < columns_; ++i) {
    if (!keeps(i)) continue;
    buffer_ += ',';
    if (i < values.size() && std::isfinite(values[i])) buffer_ += shortest(values[i]);
  }
  buffer_ += '\n';
  ++samples_;
}

std::string Trajectory::take() {
  std::string out = std::move(buffer_);
  buffer_.clear();
  return out;
}

}  // namespace reeve::record
