#include "reeve/linear/block_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "dense.h"
#include "systems.h"

namespace reeve {
namespace {

TEST(BlockMatrix, couplesBothBlocksOfAPairAndFindsThemAgain) {
  BlockMatrix a;
  a.reset(std::vector<int>{3, 1, 6});
  EXPECT_EQ(a.rows(), 10);
  EXPECT_EQ(a.offset(2), 4);
  EXPECT_EQ(a.find(0, 2), -1);
  const int lower = a.couple(2, 0);
  const int upper = a.find(0, 2);
  EXPECT_NE(lower, upper);
  EXPECT_EQ(a.couple(0, 2), upper);
  EXPECT_EQ(a.slotRow(lower), 2);
  EXPECT_EQ(a.slotColumn(lower), 0);
  EXPECT_EQ(a.couple(1, 1), a.diagonal(1));
  EXPECT_EQ(a.slots(), 5);
}

TEST(BlockMatrix, findsEveryOneOf20000PairsOnOneHub) {
  BlockMatrix a;
  a.reset(std::vector<int>(20001, 1));
  std::vector<int> slots;
  for (int i = 1; i <= 20000; ++i) slots.push_back(a.couple(i, 0));
  for (int i = 1; i <= 20000; ++i) ASSERT_EQ(a.find(i, 0), slots[static_cast<std::size_t>(i - 1)]);
  EXPECT_EQ(a.find(7, 8), -1);
}

TEST(BlockMatrix, startsEveryPatternWithZeros) {
  BlockMatrix a;
  for (int round = 0; round < 2; ++round) {
    a.reset(std::vector<int>{2, 2});
    const int slot = a.couple(0, 1);
    for (int k = 0; k < 4; ++k) {
      EXPECT_EQ(a.values(slot)[k], 0.0);
      a.values(slot)[k] = 1;
      a.values(0)[k] = 1;
    }
  }
  a.setZero();
  EXPECT_EQ(a.values(0)[3], 0.0);
}

TEST(BlockMatrix, multipliesLikeADenseMatrix) {
  systems::Builder b(3);
  std::vector<int> nodes;
  for (int size = 1; size <= 8; ++size) nodes.push_back(b.coordinate(size, 1));
  for (int size = 1; size <= 8; ++size) b.row(size, nodes);
  const systems::System s = b.build(false);
  const Eigen::MatrixXd dense = toDense(s.a);
  const Eigen::VectorXd x = Eigen::Map<const Eigen::VectorXd>(s.b.data(), s.a.rows());
  std::vector<double> y(s.b.size()), bound(s.b.size()), onlyY(s.b.size()), onlyBound(s.b.size());
  s.a.multiply(s.b, y, bound);
  s.a.multiply(s.b, onlyY, {});
  s.a.multiply(s.b, {}, onlyBound);
  EXPECT_EQ(y, onlyY);
  EXPECT_EQ(bound, onlyBound);
  const Eigen::VectorXd expected = dense * x;
  const Eigen::VectorXd expectedBound = dense.cwiseAbs() * x.cwiseAbs();
  for (int i = 0; i < s.a.rows(); ++i) {
    EXPECT_NEAR(y[static_cast<std::size_t>(i)], expected[i], 1e-14 * expectedBound[i]);
    EXPECT_NEAR(bound[static_cast<std::size_t>(i)], expectedBound[i], 1e-14 * expectedBound[i]);
  }
}

TEST(BlockMatrix, multipliesASymmetricMatrixFromOneOfEachMirroredPair) {
  systems::Builder b(5);
  std::vector<int> nodes;
  for (int size = 1; size <= 8; ++size) nodes.push_back(b.coordinate(size, 1));
  for (int size = 1; size <= 8; ++size) b.row(size, nodes);
  const systems::System s = b.build(true);
  const Eigen::MatrixXd dense = toDense(s.a);
  ASSERT_LT((dense - dense.transpose()).cwiseAbs().maxCoeff(), 1e-15);
  std::vector<double> y(s.b.size()), bound(s.b.size()), all(s.b.size()), allBound(s.b.size());
  s.a.multiply(s.b, all, allBound);
  s.a.multiplySymmetric(s.b, y, bound);
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(y[i], all[i], 1e-14 * allBound[i]);
    EXPECT_NEAR(bound[i], allBound[i], 1e-14 * allBound[i]);
  }
}

}  // namespace
}  // namespace reeve
