// BlockFactor: the plan for a pattern, and the solution with a factor.
#include "reeve/linear/block_factor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reeve/linear/block_kernels.h"

namespace reeve {

namespace {

constexpr int maxRefinements = 4;
constexpr double huge = 1e300;  // beyond this, or not a number: not finite

}  // namespace

void BlockFactor::analyze(const BlockMatrix& a, std::span<const NodeKind> kinds) {
  const int n = a.nodes();
  kind_.assign(kinds.begin(), kinds.end());
  size_.resize(at(n));
  mendRoom_.resize(at(n));
  start_.assign(at(n + 1), 0);
  delayed_.assign(at(n), 0);
  undelayed_.assign(at(n), 0);
  for (int i = 0; i < n; ++i)
    if (kind_[at(i)] == NodeKind::light) {
      kind_[at(i)] = NodeKind::coordinate;
      delayed_[at(i)] = 1;
    }
  for (int i = 0; i < n; ++i) size_[at(i)] = mendRoom_[at(i)] = a.size(i);
  for (int s = n; s < a.slots(); ++s) ++start_[at(a.slotRow(s) + 1)];
  for (int i = 0; i < n; ++i) start_[at(i + 1)] += start_[at(i)];
  neighbour_.resize(at(start_[at(n)]));
  for (int s = n; s < a.slots(); ++s) neighbour_[at(start_[at(a.slotRow(s))]++)] = a.slotColumn(s);
  for (int i = n; i > 0; --i) start_[at(i)] = start_[at(i - 1)];
  start_[0] = 0;
  unmended_ = delayed_;
  mends_ = 0;
  lightScans_ = 0;
  plan(a, -1);
}

void BlockFactor::forget(const BlockMatrix& a) {
  mends_ = 0;
  lightScans_ = 0;
  mendRoom_ = size_;
  if (delayed_ == unmended_) return;
  delayed_ = unmended_;
  plan(a, -1);
}

// Order, panels and the places of the matrix's blocks in them. Gives up if the factor would have more blocks than the
// limit (if that is not negative).
bool BlockFactor::plan(const BlockMatrix& a, std::int64_t limit) {
  if (!order_.compute({size_, kind_, delayed_, start_, neighbour_}, limit)) return false;
  const int n = a.nodes();
  pivot_.resize(at(n));
  int x = 0;
  for (int k = 0; k < n; ++k) {
    const int node = order_.order()[at(k)];
    pivot_[at(k)].size = a.size(node);
    pivot_[at(k)].row = kind_[at(node)] == NodeKind::row;
    pivot_[at(k)].x = x;
    pivot_[at(k)].node = a.offset(node);
    x += a.size(node);
  }
  findPadding();
  later_.clear();
  stretch_.clear();
  nonzeros_ = 0;
  std::size_t panel = 0;
  int longest = 0;
  for (int k = 0; k < n; ++k) {
    Pivot& p = pivot_[at(k)];
    p.first = static_cast<int>(later_.size());
    p.stride = p.size;
    for (const int j : paddedColumn(k)) {
      later_.push_back({j, p.stride, pivot_[at(j)].size, pivot_[at(j)].x});
      p.stride += pivot_[at(j)].size;
    }
    p.last = static_cast<int>(later_.size());
    p.firstStretch = static_cast<int>(stretch_.size());
    for (int l = p.first; l < p.last; ++l) {
      const Later& to = later_[at(l)];
      const bool single = to.size == 1;
      if (l > p.first && single && stretch_.back().singles && stretch_.back().x + stretch_.back().width == to.x)
        ++stretch_.back().width;
      else
        stretch_.push_back({to.column, to.size, to.x, single});
    }
    p.lastStretch = static_cast<int>(stretch_.size());
    p.panel = panel;
    panel += at(p.size * p.stride);
    nonzeros_ += p.size * (p.size + 1) / 2;
    for (const int j : order_.column(k)) nonzeros_ += p.size * pivot_[at(j)].size;  // zeros of padding are none
    longest = std::max(longest, p.last - p.first);
  }
  run_.resize(at(longest + 1));
  keepRuns();
  keepPlaces();
  planEntries(a);
  findChains(a);
  const std::size_t dimension = at(a.rows());
  upper_.resize(panel);
  lower_.resize(panel);
  scale_.resize(dimension);
  permutation_.resize(dimension);
  suspect_.clear();
  suspect_.reserve(at(n));
  y_.resize(dimension);
  residual_.resize(dimension);
  bound_.resize(dimension);
  best_.resize(dimension);
  return true;
}

// Lists the blocks of the matrix by the pivot whose panel they belong to, the diagonal block first.
void BlockFactor::planEntries(const BlockMatrix& a) {
  const auto position = order_.position();
  const int n = a.nodes();
  const int pairs = (a.slots() - n) / 2;
  entry_.resize(at(n + pairs));
  for (Pivot& p : pivot_) p.lastEntry = 1;
  for (int s = n; s < a.slots(); s += 2)
    ++pivot_[at(std::min(position[at(a.slotRow(s))], position[at(a.slotColumn(s))]))].lastEntry;
  int sum = 0;
  for (int k = 0; k < n; ++k) {
    Pivot& p = pivot_[at(k)];
    p.firstEntry = sum;
    sum += p.lastEntry;
    p.lastEntry = p.firstEntry;
    const int own = a.start(a.diagonal(order_.order()[at(k)]));
    entry_[at(p.lastEntry++)] = {own, own, 0, static_cast<std::int16_t>(p.size), false};
  }
  for (int s = n; s < a.slots(); s += 2) {
    const int i = position[at(a.slotRow(s))];
    const int j = position[at(a.slotColumn(s))];
    Pivot& p = pivot_[at(std::min(i, j))];
    const auto found = std::lower_bound(later_.begin() + p.first, later_.begin() + p.last, std::max(i, j),
                                        [](const Later& l, int wanted) { return l.position < wanted; });
    entry_[at(p.lastEntry++)] = {a.start(s), a.start(s + 1), found->column, static_cast<std::int16_t>(found->size),
                                 i > j};
  }
}

// forward() and backward() of a single scalar in a symmetric factor: the same numbers.
inline void BlockFactor::forwardScalar(const Pivot& p, double b) {
  const double* panel = upper_.data() + p.panel;
  double* const y = y_.data();
  const double sum = b + y[p.x], t = sum * panel[0];
  y[p.x] = sum;
  for (const Stretch *to = stretch_.data() + p.firstStretch, *end = stretch_.data() + p.lastStretch; to < end; ++to) {
    const double* v = panel + to->column;
    double* sums = y + to->x;
    int c = 0;
    for (; !to->singles && c + 1 < to->width; c += 2)
      kernels::store(sums + c, kernels::load(sums + c) - t * kernels::load(v + c));
    for (; c < to->width; ++c) sums[c] -= t * v[c];
  }
}

inline void BlockFactor::backwardScalar(const Pivot& p, double& x, bool add) {
  const double* panel = upper_.data() + p.panel;
  double* const y = y_.data();
  double t = y[p.x];
  kernels::Pack sum{};
  for (const Stretch *from = stretch_.data() + p.firstStretch, *end = stretch_.data() + p.lastStretch; from < end;
       ++from) {
    const double *v = panel + from->column, *solved = y + from->x;
    int c = 0;
    for (; !from->singles && c + 1 < from->width; c += 2) sum += kernels::load(v + c) * kernels::load(solved + c);
    for (; c < from->width; ++c) t -= v[c] * solved[c];
  }
  t -= sum[0] + sum[1];
  t *= panel[0];
  y[p.x] = t;
  x = add ? x + t : t;
}

template <int N>
void BlockFactor::forward(const Pivot& p, const double* b) {
  if constexpr (N == 1)
    if (symmetric_) return forwardScalar(p, b[0]);
  const double* panel = upper_.data() + p.panel;
  const int ld = p.stride;
  double* y = y_.data() + p.x;
  double t[N];
  if (symmetric_) {
    for (int m = 0; m < N; ++m) t[m] = b[m] + y[m];
    for (int m = 0; m < N; ++m)
      for (int k = m + 1; k < N; ++k) t[k] -= panel[m * ld + k] * t[m];
    for (int m = 0; m < N; ++m) {
      y[m] = t[m];
      t[m] *= panel[m * ld + m];
    }
  } else {
    for (int m = 0; m < N; ++m) t[m] = b[permutation_[at(p.x + m)]] + y[permutation_[at(p.x + m)]];
    for (int m = 0; m < N; ++m)
      for (int k = m + 1; k < N; ++k) t[k] -= panel[k * ld + m] * t[m];
    for (int m = 0; m < N; ++m) y[m] = t[m];
    panel = lower_.data() + p.panel;
  }
  for (int l = p.firstStretch; l < p.lastStretch; ++l) {
    const Stretch& to = stretch_[at(l)];
    double* sums = y_.data() + to.x;
    if (!to.singles) {
      kernels::subtractCombination<N>(sums, panel + to.column, ld, t, to.width);
      continue;
    }
    // One by one: pairs would straddle what the pivot before has just written.
    for (int c = 0; c < to.width; ++c) {
      double sum = sums[c];
      for (int m = 0; m < N; ++m) sum -= t[m] * panel[m * ld + to.column + c];
      sums[c] = sum;
    }
  }
}

template <int N>
void BlockFactor::backward(const Pivot& p, double* x, bool add) {
  if constexpr (N == 1)
    if (symmetric_) return backwardScalar(p, x[0], add);
  const double* panel = upper_.data() + p.panel;
  const int ld = p.stride;
  double* y = y_.data() + p.x;
  double t[N];
  kernels::Pack sum[N];  // even and odd columns apart
  for (int m = 0; m < N; ++m) {
    t[m] = y[m];
    sum[m] = kernels::Pack{};
  }
  for (int l = p.firstStretch; l < p.lastStretch; ++l) {
    const Stretch& from = stretch_[at(l)];
    const double *v = panel + from.column, *solved = y_.data() + from.x;
    int c = 0;
    for (; !from.singles && c + 1 < from.width; c += 2) {
      const kernels::Pack x2 = kernels::load(solved + c);
      for (int m = 0; m < N; ++m) sum[m] += kernels::load(v + m * ld + c) * x2;
    }
    for (; c < from.width; ++c)
      for (int m = 0; m < N; ++m) t[m] -= v[m * ld + c] * solved[c];
  }
  for (int m = 0; m < N; ++m) t[m] -= sum[m][0] + sum[m][1];
  if (symmetric_) {
    for (int m = N - 1; m >= 0; --m) {
      t[m] *= panel[m * ld + m];
      for (int k = m + 1; k < N; ++k) t[m] -= panel[m * ld + k] * t[k];
    }
  } else {
    for (int m = N - 1; m >= 0; --m) {
      for (int k = m + 1; k < N; ++k) t[m] -= panel[m * ld + k] * t[k];
      t[m] *= panel[m * ld + m];
    }
  }
  for (int m = 0; m < N; ++m) {
    y[m] = t[m];
    x[m] = add ? x[m] + t[m] : t[m];
  }
}

// x = F⁻¹b, or x += F⁻¹b.
void BlockFactor::applyInverse(std::span<const double> b, std::span<double> x, bool add) {
  std::fill(y_.begin(), y_.end(), 0.0);
  std::size_t chains = 0;
  for (std::size_t k = 0; k < pivot_.size(); ++k) {
    if (symmetric_ && chains < chain_.size() && chain_[chains].begin == static_cast<int>(k)) {
      forward(chain_[chains], b.data());
      k = at(chain_[chains++].end) - 1;
      continue;
    }
    const Pivot& p = pivot_[k];
    if (p.size == 1)
      forward<1>(p, b.data() + p.node);
    else
      kernels::dispatch(p.size, [&]<int N>() { forward<N>(p, b.data() + p.node); });
  }
  for (std::size_t k = pivot_.size(); k-- > 0;) {
    if (chains > 0 && chain_[chains - 1].end == static_cast<int>(k) + 1) {
      backward(chain_[--chains], x.data(), add);
      k = at(chain_[chains].begin);
      continue;
    }
    const Pivot& p = pivot_[k];
    kernels::dispatch(p.size, [&]<int N>() { backward<N>(p, x.data() + p.node, add); });
  }
}

// residual = b - A x; returns the componentwise backward error, infinite if x is not finite.
double BlockFactor::measure(const BlockMatrix& a, std::span<const double> b, std::span<const double> x) {
  if (symmetric_ && !chain_.empty())
    multiplyChains(a, x, residual_, bound_);
  else
    symmetric_ ? a.multiplySymmetric(x, residual_, bound_) : a.multiply(x, residual_, bound_);
  // Components that are rounding of rounding (motion across the plane of a plane mechanism) have no error of their own.
  double largest = 0;
  for (std::size_t i = 0; i < b.size(); ++i) largest = std::max(largest, bound_[i] + std::fabs(b[i]));
  const double floor = 1e-18 * largest;
  double error = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    residual_[i] = b[i] - residual_[i];
    const double scale = std::max(bound_[i] + std::fabs(b[i]), floor);
    const double r = std::fabs(residual_[i]);
    if (r <= error * scale) continue;
    if (!(r < huge && scale < huge)) return std::numeric_limits<double>::infinity();
    error = r / scale;
  }
  return error;
}

void BlockFactor::solve(const BlockMatrix& a, std::span<const double> b, std::span<double> x, double enough) {
  apply(b, x);
  refine(a, b, x, enough);
}

void BlockFactor::refine(const BlockMatrix& a, std::span<const double> b, std::span<double> x, double enough) {
  backwardError_ = measure(a, b, x);
  for (refinements_ = 0; refinements_ < maxRefinements; ++refinements_) {
    if (backwardError_ <= enough || !(backwardError_ < huge)) return;
    std::copy(x.begin(), x.end(), best_.begin());
    applyInverse(residual_, x, true);
    const double error = measure(a, b, x);
    if (!(error < backwardError_)) {
      std::copy(best_.begin(), best_.end(), x.begin());
      return;
    }
    const bool slow = error > 0.5 * backwardError_;
    backwardError_ = error;
    if (slow) {
      ++refinements_;
      return;
    }
  }
}

}  // namespace reeve
