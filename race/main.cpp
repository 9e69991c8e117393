// reeve_race [--only WORDS] [--largest N] [--quick] [--out FILE]: runs the races, prints the table, keeps it as JSON.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>

#include "peers.h"
#include "races.h"
#include "report.h"

namespace {

struct Options {
  std::string only, out;
  int largest = 4096;
  bool quick = false;
};

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (word == "--quick") {
      o.quick = true;
    } else if (value && (word == "--only" || word == "--out" || word == "--largest")) {
      if (word == "--only") o.only = value;
      if (word == "--out") o.out = value;
      if (word == "--largest") o.largest = std::atoi(value);
      ++i;
    } else {
      std::fprintf(stderr,
                   "reeve_race: what is \"%s\"? Options: --only tackle|simple|chain|heap, --largest SHEAVES, --quick, "
                   "--out FILE\n",
                   word.c_str());
      std::exit(2);
    }
  }
  return o;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[20];
  std::strftime(text, sizeof text, "%Y-%m-%d", std::gmtime(&now));
  return text;
}

/// Cost per sheave of Reeve's tackle at 64 sheaves and at the most.
void printSlopes(const std::vector<reeve::race::Result>& results) {
  for (const char* how : {"joints", "strand"}) {
    double first = 0.0, last = 0.0;
    int from = 0, to = 0;
    for (const auto& r : results)
      if (r.race == "moving tackle" && r.engine == "reeve" && r.how == how && r.size >= 64) {
        if (from == 0) from = r.size, first = r.microseconds / r.size;
        to = r.size, last = r.microseconds / r.size;
      }
    if (to > from)
      std::printf("moving tackle as %s: %.3f us per sheave at %d, %.3f at %d\n", how, first, from, last, to);
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace reeve::race;
  const Options options = parse(argc, argv);
  std::vector<std::string> versions;
  for (const std::string& version : {mujocoVersion(), bulletVersion(), odeVersion()})
    if (!version.empty()) versions.push_back(version);
  std::printf("Beside Reeve:");
  for (const std::string& version : versions) std::printf(" %s", version.c_str());
  std::printf("%s\n\n", versions.empty() ? " nobody; scripts/setup peers installs other engines" : "");
  printHeader();
  std::vector<Result> all;
  const Effort effort = options.quick ? Effort{0.05, 3} : Effort{0.5, 5};
  const auto hold = [&](const char* name, auto&& race) {
    if (!options.only.empty() && options.only != name) return;
    const std::vector<Result> results = run(race(), effort);
    print(results);
    all.insert(all.end(), results.begin(), results.end());
  };
  for (int n = 2; n <= options.largest; n *= 2) hold("tackle", [n] { return tackleRace(n); });
  hold("simple", simpleRace);
  for (const double load : {1.0, 1e4}) hold("chain", [load] { return chainRace(load); });
  hold("heap", heapRace);
  std::printf("\n");
  printSlopes(all);
  if (!options.out.empty()) {
    std::ofstream file(options.out);
    file << json(all, versions, today());
    if (!file) {
      std::fprintf(stderr, "reeve_race: cannot write %s\n", options.out.c_str());
      return 2;
    }
  }
  return 0;
}
