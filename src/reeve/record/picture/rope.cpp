#include "reeve/record/picture/rope.h"

#include <algorithm>
#include <cmath>

namespace reeve::record {
namespace {

/// The vertex from `first` on that lies nearest to p. Ends of spans are vertices themselves in most models, so that the
/// search is over soon.
std::size_t nearest(const std::vector<Vec3>& line, std::size_t first, const Vec3& p) {
  std::size_t best = first;
  double least = 1e300;
  for (std::size_t i = first; i < line.size() && least > 0.0; ++i)
    if (const double now = (line[i] - p).squaredNorm(); now < least) best = i, least = now;
  return best;
}

/// Which span each segment of the polyline belongs to; -1 on wheels.
std::vector<int> spanOfSegments(const CableObservation& cable) {
  std::vector<int> owner(cable.polyline.size() - 1, -1);
  std::size_t from = 0;
  for (std::size_t s = 0; s < cable.spans.size(); ++s) {
    const SpanObservation& span = cable.spans[s];
    if (!span.start.allFinite() || !span.end.allFinite()) continue;
    const std::size_t first = nearest(cable.polyline, from, span.start);
    const std::size_t last = nearest(cable.polyline, first, span.end);
    for (std::size_t i = first; i < last; ++i) owner[i] = static_cast<int>(s);
    from = last;
  }
  return owner;
}

/// A hanging line between two points: a parabola of the given length, which is what a shallow catenary is.
std::vector<Vec3> hanging(const Vec3& a, const Vec3& b, double rest, const Vec3& gravity) {
  const double chord = (b - a).norm();
  const double g = gravity.norm();
  const Vec3 down = g > 0.0 && std::isfinite(g) ? Vec3(gravity / g) : Vec3(0, 0, -1);
  const double sag =
      rest > chord && std::isfinite(rest) ? std::sqrt(3.0 / 8.0 * std::max(chord, 0.3 * rest) * (rest - chord)) : 0.0;
  std::vector<Vec3> line;
  constexpr int parts = 24;
  for (int i = 0; i <= parts; ++i) {
    const double t = static_cast<double>(i) / parts;
    line.push_back(a + t * (b - a) + 4.0 * t * (1.0 - t) * sag * down);
  }
  return line;
}

void addSpan(std::vector<RopePiece>& pieces, const SpanObservation& span, int index, const Vec3& gravity) {
  if (!span.start.allFinite() || !span.end.allFinite()) return;
  const bool slack = hangsSlack(span);
  const auto line = slack ? hanging(span.start, span.end, span.rest, gravity) : std::vector{span.start, span.end};
  for (std::size_t i = 0; i + 1 < line.size(); ++i)
    pieces.push_back({line[i], line[i + 1], span.tension, slack, index});
}

}  // namespace

std::vector<RopePiece> ropePieces(const CableObservation& cable, const Vec3& gravity) {
  std::vector<RopePiece> pieces;
  const bool drawn = cable.polyline.size() >= 2 && std::all_of(cable.polyline.begin(), cable.polyline.end(),
                                                               [](const Vec3& p) { return p.allFinite(); });
  if (!drawn) {
    for (std::size_t s = 0; s < cable.spans.size(); ++s) addSpan(pieces, cable.spans[s], static_cast<int>(s), gravity);
    return pieces;
  }
  const std::vector<int> owner = spanOfSegments(cable);
  const bool perVertex = cable.tensions.size() == cable.polyline.size();
  for (std::size_t i = 0; i + 1 < cable.polyline.size(); ++i) {
    RopePiece piece{cable.polyline[i], cable.polyline[i + 1], 0.0, false, owner[i]};
    if (perVertex && cable.tensions[i] < 0.0) continue;  // a parted cable: nothing between the loose ends
    if (perVertex) piece.tension = (cable.tensions[i] + cable.tensions[i + 1]) / 2;
    if (owner[i] >= 0) {
      const SpanObservation& span = cable.spans[static_cast<std::size_t>(owner[i])];
      piece.slack = hangsSlack(span);
      if (!perVertex) piece.tension = span.tension;
    } else if (!perVertex && i > 0 && !pieces.empty()) {
      piece.tension = pieces.back().tension;
    }
    if (!std::isfinite(piece.tension) || piece.tension < 0.0) piece.tension = 0.0;
    pieces.push_back(piece);
  }
  return pieces;
}

bool hangsSlack(const SpanObservation& span) { return span.slack && span.rest > span.length * (1.0 + 1e-9); }

double forceScale(const Description& scene, const Observation& seen) {
  double force = 0.0, torque = 0.0, size = 0.0, weight = 0.0;
  const double g = scene.settings.gravity.norm();
  const auto add = [](double& largest, double value) {
    if (std::isfinite(value)) largest = std::max(largest, value);
  };
  for (const auto& [name, joint] : seen.joints) add(force, joint.force.norm()), add(torque, joint.torque.norm());
  for (const ContactObservation& contact : seen.contacts) add(force, contact.force);
  for (const auto& [name, settings] : scene.forces)
    add(force, settings.force.norm()), add(torque, settings.torque.norm());
  for (const auto& [name, cable] : seen.cables) {
    add(size, cable.length);
    for (const auto& [other, settings] : scene.cables)
      if (other == name) {
        add(force, settings.material.bending / std::max(cable.length * cable.length, 1e-12));
        add(force, settings.material.mass * cable.length * g);
      }
    for (const SpanObservation& span : cable.spans) add(force, span.tension);
  }
  if (size > 0.0) force = std::max(force, torque / size);
  // Of what only weighs, rounding is two digits further down.
  for (const auto& [name, body] : scene.bodies) weight += body.mass.value_or(0.0);
  for (const auto& [name, rotor] : scene.rotors)
    weight += std::max(rotor.mass, rotor.inertia.value_or(0.0) / std::max(rotor.radius * rotor.radius, 1e-12));
  return std::max(force, 0.01 * weight * g);
}

double largestTension(const Observation& seen, double noise) {
  double largest = 0.0;
  const auto consider = [&](double tension) {
    if (std::isfinite(tension) && !(tension < noise)) largest = std::max(largest, tension);
  };
  for (const auto& [name, cable] : seen.cables) {
    for (const double tension : cable.tensions) consider(tension);
    for (const SpanObservation& span : cable.spans) consider(span.tension);
  }
  return largest;
}

}  // namespace reeve::record
