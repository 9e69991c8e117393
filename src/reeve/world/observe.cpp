// Measuring: whole observations, and single numbers by path (observables.cpp knows the paths).
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "reeve/model/kinetics.h"
#include "reeve/world/observable_fields.h"
#include "reeve/world/parts.h"

namespace reeve {

using namespace observables;

double World::read(const Observable& observable) const {
  parts_->use();
  parts_->now.evaluate();
  return parts_->measure(observable);
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

double partOf(const BodyObservation& b, const Observable& o) {
  const double wxyz[] = {b.orientation.w(), b.orientation.x(), b.orientation.y(), b.orientation.z()};
  if (o.field == 1) return wxyz[o.part];
  return (o.field == 0 ? b.position : o.field == 2 ? b.velocity : b.angularVelocity)[o.part];
}

/// Of force and torque.
double partOf(const JointObservation& j, const Observable& o) { return (o.field == 2 ? j.force : j.torque)[o.part]; }
bool isReaction(const Observable& o) { return o.section == joints_ && (o.field == 2 || o.field == 3); }

double partOf(const EnergyObservation& e, int field) {
  const double values[] = {e.kinetic, e.potential, e.elastic, e.total, e.motors,  e.moved,
                           e.applied, e.friction,  e.damping, e.drag,  e.impacts, e.remains};
  return values[field];
}

}  // namespace

double World::Parts::measure(const Observable& o) const {
  const auto pick = [&](const Vec3& v) { return v[o.part]; };
  switch (o.section) {
    case bodies_:
      return partOf(observeBody(now, model().bodies[at(o.item + 1)]), o);
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
      return partOf(observeJoint(now, joint, shown().force), o);
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
  // What is asked of one body or joint mostly comes in a row.
  int body = -1, joint = -1;
  BodyObservation ofBody;
  JointObservation ofJoint;
  for (std::size_t i = 0; i < observables.size() && i < values.size(); ++i) {
    const Observable& o = observables[i];
    if (o.section < 0)
      values[i] = std::numeric_limits<double>::quiet_NaN();
    else if (o.section == bodies_) {
      if (body != o.item) ofBody = observeBody(parts_->now, parts_->model().bodies[at(o.item + 1)]);
      body = o.item;
      values[i] = partOf(ofBody, o);
    } else if (isReaction(o)) {
      if (joint != o.item)
        ofJoint = observeJoint(parts_->now, *parts_->built->joints[at(o.item)], parts_->shown().force);
      joint = o.item;
      values[i] = partOf(ofJoint, o);
    } else if (o.section == cables_ && viewed == o.item && o.field != 4 && o.field != spans_ + 7)
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
