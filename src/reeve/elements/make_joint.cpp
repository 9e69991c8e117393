#include "reeve/elements/ball.h"
#include "reeve/elements/distance.h"
#include "reeve/elements/hinge.h"
#include "reeve/elements/slider.h"

namespace reeve {

std::unique_ptr<Joint> makeJoint(const JointSite& site) {
  const auto& [given, a, b, frameA, frameB, startDistance] = site;
  JointSettings s = given;
  if (s.type != JointType::hinge && s.type != JointType::slider) {
    // No free coordinate: nothing to hold on it, and nothing to remember.
    s.viscous = s.stiffness = 0.0;
    s.oneWay = OneWay::off;
  }
  switch (s.type) {
    case JointType::ball:
      return std::make_unique<BallJoint>(s, a, b, frameA, frameB);
    case JointType::universal:
      return std::make_unique<UniversalJoint>(s, a, b, frameA, frameB);
    case JointType::fixed:
      return std::make_unique<FixedJoint>(s, a, b, frameA, frameB);
    case JointType::hinge:
      return std::make_unique<HingeJoint>(s, a, b, frameA, frameB);
    case JointType::slider:
      return std::make_unique<SliderJoint>(s, a, b, frameA, frameB);
    case JointType::distance:
      return std::make_unique<DistanceJoint>(s, a, b, s.length.value_or(startDistance));
  }
  return nullptr;
}

}  // namespace reeve
