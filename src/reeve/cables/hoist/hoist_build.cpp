// From a route to a hoist cable: nodes placed on their bodies, the path measured at the start pose, errors for people.
#include <algorithm>
#include <cmath>

#include "reeve/cables/hoist/hoist_cable.h"
#include "reeve/geometry/hanging.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

namespace {
/// Contacts a cable with candidates can have at once.
constexpr int contactPlaces = 16;

bool neverMoves(const Model& model, int block) {
  if (model.blocks[static_cast<std::size_t>(block)].free) return false;
  return std::none_of(model.bodies.begin(), model.bodies.end(),
                      [&](const Body& b) { return b.block == block && b.prescribed; });
}
}  // namespace

/// A closed cable begins and ends on a wheel that holds it: its route is turned to begin there, and ends there again.
std::expected<void, Problem> HoistCable::openUp(const std::string& path) {
  auto& route = settings_.route;
  for (std::size_t i = 0; i < route.size(); ++i)
    if (route[i].type != LinkType::roll && route[i].type != LinkType::pinhole)
      return wrong(path + "/route/" + std::to_string(i) + "/type", "a closed hoist cable has no ends",
                   "use roll or pinhole here, or leave closed out");
  const auto holds = [](const LinkSettings& l) { return l.type == LinkType::roll && l.friction == unbounded; };
  const auto begin = std::find_if(route.begin(), route.end(), holds);
  if (begin == route.end() || settings_.pull == PullForm::force)
    return wrong(path + "/closed", "a hoist cable is closed on a wheel that it does not slip on, and it has none",
                 "give one of its roll links friction \"inf\", or use the model joints");
  turned_ = static_cast<int>(begin - route.begin());
  std::rotate(route.begin(), begin, route.end());
  route.push_back(route.front());
  return {};
}

std::expected<void, Problem> HoistCable::addNode(const CableSite& site, std::size_t index) {
  const LinkSettings& s = settings_.route[index];
  const std::size_t written = (index + at(turned_)) % site.links.size();  // where the scene has it
  const std::string path = "/cables/" + site.name + "/route/" + std::to_string(written);
  const bool inside = index > 0 && index + 1 < settings_.route.size();
  const bool wheel = s.type == LinkType::roll || s.type == LinkType::spool;
  if (s.type == LinkType::hybrid || s.type == LinkType::sheath)
    return wrong(path + "/type", "a hoist cable runs over points and pulleys; it has no hybrid and no sheath",
                 "use roll, pinhole, attach or spool, or the model joints");
  if (inside && (s.type == LinkType::attach || s.type == LinkType::spool))
    return wrong(path + "/type", "one tension runs through a hoist cable, so it is held at its ends only",
                 "use roll or pinhole here, or two cables");
  if (!inside && !settings_.closed && (s.type == LinkType::roll || s.type == LinkType::pinhole))
    return wrong(path + "/type", "a cable cannot end where it slides", "end it with attach or spool");
  if (!s.active)
    return wrong(path + "/active", "a hoist cable meets bodies through candidates, not through waiting links",
                 "name the body under candidates");
  if (s.type == LinkType::spool && settings_.pull == PullForm::force)
    return wrong(path + "/type", "an explicit force knows no drum that turns",
                 "use attach and payout, or set pull to row");
  Node n;
  n.type = s.type;
  n.mount = site.links[written];
  n.closes = !inside && settings_.closed;
  n.sigma = s.side < 0 ? -1 : 1;
  n.center_B = n.mount.center_B + (n.mount.rotor >= 0 ? Vec3::Zero() : s.point);
  n.still = neverMoves(site.now->model(), n.mount.block);
  n.friction = inside ? s.friction : 0.0;                                              // its ends hold it
  if (settings_.pull == PullForm::force && n.friction == unbounded) n.friction = 0.0;  // as published: pulleys run free
  if (wheel) {
    const bool onRotor = n.mount.rotor >= 0;
    if (!site.now->rotates(n.mount.block))
      return wrong(path + "/on", "'" + s.on + "' is a particle, which has no surface to roll on",
                   "use attach or pinhole, or a body");
    n.normal_B = s.axis.value_or(onRotor ? n.mount.axis_B : Vec3::UnitY());
    if (n.normal_B.norm() < 1e-12)
      return wrong(path + "/axis", "the axis has no length", "give a direction, such as [0, 1, 0]");
    n.normal_B.normalize();
    orthonormalBasis(n.normal_B, n.x_B, n.y_B);
    if (n.x_B.cross(n.y_B).dot(n.normal_B) < 0.0) n.y_B = -n.y_B;
    const double radius = s.radius.value_or(onRotor ? n.mount.radius : 0.0);
    if (s.shape)
      return wrong(path + "/shape", "a hoist cable's pulleys are round", "give a radius, or use the model joints");
    if (!(radius > 0.0))
      return wrong(path + "/radius", "a pulley needs a radius above zero", "give radius, or use a pinhole for a point");
    n.outline = Outline::circle(radius);
    drums_ = drums_ || (s.type == LinkType::spool && onRotor);
  }
  if (inside && n.friction > 0.0) {
    if (settings_.pull == PullForm::force)
      return wrong(path + "/friction", "a tension that is an explicit force is the same everywhere",
                   "leave friction out, or set pull to row");
    n.slip = site.addSlip();
  }
  nodes_.push_back(std::move(n));
  return {};
}

/// Waves are solved with the tension by Newton; single rows of a sweep know nothing of them. `blocks` moves what drums
/// and friction remember only after it has let go of it.
std::expected<void, Problem> HoistCable::checkSolver(SolverChoice solver) const {
  const bool remembers = !settings_.candidates.empty() || std::any_of(nodes_.begin(), nodes_.end(), [](const Node& n) {
    return n.type == LinkType::spool || n.slip >= 0;
  });
  if (solver == SolverChoice::sweep && waves())
    return wrong("/settings/solver", "sweep cannot take a hoist cable with mass: its waves are solved with the tension",
                 "use direct or auto, or leave material.mass out");
  if (solver == SolverChoice::blocks && (waves() || remembers))
    return wrong("/settings/solver", "blocks cannot take a hoist cable with mass, spools, friction or candidates",
                 "use direct or auto");
  return {};
}

std::expected<std::unique_ptr<Cable>, Problem> HoistCable::make(const CableSite& site) {
  auto cable = std::make_unique<HoistCable>();
  cable->settings_ = *site.settings;
  const CableSettings& s = cable->settings_;
  const Settings& scene = site.now->model().description.settings;
  const std::string path = "/cables/" + site.name;
  cable->mass_ = s.material.mass;
  cable->gravity_ = scene.gravity;
  cable->step_ = scene.dt / scene.substeps;
  if (s.route.size() < 2) return wrong(path + "/route", "a cable needs two links", "give at least two");
  if (cable->waves() && (s.subdivisions < 2 || s.subdivisions > 100000))
    return wrong(path + "/subdivisions", "a span with mass needs at least 2 subdivisions, and at most 100000",
                 "give 20, or leave the mass out");
  if (!(s.waveDamping >= 0.0)) return wrong(path + "/wave_damping", "the damping is negative", "give zero or more");
  const bool rigid = s.compliance.value_or(s.material.axial < unbounded ? 1.0 : 0.0) <= 0.0;
  if (rigid && cable->waves() && cable->explicitWaves())
    return wrong(path + "/wave_scheme", "explicit waves change the length of a span, and this cable cannot stretch",
                 "give it a finite axial stiffness, or set wave_scheme to implicit");
  if (s.pull == PullForm::force && rigid)
    return wrong(path + "/pull", "an explicit force needs a cable that stretches",
                 "give it a finite axial stiffness, or set pull to row");
  if (s.pull == PullForm::force && cable->waves() && !cable->explicitWaves())
    return wrong(path + "/wave_scheme", "implicit waves are solved together with the tension, which here is explicit",
                 "set wave_scheme to explicit, or pull to row");
  if (s.closed)
    if (auto ok = cable->openUp(path); !ok) return std::unexpected(ok.error());
  for (std::size_t i = 0; i < s.route.size(); ++i)
    if (auto ok = cable->addNode(site, i); !ok) return std::unexpected(ok.error());
  if (auto ok = cable->checkSolver(scene.solver); !ok) return std::unexpected(ok.error());
  cable->declared_ = static_cast<int>(s.route.size());
  cable->candidates_ = site.candidates;
  for (int k = 0; !cable->candidates_.empty() && k < contactPlaces; ++k) {
    Node n;
    n.contact = true;
    n.friction = std::min(s.material.friction, 1e6);  // "inf" holds at every bend, and nothing where there is none
    if (n.friction > 0.0 && s.pull == PullForm::row) n.slip = site.addSlip();
    cable->nodes_.push_back(std::move(n));
  }
  cable->noSection_ = Outline::circle(std::max(s.material.radius, 1e-6));
  if (auto ok = cable->measure(site); !ok) return std::unexpected(ok.error());
  return cable;
}

/// Half-spaces that are level, to rounding, and never move.
void HoistCable::findFloor(const Instant& now) {
  if (!hangs()) return;
  const Vec3 up = -gravity_.normalized();
  for (const LinkMount& mount : candidates_) {
    if (!neverMoves(now.model(), mount.block)) continue;
    for (const Shape& shape : mount.shapes) {
      const Pose pose = now.pose(mount.block) * shape.local;
      const bool level = (pose.direction(Vec3::UnitZ()) - up).squaredNorm() < 1e-16;
      if (!level || !std::holds_alternative<HalfSpace>(shape.geometry)) continue;
      floors_.push_back(&shape);
      floor_ = std::max(floor_, pose.position.dot(up) + settings_.material.radius);
    }
  }
}

/// Draws a span aside as a triangle.
void HoistCable::pluck(State& s, const Chord& chord, int i) const {
  const int n = pieces();
  double* u = editField(s, i, 0);
  const double at = std::clamp(settings_.pluckAt, 1.0 / n, 1.0 - 1.0 / n);
  for (int m = 0; m <= n; ++m) {
    const double x = static_cast<double>(m) / n, height = x < at ? x / at : (1.0 - x) / (1.0 - at);
    for (int c = 0; c < 2; ++c) u[2 * m + c] = height * settings_.pluck.dot(chord.side[c]);
  }
}

/// A cable longer than its path starts hanging. Under one tension a span's excess goes with its width squared times its
/// length (the parabola's), so upright spans take none. Each run gets the rest length that hangs in it.
void HoistCable::hang(State& s, const Instant& now, double excess) const {
  double all = 0.0;
  const auto share = [&](const Chord& chord) {
    const double along = gravity_.norm() > 0.0 ? gravity_.normalized().dot(chord.span.n) : 1.0;
    const double across = std::max(1.0 - along * along, 0.0);
    return across < 1e-6 ? 0.0 : across * chord.span.length * chord.span.length * chord.span.length;
  };
  for (int i = 0; i + 1 < declared_; ++i) all += share(chordOf(now, s, i, i + 1));
  if (all <= 0.0) return;
  std::vector<Vec3> points(at(pieces() + 1));
  int first = 0;
  double added = 0.0;
  for (int i = 0; i + 1 < declared_; ++i) {
    if (startsRun(s, i)) first = i, added = 0.0;
    const Chord chord = chordOf(now, s, i, i + 1);
    const double part = excess * share(chord) / all;
    hangingPolyline(chord.span.end[0].point, chord.span.end[1].point, chord.span.length + part, gravity_, points);
    double* u = editField(s, i, 0);
    for (int m = 1; m < pieces(); ++m)
      for (int c = 0; c < 2; ++c) u[2 * m + c] = (points[at(m)] - chord.span.end[0].point).dot(chord.side[c]);
    WaveMetric metric;
    const double asked = chord.span.length + part;
    double arc = arcOf({u, at(fieldNumbers())}, pieces(), chord.span.length, &metric);
    const bool lies = overFloor() && touchesFloor(s, i, chord);
    // The catenary overhangs its chord, is too steep to it, or lies on the floor: no wave, it hangs.
    if (hangs() && (arc < (1.0 - 1e-3) * asked || lies || steepness(s, i, chord, asked) < 0)) {
      std::fill(u, u + fieldNumbers(), 0.0);
      stateOf(s, i).hanging = true;
      stateOf(s, i).hangingLength = arc = asked;
      metric = {asked / pieces(), 1.0, 1.0};
    } else if (arc < (1.0 - 1e-3) * asked) {
      // As published there is nothing but waves: the nearest one can come is a parabola of that length.
      const Vec2 down(gravity_.dot(chord.side[0]), gravity_.dot(chord.side[1]));
      double low = 0.0, high = asked;
      for (int it = 0; it < 60; ++it) {
        const double depth = 0.5 * (low + high);
        for (int m = 1; m < pieces(); ++m) {
          const double x = static_cast<double>(m) / pieces();
          for (int c = 0; c < 2; ++c) u[2 * m + c] = 4.0 * x * (1.0 - x) * depth * down.normalized()[c];
        }
        arc = arcOf({u, at(fieldNumbers())}, pieces(), chord.span.length, &metric);
        (arc < asked ? low : high) = depth;
      }
    }
    stateOf(s, i).curve = metric;
    if (!stateOf(s, i).hanging) {  // links that are steeper than a wave's can be reach further: as long as asked
      settleShape(s, i, chord, asked);
      arc = pieces() * stateOf(s, i).curve.link;
    }
    added += arc - chord.span.length;
    if (i + 2 == declared_ || startsRun(s, i + 1)) stateOf(s, first).error += added;
  }
  double rest = 0.0, lies = 0.0;
  const auto eachRun = [&](auto&& visit) {
    for (int i = 0; i + 1 < declared_; ++i)
      if (startsRun(s, i)) visit(stateOf(s, i));
  };
  eachRun([&](const NodeState& run) { rest += run.rest, lies += run.rest + run.error; });
  eachRun([&](NodeState& run) {
    const double length = run.rest + run.error;
    run.rest = rest * (length / lies);
    run.error = length - run.rest;
  });
}

/// The velocity of the frame in which waves and flow are remembered, m/s: any that is constant would do, and this one
/// makes nothing of what all of it does together. Where something stands still, or air resists, it is the world's.
Vec3 HoistCable::driftOf(const Instant& now) const {
  if (!lanes() || !candidates_.empty() || settings_.waveDamping > 0.0) return Vec3::Zero();
  Vec3 sum = Vec3::Zero();
  for (int i = 0; i < declared_; ++i) {
    const int block = node(i).mount.block;
    if (node(i).still) return Vec3::Zero();
    sum += now.velocity(block);
    if (now.rotates(block)) sum += now.angularVelocity(block).cross(now.rotation(block) * node(i).center_B);
  }
  return sum / declared_;
}

/// A cable whose ends start moving goes with them.
void HoistCable::setMoving(State& s, const Instant& now) const {
  for (int i = 0; i + 1 < declared_; ++i) {
    const Chord chord = chordOf(now, s, i, i + 1);
    Vec3 moved[2];
    for (const int e : {0, 1}) {
      const int block = node(i + e).mount.block;
      moved[e] = step_ * (now.velocity(block) - drift_);
      if (now.rotates(block))
        moved[e] += step_ * now.angularVelocity(block).cross(chord.span.end[at(e)].point - now.position(block));
    }
    if (moved[0].isZero(0.0) && moved[1].isZero(0.0)) continue;
    stateOf(s, i).madeWith = step_;
    for (int which = 1; which <= 3; ++which)
      for (int m = 0; m <= pieces(); ++m) {
        const double x = static_cast<double>(m) / pieces();
        for (int c = 0; c < 2; ++c)
          editField(s, i, which)[2 * m + c] = ((1.0 - x) * moved[0] + x * moved[1]).dot(chord.side[c]);
      }
  }
}

/// Whether nothing gives way to the weight of its spans: none of its links moves, nor does a winch.
bool HoistCable::bearsNothing(const State& s, const Instant& now) const {
  if (!waves() || explicitWaves() || !settings_.payout.table.empty() || settings_.payout.rate != 0.0) return false;
  bool heavy = false;
  for (int i = 0; i < declared_; ++i) {
    if (!node(i).still || node(i).mount.rotor >= 0) return false;
    if (i + 1 == declared_) break;
    const Vec3 n = chordOf(now, s, i, i + 1).span.n;
    heavy = heavy || (gravity_ - gravity_.dot(n) * n).norm() > 1e-6 * gravity_.norm();
  }
  return heavy;
}

std::expected<void, Problem> HoistCable::measure(const CableSite& site) {
  const std::string path = "/cables/" + site.name;
  State s;
  s.memory.assign(at(memorySize()), 0.0);
  s.sheets.resize(at(sheets()));
  for (Sheet& each : s.sheets) each = Sheet(nodes_.size() * at(fieldNumbers()), s.sheets[0]);
  const int kept = memory, keptSheet = sheet;
  memory = sheet = 0;
  for (int i = 0; i < declared_; ++i) routeOf(s).insert(i, i);
  const Instant& now = *site.now;
  findFloor(now);
  SpanGeometry before, leaving;
  double total = 0.0, stored = 0.0;
  std::vector<double> run(nodes_.size(), 0.0);
  int first = 0, spans = 0;
  const bool plucked = settings_.pluck.norm() > 0.0;
  if (plucked && (!waves() || settings_.pluckSpan >= declared_ - 1))
    return wrong(path + "/pluck",
                 waves() ? "there is no such span to pluck" : "a cable without mass has no waves to pluck",
                 waves() ? "count the spans from 0" : "give the material a mass");
  for (int i = 0; i + 1 < declared_; ++i) {
    if (startsRun(s, i)) first = i;
    Chord chord = chordOf(now, s, i, i + 1);
    if (chord.span.length < 1e-9)
      return wrong(path + "/route/" + std::to_string(i + 1), "the span from '" + node(i).mount.name + "' has no length",
                   "put the links at different places");
    if (!chord.straightEnds && spanBetween(spanEnd(now, s, i), spanEnd(now, s, i + 1)).status != TangentStatus::ok)
      return wrong(
          path + "/route/" + std::to_string(i + 1),
          "there is no tangent from '" + node(i).mount.name + "' to '" + node(i + 1).mount.name + "' with these sides",
          "change side, move them apart, or check that neither lies inside the other");
    stateOf(s, i).chordEnd[0] = chord.span.end[0].point;
    stateOf(s, i).chordEnd[1] = chord.span.end[1].point;
    double arc = chord.span.length;
    if (waves()) {
      stateOf(s, i).side = chord.side[0];
      if (plucked && settings_.pluckSpan == i &&
          (settings_.pluck - settings_.pluck.dot(chord.span.n) * chord.span.n).norm() < 1e-9 * settings_.pluck.norm())
        return wrong(path + "/pluck", "the span is plucked along itself, which moves nothing",
                     "give a direction across it");
      if (plucked && settings_.pluckSpan == i) pluck(s, chord, i);
      if (explicitWaves()) keepShape(s, i);
      WaveMetric metric;
      arc = arcOf({field(s, i, 0), at(fieldNumbers())}, pieces(), chord.span.length, &metric);
      stateOf(s, i).curve = metric;
    }
    stateOf(s, i).exit = reeve::travelOf(chord.span.end[0].place);
    stateOf(s, i + 1).entry = reeve::travelOf(chord.span.end[1].place);
    run[at(first)] += arc;
    total += arc;
    ++spans;
    if (i > 0 && node(i).round()) {
      const int turns = settings_.route[at(i)].turns;
      Wrap wrap = wrapBetween(node(i).outline, node(i).sigma, before.end[1].place, chord.span.end[0].place, turns);
      if (turns == 0 && wrap.angle > 2.0 * math::pi - 1e-9) wrap = Wrap{};
      stateOf(s, i).wrap = wrap;
      if (grips(s, i)) {
        stateOf(s, i).stored = wrap.length;
        stored += wrap.length;
      } else {
        run[at(first)] += wrap.length;
        total += wrap.length;
      }
    }
    before = chord.span;
    if (i == 0) leaving = chord.span;
  }
  for (const int i : {0, declared_ - 1})
    if (node(i).type == LinkType::spool) {
      const LinkSettings& l = settings_.route[at(i)];
      stateOf(s, i).stored = l.stored.value_or(l.turns * node(i).outline.perimeter());
      stored += stateOf(s, i).stored;
    }
  if (settings_.closed) {  // what lies on the wheel it is closed on, half before its end and half after
    const int turns = settings_.route[0].turns;
    Wrap wrap = wrapBetween(node(0).outline, node(0).sigma, before.end[1].place, leaving.end[0].place, turns);
    if (turns == 0 && wrap.angle > 2.0 * math::pi - 1e-9) wrap = Wrap{};
    stateOf(s, 0).stored = stateOf(s, declared_ - 1).stored = 0.5 * wrap.length;
    stored += wrap.length;
  }
  // Rest length: given, or measured with slack, or from a start tension.
  const bool rigid = settings_.compliance.value_or(settings_.material.axial < unbounded ? 1.0 : 0.0) <= 0.0;
  double rest = total + settings_.slack;
  for (const double slack : settings_.slacks) rest += slack;
  if (settings_.length) rest = *settings_.length - stored;
  if (rigid && rest < total * (1.0 - 1e-9))
    return wrong(path + (settings_.length ? "/length" : "/slack"),
                 "the cable is shorter than the path it takes, and it cannot stretch",
                 "give at least " + std::to_string(total + stored) + " m, or a finite axial stiffness");
  if (rigid && !settings_.tension && rest < total * (1.0 + 1e-9) && bearsNothing(s, now))
    return wrong(path + (settings_.length ? "/length" : "/material/axial"),
                 "the cable weighs across its spans, cannot stretch and has no slack between links that never move: no "
                 "tension is enough to hold it straight",
                 "give it slack or a finite axial stiffness, or leave out its mass");
  if (settings_.tension) {
    if (rigid)
      return wrong(path + "/tension", "a cable that cannot stretch takes no start tension",
                   "give it a finite axial stiffness or a compliance");
    if (settings_.length || settings_.slack != 0.0 || !settings_.slacks.empty())
      return wrong(path + "/tension", "a start tension already says how long the cable is",
                   "leave out length, slack and slacks, or the tension");
    rest = settings_.compliance ? total - *settings_.tension * *settings_.compliance * spans
                                : total / (1.0 + *settings_.tension / settings_.material.axial);
  }
  if (rest <= 0.0) return wrong(path, "the cable would have no rest length", "give more length, or less tension");
  for (int i = 0; i + 1 < declared_; ++i)
    if (run[at(i)] > 0.0) {
      stateOf(s, i).rest = rest * run[at(i)] / total;
      stateOf(s, i).error = run[at(i)] - stateOf(s, i).rest;
    }
  for (int i = 0, begins = 0; i + 1 < declared_; ++i) {
    if (startsRun(s, i)) begins = i;
    stateOf(s, i).thin = thinnedBy(s, begins);
  }
  drift_ = driftOf(now);
  if (waves() && rest > total && !plucked) hang(s, now, rest - total);
  if (lanes()) setMoving(s, now);
  shortest_ = settings_.material.radius;
  for (int i = 0; i + 1 < declared_; ++i) shortest_ = std::min(shortest_, 0.5 * chordOf(now, s, i, i + 1).span.length);
  if (std::any_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.still; })) {
    std::vector<Chord> still(nodes_.size());
    for (int i = 0; i + 1 < declared_; ++i)
      if (node(i).still && node(i + 1).still) still[at(i)] = chordOf(now, s, i, i + 1);
    still_ = std::move(still);
  }
  const auto checked = checkCandidates(site, s);
  memory = kept;
  sheet = keptSheet;
  if (!checked) return std::unexpected(checked.error());
  startMemory_ = std::move(s.memory);
  startSheets_ = std::move(s.sheets);
  return {};
}

void HoistCable::start(const Instant&, std::span<double> remembered, std::span<Sheet> laid) const {
  std::copy(startMemory_.begin(), startMemory_.end(), remembered.begin());
  std::copy(startSheets_.begin(), startSheets_.end(), laid.begin());
}

}  // namespace reeve
