// From a route to a line of particles: start curve, masses, links; errors for people.
#include <algorithm>
#include <cmath>

#include "reeve/cables/particles/curve.h"
#include "reeve/cables/particles/particle_cable.h"
#include "reeve/geometry/collide.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

std::expected<std::vector<Vec3>, Problem> ParticleCable::controlPoints(const CableSite& site) const {
  const CableSettings& s = settings_;
  const auto point = [&](std::size_t i) {
    return site.now->point({site.links[i].block, site.links[i].center_B + s.route[i].point});
  };
  const std::size_t last = s.route.size() - 1;
  std::vector<Vec3> way;
  if (s.route.front().active) way.push_back(point(0));
  if (s.shape.empty())
    for (std::size_t i = 1; i < last; ++i)
      if (s.route[i].active) way.push_back(point(i));
  way.insert(way.end(), s.shape.begin(), s.shape.end());
  if (s.route.back().active) way.push_back(point(last));
  if (way.size() < 2)
    return wrong("/cables/" + site.name + "/shape", "an end that starts unplugged needs a place to start from",
                 "end the shape points there");
  if (s.particles.curve == CurveType::bezier && (way.size() < 4 || (way.size() - 1) % 3 != 0))
    return wrong("/cables/" + site.name + "/shape",
                 "Bezier pieces need 3 k + 1 points with the ends, found " + std::to_string(way.size()),
                 "give two handles for every piece");
  return way;
}

namespace {
/// A cable folded straight down and up lies beside itself, as thick as it is. On one line it would bear the push of a
/// load below its hook, which nothing would ever turn aside.
void layBeside(const Vec3& gravity, double radius, std::vector<Vec3>& points) {
  const Vec3 leg = points.back() - points.front();
  const Vec3 down = gravity.norm() > 0.0 ? Vec3(gravity.normalized()) : leg.normalized();
  if ((leg - down * down.dot(leg)).norm() > 2.0 * radius) return;
  Vec3 x, y;
  orthonormalBasis(down, x, y);
  const double last = static_cast<double>(points.size() - 1);
  for (std::size_t i = 1; i + 1 < points.size(); ++i)
    points[i] += (2.0 * radius * math::sin(math::pi * static_cast<double>(i) / last)) * x;
}

/// The rest length of what starts that long under the start tension.
double unstretched(const CableSettings& s, double length) {
  return s.compliance ? length - *s.tension * *s.compliance * s.segments
                      : length / (1.0 + *s.tension / s.material.axial);
}
}  // namespace

std::expected<void, Problem> ParticleCable::place(const CableSite& site) {
  const CableSettings& s = settings_;
  const std::string path = "/cables/" + site.name;
  const auto way = controlPoints(site);
  if (!way) return std::unexpected(way.error());
  const double direct = (way->back() - way->front()).norm();
  const double asked = s.length ? *s.length : s.slack > 0.0 && s.shape.empty() ? direct + s.slack : 0.0;
  const int n = s.segments + 1;
  if (way->size() == 2 && asked > direct * (1.0 + 1e-12)) {
    start_.resize(at(n));
    const Vec3& gravity = site.now->model().description.settings.gravity;
    hangingPolyline(way->front(), way->back(), asked, gravity, start_, asideOfFold);
    layBeside(gravity, s.material.radius, start_);
  } else {
    const auto curve = s.particles.curve == CurveType::bezier ? particles::Curve::bezier(*way)
                       : s.particles.curve == CurveType::polyline
                           ? particles::Curve::polyline(*way)
                           : particles::Curve::catmullRom(*way, s.particles.handle);
    if (!(curve.length() > 1e-9))
      return wrong(path + "/route", "the cable starts as a point", "move an end, or give shape points between them");
    start_ = curve.place(n);
  }
  double total = 0.0;
  for (int i = 0; i + 1 < n; ++i) {
    rest_.push_back((start_[at(i + 1)] - start_[at(i)]).norm());
    if (!(rest_.back() > 1e-9))
      return wrong(path + "/segments", "two neighbouring particles start at the same point", "use fewer segments");
    total += rest_.back();
  }
  // A length of its own: evenly stretched, or loose, along the same curve.
  const double wanted = s.length    ? *s.length
                        : s.tension ? unstretched(s, total)
                                    : total + (way->size() == 2 && asked > 0.0 ? 0.0 : s.slack);
  if (!(wanted > 0.0)) return wrong(path, "the cable would have no length", "give more length, or less tension");
  const double scale = wanted / total;
  if (!(scale > 0.5) || !(scale < 2.0))
    return wrong(path + "/length", "the start curve is " + std::to_string(total) + " m long, too far from this length",
                 "let the shape points follow the cable");
  for (double& r : rest_) r *= scale;
  for (int i = 0; i + 2 < n; ++i)
    doubleRest_.push_back(s.particles.doubles == DoubleRest::straight
                              ? rest_[at(i)] + rest_[at(i + 1)]
                              : scale * (start_[at(i + 2)] - start_[at(i)]).norm());
  for (int i = 0; i < n; ++i) {
    if (!s.particles.masses.empty()) {
      mass_.push_back(s.particles.masses[at(i)]);
      continue;
    }
    const double before = i > 0 ? rest_[at(i - 1)] : 0.0, after = i + 1 < n ? rest_[at(i)] : 0.0;
    mass_.push_back(0.5 * s.material.mass * (before + after));
  }
  return {};
}

/// What lies inside the body a link is on is no contact: a lead comes out of its instrument. Followed along the cable
/// from the link for as long as its middle line starts inside; a cable that lies on the body starts outside and is met.
void ParticleCable::spare(const CableSite& site, std::size_t link, Link& l) const {
  const Pose body = site.now->rotates(l.anchor.block) ? site.now->pose(l.anchor.block) : Pose{};
  const auto depth = [&](const Vec3& a, const Vec3& b) {
    double most = 0.0;
    for (const Shape& shape : site.links[link].shapes) most = std::max(most, -closest(a, b, shape, body).gap);
    return most;
  };
  int low = l.particle, high = l.particle;
  if (l.active) {
    while (low > 0 && depth(start_[at(low - 1)], start_[at(low)]) > 0.0) --low;
    while (high + 1 < count() && depth(start_[at(high)], start_[at(high + 1)]) > 0.0) ++high;
  }
  const Vec3 home = site.now->point(l.anchor);
  const double clear = 3.0 * settings_.material.radius;
  // What is plugged in later is not there yet: it will be as deep inside as the socket is.
  const double later = l.plugsIn > 0.0 ? l.plugsIn + depth(home, home) : 0.0;
  const auto reach = [&](int end) { return std::max(clear, later + clear - arcBetween(end, l.particle)); };
  const double before = reach(low), after = reach(high);
  for (double way = 0.0; low > 0 && way <= before; --low) way += rest(low - 1);
  for (double way = 0.0; high + 1 < count() && way <= after; ++high) way += rest(high);
  l.spareFirst = low;
  l.spareLast = high - 1;
}

double ParticleCable::arcBetween(int a, int b) const {
  double sum = 0.0;
  for (int i = std::min(a, b); i < std::max(a, b); ++i) sum += rest(i);
  return sum;
}

void ParticleCable::hold(const CableSite& site) {
  const CableSettings& s = settings_;
  const int n = count();
  for (std::size_t i = 0; i < s.route.size(); ++i) {
    Link l;
    const Anchor given{site.links[i].block, site.links[i].center_B + s.route[i].point};
    l.on = site.links[i].name;
    l.free = s.route[i].hold == EndHold::free;
    l.active = s.route[i].active;
    l.letsGo = s.route[i].letsGo;
    l.plugsIn = s.route[i].plugsIn;
    l.anchor = given;
    if (i == 0) {
      l.particle = 0;
    } else if (i + 1 == s.route.size()) {
      l.particle = n - 1;
    } else {
      // The nearest particle, held where it starts: within half a segment of the point that was asked for.
      const Vec3 point = site.now->point(given);
      for (int k = 1; k + 1 < n; ++k)
        if ((start_[at(k)] - point).squaredNorm() < (start_[at(std::max(l.particle, 1))] - point).squaredNorm())
          l.particle = k;
      l.particle = std::max(l.particle, 1);
      if (l.active && site.now->rotates(given.block))
        l.anchor.local =
            site.now->rotation(given.block).transpose() * (start_[at(l.particle)] - site.now->position(given.block));
    }
    spare(site, i, l);
    links_.push_back(std::move(l));
  }
  // Held ends that move: their motion is carried along the cable linearly, so that it starts without a jerk.
  const auto velocityAt = [&](const Link& l) {
    return l.free || !l.active ? Vec3(Vec3::Zero()) : site.now->pointVelocity(l.anchor);
  };
  const bool headHeld = links_.front().active && !links_.front().free,
             tailHeld = links_.back().active && !links_.back().free;
  const Vec3 head = headHeld ? velocityAt(links_.front()) : velocityAt(links_.back());
  const Vec3 tail = tailHeld ? velocityAt(links_.back()) : head;
  for (int i = 0; i < n; ++i) {
    const double share = static_cast<double>(i) / (n - 1);
    startVelocity_.push_back((1.0 - share) * head + share * tail + s.particles.velocity);
  }
}

std::expected<std::unique_ptr<Cable>, Problem> ParticleCable::make(const CableSite& site) {
  auto cable = std::make_unique<ParticleCable>();
  cable->settings_ = *site.settings;
  if (auto ok = cable->check(site); !ok) return std::unexpected(ok.error());
  if (auto ok = cable->place(site); !ok) return std::unexpected(ok.error());
  cable->hold(site);
  for (std::size_t i = 1; i < cable->links_.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (cable->links_[i].particle == cable->links_[k].particle)
        return wrong("/cables/" + site.name + "/route/" + std::to_string(i),
                     "lands on the same particle as link " + std::to_string(k) + ", which one of them would not hold",
                     "use more segments, move the links apart, or leave one out");
  return cable;
}

}  // namespace reeve
