#pragma once
// Two-lane arithmetic and size dispatch for blocks of 1 to 8 scalars. Internal to linear.
//
// The compiler may not reassociate sums (same bits everywhere), so lanes are written out: a Pack holds two neighbouring
// columns, and elementwise operations on it give the same bits as scalar code on any machine.
#include <cstring>
#include <utility>

namespace reeve::kernels {

inline constexpr int maxBlock = 8;

typedef double Pack __attribute__((vector_size(16)));

inline Pack load(const double* p) {
  Pack v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline void store(double* p, Pack v) { std::memcpy(p, &v, sizeof v); }
inline Pack abs(Pack v) {
  typedef long long Bits __attribute__((vector_size(16)));
  Bits bits;
  std::memcpy(&bits, &v, sizeof bits);
  bits &= 0x7FFFFFFFFFFFFFFFll;
  std::memcpy(&v, &bits, sizeof v);
  return v;
}

/// Calls f.operator()<N>() for the N in 1 to 8 that equals n.
template <class F>
inline void dispatch(int n, F&& f) {
  switch (n) {
    case 1:
      f.template operator()<1>();
      break;
    case 2:
      f.template operator()<2>();
      break;
    case 3:
      f.template operator()<3>();
      break;
    case 4:
      f.template operator()<4>();
      break;
    case 5:
      f.template operator()<5>();
      break;
    case 6:
      f.template operator()<6>();
      break;
    case 7:
      f.template operator()<7>();
      break;
    case 8:
      f.template operator()<8>();
      break;
    default:
      break;
  }
}

/// y[c] -= Σ_m g[m] v[m ld + c] for c < width.
template <int N>
inline void subtractCombination(double* y, const double* v, int ld, const double (&g)[N], int width) {
  int c = 0;
  for (; c + 1 < width; c += 2) {
    Pack sum = load(y + c);
    for (int m = 0; m < N; ++m) sum -= g[m] * load(v + m * ld + c);
    store(y + c, sum);
  }
  if (c < width) {
    double sum = y[c];
    for (int m = 0; m < N; ++m) sum -= g[m] * v[m * ld + c];
    y[c] = sum;
  }
}

/// The upper triangle of a block of `Size` rows loses VᵀG, V and G of N rows: what subtractCombination() does row by
/// row, with every length known.
template <int N, int Size>
inline void subtractTriangle(double* to, int toStride, const double* v, int ld, const double (&weight)[N]) {
  const auto row = [&]<int R>() {
    double g[N];
    for (int m = 0; m < N; ++m) g[m] = weight[m] * v[m * ld + R];
    double* y = to + R * toStride;
    const auto single = [&](int c) {
      double sum = y[c];
      for (int m = 0; m < N; ++m) sum -= g[m] * v[m * ld + c];
      y[c] = sum;
    };
    // Pairs always begin at even columns: a pair that straddles two which were just written would have to wait for
    // them.
    constexpr int even = R + R % 2;
    if constexpr (R % 2 == 1) single(R);
    for (int c = even; c + 1 < Size; c += 2) {
      Pack sum = load(y + c);
      for (int m = 0; m < N; ++m) sum -= g[m] * load(v + m * ld + c);
      store(y + c, sum);
    }
    if constexpr ((Size - even) % 2 == 1) single(Size - 1);
  };
  const auto all = [&]<int... R>(std::integer_sequence<int, R...>) { (row.template operator()<R>(), ...); };
  all(std::make_integer_sequence<int, Size>{});
}

/// Σ_c v[c] x[c] in two lanes: even and odd columns apart, then added.
inline double dot(const double* v, const double* x, int width) {
  Pack sum{};
  int c = 0;
  for (; c + 1 < width; c += 2) sum += load(v + c) * load(x + c);
  double s = sum[0] + sum[1];
  if (c < width) s += v[c] * x[c];
  return s;
}

}  // namespace reeve::kernels
