// reeve_race [--only RACE] [--largest N] [--quick] [--out FILE]: runs the races, prints the table, keeps it as JSON.
// reeve_race --limit [--out FILE]: how far Reeve is from what the machine can do; --limit-case NAME runs 20 steps of
// one case for callgrind. reeve_race --scenes DIR [--quick] writes scenes that race/wasm.mjs takes, and runs nothing.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "limit.h"
#include "peers.h"
#include "races.h"
#include "report.h"
#include "scenes_out.h"
#include "simbody_plain.h"

namespace {

struct Options {
  std::string only, out, scenes;
  int largest = 4096;
  std::string limitCase;  ///< runs nothing else
  bool quick = false, limit = false;
};

Options parse(int argc, char** argv) {
  Options o;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    if (word == "--quick") {
      o.quick = true;
    } else if (word == "--limit") {
      o.limit = true;
    } else if (value && (word == "--only" || word == "--out" || word == "--largest" || word == "--scenes" ||
                         word == "--limit-case")) {
      if (word == "--only") o.only = value;
      if (word == "--out") o.out = value;
      if (word == "--scenes") o.scenes = value;
      if (word == "--limit-case") o.limitCase = value;
      if (word == "--largest") o.largest = std::atoi(value);
      ++i;
    } else {
      std::fprintf(stderr,
                   "reeve_race: what is \"%s\"? Options: --only "
                   "tackle|simple|atwood|winch|capstan|finger|sag|modes|chain|rope|heap, "
                   "--largest SHEAVES, --quick, --out FILE, --scenes DIR, --limit, --limit-case NAME\n",
                   word.c_str());
      std::exit(2);
    }
  }
  return o;
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

int limits(const Options& o) {
  using namespace reeve::race;
  const Machine machine = measureMachine(o.quick ? 0.05 : 0.3);
  const std::vector<LimitCase> cases = measureLimits(o.quick);
  print(machine, cases);
  if (o.out.empty()) return 0;
  std::ofstream file(o.out);
  file << limitJson(machine, cases);
  return file.flush() ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace reeve::race;
  const Options options = parse(argc, argv);
  if (!options.scenes.empty()) return writeScenes(options.scenes, options.quick);
  if (!options.limitCase.empty()) return runLimitCase(options.limitCase);
  if (options.limit) return limits(options);
  std::vector<std::string> versions;
  for (const std::string& version : {mujocoVersion(), bulletVersion(), odeVersion(), simbodyVersion(), dartVersion()})
    if (!version.empty()) versions.push_back(version);
  std::printf("Beside Reeve:");
  for (const std::string& version : versions) std::printf(" %s", version.c_str());
  std::printf("%s\n\n", versions.empty() ? " nobody; scripts/setup peers installs other engines" : "");
  printHeader();
  std::vector<Result> all;
  const Effort effort = options.quick ? Effort{0.05, 3} : Effort{0.3, 5};
  const auto keep = [&] {
    if (options.out.empty()) return;
    std::ofstream file(options.out);
    file << json(all, versions);
    if (file.flush()) return;
    std::fprintf(stderr, "reeve_race: cannot write %s\n", options.out.c_str());
    std::exit(2);
  };
  const auto hold = [&](const char* name, auto&& race) {
    if (!options.only.empty() && options.only != name) return;
    std::vector<Result> results = run(race(), effort);
    for (Result& r : results) r.key = name;
    print(results);
    all.insert(all.end(), results.begin(), results.end());
    keep();  // after every race: a run that is cut short keeps what it has
  };
  for (int n = 2; n <= options.largest; n *= 2) hold("tackle", [n] { return tackleRace(n); });
  hold("simple", simpleRace);
  hold("atwood", atwoodRace);
  hold("winch", winchRace);
  hold("capstan", capstanRace);
  hold("finger", fingerRace);
  hold("sag", sagRace);
  hold("modes", modesRace);
  for (const double load : {1.0, 1e2, 1e4, 1e6}) hold("chain", [load] { return chainRace(load); });
  for (const int n : {100, 1000, 10000}) hold("rope", [n] { return ropeRace(n); });
  for (const int n : {10, 50, 200}) hold("heap", [n] { return heapRace(n); });
  std::printf("\n");
  printSlopes(all);
  printSummary(all);
  return 0;
}
