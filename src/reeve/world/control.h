#pragma once
// What programs use to drive a world: handles, commands, pushes, changes of a state.
//
//   const auto winch = world.motor("winch");             // once
//   for (...) { world.command(*winch, speed); world.step(); }
//
// A handle is a small value: the scene it was resolved in, and a place. A world refuses handles of another scene;
// worlds built from the same description, and clones, share them.
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "reeve/math/types.h"

namespace reeve {

template <class Of>
struct Handle {
  std::uint64_t scene = 0;
  int index = -1;  ///< in the order of the description
  bool operator==(const Handle&) const = default;
};
using BodyHandle = Handle<struct BodyOf>;
using RotorHandle = Handle<struct RotorOf>;
using ParticleHandle = Handle<struct ParticleOf>;
using JointHandle = Handle<struct JointOf>;
using MotorHandle = Handle<struct MotorOf>;
using CableHandle = Handle<struct CableOf>;

/// A number of the scene that may change while the world runs, "bodies.load.mass", resolved once.
struct ParameterHandle {
  std::uint64_t scene = 0;
  std::int64_t key = 0;
  double declared = 0.0, low = 0.0, high = 0.0;
};

/// What a motor is to do until the next command. Units are those of its drive: rad/s or m/s, rad or m, N m or N.
struct MotorCommand {
  double target = 0.0;
  std::optional<double> gain = {};   ///< velocity: N m s/rad or N s/m; position: stiffness; feedback: proportional
  std::optional<double> limit = {};  ///< the most it may push with, N m or N
};

/// Force and torque on a body, world frame.
struct BodyPush {
  Vec3 force = Vec3::Zero();   ///< N
  Vec3 torque = Vec3::Zero();  ///< N m
  Vec3 at = Vec3::Zero();      ///< point of attack, body frame, m
  bool held = false;           ///< until it is changed; otherwise for the next step only, where pushes add up
  bool follows = false;        ///< what is held turns with the body
};

/// What to do with a state that violates joints or cables.
enum class Fit {
  project,  ///< move by the least, weighted by mass, that they hold again
  refuse,   ///< an error that names the worst, if it is off by more than 1e-6 m or rad
};

/// Changes of a state that are made together, so that joints may hold afterwards although they do not in between. What
/// hangs on wheels follows as it would in motion: lengths flow over them.
class Edit {
 public:
  Edit& pose(BodyHandle body, const Pose& pose);                             ///< of the body's origin
  Edit& velocity(BodyHandle body, const Vec3& linear, const Vec3& angular);  ///< of the origin, world frame
  Edit& place(ParticleHandle particle, const Vec3& position, const Vec3& velocity);
  Edit& angle(RotorHandle rotor, double angle, double rate);  ///< absolute, rad and rad/s
  /// A hinge's angle or a slider's travel; what the joint carries moves along.
  Edit& coordinate(JointHandle joint, double coordinate);
  Edit& rest(CableHandle cable, int span, double length);  ///< m

 private:
  friend class World;
  template <class H, class T>
  using List = std::vector<std::pair<H, T>>;
  struct Twist {
    Vec3 linear, angular;
  };
  struct Spun {
    double angle, rate;
  };
  struct Rest {
    int span;
    double length;
  };
  List<BodyHandle, Pose> poses_;
  List<BodyHandle, Twist> twists_;
  List<ParticleHandle, Twist> particles_;  ///< position and velocity
  List<RotorHandle, Spun> rotors_;
  List<JointHandle, double> joints_;
  List<CableHandle, Rest> rests_;
};

}  // namespace reeve
