// From a route to a strand: segments, the material between its stations, and the coordinates.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_build.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {

/// No segment gets shorter than this share of the shortest one at the start.
constexpr double nearestShare = 1e-3;
/// Free nodes are put elsewhere when nearer to the next one than this share of a mean segment.
constexpr double finestShare = 0.1;

/// What lies on a wheel; a whole turn that nobody asked for is rounding.
Wrap wrapOn(const Outline& outline, int side, const BoundaryPoint& in, const BoundaryPoint& out, int turns) {
  const Wrap wrap = wrapBetween(outline, side, in, out, turns);
  return turns == 0 && wrap.angle > 2.0 * math::pi - 1e-9 ? Wrap{} : wrap;
}

}  // namespace

/// Length of a segment at the start; angles where it touches wheels are remembered.
double StrandBuild::draftLength(const Instant& now, const Draft& draft, const Segment& g, double free) {
  const Station &st = station(g.from), &next = station(g.to);
  if (g.chart >= 0 && startsOff(st)) return (draft.x[at(next.index)] - draft.x[at(st.index)]).norm();
  if (g.chart >= 0) {
    double length = 0.0;
    const Chart& chart = *grounds_[at(g.chart)].chart;
    const Vec2 u0 = draft.u[at(st.index)], u1 = draft.u[at(next.index)], d = u1 - u0;
    everyLengthPoint(chart, u0, u1, [&](double alpha, double weight) {
      const ChartPoint p = chart.at(u0 + alpha * d);
      length += weight * (p.du[0] * d.x() + p.du[1] * d.y()).norm();
    });
    return length;
  }
  const SpanGeometry span = spanBetween(draftLink(now, draft, st), draftLink(now, draft, next));
  if (st.wheel)
    overlay<WheelMemory>(startMemory_, st.index * numbersIn<WheelMemory>).exitAngle = span.end[0].place.angle;
  if (next.wheel)
    overlay<WheelMemory>(startMemory_, next.index * numbersIn<WheelMemory>).entryAngle = span.end[1].place.angle;
  const bool slack = settings_.nodes == 0 && settings_.slack > 0.0 && g.unilateral;
  return slack ? span.length * (1.0 + settings_.slack / free) : span.length;
}

std::expected<void, Problem> StrandBuild::measure(const Instant& now, const Draft& draft, double free) {
  startMemory_.assign(at(restsFrom()), 0.0);
  std::vector<double> rests;
  const double stretch = settings_.tension ? 1.0 + *settings_.tension / settings_.material.axial : 1.0;
  const std::size_t total = stations_.size();
  const auto isFree = [&](const Station& x) { return !x.wheel && node(x.index).place == Place::free; };
  double s = storedOn(0);
  for (std::size_t k = 0; k < total; ++k) {
    const Station& st = stations_[k];
    if (st.wheel) overlay<WheelMemory>(startMemory_, st.index * numbersIn<WheelMemory>).exitS = s;
    if (!st.wheel) nodes_[at(st.index)].s = s;
    if (!closed_ && k + 1 == total) break;
    Segment g;
    g.from = static_cast<int>(k);
    g.to = static_cast<int>((k + 1) % total);
    const Station& next = stations_[at(g.to)];
    g.chart = sharedChart(st, next);
    g.unilateral = g.chart < 0 ? !isFree(st) && !isFree(next) : gripsAtEnds(node(st.index));
    const double length = draftLength(now, draft, g, free);
    if (!(length > 1e-9))
      return wrong(draft.linkPath(static_cast<std::size_t>(next.link)), "the strand has no length before this link",
                   "put the links at different places");
    s += length / stretch;
    rests.push_back(length / stretch);
    nearest_ = nearest_ > 0.0 ? std::min(nearest_, nearestShare * length) : nearestShare * length;
    if (next.wheel) {
      overlay<WheelMemory>(startMemory_, next.index * numbersIn<WheelMemory>).entryS = s;
      if (g.to != 0 && !wheel(next.index).drum) {
        // What lies on the wheel: known once the tangent that leaves it is.
        const Wheel& w = wheel(next.index);
        const Station& beyond = stations_[(k + 2) % total];
        const SpanGeometry in = spanBetween(draftLink(now, draft, st), draftLink(now, draft, next)),
                           out = spanBetween(draftLink(now, draft, next), draftLink(now, draft, beyond));
        if (out.status != TangentStatus::ok)
          return wrong(draft.linkPath(static_cast<std::size_t>(beyond.link)),
                       "there is no tangent from the link before it with these sides",
                       "change side, or move them apart");
        const int turns = settings_.route[at(next.link)].turns;
        s += wrapOn(w.outline, w.side, in.end[1].place, out.end[0].place, turns).length;
      }
    }
    segments_.push_back(g);
  }
  length_ = s + storedOn(stationCount() - 1);
  closeWraps();
  if (closed_) segments_.back().around = length_;
  rests.resize(at(room()), 0.0);
  startMemory_.insert(startMemory_.end(), rests.begin(), rests.end());
  return {};
}

/// m that are wound on a drum at the start; 0 of what is none.
double StrandBuild::storedOn(int st) const {
  if (!station(st).wheel || !wheel(station(st).index).drum) return 0.0;
  const LinkSettings& s = settings_.route[at(station(st).link)];
  return s.stored.value_or(s.turns * wheel(station(st).index).outline.perimeter());
}

void StrandBuild::closeDrum(const Wheel& w, WheelMemory& kept, double stored) const {
  const double turn = w.side * stored / w.outline.radius();
  if (w.winds) {
    kept.entryAngle = kept.exitAngle - turn;
    kept.entryS = 0.0;
  } else {
    kept.exitAngle = kept.entryAngle + turn;
    kept.exitS = length_;
  }
}

/// What drums, breaking and paying out remember.
void StrandBuild::makeDrums() {
  const auto room = [&](int numbers) {
    const auto first = static_cast<int>(startMemory_.size());
    startMemory_.insert(startMemory_.end(), at(numbers), 0.0);
    return first;
  };
  for (int st = 0; st < stationCount(); ++st) {
    if (!station(st).wheel || !wheel(station(st).index).drum) continue;
    Wheel& w = wheels_[at(station(st).index)];
    w.kept = room(numbersIn<DrumMemory>);
    DrumMemory& drum = overlay<DrumMemory>(startMemory_, w.kept);
    drum.side = w.side;
    if (settings_.material.axial == unbounded || !(storedOn(st) > 0.0)) continue;
    drum.layers = 1;
    drum.rest[0] = storedOn(st);
  }
  if (settings_.material.breaking < unbounded) breaks_ = room(room_ * numbersIn<PartedMemory>);
  if (!station(0).wheel && node(station(0).index).pays) paid_ = room(2);
}

/// The exit angle of a wheel continues the entry's, whole turns included.
void StrandBuild::closeWraps() {
  for (std::size_t k = 0; k < stations_.size(); ++k) {
    if (!stations_[k].wheel) continue;
    const int i = stations_[k].index;
    const Wheel& w = wheel(i);
    if (w.drum) {
      closeDrum(w, overlay<WheelMemory>(startMemory_, i * numbersIn<WheelMemory>), storedOn(static_cast<int>(k)));
      continue;
    }
    double& exit = overlay<WheelMemory>(startMemory_, i * numbersIn<WheelMemory>).exitAngle;
    const double entry = overlay<WheelMemory>(startMemory_, i * numbersIn<WheelMemory>).entryAngle;
    BoundaryPoint in, out;
    in.angle = entry;
    out.angle = exit;
    in.s = entry * w.outline.radius();
    out.s = exit * w.outline.radius();
    const Wrap wrap = wrapOn(w.outline, w.side, in, out, settings_.route[at(stations_[k].link)].turns);
    exit = entry + w.side * wrap.angle;
    if (closed_ && k == 0) {
      // The loop closes on the first wheel: its entry belongs to the end of the material.
      length_ += wrap.length;
      overlay<WheelMemory>(startMemory_, i * numbersIn<WheelMemory>).entryS = -wrap.length;
    }
  }
}

/// Coordinates, of the size of what hangs on them.
void StrandBuild::makeCoordinates(const CableSite& site, const Draft& draft) {
  const double share = density_ * length_ / static_cast<double>(segments_.size());
  const Instant& now = *site.now;
  const auto floats = [&](int k) { return !station(k).wheel && node(station(k).index).place == Place::free; };
  const auto moves = [&](int k) -> Vec3 {
    const Station& st = station(k);
    if (st.wheel) return now.velocity(mounts_[at(st.link)].block);
    const Node& n = node(st.index);
    return n.place == Place::point ? now.pointVelocity(n.anchor) : Vec3(Vec3::Zero());
  };
  // Free nodes that are not told how to move go with what holds the strand on either side of them.
  std::vector<Vec3> carried(nodes_.size(), Vec3::Zero());
  for (int a = 0, b = 1; b < stationCount(); ++b) {
    if (floats(b)) continue;
    for (int k = a + 1; k < b && !floats(a); ++k) {
      const double x = static_cast<double>(k - a) / (b - a);
      carried[at(station(k).index)] = (1.0 - x) * moves(a) + x * moves(b);
    }
    a = b;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    Node& n = nodes_[i];
    if (draft.slides[i]) {
      std::vector<double> q, rate;
      if (n.place == Place::free) q = {draft.x[i].x(), draft.x[i].y(), draft.x[i].z()};
      rate.assign(q.size(), 0.0);
      if (n.place == Place::free) {
        const bool told = i < draft.v.size() && !draft.v[i].isZero(0.0);
        const Vec3 v = told ? draft.v[i] : carried[i];
        rate = {v.x(), v.y(), v.z()};
      }
      if (n.place == Place::between) q = {draft.u[i].x()};
      if (n.place == Place::chart)
        for (int k = 0; k < grounds_[at(n.chart)].chart->dimension(); ++k) q.push_back(draft.u[i][k]);
      rate.resize(q.size(), 0.0);
      n.block = site.addCoordinate(q, rate, share);
    }
    if (n.place == Place::free && !draft.flows[i]) {
      n.kept = static_cast<int>(startMemory_.size());
      startMemory_.push_back(n.s);
    }
    if (draft.flows[i]) {
      const double start[] = {n.s}, rate[] = {0.0};
      n.flow = site.addCoordinate(start, rate, share);
    }
  }
  // Where material flows, free nodes come to holes: they are put elsewhere before they are there.
  finest_ = settings_.finest;
  if (finest_ == 0.0 && (touches_ || std::any_of(draft.flows.begin(), draft.flows.end(), [](bool f) { return f; }))) {
    const bool has = std::any_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.kept >= 0; });
    if (has) finest_ = finestShare * length_ / static_cast<double>(segments_.size());
  }
  for (Pad& pad : pads_) {
    pad.kept = static_cast<int>(startMemory_.size());
    startMemory_.push_back(pad.startsOff ? 1.0 : 0.0);
  }
  for (Wheel& w : wheels_) {
    const double zero[] = {0.0};
    if (w.friction < unbounded) w.slip = site.addCoordinate(zero, zero, share);
  }
}

}  // namespace reeve
