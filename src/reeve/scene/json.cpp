#include "reeve/scene/json.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <optional>

#include "reeve/scene/number.h"

namespace reeve::json {

const Value* Value::find(std::string_view key) const {
  if (kind_ == Kind::object)
    for (const Value& member : items_)
      if (member.key_ == key) return &member;
  return nullptr;
}

std::size_t utf8Length(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Overlong forms, surrogates and what lies beyond U+10FFFF show in the second byte.
  const unsigned second = byte(1);
  if ((first == 0xE0 && second < 0xA0) || (first == 0xED && second > 0x9F)) return 0;
  if ((first == 0xF0 && second < 0x90) || (first == 0xF4 && second > 0x8F)) return 0;
  return length;
}

std::string quote(std::string_view text) {
  constexpr std::size_t most = 40;
  std::string out = "\"";
  std::size_t at = 0;
  while (at < text.size() && at < most) {
    const std::size_t length = utf8Length(text.substr(at));
    if (length == 0 || static_cast<unsigned char>(text[at]) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\x%02X", static_cast<unsigned>(static_cast<unsigned char>(text[at])));
      out += code;
    } else {
      out += text.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return out + (at < text.size() ? "...\"" : "\"");
}

std::string describe(const Value& value) {
  switch (value.kind()) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return value.boolean() ? "true" : "false";
    case Kind::number:
      return "the number " + numberText(value.number());
    case Kind::string:
      return "the text " + quote(value.text());
    case Kind::array:
      return value.items().empty() ? "an empty list" : "a list of " + std::to_string(value.items().size());
    case Kind::object:
      return "an object";
  }
  return "";
}

/// The grammar as a loop: `open_` holds the containers around the cursor, `pending_` their elements so far.
class Parser {
 public:
  Parser(std::string_view text, const Limits& limits) : text_(text), limits_(limits) {}

  std::expected<Document, Problem> run() {
    if (text_.size() > limits_.bytes)
      return std::unexpected(Problem{"",
                                     "the file has " + std::to_string(text_.size()) + " bytes, at most " +
                                         std::to_string(limits_.bytes) + " are read",
                                     "split the scene", 0, 0});
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = mark_ = 3;
    if (!checkEncoding()) return std::unexpected(std::move(problem_));
    document_.strings_ = std::make_unique<char[]>(text_.size() + 1);
    store_ = document_.strings_.get();
    if (!readAll()) return std::unexpected(std::move(problem_));
    return std::move(document_);
  }

 private:
  struct Frame {
    bool object;
    std::size_t first;  ///< of its elements in pending_
    Place opened;
    Value key;  ///< carries key and keyPlace for the next member
  };

  bool fail(std::size_t at, std::string reason, std::string remedy = "") {
    const Place place = placeOf(at);
    std::string path;
    for (std::size_t i = 0; i < open_.size(); ++i) {
      // The elements of an outer container end where those of the next begin: that one is not among them yet.
      const std::size_t end = i + 1 < open_.size() ? open_[i + 1].first : pending_.size();
      if (!open_[i].object) path += "/" + std::to_string(end - open_[i].first);
      if (open_[i].object && !open_[i].key.key_.empty()) path += "/" + std::string(open_[i].key.key_);
    }
    problem_ = Problem{std::move(path), std::move(reason), std::move(remedy), place.line, place.column};
    return false;
  }

  // Amortised: counts on from the last place asked for.
  Place placeOf(std::size_t at) {
    if (at < mark_) {
      mark_ = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
      place_ = {1, 1};
    }
    for (; mark_ < at && mark_ < text_.size(); ++mark_) {
      if (text_[mark_] == '\n') {
        ++place_.line;
        place_.column = 1;
      } else if ((static_cast<unsigned char>(text_[mark_]) & 0xC0) != 0x80) {
        ++place_.column;
      }
    }
    return place_;
  }

  bool checkEncoding() {
    if (text_.starts_with("\xFF\xFE") || text_.starts_with("\xFE\xFF"))
      return fail(0, "the file is UTF-16, expected UTF-8", "save it as UTF-8");
    for (std::size_t at = at_; at < text_.size();) {
      const std::size_t length = static_cast<unsigned char>(text_[at]) < 0x80 ? 1 : utf8Length(text_.substr(at, 4));
      if (length == 0) return fail(at, "found bytes that are not valid UTF-8", "save the file as UTF-8");
      at += length;
    }
    return true;
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool ended() const { return at_ >= text_.size(); }

  void skipSpace() {
    while (!ended() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r')) ++at_;
  }

  // What stands at the cursor, for messages.
  std::string found() const {
    if (ended()) return "the end of the file";
    std::size_t length = utf8Length(text_.substr(at_, 4));
    if (wordCharacter(text_[at_]))
      while (at_ + length < text_.size() && length < 40 && wordCharacter(text_[at_ + length])) ++length;
    return quote(text_.substr(at_, length));
  }
  static bool wordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  }

  bool failExpecting(const std::string& expected) {
    const std::string_view rest = text_.substr(std::min(at_, text_.size()));
    if (rest.starts_with("//") || rest.starts_with("/*") || rest.starts_with("#"))
      return fail(at_, "found a comment, expected " + expected, "JSON has no comments; say it in \"about\"");
    if (rest.starts_with("'"))
      return fail(at_, "found a single quote, expected " + expected, "use double quotes: \"text\"");
    if (ended() && !open_.empty())
      return fail(at_,
                  "found the end of the file, expected " + expected + " (the " + (open_.back().object ? "{" : "[") +
                      " of line " + std::to_string(open_.back().opened.line) + " is still open)",
                  "the file may be cut off");
    return fail(at_, "found " + found() + ", expected " + expected);
  }

  bool readAll() {
    skipSpace();
    if (ended()) return fail(at_, "the file is empty, expected a JSON object", "the smallest scene is {}");
    bool wantValue = true;
    while (wantValue || !open_.empty()) {
      skipSpace();
      if (!(wantValue ? readValue(wantValue) : readNext(wantValue))) return false;
    }
    skipSpace();
    if (!ended()) return failExpecting("the end of the file after the closing bracket");
    return moveBlock(0, nullptr);
  }

  bool readValue(bool& wantValue) {
    wantValue = false;
    const char c = peek();
    if (c == '{' || c == '[') return openContainer(c == '{', wantValue);
    Value value = startValue();
    if (c == '"') {
      value.kind_ = Kind::string;
      if (!readString(value.text_)) return false;
    } else if (c == '-' || (c >= '0' && c <= '9')) {
      if (!readNumber(value)) return false;
    } else if (!readWord(value)) {
      return false;
    }
    return push(value);
  }

  Value startValue() {
    Value value;
    value.place_ = placeOf(at_);
    return value;
  }

  bool push(Value value) {
    if (++count_ > limits_.values)
      return fail(at_, "the file has more than " + std::to_string(limits_.values) + " values", "split the scene");
    if (!open_.empty() && open_.back().object) {
      value.key_ = open_.back().key.key_;
      value.keyPlace_ = open_.back().key.keyPlace_;
    }
    pending_.push_back(value);
    return true;
  }

  bool openContainer(bool object, bool& wantValue) {
    if (static_cast<int>(open_.size()) >= limits_.depth)
      return fail(at_, "brackets are nested more than " + std::to_string(limits_.depth) + " deep",
                  "no scene needs more than about ten levels");
    open_.push_back({object, pending_.size(), placeOf(at_), {}});
    ++at_;
    skipSpace();
    if (peek() == (object ? '}' : ']')) return closeContainer();
    wantValue = true;
    return object ? readKey() : true;
  }

  bool readNext(bool& wantValue) {
    const Frame& frame = open_.back();
    const char closing = frame.object ? '}' : ']';
    if (peek() == closing) return closeContainer();
    if (peek() != ',') return failExpecting(std::string("',' or '") + closing + "'");
    const std::size_t comma = at_++;
    skipSpace();
    if (peek() == closing)
      return fail(comma, std::string("found a comma before '") + closing + "', expected another element",
                  "remove the trailing comma");
    wantValue = true;
    return frame.object ? readKey() : true;
  }

  bool readKey() {
    if (peek() != '"') return failExpecting("a name in double quotes");
    Value& key = open_.back().key;
    key.key_ = {};
    key.keyPlace_ = placeOf(at_);
    std::string_view name;
    if (!readString(name)) return false;
    key.key_ = name;
    skipSpace();
    if (peek() != ':') return failExpecting("':' after the name " + quote(name));
    ++at_;
    return true;
  }

  bool closeContainer() {
    const Frame frame = open_.back();
    ++at_;
    Value value;
    value.kind_ = frame.object ? Kind::object : Kind::array;
    value.place_ = frame.opened;
    if (frame.object && !checkUnique(std::span(pending_).subspan(frame.first))) return false;
    if (!moveBlock(frame.first, &value)) return false;
    open_.pop_back();
    return push(value);
  }

  bool checkUnique(std::span<const Value> members) {
    std::vector<const Value*> sorted;
    sorted.reserve(members.size());
    for (const Value& member : members) sorted.push_back(&member);
    std::sort(sorted.begin(), sorted.end(),
              [](const Value* a, const Value* b) { return a->key_ != b->key_ ? a->key_ < b->key_ : a < b; });
    for (std::size_t i = 1; i < sorted.size(); ++i) {
      const Value &first = *sorted[i - 1], &second = *sorted[i];
      if (first.key_ != second.key_) continue;
      open_.back().key.key_ = second.key_;
      fail(at_,
           "the name " + quote(second.key_) + " appears twice, first in line " + std::to_string(first.keyPlace_.line),
           "rename or remove one");
      problem_.line = second.keyPlace_.line;
      problem_.column = second.keyPlace_.column;
      return false;
    }
    return true;
  }

  // The finished elements leave the stack for a block that never moves again.
  bool moveBlock(std::size_t first, Value* container) {
    const std::size_t count = pending_.size() - first;
    auto block = std::make_unique<Value[]>(std::max<std::size_t>(count, 1));
    std::copy(pending_.begin() + static_cast<std::ptrdiff_t>(first), pending_.end(), block.get());
    pending_.resize(first);
    if (container) container->items_ = std::span<const Value>(block.get(), count);
    document_.blocks_.push_back(std::move(block));
    return true;
  }

  bool readNumber(Value& value) {
    const std::string_view rest = text_.substr(at_);
    const std::size_t length = numberLength(rest);
    if (length == 0 || (length < rest.size() && wordCharacter(rest[length]))) {
      const std::string what = found();
      if (what == "\"-Infinity\"" || what == "\"-inf\"") return failWord(what);
      return fail(at_, "found " + what + ", which is not a JSON number",
                  "write numbers like 5, -0.5 or 1e-3; a unit needs quotes: \"5 cm\"");
    }
    value.kind_ = Kind::number;
    value.number_ = numberValue(rest.substr(0, length));
    if (!std::isfinite(value.number_))
      return fail(at_, "found " + quote(rest.substr(0, length)) + ", which is too large for a double",
                  "numbers go up to 1.8e308; write \"inf\" in quotes where unbounded is allowed");
    at_ += length;
    return true;
  }

  bool readWord(Value& value) {
    for (const auto& [word, kind, truth] :
         {std::tuple{"true", Kind::boolean, 1.0}, std::tuple{"false", Kind::boolean, 0.0},
          std::tuple{"null", Kind::null, 0.0}}) {
      const std::size_t length = std::strlen(word);
      const std::string_view rest = text_.substr(at_);
      if (!rest.starts_with(word) || (rest.size() > length && wordCharacter(rest[length]))) continue;
      value.kind_ = kind;
      value.number_ = truth;
      at_ += length;
      return true;
    }
    const std::string what = found();
    for (const char* word : {"\"NaN\"", "\"nan\"", "\"Infinity\"", "\"inf\"", "\"Inf\""})
      if (what == word) return failWord(what);
    if (what == "\"True\"" || what == "\"False\"" || what == "\"None\"")
      return fail(at_, "found " + what + ", expected a value", "JSON writes true, false and null");
    if (peek() == '+' || peek() == '.')
      return fail(at_, "found " + what + ", which is not a JSON number", "write 0.5 rather than .5 or +0.5");
    if (!ended() && wordCharacter(peek()))
      return fail(at_, "found the word " + what + " without quotes, expected a value", "put text in double quotes");
    return failExpecting("a value");
  }

  bool failWord(const std::string& what) {
    return fail(at_, "found " + what + ", numbers must be finite",
                "write \"inf\" in quotes where unbounded is allowed");
  }

  bool readString(std::string_view& out) {
    const std::size_t start = at_++;
    char* const begin = store_;
    while (true) {
      if (ended()) return fail(start, "this text has no closing quote", "the file may be cut off");
      const char c = text_[at_];
      if (c == '"') break;
      if (static_cast<unsigned char>(c) < 0x20) {
        return c == '\n' ? fail(start, "this text has no closing quote on its line",
                                "close it with \" or write \\n for a new line")
                         : fail(at_, "found a control character in a text", "write it as an escape, for example \\t");
      }
      if (c == '\\') {
        if (!readEscape()) return false;
      } else {
        *store_++ = c;
        ++at_;
      }
    }
    ++at_;
    out = std::string_view(begin, static_cast<std::size_t>(store_ - begin));
    return true;
  }

  bool readEscape() {
    const char c = at_ + 1 < text_.size() ? text_[at_ + 1] : '\0';
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (const auto which = letters.find(c); c != '\0' && which != std::string_view::npos) {
      *store_++ = meanings[which];
      at_ += 2;
      return true;
    }
    const std::optional<unsigned> unit = c == 'u' ? hexAt(at_ + 2) : std::nullopt;
    if (!unit)
      return fail(at_, "found an escape JSON does not have", "known: \\\" \\\\ \\/ \\b \\f \\n \\r \\t \\u0000");
    unsigned code = *unit;
    std::size_t length = 6;
    if (code >= 0xD800 && code < 0xDC00 && text_.substr(at_ + 6).starts_with("\\u")) {
      const unsigned low = hexAt(at_ + 8).value_or(0);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        length = 12;
      }
    }
    if (code >= 0xD800 && code < 0xE000)
      return fail(at_, "found half of a surrogate pair", "write the character itself, or both halves");
    at_ += length;
    append(code);
    return true;
  }

  std::optional<unsigned> hexAt(std::size_t at) const {
    if (at + 4 > text_.size()) return std::nullopt;
    unsigned code = 0;
    for (const char c : text_.substr(at, 4)) {
      const auto value =
          std::string_view("0123456789abcdef").find(c >= 'A' && c <= 'F' ? static_cast<char>(c + 32) : c);
      if (value == std::string_view::npos) return std::nullopt;
      code = code * 16 + static_cast<unsigned>(value);
    }
    return code;
  }

  void append(unsigned code) {
    const auto byte = [&](unsigned b) { *store_++ = static_cast<char>(b); };
    if (code < 0x80) return byte(code);
    if (code < 0x800) {
      byte(0xC0 | (code >> 6));
    } else {
      if (code < 0x10000) {
        byte(0xE0 | (code >> 12));
      } else {
        byte(0xF0 | (code >> 18));
        byte(0x80 | ((code >> 12) & 0x3F));
      }
      byte(0x80 | ((code >> 6) & 0x3F));
    }
    byte(0x80 | (code & 0x3F));
  }

  std::string_view text_;
  Limits limits_;
  std::size_t at_ = 0;
  std::size_t mark_ = 0;  ///< place_ is that of this byte
  Place place_{1, 1};
  std::size_t count_ = 0;
  char* store_ = nullptr;
  std::vector<Frame> open_;
  std::vector<Value> pending_;
  Document document_;
  Problem problem_;
};

std::expected<Document, Problem> parse(std::string_view text, const Limits& limits) {
  return Parser(text, limits).run();
}

}  // namespace reeve::json
