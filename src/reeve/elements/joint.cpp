#include "reeve/elements/joint.h"

#include <cmath>

#include "reeve/math/at.h"

namespace reeve {

double Joint::coordinate(const Instant&) const { return 0.0; }
double Joint::coordinateRate(const Instant&) const { return 0.0; }
void Joint::pushCoordinate(const Instant&, RowSet&) const {}
Energy Joint::energy(const Instant& now, std::span<const double>) const {
  RowSet own;
  if (settings_.compliance > 0.0 || settings_.angularCompliance > 0.0 || hasSpring() || !now.past().overrides.empty())
    rows(now, own);
  Energy out;
  for (const Row& row : own.rows) {
    const bool open = (row.lower == 0.0 && row.error > 0.0) || (row.upper == 0.0 && row.error < 0.0);
    if (row.level == Level::position && row.compliance > 0.0 && !open)
      out.elastic += 0.5 * row.error * row.error / row.compliance;
  }
  return out;
}

double Joint::separation(const Instant& now) const { return (now.point(heldB(now)) - now.point(a_)).norm(); }

Anchor Joint::heldB(const Instant& now) const {
  if (now.past().overrides.empty()) return b_;
  Anchor b = b_;
  for (int k = 0; k < 3; ++k) b.local[k] = chosen(now.past(), elementKey(*this, hook_ + k), b.local[k]);
  return b;
}

std::string Joint::hookOn(const Instant& now, State& state) const {
  if (settings_.type != JointType::ball && settings_.type != JointType::fixed)
    return "a joint of this kind cannot take hold anywhere: hook on with ball, fixed or distance joints";
  if (!now.rotates(b_.block)) return "a particle has no place to be hooked on at but its own";
  const Anchor caught = anchorAt(now, b_.block, now.point(a_));
  for (int k = 0; k < 3; ++k) setOverride(state, elementKey(*this, hook_ + k), caught.local[k]);
  if (settings_.type != JointType::fixed) return {};
  const Quat turn = now.orientation(b_.block).conjugate() * now.orientation(a_.block);
  const double wxyz[] = {turn.w(), turn.x(), turn.y(), turn.z()};
  for (int k = 0; k < 4; ++k) setOverride(state, elementKey(*this, turn_ + k), wxyz[k]);
  return {};
}

void Joint::ballRows(const Instant& now, int firstSlot, RowSet& out) const {
  const Anchor b = heldB(now);
  const Vec3 armA = now.arm(a_), armB = now.arm(b);
  const Vec3 gap = (now.position(b.block) + armB) - (now.position(a_.block) + armA);
  const double compliance = value(now, compliance_, settings_.compliance);
  const double damping = value(now, damping_, settings_.damping) * compliance;
  // arm × e of each axis e in turn.
  const auto levers = [](const Vec3& r, int k) {
    return k == 0 ? Vec3(0.0, r.z(), -r.y()) : k == 1 ? Vec3(-r.z(), 0.0, r.x()) : Vec3(r.y(), -r.x(), 0.0);
  };
  for (int k = 0; k < 3; ++k) {
    Row& row = out.add(firstSlot + k);
    row.error = gap[k];
    row.compliance = compliance;
    row.damping = damping;
    const Vec3 direction = Vec3::Unit(k), lever = levers(armB, k);
    out.freshEntry(a_.block, -direction, -levers(armA, k));
    a_.block == b_.block ? out.entry(b_.block, direction, lever) : out.freshEntry(b_.block, direction, lever);
  }
}

void Joint::give(const Instant& now, Row& row) const {
  row.compliance = value(now, compliance_, settings_.compliance);
  row.damping = value(now, damping_, settings_.damping) * row.compliance;
}

Row& Joint::angularRow(const Instant& now, int rowSlot, RowSet& out) const {
  Row& row = out.add(rowSlot);
  row.compliance = value(now, angularCompliance_, settings_.angularCompliance);
  row.damping = value(now, angularDamping_, settings_.angularDamping) * row.compliance;
  return row;
}

void Joint::dotRow(const Instant& now, const Vec3& u, const Vec3& w, int rowSlot, RowSet& out) const {
  angularRow(now, rowSlot, out).error = u.dot(w);
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
  leverStiffness(now, heldB(now), forceOnB, out);
}

void Joint::coordinateRows(const Instant& now, int firstSlot, RowSet& out) const {
  const JointSettings& s = settings_;
  const double lower = value(now, lower_, s.lower), upper = value(now, upper_, s.upper);
  const double restitution = value(now, restitution_, s.restitution), viscous = value(now, viscous_, s.viscous);
  const bool limitLow = lower > -unbounded, limitHigh = upper < unbounded;
  const double holding = value(now, friction_, s.friction) + value(now, brakes_, 1.0) * value(now, brake_, s.brake);
  const double stiffness = hasSpring() ? value(now, stiffness_, s.stiffness) : 0.0;
  const bool pawl = pawl_.there() && value(now, pawls_, 1.0) != 0.0;
  if (!limitLow && !limitHigh && holding == 0.0 && viscous == 0.0 && stiffness == 0.0 && !pawl) return;
  out.group();
  if (limitLow) {
    Row& row = out.add(firstSlot);
    row.error = coordinate(now) - lower;
    row.lower = 0.0;
    row.restitution = restitution;
    pushCoordinate(now, out);
  }
  if (limitHigh) {
    Row& row = out.add(firstSlot + 1);
    row.error = coordinate(now) - upper;
    row.upper = 0.0;
    row.restitution = restitution;
    pushCoordinate(now, out);
  }
  resistanceRows(now, *this, holding, viscous, firstSlot + 2, out);
  if (stiffness > 0.0) {
    Row& row = out.add(firstSlot + 4);
    row.error = coordinate(now) - value(now, springRest_, s.rest);
    row.compliance = 1.0 / stiffness;
    pushCoordinate(now, out);
  }
  if (pawl)
    pawl_.row(now, *this, overlay<PawlMemory>(now.past().memory, pawlMemory()), firstSlot + coordinateSlots() - 1, out);
}

void Joint::startCoordinate(const Instant& now, std::span<double> remembered) const {
  if (hasDamper()) overlay<DamperMemory>(remembered.subspan(at(ownMemory()))) = {};
  if (pawl_.there())
    overlay<PawlMemory>(remembered.subspan(at(pawlMemory() - memory))).tooth = pawl_.toothAt(coordinate(now));
}

void Joint::finishCoordinate(const Instant& now, int firstSlot, State& state) const {
  if (hasDamper() && !released(now))
    overlay<DamperMemory>(state.memory, damperMemory()).work -=
        now.h * state.force[at(firstSlot + 3)] * coordinateRate(now);
  if (pawl_.there())
    pawl_.pass(coordinate(now), released(now) || value(now, pawls_, 1.0) == 0.0,
               overlay<PawlMemory>(state.memory, pawlMemory()));
}

std::optional<Parameter> Joint::parameter(std::string_view field) const {
  const JointSettings& s = settings_;
  const auto at = [&](TunableField f, double declared, double low = 0.0) {
    return Parameter{elementKey(*this, f), declared, low, unbounded};
  };
  const bool distance = s.type == JointType::distance;
  if (field == "compliance") return at(compliance_, s.compliance);
  if (field == "damping") return at(damping_, s.damping);
  if (distance && field == "length") return at(length_, restLength(), 1e-40);
  if (distance && field == "restitution") return at(restitution_, s.restitution);
  if (distance) return {};
  if (s.type != JointType::ball && field == "angular_compliance") return at(angularCompliance_, s.angularCompliance);
  if (s.type != JointType::ball && field == "angular_damping") return at(angularDamping_, s.angularDamping);
  if (s.type != JointType::hinge && s.type != JointType::slider) return {};
  if (field == "lower") return at(lower_, s.lower, -unbounded);
  if (field == "upper") return at(upper_, s.upper, -unbounded);
  if (field == "restitution") return at(restitution_, s.restitution);
  if (field == "friction") return at(friction_, s.friction);
  if (field == "viscous") return at(viscous_, s.viscous);
  if (field == "brake") return at(brake_, s.brake);
  if (hasSpring() && field == "stiffness") return at(stiffness_, s.stiffness);
  if (hasSpring() && field == "rest") return at(springRest_, s.rest, -unbounded);
  if (pawl_.there() && field == "pawl") return Parameter{elementKey(*this, pawls_), 1.0, 0.0, 1.0};
  return {};
}

std::string_view Joint::tunableFields() const {
  switch (settings_.type) {
    case JointType::distance:
      return "length, compliance, damping, restitution";
    case JointType::ball:
      return "compliance, damping";
    case JointType::hinge:
    case JointType::slider:
      return "compliance, damping, angular_compliance, angular_damping, lower, upper, restitution, friction, viscous, "
             "brake; stiffness and rest of one with a spring; pawl of a one-way one (0 lifted, 1 in)";
    default:
      return "compliance, damping, angular_compliance, angular_damping";
  }
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
  if (now.rotates(b_.block)) torqueB -= now.arm(heldB(now)).cross(forceB);
}

}  // namespace reeve
