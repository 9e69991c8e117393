#pragma once
// Cable joints (Müller, Chentanez, Jeschke, Macklin: Cable Joints, 2018), with friction and wrapping found at run time.
//
// The cable itself is not simulated, only its effect: one tension row per free span. Between link i and link j
//     C = ℓ(q) − (ρ + f_i + f_j + s_i − s_j)
// where ℓ is the length of the common tangent (geometry/tangent_span.h), re-evaluated wherever the bodies are, ρ the
// rest length at the start of the step, f what has flowed off the two surfaces since (arc travel of the contact on the
// material, spin included), and s what has slid over each link, from the span before it to the span after it.
// λ = −T ≤ 0, compliance ρ/EA or as given. The row's Jacobian is the exact gradient of C, K = T(1 − nnᵀ)/ℓ and levers.
//
// Stretch. With EA the span asks ℓ = ρ (1 + T/EA), and ρ is no constant: ∂/∂ρ = −(1 + ε), ε = T/EA. The row is written
// divided by 1 + ε wherever that is more than a little (C, compliance and damping alike, the root is the same): then
// its derivative by what flows or slides is exact, and by the bodies too steep, which slows Newton and never misleads
// it. Undivided, the slip of a cable at more than twice its length overshoots further with every iteration. Where cable
// slides (finite μ), what lies on the link stretches with the spans, at first half with each: with A that arc, ℓ + A =
// (ρ + A)(1 + T/EA), where ρ + A does not change while ℓ and A do. So C stays as it is, compliance is (ρ + A)/EA, and U
// = EA (ℓ − ρ)²/2(ρ + A) has the gradient T ∂C: without friction, energy is kept. Where it never slips it lies on the
// wheel unstretched: the ratio of a belt is that of its radii. A span between links that cannot give way (prescribed
// bodies it does not slip on) has no row: T = C/ε is known.
//
// Friction (beyond the paper). A link with finite μ has a coordinate s with next to no mass, and a row ṡ = 0 whose
// multiplier F = T_left − T_right obeys the capstan law: −(κ−1) T_left ≤ F ≤ (κ−1) T_right, κ = exp(μ·wrap). Those are
// bounds that hang on other multipliers, the same as Coulomb friction of a contact. μ = 0 is a pinhole, μ = ∞ has no s.
//
// Break: a parted span keeps its two loose ends as `rest` of the link before and `tail` of the link after. They still
// flow over wheels; a link whose loose end has run off leaves the route, and the span beyond it becomes the loose end.
//
// Events, after a step: hybrid and spool links switch between rolling and holding; a rolling link whose wrap has become
// negative leaves the route (merge); a span that has come to lie against an inactive link or a candidate body takes it
// in (split). During the step in which that happens the span's length is that of the bent path wherever the bend is
// real, which is continuous with its gradient, so tension passes the event without a jump. A link about to be left is
// taken out of the route before the step for the same reason, and comes back after it if it is still bent. Rest length
// is only ever moved. The plane in which a candidate body is wrapped is found when the span touches it
// (geometry/wrap_contact.h) and stays on the body until the cable leaves it; one shape may be wrapped by several spans,
// each in a plane of its own.
//
// A span that has lost its tangent (an end flew into a wheel) and finds one again may by then be longer than it could
// ever be. To draw it in at once would be a blow out of nothing: it holds where it is instead, ℓ ≤ ρ + shortfall, and
// the shortfall shrinks as its ends come nearer by themselves. It does no work on the way.
//
// A span that pulls cannot become shorter than the cable is thick: an end that is drawn up to a hole, a point or a
// wheel stops there (a row that pushes, distance ≥ what leaves a tangent of that length), and an event tells of it.
#include "reeve/cables/cable.h"
#include "reeve/cables/joints/joints_cache.h"
#include "reeve/cables/joints/joints_state.h"
#include "reeve/cables/payout.h"
#include "reeve/geometry/drum_layers.h"
#include "reeve/geometry/tangent_span.h"
#include "reeve/model/full_stiffness.h"

namespace reeve {

struct SpanLine;

class JointsCable : public Cable, public WritesFullStiffness {
 public:
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);
  /// The same into an object of a class that adds to this one.
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site, std::unique_ptr<JointsCable> cable);

  CableTraits traits() const override { return {.word = settings_.model == CableModel::hoist ? "hoist" : "joints"}; }
  ElementLayout layout() const override;
  int memorySize() const { return payoutMemory() + (pays_ ? numbersIn<PayoutState> : 0) - memory; }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void begin(const Instant& now, const StepContext& context, State& state) const override;
  void evaluate(const Instant& now, ElementCache& cache) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
  void forces(const Instant& now, Forces& out) const override;
  void work(const Instant& now, std::span<const double> force, Doings& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  Energy energy(const Instant& now, std::span<const double> force) const override {
    return {.potential = weightEnergy(now), .elastic = elasticEnergy(now, force)};
  }
  double elasticEnergy(const Instant& now, std::span<const double> force) const;
  double weightEnergy(const Instant& now) const;
  const char* inspect(const State& state, const Inspection& how) const override;
  std::string nameOf(ElementPart part, int index) const override;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override;
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points,
            std::vector<double>& tensions) const override;
  std::optional<Parameter> parameter(std::string_view field) const override;
  std::string_view tunableFields() const override;
  std::string reel(State& state, CableEnd end, double rate) const override;
  std::string setRest(State& state, int span, double rest) const override;
  std::string release(State& state, CableEnd end) const override;
  std::string cut(State& state, int span) const override;

 protected:  // waves ride on its spans: hoist/wavy_joints.h
  /// What does not change of a link.
  struct Link {
    LinkType type = LinkType::attach;
    LinkMount mount;
    Outline outline = Outline::point();  ///< of a drum that winds in layers: at the start
    DrumLayers layers;                   ///< of a drum
    Vec3 center_B = Vec3::Zero();        ///< origin of its plane, from the centre of mass (a point link: the point)
    std::vector<Vec3> tube_B;            ///< sheath: its corners, from the centre of mass
    double tube = 0.0, tubeBend = 0.0;   ///< sheath: length and turning of the tube
    Vec3 x_B = Vec3::UnitX(), y_B = Vec3::UnitZ(), normal_B = Vec3::UnitY();
    double friction = unbounded;
    Cleat cleat = Cleat::off;
    bool keeps = true;          ///< a groove holds the cable in its plane
    double groove = unbounded;  ///< m beside its plane within which a wheel that waits takes the cable in
    int slip = -1;              ///< block of the material that slides over it
    bool round() const { return !outline.isPoint(); }
    bool ends() const { return type == LinkType::hybrid || type == LinkType::spool; }
    bool still = false;                  ///< on a body that never moves
    bool wheel = false;                  ///< a circle about the origin of a plane of its body
    bool spinsBack = false;              ///< a rotor whose axis is against the normal of the plane
    std::shared_ptr<const Shape> found;  ///< a candidate: its plane and outline are found at the moment of contact
    double reach = 0.0;                  ///< of a candidate: radius of the ball about its middle that holds it, m
    int sibling = -1;                    ///< first of the links that stand for the same shape
  };
  using SpanShape = reeve::SpanShape;

  /// A span between links on bodies that never move, found once when the cable is built: most of a long cable.
  struct StillSpan {
    int to = -1;
    int sideFrom = 0, sideTo = 0;         ///< it holds for these sides, while neither link holds
    double spinFrom = 0.0, spinTo = 0.0;  ///< change of its length for a turn of the rotors at its ends, m/rad
    SpanGeometry span;
  };

  /// Numbers that may change: keys of State::overrides. Friction of link i is linkFriction_ + i, its cleat follows all
  /// frictions.
  enum TunableField { reelFirst_, reelLast_, axial_, damping_, breaking_, winding_, linkFriction_ };
  double value(const State& s, int field, double declared) const {
    return chosen(s, elementKey(*this, field), declared);
  }
  /// What keeps the cable from sliding the other way over a link; off while a program keeps it open.
  Cleat cleat(const State& s, int i) const {
    const Cleat declared = link(i).cleat;
    return declared == Cleat::off || value(s, linkFriction_ + capacity() + i, 1.0) == 0.0 ? Cleat::off : declared;
  }
  double axial(const State& s) const { return value(s, axial_, settings_.material.axial); }
  /// m/s paid out into the span at this place, and m in the step so far.
  double reelRate(const Instant& now, const State& s, int place) const;
  bool reels(const State& s) const { return pays_ || !s.overrides.empty(); }
  double askedPayout(const State& s, double time) const;
  double paidOutAt(const State& s, double time) const;
  double reeled(const Instant& now, const State& s, int place) const;

  int capacity() const { return static_cast<int>(links_.size()); }
  int linkMemory(int i) const { return memory + 1 + capacity() + i * numbersIn<LinkState>; }
  int payoutMemory() const { return linkMemory(capacity()); }  ///< where it is paid out by `payout`
  PayoutState& payoutOf(State& s) const { return overlay<PayoutState>(s.memory, payoutMemory()); }
  const PayoutState& payoutOf(const State& s) const { return overlay<PayoutState>(s.memory, payoutMemory()); }
  const Link& link(int i) const { return links_[static_cast<std::size_t>(i)]; }
  LinkState& stateOf(State& s, int i) const { return overlay<LinkState>(s.memory, linkMemory(i)); }
  const LinkState& stateOf(const State& s, int i) const { return overlay<LinkState>(s.memory, linkMemory(i)); }
  RouteOrder<Whole> routeOf(State& s) const {
    Whole* order = &overlay<Whole>(s.memory, memory);
    return {order[0], order + 1, closed_};
  }
  RouteOrder<const Whole> routeOf(const State& s) const {
    const Whole* order = &overlay<Whole>(s.memory, memory);
    return {order[0], order + 1, closed_};
  }
  int spanSlot(int i) const { return slot + i; }
  int frictionSlot(int i) const { return slot + capacity() + i; }
  int compressionSlot(int i) const { return slot + 2 * capacity() + i; }
  int windingSlot(int i) const { return slot + 3 * capacity() + i; }
  int stopSlot(int i) const { return slot + 4 * capacity() + i; }

  virtual JointsWorkspace& workspace(const Instant& now) const { return now.notebook().page<JointsWorkspace>(index); }
  const Outline& outlineOf(const Instant& now, const State& s, int i) const;
  /// Of a wheel, m: that of a drum grows with what is wound on it.
  double radiusOf(const State& s, int i) const {
    const Link& l = link(i);
    return l.layers.many() ? l.layers.radiusAt(l.layers.angleOf(stateOf(s, i).stored)) : l.outline.radius();
  }
  double reachOf(const State& s, int i) const {
    return link(i).layers.many() ? radiusOf(s, i) : link(i).outline.reach();
  }

  LinkFrame frameOf(const Instant& now, const State& s, int i) const;
  SpanLink spanEnd(const Instant& now, const State& s, int i, bool exit) const;
  bool neverMoves(const Model& model, int i) const;
  const StillSpan* stillSpan(const State& s, int from, int to) const;
  void placeWheel(const Instant& now, int i, JointsCache::Wheel& wheel) const;
  bool spanWheels(const Instant& now, JointsCache& cache, int from, int to, JointsCache::Span& span) const;
  double windLayers(const State& s, int i, double radius, double& paid, JointsCache& cache) const;
  void moveToRadius(State& s, bool first) const;
  void evaluateSpan(const Instant& now, JointsCache& cache, int from, int to) const;
  void pushWheels(const Instant& now, const JointsCache& cache, int from, int to, const JointsCache::Span& span,
                  RowSet& out) const;
  void patchWheels(const Instant& now, const JointsCache& cache, int from, int to, const JointsCache::Span& span,
                   double tension, PatchSet& out) const;
  void addSpanPatches(const Instant& now, int from, int to, const SpanLine& line, double tension, PatchSet& out) const;
  void pushStill(int from, int to, const StillSpan& still, RowSet& out) const;
  double axialMoment(const Instant& now, int i, const Vec3& pull, const Vec3& momentAtOrigin, const Vec3& origin) const;
  SpanShape shapeOf(const Instant& now, const State& s, int from, int to) const;
  double turnOf(const Instant& now, int i) const;
  ContactTravel travelNow(const Instant& now, const State& s, int i, const SpanEnd& end, bool exit) const;
  double bentArc(const Instant& now, const State& s, int via, const SpanShape& shape) const;
  std::string linkName(int i) const;
  double slipStep(const Instant& now, int i) const;
  double bodyTurn(const Instant& now, const State& s, int i, const Vec3& axis) const;
  /// What stretches together: a span, and what lies on the links it slides over on its side.
  struct Stretched {
    double rest = 0.0, length = 0.0;  ///< m
  };
  Stretched stretched(const State& s, int from, int to, double rest, double length, double paidFrom = 0.0,
                      double paidTo = 0.0) const;
  double complianceOf(const State& s, int i, const Stretched& span) const;
  double divisor(const Stretched& span) const;
  void payOut(State& s, int i, bool exit, double given) const;
  double clingsTo(const State& s, int i, bool exit) const;
  double shownRest(const State& s, int from, int to, double length) const;
  void tellSpent(const Instant& now, State& s, int from, int to, double length, Events& events) const;
  bool movable(const Model& model, int i) const;
  double stretchTension(const State& s, int from, int to, double length) const;
  bool canStretch() const {
    return settings_.compliance.value_or(settings_.material.axial < unbounded ? 1.0 : 0.0) > 0.0;
  }
  double wrapAngle(const Instant& now, const State& s, int i, const SpanGeometry& before,
                   const SpanGeometry& after) const;
  void pushEnd(const Instant& now, int i, const Vec3& pull, const Vec3& momentAtOrigin, const Vec3& origin, bool spins,
               RowSet& out) const;
  void pushSpan(const Instant& now, int from, int to, const SpanGeometry& span, bool spinFrom, bool spinTo,
                RowSet& out) const;
  void patchHeld(const Instant& now, int i, const SpanGeometry& span, bool start, double tension, PatchSet& out) const;
  void pushShape(const Instant& now, int from, int via, int to, const SpanShape& shape, RowSet& out) const;
  void frictionRows(const Instant& now, const JointsCache& cache, RowSet& out) const;
  void windingRows(const Instant& now, RowSet& out) const;
  struct Weigh;
  Weigh weigh(const Instant& now, const JointsCache* trial) const;
  bool weighs() const;
  Vec3 frameCenter(const Instant& now, int i) const;
  double endTension(const Instant& now, int from, int to, bool start) const;
  double wrapNow(const Instant& now, const JointsCache& cache, int before, int i, int after) const;
  SpanMount mountOf(const Instant& now, int i) const;
  class FullSpan;
  void fullLaw(const Instant& now, int place, const FullSpan& span, const RowSet& own, const Row& row,
               std::span<const double> force, FullStiffness& out) const;
  void flow(const Instant& now, const JointsCache& cache, State& s, int place, Events& events) const;
  void switchEnds(const Instant& now, State& s, Events& events) const;
  void merge(const Instant& now, State& s, Events& events) const;
  void split(const Instant& now, State& s, Events& events) const;
  /// Makes link `via` part of the route between the ends of a span that bends round it so.
  void takeIn(const Instant& now, State& s, int place, int via, const SpanShape& shape) const;
  /// By how much more than its straight spans tell the cable is bent round a link, rad: where spans sag.
  virtual double sagTurn(const Instant&, const State&, int) const { return 0.0; }
  /// Whether the cable still lies on a link after a step, bent round it by this angle, rad.
  virtual bool lies(const Instant&, int /*before*/, int /*i*/, double angle) const {
    constexpr double grazing = 1e-9;  // a cable that just lies on a wheel does not leave it by rounding
    return angle >= -grazing;
  }
  /// For drawing: a span from end to end.
  virtual void spanPoints(const State&, int, const SpanView& span, std::vector<Vec3>& points) const {
    points.push_back(span.start);
    points.push_back(span.end);
  }
  /// Whether it looks by itself for what its spans may come to lie on.
  virtual bool looksAhead() const { return false; }
  void addArc(const Instant& now, const State& s, int i, double from, double to, std::vector<Vec3>& points) const;
  double drawnOn(const Instant& now, const State& s, int i) const;
  void part(const Instant& now, State& s, Events& events) const;
  void partSpan(State& s, int place) const;
  void runOff(const Instant& now, State& s, Events& events) const;
  /// Whether the cable would slide off a candidate sideways, and nothing of it is in the way.
  bool slidesOffEdge(const Instant& now, const State& s, int before, int i, int after, double across) const;
  virtual bool isClear(const Instant& now, const State& s, int before, int i, int after) const;
  void dropLink(State& s, int place) const;
  void letGo(State& s, int i) const;
  void settleSpan(const Instant& now, State& s, int from, int to) const;
  bool mayJoin(const State& s, int i, int from, int to) const;
  bool mayMeet(const State& s, int i, int from, int to) const;
  void flowOfLost(const Instant& now, const State& past, State& s, int from, int to) const;
  /// Where a span will be a little later, if its links go on as they do.
  struct Outlook {
    double ahead = 0.0;  ///< s
    MovingPoint a, b;
    bool aGoesOn = false, bGoesOn = false;  ///< of a curve's pieces: beyond that end there is another
  };
  static constexpr double mostBend = 2.0;  ///< rad: nothing bends a span that far within a step
  struct Detour {
    bool tangent = false, straight = false;  ///< whether the bent path, and the straight one, have tangents
    double angle = 0.0;                      ///< rad it is bent; negative while it passes clear of the link
    double longer = 0.0;                     ///< m than the straight one
    double aside = 0.0;                      ///< m of that for the way from beside its plane into it and out again
  };
  Detour detour(const Instant& now, const State& s, int from, int via, int to) const;
  bool liesAcross(const Detour& path, double reach) const;
  Outlook outlook(const Instant& now, const State& s, int from, int to, double h) const;
  Vec3 velocityAt(const Instant& now, int i, const Vec3& point) const;
  /// Time in units of the look-ahead at which the span would meet the link, or a negative number.
  double meetDeclared(const Instant& now, const State& s, int i, const Outlook& span, int& side) const;
  double meetCandidate(const Instant& now, State& s, int i, const Outlook& span) const;
  /// The row that keeps a span from vanishing: distance left, and its gradient if `out` is given.
  std::optional<double> stopRow(const Instant& now, const State& s, int from, int to, const SpanGeometry& span,
                                RowSet* out) const;
  void lift(const Instant& now, State& s, double h) const;
  double wrapThatMayGo(const Instant& now, const State& s, int before, int i, int after, double h) const;
  void joinSpans(State& s, int place) const;
  void tellInside(const Instant& now, State& s, Events& events) const;
  void watchStops(const Instant& now, State& s, double h) const;
  void tellStops(const Instant& now, State& s, Events& events) const;
  bool areBlocks(int from, int to) const;
  /// m that the links of a span may come together in a step.
  double nearBy(const Instant& now, int from, int to, double h) const;
  std::optional<double> blockRow(const Instant& now, const State& s, int from, int to, RowSet* out) const;
  double wholeCompliance(const State& s) const;
  void easeBrake(State& s) const;
  void watchWinch(const Instant& now, State& s, double h, Events& events) const;

  std::expected<void, Problem> addLink(const CableSite& site, std::size_t index);
  std::expected<void, Problem> addLayers(const LinkSettings& s, const std::string& path, Link& l) const;
  std::expected<void, Problem> addOutline(const LinkSettings& s, const std::string& path, Link& l) const;
  std::expected<void, Problem> checkPlace(const LinkSettings& s, const std::string& path, const Link& l, bool inside,
                                          bool onParticle) const;
  std::expected<void, Problem> checkClear(const CableSite& site, int from, int to, const SpanGeometry& span) const;
  void addTube(const LinkSettings& s, Link& l) const;
  void addCandidate(const LinkMount& mount);
  std::expected<void, Problem> measure(const CableSite& site);

  std::vector<double> startMemory_;  ///< measured when it was built
  std::vector<StillSpan> still_;     ///< by the link it starts from; empty if there is none
  std::vector<Link> links_;          ///< the route's, then one per candidate body
  int declared_ = 0;                 ///< links of the route
  CableSettings settings_;
  bool closed_ = false;
  bool pays_ = false;      ///< its length changes at the first end by itself
  double shortest_ = 0.0;  ///< m, no span that pulls becomes shorter
  /// By link, kept small because every step asks all of them.
  struct Watch {
    bool point = false;  ///< a point, or may hold at one: its spans can be used up
    bool lifts = false;  ///< rolls and slides: it may leave the route
  };
  std::vector<Watch> watch_;
  bool slides_ = false;  ///< over some link
  bool joins_ = false;   ///< some link may leave the route or join it
};

}  // namespace reeve
