#include "reeve/world/batch.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reeve/model/executor.h"
#include "reeve/world/brief_number.h"

namespace reeve {

namespace {
constexpr std::array<std::string_view, readingCount> readingWords{
    "positions",    "velocities", "coordinates", "rates",        "motor_forces",
    "motor_powers", "tensions",   "lengths",     "length_rates", "rests"};
/// Worlds that are handed out together: enough work to be worth it, few enough to share evenly.
constexpr int worldGrain = 4;
}  // namespace

std::expected<Batch, Problem> Batch::build(const Description& description, std::size_t count) {
  if (count == 0) return wrong("count", "a batch of no worlds", "give at least 1");
  Batch batch;
  batch.worlds_.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    auto world = World::build(description);
    if (!world) return std::unexpected(world.error());
    batch.worlds_.push_back(std::move(*world));
  }
  for (const auto& [name, motor] : description.motors) batch.motors_.push_back(*batch.worlds_[0].motor(name));
  return batch;
}

template <class Work>
void Batch::forWorlds(Mask mask, Work&& work) {
  forRanges(executor_, static_cast<int>(worlds_.size()), worldGrain, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      if (mask.empty() || mask[at(i)] != 0) work(at(i));
  });
}

Done Batch::checkMask(Mask mask) const {
  if (mask.empty() || mask.size() == worlds_.size()) return {};
  return wrong(
      "mask",
      "the mask has " + std::to_string(mask.size()) + " entries for " + std::to_string(worlds_.size()) + " worlds",
      "give one per world, or none");
}

std::expected<Bound, Problem> Batch::bind(std::string_view name) {
  for (std::size_t i = 0; i < arrays_.size(); ++i)
    if (arrays_[i]->name == name) return Bound{static_cast<int>(i), arrays_[i]->numbers, arrays_[i]->columns};
  auto array = std::make_unique<Array>();
  array->name = std::string(name);
  array->commands = name == "commands";
  for (std::size_t i = 0; i < readingWords.size(); ++i)
    if (name == readingWords[i]) {
      array->reading = true;
      array->which = static_cast<Reading>(i);
    }
  if (array->commands) {
    array->columns = motors_.size();
  } else if (array->reading) {
    array->columns = worlds_[0].read(array->which).size();
  } else {
    auto whole = worlds_[0].resolve(name);
    if (whole) array->observables.push_back(*whole);
    for (const char* part : {".w", ".x", ".y", ".z"})
      if (const auto one = worlds_[0].resolve(std::string(name) + part); !whole && one)
        array->observables.push_back(*one);
    if (array->observables.empty()) return std::unexpected(whole.error());
    array->columns = array->observables.size();
  }
  array->numbers.assign(worlds_.size() * array->columns, array->commands ? std::nan("") : 0.0);
  arrays_.push_back(std::move(array));
  (void)forward();
  return Bound{static_cast<int>(arrays_.size()) - 1, arrays_.back()->numbers, arrays_.back()->columns};
}

void Batch::refreshOne(std::size_t world) {
  for (const auto& a : arrays_) {
    double* out = a->numbers.data() + world * a->columns;
    if (a->reading) {
      const std::span<const double> now = worlds_[world].read(a->which);
      for (std::size_t k = 0; k < a->columns && k < now.size(); ++k) out[k] = now[k];
    }
    for (std::size_t k = 0; k < a->observables.size(); ++k) out[k] = worlds_[world].read(a->observables[k]);
  }
}

/// A command that is NaN leaves a motor as it is.
Done Batch::checkCommands(Mask mask) const {
  for (const auto& a : arrays_)
    for (std::size_t i = 0; a->commands && i < a->numbers.size(); ++i)
      if ((mask.empty() || mask[i / a->columns] != 0) && std::isinf(a->numbers[i]))
        return wrong("commands",
                     "the command of motor '" + worlds_[0].description().motors[i % a->columns].first + "' in world " +
                         std::to_string(i / a->columns) + " is infinite",
                     "give a finite number, or NaN to leave the motor as it is");
  return {};
}

bool Batch::stepOne(std::size_t world, int count) {
  for (const auto& a : arrays_)
    for (std::size_t k = 0; a->commands && k < a->columns; ++k)
      if (const double target = a->numbers[world * a->columns + k]; !std::isnan(target))
        if (!worlds_[world].command(motors_[k], target)) return false;
  bool good = true;
  for (int i = 0; i < count && good; ++i) good = worlds_[world].step().good;
  refreshOne(world);
  return good;
}

std::expected<bool, Problem> Batch::step(Mask mask, int count) {
  if (auto ok = checkMask(mask); !ok) return std::unexpected(ok.error());
  if (auto ok = checkCommands(mask); !ok) return std::unexpected(ok.error());
  failed_.assign(worlds_.size(), 0);  // a flag per world: nobody writes where another does
  forWorlds(mask, [&](std::size_t i) { failed_[i] = stepOne(i, count) ? 0 : 1; });
  return std::ranges::find(failed_, 1) == failed_.end();
}

Done Batch::reset(Mask mask) {
  if (auto ok = checkMask(mask); !ok) return ok;
  forWorlds(mask, [&](std::size_t i) {
    worlds_[i].reset();
    for (const auto& [parameter, values] : expanded_) (void)worlds_[i].set(parameter, values[i]);  // checked before
    refreshOne(i);
  });
  return {};
}

Done Batch::forward(Mask mask) {
  if (auto ok = checkMask(mask); !ok) return ok;
  forWorlds(mask, [&](std::size_t i) { refreshOne(i); });
  return {};
}

std::expected<std::vector<StateSpace>, Problem> Batch::linearise(std::span<const std::string> inputs,
                                                                 std::span<const std::string> outputs) {
  std::vector<std::expected<StateSpace, Problem>> found(worlds_.size());
  forWorlds({}, [&](std::size_t i) { found[i] = worlds_[i].linearise(inputs, outputs); });
  std::vector<StateSpace> out;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i]) {
      Problem problem = found[i].error();
      problem.reason = "of world " + std::to_string(i) + ": " + problem.reason;
      return std::unexpected(problem);
    }
    out.push_back(std::move(*found[i]));
  }
  return out;
}

Done Batch::expand(std::string_view path, std::span<const double> values) {
  if (values.size() != worlds_.size())
    return wrong(
        "values",
        "there are " + std::to_string(values.size()) + " values for " + std::to_string(worlds_.size()) + " worlds",
        "give one per world");
  const auto parameter = worlds_[0].parameter(path);
  if (!parameter) return std::unexpected(parameter.error());
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!(values[i] >= parameter->low && values[i] <= parameter->high))
      return wrong(std::string(path), "value " + std::to_string(i) + " is outside of what this number may be",
                   "give values from " + briefNumber(parameter->low) + " to " + briefNumber(parameter->high));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (auto ok = worlds_[i].set(*parameter, values[i]); !ok) return ok;
  std::erase_if(expanded_, [&](const auto& e) { return e.first.key == parameter->key; });
  expanded_.emplace_back(*parameter, std::vector<double>(values.begin(), values.end()));
  return forward();
}

}  // namespace reeve
