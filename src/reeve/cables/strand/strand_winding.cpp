// From a route to a strand: which way round its guides are wound.
//
// From a link there are two tangents to a round guide, and the strand may go round it in two ways. Only where the way
// fits the tangent it runs on smoothly. The other pair has a cusp, which no strand that can slide keeps.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "reeve/cables/strand/strand_build.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// As people write it, whatever the locale of the program says.
std::string roughly(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", std::fabs(value) < 1e-9 ? 0.0 : value);
  std::replace(text, text + sizeof text, ',', '.');
  return text;
}

std::string placeOf(const Vec2& u, int dimension) {
  return "[" + roughly(u.x()) + (dimension == 2 ? ", " + roughly(u.y()) : "") + "]";
}

}  // namespace

/// Cosine of the angle by which the strand turns where the free span beside a guide's node meets the guide; 1 where
/// there is none.
double StrandBuild::cosineOntoGuide(const Instant& now, const Draft& draft, std::size_t k) const {
  const int other = outsideOf(k);
  if (other < 0) return 1.0;
  const std::size_t count = stations_.size();
  const bool leaves = at(other) == (k + 1) % count;
  const std::size_t first = leaves ? (k + count - 1) % count : k, last = (first + 1) % count;
  const SpanGeometry span =
      spanBetween(draftLink(now, draft, stations_[k]), draftLink(now, draft, stations_[at(other)]));
  if (span.status != TangentStatus::ok) return 1.0;  // told by addFreeNodes()
  const int i = stations_[k].index;
  const Ground& ground = grounds_[at(node(i).chart)];
  // A curve that bends now this way and now that has no side to run on from.
  if (ground.chart->dimension() == 1 && !ground.chart->round()) return 1.0;
  const Vec3 out = groundTurn(now, ground).transpose() * (span.end[1].point - draft.x[at(i)]);
  const ChartPoint p = ground.chart->at(draft.u[at(i)]);
  const Vec2 way = draft.u[at(stations_[last].index)] - draft.u[at(stations_[first].index)];
  const Vec3 along = p.du[0] * way.x() + p.du[1] * way.y();
  const double both = along.norm() * out.norm();
  return both > 0.0 ? (leaves ? 1.0 : -1.0) * along.dot(out) / both : 1.0;
}

/// The shortest way round a guide that has no cusp at either end, or in general words if none is found.
std::string StrandBuild::howToWind(const Instant& now, const Draft& draft, std::size_t k) const {
  constexpr int guesses = 8;
  const std::size_t count = stations_.size();
  const bool leaves = at(outsideOf(k)) == (k + 1) % count;
  const std::size_t first = leaves ? (k + count - 1) % count : k, last = (first + 1) % count;
  const int a = stations_[first].index, b = stations_[last].index;
  const Ground& ground = grounds_[at(node(a).chart)];
  double shortest = unbounded;
  Vec2 from = Vec2::Zero(), to = Vec2::Zero();
  for (int i = 0; ground.chart->round() && i < guesses; ++i)
    for (int j = -guesses; j <= guesses; ++j) {
      Draft tried = draft;
      tried.u[at(a)].x() = draft.u[at(a)].x() + (i - guesses / 2) * 2.0 * math::pi / guesses;
      tried.u[at(b)].x() = tried.u[at(a)].x() + j * 2.0 * math::pi / guesses;
      for (const int n : {a, b}) tried.x[at(n)] = onGround(now, ground, tried.u[at(n)]);
      for (const std::size_t n : {first, last})
        if (const int other = outsideOf(n); other >= 0) moveToTangent(now, tried, n, at(other));
      const double way = std::fabs(tried.u[at(b)].x() - tried.u[at(a)].x());
      const bool smooth = cosineOntoGuide(now, tried, first) > 0.0 && cosineOntoGuide(now, tried, last) > 0.0;
      if (!smooth || !(way > 1e-3 && way < shortest - 1e-6) || !checkTangents(now, tried)) continue;
      shortest = way;
      from = tried.u[at(a)];
      to = tried.u[at(b)];
    }
  if (shortest == unbounded) return "start and end it where the strand comes on and where it leaves";
  const int dimension = ground.chart->dimension();
  return "let it run on the way it comes, such as start " + placeOf(from, dimension) + " and end " +
         placeOf(to, dimension) + "; angles are right-handed about its axis";
}

/// A strand that turns by more than a right angle where it comes onto a guide or leaves it. One that turns by less
/// slides across its guide, and pulls itself straight.
std::expected<void, Problem> StrandBuild::checkWinding(const Instant& now, const Draft& draft) const {
  for (std::size_t k = 0; k < stations_.size(); ++k) {
    const double cosine = cosineOntoGuide(now, draft, k);
    if (!(cosine < 0.0)) continue;
    const bool leaves = at(outsideOf(k)) == (k + 1) % stations_.size();
    const int angle = static_cast<int>(math::acos(std::max(cosine, -1.0)) * 180.0 / math::pi + 0.5);
    return wrong(draft.linkPath(at(stations_[k].link)),
                 "the strand turns back by " + std::to_string(angle) + " degrees where it " +
                     (leaves ? "leaves" : "comes onto") + " this guide",
                 howToWind(now, draft, k));
  }
  return {};
}

}  // namespace reeve
