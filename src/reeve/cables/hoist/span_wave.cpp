#include "reeve/cables/hoist/span_wave.h"

#include <algorithm>
#include <cmath>

namespace reeve {

namespace {

/// Slopes below this take the first terms of the root's series: |Δu|²/δ² < 0.0025, the next term is below 1e-13 of l.
constexpr double gentle = 0.05;
/// A link counts as no steeper than this share of (extent/length)²: beyond 78° from the chord it gives way.
constexpr double steepest = 0.04;

/// Both directions across the chord at once. The compiler's vectors round like scalars: same bits everywhere.
typedef double Pair __attribute__((vector_size(16)));
Pair load(const double* p) { return Pair{p[0], p[1]}; }
void store(double* p, const Pair& x) { p[0] = x[0], p[1] = x[1]; }

double square(const double* a, const double* b) {
  const double x = b[0] - a[0], y = b[1] - a[1];
  return x * x + y * y;
}

}  // namespace

double PowerSums::extent(double d, double& slope) const {
  // √(δ² − e) = δ (1 − x/2 − x²/8 − x³/16 − 5x⁴/128), x = e/δ²
  const double i = 1.0 / (d * d);
  const double x1 = s1 * i, x2 = s2 * i * i, x3 = s3 * i * i * i, x4 = s4 * i * i * i * i;
  slope = count + 0.5 * x1 + 0.375 * x2 + 0.3125 * x3 + 0.2734375 * x4;
  return d * (count - 0.5 * x1 - 0.125 * x2 - 0.0625 * x3 - 0.0390625 * x4);
}

double PowerSums::arc(double chord, WaveMetric* metric) const {
  const double level = chord / count;
  // Jensen: the root is not below this. Newton on a rising concave function comes up to it from there.
  double d = std::sqrt(level * level + s1 / count), slope = count;
  if (!(most < gentle * gentle * d * d)) return 0.0;
  for (int it = 0; it < 4; ++it) {
    const double change = (chord - extent(d, slope)) / slope;
    d += change;
    if (std::fabs(change) <= 1e-15 * d) break;
  }
  if (metric) {
    metric->link = d;
    metric->eta = count / slope;
    metric->slope = d > 0.0 ? std::sqrt(most) / d : 0.0;
  }
  return count * d;
}

double arcOf(std::span<const double> u, int pieces, double chord, WaveMetric* metric) {
  const double* p = u.data();
  // Two sums each, so that additions need not wait for one another.
  double a1 = 0.0, a2 = 0.0, a3 = 0.0, a4 = 0.0, b1 = 0.0, b2 = 0.0, b3 = 0.0, b4 = 0.0, most = 0.0;
  int j = 0;
  for (; j + 1 < pieces; j += 2) {
    const double e = square(p + 2 * j, p + 2 * j + 2), f = square(p + 2 * j + 2, p + 2 * j + 4);
    const double e2 = e * e, f2 = f * f;
    a1 += e, a2 += e2, a3 += e2 * e, a4 += e2 * e2;
    b1 += f, b2 += f2, b3 += f2 * f, b4 += f2 * f2;
    most = std::max(most, std::max(e, f));
  }
  for (; j < pieces; ++j) {
    const double e = square(p + 2 * j, p + 2 * j + 2);
    a1 += e, a2 += e * e, a3 += e * e * e, a4 += e * e * e * e;
    most = std::max(most, e);
  }
  const PowerSums sums{static_cast<double>(pieces), a1 + b1, a2 + b2, a3 + b3, a4 + b4, most};
  if (const double arc = sums.arc(chord, metric); arc > 0.0) return arc;
  const double mean = sums.s1 / pieces, level = chord / pieces;
  // Jensen: the root is not below this. Newton on a rising concave function comes up to it from there.
  double d = std::sqrt(level * level + mean);
  double slope = pieces;
  const double bound = std::sqrt(steepest);
  for (int it = 0; it < 40; ++it) {
    double extent = 0.0;
    slope = 0.0;
    for (int k = 0; k < pieces; ++k) {
      const double x = square(p + 2 * k, p + 2 * k + 2) / (d * d);
      // Steeper than the bound: the tangent of the root, so that a link's pull stays bounded and arc is its
      // potential.
      const bool steep = x > 1.0 - steepest;
      const double root = steep ? bound : std::sqrt(1.0 - x);
      extent += d * (steep ? bound - (x - (1.0 - steepest)) / (2.0 * bound) : root);
      slope += steep ? bound + (x + 1.0 - steepest) / (2.0 * bound) : 1.0 / root;
    }
    const double change = (chord - extent) / slope;
    d = std::max(d + change, 0.1 * level);
    if (std::fabs(change) <= 1e-14 * d) break;
  }
  if (metric) {
    metric->link = d;
    metric->eta = pieces / slope;
    metric->slope = d > 0.0 ? std::sqrt(most) / d : 0.0;
  }
  return pieces * d;
}

namespace {

/// Everything of one solve of (3), in passes that wait for as little as possible: what depends on the node before is
/// two multiplications long in each of them, divisions stand aside.
class Solve {
 public:
  Solve(const WaveField& field, const double* shape, const WaveMetric& metric, const WaveDrive& drive, double* u,
        double* work)
      : field_(field), shape_(shape), metric_(metric), drive_(drive), n_(drive.pieces), u_(u) {
    const int size = n_ + 1;
    f_ = work;                   // pairs: right side, then D⁻¹L⁻¹ of it
    pull_ = work + 2 * size;     // κ_j = s² N_j/d_j, j = 1..n
    weight_ = work + 3 * size;   // η/d_j
    inverse_ = work + 4 * size;  // 1/pivot
    ratio_ = work + 5 * size;    // k_{m,m+1}/pivot_m
    twelfth_ = drive.mass / 12.0;
    drag_ = drive.mass * drive.damping * drive.scale;
    h_ = drive.second ? 1.5 / drive.rate : 1.0 / drive.rate;
    back_ = drive.second ? 0.5 * drive.stretch / h_ : 0.0;
  }

  WaveOutcome run() {
    links();
    rightSide();
    pivots();
    waves();
    return outcome();
  }

 private:
  double off(int m) const { return twelfth_ - pull_[m + 1]; }  ///< k_{m,m+1}

  void links() {
    const bool level = metric_.slope < gentle;
    const double d2 = metric_.link * metric_.link, inv = 1.0 / metric_.link, inv2 = inv * inv;
    const double chordwise = metric_.eta * drive_.tension, heavy = drive_.mass * drive_.along;
    const double least = 0.1 * chordwise, first = chordwise + heavy * 0.5 * (n_ + 1);
    for (int j = 1; j <= n_; ++j) {
      const double e = square(shape_ + 2 * j - 2, shape_ + 2 * j);
      const double x = e * inv2;
      // 1/√(1 − x) = 1 + x/2 + 3x²/8 + 5x³/16
      const double over =
          level ? inv * (1.0 + x * (0.5 + x * (0.375 + x * 0.3125))) : 1.0 / std::sqrt(std::max(d2 - e, steepest * d2));
      weight_[j] = metric_.eta * over;
      pull_[j] = drive_.scale * std::max(first - heavy * j, least) * over;
    }
  }

  /// ρ − uₙ − Δ* of node m.
  Pair known(int m) const {
    const Pair rho = start_ + static_cast<double>(m) * ramp_;
    return rho - load(field_.u + 2 * m) -
           (c0_ * load(field_.increment[0] + 2 * m) + c1_ * load(field_.increment[1] + 2 * m) +
            c2_ * load(field_.increment[2] + 2 * m));
  }

  void rightSide() {
    // What the history foretells.
    c0_ = drive_.stretch * (drive_.second ? 5.0 / 3.0 : 1.5);
    c1_ = drive_.stretch * (drive_.second ? -7.0 / 9.0 : -0.5);
    c2_ = drive_.stretch * (drive_.second ? 1.0 / 9.0 : 0.0);
    start_ = Pair{drive_.shift[0][0], drive_.shift[0][1]};
    ramp_ = (Pair{drive_.shift[1][0], drive_.shift[1][1]} - start_) / static_cast<double>(n_);
    const Pair weight = drive_.scale * drive_.mass * Pair{drive_.gravity[0], drive_.gravity[1]};
    Pair before = known(0), here = known(1);
    end_[0][0] = before, end_[0][1] = here;
    for (int m = 1; m < n_; ++m) {
      const Pair after = known(m + 1);
      Pair f = weight - twelfth_ * (before + 10.0 * here + after);
      if (drag_ > 0.0) {
        const Pair rho = start_ + static_cast<double>(m) * ramp_;
        f -= drag_ * (drive_.rate * (rho - load(field_.u + 2 * m)) - back_ * load(field_.increment[0] + 2 * m));
      }
      store(f_ + 2 * m, f);
      before = here;
      here = after;
    }
    end_[1][0] = here, end_[1][1] = before;
  }

  /// Pivots as quotients of leading minors, P_m = k_mm P_{m−1} − k²_{m−1,m} P_{m−2}, scaled to stay near one.
  void pivots() {
    const double own = 10.0 * twelfth_ + drag_ * drive_.rate;
    double last = 1.0, older = 0.0, before = 0.0;
    const double unit = 1.0 / (own + 2.0 * pull_[1 + n_ / 2] + 1e-300);
    for (int m = 1; m < n_; ++m) {
      const double next = unit * ((own + pull_[m] + pull_[m + 1]) * last) - (unit * before) * (unit * before) * older;
      inverse_[m] = unit * last / next;
      ratio_[m] = off(m) * inverse_[m];
      before = off(m);
      older = last;
      last = next;
      if ((m & 63) == 0) {
        const double scale = 1.0 / last;
        older *= scale;
        last = 1.0;
      }
    }
  }

  void waves() {
    Pair y{0.0, 0.0};
    for (int m = 1; m < n_; ++m) {
      y = load(f_ + 2 * m) - (m > 1 ? ratio_[m - 1] : 0.0) * y;
      store(f_ + 2 * m, inverse_[m] * y);
    }
    Pair u{0.0, 0.0};
    store(u_ + 2 * n_, u);
    store(u_, u);
    for (int m = n_ - 1; m >= 1; --m) {
      u = load(f_ + 2 * m) - ratio_[m] * u;
      store(u_ + 2 * m, u);
    }
  }

  WaveOutcome outcome() {
    // z = K⁻¹ J_u; J_uᵀ z from the pivots. The sums of the new slopes on the way.
    Pair w{0.0, 0.0}, worth{0.0, 0.0}, before = load(u_ + 2) - load(u_);
    double s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, most = 0.0;
    const auto add = [&](const Pair& step) {
      const Pair square = step * step;
      const double e = square[0] + square[1], f = e * e;
      s1 += e, s2 += f, s3 += f * e, s4 += f * f;
      most = std::max(most, e);
    };
    add(before);
    for (int m = 1; m < n_; ++m) {
      const Pair after = load(u_ + 2 * m + 2) - load(u_ + 2 * m);
      add(after);
      w = weight_[m] * before - weight_[m + 1] * after - (m > 1 ? ratio_[m - 1] : 0.0) * w;
      const Pair scaled = inverse_[m] * w;
      worth += w * scaled;
      store(f_ + 2 * m, scaled);
      before = after;
    }
    const Pair zLast = load(f_ + 2 * n_ - 2);
    Pair z = zLast;
    if (drive_.firstMoves)
      for (int m = n_ - 2; m >= 1; --m) z = load(f_ + 2 * m) - ratio_[m] * z;

    WaveOutcome out;
    out.eta = metric_.eta;
    const PowerSums sums{static_cast<double>(n_), s1, s2, s3, s4, most};
    out.slope = std::sqrt(most) / metric_.link;
    out.arc = sums.arc(drive_.chord);
    if (!(out.arc > 0.0)) out.arc = arcOf({u_, static_cast<std::size_t>(2 * (n_ + 1))}, n_, drive_.chord);
    out.compliance = drive_.scale * (worth[0] + worth[1]);
    out.along[0] = out.along[1] = 0.5 * drive_.mass * n_ * drive_.along;
    const double per = 1.0 / drive_.scale;
    for (int e = 0; e < 2; ++e) {
      const double pull = pull_[e == 0 ? 1 : n_], weight = weight_[e == 0 ? 1 : n_];
      const Pair next = load(u_ + (e == 0 ? 2 : 2 * n_ - 2)), zed = e == 0 ? z : zLast;
      for (int c = 0; c < 2; ++c) {
        double f = pull * next[c] - twelfth_ * (5.0 * end_[e][0][c] + end_[e][1][c] + next[c]) +
                   0.5 * drive_.scale * drive_.mass * drive_.gravity[c];
        if (drag_ > 0.0)
          f -=
              0.5 * drag_ * (drive_.rate * drive_.shift[e][c] - back_ * field_.increment[0][(e == 0 ? 0 : 2 * n_) + c]);
        out.force[e][c] = f * per;
        out.row[e][c] = -weight * next[c] - (twelfth_ - pull) * zed[c];
      }
    }
    stiffness(out, per);
    return out;
  }

  /// The two corners of the inverse differ only where the pull does along the span; the matrix may take one for both.
  void stiffness(WaveOutcome& out, double per) const {
    const double end = 5.0 * twelfth_ + 0.5 * drag_ * drive_.rate, corner = inverse_[n_ - 1];
    double product = 1.0;  // of −k/pivot: (K⁻¹)_{1,n−1} but for the last pivot
    for (int m = 1; drive_.firstMoves && m + 1 < n_; ++m) product *= -ratio_[m];
    const double first = off(0), last = off(n_ - 1);
    out.stiffness[0] = std::max(end + pull_[1] - first * first * corner, 0.0) * per;
    out.stiffness[1] = std::max(end + pull_[n_] - last * last * corner, 0.0) * per;
    const double bound = std::sqrt(out.stiffness[0] * out.stiffness[1]);  // keeps the pair semi-definite
    out.cross = std::clamp(-first * last * product * corner * per, -bound, bound);
  }

  const WaveField& field_;
  const double* shape_;
  const WaveMetric& metric_;
  const WaveDrive& drive_;
  int n_;
  double *u_, *f_, *pull_, *weight_, *inverse_, *ratio_;
  double twelfth_, drag_, h_, back_, c0_ = 0.0, c1_ = 0.0, c2_ = 0.0;
  Pair start_{}, ramp_{}, end_[2][2] = {};
};

}  // namespace

WaveOutcome solveWave(const WaveField& field, const WaveMetric& metric, const WaveDrive& drive, double* u,
                      double* work) {
  WaveOutcome out = Solve(field, field.u, metric, drive, u, work).run();
  // Gentle slopes: what the extents change within a step is beyond second order. Steep ones are taken where they end.
  double* shape = work + 6 * (drive.pieces + 1);
  const std::size_t size = static_cast<std::size_t>(2 * (drive.pieces + 1));
  for (int it = 0; it < 3; ++it) {
    if (it == 0 && std::max(out.slope, metric.slope) < gentle) break;
    WaveMetric now;
    arcOf({u, size}, drive.pieces, drive.chord, &now);
    double moved = 0.0;
    for (std::size_t k = 0; k < size; ++k) {
      if (it > 0) moved = std::max(moved, std::fabs(u[k] - shape[k]));
      shape[k] = it > 0 ? 0.5 * (u[k] + shape[k]) : u[k];
    }
    if (it > 0 && moved < 1e-9 * drive.chord) break;
    if (it > 0) arcOf({shape, size}, drive.pieces, drive.chord, &now);
    out = Solve(field, shape, now, drive, u, work).run();
  }
  return out;
}

double waveGive(double excess, double give, double miss, double stiff, double tension) {
  if (!(give > 0.0) || !(excess > 0.0) || std::fabs(miss) <= 1e-9 * excess) return give;
  const double tau = 2.0 * excess / give;
  // f(s) = X/(1+s)² − (X − miss) − ε τ s is convex and falls: Newton from the left of the root never passes it.
  double s = std::max(-tension / tau, -0.9);
  const auto value = [&](double x) { return excess / ((1.0 + x) * (1.0 + x)) - (excess - miss) - stiff * tau * x; };
  if (miss > 0.0) s = 0.0;
  if (value(s) <= 0.0) return s < 0.0 ? std::max((miss / (tau * s)) - stiff, 1e-3 * give) : give;
  for (int it = 0; it < 60; ++it) {
    const double slope = -2.0 * excess / ((1.0 + s) * (1.0 + s) * (1.0 + s)) - stiff * tau;
    const double change = -value(s) / slope;
    s += change;
    if (std::fabs(change) <= 1e-6 * (1.0 + std::fabs(s))) break;
    if (s > 1e12) break;
  }
  if (s == 0.0) return give;
  return std::clamp(miss / (tau * s) - stiff, 0.0, 1e3 * give);
}

PowerSums stepWaveExplicitly(const ExplicitDrive& drive, double* u, double* increment) {
  const int n = drive.pieces;
  const double h2 = drive.h * drive.h, level = drive.chord / n;
  const double spring = h2 * drive.speed2 / (level * level);
  const double less = 1.0 - 0.5 * drive.damping * drive.h, scale = 1.0 / (1.0 + 0.5 * drive.damping * drive.h);
  // R = g − r_tt − b r_t, linear along the span.
  Pair force, ramp;
  for (int c = 0; c < 2; ++c) {
    const double a = drive.gravity[c] - drive.acceleration[0][c] - drive.damping * drive.velocity[0][c];
    const double b = drive.gravity[c] - drive.acceleration[1][c] - drive.damping * drive.velocity[1][c];
    force[c] = h2 * a;
    ramp[c] = h2 * (b - a) / n;
  }
  Pair before = load(u), here = load(u + 2), last = load(u);
  double s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0, most = 0.0;
  const auto add = [&](const Pair& step) {
    const double e = step[0] * step[0] + step[1] * step[1], f = e * e;
    s1 += e, s2 += f, s3 += f * e, s4 += f * f;
    most = std::max(most, e);
  };
  for (int m = 1; m < n; ++m) {
    force += ramp;
    const Pair next = load(u + 2 * m + 2);
    const Pair change = scale * (less * load(increment + 2 * m) + spring * (before - 2.0 * here + next) + force);
    const Pair moved = here + change;
    store(increment + 2 * m, change);
    store(u + 2 * m, moved);
    add(moved - last);
    last = moved;
    before = here;
    here = next;
  }
  add(load(u + 2 * n) - last);
  return {static_cast<double>(n), s1, s2, s3, s4, most};
}

}  // namespace reeve
