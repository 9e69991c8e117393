#include "reeve/geometry/support.h"

namespace reeve::narrow {

Core coreOf(const Geometry& geometry) {
  struct Visitor {
    Core operator()(const Sphere& s) const { return {CoreKind::point, s.radius, Vec3::Zero(), nullptr}; }
    Core operator()(const Capsule& c) const { return {CoreKind::segment, c.radius, {0, 0, c.halfLength}, nullptr}; }
    Core operator()(const Cylinder& c) const {
      return {CoreKind::cylinder, 0, {c.radius, c.radius, c.halfLength}, nullptr};
    }
    Core operator()(const Box& b) const { return {CoreKind::box, 0, b.half, nullptr}; }
    Core operator()(const Hull& h) const { return {CoreKind::hull, 0, Vec3::Zero(), &h}; }
    Core operator()(const Prism& p) const { return {CoreKind::hull, 0, Vec3::Zero(), &p.hull}; }
    Core operator()(const HalfSpace&) const { return {CoreKind::halfSpace, 0, Vec3::Zero(), nullptr}; }
  };
  return std::visit(Visitor{}, geometry);
}

double extent(const Core& core) {
  switch (core.kind) {
    case CoreKind::point:
      return core.radius;
    case CoreKind::segment:
      return core.half.norm() + core.radius;
    case CoreKind::box:
      return core.half.norm();
    case CoreKind::cylinder:
      return std::sqrt(core.half.x() * core.half.x() + core.half.z() * core.half.z());
    case CoreKind::hull:
      return core.hull->radius + core.hull->centre.norm();
    case CoreKind::halfSpace:
      break;
  }
  return 0;
}

Pair makePair(const Core& a, const Pose& A, const Core& b, const Pose& B) {
  const Mat3 frame = A.orientation.toRotationMatrix();
  return {a,
          b,
          frame.transpose() * B.orientation.toRotationMatrix(),
          frame.transpose() * (B.position - A.position),
          extent(a) + extent(b),
          frame};
}

Vec3 perpendicular(const Vec3& d) {
  const Vec3 w = d.cwiseAbs();
  Vec3 p = w.x() <= w.y() && w.x() <= w.z() ? Vec3(0, d.z(), -d.y())
           : w.y() <= w.z()                 ? Vec3(-d.z(), 0, d.x())
                                            : Vec3(d.y(), -d.x(), 0);
  const double l = p.norm();
  if (!(l > 1e-150)) return Vec3::UnitX();
  return p / l;
}

}  // namespace reeve::narrow
