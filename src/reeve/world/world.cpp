#include "reeve/world/world.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "reeve/math/hash.h"
#include "reeve/model/kinetics.h"
#include "reeve/model/parameter.h"
#include "reeve/world/parts.h"

namespace reeve {

namespace {
using Cables = std::span<const Cable* const>;

/// Direct where anything is jointed or routed; sweep where particles are held only to each other, or nothing but cables
/// that step themselves ties things together.
bool prefersSweep(const Model& model, Cables cables) {
  if (!cables.empty() && model.description.joints.empty() && model.rotors.empty() &&
      std::all_of(cables.begin(), cables.end(), [](const Cable* cable) { return cable->traits().stepsItself; }))
    return true;
  return !model.particles.empty() && model.rotors.empty() && model.bodies.size() == 1 && cables.empty() &&
         model.description.joints.empty();
}

/// Cables that should keep their energy, and nothing else that drives, damps or strikes. Who asks for substeps has
/// chosen.
bool keepsEnergy(const Model& model, Cables cables) {
  const Description& d = model.description;
  return model.hasElementMass && d.settings.substeps <= 1 && d.motors.empty() &&
         std::all_of(cables.begin(), cables.end(), [](const Cable* cable) { return cable->traits().keepsEnergy; });
}

/// Time is counted in steps: a sum of 10⁷ of them would be off by its rounding. A state that was taken over from a run
/// with another step goes on from its own time.
double timeAfter(double started, std::int64_t steps, double dt) {
  const double summed = started + dt, counted = static_cast<double>(steps) * dt;
  return std::fabs(summed - counted) < 1e-6 * dt + 1e-12 * counted ? counted : summed;
}
}  // namespace

World::World(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;
World::~World() = default;

std::expected<World, Problem> World::build(Description description) { return build(std::move(description), {}); }

std::expected<World, Problem> World::build(Description description, const Extensions& extensions) {
  auto built = reeve::build(std::move(description), extensions);
  if (!built) return std::unexpected(built.error());
  auto parts = std::make_unique<Parts>(std::shared_ptr<Built>(std::move(*built)));
  Parts& p = *parts;
  p.state = p.built->start;
  p.use();
  startModes(p.model(), std::span<const Element* const>(p.elements.data(), p.elements.size() - 1), p.state);
  p.openAccounts();
  p.built->start = p.good = p.state;
  World world(std::move(parts));
  for (std::size_t i = 0; i < world.parts_->built->gauges.size(); ++i) {
    auto gauge = world.resolve(world.parts_->built->gauges[i]);
    if (!gauge) {
      Problem problem = gauge.error();
      int seen = -1;
      for (const auto& [name, motor] : world.description().motors)
        if (motor.drive == DriveType::feedback && ++seen == static_cast<int>(i))
          problem.path = "/motors/" + name + "/observe";
      return std::unexpected(problem);
    }
    world.parts_->gauges.push_back(*gauge);
  }
  auto events = resolveEvents(world);
  if (!events) return std::unexpected(events.error());
  world.parts_->resolvedEvents = std::move(*events);
  for (std::size_t i = 0; i < world.description().expect.size(); ++i)
    if (auto ok = world.resolve(world.description().expect[i].observe); !ok) {
      Problem problem = ok.error();
      problem.path = "/expect/" + std::to_string(i) + "/observe";
      return std::unexpected(problem);
    }
  for (std::size_t i = 0; i < world.description().plots.size(); ++i)
    for (std::size_t k = 0; k < world.description().plots[i].observe.size(); ++k)
      if (auto ok = world.resolve(world.description().plots[i].observe[k]); !ok) {
        Problem problem = ok.error();
        problem.path = "/plots/" + std::to_string(i) + "/observe/" + std::to_string(k);
        return std::unexpected(problem);
      }
  if (world.description().settings.start == StartChoice::equilibrium) {
    if (auto rest = world.equilibrium(); !rest) {
      Problem problem = rest.error();
      problem.path = "/settings/start";
      return std::unexpected(problem);
    }
    world.parts_->built->start = world.parts_->state;
  }
  return world;
}

World::Parts::Parts(std::shared_ptr<Built> model_) : built(std::move(model_)) {
  contacts.build(model(), built->excluded);
  elements = model().acting;
  passive.all = model().passive;
  if (!passive.all.empty()) elements.push_back(&passive);
  elements.push_back(&contacts);
  pushed = elements;
  pushed.insert(pushed.begin(), &pushes);
  if (keepsEnergy(model(), built->cables)) makeSolvers();  // otherwise they are as they should be
  closed = nothingGives(model().description) && !model().led;
  const SolverChoice choice = model().description.settings.solver;
  const bool sweeps =
      choice == SolverChoice::sweep || (choice == SolverChoice::automatic && prefersSweep(model(), built->cables));
  solver = choice == SolverChoice::blocks ? static_cast<Solver*>(&blocks)
           : sweeps                       ? static_cast<Solver*>(&sweep)
                                          : &direct;
}

void World::Parts::makeSolvers() {
  direct = DirectSolver(keepsEnergy(model(), built->cables));
  sweep = {};
  blocks = {};
}

void World::Parts::lookAround() {
  ++version;
  now.bind(model(), state);
  now.rewind();
}

void World::Parts::applyTopology() {
  std::swap(topology.order, orderBefore);
  topology.clear();
  for (const Element* e : model().acting) e->topology(state, topology);
  bool changed = reeve::applyTopology(topology, built->model.blocks) || topology.order != orderBefore;
  changed = setMasses() || changed;
  if (changed) ++built->model.layout;
}

/// Masses that a program has changed, and back where another state has not.
bool World::Parts::setMasses() {
  for (const Override& o : state.overrides) {
    if (o.key >= 0) break;
    if (fieldOfKey(o.key) == BlockField::mass) built->tuned.insert(blockOfKey(o.key));
  }
  bool changed = false;
  for (const int i : built->tuned) {
    const Block& declared = built->declared[at(i)];
    Block& block = built->model.blocks[at(i)];
    const double mass = chosen(state, blockKey(i, BlockField::mass), declared.mass);
    if (block.mass == mass) continue;
    block.mass = mass;
    block.inertia_B = declared.inertia_B * (mass / declared.mass);
    changed = true;
  }
  return changed;
}

void World::Parts::show() {
  built->user = this;
  applyTopology();
  lookAround();
}

void World::Parts::takeOver() {
  verdict = Verdict{};
  good = state;
  fresh = state.steps == 0;
  // What solvers have learnt since (an order of elimination that suits) must not tell in the last digit.
  makeSolvers();
  show();
}

double World::Parts::energyNow() {
  use();
  now.evaluate();
  const Energy e = energyOf(now, state.force);
  return e.kinetic + e.potential + e.elastic;
}

void World::Parts::openAccounts() { state.accounts = {.start = energyNow()}; }

void World::Parts::restart() {
  built->user = this;
  applyTopology();
  lookAround();
  now.evaluate();
  momentum(now, state.p);
  state.h = 0.0;
  fresh = true;
  // A row that has lost its bound is not at it.
  RowSet rows;
  for (const Element* e : model().acting) e->rows(now, rows);
  for (const Row& row : rows.rows)
    if (!row.bounded()) state.mode[at(row.slot)] = Mode::free;
}

double World::Parts::read(int gauge) const { return measure(gauges[at(gauge)]); }

void World::Parts::begin(double h) {
  if (gauges.empty())
    now.evaluateToBegin();
  else
    now.evaluate();
  const StepContext context{h, *this, events};
  for (const Element* e : model().acting) e->begin(now, context, state);
  const int layout = model().layout;
  applyTopology();
  if (model().layout != layout) lookAround();
  if (!contacts.empty()) contacts.find(now, h, state);
}

/// Steps of h, so many. False if it was interrupted.
bool World::Parts::advance(double h, int count) {
  converged = true;
  for (int k = 0; k < count; ++k) {
    if (k > 0) lookAround();  // before the first it has been done: at the end of the last step
    begin(h);
    const bool pushing = !state.pushes.empty();
    const std::vector<const Element*>& all = pushing ? pushed : elements;
    if (pushing && (state.h == 0.0 || state.needsVelocityProjection)) restartPushes(now, state);
    // Where nothing touches, the contacts have nothing to say.
    const std::span<const Element* const> acting(all.data(), all.size() - (contacts.contacts().empty() ? 1 : 0));
    report = solver->step(model(), acting, state, h, events);
    if (!contacts.empty()) contacts.remember(state);
    converged = converged && report.converged;
    if (model().interrupted()) return false;
  }
  return true;
}

const Verdict& World::step() {
  if (!parts_->verdict.good) return parts_->verdict;
  parts_->use();
  if (parts_->built->eventLog) fireEvents();  // cables may be converted: other parts then
  Parts& p = *parts_;
  const Settings& settings = p.model().description.settings;
  const double started = p.state.time;
  const std::size_t eventsBefore = p.events.all().size();
  const EnergyWatch watch = p.energyWatch();
  if (p.model().interrupt || watch != EnergyWatch::never) p.undone = p.state;
  const double had = watch == EnergyWatch::always ? p.energyNow() : 0.0;
  bool whole = p.advance(settings.dt / settings.substeps, settings.substeps);
  if (whole && watch != EnergyWatch::never) whole = p.keepEnergy(watch, had, eventsBefore);
  if (!whole) {
    p.events.cutTo(eventsBefore);
    p.state = p.undone;
    p.show();
    return p.verdict;
  }
  ++p.state.steps;
  p.state.time = timeAfter(started, p.state.steps, settings.dt);
  if (!p.state.pushes.empty()) endPushes(p.state);
  p.fresh = false;
  p.inspect();
  if (!p.converged && p.verdict.good) ++p.unconverged;  // a step that went bad is taken back
  p.lookAround();
  return p.verdict;
}

/// Finite, and within bounds: otherwise the first culprit is named and the last good state stays.
void World::Parts::inspect() {
  const double limit = model().description.settings.bounds;
  const auto name = [&](std::size_t block) -> std::string {
    for (const Body& b : model().bodies)
      if (at(b.block) == block) return "bodies." + b.name;
    for (const Rotor& r : model().rotors)
      if (at(r.block) == block) return "rotors." + r.name;
    for (const Particle& q : model().particles)
      if (at(q.block) == block) return "particles." + q.name;
    for (const auto& e : model().elements)
      if (std::string own = e->nameOf(ElementPart::block, static_cast<int>(block)); !own.empty()) return own;
    return "coordinate " + std::to_string(block);
  };
  // Most steps are good: one pass over all numbers shows it, and only then is the culprit looked for.
  bool fine = true;
  for (const double v : state.v) fine = fine && std::fabs(v) <= limit;
  for (std::size_t i = 0; i < model().blocks.size(); ++i) {
    const Block& b = model().blocks[i];
    if (!b.free || (fine && b.dof < 3)) continue;
    for (int k = 0; k < b.dof; ++k) {
      const double v = state.v[at(b.v + k)];
      const bool placed = b.dof >= 3 && k < 3;  // spins may turn as far as they like
      const double x = placed ? state.q[at(b.q + k)] : 0.0;
      if (std::fabs(v) <= limit && std::fabs(x) <= limit) continue;
      verdict.good = false;
      verdict.culprit = name(i);
      verdict.reason = !std::isfinite(v) || !std::isfinite(x) ? "is not finite"
                       : std::fabs(x) > limit                 ? "left the bounds of the scene"
                                                              : "is faster than the bounds of the scene allow";
      verdict.time = state.time;
      state = good;
      applyTopology();
      return;
    }
  }
  if (!passes()) {
    state = good;
    applyTopology();
    return;
  }
  for (const Element* e : model().acting) {
    const char* reason = e->inspect(state, {.bounds = limit});
    if (!reason) continue;
    verdict.good = false;
    verdict.culprit = e->name;
    verdict.reason = reason;
    verdict.time = state.time;
    state = good;
    applyTopology();
    return;
  }
  good = state;
}

/// NaN compares false, so range checks miss it.
bool World::Parts::passes() {
  const auto sound = [](const double* x, std::size_t count) {
    // Four at a time: this goes over every number in every step.
    typedef double Two __attribute__((vector_size(16)));
    typedef long long Wrong __attribute__((vector_size(16)));
    Wrong wrong{};
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
      Two a, b;
      std::memcpy(&a, x + i, sizeof a);
      std::memcpy(&b, x + i + 2, sizeof b);
      wrong |= (a != a) | (b != b);
    }
    bool fine = (wrong[0] | wrong[1]) == 0;
    for (; i < count; ++i) fine &= x[i] == x[i];
    return fine;
  };
  // What is large is looked at seldom; it tells in the forces or the memory soon.
  constexpr std::int64_t seldom = 16;
  bool fine = sound(state.memory.data(), state.memory.size()) && sound(state.force.data(), state.force.size());
  if (fine && state.steps % seldom == 0)
    for (const Sheet& sheet : state.sheets) fine = fine && sound(sheet.data(), sheet.size());
  if (fine) return true;
  verdict = {false, "contacts", "have a force that is not a number", state.time};
  for (const auto& e : model().elements) {
    const ElementLayout layout = e->layout();
    const bool knows = sound(state.memory.data() + e->memory, at(layout.memory));
    bool shaped = true;
    for (int k = 0; k < layout.sheets; ++k)
      shaped = shaped && sound(state.sheets[at(e->sheet + k)].data(), state.sheets[at(e->sheet + k)].size());
    if (knows && shaped && sound(state.force.data() + e->slot, at(layout.slots))) continue;
    verdict.culprit = e->name;
    verdict.reason = !knows    ? "remembers what is not a number"
                     : !shaped ? "has a shape that is not a number"
                               : "has a force that is not a number";
    break;
  }
  return false;
}

World::Parts::Parts(const Parts& other) : Parts(other.built) {
  state = other.state;
  good = other.good;
  verdict = other.verdict;
  report = other.report;
  unconverged = other.unconverged;
  fresh = other.fresh;
  resolvedEvents = other.resolvedEvents;
  first = other.first;
  conversions = other.conversions;
  gauges = other.gauges;  // `now` is placed when somebody looks: see use()
}

World::Parts::~Parts() {
  if (built->user == this) built->user = nullptr;  // another world may come to live here
}

World World::clone() const { return World(std::make_unique<Parts>(*parts_)); }

void World::reset() {
  if (parts_->first) {
    auto parts = std::make_unique<Parts>(parts_->first);
    parts->gauges = parts_->gauges;
    parts->resolvedEvents = parts_->resolvedEvents;
    parts_ = std::move(parts);
  }
  parts_->state = parts_->built->start;
  parts_->unconverged = 0;
  parts_->events.clear();
  parts_->refusals.clear();
  parts_->takeOver();
}

Done World::setState(const State& state) {
  if (!parts_->fits(state))
    return wrong("", "the state belongs to another scene", "take it from a world of this scene");
  parts_->state = state;
  parts_->takeOver();
  return {};
}

void World::runWith(Executor* executor) { parts_->built->model.executor = executor; }
void World::interruptBy(const std::atomic<bool>* flag) { parts_->built->model.interrupt = flag; }

const Verdict& World::verdict() const { return parts_->verdict; }
const Description& World::description() const { return parts_->model().description; }
const Model& World::model() const { return parts_->model(); }
const State& World::state() const { return parts_->state; }
double World::time() const { return parts_->state.time; }
std::int64_t World::steps() const { return parts_->state.steps; }

std::vector<Event> World::takeEvents() {
  std::vector<Event> out;
  std::size_t refused = 0;
  for (const ElementEvent& e : parts_->events.all()) {
    if (e.element && e.element == parts_->built->eventLog) {
      const std::string what = e.kind == EventKind::happens ? eventWords(description().events[at(e.link)])
                                                            : words(e.kind) + (": " + parts_->refusals[refused++]);
      out.push_back({e.time, eventName(description(), e.link), what});
      continue;
    }
    std::string subject = e.element ? e.element->name : "";
    if (e.link >= 0) subject += ".links." + std::to_string(e.link);
    out.push_back({e.time, std::move(subject), words(e.kind)});
  }
  parts_->events.clear();
  parts_->refusals.clear();
  return out;
}

Verdict World::examine() const {
  Verdict verdict = parts_->verdict;
  if (!verdict.good) return verdict;
  const Observation seen = observe();
  const auto bad = [&](std::string culprit, const char* reason) {
    if (verdict.good) verdict = {false, std::move(culprit), reason, time()};
  };
  for (const auto& [name, cable] : seen.cables) {
    bool fine = !std::isnan(cable.length);
    for (const SpanObservation& span : cable.spans)
      fine = fine && !std::isnan(span.length) && !std::isnan(span.tension);
    if (!fine) bad("cables." + name, "has a length or a tension that is not a number");
  }
  const EnergyObservation& e = seen.energy;
  if (std::isnan(e.kinetic) || std::isnan(e.potential) || std::isnan(e.elastic)) bad("energy", "is not a number");
  return verdict;
}

}  // namespace reeve
