// reeve._reeve: worlds, handles, states. What is pleasant about it stands in ../reeve/*.py.
#include <cmath>

#include "linear.h"
#include "parts.h"
#include "reeve/model/state.h"
#include "reeve/scene/scene.h"
#include "reeve/scene/swap_model.h"

namespace reeve::python {

void addBatch(py::module_& m);
void addFields(py::module_& m);

namespace {

struct Quantity {  ///< something to read, by path
  Owner world;
  Observable observable;
  std::string path;
};
struct Number {  ///< something to change, by path
  Owner world;
  ParameterHandle handle;
  std::string path;
};
struct Snapshot {
  std::shared_ptr<const State> state;
};

/// What the models of its cables have no use for is left out with a warning, and what is assumed has one too.
Shared buildWorld(const std::string& text, const std::string& name) {
  std::vector<Problem> notes;
  Shared world;
  {
    py::gil_scoped_release free;
    auto description = readScene(text, name);
    if (!description) throw Failure{description.error()};
    auto built = buildNoting(std::move(*description));
    if (!built) throw Failure{built.error()};
    notes = std::move(built->notes);
    world = std::make_shared<World>(std::move(built->world));
  }
  for (const Problem& note : notes)
    if (PyErr_WarnEx(PyExc_UserWarning, (note.path + ": " + note.reason + "; " + note.remedy).c_str(), 1) != 0)
      throw py::error_already_set();
  return world;
}

/// Steps until one goes bad; how many were good.
std::int64_t stepMany(World& world, std::int64_t count) {
  return stepFreely(world, count, [&] { return world.step().good; });
}

template <class H>
auto part(std::expected<H, Problem> (World::*find)(std::string_view) const) {
  return [find](const Shared& shared, const std::string& name) {
    const Owner w(shared);
    return Part<H>{w, orThrow(((*w).*find)(name)), name};
  };
}

void addWorld(py::module_& m) {
  py::class_<Snapshot>(m, "State", "A state of a world as a value: compare, hash, pickle.")
      .def("__eq__", [](const Snapshot& a, const Snapshot& b) { return sameBits(*a.state, *b.state); })
      .def("__hash__", [](const Snapshot& a) { return hashOf(*a.state); })
      .def_property_readonly(
          "time", [](const Snapshot& a) { return a.state->time; }, "s")
      .def(py::pickle(
          [](const Snapshot& a) { return py::bytes(textOf(*a.state)); },
          [](const py::bytes& text) { return Snapshot{std::make_shared<State>(orThrow(stateOf(std::string(text))))}; }))
      .def("__repr__", [](const Snapshot& a) { return "<reeve.State at " + std::to_string(a.state->time) + " s>"; });
  py::class_<Quantity>(m, "Quantity", "A measured number by its path, resolved once.")
      .def_property_readonly("value", [](const Quantity& q) { return q.world->read(q.observable); })
      .def("__call__", [](const Quantity& q) { return q.world->read(q.observable); })
      .def("__repr__", [](const Quantity& q) { return "<reeve.Quantity " + q.path + ">"; });
  py::class_<Number>(m, "Parameter", "A number of the scene that may change, resolved once.")
      .def_property(
          "value", [](const Number& n) { return n.world->get(n.handle); },
          [](Number& n, double v) { orThrow(n.world->set(n.handle, v)); })
      .def_property_readonly(
          "declared", [](const Number& n) { return n.handle.declared; }, "What the scene says.")
      .def("__repr__", [](const Number& n) {
        return "<reeve.Parameter " + n.path + " = " + std::to_string(n.world->get(n.handle)) + ">";
      });
  const auto array = [](Reading which) {
    return [which](const py::object& self) { return view(py::cast<World&>(self).read(which), self); };
  };
  py::class_<World, Shared>(m, "World", "A scene that moves.")
      .def(py::init(&buildWorld), py::arg("text"), py::arg("name") = "scene", "From the text of a scene file.")
      .def("step",
           [](World& w) {  // without arguments: the one that is called most
             const Busy busy(w);
             const py::gil_scoped_release free;
             return w.step().good ? 1 : 0;
           })
      .def("step", &stepMany, py::arg("count") = 1,
           "Advances by so many steps of settings.dt; how many were good. world.verdict tells what went bad.")
      .def_property_readonly("good", [](const World& w) { return w.verdict().good; })
      .def_property_readonly(
          "verdict",
          [](const World& w) -> py::object {
            const Verdict& v = w.verdict();
            return v.good ? py::object(py::none())
                          : py::object(py::str(v.culprit + " " + v.reason + " at " + std::to_string(v.time) + " s"));
          },
          "None while all is well, otherwise what went bad.")
      .def_property_readonly("time", &World::time, "s")
      .def_property_readonly("steps", &World::steps)
      .def_property_readonly(
          "dt", [](const World& w) { return w.description().settings.dt; }, "s")
      .def_property_readonly("name", [](const World& w) { return w.description().name; })
      .def_property_readonly(
          "text", [](const World& w) { return writeScene(w.description()); }, "The scene, as a scene file.")
      .def_property_readonly("hash", &World::hash, "Equal bits, equal hash.")
      .def("read", &readPath, py::arg("path"), "A measured number, 'bodies.hook.position.z'.")
      .def(
          "quantity",
          [](const Shared& shared, const std::string& path) {
            const Owner w(shared);
            return Quantity{w, orThrow(w->resolve(path)), path};
          },
          py::arg("path"), "The same, resolved once.")
      .def("paths", &World::paths, "Everything that can be measured.")
      .def(
          "parameter",
          [](const Shared& shared, const std::string& path) {
            const Owner w(shared);
            return Number{w, orThrow(w->parameter(path)), path};
          },
          py::arg("path"), "A number of the scene that may change, 'bodies.load.mass'.")
      .def("body", part(&World::body), py::arg("name"))
      .def("rotor", part(&World::rotor), py::arg("name"))
      .def("particle", part(&World::particle), py::arg("name"))
      .def("joint", part(&World::joint), py::arg("name"))
      .def("motor", part(&World::motor), py::arg("name"))
      .def("cable", part(&World::cable), py::arg("name"))
      .def_property_readonly("positions", array(Reading::positions), "A live view, in the order of names('positions').")
      .def_property_readonly("velocities", array(Reading::velocities), "A live view: m/s, rad/s.")
      .def_property_readonly("coordinates", array(Reading::coordinates), "Of joints: rad, m.")
      .def_property_readonly("rates", array(Reading::rates), "Of joints: rad/s, m/s.")
      .def_property_readonly("motor_forces", array(Reading::motorForces), "N m or N.")
      .def_property_readonly("motor_powers", array(Reading::motorPowers), "W.")
      .def_property_readonly("tensions", array(Reading::tensions), "Of spans, N.")
      .def_property_readonly("lengths", array(Reading::lengths), "Of spans, m.")
      .def_property_readonly("length_rates", array(Reading::lengthRates), "Of spans, m/s.")
      .def_property_readonly("rests", array(Reading::rests), "Rest lengths of spans, m.")
      .def(
          "names",
          [](const World& w, const std::string& which) {
            static constexpr const char* words[] = {"positions",    "velocities",   "coordinates", "rates",
                                                    "motor_forces", "motor_powers", "tensions",    "lengths",
                                                    "length_rates", "rests"};
            for (int i = 0; i < readingCount; ++i)
              if (which == words[i]) return w.names(static_cast<Reading>(i));
            throw Failure{{"which", "there is no array '" + which + "'",
                           "say positions, velocities, coordinates, rates, motor_forces, motor_powers, tensions, "
                           "lengths, length_rates or rests"}};
          },
          py::arg("which"), "What the numbers of an array are.")
      .def(
          "events",
          [](World& w) {
            py::list out;
            for (const Event& e : w.takeEvents()) out.append(py::make_tuple(e.time, e.subject, e.what));
            return out;
          },
          "(time, subject, what) since the last call.")
      .def(
          "equilibrium",
          [](World& w) {
            std::expected<Rest, Problem> rest = Rest{};
            {
              const Busy busy(w);
              const py::gil_scoped_release free;
              rest = w.equilibrium();
            }
            const Rest found = orThrow(std::move(rest));
            py::dict out;
            out["unbalanced"] = found.unbalanced;
            out["share"] = found.share;
            out["steps"] = found.steps;
            out["examined"] = found.examined;
            out["loose"] = found.loose;
            return out;
          },
          "Takes over a stable state of rest; raises if there is none. share: forces left over, of all weights; loose: "
          "mechanisms that remain, by what moves most in them.")
      .def(
          "modes",
          [](const World& w) {
            py::list out;
            for (const NaturalMode& m : orThrow(w.modes())) {
              py::dict mode;
              mode["frequency"] = m.frequency;
              mode["damping"] = m.damping;
              mode["shape"] = py::array_t<double>(static_cast<py::ssize_t>(m.shape.size()), m.shape.data());
              out.append(mode);
            }
            return out;
          },
          "Natural frequencies (Hz), damping (share of critical) and shapes, in the order of names('velocities').")
      .def("linearise", &linearised, py::arg("inputs") = std::vector<std::string>(),
           py::arg("outputs") = std::vector<std::string>(),
           "Small motions about a state of rest. Without arguments M q'' + D q' + K q = B u and A of x = (q, q'). With "
           "inputs "
           "('motors.winch', 'bodies.load.force.x') and outputs (observables) A, B, C, D in continuous time, and step: "
           "x(n+1) = now x(n) + before x(n-1) + input u(n+1) + input_before u(n), "
           "y = C x + through u(n+1) + through_before u(n).")
      .def(
          "clone", [](const World& w) { return std::make_shared<World>(w.clone()); },
          "A world of its own in the same state.")
      .def("reset", &World::reset, "Back to the start.")
      .def("apply", &applyEdit, py::arg("edit"), py::arg("fit") = "refuse",
           "Makes the changes of an Edit together, or none of them. Where joints or cables would be violated: "
           "fit='refuse' raises, fit='project' moves by the least that they hold.")
      .def_property(
          "state", [](const World& w) { return Snapshot{std::make_shared<State>(w.state())}; },
          [](World& w, const Snapshot& s) { orThrow(w.setState(*s.state)); }, "The state, a value.")
      .def(
          "displacement",
          [](const World& w, const Snapshot& from) {
            const std::vector<double> x = orThrow(w.displacement(*from.state));
            return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
          },
          py::arg("state"),
          "How far everything is from where it is in that state, in the order of names('velocities'): m, and rotation "
          "vectors in rad.")
      .def("save", &World::saveState, "The state as text.")
      .def(
          "restore", [](World& w, const std::string& text) { orThrow(w.restoreState(text)); }, py::arg("text"))
      .def("__repr__", [](const World& w) {
        const Description& d = w.description();
        return "<reeve.World '" + d.name + "': " + std::to_string(d.bodies.size()) + " bodies, " +
               std::to_string(d.cables.size()) + " cables, " + std::to_string(d.motors.size()) + " motors, at " +
               std::to_string(w.time()) + " s" + (w.verdict().good ? "" : ", went bad") + ">";
      });
}

}  // namespace

PYBIND11_MODULE(_reeve, m) {
  m.doc() = "Cables, ropes, chains, belts and tendons with the bodies they move.";
  py::dict parts;
  for (const char* part : {"path", "reason", "remedy"}) parts[part] = "";
  static PyObject* error = PyErr_NewExceptionWithDoc(
      "reeve.Error", "What is wrong, where, and what to do: path, reason, remedy.", PyExc_ValueError, parts.ptr());
  m.attr("Error") = py::handle(error);
  py::register_exception_translator([](std::exception_ptr thrown) {
    try {
      if (thrown) std::rethrow_exception(thrown);
    } catch (const Failure& f) {
      const Problem& p = f.problem;
      std::string text = p.path.empty() ? p.reason : p.path + ": " + p.reason;
      if (!p.remedy.empty()) text += "; " + p.remedy;
      py::object value = py::handle(error)(text);
      value.attr("path") = p.path;
      value.attr("reason") = p.reason;
      value.attr("remedy") = p.remedy;
      PyErr_SetObject(error, value.ptr());
    }
  });
  m.def(
      "_use_view", [](const py::object& type) { viewType() = type; }, "What live arrays are.");
  m.def(
      "_unmarked",
      [](const py::array& a) {
        const std::vector<py::ssize_t> shape(a.shape(), a.shape() + a.ndim()),
            strides(a.strides(), a.strides() + a.ndim());
        return py::array(a.dtype(), shape, strides, a.data(), py::make_tuple(a));
      },
      "The same numbers without the mark that they are read-only.");
  addParts(m);
  addEdit(m);
  addWorld(m);
  addExtremes(m);
  addBatch(m);
  addFields(m);
}

}  // namespace reeve::python
