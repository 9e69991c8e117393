#include "reeve/scene/forms.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"
#include "reeve/scene/colors.h"
#include "reeve/scene/nearest.h"
#include "reeve/scene/number.h"

namespace reeve::scene {
namespace {

bool sameNumber(double a, double b) { return a == b || (a != a && b != b); }

std::string listRemedy(std::size_t numbers) {
  return numbers == 3 ? "write it as [x, y, z]" : "write the numbers in brackets, with commas between them";
}

bool readList(Reader& reader, const json::Value& value, const Spec& spec, std::span<double> out) {
  const std::string count = std::to_string(out.size());
  if (value.kind() != json::Kind::array)
    return reader.fail(
        value,
        "found " + json::describe(value) + ", expected a list of " + count + " numbers" + unitWords(*spec.dimension),
        listRemedy(out.size()));
  if (value.items().size() != out.size())
    return reader.fail(
        value, "found " + json::describe(value) + ", expected " + count + " numbers" + unitWords(*spec.dimension),
        listRemedy(out.size()));
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Step step(reader, i);
    const Dimension& measures = spec.timed && i == 0 ? dimension::time : *spec.dimension;
    if (!readNumber(reader, value.items()[i], spec, measures, out[i])) return false;
  }
  return true;
}

bool checkList(Trail& trail, const Spec& spec, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Step step(trail, i);
    if (!checkNumber(trail, spec, values[i])) return false;
  }
  return true;
}

void writeList(JsonWriter& writer, std::span<const double> values) {
  writer.beginArray(JsonWriter::Layout::line);
  for (const double value : values) writeNumber(writer, value);
  writer.endArray();
}

void listSchema(JsonWriter& writer, const Spec& spec, int count) {
  writer.key("type").text("array").key("minItems").integer(count).key("maxItems").integer(count);
  writer.key("items").beginObject();
  numberSchema(writer, spec);
  writer.endObject();
}

/// Brings a vector to length 1. What is one already stays as it is, bit for bit: reading twice changes nothing.
template <class V>
bool normalize(V& v) {
  const double size = v.cwiseAbs().maxCoeff();
  if (!(size > 0.0)) return false;
  if (std::abs(v.squaredNorm() - 1.0) <= 1e-14) return true;
  v /= size;  // so that squares neither overflow nor vanish
  v /= std::sqrt(v.squaredNorm());
  return true;
}

}  // namespace

// ---- numbers

bool NumberForm::readTo(Reader& reader, const json::Value& value, const Spec& spec, double& out) const {
  return readNumber(reader, value, spec, *spec.dimension, out);
}
void NumberForm::writeOf(JsonWriter& writer, const double& value) const { writeNumber(writer, value); }
void NumberForm::schema(JsonWriter& writer, const Spec& spec) const { numberSchema(writer, spec); }
std::string NumberForm::words(const Spec& spec) const { return "number" + unitWords(*spec.dimension); }

bool IntegerForm::readTo(Reader& reader, const json::Value& value, const Spec& spec, int& out) const {
  double number = value.number();
  bool known = value.kind() == json::Kind::number;
  if (value.kind() == json::Kind::string && (value.scope() || !reader.parameters.empty())) {
    const auto result = readValue(value.text(), Names{value.scope(), reader.parameters});
    if (!result) return reader.fail(value, result.error().reason, result.error().remedy);
    number = result->value;
    known = true;
  }
  if (known && number == std::floor(number) && std::abs(number) <= 2147483647.0) {
    out = static_cast<int>(number);
    return true;
  }
  return reader.fail(
      value, "found " + json::describe(value) +
                 (known && value.kind() == json::Kind::string ? ", which is " + numberText(number) : "") +
                 ", expected a whole number" + (spec.range.words.empty() ? "" : " " + std::string(spec.range.words)));
}
void IntegerForm::writeOf(JsonWriter& writer, const int& value) const { writer.integer(value); }
void IntegerForm::schema(JsonWriter& writer, const Spec& spec) const {
  writer.key("anyOf").beginArray(JsonWriter::Layout::line).beginObject().key("type").text("integer");
  if (spec.range.low > -largest) writer.key("minimum").number(std::ceil(spec.range.low));
  if (spec.range.high < largest) writer.key("maximum").number(spec.range.high);
  writer.endObject().beginObject().key("$ref").text("#/definitions/expression").endObject().endArray();
}
std::string IntegerForm::words(const Spec&) const { return "whole number"; }

// ---- true or false, and texts

bool BooleanForm::readTo(Reader& reader, const json::Value& value, const Spec&, bool& out) const {
  if (value.kind() != json::Kind::boolean)
    return reader.fail(value, "found " + json::describe(value) + ", expected true or false");
  out = value.boolean();
  return true;
}
void BooleanForm::writeOf(JsonWriter& writer, const bool& value) const { writer.boolean(value); }
void BooleanForm::schema(JsonWriter& writer, const Spec&) const { writer.key("type").text("boolean"); }
std::string BooleanForm::words(const Spec&) const { return "true or false"; }

bool TextForm::readTo(Reader& reader, const json::Value& value, const Spec&, std::string& out) const {
  if (value.kind() != json::Kind::string)
    return reader.fail(value, "found " + json::describe(value) + ", expected a text in quotes");
  out = value.text();
  return true;
}
void TextForm::writeOf(JsonWriter& writer, const std::string& value) const { writer.text(value); }
void TextForm::schema(JsonWriter& writer, const Spec&) const { writer.key("type").text("string"); }
std::string TextForm::words(const Spec&) const { return "text"; }

void ColorForm::schema(JsonWriter& writer, const Spec&) const {
  std::string pattern = "^(#[0-9a-fA-F]{6}|#[0-9a-fA-F]{3}|";
  for (const std::string_view name : colorNames()) pattern += std::string(name) + "|";
  pattern.back() = ')';
  writer.key("type").text("string").key("pattern").text(pattern + "?$");
}
bool ColorForm::good(Trail& trail, const Spec&, const std::string& value) const {
  if (value.empty() || colorValue(value)) return true;
  std::string help = "write \"#rrggbb\", or one of these:";
  if (const std::string_view near = nearest(value, colorNames()); value[0] != '#' && !near.empty())
    help = "did you mean \"" + std::string(near) + "\"? " + help;
  for (const std::string_view name : colorNames()) help += " " + std::string(name);
  return trail.fail("found " + json::quote(value) + ", expected a color", help);
}

// ---- vectors

bool Vec2Form::readTo(Reader& reader, const json::Value& value, const Spec& spec, Vec2& out) const {
  return readList(reader, value, spec, {out.data(), 2});
}
void Vec2Form::writeOf(JsonWriter& writer, const Vec2& value) const { writeList(writer, {value.data(), 2}); }
bool Vec2Form::same(const Vec2& a, const Vec2& b) const { return sameNumber(a.x(), b.x()) && sameNumber(a.y(), b.y()); }
bool Vec2Form::good(Trail& trail, const Spec& spec, const Vec2& value) const {
  return checkList(trail, spec, {value.data(), 2});
}
void Vec2Form::schema(JsonWriter& writer, const Spec& spec) const { listSchema(writer, spec, 2); }
std::string Vec2Form::words(const Spec& spec) const {
  return spec.timed ? "[time, value]" : "2 numbers" + unitWords(*spec.dimension);
}

bool Vec3Form::readTo(Reader& reader, const json::Value& value, const Spec& spec, Vec3& out) const {
  if (!readList(reader, value, spec, {out.data(), 3})) return false;
  if (spec.range.direction && !normalize(out))
    return reader.fail(value, "found the zero vector, expected a direction", "for example [0, 0, 1]");
  return true;
}
void Vec3Form::writeOf(JsonWriter& writer, const Vec3& value) const { writeList(writer, {value.data(), 3}); }
bool Vec3Form::same(const Vec3& a, const Vec3& b) const {
  return sameNumber(a.x(), b.x()) && sameNumber(a.y(), b.y()) && sameNumber(a.z(), b.z());
}
bool Vec3Form::good(Trail& trail, const Spec& spec, const Vec3& value) const {
  if (!checkList(trail, spec, {value.data(), 3})) return false;
  return !spec.range.direction || value.cwiseAbs().maxCoeff() > 0.0 ||
         trail.fail("found the zero vector, expected a direction", "for example [0, 0, 1]");
}
void Vec3Form::schema(JsonWriter& writer, const Spec& spec) const { listSchema(writer, spec, 3); }
std::string Vec3Form::words(const Spec& spec) const {
  return spec.range.direction ? "direction" : "3 numbers" + unitWords(*spec.dimension);
}

// ---- orientation

namespace {

/// The three ways to give a rotation by named parts have records of their own, read into one struct.
struct RotationParts {
  Vec3 axis = Vec3::UnitZ();
  double angle = 0.0, roll = 0.0, pitch = 0.0, yaw = 0.0;
};

bool readParts(Reader& reader, const json::Value& value, RotationParts& parts, bool& byAxis) {
  constexpr std::string_view valid[] = {"axis", "angle", "roll", "pitch", "yaw"};
  const Spec angle{&dimension::angle};
  byAxis = value.find("axis") || value.find("angle");
  for (const json::Value& member : value.items()) {
    const Step step(reader, member.key());
    const auto which = static_cast<std::size_t>(std::ranges::find(valid, member.key()) - valid);
    if (which == std::size(valid))
      return reader.fail(member, "an orientation has no " + json::quote(member.key()), suggestion(member.key(), valid));
    if (byAxis != (which < 2))
      return reader.fail(member, "found axis or angle together with " + json::quote(member.key()),
                         "give axis and angle, or roll, pitch and yaw");
    if (which == 0) {
      if (!theForm<Vec3Form>().read(reader, member, Spec{&dimension::none, direction}, &parts.axis)) return false;
    } else {
      double* const targets[] = {nullptr, &parts.angle, &parts.roll, &parts.pitch, &parts.yaw};
      if (!readNumber(reader, member, angle, dimension::angle, *targets[which])) return false;
      // Trigonometry of the core is exact to about this far.
      if (!(std::abs(*targets[which]) <= 1e6))
        return reader.fail(member, "found " + json::describe(member) + ", expected an angle below a million radians");
    }
  }
  if (byAxis && (!value.find("axis") || !value.find("angle")))
    return reader.fail(value, "an orientation by axis needs both \"axis\" and \"angle\"");
  return true;
}

}  // namespace

bool OrientationForm::readTo(Reader& reader, const json::Value& value, const Spec&, Quat& out) const {
  if (value.kind() == json::Kind::object) {
    RotationParts parts;
    bool byAxis = false;
    if (!readParts(reader, value, parts, byAxis)) return false;
    if (byAxis) {
      out = rotationExp(parts.axis * parts.angle);
    } else {
      out = rotationExp(Vec3::UnitZ() * parts.yaw) * rotationExp(Vec3::UnitY() * parts.pitch) *
            rotationExp(Vec3::UnitX() * parts.roll);
    }
    Eigen::Vector4d wxyz(out.w(), out.x(), out.y(), out.z());
    normalize(wxyz);
    out = Quat(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
    return true;
  }
  Eigen::Vector4d wxyz;
  if (value.kind() != json::Kind::array || value.items().size() != 4)
    return reader.fail(value, "found " + json::describe(value) + ", expected an orientation",
                       "write [w, x, y, z], {\"axis\": [0, 0, 1], \"angle\": \"90 deg\"} or {\"roll\": .., \"pitch\": "
                       ".., \"yaw\": ..}");
  if (!readList(reader, value, Spec{}, {wxyz.data(), 4})) return false;
  if (!normalize(wxyz)) return reader.fail(value, "found a quaternion of length zero", "no rotation is [1, 0, 0, 0]");
  out = Quat(wxyz[0], wxyz[1], wxyz[2], wxyz[3]);
  return true;
}
void OrientationForm::writeOf(JsonWriter& writer, const Quat& q) const {
  const double wxyz[] = {q.w(), q.x(), q.y(), q.z()};
  writeList(writer, wxyz);
}
bool OrientationForm::same(const Quat& a, const Quat& b) const {
  return sameNumber(a.w(), b.w()) && sameNumber(a.x(), b.x()) && sameNumber(a.y(), b.y()) && sameNumber(a.z(), b.z());
}
bool OrientationForm::good(Trail& trail, const Spec&, const Quat& q) const {
  return std::abs(q.squaredNorm() - 1.0) < 1e-6 || trail.fail("the quaternion does not have length 1", "normalise it");
}
void OrientationForm::schema(JsonWriter& writer, const Spec&) const {
  writer.key("allOf")
      .beginArray(JsonWriter::Layout::line)
      .beginObject()
      .key("$ref")
      .text("#/definitions/orientation")
      .endObject()
      .endArray();
}
std::string OrientationForm::words(const Spec&) const { return "[orientation](#orientation)"; }

// ---- profile

bool ProfileForm::readTo(Reader& reader, const json::Value& value, const Spec& spec, Profile& out) const {
  if (value.kind() != json::Kind::object) return readNumber(reader, value, spec, *spec.dimension, out.offset);
  const Surroundings outside = reader.around;
  if (spec.dimension->of != Dimension::Of::profile) reader.around.profile = spec.dimension;
  const bool good = readRecord(reader, recordOf<Profile>(), value, &out);
  reader.around = outside;
  return good;
}
void ProfileForm::writeOf(JsonWriter& writer, const Profile& value) const {
  Profile constant, standard;
  constant.offset = value.offset;
  if (same(value, constant)) return writeNumber(writer, value.offset);
  writeRecord(writer, recordOf<Profile>(), &value, &standard);
}
bool ProfileForm::same(const Profile& a, const Profile& b) const { return equalRecords(recordOf<Profile>(), &a, &b); }
bool ProfileForm::good(Trail& trail, const Spec&, const Profile& value) const {
  if (!checkRecord(trail, recordOf<Profile>(), &value)) return false;
  if (value.smooth && value.spline) return trail.fail("found smooth and spline", "give one of them");
  for (std::size_t i = 1; i < value.table.size(); ++i) {
    if (value.table[i].x() > value.table[i - 1].x()) continue;
    const Step table(trail, "table");
    const Step entry(trail, i);
    return trail.fail(
        "time " + numberText(value.table[i].x()) + " does not come after " + numberText(value.table[i - 1].x()),
        "times of a table must increase");
  }
  return true;
}
void ProfileForm::schema(JsonWriter& writer, const Spec&) const {
  writer.key("anyOf").beginArray(JsonWriter::Layout::line).beginObject().key("type").text("number").endObject();
  for (const char* name : {"#/definitions/quantity", "#/definitions/expression", "#/definitions/profile"})
    writer.beginObject().key("$ref").text(name).endObject();
  writer.endArray();
}
std::string ProfileForm::words(const Spec& spec) const {
  return "number or [profile](#profile)" + unitWords(*spec.dimension);
}

// ---- special fields

bool SideForm::readTo(Reader& reader, const json::Value& value, const Spec&, int& out) const {
  const bool ccw = value.text() == "ccw" || value.number() == 1.0, cw = value.text() == "cw" || value.number() == -1.0;
  const bool open = value.text() == "auto";
  if (!ccw && !cw && !open)
    return reader.fail(
        value, "found " + json::describe(value) + ", expected \"auto\", \"ccw\" or \"cw\" (1 or -1)",
        "ccw: the cable runs counter-clockwise about the axis, seen from its tip; auto: the way that does "
        "not cross itself");
  out = open ? 0 : ccw ? 1 : -1;
  return true;
}
void SideForm::writeOf(JsonWriter& writer, const int& value) const {
  writer.text(value == 0 ? "auto" : value < 0 ? "cw" : "ccw");
}
bool SideForm::good(Trail& trail, const Spec&, const int& value) const {
  return value == 1 || value == -1 || trail.fail("found side " + std::to_string(value) + ", expected 1 or -1");
}
void SideForm::schema(JsonWriter& writer, const Spec&) const {
  writer.key("enum")
      .beginArray(JsonWriter::Layout::line)
      .text("auto")
      .text("ccw")
      .text("cw")
      .integer(1)
      .integer(-1)
      .endArray();
}
std::string SideForm::words(const Spec&) const { return "\"auto\", \"ccw\" or \"cw\" (1 or -1)"; }

bool ReelsForm::readTo(Reader& reader, const json::Value& value, const Spec&, int& out) const {
  if (value.text() != "in" && value.text() != "out")
    return reader.fail(value, "found " + json::describe(value) + ", expected \"in\" or \"out\"",
                       "in: positive spin of the drum winds the cable on; out: it pays out");
  if (out != 0) return reader.fail(value, "the side of this drum is given already", "leave side out, or reels");
  out = value.text() == "in" ? reelsIn : reelsOut;
  return true;
}
void ReelsForm::writeOf(JsonWriter& writer, const int&) const { writer.null(); }
void ReelsForm::schema(JsonWriter& writer, const Spec&) const {
  writer.key("enum").beginArray(JsonWriter::Layout::line).text("in").text("out").endArray();
}
std::string ReelsForm::words(const Spec&) const { return "\"in\" or \"out\""; }

bool MomentForm::readTo(Reader& reader, const json::Value& value, const Spec& spec, double& out) const {
  if (value.text() != "end") return readNumber(reader, value, spec, dimension::time, out);
  out = reader.scene ? reader.scene->settings.seconds : 0.0;
  return true;
}
void MomentForm::writeOf(JsonWriter& writer, const double& value) const { writer.number(value); }
void MomentForm::schema(JsonWriter& writer, const Spec&) const {
  writer.key("anyOf")
      .beginArray(JsonWriter::Layout::line)
      .beginObject()
      .key("type")
      .text("number")
      .key("minimum")
      .number(0)
      .endObject();
  writer.beginObject().key("$ref").text("#/definitions/quantity").endObject();
  writer.beginObject().key("$ref").text("#/definitions/expression").endObject();
  writer.beginObject().key("const").text("end").endObject().endArray();
}
std::string MomentForm::words(const Spec&) const { return "number [s] or \"end\""; }

bool VersionForm::readTo(Reader& reader, const json::Value& value, const Spec&, Description&) const {
  return (value.kind() == json::Kind::number && value.number() == 1.0) ||
         reader.fail(value, "found " + json::describe(value) + ", this program reads version 1",
                     "write \"reeve\": 1, or use a newer reeve");
}
void VersionForm::writeOf(JsonWriter& writer, const Description&) const { writer.integer(1); }
void VersionForm::schema(JsonWriter& writer, const Spec&) const { writer.key("const").integer(1); }
std::string VersionForm::words(const Spec&) const { return "1"; }

bool IgnoredForm::readTo(Reader& reader, const json::Value& value, const Spec&, Description&) const {
  return value.kind() == json::Kind::string ||
         reader.fail(value, "found " + json::describe(value) + ", expected a text in quotes");
}
void IgnoredForm::writeOf(JsonWriter& writer, const Description&) const { writer.null(); }
void IgnoredForm::schema(JsonWriter& writer, const Spec&) const { writer.key("type").text("string"); }
std::string IgnoredForm::words(const Spec&) const { return "text"; }

bool ParametersForm::readTo(Reader&, const json::Value&, const Spec&, Description&) const { return true; }
void ParametersForm::writeOf(JsonWriter& writer, const Description&) const { writer.null(); }
void ParametersForm::schema(JsonWriter& writer, const Spec&) const {
  writer.key("type").text("object");
  writer.key("propertyNames").beginObject(JsonWriter::Layout::line);
  writer.key("pattern").text("^[A-Za-z_][A-Za-z0-9_]*$").endObject();
  writer.key("additionalProperties").beginObject();
  numberSchema(writer, {});
  writer.endObject();
}
std::string ParametersForm::words(const Spec&) const { return "number by name"; }

}  // namespace reeve::scene
