#pragma once
// A scene at one instant as an SVG picture that explains itself: solids in their order of depth, wheels that show their
// turn, cables colored by tension, joints as symbols, names, a scale bar and the axes.
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "reeve/model/description.h"
#include "reeve/model/problem.h"
#include "reeve/world/observation.h"

namespace reeve::record {

/// What a picture shows, across and up the page, in meters as seen along its direction: kept, it holds the camera
/// still over a run.
struct PictureFrame {
  Vec2 low = Vec2::Constant(1e300), high = Vec2::Constant(-1e300);
  bool empty() const { return low.x() > high.x(); }
  void include(const PictureFrame& other) { low = low.cwiseMin(other.low), high = high.cwiseMax(other.high); }
};

/// The largest forces of all pictures of a run: they share one scale of tensions, and one notion of what is rounding.
struct PictureForces {
  double force = 0.0;    ///< N, of anything; tensions below a millionth of it are not shown
  double tension = 0.0;  ///< N
  void include(const Description& description, const Observation& observation);
};

struct PictureOptions {
  std::optional<Vec3> from;  ///< direction from the target to the eye; the scene's own view otherwise
  double width = 900.0;      ///< px
  double height = 600.0;     ///< px
  bool labels = true;
  bool signs = false;                 ///< arrows for positive spin, and for the direction in which cables run
  std::optional<PictureFrame> frame;  ///< instead of what is there now
  std::optional<Vec3> target;         ///< in the middle, world frame; instead of the scene's own
  double sceneHeight = 0.0;           ///< m of scene in the picture; 0 takes the scene's own, or fits
  PictureForces forces;               ///< of the run, as far as they are known
  std::string idPrefix = "p-";        ///< keeps ids apart when several pictures share an HTML page
};

std::string drawPicture(const Description& description, const Observation& observation,
                        const PictureOptions& options = {});

/// What a picture of this instant would show. Those of several instants together make a camera that stays.
PictureFrame pictureFrame(const Description& description, const Observation& observation,
                          const PictureOptions& options = {});

/// Page sizes that suit what is shown: 900 x 600, upright for towers, flat for long spans.
Vec2 pageFor(const PictureFrame& frame);

/// "front", "side", "top", "iso", ... or a vector "1,-2,0.5": the direction from the target to the eye.
std::expected<Vec3, Problem> parseView(std::string_view text);

}  // namespace reeve::record
