#include "report.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>

namespace reeve::race {
namespace {

std::string cpu() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

std::string compiler() {
#if defined(__clang__)
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= ' ') out += c;
  }
  return out + "\"";
}

/// JSON has no infinity and no NaN.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

}  // namespace

void printHeader() {
  std::printf("%-17s %7s  %-7s %-22s %10s %9s %9s %9s %9s %7s %10s %9s %7s %7s\n", "race", "n", "engine", "how",
              "us/step", "error", "at dt/10", "gained", "at dt/10", "ratio", "step for 1%", "takes, ms", "ratio",
              "wanted");
}

void print(const std::vector<Result>& results) {
  const bool color = isatty(1) != 0;
  for (const Result& r : results) {
    const bool red = color && r.missed;
    if (red) std::printf("\033[31m");
    std::printf("%-17s %7d  %-7s %-22s %10.3f %9.1e %9.1e %9.1e %9.1e ", r.race.c_str(), r.size, r.engine.c_str(),
                r.how.c_str(), r.microseconds, r.error, r.finer, r.gained, r.gainedFiner);
    const auto cell = [](int width, const char* format, double value) {
      char text[32] = "-";
      if (value > 0.0) std::snprintf(text, sizeof text, format, value);
      std::printf("%*s ", width, text);
    };
    cell(7, "%.2f", r.ratio);
    cell(10, "%.2g s", r.accurateStep);
    cell(9, "%.3g", r.accurateTime);
    cell(7, "%.2f", r.accurateRatio);
    if (r.wanted > 0.0) std::printf("%7.2f", r.wanted);
    if (r.missed) std::printf("  NOT AHEAD%s%s", r.behind.empty() ? "" : " of ", r.behind.c_str());
    if (r.failed) std::printf("  FAILED");
    if (!r.sound) std::printf("  set-up in doubt: fails at a hundredth of the step, or does not rest where it should");
    std::printf("%s\n", red ? "\033[0m" : "");
  }
  if (!results.empty()) std::printf("%-20s error: %s\n", "", results.front().measures.c_str());
  std::fflush(stdout);
}

void printSummary(const std::vector<Result>& results) {
  const bool color = isatty(1) != 0;
  int asked = 0, missed = 0;
  for (const Result& r : results) asked += r.wanted > 0.0, missed += r.missed;
  std::printf("%d lines of Reeve's are to be ahead of every peer that holds; %d are not%s\n", asked, missed,
              missed ? ":" : "");
  for (const Result& r : results)
    if (r.missed)
      std::printf("%s  %s, %d: %s%s%s%s\n", color ? "\033[31m" : "", r.race.c_str(), r.size, r.how.c_str(),
                  r.behind.empty() ? " fails" : " behind ", r.behind.c_str(), color ? "\033[0m" : "");
}

std::string machineJson() {
  const std::time_t now = std::time(nullptr);
  char today[20];
  std::strftime(today, sizeof today, "%Y-%m-%d", std::gmtime(&now));
  return "\"date\": " + quoted(today) + ",\n  \"cpu\": " + quoted(cpu()) + ",\n  \"compiler\": " + quoted(compiler());
}

std::string json(const std::vector<Result>& results, const std::vector<std::string>& versions) {
  std::string out = "{\n  " + machineJson() + ",\n  \"versions\": [";
  for (std::size_t i = 0; i < versions.size(); ++i) out += (i ? ", " : "") + quoted(versions[i]);
  out += "],\n  \"results\": [";
  for (std::size_t i = 0; i < results.size(); ++i) {
    const Result& r = results[i];
    out += std::string(i ? "," : "") + "\n    {\"key\": " + quoted(r.key) + ", \"race\": " + quoted(r.race) +
           ", \"n\": " + std::to_string(r.size) + ", \"engine\": " + quoted(r.engine) + ", \"how\": " + quoted(r.how) +
           ", \"microseconds\": " + number(r.microseconds) + ", \"error\": " + number(r.error) +
           ", \"error_finer\": " + number(r.finer) + ", \"gained\": " + number(r.gained) +
           ", \"gained_finer\": " + number(r.gainedFiner) + ", \"failed\": " + (r.failed ? "true" : "false") +
           ", \"sound\": " + (r.sound ? "true" : "false") + ", \"crept\": " + (r.crept < 0 ? "null" : number(r.crept)) +
           ", \"accurate_step\": " + (r.accurateStep > 0 ? number(r.accurateStep) : "null") +
           ", \"accurate_ms\": " + (r.accurateTime > 0 ? number(r.accurateTime) : "null") +
           ", \"accurate_ratio\": " + (r.accurateRatio > 0 ? number(r.accurateRatio) : "null") +
           ", \"rival\": " + quoted(r.rival) + ", \"ratio\": " + (r.ratio > 0 ? number(r.ratio) : "null") +
           ", \"missed\": " + (r.missed ? "true" : "false") + ", \"behind\": " + quoted(r.behind) +
           ", \"wanted\": " + (r.wanted > 0 ? number(r.wanted) : "null") + ", \"measures\": " + quoted(r.measures) +
           "}";
  }
  return out + "\n  ]\n}\n";
}

}  // namespace reeve::race
