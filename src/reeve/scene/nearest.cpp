#include "reeve/scene/nearest.h"

#include <algorithm>
#include <utility>

namespace reeve {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

}  // namespace

int editDistance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      next[j] = std::min({row[j] + 1, next[j - 1] + 1, row[j - 1] + change});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        next[j] = std::min(next[j], before[j - 2] + 1);
    }
    before.swap(row);
    row.swap(next);
  }
  return row[b.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t longest = 60;  // of a word worth guessing at
  if (word.size() > longest) return {};
  int best = static_cast<int>(word.size() + 2) / 3 + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    if (candidate.size() > longest) continue;
    // A beginning in common counts for more than letters: "angular" for "angular_velocity", "body" for "bodies".
    const bool begins =
        (word.size() >= 3 && candidate.starts_with(word)) || (candidate.size() >= 3 && word.starts_with(candidate));
    const bool begun = word.size() >= 3 && candidate.starts_with(word.substr(0, 3));
    const int distance = begins ? 1 : editDistance(word, candidate) - (begun ? 1 : 0);
    if (distance >= best || distance >= static_cast<int>(std::max(word.size(), candidate.size()))) continue;
    best = distance;
    found = candidate;
  }
  return found;
}

std::string_view synonym(std::string_view word, std::span<const std::string_view> candidates) {
  // What other programs and riggers call it. Several lines for a word: the first that is valid here.
  static constexpr std::pair<std::string_view, std::string_view> table[] = {
      {"duration", "seconds"},
      {"time", "seconds"},
      {"end_time", "seconds"},
      {"timestep", "dt"},
      {"time_step", "dt"},
      {"step", "dt"},
      {"pulley", "roll"},
      {"pulley", "rotors"},
      {"pulleys", "rotors"},
      {"sheave", "roll"},
      {"sheave", "rotors"},
      {"sheaves", "rotors"},
      {"wheel", "roll"},
      {"wheel", "rotors"},
      {"wheels", "rotors"},
      {"block", "roll"},
      {"block", "rotors"},
      {"blocks", "rotors"},
      {"rotor", "rotors"},
      {"eye", "pinhole"},
      {"eyelet", "pinhole"},
      {"ring", "pinhole"},
      {"hole", "pinhole"},
      {"fairlead", "pinhole"},
      {"winch", "spool"},
      {"winch", "motors"},
      {"winches", "motors"},
      {"drum", "spool"},
      {"drum", "rotors"},
      {"reel", "spool"},
      {"rope", "cables"},
      {"ropes", "cables"},
      {"wire", "cables"},
      {"string", "cables"},
      {"tendons", "cables"},
      {"belts", "cables"},
      {"fixed", "static"},
      {"revolute", "hinge"},
      {"pin", "hinge"},
      {"prismatic", "slider"},
      {"spherical", "ball"},
      {"weld", "fixed"},
      {"spring", "distance"},
      {"links", "route"},
      {"path", "route"},
      {"body", "on"},
      {"rotation", "orientation"},
      {"quaternion", "orientation"},
      {"mesh", "hull"},
      {"plane", "half-space"},
      {"ground", "half-space"},
      {"height", "length"},
      {"stiffness", "axial"},
      {"EA", "axial"},
      {"colour", "color"},
      {"centre", "center"},
      {"speed", "velocity"},
      {"omega", "angular_velocity"},
      {"tolerance", "within"},
      {"expected", "equals"},
      {"loop", "closed"},
      {"endless", "closed"},
      {"pretension", "tension"},
      {"preload", "tension"},
      {"position", "anchor"},
      {"pivot", "anchor"},
      {"parent", "on"},
      {"attached_to", "on"},
      {"diameter", "radius"},
      {"weight", "mass"},
      {"mu", "friction"},
      {"viscosity", "viscous"},
      {"min", "lower"},
      {"max", "upper"},
      {"max_torque", "max_force"},
      {"torque_limit", "max_force"},
      {"direction", "axis"},
      {"direction", "side"},
      {"trajectory", "prescribed"},
      {"move", "prescribed"},
      {"cleat", "pinhole"},
      {"capstan", "roll"},
      {"fixed", "attach"},
      {"anchor", "attach"},
      {"trigger", "when"},
      {"actions", "do"},
  };
  for (const auto& [other, meant] : table)
    if (other == word && std::find(candidates.begin(), candidates.end(), meant) != candidates.end()) return meant;
  return {};
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  constexpr std::size_t most = 30;
  if (candidates.empty()) return "";
  std::string text;
  auto best = synonym(word, candidates);
  if (best.empty()) best = nearest(word, candidates);
  if (!best.empty()) text = "did you mean \"" + std::string(best) + "\"? ";
  text += "valid here: ";
  for (std::size_t i = 0; i < candidates.size() && i < most; ++i) (text += i ? ", " : "") += candidates[i];
  if (candidates.size() > most) text += ", ... (" + std::to_string(candidates.size()) + ")";
  return text;
}

}  // namespace reeve
