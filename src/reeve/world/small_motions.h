#pragma once
// Everything about one state that is linear in small motions: what modes.cpp and linearise.cpp reduce.
//
//   M δa = −K δq − D δv + Jᵀδλ + F u,    J δv = S u
//
// J: rows that hold and are rigid. Rows that hold and give way are stiffness and damping: with E their compliance,
// whole groups together, and G the gradient of C + E λ, K has Jᵀ E⁻¹ G and D has Jᵀ E⁻¹ τ J. (G is J but for stretched
// cable that flows over wheels: what passes is shorter unstretched, and compliance changes with it.) What is left of K
// is the change of f + Jᵀλ with position, λ as it is. Elements write it exactly (model/full_stiffness.h); of those that
// cannot, and only of those, it is a difference of fourth order of what their rows write. Spinning wheels turn what
// they sit on: D has ω × (I ω + p a), linear in ω and in the spins.
#include <span>
#include <string>
#include <vector>

#include <Eigen/Core>

#include "reeve/elements/contacts.h"
#include "reeve/model/element.h"
#include "reeve/model/problem.h"
#include "reeve/world/modes.h"

namespace reeve {

using Dense = Eigen::MatrixXd;

/// A state with the forces that act and contacts of its own: those of the world may be of another state.
struct SmallState {
  template <class Parts>
  explicit SmallState(const Parts& p) : state(p.shown()), elements(p.elements.begin(), p.elements.end() - 1) {
    const Settings& settings = p.model().description.settings;
    if (p.contacts.empty()) return;
    contacts.build(p.model(), p.built->excluded);
    contacts.find(p.now, settings.dt / settings.substeps, state);
    if (!contacts.contacts().empty()) elements.push_back(&contacts);
  }
  SmallState(const SmallState&) = delete;
  SmallState& operator=(const SmallState&) = delete;

  State state;
  Contacts contacts;
  std::vector<const Element*> elements;
};

class SmallMotions {
 public:
  SmallMotions(const Model& model, std::span<const Element* const> elements, const State& state);
  /// Whether anything moves, and there is not too much of it.
  Done check() const;
  int size() const { return static_cast<int>(free_.size()); }
  /// State::v index of each coordinate.
  std::span<const int> free() const { return free_; }
  const RowSet& rows() const { return rows_; }

  /// Rows that hold and are rigid, by index; their J has a row for each.
  const std::vector<int>& rigid() const { return rigid_; }
  Dense held() const;
  Dense mass();
  Dense damping();
  Dense stiffness();
  /// What of it is not exact, once stiffness() has been found.
  Exactness exactness() const { return {differenced_, edges(), condensed()}; }
  /// J of one row, by coordinate.
  Eigen::VectorXd gradient(const RowSet& rows, const Row& row) const;
  /// Row index of a multiplier slot, -1 if none.
  int rowOf(int slot) const;
  /// Whether a row takes part in small motions: it pulls, touches under load, or sticks.
  bool holds(const Row& row) const;
  /// Adds the change of the multipliers of rows that give way, by slot.
  void addElastic(const Eigen::VectorXd& moved, const Eigen::VectorXd& speed, std::span<double> force) const;

 private:
  /// Rows of a group that hold and give way, on one level, and what they give.
  struct Soft {
    Level level = Level::position;
    std::vector<int> rows;
    Dense inverse;   ///< of the compliance
    Dense gradient;  ///< J
    Dense law;       ///< G, once stiffness() has been found: J, and what changes besides
    Eigen::VectorXd damping;
  };
  int count() const { return static_cast<int>(state_.v.size()); }
  void gatherSoft();
  void place(int coordinate, double by);
  void put(Instant& now, int coordinate, double by) const;
  /// Where an element sees the coordinates: waves hang there under the forces that they have.
  const Instant& seenBy(const Element& e) const { return e.layout().sheets > 0 ? waves_ : now_; }
  Eigen::VectorXd pull(int coordinate, double by);
  void addDifferences(Dense& k);
  Soft* softOf(int slot, int& row);
  void addGyroscopic(Dense& full) const;
  std::vector<std::string> edges() const;
  std::vector<std::string> condensed() const;
  std::string rowName(int slot) const;
  void add(const PatchSet& patches, Dense& full) const;
  Dense pick(const Dense& full) const;

  const Model& model_;
  std::span<const Element* const> elements_;
  const State& state_;
  Instant now_, waves_;
  bool waved_ = false;
  RowSet rows_, moved_;
  Forces forces_;
  std::vector<int> free_, rigid_;
  std::vector<Soft> soft_;
  std::vector<const Element*> left_;  ///< elements that cannot write all of their stiffness
  std::vector<std::string> differenced_;
};

/// Motions that leave these rows as they are: orthonormal columns.
Dense motionsLeft(Dense j, int n);
Table tableOf(const Dense& m);

}  // namespace reeve
