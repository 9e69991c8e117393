#include "reeve/geometry/broadphase.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reeve {

namespace {

constexpr std::int32_t leafSize = 4;
/// The tree is rebuilt when its boxes have grown by this factor since it was built.
constexpr double tolerableGrowth = 1.5;

void include(Aabb& box, const Aabb& other) {
  box.lower = box.lower.cwiseMin(other.lower);
  box.upper = box.upper.cwiseMax(other.upper);
}

Aabb nothing() {
  constexpr double inf = std::numeric_limits<double>::infinity();
  return {Vec3::Constant(inf), Vec3::Constant(-inf)};
}

}  // namespace

std::span<const CandidatePair> Broadphase::update(std::span<const BroadphaseBox> boxes) {
  sortIntoLists(boxes);
  if (bounded_ != built_) {
    build(boxes);
  } else if (refit(boxes) > tolerableGrowth * builtCost_) {
    build(boxes);
  }
  pairs_.clear();
  for (std::int32_t n = 0; n < static_cast<std::int32_t>(nodes_.size()); ++n)
    if (nodes_[n].count > 0) pairsOfLeaf(boxes, n);
  pairsOfUnbounded(boxes);
  sortPairs(boxes.size());
  return pairs_;
}

void Broadphase::sortIntoLists(std::span<const BroadphaseBox> boxes) {
  bounded_.clear();
  unbounded_.clear();
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(boxes.size()); ++i) {
    const Aabb& b = boxes[i].box;
    if (!(b.lower.array() <= b.upper.array()).all()) continue;
    const bool finite = b.lower.allFinite() && b.upper.allFinite();
    (finite ? bounded_ : unbounded_).push_back(i);
  }
}

void Broadphase::build(std::span<const BroadphaseBox> boxes) {
  built_ = bounded_;
  order_ = bounded_;
  nodes_.clear();
  centres_.resize(boxes.size());
  for (const std::int32_t i : bounded_) centres_[i] = 0.5 * boxes[i].box.lower + 0.5 * boxes[i].box.upper;
  if (!order_.empty()) buildNode(boxes, 0, static_cast<std::int32_t>(order_.size()));
  builtCost_ = refit(boxes);
}

/// Halves the boxes at the median of their centres along the widest axis; children follow their parent.
void Broadphase::buildNode(std::span<const BroadphaseBox> boxes, std::int32_t first, std::int32_t count) {
  const auto self = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({nothing(), 0, first, count});
  if (count > leafSize) {
    Aabb spread = nothing();
    for (std::int32_t i = first; i < first + count; ++i) include(spread, {centres_[order_[i]], centres_[order_[i]]});
    const Vec3 width = spread.upper - spread.lower;
    const int axis = width.x() >= width.y() && width.x() >= width.z() ? 0 : width.y() >= width.z() ? 1 : 2;
    const auto begin = order_.begin() + first;
    const std::int32_t half = count / 2;
    std::nth_element(begin, begin + half, begin + count, [&](std::int32_t a, std::int32_t b) {
      return centres_[a][axis] != centres_[b][axis] ? centres_[a][axis] < centres_[b][axis] : a < b;
    });
    nodes_[self].count = 0;
    buildNode(boxes, first, half);
    buildNode(boxes, first + half, count - half);
  }
  nodes_[self].skip = static_cast<std::int32_t>(nodes_.size());
}

/// Fits all boxes of the tree, children before parents; returns the sum of their areas.
double Broadphase::refit(std::span<const BroadphaseBox> boxes) {
  double cost = 0;
  leaves_.resize(order_.size());
  for (auto n = static_cast<std::int32_t>(nodes_.size()) - 1; n >= 0; --n) {
    Node& node = nodes_[n];
    node.box = nothing();
    if (node.count == 0) {
      include(node.box, nodes_[n + 1].box);
      include(node.box, nodes_[nodes_[n + 1].skip].box);
    }
    for (std::int32_t i = node.first; i < node.first + node.count; ++i) {
      leaves_[i] = boxes[order_[i]].box;
      include(node.box, leaves_[i]);
    }
    const Vec3 w = node.box.upper - node.box.lower;
    cost += w.x() * w.y() + w.y() * w.z() + w.z() * w.x();
  }
  return cost;
}

void Broadphase::take(std::span<const BroadphaseBox> boxes, std::int32_t i, std::int32_t k) {
  const BroadphaseBox &a = boxes[i], &b = boxes[k];
  if (!(a.group & b.mask) || !(b.group & a.mask)) return;
  if (a.owner >= 0 && a.owner == b.owner) return;
  pairs_.push_back({std::min(i, k), std::max(i, k)});
}

/// Pairs within the leaf and with the leaves after it, so that each pair is met once.
void Broadphase::pairsOfLeaf(std::span<const BroadphaseBox> boxes, std::int32_t leaf) {
  const Node& node = nodes_[leaf];
  const std::int32_t end = node.first + node.count;
  for (std::int32_t i = node.first; i < end; ++i)
    for (std::int32_t k = i + 1; k < end; ++k)
      if (leaves_[i].overlaps(leaves_[k])) take(boxes, order_[i], order_[k]);
  const auto size = static_cast<std::int32_t>(nodes_.size());
  for (std::int32_t n = leaf + 1; n < size;) {
    const Node& other = nodes_[n];
    if (!other.box.overlaps(node.box)) {
      n = other.skip;
      continue;
    }
    for (std::int32_t k = other.first; k < other.first + other.count; ++k)
      for (std::int32_t i = node.first; i < end; ++i)
        if (leaves_[i].overlaps(leaves_[k])) take(boxes, order_[i], order_[k]);
    ++n;
  }
}

void Broadphase::pairsOfUnbounded(std::span<const BroadphaseBox> boxes) {
  for (std::size_t u = 0; u < unbounded_.size(); ++u) {
    const std::int32_t self = unbounded_[u];
    const auto meet = [&](std::int32_t i) {
      if (boxes[self].box.overlaps(boxes[i].box)) take(boxes, self, i);
    };
    for (const std::int32_t i : bounded_) meet(i);
    for (std::size_t v = u + 1; v < unbounded_.size(); ++v) meet(unbounded_[v]);
  }
}

/// Stable counting sorts, by second and then by first: linear, and no two pairs are equal.
void Broadphase::sortPairs(std::size_t boxes) {
  sorted_.resize(pairs_.size());
  const auto pass = [&](const std::vector<CandidatePair>& from, std::vector<CandidatePair>& to,
                        std::int32_t CandidatePair::*key) {
    counts_.assign(boxes + 1, 0);
    for (const CandidatePair& p : from) ++counts_[p.*key + 1];
    for (std::size_t i = 0; i < boxes; ++i) counts_[i + 1] += counts_[i];
    for (const CandidatePair& p : from) to[counts_[p.*key]++] = p;
  };
  pass(pairs_, sorted_, &CandidatePair::second);
  pass(sorted_, pairs_, &CandidatePair::first);
}

}  // namespace reeve
