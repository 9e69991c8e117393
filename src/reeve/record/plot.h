#pragma once
// Line plots over time as SVG: round ticks, units, a legend, colors that everyone can tell apart.
#include <string>
#include <vector>

#include "reeve/model/description.h"

namespace reeve::record {

struct Series {
  std::string label;
  std::vector<double> values;  ///< one per time; what is not finite leaves a gap
};

struct Panel {
  std::string title;
  std::string unit;
  std::vector<double> times;  ///< s, increasing
  std::vector<Series> series;
};

struct PlotOptions {
  double width = 900.0;        ///< px, of the page
  double panelHeight = 270.0;  ///< px
  int columns = 1;
  std::string title;
  std::string idPrefix = "g-";  ///< keeps ids apart when several drawings share an HTML page
};

std::string drawPlots(const std::vector<Panel>& panels, const PlotOptions& options = {});

/// Paths without what they have in common: bodies.load.position.z and bodies.hook.position.z become load and hook.
std::vector<std::string> shortLabels(const std::vector<std::string>& paths);

}  // namespace reeve::record
