// Segments that come onto the wheels of a chain and leave them.
//
// Where the tangent passes the end of the segment that touches a wheel, that one lies on the wheel and vanishes; where
// it passes the beginning, the next one has left the wheel and appears behind it, along the same line, moving with it
// as one rigid body, the joint between them stretched by the tension. The flow of the link takes the mass over: its
// speed stays, its momentum is that of what lies there. Nothing is lost: the segments in the spans and on the links
// are always as many as there were.
#include <algorithm>
#include <cmath>

#include "reeve/cables/chain/route_chain.h"
#include "reeve/cables/chain/segment_motion.h"

namespace reeve {

namespace {
/// Beyond its end by this share of its length a segment vanishes, and the next one appears when it would lie no further
/// on it than that: so that one at the edge does not come and go.
constexpr double passedShare = 1e-3;
}  // namespace

void RouteChain::begin(const Instant& now, const StepContext&, State& state) const {
  for (int k = 0; k < spanCount(); ++k) passSpan(now, state, k);
}

void RouteChain::passSpan(const Instant& now, State& state, int k) const {
  const double half = 0.5 * length_;
  double pull[2] = {0.0, 0.0};  // N, when the step begins
  double past[2] = {0.0, 0.0};  // how far the tangent is from the middle of the segment, towards the span
  bool open[2] = {false, false}, changed = false;
  for (const int side : {0, 1}) {
    const int e = 2 * k + side;
    if (!runs(e)) continue;
    const Tangent t = tangent(now, state, e);
    open[side] = t.end == 0;
    pull[side] = pullAt(now, state, e);
    past[side] = side == 1 ? -t.offset : t.offset;
  }
  const auto available = [&](int e) {
    const int i = linkAt(e);
    return (!link(i).stores || linkMemory(state, i).held > 0) && spare(state) >= 0;
  };
  for (const int side : {0, 1})
    while (open[side] && past[side] < -half - std::max(pull[side], 0.0) * joint_.stretch && available(2 * k + side)) {
      past[side] += appear(now.model(), state, 2 * k + side, pull[side]);
      changed = true;
    }
  for (const int side : {0, 1})
    while (open[side] && past[side] > half * (1.0 + 2.0 * passedShare) &&
           spanMemory(state, k).first != spanMemory(state, k).last) {
      past[side] -= vanish(now.model(), state, 2 * k + side, pull[side]);
      if (!changed) settle(now, state, 2 * k + side, pull[side]);
    }
}

/// Where the chain is slack its joints kink, and the next segment does not touch the rim where the last one did: it
/// comes onto it by and by, instead of within a step.
void RouteChain::settle(const Instant& now, State& state, int e, double tension) const {
  const Tangent t = tangent(now, state, e);
  Vec3 force = vectorAt(state.force, endSlot(e));
  if (force.isZero(0.0)) force.x() = arrives(e) ? tension : -tension;
  const Vec3 pull = axesAt(now.model(), state, e) * force;
  const Vec3 gap = now.position(block(segmentAt(state, e))) + t.offset * t.along - t.point;
  endMemory(state, e).bias = Vec3(gap + tangentCompliance() * pull);
}

int RouteChain::spare(const State& state) const {
  for (int i = 0; i < pool_; ++i)
    if (!segmentMemory(state, i).awake) return i;
  return -1;
}

/// Whether the segment at an end is all that is left of the chain on that side.
bool RouteChain::lastOfChain(const State& state, int e) const {
  return !runs(e ^ 1) && spanMemory(state, e / 2).first == spanMemory(state, e / 2).last;
}

double RouteChain::flowMass(const State& state, int i) const {
  const Link& l = link(i);
  const int held = linkMemory(state, i).held;
  const double further = l.layers.many() ? l.layers.meanSquareOf(held * length_) / (l.radius * l.radius) : 1.0;
  return std::max(l.light, segmentMass() * held * further);
}

void RouteChain::changeHeld(const Model& model, State& state, int i, int by) const {
  const double before = flowMass(state, i);
  linkMemory(state, i).held = linkMemory(state, i).held + by;
  const double kept = flowMass(state, i) / before;
  for (auto* list : {&state.p, &state.pOld}) (*list)[at(model.blocks[at(link(i).flow)].v)] *= kept;
}

/// The tension at an end when the step begins. Before a first step has found it, what the stretch says there: a segment
/// that came or went as if nothing pulled would take the stretch of its length along.
double RouteChain::pullAt(const Instant& now, const State& state, int e) const {
  const double sign = arrives(e) ? 1.0 : -1.0, known = sign * state.force[at(endSlot(e))];
  if (known != 0.0 || !stretches()) return known;
  const Tangent t = tangent(now, state, e);
  const Vec3 gap = now.position(block(segmentAt(state, e))) + t.offset * t.along - t.point;
  return -sign * gap.dot(t.along) / tangentCompliance();
}

/// The next segment leaves the wheel. Returns how far the tangent is now farther on it than it was on the last one, m.
double RouteChain::appear(const Model& model, State& state, int e, double pull) const {
  const int host = segmentAt(state, e), fresh = spare(state);
  const double sign = arrives(e) ? 1.0 : -1.0;
  const Mat3 axes = axesAt(model, state, e);
  const double back = length_ + pull * joint_.stretch;
  const SegmentMotion rigid = motionOf(state, model.blocks[at(block(host))]);
  SegmentMotion motion = motionOf(state, model.blocks[at(block(fresh))]);
  const Mat3 turn = rigid.turn();
  const Vec3 r = sign * back * axes.col(0), old = turn.transpose() * r;
  const Vec3 spin = rigid.inertia().inverse() * rigid.l;
  const Vec3 spinOld = turn.transpose() * (rigid.inertia().inverse() * (turn * rigid.lOld));
  motion.q = rigid.q;
  motion.x = rigid.x + r;
  motion.u = motion.x - (rigid.xOld() + old);
  motion.theta = rigid.theta;
  motion.p = motion.mass * (rigid.p / rigid.mass + spin.cross(r));
  motion.pOld = motion.mass * (rigid.pOld / rigid.mass + spinOld.cross(old));
  motion.l = motion.inertia() * spin;
  motion.lOld = turn.transpose() * (motion.inertia() * (turn * spinOld));
  setMotion(state, model.blocks[at(block(fresh))], motion);
  RouteSegmentMemory &own = segmentMemory(state, fresh), &other = segmentMemory(state, host);
  own.awake = true;
  own.before = arrives(e) ? host : -1;
  own.after = arrives(e) ? -1 : host;
  own.twist = 0.0;
  (arrives(e) ? other.after : other.before) = fresh;
  (arrives(e) ? spanMemory(state, e / 2).last : spanMemory(state, e / 2).first) = fresh;
  const int joint = arrives(e) ? host : fresh;
  segmentMemory(state, joint).twist = joint_.twists ? -joint_.restTwist : 0.0;
  const Vec3 force = -sign * (axes * vectorAt(state.force, endSlot(e)));
  for (int k = 0; k < 6; ++k) state.force[at(jointSlot(joint) + k)] = k < 3 ? force[k] : 0.0;
  endMemory(state, e).offset -= sign * back;
  changeHeld(model, state, linkAt(e), -1);
  return back;
}

/// The segment at a wheel lies on it now. Returns by how much the tangent is nearer on the next one, m.
double RouteChain::vanish(const Model& model, State& state, int e, double pull) const {
  const int gone = segmentAt(state, e);
  const double sign = arrives(e) ? 1.0 : -1.0;
  RouteSegmentMemory& own = segmentMemory(state, gone);
  const int next = arrives(e) ? own.before : own.after, joint = arrives(e) ? next : gone;
  const Vec3 force = vectorAt(state.force, jointSlot(joint));
  (arrives(e) ? spanMemory(state, e / 2).last : spanMemory(state, e / 2).first) = next;
  (arrives(e) ? segmentMemory(state, next).after : segmentMemory(state, next).before) = -1;
  own.awake = false;
  own.before = own.after = -1;
  own.twist = 0.0;
  if (arrives(e)) segmentMemory(state, next).twist = 0.0;
  const Mat3 axes = axesAt(model, state, e);
  const Vec3 local = -sign * (axes.transpose() * force);
  for (int k = 0; k < 3; ++k) state.force[at(endSlot(e) + k)] = local[k];
  for (int k = 0; k < 6; ++k) state.force[at(jointSlot(joint) + k)] = 0.0;
  stopMotion(state, model.blocks[at(block(gone))]);
  const double back = length_ + (force.isZero(0.0) ? pull : sign * local[0]) * joint_.stretch;
  endMemory(state, e).offset += sign * back;
  changeHeld(model, state, linkAt(e), 1);
  return back;
}

/// Between its two tangents a wheel carries its chain as stretched as it came. With G the stretch of all that lies
/// between the middles of the segments there, m + 1 of them less what the rows at both ends have, each leaves with its
/// share of G. What leaves is stretched by the tension behind the wheel, so its
/// material moves on by the difference, in proportion to the flow.
void RouteChain::creep(const Instant& now, State& state, int i) const {
  const int in = entryOf(i), out = exitOf(i);
  if (!stretches() || link(i).stores || in < 0 || out < 0) return;
  const double flow = now.u[at(now.model().blocks[at(link(i).flow)].v)];
  if (flow == 0.0) return;
  const int held = linkMemory(state, i).held;
  double &before = endMemory(state, in).offset, &behind = endMemory(state, out).offset;
  const double stretched = before - behind - (held + 1) * length_;
  const double atEntry = state.force[at(endSlot(in))] * joint_.stretch,
               atExit = -state.force[at(endSlot(out))] * joint_.stretch;
  const double lies = held + 1.0 - 2.0 * tangentCompliance() / joint_.stretch;
  double moved;
  if (held >= 1) {
    const double mean = stretched / lies;
    moved = std::fabs(flow) * (mean - (flow > 0.0 ? atExit : atEntry)) / (length_ + mean);
  } else {
    moved = (stretched - lies * 0.5 * (atEntry + atExit)) * std::min(std::fabs(flow) / length_, 1.0);
  }
  (flow > 0.0 ? behind : before) += flow > 0.0 ? moved : -moved;
}

void RouteChain::topology(const State& state, Topology& out) const {
  for (int i = 0; i < pool_; ++i) {
    const RouteSegmentMemory& m = segmentMemory(state, i);
    out.awake.push_back({block(i), m.awake});
    out.order.push_back(m.after);
  }
  for (int i = 0; i < linkCount(); ++i)
    if (link(i).flow >= 0) out.wound.push_back({link(i).flow, flowMass(state, i)});
}

}  // namespace reeve
