#pragma once
// A cable as a chain of rigid segments (Servin and Lacoursière 2008, sections V and VII).
//
// The cable is divided into N segments with mass ρℓ and the inertia of a rod of its section, each a body that collides,
// joined by the stretch, bend and twist rows of segment_joint.h. Its first and last segment are held by what the route
// names: pinned (three point rows), clamped (bend and twist too: the body is then part of the chain, as section VIII
// does with hook and load), or not at all (a free end). A closed chain joins its last segment to its first.
//   section        A        I         J                     EA = Y A, EI = Y I, GJ = Y J/(2(1+ν)) unless given
//   round, r       πr²      πr⁴/4     2 I
//   square, 2r     4r²      A²/12     0.1406 A²
// Rest shape: straight, or as it starts (`preformed`), with `twisted` radians of rest twist per metre on top.
// Start: along `shape`, else hanging as a catenary when it is longer than the way, else straight, evenly stretched when
// it is shorter. Segments start without twist (carried parallel along the curve).
//
// Segments that come and go. Two neighbours that are straight, taut and untouched may merge into one of their joint
// length, and split again (`merges`; the paper's line 18 of algorithm 1); whole segments may be wound on a drum and
// paid out (a spool as first link, chain_drum.cpp). Both take them from a pool of spare bodies that are asleep while
// they are no part of the cable. Which segment begins and ends at every node between finest segments is in
// State::memory. What merges and splits keep is in chain_merge.cpp.
#include "reeve/cables/cable.h"
#include "reeve/cables/chain/chain_section.h"
#include "reeve/cables/chain/chain_state.h"

namespace reeve {

class ChainCable : public Cable, public WritesFullStiffness {
 public:
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);

  CableTraits traits() const override { return {.word = "chain", .spansAreSegments = true}; }
  ElementLayout layout() const override {
    return {.slots = SegmentJoint::slots * jointCount(),
            .memory = stride_ * jointCount() + (drum_ ? numbersIn<ChainDrumMemory> : 0)};
  }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void begin(const Instant& now, const StepContext& context, State& state) const override;
  void topology(const State& state, Topology& out) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void forces(const Instant& now, Forces& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  Energy energy(const Instant& now, std::span<const double> force) const override {
    return {.potential = woundEnergy(now), .elastic = elasticEnergy(now, force)};
  }
  const char* inspect(const State& state, const Inspection& how) const override;
  std::string nameOf(ElementPart part, int index) const override;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override;
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points,
            std::vector<double>& tensions) const override;
  int segmentBlock(int segment) const override {
    return pooled_ || segment >= static_cast<int>(segments_.size())
               ? -1
               : segments_[static_cast<std::size_t>(segment)].block;
  }

 private:
  double elasticEnergy(const Instant& now, std::span<const double> force) const;
  double woundEnergy(const Instant& now) const;
  struct Segment {
    int block = 0;
    double length = 0.0;         ///< unstretched
    int from = 0, to = 0;        ///< nodes it runs between
    int parent = -1, left = -1;  ///< what it merges into; the first of the two it splits into (the second follows)
  };
  /// What the chain is wound on: see chain_drum.cpp.
  struct Drum {
    int rotor = 0, parent = 0;  ///< blocks
    Vec3 center_B = Vec3::Zero(), axis_B = Vec3::UnitY(), across_B = Vec3::UnitX();
    double radius = 0.0, side = 1.0;
    double inertia = 0.0;  ///< kg m², of the rotor without the chain
    int wound = 0;         ///< segments on it at the start
  };
  /// Where the chain leaves the drum.
  struct Tangent {
    Vec3 along, point;    ///< direction of the segment there, and the place
    double angle = 0.0;   ///< of that direction about the axle, rad, turns counted
    double offset = 0.0;  ///< m, of the material at `point` from the middle of its segment, along it
    double turned = 0.0;  ///< m, the same if the chain had no beginning
    int end = 0;          ///< -1: all is paid out, 1: no more can be wound up; `point` is fixed to the rim
  };
  int jointCount() const { return static_cast<int>(joints_.size()); }
  const SegmentJoint& joint(int j) const { return joints_[static_cast<std::size_t>(j)]; }
  const Segment& segment(int i) const { return segments_[static_cast<std::size_t>(i)]; }
  // Its memory, see chain_state.h. Of a State that is const it is const; of start() it is what it is given.
  static constexpr int plainStride = numbersIn<ChainJointMemory>;
  static constexpr int pooledStride = plainStride + numbersIn<ChainPoolMemory>;
  static constexpr int gainStride = pooledStride + numbersIn<ChainGainMemory>;
  template <class Kept>
  auto& jointMemory(Kept& s, int j) const {
    return overlay<ChainJointMemory>(s.memory, memory + stride_ * j);
  }
  template <class Kept>
  auto& poolMemory(Kept& s, int j) const {
    return overlay<ChainPoolMemory>(s.memory, memory + stride_ * j + plainStride);
  }
  template <class Kept>
  auto& gainMemory(Kept& s, int j) const {
    return overlay<ChainGainMemory>(s.memory, memory + stride_ * j + pooledStride);
  }
  template <class Kept>
  auto& drumMemory(Kept& s) const {
    return overlay<ChainDrumMemory>(s.memory, memory + stride_ * jointCount());
  }
  bool broken(const State& s, int j) const { return jointMemory(s, j).broken; }
  int before(const State& s, int j) const { return poolMemory(s, j).before; }
  int after(const State& s, int j) const { return poolMemory(s, j).after; }
  bool awake(const State& s, int i) const { return after(s, segment(i).from) == i; }
  int held(const State& s) const { return drumMemory(s).held; }
  int firstSegment(const State& s) const { return drum_ ? held(s) : pooled_ ? after(s, 0) : 0; }
  int nextSegment(const State& s, int i) const;
  bool touched(const State& s, int j) const { return stride_ > plainStride && poolMemory(s, j).touched; }
  bool gains() const { return stride_ == gainStride; }
  bool ownsBlock(int block) const { return segments_.front().block <= block && block <= segments_.back().block; }
  std::span<const double> forceOf(std::span<const double> force, int j) const {
    return force.subspan(static_cast<std::size_t>(slot + SegmentJoint::slots * j), SegmentJoint::slots);
  }
  std::span<double> forceOf(State& s, int j) const {
    return std::span<double>(s.force).subspan(static_cast<std::size_t>(slot + SegmentJoint::slots * j),
                                              SegmentJoint::slots);
  }
  /// Whether joint j is one now: not inside a merged segment, not wound up, not broken, not a free end.
  bool joins(const State& s, int j) const;
  /// Joint j between what it joins now, as stiff as it is now. `room` is where it is put together if need be.
  const SegmentJoint& present(const State& s, int j, SegmentJoint& room) const;
  bool overtwisted(const Instant& now, std::span<const double> force) const;
  double tension(const Instant& now, std::span<const double> force, const SegmentJoint& joint, int j) const;

  // chain_merge.cpp
  void feel(const Instant& now, State& state) const;
  bool adapt(const Instant& now, State& state) const;
  bool straight(const Instant& now, const State& state, int j, double most) const;
  bool slack(const Instant& now, const State& state, int j) const;
  void merge(const Instant& now, State& state, int parent) const;
  void split(const Instant& now, State& state, int parent) const;

  // chain_drum.cpp
  Tangent tangent(const Instant& now, const State& state) const;
  void drumRows(const Instant& now, RowSet& out) const;
  bool windsNoMore(const State& state) const;
  double woundPart(const Instant& now, Vec3& arm) const;
  bool wind(const Instant& now, State& state) const;
  void payOut(const Instant& now, State& state, const Tangent& t) const;
  void takeIn(const Instant& now, State& state, int next) const;
  double drumInertia(const State& state) const;
  double drumCompliance(const State& state) const;

  static bool drumStands(const CableSite& site);
  std::expected<void, Problem> check(const CableSite& site) const;
  std::expected<void, Problem> checkPool(const CableSite& site) const;
  std::expected<void, Problem> checkRoute(const CableSite& site) const;
  std::expected<void, Problem> checkDrum(const CableSite& site) const;
  std::expected<std::vector<Vec3>, Problem> path(const CableSite& site, double& rest) const;
  Vec3 leavesFrom(const CableSite& site, const Vec3& to) const;
  void addSegments(const CableSite& site, std::span<const Vec3> vertices, double rest, std::vector<Pose>& poses);
  int addSegment(const CableSite& site, const Pose& pose, double length, const Vec3& velocity, const Vec3& turning);
  void addWound(const CableSite& site, const Pose& first, double length, int count, std::vector<Pose>& poses);
  void addMerged(const CableSite& site, std::span<const Pose> poses);
  int startInside(const CableSite& site, std::size_t end, std::span<const Pose> poses) const;
  void excludeNeighbours(const CableSite& site, std::span<const Pose> poses) const;
  void excludeKnotted(const CableSite& site, std::span<const Pose> poses) const;
  void excludeAtKnot(const CableSite& site, std::span<const Pose> poses, std::size_t end, const ChainCable& other,
                     std::size_t otherEnd) const;
  void addJoints(const CableSite& site, std::span<const Pose> poses);
  SegmentJoint joinSegments(std::size_t i, std::size_t k, std::span<const Pose> poses) const;
  SegmentJoint joinEnd(const CableSite& site, bool last, const Pose& pose) const;
  SegmentJoint joinRing(const CableSite& site, std::size_t link, std::span<const Pose> poses) const;
  void setMaterial(SegmentJoint& joint, double length) const;

  CableSettings settings_;
  ChainSection section_;
  std::vector<LinkMount> mounts_;
  std::vector<Segment> segments_;       ///< finest ones in order, then what they merge into
  std::vector<SegmentJoint> joints_;    ///< with spares: one a node, from the first node to the last
  int finest_ = 0;                      ///< how many of the segments are finest ones
  int firstHeld_ = -1, lastHeld_ = -1;  ///< joints that hold the ends; -1: free
  int stride_ = plainStride;            ///< numbers remembered of a joint
  bool pooled_ = false;                 ///< has spares
  std::optional<Drum> drum_;
};

}  // namespace reeve
