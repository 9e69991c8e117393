// Rows, stiffness and forces of a hoist cable.
#include "reeve/cables/hoist/hoist_cable.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "reeve/cables/hoist/patch_ends.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {
/// A span with links steeper than this hangs slack. Where it whips about, so that its nodes move against the chord by
/// more than this share of a link in a step, a difference of second order would feed that.
constexpr double lossySlope = 0.2, whippedShare = 0.05;
}  // namespace

/// Whether a span moves as fast as that.
bool HoistCable::whips(const WaveField& field, double link) const {
  const int n = pieces();
  const double *d = field.increment[0], most = whippedShare * whippedShare * link * link;
  for (int m = 1; m < n; ++m) {
    const double x = static_cast<double>(m) / n, a = d[2 * m] - (1.0 - x) * d[0] - x * d[2 * n],
                 b = d[2 * m + 1] - (1.0 - x) * d[1] - x * d[2 * n + 1];
    if (a * a + b * b > most) return true;
  }
  return false;
}

int HoistCable::scratchSize() const {
  const std::size_t each = waves() ? std::max(waveWork(pieces()) + at(fieldNumbers()), lanesWork(pieces())) : 0;
  const std::size_t kept = lanes() ? at(groups()) * lanesKept(pieces()) : 0;
  return static_cast<int>(preparedSize() + nodes_.size() * lookedSize() + kept + each + spare());
}

HoistCable::Looked& HoistCable::looked(const Instant& now, int i) const {
  Looked& look = *reinterpret_cast<Looked*>(now.scratch.data() + at(scratch) + preparedSize() + at(i) * lookedSize());
  if (!look.made) {
    new (&look) Looked;
    look.made = true;
  }
  return look;
}

/// What four spans keep through a step; behind the last group's comes what is needed while spans are solved.
double* HoistCable::keptOf(const Instant& now, int group) const {
  return now.scratch.data() + at(scratch) + preparedSize() + nodes_.size() * lookedSize() +
         at(group) * lanesKept(pieces());
}

const LinkMount& HoistCable::mountOf(const State& s, int i) const {
  return node(i).contact ? candidates_[at(static_cast<int>(recall(s, i, body_)))] : node(i).mount;
}

/// On its body, from the centre of mass.
Vec3 HoistCable::placeOf(const State& s, int i) const {
  return node(i).contact ? recall3(s, i, placeX_) : node(i).center_B;
}

SpanLink HoistCable::spanEnd(const Instant& now, const State& s, int i) const {
  const Node& n = node(i);
  SpanLink end;
  end.outline = &outlineOf(s, i);
  end.sigma = n.sigma;
  const int block = mountOf(s, i).block;
  if (!now.rotates(block)) {
    end.frame = LinkFrame{now.position(block), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  } else if (n.contact && round(s, i)) {
    const Mat3& r = now.rotation(block);
    const LinkFrame f = planeFrame(shapeOf(s, i), planeOf(s, i));
    end.frame = {now.position(block) + r * f.origin, r * f.x, r * f.y, r * f.normal};
  } else {
    const Mat3& r = now.rotation(block);
    end.frame = {now.position(block) + r * placeOf(s, i), r * n.x_B, r * n.y_B, r * n.normal_B};
  }
  return end;
}

PowerSums HoistCable::sumsOf(const State& s, int i) const {
  const double* p = s.memory.data() + cell(i, power1_);
  return {static_cast<double>(pieces()), p[0], p[1], p[2], p[3], p[4]};
}

void HoistCable::keepSums(State& s, int i, const PowerSums& sums) const {
  double* p = s.memory.data() + cell(i, power1_);
  p[0] = sums.s1, p[1] = sums.s2, p[2] = sums.s3, p[3] = sums.s4, p[4] = sums.most;
  s.memory[cell(i, powerChord_)] = 0.0;
}

/// The sums of a shape that has come about otherwise than by a step.
void HoistCable::keepShape(State& s, int i) const {
  PowerSums sums{static_cast<double>(pieces())};
  const double* u = field(s, i, 0);
  for (int m = 0; m < pieces(); ++m) {
    const double x = u[2 * m + 2] - u[2 * m], y = u[2 * m + 3] - u[2 * m + 1], e = x * x + y * y;
    sums.s1 += e, sums.s2 += e * e, sums.s3 += e * e * e, sums.s4 += e * e * e * e;
    sums.most = std::max(sums.most, e);
  }
  keepSums(s, i, sums);
}

/// The length of a span's remembered wave on a chord of this length.
double HoistCable::spanArc(const State& s, int i, double chord, WaveMetric* metric) const {
  if (!waves()) return chord;
  if (recall(s, i, hanging_) != 0.0) {
    if (metric) *metric = {recall(s, i, link_), recall(s, i, eta_), 1.0};
    return recall(s, i, hung_);
  }
  if (explicitWaves() && recall(s, i, powerChord_) == chord) {
    if (metric) *metric = {recall(s, i, link_), recall(s, i, eta_), 0.0};
    return pieces() * recall(s, i, link_);
  }
  if (explicitWaves())
    if (const double arc = sumsOf(s, i).arc(chord, metric); arc > 0.0) return arc;
  return arcOf({field(s, i, 0), at(fieldNumbers())}, pieces(), chord, metric);
}

HoistCable::Chord HoistCable::chordOf(const Instant& now, const State& s, int from, int to) const {
  if (node(from).still && to == from + 1 && node(to).still && !still_.empty()) return still_[at(from)];
  Chord c;
  c.straightEnds = !round(s, from) && !round(s, to);
  if (c.straightEnds) {
    const int a = mountOf(s, from).block, b = mountOf(s, to).block;
    SpanEnd &first = c.span.end[0], &second = c.span.end[1];
    first.point = first.origin = now.point({a, placeOf(s, from)});
    second.point = second.origin = now.point({b, placeOf(s, to)});
    c.span.n = second.point - first.point;
    c.span.length = c.span.n.norm();
    c.span.status = TangentStatus::ok;
    c.span.n = c.span.length > 0.0 ? Vec3(c.span.n / c.span.length) : Vec3::UnitX();
  } else {
    SpanLink a = spanEnd(now, s, from), b = spanEnd(now, s, to);
    c.span = spanBetween(a, b);
    if (c.span.status != TangentStatus::ok && round(s, from) != round(s, to)) {
      // A point that has come into the wheel is taken where the wheel ends: the length goes to zero as it comes in.
      SpanLink &wheel = round(s, from) ? a : b, &point = round(s, from) ? b : a;
      const Outline::Approach near = wheel.outline->approach(wheel.frame.toPlane(point.frame.origin));
      point.frame.origin +=
          (1e-6 * wheel.outline->radius() - std::min(near.distance, 0.0)) * wheel.frame.directionToWorld(near.normal);
      c.span = spanBetween(a, b);
    }
    if (c.span.status != TangentStatus::ok) {
      // No tangent (the wheels overlap): from centre to centre, so that the cable holds on to something.
      const Outline point = Outline::point();
      a.outline = b.outline = &point;
      c.span = spanBetween(a, b);
    }
  }
  if (!waves()) return c;
  const Vec3 before = recall3(s, from, sideX_);
  Vec3 side = before - before.dot(c.span.n) * c.span.n;
  const double size = side.norm();
  if (size < 1e-6) {
    orthonormalBasis(c.span.n, c.side[0], c.side[1]);
    return c;
  }
  c.side[0] = side / size;
  c.side[1] = c.span.n.cross(c.side[0]);
  return c;
}

Wrap HoistCable::wrapOf(const State& s, int i, const SpanGeometry& before, const SpanGeometry& after) const {
  const Node& n = node(i);
  if (!round(s, i)) return {};
  return continueWrap(outlineOf(s, i), n.sigma, before.end[1].place, after.end[0].place,
                      Wrap{recall(s, i, wrapLength_), recall(s, i, wrapAngle_)});
}

double HoistCable::bodyTurn(const Instant& now, const State& s, int i, const Vec3& axis) const {
  const int block = mountOf(s, i).block;
  return now.rotates(block) ? turnAbout(now.turned(block), axis) : 0.0;
}

ContactTravel HoistCable::travelOf(const Instant& now, const State& s, int i, const SpanEnd& end, bool exit) const {
  const ContactTravel before{recall(s, i, exit ? exitS_ : entryS_), recall(s, i, exit ? exitAngle_ : entryAngle_)};
  return continueTravel(outlineOf(s, i), end.place, before, bodyTurn(now, s, i, end.axis));
}

/// Length a gripping wheel has given to the span beside it since the start of the step.
double HoistCable::paid(const Instant& now, const State& s, int i, const SpanEnd& end, bool exit) const {
  const Node& n = node(i);
  if (!grips(s, i)) return 0.0;
  double travel = travelOf(now, s, i, end, exit).s - recall(s, i, exit ? exitS_ : entryS_);
  if (n.mount.rotor >= 0 && recall(s, i, empty_) == 0.0) {
    const double spin = now.u[at(now.model().blocks[at(n.mount.rotor)].v)];
    const double relative = spin - bodyTurn(now, s, i, now.rotation(n.mount.block) * n.mount.axis_B);
    travel -= n.outline.radius() * (n.mount.axis_B.dot(n.normal_B) < 0.0 ? -relative : relative);
  }
  return paidOut(n.sigma, exit ? SpanSide::exit : SpanSide::entry, travel);
}

/// What the drum is told to have paid out since the start, less what it could not reel in.
double HoistCable::askedPayout(const State& s, double time) const {
  return profileValue(settings_.payout, time) - profileValue(settings_.payout, 0.0) + s.memory[at(memory + heldBack_)];
}

/// Paid out at the first end since the start. It ends where the drum is empty, and where all but a thousandth is reeled
/// in.
double HoistCable::payoutAt(const State& s, double time) const {
  if (s.memory[at(memory + holding_)] != 0.0) return s.memory[at(memory + held_)];
  const double first = recall(s, nodeAt(s, 0), rest_);
  return std::clamp(askedPayout(s, time), -0.999 * first, settings_.drum.value_or(unbounded));
}

double HoistCable::slipStep(const Instant& now, int i) const {
  const int block = slipOf(now.past(), i);
  return block < 0 ? 0.0 : now.u[at(now.model().blocks[at(block)].v)];
}

/// Rest length of the run that starts at this place, less what wheels and the drum have paid.
double HoistCable::restOf(const Instant& now, const State& s, int place) const {
  const int i = nodeAt(s, place);
  const double rest = recall(s, i, rest_) + slipStep(now, i);
  for (int k = place + 1; k + 1 < count(s); ++k)
    if (startsRun(s, k)) return rest - slipStep(now, nodeAt(s, k));
  return rest;
}

/// Of the run that the span after node i is part of, m/N. One that is given is of every span of the route: what
/// contacts make of those has the same together, shared by its length.
double HoistCable::complianceOf(const State& s, int i, double rest) const {
  if (settings_.compliance) {
    int at_ = 0;
    while (nodeAt(s, at_) != i) ++at_;
    while (!startsRun(s, at_)) --at_;
    const double own = recall(s, nodeAt(s, at_), rest_);
    while (at_ > 0 && (node(nodeAt(s, at_)).contact || !startsRun(s, at_))) --at_;
    double all = 0.0;
    int spans = 0;
    for (int k = at_; k + 1 < count(s); ++k) {
      const bool contact = node(nodeAt(s, k)).contact;
      if (k > at_ && startsRun(s, k) && !contact) break;
      if (startsRun(s, k)) all += recall(s, nodeAt(s, k), rest_);
      spans += !contact;
    }
    return *settings_.compliance * spans * (all > 0.0 ? std::clamp(own / all, 0.0, 1.0) : 1.0);
  }
  return settings_.material.axial < unbounded ? std::max(rest, 1e-9) / settings_.material.axial : 0.0;
}

/// The wave as it was at the start of the step, its ends moved: what is known when no step is being made.
WaveOutcome HoistCable::frozenWave(const State& s, int i, const Chord& chord, double tension) const {
  WaveOutcome w;
  const int n = pieces();
  WaveMetric metric;
  w.arc = spanArc(s, i, chord.span.length, &metric);
  w.eta = metric.eta;
  if (explicitWaves()) {
    w.stiffness[0] = w.stiffness[1] = tension / std::max(chord.span.length, 1e-9);
    w.cross = -w.stiffness[0];
    return w;
  }
  const std::span<const double> u(field(s, i, 0), at(fieldNumbers()));
  const double mu = linkMass(s, i), along = mu > 0.0 ? recall(s, i, drop_) / (mu * n) : 0.0;
  const double d2 = metric.link * metric.link;
  const double ends[2][2] = {{u[2], u[3]}, {u[at(2 * n - 2)], u[at(2 * n - 1)]}};
  for (int e = 0; e < 2; ++e) {
    const double square = ends[e][0] * ends[e][0] + ends[e][1] * ends[e][1];
    const double over = 1.0 / std::sqrt(std::max(d2 - square, 0.04 * d2));
    const double pull = std::max(metric.eta * tension + mu * along * (e == 0 ? 0.5 : -0.5) * (n - 1), 0.0) * over;
    w.stiffness[e] = tension / std::max(chord.span.length, 1e-9);
    for (int c = 0; c < 2; ++c) {
      w.force[e][c] = pull * ends[e][c] + 0.5 * mu * (gravity_ - recall3(s, i, swingX_)).dot(chord.side[c]);
      w.row[e][c] = -metric.eta * over * ends[e][c];
    }
  }
  w.cross = -std::min(w.stiffness[0], w.stiffness[1]);
  return w;
}

/// Looks at every span: chord, and wave under the tension that is tried.
void HoistCable::look(const Instant& now, const State& s) const {
  const bool solves = lanes() && now.stepRate != 0.0;
  bool fresh = false;
  if (solves) {
    Prepared& prepared = *reinterpret_cast<Prepared*>(now.scratch.data() + at(scratch));
    const Prepared wanted{static_cast<double>(now.binding()), now.stepRate, now.stepScale, now.h,
                          now.second ? 1.0 : 0.0};
    fresh = prepared.binding != wanted.binding || prepared.rate != wanted.rate || prepared.scale != wanted.scale ||
            prepared.h != wanted.h || prepared.second != wanted.second;
    prepared = wanted;
    for (int i = 0; fresh && i < capacity(); ++i) looked(now, i).to = -1;
  }
  double tension = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) {
    const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (startsRun(s, k)) {
      const double force = now.multiplier(spanSlot(from));
      tension = std::isfinite(force) ? std::max(-force, 0.0) : 0.0;
    }
    Looked& look = looked(now, from);
    look.to = to;
    const bool rests = still(from, to);
    if (!rests || !look.placed) look.chord = chordOf(now, s, from, to);
    look.placed = rests;
    if (solves) {
      aim(now, s, from, ownTension(s, from, tension), fresh);
    } else if (!waves()) {
      const double across = tension / std::max(look.chord.span.length, 1e-9);
      look.wave.out = WaveOutcome{};
      look.wave.out.arc = look.chord.span.length;
      look.wave.out.stiffness[0] = look.wave.out.stiffness[1] = across;
      look.wave.out.cross = -across;
    } else if (rests && explicitWaves()) {
      look.wave.out.arc = spanArc(s, from, look.chord.span.length);  // nobody feels the rest
    } else {
      look.wave.out = frozenWave(s, from, look.chord, carriesAlong() ? ownTension(s, from, tension) : tension);
    }
  }
  if (solves) solveSpans(now, fresh);
}

/// What drives a span's wave. Fresh: a step begins.
void HoistCable::aim(const Instant& now, const State& s, int i, double tension, bool fresh) const {
  Looked& look = looked(now, i);
  WaveDrive& d = look.wave.drive;
  d.tension = tension;
  if (fresh) {
    look.wave.derivedAt = look.wave.solvedAt = -1.0;
    look.wave.calm = look.wave.solves <= 1;
    look.wave.solves = 0;
    look.wave.out = WaveOutcome{};
    look.wave.moves[0] = d.firstMoves = !node(i).still;
    look.wave.moves[1] = !node(look.to).still;
    look.wave.field.u = field(s, i, 0);
    for (int k = 0; k < 3; ++k) look.wave.field.increment[k] = field(s, i, 1 + k);
    look.wave.metric = {recall(s, i, link_), recall(s, i, eta_), recall(s, i, slope_)};
    d.pieces = pieces();
    d.mass = linkMass(s, i);
    d.damping = settings_.waveDamping;
    d.rate = now.stepRate;
    d.scale = now.stepScale;
    d.second = now.second;
    d.lossy = look.wave.metric.slope > lossySlope && whips(look.wave.field, look.wave.metric.link);
    if (d.lossy) {
      d.rate = 1.0 / now.h;
      d.scale = now.h * now.h;
      d.second = false;
    }
    const double made = recall(s, i, madeWith_);
    d.stretch = made > 0.0 ? now.h / made : 1.0;
  }
  if (look.placed && !fresh) return;
  const Chord& chord = look.chord;
  d.chord = chord.span.length;
  const double mass = d.mass * d.pieces;
  d.along = mass > 0.0 ? recall(s, i, drop_) / mass : 0.0;
  const Vec3 across = gravity_ - recall3(s, i, swingX_);
  const Vec3 moved[2] = {chord.span.end[0].point - recall3(s, i, startX_),
                         chord.span.end[1].point - recall3(s, i, endX_)};
  for (int c = 0; c < 2; ++c) {
    d.gravity[c] = across.dot(chord.side[c]);
    for (int e = 0; e < 2; ++e) d.shift[e][c] = moved[e].dot(chord.side[c]);
  }
}

/// The spans of a group whose past is gentle.
void HoistCable::gather(const Instant& now, int group, Lanes& lanes) const {
  for (int l = 0; l < laneCount; ++l) {
    const int i = group * laneCount + l;
    lanes[l] = nullptr;
    if (i >= capacity()) continue;
    Looked& look = looked(now, i);
    if (look.to >= 0 && look.wave.metric.slope < gentleSlope) lanes[l] = &look.wave;
  }
}

/// Solves four spans at a time. What they become is written at once, while it is near, but for the first look of a
/// step, which is seldom the last.
void HoistCable::solveSpans(const Instant& now, bool fresh) const {
  double* work = keptOf(now, groups());
  if (fresh) freshPages(now);
  for (int g = 0; g < groups(); ++g) {
    Lanes lanes;
    gather(now, g, lanes);
    unsigned steep = 0;
    const bool any = std::any_of(std::begin(lanes), std::end(lanes), [](const WaveLane* l) { return l != nullptr; });
    if (any && fresh) prepareLanes(lanes, keptOf(now, g));
    const bool solves = any && (fresh || !followLanes(lanes));
    if (solves) {
      steep = solveLanes(lanes, keptOf(now, g), work);
      bool writes = false;
      for (WaveLane* l : lanes) {
        if (!l) continue;
        writes = writes || l->calm || l->solves > 0;
        ++l->solves;
      }
      for (WaveLane* l : lanes)
        if (l) l->written = writes;
      if (writes) writeLanes(lanes, work, pagesOf(now, g, lanes));
    }
    for (int l = 0; l < laneCount && g * laneCount + l < capacity(); ++l) {
      const int i = g * laneCount + l;
      Looked& look = looked(now, i);
      if (look.to < 0) continue;
      if (!lanes[l] || (steep >> l & 1u)) solveAlone(now, look, i);
      // Nothing that hangs can be longer than the cable many times over: what got there is not a shape any more.
      WaveOutcome& out = look.wave.out;
      const double most = 20.0 * (look.wave.drive.chord + look.wave.metric.link * pieces());
      if (std::isfinite(out.arc) && std::isfinite(out.compliance) && out.arc < most) continue;
      std::fill(work, work + fieldNumbers(), 0.0);
      writeAlone(now, look, i, work);
      const double length = look.chord.span.length;
      look.wave.solvedAt = -1.0;
      out = WaveOutcome{};
      out.arc = length;
      out.shape = {length / pieces(), 1.0, 0.0};
      out.stiffness[0] = out.stiffness[1] = look.wave.drive.tension / std::max(length, 1e-9);
      out.cross = -out.stiffness[0];
    }
  }
}

/// Pages for the shapes of a step that begins; what others hold stays.
void HoistCable::freshPages(const Instant& now) const {
  Along& pages = now.notebook().page<Along>(index);
  const Sheet& kin = now.past().sheets[at(sheet)];
  for (Sheet* each : {&pages.shape, &pages.increment}) {
    if (each->size() != kin.size()) *each = kin;
    each->renew();
  }
}

/// Where the lanes of a group are written.
LanePages HoistCable::pagesOf(const Instant& now, int group, const Lanes& lanes) const {
  Along& along = now.notebook().page<Along>(index);
  double *u = along.shape.edit(), *increment = along.increment.edit();
  LanePages out;
  for (int l = 0; l < laneCount; ++l) {
    if (!lanes[l]) continue;
    out.u[l] = u + place(group * laneCount + l);
    out.increment[l] = increment + place(group * laneCount + l);
  }
  return out;
}

/// Of a step that ends: the spans of a group that were solved once and did not need to be again.
void HoistCable::solveAgain(const Instant& now, int group) const {
  double* work = keptOf(now, groups());
  Lanes lanes;
  gather(now, group, lanes);
  WaveLane again[laneCount];  // as they were solved: the tension may have moved on a little since
  bool any = false;
  for (int l = 0; l < laneCount; ++l) {
    if (lanes[l] && lanes[l]->written) lanes[l] = nullptr;
    if (!lanes[l]) continue;
    again[l] = *lanes[l];
    again[l].drive.tension = again[l].solvedAt;
    lanes[l]->written = any = true;
    lanes[l] = &again[l];
  }
  if (!any) return;
  solveLanes(lanes, keptOf(now, group), work);
  writeLanes(lanes, work, pagesOf(now, group, lanes));
}

void HoistCable::writeAlone(const Instant& now, Looked& look, int i, const double* u) const {
  Along& along = now.notebook().page<Along>(index);
  writeWave(look.wave.field, look.wave.drive, u, along.shape.edit() + place(i), along.increment.edit() + place(i));
  look.wave.written = true;
}

/// A span that is not gentle.
void HoistCable::solveAlone(const Instant& now, Looked& look, int i) const {
  double *work = keptOf(now, groups()), *u = work + waveWork(pieces());
  look.wave.out = solveWave(look.wave.field, look.wave.metric, look.wave.drive, u, work);
  look.wave.derivedAt = look.wave.solvedAt = -1.0;
  writeAlone(now, look, i, u);
}

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

void HoistCable::pushSpan(const Instant& now, const State& s, int place, const Looked& look, RowSet& out) const {
  const int from = nodeAt(s, place), to = nodeAt(s, place + 1);
  const bool spinFrom = (place == 0 && recall(s, from, empty_) == 0.0) || slipOf(s, from) >= 0,
             spinTo = (place + 2 == count(s) && recall(s, to, empty_) == 0.0) || slipOf(s, to) >= 0;
  const SpanGeometry& span = look.chord.span;
  const double eta = look.wave.out.eta;
  Vec3 across[2] = {Vec3::Zero(), Vec3::Zero()};
  if (waves())
    for (int e = 0; e < 2; ++e)
      across[e] = look.wave.out.row[e][0] * look.chord.side[0] + look.wave.out.row[e][1] * look.chord.side[1];
  if (overFloor() && recall(s, from, hanging_) != 0.0) across[0] += look.uneven * span.n;
  if (look.chord.straightEnds) {
    pushEnd(now, s, from, span.end[0], -eta * span.n, Vec3::Zero(), across[0], false, out);
    pushEnd(now, s, to, span.end[1], eta * span.n, Vec3::Zero(), across[1], false, out);
    return;
  }
  const SpanGradient g = spanGradient(span);
  pushEnd(now, s, from, span.end[0], eta * g.pull[0], eta * g.moment[0], across[0], spinFrom, out, eta);
  pushEnd(now, s, to, span.end[1], eta * g.pull[1], eta * g.moment[1], across[1], spinTo, out, eta);
}

/// Whether the damping of a run would pull harder than its stretch. Newton may change its mind a few times in a step.
bool HoistCable::dampsAlone(const Instant& now, int run, bool would) const {
  constexpr int changes = 6;
  Looked& look = looked(now, run);
  const double binding = static_cast<double>(now.binding());
  if (look.boundBy != binding) {
    look.boundBy = binding;
    look.changes = 0;
  } else if (look.dampsAlone == would || ++look.changes > changes) {
    return look.dampsAlone;
  }
  return look.dampsAlone = would;
}

void HoistCable::rows(const Instant& now, RowSet& out) const {
  const State& s = now.past();
  const int links = count(s);
  if (settings_.pull == PullForm::force) {  // its stops alone
    for (int k = 0; k + 1 < links; ++k)
      if (const int i = nodeAt(s, k), to = nodeAt(s, k + 1); recall(s, i, stop_) != 0.0)
        stopRow(now, s, i, to, chordOf(now, s, i, to), out);
    return;
  }
  look(now, s);
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
      Looked& look = looked(now, from);
      const bool hung = recall(s, from, hanging_) != 0.0;
      hanging = hanging || hung;
      if (hung) look.wave.out = WaveOutcome{};
      length += look.wave.out.arc;
      straight += look.chord.span.length;
      soft += look.wave.out.compliance * (carriesAlong() ? ownShare(s, from, tension) : 1.0);
      look.wrapLength = recall(s, from, wrapLength_);
      look.wrapAngle = recall(s, from, wrapAngle_);
      if (k > 0 && round(s, from)) {  // the angle is needed for friction, the length where nothing grips
        const Wrap wrap = wrapOf(s, from, looked(now, nodeAt(s, k - 1)).chord.span, look.chord.span);
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
      hung = hangRun(now, s, first, k, length, soft, rest, stiff, force);
      length += hung.length;
      for (int j = first; j < k; ++j)
        if (const int i = nodeAt(s, j); recall(s, i, hanging_) != 0.0) pushSpan(now, s, j, looked(now, i), out);
    }
    looked(now, run).runError = length - rest;
    looked(now, run).runRest = rest - payout;
    Row& written = out.rows[index];
    row = written;  // entries have been counted
    row.error = length - rest;
    row.upper = 0.0;
    row.watched = true;
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
      const bool steps = now.stepRate > 0.0;
      const double stretch = length - rest, change = stretch - recall(s, run, error_);
      rate = steps ? now.stepRate * change - (now.second ? 0.5 * recall(s, run, grown_) / now.h : 0.0) : known;
      if (dampsAlone(now, run, row.damping * rate > std::max(stretch, 0.0))) {
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
    if (const int i = nodeAt(s, k); recall(s, i, stop_) != 0.0)
      stopRow(now, s, i, nodeAt(s, k + 1), looked(now, i).chord, out);
  // Friction of material that slides over links.
  for (int k = 1; k + 1 < links; ++k) {
    const int i = nodeAt(s, k);
    if (slipOf(s, i) < 0) continue;
    const Looked &before = looked(now, nodeAt(s, k - 1)), &after = looked(now, i);
    const double bend = round(s, i) ? std::max(after.wrapAngle, 0.0)
                                    : math::acos(std::clamp(before.chord.span.n.dot(after.chord.span.n), -1.0, 1.0));
    const double kappa = math::exp(std::min(node(i).friction * bend, 60.0));
    int runBefore = k - 1;
    while (!startsRun(s, runBefore)) --runBefore;
    out.group();
    Row& row = out.add(frictionSlot(i));
    row.level = Level::velocity;
    row.lower = row.upper = 0.0;
    row.lowerSlot = spanSlot(nodeAt(s, runBefore));
    row.lowerGain = kappa - 1.0;
    row.upperSlot = spanSlot(i);
    row.upperGain = -(kappa - 1.0);
    if (carriesAlong()) {  // by the tensions at the link itself, as far as there are any
      const int from = nodeAt(s, k - 1);
      const auto beyond = [&](int slot, double lift) { return std::max(lift, 0.5 * s.force[at(slot)]); };
      row.lower = -(kappa - 1.0) * beyond(row.lowerSlot, recall(s, from, lift_) - recall(s, from, fall_));
      row.upper = (kappa - 1.0) * beyond(row.upperSlot, recall(s, i, lift_));
    }
    out.entry(slipOf(s, i), 1.0);
  }
}

void HoistCable::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  if (settings_.pull == PullForm::force) return;
  const State& s = now.past();
  const int links = count(s);
  double tension = 0.0;
  for (int k = 0; k + 1 < links; ++k) {
    const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (startsRun(s, k)) tension = std::max(-force[at(spanSlot(from))], 0.0);
    if (node(from).still && node(to).still) continue;
    const Looked& look = looked(now, from);
    const SpanGeometry& span = look.chord.span;
    const Mat3 across = Mat3::Identity() - span.n * span.n.transpose();
    const int a = mountOf(s, from).block, b = mountOf(s, to).block;
    const Anchor first = anchorAt(now, a, span.end[0].point), second = anchorAt(now, b, span.end[1].point);
    if (recall(s, from, hanging_) != 0.0)
      patchEnds(now, first, second, look.stiffness[0], look.stiffness[1], look.stiffnessBetween, out);
    else
      patchEnds(now, first, second, look.wave.out.stiffness[0] * across, look.wave.out.stiffness[1] * across,
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
  if (!b.free) return;
  for (int k = 0; k < 3; ++k) out.force[at(b.v + k)] += force[k];
  if (!b.rotates) return;
  const Vec3 torque = (point - now.position(block)).cross(force);
  for (int k = 0; k < 3; ++k) out.force[at(b.v + 3 + k)] += torque[k];
}

/// What the row's Jacobian does not carry: weight and inertia of the waves at the ends; or, as published, everything.
void HoistCable::forces(const Instant& now, Forces& out) const {
  const State& s = now.past();
  const int links = count(s);
  if (settings_.pull == PullForm::force) {
    const double tension = s.memory[at(memory + explicitTension_)];
    for (int k = 0; k + 1 < links; ++k) {
      const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
      if (node(from).still && node(to).still) continue;
      const SpanGeometry span = chordOf(now, s, from, to).span;
      pullEnd(now, s, from, span.end[0].point, tension * span.n, out);
      pullEnd(now, s, to, span.end[1].point, -tension * span.n, out);
    }
    return;
  }
  if (!carriesAlong()) return;
  forcesAlong(now, out);
  forcesHung(now, out);
  double force = 0.0;
  for (int k = 0; k + 1 < links; ++k) {
    const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (startsRun(s, k)) force = now.multiplier(spanSlot(from));
    if (node(from).still && node(to).still) continue;
    const Looked& look = looked(now, from);
    for (int e = 0; e < 2; ++e) {
      Vec3 f = recall(s, from, hanging_) != 0.0 ? Vec3(look.wave.out.along[e] * look.chord.span.n) : Vec3::Zero();
      for (int c = 0; c < 2; ++c)
        f += (look.wave.out.force[e][c] - look.wave.out.row[e][c] * force) * look.chord.side[c];
      pullEnd(now, s, e == 0 ? from : to, look.chord.span.end[at(e)].point, f, out);
    }
  }
}

std::string HoistCable::rowName(int localSlot) const {
  const int i = localSlot % capacity(), kind = localSlot / capacity();
  return name + (kind == 0 ? ".runs." : ".links.") + std::to_string(i) +
         (kind == 0   ? ""
          : kind == 1 ? ".friction"
                      : ".stop");
}

}  // namespace reeve
