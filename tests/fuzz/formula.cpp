// Any text as a formula of u and v, as an expression of a scene, and as a quantity with a unit: a number or a reason.
#include <string_view>

#include "exercise.h"
#include "reeve/math/formula.h"
#include "reeve/scene/expression.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reeve;
  if (size > 4096) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto formula = math::Formula::parse(text)) {
    for (const double u : {0.0, 0.5, -1e9}) formula->at(u, 0.25);
  } else {
    fuzz::require(!formula.error().reason.empty(), "a formula refused without a reason");
    fuzz::require(formula.error().column >= 1, "a formula refused nowhere");
  }
  if (const auto value = scene::readValue(text, {}); !value)
    fuzz::require(!value.error().reason.empty(), "an expression refused without a reason");
  return 0;
}
