#pragma once
// Islands: free blocks that rows hold together at an instant. What is not free belongs to none, and joins none.
#include <span>
#include <vector>

#include "reeve/model/model.h"
#include "reeve/model/row.h"
#include "reeve/model/state.h"

namespace reeve {

class Islands {
 public:
  /// Every free block by itself, but rotors with the body that carries them.
  void begin(const Model& model);
  /// Joins what rows hold together now, with these modes and multipliers.
  void tie(const Model& model, const RowSet& rows, std::span<const Mode> mode, std::span<const double> force);
  /// Joins what stiffness or damping couples.
  void tie(const Model& model, const PatchSet& patches);
  /// The first block of the island of a free block.
  int of(int block) const;
  /// Whether something holds the island, or carries it, that is not free.
  bool anchored(int block) const { return anchored_[static_cast<std::size_t>(of(block))] != 0; }

 private:
  int root(int block);
  void join(const Model& model, int a, int b);

  std::vector<int> parent_;     ///< by block: union-find
  std::vector<char> anchored_;  ///< by first block
};

}  // namespace reeve
