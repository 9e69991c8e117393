#pragma once
// Scenes in which something once went wrong (tests/hostile/scenes), stepped and judged as `reeve run` does it.
#include <cmath>
#include <fstream>
#include <sstream>

#include "reeve/model/state.h"
#include "reeve/record/judge.h"
#include "reeve/scene/scene.h"
#include "support/scenes.h"
#include "support/source_dir.h"

namespace reeve::test {

inline Description hostile(const std::string& name) {
  std::ifstream file(sourceDir() + "/tests/hostile/scenes/" + name + ".json");
  std::stringstream text;
  text << file.rdbuf();
  auto scene = readScene(text.str(), name);
  EXPECT_TRUE(scene) << name << ": " << (scene ? "" : scene.error().reason);
  return scene ? std::move(*scene) : Description{};
}

struct Judged {
  World world;
  std::vector<record::Finding> findings;
  record::Trust level() const { return world.verdict().good ? record::levelOf(findings) : record::Trust::bad; }
};

inline Judged judged(Description scene, double seconds) {
  Judged out{make(std::move(scene)), {}};
  World& w = out.world;
  record::Judge judge(w.description(), w.observe());
  const Observable total = *w.resolve("energy.total");
  const std::int64_t steps = std::llround(seconds / w.description().settings.dt);
  for (std::int64_t i = 1; i <= steps && w.step().good; ++i)
    if (steps <= 100 || i % 4 == 0)
      judge.look(w.observe());
    else if (judge.suspects(w.read(total), w.state().accounts))
      judge.lookAgain(w.observe());
  if (w.verdict().good) judge.look(w.observe(), true);
  out.findings = judge.findings();
  return out;
}

inline Judged stepped(const std::string& name, double seconds, const DoubtLimits& limits = {}) {
  Description scene = hostile(name);
  scene.settings.doubtful = limits;
  return judged(std::move(scene), seconds);
}

}  // namespace reeve::test
