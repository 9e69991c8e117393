#pragma once
// What joints and motors leave of a body's freedom: how far a stand-in gives way to an impulse, and where it is going.
//
// A stand-in that knew its mass only would give way to a load as if nothing held it, be put back by its joint in the
// same step, and hang its load on a spring of stiffness m/h² without damping. So the rows J that hold a group of bodies
// are looked at where these go in the coming step if nothing changes, q + h v. With W the inverse mass (and that of
// the particles it carries), f the weight,
//   A = J W Jᵀ + α̃,   λ = −A⁻¹ r,   a = W (f + Jᵀλ)          motion without the cable: u = h v + h² a
//   W' = W − W Jᵀ A⁻¹ J W                                      what gives way to the cable, 6×6 for each body
// r of a position row (C + τ (J v − s) + ε λ = 0) is C(q + h v)/h² l⁻¹ + (1 − l⁻¹)(J v − s)/h + J W f with l = 1 + τ/h,
// α̃ = ε/(h² l); of a velocity row (J v − s + ε λ = 0) it is (J v − s)/h + J W f, α̃ = ε/h. C there is also what a turn
// about a joint leads away from it: the centripetal part of a. Rows with bounds count while they pull within them;
// contacts of the world and other cables do not.
#include <vector>

#include "reeve/cables/particles/bundle.h"
#include "reeve/model/element.h"
#include "reeve/model/instant.h"
#include "reeve/model/kinetics.h"

namespace reeve::particles {

class Restraints {
 public:
  /// `blocks` of the stand-ins.
  void build(const Model& model, std::span<const int> blocks);
  bool idle() const { return elements_.empty(); }
  /// Fills `held`, `give`, `fall` and `tumble` of the stand-ins from where the step of `h` seconds begins.
  void find(const Instant& now, const State& state, double h, int substeps, Bundle& bundle);

 private:
  bool holds(const Row& row, const State& state) const;
  int rootOf(int block);
  void join(const Model& model, const State& state);
  void assemble(const Instant& now, double h, int substeps, const Bundle& bundle);
  void factorise();
  /// Solves A x = x in place.
  void substitute(std::span<double> x) const;
  void share(Bundle& bundle);

  std::vector<const Element*> elements_;
  std::vector<int> proxy_;   ///< by block: its stand-in, or −1
  std::vector<int> parent_;  ///< by block: what rows join
  Instant ahead_;
  RowSet rows_;
  struct Used {
    int root, row;
  };
  std::vector<Used> used_;  ///< rows that hold, group by group
  // The group being solved.
  std::vector<int> own_;       ///< its rows
  std::vector<int> blocks_;    ///< its free blocks
  std::vector<Mat6> inverse_;  ///< W of each
  std::vector<double> matrix_, right_, diagonal_, column_;
};

}  // namespace reeve::particles
