#pragma once
// A scene as plain data: what a scene file says, in SI units, before anything is built from it.
//
// Conventions. What belongs to *one* body (shapes, rotors, link points, forces) is given in that body's frame; what
// joins *two* bodies (joint anchors and axes) is given in the world frame at the start pose. The world itself is the
// body named "world". Orientation is a unit quaternion (w, x, y, z).
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reeve/math/types.h"
#include "reeve/model/cable_settings.h"
#include "reeve/model/machinery.h"

namespace reeve {

enum class ShapeType { sphere, capsule, cylinder, box, hull, prism, halfSpace };

struct ShapeSettings {
  ShapeType type = ShapeType::sphere;
  double radius = 0.0;           ///< sphere, capsule, cylinder
  double length = 0.0;           ///< capsule (between cap centres), cylinder, prism: along local z
  Vec3 size = Vec3::Zero();      ///< box: full edge lengths
  std::vector<Vec3> points;      ///< hull
  std::vector<Vec2> polygon;     ///< prism: convex outline in local xy
  Vec3 position = Vec3::Zero();  ///< on the body
  Quat orientation = Quat::Identity();
};

enum class BodyMotion { dynamic, kinematic, fixed };

/// Prescribed motion of a kinematic body: position = start + along·travel(t), orientation = turn about `about`.
struct MotionSettings {
  Vec3 along = Vec3::UnitX();
  Profile travel;              ///< m
  Vec3 about = Vec3::UnitZ();  ///< axis through the body's origin, world frame
  Profile turn;                ///< rad
};

struct BodySettings {
  BodyMotion motion = BodyMotion::dynamic;
  Vec3 position = Vec3::Zero();  ///< of the body's origin
  Quat orientation = Quat::Identity();
  Vec3 velocity = Vec3::Zero();  ///< of the body's origin
  Vec3 angularVelocity = Vec3::Zero();
  std::vector<ShapeSettings> shapes;
  std::optional<double> mass;   ///< kg; otherwise from density and shapes
  std::optional<Vec3> inertia;  ///< kg m², principal, along the body's axes, about the centre of mass
  std::optional<Vec3> center;   ///< centre of mass on the body; otherwise from the shapes
  double density = 1000.0;      ///< kg/m³
  double friction = 0.5;
  double restitution = 0.0;
  double drag = 0.0;         ///< N s/m, opposes velocity
  double angularDrag = 0.0;  ///< N m s/rad
  double dragArea = 0.0;     ///< m², drag coefficient × area: ½ ρ dragArea |u| u against its velocity u in the air
  bool gravity = true;
  bool collides = true;
  int group = 0;             ///< collision group, 0 to 31
  std::vector<int> ignores;  ///< groups this body passes through
  std::optional<MotionSettings> prescribed;
  std::string color;  ///< for drawing, "#rrggbb" or a CSS name
};

/// A balanced wheel with one coordinate, its absolute spin about the axle.
struct RotorSettings {
  std::string on = "world";      ///< parent body
  Vec3 position = Vec3::Zero();  ///< of the wheel's centre, parent frame
  Vec3 axis = Vec3::UnitY();     ///< parent frame; positive spin is right-handed about it
  double radius = 0.1;
  double width = 0.05;            ///< for drawing
  std::optional<double> inertia;  ///< kg m² about the axle; otherwise mass·radius²/2
  double mass = 0.0;              ///< kg, carried by the parent (its cross inertia too)
  double angle = 0.0;
  double rate = 0.0;
  double friction = 0.0;        ///< N m, Coulomb, in the bearing
  double damping = 0.0;         ///< N m s/rad, viscous, in the bearing
  double brake = 0.0;           ///< N m, holding torque of a brake to the parent
  bool brakeOpen = false;       ///< at the start
  OneWay oneWay = OneWay::off;  ///< a clutch or ratchet to the parent
  double pitch = 0.0;           ///< rad between the ratchet's teeth
  double torque = 0.0;          ///< N m, constant, reacts on the parent
  std::string color;
};

struct ParticleSettings {
  Vec3 position = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();
  double mass = 1.0;
  double radius = 0.0;  ///< collides as a sphere when positive
  double drag = 0.0;
  bool gravity = true;
};

enum class JointType { ball, hinge, slider, fixed, distance, universal };
enum class DistanceMode { both, rope, strut };

struct JointSettings {
  JointType type = JointType::ball;
  std::string a = "world";  ///< body or particle
  std::string b = "world";
  Vec3 anchor = Vec3::Zero();   ///< world frame at start; for distance: on a
  std::optional<Vec3> anchorB;  ///< world frame at start; distance only
  Vec3 axis = Vec3::UnitY();    ///< hinge, slider; universal: the axis on a
  std::optional<Vec3> axisB;    ///< universal: the axis on b
  DistanceMode mode = DistanceMode::both;
  std::optional<double> length;    ///< distance: rest length; otherwise as it starts
  double compliance = 0.0;         ///< m/N
  double damping = 0.0;            ///< N s/m
  double angularCompliance = 0.0;  ///< rad/(N m)
  double angularDamping = 0.0;     ///< N m s/rad
  double lower = -unbounded;       ///< limit of the free coordinate, rad or m
  double upper = unbounded;
  double restitution = 0.0;  ///< of limits and of rope or strut
  double friction = 0.0;     ///< N m or N, Coulomb, on the free coordinate
  double viscous = 0.0;      ///< N m s/rad or N s/m, on the free coordinate
  double stiffness = 0.0;    ///< N m/rad or N/m, of a spring on the free coordinate
  double rest = 0.0;         ///< rad or m, where that spring is at rest
  double brake = 0.0;        ///< N m or N
  bool brakeOpen = false;    ///< at the start
  OneWay oneWay = OneWay::off;
  double pitch = 0.0;     ///< rad or m between the ratchet's teeth
  bool active = true;     ///< false: holds nothing until an event or a program makes it
  bool collide = false;   ///< whether the joined bodies may touch
  std::string extension;  ///< a joint of a program's own (world/extensions.h), instead of `type`
};

enum class DriveType { velocity, position, force, feedback };

/// A motor on the free coordinate of a hinge, a slider or a rotor. `target` is what the drive follows over time.
struct MotorSettings {
  std::string on;  ///< joint or rotor
  DriveType drive = DriveType::velocity;
  Profile target;                ///< rad/s or m/s, rad or m, N m or N; feedback: the set point of the observable
  double maxForce = unbounded;   ///< N m or N
  double stiffness = unbounded;  ///< position drive: N m/rad or N/m; unbounded is exact
  double damping = 0.0;          ///< position drive
  std::string observe;           ///< feedback: what is measured, "bodies.hook.position.z"
  double proportional = 1.0;     ///< feedback: commanded speed per unit of error
  double integral = 0.0;
  double derivative = 0.0;
  double maxSpeed = unbounded;   ///< feedback: limit of the commanded speed
  std::optional<double> stall;   ///< velocity: N m or N at speed 0 when the target is noLoad
  std::optional<double> noLoad;  ///< velocity: rad/s or m/s without load; effort = stall (target − speed) / noLoad
};

struct ForceSettings {
  std::string on;                ///< body, particle or rotor
  Vec3 force = Vec3::Zero();     ///< N
  Vec3 torque = Vec3::Zero();    ///< N m; on a rotor: component along its axis
  Vec3 at = Vec3::Zero();        ///< point of attack, body frame
  bool follows = false;          ///< force and torque turn with the body
  std::optional<Profile> scale;  ///< factor over time
};

enum class SolverChoice { automatic, sweep, direct, blocks };

/// Where a run begins: as the scene says, or at the state of rest nearby.
enum class StartChoice { described, equilibrium };

/// From where on a run is doubtful; shares.
struct DoubtLimits {
  double error = 0.01;       ///< of the scene's size: a rigid row, or a drive's speed by that length in a second
  double stretch = 0.05;     ///< of its length: a cable that cannot stretch
  double overlap = 0.25;     ///< of the thinner one's thickness
  double gain = 0.1;         ///< of the energy that was turned over
  double unconverged = 0.5;  ///< of the steps
};

struct Settings {
  Vec3 gravity = Vec3(0, 0, -9.81);
  double dt = 1.0 / 240.0;
  double seconds = 10.0;  ///< how long `reeve run` simulates
  SolverChoice solver = SolverChoice::automatic;
  int substeps = 1;             ///< per dt
  int iterations = 0;           ///< sweeps per substep, or Newton cap; 0 chooses (until settled, at most 50; 30)
  double tolerance = 1e-10;     ///< of positions, m and rad
  double bounds = 1e6;          ///< m and m/s: beyond it the simulation went bad
  Vec3 wind = Vec3::Zero();     ///< m/s, velocity of the air, for bodies with a drag area
  std::optional<Profile> gust;  ///< factor of the wind over time
  double air = 1.225;           ///< kg/m³
  StartChoice start = StartChoice::described;
  DoubtLimits doubtful = {};
};

/// "At this time this observable is so": checked for every shipped scene.
struct Expectation {
  double at = 0.0;  ///< s
  std::string observe;
  std::optional<double> equals;
  double within = 0.0;    ///< absolute tolerance
  double relative = 0.0;  ///< relative tolerance, added to `within`
  std::optional<double> above;
  std::optional<double> below;
  std::string because;  ///< where the number comes from
};

struct PlotSettings {
  std::string title;
  std::vector<std::string> observe;
  std::string unit;
};

struct ViewSettings {
  Vec3 from = Vec3(0, -1, 0);  ///< direction from the target to the eye
  std::optional<Vec3> target;
  double height = 0.0;  ///< m of scene in the picture; 0 fits everything
  double at = 0.0;      ///< s
};

struct Description {
  std::string name;
  std::string about;
  Settings settings;
  Named<BodySettings> bodies;
  Named<RotorSettings> rotors;
  Named<ParticleSettings> particles;
  Named<JointSettings> joints;
  Named<MotorSettings> motors;
  Named<CouplingSettings> couplings;
  Named<ForceSettings> forces;
  Named<CableSettings> cables;
  std::vector<EventSettings> events;
  std::vector<Expectation> expect;
  std::vector<PlotSettings> plots;
  ViewSettings view;
};

}  // namespace reeve
