#pragma once
// What a cable of joints works out at an instant, once: where its wheels are, and every span between them. Rows,
// stiffness and finish read it.
#include <cstdint>
#include <vector>

#include "reeve/cables/section_outlines.h"
#include "reeve/geometry/tangent_span.h"
#include "reeve/geometry/wrap.h"
#include "reeve/model/instant.h"

namespace reeve {

/// A span as the evaluation sees it: which links, and the link that may come to lie in between.
struct SpanShape {
  SpanGeometry first, second;  ///< second only where the span bends round a link
  bool bent = false;
  double length = 0.0;  ///< m, along all of it
  const SpanEnd& start() const { return first.end[0]; }
  const SpanEnd& end() const { return bent ? second.end[1] : first.end[1]; }
};

struct JointsCache : ElementCache {
  /// A link that is a circle in a plane of its body.
  struct Wheel {
    LinkFrame frame;
    double bodyTurn = 0.0;  ///< rad in this step, of the body about the frame's normal
    double turn = 0.0;      ///< rad in this step, of the rotor about that normal against its frame
    bool placed = false;    ///< of one that never moves: its frame is known
    double grown = 1.0;     ///< of a drum: where the cable runs at the end of the step over where at its start
  };
  enum class Kind : std::uint8_t {
    still,   ///< between links that never move: only wheels turn
    wheels,  ///< between circles in one plane
    other    ///< anything else: in shapes
  };
  /// The span after a link.
  struct Span {
    Kind kind = Kind::other;
    bool movable = true;          ///< a pull at it can move something
    int shape = -1;               ///< in shapes
    double length = 0.0;          ///< m
    double paid[2] = {0.0, 0.0};  ///< m that the links at its ends have given to it in this step
    ContactTravel travel[2];      ///< of its contacts, where those are round and do not hold
    // Between wheels:
    Vec3 n = Vec3::Zero();                       ///< unit, from one to the other
    Vec3 arm[2] = {Vec3::Zero(), Vec3::Zero()};  ///< m, from the centre to the contact
    double moment[2] = {0.0, 0.0};               ///< m, change of length for a turn about the wheel's normal
  };
  std::vector<Wheel> wheels;      ///< by link
  std::vector<Span> spans;        ///< by the link a span starts from
  std::vector<SpanShape> shapes;  ///< of spans that are neither still nor between wheels
  bool fixed = false;             ///< some span has nothing it can move

  const SpanShape& shapeOf(const Span& span) const { return shapes[static_cast<std::size_t>(span.shape)]; }
};

/// Room to work in: no result depends on what another call has left in it.
struct JointsWorkspace : Notebook::Page {
  SectionOutlines outlines;  ///< of bodies it has met
};

}  // namespace reeve
