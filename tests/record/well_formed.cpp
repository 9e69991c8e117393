#include "well_formed.h"

#include <cctype>
#include <set>
#include <vector>

namespace reeve::samples {
namespace {

std::string badEntity(std::string_view text) {
  for (auto at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    const auto end = text.find(';', at);
    if (end == std::string_view::npos || end - at > 8) return "bare ampersand near " + std::string(text.substr(at, 20));
  }
  return "";
}

/// "nan" and "inf" as words of their own: no attribute of ours contains such a word.
std::string badNumber(std::string_view tag) {
  for (const std::string_view word : {"nan", "inf"})
    for (auto at = tag.find(word); at != std::string_view::npos; at = tag.find(word, at + 1)) {
      const bool before = at > 0 && std::isalpha(static_cast<unsigned char>(tag[at - 1]));
      const bool after = at + 3 < tag.size() && std::isalpha(static_cast<unsigned char>(tag[at + 3]));
      if (!before && !after) return "not a number in <" + std::string(tag) + ">";
    }
  return "";
}

std::string doubleAttribute(std::string_view tag) {
  std::set<std::string_view> names;
  for (auto at = tag.find("=\""); at != std::string_view::npos; at = tag.find("=\"", tag.find('"', at + 2))) {
    const auto begin = tag.find_last_of(" \n", at) + 1;
    if (!names.insert(tag.substr(begin, at - begin)).second) return "attribute twice in <" + std::string(tag) + ">";
  }
  return "";
}

}  // namespace

std::string flawOf(std::string_view xml) {
  std::vector<std::string> open;
  std::size_t at = 0;
  while (at < xml.size()) {
    const auto begin = xml.find('<', at);
    const std::string_view text = xml.substr(at, begin == std::string_view::npos ? begin : begin - at);
    if (const auto flaw = badEntity(text); !flaw.empty()) return flaw;
    if (text.find('>') != std::string_view::npos) return "stray > near " + std::string(text.substr(0, 40));
    if (begin == std::string_view::npos) break;
    const auto end = xml.find('>', begin);
    if (end == std::string_view::npos) return "tag without end";
    const std::string_view tag = xml.substr(begin + 1, end - begin - 1);
    at = end + 1;
    if (tag.starts_with("!") || tag.starts_with("?")) continue;
    if (std::size_t quotes = 0; true) {
      for (const char c : tag) quotes += c == '"';
      if (quotes % 2) return "odd quotes in <" + std::string(tag) + ">";
    }
    if (tag.find('<') != std::string_view::npos) return "< inside <" + std::string(tag) + ">";
    if (const auto flaw = badEntity(tag); !flaw.empty()) return flaw;
    if (const auto flaw = doubleAttribute(tag); !flaw.empty()) return flaw;
    if (const auto flaw = badNumber(tag); !flaw.empty()) return flaw;
    const std::string name(tag.substr(tag.starts_with("/"), tag.find_first_of(" /\n", 1) - tag.starts_with("/")));
    if (tag.starts_with("/")) {
      if (open.empty() || open.back() != tag.substr(1)) return "unexpected </" + std::string(tag.substr(1)) + ">";
      open.pop_back();
    } else if (!tag.ends_with("/")) {
      open.push_back(name);
    }
  }
  return open.empty() ? "" : "unclosed <" + open.back() + ">";
}

}  // namespace reeve::samples
