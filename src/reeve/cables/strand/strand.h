#pragma once
// Strands (Sueda, Jones, Levin, Pai: Large-Scale Dynamic Simulation of Highly Constrained Strands, 2011).
//
// A strand is a row of *stations*: nodes, which have just the freedom their constraint leaves, and wheels. Mass and
// energy are in the segments between them. A node is Lagrangian (its material coordinate s is fixed) or Eulerian (s is
// a coordinate: material flows through it); its place is free, on a chart (any parametric curve or surface) of a body
// or of another node, rigid on a body, the place of a node of another strand, or on the line between two nodes.
//
// Velocity of the material in a segment. With x' = Δx/Δs,
//     ẋ(α) = (1−α) m₀ + α m₁,     mᵢ = ẋᵢ − x' ṡᵢ,                                                           (eq. 4)
// and on a shared chart the same in the parameters. Both are linear in the velocities: mᵢ = Aᵢ v. So are wheels: where
// a strand leaves a wheel in its plane its material moves with the rim, m = A v is the rim's velocity at the tangent
// point (plus slip along the tangent), and neither the tangent point's own motion nor a coordinate s is needed. Where
// it leaves at an angle to that plane it has a corner there: strand_skew.cpp.
//
// Equations of motion, in momentum form (model/kinetics.h). With J(α) = (1−α) A₀ + α A₁ and D/Dt at a fixed material
// point, α̇ = −((1−α) ṡ₀ + α ṡ₁)/Δs,
//     p = ∫ρ Jᵀẋ ds,      ṗ = ∫ρ (Jᵀg + (DJ/Dt)ᵀẋ) ds + Σ ½ρ (|m₋|² − |m₊|²) Sᵀ + rows.
// The sum is over corners: material passes them by ṡ = S v and goes over from m₊ to m₋ = m₊ + (x'₊ − x'₋) ṡ at once.
// The force for it, ρ ṡ (m₋ − m₊), acts between two velocities and two J: half of it on either side, J₋ − J₊ = (x'₊ −
// x'₋) S. With the ends of the integrals, d/dt ∫ρ Jᵀẋ ds ∋ ρ ṡ (J₋ᵀm₋ − J₊ᵀm₊), that leaves the sum: what Hamilton's
// principle gives for integrals of ½ρ|ẋ|² whose limits move. Halves keep energy (½ρ ṡ (|m₋|² − |m₊|²) is done), and
// momentum: a bent hole is pushed by T − ρ ṡ², as a small wheel. That is d'Alembert's principle, hence eq. 1 with its
// quadratic velocity terms and the motion of all bodies; it needs no ∂T/∂q and holds for the spin of rotors, which is
// no derivative of a coordinate. For a straight segment the integrals are closed; along charts and wheels Gauss' rule
// takes them, over many turns that of geometry/turn_rule.h.
//
// Rows. Inextensible: C = l − Δs = 0, or with compliance Δs/EA. The pull on s that a stretched segment adds (½ EA ε²)
// is a force. Bending at a node: κb = 2 t₀×t₁/(1 + t₀·t₁), V = ½ EI |κb|²/l̄; along a chart V = ½ EI κ² Δs. Friction
// over pinholes and wheels: bounds that hang on the tensions beside it, as in joints.
//
// Gauge. A free E-node on a curved chart can run along the strand without anything changing (ẋ = t ṡ lies in the kernel
// of both M and G). A row that keeps it where the span is tangent takes that freedom; its multiplier is next to
// nothing.
#include <optional>

#include "reeve/cables/cable.h"
#include "reeve/cables/strand/strand_state.h"
#include "reeve/cables/strand/strand_tackle.h"
#include "reeve/geometry/chart.h"
#include "reeve/geometry/circle_span.h"
#include "reeve/geometry/shape.h"
#include "reeve/geometry/wrap.h"

namespace reeve {

/// s: of one step.
inline double stepOf(const Instant& now) {
  const Settings& settings = now.model().description.settings;
  return settings.dt / settings.substeps;
}

/// A strand with its stations in the order a state has them. Without candidates that is the order it was built in, and
/// there is one; with candidates every cache has its own copy, arranged as its instant's state says.
class Strand {
 public:
  /// Builds what `site` asks for; `element` is who it is to the rest of the program.
  static std::expected<Strand, Problem> make(const CableSite& site, const Element& element);
  struct Page;
  /// Wheels, nodes and segments at an instant.
  void evaluate(const Instant& now, Page& page) const;
  /// Puts the stations in the order that a state has them.
  void arrange(const State& state);
  bool touches() const { return touches_; }
  bool readsCacheInBegin() const;
  int slotCount() const { return touchSlot(touches_ ? nodeCount() : 0) - element_->slot; }
  std::span<const double> startMemory() const { return startMemory_; }
  const CableSettings& settings() const { return settings_; }
  void begin(const Instant& now, const StepContext& context, State& state) const;
  void topology(const State& state, Topology& out) const;
  void rows(const Instant& now, RowSet& out) const;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const;
  void forces(const Instant& now, Forces& out) const;
  void momentum(const Instant& now, std::span<double> p) const;
  void mass(const Instant& now, PatchSet& out) const;
  void finish(const Instant& now, State& state, Events& events) const;
  Energy energy(const Instant& now) const;
  std::string rowName(int local) const;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links, std::vector<SpanView>& spans) const;
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points, std::vector<double>& tensions) const;
  Freedom freedom() const;
  const char* inspect(const State& state) const;
  /// Of a state from outside: its indices, counts and modes.
  const char* memoryFlaw(const State& state) const;

  /// How one block moves something: velocity = Σ a v, and the change of a along the motion.
  struct Carry {
    int block = 0, dof = 0;
    Eigen::Matrix<double, 3, 6> a, d;
  };
  /// How blocks move a number: its rate = Σ a v, and the change of a along the motion.
  struct Flow {
    struct Part {
      int block = 0, dof = 0;
      Eigen::Matrix<double, 1, 6> a, d;
    };
    int count = 0;
    std::array<Part, 9> part;
    Part& add(int block, int dof);
    void blend(const Flow& other, double weight);
  };
  /// Place and velocity of something, and what moves it.
  struct Motion {
    Vec3 x = Vec3::Zero(), v = Vec3::Zero();
    int count = 0;
    std::array<Carry, 9> carry;
    Carry& add(int block, int dof);
    void addRigid(const Instant& now, int block, const Vec3& arm, const Vec3& armRate);
    /// Adds `weight` times another's motion, `rate` its change.
    void blend(const Motion& other, double weight, double rate);
    /// Adds a motion along a direction by the rate of a number.
    void run(const Flow& flow, const Vec3& along, const Vec3& alongRate);
  };
  Motion nodeMotion(const Instant& now, int node) const;
  int nodeCount() const { return static_cast<int>(nodes_.size()); }
  /// Where the material point s is, and the s of all places where the strand may have a corner, in order.
  Vec3 materialPoint(const Instant& now, double s) const;
  std::vector<double> corners(const Instant& now) const;
  double length() const { return length_; }

 private:
  enum class Place : std::uint8_t { point, free, chart, ride, between, waiting };
  struct Node {
    Place place = Place::point;
    int block = -1;          ///< own coordinates, -1: none
    int flow = -1;           ///< block of s, -1: Lagrangian
    double s = 0.0;          ///< m, at the start
    int kept = -1;           ///< s of a free Lagrangian node in this strand's memory: resampling moves it
    Anchor anchor;           ///< point
    int chart = -1;          ///< chart
    Vec2 at = Vec2::Zero();  ///< chart: parameters of a node without coordinates
    const Strand* host = nullptr;
    int hostA = -1, hostB = -1;  ///< ride, between: nodes of the host
    double friction = 0.0;       ///< capstan coefficient of an Eulerian node
    bool tangent = false;        ///< kept where the span outside is tangent to its chart
    int pad = -1;                ///< of the surface it may leave
    int spare = -1;              ///< which of the nodes that come and go
    bool stands = false;         ///< beside what it may come to lie on: a row keeps it outside (strand_touch.cpp)
    double ball = 0.0;           ///< m: radius of the ball it stands beside
    double deep = 0.0;           ///< m: so far inside it may be
    int touch = -1;              ///< in this strand's memory: what a free node may come against (strand_touch.cpp)
    int gone = -1;               ///< in this strand's memory: 1 once a free end has slipped out of this hole
    int rover = -1;              ///< its place among the stations at the start, if it may be taken out
    int at0 = 0;                 ///< its station
  };
  /// A chart and what it is fixed to: a body, or (node ≥ 0) a node of another strand, in the world's axes.
  struct Ground {
    std::shared_ptr<const Chart> chart;
    int block = 0, node = -1;
    const Strand* host = nullptr;
  };
  /// A surface the strand lies on between two nodes and may leave: it lifts off where it would have to be held down,
  /// and comes to lie on it where it would go through. While it is off, the two nodes are on the line between the nodes
  /// that are left, and their own coordinates rest.
  struct Pad {
    int first = 0;  ///< station of the first of its two nodes
    int node = 0;   ///< that node
    bool ball = false;
    double radius = 0.0;
    ChartFrame frame;  ///< on the body
    int link = 0;
    bool startsOff = false;
    int kept = 0;  ///< in this strand's memory: 1 while the strand is off it
  };
  /// What a candidate body has that a strand may come to lie on: an edge, or a round part (strand_features.cpp). On the
  /// body, grown by the strand's radius.
  struct Feature {
    enum class Kind : std::uint8_t { edge, rim, tube, ball };
    Kind kind = Kind::edge;
    int block = 0;
    Vec3 origin = Vec3::Zero();  ///< edge: where it starts; others: the middle
    Vec3 along = Vec3::UnitZ();  ///< unit: edge, tube's axis; rim: outward
    double length = 0.0;         ///< edge: all of it; tube: half of it
    double radius = 0.0;         ///< rim, tube, ball
    bool leaves = false;         ///< rim: where a strand comes out over the flat end, not where it goes in
    bool flat = false;           ///< tube: with flat ends
    double depth = 0.0;          ///< m: a strand so deep inside was on this side of it
    std::array<Vec3, 2> normal{Vec3::Zero(), Vec3::Zero()};  ///< edge: of the faces beside it
  };
  /// A candidate with flat faces, for free nodes that come against one.
  struct Solid {
    int block = 0;
    std::vector<Vec3> normal;
    std::vector<double> offset;
    double half = 0.0;  ///< m: half of its least thickness
  };
  /// A strand beside a feature: where on both, the outward direction, and how far apart.
  struct Beside {
    bool known = false;                          ///< there is an outside to be on
    bool facing = false;                         ///< and they pass each other within their lengths
    double share = 0.0, along = 0.0, gap = 0.0;  ///< share of the segment; along the edge or axis, m
    Vec3 normal = Vec3::UnitZ();
  };
  /// A node that comes and goes: its blocks, of which those its role needs are awake.
  enum class Role : std::uint8_t { waiting, free, edge, held, beside, arcStart, arcEnd };
  static bool stands(Role role) { return role == Role::edge || role == Role::held || role == Role::beside; }
  struct Spare {
    int node = 0, ground = 0;
    int line = 0, surface = 0, place = 0, flow = 0;  ///< blocks of 1, 2, 3 and 1 coordinates
    int kept = 0;                                    ///< its SpareMemory
  };
  /// A hole that slides along the line of a strand whose nodes are all Lagrangian (strand_slides.cpp).
  struct Slide {
    Anchor anchor;
    int link = 0;
    int node = 0;       ///< where it is at the start
    bool last = false;  ///< on the segment before that node, else after it
    int kept = 0;       ///< its segment in this strand's memory, -1: it has left the strand
  };
  struct SlideNow {
    bool ok = false;
    Vec3 from, to, hole, across[2];
    double share = 0.0;  ///< of the way from `from` to `to`
  };
  /// Two clamped ends (strand_twist.cpp): their blocks, and on them the strand's direction and one across it.
  struct Twist {
    bool held = false;
    std::array<int, 2> block{};
    std::array<Vec3, 2> tangent_B, director_B;
    int kept = 0;  ///< its angle in this strand's memory, so that whole turns count
  };
  struct Wheel {
    LinkMount mount;
    Outline outline = Outline::point();
    Vec3 center_B = Vec3::Zero(), x_B = Vec3::UnitX(), y_B = Vec3::UnitZ(), normal_B = Vec3::UnitY();
    int side = 1;
    double friction = unbounded;
    int slip = -1;  ///< block of the material that slides over it; none where it never slips
    bool still = false;
  };
  struct Station {
    bool wheel = false;
    int index = 0;  ///< node or wheel
    int link = 0;   ///< of the route; free nodes inside a span have the link before them
    bool named = true;
  };
  struct Segment {
    int from = 0, to = 0;  ///< stations
    int chart = -1;        ///< shared; -1: straight
    double around = 0.0;   ///< the strand's length, on the segment that closes a loop
    bool unilateral = false;
  };
  /// One end of a segment: a motion of the *material* there.
  struct End : Motion {
    double s = 0.0, sRate = 0.0;
    Vec3 m = Vec3::Zero();  ///< its velocity
  };
  /// Wheels, nodes and straight segments at an instant, worked out once for rows, mass and forces.
  struct WheelNow {
    LinkFrame frame;
    Vec3 lever, velocity, omega;  ///< of the centre from the body's, its velocity, and the body's angular velocity
    Vec3 axle, axleRate, normalRate;
    Vec3 spin;  ///< angular velocity of the material on the rim, slip included
    double turn = 0.0, frameTurn = 0.0;
  };
  struct SpanNow {
    bool ok = true, wheels = false;
    bool skew = false;  ///< it has a corner where it touches a rim
    double length = 0.0, rest = 0.0;
    Vec3 n = Vec3::Zero(), slope = Vec3::Zero(), slopeRate = Vec3::Zero();  ///< x' and its rate
    /// By end: where, how that place moves, its lever from the wheel's centre with its rate, the material's velocity.
    std::array<Vec3, 2> x, rate, arm, armRate, m;
    std::array<Vec3, 2> pull, moment;                       ///< gradient of the length, about the wheel's centre
    std::array<double, 2> lump{0.5, 0.5};                   ///< shares of its mass at its ends, where mass is lumped
    std::array<double, 2> angle{}, s{}, flowed{}, sRate{};  ///< flowed: change of s in this step
    std::array<Vec2, 2> facing;                             ///< cosine and sine of the angle
  };
  /// Mass, first and second moment about the centre of what moves with a rim: ∫ρ, ∫ρ a, ∫ρ (a² 1 − a aᵀ).
  struct RimMass {
    double mass = 0.0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    void point(double mass, const Vec3& arm);
    Vec3 momentum(const WheelNow& w) const { return mass * w.velocity + w.spin.cross(first); }
    Vec3 angular(const WheelNow& w) const;
  };
  /// Momentum of all that moves with a rim and the force on it, given out to what moves the rim.
  struct RimLoad {
    bool any = false;
    double spin = 0.0, torque = 0.0;  ///< of the rotor
    double slide = 0.0, push = 0.0;   ///< of what slips over it
    Vec3 p, l, force, moment;         ///< of the body, about its centre; only where it moves
  };
  /// The velocity of the material before anything came or went: the two ends of pieces over which it is linear in s.
  struct Moved {
    double s = 0.0;
    Vec3 m = Vec3::Zero();
  };

 public:
  /// A strand at an instant, worked out once for rows, mass and forces.
  struct Page {
    std::vector<WheelNow> wheels;
    std::vector<RimMass> arcs;  ///< what lies on each wheel
    std::vector<RimLoad> loads;
    std::vector<Motion> nodes;
    std::vector<SpanNow> spans;
    std::vector<Tackle::Now> tackles;
    bool stillSeen = false;  ///< wheels that never move have been looked at
    bool tackled = false;    ///< tackles are in `tackles`
    bool whole = false;      ///< what is inside of them is in the others too
  };

 private:
  /// As the instant's cache has it: whole, or of tackles only what a step needs.
  const Page& look(const Instant& now) const;
  const Page& glance(const Instant& now) const;
  void lookAtAll(const Instant& now, Page& page) const;
  double kinetic(const Instant& now, const Page& page) const;
  double potential(const Instant& now, const Page& page) const;
  bool lookAtTackles(const Instant& now, Page& page) const;
  void layOnWheel(const Vec3& gravity, int st, Page& page) const;
  Tackle::End tackleEnd(const Vec3& gravity, const Page& page, int segment, int end) const;
  Tackle::Strand toTackles() const;
  template <class Kept>
  auto tackleMemory(Kept& state) const {
    return Tackle::MemoryOf<Kept>{overlays<WheelMemory>(state.memory, element_->memory, wheelCount()),
                                  overlays<double>(state.memory, element_->memory + restsFrom(), segmentCount())};
  }
  /// Stations of wheels, and segments: all, or (`tackled`) those that are not inside a tackle.
  template <class Visit>
  void everyWheel(bool tackled, Visit&& visit) const {
    for (const int i : outside_)
      if (tackled && !reeved_[static_cast<std::size_t>(i)]) visit(wheelStation_[static_cast<std::size_t>(i)]);
    for (int st = 0; !tackled && st < stationCount(); ++st)
      if (station(st).wheel) visit(st);
  }
  template <class Visit>
  void everyStation(bool tackled, Visit&& visit) const {
    for (int st = 0; !tackled && st < stationCount(); ++st) visit(st);
    if (!tackled) return;
    for (const int st : freeStations_) visit(st);
  }
  template <class Visit>
  void everySegment(bool tackled, Visit&& visit) const {
    for (int i = 0; !tackled && i < segmentCount(); ++i) visit(i);
    if (!tackled) return;
    for (const int i : freeSpans_) visit(i);
  }
  /// Calls visit(tackle, as it is now) for all of them, where they are seen as such.
  template <class Visit>
  void everyTackle(const Page& page, Visit&& visit) const {
    for (std::size_t k = 0; page.tackled && k < tackles_.size(); ++k) visit(tackles_[k], page.tackles[k]);
  }
  void lookAtWheel(const Instant& now, const Wheel& w, bool seen, WheelNow& out) const;
  void lookAtSpan(const Instant& now, const Page& page, int segment, SpanNow& out) const;
  /// A span with a wheel at an end: where it touches and how that place runs.
  void lookAtTangent(const Instant& now, const Page& page, const Segment& g, SpanNow& out) const;
  bool lookBetweenWheels(const Page& page, const Segment& g, SpanNow& out) const;
  void lookAtFlow(const Instant& now, const Page& page, const Segment& g, int end, SpanNow& out) const;
  /// Mass and moments of what lies on a wheel between two spans, about its centre.
  void arcOf(const Wheel& w, const WheelNow& at, const SpanNow& in, const SpanNow& out, RimMass& arc) const;
  void loadRim(const Vec3& gravity, const Wheel& w, const WheelNow& at, const RimMass& arc, const SpanNow& in,
               const SpanNow& out, RimLoad& load) const;
  /// Momentum at one end of a span (∫ρ (1−α) ẋ or ∫ρ α ẋ), which goes with the change of the directions, and what acts.
  struct EndLoad {
    Vec3 force, momentum;
  };
  EndLoad endLoad(const Vec3& gravity, const SpanNow& s, int end) const;
  void coupleRim(const Instant& now, const Wheel& w, const WheelNow& at, const RimMass& sum, std::size_t hubs,
                 PatchSet& out) const;
  void coupleRims(const Instant& now, const Page& page, const Segment& g, const SpanNow& span, double w,
                  std::size_t hubs, PatchSet& out) const;
  /// The end of a span as something that carries mass: a rim, or a node with the material that flows through it.
  void carryEnd(const Page& page, const Segment& g, const SpanNow& span, int end, Motion& out) const;
  /// The ends of a span that is skew to a rim (strand_skew.cpp): the places where it touches, how far those run along
  /// the rims, the material that passes them, and its motion in the span.
  struct SkewEnds {
    std::array<Motion, 2> place, material;
    std::array<Flow, 2> run, flow;
  };
  void skewEnds(const Page& page, const Segment& g, const SpanNow& span, SkewEnds& out) const;
  template <class Visit>
  void everyLoad(const Model& model, const Page& page, bool tackled, Visit&& visit) const;
  template <class Visit>
  void everyRim(const Page& page, bool tackled, Visit&& visit) const;
  bool turns(const Segment& g) const { return station(g.from).wheel || station(g.to).wheel; }

  int stationCount() const { return static_cast<int>(stations_.size()); }
  int segmentCount() const { return static_cast<int>(segments_.size()); }
  int wheelCount() const { return static_cast<int>(wheels_.size()); }
  int slideCount() const { return static_cast<int>(slides_.size()); }
  const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  const Wheel& wheel(int i) const { return wheels_[static_cast<std::size_t>(i)]; }
  const Station& station(int i) const { return stations_[static_cast<std::size_t>(i)]; }
  /// m: a trial of the solver may take a segment for less than nothing, whose mass would be negative.
  double floorRest() const { return 0.1 * nearest_; }
  /// Material on a segment along a chart.
  double materialOn(const Instant& now, const Segment& g) const {
    const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
    return std::max(materialAt(now, n1) + g.around - materialAt(now, n0), floorRest());
  }
  // Its memory, see strand_state.h. Of a State that is const it is const.
  template <class T, class Memory>
  auto& remembered(Memory& numbers, int first) const {
    return overlay<T>(numbers, element_->memory + first);
  }
  template <class Kept>
  auto& wheelMemory(Kept& state, int wheel) const {
    return remembered<WheelMemory>(state.memory, wheel * numbersIn<WheelMemory>);
  }
  /// Rest length of a straight segment with a wheel at an end, at the start of the step: differences of s itself would
  /// round as the strand grows long.
  template <class Kept>
  auto& restLength(Kept& state, int segment) const {
    return remembered<double>(state.memory, restsFrom() + segment);
  }
  int restsFrom() const { return wheelCount() * numbersIn<WheelMemory>; }
  template <class Kept>
  auto& spareMemory(Kept& state, const Spare& spare) const {
    return remembered<SpareMemory>(state.memory, spare.kept);
  }
  template <class Kept>
  auto& touchMemory(Kept& state, const Node& n) const {
    return remembered<TouchMemory>(state.memory, n.touch);
  }
  /// Material coordinate of a free Lagrangian node.
  template <class Kept>
  auto& materialOf(Kept& state, const Node& n) const {
    return remembered<double>(state.memory, n.kept);
  }
  /// Whether a free end has slipped out of this hole.
  template <class Kept>
  auto& goneFrom(Kept& state, const Node& n) const {
    return remembered<Flag>(state.memory, n.gone);
  }
  /// Whether the strand is off this surface.
  template <class Kept>
  auto& offPad(Kept& state, const Pad& pad) const {
    return remembered<Flag>(state.memory, pad.kept);
  }
  /// The segment a hole slides along; -1: it has left the strand.
  template <class Kept>
  auto& segmentOf(Kept& state, const Slide& slide) const {
    return remembered<Whole>(state.memory, slide.kept);
  }
  /// The angle of its twist, rad: whole turns count.
  template <class Kept>
  auto& twistOf(Kept& state) const {
    return remembered<double>(state.memory, twist_.kept);
  }
  /// Whether it has gone through a candidate.
  template <class Kept>
  auto& goneThrough(Kept& state) const {
    return remembered<Flag>(state.memory, lost_);
  }
  /// The order of its stations: 1 + which comes next, built ones first, then spares; 0 after the last.
  template <class Kept>
  auto orderOf(Kept& state) const {
    return overlays<Whole>(state.memory, element_->memory + order_, room_);
  }
  int lengthSlot(int segment) const { return element_->slot + segment; }
  /// Slots are for as many stations as there may be.
  int room() const { return room_; }
  int frictionSlot(int st) const { return element_->slot + room() + st; }
  /// Where every wheel rolls and nothing else is on the way, there is no friction and no tangency.
  int sideRoom() const { return rollsOnly_ ? 0 : room_; }
  int gaugeSlot(int st) const { return element_->slot + room() + sideRoom() + st; }
  int bendSlot(int st) const { return element_->slot + room() + 2 * sideRoom() + 3 * st; }
  /// Where nothing bends and nothing lies on a chart, nobody asks for these: over wheels every slot counts.
  int bendRoom() const { return settings_.material.bending > 0.0 || !grounds_.empty() ? 3 : 0; }
  int stopSlot(int segment) const { return bendSlot(0) + bendRoom() * room() + segment; }
  int slideSlot(int slide) const { return stopSlot(room()) + 2 * slide; }
  int twistSlot() const { return slideSlot(slideCount()); }
  int touchSlot(int node) const { return twistSlot() + 1 + node; }
  int segmentBefore(int st) const;
  int segmentAfter(int st) const;

  Vec2 parameters(const Instant& now, const Node& n) const;
  Vec2 parameterRates(const Instant& now, const Node& n) const;
  double materialAt(const Instant& now, const Node& n) const;
  double flowRate(const Instant& now, const Node& n) const;

  /// Directions of a chart's two parameters, and their change.
  struct Along {
    Eigen::Matrix<double, 3, 2> a, d;
  };
  /// `phase`: turned by so much about the chart's axis, for integrals over many turns (geometry/turn_rule.h).
  Along groundMotion(const Instant& now, const Ground& ground, const Vec2& u, const Vec2& rate, Motion& m,
                     double phase = 0.0) const;
  LinkFrame wheelFrame(const Instant& now, const Wheel& w) const;
  /// The wheel's turn relative to its frame, and the frame's own turn about its normal, in this step.
  double wheelTurn(const Instant& now, const Wheel& w) const;
  double frameTurn(const Instant& now, const Wheel& w) const;

  double chartLength(const Instant& now, const Segment& g, std::array<Vec2, 2>& gradient) const;
  double chartCurvature(const Ground& ground, const Vec2& a, const Vec2& b) const;
  /// Material points along a chart segment or a wheel: calls visit(end, ρ ds).
  template <class Visit>
  void alongChart(const Instant& now, const Segment& g, Visit&& visit) const;
  End chartEnd(const Instant& now, const Segment& g, double alpha, double phase = 0.0) const;

  double strainDamping() const;
  /// N: of the last step; before the first one what the law says of the start.
  double tensionOn(const Instant& now, const State& state, int segment) const;
  void lengthRow(const Instant& now, const Page& page, int segment, RowSet& out) const;
  void frictionRow(const Instant& now, int st, RowSet& out) const;
  bool rubs(const State& past, int first, int last) const;
  void gripRow(const Instant& now, int segment, RowSet& out) const;
  /// Whether friction along a guide acts where the strand comes on and where it leaves, not in the middle.
  bool gripsAtEnds(const Node& n) const;
  void gripEndRow(const Instant& now, int st, RowSet& out) const;
  void addDrag(const Instant& now, Forces& out) const;
  void stopRow(const Instant& now, int segment, RowSet& out) const;
  void stopWheels(const Instant& now, int segment, RowSet& out) const;
  void gaugeRow(const Instant& now, int st, RowSet& out) const;
  void bendRows(const Instant& now, int st, RowSet& out) const;
  SlideNow slideNow(const Instant& now, const Slide& slide, int segment) const;
  void slideRows(const Instant& now, const Page& page, RowSet& out) const;
  void slideForces(const Instant& now, const State& state, std::vector<LinkView>& links) const;
  bool slideOn(const Instant& now, State& state, Events& events) const;
  double twistAngle(const Instant& now, const Page& page) const;
  void twistRow(const Instant& now, const Page& page, RowSet& out) const;
  /// A direction of the strand that its twist is carried along: a clamped end, a span, an end of an arc.
  struct Heading {
    enum Kind : std::uint8_t { clamp, span, rim, chart } kind;
    int index, end;  ///< segment, and which of its ends
    Vec3 t;
  };
  void pushHeading(const Instant& now, const Page& page, const Heading& h, const Vec3& w, RowSet& out) const;
  void pushParameters(const Node& n, const Vec2& d, RowSet& out) const;
  Mat3 groundTurn(const Instant& now, const Ground& ground) const;
  Vec3 rimTangent(const Page& page, const Segment& g, const SpanNow& s, int end) const;
  /// The displacement of a moving point along `direction`, as entries of the row being written.
  static void pushMotion(const Motion& m, const Vec3& direction, RowSet& out);
  void chartBendRow(const Instant& now, int segment, RowSet& out) const;
  /// The end of a span on a wheel: where, and what moves the material there.
  Motion wheelEnd(const Instant& now, int segment, bool last) const;
  bool bends(int st) const;
  double turnAt(const Instant& now, int st) const;
  /// A patch to add to: that of a body many wheels sit on is found again among the first few since `first`.
  static Patch& hubPatch(PatchSet& out, std::size_t first, int a, int b);
  void pushRim(const WheelNow& wn, const Wheel& w, const Vec3& pull, const Vec3& moment, RowSet& out) const;

  bool lifted(const Instant& now, const Node& n) const {
    if (n.gone >= 0) return goneFrom(now.past(), n);
    return n.pad >= 0 && offPad(now.past(), pads_[static_cast<std::size_t>(n.pad)]);
  }
  bool onChart(const Instant& now, const Segment& g) const {
    return g.chart >= 0 && !lifted(now, node(station(g.from).index));
  }
  Motion liftedMotion(const Instant& now, const Node& n) const;
  End liftedEnd(const Instant& now, const Segment& g, double alpha) const;
  void restRows(const Instant& now, int st, RowSet& out) const;
  /// Where a strand from x0 to x1 touches a pad: parameters of its nodes and lengths before, on and after it.
  struct Touch {
    bool through = false;
    Vec2 u[2] = {Vec2::Zero(), Vec2::Zero()};
    double length[3] = {0, 0, 0};
  };
  Touch touch(const Pad& pad, const Vec3& x0, const Vec3& x1) const;
  // What comes and goes (strand_corners.cpp), the order of stations (strand_layout.cpp), what free nodes come against
  // (strand_touch.cpp).
  double nearestOf(const Segment& g) const;
  Role roleOf(const State& state, const Spare& spare) const {
    return static_cast<Role>(static_cast<int>(spareMemory(state, spare).role));
  }
  void role(const State& state, const Spare& spare);
  /// What stands for a station in the order, see order_.
  int idOf(const Node& n) const { return n.spare >= 0 ? static_cast<int>(built_.size()) + n.spare : n.rover; }
  int stationsIn(const State& state) const;
  void insertStation(State& state, int after, const Node& node) const;
  void removeStation(State& state, int st) const;
  void replaceStation(State& state, int st, const Spare& spare) const;
  void moveSlots(State& state, const std::vector<int>& was) const;
  Beside beside(const Instant& now, const Feature& f, const Vec3& a, const Vec3& b, double later) const;
  /// Where a segment goes through what stands off a rim: the share of it, how far outside, and the way outward there.
  struct Crossing {
    bool ok = false;
    double share = 0.0, high = 0.0;
    Vec3 radial = Vec3::UnitX();
  };
  static Crossing crossRim(const Feature& f, const Vec3& x0, const Vec3& d, const Vec3& axis);
  void setTouch(const Instant& now, State& state, int node, int block, const Vec3& normal, const Vec3& point) const;
  void dropTouch(State& state, int node) const;
  bool touching(const State& state, int node) const;
  bool feel(const Instant& now, State& state) const;
  void touchRow(const Instant& now, int node, RowSet& out) const;
  /// Whether a node has to be kept out of candidates by a row of its own: a free node, or an end that hangs on what is
  /// not a candidate.
  bool isPoint(const Node& n) const { return n.touch >= 0 && (n.place == Place::free || n.place == Place::point); }
  bool goesThrough(const Instant& now) const;
  void standRow(const Instant& now, int node, RowSet& out) const;
  const Spare* waitingSpare(const State& state) const;
  void sample(const Instant& now, std::vector<Moved>& field) const;
  void keepMomentum(const Instant& fresh, const std::vector<Moved>& field, std::span<double> p) const;
  /// Where a strand goes through the plane in which a node stands beside a feature, in the world: the directions of its
  /// two parameters, their values, and the share of the segment.
  struct Stance {
    bool ok = false;
    Vec3 along = Vec3::UnitX(), out = Vec3::UnitY(), x = Vec3::Zero();
    double u = 0.0, w = 0.0, share = 0.0;
  };
  /// The next feature a straight segment would go through in the coming step, with where, and after which segment.
  struct Meeting {
    int segment = -1, feature = -1;
    Stance at;
    int stale = -1;  ///< station of a node beside the same feature, which is off it and in the way
  };
  Meeting nextMeeting(const Instant& now, const State& state) const;
  Stance stance(const Instant& now, const Feature& f, const Vec3& x0, const Vec3& x1, const Vec3& normal) const;
  void stand(const Instant& now, State& state, const Spare& spare, int feature, const Stance& at, const Vec3& slope,
             const Vec3& m, double s) const;
  bool meetFeature(const Instant& now, State& state) const;
  bool mayGo(const State& state, int st) const;
  bool layOn(const Instant& now, State& state, Events& events) const;
  bool layOnRound(const Instant& now, State& state, const Spare& spare, const Feature& f, int feature) const;
  bool letGo(const Instant& now, State& state, Events& events) const;
  bool letGoArc(const Instant& now, State& state, const Spare& first) const;
  bool strays(const Instant& now, State& state, const Spare& spare) const;
  bool clears(const Instant& now, const Spare& spare, const Feature& f) const;
  bool tellContact(const Instant& now, State& state, Events& events) const;
  bool leavesArc(const Instant& now, const State& state, const Spare& first, const Spare& second) const;
  void sleep(const Instant& now, State& state, const Spare& spare) const;
  void write(const Instant& now, State& state, int block, const Vec3& q, const Vec3& v) const;
  void freeAt(const Instant& now, State& state, const Spare& spare, const Vec3& x, const Vec3& v, double s) const;
  bool slipsOff(const Instant& now, State& state, const Spare& spare) const;
  Pad padOf(const Feature& f, const Vec3& axis) const;
  // Free nodes that come and go (strand_rovers.cpp).
  /// An end of a piece of strand that is laid anew: where, how that place moves, and the material there.
  struct Hold {
    Vec3 x = Vec3::Zero(), rate = Vec3::Zero();
    double s = 0.0, sRate = 0.0;
  };
  Hold hold(const Instant& now, int segment, int end) const;
  /// A taut strand from one hold to another round a round part, now and a moment later.
  struct Bight {
    bool outside = false;  ///< both ends are
    double deep = 0.0;     ///< m: by how much the radius is smaller than the part's
    double length() const { return here.length[0] + here.length[1] + here.length[2]; }
    Vec3 axis = Vec3::UnitZ();
    Touch here, next;
  };
  /// Places of a strand between two holds, in order, in the world. From `arc` to the next it goes by `turn` about
  /// `axis` (on the body), straight everywhere else.
  struct Course {
    std::array<Vec3, 3> x;
    int count = 0, arc = -1;
    double turn = 0.0;
    Vec3 axis = Vec3::UnitZ();
  };
  Bight roundAbout(const Instant& now, const Feature& f, const Hold& a, const Hold& b, double deep,
                   const Course& course) const;
  /// The same as long as its material, if the part were a little smaller.
  Bight fitRound(const Instant& now, const Feature& f, const Hold& a, const Hold& b, const Course& course) const;
  bool joinRound(const Instant& now, State& state, int st, int feature) const;
  static Touch wind(const Pad& pad, const Vec3& a, const Vec3& b, double side, double turn);
  void layArc(const Instant& now, State& state, const Spare& first, const Spare& second, int feature,
              const Bight& bight, const Hold& a, const Hold& b) const;
  void park(const Instant& now, State& state, const Node& n) const;
  void takeOut(const Instant& now, State& state, int st) const;
  bool relay(const Instant& now, State& state, int st, bool before, const Hold& far) const;
  int roundPart(const State& state, int st) const;
  void loosen(State& state, int segment, double slack) const;
  bool thin(const Instant& now, State& state) const;
  bool fill(const Instant& now, State& state) const;
  bool handOver(const Instant& now, State& state) const;
  Vec3 onFeature(const Instant& now, const Feature& f, const Vec3& x, Vec3& normal) const;
  /// What would be lost of the kinetic energy if this free node vanished, J; none while its strand is bent there.
  std::optional<double> lossWithout(const Instant& now, int st) const;
  bool vanish(const Instant& now, State& state, Events& events) const;
  /// What came and went before a step: whether anything did, and whether it was struck.
  struct Changes {
    bool any = false, struck = false;
  };
  Changes meet(const Instant& now, State& state, std::vector<Moved>& before, Events& events) const;
  const Strand& arrangedAt(const Instant& now) const;
  bool slipOut(const Instant& now, State& state, Events& events) const;
  bool liftAndMeet(const Instant& now, State& state, std::vector<Moved>& before, Events& events) const;
  void noticeStop(const Instant& now, int segment, const State& state, Events& events) const;
  /// Free nodes one after the other, `low` to `high` of which may go elsewhere, in the segments `begin` to `end`.
  struct Run {
    int begin = 0, end = 0, low = 0, high = 0, next = 0;
    bool movable = false;
  };
  Run runAt(int st) const;
  /// What the segments of a run have: kinetic energy, momentum, and its moment about the origin.
  struct RunMotion {
    double kinetic = 0.0;
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  };
  class RunProblem;
  struct Resampled {
    Run run;
    RunMotion before;
  };
  /// Moves free nodes that came too near to the next one to where the strand is coarsest.
  void resample(const Instant& now, State& state, std::vector<Resampled>& moved) const;
  bool relocate(const Instant& now, State& state, const Run& run, int out, bool stays) const;
  RunMotion runMotion(const Page& page, const Run& run) const;
  bool holdsRun(const Instant& now, int st) const;
  /// Gives a run of which a node was put elsewhere the motion it had: strand_keep.cpp.
  void keepMotion(const Instant& fresh, State& state, const Run& run, const RunMotion& before) const;
  bool freeNode(int st) const {
    return !station(st).wheel && node(station(st).index).kept >= 0 && node(station(st).index).spare < 0;
  }

  // Building.
  struct Draft;
  std::expected<void, Problem> addLink(const CableSite& site, Draft& draft, std::size_t index);
  std::expected<void, Problem> addWheel(const CableSite& site, Draft& draft, std::size_t index);
  std::expected<void, Problem> addGuide(const CableSite& site, Draft& draft, std::size_t index);
  void addSlide(const CableSite& site, Draft& draft, std::size_t index, const Vec3& point_B, bool last);
  std::expected<void, Problem> addTube(const CableSite& site, Draft& draft, std::size_t index);
  /// The strand a link rides on; `ridden` becomes the node it names, counted along that strand, or −1.
  std::expected<const Strand*, Problem> hostOf(const CableSite& site, std::size_t index, const std::string& cablePath,
                                               int& ridden) const;
  void addGuideNode(const CableSite& site, Draft& draft, std::size_t index, int chart, const std::vector<double>& place,
                    bool leaves);
  static std::expected<void, Problem> checkPath(const std::vector<Vec3>& points, const std::string& path);
  Vec3 onGround(const Instant& now, const Ground& ground, const Vec2& u) const;
  std::expected<void, Problem> addBetween(const CableSite& site, Draft& draft, std::size_t index, const Strand& host,
                                          int ridden);
  std::expected<void, Problem> addRide(const CableSite& site, Draft& draft, std::size_t index);
  std::expected<void, Problem> finishBuilding(const CableSite& site, Draft& draft);
  SpanLink draftLink(const Instant& now, const Draft& draft, const Station& st) const;
  int sharedChart(const Station& a, const Station& b) const;
  bool startsOff(const Station& st) const;
  void placeLifted(Draft& draft) const;
  void moveToTangent(const Instant& now, Draft& draft, std::size_t k, std::size_t other) const;
  void ringsAreNotTangent();
  void moveToTangents(const Instant& now, Draft& draft) const;
  /// The station outside the guide whose span a node must be tangent to, or −1.
  int outsideOf(std::size_t k) const;
  std::expected<void, Problem> checkTangents(const Instant& now, const Draft& draft) const;
  std::expected<void, Problem> checkWinding(const Instant& now, const Draft& draft) const;
  double cosineOntoGuide(const Instant& now, const Draft& draft, std::size_t k) const;
  std::string howToWind(const Instant& now, const Draft& draft, std::size_t k) const;
  std::expected<double, Problem> addFreeNodes(const Instant& now, Draft& draft);
  std::expected<void, Problem> placePads(const Draft& draft);
  double draftLength(const Instant& now, const Draft& draft, const Segment& g, double free);
  std::expected<void, Problem> measure(const Instant& now, const Draft& draft, double free);
  void closeWraps();
  void makeCoordinates(const CableSite& site, const Draft& draft);
  void makeSlides();
  std::expected<void, Problem> addFeatures(const CableSite& site, const Draft& draft);
  void addFeature(int block, const Shape& shape);
  void makeSpares(const CableSite& site);
  std::expected<void, Problem> checkClear(const CableSite& site, const Draft& draft) const;
  void makeEnds();
  bool rolls(int st) const;
  void addSheave(int st, Tackle& t) const;
  void makeTackles();
  std::expected<void, Problem> makeTwist(const Instant& now, const Draft& draft);

  const Element* element_ = nullptr;
  CableSettings settings_;
  // What candidates change in the course of a run follows from this strand's memory; arrange() writes it. Without
  // candidates it stays as it was built.
  std::vector<Node> nodes_;
  std::vector<Wheel> wheels_;
  std::vector<Ground> grounds_;
  std::vector<Pad> pads_;
  std::vector<Feature> features_;
  std::vector<Solid> solids_;
  std::vector<Spare> spares_;
  std::vector<int> rovers_;  ///< free nodes of a strand with candidates, by node
  std::vector<Slide> slides_;
  Twist twist_;
  std::vector<Station> stations_;
  std::vector<Segment> segments_;
  std::vector<Station> built_;     ///< stations at the start
  std::vector<double> arranged_;   ///< the memory the present order was made from
  std::vector<LinkMount> mounts_;  ///< by link of the route
  std::vector<double> startMemory_;
  double density_ = 0.0;  ///< kg/m
  double length_ = 0.0;   ///< m, of all its material
  double finest_ = 0.0;   ///< m: free nodes nearer to the next one are put elsewhere
  double spacing_ = 0.0;  ///< m: of free nodes at the start
  double nearest_ = 0.0;  ///< m: no segment gets shorter, its ends stop
  int room_ = 0;          ///< most stations there may be
  std::vector<Tackle> tackles_;
  std::vector<int> wheelStation_;  ///< by wheel
  std::vector<char> reeved_;       ///< by wheel: part of a tackle
  std::vector<int> outside_;       ///< wheels that are not inside of one
  std::vector<int> freeStations_;  ///< stations that are in none
  std::vector<int> freeSpans_;     ///< segments that are not
  int order_ = 0;  ///< in this strand's memory: 1 + which station comes next, built ones first, then spares
  int lost_ = -1;  ///< in this strand's memory: 1 once it has gone through a candidate
  bool closed_ = false;
  bool rollsOnly_ = false;
  bool touches_ = false;  ///< free nodes come against candidates
};

struct StrandCache : ElementCache {
  std::optional<Strand> own;  ///< of a strand with candidates, arranged as this instant's state says
  Strand::Page page;
};

}  // namespace reeve
