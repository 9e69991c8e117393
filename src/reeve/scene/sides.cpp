#include "reeve/scene/sides.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

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

/// Whether p and q lie on different sides of the line from a to b, by more than rounding: a straight route runs along
/// one line, and crosses nothing.
bool apart(const Vec2& a, const Vec2& b, const Vec2& p, const Vec2& q) {
  const double rounding = 1e-9 * (b - a).norm() * ((p - a).norm() + (q - a).norm());
  const double s = cross2(b - a, p - a), t = cross2(b - a, q - a);
  return std::min(s, t) < -rounding && std::max(s, t) > rounding;
}

bool segmentsCross(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  return apart(a, b, c, d) && apart(c, d, a, b);
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
  double before = 0.0, wrap = 0.0, after = 0.0;  ///< m
};

/// The way from `before` over the wheel to `after`, in the plane of the wheel, whose center is the origin. A point on a
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
  way.before = (entry - start).norm();
  way.wrap = radius * std::max(wrap, 0.0);
  way.after = (end - exit).norm();
  return way;
}

/// Of two choices the one with fewer crossings, then the shorter.
struct Effort {
  int crossings = 0;
  double length = 0.0;
  Effort operator+(const Effort& other) const { return {crossings + other.crossings, length + other.length}; }
  /// Lengths that differ by less than `margin` are alike: a route through an axle has two paths of one length.
  bool beats(const Effort& other, double margin) const {
    return crossings != other.crossings ? crossings < other.crossings : length < other.length - margin;
  }
};

/// Chooses the sides of all wheels of a cable together: those with the fewest crossings, and of these the shortest
/// path. Wheel by wheel it would depend on neighbors that are not chosen yet. Dynamic programming along the route: the
/// best sides up to a link for either side of it and of the one before.
class SideChooser {
 public:
  explicit SideChooser(const Description& scene, const CableSettings& cable) : cable_(cable) {
    for (const LinkSettings& link : cable.route) {
      rings_.push_back(ringOf(scene, link));
      sides_.push_back(isWheel(link) ? link.side : 0);
    }
  }

  /// Sides of all links; 0 where there is no wheel.
  std::vector<int> run() {
    std::vector<std::vector<int>> choices;
    for (std::size_t i = 0; i < sides_.size(); ++i) {
      choices.push_back(options(i));
      if (choices.back().size() > 1) margin_ = std::min(margin_, 1e-3 * rings_[i].radius);
    }
    std::vector<int> best;
    Effort least;
    const auto attempt = [&] {
      std::vector<int> sides;
      const Effort effort = along(choices, sides);
      if (best.empty() || effort.beats(least, margin_)) least = effort, best = std::move(sides);
    };
    if (cable_.closed && sides_.size() >= 3) {
      // A belt ends as it began: its first two sides are given, and come again after the last.
      const std::vector<int> firsts = choices[0], seconds = choices[1];
      choices.resize(sides_.size() + 2);
      for (const int first : firsts)
        for (const int second : seconds) {
          choices[0] = choices[sides_.size()] = {first};
          choices[1] = choices[sides_.size() + 1] = {second};
          attempt();
        }
    } else {
      attempt();
    }
    for (std::size_t i = 0; i < sides_.size(); ++i)
      if (!isWheel(cable_.route[i])) best[i] = sides_[i];
    return best;
  }
  bool wasClear(std::size_t i) const {
    const std::size_t n = sides_.size();
    return n >= 3 && (cable_.closed || (i > 0 && i + 1 < n));
  }

 private:
  /// Counter-clockwise first: of equals the first stays.
  std::vector<int> options(std::size_t i) const {
    const bool open = isWheel(cable_.route[i]) && sides_[i] == 0;
    if (open && wasClear(i) && cable_.route[i].active && rings_[i].known) return {1, -1};
    return {open || sides_[i] == 0 ? 1 : sides_[i]};
  }

  /// The best sides of links 0, 1, ... (of a belt the first two come again), and what they cost.
  Effort along(const std::vector<std::vector<int>>& choices, std::vector<int>& sides) const {
    struct Best {
      Effort effort;
      std::size_t before = 0;  ///< the choice of the link before the last two
      bool known = false;
    };
    using Pairs = std::array<std::array<Best, 2>, 2>;  // by the choices of the last two links
    const std::size_t n = choices.size();
    if (n < 2) {
      for (const std::vector<int>& choice : choices) sides.push_back(choice.front());
      return {};
    }
    std::vector<Pairs> table(n);
    for (auto& row : table[1])
      for (Best& best : row) best.known = true;
    for (std::size_t k = 2; k < n; ++k)
      for (std::size_t a = 0; a < choices[k - 2].size(); ++a)
        for (std::size_t b = 0; b < choices[k - 1].size(); ++b)
          for (std::size_t c = 0; c < choices[k].size(); ++c) {
            const Effort effort = table[k - 1][a][b].effort +
                                  passing(k - 2, choices[k - 2][a], k - 1, choices[k - 1][b], k, choices[k][c]);
            Best& best = table[k][b][c];
            if (!best.known || effort.beats(best.effort, margin_)) best = {effort, a, true};
          }
    std::size_t b = 0, c = 0;
    for (std::size_t i = 0; i < choices[n - 2].size(); ++i)
      for (std::size_t k = 0; k < choices[n - 1].size(); ++k)
        if (table[n - 1][i][k].effort.beats(table[n - 1][b][c].effort, margin_)) b = i, c = k;
    const Effort effort = table[n - 1][b][c].effort;
    sides.assign(n, 0);
    for (std::size_t k = n - 1;; --k) {
      sides[k] = choices[k][c];
      if (k == 0) break;
      const std::size_t before = table[k][b][c].before;
      c = b, b = before;
    }
    sides.resize(sides_.size());
    return effort;
  }

  /// What it costs to pass the wheel i between two links with these sides.
  Effort passing(std::size_t before, int sideFrom, std::size_t at, int side, std::size_t after, int sideTo) const {
    const std::size_t n = sides_.size(), from = before % n, i = at % n, to = after % n;
    const Ring& wheel = rings_[i];
    if (!isWheel(cable_.route[i]) || !wheel.known || !rings_[from].known || !rings_[to].known) return {};
    const Vec3 axis = wheel.axis.norm() > 1e-12 ? Vec3(wheel.axis.normalized()) : Vec3::UnitY();
    const Vec3 helper = std::abs(axis.z()) < 0.9 ? Vec3::UnitZ() : Vec3::UnitX();
    const Vec3 u = helper.cross(axis).normalized(), v = axis.cross(u);
    const auto flat = [&](std::size_t k) {
      const Vec3 d = rings_[k].center - wheel.center;
      return Vec2(d.dot(u), d.dot(v));
    };
    const auto round = [&](std::size_t k, int its) {
      const double along = rings_[k].axis.normalized().dot(axis);
      return std::abs(along) > 0.9 ? its * (along > 0 ? 1.0 : -1.0) * rings_[k].radius : 0.0;
    };
    const Passage path =
        passageOver(wheel.radius, side, flat(from), round(from, sideFrom), flat(to), round(to, sideTo));
    constexpr int worst = 10;  // crossings that a path which does not exist counts for
    if (!path.possible) return {worst, 0.0};
    // A span between two wheels is met by both.
    const auto share = [&](std::size_t k) { return isWheel(cable_.route[k]) && wasClear(k) ? 0.5 : 1.0; };
    return {path.crosses ? 1 : 0, share(from) * path.before + path.wrap + share(to) * path.after};
  }

  const CableSettings& cable_;
  std::vector<Ring> rings_;
  std::vector<int> sides_;
  double margin_ = std::numeric_limits<double>::max();  ///< m
};

/// Wheels of a cable whose axes point against that of the first one: what is ccw there is cw here. Only where the scene
/// says a side, since `auto` finds the way whatever the axis.
void noteMirrored(const Description& scene, const std::string& name, const CableSettings& cable,
                  std::vector<Remark>& remarks) {
  std::optional<Ring> first;
  for (std::size_t i = 0; i < cable.route.size(); ++i) {
    const LinkSettings& link = cable.route[i];
    if (!isWheel(link)) continue;
    const Ring ring = ringOf(scene, link);
    if (!ring.known) continue;
    if (!first) first = ring;
    const bool written = link.side == 1 || link.side == -1;
    if (written && ring.axis.normalized().dot(first->axis.normalized()) < -0.9)
      remarks.push_back({"/cables/" + name + "/route/" + std::to_string(i) + "/side",
                         "the axis of \"" + link.on +
                             "\" points against that of the cable's first wheel, so what is ccw there is cw here"});
  }
}

/// Wheels that follow each other in a route and lie within each other: there is no straight span between them.
void noteOverlapping(const Description& scene, const std::string& name, const CableSettings& cable,
                     std::vector<Remark>& remarks) {
  for (std::size_t i = 1; i < cable.route.size(); ++i) {
    const LinkSettings &one = cable.route[i - 1], &next = cable.route[i];
    if (!isWheel(one) || !isWheel(next) || one.on == next.on || !one.active || !next.active) continue;
    const Ring a = ringOf(scene, one), b = ringOf(scene, next);
    if (!a.known || !b.known || one.shape || next.shape) continue;
    const Vec3 axis = a.axis.normalized(), apart = b.center - a.center;
    const double aside = std::abs(apart.dot(axis)), across = (apart - apart.dot(axis) * axis).norm();
    const double reach = a.radius + b.radius;
    if (std::abs(axis.dot(b.axis.normalized())) > 0.99 && aside < 0.1 * reach && across < 0.999 * reach)
      remarks.push_back({"/cables/" + name + "/route/" + std::to_string(i),
                         "the wheels \"" + one.on + "\" and \"" + next.on +
                             "\" overlap: their centers are nearer than their radii together"});
  }
}

}  // namespace

std::vector<Remark> chooseSides(Description& scene) {
  std::vector<Remark> remarks;
  for (auto& [name, cable] : scene.cables) {
    noteMirrored(scene, name, cable, remarks);
    noteOverlapping(scene, name, cable, remarks);
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
