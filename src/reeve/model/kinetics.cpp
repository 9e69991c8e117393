#include "reeve/model/kinetics.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"

namespace reeve {

Mat3 worldInertia(const Instant& now, int block) {
  const Mat3& r = now.rotation(block);
  return r * now.model().blocks[at(block)].inertia_B * r.transpose();
}

namespace {
/// World inertia tensor times this, without the tensor.
Vec3 worldInertiaTimes(const Instant& now, int block, const Vec3& omega) {
  const Mat3& r = now.rotation(block);
  const Vec3 own = now.model().blocks[at(block)].inertia_B * (r.transpose() * omega);
  return r * own;
}
}  // namespace

void setVelocities(const Scheme& s, Instant& now) {
  now.touch();
  const std::vector<double>& uOld = now.past().u;
  const double back = s.second ? 0.5 / s.h : 0.0;
  now.stepping = true;
  now.stepRate = s.k;
  now.stepScale = s.s2();
  now.second = s.second;
  for (const Moving::Run& run : now.moving().free)
    for (std::size_t i = at(run.v); i < at(run.v + run.count); ++i)
      now.v[i] = s.second ? s.k * now.u[i] - back * uOld[i] : s.k * now.u[i];
}

void startMomentum(const Scheme& s, const State& past, std::span<double> pHat) {
  for (std::size_t i = 0; i < pHat.size(); ++i) pHat[i] = s.second ? (4.0 * past.p[i] - past.pOld[i]) / 3.0 : past.p[i];
}

Vec3 spinSum(std::span<const Spin> spins, std::span<const double> p) {
  Vec3 sum = Vec3::Zero();
  for (const Spin& spin : spins) sum += spin.axis_B * p[at(spin.v)];
  return sum;
}

namespace {

/// Of the blocks themselves.
void ownMomentum(const Instant& now, std::span<double> p) {
  const Moving& moving = now.moving();
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = moving.mass[i] * now.v[i];
  for (const int block : moving.turning)
    addTriple(p, now.model().blocks[at(block)].v + 3, worldInertiaTimes(now, block, now.angularVelocity(block)));
}

void addSpins(const Instant& now, std::span<double> p) {
  const Model& m = now.model();
  everyParent(m, [&](int parent, std::span<const Spin> spins) {
    if (m.blocks[at(parent)].free) addTriple(p, m.blocks[at(parent)].v + 3, now.rotation(parent) * spinSum(spins, p));
  });
}

}  // namespace

void momentum(const Instant& now, std::span<double> p) {
  ownMomentum(now, p);
  for (const ElementMass* mass : now.model().masses) mass->momentum(now, p);
  addSpins(now, p);
}

void momentum(const Instant& now, std::span<const double> carried, std::span<double> p) {
  ownMomentum(now, p);
  for (std::size_t i = 0; i < carried.size(); ++i) p[i] += carried[i];
  addSpins(now, p);
}

void carriedMomentum(const Instant& now, std::span<double> p) {
  std::fill(p.begin(), p.end(), 0.0);
  for (const ElementMass* mass : now.model().masses) mass->momentum(now, p);
}

// The parent of a spin obeys D(I ω + p a) = τ + a D(p), where D(p) is what the rotor itself receives: the row's force
// on the rotor acts at its radius, and the bearing passes the axial part on to nobody. Written out for either scheme
// the new spin momentum cancels and what remains is I ω + a p̂ − P̂: total angular momentum is kept to rounding.
// Mass that elements carry has no such bearing: what they lay on a rotor, p_c, is in P as a p_c like the rotor's own,
// but the parent's equation knows nothing of it, so its ȧ p_c is given back.
void inertiaResidual(const Scheme& s, const Instant& now, std::span<const double> pHat, std::span<const double> carried,
                     std::span<double> out) {
  const Model& m = now.model();
  const double scale = 1.0 / s.k;
  const Moving& moving = now.moving();
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (moving.mass[i] * now.v[i] - pHat[i]) * scale;
  for (const int block : moving.turning) {
    const int v = m.blocks[at(block)].v + 3;
    const Vec3 r = (worldInertiaTimes(now, block, now.angularVelocity(block)) - triple(pHat, v)) * scale;
    for (int k = 0; k < 3; ++k) out[at(v + k)] = r[k];
  }
  everyParent(m, [&](int parent, std::span<const Spin> spins) {
    if (m.blocks[at(parent)].free)
      addTriple(out, m.blocks[at(parent)].v + 3, now.rotation(parent) * spinSum(spins, pHat) * scale);
  });
  if (carried.empty()) return;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] += carried[i] * scale;
  addCarriedTurn(now, carried, -s.s2(), out);
}

void addCarriedTurn(const Instant& now, std::span<const double> carried, double scale, std::span<double> out) {
  const Model& m = now.model();
  everyParent(m, [&](int parent, std::span<const Spin> spins) {
    if (!m.blocks[at(parent)].free) return;
    const Vec3 turning = now.angularVelocity(parent).cross(now.rotation(parent) * spinSum(spins, carried));
    addTriple(out, m.blocks[at(parent)].v + 3, turning * scale);
  });
}

double entryMobility(const Block& block, const Entry& entry) {
  if (!block.free) return 0.0;
  const double mass = std::max(block.mass, block.nominal);
  double w = 0.0;
  const int linear = block.rotates ? 3 : block.dof;
  for (int k = 0; k < linear; ++k) w += entry.j[k] * entry.j[k];
  w /= mass;
  if (block.rotates)
    w += 3.0 * (entry.j[3] * entry.j[3] + entry.j[4] * entry.j[4] + entry.j[5] * entry.j[5]) / block.inertia_B.trace();
  return w;
}

Mat3 rotationTangent(const Scheme& s, const Instant& now, int block, const Mat3& inertia_W, std::span<const double>,
                     double& skewness) {
  const Block& b = now.model().blocks[at(block)];
  const Vec3 theta = triple(now.u, b.v + 3);
  const Vec3 omega = now.angularVelocity(block);
  // d(I ω) = (−[I ω]× + I [ω]×) φ + I k dθ, dθ = T⁻¹ φ.
  const Mat3 tangent =
      inertia_W * leftJacobianInverse(theta) + (inertia_W * skew(omega) - skew(inertia_W * omega)) * (1.0 / s.k);
  const Mat3 odd = tangent - tangent.transpose();
  skewness = std::max(skewness, odd.cwiseAbs().maxCoeff() / inertia_W.diagonal().maxCoeff());
  return tangent;
}

Energy energyOf(const Instant& now, std::span<const double> force) {
  Energy sum;
  const Model& m = now.model();
  for (std::size_t i = 0; i < m.blocks.size(); ++i) {
    const Block& b = m.blocks[i];
    if (!b.free) continue;
    const int block = static_cast<int>(i), linear = b.rotates ? 3 : b.dof;
    for (int k = 0; k < linear; ++k) sum.kinetic += 0.5 * b.mass * now.v[at(b.v + k)] * now.v[at(b.v + k)];
    if (b.rotates)
      sum.kinetic += 0.5 * now.angularVelocity(block).dot(worldInertia(now, block) * now.angularVelocity(block));
    if (b.weighs) sum.potential -= b.mass * m.description.settings.gravity.dot(now.position(block));
  }
  for (const auto& e : m.elements) {
    const Energy own = e->energy(now, force);
    sum.kinetic += own.kinetic;
    sum.potential += own.potential;
    sum.elastic += own.elastic;
  }
  return sum;
}

}  // namespace reeve
