#pragma once
// A cable as plain data: its route, its material, and what its model may be told. Part of a scene (description.h).
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "reeve/model/machinery.h"
#include "reeve/model/profile.h"

namespace reeve {

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
  int iterations = 0;            ///< of the projections in a substep; 0: automatic
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
                                       ///< (automatic where xpbd leaves the iterations open)
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

}  // namespace reeve
