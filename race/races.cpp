#include "races.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "chain_shape.h"
#include "peers.h"
#include "reeve/scene/scene.h"
#include "reeve/world/world.h"

namespace reeve::race {
namespace {

[[noreturn]] void giveUp(const std::string& why) {
  std::fprintf(stderr, "reeve_race: %s\n", why.c_str());
  std::exit(2);
}

Description shippedScene(const std::string& name) {
  std::ifstream file(std::string(REEVE_SOURCE_DIR) + "/scenes/" + name + ".json");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  auto description = readScene(text, name);
  if (!description) giveUp(problemText(name, description.error()));
  return std::move(*description);
}

/// Reeve: a world as a scene file gives it. `judge` is the measure.
class WorldRunner : public Runner {
 public:
  using Judge = std::function<double(const World&)>;
  WorldRunner(Description d, double dt, Judge judge) : world_(build(std::move(d), dt)), judge_(std::move(judge)) {
    energy_ = *world_.resolve("energy.total");
  }
  bool step() override { return world_.step().good; }
  double measure() override { return judge_(world_); }
  double energy() override { return world_.read(energy_); }

 private:
  static World build(Description d, double dt) {
    d.settings.dt = dt;
    auto world = World::build(std::move(d));
    if (!world) giveUp(world.error().path + ": " + world.error().reason);
    return std::move(*world);
  }
  World world_;
  Judge judge_;
  Observable energy_;
};

Entrant reeveEntrant(const char* how, const Description& d, const WorldRunner::Judge& judge, double wanted) {
  Entrant e;
  e.engine = "reeve";
  e.how = how;
  e.wanted = wanted;
  e.start = [d, judge](double dt) { return std::make_unique<WorldRunner>(d, dt, judge); };
  return e;
}

void join(std::vector<Entrant>& all, std::vector<Entrant> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

double valueOf(const World& w, const std::string& path) { return w.read(*w.resolve(path)); }

}  // namespace

Race tackleRace(int sheaves) {
  trials::Tackle t;
  t.sheaves = sheaves;
  t.extra = 0.1;
  Race race;
  race.name = "moving tackle";
  race.size = sheaves;
  race.measures = "fall of the weight in 0.5 s, share of the closed form";
  race.dt = t.dt;
  race.steps = race.timed = 50;
  const double time = race.steps * race.dt, turning = 0.5 * t.acceleration(true) * time * time;
  race.scale = turning;
  race.work = t.weight() * t.gravity * turning;
  race.rival = "mujoco cylinders";
  const auto fallen = [](const World& w) { return -trials::Tackle::drop - valueOf(w, "bodies.weight.position.z"); };
  const bool asked = sheaves >= 4;
  race.entrants.push_back(reeveEntrant("joints", trials::movingTackle(t), fallen, asked ? 1.0 : 0.0));
  race.entrants.back().exact = turning;
  t.model = CableModel::strand;
  race.entrants.push_back(reeveEntrant("strand", trials::movingTackle(t), fallen, asked ? 1.0 : 0.0));
  join(race.entrants, mujocoTackle(t));
  return race;
}

Race simpleRace() {
  const Description d = shippedScene("simple");
  Race race;
  race.name = "simple";
  race.measures = "m, how far the balanced weight has moved after 4 s";
  race.dt = 1.0 / 60;
  race.steps = race.timed = 240;
  race.work = 20.0;  // J: the weight over a metre
  race.rival = "mujoco cylinders";
  const double start = d.bodies.back().second.position.z();
  race.entrants.push_back(reeveEntrant(
      "joints", d, [start](const World& w) { return start - valueOf(w, "bodies.right.position.z"); }, 0.7));
  race.entrants.back().exact = 0.0;
  join(race.entrants, mujocoSimple(d));
  return race;
}

Race chainRace(double load) {
  Description d = shippedScene("heavy-chain");
  BodySettings& last = d.bodies.back().second;
  *last.inertia *= load / *last.mass;
  last.mass = load;
  const ChainShape shape(d);
  Race race;
  race.name = load > 1 ? "heavy chain" : "light chain";
  race.size = static_cast<int>(shape.links.size());
  race.measures = "widest gap of a joint in 10 s, share of a link";
  race.dt = 1.0 / 60;
  race.steps = race.timed = 600;
  for (const ChainShape::Link& l : shape.links) race.work += l.mass * shape.gravity * l.position.x();
  race.broken = 0.1;
  race.rival = "bullet sequential impulse";
  double worst = 0.0;
  const auto gap = [shape, worst](const World& w) mutable {
    const Observation o = w.observe();
    worst = std::max(worst, shape.gap([&](std::size_t i) { return o.bodies[i].second.position; },
                                      [&](std::size_t i) { return o.bodies[i].second.orientation; }));
    return worst;
  };
  race.entrants.push_back(reeveEntrant("direct", d, gap, load > 1 ? 1.0 : 0.0));
  race.entrants.back().exact = 0.0;
  join(race.entrants, bulletChain(d));
  join(race.entrants, odeChain(d));
  join(race.entrants, mujocoChain(d));
  return race;
}

Race heapRace() {
  const Description d = shippedScene("pile");
  Race race;
  race.name = "heap of boxes";
  race.size = static_cast<int>(d.bodies.size()) - 1;
  race.measures = "m, how far the lowest box is from standing on the ground after 3 s";
  race.dt = 1.0 / 240;
  race.steps = race.timed = 720;
  for (const auto& [name, b] : d.bodies)
    if (b.motion == BodyMotion::dynamic) race.work += b.density * b.shapes[0].size.prod() * 9.81 * b.position.z();
  race.broken = 0.02;
  race.rival = "bullet sequential impulse";
  const auto standing = [d](const World& w) {
    const Observation o = w.observe();
    double lowest = 1e300;
    for (std::size_t i = 0; i < d.bodies.size(); ++i)
      if (d.bodies[i].second.motion == BodyMotion::dynamic)
        lowest = std::min(lowest, o.bodies[i].second.position.z() - 0.5 * d.bodies[i].second.shapes[0].size.z());
    return lowest;
  };
  race.entrants.push_back(reeveEntrant("direct", d, standing, 0.0));
  race.entrants.back().exact = 0.0;
  join(race.entrants, bulletBoxes(d));
  return race;
}

}  // namespace reeve::race
