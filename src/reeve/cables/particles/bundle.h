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

struct Proxy {
  int block = 0;
  bool rotates = false, free = false, moves = false, weighs = false;
  double mass = 0.0;
  Mat3 inertia_B = Mat3::Zero();
  // Over a step of the world.
  Vec3 x = Vec3::Zero(), v = Vec3::Zero(), omega = Vec3::Zero();  ///< centre of mass
  Quat q = Quat::Identity();
  Vec3 push = Vec3::Zero(), twist = Vec3::Zero();  ///< received so far, N s and N m s
  // Over a substep.
  double w = 0.0;
  Mat3 inverse_W = Mat3::Zero();
  Vec3 u = Vec3::Zero(), theta = Vec3::Zero();
  Quat turned = Quat::Identity();  ///< orientation now

  Vec3 startOf(const Vec3& local) const { return x + q * local; }
  Vec3 armOf(const Vec3& local) const { return turned * local; }
  Vec3 nowOf(const Vec3& local) const { return x + u + turned * local; }
  Vec3 movedBy(const Vec3& local) const { return rotates ? Vec3(u + (turned * local - q * local)) : u; }
  /// Displacement of the point at `arm` per impulse there.
  Mat3 mobility(const Vec3& arm) const {
    Mat3 k = w * Mat3::Identity();
    if (rotates && free) {
      const Mat3 r = skew(arm);
      k -= r * inverse_W * r;
    }
    return k;
  }
  /// `impulse` in kg m: mass times displacement.
  void strike(const Vec3& arm, const Vec3& impulse) {
    if (!free) return;
    u += w * impulse;
    got += impulse;
    if (!rotates) return;
    const Vec3 moment = arm.cross(impulse);
    gotMoment += moment;
    const Vec3 turn = inverse_W * moment;
    theta += turn;
    turned = (rotationExp(turn) * turned).normalized();
  }
  Vec3 got = Vec3::Zero(), gotMoment = Vec3::Zero();  ///< in this substep, kg m and kg m²
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

  bool pushes(int point) const {
    const int m = points.mount[static_cast<std::size_t>(point)];
    return m >= 0 && bodies[static_cast<std::size_t>(mounts[static_cast<std::size_t>(m)].body)].free;
  }
  const Mount& mountOf(int point) const {
    return mounts[static_cast<std::size_t>(points.mount[static_cast<std::size_t>(point)])];
  }
  Proxy& bodyOf(int point) { return bodies[static_cast<std::size_t>(mountOf(point).body)]; }
  const Proxy& bodyOf(int point) const { return bodies[static_cast<std::size_t>(mountOf(point).body)]; }
  /// Held particles go where their bodies are now.
  void follow() {
    for (const Mount& m : mounts)
      points.u[static_cast<std::size_t>(m.point)] =
          bodies[static_cast<std::size_t>(m.body)].movedBy(m.local) +
          (bodies[static_cast<std::size_t>(m.body)].startOf(m.local) - points.x[static_cast<std::size_t>(m.point)]);
  }
};

}  // namespace reeve::particles
