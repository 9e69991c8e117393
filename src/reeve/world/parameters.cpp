// Numbers of the scene that may change while a world runs, by path.
#include <cmath>

#include "reeve/world/brief_number.h"
#include "reeve/world/parts.h"

namespace reeve {

namespace {

std::unexpected<Problem> cannot(std::string_view path, std::string reason, std::string_view fields) {
  return wrong(std::string(path), "'" + std::string(path) + "' cannot change while a world runs: " + std::move(reason),
               fields.empty() ? "build another world" : "what can: " + std::string(fields));
}

constexpr const char* measured =
    "shapes, places and lengths are measured when the world is built, and so is what it was built without";

template <class T>
int placeOf(const Named<T>& list, std::string_view name) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].first == name) return static_cast<int>(i);
  return -1;
}

}  // namespace

/// Mass, friction and restitution of bodies; mass of particles; inertia of rotors.
std::expected<Parameter, Problem> World::Parts::blockParameter(std::string_view path, std::string_view section,
                                                               int item, std::string_view field) const {
  const Model& m = model();
  const auto massOf = [&](int block) {
    const Block& b = built->declared[at(block)];
    return Parameter{blockKey(block, BlockField::mass), b.mass, 1e-40, 1e40};
  };
  if (section == "rotors" && field == "inertia") return massOf(m.rotors[at(item)].block);
  if (section == "particles" && field == "mass") return massOf(m.particles[at(item)].block);
  if (section == "bodies") {
    const Body& body = m.bodies[at(item + 1)];
    if (field == "friction") return Parameter{blockKey(body.block, BlockField::friction), body.friction, 0.0, 1e40};
    if (field == "restitution")
      return Parameter{blockKey(body.block, BlockField::restitution), body.restitution, 0.0, 1.0};
    if (field == "mass") {
      if (!m.blocks[at(body.block)].free) return cannot(path, "the body is not moved by forces", "");
      for (const auto& [name, rotor] : m.description.rotors)
        if (rotor.on == body.name && rotor.mass > 0.0)
          return cannot(path, "rotor '" + name + "' on it has mass, and their common center would move", "");
      return massOf(body.block);
    }
  }
  const std::string_view fields =
      section == "bodies"
          ? "mass, friction, restitution; drag, angular_drag where one is positive; drag_area where it is"
      : section == "rotors" ? built->bearings[at(item)]->tunableFields()
                            : "mass; drag where it is positive";
  return cannot(path, measured, fields);
}

std::expected<ParameterHandle, Problem> World::parameter(std::string_view path) const {
  const Parts& p = *parts_;
  const Description& d = description();
  const std::size_t dot = path.find('.');
  const std::size_t second = dot == std::string_view::npos ? dot : path.find('.', dot + 1);
  if (second == std::string_view::npos)
    return wrong(std::string(path), "'" + std::string(path) + "' is not a path", "write \"bodies.load.mass\"");
  const std::string_view section = path.substr(0, dot), name = path.substr(dot + 1, second - dot - 1),
                         field = path.substr(second + 1);
  const auto handle = [&](const Parameter& q) {
    return ParameterHandle{p.built->scene, q.key, q.declared, q.low, q.high};
  };
  const auto missing = [&] {
    return wrong(std::string(path), "there is no '" + std::string(name) + "' among the " + std::string(section),
                 "correct the name");
  };
  for (const auto& [stem, tunable] : p.built->tunables)
    if (stem == path.substr(0, second))
      if (const auto found = tunable->parameter(field)) return handle(*found);
  const Tunable* tunable = nullptr;
  int item = -1;
  const auto look = [&](const auto& list, const auto& elements) {
    item = placeOf(list, name);
    if (item >= 0) tunable = elements[at(item)];
  };
  if (section == "bodies") {
    item = placeOf(d.bodies, name);
  } else if (section == "particles") {
    item = placeOf(d.particles, name);
  } else if (section == "rotors") {
    look(d.rotors, p.built->bearings);
  } else if (section == "joints") {
    look(d.joints, p.built->joints);
  } else if (section == "motors") {
    look(d.motors, p.built->motors);
  } else if (section == "cables") {
    look(d.cables, p.built->cables);
  } else if (section == "forces") {
    if (placeOf(d.forces, name) < 0) return missing();
    return cannot(path, "only the components of force and torque can", "force.x, ..., torque.z");
  } else if (section == "couplings") {
    if (placeOf(d.couplings, name) < 0) return missing();
    return cannot(path, measured, "compliance");
  } else {
    return wrong(std::string(path), "there is no section '" + std::string(section) + "' with numbers that may change",
                 "choose one of: bodies, rotors, particles, joints, motors, couplings, forces, cables");
  }
  if (item < 0) return missing();
  if (tunable)
    if (const auto found = tunable->parameter(field)) return handle(*found);
  if (section == "bodies" || section == "particles" || section == "rotors") {
    const auto found = p.blockParameter(path, section, item, field);
    if (!found) return std::unexpected(found.error());
    return handle(*found);
  }
  if (section == "cables" && tunable->tunableFields().empty())
    return cannot(path,
                  std::string(p.built->cables[at(item)]->layout().sheets > 0 ? "a waved" : "a") + " cable of model " +
                      p.built->cables[at(item)]->traits().word + " keeps the numbers that it was built with",
                  "");
  return cannot(path, measured, tunable->tunableFields());
}

Done World::set(const ParameterHandle& parameter, double value) {
  if (parameter.scene != parts_->built->scene)
    return wrong("parameter", "this handle is of a number of another scene", "resolve it in this world");
  if (!(value >= parameter.low && value <= parameter.high) || std::isnan(value))
    return wrong("parameter", "the value is outside of what this number may be",
                 "give one from " + briefNumber(parameter.low) + " to " + briefNumber(parameter.high));
  const Override* old = findOverride(parts_->state, parameter.key);
  if (value == (old ? old->value : parameter.declared)) return {};
  const Parts::Change change(*parts_);
  if (value == parameter.declared)
    dropOverride(parts_->state, parameter.key);
  else
    setOverride(parts_->state, parameter.key, value);
  parts_->restart();
  return {};
}

double World::get(const ParameterHandle& parameter) const {
  return parameter.scene == parts_->built->scene ? chosen(parts_->state, parameter.key, parameter.declared)
                                                 : std::nan("");
}

}  // namespace reeve
