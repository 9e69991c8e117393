#pragma once
// What holds a strand together. In: a page and the state at the start of the step. Out: rows (length, stops, tangency,
// bending, friction, twist, touch), their stiffness, and the energy of the whole.
#include "reeve/cables/strand/strand_mass.h"

namespace reeve {

class StrandRows : public StrandMass {
 public:
  void rows(const Instant& now, RowSet& out) const;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const;
  Energy energy(const Instant& now) const;
  std::string rowName(int local) const;
  int slotCount() const { return touchSlot(touches_ ? nodeCount() : 0) - element_->slot; }

 protected:
  void lengthRow(const Instant& now, const Page& page, int segment, RowSet& out) const;
  double strainDamping() const;
  void arcStiffness(const Instant& now, const Segment& g, double tension, std::size_t first, PatchSet& out) const;
  void stopRow(const Instant& now, int segment, RowSet& out) const;
  void stopWheels(const Instant& now, int segment, RowSet& out) const;
  /// The end of a span on a wheel: where, and what moves the material there.
  Motion wheelEnd(const Instant& now, int segment, bool last) const;
  /// The displacement of a moving point along `direction`, as entries of the row being written.
  static void pushFlow(const Flow& flow, double weight, RowSet& out);
  static void pushMotion(const Motion& m, const Vec3& direction, RowSet& out);
  void pushRim(const WheelNow& wn, const Wheel& w, const Vec3& pull, const Vec3& moment, RowSet& out) const;
  void gaugeRow(const Instant& now, int st, RowSet& out) const;
  bool bends(int st) const;
  void bendRows(const Instant& now, int st, RowSet& out) const;
  bool inTube(const Segment& g) const;
  Vec3 mouthDirection(const Instant& now, const Segment& g, const Node& mouth) const;
  void chartBendRow(const Instant& now, int segment, RowSet& out) const;
  void restRows(const Instant& now, int st, RowSet& out) const;
  double turnAt(const Instant& now, int st) const;
  bool rubs(const State& past, int first, int last) const;
  void frictionRow(const Instant& now, int st, RowSet& out) const;
  void gripRow(const Instant& now, int segment, RowSet& out) const;
  void gripEndRow(const Instant& now, int st, RowSet& out) const;
  bool touching(const State& state, int node) const;
  void touchRow(const Instant& now, int node, RowSet& out) const;
  /// Whether a node has to be kept out of candidates by a row of its own: a free node, or an end that hangs on what is
  /// not a candidate.
  bool isPoint(const Node& n) const { return n.touch >= 0 && (n.place == Place::free || n.place == Place::point); }
  void standRow(const Instant& now, int node, RowSet& out) const;
  SlideNow slideNow(const Instant& now, const Slide& slide, int segment) const;
  void slideRows(const Instant& now, const Page& page, RowSet& out) const;
  void slideForces(const Instant& now, const State& state, std::vector<LinkView>& links) const;
  /// A direction of the strand that its twist is carried along: a clamped end, a span, an end of an arc.
  struct Heading {
    enum Kind : std::uint8_t { clamp, span, rim, chart } kind;
    int index, end;  ///< segment, and which of its ends
    Vec3 t;
  };
  double twistAngle(const Instant& now, const Page& page) const;
  void twistRow(const Instant& now, const Page& page, RowSet& out) const;
  void pushHeading(const Instant& now, const Page& page, const Heading& h, const Vec3& w, RowSet& out) const;
  void pushParameters(const Node& n, const Vec2& d, RowSet& out) const;
  Vec3 rimTangent(const Page& page, const Segment& g, const SpanNow& s, int end) const;
};

}  // namespace reeve
