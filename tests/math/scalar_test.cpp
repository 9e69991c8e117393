#include "reeve/math/scalar.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace {

namespace math = reeve::math;
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double smallest = std::numeric_limits<double>::denorm_min();
constexpr double largest = std::numeric_limits<double>::max();

/// Distance in units in the last place of the reference.
double ulps(double got, long double reference) {
  const double nearest = static_cast<double>(reference);
  if (got == nearest) return 0.5;
  const double a = std::fabs(nearest);
  const double unit = a == largest ? a - std::nextafter(a, 0) : std::nextafter(a, infinity) - a;
  return static_cast<double>(std::fabs(static_cast<long double>(got) - reference) / unit);
}

/// Reproducible arguments: uniform, or uniform in the exponent with either sign.
class Arguments {
 public:
  double uniform(double a, double b) { return a + (b - a) * 0x1p-53 * static_cast<double>(generator_() >> 11); }
  double exponent(double from, double to) {
    const double size = std::exp2(uniform(from, to));
    return (generator_() & 1) ? size : -size;
  }

 private:
  std::mt19937_64 generator_{20240517};
};

constexpr int samples = 40000;
constexpr double allowed = 1.5;  // ulp

template <class Function, class Reference, class Draw>
double worst(Function function, Reference reference, Draw draw) {
  Arguments arguments;
  double most = 0;
  for (int i = 0; i < samples; ++i) {
    const double x = draw(arguments);
    const double e = ulps(function(x), reference(static_cast<long double>(x)));
    if (!(e <= most)) most = e;
  }
  return most;
}

template <class Function, class Reference, class Draw>
double worst2(Function function, Reference reference, Draw draw) {
  Arguments arguments;
  double most = 0;
  for (int i = 0; i < samples; ++i) {
    const auto [x, y] = draw(arguments);
    const double e = ulps(function(x, y), reference(static_cast<long double>(x), static_cast<long double>(y)));
    if (!(e <= most)) most = e;
  }
  return most;
}

bool sameBits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

double nearMultipleOfHalfPi(Arguments& a) {
  return static_cast<double>(std::floor(static_cast<long double>(a.uniform(1, 6e5))) * 1.57079632679489661923L);
}

TEST(Sin, AgreesWithTheLongDoubleLibraryToOneAndAHalfUlp) {
  const auto reference = [](long double x) { return sinl(x); };
  EXPECT_LE(worst(math::sin, reference, [](Arguments& a) { return a.uniform(-10, 10); }), allowed);
  EXPECT_LE(worst(math::sin, reference, [](Arguments& a) { return a.exponent(-60, 20); }), allowed);
  EXPECT_LE(worst(math::sin, reference, nearMultipleOfHalfPi), allowed);
}

TEST(Sin, StaysAccurateForArgumentsUpToTheLargestDouble) {
  const auto reference = [](long double x) { return sinl(x); };
  EXPECT_LE(worst(math::sin, reference, [](Arguments& a) { return a.exponent(20, 1023.9); }), allowed);
}

TEST(Cos, AgreesWithTheLongDoubleLibraryToOneAndAHalfUlp) {
  const auto reference = [](long double x) { return cosl(x); };
  EXPECT_LE(worst(math::cos, reference, [](Arguments& a) { return a.uniform(-10, 10); }), allowed);
  EXPECT_LE(worst(math::cos, reference, [](Arguments& a) { return a.exponent(-60, 1023.9); }), allowed);
  EXPECT_LE(worst(math::cos, reference, nearMultipleOfHalfPi), allowed);
}

TEST(SinCos, GivesTheSameBitsAsSinAndCos) {
  Arguments arguments;
  for (int i = 0; i < samples; ++i) {
    const double x = arguments.exponent(-40, 40);
    double s, c;
    math::sincos(x, s, c);
    ASSERT_TRUE(sameBits(s, math::sin(x)) && sameBits(c, math::cos(x))) << x;
  }
}

TEST(SinCos, AreOddAndEvenBitForBit) {
  Arguments arguments;
  for (int i = 0; i < samples; ++i) {
    const double x = arguments.exponent(-40, 1023);
    ASSERT_TRUE(sameBits(math::sin(-x), -math::sin(x)) && sameBits(math::cos(-x), math::cos(x))) << x;
  }
}

TEST(Trigonometry, KeepsTheSignOfZeroAndRefusesInfinity) {
  EXPECT_TRUE(sameBits(math::sin(-0.0), -0.0));
  EXPECT_TRUE(sameBits(math::tan(-0.0), -0.0));
  EXPECT_EQ(math::cos(0), 1);
  for (const double x : {infinity, -infinity, nan}) {
    EXPECT_TRUE(sameBits(math::sin(x), nan));
    EXPECT_TRUE(sameBits(math::cos(x), nan));
    EXPECT_TRUE(sameBits(math::tan(x), nan));
  }
}

TEST(Tan, AgreesWithTheLongDoubleLibraryToOneAndAHalfUlp) {
  const auto reference = [](long double x) { return tanl(x); };
  EXPECT_LE(worst(math::tan, reference, [](Arguments& a) { return a.exponent(-60, 20); }), allowed);
  EXPECT_LE(worst(math::tan, reference, nearMultipleOfHalfPi), allowed);
}

TEST(Asin, AgreesWithTheLongDoubleLibraryToOneAndAHalfUlp) {
  const auto reference = [](long double x) { return asinl(x); };
  EXPECT_LE(worst(math::asin, reference, [](Arguments& a) { return a.uniform(-1, 1); }), allowed);
  EXPECT_LE(worst(math::asin, reference, [](Arguments& a) { return 1 - std::fabs(a.exponent(-53, -1)); }), allowed);
  EXPECT_LE(worst(math::asin, reference, [](Arguments& a) { return a.exponent(-60, 0); }), allowed);
}

TEST(Acos, AgreesWithTheLongDoubleLibraryToOneAndAHalfUlp) {
  const auto reference = [](long double x) { return acosl(x); };
  EXPECT_LE(worst(math::acos, reference, [](Arguments& a) { return a.uniform(-1, 1); }), allowed);
  EXPECT_LE(worst(math::acos, reference, [](Arguments& a) { return 1 - std::fabs(a.exponent(-53, -1)); }), allowed);
  EXPECT_LE(worst(math::acos, reference, [](Arguments& a) { return std::fabs(a.exponent(-53, -1)) - 1; }), allowed);
}

TEST(Acos, IsExactAtTheEndsAndNanBeyond) {
  EXPECT_EQ(math::acos(1), 0);
  EXPECT_EQ(math::acos(-1), math::pi);
  EXPECT_EQ(math::asin(1), math::pi / 2);
  EXPECT_TRUE(sameBits(math::asin(-0.0), -0.0));
  for (const double x : {1.0000000000000002, -1.0000000000000002, infinity, nan}) {
    EXPECT_TRUE(sameBits(math::acos(x), nan));
    EXPECT_TRUE(sameBits(math::asin(x), nan));
  }
}

TEST(Atan, AgreesWithTheLongDoubleLibraryToOneAndAHalfUlp) {
  const auto reference = [](long double x) { return atanl(x); };
  EXPECT_LE(worst(math::atan, reference, [](Arguments& a) { return a.uniform(-3, 3); }), allowed);
  EXPECT_LE(worst(math::atan, reference, [](Arguments& a) { return a.exponent(-1060, 1023); }), allowed);
}

TEST(Atan2, AgreesWithTheLongDoubleLibraryToOneAndAHalfUlpInEveryQuadrant) {
  const auto reference = [](long double y, long double x) { return atan2l(y, x); };
  const auto drawFrom = [](double from, double to) {
    return [=](Arguments& a) { return std::pair{a.exponent(from, to), a.exponent(from, to)}; };
  };
  EXPECT_LE(worst2(math::atan2, reference, drawFrom(-5, 5)), allowed);
  EXPECT_LE(worst2(math::atan2, reference, drawFrom(-500, 500)), allowed);
  EXPECT_LE(worst2(math::atan2, reference, drawFrom(1015, 1023.9)), allowed);
  EXPECT_LE(worst2(math::atan2, reference, drawFrom(-1060, -1010)), allowed);
}

TEST(Atan2, GivesTheStandardValuesAtZerosAndInfinities) {
  const double values[] = {-infinity, -2.0, -0.0, 0.0, 2.0, infinity};
  for (const double y : values)
    for (const double x : values) EXPECT_TRUE(sameBits(math::atan2(y, x), std::atan2(y, x))) << y << ' ' << x;
  EXPECT_TRUE(sameBits(math::atan2(nan, 1), nan));
  EXPECT_TRUE(sameBits(math::atan2(1, nan), nan));
  EXPECT_EQ(math::atan(infinity), math::pi / 2);
  EXPECT_TRUE(sameBits(math::atan(-0.0), -0.0));
}

TEST(Exp, AgreesWithTheLongDoubleLibraryToOneAndAHalfUlpSubnormalsIncluded) {
  const auto reference = [](long double x) { return expl(x); };
  EXPECT_LE(worst(math::exp, reference, [](Arguments& a) { return a.uniform(-1, 1); }), allowed);
  EXPECT_LE(worst(math::exp, reference, [](Arguments& a) { return a.uniform(-745, 709.78); }), allowed);
  EXPECT_LE(worst(math::exp, reference, [](Arguments& a) { return a.exponent(-60, 0); }), allowed);
}

TEST(Exp, GoesToZeroAndInfinityAtTheEndsOfTheRange) {
  EXPECT_EQ(math::exp(0), 1);
  EXPECT_EQ(math::exp(-0.0), 1);
  EXPECT_EQ(math::exp(709.783), infinity);
  EXPECT_EQ(math::exp(709.782712893384), std::exp(709.782712893384));
  EXPECT_EQ(math::exp(-745.133), smallest);
  EXPECT_EQ(math::exp(-745.14), 0);
  EXPECT_EQ(math::exp(infinity), infinity);
  EXPECT_EQ(math::exp(-infinity), 0);
  EXPECT_TRUE(sameBits(math::exp(-nan), nan));
}

TEST(Log, AgreesWithTheLongDoubleLibraryToOneAndAHalfUlp) {
  const auto reference = [](long double x) { return logl(x); };
  EXPECT_LE(worst(math::log, reference, [](Arguments& a) { return a.uniform(0.5, 2); }), allowed);
  EXPECT_LE(worst(math::log, reference, [](Arguments& a) { return 1 + a.exponent(-53, -2); }), allowed);
  EXPECT_LE(worst(math::log, reference, [](Arguments& a) { return std::fabs(a.exponent(-1074, 1023.9)); }), allowed);
}

TEST(Log, GivesTheStandardValuesAtZeroOneAndBelow) {
  EXPECT_TRUE(sameBits(math::log(1), 0.0));
  EXPECT_EQ(math::log(0), -infinity);
  EXPECT_EQ(math::log(-0.0), -infinity);
  EXPECT_EQ(math::log(infinity), infinity);
  for (const double x : {-1.0, -smallest, -infinity, nan}) EXPECT_TRUE(sameBits(math::log(x), nan));
}

TEST(Pow, AgreesWithTheLongDoubleLibraryToOneAndAHalfUlp) {
  const auto reference = [](long double x, long double y) { return powl(x, y); };
  EXPECT_LE(worst2(math::pow, reference,
                   [](Arguments& a) {
                     return std::pair{a.uniform(0, 10), a.uniform(-10, 10)};
                   }),
            allowed);
  EXPECT_LE(worst2(math::pow, reference,
                   [](Arguments& a) {
                     const double x = std::fabs(a.exponent(-300, 300));
                     return std::pair{x, a.uniform(-700, 700) / std::log(x)};
                   }),
            allowed);
  EXPECT_LE(worst2(math::pow, reference,
                   [](Arguments& a) {
                     const double x = 1 + a.exponent(-40, -2);
                     return std::pair{x, a.uniform(-700, 700) / std::log(x)};
                   }),
            allowed);
}

TEST(Pow, IsExactForSmallIntegerPowers) {
  EXPECT_EQ(math::pow(3, 4), 81);
  EXPECT_EQ(math::pow(-3, 3), -27);
  EXPECT_EQ(math::pow(2, -1074), smallest);
  EXPECT_EQ(math::pow(2, 1023), 0x1p1023);
  EXPECT_EQ(math::pow(10, 22), 1e22);
}

TEST(Pow, GivesTheStandardValuesAtEveryEdge) {
  const double values[] = {-infinity, -largest, -3.0, -2.5, -1.0, -0.5,   -smallest, -0.0,     0.0, smallest,
                           0.5,       1.0,      2.0,  2.5,  3.0,  0x1p53, 1e300,     infinity, nan};
  for (const double x : values) {
    for (const double y : values) {
      const double expected = std::pow(x, y), got = math::pow(x, y);
      if (std::isnan(expected)) {
        EXPECT_TRUE(sameBits(got, nan)) << x << ' ' << y;
      } else if (expected == 0 || std::isinf(expected)) {
        EXPECT_TRUE(sameBits(got, expected)) << x << ' ' << y << " gave " << got;
      } else {
        EXPECT_LE(ulps(got, expected), allowed) << x << ' ' << y;
      }
    }
  }
}

TEST(Hypot, AgreesWithTheLongDoubleLibraryToOneAndAHalfUlpWithoutOverflow) {
  const auto reference = [](long double x, long double y) { return hypotl(x, y); };
  EXPECT_LE(worst2(math::hypot, reference,
                   [](Arguments& a) {
                     return std::pair{a.uniform(-3, 3), a.uniform(-3, 3)};
                   }),
            allowed);
  EXPECT_LE(worst2(math::hypot, reference,
                   [](Arguments& a) {
                     const double x = a.exponent(-1060, 990);
                     return std::pair{x, x * a.exponent(-30, 30)};
                   }),
            allowed);
  EXPECT_EQ(math::hypot(3e300, 4e300), 5e300);
  EXPECT_EQ(math::hypot(3 * smallest, 4 * smallest), 5 * smallest);
  EXPECT_EQ(math::hypot(largest, largest), infinity);
}

TEST(Hypot, IsInfiniteIfEitherSideIsEvenBesideNan) {
  EXPECT_EQ(math::hypot(infinity, nan), infinity);
  EXPECT_EQ(math::hypot(nan, -infinity), infinity);
  EXPECT_TRUE(sameBits(math::hypot(nan, 1), nan));
  EXPECT_EQ(math::hypot(0, 0), 0);
  EXPECT_EQ(math::hypot(-2, 0), 2);
}

}  // namespace
