// Settings of a chain over wheels that cannot be, or that would do nothing: each with its place and a remedy.
#include "reeve/cables/chain/route_chain.h"
#include "reeve/cables/idle.h"

namespace reeve {

std::expected<void, Problem> RouteChain::checkLink(const CableSite& site, std::size_t index) const {
  const LinkSettings& s = settings_.route[index];
  const LinkMount& mount = site.links[index];
  const std::string path = "/cables/" + site.name + "/route/" + std::to_string(index);
  const bool inside = settings_.closed || (index > 0 && index + 1 < settings_.route.size());
  const bool stores = s.type == LinkType::spool || s.type == LinkType::hybrid,
             wheel = stores || s.type == LinkType::roll;
  if (s.type == LinkType::sheath)
    return wrong(path + "/type", "a chain does not run in a sheath", "use pinholes, or the joints model");
  if (stores && inside)
    return wrong(path + "/type", "a hybrid or spool link ends a cable, but this one is in the middle",
                 "use roll, or make it the first or last link");
  if (wheel && !site.now->rotates(mount.block))
    return wrong(path + "/on", "'" + s.on + "' is a particle, which has no surface to roll on",
                 "use attach or pinhole, or a body");
  if ((s.type == LinkType::roll || s.type == LinkType::pinhole) && !inside)
    return wrong(path + "/type", "a cable cannot end in a pinhole or on a wheel it only rolls over",
                 "end it with attach, spool or hybrid");
  if (s.type == LinkType::attach && settings_.closed)
    return wrong(path + "/type", "a closed chain over wheels has no attachment",
                 "make it open, or use roll or pinhole");
  if (s.type == LinkType::pinhole && s.friction == unbounded)
    return wrong(path + "/friction", "a pinhole that never slips is an attachment",
                 "use attach, or give a finite friction");
  if (s.hold == EndHold::clamped)
    return wrong(path + "/hold", "a chain over wheels is pinned at its ends", "leave hold out");
  if (s.segment) return wrong(path + "/segment", "a chain over wheels is no branch", "attach it to a body");
  if (s.type == LinkType::attach && mount.rotor >= 0)
    return wrong(path + "/on", "'" + s.on + "' is a rotor, which holds no chain",
                 "attach it to a body, or use a spool");
  if (s.axis && s.axis->norm() < 1e-12)
    return wrong(path + "/axis", "the axis has no length", "give a direction, such as [0, 1, 0]");
  if (wheel && mount.rotor >= 0 && s.axis && s.axis->normalized().cross(mount.axis_B).norm() > 1e-9)
    return wrong(path + "/axis", "the cable plane of a rotor is across its axle",
                 "leave the axis out, or give the rotor's own");
  if (s.shape && (*s.shape < 0 || static_cast<std::size_t>(*s.shape) >= mount.shapes.size()))
    return wrong(path + "/shape", "the body has no such shape", "count its shapes from 0");
  return {};
}

std::expected<void, Problem> RouteChain::check(const CableSite& site) const {
  const CableSettings& s = settings_;
  const std::string path = "/cables/" + site.name;
  const MaterialSettings& m = s.material;
  if (s.route.size() < 2) return wrong(path + "/route", "a cable needs at least two links", "add a link");
  for (std::size_t i = 0; i < s.route.size(); ++i)
    if (auto ok = checkLink(site, i); !ok) return ok;
  if (given(s.payout) && (s.closed || s.route[0].type != LinkType::attach || s.route[0].hold != EndHold::pinned))
    return wrong(path + "/payout", "a chain is paid out where its first link holds it, or by a drum that turns",
                 "begin it with attach, or turn its drum");
  if (!(m.mass > 0.0))
    return wrong(path + "/material/mass", "the segments of a chain need mass", "give mass per metre");
  if (!(m.radius > 0.0)) return wrong(path + "/material/radius", "the section has no area", "give a radius above zero");
  if (!(m.axial > 0.0))
    return wrong(path + "/material/axial", "a chain without axial stiffness comes apart",
                 "give EA above zero, or \"inf\"");
  if (s.closed && m.axial == unbounded && !m.young && !s.compliance)
    return wrong(path + "/material/axial", "a closed chain that cannot stretch has no tension of its own",
                 "give axial, and a tension to start with");
  if (s.tension && m.axial == unbounded && !m.young)
    return wrong(path + "/tension", "a chain that cannot stretch starts with the tension its ends give it",
                 "give axial or young, or leave tension out");
  if (s.segments < 1) return wrong(path + "/segments", "a chain of no segments is nothing", "give at least 1");
  if (m.breaking != unbounded)
    return wrong(path + "/material/breaking", "a chain over wheels does not break", "use model joints");
  if (s.length && (s.slack != 0.0 || s.tension))
    return wrong(path + (s.tension ? "/tension" : "/slack"), "the length is given already", "leave one of them out");
  if (s.tension && s.slack != 0.0)
    return wrong(path + "/slack", "a chain under tension has no slack", "leave one of them out");
  if (s.compliance && m.axial != unbounded)
    return wrong(path + "/compliance", "material.axial says the stiffness already", "give one of them");
  const CableSettings plain;
  const bool bends = m.bending > 0.0 || m.young, twists = m.torsion > 0.0 || m.young;
  const Idle idle[] = {
      {!s.shape.empty(), "/shape", "a chain over wheels starts along its route", "leave it out"},
      {s.preformed, "/preformed", "a bent rest shape does not run over wheels", "leave it out"},
      {s.merges != 0, "/merges", "segments that run over wheels do not merge", "leave it out"},
      {s.mergeAngle != plain.mergeAngle, "/merge_angle", "nothing merges", "leave it out"},
      {s.touchedBend != 1.0, "/touched_bend", "a chain over wheels touches its wheels alone", "leave it out"},
      {s.stiffens != 0.0, "/stiffens", "it is for chains between two ends", "leave it out"},
      {m.friction != plain.material.friction, "/material/friction", "a chain over wheels has its friction at its links",
       "give friction to the links"},
      {s.bendGrowth != 0.0 && !bends, "/bend_growth", "this chain has no bending stiffness", "give material.bending"},
      {s.twisted != 0.0 && !twists, "/twisted", "this chain has no torsion stiffness", "give material.torsion"},
  };
  return refuse(path, idle);
}

}  // namespace reeve
