// reeve study: one scene, many runs. A journal keeps what is done, so that a killed study goes on where it stood.
#include "study.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "command.h"
#include "drive.h"
#include "files.h"
#include "reeve/math/hash.h"
#include "reeve/record/number.h"
#include "reeve/record/trajectory.h"
#include "reeve/scene/scene.h"
#include "set_value.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

/// Follows one output over a run.
class Taker {
 public:
  Taker(const StudyOutput& output, const World& world) : take_(output.take) {
    const auto found = world.resolve(output.path);
    if (!found) throw Failure(badInput, fmt::format("{}\nhelp: {}", found.error().reason, found.error().remedy));
    observable_ = *found;
  }
  void look(const World& world) {
    if (take_ == StudyOutput::Take::end) return;
    const double value = world.read(observable_);
    if (!std::isfinite(value)) return;
    smallest_ = count_ == 0 ? value : std::min(smallest_, value);
    largest_ = count_ == 0 ? value : std::max(largest_, value);
    sum_ += value;
    squares_ += value * value;
    ++count_;
  }
  double result(const World& world) const {
    const double n = static_cast<double>(std::max<std::int64_t>(count_, 1));
    switch (take_) {
      case StudyOutput::Take::end:
        return world.read(observable_);
      case StudyOutput::Take::smallest:
        return smallest_;
      case StudyOutput::Take::largest:
        return largest_;
      case StudyOutput::Take::rms:
        return std::sqrt(squares_ / n);
      default:
        return sum_ / n;
    }
  }

 private:
  StudyOutput::Take take_;
  Observable observable_;
  double smallest_ = 0.0, largest_ = 0.0, sum_ = 0.0, squares_ = 0.0;
  std::int64_t count_ = 0;
};

/// One run as a line of the table: number, inputs, outputs, verdict. Nothing in it depends on time or threads.
std::string lineOf(const StudyPlan& plan, const std::string& file, const std::string& text, std::size_t k,
                   const Overrides& overrides) {
  std::string scene = text;
  const std::vector<std::string> inputs = plan.inputsOf(k);
  for (std::size_t i = 0; i < inputs.size(); ++i) scene = withValue(file, scene, plan.inputs[i].path + "=" + inputs[i]);
  std::string line = std::to_string(k);
  for (const std::string& input : inputs) line += "," + record::csvCell(input);
  const auto blank = [&](const std::string& why) {
    return line + std::string(plan.outputs.size(), ',') + "," + record::csvCell(why) + "\n";
  };
  auto description = readScene(scene, file);
  if (!description) return blank(description.error().path + ": " + description.error().reason);
  overrides.apply(description->settings);
  auto world = World::build(std::move(*description));
  if (!world) return blank(world.error().path + ": " + world.error().reason);
  std::vector<Taker> takers;
  for (const StudyOutput& output : plan.outputs) takers.emplace_back(output, *world);
  const Settings& settings = world->description().settings;
  const std::int64_t steps = stepsFor(settings.seconds, settings.dt);
  for (std::int64_t i = 0; i < steps; ++i) {
    if (interrupted()) return {};
    if (!world->step().good) return blank(world->verdict().culprit + ": " + world->verdict().reason);
    for (Taker& taker : takers) taker.look(*world);
  }
  for (const Taker& taker : takers) {
    const double value = taker.result(*world);
    line += "," + (std::isfinite(value) ? record::shortest(value) : "");
  }
  return line + ",good\n";
}

/// Lines of finished runs, in the order in which they ended. Each is written by one call, so a kill leaves whole lines,
/// or one torn one at the end that is cut off.
class Journal {
 public:
  Journal(const fs::path& file, const std::string& mark) : path_(file.string()) {
    const std::string head = "# study " + mark + "\n";
    std::string text = fs::exists(file) ? readText(file.string()) : std::string();
    if (!text.empty() && !text.starts_with(head))
      throw Failure(badInput,
                    fmt::format("{}: belongs to another study\nhelp: give another --out, or remove the file to "
                                "begin again",
                                path_));
    text.resize(text.empty() ? 0 : text.rfind('\n') + 1);
    std::size_t at = head.size();
    while (at < text.size()) {
      const std::size_t end = text.find('\n', at) + 1;
      lines_[std::strtoull(text.c_str() + at, nullptr, 10)] = text.substr(at, end - at);
      at = end;
    }
    if (text.empty()) text = head;
    writeText(file, text);
    file_ = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    if (file_ < 0) throw Failure(badInput, path_ + ": cannot be opened");
  }
  ~Journal() {
    if (file_ >= 0) ::close(file_);
  }
  Journal(const Journal&) = delete;

  bool has(std::size_t k) const { return lines_.contains(k); }
  std::size_t size() const { return lines_.size(); }
  const std::map<std::size_t, std::string>& lines() const { return lines_; }
  void add(std::size_t k, const std::string& line) {
    if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
      throw Failure(badInput, path_ + ": cannot be written");
    lines_[k] = line;
  }

 private:
  std::string path_;
  int file_ = -1;
  std::map<std::size_t, std::string> lines_;
};

struct Work {
  const StudyPlan& plan;
  const LoadedScene& scene;
  const Overrides& overrides;
  std::vector<std::size_t> open;  ///< runs that are left to do
  std::atomic<std::size_t> next = 0;
  std::mutex guard;
  std::string trouble;  ///< what ended the study
};

void workOn(Work& work, Journal& journal, bool progress) {
  const auto start = std::chrono::steady_clock::now();
  while (!interrupted()) {
    const std::size_t i = work.next++;
    if (i >= work.open.size()) return;
    std::string line;
    try {
      line = lineOf(work.plan, work.scene.file, work.scene.text, work.open[i], work.overrides);
    } catch (const Failure& failure) {
      const std::lock_guard lock(work.guard);
      if (work.trouble.empty()) work.trouble = failure.what();
      work.next = work.open.size();
      return;
    }
    if (line.empty()) return;
    const std::lock_guard lock(work.guard);
    journal.add(work.open[i], line);
    if (!progress) continue;
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double left = spent / static_cast<double>(i + 1) * static_cast<double>(work.open.size() - i - 1);
    fmt::print(stderr, "\r{} of {} runs, {:.0f} s left   ", journal.size(), work.plan.count(), left);
  }
}

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

}  // namespace

int study(const StudyOptions& options) {
  const std::string text = readText(options.plan);
  const StudyPlan plan = readPlan(options.plan, text);
  // A scene beside the plan is meant before one of the working folder.
  const fs::path beside = fs::path(options.plan).parent_path() / plan.scene;
  Overrides overrides = options.overrides;
  overrides.sets.insert(overrides.sets.begin(), plan.overrides.begin(), plan.overrides.end());
  const LoadedScene scene = loadScene(fs::exists(beside) ? beside.string() : plan.scene, overrides);
  // The first run tells of wrong paths before a thousand do.
  {
    std::string first = scene.text;
    const std::vector<std::string> inputs = plan.inputsOf(0);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      first = withValue(scene.file, first, plan.inputs[i].path + "=" + inputs[i]);
    const auto read = readScene(first, scene.file);
    if (!read) throw Failure(badInput, problemReport(scene.file, first, read.error()));
    auto world = World::build(*read);
    if (!world) throw Failure(badInput, problemReport(scene.file, first, world.error()));
    for (const StudyOutput& output : plan.outputs) Taker(output, *world);
  }
  const fs::path folder =
      options.out.empty() ? fs::path(fs::path(options.plan).stem().string() + "-study") : fs::path(options.out);
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) throw Failure(badInput, folder.string() + ": cannot be made a folder");
  const auto [share, shares] = shardOf(options.shard);
  math::Hasher mark;
  mark.add(std::string_view(text));
  mark.add(std::string_view(scene.text));
  mark.add(std::string_view(overrides.seconds + " " + overrides.dt + " " + overrides.solver));
  Journal journal(folder / (shares > 1 ? fmt::format("journal-{}-of-{}.csv", share, shares) : "journal.csv"),
                  math::hex(mark.value()));
  Work work{plan, scene, options.overrides, {}, 0, {}, {}};
  for (std::size_t k = share - 1; k < plan.count(); k += shares)
    if (!journal.has(k)) work.open.push_back(k);
  const std::size_t before = journal.size();
  if (before > 0) fmt::print(stderr, "reeve: {} runs were done before; {} are left\n", before, work.open.size());
  catchInterrupts();
  const bool progress = isatty(STDERR_FILENO) && !options.quiet;
  std::vector<std::thread> threads;
  const auto many = static_cast<std::size_t>(std::max(options.threads, 1));
  for (std::size_t i = 1; i < std::min(many, work.open.size()); ++i)
    threads.emplace_back([&] { workOn(work, journal, progress); });
  workOn(work, journal, progress);
  for (std::thread& thread : threads) thread.join();
  if (progress) fmt::print(stderr, "\n");
  if (!work.trouble.empty()) throw Failure(badInput, work.trouble);
  const std::string name = shares > 1 ? fmt::format("table-{}-of-{}.csv", share, shares) : "table.csv";
  writeText(folder / name, tableOf(plan, journal));
  const auto bad = std::count_if(journal.lines().begin(), journal.lines().end(),
                                 [](const auto& item) { return !item.second.ends_with(",good\n"); });
  fmt::print("{}: {} of {} runs{}\n", (folder / name).string(), journal.size(), plan.count(),
             bad > 0 ? fmt::format(", {} of them not good", bad) : "");
  if (interrupted()) fmt::print(stderr, "reeve: interrupted; the same command goes on from here\n");
  return ok;
}

}  // namespace reeve::command
