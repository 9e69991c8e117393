#include "reeve/linear/block_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <functional>
#include <limits>
#include <string>

#include "dense.h"
#include "support/allocations.h"
#include "systems.h"

namespace reeve {
namespace {

using systems::Builder;
using systems::System;

// Backward error demanded everywhere (NUMERICS.md, section 1).
constexpr double backward = 1e-12;

struct Solution {
  std::vector<double> x;
  double error = 0;
  int mends = 0;
  int perturbed = 0;
  bool usable = false;
};

Solution solve(const System& s, bool symmetric) {
  BlockFactor f;
  f.analyze(s.a, s.kinds);
  Solution r;
  r.usable = f.factor(s.a, symmetric);
  r.x.resize(s.b.size());
  f.solve(s.a, s.b, r.x);
  r.error = f.backwardError();
  r.mends = f.mends();
  r.perturbed = f.perturbedPivots();
  return r;
}

// max_i |b - A x|_i / (|A||x| + |b|)_i, by dense arithmetic.
double denseBackwardError(const System& s, const std::vector<double>& x) {
  const Eigen::MatrixXd a = toDense(s.a);
  const auto n = static_cast<Eigen::Index>(x.size());
  const Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(s.b.data(), n);
  const Eigen::VectorXd v = Eigen::Map<const Eigen::VectorXd>(x.data(), n);
  const Eigen::VectorXd r = (b - a * v).cwiseAbs();
  const Eigen::VectorXd scale = a.cwiseAbs() * v.cwiseAbs() + b.cwiseAbs();
  double worst = 0;
  for (Eigen::Index i = 0; i < n; ++i)
    if (scale[i] > 0) worst = std::max(worst, r[i] / scale[i]);
  return worst;
}

struct Shape {
  const char* name;
  std::function<Builder(std::uint64_t seed)> make;
};

const Shape shapes[] = {
    {"chain", [](auto seed) { return systems::chain(12, seed); }},
    {"alternating chain", [](auto seed) { return systems::alternatingChain(12, seed, 10); }},
    {"cable", [](auto seed) { return systems::cable(60, seed); }},
    {"strand on a beam", [](auto seed) { return systems::strand(60, seed, true); }},
    {"strand", [](auto seed) { return systems::strand(60, seed, false); }},
    {"tied cable", [](auto seed) { return systems::tiedCable(60, seed); }},
    {"slipping cable", [](auto seed) { return systems::slippingCable(40, seed, 1e-6); }},
    {"belt", [](auto seed) { return systems::belt(12, seed); }},
    {"tree", [](auto seed) { return systems::tree(14, seed); }},
    {"grid", [](auto seed) { return systems::grid(6, 5, seed); }},
    {"pile", [](auto seed) { return systems::pile(6, 20, seed, 1e-3); }},
};

TEST(BlockFactor, agreesWithDenseLuOnEveryShape) {
  for (const Shape& shape : shapes)
    for (std::uint64_t seed = 1; seed <= 12; ++seed)
      for (const bool symmetric : {true, false}) {
        SCOPED_TRACE(std::string(shape.name) + ", seed " + std::to_string(seed) + (symmetric ? "" : ", unsymmetric"));
        const System s = shape.make(seed).build(symmetric);
        const Solution ours = solve(s, symmetric);
        EXPECT_TRUE(ours.usable);
        EXPECT_LE(ours.error, backward);
        EXPECT_LE(denseBackwardError(s, ours.x), 2 * backward);
        EXPECT_EQ(ours.perturbed, 0);
        const auto n = static_cast<Eigen::Index>(s.b.size());
        const Eigen::FullPivLU<Eigen::MatrixXd> lu(toDense(s.a));
        const Eigen::VectorXd theirs = lu.solve(Eigen::Map<const Eigen::VectorXd>(s.b.data(), n));
        const Eigen::VectorXd difference = Eigen::Map<const Eigen::VectorXd>(ours.x.data(), n) - theirs;
        // Forward errors of both go with the condition number, up to 1e8 here (masses 1e-6 to 1e3, compliance 1e-6).
        EXPECT_LE(difference.lpNorm<Eigen::Infinity>(), 1e-6 * theirs.lpNorm<Eigen::Infinity>());
      }
}

TEST(BlockFactor, keepsTheBackwardErrorAtMassRatiosUpTo1e9) {
  for (const double exponent : {-9., -6., 6., 9.}) {
    const double ratio = std::pow(10., exponent);
    for (const bool symmetric : {true, false})
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        SCOPED_TRACE("ratio 1e" + std::to_string(exponent) + ", seed " + std::to_string(seed) +
                     (symmetric ? "" : ", unsymmetric"));
        EXPECT_LE(solve(systems::chain(200, seed, ratio).build(symmetric), symmetric).error, backward);
        EXPECT_LE(solve(systems::alternatingChain(200, seed, ratio).build(symmetric), symmetric).error, backward);
        EXPECT_LE(solve(systems::tree(200, seed, ratio).build(symmetric), symmetric).error, backward);
        EXPECT_LE(solve(systems::cable(300, seed, 1e-3, 1e-3 * ratio).build(symmetric), symmetric).error, backward);
        EXPECT_LE(solve(systems::cable(300, seed, 1e-3, 1, 1e-3 * ratio).build(symmetric), symmetric).error, backward);
      }
  }
}

TEST(BlockFactor, solvesACableWhoseSlipCoordinatesHaveAnyMassOrNone) {
  for (const double mass : {1e-4, 1e-6, 1e-9, 1e-12, 1e-15, 1e-20, 0.})
    for (const bool symmetric : {true, false}) {
      SCOPED_TRACE("slip mass " + std::to_string(mass) + (symmetric ? "" : ", unsymmetric"));
      const Solution r = solve(systems::slippingCable(500, 1, mass).build(symmetric), symmetric);
      EXPECT_TRUE(r.usable);
      EXPECT_LE(r.error, backward);
      EXPECT_LE(r.mends, 2);
    }
}

TEST(BlockFactor, putsOneSpanAfterTheBeamWithoutHavingToMendTheOrder) {
  for (const int n : {1, 2, 3, 40, 1000}) {
    const Solution r = solve(systems::tiedCable(n, 5).build(true), true);
    EXPECT_TRUE(r.usable);
    EXPECT_EQ(r.mends, 0) << n << " rotors";
    EXPECT_EQ(r.perturbed, 0);
    EXPECT_LE(r.error, backward);
  }
}

// The capstan law written as T_k - κ T_k+1 = 0 has a zero on the diagonal of the friction row: only the order of
// elimination can give it a pivot.
TEST(BlockFactor, solvesFrictionRowsWithoutADiagonal) {
  for (const int n : {1, 3, 24, 400}) {
    const double ratio =
        n > 24 ? 1.01 : 1.5;  // ratioⁿ, the ratio of the end tensions, is not to leave double precision
    Builder b(9);
    const int hub = b.coordinate(6, 10);
    std::vector<int> spans, rotors, slips, friction;
    for (int i = 0; i < n; ++i) {
      rotors.push_back(b.coordinate(1, 1e-3));
      slips.push_back(b.coordinate(1, 1e-9));
    }
    for (std::size_t s = 0; s <= static_cast<std::size_t>(n); ++s) {
      std::vector<int> on{hub};
      if (s > 0) on.insert(on.end(), {rotors[s - 1], slips[s - 1]});
      if (s < static_cast<std::size_t>(n)) on.insert(on.end(), {rotors[s], slips[s]});
      spans.push_back(b.span(on, 1e-6));
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      friction.push_back(b.span({slips[i]}));
      b.slip(friction[i], 0, spans[i], -1);
      b.slip(friction[i], 0, spans[i + 1], ratio);
    }
    System s = b.build(false);
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
      s.a.values(s.a.find(friction[i], spans[i]))[0] = 1;
      s.a.values(s.a.diagonal(friction[i]))[0] = 0;
    }
    const Solution r = solve(s, false);
    EXPECT_TRUE(r.usable);
    EXPECT_EQ(r.perturbed, 0) << n << " links";
    EXPECT_LE(r.error, backward) << n << " links";
  }
}

TEST(BlockFactor, costsTheSamePerRowAtAnyLength) {
  const struct {
    const char* name;
    std::function<Builder(int n)> make;
    double mostPerRow;
  } lengths[] = {
      {"chain", [](int n) { return systems::chain(n, 1); }, 11.5},
      {"alternating chain", [](int n) { return systems::alternatingChain(n, 1, 10); }, 15},
      {"cable", [](int n) { return systems::cable(n, 1); }, 6},
      {"strand on a beam", [](int n) { return systems::strand(n, 1, true); }, 9.5},  // 10 and 9 by turns
      {"strand", [](int n) { return systems::strand(n, 1, false); }, 4},
      {"tied cable", [](int n) { return systems::tiedCable(n, 1); }, 6},
      {"slipping cable", [](int n) { return systems::slippingCable(n, 1, 1e-6); }, 6.5},
      {"belt", [](int n) { return systems::belt(n, 1); }, 7.5},
      {"tree", [](int n) { return systems::tree(n, 1); }, 12.5},
  };
  for (const auto& shape : lengths) {
    SCOPED_TRACE(shape.name);
    double perRow[2];
    for (const int k : {0, 1}) {
      const System s = shape.make(k == 0 ? 500 : 16000).build(true);
      BlockFactor f;
      f.analyze(s.a, s.kinds);
      perRow[k] = static_cast<double>(f.nonzeros()) / static_cast<double>(s.b.size());
      EXPECT_LE(perRow[k], shape.mostPerRow);
    }
    EXPECT_LE(perRow[1], 1.05 * perRow[0]);
  }
}

TEST(BlockFactor, staysLinearWhenTheOrderWasMendedForMasslessSlip) {
  double perRow[2];
  for (const int k : {0, 1}) {
    const System s = systems::slippingCable(k == 0 ? 500 : 8000, 1, 0).build(true);
    BlockFactor f;
    f.analyze(s.a, s.kinds);
    EXPECT_TRUE(f.factor(s.a, true));
    EXPECT_EQ(f.mends(), 1);
    perRow[k] = static_cast<double>(f.nonzeros()) / static_cast<double>(s.b.size());
  }
  EXPECT_LE(perRow[1], 8);
  EXPECT_LE(perRow[1], 1.05 * perRow[0]);
}

TEST(BlockFactor, staysLinearWithMoreCablesThanTheirBeamCanCarry) {
  for (const double compliance : {0., 1e-8}) {
    System s = systems::harp(1000, 3, 1, compliance).build(true);
    if (compliance == 0) {
      const std::vector<double> x(s.b);
      s.a.multiply(x, s.b, {});
    }
    BlockFactor f;
    f.analyze(s.a, s.kinds);
    EXPECT_TRUE(f.factor(s.a, true));
    EXPECT_LE(f.nonzeros(), 6 * static_cast<std::int64_t>(s.b.size()));
    std::vector<double> x(s.b.size());
    f.solve(s.a, s.b, x);
    EXPECT_LE(f.backwardError(), backward);
  }
}

TEST(BlockFactor, fillsClothAndPilesModerately) {
  const System cloth = systems::grid(45, 44, 1).build(true);
  BlockFactor f;
  f.analyze(cloth.a, cloth.kinds);
  EXPECT_LE(f.nonzeros(), 25 * static_cast<std::int64_t>(cloth.b.size()));
  const System pile = systems::pile(40, 300, 1).build(true);
  f.analyze(pile.a, pile.kinds);
  EXPECT_LE(f.nonzeros(), 60 * static_cast<std::int64_t>(pile.b.size()));
}

// The multipliers of redundant rows are not unique, the coordinates are.
void expectCoordinatesLikeDense(const System& s, const std::vector<double>& x, double tolerance) {
  const auto n = static_cast<Eigen::Index>(s.b.size());
  const Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> dense(toDense(s.a));
  const Eigen::VectorXd expected = dense.solve(Eigen::Map<const Eigen::VectorXd>(s.b.data(), n));
  const double scale = expected.lpNorm<Eigen::Infinity>();
  for (int i = 0; i < s.a.nodes(); ++i)
    for (int c = 0; c < s.a.size(i) && s.kinds[static_cast<std::size_t>(i)] == NodeKind::coordinate; ++c)
      EXPECT_NEAR(x[static_cast<std::size_t>(s.a.offset(i) + c)], expected[s.a.offset(i) + c], tolerance * scale);
}

void makeConsistent(System& s) {
  const std::vector<double> x(s.b);
  s.a.multiply(x, s.b, {});
}

TEST(BlockFactor, survivesRowsThatRepeatOthersExactly) {
  Builder b = systems::chain(10, 2);
  b.repeat(1);
  b.repeat(5);
  b.repeat(5);
  System s = b.build(true);
  makeConsistent(s);
  const Solution r = solve(s, true);
  EXPECT_TRUE(r.usable);
  EXPECT_EQ(r.perturbed, 15);
  EXPECT_LE(r.error, backward);
  expectCoordinatesLikeDense(s, r.x, 1e-8);
}

TEST(BlockFactor, survivesMoreContactRowsThanFreedom) {
  for (const bool symmetric : {true, false})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + (symmetric ? "" : ", unsymmetric"));
      Builder b(seed);
      const int box = b.coordinate(6, 1);
      for (int point = 0; point < 4; ++point) b.row(3, {box});
      System s = b.build(symmetric);
      makeConsistent(s);
      const Solution r = solve(s, symmetric);
      EXPECT_TRUE(r.usable);
      EXPECT_EQ(r.perturbed, 6);
      EXPECT_LE(r.error, backward);
      expectCoordinatesLikeDense(s, r.x, 1e-8);

      System pile = systems::pile(40, 300, seed, 0).build(symmetric);
      makeConsistent(pile);
      EXPECT_LE(solve(pile, symmetric).error, backward);
    }
}

TEST(BlockFactor, takesAnyComplianceOnRedundantRows) {
  for (const double compliance : {1e-14, 1e-12, 1e-10, 1e-8, 1e-4, 1.})
    for (const bool symmetric : {true, false}) {
      SCOPED_TRACE("compliance " + std::to_string(std::log10(compliance)) + (symmetric ? "" : ", unsymmetric"));
      System s = systems::pile(20, 100, 3, compliance).build(symmetric);
      makeConsistent(s);
      EXPECT_LE(solve(s, symmetric).error, backward);
    }
}

TEST(BlockFactor, allocatesNothingOnceWarm) {
  for (const Shape& shape : shapes)
    for (const bool symmetric : {true, false}) {
      const System s = shape.make(1).build(symmetric);
      std::vector<double> x(s.b.size());
      BlockFactor f;
      f.analyze(s.a, s.kinds);
      f.factor(s.a, symmetric);
      const long before = allocations();
      f.factor(s.a, symmetric);
      f.solve(s.a, s.b, x);
      EXPECT_EQ(allocations(), before) << shape.name;
      f.analyze(s.a, s.kinds);
      EXPECT_EQ(allocations(), before) << shape.name << ", analysed again";
    }
}

TEST(BlockFactor, givesTheSameBitsForTheSameInput) {
  const System other = systems::pile(10, 40, 1).build(false);
  for (const Shape& shape : shapes)
    for (const bool symmetric : {true, false}) {
      const System s = shape.make(4).build(symmetric);
      const Solution fresh = solve(s, symmetric);
      BlockFactor used;
      std::vector<double> x(other.b.size());
      used.analyze(other.a, other.kinds);
      used.factor(other.a, false);
      used.solve(other.a, other.b, x);
      used.analyze(s.a, s.kinds);
      for (int round = 0; round < 2; ++round) {
        used.factor(s.a, symmetric);
        x.resize(s.b.size());
        used.solve(s.a, s.b, x);
        EXPECT_EQ(x, fresh.x) << shape.name;
      }
    }
}

TEST(BlockFactor, givesTheSameSolutionForAnyNumberingOfTheNodes) {
  for (const Shape& shape : shapes) {
    SCOPED_TRACE(shape.name);
    const System s = shape.make(6).build(true);
    const int n = s.a.nodes();
    std::vector<int> where(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) where[static_cast<std::size_t>(i)] = i;
    systems::Random random(1);
    for (int i = n - 1; i > 0; --i)
      std::swap(where[static_cast<std::size_t>(i)], where[static_cast<std::size_t>(random.below(i + 1))]);
    System t;
    std::vector<int> sizes(where.size());
    t.kinds.resize(where.size());
    for (int i = 0; i < n; ++i) {
      const auto to = static_cast<std::size_t>(where[static_cast<std::size_t>(i)]);
      sizes[to] = s.a.size(i);
      t.kinds[to] = s.kinds[static_cast<std::size_t>(i)];
    }
    t.a.reset(sizes);
    t.b.resize(s.b.size());
    const auto to = [&](int i) { return where[static_cast<std::size_t>(i)]; };
    for (int q = s.a.slots() - 1; q >= 0; --q) {
      const int slot = t.a.couple(to(s.a.slotRow(q)), to(s.a.slotColumn(q)));
      std::copy_n(s.a.values(q), s.a.size(s.a.slotRow(q)) * s.a.size(s.a.slotColumn(q)), t.a.values(slot));
    }
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < s.a.size(i); ++c)
        t.b[static_cast<std::size_t>(t.a.offset(to(i)) + c)] = s.b[static_cast<std::size_t>(s.a.offset(i) + c)];
    const Solution one = solve(s, true);
    const Solution two = solve(t, true);
    EXPECT_LE(two.error, backward);
    double largest = 0;
    for (const double v : one.x) largest = std::max(largest, std::fabs(v));
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < s.a.size(i); ++c)
        EXPECT_NEAR(two.x[static_cast<std::size_t>(t.a.offset(to(i)) + c)],
                    one.x[static_cast<std::size_t>(s.a.offset(i) + c)], 1e-7 * largest);
  }
}

TEST(BlockFactor, readsTheSymmetricMatrixAlsoInUnsymmetricMode) {
  for (const Shape& shape : shapes) {
    const System s = shape.make(8).build(true);
    EXPECT_LE(solve(s, false).error, backward) << shape.name;
  }
}

TEST(BlockFactor, refusesACoordinateWithoutMassAndRows) {
  Builder b(1);
  b.coordinate(3, 1);
  b.coordinate(1, 0);
  EXPECT_FALSE(solve(b.build(true), true).usable);
  EXPECT_FALSE(solve(b.build(false), false).usable);
}

TEST(BlockFactor, refusesNotANumber) {
  for (const bool symmetric : {true, false}) {
    System s = systems::chain(5, 1).build(symmetric);
    s.a.values(s.a.diagonal(4))[0] = std::numeric_limits<double>::quiet_NaN();
    const Solution r = solve(s, symmetric);
    EXPECT_FALSE(r.usable);
    EXPECT_FALSE(r.error <= 1);
  }
}

TEST(BlockFactor, givesZeroMultipliersToRowsThatTouchNothing) {
  Builder b(1);
  const int body = b.coordinate(6, 1);
  const int empty = b.row(2, {});
  b.row(3, {body});
  System s = b.build(true);
  s.b[static_cast<std::size_t>(s.a.offset(empty))] = s.b[static_cast<std::size_t>(s.a.offset(empty) + 1)] = 0;
  const Solution r = solve(s, true);
  EXPECT_TRUE(r.usable);
  EXPECT_LE(r.error, backward);
  EXPECT_EQ(r.x[static_cast<std::size_t>(s.a.offset(empty))], 0.0);
}

TEST(BlockFactor, readsNoMirrorOfASymmetricMatrix) {
  for (Builder builder : {systems::chain(40, 3), systems::cable(100, 3), systems::pile(4, 30, 3)}) {
    System s = builder.build(true);
    const Solution whole = solve(s, true);
    for (int slot = 0; slot < s.a.slots(); ++slot) {
      if (!s.a.isMirror(slot)) continue;
      const int size = s.a.size(s.a.slotRow(slot)) * s.a.size(s.a.slotColumn(slot));
      std::fill_n(s.a.values(slot), size, std::numeric_limits<double>::quiet_NaN());
    }
    EXPECT_EQ(solve(s, true).x, whole.x);
  }
}

TEST(BlockFactor, stopsRefiningWhereTheCallerIsContent) {
  const System s = systems::cable(2000, 1).build(true);
  BlockFactor f;
  f.analyze(s.a, s.kinds);
  f.factor(s.a, true);
  std::vector<double> x(s.b.size());
  f.solve(s.a, s.b, x, 1.0);
  EXPECT_EQ(f.refinements(), 0);
  const double rough = f.backwardError();
  f.solve(s.a, s.b, x);
  EXPECT_LE(f.backwardError(), std::min(rough, backward));
}

TEST(BlockFactor, acceptsAnEmptyMatrix) {
  const System s = Builder(1).build(true);
  const Solution r = solve(s, true);
  EXPECT_TRUE(r.usable);
  EXPECT_EQ(r.error, 0.0);
}

}  // namespace
}  // namespace reeve
