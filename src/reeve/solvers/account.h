#pragma once
// What rows and elements did in a step: model/accounts.h says how it is reckoned.
#include "reeve/model/kinetics.h"
#include "reeve/solvers/solver.h"

namespace reeve {

/// What rows and elements do at an instant, under the multipliers by slot. `room`: for forces of the elements, which
/// are asked for where bodies go as they are told.
Doings doingsOf(const RowSet& rows, Elements elements, const Instant& now, std::span<const double> force, Forces& room);
/// Books a step of h that ended with these.
void book(const Doings& doings, bool second, double h, Accounts& accounts);
/// Powers from which the next step goes on, after a blow. What it sets dampers to do is over before that step is: they
/// are booked by its end.
void goOn(const Doings& doings, Accounts& accounts);
/// What begins to hold in a step of first order stops what comes at it in the step itself, without a blow.
void bookCatches(const RowSet& rows, const Model& model, std::span<const double> force, std::span<const double> before,
                 std::span<const double> after, double h, Accounts& accounts);
/// Bodies that go as they are told also move mass that elements carry: v · Δp of a step that took the state there.
class ToldMomentum {
 public:
  void begin(const Model& model, const State& before);
  void book(const Model& model, State& after) const;

 private:
  std::vector<double> p_, v_;  ///< of the state before; empty: nothing to book
};
/// Books a blow: impulses by slot, N s, that took the velocities from `before` to `after`.
void bookBlow(const RowSet& rows, const Model& model, std::span<const double> impulse, std::span<const double> before,
              std::span<const double> after, Accounts& accounts);

}  // namespace reeve
