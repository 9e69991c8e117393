// Which segments of chains do not collide: neighbours, those inside what holds them, and those of two chains that are
// tied to one place.
#include <algorithm>

#include "reeve/cables/chain/chain_cable.h"
#include "reeve/geometry/collide.h"

namespace reeve {

namespace {
/// Whether two ends are held at one place of one thing.
bool tiedTo(const LinkSettings& a, const LinkSettings& b, double thick) {
  return a.type == LinkType::attach && b.type == LinkType::attach && a.hold != EndHold::free &&
         b.hold != EndHold::free && a.on == b.on && a.segment == b.segment && (a.point - b.point).norm() <= thick;
}
}  // namespace

/// How many finest segments, counted from this end, start inside what holds it: a cable tied to the middle of a box
/// comes out of it somewhere, and does not touch it on the way.
int ChainCable::startInside(const CableSite& site, std::size_t end, std::span<const Pose> poses) const {
  if (settings_.closed || settings_.route[end].hold == EndHold::free || (end == 0 && drum_)) return 0;
  if (!site.now->rotates(site.links[end].block)) return 0;
  const Pose body = site.now->pose(site.links[end].block);
  Manifold touch;
  int inside = 0;
  for (; inside < finest_; ++inside) {
    const std::size_t i = static_cast<std::size_t>(end == 0 ? inside : finest_ - 1 - inside);
    const reeve::Shape rod{Capsule{settings_.material.radius, 0.5 * segments_[i].length}, Pose{}};
    bool touches = false;
    for (const reeve::Shape& shape : site.links[end].shapes)
      touches = touches || collide(shape, body, rod, poses[i], 0.0, touch) > 0;
    if (!touches) break;
  }
  return inside;
}

/// Segments closer along the cable than they are thick always overlap: they do not collide with each other, nor with
/// what holds them.
void ChainCable::excludeNeighbours(const CableSite& site, std::span<const Pose> poses) const {
  const double reach = 3.0 * settings_.material.radius;
  std::vector<double> passed{0.0};  // by node
  for (int i = 0; i < finest_; ++i) passed.push_back(passed.back() + segment(i).length);
  const auto start = [&](const Segment& s) { return passed[static_cast<std::size_t>(s.from)]; };
  const auto stop = [&](const Segment& s) { return passed[static_cast<std::size_t>(s.to)]; };
  const double slackness = 1e-9 * passed.back();
  const int inside[2] = {startInside(site, 0, poses), startInside(site, 1, poses)};
  // Within a level (finest segments, pairs of them, ...) segments follow each other, so those near one are found by
  // halving.
  std::vector<std::size_t> level{0};
  for (std::size_t k = 1; k < segments_.size(); ++k)
    if (segments_[k].from < segments_[k - 1].from) level.push_back(k);
  level.push_back(segments_.size());
  const double near = reach + slackness;
  for (std::size_t i = 0; i < segments_.size(); ++i) {
    const Segment& a = segments_[i];
    for (std::size_t l = 0; l + 1 < level.size(); ++l) {
      const auto first = segments_.begin() + static_cast<std::ptrdiff_t>(level[l]),
                 last = segments_.begin() + static_cast<std::ptrdiff_t>(level[l + 1]);
      auto b = std::partition_point(first, last, [&](const Segment& s) { return start(a) - stop(s) > near; });
      for (; b != last && start(*b) - stop(a) <= near; ++b)
        if (&*b > &a) site.exclude(a.block, b->block);
      if (!settings_.closed) continue;
      for (auto z = last; z != first && passed.back() - stop(*(z - 1)) + start(a) <= near; --z)
        if (&*(z - 1) > &a) site.exclude(a.block, (z - 1)->block);
    }
    for (std::size_t end = 0; end < 2; ++end) {
      const LinkSettings& link = settings_.route[end];
      const double away = settings_.closed ? 0.0 : end == 0 ? start(a) : passed.back() - stop(a);
      const bool within = end == 0 ? a.from < inside[0] : a.to > finest_ - inside[1];
      if (link.hold == EndHold::free || (away > reach + slackness && !within && !(end == 0 && drum_))) continue;
      site.exclude(site.links[end].block, a.block);
      if (!link.segment) continue;
      for (const int beside : {*link.segment - 1, *link.segment + 1})
        if (const int block = beside < 0 ? -1 : site.cable(link.on)->segmentBlock(beside); block >= 0)
          site.exclude(block, a.block);
    }
  }
}

/// Where two chains are tied to one place, segments near it lie in each other for as long as they are thick, at any
/// angle: they do not collide either, nor do those that start inside each other from there on.
void ChainCable::excludeKnotted(const CableSite& site, std::span<const Pose> poses) const {
  const auto& cables = site.now->model().description.cables;
  for (const auto& [name, s] : cables) {
    const auto* other = dynamic_cast<const ChainCable*>(site.cable(name));
    if (!other || other == this || !other->settings_.collides || settings_.closed || other->settings_.closed) continue;
    const double thick = settings_.material.radius + other->settings_.material.radius;
    for (const std::size_t mine : {0, 1})
      for (const std::size_t theirs : {0, 1})
        if (tiedTo(settings_.route[mine], other->settings_.route[theirs], thick))
          excludeAtKnot(site, poses, mine, *other, theirs);
  }
}

void ChainCable::excludeAtKnot(const CableSite& site, std::span<const Pose> poses, std::size_t end,
                               const ChainCable& other, std::size_t otherEnd) const {
  const double reach = 1.5 * (settings_.material.radius + other.settings_.material.radius);
  const auto finest = [](const ChainCable& c, std::size_t e, int k) { return e == 0 ? k : c.finest_ - 1 - k; };
  const auto rod = [](const ChainCable& c, int i) {
    return reeve::Shape{Capsule{c.settings_.material.radius, 0.5 * c.segment(i).length}, Pose{}};
  };
  Manifold touch;
  const auto inside = [&](int k, int l) {
    const int i = finest(*this, end, k), j = finest(other, otherEnd, l);
    return collide(rod(*this, i), poses[static_cast<std::size_t>(i)], rod(other, j),
                   site.now->pose(other.segment(j).block), 0.0, touch) > 0;
  };
  int count[2] = {0, 0};  // segments from the knot on that lie in each other, or near it
  double away[2] = {0.0, 0.0};
  for (bool more = true; more;) {
    more = false;
    for (const int side : {0, 1}) {
      const ChainCable& c = side == 0 ? *this : other;
      const int k = count[side], beside = std::min(count[1 - side] + 1, (side == 0 ? other : *this).finest_);
      if (k >= c.finest_) continue;
      bool within = away[side] <= reach;
      for (int l = 0; l < beside && !within; ++l) within = side == 0 ? inside(k, l) : inside(l, k);
      if (!within) continue;
      away[side] += c.segment(finest(c, side == 0 ? end : otherEnd, k)).length;
      ++count[side];
      more = true;
    }
  }
  const auto near = [](const ChainCable& c, const Segment& s, std::size_t e, int n) {
    return e == 0 ? s.from < n : s.to > c.finest_ - n;
  };
  for (const Segment& a : segments_) {
    if (!near(*this, a, end, count[0])) continue;
    for (const Segment& b : other.segments_)
      if (near(other, b, otherEnd, count[1])) site.exclude(a.block, b.block);
  }
}

}  // namespace reeve
