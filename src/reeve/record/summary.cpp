#include "reeve/record/summary.h"

#include <algorithm>

#include "reeve/math/hash.h"
#include "reeve/scene/json_writer.h"

namespace reeve::record {
namespace {

using Layout = JsonWriter::Layout;

void write(JsonWriter& json, std::string_view key, double value) { json.key(key).number(value); }
void write(JsonWriter& json, std::string_view key, const std::string& value) { json.key(key).text(value); }
void write(JsonWriter& json, std::string_view key, const Vec3& v) {
  json.key(key).beginArray(Layout::line).number(v.x()).number(v.y()).number(v.z()).endArray();
}
void write(JsonWriter& json, std::string_view key, const Quat& q) {
  json.key(key).beginArray(Layout::line).number(q.w()).number(q.x()).number(q.y()).number(q.z()).endArray();
}

void fields(JsonWriter& json, const BodyObservation& body) {
  write(json, "position", body.position);
  write(json, "orientation", body.orientation);
  write(json, "velocity", body.velocity);
  write(json, "angular_velocity", body.angularVelocity);
}

void fields(JsonWriter& json, const RotorObservation& rotor) {
  write(json, "angle", rotor.angle);
  write(json, "rate", rotor.rate);
}

void fields(JsonWriter& json, const ParticleObservation& particle) {
  write(json, "position", particle.position);
  write(json, "velocity", particle.velocity);
}

void fields(JsonWriter& json, const JointObservation& joint) {
  write(json, "coordinate", joint.coordinate);
  write(json, "rate", joint.rate);
  write(json, "force", joint.force);
  write(json, "torque", joint.torque);
  write(json, "error", joint.error);
  write(json, "damped", joint.damped);
  json.key("holds").boolean(joint.holds);
}

void fields(JsonWriter& json, const CouplingObservation& coupling) {
  write(json, "force", coupling.force);
  write(json, "error", coupling.error);
}

void fields(JsonWriter& json, const MotorObservation& motor) {
  write(json, "force", motor.force);
  write(json, "work", motor.work);
}

void fields(JsonWriter& json, const SpanObservation& span) {
  write(json, "from", span.from);
  write(json, "to", span.to);
  write(json, "start", span.start);
  write(json, "end", span.end);
  write(json, "length", span.length);
  write(json, "rest", span.rest);
  write(json, "tension", span.tension);
  json.key("slack").boolean(span.slack);
  if (span.sag > 0.0) write(json, "sag", span.sag);
  if (!span.parted) return;
  json.key("parted").boolean(true);
  json.key("loose").beginArray();
  for (const double metres : span.loose) json.number(metres);
  json.endArray();
}

void fields(JsonWriter& json, const LinkObservation& link) {
  write(json, "kind", link.kind);
  write(json, "mode", link.mode);
  write(json, "on", link.on);
  write(json, "wrap", link.wrap);
  write(json, "slip", link.slip);
  write(json, "stored", link.stored);
  write(json, "entry", link.entry);
  write(json, "exit", link.exit);
  write(json, "force", link.force);
  if (link.radius > 0.0) write(json, "radius", link.radius);
  if (link.layers > 0) write(json, "layers", link.layers);
}

void fields(JsonWriter& json, const ContactObservation& contact) {
  write(json, "a", contact.a);
  write(json, "b", contact.b);
  write(json, "point", contact.point);
  write(json, "normal", contact.normal);
  write(json, "gap", contact.gap);
  write(json, "force", contact.force);
}

void fields(JsonWriter& json, const Event& event) {
  write(json, "time", event.time);
  write(json, "subject", event.subject);
  write(json, "what", event.what);
}

void fields(JsonWriter& json, const ExpectationResult& result) {
  write(json, "at", result.expectation.at);
  write(json, "observe", result.expectation.observe);
  write(json, "wanted", wanted(result.expectation));
  if (result.measured)
    write(json, "measured", *result.measured);
  else
    json.key("measured").null();
  json.key("met").boolean(result.met);
}

void fields(JsonWriter& json, const Peak& peak) {
  write(json, "subject", peak.subject);
  write(json, "quantity", peak.quantity);
  write(json, "unit", peak.unit);
  write(json, "label", peak.label);
  write(json, "smallest", peak.smallest);
  write(json, "largest", peak.largest);
  write(json, "at", peak.at);
  write(json, "rms", peak.rms);
  if (peak.safety() > 0.0) write(json, "safety_factor", peak.safety());
}

void fields(JsonWriter& json, const Note& note) {
  write(json, "subject", note.subject);
  write(json, "what", note.what);
}

void fields(JsonWriter& json, const Finding& finding) {
  write(json, "level", std::string(trustName(finding.level)));
  write(json, "kind", std::string(kindName(finding.kind)));
  write(json, "subject", finding.subject);
  write(json, "reason", finding.reason);
  write(json, "time", finding.time);
  write(json, "worst", finding.worst);
  json.key("seen").integer(finding.seen);
}

template <class T>
void list(JsonWriter& json, std::string_view key, const std::vector<T>& items) {
  json.key(key).beginArray();
  for (const T& item : items) {
    json.beginObject(Layout::line);
    fields(json, item);
    json.endObject();
  }
  json.endArray();
}

void fields(JsonWriter& json, const CableObservation& cable) {
  write(json, "model", cable.model);
  write(json, "length", cable.length);
  write(json, "stored", cable.stored);
  json.key("coordinates").beginObject(Layout::line);
  json.key("lagrangian").integer(cable.lagrangian);
  json.key("eulerian").integer(cable.eulerian);
  json.endObject();
  list(json, "spans", cable.spans);
  list(json, "links", cable.links);
}

template <class T>
void byName(JsonWriter& json, std::string_view key, const Named<T>& items, Layout layout = Layout::line) {
  json.key(key).beginObject();
  for (const auto& [name, item] : items) {
    json.key(name).beginObject(layout);
    fields(json, item);
    json.endObject();
  }
  json.endObject();
}

void energies(JsonWriter& json, const RunFacts& facts, const Observation& seen) {
  json.key("energy").beginObject();
  write(json, "kinetic", seen.energy.kinetic);
  write(json, "potential", seen.energy.potential);
  write(json, "elastic", seen.energy.elastic);
  write(json, "total", seen.energy.total);
  write(json, "start", facts.start.total);
  write(json, "motor_work", motorWork(seen) - facts.startWork);
  write(json, "drift", energyDrift(facts, seen));
  write(json, "drag_work", seen.energy.drag - facts.start.drag);
  json.key("work").beginObject(Layout::line);
  for (const WorkLine& line : workOf(facts, seen)) write(json, line.name, line.joules);
  json.endObject();
  write(json, "remains", seen.energy.remains - facts.start.remains);
  write(json, "turnover", facts.turnover);
  json.endObject();
}

void health(JsonWriter& json, const RunFacts& facts, const Observation& seen) {
  json.key("health").beginObject();
  json.key("iterations").integer(seen.health.iterations);
  write(json, "residual", seen.health.residual);
  write(json, "worst", seen.health.worst);
  write(json, "worst_error", seen.health.worstError);
  json.key("unconverged").integer(seen.health.unconverged);
  json.key("converges").boolean(seen.health.converges);
  json.key("good").boolean(facts.verdict.good);
  if (!facts.verdict.good) {
    write(json, "culprit", facts.verdict.culprit);
    write(json, "reason", facts.verdict.reason);
    write(json, "bad_time", facts.verdict.time);
  }
  json.endObject();
}

void verdict(JsonWriter& json, const RunFacts& facts) {
  json.key("verdict").beginObject();
  write(json, "level", std::string(trustName(facts.trust())));
  list(json, "findings", facts.findings);
  json.endObject();
}

void settings(JsonWriter& json, const RunFacts& facts) {
  json.key("settings").beginObject();
  write(json, "dt", facts.settings.dt);
  write(json, "seconds", facts.settings.seconds);
  json.key("substeps").integer(facts.settings.substeps);
  json.key("solver").text(solverName(facts.settings.solver));
  json.key("iterations").integer(facts.settings.iterations);
  // As text: readers of JSON keep 53 bits of a number, and a seed has 64.
  write(json, "seed", std::to_string(facts.seed));
  json.endObject();
}

}  // namespace

std::string_view solverName(SolverChoice solver) {
  static constexpr std::string_view names[] = {"auto", "sweep", "direct", "blocks"};
  return names[static_cast<int>(solver)];
}

void setUnits(RunFacts& facts, const Description& scene) {
  const auto unitOfJoint = [](JointType type) {
    return type == JointType::hinge ? "rad" : type == JointType::slider || type == JointType::distance ? "m" : "";
  };
  for (const auto& [name, joint] : scene.joints) facts.jointUnits.emplace_back(unitOfJoint(joint.type));
  for (const auto& [name, motor] : scene.motors) {
    std::string unit = "N m";
    for (const auto& [other, joint] : scene.joints)
      if (other == motor.on && joint.type == JointType::slider) unit = "N";
    facts.motorUnits.push_back(unit);
  }
}

std::vector<WorkLine> workOf(const RunFacts& facts, const Observation& seen) {
  const EnergyObservation &a = facts.start, &b = seen.energy;
  return {{"motors", "motors", b.motors - a.motors},
          {"moved", "prescribed motion and paying out", b.moved - a.moved},
          {"applied", "applied forces and changes", b.applied - a.applied},
          {"friction", "friction", b.friction - a.friction},
          {"damping", "damping", b.damping - a.damping},
          {"drag", "drag", b.drag - a.drag},
          {"impacts", "impacts", b.impacts - a.impacts}};
}

double motorWork(const Observation& observation) {
  double work = 0.0;
  for (const auto& [name, motor] : observation.motors) work += motor.work;
  return work;
}

double energyDrift(const RunFacts& facts, const Observation& observation) {
  return observation.energy.total - facts.start.total - (motorWork(observation) - facts.startWork);
}

std::string writeSummary(const RunFacts& facts, const Observation& seen, int indent) {
  std::string out;
  JsonWriter json(out, indent);
  json.beginObject();
  write(json, "scene", facts.scene);
  if (!facts.source.empty()) write(json, "source", facts.source);
  write(json, "time", seen.time);
  json.key("steps").integer(seen.steps);
  write(json, "wall_seconds", facts.wallSeconds);
  write(json, "simulated_seconds", facts.simulatedSeconds);
  write(json, "hash", math::hex(facts.hash));
  json.key("interrupted").boolean(facts.interrupted);
  settings(json, facts);
  byName(json, "bodies", seen.bodies);
  byName(json, "rotors", seen.rotors);
  byName(json, "particles", seen.particles);
  byName(json, "joints", seen.joints);
  byName(json, "motors", seen.motors);
  byName(json, "couplings", seen.couplings);
  byName(json, "cables", seen.cables, Layout::lines);
  list(json, "contacts", seen.contacts);
  energies(json, facts, seen);
  health(json, facts, seen);
  verdict(json, facts);
  list(json, "events", facts.events);
  json.key("events_left_out").integer(static_cast<std::int64_t>(facts.eventsLeftOut));
  list(json, "expectations", facts.expectations);
  list(json, "peaks", facts.peaks);
  list(json, "notes", facts.notes);
  json.endObject();
  out += '\n';
  return out;
}

}  // namespace reeve::record
