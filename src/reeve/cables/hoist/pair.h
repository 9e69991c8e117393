#pragma once
// Two and four numbers at a time. The compiler's vectors round like scalars: same bits everywhere, and the same whether
// the processor takes four numbers in two halves (Quad, any machine) or at once (Wide, where it has AVX2; nothing is
// fused). Code for both is written once, as a template that is put into its callers whole.
#include <cstring>

#if defined(__x86_64__)
#define REEVE_WIDE __attribute__((target("avx2")))
#endif
#define REEVE_WHOLE __attribute__((always_inline)) inline

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"  // all of it is put in place: nothing is passed

namespace reeve {

typedef double Pair __attribute__((vector_size(16)));
REEVE_WHOLE Pair load(const double* p) {
  Pair x;
  std::memcpy(&x, p, sizeof x);
  return x;
}
REEVE_WHOLE void store(double* p, const Pair& x) { std::memcpy(p, &x, sizeof x); }

/// Four numbers as two halves.
struct Quad {
  Pair a, b;
  REEVE_WHOLE static Quad all(double x) { return {Pair{x, x}, Pair{x, x}}; }
  REEVE_WHOLE static Quad of(double x, double y, double z, double w) { return {Pair{x, y}, Pair{z, w}}; }
  REEVE_WHOLE static Quad from(const double* p) { return {load(p), load(p + 2)}; }
  REEVE_WHOLE void to(double* p) const {
    store(p, a);
    store(p + 2, b);
  }
};
REEVE_WHOLE Quad operator+(const Quad& x, const Quad& y) { return {x.a + y.a, x.b + y.b}; }
REEVE_WHOLE Quad operator-(const Quad& x, const Quad& y) { return {x.a - y.a, x.b - y.b}; }
REEVE_WHOLE Quad operator*(const Quad& x, const Quad& y) { return {x.a * y.a, x.b * y.b}; }
REEVE_WHOLE Quad operator/(const Quad& x, const Quad& y) { return {x.a / y.a, x.b / y.b}; }
/// Place by place the larger.
REEVE_WHOLE Quad larger(const Quad& x, const Quad& y) { return {x.a < y.a ? y.a : x.a, x.b < y.b ? y.b : x.b}; }
/// x0 y0 x2 y2 and x1 y1 x3 y3.
REEVE_WHOLE Quad evens(const Quad& x, const Quad& y) { return {Pair{x.a[0], y.a[0]}, Pair{x.b[0], y.b[0]}}; }
REEVE_WHOLE Quad odds(const Quad& x, const Quad& y) { return {Pair{x.a[1], y.a[1]}, Pair{x.b[1], y.b[1]}}; }
/// x0 x1 y0 y1 and x2 x3 y2 y3.
REEVE_WHOLE Quad fronts(const Quad& x, const Quad& y) { return {x.a, y.a}; }
REEVE_WHOLE Quad backs(const Quad& x, const Quad& y) { return {x.b, y.b}; }

#ifdef REEVE_WIDE
/// Four numbers at once.
struct Wide {
  typedef double Four __attribute__((vector_size(32)));
  Four v;
  REEVE_WHOLE static Wide all(double x) { return {Four{x, x, x, x}}; }
  REEVE_WHOLE static Wide of(double x, double y, double z, double w) { return {Four{x, y, z, w}}; }
  REEVE_WHOLE static Wide from(const double* p) {
    Wide x;
    std::memcpy(&x.v, p, sizeof x.v);
    return x;
  }
  REEVE_WHOLE void to(double* p) const { std::memcpy(p, &v, sizeof v); }
};
REEVE_WHOLE Wide operator+(const Wide& x, const Wide& y) { return {x.v + y.v}; }
REEVE_WHOLE Wide operator-(const Wide& x, const Wide& y) { return {x.v - y.v}; }
REEVE_WHOLE Wide operator*(const Wide& x, const Wide& y) { return {x.v * y.v}; }
REEVE_WHOLE Wide operator/(const Wide& x, const Wide& y) { return {x.v / y.v}; }
REEVE_WHOLE Wide larger(const Wide& x, const Wide& y) { return {x.v < y.v ? y.v : x.v}; }
REEVE_WHOLE Wide evens(const Wide& x, const Wide& y) { return {__builtin_shufflevector(x.v, y.v, 0, 4, 2, 6)}; }
REEVE_WHOLE Wide odds(const Wide& x, const Wide& y) { return {__builtin_shufflevector(x.v, y.v, 1, 5, 3, 7)}; }
REEVE_WHOLE Wide fronts(const Wide& x, const Wide& y) { return {__builtin_shufflevector(x.v, y.v, 0, 1, 4, 5)}; }
REEVE_WHOLE Wide backs(const Wide& x, const Wide& y) { return {__builtin_shufflevector(x.v, y.v, 2, 3, 6, 7)}; }
#endif

}  // namespace reeve

#pragma GCC diagnostic pop
