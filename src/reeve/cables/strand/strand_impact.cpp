// What a strand keeps when nodes come and go: its momentum.
//
// Before and after a node comes, goes or changes its kind the strand lies in the same place, but it can move in other
// ways: before, its material moved with ẋ(s), after, with J(s) v. The impulses that make the one of the other do no
// work on J, so
//     M v = ∫ρ Jᵀẋ ds + (rows),
// the momenta of the new coordinates are those of the old velocities. Of all v that is the one that comes nearest to ẋ:
// ½∫ρ |ẋ|² ds falls by ½∫ρ |ẋ − J v|² ds and never grows. The solver finds v (State::jolted); here is the integral, as
// M v₀ + ∫ρ Jᵀ(ẋ − J v₀) ds with a v₀ that is nearly right, so that what has not changed adds nothing.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_contact.h"

namespace reeve {

namespace {

/// Pieces of an arc over which its material's velocity is taken to be linear.
constexpr int arcPieces = 8;

/// p += Jᵀ f of what carries a place.
void pushImpulse(const Model& model, const StrandTypes::Motion& m, const Vec3& f, std::span<double> p) {
  for (int i = 0; i < m.count; ++i) {
    const StrandTypes::Carry& c = m.carry[at(i)];
    const std::size_t v = at(model.blocks[at(c.block)].v);
    for (int k = 0; k < c.dof; ++k) p[v + at(k)] += c.a.col(k).dot(f);
  }
}

}  // namespace

void StrandContact::sample(const Instant& now, std::vector<Moved>& field) const {
  const Page& page = look(now);
  field.clear();
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& g = segments_[i];
    if (!onChart(now, g)) {
      const SpanNow& s = page.spans[i];
      if (!s.ok || s.skew || (station(g.from).wheel && station(g.to).wheel)) continue;
      field.push_back({s.s[0], s.m[0]});
      field.push_back({s.s[1], s.m[1]});
      continue;
    }
    End last = chartEnd(now, g, 0.0);
    for (int k = 1; k <= arcPieces; ++k) {
      const End next = chartEnd(now, g, static_cast<double>(k) / arcPieces);
      field.push_back({last.s, last.m});
      field.push_back({next.s, next.m});
      last = next;
    }
  }
}

void StrandContact::keepMomentum(const Instant& fresh, const std::vector<Moved>& field, std::span<double> p) const {
  if (settings_.lumped) return;
  const Model& model = fresh.model();
  const Page& page = look(fresh);
  const GaussRule& rule = gaussRule(3);
  // Calls visit(α, ρ ds, ẋ) along a segment, piece by piece of what its material did.
  const auto along = [&](double s0, double s1, auto&& visit) {
    for (std::size_t k = 0; k + 1 < field.size(); k += 2) {
      const Moved &a = field[k], &b = field[k + 1];
      const double low = std::max(a.s, s0), high = std::min(b.s, s1);
      if (!(high > low)) continue;
      for (int j = 0; j < rule.count; ++j) {
        const double s = low + rule.at[at(j)] * (high - low);
        visit((s - s0) / (s1 - s0), density_ * rule.weight[at(j)] * (high - low),
              Vec3(a.m + (s - a.s) / (b.s - a.s) * (b.m - a.m)));
      }
    }
  };
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& g = segments_[i];
    if (onChart(fresh, g)) {
      const double s0 = materialAt(fresh, node(station(g.from).index));
      along(s0, s0 + materialOn(fresh, g), [&](double alpha, double mass, const Vec3& was) {
        const End e = chartEnd(fresh, g, alpha);
        pushImpulse(model, e, mass * (was - e.m), p);
      });
      continue;
    }
    const SpanNow& s = page.spans[i];
    if (!s.ok || s.skew || (station(g.from).wheel && station(g.to).wheel)) continue;
    Vec3 impulse[2] = {Vec3::Zero(), Vec3::Zero()};
    along(s.s[0], s.s[1], [&](double alpha, double mass, const Vec3& was) {
      const Vec3 off = mass * (was - (s.m[0] + alpha * (s.m[1] - s.m[0])));
      impulse[0] += (1.0 - alpha) * off;
      impulse[1] += alpha * off;
    });
    for (int k = 0; k < 2; ++k) {
      if (impulse[k].isZero(0.0)) continue;
      Motion m;
      carryEnd(page, g, s, k, m);
      pushImpulse(model, m, impulse[k], p);
    }
  }
}

}  // namespace reeve
