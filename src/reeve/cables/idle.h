#pragma once
// A setting without effect is refused rather than ignored: whoever wrote it meant something by it.
#include <expected>
#include <string>

#include "reeve/model/description.h"
#include "reeve/model/problem.h"

namespace reeve {

/// Whether a field is set although it does nothing there, why it does nothing, and what to do instead.
struct Idle {
  bool given;
  const char *field, *reason, *remedy;
  bool essential = false;  ///< without it the cable would do something else: not to be left out
};

/// Whether a profile does anything.
inline bool given(const Profile& p) {
  return p.offset != 0.0 || p.rate != 0.0 || p.amplitude != 0.0 || !p.table.empty();
}

/// The first of them that is given, as a problem with its place.
template <std::size_t n>
std::expected<void, Problem> refuse(const std::string& path, const Idle (&list)[n]) {
  for (const Idle& i : list)
    if (i.given) return std::unexpected(Problem{path + i.field, i.reason, i.remedy, 0, 0, !i.essential});
  return {};
}

}  // namespace reeve
