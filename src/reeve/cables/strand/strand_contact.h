#pragma once
// Contact of a strand with its candidates. In: an evaluated instant. Out: a state in which nodes have come, gone or
// changed what they are (strand_corners.cpp, strand_leave.cpp, strand_rovers.cpp), in what order (strand_layout.cpp),
// what free nodes come against (strand_touch.cpp), events, and the momentum they go on with (strand_impact.cpp).
#include "reeve/cables/strand/strand_rows.h"

namespace reeve {

class StrandContact : public StrandRows {
 protected:
  /// Where a strand goes through the plane in which a node stands beside a feature, in the world: the directions of its
  /// two parameters, their values, and the share of the segment.
  struct Stance {
    bool ok = false;
    Vec3 along = Vec3::UnitX(), out = Vec3::UnitY(), x = Vec3::Zero();
    double u = 0.0, w = 0.0, share = 0.0;
  };
  /// The next feature a straight segment would go through in the coming step, with where, and after which segment.
  struct Meeting {
    int segment = -1, feature = -1;
    Stance at;
    int stale = -1;  ///< station of a node beside the same feature, which is off it and in the way
  };
  /// Where a segment goes through what stands off a rim: the share of it, how far outside, and the way outward there.
  struct Crossing {
    bool ok = false;
    double share = 0.0, high = 0.0;
    Vec3 radial = Vec3::UnitX();
  };
  /// Where a strand from x0 to x1 touches a pad: parameters of its nodes and lengths before, on and after it.
  struct Touch {
    bool through = false;
    Vec2 u[2] = {Vec2::Zero(), Vec2::Zero()};
    double length[3] = {0, 0, 0};
  };
  /// An end of a piece of strand that is laid anew: where, how that place moves, and the material there.
  struct Hold {
    Vec3 x = Vec3::Zero(), rate = Vec3::Zero();
    double s = 0.0, sRate = 0.0;
  };
  /// A taut strand from one hold to another round a round part, now and a moment later.
  struct Bight {
    bool outside = false;  ///< both ends are
    double deep = 0.0;     ///< m: by how much the radius is smaller than the part's
    double length() const { return here.length[0] + here.length[1] + here.length[2]; }
    Vec3 axis = Vec3::UnitZ();
    Touch here, next;
  };
  /// Places of a strand between two holds, in order, in the world. From `arc` to the next it goes by `turn` about
  /// `axis` (on the body), straight everywhere else.
  struct Course {
    std::array<Vec3, 3> x;
    int count = 0, arc = -1;
    double turn = 0.0;
    Vec3 axis = Vec3::UnitZ();
  };
  /// What came and went before a step: whether anything did, and whether it was struck.
  struct Changes {
    bool any = false, struck = false;
  };

 public:
  /// Puts the stations in the order that a state has them.
  void arrange(const State& state);
  void topology(const State& state, Topology& out) const;
  const char* inspect(const State& state) const;
  /// Of a state from outside: its indices, counts and modes.
  const char* memoryFlaw(const State& state) const;
  void sample(const Instant& now, std::vector<Moved>& field) const;
  void keepMomentum(const Instant& fresh, const std::vector<Moved>& field, std::span<double> p) const;

 protected:
  Touch touch(const Pad& pad, const Vec3& x0, const Vec3& x1) const;
  const StrandContact& arrangedAt(const Instant& now) const;
  Changes meet(const Instant& now, State& state, std::vector<Moved>& before, Events& events) const;
  void role(const State& state, const Spare& spare);
  /// What stands for a station in the order, see order_.
  int idOf(const Node& n) const { return n.spare >= 0 ? static_cast<int>(built_.size()) + n.spare : n.rover; }
  int stationsIn(const State& state) const;
  void insertStation(State& state, int after, const Node& node) const;
  void removeStation(State& state, int st) const;
  void replaceStation(State& state, int st, const Spare& spare) const;
  void moveSlots(State& state, const std::vector<int>& was) const;
  const Spare* waitingSpare(const State& state) const;
  void write(const Instant& now, State& state, int block, const Vec3& q, const Vec3& v) const;
  void sleep(const Instant& now, State& state, const Spare& spare) const;
  void freeAt(const Instant& now, State& state, const Spare& spare, const Vec3& x, const Vec3& v, double s) const;
  void setTouch(const Instant& now, State& state, int node, int block, const Vec3& normal, const Vec3& point) const;
  void dropTouch(State& state, int node) const;
  bool feel(const Instant& now, State& state) const;
  Vec3 onFeature(const Instant& now, const Feature& f, const Vec3& x, Vec3& normal) const;
  bool goesThrough(const Instant& now) const;
  Beside beside(const Instant& now, const Feature& f, const Vec3& a, const Vec3& b, double later) const;
  static Crossing crossRim(const Feature& f, const Vec3& x0, const Vec3& d, const Vec3& axis);
  Meeting nextMeeting(const Instant& now, const State& state) const;
  Stance stance(const Instant& now, const Feature& f, const Vec3& x0, const Vec3& x1, const Vec3& normal) const;
  void stand(const Instant& now, State& state, const Spare& spare, int feature, const Stance& at, const Vec3& slope,
             const Vec3& m, double s) const;
  bool meetFeature(const Instant& now, State& state) const;
  bool mayGo(const State& state, int st) const;
  bool layOn(const Instant& now, State& state, Events& events) const;
  bool layOnRound(const Instant& now, State& state, const Spare& spare, const Feature& f, int feature) const;
  Pad padOf(const Feature& f, const Vec3& axis) const;
  bool letGo(const Instant& now, State& state, Events& events) const;
  bool letGoArc(const Instant& now, State& state, const Spare& first) const;
  bool strays(const Instant& now, State& state, const Spare& spare) const;
  bool clears(const Instant& now, const Spare& spare, const Feature& f) const;
  bool tellContact(const Instant& now, State& state, Events& events) const;
  bool leavesArc(const Instant& now, const State& state, const Spare& first, const Spare& second) const;
  bool slipsOff(const Instant& now, State& state, const Spare& spare) const;
  /// What would be lost of the kinetic energy if this free node vanished, J; none while its strand is bent there.
  std::optional<double> lossWithout(const Instant& now, int st) const;
  bool vanish(const Instant& now, State& state, Events& events) const;
  Hold hold(const Instant& now, int segment, int end) const;
  Bight roundAbout(const Instant& now, const Feature& f, const Hold& a, const Hold& b, double deep,
                   const Course& course) const;
  /// The same as long as its material, if the part were a little smaller.
  Bight fitRound(const Instant& now, const Feature& f, const Hold& a, const Hold& b, const Course& course) const;
  bool joinRound(const Instant& now, State& state, int st, int feature) const;
  static Touch wind(const Pad& pad, const Vec3& a, const Vec3& b, double side, double turn);
  void layArc(const Instant& now, State& state, const Spare& first, const Spare& second, int feature,
              const Bight& bight, const Hold& a, const Hold& b) const;
  void park(const Instant& now, State& state, const Node& n) const;
  void takeOut(const Instant& now, State& state, int st) const;
  bool relay(const Instant& now, State& state, int st, bool before, const Hold& far) const;
  int roundPart(const State& state, int st) const;
  void loosen(State& state, int segment, double slack) const;
  bool thin(const Instant& now, State& state) const;
  bool fill(const Instant& now, State& state) const;
  bool handOver(const Instant& now, State& state) const;
};

}  // namespace reeve
