#pragma once
// The Form of every C++ type in description.h: FormOf<T>. Optional, list, by-name, word and struct forms compose.
#include <type_traits>

#include "reeve/scene/nearest.h"
#include "reeve/scene/value_forms.h"

namespace reeve::scene {

/// A struct with a Record.
template <class T>
class RecordForm : public TypedForm<T> {
 public:
  void schema(JsonWriter& writer, const Spec&) const override {
    writer.key("allOf").beginArray(JsonWriter::Layout::line).beginObject();
    writer.key("$ref").text("#/definitions/" + std::string(recordOf<T>().name));
    writer.endObject().endArray();
  }
  std::string words(const Spec&) const override {
    const std::string name(recordOf<T>().name);
    return "[" + name + "](#" + name + ")";
  }
  bool brief() const override { return false; }

 protected:
  bool readTo(Reader& reader, const json::Value& value, const Spec&, T& out) const override {
    return readRecord(reader, recordOf<T>(), value, &out);
  }
  void writeOf(JsonWriter& writer, const T& value) const override {
    T standard{};
    writeRecord(writer, recordOf<T>(), &value, &standard);
  }
  bool same(const T& a, const T& b) const override { return equalRecords(recordOf<T>(), &a, &b); }
  bool good(Trail& trail, const Spec&, const T& value) const override {
    return checkRecord(trail, recordOf<T>(), &value);
  }
};

/// One of some words.
template <class E>
class WordForm : public TypedForm<E> {
 public:
  void schema(JsonWriter& writer, const Spec&) const override {
    writer.key("enum").beginArray(JsonWriter::Layout::line);
    for (const auto word : wordsOf<E>()) writer.text(word);
    writer.endArray();
  }
  std::string words(const Spec&) const override {
    std::string text;
    for (const auto word : wordsOf<E>()) (((text += text.empty() ? "" : ", ") += '"') += word) += '"';
    return text;
  }

 protected:
  bool readTo(Reader& reader, const json::Value& value, const Spec&, E& out) const override {
    const auto valid = wordsOf<E>();
    for (std::size_t i = 0; i < valid.size(); ++i) {
      if (value.kind() != json::Kind::string || value.text() != valid[i]) continue;
      out = static_cast<E>(i);
      return true;
    }
    return reader.fail(value, "found " + json::describe(value) + ", expected one of the words " + words({}),
                       suggestion(value.text(), valid));
  }
  void writeOf(JsonWriter& writer, const E& value) const override {
    const auto i = static_cast<std::size_t>(value);
    writer.text(i < wordsOf<E>().size() ? wordsOf<E>()[i] : "");
  }
  bool same(const E& a, const E& b) const override { return a == b; }
  bool good(Trail& trail, const Spec&, const E& value) const override {
    return static_cast<std::size_t>(value) < wordsOf<E>().size() || trail.fail("the value is outside its enumeration");
  }
};

template <class T>
struct FormFor {
  using type = std::conditional_t<std::is_enum_v<T>, WordForm<T>, RecordForm<T>>;
};
template <class T>
using FormOf = typename FormFor<T>::type;

// clang-format off
template <> struct FormFor<double> { using type = NumberForm; };
template <> struct FormFor<int> { using type = IntegerForm; };
template <> struct FormFor<bool> { using type = BooleanForm; };
template <> struct FormFor<std::string> { using type = TextForm; };
template <> struct FormFor<Vec2> { using type = Vec2Form; };
template <> struct FormFor<Vec3> { using type = Vec3Form; };
template <> struct FormFor<Quat> { using type = OrientationForm; };
template <> struct FormFor<Profile> { using type = ProfileForm; };
// clang-format on

/// Left out, or a T.
template <class T>
class OptionalForm : public TypedForm<std::optional<T>> {
 public:
  void schema(JsonWriter& writer, const Spec& spec) const override { inner().schema(writer, spec); }
  std::string words(const Spec& spec) const override { return inner().words(spec); }
  bool brief() const override { return inner().brief(); }

 protected:
  static const FormOf<T>& inner() { return theForm<FormOf<T>>(); }
  bool readTo(Reader& reader, const json::Value& value, const Spec& spec, std::optional<T>& out) const override {
    out.emplace();
    return inner().read(reader, value, spec, &*out);
  }
  void writeOf(JsonWriter& writer, const std::optional<T>& value) const override {
    if (value) {
      inner().write(writer, &*value);
    } else {
      writer.null();
    }
  }
  bool same(const std::optional<T>& a, const std::optional<T>& b) const override {
    return a.has_value() == b.has_value() && (!a || inner().equal(&*a, &*b));
  }
  bool good(Trail& trail, const Spec& spec, const std::optional<T>& value) const override {
    return !value || inner().check(trail, spec, &*value);
  }
};

/// A list in [ ].
template <class T>
class ListForm : public TypedForm<std::vector<T>> {
 public:
  void schema(JsonWriter& writer, const Spec& spec) const override {
    // An entry may stand for several.
    writer.key("type").text("array");
    if (spec.atLeast > 0) {
      writer.key("anyOf").beginArray(JsonWriter::Layout::line).beginObject();
      writer.key("minItems").integer(static_cast<std::int64_t>(spec.atLeast)).endObject();
      writer.beginObject().key("contains").beginObject().key("type").text("object");
      writer.key("required").beginArray().text("repeat").endArray().endObject().endObject().endArray();
    }
    writer.key("items").beginObject().key("anyOf").beginArray().beginObject();
    inner().schema(writer, spec);
    writer.endObject().beginObject(JsonWriter::Layout::line).key("$ref").text("#/definitions/repeated").endObject();
    writer.endArray().endObject();
  }
  std::string words(const Spec& spec) const override { return "list of " + inner().words(spec); }
  bool brief() const override { return inner().brief(); }

 protected:
  static const FormOf<T>& inner() { return theForm<FormOf<T>>(); }
  bool readTo(Reader& reader, const json::Value& value, const Spec& spec, std::vector<T>& out) const override {
    if (value.kind() != json::Kind::array)
      return reader.fail(value, "found " + json::describe(value) + ", expected a list in [ ]");
    out.clear();
    out.reserve(value.items().size());
    bool good = true;
    for (const json::Value& item : value.items()) {
      const Step step(reader, out.size());
      good = inner().read(reader, item, spec, &out.emplace_back()) && good;
      if (!good && reader.full()) break;
    }
    return good;
  }
  void writeOf(JsonWriter& writer, const std::vector<T>& value) const override {
    writer.beginArray(brief() ? JsonWriter::Layout::line : JsonWriter::Layout::lines);
    for (const T& item : value) inner().write(writer, &item);
    writer.endArray();
  }
  bool same(const std::vector<T>& a, const std::vector<T>& b) const override {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!inner().equal(&a[i], &b[i])) return false;
    return true;
  }
  bool good(Trail& trail, const Spec& spec, const std::vector<T>& value) const override {
    if (value.size() < spec.atLeast)
      return trail.fail(
          "found a list of " + std::to_string(value.size()) + ", expected at least " + std::to_string(spec.atLeast),
          "add what is missing to the list");
    bool good = true;
    for (std::size_t i = 0; i < value.size(); ++i) {
      const Step step(trail, i);
      good = inner().check(trail, spec, &value[i]) && good;
      if (!good && trail.full()) break;
    }
    return good;
  }
};

/// An object whose keys are names of the user's choice.
template <class T>
class NamedForm : public TypedForm<Named<T>> {
 public:
  void schema(JsonWriter& writer, const Spec& spec) const override {
    writer.key("type").text("object");
    writer.key("propertyNames").beginObject(JsonWriter::Layout::line).key("pattern").text("^[^./]+$").endObject();
    writer.key("additionalProperties").beginObject();
    inner().schema(writer, spec);
    writer.endObject();
  }
  std::string words(const Spec& spec) const override { return inner().words(spec) + " by name"; }
  bool brief() const override { return false; }

 protected:
  static const FormOf<T>& inner() { return theForm<FormOf<T>>(); }
  bool readTo(Reader& reader, const json::Value& value, const Spec& spec, Named<T>& out) const override {
    if (value.kind() != json::Kind::object)
      return reader.fail(value, "found " + json::describe(value) + ", expected names with a " +
                                    std::string(recordOf<T>().name) + " each, in { }");
    out.clear();
    out.reserve(value.items().size());
    bool good = true;
    for (const json::Value& item : value.items()) {
      if (const std::string trouble = nameTrouble(item.key()); !trouble.empty())
        return reader.fail(item, trouble, "choose a name without '.' and '/'");
      const Step step(reader, item.key());
      out.emplace_back(std::string(item.key()), T{});
      good = inner().read(reader, item, spec, &out.back().second) && good;
      if (!good && reader.full()) break;
    }
    return good;
  }
  void writeOf(JsonWriter& writer, const Named<T>& value) const override {
    writer.beginObject();
    for (const auto& [name, item] : value) {
      writer.key(name);
      inner().write(writer, &item);
    }
    writer.endObject();
  }
  bool same(const Named<T>& a, const Named<T>& b) const override {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (a[i].first != b[i].first || !inner().equal(&a[i].second, &b[i].second)) return false;
    return true;
  }
  bool good(Trail& trail, const Spec& spec, const Named<T>& value) const override {
    bool good = true;
    for (const auto& [name, item] : value) {
      if (const std::string trouble = nameTrouble(name); !trouble.empty())
        return trail.fail(trouble, "choose a name without '.' and '/'");
      const Step step(trail, name);
      good = inner().check(trail, spec, &item) && good;
      if (!good && trail.full()) break;
    }
    return good;
  }
};

// clang-format off
template <class T> struct FormFor<std::optional<T>> { using type = OptionalForm<T>; };
template <class T> struct FormFor<std::vector<T>> { using type = ListForm<T>; };
template <class T> struct FormFor<std::vector<std::pair<std::string, T>>> { using type = NamedForm<T>; };
// clang-format on

}  // namespace reeve::scene
