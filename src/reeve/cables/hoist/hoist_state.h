#pragma once
// What a hoist cable keeps in State::memory, typed: a HoistState, the order of its nodes, a NodeState for each, then of
// the candidates their poses and sides. The fields of its waves are in sheets.
#include "reeve/cables/hoist/span_wave.h"
#include "reeve/cables/payout.h"
#include "reeve/cables/route_order.h"
#include "reeve/geometry/shape.h"
#include "reeve/geometry/wrap.h"
#include "reeve/geometry/wrap_contact.h"
#include "reeve/model/typed_memory.h"

namespace reeve {

/// Of the whole cable.
struct HoistState {
  Whole count;             ///< of nodes in the route
  double explicitTension;  ///< N, `pull: force`
  Flag limited;            ///< explicit force: the step cannot bear the stiffness
  PayoutState winch;
  Flag full;    ///< it was reported that no contact is left to make
  Flag inside;  ///< it was reported that the cable is deep inside a body
};

/// N, how the tension along a span differs from that of its run: hoist_along.cpp.
struct TensionOffset {
  double start;       ///< at the span's start, above the run's
  double fall;        ///< by how much it falls to the span's end
  double chordFall;   ///< by how much the pull along the chord falls
  double sag;         ///< what its mean is less because the curve lies below its chord; predicted for the step
  double sagAtStart;  ///< the same at the start of the step
  double skew;        ///< what its mean is above the pull along the chord over η
  double lowest;      ///< by how much the least of its run's spans is below the run
  /// Of the mean.
  double mean() const { return start - 0.5 * fall - sag; }
};

/// How what lies on a wheel goes with it, or on a drum turns with it: hoist_lying.cpp.
struct LyingState {
  Triple speed, older;   ///< m/s, of the wheel's middle at the end of the last step, and of the one before
  double rim, rimOlder;  ///< rad/s, of the rotor
  double step;           ///< s, of the last step
  Whole known;           ///< how many of the speeds are
};

/// A node (a link of the route or a contact), and the span after it.
struct NodeState {
  /// In `stop`.
  static constexpr int watched = 1;  ///< the span after it is nearly used up
  static constexpr int stands = 2;   ///< its ends stand against each other
  /// In `lies`.
  static constexpr int inPart = 1;
  static constexpr int inHeap = 2;
  /// In `suspended`.
  static constexpr int byCourant = 1;
  static constexpr int byFeedback = 2;

  Wrap wrap;
  ContactTravel exit, entry;  ///< spools and links with friction: contacts on the surface, continued over turns
  double stored;              ///< m
  Flag empty;      ///< of a spool on a rotor: nothing is wound on it, and it turns idly under the cable's end
  double slipped;  ///< m
  double above;    ///< m, of a wheel that waits: how high over it the cable passes; 0: not known
  LyingState lying;
  // Of a contact.
  Whole body, shape;  ///< candidate, and which of its shapes
  Flag wraps;         ///< the cable lies on a section of the shape; if not, on a point of it (a floor)
  Triple place_B;     ///< that point, from the centre of mass
  Triple normal_B;    ///< of the plane of the section, or outward at the point
  double height;      ///< m, of the plane above the shape's middle
  Flag loose;         ///< friction does not hold the cable here (hoist_grip.cpp)
  double pulledFor;   ///< s, where it is loose: how long the cable has pulled there
  double born;        ///< s, when it was made
  double press;       ///< N, what it was pressed on with at the end of the step (a point: lately); negative: it would
                      ///< have to hold on
  double across;      ///< N, what it was pulled with across the plane of its section, along its normal
  // Of the span after it: where it hangs at rest (hoist_hanging.cpp).
  Flag hanging;
  Whole hangingHistory;    ///< how many velocities of its ends are known
  double hangingLength;    ///< m
  double hangingGrowth;    ///< m, of that in the last step
  Whole lies;              ///< on the floor: 0, inPart or inHeap
  double lifted, lifting;  ///< share of it that is off the floor, and its rate, 1/s
  double
      slackFor;  ///< s, how long it has been slack enough to hang; explicit: how long its wave could have begun again
  Whole stop;    ///< 0, watched or stands
  // Of a run, at its first node.
  double rest;                          ///< m
  double error;                         ///< m, C at the end of the last step
  double grown;                         ///< m, its change in that step
  double stretching, stretchingBefore;  ///< m/s, the rate of that at the end of the last step and of the one before
  // Of the span's wave.
  WaveMetric curve;    ///< δ, η, slope
  double thin;         ///< rest length over length of its run: what a metre of it weighs
  Triple side;         ///< first axis across the chord, world frame
  Triple chordEnd[2];  ///< m, where the chord's ends were
  Triple endSpeed[2];  ///< m/s, of the ends: of a span that hangs, or explicit
  Triple endOlder[2];  ///< of a span that hangs endSpeed of the step before, explicit m/s², the acceleration
  // Along the chord: hoist_along.cpp.
  double flow;        ///< m/s, of its material at the end of the last step
  double flowBefore;  ///< and of the one before
  Whole flows;        ///< how many of them are known
  TensionOffset offset;
  double centrifugal;       ///< m/s², along the chord, and
  Triple coriolis;          ///< across it, world frame: what the chord's turning does, predicted for the step
  double centrifugalStart;  ///< both as they were at the start of the step
  Triple coriolisStart;
  double madeWith;  ///< s, step of the increments; 0: there are none
  // Explicit waves: hoist_explicit.cpp.
  Whole suspended;        ///< why the wave rests: 0 (it does not), byCourant or byFeedback
  double slopePowers[4];  ///< sums of powers of the links' slopes, so that a length costs no walk along the span
  double slopeMost;
  double powerChord;  ///< m, the chord that δ and η belong to; 0 if none

  ContactTravel& contact(bool leaving) { return leaving ? exit : entry; }
  const ContactTravel& contact(bool leaving) const { return leaving ? exit : entry; }
  /// A contact that is made now, in the span after another node.
  void beginAfter(const NodeState& from, double time) {
    wrap = Wrap{};
    slipped = hangingLength = hangingGrowth = slackFor = press = across = 0.0;
    endRun();
    suspended = stop = lies = flows = 0;
    hanging = false;
    born = time;
    side = from.side;
    madeWith = from.madeWith;
    flow = from.flow;
    thin = from.thin;
  }
  /// The run that starts at another node becomes part of the one that starts here, with what lies on that node.
  void joinRun(const NodeState& other) {
    rest += other.rest;
    rest += other.stored;
    error += other.error;
    grown += other.grown;
  }
  /// No run starts here any more.
  void endRun() { rest = stored = error = grown = 0.0; }
  bool isOn(int candidate, int ofShape) const { return body == candidate && shape == ofShape; }
  bool onSameShape(const NodeState& other) const { return isOn(other.body, other.shape); }
  WrapPlane plane() const { return {normal_B.vec(), height}; }
  void layPlane(const WrapPlane& plane) {
    normal_B = plane.normal_B;
    height = plane.height;
  }
};

/// Of a candidate: where its body was before the last step.
struct KeptPose {
  Triple position;
  double x, y, z, w;  ///< orientation; all zero: no step has been made
  Quat orientation() const { return Quat(w, x, y, z); }
  KeptPose& operator=(const Pose& pose) {
    position = pose.position;
    x = pose.orientation.x(), y = pose.orientation.y(), z = pose.orientation.z(), w = pose.orientation.w();
    return *this;
  }
};

}  // namespace reeve
