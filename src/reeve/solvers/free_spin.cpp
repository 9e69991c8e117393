#include "reeve/solvers/free_spin.h"

#include <algorithm>

#include "reeve/math/rotation.h"

namespace reeve {

namespace {

/// ε over the sum of the principal moments: a straight rod eighty times as long as it is thick is at it.
constexpr double thinness = 5e-5;
/// rad: islands whose blocks move farther than this about the centre in a step are left alone: the root of the mean
/// square, over the radius of gyration.
constexpr double farthest = 0.25;

/// A block with a place of its own.
bool placed(const Block& b) { return b.free && (b.rotates || b.dof == 3); }

Mat3 pointInertia(double mass, const Vec3& r) {
  return mass * (r.squaredNorm() * Mat3::Identity() - r * r.transpose());
}

/// I³/(I⁴ + ε⁴) x, in two factors: their condition is the square root of the whole.
Vec3 spinOf(const Mat3& inertia, const Vec3& x) {
  const double size = inertia.trace();
  if (!(size > 0.0)) return Vec3::Zero();
  const Mat3 i = inertia / size, square = i * i;
  const double root2 = 1.4142135623730951;
  const Mat3 e2 = thinness * thinness * Mat3::Identity(), mixed = root2 * thinness * i;
  const Vec3 half = Mat3(square - mixed + e2).inverse() * (square * x);
  return Mat3(square + mixed + e2).inverse() * (i * half) / size;
}

}  // namespace

void FreeSpin::find(const Model& model, const RowSet& rows, std::span<const Mode> mode, std::span<const double> force,
                    const State& past) {
  count_ = 0;
  members_.clear();
  if (model.hasElementMass) return;
  const int n = static_cast<int>(model.blocks.size());
  ties_.begin(model);
  ties_.tie(model, rows, mode, force);
  island_.assign(at(n), -1);
  for (int i = 1; i < n; ++i) {
    if (!placed(model.blocks[at(i)]) || ties_.anchored(i)) continue;
    const int r = ties_.of(i);
    // Islands are counted by their first block with a place; their very first may have none.
    if (island_[at(r)] < 0) island_[at(r)] = count_++;
    island_[at(i)] = island_[at(r)];
    members_.push_back(i);
  }
  if (count_ > 0) drop(model, past);
}

/// Leaves out single blocks and what turns too far.
void FreeSpin::drop(const Model& model, const State& past) {
  islands_.assign(at(count_), Island{});
  for (const int i : members_) {
    const Block& b = model.blocks[at(i)];
    Island& own = islands_[at(island_[at(i)])];
    own.mass += b.mass;
    own.place += b.mass * triple(past.q, b.q);
    own.a += b.mass * triple(past.u, b.v);
    own.b.z() += 1.0;  // how many
  }
  for (Island& own : islands_) own.place /= own.mass, own.a /= own.mass;
  for (const int i : members_) {
    const Block& b = model.blocks[at(i)];
    Island& own = islands_[at(island_[at(i)])];
    own.missing.x() += b.mass * (triple(past.u, b.v) - own.a).squaredNorm();
    own.missing.y() += b.mass * (triple(past.q, b.q) - own.place).squaredNorm();
    if (b.rotates) own.missing.y() += 0.5 * b.inertia_B.trace();
  }
  const auto stays = [&](int island) {
    const Island& own = islands_[at(island)];
    return own.b.z() > 1.0 && own.missing.x() < farthest * farthest * own.missing.y();
  };
  std::erase_if(members_, [&](int i) { return !stays(island_[at(i)]); });
  if (members_.empty()) count_ = 0;
}

template <class Terms>
void FreeSpin::put(const Instant& now, const Terms& terms, std::span<double> out) const {
  const auto& blocks = now.model().blocks;
  islands_.assign(at(count_), Island{});
  for (const int i : members_) {
    const Block& b = blocks[at(i)];
    const Term t = terms(i, b);
    Island& own = islands_[at(island_[at(i)])];
    own.mass += b.mass;
    own.place += b.mass * t.place;
    own.a += b.mass * t.a;
    own.b += b.mass * t.b;
  }
  for (Island& own : islands_) {
    if (own.mass > 0.0) own.place /= own.mass, own.a /= own.mass, own.b /= own.mass;
  }
  for (const int i : members_) {
    const Block& b = blocks[at(i)];
    const Term t = terms(i, b);
    Island& own = islands_[at(island_[at(i)])];
    own.missing += (t.a - own.a).cross(t.A) + (t.b - own.b).cross(t.B);
    own.inertia += pointInertia(b.mass, t.place - own.place);
    if (b.rotates) own.inertia += worldInertia(now, i);
  }
  for (Island& own : islands_) own.missing = spinOf(own.inertia, own.missing);
  for (const int i : members_) {
    const Block& b = blocks[at(i)];
    const Island& own = islands_[at(island_[at(i)])];
    const Vec3 linear = b.mass * own.missing.cross(terms(i, b).place - own.place);
    for (int k = 0; k < 3; ++k) out[at(b.v + k)] += linear[k];
    if (!b.rotates) continue;
    const Vec3 angular = worldInertia(now, i) * own.missing;
    for (int k = 0; k < 3; ++k) out[at(b.v + 3 + k)] += angular[k];
  }
}

void FreeSpin::hat(const Scheme& s, const Instant& now, const State& past, std::span<double> pHat) const {
  if (!any()) return;
  for (const int i : members_) {
    const Block& b = now.model().blocks[at(i)];
    for (std::size_t k = at(b.v); k < at(b.v + b.dof); ++k)
      pHat[k] = s.second ? (4.0 * past.p[k] - past.pOld[k]) / 3.0 : past.p[k];
  }
  const auto terms = [&](int i, const Block& b) {
    const Vec3 p = triple(past.p, b.v), old = triple(past.pOld, b.v), u = triple(now.u, b.v);
    if (!s.second) return Term{now.position(i), u, -p};
    return Term{now.position(i), u, (old - 4.0 * p) / 3.0, triple(past.u, b.v), old / 3.0};
  };
  put(now, terms, pHat);
}

void FreeSpin::jump(const Instant& now, const State& before, std::span<double> p) const {
  if (!any()) return;
  const auto terms = [&](int i, const Block& b) {
    return Term{now.position(i), now.position(i) - triple(before.q, b.q), -triple(before.p, b.v)};
  };
  put(now, terms, p);
}

void FreeSpin::ghost(const Instant& now, std::span<const double> u, std::span<double> pOld) const {
  if (!any()) return;
  const auto terms = [&](int i, const Block& b) {
    const Vec3 back = triple(u, b.v);
    return Term{now.position(i) - back, back, triple(pOld, b.v)};
  };
  put(now, terms, pOld);
}

}  // namespace reeve
