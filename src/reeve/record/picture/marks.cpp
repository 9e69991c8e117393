// Contacts, forces and names.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "reeve/record/number.h"
#include "reeve/record/picture/canvas.h"

namespace reeve::record {
namespace {

/// More names of one kind than this are noise, not help.
constexpr std::size_t manyNames = 24;
/// Of a numbered row longer than this, as link0 to link23, the ends are named.
constexpr std::size_t manyInARow = 12;

/// The names that are worth a label: of a long numbered row the first and the last.
template <class Named>
std::vector<std::string> namesWorthALabel(const Named& parts) {
  const auto stem = [](const std::string& name) { return name.substr(0, name.find_last_not_of("0123456789") + 1); };
  std::map<std::string, std::vector<std::string>> rows;
  for (const auto& [name, part] : parts) rows[stem(name)].push_back(name);
  std::vector<std::string> names;
  for (const auto& [name, part] : parts) {
    const std::vector<std::string>& row = rows[stem(name)];
    if (row.size() <= manyInARow || name == row.front() || name == row.back()) names.push_back(name);
  }
  if (names.size() > manyNames) names.clear();
  return names;
}

void labelSolids(Svg& svg, const Canvas& canvas, LabelPlacer& labels, const std::string& owner, double size) {
  // A crooked body has an empty middle: its largest part is where people look for the name.
  const Solid* largest = nullptr;
  double area = -1.0;
  for (const Solid& solid : canvas.solids) {
    if (solid.owner != owner) continue;
    if (const double own = solid.bounds().intersection(canvas.page).size().prod(); own > area)
      area = own, largest = &solid;
  }
  if (!largest) return;
  Label label{.text = owner, .anchor = largest->bounds(), .size = size};
  label.insideColour = contrasting(largest->fill);
  label.inside = largest->kind != SolidKind::wheel;
  label.own = [&canvas, largest](const Vec2& p) { return canvas.topmost(p) == largest; };
  labels.place(svg, label);
}

void labelRopes(Svg& svg, const Canvas& canvas, LabelPlacer& labels) {
  if (canvas.ropes.size() > manyNames) return;
  for (const RopeLine& rope : canvas.ropes) {
    const RopePiece* longest = nullptr;
    double best = 0.0;
    for (const RopePiece& piece : rope.pieces) {
      const double length = (canvas.flat(piece.b) - canvas.flat(piece.a)).norm();
      if (length > best) best = length, longest = &piece;
    }
    if (!longest) continue;
    Rect at;
    at.include(canvas.flat(longest->a + 0.35 * (longest->b - longest->a)));
    labels.place(svg, {.text = rope.name,
                       .anchor = at.grown(3.0),
                       .size = 12.0,
                       .colour = mixed(ink, {0.4, 0.0, 0.5}, 0.4),
                       .bold = true});
  }
}

/// Where the cable itself is nearest to a place of the picture: a span of many pieces lies away from its chord.
Vec2 nearestOn(const Canvas& canvas, const std::vector<Vec3>& line, const Vec2& place) {
  Vec2 best = place;
  double nearest = 1e300;
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    if (!line[i].allFinite() || !line[i + 1].allFinite()) continue;
    const Vec2 a = canvas.flat(line[i]), d = canvas.flat(line[i + 1]) - a;
    const double share = d.squaredNorm() > 0.0 ? std::clamp(d.dot(place - a) / d.squaredNorm(), 0.0, 1.0) : 0.0;
    const Vec2 here = a + share * d;
    if ((here - place).norm() >= nearest) continue;
    nearest = (here - place).norm();
    best = here;
  }
  return best;
}

/// Whether a span goes on where the one before it ends, in the same direction: segments of a rod need one label.
bool straightOn(const SpanObservation& before, const SpanObservation& span) {
  const Vec3 a = before.end - before.start, b = span.end - span.start;
  return (span.start - before.end).norm() < 0.01 * b.norm() && a.dot(b) > 0.99 * a.norm() * b.norm();
}

void labelTensions(Svg& svg, const Canvas& canvas, LabelPlacer& labels) {
  std::size_t spans = 0;
  for (const RopeLine& rope : canvas.ropes) spans += rope.observed->spans.size();
  if (spans > 16 || !(canvas.tensionScale > 0.0)) return;
  constexpr double together = 40.0;  // px: falls of one rope side by side are labelled once
  for (const RopeLine& rope : canvas.ropes) {
    std::vector<std::pair<std::string, Vec2>> placed;
    const SpanObservation* before = nullptr;
    for (const SpanObservation& span : rope.observed->spans) {
      if (span.slack || !std::isfinite(span.tension) || !span.start.allFinite() || !span.end.allFinite()) continue;
      if (std::abs(span.tension) < canvas.tensionNoise) continue;
      const Vec2 a = canvas.flat(span.start), b = canvas.flat(span.end);
      if ((b - a).norm() < 34.0) continue;
      Rect at;
      const Vec2 middle = nearestOn(canvas, rope.observed->polyline, Vec2((a + b) / 2));
      const std::string text = engineering(span.tension, "N");
      const auto same = [&](const auto& other) {
        return other.first == text && (other.second - middle).norm() < together;
      };
      if (std::any_of(placed.begin(), placed.end(), same)) continue;
      const bool goesOn = before && straightOn(*before, span) && !placed.empty() && placed.back().first == text;
      before = &span;
      if (goesOn) continue;
      at.include(middle);
      const Colour colour = lit(tensionColour(span.tension / canvas.tensionScale), 0.82);
      if (labels.place(svg, {.text = text, .anchor = at.grown(3.0), .size = 10.5, .colour = colour}))
        placed.emplace_back(text, middle);
    }
  }
}

}  // namespace

void drawContacts(Svg& svg, const Canvas& canvas) {
  double largest = 0.0;
  const auto& contacts = canvas.stage.observation().contacts;
  for (const ContactObservation& c : contacts)
    if (std::isfinite(c.force)) largest = std::max(largest, c.force);
  for (const ContactObservation& c : contacts) {
    if (!c.point.allFinite() || !c.normal.allFinite()) continue;
    const Vec2 p = canvas.flat(c.point);
    const double share = largest > 0.0 && std::isfinite(c.force) ? std::max(c.force, 0.0) / largest : 0.0;
    // Up from where it presses: half of a line through the contact would hang below the floor like the leg of a table.
    const Vec3 up = c.normal.z() < 0.0 ? Vec3(-c.normal) : c.normal;
    const Vec2 push = canvas.view.direction(up).head<2>() *
                      (contacts.size() > 12 ? 3.0 + 6.0 * std::sqrt(share) : 6.0 + 12.0 * std::sqrt(share));
    const std::string pale = canvas.hidden(c.point, {}) ? "opacity=\"0.35\" " : "";
    svg.line(p, p + push, pale + "stroke=\"#d55e00\" stroke-width=\"1.3\" ");
    svg.circle(p, 1.9, pale + "fill=\"#d55e00\" stroke=\"#ffffff\" stroke-width=\"0.6\" ");
  }
}

void drawForces(Svg& svg, const Canvas& canvas) {
  for (const auto& [name, force] : canvas.stage.description().forces) {
    if (!force.force.allFinite() || force.force.norm() <= 0.0 || canvas.stage.isWorld(force.on)) continue;
    const Pose pose = canvas.stage.pose(force.on);
    const Vec3 d = canvas.view.direction(force.follows ? pose.direction(force.force) : force.force);
    const Vec2 p = canvas.flat(pose.point(force.at));
    drawArrow(svg, p, p + 44.0 * d.head<2>(), "#b0266b", 2.2);
  }
}

void drawLabels(Svg& svg, const Canvas& canvas, LabelPlacer& labels) {
  const Description& scene = canvas.stage.description();
  const double size = scene.bodies.size() + scene.rotors.size() > 14 ? 10.5 : 12.0;
  for (const std::string& name : namesWorthALabel(scene.bodies)) labelSolids(svg, canvas, labels, name, size);
  labelRopes(svg, canvas, labels);
  for (const std::string& name : namesWorthALabel(scene.rotors)) labelSolids(svg, canvas, labels, name, size - 1.0);
  if (scene.particles.size() <= 10)
    for (const auto& [name, particle] : scene.particles) labelSolids(svg, canvas, labels, name, size - 1.0);
  labelTensions(svg, canvas, labels);
}

}  // namespace reeve::record
