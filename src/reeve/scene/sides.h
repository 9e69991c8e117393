#pragma once
// Which way a cable runs about its wheels where a scene leaves that open (`side` left out, or "auto").
#include <string>
#include <vector>

#include "reeve/model/description.h"

namespace reeve::scene {

/// A choice that was made for a scene, for people to read.
struct Remark {
  std::string path;  ///< "/cables/rope/route/1/side"
  std::string text;
};

/// Gives every link of side 0 the side +1 or -1: of all sides of a cable together those with the fewest crossings of
/// neighboring spans, and of these the shortest path; where paths are alike to a thousandth of the smallest radius, +1
/// (counter-clockwise). A link that waits for the cable (`active:
/// false`) and a drum at the end of a route, which has no other span, get +1. Wheels are taken as circles, and their
/// neighbors as seen along the axis.
std::vector<Remark> chooseSides(Description& scene);

}  // namespace reeve::scene
