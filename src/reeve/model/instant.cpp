#include "reeve/model/instant.h"

#include <cmath>
#include <cstdlib>

#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"
#include "reeve/model/element.h"

namespace reeve {

void ElementCaches::evaluate(const Instant& now, bool begin) {
  const Model& model = now.model();
  while (caches_.size() < model.elements.size()) {
    const ElementLayout layout = model.elements[caches_.size()]->layout();
    Kept& kept = caches_.emplace_back();
    if (layout.makeCache) kept.cache = layout.makeCache();
    kept.begin = layout.readsCacheInBegin;
  }
  for (const int i : model.cached) {
    Kept& kept = caches_[static_cast<std::size_t>(i)];
    if (kept.version == now.version() || (begin && !kept.begin)) continue;
    kept.version = now.version();
    model.elements[static_cast<std::size_t>(i)]->evaluate(now, *kept.cache);
  }
}

/// A cache of another instant would be wrong in silence: to read one is a mistake of the program.
const ElementCache& Instant::cacheOf(const Element& element) const {
  const ElementCache* cache = caches_.find(element.index, version_);
  if (!cache) std::abort();
  return *cache;
}

void Instant::bind(const Model& model, const State& past) {
  if (model_ != &model || layout_ != model.layout || gathered_ != model.blocks.size()) {
    moving_.gather(model.blocks);
    gathered_ = model.blocks.size();
    layout_ = model.layout;
  }
  if (model_ != &model) {
    notebook_.clear();
    caches_.clear();
    std::fill(scratch.begin(), scratch.end(), 0.0);
  }
  ++binding_;
  model_ = &model;
  past_ = &past;
  touch();
  rotations_.resize(model.blocks.size());
  told_.resize(model.blocks.size(), Vec3::Zero());
  q.resize(past.q.size());
  v.resize(past.v.size());
  u.resize(past.v.size());
  trial = {};
  stepping = false;
  stepRate = stepScale = 0.0;
  if (scratch.size() < static_cast<std::size_t>(model.scratch)) scratch.resize(static_cast<std::size_t>(model.scratch));
}

void Instant::rewind() {
  q = past_->q;
  v = past_->v;
  std::fill(u.begin(), u.end(), 0.0);
  std::fill(told_.begin(), told_.end(), Vec3::Zero());
  time = past_->time;
  h = 0.0;
  cacheRotations();
}

void Instant::place(double newTime, double step) {
  time = newTime;
  h = step;
  stepping = false;
  stepRate = stepScale = 0.0;
  for (const Moving::Run& run : moving_.plain) {
    const double *from = past_->q.data() + run.q, *moved = u.data() + run.v;
    double* to = q.data() + run.q;
    for (int k = 0; k < run.count; ++k) to[k] = from[k] + moved[k];
  }
  for (const int block : moving_.turning) {
    const Block& b = model_->blocks[static_cast<std::size_t>(block)];
    const std::size_t iq = static_cast<std::size_t>(b.q), iv = static_cast<std::size_t>(b.v);
    const Quat start(past_->q[iq + 3], past_->q[iq + 4], past_->q[iq + 5], past_->q[iq + 6]);
    const Quat end = (rotationExp(Vec3(u[iv + 3], u[iv + 4], u[iv + 5])) * start).normalized();
    q[iq + 3] = end.w();
    q[iq + 4] = end.x();
    q[iq + 5] = end.y();
    q[iq + 6] = end.z();
  }
  cacheRotations();
}

void Instant::prescribe(double newTime) {
  touch();
  for (const Body& body : model_->bodies) {
    if (!body.prescribed) continue;
    const Block& b = model_->blocks[static_cast<std::size_t>(body.block)];
    const MotionSettings& m = *body.prescribed;
    const double travelRate = profileRate(m.travel, newTime), turnRate = profileRate(m.turn, newTime);
    const Quat turn = rotationExp(m.about * profileValue(m.turn, newTime));
    const Quat orientation = turn * body.start.orientation;
    const Vec3 arm = orientation * body.center_B;
    const Vec3 center = body.start.position + m.along * profileValue(m.travel, newTime) + arm;
    const Vec3 omega = m.about * turnRate;
    told_[static_cast<std::size_t>(body.block)] =
        m.about * (profileValue(m.turn, newTime) - profileValue(m.turn, past_->time));
    const Vec3 velocity = m.along * travelRate + omega.cross(arm);
    const std::size_t iq = static_cast<std::size_t>(b.q), iv = static_cast<std::size_t>(b.v);
    for (int k = 0; k < 3; ++k) {
      q[iq + k] = center[k];
      v[iv + k] = velocity[k];
      v[iv + 3 + k] = omega[k];
    }
    q[iq + 3] = orientation.w();
    q[iq + 4] = orientation.x();
    q[iq + 5] = orientation.y();
    q[iq + 6] = orientation.z();
  }
}

void Instant::cacheRotations() {
  touch();
  for (const int block : moving_.rotating)
    rotations_[static_cast<std::size_t>(block)] = orientation(block).toRotationMatrix();
}

void pushPoint(const Instant& now, const Anchor& anchor, const Vec3& direction, RowSet& out) {
  if (now.rotates(anchor.block))
    out.entry(anchor.block, direction, now.arm(anchor).cross(direction));
  else
    out.entry(anchor.block, direction);
}

void leverStiffness(const Instant& now, const Anchor& anchor, const Vec3& force, PatchSet& out) {
  // K = (F·r) I − (r Fᵀ + F rᵀ)/2 has eigenvectors r̂ + F̂, r̂ − F̂, r × F with eigenvalues (F·r − |F||r|)/2,
  // (F·r + |F||r|)/2 and F·r. The first is never positive, the second never negative.
  if (!now.rotates(anchor.block) || !now.model().blocks[static_cast<std::size_t>(anchor.block)].free) return;
  const Vec3 r = now.arm(anchor);
  const double length = r.norm(), load = force.norm();
  if (length == 0.0) return;
  Patch& patch = out.add(anchor.block, anchor.block);  // also without load: the pattern should not change with it
  if (load == 0.0) return;
  const double dot = force.dot(r);
  Mat3 k = Mat3::Zero();
  const Vec3 across = r / length - force / load;
  const double across2 = across.squaredNorm();
  if (across2 > 1e-24) k += (0.5 * (dot + length * load) / across2) * (across * across.transpose());
  if (dot > 0.0) {
    const Vec3 normal = r.cross(force);
    const double normal2 = normal.squaredNorm();
    if (normal2 > 1e-24 * length * length * load * load) {
      k += (dot / normal2) * (normal * normal.transpose());
    } else {
      // Parallel: the whole plane across r has stiffness F·r.
      k = dot * (Mat3::Identity() - r * r.transpose() / (length * length));
    }
  }
  patch.k.bottomRightCorner<3, 3>() = k;
}

void pairStiffness(const Instant& now, const Anchor& a, const Anchor& b, const Mat3& kA, const Mat3& kB, const Mat3& kX,
                   PatchSet& out) {
  // Displacement of a point is dx + φ × r = [1, −[r]×] (dx, φ).
  using Mat36 = Eigen::Matrix<double, 3, 6>;
  const auto jacobian = [&](const Anchor& p) {
    Mat36 j = Mat36::Zero();
    j.leftCols<3>() = Mat3::Identity();
    if (now.rotates(p.block)) j.rightCols<3>() = -skew(now.arm(p));
    return j;
  };
  const bool freeA = now.model().blocks[static_cast<std::size_t>(a.block)].free;
  const bool freeB = now.model().blocks[static_cast<std::size_t>(b.block)].free;
  const Mat36 ja = jacobian(a), jb = jacobian(b);
  if (freeA) out.add(a.block, a.block).k.noalias() = ja.transpose() * (kA * ja);
  if (freeB) out.add(b.block, b.block).k.noalias() = jb.transpose() * (kB * jb);
  if (!freeA || !freeB) return;
  if (a.block == b.block) {
    const Eigen::Matrix<double, 6, 6> x = ja.transpose() * (kX * jb);
    out.add(a.block, a.block).k = x + x.transpose();
  } else {
    out.add(a.block, b.block).k.noalias() = ja.transpose() * (kX * jb);
  }
}

void pairStiffness(const Instant& now, const Anchor& a, const Anchor& b, const Mat3& k, PatchSet& out) {
  pairStiffness(now, a, b, k, k, -k, out);
}

Anchor anchorAt(const Instant& now, int block, const Vec3& point) {
  return {block,
          now.rotates(block) ? Vec3(now.rotation(block).transpose() * (point - now.position(block))) : Vec3::Zero()};
}

namespace {

/// Slope and second derivative at a knot of a spline: those of the parabola through it and its neighbors; at rest at
/// either end, and where a value is given twice.
Vec2 knotOf(const std::vector<Vec2>& table, std::size_t i) {
  if (i == 0 || i + 1 == table.size()) return Vec2::Zero();
  const double before = table[i][0] - table[i - 1][0], after = table[i + 1][0] - table[i][0];
  const double left = (table[i][1] - table[i - 1][1]) / before, right = (table[i + 1][1] - table[i][1]) / after;
  if (left == 0.0 || right == 0.0) return Vec2::Zero();
  return {(left * after + right * before) / (before + after), 2.0 * (right - left) / (before + after)};
}

/// The quintic from one knot to the next that has their values, slopes and second derivatives; s from 0 to 1.
void splineAt(const std::vector<Vec2>& table, std::size_t i, double s, double& value, double& slope) {
  const double span = table[i + 1][0] - table[i][0], rise = table[i + 1][1] - table[i][1];
  const Vec2 from = knotOf(table, i), to = knotOf(table, i + 1);
  const double v0 = span * from[0], v1 = span * to[0], a0 = span * span * from[1], a1 = span * span * to[1];
  const double c3 = 10.0 * rise - 6.0 * v0 - 4.0 * v1 - 1.5 * a0 + 0.5 * a1;
  const double c4 = -15.0 * rise + 8.0 * v0 + 7.0 * v1 + 1.5 * a0 - a1;
  const double c5 = 6.0 * rise - 3.0 * (v0 + v1) - 0.5 * (a0 - a1);
  value = table[i][1] + s * (v0 + s * (0.5 * a0 + s * (c3 + s * (c4 + s * c5))));
  slope = (v0 + s * (a0 + s * (3.0 * c3 + s * (4.0 * c4 + s * 5.0 * c5)))) / span;
}

/// Value and slope of the table part.
void tableAt(const Profile& p, double time, double& value, double& slope) {
  value = slope = 0.0;
  if (p.table.empty()) return;
  const std::size_t n = p.table.size();
  if (time <= p.table[0][0] || n == 1) {
    value = p.table[0][1];
    return;
  }
  if (time >= p.table[n - 1][0]) {
    value = p.table[n - 1][1];
    return;
  }
  std::size_t i = 0;
  while (p.table[i + 1][0] <= time) ++i;
  const double span = p.table[i + 1][0] - p.table[i][0], rise = p.table[i + 1][1] - p.table[i][1];
  const double s = (time - p.table[i][0]) / span;
  if (p.spline) return splineAt(p.table, i, s, value, slope);
  value = p.table[i][1] + rise * (p.smooth ? s * s * (3.0 - 2.0 * s) : s);
  slope = rise / span * (p.smooth ? 6.0 * s * (1.0 - s) : 1.0);
}

}  // namespace

double profileValue(const Profile& p, double time) {
  double value, slope;
  tableAt(p, time, value, slope);
  value += p.offset + p.rate * time;
  if (p.amplitude != 0.0) value += p.amplitude * math::sin(2.0 * math::pi * p.frequency * time + p.phase);
  return value;
}

double profileRate(const Profile& p, double time) {
  double value, slope;
  tableAt(p, time, value, slope);
  slope += p.rate;
  if (p.amplitude != 0.0) {
    const double w = 2.0 * math::pi * p.frequency;
    slope += p.amplitude * w * math::cos(w * time + p.phase);
  }
  return slope;
}

}  // namespace reeve
