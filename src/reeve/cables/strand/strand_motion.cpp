// Where the stations of a strand are, how they move, and how the material moves there.
#include <algorithm>
#include <cmath>

#include "reeve/cables/body_turn.h"
#include "reeve/cables/strand/strand_kinematics.h"
#include "reeve/geometry/turn_rule.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

StrandTypes::Carry& StrandTypes::Motion::add(int block, int dof) {
  for (int i = 0; i < count; ++i)
    if (carry[at(i)].block == block) return carry[at(i)];
  Carry& c = carry[at(count++)];
  c.block = block;
  c.dof = dof;
  c.a.setZero();
  c.d.setZero();
  return c;
}

/// The world does not move, so nothing is carried by it.
void StrandTypes::Motion::addRigid(const Instant& now, int block, const Vec3& arm, const Vec3& armRate) {
  if (block == 0) return;
  Carry& c = add(block, now.rotates(block) ? 6 : 3);
  c.a.leftCols<3>() += Mat3::Identity();
  if (!now.rotates(block)) return;
  c.a.rightCols<3>() -= skew(arm);
  c.d.rightCols<3>() -= skew(armRate);
}

void StrandTypes::Motion::blend(const Motion& other, double weight, double rate) {
  for (int i = 0; i < other.count; ++i) {
    const Carry& o = other.carry[at(i)];
    Carry& c = add(o.block, o.dof);
    c.a += weight * o.a;
    c.d += weight * o.d + rate * o.a;
  }
}

Vec2 StrandKinematics::parameters(const Instant& now, const Node& n) const {
  if (n.block < 0) return n.at;
  const Block& b = now.model().blocks[at(n.block)];
  return Vec2(now.q[at(b.q)], b.dof > 1 ? now.q[at(b.q + 1)] : 0.0);
}

Vec2 StrandKinematics::parameterRates(const Instant& now, const Node& n) const {
  if (n.block < 0) return Vec2::Zero();
  const Block& b = now.model().blocks[at(n.block)];
  return Vec2(now.v[at(b.v)], b.dof > 1 ? now.v[at(b.v + 1)] : 0.0);
}

double StrandKinematics::materialAt(const Instant& now, const Node& n) const {
  if (n.pays) return n.s - paidOf(now.past()) - paidInStep(now);
  return n.flow >= 0 ? now.scalar(n.flow) : n.kept >= 0 ? materialOf(now.past(), n) : n.s;
}
double StrandKinematics::flowRate(const Instant& now, const Node& n) const {
  if (n.pays) return -payRate(now);
  return n.flow < 0 ? 0.0 : now.rate(n.flow);
}

/// Walks from the node up to what it rides on.
StrandTypes::Motion StrandKinematics::nodeMotion(const Instant& now, int index) const {
  const Node& n = node(index);
  if ((n.pad >= 0 || n.gone >= 0) && lifted(now, n)) return liftedMotion(now, n);
  Motion m;
  switch (n.place) {
    case Place::waiting:
      return m;
    case Place::point: {
      const Anchor& anchor = n.anchor;
      const Vec3 arm = now.arm(anchor);
      m.x = now.point(anchor);
      m.v = now.pointVelocity(anchor);
      const Vec3 rate =
          now.rotates(anchor.block) ? Vec3(now.angularVelocity(anchor.block).cross(arm)) : Vec3(Vec3::Zero());
      m.addRigid(now, anchor.block, arm, rate);
      return m;
    }
    case Place::free:
      m.x = now.position(n.block);
      m.v = now.velocity(n.block);
      m.add(n.block, 3).a.leftCols<3>() += Mat3::Identity();
      return m;
    case Place::ride:
      return n.host->nodeMotion(now, n.hostA);
    case Place::between: {
      const Motion a = n.host->nodeMotion(now, n.hostA), b = n.host->nodeMotion(now, n.hostB);
      const double f = n.block < 0 ? n.at.x() : now.scalar(n.block), rate = n.block < 0 ? 0.0 : now.rate(n.block);
      m.x = (1.0 - f) * a.x + f * b.x;
      m.v = (1.0 - f) * a.v + f * b.v + rate * (b.x - a.x);
      m.blend(a, 1.0 - f, -rate);
      m.blend(b, f, rate);
      if (n.block >= 0) {
        Carry& c = m.add(n.block, 1);
        c.a.col(0) += b.x - a.x;
        c.d.col(0) += b.v - a.v;
      }
      return m;
    }
    case Place::chart:
      break;
  }
  const Ground& ground = grounds_[at(n.chart)];
  const Along along = groundMotion(now, ground, parameters(now, n), parameterRates(now, n), m);
  if (n.block >= 0) {
    const int dof = ground.chart->dimension();
    Carry& c = m.add(n.block, dof);
    c.a.leftCols(dof) += along.a.leftCols(dof);
    c.d.leftCols(dof) += along.d.leftCols(dof);
  }
  return m;
}

/// Where a chart's parameters are, moved by what carries the chart and by their own rates; the directions of the
/// parameters and their change are left to whoever knows what they belong to.
StrandNow::Along StrandKinematics::groundMotion(const Instant& now, const Ground& ground, const Vec2& u,
                                                const Vec2& rate, Motion& m, double phase) const {
  const ChartPoint p = phase == 0.0 ? ground.chart->at(u) : turned(ground.chart->at(u), *ground.chart->round(), phase);
  Mat3 turn = Mat3::Identity();
  Vec3 omega = Vec3::Zero();
  if (ground.node >= 0) {
    m = ground.host->nodeMotion(now, ground.node);
  } else if (now.rotates(ground.block)) {
    turn = now.rotation(ground.block);
    omega = now.angularVelocity(ground.block);
  }
  const Vec3 arm = turn * p.x, own = turn * (p.du[0] * rate.x() + p.du[1] * rate.y());
  if (ground.node < 0) {
    m.x = now.position(ground.block);
    m.v = now.velocity(ground.block);
    m.addRigid(now, ground.block, arm, omega.cross(arm) + own);
  }
  m.x += arm;
  m.v += omega.cross(arm) + own;
  Along along;
  for (int k = 0; k < 2; ++k) {
    along.a.col(k) = turn * p.du[at(k)];
    along.d.col(k) = omega.cross(Vec3(along.a.col(k))) + turn * (p.duu[at(k)] * rate.x() + p.duu[at(k + 1)] * rate.y());
  }
  return along;
}

// Wheels ---------------------------------------------------------------------------------------------------------

LinkFrame StrandKinematics::wheelFrame(const Instant& now, const Wheel& w) const {
  const Mat3& r = now.rotation(w.mount.block);
  return {now.position(w.mount.block) + r * w.center_B, r * w.x_B, r * w.y_B, r * w.normal_B};
}

double StrandKinematics::frameTurn(const Instant& now, const Wheel& w) const {
  return w.still ? 0.0 : bodyTurn(now, now.past().q, w.mount.block, {Vec3::Zero(), w.x_B, w.y_B, w.normal_B});
}

double StrandKinematics::wheelTurn(const Instant& now, const Wheel& w) const {
  if (w.mount.rotor < 0) return 0.0;
  const double spin = now.u[at(now.model().blocks[at(w.mount.rotor)].v)];
  const bool flipped = w.mount.axis_B.dot(w.normal_B) < 0.0;
  const double body = frameTurn(now, w);
  return (flipped ? -spin : spin) - body;
}

// Charts --------------------------------------------------------------------------------------------------------

/// The material at a place of a segment that lies on a chart: eq. 3, with the motion of the body.
StrandTypes::End StrandKinematics::chartEnd(const Instant& now, const Segment& g, double alpha, double phase) const {
  const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
  if (lifted(now, n0)) return liftedEnd(now, g, alpha);
  const Ground& ground = grounds_[at(g.chart)];
  const Vec2 u0 = parameters(now, n0), u1 = parameters(now, n1);
  const Vec2 r0 = parameterRates(now, n0), r1 = parameterRates(now, n1);
  const double s0 = materialAt(now, n0), rest = materialOn(now, g);
  const double f0 = flowRate(now, n0), f1 = flowRate(now, n1);
  const double w0 = 1.0 - alpha, w1 = alpha;
  const double flow = w0 * f0 + w1 * f1, alphaRate = -flow / rest;
  const Vec2 slope = (u1 - u0) / rest, slopeRate = (r1 - r0 - slope * (f1 - f0)) / rest;
  const Vec2 u = w0 * u0 + w1 * u1, rate = w0 * r0 + w1 * r1 - slope * flow;
  End end;
  const Along moved = groundMotion(now, ground, u, rate, end, phase);
  const auto &along = moved.a, &alongRate = moved.d;
  const int dof = ground.chart->dimension();
  const auto carry = [&](const Node& n, double w, double wRate) {
    if (n.block >= 0) {
      Carry& c = end.add(n.block, dof);
      c.a.leftCols(dof) += w * along.leftCols(dof);
      c.d.leftCols(dof) += w * alongRate.leftCols(dof) + wRate * along.leftCols(dof);
    }
    if (n.flow >= 0) {
      Carry& c = end.add(n.flow, 1);
      c.a.col(0) -= w * (along * slope);
      c.d.col(0) -= w * (alongRate * slope + along * slopeRate) + wRate * (along * slope);
    }
  };
  carry(n0, w0, -alphaRate);
  carry(n1, w1, alphaRate);
  end.m = end.v;  // `rate` is the material's, so v is its velocity already
  end.s = s0 + alpha * rest;
  end.sRate = flow;
  return end;
}

double StrandKinematics::chartLength(const Instant& now, const Segment& g, std::array<Vec2, 2>& gradient) const {
  const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
  if (lifted(now, n0)) {
    gradient = {Vec2::Zero(), Vec2::Zero()};
    return (nodeMotion(now, station(g.to).index).x - nodeMotion(now, station(g.from).index).x).norm();
  }
  const Chart& chart = *grounds_[at(g.chart)].chart;
  const Vec2 u0 = parameters(now, n0), u1 = parameters(now, n1), d = u1 - u0;
  double length = 0.0;
  gradient = {Vec2::Zero(), Vec2::Zero()};
  everyLengthPoint(chart, u0, u1, [&](double alpha, double w) {
    const ChartPoint p = chart.at(u0 + alpha * d);
    const Vec3 t = p.du[0] * d.x() + p.du[1] * d.y();
    const double speed = t.norm();
    length += w * speed;
    if (speed <= 0.0) return;
    for (int k = 0; k < 2; ++k) {
      const Vec3 across = p.duu[at(k)] * d.x() + p.duu[at(k + 1)] * d.y();
      const double turn = t.dot(across) / speed, stretch = t.dot(p.du[at(k)]) / speed;
      gradient[0][k] += w * ((1.0 - alpha) * turn - stretch);
      gradient[1][k] += w * (alpha * turn + stretch);
    }
  });
  return length;
}

double StrandKinematics::chartCurvature(const Ground& ground, const Vec2& a, const Vec2& b) const {
  const Vec2 d = b - a;
  const ChartPoint p = ground.chart->at(0.5 * (a + b));
  const Vec3 first = p.du[0] * d.x() + p.du[1] * d.y();
  const Vec3 second = p.duu[0] * d.x() * d.x() + 2.0 * p.duu[1] * d.x() * d.y() + p.duu[2] * d.y() * d.y();
  const double l = first.norm();
  return l > 0.0 ? first.cross(second).norm() / (l * l * l) : 0.0;
}

std::vector<double> StrandKinematics::corners(const Instant& now) const {
  std::vector<double> out;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& g = segments_[i];
    if (g.chart >= 0) {
      const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
      out.push_back(chartEnd(now, g, 0.0).s);
      everyPiece(*grounds_[at(g.chart)].chart, parameters(now, n0), parameters(now, n1),
                 [&](double, double to) { out.push_back(chartEnd(now, g, to).s); });
      continue;
    }
    out.push_back(look(now).spans[i].s[0]);
    out.push_back(look(now).spans[i].s[1]);
  }
  for (const int st : {0, stationCount() - 1})
    if (station(st).wheel && wheel(station(st).index).drum) {
      const WheelMemory& kept = wheelMemory(now.past(), station(st).index);
      out.push_back(st == 0 ? kept.entryS : kept.exitS);
    }
  // A loop's last piece lies on its first wheel.
  if (closed_) out.push_back(out.front() + length_);
  std::sort(out.begin(), out.end());
  return out;
}

Vec3 StrandKinematics::materialPoint(const Instant& now, double s) const {
  int onto = -1;  // the wheel that the segment before leads onto
  double entryAngle = 0.0, entryS = 0.0;
  const auto onWheel = [&](double angleS) {
    const Wheel& w = wheel(onto);
    double sine, cosine;
    math::sincos(entryAngle + w.side * (angleS - entryS) / w.outline.radius(), sine, cosine);
    return wheelFrame(now, w).toWorld(w.outline.radius() * Vec2(cosine, sine));
  };
  Vec3 last = Vec3::Zero();
  if (station(0).wheel && wheel(station(0).index).drum) {
    onto = station(0).index;
    entryAngle = look(now).wheels[at(onto)].anchor;
    entryS = wheelMemory(now.past(), onto).entryS;
  }
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& g = segments_[i];
    if (g.chart >= 0) {
      const double s0 = chartEnd(now, g, 0.0).s, s1 = chartEnd(now, g, 1.0).s;
      if (s < s1) return chartEnd(now, g, (s - s0) / (s1 - s0)).x;
      last = chartEnd(now, g, 1.0).x;
      onto = -1;
      continue;
    }
    const SpanNow& st = look(now).spans[i];
    if (onto >= 0 && s < st.s[0]) return onWheel(s);
    if (s < st.s[1]) return st.x[0] + (s - st.s[0]) / st.rest * (st.x[1] - st.x[0]);
    last = st.x[1];
    onto = station(g.to).wheel ? station(g.to).index : -1;
    entryAngle = st.angle[1];
    entryS = st.s[1];
  }
  return onto >= 0 ? onWheel(s) : last;
}

Mat3 StrandKinematics::groundTurn(const Instant& now, const Ground& ground) const {
  return ground.node < 0 && now.rotates(ground.block) ? now.rotation(ground.block) : Mat3(Mat3::Identity());
}

/// On the line between the nodes around it that are not off a surface themselves, evenly.
StrandTypes::Motion StrandKinematics::liftedMotion(const Instant& now, const Node& n) const {
  int a = n.at0, b = n.at0;
  while (lifted(now, node(station(a).index))) --a;
  while (lifted(now, node(station(b).index))) ++b;
  const double f = static_cast<double>(n.at0 - a) / (b - a);
  const Motion first = nodeMotion(now, station(a).index), last = nodeMotion(now, station(b).index);
  Motion m;
  m.x = (1.0 - f) * first.x + f * last.x;
  m.v = (1.0 - f) * first.v + f * last.v;
  m.blend(first, 1.0 - f, 0.0);
  m.blend(last, f, 0.0);
  return m;
}

/// A straight segment, as chartEnd() gives one on a chart. The parameters of its nodes rest (restRows); they are given
/// some mass so that the matrix stays regular.
StrandTypes::End StrandKinematics::liftedEnd(const Instant& now, const Segment& g, double alpha) const {
  const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
  const Motion a = nodeMotion(now, station(g.from).index), b = nodeMotion(now, station(g.to).index);
  const double s0 = materialAt(now, n0), s1 = materialAt(now, n1), rest = s1 - s0;
  const double f0 = flowRate(now, n0), f1 = flowRate(now, n1), w0 = 1.0 - alpha, w1 = alpha;
  const double flow = w0 * f0 + w1 * f1, alphaRate = -flow / rest;
  const Vec3 slope = (b.x - a.x) / rest, slopeRate = (b.v - a.v - slope * (f1 - f0)) / rest;
  End end;
  end.x = w0 * a.x + w1 * b.x;
  end.v = w0 * a.v + w1 * b.v - slope * flow;
  end.m = end.v;
  end.blend(a, w0, -alphaRate);
  end.blend(b, w1, alphaRate);
  const auto carry = [&](const Node& n, double w, double wRate) {
    Carry& c = end.add(n.flow, 1);
    c.a.col(0) -= w * slope;
    c.d.col(0) -= w * slopeRate + wRate * slope;
    Carry& own = end.add(n.block, 2);
    own.a.col(0) = Vec3::UnitX();
    own.a.col(1) = Vec3::UnitY();
  };
  carry(n0, w0, -alphaRate);
  carry(n1, w1, alphaRate);
  end.s = s0 + alpha * rest;
  end.sRate = flow;
  return end;
}

}  // namespace reeve
