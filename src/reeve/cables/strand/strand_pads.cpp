// Surfaces a strand leaves and comes back to.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// Where a taut line from a to b, in the plane across a circle at the origin, goes round it: contact angles and
/// lengths.
struct Round {
  bool through = false;
  double from = 0.0, to = 0.0, before = 0.0, on = 0.0, after = 0.0;
};

Round roundCircle(const Vec2& a, const Vec2& b, double radius) {
  Round out;
  const double ra = a.norm(), rb = b.norm(), cross = a.x() * b.y() - a.y() * b.x();
  if (ra <= radius || rb <= radius || a.dot(b - a) >= 0.0 || b.dot(a - b) >= 0.0) return out;
  if (std::fabs(cross) >= radius * (b - a).norm()) return out;
  const double side = cross < 0.0 ? -1.0 : 1.0;
  out.before = std::sqrt(ra * ra - radius * radius);
  out.after = std::sqrt(rb * rb - radius * radius);
  out.from = math::atan2(a.y(), a.x()) + side * math::atan2(out.before, radius);
  const double to = math::atan2(b.y(), b.x()) - side * math::atan2(out.after, radius);
  double wrap = std::remainder(side * (to - out.from), 2.0 * math::pi);
  if (wrap <= 0.0) return out;
  out.to = out.from + side * wrap;
  out.on = radius * wrap;
  out.through = true;
  return out;
}

}  // namespace

StrandContact::Touch StrandContact::touch(const Pad& pad, const Vec3& x0, const Vec3& x1) const {
  const auto local = [&](const Vec3& x) {
    const Vec3 d = x - pad.frame.origin;
    return Vec3(pad.frame.x.dot(d), pad.frame.y.dot(d), pad.frame.z.dot(d));
  };
  const Vec3 a = local(x0), b = local(x1);
  Touch out;
  if (!pad.ball) {
    const Round r = roundCircle(a.head<2>(), b.head<2>(), pad.radius);
    if (!r.through) return out;
    const double flat = r.before + r.on + r.after, rise = (b.z() - a.z()) / flat;
    const double stretch = std::sqrt(1.0 + rise * rise);
    out.u[0] = Vec2(r.from, a.z() + rise * r.before);
    out.u[1] = Vec2(r.to, b.z() - rise * r.after);
    out.length[0] = stretch * r.before;
    out.length[1] = stretch * r.on;
    out.length[2] = stretch * r.after;
    out.through = true;
    return out;
  }
  Vec3 normal = a.cross(b);
  if (a.norm() == 0.0 || normal.norm() < 1e-12 * a.norm() * b.norm()) return out;
  normal.normalize();
  const Vec3 e1 = a.normalized(), e2 = normal.cross(e1);
  const Round r = roundCircle(Vec2(a.norm(), 0.0), Vec2(e1.dot(b), e2.dot(b)), pad.radius);
  if (!r.through) return out;
  for (int k = 0; k < 2; ++k) {
    double sine, cosine;
    math::sincos(k == 0 ? r.from : r.to, sine, cosine);
    const Vec3 p = cosine * e1 + sine * e2;
    out.u[k] = Vec2(math::atan2(p.y(), p.x()), math::atan2(p.z(), std::sqrt(p.x() * p.x() + p.y() * p.y())));
  }
  out.u[1].x() = out.u[0].x() + std::remainder(out.u[1].x() - out.u[0].x(), 2.0 * math::pi);
  out.length[0] = r.before;
  out.length[1] = r.on;
  out.length[2] = r.after;
  out.through = true;
  return out;
}

bool Strand::liftAndMeet(const Instant& now, State& state, std::vector<Moved>& before, Events& events) const {
  const auto& blocks = now.model().blocks;
  const Settings& settings = now.model().description.settings;
  const double step = settings.dt / settings.substeps;
  const auto put = [&](const Node& n, const Vec2& u, const Vec2& uRate, double s, double sRate) {
    const Block &own = blocks[at(n.block)], &flow = blocks[at(n.flow)];
    for (int k = 0; k < 2; ++k) {
      state.q[at(own.q + k)] = u[k];
      state.v[at(own.v + k)] = uRate[k];
    }
    state.q[at(flow.q)] = s;
    state.v[at(flow.v)] = sRate;
  };
  // Nodes that are off lie evenly on the line between those that are not, all of a row together. What was on a guide is
  // as long as its piece of that line, for it cannot be slack: if the strand is longer than the line (a node beside has
  // come to the surface), what hangs loose is in the spans beside.
  const auto spread = [&] {
    Instant fresh;
    fresh.bind(now.model(), state);
    fresh.rewind();
    const auto off = [&](int st) { return !station(st).wheel && lifted(fresh, node(station(st).index)); };
    for (int first = 1; first + 1 < stationCount(); ++first) {
      if (!off(first)) continue;
      int last = first, charts = 0;
      while (off(last + 1)) ++last;
      for (int k = first; k < last; ++k) charts += segments_[at(k)].chart >= 0;
      const Node &na = node(station(first - 1).index), &nb = node(station(last + 1).index);
      const Motion a = nodeMotion(fresh, station(first - 1).index), b = nodeMotion(fresh, station(last + 1).index);
      const int pieces = last - first + 2;
      const Vec3 line = b.x - a.x;
      const double length = line.norm();
      double s = materialAt(fresh, na), rate = flowRate(fresh, na);
      const double all = materialAt(fresh, nb) - s, allRate = flowRate(fresh, nb) - rate;
      const bool loose = all > length && length > 0.0;
      const double piece = (loose ? length : all) / pieces;
      const double pieceRate = (loose ? line.dot(b.v - a.v) / length : allRate) / pieces;
      const double other = (all - charts * piece) / (pieces - charts);
      const double otherRate = (allRate - charts * pieceRate) / (pieces - charts);
      for (int st = first; st <= last; ++st) {
        const bool chart = st > first && segments_[at(st - 1)].chart >= 0;
        s += chart ? piece : other;
        rate += chart ? pieceRate : otherRate;
        const Node& n = node(station(st).index);
        if (n.pad >= 0) put(n, parameters(fresh, n), Vec2::Zero(), s, rate);
      }
      first = last;
    }
  };
  for (const Pad& pad : pads_) {
    const int st[4] = {pad.first - 1, pad.first, pad.first + 1, pad.first + 2};
    const Node &n0 = node(station(st[1]).index), &n1 = node(station(st[2]).index);
    if (n0.pad < 0) continue;
    const Node &na = node(station(st[0]).index), &nb = node(station(st[3]).index);
    const Motion a = nodeMotion(now, station(st[0]).index), b = nodeMotion(now, station(st[3]).index);
    const double sa = materialAt(now, na), sb = materialAt(now, nb), ra = flowRate(now, na), rb = flowRate(now, nb);
    // In the body's frame, now and a moment later.
    const int body = grounds_[at(n0.chart)].block;
    const Mat3 back = now.rotation(body).transpose();
    const auto local = [&](const Motion& m, double later) {
      const Vec3 d = m.x - now.position(body);
      const Vec3 rate = m.v - now.velocity(body) - now.angularVelocity(body).cross(d);
      return Vec3(back * (d + later * rate));
    };
    // How far outside the surface the nodes beside it are: from inside there is no tangent.
    const auto outside = [&](const Motion& m) {
      const Vec3 d = local(m, 0.0) - pad.frame.origin;
      const Vec3 across = pad.ball ? d : Vec3(d - pad.frame.z * pad.frame.z.dot(d));
      return across.norm() / pad.radius - 1.0;
    };
    const double clear = std::min(outside(a), outside(b));
    Flag& off = offPad(state, pad);
    if (!off) {
      const double on = materialAt(now, n1) - materialAt(now, n0);
      const double shrinks = flowRate(now, n0) - flowRate(now, n1);
      // Before the two nodes would meet in the coming step.
      const bool gone = shrinks > 0.0 && on < 2.0 * nearest_ + 2.0 * step * shrinks;
      if (!gone && clear > 0.005) continue;
      // What was wound is straight at once, and nodes beside it have far to go to their tangents.
      state.impactPending = state.impactPending || !gone;
      sample(now, before);
      off = true;
      for (const int k : {0, 1, 2}) state.mode[at(stopSlot(st[k]))] = Mode::lower;
      events.add({now.time, element_, pad.link, EventKind::strandOffGuide});
      spread();
      return true;
    }
    const Touch here = touch(pad, local(a, 0.0), local(b, 0.0));
    if (!here.through || here.length[1] < 4.0 * nearest_ || clear < 0.03) continue;
    constexpr double moment = 1e-6;  // s
    const Touch next = touch(pad, local(a, moment), local(b, moment));
    if (!next.through || next.length[1] <= here.length[1]) continue;
    sample(now, before);
    off = false;
    const auto share = [](const Touch& t, int k) {
      const double all = t.length[0] + t.length[1] + t.length[2];
      return (k == 0 ? t.length[0] : t.length[0] + t.length[1]) / all;
    };
    for (const int k : {0, 1}) {
      const double f = share(here, k), fRate = (share(next, k) - f) / moment;
      put(k == 0 ? n0 : n1, here.u[k], (next.u[k] - here.u[k]) / moment, sa + f * (sb - sa),
          ra + f * (rb - ra) + fRate * (sb - sa));
    }
    events.add({now.time, element_, pad.link, EventKind::strandOnGuide});
    spread();
    return true;
  }
  return false;
}

}  // namespace reeve
