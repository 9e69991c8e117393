#pragma once
// Items of paper 000, by theme: _timing, _forces, _events, _pictures, and _geometry for the figures that are checks of
// geometry rather than of a shipped scene.
#include "reproduce.h"

namespace reeve::command {

/// Joints, and the time of a frame with the paper's iterations and with `direct`. It passes when both are as fast as
/// the paper (`direct` as fast as `directMilliseconds` if that is given), every step of `direct` converged, its rows
/// hold exactly, and those of the sweeps to a twentieth of a span.
Item timing(std::string name, std::string scene, int joints, int iterations, double paperMilliseconds, int substeps = 1,
            int paperJoints = 0, double directMilliseconds = 0.0);
Outcome oneIteration(Sheet& sheet);  // in the text
Outcome segments(Sheet& sheet);      // fig 14

/// Figure 12's scene, which as shipped starts in balance, started wrong: slack in three spans and the right body on its
/// way down. Its tensions have to be found. `factor` multiplies the density.
Description disturbedSimple(double factor = 1.0);
Outcome forces(Sheet& sheet);   // fig 12
Outcome elastic(Sheet& sheet);  // fig 15
Outcome gear(Sheet& sheet);     // fig 16

Outcome hybridCycle(Sheet& sheet);  // fig 10
Outcome splitMerge(Sheet& sheet);   // figs 11 and 17
Outcome hybrids(Sheet& sheet);      // fig 17
Outcome hilbert(Sheet& sheet);      // fig 18

/// Pictures of a world at its start, at thirds of its time and at its end.
class Stages {
 public:
  Stages(Sheet& sheet, const World& world);
  void look(const World& world);

 private:
  Sheet& sheet_;
  std::vector<double> times_;
  std::size_t next_ = 0;
};
/// A figure whose scene says itself what is to be seen.
Item byExpectations(std::string name, std::string reported, std::string scene);
Outcome figure1(Sheet& sheet);
Outcome flips(Sheet& sheet);       // fig 4
Outcome links(Sheet& sheet);       // fig 7
Outcome skewWheels(Sheet& sheet);  // fig 9

Outcome turningWheels(Sheet& sheet);     // fig 2
Outcome fourTangents(Sheet& sheet);      // fig 3
Outcome polygonTurn(Sheet& sheet);       // fig 5
Outcome tangentIteration(Sheet& sheet);  // fig 6
Outcome skewPlanes(Sheet& sheet);        // fig 8

}  // namespace reeve::command
