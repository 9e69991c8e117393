// Where the stations of a strand are, how they move, and how the material moves there.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_cable.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

StrandCable::Carry& StrandCable::Motion::add(int block, int dof) {
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
void StrandCable::Motion::addRigid(const Instant& now, int block, const Vec3& arm, const Vec3& armRate) {
  if (block == 0) return;
  Carry& c = add(block, now.rotates(block) ? 6 : 3);
  c.a.leftCols<3>() += Mat3::Identity();
  if (!now.rotates(block)) return;
  c.a.rightCols<3>() -= skew(arm);
  c.d.rightCols<3>() -= skew(armRate);
}

void StrandCable::Motion::blend(const Motion& other, double weight, double rate) {
  for (int i = 0; i < other.count; ++i) {
    const Carry& o = other.carry[at(i)];
    Carry& c = add(o.block, o.dof);
    c.a += weight * o.a;
    c.d += weight * o.d + rate * o.a;
  }
}

Vec2 StrandCable::parameters(const Instant& now, const Node& n) const {
  if (n.block < 0) return n.at;
  const Block& b = now.model().blocks[at(n.block)];
  return Vec2(now.q[at(b.q)], b.dof > 1 ? now.q[at(b.q + 1)] : 0.0);
}

Vec2 StrandCable::parameterRates(const Instant& now, const Node& n) const {
  if (n.block < 0) return Vec2::Zero();
  const Block& b = now.model().blocks[at(n.block)];
  return Vec2(now.v[at(b.v)], b.dof > 1 ? now.v[at(b.v + 1)] : 0.0);
}

double StrandCable::materialAt(const Instant& now, const Node& n) const {
  return n.flow >= 0 ? now.scalar(n.flow) : n.kept >= 0 ? now.memory(memory + n.kept) : n.s;
}
double StrandCable::flowRate(const Instant& now, const Node& n) const { return n.flow < 0 ? 0.0 : now.rate(n.flow); }

/// Walks from the node up to what it rides on.
StrandCable::Motion StrandCable::nodeMotion(const Instant& now, int index) const {
  const Node& n = node(index);
  if (n.pad >= 0 && lifted(now, n)) return liftedMotion(now, n);
  Motion m;
  switch (n.place) {
    case Place::point: {
      const Vec3 arm = now.arm(n.anchor);
      m.x = now.point(n.anchor);
      m.v = now.pointVelocity(n.anchor);
      const Vec3 rate =
          now.rotates(n.anchor.block) ? Vec3(now.angularVelocity(n.anchor.block).cross(arm)) : Vec3(Vec3::Zero());
      m.addRigid(now, n.anchor.block, arm, rate);
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
  const Vec2 u = parameters(now, n), rate = parameterRates(now, n);
  const ChartPoint p = ground.chart->at(u);
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
  if (n.block >= 0) {
    const int dof = ground.chart->dimension();
    Carry& c = m.add(n.block, dof);
    for (int k = 0; k < dof; ++k) {
      const Vec3 along = turn * p.du[at(k)];
      c.a.col(k) += along;
      c.d.col(k) += omega.cross(along) + turn * (p.duu[at(k)] * rate.x() + p.duu[at(k + 1)] * rate.y());
    }
  }
  return m;
}

// Wheels ---------------------------------------------------------------------------------------------------------

LinkFrame StrandCable::wheelFrame(const Instant& now, const Wheel& w) const {
  const Mat3& r = now.rotation(w.mount.block);
  return {now.position(w.mount.block) + r * w.center_B, r * w.x_B, r * w.y_B, r * w.normal_B};
}

SpanLink StrandCable::spanLink(const Instant& now, int st) const {
  static const Outline pointOutline = Outline::point();
  SpanLink link;
  if (station(st).wheel) {
    const Wheel& w = wheel(station(st).index);
    link.outline = &w.outline;
    link.sigma = w.side;
    link.frame = wheelFrame(now, w);
    return link;
  }
  link.outline = &pointOutline;
  link.frame.origin = nodeMotion(now, station(st).index).x;
  return link;
}

/// A prescribed body may change its speed within the step, so there the turn is read off the two poses, and the speed
/// only tells whole turns.
double StrandCable::frameTurn(const Instant& now, const Wheel& w) const {
  const int block = w.mount.block;
  if (w.still) return 0.0;
  const Vec3 axis = now.rotation(block) * w.normal_B;
  const double expected = turnAbout(now.turned(block), axis);
  const Block& b = now.model().blocks[at(block)];
  if (b.free || now.h == 0.0 || expected == 0.0) return expected;
  const std::size_t k = at(b.q + 3);
  const std::vector<double>& q = now.past().q;
  const Mat3 before = Quat(q[k], q[k + 1], q[k + 2], q[k + 3]).toRotationMatrix();
  const auto placed = [&](const Mat3& r) { return LinkFrame{Vec3::Zero(), r * w.x_B, r * w.y_B, r * w.normal_B}; };
  return turnBetween(placed(before), placed(now.rotation(block)), expected);
}

double StrandCable::wheelTurn(const Instant& now, const Wheel& w) const {
  if (w.mount.rotor < 0) return 0.0;
  const double spin = now.u[at(now.model().blocks[at(w.mount.rotor)].v)];
  const bool flipped = w.mount.axis_B.dot(w.normal_B) < 0.0;
  const double body = frameTurn(now, w);
  return (flipped ? -spin : spin) - body;
}

double StrandCable::contactAngle(const Instant& now, int i, const SpanEnd& end, bool exit) const {
  const double before = recall(now.past(), i, exit ? exitAngle_ : entryAngle_);
  return continueTravel(wheel(i).outline, end.place, {before * wheel(i).outline.radius(), before},
                        frameTurn(now, wheel(i)))
      .angle;
}

/// s of the strand at a contact: what has run over the rim since the start of the step, and what has slid.
double StrandCable::wheelMaterial(const Instant& now, int i, double angle, bool exit) const {
  const Wheel& w = wheel(i);
  const double before = recall(now.past(), i, exit ? exitAngle_ : entryAngle_);
  const double slid = w.slip < 0 ? 0.0 : now.u[at(now.model().blocks[at(w.slip)].v)];
  return recall(now.past(), i, exit ? exitS_ : entryS_) +
         w.side * w.outline.radius() * (angle - before - wheelTurn(now, w)) - slid;
}

void StrandCable::addRim(const Instant& now, const Wheel& w, const Vec3& arm, const Vec3& armRate, const Vec3& tangent,
                         const Vec3& tangentRate, End& out) const {
  const int block = w.mount.block;
  const Mat3& r = now.rotation(block);
  const Vec3 center = r * w.center_B;
  const Vec3 omega = now.angularVelocity(block);
  if (w.mount.rotor < 0) {
    if (!w.still) out.addRigid(now, block, center + arm, omega.cross(center) + armRate);
  } else {
    const Vec3 axle = r * w.mount.axis_B, axleRate = omega.cross(axle);
    if (!w.still) {
      Carry& c = out.add(block, 6);
      c.a.leftCols<3>() += Mat3::Identity();
      const Mat3 across = Mat3::Identity() - axle * axle.transpose();
      const Mat3 acrossRate = -(axleRate * axle.transpose() + axle * axleRate.transpose());
      c.a.rightCols<3>() -= skew(center) + skew(arm) * across;
      c.d.rightCols<3>() -= skew(omega.cross(center)) + skew(armRate) * across + skew(arm) * acrossRate;
    }
    Carry& spin = out.add(w.mount.rotor, 1);
    spin.a.col(0) += axle.cross(arm);
    spin.d.col(0) += axleRate.cross(arm) + axle.cross(armRate);
  }
  if (w.slip >= 0) {
    Carry& c = out.add(w.slip, 1);
    c.a.col(0) += tangent;
    c.d.col(0) += tangentRate;
  }
}

void StrandCable::finishEnd(const Instant& now, End& end) const {
  end.m.setZero();
  for (int i = 0; i < end.count; ++i) {
    const Carry& c = end.carry[at(i)];
    const std::size_t v = at(now.model().blocks[at(c.block)].v);
    for (int k = 0; k < c.dof; ++k) end.m += c.a.col(k) * now.v[v + at(k)];
  }
}

// Straight segments --------------------------------------------------------------------------------------------

void StrandCable::straightNodes(const Instant& now, const Segment& g, Straight& out) const {
  const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
  static_cast<Motion&>(out.a) = nodeMotion(now, station(g.from).index);
  static_cast<Motion&>(out.b) = nodeMotion(now, station(g.to).index);
  out.a.s = materialAt(now, n0);
  out.b.s = materialAt(now, n1) + g.around;
  const Vec3 d = out.b.x - out.a.x;
  out.length = d.norm();
  out.n = out.length > 0.0 ? Vec3(d / out.length) : Vec3(Vec3::UnitZ());
  out.rest = out.b.s - out.a.s;
}

void StrandCable::straightWheels(const Instant& now, const Segment& g, Straight& out) const {
  out.span = spanBetween(spanLink(now, g.from), spanLink(now, g.to));
  out.ok = out.span.status == TangentStatus::ok;
  out.length = out.span.length;
  out.n = out.span.n;
  if (!out.ok) return;
  // How fast the contacts run along their rims: eq. (4) of geometry/tangent_span.h.
  Vec3 v[2], omega[2];
  double rim[2] = {0.0, 0.0};
  for (int k = 0; k < 2; ++k) {
    const int st = k == 0 ? g.from : g.to;
    End& end = k == 0 ? out.a : out.b;
    omega[k].setZero();
    if (!station(st).wheel) {
      static_cast<Motion&>(end) = nodeMotion(now, station(st).index);
      v[k] = end.v;
      continue;
    }
    const Wheel& w = wheel(station(st).index);
    omega[k] = now.angularVelocity(w.mount.block);
    v[k] = now.velocity(w.mount.block) + omega[k].cross(out.span.end[at(k)].point - now.position(w.mount.block));
  }
  const SpanEnd &e0 = out.span.end[0], &e1 = out.span.end[1];
  const double l = out.length, r0 = e0.bendRadius, r1 = e1.bendRadius;
  const Vec3 dv = v[1] - v[0];
  const double b0 = -r0 * (e0.outward.dot(dv) + l * omega[0].dot(e0.outward.cross(out.n)));
  const double b1 = -r1 * (e1.outward.dot(dv) + l * omega[1].dot(e1.outward.cross(out.n)));
  const double a00 = l * e0.tangent.dot(out.n), a01 = r0 * e0.outward.dot(e1.tangent);
  const double a10 = -r1 * e1.outward.dot(e0.tangent), a11 = l * e1.tangent.dot(out.n);
  const double det = a00 * a11 - a01 * a10;
  if (det != 0.0) {
    rim[0] = (b0 * a11 - b1 * a01) / det;
    rim[1] = (b1 * a00 - b0 * a10) / det;
  }
  const Vec3 p0 = v[0] + e0.tangent * rim[0], p1 = v[1] + e1.tangent * rim[1];
  const Vec3 turning = ((p1 - p0) - out.n * out.n.dot(p1 - p0)) / l;
  for (int k = 0; k < 2; ++k) {
    const int st = k == 0 ? g.from : g.to;
    End& end = k == 0 ? out.a : out.b;
    if (!station(st).wheel) continue;
    const int i = station(st).index;
    const Wheel& w = wheel(i);
    const SpanEnd& e = out.span.end[at(k)];
    end.x = e.point;
    end.v = k == 0 ? p0 : p1;
    const Vec3 center = e.origin;
    const Vec3 centerRate = now.velocity(w.mount.block) + omega[k].cross(center - now.position(w.mount.block));
    addRim(now, w, end.x - center, end.v - centerRate, out.n, turning, end);
    finishEnd(now, end);
    out.angle[at(k)] = contactAngle(now, i, e, k == 0);
    end.s = wheelMaterial(now, i, out.angle[at(k)], k == 0) + (k == 1 ? g.around : 0.0);
    end.sRate = e.tangent.dot(end.v - end.m);
  }
  if (!station(g.from).wheel) out.a.s = materialAt(now, node(station(g.from).index));
  if (!station(g.to).wheel) out.b.s = materialAt(now, node(station(g.to).index)) + g.around;
  out.rest = out.b.s - out.a.s;
}

StrandCable::Straight StrandCable::straight(const Instant& now, const Segment& g) const {
  Straight out;
  const bool wheels = station(g.from).wheel || station(g.to).wheel;
  if (wheels)
    straightWheels(now, g, out);
  else
    straightNodes(now, g, out);
  if (!out.ok) return out;
  // Lumped mass goes to Lagrangian nodes; contact nodes have next to none.
  const auto flows = [&](int st) { return !station(st).wheel && node(station(st).index).flow >= 0; };
  if (flows(g.from) != flows(g.to)) {
    out.lumpA = flows(g.from) ? 1e-3 : 1.0 - 1e-3;
    out.lumpB = 1.0 - out.lumpA;
  }
  // At a node the material moves on by x' ṡ.
  const auto rate = [&](int st) { return station(st).wheel ? 0.0 : flowRate(now, node(station(st).index)); };
  if (!station(g.from).wheel) out.a.sRate = rate(g.from);
  if (!station(g.to).wheel) out.b.sRate = rate(g.to);
  const Vec3 slope = (out.b.x - out.a.x) / out.rest;
  const Vec3 slopeRate = (out.b.v - out.a.v - slope * (out.b.sRate - out.a.sRate)) / out.rest;
  for (End* end : {&out.a, &out.b}) {
    const Station& st = station(end == &out.a ? g.from : g.to);
    if (st.wheel) continue;
    const Node& n = node(st.index);
    if (n.flow >= 0) {
      Carry& c = end->add(n.flow, 1);
      c.a.col(0) -= slope;
      c.d.col(0) -= slopeRate;
    }
    end->m = end->v - slope * end->sRate;
  }
  return out;
}

// Charts --------------------------------------------------------------------------------------------------------

/// The material at a place of a segment that lies on a chart: eq. 3, with the motion of the body.
StrandCable::End StrandCable::chartEnd(const Instant& now, const Segment& g, double alpha) const {
  const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
  if (lifted(now, n0)) return liftedEnd(now, g, alpha);
  const Ground& ground = grounds_[at(g.chart)];
  const Vec2 u0 = parameters(now, n0), u1 = parameters(now, n1);
  const Vec2 r0 = parameterRates(now, n0), r1 = parameterRates(now, n1);
  const double s0 = materialAt(now, n0), s1 = materialAt(now, n1) + g.around, rest = s1 - s0;
  const double f0 = flowRate(now, n0), f1 = flowRate(now, n1);
  const double w0 = 1.0 - alpha, w1 = alpha;
  const double flow = w0 * f0 + w1 * f1, alphaRate = -flow / rest;
  const Vec2 slope = (u1 - u0) / rest, slopeRate = (r1 - r0 - slope * (f1 - f0)) / rest;
  const Vec2 u = w0 * u0 + w1 * u1, rate = w0 * r0 + w1 * r1 - slope * flow;
  const ChartPoint p = ground.chart->at(u);
  End end;
  Mat3 turn = Mat3::Identity();
  Vec3 omega = Vec3::Zero();
  if (ground.node >= 0) {
    static_cast<Motion&>(end) = ground.host->nodeMotion(now, ground.node);
  } else if (now.rotates(ground.block)) {
    turn = now.rotation(ground.block);
    omega = now.angularVelocity(ground.block);
  }
  const Vec3 arm = turn * p.x, own = turn * (p.du[0] * rate.x() + p.du[1] * rate.y());
  if (ground.node < 0) {
    end.x = now.position(ground.block);
    end.v = now.velocity(ground.block);
    end.addRigid(now, ground.block, arm, omega.cross(arm) + own);
  }
  end.x += arm;
  end.v += omega.cross(arm) + own;
  const int dof = ground.chart->dimension();
  Eigen::Matrix<double, 3, 2> along, alongRate;
  for (int k = 0; k < 2; ++k) {
    along.col(k) = turn * p.du[at(k)];
    alongRate.col(k) = omega.cross(Vec3(along.col(k))) + turn * (p.duu[at(k)] * rate.x() + p.duu[at(k + 1)] * rate.y());
  }
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

double StrandCable::chartLength(const Instant& now, const Segment& g, std::array<Vec2, 2>& gradient) const {
  const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
  if (lifted(now, n0)) {
    gradient = {Vec2::Zero(), Vec2::Zero()};
    return (nodeMotion(now, station(g.to).index).x - nodeMotion(now, station(g.from).index).x).norm();
  }
  const Chart& chart = *grounds_[at(g.chart)].chart;
  const Vec2 u0 = parameters(now, n0), u1 = parameters(now, n1), d = u1 - u0;
  const GaussRule& rule = gaussRule(chart.points(d));
  double length = 0.0;
  gradient = {Vec2::Zero(), Vec2::Zero()};
  for (int i = 0; i < rule.count; ++i) {
    const double alpha = rule.at[at(i)], w = rule.weight[at(i)];
    const ChartPoint p = chart.at(u0 + alpha * d);
    const Vec3 t = p.du[0] * d.x() + p.du[1] * d.y();
    const double speed = t.norm();
    length += w * speed;
    if (speed <= 0.0) continue;
    for (int k = 0; k < 2; ++k) {
      const Vec3 across = p.duu[at(k)] * d.x() + p.duu[at(k + 1)] * d.y();
      const double turn = t.dot(across) / speed, stretch = t.dot(p.du[at(k)]) / speed;
      gradient[0][k] += w * ((1.0 - alpha) * turn - stretch);
      gradient[1][k] += w * (alpha * turn + stretch);
    }
  }
  return length;
}

double StrandCable::chartCurvature(const Ground& ground, const Vec2& a, const Vec2& b) const {
  const Vec2 d = b - a;
  const ChartPoint p = ground.chart->at(0.5 * (a + b));
  const Vec3 first = p.du[0] * d.x() + p.du[1] * d.y();
  const Vec3 second = p.duu[0] * d.x() * d.x() + 2.0 * p.duu[1] * d.x() * d.y() + p.duu[2] * d.y() * d.y();
  const double l = first.norm();
  return l > 0.0 ? first.cross(second).norm() / (l * l * l) : 0.0;
}

Vec3 StrandCable::placeOf(const Instant& now, int st) const {
  return station(st).wheel ? wheelFrame(now, wheel(station(st).index)).origin : nodeMotion(now, station(st).index).x;
}

}  // namespace reeve
