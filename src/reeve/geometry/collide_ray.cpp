// Segments against shapes, in the geometry's frame.
#include <cmath>

#include "reeve/geometry/collide.h"
#include "reeve/geometry/support.h"

namespace reeve {

namespace {

/// o + t d for t in 0..1, kept to the part inside half-spaces; remembers the plane it entered by.
struct Ray {
  Vec3 o, d;
  double low = 0, high = 1;
  Vec3 normal = Vec3::Zero();
  bool missed = false;

  /// Keeps n · x ≤ offset.
  void below(const Vec3& n, double offset) {
    const double h = n.dot(o) - offset, slope = n.dot(d);
    if (slope == 0) {
      missed = missed || h > 0;
      return;
    }
    const double t = -h / slope;
    if (slope > 0) {
      high = std::min(high, t);
    } else if (t > low) {
      low = t;
      normal = n;
    }
    missed = missed || low > high;
  }
};

struct Local {
  double fraction;
  Vec3 normal;  // zero when the start is inside
};

/// Entry into a ball.
std::optional<Local> intoBall(const Vec3& o, const Vec3& d, const Vec3& centre, double radius) {
  const Vec3 m = o - centre;
  const double c = m.squaredNorm() - radius * radius, a = d.squaredNorm(), b = m.dot(d);
  if (c <= 0) return Local{0, Vec3::Zero()};
  const double root = b * b - a * c;
  if (!(a > 0) || b >= 0 || root < 0) return std::nullopt;
  // c / (−b + √root) is the smaller root without cancellation.
  const double t = c / (-b + std::sqrt(root));
  if (t > 1) return std::nullopt;
  return Local{t, (m + t * d).normalized()};
}

/// Narrows the ray to the infinite cylinder about z.
void intoTube(Ray& ray, double radius) {
  const double a = ray.d.x() * ray.d.x() + ray.d.y() * ray.d.y(), b = ray.o.x() * ray.d.x() + ray.o.y() * ray.d.y();
  const double c = ray.o.x() * ray.o.x() + ray.o.y() * ray.o.y() - radius * radius;
  if (!(a > 0)) {
    ray.missed = ray.missed || c > 0;
    return;
  }
  const double root = b * b - a * c;
  if (root < 0) {
    ray.missed = true;
    return;
  }
  const double s = std::sqrt(root);
  const double enter = b < 0 ? c / (-b + s) : (-b - s) / a, leave = b < 0 ? (-b + s) / a : (s > -b ? -c / (b + s) : 0);
  ray.high = std::min(ray.high, leave);
  if (enter > ray.low) {
    ray.low = enter;
    const Vec3 x = ray.o + ray.d * enter;
    ray.normal = Vec3(x.x(), x.y(), 0).normalized();
  }
  ray.missed = ray.missed || ray.low > ray.high;
}

std::optional<Local> result(const Ray& ray) {
  if (ray.missed || ray.low > ray.high) return std::nullopt;
  return Local{ray.low, ray.normal};
}

struct Caster {
  Vec3 o, d;

  std::optional<Local> operator()(const Sphere& s) const { return intoBall(o, d, Vec3::Zero(), s.radius); }
  std::optional<Local> operator()(const Cylinder& c) const {
    Ray ray{o, d};
    ray.below(Vec3::UnitZ(), c.halfLength);
    ray.below(-Vec3::UnitZ(), c.halfLength);
    if (!ray.missed) intoTube(ray, c.radius);
    return result(ray);
  }
  std::optional<Local> operator()(const Capsule& c) const {
    std::optional<Local> best = (*this)(Cylinder{c.radius, c.halfLength});
    // Entering the barrel through its end means entering the ball there first.
    for (const double z : {-c.halfLength, c.halfLength}) {
      const auto hit = intoBall(o, d, {0, 0, z}, c.radius);
      if (hit && (!best || hit->fraction <= best->fraction)) best = hit;
    }
    return best;
  }
  std::optional<Local> operator()(const Box& b) const {
    Ray ray{o, d};
    for (int i = 0; i < 3 && !ray.missed; ++i) {
      ray.below(Vec3::Unit(i), b.half[i]);
      ray.below(-Vec3::Unit(i), b.half[i]);
    }
    return result(ray);
  }
  std::optional<Local> operator()(const Hull& h) const {
    Ray ray{o, d};
    for (const Hull::Face& f : h.faces) {
      ray.below(f.normal, f.offset);
      if (ray.missed) return std::nullopt;
    }
    return result(ray);
  }
  std::optional<Local> operator()(const Prism& p) const { return (*this)(p.hull); }
  std::optional<Local> operator()(const HalfSpace&) const {
    Ray ray{o, d};
    ray.below(Vec3::UnitZ(), 0);
    return result(ray);
  }
};

}  // namespace

std::optional<RayHit> raycast(const Shape& shape, const Pose& body, const Vec3& from_W, const Vec3& to_W) {
  const Pose place = body * shape.local;
  const Vec3 way = to_W - from_W;
  const auto hit = std::visit(Caster{place.pointInverse(from_W), place.directionInverse(way)}, shape.geometry);
  if (!hit) return std::nullopt;
  const double l = way.norm();
  const bool inside = hit->normal.isZero(0);
  const Vec3 normal = !inside ? place.direction(hit->normal) : l > 0 ? Vec3(-way / l) : Vec3::UnitZ();
  return RayHit{hit->fraction, from_W + way * hit->fraction, normal};
}

}  // namespace reeve
