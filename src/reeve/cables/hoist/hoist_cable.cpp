// Rows, stiffness and forces of a hoist cable.
#include "reeve/cables/hoist/hoist_cable.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/append_rows.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

/// One end of a span in the row being written: a pull and moment at the link's origin, and what the wave adds across
/// the chord at the end itself. eta: what of a metre of the chord counts for the length; what a wheel that spins winds
/// up counts all.
void HoistCable::pushEnd(const Instant& now, const State& s, int i, const SpanEnd& end, const Vec3& pull,
                         const Vec3& momentAtOrigin, const Vec3& across, bool spins, RowSet& out, double eta) const {
  const Node& n = node(i);
  const LinkMount& mount = mountOf(s, i);
  const bool rotor = mount.rotor >= 0 && n.round();
  if (n.still && !(rotor && spins)) return;
  if (!now.rotates(mount.block)) return out.entry(mount.block, pull + across);
  Vec3 moment = momentAtOrigin;
  if (rotor) {
    const Vec3 axis = now.rotation(mount.block) * mount.axis_B;
    const double axial = axis.dot(moment);
    moment -= axis * axial;
    if (spins) out.entry(mount.rotor, axial / eta);
  } else if (spins && eta < 1.0 && grips(s, i)) {
    moment += (1.0 / eta - 1.0) * end.axis.dot(moment) * end.axis;
  }
  const Vec3 center = now.position(mount.block);
  out.entry(mount.block, pull + across,
            (end.origin - center).cross(pull) + moment + (end.point - center).cross(across));
}

void HoistCable::pushSpan(const Instant& now, const State& s, int place, const HoistSpan& look, RowSet& out) const {
  const int from = nodeAt(s, place), to = nodeAt(s, place + 1);
  const bool spinFrom = (place == 0 && !stateOf(s, from).empty) || slipOf(s, from) >= 0,
             spinTo = (place + 2 == count(s) && !stateOf(s, to).empty) || slipOf(s, to) >= 0;
  const SpanGeometry& span = look.chord.span;
  const double eta = look.wave.out.eta;
  Vec3 across[2] = {Vec3::Zero(), Vec3::Zero()};
  if (waves())
    for (int e = 0; e < 2; ++e)
      across[e] = look.wave.out.row[e][0] * look.chord.side[0] + look.wave.out.row[e][1] * look.chord.side[1];
  if (overFloor() && stateOf(s, from).hanging) across[0] += look.uneven * span.n;
  if (look.chord.straightEnds) {
    pushEnd(now, s, from, span.end[0], -eta * span.n, Vec3::Zero(), across[0], false, out);
    pushEnd(now, s, to, span.end[1], eta * span.n, Vec3::Zero(), across[1], false, out);
    return;
  }
  const SpanGradient g = spanGradient(span);
  pushEnd(now, s, from, span.end[0], eta * g.pull[0], eta * g.moment[0], across[0], spinFrom, out, eta);
  pushEnd(now, s, to, span.end[1], eta * g.pull[1], eta * g.moment[1], across[1], spinTo, out, eta);
}

void HoistCable::evaluate(const Instant& now, ElementCache& room) const {
  HoistCache& cache = static_cast<HoistCache&>(room);
  cache.spans.resize(nodes_.size());
  cache.rows.clear();
  if (settings_.pull == PullForm::force) return evaluatePublished(now, cache);
  evaluateSpans(now, cache);
  writeRows(now, cache);
  if (!carriesAlong()) return;
  const State& s = now.past();
  std::size_t run = 0;
  for (int first = 0; first + 1 < count(s); ++run) {
    if (cache.runs.size() <= run) cache.runs.emplace_back();
    const int end = runEnd(s, first);
    evaluateAlong(now, s, first, end, cache.spans, cache.runs[run]);
    liftAlong(now, s, first, end, now.stepping && cache.runs[run].inert, cache.spans);
    first = end;
  }
}

/// `pull: force`: chords and wraps, and the rows of stops alone.
void HoistCable::evaluatePublished(const Instant& now, HoistCache& cache) const {
  const State& s = now.past();
  for (int k = 0; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k), to = nodeAt(s, k + 1);
    HoistSpan& span = cache.spans[i];
    span.to = to;
    span.chord = chordOf(now, s, i, to);
    span.wrapLength = span.wrapAngle = 0.0;
    if (stateOf(s, i).stop != 0) stopRow(now, s, i, to, span.chord, cache.rows);
    if (k == 0 || !round(s, i)) continue;
    const Wrap wrap = wrapOf(now, s, i, cache.spans[nodeAt(s, k - 1)].chord.span, span.chord.span);
    span.wrapLength = wrap.length;
    span.wrapAngle = wrap.angle;
  }
}

void HoistCable::rows(const Instant& now, RowSet& out) const { appendRows(now.cache<HoistCache>(*this).rows, out); }

/// What a row says of its run's length depends on the waves and on what hangs, so rows are part of the evaluation.
void HoistCable::writeRows(const Instant& now, HoistCache& cache) const {
  const State& s = now.past();
  const int links = count(s);
  HoistSpans& spans = cache.spans;
  RowSet& out = cache.rows;
  for (int first = 0; first + 1 < links;) {
    const int run = nodeAt(s, first);
    const double asked = now.multiplier(spanSlot(run)), force = std::isfinite(asked) ? asked : 0.0;
    const double tension = std::max(-force, 0.0);
    double length = 0.0, straight = 0.0, soft = 0.0, given = 0.0;
    bool hanging = false;
    out.group();
    Row row = out.add(spanSlot(run));
    const std::size_t index = out.rows.size() - 1;
    int k = first;
    do {
      const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
      HoistSpan& look = spans[from];
      const bool hung = stateOf(s, from).hanging;
      hanging = hanging || hung;
      if (hung) look.wave.out = WaveOutcome{};
      length += look.wave.out.arc;
      straight += look.chord.span.length;
      soft += look.wave.out.compliance * (carriesAlong() ? ownShare(s, from, tension) : 1.0);
      look.wrapLength = stateOf(s, from).wrap.length;
      look.wrapAngle = stateOf(s, from).wrap.angle;
      if (k > 0 && round(s, from)) {  // the angle is needed for friction, the length where nothing grips
        const Wrap wrap = wrapOf(now, s, from, spans[nodeAt(s, k - 1)].chord.span, look.chord.span);
        look.wrapLength = wrap.length;
        look.wrapAngle = wrap.angle;
        if (!grips(s, from)) length += wrap.length, straight += wrap.length;
      }
      ++k;
      if (look.placed && look.chord.straightEnds) continue;  // holds on to nothing that could move
      given += paid(now, s, from, look.chord.span.end[0], true) + paid(now, s, to, look.chord.span.end[1], false);
      if (!hung) pushSpan(now, s, k - 1, look, out);
    } while (k + 1 < links && !startsRun(s, k));
    if (first > 0) out.entry(slipOf(s, run), -1.0);
    if (k + 1 < links) out.entry(slipOf(s, nodeAt(s, k)), 1.0);
    const double payout = first == 0 ? payoutAt(s, now.time) : 0.0;
    const double rest = restOf(now, s, first) + given + payout;
    const double stiff = complianceOf(s, run, rest);
    HangingRun hung;
    if (hanging) {
      hung = hangRun(s, first, k, length, soft, rest, stiff, force, spans);
      length += hung.length;
      for (int j = first; j < k; ++j)
        if (const int i = nodeAt(s, j); stateOf(s, i).hanging) pushSpan(now, s, j, spans[i], out);
    }
    spans[run].runError = length - rest;
    spans[run].runRest = rest - payout;
    Row& written = out.rows[index];
    row = written;  // entries have been counted
    row.error = length - rest;
    row.upper = 0.0;
    row.errorDependsOnForce = true;
    if (hanging) {  // its tension is known: hoist_hanging.cpp
      row.compliance = stiff + soft + hung.give;
      row.error = hung.miss + row.compliance * hung.tension;
      written = row;
      first = k;
      continue;
    }
    row.damping = settings_.material.damping;
    double rate = 0.0, counts = 1.0, own = stiff;
    if (row.damping > 0.0) {
      double known = 0.0;
      for (int e = row.first; e < row.first + row.count; ++e) {
        const Entry& entry = out.entries[at(e)];
        const Block& b = now.model().blocks[at(entry.block)];
        for (int d = 0; d < b.dof; ++d) known += entry.j[d] * now.v[at(b.v + d)];
      }
      // The rate of the whole error, waves and payout included, by the difference of the step; the solver adds J v − s.
      const bool steps = now.stepping;
      const double stretch = length - rest, change = stretch - stateOf(s, run).error;
      rate = steps ? now.stepRate * change - (now.second ? 0.5 * stateOf(s, run).grown / now.h : 0.0) : known;
      if (spans[run].damps.decide(static_cast<double>(now.binding()), row.damping * rate > std::max(stretch, 0.0))) {
        // What is damped is the stretch: it pulls no harder than that does, so twice as hard together, and not at all
        // before there is any.
        row.damping = rate = 0.0;
        own = 0.5 * stiff;
      } else if (steps) {
        counts += row.damping * now.stepRate;  // what a metre counts for in the row
        row.speed = known - rate;
      }
    }
    // The wave gives way to the tension: compliance in the matrix, but not a second time in the residual.
    const double miss = (length - rest + row.damping * rate - own * tension) / counts;
    const double give = waveGive(length - straight, soft, miss, own / counts, tension) * counts;
    row.compliance = own + give;
    row.error -= give * force;
    written = row;
    first = k;
  }
  for (int k = 0; k + 1 < links; ++k)
    if (const int i = nodeAt(s, k); stateOf(s, i).stop != 0) stopRow(now, s, i, nodeAt(s, k + 1), spans[i].chord, out);
  // Friction of material that slides over links.
  for (int k = 1; k + 1 < links; ++k) {
    const int i = nodeAt(s, k);
    if (slipOf(s, i) < 0) continue;
    const HoistSpan &before = spans[nodeAt(s, k - 1)], &after = spans[i];
    const double bend = round(s, i) ? std::max(after.wrapAngle, 0.0)
                                    : math::acos(std::clamp(before.chord.span.n.dot(after.chord.span.n), -1.0, 1.0));
    const double kappa = math::exp(std::min(node(i).friction * bend, 60.0));
    int runBefore = k - 1;
    while (!startsRun(s, runBefore)) --runBefore;
    out.group();
    Row& row = out.add(frictionSlot(i));
    row.level = Level::velocity;
    row.work = Work::friction;
    out.entry(slipOf(s, i), 1.0);
    if (node(i).friction == unbounded) continue;  // it never slides
    row.lower = row.upper = 0.0;
    row.lowerSlot = spanSlot(nodeAt(s, runBefore));
    row.lowerGain = kappa - 1.0;
    row.upperSlot = spanSlot(i);
    row.upperGain = -(kappa - 1.0);
    if (carriesAlong()) {  // by the tensions at the link itself, as far as there are any
      const int from = nodeAt(s, k - 1);
      const auto beyond = [&](int slot, double lift) { return std::max(lift, 0.5 * s.force[at(slot)]); };
      row.lower = -(kappa - 1.0) * beyond(row.lowerSlot, stateOf(s, from).offset.start - stateOf(s, from).offset.fall);
      row.upper = (kappa - 1.0) * beyond(row.upperSlot, stateOf(s, i).offset.start);
    }
  }
}

void HoistCable::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  if (settings_.pull == PullForm::force) return;
  const HoistSpans& spans = now.cache<HoistCache>(*this).spans;
  const State& s = now.past();
  const int links = count(s);
  double tension = 0.0;
  for (int k = 0; k + 1 < links; ++k) {
    const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (startsRun(s, k)) tension = std::max(-force[at(spanSlot(from))], 0.0);
    if (node(from).still && node(to).still) continue;
    const HoistSpan& look = spans[from];
    const SpanGeometry& span = look.chord.span;
    const Mat3 across = Mat3::Identity() - span.n * span.n.transpose();
    const int a = mountOf(s, from).block, b = mountOf(s, to).block;
    const Anchor first = anchorAt(now, a, span.end[0].point), second = anchorAt(now, b, span.end[1].point);
    if (stateOf(s, from).hanging)
      pairStiffness(now, first, second, look.stiffness[0], look.stiffness[1], look.stiffnessBetween, out);
    else
      pairStiffness(now, first, second, look.wave.out.stiffness[0] * across, look.wave.out.stiffness[1] * across,
                    look.wave.out.cross * across, out);
    const double pull = look.wave.out.eta * (carriesAlong() ? ownTension(s, from, tension) : tension);
    leverStiffness(now, first, pull * span.n, out);
    leverStiffness(now, second, -pull * span.n, out);
  }
}

void HoistCable::pullEnd(const Instant& now, const State& s, int i, const Vec3& point, const Vec3& force,
                         Forces& out) const {
  const int block = mountOf(s, i).block;
  const Block& b = now.model().blocks[at(block)];
  for (int k = 0; k < 3; ++k) out.force[at(b.v + k)] += force[k];
  if (!b.rotates) return;
  const Vec3 torque = (point - now.position(block)).cross(force);
  for (int k = 0; k < 3; ++k) out.force[at(b.v + 3 + k)] += torque[k];
}

/// What the row's Jacobian does not carry: weight and inertia of the waves at the ends; or, as published, everything.
void HoistCable::forces(const Instant& now, Forces& out) const {
  const HoistSpans& spans = now.cache<HoistCache>(*this).spans;
  const State& s = now.past();
  const int links = count(s);
  if (settings_.pull == PullForm::force) {
    const double tension = stateOf(s).explicitTension;
    for (int k = 0; k + 1 < links; ++k) {
      const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
      if (node(from).still && node(to).still) continue;
      const SpanGeometry& span = spans[from].chord.span;
      pullEnd(now, s, from, span.end[0].point, tension * span.n, out);
      pullEnd(now, s, to, span.end[1].point, -tension * span.n, out);
    }
    return;
  }
  if (!carriesAlong()) return;
  forcesAlong(now, out);
  forcesHung(now, out);
  forcesLying(now, out);
  double force = 0.0;
  for (int k = 0; k + 1 < links; ++k) {
    const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (startsRun(s, k)) force = now.multiplier(spanSlot(from));
    if (node(from).still && node(to).still) continue;
    const HoistSpan& look = spans[from];
    for (int e = 0; e < 2; ++e) {
      Vec3 f = stateOf(s, from).hanging ? Vec3(look.wave.out.along[e] * look.chord.span.n) : Vec3::Zero();
      for (int c = 0; c < 2; ++c)
        f += (look.wave.out.force[e][c] - look.wave.out.row[e][c] * force) * look.chord.side[c];
      pullEnd(now, s, e == 0 ? from : to, look.chord.span.end[at(e)].point, f, out);
    }
  }
}

std::string HoistCable::nameOf(ElementPart part, int localSlot) const {
  if (part != ElementPart::row) return {};
  const int i = localSlot % capacity(), kind = localSlot / capacity();
  return name + (kind == 0 ? ".runs." : ".links.") + std::to_string(i) +
         (kind == 0   ? ""
          : kind == 1 ? ".friction"
                      : ".stop");
}

}  // namespace reeve
