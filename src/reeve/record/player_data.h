#pragma once
// A run as data for the player of a report (player/*.js): what there is, and where it is at some hundred instants.
//
//   view    {from, center, width, height}: the eye's direction, what is in the middle and how much must fit, m
//   solids  [{name, type, fill, fixed, body, rotor, position, orientation, ...}]: `body` and `rotor` count into a
//   frame;
//           type sphere {radius}, capsule and cylinder {radius, length along local z}, box {size}, faces {faces:
//           corners, counter-clockwise from outside}, wheel {radius, width, axis}, ground (a half-space, grid only)
//   cables  [{name, radius, colour}];  tension: N at the top of the colours, 0 when nothing pulls
//   times   [s];  frames [{bodies: [[x, y, z, qw, qx, qy, qz]], wheels: [[center, axis, first spoke]], angles: [rad],
//           cables: [[x, y, z, tension, x, y, z, tension, ...]]}]: tension below 0 where a cable is parted
//   panels  [{title, unit, series: [{label, values}]}] over plotTimes
#include <string>
#include <vector>

#include "reeve/record/picture.h"
#include "reeve/record/plot.h"
#include "reeve/world/observation.h"

namespace reeve::record {

class PlayerData {
 public:
  /// `samples`: how many times add() will be called at most; about `mostFrames` of them are kept.
  PlayerData(const Description& scene, const Observation& start, std::size_t samples);

  /// Whether the next sample is one of those that are kept: then it wants an observation.
  bool wants() const { return seen_ % stride_ == 0; }
  /// Every sample counts; null for those that are not wanted.
  void add(const Observation* seen);
  /// The last instant, whether wanted or not.
  void finish(const Observation& end);

  /// What every picture of the run shows, so that they share a camera.
  const PictureFrame& frame() const { return frame_; }
  /// The largest forces so far.
  const PictureForces& forces() const { return forces_; }
  /// The data as JSON that is safe inside a script element: no "<" in it.
  std::string json(const std::vector<Panel>& panels) const;

 private:
  void keep(const Observation& seen);

  const Description& scene_;
  std::size_t stride_ = 1, seen_ = 0;
  int decimals_ = 4;
  PictureForces forces_;
  PictureFrame frame_;
  std::vector<double> times_;
  std::vector<std::string> frames_;  ///< as JSON
};

}  // namespace reeve::record
