// Spans that leave a wheel at an angle to its plane, or that are stretched: the strand has a corner where it touches
// the rim.
//
// Where a span touches. With d = x₁ − x₀, νₖ = armₖ/rₖ outward and τₖ the way the strand runs on rim k, the contact is
// where νₖ·d = 0 (geometry/tangent_span.h). vₖ = Bₖ v is the velocity of what carries it, ωₖ that body's turning, and
// the contact runs along the rim by ℓ̇ₖ: ẋₖ = vₖ + τₖ ℓ̇ₖ, ν̇ₖ = ωₖ×νₖ + τₖ ℓ̇ₖ/rₖ, τ̇ₖ = ωₖ×τₖ − νₖ ℓ̇ₖ/rₖ. So
//     N ℓ̇ = −b,   bₖ = νₖ·(v₁ − v₀) + ωₖ·(νₖ×d),   N = (τ₀·d/r₀, ν₀·τ₁; −ν₁·τ₀, τ₁·d/r₁),
// and ℓ̇ₖ = Rₖ v with N Rₖ = −bₖ, Ṙ from N Ṙ = −(ḃ + Ṅ R). An end that is a node has none.
//
// How the material moves there. On the rim it moves as m' = V + W×arm, so it passes the contact by
//     ṡₖ = τₖ·(ẋₖ − m'ₖ) = Sₖ v,
// and in the span beside it by mₖ = ẋₖ − x' ṡₖ = m'ₖ + (τₖ − x') ṡₖ: the corner turns it from τ to x' = d/Δs. So
// Aₖ = Pₖ − x' Sₖ with Pₖ = Bₖ + τₖ Rₖ, and Ȧₖ = Ṗₖ − ẋ' Sₖ − x' Ṡₖ: such a span is one between two nodes that run
// along the rims. In the plane of a wheel and without stretch τ = x', and nothing of this is needed.
#include "reeve/cables/strand/strand_kinematics.h"
#include "reeve/math/rotation.h"

namespace reeve {

StrandTypes::Flow::Part& StrandTypes::Flow::add(int block, int dof) {
  for (int i = 0; i < count; ++i)
    if (part[at(i)].block == block) return part[at(i)];
  Part& p = part[at(count++)];
  p.block = block;
  p.dof = dof;
  p.a.setZero();
  p.d.setZero();
  return p;
}

void StrandTypes::Flow::blend(const Flow& other, double weight) {
  for (int i = 0; i < other.count; ++i) {
    const Part& o = other.part[at(i)];
    Part& p = add(o.block, o.dof);
    p.a += weight * o.a;
    p.d += weight * o.d;
  }
}

void StrandTypes::Motion::run(const Flow& flow, const Vec3& along, const Vec3& alongRate) {
  for (int i = 0; i < flow.count; ++i) {
    const Flow::Part& f = flow.part[at(i)];
    Carry& c = add(f.block, f.dof);
    c.a += along * f.a;
    c.d += along * f.d + alongRate * f.a;
  }
}

void StrandKinematics::skewEnds(const Page& page, const Segment& g, const SpanNow& s, SkewEnds& out) const {
  struct Rim {
    const Wheel* wheel = nullptr;
    const WheelNow* now = nullptr;
    double radius = 0.0;
    Vec3 out = Vec3::Zero(), outRate = Vec3::Zero(), along = Vec3::Zero(), alongRate = Vec3::Zero();
  };
  std::array<Rim, 2> rim;
  const Vec3 d = s.x[1] - s.x[0], dRate = s.rate[1] - s.rate[0];
  for (std::size_t k = 0; k < 2; ++k) {
    const Station& st = station(k == 0 ? g.from : g.to);
    Motion& place = out.place[k];
    if (!st.wheel) {
      place = page.nodes[at(st.index)];
      continue;
    }
    if (page.wheels[at(st.index)].holds) {
      place = heldEnd(s, wheel(st.index), page.wheels[at(st.index)], static_cast<int>(k));
      continue;
    }
    Rim& r = rim[k];
    r.wheel = &wheel(st.index);
    r.now = &page.wheels[at(st.index)];
    r.radius = r.wheel->outline.radius();
    place.count = 0;
    place.x = s.x[k];
    place.v = s.rate[k];
    const Vec3 arm = r.now->lever + s.arm[k], armRate = r.now->omega.cross(r.now->lever) + s.armRate[k];
    if (!r.wheel->still) {
      Carry& c = place.add(r.wheel->mount.block, 6);
      c.a.leftCols<3>() = Mat3::Identity();
      c.a.rightCols<3>() = -skew(arm);
      c.d.rightCols<3>() = -skew(armRate);
    }
    r.out = s.arm[k] / r.radius;
    r.along = r.now->side * r.now->frame.normal.cross(r.out);
    const double run = r.along.dot(s.rate[k] - r.now->velocity - r.now->omega.cross(s.arm[k])) / r.radius;
    r.outRate = r.now->omega.cross(r.out) + run * r.along;
    r.alongRate = r.now->omega.cross(r.along) - run * r.out;
  }
  // N, and b of every rim.
  Eigen::Matrix2d n = Eigen::Matrix2d::Identity(), nRate = Eigen::Matrix2d::Zero();
  std::array<Flow, 2> b;
  for (std::size_t k = 0; k < 2; ++k) {
    const Rim &r = rim[k], &other = rim[1 - k];
    if (!r.wheel) continue;
    const int i = static_cast<int>(k);
    const double sign = k == 0 ? 1.0 : -1.0;
    n(i, i) = r.along.dot(d) / r.radius;
    nRate(i, i) = (r.alongRate.dot(d) + r.along.dot(dRate)) / r.radius;
    n(i, 1 - i) = sign * r.out.dot(other.along);
    nRate(i, 1 - i) = sign * (r.outRate.dot(other.along) + r.out.dot(other.alongRate));
    for (std::size_t e = 0; e < 2; ++e)
      for (int j = 0; j < out.place[e].count; ++j) {
        const Carry& c = out.place[e].carry[at(j)];
        Flow::Part& p = b[k].add(c.block, c.dof);
        const double way = e == 0 ? -1.0 : 1.0;
        p.a += way * (r.out.transpose() * c.a);
        p.d += way * (r.outRate.transpose() * c.a + r.out.transpose() * c.d);
      }
    if (r.wheel->still) continue;
    Flow::Part& p = b[k].add(r.wheel->mount.block, 6);
    p.a.tail<3>() += r.out.cross(d).transpose();
    p.d.tail<3>() += (r.outRate.cross(d) + r.out.cross(dRate)).transpose();
  }
  const double det = n(0, 0) * n(1, 1) - n(0, 1) * n(1, 0);
  Eigen::Matrix2d inverse;
  inverse << n(1, 1), -n(0, 1), -n(1, 0), n(0, 0);
  inverse *= det != 0.0 ? 1.0 / det : 0.0;
  const Eigen::Matrix2d inverseRate = -inverse * nRate * inverse;
  for (std::size_t k = 0; k < 2; ++k) {
    const Station& st = station(k == 0 ? g.from : g.to);
    Flow &run = out.run[k], &flow = out.flow[k];
    run.count = flow.count = 0;
    const Rim& r = rim[k];
    if (!r.wheel) {
      if (!st.wheel && node(st.index).flow >= 0) flow.add(node(st.index).flow, 1).a[0] = 1.0;
    } else {
      for (std::size_t e = 0; e < 2; ++e) {
        const double w = inverse(static_cast<int>(k), static_cast<int>(e));
        const double wRate = inverseRate(static_cast<int>(k), static_cast<int>(e));
        for (int j = 0; j < b[e].count; ++j) {
          const Flow::Part& o = b[e].part[at(j)];
          Flow::Part& p = run.add(o.block, o.dof);
          p.a -= w * o.a;
          p.d -= w * o.d + wRate * o.a;
        }
      }
      out.place[k].run(run, r.along, r.alongRate);
      flow.blend(run, 1.0);
      // Less what the rim carries along: (W − ω)×arm is along τ.
      if (r.wheel->mount.rotor >= 0) {
        const double turn = r.now->side * r.radius * (r.now->axle.dot(r.now->frame.normal) < 0.0 ? -1.0 : 1.0);
        flow.add(r.wheel->mount.rotor, 1).a[0] -= turn;
        if (!r.wheel->still) {
          Flow::Part& p = flow.add(r.wheel->mount.block, 6);
          p.a.tail<3>() += turn * r.now->axle.transpose();
          p.d.tail<3>() += turn * r.now->axleRate.transpose();
        }
      }
      if (r.wheel->slip >= 0) flow.add(r.wheel->slip, 1).a[0] -= 1.0;
      for (int j = 0; r.now->passes != 1.0 && j < flow.count; ++j) {
        flow.part[at(j)].a *= r.now->passes;
        flow.part[at(j)].d *= r.now->passes;
      }
    }
    out.material[k] = out.place[k];
    out.material[k].run(flow, -s.slope, -s.slopeRate);
  }
}

void StrandKinematics::carryEnd(const Page& page, const Segment& g, const SpanNow& span, int end, Motion& out) const {
  const Station& st = station(end == 0 ? g.from : g.to);
  if (!st.wheel) {
    out = page.nodes[at(st.index)];
    const Node& n = node(st.index);
    if (n.flow < 0) return;
    Carry& c = out.add(n.flow, 1);
    c.a.col(0) -= span.slope;
    c.d.col(0) -= span.slopeRate;
    return;
  }
  const Wheel& w = wheel(st.index);
  const WheelNow& wn = page.wheels[at(st.index)];
  const Vec3& arm = span.arm[at(end)];
  out.count = 0;
  if (!w.still) {
    Carry& c = out.add(w.mount.block, 6);
    c.a.leftCols<3>() = Mat3::Identity();
    c.a.rightCols<3>() = -skew(wn.lever);
    c.a.rightCols<3>() -=
        w.mount.rotor >= 0 ? Mat3(skew(arm) * (Mat3::Identity() - wn.axle * wn.axle.transpose())) : skew(arm);
  }
  if (w.mount.rotor >= 0) out.add(w.mount.rotor, 1).a.col(0) = wn.axle.cross(arm);
  if (w.slip >= 0) out.add(w.slip, 1).a.col(0) = wn.frame.normal.cross(arm) * (w.side / w.outline.radius());
}

}  // namespace reeve
