#pragma once
// Angular momentum of what floats free, kept to rounding by the second-order step.
//
// The step holds D(p) = f for every block, D the backward difference (model/kinetics.h), so total linear momentum and
// the angular momentum π of one body about its own centre obey the same formula. The moment of momentum of several
// does not: D is no derivation. With r from the centre of mass of an island (blocks that rows hold together, and that
// nothing ties to the world), u its increments less the centre's and p̂ = (4pₙ − pₙ₋₁)/3,
//   (3Lₙ₊₁ − 4Lₙ + Lₙ₋₁)/2h = Σ (r × f + τ)   would need   Σ (r × p̂ + π̂) = (4Lₙ − Lₙ₋₁)/3,   L = Σ (r × p + π),
// and what is missing hangs on increments and history alone, not on the forces:
//   ΔL = ⅓ Σ [−4 uₙ₊₁ × pₙ + (uₙ₊₁ + uₙ) × pₙ₋₁]          of third order in h
//   ΔL = −Σ uₙ₊₁ × pₙ                                     for an Euler step, of second order
// It is put into p̂ as a rigid spin of the island, dω = I⁻¹ ΔL, δp = m dω × r, δπ = I_b dω: that changes no linear
// momentum, strains no inner row, and whatever f and τ are, inner ones cancel and outer ones act in full. About the
// centre, because a fall is a curve: moments about a fixed point would turn its error into a spin.
// A ghost history (x − u, p₋₁ = p − h f) is given L₋₁ = L − h Σ (r × f + τ) the same way: ΔL = Σ u × p₋₁.
//
// I⁻¹ is I³/(I⁴ + ε⁴): about the axis of a straight thin chain there is next to no inertia, and what would be missing
// there must not be made up by spinning it like a drill. Islands that turn too far in a step for third order to be
// little are left alone, and so are models with mass between their blocks.
#include "reeve/model/kinetics.h"
#include "reeve/solvers/islands.h"

namespace reeve {

class FreeSpin {
 public:
  /// Which blocks float free together, by the rows that hold at this trial. To be asked before the others.
  void find(const Model& model, const RowSet& rows, std::span<const Mode> mode, std::span<const double> force,
            const State& past);
  bool any() const { return count_ > 0; }
  /// Writes p̂ of the blocks that float, for the increments of the trial.
  void hat(const Scheme& s, const Instant& now, const State& past, std::span<double> pHat) const;
  /// Adds to the momentum `p` that a jump starts with: that of `before`, at the places reached since.
  void jump(const Instant& now, const State& before, std::span<double> p) const;
  /// Adds to the ghost momentum of a state at `now` with ghost increments u.
  void ghost(const Instant& now, std::span<const double> u, std::span<double> pOld) const;

 private:
  struct Island {
    double mass = 0.0;
    Vec3 place = Vec3::Zero(), a = Vec3::Zero(), b = Vec3::Zero();  ///< of the centre; times mass while summed up
    Vec3 missing = Vec3::Zero();                                    ///< ΔL, then dω
    Mat3 inertia = Mat3::Zero();
  };
  /// What a block adds to ΔL, a × A + b × B with a and b less the centre's, and where it is.
  struct Term {
    Vec3 place, a, A, b = Vec3::Zero(), B = Vec3::Zero();
  };
  template <class Terms>
  void put(const Instant& now, const Terms& terms, std::span<double> out) const;
  void drop(const Model& model, const State& past);

  Islands ties_;
  std::vector<int> island_;              ///< by block: its island, or -1
  std::vector<int> members_;             ///< blocks that float, in order
  mutable std::vector<Island> islands_;  ///< scratch, and as many as there are
  int count_ = 0;
};

}  // namespace reeve
