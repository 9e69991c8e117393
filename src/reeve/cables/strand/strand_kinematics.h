#pragma once
// Kinematics of a strand. In: its parts and an instant. Out: where stations are, how they and the material there move,
// and what moves them (Motion, Flow); of wheels and straight segments in a page. It knows neither mass nor contact.
#include "reeve/cables/strand/strand_parts.h"
#include "reeve/geometry/circle_span.h"

namespace reeve {

class StrandKinematics : public StrandParts {
 public:
  Motion nodeMotion(const Instant& now, int node) const;
  /// Where the material point s is, and the s of all places where the strand may have a corner, in order.
  Vec3 materialPoint(const Instant& now, double s) const;
  std::vector<double> corners(const Instant& now) const;

 protected:
  /// As the instant's cache has it: whole, or of tackles only what a step needs.
  const Page& look(const Instant& now) const;
  const Page& glance(const Instant& now) const;
  Vec2 parameters(const Instant& now, const Node& n) const;
  Vec2 parameterRates(const Instant& now, const Node& n) const;
  double materialAt(const Instant& now, const Node& n) const;
  double flowRate(const Instant& now, const Node& n) const;
  /// Material on a segment along a chart.
  double materialOn(const Instant& now, const Segment& g) const {
    const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
    return std::max(materialAt(now, n1) + g.around - materialAt(now, n0), floorRest());
  }
  bool lifted(const Instant& now, const Node& n) const {
    if (n.gone >= 0) return goneFrom(now.past(), n);
    return n.pad >= 0 && offPad(now.past(), pads_[static_cast<std::size_t>(n.pad)]);
  }
  bool onChart(const Instant& now, const Segment& g) const {
    return g.chart >= 0 && !lifted(now, node(station(g.from).index));
  }
  Motion liftedMotion(const Instant& now, const Node& n) const;
  End liftedEnd(const Instant& now, const Segment& g, double alpha) const;
  /// `phase`: turned by so much about the chart's axis, for integrals over many turns (geometry/turn_rule.h).
  Along groundMotion(const Instant& now, const Ground& ground, const Vec2& u, const Vec2& rate, Motion& m,
                     double phase = 0.0) const;
  Mat3 groundTurn(const Instant& now, const Ground& ground) const;
  LinkFrame wheelFrame(const Instant& now, const Wheel& w) const;
  /// The wheel's turn relative to its frame, and the frame's own turn about its normal, in this step.
  double wheelTurn(const Instant& now, const Wheel& w) const;
  double frameTurn(const Instant& now, const Wheel& w) const;
  End chartEnd(const Instant& now, const Segment& g, double alpha, double phase = 0.0) const;
  double chartLength(const Instant& now, const Segment& g, std::array<Vec2, 2>& gradient) const;
  double chartCurvature(const Ground& ground, const Vec2& a, const Vec2& b) const;
  /// m paid out at the first end in the step so far, no more than there is to reel in, and at what rate.
  double paidInStep(const Instant& now) const;
  double payRate(const Instant& now) const;
  /// What a span sees of a station: a point, or a circle on its side.
  SpanLink spanLink(const Page& page, const Station& st) const;
  void lookAtDrum(const Instant& now, const Wheel& w, int wheel, WheelNow& out) const;
  void lookAtWheel(const Instant& now, int wheel, bool seen, WheelNow& out) const;
  void lookAtSpan(const Instant& now, const Page& page, int segment, SpanNow& out) const;
  /// A span with a wheel at an end: where it touches and how that place runs.
  void lookAtTangent(const Instant& now, const Page& page, const Segment& g, SpanNow& out) const;
  bool lookBetweenWheels(const Page& page, const Segment& g, SpanNow& out) const;
  /// What is left of a broken segment at its ends.
  void hangLoose(const Instant& now, int segment, SpanNow& out) const;
  void lookAtFlow(const Instant& now, const Page& page, const Segment& g, int end, SpanNow& out) const;
  /// The end of a span as something that carries mass: a rim, or a node with the material that flows through it.
  void carryEnd(const Page& page, const Segment& g, const SpanNow& span, int end, Motion& out) const;
  Motion heldEnd(const SpanNow& span, const Wheel& w, const WheelNow& wn, int end) const;
  void skewEnds(const Page& page, const Segment& g, const SpanNow& span, SkewEnds& out) const;
};

}  // namespace reeve
