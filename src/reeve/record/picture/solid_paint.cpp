#include <algorithm>
#include <array>
#include <cmath>

#include "reeve/math/scalar.h"
#include "reeve/record/picture/solid.h"

namespace reeve::record {
namespace {

/// Light from the upper left, a little in front. Page coordinates: y points down.
const Vec3 lamp = Vec3(-0.42, -0.72, 0.55).normalized();

/// Soft on purpose: the sides must differ, the colors must stay recognizable.
Colour shaded(const Colour& fill, const Vec3& normal) { return lit(fill, 0.84 + 0.26 * normal.dot(lamp)); }

Colour edge(const Colour& fill) { return mixed(lit(fill, 0.5), ink, 0.35); }

std::string stroke(const Colour& colour, double width, double opacity = 1.0) {
  std::string out = attribute("stroke", hex(colour)) + attribute("stroke-width", width);
  return opacity < 1.0 ? out + attribute("stroke-opacity", opacity) : out;
}

std::string fillOf(const Colour& colour) { return attribute("fill", hex(colour)); }

double outlineWidth(double sizePx) { return std::clamp(sizePx / 28.0, 0.5, 1.2); }

/// A circle in space, seen on the page: half axes and the direction of the long one, in degrees.
struct Oval {
  double major, minor, tilt;
};
Oval ovalOf(const Vec3& axis, double radius) {
  const Vec2 flat = axis.head<2>();
  const double tilt = flat.norm() < 1e-9 ? 0.0 : math::atan2(flat.x(), -flat.y()) * 180.0 / math::pi;
  return {radius, radius * std::min(std::abs(axis.z()), 1.0), tilt};
}

Vec2 flat(const Vec3& p) { return p.head<2>(); }

}  // namespace

void SolidPainter::draw(const Solid& solid) {
  switch (solid.kind) {
    case SolidKind::sphere:
      return sphere(solid);
    case SolidKind::capsule:
      return capsule(solid);
    case SolidKind::cylinder:
    case SolidKind::wheel:
      return cylinder(solid);
    case SolidKind::polyhedron:
      return polyhedron(solid);
  }
}

std::string SolidPainter::roundFill(const Colour& fill) {
  const std::string colour = hex(fill);
  const auto found = std::find(roundFills_.begin(), roundFills_.end(), colour);
  const std::string id = prefix_ + "ball" + std::to_string(found - roundFills_.begin());
  if (found == roundFills_.end()) {
    roundFills_.push_back(colour);
    const auto stop = [](const char* at, const Colour& c) {
      return std::string("<stop offset=\"") + at + "\" stop-color=\"" + hex(c) + "\"/>";
    };
    svg_.define("<radialGradient id=\"" + id + "\" cx=\"0.5\" cy=\"0.5\" r=\"0.5\" fx=\"0.34\" fy=\"0.28\">" +
                stop("0", lit(fill, 1.45)) + stop("0.45", lit(fill, 1.06)) + stop("0.85", lit(fill, 0.86)) +
                stop("1", lit(fill, 0.74)) + "</radialGradient>");
  }
  return "fill=\"url(#" + id + ")\" ";
}

std::string SolidPainter::barrelFill(const Colour& fill, const Vec3& center, const Vec3& axis, double radius) {
  const Vec2 along = flat(axis);
  if (along.norm() < 1e-6) return fillOf(shaded(fill, Vec3::UnitZ()));
  const Vec3 across(-along.normalized().y(), along.normalized().x(), 0.0);
  Vec3 front = axis.cross(across);
  if (front.z() < 0.0) front = -front;
  const std::string id = prefix_ + "barrel" + std::to_string(gradients_++);
  const Vec2 from = flat(center) - flat(across) * radius, to = flat(center) + flat(across) * radius;
  std::string gradient = "<linearGradient id=\"" + id + "\" gradientUnits=\"userSpaceOnUse\" " +
                         attribute("x1", from.x()) + attribute("y1", from.y()) + attribute("x2", to.x()) +
                         attribute("y2", to.y()) + ">";
  for (const double s : {-1.0, -0.6, -0.2, 0.2, 0.6, 1.0}) {
    const Vec3 normal = s * across + std::sqrt(1.0 - s * s) * front;
    const Colour colour = lit(fill, 0.84 + 0.34 * normal.dot(lamp));
    gradient += "<stop offset=\"" + px((s + 1.0) / 2.0) + "\" stop-color=\"" + hex(colour) + "\"/>";
  }
  svg_.define(gradient + "</linearGradient>");
  return "fill=\"url(#" + id + ")\" ";
}

void SolidPainter::sphere(const Solid& solid) {
  const double r = solid.radius;
  svg_.circle(flat(solid.a), r, roundFill(solid.fill) + stroke(edge(solid.fill), outlineWidth(2 * r)));
  if (r < 7.0) return;
  // The front halves of two great circles fixed to the body show how it rolls.
  const Vec3 other = solid.b.cross(solid.mark);
  for (const Vec3& second : {other, solid.b}) {
    const Vec3 u = solid.mark * r, v = second * r;
    std::vector<Vec2> visible;
    const double first = math::atan2(v.z(), u.z()) - math::pi / 2;
    for (int i = 0; i <= 24; ++i) {
      const double turn = first + math::pi * i / 24;
      visible.push_back(flat(solid.a + math::cos(turn) * u + math::sin(turn) * v));
    }
    svg_.polyline(visible, stroke(edge(solid.fill), 1.4, 0.8));
  }
}

void SolidPainter::capsule(const Solid& solid) {
  const Vec2 a = flat(solid.a), b = flat(solid.b);
  const double r = solid.radius, width = outlineWidth(2 * r);
  if ((b - a).norm() < 0.2 * r + 0.05) {
    svg_.circle((a + b) / 2, r, roundFill(solid.fill) + stroke(edge(solid.fill), width));
    return;
  }
  const Vec2 along = (b - a).normalized();
  const Vec2 side(-along.y() * r, along.x() * r);
  Path path;
  path.move(b + side).line(a + side).arc(r, r, 0, false, true, a - side).line(b - side);
  path.arc(r, r, 0, false, true, b + side).close();
  const Vec3 axis = (solid.b - solid.a).normalized();
  svg_.path(path, barrelFill(solid.fill, solid.a, axis, r) + stroke(edge(solid.fill), width));
}

void SolidPainter::cylinder(const Solid& solid) {
  Vec3 axis = (solid.b - solid.a).norm() > 1e-9 ? Vec3((solid.b - solid.a).normalized()) : Vec3::UnitZ();
  Vec3 near = solid.b, far = solid.a;
  if (axis.z() < 0.0) axis = -axis, std::swap(near, far);
  const double r = solid.radius;
  const Oval oval = ovalOf(axis, r);
  const bool wheel = solid.kind == SolidKind::wheel;
  const Colour barrel = wheel ? Colour{0.55, 0.58, 0.63} : solid.fill;
  const std::string line = stroke(edge(wheel ? barrel : solid.fill), outlineWidth(2 * r));
  const Vec2 gap = flat(near) - flat(far);
  if (gap.norm() > 0.05) {
    const Vec2 along = gap.normalized(), side(-along.y() * r, along.x() * r);
    Path path;
    path.move(flat(near) + side).line(flat(far) + side);
    path.arc(oval.major, oval.minor, oval.tilt, false, true, flat(far) - side).line(flat(near) - side);
    if (oval.minor > 0.3) path.arc(oval.major, oval.minor, oval.tilt, false, true, flat(near) + side);
    path.close();
    svg_.path(path, barrelFill(barrel, solid.a, axis, r) + line);
  }
  if (oval.minor < 0.4) return;
  if (wheel) return wheelFace(solid, near, axis);
  svg_.ellipse(flat(near), oval.major, oval.minor, oval.tilt, fillOf(shaded(solid.fill, axis)) + line);
  if (r > 7.0) svg_.line(flat(near), flat(near + 0.86 * r * solid.mark), stroke(edge(solid.fill), 1.4, 0.8));
}

void SolidPainter::wheelFace(const Solid& solid, const Vec3& cap, const Vec3& axis) {
  const double r = solid.radius;
  const Colour rim{0.36, 0.40, 0.46}, dark{0.25, 0.28, 0.33};
  const auto ring = [&](double share, const std::string& style) {
    const Oval oval = ovalOf(axis, r * share);
    svg_.ellipse(flat(cap), oval.major, oval.minor, oval.tilt, style);
  };
  // The rim is a band of its own color; its inner edge leaves room for the web.
  ring(1.0, fillOf(lit(rim, 1.18)) + stroke(dark, outlineWidth(2 * r)));
  ring(0.84, fillOf(shaded(solid.fill, axis)) + (r > 8.0 ? stroke(dark, 0.6) : ""));
  const int spokes = r > 12.0 ? 5 : r > 5.0 ? 3 : 1;
  const double width = std::clamp(r * 0.09, 0.7, 4.5);
  const Vec3 other = axis.cross(solid.mark);
  for (int i = spokes - 1; i >= 0; --i) {
    const double turn = 2.0 * math::pi * i / spokes;
    const Vec3 spoke = (math::cos(turn) * solid.mark + math::sin(turn) * other) * r;
    // The first spoke is marked, so that two pictures show how far the wheel turned.
    const Colour colour = i == 0 ? Colour{0.84, 0.37, 0.0} : lit(rim, 1.12);
    svg_.line(flat(cap + 0.1 * spoke), flat(cap + 0.8 * spoke),
              stroke(colour, width) + attribute("stroke-linecap", "butt"));
  }
  if (r > 5.0) ring(0.2, fillOf(lit(rim, 1.18)) + (r > 12.0 ? stroke(dark, 0.6) : ""));
  if (r > 12.0) ring(0.075, fillOf({1, 1, 1}) + stroke(dark, 0.6));
}

void SolidPainter::polyhedron(const Solid& solid) {
  const Vec2 size = solid.bounds().size();
  const std::string line = stroke(edge(solid.fill), outlineWidth(std::max(size.x(), size.y())));
  for (const Face& face : solid.faces) {
    if (face.normal.z() < 1e-6) continue;  // faces away; the solid is convex, so the rest cannot cover each other
    std::vector<Vec2> corners;
    for (const Vec3& corner : face.corners) corners.push_back(flat(corner));
    svg_.polygon(corners, fillOf(shaded(solid.fill, face.normal)) + line);
  }
}

}  // namespace reeve::record
