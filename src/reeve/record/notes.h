#pragma once
// What a person who looked at the result would note: a body that flew away, a rope that is on its wheel no more.
#include <string>
#include <vector>

#include "reeve/record/peaks.h"
#include "reeve/world/observation.h"

namespace reeve::record {

struct Note {
  std::string subject;  ///< "bodies.load"
  std::string what;
};

/// Remarks on the end of a run, compared with its start.
std::vector<Note> endNotes(const Description& scene, const Observation& start, const Observation& end);

/// Remarks on how a scene starts: spans of a cable that cross, or that pass through a body they do not know of.
std::vector<Note> startNotes(const Description& scene, const Observation& start);

/// The diagonal of what is there at an instant (origins of bodies and particles, cables), m; at least 0.5 m.
double sceneSize(const Observation& seen);

/// What a person would remark on the extremes of a run: a rope that stretches begins as long as its path and without
/// tension, and its largest tension is that of the load falling into it.
std::vector<Note> jolts(const std::vector<Peak>& peaks, const Observation& start, double seconds);

}  // namespace reeve::record
