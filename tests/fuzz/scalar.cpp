// Any two doubles into the elementary functions: results stay in range and nothing undefined happens on the way.
#include "reeve/math/scalar.h"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace math = reeve::math;

namespace {
void require(bool condition) {
  if (!condition) __builtin_trap();
}
/// NaN passes.
bool within(double value, double low, double high) { return !(value < low || value > high); }
}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  double x = 0, y = 0;
  if (size >= sizeof x) std::memcpy(&x, bytes, sizeof x);
  if (size >= 2 * sizeof x) std::memcpy(&y, bytes + sizeof x, sizeof y);
  double s, c;
  math::sincos(x, s, c);
  require(within(s, -1, 1) && within(c, -1, 1));
  require(within(s * s + c * c, 1 - 1e-15, 1 + 1e-15));
  require(within(math::atan2(y, x), -math::pi, math::pi));
  require(within(math::asin(x), -math::pi / 2, math::pi / 2));
  require(within(math::acos(x), 0, math::pi));
  require(within(math::atan(x), -math::pi / 2, math::pi / 2));
  require(within(math::exp(x), 0, __builtin_inf()));
  require(!(math::hypot(x, y) < (x < 0 ? -x : x)));
  math::tan(x);
  math::log(x);
  math::pow(x, y);
  return 0;
}
