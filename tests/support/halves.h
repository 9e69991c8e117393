#pragma once
// Two halves are the whole: a run that is saved and restored, through text and into a world built anew, ends in the
// same bits as one that went on.
#include <cstdint>
#include <string>
#include <vector>

#include "reeve/world/world.h"

namespace reeve::test {

struct Halves {
  std::string problem;       ///< it cannot be built, or a state it saved cannot be restored
  bool bad = false;          ///< the whole run went bad
  std::int64_t differs = 0;  ///< the last restored step from which the end differs; 0: none does
  bool same() const { return problem.empty() && differs == 0; }
};

/// So many steps, restored after each of these numbers of them.
inline Halves compareHalves(const Description& d, int steps, const std::vector<int>& places) {
  Halves out;
  auto whole = World::build(d);
  if (!whole) return {.problem = whole.error().path + ": " + whole.error().reason};
  std::vector<std::string> saved;
  for (int i = 0; i < steps && whole->verdict().good; ++i) {
    for (const int place : places)
      if (place == i) saved.push_back(whole->saveState());
    whole->step();
  }
  out.bad = !whole->verdict().good;
  for (const std::string& text : saved) {
    auto half = World::build(d);
    if (auto ok = half->restoreState(text); !ok) {
      out.problem = "restore: " + ok.error().reason;
      return out;
    }
    const std::int64_t from = half->steps();
    while (half->steps() < steps && half->step().good) {
    }
    if (half->hash() != whole->hash() || half->verdict().good != whole->verdict().good) out.differs = from;
  }
  return out;
}

}  // namespace reeve::test
