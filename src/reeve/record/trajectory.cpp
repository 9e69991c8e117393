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

Trajectory::Trajectory(const std::vector<std::string>& paths, const std::vector<std::string>& units)
    : columns_(paths.size()),
      time_(static_cast<std::size_t>(std::find(paths.begin(), paths.end(), "time") - paths.begin())) {
  buffer_ = units.empty() ? "time" : "time [s]";
  for (std::size_t i = 0; i < columns_; ++i) {
    if (!keeps(i)) continue;
    const std::string unit = i < units.size() && !units[i].empty() ? " [" + units[i] + "]" : "";
    buffer_.append(",").append(csvCell(paths[i] + unit));
  }
  buffer_ += '\n';
}

void Trajectory::add(double time, std::span<const double> values) {
  appendShortest(buffer_, time);
  for (std::size_t i = 0; i < columns_; ++i) {
    if (!keeps(i)) continue;
    buffer_ += ',';
    if (i < values.size() && std::isfinite(values[i])) appendShortest(buffer_, values[i]);
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
