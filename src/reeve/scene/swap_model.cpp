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

/// Cables without mass become light ones where the model needs mass.
void assumeMass(Description& d, std::vector<Problem>& notes) {
  const double mass = lightMassPerLength(d);
  for (auto& [name, cable] : d.cables) {
    const bool needs = cable.model != CableModel::joints && cable.model != CableModel::hoist;
    if (!needs || cable.material.mass > 0.0) continue;
    cable.material.mass = mass;
    notes.push_back({"/cables/" + name + "/material/mass", "the model needs a mass; a light cable is assumed",
                     "give material.mass in kg/m"});
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

std::expected<ModelSwap, Problem> swapModel(const Description& given, CableModel model) {
  Description d = given;
  d.expect.clear();  // they are the scene's own, for its own model
  std::vector<Problem> notes;
  bool changed = false;
  for (auto& [name, cable] : d.cables) {
    changed = changed || cable.model != model;
    cable.model = model;
  }
  if (changed) assumeMass(d, notes);
  if (changed && model == CableModel::joints) keepWeight(d, given, notes);
  // Each round leaves one field out; a scene has a bounded number of them.
  constexpr int mostRounds = 1000;
  for (int round = 0; round < mostRounds; ++round) {
    if (auto checked = checkScene(d); !checked) return std::unexpected(checked.error());
    auto world = World::build(d);
    if (world) return ModelSwap{std::move(*world), std::move(notes)};
    Problem problem = world.error();
    if (changed && problem.path.starts_with("/plots/"))
      d.plots.clear();  // of what only the scene's own model has
    else if (!changed || !problem.inapplicable || !leaveOut(d, problem.path))
      return std::unexpected(problem);
    notes.push_back(std::move(problem));
  }
  return wrong("", "too many fields do not apply to this model", "leave them out");
}

}  // namespace reeve
