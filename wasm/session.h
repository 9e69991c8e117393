#pragma once
// A world as a page uses it: with what it watches, and the numbers and texts it was last asked for.
#include <string>
#include <vector>

#include "reeve/model/problem.h"
#include "reeve/world/world.h"

namespace reeve::wasm {

struct Session {
  World world;
  std::vector<Observable> watched;  ///< by number, as watch() gave them out
  std::vector<double> numbers;      ///< what was last asked for; valid until the next question
};

/// What does not change while a world moves, as JSON: bodies with their shapes, rotors, particles, cables, motors,
/// settings, view, plots and every path that can be watched. web/src/types.ts declares it (Layout).
std::string layoutText(const World& world);
/// Lengths, tensions, links and spans of one cable now, as JSON (CableNow).
std::string cableText(const World& world, std::size_t cable);
/// {"path", "reason", "remedy", "line", "column"}
std::string problemJson(const Problem& problem);

/// Everything a picture needs now, as plain numbers in the order that web/src/frame.ts reads them:
///   time, steps, kinetic, potential, elastic, total, iterations, residual, worst error, unconverged, good, contacts
///   bodies     x y z  qw qx qy qz      of each, in the order of the scene
///   rotors     turn on the parent, rate
///   particles  x y z
///   cables     points, windings, material at the first point (m), length; then x y z tension of each point, and
///              rotor, stored length of each winding
///   contacts   x y z force
/// A tension below zero: there is nothing between this point and the next.
void drawInto(const World& world, std::vector<double>& out);

}  // namespace reeve::wasm
