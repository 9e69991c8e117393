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
#include "reeve/model/machinery.h"

namespace reeve {

/// Things with names, in the order they were declared.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

/// A number that changes with time: value(t) = offset + rate·t + amplitude·sin(2π·frequency·t + phase) + table(t).
/// The table is piecewise linear, or smooth (cubic with zero slope at every knot), or a spline (quintic pieces whose
/// slope and curvature at a knot are those of the parabola through it and its neighbors, at rest at either end and
/// where a value is given twice), and constant beyond its ends.
struct Profile {
  double offset = 0.0;
  double rate = 0.0;
  double amplitude = 0.0;
  double frequency = 0.0;   ///< Hz
  double phase = 0.0;       ///< rad
  std::vector<Vec2> table;  ///< (time, value), times increasing
  bool smooth = false;
  bool spline = false;
};

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

enum class LinkType { attach, roll, pinhole, hybrid, spool, sheath, guide, node, ride };
enum class GuideShape { plane, cylinder, sphere, torus, line, circle, helix, spline, formula };
enum class EndHold { pinned, clamped, free };
enum class SectionShape { round, square };
enum class TwistMeasure { parallel, crossed };
enum class ParticleWay { springs, stiff, jakobsen, pbd, xpbd };
enum class CurveType { catmullRom, bezier, polyline };
enum class Predictor { euler, verlet };
enum class DoubleRest { none, initial, straight };
enum class SolveOrder { along, coloured, chunks };
enum class TouchMode { none, points, discrete, swept };
enum class FrictionLaw { coulomb, depth };

class Chart;
namespace particles {
struct Constraint;
}
enum class WaveScheme { implicitly, explicitly };
enum class PullForm { row, force };

struct LinkSettings {
  LinkType type = LinkType::attach;
  std::string on = "world";       ///< body, rotor or particle
  Vec3 point = Vec3::Zero();      ///< attach, pinhole, sheath: on the body; roll, hybrid, spool: the wheel's centre
  std::optional<double> radius;   ///< wheel radius; a rotor's own otherwise
  std::optional<Vec3> axis;       ///< normal of the cable plane, body frame; a rotor's own otherwise
  std::optional<int> shape;       ///< roll on the cross-section of this shape of the body
  int side = 1;                   ///< +1 counter-clockwise about the axis, -1 clockwise
  int turns = 0;                  ///< whole turns beyond the first partial wrap
  double friction = unbounded;    ///< capstan coefficient: 0 slides freely, unbounded never slips; pinhole default 0
  Cleat cleat = Cleat::off;       ///< holds the cable against sliding one way
  std::optional<double> stored;   ///< spool, hybrid: length wound on at the start
  std::optional<double> flanges;  ///< spool, hybrid: m between the flanges of the drum; with it cable winds in layers
  std::optional<double> rise;     ///< with flanges: m from layer to layer; otherwise the cable's diameter
  bool groove = true;             ///< roll: false lets the cable slip off the wheel sideways
  bool active = true;             ///< false: joins the route when the cable meets it
  std::vector<Vec3> path;         ///< sheath: the tube, points on the body; guide: the spline
  GuideShape guide = GuideShape::cylinder;  ///< guide: the curve or surface the strand keeps to
  std::vector<std::string> formula;         ///< guide formula: x, y and z of u and v, m, about `point` and `axis`
  std::shared_ptr<const Chart> chart;       ///< guide of one's own, from a program, on the body; instead of the above
  double minor = 0.0;                       ///< guide: radius of a torus' tube
  double pitch = 0.0;                       ///< guide: rise of a helix in a turn; with flanges: m from turn to turn
  std::vector<double> start;                ///< guide: parameters of the node, rad or m
  std::vector<double> end;                  ///< guide: of a second node on the same guide
  Vec3 velocity = Vec3::Zero();             ///< node: at the start, world frame
  bool flows = true;                        ///< guide, node, ride: material flows through; false: it is held there
  std::optional<int> riding;                ///< ride, guide: node of another strand; ride without it: all, in order
  bool between = false;                     ///< ride: on the line from that node to the next
  EndHold hold =
      EndHold::pinned;         ///< attach of a chain: clamped holds direction and twist too, free is only a start point
  std::optional<int> segment;  ///< attach of a chain: on this segment of another chain, from 0
  double letsGo = unbounded;   ///< N, particles: a socket that lets go when pulled harder
  double plugsIn = 0.0;        ///< m, particles: takes its end back when that comes as close, from further away
};

struct MaterialSettings {
  double mass = 0.0;            ///< kg/m
  double axial = unbounded;     ///< N, EA
  double bending = 0.0;         ///< N m², EI
  double torsion = 0.0;         ///< N m², GJ
  double radius = 0.005;        ///< m; half the side of a square section
  std::optional<double> young;  ///< N/m²: EA, EI and GJ that are not given follow from it and the section
  double poisson = 0.3;
  SectionShape section = SectionShape::round;
  double damping = 0.0;         ///< s, of axial strain: force = EA (strain + damping·strain rate)
  double drag = 0.0;            ///< N s/m per metre, opposes the velocity of a strand's material
  double friction = 0.3;        ///< contact coefficient
  double breaking = unbounded;  ///< N
};

/// A cable of model particles: how it is held together, how it starts, what it touches. Lengths in m, forces in N.
struct ParticleCableSettings {
  ParticleWay way = ParticleWay::xpbd;
  CurveType curve = CurveType::catmullRom;
  double handle = 0.25;  ///< tangent handles of the spline: 0.25 as in the thesis, 1/6 for the true Catmull-Rom spline
  Predictor predictor = Predictor::euler;
  int substeps = 1;              ///< of a step of the world; all particle cables of a scene take the largest of theirs
  int iterations = 10;           ///< of the projections in a substep
  double damping = 0.0;          ///< share of the velocity lost in a substep (Jakobsen)
  double stiffness = 1.0;        ///< pbd: share of an error that a projection removes
  std::optional<double> spring;  ///< N/m, springs: of a segment; otherwise EA over its length
  double springDamping = 0.0;    ///< N s/m, springs: along a segment
  DoubleRest doubles = DoubleRest::none;
  double doubleCompliance = 0.0;  ///< m/N, xpbd
  double doubleStiffness = 1.0;   ///< share of an error a projection removes (not xpbd); springs: share of the spring
  std::vector<double> masses;     ///< kg, of every particle; otherwise from the mass per metre
  Vec3 velocity = Vec3::Zero();   ///< m/s at the start, added to that of what holds it
  SolveOrder order = SolveOrder::along;
  int chunks = 4;                      ///< order chunks: how many
  bool direct = false;                 ///< pbd, xpbd: all distances of the cable at once, by one banded solve
  TouchMode touch = TouchMode::swept;  ///< how it meets bodies
  bool self = false;                   ///< meets itself and other particle cables
  FrictionLaw law = FrictionLaw::coulomb;
  double staticFriction = 0.0;   ///< m, law depth: slower than this a substep is stopped
  double slidingFriction = 0.0;  ///< law depth: velocity lost per depth
  double drag = 0.0;             ///< drag coefficient across the cable
  double skinDrag = 0.0;         ///< and along it
  double air = 1.225;            ///< kg/m³
  Vec3 wind = Vec3::Zero();      ///< m/s
  std::optional<Profile> gust;   ///< factor of the wind over time
  std::vector<std::shared_ptr<const particles::Constraint>> constraints;  ///< of one's own, from a program
};

struct CableSettings {
  CableModel model = CableModel::joints;
  std::string extension;  ///< a model of a program's own (world/extensions.h), instead of `model`
  std::vector<LinkSettings> route;
  MaterialSettings material;
  bool closed = false;
  std::optional<double> length;         ///< rest length of the whole cable
  std::optional<double> tension;        ///< N at the start
  double slack = 0.0;                   ///< m of rest length beyond the measured path
  std::vector<double> slacks;           ///< per span instead
  std::optional<double> compliance;     ///< m/N per span, instead of EA per metre
  double compression = 0.0;             ///< stiffness in compression as a fraction of that in tension
  bool weight = false;                  ///< the weight of a span is shared between its ends
  double winding = 0.0;                 ///< N m, torque that opposes bending onto a wheel
  std::vector<std::string> candidates;  ///< bodies the cable may come to wrap
  int nodes = 0;                        ///< strand: free nodes in every free span
  bool lumped = false;                  ///< strand: mass at the nodes, for comparison
  bool sliding = false;                 ///< strand: holes slide along its line, all nodes Lagrangian; for comparison
  double finest = 0.0;                  ///< strand: m; free nodes nearer to the next are put elsewhere; 0 chooses
  int segments = 24;                    ///< chain: how many rigid segments
  std::vector<Vec3>
      shape;               ///< chain: how it lies at the start, world frame, between its ends; else hanging or straight
  bool preformed = false;  ///< chain: the start shape is the rest shape; else straight
  double twisted = 0.0;    ///< chain: rad/m, rest twist
  TwistMeasure twist = TwistMeasure::parallel;  ///< chain: crossed is the paper's v-w form
  double bendGrowth = 0.0;                      ///< chain: 1/rad², bend law θ(1 + growth θ²) at every joint
  double stiffens = 0.0;                        ///< chain: N, stiffness × (1 + load/stiffens); 0 never
  bool collides = true;                         ///< chain: its segments touch bodies, other cables and each other
  double touchedBend = 1.0;  ///< chain: bending stiffness where it is touched, as a share of what it is elsewhere
  int merges = 0;            ///< chain: segments that are straight and taut merge, up to 2^merges of them
  double mergeAngle = 0.01;  ///< chain: rad between neighbours, up to which they count as straight
  ParticleCableSettings particles;
  bool waves = false;                              ///< joints: waves ride on its spans; hoist: wherever it has mass
  WaveScheme waveScheme = WaveScheme::implicitly;  ///< explicitly: as published, suspended where unstable
  int subdivisions = 20;                           ///< of every span that carries waves
  double waveDamping = 0.0;                        ///< 1/s, of transverse motion
  PullForm pull = PullForm::row;                   ///< hoist: tension as a row, or as published as an explicit force
  Profile payout;                                  ///< hoist: m paid out at its first end since the start
  std::optional<double> drum;                      ///< hoist: m that can be paid out before the drum is empty
  Vec3 pluck = Vec3::Zero();                       ///< m, world frame: how far a span is drawn aside at the start
  double pluckAt = 0.5;                            ///< where, as a fraction of the span
  int pluckSpan = 0;                               ///< which
  std::string color;
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
