// Settings of a chain that cannot be, or that would do nothing: each with its place and a remedy. A field without
// effect is refused rather than ignored: whoever wrote it meant something by it.
#include <cmath>

#include "reeve/cables/chain/chain_cable.h"
#include "reeve/cables/chain/point_chain.h"
#include "reeve/cables/idle.h"

namespace reeve {

namespace {

using Found = std::expected<void, Problem>;

/// How far the surface goes round for every length along the axis: more is a coil, not a twisted wire.
constexpr double steepestTwist = 10.0;

/// What is said twice.
Found refuseTwice(const CableSettings& s, const std::string& path) {
  const Idle idle[] = {
      {s.length.has_value() && s.slack != 0.0, "/slack", "the length is given already", "leave one of them out"},
      {s.length.has_value() && s.tension.has_value(), "/tension", "the length is given already",
       "leave one of them out"},
      {s.tension.has_value() && s.slack != 0.0, "/slack", "a chain under tension has no slack",
       "leave one of them out"},
      {s.compliance && s.material.axial != unbounded, "/compliance", "material.axial says the stiffness already",
       "give one of them"},
  };
  return refuse(path, idle);
}

/// What has an effect only together with something else.
Found refuseAlone(const CableSettings& s, const std::string& path) {
  const CableSettings plain;
  const MaterialSettings& m = s.material;
  const bool bends = m.bending > 0.0 || m.young, twists = m.torsion > 0.0 || m.young;
  const char *noBending = "this chain has no bending stiffness", *noTorsion = "this chain has no torsion stiffness";
  const Idle idle[] = {
      {s.compliance && s.tension, "/tension", "it follows from material.axial, which compliance replaces",
       "give length, or axial instead of compliance"},
      {s.merges == 0 && s.mergeAngle != plain.mergeAngle, "/merge_angle", "nothing merges", "give merges"},
      {s.touchedBend != 1.0 && !s.collides, "/touched_bend", "a chain that does not collide is never touched",
       "leave collides out"},
      {s.touchedBend != 1.0 && !bends, "/touched_bend", noBending, "give material.bending or young"},
      {s.bendGrowth != 0.0 && !bends, "/bend_growth", noBending, "give material.bending or young"},
      {s.twisted != 0.0 && !twists, "/twisted", noTorsion, "give material.torsion or young"},
      {s.twist != plain.twist && !twists, "/twist", noTorsion, "give material.torsion or young"},
      {s.preformed && !bends && !twists, "/preformed",
       "a chain without bending and torsion stiffness has no rest shape", "give material.bending or young"},
      {m.poisson != plain.material.poisson && !m.young, "/material/poisson", "it is for torsion from young",
       "give young, or torsion alone"},
      {m.poisson != plain.material.poisson && m.torsion > 0.0, "/material/poisson", "torsion is given",
       "leave one of them out"},
  };
  return refuse(path, idle);
}

}  // namespace

/// A chain through points has rows between them, and nothing else.
std::expected<void, Problem> PointChain::check(const CableSettings& s, const std::string& path) {
  if (auto ok = refuseTwice(s, path); !ok) return ok;
  const CableSettings plain;
  const MaterialSettings& m = s.material;
  const Idle idle[] = {
      {s.segments != plain.segments, "/segments", "a chain through points has a link between each two of them",
       "leave it out, or name two ends only"},
      {s.slack != 0.0, "/slack", "its links are as long as its points are apart", "give length"},
      {s.tension.has_value(), "/tension", "its links are as long as its points are apart", "give length"},
      {!s.shape.empty(), "/shape", "its points are where they are", "move them"},
      {s.preformed, "/preformed", "a chain through points is straight at rest", "use segments"},
      {s.twisted != 0.0, "/twisted", "points do not twist", "use segments"},
      {s.twist != plain.twist, "/twist", "points do not twist", "use segments"},
      {s.stiffens != 0.0, "/stiffens", "it is for chains of segments", "leave it out"},
      {s.touchedBend != 1.0, "/touched_bend", "its links touch nothing", "use segments"},
      {s.merges != 0, "/merges", "its points stay what they are", "leave it out"},
      {s.mergeAngle != plain.mergeAngle, "/merge_angle", "its points stay what they are", "leave it out"},
      {!s.collides, "/collides", "its links touch nothing", "leave it out"},
      {s.bendGrowth != 0.0 && !(m.bending > 0.0), "/bend_growth", "it has no bending stiffness",
       "give material.bending"},
      {m.torsion != 0.0, "/material/torsion", "points do not twist", "use segments"},
      {m.poisson != plain.material.poisson, "/material/poisson", "points do not twist", "leave it out"},
      {m.section != plain.material.section, "/material/section", "its points have no section", "leave it out"},
      {m.friction != plain.material.friction, "/material/friction", "its links touch nothing", "leave it out"},
      {m.young.has_value(), "/material/young", "its points have no section", "give axial and bending"},
      {m.mass != 0.0, "/material/mass", "its points have the mass they have", "give it to them, or use segments"},
      {m.breaking != unbounded, "/material/breaking", "a chain through points does not break", "use segments", true},
  };
  if (auto ok = refuse(path, idle); !ok) return ok;
  for (std::size_t i = 0; i < s.route.size(); ++i)
    if (s.route[i].hold != EndHold::pinned)
      return wrong(path + "/route/" + std::to_string(i) + "/hold", "a chain through points holds points, no directions",
                   "use pinned, or segments");
  return {};
}

std::expected<void, Problem> ChainCable::checkRoute(const CableSite& site) const {
  const CableSettings& s = settings_;
  const std::string path = "/cables/" + site.name;
  if (s.route.size() != 2)
    return wrong(path + "/route", "a chain of segments runs from one end to another, so its route has two links",
                 "give both ends");
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string link = path + "/route/" + std::to_string(i);
    const LinkMount& mount = site.links[i];
    if (s.route[i].type == LinkType::spool) {
      if (auto ok = checkDrum(site); !ok) return ok;
      continue;
    }
    if (mount.rotor >= 0)
      return wrong(link + "/on", "'" + s.route[i].on + "' is a rotor, which holds no chain",
                   "attach it to a body, or use a spool");
    if (s.route[i].hold == EndHold::clamped && !site.now->rotates(mount.block))
      return wrong(link + "/hold", "'" + s.route[i].on + "' is a particle, which cannot hold a direction",
                   "use pinned, or a body");
  }
  return {};
}

/// Whether the chain is wound on the rotor of something that does not turn, alone: its segments then wind up whole and
/// may touch things on their way. Others run as a route (route_chain.h).
bool ChainCable::drumStands(const CableSite& site) {
  const LinkMount& mount = site.links[0];
  const Model& model = site.now->model();
  if (mount.rotor < 0 || model.blocks[static_cast<std::size_t>(mount.block)].free) return false;
  for (const Body& body : model.bodies)
    if (body.block == mount.block && body.prescribed && given(body.prescribed->turn)) return false;
  for (const auto& [name, other] : model.description.cables) {
    if (name == site.name) break;
    for (const LinkSettings& link : other.route)
      if (other.model == CableModel::chain && link.on == site.settings->route[0].on) return false;
  }
  return true;
}

std::expected<void, Problem> ChainCable::checkDrum(const CableSite& site) const {
  const std::string path = "/cables/" + site.name;
  const LinkMount& mount = site.links[0];
  const LinkSettings& first = settings_.route[0];
  const Mat3& r = site.now->rotation(mount.block);
  const Vec3 axle = r * (first.axis ? first.axis->normalized() : mount.axis_B);
  const Vec3 to = settings_.shape.empty()
                      ? site.now->point({site.links[1].block, site.links[1].center_B + settings_.route[1].point})
                      : settings_.shape.front();
  const Vec3 away = to - (site.now->position(mount.block) + r * mount.center_B);
  if ((away - axle * axle.dot(away)).norm() <= first.radius.value_or(mount.radius))
    return wrong(settings_.shape.empty() ? path + "/route/1" : path + "/shape/0",
                 "the chain would begin inside its drum", "move it farther from the axle than the radius of the drum");
  return {};
}

/// Chains whose segments come and go.
std::expected<void, Problem> ChainCable::checkPool(const CableSite& site) const {
  const CableSettings& s = settings_;
  const std::string path = "/cables/" + site.name;
  const bool wound = s.route[0].type == LinkType::spool;
  if (s.closed && (wound || s.merges > 0))
    return wrong(path + "/closed", "a closed chain has no end to wind up, and its segments do not merge",
                 "leave out merges, or open it");
  if (s.preformed && (wound || s.merges > 0))
    return wrong(path + "/preformed", "a bent rest shape can be neither wound up nor merged", "leave out preformed");
  if (s.merges > 10)
    return wrong(path + "/merges", "more than a thousand segments do not merge into one", "give at most 10");
  if (s.closed && s.segments < 3)
    return wrong(path + "/segments", "a ring has at least three segments", "give 3 or more");
  return {};
}

std::expected<void, Problem> ChainCable::check(const CableSite& site) const {
  if (auto ok = refuseTwice(settings_, "/cables/" + site.name); !ok) return ok;
  if (auto ok = checkRoute(site); !ok) return ok;
  if (auto ok = checkPool(site); !ok) return ok;
  const CableSettings& s = settings_;
  const std::string path = "/cables/" + site.name;
  if (given(s.payout))
    return wrong(path + "/payout", "this chain is paid out by the drum it begins on", "turn the drum, by a motor");
  if (s.material.friction == unbounded)
    return wrong(path + "/material/friction", "the segments of a chain need a finite contact coefficient",
                 "give a number, such as 0.3; \"inf\" is for cables of joints");
  if (s.segments < 1) return wrong(path + "/segments", "a chain of no segments is nothing", "give at least 1");
  const MaterialSettings& m = s.material;
  if (s.tension && m.axial == unbounded && !m.young)
    return wrong(path + "/tension", "a chain that cannot stretch starts with the tension its ends give it",
                 "give axial or young, or leave tension out");
  if (std::fabs(s.twisted) * m.radius > steepestTwist)
    return wrong(path + "/twisted", "the rest twist would wind its surface round more steeply than any wire bears",
                 "give at most " + std::to_string(steepestTwist / m.radius) + " rad/m for this radius");
  if (!(m.mass > 0.0))
    return wrong(path + "/material/mass", "the segments of a chain need mass", "give mass per metre");
  if (!(m.radius > 0.0)) return wrong(path + "/material/radius", "the section has no area", "give a radius above zero");
  if (!(m.axial > 0.0))
    return wrong(path + "/material/axial", "a chain without axial stiffness comes apart",
                 "give EA above zero, or \"inf\"");
  if (m.young && !(*m.young > 0.0))
    return wrong(path + "/material/young", "Young's modulus must be above zero", "steel has 2e11");
  if (!(m.poisson > -1.0) || m.poisson > 0.5)
    return wrong(path + "/material/poisson", "a Poisson ratio lies above -1 and at most at 0.5", "steel has 0.3");
  if (m.bending < 0.0 || m.torsion < 0.0)
    return wrong(path + "/material", "bending and torsion stiffness are not negative", "use 0 for none");
  return refuseAlone(s, path);
}

}  // namespace reeve
