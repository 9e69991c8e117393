// Half-spaces: a hatched line seen from the side, a sheet with a grid and soft shadows seen from above.
#include <algorithm>
#include <cmath>
#include <string>

#include "reeve/record/number.h"
#include "reeve/record/picture/canvas.h"

namespace reeve::record {
namespace {

/// A plane in page coordinates, with a grid aligned to the world.
struct Ground {
  Vec3 origin, normal, u, v;
  bool edgeOn() const { return std::abs(normal.z()) < 0.06; }
  Vec2 coordinates(const Vec3& p) const { return {(p - origin).dot(u), (p - origin).dot(v)}; }
  Vec3 at(const Vec2& c) const { return origin + c.x() * u + c.y() * v; }
  double height(const Vec3& p) const { return (p - origin).dot(normal); }
};

std::vector<Ground> groundsOf(const Canvas& canvas) {
  std::vector<Ground> grounds;
  for (const auto& [name, body] : canvas.stage.description().bodies)
    for (const ShapeSettings& shape : body.shapes) {
      if (shape.type != ShapeType::halfSpace) continue;
      const Pose pose = canvas.stage.pose(name) * Pose{shape.position, shape.orientation.normalized()};
      const Vec3 up = pose.direction(Vec3::UnitZ());
      Vec3 along = Vec3::UnitX() - up.x() * up;
      if (along.norm() < 0.3) along = Vec3::UnitY() - up.y() * up;
      along.normalize();
      // The point below the world's origin, so that grid lines fall on round coordinates.
      const Vec3 origin = pose.position.dot(up) * up;
      grounds.push_back({canvas.view.project(origin), canvas.view.direction(up), canvas.view.direction(along),
                         canvas.view.direction(up.cross(along))});
    }
  return grounds;
}

/// What the scene covers of the ground, in its own coordinates: the shadows of what moves, and a margin.
Rect footprint(const Ground& ground, const Canvas& canvas) {
  Rect area;
  double highest = 0.0;
  for (const bool fixedToo : {false, true}) {
    for (const Solid& solid : canvas.solids)
      if (!solid.fixed || fixedToo)
        for (const Vec3& p : solid.outline()) {
          area.include(ground.coordinates(p));
          highest = std::max(highest, ground.height(p));
        }
    for (const RopeLine& rope : canvas.ropes)
      for (const RopePiece& piece : rope.pieces) area.include(ground.coordinates(canvas.view.project(piece.a)));
    if (!area.empty()) break;
  }
  if (area.empty()) area.include(Vec2(0, 0));
  const double largest = std::max(area.size().maxCoeff(), 0.25 * canvas.view.scale());
  return area.grown(std::max(0.1 * largest, 0.12 * highest));  // a tall tower needs some floor too
}

/// The part of a ground that is drawn, in its coordinates: the footprint grown to whole cells of the grid.
struct Sheet {
  Vec2 low, high;
  double cell;
};
Sheet sheetOf(const Ground& ground, const Canvas& canvas) {
  const Rect area = footprint(ground, canvas);
  const double scale = canvas.view.scale();
  const double cell = std::max(niceFloor(area.size().maxCoeff() / scale / 7.0), 1e-9) * scale;
  return {(area.low / cell).array().floor() * cell, (area.high / cell).array().ceil() * cell, cell};
}

void drawEdge(Svg& svg, const Ground& ground, const Rect& page) {
  const Vec2 down = -ground.normal.head<2>().normalized(), along(-down.y(), down.x());
  const double reach = page.size().norm();
  const Vec2 middle = ground.origin.head<2>() + along * along.dot(page.center() - ground.origin.head<2>());
  const Vec2 a = middle - reach * along, b = middle + reach * along;
  svg.polygon({a, b, b + 3 * reach * down, a + 3 * reach * down}, "fill=\"#f5f6f8\" ");
  Path hatch;
  constexpr double spacing = 11.0;
  for (double s = 0.0; s < 2 * reach; s += spacing) {
    const Vec2 top = a + s * along;
    if (!page.grown(20).contains(top)) continue;
    hatch.move(top).line(top + 9.0 * down - 7.0 * along);
  }
  svg.path(hatch, "fill=\"none\" stroke=\"#b4bac3\" stroke-width=\"1\" ");
  svg.line(a, b, "stroke=\"#6b7480\" stroke-width=\"1.6\" ");
}

void drawSheet(Svg& svg, const Ground& ground, const Canvas& canvas) {
  const auto [low, high, cell] = sheetOf(ground, canvas);
  const auto corner = [&](double u, double v) { return Vec2(ground.at({u, v}).head<2>()); };
  svg.polygon(
      {corner(low.x(), low.y()), corner(high.x(), low.y()), corner(high.x(), high.y()), corner(low.x(), high.y())},
      "fill=\"#f4f5f7\" stroke=\"#cdd2d9\" stroke-width=\"1\" ");
  Path grid;
  const Vec2 cells = (high - low) / cell;
  for (int i = 1; i < static_cast<int>(std::clamp(cells.x(), 0.0, 60.0) + 0.5); ++i)
    grid.move(corner(low.x() + i * cell, low.y())).line(corner(low.x() + i * cell, high.y()));
  for (int i = 1; i < static_cast<int>(std::clamp(cells.y(), 0.0, 60.0) + 0.5); ++i)
    grid.move(corner(low.x(), low.y() + i * cell)).line(corner(high.x(), low.y() + i * cell));
  svg.path(grid, "fill=\"none\" stroke=\"#dfe3e8\" stroke-width=\"0.8\" ");
}

/// Shadows under a lamp straight above: they tell how high things are. Solids are convex, so their shadows are too.
void drawShadows(Svg& svg, const Vec3& origin, const Vec3& normal, const Canvas& canvas, const std::string& clip) {
  svg.open("g", "fill=\"#1d2733\" opacity=\"0.13\"" + clip);
  for (const Solid& solid : canvas.solids) {
    std::vector<Vec2> shadow;
    double highest = 0.0;
    for (const Vec3& p : solid.outline()) {
      const double height = (p - origin).dot(normal);
      highest = std::max(highest, height);
      shadow.push_back((p - height * normal).head<2>());
    }
    if (highest > 0.5 && !canvas.isBackdrop(solid)) svg.polygon(hullOutline(std::move(shadow)), "");
  }
  svg.close();
}

}  // namespace

Rect groundBounds(const Canvas& canvas, const Rect& scene) {
  Rect all;
  for (const Ground& ground : groundsOf(canvas)) {
    if (ground.edgeOn()) {
      // A little room for the hatching, if the ground is near.
      const Vec2 below = scene.center() - ground.height({scene.center().x(), scene.center().y(), ground.origin.z()}) *
                                              ground.normal.head<2>();
      if ((below - scene.center()).norm() < 1.5 * scene.size().maxCoeff()) all.include(below);
      continue;
    }
    const Sheet sheet = sheetOf(ground, canvas);
    Rect seen;
    for (const Vec2& c :
         {sheet.low, sheet.high, Vec2(sheet.low.x(), sheet.high.y()), Vec2(sheet.high.x(), sheet.low.y())})
      seen.include(ground.at(c).head<2>());
    // A ground far below the scene would make everything small: then only part of it shows.
    all.include(seen.intersection(scene.grown(0.6 * scene.size().maxCoeff())));
  }
  return all;
}

void drawGround(Svg& svg, const Canvas& canvas) {
  for (const Ground& ground : groundsOf(canvas)) {
    if (ground.edgeOn()) {
      drawEdge(svg, ground, canvas.page);
      continue;
    }
    drawSheet(svg, ground, canvas);
    if (ground.normal.z() > 0.06) drawShadows(svg, ground.origin, ground.normal, canvas, "");
  }
}

void drawFloorShadows(Svg& svg, const Canvas& canvas, const Solid& floor, const std::string& clipId) {
  const Vec3 up = canvas.view.direction(Vec3::UnitZ());
  if (up.z() < 0.06) return;
  for (const Face& face : floor.faces) {
    if (face.normal.dot(up) < 0.99) continue;
    std::vector<Vec2> outline;
    for (const Vec3& corner : face.corners) outline.push_back(corner.head<2>());
    svg.define("<clipPath id=\"" + clipId + "\"><polygon points=\"" + pointList(outline) + "\"/></clipPath>");
    drawShadows(svg, face.corners[0], face.normal, canvas, " clip-path=\"url(#" + clipId + ")\"");
  }
}

}  // namespace reeve::record
