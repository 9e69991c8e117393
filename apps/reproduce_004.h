#pragma once
// The items of paper 004. What they measure is in trials/chain_rods.h and chain_ratios.h.
#include "reproduce.h"
#include "reproduce_trial.h"

namespace reeve::command {

std::vector<Item> particleChainItems();  ///< table I, figs 1 to 6; reproduce_004_points.cpp
std::vector<Item> stabilityItems();      ///< table II, fig 13; reproduce_004_stability.cpp
std::vector<Item> gantryItems();         ///< figs 14 to 16; reproduce_004_gantry.cpp

}  // namespace reeve::command
