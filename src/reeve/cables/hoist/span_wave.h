#pragma once
// Transverse waves on one span of a cable, in both directions across its chord, condensed onto its two ends and its
// tension (García-Fernández, Pla-Castells, Martínez-Durá: Elevation Cable Modeling, 2008, section 3.2, carried
// further).
//
// The span is cut into M links. Node m (0 to M, the ends included) lies u_m across the chord, two numbers in a frame
// that is carried along without spin. All links are equally long, δ, which u and the chord l decide together:
//      Σ_j √(δ² − |Δu_j|²) = l,     arc = M δ.                                                                     (1)
// A link's extent along the chord is d_j = √(δ² − |Δu_j|²), and with η = M/Σ(δ/d_j)
//      ∂arc/∂l = η,   ∂arc/∂u_m = η (Δu_m/d_m − Δu_{m+1}/d_{m+1}).                                                 (2)
// So a tension T (the mean along the span) has the component ηT along the chord, the same everywhere, and pulls node m
// with −ηT ∂(…): the wave operator. The weight along the chord adds β_j = μ g_∥ ((M+1)/2 − j) to the pull of link j,
// half of the span's weight to either end. In equilibrium that is the polygon of a hanging chain of M equal links,
// whatever its sag and however its ends lie, and for small slopes the string of the paper with a² = T/ρ.
//
// Motion: with μ the mass of a link, x the absolute place across the chord, weights W = (1, 10, 1)/12 for the mass,
//      μ W (Δx − Δ*) + μ b s² v = s² (μ g_⊥ + N_{m+1} Δu_{m+1}/d_{m+1} − N_m Δu_m/d_m),   N_j = ηT + β_j ≥ 0      (3)
// Δ* is what the history foretells (v h, or 5/3 Δₙ − 7/9 Δₙ₋₁ + 1/9 Δₙ₋₂ for the second-order difference), s² = h² or
// 4h²/9. δ, d and η in N are those of the start of the step, so (3) is linear in u: K u = f, tridiagonal. The length is
// not linearised: the row's error is the exact arc (1) of the solution.
//
// Eliminating u for given ends and tension is exact, and Newton on (ends, T) with what follows is Newton on the whole:
//      z = K⁻¹ J_u,   du/dλ = s² z  (λ = −T),   compliance of the row  s² J_uᵀ z ≥ 0,
//      force on the first end across the chord  F_c = N_1 u_1/d_1 − (end mass, weight),  dF_c/dλ = −η u_1/d_1 − k_01
//      z_1, its stiffness (k_00 − k_01² (K⁻¹)_11)/s².
// k_0· is the end's own line of (3). The massless limit is a straight line with stiffness T/l across.
#include <span>

#include "reeve/math/types.h"

namespace reeve {

/// Point m of a polyline whose numbers lie one after the other.
inline Vec3 at3(const double* p, int m) { return {p[3 * m], p[3 * m + 1], p[3 * m + 2]}; }
inline void put3(double* p, int m, const Vec3& x) {
  for (int c = 0; c < 3; ++c) p[3 * m + c] = x[c];
}

/// Where a span's field lives: pairs of numbers for nodes 0 to M. increment[0] is the newest.
struct WaveField {
  const double* u = nullptr;
  const double* increment[3] = {nullptr, nullptr, nullptr};
};

/// The shape at the start of the step.
struct WaveMetric {
  double link = 0.0;   ///< δ, m
  double eta = 1.0;    ///< η
  double slope = 0.0;  ///< largest |Δu|/δ
};

struct WaveDrive {
  int pieces = 0;                                ///< M, at least 2
  double chord = 0.0;                            ///< l, m, at the trial
  double mass = 0.0;                             ///< μ, kg
  double tension = 0.0;                          ///< T ≥ 0, N
  double damping = 0.0;                          ///< b, 1/s
  Vec2 gravity = Vec2::Zero();                   ///< g_⊥, m/s²
  double along = 0.0;                            ///< g_∥, m/s², towards the second end
  Vec2 shift[2] = {Vec2::Zero(), Vec2::Zero()};  ///< of the ends across the chord since the start of the step, m
  double rate = 0.0, scale = 0.0;                ///< of the difference: 1/h or 3/2h, and s²
  bool second = false;
  bool lossy = false;      ///< first order, with what that takes of quick motion: for slack spans that whip about
  bool firstMoves = true;  ///< otherwise nobody asks what the first end's motion does
  double stretch = 1.0;    ///< this step over the one the history was made with
  /// lossy from now on, in a step of h.
  void stepFirst(double h) { lossy = true, second = false, rate = 1.0 / h, scale = h * h; }
};

/// What a span gives to the cable's row and to the bodies at its ends.
struct WaveOutcome {
  double arc = 0.0;                               ///< m
  double eta = 1.0;                               ///< share of the tension that pulls along the chord
  Vec2 force[2] = {Vec2::Zero(), Vec2::Zero()};   ///< on the ends, across, N
  double along[2] = {0.0, 0.0};                   ///< on the ends, along the chord, less ±ηT: weight, N
  Vec2 row[2] = {Vec2::Zero(), Vec2::Zero()};     ///< the row's derivative across the chord
  double slope = 0.0;                             ///< largest |Δu|/δ
  double compliance = 0.0;                        ///< m/N
  double stiffness[2] = {0.0, 0.0}, cross = 0.0;  ///< N/m, across: of either end, between them
  WaveMetric shape;                               ///< of the solution
};

/// Slopes below this take the first terms of the root's series: |Δu|²/δ² < 0.0025, the next term is below 1e-13 of l.
constexpr double gentleSlope = 0.05;
/// Below this mean slope² the series ends with its second term: the third is below 1e-16.
constexpr double levelSlope2 = 1e-5;

/// Sums of powers of e_j = |Δu_j|²: all that gentle slopes need for (1), whatever the chord.
struct PowerSums {
  double count = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0, s4 = 0.0;
  double most = 0.0;  ///< no e is larger
  /// Of a shape.
  static PowerSums along(const double* u, int pieces);
  /// Of slopes so small that two sums tell all.
  static PowerSums level(int count, double s1, double s2);
  /// Whether these two sums do.
  bool isLevel(double link2) const { return s2 < levelSlope2 * levelSlope2 * link2 * link2; }
  /// Σ√(δ² − e_j), and its derivative with respect to δ.
  double extent(double d, double& slope) const;
  /// 0 where the slopes are not gentle.
  double arc(double chord, WaveMetric* metric = nullptr) const;
};

/// arc of (1), and the metric.
double arcOf(std::span<const double> u, int pieces, double chord, WaveMetric* metric = nullptr);

/// Whether a span hangs slack and whips about, so that a difference of second order would feed that.
bool whips(const WaveField& field, const WaveMetric& metric, int pieces);

/// Solves (3) for u (pairs, 2(M+1) numbers). `work` needs waveWork(M) numbers.
inline std::size_t waveWork(int pieces) { return static_cast<std::size_t>(pieces + 2) * 8; }
WaveOutcome solveWave(const WaveField& field, const WaveMetric& metric, const WaveDrive& drive, double* u,
                      double* work);

/// What of a wave's give (m/N) to hand to a linear solve. The excess X of arcs over chords falls with the tension about
/// as X/(1 + ΔT/τ)², τ = 2X/give: Newton's tangent creeps up on the tension when a cable is caught and overshoots below
/// zero when it is let go. The secant to where this law meets the miss (C + ελ) does neither, and is the tangent when
/// the miss is small. stiff: ε.
double waveGive(double excess, double give, double miss, double stiff, double tension);

/// Whether this machine takes four numbers at once. It never changes a result.
bool wideLanes();

/// One step of the published scheme, central in time and space: a new increment, and u moved by it.
/// Accelerations and velocities of the ends across the chord come in; the ends of u stay zero.
struct ExplicitDrive {
  int pieces = 0;
  double h = 0.0, chord = 0.0, speed2 = 0.0, damping = 0.0;  ///< speed2: a² = T/ρ
  Vec2 gravity = Vec2::Zero();
  Vec2 acceleration[2] = {Vec2::Zero(), Vec2::Zero()}, velocity[2] = {Vec2::Zero(), Vec2::Zero()};
};
/// Gives the sums of the new shape.
PowerSums stepWaveExplicitly(const ExplicitDrive& drive, const double* u, const double* increment, double* newU,
                             double* newIncrement, bool wide = wideLanes());

}  // namespace reeve
