// Where in its text a problem of a scene stands.
#include <cstdlib>

#include "reeve/scene/expand.h"
#include "reeve/scene/json.h"
#include "reeve/scene/scene.h"

namespace reeve {

void locate(std::string_view text, Problem& problem) {
  if (problem.line > 0 || problem.path.empty()) return;
  auto written = json::parse(text);
  if (!written) return;
  const auto parameters = scene::readParameters(written->root());
  if (!parameters) return;
  const auto document = json::expand(std::move(*written), *parameters);
  if (!document) return;
  const json::Value* value = &document->root();
  for (std::string_view path = problem.path; !path.empty();) {
    path.remove_prefix(path.starts_with('/'));
    const std::string key(path.substr(0, path.find('/')));
    path.remove_prefix(key.size());
    const json::Value* next = value->find(key);
    char* end = nullptr;
    const auto index = std::strtoul(key.c_str(), &end, 10);
    if (!next && value->kind() == json::Kind::array && *end == '\0' && index < value->items().size())
      next = &value->items()[index];
    if (!next) break;
    value = next;
  }
  problem.line = value->place().line;
  problem.column = value->place().column;
}

}  // namespace reeve
