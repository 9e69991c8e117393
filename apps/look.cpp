#include "look.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>

#include "files.h"
#include "reeve/scene/nearest.h"
#include "reeve/scene/units.h"

namespace reeve::command {
namespace {

void readSize(const std::string& text, record::PictureOptions& look) {
  if (text.empty()) return;
  int width = 0, height = 0, used = 0;
  const bool read =
      std::sscanf(text.c_str(), "%dx%d%n", &width, &height, &used) == 2 && used == static_cast<int>(text.size());
  if (!read || width < 100 || height < 100 || width > 20000 || height > 20000)
    throw Failure(
        badInput,
        fmt::format(
            "--size: \"{}\" is not a size\nhelp: give width and height in pixels from 100 to 20000, as in 900x600",
            text));
  look.width = width;
  look.height = height;
}

double readHeight(const std::string& text) {
  if (text.empty()) return 0.0;
  const auto quantity = scene::readQuantity(text);
  const bool length =
      quantity && (!quantity->hasUnit || scene::fits(quantity->powers, scene::dimension::length.powers));
  if (!length || !(quantity->value > 0.0) || !std::isfinite(quantity->value))
    throw Failure(
        badInput,
        fmt::format("--height: \"{}\" is not a height\nhelp: give meters of scene, as in 3 or \"50 cm\"", text));
  return quantity->value;
}

Vec3 readTarget(const std::string& text) {
  Vec3 v;
  int used = 0;
  if (std::sscanf(text.c_str(), "%lf,%lf,%lf%n", &v[0], &v[1], &v[2], &used) != 3 ||
      used != static_cast<int>(text.size()) || !v.allFinite())
    throw Failure(badInput,
                  fmt::format("--target: \"{}\" is not a point\nhelp: give x,y,z in meters, as in 0,0,1.5", text));
  return v;
}

}  // namespace

record::PictureOptions Look::at(const Observation& seen) const {
  record::PictureOptions now = options;
  for (const auto& [name, body] : seen.bodies)
    if (name == follow && body.position.allFinite()) now.target = body.position;
  for (const auto& [name, particle] : seen.particles)
    if (name == follow && particle.position.allFinite()) now.target = particle.position;
  return now;
}

Look readLook(const LookOptions& given, const Description& scene) {
  Look look;
  look.options.labels = given.labels;
  look.options.signs = given.signs;
  readSize(given.size, look.options);
  if (!given.from.empty()) {
    const auto from = record::parseView(given.from);
    if (!from) throw Failure(badInput, fmt::format("--from: {}\nhelp: {}", from.error().reason, from.error().remedy));
    look.options.from = *from;
  }
  look.options.sceneHeight = readHeight(given.height);
  if (!given.target.empty()) look.options.target = readTarget(given.target);
  if (!given.follow.empty()) {
    std::vector<std::string_view> names;
    for (const auto& [name, body] : scene.bodies) names.push_back(name);
    for (const auto& [name, particle] : scene.particles) names.push_back(name);
    if (std::find(names.begin(), names.end(), given.follow) == names.end())
      throw Failure(badInput, fmt::format("--follow: there is no body or particle \"{}\"\nhelp: {}", given.follow,
                                          suggestion(given.follow, names)));
    look.follow = given.follow;
  }
  return look;
}

}  // namespace reeve::command
