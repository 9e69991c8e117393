#pragma once
// Which boxes overlap: a balanced tree of boxes, refitted while it stays good and rebuilt when it does not.
//
// Sizes may be mixed freely. Boxes with an infinite side (half-spaces) stay outside the tree and are tested against all
// others. The result depends on the boxes of this update only, never on earlier ones: the tree is a cache.
#include <cstdint>
#include <span>
#include <vector>

#include "reeve/geometry/shape.h"

namespace reeve {

struct BroadphaseBox {
  Aabb box;
  std::uint32_t group = 1;           ///< the bits this box belongs to
  std::uint32_t mask = 0xffffffffu;  ///< the bits it collides with; both must agree
  std::int32_t owner = -1;  ///< boxes of one owner (a body, or everything fixed) are not paired; −1 owns itself
};

/// Indices into the span of boxes, first < second.
struct CandidatePair {
  std::int32_t first;
  std::int32_t second;
  friend bool operator==(const CandidatePair&, const CandidatePair&) = default;
};

class Broadphase {
 public:
  /// All pairs whose closed boxes overlap and whose filters agree, sorted by (first, second). A box with NaN or with
  /// lower > upper has no pairs. The span is valid until the next call. Allocates only when there are more boxes or
  /// pairs than ever before.
  std::span<const CandidatePair> update(std::span<const BroadphaseBox> boxes);

 private:
  struct Node {
    Aabb box;
    std::int32_t skip;   // the node after this subtree
    std::int32_t first;  // into order_
    std::int32_t count;  // 0: two children, the next node and the one at its skip
  };

  void sortIntoLists(std::span<const BroadphaseBox> boxes);
  void build(std::span<const BroadphaseBox> boxes);
  void buildNode(std::span<const BroadphaseBox> boxes, std::int32_t first, std::int32_t count);
  double refit(std::span<const BroadphaseBox> boxes);
  void pairsOfLeaf(std::span<const BroadphaseBox> boxes, std::int32_t leaf);
  void pairsOfUnbounded(std::span<const BroadphaseBox> boxes);
  /// Takes the pair of overlapping boxes i and k if their filters agree.
  void take(std::span<const BroadphaseBox> boxes, std::int32_t i, std::int32_t k);
  void sortPairs(std::size_t boxes);

  std::vector<std::int32_t> bounded_, unbounded_, built_, order_, counts_;
  std::vector<Node> nodes_;
  std::vector<Vec3> centres_;
  std::vector<Aabb> leaves_;  // boxes in the order of the tree, side by side in memory
  std::vector<CandidatePair> pairs_, sorted_;
  double builtCost_ = 0;
};

}  // namespace reeve
