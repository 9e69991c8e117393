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
#include "reeve/cables/hoist/span_wave.h"
#include "reeve/cables/joints/joints_cable.h"

namespace reeve {

class WavyJoints : public JointsCable {
 public:
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);

  int memorySize() const override { return JointsCable::memorySize() + capacity() * perSpan(); }
  int scratchSize() const override;
  void start(const Instant& now, std::span<double> memory) const override;
  void begin(const Instant& now, const Gauge& gauge, State& state, std::vector<Notice>& notices) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  void forces(const Instant& now, Forces& out) const override;
  void mass(const Instant& now, PatchSet& out) const override;
  void finish(const Instant& now, State& state, std::vector<Notice>& notices) const override;
  double energy(const Instant& now, std::span<const double> force) const override;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override;

 private:
  /// What a span's wave remembers before its four fields (u and three increments).
  enum Header {
    to_,
    link_,
    eta_,
    slope_,
    frame_,  ///< the first axis across the chord
    start_ = frame_ + 3,
    end_ = start_ + 3,
    newest_ = end_ + 3,
    made_,
    fresh_,     ///< the link it starts from was taken in before this step
    hanging_,   ///< it hangs at rest: wavy_hanging.cpp
    slackFor_,  ///< s, how long it has been as slack as that
    left_,      ///< of a link that waits: the cable was on this side of it when it left, in its body's frame; or zero
    flow_ = left_ + 3,  ///< m/s, along its chord at the end of the last step, and of the one before: wavy_along.cpp
    flowBefore_,
    flows_,               ///< how many of them are known, and of the velocities below
    haste_,               ///< m/s², what its inertia has beside the weight along the chord, in the last step
    fling_,               ///< m/s², along the chord, and
    swing_,               ///< across it: what the chord's swinging does
    flung_ = swing_ + 3,  ///< both as they were at the start of the step
    swung_,
    speed_ = swung_ + 3,  ///< m/s, of either end, and in the step before
    speedBefore_ = speed_ + 6,
    header = speedBefore_ + 6
  };
  struct Looked {
    bool curved = false;
    Vec3 a, b, n, side[2];
    double length = 0.0, shift[2][2] = {{0, 0}, {0, 0}};
    WaveOutcome wave;
    bool hangs = false;
    bool jumped = false;  ///< a tangent has gone along a flat face: straight for this step
    Vec3 push[2];         ///< N, what a span that hangs does to its ends beside the row
    Mat3 hold[2];         ///< N/m, its stiffness at them
    DampsAlone damps;
  };
  /// How a span's motion changes in the step that is tried.
  struct Haste {
    bool second = false;
    double mass = 0.0, flow = 0.0, along = 0.0;  ///< kg, m/s, m/s²
    Vec3 speed[2], ends[2];                      ///< m/s, m/s²
  };
  int pieces() const { return settings_.subdivisions; }
  int numbers() const { return 2 * (pieces() + 1); }
  int perSpan() const { return header + 4 * numbers(); }
  double* span(std::vector<double>& memory, int i) const {
    return memory.data() + this->memory + JointsCable::memorySize() + i * perSpan();
  }
  const double* span(const std::vector<double>& memory, int i) const {
    return memory.data() + this->memory + JointsCable::memorySize() + i * perSpan();
  }
  Looked& looked(const Instant& now, int i) const;
  double* trial(const Instant& now, int i) const;
  void renew(const Instant& now, int i) const;
  Vec3 endVelocity(const Instant& now, int i, const Vec3& point) const;
  void beginAlong(const Instant& now, State& s) const;
  Haste hasteOf(const Instant& now, int from, int to) const;
  Vec3 inertiaAt(const Instant& now, const Haste& haste, int from, int e) const;
  void massAlong(const Instant& now, int from, int to, double mass, PatchSet& out) const;
  void finishAlong(const Instant& now, State& s) const;
  double energyAlong(const Instant& now, const State& s, int from, int to, const Vec3& a, const Vec3& b) const;
  void frame(const double* memory, Looked& look) const;
  void look(const Instant& now, const State& s, int from, int to, double tension) const;
  void reset(double* memory, int to, const Vec3& a, const Vec3& b) const;
  void settleHanging(const Instant& now, State& s) const;
  void hang(double* memory, double length) const;
  void drawHung(double* memory, const Vec3& a, const Vec3& b, const Vec3 (&moved)[2]) const;
  void flatten(const Instant& now, double* memory, int from, int to, const Vec3& a, const Vec3& b) const;
  void hangRow(const Instant& now, const State& s, int from, int to, Row& row, RowSet& out) const;
  double hungEnergy(const double* memory, const Vec3& a, const Vec3& b) const;
  void layFirst(double* memory, const Vec3& a, const Vec3& b, double rest) const;
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
  void curveInto(const double* memory, const Vec3& a, const Vec3& b, double* points) const {
    curveInto(memory, memory + header, a, b, points);
  }
  void curveInto(const double* memory, const double* u, const Vec3& a, const Vec3& b, double* points) const;
  double* spare(const Instant& now) const;
  double stretchedArc(const State& s, int i) const;
  void scaleTo(double* memory, double chord, double arc) const;
  Vec3 nodeVelocity(const Instant& now, const State& s, int from, int to, const SpanGeometry& chord, int m) const;
  bool meetCurve(const Instant& now, State& s, int place, std::vector<Notice>& notices) const;
  /// A span's curve before a step (triples of numbers), how far its points move in it, and how far under its tension.
  struct Ways {
    const double *points = nullptr, *moves = nullptr, *drawn = nullptr;
  };
  bool drawnInto(const Instant& now, const State& s, int from, const SpanGeometry& chord, const double* points,
                 const double* moves, double h, double* drawn) const;
  bool goesAway(const Instant& now, const State& s, int i, int side, const Ways& ways, int m, double h) const;
  WaveField historyOf(const double* memory) const;
  void keepSide(const Instant& now, State& s, int i, const Vec3& along) const;
  void leaveSide(const Instant& now, State& s) const;
  double meets(const Instant& now, State& s, int i, int from, const SpanGeometry& chord, const Ways& ways, double h,
               int& piece) const;
  bool takeInCurve(const Instant& now, State& s, int place, int via, const Ways& ways, double h) const;
  void cutShort(const Instant& now, State& s) const;
  void tellSunk(const Instant& now, State& s, std::vector<Notice>& notices) const;
  void cut(const double* old, const Vec3& a, const Vec3& b, const double* points, double low, double high,
           const Vec3& start, const Vec3& end, double* fresh) const;
  Vec3 curve(const double* memory, const Vec3& a, const Vec3& b, double share, int field) const;

  Vec3 gravity_ = Vec3::Zero();
};

}  // namespace reeve
