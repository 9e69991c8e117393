// BlockFactor: numerical elimination, pivot by pivot.
#include <algorithm>
#include <cmath>

#include "reeve/linear/block_factor.h"
#include "reeve/linear/block_kernels.h"

namespace reeve {

namespace {

constexpr double cancelled = 1e-10;    // below this it asks for a better order in any case
constexpr double singular = 1e-13;     // below this it is rounding only, and is replaced
constexpr double replacement = 1e-11;  // by this part of its scale

// Calls f<V>(c, read, write) for columns c in [begin, end): two at a time as a Pack, the odd one as a double.
template <class F>
inline void forColumns(int begin, int end, F&& f) {
  int c = begin;
  for (; c + 1 < end; c += 2) f.template operator()<kernels::Pack>(c, kernels::load, kernels::store);
  if (c < end)
    f.template operator()<double>(
        c, [](const double* p) { return *p; }, [](double* p, double v) { *p = v; });
}

}  // namespace

// Adds the matrix's own blocks to the panel of p, which holds what earlier pivots have contributed.
template <int N>
void BlockFactor::load(const BlockMatrix& a, const Pivot& p) {
  const double *values = a.values(0), *mirrors = a.nodes() < a.slots() ? a.values(a.nodes() + 1) : nullptr;
  double* upper = upper_.data() + p.panel;
  double* lower = lower_.data() + p.panel;
  const int ld = p.stride;
  const auto add = [ld](double* to, const double* block, int columns) {
    if (columns == 1) {
      for (int r = 0; r < N; ++r) to[r * ld] += block[r];
      return;
    }
    kernels::dispatch(columns, [&]<int C>() {
      for (int r = 0; r < N; ++r)
        for (int c = 0; c < C; ++c) to[r * ld + c] += block[r * C + c];
    });
  };
  const auto addTransposed = [ld](double* to, const double* block, int columns) {
    for (int c = 0; c < columns; ++c)
      for (int r = 0; r < N; ++r) to[r * ld + c] += block[c * N + r];
  };
  for (int q = p.firstEntry; q < p.lastEntry; ++q) {
    const Entry& e = entry_[at(q)];
    const double* block = values + e.first;
    if (symmetric_ || q == p.firstEntry) {
      if constexpr (N == 1) {  // a row and a column lie in memory alike
        double* to = upper + e.column;
        if (e.columns == 1)
          to[0] += block[0];
        else if (e.columns == 6)
          for (int c = 0; c < 6; c += 2) kernels::store(to + c, kernels::load(to + c) + kernels::load(block + c));
        else
          for (int c = 0; c < e.columns; ++c) to[c] += block[c];
      } else
        e.swapped ? addTransposed(upper + e.column, block, e.columns) : add(upper + e.column, block, e.columns);
      continue;
    }
    const double* mirror = mirrors + e.mirror;
    if (e.swapped) std::swap(block, mirror);
    add(upper + e.column, block, e.columns);
    addTransposed(lower + e.column, mirror, e.columns);
  }
  const double* own = values + entry_[at(p.firstEntry)].first;
  double* scale = scale_.data() + p.x;
  for (int r = 0; r < N; ++r)
    scale[r] = std::max({scale[r], std::fabs(own[r * (N + 1)]), std::fabs(upper[r * (ld + 1)])});
}

// Judges scalar pivot c of p against everything that was accumulated into it; replaces it if it is rounding only.
double BlockFactor::usablePivot(const Pivot& p, int c, double pivot) {
  const double scale = scale_[at(p.x + c)];
  if (!(std::fabs(pivot) <= scale)) {
    usable_ = false;  // not a number
    return pivot;
  }
  const int k = static_cast<int>(&p - pivot_.data());
  if (suspect_.empty() || suspect_.back().position != k) suspect_.push_back({k, false});
  if (std::fabs(pivot) > cancelled * scale) return pivot;
  suspect_.back().severe = true;
  if (std::fabs(pivot) > singular * scale) return pivot;
  ++perturbed_;
  if (!p.row) usable_ = false;
  const double size = scale > 0 ? replacement * scale : 1.0;
  return p.row ? -size : size;
}

// The two kinds of scalar that a cable over wheels is made of, without asking about sizes again: a wheel between two
// spans, and a span before the next one with a body that the wheels sit on. False: it is neither.
inline bool BlockFactor::eliminateTwo(const Pivot& p, double inverse, const int* place) {
  const Later &first = later_[at(p.first)], &second = later_[at(p.first + 1)];
  if (first.size != 1 || (second.size != 1 && second.size != 6)) return false;
  double* const upper = upper_.data();
  const double* panel = upper + p.panel;
  const double u = panel[first.column], g = inverse * u;
  double& to = upper[place[0]];
  to -= g * u;
  scale_[at(first.x)] = std::max(scale_[at(first.x)], std::fabs(to));
  const double* v = panel + second.column;
  double *y = upper + place[1], *own = upper + place[2], *scale = scale_.data() + second.x;
  if (second.size == 1) {
    y[0] -= g * v[0];
    own[0] -= (inverse * v[0]) * v[0];
    scale[0] = std::max(scale[0], std::fabs(own[0]));
    return true;
  }
  for (int c = 0; c < 6; c += 2) kernels::store(y + c, kernels::load(y + c) - g * kernels::load(v + c));
  const int stride = pivot_[at(second.position)].stride;
  const double weight[1] = {inverse};
  kernels::subtractTriangle<1, 6>(own, stride, v, p.stride, weight);
  for (int r = 0; r < 6; ++r) scale[r] = std::max(scale[r], std::fabs(own[r * (stride + 1)]));
  return true;
}

// eliminateSymmetric() for a single scalar with few later nodes, most of a cable over wheels: the same, node by node,
// as finding out about runs would take longer than the products.
void BlockFactor::eliminateScalar(const Pivot& p) {
  double* panel = upper_.data() + p.panel;
  double pivot = panel[0];
  if (!(std::fabs(pivot) > doubtful * scale_[at(p.x)])) pivot = usablePivot(p, 0, pivot);
  const double inverse = 1.0 / pivot, weight[1] = {inverse};
  panel[0] = inverse;
  const int* place = place_.data() + p.places;
  if (p.last - p.first == 2 && eliminateTwo(p, inverse, place)) return;
  for (int l = p.first; l < p.last; ++l) {
    const Later& target = later_[at(l)];
    const double* own = panel + target.column;
    double* scale = scale_.data() + target.x;
    double* to = upper_.data() + *place++;
    if (target.size == 1) {
      const double g = inverse * own[0];
      *to -= g * own[0];
      *scale = std::max(*scale, std::fabs(*to));
      for (int j = l + 1; j < p.last; ++j) {
        const Later& other = later_[at(j)];
        double* y = upper_.data() + *place++;
        const double* v = panel + other.column;
        if (other.size == 1)
          y[0] -= g * v[0];
        else if (other.size == 6)
          for (int c = 0; c < 6; c += 2) kernels::store(y + c, kernels::load(y + c) - g * kernels::load(v + c));
        else
          for (int c = 0; c < other.size; ++c) y[c] -= g * v[c];
      }
      continue;
    }
    const int stride = pivot_[at(target.position)].stride, n = target.size;
    if (n == 6)
      kernels::subtractTriangle<1, 6>(to, stride, own, p.stride, weight);
    else
      for (int r = 0; r < n; ++r)
        for (int c = r; c < n; ++c) to[r * stride + c] -= inverse * own[r] * own[c];
    for (int r = 0; r < n; ++r) scale[r] = std::max(scale[r], std::fabs(to[r * (stride + 1)]));
    for (int j = l + 1; j < p.last; ++j) {
      const Later& other = later_[at(j)];
      double* y = upper_.data() + *place++;
      const double* v = panel + other.column;
      for (int r = 0; r < n; ++r) {
        const double g = inverse * own[r];
        for (int c = 0; c < other.size; ++c) y[r * stride + c] -= g * v[c];
      }
    }
  }
}

template <int N>
void BlockFactor::eliminateSymmetric(const Pivot& p) {
  double* panel = upper_.data() + p.panel;
  const int ld = p.stride;
  // D = RᵀCR on the upper triangle; the panel then holds R above the diagonal and 1/C on it.
  double inverse[N];
  for (int c = 0; c < N; ++c) {
    double pivot = panel[c * ld + c];
    if (!(std::fabs(pivot) > doubtful * scale_[at(p.x + c)])) pivot = usablePivot(p, c, pivot);
    inverse[c] = 1.0 / pivot;
    for (int r = c + 1; r < N; ++r) {
      const double factor = panel[c * ld + r] * inverse[c];
      for (int k = r; k < N; ++k) panel[r * ld + k] -= factor * panel[c * ld + k];
    }
    for (int r = c + 1; r < N; ++r) panel[c * ld + r] *= inverse[c];
    panel[c * ld + c] = inverse[c];
  }
  // V = R⁻ᵀU
  if constexpr (N > 1) {
    double r[N][N];
    for (int c = 0; c < N; ++c)
      for (int k = c + 1; k < N; ++k) r[c][k] = panel[c * ld + k];
    forColumns(N, ld, [&]<class V>(int c, auto read, auto write) {
      V v[N];
      for (int m = 0; m < N; ++m) v[m] = read(panel + m * ld + c);
      for (int m = 0; m < N; ++m)
        for (int k = m + 1; k < N; ++k) v[k] -= r[m][k] * v[m];
      for (int m = 1; m < N; ++m) write(panel + m * ld + c, v[m]);
    });
  }
  // Later blocks lose VᵀC⁻¹V, upper triangle.
  const Run* run = p.runs < 0 ? nullptr : keptRun_.data() + p.runs;
  for (int l = p.first; l < p.last; ++l) {
    const Later target = later_[at(l)];
    const Pivot& t = pivot_[at(target.position)];
    int runs = 1;
    const Run* all = run;
    if (run) {
      runs = run->left + 1;
      run += runs;
    } else {
      runs = findRuns(p, l);
      all = run_.data();
    }
    double* to = upper_.data() + t.panel;
    double* scale = scale_.data() + target.x;
    if (target.size == 6 && runs == 1 && all[0].width == 6) {  // a body, the last one: nothing but its own block
      kernels::subtractTriangle<N, 6>(to, t.stride, panel + target.column, ld, inverse);
      for (int r = 0; r < 6; ++r) scale[r] = std::max(scale[r], std::fabs(to[r * (t.stride + 1)]));
      continue;
    }
    for (int r = 0; r < target.size; ++r, to += t.stride) {
      double g[N];
      for (int m = 0; m < N; ++m) g[m] = inverse[m] * panel[m * ld + target.column + r];
      kernels::subtractCombination<N>(to + r, panel + target.column + r, ld, g, all[0].width - r);
      for (int q = 1; q < runs; ++q)
        kernels::subtractCombination<N>(to + all[q].to, panel + all[q].from, ld, g, all[q].width);
      scale[r] = std::max(scale[r], std::fabs(to[r]));
    }
  }
}

template <int N>
void BlockFactor::eliminateUnsymmetric(const Pivot& p) {
  double* panel = upper_.data() + p.panel;
  double* lower = lower_.data() + p.panel;
  const int ld = p.stride;
  // PD = LR in place (L below, R above, 1/R on the diagonal), rows compared relative to their largest entry.
  double d[N][N], weight[N], diagonal[N];
  int from[N];
  for (int r = 0; r < N; ++r) {
    double largest = 0;
    for (int c = 0; c < N; ++c) {
      d[r][c] = panel[r * ld + c];
      largest = std::max(largest, std::fabs(d[r][c]));
    }
    weight[r] = largest > 0 ? 1.0 / largest : 0.0;
    from[r] = r;
  }
  for (int c = 0; c < N; ++c) {
    int best = c;
    for (int r = c + 1; r < N; ++r)
      if (std::fabs(d[r][c]) * weight[r] > 1.25 * std::fabs(d[best][c]) * weight[best]) best = r;
    if (best != c) {
      std::swap(d[best], d[c]);
      std::swap(weight[best], weight[c]);
      std::swap(from[best], from[c]);
    }
    double pivot = d[c][c];
    if (!(std::fabs(pivot) > doubtful * scale_[at(p.x + from[c])])) pivot = usablePivot(p, from[c], pivot);
    diagonal[c] = 1.0 / pivot;
    for (int r = c + 1; r < N; ++r) {
      d[r][c] *= diagonal[c];
      for (int k = c + 1; k < N; ++k) d[r][k] -= d[r][c] * d[c][k];
    }
  }
  for (int r = 0; r < N; ++r) {
    permutation_[at(p.x + r)] = static_cast<std::uint8_t>(from[r]);
    for (int c = 0; c < N; ++c) panel[r * ld + c] = r == c ? diagonal[r] : d[r][c];
  }
  // V = L⁻¹PU, W = R⁻ᵀLᵀ
  const auto substitute = [&]<class V>(int c, auto read, auto write) {
    V v[N], w[N];
    for (int m = 0; m < N; ++m) {
      v[m] = read(panel + from[m] * ld + c);
      w[m] = read(lower + m * ld + c);
    }
    for (int m = 0; m < N; ++m) {
      w[m] *= diagonal[m];
      for (int k = m + 1; k < N; ++k) {
        v[k] -= d[k][m] * v[m];
        w[k] -= d[m][k] * w[m];
      }
    }
    for (int m = 0; m < N; ++m) {
      write(panel + m * ld + c, v[m]);
      write(lower + m * ld + c, w[m]);
    }
  };
  forColumns(N, ld, substitute);
  updateUnsymmetric<N>(p);
}

// Later blocks lose WᵀV.
template <int N>
void BlockFactor::updateUnsymmetric(const Pivot& p) {
  const double* panel = upper_.data() + p.panel;
  const double* lower = lower_.data() + p.panel;
  const int ld = p.stride;
  for (int l = p.first; l < p.last; ++l) {
    const Later target = later_[at(l)];
    const Pivot& t = pivot_[at(target.position)];
    int runs = 1;
    if (l + 1 < p.last)
      runs = findRuns(p, l);
    else
      run_[0] = {target.column, 0, target.size};
    double* to = upper_.data() + t.panel;
    double* toLower = lower_.data() + t.panel;
    for (int r = 0; r < target.size; ++r, to += t.stride, toLower += t.stride) {
      double v[N], w[N];
      for (int m = 0; m < N; ++m) {
        v[m] = panel[m * ld + target.column + r];
        w[m] = lower[m * ld + target.column + r];
      }
      for (int q = 0; q < runs; ++q) {
        const Run run = run_[at(q)];
        // The first run begins with the diagonal block, which the lower part does not have.
        const int skip = q == 0 ? target.size : 0;
        kernels::subtractCombination<N>(to + run.to, panel + run.from, ld, w, run.width);
        kernels::subtractCombination<N>(toLower + run.to + skip, lower + run.from + skip, ld, v, run.width - skip);
      }
      double& scale = scale_[at(target.x + r)];
      scale = std::max(scale, std::fabs(to[r]));
    }
  }
}

bool BlockFactor::refactor(const BlockMatrix& a) {
  suspect_.clear();
  perturbed_ = 0;
  usable_ = true;
  std::fill(upper_.begin(), upper_.end(), 0.0);
  if (!symmetric_) std::fill(lower_.begin(), lower_.end(), 0.0);
  std::fill(scale_.begin(), scale_.end(), 0.0);
  std::size_t chains = 0;
  for (std::size_t k = 0; k < pivot_.size(); ++k) {
    if (symmetric_ && chains < chain_.size() && chain_[chains].begin == static_cast<int>(k)) {
      eliminate(a, chain_[chains]);
      k = at(chain_[chains++].end) - 1;
      continue;
    }
    const Pivot& p = pivot_[k];
    kernels::dispatch(p.size, [&]<int N>() {
      load<N>(a, p);
      if (N == 1 && symmetric_ && p.places >= 0)
        eliminateScalar(p);
      else
        symmetric_ ? eliminateSymmetric<N>(p) : eliminateUnsymmetric<N>(p);
    });
  }
  return usable_;
}

}  // namespace reeve
