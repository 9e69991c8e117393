// The head of a longer text, for places with room for one line.
#pragma once

#include <functional>
#include <string>

namespace reeve::record {

/// Up to the first full stop that ends a sentence, that is, not the one of "fig. 8"; at most one line.
std::string firstSentence(const std::string& text);

/// As it is where it fits, else cut at whole UTF-8 characters until it does with an ellipsis.
std::string cutTo(std::string line, const std::function<bool(const std::string&)>& fits);

}  // namespace reeve::record
