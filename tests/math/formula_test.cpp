// Formulas: read as people write them, with derivatives that are those of the value.
#include "reeve/math/formula.h"

#include <gtest/gtest.h>

#include <cmath>

namespace reeve::test {
namespace {

double value(const char* text, double u = 0.0, double v = 0.0) {
  const auto f = math::Formula::parse(text);
  if (!f) return NAN;
  return f->at(u, v).f;
}

TEST(Formula, IsReadAsPeopleWriteIt) {
  EXPECT_EQ(value("1 + 2*3"), 7.0);
  EXPECT_EQ(value("2^3^2"), 512.0);
  EXPECT_EQ(value("-2^2"), -4.0);
  EXPECT_EQ(value("(-2)^3"), -8.0);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("8/4/2"), 1.0);
  EXPECT_EQ(value("5 - 3 - 1"), 1.0);
  EXPECT_EQ(value("--u", 0.25), 0.25);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("0.1"), 0.1);
  EXPECT_EQ(value("1.25e-3"), 1.25e-3);
  EXPECT_EQ(value("123456.789"), 123456.789);
  EXPECT_EQ(value("3.5E+2"), 350.0);
  EXPECT_NEAR(value("cos(pi)"), -1.0, 1e-15);
  EXPECT_NEAR(value("sqrt(u^2 + v^2)", 3.0, 4.0), 5.0, 1e-15);
  EXPECT_NEAR(value("u^v", 2.0, 0.5), std::sqrt(2.0), 1e-15);
  EXPECT_NEAR(value("atan(tan(u))*exp(log(v))", 0.3, 0.7), 0.21, 1e-15);
  EXPECT_NEAR(value("asin(sin(u)) + acos(cos(v))", 0.3, 0.7), 1.0, 1e-15);
}

TEST(Formula, ErrorsSayWhere) {
  const auto error = [](const std::string& text) {
    const auto f = math::Formula::parse(text);
    return f ? std::string() : std::to_string(f.error().column) + ": " + f.error().reason;
  };
  EXPECT_EQ(error(""), "1: it ends where a number, u, v or a parenthesis is expected");
  EXPECT_EQ(error("0.1*sine(u)"), "5: 'sine' is not known");
  EXPECT_EQ(error("2u"), "2: 'u' does not fit here");
  EXPECT_EQ(error("(u + 1"), "7: ')' is missing");
  EXPECT_EQ(error("sin u"), "5: '(' is missing after sin");
  EXPECT_EQ(error("1 +* 2"), "4: '*' does not fit here");
  EXPECT_EQ(error("1e"), "2: 'e' does not fit here");
  EXPECT_EQ(error("1e+"), "2: an exponent has digits");
  EXPECT_EQ(error("1e999"), "6: the number is too large");
  EXPECT_NE(error(std::string(5000, '(')), "");
  EXPECT_NE(error(std::string(5000, '-') + "u"), "");
  std::string many = "u";
  for (int k = 0; k < 40; ++k) many = "u^(1+" + many + ")";
  EXPECT_NE(error(many), "");
}

TEST(Formula, DerivativesAgreeWithFiniteDifferences) {
  const char* texts[] = {"u*v + u/v",
                         "sin(u)*cos(v) - tan(u*v)",
                         "exp(u - v^2)/(1 + u^2)",
                         "sqrt(u + 2*v)*log(3*u)",
                         "u^v",
                         "(u - v)^3 - u^-2",
                         "asin(u/2) + acos(v/3) + atan(u*v)",
                         "u^2.5 + 2^v"};
  for (const char* text : texts) {
    const auto f = math::Formula::parse(text);
    ASSERT_TRUE(f) << text;
    constexpr double u = 0.7, v = 0.9, h = 1e-5;
    const math::Jet j = f->at(u, v), up = f->at(u + h, v), um = f->at(u - h, v), vp = f->at(u, v + h),
                    vm = f->at(u, v - h);
    EXPECT_NEAR(j.u, (up.f - um.f) / (2 * h), 1e-8) << text;
    EXPECT_NEAR(j.v, (vp.f - vm.f) / (2 * h), 1e-8) << text;
    EXPECT_NEAR(j.uu, (up.u - um.u) / (2 * h), 2e-7) << text;
    EXPECT_NEAR(j.uv, (vp.u - vm.u) / (2 * h), 2e-7) << text;
    EXPECT_NEAR(j.uv, (up.v - um.v) / (2 * h), 2e-7) << text;
    EXPECT_NEAR(j.vv, (vp.v - vm.v) / (2 * h), 2e-7) << text;
  }
}

TEST(Formula, KnowsWhetherItHasASecondParameter) {
  EXPECT_FALSE(math::Formula::parse("u + 1")->usesV());
  EXPECT_TRUE(math::Formula::parse("u + 0*v")->usesV());
}

}  // namespace
}  // namespace reeve::test
