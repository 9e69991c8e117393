// Twist as a quasi-static frame (Bergou et al., Discrete Elastic Rods, 2008, section 5).
//
// Twist runs along a strand far faster than anything else moves, so it is even along it: one number θ, the angle from
// the first end's director, carried along the strand without twisting, to the last end's. Energy ½ GJ θ²/L: one row
// C = θ with compliance L/GJ, between two clamped ends.
//
// Carried from direction a to b (both unit) by the smallest turn, with κb = 2 a×b/(1 + a·b), a frame turns about the
// strand by δψ = ½ κb·(δa + δb) less than the directions tell. So θ moves with the ends' own turns about the strand,
// and
//     δθ = t₁·φ₁ − t₀·φ₀ + ½ Σ κb·(δa + δb) + ∫ (t×t')·δt
// over all corners, the ends' clamps among them, and along all arcs (geometry/transport.h). An arc that goes along with
// a body turning by φ gives −φ·(t₁ − t₀), so over a wheel the frame turns with the tangent about the axle.
#include <cmath>

#include "reeve/cables/strand/strand_build.h"
#include "reeve/geometry/transport.h"
#include "reeve/geometry/wrap.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// v turned about a unit axis.
Vec3 turnedAbout(const Vec3& v, const Vec3& axis, double angle) {
  double sine, cosine;
  math::sincos(angle, sine, cosine);
  return cosine * v + sine * axis.cross(v) + (1.0 - cosine) * axis.dot(v) * axis;
}

Vec3 onBody(const Instant& now, int block, const Vec3& v_W) {
  return now.rotates(block) ? Vec3(now.rotation(block).transpose() * v_W) : v_W;
}
Vec3 inWorld(const Instant& now, int block, const Vec3& v_B) {
  return now.rotates(block) ? Vec3(now.rotation(block) * v_B) : v_B;
}

}  // namespace

std::expected<void, Problem> StrandBuild::makeTwist(const Instant& now, const Draft& draft) {
  const auto clamped = [&](const LinkSettings& s) { return s.type == LinkType::attach && s.hold == EndHold::clamped; };
  const LinkSettings &first = settings_.route.front(), &last = settings_.route.back();
  for (std::size_t i = 0; i < settings_.route.size(); ++i)
    if (clamped(settings_.route[i]) && settings_.material.torsion <= 0.0)
      return wrong(draft.linkPath(i) + "/hold", "a clamp holds a strand against twist, and it has no torsion",
                   "give material.torsion, or leave hold out");
  for (std::size_t i = 0; i < settings_.route.size(); ++i)
    if (clamped(settings_.route[i]) && !now.rotates(mounts_[i].block))
      return wrong(draft.linkPath(i) + "/hold", "'" + settings_.route[i].on + "' is a particle, which cannot be turned",
                   "clamp it to a body, or leave hold out");
  if (!clamped(first) && !clamped(last)) return {};
  if (closed_ || !clamped(first) || !clamped(last))
    return wrong(draft.linkPath(clamped(first) ? settings_.route.size() - 1 : 0) + "/hold",
                 "twist is held between two clamped ends, and this one turns freely", "clamp both ends, or neither");
  // At the start the strand is not twisted: the last director is the first one carried along.
  const auto spanOf = [&](const Segment& g) {
    return spanBetween(draftLink(now, draft, station(g.from)), draftLink(now, draft, station(g.to)));
  };
  Vec3 t = spanOf(segments_.front()).n, d, other;
  orthonormalBasis(t, d, other);
  twist_.held = true;
  const auto hold = [&](int end, int st) {
    const int block = node(station(st).index).anchor.block;
    twist_.block[at(end)] = block;
    twist_.tangent_B[at(end)] = onBody(now, block, t);
    twist_.director_B[at(end)] = onBody(now, block, d);
  };
  const auto walk = [&](const Vec3& next) {
    d = carriedOver(d, t, next);
    t = next;
  };
  hold(0, 0);
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    const Segment& g = segments_[k];
    if (g.chart >= 0 && !startsOff(station(g.from))) {
      const Ground& ground = grounds_[at(g.chart)];
      const Mat3 turn = groundTurn(now, ground);
      const Vec2 u0 = draft.u[at(station(g.from).index)], u1 = draft.u[at(station(g.to).index)];
      const auto ends = endTangents(*ground.chart, u0, u1);
      walk(turn * ends[0]);
      d = turn * carriedAlong(*ground.chart, u0, u1, turn.transpose() * d);
      t = turn * ends[1];
      continue;
    }
    const SpanGeometry span = spanOf(g);
    if (station(g.from).wheel) {
      const SpanEnd in = spanOf(segments_[k - 1]).end[1];
      walk(in.tangent);
      d = turnedAbout(d, in.axis, span.end[0].place.angle - in.place.angle);
      t = span.end[0].tangent;
    }
    walk(span.n);
  }
  hold(1, stationCount() - 1);
  twist_.kept = static_cast<int>(startMemory_.size());
  startMemory_.push_back(0.0);
  return {};
}

/// The strand's direction on a rim, at an end of a span.
Vec3 StrandRows::rimTangent(const Page& page, const Segment& g, const SpanNow& s, int end) const {
  const int i = station(end == 0 ? g.from : g.to).index;
  return (wheel(i).side / wheel(i).outline.radius()) * page.wheels[at(i)].frame.normal.cross(s.arm[at(end)]);
}

/// θ, nearest to what it was.
double StrandRows::twistAngle(const Instant& now, const Page& page) const {
  Vec3 t = inWorld(now, twist_.block[0], twist_.tangent_B[0]), d = inWorld(now, twist_.block[0], twist_.director_B[0]);
  const auto walk = [&](const Vec3& next) {
    d = carriedOver(d, t, next);
    t = next;
  };
  const double before = twistOf(now.past());
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    const Segment& g = segments_[k];
    if (onChart(now, g)) {
      const Ground& ground = grounds_[at(g.chart)];
      const Mat3 turn = groundTurn(now, ground);
      const Vec2 u0 = parameters(now, node(station(g.from).index)), u1 = parameters(now, node(station(g.to).index));
      const auto ends = endTangents(*ground.chart, u0, u1);
      walk(turn * ends[0]);
      d = turn * carriedAlong(*ground.chart, u0, u1, turn.transpose() * d);
      t = turn * ends[1];
      continue;
    }
    const SpanNow& s = page.spans[k];
    if (!s.ok) return before;
    if (station(g.from).wheel) {
      const SpanNow& in = page.spans[k - 1];
      walk(rimTangent(page, segments_[k - 1], in, 1));
      d = turnedAbout(d, page.wheels[at(station(g.from).index)].frame.normal, s.angle[0] - in.angle[1]);
      t = rimTangent(page, g, s, 0);
    }
    walk(s.n);
  }
  walk(inWorld(now, twist_.block[1], twist_.tangent_B[1]));
  const Vec3 last = inWorld(now, twist_.block[1], twist_.director_B[1]);
  const double angle = math::atan2(t.dot(d.cross(last)), d.dot(last));
  return nearestTurn(angle, before, 2.0 * math::pi);
}

/// w·δt of a direction of the strand, w across it, as entries of the row.
void StrandRows::pushHeading(const Instant& now, const Page& page, const Heading& h, const Vec3& w, RowSet& out) const {
  const auto turn = [&](int block) {  // w·(φ×t)
    if (now.rotates(block)) out.entry(block, Vec3::Zero(), h.t.cross(w));
  };
  if (h.kind == Heading::clamp) return turn(twist_.block[at(h.end)]);
  const Segment& g = segments_[at(h.index)];
  if (h.kind == Heading::chart) {
    const Ground& ground = grounds_[at(g.chart)];
    if (ground.node < 0) turn(ground.block);
    const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
    const auto own = tangentGradient(*ground.chart, parameters(now, n0), parameters(now, n1), h.end,
                                     groundTurn(now, ground).transpose() * w);
    pushParameters(n0, own[0], out);
    pushParameters(n1, own[1], out);
    return;
  }
  const SpanNow& s = page.spans[at(h.index)];
  if (!turns(g)) {
    if (!(s.length > 0.0)) return;
    pushMotion(page.nodes[at(station(g.from).index)], -w / s.length, out);
    pushMotion(page.nodes[at(station(g.to).index)], w / s.length, out);
    return;
  }
  SkewEnds ends;
  skewEnds(page, g, s, ends);
  if (h.kind == Heading::span) {
    pushMotion(ends.place[0], -w / s.length, out);
    pushMotion(ends.place[1], w / s.length, out);
    return;
  }
  const Wheel& rim = wheel(station(h.end == 0 ? g.from : g.to).index);
  if (!rim.still) turn(rim.mount.block);
  // It runs on along the rim: δτ = −ν δℓ/r.
  const double r = rim.outline.radius();
  Motion along;
  along.run(ends.run[at(h.end)], -s.arm[at(h.end)] / (r * r), Vec3::Zero());
  pushMotion(along, w, out);
}

void StrandRows::pushParameters(const Node& n, const Vec2& d, RowSet& out) const {
  if (n.block < 0) return;
  if (grounds_[at(n.chart)].chart->dimension() == 1)
    out.entry(n.block, d.x());
  else
    out.entry(n.block, Vec3(d.x(), d.y(), 0.0));
}

void StrandRows::twistRow(const Instant& now, const Page& page, RowSet& out) const {
  if (!twist_.held) return;
  for (int k = 0; k < segmentCount(); ++k)
    if (!onChart(now, segments_[at(k)]) && !page.spans[at(k)].ok) return;
  out.group();
  Row& row = out.add(twistSlot());
  row.error = twistAngle(now, page);
  row.compliance = length_ / settings_.material.torsion;
  row.damping = settings_.material.damping;
  const auto clampAt = [&](int end) {
    return Heading{Heading::clamp, 0, end, inWorld(now, twist_.block[at(end)], twist_.tangent_B[at(end)])};
  };
  const auto spin = [&](int block, const Vec3& axis) {
    if (now.rotates(block)) out.entry(block, Vec3::Zero(), axis);
  };
  Heading here = clampAt(0);
  const auto corner = [&](const Heading& next) {
    const Vec3 half = 0.5 * cornerBinormal(here.t, next.t);
    pushHeading(now, page, here, half, out);
    pushHeading(now, page, next, half, out);
    here = next;
  };
  spin(twist_.block[0], -here.t);
  for (int k = 0; k < segmentCount(); ++k) {
    const Segment& g = segments_[at(k)];
    if (onChart(now, g)) {
      const Ground& ground = grounds_[at(g.chart)];
      const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
      const Mat3 turn = groundTurn(now, ground);
      const auto ends = endTangents(*ground.chart, parameters(now, n0), parameters(now, n1));
      corner({Heading::chart, k, 0, turn * ends[0]});
      here = {Heading::chart, k, 1, turn * ends[1]};
      if (ground.node < 0) spin(ground.block, turn * (ends[0] - ends[1]));
      const auto own = carriedGradient(*ground.chart, parameters(now, n0), parameters(now, n1));
      pushParameters(n0, own[0], out);
      pushParameters(n1, own[1], out);
      continue;
    }
    const SpanNow& s = page.spans[at(k)];
    if (station(g.from).wheel) {
      const Wheel& rim = wheel(station(g.from).index);
      corner({Heading::rim, k - 1, 1, rimTangent(page, segments_[at(k - 1)], page.spans[at(k - 1)], 1)});
      const Vec3 in = here.t;
      here = {Heading::rim, k, 0, rimTangent(page, g, s, 0)};
      if (!rim.still) spin(rim.mount.block, in - here.t);
    }
    corner({Heading::span, k, 0, s.n});
  }
  corner(clampAt(1));
  spin(twist_.block[1], here.t);
}

}  // namespace reeve
