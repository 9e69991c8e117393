#pragma once
// What a cable of joints keeps in State::memory, typed: the order of its links, then one LinkState for each.
#include "reeve/cables/route_order.h"
#include "reeve/geometry/wrap.h"
#include "reeve/geometry/wrap_contact.h"
#include "reeve/model/typed_memory.h"

namespace reeve {

/// A link, and the span after it.
struct LinkState {
  /// Of a link that waits beside the route, in `near`.
  static constexpr int claimed = 1;  ///< a span may bend round it in this step
  static constexpr int lifted = 2;   ///< it was part of the route until this step
  /// In `stop`.
  static constexpr int watched = 1;  ///< the span after it is nearly used up
  static constexpr int stands = 2;   ///< its end stands at the next link

  Whole side;                 ///< +1: counter-clockwise about its axis
  Flag holds;                 ///< the cable is fixed to its surface
  ContactTravel entry, exit;  ///< where the cable comes and goes: arc [m] and angle [rad] on its outline
  double stored;              ///< m of cable on it
  double slip;                ///< m that have slid over it, since the start
  double turned;              ///< rad its rotor has turned since the cable holds
  double rest;                ///< m, rest length of the span after it; once that has parted, its loose end here
  Whole near;                 ///< 1 + the link the span after it may bend round in this step; 0: none
  Whole nearSide;             ///< of a link that waits: the side a span would bend round it
  Flag broken;                ///< the span after it has parted
  Flag routed;                ///< it is part of the route
  double normal_B[3];         ///< of a candidate: the plane it was met in, and
  double height;              ///< m, of that plane above the shape's centre
  double compliance;          ///< m/N of the span after it, where given per span; divided in a split, added in a merge
  double tail;                ///< m of loose end before it, after the span before it has parted
  Flag lost;                  ///< the span after it has no tangent: it cannot pull
  double shortfall;  ///< m by which the span after it is longer than it could be, since it found a tangent again; of a
                     ///< wheel that waits: by which the way through its groove is longer
  double share;      ///< m of what is stored on it that stretches with the span before it; the rest with the next
  Flag inside;       ///< it lies inside a body the cable may meet; of one that waits: it lies across the cable
  Flag overstretched;  ///< next to no rest length is left in the span after it
  Whole stop;          ///< of the span after it: 0, watched or stands

  int sense() const { return side < 0 ? -1 : 1; }
  int nearSense() const { return nearSide < 0 ? -1 : 1; }
  /// The link that the span after it may bend round in this step; -1: none.
  int via() const { return near - 1; }
  ContactTravel& contact(bool leaving) { return leaving ? exit : entry; }
  const ContactTravel& contact(bool leaving) const { return leaving ? exit : entry; }
  /// Angle of cable round it, rad.
  double wrap() const { return side * (exit.angle - entry.angle); }
  /// How long the span after it is before it pulls, m.
  double reach() const { return rest + shortfall; }
  /// Its lengths have been given away.
  void leaveRoute() {
    rest = stored = share = tail = compliance = shortfall = 0.0;
    broken = lost = routed = overstretched = false;
    near = stop = 0;
  }
  WrapPlane plane() const { return {Vec3(normal_B[0], normal_B[1], normal_B[2]), height}; }
  /// The same plane, seen from its other side.
  void turnPlane() {
    for (double& x : normal_B) x *= -1.0;
    height *= -1.0;
  }
  void layPlane(const WrapPlane& plane) {
    for (int k = 0; k < 3; ++k) normal_B[k] = plane.normal_B[k];
    height = plane.height;
  }
};

}  // namespace reeve
