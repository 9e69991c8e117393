#pragma once
// The subcommands of `reeve`: what each is given, and what it returns to the shell.
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "reeve/model/description.h"

namespace reeve::command {

/// What the shell sees. docs/command.md promises these.
enum ExitCode { ok = 0, notAsExpected = 1, badInput = 2, wentBad = 3 };

/// Ends a subcommand with a message for people and an exit code.
struct Failure : std::runtime_error {
  Failure(ExitCode exitCode, const std::string& message) : std::runtime_error(message), code(exitCode) {}
  ExitCode code;
};

/// Changes to a scene's settings from the command line.
struct Overrides {
  std::string seconds, dt;  ///< quantities: "10", "1/240", "5 ms"; empty leaves the scene's own
  std::optional<int> substeps, iterations;
  std::string solver;
  std::vector<std::string> sets;  ///< "bodies.load.mass=2t": values of the scene itself
  void apply(Settings& settings) const;
};

struct RunOptions {
  std::string scene;
  Overrides overrides;
  std::string out;             ///< folder; empty writes nothing
  std::string html;            ///< file for the report alone; empty writes none
  std::string columns;         ///< patterns of the trajectory's columns; empty is all that may change
  std::string format = "csv";  ///< of the trajectory: csv or npz
  bool units = false;          ///< in the header of a CSV
  std::string command;         ///< as it was typed, for the report
  bool json = false;
  std::int64_t every = 0;  ///< steps between samples; 0 chooses at most a thousand samples
  std::uint64_t seed = 0;
  std::string saveState, fromState;
  int threads = 1;
  bool quiet = false;
};
int run(const RunOptions& options);

struct CheckOptions {
  std::vector<std::string> scenes;
  bool run = false;          ///< also simulate, to the last expectation
  bool all = false;          ///< every shipped scene
  bool observables = false;  ///< lists what can be observed
  std::string models;        ///< "joints,strand": what these would change of it; "all"; empty asks nothing
  Overrides overrides;
};
int check(const CheckOptions& options);

/// Where the camera stands, as typed.
struct LookOptions {
  std::string from;    ///< a view; empty takes the scene's own
  std::string target;  ///< "x,y,z", m, in the middle; empty takes the scene's own
  std::string height;  ///< of scene in the picture; empty takes the scene's own, or fits
  std::string follow;  ///< body or particle that stays in the middle
  std::string size;    ///< "900x600"; empty chooses by what is shown
  bool labels = true;
  bool signs = false;  ///< arrows for positive spin, and which way cables run
  bool refit = false;  ///< film: every picture fits what it shows
};

struct PictureOptions {
  std::string scene;
  std::string at;   ///< a time; empty takes the scene's own
  std::string out;  ///< file; "-" is the standard output; empty is NAME.svg
  std::string fromState;
  bool fixed = false;  ///< the camera shows all of the run, the same at every time
  LookOptions look;
  Overrides overrides;
};
int picture(const PictureOptions& options);

struct FilmOptions {
  std::string scene;
  std::string out;     ///< .gif, .mp4 or a folder
  double rate = 25.0;  ///< pictures a second
  double slow = 1.0;   ///< 10: a second of the scene takes ten of the film
  LookOptions look;
  Overrides overrides;
};
int film(const FilmOptions& options);

struct StudyOptions {
  std::string plan;                 ///< file
  std::string out;                  ///< folder; empty is NAME-study
  std::string shard;                ///< "2/4": every fourth run, from the second
  std::vector<std::string> dakota;  ///< parameter and results file of one run; empty for a study
  int threads = 1;
  bool hdf5 = false;  ///< also table.h5
  bool quiet = false;
  Overrides overrides;
};
int study(const StudyOptions& options);

struct CompareOptions {
  std::string scene;
  std::string models;  ///< "joints,strand"; empty is all
  std::string out;     ///< folder for the overlay plot and the pictures; empty writes nothing
  bool json = false, quiet = false;
  Overrides overrides;
};
int compare(const CompareOptions& options);

struct ModesOptions {
  std::string scene;
  int count = 10;        ///< how many, from the lowest on
  bool asGiven = false;  ///< about the start itself, not a state of rest
  bool json = false;
  std::string out;  ///< folder for a picture of each; empty draws none
  Overrides overrides;
};
int modes(const ModesOptions& options);

struct ReproduceOptions {
  std::vector<std::string> wishes;  ///< papers and items, by words of their names; empty is everything
  bool json = false;
  bool untimed = false;  ///< the clock decides no verdict
  bool check = false;    ///< exit code 1 if anything falls short
  std::string out;       ///< folder for the page of drawings; empty writes none
  std::string html;      ///< file for that page alone
};
int reproduce(const ReproduceOptions& options);

struct ViewOptions {
  std::string scene;  ///< empty: the page chooses
  std::string page;   ///< folder of the built page; empty looks for it
  int port = 0;       ///< 0 takes a free one
};
int view(const ViewOptions& options);

int list();
int schema();

}  // namespace reeve::command
