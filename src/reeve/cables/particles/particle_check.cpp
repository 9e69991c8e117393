// Settings of a particle cable that cannot be, or that would do nothing: each with its place and a remedy.
//
// A field without effect is refused rather than ignored: whoever wrote it meant something by it. What has an effect
// only together with another one (gust with wind, wind with drag, plugs_in with a way out) is refused without it.
#include <cmath>

#include "reeve/cables/idle.h"
#include "reeve/cables/particles/constraint.h"
#include "reeve/cables/particles/particle_cable.h"

namespace reeve {

namespace {
using Found = std::expected<void, Problem>;
/// More than this and a typing error is likelier than a cable.
constexpr int mostSegments = 1000000;

const char* nameOf(ParticleWay way) {
  constexpr const char* names[] = {"springs", "stiff", "jakobsen", "pbd", "xpbd"};
  return names[static_cast<int>(way)];
}

Found checkLinks(const CableSettings& s, const CableSite& site, const std::string& path) {
  for (std::size_t i = 0; i < s.route.size(); ++i) {
    const LinkSettings& l = s.route[i];
    const std::string link = path + "/route/" + std::to_string(i);
    if (l.type != LinkType::attach)
      return wrong(link + "/type",
                   "a particle cable knows attach links only: it meets bodies by touching them, and rotors not at all",
                   "use attach, or the joints model");
    if (site.links[i].rotor >= 0)
      return wrong(link + "/on", "'" + l.on + "' is a rotor, which holds no particles", "attach it to a body");
    if (l.hold == EndHold::clamped)
      return wrong(link + "/hold", "particles have no direction to clamp", "use pinned, or model chain");
    if (l.hold == EndHold::free && i > 0 && i + 1 < s.route.size())
      return wrong(link + "/hold", "only an end can be free", "leave this link out");
    const bool free = l.hold == EndHold::free, leaves = l.letsGo != unbounded || !l.active;
    const Idle idle[] = {
        {free && l.letsGo != unbounded, "/lets_go", "a free end is held by nothing that could let go",
         "use hold pinned"},
        {free && l.plugsIn > 0.0, "/plugs_in", "a free end has no socket to be plugged into",
         "use hold pinned, with active false for a socket that starts empty"},
        {free && !l.active, "/active", "a free end is no socket: there is nothing to start empty",
         "use hold pinned, or leave active out"},
        {!free && l.plugsIn > 0.0 && !leaves, "/plugs_in", "this end never comes out, so it is never plugged in again",
         "give lets_go, or active false for a socket that starts empty"},
        {!free && !l.active && l.plugsIn == 0.0, "/active",
         "a socket that starts empty and takes nothing in holds nothing", "give plugs_in, or use hold free"},
    };
    if (auto ok = refuse(link, idle); !ok) return ok;
  }
  return {};
}

/// What the chosen way, order and surroundings do not look at.
Found checkChoices(const CableSettings& s, const std::string& path) {
  const ParticleCableSettings &p = s.particles, plain;
  const bool xpbd = p.way == ParticleWay::xpbd, springs = p.way == ParticleWay::springs,
             pbd = p.way == ParticleWay::pbd;
  const bool projects = xpbd || pbd || p.way == ParticleWay::jakobsen, blown = p.drag > 0.0 || p.skinDrag > 0.0;
  const bool touches = s.collides && (p.touch != TouchMode::none || p.self);
  const std::string way = nameOf(p.way);
  if (s.compliance && !xpbd)
    return wrong(path + "/compliance", "way " + way + " has no compliance", "use way xpbd, or leave it out");
  if (s.material.damping != 0.0 && !xpbd)
    return wrong(path + "/material/damping", "way " + way + " does not damp strain",
                 springs ? "give particles.spring_damping" : "use way xpbd, or particles.damping");
  if (s.material.axial != unbounded && !xpbd && !springs)
    return wrong(path + "/material/axial", "the stiffness of way " + way + " follows from its iterations and steps",
                 "use way xpbd or springs, or leave it out");
  if (s.tension && s.material.axial == unbounded && !s.compliance)
    return wrong(path + "/tension", "a cable that cannot stretch takes no start tension", "give material.axial");
  if (s.tension && (s.length || s.slack != 0.0))
    return wrong(path + "/tension", "a start tension already says how long the cable is",
                 "leave out length and slack, or the tension");
  const Idle idle[] = {
      {xpbd && s.compliance && s.material.axial != unbounded, "/compliance",
       "material.axial says the stiffness already", "give one of them"},
      {springs && p.spring && s.material.axial != unbounded, "/particles/spring",
       "material.axial says the stiffness already", "give one of them"},
      {p.spring && !springs, "/particles/spring", "only way springs has springs", "use way springs, or leave it out"},
      {p.springDamping != 0.0 && !springs, "/particles/spring_damping", "only way springs has springs",
       "use way springs, or material.damping with way xpbd"},
      {p.stiffness != plain.stiffness && !pbd, "/particles/stiffness", "only way pbd has a stiffness factor",
       "use way pbd; xpbd has a compliance"},
      {pbd && !(p.stiffness > 0.0), "/particles/stiffness", "a factor of 0 holds nothing together",
       "give a factor above 0, at most 1"},
      {p.damping != 0.0 && !projects, "/particles/damping", "ways springs and stiff lose no share of their velocity",
       springs ? "give spring_damping, or drag" : "give drag"},
      {p.doubleCompliance != 0.0 && (p.doubles == DoubleRest::none || !xpbd), "/particles/double_compliance",
       "only doubles of way xpbd have a compliance", "give doubles and way xpbd, or leave it out"},
      {p.doubleStiffness != plain.doubleStiffness && (p.doubles == DoubleRest::none || xpbd),
       "/particles/double_stiffness", "only doubles of the other ways than xpbd have a factor",
       "give doubles, with xpbd double_compliance"},
      {springs && !p.spring && s.material.axial == unbounded, "/particles/way", "springs need a stiffness",
       "give particles.spring, or a finite material.axial"},
      {p.direct && !pbd && !xpbd, "/particles/direct", "the direct solve is for pbd and xpbd",
       "choose one of them, or leave it out"},
      {p.order == SolveOrder::chunks && (p.direct || !projects), "/particles/order",
       "chunks are for projections: jakobsen, pbd and xpbd without direct", "leave it out"},
      {p.order == SolveOrder::chunks && p.self, "/particles/order",
       "seams shift whole chunks, which presses a cable that meets itself into itself and feeds it energy",
       "use order coloured or along, or leave self out"},
      {p.chunks != plain.chunks && p.order != SolveOrder::chunks, "/particles/chunks", "only order chunks has chunks",
       "give order chunks, or leave it out"},
      {p.handle != plain.handle && p.curve != CurveType::catmullRom, "/particles/handle",
       "only the spline has tangent handles", "leave curve out, or handle"},
      {p.self && !s.collides, "/particles/self", "the cable does not collide", "leave collides out"},
      {p.touch != plain.touch && p.touch != TouchMode::none && !s.collides, "/particles/touch",
       "the cable does not collide", "leave collides out"},
      {p.law != plain.law && !touches, "/particles/law", "the cable touches nothing", "leave it out"},
      {p.staticFriction != 0.0 && p.law != FrictionLaw::depth, "/particles/static_friction",
       "it is for friction by depth", "give law depth, or material.friction"},
      {p.slidingFriction != 0.0 && p.law != FrictionLaw::depth, "/particles/sliding_friction",
       "it is for friction by depth", "give law depth, or material.friction"},
      {p.air != plain.air && !blown, "/particles/air", "air does nothing to a cable without drag",
       "give drag, 1.2 for a round cable"},
      {p.wind != Vec3::Zero() && !blown, "/particles/wind", "wind does nothing to a cable without drag",
       "give drag, 1.2 for a round cable"},
      {p.gust && p.wind == Vec3::Zero(), "/particles/gust", "there is no wind for it to scale", "give wind"},
  };
  return refuse(path, idle);
}

/// Numbers a simulation cannot carry: they would end it at its first step.
Found checkSizes(const CableSettings& s, const Settings& world, const std::string& path) {
  const double most = world.bounds;
  const auto beyond = [&](std::string field, const char* what) {
    return wrong(path + field, std::string(what) + " is beyond settings.bounds",
                 "use SI units, or raise settings.bounds");
  };
  for (std::size_t i = 0; i < s.shape.size(); ++i)
    if (!(s.shape[i].cwiseAbs().maxCoeff() <= most)) return beyond("/shape/" + std::to_string(i), "this point");
  for (std::size_t i = 0; i < s.route.size(); ++i)
    if (!(s.route[i].point.cwiseAbs().maxCoeff() <= most))
      return beyond("/route/" + std::to_string(i) + "/point", "this point");
  if (s.length && !(*s.length <= most)) return beyond("/length", "this length");
  if (!(std::fabs(s.slack) <= most)) return beyond("/slack", "this length");
  if (!(s.material.radius <= most)) return beyond("/material/radius", "this radius");
  if (!(s.particles.velocity.norm() <= most)) return beyond("/particles/velocity", "this velocity");
  if (!(s.particles.wind.norm() <= most)) return beyond("/particles/wind", "this velocity");
  if (!(s.particles.handle <= 10.0))
    return wrong(path + "/particles/handle", "tangents of more than ten times a piece make loops, not a cable",
                 "give 0.25 as in the thesis, or 1/6");
  // Momentum, energy and inverse masses must be numbers.
  const auto weighs = [](double kg) { return kg >= 1e-100 && kg <= 1e100; };
  if (s.particles.masses.empty() && s.material.mass > 0.0 && !weighs(s.material.mass))
    return wrong(path + "/material/mass", "no cable weighs this", "give kilograms per metre");
  for (std::size_t i = 0; i < s.particles.masses.size(); ++i)
    if (!weighs(s.particles.masses[i]))
      return wrong(path + "/particles/masses/" + std::to_string(i), "no particle weighs this", "give kilograms");
  return {};
}
}  // namespace

std::expected<void, Problem> ParticleCable::check(const CableSite& site) const {
  const CableSettings& s = settings_;
  const ParticleCableSettings& p = s.particles;
  const std::string path = "/cables/" + site.name, own = path + "/particles";
  if (auto ok = checkLinks(s, site, path); !ok) return ok;
  if (s.segments < 1 || s.segments > mostSegments)
    return wrong(path + "/segments", "found " + std::to_string(s.segments) + " segments", "give 1 to 1000000");
  if (!p.masses.empty() && p.masses.size() != at(s.segments + 1))
    return wrong(
        own + "/masses",
        "found " + std::to_string(p.masses.size()) + " masses for " + std::to_string(s.segments + 1) + " particles",
        "give one for each, or material.mass");
  if (p.masses.empty() && !(s.material.mass > 0.0))
    return wrong(path + "/material/mass", "particles need mass", "give mass per metre, or particles.masses");
  if (!(s.material.radius > 0.0))
    return wrong(path + "/material/radius", "the cable has no thickness", "give a radius above zero");
  if (auto ok = checkChoices(s, path); !ok) return ok;
  if (auto ok = checkSizes(s, site.now->model().description.settings, path); !ok) return ok;
  for (const auto& c : p.constraints) {
    if (!c || c->points.empty() || c->points.size() > particles::Constraint::most || (!c->solver && !c->value))
      return wrong(own + "/constraints", "a constraint without function or points, or with more than six points",
                   "make it with particles::Constraint");
    for (const int i : c->points)
      if (i < 0 || i > s.segments)
        return wrong(own + "/constraints", "there is no particle " + std::to_string(i), "count them from 0");
  }
  return {};
}

}  // namespace reeve
