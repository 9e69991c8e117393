// Painter's order of convex solids. Two disjoint convex solids that overlap on the page have one order, the same under
// every common point; so each overlapping pair is compared under common points, and the pairs are sorted topologically.
#include <algorithm>
#include <cmath>
#include <queue>

#include "reeve/record/picture/solid.h"

namespace reeve::record {
namespace {

/// Positive when a lies in front of b, negative when behind; nothing when they share no point of the page.
std::optional<double> lead(const Solid& a, const Rect& boundsA, const Solid& b, const Rect& boundsB) {
  const Rect common = boundsA.intersection(boundsB);
  if (common.empty()) return std::nullopt;
  constexpr int grid = 9;
  std::optional<double> sum;
  for (int i = 0; i < grid; ++i)
    for (int j = 0; j < grid; ++j) {
      const Vec2 share((i + 0.5) / grid, (j + 0.5) / grid);
      const Vec2 p = common.low + share.cwiseProduct(common.size());
      const auto depthA = a.depth(p);
      if (!depthA) continue;
      if (const auto depthB = b.depth(p)) sum = sum.value_or(0.0) + depthA->first - depthB->first;
    }
  return sum;
}

/// A wheel always shows on the body that carries it, else a sheave between two cheeks could not be seen.
std::optional<double> precedence(const Solid& a, const Rect& boundsA, const Solid& b, const Rect& boundsB) {
  const bool bCarriesA = a.kind == SolidKind::wheel && a.parent == b.owner && b.kind != SolidKind::wheel;
  const bool aCarriesB = b.kind == SolidKind::wheel && b.parent == a.owner && a.kind != SolidKind::wheel;
  if (bCarriesA != aCarriesB) return bCarriesA ? 1.0 : -1.0;
  return lead(a, boundsA, b, boundsB);
}

}  // namespace

std::vector<std::size_t> paintingOrder(const std::vector<Solid>& solids) {
  const std::size_t n = solids.size();
  std::vector<Rect> bounds;
  for (const Solid& solid : solids) bounds.push_back(solid.bounds());
  std::vector<double> middle;
  for (const Solid& s : solids) {
    const auto depth = s.depth(bounds[middle.size()].center());
    middle.push_back(depth ? depth->first : s.a.z());
  }

  std::vector<std::size_t> byLeft(n);
  for (std::size_t i = 0; i < n; ++i) byLeft[i] = i;
  std::sort(byLeft.begin(), byLeft.end(), [&](std::size_t a, std::size_t b) {
    return bounds[a].low.x() != bounds[b].low.x() ? bounds[a].low.x() < bounds[b].low.x() : a < b;
  });
  std::vector<std::vector<std::size_t>> covers(n);  // covers[i]: drawn after i
  std::vector<int> below(n, 0);                     // how many must come first
  for (std::size_t x = 0; x < n; ++x)
    for (std::size_t y = x + 1; y < n; ++y) {
      const std::size_t i = std::min(byLeft[x], byLeft[y]), j = std::max(byLeft[x], byLeft[y]);
      if (bounds[byLeft[y]].low.x() > bounds[byLeft[x]].high.x()) break;
      if (bounds[i].intersection(bounds[j]).empty()) continue;
      const auto ahead = precedence(solids[i], bounds[i], solids[j], bounds[j]);
      if (!ahead) continue;
      // Equal depth: the one declared later lies on top.
      const std::size_t front = *ahead > 1e-6 ? i : j, back = *ahead > 1e-6 ? j : i;
      covers[back].push_back(front);
      ++below[front];
    }

  // Farthest first among those that nothing undrawn lies behind; in a cycle, the farthest of all.
  std::vector<std::size_t> order;
  std::vector<bool> drawn(n, false);
  const auto nearer = [&](std::size_t a, std::size_t b) {
    return middle[a] != middle[b] ? middle[a] > middle[b] : a > b;
  };
  std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(nearer)> ready(nearer);
  std::vector<std::size_t> byDepth = byLeft;
  std::sort(byDepth.begin(), byDepth.end(), [&](std::size_t a, std::size_t b) { return nearer(b, a); });
  for (std::size_t i = 0; i < n; ++i)
    if (below[i] == 0) ready.push(i);
  std::size_t next = 0;
  while (order.size() < n) {
    if (ready.empty()) {
      while (drawn[byDepth[next]]) ++next;
      ready.push(byDepth[next]);
    }
    const std::size_t i = ready.top();
    ready.pop();
    if (drawn[i]) continue;
    drawn[i] = true;
    order.push_back(i);
    for (const std::size_t front : covers[i])
      if (--below[front] == 0 && !drawn[front]) ready.push(front);
  }
  return order;
}

}  // namespace reeve::record
