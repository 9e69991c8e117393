#pragma once
// What can be measured of a world at one instant. Plain values for tables, files, scripts and feedback drives.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reeve/math/types.h"
#include "reeve/model/description.h"

namespace reeve {

struct BodyObservation {
  Vec3 position;  ///< of the body's origin, m
  Quat orientation;
  Vec3 velocity;         ///< of the body's origin, m/s
  Vec3 angularVelocity;  ///< rad/s, world frame
};

struct RotorObservation {
  double angle;  ///< absolute spin about the axle, rad
  double rate;
};

struct ParticleObservation {
  Vec3 position;
  Vec3 velocity;
};

struct JointObservation {
  double coordinate = 0.0;  ///< hinge angle, slider travel or distance
  double rate = 0.0;
  Vec3 force = Vec3::Zero();   ///< on b at the anchor, N, world frame
  Vec3 torque = Vec3::Zero();  ///< on b, N m
  double error = 0.0;          ///< how far the joint is from holding, m (position part)
  bool holds = true;           ///< false: it is released, or not hooked on yet
  double damped = 0.0;         ///< J that its damper has taken since the start
};

struct MotorObservation {
  double force = 0.0;  ///< N m or N
  double work = 0.0;   ///< J done since the start
};

struct CouplingObservation {
  double force = 0.0;  ///< N m or N on a
  double error = 0.0;  ///< how far a is from where b puts it, rad or m
};

/// An event of the scene.
struct HappeningObservation {
  int count = 0;      ///< how often it has happened
  double time = 0.0;  ///< s, when it last did
};

struct SpanObservation {
  std::string from, to;  ///< names of what the span runs between
  Vec3 start, end;       ///< contact points
  double length = 0.0;
  double rest = 0.0;
  double tension = 0.0;  ///< N; negative: it pushes
  bool slack = false;
  bool parted = false;           ///< broken: `loose` metres hang from either link
  double loose[2] = {0.0, 0.0};  ///< m
  double sag = 0.0;              ///< m, greatest distance from the chord, where the model knows a curved span
};

struct LinkObservation {
  std::string kind;  ///< attach, roll, pinhole, hybrid, spool, sheath
  std::string mode;  ///< what it does now: fixed, rolling, sliding, sticking, inactive
  std::string on;
  double wrap = 0.0;    ///< rad
  double slip = 0.0;    ///< m of cable slid over it since the start
  double stored = 0.0;  ///< m of rest length on it
  Vec3 entry = Vec3::Zero(), exit = Vec3::Zero();
  Vec3 force = Vec3::Zero();  ///< of the cable on the body, N
  double radius = 0.0;        ///< m, of a wheel: where the cable runs on it now
  int layers = 0;             ///< of a drum: begun
};

struct CableObservation {
  std::string model;
  double length = 0.0;  ///< rest length, free and stored
  double stored = 0.0;
  int lagrangian = 0, eulerian = 0;  ///< coordinates of its own: places, and material that flows
  std::vector<SpanObservation> spans;
  std::vector<LinkObservation> links;
  std::vector<Vec3> polyline;    ///< for drawing; taut spans straight, slack ones hanging
  std::vector<double> tensions;  ///< at each polyline vertex, N
  bool drawnThick = false;       ///< the polyline is fine enough to be drawn in the cable's own thickness
};

struct ContactObservation {
  std::string a, b;
  Vec3 point, normal;
  double gap = 0.0;
  double force = 0.0;  ///< normal, N
};

/// What there is, and what has done work on it since the start (model/accounts.h), J: taken is less than nothing.
struct EnergyObservation {
  double kinetic = 0.0, potential = 0.0, elastic = 0.0, total = 0.0;
  double motors = 0.0;    ///< by motors
  double moved = 0.0;     ///< by bodies that move as they are told, and by paying out
  double applied = 0.0;   ///< by forces of the scene, pushes, the moving air, and what was changed while it ran
  double friction = 0.0;  ///< by friction, of bearings, brakes, contacts and cables
  double damping = 0.0;   ///< by dampers, of joints, bearings and cables
  double drag = 0.0;      ///< by the air, as far as it stands still
  double impacts = 0.0;   ///< by blows and jerks
  double remains = 0.0;   ///< total − start − all of these: what the numbers of the steps leave over
};

struct HealthObservation {
  int iterations = 0;  ///< of the last step
  double residual =
      0.0;            ///< componentwise backward error of the last linear solve (direct), or worst row error (sweep)
  std::string worst;  ///< the row with the largest error, by name
  double worstError = 0.0;
  std::int64_t unconverged = 0;  ///< steps so far that did not meet the tolerance
  bool converges = true;         ///< unless that is nearly all of ten steps or more
};

/// Something that happened in a step: a catch, a split, a merge, a switch, a break.
struct Event {
  double time;
  std::string subject;  ///< "cables.main.links.2"
  std::string what;
};

struct Observation {
  double time = 0.0;
  std::int64_t steps = 0;
  Named<BodyObservation> bodies;
  Named<RotorObservation> rotors;
  Named<ParticleObservation> particles;
  Named<JointObservation> joints;
  Named<MotorObservation> motors;
  Named<CouplingObservation> couplings;
  Named<CableObservation> cables;
  Named<HappeningObservation> events;  ///< those with a name
  std::vector<ContactObservation> contacts;
  EnergyObservation energy;
  HealthObservation health;
};

}  // namespace reeve
