// Of the parts of a strand, what is more than a line.
#include <algorithm>

#include "reeve/cables/strand/strand_parts.h"

namespace reeve {

namespace {
/// Of the shortest segment allowed otherwise: what lies on a round body may begin with next to nothing.
constexpr double arcShare = 1e-3;
}  // namespace

bool StrandParts::losesEnds() const {
  return std::any_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.gone >= 0; });
}

int StrandParts::sharedChart(const Station& a, const Station& b) const {
  if (a.wheel || b.wheel) return -1;
  const Node &na = node(a.index), &nb = node(b.index);
  return na.place == Place::chart && nb.place == Place::chart && na.chart == nb.chart ? na.chart : -1;
}

bool StrandParts::gripsAtEnds(const Node& n) const {
  return n.place == Place::chart && n.spare < 0 && settings_.material.axial < unbounded && n.friction > 0.0 &&
         n.friction < unbounded && grounds_[at(n.chart)].chart->curved();
}

double StrandParts::nearestOf(const Segment& g) const {
  const bool arc = g.chart >= 0 && node(station(g.from).index).spare >= 0;
  return arc ? arcShare * nearest_ : nearest_;
}

}  // namespace reeve
