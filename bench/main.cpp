// Runs the benchmarks and adds what single numbers do not show: how cost grows with size, and the table of paper 000.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdio>
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
    std::printf("\nPaper 000, a frame of 1/60 s on one core\n  %-24s %7s %11s %13s %13s %12s\n", "scene/solver",
                "joints", "iterations", "ms a frame", "paper, ms", "segments/it");
    for (const Frame& f : frames_) {
      const auto counter = [&](const char* key) {
        const auto found = f.counters.find(key);
        return found == f.counters.end() ? 0.0 : static_cast<double>(found->second);
      };
      const std::string paper = counter("paper_ms") > 0.0 ? std::to_string(counter("paper_ms")).substr(0, 6) : "-";
      std::printf("  %-24s %7.0f %11.1f %13.5f %13s", f.name.c_str(), counter("joints"), counter("iterations"),
                  1e3 * f.seconds, paper.c_str());
      if (segments > 0.0) std::printf(" %12.1f", segments / f.seconds);
      std::printf("\n");
    }
  }

 private:
  struct Frame {
    std::string name;
    double seconds;
    benchmark::UserCounters counters;
  };

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
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  Summary summary;
  benchmark::RunSpecifiedBenchmarks(&summary);
  summary.printSlopes();
  summary.printFrames();
  return 0;
}
