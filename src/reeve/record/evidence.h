#pragma once
// What the judge weighs (judge.h): energies that are not counted or off, what passes a cable, what fights a drive.
#include <string>
#include <vector>

#include "reeve/world/observation.h"

namespace reeve::record {

/// What is stretched on wheels at the start, J: it is not counted there, and in sight when it has left them.
double hiddenAt(const Description& scene, const Observation& start);

/// What a stretched cable that slides over wheels may gain, J: rest length is passed on at the strain of one side, so
/// that up to half of the strain of what it stores is made.
double slidingError(const Description& scene, const Observation& now);

/// How near a straight way comes to a line of points, m.
double nearest(const Vec3& from, const Vec3& to, const std::vector<Vec3>& line);

/// Neither its material nor its model lets it stretch.
bool isRigid(const CableSettings& cable);

/// The rigid joints and cables that are wrong along with the worst row, if they are several: ": there is no solution
/// for joints.a, cables.b together"; empty otherwise.
std::string fightersOf(const Description& scene, const Observation& now, double error);

/// The body with prescribed motion that is in what overlaps, or presses on it; empty if there is none.
std::string pressing(const Description& scene, const Observation& now, const ContactObservation& overlap);

/// What a drive without a limit fights against: another drive of the same joint or rotor, the joint's own limits, rigid
/// cables that the rotor winds, rigid joints that give way by more than `limit`, drives elsewhere that have no limit
/// either. ": there is no solution ..."
std::string rivalsOf(const Description& scene, const Observation& now, const std::string& name, double limit);

}  // namespace reeve::record
