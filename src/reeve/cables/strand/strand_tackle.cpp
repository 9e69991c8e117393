// A tackle at an instant: falls, arcs, and what moves with the rims.
#include "reeve/cables/strand/strand_tackle.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/body_turn.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// Sine of the angle between planes, and height over distance, that count as none: as circleSpan().
constexpr double onePlane = 1e-9;

inline Vec3 crossOf(const Vec3& a, const Vec3& b) {
  return Vec3(a.y() * b.z() - a.z() * b.y(), a.z() * b.x() - a.x() * b.z(), a.x() * b.y() - a.y() * b.x());
}

/// atan2(y, x) but for whole turns; most falls hang straight down, from wheels whose x is level.
inline double directionOf(double x, double y) {
  if (!(std::fabs(y) < 0.1 * std::fabs(x))) return math::atan2(y, x);
  // The series of the arc tangent: what comes after these terms is below rounding.
  const double t = y / x, z = t * t;
  constexpr double c[] = {-1.0 / 3, 1.0 / 5, -1.0 / 7, 1.0 / 9, -1.0 / 11, 1.0 / 13, -1.0 / 15};
  const double z2 = z * z, z4 = z2 * z2;
  const double series = (c[0] + c[1] * z) + (c[2] + c[3] * z) * z2 + ((c[4] + c[5] * z) + c[6] * z2) * z4;
  const double small = t + t * z * series;
  return x < 0.0 ? math::pi + small : small;
}

/// To the spins what the sheaves have, to the bodies what the discs have along and about their centres.
template <class Now, class Turn, class Along, class About>
void giveOut(const Now& now, std::span<const Block> blocks, Turn turn, Along along, About about,
             std::span<double> out) {
  for (const auto& s : now.sheaves) out[at(s.v)] += s.*turn;
  for (const auto& d : now.discs) {
    if (d.still) continue;
    addTriple(out, blocks[at(d.block)].v, now.plane * (d.*along));
    addTriple(out, blocks[at(d.block)].v + 3, now.plane * (d.*about));
  }
}

}  // namespace

/// Where a fall, or what comes from outside, touches a sheave.
struct Tackle::Touch {
  bool there = true;
  double wx = 0.0, wy = 0.0;  ///< the contact is at ρw
  double angle = 0.0;
  Vec3 armRate, force, momentum;
};

bool Tackle::lookAtDiscs(const Instant& now, Now& out) const {
  out.discs.resize(discs.size());
  const Disc& reference = discs[0];
  const Mat3& r0 = now.rotation(reference.block);
  out.plane.col(0) = r0 * reference.x_B;
  out.plane.col(1) = r0 * reference.y_B;
  out.plane.col(2) = r0 * reference.normal_B;
  const Vec3 origin = now.position(reference.block) + r0 * reference.base_B;
  const auto local = [&](const Vec3& v) { return Vec3(out.plane.transpose() * v); };
  for (std::size_t i = 0; i < discs.size(); ++i) {
    const Disc& disc = discs[i];
    DiscNow& d = out.discs[i];
    const Mat3& r = now.rotation(disc.block);
    const Vec3 normal = local(r * disc.normal_B), lever = r * disc.base_B;
    if (normal.x() * normal.x() + normal.y() * normal.y() > onePlane * onePlane) return false;
    d.block = disc.block;
    d.still = disc.still;
    d.free = now.model().blocks[at(disc.block)].free;
    d.flip = normal.z() < 0.0 ? -1.0 : 1.0;
    d.base = local(now.position(disc.block) + lever - origin);
    d.lever = local(lever) - d.base;
    d.x = local(r * disc.x_B);
    d.y = local(r * disc.y_B);
    d.turn = math::atan2(d.x.y(), d.x.x());
    d.moved =
        disc.still ? 0.0 : bodyTurn(now, now.past().q, disc.block, {Vec3::Zero(), disc.x_B, disc.y_B, disc.normal_B});
    d.omega = local(now.angularVelocity(disc.block));
    d.velocity = local(now.velocity(disc.block));
    d.baseRate = d.velocity + crossOf(d.omega, d.base + d.lever);
    d.xRate = crossOf(d.omega, d.x);
    d.yRate = crossOf(d.omega, d.y);
    d.p = d.l = d.force = d.moment = Vec3::Zero();
  }
  return true;
}

Tackle::Touch Tackle::touchOf(const Now& now, const End& end, int sheave) const {
  const DiscNow& d = now.discs[at(sheaves[at(sheave)].disc)];
  Touch t;
  t.there = end.there;
  if (!t.there) return t;
  // The outward normal is w, or on a rim passed the other way −w.
  const double sign = now.sheaves[at(sheave)].rho < 0.0 ? -1.0 : 1.0;
  t.wx = sign * (end.facing.x() * d.x.x() + end.facing.y() * d.y.x());
  t.wy = sign * (end.facing.x() * d.x.y() + end.facing.y() * d.y.y());
  t.angle = end.angle;
  t.armRate = now.plane.transpose() * end.armRate;
  t.force = now.plane.transpose() * end.force;
  t.momentum = now.plane.transpose() * end.momentum;
  return t;
}

/// Momentum of all that moves with a rim and the force on it, given to the spin and summed up for the body.
[[gnu::always_inline]] inline void Tackle::load(const Strand& strand, const Vec3& gravity, const Sheave& s,
                                                SheaveNow& at, DiscNow& disc, const Vec3& v, double spin,
                                                const Touch& in, const Touch& out) const {
  at.spin = at.torque = 0.0;
  if (!in.there || !out.there) return;
  const double r = s.radius, lr2 = strand.density * r * r, rho = at.rho, axle = disc.flip * s.axle;
  const double turn = out.angle - in.angle, wrap = s.side * turn;
  const double fx = lr2 * (out.wy - in.wy), fy = -lr2 * (out.wx - in.wx);
  const double all = lr2 * r * wrap;
  // N·(a×p) = n·p with n = N×w, per metre of ρ.
  const auto about = [](const Touch& t, const Vec3& f) { return t.wx * f.y() - t.wy * f.x(); };
  const auto run = [](const Touch& t) { return t.armRate.x() * t.momentum.y() - t.armRate.y() * t.momentum.x(); };
  const double hz = all * spin + rho * (about(in, in.momentum) + about(out, out.momentum));
  const double mz =
      fx * gravity.y() - fy * gravity.x() + rho * (about(in, in.force) + about(out, out.force)) + run(in) + run(out);
  if (disc.still) {
    at.spin = axle * hz;
    at.torque = axle * mz;
    return;
  }
  const Vec3& omega = disc.omega;
  const double swing = 0.5 * (out.wy * out.wx - in.wy * in.wx), k = lr2 * r, half = 0.5 * wrap;
  const double side = rho < 0.0 ? -1.0 : 1.0;
  const double xx = k * (half + side * swing), yy = k * (half - side * swing),
               xy = 0.5 * k * side * (out.wy * out.wy - in.wy * in.wy);
  const double mass = lr2 / r * wrap;
  const Vec3 turned(-spin * fy, spin * fx, omega.x() * fy - omega.y() * fx);  // W × first
  const Vec3 p = mass * v + turned + in.momentum + out.momentum;
  const Vec3 f = mass * gravity + in.force + out.force;
  const auto moment = [&](const Touch& t, const Vec3& force, Vec3& to) {
    to.x() += rho * t.wy * force.z();
    to.y() -= rho * t.wx * force.z();
  };
  Vec3 h(fy * v.z() + (all - xx) * omega.x() - xy * omega.y(), -fx * v.z() - xy * omega.x() + (all - yy) * omega.y(),
         fx * v.y() - fy * v.x() + hz);
  moment(in, in.momentum, h);
  moment(out, out.momentum, h);
  Vec3 m(fy * gravity.z(), -fx * gravity.z(), 0.0);
  moment(in, in.force, m);
  moment(out, out.force, m);
  m += crossOf(turned, v) + crossOf(in.armRate, in.momentum) + crossOf(out.armRate, out.momentum);
  const double tilting = omega.y() * h.x() - omega.x() * h.y();
  // Along N the moments of `m` so far are those of mz but for what the arc's own motion adds.
  const double turning = mz + turned.x() * v.y() - turned.y() * v.x();
  at.spin = axle * h.z();
  at.torque = axle * (turning + tilting);
  const Vec3 lever = at.place + disc.lever, lp = crossOf(lever, p), lf = crossOf(lever, f),
             vp = crossOf(v - disc.velocity, p);
  disc.p += p;
  disc.force += f;
  disc.l += Vec3(h.x() + lp.x(), h.y() + lp.y(), lp.z());
  disc.moment += Vec3(m.x() + lf.x() + vp.x() - omega.y() * h.z(), m.y() + lf.y() + vp.y() + omega.x() * h.z(),
                      lf.z() + vp.z() - tilting);
}

bool Tackle::look(const Instant& now, const Strand& strand, const MemoryOf<const State>& past, Now& out) const {
  if (!lookAtDiscs(now, out)) return false;
  const std::size_t n = sheaves.size();
  if (!out.known) {
    out.sheaves.resize(n);
    out.falls.resize(n - 1);
    for (std::size_t i = 0; i < n; ++i) out.sheaves[i].v = now.model().blocks[at(sheaves[i].rotor)].v;
    out.known = true;
  }
  const std::span<const double> rests = past.rests.subspan(at(fall));
  const double sixth = strand.density / 6.0;
  const Vec3 gravity = out.plane.transpose() * now.model().description.settings.gravity;
  // A sheave: where, how it moves, and how fast its rim turns about N.
  struct Moving {
    Vec3 v;
    double spin = 0.0, turned = 0.0;
  };
  const auto place = [&](std::size_t i, Moving& m) {
    const Sheave& s = sheaves[i];
    const DiscNow& d = out.discs[at(s.disc)];
    SheaveNow& here = out.sheaves[i];
    here.place = d.base + s.a * d.x + s.b * d.y;
    here.rho = d.flip * s.side * s.radius;
    m.v = d.still ? Vec3(Vec3::Zero()) : Vec3(d.baseRate + s.a * d.xRate + s.b * d.yRate);
    m.spin = d.flip * s.axle * now.v[at(here.v)];
    m.turned = s.axle * now.u[at(here.v)] - d.moved;
  };
  Moving here, there;
  place(0, here);
  Touch in = touchOf(out, out.ends[0], 0), leaving, next;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    place(i + 1, there);
    const Sheave &s0 = sheaves[i], &s1 = sheaves[i + 1];
    const SheaveNow &p0 = out.sheaves[i], &p1 = out.sheaves[i + 1];
    DiscNow &d0 = out.discs[at(s0.disc)], &d1 = out.discs[at(s1.disc)];
    FallNow& fall = out.falls[i];
    const double x = p1.place.x() - p0.place.x(), y = p1.place.y() - p0.place.y(), z = p1.place.z() - p0.place.z();
    const double distance2 = x * x + y * y, e = p0.rho - p1.rho, length2 = distance2 - e * e;
    if (!(length2 > 0.0) || z * z > onePlane * onePlane * distance2) return false;
    const double l = std::sqrt(length2), share = 1.0 / distance2;
    if (l <= 0.5 * (s0.radius + s1.radius) && !(d0.still && d1.still)) return false;
    const double nx = (l * x - e * y) * share, ny = (l * y + e * x) * share, wx = ny, wy = -nx;
    fall.length = l;
    fall.nx = nx;
    fall.ny = ny;
    // Material that has come over the rims since the step began.
    const double direction = directionOf(wx, wy);
    const auto flow = [&](int k, const Sheave& s, const DiscNow& d, double rho, double before, double turned) {
      const double expected = before - d.moved;
      double angle = d.flip * ((rho < 0.0 ? direction + math::pi : direction) - d.turn);
      const double off = angle - expected;
      if (off >= math::pi) angle -= 2.0 * math::pi;
      if (off <= -math::pi) angle += 2.0 * math::pi;
      if (!(std::fabs(angle - expected) < math::pi)) angle = nearestTurn(angle, expected, 2.0 * math::pi);
      fall.angle[k] = angle;
      fall.flowed[k] = s.side * s.radius * (angle - before - turned);
    };
    flow(0, s0, d0, p0.rho, past.wheels[at(s0.wheel)].exitAngle, here.turned);
    flow(1, s1, d1, p1.rho, past.wheels[at(s1.wheel)].entryAngle, there.turned);
    fall.rest = std::max(rests[i] + fall.flowed[1] - fall.flowed[0], strand.least);
    // (2), and what goes to either end.
    const double beta = -(wx * (there.v.x() - here.v.x()) + wy * (there.v.y() - here.v.y())) / l;
    const double tilt0 = p0.rho * (d0.omega.x() * wy - d0.omega.y() * wx),
                 tilt1 = p1.rho * (d1.omega.x() * wy - d1.omega.y() * wx);
    const double run0 = p0.rho * here.spin, run1 = p1.rho * there.spin;
    const Vec3 m0(here.v.x() + run0 * nx, here.v.y() + run0 * ny, here.v.z() + tilt0);
    const Vec3 m1(there.v.x() + run1 * nx, there.v.y() + run1 * ny, there.v.z() + tilt1);
    const double rate0 = p0.rho * beta - run0, rate1 = p1.rho * beta - run1;
    const double small = sixth * fall.rest, large = 2.0 * small;
    const Vec3 weight = (3.0 * small) * gravity;
    const Vec3 swept = (sixth * (2.0 * rate0 + rate1)) * m0 + (sixth * (rate0 + 2.0 * rate1)) * m1;
    leaving.wx = next.wx = wx;
    leaving.wy = next.wy = wy;
    leaving.angle = fall.angle[0];
    next.angle = fall.angle[1];
    leaving.armRate = Vec3(p0.rho * beta * nx, p0.rho * beta * ny, tilt0);
    next.armRate = Vec3(p1.rho * beta * nx, p1.rho * beta * ny, tilt1);
    leaving.momentum = large * m0 + small * m1;
    next.momentum = large * m1 + small * m0;
    leaving.force = weight + swept;
    next.force = weight - swept;
    load(strand, gravity, s0, out.sheaves[i], d0, here.v, here.spin, in, leaving);
    in = next;
    here = there;
  }
  const Sheave& s = sheaves.back();
  load(strand, gravity, s, out.sheaves.back(), out.discs[at(s.disc)], here.v, here.spin, in,
       touchOf(out, out.ends[1], count() - 1));
  return true;
}

void Tackle::rows(const Now& now, int slot, double damping, RowSet& out) const {
  const Vec3 x = now.plane.col(0), y = now.plane.col(1), z = now.plane.col(2);
  for (std::size_t i = 0; i + 1 < sheaves.size(); ++i) {
    const FallNow& f = now.falls[i];
    out.group();
    Row& row = out.add(slot + static_cast<int>(i));
    row.error = f.length - f.rest;
    row.damping = damping;
    if (slack[i] != 0) row.upper = 0.0;
    const Vec3 n = f.nx * x + f.ny * y;
    int body = -1;
    for (std::size_t k = 0; k < 2; ++k) {
      const Sheave& s = sheaves[i + k];
      const SheaveNow& here = now.sheaves[i + k];
      const DiscNow& d = now.discs[at(s.disc)];
      const double sign = k == 0 ? -1.0 : 1.0, reach = sign * d.flip * s.axle * here.rho;
      if (k == 0 || s.rotor != sheaves[i].rotor)
        out.freshEntry(s.rotor, reach);
      else
        out.entry(s.rotor, reach);
      if (d.still) continue;
      const double lx = here.place.x() + d.lever.x(), ly = here.place.y() + d.lever.y(),
                   lz = sign * (here.place.z() + d.lever.z()), turn = sign * (lx * f.ny - ly * f.nx);
      const Vec3 moment = (-lz * f.ny) * x + (lz * f.nx) * y + turn * z;
      if (body == d.block)
        out.entry(d.block, sign * n, moment);
      else
        out.freshEntry(d.block, sign * n, moment);
      body = d.block;
    }
  }
}

void Tackle::momentum(const Now& now, std::span<const Block> blocks, std::span<double> p) const {
  giveOut(now, blocks, &SheaveNow::spin, &DiscNow::p, &DiscNow::l, p);
}

void Tackle::forces(const Now& now, std::span<const Block> blocks, std::span<double> f) const {
  giveOut(now, blocks, &SheaveNow::torque, &DiscNow::force, &DiscNow::moment, f);
}

void Tackle::finish(const Now& now, const MemoryOf<const State>& past, const MemoryOf<State>& out) const {
  for (std::size_t i = 0; i < now.falls.size(); ++i) {
    const FallNow& f = now.falls[i];
    const std::size_t from = at(sheaves[i].wheel), to = at(sheaves[i + 1].wheel);
    out.rests[at(fall) + i] = f.rest;
    out.wheels[from].exitAngle = f.angle[0];
    out.wheels[from].exitS = past.wheels[from].exitS + f.flowed[0];
    out.wheels[to].entryAngle = f.angle[1];
    out.wheels[to].entryS = past.wheels[to].entryS + f.flowed[1];
  }
}

}  // namespace reeve
