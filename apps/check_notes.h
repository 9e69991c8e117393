#pragma once
// What check remarks on a built scene beside its cables' sides: bodies inside each other, steps too long for a rope.
#include <vector>

#include "reeve/record/notes.h"
#include "reeve/world/world.h"

namespace reeve::command {

std::vector<record::Note> worldNotes(const World& world);

/// What is wrong with the number of a span or a link in the path of an observable, "cables.rope.spans.7.tension"; empty
/// if nothing is. `certain`: the cable's route cannot change, so that it never will be right.
std::string numberTrouble(const World& world, const std::string& path, bool& certain);

}  // namespace reeve::command
