#include "reeve/world/extremes.h"

#include <algorithm>
#include <cmath>

namespace reeve {

std::expected<Extremes, Problem> Extremes::of(const World& world, std::span<const std::string> paths) {
  Extremes out;
  for (const std::string& path : paths) {
    const auto found = world.resolve(path);
    if (!found) return std::unexpected(found.error());
    out.observables_.push_back(*found);
    out.paths_.push_back(path);
  }
  out.measured_.resize(paths.size());
  out.clear();
  return out;
}

void Extremes::clear() { values_.assign(paths_.size(), Extreme{}); }

void Extremes::add(const World& world) {
  world.readAll(observables_, measured_);
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const double x = measured_[i];
    if (std::isnan(x)) continue;
    Extreme& e = values_[i];
    if (e.samples == 0 || std::fabs(x) > std::max(std::fabs(e.smallest), std::fabs(e.largest))) e.at = world.time();
    e.smallest = e.samples == 0 ? x : std::min(e.smallest, x);
    e.largest = e.samples == 0 ? x : std::max(e.largest, x);
    ++e.samples;
    const double n = static_cast<double>(e.samples), square = e.rms * e.rms;
    e.mean += (x - e.mean) / n;
    e.rms = std::sqrt(square + (x * x - square) / n);
  }
}

}  // namespace reeve
