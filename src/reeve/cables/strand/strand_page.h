#pragma once
// A strand at an instant, worked out once: what the kinematics say of wheels, nodes and straight segments, and what the
// mass makes of them. Rows, mass, forces, contact and views only read it.
#include "reeve/cables/strand/strand_tackle.h"
#include "reeve/cables/strand/strand_types.h"

namespace reeve {

struct StrandNow : StrandTypes {
  /// Wheels, nodes and straight segments at an instant, worked out once for rows, mass and forces.
  struct WheelNow {
    LinkFrame frame;
    Vec3 lever, velocity, omega;  ///< of the centre from the body's, its velocity, and the body's angular velocity
    Vec3 axle, axleRate, normalRate;
    Vec3 spin;  ///< angular velocity of the material on the rim, slip included
    double turn = 0.0, frameTurn = 0.0;
    int side = 1;
    // Of a drum: whether it holds, the angle of the place the end is fixed to, metres of material for one of its rim
    // where it comes on or leaves, and of all that lies on it.
    bool holds = false;
    double anchor = 0.0, passes = 1.0, share = 1.0;
    Vec2 anchorFacing = Vec2::UnitX();
  };
  struct SpanNow {
    bool ok = true, wheels = false;
    bool skew = false;    ///< it has a corner where it touches a rim
    bool parted = false;  ///< broken: its mass hangs from its ends
    double length = 0.0, rest = 0.0;
    Vec3 n = Vec3::Zero(), slope = Vec3::Zero(), slopeRate = Vec3::Zero();  ///< x' and its rate
    /// By end: where, how that place moves, its lever from the wheel's centre with its rate, the material's velocity.
    std::array<Vec3, 2> x, rate, arm, armRate, m;
    std::array<Vec3, 2> pull, moment;                       ///< gradient of the length, about the wheel's centre
    std::array<double, 2> lump{0.5, 0.5};                   ///< shares of its mass at its ends, where mass is lumped
    std::array<double, 2> angle{}, s{}, flowed{}, sRate{};  ///< flowed: change of s in this step
    std::array<Vec2, 2> facing;                             ///< cosine and sine of the angle
  };
  /// Mass, first and second moment about the centre of what moves with a rim: ∫ρ, ∫ρ a, ∫ρ (a² 1 − a aᵀ).
  struct RimMass {
    double mass = 0.0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    void point(double mass, const Vec3& arm);
    Vec3 momentum(const WheelNow& w) const { return mass * w.velocity + w.spin.cross(first); }
    Vec3 angular(const WheelNow& w) const;
  };
  /// Momentum of all that moves with a rim and the force on it, given out to what moves the rim.
  struct RimLoad {
    bool any = false;
    double spin = 0.0, torque = 0.0;  ///< of the rotor
    double slide = 0.0, push = 0.0;   ///< of what slips over it
    Vec3 p, l, force, moment;         ///< of the body, about its centre; only where it moves
  };
  /// The velocity of the material before anything came or went: the two ends of pieces over which it is linear in s.
  struct Moved {
    double s = 0.0;
    Vec3 m = Vec3::Zero();
  };
  /// Directions of a chart's two parameters, and their change.
  struct Along {
    Eigen::Matrix<double, 3, 2> a, d;
  };
  /// Momentum at one end of a span (∫ρ (1−α) ẋ or ∫ρ α ẋ), which goes with the change of the directions, and what acts.
  struct EndLoad {
    Vec3 force, momentum;
  };
  /// The ends of a span that is skew to a rim (strand_skew.cpp): the places where it touches, how far those run along
  /// the rims, the material that passes them, and its motion in the span.
  struct SkewEnds {
    std::array<Motion, 2> place, material;
    std::array<Flow, 2> run, flow;
  };
  /// A strand at an instant, worked out once for rows, mass and forces.
  struct Page {
    std::vector<WheelNow> wheels;
    std::vector<RimMass> arcs;  ///< what lies on each wheel
    std::vector<RimLoad> loads;
    std::vector<Motion> nodes;
    std::vector<SpanNow> spans;
    std::vector<Tackle::Now> tackles;
    bool stillSeen = false;  ///< wheels that never move have been looked at
    bool tackled = false;    ///< tackles are in `tackles`
    bool whole = false;      ///< what is inside of them is in the others too
  };
};

struct StrandPageCache : ElementCache {
  StrandNow::Page page;
};

}  // namespace reeve
