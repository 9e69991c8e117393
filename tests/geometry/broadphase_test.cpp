#include "reeve/geometry/broadphase.h"

#include <gtest/gtest.h>

#include <limits>

#include "collide_random.h"

namespace reeve::collide_test {
namespace {

constexpr double inf = std::numeric_limits<double>::infinity();

std::vector<CandidatePair> bruteForce(std::span<const BroadphaseBox> boxes) {
  std::vector<CandidatePair> pairs;
  for (int i = 0; i < static_cast<int>(boxes.size()); ++i)
    for (int k = i + 1; k < static_cast<int>(boxes.size()); ++k) {
      const BroadphaseBox &a = boxes[i], &b = boxes[k];
      const bool filters = (a.group & b.mask) && (b.group & a.mask) && (a.owner < 0 || a.owner != b.owner);
      const bool valid =
          (a.box.lower.array() <= a.box.upper.array()).all() && (b.box.lower.array() <= b.box.upper.array()).all();
      if (filters && valid && a.box.overlaps(b.box)) pairs.push_back({i, k});
    }
  return pairs;
}

/// Mostly small boxes, some huge, some infinite, some broken, some identical.
std::vector<BroadphaseBox> mixed(Random& random, int n) {
  std::vector<BroadphaseBox> boxes(n);
  for (int i = 0; i < n; ++i) {
    const Vec3 c = random.vector(4), h = Vec3::Constant(i % 37 == 0 ? 5.0 : 0.3) + random.vector(0.1);
    boxes[i].box = {c - h, c + h};
    boxes[i].group = 1u << (i % 3);
    boxes[i].mask = i % 5 == 0 ? 0x3u : 0x7u;
    boxes[i].owner = i % 4 == 0 ? i / 8 : -1;
    if (i % 101 == 7) boxes[i].box = {Vec3::Constant(-inf), Vec3(inf, inf, 0)};
    if (i % 61 == 9) boxes[i].box.lower.x() = std::nan("");
    if (i % 61 == 10) boxes[i].box.lower.x() = boxes[i].box.upper.x() + 1;
    if (i % 53 == 11 && i > 0) boxes[i].box = boxes[i - 1].box;
  }
  return boxes;
}

TEST(Broadphase, FindsExactlyThePairsOfBruteForceInOrderWhileBoxesMove) {
  Random random(21);
  Broadphase broadphase;
  for (int round = 0; round < 60; ++round) {
    // Sizes change now and then; in between the tree is refitted.
    static std::vector<BroadphaseBox> boxes;
    if (round % 10 == 0) boxes = mixed(random, 50 + 40 * (round / 10));
    for (BroadphaseBox& b : boxes) {
      const Vec3 step = random.vector(0.2);
      b.box.lower += step;
      b.box.upper += step;
    }
    const auto found = broadphase.update(boxes);
    const auto expected = bruteForce(boxes);
    ASSERT_EQ(std::vector<CandidatePair>(found.begin(), found.end()), expected) << round;
  }
}

TEST(Broadphase, ResultDoesNotDependOnHistory) {
  Random random(22);
  Broadphase warm;
  for (int i = 0; i < 5; ++i) warm.update(mixed(random, 300));
  const auto boxes = mixed(random, 300);
  Broadphase fresh;
  const auto a = warm.update(boxes), b = fresh.update(boxes);
  EXPECT_EQ(std::vector<CandidatePair>(a.begin(), a.end()), std::vector<CandidatePair>(b.begin(), b.end()));
}

TEST(Broadphase, TouchingBoxesArePairsAndNothingIsNothing) {
  Broadphase broadphase;
  EXPECT_TRUE(broadphase.update({}).empty());
  std::vector<BroadphaseBox> boxes(2);
  boxes[0].box = {Vec3::Zero(), Vec3::Ones()};
  boxes[1].box = {Vec3(1, 0, 0), Vec3(2, 1, 1)};
  EXPECT_EQ(broadphase.update(boxes).size(), 1u);
  boxes[1].box.lower.x() = 1 + 1e-15;
  EXPECT_TRUE(broadphase.update(boxes).empty());
}

TEST(Broadphase, AHundredThousandCoincidentCentresAndALineDoNotDegrade) {
  // Identical centres on one axis: the split falls back to the index, so the tree stays balanced.
  constexpr int n = 100000;
  std::vector<BroadphaseBox> boxes(n);
  for (int i = 0; i < n; ++i) boxes[i].box = {Vec3(2.0 * i, 0, 0), Vec3(2.0 * i + 1, 1, 1)};
  boxes[0].box = {Vec3(-1, -1, -1), Vec3(3.0 * n, 0.5, 0.5)};
  Broadphase broadphase;
  EXPECT_EQ(broadphase.update(boxes).size(), static_cast<std::size_t>(n - 1));
}

}  // namespace
}  // namespace reeve::collide_test
