#pragma once
// What a strand is made of: stations (nodes and wheels), the segments between them, what nodes lie on, and what moves
// a place or a number. Plain data, as it was built or as a state arranges it.
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "reeve/cables/cable.h"
#include "reeve/geometry/chart.h"
#include "reeve/geometry/shape.h"
#include "reeve/geometry/wrap.h"

namespace reeve {

class StrandKinematics;

struct StrandTypes {
  /// How one block moves something: velocity = Σ a v, and the change of a along the motion.
  struct Carry {
    int block = 0, dof = 0;
    Eigen::Matrix<double, 3, 6> a, d;
  };
  /// How blocks move a number: its rate = Σ a v, and the change of a along the motion.
  struct Flow {
    struct Part {
      int block = 0, dof = 0;
      Eigen::Matrix<double, 1, 6> a, d;
    };
    int count = 0;
    std::array<Part, 9> part;
    Part& add(int block, int dof);
    void blend(const Flow& other, double weight);
  };
  /// Place and velocity of something, and what moves it.
  struct Motion {
    Vec3 x = Vec3::Zero(), v = Vec3::Zero();
    int count = 0;
    std::array<Carry, 9> carry;
    Carry& add(int block, int dof);
    void addRigid(const Instant& now, int block, const Vec3& arm, const Vec3& armRate);
    /// Adds `weight` times another's motion, `rate` its change.
    void blend(const Motion& other, double weight, double rate);
    /// Adds a motion along a direction by the rate of a number.
    void run(const Flow& flow, const Vec3& along, const Vec3& alongRate);
  };
  enum class Place : std::uint8_t { point, free, chart, ride, between, waiting };
  struct Node {
    Place place = Place::point;
    int block = -1;          ///< own coordinates, -1: none
    int flow = -1;           ///< block of s, -1: Lagrangian
    double s = 0.0;          ///< m, at the start
    int kept = -1;           ///< s of a free Lagrangian node in this strand's memory: resampling moves it
    Anchor anchor;           ///< point
    int chart = -1;          ///< chart
    Vec2 at = Vec2::Zero();  ///< chart: parameters of a node without coordinates
    const StrandKinematics* host = nullptr;
    int hostA = -1, hostB = -1;  ///< ride, between: nodes of the host
    double friction = 0.0;       ///< capstan coefficient of an Eulerian node
    bool tangent = false;        ///< kept where the span outside is tangent to its chart
    int pad = -1;                ///< of the surface it may leave
    int spare = -1;              ///< which of the nodes that come and go
    bool stands = false;         ///< beside what it may come to lie on: a row keeps it outside (strand_touch.cpp)
    double ball = 0.0;           ///< m: radius of the ball it stands beside
    double deep = 0.0;           ///< m: so far inside it may be
    int touch = -1;              ///< in this strand's memory: what a free node may come against (strand_touch.cpp)
    int gone = -1;               ///< in this strand's memory: 1 once a free end has slipped out of this hole
    int rover = -1;              ///< its place among the stations at the start, if it may be taken out
    int at0 = 0;                 ///< its station
    bool pays = false;           ///< material is paid out there
  };
  /// A chart and what it is fixed to: a body, or (node ≥ 0) a node of another strand, in the world's axes.
  struct Ground {
    std::shared_ptr<const Chart> chart;
    int block = 0, node = -1;
    const StrandKinematics* host = nullptr;
  };
  /// A surface the strand lies on between two nodes and may leave: it lifts off where it would have to be held down,
  /// and comes to lie on it where it would go through. While it is off, the two nodes are on the line between the nodes
  /// that are left, and their own coordinates rest.
  struct Pad {
    int first = 0;  ///< station of the first of its two nodes
    int node = 0;   ///< that node
    bool ball = false;
    double radius = 0.0;
    ChartFrame frame;  ///< on the body
    int link = 0;
    bool startsOff = false;
    int kept = 0;  ///< in this strand's memory: 1 while the strand is off it
  };
  /// What a candidate body has that a strand may come to lie on: an edge, or a round part (strand_features.cpp). On the
  /// body, grown by the strand's radius.
  struct Feature {
    enum class Kind : std::uint8_t { edge, rim, tube, ball };
    Kind kind = Kind::edge;
    int block = 0;
    Vec3 origin = Vec3::Zero();  ///< edge: where it starts; others: the middle
    Vec3 along = Vec3::UnitZ();  ///< unit: edge, tube's axis; rim: outward
    double length = 0.0;         ///< edge: all of it; tube: half of it
    double radius = 0.0;         ///< rim, tube, ball
    bool leaves = false;         ///< rim: where a strand comes out over the flat end, not where it goes in
    bool flat = false;           ///< tube: with flat ends
    double depth = 0.0;          ///< m: a strand so deep inside was on this side of it
    std::array<Vec3, 2> normal{Vec3::Zero(), Vec3::Zero()};  ///< edge: of the faces beside it
  };
  /// A candidate with flat faces, for free nodes that come against one.
  struct Solid {
    int block = 0;
    std::vector<Vec3> normal;
    std::vector<double> offset;
    double half = 0.0;  ///< m: half of its least thickness
  };
  /// A strand beside a feature: where on both, the outward direction, and how far apart.
  struct Beside {
    bool known = false;                          ///< there is an outside to be on
    bool facing = false;                         ///< and they pass each other within their lengths
    double share = 0.0, along = 0.0, gap = 0.0;  ///< share of the segment; along the edge or axis, m
    Vec3 normal = Vec3::UnitZ();
  };
  /// A node that comes and goes: its blocks, of which those its role needs are awake.
  enum class Role : std::uint8_t { waiting, free, edge, held, beside, arcStart, arcEnd };
  static bool stands(Role role) { return role == Role::edge || role == Role::held || role == Role::beside; }
  struct Spare {
    int node = 0, ground = 0;
    int line = 0, surface = 0, place = 0, flow = 0;  ///< blocks of 1, 2, 3 and 1 coordinates
    int kept = 0;                                    ///< its SpareMemory
  };
  /// A hole that slides along the line of a strand whose nodes are all Lagrangian (strand_slides.cpp).
  struct Slide {
    Anchor anchor;
    int link = 0;
    int node = 0;       ///< where it is at the start
    bool last = false;  ///< on the segment before that node, else after it
    int kept = 0;       ///< its segment in this strand's memory, -1: it has left the strand
  };
  struct SlideNow {
    bool ok = false;
    Vec3 from, to, hole, across[2];
    double share = 0.0;  ///< of the way from `from` to `to`
  };
  /// Two clamped ends (strand_twist.cpp): their blocks, and on them the strand's direction and one across it.
  struct Twist {
    bool held = false;
    std::array<int, 2> block{};
    std::array<Vec3, 2> tangent_B, director_B;
    int kept = 0;  ///< its angle in this strand's memory, so that whole turns count
  };
  struct Wheel {
    LinkMount mount;
    Outline outline = Outline::point();
    Vec3 center_B = Vec3::Zero(), x_B = Vec3::UnitX(), y_B = Vec3::UnitZ(), normal_B = Vec3::UnitY();
    int side = 1;
    double friction = unbounded;
    int slip = -1;  ///< block of the material that slides over it; none where it never slips
    bool still = false;
    bool drum = false;   ///< an end of the strand is wound on it
    bool winds = false;  ///< drum: the first end, else the last
    int kept = -1;       ///< drum: its DrumMemory
  };
  struct Station {
    bool wheel = false;
    int index = 0;  ///< node or wheel
    int link = 0;   ///< of the route; free nodes inside a span have the link before them
    bool named = true;
  };
  struct Segment {
    int from = 0, to = 0;  ///< stations
    int chart = -1;        ///< shared; -1: straight
    double around = 0.0;   ///< the strand's length, on the segment that closes a loop
    bool unilateral = false;
  };
  /// One end of a segment: a motion of the *material* there.
  struct End : Motion {
    double s = 0.0, sRate = 0.0;
    Vec3 m = Vec3::Zero();  ///< its velocity
  };
};

}  // namespace reeve
