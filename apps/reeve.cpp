// The `reeve` command: what it understands, and where that goes. The work is in one file per subcommand.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "caps.h"
#include "command.h"
#include "reeve/scene/nearest.h"
#include "say.h"

namespace {

using namespace reeve::command;

constexpr const char* examples = R"(Examples:
  reeve list                                  the scenes that come with Reeve
  reeve run double-pendulum                   simulate one and print how it ended
  reeve run crane.json --out results          ... and write plots, a picture and a report
  reeve run crane.json --json | jq .energy    ... for scripts
  reeve check crane.json                      is there anything wrong with it?
  reeve run crane.json --html crane.html      ... and write a page that plays it
  reeve run crane --set bodies.load.mass=6t   ... with another load
  reeve picture crane.json --at 2.5 -o a.svg  what does it look like then?
  reeve film crane.json -o crane.gif          ... and how does it move?
  reeve view crane.json                       ... and live, in a browser

SCENE is a file, the name of a shipped scene, or - for the standard input.
Exit codes: 0 good, 1 an expectation failed (check --run, expect), 2 bad input, 3 the simulation went bad,
4 it is doubtful (run, compare), 130 after Ctrl-C.)";

void addScene(CLI::App& app, std::string& scene) {
  app.add_option("SCENE", scene, "A scene file, the name of a shipped scene, or - for the standard input")
      ->required()
      ->type_name("");
}

void addOverrides(CLI::App& app, Overrides& overrides, bool duration) {
  if (duration) app.add_option("--seconds", overrides.seconds, "How long to simulate, s")->type_name("TIME");
  app.add_option("--dt", overrides.dt, "Time of a step: 0.004, 1/240, \"4 ms\"")->type_name("TIME");
  app.add_option("--substeps", overrides.substeps, "Substeps per step")
      ->check(CLI::Range(1, 10000).description(""))
      ->type_name("N");
  app.add_option("--solver", overrides.solver, "auto, sweep, direct or blocks")
      ->check(CLI::IsMember({"auto", "sweep", "direct", "blocks"}).description(""))
      ->type_name("NAME");
  app.add_option("--iterations", overrides.iterations, "Sweeps per substep, or the cap of Newton iterations; 0 chooses")
      ->check(CLI::Range(0, 1000000).description(""))
      ->type_name("N");
  app.add_option("--set", overrides.sets, "Another value in the scene: --set bodies.load.mass=2t; may be repeated")
      ->allow_extra_args(false)
      ->type_name("PATH=VALUE");
}

void addLook(CLI::App& app, LookOptions& look) {
  app.add_option("--from", look.from,
                 "front, back, left, right, side, top, bottom, iso, or a direction to the eye: 1,-2,0.5")
      ->type_name("VIEW");
  app.add_option("--target", look.target, "Point in the middle of the picture, m")->type_name("X,Y,Z");
  app.add_option("--height", look.height, "Of scene in the picture: 3, \"50 cm\"; otherwise it fits")
      ->type_name("LENGTH");
  app.add_option("--follow", look.follow, "Body or particle that stays in the middle")->type_name("NAME");
  app.add_option("--size", look.size, "Pixels, as in 900x600; otherwise by the shape of the scene")->type_name("WxH");
  app.add_flag("!--no-labels", look.labels, "Leave out the names and tensions");
  app.add_flag("--signs", look.signs, "Arrows for positive spin, and for the direction in which each cable runs");
}

void addRun(CLI::App& app, RunOptions& options, RunCaps& caps) {
  CLI::App* run = app.add_subcommand("run", "Simulate a scene and print how it ended");
  addScene(*run, options.scene);
  addOverrides(*run, options.overrides, true);
  run->add_option("--out", options.out,
                  "Write trajectory, summary, plots, picture, report and final state to this folder")
      ->type_name("DIR");
  run->add_option("--html", options.html, "Write the report alone: a page that plays the run and needs nothing else")
      ->type_name("FILE");
  run->add_option("--columns", options.columns,
                  "Of the trajectory, as patterns: \"bodies.*.position.z,cables.*\"; otherwise all that may change")
      ->type_name("PATTERNS");
  run->add_option("--format", options.format, "Of the trajectory: csv, or npz for NumPy")
      ->check(CLI::IsMember({"csv", "npz"}).description(""))
      ->type_name("NAME");
  run->add_flag("--units", options.units, "In the header of a CSV: \"bodies.load.position.z [m]\"");
  run->add_flag("--json", options.json, "Print the summary as JSON instead of tables");
  run->add_option("--every", options.every, "Steps between samples of the trajectory; about 1000 samples otherwise")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1000000000000}).description(""))
      ->type_name("N");
  run->add_option("--seed", options.seed,
                  "Kept in the summary; has no effect unless a scene uses randomness, and today none can")
      ->type_name("N");
  run->add_option("--save-state", options.saveState, "Write the final state to this file, bit for bit")
      ->type_name("FILE");
  run->add_option("--from-state", options.fromState, "Start from a saved state; --seconds counts from there")
      ->type_name("FILE");
  run->add_flag("--force", caps.force,
                "With --from-state: take over what fits by name, where the scene has changed since");
  run->add_option("--threads", options.threads,
                  "Threads for particle cables of order coloured or chunks; the results are the same bits")
      ->check(CLI::Range(1, 256).description(""))
      ->type_name("N");
  run->add_flag("--allow-doubtful", caps.allowDoubtful, "Exit code 0 where the verdict is doubtful, instead of 4");
  run->add_option("--time", caps.time, "Ends the run after so long by the clock, with the results so far")
      ->type_name("TIME");
  run->add_option("--memory", caps.memory, "Ends the run if it needs more: 500MB, 2GB")->type_name("SIZE");
  run->add_flag("--quiet", options.quiet, "No progress bar");
  run->footer(
      "Ctrl-C ends the run with the results so far; a second one kills it.\n\n"
      "Examples:\n  reeve run double-pendulum --seconds 5 --dt 1/500 --solver direct\n"
      "  reeve run double-pendulum --out results --every 10\n  generate-scene | reeve run - --json");
}

void addCheck(CLI::App& app, CheckOptions& check, CheckOptions& expect) {
  CLI::App* command = app.add_subcommand("check", "Load and build scenes; say what is in them, or what is wrong");
  command->add_option("SCENE", check.scenes, "Scene files or names of shipped scenes, or - for the standard input")
      ->type_name("");
  command->add_flag("--run", check.run, "Also simulate, up to the last expectation; exit code 1 if one is not met");
  command->add_flag("--all", check.all, "Every shipped scene");
  command->add_flag("--observables", check.observables, "List everything that can be observed, with unit and value");
  command
      ->add_option("--models", check.models,
                   "Also what these cable models would leave out, assume or refuse: joints,chain, or all")
      ->type_name("LIST");
  addOverrides(*command, check.overrides, true);
  command->footer(
      "Errors read file:line:column: path: reason, and a line that begins with help:\n\n"
      "Examples:\n  reeve check crane.json\n  reeve check crane.json --models all\n  reeve check --run --all");
  expect.run = true;
  CLI::App* same = app.add_subcommand("expect", "Simulate scenes and check the expectations written in them");
  same->add_option("SCENE", expect.scenes, "Scene files or names of shipped scenes, or - for the standard input")
      ->type_name("");
  same->add_flag("--all", expect.all, "Every shipped scene");
  addOverrides(*same, expect.overrides, true);
  same->footer("The same as check --run. Exit code 0 if all are met, 1 otherwise.");
}

void addPicture(CLI::App& app, PictureOptions& options) {
  CLI::App* picture = app.add_subcommand("picture", "Draw a scene as SVG");
  addScene(*picture, options.scene);
  picture->add_option("--at", options.at, "Simulate up to this time first, s")->type_name("TIME");
  picture->add_option("-o,--out", options.out, "File to write; - for the standard output; SCENE.svg otherwise")
      ->type_name("FILE");
  picture->add_flag("--fixed", options.fixed, "A camera that shows the whole run, the same at every --at");
  addLook(*picture, options.look);
  picture->add_option("--from-state", options.fromState, "Start from a saved state")->type_name("FILE");
  addOverrides(*picture, options.overrides, false);
  picture->footer(
      "Examples:\n  reeve picture pile --at 3 --from iso -o pile.svg\n  reeve picture crane.json -o - | rsvg-convert "
      "-o crane.png");
}

void addFilm(CLI::App& app, FilmOptions& options) {
  CLI::App* film = app.add_subcommand("film", "Draw a run as GIF, MP4 or a series of pictures");
  addScene(*film, options.scene);
  film->add_option("-o,--out", options.out,
                   "x.gif or x.mp4 (with rsvg-convert and ffmpeg), or a folder for SVG pictures")
      ->required()
      ->type_name("FILE");
  film->add_option("--fps", options.rate, "Pictures a second, 25 otherwise")->type_name("N");
  film->add_option("--slow", options.slow, "10 makes a second of the scene last ten")->type_name("N");
  film->add_flag("--refit", options.look.refit, "A camera that fits every picture, instead of one that stays");
  addLook(*film, options.look);
  addOverrides(*film, options.overrides, true);
  film->footer(
      "Examples:\n  reeve film crane -o crane.mp4\n  reeve film bow -o bow.gif --slow 10 --follow arrow --height 2");
}

void addStudy(CLI::App& app, StudyOptions& options) {
  CLI::App* study = app.add_subcommand("study", "Run a scene many times with other values, and write a table");
  study->add_option("FILE", options.plan, "The study: a scene, what varies, and what is observed; see docs/studies.md")
      ->required()
      ->type_name("");
  study->add_option("--out", options.out, "Folder of the table and the journal; NAME-study otherwise")
      ->type_name("DIR");
  study->add_option("--threads", options.threads, "Runs at the same time; the table is the same for any number")
      ->check(CLI::Range(1, 256).description(""))
      ->type_name("N");
  study->add_option("--shard", options.shard, "2/4 does every fourth run, from the second: for job arrays")
      ->type_name("I/N");
  study
      ->add_option("--dakota", options.dakota,
                   "One run for an optimiser outside: reads its parameters, writes its results")
      ->expected(2)
      ->type_name("PARAMS RESULTS");
  study->add_flag("--hdf5", options.hdf5, "Also table.h5: a dataset per column");
  study->add_flag("--quiet", options.quiet, "No progress");
  addOverrides(*study, options.overrides, true);
  study->footer("A study that was killed goes on where it stood when it is started again.");
}

void addView(CLI::App& app, ViewOptions& options) {
  CLI::App* view = app.add_subcommand("view", "Open a scene in the playground, in a browser of this machine");
  view->add_option("SCENE", options.scene, "A scene file or the name of a shipped scene; opened again when it changes")
      ->type_name("");
  view->add_option("--port", options.port, "Port on 127.0.0.1; a free one otherwise")
      ->check(CLI::Range(1, 65535).description(""))
      ->type_name("N");
  view->add_option("--page", options.page, "Folder of the built page; build/web/page otherwise")->type_name("DIR");
  view->footer(
      "Serves the page that `make web` builds, on loopback only, and prints its address. Ctrl-C ends.\n\n"
      "Examples:\n  reeve view crane\n  reeve view my-scene.json --port 8080");
}

void addModes(CLI::App& app, ModesOptions& options) {
  CLI::App* modes = app.add_subcommand("modes", "Find a state of rest and the natural frequencies about it");
  addScene(*modes, options.scene);
  modes->add_option("--count", options.count, "How many, from the lowest on; 10 otherwise")
      ->check(CLI::Range(1, 100000).description(""))
      ->type_name("N");
  modes->add_flag("--as-given", options.asGiven, "About the start of the scene, whether it rests or not");
  modes->add_flag("--json", options.json, "Print frequencies, damping and shapes as JSON");
  modes->add_option("--out", options.out, "Draw every mode into this folder")->type_name("DIR");
  addOverrides(*modes, options.overrides, false);
  modes->footer("Examples:\n  reeve modes double-pendulum\n  reeve modes suspension --count 4 --out modes");
}

void addCompare(CLI::App& app, CompareOptions& options) {
  CLI::App* compare = app.add_subcommand("compare", "Simulate one scene with its cables in several models");
  addScene(*compare, options.scene);
  compare->add_option("--models", options.models, "joints,strand,hoist,chain,particles; all otherwise")
      ->type_name("LIST");
  addOverrides(*compare, options.overrides, true);
  compare
      ->add_option("--out", options.out, "Write an overlay plot, a picture per model and compare.json to this folder")
      ->type_name("DIR");
  compare->add_flag("--json", options.json, "Print the comparison as JSON instead of tables");
  compare->add_flag("--quiet", options.quiet, "No progress bar");
  compare->footer(
      "Fields that a model has no use for are left out and noted. A model that cannot take the scene is listed with "
      "the "
      "reason.\n\nExamples:\n  reeve compare atwood --seconds 1\n  reeve compare crane.json --models joints,strand "
      "--out "
      "both");
}

void addReproduce(CLI::App& app, ReproduceOptions& options) {
  CLI::App* reproduce = app.add_subcommand("reproduce", "Measure the tables and figures of the papers again");
  reproduce->add_option(
      "WHAT", options.wishes,
      "Papers and items by their words, whole ones: 000, \"table 1\", \"001 fig 3.16\"; \"fig 3.*\" is "
      "every one that begins so; \"newton\" are the machines of another engine; everything otherwise");
  reproduce->add_flag("--json", options.json, "Print the items as JSON");
  reproduce->add_option("--out", options.out, "Write the redrawn plots and pictures to this folder, as one HTML page")
      ->type_name("DIR");
  reproduce->add_option("--html", options.html, "Write that page alone, with everything in it")->type_name("FILE");
  reproduce->add_flag("--untimed", options.untimed,
                      "Verdicts leave out how long anything took: the same on a busy machine");
  reproduce->add_flag("--check", options.check, "Exit code 1 if any verdict is short");
  reproduce->footer(
      "One line an item: what the paper reports, what Reeve gets, the verdict (pass, short, or shown for pictures), "
      "the time.\n"
      "Verdicts are computed; the exit code is 0 whatever they are, unless --check is given.\n\n"
      "Examples:\n  reeve reproduce 000 --out results\n  reeve reproduce \"fig 12\" \"fig 16\"");
}

/// CLI11 says of a misspelt subcommand that one is required; this says which.
bool isUnknownSubcommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return false;
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return false;
  const std::vector<std::string_view> views(names.begin(), names.end());
  say(stderr, "reeve: there is no command \"{}\"\nhelp: {}\n", argv[1], reeve::suggestion(argv[1], views));
  return true;
}

/// CLI11 says of a misspelt option that an argument was not expected; this says which was meant.
bool isUnknownOption(const CLI::App& app, int argc, char** argv) {
  if (argc < 3) return false;
  const CLI::App* command = nullptr;
  for (const CLI::App* each : app.get_subcommands({}))
    if (each->get_name() == argv[1]) command = each;
  if (!command) return false;
  std::vector<std::string> names;
  for (const CLI::Option* option : command->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    for (const std::string& name : option->get_snames()) names.push_back("-" + name);
  }
  const std::vector<std::string_view> views(names.begin(), names.end());
  for (int i = 2; i < argc; ++i) {
    const std::string word = std::string(argv[i]).substr(0, std::string_view(argv[i]).find('='));
    if (!word.starts_with("--") || word.size() < 3) continue;
    if (std::find(names.begin(), names.end(), word) != names.end()) continue;
    say(stderr, "reeve {}: there is no option \"{}\"\nhelp: {}\n", argv[1], word, reeve::suggestion(word, views));
    return true;
  }
  return false;
}

/// The command line as a shell would take it again.
std::string asTyped(int argc, char** argv) {
  std::string line = "reeve";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                            "-_=./,:+%") == std::string::npos;
    line += plain ? " " + word : " '" + word + "'";
  }
  return line;
}

/// A full disk behind the standard output takes the results with it.
int told(int code) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  say(stderr, "reeve: the standard output cannot be written: {}\n", std::strerror(errno));
  return badInput;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Reeve simulates cables, ropes, chains, belts and tendons together with the bodies they move.", "reeve"};
  app.set_version_flag("--version", "reeve " REEVE_VERSION);
  app.require_subcommand(1);
  app.footer(examples);
  RunOptions runOptions;
  CheckOptions checkOptions, expectOptions;
  PictureOptions pictureOptions;
  RunCaps runCaps;
  addRun(app, runOptions, runCaps);
  addCheck(app, checkOptions, expectOptions);
  app.add_subcommand("list", "The scenes that come with Reeve");
  addPicture(app, pictureOptions);
  FilmOptions filmOptions;
  addFilm(app, filmOptions);
  StudyOptions studyOptions;
  addStudy(app, studyOptions);
  ViewOptions viewOptions;
  addView(app, viewOptions);
  CompareOptions compareOptions;
  addCompare(app, compareOptions);
  ModesOptions modesOptions;
  addModes(app, modesOptions);
  ReproduceOptions reproduceOptions;
  addReproduce(app, reproduceOptions);
  app.add_subcommand("schema", "Print the JSON Schema of scene files");

  if (isUnknownSubcommand(app, argc, argv) || isUnknownOption(app, argc, argv)) return badInput;
  runOptions.command = asTyped(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out, err;
    const int code = app.exit(error, out, err);
    fmt::print("{}", out.str());
    say(stderr, "{}", err.str());
    return told(code == 0 ? ok : badInput);
  }
  const auto done = [&] {
    if (app.got_subcommand("run")) return run(runOptions, runCaps);
    if (app.got_subcommand("check")) return check(checkOptions);
    if (app.got_subcommand("expect")) return check(expectOptions);
    if (app.got_subcommand("picture")) return picture(pictureOptions);
    if (app.got_subcommand("film")) return film(filmOptions);
    if (app.got_subcommand("study")) return study(studyOptions);
    if (app.got_subcommand("view")) return view(viewOptions);
    if (app.got_subcommand("compare")) return compare(compareOptions);
    if (app.got_subcommand("modes")) return modes(modesOptions);
    if (app.got_subcommand("reproduce")) return reproduce(reproduceOptions);
    return app.got_subcommand("list") ? list() : schema();
  };
  try {
    const int code = done();
    // Ctrl-C is how a person ends the server of the page.
    return told(app.got_subcommand("view") ? code : endedBySignal(code));
  } catch (const Failure& failure) {
    std::fflush(stdout);
    say(stderr, "{}\n", failure.what());
    return failure.code;
  } catch (const std::exception& error) {
    std::fflush(stdout);
    say(stderr, "reeve: {}\n", error.what());
    return badInput;
  }
}
