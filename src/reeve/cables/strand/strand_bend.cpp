// Bending of a strand: at nodes between straight segments, at the mouths of tubes and straight guides, along charts.
#include <cmath>

#include "reeve/cables/strand/strand_rows.h"
#include "reeve/math/rotation.h"

namespace reeve {

bool StrandRows::bends(int st) const {
  if (settings_.material.bending <= 0.0 || station(st).wheel) return false;
  const int before = segmentBefore(st), after = segmentAfter(st);
  if (before < 0 || after < 0) return false;
  const bool held0 = inTube(segments_[at(before)]), held1 = inTube(segments_[at(after)]);
  if ((held0 && held1) || (!held0 && segments_[at(before)].chart >= 0) || (!held1 && segments_[at(after)].chart >= 0))
    return false;
  return !station(segments_[at(before)].from).wheel && !station(segments_[at(after)].to).wheel;
}

/// What a strand cannot bend in: at its mouth it goes on in its direction.
bool StrandRows::inTube(const Segment& g) const {
  return g.chart >= 0 && grounds_[at(g.chart)].chart->dimension() == 1 && !grounds_[at(g.chart)].chart->curved();
}

/// Along the strand where it comes out of a tube or goes into it.
Vec3 StrandRows::mouthDirection(const Instant& now, const Segment& g, const Node& mouth) const {
  const double u0 = parameters(now, node(station(g.from).index)).x(),
               u1 = parameters(now, node(station(g.to).index)).x();
  const Ground& ground = grounds_[at(g.chart)];
  const Vec3 t = ground.chart->at(parameters(now, mouth)).du[0].normalized();
  return groundTurn(now, ground) * (u1 < u0 ? Vec3(-t) : t);
}

/// κb = 2 e₀×e₁/(|e₀||e₁| + e₀·e₁), three rows with compliance l̄/EI. At the mouth of a tube one of the two is the
/// direction of the tube, and what bends is half of the other.
void StrandRows::bendRows(const Instant& now, int st, RowSet& out) const {
  if (!bends(st) || parted(now.past(), segmentBefore(st)) || parted(now.past(), segmentAfter(st))) return;
  const Segment &g0 = segments_[at(segmentBefore(st))], &g1 = segments_[at(segmentAfter(st))];
  const Node &n0 = node(station(g0.from).index), &n = node(station(st).index), &n1 = node(station(g1.to).index);
  const bool held0 = inTube(g0), held1 = inTube(g1);
  const Motion a = nodeMotion(now, station(g0.from).index), b = nodeMotion(now, station(st).index),
               c = nodeMotion(now, station(g1.to).index);
  const Vec3 e0 = held0 ? mouthDirection(now, g0, n) : Vec3(b.x - a.x),
             e1 = held1 ? mouthDirection(now, g1, n) : Vec3(c.x - b.x);
  const double l0 = e0.norm(), l1 = e1.norm(), scale = l0 * l1 + e0.dot(e1);
  if (scale < 1e-9 * l0 * l1) return;  // folded back on itself: there is no direction to straighten to
  const Vec3 kappa = 2.0 * e0.cross(e1) / scale;
  const double rest = 0.5 * ((held0 ? 0.0 : materialAt(now, n) - materialAt(now, n0) + g0.around) +
                             (held1 ? 0.0 : materialAt(now, n1) - materialAt(now, n) + g1.around));
  const int flow0 = (held0 ? n : n0).flow, flow1 = (held1 ? n : n1).flow;
  // dκb = (2 (de₀×e₁ + e₀×de₁) − κb d(scale))/scale
  const Mat3 d0 = (-2.0 * skew(e1) - kappa * (e0 * (l1 / l0) + e1).transpose()) / scale;
  const Mat3 d1 = (2.0 * skew(e0) - kappa * (e1 * (l0 / l1) + e0).transpose()) / scale;
  const auto carryMouth = [&](const Segment& g, const Vec3& e, const Vec3& r) {
    const Ground& ground = grounds_[at(g.chart)];
    if (ground.node < 0 && now.rotates(ground.block)) out.entry(ground.block, Vec3::Zero(), e.cross(r));
  };
  out.group();
  for (int k = 0; k < 3; ++k) {
    Row& row = out.add(bendSlot(st) + k);
    row.error = kappa[k];
    row.compliance = rest / settings_.material.bending;
    row.damping = settings_.material.damping;
    const Vec3 r0 = d0.row(k).transpose(), r1 = d1.row(k).transpose();
    if (held0)
      carryMouth(g0, e0, r0);
    else
      pushMotion(a, -r0, out);
    pushMotion(b, (held0 ? Vec3(Vec3::Zero()) : r0) - (held1 ? Vec3(Vec3::Zero()) : r1), out);
    if (held1)
      carryMouth(g1, e1, r1);
    else
      pushMotion(c, r1, out);
    // V = ½ EI κ²/l̄ also falls as l̄ grows. Half of what the row would say, as the compliance grows with it.
    if (flow0 >= 0) out.entry(flow0, 0.25 * kappa[k] / rest);
    if (flow1 >= 0) out.entry(flow1, -0.25 * kappa[k] / rest);
  }
}

/// A segment on a curved chart: C = κ Δs with compliance Δs/EI.
void StrandRows::chartBendRow(const Instant& now, int index, RowSet& out) const {
  const Segment& g = segments_[at(index)];
  const int st = g.from;  // its own bend slots are free: bends(st) needs straight segments on both sides
  if (!onChart(now, g) || settings_.material.bending <= 0.0 || !grounds_[at(g.chart)].chart->curved()) return;
  const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
  if (n0.block < 0 && n1.block < 0) return;
  const Ground& ground = grounds_[at(g.chart)];
  const Vec2 u0 = parameters(now, n0), u1 = parameters(now, n1);
  const double rest = materialAt(now, n1) + g.around - materialAt(now, n0);
  out.group();
  Row& row = out.add(bendSlot(st));
  row.error = chartCurvature(ground, u0, u1) * rest;
  row.compliance = rest / settings_.material.bending;
  row.damping = settings_.material.damping;
  const int dof = ground.chart->dimension();
  const auto slope = [&](bool first, const Node& n) {
    if (n.block < 0) return;
    Vec3 d = Vec3::Zero();
    for (int k = 0; k < dof; ++k) {
      constexpr double step = 1e-6;
      Vec2 e = Vec2::Zero();
      e[k] = step;
      d[k] = (first ? chartCurvature(ground, u0 + e, u1) - chartCurvature(ground, u0 - e, u1)
                    : chartCurvature(ground, u0, u1 + e) - chartCurvature(ground, u0, u1 - e)) *
             rest / (2.0 * step);
    }
    if (dof == 1)
      out.entry(n.block, d[0]);
    else
      out.entry(n.block, d);
  };
  slope(true, n0);
  slope(false, n1);
  // V = ½ EI κ² Δs: half of what the row would say, as the compliance grows with Δs too.
  const double half = 0.5 * chartCurvature(ground, u0, u1);
  if (n0.flow >= 0) out.entry(n0.flow, -half);
  if (n1.flow >= 0) out.entry(n1.flow, half);
}

}  // namespace reeve
