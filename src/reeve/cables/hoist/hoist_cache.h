#pragma once
// What a hoist cable works out at an instant, once (HoistCache), and the room it works in before and after a step
// (HoistWorkspace).
#include <vector>

#include "reeve/cables/hoist/span_flow.h"
#include "reeve/cables/hoist/span_lanes.h"
#include "reeve/cables/section_outlines.h"
#include "reeve/geometry/tangent_span.h"
#include "reeve/model/instant.h"

namespace reeve {

/// A chord at an instant, with its frame.
struct HoistChord {
  SpanGeometry span;
  Vec3 side[2] = {Vec3::Zero(), Vec3::Zero()};
  bool straightEnds = false;  ///< both ends are points
};

/// The span after a node.
struct HoistSpan {
  bool placed = false;  ///< its chord never moves and is here already
  int to = -1;          ///< node at its end; -1: there is none
  HoistChord chord;
  WaveLane wave;
  double wrapLength = 0.0, wrapAngle = 0.0;    ///< on the node before the span
  double runError = 0.0, runRest = 0.0;        ///< of the run that starts here, if one does
  double flow = 0.0, mass = 0.0, share = 0.0;  ///< along the chord: m/s, kg, and what of the run's length lies behind
                                               ///< its middle
  double part = 0.0;                           ///< of the run's length
  double inert = 0.0;                          ///< kg that flow with it: its own, and half of what lies on still wheels
  double stretching = 0.0;                     ///< m/s, of the run that starts here
  double lift = 0.0, fall = 0.0, drop = 0.0;   ///< N, as remembered
  double own = 0.0;                            ///< N, what its pull along the chord over η is above the run's tension
  double moved = 0.0;                          ///< N, of that what its inertia does
  DampsAlone damps;                            ///< of a run
  // Where the span hangs: N/m, of either end and of the second by the first; and what the row's derivative along the
  // chord has at the first end beyond that of the second, turned round: a floor is not moved along with the ends.
  Mat3 stiffness[2] = {Mat3::Zero(), Mat3::Zero()}, stiffnessBetween = Mat3::Zero();
  double uneven = 0.0;
};

/// By node.
class HoistSpans {
 public:
  void resize(std::size_t count) { spans_.resize(count); }
  HoistSpan& operator[](int i) { return spans_[static_cast<std::size_t>(i)]; }
  const HoistSpan& operator[](int i) const { return spans_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<HoistSpan> spans_;
};

/// Of one run, what moves it along its chords: a row for each node that can move, its gradient of the run's length.
struct HoistRun {
  struct Before {
    double mass = 0.0, moment = 0.0;  ///< of the spans before a node: kg, and kg times their shares
  };
  RowSet rows;
  RowSet sides;             ///< three for each of them: of the span before it, of the one after, of what slips
  std::vector<int> places;  ///< of those nodes
  std::vector<int> blocks;  ///< free ones, each once
  std::vector<Before> before;
  double square = 0.0;  ///< kg, C of (3) in hoist_along.cpp
  bool inert = true;    ///< not too many blocks
};

/// The waves of all spans as they are solved, four at a time.
struct HoistWaves {
  /// What the lanes were prepared for.
  struct Prepared {
    std::uint64_t binding = 0;
    double rate = 0.0, scale = 0.0, h = 0.0;
    bool second = false;
    bool operator==(const Prepared&) const = default;
  } prepared;
  std::vector<double> kept;  ///< by group of four, through a step
  std::vector<double> work;  ///< while spans are solved
  Sheet shape, increment;    ///< of all spans, as last solved
};

struct HoistCache : ElementCache {
  HoistSpans spans;
  std::vector<HoistRun> runs;  ///< in their order along the cable; only of a cable with inertia along its chords
  HoistWaves waves;
  RowSet rows;
};

/// No result depends on what another call has left in it.
struct HoistWorkspace : Notebook::Page {
  SectionOutlines outlines;    ///< of contacts
  HoistSpans spans;            ///< at the start of a step
  HoistRun run;                ///< the same
  std::vector<double> points;  ///< three curves, as triples of numbers
  std::vector<double> lanes;   ///< while waves are solved again
};

}  // namespace reeve
