// Joints and motors as the small symbols of a mechanism sketch. Sizes are in px, whatever the scale of the scene.
#include <algorithm>
#include <cmath>

#include "reeve/math/scalar.h"
#include "reeve/record/picture/canvas.h"

namespace reeve::record {
namespace {

constexpr const char* dark = "#2f3843";

std::string pen(const char* colour, double width, const char* fill = "none") {
  return attribute("stroke", colour) + attribute("stroke-width", width) + attribute("fill", fill);
}

/// A joint placed on the page.
struct Mark {
  Vec2 a, b;    ///< anchors; equal except for distance joints, and sliders: where the spring is at rest
  Vec3 axis;    ///< page direction
  double size;  ///< px, about the radius of the symbol
};

/// The triangle on hatched ground of textbooks: held by the world. `away` is one of the four directions of the page.
void drawSupport(Svg& svg, const Vec2& p, const Vec2& away, double size) {
  const double h = 2.3 * size, w = 1.7 * size;
  const Vec2 across(-away.y(), away.x());
  const Vec2 base = p + h * away;
  svg.polygon({p, base - w * across, base + w * across}, pen("#5b6570", 1.1, "#eceff2"));
  Path ticks;
  ticks.move(base - (w + 3) * across).line(base + (w + 3) * across);
  for (double x = -w - 1; x <= w + 3; x += 4.0)
    ticks.move(base + x * across).line(base + (x - 3.5) * across + 4 * away);
  svg.path(ticks, pen("#5b6570", 1.0));
}

/// Up, down, left or right on the page, away from the body a joint holds, so that the body does not hide the support.
Vec2 awayFrom(const Vec2& body, const Vec2& anchor) {
  const Vec2 d = anchor - body;
  if (d.norm() < 4.0) return {0, 1};
  if (std::abs(d.x()) > 1.5 * std::abs(d.y())) return {d.x() > 0 ? 1.0 : -1.0, 0};
  return {0, d.y() > 0 ? 1.0 : -1.0};
}

void drawHinge(Svg& svg, const Mark& mark) {
  const double r = mark.size;
  if (std::abs(mark.axis.z()) > 0.45) {
    svg.circle(mark.a, r, pen(dark, 1.5, "#ffffff"));
    svg.circle(mark.a, 0.3 * r, attribute("fill", dark));
    return;
  }
  // Seen from the side: the pin in its knuckle.
  const Vec2 along = mark.axis.head<2>().normalized();
  svg.line(mark.a - 2.4 * r * along, mark.a + 2.4 * r * along, pen(dark, 1.2) + "stroke-dasharray=\"5 2 1 2\" ");
  svg.line(mark.a - 1.2 * r * along, mark.a + 1.2 * r * along, pen(dark, 1.7 * r));
  svg.line(mark.a - 1.2 * r * along, mark.a + 1.2 * r * along, pen("#ffffff", 1.7 * r - 2.6));
}

void drawSlider(Svg& svg, const Mark& mark) {
  const double r = mark.size;
  const Vec2 flat = mark.axis.head<2>();
  if (flat.norm() < 0.2) return svg.rect(mark.a - Vec2::Constant(r), Vec2::Constant(2 * r), pen(dark, 1.4, "#ffffff"));
  const Vec2 along = flat.normalized(), across(-along.y(), along.x());
  for (const double side : {-1.0, 1.0})
    svg.line(mark.a + side * 1.5 * r * across - 4.5 * r * along, mark.a + side * 1.5 * r * across + 4.5 * r * along,
             pen(dark, 1.2));
  svg.polygon({mark.a + 1.6 * r * along + 0.9 * r * across, mark.a + 1.6 * r * along - 0.9 * r * across,
               mark.a - 1.6 * r * along - 0.9 * r * across, mark.a - 1.6 * r * along + 0.9 * r * across},
              pen(dark, 1.2, "#ffffff"));
}

void drawSpring(Svg& svg, const Vec2& a, const Vec2& b, double size) {
  const double length = (b - a).norm();
  if (length < 12.0) return svg.line(a, b, pen(dark, 1.4));
  const Vec2 along = (b - a) / length, across(-along.y(), along.x());
  const int coils = static_cast<int>(std::clamp(length / 14.0, 4.0, 14.0));
  std::vector<Vec2> line{a, a + 0.12 * length * along};
  for (int i = 0; i < 2 * coils; ++i)
    line.push_back(a + (0.12 + 0.76 * (i + 0.5) / (2 * coils)) * length * along + (i % 2 ? 1.2 : -1.2) * size * across);
  line.push_back(a + 0.88 * length * along);
  line.push_back(b);
  svg.polyline(line, attribute("stroke", dark) + attribute("stroke-width", 1.3));
}

/// A spiral spring about a pin.
void drawSpiral(Svg& svg, const Vec2& center, double size) {
  std::vector<Vec2> line;
  constexpr int steps = 48;
  for (int i = 0; i <= steps; ++i) {
    const double turn = 5.0 * math::pi * i / steps, r = size * (1.2 + 1.6 * i / steps);
    line.emplace_back(center + r * Vec2(math::cos(turn), math::sin(turn)));
  }
  svg.polyline(line, attribute("stroke", dark) + attribute("stroke-width", 1.1));
}

void drawDistance(Svg& svg, const Mark& mark, const JointSettings& joint, const JointObservation* observed) {
  const double now = observed ? observed->coordinate : 0.0;
  const double rest = joint.length.value_or(now);
  const double small = 1e-6 * std::max(std::abs(rest), 1.0);
  const bool slack = observed && ((joint.mode == DistanceMode::rope && now < rest - small) ||
                                  (joint.mode == DistanceMode::strut && now > rest + small));
  if (joint.compliance > 0.0 && !slack && joint.mode != DistanceMode::rope)  // a rope that gives is still a rope
    drawSpring(svg, mark.a, mark.b, mark.size);
  else if (slack)
    svg.line(mark.a, mark.b, pen("#8a929c", 1.4) + "stroke-dasharray=\"5 4\" ");
  else
    svg.line(mark.a, mark.b, pen(dark, joint.mode == DistanceMode::rope ? 1.3 : 2.4));
  for (const Vec2& end : {mark.a, mark.b}) svg.circle(end, 0.5 * mark.size, attribute("fill", dark));
}

double driveSign(const MotorSettings& motor) {
  for (const double part : {motor.target.offset, motor.target.rate, motor.target.amplitude})
    if (part != 0.0) return part < 0.0 ? -1.0 : 1.0;
  return 1.0;
}

void drawSymbol(Svg& svg, const Mark& mark, const JointSettings& joint, const JointObservation* observed) {
  const double r = mark.size;
  if (observed && !observed->holds && joint.type != JointType::hinge && joint.type != JointType::slider) {
    // What is not hooked on: the place where it would hold.
    svg.circle(mark.a, 0.85 * r, pen("#8a929c", 1.2));
    return;
  }
  if (joint.stiffness > 0.0 && joint.type == JointType::hinge) drawSpiral(svg, mark.a, r);
  if (joint.stiffness > 0.0 && joint.type == JointType::slider) drawSpring(svg, mark.b, mark.a, r);
  switch (joint.type) {
    case JointType::ball:
      svg.circle(mark.a, 0.85 * r, attribute("fill", dark) + "stroke=\"#ffffff\" stroke-width=\"1.2\" ");
      break;
    case JointType::hinge:
      drawHinge(svg, mark);
      break;
    case JointType::slider:
      drawSlider(svg, mark);
      break;
    case JointType::fixed:
      svg.rect(mark.a - Vec2::Constant(0.75 * r), Vec2::Constant(1.5 * r),
               attribute("fill", dark) + "stroke=\"#ffffff\" stroke-width=\"1\" ");
      break;
    case JointType::universal:
      svg.circle(mark.a, r, pen(dark, 1.5, "#ffffff"));
      for (const Vec2& d : {Vec2(0.7, 0.7), Vec2(0.7, -0.7)}) svg.line(mark.a - r * d, mark.a + r * d, pen(dark, 1.2));
      break;
    case JointType::distance:
      drawDistance(svg, mark, joint, observed);
      break;
  }
}

template <class T>
const T* byName(const Named<T>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& item) { return item.first == name; });
  return found == all.end() ? nullptr : &found->second;
}

/// Smaller where there are many small solids, so that a chain does not vanish behind its own pins.
double symbolSize(const Canvas& canvas) {
  std::vector<double> sizes;
  for (const Solid& solid : canvas.solids)
    if (!solid.fixed) sizes.push_back(solid.bounds().size().minCoeff());
  if (sizes.size() < 6) return 4.4;
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
  return std::clamp(0.5 * sizes[sizes.size() / 2], 1.6, 4.4);
}

Mark markOf(const Canvas& canvas, const JointSettings& joint, double size) {
  const Stage& stage = canvas.stage;
  // Either body carries the anchor; the one that moves is the one to follow.
  const std::string& carrier = stage.isWorld(joint.b) ? joint.a : joint.b;
  const bool distance = joint.type == JointType::distance;
  const Vec3 a = stage.carried(distance ? joint.a : carrier, joint.anchor);
  const Vec3 b = distance ? stage.carried(joint.b, joint.anchorB.value_or(stage.pose(joint.b).position))
                 : joint.type == JointType::slider && stage.isWorld(joint.a)
                     ? Vec3(joint.anchor + joint.rest * joint.axis)  // where its spring is at rest
                     : a;
  return {canvas.flat(a), canvas.flat(b), canvas.view.direction(stage.carriedDirection(carrier, joint.axis)), size};
}

}  // namespace

void drawSupports(Svg& svg, const Canvas& canvas) {
  const double size = symbolSize(canvas);
  for (const auto& [name, joint] : canvas.stage.description().joints) {
    const bool onWorld = canvas.stage.isWorld(joint.a) || canvas.stage.isWorld(joint.b);
    if (!onWorld || joint.type == JointType::slider) continue;
    const Mark mark = markOf(canvas, joint, size);
    const bool aIsWorld = canvas.stage.isWorld(joint.a);
    const bool distance = joint.type == JointType::distance;
    const Vec2 held = distance && !aIsWorld ? mark.b : mark.a;
    const Vec2 body =
        distance ? (aIsWorld ? mark.b : mark.a) : canvas.flat(canvas.stage.pose(aIsWorld ? joint.b : joint.a).position);
    drawSupport(svg, held, awayFrom(body, held), size);
  }
}

void drawJoints(Svg& svg, const Canvas& canvas, LabelPlacer& labels) {
  const Description& scene = canvas.stage.description();
  const double size = symbolSize(canvas);
  for (const auto& [name, joint] : scene.joints) {
    const Mark mark = markOf(canvas, joint, size);
    drawSymbol(svg, mark, joint, byName(canvas.stage.observation().joints, name));
    labels.avoid(mark.a);
    if (joint.type == JointType::distance) labels.avoid(mark.b), labels.avoid((mark.a + mark.b) / 2);
  }
  for (const auto& [name, motor] : scene.motors) {
    if (const JointSettings* joint = byName(scene.joints, motor.on)) {
      const Mark mark = markOf(canvas, *joint, size);
      const Vec2 along = mark.axis.head<2>();
      const bool clockwise = driveSign(motor) * mark.axis.z() < 0.0;
      if (joint->type != JointType::slider)
        drawTurning(svg, mark.a, 2.6 * size, clockwise, "#00796b");
      else if (along.norm() > 0.2)
        drawArrow(svg, mark.a, mark.a + 7.0 * size * driveSign(motor) * along.normalized(), "#00796b", 1.8);
    } else if (const RotorSettings* rotor = byName(scene.rotors, motor.on)) {
      const Stage::Wheel wheel = canvas.stage.wheel(motor.on, *rotor);
      if (std::abs(canvas.view.direction(wheel.axis).z()) < 0.3) continue;  // from the side nothing seems to turn
      const double radius = std::max(0.58 * wheel.radius * canvas.view.scale(), 7.0);
      drawTurning(svg, canvas.flat(wheel.center), std::min(radius, 200.0),
                  driveSign(motor) * canvas.view.direction(wheel.axis).z() < 0.0, "#00796b");
    }
  }
}

void drawTurning(Svg& svg, const Vec2& center, double radius, bool clockwise, const std::string& colour) {
  const double sign = clockwise ? 1.0 : -1.0;
  const auto at = [&](double degrees, double r) {
    const double turn = degrees * math::pi / 180.0;
    return Vec2(center + r * Vec2(math::cos(turn), sign * math::sin(turn)));
  };
  Path path;
  path.move(at(-150, radius)).arc(radius, radius, 0, true, clockwise, at(60, radius));
  svg.path(path, attribute("stroke", colour) + attribute("stroke-width", 1.8) + "fill=\"none\" ");
  const double head = std::clamp(0.32 * radius, 4.0, 7.0);
  const double reach = 57.3 * 1.5 * head / radius;
  svg.polygon({at(60 + reach, radius), at(55, radius - 0.8 * head), at(55, radius + 0.8 * head)},
              attribute("fill", colour));
}

void drawArrow(Svg& svg, const Vec2& from, const Vec2& to, const std::string& colour, double width) {
  const double length = (to - from).norm();
  if (length < 1e-6) return;
  const Vec2 along = (to - from) / length, across(-along.y(), along.x());
  const double head = std::min(3.0 + 2.2 * width, length);
  svg.line(from, to - 0.8 * head * along, attribute("stroke", colour) + attribute("stroke-width", width));
  svg.polygon({to, to - head * along + 0.45 * head * across, to - head * along - 0.45 * head * across},
              attribute("fill", colour));
}

}  // namespace reeve::record
