#include "reeve/elements/joint.h"

#include <cmath>

namespace reeve {

double Joint::coordinate(const Instant&) const { return 0.0; }
double Joint::coordinateRate(const Instant&) const { return 0.0; }
void Joint::pushCoordinate(const Instant&, RowSet&) const {}
double Joint::separation(const Instant& now) const { return (now.point(b_) - now.point(a_)).norm(); }

void Joint::ballRows(const Instant& now, int firstSlot, RowSet& out) const {
  const Vec3 gap = now.point(b_) - now.point(a_), armA = now.arm(a_), armB = now.arm(b_);
  for (int k = 0; k < 3; ++k) {
    Row& row = out.add(firstSlot + k);
    row.error = gap[k];
    row.compliance = settings_.compliance;
    row.damping = settings_.damping * settings_.compliance;
    const Vec3 direction = Vec3::Unit(k);
    out.entry(a_.block, -direction, -armA.cross(direction));
    out.entry(b_.block, direction, armB.cross(direction));
  }
}

Row& Joint::angularRow(int rowSlot, RowSet& out) const {
  Row& row = out.add(rowSlot);
  row.compliance = settings_.angularCompliance;
  row.damping = settings_.angularDamping * settings_.angularCompliance;
  return row;
}

void Joint::dotRow(const Vec3& u, const Vec3& w, int rowSlot, RowSet& out) const {
  angularRow(rowSlot, out).error = u.dot(w);
  const Vec3 lever = u.cross(w);
  out.entry(a_.block, Vec3::Zero(), lever);
  out.entry(b_.block, Vec3::Zero(), -lever);
}

Mat3 Joint::dotStiffness(const Vec3& u, const Vec3& w, double force) {
  // Second derivative of u·w under a relative rotation: sym(u wᵀ) − (u·w) I, with u·w ≈ 0; −λ times it has the one
  // positive eigenvalue |λ|/2 along u − sign(λ) w.
  const Vec3 n = (u - (force > 0.0 ? 1.0 : -1.0) * w) * std::sqrt(0.5);
  return (0.5 * std::fabs(force)) * (n * n.transpose());
}

void Joint::turnStiffness(const Instant& now, const Mat3& k, PatchSet& out) const {
  const bool freeA = now.model().blocks[static_cast<std::size_t>(a_.block)].free;
  const bool freeB = now.model().blocks[static_cast<std::size_t>(b_.block)].free;
  if (freeA) out.add(a_.block, a_.block).k.bottomRightCorner<3, 3>() = k;
  if (freeB) out.add(b_.block, b_.block).k.bottomRightCorner<3, 3>() = k;
  if (freeA && freeB) out.add(a_.block, b_.block).k.bottomRightCorner<3, 3>() = -k;
}

void Joint::ballStiffness(const Instant& now, const Vec3& forceOnB, PatchSet& out) const {
  leverStiffness(now, a_, -forceOnB, out);
  leverStiffness(now, b_, forceOnB, out);
}

void Joint::coordinateRows(const Instant& now, int firstSlot, RowSet& out) const {
  const JointSettings& s = settings_;
  const bool limitLow = s.lower > -unbounded, limitHigh = s.upper < unbounded;
  const double holding = s.friction + s.brake;
  if (!limitLow && !limitHigh && holding == 0.0 && s.viscous == 0.0) return;
  out.group();
  if (limitLow) {
    Row& row = out.add(firstSlot);
    row.error = coordinate(now) - s.lower;
    row.lower = 0.0;
    row.restitution = s.restitution;
    pushCoordinate(now, out);
  }
  if (limitHigh) {
    Row& row = out.add(firstSlot + 1);
    row.error = coordinate(now) - s.upper;
    row.upper = 0.0;
    row.restitution = s.restitution;
    pushCoordinate(now, out);
  }
  resistanceRows(now, *this, holding, s.viscous, firstSlot + 2, out);
}

void Joint::reaction(const Instant& now, std::span<const double> force, Vec3& forceB, Vec3& torqueB) const {
  RowSet scratch;
  rows(now, scratch);
  forceB.setZero();
  torqueB.setZero();
  for (const Row& row : scratch.rows)
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = scratch.entries[static_cast<std::size_t>(e)];
      if (entry.block != b_.block) continue;
      const double f = force[static_cast<std::size_t>(row.slot)];
      forceB += f * Vec3(entry.j[0], entry.j[1], entry.j[2]);
      torqueB += f * Vec3(entry.j[3], entry.j[4], entry.j[5]);
    }
  if (now.rotates(b_.block)) torqueB -= now.arm(b_).cross(forceB);
}

}  // namespace reeve
