#pragma once
// Cones: contacts with Coulomb friction, as a convex potential of the motion instead of modes.
//
// A cone is a group of three rows: a gap with λ ≥ 0 and some softness, and two friction rows whose bounds are ±μ times
// its multiplier. With y what the rows ask in the unknown of a linear solve and e their give,
//     f_n = (−y_n/e_n)₊,    f_t = −y_t/e_t, no longer than S,    S = μ f_n of the look before,
// which are the gradients of potentials ½ (−y_n)₊²/e_n and of Huber's: convex, continuous, quadratic in pieces. So a
// Newton step on them is a positive semi-definite patch Jᵀ G J, and a search along it, which needs J d alone, ends at a
// point that is better; the pieces settle from any start, however many contacts share a load. S is held while they
// settle and follows afterwards, which gives Coulomb's law without the gap that opens under sliding where the normal
// force is coupled to the slip.
//
// A few contacts settle in a few whole Newton steps. Where there are many, or they do not (with so little give the
// potential has sharp corners, and searches hardly move), it is done in passes with a shift, at first the force before:
//     f = (ρ f₀ − y)/(ρ + e) within the same bounds, f₀ the force of the pass before,
// an augmented Lagrangian whose corners are as blunt as ρ is large. What rests needs no blunt corners, so the first
// pass takes the smallest ρ; where it does not settle, ρ begins large and shrinks while passes settle quickly. They end
// when ρ (f₀ − f), which the law knows nothing of, is below a limit. The give of a cone that is loaded far beyond what
// it holds (a light box under a heavy one) is made less, so that it never gives way by more than a limit.
#include <span>
#include <vector>

#include "reeve/model/model.h"
#include "reeve/model/moving.h"
#include "reeve/model/row.h"
#include "reeve/model/state.h"

namespace reeve {

struct Cone {
  int row = 0;        ///< the gap; its friction rows follow
  double gain = 0.0;  ///< μ
  double mobility = 0.0, mobilityFriction = 0.0;
  double soft = 0.0, softFriction = 0.0;  ///< give before it is made less
  double ease = 1.0;                      ///< share of that give it has
  double y[3] = {0, 0, 0}, rate[3] = {0, 0, 0}, force[3] = {0, 0, 0};
  double loaded = 1.0;          ///< share of the mobility that passes reckon with: less under more than its own load
  double start[3] = {0, 0, 0};  ///< forces a solve begins with
  double shift[3] = {0, 0, 0};  ///< forces of the pass before
  double bound = 0.0;           ///< S
  bool used = true;             ///< false: it does not take part
  bool pinned = false;          ///< friction acts against `along`, whatever y
  double along[2] = {0, 0};
  enum class Piece : std::uint8_t { open, sticks, slides } piece = Piece::open;
  double give() const { return soft * ease; }
  double giveFriction() const { return softFriction * ease; }
};

class Cones {
 public:
  /// Recognises the cones that end a set of rows; up to four are left to be rows with modes. They keep what they know
  /// where there are as many as before.
  void find(const RowSet& rows);
  bool empty() const { return cones_.empty(); }
  /// Rows before them.
  std::size_t held() const { return held_; }
  std::span<Cone> all() { return cones_; }
  /// Begins a solve: forces from these multipliers by slot, times `scale`; give such that they sink by no more than
  /// `limit` under them.
  void begin(const RowSet& rows, std::span<const double> multiplier, double scale, double limit);
  /// Begins it again, in passes and with searches.
  void beginPasses();
  bool searches() const { return searches_ && !cones_.empty(); }
  /// Forces at the present y; returned is by how much bounds that follow the gaps' forces move anything.
  double respond(bool follow);
  /// Whether all are of the piece they were of when the stiffness was written.
  bool steady() const;
  /// After a step that moved so much, and the forces that came of it: perhaps the next pass. True if there is no need
  /// of one: motion and what the shift still hides are below the limit.
  bool pass(double moved, double limit);
  /// So many that whole steps are not worth a try.
  bool many() const { return cones_.size() > 8; }
  /// Writes Jᵀ G J, pair of blocks by pair of blocks.
  void stiffness(const RowSet& rows, std::span<const Block> blocks, PatchSet& out);
  /// How much of a Newton step to take: `slope` is that of the whole potential along it, negative.
  double length(const RowSet& rows, std::span<const Block> blocks, std::span<const double> step, double slope);
  /// Makes the give of those that sink beyond the limit less; true if there are any.
  bool tighten(double limit);
  /// Writes multipliers, forces over `scale`, and modes.
  void write(const RowSet& rows, double scale, std::span<double> multiplier, std::span<Mode> mode) const;

 private:
  void soften();

  std::vector<Cone> cones_;
  std::vector<Cone::Piece> written_;
  std::size_t held_ = 0;
  bool searches_ = false;
  bool whole_ = true;       ///< the last step was taken whole
  int looks_ = 0;           ///< in this pass
  double blunt_ = 0.0;      ///< ρ as a share of the mobility
  bool first_ = false;      ///< the sharpest ρ is still being tried
  double firstMove_ = 0.0;  ///< how far the first step of this pass moved
};

}  // namespace reeve
