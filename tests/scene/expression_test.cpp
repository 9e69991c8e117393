// Parameters, expressions and repeats of scene files.
#include <gtest/gtest.h>

#include "reeve/math/scalar.h"
#include "reeve/scene/expression.h"
#include "reeve/scene/scene.h"

namespace reeve {
namespace {

scene::Quantity worth(std::string_view text, const scene::Parameters& parameters = {}) {
  const auto value = scene::readValue(text, {nullptr, parameters});
  if (!value) ADD_FAILURE() << text << ": " << value.error().reason;
  return value.value_or(scene::Quantity{});
}

TEST(Expressions, followTheRulesOfArithmetic) {
  EXPECT_DOUBLE_EQ(worth("2*3 + 4").value, 10.0);
  EXPECT_DOUBLE_EQ(worth("2*(3 + 4)^2").value, 98.0);
  EXPECT_DOUBLE_EQ(worth("-2^2 + 1").value, -3.0);
  EXPECT_DOUBLE_EQ(worth("2 - 3 - 4").value, -5.0);
  EXPECT_DOUBLE_EQ(worth("min(3, 1, 2) * max(4, 5)").value, 5.0);
  EXPECT_DOUBLE_EQ(worth("4*sin(pi/6)").value, 2.0);
  EXPECT_DOUBLE_EQ(worth("round(2.6) + floor(-0.5) + ceil(0.2)").value, 3.0);
}

TEST(Expressions, carryUnits) {
  EXPECT_DOUBLE_EQ(worth("2*0.3 m + 5 cm").value, 0.65);
  EXPECT_EQ(worth("2*0.3 m + 5 cm").powers.m, 1);
  EXPECT_DOUBLE_EQ(worth("6 m / 2 s + 1 km/h").value, 3.0 + 1.0 / 3.6);
  EXPECT_DOUBLE_EQ(worth("sqrt(2 * 9.81 m/s^2 * 1 m)").value, std::sqrt(19.62));
  EXPECT_EQ(worth("sqrt(2 * 9.81 m/s^2 * 1 m)").powers.s, -1);
  EXPECT_DOUBLE_EQ(worth("2 * cos(60 deg)").value, 2.0 * math::cos(math::pi / 3));
  EXPECT_DOUBLE_EQ(worth("1/240 s").value, 1.0 / 240.0);  // a quantity stays one
}

TEST(Expressions, aParameterComesBeforeTheUnitOfItsNameExceptRightAfterANumber) {
  const scene::Parameters parameters{{"h", {0.5, {.m = 1}, true}, {}}};
  EXPECT_DOUBLE_EQ(worth("2*h + 0.3 m", parameters).value, 1.3);
  EXPECT_DOUBLE_EQ(worth("1 m / h", parameters).value, 2.0);
  EXPECT_DOUBLE_EQ(worth("2 h", {}).value, 7200.0);
}

TEST(Expressions, saysWhatIsWrong) {
  const scene::Parameters parameters{{"height", {0.5, {.m = 1}, true}, {}}};
  const auto reason = [&](std::string_view text) {
    const auto value = scene::readValue(text, {nullptr, parameters});
    return value ? "fine" : value.error().reason + " | " + value.error().remedy;
  };
  EXPECT_NE(reason("2*hieght").find("did you mean \"height\""), std::string::npos) << reason("2*hieght");
  EXPECT_NE(reason("height + 2 kg").find("different kinds"), std::string::npos);
  EXPECT_NE(reason("height / 0").find("divides by zero"), std::string::npos);
  EXPECT_NE(reason("2*(height").find("not closed"), std::string::npos);
  EXPECT_NE(reason("2*height)").find("cannot be read from"), std::string::npos);
  EXPECT_NE(reason("sqrt(height)").find("unit"), std::string::npos);
  EXPECT_NE(reason("sin(height)").find("angle"), std::string::npos);
  EXPECT_NE(reason("height +").find("ends too early"), std::string::npos);
  EXPECT_NE(reason("0,3 m").find("comma"), std::string::npos);
  EXPECT_NE(reason(std::string(500, '(')).find("deep"), std::string::npos);
  EXPECT_NE(reason(std::string(500, '-') + "1").find("found"), std::string::npos);
}

constexpr const char* hoistText = R"({
  "parameters": {"height": "2*half + 0.3 m", "half": "60 cm", "load": "2 t", "n": 3},
  "settings": {"seconds": "n * 2 s"},
  "bodies": {
    "beam{i}": {"repeat": "n", "motion": "static", "position": ["half*i", 0, "height"],
                "shapes": [{"type": "box", "size": [0.1, 0.1, 0.1]}]},
    "load": {"mass": "load/n", "inertia": [1, 1, 1], "position": [0, 0, 0]}
  },
  "rotors": {"wheel{k}": {"repeat": {"k": [1, 2]}, "on": "beam{k-1}", "position": [0, 0, -0.1], "radius": "half/10", "mass": 1, "axis": [0, 1, 0]}},
  "cables": {"rope": {"route": [
    {"type": "attach", "on": "load"},
    {"repeat": 2, "each": [{"type": "roll", "on": "wheel{i+1}"}]},
    {"type": "attach", "on": "beam2"}]}}
})";

TEST(Parameters, standInEveryNumberAndRepeatsWriteOutTheParts) {
  std::vector<SceneRemark> remarks;
  const auto scene = readScene(hoistText, "hoist", &remarks);
  ASSERT_TRUE(scene) << problemText("hoist", scene.error());
  EXPECT_DOUBLE_EQ(scene->settings.seconds, 6.0);
  ASSERT_EQ(scene->bodies.size(), 4u);
  EXPECT_EQ(scene->bodies[2].first, "beam2");
  EXPECT_DOUBLE_EQ(scene->bodies[2].second.position.x(), 1.2);
  EXPECT_DOUBLE_EQ(scene->bodies[2].second.position.z(), 1.5);
  EXPECT_DOUBLE_EQ(*scene->bodies[3].second.mass, 2000.0 / 3);
  ASSERT_EQ(scene->rotors.size(), 2u);
  EXPECT_EQ(scene->rotors[1].second.on, "beam1");
  ASSERT_EQ(scene->cables[0].second.route.size(), 4u);
  EXPECT_EQ(scene->cables[0].second.route[2].on, "wheel2");
  // What is written is the scene itself, without parameters.
  const auto again = readScene(writeScene(*scene), "again");
  ASSERT_TRUE(again);
  EXPECT_TRUE(equal(*scene, *again));
}

/// The first problem of a scene whose bodies are these, as people see it.
std::string troubleOf(const std::string& text) {
  const auto scene = readScene(text, "bad");
  return scene ? "fine" : problemText("bad", scene.error());
}

TEST(Parameters, problemsHaveAPlaceAndARemedy) {
  EXPECT_NE(troubleOf("{\"parameters\": {\"a\": \"b\", \"b\": \"2*a\"}}").find("needs itself"), std::string::npos);
  EXPECT_NE(troubleOf("{\"parameters\": {\"a b\": 1}}").find("letters, digits"), std::string::npos);
  EXPECT_NE(troubleOf("{\"parameters\": {\"sin\": 1}}").find("another name"), std::string::npos);
  EXPECT_NE(troubleOf("{\"parameters\": [1]}").find("expected names with numbers"), std::string::npos);
  const std::string unit = troubleOf("{\"parameters\": {\"a\": \"1 m\"},\n \"bodies\": {\"x\": {\"mass\": \"2*a\"}}}");
  EXPECT_NE(unit.find("bad:2:27: /bodies/x/mass: found \"2*a\", which is not a mass"), std::string::npos) << unit;
  EXPECT_NE(troubleOf("{\"bodies\": {\"x\": {\"repeat\": 2, \"mass\": 1}}}").find("\"x{i}\""), std::string::npos);
  EXPECT_NE(troubleOf("{\"bodies\": {\"x{j}\": {\"repeat\": 2, \"mass\": 1}}}").find("no parameter"),
            std::string::npos);
  EXPECT_NE(troubleOf("{\"bodies\": {\"x{i}\": {\"repeat\": 1.5, \"mass\": 1}}}").find("whole number"),
            std::string::npos);
  EXPECT_NE(troubleOf("{\"bodies\": {\"x{i}\": {\"repeat\": 1000000, \"mass\": 1}}}").find("up to"), std::string::npos);
  EXPECT_NE(troubleOf("{\"bodies\": {\"x{i}\": {\"repeat\": {\"a\": 99999, \"b\": 99999}, \"mass\": 1}}}")
                .find("no parameter"),
            std::string::npos);
  EXPECT_NE(
      troubleOf("{\"plots\": [{\"repeat\": {\"a\": 99999, \"b\": 99999}, \"each\": []}]}").find("repeat less often"),
      std::string::npos);
  EXPECT_NE(
      troubleOf("{\"bodies\": {\"x0\": {\"mass\": 1}, \"x{i}\": {\"repeat\": 1, \"mass\": 1}}}").find("appears twice"),
      std::string::npos);
}

TEST(Parameters, aBodyMayBeNamedRepeatAndOneThatNobodyUsesIsNoted) {
  std::vector<SceneRemark> remarks;
  const auto scene =
      readScene("{\"parameters\": {\"spare\": 1}, \"bodies\": {\"repeat\": {\"mass\": 1, \"inertia\": [1, 1, 1]}}}",
                "x", &remarks);
  ASSERT_TRUE(scene) << problemText("x", scene.error());
  EXPECT_EQ(scene->bodies[0].first, "repeat");
  ASSERT_EQ(remarks.size(), 1u);
  EXPECT_EQ(remarks[0].path, "/parameters/spare");
}

}  // namespace
}  // namespace reeve
