// From a route to spans with beads: what cannot be asked of them, and where they start.
#include <algorithm>
#include <cmath>

#include "reeve/cables/idle.h"
#include "reeve/cables/particles/reeved_cable.h"

namespace reeve {

namespace {
/// Of the mass of the scene: what a cable without a mass of its own weighs in all.
constexpr double lightCable = 1e-4;
constexpr int mostBeads = 100000;
}  // namespace

namespace {
bool overWheels(const CableSettings& s) {
  return s.closed ||
         std::any_of(s.route.begin(), s.route.end(), [](const auto& l) { return l.type != LinkType::attach; });
}

/// Whether nothing is asked for that only ParticleSystem does.
bool plainLine(const CableSettings& s) {
  const ParticleCableSettings &p = s.particles, plain;
  const bool pinned = std::all_of(s.route.begin(), s.route.end(), [](const LinkSettings& l) {
    return l.active && l.hold == EndHold::pinned && l.letsGo == unbounded && l.plugsIn == 0.0;
  });
  return pinned && s.shape.empty() && p.way == plain.way && p.direct == plain.direct && p.substeps == plain.substeps &&
         p.iterations == plain.iterations && p.touch == plain.touch && !p.self && p.drag == 0.0 && p.skinDrag == 0.0 &&
         p.masses.empty() && p.constraints.empty() && p.doubles == plain.doubles && p.damping == 0.0 &&
         p.velocity == Vec3::Zero();
}

/// The body, particle or parent of a rotor with this name.
int blockNamed(const Model& model, const std::string& name) {
  for (const Body& b : model.bodies)
    if (b.name == name && !b.hidden) return b.block;
  for (const Rotor& r : model.rotors)
    if (r.name == name) return r.parent;
  for (const Particle& p : model.particles)
    if (p.name == name && !p.hidden) return p.block;
  return -1;
}
}  // namespace

bool ReevedParticles::needed(const CableSite& site) {
  const CableSettings& s = *site.settings;
  if (overWheels(s)) return true;
  if (!plainLine(s)) return false;
  const Model& model = site.now->model();
  for (const auto& [name, other] : model.description.cables) {
    if (name == site.name || (other.model == CableModel::particles && !overWheels(other))) continue;
    for (const LinkSettings& l : other.route) {
      const int block = blockNamed(model, l.on);
      if (block <= 0 || !model.blocks[at(block)].free) continue;
      for (const LinkMount& own : site.links)
        if (own.block == block) return true;
    }
  }
  return false;
}

std::expected<void, Problem> ReevedParticles::check(const CableSite& site) {
  const CableSettings& s = *site.settings;
  const ParticleCableSettings &p = s.particles, plain;
  const std::string path = "/cables/" + site.name;
  for (std::size_t i = 0; i < s.route.size(); ++i) {
    const LinkSettings& l = s.route[i];
    const Idle idle[] = {
        {!l.active, "/active", "a particle cable is on its wheels from the start", "leave active out, or use model joints"},
        {l.hold != EndHold::pinned, "/hold", "the ends of a particle cable over wheels are pinned",
         "attach it to a light particle"},
        {l.letsGo != unbounded, "/lets_go", "a particle cable over wheels has no sockets", "leave it out"},
        {l.plugsIn > 0.0, "/plugs_in", "a particle cable over wheels has no sockets", "leave it out"},
    };
    if (auto ok = refuse(path + "/route/" + std::to_string(i), idle); !ok) return ok;
  }
  const Idle idle[] = {
      {p.way != plain.way, "/particles/way", "over wheels the solver of the scene holds the particles together",
       "leave way out"},
      {p.self, "/particles/self", "a particle cable over wheels does not meet itself", "leave self out"},
      {!p.masses.empty(), "/particles/masses", "over wheels all particles have the same mass", "give material.mass"},
      {!p.constraints.empty(), "/particles/constraints", "a particle cable over wheels has no constraints of its own",
       "leave them out"},
      {p.drag > 0.0 || p.skinDrag > 0.0, "/particles/drag", "a particle cable over wheels has no air drag",
       "leave drag out"},
      {p.doubles != plain.doubles, "/particles/doubles", "a particle cable over wheels bends freely",
       "leave doubles out, or use model chain"},
      {!s.shape.empty(), "/shape", "a cable over wheels starts straight from link to link", "give slack, or length"},
  };
  return refuse(path, idle);
}

std::expected<std::unique_ptr<Cable>, Problem> ReevedParticles::make(const CableSite& site) {
  if (auto ok = check(site); !ok) return std::unexpected(ok.error());
  if (site.settings->segments < 1 || site.settings->segments > mostBeads)
    return wrong("/cables/" + site.name + "/segments", "found " + std::to_string(site.settings->segments) + " segments",
                 "give 1 to 100000");
  auto made = JointsCable::make(site, std::make_unique<ReevedParticles>());
  if (!made) return made;
  static_cast<ReevedParticles&>(**made).thread(site);
  return made;
}

/// How fast the cable itself moves where a span begins or ends: with the body, and along with a wheel that turns.
Vec3 ReevedParticles::materialVelocity(const CableSite& site, int i, const SpanGeometry& span, bool exit) const {
  const Link& l = link(i);
  const Vec3 point = span.end[exit ? 0 : 1].point;
  Vec3 v = velocityAt(*site.now, i, point);
  if (!l.round() || l.mount.rotor < 0) return v;
  const Vec3 axis = site.now->rotation(l.mount.block) * l.mount.axis_B;
  const double spin = site.now->rate(l.mount.rotor) - site.now->angularVelocity(l.mount.block).dot(axis);
  const int side = settings_.route[at(i)].side;
  return v + span.n * (side * (l.spinsBack ? -spin : spin) * l.outline.radius());
}

/// Beads along the spans, and the pool of those that come and go.
void ReevedParticles::thread(const CableSite& site) {
  const std::vector<double> measured = startMemory_;
  State old;
  old.memory = measured;
  const auto route = routeOf(old);
  std::vector<LinkState> kept;
  std::vector<int> order;
  for (int i = 0; i < declared_; ++i) kept.push_back(stateOf(old, i));
  for (int k = 0; k < route.size(); ++k) order.push_back(route[k]);
  const int spans = route.spans();
  double free = 0.0, all = 0.0;
  for (int k = 0; k < static_cast<int>(order.size()); ++k) {
    const LinkState& on = kept[at(order[at(k)])];
    const bool ends = link(order[at(k)]).ends();
    free += ends ? 0.0 : on.stored;
    all += on.stored;
    if (k >= spans) continue;
    free += on.rest;
    all += on.rest;
  }
  spacing_ = free / settings_.segments;
  if (!(settings_.material.mass > 0.0)) settings_.material.mass = lightCable * site.massScale / std::max(all, 1e-9);
  const double l = spacing_, density = settings_.material.mass;
  startLumps_.assign(at(declared_), 0.0);
  struct Start {
    double before, after;  ///< rest to its neighbours
    Vec3 place, velocity;
  };
  std::vector<std::vector<Start>> beads(at(spans));
  int count = 0;
  for (int k = 0; k < spans; ++k) {
    const int from = order[at(k)], to = order[static_cast<std::size_t>(k + 1) % order.size()];
    const SpanGeometry span = spanBetween(spanEnd(*site.now, old, from, true), spanEnd(*site.now, old, to, false));
    const double rest = kept[at(from)].rest;
    const bool fixedA = !passes(from), fixedB = !passes(to);
    // Cells of l from the end that holds; what is left over lies at a link that cable passes.
    int n = 0;
    double first = 0.0, step = l;
    if (fixedA && fixedB) {
      n = std::max(1, static_cast<int>(rest / l + 0.5));
      step = rest / n;
      first = 0.5 * step;
    } else if (fixedA || fixedB) {
      n = rest > 0.75 * l ? static_cast<int>((rest - 0.75 * l) / l) + 1 : 0;
      first = fixedA ? 0.5 * l : rest - 0.5 * l - (n - 1) * l;
    } else if (rest > 1.5 * l) {
      n = std::max(1, static_cast<int>(rest / l - 0.5));
      first = 0.5 * (rest - (n - 1) * l);
    }
    const Vec3 a = span.end[0].point, b = span.end[1].point;
    const Vec3 va = materialVelocity(site, from, span, true), vb = materialVelocity(site, to, span, false);
    for (int j = 0; j < n; ++j) {
      const double s = first + j * step, share = s / rest;
      beads[at(k)].push_back({j == 0 ? first : step, j + 1 == n ? rest - s : step, a + share * (b - a),
                              (1.0 - share) * va + share * vb});
    }
    count += n;
    const double spareMass = density * (rest - n * step);
    if (fixedA && fixedB) continue;
    startLumps_[at(from)] += fixedA ? 0.0 : fixedB ? spareMass : 0.5 * spareMass;
    startLumps_[at(to)] += fixedB ? 0.0 : fixedA ? spareMass : 0.5 * spareMass;
  }
  for (int i = 0; i < declared_; ++i) {
    startLumps_[at(i)] += density * kept[at(i)].stored;
    const Link& on = link(i);
    const int block = on.mount.rotor >= 0 ? on.mount.rotor : on.slip;
    base_.push_back(passes(i) && block >= 0 ? site.now->model().blocks[at(block)].mass : 0.0);
  }
  const int pool = std::min(mostBeads, count + static_cast<int>(all / l) + 2 * declared_ + 2 - static_cast<int>(free / l));
  std::vector<Start> flat;
  for (const auto& span : beads) flat.insert(flat.end(), span.begin(), span.end());
  for (int i = 0; i < std::max(pool, count); ++i) {
    Link bead;
    const Vec3 place = i < count ? flat[at(i)].place : site.now->point({link(0).mount.block, link(0).center_B});
    bead.type = LinkType::attach;
    double mass = density * l;
    if (i < count) mass = std::max(mass, 0.0);
    bead.mount.block = site.addParticle(mass, place, i < count ? flat[at(i)].velocity : Vec3(Vec3::Zero()));
    bead.mount.name = "bead " + std::to_string(i);
    links_.push_back(std::move(bead));
    watch_.push_back({false, false});
  }
  if (!still_.empty()) still_.resize(links_.size());
  for (Watch& w : watch_) w.lifts = false;
  joins_ = false;
  shortest_ = std::min(shortest_, 0.02 * l);
  State fresh;
  fresh.memory.assign(static_cast<std::size_t>(JointsCable::memorySize()), 0.0);
  for (int i = 0; i < capacity(); ++i) {
    if (i < declared_)
      stateOf(fresh, i) = kept[at(i)];
    else
      stateOf(fresh, i).side = 1;
  }
  auto laid = routeOf(fresh);
  int bead = declared_;
  for (int k = 0; k < static_cast<int>(order.size()); ++k) {
    laid.insert(laid.size(), order[at(k)]);
    if (k >= spans) continue;
    int before = order[at(k)];
    for (const Start& b : beads[at(k)]) {
      stateOf(fresh, before).rest = b.before;
      stateOf(fresh, bead).rest = b.after;
      stateOf(fresh, bead).routed = true;
      laid.insert(laid.size(), bead);
      before = bead++;
    }
  }
  if (settings_.compliance)
    for (int i = 0; i < capacity(); ++i) stateOf(fresh, i).compliance = *settings_.compliance * stateOf(fresh, i).rest / l;
  startMemory_ = std::move(fresh.memory);
}

ElementLayout ReevedParticles::layout() const {
  ElementLayout layout = JointsCable::layout();
  layout.memory += declared_;
  return layout;
}

void ReevedParticles::start(const Instant& now, std::span<double> remembered, std::span<Sheet> sheets) const {
  JointsCable::start(now, remembered, sheets);
  std::copy(startLumps_.begin(), startLumps_.end(), remembered.begin() + JointsCable::memorySize());
}

}  // namespace reeve
