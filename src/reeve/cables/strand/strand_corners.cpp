// Bodies a strand may come to lie on without being told where: boxes, hulls, any shape of a candidate.
//
// Every straight span of the route keeps a few nodes in waiting, on its line and without any effect. Where the line
// comes to go through a shape (geometry/wrap_contact.h, as for cable joints) the next one of them becomes a corner: an
// Eulerian node fixed on the body where they touch. It goes back to waiting when the strand would have to be held down.
// A corner does not slide along an edge of its body: the strand flows through it along its own length only.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_draft.h"
#include "reeve/geometry/support.h"
#include "reeve/geometry/wrap_contact.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {

/// Nodes in waiting: so many for each shape, and not more than so many in a span.
constexpr int eachShape = 2, mostWaiting = 8;
/// m: a line that goes through a shape by less is beside it.
constexpr double grazes = 1e-6;

}  // namespace

std::expected<void, Problem> StrandCable::addCorners(const CableSite& site, Draft& draft) {
  for (const LinkMount& mount : site.candidates)
    for (const Shape& shape : mount.shapes)
      if (!std::holds_alternative<HalfSpace>(shape.geometry)) candidates_.push_back({mount.block, shape});
  if (candidates_.empty()) return {};
  if (settings_.nodes > 0)
    return wrong(draft.path + "/candidates", "free nodes meet nothing, and this strand has some in every span",
                 "leave nodes or candidates out, or use model chain");
  const int waiting = std::min(mostWaiting, eachShape * static_cast<int>(candidates_.size()));
  std::vector<Station> all;
  bool any = false;
  for (std::size_t k = 0; k < stations_.size(); ++k) {
    all.push_back(stations_[k]);
    if (k + 1 == stations_.size()) break;
    const Station &a = stations_[k], &b = stations_[k + 1];
    if (a.wheel || b.wheel || sharedChart(a, b) >= 0 || startsOff(a) || startsOff(b)) continue;
    any = true;
    for (int j = 1; j <= waiting; ++j) {
      Node n;
      n.place = Place::corner;
      n.corner = static_cast<int>(corners_.size());
      const double f = static_cast<double>(j) / (waiting + 1);
      draft.x.push_back((1.0 - f) * draft.x[at(a.index)] + f * draft.x[at(b.index)]);
      draft.u.emplace_back(0.0, 0.0);
      draft.flows.push_back(true);
      draft.slides.push_back(false);
      nodes_.push_back(std::move(n));
      corners_.push_back({});
      all.push_back({false, nodeCount() - 1, a.link, false});
    }
  }
  if (!any)
    return wrong(draft.path + "/candidates", "no span of this strand lies between two points",
                 "put a pinhole or node beside the wheels, or leave candidates out");
  stations_ = std::move(all);
  return {};
}

void StrandCable::makeCorners() {
  for (Corner& corner : corners_) {
    corner.kept = static_cast<int>(startMemory_.size());
    startMemory_.insert(startMemory_.end(), perCorner, 0.0);
  }
}

Anchor StrandCable::cornerAnchor(const Instant& now, const Node& n) const {
  const int kept = memory + corners_[at(n.corner)].kept;
  const int which = static_cast<int>(now.memory(kept)) - 1;
  return {candidates_[at(which)].block, Vec3(now.memory(kept + 1), now.memory(kept + 2), now.memory(kept + 3))};
}

/// Whether the pull of the strand on both sides would lift this corner off its body.
bool StrandCable::pullsOff(const Instant& now, int before, int st, int after) const {
  const Node& n = node(station(st).index);
  const int kept = memory + corners_[at(n.corner)].kept;
  const Anchor anchor = cornerAnchor(now, n);
  Vec3 normal(now.memory(kept + 4), now.memory(kept + 5), now.memory(kept + 6));
  if (now.rotates(anchor.block)) normal = now.rotation(anchor.block) * normal;
  const Vec3 x = now.point(anchor);
  const Vec3 p = nodeMotion(now, station(before).index).x - x, q = nodeMotion(now, station(after).index).x - x;
  return (p.normalized() + q.normalized()).dot(normal) > 0.0;
}

/// The candidate that the line between two places goes through furthest.
std::optional<StrandCable::Found> StrandCable::findCorner(const Instant& now, int from, int to) const {
  const Vec3 a = nodeMotion(now, station(from).index).x, b = nodeMotion(now, station(to).index).x;
  std::optional<Found> found;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Candidate& c = candidates_[i];
    MovingPose still;
    still.start = now.pose(c.block);
    const auto contact = sweptContact(c.shape, still, {a, a}, {b, b}, settings_.material.radius);
    if (!contact || contact->gap > settings_.material.radius - grazes) continue;
    if (found && contact->gap >= found->gap) continue;
    const Vec3 point_B = contact->point + contact->normal * settings_.material.radius;
    const Vec3 x = now.point({c.block, point_B});
    // Not where a corner is already, and not next to the ends: that would be the same place twice.
    const double least = 0.01 * (b - a).norm() + 2.0 * nearest_;
    if ((x - a).norm() < least || (x - b).norm() < least) continue;
    found = Found{static_cast<int>(i), contact->gap, point_B, contact->normal};
  }
  return found;
}

/// Gives the stations from one fixed place to the next, corners and those in waiting, their material and its flow: all
/// of it in the same proportion to the lengths it has now, and will have in a moment.
void StrandCable::shareMaterial(const Instant& now, const State& memoryNow, State& state, int first, int last) const {
  const auto flowOf = [&](int st) -> const Node& { return node(station(st).index); };
  const auto lengths = [&](double later, std::vector<double>& out) {
    out.clear();
    Vec3 x = Vec3::Zero();
    for (int st = first; st <= last; ++st) {
      const Motion m = cornerMotion(now, memoryNow, st);
      const Vec3 next = m.x + later * m.v;
      out.push_back(st == first ? 0.0 : out.back() + (next - x).norm());
      x = next;
    }
  };
  constexpr double moment = 1e-6;  // s
  std::vector<double> here, next;
  lengths(0.0, here);
  lengths(moment, next);
  const double s0 = materialAt(now, flowOf(first)), s1 = materialAt(now, flowOf(last));
  const double r0 = flowRate(now, flowOf(first)), r1 = flowRate(now, flowOf(last));
  const auto& blocks = now.model().blocks;
  for (int st = first + 1; st < last; ++st) {
    const std::size_t k = at(st - first);
    const double f = here[k] / here.back(), rate = (next[k] / next.back() - f) / moment;
    const Block& b = blocks[at(flowOf(st).flow)];
    state.q[at(b.q)] = s0 + f * (s1 - s0);
    state.v[at(b.v)] = r0 + f * (r1 - r0) + rate * (s1 - s0);
  }
}

/// Where a station of a span with corners is, after corners have come or gone in `memoryNow`.
StrandCable::Motion StrandCable::cornerMotion(const Instant& now, const State& memoryNow, int st) const {
  const auto waits = [&](int k) {
    const Node& n = node(station(k).index);
    return n.corner >= 0 && memoryNow.memory[at(memory + corners_[at(n.corner)].kept)] < 0.5;
  };
  const auto place = [&](int k) {
    const Node& n = node(station(k).index);
    if (n.corner < 0) return nodeMotion(now, station(k).index);
    const std::size_t kept = at(memory + corners_[at(n.corner)].kept);
    const auto& m = memoryNow.memory;
    const Anchor anchor{candidates_[static_cast<std::size_t>(m[kept]) - 1].block,
                        Vec3(m[kept + 1], m[kept + 2], m[kept + 3])};
    Motion out;
    out.x = now.point(anchor);
    out.v = now.pointVelocity(anchor);
    return out;
  };
  if (!waits(st)) return place(st);
  int a = st, b = st;
  while (waits(a)) --a;
  while (waits(b)) ++b;
  const Motion first = place(a), last = place(b);
  const double f = static_cast<double>(st - a) / (b - a);
  Motion m;
  m.x = (1.0 - f) * first.x + f * last.x;
  m.v = (1.0 - f) * first.v + f * last.v;
  return m;
}

/// One corner that goes or comes in each span; true if any did.
bool StrandCable::meetCorners(const Instant& now, State& state, std::vector<Notice>& notices) const {
  bool changed = false;
  for (int first = 0; first + 1 < stationCount(); ++first) {
    if (station(first + 1).wheel || node(station(first + 1).index).corner < 0) continue;
    int last = first + 1;
    while (node(station(last).index).corner >= 0) ++last;
    const auto cell = [&](int st) { return at(memory + corners_[at(node(station(st).index).corner)].kept); };
    std::vector<int> held{first};  // places that are not in waiting, in order
    for (int st = first + 1; st < last; ++st)
      if (state.memory[cell(st)] > 0.5) held.push_back(st);
    held.push_back(last);
    const int free = last - first - 1 - static_cast<int>(held.size() - 2);
    bool here = false;
    for (std::size_t k = 1; k + 1 < held.size() && !here; ++k)
      if (pullsOff(now, held[k - 1], held[k], held[k + 1])) {
        state.memory[cell(held[k])] = 0.0;
        notices.push_back({now.time, this, station(first).link, "the strand leaves a body after this link"});
        here = true;
      }
    for (std::size_t k = 0; k + 1 < held.size() && !here && free > 0; ++k) {
      const auto found = findCorner(now, held[k], held[k + 1]);
      if (!found) continue;
      // Those held already keep their order: they move up to make room.
      std::vector<std::array<double, perCorner>> kept;
      for (std::size_t j = 1; j + 1 < held.size(); ++j) {
        kept.emplace_back();
        for (int c = 0; c < perCorner; ++c) kept.back()[at(c)] = state.memory[cell(held[j]) + at(c)];
      }
      const Vec3 &x = found->point_B, &n = found->normal_B;
      kept.insert(kept.begin() + static_cast<std::ptrdiff_t>(k),
                  {found->candidate + 1.0, x.x(), x.y(), x.z(), n.x(), n.y(), n.z()});
      for (int st = first + 1; st < last; ++st) {
        const std::size_t j = at(st - first - 1);
        for (int c = 0; c < perCorner; ++c) state.memory[cell(st) + at(c)] = j < kept.size() ? kept[j][at(c)] : 0.0;
      }
      notices.push_back({now.time, this, station(first).link, "the strand comes to lie on a body after this link"});
      here = true;
    }
    if (here) shareMaterial(now, state, state, first, last);
    changed = changed || here;
    first = last - 1;
  }
  return changed;
}

}  // namespace reeve
