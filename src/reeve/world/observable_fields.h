#pragma once
// Everything that can be measured, declared once: its name, its parts and its unit. For observe.cpp, which measures,
// and observables.cpp, which knows the paths.
#include <array>
#include <string_view>

namespace reeve::observables {

enum Section {
  bodies_,
  rotors_,
  particles_,
  joints_,
  motors_,
  couplings_,
  cables_,
  events_,
  energy_,
  health_,
  time_,
  sections_
};
inline constexpr std::array<std::string_view, sections_> sectionNames{
    "bodies", "rotors", "particles", "joints", "motors", "couplings", "cables", "events", "energy", "health", "time"};

/// A measurable of a thing: its name, how many parts it has (1: a number, 3: x y z, 4: w x y z), and its unit. "rad|m"
/// depends on what a joint leaves free, or on what a motor drives.
struct Field {
  std::string_view name;
  int parts;
  std::string_view unit = "";
};
inline constexpr std::array<Field, 4> bodyFields{
    {{"position", 3, "m"}, {"orientation", 4}, {"velocity", 3, "m/s"}, {"angular_velocity", 3, "rad/s"}}};
inline constexpr std::array<Field, 2> rotorFields{{{"angle", 1, "rad"}, {"rate", 1, "rad/s"}}};
inline constexpr std::array<Field, 2> particleFields{{{"position", 3, "m"}, {"velocity", 3, "m/s"}}};
inline constexpr std::array<Field, 7> jointFields{{{"coordinate", 1, "rad|m"},
                                                   {"rate", 1, "rad/s|m/s"},
                                                   {"force", 3, "N"},
                                                   {"torque", 3, "N m"},
                                                   {"error", 1, "m"},
                                                   {"damped", 1, "J"},
                                                   {"holds", 1}}};
inline constexpr std::array<Field, 2> couplingFields{{{"force", 1, "N m|N"}, {"error", 1, "rad|m"}}};
inline constexpr std::array<Field, 2> eventFields{{{"count", 1}, {"time", 1, "s"}}};
inline constexpr std::array<Field, 3> motorFields{{{"force", 1, "N m|N"}, {"work", 1, "J"}, {"power", 1, "W"}}};
inline constexpr std::array<Field, 6> cableFields{{{"length", 1, "m"},
                                                   {"stored", 1, "m"},
                                                   {"lagrangian", 1},
                                                   {"eulerian", 1},
                                                   {"path_rate", 1, "m/s"},
                                                   {"tension", 1, "N"}}};  // tension: the largest of its spans
inline constexpr std::array<Field, 8> spanFields{{{"length", 1, "m"},
                                                  {"rest", 1, "m"},
                                                  {"tension", 1, "N"},
                                                  {"slack", 1},
                                                  {"sag", 1, "m"},
                                                  {"start", 3, "m"},
                                                  {"end", 3, "m"},
                                                  {"length_rate", 1, "m/s"}}};
inline constexpr std::array<Field, 7> linkFields{{{"wrap", 1, "rad"},
                                                  {"slip", 1, "m"},
                                                  {"stored", 1, "m"},
                                                  {"force", 3, "N"},
                                                  {"holds", 1},
                                                  {"radius", 1, "m"},
                                                  {"layers", 1}}};
inline constexpr int spans_ = 100, links_ = 200;  ///< added to the field of a cable's spans and links
inline constexpr std::array<Field, 12> energyFields{{{"kinetic", 1, "J"},
                                                     {"potential", 1, "J"},
                                                     {"elastic", 1, "J"},
                                                     {"total", 1, "J"},
                                                     {"motors", 1, "J"},
                                                     {"moved", 1, "J"},
                                                     {"applied", 1, "J"},
                                                     {"friction", 1, "J"},
                                                     {"damping", 1, "J"},
                                                     {"drag", 1, "J"},
                                                     {"impacts", 1, "J"},
                                                     {"remains", 1, "J"}}};
inline constexpr std::array<Field, 4> healthFields{
    {{"iterations", 1}, {"residual", 1}, {"worst_error", 1, "m"}, {"unconverged", 1}}};

}  // namespace reeve::observables
