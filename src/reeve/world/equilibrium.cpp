// A state of rest: World::equilibrium.
#include <algorithm>
#include <cmath>

#include "reeve/model/kinetics.h"
#include "reeve/world/brief_number.h"
#include "reeve/world/parts.h"

namespace reeve {

namespace {
/// Forces that do not balance may be this share of the weights.
constexpr double balanced = 1e-10;
/// The longest pseudo time, s, and how it grows and shrinks.
constexpr double longestPseudo = 1e4, pseudoGrowth = 3.0, pseudoShrink = 0.2;
constexpr int mostRelaxations = 600;
/// Where things touch, s: a contact gives way in proportion to the square of the step, and is looked for as far as
/// things fall in it.
constexpr double contactPseudo = 0.05;
}  // namespace

/// What a block is called.
std::string World::Parts::blockName(int block) const {
  for (const Body& b : model().bodies)
    if (b.block == block) return (b.hidden ? "cables." : "bodies.") + b.name;
  for (const Rotor& r : model().rotors)
    if (r.block == block) return "rotors." + r.name;
  for (const Particle& q : model().particles)
    if (q.block == block) return (q.hidden ? "cables." : "particles.") + q.name;
  for (const auto& e : model().elements)
    if (std::string own = e->nameOf(ElementPart::block, block); !own.empty()) return own;
  return "coordinate " + std::to_string(block);
}

std::expected<Rest, Problem> World::equilibrium() {
  Parts& p = *parts_;
  p.use();
  for (const auto& [name, cable] : description().cables)
    if (cable.model == CableModel::particles)
      return wrong("/cables/" + name, "particle cables move in time only: there is no solve for their rest",
                   "let them come to rest with damping, or use another model");
  const Settings& settings = description().settings;
  const State before = p.state;
  double weights = std::max(p.now.moving().weighed * settings.gravity.norm(), 1e-9);
  constexpr double reach = 1e3;  // m or rad: what has gone that far is not coming to rest
  DirectSolver solver;
  Relaxed relaxed;
  Rest rest;
  double pseudo = settings.dt, travelled = 0.0;
  State last = p.state;
  bool done = false;
  for (rest.steps = 0; rest.steps < mostRelaxations && !done; ++rest.steps) {
    p.lookAround();
    // As far as things may fall in this step, or they would pass through each other.
    if (!p.contacts.empty()) p.contacts.find(p.now, std::clamp(pseudo, settings.dt, contactPseudo), p.state);
    const std::vector<const Element*>& all = p.state.pushes.empty() ? p.elements : p.pushed;
    const std::span<const Element* const> acting(all.data(), all.size() - (p.contacts.contacts().empty() ? 1 : 0));
    last = p.state;
    if (!solver.relax(p.model(), acting, p.state, pseudo, relaxed, p.events)) {
      p.state = last;
      pseudo *= pseudoShrink;
      if (pseudo < 1e-6 * settings.dt) break;
      continue;
    }
    if (!p.contacts.empty()) p.contacts.remember(p.state);
    p.applyTopology();
    travelled += relaxed.moved;
    weights = std::max(weights, relaxed.forces);  // of cables too
    done = relaxed.unbalanced <= balanced * weights && relaxed.moved <= 1e-9;
    if (travelled > reach) break;
    pseudo = std::min(pseudo * pseudoGrowth, p.contacts.contacts().empty() ? longestPseudo : contactPseudo);
  }
  rest.unbalanced = relaxed.unbalanced;
  rest.share = relaxed.unbalanced / weights;
  p.events.clear();
  if (!done || !p.passes()) {
    p.verdict = Verdict{};
    p.state = before;
    p.show();
    const std::string who = p.blockName(relaxed.block);
    return wrong("state",
                 travelled > reach ? "there is no state of rest: " + who + " goes on moving"
                                   : "no state of rest was found: " + who + " was still moving by " +
                                         briefNumber(relaxed.moved) + " m or rad",
                 "hold what is free to run away, or start nearer to rest");
  }
  p.restart();
  p.openAccounts();
  p.good = p.state;
  return rest;
}

}  // namespace reeve
