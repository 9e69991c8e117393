#pragma once
// Reeve as an entrant, and what the files of races share.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include "chain_shape.h"
#include "race.h"
#include "reeve/scene/scene.h"
#include "reeve/world/world.h"

namespace reeve::race {

[[noreturn]] inline void giveUp(const std::string& why) {
  std::fprintf(stderr, "reeve_race: %s\n", why.c_str());
  std::exit(2);
}

inline Description shippedScene(const std::string& name) {
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

inline Entrant reeveEntrant(const char* how, const Description& d, const WorldRunner::Judge& judge, double wanted) {
  Entrant e;
  e.engine = "reeve";
  e.how = how;
  e.wanted = wanted;
  e.scene = writeScene(d);
  e.start = [d, judge](double dt) { return std::make_unique<WorldRunner>(d, dt, judge); };
  return e;
}

inline void join(std::vector<Entrant>& all, std::vector<Entrant> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

/// Of every entrant that is in `still` too, that one for where it should stand still.
inline void restLike(std::vector<Entrant>& all, const std::vector<Entrant>& still) {
  for (Entrant& e : all)
    for (const Entrant& s : still)
      if (s.engine == e.engine && s.how == e.how) e.atRest = s.start;
}

inline ChainPose poseOf(const World& w) {
  ChainPose now;
  for (const auto& [name, body] : w.observe().bodies)
    now.places.push_back(body.position), now.turns.push_back(body.orientation);
  return now;
}

inline double valueOf(const World& w, const std::string& path) { return w.read(*w.resolve(path)); }

}  // namespace reeve::race
