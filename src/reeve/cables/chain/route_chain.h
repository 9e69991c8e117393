#pragma once
// A chain of rigid segments over wheels, through eyes and on drums.
//
// Segments fill the free spans of the route; what lies on a wheel is material of its rim. Each link that the chain runs
// over has one coordinate, the flow w: how much chain has passed, m. The segment at a tangent lies along its own axis
// z. With a the axle, c its centre, t the direction z across the axle and σ the side, it touches the rim at
//   T = c + σ r (t × a),     where its material is   s = s₀ − w + σ r α     from the middle of the segment, along it,
// α the angle of t about the axle. Both ends of a wheel have this form, eyes with r = 0. The rows at an end are
//   C = x + s z − T,   along z, and across it,   compliance tangentCompliance().
// A turn of the segment moves T along the rim and lays down as much chain; both cancel where z lies across the axle (an
// involute). What is left of it, σ r (z − t) dα, is in the Jacobian. So the chain rolls on the circle itself: there is
// no polygon, and segments may be longer than the wheel is wide.
//   rotor      α is counted in space and c carries the pull; the rim is held by  w − σ r φ,  φ the absolute spin
//   body       α is counted on the body, which takes the moment too; the rim is held by  w
// Friction of this row: none; "inf", a position row; or the capstan law, −(e^{μθ}−1) T_in ≤ f ≤ (e^{μθ}−1) T_out with θ
// what is wrapped (at an eye: the kink). It is exact: nothing of it depends on the number of segments.
//
// Segments come and go (route_chain_pass.cpp): when s passes the end of the segment at a wheel, that one vanishes, or
// another appears behind it, along the same line and moving with it. Of the chain between the last segment before a
// wheel and the first behind it a whole number lies on the wheel, m; it moves with w, so w has the mass ρ ℓ m (none for
// m = −1, where one segment is in both spans: an eye, or a short arc). Weight is exact: what overhangs at a tangent is
// lifted, what lies on a wheel weighs at its axle and drives w by ρ g·(T_out − T_in).
// Stretched chain stays stretched on a wheel: what leaves it has the mean stretch of what lies there (creep).
// An attachment inside the route is an eye that nothing passes. A drum (spool, hybrid) is a wheel at the end of the
// route with one tangent; all paid out, its end stays fixed to the rim. What `payout` pays out comes from a store
// behind an eye whose flow is told. A drum between flanges winds in layers (geometry/drum_layers.h): its w stays that
// of the first layer, r₀ φ, and with θ = ±(σ α − w/r₀) + θ₀ of chain on it the material at T is s = s₀ ± ℓ(θ), so dw
// moves r(θ)/r₀ as much chain. The held end of a chain does not go onto a wheel: a one-sided row on what is left of it.
#include "reeve/cables/cable.h"
#include "reeve/cables/chain/chain_section.h"
#include "reeve/cables/chain/route_chain_state.h"
#include "reeve/geometry/drum_layers.h"

namespace reeve {

class RouteChain : public Cable {
 public:
  /// Whether a route needs it: a chain between two ends, or of points, does not.
  static bool serves(const CableSettings& settings);
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);

  CableTraits traits() const override { return {.word = "chain"}; }
  ElementLayout layout() const override;
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void begin(const Instant& now, const StepContext& context, State& state) const override;
  void topology(const State& state, Topology& out) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void forces(const Instant& now, Forces& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  void work(const Instant& now, std::span<const double> force, Doings& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  Energy energy(const Instant& now, std::span<const double> force) const override;
  const char* inspect(const State& state, const Inspection& how) const override;
  std::string nameOf(ElementPart part, int index) const override;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override;
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points,
            std::vector<double>& tensions) const override;

 private:
  struct Link {
    LinkType type = LinkType::attach;
    LinkMount mount;
    Vec3 center_B = Vec3::Zero(), axis_B = Vec3::UnitY(), across_B = Vec3::UnitX(), up_B = Vec3::UnitZ();
    double radius = 0.0, side = 1.0;
    DrumLayers layers;            ///< of a drum; `radius` is that of the first
    double spin = 1.0;            ///< -1: the axis points against that of the rotor
    double friction = unbounded;  ///< of the capstan law
    int flow = -1;                ///< block of w; -1: an end of the chain
    double light = 0.0;           ///< kg: of that block when nothing lies on it
    bool stores = false;          ///< a drum
    bool paid = false;            ///< what it stores is paid out as `payout` says
    EndHold hold = EndHold::pinned;
    double stored = 0.0, wrap = 0.0;  ///< at the start: m on a drum; rad round a wheel
    int held = 0;                     ///< whole segments on it at the start
  };
  struct Span {
    int from = 0, to = 0;      ///< links
    int first = 0, count = 0;  ///< segments at the start
  };
  /// Where the chain touches a link.
  struct Tangent {
    Vec3 along, flat, point, centre, axle;
    Vec3 carried;               ///< by how much `point` and its material part, for a flow of 1 m
    Vec3 climb = Vec3::Zero();  ///< m/rad: by how much `point` moves outward for a turn of a drum, towards its exit
    double radius = 0.0;        ///< m, where the chain runs now
    double level = 1.0;         ///< share of `along` across the axle
    double angle = 0.0;         ///< rad, turns counted
    double offset = 0.0;        ///< m, of the material there from the middle of its segment, along it
    double turned = 0.0;        ///< m, the same if the chain had no end
    int end = 0;                ///< RouteLinkMemory::end
  };

  // Ends of spans are counted 2 k (where span k leaves a link) and 2 k + 1 (where it arrives at the next).
  int linkCount() const { return static_cast<int>(links_.size()); }
  int spanCount() const { return static_cast<int>(spans_.size()); }
  const Link& link(int i) const { return links_[static_cast<std::size_t>(i)]; }
  const Span& span(int k) const { return spans_[static_cast<std::size_t>(k)]; }
  static bool arrives(int end) { return end % 2 == 1; }
  static double towards(int end) { return arrives(end) ? -1.0 : 1.0; }  ///< of material: from the link into the span
  int linkAt(int end) const { return arrives(end) ? span(end / 2).to : span(end / 2).from; }
  bool runs(int end) const { return link(linkAt(end)).flow >= 0; }
  /// The end where the chain leaves a link, or arrives at it; -1: there is none.
  int exitOf(int link) const { return settings_.closed || link + 1 < linkCount() ? 2 * link : -1; }
  int entryOf(int link) const { return link > 0 ? 2 * link - 1 : settings_.closed ? 2 * spanCount() - 1 : -1; }
  bool stretches() const { return section_.axial < unbounded; }
  int block(int segment) const { return firstBlock_ + segment; }
  double segmentMass() const { return settings_.material.mass * length_; }

  // Its memory, see route_chain_state.h. Of a State that is const it is const.
  int spanPlace() const { return memory + numbersIn<RouteSegmentMemory> * pool_; }
  int endPlace() const { return spanPlace() + numbersIn<RouteSpanMemory> * spanCount(); }
  int linkPlace() const { return endPlace() + numbersIn<RouteEndMemory> * 2 * spanCount(); }
  template <class Kept>
  auto& segmentMemory(Kept& s, int i) const {
    return overlay<RouteSegmentMemory>(s.memory, memory + numbersIn<RouteSegmentMemory> * i);
  }
  template <class Kept>
  auto& spanMemory(Kept& s, int k) const {
    return overlay<RouteSpanMemory>(s.memory, spanPlace() + numbersIn<RouteSpanMemory> * k);
  }
  template <class Kept>
  auto& endMemory(Kept& s, int e) const {
    return overlay<RouteEndMemory>(s.memory, endPlace() + numbersIn<RouteEndMemory> * e);
  }
  template <class Kept>
  auto& linkMemory(Kept& s, int i) const {
    return overlay<RouteLinkMemory>(s.memory, linkPlace() + numbersIn<RouteLinkMemory> * i);
  }
  int segmentAt(const State& s, int end) const {
    return arrives(end) ? spanMemory(s, end / 2).last : spanMemory(s, end / 2).first;
  }
  int after(const State& s, int segment) const { return segmentMemory(s, segment).after; }

  // Its multipliers: six for the joint behind every segment, six for every end, one for the rim of every link.
  int jointSlot(int segment) const { return slot + SegmentJoint::slots * segment; }
  int endSlot(int end) const { return slot + SegmentJoint::slots * (pool_ + end); }
  int gripSlot(int link) const { return slot + SegmentJoint::slots * (pool_ + 2 * spanCount()) + link; }
  static Vec3 vectorAt(std::span<const double> force, int first) {
    return Vec3(force[at(first)], force[at(first + 1)], force[at(first + 2)]);
  }

  Tangent tangent(const Instant& now, const State& state, int end) const;
  void windLayers(const Instant& now, const State& state, int end, const Vec3& outward, Tangent& out) const;
  double turnedBy(const Instant& now, int link) const;
  double wrapOf(const Instant& now, const State& state, int link) const;
  double storedOn(const Instant& now, const State& state, int link) const;
  SegmentJoint jointBehind(const State& state, int segment) const;
  SegmentJoint holdAt(const State& state, int end) const;
  bool held(int end) const { return !runs(end) && link(linkAt(end)).hold != EndHold::free; }
  double endCompliance() const { return 0.5 * joint_.stretch; }  ///< where an end is held
  /// At a tangent. Of the segment there as much lies on the link as not, in the mean, and its joint has the stretch of
  /// a whole one: what is left is a trace that keeps the row soft. (With half a segment every span would be too soft by
  /// one.)
  double tangentCompliance() const { return 0.1 * endCompliance(); }
  /// The axes of the rows at an end, as columns: along its segment as that lay when the step began, and across.
  Mat3 axesAt(const Model& model, const State& state, int end) const;
  double tensionAt(const Instant& now, const State& state, std::span<const double> force, int end) const;
  double overhang(const Tangent& t, int end, double& middle) const;
  Vec3 flowWeight(const Instant& now, const State& state, int link) const;
  void leverAt(const Instant& now, std::span<const double> force, int end, const Tangent& t, const Vec3& pull,
               PatchSet& out) const;
  void endRows(const Instant& now, int end, RowSet& out) const;
  void stopRow(const Instant& now, int end, RowSet& out) const;
  void gripRow(const Instant& now, int link, RowSet& out) const;

  // route_chain_pass.cpp
  void passSpan(const Instant& now, State& state, int span) const;
  void settle(const Instant& now, State& state, int end, double tension) const;
  double pullAt(const Instant& now, const State& state, int end) const;
  double appear(const Model& model, State& state, int end, double pull) const;
  double vanish(const Model& model, State& state, int end, double pull) const;
  int spare(const State& state) const;
  bool lastOfChain(const State& state, int end) const;
  double flowMass(const State& state, int link) const;
  void changeHeld(const Model& model, State& state, int link, int by) const;
  void creep(const Instant& now, State& state, int link) const;

  // route_chain_build.cpp, route_chain_check.cpp
  std::expected<void, Problem> check(const CableSite& site) const;
  std::expected<void, Problem> checkLink(const CableSite& site, std::size_t index) const;
  std::expected<void, Problem> addLink(const CableSite& site, std::size_t index);
  std::expected<void, Problem> measure(const CableSite& site);
  std::expected<void, Problem> divide(const CableSite& site, double path, double onRoute);
  void addSegments(const CableSite& site);

  CableSettings settings_;
  ChainSection section_;
  std::vector<Link> links_;
  std::vector<Span> spans_;
  struct Line {
    Vec3 start, along;
    double length = 0.0, before = 0.0;  ///< m; `before` of the chain, stretched as it is, lies before it
  };
  std::vector<Line> lines_;  ///< the spans at the start
  SegmentJoint joint_;       ///< between two segments
  int pool_ = 0, firstBlock_ = 0;
  double length_ = 0.0, strain_ = 0.0;  ///< of a segment, m; at the start
  double shortest_ = 0.0;               ///< m: a held end comes as near to a wheel
};

}  // namespace reeve
