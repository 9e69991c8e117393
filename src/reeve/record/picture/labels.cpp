#include "reeve/record/picture/labels.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reeve/math/scalar.h"

namespace reeve::record {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();

/// Where a text box is tried against what lies under it, as shares of its size.
const std::vector<Vec2> edgeSamples = [] {
  std::vector<Vec2> shares;
  for (const double x : {0.0, 0.25, 0.5, 0.75, 1.0})
    for (const double y : {0.0, 0.5, 1.0}) shares.emplace_back(x, y);
  return shares;
}();

std::string textStyle(const Label& label) {
  return attribute("font-size", label.size) + attribute("fill", hex(label.colour)) + "text-anchor=\"middle\" " +
         (label.bold ? "font-weight=\"600\" " : "");
}

/// A white rim keeps text readable on lines and solids.
void drawText(Svg& svg, const Label& label, const Vec2& center, bool rim) {
  const Vec2 base = center + Vec2(0, 0.36 * label.size);
  if (rim)
    svg.text(base, label.text,
             textStyle(label) + "stroke=\"#ffffff\" stroke-width=\"3\" stroke-opacity=\"0.85\" aria-hidden=\"true\" ");
  svg.text(base, label.text, textStyle(label));
}

Rect boxAround(const Vec2& center, const Vec2& size) { return {center - size / 2, center + size / 2}; }

}  // namespace

double LabelPlacer::cost(const Rect& rect) const {
  if (rect.low.x() < page_.low.x() || rect.low.y() < page_.low.y() || rect.high.x() > page_.high.x() ||
      rect.high.y() > page_.high.y())
    return never;
  for (const Rect& other : taken_)
    if (!rect.grown(2.0).intersection(other).empty()) return never;
  double sum = 0.0;
  const Rect near = rect.grown(2.0);
  for (const Vec2& p : points_)
    if (near.contains(p)) sum += 3.0;
  for (const Vec2& share : edgeSamples)
    if (covered_(near.low + share.cwiseProduct(near.size()))) sum += 1.4;
  return sum;
}

bool LabelPlacer::placeInside(Svg& svg, const Label& label, const Rect& anchor, const Vec2& size) {
  const Vec2 room = anchor.size() - size - Vec2(6.0, 4.0);
  if (!label.inside || !label.own || room.x() < 0.0 || room.y() < 0.0) return false;
  const auto fits = [&](const Rect& box) {
    if (!(cost(box) < never)) return false;
    for (const Vec2& p : points_)
      if (box.contains(p)) return false;
    return std::all_of(edgeSamples.begin(), edgeSamples.end(),
                       [&](const Vec2& share) { return label.own(box.low + share.cwiseProduct(box.size())); });
  };
  // The middle first, then outwards: something may stand before the middle of a wall.
  for (const double y : {0.0, -0.3, 0.3, -0.5, 0.5})
    for (const double x : {0.0, -0.3, 0.3, -0.5, 0.5}) {
      const Rect box = boxAround(anchor.center() + Vec2(x, y).cwiseProduct(room), size);
      if (!fits(box)) continue;
      Label on = label;
      on.colour = label.insideColour;
      drawText(svg, on, box.center(), false);
      taken_.push_back(box);
      return true;
    }
  return false;
}

bool LabelPlacer::place(Svg& svg, const Label& label) {
  const Rect anchor = label.anchor.intersection(page_);
  if (label.text.empty() || anchor.empty()) return false;
  const Vec2 size(textWidth(label.text, label.size) + 2.0, label.size * 1.15);
  if (placeInside(svg, label, anchor, size)) return true;
  const auto touches = [&](const Rect& box) {
    if (!label.own) return !box.intersection(anchor).empty();
    return std::any_of(edgeSamples.begin(), edgeSamples.end(),
                       [&](const Vec2& share) { return label.own(box.low + share.cwiseProduct(box.size())); });
  };
  Vec2 best = anchor.center(), edge = best;
  double lowest = never, farthest = 0.0;
  for (int i = 0; i < 16; ++i) {
    // Starts to the right, then alternates above and below, so equal costs read like a book.
    const double turn = (i % 2 ? -1 : 1) * ((i + 1) / 2) * math::pi / 8;
    const Vec2 d(math::cos(turn), math::sin(turn));
    double clear = 0.0;  // how far out the text is free of what it names
    while (clear < 600.0 && touches(boxAround(anchor.center() + clear * d, size))) clear += 3.0;
    for (const double gap : {3.0, 10.0, 22.0, 38.0}) {
      const Vec2 at = anchor.center() + (clear + gap) * d;
      // Far from the middle is worse than near, but much less so than covering something.
      const double penalty = cost(boxAround(at, size)) + 0.16 * gap + 0.02 * clear + 0.10 * i;
      if (penalty < lowest) lowest = penalty, best = at, farthest = gap, edge = at - (gap + 1.0) * d;
    }
  }
  if (!(lowest < 15.0)) return false;
  if (farthest > 20.0) {
    const Rect box = boxAround(best, size);
    svg.line(edge, edge.cwiseMax(box.low).cwiseMin(box.high), "stroke=\"#8a929c\" stroke-width=\"0.7\" ");
  }
  drawText(svg, label, best, true);
  taken_.push_back(boxAround(best, size));
  return true;
}

}  // namespace reeve::record
