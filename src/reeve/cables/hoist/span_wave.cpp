#include "reeve/cables/hoist/span_wave.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/pair.h"

namespace reeve {

namespace {

/// A link counts as no steeper than this share of (extent/length)²: beyond 78° from the chord it gives way.
constexpr double steepest = 0.04;

/// PowerSums of two links at a time, one in either lane.
struct TwoSums {
  Pair s1{}, s2{}, s3{}, s4{}, most{};
  void add(const Pair& a, const Pair& b) {
    const Pair aa = a * a, bb = b * b;
    const Pair e = Pair{aa[0], bb[0]} + Pair{aa[1], bb[1]}, f = e * e;
    s1 += e, s2 += f, s3 += f * e, s4 += f * f;
    most = e > most ? e : most;
  }
  PowerSums all(int count) const {
    return {static_cast<double>(count), s1[0] + s1[1], s2[0] + s2[1], s3[0] + s3[1], s4[0] + s4[1],
            std::max(most[0], most[1])};
  }
};

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

PowerSums PowerSums::level(int count, double s1, double s2) {
  return {static_cast<double>(count), s1, s2, 0.0, 0.0, std::sqrt(s2)};
}

double PowerSums::arc(double chord, WaveMetric* metric) const {
  // Jensen: the root is not below this. Newton on a rising concave function comes up to it from there.
  const double mean = chord / count, d2 = mean * mean + s1 / count;
  double d = std::sqrt(d2), slope = count;
  if (!(most < gentleSlope * gentleSlope * d2)) return 0.0;
  if (isLevel(d2)) {
    // One step: the start is right to 1e-11, and the error is squared.
    const double i = 1.0 / d2, x1 = s1 * i, x2 = s2 * i * i;
    slope = count + 0.5 * x1 + 0.375 * x2;
    d += (chord - d * (count - 0.5 * x1 - 0.125 * x2)) / slope;
  } else {
    for (int it = 0; it < 4; ++it) {
      const double change = (chord - extent(d, slope)) / slope;
      d += change;
      if (std::fabs(change) <= 1e-15 * d) break;
    }
  }
  if (metric) {
    metric->link = d;
    metric->eta = count / slope;
    metric->slope = d > 0.0 ? std::sqrt(most) / d : 0.0;
  }
  return count * d;
}

PowerSums PowerSums::along(const double* p, int pieces) {
  TwoSums two;
  int j = 0;
  for (; j + 1 < pieces; j += 2) {
    const Pair middle = load(p + 2 * j + 2);
    two.add(middle - load(p + 2 * j), load(p + 2 * j + 4) - middle);
  }
  if (j < pieces) two.add(load(p + 2 * j + 2) - load(p + 2 * j), Pair{0.0, 0.0});
  return two.all(pieces);
}

double arcOf(std::span<const double> u, int pieces, double chord, WaveMetric* metric) {
  const double* p = u.data();
  const PowerSums sums = PowerSums::along(p, pieces);
  const double most = sums.most;
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

/// Everything of one solve of (3) in three walks along the span: what depends on the node before is a multiplication
/// and a subtraction in each of them, divisions stand aside. Both directions share one factor.
class Solve {
 public:
  Solve(const WaveField& field, const double* shape, const WaveMetric& metric, const WaveDrive& drive, double* u,
        double* work)
      : field_(field), shape_(shape), metric_(metric), drive_(drive), n_(drive.pieces), u_(u) {
    const int size = n_ + 2;
    f_ = work;                   // pairs: right side, then D⁻¹L⁻¹ of it
    pull_ = work + 2 * size;     // κ_j = s² N_j/d_j, j = 1..n
    weight_ = work + 3 * size;   // η/d_j
    inverse_ = work + 4 * size;  // 1/pivot
    ratio_ = work + 5 * size;    // k_{m,m+1}/pivot_m
    twelfth_ = drive.mass / 12.0;
    drag_ = drive.mass * drive.damping * drive.scale;
    back_ = drive.second ? 0.5 * drive.stretch / (1.5 / drive.rate) : 0.0;
  }

  WaveOutcome run() {
    if (metric_.slope < gentleSlope)
      links<true>();
    else
      links<false>();
    down();
    const PowerSums sums = up();
    return outcome(sums);
  }

 private:
  double off(int m) const { return twelfth_ - pull_[m + 1]; }  ///< k_{m,m+1}

  /// What every link pulls and weighs, two links at a time. The arrays have room for one more.
  template <bool level>
  void links() {
    // Copies, here and below: what is stored through a pointer must not make the compiler read members again.
    const int n = n_;
    const double* shape = shape_;
    double *pulls = pull_, *weights = weight_;
    const double d2 = metric_.link * metric_.link, inv = 1.0 / metric_.link, inv2 = inv * inv;
    const double eta = metric_.eta, scale = drive_.scale;
    const double chordwise = eta * drive_.tension, heavy = drive_.mass * drive_.along;
    const Pair least = Pair{1.0, 1.0} * (0.1 * chordwise);
    const double first = chordwise + heavy * 0.5 * (n + 1);
    Pair here = load(shape);
    for (int j = 1; j <= n; j += 2) {
      const Pair middle = load(shape + 2 * j), next = j < n ? load(shape + 2 * j + 2) : middle;
      const Pair a = middle - here, b = next - middle, aa = a * a, bb = b * b;
      const Pair e = Pair{aa[0], bb[0]} + Pair{aa[1], bb[1]};
      Pair over;
      if (level) {
        const Pair x = e * inv2;  // 1/√(1 − x) = 1 + x/2 + 3x²/8 + 5x³/16
        over = inv * (1.0 + x * (0.5 + x * (0.375 + x * 0.3125)));
      } else {
        over = Pair{1.0 / std::sqrt(std::max(d2 - e[0], steepest * d2)),
                    1.0 / std::sqrt(std::max(d2 - e[1], steepest * d2))};
      }
      Pair pull = first - heavy * Pair{static_cast<double>(j), static_cast<double>(j + 1)};
      pull = pull < least ? least : pull;
      store(weights + j, eta * over);
      store(pulls + j, scale * pull * over);
      here = next;
    }
  }

  /// Right side, pivots and D⁻¹L⁻¹ of the right side in one walk from the first end. Pivots are quotients of leading
  /// minors, P_m = k_mm P_{m−1} − k²_{m−1,m} P_{m−2}, scaled to stay near one: no division waits for another.
  void down() {
    const int n = n_;
    const double *u = field_.u, *newest = field_.increment[0], *older1 = field_.increment[1],
                 *older2 = field_.increment[2], *pulls = pull_;
    double *f = f_, *inverses = inverse_, *ratios = ratio_;
    const double scale = drive_.scale, twelfth = twelfth_, drag = drag_, rate = drive_.rate, back = back_;
    // What the history foretells.
    const double c0 = drive_.stretch * (drive_.lossy ? 1.0 : drive_.second ? 5.0 / 3.0 : 1.5);
    const double c1 = drive_.stretch * (drive_.lossy ? 0.0 : drive_.second ? -7.0 / 9.0 : -0.5);
    const double c2 = drive_.stretch * (drive_.second ? 1.0 / 9.0 : 0.0);
    const Pair start{drive_.shift[0][0], drive_.shift[0][1]};
    const Pair ramp = (Pair{drive_.shift[1][0], drive_.shift[1][1]} - start) / static_cast<double>(n);
    const Pair weight = scale * drive_.mass * Pair{drive_.gravity[0], drive_.gravity[1]};
    // ρ − uₙ of node m, and Δ*.
    const auto moved = [=](int m) { return start + static_cast<double>(m) * ramp - load(u + 2 * m); };
    const auto foretold = [=](int m) {
      return c0 * load(newest + 2 * m) + c1 * load(older1 + 2 * m) + c2 * load(older2 + 2 * m);
    };
    Pair shift = moved(1), before = moved(0) - foretold(0), here = shift - foretold(1);
    end_[0][0] = before, end_[0][1] = here;

    const double own = 10.0 * twelfth + drag * rate;
    const double unit = 1.0 / (own + 2.0 * pulls[1 + n / 2] + 1e-300);
    double minor = 1.0, older = 0.0, squared = 0.0, ratio = 0.0;
    Pair y{0.0, 0.0};
    const auto right = [&](int m) {
      const Pair nextShift = moved(m + 1), after = nextShift - foretold(m + 1);
      Pair side = weight - twelfth * (before + 10.0 * here + after);
      if (drag > 0.0) side -= drag * (rate * shift - back * load(newest + 2 * m));
      before = here, here = after, shift = nextShift;
      return side;
    };
    int m = 1;
    for (; m + 1 < n; m += 2) {
      const Pair next = load(pulls + m + 1), coupling = twelfth - next, scaled = unit * coupling;
      const Pair squares = scaled * scaled, diagonal = unit * (own + load(pulls + m) + next);
      const double one = diagonal[0] * minor - squared * older, two = diagonal[1] * one - squares[0] * minor;
      const Pair inverse = unit * Pair{minor, one} / Pair{one, two}, both = coupling * inverse;
      y = right(m) - ratio * y;
      store(f + 2 * m, inverse[0] * y);
      y = right(m + 1) - both[0] * y;
      store(f + 2 * m + 2, inverse[1] * y);
      store(inverses + m, inverse);
      store(ratios + m, both);
      ratio = both[1];
      squared = squares[1];
      older = one, minor = two;
      if ((m & 63) == 63) {
        older *= 1.0 / minor;
        minor = 1.0;
      }
    }
    if (m < n) {
      const double inverse = unit * minor / (unit * (own + pulls[m] + pulls[m + 1]) * minor - squared * older);
      y = right(m) - ratio * y;
      store(f + 2 * m, inverse * y);
      inverses[m] = inverse;
      ratios[m] = (twelfth - pulls[m + 1]) * inverse;
    }
    end_[1][0] = here, end_[1][1] = before;
  }

  /// The new shape from the last end back, with the sums of its slopes.
  PowerSums up() {
    const int n = n_;
    double *f = f_, *ratios = ratio_, *out = u_;
    const Pair none{0.0, 0.0};
    store(f, none);  // node 0 does not move
    ratios[0] = 0.0;
    store(out + 2 * n, none);
    TwoSums sums;
    Pair u = none;
    int m = n - 1;
    for (; m >= 1; m -= 2) {
      const Pair here = load(f + 2 * m) - ratios[m] * u, next = load(f + 2 * m - 2) - ratios[m - 1] * here;
      store(out + 2 * m, here);
      store(out + 2 * m - 2, next);
      sums.add(u - here, here - next);
      u = next;
    }
    if (m == 0) {
      store(out, none);
      sums.add(u, none);
    }
    return sums.all(n);
  }

  WaveOutcome outcome(const PowerSums& sums) {
    // z = K⁻¹ J_u; J_uᵀ z from the pivots.
    const int n = n_;
    double* kept = f_;
    const double *u = u_, *weights = weight_, *inverses = inverse_, *ratios = ratio_;
    Pair w{0.0, 0.0}, worth{0.0, 0.0}, before = weights[1] * (load(u + 2) - load(u));
    const bool keeps = drive_.firstMoves;
    for (int m = 1; m < n; ++m) {
      const Pair after = weights[m + 1] * (load(u + 2 * m + 2) - load(u + 2 * m));
      w = before - after - ratios[m - 1] * w;
      const Pair scaled = inverses[m] * w;
      worth += w * scaled;
      if (keeps) store(kept + 2 * m, scaled);
      before = after;
    }
    const Pair zLast = inverses[n - 1] * w;
    Pair z = zLast;
    if (keeps)
      for (int m = n - 2; m >= 1; --m) z = load(kept + 2 * m) - ratios[m] * z;

    WaveOutcome out;
    out.eta = metric_.eta;
    out.slope = std::sqrt(sums.most) / metric_.link;
    out.arc = sums.arc(drive_.chord, &out.shape);
    if (!(out.arc > 0.0)) out.arc = arcOf({u_, static_cast<std::size_t>(2 * (n_ + 1))}, n_, drive_.chord, &out.shape);
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
  double twelfth_, drag_, back_;
  Pair end_[2][2] = {};
};

}  // namespace

namespace {

/// Of the lines (3) at x = shape + α (u − shape), where u solves them with the links as they are in `shape`: how much
/// they are missed by, along u − shape. With A the part of K that is mass and damping, p_j what link j pulls by,
///      d·(K(x) x − f) = (α − 1) d·A d + Σ Δd_j·(p_j(x) Δx_j − p_j(shape) Δu_j),     d = u − shape.
/// x: room for 2(M+1) numbers.
double missAlong(const double* shape, const double* u, double share, const WaveMetric& metric, const WaveDrive& drive,
                 double* x) {
  const int n = drive.pieces;
  for (int k = 0; k < 2 * n + 2; ++k) x[k] = shape[k] + share * (u[k] - shape[k]);
  WaveMetric there;
  arcOf({x, static_cast<std::size_t>(2 * n + 2)}, n, drive.chord, &there);
  const double twelfth = drive.mass / 12.0,
               own = 10.0 * twelfth + drive.mass * drive.damping * drive.scale * drive.rate;
  const auto pull = [&](const WaveMetric& m, const double* p, int j) {
    const double chordwise = m.eta * drive.tension, d2 = m.link * m.link;
    const double force = std::max(chordwise + drive.mass * drive.along * (0.5 * (n + 1) - j), 0.1 * chordwise);
    return drive.scale * force / std::sqrt(std::max(d2 - square(p + 2 * j - 2, p + 2 * j), steepest * d2));
  };
  double sum = 0.0;
  for (int j = 1; j <= n; ++j) {
    const double before = pull(metric, shape, j), now = pull(there, x, j);
    for (int k = 2 * j; k < 2 * j + 2; ++k) {
      const double d = u[k] - shape[k], last = u[k - 2] - shape[k - 2];
      sum += (d - last) * (now * (x[k] - x[k - 2]) - before * (u[k] - u[k - 2]));
      sum += (share - 1.0) * d * (own * d + 2.0 * twelfth * last);
    }
  }
  return sum;
}

/// How far to go from `shape` towards u. The lines (3) are the gradient of a convex function (inertia and T times the
/// arc), which falls from `shape` towards u; where it rises again before u is reached, as far as it falls.
double shareAlong(const double* shape, const double* u, const WaveMetric& metric, const WaveDrive& drive,
                  double* room) {
  const auto at = [&](double share) { return missAlong(shape, u, share, metric, drive, room); };
  const double start = at(0.0);
  double low = 0.0, lowMiss = start, high = 1.0, highMiss = at(1.0), share = 1.0, miss = highMiss;
  for (int it = 0; it < 8 && miss > 0.1 * std::fabs(start); ++it) {
    share = low + (high - low) * std::clamp(lowMiss / (lowMiss - highMiss), 0.1, 0.9);
    miss = at(share);
    if (miss > 0.0)
      high = share, highMiss = miss;
    else
      low = share, lowMiss = miss;
  }
  return share;
}

}  // namespace

bool whips(const WaveField& field, const WaveMetric& metric, int pieces) {
  // A span with links steeper than this hangs slack, and where its nodes move against the chord by more than this
  // share of a link in a step it whips.
  constexpr double lossySlope = 0.2, whippedShare = 0.05;
  if (!(metric.slope > lossySlope)) return false;
  const int n = pieces;
  const double *d = field.increment[0], most = whippedShare * whippedShare * metric.link * metric.link;
  for (int m = 1; m < n; ++m) {
    const double x = static_cast<double>(m) / n, a = d[2 * m] - (1.0 - x) * d[0] - x * d[2 * n],
                 b = d[2 * m + 1] - (1.0 - x) * d[1] - x * d[2 * n + 1];
    if (a * a + b * b > most) return true;
  }
  return false;
}

WaveOutcome solveWave(const WaveField& field, const WaveMetric& metric, const WaveDrive& drive, double* u,
                      double* work) {
  // So many times half the way; where a link is nearly folded that leaps to and fro, and the way is measured.
  constexpr int quick = 12, most = 80;
  WaveOutcome out = Solve(field, field.u, metric, drive, u, work).run();
  // Gentle slopes: what the extents change within a step is beyond second order. Steep ones are taken where they end.
  double* shape = work + 6 * (drive.pieces + 2);
  const std::size_t size = static_cast<std::size_t>(2 * (drive.pieces + 1));
  WaveMetric now;
  for (int it = 0; it < most; ++it) {
    if (it == 0 && std::max(out.slope, metric.slope) < gentleSlope) break;
    double moved = 0.0;
    for (std::size_t k = 0; it > 0 && k < size; ++k) moved = std::max(moved, std::fabs(u[k] - shape[k]));
    if (it > 0 && moved < 1e-7 * drive.chord) break;
    const double share = it == 0 ? 1.0 : it < quick ? 0.5 : shareAlong(shape, u, now, drive, work);
    for (std::size_t k = 0; k < size; ++k) shape[k] = share < 1.0 ? (1.0 - share) * shape[k] + share * u[k] : u[k];
    arcOf({shape, size}, drive.pieces, drive.chord, &now);
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
  // Too short even without tension: it goes slack. The step ends below zero, however little, so that the row lets go.
  if (value(s) <= 0.0)
    return s < 0.0 ? std::clamp(-miss / (1.001 * std::max(tension, 1e-300)) - stiff, 1e-3 * give, give) : give;
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

}  // namespace reeve
