#include "reeve/cables/hoist/span_lanes.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/pair.h"

namespace reeve {

namespace {

/// Tension may change by this share before derivatives are taken again.
constexpr double steady = 1e-3;
constexpr double twelfth = 1.0 / 12.0;
/// Leading minors are scaled back to one at every eighth node, whose number has these bits, so that they cannot leave
/// the range of numbers.
constexpr int rescale = 6;

/// Both directions of four spans at a node.
template <class V>
struct Both {
  V x, y;
  REEVE_WHOLE static Both none() { return {V::all(0.0), V::all(0.0)}; }
  REEVE_WHOLE static Both from(const double* p) { return {V::from(p), V::from(p + 4)}; }
  REEVE_WHOLE void to(double* p) const {
    x.to(p);
    y.to(p + 4);
  }
};
/// From (x, y) of two neighbouring nodes, span by span, to all x and all y at the one node and at the other.
template <class V>
REEVE_WHOLE void turn(const V (&v)[4], Both<V>& one, Both<V>& other) {
  const V x01 = evens(v[0], v[1]), y01 = odds(v[0], v[1]), x23 = evens(v[2], v[3]), y23 = odds(v[2], v[3]);
  one = {fronts(x01, x23), fronts(y01, y23)};
  other = {backs(x01, x23), backs(y01, y23)};
}

/// And back.
template <class V>
REEVE_WHOLE void turnBack(const Both<V>& one, const Both<V>& other, V (&v)[4]) {
  const V x01 = fronts(one.x, other.x), y01 = fronts(one.y, other.y), x23 = backs(one.x, other.x),
          y23 = backs(one.y, other.y);
  v[0] = evens(x01, y01), v[1] = odds(x01, y01), v[2] = evens(x23, y23), v[3] = odds(x23, y23);
}

/// What history foretells: how much of the newest increment, the one before and the one before that; of the drag.
struct History {
  double c0, c1, c2, back;
  explicit History(const WaveDrive& d)
      : c0(d.stretch * (d.second ? 5.0 / 3.0 : 1.5)),
        c1(d.stretch * (d.second ? -7.0 / 9.0 : -0.5)),
        c2(d.stretch * (d.second ? 1.0 / 9.0 : 0.0)),
        back(d.second ? 0.5 * d.stretch / (1.5 / d.rate) : 0.0) {}
};

struct Group {
  const WaveLane* lane[laneCount];  ///< where there is none, another stands in
  int n = 0;
  double scale = 0.0, rate = 0.0, drag = 0.0;  ///< b s²
  explicit Group(const Lanes& lanes) {
    const WaveLane* some = nullptr;
    for (const WaveLane* l : lanes)
      if (l) some = l;
    for (int i = 0; i < laneCount; ++i) lane[i] = lanes[i] ? lanes[i] : some;
    n = some->drive.pieces;
    scale = some->drive.scale;
    rate = some->drive.rate;
    drag = some->drive.damping * scale;
  }
  template <class V, class Of>
  REEVE_WHOLE V each(Of&& of) const {
    return V::of(of(*lane[0]), of(*lane[1]), of(*lane[2]), of(*lane[3]));
  }
};

/// Right sides and extents that hang on the past alone, two nodes at a time. An odd last node is taken with the one
/// before it once more.
template <class V>
REEVE_WHOLE void prepare(const Lanes& lanes, double* kept) {
  const Group g(lanes);
  const int n = g.n;
  double *right = kept, *over = kept + 8 * (n + 1);
  const double *u[4], *newest[4], *older[4], *oldest[4];
  V c0[4], c1[4], c2[4], dragNewest[4];
  for (int i = 0; i < 4; ++i) {
    const History h(g.lane[i]->drive);
    c0[i] = V::all(h.c0), c1[i] = V::all(h.c1), c2[i] = V::all(h.c2), dragNewest[i] = V::all(g.drag * h.back);
    const WaveField& f = g.lane[i]->field;
    u[i] = f.u, newest[i] = f.increment[0], older[i] = f.increment[1], oldest[i] = f.increment[2];
  }
  const V inv = g.each<V>([](const WaveLane&l) { return 1.0 / l.metric.link; }), inv2 = inv * inv;
  const V tw = V::all(twelfth), own = V::all(10.0 * twelfth), dragHere = V::all(g.drag * g.rate);
  Both<V> before = Both<V>::none(), here = before, main = before, place = before;
  // Node m + 1 has come: what node m is asked, and the link between them.
  const auto come = [&](int m, const Both<V>& after, const Both<V>& rest, const Both<V>& next)
      __attribute__((always_inline)) {
    Both<V>{tw * (before.x + after.x) + main.x, tw * (before.y + after.y) + main.y}.to(right + 8 * m);
    const V dx = next.x - place.x, dy = next.y - place.y, x = (dx * dx + dy * dy) * inv2;
    // 1/√(1 − x) = 1 + x/2 + 3x²/8 + 5x³/16
    (inv * (V::all(1.0) + x * (V::all(0.5) + x * (V::all(0.375) + x * V::all(0.3125))))).to(over + 4 * m + 4);
    before = here, here = after, main = rest, place = next;
  };
  for (int m = 0; m <= n; m += 2) {
    const int at = m < n ? m : m - 1;
    V foretold[4], rest[4], now[4];
    for (int i = 0; i < 4; ++i) {
      now[i] = V::from(u[i] + 2 * at);
      const V step = V::from(newest[i] + 2 * at);
      foretold[i] =
          now[i] + (c0[i] * step + (c1[i] * V::from(older[i] + 2 * at) + c2[i] * V::from(oldest[i] + 2 * at)));
      rest[i] = own * foretold[i] + (dragHere * now[i] + dragNewest[i] * step);
    }
    Both<V> f1, f2, r1, r2, u1, u2;
    turn(foretold, f1, f2);
    turn(rest, r1, r2);
    turn(now, u1, u2);
    if (m == 0)
      here = f1, main = r1, place = u1;
    else if (m < n)
      come(m - 1, f1, r1, u1);
    come(at, f2, r2, u2);
  }
}

/// One solve of four spans.
template <class V>
class Solve {
 public:
  REEVE_WHOLE Solve(const Lanes& lanes, const double* kept, double* work)
      : lanes_(lanes),
        g_(lanes),
        n_(g_.n),
        right_(kept),
        over_(kept + 8 * (n_ + 1)),
        u_(work),
        ratio_(work + 8 * (n_ + 1)),
        inverse_(work + 12 * (n_ + 1)),
        z_(work + 16 * (n_ + 1)) {
    const double s2 = g_.scale;
    pull_ = g_.template each<V>([&](const WaveLane& l) __attribute__((always_inline)) {
      return s2 * l.metric.eta * l.drive.tension / l.drive.mass;
    });
    along_ = g_.template each<V>([&](const WaveLane& l) __attribute__((always_inline)) { return s2 * l.drive.along; });
    least_ = V::all(0.1) * pull_;
    first_ = pull_ + V::all(0.5 * (n_ + 1)) * along_;
    own_ = 10.0 * twelfth + g_.drag * g_.rate;
  }

  REEVE_WHOLE unsigned run() {
    derives_ = wantsDerivatives();
    bool bounded = false;
    for (const WaveLane* l : g_.lane) {
      const double pull = l->metric.eta * l->drive.tension / l->drive.mass;
      bounded = bounded || 0.9 * pull < 0.5 * (n_ + 1) * std::fabs(l->drive.along);
    }
    if (bounded)
      down<true>();
    else
      down<false>();
    up();
    if (derives_) derive();
    return outcomes();
  }

 private:
  /// κ_j.
  template <bool bounded>
  REEVE_WHOLE V pullOf(int j, const V& number) const {
    const V pull = first_ - along_ * number;
    return (bounded ? larger(pull, least_) : pull) * V::from(over_ + 4 * j);
  }

  /// 1/pivot, k_{m,m+1}/pivot and D⁻¹L⁻¹ f in one walk. Pivots are quotients of leading minors, P_m = k_mm P_{m−1} −
  /// k²_{m−1,m} P_{m−2}: no division waits for another, and one serves two nodes.
  template <bool bounded>
  REEVE_WHOLE void down() {
    const int n = n_;
    const double* right = right_;
    double *ratios = ratio_, *inverses = inverse_, *f = u_;  // the shape takes the place of f on the way back
    const bool derives = derives_;
    const double s2 = g_.scale, move = 1.0 + g_.drag * g_.rate;
    Both<V> base, ramp;
    for (int c = 0; c < 2; ++c) {
      (c == 0 ? base.x : base.y) = g_.template each<V>([&](const WaveLane& l) __attribute__((always_inline)) {
        return s2 * l.drive.gravity[c] - move * l.drive.shift[0][c];
      });
      (c == 0 ? ramp.x : ramp.y) = g_.template each<V>([&](const WaveLane& l) __attribute__((always_inline)) {
        return -move * (l.drive.shift[1][c] - l.drive.shift[0][c]) / n;
      });
    }
    const V tw = V::all(twelfth), own = V::all(own_);
    const V unit = V::all(1.0);
    V before = pullOf<bounded>(1, unit), minor = unit, number = unit, older = V::all(0.0), squared = older,
      ratio = older;
    Both<V> y = Both<V>::none();
    ratio.to(ratios);
    const auto node = [&](int m, const V& number, const V& inverse, const V& coupling) __attribute__((always_inline)) {
      const Both<V> given = Both<V>::from(right + 8 * m);
      y.x = given.x + (base.x + ramp.x * number) - ratio * y.x;
      y.y = given.y + (base.y + ramp.y * number) - ratio * y.y;
      ratio = coupling * inverse;
      Both<V>{inverse * y.x, inverse * y.y}.to(f + 8 * m);
      if (derives || m + 1 == n) inverse.to(inverses + 4 * m);
      ratio.to(ratios + 4 * m);
    };
    int m = 1;
    for (; m + 1 < n; m += 2) {
      const V second = number + unit, third = second + unit;
      const V next = pullOf<bounded>(m + 1, second), last = pullOf<bounded>(m + 2, third);
      const V c1 = tw - next, c2 = tw - last;
      const V one = (own + before + next) * minor - squared * older;
      const V two = (own + next + last) * one - c1 * c1 * minor;
      const V share = unit / (one * two), inverse = one * one * share;
      node(m, number, minor * two * share, c1);
      node(m + 1, second, inverse, c2);
      squared = c2 * c2;
      before = last, older = one, minor = two, number = third;
      if ((m & rescale) == rescale) {
        older = inverse;
        minor = unit;
      }
    }
    if (m < n) {
      const V next = pullOf<bounded>(m + 1, number + unit);
      node(m, number, minor / ((own + before + next) * minor - squared * older), tw - next);
    }
  }

  /// The new shape from the last end back, with the sums of its slopes squared and of their squares.
  REEVE_WHOLE void up() {
    const double* ratios = ratio_;
    double* u = u_;
    const Both<V> none = Both<V>::none();
    Both<V> last = none;
    none.to(u + 8 * n_);
    V s1 = V::all(0.0), s2 = V::all(0.0);
    for (int m = n_ - 1; m >= 1; --m) {
      const V ratio = V::from(ratios + 4 * m);
      const Both<V> given = Both<V>::from(u + 8 * m), here{given.x - ratio * last.x, given.y - ratio * last.y};
      const V dx = last.x - here.x, dy = last.y - here.y, e = dx * dx + dy * dy;
      s1 = s1 + e, s2 = s2 + e * e;
      here.to(u + 8 * m);
      last = here;
    }
    none.to(u);
    const V e = last.x * last.x + last.y * last.y;
    s1_ = s1 + e, s2_ = s2 + e * e;
  }

  REEVE_WHOLE bool wantsDerivatives() const {
    for (const WaveLane* l : lanes_)
      if (l && !(std::fabs(l->drive.tension - l->derivedAt) <= steady * l->derivedAt)) return true;
    return false;
  }

  /// z = K⁻¹ J_u: its two ends, and J_uᵀ z from the pivots.
  REEVE_WHOLE void derive() {
    bool keeps = false;
    for (const WaveLane* l : lanes_) keeps = keeps || (l && l->moves[0]);
    const int n = n_;
    const double *u = u_, *over = over_, *ratios = ratio_, *inverses = inverse_;
    double* kept = z_;
    Both<V> place = Both<V>::from(u + 8), w = Both<V>::none(), scaled = w;
    const V over1 = V::from(over + 4);
    Both<V> before{over1 * place.x, over1 * place.y};
    V worth = V::all(0.0), product = V::all(1.0);
    for (int m = 1; m < n; ++m) {
      const Both<V> next = Both<V>::from(u + 8 * m + 8);
      const V over2 = V::from(over + 4 * m + 4), ratio = V::from(ratios + 4 * m - 4),
              inverse = V::from(inverses + 4 * m);
      const Both<V> after{over2 * (next.x - place.x), over2 * (next.y - place.y)};
      w.x = (before.x - after.x) - ratio * w.x;
      w.y = (before.y - after.y) - ratio * w.y;
      scaled = {inverse * w.x, inverse * w.y};
      worth = worth + (w.x * scaled.x + w.y * scaled.y);
      if (keeps) scaled.to(kept + 8 * m);
      before = after, place = next;
    }
    Both<V> z = scaled;
    if (keeps)
      for (int m = n - 2; m >= 1; --m) {
        const V ratio = V::from(ratios + 4 * m);
        const Both<V> here = Both<V>::from(kept + 8 * m);
        z.x = here.x - ratio * z.x;
        z.y = here.y - ratio * z.y;
        product = V::all(0.0) - product * ratio;
      }
    double gives[4], lx[4], ly[4], fx[4], fy[4], products[4];
    worth.to(gives), scaled.x.to(lx), scaled.y.to(ly), z.x.to(fx), z.y.to(fy);
    product.to(products);
    for (int i = 0; i < laneCount; ++i) {
      if (!lanes_[i]) continue;
      WaveLane& l = *lanes_[i];
      l.give = g_.scale * l.metric.eta * l.metric.eta / l.drive.mass * gives[i];
      l.last[0] = lx[i], l.last[1] = ly[i], l.first[0] = fx[i], l.first[1] = fy[i];
      l.product = products[i];
      l.derivedAt = l.drive.tension;
    }
  }

  unsigned outcomes() {
    unsigned steep = 0;
    double s1[4], s2[4];
    s1_.to(s1), s2_.to(s2);
    for (int i = 0; i < laneCount; ++i) {
      if (!lanes_[i]) continue;
      WaveLane& l = *lanes_[i];
      l.out.eta = l.metric.eta;
      l.out.compliance = l.give;
      if (!measure(l, i, s1[i], s2[i])) {
        steep |= 1u << i;
        continue;
      }
      l.solvedAt = l.drive.tension;
      l.solvedArc = l.out.arc;
      if (l.moves[0] || l.moves[1]) ends(l, i);
    }
    return steep;
  }

  /// The arc of a lane's new shape; false where it is not gentle.
  bool measure(WaveLane& l, int i, double s1, double s2) const {
    PowerSums sums = PowerSums::level(n_, s1, s2);
    const double mean = l.drive.chord / n_;
    if (!sums.isLevel(mean * mean)) {
      sums = PowerSums{static_cast<double>(n_)};
      for (int m = 0; m < n_; ++m) {
        const double x = u_[8 * m + 8 + i] - u_[8 * m + i], y = u_[8 * m + 12 + i] - u_[8 * m + 4 + i];
        const double e = x * x + y * y, f = e * e;
        sums.s1 += e, sums.s2 += f, sums.s3 += f * e, sums.s4 += f * f;
        sums.most = std::max(sums.most, e);
      }
    }
    l.out.arc = sums.arc(l.drive.chord, &l.out.shape);
    l.out.slope = std::sqrt(sums.most) / l.metric.link;
    return l.out.arc > 0.0 && l.out.slope < gentleSlope;
  }

  /// What a lane's ends feel.
  void ends(WaveLane& l, int i) const {
    const WaveDrive& d = l.drive;
    const History h(d);
    const double per = d.mass / g_.scale, eta = l.metric.eta, inverse = inverse_[4 * (n_ - 1) + i];
    const double end = 5.0 * twelfth + 0.5 * g_.drag * g_.rate;
    l.out.along[0] = l.out.along[1] = 0.5 * d.mass * n_ * d.along;
    double off[2];
    for (int e = 0; e < 2; ++e) {
      const int node = e == 0 ? 0 : n_, beside = e == 0 ? 1 : n_ - 1, link = e == 0 ? 1 : n_;
      const double over = over_[4 * link + i];
      const double chordwise = g_.scale * eta * d.tension / d.mass;
      const double pull = std::max(chordwise + g_.scale * d.along * (0.5 * (n_ + 1) - link), 0.1 * chordwise) * over;
      off[e] = twelfth - pull;
      for (int c = 0; c < 2; ++c) {
        const double next = u_[8 * beside + 4 * c + i];
        const auto missed = [&](int m) {  // moved less foretold
          const std::size_t k = static_cast<std::size_t>(2 * m + c);
          const double shift = d.shift[0][c] + m * ((d.shift[1][c] - d.shift[0][c]) / n_);
          return shift - (l.field.u[k] + (h.c0 * l.field.increment[0][k] +
                                          (h.c1 * l.field.increment[1][k] + h.c2 * l.field.increment[2][k])));
        };
        const double f = pull * next - twelfth * (5.0 * missed(node) + missed(beside) + next) +
                         0.5 * g_.scale * d.gravity[c] -
                         0.5 * g_.drag * (g_.rate * d.shift[e][c] - h.back * l.field.increment[0][2 * node + c]);
        const double z = e == 0 ? l.first[c] : l.last[c];
        l.out.force[e][c] = f * per;
        l.out.row[e][c] = -eta * (over * next + off[e] * z);
      }
      // The two corners of the inverse differ only where the pull does along the span; one serves for both.
      l.out.stiffness[e] = std::max(end + pull - off[e] * off[e] * inverse, 0.0) * per;
    }
    const double bound = std::sqrt(l.out.stiffness[0] * l.out.stiffness[1]);  // keeps the pair semi-definite
    l.out.cross = std::clamp(-off[0] * off[1] * l.product * inverse * per, -bound, bound);
  }

  const Lanes& lanes_;
  Group g_;
  int n_;
  const double *right_, *over_;
  double *u_, *ratio_, *inverse_, *z_;
  V pull_, along_, least_, first_, s1_{}, s2_{};
  double own_ = 0.0;
  bool derives_ = true;
};

/// The shapes from the solve to where they go, two nodes at a time, as in prepare().
template <class V>
REEVE_WHOLE void write(const Lanes& lanes, const double* shape, const LanePages& pages) {
  const Group g(lanes);
  const int n = g.n;
  V start[4], ramp[4];
  const double* before[4];
  for (int i = 0; i < 4; ++i) {
    const WaveDrive& d = g.lane[i]->drive;
    const double x = (d.shift[1][0] - d.shift[0][0]) / n, y = (d.shift[1][1] - d.shift[0][1]) / n;
    start[i] = V::of(d.shift[0][0], d.shift[0][1], d.shift[0][0], d.shift[0][1]);
    ramp[i] = V::of(x, y, x, y);
    before[i] = g.lane[i]->field.u;
  }
  for (int m = 0; m <= n; m += 2) {
    const int at = m < n ? m : m - 1;
    const Both<V> one = Both<V>::from(shape + 8 * at), other = Both<V>::from(shape + 8 * at + 8);
    V here[4];
    turnBack(one, other, here);
    const double k = at;
    const V number = V::of(k, k, k + 1.0, k + 1.0);
    const auto put = [&](int i) __attribute__((always_inline)) {
      if (!pages.u[i]) return;
      const V change = (start[i] + number * ramp[i]) + here[i] - V::from(before[i] + 2 * at);
      here[i].to(pages.u[i] + 2 * at);
      change.to(pages.increment[i] + 2 * at);
    };
    put(0), put(1), put(2), put(3);
  }
}

}  // namespace

bool followLanes(const Lanes& lanes) {
  for (const WaveLane* l : lanes)
    if (l && (l->moves[0] || l->moves[1] || !(std::fabs(l->drive.tension - l->solvedAt) <= 1e-10 * l->solvedAt)))
      return false;
  for (WaveLane* l : lanes) {
    if (!l) continue;
    l->out.arc = l->solvedArc - l->give * (l->drive.tension - l->solvedAt);
    l->out.shape.link = l->out.arc / l->drive.pieces;
  }
  return true;
}

void writeWave(const WaveField& field, const WaveDrive& d, const double* shape, double* u, double* increment) {
  const Pair start{d.shift[0][0], d.shift[0][1]};
  const Pair ramp = (Pair{d.shift[1][0], d.shift[1][1]} - start) / static_cast<double>(d.pieces);
  for (int m = 0; m <= d.pieces; ++m) {
    const Pair here = load(shape + 2 * m);
    store(u + 2 * m, here);
    store(increment + 2 * m, (start + static_cast<double>(m) * ramp) + here - load(field.u + 2 * m));
  }
}

#ifdef REEVE_WIDE

namespace {

REEVE_WIDE void prepareWide(const Lanes& lanes, double* kept) { prepare<Wide>(lanes, kept); }
REEVE_WIDE unsigned solveWide(const Lanes& lanes, const double* kept, double* work) {
  return Solve<Wide>(lanes, kept, work).run();
}
REEVE_WIDE void writeWide(const Lanes& lanes, const double* work, const LanePages& pages) {
  write<Wide>(lanes, work, pages);
}

}  // namespace

void prepareLanes(const Lanes& lanes, double* kept, bool wide) {
  return wide ? prepareWide(lanes, kept) : prepare<Quad>(lanes, kept);
}
unsigned solveLanes(const Lanes& lanes, const double* kept, double* work, bool wide) {
  return wide ? solveWide(lanes, kept, work) : Solve<Quad>(lanes, kept, work).run();
}
void writeLanes(const Lanes& lanes, const double* work, const LanePages& pages, bool wide) {
  return wide ? writeWide(lanes, work, pages) : write<Quad>(lanes, work, pages);
}

#else

void prepareLanes(const Lanes& lanes, double* kept, bool) { prepare<Quad>(lanes, kept); }
unsigned solveLanes(const Lanes& lanes, const double* kept, double* work, bool) {
  return Solve<Quad>(lanes, kept, work).run();
}
void writeLanes(const Lanes& lanes, const double* work, const LanePages& pages, bool) {
  write<Quad>(lanes, work, pages);
}

#endif

}  // namespace reeve
