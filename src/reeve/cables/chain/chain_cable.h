#pragma once
// A cable as a chain of rigid segments (Servin and Lacoursière 2008, sections V and VII).
//
// The cable is divided into N segments with mass ρℓ and the inertia of a rod of its section, each a body that collides,
// joined by the stretch, bend and twist rows of segment_joint.h. Its first and last segment are held by what the route
// names: pinned (three point rows), clamped (bend and twist too: the body is then part of the chain, as section VIII
// does with hook and load), or not at all (a free end).
//   section        A        I         J                     EA = Y A, EI = Y I, GJ = Y J/(2(1+ν)) unless given
//   round, r       πr²      πr⁴/4     2 I
//   square, 2r     4r²      A²/12     0.1406 A²
// Rest shape: straight, or as it starts (`preformed`), with `twisted` radians of rest twist per metre on top.
// Start: along `shape`, else hanging as a catenary when it is longer than the way, else straight, evenly stretched when
// it is shorter. Segments start without twist (carried parallel along the curve).
#include "reeve/cables/cable.h"
#include "reeve/cables/chain/segment_joint.h"

namespace reeve {

class ChainCable : public Cable {
 public:
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);

  CableModel model() const override { return CableModel::chain; }
  int slots() const override { return SegmentJoint::slots * jointCount(); }
  int memorySize() const override { return 2 * jointCount(); }  // per joint: its twist, whether it broke
  void start(const Instant& now, std::span<double> memory) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  void finish(const Instant& now, State& state, std::vector<Notice>& notices) const override;
  double energy(const Instant& now, std::span<const double> force) const override;
  std::string rowName(int localSlot) const override;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override;
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points,
            std::vector<double>& tensions) const override;

 private:
  struct Segment {
    int block = 0;
    double length = 0.0;  ///< unstretched
  };
  /// Stiffness per metre, from the material.
  struct Section {
    double axial = unbounded, bending = 0.0, torsion = 0.0;  ///< EA N, EI N m², GJ N m²
  };

  int jointCount() const { return static_cast<int>(joints_.size()); }
  const SegmentJoint& joint(int j) const { return joints_[static_cast<std::size_t>(j)]; }
  std::size_t twistCell(int j) const { return static_cast<std::size_t>(memory + 2 * j); }
  bool broken(const State& s, int j) const { return s.memory[twistCell(j) + 1] != 0.0; }
  std::span<const double> forceOf(std::span<const double> force, int j) const {
    return force.subspan(static_cast<std::size_t>(slot + SegmentJoint::slots * j), SegmentJoint::slots);
  }
  double tension(const Instant& now, std::span<const double> force, int j) const;

  std::expected<void, Problem> check(const CableSite& site) const;
  std::expected<std::vector<Vec3>, Problem> path(const CableSite& site, double& rest) const;
  void addSegments(const CableSite& site, std::span<const Vec3> vertices, double rest, std::vector<Pose>& poses);
  void addJoints(const CableSite& site, std::span<const Pose> poses);
  SegmentJoint joinSegments(std::size_t i, std::size_t k, std::span<const Pose> poses) const;
  SegmentJoint joinEnd(const CableSite& site, bool last, const Pose& pose) const;
  void setMaterial(SegmentJoint& joint, double length) const;

  CableSettings settings_;
  Section section_;
  std::vector<LinkMount> mounts_;
  std::vector<Segment> segments_;
  std::vector<SegmentJoint> joints_;
  bool joinedFirst_ = false, joinedLast_ = false;  ///< the ends are held
};

}  // namespace reeve
