#pragma once
// What the items of paper 001 share.
#include "reeve/cables/particles/particle_cable.h"
#include "reproduce.h"
#include "reproduce_trial.h"

namespace reeve::command {

/// The particle cable of a world, to look at its particles.
const ParticleCable& particleCableOf(const World& world);
/// Worst segment, as a share of its rest length.
double stretchOf(const World& world);
/// Points joined by lines, in a box of meters.
struct Trace {
  std::vector<Vec2> points;
  std::string color = "#1b6ca8";
  bool dots = true;
};
std::string traceDrawing(const std::vector<Trace>& traces, Vec2 lower, Vec2 upper, const std::string& title,
                         double width = 230.0);

std::vector<Item> stiffnessItems();  ///< figs 3.37 to 3.39
std::vector<Item> effortItems();     ///< sections 4.1 and 4.2
std::vector<Item> outlookItems();    ///< sections 4.3 and 5.2

}  // namespace reeve::command
