#pragma once
// Who does work on what moves. Kinetic energy, that in gravity and that of what is stretched or bent change by the work
// of these, and by what the numbers of a step leave over:
//
//   kinetic + gravity + elastic − start = Σ done + remains
//
// A row declares its kind and does λ J v; what an element does by its forces it adds itself (Element::work). A position
// row of no kind that has damping does the work of its damper, −τ/ε (J v − s)². What holds and nothing else does none.
//
// Quadrature. The second-order difference gives D(M v) · v = dT/dt + what it takes, T its own norm of the energy, which
// is ½ v·p + ½ h (power) at the end of a step: so powers at the ends of steps, times h, are the energy but for half a
// step's power at either end of the run, and the trapezoidal rule, h (P₀ + P₁)/2, is the energy to second order. A step
// of first order has one force for all of it: h P₁. A blow, with impulses Λ, is exact: Λ J (v⁻ + v⁺)/2.
#include <array>
#include <cstdint>

namespace reeve {

enum class Work : std::uint8_t {
  none,
  motors,
  moved,    ///< bodies that move as they are told, and cable that is paid out
  applied,  ///< forces of the scene and of programs, the moving air, what is changed while it runs
  friction,
  damping,
  drag,
  impacts  ///< blows and jerks: rows that begin to hold at speed
};
constexpr int workKinds = 8;

/// By kind of work: J, or W.
using WorkList = std::array<double, workKinds>;

/// Work done on what moves, less than nothing where it is taken.
struct Accounts {
  double start = 0.0;  ///< J, of all energies when the accounts were opened
  WorkList done{};     ///< J
  WorkList power{};    ///< W, at the end of the last step
};

/// What elements do besides rows at an instant.
struct Doings {
  WorkList power{};  ///< W
  WorkList done{};   ///< J in the step that ends there, of what is known as such
  void add(Work kind, double watts) { power[static_cast<std::size_t>(kind)] += watts; }
  void addDone(Work kind, double joules) { done[static_cast<std::size_t>(kind)] += joules; }
};

}  // namespace reeve
