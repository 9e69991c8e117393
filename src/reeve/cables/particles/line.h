#pragma once
// One line of particles and five ways to hold it together (Amiragov 2020, sections 2.2.3, 2.2.5, 3.3 and 3.4).
//
// Between neighbours, C = |x_b − x_a| − d; with `doubles` also between every other two. In a substep h, with g gravity:
//   springs   F = k(|d| − rest) + c d|d|/dt along the segment (eq. 2.4);  v += h(F/m + g),  u = h v          explicit
//   stiff     v += h g, u = h v; then all segments at once are set back by half their error at either end (fig. 3.18),
//             then all doubles; this repositioning is no velocity, so speed and stretch keep growing (fig. 3.20)
//   jakobsen  u = (1 − damping) h v + h² g (eq. 2.7); projections one after the other (eq. 2.8); v = u/h
//   pbd       the same with the stiffness factor k: Δλ = −k C/(w_a + w_b)
//   xpbd      Δλ = −(C + (τ/h) n·(u_b − u_a) + α̃ λ)/((1 + τ/h)(w_a + w_b) + α̃),  α̃ = α/h² (eqs 2.13, 2.14), τ the
//             damping time of the material; compliance 0 is rigid
// and u_a −= w_a Δλ n, u_b += w_b Δλ n, n from a to b: no net impulse and no net torque. Tension is −λ/h².
// Jakobsen's halves are weighted with the masses; for equal ones they are the thesis'.
//
// Order: along the cable (single, double, single, ... as fig. 3.23), colour by colour (no two of a colour share a
// particle: any number of threads gives the same bits; section 5.2), or in chunks (section 4.3: each chunk is solved
// as a cable of its own, then the seams shift whole chunks). `direct` solves all of a line's distances at once:
// single ones as a Newton step of the implicit equations with the geometric stiffness (line_chain.cpp); with doubles
// A Δλ = −C − α̃ λ, A = J W Jᵀ + α̃, nine diagonals (line_direct.cpp), which takes that stiffness explicitly.
#include <memory>
#include <vector>

#include "reeve/cables/particles/bundle.h"
#include "reeve/cables/particles/constraint.h"
#include "reeve/model/description.h"

namespace reeve {
class Executor;
}

namespace reeve::particles {

struct Distance {
  int a = 0, b = 0;  ///< particles
  double rest = 0.0;
  double compliance = 0.0;  ///< α, xpbd
  double stiffness = 1.0;   ///< k of pbd; springs: N/m
};

/// A symmetric 3×3 matrix: xx, xy, xz, yy, yz, zz.
struct Sym {
  double a, b, c, d, e, f;
  Vec3 operator*(const Vec3& v) const {
    return Vec3(a * v.x() + b * v.y() + c * v.z(), b * v.x() + d * v.y() + e * v.z(),
                c * v.x() + e * v.y() + f * v.z());
  }
};
/// What the direct solve keeps of a segment (line_chain.cpp).
struct ChainCell {
  Sym b;
  Vec3 n, bn, br, m;
  double q, s, alpha, c;
};

/// A contact with something that does not give way, as the direct solve sees it: it pushes harder by k for every metre
/// that it is closed by. Loads and what bears them meet in one solve; in turns, a light line between a heavy load and a
/// post would take as many iterations as their masses differ.
struct ChainContact {
  int a = 0, b = 0;  ///< particles
  double ka = 0.0, kb = 0.0;
  Vec3 normal = Vec3::UnitZ();
  double k = 0.0, gap = 0.0;  ///< kg; m, before the solve
  double change = 0.0;        ///< kg m: what the solve has added to its impulse, given back
  double lambda = 0.0;        ///< kg m: its impulse so far
  int touch = 0;              ///< which one it is
};

struct Line {
  ParticleWay way = ParticleWay::xpbd;
  SolveOrder order = SolveOrder::along;
  bool direct = false;
  int first = 0, count = 0;  ///< particles
  int iterations = 1, chunks = 4;
  double damping = 0.0;             ///< share of the velocity lost in a substep
  double retard = 0.0;              ///< τ, s
  double springDamping = 0.0;       ///< N s/m
  std::vector<Distance> distances;  ///< count − 1 singles, then the doubles
  std::vector<std::shared_ptr<const Constraint>> constraints;
  // What a substep works on.
  std::vector<Vec3> edge;      ///< x_b − x_a at its start
  std::vector<double> lambda;  ///< multipliers, kg m
  std::vector<double> constraintLambda;
  std::vector<double> guess;           ///< tension of each single a substep before, N: where the direct solve starts
  std::vector<ChainContact> contacts;  ///< of the coming iteration (Touching::offer)

  int singles() const { return count - 1; }
  /// Solved as an implicit step (line_chain.cpp).
  bool chained() const;
  /// Sorts the distances for the chosen order. Again whenever a particle is held or let go.
  void arrange(const Bundle& bundle);
  /// Motion without constraints: u from v. Springs act here.
  void predict(Bundle& bundle, const Vec3& gravity, double h, Executor* executor);
  /// Edges at the start of the substep, multipliers zero.
  void prepare(const Bundle& bundle, double h, Executor* executor);
  /// One iteration.
  void project(Bundle& bundle, double h, int iteration, Executor* executor);
  /// Sum of the forces of this line's distances on a particle, as impulses (kg m).
  Vec3 pull(const Bundle& bundle, int point) const;

 private:
  struct Factors {
    double alphaScale = 0.0, lag = 0.0;  ///< 1/h² or 0; τ/h
    bool soft = false;
  };
  Factors factors(double h) const;
  void spring(Bundle& bundle, double h);
  void reposition(Bundle& bundle);
  void projectOne(Points& p, int j, const Factors& f);
  void projectMounted(Bundle& bundle, int j, const Factors& f);
  void projectChunks(Bundle& bundle, const Factors& f, Executor* executor);
  void projectSeam(Points& p, int j, int chunk, const Factors& f);
  void projectOwn(Bundle& bundle, double h);
  void solveDirect(Bundle& bundle, const Factors& f);
  bool band(const Bundle& bundle, const Factors& f);
  void startChain(const Bundle& bundle, double h);
  void solveChain(Bundle& bundle, const Factors& f);

  std::vector<int> along_;                  ///< loose distances in order
  std::vector<int> mounted_;                ///< those that pull at a body
  std::vector<std::vector<int>> colours_;   ///< loose ones, no two of a colour sharing a particle
  std::vector<std::vector<int>> inside_;    ///< by chunk
  std::vector<std::pair<int, int>> seams_;  ///< distance across the seam after chunk
  std::vector<int> across_;                 ///< doubles across a seam
  std::vector<double> chunkWeight_;
  std::vector<int> chunkFirst_;
  std::vector<Vec3> delta_;
  // direct
  std::vector<int> banded_;
  int width_ = 1;
  std::vector<Vec3> normal_;
  std::vector<double> matrix_, right_;
  std::vector<ChainCell> cells_;
  std::vector<Vec3> free_, last_, applied_;
  std::vector<Sym> heldK_;   ///< by particle, where there are contacts: how they resist it
  std::vector<Vec3> heldR_;  ///< and how they push it
  void gatherContacts();
  void passContacts(const Points& p);
};

}  // namespace reeve::particles
