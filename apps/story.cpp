#include "story.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "command.h"
#include "files.h"
#include "reeve/record/picture.h"

namespace reeve::command {
namespace {

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
    auto labels = record::shortLabels(wanted[i].observe);
    for (std::size_t k = 0; k < wanted[i].observe.size(); ++k) {
      const auto observable = world.resolve(wanted[i].observe[k]);
      if (!observable) {
        Problem problem = observable.error();
        problem.path = fmt::format("/plots/{}/observe/{}", i, k);
        throw Failure(badInput, problemReport(scene_.name, "", problem));
      }
      observables_.push_back(*observable);
      const std::string span = spanLabel(wanted[i].observe[k], start_);
      labels_.push_back(span.empty() ? labels[k] : span);
    }
  }
  energy_ = observables_.size();
  for (const char* part : {"kinetic", "potential", "elastic", "total"})
    observables_.push_back(world.resolve(std::string("energy.") + part).value_or(Observable{}));
  motors_ = observables_.size();
  for (const auto& [name, motor] : scene_.motors)
    observables_.push_back(world.resolve("motors." + name + ".work").value_or(Observable{}));
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
    if (panel.unit.empty() && !paths.empty()) panel.unit = record::unitOf(paths[0]);
    for (std::size_t k = 0; k < paths.size(); ++k)
      panel.series.push_back({labels_[plot.first + k], values_[plot.first + k]});
    if (panel.title.empty())
      panel.title = panel.series.size() == 1 ? panel.series[0].label : panel.series[0].label + " and more";
    all.push_back(std::move(panel));
  }
  static constexpr const char* parts[] = {"kinetic", "potential", "elastic", "total"};
  record::Panel energy{"Energy", "J", times_, {}};
  for (std::size_t k = 0; k < 4; ++k) energy.series.push_back({parts[k], values_[energy_ + k]});
  std::vector<double> drift;
  for (std::size_t i = 0; i < times_.size(); ++i) {
    double work = 0.0;
    for (std::size_t m = motors_; m < values_.size(); ++m) work += values_[m][i] - values_[m][0];
    drift.push_back(values_[energy_ + 3][i] - values_[energy_ + 3][0] - work);
  }
  const auto& elastic = energy.series[2].values;
  if (std::all_of(elastic.begin(), elastic.end(), [](double x) { return x == 0.0; }))
    energy.series.erase(energy.series.begin() + 2);
  if (!energyAsked) all.push_back(std::move(energy));
  all.push_back({"Energy drift: change of the total that motors do not account for", "J", times_, {{"drift", drift}}});
  return all;
}

std::string Story::plots() const { return record::drawPlots(panels(), {.title = scene_.name}); }

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
