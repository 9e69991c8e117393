// What must hold of a state from outside before anything reads it as places, indices and counts.
#include <algorithm>
#include <cmath>
#include <functional>

#include "reeve/model/element.h"
#include "reeve/model/parameter.h"
#include "reeve/world/state_text.h"

namespace reeve {

namespace {

/// A unit quaternion may be off by this: states are saved with all their digits, and others are made up.
constexpr double unitTolerance = 1e-6;

bool finite(std::span<const double> list) {
  double sum = 0.0;
  for (const double x : list) sum += x - x;  // 0, or NaN for what is not finite
  return sum == 0.0;
}

std::string sizeFlaw(const Model& m, const State& start, const State& s) {
  const auto is = [](const auto& list, int size) { return list.size() == static_cast<std::size_t>(size); };
  bool fits = is(s.q, m.positions) && is(s.memory, m.memory) &&
              std::ranges::equal(s.sheets, start.sheets, {}, &Sheet::size, &Sheet::size) &&
              s.force.size() == s.mode.size() &&
              s.force.size() == static_cast<std::size_t>(m.slots) + 3 * s.contacts.size();
  for (const auto* list : {&s.v, &s.u, &s.p, &s.pOld}) fits = fits && is(*list, m.velocities);
  return fits ? "" : "it has other numbers of coordinates, forces or memory than this scene";
}

std::string valueFlaw(const Model& m, const State& s) {
  const double bounds = m.description.settings.bounds;
  if (!(s.time >= 0.0 && s.time < 1e18)) return "its time is none";
  if (!finite({&s.accounts.start, 1}) || !finite(s.accounts.done) || !finite(s.accounts.power))
    return "its accounts of energy are not finite";
  if (s.steps < 0) return "its count of steps is none";
  if (!(s.h >= 0.0 && s.h < unbounded)) return "the step of its history is none";
  for (const auto* list : {&s.q, &s.v, &s.u, &s.p, &s.pOld, &s.force})
    if (!finite(*list)) return "a number in it is not finite";
  // What an element remembers may be as large as it likes, and no limit is infinite.
  const auto isNaN = [](double x) { return x != x; };
  if (std::ranges::any_of(s.memory, isNaN)) return "it remembers what is not a number";
  for (const Sheet& sheet : s.sheets)
    if (!finite({sheet.data(), sheet.size()})) return "a number in it is not finite";
  for (const double v : s.v)
    if (std::fabs(v) > bounds) return "a velocity in it is beyond settings.bounds";
  for (const Block& b : m.blocks) {
    const double* q = s.q.data() + b.q;
    for (int k = 0; b.dof >= 3 && k < 3; ++k)
      if (std::fabs(q[k]) > bounds) return "a place in it is beyond settings.bounds";
    if (!b.rotates) continue;
    const double square = q[3] * q[3] + q[4] * q[4] + q[5] * q[5] + q[6] * q[6];
    if (!(std::fabs(square - 1.0) < unitTolerance)) return "an orientation in it is no unit quaternion";
  }
  return "";
}

std::string contactFlaw(const Model& m, const State& s) {
  const auto count = static_cast<std::int64_t>(m.colliders.size());
  const auto pairOf = [](const ContactMemory& c) { return c.key >> 32; };
  if (!std::ranges::is_sorted(s.contacts, {}, pairOf)) return "its contacts are not in order";
  for (const ContactMemory& c : s.contacts) {
    const std::int64_t pair = c.key >> 32;
    if (c.key < 0 || pair >= count * count) return "a contact in it is between bodies that are not there";
    if (!std::isfinite(c.normal) || !c.friction.allFinite()) return "a contact force in it is not finite";
  }
  return "";
}

/// Whether a number that a program has changed is one that this scene has. A mass divides.
bool isOfScene(const Model& m, const Override& o) {
  if (o.key >= 0) return o.key < (static_cast<std::int64_t>(m.elements.size()) << 20);
  const std::int64_t block = (-1 - o.key) / static_cast<int>(BlockField::count);
  if (block >= static_cast<std::int64_t>(m.blocks.size())) return false;
  const Block& b = m.blocks[static_cast<std::size_t>(block)];
  return fieldOfKey(o.key) != BlockField::mass || (b.free && b.mass > 0.0 && o.value > 0.0 && o.value < unbounded);
}

std::string commandFlaw(const Model& m, const State& s) {
  if (std::ranges::adjacent_find(s.overrides, std::greater_equal{}, &Override::key) != s.overrides.end() ||
      std::ranges::adjacent_find(s.pushes, std::greater_equal{}, &Push::block) != s.pushes.end())
    return "its commands are not in order";
  for (const Override& o : s.overrides) {
    if (o.value != o.value) return "a command in it is not a number";
    if (!isOfScene(m, o)) return "it changes a number that is not there";
  }
  for (const Push& p : s.pushes) {
    if (p.block < 0 || static_cast<std::size_t>(p.block) >= m.blocks.size()) return "it pushes what is not there";
    for (const Vec3* x : {&p.force, &p.torque, &p.at, &p.onceForce, &p.onceTorque, &p.lastForce, &p.lastTorque})
      if (!x->allFinite()) return "a push in it is not finite";
  }
  return "";
}

}  // namespace

std::string flawOf(const Model& model, const State& start, const State& state) {
  if (std::string flaw = sizeFlaw(model, start, state); !flaw.empty()) return flaw;
  if (std::string flaw = valueFlaw(model, state); !flaw.empty()) return flaw;
  if (std::string flaw = contactFlaw(model, state); !flaw.empty()) return flaw;
  if (std::string flaw = commandFlaw(model, state); !flaw.empty()) return flaw;
  for (const auto& e : model.elements)
    if (const char* flaw = e->inspect(state, {.outside = true})) return e->name + " " + flaw;
  for (const auto& e : model.elements)
    if (const char* flaw = e->inspect(state, {.bounds = model.description.settings.bounds}))
      return e->name + " " + flaw;
  return "";
}

}  // namespace reeve
