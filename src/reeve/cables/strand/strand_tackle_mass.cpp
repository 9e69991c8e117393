// Mass and stiffness of a tackle.
//
// A sheave with M, F = ∫ρa and S = ∫ρ(a²1 − aaᵀ) of all that moves with its rim moves with its body by
// (1, −[L]× − [a]×P), P = 1 − NNᵀ: what the axle leaves to it. So the body's mass has
//     M,   −M[L]× − [F]×P,   −M[L]×² − [L]×[F]×P − P[F]×[L]× + PSP,                                                 (1)
// of which sums over the sheaves are taken, [L]×[F]× = F Lᵀ − (L·F) 1. Two bodies share w of a fall by (1, B₁ᵀ; B₀,
// B₀B₁ᵀ), B = [L]× + P[ρw]×. Geometric stiffness is T/l across a fall, along w and N, at the axles.
#include <algorithm>

#include "reeve/cables/strand/strand_tackle.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {

/// A sum for each disc. Nearly all tackles have two discs: those are at hand, and nothing is allocated.
template <class T>
class DiscSums {
 public:
  explicit DiscSums(std::size_t count, const T& none = T{}) {
    few_.fill(none);
    if (count > few_.size()) many_.assign(count, none);
  }
  T& operator[](std::size_t i) { return many_.empty() ? few_[i] : many_[i]; }

 private:
  std::array<T, 8> few_;
  std::vector<T> many_;
};

using Vec6 = Eigen::Matrix<double, 6, 1>;

/// A patch to add to: that of a body is found again among the first few since `first`.
Patch& patchOf(PatchSet& out, std::size_t first, int a, int b) {
  for (std::size_t k = first; k < std::min(first + 4, out.patches.size()); ++k)
    if (out.patches[k].a == a && out.patches[k].b == b) return out.patches[k];
  return out.add(a, b);
}

/// From coordinates of the plane to the world's.
Mat6 fromPlane(const Mat3& plane, const Mat6& k) {
  Mat6 out;
  for (int r = 0; r < 6; r += 3)
    for (int c = 0; c < 6; c += 3) out.block<3, 3>(r, c) = plane * k.block<3, 3>(r, c) * plane.transpose();
  return out;
}

Mat6 bodyMass(const Tackle::BodyMass& b) {
  Mat3 far = b.far, kept = Mat3::Identity(), second = Mat3::Zero();
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < r; ++c) far(r, c) = far(c, r);
  const Mat3 crossed = b.mixed - b.mixed.trace() * Mat3::Identity();  // Σ [L]×[F]×
  kept(2, 2) = 0.0;
  second(0, 0) = b.xx;
  second(1, 1) = b.yy;
  second(0, 1) = second(1, 0) = b.xy;
  const Mat3 side = -skew(b.lever) - skew(b.first) * kept;
  Mat6 k;
  k.block<3, 3>(0, 0) = b.mass * Mat3::Identity();
  k.block<3, 3>(0, 3) = side;
  k.block<3, 3>(3, 0) = side.transpose();
  k.block<3, 3>(3, 3) = far.trace() * Mat3::Identity() - far - crossed * kept - kept * crossed.transpose() + second;
  return k;
}

/// The columns that a spin shares with the bodies beside it: its own, and those at the other ends of its two falls.
struct Columns {
  int count = 0;
  std::array<int, 3> block{};
  std::array<Vec3, 3> force, moment;
  /// f in the plane at a lever, in coordinates of the plane.
  void add(int body, double fx, double fy, const Vec3& lever) {
    const Vec3 f(fx, fy, 0.0), m(-lever.z() * fy, lever.z() * fx, lever.x() * fy - lever.y() * fx);
    for (int i = 0; i < count; ++i)
      if (block[at(i)] == body) {
        force[at(i)] += f;
        moment[at(i)] += m;
        return;
      }
    block[at(count)] = body;
    force[at(count)] = f;
    moment[at(count++)] = m;
  }
};

}  // namespace

/// Mass, first and second moment of what moves with a rim, in its plane.
struct Tackle::Rim {
  bool any = false;
  double mass = 0.0, fx = 0.0, fy = 0.0, xx = 0.0, yy = 0.0, xy = 0.0, spin = 0.0;
  void point(double m, double x, double y) {
    mass += m;
    fx += m * x;
    fy += m * y;
    xx += m * y * y;
    yy += m * x * x;
    xy -= m * x * y;
    spin += m * (x * x + y * y);
  }
};

Tackle::Rim Tackle::rimOf(const Now& now, double density, int i) const {
  const Sheave& s = sheaves[at(i)];
  const DiscNow& d = now.discs[at(s.disc)];
  const double rho = now.sheaves[at(i)].rho, side = rho < 0.0 ? -1.0 : 1.0, third = density / 3.0;
  double x[2], y[2], mass[2], angle[2];
  Rim rim;
  for (int k = 0; k < 2; ++k) {  // the fall that comes, and the one that leaves
    const int fall = i - 1 + k;
    if (fall >= 0 && fall + 1 < count()) {
      const FallNow& f = now.falls[at(fall)];
      x[k] = f.ny;
      y[k] = -f.nx;
      mass[k] = third * f.rest;
      angle[k] = f.angle[1 - k];
      continue;
    }
    const End& end = now.ends[at(k)];
    if (!end.there) return rim;
    x[k] = side * (end.facing.x() * d.x.x() + end.facing.y() * d.y.x());
    y[k] = side * (end.facing.x() * d.x.y() + end.facing.y() * d.y.y());
    mass[k] = end.mass;
    angle[k] = end.angle;
  }
  const double r = s.radius, wrap = s.side * (angle[1] - angle[0]), lr2 = density * r * r, cube = lr2 * r;
  rim.any = true;
  rim.spin = cube * wrap;
  if (!d.still) {
    const double swing = 0.5 * side * (x[1] * y[1] - x[0] * y[0]);
    rim.mass = density * r * wrap;
    rim.fx = lr2 * (y[1] - y[0]);
    rim.fy = -lr2 * (x[1] - x[0]);
    rim.xx = cube * (0.5 * wrap - swing);  // ∫ρ (a² − x²)
    rim.yy = cube * (0.5 * wrap + swing);
    rim.xy = -0.5 * cube * side * (y[1] * y[1] - y[0] * y[0]);
    for (int k = 0; k < 2; ++k) rim.point(mass[k], rho * x[k], rho * y[k]);
  } else {
    rim.spin += (mass[0] + mass[1]) * rho * rho;
  }
  return rim;
}

void Tackle::mass(const Now& now, double density, PatchSet& out) const {
  const std::size_t hubs = out.patches.size();
  const Vec3 axisX = now.plane.col(0), axisY = now.plane.col(1), axisN = now.plane.col(2);
  DiscSums<BodyMass> sums(now.discs.size());
  for (const DiscNow& d : now.discs)
    if (d.free && !d.still) patchOf(out, hubs, d.block, d.block);
  double before = 0.0;  // shared by the fall that comes
  for (int i = 0; i < count(); ++i) {
    const Sheave& s = sheaves[at(i)];
    const DiscNow& d = now.discs[at(s.disc)];
    const SheaveNow& here = now.sheaves[at(i)];
    const double axle = d.flip * s.axle, reach = axle * here.rho;
    Columns columns;
    const Rim rim = rimOf(now, density, i);
    if (rim.any) {
      out.column(s.rotor, s.rotor).k[0] = rim.spin;
      if (d.free && !d.still) {
        const Vec3 l = here.place + d.lever, ml = rim.mass * l;
        BodyMass& b = sums[at(s.disc)];
        b.mass += rim.mass;
        b.xx += rim.xx;
        b.yy += rim.yy;
        b.xy += rim.xy;
        b.lever += ml;
        b.first.x() += rim.fx;
        b.first.y() += rim.fy;
        for (int c = 0; c < 3; ++c) {
          for (int r = 0; r <= c; ++r) b.far(r, c) += ml[r] * l[c];
          b.mixed(0, c) += rim.fx * l[c];
          b.mixed(1, c) += rim.fy * l[c];
        }
        columns.add(d.block, -axle * rim.fy, axle * rim.fx, l);
      }
    }
    // What moves at the other end of a fall moves its material by n for each of its own.
    const auto beyond = [&](int other, const FallNow& f, double w) {
      const DiscNow& there = now.discs[at(sheaves[at(other)].disc)];
      if (!there.free || there.still) return;
      columns.add(there.block, w * reach * f.nx, w * reach * f.ny, now.sheaves[at(other)].place + there.lever);
    };
    if (i > 0) beyond(i - 1, now.falls[at(i - 1)], before);
    if (i + 1 < count()) {
      const FallNow& f = now.falls[at(i)];
      const Sheave& next = sheaves[at(i + 1)];
      const double w = density / 6.0 * f.rest;
      beyond(i + 1, f, w);
      const DiscNow& beside = now.discs[at(next.disc)];
      const double otherReach = beside.flip * next.axle * now.sheaves[at(i + 1)].rho;
      out.column(s.rotor, next.rotor).k[0] = (s.rotor == next.rotor ? 2.0 : 1.0) * w * reach * otherReach;
      if (d.free && !d.still && beside.free && !beside.still) shareFall(now, i, w, hubs, out);
      before = w;
    }
    for (int k = 0; k < columns.count; ++k) {
      Column& c = out.column(columns.block[at(k)], s.rotor);
      const Vec3 &f = columns.force[at(k)], &m = columns.moment[at(k)];
      for (int j = 0; j < 3; ++j) {
        c.k[j] = f.x() * axisX[j] + f.y() * axisY[j];
        c.k[3 + j] = m.x() * axisX[j] + m.y() * axisY[j] + m.z() * axisN[j];
      }
    }
  }
  for (std::size_t i = 0; i < now.discs.size(); ++i)
    if (const DiscNow& d = now.discs[i]; d.free && !d.still)
      patchOf(out, hubs, d.block, d.block).k += fromPlane(now.plane, bodyMass(sums[i]));
}

/// What the bodies at the two ends of a fall have in common, where both are free.
void Tackle::shareFall(const Now& now, int fall, double w, std::size_t hubs, PatchSet& out) const {
  const DiscNow* const discs2[2] = {&now.discs[at(sheaves[at(fall)].disc)], &now.discs[at(sheaves[at(fall + 1)].disc)]};
  Mat3 b[2];
  for (int k = 0; k < 2; ++k) {
    const SheaveNow& s = now.sheaves[at(fall + k)];
    const FallNow& f = now.falls[at(fall)];
    b[k] = skew(Vec3(s.rho * f.ny, -s.rho * f.nx, 0.0));
    b[k].row(2).setZero();
    b[k] += skew(Vec3(s.place + discs2[k]->lever));
  }
  Mat6 k;
  k.block<3, 3>(0, 0) = w * Mat3::Identity();
  k.block<3, 3>(3, 0) = w * b[0];
  k.block<3, 3>(0, 3) = w * b[1].transpose();
  k.block<3, 3>(3, 3) = w * (b[0] * b[1].transpose());
  const Mat6 world = fromPlane(now.plane, k);
  Patch& p = patchOf(out, hubs, discs2[0]->block, discs2[1]->block);
  p.k += world;
  if (p.a == p.b) p.k += world.transpose();
}

void Tackle::stiffness(const Now& now, std::span<const double> force, PatchSet& out) const {
  const std::size_t first = out.patches.size();
  const auto free = [&](int sheave) {
    const DiscNow& d = now.discs[at(sheaves[at(sheave)].disc)];
    return d.free && !d.still;
  };
  DiscSums<Mat6> stiff(now.discs.size(), Mat6::Zero());
  for (int i = 0; i + 1 < count(); ++i) {
    const bool both = free(i) && free(i + 1);
    const FallNow& f = now.falls[at(i)];
    const double k = std::max(-force[at(i)], 0.0) / f.length, wx = f.ny, wy = -f.nx;
    Vec6 along[2], up[2];  // (direction, L × direction) for w and N
    for (int e = 0; e < 2; ++e) {
      if (!free(i + e)) continue;
      const int disc = sheaves[at(i + e)].disc;
      const Vec3 l = now.sheaves[at(i + e)].place + now.discs[at(disc)].lever;
      Vec6 &a = along[e], &b = up[e];
      a << wx, wy, 0.0, -l.z() * wy, l.z() * wx, l.x() * wy - l.y() * wx;
      b << 0.0, 0.0, 1.0, l.y(), -l.x(), 0.0;
      // The upper triangle, without what is nothing.
      Mat6& sum = stiff[at(disc)];
      constexpr int inPlane[] = {0, 1, 3, 4, 5}, across[] = {2, 3, 4};
      for (int r = 0; r < 5; ++r) {
        const double ka = k * a[inPlane[r]];
        for (int c = r; c < 5; ++c) sum(inPlane[r], inPlane[c]) += ka * a[inPlane[c]];
      }
      for (int r = 0; r < 3; ++r) {
        const double kb = k * b[across[r]];
        for (int c = r; c < 3; ++c) sum(across[r], across[c]) += kb * b[across[c]];
      }
    }
    if (!both) continue;
    const int d0 = sheaves[at(i)].disc, d1 = sheaves[at(i + 1)].disc;
    const Mat6 mixed = fromPlane(now.plane, Mat6(-k * (along[0] * along[1].transpose() + up[0] * up[1].transpose())));
    Patch& p = patchOf(out, first, now.discs[at(d0)].block, now.discs[at(d1)].block);
    p.k += mixed;
    if (p.a == p.b) p.k += mixed.transpose();
  }
  for (std::size_t i = 0; i < now.discs.size(); ++i) {
    const DiscNow& d = now.discs[i];
    if (!d.free || d.still) continue;
    Mat6& sum = stiff[i];
    for (int r = 0; r < 6; ++r)
      for (int c = 0; c < r; ++c) sum(r, c) = sum(c, r);
    patchOf(out, first, d.block, d.block).k += fromPlane(now.plane, sum);
  }
}

}  // namespace reeve
