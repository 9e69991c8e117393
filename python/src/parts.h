#pragma once
// Handles as Python objects: the world they belong to, and their place in it.
#include "convert.h"

namespace reeve::python {

/// A world that Python objects hold on to.
using Shared = std::shared_ptr<World>;

template <class H>
struct Part {
  Shared world;
  H handle;
  std::string name;
};
using BodyPart = Part<BodyHandle>;
using RotorPart = Part<RotorHandle>;
using ParticlePart = Part<ParticleHandle>;
using JointPart = Part<JointHandle>;
using MotorPart = Part<MotorHandle>;
using CablePart = Part<CableHandle>;

/// A measured number by its path.
inline double readPath(const World& world, const std::string& path) { return world.read(orThrow(world.resolve(path))); }

void addParts(py::module_& m);

}  // namespace reeve::python
