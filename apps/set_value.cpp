#include "set_value.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <vector>

#include "command.h"
#include "reeve/scene/json.h"
#include "reeve/scene/nearest.h"

namespace reeve::command {
namespace {

/// Bytes before a place of the text; its columns count characters.
std::size_t offsetOf(const std::string& text, const json::Place& place) {
  std::size_t at = text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
  for (int line = 1; line < place.line; ++line) at = text.find('\n', at) + 1;
  for (int column = 1; column < place.column; ++column)
    at += std::max<std::size_t>(json::utf8Length(std::string_view(text).substr(at)), 1);
  return at;
}

/// Where the JSON value that begins at `at` is over. The text has been parsed before, so it is well-formed.
std::size_t endOf(const std::string& text, std::size_t at) {
  int depth = 0;
  bool quoted = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (quoted) {
      if (c == '\\') ++at;
      if (c == '"') quoted = false;
      if (!quoted && depth == 0) return at + 1;
    } else if (c == '"') {
      quoted = true;
    } else if (c == '[' || c == '{') {
      ++depth;
    } else if (c == ']' || c == '}') {
      if (depth == 0) return at;
      if (--depth == 0) return at + 1;
    } else if (depth == 0 && (c == ',' || std::isspace(static_cast<unsigned char>(c)))) {
      return at;
    }
  }
  return at;
}

/// A value as JSON: what already is stays, everything else is a text, with a blank before its unit.
std::string valueText(const std::string& given) {
  if (json::parse(given)) return given;
  std::string out = "\"";
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool unit = i > 0 && std::isdigit(static_cast<unsigned char>(given[i - 1])) &&
                      std::isalpha(static_cast<unsigned char>(given[i])) && given[i] != 'e' && given[i] != 'E';
    if (unit && given.find(' ') == std::string::npos) out += ' ';
    if (given[i] == '"' || given[i] == '\\') out += '\\';
    if (static_cast<unsigned char>(given[i]) >= 0x20) out += given[i];
  }
  return out + "\"";
}

std::vector<std::string> wordsOf(const std::string& path) {
  std::vector<std::string> words(1);
  for (const char c : path)
    if (c == '.')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

[[noreturn]] void noSuch(const std::string& assignment, const std::string& word, const json::Value& in) {
  std::vector<std::string_view> names;
  for (const json::Value& item : in.items()) names.push_back(item.key());
  throw Failure(badInput, fmt::format("--set {}: there is no \"{}\"\nhelp: {}", assignment, word,
                                      in.kind() == json::Kind::array
                                          ? fmt::format("this list has {} entries, from 0", in.items().size())
                                          : suggestion(word, names)));
}

}  // namespace

std::string withValue(const std::string& file, const std::string& text, const std::string& assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string::npos || equals == 0)
    throw Failure(badInput, fmt::format("--set {}: no value\nhelp: write path=value, as in --set bodies.load.mass=2t",
                                        assignment));
  std::vector<std::string> words = wordsOf(assignment.substr(0, equals));
  const std::string value = valueText(assignment.substr(equals + 1));
  const auto document = json::parse(text);
  if (!document)
    throw Failure(badInput, fmt::format("{}:{}:{}: {}", file, document.error().line, document.error().column,
                                        document.error().reason));
  const json::Value* at = &document->root();
  // A parameter may be given by its name alone.
  const json::Value* parameters = at->find("parameters");
  if (words.size() == 1 && !at->find(words[0]) && parameters && parameters->find(words[0]))
    words.insert(words.begin(), "parameters");
  for (std::size_t i = 0; i < words.size(); ++i) {
    const json::Value* next = at->kind() == json::Kind::object ? at->find(words[i]) : nullptr;
    if (at->kind() == json::Kind::array) {
      char* end = nullptr;
      const auto index = std::strtoul(words[i].c_str(), &end, 10);
      if (!words[i].empty() && *end == '\0' && index < at->items().size()) next = &at->items()[index];
    }
    if (next) {
      at = next;
      continue;
    }
    // A field that is left out can be added; a body, a joint or a cable that is not there is a slip of the pen.
    const bool named = i == 1 && words[0] != "settings" && words[0] != "view";
    if (at->kind() != json::Kind::object || named) noSuch(assignment, words[i], *at);
    std::string added = value;
    for (std::size_t k = words.size(); k-- > i + 1;) added = "{\"" + words[k] + "\": " + added + "}";
    const std::size_t inside = offsetOf(text, at->place()) + 1;
    return text.substr(0, inside) + "\"" + words[i] + "\": " + added + (at->items().empty() ? "" : ", ") +
           text.substr(inside);
  }
  const std::size_t start = offsetOf(text, at->place());
  return text.substr(0, start) + value + text.substr(endOf(text, start));
}

}  // namespace reeve::command
