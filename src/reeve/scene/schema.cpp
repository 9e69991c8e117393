// The JSON Schema and the reference tables, both from the declarations in fields.cpp.
#include "reeve/scene/fields.h"
#include "reeve/scene/scene.h"

namespace reeve {
namespace {

using scene::Field;
using scene::Record;

void quantityDefinition(JsonWriter& writer) {
  writer.key("quantity").beginObject();
  writer.key("description")
      .text("A number or a fraction with a unit, such as \"20 cm\", \"1/240 s\" or \"5 N m s/rad\".");
  writer.key("type").text("string");
  writer.key("pattern").text("^ *-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?( */ *-?[0-9]+(\\.[0-9]+)?)?( *[^-+.0-9 ].*)?$");
  writer.endObject();
}

void repeatDefinitions(JsonWriter& writer) {
  const auto line = JsonWriter::Layout::line;
  writer.key("expression").beginObject();
  writer.key("description").text("Parameters and numbers with units, such as \"2*height + 0.3 m\".");
  writer.key("type").text("string");
  writer.key("pattern").text("^ *(?!inf *$)[A-Za-z_][A-Za-z0-9_]* *$|[-+*/^(] *[A-Za-z_(0-9]").endObject();
  writer.key("repeat").beginObject();
  writer.key("description").text("How often: 4 for i from 0 to 3, or {\"k\": [1, 4]} for k from 1 to 4.");
  writer.key("anyOf").beginArray().beginObject(line).key("type").text("integer").key("minimum").integer(0).endObject();
  for (int k = 0; k < 2; ++k) {
    if (k == 1) {
      writer.beginObject()
          .key("type")
          .text("object")
          .key("additionalProperties")
          .beginObject()
          .key("anyOf")
          .beginArray();
      writer.beginObject(line).key("type").text("integer").key("minimum").integer(0).endObject();
      writer.beginObject(line)
          .key("type")
          .text("array")
          .key("minItems")
          .integer(2)
          .key("maxItems")
          .integer(2)
          .endObject();
    }
    writer.beginObject(line).key("$ref").text("#/definitions/expression").endObject();
  }
  writer.endArray().endObject().endObject();
  writer.endArray().endObject();
  writer.key("repeated").beginObject().key("description").text("Entries of a list, several times over.");
  writer.key("type").text("object").key("required").beginArray(line).text("repeat").text("each").endArray();
  writer.key("additionalProperties").boolean(false);
  writer.key("properties").beginObject();
  writer.key("repeat").beginObject(line).key("$ref").text("#/definitions/repeat").endObject();
  writer.key("each").beginObject(line).key("type").text("array").endObject();
  writer.endObject().endObject();
}

void orientationDefinition(JsonWriter& writer) {
  const auto number = [&](std::string_view key) {
    writer.key(key).beginObject();
    scene::numberSchema(writer, {});
    writer.endObject();
  };
  const auto list = [&](int count) {
    writer.key("type")
        .text("array")
        .key("minItems")
        .integer(count)
        .key("maxItems")
        .integer(count)
        .key("items")
        .beginObject();
    scene::numberSchema(writer, {});
    writer.endObject();
  };
  writer.key("orientation").beginObject();
  writer.key("description").text("A rotation: [w, x, y, z], axis and angle, or roll, pitch and yaw.");
  writer.key("anyOf").beginArray();
  writer.beginObject();
  list(4);
  writer.endObject();
  writer.beginObject().key("type").text("object").key("additionalProperties").boolean(false);
  writer.key("required").beginArray(JsonWriter::Layout::line).text("axis").text("angle").endArray();
  writer.key("properties").beginObject().key("axis").beginObject();
  list(3);
  writer.endObject();
  number("angle");
  writer.endObject().endObject();
  writer.beginObject()
      .key("type")
      .text("object")
      .key("additionalProperties")
      .boolean(false)
      .key("properties")
      .beginObject();
  for (const char* key : {"roll", "pitch", "yaw"}) number(key);
  writer.endObject().endObject();
  writer.endArray().endObject();
}

std::string upper(std::string_view name) {
  std::string text(name);
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

/// A bar would end the cell of a table.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) (out += c == '|' ? "\\" : "") += c;
  return out;
}

std::string defaultText(const Record& record, const Field& field, const void* standard) {
  if (field.needed == ~0u) return "required";
  std::string text;
  if (field.needed) text = "required for " + record.kindNames(field.needed);
  if (field.needed || !field.form->brief()) return text;
  JsonWriter writer(text, 2);
  field.form->write(writer, field.of(standard));
  if (text == "null" || text == "\"\"" || text == "[]") return "";
  return "`" + text + "`";
}

void tableOf(void* context, const Record& record, void* standard) {
  std::string& out = *static_cast<std::string*>(context);
  out += "\n### " + upper(record.name) + "\n\n" + std::string(record.about) + "\n\n";
  out += "| key | value | default | meaning |\n|---|---|---|---|\n";
  for (const Field& field : record.fields) {
    std::string meaning(field.about);
    if (!field.spec.range.words.empty()) meaning += "; " + std::string(field.spec.range.words);
    if (field.spec.atLeast > 0) meaning += "; at least " + std::to_string(field.spec.atLeast);
    if (record.kind.get && field.kinds != ~0u) meaning += " (" + record.kindNames(field.kinds) + ")";
    out += "| `" + std::string(field.key) + "` | " + cell(field.form->words(field.spec)) + " | " +
           cell(defaultText(record, field, standard)) + " | " + cell(meaning) + " |\n";
  }
}

}  // namespace

std::string sceneSchema() {
  std::string text;
  JsonWriter writer(text);
  writer.beginObject();
  writer.key("$schema").text("http://json-schema.org/draft-07/schema#");
  writer.key("title").text("Reeve scene");
  writer.key("allOf")
      .beginArray(JsonWriter::Layout::line)
      .beginObject()
      .key("$ref")
      .text("#/definitions/scene")
      .endObject()
      .endArray();
  writer.key("definitions").beginObject();
  quantityDefinition(writer);
  repeatDefinitions(writer);
  orientationDefinition(writer);
  for (const scene::DocumentedRecord& documented : scene::allRecords()) {
    writer.key(documented.record->name);
    documented.withStandard(
        [](void* context, const Record& record, void* standard) {
          scene::recordSchema(*static_cast<JsonWriter*>(context), record, standard);
        },
        &writer);
  }
  writer.endObject().endObject();
  return text + "\n";
}

std::string referenceMarkdown() {
  std::string text;
  for (const scene::DocumentedRecord& documented : scene::allRecords()) documented.withStandard(tableOf, &text);
  return text.substr(1);
}

}  // namespace reeve
