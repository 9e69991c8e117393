#pragma once
// How a span and the gradient of its length change as its links move: the derivative of equations (1) to (5) of
// tangent_span.h along one motion, exact in any planes. With vᵢ the velocity of link i's material at the contact, ṡ
// from (4),
//     ȧᵢ = vᵢ + ṡᵢ τᵢ,   ν̇ᵢ = ωᵢ×νᵢ + (ṡᵢ/ρᵢ) τᵢ,   τ̇ᵢ = ωᵢ×τᵢ − (ṡᵢ/ρᵢ) νᵢ,   ṅ = (I − nnᵀ)(ȧ₂ − ȧ₁)/l,
// and the product rule through μ and (5).
#include <array>

#include "reeve/geometry/tangent_span.h"

namespace reeve {

/// How the two links move: their origins, and their planes. The spin of a circle in its plane is none of it.
struct SpanMotion {
  std::array<Vec3, 2> origin{Vec3::Zero(), Vec3::Zero()};   ///< m/s
  std::array<Vec3, 2> turning{Vec3::Zero(), Vec3::Zero()};  ///< rad/s
};

struct SpanChange {
  double length = 0.0;                                     ///< m/s
  std::array<double, 2> arc{0.0, 0.0};                     ///< ṡᵢ, m/s
  std::array<Vec3, 2> point{Vec3::Zero(), Vec3::Zero()};   ///< ȧᵢ
  std::array<Vec3, 2> pull{Vec3::Zero(), Vec3::Zero()};    ///< of SpanGradient
  std::array<Vec3, 2> moment{Vec3::Zero(), Vec3::Zero()};  ///< of SpanGradient, about the origins that move
};

SpanChange spanChange(const SpanGeometry& span, const SpanMotion& motion);

}  // namespace reeve
