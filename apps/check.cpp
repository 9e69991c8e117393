// reeve check and reeve expect: does a scene load, build, and do what it says it does?
#include <fmt/format.h>

#include <algorithm>

#include "caps.h"
#include "check_notes.h"
#include "command.h"
#include "drive.h"
#include "files.h"
#include "models.h"
#include "reeve/record/notes.h"
#include "reeve/record/number.h"
#include "reeve/record/table.h"
#include "reeve/scene/swap_model.h"
#include "reeve/world/observables.h"
#include "say.h"

namespace reeve::command {
namespace {

std::string counts(const Description& d) {
  std::string text;
  const auto add = [&](std::size_t count, const char* one, const char* many) {
    if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, count == 1 ? one : many);
  };
  add(d.bodies.size(), "body", "bodies");
  add(d.rotors.size(), "rotor", "rotors");
  add(d.particles.size(), "particle", "particles");
  add(d.joints.size(), "joint", "joints");
  add(d.motors.size(), "motor", "motors");
  add(d.couplings.size(), "coupling", "couplings");
  add(d.forces.size(), "force", "forces");
  add(d.cables.size(), "cable", "cables");
  add(d.events.size(), "event", "events");
  add(d.expect.size(), "expectation", "expectations");
  return text.empty() ? "nothing in it" : text;
}

int simulate(World& world, const LoadedScene& scene) {
  auto expectations = record::ExpectationWatch::build(world);
  if (!expectations) throw Failure(badInput, problemReport(scene.file, scene.text, expectations.error()));
  const double seconds = scene.description.expect.empty() ? scene.description.settings.seconds : expectations->last();
  const record::RunFacts facts = drive(world, {.seconds = seconds, .expectations = &*expectations});
  const auto failed =
      std::count_if(facts.expectations.begin(), facts.expectations.end(), [](const auto& r) { return !r.met; });
  const bool good = facts.verdict.good && failed == 0 && !facts.interrupted;
  fmt::print("{}  {}: {} of {} expectations met; {}\n", good ? "ok    " : "NOT OK", printable(scene.description.name),
             facts.expectations.size() - static_cast<std::size_t>(failed), facts.expectations.size(),
             record::paceLine(facts, world.observe()));
  if (failed > 0) say(stdout, "{}", record::tableText(record::expectationTable(facts.expectations)));
  std::fflush(stdout);
  if (!facts.verdict.good) {
    say(stderr, "reeve: {}: the simulation went bad at t = {:.6g} s: {}: {}\n", scene.file, facts.verdict.time,
        facts.verdict.culprit, facts.verdict.reason);
    return wentBad;
  }
  return good ? ok : notAsExpected;
}

/// Every observable that the scene names and the world has not, and numbers of spans and links that can never be; notes
/// those that are not there yet.
std::vector<Problem> wrongObservables(const World& world, const LoadedScene& scene) {
  std::vector<Problem> wrong;
  const auto look = [&](const std::string& observe, const std::string& place) {
    if (const auto found = world.resolve(observe); !found) {
      wrong.push_back(found.error());
      wrong.back().path = place;
      return;
    }
    bool certain = false;
    const std::string trouble = numberTrouble(world, observe, certain);
    if (trouble.empty()) return;
    if (certain)
      wrong.push_back({place, "\"" + observe + "\" is none: " + trouble, "take a smaller number"});
    else
      say(stdout, "note: {}: {}: {}\n", place, observe, trouble);
  };
  const Description& description = scene.description;
  for (std::size_t i = 0; i < description.expect.size(); ++i)
    look(description.expect[i].observe, fmt::format("/expect/{}/observe", i));
  for (std::size_t i = 0; i < description.plots.size(); ++i)
    for (std::size_t k = 0; k < description.plots[i].observe.size(); ++k)
      look(description.plots[i].observe[k], fmt::format("/plots/{}/observe/{}", i, k));
  return wrong;
}

/// What expectations, plots, columns and studies can name: path, value at the start, unit.
void listObservables(const World& world) {
  for (const std::string& path : everyPath(world)) {
    const Observable observable = world.resolve(path).value_or(Observable{});
    const std::string unit = unitOf(world, observable);
    say(stdout, "{}  {}{}{}\n", path, record::readable(world.read(observable), 6), unit.empty() ? "" : " ", unit);
  }
}

/// Without what cannot be observed, of which building a world reports the first alone.
World buildForCheck(LoadedScene& scene) {
  LoadedScene bare = scene;
  bare.description.expect.clear();
  bare.description.plots.clear();
  World world = buildWorld(bare);
  scene.remarks = std::move(bare.remarks);
  return world;
}

/// What another model would change of a scene.
void checkModel(const LoadedScene& scene, CableModel model) {
  const std::string_view word = modelName(model);
  const auto swapped = swapModel(scene.description, model);
  if (!swapped) {
    const Problem& why = swapped.error();
    say(stdout, "as {}: refused: {}: {}\n  help: {}\n", word, why.path, why.reason, why.remedy);
    return;
  }
  say(stdout, "as {}: ok\n", word);
  for (const Problem& note : swapped->notes) say(stdout, "  note: {}: {}; {}\n", note.path, note.reason, note.remedy);
  for (const record::Note& note : worldNotes(swapped->world)) say(stdout, "  note: {}: {}\n", note.subject, note.what);
}

int checkOne(const std::string& name, const CheckOptions& options) {
  LoadedScene scene = loadScene(name, options.overrides);
  World world = options.run ? buildWorld(scene) : buildForCheck(scene);
  if (options.run) return simulate(world, scene);
  // Plots and expectations name observables; they are wrong as easily as the rest.
  if (const std::vector<Problem> wrong = wrongObservables(world, scene); !wrong.empty())
    throw Failure(badInput, problemReports(scene.file, scene.text, wrong));
  fmt::print("ok: {}: {}\n", scene.file, counts(scene.description));
  for (const SceneRemark& remark : scene.remarks) say(stdout, "note: {}: {}\n", remark.path, remark.text);
  for (const record::Note& note : record::startNotes(scene.description, world.observe()))
    say(stdout, "note: {}: {}\n", note.subject, note.what);
  for (const record::Note& note : worldNotes(world)) say(stdout, "note: {}: {}\n", note.subject, note.what);
  if (options.observables) listObservables(world);
  if (!options.models.empty())
    for (const CableModel model : modelsNamed(options.models == "all" ? "" : options.models)) checkModel(scene, model);
  return ok;
}

}  // namespace

int check(const CheckOptions& options) {
  std::vector<std::string> scenes = options.scenes;
  if (options.all)
    for (const auto& file : shippedScenes()) scenes.push_back(file.string());
  if (scenes.empty()) throw Failure(badInput, "no scene given\nhelp: name one, or use --all for every shipped scene");
  catchInterrupts();
  int worst = ok;
  for (const std::string& scene : scenes) {
    if (interrupted()) break;
    try {
      worst = std::max(worst, checkOne(scene, options));
    } catch (const Failure& failure) {
      std::fflush(stdout);
      fmt::print(stderr, "{}\n", printable(failure.what()));
      worst = std::max<int>(worst, failure.code);
    }
  }
  if (interrupted()) fmt::print(stderr, "reeve: interrupted\n");
  return worst;
}

}  // namespace reeve::command
