#include "reeve/scene/units.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reeve/math/scalar.h"
#include "reeve/scene/nearest.h"

namespace {

using namespace reeve;
using namespace reeve::scene;

struct Case {
  const char* text;
  double value;
  const Dimension& measures;
};

TEST(Units, everyUnitAndPrefixGivesItsSiValue) {
  namespace d = dimension;
  const double pi = math::pi;
  const Case cases[] = {
      {"20 cm", 0.2, d::length},
      {"35 mm", 0.035, d::length},
      {"3 km", 3000, d::length},
      {"5 um", 5e-6, d::length},
      {"5 µm", 5e-6, d::length},
      {"7 nm", 7e-9, d::length},
      {"1 in", 0.0254, d::length},
      {"10 ft", 3.048, d::length},
      {"-2m", -2, d::length},
      {"5 g", 0.005, d::mass},
      {"5 kg", 5, d::mass},
      {"2 t", 2000, d::mass},
      {"1 lb", 0.45359237, d::mass},
      {"3 mg", 3e-6, d::mass},
      {"1/240 s", 1.0 / 240, d::time},
      {"1/240", 1.0 / 240, d::time},
      {"5 ms", 0.005, d::time},
      {"2 min", 120, d::time},
      {"1 h", 3600, d::time},
      {"90 deg", pi / 2, d::angle},
      {"90°", pi / 2, d::angle},
      {"1 rev", 2 * pi, d::angle},
      {"5 mrad", 0.005, d::angle},
      {"36 km/h", 10, d::velocity},
      {"1500 rpm", 50 * pi, d::angularVelocity},
      {"180 deg/s", pi, d::angularVelocity},
      {"3 1/s", 3, d::angularVelocity},
      {"9.81 m/s^2", 9.81, d::acceleration},
      {"9.81 m/s²", 9.81, d::acceleration},
      {"9.81 m/s2", 9.81, d::acceleration},
      {"9.81 m s^-2", 9.81, d::acceleration},
      {"50 Hz", 50, d::frequency},
      {"2 kHz", 2000, d::frequency},
      {"3/s", 3, d::frequency},
      {"3 kN", 3000, d::force},
      {"2 MN", 2e6, d::force},
      {"1 kgf", 9.80665, d::force},
      {"1 lbf", 4.4482216152605, d::force},
      {"5 kg m/s^2", 5, d::force},
      {"200 GPa mm^2", 200000, d::force},
      {"5 N m", 5, d::torque},
      {"5 Nm", 5, d::torque},
      {"5 kN·m", 5000, d::torque},
      {"5 N*m", 5, d::torque},
      {"5 N cm", 0.05, d::torque},
      {"2 J", 2, d::torque},
      {"1 kg m^2", 1, d::inertia},
      {"1 g cm^2", 1e-7, d::inertia},
      {"7.85 g/cm^3", 7850, d::density},
      {"5 g/m", 0.005, d::massPerLength},
      {"2 N/mm", 2000, d::stiffness},
      {"3 N m/rad", 3, d::angularStiffness},
      {"pi", 0, d::none},
      {"1 mm/kN", 1e-6, d::compliance},
      {"2 rad/(N m)", 2, d::angularCompliance},
      {"4 N s/m", 4, d::damping},
      {"4 N m s/rad", 4, d::angularDamping},
      {"4 N m s", 4, d::angularDamping},
      {"1 N m/deg", 180 / pi, d::angularStiffness},
      {"1e3 N m²", 1000, d::flexuralRigidity},
      {"3/4", 0.75, d::none},
      {" 5 kg ", 5, d::mass},
      {"2 W s", 2, d::torque},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto quantity = readQuantity(c.text);
    if (std::string(c.text) == "pi") {
      EXPECT_FALSE(quantity.has_value());
      continue;
    }
    ASSERT_TRUE(quantity.has_value()) << quantity.error().reason;
    EXPECT_DOUBLE_EQ(quantity->value, c.value);
    EXPECT_TRUE(!quantity->hasUnit || fits(quantity->powers, c.measures.powers));
  }
}

TEST(Units, decimalUnitsGiveTheSameDoubleAsTheDecimalNumber) {
  EXPECT_EQ(readQuantity("35 mm")->value, 0.035);
  EXPECT_EQ(readQuantity("20 cm")->value, 0.2);
  EXPECT_EQ(readQuantity("7 g/m")->value, 0.007);
  EXPECT_EQ(readQuantity("1/240 s")->value, 1.0 / 240.0);
}

TEST(Units, hertzAreNotRadiansPerSecondAndDegreesAreNoLength) {
  EXPECT_FALSE(fits(readQuantity("5 Hz")->powers, dimension::angularVelocity.powers));
  EXPECT_FALSE(fits(readQuantity("5 rad/s")->powers, dimension::frequency.powers));
  EXPECT_FALSE(fits(readQuantity("5 deg")->powers, dimension::length.powers));
  EXPECT_FALSE(fits(readQuantity("5 deg")->powers, dimension::none.powers));
  EXPECT_FALSE(fits(readQuantity("5 N")->powers, dimension::torque.powers));
}

TEST(Units, infinityIsAWordAndNothingElseIs) {
  EXPECT_TRUE(std::isinf(readQuantity("inf")->value));
  EXPECT_LT(readQuantity("-inf")->value, 0.0);
  for (const char* text :
       {"",        " ",     "m",          "infinity", "nan",      "0x10",  "1e",      "1 m/",     "1 m/s/s",
        "1 N/m s", "1 (m)", "1 rad/(N m", "1 m^",     "1 m^0",    "1 m^x", "1e400 m", "1e308 Gm", "1/0",
        "--1",     "1,5 m", "1 2",        "1 kkg",    "1 mm mmm", "1 /",   "5 kdeg",  "1 m)"})
    EXPECT_FALSE(readQuantity(text).has_value()) << text;
}

TEST(Nearest, editsCountInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(editDistance("radius", "radius"), 0);
  EXPECT_EQ(editDistance("raduis", "radius"), 1);
  EXPECT_EQ(editDistance("radus", "radius"), 1);
  EXPECT_EQ(editDistance("", "abc"), 3);
  EXPECT_EQ(editDistance("Radius", "radius"), 0);
}

TEST(Nearest, aWordFarFromAllHasNoNearest) {
  const std::string_view words[] = {"radius", "length", "size"};
  EXPECT_EQ(nearest("raduis", words), "radius");
  EXPECT_EQ(nearest("len", words), "length");
  EXPECT_EQ(nearest("xyzzy", words), "");
  EXPECT_EQ(nearest(std::string(1000, 'a'), words), "");
}

}  // namespace
