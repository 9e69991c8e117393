#pragma once
// Figures of paper 000 that are checks of geometry rather than of a shipped scene; reproduce_000_geometry.cpp.
#include "reproduce.h"

namespace reeve::command {

Outcome turningWheels(Sheet& sheet);     // fig 2
Outcome fourTangents(Sheet& sheet);      // fig 3
Outcome polygonTurn(Sheet& sheet);       // fig 5
Outcome tangentIteration(Sheet& sheet);  // fig 6
Outcome skewPlanes(Sheet& sheet);        // fig 8

}  // namespace reeve::command
