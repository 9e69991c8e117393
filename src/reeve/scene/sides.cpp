#include "reeve/scene/sides.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/scalar.h"
#include "reeve/scene/forms.h"

namespace reeve::scene {
namespace {

/// A link as a circle in the world at the start; a point has radius 0.
struct Ring {
  Vec3 center = Vec3::Zero(), axis = Vec3::UnitY();
  double radius = 0.0;
  bool known = true;  ///< false: nobody can say where it is
};

bool isWheel(const LinkSettings& link) {
  return link.type == LinkType::roll || link.type == LinkType::hybrid || link.type == LinkType::spool;
}

double reachOf(const ShapeSettings& shape) {
  double reach = std::max({shape.radius, shape.size.norm() / 2, 0.0});
  for (const Vec3& p : shape.points) reach = std::max(reach, p.norm());
  for (const Vec2& p : shape.polygon) reach = std::max(reach, p.norm());
  return reach;
}

Ring ringOf(const Description& scene, const LinkSettings& link) {
  Ring ring;
  Pose pose;
  std::string on = link.on;
  Vec3 point = link.point, axis = link.axis.value_or(Vec3::UnitY());
  ring.radius = isWheel(link) ? link.radius.value_or(0.0) : 0.0;
  if (link.type == LinkType::sheath && !link.path.empty()) point = link.path.front();
  for (const auto& [name, rotor] : scene.rotors) {
    if (name != link.on) continue;
    on = rotor.on;
    point += rotor.position;
    axis = link.axis.value_or(rotor.axis);
    if (isWheel(link)) ring.radius = link.radius.value_or(rotor.radius);
  }
  ring.known = on == "world";
  for (const auto& [name, body] : scene.bodies) {
    if (name != on) continue;
    pose = {body.position, body.orientation};
    ring.known = true;
    if (isWheel(link) && link.shape && *link.shape >= 0 && static_cast<std::size_t>(*link.shape) < body.shapes.size()) {
      const ShapeSettings& shape = body.shapes[static_cast<std::size_t>(*link.shape)];
      point = shape.position;
      ring.radius = reachOf(shape);
    }
  }
  for (const auto& [name, particle] : scene.particles)
    if (name == on) pose.position = particle.position, ring.known = true;
  ring.center = pose.point(point);
  ring.axis = pose.direction(axis);
  ring.known &= ring.center.allFinite() && ring.axis.allFinite() && std::isfinite(ring.radius);
  return ring;
}

double cross2(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

bool segmentsCross(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const double s = cross2(b - a, c - a) * cross2(b - a, d - a), t = cross2(d - c, a - c) * cross2(d - c, b - c);
  return s < 0.0 && t < 0.0;
}

/// Direction of the straight line that leaves one circle and arrives at the next; signed radii, positive where the
/// cable runs counter-clockwise. False if they lie within each other.
bool lineBetween(const Vec2& from, double r1, const Vec2& to, double r2, Vec2& along) {
  const Vec2 d = to - from;
  const double distance = d.norm(), k = r1 - r2;
  if (!(distance > std::abs(k)) || distance < 1e-12) return false;
  const double turn = math::atan2(d.y(), d.x()) + math::asin(k / distance);
  along = Vec2(math::cos(turn), math::sin(turn));
  return true;
}

struct Passage {
  bool possible = false, crosses = false;
  double length = 0.0;
};

/// The way from `before` over the wheel to `after`, in the plane of the wheel, whose centre is the origin. A point on a
/// circle that is run round counter-clockwise lies to the right of the cable's direction.
Passage passageOver(double radius, int side, const Vec2& before, double r1, const Vec2& after, double r2) {
  Passage way;
  const double r = side * radius;
  Vec2 in, out;
  if (!lineBetween(before, r1, Vec2(0, 0), r, in) || !lineBetween(Vec2(0, 0), r, after, r2, out)) return way;
  const auto right = [](const Vec2& e) { return Vec2(e.y(), -e.x()); };
  const Vec2 start = before + r1 * right(in), entry = r * right(in), exit = r * right(out),
             end = after + r2 * right(out);
  double wrap = side * math::atan2(cross2(entry, exit), entry.dot(exit));
  if (wrap < -1e-9) wrap += 2.0 * math::pi;
  way.possible = true;
  way.crosses = segmentsCross(start, entry, exit, end) || wrap > 1.75 * math::pi;
  way.length = (entry - start).norm() + radius * std::max(wrap, 0.0) + (end - exit).norm();
  return way;
}

class SideChooser {
 public:
  explicit SideChooser(const Description& scene, const CableSettings& cable) : cable_(cable) {
    for (const LinkSettings& link : cable.route) {
      rings_.push_back(ringOf(scene, link));
      sides_.push_back(isWheel(link) ? link.side : 0);
    }
  }

  /// Sides of all links. Neighbours that are open too are points at first, and circles once they have been chosen.
  std::vector<int> run() {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < sides_.size(); ++i)
      if (isWheel(cable_.route[i]) && sides_[i] == 0) open.push_back(i);
    for (int pass = 0; pass < 3; ++pass)
      for (const std::size_t i : open) sides_[i] = choice(i);
    return sides_;
  }
  bool wasClear(std::size_t i) const { return neighbours(i).second; }

 private:
  std::pair<std::pair<std::size_t, std::size_t>, bool> neighbours(std::size_t i) const {
    const std::size_t n = sides_.size();
    if (n < 3 || (!cable_.closed && (i == 0 || i + 1 == n))) return {{i, i}, false};
    return {{(i + n - 1) % n, (i + 1) % n}, true};
  }

  int choice(std::size_t i) const {
    const auto [next, both] = neighbours(i);
    const Ring& wheel = rings_[i];
    if (!both || !cable_.route[i].active || !wheel.known || !rings_[next.first].known || !rings_[next.second].known)
      return 1;
    const Vec3 axis = wheel.axis.norm() > 1e-12 ? Vec3(wheel.axis.normalized()) : Vec3::UnitY();
    const Vec3 helper = std::abs(axis.z()) < 0.9 ? Vec3::UnitZ() : Vec3::UnitX();
    const Vec3 u = helper.cross(axis).normalized(), v = axis.cross(u);
    const auto flat = [&](std::size_t k) {
      const Vec3 d = rings_[k].center - wheel.center;
      return Vec2(d.dot(u), d.dot(v));
    };
    const auto round = [&](std::size_t k) {
      const double along = rings_[k].axis.normalized().dot(axis);
      return std::abs(along) > 0.9 ? sides_[k] * (along > 0 ? 1.0 : -1.0) * rings_[k].radius : 0.0;
    };
    const Vec2 before = flat(next.first), after = flat(next.second);
    const Passage ccw = passageOver(wheel.radius, 1, before, round(next.first), after, round(next.second));
    const Passage cw = passageOver(wheel.radius, -1, before, round(next.first), after, round(next.second));
    if (!ccw.possible || !cw.possible) return cw.possible ? -1 : 1;
    if (ccw.crosses != cw.crosses) return ccw.crosses ? -1 : 1;
    return cw.length < 0.999 * ccw.length ? -1 : 1;  // a route through the axle has two ways of one length
  }

  const CableSettings& cable_;
  std::vector<Ring> rings_;
  std::vector<int> sides_;
};

}  // namespace

std::vector<Remark> chooseSides(Description& scene) {
  std::vector<Remark> remarks;
  for (auto& [name, cable] : scene.cables) {
    for (std::size_t i = 0; i < cable.route.size(); ++i) {
      LinkSettings& link = cable.route[i];
      if (link.side != ReelsForm::reelsIn && link.side != ReelsForm::reelsOut) continue;
      // Positive spin carries the cable along the route where it runs ccw: off a drum at the start, onto one at the
      // end.
      const bool in = link.side == ReelsForm::reelsIn;
      link.side = in == (i > 0) ? 1 : -1;
      remarks.push_back(
          {"/cables/" + name + "/route/" + std::to_string(i) + "/reels",
           std::string("positive spin reels ") + (in ? "in" : "out") + ": side " + (link.side > 0 ? "ccw" : "cw")});
    }
    const bool open = std::any_of(cable.route.begin(), cable.route.end(),
                                  [](const LinkSettings& link) { return isWheel(link) && link.side == 0; });
    if (!open) continue;
    SideChooser chooser(scene, cable);
    const std::vector<int> sides = chooser.run();
    for (std::size_t i = 0; i < sides.size(); ++i) {
      LinkSettings& link = cable.route[i];
      if (!isWheel(link) || link.side != 0) continue;
      link.side = sides[i];
      remarks.push_back(
          {"/cables/" + name + "/route/" + std::to_string(i) + "/side",
           std::string("auto: ") + (link.side > 0 ? "ccw" : "cw") + " about the axis of \"" + link.on + "\"" +
               (chooser.wasClear(i) ? ""
                : cable.closed      ? ", and cw would be the same belt"
                                    : ", because a drum at the end runs ccw unless the scene says otherwise")});
    }
  }
  return remarks;
}

}  // namespace reeve::scene
