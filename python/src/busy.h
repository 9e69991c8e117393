#pragma once
// Which worlds a thread is at work on without the interpreter lock. Another thread that asks for one of them meanwhile
// gets an error, not a crash. All of this happens under the interpreter lock.
#include <algorithm>
#include <chrono>
#include <span>
#include <vector>

#include "convert.h"

namespace reeve::python {

/// A world that Python objects hold on to.
using Shared = std::shared_ptr<World>;

/// For as long as it lives its worlds are being worked on: a world and its clones, or those of a batch.
class Busy {
 public:
  explicit Busy(const World& world) : model_(&world.model()) {
    refuse(world);
    all().push_back(this);
  }
  explicit Busy(std::span<const World> batch) : batch_(batch) {
    for (const Busy* each : all())
      if (each->batch_.data() == batch.data() || (each->model_ && hasModel(batch, each->model_))) throw inUse();
    all().push_back(this);
  }
  ~Busy() { std::erase(all(), this); }
  Busy(const Busy&) = delete;
  Busy& operator=(const Busy&) = delete;

  /// Throws if a thread is at work on this world.
  static void refuse(const World& world) {
    for (const Busy* each : all())
      if (each->model_ == &world.model() || hasModel(each->batch_, &world.model())) throw inUse();
  }

 private:
  static std::vector<const Busy*>& all() {
    static std::vector<const Busy*> busy;
    return busy;
  }
  static bool hasModel(std::span<const World> batch, const Model* model) {
    return std::ranges::any_of(batch, [&](const World& w) { return &w.model() == model; });
  }
  static Failure inUse() {
    return {{"world", "another thread is at work on this world, its batch or a clone of it",
             "wait for that thread, or build a world for each thread"}};
  }

  const Model* model_ = nullptr;
  std::span<const World> batch_;
};

/// A world that a Python object keeps, for whoever may ask for it now.
class Owner {
 public:
  Owner(Shared world) : world_(std::move(world)) {}
  World& operator*() const {
    Busy::refuse(*world_);
    return *world_;
  }
  World* operator->() const { return &**this; }

 private:
  Shared world_;
};

/// Calls `step` so many times, or until it says false, without the interpreter lock; how many were good. Ctrl-C ends it
/// soon.
template <class Step>
std::int64_t stepFreely(World& world, std::int64_t count, Step&& step) {
  if (count < 0) throw Failure{{"count", "the number of steps is negative", "give 0 or more"}};
  const Busy busy(world);
  std::int64_t done = 0;
  for (bool good = true; good && done < count;) {
    {
      const py::gil_scoped_release free;
      const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
      while ((good = step())) {
        ++done;
        if (done == count || std::chrono::steady_clock::now() >= until) break;
      }
    }
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  }
  return done;
}

}  // namespace reeve::python

namespace pybind11::detail {

/// Every method of World in Python first asks whether a thread is at work on it.
template <>
struct type_caster<reeve::World> : type_caster_base<reeve::World> {
  template <class T>
  using cast_op_type = detail::cast_op_type<T>;
  operator reeve::World*() { return value == nullptr ? nullptr : &free(); }
  operator reeve::World&() {
    if (value == nullptr) throw reference_cast_error();
    return free();
  }

 private:
  reeve::World& free() {
    auto& world = *static_cast<reeve::World*>(value);
    reeve::python::Busy::refuse(world);
    return world;
  }
};

}  // namespace pybind11::detail
