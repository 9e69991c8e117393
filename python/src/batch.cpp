// reeve.Batch: many worlds of one scene.
#include "reeve/world/batch.h"

#include "linear.h"
#include "parts.h"
#include "reeve/scene/scene.h"
#include "reeve/threads/threads.h"

namespace reeve::python {

namespace {

/// A batch with its threads; arrays that Python holds keep it alive.
struct Crowd {
  Batch batch;
  std::unique_ptr<Threads> threads;
  std::span<const World> worlds() const { return {&batch[0], batch.size()}; }
};
using SharedCrowd = std::shared_ptr<Crowd>;

/// From the text of a scene file, or anything whose text() gives one.
SharedCrowd build(const py::object& scene, std::size_t count, int threads) {
  const std::string text =
      py::isinstance<py::str>(scene) ? py::cast<std::string>(scene)
      : py::hasattr(scene, "text")
          ? py::cast<std::string>(scene.attr("text")())
          : throw Failure{{"scene", "this is no scene", "give a Scene, or the text of a scene file"}};
  if (count < 1 || count > 1000000) throw Failure{{"count", "there must be 1 to 1000000 worlds", "give such a count"}};
  if (threads < 1 || threads > 256) throw Failure{{"threads", "there must be 1 to 256 threads", "give such a number"}};
  py::gil_scoped_release free;
  auto description = readScene(text, "scene");
  if (!description) throw Failure{description.error()};
  auto batch = Batch::build(*description, count);
  if (!batch) throw Failure{batch.error()};
  auto crowd = std::make_shared<Crowd>(Crowd{std::move(*batch), nullptr});
  if (threads > 1) {
    crowd->threads = std::make_unique<Threads>(threads);
    crowd->batch.runWith(crowd->threads.get());
  }
  return crowd;
}

std::vector<std::uint8_t> maskOf(const Crowd& crowd, const py::object& mask) {
  if (mask.is_none()) return {};
  const auto flags = py::array_t<bool, py::array::forcecast>::ensure(mask);
  if (!flags || flags.ndim() != 1 || static_cast<std::size_t>(flags.size()) != crowd.batch.size()) {
    PyErr_Clear();
    throw Failure{{"mask", "the mask does not have one entry per world", "give " + std::to_string(crowd.batch.size())}};
  }
  std::vector<std::uint8_t> out(crowd.batch.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = flags.at(static_cast<py::ssize_t>(i)) ? 1 : 0;
  return out;
}

/// Without the interpreter lock, and with nobody else at these worlds.
template <class Work>
auto freely(Crowd& crowd, Work&& work) {
  const Busy busy(crowd.worlds());
  const py::gil_scoped_release free;
  return work(crowd.batch);
}

/// In portions between which Ctrl-C is looked at.
bool stepBatch(Crowd& crowd, const py::object& mask, std::int64_t count) {
  const std::vector<std::uint8_t> flags = maskOf(crowd, mask);
  if (count < 0) throw Failure{{"count", "the number of steps is negative", "give 0 or more"}};
  bool good = true;
  int portion = 1;
  do {
    const int now = static_cast<int>(std::min<std::int64_t>(portion, count));
    const auto begun = std::chrono::steady_clock::now();
    good = orThrow(freely(crowd, [&](Batch& batch) { return batch.step(flags, now); })) && good;
    if (std::chrono::steady_clock::now() - begun < std::chrono::milliseconds(20) && portion < 1000000) portion *= 2;
    count -= now;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  } while (count > 0);
  return good;
}

}  // namespace

void addBatch(py::module_& m) {
  py::class_<Crowd, SharedCrowd>(m, "Batch", "Many worlds of one scene, stepped together.")
      .def(py::init(&build), py::arg("scene"), py::arg("count"), py::arg("threads") = 1,
           "Of a Scene, or of the text of a scene file.")
      .def(
          "__getitem__",
          [](const SharedCrowd& c, std::int64_t world) {
            const auto size = static_cast<std::int64_t>(c->batch.size());
            if (world < -size || world >= size)
              throw py::index_error("the batch has " + std::to_string(size) + " worlds");
            return Shared(c, &c->batch[static_cast<std::size_t>(world < 0 ? world + size : world)]);
          },
          py::arg("world"), "One of its worlds; bound arrays show what is changed there after forward or a step.")
      .def("__len__", [](const Crowd& c) { return c.batch.size(); })
      .def("__repr__", [](const Crowd& c) { return "<reeve.Batch of " + std::to_string(c.batch.size()) + " worlds>"; })
      .def(
          "linearise",
          [](Crowd& c, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs) {
            Busy::refuse(c.batch[0]);
            py::list out;
            for (std::size_t i = 0; inputs.empty() && outputs.empty() && i < c.batch.size(); ++i)
              out.append(linearised(c.batch[i], inputs, outputs));
            if (!out.empty()) return out;
            auto found = freely(c, [&](Batch& batch) { return batch.linearise(inputs, outputs); });
            for (const StateSpace& s : orThrow(std::move(found))) out.append(asDict(s));
            return out;
          },
          py::arg("inputs") = std::vector<std::string>(), py::arg("outputs") = std::vector<std::string>(),
          "Of every world what World.linearise gives, on all threads.")
      .def(
          "bind",
          [](const py::object& self, const std::string& name) {
            Crowd& c = *py::cast<SharedCrowd>(self);
            const Bound bound = orThrow(freely(c, [&](Batch& batch) { return batch.bind(name); }));
            const auto rows = static_cast<py::ssize_t>(c.batch.size()),
                       columns = static_cast<py::ssize_t>(bound.columns);
            py::array array(
                py::dtype::of<double>(), {rows, columns},
                {columns * static_cast<py::ssize_t>(sizeof(double)), static_cast<py::ssize_t>(sizeof(double))},
                bound.numbers.data(), self);
            return name == "commands" ? array : asView(array);
          },
          py::arg("name"),
          "A live array, a row per world: 'commands' to be written, or what is measured: a reading ('tensions') or a "
          "path "
          "('bodies.load.position').")
      .def(
          "expand",
          [](Crowd& c, const std::string& path, const py::object& values) {
            const auto given = py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(values);
            if (!given || given.ndim() != 1) {
              PyErr_Clear();
              throw Failure{{"values", "the values are not a list of numbers", "give one per world"}};
            }
            const std::span<const double> numbers(given.data(), static_cast<std::size_t>(given.size()));
            orThrow(freely(c, [&](Batch& batch) { return batch.expand(path, numbers); }));
          },
          py::arg("path"), py::arg("values"), "One value per world of a number that may change.")
      .def("step", &stepBatch, py::arg("mask") = py::none(), py::arg("count") = 1,
           "Steps those of the mask; False if any has gone bad.")
      .def(
          "reset",
          [](Crowd& c, const py::object& mask) {
            const std::vector<std::uint8_t> flags = maskOf(c, mask);
            orThrow(freely(c, [&](Batch& batch) { return batch.reset(flags); }));
          },
          py::arg("mask") = py::none(), "Those of the mask back to the start; expanded values stay.")
      .def(
          "forward",
          [](Crowd& c, const py::object& mask) {
            const std::vector<std::uint8_t> flags = maskOf(c, mask);
            orThrow(freely(c, [&](Batch& batch) { return batch.forward(flags); }));
          },
          py::arg("mask") = py::none(), "Without a step: bound arrays as they are now, with the forces that act now.")
      .def_property_readonly(
          "good",
          [](const Crowd& c) {
            const Busy free(c.worlds());
            py::array_t<bool> out(static_cast<py::ssize_t>(c.batch.size()));
            for (std::size_t i = 0; i < c.batch.size(); ++i)
              out.mutable_at(static_cast<py::ssize_t>(i)) = c.batch[i].verdict().good;
            return out;
          },
          "Which worlds are well.")
      .def_property_readonly(
          "hashes",
          [](const Crowd& c) {
            const Busy free(c.worlds());
            py::array_t<std::uint64_t> out(static_cast<py::ssize_t>(c.batch.size()));
            for (std::size_t i = 0; i < c.batch.size(); ++i)
              out.mutable_at(static_cast<py::ssize_t>(i)) = c.batch[i].hash();
            return out;
          },
          "Hash of every world's state.");
}

}  // namespace reeve::python
