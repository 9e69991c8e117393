#pragma once
// Contacts of a linearised step as a convex problem: they enter a solve as a gradient and a positive semi-definite
// patch, never as modes, so any number of redundant ones has a solution that is found.
//
// The unknown x (increment, velocity or acceleration) has inertia A, kg; y = y₀ + J x of a contact is its gap and its
// slip (two numbers), p its impulse in the same measure, A x − Jᵀp = b. Two ways to the same answer:
//
// Passes of an augmented Lagrangian, good where the impulses are nearly known (most steps: one pass):
//   p_n = (p̄_n − y_n/ρ)₊                                  p̄ the impulse of the pass before
//   p_t = p̄_t − y_t/ρ, shortened to at most F               F = μ p_n of the pass before
// Within a pass this is the gradient of a convex function of y whatever p̄ and F are: Newton with a line search. At the
// end y_n = 0 where it presses and y_t = 0 where it sticks: rigid contacts and Coulomb friction, without the gap that
// slides open where the cone is coupled. ρ (1/kg) is a small share of the mobility of the heaviest block of an island:
// a light body that carries a heavy one needs contacts that are stiff for the heavy one.
//
// A primal-dual interior point method, good from nowhere (a heap that is hit), with w > 0 for the gap:
//   y_n = w,  p_n w = κ;     η p_t + F y_t = 0,  η² = |y_t|² + (κ/F)²,     κ → 0
// linearised with p as an unknown of its own (of friction: Chan, Golub and Mulet, 1999), so that iterations hardly
// grow with the number of contacts.
#include <cstdint>
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
  double friction = 0.0;              ///< μ
  double give = 0.0, mobility = 0.0;  ///< ρ; J M⁻¹ Jᵀ of the gap
  double y[3] = {}, change[3] = {};   ///< where it is, and what the step at hand would add
  double shift[3] = {}, bound = 0.0;  ///< p̄, F
  double p[3] = {};
  double wanted[3] = {};  ///< interior point: p with which the linearised step begins
  double w = 0.0;
  double normal = 0.0, tangent[3] = {};  ///< −∂p/∂y: of the gap; of the slips (11, 12, 22)
};

class ContactSet {
 public:
  /// Lists the contacts in `touching`, three rows each; `rows` are the other rows, which also tie islands.
  void take(const Model& model, const RowSet& rows, const RowSet& touching);
  bool empty() const { return terms.empty(); }
  /// Where the passes begin: multipliers by slot, times scale.
  void start(const RowSet& touching, std::span<const double> force, double scale);
  /// Whether nothing is known of any contact.
  bool unknown() const;
  void evaluate();
  /// p becomes p̄ and F follows; of late passes F less and less, so that they end where friction and load chase each
  /// other.
  void nextPass(int pass);
  void keepImpulses();  ///< p becomes p̄
  void followLoad();

  /// Interior point: begins where things move by about `motion`; linearises at κ; goes along the step at hand (as far
  /// as it may: the share is returned); and by how much the contact conditions do not hold, as motion.
  void startInterior(double motion);
  double gapProduct() const;              ///< mean p_n w
  double productOf(double motion) const;  ///< the least p_n w of a contact that is moved so far
  void linearise(double kappa);
  double advanceInterior(bool follows);
  double interiorError() const;

  /// −Σ p(y + a change) · change: what the potential adds to the slope along the step.
  double slope(double a) const;
  void advance(double a);
  /// change = J x.
  void setChange(const Model& model, const RowSet& touching, std::span<const double> x);
  /// out += scale Jᵀf of p, of what is wanted, or of D change.
  enum class Part : std::uint8_t { impulse, wanted, stiff };
  void addForces(const Model& model, const RowSet& touching, double scale, Part part, std::span<double> out) const;
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
