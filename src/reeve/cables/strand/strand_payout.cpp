// What paying out at an attached first end does. The material coordinate there, s₀, goes as it is told, s₀' = −r. Its
// generalised force is what the equation of a coordinate that flows lacks, Q = dp/dt − f − λ, with p and f as
// momentum() and forces() have them for nodes that material flows through; its power is −r Q. Of a straight rope that
// is −T₀ r + ½ρ r³, T₀ where it comes out: what comes out has been at rest, at the height of the end, unstretched.
#include "reeve/cables/strand/strand.h"

namespace reeve {

const Strand::SpanNow* Strand::paidSpan(const Instant& now, Page& room) const {
  const Page* page = &glance(now);
  if (!page->whole) {
    lookAtAll(now, room);
    page = &room;
  }
  const SpanNow& s = page->spans[0];
  return s.ok && !s.parted ? &s : nullptr;
}

double Strand::payMomentum(const Instant& now) const {
  Page room;
  const SpanNow* s = paidSpan(now, room);
  return s ? -s->slope.dot(endLoad(Vec3::Zero(), *s, 0).momentum) : 0.0;
}

void Strand::payWork(const Instant& now, std::span<const double> force, Doings& out) const {
  const double h = now.time - now.past().time;
  Page room;
  const SpanNow* s = paid_ >= 0 && h > 0.0 ? paidSpan(now, room) : nullptr;
  if (!s) return;
  const EndLoad e = endLoad(now.model().description.settings.gravity, *s, 0);
  const double strain = s->length / s->rest - 1.0;
  const bool stretched = settings_.material.axial < unbounded && strain > 0.0;
  const double pushed = stretched ? 0.5 * settings_.material.axial * strain * strain : 0.0;
  const double corner = settings_.lumped ? 0.0 : 0.5 * density_ * s->m[0].squaredNorm();
  const double f = -s->slope.dot(e.force) - s->slopeRate.dot(e.momentum) - corner - pushed;
  out.add(Work::moved, (f + force[at(lengthSlot(0))]) * payRate(now));
  out.addDone(Work::moved, -(payMomentum(now) - payMomentumOf(now.past())) * paidInStep(now) / h);
}

}  // namespace reeve
