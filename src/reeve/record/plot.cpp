#include "reeve/record/plot.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reeve/record/number.h"
#include "reeve/record/palette.h"
#include "reeve/record/picture/view.h"
#include "reeve/record/svg.h"

namespace reeve::record {
namespace {

constexpr const char* axisInk = "#5b6570";

std::string plotText(double size, const char* colour, const char* anchor) {
  return attribute("font-size", size) + attribute("fill", colour) + attribute("text-anchor", anchor);
}

struct Range {
  double low = 0.0, high = 1.0;
};

Range rangeOf(const Panel& panel) {
  double low = 1e300, high = -1e300;
  for (const Series& series : panel.series)
    for (const double value : series.values)
      if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  if (low > high) return {};
  // A constant needs some height too. Changes below a thousandth are not worth a scale of seven digits.
  const double least = std::max(1e-3 * std::max(std::abs(low), std::abs(high)), 1e-12);
  if (high - low < least) {
    const double middle = low / 2 + high / 2;
    low = middle - least, high = middle + least;
  }
  const double margin = 0.06 * (high - low);
  return {low - margin, high + margin};
}

/// The quantity of an axis after the common power of ten was taken out.
struct Scale {
  double factor = 1.0;
  std::string unit;
};

Scale scaleOf(const Range& range, const std::string& unit) {
  const double largest = std::max(std::abs(range.low), std::abs(range.high));
  if (!(largest > 0.0) || (largest < 1e4 && largest >= 0.02)) return {1.0, unit};
  const Prefix prefix = siPrefix(largest);
  if (unit == "J" || unit == "N" || unit == "W" || unit == "m")
    return {prefix.factor, std::string(prefix.letter) + unit};
  int exponent = 0;
  for (double f = prefix.factor; f > 1.5; f /= 10) ++exponent;
  for (double f = prefix.factor; f < 0.5; f *= 10) --exponent;
  return {prefix.factor, (unit.empty() ? "× 10^" : unit + " × 10^") + std::to_string(exponent)};
}

/// At most two points per pixel column, so that a million samples stay a small file and no peak is lost.
std::vector<std::size_t> thinned(const std::vector<double>& values, std::size_t columns) {
  std::vector<std::size_t> kept;
  const std::size_t count = values.size();
  const std::size_t bucket = std::max<std::size_t>(1, count / (columns * 2));
  for (std::size_t first = 0; first < count; first += bucket) {
    const std::size_t last = std::min(first + bucket, count);
    std::size_t low = first, high = first;
    for (std::size_t i = first; i < last; ++i) {
      if (values[i] < values[low]) low = i;
      if (values[i] > values[high]) high = i;
    }
    kept.push_back(std::min(low, high));
    if (low != high) kept.push_back(std::max(low, high));
  }
  if (count > 0 && kept.back() != count - 1) kept.push_back(count - 1);
  return kept;
}

class PanelPainter {
 public:
  PanelPainter(Svg& svg, const Panel& panel, const Rect& frame, std::string clip)
      : svg_(svg),
        panel_(panel),
        clip_(std::move(clip)),
        values_(rangeOf(panel)),
        scale_(scaleOf(values_, panel.unit)) {
    plot_ = {frame.low + Vec2(72, 50), frame.high - Vec2(22, 36)};
    if (!panel.times.empty()) times_ = {panel.times.front(), panel.times.back()};
    if (!(times_.high > times_.low)) times_.high = times_.low + 1.0;
  }

  void draw() {
    svg_.text(plot_.low + Vec2(0, -30), panel_.title, plotText(14, "#1f2730", "start") + "font-weight=\"600\" ");
    axes();
    lines();
    legend();
  }

 private:
  Vec2 at(double time, double value) const {
    const double x = (time - times_.low) / (times_.high - times_.low);
    const double y = (value - values_.low) / (values_.high - values_.low);
    return plot_.low + Vec2(x, 1.0 - y).cwiseProduct(plot_.size());
  }

  void axes() {
    const Ticks x = niceTicks(times_.low, times_.high, static_cast<int>(plot_.size().x() / 90.0));
    for (const double t : x.at) {
      const double px = at(t, values_.low).x();
      svg_.line({px, plot_.low.y()}, {px, plot_.high.y()}, "stroke=\"#edf0f3\" stroke-width=\"1\" ");
      svg_.text({px, plot_.high.y() + 16}, rounded(t, x.decimals), plotText(11, axisInk, "middle"));
    }
    const Ticks y =
        niceTicks(values_.low / scale_.factor, values_.high / scale_.factor, static_cast<int>(plot_.size().y() / 30.0));
    for (const double v : y.at) {
      const double py = at(times_.low, v * scale_.factor).y();
      const bool zero = std::abs(v) < 1e-9 * y.step;
      svg_.line({plot_.low.x(), py}, {plot_.high.x(), py},
                zero ? "stroke=\"#b9c0c8\" stroke-width=\"1\" " : "stroke=\"#edf0f3\" stroke-width=\"1\" ");
      svg_.text({plot_.low.x() - 8, py + 4}, rounded(v, y.decimals), plotText(11, axisInk, "end"));
    }
    svg_.line({plot_.low.x(), plot_.high.y()}, plot_.high, "stroke=\"#8a929c\" stroke-width=\"1\" ");
    svg_.line(plot_.low, {plot_.low.x(), plot_.high.y()}, "stroke=\"#8a929c\" stroke-width=\"1\" ");
    svg_.text({plot_.high.x(), plot_.high.y() + 31}, "time, s", plotText(11, axisInk, "end"));
    if (!scale_.unit.empty()) svg_.text(plot_.low + Vec2(-8, -10), scale_.unit, plotText(11, axisInk, "end"));
  }

  std::string pen(std::size_t index) const {
    static constexpr std::array<const char*, 3> dashes{"", "6 3", "2 3"};
    const std::string dash = dashes[std::min<std::size_t>(index / 7, 2)];
    return attribute("stroke", lineColour(static_cast<int>(index))) + attribute("stroke-width", 1.7) +
           (dash.empty() ? "" : attribute("stroke-dasharray", dash));
  }

  void lines() {
    svg_.define("<clipPath id=\"" + clip_ + "\"><rect " + attribute("x", plot_.low.x()) +
                attribute("y", plot_.low.y() - 2) + attribute("width", plot_.size().x()) +
                attribute("height", plot_.size().y() + 4) + "/></clipPath>");
    svg_.open("g", "clip-path=\"url(#" + clip_ + ")\"");
    for (std::size_t s = 0; s < panel_.series.size(); ++s) {
      const std::vector<double>& values = panel_.series[s].values;
      std::vector<Vec2> run;
      const auto flush = [&] {
        if (run.size() == 1)
          svg_.circle(run[0], 1.6, attribute("fill", lineColour(static_cast<int>(s))));
        else
          svg_.polyline(run, pen(s));
        run.clear();
      };
      for (const std::size_t i : thinned(values, static_cast<std::size_t>(plot_.size().x()))) {
        if (i >= panel_.times.size() || !std::isfinite(values[i]) || !std::isfinite(panel_.times[i]))
          flush();
        else
          run.push_back(at(panel_.times[i], values[i]));
      }
      flush();
    }
    svg_.close();
  }

  void legend() {
    double x = plot_.low.x() + 8;
    const double y = plot_.low.y() - 13;
    for (std::size_t s = 0; s < panel_.series.size(); ++s) {
      const double width = textWidth(panel_.series[s].label, 11) + 40;
      if (x + width > plot_.high.x() && s > 0) {
        svg_.text({x, y + 4}, "and " + std::to_string(panel_.series.size() - s) + " more",
                  plotText(11, axisInk, "start"));
        return;
      }
      svg_.line({x, y}, {x + 20, y}, pen(s));
      svg_.text({x + 25, y + 4}, panel_.series[s].label, plotText(11, "#2f3843", "start"));
      x += width;
    }
  }

  Svg& svg_;
  const Panel& panel_;
  std::string clip_;
  Range values_, times_;
  Scale scale_;
  Rect plot_;
};

std::vector<std::string> split(std::string_view path) {
  std::vector<std::string> parts(1);
  for (const char c : path)
    if (c == '.')
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

}  // namespace

std::string drawPlots(const std::vector<Panel>& panels, const PlotOptions& options) {
  const int columns = std::max(options.columns, 1);
  const int rows = (static_cast<int>(panels.size()) + columns - 1) / columns;
  const double head = options.title.empty() ? 8.0 : 44.0;
  Svg svg(options.width, head + std::max(rows, 1) * options.panelHeight,
          options.title.empty() ? "Plots" : options.title);
  svg.tag("rect", "width=\"100%\" height=\"100%\" fill=\"#ffffff\" ");
  if (!options.title.empty())
    svg.text({24, 30}, options.title, plotText(17, "#1f2730", "start") + "font-weight=\"600\" ");
  const Vec2 size(options.width / columns, options.panelHeight);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const auto column = static_cast<double>(i % static_cast<std::size_t>(columns));
    const auto row = static_cast<double>(i / static_cast<std::size_t>(columns));
    const Vec2 corner(column * size.x(), head + row * size.y());
    PanelPainter(svg, panels[i], {corner, corner + size}, options.idPrefix + "plot" + std::to_string(i)).draw();
  }
  return std::move(svg).finish();
}

std::vector<std::string> shortLabels(const std::vector<std::string>& paths) {
  std::vector<std::vector<std::string>> all;
  for (const std::string& path : paths) all.push_back(split(path));
  std::vector<std::string> labels;
  if (paths.size() == 1) {
    std::string label = paths[0];
    // The section says least: "load.position.z" is clear without "bodies".
    if (all[0].size() > 2) label = label.substr(label.find('.') + 1);
    return {label};
  }
  const auto shared = [&](auto pick) {
    return std::all_of(all.begin(), all.end(),
                       [&](const auto& parts) { return parts.size() > 1 && pick(parts) == pick(all[0]); });
  };
  while (!all.empty() && shared([](const auto& parts) { return parts.front(); }))
    for (auto& parts : all) parts.erase(parts.begin());
  while (!all.empty() && shared([](const auto& parts) { return parts.back(); }))
    for (auto& parts : all) parts.pop_back();
  for (const auto& parts : all) {
    std::string label;
    for (const std::string& part : parts) label += (label.empty() ? "" : ".") + part;
    labels.push_back(label);
  }
  return labels;
}

}  // namespace reeve::record
