#pragma once
// How the drum at the end of a route winds, as a scene says it: the same for every model.
#include <expected>
#include <string>

#include "reeve/geometry/drum_layers.h"
#include "reeve/model/description.h"
#include "reeve/model/problem.h"

namespace reeve {

/// A drum of this radius (of the line of the cable in the first layer, m) for a cable of this radius (m).
std::expected<DrumLayers, Problem> drumLayersOf(const LinkSettings& link, double cable, double radius,
                                                const std::string& path);
/// m of cable on it; `round` is the way once round its first layer.
double woundAtStart(const LinkSettings& link, const DrumLayers& layers, double round);
/// For models whose drums have one layer.
std::expected<void, Problem> refuseLayers(const LinkSettings& link, const std::string& path, const char* reason,
                                          const char* remedy);

}  // namespace reeve
