// A strand at an instant: its page, with what lies on wheels and what tackles say.
#include <cmath>

#include "reeve/cables/strand/strand_mass.h"

namespace reeve {

void StrandMass::evaluate(const Instant& now, Page& page) const {
  page.tackled = !tackles_.empty() && lookAtTackles(now, page);
  page.whole = !page.tackled || !now.stepping;
  if (page.whole) lookAtAll(now, page);
}

void StrandMass::lookAtAll(const Instant& now, Page& page) const {
  page.wheels.resize(wheels_.size());
  page.nodes.resize(nodes_.size());
  page.spans.resize(segments_.size());
  page.arcs.resize(wheels_.size());
  page.loads.resize(wheels_.size());
  const Vec3& gravity = now.model().description.settings.gravity;
  for (int i = 0; i < wheelCount(); ++i) lookAtWheel(now, i, page.stillSeen, page.wheels[at(i)]);
  page.stillSeen = true;
  for (int i = 0; i < nodeCount(); ++i) page.nodes[at(i)] = nodeMotion(now, i);
  // Along the strand, so that what was just worked out is at hand: what lies on a wheel once both its spans are known.
  for (int st = 1; st < stationCount(); ++st) {
    if (!onChart(now, segments_[at(st - 1)])) lookAtSpan(now, page, st - 1, page.spans[at(st - 1)]);
    if (st > 1) layOnWheel(gravity, st - 1, page);
  }
  if (closed_ && !onChart(now, segments_.back()))
    lookAtSpan(now, page, segmentCount() - 1, page.spans[at(segmentCount() - 1)]);
  if (stationCount() > 1) layOnWheel(gravity, stationCount() - 1, page);
  layOnWheel(gravity, 0, page);
}

void StrandMass::layOnWheel(const Vec3& gravity, int st, Page& page) const {
  if (!station(st).wheel) return;
  const std::size_t i = at(station(st).index);
  const int before = segmentBefore(st), after = segmentAfter(st);
  if (wheels_[i].drum) {
    // What is wound on ends at a place of the rim, and nothing goes on from there.
    const WheelNow& wn = page.wheels[i];
    SpanNow fixed;
    fixed.skew = true;
    fixed.angle = {wn.anchor, wn.anchor};
    fixed.facing = {wn.anchorFacing, wn.anchorFacing};
    for (auto* zero : {&fixed.arm, &fixed.armRate}) zero->fill(Vec3::Zero());
    const bool winds = wheels_[i].winds;
    const SpanNow &in = winds ? fixed : page.spans[at(before)], &out = winds ? page.spans[at(after)] : fixed;
    arcOf(wheels_[i], wn, in, out, page.arcs[i]);
    loadRim(gravity, wheels_[i], wn, page.arcs[i], in, out, page.loads[i]);
    return;
  }
  if (before < 0 || after < 0) {
    page.arcs[i] = RimMass{};
    page.loads[i].any = false;
    return;
  }
  const SpanNow &in = page.spans[at(before)], &out = page.spans[at(after)];
  arcOf(wheels_[i], page.wheels[i], in, out, page.arcs[i]);
  loadRim(gravity, wheels_[i], page.wheels[i], page.arcs[i], in, out, page.loads[i]);
}

void StrandMass::arcOf(const Wheel& w, const WheelNow& now, const SpanNow& in, const SpanNow& out, RimMass& arc) const {
  const double r = w.outline.radius(), turn = out.angle[0] - in.angle[1], side = now.side, wrap = side * turn;
  // A strand that would lift off is held down, with as much too much in the spans as less than nothing on the arc.
  if (!in.ok || !out.ok || (in.parted && out.parted)) {
    arc = RimMass{};
    return;
  }
  const double c0 = in.facing[1].x(), s0 = in.facing[1].y(), c1 = out.facing[0].x(), s1 = out.facing[0].y();
  const Vec3 &x = now.frame.x, &y = now.frame.y;
  const double density = density_ * now.share;
  arc.mass = density * r * wrap;
  arc.first = density * r * r * side * ((s1 - s0) * x - (c1 - c0) * y);
  // ∫ a aᵀ: cos², sin² and sin cos over the arc; what is left of a² 1 − a aᵀ needs no third axis.
  const double k = density * r * r * r * side, swing = 0.5 * (s1 * c1 - s0 * c0);
  const double xx = k * (0.5 * turn + swing), yy = k * (0.5 * turn - swing), xy = k * 0.5 * (s1 * s1 - s0 * s0);
  const Vec3 alongX = xx * x + xy * y, alongY = xy * x + yy * y;
  const double all = xx + yy;
  for (int i = 0; i < 3; ++i) {
    arc.second(i, i) = all - alongX[i] * x[i] - alongY[i] * y[i];
    for (int j = i + 1; j < 3; ++j) arc.second(i, j) = arc.second(j, i) = -(alongX[i] * x[j] + alongY[i] * y[j]);
  }
}

bool StrandMass::lookAtTackles(const Instant& now, Page& page) const {
  const Vec3& gravity = now.model().description.settings.gravity;
  page.wheels.resize(wheels_.size());
  page.nodes.resize(nodes_.size());
  page.spans.resize(segments_.size());
  page.arcs.resize(wheels_.size());
  page.loads.resize(wheels_.size());
  page.tackles.resize(tackles_.size());
  for (const int i : outside_) lookAtWheel(now, i, page.stillSeen, page.wheels[at(i)]);
  for (int i = 0; i < nodeCount(); ++i) page.nodes[at(i)] = nodeMotion(now, i);
  for (const int i : freeSpans_)
    if (!onChart(now, segments_[at(i)])) lookAtSpan(now, page, i, page.spans[at(i)]);
  for (const int i : outside_)
    if (!reeved_[at(i)]) layOnWheel(gravity, wheelStation_[at(i)], page);
  const Tackle::Strand strand = toTackles();
  for (std::size_t k = 0; k < tackles_.size(); ++k) {
    const Tackle& t = tackles_[k];
    page.tackles[k].ends = {tackleEnd(gravity, page, segmentBefore(t.first), 1),
                            tackleEnd(gravity, page, segmentAfter(t.first + t.count() - 1), 0)};
    if (!t.look(now, strand, tackleMemory(now.past()), page.tackles[k])) return false;
  }
  return true;
}

Tackle::Strand StrandMass::toTackles() const { return {density_, floorRest()}; }

/// The end of a free span on the first or last sheave of a tackle.
Tackle::End StrandMass::tackleEnd(const Vec3& gravity, const Page& page, int segment, int end) const {
  Tackle::End out;
  if (segment < 0 || !page.spans[at(segment)].ok) return out;
  const SpanNow& s = page.spans[at(segment)];
  out.there = true;
  out.angle = s.angle[at(end)];
  out.facing = s.facing[at(end)];
  if (s.skew) return out;  // it does not move with the rim
  const EndLoad load = endLoad(gravity, s, end);
  out.mass = density_ * s.rest / 3.0;
  out.armRate = s.armRate[at(end)];
  out.force = load.force;
  out.momentum = load.momentum;
  return out;
}

}  // namespace reeve
