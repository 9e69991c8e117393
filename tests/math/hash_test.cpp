#include "reeve/math/hash.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <vector>

namespace {

using reeve::math::Hasher;

template <class... Values>
std::uint64_t hashOf(const Values&... values) {
  Hasher h;
  (h.add(values), ...);
  return h.value();
}

TEST(Hasher, FollowsItsSpecificationByHand) {
  // Two words, 1 and 2.5, then the count 2.
  std::uint64_t h = 0x243F6A8885A308D3u;
  for (const std::uint64_t w : {std::uint64_t{1}, std::uint64_t{0x4004000000000000u}, std::uint64_t{2}}) {
    h = (h ^ w) * 0x9E3779B97F4A7C15u;
    h ^= h >> 32;
  }
  EXPECT_EQ(hashOf(std::int64_t{1}, 2.5), h ^ (h >> 29));
}

TEST(Hasher, NeverChangesBetweenVersions) {
  const std::vector<double> values = {1.0, -0.0, 1e-310, std::numeric_limits<double>::infinity()};
  Hasher h;
  h.add(std::int64_t{-7});
  h.add(std::string_view("sheave at 3 m"));
  h.add(std::span<const double>(values));
  EXPECT_EQ(reeve::math::hex(h.value()), "ae7fc9f5e8f304bc");
}

TEST(Hasher, SeesEveryBitOfADouble) {
  EXPECT_NE(hashOf(0.0), hashOf(-0.0));
  EXPECT_NE(hashOf(1.0), hashOf(std::nextafter(1.0, 2.0)));
}

TEST(Hasher, TakesEveryNanForTheSame) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(hashOf(nan), hashOf(-nan));
}

TEST(Hasher, SeesTheOrderAndTheBordersOfWhatIsAdded) {
  EXPECT_NE(hashOf(1.0, 2.0), hashOf(2.0, 1.0));
  EXPECT_NE(hashOf("ab", "c"), hashOf("a", "bc"));
  EXPECT_NE(hashOf(""), hashOf());
  EXPECT_NE(hashOf(std::int64_t{0}), hashOf(std::int64_t{0}, std::int64_t{0}));
}

TEST(Hasher, HasNoCollisionAmongAHundredThousandSmallInputs) {
  std::set<std::uint64_t> seen;
  for (std::int64_t i = 0; i < 100000; ++i) seen.insert(hashOf(i, 0.5 * static_cast<double>(i % 7)));
  EXPECT_EQ(seen.size(), 100000u);
}

TEST(Hex, WritesSixteenDigits) {
  EXPECT_EQ(reeve::math::hex(0), "0000000000000000");
  EXPECT_EQ(reeve::math::hex(0x0123456789ABCDEFu), "0123456789abcdef");
}

}  // namespace
