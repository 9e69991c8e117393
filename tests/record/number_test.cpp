#include "reeve/record/number.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

namespace reeve::record {
namespace {

TEST(Number, shortestTextReadsBackToTheSameBitsForManyPatterns) {
  std::uint64_t bits = 0x2545F4914F6CDD1D;
  for (int i = 0; i < 100000; ++i) {
    bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
    const double value = std::bit_cast<double>(bits);
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(std::strtod(shortest(value).c_str(), nullptr)), bits) << shortest(value);
  }
}

TEST(Number, shortestTextIsShort) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(-2.0), "-2");
  EXPECT_EQ(shortest(std::nan("")), "nan");
  EXPECT_EQ(shortest(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Number, roundedAgreesWithTheDecimalExpansionForAnySizeAndNumberOfDecimals) {
  double value = 0.123456789;
  for (int i = 0; i < 4000; ++i) {
    value = std::fmod(value * 7919.0 + 0.31, 1.0);
    const double number = (i % 2 ? -1.0 : 1.0) * value * std::pow(10.0, i % 9 - 3);
    for (int decimals = 0; decimals < 9; ++decimals) {
      std::array<char, 64> text{};
      std::snprintf(text.data(), text.size(), "%.*f", decimals, number);
      std::string exact = text.data();
      if (decimals > 0) {
        while (exact.back() == '0') exact.pop_back();
        if (exact.back() == '.') exact.pop_back();
      }
      if (exact == "-0") exact = "0";
      EXPECT_EQ(rounded(number, decimals), exact);
    }
  }
  EXPECT_EQ(rounded(0.125, 2), "0.12");  // a tie goes to the even digit
}

TEST(Number, roundedDropsTrailingZerosAndMinusZero) {
  EXPECT_EQ(rounded(1.5, 3), "1.5");
  EXPECT_EQ(rounded(-0.0001, 2), "0");
  EXPECT_EQ(rounded(100.0, 2), "100");
}

TEST(Number, readableKeepsFiveDigitsAndLeavesFarNumbersTheirExponent) {
  EXPECT_EQ(readable(9.80667), "9.8067");
  EXPECT_EQ(readable(12345.678), "12346");
  EXPECT_EQ(readable(1.5e-9), "1.5e-09");
  EXPECT_EQ(readable(0.0), "0");
}

TEST(Number, engineeringTakesTheNearestPrefix) {
  EXPECT_EQ(engineering(12300, "N"), "12.3 kN");
  EXPECT_EQ(engineering(0.5, "m"), "500 mm");
  EXPECT_EQ(engineering(0.0, "N"), "0 N");
  EXPECT_EQ(engineering(1500, "rad/s"), "1500 rad/s");
}

TEST(Number, ticksAreRoundAndInside) {
  const Ticks ticks = niceTicks(-0.13, 1.07, 6);
  EXPECT_DOUBLE_EQ(ticks.step, 0.2);
  EXPECT_EQ(ticks.decimals, 1);
  ASSERT_EQ(ticks.at.size(), 6u);
  EXPECT_NEAR(ticks.at.front(), 0.0, 1e-12);
  EXPECT_NEAR(ticks.at.back(), 1.0, 1e-12);
}

TEST(Number, ticksOfNonsenseAreNone) {
  EXPECT_TRUE(niceTicks(1, 1, 5).at.empty());
  EXPECT_TRUE(niceTicks(std::nan(""), 1, 5).at.empty());
  EXPECT_TRUE(niceTicks(-std::numeric_limits<double>::infinity(), 1, 5).at.empty());
  // Far from zero the step is below the resolution of a double: still a bounded list.
  EXPECT_LE(niceTicks(1e15, 1e15 + 0.25, 5).at.size(), 64u);
}

TEST(Number, niceBoundsAreTightToAFactor) {
  EXPECT_DOUBLE_EQ(niceFloor(130.0), 100.0);
  EXPECT_DOUBLE_EQ(niceFloor(0.049), 0.02);
  EXPECT_DOUBLE_EQ(niceCeil(11200.0), 12000.0);
  EXPECT_EQ(niceFloor(-1.0), 0.0);
}

}  // namespace
}  // namespace reeve::record
