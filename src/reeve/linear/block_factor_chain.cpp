// BlockFactor: long chains. A cable over wheels is eliminated wheel by wheel and span by span: thousands of single
// scalars, each coupled with the next one, two or three in the order and with one hub (a body that many wheels sit on).
// In the factor that is a band with a border. Nothing has to be looked up in it: of pivot k, whose panel is
// D | U₁ … Uₘ | border, the products of Uᵢ go to columns 0 … m − i of panel k + i, and to the border that ends it.
// The arithmetic is that of eliminateScalar(), forward() and backward().
//
// Columns are filled up with zeros where that makes a chain (findPadding).
#include <algorithm>
#include <cmath>
#include <iterator>

#include "reeve/linear/block_factor.h"
#include "reeve/linear/block_kernels.h"

namespace reeve {

namespace {

constexpr int widest = 3;       // scalars a pivot of a chain is coupled with
constexpr int borderWidth = 6;  // of the hub
constexpr int shortest = 16;    // pivots, for a chain to be worth it

}  // namespace

// Where wheels that turn and spans take turns in the order, and a body carries some of the wheels, a wheel is coupled
// with the next span and the one after that, but neither with the wheel between nor with the body. Zeros in those
// places make a band with a border of it, which costs less than to look up what is there.
void BlockFactor::findPadding() {
  padding_.clear();
  const int n = static_cast<int>(pivot_.size());
  // Whether a pivot may be part of a chain. `hub`: position, −1: none.
  const auto fits = [&](int k, int& hub) {
    hub = -1;
    if (pivot_[at(k)].size != 1) return false;
    for (const int j : order_.column(k)) {
      if (hub >= 0) return false;  // it is the last one
      if (pivot_[at(j)].size == borderWidth)
        hub = j;
      else if (pivot_[at(j)].size != 1 || j - k > widest)
        return false;
    }
    return true;
  };
  for (int begin = 0, end = 0; begin < n; begin = end) {
    int hub = -1, other = -1, borders = 0;
    for (end = begin; end < n && fits(end, other) && (other < 0 || hub < 0 || other == hub); ++end) {
      hub = std::max(hub, other);
      borders += other >= 0;
    }
    const int count = end - begin;
    // A border that only few have is not worth it.
    if (count >= shortest && borders > 0 && 4 * borders >= count) padding_.push_back({begin, end, hub});
    end = std::max(end, begin + 1);
  }
  if (padding_.empty()) return;
  fill_.resize(std::max(fill_.size(), pivot_.size()));
  for (std::vector<int>& f : fill_) f.clear();
}

// The later nodes of a pivot, with what padding adds, its own and that of pivots before it.
std::span<const int> BlockFactor::paddedColumn(int k) {
  const std::span<const int> own = order_.column(k);
  if (padding_.empty()) return own;
  const auto after = std::upper_bound(padding_.begin(), padding_.end(), k,
                                      [](int wanted, const Padding& p) { return wanted < p.begin; });
  const Padding* pad = after != padding_.begin() && k < std::prev(after)->end ? &*std::prev(after) : nullptr;
  if (!pad && fill_[at(k)].empty()) return own;
  column_.assign(own.begin(), own.end());
  column_.insert(column_.end(), fill_[at(k)].begin(), fill_[at(k)].end());
  if (pad) {
    int last = k;
    for (const int j : column_)
      if (j != pad->hub) last = std::max(last, j);
    if (last < pad->end) {
      for (int j = k + 1; j < last; ++j) column_.push_back(j);
      if (last > k) column_.push_back(pad->hub);
    }
  }
  std::sort(column_.begin(), column_.end());
  column_.erase(std::unique(column_.begin(), column_.end()), column_.end());
  // What this one has, the next one it is coupled with gets.
  if (column_.size() > 1) {
    const std::span<const int> next = order_.column(column_[0]);
    for (std::size_t i = 1; i < column_.size(); ++i)
      if (!std::binary_search(next.begin(), next.end(), column_[i])) fill_[at(column_[0])].push_back(column_[i]);
  }
  return column_;
}

void BlockFactor::findChains(const BlockMatrix& a) {
  chain_.clear();
  link_.clear();
  const int n = static_cast<int>(pivot_.size());
  // The number of scalars that follow, or −1 if the pivot has no place in a chain. `hub`: position, −1: none.
  const auto band = [&](int k, int& hub) {
    const Pivot& p = pivot_[at(k)];
    hub = -1;
    if (p.size != 1) return -1;
    int m = 0;
    for (int l = p.first; l < p.last; ++l) {
      const Later& to = later_[at(l)];
      if (to.size == 1 && to.position == k + m + 1 && m < widest)
        ++m;
      else if (to.size == borderWidth && l + 1 == p.last)
        hub = to.position;
      else
        return -1;
    }
    return m;
  };
  const auto entryAt = [&](const Pivot& p, int column) {
    for (int q = p.firstEntry; q < p.lastEntry; ++q)
      if (entry_[at(q)].column == column) return entry_[at(q)].first;
    return -1;
  };
  for (int begin = 0, end = 0; begin < n; begin = end) {
    int hub = -1, other = -1;
    end = begin + 1;
    if (band(begin, hub) < 0) continue;
    while (end < n && band(end, other) >= 0 && other == hub) ++end;
    int last = begin;  // what reaches beyond the end is left to others
    while (last < end && last + band(last, other) < end) ++last;
    if (last - begin < shortest) continue;
    Chain chain{begin, last, static_cast<int>(link_.size()), hub >= 0, 0, 0, 0, 0};
    if (hub >= 0) {
      chain.hubPanel = static_cast<int>(pivot_[at(hub)].panel);
      chain.hubStride = pivot_[at(hub)].stride;
      chain.hubX = pivot_[at(hub)].x;
      chain.hubNode = pivot_[at(hub)].node;
    }
    for (int k = begin; k < end; ++k) {  // those left over too: they are targets
      const Pivot& p = pivot_[at(k)];
      Link link;
      link.panel = static_cast<int>(p.panel);
      link.band = band(k, other);
      link.node = p.node;
      link.own = entryAt(p, 0);
      for (int i = 0; i < widest; ++i) link.entry[i] = i < link.band ? entryAt(p, 1 + i) : -1;
      link.border = hub >= 0 ? entryAt(p, 1 + link.band) : -1;
      link_.push_back(link);
    }
    chain_.push_back(chain);
  }
  // The blocks of the matrix that are in no chain.
  loose_.clear();
  if (chain_.empty()) return;
  const auto chained = [&](int k) {
    const auto after =
        std::upper_bound(chain_.begin(), chain_.end(), k, [](int wanted, const Chain& c) { return wanted < c.begin; });
    return after != chain_.begin() && k < std::prev(after)->end;
  };
  const auto position = order_.position();
  for (int i = 0; i < a.nodes(); ++i)
    if (!chained(position[at(i)])) loose_.push_back({a.offset(i), a.offset(i), a.size(i), a.size(i), a.start(i)});
  for (int s = a.nodes(); s < a.slots(); s += 2) {
    const int i = a.slotRow(s), j = a.slotColumn(s);
    if (chained(std::min(position[at(i)], position[at(j)]))) continue;
    loose_.push_back({a.offset(i), a.offset(j), a.size(i), a.size(j), a.start(s)});
  }
}

// y = A x and bound = |A| |x| of a symmetric matrix with chains.
void BlockFactor::multiplyChains(const BlockMatrix& a, std::span<const double> x, std::span<double> y,
                                 std::span<double> bound) const {
  std::fill(y.begin(), y.end(), 0.0);
  std::fill(bound.begin(), bound.end(), 0.0);
  const double* values = a.values(0);
  for (const Chain& chain : chain_) {
    const int hub = chain.hub ? chain.hubNode : 0;
    kernels::Pack xh[borderWidth / 2]{}, yh[borderWidth / 2]{}, bh[borderWidth / 2]{};
    for (int c = 0; chain.hub && c < borderWidth / 2; ++c) xh[c] = kernels::load(x.data() + hub + 2 * c);
    const Link* link = link_.data() + chain.firstLink;
    for (int k = chain.begin; k < chain.end; ++k, ++link) {
      const double xk = x[at(link->node)];
      const double own = values[link->own] * xk;
      double sum = own, size = std::fabs(own);
      for (int i = 0; i < link->band; ++i) {
        if (link->entry[i] < 0) continue;
        const double v = values[link->entry[i]];
        const std::size_t j = at(link[i + 1].node);
        const double here = v * x[j], there = v * xk;
        sum += here;
        size += std::fabs(here);
        y[j] += there;
        bound[j] += std::fabs(there);
      }
      if (link->border >= 0) {
        kernels::Pack s{}, b{};
        for (int c = 0; c < borderWidth / 2; ++c) {
          const kernels::Pack v = kernels::load(values + link->border + 2 * c), here = v * xh[c], there = v * xk;
          s += here;
          b += kernels::abs(here);
          yh[c] += there;
          bh[c] += kernels::abs(there);
        }
        sum += s[0] + s[1];
        size += b[0] + b[1];
      }
      y[at(link->node)] += sum;
      bound[at(link->node)] += size;
    }
    for (int c = 0; chain.hub && c < borderWidth / 2; ++c) {
      double *to = y.data() + hub + 2 * c, *size = bound.data() + hub + 2 * c;
      kernels::store(to, kernels::load(to) + yh[c]);
      kernels::store(size, kernels::load(size) + bh[c]);
    }
  }
  for (const Loose& p : loose_)
    for (int r = 0; r < p.rows; ++r)
      for (int c = 0; c < p.columns; ++c) {
        const double v = values[p.start + r * p.columns + c];
        const std::size_t i = at(p.i + r), j = at(p.j + c);
        y[i] += v * x[j];
        bound[i] += std::fabs(v * x[j]);
        if (p.i == p.j) continue;
        y[j] += v * x[i];
        bound[j] += std::fabs(v * x[i]);
      }
}

template <bool Hub>
void BlockFactor::eliminateChain(const BlockMatrix& a, const Chain& chain) {
  const double* values = a.values(0);
  double* const upper = upper_.data();
  // The hub's own block, by itself while the chain lasts.
  double hub[borderWidth * borderWidth], hubScale[borderWidth];
  for (int r = 0; Hub && r < borderWidth; ++r) {
    hubScale[r] = scale_[at(chain.hubX + r)];
    for (int c = r; c < borderWidth; ++c) hub[r * borderWidth + c] = upper[chain.hubPanel + r * chain.hubStride + c];
  }
  double* scale = scale_.data() + pivot_[at(chain.begin)].x;
  const Link* link = link_.data() + chain.firstLink;
  for (int k = chain.begin; k < chain.end; ++k, ++link, ++scale) {
    double* panel = upper + link->panel;
    const int m = link->band;
    double* border = panel + 1 + m;
    const double own = values[link->own];
    panel[0] += own;
    for (int i = 0; i < m; ++i)
      if (link->entry[i] >= 0) panel[1 + i] += values[link->entry[i]];
    if (Hub && link->border >= 0)
      for (int c = 0; c < borderWidth; c += 2)
        kernels::store(border + c, kernels::load(border + c) + kernels::load(values + link->border + c));
    double pivot = panel[0];
    scale[0] = std::max({scale[0], std::fabs(own), std::fabs(pivot)});
    if (!(std::fabs(pivot) > doubtful * scale[0])) pivot = usablePivot(pivot_[at(k)], 0, pivot);
    const double inverse = 1.0 / pivot;
    panel[0] = inverse;
    kernels::Pack h[borderWidth / 2];
    if (Hub)
      for (int c = 0; c < borderWidth / 2; ++c) h[c] = kernels::load(border + 2 * c);
    // With every length known where it is one of the usual ones.
    const auto reach = [&]<int M>() {
      const int band = M > 0 ? M : m;
      for (int i = 1; i <= band; ++i) {
        const Link& to = link[i];
        double* y = upper + to.panel;
        const double u = panel[i], g = inverse * u;
        y[0] -= g * u;
        scale[i] = std::max(scale[i], std::fabs(y[0]));
        for (int j = i + 1; j <= band; ++j) y[j - i] -= g * panel[j];
        if (!Hub) continue;
        double* b = y + 1 + to.band;
        for (int c = 0; c < borderWidth / 2; ++c) kernels::store(b + 2 * c, kernels::load(b + 2 * c) - g * h[c]);
      }
    };
    if (m == 3)
      reach.template operator()<3>();
    else if (m == 2)
      reach.template operator()<2>();
    else
      reach.template operator()<0>();
    if (!Hub) continue;
    const double weight[1] = {inverse};
    kernels::subtractTriangle<1, borderWidth>(hub, borderWidth, border, 0, weight);
    for (int r = 0; r < borderWidth; ++r) hubScale[r] = std::max(hubScale[r], std::fabs(hub[r * (borderWidth + 1)]));
  }
  for (int r = 0; Hub && r < borderWidth; ++r) {
    scale_[at(chain.hubX + r)] = hubScale[r];
    for (int c = r; c < borderWidth; ++c) upper[chain.hubPanel + r * chain.hubStride + c] = hub[r * borderWidth + c];
  }
}

template <bool Hub>
void BlockFactor::forwardChain(const Chain& chain, const double* b) {
  double* y = y_.data() + pivot_[at(chain.begin)].x;
  const Link* link = link_.data() + chain.firstLink;
  kernels::Pack sum[borderWidth / 2];
  for (int c = 0; Hub && c < borderWidth / 2; ++c) sum[c] = kernels::load(y_.data() + chain.hubX + 2 * c);
  for (int k = chain.begin; k < chain.end; ++k, ++link, ++y) {
    const double* panel = upper_.data() + link->panel;
    const int m = link->band;
    const double t = b[link->node] + y[0], g = t * panel[0];
    y[0] = t;
    for (int i = 1; i <= m; ++i) y[i] -= g * panel[i];
    for (int c = 0; Hub && c < borderWidth / 2; ++c) sum[c] -= g * kernels::load(panel + 1 + m + 2 * c);
  }
  for (int c = 0; Hub && c < borderWidth / 2; ++c) kernels::store(y_.data() + chain.hubX + 2 * c, sum[c]);
}

template <bool Hub>
void BlockFactor::backwardChain(const Chain& chain, double* x, bool add) {
  const int count = chain.end - chain.begin;
  double* y = y_.data() + pivot_[at(chain.begin)].x + count;
  const Link* link = link_.data() + chain.firstLink + count;
  kernels::Pack solved[borderWidth / 2];
  for (int c = 0; Hub && c < borderWidth / 2; ++c) solved[c] = kernels::load(y_.data() + chain.hubX + 2 * c);
  for (int k = 0; k < count; ++k) {
    --y, --link;
    const double* panel = upper_.data() + link->panel;
    const int m = link->band;
    double t = y[0];
    if (Hub) {
      kernels::Pack sum{};
      for (int c = 0; c < borderWidth / 2; ++c) sum += kernels::load(panel + 1 + m + 2 * c) * solved[c];
      t -= sum[0] + sum[1];
    }
    for (int i = m; i > 0; --i) t -= panel[i] * y[i];  // what was solved last comes last: all else need not wait for it
    t *= panel[0];
    y[0] = t;
    double& out = x[link->node];
    out = add ? out + t : t;
  }
}

void BlockFactor::eliminate(const BlockMatrix& a, const Chain& chain) {
  chain.hub ? eliminateChain<true>(a, chain) : eliminateChain<false>(a, chain);
}
void BlockFactor::forward(const Chain& chain, const double* b) {
  chain.hub ? forwardChain<true>(chain, b) : forwardChain<false>(chain, b);
}
void BlockFactor::backward(const Chain& chain, double* x, bool add) {
  chain.hub ? backwardChain<true>(chain, x, add) : backwardChain<false>(chain, x, add);
}

}  // namespace reeve
