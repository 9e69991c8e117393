#pragma once
// A square sparse matrix made of small dense blocks, with a symmetric pattern and values that need not be symmetric.
#include <cstdint>
#include <span>
#include <vector>

#include "reeve/math/at.h"

namespace reeve {

/// Blocks (i, j) and (j, i) always exist together; every diagonal block exists. Block values are row-major,
/// size(i) × size(j). A *slot* names one block and stays valid until the next reset(); a pointer from values() only
/// until the next couple() that creates a block. Rebuilding a pattern of like size allocates nothing.
class BlockMatrix {
 public:
  /// Starts a new pattern with nodes of these sizes (1 to 8) and empty off-diagonal part.
  void reset(std::span<const int> sizes);
  /// The slot of block (i, j), created with its mirror if it is not there yet.
  int couple(int i, int j);
  int diagonal(int i) const { return i; }
  /// The slot of (i, j), or -1.
  int find(int i, int j) const;

  int nodes() const { return static_cast<int>(size_.size()); }
  int size(int i) const { return size_[static_cast<std::size_t>(i)]; }
  int offset(int i) const { return offset_[static_cast<std::size_t>(i)]; }  ///< first scalar index of node i
  int rows() const { return offset_.empty() ? 0 : offset_.back(); }         ///< scalar dimension

  /// Slots are numbered 0 to slots() - 1: the diagonal blocks in node order, then each coupled pair (i, j), i < j,
  /// followed by its mirror (j, i), in the order of their creation.
  int slots() const { return nodes() + 2 * static_cast<int>(pairs_.size()); }
  int slotRow(int slot) const;
  int slotColumn(int slot) const;

  double* values(int slot) { return (isMirror(slot) ? mirrors_ : values_).data() + start(slot); }
  const double* values(int slot) const { return (isMirror(slot) ? mirrors_ : values_).data() + start(slot); }
  /// Whether a slot is the second of its pair, (j, i) with i < j. Of a matrix that is used as a symmetric one nobody
  /// reads those, and they need not be written.
  bool isMirror(int slot) const { return slot >= nodes() && (slot - nodes()) % 2 == 1; }
  /// Where the values of a slot begin, counted from those of slot 0, or for a mirror from those of the first one.
  int start(int slot) const { return start_[static_cast<std::size_t>(slot)]; }
  void setZero();
  /// The same without the mirrors.
  void setZeroSymmetric();

  /// y = A x, and bound = |A| |x| (for the componentwise backward error). Either may be empty.
  void multiply(std::span<const double> x, std::span<double> y, std::span<double> bound) const;
  /// Both for a matrix whose values are symmetric: reads one of each mirrored pair.
  void multiplySymmetric(std::span<const double> x, std::span<double> y, std::span<double> bound) const;

 private:
  struct Pair {
    int i, j;  // i < j
    int sizeI, sizeJ, offsetI, offsetJ;
    int start;  // of (i, j) in values_
  };

  std::size_t probe(int i, int j) const;  // place of pair (i, j), i < j, in table_, or the free place for it
  void growTable();

  std::vector<int> size_, offset_;  // offset_ has one entry more, the dimension
  std::vector<int> start_;          // of each slot in values_ or mirrors_
  std::vector<Pair> pairs_;
  std::vector<int> table_;  // open addressing: pair number or -1; its size is a power of two
  std::vector<double> values_, mirrors_;
};

}  // namespace reeve
