// The whole change with position of a cable of joints (FullStiffness): of every straight span the derivative of its
// row along each coordinate of the bodies at its ends, and of a span that stretches what its rest length and its
// compliance do besides, since cable that flows over wheels makes them change.
#include <algorithm>

#include "reeve/cables/joints/joints_cable.h"
#include "reeve/geometry/span_change.h"

namespace reeve {

/// A span with its gradient, and one coordinate after the other moved.
class JointsCable::FullSpan {
 public:
  FullSpan(const JointsCable& cable, const Instant& now, int from, int to)
      : cable_(cable), now_(now), links_{from, to}, span_(cable.shapeOf(now, now.past(), from, to).first) {
    gradient_ = spanGradient(span_);
    for (const int i : links_)
      for (const int block : {link(i).mount.block, link(i).mount.rotor})
        if (block >= 0 && now.model().blocks[at(block)].free && std::ranges::find(movers_, block) == movers_.end())
          movers_.push_back(block);
  }
  bool found() const { return span_.status == TangentStatus::ok; }
  double length() const { return span_.length; }
  const std::vector<int>& movers() const { return movers_; }

  SpanChange along(int mover, int coordinate) const;
  /// −λ times the change of the row's entries.
  void stiffen(double force, FullStiffness& out) const;

 private:
  const Link& link(int i) const { return cable_.link(i); }
  bool heldOnRotor(int i) const {
    return link(i).mount.rotor >= 0 && link(i).round() && cable_.stateOf(now_.past(), i).holds != 0;
  }
  /// Of a link as one coordinate of a block moves: the velocity of a point of its body, and how it turns.
  Vec3 turning(int i, int mover, int coordinate) const {
    return mover == link(i).mount.block && coordinate >= 3 ? Vec3(Vec3::Unit(coordinate - 3)) : Vec3(Vec3::Zero());
  }
  Vec3 moving(int i, int mover, int coordinate, const Vec3& point) const;
  Vec3 entering(std::size_t e, int mover, int coordinate, const SpanChange& change, Vec3& moment, double& axial) const;

  const JointsCable& cable_;
  const Instant& now_;
  int links_[2];
  SpanGeometry span_;
  SpanGradient gradient_;
  std::vector<int> movers_;  ///< blocks that it depends on and that can move
};

Vec3 JointsCable::FullSpan::moving(int i, int mover, int coordinate, const Vec3& point) const {
  if (mover != link(i).mount.block) return Vec3::Zero();
  if (coordinate < 3) return Vec3::Unit(coordinate);
  return turning(i, mover, coordinate).cross(point - now_.position(mover));
}

SpanChange JointsCable::FullSpan::along(int mover, int coordinate) const {
  SpanMotion motion;
  for (std::size_t e = 0; e < 2; ++e) {
    const int i = links_[e];
    const Vec3& origin = span_.end[e].origin;
    motion.origin[e] = moving(i, mover, coordinate, origin);
    motion.turning[e] = turning(i, mover, coordinate);
    if (!heldOnRotor(i)) continue;
    // A place of the rotor itself: it goes round with the spin, and not with what the body turns about the axle.
    const Vec3 axis = now_.rotation(link(i).mount.block) * link(i).mount.axis_B;
    const double spin = (mover == link(i).mount.rotor ? 1.0 : 0.0) - axis.dot(motion.turning[e]);
    motion.origin[e] += spin * axis.cross(origin - cable_.frameCenter(now_, i));
  }
  return spanChange(span_, motion);
}

/// The change of what JointsCable::pushEnd writes: the pull, the moment about the body's position, the rotor's share.
Vec3 JointsCable::FullSpan::entering(std::size_t e, int mover, int coordinate, const SpanChange& change, Vec3& moment,
                                     double& axial) const {
  const int i = links_[e];
  const Vec3 &pull = gradient_.pull[e], &origin = span_.end[e].origin, x = now_.position(link(i).mount.block);
  Vec3 originMoves = moving(i, mover, coordinate, origin);
  moment = change.moment[e];
  axial = 0.0;
  if (link(i).mount.rotor >= 0) {
    const Vec3 axis = now_.rotation(link(i).mount.block) * link(i).mount.axis_B, center = cable_.frameCenter(now_, i);
    const Vec3 axisTurns = turning(i, mover, coordinate).cross(axis);
    if (heldOnRotor(i)) {
      const double spin = (mover == link(i).mount.rotor ? 1.0 : 0.0) - axis.dot(turning(i, mover, coordinate));
      originMoves += spin * axis.cross(origin - center);
    }
    const Vec3 whole = gradient_.moment[e] + (origin - center).cross(pull);
    const Vec3 wholeMoves = change.moment[e] + (originMoves - moving(i, mover, coordinate, center)).cross(pull) +
                            (origin - center).cross(change.pull[e]);
    axial = axisTurns.dot(whole) + axis.dot(wholeMoves);
    moment -= axisTurns * axis.dot(whole) + axis * axial;
  }
  moment += (originMoves - moving(i, mover, coordinate, x)).cross(pull) + (origin - x).cross(change.pull[e]);
  return change.pull[e];
}

void JointsCable::FullSpan::stiffen(double force, FullStiffness& out) const {
  for (const int mover : movers_)
    for (int c = 0; c < now_.model().blocks[at(mover)].dof; ++c) {
      const SpanChange change = along(mover, c);
      for (std::size_t e = 0; e < 2; ++e) {
        const Link& l = link(links_[e]);
        Vec3 moment;
        double axial;
        FullStiffness::Column k = FullStiffness::Column::Zero(), spin = k;
        k.head<3>() = -force * entering(e, mover, c, change, moment, axial);
        if (now_.rotates(l.mount.block)) k.tail<3>() = -force * moment;
        out.add(l.mount.block, mover, c, k);
        spin[0] = -force * axial;
        if (l.mount.rotor >= 0) out.add(l.mount.rotor, mover, c, spin);
      }
    }
}

namespace {

/// Of C = (ℓ − ρ) over and of its compliance c over, along one coordinate; r and w are what stretches together, at rest
/// and as it is (JointsCable::Stretched).
struct StretchLaw {
  double excess = 0.0, force = 0.0;     ///< ℓ − ρ, λ
  double rest = 0.0, length = 0.0;      ///< r, w
  double compliance = 0.0, over = 1.0;  ///< c, 1/(1 + ε)
  double perRest = 0.0;                 ///< ∂c/∂r
  bool divided = false;                 ///< over = r/w; else it is one number

  /// What the gradient of C + ελ has beyond J.
  double beyond(double j, double restChange, double lengthChange) const {
    const double overChange = divided ? (restChange - rest * lengthChange / length) / length : 0.0;
    return (over - 1.0) * j + overChange * (excess + force * compliance) + force * over * perRest * restChange;
  }
};

}  // namespace

/// Cable that flows, by the arcs of both contacts and the row's own entries.
bool JointsCable::fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const {
  const State& s = now.past();
  if (weighs()) return false;  // the weight of what flows over wheels moves with it
  const auto route = routeOf(s);
  RowSet own;
  rows(now, own);
  const auto find = [&](int wanted) {
    const auto it = std::ranges::find(own.rows, wanted, &Row::slot);
    return it == own.rows.end() ? nullptr : &*it;
  };
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k], to = route.next(k);
    if (find(stopSlot(from))) return false;
    const JointsCache::Span& span = now.cache<JointsCache>(*this).spans[at(from)];
    if (span.kind == JointsCache::Kind::other && now.cache<JointsCache>(*this).shapeOf(span).bent) return false;
    for (const int i : {from, to})
      if (link(i).layers.many() ||  // the radius changes as the drum turns
          (link(i).mount.rotor >= 0 && link(i).round() && !link(i).outline.isCircle() && !stateOf(s, i).holds))
        return false;
  }
  for (int k = 0; k < route.size(); ++k) {
    const Link& l = link(route[k]);
    if (settings_.winding > 0.0 && find(windingSlot(route[k])))
      out.turning(l.mount.block, l.mount.block,
                  -force[at(windingSlot(route[k]))] * (now.rotation(l.mount.block) * l.mount.axis_B));
  }
  for (int k = 0; k < route.spans(); ++k) {
    const int from = route[k];
    const Row* row = find(spanSlot(from));
    if (!row) continue;
    const FullSpan span(*this, now, from, route.next(k));
    const double pulls =
        force[at(spanSlot(from))] + (settings_.compression > 0.0 ? force[at(compressionSlot(from))] : 0.0);
    if (pulls != 0.0) span.stiffen(pulls, out);
    if (row->compliance > 0.0) fullLaw(now, k, span, own, *row, force, out);
  }
  return true;
}

/// What a span's rest length and compliance change with position: nothing where its compliance is given.
void JointsCable::fullLaw(const Instant& now, int place, const FullSpan& span, const RowSet& own, const Row& row,
                          std::span<const double> force, FullStiffness& out) const {
  if (settings_.compliance) return;
  const State& s = now.past();
  const auto route = routeOf(s);
  const int from = route[place], to = route.next(place);
  const JointsCache::Span& cached = now.cache<JointsCache>(*this).spans[at(from)];
  const double rest = stateOf(s, from).reach() + cached.paid[0] + cached.paid[1] + slipStep(now, from) -
                      slipStep(now, to) + (reels(s) ? reeled(now, s, place) : 0.0);
  const Stretched whole = stretched(s, from, to, rest, cached.length, cached.paid[0], cached.paid[1]);
  StretchLaw law{.excess = cached.length - rest,
                 .force = force[at(row.slot)],
                 .rest = whole.rest,
                 .length = whole.length,
                 .compliance = complianceOf(s, from, whole),
                 .over = 1.0 / divisor(whole)};
  // Not where it is as stiff as the shortest piece, whatever its length (complianceOf).
  law.perRest = law.compliance * axial(s) > (1.0 + 1e-9) * whole.rest ? 0.0 : 1.0 / axial(s);
  law.divided = law.over != 1.0 && law.perRest > 0.0;
  const bool clings[2] = {clingsTo(s, from, true) > 0.0 && link(from).mount.rotor<0, clingsTo(s, to, false)> 0.0 &&
                          link(to).mount.rotor < 0};
  const bool still = cached.kind == JointsCache::Kind::still;
  for (int e = row.first; e < row.first + row.count; ++e) {
    const Entry& entry = own.entries[at(e)];
    const bool mover = !still && std::ranges::find(span.movers(), entry.block) != span.movers().end();
    FullStiffness::Column change = FullStiffness::Column::Zero(), pushed = change;
    for (int c = 0; c < now.model().blocks[at(entry.block)].dof; ++c) {
      SpanChange moved;
      if (mover) moved = span.along(entry.block, c);
      const double kept = (clings[0] ? moved.arc[0] : 0.0) - (clings[1] ? moved.arc[1] : 0.0);  // on the links
      change[c] = law.beyond(entry.j[c], moved.length - entry.j[c] + kept, moved.length + kept);
      pushed[c] = force[at(compressionSlot(from))] * law.perRest * (moved.length - entry.j[c] + kept);
    }
    out.addLaw(row.slot, entry.block, change);
    if (settings_.compression > 0.0)
      out.addLaw(compressionSlot(from), entry.block, FullStiffness::Column(pushed / settings_.compression));
  }
}

}  // namespace reeve
