#pragma once
// What the parts of a picture share while it is drawn.
#include <vector>

#include "reeve/record/picture.h"
#include "reeve/record/picture/labels.h"
#include "reeve/record/picture/rope.h"
#include "reeve/record/picture/solid.h"

namespace reeve::record {

struct RopeLine {
  std::string name;
  const CableSettings* settings = nullptr;  ///< null if the observation names a cable the description does not
  const CableObservation* observed = nullptr;
  std::vector<RopePiece> pieces;
};

/// A wheel that only a link speaks of, in the frame of the body that carries it.
struct LinkWheel {
  std::string on;
  Vec3 center, axis;
  double radius = 0.0;  ///< m
};
std::vector<LinkWheel> linkWheels(const Description& scene);

/// Everything of the scene, placed on the page.
struct Canvas {
  const Stage& stage;
  View view;
  Rect page;                  ///< where the scene is drawn, px
  std::vector<Solid> solids;  ///< in drawing order
  std::vector<RopeLine> ropes;
  double tensionScale = 0.0;                    ///< N at the top of the tension colors; 0 when nothing pulls
  double tensionNoise = 0.0;                    ///< N: what is less is rounding
  std::vector<Rect> boxes;                      ///< of the solids: most of them are nowhere near a given point
  std::vector<std::vector<std::size_t>> cells;  ///< solids whose box touches a cell of the page, in drawing order

  /// Fills boxes and cells, once the solids are in their order.
  void index();
  /// The solids that may be under a point of the page.
  const std::vector<std::size_t>& near(const Vec2& p) const;
  Vec2 flat(const Vec3& p_W) const { return view.project(p_W).head<2>(); }
  /// The solid that shows at a point of the page, or null.
  const Solid* topmost(const Vec2& p) const;
  /// A floor or wall that fills much of the picture: labels may lie on it, and shadows fall on it.
  bool isBackdrop(const Solid& solid) const;
  /// Whether a solid hides a point of the world; `except`: for each solid whether it does not count, or nothing at all.
  bool hidden(const Vec3& p_W, const std::vector<bool>& except) const;
};

std::vector<Solid> solidsOf(const Stage& stage, const View& view);

// The layers of a picture, from back to front.
void drawGround(Svg& svg, const Canvas& canvas);
/// What holds a joint to the world, behind the solids.
void drawSupports(Svg& svg, const Canvas& canvas);
void drawJoints(Svg& svg, const Canvas& canvas, LabelPlacer& labels);
void drawRopes(Svg& svg, const Canvas& canvas, LabelPlacer& labels);
void drawContacts(Svg& svg, const Canvas& canvas);
void drawForces(Svg& svg, const Canvas& canvas);
/// On request: positive spin of wheels and hinges, the positive direction of sliders, the direction of cables.
void drawSigns(Svg& svg, const Canvas& canvas, LabelPlacer& labels);
void drawLabels(Svg& svg, const Canvas& canvas, LabelPlacer& labels);
void drawFrame(Svg& svg, const Canvas& canvas, const PictureOptions& options, LabelPlacer& labels);

/// Shadows of the other solids on the top of a fixed box that serves as a floor.
void drawFloorShadows(Svg& svg, const Canvas& canvas, const Solid& floor, const std::string& clipId);

/// How much of the page the ground under the scene takes, so that the picture shows it.
Rect groundBounds(const Canvas& canvas, const Rect& scene);

void drawArrow(Svg& svg, const Vec2& from, const Vec2& to, const std::string& colour, double width);
/// An arrow that turns around a point.
void drawTurning(Svg& svg, const Vec2& center, double radius, bool clockwise, const std::string& colour);

}  // namespace reeve::record
