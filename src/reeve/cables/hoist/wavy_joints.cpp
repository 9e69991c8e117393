#include "reeve/cables/hoist/wavy_joints.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/append_rows.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/at.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {
/// What of its length a span loses, as its end slides over a body in a step, only where the tangent leaves one edge for
/// another.
constexpr double tangentJump = 0.1;
}  // namespace

std::expected<std::unique_ptr<Cable>, Problem> WavyJoints::make(const CableSite& site) {
  const CableSettings& s = *site.settings;
  const std::string path = "/cables/" + site.name;
  const auto wrong = [&](const char* field, const char* reason, const char* remedy) {
    return std::unexpected(Problem{path + field, reason, remedy});
  };
  if (!(s.material.mass > 0.0))
    return wrong("/waves", "a cable without mass has no waves", "give the material a mass, or leave waves out");
  if (s.subdivisions < 2 || s.subdivisions > 100000)
    return wrong("/subdivisions", "a span with waves needs at least 2 subdivisions, and at most 100000", "give 20");
  if (s.weight) return wrong("/weight", "waves already carry the cable's weight to both ends", "leave weight out");
  const SolverChoice solver = site.now->model().description.settings.solver;
  if (solver == SolverChoice::sweep || solver == SolverChoice::blocks)
    return std::unexpected(Problem{"/settings/solver",
                                   std::string(solver == SolverChoice::sweep ? "sweep" : "blocks") +
                                       " cannot take waves, which are solved with the tension",
                                   "use direct or auto, or leave waves out"});
  if (s.compression > 0.0)
    return wrong("/compression", "a cable that waves cannot be pushed", "leave compression or waves out");
  if (s.waveScheme == WaveScheme::explicitly)
    return wrong("/wave_scheme", "the published scheme belongs to the hoist cable",
                 "leave it out, or use the model hoist");
  auto cable = std::make_unique<WavyJoints>();
  cable->gravity_ = site.now->model().description.settings.gravity;
  return JointsCable::make(site, std::move(cable));
}

void WavyJoints::evaluate(const Instant& now, ElementCache& room) const {
  JointsCable::evaluate(now, room);
  WaveCache& cache = static_cast<WaveCache&>(room);
  cache.waves.resize(at(capacity()));
  cache.curves.resize(at(capacity() * numbers()));
  cache.work.resize(waveWork(pieces()));
  cache.rows.clear();
  JointsCable::rows(now, cache.rows);
  addWaves(now, cache);
}

/// Straight, between these ends.
void WavyJoints::reset(WaveSpan m, int to, const Vec3& a, const Vec3& b) const {
  m.clear();
  m->to = to;
  const Vec3 d = b - a;
  const double l = d.norm();
  m->shape.link = l / pieces();
  m->shape.eta = 1.0;
  Vec3 x = Vec3::UnitX(), y;
  if (l > 0.0) orthonormalBasis(d / l, x, y);
  {
    m->side = x;
    m->start = a;
    m->end = b;
  }
}

void WavyJoints::start(const Instant& now, std::span<double> remembered, std::span<Sheet> sheets) const {
  JointsCable::start(now, remembered, sheets);
  State s;
  s.memory.assign(static_cast<std::size_t>(memory), 0.0);
  s.memory.insert(s.memory.end(), remembered.begin(), remembered.end());
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const SpanGeometry g = shapeOf(now, s, from, to).first;
    const WaveSpan m(remembered.data() + JointsCable::memorySize() + from * perSpan(), pieces());
    reset(m, to, g.end[0].point, g.end[1].point);
    layFirst(m, g.end[0].point, g.end[1].point, stateOf(s, from).rest);
    if (!m->hanging) setMoving(now, m, from, to);
  }
}

/// A cable whose ends start moving goes with them.
void WavyJoints::setMoving(const Instant& now, WaveSpan m, int from, int to) const {
  const Settings& settings = now.model().description.settings;
  const double step = settings.dt / settings.substeps;
  const Vec3 a = m->start, b = m->end;
  const Vec3 moved[2] = {step * endVelocity(now, from, a), step * endVelocity(now, to, b)};
  if (moved[0].isZero(0.0) && moved[1].isZero(0.0)) return;
  WaveSpanCache look;
  look.n = (b - a).normalized();
  frame(m, look);
  m->madeWith = step;
  for (int which = 1; which <= 3; ++which)
    for (int i = 0; i <= pieces(); ++i) {
      const double x = static_cast<double>(i) / pieces();
      for (int c = 0; c < 2; ++c) m.field(which)[2 * i + c] = ((1.0 - x) * moved[0] + x * moved[1]).dot(look.side[c]);
    }
}

/// The axes across the chord, carried along without spin.
void WavyJoints::frame(ConstWaveSpan m, WaveSpanCache& look) const {
  const Vec3 before = m->side;
  const Vec3 side = before - before.dot(look.n) * look.n;
  const double size = side.norm();
  if (size < 1e-6) return orthonormalBasis(look.n, look.side[0], look.side[1]);
  look.side[0] = side / size;
  look.side[1] = look.n.cross(look.side[0]);
}

void WavyJoints::evaluateWave(const Instant& now, int from, int to, double tension, WaveCache& cache) const {
  const State& s = now.past();
  WaveSpanCache& look = cache.waves[at(from)];
  const SpanShape shape = shapeOf(now, s, from, to);
  const ConstWaveSpan m = waveOf(s, from);
  if (shape.bent || shape.first.status != TangentStatus::ok || m->to != to) return;
  look.a = shape.first.end[0].point;
  look.b = shape.first.end[1].point;
  look.n = shape.first.n;
  look.length = shape.first.length;
  frame(m, look);
  const Vec3& g = now.model().description.settings.gravity;
  if (m->hanging) {
    look.hangs = true;
    return;
  }
  if (!now.stepping) {
    look.wave.arc = arcOf({m.u(), static_cast<std::size_t>(numbers())}, pieces(), look.length);
    look.wave.eta = m->shape.eta;
    look.curved = true;
    return;
  }
  WaveDrive d;
  d.pieces = pieces();
  d.chord = look.length;
  d.mass = settings_.material.mass * m->shape.link;
  d.tension = tension;
  d.damping = settings_.waveDamping;
  d.along = g.dot(look.n) + m->axial;
  d.rate = now.stepRate;
  d.scale = now.stepScale;
  d.second = now.second;
  d.stretch = m->madeWith > 0.0 ? now.h / m->madeWith : 1.0;
  const Vec3 moved[2] = {look.a - m->start.vec(), look.b - m->end.vec()};
  const double shorter = (m->end.vec() - m->start.vec()).norm() - look.length;
  for (const int e : {0, 1}) {
    const int i = e == 0 ? from : to;
    const Vec3 slides = moved[e] - now.h * velocityAt(now, i, e == 0 ? look.a : look.b);
    const double least = tangentJump * pieces() * m->shape.link;
    const bool settled = m->madeWith > 0.0 && !waveOf(s, i)->inserted;
    look.jumped = look.jumped || (settled && link(i).round() && slides.norm() > least && shorter > least);
  }
  if (look.jumped) return;
  for (int c = 0; c < 2; ++c) {
    d.gravity[c] = (g - m->coriolis.vec()).dot(look.side[c]);
    for (int e = 0; e < 2; ++e) look.shift[e][c] = d.shift[e][c] = moved[e].dot(look.side[c]);
  }
  if (whips(m.history(), m->shape, pieces())) d.stepFirst(now.h);
  look.wave = solveWave(m.history(), m->shape, d, cache.curves.data() + from * numbers(), cache.work.data());
  look.curved = std::isfinite(look.wave.arc) && std::isfinite(look.wave.compliance);
}

void WavyJoints::rows(const Instant& now, RowSet& out) const { appendRows(now.cache<WaveCache>(*this).rows, out); }

/// Of every span its wave, and what that adds to its row.
void WavyJoints::addWaves(const Instant& now, WaveCache& cache) const {
  const State& s = now.past();
  RowSet& out = cache.rows;
  std::size_t r = 0;
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    WaveSpanCache& look = cache.waves[at(from)];
    const DampsAlone damps = look.damps;  // what Newton has decided in this step stays
    look = WaveSpanCache{};
    look.damps = damps;
    std::size_t found = r;
    while (found < out.rows.size() && out.rows[found].slot != spanSlot(from)) ++found;
    if (found == out.rows.size()) continue;
    r = found;
    Row& row = out.rows[r];
    const double force = now.multiplier(row.slot), tension = std::max(-force, 0.0);
    evaluateWave(now, from, to, tension, cache);
    if (look.hangs) hangRow(now, s, from, to, row, look, out);
    if (look.hangs || !look.curved) continue;
    const double excess = look.wave.arc - look.length;
    row.error += excess;
    row.errorDependsOnForce = true;
    for (const int end : {0, 1})
      addPull(now, end == 0 ? from : to, end == 0 ? look.a : look.b,
              look.wave.row[end][0] * look.side[0] + look.wave.row[end][1] * look.side[1] +
                  (look.wave.eta - 1.0) * (end == 0 ? -1.0 : 1.0) * look.n,
              row, out);
    if (row.damping > 0.0) {
      // What is damped is the stretch: it pulls no harder than that does, so twice as hard together, and not at all
      // before there is any.
      double rate = 0.0;
      for (int e = row.first; e < row.first + row.count; ++e) {
        const Entry& entry = out.entries[static_cast<std::size_t>(e)];
        const Block& b = now.model().blocks[static_cast<std::size_t>(entry.block)];
        for (int c = 0; c < b.dof; ++c) rate += entry.j[c] * now.v[static_cast<std::size_t>(b.v + c)];
      }
      // Nor does it hold back all of what that does: where the ends come together and the curve keeps its length.
      const double stretch = std::max(row.error, 0.0);
      if (look.damps.decide(static_cast<double>(now.binding()), row.damping * std::fabs(rate) > stretch)) {
        row.damping = 0.0;
        if (rate > 0.0) row.compliance *= 0.5;
      }
    }
    const double give =
        waveGive(excess, look.wave.compliance, row.error + row.compliance * force, row.compliance, tension) *
        (1.0 + row.damping * now.stepRate);
    row.compliance += give;
    row.error -= give * force;
  }
}

/// What the curve adds to the gradient of a row at an end, where the row names its block already.
void WavyJoints::addPull(const Instant& now, int i, const Vec3& point, const Vec3& pull, const Row& row,
                         RowSet& out) const {
  const int block = link(i).mount.block;
  if (now.model().blocks[static_cast<std::size_t>(block)].dof < 3) return;
  for (int e = row.first; e < row.first + row.count; ++e) {
    Entry& entry = out.entries[static_cast<std::size_t>(e)];
    if (entry.block != block) continue;
    for (int c = 0; c < 3; ++c) entry.j[c] += pull[c];
    if (!now.rotates(block)) continue;
    const Vec3 moment = (point - now.position(block)).cross(pull);
    for (int c = 0; c < 3; ++c) entry.j[3 + c] += moment[c];
  }
}

void WavyJoints::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  JointsCable::stiffness(now, force, out);
  const State& s = now.past();
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const WaveSpanCache& look = spanAt(now, from);
    for (const int end : {0, 1}) {
      const int block = link(end == 0 ? from : to).mount.block;
      if (!now.model().blocks[static_cast<std::size_t>(block)].free) continue;
      Patch& patch = out.add(block, block);
      if (!look.curved) continue;
      // Beyond the straight line's T/l: the inertia of the wave at its end.
      const double straight =
          std::max(-force[static_cast<std::size_t>(spanSlot(from))], 0.0) / std::max(look.length, 1e-9);
      const double more = std::max(look.wave.stiffness[end] - straight, 0.0);
      Eigen::Matrix<double, 3, 6> j = Eigen::Matrix<double, 3, 6>::Zero();
      j.leftCols<3>() = Mat3::Identity();
      if (now.rotates(block)) j.rightCols<3>() = -skew((end == 0 ? look.a : look.b) - now.position(block));
      if (look.hangs)
        patch.k = j.transpose() * look.hold[end] * j;
      else
        patch.k = j.transpose() * (more * (Mat3::Identity() - look.n * look.n.transpose())) * j;
    }
  }
}

void WavyJoints::forces(const Instant& now, Forces& out) const {
  JointsCable::forces(now, out);
  const State& s = now.past();
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    const WaveSpanCache& look = spanAt(now, from);
    if (!look.curved) continue;
    const double force = now.multiplier(spanSlot(from));
    const Haste haste = hasteOf(now, from, to);
    if (now.stepping) massAlong(now, from, to, haste.mass * (haste.second ? 1.5 : 1.0) / now.h, out.damping);
    for (const int end : {0, 1}) {
      const int block = link(end == 0 ? from : to).mount.block;
      const Block& b = now.model().blocks[static_cast<std::size_t>(block)];
      Vec3 f = inertiaAt(now, haste, from, end);
      if (look.hangs) f += look.push[end];
      for (int c = 0; c < 2 && !look.hangs; ++c)
        f += (look.wave.force[end][c] - look.wave.row[end][c] * force) * look.side[c];
      const Vec3 moment = ((end == 0 ? look.a : look.b) - now.position(block)).cross(f);
      for (int c = 0; c < 3; ++c) {
        out.force[static_cast<std::size_t>(b.v + c)] += f[c];
        if (b.rotates) out.force[static_cast<std::size_t>(b.v + 3 + c)] += moment[c];
      }
    }
  }
}

void WavyJoints::remember(const Instant& now, State& s, int i, int to) const {
  const WaveSpanCache& look = spanAt(now, i);
  const WaveSpan m = waveOf(s, i);
  if (!look.curved) {
    // Straight for this step: where its ends went is not known to the wave, so it begins again from its shape.
    const SpanGeometry g = shapeOf(now, now.past(), i, to).first;
    m->start = g.end[0].point;
    m->end = g.end[1].point;
    return;
  }
  if (look.hangs) {
    m->shape.link = look.wave.arc / pieces();
    m->side = look.side[0];
    const Vec3 moved[2] = {now.stepping ? Vec3(look.a - m->start.vec()) : Vec3::Zero(),
                           now.stepping ? Vec3(look.b - m->end.vec()) : Vec3::Zero()};
    drawHung(m, look.a, look.b, moved);
    {
      m->start = look.a;
      m->end = look.b;
    }
    m->madeWith = now.h;
    return;
  }
  if (!now.stepping) {  // it has been put elsewhere: the wave goes along
    arcOf({m.u(), static_cast<std::size_t>(numbers())}, pieces(), look.length, &m->shape);
    m->side = look.side[0];
    m->start = look.a;
    m->end = look.b;
    return;
  }
  const double* u = shapeAt(now, i);
  const double* before = waveOf(now.past(), i).u();
  const double made = m->madeWith;
  const int n = pieces(), newest = (m->newest + 2) % 3;
  double* increment = m.field(1 + newest);
  for (int k = 0; k <= n; ++k)
    for (int c = 0; c < 2; ++c)
      increment[2 * k + c] =
          look.shift[0][c] + (look.shift[1][c] - look.shift[0][c]) * k / n + u[2 * k + c] - before[2 * k + c];
  std::copy(u, u + numbers(), m.u());
  m->newest = newest;
  if (!now.second || (made > 0.0 && made != now.h))
    for (const int k : {1, 2}) std::copy(increment, increment + numbers(), m.field(m.increment(k)));
  m->madeWith = now.h;
  arcOf({u, static_cast<std::size_t>(numbers())}, n, look.length, &m->shape);
  {
    m->side = look.side[0];
    m->start = look.a;
    m->end = look.b;
  }
}

void WavyJoints::finish(const Instant& now, State& s, Events& events) const {
  finishAlong(now, s);
  const auto route = routeOf(now.past());
  for (int k = 0; k < route.spans(); ++k) remember(now, s, route[k], route.next(k));
  Events told;
  JointsCable::finish(now, s, told);
  cutShort(now, s);
  adopt(now, now.past(), s);
  leaveSide(now, s);
  // Of a link that was taken in for this step only there is nothing to tell.
  for (const ElementEvent& event : told.all())
    if (event.link < 0 || !waveOf(s, event.link)->inserted || stateOf(s, event.link).routed) events.add(event);
  for (int k = 0; k < route.size(); ++k) {
    const int i = route[k];
    Flag& inserted = waveOf(s, i)->inserted;
    if (!inserted) continue;
    inserted = false;
    if (stateOf(s, i).routed) events.add({now.time, this, i, EventKind::splits});
  }
}

/// A point of a remembered curve (field 0) or one of its increments, at a share of the span.
Vec3 WavyJoints::curve(ConstWaveSpan m, const Vec3& a, const Vec3& b, double share, int field) const {
  const int n = pieces();
  const double x = share > 0.0 ? std::min(share, 1.0) * n : 0.0;
  const int k = std::min(static_cast<int>(x), n - 1);
  const double* f = m.field(field);
  WaveSpanCache look;
  look.n = (b - a).normalized();
  frame(m, look);
  const double p = f[2 * k] + (x - k) * (f[2 * k + 2] - f[2 * k]),
               q = f[2 * k + 1] + (x - k) * (f[2 * k + 3] - f[2 * k + 1]);
  const Vec3 across = p * look.side[0] + q * look.side[1];
  return field == 0 ? Vec3(a + x / n * (b - a) + across) : across;
}

/// Of the waves: motion and height beside the straight spans'.
Energy WavyJoints::energy(const Instant& now, std::span<const double> force) const {
  const State& s = now.past();
  const Vec3& g = now.model().description.settings.gravity;
  Energy sum;
  const auto route = routeOf(s);
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k];
    const ConstWaveSpan m = waveOf(s, from);
    double tension = std::max(-force[static_cast<std::size_t>(spanSlot(from))], 0.0);
    const Vec3 a = m->start, b = m->end;
    const double soft = complianceOf(s, from, {stateOf(s, from).rest, 0.0});
    if (soft > 0.0) {  // the stretch tells: what damps pulls too, and stores nothing
      const double arc =
          m->hanging ? m.arc() : arcOf({m.u(), static_cast<std::size_t>(numbers())}, pieces(), (b - a).norm());
      const LinkState& span = stateOf(s, from);
      const bool pulls = !span.broken && !span.lost;  // without a tangent it does not, however little it has left
      tension = pulls ? std::max(arc - span.reach(), 0.0) / soft : 0.0;
    }
    sum.elastic += 0.5 * tension * tension * soft;
    sum.kinetic += energyAlong(now, s, from, route.next(k), a, b);
    if (m->hanging) {
      sum.potential += hungEnergy(m, a, b);
      continue;
    }
    const double mu = settings_.material.mass * m->shape.link;
    const WaveField f = m.history();
    for (int i = 0; i <= pieces(); ++i) {
      const double share = i == 0 || i == pieces() ? 0.5 : 1.0;
      sum.potential -= share * mu * g.dot(curve(m, a, b, static_cast<double>(i) / pieces(), 0));
      for (int c = 0; c < 2 && m->madeWith > 0.0; ++c) {
        const double v = (1.5 * f.increment[0][2 * i + c] - 0.5 * f.increment[1][2 * i + c]) / m->madeWith;
        sum.kinetic += 0.5 * share * mu * v * v;
      }
    }
  }
  return sum;
}

/// Besides, what damps the waves, as they were when the step began.
void WavyJoints::work(const Instant& now, std::span<const double> force, Doings& out) const {
  JointsCable::work(now, force, out);
  const State& s = now.past();
  const auto route = routeOf(s);
  double motion = 0.0;
  for (int k = 0; settings_.waveDamping > 0.0 && k < route.spans(); ++k) {
    const ConstWaveSpan m = waveOf(s, route[k]);
    if (m->hanging || !(m->madeWith > 0.0)) continue;
    const WaveField f = m.history();
    for (int i = 0; i <= pieces(); ++i)
      for (int c = 0; c < 2; ++c) {
        const double v = (1.5 * f.increment[0][2 * i + c] - 0.5 * f.increment[1][2 * i + c]) / m->madeWith;
        motion += (i == 0 || i == pieces() ? 0.5 : 1.0) * settings_.material.mass * m->shape.link * v * v;
      }
  }
  out.add(Work::damping, -settings_.waveDamping * motion);
}

void WavyJoints::view(const Instant& now, const State& s, std::vector<LinkView>& links,
                      std::vector<SpanView>& spans) const {
  JointsCable::view(now, s, links, spans);
  for (std::size_t k = 0; k < spans.size(); ++k) {
    if (spans[k].parted) continue;  // two loose ends have no wave
    const int from = routeOf(s)[static_cast<int>(k)];
    const ConstWaveSpan m = waveOf(s, from);
    const double* u = m.u();
    for (int i = 1; i < pieces(); ++i)
      spans[k].sag = std::max(spans[k].sag, std::sqrt(u[2 * i] * u[2 * i] + u[2 * i + 1] * u[2 * i + 1]));
    spans[k].length = m->hanging ? m.arc() : arcOf({u, static_cast<std::size_t>(numbers())}, pieces(), spans[k].length);
    if (s.steps == 0 && canStretch())
      spans[k].tension = std::max(0.0, spans[k].length - spans[k].rest) / complianceOf(s, from, {spans[k].rest, 0.0});
  }
}

void WavyJoints::spanPoints(const State& s, int i, const SpanView& span, std::vector<Vec3>& points) const {
  std::vector<double> all(static_cast<std::size_t>(3 * (pieces() + 1)));
  const ConstWaveSpan m = waveOf(s, i);
  if (m->hanging) {
    const HangingCurve curve = hangingCurve(span.start, span.end, m.arc(), gravity_);
    for (int k = 0; k <= pieces(); ++k) points.push_back(curve.at(curve.length * k / pieces()));
    return;
  }
  curveInto(m, span.start, span.end, all.data());
  for (std::size_t m = 0; m < all.size(); m += 3) points.emplace_back(all[m], all[m + 1], all[m + 2]);
}

}  // namespace reeve
