// Runs the benchmarks and adds what single numbers do not show: how cost grows with size, the table of paper 000, and
// what was asked beside what was measured. With --check the exit code is 1 if something asked for is not met.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

struct Sample {
  double size = 0.0;
  double seconds = 0.0;    ///< of CPU, a pass of the benchmark's loop
  double iteration = 0.0;  ///< of CPU, a Newton iteration or a sweep; 0 if it counts none
};

/// The console's report, and a record of every run that has a size or a scene.
class Summary : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      if (run.error_occurred || run.run_type == Run::RT_Aggregate) continue;
      const double seconds = run.cpu_accumulated_time / static_cast<double>(run.iterations);
      const std::string name = run.run_name.function_name;
      if (name.starts_with("frame/")) frames_.push_back({name.substr(6), seconds, run.counters});
      if (run.run_name.args.empty() || run.run_name.args.find('/') != std::string::npos) continue;
      const auto iteration = run.counters.find("per iteration");
      families_[name].push_back({std::strtod(run.run_name.args.c_str(), nullptr), seconds,
                                 iteration == run.counters.end() ? 0.0 : static_cast<double>(iteration->second)});
    }
  }

  void printSlopes() const {
    bool titled = false;
    for (const auto& [name, samples] : families_) {
      if (samples.size() < 3) continue;
      if (!titled) std::printf("\nGrowth with size, log-log slope                a step  an iteration\n");
      titled = true;
      std::printf("  %-42s %8.3f", name.c_str(), slope(samples, &Sample::seconds));
      if (samples.front().iteration > 0.0)
        std::printf("  %8.3f", slope(samples, &Sample::iteration));
      else
        std::printf("          ");
      std::printf("   (%g to %g)\n", samples.front().size, samples.back().size);
    }
  }

  void printFrames() const {
    if (frames_.empty()) return;
    double segments = 0.0;
    for (const Frame& f : frames_)
      if (f.name == "segments/sweep100") segments = f.seconds;
    std::printf("\nPaper 000, a frame of 1/60 s on one core\n  %-24s %7s %11s %13s %13s %11s %12s\n", "scene/solver",
                "joints", "iterations", "ms a frame", "paper, ms", "off by, m", "segments/it");
    for (const Frame& f : frames_) {
      const double milliseconds = counter(f, "paper_ms");
      const std::string paper = milliseconds > 0.0 ? std::to_string(milliseconds).substr(0, 6) : "-";
      std::printf("  %-24s %7.0f %11.1f %13.5f %13s %11.1e", f.name.c_str(), counter(f, "joints"),
                  counter(f, "iterations"), 1e3 * f.seconds, paper.c_str(), counter(f, "error"));
      if (segments > 0.0) std::printf(" %12.1f", segments / f.seconds);
      std::printf("\n");
    }
  }

  /// What was asked of cost and accuracy; false if something that was measured falls short.
  bool printAsked() const {
    bool met = true, titled = false;
    const auto line = [&](const std::string& what, double measured, bool atMost, double asked) {
      if (!titled) std::printf("\nAsked and measured\n");
      titled = true;
      const bool ok = atMost ? measured <= asked : measured >= asked;
      met = met && ok;
      std::printf("  %-62s %10.4g  asked %s %-8g %s\n", what.c_str(), measured, atMost ? "<=" : ">=", asked,
                  ok ? "ok" : "NOT MET");
    };
    const Frame* segments = frame("segments/sweep100");
    for (const char* name : {"simple/sweep10", "simple/direct"})
      if (const Frame* simple = frame(name); simple && segments) {
        line(std::string(name) + ": times faster than segments", segments->seconds / simple->seconds, false, 50);
        line(std::string(name) + ": length error over that of segments",
             counter(*simple, "error") / counter(*segments, "error"), true, 1);
      }
    if (const Frame* hilbert = frame("hilbert3/direct"))
      line("hilbert3/direct: ms a frame", 1e3 * hilbert->seconds, true, 0.5);
    if (const auto wheels = families_.find("cableOverWheels"); wheels != families_.end() && wheels->second.size() > 2) {
      // 10⁵ wheels are a hundred megabytes: with small pages much of the time goes into finding them.
      if (!std::getenv("GLIBC_TUNABLES"))
        std::printf("\nWithout large pages; GLIBC_TUNABLES=glibc.malloc.hugetlb=1 asks for them, as make bench does\n");
      line("cable over wheels: slope of a step", slope(wheels->second, &Sample::seconds), true, 1.05);
      line("cable over wheels: slope of an iteration", slope(wheels->second, &Sample::iteration), true, 1.05);
    }
    for (const char* name : {"tackleJoints", "tackleStrand"})
      if (const auto tackle = families_.find(name); tackle != families_.end()) {
        std::vector<Sample> large;
        for (const Sample& sample : tackle->second)
          if (sample.size >= 64) large.push_back(sample);
        if (large.size() > 2)
          line(std::string(name) + ": slope of a step, 64 sheaves and more", slope(large, &Sample::seconds), true,
               1.03);
      }
    return met;
  }

 private:
  struct Frame {
    std::string name;
    double seconds;
    benchmark::UserCounters counters;
  };

  const Frame* frame(const std::string& name) const {
    for (const Frame& f : frames_)
      if (f.name == name) return &f;
    return nullptr;
  }
  static double counter(const Frame& f, const char* key) {
    const auto found = f.counters.find(key);
    return found == f.counters.end() ? 0.0 : static_cast<double>(found->second);
  }

  /// Least squares through the logarithms.
  static double slope(const std::vector<Sample>& samples, double Sample::*time) {
    double x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;
    for (const Sample& s : samples) {
      const double lx = std::log(s.size), ly = std::log(s.*time);
      x += lx, y += ly, xx += lx * lx, xy += lx * ly;
    }
    const double n = static_cast<double>(samples.size());
    return (n * xy - x * y) / (n * xx - x * x);
  }

  std::map<std::string, std::vector<Sample>> families_;
  std::vector<Frame> frames_;
};

}  // namespace

int main(int argc, char** argv) {
  bool check = false;
  for (int i = 1; i < argc; ++i)
    if (std::strcmp(argv[i], "--check") == 0) {
      check = true;
      for (int k = i; k + 1 < argc; ++k) argv[k] = argv[k + 1];
      --argc;
      break;
    }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Summary summary;
  benchmark::RunSpecifiedBenchmarks(&summary);
  summary.printSlopes();
  summary.printFrames();
  const bool met = summary.printAsked();
  return check && !met ? 1 : 0;
}
