#include "reeve/geometry/mass.h"

#include <limits>

#include "reeve/math/scalar.h"

namespace reeve {

namespace {

constexpr double pi = math::pi;

/// Volume, first moments and inertia about the centroid, for density 1, in the geometry's frame.
struct Solid {
  MassProperties operator()(const Sphere& s) const {
    const double r2 = s.radius * s.radius, m = 4.0 / 3.0 * pi * r2 * s.radius;
    return {m, Vec3::Zero(), Mat3::Identity() * (0.4 * m * r2)};
  }
  MassProperties operator()(const Cylinder& c) const {
    const double r2 = c.radius * c.radius, l = 2 * c.halfLength, m = pi * r2 * l;
    const double across = m * (3 * r2 + l * l) / 12;
    return {m, Vec3::Zero(), Vec3(across, across, 0.5 * m * r2).asDiagonal()};
  }
  MassProperties operator()(const Capsule& c) const {
    const MassProperties barrel = (*this)(Cylinder{c.radius, c.halfLength});
    const double r = c.radius, h = c.halfLength, ball = 4.0 / 3.0 * pi * r * r * r;
    // Two half balls: their own inertia about the ball's centre is the ball's; their centroids lie 3r/8 beyond h.
    const double across = ball * (0.4 * r * r + h * h + 0.75 * h * r);
    Mat3 inertia = barrel.inertia;
    inertia += Mat3(Vec3(across, across, 0.4 * ball * r * r).asDiagonal());
    return {barrel.mass + ball, Vec3::Zero(), inertia};
  }
  MassProperties operator()(const Box& b) const {
    const Vec3 q = b.half.cwiseProduct(b.half);
    const double m = 8 * b.half.prod();
    return {m, Vec3::Zero(),
            Vec3((q.y() + q.z()) * m / 3, (q.x() + q.z()) * m / 3, (q.x() + q.y()) * m / 3).asDiagonal()};
  }
  /// Sum of tetrahedra from an inner point to the faces, each fanned into triangles (Tonon 2004).
  MassProperties operator()(const Hull& h) const {
    double v = 0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    for (const Hull::Face& f : h.faces) {
      const Vec3 a = h.vertices[h.corners[f.first]] - h.centre;
      for (int i = 1; i + 1 < f.count; ++i) {
        const Vec3 b = h.vertices[h.corners[f.first + i]] - h.centre,
                   c = h.vertices[h.corners[f.first + i + 1]] - h.centre;
        const double t = a.dot(b.cross(c)) / 6;
        const Vec3 sum = a + b + c;
        v += t;
        first += sum * (t / 4);
        second += (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose()) * (t / 20);
      }
    }
    if (!(v > 0)) return {};
    const Vec3 centroid = first / v;
    second -= v * centroid * centroid.transpose();
    return {v, h.centre + centroid, Mat3::Identity() * second.trace() - second};
  }
  MassProperties operator()(const Prism& p) const { return (*this)(p.hull); }
  MassProperties operator()(const HalfSpace&) const { return {}; }
};

}  // namespace

double volume(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape.geometry)) return std::numeric_limits<double>::infinity();
  return std::visit(Solid{}, shape.geometry).mass;
}

MassProperties massOf(const Shape& shape, double density) {
  MassProperties m = std::visit(Solid{}, shape.geometry);
  m.mass *= density;
  m.inertia *= density;
  return moved(m, shape.local);
}

MassProperties moved(const MassProperties& m, const Pose& pose) {
  const Mat3 R = pose.orientation.toRotationMatrix();
  Mat3 inertia = R * m.inertia * R.transpose();
  inertia = (0.5 * (inertia + inertia.transpose())).eval();
  return {m.mass, pose.point(m.centre), inertia};
}

MassProperties combined(std::span<const MassProperties> parts) {
  MassProperties all;
  for (const MassProperties& p : parts) {
    all.mass += p.mass;
    all.centre += p.mass * p.centre;
  }
  if (!(all.mass > 0)) return {};
  all.centre /= all.mass;
  for (const MassProperties& p : parts) all.inertia += inertiaAbout(p, all.centre);
  return all;
}

MassProperties massOf(std::span<const Shape> shapes, double density) {
  std::vector<MassProperties> parts;
  for (const Shape& s : shapes) parts.push_back(massOf(s, density));
  return combined(parts);
}

Mat3 inertiaAbout(const MassProperties& m, const Vec3& point) {
  return m.inertia + m.mass * pointInertia(point - m.centre);
}

MassProperties scaledTo(const MassProperties& m, double mass) {
  if (!(m.mass > 0)) return {mass, m.centre, Mat3::Zero()};
  return {mass, m.centre, m.inertia * (mass / m.mass)};
}

Mat3 pointInertia(const Vec3& d) { return Mat3::Identity() * d.squaredNorm() - d * d.transpose(); }

}  // namespace reeve
