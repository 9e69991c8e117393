#pragma once
// Contacts of a linearised step as a convex potential: they enter a solve as a gradient and a positive semi-definite
// patch, never as modes, so any number of redundant ones has a solution that Newton with a line search finds.
//
// The unknown x (increment, velocity or acceleration) has inertia A, kg; y = y₀ + J x of a contact is its gap and its
// slip (two numbers), p its impulse in the same measure, A x − Jᵀp = b. Passes of an augmented Lagrangian:
//   p_n = (p̄_n − y_n/ρ)₊                                  p̄ the impulse of the pass before
//   p_t = p̄_t − y_t/ρ, shortened to at most F               F = μ p_n of the pass before
// Within a pass this is the gradient of a convex function of y whatever p̄ and F are, and at its end y_n = 0 where it
// presses and y_t = 0 where it sticks: rigid contacts and Coulomb friction, without the gap that slides open where the
// cone is coupled. ρ (1/kg) only decides how fast passes get there. It is a small share of the mobility of the heaviest
// block of an island: a light body that carries a heavy one needs contacts that are stiff for the heavy one.
#include <span>
#include <vector>

#include "reeve/model/model.h"
#include "reeve/model/row.h"

namespace reeve {

struct ContactTerm {
  int row = 0;  ///< first of its three in the RowSet of the contacts: gap, slip, slip
  bool used = true;
  bool slides = false;  ///< whatever x is: friction is F along `along`
  double along[2] = {0.0, 0.0};
  double friction = 0.0, give = 0.0;  ///< μ, ρ
  double y[3] = {}, change[3] = {};   ///< where it is, and what the step at hand would add
  double shift[3] = {}, bound = 0.0;  ///< p̄, F
  double p[3] = {};
  double normal = 0.0, tangent[3] = {};  ///< −∂p/∂y: of the gap; of the slips (11, 12, 22)
};

class ContactSet {
 public:
  /// Lists the contacts in `touching`, three rows each; `rows` are the other rows, which also tie islands.
  void take(const Model& model, const RowSet& rows, const RowSet& touching);
  bool empty() const { return terms.empty(); }
  /// Where the passes begin: multipliers by slot, times scale.
  void start(const RowSet& touching, std::span<const double> force, double scale);
  void evaluate();
  /// p becomes p̄ and F follows; of late passes F less and less, so that they end where friction and load chase each
  /// other.
  void nextPass(int pass);
  void followLoad();
  /// −Σ p(y + a change) · change: what the potential adds to the slope along the step.
  double slope(double a) const;
  void advance(double a);
  /// change = J x.
  void setChange(const Model& model, const RowSet& touching, std::span<const double> x);
  /// out += scale Jᵀp, or with `stiff` scale Jᵀ D change.
  void addForces(const Model& model, const RowSet& touching, double scale, bool stiff, std::span<double> out) const;
  /// Jᵀ D J, one patch for each pair of blocks, whether anything presses there or not.
  void addPatches(const Model& model, const RowSet& touching, PatchSet& out) const;
  /// The largest residual of a free block that is touched, as motion.
  double motionOf(const Model& model, std::span<const double> residual) const;

  std::vector<ContactTerm> terms;

 private:
  int root(int block);
  std::vector<int> parent_;
  std::vector<double> heaviest_;
  std::vector<int> touched_;  ///< free blocks
};

}  // namespace reeve
