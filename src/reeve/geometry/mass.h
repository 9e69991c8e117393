#pragma once
// Mass, centre and inertia of solids of uniform density.
#include <span>

#include "reeve/geometry/shape.h"
#include "reeve/math/types.h"

namespace reeve {

struct MassProperties {
  double mass = 0;              ///< kg
  Vec3 centre = Vec3::Zero();   ///< centre of mass, m
  Mat3 inertia = Mat3::Zero();  ///< about the centre of mass, in the axes of the frame, kg m²
};

/// m³; infinite for a half-space.
double volume(const Shape& shape);

/// In the body's frame. `density` in kg/m³. A half-space weighs nothing: it never moves.
MassProperties massOf(const Shape& shape, double density);

/// The same thing seen from the frame that `pose` places it in.
MassProperties moved(const MassProperties& m, const Pose& pose);

/// The parts together, all in one frame. Overlapping parts count twice.
MassProperties combined(std::span<const MassProperties> parts);

/// The sum over posed shapes of one density.
MassProperties massOf(std::span<const Shape> shapes, double density);

/// Inertia about `point` of a body with inertia about its centre of mass (Huygens and Steiner).
Mat3 inertiaAbout(const MassProperties& m, const Vec3& point);

/// Same shape, another mass.
MassProperties scaledTo(const MassProperties& m, double mass);

/// (d·d) 1 - d dᵀ: the inertia of a unit mass at d.
Mat3 pointInertia(const Vec3& d);

}  // namespace reeve
