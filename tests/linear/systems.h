#pragma once
// Saddle-point systems [A -Jᵀ; -J -E] of the shapes Reeve meets: chains, cables on beams, belts, cloth, piles.
// Shared by the tests and bench/linear_bench.cpp. Everything follows from a seed.
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "reeve/linear/block_factor.h"

namespace reeve::systems {

/// splitmix64: the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  ///< in [0, 1)
  double signedUnit() { return 2 * unit() - 1; }
  int below(int n) { return static_cast<int>(bits() % static_cast<std::uint64_t>(n)); }

 private:
  std::uint64_t state_;
};

struct System {
  BlockMatrix a;
  std::vector<NodeKind> kinds;
  std::vector<double> b;
};

/// Collects nodes and couplings, then makes the matrix.
class Builder {
 public:
  explicit Builder(std::uint64_t seed) : random(seed) {}

  /// A coordinate with a full positive definite diagonal block of this scale.
  int coordinate(int size, double mass) {
    nodes_.push_back({size, NodeKind::coordinate, mass});
    return static_cast<int>(nodes_.size()) - 1;
  }
  /// A group of rows on these coordinates, Jacobian entries in [-1, 1].
  int row(int size, const std::vector<int>& coordinates, double compliance = 0) {
    nodes_.push_back({size, NodeKind::row, compliance});
    const int r = static_cast<int>(nodes_.size()) - 1;
    for (const int c : coordinates) jacobians_.push_back({r, c, random.bits(), false});
    return r;
  }
  /// A span of cable: one row, on rotors and slip coordinates with an entry of ±1 (the radius is the same on both sides
  /// of a wheel), on bodies like any other row.
  int span(const std::vector<int>& coordinates, double compliance = 0) {
    const int r = row(1, {}, compliance);
    for (const int c : coordinates)
      jacobians_.push_back({r, c, random.bits(), nodes_[static_cast<std::size_t>(c)].size == 1});
    return r;
  }
  /// A row that repeats another one exactly.
  int repeat(int original) {
    nodes_.push_back(nodes_[static_cast<std::size_t>(original)]);
    const int r = static_cast<int>(nodes_.size()) - 1;
    for (std::size_t k = 0, n = jacobians_.size(); k < n; ++k)
      if (jacobians_[k].row == original)
        jacobians_.push_back({r, jacobians_[k].coordinate, jacobians_[k].seed, jacobians_[k].unit});
    return r;
  }
  /// Stiffness between two coordinates of the same size.
  void spring(int i, int j, double stiffness) { springs_.push_back({i, j, stiffness}); }
  /// Row 'scalar' of node r is replaced by λ_r,scalar - g λ_other,0 = 0 in unsymmetric systems.
  void slip(int r, int scalar, int other, double g) { slips_.push_back({r, scalar, other, g}); }

  System build(bool symmetric) {
    System s;
    std::vector<int> sizes;
    for (const Node& n : nodes_) {
      sizes.push_back(n.size);
      s.kinds.push_back(n.kind);
    }
    s.a.reset(sizes);
    for (std::size_t i = 0; i < nodes_.size(); ++i) diagonal(s.a, static_cast<int>(i), symmetric);
    for (const Spring& spring : springs_) addSpring(s.a, spring);
    for (const Jacobian& j : jacobians_) addJacobian(s.a, j);
    for (const Slip& slip : slips_) {
      const int slot = s.a.couple(slip.row, slip.other);
      if (!symmetric) replaceRow(s.a, slip, slot);
    }
    for (int i = 0; i < s.a.rows(); ++i) s.b.push_back(random.signedUnit());
    return s;
  }

  Random random;

 private:
  struct Node {
    int size;
    NodeKind kind;
    double scale;
  };
  struct Jacobian {
    int row, coordinate;
    std::uint64_t seed;
    bool unit;
  };
  struct Spring {
    int i, j;
    double stiffness;
  };
  struct Slip {
    int row, scalar, other;
    double g;
  };

  void diagonal(BlockMatrix& a, int i, bool symmetric) {
    const Node& node = nodes_[static_cast<std::size_t>(i)];
    const int n = node.size;
    double* v = a.values(a.diagonal(i));
    if (node.kind == NodeKind::row) {
      for (int r = 0; r < n; ++r) v[r * n + r] = -node.scale;
      return;
    }
    for (int r = 0; r < n; ++r) {
      v[r * n + r] = node.scale * (1 + random.unit());
      for (int c = 0; c < r; ++c) {
        const double skew = symmetric ? 0.0 : 0.3 * random.signedUnit();
        const double even = 0.15 * random.signedUnit();
        v[r * n + c] = node.scale * (even + skew);
        v[c * n + r] = node.scale * (even - skew);
      }
    }
  }
  void addSpring(BlockMatrix& a, const Spring& s) {
    const int n = a.size(s.i);
    const int upper = a.couple(s.i, s.j), lower = a.couple(s.j, s.i);
    for (int r = 0; r < n; ++r) {
      a.values(a.diagonal(s.i))[r * n + r] += s.stiffness;
      a.values(a.diagonal(s.j))[r * n + r] += s.stiffness;
      a.values(upper)[r * n + r] -= s.stiffness;
      a.values(lower)[r * n + r] -= s.stiffness;
    }
  }
  void addJacobian(BlockMatrix& a, const Jacobian& j) {
    const int n = a.size(j.row), m = a.size(j.coordinate);
    const int down = a.couple(j.row, j.coordinate), up = a.couple(j.coordinate, j.row);
    Random entries(j.seed);
    for (int r = 0; r < n; ++r)
      for (int c = 0; c < m; ++c) {
        double value = entries.signedUnit();
        if (j.unit) value = value < 0 ? -1 : 1;
        a.values(down)[r * m + c] = -value;
        a.values(up)[c * n + r] = -value;
      }
  }
  void replaceRow(BlockMatrix& a, const Slip& slip, int slot) {
    for (int j = 0; j < a.nodes(); ++j) {
      const int q = a.find(slip.row, j);
      if (q < 0) continue;
      for (int c = 0; c < a.size(j); ++c) a.values(q)[slip.scalar * a.size(j) + c] = 0;
    }
    a.values(slot)[slip.scalar * a.size(slip.other)] = -slip.g;
    a.values(a.diagonal(slip.row))[slip.scalar * a.size(slip.row) + slip.scalar] = 1;
  }

  std::vector<Node> nodes_;
  std::vector<Jacobian> jacobians_;
  std::vector<Spring> springs_;
  std::vector<Slip> slips_;
};

/// n bodies, each joined to the one before by 5 rows, the first to the world. A heavy one at the end.
inline Builder chain(int n, std::uint64_t seed, double load = 1) {
  Builder b(seed);
  int previous = -1;
  for (int i = 0; i < n; ++i) {
    const int body = b.coordinate(6, i == n - 1 ? load : 1.0);
    b.row(5, previous < 0 ? std::vector{body} : std::vector{previous, body});
    previous = body;
  }
  return b;
}

/// Bodies alternately light and heavy in a line, with stiffness between neighbours too.
inline Builder alternatingChain(int n, std::uint64_t seed, double ratio) {
  Builder b(seed);
  int previous = -1;
  for (int i = 0; i < n; ++i) {
    const int body = b.coordinate(6, i % 2 == 0 ? 1.0 : ratio);
    if (previous >= 0) {
      b.row(3, {previous, body});
      b.spring(previous, body, 0.1);
    }
    previous = body;
  }
  return b;
}

/// A cable over n rotors, every span also on one beam; n + 1 spans, the last with a load.
inline Builder cable(int n, std::uint64_t seed, double rotor = 1e-3, double beam = 1e3, double load = 1) {
  Builder b(seed);
  const int hub = b.coordinate(6, beam);
  const int weight = b.coordinate(6, load);
  std::vector<int> rotors;
  for (int i = 0; i < n; ++i) rotors.push_back(b.coordinate(1, rotor));
  for (int s = 0; s <= n; ++s) {
    std::vector<int> on{hub};
    if (s > 0) on.push_back(rotors[static_cast<std::size_t>(s - 1)]);
    if (s < n) on.push_back(rotors[static_cast<std::size_t>(s)]);
    if (s == n) on.push_back(weight);
    b.span(on);
  }
  return b;
}

/// A strand over n rotors: its mass couples neighbours too, so that the factor is a band, with a border if there is a
/// beam.
inline Builder strand(int n, std::uint64_t seed, bool beam) {
  Builder b(seed);
  const int hub = beam ? b.coordinate(6, 1e3) : -1;
  const int weight = b.coordinate(6, 1);
  std::vector<int> rotors;
  for (int i = 0; i < n; ++i) rotors.push_back(b.coordinate(1, 1e-3));
  for (int i = 0; i + 1 < n; ++i)
    b.spring(rotors[static_cast<std::size_t>(i)], rotors[static_cast<std::size_t>(i + 1)], 1e-4);
  for (int s = 0; s <= n; ++s) {
    std::vector<int> on;
    if (beam) on.push_back(hub);
    if (s > 0) on.push_back(rotors[static_cast<std::size_t>(s - 1)]);
    if (s < n) on.push_back(rotors[static_cast<std::size_t>(s)]);
    if (s == n) on.push_back(weight);
    b.span(on);
  }
  return b;
}

/// A cable without a load: both ends on the beam, so the rotors cannot carry the last span.
inline Builder tiedCable(int n, std::uint64_t seed) {
  Builder b(seed);
  const int hub = b.coordinate(6, 1e3);
  int previous = -1;
  for (int s = 0; s <= n; ++s) {
    std::vector<int> on{hub};
    if (previous >= 0) on.push_back(previous);
    previous = s < n ? b.coordinate(1, 1e-3) : -1;
    if (previous >= 0) on.push_back(previous);
    b.span(on);
  }
  return b;
}

/// A cable over n rotors on a beam whose material may slip: an almost massless coordinate between neighbouring spans,
/// held by a friction row. In the unsymmetric system every third link slips.
inline Builder slippingCable(int n, std::uint64_t seed, double slipMass) {
  Builder b(seed);
  const int hub = b.coordinate(6, 1e3);
  std::vector<int> rotors, slips, spans;
  for (int i = 0; i < n; ++i) {
    rotors.push_back(b.coordinate(1, 1e-3));
    slips.push_back(b.coordinate(1, slipMass));
  }
  for (int s = 0; s <= n; ++s) {
    const std::size_t k = static_cast<std::size_t>(s);
    std::vector<int> on{hub};
    if (s > 0) on.insert(on.end(), {rotors[k - 1], slips[k - 1]});
    if (s < n) on.insert(on.end(), {rotors[k], slips[k]});
    spans.push_back(b.span(on));
  }
  for (int i = 0; i < n; ++i) {
    const std::size_t k = static_cast<std::size_t>(i);
    const int friction = b.span({slips[k]});
    if (i % 3 == 0) b.slip(friction, 0, spans[k], 0.4);
  }
  return b;
}

/// n cables of a few rotors each, every span on one beam, which can carry the last span of six of them at most.
inline Builder harp(int n, int rotors, std::uint64_t seed, double compliance) {
  Builder b(seed);
  const int hub = b.coordinate(6, 100);
  for (int k = 0; k < n; ++k) {
    int previous = -1;
    for (int s = 0; s <= rotors; ++s) {
      std::vector<int> on{hub};
      if (previous >= 0) on.push_back(previous);
      previous = s < rotors ? b.coordinate(1, 1e-3) : -1;
      if (previous >= 0) on.push_back(previous);
      b.span(on, compliance);
    }
  }
  return b;
}

/// A closed belt over n rotors, each on its own body.
inline Builder belt(int n, std::uint64_t seed) {
  Builder b(seed);
  std::vector<int> bodies, rotors;
  for (int i = 0; i < n; ++i) {
    bodies.push_back(b.coordinate(6, 10));
    rotors.push_back(b.coordinate(1, 0.01));
  }
  for (int i = 0; i < n; ++i) {
    const std::size_t k = static_cast<std::size_t>(i), next = static_cast<std::size_t>((i + 1) % n);
    b.span({bodies[k], rotors[k], bodies[next], rotors[next]});
    b.row(5, {bodies[k]});
  }
  return b;
}

/// A random tree of bodies with joints of 3 to 5 rows.
inline Builder tree(int n, std::uint64_t seed, double ratio = 1) {
  Builder b(seed);
  std::vector<int> bodies;
  for (int i = 0; i < n; ++i) {
    bodies.push_back(b.coordinate(6, b.random.below(2) == 0 ? 1.0 : ratio));
    const int parent = i == 0 ? -1 : bodies[static_cast<std::size_t>(b.random.below(i))];
    b.row(3 + b.random.below(3), parent < 0 ? std::vector{bodies.back()} : std::vector{bodies.back(), parent});
  }
  return b;
}

/// Particles in a grid, a row along every edge.
inline Builder grid(int columns, int rows, std::uint64_t seed, double compliance = 1e-6) {
  Builder b(seed);
  for (int i = 0; i < columns * rows; ++i) b.coordinate(3, 0.01);
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const int i = r * columns + c;
      if (c + 1 < columns) b.row(1, {i, i + 1}, compliance);
      if (r + 1 < rows) b.row(1, {i, i + columns}, compliance);
      if (c + 1 < columns && r + 1 < rows) b.row(1, {i, i + columns + 1}, compliance);
    }
  return b;
}

/// Bodies in layers with contact points of 3 rows each, four to a pair; in the unsymmetric system some slide. Far more
/// rows than freedom: compliance must carry the rest.
inline Builder pile(int bodies, int contacts, std::uint64_t seed, double compliance = 1e-8) {
  Builder b(seed);
  for (int i = 0; i < bodies; ++i) b.coordinate(6, 1.0 + b.random.unit());
  const int layer = 8;
  for (int k = 0; k < contacts;) {
    const int i = b.random.below(bodies);
    const int down = i - layer - b.random.below(3) + 1;
    const int side = i + 1;
    const int other = b.random.below(3) > 0 ? down : side;
    for (int point = 0; point < 4 && k < contacts; ++point, ++k) {
      const int row = b.row(3, other >= 0 && other < bodies ? std::vector{i, other} : std::vector{i}, compliance);
      if (k % 5 == 0) {
        b.slip(row, 1, row, 0.3);
        b.slip(row, 2, row, -0.2);
      }
    }
  }
  return b;
}

}  // namespace reeve::systems
