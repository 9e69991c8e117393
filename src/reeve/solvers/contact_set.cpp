#include "reeve/solvers/contact_set.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/at.h"
#include "reeve/model/kinetics.h"

namespace reeve {

namespace {
/// ρ as a share of the mobility of the heaviest block.
constexpr double giveShare = 1e-4;
/// An interior step ends this share of the way to where an impulse or a gap vanishes.
constexpr double withinShare = 0.99;
/// Passes after which the friction bound follows the load by halves, and after which it stays.
constexpr int halvingPass = 6, lastFollowingPass = 14;

struct Force {
  double p[3];
  double normal, tangent[3];
};

/// p(y) and −∂p/∂y.
Force forceAt(const ContactTerm& c, const double* y) {
  Force f{};
  if (!c.used) return f;
  const double n = c.shift[0] - y[0] / c.give;
  if (n > 0.0) {
    f.p[0] = n;
    f.normal = 1.0 / c.give;
  }
  if (c.bound <= 0.0) return f;
  if (c.slides) {
    f.p[1] = c.bound * c.along[0];
    f.p[2] = c.bound * c.along[1];
    return f;
  }
  const double t1 = c.shift[1] - y[1] / c.give, t2 = c.shift[2] - y[2] / c.give, size = std::sqrt(t1 * t1 + t2 * t2);
  if (size <= c.bound) {
    f.p[1] = t1;
    f.p[2] = t2;
    f.tangent[0] = f.tangent[2] = 1.0 / c.give;
    return f;
  }
  const double share = c.bound / size, stiff = share / c.give, u1 = t1 / size, u2 = t2 / size;
  f.p[1] = share * t1;
  f.p[2] = share * t2;
  f.tangent[0] = stiff * u2 * u2;
  f.tangent[1] = -stiff * u1 * u2;
  f.tangent[2] = stiff * u1 * u1;
  return f;
}
}  // namespace

int ContactSet::root(int block) {
  while (parent_[at(block)] != block) block = parent_[at(block)] = parent_[at(parent_[at(block)])];
  return block;
}

void ContactSet::take(const Model& model, const RowSet& rows, const RowSet& touching) {
  terms.clear();
  touched_.clear();
  if (touching.rows.empty()) return;
  const int n = static_cast<int>(model.blocks.size());
  parent_.resize(at(n));
  for (int i = 0; i < n; ++i) parent_[at(i)] = i;
  const auto tie = [&](const RowSet& set) {
    for (const Row& row : set.rows) {
      int first = -1;
      for (int e = row.first; e < row.first + row.count; ++e) {
        const int block = set.entries[at(e)].block;
        if (!model.blocks[at(block)].free) continue;
        if (first >= 0) parent_[at(root(block))] = root(first);
        first = block;
      }
    }
  };
  tie(rows);
  tie(touching);
  heaviest_.assign(at(n), 0.0);
  for (int i = 0; i < n; ++i)
    if (model.blocks[at(i)].free) heaviest_[at(root(i))] = std::max(heaviest_[at(root(i))], model.blocks[at(i)].mass);
  for (std::size_t r = 0; r + 2 < touching.rows.size(); r += 3) {
    ContactTerm& c = terms.emplace_back();
    c.row = static_cast<int>(r);
    c.friction = touching.rows[r + 1].upperGain;
    double mass = 0.0;
    for (int e = touching.rows[r].first; e < touching.rows[r].first + touching.rows[r].count; ++e) {
      const int block = touching.entries[at(e)].block;
      if (!model.blocks[at(block)].free) continue;
      mass = heaviest_[at(root(block))];
      c.mobility += entryMobility(model.blocks[at(block)], touching.entries[at(e)]);
      touched_.push_back(block);
    }
    c.used = mass > 0.0;
    c.give = mass > 0.0 ? giveShare / mass : 1.0;
  }
  std::sort(touched_.begin(), touched_.end());
  touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
}

void ContactSet::start(const RowSet& touching, std::span<const double> force, double scale) {
  for (ContactTerm& c : terms) {
    for (int k = 0; k < 3; ++k) c.shift[k] = scale * force[at(touching.rows[at(c.row + k)].slot)];
    c.shift[0] = std::max(c.shift[0], 0.0);
    c.bound = c.friction * c.shift[0];
  }
}

bool ContactSet::unknown() const {
  return std::none_of(terms.begin(), terms.end(), [](const ContactTerm& c) { return c.shift[0] > 0.0; });
}

void ContactSet::evaluate() {
  for (ContactTerm& c : terms) {
    const Force f = forceAt(c, c.y);
    for (int k = 0; k < 3; ++k) c.p[k] = f.p[k], c.tangent[k] = f.tangent[k];
    c.normal = f.normal;
  }
}

void ContactSet::keepImpulses() {
  for (ContactTerm& c : terms)
    for (int k = 0; k < 3; ++k) c.shift[k] = c.p[k];
}

void ContactSet::nextPass(int pass) {
  keepImpulses();
  for (ContactTerm& c : terms) {
    if (pass > lastFollowingPass) continue;
    const double bound = c.friction * c.p[0];
    c.bound = pass > halvingPass ? 0.5 * (c.bound + bound) : bound;
  }
}

void ContactSet::followLoad() {
  for (ContactTerm& c : terms) c.bound = c.friction * c.p[0];
}

void ContactSet::startInterior(double motion) {
  for (ContactTerm& c : terms) {
    if (!c.used) continue;
    const double size = motion + std::max(-c.y[0], 0.0);
    c.w = std::max(c.y[0], size);
    c.p[0] = size / c.mobility;
    c.p[1] = c.p[2] = 0.0;
    c.bound = c.friction * c.p[0];
  }
}

double ContactSet::gapProduct() const {
  double sum = 0.0;
  int count = 0;
  for (const ContactTerm& c : terms)
    if (c.used) sum += c.p[0] * c.w, ++count;
  return count > 0 ? sum / count : 0.0;
}

double ContactSet::productOf(double motion) const {
  double most = 0.0;
  for (const ContactTerm& c : terms)
    if (c.used) most = std::max(most, c.mobility);
  return most > 0.0 ? motion * motion / most : 0.0;
}

void ContactSet::linearise(double kappa) {
  for (ContactTerm& c : terms) {
    for (int k = 0; k < 3; ++k) c.wanted[k] = c.tangent[k] = 0.0;
    c.normal = 0.0;
    if (!c.used) continue;
    c.normal = c.p[0] / c.w;
    c.wanted[0] = kappa / c.w - c.normal * (c.y[0] - c.w);
    if (c.bound <= 0.0) continue;
    if (c.slides) {
      for (int k = 0; k < 2; ++k) c.wanted[k + 1] = c.bound * c.along[k];
      continue;
    }
    const double e = kappa / c.bound, eta = std::sqrt(c.y[1] * c.y[1] + c.y[2] * c.y[2] + e * e);
    for (int k = 1; k < 3; ++k) c.wanted[k] = -c.bound * c.y[k] / eta;
    c.tangent[0] = (c.bound + c.p[1] * c.y[1] / eta) / eta;
    c.tangent[1] = 0.5 * (c.p[1] * c.y[2] + c.p[2] * c.y[1]) / (eta * eta);
    c.tangent[2] = (c.bound + c.p[2] * c.y[2] / eta) / eta;
  }
}

double ContactSet::advanceInterior(bool follows) {
  double a = 1.0;
  const auto limit = [&](double x, double dx) {
    if (x + a * dx < (1.0 - withinShare) * x) a = -withinShare * x / dx;
  };
  for (const ContactTerm& c : terms) {
    if (!c.used) continue;
    limit(c.w, c.change[0] + c.y[0] - c.w);
    limit(c.p[0], c.wanted[0] - c.normal * c.change[0] - c.p[0]);
  }
  for (ContactTerm& c : terms) {
    if (!c.used) continue;
    c.w += a * (c.change[0] + c.y[0] - c.w);
    c.p[0] += a * (c.wanted[0] - c.normal * c.change[0] - c.p[0]);
    const double d1 = c.tangent[0] * c.change[1] + c.tangent[1] * c.change[2],
                 d2 = c.tangent[1] * c.change[1] + c.tangent[2] * c.change[2];
    c.p[1] += a * (c.wanted[1] - d1 - c.p[1]);
    c.p[2] += a * (c.wanted[2] - d2 - c.p[2]);
    if (follows) c.bound = c.friction * c.p[0];
    if (c.slides) continue;
    const double size = std::sqrt(c.p[1] * c.p[1] + c.p[2] * c.p[2]), most = c.bound;
    if (size > most)
      for (int k = 1; k < 3; ++k) c.p[k] *= most / size;
  }
  return a;
}

double ContactSet::interiorError() const {
  double most = 0.0;
  for (const ContactTerm& c : terms) {
    if (!c.used) continue;
    most = std::max({most, std::fabs(c.y[0] - c.w), std::min(c.w, c.p[0] * c.mobility)});
    if (c.bound <= 0.0 || c.slides) continue;
    // It sticks, or slides against its friction with all of it.
    const double slip = std::sqrt(c.y[1] * c.y[1] + c.y[2] * c.y[2]);
    double miss = 0.0;
    for (int k = 1; k < 3 && slip > 0.0; ++k) miss = std::max(miss, std::fabs(c.p[k] + c.bound * c.y[k] / slip));
    most = std::max(most, std::min(slip, miss * c.mobility));
  }
  return most;
}

double ContactSet::slope(double a) const {
  double sum = 0.0;
  for (const ContactTerm& c : terms) {
    if (!c.used) continue;
    const double y[3] = {c.y[0] + a * c.change[0], c.y[1] + a * c.change[1], c.y[2] + a * c.change[2]};
    const Force f = forceAt(c, y);
    sum -= f.p[0] * c.change[0] + f.p[1] * c.change[1] + f.p[2] * c.change[2];
  }
  return sum;
}

void ContactSet::advance(double a) {
  for (ContactTerm& c : terms)
    for (int k = 0; k < 3; ++k) c.y[k] += a * c.change[k];
}

void ContactSet::setChange(const Model& model, const RowSet& touching, std::span<const double> x) {
  for (ContactTerm& c : terms)
    for (int k = 0; k < 3; ++k) {
      const Row& row = touching.rows[at(c.row + k)];
      double sum = 0.0;
      for (int e = row.first; e < row.first + row.count; ++e) {
        const Entry& entry = touching.entries[at(e)];
        const Block& b = model.blocks[at(entry.block)];
        for (int i = 0; b.free && i < b.dof; ++i) sum += entry.j[i] * x[at(b.v + i)];
      }
      c.change[k] = sum;
    }
}

void ContactSet::addForces(const Model& model, const RowSet& touching, double scale, Part part,
                           std::span<double> out) const {
  for (const ContactTerm& c : terms) {
    const double* from = part == Part::wanted ? c.wanted : c.p;
    double f[3] = {from[0], from[1], from[2]};
    if (part == Part::stiff) {
      f[0] = c.normal * c.change[0];
      f[1] = c.tangent[0] * c.change[1] + c.tangent[1] * c.change[2];
      f[2] = c.tangent[1] * c.change[1] + c.tangent[2] * c.change[2];
    }
    for (int k = 0; k < 3; ++k) {
      if (f[k] == 0.0) continue;
      const Row& row = touching.rows[at(c.row + k)];
      for (int e = row.first; e < row.first + row.count; ++e) {
        const Entry& entry = touching.entries[at(e)];
        const Block& b = model.blocks[at(entry.block)];
        for (int i = 0; b.free && i < b.dof; ++i) out[at(b.v + i)] += scale * f[k] * entry.j[i];
      }
    }
  }
}

void ContactSet::addPatches(const Model& model, const RowSet& touching, PatchSet& out) const {
  int lastA = -1, lastB = -1;
  std::size_t own = 0;  // first patch of the pair at hand
  for (const ContactTerm& c : terms) {
    const Entry* j[2][3] = {};
    int block[2] = {-1, -1};
    const Row& gap = touching.rows[at(c.row)];
    for (int s = 0; s < gap.count && s < 2; ++s) {
      const int b = touching.entries[at(gap.first + s)].block;
      if (!model.blocks[at(b)].free) continue;
      block[s] = b;
      for (int k = 0; k < 3; ++k) j[s][k] = &touching.entries[at(touching.rows[at(c.row + k)].first + s)];
    }
    if (block[0] != lastA || block[1] != lastB || out.patches.empty()) {
      own = out.patches.size();
      lastA = block[0], lastB = block[1];
      for (const int b : block)
        if (b >= 0) out.add(b, b);
      if (block[0] >= 0 && block[1] >= 0) out.add(block[0], block[1]);
    }
    if (c.normal == 0.0 && c.tangent[0] == 0.0 && c.tangent[2] == 0.0) continue;
    const auto add = [&](Patch& patch, const Entry* const* a, const Entry* const* b) {
      for (int col = 0; col < 6; ++col) {
        const double d0 = c.normal * b[0]->j[col], d1 = c.tangent[0] * b[1]->j[col] + c.tangent[1] * b[2]->j[col],
                     d2 = c.tangent[1] * b[1]->j[col] + c.tangent[2] * b[2]->j[col];
        for (int row = 0; row < 6; ++row)
          patch.k(row, col) += a[0]->j[row] * d0 + a[1]->j[row] * d1 + a[2]->j[row] * d2;
      }
    };
    std::size_t next = own;
    for (int s = 0; s < 2; ++s)
      if (block[s] >= 0) add(out.patches[next++], j[s], j[s]);
    if (block[0] >= 0 && block[1] >= 0) add(out.patches[next], j[0], j[1]);
  }
}

double ContactSet::motionOf(const Model& model, std::span<const double> residual) const {
  double most = 0.0;
  for (const int i : touched_) {
    const Block& b = model.blocks[at(i)];
    const int linear = b.rotates ? 3 : b.dof;
    // By the radius of gyration: a length, as the others are.
    const double turn = b.rotates ? 1.0 / std::sqrt(b.mass * b.inertia_B.trace() / 3.0) : 0.0;
    for (int k = 0; k < b.dof; ++k)
      most = std::max(most, std::fabs(residual[at(b.v + k)]) * (k < linear ? 1.0 / b.mass : turn));
  }
  return most;
}

}  // namespace reeve
