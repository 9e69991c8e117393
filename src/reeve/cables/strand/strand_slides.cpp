// The paper's counter-example: a strand with Lagrangian nodes only, and holes that slide along its line.
//
// A hole p on a body keeps to the line of one segment, from node x₀ to x₁: with a, b across the line, u = (1−f) x₀ + f
// x₁ the point of it next to p,
//     a·(p − x₀) = 0,  b·(p − x₀) = 0,        δ = a·(δp − (1−f) δx₀ − f δx₁),
// for a turns with the line and p − x₀ lies along it. As f leaves 0 to 1 the hole passes on to the next segment. The
// strand can bend at its nodes only, so a hole that comes to one is thrown about.
#include <cmath>

#include "reeve/cables/strand/strand_build.h"
#include "reeve/math/rotation.h"

namespace reeve {

void StrandBuild::makeSlides() {
  for (Slide& slide : slides_) {
    slide.kept = static_cast<int>(startMemory_.size());
    const int st = node(slide.node).at0;
    startMemory_.push_back(slide.last ? st - 1 : st);
  }
}

StrandTypes::SlideNow StrandRows::slideNow(const Instant& now, const Slide& slide, int segment) const {
  const Segment& g = segments_[at(segment)];
  SlideNow out;
  out.from = nodeMotion(now, station(g.from).index).x;
  out.to = nodeMotion(now, station(g.to).index).x;
  out.hole = now.point(slide.anchor);
  const Vec3 d = out.to - out.from;
  const double l2 = d.squaredNorm();
  out.share = l2 > 0.0 ? d.dot(out.hole - out.from) / l2 : 0.0;
  out.ok = l2 > 0.0;
  if (out.ok) orthonormalBasis(d / std::sqrt(l2), out.across[0], out.across[1]);
  return out;
}

void StrandRows::slideRows(const Instant& now, const Page& page, RowSet& out) const {
  for (std::size_t i = 0; i < slides_.size(); ++i) {
    const Slide& slide = slides_[i];
    const int segment = segmentOf(now.past(), slide);
    if (segment < 0) continue;  // it has left the strand
    const SlideNow s = slideNow(now, slide, segment);
    if (!s.ok) continue;
    const Segment& g = segments_[at(segment)];
    out.group();
    for (int k = 0; k < 2; ++k) {
      const Vec3& a = s.across[k];
      Row& row = out.add(slideSlot(static_cast<int>(i)) + k);
      row.error = a.dot(s.hole - s.from);
      pushPoint(now, slide.anchor, a, out);
      pushMotion(page.nodes[at(station(g.from).index)], -(1.0 - s.share) * a, out);
      pushMotion(page.nodes[at(station(g.to).index)], -s.share * a, out);
    }
  }
}

/// What a strand does to the holes that slide along it, in place of what its segments do to nodes.
void StrandRows::slideForces(const Instant& now, const State& state, std::vector<LinkView>& links) const {
  for (std::size_t i = 0; i < slides_.size(); ++i) {
    const Slide& slide = slides_[i];
    int link = -1;
    for (int st = 0; st < stationCount(); ++st) {
      if (station(st).named) ++link;
      if (station(st).link == slide.link) break;
    }
    if (!slide.last) links[at(link)].force.setZero();
    const int segment = segmentOf(state, slide);
    links[at(link)].mode = segment < 0 ? "off" : "sliding";
    if (segment < 0) continue;
    const SlideNow s = slideNow(now, slide, segment);
    for (int k = 0; s.ok && k < 2; ++k)
      links[at(link)].force += state.force[at(slideSlot(static_cast<int>(i)) + k)] * s.across[k];
  }
}

/// Holes pass on to the next segment; one that comes to the end of the strand leaves it. True if any did.
bool Strand::slideOn(const Instant& now, State& state, Events& events) const {
  bool changed = false;
  for (const Slide& slide : slides_) {
    Whole& kept = segmentOf(state, slide);
    const int segment = kept;
    if (segment < 0) continue;
    const SlideNow s = slideNow(now, slide, segment);
    const int step = s.share < 0.0 ? -1 : s.share > 1.0 ? 1 : 0;
    if (step == 0) continue;
    const int next = segment + step;
    if (next < 0 || next >= segmentCount()) {
      kept = -1;
      events.add({now.time, element_, slide.link, EventKind::strandEndThrough});
      changed = true;
      continue;
    }
    // Outside the corner at a node both lines are passed: it stays with the one it is on.
    const SlideNow there = slideNow(now, slide, next);
    if (there.share < 0.0 || there.share > 1.0) continue;
    kept = next;
    changed = true;
  }
  return changed;
}

}  // namespace reeve
