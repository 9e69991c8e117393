// reeve run: simulates a scene and tells how it went.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "command.h"
#include "drive.h"
#include "files.h"
#include "recorder.h"
#include "reeve/record/table.h"
#include "reeve/threads/threads.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

/// Known before the simulation and not after it.
void mustBeWritable(const std::string& file) {
  if (file.empty()) return;
  const fs::path folder = fs::path(file).parent_path();
  if (fs::is_directory(file)) throw Failure(badInput, file + ": is a folder, expected a file name");
  if (access(folder.empty() ? "." : folder.c_str(), W_OK) != 0)
    throw Failure(badInput,
                  fmt::format("{}: its folder cannot be written to\nhelp: give a place that you may write to", file));
}

void saveLastGood(const World& world, const RunOptions& options) {
  const fs::path file =
      options.out.empty() ? fs::path("reeve-last-good.state") : fs::path(options.out) / "last-good.state";
  const Verdict& verdict = world.verdict();
  fmt::print(stderr, "reeve: the simulation went bad at t = {:.6g} s: {}: {}\n", verdict.time, verdict.culprit,
             verdict.reason);
  try {
    writeText(file, world.saveState());
    fmt::print(stderr, "  the last good state is in {}\n", file.string());
  } catch (const Failure& failure) {
    fmt::print(stderr, "  {}\n", failure.what());
  }
  fmt::print(stderr,
             "help: try a smaller --dt, more --substeps or --solver direct, and look at {} in `reeve picture`\n",
             verdict.culprit);
}

void printTables(const record::RunFacts& facts, const Observation& seen) {
  fmt::print("{}\n{}\n", facts.scene, record::paceLine(facts, seen));
  for (const record::Table& table : record::resultTables(facts, seen)) fmt::print("\n{}", record::tableText(table));
}

}  // namespace

int run(const RunOptions& options) {
  const LoadedScene scene = loadScene(options.scene, options.overrides);
  std::optional<Threads> threads;  // outlives the world
  if (options.threads > 1) threads.emplace(options.threads);
  World world = buildWorld(scene);
  if (threads) world.runWith(&*threads);
  if (!options.fromState.empty()) restoreState(world, options.fromState);
  auto expectations = record::ExpectationWatch::build(world);
  if (!expectations) throw Failure(badInput, problemReport(scene.file, scene.text, expectations.error()));
  mustBeWritable(options.saveState);
  mustBeWritable(options.html);

  const Settings& settings = world.description().settings;
  DriveOptions how{
      .seconds = settings.seconds, .progress = !options.quiet, .expectations = &*expectations, .peaks = true};
  how.every =
      options.every > 0 ? options.every : std::max<std::int64_t>(1, stepsFor(settings.seconds, settings.dt) / 1000);
  std::optional<Recorder> recorder;
  if (!options.out.empty()) recorder.emplace(options, world);
  std::optional<Story> story;
  const auto samples = static_cast<std::size_t>(stepsFor(settings.seconds, settings.dt) / how.every + 1);
  if (recorder || !options.html.empty()) story.emplace(world, samples);
  if (story)
    how.sample = [&](const World& now) {
      if (recorder) recorder->sample(now);
      story->sample(now);
    };
  catchInterrupts();
  record::RunFacts facts = drive(world, how);
  facts.source = scene.file;
  facts.seed = options.seed;

  const Observation seen = world.observe();
  if (options.json)
    fmt::print("{}", record::writeSummary(facts, seen));
  else
    printTables(facts, seen);
  std::fflush(stdout);
  if (facts.interrupted)
    fmt::print(stderr, "reeve: interrupted at t = {:.6g} s; these are the results so far\n", seen.time);
  if (!options.saveState.empty() && facts.verdict.good) writeText(options.saveState, world.saveState());
  if (recorder) {
    recorder->finish(world, facts, seen, *story);
    fmt::print(options.json ? stderr : stdout, "\nwritten to {}: {}\n", recorder->folder().string(),
               fmt::join(recorder->files(), ", "));
  }
  if (!options.html.empty()) {
    writeText(options.html, story->page(facts, seen, {.command = options.command, .version = REEVE_VERSION}));
    fmt::print(options.json ? stderr : stdout, "\nwritten to {}\n", options.html);
  }
  const auto failed = std::count_if(facts.expectations.begin(), facts.expectations.end(),
                                    [](const auto& result) { return result.measured && !result.met; });
  if (failed > 0) fmt::print(stderr, "reeve: {} of {} expectations NOT OK\n", failed, facts.expectations.size());
  if (!facts.verdict.good) {
    saveLastGood(world, options);
    return wentBad;
  }
  return ok;
}

}  // namespace reeve::command
