#pragma once
// A strict JSON reader that remembers where every value stood in the text.
//
// Strict: RFC 8259, valid UTF-8, no duplicate keys, finite numbers only. Bounded: size, depth and count are limited,
// and nothing recurses, so a hostile file costs an error and nothing else. A byte order mark is skipped.
#include <cstddef>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reeve/model/problem.h"

namespace reeve::json {

enum class Kind : unsigned char { null, boolean, number, string, array, object };

/// A place in the text, both 1-based; columns count characters, not bytes.
struct Place {
  int line = 0;
  int column = 0;
};

/// A variable of a `repeat` around a value: its name, and what it is in this copy.
struct Scope {
  std::string name;
  double value = 0.0;
  const Scope* outer = nullptr;
};

/// One value. Points into its Document, which must outlive it. An accessor of another kind gives an empty value.
class Value {
 public:
  Kind kind() const { return kind_; }
  Place place() const { return place_; }
  bool boolean() const { return kind_ == Kind::boolean && number_ != 0.0; }
  double number() const { return kind_ == Kind::number ? number_ : 0.0; }
  std::string_view text() const { return text_; }
  /// Elements of an array, or members of an object in file order.
  std::span<const Value> items() const { return items_; }
  /// The member of this name, or null.
  const Value* find(std::string_view key) const;
  /// For a member of an object: its name, and where that stood.
  std::string_view key() const { return key_; }
  Place keyPlace() const { return keyPlace_; }
  /// The innermost variable that texts of this value may use; null outside of every `repeat`.
  const Scope* scope() const { return scope_; }

 private:
  friend class Parser;
  friend class Expander;
  Kind kind_ = Kind::null;
  Place place_, keyPlace_;
  std::string_view key_;
  double number_ = 0.0;
  std::string_view text_;
  std::span<const Value> items_;
  const Scope* scope_ = nullptr;
};

/// What was read. Values stay where they are when a document is moved.
class Document {
 public:
  const Value& root() const { return blocks_.back()[0]; }

 private:
  friend class Parser;
  friend class Expander;
  std::unique_ptr<char[]> strings_;
  std::vector<std::unique_ptr<Value[]>> blocks_;
  std::vector<std::unique_ptr<std::string>> made_;  ///< texts and scopes of copies that a `repeat` made
  std::vector<std::unique_ptr<Scope>> scopes_;
};

struct Limits {
  std::size_t bytes = std::size_t{64} << 20;
  int depth = 64;
  std::size_t values = std::size_t{1} << 21;
};

std::expected<Document, Problem> parse(std::string_view text, const Limits& limits = {});

/// What a value is, for messages: `the number 5`, `the text "abc"`, `a list of 3`.
std::string describe(const Value& value);

/// Text shortened to what fits into a message, in double quotes.
std::string quote(std::string_view text);

/// Bytes at the start of `text` that form one valid UTF-8 character; 0 if they do not.
std::size_t utf8Length(std::string_view text);

}  // namespace reeve::json
