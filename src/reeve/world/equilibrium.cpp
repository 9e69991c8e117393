// A state of rest: World::equilibrium.
#include <algorithm>
#include <cmath>

#include "reeve/model/kinetics.h"
#include "reeve/world/brief_number.h"
#include "reeve/world/curvature.h"
#include "reeve/world/parts.h"

namespace reeve {

namespace {
/// Forces that do not balance may be this share of the weights.
constexpr double balanced = 1e-10;
/// The longest pseudo time, s, and how it grows and shrinks.
constexpr double longestPseudo = 1e4, pseudoGrowth = 3.0, pseudoShrink = 0.2;
constexpr int mostRelaxations = 600;
/// Crests that are left before the search gives up, how far, m or rad, and how many short relaxations lead away.
constexpr int mostCrests = 6, crestSteps = 40;
constexpr double crestNudge = 1e-3;
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

/// A search for rest on its way.
struct RestSearch {
  DirectSolver solver;
  Relaxed relaxed;
  double travelled = 0.0;  ///< m or rad
  double first = 0.0;      ///< the pseudo time that it begins with, s
  int capped = 0;          ///< so many relaxations take no longer one
  bool ranAway() const { return travelled > reach; }
  static constexpr double reach = 1e3;  // m or rad: what has gone that far is not coming to rest
};

/// Relaxes until nothing moves; whether that was so.
bool World::Parts::searchRest(Rest& rest, RestSearch& search) {
  const Settings& settings = model().description.settings;
  double weights = std::max(now.moving().weighed * settings.gravity.norm(), 1e-9);
  double pseudo = search.first;
  bool done = false;
  for (int i = 0; i < mostRelaxations && !done; ++i, ++rest.steps) {
    lookAround();
    // As far as things may fall in this step, or they would pass through each other.
    if (!contacts.empty()) contacts.find(now, std::clamp(pseudo, settings.dt, contactPseudo), state);
    const std::vector<const Element*>& all = state.pushes.empty() ? elements : pushed;
    const std::span<const Element* const> acting(all.data(), all.size() - (contacts.contacts().empty() ? 1 : 0));
    const State last = state;
    if (!search.solver.relax(model(), acting, state, pseudo, search.relaxed, events)) {
      state = last;
      pseudo *= pseudoShrink;
      if (pseudo < 1e-6 * settings.dt) break;
      continue;
    }
    if (!contacts.empty()) contacts.remember(state);
    applyTopology();
    search.travelled += search.relaxed.moved;
    weights = std::max(weights, search.relaxed.forces);  // of cables too
    done = search.relaxed.unbalanced <= balanced * weights && search.relaxed.moved <= 1e-9;
    if (search.ranAway()) break;
    if (i >= search.capped)
      pseudo = std::min(pseudo * pseudoGrowth, contacts.contacts().empty() ? longestPseudo : contactPseudo);
  }
  rest.unbalanced = search.relaxed.unbalanced;
  rest.share = search.relaxed.unbalanced / weights;
  return done;
}

std::expected<Rest, Problem> World::equilibrium() {
  Parts& p = *parts_;
  p.use();
  for (const auto& [name, cable] : description().cables)
    if (cable.model == CableModel::particles)
      return wrong("/cables/" + name, "particle cables move in time only: there is no solve for their rest",
                   "let them come to rest with damping, or use another model");
  const State before = p.state;
  RestSearch search;
  search.first = description().settings.dt;
  Rest rest;
  Curvature curvature;
  bool done = false;
  for (int tries = 0; tries < mostCrests; ++tries) {
    done = p.searchRest(rest, search) && p.passes();
    if (!done) break;
    curvature = p.curvatureAtRest();
    if (curvature.down.empty() || tries + 1 == mostCrests) break;
    // Downhill from the crest, in pseudo times so short that no step leads back to it.
    search.first = 0.5 / curvature.rate;
    search.capped = crestSteps;
    if (!p.nudge(curvature.down, crestNudge)) break;
  }
  rest.examined = curvature.examined;
  rest.loose = curvature.loose;
  p.events.clear();
  if (!done || !curvature.down.empty()) {
    p.verdict = Verdict{};
    p.state = before;
    p.show();
    const std::string who = p.blockName(search.relaxed.block);
    return wrong("state",
                 done ? "the state of rest that was found is not stable: " + curvature.leaves + " leaves it"
                 : search.ranAway() ? "there is no state of rest: " + who + " goes on moving"
                                    : "no state of rest was found: " + who + " was still moving by " +
                                          briefNumber(search.relaxed.moved) + " m or rad",
                 done ? "linearise() and modes() take a state as it is set"
                      : "hold what is free to run away, or start nearer to rest");
  }
  p.restart();
  p.openAccounts();
  p.good = p.state;
  return rest;
}

}  // namespace reeve
