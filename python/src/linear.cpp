#include "linear.h"

#include "parts.h"
#include "reeve/world/extremes.h"

namespace reeve::python {

namespace {

py::array_t<double> matrix(const Table& t) { return py::array_t<double>({t.rows, t.columns}, t.numbers.data()); }

/// What is followed, with the world it is followed in.
struct Followed {
  Owner world;
  Extremes extremes;
};

void addExactness(const Exactness& e, py::dict& out) {
  out["differenced"] = e.differenced;
  out["edges"] = e.edges;
  out["condensed"] = e.condensed;
}

py::array_t<double> column(const Followed& f, double Extreme::*field) {
  (void)*f.world;  // nobody is stepping it
  py::array_t<double> out(static_cast<py::ssize_t>(f.extremes.values().size()));
  for (std::size_t i = 0; i < f.extremes.values().size(); ++i) {
    const Extreme& e = f.extremes.values()[i];
    out.mutable_at(static_cast<py::ssize_t>(i)) = e.samples > 0 ? e.*field : std::nan("");
  }
  return out;
}

std::int64_t stepAndAdd(Followed& f, std::int64_t count) {
  World& world = *f.world;
  return stepFreely(world, count, [&] {
    if (!world.step().good) return false;
    f.extremes.add(world);
    return true;
  });
}

}  // namespace

py::dict linearised(const World& world, const std::vector<std::string>& inputs,
                    const std::vector<std::string>& outputs) {
  py::dict out;
  if (inputs.empty() && outputs.empty()) {
    const Linearization l = orThrow(world.linearise());
    for (const auto& [name, table] : {std::pair{"basis", &l.basis}, {"M", &l.M}, {"D", &l.D}, {"K", &l.K}, {"B", &l.B}})
      out[name] = matrix(*table);
    out["A"] = matrix(l.A);
    addExactness(l.exactness, out);
    return out;
  }
  return asDict(orThrow(world.linearise(inputs, outputs)));
}

py::dict asDict(const StateSpace& s) {
  py::dict out;
  for (const auto& [name, table] : {std::pair{"A", &s.A}, {"B", &s.B}, {"C", &s.C}, {"D", &s.D}})
    out[name] = matrix(*table);
  out["positions"] = matrix(s.positions);
  out["velocities"] = matrix(s.velocities);
  out["inputs"] = s.inputs;
  out["outputs"] = s.outputs;
  addExactness(s.exactness, out);
  py::dict step;
  for (const auto& [name, table] : {std::pair{"now", &s.step.now},
                                    {"before", &s.step.before},
                                    {"input", &s.step.input},
                                    {"input_before", &s.step.inputBefore}})
    step[name] = matrix(*table);
  step["through"] = matrix(s.step.through);
  step["through_before"] = matrix(s.step.throughBefore);
  out["step"] = step;
  return out;
}

void addExtremes(py::module_& m) {
  py::class_<Followed>(m, "Extremes", "Smallest, largest, mean and RMS of observables over a run.")
      .def(py::init([](const Shared& shared, const std::vector<std::string>& paths) {
             const Owner world(shared);
             return Followed{world, orThrow(Extremes::of(*world, paths))};
           }),
           py::arg("world"), py::arg("paths"))
      .def("step", &stepAndAdd, py::arg("count") = 1, "Steps the world and takes in what every step measures.")
      .def(
          "add", [](Followed& f) { f.extremes.add(*f.world); }, "Takes in what is measured now.")
      .def(
          "clear", [](Followed& f) { (void)*f.world, f.extremes.clear(); }, "As if nothing had been read.")
      .def_property_readonly("paths", [](const Followed& f) { return f.extremes.paths(); })
      .def_property_readonly("smallest", [](const Followed& f) { return column(f, &Extreme::smallest); })
      .def_property_readonly("largest", [](const Followed& f) { return column(f, &Extreme::largest); })
      .def_property_readonly("mean", [](const Followed& f) { return column(f, &Extreme::mean); })
      .def_property_readonly("rms", [](const Followed& f) { return column(f, &Extreme::rms); })
      .def_property_readonly(
          "at", [](const Followed& f) { return column(f, &Extreme::at); }, "s, when the magnitude was largest.")
      .def("__repr__", [](const Followed& f) {
        return "<reeve.Extremes of " + std::to_string(f.extremes.paths().size()) + " observables>";
      });
}

}  // namespace reeve::python
