// What a person who looked at the start of a scene would note about its cables.
#include <algorithm>
#include <cmath>

#include "reeve/record/notes.h"
#include "reeve/record/number.h"
#include "reeve/record/picture/solid.h"

namespace reeve::record {
namespace {

/// How near two segments come to each other, m, where it is inside both (not at their ends).
double crossingGap(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const Vec3 u = b - a, v = d - c, w = a - c;
  const double A = u.dot(u), B = u.dot(v), C = v.dot(v), D = u.dot(w), E = v.dot(w), det = A * C - B * B;
  if (!(det > 1e-9 * A * C)) return 1e300;
  const double s = (B * E - C * D) / det, t = (A * E - B * D) / det;
  if (s < 0.02 || s > 0.98 || t < 0.02 || t > 0.98) return 1e300;
  return (w + s * u - t * v).norm();
}

/// A shape in its own frame, ready for many questions.
struct Solidity {
  const ShapeSettings* shape;
  std::vector<Face> faces;  ///< of hulls and prisms
};

Solidity solidityOf(const ShapeSettings& shape) {
  std::vector<Vec3> corners = shape.points;
  for (const Vec2& p : shape.polygon)
    for (const double z : {-shape.length / 2, shape.length / 2}) corners.emplace_back(p.x(), p.y(), z);
  const bool cornered = shape.type == ShapeType::hull || shape.type == ShapeType::prism;
  return {&shape, cornered ? hullFaces(corners) : std::vector<Face>{}};
}

/// How deep a point lies in a shape, m; not positive outside.
double depthIn(const Solidity& solid, const Vec3& p) {
  const ShapeSettings& shape = *solid.shape;
  switch (shape.type) {
    case ShapeType::sphere:
      return shape.radius - p.norm();
    case ShapeType::capsule: {
      const double z = std::clamp(p.z(), -shape.length / 2, shape.length / 2);
      return shape.radius - (p - Vec3(0, 0, z)).norm();
    }
    case ShapeType::cylinder:
      return std::min(shape.radius - p.head<2>().norm(), shape.length / 2 - std::abs(p.z()));
    case ShapeType::box:
      return (shape.size / 2 - p.cwiseAbs()).minCoeff();
    case ShapeType::halfSpace:
      return -p.z();
    case ShapeType::hull:
    case ShapeType::prism: {
      double depth = solid.faces.empty() ? -1.0 : 1e300;
      for (const Face& face : solid.faces) depth = std::min(depth, face.normal.dot(face.corners[0] - p));
      return depth;
    }
  }
  return -1.0;
}

/// Names of the bodies that a cable is linked to, or may meet.
std::vector<std::string> knownTo(const Description& scene, const CableSettings& cable) {
  std::vector<std::string> names = cable.candidates;
  for (const LinkSettings& link : cable.route) {
    names.push_back(link.on);
    for (const auto& [name, rotor] : scene.rotors)
      if (name == link.on) names.push_back(rotor.on);
  }
  return names;
}

void addCrossings(std::vector<Note>& notes, const std::string& name, const CableObservation& cable, double near) {
  for (std::size_t i = 0; i + 1 < cable.spans.size() && i < 200; ++i) {
    const SpanObservation &one = cable.spans[i], &next = cable.spans[i + 1];
    if (!(crossingGap(one.start, one.end, next.start, next.end) < near)) continue;
    notes.push_back({"cables." + name, "its spans " + one.from + " – " + one.to + " and " + next.from + " – " +
                                           next.to + " cross: is the side of \"" + one.to + "\" right?"});
  }
}

void addPiercings(std::vector<Note>& notes, const Stage& stage, const std::string& name, const CableObservation& cable,
                  const std::vector<std::string>& known) {
  for (const auto& [bodyName, body] : stage.description().bodies) {
    if (std::find(known.begin(), known.end(), bodyName) != known.end() || !body.collides) continue;
    const Pose pose = stage.pose(bodyName);
    std::vector<Solidity> solids;
    for (const ShapeSettings& shape : body.shapes) solids.push_back(solidityOf(shape));
    for (std::size_t s = 0; s < cable.spans.size() && s < 200; ++s) {
      const SpanObservation& span = cable.spans[s];
      double deepest = 0.0;
      for (const Solidity& solid : solids) {
        const Pose at = pose * Pose{solid.shape->position, solid.shape->orientation.normalized()};
        for (int k = 1; k < 64; ++k)
          deepest = std::max(deepest, depthIn(solid, at.pointInverse(span.start + (span.end - span.start) * k / 64.0)));
      }
      if (!(deepest > 1e-3 * std::max(span.length, 1e-3))) continue;
      notes.push_back({"cables." + name, "its span " + span.from + " – " + span.to + " passes through \"" + bodyName +
                                             "\", " + readable(deepest, 2) +
                                             " m deep: name it in candidates if the cable should lie on it"});
      break;
    }
  }
}

}  // namespace

std::vector<Note> startNotes(const Description& scene, const Observation& start) {
  std::vector<Note> notes;
  const Stage stage(scene, start);
  const double near = 1e-3 * sceneSize(start);
  for (std::size_t c = 0; c < std::min(scene.cables.size(), start.cables.size()); ++c) {
    const auto& [name, settings] = scene.cables[c];
    const CableObservation& seen = start.cables[c].second;
    const bool routed = settings.model == CableModel::joints || settings.model == CableModel::hoist;
    if (settings.model == CableModel::chain || settings.model == CableModel::particles) continue;  // these touch things
    if (routed) addCrossings(notes, name, seen, near);  // a strand may lie along curves
    addPiercings(notes, stage, name, seen, knownTo(scene, settings));
  }
  return notes;
}

}  // namespace reeve::record
