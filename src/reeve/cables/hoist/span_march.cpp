// The published scheme: one explicit step of a span's wave.
#include "reeve/cables/hoist/pair.h"
#include "reeve/cables/hoist/span_wave.h"

namespace reeve {

namespace {

/// What the published scheme does at every node: keeps · Δ + pulls · (u_{m−1} − 2u_m + u_{m+1}) + force + m · ramp.
struct Stencil {
  double keeps, pulls, force[2], ramp[2];
};

/// One walk along the span two nodes at a time, an odd last one again with the node before it, and one for Σe and Σe²
/// of the new shape. Where the ends do not move there is no ramp.
template <class V, bool ramps>
REEVE_WHOLE PowerSums march(const Stencil& s, int n, const double* u, const double* increment, double* newU,
                            double* newIncrement) {
  const V keeps = V::all(s.keeps), pulls = V::all(s.pulls), ramp = V::of(s.ramp[0], s.ramp[1], s.ramp[0], s.ramp[1]);
  const V force = V::of(s.force[0], s.force[1], s.force[0], s.force[1]), two = V::all(2.0);
  store(newU, load(u));
  store(newIncrement, load(increment));
  store(newU + 2 * n, load(u + 2 * n));
  store(newIncrement + 2 * n, load(increment + 2 * n));
  const auto step = [&](int m, const V& number) __attribute__((always_inline)) {
    const V here = V::from(u + 2 * m), bend = (V::from(u + 2 * m + 2) - here) - (here - V::from(u + 2 * m - 2));
    const V change = keeps * V::from(increment + 2 * m) + pulls * bend + (ramps ? force + number * ramp : force);
    change.to(newIncrement + 2 * m);
    (here + change).to(newU + 2 * m);
  };
  V number = V::of(1.0, 1.0, 2.0, 2.0);
  int m = 1;
  for (; m + 1 < n; m += 2) {
    step(m, number);
    if (ramps) number = number + two;
  }
  if (m < n && n > 2) step(m - 1, number - V::all(1.0));
  if (n == 2) {
    for (int c = 0; c < 2; ++c) {
      const double bend = (u[4 + c] - u[2 + c]) - (u[2 + c] - u[c]);
      newIncrement[2 + c] = s.keeps * increment[2 + c] + s.pulls * bend + (s.force[c] + s.ramp[c]);
      newU[2 + c] = u[2 + c] + newIncrement[2 + c];
    }
  }
  V s1 = V::all(0.0), s2 = s1;
  const auto links = [&](int j) __attribute__((always_inline)) {  // two of them
    const V d = V::from(newU + 2 * j + 2) - V::from(newU + 2 * j);
    return d * d;
  };
  int j = 0;
  for (; j + 3 < n; j += 4) {
    const V a = links(j), b = links(j + 2), e = evens(a, b) + odds(a, b);
    s1 = s1 + e, s2 = s2 + e * e;
  }
  double sums[8];
  s1.to(sums);
  s2.to(sums + 4);
  for (; j < n; ++j) {
    const double x = newU[2 * j + 2] - newU[2 * j], y = newU[2 * j + 3] - newU[2 * j + 1], e = x * x + y * y;
    sums[0] += e, sums[4] += e * e;
  }
  return PowerSums::level(n, (sums[0] + sums[1]) + (sums[2] + sums[3]), (sums[4] + sums[5]) + (sums[6] + sums[7]));
}

template <class V>
REEVE_WHOLE PowerSums marchOf(const Stencil& s, int n, const double* u, const double* increment, double* newU,
                              double* newIncrement) {
  return s.ramp[0] != 0.0 || s.ramp[1] != 0.0 ? march<V, true>(s, n, u, increment, newU, newIncrement)
                                              : march<V, false>(s, n, u, increment, newU, newIncrement);
}
#ifdef REEVE_WIDE
REEVE_WIDE PowerSums marchWide(const Stencil& s, int n, const double* u, const double* increment, double* newU,
                               double* newIncrement) {
  return marchOf<Wide>(s, n, u, increment, newU, newIncrement);
}
#endif

}  // namespace

bool wideLanes() {
#ifdef REEVE_WIDE
  return __builtin_cpu_supports("avx2");
#else
  return false;
#endif
}

PowerSums stepWaveExplicitly(const ExplicitDrive& drive, const double* u, const double* increment, double* newU,
                             double* newIncrement, bool wide) {
  const int n = drive.pieces;
  const double h2 = drive.h * drive.h, level = drive.chord / n;
  const double spring = h2 * drive.speed2 / (level * level);
  const double less = 1.0 - 0.5 * drive.damping * drive.h, scale = 1.0 / (1.0 + 0.5 * drive.damping * drive.h);
  // R = g − r_tt − b r_t, linear along the span.
  Stencil s{less * scale, spring * scale, {}, {}};
  for (int c = 0; c < 2; ++c) {
    const double a = drive.gravity[c] - drive.acceleration[0][c] - drive.damping * drive.velocity[0][c];
    const double b = drive.gravity[c] - drive.acceleration[1][c] - drive.damping * drive.velocity[1][c];
    s.force[c] = h2 * a * scale;
    s.ramp[c] = h2 * (b - a) / n * scale;
  }
#ifdef REEVE_WIDE
  const PowerSums sums =
      wide ? marchWide(s, n, u, increment, newU, newIncrement) : marchOf<Quad>(s, n, u, increment, newU, newIncrement);
#else
  static_cast<void>(wide);
  const PowerSums sums = marchOf<Quad>(s, n, u, increment, newU, newIncrement);
#endif
  return sums.isLevel(level * level) ? sums : PowerSums::along(newU, n);
}

}  // namespace reeve
