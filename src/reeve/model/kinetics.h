#pragma once
// Momentum and mass of the coordinate blocks, in the form the implicit step needs.
//
// The step is D(p) = f + ∂T/∂q + Jᵀλ with p = M(q) v and D the backward difference of first or second order:
//   v = k u + v₀,   p = p̂ + c (f + Jᵀλ)
//   Euler: k = 1/h,  v₀ = 0,           p̂ = pₙ,                c = h
//   BDF2:  k = 3/2h, v₀ = −uₙ/2h,      p̂ = (4pₙ − pₙ₋₁)/3,    c = 2h/3
// u is the increment of the step; for a rigid body its last three numbers are the rotation vector θ with
// R₊ = exp(θ) R, so ω = k θ + ω₀ and the angular momentum is that about the centre of mass, world frame.
#include <span>

#include "reeve/model/element.h"

namespace reeve {

struct Scheme {
  double h = 0.0, k = 0.0, c = 0.0;
  bool second = false;
  static Scheme euler(double h) { return {h, 1.0 / h, h, false}; }
  static Scheme bdf2(double h) { return {h, 1.5 / h, 2.0 * h / 3.0, true}; }
  double s2() const { return c / k; }  ///< what multiplies a force to give mass times length
};

using Mat6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

/// Calls visit(parent, spins) for the spins in turn that sit on one parent.
template <class Visit>
void everyParent(const Model& model, Visit&& visit) {
  const std::span<const Spin> spins = model.spins;
  for (std::size_t first = 0, last = 0; first < spins.size(); first = last) {
    while (last < spins.size() && spins[last].parent == spins[first].parent) ++last;
    visit(spins[first].parent, spins.subspan(first, last - first));
  }
}
/// Σ axle · p of spins on one parent, p by State::v index, in the parent's frame.
Vec3 spinSum(std::span<const Spin> spins, std::span<const double> p);
/// World inertia tensor of a rigid block.
Mat3 worldInertia(const Instant& now, int block);
/// v from u for every free block.
void setVelocities(const Scheme& s, Instant& now);
/// p̂ of the scheme, from the history in the past state.
void startMomentum(const Scheme& s, const State& past, std::span<double> pHat);
/// p = M(q) v at an instant with all velocities known, spins included.
void momentum(const Instant& now, std::span<double> p);
/// The same where the elements' part is known already (empty: there is none).
void momentum(const Instant& now, std::span<const double> carried, std::span<double> p);
/// Momentum of the mass that elements carry between blocks.
void carriedMomentum(const Instant& now, std::span<double> p);
/// (p(u) − p̂)/k of every free coordinate during a step: mass times length. Spins enter through p̂ only (see
/// kinetics.cpp). `carried` is the elements' part of p(u); empty if there is none.
void inertiaResidual(const Scheme& s, const Instant& now, std::span<const double> pHat, std::span<const double> carried,
                     std::span<double> out);
/// ȧ p of the carried part of a spin's momentum, on its parent (see kinetics.cpp).
void addCarriedTurn(const Instant& now, std::span<const double> carried, double scale, std::span<double> out);
/// J M⁻¹ Jᵀ of one entry of a row, roughly.
double entryMobility(const Block& block, const Entry& entry);
/// Derivative of that residual for one rigid block's rotation with respect to a small world rotation φ; the
/// translational part is mass·I. `skewness` receives the largest unsymmetric part relative to the diagonal.
Mat3 rotationTangent(const Scheme& s, const Instant& now, int block, const Mat3& inertia_W,
                     std::span<const double> pHat, double& skewness);
/// Of all blocks and elements, given the multipliers by slot.
Energy energyOf(const Instant& now, std::span<const double> force);

}  // namespace reeve
