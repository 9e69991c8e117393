#pragma once
// Rows: the one thing every joint, contact and cable writes, and the only thing a solver reads.
//
// A position row asks        C(q) + τ (J v − s) + ε λ = 0
// a velocity row asks                 J v − s  + ε λ = 0
// where the generalised force on the coordinates is Jᵀ λ and lower ≤ λ ≤ upper. A stretched spring has C > 0 and pulls
// with λ < 0. Rope-like: upper = 0. Contact (C is the gap): lower = 0. A bound may hang on another multiplier
// (friction): upper + upperGain · λ(upperSlot).
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "reeve/math/types.h"
#include "reeve/model/accounts.h"

namespace reeve {

enum class Level : std::uint8_t { position, velocity };

/// What every row has stands first: solvers go over all rows many times in a step, and this is all most of them need.
struct Row {
  int slot = 0;              ///< where its multiplier lives in State::force
  int first = 0, count = 0;  ///< Jacobian entries
  Level level = Level::position;
  /// The error hangs on the multiplier itself (a cable's waves do): bodies at rest do not tell that it has settled.
  bool errorDependsOnForce = false;
  Work work = Work::none;   ///< whose work λ J v is
  double error = 0.0;       ///< C, m or rad
  double speed = 0.0;       ///< s, m/s or rad/s
  double compliance = 0.0;  ///< ε: position m/N, velocity m/(N s)
  double damping = 0.0;     ///< τ, s
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  int lowerSlot = -1, upperSlot = -1;  ///< slots of the multipliers the bounds hang on
  double lowerGain = 0.0, upperGain = 0.0;
  double softness = 0.0;  ///< extra compliance as a share of the mobility J M⁻¹ Jᵀ: lets redundant rows share a load
  double ramp = 0.0;      ///< of a velocity row: how fast s itself changes, per s (a jump of s has none)
  double restitution = 0.0;
  bool bounded() const {
    return lower > -std::numeric_limits<double>::infinity() || upper < std::numeric_limits<double>::infinity();
  }
};

/// The part of a Jacobian row that belongs to one block.
struct Entry {
  int block = 0;
  double j[6] = {0, 0, 0, 0, 0, 0};
};

/// A row whose force law is no straight line writes its tangent: compliance is that of its own multiplier, and the
/// error makes up for it, so that error + compliance · λ is what the law asks at the trial. This is what its tangent
/// has besides: by how much λ of row b enters into row a, of the same group, and the other way round, m/N.
struct Cross {
  int a = 0, b = 0;
  double compliance = 0.0;
};

/// Rows in groups of at most six: a group is pivoted together.
class RowSet {
 public:
  void clear() {
    rows.clear();
    entries.clear();
    groups.clear();
    crosses.clear();
  }
  /// The rows added from now on belong to a new group.
  void group() { groups.push_back(static_cast<int>(rows.size())); }
  Row& add(int slot) {
    Row& row = rows.emplace_back();
    row.slot = slot;
    row.first = static_cast<int>(entries.size());
    return row;
  }
  /// Adds to the row being written; several entries of one block add up.
  void entry(int block, const Vec3& linear, const Vec3& angular) {
    Entry& e = entryOf(block);
    for (int k = 0; k < 3; ++k) e.j[k] += linear[k], e.j[k + 3] += angular[k];
  }
  void entry(int block, const Vec3& linear) { entry(block, linear, Vec3::Zero()); }
  void entry(int block, double value) { entryOf(block).j[0] += value; }
  /// The same for a block that the row has no entry of yet.
  void freshEntry(int block, const Vec3& linear, const Vec3& angular) {
    Entry& e = fresh(block);
    for (int k = 0; k < 3; ++k) e.j[k] = linear[k], e.j[k + 3] = angular[k];
  }
  void freshEntry(int block, double value) { fresh(block).j[0] = value; }
  int groupSize(int g) const {
    const int end = g + 1 < static_cast<int>(groups.size()) ? groups[g + 1] : static_cast<int>(rows.size());
    return end - groups[g];
  }

  std::vector<Row> rows;
  std::vector<Entry> entries;
  std::vector<int> groups;  ///< first row of each
  std::vector<Cross> crosses;

 private:
  Entry& fresh(int block) {
    Entry& e = entries.emplace_back();
    e.block = block;
    ++rows.back().count;
    return e;
  }
  /// A block appears once in a row, so that solvers need not look for it twice.
  Entry& entryOf(int block) {
    const Row& row = rows.back();
    for (int i = row.first; i < row.first + row.count; ++i)
      if (entries[static_cast<std::size_t>(i)].block == block) return entries[static_cast<std::size_t>(i)];
    return fresh(block);
  }
};

/// Symmetric second derivatives the solver adds to the mass: K (per position) or D (per velocity), block by block.
/// For a ≠ b the transposed block (b, a) is implied.
struct Patch {
  int a = 0, b = 0;
  Eigen::Matrix<double, 6, 6, Eigen::RowMajor> k = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>::Zero();
};

/// The same where b has a single coordinate (a spin, what slides): the column of a, which may be b itself.
struct Column {
  int a = 0, b = 0;
  double k[6] = {0, 0, 0, 0, 0, 0};
};

class PatchSet {
 public:
  void clear() {
    patches.clear();
    columns.clear();
  }
  Patch& add(int a, int b) {
    Patch& p = patches.emplace_back();
    p.a = a;
    p.b = b;
    return p;
  }
  Column& column(int a, int b) {
    Column& c = columns.emplace_back();
    c.a = a;
    c.b = b;
    return c;
  }
  std::vector<Patch> patches;
  std::vector<Column> columns;
};

}  // namespace reeve
