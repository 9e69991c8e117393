#include "reeve/geometry/wrap.h"

#include <cmath>

#include "reeve/math/scalar.h"

namespace reeve {
namespace {

constexpr double fullTurn = 2.0 * math::pi;

double turnsNearest(double value, double expected, double period) {
  if (std::fabs(expected - value) < 0.5 * period) return 0.0;  // nearly always
  return period > 0.0 ? std::floor((expected - value) / period + 0.5) : 0.0;
}

}  // namespace

double nearestTurn(double value, double expected, double period) {
  return value + period * turnsNearest(value, expected, period);
}

ContactTravel continueTravel(const Outline& outline, const BoundaryPoint& now, const ContactTravel& before,
                             double bodyTurn) {
  const double turns = turnsNearest(now.angle, before.angle - bodyTurn, fullTurn);
  return {now.s + turns * outline.perimeter(), now.angle + turns * fullTurn};
}

double turnBetween(const LinkFrame& before, const LinkFrame& after, double expected) {
  // The shortest rotation from m to m': x + a×x + a×(a×x)/(1 + m·m') with a = m×m'.
  const Vec3 a = before.normal.cross(after.normal);
  const double c = before.normal.dot(after.normal);
  if (1.0 + c < 1e-12) return expected;  // flipped over: no shortest way
  const Vec3 carried = before.x + a.cross(before.x) + a.cross(a.cross(before.x)) / (1.0 + c);
  const double turn = math::atan2(after.normal.dot(carried.cross(after.x)), carried.dot(after.x));
  return nearestTurn(turn, expected, fullTurn);
}

Wrap wrapBetween(const Outline& outline, int sigma, const BoundaryPoint& entry, const BoundaryPoint& exit, int turns) {
  const Wrap raw = wrapBetween(sigma, travelOf(entry), travelOf(exit));
  const double whole = turns + (raw.angle < 0.0 ? 1.0 : raw.angle >= fullTurn ? -1.0 : 0.0);
  return {raw.length + whole * outline.perimeter(), raw.angle + whole * fullTurn};
}

Wrap continueWrap(const Outline& outline, int sigma, const BoundaryPoint& entry, const BoundaryPoint& exit,
                  const Wrap& before) {
  const Wrap raw = wrapBetween(sigma, travelOf(entry), travelOf(exit));
  const double turns = turnsNearest(raw.angle, before.angle, fullTurn);
  return {raw.length + turns * outline.perimeter(), raw.angle + turns * fullTurn};
}

}  // namespace reeve
