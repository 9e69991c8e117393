// Geometric stiffness of a strand: what its tensions hold against motion across it.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_rows.h"

namespace reeve {

namespace {

/// Of a segment's mass: what is far above rounding and moves nothing.
constexpr double pivotShare = 1e-8;

/// k Aᵀ(1 − n nᵀ)A of a point at `lever` on a body, A = (1, −[lever]×): its upper triangle.
void addAcross(double k, const Vec3& n, const Vec3& lever, Patch& out) {
  const Vec3 moment = lever.cross(n);
  const double j[6] = {n.x(), n.y(), n.z(), moment.x(), moment.y(), moment.z()};
  for (int r = 0; r < 6; ++r) {
    const double share = k * j[r];
    for (int c = r; c < 6; ++c) out.k(r, c) -= share * j[c];
  }
  const double far = k * lever.squaredNorm();
  const Vec3 pulled = k * lever;
  for (int i = 0; i < 3; ++i) {
    out.k(i, i) += k;
    out.k(3 + i, 3 + i) += far;
    for (int c = i; c < 3; ++c) out.k(3 + i, 3 + c) -= pulled[i] * lever[c];
    const int next = (i + 1) % 3, last = (i + 2) % 3;  // −[lever]×
    out.k(i, 3 + next) += pulled[last];
    out.k(i, 3 + last) -= pulled[next];
  }
}

}  // namespace

void StrandRows::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  const auto& blocks = now.model().blocks;
  const std::size_t first = out.patches.size();
  const Page& page = glance(now);
  everyTackle(page, [&](const Tackle& t, const Tackle::Now& tackle) {
    t.stiffness(tackle, force.subspan(at(lengthSlot(t.first))), out);
  });
  everySegment(page.tackled, [&](int index) {
    const Segment& g = segments_[at(index)];
    if (onChart(now, g)) return arcStiffness(now, g, std::max(-force[at(lengthSlot(index))], 0.0), first, out);
    const auto fixed = [&](int st) { return station(st).wheel && wheel(station(st).index).still; };
    if (fixed(g.from) && fixed(g.to)) return;
    const SpanNow& s = page.spans[at(index)];
    if (!s.ok || s.length <= 0.0) return;
    const double tension = std::max(-force[at(lengthSlot(index))], 0.0);
    const bool rims = station(g.from).wheel && station(g.to).wheel;
    if (rims && (fixed(g.from) || fixed(g.to))) {
      // One body on wheels in fixed bearings: most of a tackle.
      const int e = fixed(g.from) ? 1 : 0;
      const Wheel& w = wheel(station(e == 0 ? g.from : g.to).index);
      if (!blocks[at(w.mount.block)].free) return;
      const WheelNow& wn = page.wheels[at(station(e == 0 ? g.from : g.to).index)];
      addAcross(tension / s.length, s.n, w.mount.rotor >= 0 ? wn.lever : Vec3(wn.lever + s.arm[at(e)]),
                hubPatch(out, first, w.mount.block, w.mount.block));
      return;
    }
    const Mat3 k = tension / s.length * (Mat3::Identity() - s.n * s.n.transpose());
    // The ends' displacement across the span; what flows or spins moves material along it.
    Motion ends[2];
    for (int e = 0; e < 2; ++e) {
      const int st = e == 0 ? g.from : g.to;
      if (!station(st).wheel) {
        ends[e] = page.nodes[at(station(st).index)];
        continue;
      }
      const Wheel& w = wheel(station(st).index);
      if (w.still) continue;
      const WheelNow& wn = page.wheels[at(station(st).index)];
      ends[e].addRigid(now, w.mount.block, w.mount.rotor >= 0 ? wn.lever : Vec3(wn.lever + s.arm[at(e)]), Vec3::Zero());
    }
    for (int e = 0; e < 2; ++e)
      for (int f = e; f < 2; ++f)
        for (int i = 0; i < ends[e].count; ++i)
          for (int j = e == f ? i : 0; j < ends[f].count; ++j) {
            const Carry &a = ends[e].carry[at(i)], &b = ends[f].carry[at(j)];
            if (!blocks[at(a.block)].free && !blocks[at(b.block)].free) continue;
            Eigen::Matrix<double, 6, 6> full = (e == f ? 1.0 : -1.0) * a.a.transpose() * k * b.a;
            if (e != f && a.block == b.block) full += full.transpose().eval();
            hubPatch(out, first, a.block, b.block).k += full;
          }
    // Levers of rigid bodies under the pull.
    for (int e = 0; e < 2; ++e) {
      const int st = e == 0 ? g.from : g.to;
      if (station(st).wheel || node(station(st).index).place != Place::point) continue;
      const Anchor& anchor = node(station(st).index).anchor;
      if (blocks[at(anchor.block)].free && now.rotates(anchor.block))
        leverStiffness(now, anchor, (e == 0 ? tension : -tension) * s.n, out);
    }
  });
  // A node that is kept tangent has a motion without mass, along the strand. Its row holds it, but a pivot may come
  // before the row: some stiffness there, which the row leaves without effect.
  everyStation(page.tackled, [&](int st) {
    if (station(st).wheel || !node(station(st).index).tangent) return;
    const Node& n = node(station(st).index);
    if (n.block < 0 || lifted(now, n)) return;
    const Ground& ground = grounds_[at(n.chart)];
    const ChartPoint p = ground.chart->at(parameters(now, n));
    const double mass = density_ * length_ / segmentCount(), step = stepOf(now);
    for (int k = 0; k < ground.chart->dimension(); ++k)
      hubPatch(out, first, n.block, n.block).k(k, k) += pivotShare * mass * p.du[at(k)].squaredNorm() / (step * step);
  });
  // Of the bodies on wheels only the upper triangle has been summed up.
  for (std::size_t k = first; k < out.patches.size(); ++k) {
    Patch& p = out.patches[k];
    for (int r = 0; p.a == p.b && r < 6; ++r)
      for (int c = 0; c < r; ++c) p.k(r, c) = p.k(c, r);
  }
}

/// An arc on a surface, between parameters a and b: tension times what ∂²L/∂(b−a)² has across the arc,
/// ∫ (DᵀD − (Dᵀt)(Dᵀt)ᵀ)/|x_α| dα with D = (x_u, x_v) and t along it. A short arc is what holds its ends beside each
/// other.
void StrandRows::arcStiffness(const Instant& now, const Segment& g, double tension, std::size_t first,
                              PatchSet& out) const {
  const Chart& chart = *grounds_[at(g.chart)].chart;
  if (chart.dimension() < 2 || tension <= 0.0) return;
  const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
  const Vec2 u0 = parameters(now, n0), d = parameters(now, n1) - u0;
  Eigen::Matrix2d across = Eigen::Matrix2d::Zero();
  everyLengthPoint(chart, u0, u0 + d, [&](double alpha, double w) {
    const ChartPoint p = chart.at(u0 + alpha * d);
    const double speed = (p.du[0] * d.x() + p.du[1] * d.y()).norm();
    if (speed <= 0.0) return;
    const Vec3 t = (p.du[0] * d.x() + p.du[1] * d.y()) / speed;
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        across(i, j) += w / speed * (p.du[at(i)].dot(p.du[at(j)]) - t.dot(p.du[at(i)]) * t.dot(p.du[at(j)]));
  });
  const auto add = [&](const Node& a, const Node& b, double k) {
    if (a.block >= 0 && b.block >= 0) hubPatch(out, first, a.block, b.block).k.topLeftCorner<2, 2>() += k * across;
  };
  add(n0, n0, tension);
  add(n1, n1, tension);
  add(n0, n1, -tension);
}

}  // namespace reeve
