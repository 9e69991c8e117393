// reeve study: one scene, many runs. A journal keeps what is done, so that a killed study goes on where it stood.
#include "study.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "command.h"
#include "drive.h"
#include "files.h"
#include "ranks.h"
#include "reeve/math/hash.h"
#include "reeve/record/trajectory.h"
#include "reeve/scene/scene.h"
#include "reeve/scene/swap_model.h"
#include "say.h"
#include "set_value.h"
#include "study_hdf5.h"
#include "study_run.h"
#include "study_search.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

std::string tableOf(const StudyPlan& plan, const Journal& journal) {
  std::string table = "run";
  for (const StudyInput& input : plan.inputs) table += "," + record::csvCell(input.path);
  for (const StudyOutput& output : plan.outputs) table += "," + record::csvCell(output.column);
  table += ",verdict\n";
  for (const auto& [k, line] : journal.lines()) table += line;
  return table;
}

/// i and n of "i/n", counted from 1.
std::pair<std::size_t, std::size_t> shardOf(const std::string& text) {
  if (text.empty()) return {1, 1};
  unsigned long i = 0, n = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%lu/%lu%n", &i, &n, &used) != 2 || used != static_cast<int>(text.size()) || i < 1 ||
      i > n)
    throw Failure(badInput, fmt::format("--shard: \"{}\" is no share\nhelp: write 1/4 for the first of four", text));
  return {i, n};
}

/// The first output of a line, with the sign of the search; infinite where the run was not good.
double valueIn(const StudyPlan& plan, const std::string& line) {
  std::size_t at = 0;
  for (std::size_t i = 0; i <= plan.inputs.size(); ++i) at = line.find(',', at) + 1;
  char* end = nullptr;
  const double value = std::strtod(line.c_str() + at, &end);
  const bool good = line.ends_with(",good\n") && end != line.c_str() + at;
  return good ? plan.sign * value : std::numeric_limits<double>::infinity();
}

/// A search takes the values of runs that are in the journal from there, so that it goes on where it stood.
void search(StudyPool& pool) {
  const StudyPlan& plan = pool.job.plan;
  std::size_t done = 0;
  const ValuesOf valuesOf = [&](const std::vector<Point>& points) {
    std::vector<double> values;
    const std::size_t first = done, count = std::min(points.size(), plan.runs - done);
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < count; ++i)
      if (!pool.journal.has(first + i)) open.push_back(first + i);
    if (!open.empty()) pool.run(open, [&](std::size_t k) { return plan.inputsAt(points[k - first]); });
    for (; done < first + count && pool.journal.has(done); ++done)
      values.push_back(valueIn(plan, pool.journal.lines().at(done)));
    return values;
  };
  const SearchOptions options{plan.inputs.size(), 1e-6, plan.seed};
  if (plan.sampling == "cma-es")
    cmaEs(options, valuesOf);
  else
    nelderMead(options, valuesOf);
}

/// "smallest cables.rope.tension: 812 in run 37: parameters.angle = 0.61".
std::string bestOf(const StudyPlan& plan, const Journal& journal) {
  const std::string* best = nullptr;
  double value = std::numeric_limits<double>::infinity();
  for (const auto& [k, line] : journal.lines())
    if (const double now = valueIn(plan, line); now < value) {
      value = now;
      best = &line;
    }
  if (!best) return "no run was good\n";
  std::string text = fmt::format("{} {}: {} in run {}", plan.sign > 0 ? "smallest" : "largest", plan.outputs[0].column,
                                 plan.sign * value, best->substr(0, best->find(',')));
  std::size_t at = best->find(',') + 1;
  for (const StudyInput& input : plan.inputs) {
    const std::size_t end = best->find(',', at);
    text += fmt::format("{} {} = {}", at == best->find(',') + 1 ? ":" : ",", input.path, best->substr(at, end - at));
    at = end + 1;
  }
  return text + "\n";
}

/// The first run reports wrong paths before a thousand do.
void tryFirst(const StudyJob& job) {
  const StudyPlan& plan = job.plan;
  const LoadedScene& scene = job.scene;
  std::string first = scene.text;
  const std::vector<std::string> inputs =
      plan.sign != 0.0 ? plan.inputsAt(std::vector<double>(plan.inputs.size(), 0.5)) : plan.inputsOf(0);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    first = withValue(scene.file, first, plan.inputs[i].path + "=" + inputs[i]);
  const auto read = readScene(first, scene.file);
  if (!read) throw Failure(badInput, problemReport(scene.file, first, read.error()));
  auto world = buildNoting(*read);
  if (!world) throw Failure(badInput, problemReport(scene.file, first, world.error()));
  for (const StudyOutput& output : plan.outputs)
    if (const auto found = world->world.resolve(output.path); !found)
      throw Failure(badInput, fmt::format("{}\nhelp: {}", found.error().reason, found.error().remedy));
}

fs::path studyFolder(const StudyOptions& options) {
  const fs::path folder =
      options.out.empty() ? fs::path(fs::path(options.plan).stem().string() + "-study") : fs::path(options.out);
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) throw Failure(badInput, folder.string() + ": cannot be made a folder");
  return folder;
}

/// What a journal belongs to.
std::string markOf(const std::string& text, const StudyJob& job) {
  math::Hasher mark;
  mark.add(std::string_view(text));
  mark.add(std::string_view(job.scene.text));
  const Overrides& overrides = job.overrides;
  mark.add(std::string_view(overrides.seconds + " " + overrides.dt + " " + overrides.solver));
  return math::hex(mark.value());
}

int runStudy(const StudyOptions& options, const std::string& text, const StudyJob& job, Ranks* ranks) {
  const StudyPlan& plan = job.plan;
  const fs::path folder = studyFolder(options);
  const auto [share, shares] = shardOf(options.shard);
  if (plan.sign != 0.0 && shares > 1)
    throw Failure(badInput, "--shard: a search cannot be cut into shares\nhelp: use --threads or mpirun");
  Journal journal(folder / (shares > 1 ? fmt::format("journal-{}-of-{}.csv", share, shares) : "journal.csv"),
                  markOf(text, job));
  std::vector<std::size_t> open;
  if (plan.sign == 0.0)
    for (std::size_t k = share - 1; k < plan.count(); k += shares)
      if (!journal.has(k)) open.push_back(k);
  if (journal.size() > 0 && plan.sign == 0.0)
    fmt::print(stderr, "reeve: {} runs were done before; {} are left\n", journal.size(), open.size());
  StudyPool pool{job, journal, options.threads, isatty(STDERR_FILENO) && !options.quiet, ranks, plan.count()};
  if (plan.sign != 0.0)
    search(pool);
  else
    pool.run(open, [&](std::size_t k) { return plan.inputsOf(k); });
  if (pool.progress) fmt::print(stderr, "\n");
  const std::string name = shares > 1 ? fmt::format("table-{}-of-{}.csv", share, shares) : "table.csv";
  const std::string table = tableOf(plan, journal);
  writeText(folder / name, table);
  if (options.hdf5) writeHdf5(table, (folder / name).replace_extension(".h5"));
  const auto bad = std::count_if(journal.lines().begin(), journal.lines().end(),
                                 [](const auto& item) { return !item.second.ends_with(",good\n"); });
  fmt::print("{}: {} of {} runs{}\n", (folder / name).string(), journal.size(), plan.count(),
             bad > 0 ? fmt::format(", {} of them not good", bad) : "");
  if (plan.sign != 0.0) fmt::print("{}", bestOf(plan, journal));
  if (interrupted()) fmt::print(stderr, "reeve: interrupted; the same command goes on from here\n");
  return ok;
}

}  // namespace

int study(const StudyOptions& options) {
  const std::string text = readText(options.plan);
  StudyJob job{readPlan(options.plan, text), {}, options.overrides};
  // A scene beside the plan is meant before one of the working folder.
  const fs::path beside = fs::path(options.plan).parent_path() / job.plan.scene;
  Overrides overrides = options.overrides;
  overrides.sets.insert(overrides.sets.begin(), job.plan.overrides.begin(), job.plan.overrides.end());
  job.scene = loadScene(fs::exists(beside) ? beside.string() : job.plan.scene, overrides);
  if (!options.dakota.empty()) return studyForDakota(std::move(job), options.dakota[0], options.dakota[1]);
  if (options.hdf5) needHdf5();
  tryFirst(job);
  catchInterrupts();
  const std::unique_ptr<Ranks> ranks = Ranks::join();
  if (!ranks) return runStudy(options, text, job, nullptr);
  if (ranks->rank() > 0) {
    serveStudy(job, *ranks);
    return ok;
  }
  try {
    const int code = runStudy(options, text, job, ranks.get());
    for (int rank = 1; rank < ranks->size(); ++rank) ranks->send(rank, "");
    return code;
  } catch (const Failure& failure) {
    say(stderr, "{}\n", failure.what());
    std::fflush(nullptr);
    ranks->abort(failure.code);
    throw;
  }
}

}  // namespace reeve::command
