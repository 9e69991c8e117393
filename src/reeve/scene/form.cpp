#include "reeve/scene/form.h"

#include <algorithm>
#include <cmath>

#include "reeve/scene/nearest.h"
#include "reeve/scene/number.h"

namespace reeve::scene {

namespace {

/// Without the links of the documentation: "[link](#link)" becomes "link".
std::string unlinked(std::string text) {
  for (auto at = text.find("]("); at != std::string::npos; at = text.find("](")) {
    text.erase(at, text.find(')', at) + 1 - at);
    text.erase(text.rfind('[', at), 1);
  }
  return text;
}

/// "a sphere", "an angle".
std::string oneOf(std::string_view noun) {
  if (noun == "settings") return "settings";
  const bool vowel = !noun.empty() && std::string_view("aeio").find(noun[0]) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

}  // namespace

std::string nameTrouble(std::string_view name) {
  if (name.empty()) return "a name is empty";
  for (const char c : name)
    if (c == '.' || c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
      return "the name " + json::quote(name) + " has a '.', a '/' or a control character in it";
  return "";
}

// ---- records

std::string Record::kindName(const void* object) const {
  if (!kind.get) return std::string(name);
  return std::string(kind.words[kind.get(object)]) + " " + std::string(name);
}

std::vector<std::string_view> Record::keys() const {
  std::vector<std::string_view> result;
  result.reserve(fields.size());
  for (const Field& field : fields) result.push_back(field.key);
  return result;
}

std::string Record::kindNames(unsigned bits) const {
  std::string text;
  for (std::size_t k = 0; k < kind.words.size(); ++k)
    if (bits >> k & 1u) (text += text.empty() ? "" : ", ") += kind.words[k];
  return text;
}

namespace {

std::string fieldsThatTake(const Reader& reader, const Record& record, const Field& own, const void* object,
                           const json::Value& value);

/// `misspelt`: a key of the record is unknown, and may be the one that seems to be missing.
bool readField(Reader& reader, const Record& record, const Field& field, const json::Value& value, void* object,
               bool misspelt) {
  const json::Value* member = value.find(field.key);
  const unsigned bit = record.kindBit(object);
  if (!member) {
    if (!(field.needed & bit)) return true;
    if (misspelt) return false;
    // A missing discriminator has no kind to name yet.
    const std::string what = field.key == record.kind.key ? std::string(record.name) : record.kindName(object);
    return reader.fail(value, "this " + what + " has no field " + json::quote(field.key),
                       "add \"" + std::string(field.key) + "\": " + unlinked(field.form->words(field.spec)) + ", " +
                           std::string(field.about));
  }
  const Step step(reader, field.key);
  if (!(field.kinds & bit))
    return reader.fail(*member, json::quote(field.key) + " has no effect on " + oneOf(record.kindName(object)),
                       "remove it; it belongs to: " + record.kindNames(field.kinds));
  const std::size_t before = reader.problems();
  if (field.form->read(reader, *member, field.spec, field.of(object))) return true;
  if (reader.problems() == before + 1) reader.advise(fieldsThatTake(reader, record, field, object, *member));
  return false;
}

}  // namespace

bool readRecord(Reader& reader, const Record& record, const json::Value& value, void* object) {
  if (value.kind() != json::Kind::object)
    return reader.fail(value, "found " + json::describe(value) + ", expected " + oneOf(record.name) + " in { }");
  bool misspelt = false;
  for (const json::Value& member : value.items()) {
    if (std::ranges::any_of(record.fields, [&](const Field& field) { return field.key == member.key(); })) continue;
    const Step step(reader, member.key());
    misspelt = true;
    reader.fail(member.keyPlace(), oneOf(record.name) + " has no field " + json::quote(member.key()),
                suggestion(member.key(), record.keys()));
    if (reader.full()) return false;
  }
  const Surroundings outside = reader.around;
  bool good = !misspelt;
  for (std::size_t i = 0; i < record.fields.size(); ++i) {
    if (i == record.leading) {
      if (record.prepare) record.prepare(object);
      if (record.enter) record.enter(reader, object);
    }
    good = readField(reader, record, record.fields[i], value, object, misspelt) && good;
    // What kind it is decides what the rest means.
    if (!good && (i < record.leading || reader.full())) break;
  }
  reader.around = outside;
  return good;
}

void writeRecord(JsonWriter& writer, const Record& record, const void* object, void* standard) {
  const bool usualKind = record.kindBit(object) == record.kindBit(standard);
  if (record.kind.copy) record.kind.copy(object, standard);
  if (record.prepare) record.prepare(standard);
  const unsigned bit = record.kindBit(object);
  writer.beginObject(record.oneLine ? JsonWriter::Layout::line : JsonWriter::Layout::lines);
  for (const Field& field : record.fields) {
    if (!(field.kinds & bit)) continue;
    const bool usual = field.form->equal(field.of(object), field.of(static_cast<const void*>(standard)));
    const bool say = field.needed & bit || field.implied || (field.key == record.kind.key && !usualKind);
    if (usual && !say) continue;
    writer.key(field.key);
    field.form->write(writer, field.of(object));
  }
  writer.endObject();
}

bool equalRecords(const Record& record, const void* a, const void* b) {
  return std::ranges::all_of(record.fields,
                             [&](const Field& field) { return field.form->equal(field.of(a), field.of(b)); });
}

bool checkRecord(Trail& trail, const Record& record, const void* object) {
  const unsigned bit = record.kindBit(object);
  bool good = true;
  for (const Field& field : record.fields) {
    if (!(field.kinds & bit)) continue;
    const Step step(trail, field.key);
    good = field.form->check(trail, field.spec, field.of(object)) && good;
    if (!good && trail.full()) break;
  }
  return good;
}

namespace {

// "if it is a sphere, then radius must be there and polygon must not".
void kindSchema(JsonWriter& writer, const Record& record, unsigned kind) {
  const unsigned bit = 1u << kind;
  std::vector<std::string_view> needed, barred;
  bool kindNeeded = kind != 0;  // a missing discriminator means the first kind
  for (const Field& field : record.fields) {
    if (field.needed & bit && field.needed != ~0u) needed.push_back(field.key);
    if (!(field.kinds & bit)) barred.push_back(field.key);
    if (field.key == record.kind.key && field.needed) kindNeeded = true;
  }
  if (needed.empty() && barred.empty()) return;
  const auto line = JsonWriter::Layout::line;
  writer.beginObject().key("if").beginObject(line);
  writer.key("properties").beginObject().key(record.kind.key).beginObject().key("const").text(record.kind.words[kind]);
  writer.endObject().endObject();
  if (kindNeeded) writer.key("required").beginArray().text(record.kind.key).endArray();
  writer.endObject().key("then").beginObject(line);
  if (!needed.empty()) {
    writer.key("required").beginArray();
    for (const auto key : needed) writer.text(key);
    writer.endArray();
  }
  if (!barred.empty()) {
    writer.key("not").beginObject().key("anyOf").beginArray();
    for (const auto key : barred) writer.beginObject().key("required").beginArray().text(key).endArray().endObject();
    writer.endArray().endObject();
  }
  writer.endObject().endObject();
}

}  // namespace

void recordSchema(JsonWriter& writer, const Record& record, void* standard) {
  writer.beginObject();
  writer.key("description").text(record.about);
  writer.key("type").text("object");
  writer.key("additionalProperties").boolean(false);
  bool any = false;
  for (const Field& field : record.fields) any |= field.needed == ~0u;
  if (any) {
    writer.key("required").beginArray(JsonWriter::Layout::line);
    for (const Field& field : record.fields)
      if (field.needed == ~0u) writer.text(field.key);
    writer.endArray();
  }
  writer.key("properties").beginObject();
  for (const Field& field : record.fields) {
    writer.key(field.key).beginObject();
    writer.key("description").text(std::string(field.about) + unitWords(*field.spec.dimension));
    field.form->schema(writer, field.spec);
    if (!field.needed && field.form->brief() && !field.implied) {
      // Optional members have no default to show: null stands for "not given".
      std::string text;
      JsonWriter probe(text, 0);
      field.form->write(probe, field.of(static_cast<const void*>(standard)));
      if (text != "null" && text != "\"\"" && text != "[]") {
        writer.key("default");
        field.form->write(writer, field.of(static_cast<const void*>(standard)));
      }
    }
    writer.endObject();
  }
  if (record.repeats) writer.key("repeat").beginObject().key("$ref").text("#/definitions/repeat").endObject();
  writer.endObject();
  if (record.kind.get) {
    writer.key("allOf").beginArray();
    for (unsigned k = 0; k < record.kind.words.size(); ++k) kindSchema(writer, record, k);
    writer.endArray();
  }
  writer.endObject();
}

// ---- numbers

namespace {

/// What a dimension means here: one, either of two, or (empty) anything; and per second of it, if `rate`.
struct Wanted {
  std::vector<const Dimension*> options;
  bool rate = false;

  bool fits(const Powers& unit) const {
    return options.empty() || std::ranges::any_of(options, [&](const Dimension* option) {
             Powers powers = option->powers;
             if (rate) --powers.s;
             return scene::fits(unit, powers);
           });
  }
  std::string name() const {
    std::string text;
    for (const Dimension* option : options) (text += text.empty() ? "" : " or ") += option->name;
    return (rate ? "change per second of " : "") + (text.empty() ? "number" : text);
  }
  std::string units() const {
    std::string text;
    for (const Dimension* option : options) {
      if (option->units.empty()) continue;
      (text += text.empty() ? "units that fit: " : ", ") += option->units;
    }
    if (text.empty()) return options.empty() || rate ? "" : "write it as a plain number";
    return rate ? text + ", each per s" : text;
  }
};

Wanted resolve(const Surroundings& around, const Dimension& dimension) {
  using Of = Dimension::Of;
  const bool rate = dimension.of == Of::profileRate;
  const Dimension& real = rate || dimension.of == Of::profile ? *around.profile : dimension;
  if (real.of != Of::itself) return {};
  if (!real.turning) return {{&real}, rate};
  if (around.coordinate == Surroundings::Coordinate::turning) return {{real.turning}, rate};
  if (around.coordinate == Surroundings::Coordinate::sliding) return {{real.sliding}, rate};
  return {{real.turning, real.sliding}, rate};
}

/// Fields of the record that would take a value with this unit: "damping" of a hinge is its "viscous". Where many
/// would, the unit says nothing.
std::string fieldsThatTake(const Reader& reader, const Record& record, const Field& own, const void* object,
                           const json::Value& value) {
  constexpr int most = 2;
  const unsigned bit = record.kindBit(object);
  if (value.kind() != json::Kind::string) return "";
  const auto quantity = readValue(value.text(), Names{value.scope(), reader.parameters});
  if (!quantity || !quantity->hasUnit || resolve(reader.around, *own.spec.dimension).fits(quantity->powers)) return "";
  std::string text;
  int found = 0;
  for (const Field& field : record.fields) {
    const Wanted wanted = resolve(reader.around, *field.spec.dimension);
    if (!(field.kinds & bit) || wanted.options.empty() || !wanted.fits(quantity->powers)) continue;
    if (++found > most) return "";
    text += (text.empty() ? "" : " or ") + json::quote(field.key);
  }
  return text.empty() ? "" : text + " takes this unit";
}

}  // namespace

bool readNumber(Reader& reader, const json::Value& value, const Spec& spec, const Dimension& dimension, double& out) {
  if (value.kind() == json::Kind::number) {
    out = value.number();
    return true;
  }
  const Wanted wanted = resolve(reader.around, dimension);
  if (value.kind() != json::Kind::string)
    return reader.fail(value, "found " + json::describe(value) + ", expected a number (" + wanted.name() + ")",
                       wanted.units());
  const auto quantity = readValue(value.text(), Names{value.scope(), reader.parameters});
  if (!quantity) return reader.fail(value, quantity.error().reason, quantity.error().remedy);
  if (std::isinf(quantity->value) && !spec.range.infinite)
    return reader.fail(value,
                       "found " + json::quote(value.text()) + ", expected a finite number (" + wanted.name() + ")",
                       wanted.units());
  if (quantity->hasUnit && !wanted.fits(quantity->powers))
    return reader.fail(value, "found " + json::quote(value.text()) + ", which is not " + oneOf(wanted.name()),
                       wanted.units());
  out = quantity->value;
  return true;
}

bool checkNumber(Trail& trail, const Spec& spec, double value) {
  const Range& range = spec.range;
  if (std::isnan(value)) return trail.fail("found a number that is not a number (NaN)", "give a finite number");
  if (std::isinf(value))
    return (range.infinite && (value > 0 || range.low == -largest)) ||
           trail.fail("found infinity, expected a finite number", "leave it out for the default");
  if (value >= range.low && value <= range.high) return true;
  if (range.words.empty() || (value > 0 && range.high == largest))
    return trail.fail("found " + numberText(value) + ", which is beyond what can be computed with",
                      "sizes from 1e-40 to 1e40 in SI units are taken");
  return trail.fail("found " + numberText(value) + ", must be " + std::string(range.words));
}

void writeNumber(JsonWriter& writer, double value) {
  if (std::isinf(value)) {
    writer.text(value > 0 ? "inf" : "-inf");
  } else {
    writer.number(value);
  }
}

void numberSchema(JsonWriter& writer, const Spec& spec) {
  const Range& range = spec.range;
  writer.key("anyOf").beginArray(JsonWriter::Layout::line);
  writer.beginObject().key("type").text("number");
  if (range.low == smallest) writer.key("exclusiveMinimum").number(0);
  if (range.low > -largest && range.low != smallest) writer.key("minimum").number(range.low);
  if (range.high < largest) writer.key("maximum").number(range.high);
  writer.endObject();
  writer.beginObject().key("$ref").text("#/definitions/quantity").endObject();
  writer.beginObject().key("$ref").text("#/definitions/expression").endObject();
  if (range.infinite) writer.beginObject().key("enum").beginArray().text("inf").text("-inf").endArray().endObject();
  writer.endArray();
}

std::string unitWords(const Dimension& dimension) {
  return dimension.unit.empty() ? "" : " [" + std::string(dimension.unit) + "]";
}

}  // namespace reeve::scene
