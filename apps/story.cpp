#include "story.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include "command.h"
#include "files.h"
#include "reeve/record/picture.h"
#include "reeve/world/observables.h"

namespace reeve::command {
namespace {

/// What there is, then who did work on it.
constexpr std::array<std::string_view, 12> energyParts{"kinetic", "potential", "elastic", "total",
                                                       "motors",  "moved",     "applied", "friction",
                                                       "damping", "drag",      "impacts", "remains"};

/// "cables.hoist.spans.2.tension" as "hoist: t1 – h1": numbers of spans say nothing to people.
std::string spanLabel(const std::string& path, const Observation& start) {
  for (const auto& [name, cable] : start.cables) {
    const std::string head = "cables." + name + ".spans.";
    if (!path.starts_with(head)) continue;
    const auto index = static_cast<std::size_t>(std::strtoul(path.c_str() + head.size(), nullptr, 10));
    if (index < cable.spans.size() && cable.spans.size() > 1)
      return name + ": " + cable.spans[index].from + " – " + cable.spans[index].to;
    return name;
  }
  return "";
}

}  // namespace

Story::Story(const World& world, std::size_t samples)
    : scene_(world.description()), samples_(samples), player_(scene_, world.observe(), samples) {
  start_ = world.observe();
  const auto& wanted = scene_.plots;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    plots_.push_back({wanted[i], observables_.size()});
    std::string& unit = plots_.back().settings.unit;
    auto labels = record::shortLabels(wanted[i].observe);
    for (std::size_t k = 0; k < wanted[i].observe.size(); ++k) {
      const auto observable = world.resolve(wanted[i].observe[k]);
      if (!observable) {
        Problem problem = observable.error();
        problem.path = fmt::format("/plots/{}/observe/{}", i, k);
        throw Failure(badInput, problemReport(scene_.name, "", problem));
      }
      observables_.push_back(*observable);
      if (unit.empty()) unit = unitOf(world, *observable);
      const std::string span = spanLabel(wanted[i].observe[k], start_);
      labels_.push_back(span.empty() ? labels[k] : span);
    }
  }
  energy_ = observables_.size();
  for (const std::string_view part : energyParts)
    observables_.push_back(world.resolve("energy." + std::string(part)).value_or(Observable{}));
  values_.resize(observables_.size());
  row_.resize(observables_.size());
}

void Story::sample(const World& world) {
  if (!times_.empty() && times_.back() == world.time()) return;
  world.readAll(observables_, row_);
  for (std::size_t i = 0; i < row_.size(); ++i) values_[i].push_back(row_[i]);
  times_.push_back(world.time());
  const bool middle = times_.size() - 1 == samples_ / 2;
  if (!player_.wants() && !middle) return player_.add(nullptr);
  const Observation seen = world.observe();
  player_.add(&seen);
  if (middle) middle_ = seen;
}

std::vector<record::Panel> Story::panels() const {
  std::vector<record::Panel> all;
  bool energyAsked = false;
  for (const Plotted& plot : plots_) {
    const auto& paths = plot.settings.observe;
    energyAsked |= paths.size() > 2 && std::all_of(paths.begin(), paths.end(),
                                                   [](const auto& path) { return path.starts_with("energy."); });
    record::Panel panel{plot.settings.title, plot.settings.unit, times_, {}};
    for (std::size_t k = 0; k < paths.size(); ++k)
      panel.series.push_back({labels_[plot.first + k], values_[plot.first + k]});
    if (panel.title.empty())
      panel.title = panel.series.size() == 1 ? panel.series[0].label : panel.series[0].label + " and more";
    all.push_back(std::move(panel));
  }
  record::Panel energy{"Energy", "J", times_, {}};
  for (std::size_t k = 0; k < 4; ++k) energy.series.push_back({std::string(energyParts[k]), values_[energy_ + k]});
  record::Panel work{"Work done since the start, and what remains", "J", times_, {}};
  for (std::size_t k = 4; k < energyParts.size(); ++k) {
    std::vector<double> line = values_[energy_ + k];
    const double start = line.empty() ? 0.0 : line.front();
    for (double& x : line) x -= start;
    if (energyParts[k] == "remains" || std::any_of(line.begin(), line.end(), [](double x) { return x != 0.0; }))
      work.series.push_back({std::string(energyParts[k]), std::move(line)});
  }
  const auto& elastic = energy.series[2].values;
  if (std::all_of(elastic.begin(), elastic.end(), [](double x) { return x == 0.0; }))
    energy.series.erase(energy.series.begin() + 2);
  if (!energyAsked) all.push_back(std::move(energy));
  all.push_back(std::move(work));
  return all;
}

const std::string& Story::plots() {
  if (plotsText_.empty()) plotsText_ = record::drawPlots(panels(), {.title = scene_.name});
  return plotsText_;
}

std::string Story::picture(const Observation& seen, const char* prefix) const {
  record::PictureOptions look;
  if (!player_.frame().empty()) {
    record::PictureFrame frame = player_.frame();
    frame.include(record::pictureFrame(scene_, seen, look));
    look.frame = frame;
  }
  const Vec2 page = record::pageFor(look.frame.value_or(record::PictureFrame{}));
  look.width = page.x(), look.height = page.y();
  look.idPrefix = prefix;
  look.forces = player_.forces();
  return record::drawPicture(scene_, seen, look);
}

const std::string& Story::endPicture(const Observation& end) {
  if (end_.empty()) end_ = picture(end, "e-");
  return end_;
}

std::string Story::page(const record::RunFacts& facts, const Observation& end, record::ReportParts parts) {
  player_.finish(end);
  parts.about = scene_.about;
  parts.pictures.push_back({fmt::format("At the start, t = {:.6g} s", start_.time), picture(start_, "s-")});
  if (middle_.steps > start_.steps && middle_.steps < end.steps)
    parts.pictures.push_back({fmt::format("In the middle, t = {:.6g} s", middle_.time), picture(middle_, "m-")});
  parts.pictures.push_back({fmt::format("At the end, t = {:.6g} s", end.time), endPicture(end)});
  parts.plots = plots();
  parts.player = player_.json(panels());
  return record::writeReport(facts, end, parts);
}

}  // namespace reeve::command
