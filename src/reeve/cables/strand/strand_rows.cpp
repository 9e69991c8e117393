// Rows of a strand: length, stops, tangency (bending: strand_bend.cpp, friction: strand_friction.cpp).
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_rows.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// How near wheels come to each other, of what leaves a tangent.
constexpr double rimClear = 1e-3;
/// A node comes as near to a rim as the strand is thick, but not by more than so many times the least length.
constexpr double farNearest = 50.0;

}  // namespace

void StrandRows::pushMotion(const Motion& m, const Vec3& direction, RowSet& out) {
  for (int i = 0; i < m.count; ++i) {
    const auto& c = m.carry[at(i)];
    const Eigen::Matrix<double, 6, 1> j = c.a.transpose() * direction;
    if (c.dof == 6)
      out.entry(c.block, Vec3(j.head<3>()), Vec3(j.tail<3>()));
    else if (c.dof == 1)
      out.entry(c.block, j[0]);
    else
      out.entry(c.block, Vec3(j[0], j[1], c.dof == 3 ? j[2] : 0.0));
  }
}

void StrandRows::pushFlow(const Flow& flow, double weight, RowSet& out) {
  for (int i = 0; i < flow.count; ++i) {
    const Flow::Part& p = flow.part[at(i)];
    if (p.dof == 6)
      out.entry(p.block, weight * Vec3(p.a[0], p.a[1], p.a[2]), weight * Vec3(p.a[3], p.a[4], p.a[5]));
    else if (p.dof == 1)
      out.entry(p.block, weight * p.a[0]);
    else
      out.entry(p.block, weight * Vec3(p.a[0], p.a[1], p.dof == 3 ? p.a[2] : 0.0));
  }
}

/// A pull at a wheel: on what carries the axle, and its moment about the axle on the rotor.
void StrandRows::pushRim(const WheelNow& wn, const Wheel& w, const Vec3& pull, const Vec3& momentAtCenter,
                         RowSet& out) const {
  const bool rotor = w.mount.rotor >= 0;
  const double axial = rotor ? wn.axle.dot(momentAtCenter) : 0.0;
  if (rotor) out.entry(w.mount.rotor, axial);
  if (w.still) return;
  const Vec3 moment = rotor ? Vec3(momentAtCenter - wn.axle * axial) : momentAtCenter;
  out.entry(w.mount.block, pull, wn.lever.cross(pull) + moment);
}

/// s: strain is damped where there is some; a strand that cannot stretch has none. (What is slack is not damped:
/// solvers see to it, dampHolding().)
double StrandRows::strainDamping() const {
  return settings_.material.axial < unbounded ? settings_.material.damping : 0.0;
}

void StrandRows::lengthRow(const Instant& now, const Page& page, int index, RowSet& out) const {
  const Segment& g = segments_[at(index)];
  double length = 0.0, rest = 0.0;
  out.group();
  if (parted(now.past(), index)) return;
  if (onChart(now, g)) {
    std::array<Vec2, 2> gradient;
    const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
    length = chartLength(now, g, gradient);
    rest = materialOn(now, g);
    if (n0.block < 0 && n1.block < 0 && n0.flow < 0 && n1.flow < 0) return;  // nothing there can move
    Row& row = out.add(lengthSlot(index));
    row.error = length - rest;
    if (settings_.material.axial < unbounded) row.compliance = rest / settings_.material.axial;
    row.damping = strainDamping();
    if (g.unilateral) row.upper = 0.0;
    const auto carry = [&](const Node& n, const Vec2& d, double s) {
      if (n.block >= 0 && grounds_[at(g.chart)].chart->dimension() == 1) out.entry(n.block, d.x());
      if (n.block >= 0 && grounds_[at(g.chart)].chart->dimension() == 2) out.entry(n.block, Vec3(d.x(), d.y(), 0.0));
      if (n.flow >= 0) out.entry(n.flow, s);
    };
    carry(n0, gradient[0], 1.0);
    carry(n1, gradient[1], -1.0);
    return;
  }
  const SpanNow& s = page.spans[at(index)];
  if (!s.ok) return;
  Row& row = out.add(lengthSlot(index));
  row.error = s.length - s.rest;
  if (settings_.material.axial < unbounded) row.compliance = s.rest / settings_.material.axial;
  row.damping = strainDamping();
  if (g.unilateral) row.upper = 0.0;
  if (paid_ >= 0 && index == 0) row.speed = payRate(now);
  for (int k = 0; k < 2; ++k) {
    const int st = k == 0 ? g.from : g.to;
    const double sign = k == 0 ? 1.0 : -1.0;
    if (station(st).wheel) {
      const Wheel& w = wheel(station(st).index);
      pushRim(page.wheels[at(station(st).index)], w, s.pull[at(k)], s.moment[at(k)], out);
      if (w.slip >= 0) out.entry(w.slip, -sign);
      if (const double passes = page.wheels[at(station(st).index)].passes; passes != 1.0) {
        // The row so far takes a metre of rim for a metre of material.
        SkewEnds ends;
        skewEnds(page, g, s, ends);
        pushFlow(ends.flow[at(k)], -sign * (1.0 / passes - 1.0), out);
      }
      continue;
    }
    const Node& n = node(station(st).index);
    pushMotion(page.nodes[at(station(st).index)], s.pull[at(k)], out);
    if (n.flow >= 0) out.entry(n.flow, sign);
  }
}

/// Material that flows out of a segment stops before the segment is gone: Δs ≥ nearest, and a node stops before it
/// comes to the rim of the wheel beside it. So a strand's end stops at the last hole, and two holes do not pass each
/// other.
void StrandRows::stopRow(const Instant& now, int index, RowSet& out) const {
  const Segment& g = segments_[at(index)];
  const bool wheel0 = station(g.from).wheel, wheel1 = station(g.to).wheel;
  if (parted(now.past(), index)) return;
  if (wheel0 && wheel1) return stopWheels(now, index, out);
  const auto flow = [&](int st) { return station(st).wheel ? -1 : node(station(st).index).flow; };
  const int f0 = flow(g.from), f1 = flow(g.to);
  if (!wheel0 && !wheel1) {
    if (f0 < 0 && f1 < 0) return;
    const double rest =
        materialAt(now, node(station(g.to).index)) + g.around - materialAt(now, node(station(g.from).index));
    out.group();
    Row& row = out.add(stopSlot(index));
    row.error = rest - nearestOf(g);
    row.lower = 0.0;
    if (f0 >= 0) out.entry(f0, -1.0);
    if (f1 >= 0) out.entry(f1, 1.0);
    return;
  }
  // l ≥ clear: in the plane of the wheel p = |d − m (m·d)| ≥ √(r² + clear²), d from its centre to the node, m the
  // normal; δp = e·(δd − (m·d) δm). That holds inside the rim too, where there is no tangent.
  const int round = wheel0 ? g.from : g.to, other = wheel0 ? g.to : g.from;
  const Wheel& w = wheel(station(round).index);
  const WheelNow& wn = glance(now).wheels[at(station(round).index)];
  if (wn.holds) return;
  const Motion& end = glance(now).nodes[at(station(other).index)];
  const Vec3 d = end.x - wn.frame.origin, &m = wn.frame.normal;
  const double height = m.dot(d), far = (d - height * m).norm(), radius = w.outline.radius();
  const Vec3 e = far > 0.0 ? Vec3((d - height * m) / far) : wn.frame.x;
  out.group();
  Row& row = out.add(stopSlot(index));
  row.lower = 0.0;
  const double clear = std::max(nearest_, std::min(settings_.material.radius, farNearest * nearest_));
  row.error = far - std::sqrt(radius * radius + clear * clear);
  pushMotion(end, e, out);
  if (!w.still) out.entry(w.mount.block, -e, -wn.lever.cross(e) - height * m.cross(e));
}

/// Two wheels keep so far apart that there is a tangent: in the plane of the first p ≥ (1 + clear) |σ₀r₀ − σ₁r₁|.
void StrandRows::stopWheels(const Instant& now, int index, RowSet& out) const {
  const Page& page = glance(now);
  const SpanNow& s = page.spans[at(index)];
  const Segment& g = segments_[at(index)];
  const int i0 = station(g.from).index, i1 = station(g.to).index;
  const Wheel &w0 = wheel(i0), &w1 = wheel(i1);
  const double r0 = w0.outline.radius(), r1 = w1.outline.radius();
  if ((s.ok && s.length > 0.5 * (r0 + r1)) || (w0.still && w1.still) || s.parted) return;
  const WheelNow &n0 = page.wheels[at(i0)], &n1 = page.wheels[at(i1)];
  const Vec3 d = n1.frame.origin - n0.frame.origin, &m = n0.frame.normal;
  const double height = m.dot(d), far = (d - height * m).norm();
  const double same = m.dot(n1.frame.normal) < 0.0 ? -1.0 : 1.0;
  const Vec3 e = far > 0.0 ? Vec3((d - height * m) / far) : n0.frame.x;
  out.group();
  Row& row = out.add(stopSlot(index));
  row.error = far - (1.0 + rimClear) * std::fabs(n0.side * r0 - same * n1.side * r1);
  row.lower = 0.0;
  if (!w1.still) out.entry(w1.mount.block, e, n1.lever.cross(e));
  if (!w0.still) out.entry(w0.mount.block, -e, -n0.lever.cross(e) - height * m.cross(e));
}

/// Where a segment meets a wheel: what moves across the strand there. Along it the contact runs, which no row sees.
StrandTypes::Motion StrandRows::wheelEnd(const Instant& now, int segment, bool last) const {
  const Page& page = glance(now);
  const SpanNow& span = page.spans[at(segment)];
  Motion m;
  if (span.skew) {
    SkewEnds ends;
    skewEnds(page, segments_[at(segment)], span, ends);
    return ends.place[last ? 1 : 0];
  }
  carryEnd(page, segments_[at(segment)], span, last ? 1 : 0, m);
  m.x = span.x[last ? 1 : 0];
  return m;
}

/// N·(x_outside − x) = 0, N the normal of the surface, or the direction a curve bends to.
void StrandRows::gaugeRow(const Instant& now, int st, RowSet& out) const {
  if (station(st).wheel || !node(station(st).index).tangent) return;
  const Node& n = node(station(st).index);
  if (lifted(now, n)) return;
  const int before = segmentBefore(st), after = segmentAfter(st);
  const bool outsideAfter = before >= 0 && segments_[at(before)].chart >= 0;
  const int outside = outsideAfter ? after : before;
  if (outside < 0 || segments_[at(outside)].chart >= 0) return;
  const Segment& g = segments_[at(outside)];
  const int other = g.from == st ? g.to : g.from;
  const Ground& ground = grounds_[at(n.chart)];
  const ChartPoint p = ground.chart->at(parameters(now, n));
  const bool turns = ground.node < 0 && now.rotates(ground.block);
  const Mat3 turn = turns ? now.rotation(ground.block) : Mat3(Mat3::Identity());
  Vec3 normal;
  std::array<Vec3, 2> bend{Vec3::Zero(), Vec3::Zero()};
  if (ground.chart->dimension() == 1) {
    constexpr double step = 1e-5;
    const Vec2 u = parameters(now, n), e(step, 0.0);
    normal = p.duu[0];
    bend[0] = (ground.chart->at(u + e).duu[0] - ground.chart->at(u - e).duu[0]) / (2.0 * step);
  } else {
    normal = p.du[0].cross(p.du[1]);
    for (int k = 0; k < 2; ++k) bend[at(k)] = p.duu[at(k)].cross(p.du[1]) + p.du[0].cross(p.duu[at(k + 1)]);
  }
  if (normal.norm() < 1e-12) return;  // the pole of a sphere's chart
  const double scale = 1.0 / normal.norm();
  const Vec3 n_W = turn * normal * scale;
  const Motion here = nodeMotion(now, station(st).index);
  const Motion there =
      station(other).wheel ? wheelEnd(now, outside, g.to == other) : nodeMotion(now, station(other).index);
  const Vec3 d = there.x - here.x;
  out.group();
  Row& row = out.add(gaugeSlot(st));
  row.error = n_W.dot(d);
  pushMotion(there, n_W, out);
  pushMotion(here, -n_W, out);
  if (turns) out.entry(ground.block, Vec3::Zero(), n_W.cross(d));
  const Vec3 local = turn.transpose() * d * scale;
  Vec3 own = Vec3::Zero();
  for (int k = 0; k < ground.chart->dimension(); ++k)
    own[k] = bend[at(k)].dot(local) - row.error * normal.dot(bend[at(k)]) * scale * scale;
  if (ground.chart->dimension() == 1)
    out.entry(n.block, own[0]);
  else
    out.entry(n.block, own);
}

void StrandRows::rows(const Instant& now, RowSet& out) const {
  const Page& page = glance(now);
  // In the order of the segments, whoever has seen them.
  int done = 0;
  everyTackle(page, [&](const Tackle& t, const Tackle::Now& tackle) {
    while (done < t.first) lengthRow(now, page, done++, out);
    t.rows(tackle, lengthSlot(t.first), strainDamping(), out);
    done += t.count() - 1;
  });
  while (done < segmentCount()) lengthRow(now, page, done++, out);
  // Wheels that never slip have no row of their own, and spans between wheels none but their length and their stop.
  const auto isWheel = [&](int st) { return station(st).wheel; };
  everyStation(page.tackled, [&](int st) {
    if (isWheel(st) && wheel(station(st).index).slip < 0) return;
    frictionRow(now, st, out);
    gaugeRow(now, st, out);
    bendRows(now, st, out);
    restRows(now, st, out);
  });
  // The falls of a tackle are long enough.
  everySegment(page.tackled, [&](int i) {
    if (isWheel(segments_[at(i)].from) && isWheel(segments_[at(i)].to)) return stopWheels(now, i, out);
    chartBendRow(now, i, out);
    gripRow(now, i, out);
    stopRow(now, i, out);
  });
  slideRows(now, page, out);
  twistRow(now, page, out);
  for (int i = 0; touches_ && i < nodeCount(); ++i) touchRow(now, i, out);
}

/// Of the deformation itself, so that it is known before the first step and damping is not taken for it.
Energy StrandRows::energy(const Instant& now) const {
  Page room;
  const Page* page = &glance(now);
  if (!page->whole) {
    lookAtAll(now, room);
    page = &room;
  }
  Energy sum{.kinetic = kinetic(now, *page), .potential = potential(now, *page)};
  if (paid_ >= 0)  // what comes out was there before, at the height of the end
    sum.potential += density_ * (paidOf(now.past()) + paidInStep(now)) *
                     now.model().description.settings.gravity.dot(page->nodes[at(station(0).index)].x);
  RowSet rows;
  this->rows(now, rows);
  for (const Row& row : rows.rows) {
    const bool slack = row.upper == 0.0 && row.error < 0.0;
    if (row.level == Level::position && row.compliance > 0.0 && !slack)
      sum.elastic += 0.5 * row.error * row.error / row.compliance;
  }
  for (const Wheel& w : wheels_) {
    if (!w.drum || settings_.material.axial == unbounded) continue;
    const DrumMemory& drum = drumMemory(now.past(), w);
    for (int k = 0; k < drum.layers; ++k)
      sum.elastic += 0.5 * settings_.material.axial * drum.strain[k] * drum.strain[k] * drum.rest[k];
  }
  return sum;
}

std::string StrandRows::rowName(int local) const {
  const std::string& name = element_->name;
  const int global = element_->slot + local;
  if (local < room()) return name + ".segment " + std::to_string(local);
  if (global < gaugeSlot(0)) return name + ".friction " + std::to_string(global - frictionSlot(0));
  if (global < bendSlot(0)) return name + ".tangency " + std::to_string(global - gaugeSlot(0));
  if (global < stopSlot(0)) return name + ".bend " + std::to_string((global - bendSlot(0)) / 3);
  if (global < slideSlot(0)) return name + ".stop " + std::to_string(global - stopSlot(0));
  if (global < twistSlot()) return name + ".slide " + std::to_string((global - slideSlot(0)) / 2);
  return global == twistSlot() ? name + ".twist" : name + ".touch " + std::to_string(global - touchSlot(0));
}

void StrandRows::restRows(const Instant& now, int st, RowSet& out) const {
  if (station(st).wheel || node(station(st).index).pad < 0 || !lifted(now, node(station(st).index))) return;
  out.group();
  for (int k = 0; k < 2; ++k) {
    out.add(bendSlot(st) + k).level = Level::velocity;
    out.entry(node(station(st).index).block, Vec3(Vec3::Unit(k)));
  }
}

}  // namespace reeve
