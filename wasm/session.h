#pragma once
// A world as a page uses it: with what it watches, and the numbers and texts it was last asked for.
#include <optional>
#include <string>
#include <vector>

#include "reeve/model/problem.h"
#include "reeve/model/state.h"
#include "reeve/world/world.h"

namespace reeve::wasm {

/// A spring from a point of a body, or of a cable's line, to a place in the world: how people pull at things.
struct Grip {
  bool onCable = false;
  int index = 0;              ///< of the body or the cable, in the order of the scene
  Vec3 point = Vec3::Zero();  ///< on the body, its frame
  double along = 0.0;         ///< on the cable's line, from 0 to 1
  Vec3 target = Vec3::Zero();
};

struct Session {
  World world;
  std::vector<Observable> watched;  ///< by number, as watch() gave them out
  std::vector<double> numbers;      ///< what was last asked for; valid until the next question
  std::optional<Grip> grip;
  double pull = 0.0;             ///< N, of the grip in the last step
  Vec3 held = Vec3::Zero();      ///< where it took hold, world frame
  std::vector<State> kept;       ///< states as values, by number
  std::vector<CableModel> told;  ///< of each cable, when the layout was last asked for
};

/// Pushes for the next step what a grip pulls: a damped spring of 1.5 Hz with the mass of the body. A cable of
/// segments or particles is pulled where it was taken; others, whose spans have no place of their own, at the ends of
/// the span, shared by the lever.
void pull(Session& session);

/// What does not change while a world moves, as JSON: bodies with their shapes, rotors, particles, cables, motors,
/// settings, view, plots and every path that can be watched. web/src/types.ts declares it (Layout).
std::string layoutText(const World& world);
/// Lengths, tensions, links and spans of one cable now, as JSON (CableNow).
std::string cableText(const World& world, std::size_t cable);
/// The model of each cable now: events and conversions change it while a world runs.
std::vector<CableModel> modelsOf(const World& world);
/// {"path", "reason", "remedy", "line", "column"}
std::string problemJson(const Problem& problem);

/// Everything a picture needs now, as plain numbers in the order that web/src/frame.ts reads them:
///   time, steps, kinetic, potential, elastic, total, iterations, residual, worst error, unconverged, good, contacts
///   bodies     x y z  qw qx qy qz      of each, in the order of the scene
///   rotors     turn on the parent, rate
///   particles  x y z
///   cables     points, windings, material at the first point (m), length, turns; then x y z tension of each point,
///              rotor, stored length of each winding, and how often the material turns about the line at each point
///              (none, or as many as points)
///   contacts   x y z force
/// A tension below zero: there is nothing between this point and the next.
void drawInto(const World& world, std::vector<double>& out);

}  // namespace reeve::wasm
