#pragma once
// What a person who looked at the result would note: a body that flew away, a rope that is on its wheel no more.
#include <string>
#include <vector>

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

}  // namespace reeve::record
