// reeve compare: one scene, its cables in several models, side by side.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "caps.h"
#include "command.h"
#include "drive.h"
#include "files.h"
#include "models.h"
#include "reeve/math/hash.h"
#include "reeve/record/number.h"
#include "reeve/record/picture.h"
#include "reeve/record/plot.h"
#include "reeve/record/table.h"
#include "reeve/scene/json_writer.h"
#include "reeve/scene/swap_model.h"
#include "say.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

/// Tension of a cable over a run, N: of its tightest span at every sample.
struct TensionRecord {
  double sum = 0.0, peak = 0.0, peakTime = 0.0;
  std::vector<double> values;
  void add(double tension, double time) {
    sum += tension;
    values.push_back(tension);
    if (tension <= peak) return;
    peak = tension;
    peakTime = time;
  }
  double mean() const { return values.empty() ? 0.0 : sum / static_cast<double>(values.size()); }
};

/// How one model did.
struct ModelRun {
  CableModel model{};
  std::optional<Problem> refusal;
  std::vector<Problem> notes;
  record::RunFacts facts;
  Observation seen;
  std::vector<double> times;
  std::vector<std::vector<Vec3>> tracks;  ///< of every body and particle, by sample
  std::vector<TensionRecord> tensions;    ///< by cable
  double away = 0.0;                      ///< m, largest distance of anything from where the first model has it
  std::string picture;
  double perStep() const { return seen.steps > 0 ? facts.wallSeconds / static_cast<double>(seen.steps) : 0.0; }
};

void sampleRun(const World& world, ModelRun& run) {
  const Observation seen = world.observe();
  run.times.push_back(seen.time);
  std::vector<Vec3>& places = run.tracks.emplace_back();
  for (const auto& [name, body] : seen.bodies) places.push_back(body.position);
  for (const auto& [name, particle] : seen.particles) places.push_back(particle.position);
  run.tensions.resize(seen.cables.size());
  for (std::size_t c = 0; c < seen.cables.size(); ++c) {
    double tightest = 0.0;
    for (const SpanObservation& span : seen.cables[c].second.spans) tightest = std::max(tightest, span.tension);
    run.tensions[c].add(tightest, seen.time);
  }
}

ModelRun runModel(const LoadedScene& scene, CableModel model, bool progress) {
  ModelRun run;
  run.model = model;
  auto swapped = swapModel(scene.description, model);
  if (!swapped) {
    run.refusal = swapped.error();
    return run;
  }
  run.notes = std::move(swapped->notes);
  World& world = swapped->world;
  const Settings& settings = world.description().settings;
  DriveOptions how{.seconds = settings.seconds, .progress = progress};
  how.every = std::max<std::int64_t>(1, stepsFor(settings.seconds, settings.dt) / 1000);
  how.sample = [&](const World& now) { sampleRun(now, run); };
  run.facts = drive(world, how);
  run.seen = world.observe();
  run.picture = record::drawPicture(world.description(), run.seen);
  return run;
}

/// Largest distance of anything from where the first model that ran has it, over the samples both have.
void measureDistances(std::vector<ModelRun>& runs) {
  const auto first = std::find_if(runs.begin(), runs.end(), [](const ModelRun& r) { return !r.refusal; });
  if (first == runs.end()) return;
  for (ModelRun& run : runs)
    for (std::size_t i = 0; i < std::min(run.tracks.size(), first->tracks.size()); ++i)
      for (std::size_t k = 0; k < std::min(run.tracks[i].size(), first->tracks[i].size()); ++k)
        run.away = std::max(run.away, (run.tracks[i][k] - first->tracks[i][k]).norm());
}

double worked(const ModelRun& run) {
  double sum = 0.0;
  for (const record::WorkLine& line : record::workOf(run.facts, run.seen)) sum += line.joules;
  return sum;
}

bool isDoubtful(const ModelRun& run) { return !run.refusal && run.facts.trust() == record::Trust::doubtful; }

std::string_view verdictOf(const ModelRun& run) {
  return run.facts.verdict.good ? record::trustName(run.facts.trust()) : "went bad";
}

double remaining(const ModelRun& run) { return run.seen.energy.remains - run.facts.start.remains; }

/// Who did work, a column for everyone who did any in some model.
record::Table workTable(const std::vector<ModelRun>& runs) {
  record::Table table{.title = "Work on what moves, J", .columns = {{"by", "", true}}, .rows = {}};
  for (const ModelRun& run : runs)
    if (!run.refusal) table.columns.push_back({std::string(modelName(run.model)), ""});
  for (std::size_t k = 0; table.columns.size() > 1; ++k) {
    std::vector<std::string> row;
    bool any = false;
    for (const ModelRun& run : runs) {
      if (run.refusal) continue;
      const auto lines = record::workOf(run.facts, run.seen);
      if (k >= lines.size()) return table;
      if (row.empty()) row.emplace_back(lines[k].words);
      any = any || lines[k].joules != 0.0;
      row.push_back(record::readable(lines[k].joules));
    }
    if (any) table.rows.push_back(std::move(row));
  }
  return table;
}

record::Table modelTable(const std::vector<ModelRun>& runs) {
  record::Table table{.title = "Models",
                      .columns = {{"model", "", true},
                                  {"verdict", "", true},
                                  {"steps", ""},
                                  {"not converged", ""},
                                  {"per step", "µs"},
                                  {"farthest from the first", "m"},
                                  {"kinetic", "J"},
                                  {"potential", "J"},
                                  {"elastic", "J"},
                                  {"work", "J"},
                                  {"remains", "J"}},
                      .rows = {}};
  for (const ModelRun& run : runs) {
    if (run.refusal) continue;
    const EnergyObservation& e = run.seen.energy;
    table.rows.push_back({std::string(modelName(run.model)), std::string(verdictOf(run)),
                          std::to_string(run.seen.steps), std::to_string(run.seen.health.unconverged),
                          record::readable(1e6 * run.perStep()), record::readable(run.away),
                          record::readable(e.kinetic), record::readable(e.potential), record::readable(e.elastic),
                          record::readable(worked(run)), record::readable(remaining(run))});
  }
  return table;
}

record::Table cableTable(const std::vector<ModelRun>& runs) {
  record::Table table{.title = "Cables, tension of the tightest span",
                      .columns = {{"cable", "", true},
                                  {"model", "", true},
                                  {"mean", "N"},
                                  {"peak", "N"},
                                  {"at", "s"},
                                  {"end", "N"},
                                  {"length", "m"},
                                  {"stored", "m"}},
                      .rows = {}};
  std::size_t cables = 0;
  for (const ModelRun& run : runs) cables = std::max(cables, run.seen.cables.size());
  for (std::size_t c = 0; c < cables; ++c)
    for (const ModelRun& run : runs) {
      if (run.refusal || c >= run.tensions.size()) continue;
      const auto& [name, cable] = run.seen.cables[c];
      const TensionRecord& t = run.tensions[c];
      table.rows.push_back({name, std::string(modelName(run.model)), record::readable(t.mean()),
                            record::readable(t.peak), record::readable(t.peakTime),
                            record::readable(t.values.empty() ? 0.0 : t.values.back()), record::readable(cable.length),
                            record::readable(cable.stored)});
    }
  return table;
}

record::Table placeTable(const std::vector<ModelRun>& runs) {
  record::Table table{.title = "Positions at the end",
                      .columns = {{"body", "", true}, {"model", "", true}, {"x", "m"}, {"y", "m"}, {"z", "m"}},
                      .rows = {}};
  const auto add = [&](const std::string& name, const ModelRun& run, const Vec3& p) {
    table.rows.push_back({name, std::string(modelName(run.model)), record::readable(p.x()), record::readable(p.y()),
                          record::readable(p.z())});
  };
  const auto first = std::find_if(runs.begin(), runs.end(), [](const ModelRun& r) { return !r.refusal; });
  if (first == runs.end()) return table;
  constexpr std::size_t mostBodies = 12;
  const std::size_t bodies = first->seen.bodies.size(), all = bodies + first->seen.particles.size();
  for (std::size_t k = 0; k < std::min(all, mostBodies); ++k)
    for (const ModelRun& run : runs) {
      if (run.refusal) continue;
      if (k < bodies)
        add(run.seen.bodies[k].first, run, run.seen.bodies[k].second.position);
      else if (k - bodies < run.seen.particles.size())
        add(run.seen.particles[k - bodies].first, run, run.seen.particles[k - bodies].second.position);
    }
  table.leftOut = all > mostBodies ? all - mostBodies : 0;
  return table;
}

void printNotes(const std::vector<ModelRun>& runs) {
  for (const ModelRun& run : runs) {
    if (run.refusal)
      say(stdout, "\n{} cannot take this scene: {}: {}\n  help: {}\n", modelName(run.model), run.refusal->path,
          run.refusal->reason, run.refusal->remedy);
    for (const Problem& note : run.notes)
      say(stdout, "\nnote: {}: {}: {}\n", modelName(run.model), note.path, note.reason);
    if (!run.refusal && !run.facts.verdict.good)
      say(stdout, "\n{} went bad at t = {:.6g} s: {}: {}\n", modelName(run.model), run.facts.verdict.time,
          run.facts.verdict.culprit, run.facts.verdict.reason);
    if (run.refusal || !isDoubtful(run)) continue;
    say(stdout, "\nDOUBTFUL as {}: probably not what would happen\n", modelName(run.model));
    for (const record::Finding& f : run.facts.findings)
      say(stdout, "  from t = {:.6g} s: {} {}\n", f.time, f.subject, f.reason);
  }
}

void writeProblem(JsonWriter& json, const Problem& problem) {
  json.beginObject(JsonWriter::Layout::line);
  json.key("path").text(problem.path).key("reason").text(problem.reason).key("remedy").text(problem.remedy).endObject();
}

void writeModel(JsonWriter& json, const ModelRun& run) {
  json.key("model").text(modelName(run.model)).key("ran").boolean(!run.refusal);
  if (run.refusal) {
    json.key("refusal");
    writeProblem(json, *run.refusal);
    return;
  }
  json.key("good").boolean(run.facts.verdict.good).key("verdict").text(verdictOf(run));
  json.key("reason").text(run.facts.verdict.good ? "" : run.facts.verdict.culprit + ": " + run.facts.verdict.reason);
  json.key("notes").beginArray();
  for (const Problem& note : run.notes) writeProblem(json, note);
  json.endArray();
  json.key("time").number(run.seen.time).key("steps").integer(run.seen.steps);
  json.key("unconverged").integer(run.seen.health.unconverged);
  json.key("seconds_per_step").number(run.perStep()).key("hash").text(math::hex(run.facts.hash));
  json.key("largest_distance").number(run.away);
  const EnergyObservation& e = run.seen.energy;
  json.key("energy").beginObject(JsonWriter::Layout::line);
  json.key("kinetic").number(e.kinetic).key("potential").number(e.potential).key("elastic").number(e.elastic);
  json.key("motor_work")
      .number(record::motorWork(run.seen))
      .key("drift")
      .number(record::energyDrift(run.facts, run.seen));
  for (const record::WorkLine& line : record::workOf(run.facts, run.seen)) json.key(line.name).number(line.joules);
  json.key("remains").number(remaining(run)).key("turnover").number(run.facts.turnover);
  json.endObject();
  json.key("bodies").beginObject();
  const auto place = [&](const std::string& name, const Vec3& p) {
    json.key(name).beginArray(JsonWriter::Layout::line).number(p.x()).number(p.y()).number(p.z()).endArray();
  };
  for (const auto& [name, body] : run.seen.bodies) place(name, body.position);
  for (const auto& [name, particle] : run.seen.particles) place(name, particle.position);
  json.endObject().key("cables").beginObject();
  for (std::size_t c = 0; c < run.seen.cables.size(); ++c) {
    const auto& [name, cable] = run.seen.cables[c];
    const TensionRecord& t = run.tensions[c];
    json.key(name).beginObject(JsonWriter::Layout::line);
    json.key("mean_tension").number(t.mean()).key("peak_tension").number(t.peak).key("peak_time").number(t.peakTime);
    json.key("end_tension").number(t.values.empty() ? 0.0 : t.values.back());
    json.key("length").number(cable.length).key("stored").number(cable.stored).endObject();
  }
  json.endObject();
}

std::string comparisonJson(const LoadedScene& scene, const std::vector<ModelRun>& runs) {
  std::string text;
  JsonWriter json(text);
  json.beginObject().key("scene").text(scene.description.name).key("source").text(scene.file);
  json.key("models").beginArray();
  for (const ModelRun& run : runs) {
    json.beginObject();
    writeModel(json, run);
    json.endObject();
  }
  json.endArray().endObject();
  return text + "\n";
}

/// Heights of what moves and tensions of the cables, every model a line.
std::string overlayPlot(const LoadedScene& scene, const std::vector<ModelRun>& runs) {
  std::vector<record::Panel> panels;
  const auto first = std::find_if(runs.begin(), runs.end(), [](const ModelRun& r) { return !r.refusal; });
  if (first == runs.end()) return {};
  const auto panel = [&](std::string title, std::string unit, auto&& values) {
    record::Panel& p = panels.emplace_back();
    p.title = std::move(title);
    p.unit = std::move(unit);
    for (const ModelRun& run : runs)
      if (run.times.size() > p.times.size()) p.times = run.times;
    for (const ModelRun& run : runs)
      if (!run.refusal) {
        std::vector<double> line = values(run);
        line.resize(p.times.size(), std::nan(""));
        p.series.push_back({std::string(modelName(run.model)), std::move(line)});
      }
  };
  constexpr std::size_t mostPanels = 4;
  for (std::size_t c = 0; c < std::min(first->seen.cables.size(), mostPanels); ++c)
    panel("Tension of " + first->seen.cables[c].first, "N",
          [&](const ModelRun& run) { return run.tensions[c].values; });
  std::vector<std::string> names;
  for (const auto& [name, body] : first->seen.bodies) names.push_back(name);
  for (const auto& [name, particle] : first->seen.particles) names.push_back(name);
  for (std::size_t k = 0, shown = 0; k < names.size() && shown < mostPanels; ++k) {
    const auto moves = [&](const ModelRun& run) {
      return !run.refusal && (run.tracks.front()[k] - run.tracks.back()[k]).norm() > 1e-6;
    };
    if (!std::any_of(runs.begin(), runs.end(), moves)) continue;
    ++shown;
    panel("Height of " + names[k], "m", [&](const ModelRun& run) {
      std::vector<double> heights;
      for (const auto& places : run.tracks) heights.push_back(places[k].z());
      return heights;
    });
  }
  return record::drawPlots(panels, {.columns = 2, .title = scene.description.name + ": models compared"});
}

}  // namespace

int compare(const CompareOptions& options) {
  const std::vector<CableModel> models = modelsNamed(options.models);
  const LoadedScene scene = loadScene(options.scene, options.overrides);
  if (scene.description.cables.empty())
    throw Failure(badInput, fmt::format("{}: has no cables\nhelp: compare runs the cables of a scene in several models",
                                        scene.file));
  if (std::error_code error;
      !options.out.empty() && !fs::is_directory(options.out) && !fs::create_directories(options.out, error))
    throw Failure(badInput, fmt::format("{}: cannot be made a folder\nhelp: give --out a folder that you may write to",
                                        options.out));
  catchInterrupts();
  std::vector<ModelRun> runs;
  for (const CableModel model : models) {
    if (interrupted()) break;
    runs.push_back(runModel(scene, model, !options.quiet && !options.json));
  }
  measureDistances(runs);
  if (options.json) {
    fmt::print("{}", comparisonJson(scene, runs));
  } else {
    say(stdout, "{}\n", scene.description.name);
    for (const record::Table& table : {modelTable(runs), workTable(runs), cableTable(runs), placeTable(runs)})
      if (!table.rows.empty()) say(stdout, "\n{}", record::tableText(table));
    printNotes(runs);
  }
  if (!options.out.empty()) {
    const fs::path folder(options.out);
    writeText(folder / "compare.json", comparisonJson(scene, runs));
    writeText(folder / "overlay.svg", overlayPlot(scene, runs));
    for (const ModelRun& run : runs)
      if (!run.refusal) writeText(folder / fmt::format("{}.svg", modelName(run.model)), run.picture);
    fmt::print(options.json ? stderr : stdout, "\nwritten to {}: compare.json, overlay.svg, a picture per model\n",
               folder.string());
  }
  if (interrupted()) fmt::print(stderr, "reeve: interrupted\n");
  const bool any = std::any_of(runs.begin(), runs.end(), [](const ModelRun& r) { return !r.refusal; });
  const bool bad =
      std::any_of(runs.begin(), runs.end(), [](const ModelRun& r) { return !r.refusal && !r.facts.verdict.good; });
  const int judged =
      std::any_of(runs.begin(), runs.end(), isDoubtful) ? static_cast<int>(doubtful) : static_cast<int>(ok);
  return !any ? badInput : bad ? wentBad : judged;
}

}  // namespace reeve::command
