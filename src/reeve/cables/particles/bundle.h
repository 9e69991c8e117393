#pragma once
// The plain arrays particle cables are advanced on, and stand-ins for the bodies they hold on to and touch.
//
// In a substep of length h the unknown is the displacement u of every particle since its start, never the position:
// what a projection adds to two particles is then equal and opposite to rounding of the displacement, and v = u/h keeps
// momentum to that. A stand-in moves along with the cable, with the body's mass and inertia, and sums the impulses it
// got; the world's solver moves the body itself by these impulses, as a force over its step.
#include <vector>

#include "reeve/math/rotation.h"
#include "reeve/math/types.h"

namespace reeve::particles {

/// By particle. A held particle has w = 0 and follows its mount.
struct Points {
  std::vector<Vec3> x;        ///< at the start of the substep, m
  std::vector<Vec3> v;        ///< m/s
  std::vector<Vec3> u;        ///< displacement in the substep so far, m
  std::vector<Vec3> shift;    ///< the part of u that is no velocity (repositioning; friction by depth), m
  std::vector<double> mass;   ///< kg
  std::vector<double> w;      ///< 1/mass, or 0 where held
  std::vector<int> mount;     ///< into Bundle::mounts, or −1
  std::vector<Vec3> pressed;  ///< impulse of contacts on held particles, kg m

  void resize(std::size_t n) {
    for (auto* a : {&x, &v, &u, &shift, &pressed}) a->resize(n, Vec3::Zero());
    mass.resize(n, 0.0);
    w.resize(n, 0.0);
    mount.resize(n, -1);
  }
  int size() const { return static_cast<int>(x.size()); }
};

using Six6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

/// The particles a body carries.
struct Load {
  double mass = 0.0;            ///< Σ m
  Vec3 moment = Vec3::Zero();   ///< Σ m r, r from its centre of mass, body frame
  Mat3 inertia = Mat3::Zero();  ///< −Σ m [r][r], body frame
};

/// What it moves about is its pivot, the centre of mass of the body and what it carries: that goes straight on by
/// itself, however fast a light plug spins about the heavy end of its cable. (Held by joints: the body's own centre.)
struct Proxy {
  int block = 0;
  bool rotates = false, free = false, moves = false, weighs = false;
  double mass = 0.0;
  Mat3 inertia_B = Mat3::Zero();
  // Over a step of the world.
  Vec3 x = Vec3::Zero(), v = Vec3::Zero(), omega = Vec3::Zero();  ///< centre of mass of the body
  Quat q = Quat::Identity();
  Vec3 push = Vec3::Zero(), twist = Vec3::Zero();  ///< received so far, N s and N m s
  // What joints leave of its freedom (restraint.h).
  bool held = false;
  bool full =
      false;  ///< `give` says how it yields, not w and inverse_W: it is held, or carries particles off its centre
  Six6 give;  ///< displacement and turn per impulse and moment
  Vec3 fall = Vec3::Zero(), tumble = Vec3::Zero();  ///< acceleration without the cables, m/s², rad/s²
  // Over a substep.
  Vec3 pivot = Vec3::Zero();  ///< body frame
  double w = 0.0;
  Mat3 inverse_W = Mat3::Zero();
  Vec3 u = Vec3::Zero(), theta = Vec3::Zero();  ///< of the pivot
  Quat turned = Quat::Identity();               ///< orientation now

  Vec3 startOf(const Vec3& local) const { return x + q * local; }
  /// From the pivot, now.
  Vec3 armOf(const Vec3& local) const { return turned * (local - pivot); }
  Vec3 movedBy(const Vec3& local) const {
    return rotates ? Vec3(u + (turned * (local - pivot) - q * (local - pivot))) : u;
  }
  /// Of the pivot, from that of the centre of mass, where the substep starts; and back.
  Vec3 pivotVelocity() const { return rotates ? Vec3(v + omega.cross(q * pivot)) : v; }
  Vec3 centreVelocity(const Vec3& ofPivot) const { return rotates ? Vec3(ofPivot - omega.cross(q * pivot)) : ofPivot; }
  /// Displacement of the point at `arm` per impulse there.
  Mat3 mobility(const Vec3& arm) const {
    if (held) {
      const Mat3 r = rotates ? skew(arm) : Mat3(Mat3::Zero());
      return give.topLeftCorner<3, 3>() + give.topRightCorner<3, 3>() * r - r * give.bottomLeftCorner<3, 3>() -
             r * give.bottomRightCorner<3, 3>() * r;
    }
    Mat3 k = w * Mat3::Identity();
    if (rotates && free) {
      const Mat3 r = skew(arm);
      k -= r * inverse_W * r;
    }
    return k;
  }
  /// Its inverse; what does not give way at all counts as a thousand million times its mass.
  Mat3 inertiaAt(const Vec3& arm) const {
    return held ? Mat3((mobility(arm) + (1e-9 * w) * Mat3::Identity()).inverse()) : Mat3(mobility(arm).inverse());
  }
  /// How an impulse and a moment about the pivot move and turn it.
  void yield(const Vec3& impulse, const Vec3& moment, Vec3& move, Vec3& turn) const {
    if (held) {
      move += give.topLeftCorner<3, 3>() * impulse + give.topRightCorner<3, 3>() * moment;
      turn += give.bottomLeftCorner<3, 3>() * impulse + give.bottomRightCorner<3, 3>() * moment;
    } else {
      move += w * impulse;
      if (rotates) turn += inverse_W * moment;
    }
  }
  /// `impulse` in kg m: mass times displacement.
  void strike(const Vec3& arm, const Vec3& impulse) {
    if (!free) return;
    const Vec3 moment = rotates ? Vec3(arm.cross(impulse)) : Vec3(Vec3::Zero());
    got += impulse;
    gotMoment += moment;
    Vec3 turn = Vec3::Zero();
    yield(impulse, moment, u, turn);
    if (!rotates) return;
    theta += turn;
    turned = (rotationExp(turn) * turned).normalized();
  }
  Vec3 got = Vec3::Zero(), gotMoment = Vec3::Zero();  ///< in this substep, kg m and kg m², about the pivot
};

/// A particle held at a point of a body.
struct Mount {
  int point = 0;
  int body = 0;  ///< into Bundle::bodies
  Vec3 local = Vec3::Zero();
  Vec3 force = Vec3::Zero();  ///< on the body, summed over a step of the world, N s
  int cable = 0, link = 0;
};

struct Bundle {
  Points points;
  std::vector<Proxy> bodies;
  std::vector<Mount> mounts;

  Load loadOf(int body) const {
    Load load;
    for (const Mount& m : mounts) {
      if (m.body != body) continue;
      const double own = points.mass[static_cast<std::size_t>(m.point)];
      const Mat3 r = skew(m.local);
      load.mass += own;
      load.moment += own * m.local;
      load.inertia -= own * r * r;
    }
    return load;
  }
  bool pushes(int point) const {
    const int m = points.mount[static_cast<std::size_t>(point)];
    return m >= 0 && bodies[static_cast<std::size_t>(mounts[static_cast<std::size_t>(m)].body)].free;
  }
  const Mount& mountOf(int point) const {
    return mounts[static_cast<std::size_t>(points.mount[static_cast<std::size_t>(point)])];
  }
  Proxy& bodyOf(int point) { return bodies[static_cast<std::size_t>(mountOf(point).body)]; }
  const Proxy& bodyOf(int point) const { return bodies[static_cast<std::size_t>(mountOf(point).body)]; }
  /// Held particles go where their bodies are now. That a body is not where its stand-in went is no velocity.
  void follow() {
    for (const Mount& m : mounts) {
      const Proxy& b = bodies[static_cast<std::size_t>(m.body)];
      const std::size_t i = static_cast<std::size_t>(m.point);
      points.shift[i] = b.startOf(m.local) - points.x[i];
      points.u[i] = b.movedBy(m.local) + points.shift[i];
    }
  }
};

}  // namespace reeve::particles
