// The waves of a hoist cable's spans under the tension that is tried, four spans at a time.
#include <algorithm>
#include <cmath>
#include <new>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

int HoistCable::memorySize() const {
  int shapes = 0;
  for (const LinkMount& mount : candidates_) shapes += static_cast<int>(mount.shapes.size());
  return globals + capacity() * (1 + perNode) + static_cast<int>(candidates_.size()) * poseNumbers + 3 * shapes;
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
  const bool solves = lanes() && now.stepping;
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

/// Whether a point at an end of a span has come in this step. It stops what hangs there dead, and of that jump a
/// difference of second order makes a push of 1, a pull of 2/3 and a push of 1/9 in this step and the next two: the
/// cable would leave again at once. So the first step is one of first order.
bool HoistCable::young(const State& s, int i, int to) const {
  const auto is = [&](int k) { return node(k).contact && !round(s, k) && recall(s, k, born_) >= s.time; };
  return is(i) || is(to);
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
    if (young(s, i, look.to) || whips(look.wave.field, look.wave.metric, pieces()))
      d.stepFirst(now.h);
    else
      d.lossy = false;
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
    if (look.to >= 0 && look.wave.metric.slope < gentleSlope && !look.wave.drive.lossy) lanes[l] = &look.wave;
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

}  // namespace reeve
