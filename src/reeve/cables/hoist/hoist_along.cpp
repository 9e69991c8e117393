// Weight and inertia of a hoist cable along its spans.
//
// A run has one tension and stretches evenly, so how fast its material moves along its chords follows from its nodes.
// With r_k = d_k·v what node k alone adds to the rate of the run's length (d_k: its part of the gradient, wheels that
// grip and what slips included), R their sum, L̇ what is paid out at the first end, and c_j the share of the run's
// length that lies behind the middle of span j, span j flows with
//      w_j = Σ_{k>j} r_k − c_j (R − L̇)                                                                             (1)
// along its chord n_j. Its acceleration along n_j is ẇ_j − v̄_j·ṅ_j, v̄ the mean of the ends' velocities across: the
// last term is what flings a swinging cable outward. With b_j = m_j (g·n_j + v̄_j·ṅ_j − ẇ_j) the tension falls by b_j
// along span j and goes on over the links without a step, and T of the row is its mean over the run. At node k it is
//      T + o_k,    o_k = Σ_j b_j c_j − Σ_{j<k} b_j,     and the node feels −(T + o_k) d_k.                          (2)
// That takes the power which ½ Σ m_j w_j² gains. Across its chord the span meets w ṅ in return (`swing_`), whose power
// is that of the flinging; both are foretold from the start of the step and the one before. A cable that only swings
// has w = 0: its pendulum is none the heavier along its length.
//
// ẇ is the difference of the step. After a jump it is of first order, from the flow that the new velocities give. The
// derivative of (2) by the velocities, −rate W_kl d_k d_lᵀ with
//      W_kl = Σ_j m_j ([k>j] − c_j)([l>j] − c_j) = A_min(k,l) − B_k − B_l + C,                                      (3)
//      A_k = Σ_{j<k} m_j,   B_k = Σ_{j<k} m_j c_j,   C = Σ_j m_j c_j²,
// couples all bodies of a run. m_j has half of what lies on the wheels beside the span where those stand still: what
// lies on a wheel that moves has no inertia of its own. Within a span the flow is not even where the run stretches:
// with Ṡ = R − L̇ and p_j the span's part of the run's length it differs by p_j Ṡ from end to end, which has
//      ½ K Ṡ²,   K = Σ_j m_j p_j²/12,      a tension K S̈ everywhere in the run, and K in every W_kl. (7)
// m is that of the rest length: a metre of a stretched run weighs ρ L/(L + C) (`thin`).
//
// Weight. What is above holds of inertia (b_j without g). The weight of a run is that of its curves: with p_j the
// middle of mass of span j, A_j its arc, T the multiplier of Σ A = L, all of it is the gradient of one potential,
//      V = −Σ ρ A_j g·p_j,      −dV = Σ ρ g·p_j dA_j + ρ A_j g·dp_j. (4)
// So T_j = T − ρ g·p_j + const is the mean tension of span j: T − ρ g z is one along the run, over its pulleys too; the
// constant makes T the mean of the run. The middle of mass lies where the wave does, not on the chord: p_j is the
// chord's middle, ū aside and s ahead of it. With ω_i = ((M + 1)/2 − i)/M, d_i the links' extents (span_wave.h),
//      s = Σ ω_i d_i,   ds = dA/M Σ ω_i δ/d_i − Σ ω_i Δu_i dΔu_i/d_i
// the last term is the β of the wave, the one before takes T_j' = T_j − ρ δ g_∥ Σ ω_i δ/d_i from it (`skew_`). Along
// the chord the ends feel
//      η T_j' ± ½ ρ A_j g_∥,                                                                                        (5)
// and the tension at them is T_j + ρ g·(p_j − end). How far the curve lies below its chord (`sink_`) is foretold from
// the start of the step and the one before; the waves feel their own span's tension, from the last step (`lift_`).
//
// A run that goes slack (T → 0) has no tension anywhere, though T_j − T is what the heights of its spans make it. Where
// the least of them, T − m, would pull with less than a tenth of T,
//      T_j = T + (T_j − T) min(1, 0.9 T/m):                                                                         (6)
// no span pushes, their mean is T, and nothing jumps when T comes from nothing, so that the row has a root there.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hanging_span.h"
#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/cables/hoist/span_flow.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {
/// Bodies that one run may couple by its mass; over more of them it weighs and has no inertia along its spans.
constexpr std::size_t mostCoupled = 64;

/// A span's part of K in (7), kg, as far as its material lies along the chord (see chordSwing()).
double unevenMass(double mass, double part, double chord, double arc) {
  constexpr double slackest = 50.0;
  const double slack = 1.0 - chord / std::max(arc, 1e-9);
  return mass * part * part / 12.0 * std::clamp(1.0 - slackest * slack, 0.0, 1.0);
}

double rateOf(const Instant& now, const RowSet& set, const Row& row) {
  double sum = 0.0;
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = set.entries[at(e)];
    const Block& b = now.model().blocks[at(entry.block)];
    for (int d = 0; d < b.dof; ++d) sum += entry.j[d] * now.v[at(b.v + d)];
  }
  return sum;
}
}  // namespace

/// Of a run, by what it is stretched: what of a metre of it was there before.
double HoistCable::thinnedBy(const State& s, int run) const {
  const double rest = stateOf(s, run).rest + (run == nodeAt(s, 0) ? payoutAt(s, s.time) : 0.0);
  const double stretch = std::max(stateOf(s, run).error, 0.0);
  return rest > 0.0 ? rest / (rest + stretch) : 1.0;
}

/// kg: half of what lies on the wheels at the ends of a span, if they stand still.
double HoistCable::wrapMass(const State& s, int place) const {
  double sum = 0.0;
  for (const int k : {place, place + 1}) {
    const int i = nodeAt(s, k);
    if (!node(i).still || node(i).contact || !node(i).round() || node(i).type == LinkType::spool) continue;
    const double half = node(i).closes
                            ? 0.5 * (stateOf(s, nodeAt(s, 0)).stored + stateOf(s, nodeAt(s, count(s) - 1)).stored)
                            : 0.5 * stateOf(s, i).wrap.length;
    sum += mass_ * std::max(half, 0.0);
  }
  return sum;
}

int HoistCable::runEnd(const State& s, int first) const {
  int end = first + 1;
  while (end + 1 < count(s) && !startsRun(s, end)) ++end;
  return end;
}

/// d of every node of a run that can move, one row each.
void HoistCable::findMovers(const Instant& now, const State& s, int first, int end, const HoistSpans& spans,
                            HoistRun& run) const {
  run.rows.clear();
  run.places.clear();
  run.sides.clear();
  run.blocks.clear();
  const auto push = [&](int k, int e, bool spins, RowSet& out) {
    const int from = nodeAt(s, k - e), to = nodeAt(s, k - e + 1);
    const Chord& c = still(from, to) ? still_[at(from)] : spans[from].chord;
    if (c.straightEnds)
      return pushEnd(now, s, nodeAt(s, k), c.span.end[at(e)], e == 0 ? Vec3(-c.span.n) : c.span.n, Vec3::Zero(),
                     Vec3::Zero(), spins, out);
    const SpanGradient g = spanGradient(c.span);
    pushEnd(now, s, nodeAt(s, k), c.span.end[at(e)], g.pull[at(e)], g.moment[at(e)], Vec3::Zero(), spins, out);
  };
  for (int k = first; k <= end; ++k) {
    const int i = nodeAt(s, k);
    if (node(i).still && node(i).mount.rotor < 0 && slipOf(s, i) < 0) continue;
    run.rows.add(k);
    run.places.push_back(k);
    const bool spins = ((k == 0 || k + 1 == count(s)) && !stateOf(s, i).empty) || slipOf(s, i) >= 0;
    for (const int e : {1, 0}) {
      run.sides.add(k);
      if (e == 1 ? k == first : k == end) continue;
      push(k, e, spins, run.rows);
      push(k, e, spins, run.sides);
    }
    run.sides.add(k);
    if (slipOf(s, i) < 0 || (k != end && k != first)) continue;
    run.rows.entry(slipOf(s, i), k == end ? 1.0 : -1.0);
    run.sides.entry(slipOf(s, i), k == end ? 1.0 : -1.0);
  }
  for (const Entry& e : run.rows.entries)
    if (now.model().blocks[at(e.block)].free &&
        std::find(run.blocks.begin(), run.blocks.end(), e.block) == run.blocks.end())
      run.blocks.push_back(e.block);
  run.inert = run.blocks.size() <= mostCoupled;
}

/// (1): flow, mass and share of every span of a run. Chords that move have been placed.
void HoistCable::evaluateAlong(const Instant& now, const State& s, int first, int end, HoistSpans& spans,
                               HoistRun& run) const {
  findMovers(now, s, first, end, spans, run);
  double whole = 0.0, paidRate = 0.0;
  for (int k = first; k < end; ++k) whole += pieces() * stateOf(s, nodeAt(s, k)).curve.link;
  if (first == 0) paidRate = (payoutAt(s, now.time) - payoutAt(s, now.time - step_)) / step_;
  double behind = 0.0, length = 0.0;
  std::size_t mover = run.places.size();
  const auto pass = [&](int k) {
    if (mover > 0 && run.places[mover - 1] == k) behind += rateOf(now, run.rows, run.rows.rows[--mover]);
  };
  for (int k = end - 1; k >= first; --k) {
    const int i = nodeAt(s, k);
    HoistSpan& look = spans[i];
    const double own = pieces() * stateOf(s, i).curve.link;
    pass(k + 1);
    look.flow = behind;
    look.mass = stateOf(s, i).hanging ? 0.0 : density(s, i) * own;
    look.inert = look.mass > 0.0 ? look.mass + wrapMass(s, k) : 0.0;
    look.share = whole > 0.0 ? (length + 0.5 * own) / whole : 0.5;
    look.part = whole > 0.0 ? own / whole : 0.0;
    length += own;
  }
  pass(first);
  const double stretch = behind - paidRate;
  spans[nodeAt(s, first)].stretching = run.inert ? stretch : 0.0;
  for (int k = first; k < end; ++k) {
    HoistSpan& look = spans[nodeAt(s, k)];
    look.flow = run.inert ? look.flow - look.share * stretch : 0.0;
    if (run.inert && !drift_.isZero(0.0)) look.flow -= look.chord.span.n.dot(drift_);
  }
  run.before.resize(run.places.size());
  double mass = 0.0, moment = 0.0;
  run.square = 0.0;
  std::size_t m = 0;
  for (int k = first; k <= end; ++k) {
    if (m < run.places.size() && run.places[m] == k) run.before[m++] = {mass, moment};
    if (k == end) break;
    const int i = nodeAt(s, k);
    const HoistSpan& look = spans[i];
    const double chord = (still(i, nodeAt(s, k + 1)) ? still_[at(i)] : look.chord).span.length;
    mass += look.inert, moment += look.inert * look.share;
    run.square += look.inert * look.share * look.share +
                  unevenMass(look.mass, look.part, chord, pieces() * stateOf(s, i).curve.link);
  }
}

/// (2) and (5): what the tension is above the run's in its spans. `moves`: with their inertia.
void HoistCable::liftAlong(const Instant& now, const State& s, int first, int end, bool moves,
                           HoistSpans& spans) const {
  const bool second = now.second;
  const auto chordAt = [&](int k) -> const SpanGeometry& {
    const int i = nodeAt(s, k);
    return still(i, nodeAt(s, k + 1)) ? still_[at(i)].span : spans[i].chord.span;
  };
  const Vec3 origin = chordAt(first).end[0].point;
  double before = 0.0, moved = 0.0, high = 0.0;  // of inertia: what it takes up to here, and its mean
  double uneven = 0.0;                           // kg, of (7)
  for (int k = first; k < end; ++k) {
    const int i = nodeAt(s, k);
    HoistSpan& look = spans[i];
    const SpanGeometry& span = chordAt(k);
    double change = 0.0;
    if (moves) {
      const double w = stateOf(s, i).flow;
      change = changeRate(look.flow, w, stateOf(s, i).flowBefore, second && stateOf(s, i).flows > 1, now.h);
    }
    const double inertia = look.mass * stateOf(s, i).centrifugal - look.inert * change, along = gravity_.dot(span.n);
    uneven += unevenMass(look.mass, look.part, span.length, pieces() * stateOf(s, i).curve.link);
    look.drop = look.mass * along + inertia;
    look.fall = density(s, i) * span.length * along + inertia;
    look.moved = -before - 0.5 * inertia;
    before += inertia;
    moved += look.part * look.moved;
    look.own = -density(s, i) * gravity_.dot(0.5 * (span.end[0].point + span.end[1].point) - origin) -
               stateOf(s, i).offset.sag;
    high += look.part * look.own;
  }
  const NodeState& run = stateOf(s, nodeAt(s, first));
  const double stretching = spans[nodeAt(s, first)].stretching;
  const double surge =
      moves ? uneven * changeRate(stretching, run.stretching, run.stretchingBefore, second && run.flows > 1, now.h)
            : 0.0;
  for (int k = first; k < end; ++k) {
    const int i = nodeAt(s, k);
    HoistSpan& look = spans[i];
    look.moved += surge - moved;
    // What hangs is at rest, and has its own law: hoist_hanging.cpp.
    const double mean = look.own - high + (look.mass > 0.0 ? look.moved : 0.0);
    look.lift = mean + stateOf(s, i).offset.sag + 0.5 * look.fall;
    look.own = mean - stateOf(s, i).offset.skew;
  }
}

/// What the pull along the chord at either end of a span is above η T of its run.
double HoistCable::endLift(const HoistSpan& look, int e) const {
  if (look.mass == 0.0) return look.moved;
  return look.wave.out.eta * (look.own - look.moved) + look.moved + (e == 0 ? 0.5 : -0.5) * look.drop;
}

/// The middle of a span's mass and the skew of its links.
HoistCable::Lie HoistCable::lieOf(const State& s, int i) const {
  Lie out;
  const int n = pieces();
  const double *u = field(s, i, 0), link = stateOf(s, i).curve.link, d2 = link * link;
  for (int m = 1; m <= n; ++m) {
    const double x = u[2 * m] - u[2 * m - 2], y = u[2 * m + 1] - u[2 * m - 1], omega = (0.5 * (n + 1) - m) / n;
    const double extent = std::sqrt(std::max(d2 - x * x - y * y, 0.04 * d2));
    out.aside += Vec2(u[2 * m], u[2 * m + 1]);
    out.ahead += omega * extent;
    out.skew += omega * link / extent;
  }
  out.aside /= n;
  return out;
}

/// How much less the tension of a span is because it lies below its chord, and its skew.
std::pair<double, double> HoistCable::sinkOf(const State& s, int i, const Chord& chord) const {
  if (stateOf(s, i).hanging) {  // E = H X + V v − T L by Euler, E/m g above the first end
    const Hang hang = hangOf(s, i, chord);
    const LyingSpan lying = lyingSpan(hang.width, hang.heights, stateOf(s, i).hangingLength, hang.weight,
                                      {.floor = overFloor(), .trace = lyingTrace * stateOf(s, i).hangingLength});
    if (lying.lies)  // its middle is (T − H)/w above the floor
      return {0.5 * mass_ * gravity_.norm() * (hang.heights[0] + hang.heights[1]) - lying.tension + lying.horizontal,
              0.0};
    const HangingSpan span = hangingSpan(hang.width, hang.rise, stateOf(s, i).hangingLength, hang.weight);
    const double energy =
        span.horizontal * hang.width + span.vertical * hang.rise - span.tension * stateOf(s, i).hangingLength;
    return {(0.5 * hang.weight * hang.rise - energy) / stateOf(s, i).hangingLength, 0.0};
  }
  // The walk is not made where it would tell less than 3e-5 of the tension (slope²/3), and comes in by degrees.
  constexpr double level = 0.01;
  const double slope = stateOf(s, i).curve.slope, fade = std::min(slope / level - 1.0, 1.0);
  if (fade <= 0.0) return {0.0, 0.0};
  const Lie lie = lieOf(s, i);
  const double along = gravity_.dot(chord.span.n);
  const double lower = gravity_.dot(lie.aside[0] * chord.side[0] + lie.aside[1] * chord.side[1]) + along * lie.ahead;
  return {fade * density(s, i) * lower, fade * linkMass(s, i) * along * lie.skew};
}

void HoistCable::sinkAlong(State& s, int first, int end, const HoistSpans& spans) const {
  double more = 0.0;
  for (int k = first; k < end; ++k) {
    const int i = nodeAt(s, k), to = nodeAt(s, k + 1);
    double &sink = stateOf(s, i).offset.sag, &sunk = stateOf(s, i).offset.sagAtStart;
    const double before = sink;
    const auto [here, skew] = sinkOf(s, i, still(i, to) ? still_[at(i)] : spans[i].chord);
    const bool moves = stateOf(s, i).flows > 1 && !stateOf(s, i).hanging;
    sink = moves ? 2.0 * here - sunk : here;
    sunk = here;
    stateOf(s, i).offset.skew = skew;
    more += spans[i].part * (sink - before);
  }
  for (int k = first; k < end; ++k) stateOf(s, nodeAt(s, k)).offset.start += more;
}

/// m of (6).
void HoistCable::easeAlong(State& s, int first, int end) const {
  double deepest = 0.0;
  for (int k = first; k < end; ++k) {
    const int i = nodeAt(s, k);
    const double above = aboveRun(s, i), own = above - stateOf(s, i).offset.skew;
    // With skew the mean of what the waves feel is not T: those above it alone must begin at nothing too.
    deepest = std::max({deepest, -above, -own, 0.1 * above, 0.1 * own});
  }
  for (int k = first; k < end; ++k) stateOf(s, nodeAt(s, k)).offset.lowest = deepest;
}

/// Where the chords are when no step is being made.
void HoistCable::placeChords(const Instant& now, const State& s, HoistSpans& spans) const {
  spans.resize(nodes_.size());
  for (int k = 0; k + 1 < count(s); ++k) {
    const int i = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (!still(i, to)) spans[i].chord = chordOf(now, s, i, to);
  }
}

/// J, of the flow along the chords.
double HoistCable::energyAlong(const Instant& now, const State& s) const {
  double sum = 0.0;
  const bool started = stateOf(s, nodeAt(s, 0)).flows != 0;
  HoistWorkspace& work = workspace(now);
  HoistSpans& spans = work.spans;
  if (!started) placeChords(now, s, spans);
  for (int first = 0; first + 1 < count(s);) {
    const int end = runEnd(s, first);
    if (!started) evaluateAlong(now, s, first, end, spans, work.run);
    double whole = 0.0;
    for (int k = first; k < end; ++k) whole += pieces() * stateOf(s, nodeAt(s, k)).curve.link;
    for (int k = first; k < end; ++k) {
      const int i = nodeAt(s, k);
      const double flow = started ? stateOf(s, i).flow : spans[i].flow;
      if (stateOf(s, i).hanging) continue;
      const double mass = pieces() * linkMass(s, i), arc = pieces() * stateOf(s, i).curve.link;
      const double uneven = unevenMass(mass, arc / whole, chordOf(now, s, i, nodeAt(s, k + 1)).span.length, arc);
      const double stretching = started ? stateOf(s, nodeAt(s, first)).stretching : spans[nodeAt(s, first)].stretching;
      sum += 0.5 * (mass + wrapMass(s, k)) * flow * flow + 0.5 * uneven * stretching * stretching;
    }
    first = end;
  }
  return sum;
}

/// Before a step: the flow it starts with, and what the swinging of the chords does.
void HoistCable::beginAlong(const Instant& now, State& s) const {
  HoistSpans& spans = workspace(now).spans;
  HoistRun& run = workspace(now).run;
  const int links = count(s);
  placeChords(now, s, spans);
  for (int first = 0; first + 1 < links;) {
    const int end = runEnd(s, first);
    evaluateAlong(now, s, first, end, spans, run);
    bool fresh = false;
    NodeState& whole = stateOf(s, nodeAt(s, first));
    const double stretching = spans[nodeAt(s, first)].stretching;
    if (whole.flows == 0 || hasJumped(stretching, whole.stretching))
      whole.stretching = whole.stretchingBefore = stretching;
    for (int k = first; k < end; ++k) {
      const int i = nodeAt(s, k), to = nodeAt(s, k + 1);
      const HoistSpan& look = spans[i];
      NodeState& at = stateOf(s, i);
      fresh = fresh || at.flows == 0;
      if (at.flows == 0 || hasJumped(look.flow, at.flow)) {
        at.flow = look.flow;
        at.flows = 1;
      }
      if (still(i, to)) continue;
      beginHung(now, s, i, to, look.chord);
      const SpanGeometry& span = look.chord.span;
      const Vec3 ends[2] = {endVelocity(now, s, i, look.chord, 0), endVelocity(now, s, to, look.chord, 1)};
      const auto [flung, swing] = chordSwing(ends, span.n, span.length, pieces() * at.curve.link, look.flow);
      const double fling = run.inert ? flung : 0.0, last = at.flows > 1 ? 1.0 : 0.0;
      at.centrifugal = fling + last * (fling - at.centrifugalStart);
      at.coriolis = swing + last * (swing - at.coriolisStart.vec());
      at.centrifugalStart = fling;
      at.coriolisStart = swing;
    }
    sinkAlong(s, first, end, spans);
    if (fresh) {  // no step has told: the weight alone
      liftAlong(now, s, first, end, false, spans);
      keepLifts(s, first, end, spans);
    }
    easeAlong(s, first, end);
    first = end;
  }
}

void HoistCable::keepLifts(State& s, int first, int end, const HoistSpans& spans) const {
  for (int k = first; k < end; ++k) {
    const int i = nodeAt(s, k);
    stateOf(s, i).offset.start = spans[i].lift;
    stateOf(s, i).offset.fall = spans[i].fall;
    stateOf(s, i).offset.chordFall = spans[i].drop;
  }
}

void HoistCable::forcesAlong(const Instant& now, Forces& out) const {
  const State& s = now.past();
  const HoistCache& cache = now.cache<HoistCache>(*this);
  const HoistSpans& spans = cache.spans;
  const HoistRun* next = cache.runs.data();
  for (int first = 0; first + 1 < count(s);) {
    const int end = runEnd(s, first);
    const HoistRun& run = *next++;
    const bool moves = now.stepping && run.inert;
    for (std::size_t m = 0; m < run.places.size(); ++m) {
      const int k = run.places[m];
      const HoistSpan& before = spans[nodeAt(s, std::max(k - 1, first))];
      const HoistSpan& after = spans[nodeAt(s, std::min(k, end - 1))];
      const int rotor = node(nodeAt(s, k)).mount.rotor;
      // What a drum winds up, and what slips, has the tension of the place; the chord takes its share of it.
      const double there = k < end ? after.lift : before.lift - before.fall;
      const double lifts[3] = {endLift(before, 1), endLift(after, 0), there};
      for (std::size_t side = 0; side < 3; ++side) {
        const Row& row = run.sides.rows[3 * m + side];
        for (int e = row.first; e < row.first + row.count; ++e) {
          const Entry& entry = run.sides.entries[at(e)];
          const Block& b = now.model().blocks[at(entry.block)];
          const double lift = entry.block == rotor ? there : lifts[side];
          for (int d = 0; d < b.dof; ++d) out.force[at(b.v + d)] -= lift * entry.j[d];
        }
      }
    }
    const bool second = now.second && stateOf(s, nodeAt(s, first)).flows > 1;
    if (moves) massAlong(run, (second ? 1.5 : 1.0) / now.h, out.damping);
    first = end;
  }
}

/// (3), times `scale`: one patch for every two bodies of a run.
void HoistCable::massAlong(const HoistRun& run, double scale, PatchSet& out) const {
  const std::size_t movers = run.places.size(), bodies = run.blocks.size();
  const std::size_t start = out.patches.size();
  for (std::size_t a = 0; a < bodies; ++a)
    for (std::size_t b = a; b < bodies; ++b) out.add(run.blocks[a], run.blocks[b]);
  const auto place = [&](const Entry& e) {
    return static_cast<std::size_t>(std::find(run.blocks.begin(), run.blocks.end(), e.block) - run.blocks.begin());
  };
  for (std::size_t i = 0; i < movers; ++i)
    for (std::size_t j = i; j < movers; ++j) {
      const double weight = scale * (run.before[i].mass - run.before[i].moment - run.before[j].moment + run.square);
      const Row &a = run.rows.rows[i], &b = run.rows.rows[j];
      for (int e = a.first; e < a.first + a.count; ++e)
        for (int f = i == j ? e : b.first; f < b.first + b.count; ++f) {
          const Entry *x = &run.rows.entries[at(e)], *y = &run.rows.entries[at(f)];
          std::size_t p = place(*x), q = place(*y);
          if (p == bodies || q == bodies) continue;
          if (p > q) std::swap(p, q), std::swap(x, y);
          const bool twice = p == q && x != y;
          // Patches of (a, b ≥ a) lie one after the other.
          Patch& patch = out.patches[start + p * bodies - p * (p + 1) / 2 + q];
          for (int r = 0; r < 6; ++r)
            for (int c = 0; c < 6; ++c)
              patch.k(r, c) += weight * (x->j[r] * y->j[c] + (twice ? y->j[r] * x->j[c] : 0.0));
        }
    }
}

/// What a jump has to move beside the bodies: the runs along their chords, and half a link at either end across.
void HoistCable::mass(const Instant& now, PatchSet& out) const {
  if (!carriesAlong() || now.stepping || now.model().hasElementMass) return;
  const State& s = now.past();
  const HoistCache& cache = now.cache<HoistCache>(*this);
  const HoistSpans& spans = cache.spans;
  const HoistRun* next = cache.runs.data();
  for (int first = 0; first + 1 < count(s); first = runEnd(s, first), ++next)
    if (next->inert) massAlong(*next, 1.0, out);
  for (int k = 0; k < count(s); ++k) massLying(now, s, nodeAt(s, k), 1.0, out);
  using Mat36 = Eigen::Matrix<double, 3, 6>;
  for (int k = 0; k + 1 < count(s); ++k)
    for (const int e : {0, 1}) {
      const int from = nodeAt(s, k), i = nodeAt(s, k + e), block = mountOf(s, i).block;
      if (stateOf(s, from).hanging) {
        if (e == 0) massHung(now, s, from, nodeAt(s, k + 1), stateOf(s, from).lifted, out);
        continue;
      }
      if (!now.model().blocks[at(block)].free) continue;
      const SpanGeometry& span = spans[from].chord.span;
      Mat36 j = Mat36::Zero();
      j.leftCols<3>() = Mat3::Identity();
      if (now.rotates(block)) j.rightCols<3>() = -skew(span.end[at(e)].point - now.position(block));
      const Mat3 across = Mat3::Identity() - span.n * span.n.transpose();
      out.add(block, block).k = 0.5 * linkMass(s, from) * j.transpose() * across * j;
    }
}

void HoistCable::finishAlong(const Instant& now, State& s) const {
  const State& past = now.past();
  const HoistSpans& spans = now.cache<HoistCache>(*this).spans;
  for (int i = declared_; i < capacity(); ++i) stateOf(s, i).flows = 0;  // contacts that are not there now
  for (int first = 0; first + 1 < count(past);) {
    const int end = runEnd(past, first);
    keepLifts(s, first, end, spans);
    const int run = nodeAt(past, first);
    stateOf(s, run).stretchingBefore = stateOf(past, run).stretching;
    stateOf(s, run).stretching = spans[run].stretching;
    for (int k = first; k < end; ++k) {
      const int i = nodeAt(past, k);
      stateOf(s, i).thin = thinnedBy(s, run);
      const double made = stateOf(past, i).madeWith;
      stateOf(s, i).flowBefore = stateOf(past, i).flow;
      stateOf(s, i).flow = spans[i].flow;
      stateOf(s, i).flows = now.second && (made == 0.0 || made == now.h) ? 2 : 1;
    }
    easeAlong(s, first, end);
    first = end;
  }
}

}  // namespace reeve
