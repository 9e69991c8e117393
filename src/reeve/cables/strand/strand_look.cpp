// A strand at an instant: wheels, nodes and straight segments, worked out once.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "reeve/cables/body_turn.h"
#include "reeve/cables/strand/strand_kinematics.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// Sine of the angle to a wheel's plane from which the corner at its rim is counted: below it does nothing.
constexpr double skewFrom = 1e-9;

constexpr double twoPi = 2.0 * math::pi;

/// Of what leaves a tangent: a trial of the solver that is nearer is looked at from there. Rows keep it out (stopRow).
constexpr double tangentClear = 1e-4;
/// No span is longer than so many times its material in what it says of how that moves.
constexpr double mostSlope = 10.0;

void moveApart(SpanLink (&links)[2]) {
  const auto reach = [](const SpanLink& l) { return l.outline->isCircle() ? l.sigma * l.outline->radius() : 0.0; };
  const SpanLink& rim = links[0].outline->isCircle() ? links[0] : links[1];
  SpanLink& other = links[0].outline->isCircle() ? links[1] : links[0];
  if (!rim.outline->isCircle()) return;
  const Vec3 &m = rim.frame.normal, d = other.frame.origin - rim.frame.origin;
  const Vec3 across = d - m.dot(d) * m;
  const double same = other.outline->isCircle() && m.dot(other.frame.normal) < 0.0 ? -1.0 : 1.0;
  const double least = (1.0 + tangentClear) * std::fabs(reach(rim) - same * reach(other)), far = across.norm();
  if (far >= least) return;
  other.frame.origin += (far > 0.0 ? Vec3(across / far) : rim.frame.x) * (least - far);
}

/// R v, written out: this is done for every wheel at every instant.
inline Vec3 turned(const Mat3& r, const Vec3& v) { return v.x() * r.col(0) + v.y() * r.col(1) + v.z() * r.col(2); }

}  // namespace

const StrandNow::Page& StrandKinematics::look(const Instant& now) const {
  const Page& page = now.cache<StrandPageCache>(*element_).page;
  if (!page.whole) std::abort();  // only where a step is being made: there nobody looks into tackles
  return page;
}

const StrandNow::Page& StrandKinematics::glance(const Instant& now) const {
  return now.cache<StrandPageCache>(*element_).page;
}

void StrandKinematics::lookAtWheel(const Instant& now, int index, bool seen, WheelNow& out) const {
  const Wheel& w = wheel(index);
  const int body = w.mount.block;
  if (!w.still || !seen) {
    const Mat3& r = now.rotation(body);
    out.lever = turned(r, w.center_B);
    out.frame = {now.position(body) + out.lever, turned(r, w.x_B), turned(r, w.y_B), turned(r, w.normal_B)};
    out.omega = now.angularVelocity(body);
    out.velocity = now.velocity(body) + out.omega.cross(out.lever);
    out.axle = turned(r, w.mount.axis_B);
    out.axleRate = out.omega.cross(out.axle);
    out.normalRate = out.omega.cross(out.frame.normal);
  }
  out.frameTurn = w.still ? 0.0 : frameTurn(now, w);
  out.turn = 0.0;
  out.spin = out.omega;
  if (w.mount.rotor >= 0) {
    out.spin += out.axle * (now.rate(w.mount.rotor) - out.axle.dot(out.omega));
    const double spin = now.u[at(now.model().blocks[at(w.mount.rotor)].v)];
    out.turn = (w.mount.axis_B.dot(w.normal_B) < 0.0 ? -spin : spin) - out.frameTurn;
  }
  if (w.slip >= 0) out.spin += out.frame.normal * (w.side * now.rate(w.slip) / w.outline.radius());
  out.side = w.side;
  if (w.drum) lookAtDrum(now, w, index, out);
}

/// Two circles in one plane: the contacts run along their rims by b/l, eq. (4) of geometry/tangent_span.h.
bool StrandKinematics::lookBetweenWheels(const Page& page, const Segment& g, SpanNow& out) const {
  const int wheels[2] = {station(g.from).index, station(g.to).index};
  const Wheel &w0 = wheel(wheels[0]), &w1 = wheel(wheels[1]);
  const WheelNow* const rim[2] = {&page.wheels[at(wheels[0])], &page.wheels[at(wheels[1])]};
  CircleSpan span;
  if (rim[0]->holds || rim[1]->holds) return false;
  if (!circleSpan({rim[0]->frame, w0.outline.radius(), rim[0]->side},
                  {rim[1]->frame, w1.outline.radius(), rim[1]->side}, span))
    return false;
  out.length = span.length;
  out.n = span.n;
  out.pull = {-span.n, span.n};
  Vec3 v[2];
  bool still[2];
  for (std::size_t k = 0; k < 2; ++k) {
    out.arm[k] = span.arm[k];
    out.x[k] = rim[k]->frame.origin + span.arm[k];
    out.moment[k] = span.moment[k];
    out.facing[k] = span.facing[k];
    // How the body would carry the contact along; fixed bearings do not.
    still[k] = (k == 0 ? w0 : w1).still;
    v[k] = still[k] ? Vec3(Vec3::Zero()) : Vec3(rim[k]->velocity + rim[k]->omega.cross(span.arm[k]));
    const double angle = math::atan2(span.facing[k].y(), span.facing[k].x());
    out.angle[k] = angle < 0.0 ? angle + twoPi : angle;
  }
  const Vec3 dv = v[1] - v[0];
  const double inverse = 1.0 / span.length;
  for (std::size_t k = 0; k < 2; ++k) {
    // ρ ν is the arm itself, and n×arm the moment but for its sign.
    const double turn = still[k] ? 0.0 : k == 0 ? rim[k]->omega.dot(out.moment[k]) : -rim[k]->omega.dot(out.moment[k]);
    out.rate[k] = v[k] + span.n * (turn - span.arm[k].dot(dv) * inverse);
  }
  return true;
}

void StrandKinematics::lookAtTangent(const Instant& now, const Page& page, const Segment& g, SpanNow& out) const {
  SpanLink links[2] = {spanLink(page, station(g.from)), spanLink(page, station(g.to))};
  Vec3 omega[2];
  for (int k = 0; k < 2; ++k) {
    const Station& st = station(k == 0 ? g.from : g.to);
    omega[k] = st.wheel ? page.wheels[at(st.index)].omega : Vec3(Vec3::Zero());
  }
  SpanGeometry span = spanBetween(links[0], links[1]);
  if (span.status != TangentStatus::ok) {
    moveApart(links);
    span = spanBetween(links[0], links[1]);
  }
  out.ok = span.status == TangentStatus::ok;
  if (!out.ok) return;
  const SpanGradient gradient = spanGradient(span);
  out.pull = gradient.pull;
  out.moment = gradient.moment;
  out.length = span.length;
  out.n = span.n;
  // How fast the contacts run along their rims: eq. (4) of geometry/tangent_span.h.
  Vec3 v[2];
  for (int k = 0; k < 2; ++k) {
    const Station& st = station(k == 0 ? g.from : g.to);
    out.x[at(k)] = span.end[at(k)].point;
    if (st.wheel) {
      const WheelNow& w = page.wheels[at(st.index)];
      out.arm[at(k)] = out.x[at(k)] - w.frame.origin;
      if (w.holds) {
        out.angle[at(k)] = w.anchor;
        out.facing[at(k)] = w.anchorFacing;
        out.moment[at(k)] = out.arm[at(k)].cross(out.pull[at(k)]);
        v[k] = w.velocity + w.spin.cross(out.arm[at(k)]);
        continue;
      }
      out.angle[at(k)] = span.end[at(k)].place.angle;
      out.facing[at(k)] = span.end[at(k)].place.normal;
      v[k] = w.velocity + w.omega.cross(out.arm[at(k)]);
      if (std::fabs(out.n.dot(w.frame.normal)) > skewFrom) out.skew = true;
    } else {
      v[k] = page.nodes[at(st.index)].v;
    }
  }
  const SpanEnd &e0 = span.end[0], &e1 = span.end[1];
  const double l = out.length, r0 = e0.bendRadius, r1 = e1.bendRadius;
  const Vec3 dv = v[1] - v[0];
  const double b0 = -r0 * (e0.outward.dot(dv) + l * omega[0].dot(e0.outward.cross(out.n)));
  const double b1 = -r1 * (e1.outward.dot(dv) + l * omega[1].dot(e1.outward.cross(out.n)));
  const double a00 = l * e0.tangent.dot(out.n), a01 = r0 * e0.outward.dot(e1.tangent);
  const double a10 = -r1 * e1.outward.dot(e0.tangent), a11 = l * e1.tangent.dot(out.n);
  const double det = a00 * a11 - a01 * a10;
  const double run[2] = {det != 0.0 ? (b0 * a11 - b1 * a01) / det : 0.0,
                         det != 0.0 ? (b1 * a00 - b0 * a10) / det : 0.0};
  for (int k = 0; k < 2; ++k) {
    out.rate[at(k)] = v[k] + span.end[at(k)].tangent * run[k];
    if (!station(k == 0 ? g.from : g.to).wheel) continue;
    lookAtFlow(now, page, g, k, out);
    const WheelNow& w = page.wheels[at(station(k == 0 ? g.from : g.to).index)];
    out.sRate[at(k)] = w.holds ? 0.0 : w.passes * span.end[at(k)].tangent.dot(out.rate[at(k)] - out.m[at(k)]);
  }
}

/// What has flowed over a rim since the step began, the place and its motion being known.
void StrandKinematics::lookAtFlow(const Instant& now, const Page& page, const Segment& g, int end, SpanNow& out) const {
  const std::size_t k = at(end);
  const int i = station(end == 0 ? g.from : g.to).index;
  const Wheel& w = wheel(i);
  const WheelNow& wn = page.wheels[at(i)];
  out.armRate[k] = out.rate[k] - wn.velocity;
  out.m[k] = wn.velocity + wn.spin.cross(out.arm[k]);
  const WheelMemory& past = wheelMemory(now.past(), i);
  const double before = end == 0 ? past.exitAngle : past.entryAngle;
  if (wn.holds) {
    out.flowed[k] = 0.0;
    out.s[k] = end == 0 ? past.exitS : past.entryS;
    return;
  }
  const double expected = before - wn.frameTurn;
  if (!(std::fabs(out.angle[k] - expected) < math::pi)) out.angle[k] = nearestTurn(out.angle[k], expected, twoPi);
  const double slid = w.slip < 0 ? 0.0 : now.u[at(now.model().blocks[at(w.slip)].v)];
  out.flowed[k] = wn.passes * wn.side * w.outline.radius() * (out.angle[k] - before - wn.turn) - slid;
  out.s[k] = (end == 0 ? past.exitS : past.entryS) + out.flowed[k];
}

void StrandKinematics::lookAtSpan(const Instant& now, const Page& page, int segment, SpanNow& out) const {
  const Segment& g = segments_[at(segment)];
  out.wheels = turns(g);
  out.ok = true;
  out.skew = false;
  out.parted = parted(now.past(), segment);
  const int stations[2] = {g.from, g.to};
  const bool both = station(g.from).wheel && station(g.to).wheel;
  if (both && lookBetweenWheels(page, g, out)) {
    for (int k = 0; k < 2; ++k) {
      lookAtFlow(now, page, g, k, out);
      const double passes = page.wheels[at(station(stations[k]).index)].passes;
      out.sRate[at(k)] = passes * out.n.dot(out.rate[at(k)] - out.m[at(k)]);
    }
  } else if (out.wheels) {
    lookAtTangent(now, page, g, out);
  }
  if (!out.ok) return;
  if (out.wheels && settings_.material.axial < unbounded) out.skew = true;
  if (both && !out.skew) {
    out.lump = {0.5, 0.5};
    out.s[1] += g.around;
    out.rest = restLength(now.past(), segment) + out.flowed[1] - out.flowed[0];
    out.rest = std::max(out.rest, floorRest());
    if (out.parted) hangLoose(now, segment, out);
    return;  // a slope is nothing that wheels would ask for
  }
  bool flows[2] = {false, false};
  for (int k = 0; k < 2; ++k) {
    const Station& st = station(stations[k]);
    if (st.wheel) continue;
    out.x[at(k)] = page.nodes[at(st.index)].x;
    out.rate[at(k)] = page.nodes[at(st.index)].v;
    out.s[at(k)] = materialAt(now, node(st.index));
    const int flow = node(st.index).flow;
    flows[k] = flow >= 0;
    out.flowed[at(k)] = flow >= 0             ? now.u[at(now.model().blocks[at(flow)].v)]
                        : node(st.index).pays ? -paidInStep(now)
                                              : 0.0;
    out.sRate[at(k)] = flowRate(now, node(st.index));
  }
  // Lumped mass goes to Lagrangian nodes; contact nodes have next to none.
  out.lump = {0.5, 0.5};
  if (flows[0] != flows[1]) out.lump = flows[0] ? std::array{1e-3, 1.0 - 1e-3} : std::array{1.0 - 1e-3, 1e-3};
  out.s[1] += g.around;
  const Vec3 d = out.x[1] - out.x[0];
  if (!out.wheels) {
    out.length = d.norm();
    out.n = out.length > 0.0 ? Vec3(d / out.length) : Vec3(Vec3::UnitZ());
    out.pull = {-out.n, out.n};
  }
  out.rest = out.wheels ? restLength(now.past(), segment) + out.flowed[1] - out.flowed[0] : out.s[1] - out.s[0];
  out.rest = std::max(out.rest, floorRest());
  out.slope = d / std::max(out.rest, d.norm() / mostSlope);
  out.slopeRate = (out.rate[1] - out.rate[0] - out.slope * (out.sRate[1] - out.sRate[0])) / out.rest;
  if (out.parted) hangLoose(now, segment, out);
  for (int k = 0; k < 2; ++k)
    if (out.skew || !station(stations[k]).wheel) out.m[at(k)] = out.rate[at(k)] - out.slope * out.sRate[at(k)];
}

}  // namespace reeve
