#pragma once
// Quantities with units: "20 cm", "3 kN", "1500 rpm", "1/240 s". What has no unit is SI.
#include <expected>
#include <optional>
#include <string>
#include <string_view>

namespace reeve::scene {

/// Exponents of the base units. A cycle is apart from a radian so that "5 Hz" is never taken for 5 rad/s.
struct Powers {
  int kg = 0, m = 0, s = 0, rad = 0, cycle = 0;
  bool operator==(const Powers&) const = default;
};

/// What a number measures.
struct Dimension {
  std::string_view name;   ///< "length"
  std::string_view unit;   ///< SI, "m"
  std::string_view units;  ///< that people would write, "mm, cm, m"
  Powers powers;
  /// What depends on its surroundings: a joint's coordinate turns or slides, a profile takes the dimension of what it
  /// drives. See Surroundings in form.h.
  const Dimension* turning = nullptr;
  const Dimension* sliding = nullptr;
  enum class Of : unsigned char { itself, anything, profile, profileRate } of = Of::itself;
};

namespace dimension {
// clang-format off
inline constexpr Dimension none{"plain number", "", "", {}};
inline constexpr Dimension length{"length", "m", "mm, cm, m, km, in, ft", {.m = 1}};
inline constexpr Dimension area{"area", "m^2", "mm^2, cm^2, m^2", {.m = 2}};
inline constexpr Dimension mass{"mass", "kg", "g, kg, t, lb", {.kg = 1}};
inline constexpr Dimension time{"time", "s", "us, ms, s, min, h", {.s = 1}};
inline constexpr Dimension angle{"angle", "rad", "rad, mrad, deg, rev", {.rad = 1}};
inline constexpr Dimension velocity{"velocity", "m/s", "m/s, cm/s, km/h, ft/s", {.m = 1, .s = -1}};
inline constexpr Dimension angularVelocity{"angular velocity", "rad/s", "rad/s, deg/s, rpm, rev/s", {.s = -1, .rad = 1}};
inline constexpr Dimension acceleration{"acceleration", "m/s^2", "m/s^2, cm/s^2, ft/s^2", {.m = 1, .s = -2}};
inline constexpr Dimension frequency{"frequency", "Hz", "Hz, kHz, 1/s", {.s = -1, .cycle = 1}};
inline constexpr Dimension force{"force", "N", "mN, N, kN, MN, kgf, lbf", {.kg = 1, .m = 1, .s = -2}};
inline constexpr Dimension torque{"torque", "N m", "N m, kN m, N cm, lbf ft", {.kg = 1, .m = 2, .s = -2}};
inline constexpr Dimension inertia{"moment of inertia", "kg m^2", "kg m^2, g cm^2", {.kg = 1, .m = 2}};
inline constexpr Dimension density{"density", "kg/m^3", "kg/m^3, g/cm^3, t/m^3", {.kg = 1, .m = -3}};
inline constexpr Dimension massPerLength{"mass per length", "kg/m", "g/m, kg/m, lb/ft", {.kg = 1, .m = -1}};
inline constexpr Dimension stiffness{"stiffness", "N/m", "N/m, kN/m, N/mm", {.kg = 1, .s = -2}};
inline constexpr Dimension angularStiffness{"angular stiffness", "N m/rad", "N m/rad, N m/deg", {.kg = 1, .m = 2, .s = -2, .rad = -1}};
inline constexpr Dimension compliance{"compliance", "m/N", "m/N, mm/N, mm/kN", {.kg = -1, .s = 2}};
inline constexpr Dimension angularCompliance{"angular compliance", "rad/(N m)", "rad/(N m), deg/(N m)", {.kg = -1, .m = -2, .s = 2, .rad = 1}};
inline constexpr Dimension damping{"damping", "N s/m", "N s/m, kN s/m", {.kg = 1, .s = -1}};
inline constexpr Dimension angularDamping{"angular damping", "N m s/rad", "N m s/rad, N m s/deg", {.kg = 1, .m = 2, .s = -1, .rad = -1}};
inline constexpr Dimension flexuralRigidity{"bending or torsion stiffness", "N m^2", "N m^2, N mm^2", {.kg = 1, .m = 3, .s = -2}};
inline constexpr Dimension pressure{"pressure", "Pa", "Pa, MPa, GPa, N/m^2", {.kg = 1, .m = -1, .s = -2}};
inline constexpr Dimension anything{"number", "", "", {}, nullptr, nullptr, Dimension::Of::anything};
// On the free coordinate of a hinge, a slider or a rotor:
inline constexpr Dimension travel{"angle or length", "rad or m", "", {}, &angle, &length};
inline constexpr Dimension speed{"angular or linear velocity", "rad/s or m/s", "", {}, &angularVelocity, &velocity};
inline constexpr Dimension effort{"torque or force", "N m or N", "", {}, &torque, &force};
inline constexpr Dimension effortPerTravel{"stiffness", "N m/rad or N/m", "", {}, &angularStiffness, &stiffness};
inline constexpr Dimension effortPerSpeed{"damping", "N m s/rad or N s/m", "", {}, &angularDamping, &damping};
// Of a profile, and of its change:
inline constexpr Dimension profile{"number", "as the profile", "", {}, nullptr, nullptr, Dimension::Of::profile};
inline constexpr Dimension profileRate{"number", "as the profile, per s", "", {}, nullptr, nullptr, Dimension::Of::profileRate};
// clang-format on
}  // namespace dimension

/// Whether a unit of these powers measures `wanted`. An angle may be left out: N m s for N m s/rad, 1/s for rad/s.
bool fits(const Powers& unit, const Powers& wanted);

struct Quantity {
  double value = 0.0;  ///< in SI units; may be infinite
  Powers powers;
  bool hasUnit = false;
};

/// What is wrong with a quantity, for the reason and the remedy of a Problem.
struct UnitProblem {
  std::string reason, remedy;
};

/// Reads a number or a fraction of two numbers, and a unit: products, one '/' and powers, as in "5 N m s/rad",
/// "2 kg/m^3" or "1 rad/(N m)". Also "inf" and "-inf".
std::expected<Quantity, UnitProblem> readQuantity(std::string_view text);

/// What one of a unit is, "kN" or "deg", if there is such a unit.
std::optional<Quantity> unitNamed(std::string_view symbol);

}  // namespace reeve::scene
