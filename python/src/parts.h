#pragma once
// Handles as Python objects: the world they belong to, and their place in it.
#include "busy.h"

namespace reeve::python {

template <class H>
struct Part {
  Owner world;
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
void addEdit(py::module_& m);

Fit fitOf(const std::string& word);
/// The pose of a body with what is given of it changed.
Pose poseOf(const BodyPart& b, const py::handle& position, const py::handle& orientation);
/// The same of its velocities, into an edit.
void addTwist(Edit& edit, const BodyPart& b, const py::handle& velocity, const py::handle& angular);
void applyEdit(World& world, const Edit& edit, const std::string& fit);

}  // namespace reeve::python
