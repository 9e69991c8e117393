// Free nodes against candidate bodies: one row a node, C = n·(x − p) ≥ 0, p on the body and n its outward normal, both
// kept for a step. A free node that a strand was given where it is about to meet an edge or a round part has that
// feature's plane; any other has that of the face it is nearest to.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_cable.h"

namespace reeve {

namespace {
/// m: beyond what it moves in a step, a node this near a body is beside it.
constexpr double near = 1e-5;
/// m: a node deeper inside a body than this did not come in through the face it is nearest to.
constexpr double deepest = 0.02;

Vec3 velocityAt(const Instant& now, int block, const Vec3& x) {
  return now.rotates(block) ? Vec3(now.velocity(block) + now.angularVelocity(block).cross(x - now.position(block)))
                            : now.velocity(block);
}
Vec3 toBody(const Instant& now, int block, const Vec3& direction) {
  return now.rotates(block) ? Vec3(now.rotation(block).transpose() * direction) : direction;
}
Vec3 toWorld(const Instant& now, int block, const Vec3& direction) {
  return now.rotates(block) ? Vec3(now.rotation(block) * direction) : direction;
}

}  // namespace

void StrandCable::setTouch(const Instant& now, State& state, int index, int block, const Vec3& normal,
                           const Vec3& point, int feature) const {
  const std::size_t c = at(memory + node(index).touch);
  if (state.memory[c] < 0.5) {
    state.mode[at(touchSlot(index))] = Mode::lower;
    state.force[at(touchSlot(index))] = 0.0;
  }
  const Vec3 n = toBody(now, block, normal), p = toBody(now, block, point - now.position(block));
  state.memory[c + touchBlock_] = block + 1;
  for (int k = 0; k < 3; ++k) {
    state.memory[c + touchNormal_ + at(k)] = n[k];
    state.memory[c + touchPoint_ + at(k)] = p[k];
  }
  state.memory[c + touchFeature_] = feature + 1;
}

void StrandCable::dropTouch(State& state, int index) const {
  const std::size_t c = at(memory + node(index).touch);
  std::fill_n(state.memory.begin() + static_cast<std::ptrdiff_t>(c), static_cast<int>(perTouch), 0.0);
  state.mode[at(touchSlot(index))] = Mode::lower;
  state.force[at(touchSlot(index))] = 0.0;
}

bool StrandCable::touching(const State& state, int index) const {
  return state.memory[at(memory + node(index).touch)] > 0.5 && state.mode[at(touchSlot(index))] == Mode::free &&
         state.force[at(touchSlot(index))] > 0.0;
}

/// The place on a round feature next to x, with the normal there.
Vec3 StrandCable::onFeature(const Instant& now, const Feature& f, const Vec3& x, Vec3& normal) const {
  Vec3 middle = now.point({f.block, f.origin});
  if (f.kind == Feature::Kind::tube) {
    const Vec3 e = toWorld(now, f.block, f.along);
    middle += e * std::clamp(e.dot(x - middle), -f.length, f.length);
  }
  const Vec3 away = x - middle;
  normal = away.norm() > 0.0 ? Vec3(away.normalized()) : Vec3(Vec3::UnitZ());
  return middle + f.radius * normal;
}

/// Whether what a node was to meet is still near. Its plane goes along: on a round part with the node, on an edge it is
/// that of the edge and the strand.
bool StrandCable::keepTouch(const Instant& now, State& state, int index) const {
  const std::size_t c = at(memory + node(index).touch);
  const int feature = static_cast<int>(state.memory[c + touchFeature_]) - 1;
  if (state.memory[c] < 0.5 || feature < 0) return false;
  const Feature& f = features_[at(feature)];
  const Vec3 x = now.position(node(index).block);
  Vec3 n, p;
  if (f.kind == Feature::Kind::edge) {
    const int in = segmentBefore(node(index).at0), out = segmentAfter(node(index).at0);
    if (in < 0 || out < 0) return false;
    const Vec3 e = toWorld(now, f.block, f.along), middle = toWorld(now, f.block, f.normal[0] + f.normal[1]);
    const Vec3 t = look(now).spans[at(out)].x[1] - look(now).spans[at(in)].x[0];
    n = e.cross(t);
    if (n.norm() < 0.05 * t.norm()) return false;
    n.normalize();
    if (n.dot(middle) < 0.0) n = -n;
    const Vec3 origin = now.point({f.block, f.origin});
    const double along = e.dot(x - origin), wide = toWorld(now, f.block, f.normal[0]).dot(middle);
    p = origin + along * e;
    const double off = (x - p - n * n.dot(x - p)).norm();
    if (along < 0.0 || along > f.length || off > 2.0 * std::max(finest_, nearest_) ||
        n.dot(middle) < wide - 0.02 * middle.norm())
      return false;
  } else {
    p = onFeature(now, f, x, n);
  }
  const Settings& settings = now.model().description.settings;
  const double step = settings.dt / settings.substeps;
  const Vec3 rate = now.velocity(node(index).block) - velocityAt(now, f.block, x);
  const double gap = n.dot(x - p);
  if (!touching(state, index) && gap + step * n.dot(rate) > near + step * rate.norm()) return false;
  setTouch(now, state, index, f.block, n, p, feature);
  return true;
}

/// What every free node may come against in the coming step. True if one was struck in the last.
bool StrandCable::feel(const Instant& now, State& state) const {
  const Settings& settings = now.model().description.settings;
  const double step = settings.dt / settings.substeps;
  bool struck = false;
  for (int i = 0; i < nodeCount(); ++i) {
    const Node& n = node(i);
    if (n.touch < 0 || n.place != Place::free) continue;
    double& held = state.memory[at(memory + n.touch + touchHeld_)];
    struck = struck || (touching(state, i) && held < 0.5);
    held = touching(state, i) ? 1.0 : 0.0;
    if (keepTouch(now, state, i)) continue;
    const Vec3 x = now.position(n.block), v = now.velocity(n.block);
    double nearest = HUGE_VAL;
    int block = -1, feature = -1;
    Vec3 normal = Vec3::UnitZ();
    const auto offer = [&](int other, const Vec3& n_W, double gap, int which) {
      const Vec3 rate = v - velocityAt(now, other, x);
      const double reach = step * rate.norm();
      if (gap + step * n_W.dot(rate) > near + 0.5 * reach || gap >= nearest) return;
      if (gap < -deepest - 4.0 * reach) return;
      nearest = gap;
      block = other;
      normal = n_W;
      feature = which;
    };
    for (const Solid& solid : solids_) {
      const Vec3 local = toBody(now, solid.block, x - now.position(solid.block));
      double gap = -HUGE_VAL;
      std::size_t face = 0;
      for (std::size_t k = 0; k < solid.normal.size(); ++k)
        if (const double g = solid.normal[k].dot(local) - solid.offset[k]; g > gap) gap = g, face = k;
      offer(solid.block, toWorld(now, solid.block, solid.normal[face]), gap, -1);
    }
    for (const Feature& f : features_) {
      if (f.kind == Feature::Kind::edge) continue;
      Vec3 away;
      const Vec3 p = onFeature(now, f, x, away);
      // The flat ends of a cylinder are not met.
      const double along = std::fabs(toWorld(now, f.block, f.along).dot(x - now.point({f.block, f.origin})));
      if (f.kind == Feature::Kind::tube && along > f.length) continue;
      offer(f.block, away, away.dot(x - p), -1);
    }
    if (block >= 0)
      setTouch(now, state, i, block, normal, x - nearest * normal, feature);
    else if (state.memory[at(memory + n.touch)] > 0.5)
      dropTouch(state, i);
  }
  return struck;
}

void StrandCable::touchRow(const Instant& now, int index, RowSet& out) const {
  const Node& n = node(index);
  if (n.touch < 0 || n.place != Place::free) return;
  const int c = memory + n.touch;
  if (now.memory(c) < 0.5) return;
  const int block = static_cast<int>(now.memory(c)) - 1;
  const auto read = [&](int k) { return Vec3(now.memory(c + k), now.memory(c + k + 1), now.memory(c + k + 2)); };
  const Anchor anchor{block, read(touchPoint_)};
  const Vec3 normal = toWorld(now, block, read(touchNormal_)), d = now.position(n.block) - now.point(anchor);
  out.group();
  Row& row = out.add(touchSlot(index));
  row.error = normal.dot(d);
  row.lower = 0.0;
  out.entry(n.block, normal);
  if (block == 0) return;
  pushPoint(now, anchor, -normal, out);
  if (now.rotates(block)) out.entry(block, Vec3::Zero(), normal.cross(d));
}

}  // namespace reeve
