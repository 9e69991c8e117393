#pragma once
// What joints share: two bodies, an anchor and an axis frame on each, and the rows they are made of.
//
// Rows a joint is made of (n along a world direction, r the arm from the centre of mass):
//   point row   C = d·(p_b − p_a), d fixed in a, in b or in the world
//   dot row     C = m_a · w_b for two unit vectors that should stay perpendicular: the sine of the angle between them
// and, on the free coordinate x of a hinge or slider (angle about or travel along the axis): limits, friction and
// brake, a damper, a spring λ = −k (x − rest), and a one-way clutch or ratchet (pawl.h).
#include <optional>

#include "reeve/elements/pawl.h"
#include "reeve/model/parameter.h"

namespace reeve {

/// An orthonormal frame fixed to a block, axes in the block's own frame; `axis` is the joint's axis.
struct AxisFrame {
  Vec3 axis = Vec3::UnitZ(), side = Vec3::UnitX(), up = Vec3::UnitY();
};

/// What a joint is made from: the settings, an anchor and a frame on either body, and how far apart the anchors start.
struct JointSite {
  const JointSettings& settings;
  Anchor a, b;
  AxisFrame frameA, frameB;
  double distance = 0.0;  ///< m
};

/// Of a joint with a damper: what it has taken, J.
struct DamperMemory {
  double work = 0.0;
};

class Joint : public Element, public Drivable, public Tunable, public WritesFullStiffness {
 public:
  Joint(const JointSettings& settings, Anchor a, Anchor b, AxisFrame frameA, AxisFrame frameB)
      : settings_(settings), a_(a), b_(b), frameA_(frameA), frameB_(frameB), pawl_(settings.oneWay, settings.pitch) {}

  const Anchor& anchorA() const { return a_; }
  const Anchor& anchorB() const { return b_; }
  const JointSettings& settings() const { return settings_; }
  /// Of a hinge or slider, world frame.
  Vec3 axis(const Instant& now) const { return inA(now, frameA_.axis); }

  /// The free coordinate (hinge angle, slider travel, distance) and its rate; zero where there is none.
  double coordinate(const Instant& now) const override;
  double coordinateRate(const Instant& now) const override;
  void pushCoordinate(const Instant& now, RowSet& out) const override;
  /// C²/2ε of the rows that give way, limits only where they are passed.
  Energy energy(const Instant& now, std::span<const double> force) const override;
  /// How far the joint is from holding, m.
  virtual double separation(const Instant& now) const;
  /// Force and torque on b at its anchor under the multipliers.
  void reaction(const Instant& now, std::span<const double> force, Vec3& forceB, Vec3& torqueB) const;

  std::optional<Parameter> parameter(std::string_view field) const override;
  std::string_view tunableFields() const override;
  /// Keys of State::overrides: 0 while a program keeps the joint, or its brake, released.
  std::int64_t holdKey() const { return elementKey(*this, holds_); }
  std::int64_t brakeKey() const { return elementKey(*this, brakes_); }
  bool released(const Instant& now) const { return value(now, holds_, 1.0) == 0.0; }
  /// From now on it holds its bodies as they are, if its kind can. Empty if done, otherwise why not.
  virtual std::string hookOn(const Instant& now, State& state) const;
  /// J that its damper has taken since the start.
  double damped(const State& state) const {
    return hasDamper() ? overlay<DamperMemory>(state.memory, damperMemory()).work : 0.0;
  }

 protected:
  enum TunableField {
    holds_,
    brakes_,
    compliance_,
    damping_,
    angularCompliance_,
    angularDamping_,
    lower_,
    upper_,
    restitution_,
    friction_,
    viscous_,
    brake_,
    length_,
    stiffness_,
    springRest_,
    pawls_,
    hook_,             ///< and two more: the anchor on b, from its center of mass, body frame
    turn_ = hook_ + 3  ///< and three more: the quaternion that takes directions of a to b
  };
  double value(const Instant& now, TunableField field, double declared) const {
    return chosen(now.past(), elementKey(*this, field), declared);
  }
  /// Compliance and damping of a row of positions.
  void give(const Instant& now, Row& row) const;
  virtual double restLength() const { return 0.0; }
  Vec3 inA(const Instant& now, const Vec3& d) const { return now.rotation(a_.block) * d; }
  Vec3 inB(const Instant& now, const Vec3& d) const { return now.rotation(b_.block) * d; }
  /// Three point rows that hold the anchors together.
  void ballRows(const Instant& now, int firstSlot, RowSet& out) const;
  /// C = u · w, u fixed in a, w fixed in b (world directions now).
  void dotRow(const Instant& now, const Vec3& u, const Vec3& w, int rowSlot, RowSet& out) const;
  /// Stiffness of such a row against a relative rotation of a and b, positive part.
  static Mat3 dotStiffness(const Vec3& u, const Vec3& w, double force);
  /// A stiffness against relative rotation, of all dot rows together.
  void turnStiffness(const Instant& now, const Mat3& k, PatchSet& out) const;
  void ballStiffness(const Instant& now, const Vec3& forceOnB, PatchSet& out) const;
  void fullDot(const Vec3& u, const Vec3& w, double force, FullStiffness& out) const;
  void fullBall(const Instant& now, const Vec3& forceOnB, FullStiffness& out) const;
  void fullCoordinate(const Instant& now, int firstSlot, std::span<const double> force, FullStiffness& out) const;
  Row& angularRow(const Instant& now, int rowSlot, RowSet& out) const;
  /// Where b is held: as it started, or where a hook has caught it.
  Anchor heldB(const Instant& now) const;
  bool hasSpring() const { return settings_.stiffness > 0.0; }
  bool hasDamper() const { return settings_.viscous > 0.0; }
  int coordinateSlots() const { return 4 + (hasSpring() ? 1 : 0) + (pawl_.there() ? 1 : 0); }
  /// Limits, friction and brake, damper, spring, pawl: up to six rows on the free coordinate.
  void coordinateRows(const Instant& now, int firstSlot, RowSet& out) const;
  /// What it remembers of the free coordinate follows whatever else it remembers.
  virtual int ownMemory() const { return 0; }
  int coordinateMemory() const {
    return (hasDamper() ? numbersIn<DamperMemory> : 0) + (pawl_.there() ? numbersIn<PawlMemory> : 0);
  }
  int damperMemory() const { return memory + ownMemory(); }
  int pawlMemory() const { return damperMemory() + (hasDamper() ? numbersIn<DamperMemory> : 0); }
  void startCoordinate(const Instant& now, std::span<double> remembered) const;
  void finishCoordinate(const Instant& now, int firstSlot, State& state) const;

  JointSettings settings_;
  Anchor a_, b_;
  AxisFrame frameA_, frameB_;
  Pawl pawl_;
};

/// Builds the joint that the settings ask for.
std::unique_ptr<Joint> makeJoint(const JointSite& site);

}  // namespace reeve
