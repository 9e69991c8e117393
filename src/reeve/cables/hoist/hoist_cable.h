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
#include "reeve/cables/hoist/hoist_cache.h"
#include "reeve/cables/hoist/hoist_state.h"
#include "reeve/cables/hoist/span_flow.h"
#include "reeve/cables/hoist/span_lanes.h"
#include "reeve/geometry/tangent_span.h"

namespace reeve {

class HoistCable : public Cable, public ElementMass {
 public:
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);

  CableTraits traits() const override { return {.word = "hoist"}; }
  int memorySize() const;
  int sheets() const { return !waves() ? 0 : explicitWaves() ? 2 : 4; }
  ElementLayout layout() const override {
    return {.slots = 3 * capacity(),
            .memory = memorySize(),
            .sheets = sheets(),
            .mass = this,
            .makeCache = makeCacheOf<HoistCache>,
            .readsCacheInBegin = false};
  }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void begin(const Instant& now, const StepContext& context, State& state) const override;
  void evaluate(const Instant& now, ElementCache& cache) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  void forces(const Instant& now, Forces& out) const override;
  void mass(const Instant& now, PatchSet& out) const override;
  void work(const Instant& now, std::span<const double> force, Doings& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  Energy energy(const Instant& now, std::span<const double> force) const override;
  const char* inspect(const State& state, const Inspection& how) const override;
  std::string nameOf(ElementPart part, int index) const override;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override;
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points,
            std::vector<double>& tensions) const override;
  std::string reel(State& state, CableEnd end, double rate) const override;

 private:
  using Chord = HoistChord;
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
    bool closes = false;   ///< a closed cable begins and ends here
    bool contact = false;  ///< comes and goes; its body and place are remembered
    bool still = false;    ///< on a body that never moves
    bool round() const { return !outline.isPoint(); }
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
  int capacity() const { return static_cast<int>(nodes_.size()); }
  const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  bool waves() const { return mass_ > 0.0; }
  bool explicitWaves() const { return settings_.waveScheme == WaveScheme::explicitly; }
  int pieces() const { return settings_.subdivisions; }
  int fieldNumbers() const { return 2 * (pieces() + 1); }
  int nodeMemory(int i) const { return memory + numbersIn<HoistState> + capacity() + i * numbersIn<NodeState>; }
  int poseMemory(int body) const { return nodeMemory(capacity()) + body * numbersIn<KeptPose>; }
  HoistState& stateOf(State& s) const { return overlay<HoistState>(s.memory, memory); }
  const HoistState& stateOf(const State& s) const { return overlay<HoistState>(s.memory, memory); }
  NodeState& stateOf(State& s, int i) const { return overlay<NodeState>(s.memory, nodeMemory(i)); }
  const NodeState& stateOf(const State& s, int i) const { return overlay<NodeState>(s.memory, nodeMemory(i)); }
  RouteOrder<Whole> routeOf(State& s) const {
    return {stateOf(s).count, &overlay<Whole>(s.memory, memory + numbersIn<HoistState>), false};
  }
  RouteOrder<const Whole> routeOf(const State& s) const {
    return {stateOf(s).count, &overlay<Whole>(s.memory, memory + numbersIn<HoistState>), false};
  }
  int count(const State& s) const { return routeOf(s).size(); }
  int nodeAt(const State& s, int place) const { return routeOf(s)[place]; }
  /// Field 0 is u, 1 to 3 the increments, the newest first: a sheet each, span by span.
  std::size_t place(int i) const { return at(i) * at(fieldNumbers()); }
  const double* field(const State& s, int i, int which) const { return s.sheets[at(sheet + which)].data() + place(i); }
  double* editField(State& s, int i, int which) const { return s.sheets[at(sheet + which)].edit() + place(i); }
  int spanSlot(int i) const { return slot + i; }
  int frictionSlot(int i) const { return slot + capacity() + i; }
  int stopSlot(int i) const { return slot + 2 * capacity() + i; }
  bool lanes() const { return waves() && !explicitWaves(); }
  int groups() const { return (capacity() + laneCount - 1) / laneCount; }
  std::size_t workSize() const;
  double* keptOf(HoistWaves& waves, int group) const;
  bool gentle(const HoistSpan& span) const;
  bool still(int from, int to) const { return node(from).still && to == from + 1 && node(to).still && !still_.empty(); }
  int slipOf(const State& s, int i) const { return node(i).contact && stateOf(s, i).loose ? -1 : node(i).slip; }
  bool startsRun(const State& s, int place) const { return place == 0 || slipOf(s, nodeAt(s, place)) >= 0; }

  const LinkMount& mountOf(const State& s, int i) const;
  bool round(const State& s, int i) const { return node(i).contact ? stateOf(s, i).wraps : node(i).round(); }
  const Shape& shapeOf(const State& s, int i) const;
  WrapPlane planeOf(const State& s, int i) const { return stateOf(s, i).plane(); }
  const Outline& outlineOf(const Instant& now, const State& s, int i) const;
  Vec3 outwardAt(const Instant& now, const State& s, int i, const Vec3& in, const Vec3& out) const;
  Vec3 placeOf(const State& s, int i) const;
  SpanLink spanEnd(const Instant& now, const State& s, int i) const;
  Chord chordOf(const Instant& now, const State& s, int from, int to) const;
  PowerSums sumsOf(const State& s, int i) const;
  void keepShape(State& s, int i) const;
  void keepSums(State& s, int i, const PowerSums& sums) const;
  double spanArc(const State& s, int i, double chord, WaveMetric* metric = nullptr) const;
  Wrap wrapOf(const Instant& now, const State& s, int i, const SpanGeometry& before, const SpanGeometry& after) const;
  double bodyTurn(const Instant& now, const State& s, int i, const Vec3& axis) const;
  /// A wheel whose surface holds the cable, but for what slips: spools, and links with friction.
  bool grips(const State& s, int i) const {
    return round(s, i) && (node(i).type == LinkType::spool || node(i).closes || slipOf(s, i) >= 0);
  }
  ContactTravel travelOf(const Instant& now, const State& s, int i, const SpanEnd& end, bool exit) const;
  double paid(const Instant& now, const State& s, int i, const SpanEnd& end, bool exit) const;
  double reelingRate(const Instant& now, const State& s, int i) const;
  void watchDrums(const Instant& now, State& s, Events& events) const;
  void emptyDrums(const Instant& now, State& s, Events& events) const;
  double askedPayout(const State& s, double time) const;
  double payoutAt(const State& s, double time) const;
  enum TunableField { reelRate_, reelBefore_, reelSince_ };  ///< keys of State::overrides
  double reeled(const State& s, double time) const;
  bool hangs() const { return waves() && !explicitWaves() && gravity_.squaredNorm() > 0.0; }
  Hang hangOf(const State& s, int i, const Chord& chord) const;
  int steepness(State& s, int i, const Chord& chord, double length) const;
  void settleHanging(const Instant& now, State& s, Events& events) const;
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
  void tellLying(const Instant& now, State& s, int i, const Chord& chord, Events& events) const;
  LyingCurve hangingAt(const Vec3& start, const Vec3& end, double length) const;
  void flatten(const Instant& now, State& s, int i, int to) const;
  HangingRun hangRun(const State& s, int first, int end, double others, double soft, double rest, double stiff,
                     double force, HoistSpans& spans) const;
  std::optional<double> stopGap(const Instant& now, const State& s, int from, int to, const Chord& chord) const;
  void stopRow(const Instant& now, const State& s, int from, int to, const Chord& chord, RowSet& out) const;
  double pullOf(const State& s, int place) const;
  void watchStops(const Instant& now, State& s, Events& events) const;
  void tellStops(const Instant& now, State& s, Events& events) const;
  double restOf(const Instant& now, const State& s, int place) const;
  double slipStep(const Instant& now, int i) const;
  double complianceOf(const State& s, int run, double rest) const;
  /// kg/m as it lies, stretched.
  double density(const State& s, int i) const { return mass_ * stateOf(s, i).thin; }
  double thinnedBy(const State& s, int run) const;
  double linkMass(const State& s, int i) const { return density(s, i) * stateOf(s, i).curve.link; }
  double wrapMass(const State& s, int place) const;
  void wavesEnergy(const Instant& now, Energy& sum) const;
  void storedEnergy(const Instant& now, Energy& sum) const;
  void viewOpen(const Instant& now, const State& s, std::vector<LinkView>& links, std::vector<SpanView>& spans) const;
  void evaluatePublished(const Instant& now, HoistCache& cache) const;
  void evaluateSpans(const Instant& now, HoistCache& cache) const;
  void writeRows(const Instant& now, HoistCache& cache) const;
  void aim(const Instant& now, const State& s, int i, double tension, bool fresh, HoistSpan& look) const;
  void solveSpans(const Instant& now, bool fresh, HoistCache& cache) const;
  void solveAlone(HoistSpan& look, int i, HoistWaves& waves) const;
  void writeAlone(HoistSpan& look, int i, const double* u, HoistWaves& waves) const;
  void freshSheets(const Instant& now, HoistCache& cache) const;
  LanePages pagesOf(int group, const Lanes& lanes, double* u, double* increment) const;
  void solveAgain(const Instant& now, int group, State& s) const;
  void gather(int group, HoistSpans& spans, Lanes& lanes) const;
  WaveOutcome frozenWave(const State& s, int i, const Chord& chord, double tension) const;
  void pushEnd(const Instant& now, const State& s, int i, const SpanEnd& end, const Vec3& pull, const Vec3& moment,
               const Vec3& across, bool spins, RowSet& out, double eta = 1.0) const;
  void pushSpan(const Instant& now, const State& s, int place, const HoistSpan& look, RowSet& out) const;
  int runEnd(const State& s, int first) const;
  void findMovers(const Instant& now, const State& s, int first, int end, const HoistSpans& spans, HoistRun& run) const;
  void evaluateAlong(const Instant& now, const State& s, int first, int end, HoistSpans& spans, HoistRun& run) const;
  void liftAlong(const Instant& now, const State& s, int first, int end, bool moves, HoistSpans& spans) const;
  void keepLifts(State& s, int first, int end, const HoistSpans& spans) const;
  void placeChords(const Instant& now, const State& s, HoistSpans& spans) const;
  /// How a curve lies to its chord.
  struct Lie {
    Vec2 aside = Vec2::Zero();  ///< m, of its middle of mass across the chord
    double ahead = 0.0;         ///< m, along it, from the chord's middle
    double skew = 0.0;          ///< Σ ω δ/d of hoist_along.cpp
  };
  Lie lieOf(const State& s, int i) const;
  std::pair<double, double> sinkOf(const State& s, int i, const Chord& chord) const;
  void sinkAlong(State& s, int first, int end, const HoistSpans& spans) const;
  double endLift(const HoistSpan& look, int e) const;
  double energyAlong(const Instant& now, const State& s) const;
  struct Hub {
    int block = 0;
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();
  };
  double lyingMass(const State& s, int i) const;
  Hub hubOf(const Instant& now, const State& s, int i) const;
  double woundInertia(const State& s, int i) const;
  void beginLying(const Instant& now, State& s) const;
  void massLying(const Instant& now, const State& s, int i, double scale, PatchSet& out) const;
  void forcesLying(const Instant& now, Forces& out) const;
  void finishLying(const Instant& now, State& s) const;
  double energyLying(const Instant& now, const State& s) const;
  void beginAlong(const Instant& now, State& s) const;
  void forcesAlong(const Instant& now, Forces& out) const;
  void massAlong(const HoistRun& run, double scale, PatchSet& out) const;
  void finishAlong(const Instant& now, State& s) const;
  /// As published the cable has neither weight nor inertia along its chords.
  bool carriesAlong() const { return waves() && !explicitWaves(); }
  /// The mean tension of a span where that of its run is T, and what of it the wave feels: (6) of hoist_along.cpp.
  double meanTension(const State& s, int i, double T) const {
    return T > 0.0 ? T + eased(s, i, T) * aboveRun(s, i) : 0.0;
  }
  double ownTension(const State& s, int i, double T) const {
    return T > 0.0 ? T + eased(s, i, T) * (aboveRun(s, i) - stateOf(s, i).offset.skew) : 0.0;
  }
  /// Its derivative by T.
  double ownShare(const State& s, int i, double T) const {
    return eased(s, i, T) < 1.0
               ? 1.0 + easedShare * (aboveRun(s, i) - stateOf(s, i).offset.skew) / stateOf(s, i).offset.lowest
               : 1.0;
  }
  double aboveRun(const State& s, int i) const { return stateOf(s, i).offset.mean(); }
  static constexpr double easedShare = 0.9;
  double eased(const State& s, int i, double T) const {
    const double deepest = stateOf(s, i).offset.lowest;
    return easedShare * T < deepest ? easedShare * std::max(T, 0.0) / deepest : 1.0;
  }
  void easeAlong(State& s, int first, int end) const;
  Vec3 pullOn(const State& s, int i, const Chord& chord, double T, int e) const;
  void pullEnd(const Instant& now, const State& s, int i, const Vec3& point, const Vec3& force, Forces& out) const;
  void writeFields(const Instant& now, State& s) const;
  void rememberSpan(const Instant& now, State& s, int i) const;
  void explicitStep(const Instant& now, State& s, Events& events) const;
  bool suspends(const Instant& now, State& s, int i, const Chord& chord, double tension, Events& events) const;
  double feedback(const State& s, int i, double chord) const;
  double publishedTension(const Instant& now, State& s, Events& events) const;
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
  void meet(const Instant& now, State& s, Events& events) const;
  Vec3 pullAt(const Instant& now, int place) const;
  Vec3 explicitPull(const Instant& now, const State& s, int place) const;
  double newShare(const Instant& now, int place) const;
  void keepPull(const Instant& now, State& s, int place, const Vec3& pull) const;
  double tensionOf(const State& s, int place) const;
  bool cutsInto(const Instant& now, const State& s, int place, int body, int shape, bool atAll) const;
  Without without(const Instant& now, const State& s, int place) const;
  bool passesOutside(const Instant& now, const State& s, int place) const;
  void leave(const Instant& now, State& s, Events& events) const;
  double staysOn(const Shape& shape, const WrapPlane& plane, double way) const;
  bool slideAside(const Instant& now, State& s, int place) const;
  void tellContacts(const Instant& now, const State& s, Events& events) const;
  void slideContacts(const Instant& now, State& s, Events& events) const;
  void settleErrors(const Instant& now, State& s) const;
  bool meetSpan(const Instant& now, State& s, int place, Events& events) const;
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
    bool edge = false;        ///< it has come down to the edge of a face that it lies on
    bool deep = false;        ///< it is inside a body already, and did not meet that
    bool behind = false;      ///< it is in the body, or behind it, and is met from the side it came from
    double overlap = 0.0;     ///< m, how far the cable's middle is inside already
    bool drawnClear = false;  ///< as it moves it touches, as its tension draws it in the step it does not
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
  KeptPose& poseBefore(State& s, int body) const;
  Triple& sideOf(State& s, int body, int shape) const;
  void keepSide(const Instant& now, State& s, int place) const;
  void followSides(const Instant& now, State& s) const;
  void meetBehind(const Instant& now, State& s, int from, int body, int shape, const double* points,
                  const double* moves, Hit& best) const;
  /// Whether a link is a contact on a section of this shape.
  bool liesOn(const State& s, int i, int body, int shape) const {
    return node(i).contact && round(s, i) && stateOf(s, i).isOn(body, shape);
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
  HoistWorkspace& workspace(const Instant& now) const { return now.notebook().page<HoistWorkspace>(index); }
  double* curveRoom(const Instant& now) const;
  std::optional<WrapPlane> planeOfEnds(const Instant& now, const State& s, int contact, const Hit& hit,
                                       const Chord& chord) const;
  /// Where a node comes into a span: the share of the curve before it, where the new ends lie, what lies on it.
  struct Cut {
    double fraction = 0.0;
    Vec3 ends[2];
    Wrap wrap;
  };
  std::pair<double, double> splitSpan(const Instant& now, State& s, int place, int via, const Cut& cut) const;
  bool insertNode(const Instant& now, State& s, int place, int contact, const Hit& hit) const;
  void removeNode(const Instant& now, State& s, int place) const;
  /// A wheel of the route that the cable may leave.
  bool waits(int i) const {
    return carriesAlong() && node(i).type == LinkType::roll && !node(i).closes && !node(i).contact;
  }
  void leaveWheels(const Instant& now, State& s, Events& events) const;
  void takeWheels(const Instant& now, State& s, Events& events) const;
  void curveInto(const State& s, int i, const Chord& chord, double* out) const;
  void waveInto(const double* u, const Chord& chord, double* out) const;
  void curveOf(const Instant& now, const State& s, int from, int to, std::vector<Vec3>& points) const;
  Vec3 curvePoint(const State& s, int i, const Chord& chord, int m) const;

  std::expected<void, Problem> addNode(const CableSite& site, std::size_t index);
  std::expected<void, Problem> openUp(const std::string& path);
  Vec3 driftOf(const Instant& now) const;
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
  Vec3 drift_ = Vec3::Zero();  ///< m/s, of the frame its waves and flow are remembered in
  int turned_ = 0;             ///< of a closed cable: the link of the scene's route that it begins on
  int declared_ = 0;
  std::vector<const Shape*> floors_;
  double floor_ = -unbounded;             ///< m, the highest floor, by −gravity, the cable's radius above it
  bool drums_ = false;                    ///< an end is on a spool that turns
  double shortest_ = 0.0;                 ///< m, no span that pulls becomes shorter
  Outline noSection_ = Outline::point();  ///< where a plane does not cut the shape any more
};

}  // namespace reeve
