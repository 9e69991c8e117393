#pragma once
// Waves on the spans of a cable of joints (`waves: true`): the rows of joints_cable.h with the length of a curved span
// in place of the straight one, and the same wave as a hoist cable's (span_wave.h), each under its own span's tension.
//
// What a span may come to lie on is looked for along its curve, before a step and at two levels as for a hoist cable:
// the chord with its sag, then link by link. A link it is about to meet is taken in at once, and given back after the
// step if the curve does not press on it. So a wrap may be less than nothing by the straight spans while the cable lies
// on the link by its own weight: `sagTurn` is what the slopes of the curves at the link add. When a span is split or
// two are merged the new ones take their part of the curve. A span without a tangent counts as straight.
#include "reeve/cables/hoist/beside_body.h"
#include "reeve/cables/hoist/span_flow.h"
#include "reeve/cables/hoist/wave_cache.h"
#include "reeve/cables/hoist/wave_span.h"
#include "reeve/cables/joints/joints_cable.h"

namespace reeve {

class WavyJoints : public JointsCable, public ElementMass {
 public:
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);

  ElementLayout layout() const override {
    ElementLayout layout = JointsCable::layout();
    layout.memory += capacity() * perSpan();
    layout.mass = this;
    layout.makeCache = makeCacheOf<WaveCache>;
    return layout;
  }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void begin(const Instant& now, const StepContext& context, State& state) const override;
  void evaluate(const Instant& now, ElementCache& cache) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  void forces(const Instant& now, Forces& out) const override;
  /// Its spans are more than straight lines.
  bool fullStiffness(const Instant&, std::span<const double>, FullStiffness&) const override { return false; }
  void mass(const Instant& now, PatchSet& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  void work(const Instant& now, std::span<const double> force, Doings& out) const override;
  Energy energy(const Instant& now, std::span<const double> force) const override;
  const char* inspect(const State& state, const Inspection& how) const override;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override;

 private:
  /// How a span's motion changes in the step that is tried.
  struct Haste {
    bool second = false;
    double mass = 0.0, flow = 0.0, along = 0.0;  ///< kg, m/s, m/s²
    Vec3 speed[2], ends[2];                      ///< m/s, m/s²
  };
  int pieces() const { return settings_.subdivisions; }
  int numbers() const { return 2 * (pieces() + 1); }
  int perSpan() const { return WaveSpan::numbersFor(pieces()); }
  int spanMemory(int i) const { return memory + JointsCable::memorySize() + i * perSpan(); }
  WaveSpan waveOf(State& s, int i) const { return {s.memory.data() + spanMemory(i), pieces()}; }
  ConstWaveSpan waveOf(const State& s, int i) const { return {s.memory.data() + spanMemory(i), pieces()}; }
  const WaveSpanCache& spanAt(const Instant& now, int i) const {
    return now.cache<WaveCache>(*this).waves[static_cast<std::size_t>(i)];
  }
  /// The wave of a span as it was last solved.
  const double* shapeAt(const Instant& now, int i) const {
    return now.cache<WaveCache>(*this).curves.data() + i * numbers();
  }
  Vec3 endVelocity(const Instant& now, int i, const Vec3& point) const;
  void beginAlong(const Instant& now, State& s) const;
  Haste hasteOf(const Instant& now, int from, int to) const;
  Vec3 inertiaAt(const Instant& now, const Haste& haste, int from, int e) const;
  void massAlong(const Instant& now, int from, int to, double mass, PatchSet& out) const;
  void finishAlong(const Instant& now, State& s) const;
  double energyAlong(const Instant& now, const State& s, int from, int to, const Vec3& a, const Vec3& b) const;
  void frame(ConstWaveSpan m, WaveSpanCache& look) const;
  void evaluateWave(const Instant& now, int from, int to, double tension, WaveCache& cache) const;
  void addWaves(const Instant& now, WaveCache& cache) const;
  void reset(WaveSpan m, int to, const Vec3& a, const Vec3& b) const;
  void settleHanging(const Instant& now, State& s) const;
  void hang(WaveSpan m, double length) const;
  void drawHung(WaveSpan m, const Vec3& a, const Vec3& b, const Vec3 (&moved)[2]) const;
  void flatten(const Instant& now, WaveSpan m, int from, int to, const Vec3& a, const Vec3& b) const;
  void hangRow(const Instant& now, const State& s, int from, int to, Row& row, WaveSpanCache& look, RowSet& out) const;
  double hungEnergy(ConstWaveSpan m, const Vec3& a, const Vec3& b) const;
  void setMoving(const Instant& now, WaveSpan m, int from, int to) const;
  void layFirst(WaveSpan m, const Vec3& a, const Vec3& b, double rest) const;
  void addPull(const Instant& now, int i, const Vec3& point, const Vec3& pull, const Row& row, RowSet& out) const;
  void remember(const Instant& now, State& s, int i, int to) const;
  void adopt(const Instant& now, const State& past, State& s) const;
  double sagTurn(const Instant& now, const State& s, int i) const override;
  bool lies(const Instant& now, int before, int i, double angle) const override;
  bool isClear(const Instant& now, const State& s, int before, int i, int after) const override;
  Vec3 pullOn(const Instant& now, int before, int i) const;
  Without without(const Instant& now, int before, int i) const;
  void spanPoints(const State& s, int i, const SpanView& span, std::vector<Vec3>& points) const override;
  bool looksAhead() const override { return true; }
  Vec3 slopeAt(const State& s, int from, const Vec3& n, bool last) const;
  void curveInto(ConstWaveSpan m, const Vec3& a, const Vec3& b, double* points) const {
    curveInto(m, m.u(), a, b, points);
  }
  void curveInto(ConstWaveSpan m, const double* u, const Vec3& a, const Vec3& b, double* points) const;
  WaveWorkspace& workspace(const Instant& now) const override { return now.notebook().page<WaveWorkspace>(index); }
  double* curveRoom(const Instant& now) const;
  double stretchedArc(const State& s, int i) const;
  void scaleTo(WaveSpan m, double chord, double arc) const;
  Vec3 nodeVelocity(const Instant& now, const State& s, int from, int to, const SpanGeometry& chord, int m) const;
  bool meetCurve(const Instant& now, State& s, int place, Events& events) const;
  /// A span's curve before a step (triples of numbers), how far its points move in it, and how far under its tension.
  struct Ways {
    const double *points = nullptr, *moves = nullptr, *drawn = nullptr;
  };
  bool drawnInto(const Instant& now, const State& s, int from, const SpanGeometry& chord, const double* points,
                 const double* moves, double h, double* drawn) const;
  bool goesAway(const Instant& now, const State& s, int i, int side, const Ways& ways, int m, double h) const;
  void keepSide(const Instant& now, State& s, int i, const Vec3& along) const;
  void leaveSide(const Instant& now, State& s) const;
  double meets(const Instant& now, State& s, int i, int from, const SpanGeometry& chord, const Ways& ways, double h,
               int& piece) const;
  bool takeInCurve(const Instant& now, State& s, int place, int via, const Ways& ways, double h) const;
  void cutShort(const Instant& now, State& s) const;
  void tellSunk(const Instant& now, State& s, Events& events) const;
  void cutWave(ConstWaveSpan old, const Vec3& a, const Vec3& b, const double* points, double low, double high,
               const Vec3& start, const Vec3& end, WaveSpan fresh) const;
  Vec3 curve(ConstWaveSpan m, const Vec3& a, const Vec3& b, double share, int field) const;

  Vec3 gravity_ = Vec3::Zero();
};

}  // namespace reeve
