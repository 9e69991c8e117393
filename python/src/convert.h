#pragma once
// Between numpy and the library: vectors, views without copies, errors.
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <span>
#include <string>

#include "reeve/world/world.h"

namespace reeve::python {

namespace py = pybind11;

/// An error with the three parts of a Problem; becomes reeve.Error in Python.
struct Failure {
  Problem problem;
};

inline void orThrow(const Done& done) {
  if (!done) throw Failure{done.error()};
}
template <class T>
T orThrow(std::expected<T, Problem> value) {
  if (!value) throw Failure{value.error()};
  return std::move(*value);
}

/// Anything with three numbers.
inline Vec3 vec3(const py::handle& value, const char* what) {
  Vec3 v;
  try {
    const auto list = py::cast<py::sequence>(value);
    if (py::len(list) != 3) throw py::cast_error();
    for (int k = 0; k < 3; ++k) v[k] = py::cast<double>(list[static_cast<std::size_t>(k)]);
  } catch (const std::exception&) {
    PyErr_Clear();
    throw Failure{{what, std::string(what) + " must be three numbers, not " + std::string(py::str(py::repr(value))),
                   "give a list, tuple or array of three"}};
  }
  return v;
}

inline Quat quat(const py::handle& value) {
  try {
    const auto list = py::cast<py::sequence>(value);
    if (py::len(list) != 4) throw py::cast_error();
    double q[4];
    for (int k = 0; k < 4; ++k) q[k] = py::cast<double>(list[static_cast<std::size_t>(k)]);
    return Quat(q[0], q[1], q[2], q[3]);
  } catch (const std::exception&) {
    PyErr_Clear();
    throw Failure{{"orientation", "orientation must be four numbers, w x y z", "give a unit quaternion"}};
  }
}

/// reeve.views.View, once the package has said so.
inline py::object& viewType() {
  static auto* type = new py::object;  // outlives the interpreter
  return *type;
}
/// As a live view, read-only.
inline py::array asView(py::array array) {
  py::detail::array_proxy(array.ptr())->flags &= ~py::detail::npy_api::NPY_ARRAY_WRITEABLE_;
  if (!viewType()) return array;
  py::object seen = array.attr("view")(viewType());
  return py::reinterpret_steal<py::array>(seen.release());
}
/// A view of numbers that `owner` keeps.
inline py::array view(std::span<const double> numbers, const py::handle& owner) {
  return asView(py::array(py::dtype::of<double>(), {static_cast<py::ssize_t>(numbers.size())}, {sizeof(double)},
                          numbers.data(), owner));
}
inline py::array_t<double> copy3(const Vec3& v) {
  py::array_t<double> out(3);
  for (int k = 0; k < 3; ++k) out.mutable_at(k) = v[k];
  return out;
}

}  // namespace reeve::python
