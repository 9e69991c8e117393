// reeve_probe: prints hashes that must be equal whatever compiled it (g++, clang, WebAssembly) and wherever it runs.
// scripts/check-hashes compares them.
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>

#include "reeve/math/hash.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"
#include "reeve/scene/scene.h"
#include "reeve/world/world.h"

namespace {

namespace math = reeve::math;

/// Arguments from exact arithmetic only (xorshift): the standard distributions differ between libraries.
class Draw {
 public:
  /// In [-1, 1).
  double unit() {
    bits_ ^= bits_ << 13;
    bits_ ^= bits_ >> 7;
    bits_ ^= bits_ << 17;
    return static_cast<double>(static_cast<std::int64_t>(bits_)) * 0x1p-63;
  }
  /// Any bit pattern: every exponent, infinities and NaN included.
  double any() {
    unit();
    return std::bit_cast<double>(bits_);
  }
  reeve::Vec3 vector() {
    const double x = unit(), y = unit(), z = unit();
    return {x, y, z};
  }

 private:
  std::uint64_t bits_ = 0x2545'F491'4F6C'DD1Du;
};

void report(const char* name, const math::Hasher& hash) {
  std::printf("%-28s %s\n", name, math::hex(hash.value()).c_str());
}

constexpr int samples = 20000;

template <class Function>
void sweep(const char* name, Function function) {
  math::Hasher hash;
  Draw draw;
  for (int i = 0; i < samples; ++i) {
    const double x = draw.unit(), any = draw.any();
    hash.add(function(x));
    hash.add(function(10 * x));
    hash.add(function(1e6 * x));
    hash.add(function(any));
  }
  report(name, hash);
}

template <class Function>
void sweep2(const char* name, Function function) {
  math::Hasher hash;
  Draw draw;
  for (int i = 0; i < samples; ++i) {
    const double x = draw.unit(), y = draw.unit(), anyX = draw.any(), anyY = draw.any();
    hash.add(function(x, y));
    hash.add(function(10 * (x + 1), 20 * y));
    hash.add(function(anyX, y));
    hash.add(function(anyX, anyY));
  }
  report(name, hash);
}

void sweepRotations() {
  math::Hasher hash;
  Draw draw;
  for (int i = 0; i < samples; ++i) {
    const reeve::Vec3 theta = 6 * draw.vector(), a = draw.vector(), b = draw.vector();
    const reeve::Quat q = reeve::rotationExp(theta), between = reeve::fromTwoVectors(a, b);
    const reeve::Vec3 log = reeve::rotationLog(q), turned = q * a;
    const reeve::Mat3 jacobian = reeve::leftJacobianInverse(theta);
    reeve::Vec3 values;
    const reeve::Mat3 vectors = reeve::eigenSymmetric(a * a.transpose() + b * b.transpose(), values);
    for (int k = 0; k < 4; ++k) hash.add(q.coeffs()[k]), hash.add(between.coeffs()[k]);
    for (int k = 0; k < 3; ++k) hash.add(log[k]), hash.add(turned[k]), hash.add(values[k]);
    for (int k = 0; k < 9; ++k) hash.add(jacobian(k / 3, k % 3)), hash.add(vectors(k / 3, k % 3));
  }
  report("math rotations", hash);
}

void sweepMath() {
  sweep("math sin", math::sin);
  sweep("math cos", math::cos);
  sweep("math tan", math::tan);
  sweep("math asin", math::asin);
  sweep("math acos", math::acos);
  sweep("math atan", math::atan);
  sweep("math exp", math::exp);
  sweep("math log", math::log);
  sweep2("math atan2", math::atan2);
  sweep2("math pow", math::pow);
  sweep2("math hypot", math::hypot);
  sweepRotations();
}

/// A scene from standard input, stepped a thousand times.
int sweepScene(const std::string& text) {
  auto scene = reeve::readScene(text, "standard input");
  if (!scene) {
    std::fprintf(stderr, "%s", reeve::problemText("standard input", scene.error()).c_str());
    return 2;
  }
  const std::string name = scene->name;
  auto world = reeve::World::build(std::move(*scene));
  if (!world) {
    std::fprintf(stderr, "%s", reeve::problemText(name, world.error()).c_str());
    return 2;
  }
  for (int step = 1; step <= 1000; ++step) {
    if (!world->step().good) return 3;
    if (step == 10 || step == 100 || step == 1000)
      std::printf("%s after %d steps: %s\n", name.c_str(), step, math::hex(world->hash()).c_str());
  }
  return 0;
}

}  // namespace

int main() {
  std::string text;
  std::array<char, 4096> buffer;
  for (std::size_t n; (n = std::fread(buffer.data(), 1, buffer.size(), stdin)) > 0;) text.append(buffer.data(), n);
  if (!text.empty()) return sweepScene(text);
  sweepMath();
  return 0;
}
