#pragma once
// What particle cables touch: bodies, other particle cables and themselves.
//
// A contact is one row, C = n·(x(t) − y) − r ≥ 0: x(t) a point of a segment, weighted (1 − t, t) on its particles, y a
// point of a body (both feel it) or of another segment, n fixed during the substep. Its multiplier λ ≥ 0 is summed over
// the iterations. Friction:
//   coulomb  the slip of the substep is undone as far as |λ_t| ≤ μ λ allows, μ = √(μ_cable μ_body)
//   depth    the thesis' (fig. 3.30): what slid less than `static_friction` stops; else sliding_friction · depth of its
//            way is taken from the velocity
// Between segments both start from what they were in the substep before. Found anew from nothing each time, the
// pressure in a tight knot comes up only over the iterations, friction after it, and what slipped meanwhile is never
// undone: the knot walks along the rope. The first substep of a step starts from nothing, so that a saved state is all
// there is. Which contacts there are is decided once a substep. `discrete` looks at where the segments are going to be.
// `swept` follows their way there: contacts take the normal of the first touch, so a plate is never left on its far
// side; after the solve the way that came out is followed again, what is met anew joins in, and what still would pass
// is held back. A cable that meets itself bends no tighter than its own diameter: a thick rope cannot, and a line
// without thickness in its bends would slip out of every knot. Such a limit is a contact between two particles with one
// between them. Candidates come from the tree of boxes, once a step and whenever a particle leaves the reach it was
// given. Segments shorter than the cable is thick share a box, as many as make a radius: else every one of a fine cable
// would be paired with all those next to it along the cable, only to be passed over.
#include <vector>

#include "reeve/cables/particles/line.h"
#include "reeve/cables/particles/sweep.h"
#include "reeve/geometry/broadphase.h"
#include "reeve/model/description.h"

namespace reeve {
class Executor;
}

namespace reeve::particles {

constexpr double touchSlack = 1e-3;  ///< radii: what counts as touching in a sweep

/// A cable as collisions see it.
struct Skin {
  int first = 0, count = 0;  ///< particles
  double radius = 0.0, friction = 0.0;
  TouchMode touch = TouchMode::swept;
  bool self = false;
  FrictionLaw law = FrictionLaw::coulomb;
  double staticFriction = 0.0, slidingFriction = 0.0;
  std::vector<double> arc;   ///< of every particle along the cable
  std::vector<double> bend;  ///< least distance of particles i and i + 2 (self): no tighter bend than its diameter
};

/// A shape of a body.
struct Obstacle {
  const Shape* shape = nullptr;
  int body = 0;
  double friction = 0.0, reach = 0.0;
  unsigned group = 1, mask = ~0u;
};

/// Segments of a cable that pass through a body: those next to where it is held.
struct Spared {
  int body = 0, firstSegment = 0, lastSegment = 0;
};

struct Touch {
  int a = 0, b = 0;
  double t = 0.0;
  int c = -1, d = -1;  ///< particles of the other segment, or −1
  double s = 0.0;
  int body = -1;
  int skin = 0;
  Vec3 local = Vec3::Zero();    ///< y on the body
  Vec3 normal = Vec3::UnitZ();  ///< from the other to this
  double start = 0.0;           ///< C at the start of the substep
  double friction = 0.0;
  double lambda = 0.0;
  Vec3 grip = Vec3::Zero();  ///< λ_t
  int crossing = -1;         ///< candidate it came from, of two segments
};

class Touching {
 public:
  std::vector<Skin> skins;
  std::vector<Obstacle> obstacles;
  std::vector<Spared> spared;
  bool coloured = false;
  double pace = 0.0;  ///< s, a step of the world: how far ahead candidates are looked for

  void build();
  bool idle() const { return segments_.empty(); }
  /// Forgets the candidates: before a step.
  void restart() { fresh_ = false; }
  /// Contacts of the coming substep, from where particles and bodies are predicted to go.
  void find(const Bundle& bundle, const Vec3& gravity, Executor* executor);
  /// Segments that pressed on each other in the substep before start with the same impulse.
  void warm(Bundle& bundle);
  /// What the next substep starts from.
  void remember();
  /// Contacts of a line that is solved directly, with what does not give way, go into its solve; and come back.
  void offer(const Bundle& bundle, double h, Line& line) const;
  void take(const Line& line);
  void project(Bundle& bundle, double h, bool last, Executor* executor);
  /// Follows the way that came out; true if contacts were added and the substep should be solved on.
  bool check(const Bundle& bundle, Executor* executor);
  /// What contacts have done in the substep, on both sides together, J: their impulses times the mean of the speeds
  /// before and after.
  struct Done {
    double blows = 0.0, friction = 0.0, moved = 0.0;  ///< moved: by bodies that go as they are told
  };
  Done done(const Bundle& bundle, double h) const;
  /// Holds back what would still pass.
  void restrain(Bundle& bundle);
  const std::vector<Touch>& touches() const { return touches_; }
  long long restrained = 0;
  std::size_t candidates() const { return meets_.size() + crossings_.size(); }

 private:
  struct Segment {
    int a = 0, b = 0, skin = 0, index = 0;
  };
  struct Meet {
    int segment = 0, obstacle = 0;
    double gap = 0.0;  ///< bare, at the start of the substep
    int count = 0;
    Touch found[2];
  };
  struct Crossing {
    int one = 0, two = 0;
    double gap = 0.0;
    Vec3 apart = Vec3::Zero();
    int count = 0;
    Touch found;
    double lambda = 0.0;  ///< what held these two segments apart in the substep before, and its friction
    Vec3 grip = Vec3::Zero();
  };
  /// Segments next to each other, last included.
  struct Group {
    int first = 0, last = 0;
  };
  bool covered(const Bundle& bundle) const;
  void seek(const Bundle& bundle, const Vec3& gravity);
  void meet(const Bundle& bundle, Meet& m) const;
  void cross(const Bundle& bundle, Crossing& c) const;
  void contactsAt(const Bundle& bundle, Meet& m, double t, double margin) const;
  void touchAt(const Bundle& bundle, Crossing& c, double t) const;
  void colour(const Bundle& bundle);
  void projectOne(Bundle& bundle, Touch& touch, double h, bool last) const;
  MovingSegment moving(const Bundle& bundle, int segment) const;
  MovingPose posed(const Bundle& bundle, const Obstacle& o) const;
  bool near(int one, int two) const;
  bool allNear(const Group& a, const Group& b) const;
  Aabb reachOf(const Group& g) const;
  void pairUp(const Bundle& bundle, Group a, Group b);
  void pairOne(const Bundle& bundle, int one, int two);
  void confront(int group, int obstacle);
  void limitBends(const Bundle& bundle);

  std::vector<Segment> segments_;
  std::vector<Group> groups_;
  std::vector<Aabb> spans_;  ///< by segment: what it may reach
  std::vector<BroadphaseBox> boxes_;
  Broadphase broadphase_;
  std::vector<Meet> meets_;
  std::vector<Crossing> crossings_;
  std::vector<Touch> touches_;
  std::vector<Vec3> seen_;     ///< positions the candidates were found at
  std::vector<double> reach_;  ///< how far each may go before they are found anew
  std::vector<std::vector<int>> colours_;
  std::vector<int> rest_;  ///< those that share a body that moves
  std::vector<std::uint64_t> taken_;
  Vec3 gravity_ = Vec3::Zero();
  bool fresh_ = false;
};

}  // namespace reeve::particles
