// Cables: colored by tension, dashed gray where slack, pale where a solid hides them.
#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "reeve/math/scalar.h"
#include "reeve/record/picture/canvas.h"

namespace reeve::record {
namespace {

constexpr int colourLevels = 40;
/// Pixels: wider cables are drawn piece by piece, and none wider than the last.
constexpr double thick = 6.0, thickest = 60.0;

/// A stretch of cable that is drawn with one pen.
struct Stroke {
  std::vector<Vec2> points;
  int level = 0;
  bool slack = false, hidden = false;
  bool sameAs(const Stroke& other) const {
    return level == other.level && slack == other.slack && hidden == other.hidden;
  }
};

/// For each solid whether a cable may run over it without being hidden by it: what it is linked to, and what carries
/// that.
std::vector<bool> touching(const Canvas& canvas, const RopeLine& rope) {
  std::vector<bool> touched(canvas.solids.size(), false);
  if (!rope.settings) return touched;
  std::set<std::string_view> names;
  for (const LinkSettings& link : rope.settings->route) names.insert(link.on);
  for (const auto& [name, rotor] : canvas.stage.description().rotors)
    if (names.contains(name)) names.insert(rotor.on);
  for (std::size_t i = 0; i < touched.size(); ++i) {
    const Solid& solid = canvas.solids[i];
    touched[i] = names.contains(solid.owner) || (solid.kind == SolidKind::wheel && names.contains(solid.parent));
  }
  return touched;
}

std::vector<Stroke> strokesOf(const Canvas& canvas, const RopeLine& rope) {
  const std::vector<bool> except = touching(canvas, rope);
  std::vector<Stroke> strokes;
  for (const RopePiece& piece : rope.pieces) {
    const double pixels = (canvas.flat(piece.b) - canvas.flat(piece.a)).norm();
    // Fine enough that a cable which passes behind something disappears at its edge.
    const int parts = canvas.solids.empty() ? 1 : static_cast<int>(std::clamp(pixels / 4.0, 1.0, 300.0));
    for (int i = 0; i < parts; ++i) {
      const Vec3 from = piece.a + (piece.b - piece.a) * i / parts, to = piece.a + (piece.b - piece.a) * (i + 1) / parts;
      Stroke next;
      const double share = canvas.tensionScale > 0.0 ? std::clamp(piece.tension / canvas.tensionScale, 0.0, 1.0) : 0.0;
      next.level = static_cast<int>(std::lround(share * colourLevels));
      next.slack = piece.slack;
      next.hidden = canvas.hidden((from + to) / 2, except);
      const Vec2 start = canvas.flat(from);
      const bool goesOn =
          !strokes.empty() && strokes.back().sameAs(next) && (strokes.back().points.back() - start).norm() < 0.05;
      if (!goesOn) {
        next.points.push_back(start);
        strokes.push_back(std::move(next));
      }
      // Straight on: move the end instead of adding a vertex.
      if (goesOn && i > 0)
        strokes.back().points.back() = canvas.flat(to);
      else
        strokes.back().points.push_back(canvas.flat(to));
    }
  }
  return strokes;
}

double ropeWidth(const Canvas& canvas, const RopeLine& rope) {
  const double radius = rope.settings ? rope.settings->material.radius : 0.005;
  const double width = 2.0 * radius * canvas.view.scale();
  return std::isfinite(width) ? std::clamp(width, 2.0, thickest) : 2.0;
}

/// A cable as thick as it is: piece by piece from the far ones to the near ones, with dark rims, so that a knot shows
/// what lies over what.
void drawThick(Svg& svg, const Canvas& canvas, const RopeLine& rope, double width, const Colour& plain) {
  std::vector<std::pair<double, const RopePiece*>> order;
  for (const RopePiece& piece : rope.pieces)
    order.emplace_back(canvas.view.project((piece.a + piece.b) / 2).z(), &piece);
  std::sort(order.begin(), order.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first < b.first : a.second < b.second; });
  const std::vector<bool> except = touching(canvas, rope);
  for (const auto& [depth, piece] : order) {
    const Vec2 a = canvas.flat(piece->a), b = canvas.flat(piece->b);
    const double share = canvas.tensionScale > 0.0 ? std::clamp(piece->tension / canvas.tensionScale, 0.0, 1.0) : 0.0;
    const Colour fill = canvas.tensionScale > 0.0 ? tensionColour(share) : plain;
    const std::string pale = canvas.hidden((piece->a + piece->b) / 2, except) ? "stroke-opacity=\"0.3\" " : "";
    // The rim ends where the piece does: round ends would cut into its neighbors.
    svg.polyline({a, b}, attribute("stroke", hex(mixed(fill, ink, 0.6))) + attribute("stroke-width", width) +
                             "stroke-linecap=\"butt\" " + pale);
    svg.polyline({a, b}, attribute("stroke", hex(fill)) + attribute("stroke-width", std::max(width - 2.4, 1.0)) + pale);
  }
}

/// How far a chain is twisted from its first end to its last, rad; 0 where that is not known.
double twistOf(const RopeLine& rope) {
  if (!rope.observed || rope.observed->model != "chain" || rope.observed->links.size() != 2) return 0.0;
  const double twist = rope.observed->links.back().wrap;
  return std::isfinite(twist) ? twist : 0.0;
}

/// A line along the surface, as it was drawn on before the cable was twisted: twist shows by nothing else. It is taken
/// to be even, which it is as soon as it has run along the cable.
void drawStripe(Svg& svg, const Canvas& canvas, const RopeLine& rope, double width) {
  constexpr double least = 0.05;  // rad: less is no twist to be seen
  constexpr double narrow = 4.0;  // px
  const double twist = twistOf(rope);
  if (std::abs(twist) < least || width < narrow) return;
  double whole = 0.0, passed = 0.0;
  for (const RopePiece& piece : rope.pieces) whole += (piece.b - piece.a).norm();
  std::vector<Vec2> line;
  const auto finish = [&] {
    if (line.size() > 1) svg.polyline(line, "stroke=\"#1f2730\" stroke-width=\"1.1\" ");
    line.clear();
  };
  for (const RopePiece& piece : rope.pieces) {
    const Vec2 a = canvas.flat(piece.a), d = canvas.flat(piece.b) - a;
    const double length = (piece.b - piece.a).norm();
    if (!(d.norm() > 0.0)) continue;
    const Vec2 across = Vec2(-d.y(), d.x()) / d.norm();
    const int samples = static_cast<int>(std::clamp(d.norm(), 4.0, 400.0));
    for (int i = 0; i <= samples; ++i) {
      const double share = static_cast<double>(i) / samples;
      const double angle = twist * (passed + share * length) / whole;
      if (math::cos(angle) < 0.0) {
        finish();  // behind the cable
        continue;
      }
      line.push_back(a + share * d + 0.5 * (width - 1.5) * math::sin(angle) * across);
    }
    passed += length;
  }
  finish();
}

void drawSheaths(Svg& svg, const Canvas& canvas, const RopeLine& rope, double width) {
  if (!rope.settings) return;
  for (const LinkSettings& link : rope.settings->route) {
    if (link.type != LinkType::sheath) continue;
    std::vector<Vec2> tube;
    for (const Vec3& p : link.path) tube.push_back(canvas.flat(canvas.stage.pose(link.on).point(p)));
    svg.polyline(tube,
                 attribute("stroke", "#9aa3ad") + attribute("stroke-width", width + 6.0) + "stroke-linecap=\"butt\" ");
    svg.polyline(tube,
                 attribute("stroke", "#f1f3f5") + attribute("stroke-width", width + 3.6) + "stroke-linecap=\"butt\" ");
  }
}

void drawLinkMarks(Svg& svg, const Canvas& canvas, const RopeLine& rope) {
  if (!rope.settings) return;
  for (const LinkSettings& link : rope.settings->route) {
    if (link.hold == EndHold::free) continue;  // held by nothing: there is no place to mark
    const Vec2 p = canvas.flat(canvas.stage.pose(link.on).point(link.point));
    const bool onRotor = std::any_of(canvas.stage.description().rotors.begin(), canvas.stage.description().rotors.end(),
                                     [&](const auto& rotor) { return rotor.first == link.on; });
    if (onRotor) continue;
    if (link.type == LinkType::attach) svg.circle(p, 2.7, "fill=\"#2f3843\" stroke=\"#ffffff\" stroke-width=\"0.9\" ");
    if (link.type == LinkType::pinhole) svg.circle(p, 3.8, "fill=\"none\" stroke=\"#2f3843\" stroke-width=\"1.6\" ");
  }
}

}  // namespace

void drawRopes(Svg& svg, const Canvas& canvas, LabelPlacer& labels) {
  for (const RopeLine& rope : canvas.ropes) {
    const double width = ropeWidth(canvas, rope);
    drawSheaths(svg, canvas, rope, width);
    const Colour plain = parseColour(rope.settings ? rope.settings->color : "", {0.20, 0.26, 0.36});
    if (width > thick && rope.settings && rope.observed && rope.observed->drawnThick) {
      drawThick(svg, canvas, rope, width, plain);
      drawStripe(svg, canvas, rope, width);
      drawLinkMarks(svg, canvas, rope);
      continue;
    }
    const std::vector<Stroke> strokes = strokesOf(canvas, rope);
    // A white rim under each cable shows which of two crossing ones was drawn later, and lifts them off the solids.
    for (const Stroke& stroke : strokes)
      if (!stroke.hidden && !stroke.slack)
        svg.polyline(stroke.points,
                     "stroke=\"#ffffff\" stroke-opacity=\"0.85\" " + attribute("stroke-width", width + 2.0));
    for (const Stroke& stroke : strokes) {
      const Colour pull =
          canvas.tensionScale > 0.0 ? tensionColour(static_cast<double>(stroke.level) / colourLevels) : plain;
      std::string style = attribute("stroke", stroke.slack ? "#858e99" : hex(pull)) +
                          attribute("stroke-width", stroke.slack ? std::max(0.8 * width, 1.6) : width);
      if (stroke.slack) style += "stroke-dasharray=\"5 4.5\" ";
      if (stroke.hidden) style += "stroke-opacity=\"0.3\" ";
      svg.polyline(stroke.points, style);
      for (std::size_t i = 0; i + 1 < stroke.points.size(); ++i) {
        const Vec2 d = stroke.points[i + 1] - stroke.points[i];
        const int samples = static_cast<int>(std::clamp(d.norm() / 6.0, 1.0, 200.0));
        for (int k = 0; k < samples; ++k) labels.avoid(stroke.points[i] + d * k / samples);
      }
    }
    drawStripe(svg, canvas, rope, width);
    drawLinkMarks(svg, canvas, rope);
  }
}

}  // namespace reeve::record
