// Cables: where their links are mounted, what they add to the model.
#include <algorithm>

#include "reeve/math/rotation.h"
#include "reeve/world/builder.h"

namespace reeve {

std::expected<LinkMount, Problem> Builder::mountOf(const std::string& name, const std::string& path) {
  const auto thing = find(name, path);
  if (!thing) return std::unexpected(thing.error());
  LinkMount m;
  m.name = name;
  if (thing->kind == Kind::particle) {
    m.block = model().particles[at(thing->index)].block;
  } else if (thing->kind == Kind::rotor) {
    const Rotor& r = model().rotors[at(thing->index)];
    m.block = r.parent;
    m.rotor = r.block;
    m.center_B = r.center_B;
    m.axis_B = r.axis_B;
    m.radius = r.radius;
  } else {
    const Body& b = model().bodies[at(thing->index)];
    m.block = b.block;
    m.center_B = -b.center_B;
    m.shapes = b.shapes;
  }
  return m;
}

/// A rigid segment of a cable built before.
std::expected<LinkMount, Problem> Builder::segmentOf(const LinkSettings& link, const std::string& path) {
  for (std::size_t i = 0; i < out_->cables.size(); ++i) {
    if (scene().cables[i].first != link.on) continue;
    LinkMount m;
    m.name = link.on;
    m.block = out_->cables[i]->segmentBlock(*link.segment);
    if (m.block >= 0) return m;
    return wrong(path + "/segment", "'" + link.on + "' has no such segment to hold on to",
                 "count from 0; a chain whose segments merge or are wound up holds none");
  }
  return wrong(path + "/on", "there is no cable '" + link.on + "' before this one", "list it before");
}

Done Builder::addCable(const std::string& name, const CableSettings& s) {
  CableSite site;
  site.name = name;
  site.settings = &s;
  for (std::size_t i = 0; i < s.route.size(); ++i) {
    const bool onStrand = s.route[i].type == LinkType::guide && s.route[i].riding;
    if (s.route[i].type == LinkType::ride || onStrand) {
      site.links.emplace_back().name = s.route[i].on;
      continue;
    }
    if (s.route[i].segment) {
      auto mount = segmentOf(s.route[i], "/cables/" + name + "/route/" + std::to_string(i));
      if (!mount) return std::unexpected(mount.error());
      site.links.push_back(*mount);
      continue;
    }
    auto mount = mountOf(s.route[i].on, "/cables/" + name + "/route/" + std::to_string(i) + "/on");
    if (!mount) return std::unexpected(mount.error());
    site.links.push_back(*mount);
  }
  for (std::size_t i = 0; i < s.candidates.size(); ++i) {
    auto mount = mountOf(s.candidates[i], "/cables/" + name + "/candidates/" + std::to_string(i));
    if (!mount) return std::unexpected(mount.error());
    site.candidates.push_back(*mount);
  }
  for (const Block& b : model().blocks)
    if (b.free && b.dof >= 3) site.massScale += b.mass;
  const double slipMass = 1e-9 * site.massScale;
  site.addSlip = [&] {
    const int block = addBlock(1, false, true);
    model().blocks.back().mass = slipMass;
    model().blocks.back().massless = true;
    return block;
  };
  site.addSegment = [&](const SegmentSeed& seed) {
    Body body;
    body.name = name;
    body.hidden = true;
    body.friction = seed.friction;
    body.start = seed.pose;
    if (seed.shape) body.shapes.push_back(*seed.shape);
    body.block = addBlock(6, true, true);
    model().blocks.back().mass = seed.mass;
    model().blocks.back().inertia_B = seed.inertia.asDiagonal();
    model().blocks.back().weighs = true;
    model().bodies.push_back(std::move(body));
    seeds_.emplace_back(seed.velocity, seed.angularVelocity);
    return model().bodies.back().block;
  };
  site.addParticle = [&](double mass, const Vec3& position, const Vec3& velocity) {
    Particle p;
    p.name = name;
    p.hidden = true;
    p.block = addBlock(3, false, true);
    model().blocks.back().mass = mass;
    model().blocks.back().weighs = true;
    model().particles.push_back(p);
    particleSeeds_.emplace_back(position, velocity);
    return p.block;
  };
  site.addCoordinate = [&](std::span<const double> start, std::span<const double> rate, double nominal) {
    const int block = addBlock(static_cast<int>(start.size()), false, true);
    model().blocks.back().nominal = nominal;
    coordinateSeeds_.push_back({block, {start.begin(), start.end()}, {rate.begin(), rate.end()}});
    return block;
  };
  site.carry = [&] { model().hasElementMass = true; };
  site.cable = [&](const std::string& other) -> const Cable* {
    for (std::size_t i = 0; i < out_->cables.size(); ++i)
      if (scene().cables[i].first == other) return out_->cables[i];
    return nullptr;
  };
  site.exclude = [&](int a, int b) { out_->excluded.emplace_back(std::min(a, b), std::max(a, b)); };
  Instant now;
  placeState();
  look(now);
  site.now = &now;
  if (s.extension.empty()) return addMade(makeCable(site), name);
  const auto maker = extensions_.cables.find(s.extension);
  if (maker == extensions_.cables.end())
    return wrong("/cables/" + name, "no cable model '" + s.extension + "' has been registered",
                 "hand it to World::build");
  return addMade(maker->second(site), name);
}

Done Builder::addMade(std::expected<std::unique_ptr<Cable>, Problem> cable, const std::string& name) {
  if (!cable) return std::unexpected(cable.error());
  out_->cables.push_back(addElement(std::move(*cable), "cables." + name));
  return {};
}

}  // namespace reeve
