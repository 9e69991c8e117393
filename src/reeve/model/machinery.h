#pragma once
// Parts of machines in a scene: one-way clutches, cleats, couplings, and what happens at a time or on a condition.
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace reeve {

inline constexpr double unbounded = std::numeric_limits<double>::infinity();

/// Which way a coordinate may move: positive lets it grow only.
enum class OneWay { off, positive, negative };

/// Which way a cable may slide over a link: forward, towards the end of its route, or back.
enum class Cleat { off, forward, back };

/// Ties the free coordinates of two joints or rotors: y = c₁ x + c₂ x² + ..., y of `a` and x of `b`, both counted from
/// the start. A gear is ratio = c₁ alone.
struct CouplingSettings {
  std::string a, b;                ///< hinge, slider or rotor
  double ratio = 1.0;              ///< of a's travel to b's
  std::vector<double> polynomial;  ///< c₁, c₂, ..., instead of ratio
  double compliance = 0.0;         ///< travel of a per torque or force on it; 0 is rigid
};

enum class CableModel { joints, particles, strand, hoist, chain };

enum class ActionType { release, hold, hook, cut, brake, unbrake, drive, resume, set, reel, convert };

/// Something that a program could do to a running world (world/control.h).
struct ActionSettings {
  ActionType type = ActionType::release;
  std::string on;                         ///< "joints.hook", "cables.sling.spans.0", "rotors.drum.friction"
  double to = 0.0;                        ///< drive: target; set: value; reel: m/s
  std::optional<double> limit;            ///< drive: most force, N m or N
  CableModel model = CableModel::joints;  ///< convert: what the cable is simulated by from then on
};

/// What the world does by itself at the beginning of the first step in which time has come and the condition holds.
struct EventSettings {
  std::string name;
  double at = 0.0;     ///< s, from when on
  std::string after;   ///< name of an event that must have happened before
  double delay = 0.0;  ///< s since that event
  std::string when;    ///< observable; empty: no condition
  std::optional<double> above, below;
  bool once = true;  ///< false: whenever the condition becomes true again
  std::vector<ActionSettings> actions;
};

}  // namespace reeve
