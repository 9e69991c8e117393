#include "recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include "command.h"
#include "files.h"
#include "reeve/record/picture.h"
#include "reeve/record/report.h"
#include "reeve/scene/scene.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

fs::path madeFolder(fs::path folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder))
    throw Failure(badInput,
                  fmt::format("{}: cannot be made a folder: {}\nhelp: give --out a folder that you may write to",
                              folder.string(), error ? error.message() : "something else is there"));
  return folder;
}

std::FILE* opened(const fs::path& path) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (!file)
    throw Failure(badInput, fmt::format("{}: cannot be written: {}\nhelp: give --out a folder that you may write to",
                                        path.string(), std::strerror(errno)));
  return file;
}

}  // namespace

Recorder::Recorder(fs::path folder, const World& world)
    : folder_(madeFolder(std::move(folder))),
      file_(opened(folder_ / "trajectory.csv"), &std::fclose),
      routesFile_(opened(folder_ / "routes.csv"), &std::fclose),
      trajectory_(world.paths()) {
  for (const std::string& path : world.paths()) columns_.push_back(world.resolve(path).value_or(Observable{}));
  row_.resize(columns_.size());
  const auto& wanted = world.description().plots;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    Plotted plot{wanted[i], {}, {}};
    for (std::size_t k = 0; k < wanted[i].observe.size(); ++k) {
      const auto observable = world.resolve(wanted[i].observe[k]);
      if (!observable) {
        Problem problem = observable.error();
        problem.path = fmt::format("/plots/{}/observe/{}", i, k);
        throw Failure(badInput, problemReport(world.description().name, "", problem));
      }
      plot.observables.push_back(*observable);
    }
    plot.values.resize(plot.observables.size());
    plots_.push_back(std::move(plot));
  }
}

void Recorder::sample(const World& world) {
  // The last step of a run may be a regular sample too.
  if (!times_.empty() && times_.back() == world.time()) return;
  for (std::size_t i = 0; i < columns_.size(); ++i)
    row_[i] = columns_[i].section < 0 ? std::nan("") : world.read(columns_[i]);
  trajectory_.add(world.time(), row_);
  const Observation seen = world.observe();
  routes_.add(seen);
  if (trajectory_.waiting() + routes_.waiting() > (std::size_t{1} << 20)) flush();
  times_.push_back(world.time());
  energies_.push_back(seen.energy);
  works_.push_back(record::motorWork(seen));
  for (Plotted& plot : plots_)
    for (std::size_t k = 0; k < plot.observables.size(); ++k) plot.values[k].push_back(world.read(plot.observables[k]));
}

void Recorder::put(const char* name, std::FILE* file, const std::string& text) const {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size())
    throw Failure(badInput, fmt::format("{}: cannot be written: {}", (folder_ / name).string(), std::strerror(errno)));
}

void Recorder::flush() {
  put("trajectory.csv", file_.get(), trajectory_.take());
  put("routes.csv", routesFile_.get(), routes_.take());
}

std::vector<record::Panel> Recorder::panels() const {
  record::Panel energy{"Energy", "J", times_, {{"kinetic", {}}, {"potential", {}}, {"elastic", {}}, {"total", {}}}};
  record::Panel drift{"Energy drift: change of the total that motors do not account for", "J", times_, {{"drift", {}}}};
  for (std::size_t i = 0; i < times_.size(); ++i) {
    const EnergyObservation& e = energies_[i];
    energy.series[0].values.push_back(e.kinetic);
    energy.series[1].values.push_back(e.potential);
    energy.series[2].values.push_back(e.elastic);
    energy.series[3].values.push_back(e.total);
    drift.series[0].values.push_back(e.total - energies_[0].total - (works_[i] - works_[0]));
  }
  const auto isZero = [](const record::Series& series) {
    return std::all_of(series.values.begin(), series.values.end(), [](double x) { return x == 0.0; });
  };
  if (isZero(energy.series[2])) energy.series.erase(energy.series.begin() + 2);
  std::vector<record::Panel> all;
  bool energyAsked = false;
  for (const Plotted& plot : plots_) {
    const auto& paths = plot.settings.observe;
    energyAsked |= paths.size() > 2 && std::all_of(paths.begin(), paths.end(),
                                                   [](const auto& path) { return path.starts_with("energy."); });
    record::Panel panel{plot.settings.title, plot.settings.unit, times_, {}};
    const auto labels = record::shortLabels(paths);
    if (panel.title.empty())
      panel.title = labels.size() == 1 ? labels[0] : fmt::format("{} and more", labels.empty() ? "" : labels[0]);
    if (panel.unit.empty() && !paths.empty()) panel.unit = record::unitOf(paths[0]);
    for (std::size_t k = 0; k < plot.values.size(); ++k) panel.series.push_back({labels[k], plot.values[k]});
    all.push_back(std::move(panel));
  }
  if (!energyAsked) all.push_back(std::move(energy));
  all.push_back(std::move(drift));
  return all;
}

void Recorder::finish(const World& world, const record::RunFacts& facts, const Observation& seen) {
  flush();
  if (std::fclose(file_.release()) != 0 || std::fclose(routesFile_.release()) != 0)
    throw Failure(badInput, fmt::format("{}: cannot be written: {}", (folder_ / "trajectory.csv").string(),
                                        std::strerror(errno)));
  const Description& scene = world.description();
  const std::string plots = record::drawPlots(panels(), {.title = scene.name});
  record::PictureOptions look;
  const std::string picture = record::drawPicture(scene, seen, look);
  writeText(folder_ / "scene.json", writeScene(scene));
  writeText(folder_ / "summary.json", record::writeSummary(facts, seen));
  writeText(folder_ / "plots.svg", plots);
  writeText(folder_ / "picture.svg", picture);
  writeText(folder_ / "final.state", world.saveState());
  writeText(folder_ / "report.html",
            record::writeReport(facts, seen, scene.about,
                                {{fmt::format("At the end, t = {:.6g} s", seen.time), picture}}, plots));
}

}  // namespace reeve::command
