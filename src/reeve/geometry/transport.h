#pragma once
// Directions across a curve carried along it without twisting (parallel transport, Bishop's frame): v turns with the
// tangent t alone, v' = (t×t')×v. Against the normal of the curve it turns back by the torsion, ∫τ ds.
#include <array>

#include "reeve/geometry/chart.h"

namespace reeve {

/// v over a corner, from along a to along b (both unit), by the smallest turn.
Vec3 carriedOver(const Vec3& v, const Vec3& a, const Vec3& b);

/// κb = 2 a×b/(1 + a·b), which ½κb·(δa + δb) of what is carried turns about the strand for; zero where it folds back.
Vec3 cornerBinormal(const Vec3& a, const Vec3& b);

/// Unit tangent of the path u0 + α (u1 − u0), its slope in α, and the speed |dx/dα|; in the chart's frame.
struct PathTangent {
  Vec3 t, slope;
  double speed = 0.0;
};
PathTangent pathTangent(const Chart& chart, const Vec2& u0, const Vec2& u1, double alpha);

/// The tangents at both ends of a path. Where a tube has a corner at its end, on its own side of it.
std::array<Vec3, 2> endTangents(const Chart& chart, const Vec2& u0, const Vec2& u1);

/// v, across the path at its start, carried along to its end.
Vec3 carriedAlong(const Chart& chart, const Vec2& u0, const Vec2& u1, const Vec3& v);

/// Change of the tangent w·t at α with u0 and u1, for w across it.
std::array<Vec2, 2> tangentGradient(const Chart& chart, const Vec2& u0, const Vec2& u1, double alpha, const Vec3& w);

/// ∫ (t×t')·δt: how much more a carried direction has turned about the strand at the end when u0 and u1 change, beside
/// what the tangents at the ends tell.
std::array<Vec2, 2> carriedGradient(const Chart& chart, const Vec2& u0, const Vec2& u1);

}  // namespace reeve
