#include "races.h"

#include <algorithm>
#include <cmath>

#include "chain_shape.h"
#include "peers.h"
#include "world_runner.h"

namespace reeve::race {

Race tackleRace(int sheaves) {
  trials::Tackle t;
  t.sheaves = sheaves;
  t.extra = 0.1;
  Race race;
  race.name = "moving tackle";
  race.size = sheaves;
  race.measures = "fall of the weight in 0.5 s, share of the closed form";
  race.reading = "fall weight";
  race.dt = t.dt;
  race.steps = race.timed = 50;
  const double time = race.steps * race.dt, turning = 0.5 * t.acceleration(true) * time * time;
  race.relative = true;
  race.work = t.weight() * t.gravity * turning;
  race.accuracy = 0.01;
  race.rival = "mujoco cylinders";
  const auto fallen = [](const World& w) { return -trials::Tackle::drop - valueOf(w, "bodies.weight.position.z"); };
  race.entrants.push_back(reeveEntrant("joints", trials::movingTackle(t), fallen, 1.0));
  race.entrants.back().exact = turning;
  t.model = CableModel::strand;
  race.entrants.push_back(reeveEntrant("strand", trials::movingTackle(t), fallen, 1.0));
  join(race.entrants, mujocoTackle(t));
  join(race.entrants, simbodyTackle(t));
  t.extra = 0.0;  // in balance
  race.still = 0.01 * turning;
  std::vector<Entrant> balanced = mujocoTackle(t);
  join(balanced, simbodyTackle(t));
  restLike(race.entrants, balanced);
  return race;
}

Race simpleRace() {
  const Description d = shippedScene("simple");
  Race race;
  race.name = "simple";
  race.measures = "m, how far the balanced weight has moved after 4 s";
  race.reading = "fall right";
  race.dt = 1.0 / 60;
  race.steps = race.timed = 240;
  race.work = 20.0;  // J: the weight over a metre
  race.accuracy = 0.01;
  race.rival = "mujoco cylinders";
  const double start = d.bodies.back().second.position.z();
  race.entrants.push_back(reeveEntrant(
      "joints", d, [start](const World& w) { return start - valueOf(w, "bodies.right.position.z"); }, 1.0));
  race.entrants.back().exact = 0.0;
  join(race.entrants, mujocoSimple(d));
  return race;
}

static Description loadedChain(double load) {
  Description d = shippedScene("heavy-chain");
  BodySettings& last = d.bodies.back().second;
  *last.inertia *= load / *last.mass;
  last.mass = load;
  return d;
}

/// The chain hangs straight down.
static Description hung(Description d) {
  const auto down = [](const Vec3& p) { return Vec3(p.z(), p.y(), -p.x()); };
  for (auto& [name, b] : d.bodies) {
    b.position = down(b.position);
    b.orientation = Quat(std::sqrt(0.5), 0, std::sqrt(0.5), 0) * b.orientation;
  }
  for (auto& [name, j] : d.joints) j.anchor = down(j.anchor);
  return d;
}

/// How far the last link has come from where it was, over the length of a link.
static ChainJudge driftOfEnd() {
  return [start = std::optional<Vec3>()](const ChainShape& shape, const ChainPose& now, double) mutable {
    if (!start) start = shape.links.back().position;
    return (now.places.back() - *start).norm() / shape.length;
  };
}

void joinChains(std::vector<Entrant>& all, const Description& d, const ChainJudge& judge, bool allIntegrators) {
  join(all, bulletChain(d, judge));
  join(all, odeChain(d, judge));
  join(all, dartChain(d, judge));
  join(all, simbodyChain(d, judge));
  join(all, mujocoChain(d, judge, allIntegrators));
}

Race chainRace(double load) {
  const Description d = loadedChain(load);
  const ChainShape shape(d);
  Race race;
  race.name = "chain, load";
  race.size = static_cast<int>(load);
  race.measures = "widest gap of a joint in 10 s, share of a link";
  race.reading = "gap";
  race.dt = 1.0 / 60;
  race.steps = race.timed = 600;
  for (const ChainShape::Link& l : shape.links) race.work += l.mass * shape.gravity * l.position.x();
  race.broken = 0.1;
  race.accuracy = 0.01;
  race.conserves = true;
  race.finest = -3;  // minutes beyond that
  race.rival = "bullet sequential impulse";
  const auto gap = [shape, judge = widestGap()](const World& w) mutable { return judge(shape, poseOf(w), w.time()); };
  race.entrants.push_back(reeveEntrant("direct", d, gap, 1.0));
  joinChains(race.entrants, d, widestGap(), true);
  std::vector<Entrant> hanging;
  joinChains(hanging, hung(loadedChain(1.0)), driftOfEnd(), true);
  restLike(race.entrants, hanging);
  race.still = 0.05;
  for (Entrant& e : race.entrants) e.exact = 0.0;
  return race;
}

/// The shipped pile of ten, so many times beside itself.
Race heapRace(int boxes) {
  Description d = shippedScene("pile");
  const auto pile = d.bodies;
  for (int column = 1; 10 * column < boxes; ++column)
    for (const auto& [name, b] : pile) {
      if (b.motion != BodyMotion::dynamic) continue;
      d.bodies.emplace_back(name + " " + std::to_string(column), b);
      d.bodies.back().second.position += Vec3(column % 5, column / 5, 0);
    }
  Race race;
  race.name = "heap of boxes";
  race.size = static_cast<int>(d.bodies.size()) - 1;
  race.measures = "m, how far the lowest box is from standing on the ground at the end";
  race.dt = 1.0 / 240;
  race.steps = race.timed = boxes <= 50 ? 120 : 60;  // all have landed after 0.1 s
  for (const auto& [name, b] : d.bodies)
    if (b.motion == BodyMotion::dynamic) race.work += b.density * b.shapes[0].size.prod() * 9.81 * b.position.z();
  race.broken = 0.02;
  race.accuracy = 0.004;  // a hundredth of a box
  race.reading = "lowest " + std::to_string(0.5 * d.bodies.back().second.shapes[0].size.z());
  race.rival = "bullet sequential impulse";
  const auto standing = [d](const World& w) {
    const Observation o = w.observe();
    double lowest = 1e300;
    for (std::size_t i = 0; i < d.bodies.size(); ++i)
      if (d.bodies[i].second.motion == BodyMotion::dynamic)
        lowest = std::min(lowest, o.bodies[i].second.position.z() - 0.5 * d.bodies[i].second.shapes[0].size.z());
    return lowest;
  };
  race.entrants.push_back(reeveEntrant("direct", d, standing, 1.0));
  join(race.entrants, bulletBoxes(d));
  join(race.entrants, odeBoxes(d));
  join(race.entrants, mujocoBoxes(d));
  for (Entrant& e : race.entrants) e.exact = 0.0;
  return race;
}

Race ropeRace(int segments) {
  const RopeShape shape{.segments = segments};
  Description d;
  d.name = "rope";
  CableSettings rope;
  rope.model = CableModel::particles;
  rope.segments = segments;
  rope.material.mass = shape.mass / shape.length;
  rope.particles.touch = TouchMode::none;
  for (const double x : {0.0, shape.length}) {
    LinkSettings end;
    end.type = LinkType::attach;
    end.point = Vec3(x, 0, 0);
    if (x > 0.0) end.hold = EndHold::free;
    rope.route.push_back(end);
  }
  d.cables.emplace_back("rope", rope);
  Race race;
  race.name = "rope of particles";
  race.size = segments;
  race.measures = "stretch of the rope after 1.6 s of swing, share of its length";
  race.dt = 1.0 / 60;
  race.steps = 96;
  race.timed = segments <= 1000 ? 96 : 24;
  race.broken = 0.1;
  race.accuracy = segments <= 1000 ? 0.01 : 0.0;
  race.work = shape.mass * 9.81 * 0.5 * shape.length;
  race.rival = "bullet soft body";
  race.reading = "stretch " + std::to_string(shape.length);
  const auto stretch = [shape](const World& w) {
    const Observation o = w.observe();
    const auto& line = o.cables.front().second.polyline;
    double sum = 0.0;
    for (std::size_t i = 1; i < line.size(); ++i) sum += (line[i] - line[i - 1]).norm();
    return sum / shape.length - 1;
  };
  race.entrants.push_back(reeveEntrant("xpbd, 10 iterations", d, stretch, 0.0));
  d.cables[0].second.particles.direct = true;
  race.entrants.push_back(reeveEntrant("xpbd, direct", d, stretch, 1.0));
  join(race.entrants, bulletRope(shape));
  join(race.entrants, mujocoRope(shape));
  for (Entrant& e : race.entrants) e.exact = 0.0;
  return race;
}

}  // namespace reeve::race
