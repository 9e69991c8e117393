#pragma once
// Bookkeeping of what a cable has wound on an outline: turns, wrapped length, wrap angle, flow between span and
// surface.
//
// Nothing here guesses a turn from two positions. Contact coordinates repeat after a turn, so the number of turns
// always comes from outside: from the rotation that made them (a spin coordinate, a rotation vector) or from the last
// value.
#include "reeve/geometry/outline.h"
#include "reeve/geometry/tangent_span.h"

namespace reeve {

/// A contact's coordinates on its outline, continued over turns: counter-clockwise, in the outline's own frame.
struct ContactTravel {
  double s = 0.0;      ///< [m]
  double angle = 0.0;  ///< [rad]
};

/// The first travel of a contact: the turn that begins at the mark.
inline ContactTravel travelOf(const BoundaryPoint& place) { return {place.s, place.angle}; }

/// Continues a contact's travel. bodyTurn is the ccw turn of the outline about its own normal since `before` [rad], any
/// number of turns: a contact that stays put in space runs back by as much on the body. What remains (the turning of
/// the span's direction) must be less than half a turn a step.
ContactTravel continueTravel(const Outline& outline, const BoundaryPoint& now, const ContactTravel& before,
                             double bodyTurn = 0.0);

/// The turn about its own axis [rad] of a body that moved by exp(rotation), rotation in the world [rad], axis before or
/// after (their product with the rotation is the same): exact, any number of turns.
inline double turnAbout(const Vec3& rotation, const Vec3& axis) { return rotation.dot(axis); }

/// The turn [rad] between two placements of a link's frame: what is left of the rotation after the normal has been
/// carried along by the shortest way. Known up to whole turns; the one nearest to `expected` is given.
double turnBetween(const LinkFrame& before, const LinkFrame& after, double expected = 0.0);

/// value + k·period, as near to `expected` as a whole k allows.
double nearestTurn(double value, double expected, double period);

/// Which end of a span a contact is.
enum class SpanSide : std::uint8_t { exit, entry };  // link 1, link 2

/// Length [m] that a surface gives to the span beside it when the contact travels ccw by `travel` on the surface
/// (rotors: travel in the axle's frame less radius·spin). Exit: −σ·travel. Entry: +σ·travel. The other span on the same
/// link and the stored length take up the opposite: nothing is lost.
inline double paidOut(int sigma, SpanSide side, double travel) {
  return side == SpanSide::exit ? -sigma * travel : sigma * travel;
}

/// What lies on an outline between the entry of one span and the exit of the next.
struct Wrap {
  double length = 0.0;  ///< stored on the surface [m]; negative when the tangent points have passed each other
  double angle =
      0.0;  ///< turning of the cable in the plane, in the sense of σ [rad]; negative: the cable has lifted off
};

/// From entry to exit in the sense of σ: the angle in [0, 2π) and the length that belongs to it in [0, perimeter), plus
/// whole turns. The angle leads: at a sharp corner a cable may turn without any length.
Wrap wrapBetween(const Outline& outline, int sigma, const BoundaryPoint& entry, const BoundaryPoint& exit,
                 int turns = 0);

/// The same from continued travels of both contacts: may be negative, never jumps.
inline Wrap wrapBetween(int sigma, const ContactTravel& entry, const ContactTravel& exit) {
  return {sigma * (exit.s - entry.s), sigma * (exit.angle - entry.angle)};
}

/// The wrap that continues `before`: the turn nearest to its angle, so that it passes through zero to negative values.
/// Merge a rolling link, or switch a hybrid one, when the angle (not the length: corners) becomes negative.
Wrap continueWrap(const Outline& outline, int sigma, const BoundaryPoint& entry, const BoundaryPoint& exit,
                  const Wrap& before);

}  // namespace reeve
