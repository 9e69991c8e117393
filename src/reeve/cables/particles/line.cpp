#include "reeve/cables/particles/line.h"

#include <algorithm>
#include <cmath>

#include "reeve/model/executor.h"

namespace reeve::particles {

namespace {
constexpr int lineGrain = 512;  // particles or distances of a part: some ten microseconds of work
constexpr double tiny = 1e-12;  // m: closer than this two particles have no direction between them
}  // namespace

Line::Factors Line::factors(double h) const {
  Factors f;
  f.soft = way == ParticleWay::xpbd;
  if (f.soft) f.alphaScale = 1.0 / (h * h), f.lag = retard / h;
  return f;
}

void Line::arrange(const Bundle& bundle) {
  const int n = static_cast<int>(distances.size());
  edge.resize(distances.size());
  lambda.resize(distances.size());
  guess.resize(at(count - 1), 0.0);
  constraintLambda.resize(constraints.size());
  delta_.resize(at(count));
  along_.clear();
  mounted_.clear();
  banded_.clear();
  colours_.assign(4, {});
  for (int i = 0; i < singles(); ++i)
    for (const int j : {i, singles() + i}) {
      if (j >= n || (j >= singles() && i + 2 >= count)) continue;
      banded_.push_back(j);
      const Distance& c = distances[at(j)];
      if (bundle.pushes(c.a) || bundle.pushes(c.b)) {
        mounted_.push_back(j);
        continue;
      }
      along_.push_back(j);
      // (i, i+1): even and odd; (i, i+2): two neighbours, then the next two.
      colours_[at(j < singles() ? i % 2 : 2 + i / 2 % 2)].push_back(j);
    }
  width_ = n > singles() ? 4 : 1;
  inside_.assign(at(std::max(chunks, 1)), {});
  seams_.clear();
  across_.clear();
  chunkFirst_.clear();
  chunkWeight_.assign(inside_.size(), 0.0);
  const int parts = static_cast<int>(inside_.size());
  for (int c = 0; c <= parts; ++c)
    chunkFirst_.push_back(first + static_cast<int>(static_cast<long long>(count) * c / parts));
  const auto chunkOf = [&](int point) {
    return static_cast<int>(std::upper_bound(chunkFirst_.begin(), chunkFirst_.end(), point) - chunkFirst_.begin()) - 1;
  };
  for (const int j : along_) {
    const int a = chunkOf(distances[at(j)].a), b = chunkOf(distances[at(j)].b);
    if (a == b)
      inside_[at(a)].push_back(j);
    else if (j < singles())
      seams_.emplace_back(j, a);
    else
      across_.push_back(j);
  }
  for (int c = 0; c < parts; ++c) {
    double mass = 0.0;
    bool held = false;
    for (int i = chunkFirst_[at(c)]; i < chunkFirst_[at(c + 1)]; ++i) {
      mass += bundle.points.mass[at(i)];
      held = held || bundle.points.w[at(i)] == 0.0;
    }
    chunkWeight_[at(c)] = held || mass <= 0.0 ? 0.0 : 1.0 / mass;
  }
}

void Line::spring(Bundle& bundle, double h) {
  Points& p = bundle.points;
  for (std::size_t j = 0; j < distances.size(); ++j) {
    const Distance& c = distances[j];
    const Vec3 d = p.x[at(c.b)] - p.x[at(c.a)];
    const double length = d.norm();
    if (!(length > tiny)) continue;
    const Vec3 n = d / length;
    const double force = c.stiffness * (length - c.rest) + springDamping * n.dot(p.v[at(c.b)] - p.v[at(c.a)]);
    lambda[j] = -force * h * h;
    edge[j] = d;
    p.v[at(c.a)] += (h * p.w[at(c.a)] * force) * n;
    p.v[at(c.b)] -= (h * p.w[at(c.b)] * force) * n;
    if (bundle.pushes(c.a))
      bundle.bodyOf(c.a).strike(bundle.bodyOf(c.a).armOf(bundle.mountOf(c.a).local), -lambda[j] * n);
    if (bundle.pushes(c.b))
      bundle.bodyOf(c.b).strike(bundle.bodyOf(c.b).armOf(bundle.mountOf(c.b).local), lambda[j] * n);
  }
}

void Line::predict(Bundle& bundle, const Vec3& gravity, double h, Executor* executor) {
  Points& p = bundle.points;
  if (way == ParticleWay::springs) spring(bundle, h);
  const double kept = way == ParticleWay::springs || way == ParticleWay::stiff ? 1.0 : 1.0 - damping;
  forRanges(executor, count, lineGrain, [&](int begin, int end) {
    for (int i = first + begin; i < first + end; ++i) {
      p.shift[at(i)].setZero();
      p.pressed[at(i)].setZero();
      if (p.w[at(i)] > 0.0) p.u[at(i)] = (h * kept) * p.v[at(i)] + (h * h) * gravity;
    }
  });
}

void Line::prepare(const Bundle& bundle, double h, Executor* executor) {
  const Points& p = bundle.points;
  std::fill(constraintLambda.begin(), constraintLambda.end(), 0.0);
  if (way == ParticleWay::springs) return;  // set by spring()
  forRanges(executor, static_cast<int>(distances.size()), lineGrain, [&](int begin, int end) {
    for (int j = begin; j < end; ++j) {
      edge[at(j)] = p.x[at(distances[at(j)].b)] - p.x[at(distances[at(j)].a)];
      lambda[at(j)] = 0.0;
    }
  });
  if (chained()) startChain(bundle, h);
}

inline void Line::projectOne(Points& p, int j, const Factors& f) {
  const Distance& c = distances[at(j)];
  const double wa = p.w[at(c.a)], wb = p.w[at(c.b)], w = wa + wb;
  if (!(w > 0.0)) return;
  Vec3 &ua = p.u[at(c.a)], &ub = p.u[at(c.b)];
  const Vec3 d = edge[at(j)] + (ub - ua);
  const double length = d.norm();
  if (!(length > tiny)) return;
  double change;
  if (f.soft) {
    const double alpha = c.compliance * f.alphaScale;
    const double rate = f.lag > 0.0 ? f.lag * d.dot(ub - ua) / length : 0.0;
    change = -((length - c.rest) + rate + alpha * lambda[at(j)]) / ((1.0 + f.lag) * w + alpha);
  } else {
    change = -c.stiffness * (length - c.rest) / w;
  }
  lambda[at(j)] += change;
  const Vec3 move = (change / length) * d;
  ua -= wa * move;
  ub += wb * move;
}

void Line::projectMounted(Bundle& bundle, int j, const Factors& f) {
  const Distance& c = distances[at(j)];
  Points& p = bundle.points;
  const Vec3 d = edge[at(j)] + (p.u[at(c.b)] - p.u[at(c.a)]);
  const double length = d.norm();
  if (!(length > tiny)) return;
  const Vec3 n = d / length;
  const auto weight = [&](int point) {
    if (!bundle.pushes(point)) return p.w[at(point)];
    const Proxy& body = bundle.bodyOf(point);
    return n.dot(body.mobility(body.armOf(bundle.mountOf(point).local)) * n);
  };
  const double w = weight(c.a) + weight(c.b);
  if (!(w > 0.0)) return;
  const double alpha = f.soft ? c.compliance * f.alphaScale : 0.0;
  const double rate = f.lag > 0.0 ? f.lag * n.dot(p.u[at(c.b)] - p.u[at(c.a)]) : 0.0;
  const double change =
      -((f.soft ? 1.0 : c.stiffness) * (length - c.rest) + rate + alpha * lambda[at(j)]) / ((1.0 + f.lag) * w + alpha);
  lambda[at(j)] += change;
  const auto push = [&](int point, double impulse) {
    if (bundle.pushes(point))
      bundle.bodyOf(point).strike(bundle.bodyOf(point).armOf(bundle.mountOf(point).local), impulse * n);
    else
      p.u[at(point)] += (p.w[at(point)] * impulse) * n;
  };
  push(c.a, -change);
  push(c.b, change);
  bundle.follow();
}

void Line::reposition(Bundle& bundle) {
  Points& p = bundle.points;
  const int n = static_cast<int>(distances.size());
  for (const auto& [from, to] : {std::pair{0, singles()}, std::pair{singles(), n}}) {
    std::fill(delta_.begin(), delta_.end(), Vec3::Zero());
    for (int j = from; j < to; ++j) {
      const Distance& c = distances[at(j)];
      const double wa = p.w[at(c.a)], wb = p.w[at(c.b)];
      const Vec3 d = edge[at(j)] + (p.u[at(c.b)] - p.u[at(c.a)]);
      const double length = d.norm();
      if (!(length > tiny) || !(wa + wb > 0.0)) continue;
      const double change = -c.stiffness * (length - c.rest) / (wa + wb);
      lambda[at(j)] += change;
      delta_[at(c.a - first)] -= (wa * change / length) * d;
      delta_[at(c.b - first)] += (wb * change / length) * d;
    }
    for (int i = 0; i < count; ++i) {
      p.u[at(first + i)] += delta_[at(i)];
      p.shift[at(first + i)] += delta_[at(i)];
    }
  }
}

/// Whole chunks give way at a seam; a chunk that is held somewhere gives only the particle next to the seam.
void Line::projectSeam(Points& p, int j, int chunk, const Factors& f) {
  const Distance& c = distances[at(j)];
  const bool wholeA = chunkWeight_[at(chunk)] > 0.0, wholeB = chunkWeight_[at(chunk + 1)] > 0.0;
  const double wa = wholeA ? chunkWeight_[at(chunk)] : p.w[at(c.a)];
  const double wb = wholeB ? chunkWeight_[at(chunk + 1)] : p.w[at(c.b)], w = wa + wb;
  if (!(w > 0.0)) return;
  const Vec3 d = edge[at(j)] + (p.u[at(c.b)] - p.u[at(c.a)]);
  const double length = d.norm();
  if (!(length > tiny)) return;
  const double alpha = f.soft ? c.compliance * f.alphaScale : 0.0;
  const double change = -((f.soft ? 1.0 : c.stiffness) * (length - c.rest) + alpha * lambda[at(j)]) / (w + alpha);
  lambda[at(j)] += change;
  const Vec3 move = (change / length) * d;
  for (int i = wholeA ? chunkFirst_[at(chunk)] : c.a; i <= c.a; ++i) p.u[at(i)] -= wa * move;
  for (int i = c.b; i < (wholeB ? chunkFirst_[at(chunk + 2)] : c.b + 1); ++i) p.u[at(i)] += wb * move;
}

void Line::projectChunks(Bundle& bundle, const Factors& f, Executor* executor) {
  forRanges(executor, static_cast<int>(inside_.size()), 1, [&](int begin, int end) {
    for (int c = begin; c < end; ++c)
      for (const int j : inside_[at(c)]) projectOne(bundle.points, j, f);
  });
  for (const auto& [j, chunk] : seams_) projectSeam(bundle.points, j, chunk, f);
  for (const int j : across_) projectOne(bundle.points, j, f);
}

void Line::projectOwn(Bundle& bundle, double h) {
  Points& p = bundle.points;
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    const Constraint& c = *constraints[k];
    std::array<Vec3, Constraint::most> x, moves;
    std::array<double, Constraint::most> weight;
    const std::size_t n = c.points.size();
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t point = at(first + c.points[i]);
      x[i] = p.x[point] + p.u[point];
      weight[i] = p.w[point];
    }
    const double alpha = way == ParticleWay::xpbd ? c.compliance / (h * h) : 0.0;
    c.project(std::span<const Vec3>(x.data(), n), std::span<const double>(weight.data(), n), alpha, constraintLambda[k],
              std::span<Vec3>(moves.data(), n));
    for (std::size_t i = 0; i < n; ++i)
      if (weight[i] > 0.0) p.u[at(first + c.points[i])] += moves[i];
  }
}

void Line::project(Bundle& bundle, double h, int iteration, Executor* executor) {
  if (iteration >= iterations) return;
  if (way == ParticleWay::springs) return projectOwn(bundle, h);
  if (way == ParticleWay::stiff) {
    if (iteration == 0) reposition(bundle);
    return projectOwn(bundle, h);
  }
  const Factors f = factors(h);
  if (direct && way != ParticleWay::jakobsen) {
    if (chained())
      solveChain(bundle, f);
    else
      solveDirect(bundle, f);
    return projectOwn(bundle, h);
  }
  Points& p = bundle.points;
  switch (order) {
    case SolveOrder::along:
      for (const int j : along_) projectOne(p, j, f);
      break;
    case SolveOrder::coloured:
      for (const std::vector<int>& colour : colours_)
        forRanges(executor, static_cast<int>(colour.size()), lineGrain, [&](int begin, int end) {
          for (int k = begin; k < end; ++k) projectOne(p, colour[at(k)], f);
        });
      break;
    case SolveOrder::chunks:
      projectChunks(bundle, f, executor);
      break;
  }
  for (const int j : mounted_) projectMounted(bundle, j, f);
  projectOwn(bundle, h);
}

Vec3 Line::pull(const Bundle& bundle, int point) const {
  Vec3 sum = Vec3::Zero();
  const auto add = [&](int j) {
    if (j < 0 || j >= static_cast<int>(distances.size())) return;
    const Distance& c = distances[at(j)];
    if (c.a != point && c.b != point) return;
    // A spring pulled along the edge as it was; a projection along the edge as it is.
    const Vec3 d = way == ParticleWay::springs
                       ? edge[at(j)]
                       : Vec3(edge[at(j)] + (bundle.points.u[at(c.b)] - bundle.points.u[at(c.a)]));
    const double length = d.norm();
    if (length > tiny) sum += ((c.b == point ? lambda[at(j)] : -lambda[at(j)]) / length) * d;
  };
  const int i = point - first;
  if (i > 0) add(i - 1);
  if (i < singles()) add(i);
  if (static_cast<int>(distances.size()) > singles()) {
    if (i >= 2) add(singles() + i - 2);
    if (i + 2 < count) add(singles() + i);
  }
  return sum;
}

}  // namespace reeve::particles
