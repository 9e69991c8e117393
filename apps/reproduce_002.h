#pragma once
// Tables 1 and 2 and figures 8 and 9 of paper 002, all of one scene: a strand over n sheaves;
// reproduce_002_pulleys.cpp.
#include "reproduce.h"

namespace reeve::command {

/// A beam of 1000 kg on n falls, balanced by a weight that is `extra` heavier than it should be. `turning`: sheaves are
/// rotors; otherwise the strand slides over them without friction, as in the paper's table 2.
Description compoundPulley(int n, double extra, bool turning = true);
void addPulleyTables(std::vector<Item>& items);
/// Figures 5a, 5b and 6, sections 3.3 and 4.1; reproduce_002_nodes.cpp.
std::vector<Item> nodeItems();

}  // namespace reeve::command
