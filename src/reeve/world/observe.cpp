// What can be measured: whole observations, and single numbers by path.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "reeve/model/kinetics.h"
#include "reeve/world/parts.h"

namespace reeve {

namespace {

enum Section {
  bodies_,
  rotors_,
  particles_,
  joints_,
  motors_,
  couplings_,
  cables_,
  events_,
  energy_,
  health_,
  time_,
  sections_
};
constexpr std::array<std::string_view, sections_> sectionNames{
    "bodies", "rotors", "particles", "joints", "motors", "couplings", "cables", "events", "energy", "health", "time"};

/// A measurable of a thing: its name and how many parts it has (1: a number, 3: x y z, 4: w x y z).
struct Field {
  std::string_view name;
  int parts;
};
constexpr std::array<Field, 4> bodyFields{
    {{"position", 3}, {"orientation", 4}, {"velocity", 3}, {"angular_velocity", 3}}};
constexpr std::array<Field, 2> rotorFields{{{"angle", 1}, {"rate", 1}}};
constexpr std::array<Field, 2> particleFields{{{"position", 3}, {"velocity", 3}}};
constexpr std::array<Field, 7> jointFields{
    {{"coordinate", 1}, {"rate", 1}, {"force", 3}, {"torque", 3}, {"error", 1}, {"damped", 1}, {"holds", 1}}};
constexpr std::array<Field, 2> couplingFields{{{"force", 1}, {"error", 1}}};
constexpr std::array<Field, 2> eventFields{{{"count", 1}, {"time", 1}}};
constexpr std::array<Field, 3> motorFields{{{"force", 1}, {"work", 1}, {"power", 1}}};
constexpr std::array<Field, 6> cableFields{{{"length", 1},
                                            {"stored", 1},
                                            {"lagrangian", 1},
                                            {"eulerian", 1},
                                            {"path_rate", 1},
                                            {"tension", 1}}};  // tension: the largest of its spans
constexpr std::array<Field, 8> spanFields{{{"length", 1},
                                           {"rest", 1},
                                           {"tension", 1},
                                           {"slack", 1},
                                           {"sag", 1},
                                           {"start", 3},
                                           {"end", 3},
                                           {"length_rate", 1}}};
constexpr std::array<Field, 7> linkFields{
    {{"wrap", 1}, {"slip", 1}, {"stored", 1}, {"force", 3}, {"holds", 1}, {"radius", 1}, {"layers", 1}}};
constexpr int spans_ = 100, links_ = 200;  ///< added to the field of a cable's spans and links
constexpr std::array<Field, 12> energyFields{{{"kinetic", 1},
                                              {"potential", 1},
                                              {"elastic", 1},
                                              {"total", 1},
                                              {"motors", 1},
                                              {"moved", 1},
                                              {"applied", 1},
                                              {"friction", 1},
                                              {"damping", 1},
                                              {"drag", 1},
                                              {"impacts", 1},
                                              {"remains", 1}}};
constexpr std::array<Field, 4> healthFields{
    {{"iterations", 1}, {"residual", 1}, {"worst_error", 1}, {"unconverged", 1}}};

std::span<const Field> fieldsOf(int section) {
  switch (section) {
    case bodies_:
      return bodyFields;
    case rotors_:
      return rotorFields;
    case particles_:
      return particleFields;
    case joints_:
      return jointFields;
    case motors_:
      return motorFields;
    case couplings_:
      return couplingFields;
    case cables_:
      return cableFields;
    case events_:
      return eventFields;
    case energy_:
      return energyFields;
    case health_:
      return healthFields;
    default:
      return {};
  }
}

constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};
constexpr std::array<std::string_view, 4> quaternion{"w", "x", "y", "z"};

std::span<const std::string_view> partsOf(int count) {
  if (count == 3) return axes;
  if (count == 4) return quaternion;
  return {};
}

std::string listOf(std::span<const std::string_view> words) {
  std::string text;
  for (const auto& w : words) text += (text.empty() ? "" : ", ") + std::string(w);
  return text;
}

/// Takes the next word of a dotted path.
std::string_view takeWord(std::string_view& path) {
  const std::size_t dot = path.find('.');
  const std::string_view word = path.substr(0, dot);
  path = dot == std::string_view::npos ? std::string_view{} : path.substr(dot + 1);
  return word;
}

template <class T>
std::vector<std::string_view> namesOf(const Named<T>& list) {
  std::vector<std::string_view> names;
  for (const auto& [name, thing] : list) names.push_back(name);
  return names;
}

std::vector<std::string_view> namesIn(const Description& d, int section) {
  switch (section) {
    case bodies_:
      return namesOf(d.bodies);
    case rotors_:
      return namesOf(d.rotors);
    case particles_:
      return namesOf(d.particles);
    case joints_:
      return namesOf(d.joints);
    case motors_:
      return namesOf(d.motors);
    case couplings_:
      return namesOf(d.couplings);
    case cables_:
      return namesOf(d.cables);
    case events_: {
      std::vector<std::string_view> names;
      for (const EventSettings& e : d.events) names.push_back(e.name);
      return names;
    }
    default:
      return {};
  }
}

std::unexpected<Problem> unknown(std::string_view path, std::string_view word, std::string_view what,
                                 std::span<const std::string_view> valid) {
  Problem p;
  p.reason = "'" + std::string(path) + "': there is no " + std::string(what) + " '" + std::string(word) + "'";
  p.remedy = valid.empty() ? "there is none in this scene" : "choose one of: " + listOf(valid);
  return std::unexpected(p);
}

}  // namespace

std::expected<Observable, Problem> World::resolve(std::string_view path) const {
  std::string_view rest = path;
  Observable o;
  const std::string_view sectionWord = takeWord(rest);
  for (int i = 0; i < sections_; ++i)
    if (sectionNames[at(i)] == sectionWord) o.section = i;
  if (o.section < 0) return unknown(path, sectionWord, "observable", sectionNames);
  if (o.section == time_) return o;
  if (o.section != energy_ && o.section != health_) {
    const std::string_view word = takeWord(rest);
    const auto names = namesIn(description(), o.section);
    for (std::size_t i = 0; i < names.size(); ++i)
      if (!word.empty() && names[i] == word) o.item = static_cast<int>(i);
    if (o.item < 0) return unknown(path, word, "name", names);
  }
  std::span<const Field> fields = fieldsOf(o.section);
  std::string_view fieldWord = takeWord(rest);
  int offset = 0;
  if (o.section == cables_ && (fieldWord == "spans" || fieldWord == "links")) {
    offset = fieldWord == "spans" ? spans_ : links_;
    fields = offset == spans_ ? std::span<const Field>(spanFields) : std::span<const Field>(linkFields);
    const std::string_view number = takeWord(rest);
    o.index = 0;
    for (const char c : number)
      o.index = c >= '0' && c <= '9' && o.index < 1000000 ? o.index * 10 + (c - '0') : 100000000;
    if (number.empty() || o.index >= 10000000)
      return unknown(path, number, "number", std::span<const std::string_view>());
    fieldWord = takeWord(rest);
  }
  std::vector<std::string_view> valid;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    valid.push_back(fields[i].name);
    if (fields[i].name == fieldWord) o.field = static_cast<int>(i);
  }
  if (o.section == cables_ && offset == 0) {
    valid.push_back("spans.N.tension");
    valid.push_back("links.N.wrap");
  }
  if (o.field < 0) return unknown(path, fieldWord, "measurable", valid);
  const auto parts = partsOf(fields[at(o.field)].parts);
  o.field += offset;
  if (parts.empty()) {
    if (!rest.empty()) return unknown(path, rest, "part", parts);
    return o;
  }
  const std::string_view partWord = takeWord(rest);
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (parts[i] == partWord) o.part = static_cast<int>(i);
  if (o.part < 0) return unknown(path, partWord, "part", parts);
  return o;
}

double World::read(const Observable& observable) const {
  parts_->use();
  parts_->now.evaluate();
  return parts_->measure(observable);
}

namespace {
/// Not among the columns of a table: counts, and what costs more than a look or follows from the others.
bool derived(int section, std::string_view field) {
  if (section == energy_) return field != "kinetic" && field != "potential" && field != "elastic" && field != "total";
  return field == "lagrangian" || field == "eulerian" || field == "path_rate" || field == "length_rate" ||
         field == "power" || field == "damped" || field == "holds";
}
}  // namespace

std::vector<std::string> World::paths() const {
  parts_->use();
  std::vector<std::string> out{"time"};
  for (int section = 0; section < time_; ++section) {
    const std::string head(sectionNames[at(section)]);
    auto names = namesIn(description(), section);
    if (section == energy_ || section == health_) names = {""};
    for (const auto& name : names)
      for (const Field& f : fieldsOf(section)) {
        if (derived(section, f.name) || (section == events_ && name.empty())) continue;
        const std::string stem = head + (name.empty() ? "" : "." + std::string(name)) + "." + std::string(f.name);
        if (f.parts == 1) out.push_back(stem);
        for (const auto& part : partsOf(f.parts)) out.push_back(stem + "." + std::string(part));
      }
    if (section == cables_)
      for (const auto& [name, cable] : description().cables) {
        // Spans come and go; the columns are those of the route as it was declared, of a chain those it has now.
        std::size_t spans = cable.closed ? cable.route.size() : cable.route.size() - 1;
        for (const Cable* each : parts_->built->cables) {
          if (!each->traits().spansAreSegments || each->name != "cables." + name) continue;
          parts_->now.evaluate();
          each->view(parts_->now, parts_->state, parts_->linkViews, parts_->spanViews);
          spans = parts_->spanViews.size();
        }
        for (std::size_t i = 0; i < spans; ++i)
          for (const Field& f : spanFields)
            if (f.parts == 1 && !derived(section, f.name))
              out.push_back("cables." + name + ".spans." + std::to_string(i) + "." + std::string(f.name));
      }
  }
  return out;
}

namespace {

BodyObservation observeBody(const Instant& now, const Body& body) {
  const Pose pose = now.pose(body.block);
  const Vec3 arm = pose.direction(body.center_B), omega = now.angularVelocity(body.block);
  return {pose.position - arm, pose.orientation, now.velocity(body.block) - omega.cross(arm), omega};
}

JointObservation observeJoint(const Instant& now, const Joint& joint, std::span<const double> force) {
  JointObservation o;
  o.coordinate = joint.coordinate(now);
  o.rate = joint.coordinateRate(now);
  joint.reaction(now, force, o.force, o.torque);
  o.error = joint.separation(now);
  o.holds = !joint.released(now);
  return o;  // `damped` is in the memory of a state, not of an instant
}

const char* linkWord(LinkType type) {
  switch (type) {
    case LinkType::attach:
      return "attach";
    case LinkType::roll:
      return "roll";
    case LinkType::pinhole:
      return "pinhole";
    case LinkType::hybrid:
      return "hybrid";
    case LinkType::spool:
      return "spool";
    case LinkType::sheath:
      return "sheath";
    case LinkType::guide:
      return "guide";
    case LinkType::node:
      return "node";
    case LinkType::ride:
      return "ride";
  }
  return "";
}

CableObservation observeCable(const Instant& now, const State& state, const Cable& cable) {
  const CableTraits traits = cable.traits();
  CableObservation o;
  o.model = traits.word;
  o.drawnThick = traits.drawnThick;
  std::vector<LinkView> links;
  std::vector<SpanView> spans;
  cable.view(now, state, links, spans);
  const Freedom freedom = cable.freedom();
  o.lagrangian = freedom.lagrangian;
  o.eulerian = freedom.eulerian;
  for (const LinkView& l : links) {
    o.links.push_back(
        {linkWord(l.type), l.mode, *l.on, l.wrap, l.slip, l.stored, l.entry, l.exit, l.force, l.radius, l.layers});
    o.stored += l.stored;
  }
  o.length = o.stored;
  for (const SpanView& v : spans) {
    SpanObservation s;
    s.from = *links[at(v.from)].on;
    s.to = *links[at(v.to)].on;
    s.start = v.start;
    s.end = v.end;
    s.length = v.length;
    s.rest = v.rest;
    s.tension = v.tension;
    s.slack = v.tension == 0.0;
    s.parted = v.parted;
    for (int i = 0; i < 2; ++i) s.loose[i] = v.loose[i];
    s.sag = v.sag;
    o.length += v.rest;
    o.spans.push_back(std::move(s));
  }
  cable.draw(now, state, o.polyline, o.tensions);
  return o;
}

EnergyObservation observeEnergy(const Instant& now, const State& state) {
  const Energy sum = energyOf(now, state.force);
  EnergyObservation o;
  o.kinetic = sum.kinetic;
  o.potential = sum.potential;
  o.elastic = sum.elastic;
  o.total = o.kinetic + o.potential + o.elastic;
  const Accounts& a = state.accounts;
  const auto done = [&](Work kind) { return a.done[static_cast<std::size_t>(kind)]; };
  o.motors = done(Work::motors);
  o.moved = done(Work::moved);
  o.applied = done(Work::applied);
  o.friction = done(Work::friction);
  o.damping = done(Work::damping);
  o.drag = done(Work::drag);
  o.impacts = done(Work::impacts);
  o.remains = o.total - a.start - (o.motors + o.moved + o.applied + o.friction + o.damping + o.drag + o.impacts);
  return o;
}

double partOf(const EnergyObservation& e, int field) {
  const double values[] = {e.kinetic, e.potential, e.elastic, e.total, e.motors,  e.moved,
                           e.applied, e.friction,  e.damping, e.drag,  e.impacts, e.remains};
  return values[field];
}

}  // namespace

double World::Parts::measure(const Observable& o) const {
  const auto pick = [&](const Vec3& v) { return v[o.part]; };
  switch (o.section) {
    case bodies_: {
      const BodyObservation b = observeBody(now, model().bodies[at(o.item + 1)]);
      if (o.field == 0) return pick(b.position);
      if (o.field == 1) {
        const double wxyz[] = {b.orientation.w(), b.orientation.x(), b.orientation.y(), b.orientation.z()};
        return wxyz[o.part];
      }
      return pick(o.field == 2 ? b.velocity : b.angularVelocity);
    }
    case rotors_: {
      const int block = model().rotors[at(o.item)].block;
      return o.field == 0 ? now.scalar(block) : now.rate(block);
    }
    case particles_: {
      const int block = model().particles[at(o.item)].block;
      return pick(o.field == 0 ? now.position(block) : now.velocity(block));
    }
    case joints_: {
      const Joint& joint = *built->joints[at(o.item)];
      if (o.field == 0) return joint.coordinate(now);
      if (o.field == 1) return joint.coordinateRate(now);
      if (o.field == 4) return joint.separation(now);
      if (o.field == 5) return joint.damped(state);
      if (o.field == 6) return joint.released(now) ? 0.0 : 1.0;
      const JointObservation j = observeJoint(now, joint, shown().force);
      return pick(o.field == 2 ? j.force : j.torque);
    }
    case motors_: {
      const Motor& motor = *built->motors[at(o.item)];
      if (o.field == 2) return motor.power(now, shown());
      return o.field == 0 ? shown().force[at(motor.slot)] : motor.workDone(state);
    }
    case couplings_: {
      const Coupling& coupling = *built->couplings[at(o.item)];
      return o.field == 0 ? shown().force[at(coupling.slot)] : coupling.error(now);
    }
    case events_: {
      const EventMemory& memory = built->eventLog->of(state, o.item);
      return o.field == 0 ? static_cast<int>(memory.count) : memory.time;
    }
    case cables_: {
      const Cable& cable = *built->cables[at(o.item)];
      if (o.field == 4) {
        bool any = false;
        const std::vector<double> arms = momentArms(cable, any);
        double rate = 0.0;
        for (std::size_t i = 0; i < arms.size(); ++i) rate += arms[i] * state.v[i];
        return any ? rate : std::numeric_limits<double>::quiet_NaN();
      }
      if (o.field == spans_ + 7) return lengthRate(o.item, o.index);
      cable.view(now, shown(), linkViews, spanViews);
      return measureCable(o);
    }
    case energy_:
      return partOf(observeEnergy(now, state), o.field);
    case health_: {
      const double values[] = {static_cast<double>(report.iterations), report.residual, report.worstError,
                               static_cast<double>(unconverged)};
      return values[o.field];
    }
    default:
      return state.time;
  }
}

double World::Parts::measureCable(const Observable& o) const {
  const auto pick = [&](const Vec3& v) { return v[o.part]; };
  const Cable& cable = *built->cables[at(o.item)];
  if (o.field == 2) return cable.freedom().lagrangian;
  if (o.field == 3) return cable.freedom().eulerian;
  if (o.field >= links_) {
    if (at(o.index) >= linkViews.size()) return std::numeric_limits<double>::quiet_NaN();
    const LinkView& l = linkViews[at(o.index)];
    if (o.field == links_ + 3) return pick(l.force);
    if (o.field == links_ + 4) return l.holds ? 1.0 : 0.0;
    if (o.field == links_ + 5) return l.radius;
    if (o.field == links_ + 6) return l.layers;
    return o.field == links_ ? l.wrap : o.field == links_ + 1 ? l.slip : l.stored;
  }
  if (o.field >= spans_) {
    if (at(o.index) >= spanViews.size()) return std::numeric_limits<double>::quiet_NaN();
    const SpanView& v = spanViews[at(o.index)];
    if (o.field >= spans_ + 5) return pick(o.field == spans_ + 5 ? v.start : v.end);
    const double values[] = {v.length, v.rest, v.tension, v.tension == 0.0 ? 1.0 : 0.0, v.sag};
    return values[o.field - spans_];
  }
  double stored = 0.0, total = 0.0, tension = spanViews.empty() ? 0.0 : spanViews.front().tension;
  for (const LinkView& l : linkViews) stored += l.stored;
  for (const SpanView& v : spanViews) total += v.rest, tension = std::max(tension, v.tension);
  return o.field == 5 ? tension : o.field == 0 ? total + stored : stored;
}

void World::readAll(std::span<const Observable> observables, std::span<double> values) const {
  parts_->use();
  parts_->now.evaluate();
  int viewed = -1;  // the cable whose views are at hand
  std::optional<EnergyObservation> energy;
  for (std::size_t i = 0; i < observables.size() && i < values.size(); ++i) {
    const Observable& o = observables[i];
    if (o.section < 0)
      values[i] = std::numeric_limits<double>::quiet_NaN();
    else if (o.section == cables_ && viewed == o.item && o.field != 4 && o.field != spans_ + 7)
      values[i] = parts_->measureCable(o);
    else if (o.section == energy_) {
      if (!energy) energy = observeEnergy(parts_->now, parts_->state);
      values[i] = partOf(*energy, o.field);
    } else
      values[i] = parts_->measure(o);
    if (o.section == cables_) viewed = o.field == 4 || o.field == spans_ + 7 ? -1 : o.item;
  }
}

Observation World::observe() const {
  parts_->use();
  parts_->now.evaluate();
  const Parts& p = *parts_;
  const Model& m = p.model();
  Observation o;
  o.time = p.state.time;
  o.steps = p.state.steps;
  for (std::size_t i = 1; i < m.bodies.size(); ++i)
    if (!m.bodies[i].hidden) o.bodies.emplace_back(m.bodies[i].name, observeBody(p.now, m.bodies[i]));
  for (const Rotor& r : m.rotors)
    o.rotors.emplace_back(r.name, RotorObservation{p.now.scalar(r.block), p.now.rate(r.block)});
  for (const Particle& q : m.particles)
    if (!q.hidden)
      o.particles.emplace_back(q.name, ParticleObservation{p.now.position(q.block), p.now.velocity(q.block)});
  for (std::size_t i = 0; i < p.built->joints.size(); ++i) {
    o.joints.emplace_back(m.description.joints[i].first, observeJoint(p.now, *p.built->joints[i], p.shown().force));
    o.joints.back().second.damped = p.built->joints[i]->damped(p.state);
  }
  for (std::size_t i = 0; i < p.built->motors.size(); ++i) {
    const Motor& motor = *p.built->motors[i];
    o.motors.emplace_back(m.description.motors[i].first,
                          MotorObservation{p.shown().force[at(motor.slot)], motor.workDone(p.state)});
  }
  for (std::size_t i = 0; i < p.built->couplings.size(); ++i) {
    const Coupling& coupling = *p.built->couplings[i];
    o.couplings.emplace_back(m.description.couplings[i].first,
                             CouplingObservation{p.shown().force[at(coupling.slot)], coupling.error(p.now)});
  }
  for (std::size_t i = 0; i < m.description.events.size(); ++i)
    if (const std::string& name = m.description.events[i].name; !name.empty()) {
      const EventMemory& memory = p.built->eventLog->of(p.state, static_cast<int>(i));
      o.events.emplace_back(name, HappeningObservation{memory.count, memory.time});
    }
  for (std::size_t i = 0; i < p.built->cables.size(); ++i)
    o.cables.emplace_back(m.description.cables[i].first, observeCable(p.now, p.shown(), *p.built->cables[i]));
  if (p.state.contacts.size() == p.contacts.contacts().size())
    for (std::size_t i = 0; i < p.contacts.contacts().size(); ++i) {
      const Contact& c = p.contacts.contacts()[i];
      if (p.state.contacts[i].normal <= 0.0) continue;
      o.contacts.push_back({p.contacts.colliderName(c.colliderA), p.contacts.colliderName(c.colliderB),
                            p.now.point(c.b), c.normal, Contacts::gap(p.now, c), p.state.contacts[i].normal});
    }
  o.energy = observeEnergy(p.now, p.state);
  o.health.iterations = p.report.iterations;
  o.health.residual = p.report.residual;
  o.health.worstError = p.report.worstError;
  o.health.unconverged = p.unconverged;
  o.health.converges = p.unconverged < 10 || 10 * p.unconverged < 9 * p.state.steps;
  for (const Element* e : p.elements)
    if (p.report.worstSlot >= e->slot && p.report.worstSlot < e->slot + e->layout().slots)
      o.health.worst = e->nameOf(ElementPart::row, p.report.worstSlot - e->slot);
  return o;
}

}  // namespace reeve
