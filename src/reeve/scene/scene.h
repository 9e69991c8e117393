#pragma once
// Scene files: text to Description and back.
//
//   auto scene = reeve::readScene(text, "crane.json");
//   if (!scene) std::puts(reeve::problemText("crane.json", scene.error()).c_str());
//
// The format is described in docs/scene-format.md. Reading a written scene gives the same description, bit for bit.
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "reeve/model/description.h"
#include "reeve/model/problem.h"

namespace reeve {

/// A remark on a scene that is no error: which way a cable was laid round a wheel.
struct SceneRemark {
  std::string path;  ///< "/cables/rope/route/1/side"
  std::string text;
};

/// Reads and checks a scene. `name` becomes the scene's name if the text gives none. `remarks` takes what was chosen
/// where the scene leaves it open.
std::expected<Description, Problem> readScene(std::string_view text, std::string_view name,
                                              std::vector<SceneRemark>* remarks = nullptr);

/// Everything that is wrong with a scene, as far as it can be read; at most 20. The first is that of readScene.
std::vector<Problem> sceneProblems(std::string_view text);

/// Writes a scene; what has its default value is left out.
std::string writeScene(const Description& description);

/// Checks what can be checked without building a world: numbers in range, names, references, routes. readScene does
/// this too; descriptions made by programs need it. Positions in the file are not set.
std::expected<void, Problem> checkScene(const Description& description);

/// Equal field by field. Numbers compare by value, two NaN are equal.
bool equal(const Description& a, const Description& b);

/// The JSON Schema (draft 7) of scene files; scenes/schema.json.
std::string sceneSchema();

/// The reference tables of docs/scene-format.md.
std::string referenceMarkdown();

/// Gives a problem that knows its path but not its line the place of that value in the scene's text, or of the nearest
/// value above it.
void locate(std::string_view text, Problem& problem);

/// "crane.json:12:5: /joints/elbow/axis: found ..., expected ...; did you mean ...". For people.
std::string problemText(std::string_view file, const Problem& problem);

}  // namespace reeve
