#include "reeve/elements/coupling.h"

namespace reeve {

Coupling::Coupling(const CouplingSettings& settings, Side a, Side b)
    : settings_(settings), coefficients_(settings.polynomial), a_(a), b_(b) {
  if (coefficients_.empty()) coefficients_ = {settings.ratio};
}

double Coupling::value(double x, double& slope) const {
  double p = 0.0;
  slope = 0.0;
  for (auto c = coefficients_.rbegin(); c != coefficients_.rend(); ++c) {
    p = p * x + *c;
    slope = slope * x + p;
  }
  // Horner's rule has given q = c₁ + c₂ x + ... and, one step ahead, q + x q': the slope of x q.
  return p * x;
}

double Coupling::error(const Instant& now) const {
  double slope;
  return a_.axis->coordinate(now) - a_.start - value(b_.axis->coordinate(now) - b_.start, slope);
}

void Coupling::rows(const Instant& now, RowSet& out) const {
  double slope;
  const double p = value(b_.axis->coordinate(now) - b_.start, slope);
  out.group();
  Row& row = out.add(slot);
  row.error = a_.axis->coordinate(now) - a_.start - p;
  row.compliance = compliance(now);
  const int first = static_cast<int>(out.entries.size());
  b_.axis->pushCoordinate(now, out);
  for (std::size_t i = static_cast<std::size_t>(first); i < out.entries.size(); ++i)
    for (double& j : out.entries[i].j) j *= -slope;
  a_.axis->pushCoordinate(now, out);
}

Energy Coupling::energy(const Instant& now, std::span<const double> force) const {
  const double load = force[static_cast<std::size_t>(slot)];
  return {.elastic = 0.5 * compliance(now) * load * load};
}

std::optional<Parameter> Coupling::parameter(std::string_view field) const {
  if (field == "compliance") return Parameter{elementKey(*this, 0), settings_.compliance};
  return {};
}

}  // namespace reeve
