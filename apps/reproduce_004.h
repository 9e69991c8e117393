#pragma once
// What the items of paper 004 share: its rod, ends of chains, forces that are put on slowly.
#include "reproduce.h"
#include "reproduce_trial.h"

namespace reeve::command {

inline constexpr double paperStep = 1.0 / 60;

/// Gravity 10 m/s² or none, steps of 1/60 s.
Description paperScene(bool weight, SolverChoice solver = SolverChoice::direct);
LinkSettings chainEnd(std::string on, Vec3 point = Vec3::Zero(), EndHold hold = EndHold::pinned);
BodySettings rigidBody(double mass, Vec3 inertia, Vec3 position);
/// 10 m of 0.1 m square section along x, ν = 0.3, density 7800 (section VII-A).
CableSettings paperRod(double young, int segments);
double paperEI(double young);
double paperGJ(double young);
/// A force and torque put on smoothly within so many seconds.
void putOn(Description& d, const std::string& on, Vec3 force, Vec3 torque, double seconds);

std::vector<Item> particleChainItems();  ///< table I, figs 1 to 6; reproduce_004_points.cpp
std::vector<Item> stabilityItems();      ///< table II, fig 13; reproduce_004_stability.cpp
std::vector<Item> gantryItems();         ///< figs 14 to 16; reproduce_004_gantry.cpp

}  // namespace reeve::command
