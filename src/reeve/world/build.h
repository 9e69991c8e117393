#pragma once
// From a description to a model and its start state.
#include <expected>
#include <memory>
#include <set>

#include "reeve/cables/cable.h"
#include "reeve/elements/bearing.h"
#include "reeve/elements/contacts.h"
#include "reeve/elements/coupling.h"
#include "reeve/elements/joint.h"
#include "reeve/elements/motor.h"
#include "reeve/model/model.h"
#include "reeve/model/problem.h"
#include "reeve/model/state.h"
#include "reeve/world/extensions.h"

namespace reeve {

/// A cable that is laid out at another state than the start: it was converted there (World::convert).
struct RelaidCable {
  int cable = 0;  ///< its place in the description
  CableSettings settings;
  double time = 0.0;
  std::vector<double> q, v;  ///< of the bodies, particles and rotors
};

/// What is built once: the model, who is who in it, and the state it starts from.
struct Built {
  Model model;
  State start;
  std::vector<std::pair<int, int>> excluded;  ///< pairs of blocks that do not collide
  std::vector<const Joint*> joints;           ///< in the order of the description
  std::vector<const Bearing*> bearings;
  std::vector<const Motor*> motors;
  std::vector<const Coupling*> couplings;
  std::vector<const Cable*> cables;
  std::vector<std::string> gauges;                               ///< observables that feedback drives read
  std::vector<std::pair<std::string, const Tunable*>> tunables;  ///< forces and drags, by "forces.NAME", "bodies.NAME"
  const class EventLog* eventLog = nullptr;                      ///< null: the scene has no events
  std::uint64_t scene = 0;                                       ///< hash of all names: what handles are good for
  std::vector<RelaidCable> laid;                                 ///< in the order in which they were converted
  std::vector<std::pair<int, int>> cableBlocks;                  ///< of every cable: its own blocks, first and end
  std::size_t namedPositions = 0, namedVelocities = 0;           ///< in a state, of bodies, particles and rotors
  Extensions extensions;
  std::vector<Block> declared;  ///< the blocks as built, for those whose mass a state changes
  std::set<int> tuned;          ///< blocks whose mass some state has changed
  const void* user = nullptr;   ///< the world whose state the blocks show; clones share a model
};

std::expected<std::unique_ptr<Built>, Problem> build(Description description, const Extensions& extensions = {},
                                                     std::vector<RelaidCable> laid = {});

/// Fixes the start modes of bounded rows: those already touching or violated hold.
void startModes(const Model& model, std::span<const Element* const> elements, State& state);

}  // namespace reeve
