// The waves of a hoist cable's spans under the tension that is tried, four spans at a time.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

int HoistCable::memorySize() const {
  int shapes = 0;
  for (const LinkMount& mount : candidates_) shapes += static_cast<int>(mount.shapes.size());
  return poseMemory(static_cast<int>(candidates_.size())) - memory + shapes * numbersIn<Triple>;
}

std::size_t HoistCable::workSize() const {
  return std::max(waveWork(pieces()) + at(fieldNumbers()), lanesWork(pieces()));
}

/// What four spans keep through a step.
double* HoistCable::keptOf(HoistWaves& waves, int group) const {
  return waves.kept.data() + at(group) * lanesKept(pieces());
}

/// Whether a span is solved beside others.
bool HoistCable::gentle(const HoistSpan& span) const {
  return span.to >= 0 && span.wave.metric.slope < gentleSlope && !span.wave.drive.lossy;
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
  const double mu = linkMass(s, i), along = mu > 0.0 ? stateOf(s, i).offset.chordFall / (mu * n) : 0.0;
  const double d2 = metric.link * metric.link;
  const double ends[2][2] = {{u[2], u[3]}, {u[at(2 * n - 2)], u[at(2 * n - 1)]}};
  for (int e = 0; e < 2; ++e) {
    const double square = ends[e][0] * ends[e][0] + ends[e][1] * ends[e][1];
    const double over = 1.0 / std::sqrt(std::max(d2 - square, 0.04 * d2));
    const double pull = std::max(metric.eta * tension + mu * along * (e == 0 ? 0.5 : -0.5) * (n - 1), 0.0) * over;
    w.stiffness[e] = tension / std::max(chord.span.length, 1e-9);
    for (int c = 0; c < 2; ++c) {
      w.force[e][c] = pull * ends[e][c] + 0.5 * mu * (gravity_ - stateOf(s, i).coriolis.vec()).dot(chord.side[c]);
      w.row[e][c] = -metric.eta * over * ends[e][c];
    }
  }
  w.cross = -std::min(w.stiffness[0], w.stiffness[1]);
  return w;
}

/// Every span: chord, and wave under the tension that is tried.
void HoistCable::evaluateSpans(const Instant& now, HoistCache& cache) const {
  const State& s = now.past();
  HoistSpans& spans = cache.spans;
  const bool solves = lanes() && now.stepping;
  bool fresh = false;
  if (solves) {
    const HoistWaves::Prepared wanted{now.binding(), now.stepRate, now.stepScale, now.h, now.second};
    fresh = !(cache.waves.prepared == wanted);
    cache.waves.prepared = wanted;
    for (int i = 0; fresh && i < capacity(); ++i) spans[i].to = -1;
  }
  double tension = 0.0;
  for (int k = 0; k + 1 < count(s); ++k) {
    const int from = nodeAt(s, k), to = nodeAt(s, k + 1);
    if (startsRun(s, k)) {
      const double force = now.multiplier(spanSlot(from));
      tension = std::isfinite(force) ? std::max(-force, 0.0) : 0.0;
    }
    HoistSpan& look = spans[from];
    look.to = to;
    const bool rests = still(from, to);
    if (!rests || !look.placed) look.chord = chordOf(now, s, from, to);
    look.placed = rests;
    if (solves) {
      aim(now, s, from, ownTension(s, from, tension), fresh, look);
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
  if (solves) solveSpans(now, fresh, cache);
}

/// Whether a point at an end of a span has come in this step. It stops what hangs there dead, and of that jump a
/// difference of second order makes a push of 1, a pull of 2/3 and a push of 1/9 in this step and the next two: the
/// cable would leave again at once. So the first step is one of first order.
bool HoistCable::young(const State& s, int i, int to) const {
  const auto is = [&](int k) { return node(k).contact && !round(s, k) && stateOf(s, k).born >= s.time; };
  return is(i) || is(to);
}

/// What drives a span's wave. Fresh: a step begins.
void HoistCable::aim(const Instant& now, const State& s, int i, double tension, bool fresh, HoistSpan& look) const {
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
    look.wave.metric = stateOf(s, i).curve;
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
    const double made = stateOf(s, i).madeWith;
    d.stretch = made > 0.0 ? now.h / made : 1.0;
  }
  if (look.placed && !fresh) return;
  const Chord& chord = look.chord;
  d.chord = chord.span.length;
  const double mass = d.mass * d.pieces;
  d.along = mass > 0.0 ? stateOf(s, i).offset.chordFall / mass : 0.0;
  const Vec3 across = gravity_ - stateOf(s, i).coriolis.vec();
  const Vec3 moved[2] = {chord.span.end[0].point - stateOf(s, i).chordEnd[0].vec() - now.h * drift_,
                         chord.span.end[1].point - stateOf(s, i).chordEnd[1].vec() - now.h * drift_};
  for (int c = 0; c < 2; ++c) {
    d.gravity[c] = across.dot(chord.side[c]);
    for (int e = 0; e < 2; ++e) d.shift[e][c] = moved[e].dot(chord.side[c]);
  }
}

/// The spans of a group whose past is gentle.
void HoistCable::gather(int group, HoistSpans& spans, Lanes& lanes) const {
  for (int l = 0; l < laneCount; ++l) {
    const int i = group * laneCount + l;
    lanes[l] = nullptr;
    if (i >= capacity()) continue;
    HoistSpan& look = spans[i];
    if (gentle(look)) lanes[l] = &look.wave;
  }
}

/// Solves four spans at a time. What they become is written at once, while it is near, but for the first look of a
/// step, which is seldom the last.
void HoistCable::solveSpans(const Instant& now, bool fresh, HoistCache& cache) const {
  HoistSpans& spans = cache.spans;
  HoistWaves& waves = cache.waves;
  waves.kept.resize(at(groups()) * lanesKept(pieces()));
  waves.work.resize(workSize());
  double* work = waves.work.data();
  if (fresh) freshSheets(now, cache);
  for (int g = 0; g < groups(); ++g) {
    Lanes lanes;
    gather(g, spans, lanes);
    unsigned steep = 0;
    const bool any = std::any_of(std::begin(lanes), std::end(lanes), [](const WaveLane* l) { return l != nullptr; });
    if (any && fresh) prepareLanes(lanes, keptOf(waves, g));
    const bool solves = any && (fresh || !followLanes(lanes));
    if (solves) {
      steep = solveLanes(lanes, keptOf(waves, g), work);
      bool writes = false;
      for (WaveLane* l : lanes) {
        if (!l) continue;
        writes = writes || l->calm || l->solves > 0;
        ++l->solves;
      }
      for (WaveLane* l : lanes)
        if (l) l->written = writes;
      if (writes) writeLanes(lanes, work, pagesOf(g, lanes, waves.shape.edit(), waves.increment.edit()));
    }
    for (int l = 0; l < laneCount && g * laneCount + l < capacity(); ++l) {
      const int i = g * laneCount + l;
      HoistSpan& look = spans[i];
      if (look.to < 0) continue;
      if (!lanes[l] || (steep >> l & 1u)) solveAlone(look, i, waves);
      // Nothing that hangs can be longer than the cable many times over: what got there is not a shape any more.
      WaveOutcome& out = look.wave.out;
      const double most = 20.0 * (look.wave.drive.chord + look.wave.metric.link * pieces());
      if (std::isfinite(out.arc) && std::isfinite(out.compliance) && out.arc < most) continue;
      std::fill(work, work + fieldNumbers(), 0.0);
      writeAlone(look, i, work, waves);
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

/// Sheets for the shapes of a step that begins; what others hold stays. Places without a span keep what they hold.
void HoistCable::freshSheets(const Instant& now, HoistCache& cache) const {
  const State& past = now.past();
  const Sheet& kin = past.sheets[at(sheet)];
  Sheet* sheets[2] = {&cache.waves.shape, &cache.waves.increment};
  for (int w = 0; w < 2; ++w) {
    if (sheets[w]->size() != kin.size()) *sheets[w] = Sheet(kin);
    double* numbers = sheets[w]->renew();
    for (int i = 0; count(past) < capacity() && i < capacity(); ++i)
      if (cache.spans[i].to < 0)
        std::copy_n(past.sheets[at(sheet + w)].data() + place(i), at(fieldNumbers()), numbers + place(i));
  }
}

/// Where the lanes of a group are written.
LanePages HoistCable::pagesOf(int group, const Lanes& lanes, double* u, double* increment) const {
  LanePages out;
  for (int l = 0; l < laneCount; ++l) {
    if (!lanes[l]) continue;
    out.u[l] = u + place(group * laneCount + l);
    out.increment[l] = increment + place(group * laneCount + l);
  }
  return out;
}

/// Of a step that ends: the spans of a group that were solved once and did not need to be again.
void HoistCable::solveAgain(const Instant& now, int group, State& s) const {
  const HoistCache& cache = now.cache<HoistCache>(*this);
  Lanes lanes = {};
  WaveLane again[laneCount];  // as they were solved: the tension may have moved on a little since
  bool any = false;
  for (int l = 0; l < laneCount && group * laneCount + l < capacity(); ++l) {
    const HoistSpan& span = cache.spans[group * laneCount + l];
    if (!gentle(span) || span.wave.written) continue;
    again[l] = span.wave;
    again[l].drive.tension = again[l].solvedAt;
    lanes[l] = &again[l];
    any = true;
  }
  if (!any) return;
  std::vector<double>& work = workspace(now).lanes;
  work.resize(workSize());
  solveLanes(lanes, cache.waves.kept.data() + at(group) * lanesKept(pieces()), work.data());
  writeLanes(lanes, work.data(), pagesOf(group, lanes, s.sheets[at(sheet)].edit(), s.sheets[at(sheet + 1)].edit()));
}

void HoistCable::writeAlone(HoistSpan& look, int i, const double* u, HoistWaves& waves) const {
  writeWave(look.wave.field, look.wave.drive, u, waves.shape.edit() + place(i), waves.increment.edit() + place(i));
  look.wave.written = true;
}

/// A span that is not gentle.
void HoistCable::solveAlone(HoistSpan& look, int i, HoistWaves& waves) const {
  double *work = waves.work.data(), *u = work + waveWork(pieces());
  look.wave.out = solveWave(look.wave.field, look.wave.metric, look.wave.drive, u, work);
  look.wave.derivedAt = look.wave.solvedAt = -1.0;
  writeAlone(look, i, u, waves);
}

}  // namespace reeve
