#include "reeve/scene/json_writer.h"

#include <cmath>
#include <cstdio>

#include "reeve/scene/json.h"
#include "reeve/scene/number.h"

namespace reeve {

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  appendEscaped(name);
  out_ += indent_ > 0 ? ": " : ":";
  keyed_ = true;
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  separate();
  out_ += numberText(value);
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  separate();
  out_ += std::to_string(value);
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::text(std::string_view value) {
  separate();
  appendEscaped(value);
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::open(char bracket, Layout layout) {
  separate();
  if (indent_ <= 0 || (!open_.empty() && open_.back().layout == Layout::line)) layout = Layout::line;
  open_.push_back({layout});
  out_ += bracket;
  return *this;
}

JsonWriter& JsonWriter::close(char bracket) {
  const Frame frame = open_.back();
  open_.pop_back();
  if (!frame.empty && frame.layout == Layout::lines) newLine();
  out_ += bracket;
  return *this;
}

void JsonWriter::separate() {
  if (keyed_) {
    keyed_ = false;
    return;
  }
  if (open_.empty()) return;
  Frame& frame = open_.back();
  if (!frame.empty) out_ += frame.layout == Layout::line && indent_ > 0 ? ", " : ",";
  frame.empty = false;
  if (frame.layout == Layout::lines) newLine();
}

void JsonWriter::newLine() {
  out_ += '\n';
  out_.append(open_.size() * static_cast<std::size_t>(indent_), ' ');
}

void JsonWriter::appendEscaped(std::string_view value) {
  out_ += '"';
  for (std::size_t at = 0; at < value.size();) {
    const char c = value[at];
    const std::size_t length = json::utf8Length(value.substr(at));
    if (length == 0) {
      out_ += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      (out_ += '\\') += c;
    } else if (c == '\n') {
      out_ += "\\n";
    } else if (c == '\t') {
      out_ += "\\t";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
      out_ += code;
    } else {
      out_ += value.substr(at, length);
    }
    at += length == 0 ? 1 : length;
  }
  out_ += '"';
}

}  // namespace reeve
