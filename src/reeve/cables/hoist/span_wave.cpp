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

/// One solve of (3) with the links' extents taken from `shape`.
WaveOutcome solveOnce(const WaveField& field, const double* shape, const WaveMetric& metric, const WaveDrive& drive,
                      double* u, double* work) {
  const int n = drive.pieces;
  const double mu = drive.mass, s2 = drive.scale, h = drive.second ? 1.5 / drive.rate : 1.0 / drive.rate;
  double* const q = work;                      // pairs: ρ − uₙ − Δ*, then the eliminated right side
  double* const inverse = work + 2 * (n + 1);  // 1/pivot
  double* const off = work + 3 * (n + 1);      // k_{m,m+1}
  double* const pull = work + 4 * (n + 1);     // κ_j = s² N_j/d_j, j = 1..n
  double* const weight = work + 5 * (n + 1);   // η/d_j
  // What the history foretells, and the velocity it brings along.
  const double c0 = drive.stretch * (drive.second ? 5.0 / 3.0 : 1.5),
               c1 = drive.stretch * (drive.second ? -7.0 / 9.0 : -0.5),
               c2 = drive.stretch * (drive.second ? 1.0 / 9.0 : 0.0);
  const double back = drive.second ? 0.5 * drive.stretch / h : 0.0, drag = mu * drive.damping * s2;
  const double *un = field.u, *i0 = field.increment[0], *i1 = field.increment[1], *i2 = field.increment[2];
  const double ramp[2] = {(drive.shift[1][0] - drive.shift[0][0]) / n, (drive.shift[1][1] - drive.shift[0][1]) / n};

  // Links: extent, pull.
  const bool level = metric.slope < gentle;
  const double d2 = metric.link * metric.link, inv = 1.0 / metric.link, inv2 = inv * inv;
  const double chordwise = metric.eta * drive.tension;
  const double heavy = mu * drive.along;
  for (int j = 1; j <= n; ++j) {
    const double e = square(shape + 2 * j - 2, shape + 2 * j);
    const double x = e * inv2;
    // 1/√(1 − x) = 1 + x/2 + 3x²/8 + 5x³/16
    const double over =
        level ? inv * (1.0 + x * (0.5 + x * (0.375 + x * 0.3125))) : 1.0 / std::sqrt(std::max(d2 - e, steepest * d2));
    weight[j] = metric.eta * over;
    pull[j] = s2 * std::max(chordwise + heavy * (0.5 * (n + 1) - j), 0.1 * chordwise) * over;
  }
  // Known part, and elimination from the first end to the second.
  const double twelfth = mu / 12.0;
  for (int m = 0; m <= n; ++m)
    for (int c = 0; c < 2; ++c) {
      const double rho = drive.shift[0][c] + m * ramp[c];
      q[2 * m + c] = rho - un[2 * m + c] - (c0 * i0[2 * m + c] + c1 * i1[2 * m + c] + c2 * i2[2 * m + c]);
    }
  const double q0[2] = {q[0], q[1]}, q1[2] = {q[2], q[3]};
  const double qn[2] = {q[2 * n], q[2 * n + 1]}, qm[2] = {q[2 * n - 2], q[2 * n - 1]};
  const double own = 10.0 * twelfth + drag * drive.rate;
  off[0] = twelfth - pull[1];
  double before[2] = {q[0], q[1]};
  double last = 0.0, lastOff = 0.0, y[2] = {0.0, 0.0};
  double corner = 1.0;  // product of −k/pivot: (K⁻¹)_{1,n−1} but for the last pivot
  for (int m = 1; m < n; ++m) {
    off[m] = twelfth - pull[m + 1];
    const double ratio = lastOff * last;
    const double pivot = own + pull[m] + pull[m + 1] - ratio * lastOff;
    const double here[2] = {q[2 * m], q[2 * m + 1]};
    for (int c = 0; c < 2; ++c) {
      double f = -twelfth * (before[c] + 10.0 * here[c] + q[2 * m + 2 + c]) + s2 * mu * drive.gravity[c];
      if (drag > 0.0) {
        const double rho = drive.shift[0][c] + m * ramp[c];
        f -= drag * (drive.rate * (rho - un[2 * m + c]) - back * i0[2 * m + c]);
      }
      before[c] = here[c];
      y[c] = f - ratio * y[c];
      q[2 * m + c] = y[c];
    }
    last = 1.0 / pivot;
    inverse[m] = last;
    lastOff = off[m];
    if (m + 1 < n) corner *= -off[m] * last;
  }
  u[0] = u[1] = u[2 * n] = u[2 * n + 1] = 0.0;
  for (int m = n - 1; m >= 1; --m)
    for (int c = 0; c < 2; ++c)
      u[2 * m + c] = inverse[m] * (q[2 * m + c] - off[m] * (m + 1 < n ? u[2 * m + 2 + c] : 0.0));

  // z = K⁻¹ J_u; J_uᵀ z from the pivots.
  double worth = 0.0, w[2] = {0.0, 0.0};
  last = lastOff = 0.0;
  for (int m = 1; m < n; ++m) {
    const double ratio = lastOff * last;
    last = inverse[m];
    lastOff = off[m];
    for (int c = 0; c < 2; ++c) {
      const double j =
          weight[m] * (u[2 * m + c] - u[2 * m - 2 + c]) - weight[m + 1] * (u[2 * m + 2 + c] - u[2 * m + c]);
      w[c] = j - ratio * w[c];
      q[2 * m + c] = w[c];
      worth += w[c] * w[c] * last;
    }
  }
  const double zLast[2] = {w[0] * last, w[1] * last};
  double z[2] = {zLast[0], zLast[1]};
  for (int m = n - 2; m >= 1; --m)
    for (int c = 0; c < 2; ++c) z[c] = inverse[m] * (q[2 * m + c] - off[m] * z[c]);

  WaveOutcome out;
  out.eta = metric.eta;
  out.arc = arcOf({u, static_cast<std::size_t>(2 * (n + 1))}, n, drive.chord);
  out.compliance = s2 * worth;
  out.along[0] = out.along[1] = 0.5 * mu * n * drive.along;
  const double per = 1.0 / s2;
  for (int c = 0; c < 2; ++c) {
    const double u1 = u[2 + c], um = u[2 * n - 2 + c];
    const double lump = 0.5 * s2 * mu * drive.gravity[c];
    double first = pull[1] * u1 - twelfth * (5.0 * q0[c] + q1[c] + u1) + lump;
    double second = pull[n] * um - twelfth * (5.0 * qn[c] + qm[c] + um) + lump;
    if (drag > 0.0) {
      first -= 0.5 * drag * (drive.rate * drive.shift[0][c] - back * i0[c]);
      second -= 0.5 * drag * (drive.rate * drive.shift[1][c] - back * i0[2 * n + c]);
    }
    out.force[0][c] = first * per;
    out.force[1][c] = second * per;
    out.row[0][c] = -weight[1] * u1 - off[0] * z[c];
    out.row[1][c] = -weight[n] * um - off[n - 1] * zLast[c];
  }
  // The two corners of the inverse differ only where the pull does along the span; the matrix may take one for both.
  const double end = 5.0 * twelfth + 0.5 * drag * drive.rate, corner11 = inverse[n - 1];
  out.stiffness[0] = std::max(end + pull[1] - off[0] * off[0] * corner11, 0.0) * per;
  out.stiffness[1] = std::max(end + pull[n] - off[n - 1] * off[n - 1] * corner11, 0.0) * per;
  out.cross = -off[0] * off[n - 1] * corner * corner11 * per;
  const double bound = std::sqrt(out.stiffness[0] * out.stiffness[1]);  // keeps the pair semi-definite
  out.cross = std::clamp(out.cross, -bound, bound);
  return out;
}

}  // namespace

WaveOutcome solveWave(const WaveField& field, const WaveMetric& metric, const WaveDrive& drive, double* u,
                      double* work) {
  WaveOutcome out = solveOnce(field, field.u, metric, drive, u, work);
  // Gentle slopes: what the extents change within a step is beyond second order. Steep ones are taken where they end.
  double* shape = work + 6 * (drive.pieces + 1);
  const std::size_t size = static_cast<std::size_t>(2 * (drive.pieces + 1));
  for (int it = 0; it < 3; ++it) {
    WaveMetric now;
    arcOf({u, size}, drive.pieces, drive.chord, &now);
    if (std::max(now.slope, metric.slope) < gentle) break;
    double moved = 0.0;
    for (std::size_t k = 0; k < size; ++k) {
      if (it > 0) moved = std::max(moved, std::fabs(u[k] - shape[k]));
      shape[k] = it > 0 ? 0.5 * (u[k] + shape[k]) : u[k];
    }
    if (it > 0 && moved < 1e-9 * drive.chord) break;
    if (it > 0) arcOf({shape, size}, drive.pieces, drive.chord, &now);
    out = solveOnce(field, shape, now, drive, u, work);
  }
  return out;
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
