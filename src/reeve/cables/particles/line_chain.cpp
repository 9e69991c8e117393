// All single distances of a line at once, as the implicit step they belong to: Newton with the geometric stiffness.
//
// M (u − ũ) = Jᵀλ and C + α̃ λ = 0, ũ the motion without this line's distances. A taut segment resists being turned with
// q = T h²/l per displacement; taken explicitly that is unstable for long or heavily loaded ropes (h² 4T/(m l) > 4), so
// it is in the matrix. With e = x_b − x_a and the force q e on either end, a Newton step reads, for every segment,
//   Â_b δ_b + q(δ_b − δ_a) − n y = r̂_b,   n·(δ_b − δ_a) + α y = −c
// and eliminating from the last particle to the first, B = (Â_b + q)⁻¹, m = n − q B n, s = 1/(n·B n + α), leaves
//   Â_a = A_a + q − q² B + s m mᵀ,   r̂_a = r_a + q B r̂_b + s m (c + n·B r̂_b)
// then forward again y = s(m·δ_a − c − n·B r̂_b), δ_b = B(r̂_b + q δ_a + n y). A is the mass; of a held particle a
// thousand million times that; of one on a body the inverse of the body's mobility there.
#include <algorithm>
#include <cmath>

#include "reeve/cables/particles/line.h"

namespace reeve::particles {

namespace {
constexpr double anchored = 1e9;  // times the mass: next to immovable, and far from the end of the digits

Sym inverse(const Sym& m) {
  const double ca = m.d * m.f - m.e * m.e, cb = m.c * m.e - m.b * m.f, cc = m.b * m.e - m.c * m.d;
  const double k = 1.0 / (m.a * ca + m.b * cb + m.c * cc);
  return {
      k * ca, k * cb, k * cc, k * (m.a * m.f - m.c * m.c), k * (m.b * m.c - m.a * m.e), k * (m.a * m.d - m.b * m.b)};
}
}  // namespace

bool Line::chained() const {
  return direct && (way == ParticleWay::pbd || way == ParticleWay::xpbd) &&
         static_cast<int>(distances.size()) == singles();
}

void Line::startChain(const Bundle& bundle, double h) {
  // The last tensions are the best guess: on a smooth way one or two iterations do.
  for (int j = 0; j < singles(); ++j) lambda[at(j)] = -guess[at(j)] * h * h;
  last_.resize(at(count));
  free_.resize(at(count));
  applied_.assign(at(count), Vec3::Zero());
  for (int i = 0; i < count; ++i) last_[at(i)] = free_[at(i)] = bundle.points.u[at(first + i)];
}

/// A contact at a share of a segment resists both its particles; (ka a + kb b)² ≤ ka a² + kb b², so that each may be
/// taken by itself, a little too stiff.
void Line::gatherContacts() {
  if (contacts.empty()) return;
  heldK_.assign(at(count), Sym{0, 0, 0, 0, 0, 0});
  heldR_.assign(at(count), Vec3::Zero());
  for (const ChainContact& c : contacts)
    for (const auto& [point, share] : {std::pair{c.a, c.ka}, std::pair{c.b, c.kb}}) {
      const double k = share * c.k;
      const Vec3& n = c.normal;
      Sym& m = heldK_[at(point - first)];
      m.a += k * n.x() * n.x(), m.b += k * n.x() * n.y(), m.c += k * n.x() * n.z();
      m.d += k * n.y() * n.y(), m.e += k * n.y() * n.z(), m.f += k * n.z() * n.z();
      heldR_[at(point - first)] -= (k * c.gap) * n;
    }
}

/// What the contacts push more than before is no doing of this line.
void Line::passContacts(const Points& p) {
  for (ChainContact& c : contacts) {
    const Vec3 moved = c.ka * (p.u[at(c.a)] - last_[at(c.a - first)]) + c.kb * (p.u[at(c.b)] - last_[at(c.b - first)]);
    c.change = std::max(-c.k * (c.gap + c.normal.dot(moved)), -c.lambda);
    free_[at(c.a - first)] += (p.w[at(c.a)] * c.ka * c.change) * c.normal;
    free_[at(c.b - first)] += (p.w[at(c.b)] * c.kb * c.change) * c.normal;
  }
}

void Line::solveChain(Bundle& bundle, const Factors& f) {
  Points& p = bundle.points;
  gatherContacts();
  cells_.resize(at(count));
  const double* w = p.w.data() + first;
  Vec3* u = p.u.data() + first;
  // What others did since is motion that this line did not cause.
  for (int i = 0; i < count; ++i) {
    free_[at(i)] += u[i] - last_[at(i)];
    last_[at(i)] = u[i];
  }
  Sym hat{};
  Vec3 right = Vec3::Zero();
  const auto inertia = [&](int i, Sym& a, Vec3& r) {
    const double mass = p.mass[at(first + i)];
    if (w[i] > 0.0) {
      a = {mass, 0, 0, mass, 0, mass};
      r = mass * (free_[at(i)] - u[i]);
      if (contacts.empty()) return;
      const Sym& k = heldK_[at(i)];
      a = {a.a + k.a, k.b, k.c, a.d + k.d, k.e, a.f + k.f};
      r += heldR_[at(i)];
    } else if (bundle.pushes(first + i)) {
      const Proxy& body = bundle.bodyOf(first + i);
      const Mat3 k = body.inertiaAt(body.armOf(bundle.mountOf(first + i).local));
      a = {k(0, 0), k(0, 1), k(0, 2), k(1, 1), k(1, 2), k(2, 2)};
      r = -applied_[at(i)];
    } else {
      a = {anchored * mass, 0, 0, anchored * mass, 0, anchored * mass};
      r = Vec3::Zero();
    }
  };
  inertia(count - 1, hat, right);
  for (int j = singles() - 1; j >= 0; --j) {
    ChainCell& cell = cells_[at(j)];
    const Distance& c = distances[at(j)];
    const Vec3 d = edge[at(j)] + (u[j + 1] - u[j]);
    const double length = std::max(d.norm(), 1e-12), force = lambda[at(j)];
    const Vec3 n = d / length;
    const double q = std::max(-force, 0.0) / length;
    const double soft = f.soft ? c.compliance * f.alphaScale / (1.0 + f.lag) : 0.0;
    const double rate = f.lag > 0.0 ? f.lag * n.dot(u[j + 1] - u[j]) : 0.0;
    const double error = ((f.soft ? 1.0 : c.stiffness) * (length - c.rest) + rate) / (1.0 + f.lag) + soft * force;
    const double room = std::max(1.0 - soft * q, 0.1);
    cell.alpha = soft / room;
    cell.c = error / room;
    cell.n = n;
    cell.q = q;
    const Sym b = inverse({hat.a + q, hat.b, hat.c, hat.d + q, hat.e, hat.f + q});
    right += force * n;
    const Vec3 bn = b * n, br = b * right, m = n - q * bn;
    const double s = 1.0 / (n.dot(bn) + cell.alpha), nbr = n.dot(br);
    cell.b = b;
    cell.bn = bn;
    cell.br = br;
    cell.m = m;
    cell.s = s;
    cell.c += nbr;
    Vec3 own;
    inertia(j, hat, own);
    const double qq = q * q;
    hat.a += q - qq * b.a + s * m.x() * m.x();
    hat.b += -qq * b.b + s * m.x() * m.y();
    hat.c += -qq * b.c + s * m.x() * m.z();
    hat.d += q - qq * b.d + s * m.y() * m.y();
    hat.e += -qq * b.e + s * m.y() * m.z();
    hat.f += q - qq * b.f + s * m.z() * m.z();
    right = own - force * n + q * br + (s * cell.c) * m;
  }
  Vec3 move = inverse(hat) * right;
  bool pushed = false;
  const auto settle = [&](int i, const Vec3& delta) {
    if (w[i] > 0.0) {
      u[i] += delta;
    } else if (bundle.pushes(first + i)) {
      Proxy& body = bundle.bodyOf(first + i);
      const Vec3 arm = body.armOf(bundle.mountOf(first + i).local);
      const Vec3 impulse = body.inertiaAt(arm) * delta;
      body.strike(arm, impulse);
      applied_[at(i)] += impulse;
      pushed = true;
    }
  };
  for (int j = 0; j < singles(); ++j) {
    const ChainCell& cell = cells_[at(j)];
    const double y = cell.s * (cell.m.dot(move) - cell.c);
    const Vec3 next = cell.br + cell.q * (cell.b * move) + y * cell.bn;
    lambda[at(j)] += y - cell.q * cell.n.dot(next - move);
    settle(j, move);
    move = next;
    // Toward a held particle y is a rounding times its enormous mass. What the free one before it feels says it better.
    const bool held = !(w[j + 1] > 0.0) && (!bundle.pushes(first + j + 1) || bundle.bodyOf(first + j + 1).held);
    if (held && j > 0 && w[j] > 0.0 && cell.alpha == 0.0)
      lambda[at(j)] =
          cell.n.dot(cells_[at(j - 1)].n * lambda[at(j - 1)] - p.mass[at(first + j)] * (u[j] - free_[at(j)]));
  }
  settle(count - 1, move);
  passContacts(p);
  if (pushed) bundle.follow();
  for (int i = 0; i < count; ++i) {
    last_[at(i)] = u[i];
    if (!(w[i] > 0.0)) free_[at(i)] = u[i];
  }
}

}  // namespace reeve::particles
