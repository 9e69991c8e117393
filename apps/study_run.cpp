// One run of a study, its journal, and the threads that share the runs.
#include "study_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "command.h"
#include "drive.h"
#include "ranks.h"
#include "reeve/record/number.h"
#include "reeve/record/trajectory.h"
#include "reeve/scene/scene.h"
#include "reeve/scene/swap_model.h"
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

}  // namespace

std::string studyLine(const StudyJob& job, std::size_t k, const std::vector<std::string>& inputs) {
  const StudyPlan& plan = job.plan;
  const std::string& file = job.scene.file;
  std::string scene = job.scene.text;
  for (std::size_t i = 0; i < inputs.size(); ++i) scene = withValue(file, scene, plan.inputs[i].path + "=" + inputs[i]);
  std::string line = std::to_string(k);
  for (const std::string& input : inputs) line += "," + record::csvCell(input);
  const auto blank = [&](const std::string& why) {
    return line + std::string(plan.outputs.size(), ',') + "," + record::csvCell(why) + "\n";
  };
  auto description = readScene(scene, file);
  if (!description) return blank(description.error().path + ": " + description.error().reason);
  job.overrides.apply(description->settings);
  auto built = buildNoting(std::move(*description));
  if (!built) return blank(built.error().path + ": " + built.error().reason);
  World* const world = &built->world;
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

Journal::Journal(const fs::path& file, const std::string& mark) : path_(file.string()) {
  // Who was killed may leave processes behind that end a moment later; two at once would do every run twice.
  const int own = ::open(path_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (own < 0) throw Failure(badInput, path_ + ": cannot be opened");
  file_ = own;
  for (int tries = 0; ::flock(own, LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (tries >= 50)
      throw Failure(badInput, path_ + ": another study is writing here\nhelp: wait for it, or give another --out");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  const std::string head = "# study " + mark + "\n";
  std::string text = readText(path_);
  if (!text.empty() && !text.starts_with(head))
    throw Failure(badInput, fmt::format("{}: belongs to another study\nhelp: give another --out, or remove the file to "
                                        "begin again",
                                        path_));
  text.resize(text.empty() ? 0 : text.rfind('\n') + 1);
  std::size_t at = head.size();
  while (at < text.size()) {
    const std::size_t end = text.find('\n', at) + 1;
    lines_[std::strtoull(text.c_str() + at, nullptr, 10)] = text.substr(at, end - at);
    at = end;
  }
  // A torn line at the end is cut off; what is whole stays where it is.
  if (::ftruncate(own, static_cast<off_t>(text.size())) != 0) throw Failure(badInput, path_ + ": cannot be written");
  if (text.empty() && ::write(own, head.data(), head.size()) != static_cast<ssize_t>(head.size()))
    throw Failure(badInput, path_ + ": cannot be written");
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

void Journal::add(std::size_t k, const std::string& line) {
  if (::write(file_, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    throw Failure(badInput, path_ + ": cannot be written");
  lines_[k] = line;
}

// ---- who does the runs

namespace {

/// "1234 of 5000 runs, 60 s left", where a person looks on.
class StudyProgress {
 public:
  StudyProgress(const StudyPool& pool, std::size_t open) : pool_(pool), open_(open) {}
  void show() {
    ++done_;
    if (!pool_.progress) return;
    const double spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double left = spent / static_cast<double>(done_) * static_cast<double>(open_ - done_);
    fmt::print(stderr, "\r{} of {} runs, {:.0f} s left   ", pool_.journal.size(), pool_.all, left);
  }

 private:
  const StudyPool& pool_;
  std::size_t open_, done_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void onThreads(StudyPool& pool, const std::vector<std::size_t>& open, const InputsOf& inputsOf) {
  std::atomic<std::size_t> next = 0;
  std::mutex guard;
  std::string trouble;
  StudyProgress progress(pool, open.size());
  const auto work = [&] {
    while (!interrupted()) {
      const std::size_t i = next++;
      if (i >= open.size()) return;
      try {
        const std::string line = studyLine(pool.job, open[i], inputsOf(open[i]));
        if (line.empty()) return;
        const std::lock_guard lock(guard);
        pool.journal.add(open[i], line);
        progress.show();
      } catch (const Failure& failure) {
        const std::lock_guard lock(guard);
        if (trouble.empty()) trouble = failure.what();
        next = open.size();
        return;
      }
    }
  };
  std::vector<std::thread> threads;
  const auto many = static_cast<std::size_t>(std::max(pool.threads, 1));
  for (std::size_t i = 1; i < std::min(many, open.size()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  if (!trouble.empty()) throw Failure(badInput, trouble);
}

/// Every rank but this one has one run at a time; whoever is done gets the next.
void onRanks(StudyPool& pool, const std::vector<std::size_t>& open, const InputsOf& inputsOf) {
  StudyProgress progress(pool, open.size());
  std::size_t next = 0;
  int busy = 0;
  const auto hand = [&](int rank) {
    if (next >= open.size() || interrupted()) return;
    std::string message = std::to_string(open[next]);
    for (const std::string& input : inputsOf(open[next])) message += "\n" + input;
    ++next;
    ++busy;
    pool.ranks->send(rank, message);
  };
  for (int rank = 1; rank < pool.ranks->size(); ++rank) hand(rank);
  while (busy > 0) {
    int from = 0;
    const std::string line = pool.ranks->receive(from);
    --busy;
    if (line.starts_with("!")) throw Failure(badInput, line.substr(1));
    if (!line.empty()) {
      pool.journal.add(std::strtoull(line.c_str(), nullptr, 10), line);
      progress.show();
    }
    hand(from);
  }
}

}  // namespace

void StudyPool::run(const std::vector<std::size_t>& open, const InputsOf& inputsOf) {
  if (ranks && ranks->size() > 1)
    onRanks(*this, open, inputsOf);
  else
    onThreads(*this, open, inputsOf);
}

void serveStudy(const StudyJob& job, Ranks& ranks) {
  while (true) {
    int from = 0;
    const std::string message = ranks.receive(from);
    if (message.empty()) return;
    std::vector<std::string> parts(1);
    for (const char c : message)
      if (c == '\n')
        parts.emplace_back();
      else
        parts.back() += c;
    const std::vector<std::string> inputs(parts.begin() + 1, parts.end());
    try {
      ranks.send(0, studyLine(job, std::strtoull(parts[0].c_str(), nullptr, 10), inputs));
    } catch (const Failure& failure) {
      ranks.send(0, std::string("!") + failure.what());
    }
  }
}

}  // namespace reeve::command
