// Paper 000: Cable Joints (Müller, Chentanez, Jeschke, Macklin 2018). Table 1, the timings in the text, figures 1
// to 20.
#include "reproduce_000.h"

namespace reeve::command {

Paper cableJoints() {
  Paper p{"000", "Cable Joints (Müller, Chentanez, Jeschke, Macklin 2018)", {}};
  p.items = {
      timing("table 1: simple", "simple", 4, 1, 0.012),
      timing("table 1: servin", "servin", 16, 10, 0.25),
      timing("table 1: pulley", "pulley", 6, 15, 0.3),
      timing("table 1: hand", "hand", 28, 20, 1.7),
      timing("table 1: gym", "gym", 16, 20, 2.5),
      // Open chains of 64 and 512 wheels have 63 and 511 spans; the paper counts 62 and 498.
      timing("table 1: hilbert2", "hilbert2", 63, 10, 1.8, 1, 62),
      timing("table 1: hilbert3", "hilbert3", 511, 10, 60, 1, 498, 0.5),
      timing("text: simple with 10 iterations", "simple", 0, 10, 0.036),
      {"text: simple with 1 iteration", "0.012 ms, lengths within about 5 %", oneIteration},
      timing("text: hilbert2 with 10 iterations", "hilbert2", 0, 10, 1.8),
      timing("text: hilbert3 with 100 iterations", "hilbert3", 0, 100, 60, 1, 0, 0.5),
      timing("text: bow with 10 substeps of 10", "bow", 0, 10, 25, 10),
      {"fig 1: hand, pulley, hilbert3", "picture", figure1},
      {"fig 2: rest length over turning wheels", "rest length absorbs what both wheels pay out", turningWheels},
      {"fig 3: four tangents", "orientation and order choose one of four common tangents", fourTangents},
      {"fig 4: flipped orientations", "flipping the orientations gives another route", flips},
      {"fig 5: wheel and general shape", "cable on a shape is measured along its convex hull", polygonTurn},
      {"fig 6: tangent by iteration", "left-most points in turn, until none moves", tangentIteration},
      {"fig 7: pinhole, attachment, hybrid", "three more links on one cable; one tension beside a pinhole", links},
      {"fig 8: a plane for each shape", "tangents between planes that do not coincide", skewPlanes},
      {"fig 9: skew wheels", "smooth without being perpendicular; kinks elsewhere", skewWheels},
      {"fig 10: hybrid link", "rolls, holds when used up, rolls again past a tangent", hybridCycle},
      {"fig 11: split and merge", "rest length is moved so that tension stays", splitMerge},
      {"fig 12: forces", "10, 20, 20, 20 N at 1 kg/m3; the same errors at 1000 kg/m3", forces},
      byExpectations("fig 13: servin", "a faithful reproduction of Servin's example", "servin"),
      {"fig 14: segments", "100 bodies stay elastic with 100 iterations; cable joints do not", segments},
      {"fig 15: elastic cables", "expected elongations at 0.01 m/N; at 0.1 m/N bodies hit the ground", elastic},
      {"fig 16: gear", "in equilibrium only at a mass ratio of 1:4", gear},
      {"fig 17: split, merge", "a cable splits and merges as it touches and leaves a body", splitMerge},
      {"fig 17: hybrid links", "more cable on the wheel, a longer fall, then the link holds", hybrids},
      {"fig 18: hilbert curve", "taut: all wheels turn at once; loose: one by one", hilbert},
      byExpectations("fig 19: bow", "a system under high tension, 10 substeps", "bow"),
      byExpectations("fig 20: gym", "one stack of weights, the desired force on each handle", "gym"),
  };
  return p;
}

}  // namespace reeve::command
