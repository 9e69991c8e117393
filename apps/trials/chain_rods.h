#pragma once
// The rod of Rigid Body Cable for Virtual Environments, section VII-A, and how it is pulled, twisted and bent: 10 m
// along x, 0.1 m square, ν = 0.3, density 7800.
#include "reeve/world/world.h"

namespace reeve::trials {

inline constexpr double paperStep = 1.0 / 60;  ///< s
inline constexpr double rodLength = 10.0;      ///< m

/// Gravity 10 m/s² or none, steps of 1/60 s.
Description paperScene(bool weight, SolverChoice solver = SolverChoice::direct);
LinkSettings chainEnd(std::string on, Vec3 point = Vec3::Zero(), EndHold hold = EndHold::pinned);
BodySettings rigidBody(double mass, Vec3 inertia, Vec3 position);
/// A body of the rod's own size at its end: it adds no dynamics of its own.
BodySettings endBlock(Vec3 position, double mass = 50.0);

CableSettings paperRod(double young, int segments);
double paperEI(double young);
double paperGJ(double young);

/// A force and torque, put on smoothly within so many seconds; 0: at once.
void putOn(Description& d, const std::string& on, Vec3 force, Vec3 torque, double seconds);

/// The rod from the world to a body at its far end, both ends clamped; nothing weighs.
Description rodScene(double young, int segments, double damping, const std::string& end = "end");

/// How a rod is twisted.
struct Twisting {
  double young = 2e11;
  int segments = 24;
  double turns = 37.0;       ///< the torque is what so many need
  double tension = 30.0;     ///< EI/m²
  double disturbance = 0.0;  ///< m, by which its start is no straight line
  double seconds = 12.0;     ///< the torque is on after 0.7 of it
};
/// A chuck at the end keeps to the axis, may slide along it and is turned.
Description chuckScene(double young, int segments, double damping, double disturbance);
Description twistScene(const Twisting& t);
/// Turns of the chuck.
double turnsOf(const World& world);
/// Farthest point from the axis, m.
double lateralOf(const World& world);
/// Radius of the circle through the middles of its first, middle and last segment, m.
double radiusOf(const World& world);

/// A number by path; NaN if there is none of this name.
double numberOf(const World& world, const std::string& path);

}  // namespace reeve::trials
