// Momentum, mass, weight and the velocity-dependent forces of a strand.
//
// Rims. All that moves with a wheel's rim moves as m = V + W×arm, V the centre's velocity and W the rim's angular
// velocity, slip included: the arc on it and the ends of the two spans beside it are one rigid thing for a moment. A
// coordinate of the wheel gives V and W a direction each: the body (I, −[lever]×) and across its axle, the rotor the
// axle, the slip the normal over the radius. So each wheel's sums are taken about its centre and given out once. With w
// the direction a coordinate turns the rim about and ẇ its rate, d'Alembert's ∫ρ (DJ/Dt)ᵀẋ ds = ẇ·H + w·K, where H = ∫ρ
// arm×ẋ and K = ∫ρ (d arm/dt)×ẋ; the arc itself has K = (W×S)×V, S = ∫ρ arm.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_mass.h"
#include "reeve/geometry/turn_rule.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// out += aᵀ f of everything that carries.
void spread(const Model& model, const StrandTypes::Motion& m, const Vec3& f, std::span<double> out) {
  for (int i = 0; i < m.count; ++i) {
    const auto& c = m.carry[at(i)];
    const std::size_t v = at(model.blocks[at(c.block)].v);
    for (int k = 0; k < c.dof; ++k) out[v + at(k)] += c.a.col(k).dot(f);
  }
}

/// out += aᵀ f of a number that flows.
void spread(const Model& model, const StrandTypes::Flow& flow, double f, std::span<double> out) {
  for (int i = 0; i < flow.count; ++i) {
    const auto& p = flow.part[at(i)];
    const std::size_t v = at(model.blocks[at(p.block)].v);
    for (int k = 0; k < p.dof; ++k) out[v + at(k)] += f * p.a[k];
  }
}

/// out += dᵀ f.
void spreadRate(const Model& model, const StrandTypes::Motion& m, const Vec3& f, std::span<double> out) {
  for (int i = 0; i < m.count; ++i) {
    const auto& c = m.carry[at(i)];
    const std::size_t v = at(model.blocks[at(c.block)].v);
    for (int k = 0; k < c.dof; ++k) out[v + at(k)] += c.d.col(k).dot(f);
  }
}

/// M += w (AᵀB + BᵀA), or w AᵀA where both are one.
void couple(const Model& model, const StrandTypes::Motion& a, const StrandTypes::Motion& b, double w, bool same,
            PatchSet& out) {
  for (int i = 0; i < a.count; ++i)
    for (int j = same ? i : 0; j < b.count; ++j) {
      const auto &ca = a.carry[at(i)], &cb = b.carry[at(j)];
      if (!model.blocks[at(ca.block)].free && !model.blocks[at(cb.block)].free) continue;
      Patch& patch = out.add(ca.block, cb.block);
      const bool both = !same && ca.block == cb.block;
      for (int r = 0; r < ca.dof; ++r)
        for (int c = 0; c < cb.dof; ++c) {
          patch.k(r, c) = w * ca.a.col(r).dot(cb.a.col(c));
          if (both) patch.k(r, c) += w * cb.a.col(r).dot(ca.a.col(c));
        }
    }
}

}  // namespace

Patch& StrandMass::hubPatch(PatchSet& out, std::size_t first, int a, int b) {
  for (std::size_t k = first; k < std::min(first + 4, out.patches.size()); ++k)
    if (out.patches[k].a == a && out.patches[k].b == b) return out.patches[k];
  return out.add(a, b);
}

void StrandNow::RimMass::point(double m, const Vec3& arm) {
  mass += m;
  const Vec3 moved = m * arm;
  first += moved;
  const double all = moved.dot(arm);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) second(i, j) += (i == j ? all : 0.0) - moved[i] * arm[j];
}

Vec3 StrandNow::RimMass::angular(const WheelNow& w) const {
  return first.cross(w.velocity) + w.spin.x() * second.col(0) + w.spin.y() * second.col(1) + w.spin.z() * second.col(2);
}

StrandNow::EndLoad StrandMass::endLoad(const Vec3& gravity, const SpanNow& s, int k) const {
  const Vec3 &here = s.m[at(k)], &there = s.m[at(1 - k)];
  const double mass = density_ * s.rest;
  if (lumped(s)) return {s.lump[at(k)] * mass * gravity, s.lump[at(k)] * mass * here};
  EndLoad e{0.5 * mass * gravity, (mass / 3.0) * here + (mass / 6.0) * there};
  // α̇ (A₁ − A₀)
  const double share = (k == 0 ? density_ : -density_) / 6.0, r0 = s.sRate[0], r1 = s.sRate[1];
  e.force += (share * (2.0 * r0 + r1)) * s.m[0] + (share * (r0 + 2.0 * r1)) * s.m[1];
  return e;
}

void StrandMass::loadRim(const Vec3& gravity, const Wheel& w, const WheelNow& wn, const RimMass& arc, const SpanNow& in,
                         const SpanNow& out, RimLoad& load) const {
  load.any = in.ok && out.ok;
  if (!load.any) return;
  // The ends of skew spans do not move with the rim.
  const EndLoad nothing{Vec3::Zero(), Vec3::Zero()};
  const EndLoad before = in.skew ? nothing : endLoad(gravity, in, 1),
                after = out.skew ? nothing : endLoad(gravity, out, 0);
  if (w.still && w.slip < 0) {  // nothing but the spin about a fixed axle: no velocity of the centre, no tilting
    if (w.mount.rotor < 0) return;
    const Vec3 turnIn = wn.axle.cross(in.arm[1]), turnOut = wn.axle.cross(out.arm[0]);
    const Vec3 slow = before.momentum.cross(wn.axle), fast = after.momentum.cross(wn.axle);
    load.spin = wn.axle.dot(arc.second * wn.spin) + turnIn.dot(before.momentum) + turnOut.dot(after.momentum);
    load.torque = wn.axle.cross(arc.first).dot(gravity) + turnIn.dot(before.force) + turnOut.dot(after.force) +
                  in.armRate[1].dot(slow) + out.armRate[0].dot(fast);
    return;
  }
  const Vec3 p = arc.momentum(wn) + before.momentum + after.momentum;
  const Vec3 h = arc.angular(wn) + in.arm[1].cross(before.momentum) + out.arm[0].cross(after.momentum);
  const Vec3 force = arc.mass * gravity + before.force + after.force;
  const Vec3 moment = arc.first.cross(gravity) + in.arm[1].cross(before.force) + out.arm[0].cross(after.force) +
                      wn.spin.cross(arc.first).cross(wn.velocity) + in.armRate[1].cross(before.momentum) +
                      out.armRate[0].cross(after.momentum);
  const bool rotor = w.mount.rotor >= 0;
  const double axial = rotor ? wn.axle.dot(h) : 0.0, turning = rotor ? wn.axle.dot(moment) : 0.0;
  if (w.slip >= 0) {
    const double share = w.side / w.outline.radius();
    load.slide = share * wn.frame.normal.dot(h);
    load.push = share * (wn.frame.normal.dot(moment) + wn.normalRate.dot(h));
  }
  if (!w.still) {
    load.p = p;
    load.force = force;
    load.l = h + wn.lever.cross(p);
    load.moment = moment + wn.lever.cross(force) + wn.omega.cross(wn.lever).cross(p);
  }
  if (!rotor) return;
  const double tilting = wn.axleRate.dot(h);
  load.spin = axial;
  load.torque = turning + tilting;
  if (w.still) return;
  load.l -= wn.axle * axial;
  load.moment -= wn.axle * (turning + tilting) + wn.axleRate * axial;
}

void StrandMass::coupleRim(const Instant& now, const Wheel& w, const WheelNow& wn, const RimMass& sum, std::size_t hubs,
                           PatchSet& out) const {
  const auto& blocks = now.model().blocks;
  const int body = w.mount.block;
  const bool moves = !w.still && blocks[at(body)].free, rotor = w.mount.rotor >= 0;
  struct Turner {
    int block;
    Vec3 axis;
  };
  Turner turners[2];
  int count = 0;
  if (rotor) turners[count++] = {w.mount.rotor, wn.axle};
  if (w.slip >= 0) turners[count++] = {w.slip, wn.frame.normal * (w.side / w.outline.radius())};
  // The body moves the material by (1, −[lever]× − [arm]× A), A what it turns: across the axle of a rotor, else all.
  const auto across = [&](const Vec3& x) { return rotor ? Vec3(x - wn.axle * wn.axle.dot(x)) : x; };
  if (moves) {
    Patch& p = hubPatch(out, hubs, body, body);
    Mat3 mixed;  // column k: what turning about k moves, times the mass
    for (int k = 0; k < 3; ++k) {
      const Vec3 turn = Vec3::Unit(k), own = across(turn);
      mixed.col(k) = sum.mass * turn.cross(wn.lever) + own.cross(sum.first);
      const Vec3 spun = own.x() * sum.second.col(0) + own.y() * sum.second.col(1) + own.z() * sum.second.col(2);
      p.k.block<3, 1>(3, 3 + k) +=
          wn.lever.cross(Vec3(mixed.col(k))) + across(sum.first.cross(turn.cross(wn.lever)) + spun);
      p.k(k, k) += sum.mass;
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        p.k(i, 3 + j) += mixed(i, j);
        p.k(3 + j, i) += mixed(i, j);
      }
  }
  for (int i = 0; i < count; ++i) {
    const Vec3& axis = turners[i].axis;
    const Vec3 spun = axis.x() * sum.second.col(0) + axis.y() * sum.second.col(1) + axis.z() * sum.second.col(2);
    const Vec3 moved = axis.cross(sum.first);
    if (moves) {
      const Vec3 moment = wn.lever.cross(moved) + across(spun);
      Column& c = out.column(body, turners[i].block);
      for (int k = 0; k < 3; ++k) {
        c.k[k] = moved[k];
        c.k[3 + k] = moment[k];
      }
    }
    for (int j = i; j < count; ++j) out.column(turners[i].block, turners[j].block).k[0] = turners[j].axis.dot(spun);
  }
}

/// The mass that the two rims at the ends of a span share: w AᵀB. Either may be a body, and a rotor or slip on it.
void StrandMass::coupleRims(const Instant& now, const Page& page, const Segment& g, const SpanNow& span, double w,
                            std::size_t hubs, PatchSet& out) const {
  const auto& blocks = now.model().blocks;
  struct Side {
    int body = -1;  ///< free body that carries it, -1: none
    Vec3 lever, arm, axle;
    bool rotor = false;
    int count = 0, turner[2] = {0, 0};
    Vec3 move[2];  ///< of the material, for each turner
    /// The moment on the body of a force on the material.
    Vec3 moment(const Vec3& f) const {
      const Vec3 m = arm.cross(f);
      return lever.cross(f) + (rotor ? Vec3(m - axle * axle.dot(m)) : m);
    }
  };
  Side sides[2];
  for (int k = 0; k < 2; ++k) {
    const int i = station(k == 0 ? g.from : g.to).index;
    const Wheel& wheelHere = wheel(i);
    const WheelNow& wn = page.wheels[at(i)];
    Side& s = sides[k];
    s.arm = span.arm[at(k)];
    s.lever = wn.lever;
    s.axle = wn.axle;
    s.rotor = wheelHere.mount.rotor >= 0;
    if (!wheelHere.still && blocks[at(wheelHere.mount.block)].free) s.body = wheelHere.mount.block;
    if (s.rotor) {
      s.turner[s.count] = wheelHere.mount.rotor;
      s.move[s.count++] = wn.axle.cross(s.arm);
    }
    if (wheelHere.slip >= 0) {
      s.turner[s.count] = wheelHere.slip;
      s.move[s.count++] = wn.frame.normal.cross(s.arm) * (wheelHere.side / wheelHere.outline.radius());
    }
  }
  for (int i = 0; i < sides[0].count; ++i)
    for (int j = 0; j < sides[1].count; ++j) {
      const double both = sides[0].turner[i] == sides[1].turner[j] ? 2.0 : 1.0;  // one wheel touched twice
      out.column(sides[0].turner[i], sides[1].turner[j]).k[0] = both * w * sides[0].move[i].dot(sides[1].move[j]);
    }
  for (int k = 0; k < 2; ++k) {
    const Side &a = sides[k], &b = sides[1 - k];
    if (a.body < 0) continue;
    for (int j = 0; j < b.count; ++j) {
      Column& c = out.column(a.body, b.turner[j]);
      const Vec3 moved = w * b.move[j], moment = a.moment(moved);
      for (int i = 0; i < 3; ++i) {
        c.k[i] = moved[i];
        c.k[3 + i] = moment[i];
      }
    }
  }
  if (sides[0].body < 0 || sides[1].body < 0) return;
  Eigen::Matrix<double, 6, 6> k;
  for (int c = 0; c < 3; ++c) {
    const Vec3 e = Vec3::Unit(c);
    k.block<3, 1>(0, c) = w * e;
    k.block<3, 1>(3, c) = w * sides[0].moment(e);
    k.block<1, 3>(c, 3) = w * sides[1].moment(e).transpose();
  }
  for (int c = 0; c < 3; ++c) k.block<3, 1>(3, 3 + c) = sides[0].moment(k.block<3, 1>(0, 3 + c));
  Patch& p = hubPatch(out, hubs, sides[0].body, sides[1].body);
  p.k += k;
  if (sides[0].body == sides[1].body) p.k += k.transpose();
}

/// Calls visit(load, v of its body, of its rotor, of what slips) for every wheel that both spans reach; −1: none.
template <class Visit>
void StrandMass::everyLoad(const Model& model, const Page& page, bool tackled, Visit&& visit) const {
  const auto v = [&](int block) { return block < 0 ? -1 : model.blocks[at(block)].v; };
  everyWheel(tackled, [&](int st) {
    const RimLoad& load = page.loads[at(station(st).index)];
    const Wheel& w = wheel(station(st).index);
    if (load.any) visit(load, v(w.still ? -1 : w.mount.block), v(w.mount.rotor), v(w.slip));
  });
}

/// Calls visit(wheel, segment before, segment after) for every wheel that both reach.
template <class Visit>
void StrandMass::everyRim(const Page& page, bool tackled, Visit&& visit) const {
  everyWheel(tackled, [&](int st) {
    static const SpanNow none = [] {  // beyond what is wound on a drum
      SpanNow nothing;
      nothing.skew = true;
      return nothing;
    }();
    const int before = segmentBefore(st), after = segmentAfter(st);
    const bool drum = wheel(station(st).index).drum;
    if (!drum && (before < 0 || after < 0)) return;
    const SpanNow &in = before < 0 ? none : page.spans[at(before)], &out = after < 0 ? none : page.spans[at(after)];
    if (in.ok && out.ok) visit(station(st).index, in, out);
  });
}

template <class Visit>
void StrandMass::alongChart(const Instant& now, const Segment& g, Visit&& visit) const {
  const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
  const double rest = materialOn(now, g);
  everyTurnPoint(*grounds_[at(g.chart)].chart, parameters(now, n0), parameters(now, n1),
                 [&](double alpha, double turn, double weight) {
                   visit(chartEnd(now, g, alpha, turn), density_ * rest * weight);
                 });
}

void StrandMass::momentum(const Instant& now, std::span<double> p) const {
  const Model& m = now.model();
  const Page& page = glance(now);
  SkewEnds skewed;
  everySegment(page.tackled, [&](int i) {
    const Segment& g = segments_[at(i)];
    if (g.chart >= 0) {
      alongChart(now, g, [&](const End& e, double mass) { spread(m, e, mass * e.m, p); });
      return;
    }
    const SpanNow& s = page.spans[at(i)];
    if (!s.ok) return;
    if (s.skew) {
      skewEnds(page, g, s, skewed);
      for (int k = 0; k < 2; ++k) spread(m, skewed.material[at(k)], endLoad(Vec3::Zero(), s, k).momentum, p);
      return;
    }
    if (station(g.from).wheel && station(g.to).wheel) return;
    for (int k = 0; k < 2; ++k) {
      const int st = k == 0 ? g.from : g.to;
      if (station(st).wheel) continue;
      const Vec3 q = endLoad(Vec3::Zero(), s, k).momentum;
      spread(m, page.nodes[at(station(st).index)], q, p);
      if (const int flow = node(station(st).index).flow; flow >= 0) p[at(m.blocks[at(flow)].v)] -= s.slope.dot(q);
    }
  });
  everyTackle(page, [&](const Tackle& t, const Tackle::Now& tackle) { t.momentum(tackle, m.blocks, p); });
  everyLoad(m, page, page.tackled, [&](const RimLoad& load, int body, int rotor, int slip) {
    for (int k = 0; body >= 0 && k < 3; ++k) {
      p[at(body + k)] += load.p[k];
      p[at(body + 3 + k)] += load.l[k];
    }
    if (rotor >= 0) p[at(rotor)] += load.spin;
    if (slip >= 0) p[at(slip)] += load.slide;
  });
}

void StrandMass::mass(const Instant& now, PatchSet& out) const {
  const Model& m = now.model();
  const Page& page = glance(now);
  // Bodies that carry wheels come first, so that each is found again.
  const std::size_t hubs = out.patches.size();
  everyWheel(page.tackled, [&](int st) {
    const Wheel& w = wheel(station(st).index);
    if (!w.still && m.blocks[at(w.mount.block)].free) hubPatch(out, hubs, w.mount.block, w.mount.block);
  });
  everyTackle(page, [&](const Tackle& t, const Tackle::Now& tackle) { t.mass(tackle, density_, out); });
  everyRim(page, page.tackled, [&](int i, const SpanNow& before, const SpanNow& after) {
    const Wheel& w = wheel(i);
    const WheelNow& wn = page.wheels[at(i)];
    const auto share = [&](const SpanNow& s, int k) { return lumped(s) ? s.lump[at(k)] : 1.0 / 3.0; };
    const double in = before.skew ? 0.0 : share(before, 1) * density_ * before.rest;
    const double leaving = after.skew ? 0.0 : share(after, 0) * density_ * after.rest;
    if (w.still && w.slip < 0) {  // in fixed bearings: its own spin alone
      if (w.mount.rotor < 0) return;
      out.column(w.mount.rotor, w.mount.rotor).k[0] = wn.axle.dot(page.arcs[at(i)].second * wn.axle) +
                                                      in * wn.axle.cross(before.arm[1]).squaredNorm() +
                                                      leaving * wn.axle.cross(after.arm[0]).squaredNorm();
      return;
    }
    RimMass sum = page.arcs[at(i)];
    if (!before.skew) sum.point(in, before.arm[1]);
    if (!after.skew) sum.point(leaving, after.arm[0]);
    coupleRim(now, w, wn, sum, hubs, out);
  });
  Motion ends[2];
  SkewEnds skewed;
  everySegment(page.tackled, [&](int i) {
    const Segment& g = segments_[at(i)];
    if (g.chart >= 0) {
      alongChart(now, g, [&](const End& e, double mass) { couple(m, e, e, mass, true, out); });
      return;
    }
    const SpanNow& s = page.spans[at(i)];
    if (!s.ok) return;
    const double mass = density_ * s.rest;
    if (s.skew) {
      skewEnds(page, g, s, skewed);
      for (std::size_t k = 0; k < 2; ++k)
        couple(m, skewed.material[k], skewed.material[k], lumped(s) ? s.lump[k] * mass : mass / 3.0, true, out);
      if (!lumped(s)) couple(m, skewed.material[0], skewed.material[1], mass / 6.0, false, out);
      return;
    }
    if (station(g.from).wheel && station(g.to).wheel) {
      if (!lumped(s)) coupleRims(now, page, g, s, mass / 6.0, hubs, out);
      return;
    }
    for (int k = 0; k < 2; ++k) {
      carryEnd(page, g, s, k, ends[k]);
      const bool rim = station(k == 0 ? g.from : g.to).wheel;
      if (!rim) couple(m, ends[k], ends[k], lumped(s) ? s.lump[at(k)] * mass : mass / 3.0, true, out);
    }
    if (!lumped(s)) couple(m, ends[0], ends[1], mass / 6.0, false, out);
  });
}

void StrandMass::forces(const Instant& now, Forces& out) const {
  const Model& m = now.model();
  const Vec3& gravity = m.description.settings.gravity;
  const bool stretches = settings_.material.axial < unbounded;
  std::span<double> f = out.force;
  addDrag(now, out);
  const Page& page = glance(now);
  everyTackle(page, [&](const Tackle& t, const Tackle::Now& tackle) { t.forces(tackle, m.blocks, f); });
  everyLoad(m, page, page.tackled, [&](const RimLoad& load, int body, int rotor, int slip) {
    for (int k = 0; body >= 0 && k < 3; ++k) {
      f[at(body + k)] += load.force[k];
      f[at(body + 3 + k)] += load.moment[k];
    }
    if (rotor >= 0) f[at(rotor)] += load.torque;
    if (slip >= 0) f[at(slip)] += load.push;
  });
  // Corners: ½ρ|m|² of what passes them, on either side. Over a rim in its plane both are the same, and neither is
  // counted.
  const auto pass = [&](int flow, double k) {
    if (flow >= 0 && !settings_.lumped) f[at(m.blocks[at(flow)].v)] += 0.5 * density_ * k;
  };
  Motion end;
  SkewEnds skewed;
  everySegment(page.tackled, [&](int i) {
    const Segment& g = segments_[at(i)];
    if (g.chart >= 0) {
      alongChart(now, g, [&](const End& e, double mass) {
        spread(m, e, mass * gravity, f);
        spreadRate(m, e, mass * e.m, f);
      });
      pass(node(station(g.from).index).flow, -chartEnd(now, g, 0.0).m.squaredNorm());
      pass(node(station(g.to).index).flow, chartEnd(now, g, 1.0).m.squaredNorm());
      // The corners of a tube are passed too; they share the flow of its two mouths.
      const Node &n0 = node(station(g.from).index), &n1 = node(station(g.to).index);
      const Chart& chart = *grounds_[at(g.chart)].chart;
      if (chart.curved()) return;
      everyPiece(chart, parameters(now, n0), parameters(now, n1), [&](double from, double) {
        if (from == 0.0) return;
        constexpr double beside = 1e-9;
        const double turn =
            chartEnd(now, g, from - beside).m.squaredNorm() - chartEnd(now, g, from + beside).m.squaredNorm();
        pass(n0.flow, (1.0 - from) * turn);
        pass(n1.flow, from * turn);
      });
      return;
    }
    const SpanNow& s = page.spans[at(i)];
    if (!s.ok || (!s.skew && station(g.from).wheel && station(g.to).wheel)) return;
    // A stretched segment also pushes material out of itself: ½ EA ε².
    const bool stretched = stretches && !s.parted && !(g.unilateral && s.length <= s.rest);
    const double strain = s.length / s.rest - 1.0,
                 push = stretched ? 0.5 * settings_.material.axial * strain * strain : 0.0;
    if (s.skew) skewEnds(page, g, s, skewed);
    for (int k = 0; k < 2; ++k) {
      const Station& st = station(k == 0 ? g.from : g.to);
      if (st.wheel && !s.skew) continue;
      const EndLoad e = endLoad(gravity, s, k);
      if (!s.skew) carryEnd(page, g, s, k, end);
      const Motion& moved = s.skew ? skewed.material[at(k)] : end;
      spread(m, moved, e.force, f);
      spreadRate(m, moved, e.momentum, f);
      const double sign = k == 0 ? -1.0 : 1.0;
      if (!st.wheel) {
        pass(node(st.index).flow, sign * s.m[at(k)].squaredNorm());
        if (node(st.index).flow >= 0) f[at(m.blocks[at(node(st.index).flow)].v)] += sign * push;
        continue;
      }
      const WheelNow& wn = page.wheels[at(st.index)];
      const double rim = (wn.velocity + wn.spin.cross(s.arm[at(k)])).squaredNorm();
      const double corner = settings_.lumped ? 0.0 : 0.5 * density_ * (s.m[at(k)].squaredNorm() - rim);
      // What lies on a drum keeps its strain: it gives back ½ EA of its square as it comes off, or takes that on.
      const double laid = stretched ? 1.0 / wn.passes - 1.0 : 0.0;
      spread(m, skewed.flow[at(k)],
             sign * (corner + push + (stretched ? 0.5 * settings_.material.axial * laid * laid : 0.0)), f);
    }
  });
}

double StrandMass::kinetic(const Instant& now, const Page& page) const {
  double sum = 0.0;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (segments_[i].chart >= 0) {
      alongChart(now, segments_[i], [&](const End& e, double mass) { sum += 0.5 * mass * e.m.squaredNorm(); });
      continue;
    }
    const SpanNow& s = page.spans[i];
    if (!s.ok) continue;
    const double mass = density_ * s.rest, first = s.m[0].squaredNorm(), second = s.m[1].squaredNorm();
    sum += lumped(s) ? 0.5 * mass * (s.lump[0] * first + s.lump[1] * second)
                     : mass / 6.0 * (first + second + s.m[0].dot(s.m[1]));
  }
  everyRim(page, false, [&](int i, const SpanNow&, const SpanNow&) {
    const WheelNow& wn = page.wheels[at(i)];
    const RimMass& arc = page.arcs[at(i)];
    sum += 0.5 * arc.mass * wn.velocity.squaredNorm() + wn.velocity.dot(wn.spin.cross(arc.first)) +
           0.5 * wn.spin.dot(arc.second * wn.spin);
  });
  return sum;
}

double StrandMass::potential(const Instant& now, const Page& page) const {
  double sum = 0.0;
  const Vec3& gravity = now.model().description.settings.gravity;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    if (segments_[i].chart >= 0) {
      alongChart(now, segments_[i], [&](const End& e, double mass) { sum -= mass * gravity.dot(e.x); });
      continue;
    }
    const SpanNow& s = page.spans[i];
    const double a = lumped(s) ? s.lump[0] : 0.5, b = lumped(s) ? s.lump[1] : 0.5;
    if (s.ok) sum -= density_ * s.rest * gravity.dot(a * s.x[0] + b * s.x[1]);
  }
  everyRim(page, false, [&](int i, const SpanNow&, const SpanNow&) {
    const WheelNow& wn = page.wheels[at(i)];
    const RimMass& arc = page.arcs[at(i)];
    sum -= gravity.dot(arc.mass * wn.frame.origin + arc.first);
  });
  return sum;
}

/// Drag c per metre: −c/ρ times the momentum, with the mass itself as its derivative.
void StrandMass::addDrag(const Instant& now, Forces& out) const {
  if (settings_.material.drag <= 0.0) return;
  const auto& blocks = now.model().blocks;
  const std::size_t first = out.damping.patches.size(), firstColumn = out.damping.columns.size();
  mass(now, out.damping);
  for (std::size_t i = firstColumn; i < out.damping.columns.size(); ++i) {
    Column& p = out.damping.columns[i];
    const Block &a = blocks[at(p.a)], &b = blocks[at(p.b)];
    for (int r = 0; r < a.dof; ++r) {
      p.k[r] *= settings_.material.drag / density_;
      out.force[at(a.v + r)] -= p.k[r] * now.v[at(b.v)];
      if (p.a != p.b) out.force[at(b.v)] -= p.k[r] * now.v[at(a.v + r)];
    }
  }
  for (std::size_t i = first; i < out.damping.patches.size(); ++i) {
    Patch& p = out.damping.patches[i];
    p.k *= settings_.material.drag / density_;
    const Block &a = blocks[at(p.a)], &b = blocks[at(p.b)];
    for (int r = 0; r < a.dof; ++r)
      for (int c = 0; c < b.dof; ++c) {
        out.force[at(a.v + r)] -= p.k(r, c) * now.v[at(b.v + c)];
        if (p.a != p.b) out.force[at(b.v + c)] -= p.k(r, c) * now.v[at(a.v + r)];
      }
  }
}

}  // namespace reeve
