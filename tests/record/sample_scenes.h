#pragma once
// Scenes with hand-made observations: what the pictures, tables and summaries are tried on without a simulation.
#include "reeve/model/description.h"
#include "reeve/world/observation.h"

namespace reeve::samples {

struct Sample {
  Description description;
  Observation observation;
};

/// Two rods on hinges, turned by a and b from hanging.
Sample doublePendulum(double a = 0.9, double b = -0.5);
/// Every kind of shape in a heap on a half-space.
Sample pile();
/// A mast, a jib, a drum and sheaves; one cable taut with different tensions, one slack.
Sample crane();
/// A belt of particles, distance joints and springs.
Sample net();
/// A floor that is a box a hundred times larger than what lies on it, and tiny things.
Sample bigFloor();
/// A chain of many links with a wheel for each: too many to name.
Sample manyThings();
/// What a scene becomes at the start: every body at its start pose.
Observation atStart(const Description& description);

}  // namespace reeve::samples
