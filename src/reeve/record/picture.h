#pragma once
// A scene at one instant as an SVG picture that explains itself: solids in their order of depth, wheels that show their
// turn, cables coloured by tension, joints as symbols, names, a scale bar and the axes.
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "reeve/model/description.h"
#include "reeve/model/problem.h"
#include "reeve/world/observation.h"

namespace reeve::record {

struct PictureOptions {
  std::optional<Vec3> from;  ///< direction from the target to the eye; the scene's own view otherwise
  double width = 900.0;      ///< px
  double height = 600.0;     ///< px
  bool labels = true;
  std::string idPrefix = "p-";  ///< keeps ids apart when several pictures share an HTML page
};

std::string drawPicture(const Description& description, const Observation& observation,
                        const PictureOptions& options = {});

/// "front", "side", "top", "iso", ... or a vector "1,-2,0.5": the direction from the target to the eye.
std::expected<Vec3, Problem> parseView(std::string_view text);

}  // namespace reeve::record
