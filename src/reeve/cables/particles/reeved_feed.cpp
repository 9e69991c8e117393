// Beads that vanish on wheels, in eyes and on drums, and those that appear from them.
#include <algorithm>

#include "reeve/cables/particles/reeved_cable.h"

namespace reeve {

namespace {
/// Of the spacing: a bead closer to a link than this vanishes there, and one appears where the span at a link is longer
/// by more than the rest of a spacing. Between the two lies a tenth, so that none comes and goes.
constexpr double nearestBead = 0.1, longestLeg = 1.2, longestLegToEnd = 0.75, longestBareSpan = 1.5;
/// Of the spacing: the most that a bead is taken in ahead of a fast cable.
constexpr double mostTakenAhead = 0.9;

Vec3 beadTriple(const std::vector<double>& list, int i) { return Vec3(list[at(i)], list[at(i) + 1], list[at(i) + 2]); }
void setBeadTriple(std::vector<double>& list, int i, const Vec3& v) {
  for (int k = 0; k < 3; ++k) list[at(i + k)] = v[k];
}
}  // namespace

int ReevedParticles::spare(const State& s) const {
  for (int i = declared_; i < capacity(); ++i)
    if (!stateOf(s, i).routed) return i;
  return -1;
}

/// How fast the cable between them becomes shorter, m/s.
double ReevedParticles::approach(const Instant& now, const State& s, int from, int to) const {
  const SpanGeometry span = spanBetween(spanEnd(now, s, from, true), spanEnd(now, s, to, false));
  if (span.status != TangentStatus::ok) return 0.0;
  const Vec3 v = velocityAt(now, to, span.end[1].point) - velocityAt(now, from, span.end[0].point);
  return -span.n.dot(v);
}

/// Inertia about the axle, or mass along the cable, of what moves with a link.
double ReevedParticles::turning(const State& s, int i) const {
  double sum = 0.0;
  const int rotor = link(i).mount.rotor;
  if (rotor < 0) return base_[at(i)] + std::max(lump(s, i), 0.0);
  for (int j = 0; j < declared_; ++j) {
    if (link(j).mount.rotor != rotor || !passes(j)) continue;
    const double r = link(j).outline.radius();
    const DrumLayers& layers = link(j).layers;
    sum += std::max(lump(s, j), 0.0) * (layers.many() ? layers.meanSquareOf(stateOf(s, j).stored) : r * r);
  }
  return base_[at(i)] + sum;
}

/// Mass comes to a link or leaves it, at the speed of the link: its momentum changes, its speed does not.
void ReevedParticles::weigh(const Instant& now, State& s, int i, double more) const {
  const double before = turning(s, i);
  lump(s, i) += more;
  changeTurning(now, s, i, turning(s, i) - before);
}

void ReevedParticles::changeTurning(const Instant& now, State& s, int i, double more) const {
  const int block = link(i).mount.rotor >= 0 ? link(i).mount.rotor : link(i).slip;
  if (block < 0) return;
  const std::size_t v = at(now.model().blocks[at(block)].v);
  const double momentum = s.p[v], changed = momentum + more * s.v[v];
  if (momentum != 0.0) s.pOld[v] *= changed / momentum;
  s.p[v] = changed;
}

/// What is wound on a drum in layers turns further out the more there is.
void ReevedParticles::finish(const Instant& now, State& s, Events& events) const {
  JointsCable::finish(now, s, events);
  for (int i = 0; i < declared_; ++i)
    if (link(i).layers.many()) changeTurning(now, s, i, turning(s, i) - turning(now.past(), i));
}

/// Divides the span at this place: a bead `before` metres of rest after its start, moving with the cable there.
void ReevedParticles::insert(const Instant& now, State& s, int place, double before) const {
  auto route = routeOf(s);
  const int from = route[place], to = route.next(place), bead = spare(s);
  const SpanGeometry span = spanBetween(spanEnd(now, s, from, true), spanEnd(now, s, to, false));
  LinkState &first = stateOf(s, from), &second = stateOf(s, bead);
  const double total = first.rest, share = before / total;
  second = LinkState{};
  second.side = 1;
  second.routed = true;
  second.rest = total - before;
  second.compliance = (1.0 - share) * first.compliance;
  first.compliance *= share;
  first.rest = before;
  s.force[at(spanSlot(bead))] = s.force[at(spanSlot(from))];
  s.mode[at(spanSlot(bead))] = s.mode[at(spanSlot(from))];
  // Along the span the cable moves as its end that is no wheel does, or as both do; across it in between.
  const auto& blocks = now.model().blocks;
  const Block& own = blocks[at(link(bead).mount.block)];
  const auto motion = [&](int i, const std::vector<double>& list, double scale, std::size_t end) -> Vec3 {
    const Block& b = blocks[at(link(i).mount.block)];
    if (isBead(i)) return beadTriple(list, b.v) / scale;
    return velocityAt(now, i, span.end[end].point) * (&list == &s.u ? s.h : 1.0);
  };
  const auto between = [&](const std::vector<double>& list, double scale) -> Vec3 {
    Vec3 a = motion(from, list, scale, 0), b = motion(to, list, scale, 1);
    const bool flowsA = passes(from), flowsB = passes(to);
    if (flowsA && !flowsB) a += span.n * span.n.dot(b - a);
    if (flowsB && !flowsA) b += span.n * span.n.dot(a - b);
    return (1.0 - share) * a + share * b;
  };
  const double mass = own.mass, others = beadMass();
  setBeadTriple(s.q, own.q, span.end[0].point + share * (span.end[1].point - span.end[0].point));
  setBeadTriple(s.v, own.v, between(s.v, 1.0));
  setBeadTriple(s.u, own.v, between(s.u, 1.0));
  setBeadTriple(s.p, own.v, mass * between(s.v, 1.0));
  const Vec3 momentum = beadTriple(s.p, own.v);
  setBeadTriple(s.pOld, own.v, isBead(from) || isBead(to) ? Vec3(mass * between(s.pOld, others)) : momentum);
  route.insert(place + 1, bead);
}

/// The bead at one end of the span at this place, if it has come to the link at the other.
bool ReevedParticles::absorb(const Instant& now, State& s, int place, double h) const {
  const auto route = routeOf(s);
  const int from = route[place], to = route.next(place);
  const bool last = isBead(to) && passes(from), first = isBead(from) && passes(to);
  if (!last && !first) return false;
  const double ahead = std::min(1.5 * h * approach(now, s, from, to), mostTakenAhead * spacing_);
  if (stateOf(s, from).rest > std::max(nearestBead * spacing_, ahead)) return false;
  const int bead = last ? to : from, wheel = last ? from : to;
  const int at = last ? (place + 1 == route.size() ? 0 : place + 1) : place;
  const int before = route.before(at), after = route.next(at);
  const Block& block = now.model().blocks[reeve::at(link(bead).mount.block)];
  joinSpans(s, at);
  for (auto* list : {&s.v, &s.u, &s.p, &s.pOld})
    for (int k = 0; k < block.dof; ++k) (*list)[reeve::at(block.v + k)] = 0.0;
  settleSpan(now, s, before, after);
  weigh(now, s, wheel, block.mass);
  return true;
}

bool ReevedParticles::emit(const Instant& now, State& s, int place) const {
  const auto route = routeOf(s);
  const int from = route[place], to = route.next(place);
  const bool exits = passes(from), enters = passes(to);
  if ((!exits && !enters) || spare(s) < 0) return false;
  const double rest = stateOf(s, from).rest;
  if (exits && enters) {
    if (rest < longestBareSpan * spacing_) return false;
    insert(now, s, place, 0.5 * rest);
    weigh(now, s, from, -0.5 * beadMass());
    weigh(now, s, to, -0.5 * beadMass());
    return true;
  }
  const int other = exits ? to : from;
  if (rest < (isBead(other) ? longestLeg : longestLegToEnd) * spacing_) return false;
  const double away = isBead(other) ? spacing_ : 0.5 * spacing_;
  insert(now, s, place, exits ? rest - away : away);
  weigh(now, s, exits ? from : to, -beadMass());
  return true;
}

void ReevedParticles::feed(const Instant& now, State& s, double h) const {
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k)
    if (absorb(now, s, k, h)) k = std::max(k - 2, -1);
  for (int k = 0; k < route.spans(); ++k) emit(now, s, k);
}

void ReevedParticles::begin(const Instant& now, const StepContext& context, State& s) const {
  feed(now, s, context.h);
  JointsCable::begin(now, context, s);
}

void ReevedParticles::topology(const State& s, Topology& out) const {
  for (int i = declared_; i < capacity(); ++i) out.awake.push_back({link(i).mount.block, stateOf(s, i).routed});
  for (int i = 0; i < declared_; ++i) {
    if (!passes(i)) continue;
    const int rotor = link(i).mount.rotor, block = rotor >= 0 ? rotor : link(i).slip;
    bool first = block >= 0;
    for (int j = 0; j < i && rotor >= 0; ++j) first = first && link(j).mount.rotor != rotor;
    if (!first) continue;
    // Another cable may lie on the same drum.
    const auto shared =
        std::find_if(out.wound.begin(), out.wound.end(), [&](const auto& w) { return w.block == block; });
    if (shared != out.wound.end())
      shared->inertia += turning(s, i) - base_[at(i)];
    else
      out.wound.push_back({block, turning(s, i)});
  }
}

}  // namespace reeve
