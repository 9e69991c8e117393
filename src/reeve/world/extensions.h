#pragma once
// Joints and cable models from outside the library: a program hands them to World::build, and a description asks for
// them by the word in `extension`. What is made is an element like any other.
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "reeve/cables/cable.h"
#include "reeve/elements/joint.h"
#include "reeve/model/problem.h"

namespace reeve {

struct Extensions {
  using JointMaker = std::function<std::expected<std::unique_ptr<Joint>, Problem>(const JointSite& site)>;
  using CableMaker = std::function<std::expected<std::unique_ptr<Cable>, Problem>(const CableSite& site)>;
  std::map<std::string, JointMaker> joints;
  std::map<std::string, CableMaker> cables;
};

}  // namespace reeve
