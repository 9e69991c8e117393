#include "reeve/geometry/outline.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/scalar.h"

namespace reeve {
namespace {

constexpr double twoPi = 2.0 * math::pi;

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// The outward normal of an edge of a counter-clockwise outline.
Vec2 turnedRight(const Vec2& e) { return {e.y(), -e.x()}; }

Vec2 turned(const Vec2& v, double angle) {
  double sine = 0.0;
  double cosine = 0.0;
  math::sincos(angle, sine, cosine);
  return {cosine * v.x() - sine * v.y(), sine * v.x() + cosine * v.y()};
}

bool lowerLeft(const Vec2& a, const Vec2& b) { return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y()); }

bool finite(std::span<const Vec2> points, double radius) {
  if (!std::isfinite(radius) || radius < 0.0) return false;
  return std::ranges::all_of(points, [](const Vec2& p) { return std::isfinite(p.x()) && std::isfinite(p.y()); });
}

/// Into [0, period).
double reduced(double value, double period) {
  if (period <= 0.0) return 0.0;
  const double rest = value - period * std::floor(value / period);
  return rest < 0.0 || rest >= period ? 0.0 : rest;
}

/// Appends the chain of the hull that runs over sorted points, dropping corners that do not turn left.
template <class Iterator>
void appendChain(std::vector<Vec2>& hull, Iterator first, Iterator last) {
  const std::size_t base = hull.size();
  for (; first != last; ++first) {
    while (hull.size() >= base + 2) {
      const Vec2 e = hull.back() - hull[hull.size() - 2];
      const Vec2 f = *first - hull.back();
      if (cross(e, f) > 1e-14 * e.norm() * f.norm()) break;
      hull.pop_back();
    }
    hull.push_back(*first);
  }
  hull.pop_back();  // the other chain begins with it
}

}  // namespace

LinkFrame LinkFrame::fromPose(const Pose& pose) {
  const Mat3 r = pose.orientation.toRotationMatrix();
  return {pose.position, r.col(0), r.col(1), r.col(2)};
}

LinkFrame LinkFrame::fromNormal(const Vec3& origin, const Vec3& normal) {
  const Vec3 n = normal.normalized();
  const Vec3 other = n.x() * n.x() < 0.5 ? Vec3::UnitX() : Vec3::UnitY();
  const Vec3 x = (other - n * n.dot(other)).normalized();
  return {origin, x, n.cross(x), n};
}

Outline Outline::circle(double radius) {
  Outline result;
  result.corners_.push_back(Vec2::Zero());
  result.radius_ = radius;
  result.measure();
  return result;
}

std::expected<Outline, OutlineError> Outline::polygon(std::span<const Vec2> corners, double rounding) {
  if (corners.empty()) return std::unexpected(OutlineError::noPoints);
  if (!finite(corners, rounding)) return std::unexpected(OutlineError::notFinite);
  Outline result;
  result.corners_.assign(corners.begin(), corners.end());
  result.radius_ = rounding;
  const int n = result.cornerCount();
  for (int k = 0; n > 2 && k < n; ++k) {
    const Vec2 in = result.corner(k) - result.corner(result.previous(k));
    const Vec2 out = result.corner(result.next(k)) - result.corner(k);
    if (cross(in, out) <= 0.0) return std::unexpected(OutlineError::notConvex);
  }
  if (n == 2 && (corners[1] - corners[0]).squaredNorm() == 0.0) return std::unexpected(OutlineError::notConvex);
  result.measure();
  // A star that turns left at every corner goes round more than once.
  double total = 0.0;
  for (const Arc& arc : result.arcs_) total += arc.turn;
  if (std::abs(total - twoPi) > 1e-6) return std::unexpected(OutlineError::notConvex);
  return result;
}

std::expected<Outline, OutlineError> Outline::hull(std::span<const Vec2> points, double rounding) {
  if (points.empty()) return std::unexpected(OutlineError::noPoints);
  if (!finite(points, rounding)) return std::unexpected(OutlineError::notFinite);
  std::vector<Vec2> sorted(points.begin(), points.end());
  std::sort(sorted.begin(), sorted.end(), lowerLeft);
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<Vec2> corners;
  if (sorted.size() < 3) {
    corners = sorted;
  } else {
    appendChain(corners, sorted.begin(), sorted.end());
    appendChain(corners, sorted.rbegin(), sorted.rend());
  }
  return polygon(corners, rounding);
}

void Outline::measure() {
  const int n = cornerCount();
  arcs_.assign(corners_.size(), Arc{});
  reach_ = 0.0;
  for (const Vec2& c : corners_) reach_ = std::max(reach_, c.norm() + radius_);
  if (n == 1) {
    arcs_[0].turn = twoPi;
    perimeter_ = twoPi * radius_;
    return;
  }
  for (int k = 0; k < n; ++k) {
    const Vec2 e = corner(next(k)) - corner(k);
    arcs_[static_cast<std::size_t>(k)].edge = e.norm();
    arcs_[static_cast<std::size_t>(next(k))].startNormal = turnedRight(e) / e.norm();
  }
  double angle = 0.0;
  double length = 0.0;
  for (int k = 0; k < n; ++k) {
    Arc& arc = arcs_[static_cast<std::size_t>(k)];
    const Vec2& to = arcs_[static_cast<std::size_t>(next(k))].startNormal;
    arc.turn = n == 2 ? math::pi : math::atan2(cross(arc.startNormal, to), arc.startNormal.dot(to));
    arc.startAngle = angle;
    arc.startLength = length;
    angle += arc.turn;
    length += radius_ * arc.turn + arc.edge;
  }
  perimeter_ = length;
}

int Outline::cornerAtLength(double s) const {
  const auto after = std::upper_bound(arcs_.begin() + 1, arcs_.end(), s,
                                      [](double value, const Arc& arc) { return value < arc.startLength; });
  return static_cast<int>(after - arcs_.begin()) - 1;
}

Outline::Piece Outline::pieceAhead(double s, bool ccw) const {
  const double rest = reduced(s, perimeter_);
  const double rim = 1e-12 * perimeter_;
  int k = cornerAtLength(rest);
  // Rounding may have left s just before the corner it stands for.
  const double ahead = k + 1 < cornerCount() ? arcs_[static_cast<std::size_t>(k) + 1].startLength : perimeter_;
  double along = rest - arcs_[static_cast<std::size_t>(k)].startLength;
  if (cornerCount() > 1 && ahead - rest <= rim) {
    k = next(k);
    along = 0.0;
  }
  const Arc& arc = arcs_[static_cast<std::size_t>(k)];
  const double arcLength = radius_ * arc.turn;
  if (ccw) {
    if (along < arcLength - rim) return {arcLength - along, true};
    return {std::max(arcLength + arc.edge - along, rim), cornerCount() == 1};
  }
  if (along > arcLength + rim) return {along - arcLength, false};
  if (along > rim) return {along, true};
  const Arc& before = arcs_[static_cast<std::size_t>(previous(k))];
  if (cornerCount() == 1) return {perimeter_, true};
  return {before.edge, false};
}

BoundaryPoint Outline::at(double s) const {
  const double rest = reduced(s, perimeter_);
  const int k = cornerAtLength(rest);
  const Arc& arc = arcs_[static_cast<std::size_t>(k)];
  const double along = rest - arc.startLength;
  const double arcLength = radius_ * arc.turn;
  BoundaryPoint result{.corner = k, .s = rest};
  if (along <= arcLength || cornerCount() == 1) {
    const double turn = radius_ > 0.0 ? along / radius_ : 0.0;
    result.normal = turned(arc.startNormal, turn);
    result.angle = arc.startAngle + turn;
    result.point = corner(k) + radius_ * result.normal;
  } else {
    const Vec2 e = corner(next(k)) - corner(k);
    result.normal = arcs_[static_cast<std::size_t>(next(k))].startNormal;
    result.angle = arc.startAngle + arc.turn;
    result.point = corner(k) + radius_ * result.normal + e * ((along - arcLength) / arc.edge);
  }
  return result;
}

BoundaryPoint Outline::onCorner(int k, const Vec2& normal) const {
  const Arc& arc = arcs_[static_cast<std::size_t>(k)];
  double turn = math::atan2(cross(arc.startNormal, normal), arc.startNormal.dot(normal));
  BoundaryPoint result{.corner = k, .normal = normal};
  if (cornerCount() == 1) {
    if (turn < 0.0) turn += twoPi;
    if (turn >= twoPi) turn = 0.0;
  } else {
    // Beyond the cone, the nearer rim. Half the cone's complement on either side decides.
    if (turn < -0.5 * (twoPi - arc.turn)) turn += twoPi;
    turn = std::clamp(turn, 0.0, arc.turn);
  }
  result.angle = arc.startAngle + turn;
  result.s = arc.startLength + radius_ * turn;
  result.point = corner(k) + radius_ * normal;
  return result;
}

BoundaryPoint Outline::atAngle(double angle) const {
  const double rest = reduced(angle, twoPi);
  const auto after = std::upper_bound(arcs_.begin() + 1, arcs_.end(), rest,
                                      [](double value, const Arc& arc) { return value < arc.startAngle; });
  const int k = static_cast<int>(after - arcs_.begin()) - 1;
  const Arc& arc = arcs_[static_cast<std::size_t>(k)];
  return onCorner(k, turned(arc.startNormal, std::min(rest - arc.startAngle, arc.turn)));
}

Outline::Approach Outline::approach(const Vec2& p) const {
  const int n = cornerCount();
  Approach result;
  double least = (p - corner(0)).squaredNorm();
  double highest = -HUGE_VAL;
  int highestEdge = 0;
  for (int k = 0; n > 1 && k < n; ++k) {
    const Vec2 d = p - corner(k);
    const Vec2 e = corner(next(k)) - corner(k);
    const double length = arcs_[static_cast<std::size_t>(k)].edge;
    const double along = std::clamp(d.dot(e) / (length * length), 0.0, 1.0);
    const double squared = (d - along * e).squaredNorm();
    if (squared < least) {
      least = squared;
      result.corner = k;
      result.along = along;
    }
    const double height = arcs_[static_cast<std::size_t>(next(k))].startNormal.dot(d);
    if (height > highest) {
      highest = height;
      highestEdge = k;
    }
  }
  const bool inside = n > 2 && highest < 0.0;
  if (inside) {
    result.corner = highestEdge;
    const Vec2 e = corner(next(highestEdge)) - corner(highestEdge);
    result.along = std::clamp((p - corner(highestEdge)).dot(e) / e.squaredNorm(), 0.0, 1.0);
  }
  if (result.along >= 1.0) {
    result.corner = next(result.corner);
    result.along = 0.0;
  }
  if (inside || result.along > 0.0) {
    const int edge = inside ? highestEdge : result.corner;
    result.normal = arcs_[static_cast<std::size_t>(next(edge))].startNormal;
    result.distance = result.normal.dot(p - corner(edge)) - radius_;
  } else {
    const double distance = std::sqrt(least);
    const Vec2 d = p - corner(result.corner);
    result.normal = distance > 0.0 ? Vec2(d / distance) : arcs_[static_cast<std::size_t>(result.corner)].startNormal;
    result.distance = distance - radius_;
  }
  return result;
}

BoundaryPoint Outline::nearest(const Vec2& p) const {
  const Approach a = approach(p);
  if (a.along == 0.0) return onCorner(a.corner, a.normal);
  const Arc& arc = arcs_[static_cast<std::size_t>(a.corner)];
  const Vec2 e = corner(next(a.corner)) - corner(a.corner);
  return {.corner = a.corner,
          .point = corner(a.corner) + a.along * e + radius_ * a.normal,
          .normal = a.normal,
          .s = arc.startLength + radius_ * arc.turn + a.along * arc.edge,
          .angle = arc.startAngle + arc.turn};
}

int Outline::support(const Vec2& u, int hint) const {
  const int n = cornerCount();
  if (n == 1) return 0;
  int k = hint;
  if (k < 0 || k >= n) {
    const Vec2& mark = arcs_[0].startNormal;
    double angle = math::atan2(cross(mark, u), mark.dot(u));
    if (angle < 0.0) angle += twoPi;
    const auto after = std::upper_bound(arcs_.begin() + 1, arcs_.end(), angle,
                                        [](double value, const Arc& arc) { return value < arc.startAngle; });
    k = static_cast<int>(after - arcs_.begin()) - 1;
  }
  // u·x rises to one peak and falls again along a convex outline, and strictly rising values cannot cycle.
  double value = u.dot(corner(k));
  for (int j = next(k); u.dot(corner(j)) > value; j = next(k)) {
    k = j;
    value = u.dot(corner(k));
  }
  for (int j = previous(k); u.dot(corner(j)) > value; j = previous(k)) {
    k = j;
    value = u.dot(corner(k));
  }
  return k;
}

double Outline::supportValue(const Vec2& u) const { return u.dot(corner(support(u))) + radius_ * u.norm(); }

}  // namespace reeve
