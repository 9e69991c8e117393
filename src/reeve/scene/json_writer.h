#pragma once
// Writes JSON to a string as it goes: the caller opens, fills and closes; commas and indents come by themselves.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace reeve {

class JsonWriter {
 public:
  /// `lines` puts every element on its own line; `line` keeps the container on one. What is inside a `line` container
  /// is on that line too.
  enum class Layout { lines, line };

  /// Appends to `out`. An indent of 0 puts everything on one line without spaces.
  explicit JsonWriter(std::string& out, int indent = 2) : out_(out), indent_(indent) {}

  JsonWriter& beginObject(Layout layout = Layout::lines) { return open('{', layout); }
  JsonWriter& endObject() { return close('}'); }
  JsonWriter& beginArray(Layout layout = Layout::lines) { return open('[', layout); }
  JsonWriter& endArray() { return close(']'); }

  /// Names the next value: writer.key("mass").number(2).
  JsonWriter& key(std::string_view name);

  /// The shortest text that reads back to the same double; null if it is not finite.
  JsonWriter& number(double value);
  JsonWriter& integer(std::int64_t value);
  JsonWriter& boolean(bool value);
  /// Escaped; bytes that are not valid UTF-8 become U+FFFD.
  JsonWriter& text(std::string_view value);
  JsonWriter& null();

 private:
  struct Frame {
    Layout layout;
    bool empty = true;
  };
  JsonWriter& open(char bracket, Layout layout);
  JsonWriter& close(char bracket);
  void separate();
  void newLine();
  void appendEscaped(std::string_view value);

  std::string& out_;
  int indent_;
  bool keyed_ = false;  ///< a key is waiting for its value
  std::vector<Frame> open_;
};

}  // namespace reeve
