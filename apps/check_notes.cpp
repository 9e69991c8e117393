#include "check_notes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numbers>

#include "reeve/geometry/collide.h"
#include "reeve/model/model.h"
#include "reeve/record/number.h"

namespace reeve::command {
namespace {

constexpr std::size_t mostBodies = 300;  ///< pairs of more are not checked
constexpr std::size_t mostNotes = 5;

/// How deep two bodies are in each other, m; not positive apart.
double overlapOf(const Body& a, const Pose& A, const Body& b, const Pose& B) {
  double depth = 0.0;
  for (const Shape& one : a.shapes)
    for (const Shape& other : b.shapes) {
      Manifold manifold;
      collide(one, A, other, B, 0.0, manifold);
      for (int k = 0; k < manifold.count; ++k)
        depth = std::max(depth, -manifold.points[static_cast<std::size_t>(k)].gap);
    }
  return depth;
}

bool joined(const Description& scene, const std::string& a, const std::string& b) {
  return std::any_of(scene.joints.begin(), scene.joints.end(), [&](const auto& item) {
    const JointSettings& joint = item.second;
    return !joint.collide && ((joint.a == a && joint.b == b) || (joint.a == b && joint.b == a));
  });
}

void addOverlaps(std::vector<record::Note>& notes, const World& world, const Observation& seen) {
  const Description& scene = world.description();
  if (scene.bodies.size() > mostBodies) return;
  struct Placed {
    const Body* body;
    Pose pose;
    bool moves;
  };
  std::vector<Placed> placed;
  for (const Body& body : world.model().bodies)
    for (std::size_t i = 0; i < scene.bodies.size() && !body.hidden; ++i) {
      if (scene.bodies[i].first != body.name || seen.bodies[i].first != body.name) continue;
      const BodyObservation& at = seen.bodies[i].second;
      const Pose origin{at.position, at.orientation};
      placed.push_back(
          {&body, {origin.point(body.center_B), at.orientation}, scene.bodies[i].second.motion == BodyMotion::dynamic});
    }
  const double least = 1e-3 * record::sceneSize(seen);
  for (std::size_t i = 0; i < placed.size(); ++i)
    for (std::size_t j = i + 1; j < placed.size() && notes.size() < mostNotes; ++j) {
      const Body &a = *placed[i].body, &b = *placed[j].body;
      if ((!placed[i].moves && !placed[j].moves) || !(a.group & b.mask) || !(b.group & a.mask)) continue;
      if (joined(scene, a.name, b.name)) continue;
      const double depth = overlapOf(a, placed[i].pose, b, placed[j].pose);
      if (depth > least)
        notes.push_back({"bodies." + a.name, "starts " + record::readable(depth, 2) + " m inside \"" + b.name +
                                                 "\" and will be pushed out: move it, join them, or let their groups "
                                                 "ignore each other"});
    }
}

const Block* blockOf(const World& world, const std::string& name) {
  const Model& model = world.model();
  for (const Body& body : model.bodies)
    if (body.name == name && !body.hidden) return &model.blocks[static_cast<std::size_t>(body.block)];
  for (const Particle& particle : model.particles)
    if (particle.name == name) return &model.blocks[static_cast<std::size_t>(particle.block)];
  return nullptr;
}

/// kg; 0 of what does not move.
double massOf(const World& world, const std::string& name) {
  const Block* block = blockOf(world, name);
  return block && block->free ? block->mass : 0.0;
}

/// Of a body about a line through a point of the world, kg m²; 0 of what does not move.
double inertiaOf(const World& world, const Observation& seen, const std::string& name, const Vec3& point,
                 const Vec3& axis) {
  const Block* block = blockOf(world, name);
  if (!block || !block->free || !block->rotates) return 0.0;
  for (const Body& body : world.model().bodies)
    for (const auto& [other, at] : seen.bodies) {
      if (body.name != name || other != name) continue;
      const Vec3 own = at.orientation.conjugate() * axis.normalized();
      const Vec3 arm = Pose{at.position, at.orientation}.point(body.center_B) - point;
      return own.dot(block->inertia_B * own) + block->mass * arm.cross(axis.normalized()).squaredNorm();
    }
  return 0.0;
}

/// Of two that a spring is between, what swings: their reduced mass, or the one that moves.
double reduced(double a, double b) { return a > 0.0 && b > 0.0 ? a * b / (a + b) : std::max(a, b); }

void addSwing(std::vector<record::Note>& notes, const World& world, const std::string& subject, const std::string& what,
              double mass, double stiffness) {
  if (!(mass > 0.0) || !(stiffness > 0.0) || !std::isfinite(stiffness) || notes.size() >= 2 * mostNotes) return;
  const double period = 2.0 * std::numbers::pi * std::sqrt(mass / stiffness), dt = world.description().settings.dt;
  if (dt > 0.25 * period)
    notes.push_back({subject, what + " in " + record::readable(period, 2) + " s, and a step takes " +
                                  record::readable(dt, 2) +
                                  " s: that swing is damped away; take a smaller dt if it matters"});
}

/// Periods of the machine that a step passes over: loads on ropes that stretch, springs of joints, compliant joints.
void addLongSteps(std::vector<record::Note>& notes, const World& world, const Observation& seen) {
  const Description& scene = world.description();
  for (std::size_t c = 0; c < std::min(scene.cables.size(), seen.cables.size()); ++c) {
    const auto& [name, cable] = scene.cables[c];
    const double length = seen.cables[c].second.length;
    double mass = 0.0;
    for (const LinkSettings* link : {&cable.route.front(), &cable.route.back()})
      if (const double own = massOf(world, link->on); own > 0.0) mass = mass == 0.0 ? own : std::min(mass, own);
    if (length > 0.0)
      addSwing(notes, world, "cables." + name, "a load of " + record::readable(mass, 3) + " kg on it swings along it",
               mass, cable.material.axial / length);
  }
  for (const auto& [name, joint] : scene.joints) {
    const double mass = reduced(massOf(world, joint.a), massOf(world, joint.b));
    if (joint.type == JointType::hinge)
      addSwing(notes, world, "joints." + name, "what hangs on its spring swings",
               reduced(inertiaOf(world, seen, joint.a, joint.anchor, joint.axis),
                       inertiaOf(world, seen, joint.b, joint.anchor, joint.axis)),
               joint.stiffness);
    if (joint.type == JointType::slider)
      addSwing(notes, world, "joints." + name, "what hangs on its spring swings", mass, joint.stiffness);
    if (joint.compliance > 0.0)
      addSwing(notes, world, "joints." + name, "what it holds swings on its compliance", mass, 1.0 / joint.compliance);
  }
}

/// Chains and lines of particles that run over wheels touch those alone.
void addBlind(std::vector<record::Note>& notes, const Description& scene) {
  for (const auto& [name, cable] : scene.cables) {
    if (cable.model != CableModel::chain && cable.model != CableModel::particles) continue;
    const auto runs = [](const LinkSettings& link) { return link.type != LinkType::attach; };
    // A closed chain without wheels is a ring of segments, which touch things.
    const bool belt = cable.closed && cable.model == CableModel::particles;
    if (!belt && std::none_of(cable.route.begin(), cable.route.end(), runs)) continue;
    const auto other = std::find_if(scene.bodies.begin(), scene.bodies.end(), [&](const auto& body) {
      const auto holds = [&](const LinkSettings& link) { return link.on == body.first; };
      return body.second.collides && !body.second.shapes.empty() &&
             std::none_of(cable.route.begin(), cable.route.end(), holds);
    });
    if (other != scene.bodies.end() && notes.size() < 2 * mostNotes)
      notes.push_back({"cables." + name, "over wheels it touches its wheels alone: it goes through bodies such as \"" +
                                             other->first +
                                             "\"; model joints, strand and hoist meet their candidates"});
  }
}

}  // namespace

std::string numberTrouble(const World& world, const std::string& path, bool& certain) {
  const Observation seen = world.observe();
  const Description& scene = world.description();
  for (std::size_t c = 0; c < std::min(scene.cables.size(), seen.cables.size()); ++c) {
    const auto& [name, cable] = scene.cables[c];
    for (const char* part : {"spans", "links"}) {
      const std::string head = "cables." + name + "." + part + ".";
      if (!path.starts_with(head)) continue;
      const std::size_t number = std::strtoul(path.c_str() + head.size(), nullptr, 10);
      const std::size_t count = *part == 's' ? seen.cables[c].second.spans.size() : seen.cables[c].second.links.size();
      if (number < count) return {};
      certain = cable.candidates.empty() && cable.merges <= 0 &&
                (cable.model == CableModel::joints || cable.model == CableModel::hoist) &&
                std::all_of(cable.route.begin(), cable.route.end(),
                            [](const LinkSettings& link) { return link.active && link.type != LinkType::hybrid; });
      return "cable \"" + name + "\" has " + std::to_string(count) + " " + part + (certain ? "" : " at the start") +
             ", counted from 0";
    }
  }
  return {};
}

std::vector<record::Note> worldNotes(const World& world) {
  std::vector<record::Note> notes;
  const Observation seen = world.observe();
  addOverlaps(notes, world, seen);
  addLongSteps(notes, world, seen);
  addBlind(notes, world.description());
  return notes;
}

}  // namespace reeve::command
