#include "reeve/scene/expand.h"

#include <algorithm>
#include <cmath>

#include "reeve/scene/number.h"

namespace reeve::json {
namespace {

struct Loop {
  std::string name;
  long first = 0, last = -1;
};

}  // namespace

class Expander {
 public:
  Expander(Document document, const scene::Parameters& parameters)
      : document_(std::move(document)), parameters_(parameters) {}

  std::expected<Document, Problem> run() {
    Value root = document_.root();
    if (!anyRepeat(root, 0, false)) return std::move(document_);
    if (!copy(root, nullptr, 0)) return std::unexpected(std::move(problem_));
    auto block = std::make_unique<Value[]>(1);
    block[0] = root;
    document_.blocks_.push_back(std::move(block));
    return std::move(document_);
  }

 private:
  /// A part of the scene may repeat: an entry of a list, or a named one of a section of the scene.
  static bool mayRepeat(const Value& value, int depth, bool listed) {
    return value.kind() == Kind::object && (listed || depth == 2) && value.find("repeat");
  }
  static bool anyRepeat(const Value& value, int depth, bool listed) {
    if (mayRepeat(value, depth, listed)) return true;
    for (const Value& item : value.items())
      if (!(depth == 0 && item.key() == "parameters") && anyRepeat(item, depth + 1, value.kind() == Kind::array))
        return true;
    return false;
  }

  bool fail(const Value& at, std::string reason, std::string remedy) {
    problem_ = {path_, std::move(reason), std::move(remedy), at.place().line, at.place().column};
    return false;
  }
  scene::Names names(const Scope* scope) const { return {scope, parameters_, nullptr}; }

  /// {i+1} in a text of a part that repeats.
  bool fill(const Value& at, std::string_view& text, const Scope* scope) {
    if (!scope || text.find('{') == std::string_view::npos) return true;
    auto out = std::make_unique<std::string>();
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t end = text[i] == '{' ? text.find('}', i) : std::string_view::npos;
      if (end == std::string_view::npos) {
        *out += text[i++];
        continue;
      }
      const auto value = scene::evaluate(text.substr(i + 1, end - i - 1), names(scope));
      if (!value) return fail(at, value.error().reason, value.error().remedy);
      *out += numberText(value->value);
      i = end + 1;
    }
    text = *out;
    document_.made_.push_back(std::move(out));
    return true;
  }

  bool whole(const Value& value, const Scope* scope, long& out) {
    double number = value.number();
    if (value.kind() == Kind::string) {
      const auto read = scene::readValue(value.text(), names(scope));
      if (!read) return fail(value, read.error().reason, read.error().remedy);
      number = read->value;
    } else if (value.kind() != Kind::number) {
      return fail(value, "found " + describe(value) + ", expected a whole number", "write 4, or {\"i\": [1, 4]}");
    }
    if (number != std::floor(number) || std::abs(number) > most)
      return fail(value, "found " + numberText(number) + ", expected a whole number up to " + std::to_string(most),
                  "write 4, or {\"i\": [1, 4]}");
    out = static_cast<long>(number);
    return true;
  }

  bool readLoops(const Value& repeat, const Scope* scope, std::vector<Loop>& loops) {
    const std::size_t size = path_.size();
    path_ += "/repeat";
    bool good = true;
    const auto counted = [&](const Value& value, std::string name) {
      Loop loop{std::move(name), 0, -1};
      if (value.kind() == Kind::array && value.items().size() == 2) {
        good = whole(value.items()[0], scope, loop.first) && whole(value.items()[1], scope, loop.last);
      } else {
        good = whole(value, scope, loop.last);
        if (good && loop.last < 0) good = fail(value, "found a negative count", "0 leaves the part out");
        --loop.last;
      }
      if (good && (loop.name.empty() || scene::unitNamed(loop.name)))
        good = fail(value, quote(loop.name) + " is a unit or empty, and cannot count", "take i, j or k");
      loops.push_back(std::move(loop));
      return good;
    };
    if (repeat.kind() != Kind::object) {
      counted(repeat, "i");
    } else {
      for (const Value& item : repeat.items())
        if (!counted(item, std::string(item.key()))) break;
      if (good && repeat.items().empty()) good = fail(repeat, "it counts nothing", "write 4, or {\"i\": [1, 4]}");
    }
    if (good) path_.resize(size);
    return good;
  }

  /// Copies of one part, for every number of its loops.
  bool repeated(const Value& part, const std::vector<Loop>& loops, std::size_t which, const Scope* scope, int depth,
                bool listed, std::vector<Value>& out) {
    if (which < loops.size()) {
      for (long i = loops[which].first; i <= loops[which].last; ++i) {
        if (++count_ > static_cast<std::size_t>(most) * 20)
          return fail(part, "it repeats more than " + std::to_string(most * 20) + " times", "repeat less often");
        document_.scopes_.push_back(std::make_unique<Scope>(Scope{loops[which].name, static_cast<double>(i), scope}));
        if (!repeated(part, loops, which + 1, document_.scopes_.back().get(), depth, listed, out)) return false;
      }
      return true;
    }
    if (const Value* each = listed ? part.find("each") : nullptr) {
      if (each->kind() != Kind::array || part.items().size() != 2)
        return fail(part,
                    "found " + describe(*each) + " and " + std::to_string(part.items().size() - 2) + " other fields",
                    "a part with each has a repeat and a list in each, and nothing else");
      for (const Value& item : each->items())
        if (!append(item, scope, depth, true, out)) return false;
      return true;
    }
    Value made = part;
    if (!listed) {
      if (made.key_.find('{') == std::string_view::npos)
        return fail(part, "all copies would have the name " + quote(made.key_),
                    "count in the name: \"" + std::string(made.key_) + "{" + loops.front().name + "}\"");
      if (!fill(part, made.key_, scope)) return false;
    }
    if (!copy(made, scope, depth, true)) return false;
    out.push_back(made);
    return true;
  }

  bool append(const Value& item, const Scope* scope, int depth, bool listed, std::vector<Value>& out) {
    const std::size_t size = path_.size();
    path_ += '/';
    path_ += listed ? std::to_string(out.size()) : std::string(item.key());
    bool good = true;
    if (mayRepeat(item, depth, listed)) {
      std::vector<Loop> loops;
      good = readLoops(*item.find("repeat"), scope, loops) && repeated(item, loops, 0, scope, depth, listed, out);
    } else {
      Value made = item;
      good = fill(item, made.key_, scope) && copy(made, scope, depth);
      if (good) out.push_back(made);
    }
    if (good) path_.resize(size);
    return good;
  }

  /// Gives a value copies of its own texts and items.
  bool copy(Value& value, const Scope* scope, int depth, bool dropRepeat = false) {
    if (++count_ > static_cast<std::size_t>(most) * 20)
      return fail(value, "repeats make more than " + std::to_string(most * 20) + " values", "repeat less often");
    value.scope_ = scope;
    if (value.kind_ == Kind::string) return fill(value, value.text_, scope);
    if (value.kind_ != Kind::array && value.kind_ != Kind::object) return true;
    const bool listed = value.kind_ == Kind::array;
    std::vector<Value> items;
    for (const Value& item : value.items_) {
      if (dropRepeat && item.key() == "repeat") continue;
      if (depth == 0 && item.key() == "parameters")
        items.push_back(item);
      else if (!append(item, scope, depth + 1, listed, items))
        return false;
    }
    if (!listed && !unique(value, items)) return false;
    auto block = std::make_unique<Value[]>(std::max<std::size_t>(items.size(), 1));
    std::copy(items.begin(), items.end(), block.get());
    value.items_ = std::span<const Value>(block.get(), items.size());
    document_.blocks_.push_back(std::move(block));
    return true;
  }
  bool unique(const Value& in, const std::vector<Value>& items) {
    std::vector<std::string_view> keys;
    for (const Value& item : items) keys.push_back(item.key());
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    return twice == keys.end() || fail(in, "the name " + quote(*twice) + " appears twice once repeats are written out",
                                       "count differently, or rename one");
  }

  static constexpr long most = 100000;
  Document document_;
  const scene::Parameters& parameters_;
  std::string path_;
  std::size_t count_ = 0;
  Problem problem_;
};

std::expected<Document, Problem> expand(Document document, const scene::Parameters& parameters) {
  return Expander(std::move(document), parameters).run();
}

}  // namespace reeve::json
