#include "reeve/record/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "well_formed.h"

namespace reeve::record {
namespace {

Panel wave(std::size_t count, double scale) {
  Panel panel{"Wave", "N", {}, {{"sine", {}}, {"cosine", {}}}};
  for (std::size_t i = 0; i < count; ++i) {
    const double t = 0.01 * static_cast<double>(i);
    panel.times.push_back(t);
    panel.series[0].values.push_back(scale * std::sin(t));
    panel.series[1].values.push_back(scale * std::cos(t));
  }
  return panel;
}

TEST(Plot, isWellFormedForOrdinaryAndDegenerateData) {
  const double inf = std::numeric_limits<double>::infinity(), nan = std::nan("");
  const std::vector<std::vector<Panel>> pages = {
      {},
      {{}},
      {wave(1000, 3.0), wave(1, 1.0), wave(2, 0.0)},
      {wave(500, 1e300), wave(500, 1e-300), wave(500, -1e9)},
      {{"one point", "", {0.0}, {{"a", {5.0}}}}},
      {{"nothing finite", "m", {0, 1, 2}, {{"a", {nan, inf, -inf}}}}},
      {{"gaps", "m", {0, 1, 2, 3}, {{"a", {1, nan, 2, inf}}}}},
      {{"times do not move", "m", {1, 1, 1}, {{"a", {1, 2, 3}}}}},
      {{"<&\">", "<", {0, 1}, {{"<b>", {0, 1}}}}},
      {{"extremes", "m", {0, 1}, {{"a", {-1.7e308, 1.7e308}}}}},
  };
  for (const auto& page : pages)
    EXPECT_EQ(samples::flawOf(drawPlots(page)), "") << (page.empty() ? "empty" : page[0].title);
}

TEST(Plot, aMillionSamplesStayASmallFileAndKeepTheirPeak) {
  Panel panel{"long", "m", {}, {{"a", {}}}};
  for (int i = 0; i < 1000000; ++i) panel.times.push_back(i), panel.series[0].values.push_back(0.0);
  panel.series[0].values[777777] = 5.0;
  const std::string svg = drawPlots({panel});
  EXPECT_LT(svg.size(), 100000u);
  // The peak reaches close to the top of the plot: 50 px of head room, then 6 % of margin.
  EXPECT_NE(svg.find(",6"), std::string::npos);
}

TEST(Plot, labelsLeaveOutWhatTheyShare) {
  EXPECT_EQ(shortLabels({"bodies.load.position.z", "bodies.hook.position.z"}),
            (std::vector<std::string>{"load", "hook"}));
  EXPECT_EQ(shortLabels({"energy.kinetic", "energy.total"}), (std::vector<std::string>{"kinetic", "total"}));
  EXPECT_EQ(shortLabels({"cables.main.spans.0.tension"}), (std::vector<std::string>{"main.spans.0.tension"}));
  EXPECT_TRUE(shortLabels({}).empty());
}

}  // namespace
}  // namespace reeve::record
