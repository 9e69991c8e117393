// reeve.Edit: changes of a state that are made together.
#include "parts.h"

namespace reeve::python {

Fit fitOf(const std::string& word) {
  if (word == "project") return Fit::project;
  if (word == "refuse") return Fit::refuse;
  throw Failure{{"fit", "fit is '" + word + "'", "say 'project' or 'refuse'"}};
}

/// The pose of a body with what is given of it changed.
Pose poseOf(const BodyPart& b, const py::handle& position, const py::handle& orientation) {
  const World& w = *b.world;
  const std::string stem = "bodies." + b.name;
  const auto one = [&](const std::string& field) { return readPath(w, stem + field); };
  Pose pose;
  pose.position = position.is_none() ? Vec3(one(".position.x"), one(".position.y"), one(".position.z"))
                                     : vec3(position, "position");
  pose.orientation = orientation.is_none() ? Quat(one(".orientation.w"), one(".orientation.x"), one(".orientation.y"),
                                                  one(".orientation.z"))
                                           : quat(orientation);
  return pose;
}

/// The same of its velocities, into an edit.
void addTwist(Edit& edit, const BodyPart& b, const py::handle& velocity, const py::handle& angular) {
  const World& w = *b.world;
  const auto now = [&](const char* field) {
    const std::string stem = "bodies." + b.name + field;
    return Vec3(readPath(w, stem + ".x"), readPath(w, stem + ".y"), readPath(w, stem + ".z"));
  };
  edit.velocity(b.handle, velocity.is_none() ? now(".velocity") : vec3(velocity, "velocity"),
                angular.is_none() ? now(".angular_velocity") : vec3(angular, "angular_velocity"));
}

void addEdit(py::module_& m) {
  using Self = py::object;
  const auto changed = [](const Self& self, auto&& change) {
    change(py::cast<Edit&>(self));
    return self;
  };
  py::class_<Edit>(m, "Edit",
                   "Changes of a state that are made together, by world.apply: joints and cables need to hold "
                   "afterwards, not in between.")
      .def(py::init<>())
      .def(
          "body",
          [=](const Self& self, const BodyPart& b, const py::handle& position, const py::handle& orientation,
              const py::handle& velocity, const py::handle& angular) {
            return changed(self, [&](Edit& e) {
              if (!position.is_none() || !orientation.is_none()) e.pose(b.handle, poseOf(b, position, orientation));
              if (!velocity.is_none() || !angular.is_none()) addTwist(e, b, velocity, angular);
            });
          },
          py::arg("body"), py::arg("position") = py::none(), py::arg("orientation") = py::none(),
          py::arg("velocity") = py::none(), py::arg("angular_velocity") = py::none(),
          "Pose and velocity of a body's origin, world frame; what is left out stays as it is now.")
      .def(
          "particle",
          [=](const Self& self, const ParticlePart& q, const py::handle& position, const py::handle& velocity) {
            return changed(self,
                           [&](Edit& e) { e.place(q.handle, vec3(position, "position"), vec3(velocity, "velocity")); });
          },
          py::arg("particle"), py::arg("position"), py::arg("velocity"), "Place and velocity of a particle.")
      .def(
          "rotor",
          [=](const Self& self, const RotorPart& r, double angle, double rate) {
            return changed(self, [&](Edit& e) { e.angle(r.handle, angle, rate); });
          },
          py::arg("rotor"), py::arg("angle"), py::arg("rate") = 0.0, "Angle (rad) and rate (rad/s) of a wheel.")
      .def(
          "joint",
          [=](const Self& self, const JointPart& j, double coordinate) {
            return changed(self, [&](Edit& e) { e.coordinate(j.handle, coordinate); });
          },
          py::arg("joint"), py::arg("coordinate"), "A hinge's angle or a slider's travel; what it carries moves along.")
      .def(
          "rest",
          [=](const Self& self, const CablePart& c, int span, double length) {
            return changed(self, [&](Edit& e) { e.rest(c.handle, span, length); });
          },
          py::arg("cable"), py::arg("span"), py::arg("length"), "The rest length of a span, m.");
}

void applyEdit(World& world, const Edit& edit, const std::string& fit) { orThrow(world.apply(edit, fitOf(fit))); }

}  // namespace reeve::python
