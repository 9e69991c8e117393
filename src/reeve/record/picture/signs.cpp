// What positive means: turning arrows round wheels and hinges, arrows along sliders and along cables.
#include <algorithm>
#include <cmath>

#include "reeve/record/picture/canvas.h"

namespace reeve::record {
namespace {

constexpr const char* plus = "#1f5fae";

/// Positive spin about an axis through a point: right-handed, so counter-clockwise where the axis points to the eye.
/// Seen from the side a wheel does not seem to turn; there the axis itself is drawn.
void drawSpin(Svg& svg, const Canvas& canvas, LabelPlacer& labels, const Vec3& center, const Vec3& axis,
              double radius) {
  const Vec3 seen = canvas.view.direction(axis);
  const Vec2 at = canvas.flat(center);
  if (std::abs(seen.z()) < 0.3) {
    drawArrow(svg, at, at + 2.0 * radius * seen.head<2>(), plus, 1.8);
    labels.avoid(at + 2.0 * radius * seen.head<2>());
    return;
  }
  drawTurning(svg, at, radius, seen.z() < 0.0, plus);
  for (const Vec2& corner : {Vec2(1, 0), Vec2(-1, 0), Vec2(0, 1), Vec2(0, -1)}) labels.avoid(at + radius * corner);
}

/// Arrowheads on the spans of a cable, from its first link to its last.
void drawRun(Svg& svg, const Canvas& canvas, const CableObservation& cable) {
  for (const SpanObservation& span : cable.spans) {
    if (!span.start.allFinite() || !span.end.allFinite()) continue;
    const Vec2 a = canvas.flat(span.start), d = canvas.flat(span.end) - a;
    const double length = d.norm();
    if (length < 24.0) continue;
    drawArrow(svg, a + (0.5 - 9.0 / length) * d, a + (0.5 + 9.0 / length) * d, plus, 2.6);
  }
}

}  // namespace

void drawSigns(Svg& svg, const Canvas& canvas, LabelPlacer& labels) {
  const Stage& stage = canvas.stage;
  const Description& scene = stage.description();
  const auto radiusOf = [&](double metres) { return std::clamp(1.18 * metres * canvas.view.scale(), 12.0, 240.0); };
  for (const auto& [name, rotor] : scene.rotors) {
    const Stage::Wheel wheel = stage.wheel(name, rotor);
    drawSpin(svg, canvas, labels, wheel.center, wheel.axis, radiusOf(wheel.radius));
  }
  for (const LinkWheel& wheel : linkWheels(scene)) {
    const Pose pose = stage.pose(wheel.on);
    drawSpin(svg, canvas, labels, pose.point(wheel.center), pose.direction(wheel.axis), radiusOf(wheel.radius));
  }
  for (const auto& [name, joint] : scene.joints) {
    const std::string& carrier = stage.isWorld(joint.b) ? joint.a : joint.b;
    const Vec3 at = stage.carried(carrier, joint.anchor), axis = stage.carriedDirection(carrier, joint.axis);
    // Positive is how b goes against a; where b is the world, a goes the other way.
    const double sign = stage.isWorld(joint.b) ? -1.0 : 1.0;
    if (joint.type == JointType::hinge) drawSpin(svg, canvas, labels, at, sign * axis, 15.0);
    if (joint.type != JointType::slider) continue;
    const Vec2 p = canvas.flat(at), along = canvas.view.direction(axis).head<2>();
    drawArrow(svg, p, p + 40.0 * sign * along, plus, 2.0);
  }
  if (canvas.ropes.size() <= 24)
    for (const RopeLine& rope : canvas.ropes) drawRun(svg, canvas, *rope.observed);
}

}  // namespace reeve::record
