#pragma once
// Where everything of a scene stands at one instant, looked up by name.
//
// Observations that are missing or not finite fall back to the start pose, so that a picture of a run that went bad
// still shows what there was.
#include <functional>
#include <map>
#include <string>

#include "reeve/model/description.h"
#include "reeve/world/observation.h"

namespace reeve::record {

class Stage {
 public:
  Stage(const Description& description, const Observation& observation);

  const Description& description() const { return description_; }
  const Observation& observation() const { return observation_; }

  /// Of a body or particle, now. The world, and a name that is not there, stand at the origin.
  Pose pose(const std::string& name) const;
  bool isWorld(const std::string& name) const { return !now_.contains(name); }
  /// A point given in the world frame at the start, carried along by a body or particle.
  Vec3 carried(const std::string& name, const Vec3& point_W0) const;
  Vec3 carriedDirection(const std::string& name, const Vec3& direction_W0) const;

  /// A wheel: center and axle in the world, and the direction of its first spoke.
  struct Wheel {
    Vec3 center, axis, spoke;
    double radius = 0.0, width = 0.0;
  };
  Wheel wheel(const std::string& rotorName, const RotorSettings& rotor) const;

 private:
  const Description& description_;
  const Observation& observation_;
  std::map<std::string, Pose, std::less<>> start_, now_;
  std::map<std::string, double, std::less<>> rotorAngles_;
};

/// Some unit vector at right angles to `axis`, the same one every time.
Vec3 sideways(const Vec3& axis);

}  // namespace reeve::record
