#pragma once
// Direct solution of saddle-point systems [A -Jᵀ; -J -E] in block form.
#include <cstdint>
#include <span>
#include <vector>

#include "reeve/linear/block_matrix.h"
#include "reeve/linear/elimination_order.h"

namespace reeve {

/// LDLᵀ (symmetric values) or LDU (unsymmetric values, symmetric pattern), block pivots, no fill surprises:
/// linear cost on chains and cables. The analysis is kept while the pattern holds.
///
/// Eliminating position k with pivot block D, right-hand blocks U (one panel D | U of size(k) rows) and lower blocks L:
///   symmetric:    D = RᵀCR, R unit upper, C diagonal;  V = R⁻ᵀU replaces U;  later blocks lose VᵀC⁻¹V.
///   unsymmetric:  PD = LR, row-pivoted;  V = L⁻¹PU replaces U, W = R⁻ᵀLᵀ replaces Lᵀ;  later blocks lose WᵀV.
/// A pivot that is nothing but cancellation is reported to the order, which is mended once or twice for the pattern;
/// what is singular for any order (redundant rows without compliance) gets a pivot of 1e-11 of its scale.
class BlockFactor {
 public:
  /// Chooses the elimination order and allocates. Call once per pattern.
  void analyze(const BlockMatrix& a, std::span<const NodeKind> kinds);
  /// Numerical factorisation. With symmetric = true only one triangle is read. Allocates nothing, unless a pivot
  /// proves to be cancellation and the order is mended (then once). Returns false if a pivot is not usable.
  bool factor(const BlockMatrix& a, bool symmetric);
  /// Solves A x = b with iterative refinement until the componentwise backward error is small enough or stops falling.
  void solve(const BlockMatrix& a, std::span<const double> b, std::span<double> x, double enough = 1e-13);
  /// Its two halves: x = F⁻¹b as it comes, and what makes it as good as that.
  void apply(std::span<const double> b, std::span<double> x) { applyInverse(b, x, false); }
  void refine(const BlockMatrix& a, std::span<const double> b, std::span<double> x, double enough);
  /// max_i |b - A x|_i / (|A| |x| + |b|)_i of the last solve.
  double backwardError() const { return backwardError_; }
  /// Refinement rounds of the last solve.
  int refinements() const { return refinements_; }
  /// Scalar nonzeros of L (one triangle, diagonal blocks included).
  std::int64_t nonzeros() const { return nonzeros_; }
  /// How often the order was mended since analyze() or forget().
  int mends() const { return mends_; }
  /// Back to the order that analyze() chose. Mending depends on values met on the way: whoever wants results that are a
  /// function of what is solved now forgets at the start of it.
  void forget(const BlockMatrix& a);
  /// Scalar pivots of the last factorisation that were replaced because the rows are redundant.
  int perturbedPivots() const { return perturbed_; }

 private:
  struct Pivot {
    int size = 0;
    int stride = 0;  // width of the panel D | U
    int x = 0;       // first scalar in elimination order
    int node = 0;    // first scalar in the matrix
    int first = 0;   // its later nodes: later_[first] to later_[last - 1]
    int last = 0;
    int firstStretch = 0, lastStretch = 0;  // the same in stretch_
    int runs = -1;       // where its runs begin in keptRun_, those of its later nodes one after the other; -1: not kept
    int places = -1;     // of a scalar: where its products go in place_; -1: not kept
    int firstEntry = 0;  // its blocks of the matrix
    int lastEntry = 0;
    bool row = false;
    std::size_t panel = 0;  // of the panel in upper_ and lower_
  };
  struct Later {
    int position;
    int column;  // in the panel
    int size;
    int x;
  };
  /// Later nodes that follow each other in elimination order too: a block, or several single scalars.
  struct Stretch {
    int column, width, x;
    bool singles;
  };
  /// A block of the matrix, the one of a mirrored pair that is (earlier, later) in elimination order.
  struct Entry {
    int first, mirror;  // where the matrix has its two blocks, first the one of the lower node number
    int column;         // in the panel
    std::int16_t columns;
    bool swapped;  // the mirror is the one that is (earlier, later)
  };
  /// A pivot that was mostly cancellation.
  struct Suspect {
    int position;
    bool severe;
  };
  /// Columns of a pivot's panel that go to neighbouring columns of a target panel.
  struct Run {
    int from, to, width;
    int left = 0;  // of a kept one: how many more belong to the same later node
  };

  /// A pivot of a chain (block_factor_chain.cpp): its panel, how many scalars follow it, and where the matrix has its
  /// entries (−1: only fill).
  struct Link {
    int panel = 0, band = 0, node = 0;
    int own = -1, entry[3] = {-1, -1, -1}, border = -1;
  };
  struct Chain {
    int begin, end, firstLink;  // positions; its links, with those of targets beyond the end
    bool hub;
    int hubPanel, hubStride, hubX, hubNode;
  };
  /// Pivots that make a chain once their columns are filled up.
  struct Padding {
    int begin, end, hub;  // positions; −1: no hub
  };
  struct Loose {
    int i, j, rows, columns, start;  // scalars in the matrix, and where its values are
  };
  static constexpr double doubtful = 1e-7;  // a pivot below this part of its scale asks who is to blame

  bool plan(const BlockMatrix& a, std::int64_t limit);
  void findPadding();
  std::span<const int> paddedColumn(int k);
  void findChains(const BlockMatrix& a);
  void eliminate(const BlockMatrix& a, const Chain& chain);
  void multiplyChains(const BlockMatrix& a, std::span<const double> x, std::span<double> y,
                      std::span<double> bound) const;
  void forward(const Chain& chain, const double* b);
  void backward(const Chain& chain, double* x, bool add);
  template <bool Hub>
  void eliminateChain(const BlockMatrix& a, const Chain& chain);
  template <bool Hub>
  void forwardChain(const Chain& chain, const double* b);
  template <bool Hub>
  void backwardChain(const Chain& chain, double* x, bool add);
  void planEntries(const BlockMatrix& a);
  template <int N>
  void load(const BlockMatrix& a, const Pivot& p);
  bool refactor(const BlockMatrix& a);
  std::size_t severeSuspects() const;
  bool delayLightCoordinates(const BlockMatrix& a);
  double lightness(const BlockMatrix& a, int row, int c) const;
  double carryingLightness(const BlockMatrix& a, int row) const;
  bool delaySuspects();
  bool betterLater(int k);
  template <int N>
  void eliminateSymmetric(const Pivot& p);
  template <int N>
  void eliminateUnsymmetric(const Pivot& p);
  template <int N>
  void updateUnsymmetric(const Pivot& p);
  void eliminateScalar(const Pivot& p);
  bool eliminateTwo(const Pivot& p, double inverse, const int* place);
  void forwardScalar(const Pivot& p, double b);
  void backwardScalar(const Pivot& p, double& x, bool add);
  void keepPlaces();
  double usablePivot(const Pivot& p, int c, double pivot);
  int findRuns(const Pivot& p, int l);
  void keepRuns();
  template <int N>
  void forward(const Pivot& p, const double* b);
  template <int N>
  void backward(const Pivot& p, double* x, bool add);
  double measure(const BlockMatrix& a, std::span<const double> b, std::span<const double> x);
  void applyInverse(std::span<const double> b, std::span<double> x, bool add);

  std::vector<NodeKind> kind_;
  std::vector<int> size_, start_, neighbour_;
  std::vector<std::uint8_t> delayed_, undelayed_, unmended_;
  std::vector<int> mendRoom_;  // coordinate: scalars of rows that mending may still hang on it
  EliminationOrder order_;

  std::vector<Pivot> pivot_;
  std::vector<Later> later_;
  std::vector<Stretch> stretch_;
  std::vector<Entry> entry_;
  std::vector<double> upper_, lower_;
  std::vector<double> scale_;  // largest magnitude a diagonal entry has had, in elimination order
  std::vector<std::uint8_t> permutation_;
  std::vector<Run> run_, keptRun_;
  std::vector<int> place_;  // in upper_: of (l, j) for each later node l of a scalar, and each j from l on
  std::vector<Padding> padding_;
  std::vector<std::vector<int>> fill_;  // by position: later nodes that padding before it adds
  std::vector<int> column_;
  std::vector<Chain> chain_;
  std::vector<Link> link_;
  std::vector<Loose> loose_;
  std::vector<Suspect> suspect_;
  std::vector<double> y_;
  std::vector<double> residual_, bound_, best_;

  std::int64_t nonzeros_ = 0;
  double backwardError_ = 0;
  int refinements_ = 0;
  int mends_ = 0;
  int lightScans_ = 0;
  bool usable_ = true;
  int perturbed_ = 0;
  bool symmetric_ = true;
};

}  // namespace reeve
