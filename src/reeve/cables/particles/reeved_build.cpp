// From a route to spans with beads: what cannot be asked of them, and where they start.
#include <algorithm>
#include <cmath>

#include "reeve/cables/idle.h"
#include "reeve/cables/particles/reeved_cable.h"

namespace reeve {

namespace {
/// Of the mass of the scene: what a cable without a mass of its own weighs in all.
constexpr double lightCable = 1e-6;
constexpr int mostBeads = 100000;

/// A count of cells, whatever lengths it comes from.
int cells(double count) { return count > 0.0 ? static_cast<int>(std::min(count, 1.0 * mostBeads)) : 0; }
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
        {!l.active, "/active", "a particle cable is on its wheels from the start",
         "leave active out, or use model joints"},
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

/// A route that is being threaded with beads.
struct ReevedParticles::Draft {
  struct Bead {
    double before = 0.0, after = 0.0, mass = 0.0;  ///< rest to its neighbours, m; kg
    Vec3 place = Vec3::Zero(), velocity = Vec3::Zero();
  };
  State old;                             ///< as it was measured, without beads
  std::vector<int> order;                ///< links in the route
  std::vector<std::vector<Bead>> beads;  ///< by span
  int count = 0;
  int next(int k) const { return order[static_cast<std::size_t>(k + 1) % order.size()]; }
};

/// Cells of l from the end that holds; what is left over lies at a link that cable passes.
void ReevedParticles::threadSpan(const CableSite& site, Draft& draft, int k) {
  const int from = draft.order[at(k)], to = draft.next(k);
  const SpanGeometry span =
      spanBetween(spanEnd(*site.now, draft.old, from, true), spanEnd(*site.now, draft.old, to, false));
  const double rest = stateOf(draft.old, from).rest, l = spacing_;
  const bool fixedA = !passes(from), fixedB = !passes(to);
  int n = 0;
  double first = 0.0, step = l;
  if (fixedA && fixedB) {
    n = std::max(1, cells(rest / l + 0.5));
    step = rest / n;
    first = 0.5 * step;
  } else if (fixedA || fixedB) {
    n = rest > 0.75 * l ? cells((rest - 0.75 * l) / l) + 1 : 0;
    first = fixedA ? 0.5 * l : rest - 0.5 * l - (n - 1) * l;
  } else if (rest > 1.5 * l) {
    n = std::max(1, cells(rest / l - 0.5));
    first = 0.5 * (rest - (n - 1) * l);
  }
  const Vec3 a = span.end[0].point, b = span.end[1].point;
  const Vec3 va = materialVelocity(site, from, span, true), vb = materialVelocity(site, to, span, false);
  const double density = settings_.material.mass;
  for (int j = 0; j < n; ++j) {
    const double along = first + j * step, share = along / rest;
    draft.beads[at(k)].push_back({j == 0 ? first : step, j + 1 == n ? rest - along : step, density * step,
                                  a + share * (b - a), (1.0 - share) * va + share * vb});
  }
  draft.count += n;
  const double over = density * (rest - n * step);
  if (!fixedA) startLumps_[at(from)] += fixedB ? over : 0.5 * over;
  if (!fixedB) startLumps_[at(to)] += fixedA ? over : 0.5 * over;
}

/// Blocks for the beads, and for those that come later.
void ReevedParticles::addBeads(const CableSite& site, const Draft& draft, int pool) {
  const auto add = [&](const Draft::Bead& b) {
    Link bead;
    bead.type = LinkType::attach;
    bead.mount.block = site.addParticle(b.mass, b.place, b.velocity);
    bead.mount.name = "bead " + std::to_string(capacity() - declared_);
    links_.push_back(std::move(bead));
    watch_.push_back({false, false});
  };
  for (const auto& span : draft.beads)
    for (const Draft::Bead& b : span) add(b);
  Draft::Bead spare;
  spare.mass = beadMass();
  spare.place = site.now->point({link(0).mount.block, link(0).center_B});
  while (beads() < pool) add(spare);
  if (!still_.empty()) still_.resize(links_.size());
  for (Watch& w : watch_) w.lifts = false;
  joins_ = false;
}

/// The memory of the route with its beads.
void ReevedParticles::layRoute(const Draft& draft, const std::vector<LinkState>& kept) {
  State fresh;
  fresh.memory.assign(static_cast<std::size_t>(JointsCable::memorySize()), 0.0);
  for (int i = 0; i < capacity(); ++i) {
    stateOf(fresh, i).side = 1;
    if (i < declared_) stateOf(fresh, i) = kept[at(i)];
  }
  auto laid = routeOf(fresh);
  int bead = declared_;
  for (std::size_t k = 0; k < draft.order.size(); ++k) {
    int before = draft.order[k];
    laid.insert(laid.size(), before);
    if (k >= draft.beads.size()) continue;
    for (const Draft::Bead& b : draft.beads[k]) {
      stateOf(fresh, before).rest = b.before;
      stateOf(fresh, bead).rest = b.after;
      stateOf(fresh, bead).routed = true;
      laid.insert(laid.size(), bead);
      before = bead++;
    }
  }
  for (int i = 0; settings_.compliance && i < capacity(); ++i)
    stateOf(fresh, i).compliance = *settings_.compliance * stateOf(fresh, i).rest / spacing_;
  startMemory_ = std::move(fresh.memory);
}

/// Beads along the spans, and the pool of those that come and go.
void ReevedParticles::thread(const CableSite& site) {
  Draft draft;
  draft.old.memory = startMemory_;
  const auto route = routeOf(draft.old);
  double free = 0.0, all = 0.0;
  for (int k = 0; k < route.size(); ++k) {
    draft.order.push_back(route[k]);
    const LinkState& on = stateOf(draft.old, route[k]);
    const double span = k < route.spans() ? on.rest : 0.0;
    free += span + (link(route[k]).ends() ? 0.0 : on.stored);
    all += span + on.stored;
  }
  spacing_ = free / settings_.segments;
  if (!(settings_.material.mass > 0.0)) settings_.material.mass = lightCable * site.massScale / std::max(all, 1e-9);
  startLumps_.assign(at(declared_), 0.0);
  draft.beads.resize(at(route.spans()));
  for (int k = 0; k < route.spans(); ++k) threadSpan(site, draft, k);
  std::vector<LinkState> kept;
  for (int i = 0; i < declared_; ++i) {
    kept.push_back(stateOf(draft.old, i));
    startLumps_[at(i)] += settings_.material.mass * kept.back().stored;
    const int block = link(i).mount.rotor >= 0 ? link(i).mount.rotor : link(i).slip;
    base_.push_back(passes(i) && block >= 0 ? site.now->model().blocks[at(block)].mass : 0.0);
  }
  const double more = (all - free) / spacing_ + 2.0 * declared_ + 2.0;
  addBeads(site, draft, std::max(draft.count, cells(draft.count + more)));
  shortest_ = std::min(shortest_, 0.02 * spacing_);
  layRoute(draft, kept);
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
