#pragma once
// Hoist cable (García-Fernández, Pla-Castells, Martínez-Durá: Elevation Cable Modeling for Interactive Simulation of
// Cranes, 2008): one tension through any number of frictionless pulleys, a length that is reeled in and out, and
// transverse waves on every span.
//
// Tension. The cable is one row (sections 3.1, 3.3):
//     C = Σ arc_i + Σ wrap_i − L(t),     λ = −T ≤ 0,     compliance L/EA, damping as the material's
// arc_i is the length of span i's wave (span_wave.h), wrap_i what lies on pulley i. A link with friction cuts the cable
// in two runs with a tension each; what slides over it is a coordinate s, and a row ṡ = 0 whose multiplier obeys the
// capstan law, as in joints_cable.h. L(t) = L₀ + payout(t), stopped where the drum is empty. `pull: force` is eq. 1 as
// published: T = EA/L (l − L) + c (l̇ − L̇) at the start of the step, an explicit force
// (limited to what the step can bear: hoist_explicit.cpp).
//
// Waves. A span's field is remembered, not a coordinate of the solver: for given ends and tension it follows from one
// tridiagonal solve, and what that says of the row (length, gradient, compliance) and of the ends (forces, stiffness)
// makes Newton on (bodies, tensions) the same as Newton on everything. The frame across a chord is carried along
// without spin, so the vertical is nothing special. Cable mass moves across the chord with its inertia and weighs on
// both ends; along the chord it weighs and is inert as a run that stretches evenly (hoist_along.cpp).
// `wave_scheme: explicit` is section 4.1: central differences with the tension of the start of the step, set to zero
// and suspended while √(T/ρ) h M/l ≥ √2/2, resumed from zero.
//
// Contact (section 4.2). A span that comes near a candidate body (bounding capsule first, then its links) gets a node
// where it is about to touch. The paper's node is a point of the surface that is moved about; here it is the section of
// the shape by the plane of cable and normal (geometry/wrap_contact.h), on which the cable lies as on a pulley that
// does not turn: the path is a function of where the bodies are, so contact makes no energy, and its friction is the
// capstan's. Across its plane the cable drags the section along, beyond friction. The node goes when the tension no
// longer presses (t·n ≥ 0), or, with waves, when all that the cable does there (tension, weight, inertia) no longer
// does. On a half-space, which has no section, the node is a point that stays where it is; but on a level one that
// never moves there are no nodes: a span that comes down on it lies there at rest (lying_span.h).
//
// A span that pulls cannot become shorter than the cable is thick: an end drawn up to a contact, a point or a pulley
// stops there (a row that pushes), two pulleys stop where they touch, an event tells of it, and a winch that still
// reels in stands until it is let out. So it does when it has drawn its falls straight, and could only stretch them.
#include <algorithm>
#include <optional>

#include "reeve/cables/cable.h"
#include "reeve/cables/hoist/beside_body.h"
#include "reeve/cables/hoist/hanging_ends.h"
#include "reeve/cables/hoist/span_flow.h"
#include "reeve/cables/hoist/span_lanes.h"
#include "reeve/geometry/tangent_span.h"
#include "reeve/geometry/wrap.h"
#include "reeve/geometry/wrap_contact.h"

namespace reeve {

class HoistCable : public Cable {
 public:
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);

  CableModel model() const override { return CableModel::hoist; }
  int slots() const override { return 3 * capacity(); }
  int memorySize() const override;
  int sheets() const override { return !waves() ? 0 : explicitWaves() ? 2 : 4; }
  int scratchSize() const override;
  void start(const Instant& now, std::span<double> memory) const override;
  void layOut(std::span<Sheet> sheets) const override;
  void begin(const Instant& now, const Gauge& gauge, State& state, std::vector<Notice>& notices) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  void forces(const Instant& now, Forces& out) const override;
  void mass(const Instant& now, PatchSet& out) const override;
  void finish(const Instant& now, State& state, std::vector<Notice>& notices) const override;
  double energy(const Instant& now, std::span<const double> force) const override;
  std::string rowName(int localSlot) const override;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override;
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points,
            std::vector<double>& tensions) const override;
  std::string reel(State& state, CableEnd end, double rate) const override;

 private:
  /// What does not change of a node: a link of the route, or a place for a contact.
  struct Node {
    LinkType type = LinkType::pinhole;
    LinkMount mount;
    Outline outline = Outline::point();
    Vec3 center_B = Vec3::Zero();
    Vec3 x_B = Vec3::UnitX(), y_B = Vec3::UnitZ(), normal_B = Vec3::UnitY();
    int sigma = 1;
    double friction = 0.0;
    int slip = -1;         ///< block of the material that slides over it
    bool contact = false;  ///< comes and goes; its body and place are remembered
    bool still = false;    ///< on a body that never moves
    bool round() const { return !outline.isPoint(); }
  };
  enum Global {
    count_,
    explicitTension_,
    stopped_,
    limited_,   ///< explicit force: the step cannot bear the stiffness
    holding_,   ///< the winch stands, because a span is used up (1), or because it has drawn its falls straight (2)
    held_,      ///< m, payout while it stands
    heldBack_,  ///< m, what it has not reeled in so far while it stood
    full_,      ///< it was told that no contact is left to make
    inside_,    ///< it was told that the cable is deep inside a body
    globals
  };
  /// What is remembered of a node, and of the span after it.
  enum Remembered {
    wrapLength_,
    wrapAngle_,
    exitS_,  ///< spools and links with friction: places of the contacts on the surface, continued over turns
    exitAngle_,
    entryS_,
    entryAngle_,
    stored_,
    empty_,  ///< of a spool on a rotor: nothing is wound on it any more, and it turns idly under the cable's end
    slipped_,
    body_,  ///< contact: candidate, shape, place and normal on the body
    shape_,
    wraps_,   ///< contact: 1, the cable lies on a section of the shape; 0, on a point of it (a floor)
    placeX_,  ///< that point, from the centre of mass
    placeY_,
    placeZ_,
    normalX_,  ///< of the plane of the section, or outward at the point; on the body
    normalY_,
    normalZ_,
    height_,   ///< m, of the plane above the shape's middle
    loose_,    ///< contact: friction does not hold the cable here (hoist_grip.cpp)
    pulls_,    ///< contact that is loose: s, how long the cable has pulled there
    born_,     ///< contact: when it was made, s
    press_,    ///< contact: what it was pressed on with at the end of the step (a point: lately), N; negative: it would
               ///< have to hold on
    across_,   ///< contact: and what it was pulled with across the plane of its section, along its normal, N
    hanging_,  ///< the span after it hangs at rest: hoist_hanging.cpp
    hangsFor_,  ///< and how many velocities of its ends are known: startSpeed and startForce are the last two
    hung_,      ///< m, its length then
    hungMore_,  ///< m, by how much that grew in the last step
    lies_,      ///< it lies on the floor: in part (1), in a heap (2)
    lifted_,    ///< what of it is off the floor, and how fast that grows, 1/s
    lifting_,
    slackFor_,  ///< s, how long it has been as slack as that; explicit: how long its wave could have begun again
    stop_,      ///< of the span after it: 1, nearly used up and watched; 2, its ends stand against each other
    rest_,      ///< of a run, at its first node: m
    error_,     ///< of a run: C at the end of the last step, m
    grown_,     ///< of a run: its change in that step, m
    link_,      ///< of the span's wave: δ, η, slope
    eta_,
    slope_,
    sideX_,  ///< first axis across the chord, world frame
    sideY_,
    sideZ_,
    startX_,  ///< where the chord's ends were
    startY_,
    startZ_,
    endX_,
    endY_,
    endZ_,
    startSpeedX_,  ///< explicit: velocity and acceleration of the ends
    startSpeedY_,
    startSpeedZ_,
    endSpeedX_,
    endSpeedY_,
    endSpeedZ_,
    startForceX_,
    startForceY_,
    startForceZ_,
    endForceX_,
    endForceY_,
    endForceZ_,
    flow_,        ///< m/s, of the span's material along its chord (hoist_along.cpp), at the end of the last step
    flowBefore_,  ///< and of the one before
    flows_,       ///< how many of them are known
    lift_,        ///< N, what the tension at the span's start is above its run's
    fall_,        ///< N, by how much it falls to the span's end
    drop_,        ///< N, by how much the pull along the chord does
    sink_,        ///< N, what its mean is less because the curve lies below its chord; foretold for the step
    sunk_,        ///< the same at the start of the step
    skew_,        ///< N, what its mean is above the pull along the chord over η
    deepest_,     ///< N, by how much the least of its run's spans is below the run: hoist_along.cpp
    fling_,       ///< m/s², along the chord, and
    swingX_,      ///< across it, world frame: what the chord's swinging does
    swingY_,
    swingZ_,
    flung_,  ///< both as they were at the start of the step
    swungX_,
    swungY_,
    swungZ_,
    madeWith_,   ///< s, step of the increments; 0: there are none
    suspended_,  ///< explicit: its wave rests: hoist_explicit.cpp
    power1_,     ///< explicit: sums of powers of the links' slopes, so that a length costs no walk along the span
    power2_,
    power3_,
    power4_,
    powerMost_,
    powerChord_,  ///< m, the chord that δ and η below belong to; 0 if none
    perNode
  };
  /// A chord at an instant, with its frame.
  struct Chord {
    SpanGeometry span;
    Vec3 side[2] = {Vec3::Zero(), Vec3::Zero()};
    bool straightEnds = false;  ///< both ends are points
  };
  /// What rows() leaves for the calls that follow at the same instant, one per node.
  struct Looked {
    bool made = false;    ///< scratch begins as zeros
    bool placed = false;  ///< its chord never moves and is here already
    int to = -1;          ///< node at the end of the span that starts here; -1: there is none
    Chord chord;
    WaveLane wave;
    double wrapLength, wrapAngle;  ///< on the node before the span
    double runError, runRest;      ///< of the run that starts here, if one does
    double flow, mass, share;      ///< along the chord: m/s, kg, and what of the run's length lies behind its middle
    double part;                   ///< of the run's length
    double lift, fall, drop;       ///< N, as remembered
    double own;                    ///< N, what its pull along the chord over η is above the run's tension; of that
    double moved;                  ///< N, what its inertia does
    DampsAlone damps;              ///< of a run
    // Where the span hangs: N/m, of either end and of the second by the first; and what the row's derivative along the
    // chord has at the first end beyond that of the second, turned round: a floor is not moved along with the ends.
    Mat3 stiffness[2], stiffnessBetween;
    double uneven = 0.0;
  };

  /// Where the ends of a span that hangs lie.
  struct Hang : HangingEnds {
    double weight = 0.0;             ///< N
    double heights[2] = {0.0, 0.0};  ///< m, of the ends above the floor, if there is one
  };
  struct HangingRun {
    int count = 0;  ///< of spans that hang
    double tension = 0.0, give = 0.0, length = 0.0, miss = 0.0;
  };
  /// Of one run, what moves it along its chords: a row for each node that can move, its gradient of the run's length.
  struct Along : Notebook::Page {
    struct Before {
      double mass, moment;  ///< of the spans before a node: kg, and kg times their shares
    };
    RowSet rows;
    RowSet sides;             ///< three for each of them: of the span before it, of the one after, of what slips
    std::vector<int> places;  ///< of those nodes
    std::vector<int> blocks;  ///< free ones, each once
    std::vector<Before> before;
    bool inert = true;       ///< not too many blocks
    Sheet shape, increment;  ///< of all spans, as last solved
  };
  /// What the lanes were prepared for.
  struct Prepared {
    double binding, rate, scale, h, second;
  };

  int capacity() const { return static_cast<int>(nodes_.size()); }
  const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  bool waves() const { return mass_ > 0.0; }
  bool explicitWaves() const { return settings_.waveScheme == WaveScheme::explicitly; }
  int pieces() const { return settings_.subdivisions; }
  int fieldNumbers() const { return 2 * (pieces() + 1); }
  int count(const State& s) const { return static_cast<int>(s.memory[at(memory + count_)]); }
  int nodeAt(const State& s, int place) const { return static_cast<int>(s.memory[at(memory + globals + place)]); }
  std::size_t cell(int i, int what) const { return at(memory + globals + capacity() + i * perNode + what); }
  double recall(const State& s, int i, int what) const { return s.memory[cell(i, what)]; }
  Vec3 recall3(const State& s, int i, int what) const {
    const double* p = s.memory.data() + cell(i, what);
    return Vec3(p[0], p[1], p[2]);
  }
  void keep3(State& s, int i, int what, const Vec3& x) const {
    for (int k = 0; k < 3; ++k) s.memory[cell(i, what + k)] = x[k];
  }
  /// Field 0 is u, 1 to 3 the increments, the newest first: a sheet each, span by span.
  std::size_t place(int i) const { return at(i) * at(fieldNumbers()); }
  const double* field(const State& s, int i, int which) const { return s.sheets[at(sheet + which)].data() + place(i); }
  double* editField(State& s, int i, int which) const { return s.sheets[at(sheet + which)].edit() + place(i); }
  int spanSlot(int i) const { return slot + i; }
  int frictionSlot(int i) const { return slot + capacity() + i; }
  int stopSlot(int i) const { return slot + 2 * capacity() + i; }
  Looked& looked(const Instant& now, int i) const;
  static std::size_t lookedSize() { return (sizeof(Looked) + sizeof(double) - 1) / sizeof(double); }
  static std::size_t preparedSize() { return sizeof(Prepared) / sizeof(double); }
  bool lanes() const { return waves() && !explicitWaves(); }
  int groups() const { return (capacity() + laneCount - 1) / laneCount; }
  double* keptOf(const Instant& now, int group) const;
  bool still(int from, int to) const { return node(from).still && to == from + 1 && node(to).still && !still_.empty(); }
  int slipOf(const State& s, int i) const { return node(i).contact && recall(s, i, loose_) != 0.0 ? -1 : node(i).slip; }
  bool startsRun(const State& s, int place) const { return place == 0 || slipOf(s, nodeAt(s, place)) >= 0; }

  const LinkMount& mountOf(const State& s, int i) const;
  bool round(const State& s, int i) const { return node(i).contact ? recall(s, i, wraps_) != 0.0 : node(i).round(); }
  const Shape& shapeOf(const State& s, int i) const;
  WrapPlane planeOf(const State& s, int i) const { return {recall3(s, i, normalX_), recall(s, i, height_)}; }
  const Outline& outlineOf(const State& s, int i) const;
  Vec3 outwardAt(const Instant& now, const State& s, int i, const Vec3& in, const Vec3& out) const;
  Vec3 placeOf(const State& s, int i) const;
  SpanLink spanEnd(const Instant& now, const State& s, int i) const;
  Chord chordOf(const Instant& now, const State& s, int from, int to) const;
  PowerSums sumsOf(const State& s, int i) const;
  void keepShape(State& s, int i) const;
  void keepSums(State& s, int i, const PowerSums& sums) const;
  double spanArc(const State& s, int i, double chord, WaveMetric* metric = nullptr) const;
  Wrap wrapOf(const State& s, int i, const SpanGeometry& before, const SpanGeometry& after) const;
  double bodyTurn(const Instant& now, const State& s, int i, const Vec3& axis) const;
  /// A wheel whose surface holds the cable, but for what slips: spools, and links with friction.
  bool grips(const State& s, int i) const {
    return round(s, i) && (node(i).type == LinkType::spool || slipOf(s, i) >= 0);
  }
  ContactTravel travelOf(const Instant& now, const State& s, int i, const SpanEnd& end, bool exit) const;
  double paid(const Instant& now, const State& s, int i, const SpanEnd& end, bool exit) const;
  double reelingRate(const Instant& now, const State& s, int i) const;
  void watchDrums(const Instant& now, State& s, std::vector<Notice>& notices) const;
  void emptyDrums(const Instant& now, State& s, std::vector<Notice>& notices) const;
  double askedPayout(const State& s, double time) const;
  double payoutAt(const State& s, double time) const;
  enum TunableField { reelRate_, reelBefore_, reelSince_ };  ///< keys of State::overrides
  double reeled(const State& s, double time) const;
  bool hangs() const { return waves() && !explicitWaves() && gravity_.squaredNorm() > 0.0; }
  Hang hangOf(const State& s, int i, const Chord& chord) const;
  int steepness(State& s, int i, const Chord& chord, double length) const;
  void settleHanging(const Instant& now, State& s, std::vector<Notice>& notices) const;
  void beginHung(const Instant& now, State& s, int i, int to, const Chord& chord) const;
  void forcesHung(const Instant& now, Forces& out) const;
  void massHung(const Instant& now, const State& s, int i, int to, double scale, PatchSet& out) const;
  void finishHung(const Instant& now, State& s, int i) const;
  double liftedShare(const State& s, int i, const Chord& chord) const;
  Vec3 endVelocity(const Instant& now, const State& s, int node, const Chord& chord, int e) const;
  /// Level floors that never move are no place for nodes: a span that comes down on one lies there (lying_span.h).
  bool overFloor() const { return hangs() && floor_ > -unbounded; }
  void findFloor(const Instant& now);
  bool isFloor(const Shape& shape) const { return std::find(floors_.begin(), floors_.end(), &shape) != floors_.end(); }
  bool touchesFloor(const State& s, int i, const Chord& chord) const;
  void tellLying(const Instant& now, State& s, int i, const Chord& chord, std::vector<Notice>& notices) const;
  LyingCurve hangingAt(const Vec3& start, const Vec3& end, double length) const;
  void flatten(const Instant& now, State& s, int i, int to) const;
  HangingRun hangRun(const Instant& now, const State& s, int first, int end, double others, double soft, double rest,
                     double stiff, double force) const;
  std::optional<double> stopGap(const Instant& now, const State& s, int from, int to, const Chord& chord) const;
  void stopRow(const Instant& now, const State& s, int from, int to, const Chord& chord, RowSet& out) const;
  double pullOf(const State& s, int place) const;
  bool straightened(const Instant& now, const State& s, double sine, double reels) const;
  void watchStops(const Instant& now, State& s, std::vector<Notice>& notices) const;
  void tellStops(const Instant& now, State& s, std::vector<Notice>& notices) const;
  double restOf(const Instant& now, const State& s, int place) const;
  double slipStep(const Instant& now, int i) const;
  double complianceOf(const State& s, int run, double rest) const;
  double linkMass(const State& s, int i) const { return mass_ * recall(s, i, link_); }
  void look(const Instant& now, const State& s) const;
  void aim(const Instant& now, const State& s, int i, double tension, bool fresh) const;
  void solveSpans(const Instant& now, bool fresh) const;
  void solveAlone(const Instant& now, Looked& look, int i) const;
  void writeAlone(const Instant& now, Looked& look, int i, const double* u) const;
  void freshPages(const Instant& now) const;
  LanePages pagesOf(const Instant& now, int group, const Lanes& lanes) const;
  void solveAgain(const Instant& now, int group) const;
  void gather(const Instant& now, int group, Lanes& lanes) const;
  WaveOutcome frozenWave(const State& s, int i, const Chord& chord, double tension) const;
  void pushEnd(const Instant& now, const State& s, int i, const SpanEnd& end, const Vec3& pull, const Vec3& moment,
               const Vec3& across, bool spins, RowSet& out, double eta = 1.0) const;
  void pushSpan(const Instant& now, const State& s, int place, const Looked& look, RowSet& out) const;
  int runEnd(const State& s, int first) const;
  void findMovers(const Instant& now, const State& s, int first, int end, Along& run) const;
  void lookAlong(const Instant& now, const State& s, int first, int end, Along& run) const;
  void liftAlong(const Instant& now, const State& s, int first, int end, bool moves) const;
  void keepLifts(const Instant& now, State& s, int first, int end) const;
  void lookAtChords(const Instant& now, const State& s) const;
  /// How a curve lies to its chord.
  struct Lie {
    Vec2 aside = Vec2::Zero();  ///< m, of its middle of mass across the chord
    double ahead = 0.0;         ///< m, along it, from the chord's middle
    double skew = 0.0;          ///< Σ ω δ/d of hoist_along.cpp
  };
  Lie lieOf(const State& s, int i) const;
  std::pair<double, double> sinkOf(const State& s, int i, const Chord& chord) const;
  void sinkAlong(const Instant& now, State& s, int first, int end) const;
  double endLift(const Looked& look, int e) const;
  double energyAlong(const Instant& now, const State& s) const;
  void beginAlong(const Instant& now, State& s) const;
  void forcesAlong(const Instant& now, Forces& out) const;
  void massAlong(const Instant& now, const State& s, int first, int end, Along& run, double scale, PatchSet& out) const;
  void finishAlong(const Instant& now, State& s) const;
  /// As published the cable has neither weight nor inertia along its chords.
  bool carriesAlong() const { return waves() && !explicitWaves(); }
  /// The mean tension of a span where that of its run is T, and what of it the wave feels: (6) of hoist_along.cpp.
  double meanTension(const State& s, int i, double T) const {
    return T > 0.0 ? T + eased(s, i, T) * aboveRun(s, i) : 0.0;
  }
  double ownTension(const State& s, int i, double T) const {
    return T > 0.0 ? T + eased(s, i, T) * (aboveRun(s, i) - recall(s, i, skew_)) : 0.0;
  }
  /// Its derivative by T.
  double ownShare(const State& s, int i, double T) const {
    return eased(s, i, T) < 1.0 ? 1.0 + easedShare * (aboveRun(s, i) - recall(s, i, skew_)) / recall(s, i, deepest_)
                                : 1.0;
  }
  double aboveRun(const State& s, int i) const {
    return recall(s, i, lift_) - 0.5 * recall(s, i, fall_) - recall(s, i, sink_);
  }
  static constexpr double easedShare = 0.9;
  double eased(const State& s, int i, double T) const {
    const double deepest = recall(s, i, deepest_);
    return easedShare * T < deepest ? easedShare * std::max(T, 0.0) / deepest : 1.0;
  }
  void easeAlong(State& s, int first, int end) const;
  Vec3 pullOn(const State& s, int i, const Chord& chord, double T, int e) const;
  void pullEnd(const Instant& now, const State& s, int i, const Vec3& point, const Vec3& force, Forces& out) const;
  void writeFields(const Instant& now, State& s) const;
  void rememberSpan(const Instant& now, State& s, int i) const;
  void explicitStep(const Instant& now, State& s, std::vector<Notice>& notices) const;
  bool suspends(const Instant& now, State& s, int i, const Chord& chord, double tension,
                std::vector<Notice>& notices) const;
  double feedback(const State& s, int i, double chord) const;
  double publishedTension(const Instant& now, State& s, std::vector<Notice>& notices) const;
  double bearable(const Instant& now, const State& s, double stiff) const;
  double endMobility(const Instant& now, const State& s) const;
  double mobilityOf(double slopes, double chord) const;
  double waveMobility(const State& s, int i, double chord) const;
  void settleGrips(const Instant& now, State& s) const;
  bool slackAt(const State& s, int place) const;
  bool heldBeside(const State& s, int i) const;
  bool touchesBeside(const State& s, int i) const;
  void letGo(State& s, int place) const;
  void holdOn(const Instant& now, State& s, int place) const;
  bool young(const State& s, int i, int to) const;
  void meet(const Instant& now, State& s, std::vector<Notice>& notices) const;
  Vec3 pullAt(const Instant& now, int place) const;
  Vec3 explicitPull(const Instant& now, const State& s, int place) const;
  double newShare(const Instant& now, int place) const;
  void keepPull(const Instant& now, State& s, int place, const Vec3& pull) const;
  double tensionOf(const State& s, int place) const;
  bool cutsInto(const Instant& now, const State& s, int place, int body, int shape, bool atAll) const;
  Without without(const Instant& now, const State& s, int place) const;
  bool passesOutside(const Instant& now, const State& s, int place) const;
  void leave(const Instant& now, State& s, std::vector<Notice>& notices) const;
  double staysOn(const Shape& shape, const WrapPlane& plane, double way) const;
  bool slideAside(const Instant& now, State& s, int place) const;
  void slideContacts(const Instant& now, State& s, std::vector<Notice>& notices) const;
  void settleErrors(const Instant& now, State& s) const;
  bool meetSpan(const Instant& now, State& s, int place, std::vector<Notice>& notices) const;
  int curvePieces() const;
  Vec3 pieceVelocity(const Instant& now, const State& s, int from, int to, const Chord& chord, int m) const;
  /// Where a span meets a body within the coming step.
  struct Hit {
    double time = 2.0;      ///< in steps
    double fraction = 0.0;  ///< of the curve
    int body = -1, shape = -1;
    Vec3 point = Vec3::Zero();   ///< of the cable, now
    Vec3 normal = Vec3::Zero();  ///< outward, on the body
    Vec3 place = Vec3::Zero();   ///< where it touches, on the body
    std::optional<WrapPlane> plane;
    bool edge = false;    ///< it has come down to the edge of a face that it lies on
    bool deep = false;    ///< it is inside a body already, and did not meet that
    bool behind = false;  ///< it is in the body, or behind it, and is met from the side it came from
  };
  void movesInto(const Instant& now, const State& s, int from, int to, const Chord& chord, const double* points,
                 double* moves) const;
  void meetShape(const Instant& now, State& s, int from, int to, const Chord& chord, int body, int shape,
                 const double* points, const double* moves, const double* drawn, Hit& best) const;
  bool comesNear(const Instant& now, State& s, const Chord& chord, int body, int shape, const double* points,
                 const double* moves, double aside) const;
  void meetPiece(const Instant& now, const State& s, int from, int to, const Chord& chord, int body, int shape, int m,
                 const double* points, const double* moves, Hit& best) const;
  bool drawnInto(const Instant& now, const State& s, int place, const Chord& chord, const double* points,
                 const double* moves, double* drawn) const;
  /// Where a candidate's body was before the last step, and by shape on which side of it the cable was (on the body; or
  /// zero).
  static constexpr int poseNumbers = 7;
  double* poseBefore(State& s, int body) const;
  double* sideOf(State& s, int body, int shape) const;
  void keepSide(const Instant& now, State& s, int place) const;
  void followSides(const Instant& now, State& s) const;
  void meetBehind(const Instant& now, State& s, int from, int body, int shape, const double* points,
                  const double* moves, Hit& best) const;
  /// Whether a link is a contact on a section of this shape.
  bool liesOn(const State& s, int i, int body, int shape) const {
    return node(i).contact && round(s, i) && recall(s, i, body_) == body && recall(s, i, shape_) == shape;
  }
  void meetEdge(const Instant& now, const State& s, int from, int to, const Chord& chord, int body, int shape,
                const double* points, Hit& best) const;
  bool tooNear(const State& s, int from, int to, const Chord& chord, Hit& hit) const;
  void layOnSection(const Instant& now, State& s, int place) const;
  void resample(const double* from, double start, double end, double* to) const;
  void fieldToWorld(const State& s, int i, const Chord& chord, int which, double* out) const;
  void fieldFromWorld(State& s, int i, const Chord& chord, int which, const double* in) const;
  void keepPlaces(State& s, int i, const Chord& in, const Wrap& wrap) const;
  void partRun(const Instant& now, State& s, int place, double arc, double fraction, const Wrap& wrap,
               const SpanGeometry& in) const;
  void settleShape(State& s, int i, const Chord& chord, double arc) const;
  void settleHung(State& s, int i, const Chord& chord, double arc) const;
  Chord between(const State& s, int i, const Vec3& start, const Vec3& end) const;
  double arcNow(const Instant& now, const State& s, int i, int to) const;
  std::size_t spare() const { return candidates_.empty() ? 0 : 9 * at(curvePieces() + 1); }
  std::optional<WrapPlane> planeOfEnds(const Instant& now, const State& s, int contact, const Hit& hit,
                                       const Chord& chord) const;
  bool insertNode(const Instant& now, State& s, int place, int contact, const Hit& hit) const;
  void removeNode(const Instant& now, State& s, int place) const;
  void curveInto(const State& s, int i, const Chord& chord, double* out) const;
  void waveInto(const double* u, const Chord& chord, double* out) const;
  void curveOf(const Instant& now, const State& s, int from, int to, std::vector<Vec3>& points) const;
  Vec3 curvePoint(const State& s, int i, const Chord& chord, int m) const;

  std::expected<void, Problem> addNode(const CableSite& site, std::size_t index);
  std::expected<void, Problem> checkSolver(SolverChoice solver) const;
  std::expected<void, Problem> checkCandidates(const CableSite& site, const State& s) const;
  bool deepInside(const Shape& shape, const WrapPlane& plane, double gap) const;
  bool bearsNothing(const State& s, const Instant& now) const;
  std::expected<void, Problem> measure(const CableSite& site);
  void hang(State& s, const Instant& now, double excess) const;
  void pluck(State& s, const Chord& chord, int i) const;
  void setMoving(State& s, const Instant& now) const;

  std::vector<Node> nodes_;
  std::vector<LinkMount> candidates_;
  std::vector<double> startMemory_;
  std::vector<Sheet> startSheets_;
  std::vector<Chord> still_;  ///< by its first node: chords between links that never move; empty if there is none
  CableSettings settings_;
  double mass_ = 0.0;  ///< kg/m
  double step_ = 0.0;  ///< s, of the scene: what begin() looks ahead
  Vec3 gravity_ = Vec3::Zero();
  int declared_ = 0;
  std::vector<const Shape*> floors_;
  double floor_ = -unbounded;  ///< m, the highest floor, by −gravity, the cable's radius above it
  bool drums_ = false;         ///< an end is on a spool that turns
  double shortest_ = 0.0;      ///< m, no span that pulls becomes shorter

  /// The outline of a contact in the plane it has in a state: a function of that plane, kept because it is asked for in
  /// every iteration. It may be thrown away at any time.
  struct Laid {
    int body = -1, shape = -1;
    WrapPlane plane;
    Outline outline = Outline::point();
  };
  mutable std::vector<Laid> laid_;  ///< by node
};

}  // namespace reeve
