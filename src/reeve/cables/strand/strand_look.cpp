// A strand at an instant: wheels, nodes and straight segments, worked out once.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_cable.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {
std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace

const StrandCable::Page& StrandCable::look(const Instant& now) const {
  Page& page = now.notebook().page<Page>(index);
  if (page.written == now.version()) return page;
  page.written = now.version();
  page.wheels.resize(wheels_.size());
  page.nodes.resize(nodes_.size());
  page.spans.resize(segments_.size());
  for (std::size_t i = 0; i < wheels_.size(); ++i) lookAtWheel(now, wheels_[i], page.wheels[i]);
  for (int i = 0; i < nodeCount(); ++i) page.nodes[at(i)] = nodeMotion(now, i);
  for (std::size_t i = 0; i < segments_.size(); ++i)
    if (!onChart(now, segments_[i])) lookAtSpan(now, page, static_cast<int>(i), page.spans[i]);
  page.arcs.resize(wheels_.size());
  for (int st = 0; st < stationCount(); ++st) {
    if (!station(st).wheel) continue;
    const std::size_t i = at(station(st).index);
    const int before = segmentBefore(st), after = segmentAfter(st);
    page.arcs[i] = before < 0 || after < 0 ? RimSum{}
                                           : arcOf(wheels_[i], page.wheels[i], page.spans[at(before)].angle[1],
                                                   page.spans[at(after)].angle[0]);
  }
  return page;
}

void StrandCable::lookAtWheel(const Instant& now, const Wheel& w, WheelNow& out) const {
  const Mat3& r = now.rotation(w.mount.block);
  out.lever = r * w.center_B;
  out.frame = {now.position(w.mount.block) + out.lever, r * w.x_B, r * w.y_B, r * w.normal_B};
  out.omega = now.angularVelocity(w.mount.block);
  out.velocity = now.velocity(w.mount.block) + out.omega.cross(out.lever);
  out.axle = r * w.mount.axis_B;
  out.axleRate = out.omega.cross(out.axle);
  out.normalRate = out.omega.cross(out.frame.normal);
  out.spin = out.omega;
  if (w.mount.rotor >= 0) out.spin += out.axle * (now.rate(w.mount.rotor) - out.axle.dot(out.omega));
  if (w.slip >= 0) out.spin += out.frame.normal * (w.side * now.rate(w.slip) / w.outline.radius());
  out.frameTurn = frameTurn(now, w);
  out.turn = wheelTurn(now, w);
}

void StrandCable::lookAtSpan(const Instant& now, const Page& page, int segment, SpanNow& out) const {
  const Segment& g = segments_[at(segment)];
  static const Outline pointOutline = Outline::point();
  out.wheels = turns(g);
  out.ok = true;
  const int stations[2] = {g.from, g.to};
  SpanGeometry span;
  if (out.wheels) {
    SpanLink links[2];
    for (int k = 0; k < 2; ++k) {
      const Station& st = station(stations[k]);
      if (st.wheel) {
        links[k].outline = &wheel(st.index).outline;
        links[k].sigma = wheel(st.index).side;
        links[k].frame = page.wheels[at(st.index)].frame;
      } else {
        links[k].outline = &pointOutline;
        links[k].frame.origin = page.nodes[at(st.index)].x;
      }
    }
    span = spanBetween(links[0], links[1]);
    out.ok = span.status == TangentStatus::ok;
    if (!out.ok) return;
    const SpanGradient gradient = spanGradient(span);
    out.pull = gradient.pull;
    out.moment = gradient.moment;
    out.length = span.length;
    out.n = span.n;
    // How fast the contacts run along their rims: eq. (4) of geometry/tangent_span.h.
    Vec3 v[2], omega[2];
    for (int k = 0; k < 2; ++k) {
      const Station& st = station(stations[k]);
      out.x[at(k)] = span.end[at(k)].point;
      omega[k].setZero();
      if (st.wheel) {
        const WheelNow& w = page.wheels[at(st.index)];
        out.arm[at(k)] = out.x[at(k)] - w.frame.origin;
        omega[k] = w.omega;
        v[k] = w.velocity + w.omega.cross(out.arm[at(k)]);
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
      const Station& st = station(stations[k]);
      out.rate[at(k)] = v[k] + span.end[at(k)].tangent * run[k];
      if (!st.wheel) continue;
      const Wheel& w = wheel(st.index);
      const WheelNow& wn = page.wheels[at(st.index)];
      out.armRate[at(k)] = out.rate[at(k)] - wn.velocity;
      out.m[at(k)] = wn.velocity + wn.spin.cross(out.arm[at(k)]);
      const bool exit = k == 0;
      const double before = recall(now.past(), st.index, exit ? exitAngle_ : entryAngle_);
      const double angle =
          continueTravel(w.outline, span.end[at(k)].place, {before * w.outline.radius(), before}, wn.frameTurn).angle;
      const double slid = w.slip < 0 ? 0.0 : now.u[at(now.model().blocks[at(w.slip)].v)];
      out.angle[at(k)] = angle;
      out.flowed[at(k)] = w.side * w.outline.radius() * (angle - before - wn.turn) - slid;
      out.s[at(k)] = recall(now.past(), st.index, exit ? exitS_ : entryS_) + out.flowed[at(k)];
      out.sRate[at(k)] = span.end[at(k)].tangent.dot(out.rate[at(k)] - out.m[at(k)]);
    }
  }
  for (int k = 0; k < 2; ++k) {
    const Station& st = station(stations[k]);
    if (st.wheel) continue;
    out.x[at(k)] = page.nodes[at(st.index)].x;
    out.rate[at(k)] = page.nodes[at(st.index)].v;
    out.s[at(k)] = materialAt(now, node(st.index));
    const int flow = node(st.index).flow;
    out.flowed[at(k)] = flow < 0 ? 0.0 : now.u[at(now.model().blocks[at(flow)].v)];
    out.sRate[at(k)] = flowRate(now, node(st.index));
  }
  // Lumped mass goes to Lagrangian nodes; contact nodes have next to none.
  const auto flows = [&](int st) { return !station(st).wheel && node(station(st).index).flow >= 0; };
  out.lump = {0.5, 0.5};
  if (flows(g.from) != flows(g.to))
    out.lump = flows(g.from) ? std::array{1e-3, 1.0 - 1e-3} : std::array{1.0 - 1e-3, 1e-3};
  out.s[1] += g.around;
  const Vec3 d = out.x[1] - out.x[0];
  if (!out.wheels) {
    out.length = d.norm();
    out.n = out.length > 0.0 ? Vec3(d / out.length) : Vec3(Vec3::UnitZ());
    out.pull = {-out.n, out.n};
  }
  out.rest = out.wheels ? now.memory(static_cast<int>(restCell(segment))) + out.flowed[1] - out.flowed[0]
                        : out.s[1] - out.s[0];
  out.slope = d / out.rest;
  out.slopeRate = (out.rate[1] - out.rate[0] - out.slope * (out.sRate[1] - out.sRate[0])) / out.rest;
  for (int k = 0; k < 2; ++k)
    if (!station(stations[k]).wheel) out.m[at(k)] = out.rate[at(k)] - out.slope * out.sRate[at(k)];
}

}  // namespace reeve
