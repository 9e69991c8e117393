#pragma once
// What items of reeve reproduce share: scenes changed and run, the time of a frame, numbers in words.
#include <functional>
#include <string>
#include <vector>

#include "reeve/model/description.h"
#include "reeve/record/expectation.h"
#include "reeve/world/world.h"

namespace reeve::command {

/// A shipped scene. Throws a Failure that names it if it is missing or does not read.
Description shippedScene(const std::string& name);
World built(Description description);

/// Steps until `seconds` of simulated time, or until the step goes bad. `after` sees every step.
bool advance(World& world, double seconds, const std::function<void(World&)>& after = {});

/// A single number by path; NaN if the world has none of this name.
double measured(const World& world, const std::string& path);

/// All spans of all cables, in the order of description and route.
std::vector<SpanObservation> spansOf(const World& world);
/// Longest stretch of any span that pulls, as a share of its rest length.
double worstStretch(const World& world);
/// Rest length of all cables, free and stored, m.
double totalLength(const World& world);

/// Density, mass and inertia of every body, particle and wheel times `factor`.
void scaleMass(Description& description, double factor);

struct FrameTime {
  double milliseconds = 0.0;  ///< CPU time of this thread for 1/60 s, mean over the scene, the fastest of several runs
  int joints = 0;             ///< spans at the start
  int substeps = 1;           ///< of a frame
  double iterations = 0.0;    ///< a substep, mean
  double error = 0.0;         ///< worst of any rigid row at the end of any frame, m or rad
  int unconverged = 0;        ///< steps of one run through the scene
  double span = 0.0;          ///< mean rest length of the spans at the start, m
  bool good = true;
};
/// `iterations` sweeps a substep, or `direct` for 0. Where a frame in one step goes bad, it is cut into steps of the
/// scene's own length.
/// `seconds` of CPU are spent on repetitions; with 0 the scene runs once, which is enough for everything but the time.
FrameTime timeFrames(const Description& description, int iterations, int substeps = 1, double seconds = 0.5);

/// The expectations written in a scene, checked on the way to the last of them.
struct Checked {
  int met = 0, all = 0;
  bool good = true;
  std::string firstMissed;
  bool pass() const { return good && all > 0 && met == all; }
  std::string text() const;
};
Checked checkExpectations(World& world, const std::function<void(World&)>& after = {});

}  // namespace reeve::command
