#pragma once
#include <cstddef>

namespace reeve {

/// Places are counted with int; containers want std::size_t.
constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace reeve
