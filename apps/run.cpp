// reeve run: simulates a scene and reports how it went.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "caps.h"
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

double positiveSeconds(const char* option, const std::string& text) {
  const double seconds = parseSeconds(option, text);
  if (!(seconds > 0.0) || !(seconds < 1e9)) throw Failure(badInput, fmt::format("{}: must be positive", option));
  return seconds;
}

/// No output may take the place of what the run was made from.
void keepInputs(const LoadedScene& scene, const RunOptions& options) {
  for (const std::string& input : {scene.file, options.fromState}) {
    mustNotOverwrite(options.saveState, input, "--save-state");
    mustNotOverwrite(options.html, input, "--html");
    if (options.out.empty()) continue;
    for (const char* name : {"scene.json", "final.state", "last-good.state", "summary.json", "trajectory.csv",
                             "trajectory.npz", "routes.csv", "plots.svg", "picture.svg", "report.html"})
      mustNotOverwrite(fs::path(options.out) / name, input, "--out");
  }
}

void saveLastGood(const World& world, const RunOptions& options) {
  const fs::path file =
      options.out.empty() ? fs::path("reeve-last-good.state") : fs::path(options.out) / "last-good.state";
  const Verdict& verdict = world.verdict();
  fmt::print(stderr, "reeve: the simulation went bad at t = {:.6g} s: {}: {}\n", verdict.time,
             printable(verdict.culprit), verdict.reason);
  try {
    if (options.out.empty()) {
      mustNotOverwrite(file, options.fromState, "--out");
      writeText(file, world.saveState());
    }
    fmt::print(stderr, "  the last good state is in {}\n", file.string());
  } catch (const Failure& failure) {
    fmt::print(stderr, "  {}\n", failure.what());
  }
  fmt::print(stderr,
             "help: try a smaller --dt, more --substeps or --solver direct, and look at {} in `reeve picture`\n",
             printable(verdict.culprit));
}

/// The last lines of a run: what speaks against it. True if it is doubtful.
bool tellFindings(const record::RunFacts& facts, std::FILE* out) {
  const record::Trust level = facts.trust();
  if (level != record::Trust::note && level != record::Trust::doubtful) return false;
  fmt::print(out, "\n{}: this run is {}\n", level == record::Trust::doubtful ? "DOUBTFUL" : "note",
             level == record::Trust::doubtful ? "probably not what would happen" : "worth checking");
  for (const record::Finding& f : facts.findings)
    fmt::print(out, "  from t = {:.6g} s: {} {}\n", f.time, printable(f.subject), printable(f.reason));
  if (level == record::Trust::doubtful)
    fmt::print(out, "help: try a smaller --dt; --allow-doubtful ends with 0 all the same\n");
  return level == record::Trust::doubtful;
}

void printTables(const record::RunFacts& facts, const Observation& seen) {
  fmt::print("{}\n{}\n", printable(facts.scene), record::paceLine(facts, seen));
  for (const record::Table& table : record::resultTables(facts, seen))
    fmt::print("\n{}", printable(record::tableText(table)));
}

}  // namespace

int run(const RunOptions& options) { return run(options, {}); }

int run(const RunOptions& options, const RunCaps& caps) {
  if (!caps.time.empty()) stopAfter(positiveSeconds("--time", caps.time));
  limitMemory(caps.memory);
  LoadedScene scene = loadScene(options.scene, options.overrides);
  std::optional<Threads> threads;  // outlives the world
  if (options.threads > 1) threads.emplace(options.threads);
  const std::size_t remarked = scene.remarks.size();
  World world = buildWorld(scene);
  catchInterrupts();  // before that, Ctrl-C ends the program: there is nothing to keep
  if (threads) world.runWith(&*threads);
  if (!options.fromState.empty()) restoreState(world, options.fromState, caps.force);
  auto expectations = record::ExpectationWatch::build(world);
  if (!expectations) throw Failure(badInput, problemReport(scene.file, scene.text, expectations.error()));
  mustBeWritable(options.saveState);
  mustBeWritable(options.html);
  keepInputs(scene, options);
  if (options.units && options.format != "csv")
    throw Failure(badInput, "--units: belongs to the header of a CSV\nhelp: leave it out, or take --format csv");

  const Settings& settings = world.description().settings;
  DriveOptions how{
      .seconds = settings.seconds, .progress = !options.quiet, .expectations = &*expectations, .peaks = true};
  how.every = options.every > 0 ? options.every
                                : std::max<std::int64_t>(1, (stepsFor(settings.seconds, settings.dt) + 999) / 1000);
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
  record::RunFacts facts = drive(world, how);
  facts.source = scene.file;
  for (std::size_t i = remarked; i < scene.remarks.size(); ++i)
    facts.notes.push_back({scene.remarks[i].path, scene.remarks[i].text});
  facts.seed = options.seed;

  const Observation seen = world.observe();
  // Files before words: whoever reads the words may have gone.
  if (!options.saveState.empty() && facts.verdict.good) writeText(options.saveState, world.saveState());
  if (recorder) recorder->finish(world, facts, seen, *story);
  if (!options.html.empty())
    writeText(options.html, story->page(facts, seen, {.command = options.command, .version = REEVE_VERSION}));
  if (options.json)
    fmt::print("{}", record::writeSummary(facts, seen));
  else
    printTables(facts, seen);
  std::fflush(stdout);
  if (facts.interrupted)
    fmt::print(stderr, "reeve: {} at t = {:.6g} s; these are the results so far\n",
               interruptedBy() == SIGALRM ? "the --time is up" : "interrupted", seen.time);
  std::FILE* const words = options.json ? stderr : stdout;
  if (recorder)
    fmt::print(words, "\nwritten to {}: {}\n", recorder->folder().string(), fmt::join(recorder->files(), ", "));
  if (!options.html.empty()) fmt::print(words, "\nwritten to {}\n", options.html);
  if (seen.health.unconverged > 0 && 2 * seen.health.unconverged > seen.steps)
    fmt::print(stderr, "reeve: {} of {} steps did not converge: take a smaller --dt before believing the numbers\n",
               seen.health.unconverged, seen.steps);
  const auto failed = std::count_if(facts.expectations.begin(), facts.expectations.end(),
                                    [](const auto& result) { return result.measured && !result.met; });
  if (failed > 0) fmt::print(stderr, "reeve: {} of {} expectations NOT OK\n", failed, facts.expectations.size());
  if (!facts.verdict.good) {
    saveLastGood(world, options);
    return wentBad;
  }
  const bool doubt = tellFindings(facts, words);
  if (doubt && !caps.allowDoubtful) return doubtful;
  return ok;
}

}  // namespace reeve::command
