#include "reeve/scene/colors.h"
#include "reeve/scene/json_writer.h"
#include "session.h"

namespace reeve::wasm {
namespace {

using Layout = JsonWriter::Layout;

void write(JsonWriter& json, std::string_view key, double value) { json.key(key).number(value); }
void write(JsonWriter& json, std::string_view key, const std::string& value) { json.key(key).text(value); }
void write(JsonWriter& json, std::string_view key, const Vec3& v) {
  json.key(key).beginArray().number(v.x()).number(v.y()).number(v.z()).endArray();
}
void write(JsonWriter& json, std::string_view key, const Quat& q) {
  json.key(key).beginArray().number(q.w()).number(q.x()).number(q.y()).number(q.z()).endArray();
}
/// 0xrrggbb, or null: a page never sees the text of a colour.
void writeColor(JsonWriter& json, const std::string& color) {
  if (const auto value = colorValue(color))
    json.key("color").integer(*value);
  else
    json.key("color").null();
}

void writeShape(JsonWriter& json, const ShapeSettings& shape) {
  static constexpr const char* types[] = {"sphere", "capsule", "cylinder", "box", "hull", "prism", "half-space"};
  json.beginObject();
  write(json, "type", std::string(types[static_cast<int>(shape.type)]));
  write(json, "position", shape.position);
  write(json, "orientation", shape.orientation);
  write(json, "radius", shape.radius);
  write(json, "length", shape.length);
  write(json, "size", shape.size);
  json.key("points").beginArray();
  for (const Vec3& p : shape.points) json.beginArray().number(p.x()).number(p.y()).number(p.z()).endArray();
  for (const Vec2& p : shape.polygon)
    for (const double end : {-0.5, 0.5})
      json.beginArray().number(p.x()).number(p.y()).number(end * shape.length).endArray();
  json.endArray().endObject();
}

void writeBodies(JsonWriter& json, const Description& scene) {
  static constexpr const char* motions[] = {"dynamic", "kinematic", "static"};
  json.key("bodies").beginArray();
  for (const auto& [name, body] : scene.bodies) {
    json.beginObject();
    write(json, "name", name);
    write(json, "motion", std::string(motions[static_cast<int>(body.motion)]));
    writeColor(json, body.color);
    json.key("shapes").beginArray();
    for (const ShapeSettings& shape : body.shapes) writeShape(json, shape);
    json.endArray().endObject();
  }
  json.endArray();
}

int bodyIndex(const Description& scene, const std::string& name) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (scene.bodies[i].first == name) return static_cast<int>(i);
  return -1;
}

void writeRotors(JsonWriter& json, const Description& scene) {
  json.key("rotors").beginArray();
  for (const auto& [name, rotor] : scene.rotors) {
    json.beginObject();
    write(json, "name", name);
    json.key("parent").integer(bodyIndex(scene, rotor.on));
    write(json, "position", rotor.position);
    write(json, "axis", rotor.axis);
    write(json, "radius", rotor.radius);
    write(json, "width", rotor.width);
    writeColor(json, rotor.color);
    json.endObject();
  }
  json.endArray();
}

/// Wheels that are part of a body: links with a radius of their own.
void writeWheels(JsonWriter& json, const Description& scene, const CableSettings& cable) {
  json.key("wheels").beginArray();
  for (const LinkSettings& link : cable.route) {
    const bool rolls = link.type == LinkType::roll || link.type == LinkType::hybrid || link.type == LinkType::spool;
    if (!rolls || !link.radius || !link.axis) continue;
    json.beginObject();
    json.key("parent").integer(bodyIndex(scene, link.on));
    write(json, "position", link.point);
    write(json, "axis", *link.axis);
    write(json, "radius", *link.radius);
    json.endObject();
  }
  json.endArray();
}

void writeCables(JsonWriter& json, const Description& scene) {
  static constexpr const char* models[] = {"joints", "particles", "strand", "hoist", "chain"};
  json.key("cables").beginArray();
  for (const auto& [name, cable] : scene.cables) {
    json.beginObject();
    write(json, "name", name);
    write(json, "model", std::string(models[static_cast<int>(cable.model)]));
    write(json, "radius", cable.material.radius);
    json.key("closed").boolean(cable.closed);
    writeColor(json, cable.color);
    writeWheels(json, scene, cable);
    json.endObject();
  }
  json.endArray();
}

template <class T>
void writeNames(JsonWriter& json, std::string_view key, const Named<T>& items) {
  json.key(key).beginArray();
  for (const auto& [name, item] : items) json.text(name);
  json.endArray();
}

void writeSettings(JsonWriter& json, const Settings& settings) {
  static constexpr const char* solvers[] = {"auto", "sweep", "direct", "blocks"};
  json.key("settings").beginObject();
  write(json, "dt", settings.dt);
  write(json, "seconds", settings.seconds);
  write(json, "solver", std::string(solvers[static_cast<int>(settings.solver)]));
  write(json, "substeps", settings.substeps);
  write(json, "iterations", settings.iterations);
  write(json, "gravity", settings.gravity);
  json.endObject();
}

void writeView(JsonWriter& json, const ViewSettings& view) {
  json.key("view").beginObject();
  write(json, "from", view.from);
  if (view.target) write(json, "target", *view.target);
  write(json, "height", view.height);
  json.endObject();
}

void writePlots(JsonWriter& json, const std::vector<PlotSettings>& plots) {
  json.key("plots").beginArray();
  for (const PlotSettings& plot : plots) {
    json.beginObject();
    write(json, "title", plot.title);
    write(json, "unit", plot.unit);
    json.key("observe").beginArray();
    for (const std::string& path : plot.observe) json.text(path);
    json.endArray().endObject();
  }
  json.endArray();
}

}  // namespace

std::string layoutText(const World& world) {
  const Description& scene = world.description();
  std::string text;
  JsonWriter json(text, 0);
  json.beginObject();
  write(json, "name", scene.name);
  write(json, "about", scene.about);
  writeSettings(json, scene.settings);
  writeBodies(json, scene);
  writeRotors(json, scene);
  json.key("particles").beginArray();
  for (const auto& [name, particle] : scene.particles) {
    json.beginObject();
    write(json, "name", name);
    write(json, "radius", particle.radius);
    json.endObject();
  }
  json.endArray();
  writeCables(json, scene);
  writeNames(json, "joints", scene.joints);
  writeNames(json, "motors", scene.motors);
  writePlots(json, scene.plots);
  writeView(json, scene.view);
  json.key("paths").beginArray();
  for (const std::string& path : world.paths()) json.text(path);
  json.endArray().endObject();
  return text;
}

std::vector<CableModel> modelsOf(const World& world) {
  std::vector<CableModel> models;
  for (const auto& [name, cable] : world.description().cables) models.push_back(cable.model);
  return models;
}

std::string cableText(const World& world, std::size_t cable) {
  const Observation seen = world.observe();
  if (cable >= seen.cables.size()) return "null";
  const auto& [name, now] = seen.cables[cable];
  std::string text;
  JsonWriter json(text, 0);
  json.beginObject();
  write(json, "name", name);
  write(json, "model", now.model);
  write(json, "length", now.length);
  write(json, "stored", now.stored);
  json.key("spans").beginArray();
  for (const SpanObservation& span : now.spans) {
    json.beginObject();
    write(json, "from", span.from);
    write(json, "to", span.to);
    write(json, "start", span.start);
    write(json, "end", span.end);
    write(json, "length", span.length);
    write(json, "rest", span.rest);
    write(json, "tension", span.tension);
    json.key("slack").boolean(span.slack).key("parted").boolean(span.parted).endObject();
  }
  json.endArray().key("links").beginArray();
  for (const LinkObservation& link : now.links) {
    json.beginObject();
    write(json, "kind", link.kind);
    write(json, "mode", link.mode);
    write(json, "on", link.on);
    write(json, "wrap", link.wrap);
    write(json, "slip", link.slip);
    write(json, "stored", link.stored);
    write(json, "force", link.force);
    json.endObject();
  }
  json.endArray().endObject();
  return text;
}

std::string problemJson(const Problem& problem) {
  std::string text;
  JsonWriter json(text, 0);
  json.beginObject();
  write(json, "path", problem.path);
  write(json, "reason", problem.reason);
  write(json, "remedy", problem.remedy);
  json.key("line").integer(problem.line).key("column").integer(problem.column).endObject();
  return text;
}

}  // namespace reeve::wasm
