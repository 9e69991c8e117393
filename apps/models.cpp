#include "models.h"

#include <fmt/format.h>

#include <algorithm>

#include "command.h"
#include "reeve/scene/nearest.h"
#include "reeve/scene/swap_model.h"

namespace reeve::command {

std::vector<CableModel> modelsNamed(const std::string& list) {
  const auto all = cableModels();
  if (list.empty()) return {all.begin(), all.end()};
  std::vector<CableModel> chosen;
  std::vector<std::string_view> words;
  for (const CableModel m : all) words.push_back(modelName(m));
  for (std::size_t from = 0; from <= list.size();) {
    const std::size_t end = std::min(list.find(',', from), list.size());
    const std::string word = list.substr(from, end - from);
    const auto found = std::find(words.begin(), words.end(), word);
    if (found == words.end())
      throw Failure(badInput,
                    fmt::format("--models: \"{}\" is no cable model\nhelp: {}", word, suggestion(word, words)));
    const CableModel model = all[static_cast<std::size_t>(found - words.begin())];
    if (std::find(chosen.begin(), chosen.end(), model) == chosen.end()) chosen.push_back(model);
    from = end + 1;
  }
  return chosen;
}

}  // namespace reeve::command
