// What surrounds the scene: title, time, axes, scale bar, legend of tensions.
#include <algorithm>
#include <array>
#include <cmath>

#include "reeve/record/number.h"
#include "reeve/record/picture/canvas.h"
#include "reeve/record/sentence.h"

namespace reeve::record {
namespace {

constexpr const char* quiet = "#5b6570";

std::string textStyle(double size, const char* colour, const char* anchor = "start") {
  return attribute("font-size", size) + attribute("fill", colour) + attribute("text-anchor", anchor);
}

std::string firstLine(const std::string& text, double width, double fontSize) {
  const auto fits = [&](const std::string& line) { return textWidth(line, fontSize) <= width; };
  const std::string line = text.substr(0, text.find('\n'));
  return fits(line) ? line : cutTo(firstSentence(line), fits);
}

void drawAxes(Svg& svg, const View& view, const Vec2& origin) {
  struct Axis {
    Vec3 direction;
    const char *name, *colour;
  };
  std::array<Axis, 3> axes{{{view.direction(Vec3::UnitX()), "x", "#d55e00"},
                            {view.direction(Vec3::UnitY()), "y", "#00855f"},
                            {view.direction(Vec3::UnitZ()), "z", "#0072b2"}}};
  std::sort(axes.begin(), axes.end(), [](const Axis& a, const Axis& b) { return a.direction.z() < b.direction.z(); });
  for (const Axis& axis : axes) {
    const Vec2 d = axis.direction.head<2>();
    const std::string colour = axis.colour;
    if (d.norm() < 0.12) {
      // Along the line of sight: a dot towards the eye, a cross away from it.
      svg.circle(origin, 4.2, "fill=\"#ffffff\" stroke-width=\"1.4\" " + attribute("stroke", colour));
      if (axis.direction.z() > 0.0)
        svg.circle(origin, 1.4, attribute("fill", colour));
      else
        for (const double s : {-1.0, 1.0})
          svg.line(origin + Vec2(-2.4, -2.4 * s), origin + Vec2(2.4, 2.4 * s),
                   "stroke-width=\"1.2\" " + attribute("stroke", colour));
      svg.text(origin + Vec2(-9, 13), axis.name, textStyle(11, axis.colour, "middle"));
      continue;
    }
    drawArrow(svg, origin, origin + 27.0 * d, colour, 1.7);
    svg.text(origin + (27.0 * d + 8.0 * d.normalized()) + Vec2(0, 3.8), axis.name,
             textStyle(11, axis.colour, "middle"));
  }
}

/// Lengths as people say them: 0.5 m, not 500 mm.
std::string lengthText(double metres) {
  return metres >= 0.1 && metres < 1000.0 ? rounded(metres, 2) + " m" : engineering(metres, "m", 2);
}

void drawScaleBar(Svg& svg, const View& view, const Vec2& left) {
  const double metres = niceFloor(130.0 / view.scale());
  const double length = metres * view.scale();
  if (!(length > 1.0) || length > 400.0) return;
  const std::string pen = attribute("stroke", quiet) + "stroke-width=\"1.5\" stroke-linecap=\"butt\" ";
  svg.line(left, left + Vec2(length, 0), pen);
  for (const double x : {0.0, length}) svg.line(left + Vec2(x, -4), left + Vec2(x, 4), pen);
  svg.text(left + Vec2(length / 2, -7), lengthText(metres), textStyle(11, quiet, "middle"));
}

Rect drawTensionLegend(Svg& svg, const Canvas& canvas, const Vec2& right, const std::string& prefix) {
  constexpr double width = 170.0, height = 8.0;
  const Vec2 corner = right - Vec2(width, 0);
  const std::string id = prefix + "tension";
  std::string gradient = "<linearGradient id=\"" + id + "\">";
  for (int i = 0; i <= 8; ++i)
    gradient += "<stop offset=\"" + px(i / 8.0) + "\" stop-color=\"" + hex(tensionColour(i / 8.0)) + "\"/>";
  svg.define(gradient + "</linearGradient>");
  svg.rect(corner, {width, height}, "rx=\"2\" fill=\"url(#" + id + ")\" ");
  const Prefix si = siPrefix(canvas.tensionScale);
  const double top = canvas.tensionScale / si.factor;
  const Ticks ticks = niceTicks(0.0, top, 4);
  for (const double t : ticks.at) {
    const double x = corner.x() + width * t / top;
    svg.line({x, corner.y() + height}, {x, corner.y() + height + 3},
             attribute("stroke", quiet) + "stroke-width=\"1\" ");
    svg.text({x, corner.y() + height + 14}, rounded(t, ticks.decimals), textStyle(10, quiet, "middle"));
  }
  svg.text({corner.x(), corner.y() - 6}, "tension, " + std::string(si.letter) + "N", textStyle(11, quiet));
  const bool slack = std::any_of(canvas.ropes.begin(), canvas.ropes.end(), [](const RopeLine& rope) {
    return std::any_of(rope.pieces.begin(), rope.pieces.end(), [](const RopePiece& p) { return p.slack; });
  });
  if (slack) {
    svg.line(right + Vec2(-58, -9.5), right + Vec2(-34, -9.5),
             "stroke=\"#858e99\" stroke-width=\"1.8\" stroke-dasharray=\"5 4.5\" ");
    svg.text(right + Vec2(0, -6), "slack", textStyle(11, quiet, "end"));
  }
  Rect taken;
  taken.include(corner - Vec2(6, 20));
  taken.include(right + Vec2(6, 26));
  return taken;
}

}  // namespace

void drawFrame(Svg& svg, const Canvas& canvas, const PictureOptions& options, LabelPlacer& labels) {
  const Description& scene = canvas.stage.description();
  const double w = options.width, h = options.height;
  const std::string time = "t = " + rounded(canvas.stage.observation().time, 3) + " s";
  const double timeWidth = textWidth(time, 13) + 24;
  svg.text({24, 31}, firstLine(scene.name, w - 48 - timeWidth, 17), textStyle(17, "#1f2730") + "font-weight=\"600\" ");
  svg.text({24, 49}, firstLine(scene.about, w - 48, 12), textStyle(12, quiet));
  svg.text({w - 24, 31}, time, textStyle(13, quiet, "end"));
  drawAxes(svg, canvas.view, {46, h - 30});
  if (w >= 420) drawScaleBar(svg, canvas.view, {108, h - 26});
  if (canvas.tensionScale > 0.0 && w >= 300)
    labels.reserve(drawTensionLegend(svg, canvas, {w - 28, h - 40}, options.idPrefix));
}

}  // namespace reeve::record
