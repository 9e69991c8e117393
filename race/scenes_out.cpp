#include "scenes_out.h"

#include <cctype>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <vector>

#include "races.h"
#include "reeve/scene/json_writer.h"

namespace reeve::race {
namespace {

std::vector<Race> racesFor(bool few) {
  std::vector<Race> races;
  for (const int n : {2, 4, 16, 64, 256, 1024})
    if (!few || n <= 16) races.push_back(tackleRace(n));
  for (Race (*race)() : {simpleRace, atwoodRace, winchRace, fingerRace}) races.push_back(race());
  if (!few)
    for (Race (*race)() : {sagRace, modesRace}) races.push_back(race());
  for (const double load : {1.0, 1e2, 1e4, 1e6})
    if (!few || load == 1.0) races.push_back(chainRace(load));
  for (const int n : {100, 1000})
    if (!few || n == 100) races.push_back(ropeRace(n));
  for (const int n : {10, 50, 200})
    if (!few || n == 10) races.push_back(heapRace(n));
  return races;
}

std::string fileName(const Race& race, const Entrant& e) {
  std::string name = race.name + "-" + std::to_string(race.size) + "-" + e.engine + "-" + e.how;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '-';
  return name + (e.engine == "reeve" ? ".json" : ".xml");
}

}  // namespace

int writeScenes(const std::string& folder, bool few) {
  std::filesystem::create_directories(folder);
  std::string text;
  JsonWriter json(text);
  json.beginArray();
  for (const Race& race : racesFor(few)) {
    json.beginObject().key("race").text(race.name).key("n").number(race.size).key("dt").number(race.dt);
    json.key("steps").number(race.steps).key("timed").number(race.timed).key("relative").boolean(race.relative);
    json.key("work").number(race.work).key("broken").number(race.broken).key("wild").number(race.wild);
    json.key("accuracy").number(race.accuracy).key("reading").text(race.reading).key("measures").text(race.measures);
    json.key("conserves").boolean(race.conserves).key("finest").number(race.finest);
    json.key("waves").beginArray();
    for (const Wave& wave : race.waves) {
      json.beginObject().key("omega").number(wave.omega).key("load").number(wave.load);
      json.key("per_metre").number(wave.perMetre).key("length").number(wave.length).key("shape").beginArray();
      for (const double y : wave.shape) json.number(y);
      json.endArray().endObject();
    }
    json.endArray();
    json.key("chain").text(fileName(race, race.entrants.front()));
    json.key("entrants").beginArray();
    std::set<std::string> written;  // MuJoCo's integrators share a scene
    for (const Entrant& e : race.entrants) {
      if (e.scene.empty() || !written.insert(e.scene).second) continue;
      const std::string file = fileName(race, e);
      std::ofstream(std::filesystem::path(folder) / file) << e.scene;
      json.beginObject(JsonWriter::Layout::line).key("engine").text(e.engine);
      json.key("how").text(e.how.substr(0, e.how.find(", Euler"))).key("file").text(file).key("drive").text(e.drive);
      json.key("wanted").boolean(e.wanted > 0.0);
      if (e.exact) json.key("exact").number(*e.exact);
      json.endObject();
    }
    json.endArray().endObject();
  }
  json.endArray();
  std::ofstream file(std::filesystem::path(folder) / "races.json");
  file << text << "\n";
  if (file.flush()) return 0;
  std::fprintf(stderr, "reeve_race: cannot write into %s\n", folder.c_str());
  return 2;
}

}  // namespace reeve::race
