// From a route to a strand: where its stations are at the start.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_build.h"
#include "reeve/geometry/hanging.h"

namespace reeve {

SpanLink StrandBuild::draftLink(const Instant& now, const Draft& draft, const Station& st) const {
  static const Outline pointOutline = Outline::point();
  SpanLink link;
  if (st.wheel) {
    const Wheel& w = wheel(st.index);
    link.outline = &w.outline;
    link.sigma = w.side;
    link.frame = wheelFrame(now, w);
  } else {
    link.outline = &pointOutline;
    link.frame.origin = draft.x[at(st.index)];
  }
  return link;
}

bool StrandBuild::startsOff(const Station& st) const {
  return !st.wheel && node(st.index).pad >= 0 && pads_[at(node(st.index).pad)].startsOff;
}

/// What a strand is off at the start lies on the line between its neighbours.
void StrandBuild::placeLifted(Draft& draft) const {
  for (std::size_t k = 0; k < stations_.size(); ++k) {
    if (!startsOff(stations_[k])) continue;
    std::size_t a = k, c = k;
    while (startsOff(stations_[a])) --a;
    while (startsOff(stations_[c])) ++c;
    if (stations_[a].wheel || stations_[c].wheel) continue;  // refused by placePads()
    const double f = static_cast<double>(k - a) / static_cast<double>(c - a);
    draft.x[at(stations_[k].index)] = (1.0 - f) * draft.x[at(stations_[a].index)] + f * draft.x[at(stations_[c].index)];
  }
}

/// A node that must be tangent is moved there: the freedom along the strand is not to be found by the first step.
void StrandBuild::moveToTangent(const Instant& now, Draft& draft, std::size_t k, std::size_t other) const {
  const int i = stations_[k].index;
  const Ground& ground = grounds_[at(node(i).chart)];
  for (int it = 0; it < 50; ++it) {
    const ChartPoint p = ground.chart->at(draft.u[at(i)]);
    const SpanGeometry span = spanBetween(draftLink(now, draft, stations_[k]), draftLink(now, draft, stations_[other]));
    Vec3 d = span.end[1].point - draft.x[at(i)];
    if (!ground.host && now.rotates(ground.block)) d = now.rotation(ground.block).transpose() * d;
    const bool surface = ground.chart->dimension() == 2;
    const Vec3 normal = (surface ? Vec3(p.du[0].cross(p.du[1])) : p.duu[0]).normalized();
    const double miss = normal.dot(d);
    // Along the strand on the surface: δx = t δ, and N turns by −κ t δ.
    Vec3 t = (d - normal * normal.dot(d)).normalized();
    if (!surface) t = p.du[0].normalized();
    Vec2 step = Vec2::Zero();
    if (surface) {
      Eigen::Matrix2d metric;
      metric << p.du[0].dot(p.du[0]), p.du[0].dot(p.du[1]), p.du[0].dot(p.du[1]), p.du[1].dot(p.du[1]);
      step = metric.inverse() * Vec2(p.du[0].dot(t), p.du[1].dot(t));
    } else {
      step.x() = 1.0 / p.du[0].norm();
    }
    const Vec3 second =
        p.duu[0] * step.x() * step.x() + 2.0 * p.duu[1] * step.x() * step.y() + p.duu[2] * step.y() * step.y();
    const double slope = -normal.dot(second) * t.dot(d);
    if (std::fabs(slope) < 1e-12) return;
    // No farther than some way round the bend: beyond it another tangent is nearer.
    const double most = std::min(0.2 * d.norm(), 0.3 / std::fabs(normal.dot(second)));
    const double move = std::clamp(-miss / slope, -most, most);
    draft.u[at(i)] += step * move;
    draft.x[at(i)] = onGround(now, ground, draft.u[at(i)]);
    if (std::fabs(move) < 1e-14) return;
  }
}

/// Only a node with the strand along its chart on one side can run along the strand unseen. One with none there is a
/// ring that slides on the chart, and the strand has a corner in it.
void StrandBuild::ringsAreNotTangent(Draft& draft) {
  const std::size_t count = stations_.size();
  for (std::size_t k = 0; k < count; ++k) {
    const Station& st = stations_[k];
    if (st.wheel) continue;
    const bool before = (closed_ || k > 0) && sharedChart(stations_[(k + count - 1) % count], st) >= 0;
    const bool after = (closed_ || k + 1 < count) && sharedChart(st, stations_[(k + 1) % count]) >= 0;
    Node& n = nodes_[at(st.index)];
    if (!before && !after) {
      n.tangent = false;
      continue;
    }
    // Along a straight line it could run on without anything changing: it stays at the mouth.
    const Chart& chart = *grounds_[at(n.chart)].chart;
    if (chart.dimension() == 1 && !chart.curved() && draft.flows[at(st.index)]) {
      draft.slides[at(st.index)] = false;
      n.at = draft.u[at(st.index)];
    }
  }
}

int StrandBuild::outsideOf(std::size_t k) const {
  const Station& st = stations_[k];
  if (st.wheel || !node(st.index).tangent || startsOff(st)) return -1;
  const std::size_t count = stations_.size(), before = (k + count - 1) % count, after = (k + 1) % count;
  const bool hasBefore = closed_ || k > 0, hasAfter = closed_ || k + 1 < count;
  const bool onBefore = hasBefore && sharedChart(stations_[before], st) >= 0;
  if (!onBefore) return hasBefore ? static_cast<int>(before) : -1;
  return hasAfter && sharedChart(st, stations_[after]) < 0 ? static_cast<int>(after) : -1;
}

void StrandBuild::moveToTangents(const Instant& now, Draft& draft) const {
  for (int round = 0; round < 40; ++round)
    for (std::size_t k = 0; k < stations_.size(); ++k)
      if (const int other = outsideOf(k); other >= 0) moveToTangent(now, draft, k, at(other));
}

/// A node that found no tangent would set free or swallow length in the first step: the link beside it is inside the
/// guide.
std::expected<void, Problem> StrandBuild::checkTangents(const Instant& now, const Draft& draft) const {
  for (std::size_t k = 0; k < stations_.size(); ++k) {
    const int other = outsideOf(k);
    if (other < 0) continue;
    const int i = stations_[k].index;
    const std::string path = draft.linkPath(at(stations_[k].link));
    const Ground& ground = grounds_[at(node(i).chart)];
    const SpanGeometry span =
        spanBetween(draftLink(now, draft, stations_[k]), draftLink(now, draft, stations_[at(other)]));
    const Vec3 d = groundTurn(now, ground).transpose() * (span.end[1].point - draft.x[at(i)]);
    const ChartPoint p = ground.chart->at(draft.u[at(i)]);
    const Vec3 normal = ground.chart->dimension() == 2 ? Vec3(p.du[0].cross(p.du[1])) : p.duu[0];
    // A curve that bends now this way and now that has an outside nowhere.
    if (ground.chart->dimension() == 1 && !ground.chart->round()) continue;
    if (span.status != TangentStatus::ok || !(d.norm() > 0.0) || !d.allFinite()) continue;  // told by addFreeNodes()
    if (!(std::fabs(normal.dot(d)) <= 1e-9 * normal.norm() * d.norm()))
      return wrong(path, "there is no tangent to this guide from the link beside it",
                   "move that link out of the guide");
  }
  return {};
}

/// Free nodes in the free spans, along the hanging curve where there is slack. Returns the length of those spans.
std::expected<double, Problem> StrandBuild::addFreeNodes(const Instant& now, Draft& draft) {
  std::vector<Station> all;
  const std::size_t count = stations_.size(), spans = closed_ ? count : count - 1;
  double free = 0.0;
  std::vector<std::pair<Vec3, Vec3>> ends(spans);
  const auto isFree = [&](const Station& st) { return !st.wheel && node(st.index).place == Place::free; };
  for (std::size_t k = 0; k < spans; ++k) {
    const Station &a = stations_[k], &b = stations_[(k + 1) % count];
    if (sharedChart(a, b) >= 0) continue;
    const SpanGeometry span = spanBetween(draftLink(now, draft, a), draftLink(now, draft, b));
    const std::string path = draft.linkPath(static_cast<std::size_t>(b.link));
    const bool points = !a.wheel && !b.wheel;
    if (points && span.length < 1e-9)
      return wrong(path, "the span before it has no length", "put the links at different places");
    if (span.status != TangentStatus::ok)
      return wrong(path, "there is no tangent from the link before it with these sides",
                   "change side, move them apart, or check that neither lies inside the other");
    if (span.length < 1e-9) return wrong(path, "the span before it has no length", "put the links at different places");
    ends[k] = {span.end[0].point, span.end[1].point};
    // A segment that ends in a free node is kept straight by it: only others can be slack by themselves.
    if (settings_.nodes > 0 || (!isFree(a) && !isFree(b))) free += span.length;
  }
  if (settings_.slack > 0.0 && !(free > 0.0))
    return wrong(draft.path + "/slack", "every span of this strand ends in a free node, which keeps it straight",
                 "give nodes, so that it can sag, or leave slack out");
  for (std::size_t k = 0; k < count; ++k) {
    all.push_back(stations_[k]);
    const Station& next = stations_[(k + 1) % count];
    const bool inTube = settings_.sliding && next.link == stations_[k].link;
    if (k >= spans || sharedChart(stations_[k], next) >= 0 || settings_.nodes == 0 || inTube) continue;
    const double length = (ends[k].second - ends[k].first).norm();
    std::vector<Vec3> points(at(settings_.nodes + 2));
    hangingPolyline(ends[k].first, ends[k].second, length * (1.0 + std::max(settings_.slack, 0.0) / free),
                    now.model().description.settings.gravity, points, asideOfFold);
    for (int j = 1; j <= settings_.nodes; ++j) {
      Node n;
      n.place = Place::free;
      draft.x.push_back(points[at(j)]);
      draft.u.emplace_back(0.0, 0.0);
      draft.flows.push_back(false);
      draft.slides.push_back(true);
      nodes_.push_back(std::move(n));
      all.push_back({false, nodeCount() - 1, stations_[k].link, false});
    }
  }
  stations_ = std::move(all);
  for (std::size_t k = 0; k < stations_.size(); ++k)
    if (!stations_[k].wheel) nodes_[at(stations_[k].index)].at0 = static_cast<int>(k);
  return free;
}

std::expected<void, Problem> StrandBuild::placePads(const Draft& draft) {
  for (Pad& pad : pads_) {
    pad.first = node(pad.node).at0;
    if (!stations_[at(pad.first - 1)].wheel && !stations_[at(pad.first + 2)].wheel) continue;
    if (pad.startsOff)
      return wrong(draft.linkPath(static_cast<std::size_t>(pad.link)) + "/active",
                   "a guide that is joined later cannot be next to a wheel", "put a pinhole or node between them");
    for (int k = 0; k < 2; ++k) nodes_[at(stations_[at(pad.first + k)].index)].pad = -1;
  }
  return {};
}

std::expected<void, Problem> StrandBuild::finishBuilding(const CableSite& site, Draft& draft) {
  const Instant& now = *site.now;
  // A strand ends in material points.
  if (!closed_) {
    for (const Station* st : {&stations_.front(), &stations_.back()}) {
      if (st->wheel) continue;  // a drum
      draft.flows[at(st->index)] = false;
      nodes_[at(st->index)].tangent = false;
    }
  }
  placeLifted(draft);
  ringsAreNotTangent(draft);
  moveToTangents(now, draft);
  if (auto ok = checkTangents(now, draft); !ok) return ok;
  if (auto ok = checkWinding(now, draft); !ok) return ok;
  const auto free = addFreeNodes(now, draft);
  if (!free) return std::unexpected(free.error());
  if (auto ok = placePads(draft); !ok) return ok;
  if (auto ok = addFeatures(site, draft); !ok) return ok;
  if (auto ok = measure(now, draft, *free); !ok) return ok;
  makeCoordinates(site, draft);
  makeDrums();
  makeSlides();
  makeEnds();
  makeSpares(site);
  if (auto ok = makeTwist(now, draft); !ok) return ok;
  // A belt in fixed bearings that does not stretch may be as tight as it likes: its rows leave one tension open, and
  // with it how much friction there is.
  bool belt = closed_ && settings_.material.axial == unbounded, slips = false;
  for (const Station& st : stations_) {
    belt = belt && st.wheel && wheel(st.index).still;
    slips = slips || (st.wheel && wheel(st.index).friction > 0.0 && wheel(st.index).friction < unbounded);
  }
  if (belt && slips)
    return wrong(draft.path + "/material/axial",
                 "how tight a closed strand on fixed wheels is, and so its friction, is open while it cannot stretch",
                 "give axial and tension, or a friction of 0 or \"inf\"");
  makeTackles();
  site.carry();
  return {};
}

}  // namespace reeve
