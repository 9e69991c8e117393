#pragma once
// Products over the six coordinates of a rigid body, in two lanes: even and odd ones apart (linear/block_kernels.h), so
// that every compiler gives the same bits.
#include "reeve/linear/block_kernels.h"

namespace reeve::six {

using kernels::load;
using kernels::Pack;
using kernels::store;

/// Σ j[k] w[k], even and odd places summed up apart.
inline Pack products(const double* j, const double* w) {
  return (load(j) * load(w) + load(j + 2) * load(w + 2)) + load(j + 4) * load(w + 4);
}
/// x += f j
inline void add(double* x, double f, const double* j) {
  for (int k = 0; k < 6; k += 2) store(x + k, load(x + k) + f * load(j + k));
}
/// k += Σ aᵀ b over three rows of six.
inline void addOuter(const double* const (&a)[3], const double (&b)[3][6], double* k) {
  Pack column[3][3];
  for (int row = 0; row < 3; ++row)
    for (int c = 0; c < 3; ++c) column[row][c] = load(b[row] + 2 * c);
  for (int r = 0; r < 6; ++r, k += 6)
    for (int c = 0; c < 3; ++c)
      store(k + 2 * c, ((load(k + 2 * c) + a[0][r] * column[0][c]) + a[1][r] * column[1][c]) + a[2][r] * column[2][c]);
}

}  // namespace reeve::six
