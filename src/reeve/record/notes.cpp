#include "reeve/record/notes.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "reeve/record/number.h"

namespace reeve::record {
namespace {

/// So many sizes of the scene away from its start, a body is on no picture any more.
constexpr double farAway = 20.0;
/// Remarks of one kind; a broken net of a thousand bodies is one story.
constexpr std::size_t mostOfOneKind = 5;

struct Extent {
  Vec3 low = Vec3::Constant(1e300), high = Vec3::Constant(-1e300);
  void include(const Vec3& p) {
    if (p.allFinite()) low = low.cwiseMin(p), high = high.cwiseMax(p);
  }
};

template <class T>
void addFlown(std::vector<Note>& notes, const char* section, const Named<T>& start, const Named<T>& end, double size) {
  std::size_t more = 0, told = 0;
  for (std::size_t i = 0; i < std::min(start.size(), end.size()); ++i) {
    const double moved = (end[i].second.position - start[i].second.position).norm();
    if (!(moved > farAway * size)) continue;
    if (++told > mostOfOneKind) {
      ++more;
      continue;
    }
    notes.push_back({std::string(section) + "." + end[i].first,
                     "is " + readable(moved, 3) + " m from where it started, " + readable(moved / size, 2) +
                         " times the size of the scene: does anything hold it, or is `seconds` too long?"});
  }
  if (more > 0) notes.push_back({section, "and " + std::to_string(more) + " more that flew away"});
}

bool isRound(const std::string& kind) { return kind == "roll" || kind == "hybrid" || kind == "spool"; }

void addLost(std::vector<Note>& notes, const std::string& name, const CableObservation& start,
             const CableObservation& end) {
  if (start.links.size() != end.links.size()) return;  // contacts have come or gone: the numbers are others
  std::size_t told = 0;
  for (std::size_t i = 1; i + 1 < end.links.size(); ++i) {
    const LinkObservation &before = start.links[i], &now = end.links[i];
    if (!isRound(now.kind) || before.on != now.on || !(before.wrap > 1e-3) || now.wrap > 1e-6) continue;
    if (++told > mostOfOneKind) break;
    notes.push_back({"cables." + name + ".links." + std::to_string(i),
                     "the cable has left its wheel \"" + now.on + "\": it lay on " + readable(before.wrap, 3) +
                         " rad of it at the start and touches it no more"});
  }
}

}  // namespace

double sceneSize(const Observation& seen) {
  Extent extent;
  for (const auto& [name, body] : seen.bodies) extent.include(body.position);
  for (const auto& [name, particle] : seen.particles) extent.include(particle.position);
  for (const auto& [name, cable] : seen.cables) {
    for (const Vec3& p : cable.polyline) extent.include(p);
    for (const SpanObservation& span : cable.spans) extent.include(span.start), extent.include(span.end);
  }
  const double diagonal = (extent.high - extent.low).norm();
  return std::isfinite(diagonal) && extent.high.x() >= extent.low.x() ? std::max(diagonal, 0.5) : 0.5;
}

std::vector<Note> endNotes(const Description& scene, const Observation& start, const Observation& end) {
  std::vector<Note> notes;
  const double size = sceneSize(start);
  Named<BodyObservation> before, after;
  std::unordered_set<std::string_view> moving;
  for (const auto& [name, body] : scene.bodies)
    if (body.motion == BodyMotion::dynamic) moving.insert(name);
  for (std::size_t i = 0; i < std::min(start.bodies.size(), end.bodies.size()); ++i)
    if (moving.contains(start.bodies[i].first)) before.push_back(start.bodies[i]), after.push_back(end.bodies[i]);
  addFlown(notes, "bodies", before, after, size);
  addFlown(notes, "particles", start.particles, end.particles, size);
  for (std::size_t c = 0; c < std::min(start.cables.size(), end.cables.size()); ++c)
    addLost(notes, end.cables[c].first, start.cables[c].second, end.cables[c].second);
  if (end.health.unconverged > 0 && 2 * end.health.unconverged > end.steps)
    notes.push_back({"health", std::to_string(end.health.unconverged) + " of " + std::to_string(end.steps) +
                                   " steps did not converge: take a smaller dt before believing the numbers"});
  return notes;
}

std::vector<Note> jolts(const std::vector<Peak>& peaks, const Observation& start, double seconds) {
  constexpr double unstretched = 1e-9;  // of a span
  constexpr double early = 0.1, above = 1.3;
  std::vector<Note> notes;
  for (const auto& [name, cable] : start.cables) {
    const auto peak = std::find_if(peaks.begin(), peaks.end(), [&](const Peak& p) {
      return p.subject == "cables." + name && p.quantity == "tension";
    });
    if (peak == peaks.end() || cable.spans.empty() || peak->at > early * seconds ||
        !(peak->largest > above * peak->rms))
      continue;
    const bool begins = std::all_of(cable.spans.begin(), cable.spans.end(), [&](const SpanObservation& span) {
      return std::abs(span.length - span.rest) < unstretched * span.length + 1e-12 &&
             span.tension < 0.1 * peak->largest;
    });
    if (begins && notes.size() < mostOfOneKind)
      notes.push_back({"cables." + name, "its largest tension, " + readable(peak->largest, 4) + " N at " +
                                             readable(peak->at, 3) +
                                             " s, is that of the start: it begins without tension, and its load falls "
                                             "into it. \"start\": \"equilibrium\" in settings begins at rest"});
  }
  return notes;
}

}  // namespace reeve::record
