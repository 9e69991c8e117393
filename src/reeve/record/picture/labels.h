#pragma once
// Labels that do not overlap: each takes the best free place near what it names, or is left out.
#include <functional>
#include <string>
#include <vector>

#include "reeve/record/palette.h"
#include "reeve/record/picture/view.h"
#include "reeve/record/svg.h"

namespace reeve::record {

struct Label {
  std::string text;
  Rect anchor;         ///< what it names, on the page
  double size = 12.0;  ///< px
  Colour colour = ink;
  Colour insideColour = ink;  ///< where it sits on what it names
  bool bold = false;
  bool inside = false;                        ///< may sit in the middle of the anchor
  std::function<bool(const Vec2&)> own = {};  ///< whether a point of the page is part of what it names
};

class LabelPlacer {
 public:
  /// Labels stay within `page`. `covered` tells whether a point of the page is taken by a solid.
  LabelPlacer(Rect page, std::function<bool(const Vec2&)> covered) : page_(page), covered_(std::move(covered)) {}

  /// A place that labels should rather not cover: a point of a cable, a joint.
  void avoid(const Vec2& p) { points_.push_back(p); }
  /// A place that labels must not cover: a legend.
  void reserve(const Rect& rect) { taken_.push_back(rect); }

  /// Draws the label if it finds a place. Call in order of importance.
  bool place(Svg& svg, const Label& label);

 private:
  double cost(const Rect& rect) const;  // infinite where it must not be
  bool placeInside(Svg& svg, const Label& label, const Rect& anchor, const Vec2& size);

  Rect page_;
  std::function<bool(const Vec2&)> covered_;
  std::vector<Vec2> points_;
  std::vector<Rect> taken_;
};

}  // namespace reeve::record
