// Twist as a quasi-static frame (Bergou et al., Discrete Elastic Rods, 2008, section 5).
//
// Twist runs along a strand far faster than anything else moves, so it is even along it: one number θ, the angle from
// the first end's director, carried along the strand without twisting, to the last end's. Energy ½ GJ θ²/L: one row
// C = θ with compliance L/GJ, between two clamped ends.
//
// Carried from direction a to b (both unit) by the smallest turn, with κb = 2 a×b/(1 + a·b), a frame turns about the
// strand by δψ = ½ κb·(δa + δb) less than the directions tell. So θ moves with the ends' own turns about the strand,
// and
//     δθ = t₁·φ₁ − t₀·φ₀ + ½ Σ κb·(δa + δb)
// over all corners, the ends' clamps among them.
#include <cmath>

#include "reeve/cables/strand/strand_draft.h"
#include "reeve/geometry/wrap.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// v carried from along a to along b.
Vec3 carried(const Vec3& v, const Vec3& a, const Vec3& b) {
  const Vec3 turn = a.cross(b);
  const double c = 1.0 + a.dot(b);
  return c < 1e-9 ? v : Vec3(v + turn.cross(v) + turn.cross(turn.cross(v)) / c);
}

Vec3 binormal(const Vec3& a, const Vec3& b) {
  const double c = 1.0 + a.dot(b);
  return c < 1e-9 ? Vec3(Vec3::Zero()) : Vec3(2.0 * a.cross(b) / c);
}

Vec3 onBody(const Instant& now, int block, const Vec3& v_W) {
  return now.rotates(block) ? Vec3(now.rotation(block).transpose() * v_W) : v_W;
}
Vec3 inWorld(const Instant& now, int block, const Vec3& v_B) {
  return now.rotates(block) ? Vec3(now.rotation(block) * v_B) : v_B;
}

}  // namespace

std::expected<void, Problem> StrandCable::makeTwist(const Instant& now, const Draft& draft) {
  const auto clamped = [&](const LinkSettings& s) { return s.type == LinkType::attach && s.hold == EndHold::clamped; };
  const LinkSettings &first = settings_.route.front(), &last = settings_.route.back();
  for (std::size_t i = 0; i < settings_.route.size(); ++i)
    if (clamped(settings_.route[i]) && settings_.material.torsion <= 0.0)
      return wrong(draft.linkPath(i) + "/hold", "a clamp holds a strand against twist, and it has no torsion",
                   "give material.torsion, or leave hold out");
  if (!clamped(first) && !clamped(last)) return {};
  if (closed_ || !clamped(first) || !clamped(last))
    return wrong(draft.linkPath(clamped(first) ? settings_.route.size() - 1 : 0) + "/hold",
                 "twist is held between two clamped ends, and this one turns freely", "clamp both ends, or neither");
  for (std::size_t k = 0; k < segments_.size(); ++k) {
    const Segment& g = segments_[k];
    if (g.chart < 0 && !turns(g)) continue;
    return wrong(draft.linkPath(static_cast<std::size_t>(station(g.to).link)),
                 "twist is carried along straight segments only", "take the clamps away, or the wheel or guide");
  }
  // At the start the strand is not twisted: the last director is the first one carried along.
  const auto direction = [&](const Segment& g) {
    return Vec3((draft.x[at(station(g.to).index)] - draft.x[at(station(g.from).index)]).normalized());
  };
  Vec3 t = direction(segments_.front()), d, other;
  orthonormalBasis(t, d, other);
  twist_.held = true;
  const auto hold = [&](int end, int st) {
    const int block = node(station(st).index).anchor.block;
    twist_.block[at(end)] = block;
    twist_.tangent_B[at(end)] = onBody(now, block, t);
    twist_.director_B[at(end)] = onBody(now, block, d);
  };
  hold(0, 0);
  for (const Segment& g : segments_) {
    const Vec3 next = direction(g);
    d = carried(d, t, next);
    t = next;
  }
  hold(1, stationCount() - 1);
  twist_.kept = static_cast<int>(startMemory_.size());
  startMemory_.push_back(0.0);
  return {};
}

/// θ, nearest to what it was.
double StrandCable::twistAngle(const Instant& now, const Page& page) const {
  Vec3 t = inWorld(now, twist_.block[0], twist_.tangent_B[0]), d = inWorld(now, twist_.block[0], twist_.director_B[0]);
  const auto walk = [&](const Vec3& next) {
    d = carried(d, t, next);
    t = next;
  };
  for (const SpanNow& s : page.spans) walk(s.n);
  walk(inWorld(now, twist_.block[1], twist_.tangent_B[1]));
  const Vec3 last = inWorld(now, twist_.block[1], twist_.director_B[1]);
  const double angle = math::atan2(t.dot(d.cross(last)), d.dot(last));
  return nearestTurn(angle, now.memory(memory + twist_.kept), 2.0 * math::pi);
}

void StrandCable::twistRow(const Instant& now, const Page& page, RowSet& out) const {
  if (!twist_.held) return;
  out.group();
  Row& row = out.add(twistSlot());
  row.error = twistAngle(now, page);
  row.compliance = length_ / settings_.material.torsion;
  row.damping = settings_.material.damping;
  const Vec3 t[2] = {inWorld(now, twist_.block[0], twist_.tangent_B[0]),
                     inWorld(now, twist_.block[1], twist_.tangent_B[1])};
  const auto turn = [&](int end, const Vec3& bend) {
    const int block = twist_.block[at(end)];
    if (!now.rotates(block)) return;
    // ½ κb·(φ×t) = φ·(t × ½ κb)
    out.entry(block, Vec3::Zero(), (end == 0 ? -1.0 : 1.0) * t[end] + t[end].cross(0.5 * bend));
  };
  const int count = segmentCount();
  Vec3 before = binormal(t[0], page.spans[0].n);
  turn(0, before);
  for (int k = 0; k < count; ++k) {
    const SpanNow& s = page.spans[at(k)];
    const Vec3 after = binormal(s.n, k + 1 < count ? page.spans[at(k + 1)].n : t[1]);
    const Vec3 pull = s.length > 0.0 ? Vec3(0.5 * (before + after) / s.length) : Vec3(Vec3::Zero());
    pushMotion(page.nodes[at(station(segments_[at(k)].from).index)], -pull, out);
    pushMotion(page.nodes[at(station(segments_[at(k)].to).index)], pull, out);
    before = after;
  }
  turn(1, before);
}

}  // namespace reeve
