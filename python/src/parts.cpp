// reeve.Body, Rotor, Particle, Joint, Motor, Cable.
#include "parts.h"

#include "reeve/cables/cable.h"
#include "reeve/scene/swap_model.h"

namespace reeve::python {

namespace {

CableEnd endOf(const std::string& word) {
  if (word == "first") return CableEnd::first;
  if (word == "last") return CableEnd::last;
  throw Failure{{"end", "end is '" + word + "'", "say 'first' or 'last'"}};
}

template <class H>
std::string reprOf(const char* what, const Part<H>& part) {
  return std::string("<reeve.") + what + " '" + part.name + "'>";
}

}  // namespace

void addParts(py::module_& m) {
  const auto at = [](const World& w, const auto& part, const char* section, const char* field) {
    return readPath(w, std::string(section) + "." + part.name + "." + field);
  };
  const auto triple = [](const World& w, const std::string& stem) {
    return copy3(Vec3(readPath(w, stem + ".x"), readPath(w, stem + ".y"), readPath(w, stem + ".z")));
  };
  py::class_<BodyPart>(m, "Body", "A body of a world.")
      .def_readonly("name", &BodyPart::name)
      .def("__repr__", [](const BodyPart& b) { return reprOf("Body", b); })
      .def_property_readonly(
          "position", [=](const BodyPart& b) { return triple(*b.world, "bodies." + b.name + ".position"); },
          "Of the origin, m.")
      .def_property_readonly(
          "velocity", [=](const BodyPart& b) { return triple(*b.world, "bodies." + b.name + ".velocity"); },
          "Of the origin, m/s.")
      .def_property_readonly(
          "angular_velocity",
          [=](const BodyPart& b) { return triple(*b.world, "bodies." + b.name + ".angular_velocity"); },
          "rad/s, world frame.")
      .def_property_readonly(
          "orientation",
          [](const BodyPart& b) {
            py::array_t<double> q(4);
            const char* parts[] = {"w", "x", "y", "z"};
            for (int k = 0; k < 4; ++k)
              q.mutable_at(k) = readPath(*b.world, "bodies." + b.name + ".orientation." + parts[k]);
            return q;
          },
          "Unit quaternion w, x, y, z.")
      .def(
          "push",
          [](BodyPart& b, const py::handle& force, const py::handle& torque, const py::handle& at_, bool held,
             bool follows) {
            BodyPush push;
            if (!force.is_none()) push.force = vec3(force, "force");
            if (!torque.is_none()) push.torque = vec3(torque, "torque");
            if (!at_.is_none()) push.at = vec3(at_, "at");
            push.held = held;
            push.follows = follows;
            orThrow(b.world->push(b.handle, push));
          },
          py::arg("force") = py::none(), py::arg("torque") = py::none(), py::arg("at") = py::none(),
          py::arg("held") = false, py::arg("follows") = false,
          "Force (N) and torque (N m), world frame, at a point of the body (m, body frame): for the next step, where "
          "pushes add up, or held until changed.")
      .def(
          "set",
          [](BodyPart& b, const py::handle& position, const py::handle& orientation, const py::handle& velocity,
             const py::handle& angular, const std::string& fit) {
            Edit edit;
            if (!position.is_none() || !orientation.is_none()) edit.pose(b.handle, poseOf(b, position, orientation));
            if (!velocity.is_none() || !angular.is_none()) addTwist(edit, b, velocity, angular);
            orThrow(b.world->apply(edit, fitOf(fit)));
          },
          py::arg("position") = py::none(), py::arg("orientation") = py::none(), py::arg("velocity") = py::none(),
          py::arg("angular_velocity") = py::none(), py::arg("fit") = "refuse",
          "Sets pose and velocity. Where joints or cables would be violated: fit='refuse' raises, fit='project' moves "
          "by the least that they hold.");
  py::class_<ParticlePart>(m, "Particle", "A particle of a world.")
      .def_readonly("name", &ParticlePart::name)
      .def("__repr__", [](const ParticlePart& b) { return reprOf("Particle", b); })
      .def_property_readonly(
          "position", [=](const ParticlePart& b) { return triple(*b.world, "particles." + b.name + ".position"); }, "m")
      .def_property_readonly(
          "velocity", [=](const ParticlePart& b) { return triple(*b.world, "particles." + b.name + ".velocity"); },
          "m/s")
      .def(
          "push",
          [](ParticlePart& b, const py::handle& force, bool held) {
            orThrow(b.world->push(b.handle, vec3(force, "force"), held));
          },
          py::arg("force"), py::arg("held") = false, "Force, N, world frame.")
      .def(
          "set",
          [](ParticlePart& b, const py::handle& position, const py::handle& velocity, const std::string& fit) {
            orThrow(b.world->apply(Edit().place(b.handle, vec3(position, "position"), vec3(velocity, "velocity")),
                                   fitOf(fit)));
          },
          py::arg("position"), py::arg("velocity"), py::arg("fit") = "refuse");
  py::class_<RotorPart>(m, "Rotor", "A wheel of a world.")
      .def_readonly("name", &RotorPart::name)
      .def("__repr__", [](const RotorPart& b) { return reprOf("Rotor", b); })
      .def_property_readonly(
          "angle", [=](const RotorPart& r) { return at(*r.world, r, "rotors", "angle"); }, "rad")
      .def_property_readonly(
          "rate", [=](const RotorPart& r) { return at(*r.world, r, "rotors", "rate"); }, "rad/s")
      .def(
          "push", [](RotorPart& r, double torque, bool held) { orThrow(r.world->push(r.handle, torque, held)); },
          py::arg("torque"), py::arg("held") = false, "Torque about the axle, N m.")
      .def(
          "brake", [](RotorPart& r, bool held) { orThrow(r.world->brake(r.handle, held)); }, py::arg("held"),
          "Applies or releases its brake.")
      .def(
          "set",
          [](RotorPart& r, double angle, double rate, const std::string& fit) {
            orThrow(r.world->apply(Edit().angle(r.handle, angle, rate), fitOf(fit)));
          },
          py::arg("angle"), py::arg("rate") = 0.0, py::arg("fit") = "refuse", "Sets angle (rad) and rate (rad/s).");
  py::class_<JointPart>(m, "Joint", "A joint of a world.")
      .def_readonly("name", &JointPart::name)
      .def("__repr__", [](const JointPart& b) { return reprOf("Joint", b); })
      .def_property_readonly(
          "coordinate", [=](const JointPart& j) { return at(*j.world, j, "joints", "coordinate"); },
          "Angle, rad, or travel, m.")
      .def_property_readonly(
          "rate", [=](const JointPart& j) { return at(*j.world, j, "joints", "rate"); }, "rad/s or m/s")
      .def_property_readonly(
          "force", [=](const JointPart& j) { return triple(*j.world, "joints." + j.name + ".force"); }, "On b, N.")
      .def(
          "brake", [](JointPart& j, bool held) { orThrow(j.world->brake(j.handle, held)); }, py::arg("held"),
          "Applies or releases its brake.")
      .def(
          "release", [](JointPart& j) { orThrow(j.world->release(j.handle)); }, "Lets go of its bodies.")
      .def(
          "hold", [](JointPart& j) { orThrow(j.world->hold(j.handle)); },
          "Takes hold again, where its sides are within 1e-6 m.")
      .def(
          "hook", [](JointPart& j) { orThrow(j.world->hook(j.handle)); },
          "Takes hold of its bodies as they are: a ball or fixed joint where its anchor on a is now, a distance joint "
          "with at least the length that it has.")
      .def(
          "set",
          [](JointPart& j, double coordinate, const std::string& fit) {
            orThrow(j.world->apply(Edit().coordinate(j.handle, coordinate), fitOf(fit)));
          },
          py::arg("coordinate"), py::arg("fit") = "refuse",
          "Sets a hinge's angle or a slider's travel; what it carries moves along.");
  py::class_<MotorPart>(m, "Motor", "A motor of a world.")
      .def_readonly("name", &MotorPart::name)
      .def("__repr__", [](const MotorPart& b) { return reprOf("Motor", b); })
      .def_property_readonly(
          "force", [=](const MotorPart& b) { return at(*b.world, b, "motors", "force"); }, "N m or N")
      .def_property_readonly(
          "power", [=](const MotorPart& b) { return at(*b.world, b, "motors", "power"); }, "W")
      .def_property_readonly(
          "work", [=](const MotorPart& b) { return at(*b.world, b, "motors", "work"); }, "J since the start")
      .def(
          "command",
          [](MotorPart& b, double target, std::optional<double> gain, std::optional<double> limit) {
            if (!gain && !limit) return orThrow(b.world->command(b.handle, target));
            orThrow(b.world->command(b.handle, MotorCommand{target, gain, limit}));
          },
          py::arg("target"), py::arg("gain") = py::none(), py::arg("limit") = py::none(),
          "What it follows until the next command: rad/s or m/s, rad or m, N m or N, by its drive.")
      .def(
          "release", [](MotorPart& b) { orThrow(b.world->release(b.handle)); }, "Back to the target in the scene.");
  py::class_<CablePart>(m, "Cable", "A cable of a world.")
      .def_readonly("name", &CablePart::name)
      .def("__repr__", [](const CablePart& b) { return reprOf("Cable", b); })
      .def_property_readonly(
          "length", [=](const CablePart& c) { return at(*c.world, c, "cables", "length"); }, "Rest length, m.")
      .def_property_readonly(
          "length_rate", [=](const CablePart& c) { return at(*c.world, c, "cables", "path_rate"); },
          "How fast its path gets longer, m/s.")
      .def(
          "reel",
          [](CablePart& c, double rate, const std::string& end) { orThrow(c.world->reel(c.handle, endOf(end), rate)); },
          py::arg("rate"), py::arg("end") = "first", "Pays out at an attached end, m/s; negative reels in.")
      .def(
          "release", [](CablePart& c, const std::string& end) { orThrow(c.world->release(c.handle, endOf(end))); },
          py::arg("end") = "last", "Lets an attached end go.")
      .def(
          "cut", [](CablePart& c, int span) { orThrow(c.world->cut(c.handle, span)); }, py::arg("span"),
          "Cuts a span in its middle, for good.")
      .def(
          "convert",
          [](CablePart& c, const std::string& model) {
            for (const CableModel each : cableModels())
              if (modelName(each) == model) {
                const Converted done = orThrow(c.world->convert(c.handle, each));
                return py::make_tuple(done.before, done.after);
              }
            throw py::value_error("there is no model '" + model + "': joints, strand, hoist, chain or particles");
          },
          py::arg("model"),
          "From now on the cable is simulated by another model; the energies before and after, J. Arrays of the world "
          "are to be taken anew.")
      .def(
          "set_rest",
          [](CablePart& c, int span, double length, const std::string& fit) {
            orThrow(c.world->apply(Edit().rest(c.handle, span, length), fitOf(fit)));
          },
          py::arg("span"), py::arg("length"), py::arg("fit") = "refuse", "The rest length of a span, m.")
      .def(
          "moment_arms",
          [](const CablePart& c) {
            const std::vector<double> arms = orThrow(c.world->momentArms(c.handle));
            return py::array_t<double>(static_cast<py::ssize_t>(arms.size()), arms.data());
          },
          "Change of its length per change of every velocity coordinate, in the order of world.velocities.")
      .def(
          "moment_arm",
          [](const CablePart& c, const JointPart& j) { return orThrow(c.world->momentArm(c.handle, j.handle)); },
          py::arg("joint"), "Change of its length per change of a joint's coordinate, m/rad or 1.");
}

}  // namespace reeve::python
