#pragma once
// A span: the straight free part of a cable between the exit point a₁ on link 1 and the entry point a₂ on link 2.
//
// Tangency in space (cable joints section 3.4). Each link has its own plane with normal mᵢ. The cable leaves outline i
// where the span, *projected into that plane*, is tangent: with νᵢ the outward normal in the plane, τᵢ the direction
// the cable runs in (unit tangent, νᵢ = σᵢ τᵢ×mᵢ), l = |a₂−a₁| and n = (a₂−a₁)/l,
//      νᵢ·n = 0   and   τᵢ·n > 0.                                                                                  (1)
// In one common plane τ₁ = τ₂ = n. Between skew planes the cable kinks: n = cos κᵢ τᵢ ± sin κᵢ mᵢ (fig. 9, right).
//
// What a span's row measures. Material laid on outline 1 by moving the exit point forward leaves the span, so with sᵢ
// the arc length in the running direction, measured on the body,
//      E(q) = l + Δs₁ − Δs₂,      C = E − (rest length at the reference), (2)
// is a function of the bodies' poses alone. Its rate, with vᵢ = ẋᵢ + ωᵢ×(aᵢ−xᵢ) the body's velocity at its contact:
//      Ė = n·(v₂ − v₁) + (1 − n·τ₁) ṡ₁ − (1 − n·τ₂) ṡ₂. (3)
// Differentiating (1), with ρᵢ the radius of curvature at the contact (dν/ds = τ/ρ for either σ):
//      l (τ₁·n) ṡ₁ + ρ₁ (ν₁·τ₂) ṡ₂ = −ρ₁ [ν₁·(v₂−v₁) + l ω₁·(ν₁×n)]
//     −ρ₂ (ν₂·τ₁) ṡ₁ + l (τ₂·n) ṡ₂ = −ρ₂ [ν₂·(v₂−v₁) + l ω₂·(ν₂×n)],       A ṡ = b.                                 (4)
// With (μ₁, μ₂) from Aᵀμ = (1−n·τ₁, −(1−n·τ₂)) the exact gradient is a pull g at the contact points and two moments:
//      Ė = g·(v₂ − v₁) − Σᵢ μᵢρᵢ l (νᵢ×n)·ωᵢ,       g = n − μ₁ρ₁ν₁ − μ₂ρ₂ν₂. (5)
// So the pull is ±n at the contact exactly when planes coincide (κ = 0), at a sharp corner, and at a point (ρ = 0).
// Otherwise the extra terms are of order κ²ρ/l. The spin of a circle always gives ∓σᵢrᵢ, whatever the planes.
//
// Where a sharp corner hands over to the next, E jumps if the planes are skew: by the edge's length times 1 − cos κ to
// first order. That is the rule (1) itself, not the arithmetic; the planes of polygons should be chosen to agree.
// Where the cable touches inside an edge (onEdge) E is smooth again, but the contact can run far for a small motion,
// and |g| may exceed 1 several times over: exact for E, yet a sign that the planes do not suit the route.
#include <array>

#include "reeve/geometry/outline.h"
#include "reeve/geometry/tangent.h"

namespace reeve {

/// One end of a span. A point link (Outline::point) has no plane: frame.origin is the point, σ is ignored.
struct SpanLink {
  const Outline* outline = nullptr;
  int sigma = 1;
  LinkFrame frame{};
  int hint = 0;  ///< corner to start from: the last one makes the search short. It never changes a unique result.
};

struct SpanEnd {
  Vec3 point = Vec3::Zero();    ///< aᵢ [m]
  Vec3 tangent = Vec3::Zero();  ///< τᵢ, unit, the way the cable runs
  Vec3 outward = Vec3::Zero();  ///< νᵢ, unit, in the link's plane; zero for a point link
  Vec3 axis = Vec3::Zero();     ///< mᵢ
  Vec3 origin = Vec3::Zero();   ///< of the link's frame
  BoundaryPoint place{};        ///< on the outline: coordinates s and angle, corner
  double bendRadius = 0.0;      ///< ρᵢ [m]; 0 at a sharp corner and at a point
  bool onEdge = false;          ///< touches inside a straight edge (ρ = ∞): polygons in skew planes only
  double kink = 0.0;            ///< 1 − n·τᵢ = 1 − cos κᵢ
};

struct SpanGeometry {
  TangentStatus status = TangentStatus::noTangent;
  double length = 0.0;    ///< l [m]
  Vec3 n = Vec3::Zero();  ///< from link 1 to link 2
  std::array<SpanEnd, 2> end{};
  int iterations = 0;  ///< of the search between skew planes; 0 where a closed form served
};

/// Finds the span. Coinciding planes (to 1e-9) use the planar tangent; a point with an outline needs one ray; skew
/// planes take fig. 6's alternation, with Newton's method on arcs.
SpanGeometry spanBetween(const SpanLink& link1, const SpanLink& link2);

/// The gradient of E, (5): with respect to a displacement of each link's origin, a rotation about it, and the spin of
/// the outline about its own axis. moment = ∂E/∂φᵢ with the origin held, spin = moment·mᵢ.
struct SpanGradient {
  std::array<Vec3, 2> pull{Vec3::Zero(), Vec3::Zero()};    ///< [1]
  std::array<Vec3, 2> moment{Vec3::Zero(), Vec3::Zero()};  ///< [m]
  std::array<double, 2> spin{0.0, 0.0};                    ///< [m]
};
SpanGradient spanGradient(const SpanGeometry& span);

/// How a link sits on its body.
struct SpanMount {
  Vec3 reference = Vec3::Zero();  ///< the point the body's coordinates move, usually its centre of mass
  bool rotor = false;             ///< a wheel whose absolute spin is a coordinate of its own: the body does not turn it
};

/// ∂E/∂(x₁, φ₁, x₂, φ₂). For a rotor the moment about its axle is left out: it belongs to the spin, SpanGradient::spin.
std::array<double, 12> spanRow(const SpanGeometry& span, const SpanGradient& gradient, const SpanMount& mount1,
                               const SpanMount& mount2);

using Mat12 = Eigen::Matrix<double, 12, 12>;

/// T(I − nnᵀ)/l [N/m]: the stiffness across a span, + on the diagonal blocks of its two ends and − between them. All
/// there is for points at the reference and for wheels turning about their axles; the functions below add the bodies'
/// levers.
Mat3 spanTransverse(const SpanGeometry& span, double tension);

/// Geometric stiffness K = T ∂²E/∂q², q = (x₁, φ₁, x₂, φ₂), rotations taken as exp(φ) from the present pose.
/// With coinciding planes the contact's own motion drops out to second order (n·τ is at its maximum, and n·(ω×τ) = 0),
/// so
///      q̇ᵀKq̇ = T [ |P(v₂−v₁)|²/l + n·(ω₂×(ω₂×ρ₂)) − n·(ω₁×(ω₁×ρ₁)) ],   P = I − nnᵀ,  ρᵢ = aᵢ − xᵢ,
/// the stiffness of a straight line between points fixed to the bodies. At axles (ρ ⊥ n, spin along m) it reduces to
/// T(I − nnᵀ)/l on the two positions, without spin coupling. Exact for points and for coplanar circles without rotor;
/// between skew planes it leaves out terms of order κ.
Mat12 spanStiffness(const SpanGeometry& span, double tension, const SpanMount& mount1, const SpanMount& mount2);

/// The positive part, for the solver's matrix: the first term is kept, and each lever's term
/// ±(sym(nρᵀ) − (n·ρ)I) keeps its positive eigenvalues, which are known: ½|ρ|(1−c), −½|ρ|(1+c), −|ρ|c with c = n·ρ̂ on
/// n+ρ̂, n−ρ̂, n×ρ̂. Positive semi-definite and never below spanStiffness. Needs tension ≥ 0.
Mat12 spanStiffnessPositive(const SpanGeometry& span, double tension, const SpanMount& mount1, const SpanMount& mount2);

}  // namespace reeve
