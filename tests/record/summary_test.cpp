#include "reeve/record/summary.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reeve/record/player_data.h"
#include "reeve/record/report.h"
#include "reeve/record/table.h"
#include "reeve/scene/json.h"
#include "sample_scenes.h"
#include "well_formed.h"

namespace reeve::record {
namespace {

RunFacts factsOf(const samples::Sample& sample) {
  RunFacts facts;
  facts.scene = sample.description.name;
  facts.wallSeconds = 0.25;
  facts.simulatedSeconds = sample.observation.time;
  facts.hash = 0x0123456789abcdef;
  facts.start = {0, 15000, 0, 15000};
  facts.events.push_back({1.5, "cables.hoist.links.1", "caught"});
  Expectation above;
  above.at = 1, above.observe = "energy.total", above.above = 0.0, above.because = "it was lifted";
  facts.expectations = {{above, 16022.0, true}, {above, std::nullopt, false}};
  return facts;
}

const json::Value& at(const json::Value& value, std::initializer_list<std::string_view> path) {
  const json::Value* now = &value;
  for (const std::string_view key : path) {
    const json::Value* next =
        key[0] >= '0' && key[0] <= '9' ? &now->items()[static_cast<std::size_t>(key[0] - '0')] : now->find(key);
    if (!next) {
      ADD_FAILURE() << "no " << key;
      return *now;
    }
    now = next;
  }
  return *now;
}

TEST(Summary, hasEveryKeyOfTheContract) {
  const auto sample = samples::crane();
  const auto document = json::parse(writeSummary(factsOf(sample), sample.observation));
  ASSERT_TRUE(document);
  const json::Value& root = document->root();
  for (const char* key : {"scene", "time", "steps", "wall_seconds", "hash", "bodies", "rotors", "particles", "joints",
                          "motors", "cables", "contacts", "energy", "health", "events"})
    EXPECT_TRUE(root.find(key)) << key;
  EXPECT_EQ(at(root, {"hash"}).text(), "0123456789abcdef");
  EXPECT_EQ(at(root, {"steps"}).number(), 600);
  for (const char* key : {"position", "orientation", "velocity", "angular_velocity"}) at(root, {"bodies", "jib", key});
  EXPECT_EQ(at(root, {"bodies", "jib", "orientation"}).items().size(), 4u);
  for (const char* key : {"angle", "rate"}) at(root, {"rotors", "drum", key});
  for (const char* key : {"model", "length", "stored", "spans", "links"}) at(root, {"cables", "hoist", key});
  for (const char* key : {"from", "to", "start", "end", "length", "rest", "tension", "slack"})
    at(root, {"cables", "hoist", "spans", "0", key});
  for (const char* key : {"kind", "mode", "on", "wrap", "slip", "stored", "entry", "exit", "force"})
    at(root, {"cables", "hoist", "links", "0", key});
  for (const char* key : {"kinetic", "potential", "elastic", "total"}) at(root, {"energy", key});
  for (const char* key : {"iterations", "residual", "worst"}) at(root, {"health", key});
  EXPECT_EQ(at(root, {"cables", "hoist", "spans", "0", "tension"}).number(), 6300.0);
  EXPECT_TRUE(at(root, {"cables", "tag line", "spans", "0", "slack"}).boolean());
}

TEST(Summary, ofAnEmptyWorldIsValidJson) { EXPECT_TRUE(json::parse(writeSummary({}, {}))); }

TEST(Summary, writesNullForWhatIsNotANumber) {
  auto sample = samples::doublePendulum();
  sample.observation.bodies[0].second.position.x() = std::nan("");
  const std::string text = writeSummary(factsOf(sample), sample.observation);
  EXPECT_TRUE(json::parse(text));
  EXPECT_NE(text.find("[null, "), std::string::npos);
}

TEST(Summary, driftIsTheChangeThatMotorsDoNotExplain) {
  const auto sample = samples::crane();
  EXPECT_DOUBLE_EQ(energyDrift(factsOf(sample), sample.observation), 16022.0 - 15000.0 - 1260.0);
}

TEST(Table, columnsLineUp) {
  const Table table{"things", {{"name", "", true}, {"x", "m"}}, {{"a", "1"}, {"länger", "-12.5"}}, 3};
  EXPECT_EQ(tableText(table),
            "things\n"
            "  name     x, m\n"
            "  a           1\n"
            "  länger  -12.5\n"
            "  and 3 more\n");
}

TEST(Table, tellsMissedExpectationsLoudly) {
  const auto sample = samples::crane();
  auto expectations = factsOf(sample).expectations;
  const std::string unfinished = tableText(expectationTable(expectations));
  EXPECT_NE(unfinished.find("not reached"), std::string::npos);
  EXPECT_EQ(unfinished.find("NOT OK"), std::string::npos);  // a run cut short has not failed
  expectations.front().measured = 1.0;
  expectations.front().met = false;
  EXPECT_NE(tableText(expectationTable(expectations)).find("NOT OK"), std::string::npos);
}

TEST(Report, isOneWellFormedPageThatLoadsNothing) {
  auto sample = samples::crane();
  sample.description.name = "<script>alert('&')</script>";
  sample.description.cables[0].first = sample.observation.cables[0].first = "</script><b>";
  PlayerData player(sample.description, sample.observation, 1);
  player.add(&sample.observation);
  ReportParts parts{.about = "a < b & c", .pictures = {{"caption <b>", ""}}};
  parts.player = player.json({{"<i>", "N", {0, 1}, {{"</script>", {1, 2}}}}});
  EXPECT_EQ(parts.player.find('<'), std::string::npos);
  EXPECT_TRUE(json::parse(parts.player));
  const std::string page = writeReport(factsOf(sample), sample.observation, parts);
  EXPECT_EQ(page.find("http"), std::string::npos);
  EXPECT_EQ(page.find("<script>alert"), std::string::npos);
  EXPECT_EQ(page.find("<b>"), std::string::npos);
  // Two scripts, the data and the player, each closed once.
  std::size_t scripts = 0, ends = 0;
  for (auto at = page.find("<script"); at != std::string::npos; at = page.find("<script", at + 1)) ++scripts;
  for (auto at = page.find("</script"); at != std::string::npos; at = page.find("</script", at + 1)) ++ends;
  EXPECT_EQ(scripts, 2u);
  EXPECT_EQ(ends, 2u);
  // The style sheet has no angle brackets, so without the player the XML check serves for HTML too.
  parts.player.clear();
  EXPECT_EQ(samples::flawOf(writeReport(factsOf(sample), sample.observation, parts)), "");
}

TEST(Expectation, toleranceIsAbsoluteAndRelativeTogether) {
  Expectation e;
  e.equals = 100.0, e.within = 1.0, e.relative = 0.01;
  EXPECT_TRUE(meets(e, 102.0));
  EXPECT_FALSE(meets(e, 102.1));
  EXPECT_FALSE(meets(e, std::nan("")));
  EXPECT_EQ(wanted(e), "100 ± 2");
}

TEST(Expectation, boundsAreStrictAndBothCount) {
  Expectation e;
  e.above = 0.0, e.below = 1.0;
  EXPECT_FALSE(meets(e, 0.0));
  EXPECT_TRUE(meets(e, 0.5));
  EXPECT_FALSE(meets(e, 1.0));
  EXPECT_EQ(wanted(e), "from 0 to 1");
}

}  // namespace
}  // namespace reeve::record
