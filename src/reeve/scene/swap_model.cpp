#include "reeve/scene/swap_model.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "reeve/cables/light_mass.h"
#include "reeve/scene/forms.h"
#include "reeve/scene/scene.h"

namespace reeve {
namespace {

const scene::Field* fieldOf(const scene::Record& record, std::string_view key) {
  for (const scene::Field& field : record.fields)
    if (field.key == key) return &field;
  return nullptr;
}

/// Sets a field of an object back to what it is when a scene does not give it.
template <class T>
bool resetField(T& object, std::string_view key) {
  const scene::Field* field = fieldOf(scene::recordOf<T>(), key);
  if (!field) return false;
  const T standard{};
  field->form->copy(field->of(&standard), field->of(static_cast<void*>(&object)));
  return true;
}

std::vector<std::string_view> partsOfPath(std::string_view path) {
  std::vector<std::string_view> parts;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::size_t end = std::min(path.find('/'), path.size());
    parts.push_back(path.substr(0, end));
    path.remove_prefix(end);
  }
  return parts;
}

/// "/cables/rope/material/bending", "/cables/rope/route/2/hold" or "/cables/rope/waves" back to its default.
bool leaveOut(Description& d, std::string_view path) {
  const std::vector<std::string_view> parts = partsOfPath(path);
  if (parts.size() < 3 || parts[0] != "cables") return false;
  const auto cable = std::find_if(d.cables.begin(), d.cables.end(), [&](const auto& c) { return c.first == parts[1]; });
  if (cable == d.cables.end()) return false;
  if (parts.size() == 3) return resetField(cable->second, parts[2]);
  if (parts[2] == "material") return resetField(cable->second.material, parts[3]);
  if (parts[2] == "particles") return resetField(cable->second.particles, parts[3]);
  std::size_t link = 0;
  if (parts[2] != "route" || parts.size() < 5) return false;
  const auto read = std::from_chars(parts[3].data(), parts[3].data() + parts[3].size(), link);
  return read.ec == std::errc{} && link < cable->second.route.size() && resetField(cable->second.route[link], parts[4]);
}

/// After a build that failed for it: a cable without mass becomes a light one where its model needs mass.
bool assumeMass(Description& d, Problem& problem) {
  for (auto& [name, cable] : d.cables) {
    const bool needs = cable.model != CableModel::joints && cable.model != CableModel::hoist;
    if (!needs || cable.material.mass != 0.0 || problem.path != "/cables/" + name + "/material/mass") continue;
    cable.material.mass = lightMassPerLength(d, cable);
    problem.reason += "; a light cable is assumed";
    return true;
  }
  return false;
}

/// A particle cable over wheels would choose one in silence.
void assumeMassOfParticles(Description& d, std::vector<Problem>& notes) {
  for (const auto& [name, cable] : d.cables) {
    if (cable.model != CableModel::particles || !cable.particles.masses.empty()) continue;
    Problem note{"/cables/" + name + "/material/mass", "particles need mass", "give mass per metre"};
    if (assumeMass(d, note)) notes.push_back(std::move(note));
  }
}

/// A few projections would leave a light line under a heavy load stretched, and damp its swings away. (In scenes with
/// cables over wheels the solver of the scene holds the particles together.)
void holdTogether(Description& d, std::vector<Problem>& notes) {
  const auto overWheels = [](const auto& item) {
    return item.second.closed ||
           std::ranges::any_of(item.second.route, [](const LinkSettings& l) { return l.type != LinkType::attach; });
  };
  if (std::ranges::any_of(d.cables, overWheels)) return;
  for (auto& [name, cable] : d.cables) {
    const bool projects = cable.particles.way == ParticleWay::pbd || cable.particles.way == ParticleWay::xpbd;
    if (!projects || cable.particles.direct) continue;
    cable.particles.direct = true;
    notes.push_back({"/cables/" + name + "/particles/direct",
                     "its distances are solved all at once, as a stiff cable's", "give particles to choose otherwise"});
  }
}

/// A cable of joints weighs only with `weight`; every other model weighs what its mass does.
void keepWeight(Description& d, const Description& given, std::vector<Problem>& notes) {
  for (std::size_t i = 0; i < d.cables.size(); ++i) {
    CableSettings& cable = d.cables[i].second;
    if (given.cables[i].second.model == CableModel::joints || !(cable.material.mass > 0.0) || cable.waves) continue;
    cable.weight = true;
    notes.push_back({"/cables/" + d.cables[i].first + "/weight",
                     "a cable of joints weighs only if told to: it is, and has no inertia", "give weight"});
  }
}

}  // namespace

std::string_view modelName(CableModel model) { return scene::wordsOf<CableModel>()[static_cast<std::size_t>(model)]; }

std::span<const CableModel> cableModels() {
  static constexpr std::array all{CableModel::joints, CableModel::strand, CableModel::hoist, CableModel::chain,
                                  CableModel::particles};
  return all;
}

namespace {

/// Checks what was left out or assumed. How long a command runs a scene is no part of it: what it expects may come
/// later.
std::expected<void, Problem> checkChanged(Description d) {
  d.expect.clear();
  d.settings.seconds = Settings{}.seconds;
  return checkScene(d);
}

/// Leaves out what does not apply until the world can be built. What was read from a text has been checked.
std::expected<NotedWorld, Problem> buildLeavingOut(Description d, std::vector<Problem> notes, bool plotsToo) {
  assumeMassOfParticles(d, notes);
  // Each round leaves one field out; a scene has a bounded number of them.
  constexpr int mostRounds = 1000;
  for (int round = 0; round < mostRounds; ++round) {
    if (round > 0 || plotsToo)
      if (auto checked = checkChanged(d); !checked) return std::unexpected(checked.error());
    auto world = World::build(d);
    if (world) return NotedWorld{std::move(*world), std::move(notes)};
    Problem problem = world.error();
    if (plotsToo && problem.path.starts_with("/plots/"))
      d.plots.clear();  // of what only the scene's own model has
    else if (!assumeMass(d, problem) && (!problem.inapplicable || !leaveOut(d, problem.path)))
      return std::unexpected(problem);
    notes.push_back(std::move(problem));
  }
  return wrong("", "too many fields do not apply to this model", "leave them out");
}

}  // namespace

std::expected<NotedWorld, Problem> buildNoting(Description scene) {
  return buildLeavingOut(std::move(scene), {}, false);
}

std::expected<NotedWorld, Problem> swapModel(const Description& given, CableModel model) {
  Description d = given;
  d.expect.clear();  // they are the scene's own, for its own model
  std::vector<Problem> notes;
  bool changed = false;
  for (auto& [name, cable] : d.cables) {
    changed = changed || cable.model != model;
    cable.model = model;
  }
  if (changed && model == CableModel::joints) keepWeight(d, given, notes);
  if (changed && model == CableModel::particles) holdTogether(d, notes);
  return buildLeavingOut(std::move(d), std::move(notes), changed);
}

}  // namespace reeve
