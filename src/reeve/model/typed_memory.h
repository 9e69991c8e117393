#pragma once
// Typed state: structs of plain numbers laid over State::memory. An element declares what it remembers as a struct, and
// reads and writes its fields by name; save, restore and hash still see a vector of numbers.
//
//     struct LinkState { double rest = 0.0; Flag holds; Whole side; };
//     LinkState& link = overlay<LinkState>(state.memory, memory + i * numbersIn<LinkState>);
//     link.rest -= paid;
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "reeve/math/types.h"

namespace reeve {

/// A yes or no that is kept as a number.
struct Flag {
  double number = 0.0;
  constexpr operator bool() const { return number != 0.0; }
  constexpr Flag& operator=(bool value) {
    number = value ? 1.0 : 0.0;
    return *this;
  }
};

/// A whole number (an index, a count, a side) that is kept as a number.
struct Whole {
  double number = 0.0;
  constexpr operator int() const { return static_cast<int>(number); }
  constexpr Whole& operator=(int value) {
    number = value;
    return *this;
  }
};

/// Whether a number from outside is a whole one from low to high.
constexpr bool isWithin(Whole whole, int low, int high) {
  return whole.number >= low && whole.number <= high && whole.number == static_cast<double>(static_cast<int>(whole));
}
/// The same of a yes or no.
constexpr bool isYesOrNo(Flag flag) { return flag.number == 0.0 || flag.number == 1.0; }

/// A vector that is kept as three numbers.
struct Triple {
  double x = 0.0, y = 0.0, z = 0.0;
  Vec3 vec() const { return Vec3(x, y, z); }
  void set(const Vec3& v) { x = v.x(), y = v.y(), z = v.z(); }
  operator Vec3() const { return vec(); }
  Triple& operator=(const Vec3& v) {
    x = v.x(), y = v.y(), z = v.z();
    return *this;
  }
};

/// Made of doubles alone, so that it may lie over a run of them.
template <class T>
concept PlainNumbers = std::is_trivially_copyable_v<T> && std::is_standard_layout_v<T> && sizeof(T) % sizeof(double) ==
                           0 &&
                       alignof(T) == alignof(double);

/// How many numbers of memory a T takes.
template <PlainNumbers T>
inline constexpr int numbersIn = static_cast<int>(sizeof(T) / sizeof(double));

/// The T that starts at memory[first].
template <PlainNumbers T>
T& overlay(std::vector<double>& memory, int first) {
  return *reinterpret_cast<T*>(memory.data() + static_cast<std::size_t>(first));
}
template <PlainNumbers T>
const T& overlay(const std::vector<double>& memory, int first) {
  return *reinterpret_cast<const T*>(memory.data() + static_cast<std::size_t>(first));
}
template <PlainNumbers T>
T& overlay(std::span<double> memory, int first = 0) {
  return *reinterpret_cast<T*>(memory.data() + static_cast<std::size_t>(first));
}

/// `count` of them, one after the other.
template <PlainNumbers T>
std::span<T> overlays(std::vector<double>& memory, int first, int count) {
  return {&overlay<T>(memory, first), static_cast<std::size_t>(count)};
}
template <PlainNumbers T>
std::span<const T> overlays(const std::vector<double>& memory, int first, int count) {
  return {&overlay<T>(memory, first), static_cast<std::size_t>(count)};
}

}  // namespace reeve
