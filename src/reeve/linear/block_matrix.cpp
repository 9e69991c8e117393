#include "reeve/linear/block_matrix.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "reeve/linear/block_kernels.h"

namespace reeve {

namespace {

constexpr std::size_t smallestTable = 64;

}  // namespace

void BlockMatrix::reset(std::span<const int> sizes) {
  const std::size_t n = sizes.size();
  size_.assign(sizes.begin(), sizes.end());
  offset_.resize(n + 1);
  start_.resize(n);
  int dimension = 0;
  int start = 0;
  for (std::size_t i = 0; i < n; ++i) {
    assert(sizes[i] >= 1 && sizes[i] <= kernels::maxBlock);
    offset_[i] = dimension;
    start_[i] = start;
    dimension += sizes[i];
    start += sizes[i] * sizes[i];
  }
  offset_[n] = dimension;
  pairs_.clear();
  table_.assign(smallestTable, -1);
  values_.assign(static_cast<std::size_t>(start), 0.0);
  mirrors_.clear();
}

std::size_t BlockMatrix::probe(int i, int j) const {
  const std::uint64_t key =
      (static_cast<std::uint64_t>(static_cast<std::uint32_t>(i)) << 32) | static_cast<std::uint32_t>(j);
  const std::uint64_t hash = key * 0x9E3779B97F4A7C15u;
  const std::size_t mask = table_.size() - 1;
  std::size_t place = static_cast<std::size_t>(hash >> 32) & mask;
  for (;; place = (place + 1) & mask) {
    const int q = table_[place];
    if (q < 0) return place;
    const Pair& pair = pairs_[static_cast<std::size_t>(q)];
    if (pair.i == i && pair.j == j) return place;
  }
}

void BlockMatrix::growTable() {
  table_.assign(2 * table_.size(), -1);
  for (std::size_t q = 0; q < pairs_.size(); ++q) table_[probe(pairs_[q].i, pairs_[q].j)] = static_cast<int>(q);
}

int BlockMatrix::couple(int i, int j) {
  if (i == j) return diagonal(i);
  const int lo = std::min(i, j);
  const int hi = std::max(i, j);
  std::size_t place = probe(lo, hi);
  if (table_[place] < 0) {
    if (2 * (pairs_.size() + 1) > table_.size()) {
      growTable();
      place = probe(lo, hi);
    }
    table_[place] = static_cast<int>(pairs_.size());
    const int start = static_cast<int>(values_.size());
    const int block = size(i) * size(j);
    pairs_.push_back({lo, hi, size(lo), size(hi), offset(lo), offset(hi), start});
    start_.push_back(start);
    start_.push_back(static_cast<int>(mirrors_.size()));
    values_.resize(values_.size() + static_cast<std::size_t>(block), 0.0);
    mirrors_.resize(mirrors_.size() + static_cast<std::size_t>(block), 0.0);
  }
  return nodes() + 2 * table_[place] + (i > j ? 1 : 0);
}

int BlockMatrix::find(int i, int j) const {
  if (i == j) return diagonal(i);
  const int q = table_[probe(std::min(i, j), std::max(i, j))];
  return q < 0 ? -1 : nodes() + 2 * q + (i > j ? 1 : 0);
}

int BlockMatrix::slotRow(int slot) const {
  if (slot < nodes()) return slot;
  const int k = slot - nodes();
  const Pair& pair = pairs_[static_cast<std::size_t>(k / 2)];
  return k % 2 == 0 ? pair.i : pair.j;
}

int BlockMatrix::slotColumn(int slot) const {
  if (slot < nodes()) return slot;
  const int k = slot - nodes();
  const Pair& pair = pairs_[static_cast<std::size_t>(k / 2)];
  return k % 2 == 0 ? pair.j : pair.i;
}

void BlockMatrix::setZero() {
  setZeroSymmetric();
  std::fill(mirrors_.begin(), mirrors_.end(), 0.0);
}

void BlockMatrix::setZeroSymmetric() { std::fill(values_.begin(), values_.end(), 0.0); }

namespace {

// y += B x and bound += |B| |x|, with R × C the size of B. |b x| = |b| |x| exactly, so one product serves both.
template <bool Product, bool Bound>
struct MultiplyAdd {
  template <int C>
  static void run(int rows, const double* b, const double* x, double* y, double* bound) {
    for (int r = 0; r < rows; ++r, b += C) {
      kernels::Pack sum{}, sumAbs{};
      for (int c = 0; c + 1 < C; c += 2) {
        const kernels::Pack product = kernels::load(b + c) * kernels::load(x + c);
        if constexpr (Product) sum += product;
        if constexpr (Bound) sumAbs += kernels::abs(product);
      }
      double s = sum[0] + sum[1];
      double a = sumAbs[0] + sumAbs[1];
      if constexpr (C % 2 == 1) {
        const double product = b[C - 1] * x[C - 1];
        s += product;
        a += std::fabs(product);
      }
      if constexpr (Product) y[r] += s;
      if constexpr (Bound) bound[r] += a;
    }
  }

  [[gnu::always_inline]] static void column(int rows, const double* b, double x, double* y, double* bound) {
    int r = 0;
    for (; r + 1 < rows; r += 2) {
      const kernels::Pack product = kernels::load(b + r) * x;
      if constexpr (Product) kernels::store(y + r, kernels::load(y + r) + product);
      if constexpr (Bound) kernels::store(bound + r, kernels::load(bound + r) + kernels::abs(product));
    }
    if (r < rows) {
      const double product = b[r] * x;
      if constexpr (Product) y[r] += product;
      if constexpr (Bound) bound[r] += std::fabs(product);
    }
  }

  [[gnu::always_inline]] static void block(int rows, int columns, const double* b, const double* x, double* y,
                                           double* bound) {
    if (columns == 1) return column(rows, b, x[0], y, bound);
    if (columns == 6) return run<6>(rows, b, x, y, bound);
    kernels::dispatch(columns, [&]<int C>() { run<C>(rows, b, x, y, bound); });
  }
};

}  // namespace

void BlockMatrix::multiply(std::span<const double> x, std::span<double> y, std::span<double> bound) const {
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(bound.begin(), bound.end(), 0.0);
  const auto all = [&]<bool Product, bool Bound>() {
    using Add = MultiplyAdd<Product, Bound>;
    double* yy = y.data();
    double* bb = bound.data();
    const double* xx = x.data();
    const double* v = values_.data();
    for (int i = 0; i < nodes(); ++i) {
      const int n = size(i), o = offset(i);
      Add::block(n, n, v, xx + o, Product ? yy + o : yy, Bound ? bb + o : bb);
      v += n * n;
    }
    const double* mirror = mirrors_.data();
    for (const Pair& p : pairs_) {
      double* yi = Product ? yy + p.offsetI : yy;
      double* yj = Product ? yy + p.offsetJ : yy;
      double* bi = Bound ? bb + p.offsetI : bb;
      double* bj = Bound ? bb + p.offsetJ : bb;
      Add::block(p.sizeI, p.sizeJ, v, xx + p.offsetJ, yi, bi);
      v += p.sizeI * p.sizeJ;
      Add::block(p.sizeJ, p.sizeI, mirror, xx + p.offsetI, yj, bj);
      mirror += p.sizeI * p.sizeJ;
    }
  };
  if (!y.empty() && !bound.empty()) all.operator()<true, true>();
  if (!y.empty() && bound.empty()) all.operator()<true, false>();
  if (y.empty() && !bound.empty()) all.operator()<false, true>();
}

namespace {

// yi += b xj and yj += bᵀ xi for a row b of C values, with their bounds. Sums in the order of multiply().
template <int C>
inline void rowBoth(const double* b, const double* xj, double xi, double& yi, double& boundI, double* yj,
                    double* boundJ) {
  kernels::Pack sum{}, sumAbs{};
  for (int c = 0; c + 1 < C; c += 2) {
    const kernels::Pack v = kernels::load(b + c), own = v * kernels::load(xj + c), other = v * xi;
    sum += own;
    sumAbs += kernels::abs(own);
    kernels::store(yj + c, kernels::load(yj + c) + other);
    kernels::store(boundJ + c, kernels::load(boundJ + c) + kernels::abs(other));
  }
  double s = sum[0] + sum[1], a = sumAbs[0] + sumAbs[1];
  if constexpr (C % 2 == 1) {
    const double own = b[C - 1] * xj[C - 1], other = b[C - 1] * xi;
    s += own;
    a += std::fabs(own);
    yj[C - 1] += other;
    boundJ[C - 1] += std::fabs(other);
  }
  yi += s;
  boundI += a;
}

}  // namespace

void BlockMatrix::multiplySymmetric(std::span<const double> x, std::span<double> y, std::span<double> bound) const {
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(bound.begin(), bound.end(), 0.0);
  const double* v = values_.data();
  for (int i = 0; i < nodes(); ++i) {
    const int n = size(i), o = offset(i);
    if (n == 1) {
      const double product = *v * x[static_cast<std::size_t>(o)];
      y[static_cast<std::size_t>(o)] += product;
      bound[static_cast<std::size_t>(o)] += std::fabs(product);
    } else {
      MultiplyAdd<true, true>::block(n, n, v, x.data() + o, y.data() + o, bound.data() + o);
    }
    v += n * n;
  }
  for (const Pair& p : pairs_) {
    const double *xi = x.data() + p.offsetI, *xj = x.data() + p.offsetJ;
    double *yi = y.data() + p.offsetI, *yj = y.data() + p.offsetJ;
    double *bi = bound.data() + p.offsetI, *bj = bound.data() + p.offsetJ;
    const double* b = values_.data() + p.start;
    const auto rows = [&]<int C>() {
      for (int r = 0; r < p.sizeI; ++r, b += C) rowBoth<C>(b, xj, xi[r], yi[r], bi[r], yj, bj);
    };
    if (p.sizeI == 1 && p.sizeJ == 1) {
      const double own = b[0] * xj[0], other = b[0] * xi[0];
      yi[0] += own;
      bi[0] += std::fabs(own);
      yj[0] += other;
      bj[0] += std::fabs(other);
    } else if (p.sizeI == 6 && p.sizeJ == 1)  // a column lies in memory as a row
      rowBoth<6>(b, xi, xj[0], yj[0], bj[0], yi, bi);
    else if (p.sizeJ == 1)
      rows.operator()<1>();
    else if (p.sizeJ == 6)
      rows.operator()<6>();
    else
      kernels::dispatch(p.sizeJ, rows);
  }
}

}  // namespace reeve
