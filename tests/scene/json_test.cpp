#include "reeve/scene/json.h"

#include <gtest/gtest.h>

#include <bit>
#include <clocale>
#include <cmath>
#include <cstdint>
#include <limits>

#include "reeve/scene/json_writer.h"
#include "reeve/scene/number.h"

namespace {

using namespace reeve;

TEST(Json, everyValueKnowsItsLineAndColumn) {
  const auto document = json::parse("{\n  \"größe\": [1, true,\n    null], \"b\": {}\n}");
  ASSERT_TRUE(document.has_value());
  const json::Value& root = document->root();
  EXPECT_EQ(root.place().line, 1);
  const json::Value& list = root.items()[0];
  EXPECT_EQ(list.key(), "größe");
  EXPECT_EQ(list.keyPlace().column, 3);
  EXPECT_EQ(list.place().line, 2);
  EXPECT_EQ(list.place().column, 12);  // characters, not bytes
  EXPECT_EQ(list.items()[1].place().column, 16);
  EXPECT_EQ(list.items()[2].place().line, 3);
  EXPECT_EQ(list.items()[2].place().column, 5);
  EXPECT_EQ(root.find("b")->kind(), json::Kind::object);
  EXPECT_EQ(root.find("c"), nullptr);
}

TEST(Json, anErrorHasThePathAndThePlaceOfTheFault) {
  const auto document = json::parse("{\"a\": [0, {\"b\": [1, 2, x]}]}");
  ASSERT_FALSE(document.has_value());
  EXPECT_EQ(document.error().path, "/a/1/b/2");
  EXPECT_EQ(document.error().column, 24);
}

TEST(Json, scalarsAloneAreDocuments) {
  EXPECT_EQ(json::parse(" -1.5e3 ")->root().number(), -1500.0);
  EXPECT_EQ(json::parse("\"a\"")->root().text(), "a");
  EXPECT_TRUE(json::parse("true")->root().boolean());
  EXPECT_EQ(json::parse("null")->root().kind(), json::Kind::null);
  EXPECT_TRUE(json::parse("[]")->root().items().empty());
}

TEST(Json, escapesAreDecoded) {
  const auto document = json::parse(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00")");
  EXPECT_EQ(document->root().text(), "\"\\/\b\f\n\r\tAé€\xF0\x9F\x98\x80");
}

TEST(Json, aMovedDocumentKeepsItsValues) {
  auto document = json::parse("{\"a\": [\"x\", \"yy\"]}");
  const json::Document moved = std::move(*document);
  EXPECT_EQ(moved.root().find("a")->items()[1].text(), "yy");
}

TEST(Json, thirtyMegabytesOnOneLineAreReadInLinearTime) {
  std::string text = "[\"";
  text.append(std::size_t{30} << 20, 'x');
  text += "\"";
  for (int i = 0; i < 200000; ++i) text += ",[]";
  const auto document = json::parse(text + "]");
  ASSERT_TRUE(document.has_value());
  EXPECT_EQ(document->root().items().size(), 200001u);
}

TEST(Numbers, writtenNumbersReadBackToTheSameBits) {
  std::uint64_t seed = 88172645463325252ull;
  for (int i = 0; i < 100000; ++i) {
    seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
    const double value = std::bit_cast<double>(seed);
    if (!std::isfinite(value)) continue;
    const std::string text = numberText(value);
    ASSERT_EQ(numberLength(text), text.size()) << text;
    ASSERT_EQ(std::bit_cast<std::uint64_t>(numberValue(text)), seed) << text;
  }
}

TEST(Numbers, textIsShort) {
  EXPECT_EQ(numberText(0.1), "0.1");
  EXPECT_EQ(numberText(0.1 + 0.2), "0.30000000000000004");
  EXPECT_EQ(numberText(1.0), "1");
  EXPECT_EQ(numberText(-0.0), "-0");
  EXPECT_EQ(numberText(1e22), "1e22");
  EXPECT_EQ(numberText(1e-7), "1e-7");
  EXPECT_EQ(numberText(123456789012345.0), "123456789012345");
  EXPECT_EQ(numberText(std::numeric_limits<double>::denorm_min()), "5e-324");
  EXPECT_EQ(numberText(std::numeric_limits<double>::max()), "1.7976931348623157e308");
}

TEST(Numbers, aLocaleWithDecimalCommasChangesNothing) {
  const std::string before = std::setlocale(LC_NUMERIC, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"})
    if (std::setlocale(LC_NUMERIC, name)) break;
  EXPECT_EQ(numberText(1.5), "1.5");
  EXPECT_EQ(numberValue("1.5"), 1.5);
  std::setlocale(LC_NUMERIC, before.c_str());
}

TEST(JsonWriter, commasAndIndentsComeByThemselves) {
  std::string text;
  JsonWriter writer(text);
  writer.beginObject()
      .key("a")
      .number(1.5)
      .key("b")
      .beginArray(JsonWriter::Layout::line)
      .integer(1)
      .boolean(true)
      .null()
      .endArray();
  writer.key("c").beginObject().endObject().key("d").beginArray().text("x").text("y").endArray().endObject();
  EXPECT_EQ(text,
            "{\n  \"a\": 1.5,\n  \"b\": [1, true, null],\n  \"c\": {},\n  \"d\": [\n    \"x\",\n    \"y\"\n  ]\n}");
}

TEST(JsonWriter, anIndentOfZeroIsOneLine) {
  std::string text;
  JsonWriter writer(text, 0);
  writer.beginObject().key("a").beginArray().number(1).number(2).endArray().key("b").text("c").endObject();
  EXPECT_EQ(text, "{\"a\":[1,2],\"b\":\"c\"}");
}

TEST(JsonWriter, textIsEscapedAndNumbersThatAreNotFiniteAreNull) {
  std::string text;
  JsonWriter writer(text, 0);
  writer.beginArray().text("\"\\\n\t\x01\x7F é \xFF").number(std::nan("")).number(HUGE_VAL).endArray();
  EXPECT_EQ(text, "[\"\\\"\\\\\\n\\t\\u0001\\u007f é \xEF\xBF\xBD\",null,null]");
  EXPECT_TRUE(json::parse(text).has_value());
}

}  // namespace
