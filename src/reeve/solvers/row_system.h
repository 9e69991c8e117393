#pragma once
// The linear heart of `direct`: [A −Jᵀ; −J −E] on a kept pattern, factorised and solved.
//
// Nodes of the block matrix are the free coordinate blocks and the groups of rows. The pattern and its analysis are
// kept while rows and patches touch the same blocks in the same order, whatever the rows' modes.
#include <limits>
#include <span>
#include <vector>

#include "reeve/linear/block_factor.h"
#include "reeve/model/kinetics.h"
#include "reeve/model/row.h"

namespace reeve {

/// What one row asks of this linear solve, in the unknown of the solve (increment, velocity or acceleration).
struct RowEquation {
  double residual = 0.0;    ///< J x + e μ should change by minus this; of a row at its bound: how far μ is from it
  double compliance = 0.0;  ///< e
  bool holds = true;        ///< false: μ is at its bound
  int coupled = -1;         ///< row index of the multiplier that bound hangs on
  double gain = 0.0;
};

class RowSystem {
 public:
  void bind(const Model& model);
  /// What the factorisation learnt from values of steps before is forgotten: a step is a function of its state alone.
  void forget() { factor_.forget(matrix_); }
  /// Takes the pattern of these rows and patches.
  void prepare(const RowSet& rows, std::span<const PatchSet* const> patchSets);
  /// Whether these rows touch the same blocks in the same order as those of prepare().
  bool matches(const RowSet& rows) const;
  /// Zeroes the values, for a matrix that will be symmetric or not.
  void begin(bool symmetric);
  /// Mass of every linear degree of freedom, and `rotations` (3×3 by block) for rigid blocks.
  void addInertia(std::span<const Mat3> rotations);
  /// scale · patches of the set given at this place in prepare().
  void addPatches(int set, const PatchSet& patches, double scale);
  void addRows(const RowSet& rows, std::span<const RowEquation> equations);
  /// To be added after the rows: compliance between two of a group, against the multipliers of the solve.
  void addCross(const Cross& cross, double compliance);
  /// Solves for the change of coordinates (by State::v index) and of multipliers (by row).
  bool solve(const RowSet& rows, std::span<const RowEquation> equations, std::span<const double> coordinateResidual,
             std::span<double> change, std::span<double> multiplierChange, double enough = exactly);

  /// Componentwise backward error that the solution may have: to rounding, and where it will be corrected again anyway.
  static constexpr double exactly = 1e-13, roughly = 9e-13;
  /// Of a correction whose matrix is that of the one before: as it comes, and nobody asks.
  static constexpr double coarsely = 1e-8;

  /// The two halves of solve(): the factorisation, and a solve with it that may be repeated, and tells the largest
  /// change of a coordinate. One of no more than `unmoved` is left as it comes, since who asked does not move by it,
  /// and so is one of more than `again`, which will be corrected again.
  bool factor();
  double resolve(const RowSet& rows, std::span<const RowEquation> equations, std::span<const double> coordinateResidual,
                 std::span<double> change, std::span<double> multiplierChange, double enough = exactly,
                 double unmoved = -1.0, double again = std::numeric_limits<double>::infinity());

  double mobility(const RowSet& rows, const Row& row) const;

  double backwardError() const { return backwardError_; }
  /// Row index of a multiplier slot, -1 if no row writes it now.
  int rowOfSlot(int slot) const { return slotRow_[static_cast<std::size_t>(slot)]; }

 private:
  void rebuild(const RowSet& rows, std::span<const PatchSet* const> patchSets);
  void mapSlots(const RowSet& rows);
  void untrace(std::size_t rowCount);
  double largestMove() const;
  template <class Put>
  void describe(const RowSet& rows, std::span<const PatchSet* const> patchSets, Put&& put) const;
  bool seen(const RowSet& rows);

  const Model* model_ = nullptr;
  int layout_ = 0;  ///< of the model, that the pattern was built for
  BlockMatrix matrix_;
  BlockFactor factor_;
  bool symmetric_ = true;
  bool light_ = false;          ///< some coordinates are next to massless
  std::vector<int> signature_;  ///< what the pattern was built from
  struct Slots {
    int own = -1, lower = -1, upper = -1;
    bool operator==(const Slots&) const = default;
  };
  std::vector<Slots> slots_;  ///< of the rows, that slotRow_ was made from
  std::vector<int> node_;     ///< node of each block, -1 if not free
  std::vector<int> sizes_;
  std::vector<NodeKind> kinds_;
  std::vector<int> entrySlot_, mirrorSlot_;  ///< (block, group) and (group, block) of each Jacobian entry, or -1
  std::vector<int> rowNode_, rowPlace_;      ///< node and place in it of each row
  std::vector<int> rowAt_;                   ///< and where in the vectors
  std::vector<int> slotRow_;
  struct Ease {
    double move = 0.0, turn = 0.0;  ///< 1/kg and 1/(kg m²) of a block; nothing if it is not free
    std::int16_t dof = 0, linear = 0;
    bool rotates = false;
  };
  static void addMobility(const Ease& ease, const Entry& entry, double& least);
  std::vector<Ease> ease_;  ///< by block
  /// Where a patch goes: the slot of its pair that is no mirror, whether that takes it transposed, and the other one.
  struct Target {
    int slot = -1, mirror = -1;
    bool transposed = false;
  };
  std::vector<int> patchFirst_, columnFirst_;  ///< by set
  std::vector<Target> patchTarget_, columnTarget_;
  /// Neighbouring coordinates, in State::v and in the matrix.
  struct Stretch {
    int v = 0, row = 0, count = 0;
  };
  std::vector<Stretch> stretches_;
  std::vector<double> rhs_, solution_, correction_;
  std::vector<double> trace_;  ///< by row: compliance added so that redundant rows can be solved
  double backwardError_ = 0.0;
};

}  // namespace reeve
