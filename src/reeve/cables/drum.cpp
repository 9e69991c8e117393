#include "reeve/cables/drum.h"

#include <cmath>

#include "reeve/cables/idle.h"
#include "reeve/math/scalar.h"

namespace reeve {

std::expected<DrumLayers, Problem> drumLayersOf(const LinkSettings& link, double cable, double radius,
                                                const std::string& path) {
  DrumLayers layers{.radius = radius};
  if (!link.flanges) {
    const Idle idle[] = {
        {link.pitch != 0.0, "/pitch", "without flanges this drum winds in one layer, however wide", "give flanges"},
        {link.rise.has_value(), "/rise", "without flanges this drum winds in one layer", "give flanges"},
    };
    if (auto ok = refuse(path, idle); !ok) return std::unexpected(ok.error());
    return layers;
  }
  const double pitch = link.pitch != 0.0 ? link.pitch : 2.0 * cable;
  if (!(pitch > 0.0))
    return std::unexpected(Problem{path + "/pitch", "a drum has a distance above zero from turn to turn",
                                   "leave it out: the cable's diameter"});
  layers.turns = std::floor(*link.flanges / pitch * (1.0 + 1e-9));
  layers.rise = link.rise.value_or(2.0 * cable);
  if (layers.turns < 1.0)
    return std::unexpected(Problem{path + "/flanges", "there is no room for one turn of the cable between the flanges",
                                   "set them at least " + std::to_string(pitch) + " m apart, or give a smaller pitch"});
  return layers;
}

double woundAtStart(const LinkSettings& link, const DrumLayers& layers, double round) {
  if (link.stored) return *link.stored;
  return layers.many() ? layers.lengthAt(2.0 * math::pi * link.turns) : link.turns * round;
}

std::expected<void, Problem> refuseLayers(const LinkSettings& link, const std::string& path, const char* reason,
                                          const char* remedy) {
  if (!link.flanges && !link.rise) return {};
  return std::unexpected(Problem{path + (link.flanges ? "/flanges" : "/rise"), reason, remedy});
}

}  // namespace reeve
