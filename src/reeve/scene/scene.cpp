#include "reeve/scene/scene.h"

#include <algorithm>
#include <optional>

#include "reeve/scene/expand.h"
#include "reeve/scene/fields.h"
#include "reeve/scene/sides.h"

namespace reeve {
namespace {

/// The value a path leads to, or the last one on the way.
const json::Value& locate(const json::Value& root, std::string_view path) {
  const json::Value* here = &root;
  while (!path.empty()) {
    path.remove_prefix(1);
    const std::string_view step = path.substr(0, path.find('/'));
    path.remove_prefix(step.size());
    const json::Value* next = here->find(step);
    if (here->kind() == json::Kind::array) {
      std::size_t index = 0;
      for (const char c : step) index = index * 10 + static_cast<std::size_t>(c - '0');
      if (index < here->items().size()) next = &here->items()[index];
    }
    if (!next) break;
    here = next;
  }
  return *here;
}

/// Pulleys of a hoist cable that nothing says how they run, and that cannot turn: the cable holds on to them.
void tellSticking(const json::Value& root, const Description& description, std::vector<SceneRemark>& remarks) {
  for (const auto& [name, cable] : description.cables) {
    if (cable.model != CableModel::hoist || cable.pull == PullForm::force) continue;
    for (std::size_t i = 1; i + 1 < cable.route.size(); ++i) {
      const LinkSettings& l = cable.route[i];
      const std::string link = "/cables/" + name + "/route/" + std::to_string(i);
      const bool turns = std::any_of(description.rotors.begin(), description.rotors.end(),
                                     [&](const auto& rotor) { return rotor.first == l.on; });
      if (l.type != LinkType::roll || turns || locate(root, link).find("friction")) continue;
      remarks.push_back({link, "the cable never slips on this pulley, and it is part of '" + l.on +
                                   "'; friction 0 lets it run free, on a rotor it turns"});
    }
  }
}

/// What a cable cannot tell from its defaults, but was written although its model has no choice of it.
void tellIdle(const json::Value& root, const Description& description, std::vector<SceneRemark>& remarks) {
  for (const auto& [name, cable] : description.cables) {
    const std::string path = "/cables/" + name;
    const json::Value& written = locate(root, path);
    const CableModel model = cable.model;
    const bool meetsAll = model == CableModel::chain || model == CableModel::particles;
    if (model != CableModel::joints && !cable.weight && written.find("weight"))
      remarks.push_back({path + "/weight", "it weighs what its mass does; leave it out"});
    if (!meetsAll && cable.collides && written.find("collides"))
      remarks.push_back({path + "/collides", "it meets its candidates alone; name bodies in candidates"});
  }
}

/// The same where it contradicts something else that was written: of a chain stiffness that Young's modulus would
/// replace, contacts of a chain through points.
std::vector<Problem> writtenInVain(const json::Value& root, const Description& description) {
  std::vector<Problem> vain;
  for (const auto& [name, cable] : description.cables) {
    if (cable.model != CableModel::chain) continue;
    const std::string path = "/cables/" + name;
    const json::Value& written = locate(root, path);
    if (cable.route.size() > 2 && written.find("collides"))
      vain.push_back({path + "/collides", "a chain through points has no segments that could touch anything",
                      "leave it out, or give its particles a radius"});
    const json::Value* material = written.find("material");
    if (!material || !cable.material.young) continue;
    const MaterialSettings& m = cable.material;
    const std::pair<const char*, bool> replaced[] = {
        {"axial", m.axial == unbounded}, {"bending", m.bending == 0.0}, {"torsion", m.torsion == 0.0}};
    for (const auto& [key, same] : replaced)
      if (same && material->find(key))
        vain.push_back({path + "/material/" + key, "what Young's modulus says would replace it",
                        "leave it out, or leave young out and give axial, bending and torsion"});
  }
  return vain;
}

}  // namespace

namespace {

/// Reads, chooses and checks. Fills `problems` with what is wrong, each with its place in the text.
std::optional<Description> readAll(std::string_view text, std::vector<Problem>& problems,
                                   std::vector<SceneRemark>* remarks) {
  const auto refused = [&](Problem problem) {
    problems.push_back(std::move(problem));
    return std::nullopt;
  };
  auto written = json::parse(text);
  if (!written) return refused(std::move(written.error()));
  const auto parameters = scene::readParameters(written->root());
  if (!parameters) return refused(parameters.error());
  const auto document = json::expand(std::move(*written), *parameters);
  if (!document) return refused(document.error());
  Description description;
  scene::Reader reader;
  reader.scene = &description;
  reader.parameters = *parameters;
  if (!scene::readRecord(reader, scene::recordOf<Description>(), document->root(), &description)) {
    problems.push_back(std::move(reader.problem));
    for (Problem& problem : reader.further) problems.push_back(std::move(problem));
  }
  const bool read = problems.empty();
  for (const scene::Parameter& parameter : *parameters)
    if (remarks && read && !parameter.used)
      remarks->push_back({"/parameters/" + parameter.name, "no expression uses it"});
  for (scene::Remark& remark : scene::chooseSides(description))
    if (remarks) remarks->push_back({std::move(remark.path), std::move(remark.text)});
  if (remarks && read) tellSticking(document->root(), description, *remarks);
  if (remarks && read) tellIdle(document->root(), description, *remarks);
  // Names and combinations are judged of what could be read, so that one typing error does not hide the others.
  std::vector<Problem> senseless = scene::checkAll(description, problems);
  if (read && senseless.empty()) senseless = writtenInVain(document->root(), description);
  for (Problem& problem : senseless) {
    if (problems.size() >= scene::Trail::most) break;
    const json::Place place = locate(document->root(), problem.path).place();
    problem.line = place.line;
    problem.column = place.column;
    problems.push_back(std::move(problem));
  }
  if (!problems.empty()) return {};
  return description;
}

}  // namespace

std::expected<Description, Problem> readScene(std::string_view text, std::string_view name,
                                              std::vector<SceneRemark>* remarks) {
  std::vector<Problem> problems;
  auto description = readAll(text, problems, remarks);
  if (!description) return std::unexpected(std::move(problems.front()));
  if (description->name.empty()) description->name = name;
  return std::move(*description);
}

std::vector<Problem> sceneProblems(std::string_view text) {
  std::vector<Problem> problems;
  readAll(text, problems, nullptr);
  return problems;
}

std::string writeScene(const Description& description) {
  std::string text;
  JsonWriter writer(text);
  scene::theForm<scene::FormOf<Description>>().write(writer, &description);
  return text + "\n";
}

bool equal(const Description& a, const Description& b) {
  return scene::equalRecords(scene::recordOf<Description>(), &a, &b);
}

std::string problemText(std::string_view file, const Problem& problem) {
  std::string text(file);
  if (problem.line > 0) text += ":" + std::to_string(problem.line) + ":" + std::to_string(problem.column);
  text += ": ";
  if (!problem.path.empty()) text += problem.path + ": ";
  text += problem.reason;
  if (!problem.remedy.empty()) text += "\n  " + problem.remedy;
  return text;
}

}  // namespace reeve
