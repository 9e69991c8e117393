#pragma once
// What a strand remembers from step to step, as structs of plain numbers over State::memory. Its memory has, one after
// the other: a WheelMemory for each wheel, the rest length of each segment, single numbers for whatever else there is,
// and of a strand with candidates the order of its stations, a SpareMemory for each spare node and a TouchMemory for
// each node that may come against a body.
#include "reeve/model/typed_memory.h"

namespace reeve {

/// Where the strand comes on a wheel and leaves it (angles in the wheel's plane, whole turns counted), the material
/// there, and how much has slid over it.
struct WheelMemory {
  double entryAngle = 0.0, exitAngle = 0.0;  ///< rad
  double entryS = 0.0, exitS = 0.0;          ///< m
  double slid = 0.0;                         ///< m
};

/// A drum that an end of the strand is wound on. What lies on it is unstretched by `strain` of its layers, the last of
/// which is on top. (Of a strand that cannot stretch there are no layers.)
struct DrumMemory {
  static constexpr int most = 8;
  Flag holds;         ///< all is off it: the strand is held at the place of the rim its end is fixed to
  Whole side;         ///< as of a wheel
  double laid = 0.0;  ///< strain with which material passes its rim in the coming step
  Whole layers;
  double rest[most] = {}, strain[most] = {};  ///< m, and by how much it was stretched when it came on
};

/// A segment that may break.
struct PartedMemory {
  Flag parted;
  double before = 0.0, after = 0.0;  ///< m of it that hang from the stations before and after it; less than none: so
                                     ///< far on what lies on the wheel there has ended
};

/// A node that comes and goes.
struct SpareMemory {
  Whole role;             ///< Strand::Role
  double material = 0.0;  ///< m, of a free one
  Whole feature;          ///< it stands beside or lies on
  double at = 0.0;        ///< m along the edge; of an arc's end the spare of its start
  /// m: how far inside the body it was when it came. It is kept from going deeper, and not pushed out: that would win
  /// energy. An arc's radius is smaller by that.
  double deep = 0.0;
  Triple axis, out;  ///< on the body: of one that stands the directions of its parameters; of an arc on a ball its axis
};

/// What a free node may come against.
struct TouchMemory {
  Whole body;            ///< 1 + its block; 0: nothing
  Triple normal, point;  ///< on the body
  Flag held;             ///< it has been held there
};

}  // namespace reeve
