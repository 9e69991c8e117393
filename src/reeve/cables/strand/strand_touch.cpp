// What keeps a strand's nodes out of candidate bodies: one row a node.
// Free nodes and ends: C = n·(x − p) ≥ 0, p on the body and n its outward normal, both kept for a step.
// Nodes that stand beside an edge or a round part: C = w ≥ 0, their second parameter, how far they are outside
// (strand_corners.cpp); beside a ball, where the first leads away from it too, C = |(u, R + w)| − R. What is inside
// when it is found is kept from going deeper, not thrown out.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_contact.h"

namespace reeve {

namespace {
/// m: beyond what it moves in a step, a node this near a body is beside it.
constexpr double near = 1e-5;
/// Free nodes flat on a face share their load freely: a trace of give makes it one.
constexpr double touchSoftness = 1e-3;
/// Of a round part's radius, or half a solid's thickness: a strand nearer to the middle than this has gone through.
constexpr double lostShare = 0.4;
/// m: a node deeper inside a body than this did not come in through the face it is nearest to.
constexpr double deepest = 0.02;

/// The greatest depth between two places in something convex: along a line it has one greatest value.
template <class Depth>
double deepestOn(const Vec3& a, const Vec3& b, Depth&& depth) {
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 24; ++i) {
    const double first = low + (high - low) / 3.0, second = high - (high - low) / 3.0;
    if (depth(Vec3(a + first * (b - a))) < depth(Vec3(a + second * (b - a))))
      low = first;
    else
      high = second;
  }
  return depth(Vec3(a + 0.5 * (low + high) * (b - a)));
}

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

void StrandContact::setTouch(const Instant& now, State& state, int index, int block, const Vec3& normal,
                             const Vec3& point) const {
  TouchMemory& kept = touchMemory(state, node(index));
  if (kept.body == 0) {
    state.mode[at(touchSlot(index))] = Mode::lower;
    state.force[at(touchSlot(index))] = 0.0;
  }
  const Vec3 n = toBody(now, block, normal), p = toBody(now, block, point - now.position(block));
  kept.body = block + 1;
  kept.normal.set(n);
  kept.point.set(p);
}

void StrandContact::dropTouch(State& state, int index) const {
  touchMemory(state, node(index)) = {};
  state.mode[at(touchSlot(index))] = Mode::lower;
  state.force[at(touchSlot(index))] = 0.0;
}

bool StrandRows::touching(const State& state, int index) const {
  const bool beside = node(index).stands || touchMemory(state, node(index)).body > 0;
  return beside && state.mode[at(touchSlot(index))] == Mode::free && state.force[at(touchSlot(index))] > 0.0;
}

/// The place on a round feature next to x, with the normal there.
Vec3 StrandContact::onFeature(const Instant& now, const Feature& f, const Vec3& x, Vec3& normal) const {
  Vec3 middle = now.point({f.block, f.origin});
  if (f.kind == Feature::Kind::tube) {
    const Vec3 e = toWorld(now, f.block, f.along);
    middle += e * std::clamp(e.dot(x - middle), -f.length, f.length);
  }
  const Vec3 away = x - middle;
  normal = away.norm() > 0.0 ? Vec3(away.normalized()) : Vec3(Vec3::UnitZ());
  return middle + f.radius * normal;
}

/// What every free node, and every end, may come against in the coming step. True if one was struck in the last.
bool StrandContact::feel(const Instant& now, State& state) const {
  const Settings& settings = now.model().description.settings;
  const double step = settings.dt / settings.substeps;
  bool struck = false;
  for (int i = 0; i < nodeCount(); ++i) {
    const Node& n = node(i);
    if (!isPoint(n)) continue;
    Flag& held = touchMemory(state, n).held;
    struck = struck || (touching(state, i) && !held);
    held = touching(state, i);
    const Motion& motion = look(now).nodes[at(i)];
    const Vec3 &x = motion.x, &v = motion.v;
    const int own = n.place == Place::point ? n.anchor.block : -1;
    double nearest = HUGE_VAL;
    int block = -1;
    Vec3 normal = Vec3::UnitZ();
    const auto offer = [&](int other, const Vec3& n_W, double gap) {
      if (other == own) return;
      const Vec3 rate = v - velocityAt(now, other, x);
      const double reach = step * rate.norm();
      if (gap + step * n_W.dot(rate) > near + 0.5 * reach || gap >= nearest) return;
      if (gap < -deepest - 4.0 * reach) return;
      nearest = gap;
      block = other;
      normal = n_W;
    };
    for (const Solid& solid : solids_) {
      const Vec3 local = toBody(now, solid.block, x - now.position(solid.block));
      double gap = -HUGE_VAL;
      std::size_t face = 0;
      for (std::size_t k = 0; k < solid.normal.size(); ++k)
        if (const double g = solid.normal[k].dot(local) - solid.offset[k]; g > gap) gap = g, face = k;
      offer(solid.block, toWorld(now, solid.block, solid.normal[face]), gap);
    }
    for (const Feature& f : features_) {
      if (f.kind == Feature::Kind::edge || f.kind == Feature::Kind::rim) continue;
      Vec3 away;
      const Vec3 p = onFeature(now, f, x, away);
      if (f.kind == Feature::Kind::tube) {
        const Vec3 axis = toWorld(now, f.block, f.along), d = x - now.point({f.block, f.origin});
        const double along = axis.dot(d), end = std::fabs(along) - f.length;
        const double side = (d - along * axis).norm() - f.radius;
        if (end > 0.0 && !f.flat) continue;
        if (f.flat && end > side) {
          offer(f.block, along < 0.0 ? Vec3(-axis) : axis, end);
          continue;
        }
      }
      offer(f.block, away, away.dot(x - p));
    }
    if (block >= 0)
      setTouch(now, state, i, block, normal,
               x - std::max(nearest, 0.0) * normal);  // not pushed out: it would be thrown
    else if (touchMemory(state, n).body > 0)
      dropTouch(state, i);
  }
  return struck;
}

void StrandRows::touchRow(const Instant& now, int index, RowSet& out) const {
  const Node& n = node(index);
  if (n.stands) return standRow(now, index, out);
  if (!isPoint(n)) return;
  const TouchMemory& kept = touchMemory(now.past(), n);
  if (kept.body == 0) return;
  const int block = kept.body - 1;
  const Anchor anchor{block, kept.point.vec()};
  const Motion& motion = glance(now).nodes[at(index)];
  const Vec3 normal = toWorld(now, block, kept.normal.vec()), d = motion.x - now.point(anchor);
  out.group();
  Row& row = out.add(touchSlot(index));
  row.error = normal.dot(d);
  row.lower = 0.0;
  row.softness = touchSoftness;
  pushMotion(motion, normal, out);
  if (block == 0) return;
  pushPoint(now, anchor, -normal, out);
  if (now.rotates(block)) out.entry(block, Vec3::Zero(), normal.cross(d));
}

void StrandRows::standRow(const Instant& now, int index, RowSet& out) const {
  const Node& n = node(index);
  const Vec2 u = parameters(now, n);
  out.group();
  Row& row = out.add(touchSlot(index));
  row.lower = 0.0;
  if (now.model().blocks[at(n.block)].dof == 1) {
    row.error = u.x() + n.deep;
    out.entry(n.block, 1.0);
  } else if (n.ball > 0.0) {
    const Vec2 away(u.x(), n.ball + u.y());
    const double far = away.norm();
    row.error = far - n.ball + n.deep;
    out.entry(n.block, Vec3(away.x() / far, away.y() / far, 0.0));
  } else {
    row.error = u.y() + n.deep;
    out.entry(n.block, Vec3(0.0, 1.0, 0.0));
  }
}

/// Whether a segment is so deep inside a candidate that it did not come from the side it is nearest to: it would go on
/// through it, unseen.
bool StrandContact::goesThrough(const Instant& now) const {
  const Page& page = look(now);
  for (int k = 0; k < segmentCount(); ++k) {
    const SpanNow& s = page.spans[at(k)];
    if (segments_[at(k)].chart >= 0 || !s.ok || s.length <= 0.0) continue;
    for (const Feature& f : features_) {
      if (f.kind != Feature::Kind::tube && f.kind != Feature::Kind::ball) continue;
      const Vec3 axis = toWorld(now, f.block, f.along), middle = now.point({f.block, f.origin});
      const double deep = deepestOn(s.x[0] - middle, s.x[1] - middle, [&](const Vec3& x) {
        if (f.kind == Feature::Kind::ball) return f.radius - x.norm();
        const double along = axis.dot(x), in = f.length - std::fabs(along);
        if (f.flat) return std::min(f.radius - (x - along * axis).norm(), in);
        return f.radius - (x - std::clamp(along, -f.length, f.length) * axis).norm();
      });
      if (deep > (1.0 - lostShare) * (f.flat ? std::min(f.radius, f.length) : f.radius)) return true;
    }
    for (const Solid& solid : solids_) {
      if (solid.normal.size() < 4) continue;  // a half-space has no other side
      const Vec3& p = now.position(solid.block);
      const auto inside = [&](const Vec3& x) {
        double least = HUGE_VAL;
        for (std::size_t i = 0; i < solid.normal.size(); ++i)
          least = std::min(least, solid.offset[i] - solid.normal[i].dot(x));
        return least;
      };
      const double deep = deepestOn(toBody(now, solid.block, s.x[0] - p), toBody(now, solid.block, s.x[1] - p), inside);
      if (deep > (1.0 - lostShare) * solid.half) return true;
    }
  }
  return false;
}

const char* StrandContact::inspect(const State& state) const {
  if (lost_ < 0 || !goneThrough(state)) return nullptr;
  return "has gone into a body it should lie on: take a smaller dt, or leave that body out of candidates";
}

}  // namespace reeve
