// Friction of a strand by the capstan law: T₂ ≤ e^{μφ} T₁ over the turn φ. At holes and wheels over all of it at once;
// along a guide in its middle (eq. 13), or where it comes on and leaves if it can stretch.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_rows.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// μφ: of more than e²⁰ (5e8) the lower of two tensions is less than a grain of dust weighs, and nothing to compute
/// with.
constexpr double mostGrip = 20.0;

}  // namespace

/// The turn of the strand at a station, for the capstan law.
double StrandRows::turnAt(const Instant& now, int st) const {
  const int before = segmentBefore(st), after = segmentAfter(st);
  if (before < 0 || after < 0) return 0.0;
  if (station(st).wheel) {
    const SpanNow &in = glance(now).spans[at(before)], &out = glance(now).spans[at(after)];
    return std::max(0.0, wheel(station(st).index).side * (out.angle[0] - in.angle[1]));
  }
  const auto direction = [&](int index, bool atEnd) {
    const Segment& g = segments_[at(index)];
    if (!onChart(now, g)) return glance(now).spans[at(index)].n;
    const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
    const Vec2 u0 = parameters(now, n0), u1 = parameters(now, n1);
    const ChartPoint p = grounds_[at(g.chart)].chart->at(atEnd ? u1 : u0);
    const Vec3 t = p.du[0] * (u1 - u0).x() + p.du[1] * (u1 - u0).y();
    const Ground& ground = grounds_[at(g.chart)];
    return Vec3((ground.node < 0 && now.rotates(ground.block) ? now.rotation(ground.block) * t : t).normalized());
  };
  const Vec3 t0 = direction(before, true), t1 = direction(after, false);
  return math::atan2(t0.cross(t1).norm(), t0.dot(t1));
}

/// Whether what lies on a candidate between two stations was pressed by the strand in the step before: slack strand
/// does not rub, and bounds that hang on what is nothing would only be guessed at.
bool StrandRows::rubs(const State& past, int first, int last) const {
  const auto pulls = [&](int segment) { return segment >= 0 && past.force[at(lengthSlot(segment))] < 0.0; };
  const bool pressed = first != last || touching(past, station(first).index);
  return pressed && pulls(segmentBefore(first)) && pulls(segmentAfter(last));
}

void StrandRows::frictionRow(const Instant& now, int st, RowSet& out) const {
  const Station& station = this->station(st);
  const int block = station.wheel ? wheel(station.index).slip : node(station.index).flow;
  const double mu = station.wheel ? wheel(station.index).friction : node(station.index).friction;
  const int before = segmentBefore(st), after = segmentAfter(st);
  if (block >= 0 && idle(now.past(), st)) {
    out.group();
    out.add(frictionSlot(st)).level = Level::velocity;
    out.entry(block, 1.0);
    return;
  }
  if (block < 0 || mu <= 0.0 || before < 0 || after < 0) return;
  if (!station.wheel && node(station.index).place == Place::chart &&
      (mu == unbounded || grounds_[at(node(station.index).chart)].chart->curved())) {
    if (gripsAtEnds(node(station.index))) gripEndRow(now, st, out);
    return;  // otherwise along the chart: gripRow
  }
  if (!station.wheel && node(station.index).stands && !rubs(now.past(), st, st)) return;
  const double kappa = math::exp(std::min(mu * turnAt(now, st), mostGrip));
  out.group();
  Row& row = out.add(frictionSlot(st));
  row.level = Level::velocity;
  row.work = Work::friction;
  row.lower = row.upper = 0.0;
  // What slides over a wheel grows toward the end of the strand, s at a node toward its start.
  row.lowerSlot = lengthSlot(station.wheel ? before : after);
  row.lowerGain = kappa - 1.0;
  row.upperSlot = lengthSlot(station.wheel ? after : before);
  row.upperGain = -(kappa - 1.0);
  out.entry(block, 1.0);
}

/// Friction of a strand that can stretch, where it comes onto a guide or leaves it: over half of the turn of what lies
/// along the guide there. Held in its middle the strand would stretch over its whole way on the guide, however often it
/// goes round; in truth a pull reaches no deeper than r/μ. (One that cannot stretch would be held twice by its ends.)
void StrandRows::gripEndRow(const Instant& now, int st, RowSet& out) const {
  const Node& n = node(station(st).index);
  const int before = segmentBefore(st), after = segmentAfter(st);
  const Ground& ground = grounds_[at(n.chart)];
  const ChartPoint p = ground.chart->at(parameters(now, n));
  double turn = 0.0, slope = 1.0;
  Vec3 along = Vec3::Zero();
  for (const int index : {before, after}) {
    const Segment& g = segments_[at(index)];
    if (!onChart(now, g)) continue;
    const Vec2 u0 = parameters(now, node(station(g.from).index)), u1 = parameters(now, node(station(g.to).index));
    std::array<Vec2, 2> gradient;
    const double length = chartLength(now, g, gradient);
    turn += 0.5 * chartCurvature(ground, u0, u1) * length;
    slope = length / materialOn(now, g);
    along += (p.du[0] * (u1 - u0).x() + p.du[1] * (u1 - u0).y()).normalized();
  }
  if (!(along.norm() > 0.0)) return;
  along.normalize();
  const double gain = math::exp(std::min(n.friction * turn, mostGrip)) - 1.0;
  out.group();
  Row& row = out.add(frictionSlot(st));
  row.level = Level::velocity;
  row.work = Work::friction;
  row.lower = row.upper = 0.0;
  row.lowerSlot = lengthSlot(before);
  row.lowerGain = gain;
  row.upperSlot = lengthSlot(after);
  row.upperGain = -gain;
  const Vec2 own(p.du[0].dot(along), p.du[1].dot(along));
  if (n.block >= 0) pushParameters(n, own, out);
  if (n.flow >= 0) out.entry(n.flow, -slope);
}

/// Friction along a segment on a chart (eq. 13): the material in its middle does not move against the chart, or only
/// against the capstan law's share of the pull beside it. Positive toward the strand's end.
void StrandRows::gripRow(const Instant& now, int index, RowSet& out) const {
  const Segment& g = segments_[at(index)];
  if (!onChart(now, g)) return;
  const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
  const Chart& chart = *grounds_[at(g.chart)].chart;
  const double mu = n0.friction;
  if (mu <= 0.0 || (mu < unbounded && !chart.curved()) || gripsAtEnds(n0)) return;
  const int before = segmentBefore(g.from), after = segmentAfter(g.to);
  if (mu < unbounded && (before < 0 || after < 0)) return;
  if (g.unilateral && !rubs(now.past(), g.from, g.to)) return;
  if (n0.block < 0 && n1.block < 0 && n0.flow < 0 && n1.flow < 0) return;
  const Vec2 u0 = parameters(now, n0), u1 = parameters(now, n1), d = u1 - u0;
  const ChartPoint p = chart.at(0.5 * (u0 + u1));
  const Vec3 along = p.du[0] * d.x() + p.du[1] * d.y();
  const double length = along.norm();
  if (length <= 0.0) return;
  const double rest = materialAt(now, n1) + g.around - materialAt(now, n0);
  out.group();
  Row& row = out.add(frictionSlot(g.from));
  row.level = Level::velocity;
  row.work = Work::friction;
  if (mu < unbounded) {
    const double turn = chartCurvature(grounds_[at(g.chart)], u0, u1) * length;
    const double gain = math::exp(std::min(mu * turn, mostGrip)) - 1.0;
    row.lower = row.upper = 0.0;
    row.lowerSlot = lengthSlot(before);
    row.lowerGain = gain;
    row.upperSlot = lengthSlot(after);
    row.upperGain = -gain;
  }
  for (const Node* n : {&n0, &n1}) {
    const double a = 0.5 * p.du[0].dot(along) / length, b = 0.5 * p.du[1].dot(along) / length;
    if (n->block >= 0 && chart.dimension() == 1) out.entry(n->block, a);
    if (n->block >= 0 && chart.dimension() == 2) out.entry(n->block, Vec3(a, b, 0.0));
    if (n->flow >= 0) out.entry(n->flow, -0.5 * length / rest);
  }
}

}  // namespace reeve
