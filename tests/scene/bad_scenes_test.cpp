// Every file in tests/scene/bad is refused, and the message says where and why.
//
// The first word of a name says who can see the fault: the JSON grammar (syntax), a JSON Schema (schema; see
// tests/schema), or only readScene (check).
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <set>

#include "reeve/scene/scene.h"
#include "scene_files.h"

namespace {

using namespace reeve;

struct Bad {
  const char* file;
  const char* path;    ///< exactly
  const char* reason;  ///< a part of it
};

// clang-format off
const Bad bad[] = {
    {"syntax-empty", "", "the file is empty"},
    {"syntax-only-spaces", "", "the file is empty"},
    {"syntax-comment", "", "comment"},
    {"syntax-block-comment", "/name", "comment"},
    {"syntax-single-quotes", "", "single quote"},
    {"syntax-trailing-comma-object", "/name", "comma before"},
    {"syntax-trailing-comma-list", "/plots/0/observe/1", "comma before"},
    {"syntax-trailing-garbage", "", "expected the end of the file"},
    {"syntax-missing-colon", "/name", "expected ':'"},
    {"syntax-missing-comma", "/name", "expected ',' or '}'"},
    {"syntax-unquoted-key", "", "a name in double quotes"},
    {"syntax-unquoted-text", "/name", "without quotes"},
    {"syntax-nan", "/bodies/ball/density", "finite"},
    {"syntax-infinity", "/bodies/ball/density", "finite"},
    {"syntax-minus-infinity", "/bodies/ball/density", "finite"},
    {"syntax-python-true", "/bodies/ball/gravity", "\"True\""},
    {"syntax-too-large", "/bodies/ball/density", "too large for a double"},
    {"syntax-leading-zero", "/bodies/ball/density", "not a JSON number"},
    {"syntax-leading-plus", "/bodies/ball/density", "not a JSON number"},
    {"syntax-leading-point", "/bodies/ball/density", "not a JSON number"},
    {"syntax-trailing-point", "/bodies/ball/density", "not a JSON number"},
    {"syntax-bare-unit", "/bodies/ball/density", "not a JSON number"},
    {"syntax-duplicate-key", "/bodies/ball/mass", "appears twice"},
    {"syntax-duplicate-body", "/bodies/a", "appears twice"},
    {"syntax-cut-off", "/bodies/ball/mass", "end of the file"},
    {"syntax-open-text", "/name", "no closing quote"},
    {"syntax-line-break-in-text", "/name", "no closing quote"},
    {"syntax-control-character", "/name", "control character"},
    {"syntax-bad-escape", "/name", "escape"},
    {"syntax-lone-surrogate", "/name", "surrogate"},
    {"syntax-wrong-bracket", "/plots/0", "expected a value"},
    {"schema-not-an-object", "", "expected a scene"},
    {"schema-unknown-section", "/body", "has no field \"body\""},
    {"schema-unknown-key", "/bodies/ball/radius", "a body has no field \"radius\""},
    {"schema-version", "/reeve", "reads version 1"},
    {"schema-version-text", "/reeve", "reads version 1"},
    {"schema-name-is-number", "/name", "expected a text"},
    {"schema-null", "/bodies/ball/mass", "found null, expected a number"},
    {"schema-mass-is-list", "/bodies/ball/mass", "found a list of 1, expected a number"},
    {"schema-mass-zero", "/bodies/ball/mass", "must be positive"},
    {"schema-mass-negative", "/bodies/ball/mass", "must be positive"},
    {"schema-restitution", "/bodies/ball/restitution", "from 0 to 1"},
    {"schema-inf-density", "/bodies/ball/density", "expected a finite number"},
    {"check-words-for-number", "/bodies/ball/density", "expected a number"},
    {"schema-gravity-is-number", "/bodies/ball/gravity", "expected true or false"},
    {"schema-group-fraction", "/bodies/ball/group", "whole number"},
    {"schema-group-huge", "/bodies/ball/group", "whole number"},
    {"schema-group-range", "/bodies/ball/group", "from 0 to 31"},
    {"schema-motion-word", "/bodies/ball/motion", "\"static\""},
    {"schema-prescribed-dynamic", "/bodies/ball/prescribed", "no effect on a dynamic body"},
    {"schema-static-velocity", "/bodies/ball/velocity", "no effect on a static body"},
    {"schema-color", "/bodies/ball/color", "expected a color"},
    {"schema-name-with-point", "/particles", "'.'"},
    {"schema-name-empty", "/particles", "name is empty"},
    {"schema-bodies-list", "/bodies", "expected names with a body each"},
    {"schema-shape-without-type", "/bodies/ball/shapes/0", "this shape has no field \"type\""},
    {"schema-shape-word", "/bodies/ball/shapes/0/type", "\"spere\""},
    {"schema-sphere-without-radius", "/bodies/ball/shapes/0", "this sphere shape has no field \"radius\""},
    {"schema-sphere-with-polygon", "/bodies/ball/shapes/0/polygon", "no effect on a sphere"},
    {"schema-sphere-radius-zero", "/bodies/ball/shapes/0/radius", "must be positive"},
    {"schema-box-flat", "/bodies/ball/shapes/0/size/1", "must be positive"},
    {"schema-box-two-sizes", "/bodies/ball/shapes/0/size", "expected 3 numbers"},
    {"schema-hull-of-three", "/bodies/ball/shapes/0/points", "at least 4"},
    {"schema-orientation-three", "/bodies/ball/orientation", "expected an orientation"},
    {"schema-orientation-mixed", "/bodies/ball/orientation/yaw", "together with"},
    {"schema-orientation-no-angle", "/bodies/ball/orientation", "needs both"},
    {"schema-orientation-key", "/bodies/ball/orientation/jaw", "no \"jaw\""},
    {"schema-dt-zero", "/settings/dt", "must be positive"},
    {"schema-solver", "/settings/solver", "\"auto\", \"sweep\", \"direct\""},
    {"schema-substeps", "/settings/substeps", "from 1 to"},
    {"schema-ball-with-lower", "/joints/elbow/lower", "no effect on a ball joint"},
    {"schema-universal-without-axis", "/joints/elbow", "no field \"axis_b\""},
    {"schema-motor-stiffness", "/motors/m/stiffness", "no effect on a velocity motor"},
    {"schema-feedback-without-observe", "/motors/m", "no field \"observe\""},
    {"schema-motor-without-on", "/motors/m", "no field \"on\""},
    {"schema-cable-without-route", "/cables/rope", "no field \"route\""},
    {"schema-cable-one-link", "/cables/rope/route", "at least 2"},
    {"schema-cable-model", "/cables/rope/model", "\"joint\""},
    {"schema-set-without-to", "/events/0/do/0", "no field \"to\""},
    {"schema-attach-friction", "/cables/rope/route/0/friction", "no effect on an attach link"},
    {"schema-sheath-without-path", "/cables/rope/route/1", "no field \"path\""},
    {"schema-side", "/cables/rope/route/1/side", "\"ccw\" or \"cw\""},
    {"schema-plot-of-nothing", "/plots/0/observe", "at least 1"},
    {"schema-expect-without-time", "/expect/0", "no field \"at\""},
    {"check-wrong-unit", "/bodies/ball/density", "not a density"},
    {"check-unknown-unit", "/bodies/ball/mass", "\"kgs\" is no unit"},
    {"check-angle-as-length", "/bodies/ball/position/2", "not a length"},
    {"check-hertz-as-rate", "/rotors/w/rate", "not an angular velocity"},
    {"check-ambiguous-unit", "/bodies/ball/drag", "cannot be read"},
    {"check-fraction-by-zero", "/settings/dt", "divides by zero"},
    {"check-hinge-limit-in-metres", "/joints/elbow/upper", "not an angle"},
    {"check-slider-motor-in-rpm", "/motors/m/target/offset", "not a velocity"},
    {"check-huge-position", "/bodies/far/position", "beyond settings.bounds"},
    {"check-huge-mass", "/bodies/ball/mass", "beyond what can be computed"},
    {"check-tiny-mass", "/bodies/ball/mass", "beyond what can be computed"},
    {"check-quaternion-zero", "/bodies/ball/orientation", "length zero"},
    {"check-axis-zero", "/rotors/w/axis", "zero vector"},
    {"check-world", "/particles/world", "\"world\" is taken"},
    {"check-same-name-body-particle", "/particles/a", "used twice among bodies"},
    {"check-same-name-joint-rotor", "/joints/elbow", "used twice among joints"},
    {"check-massless-body", "/bodies/ball", "neither mass nor shapes"},
    {"check-mass-without-inertia", "/bodies/ball", "neither inertia nor shapes"},
    {"check-dynamic-half-space", "/bodies/ball/shapes/0", "half-space"},
    {"check-prism-not-convex", "/bodies/ball/shapes/0/polygon", "not convex"},
    {"check-prism-star", "/bodies/ball/shapes/0/polygon", "crosses itself"},
    {"check-prism-line", "/bodies/ball/shapes/0/polygon", "no area"},
    {"check-rotor-on-nothing", "/rotors/w/on", "no body named \"cart\""},
    {"check-rotor-on-rotor", "/rotors/v/on", "cannot stand on the rotor"},
    {"check-rotor-massless", "/rotors/w", "neither inertia nor mass"},
    {"check-joint-misspelt", "/joints/j/a", "named \"crnae\""},
    {"check-joint-to-itself", "/joints/elbow", "to itself"},
    {"check-joint-world-to-world", "/joints/elbow", "to itself"},
    {"check-joint-to-rotor", "/joints/j/a", "\"w\" is a rotor"},
    {"check-hinge-on-particle", "/joints/j/a", "no orientation"},
    {"check-limits-crossed", "/joints/elbow/lower", "above the upper"},
    {"check-motor-on-ball", "/motors/m/on", "no free coordinate"},
    {"check-event-without-limit", "/events/0", "no limit"},
    {"check-event-after-nothing", "/events/0/after", "no event named \"lift\""},
    {"check-event-unknown-rotor", "/events/0/when", "no rotor named \"v\""},
    {"check-teeth-without-one-way", "/rotors/w/pitch", "turns one way"},
    {"check-open-without-brake", "/rotors/w/brake_open", "no brake"},
    {"check-coupling-to-itself", "/couplings/gear", "to itself"},
    {"check-stall-alone", "/motors/m", "two points"},
    {"check-cleat-that-never-slips", "/cables/rope/route/1/cleat", "never slips"},
    {"check-motor-on-nothing", "/motors/m/on", "named \"weel\""},
    {"check-force-on-world", "/forces/f/on", "does not move"},
    {"check-torque-on-particle", "/forces/f/torque", "no effect on a particle"},
    {"check-profile-times", "/motors/m/target/table/2", "does not come after"},
    {"check-ride-on-nothing", "/cables/filament/route/1/on", "no cable named"},
    {"check-link-on-nothing", "/cables/rope/route/0/on", "named \"c\""},
    {"check-roll-without-wheel", "/cables/rope/route/1", "no wheel"},
    {"check-roll-without-axis", "/cables/rope/route/1", "no axis"},
    {"check-roll-shape-index", "/cables/rope/route/1/shape", "has 1 shapes"},
    {"check-closed-with-attach", "/cables/rope/route/0/type", "closed cable"},
    {"check-spool-in-the-middle", "/cables/rope/route/1/type", "spool in the middle"},
    {"check-slacks-count", "/cables/rope/slacks", "has 2 spans"},
    {"check-chain-young-and-inf", "/cables/c/material/axial", "would replace it"},
    {"check-chain-young-and-no-bending", "/cables/c/material/bending", "would replace it"},
    {"check-chain-points-collide", "/cables/c/collides", "no segments that could touch"},
    {"check-candidate", "/cables/rope/candidates/1", "named \"drum\""},
    {"check-candidate-rotor", "/cables/rope/candidates/1", "is a rotor"},
    {"check-expect-nothing", "/expect/0", "expects nothing"},
    {"check-expect-after-the-end", "/expect/0/at", "ends at 10 s"},
    {"check-expect-unknown-body", "/expect/0/observe", "no body named \"hook\""},
    {"check-plot-unknown-cable", "/plots/0/observe/0", "no cable named \"rope\""},
};
// clang-format on

TEST(BadScenes, eachOfTheHundredAndMoreFilesGivesItsPathAndReason) {
  for (const Bad& expected : bad) {
    SCOPED_TRACE(expected.file);
    const auto scene = readScene(fileText("tests/scene/bad/" + std::string(expected.file) + ".json"), expected.file);
    ASSERT_FALSE(scene.has_value());
    const Problem& problem = scene.error();
    EXPECT_EQ(problem.path, expected.path) << problem.reason;
    EXPECT_NE(problem.reason.find(expected.reason), std::string::npos) << problem.reason;
    EXPECT_GT(problem.line, 0);
    EXPECT_GT(problem.column, 0);
  }
}

TEST(BadScenes, everyFileOfTheFolderIsInTheTable) {
  std::set<std::string> listed, found;
  for (const Bad& expected : bad) listed.insert(expected.file);
  for (const auto& entry : std::filesystem::directory_iterator(sourcePath("tests/scene/bad")))
    found.insert(entry.path().stem().string());
  EXPECT_EQ(listed, found);
  EXPECT_GE(listed.size(), 45u);
}

Problem refusal(const std::string& text) {
  const auto scene = readScene(text, "test");
  EXPECT_FALSE(scene.has_value());
  return scene ? Problem{} : scene.error();
}

TEST(BadScenes, aMillionOpenBracketsAreRefusedInUnderASecond) {
  const auto start = std::chrono::steady_clock::now();
  for (const char* bracket : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 1000000; ++i) text += bracket;
    EXPECT_NE(refusal(text).reason.find("nested more than 64 deep"), std::string::npos);
  }
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), 1.0);
}

TEST(BadScenes, depth64IsReadAndDepth65IsRefused) {
  const std::string inner64 = std::string(63, '[') + std::string(63, ']');
  EXPECT_EQ(refusal("{\"plots\": " + inner64 + "}").reason.find("nested"), std::string::npos);
  const std::string inner65 = std::string(64, '[') + std::string(64, ']');
  EXPECT_NE(refusal("{\"plots\": " + inner65 + "}").reason.find("nested more than 64 deep"), std::string::npos);
}

TEST(BadScenes, moreThan64MebibytesAreRefusedUnread) {
  const std::string text((std::size_t{64} << 20) + 1, ' ');
  EXPECT_NE(refusal(text).reason.find("67108865 bytes"), std::string::npos);
}

TEST(BadScenes, moreThanTwoMillionValuesAreRefused) {
  std::string text = "{\"plots\": [0";
  for (int i = 0; i < 2200000; ++i) text += ",0";
  EXPECT_NE(refusal(text + "]}").reason.find("more than 2097152 values"), std::string::npos);
}

TEST(BadScenes, textThatIsNotUtf8IsRefusedWithItsPlace) {
  for (const char* bytes : {"\xFF", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xC3", "\x80",
                            "\xF8\x88\x80\x80\x80"}) {
    const Problem problem = refusal(std::string("{\n  \"name\": \"") + bytes + "\"}");
    EXPECT_NE(problem.reason.find("UTF-8"), std::string::npos) << problem.reason;
    EXPECT_EQ(problem.line, 2);
    EXPECT_EQ(problem.column, 12);
  }
  EXPECT_NE(refusal("\xFF\xFE{").reason.find("UTF-16"), std::string::npos);
}

TEST(BadScenes, aValidSceneCutAtAnyByteGivesAnErrorOrAScene) {
  for (const char* file : {"scenes/double-pendulum.json", "tests/scene/rich.json"}) {
    const std::string text = fileText(file);
    for (std::size_t length = 0; length < text.size(); ++length) {
      const auto scene = readScene(std::string_view(text).substr(0, length), "cut");
      EXPECT_TRUE(scene || !scene.error().reason.empty());
      EXPECT_TRUE(!scene || length + 2 >= text.size()) << length;
    }
  }
}

TEST(BadScenes, aValidSceneWithAnyByteReplacedNeverCrashes) {
  const std::string text = fileText("tests/scene/rich.json");
  for (const char replacement : {'\0', '"', '{', ']', ',', '9', 'e', '-', '\xC3'}) {
    for (std::size_t at = 0; at < text.size(); at += 7) {
      std::string changed = text;
      changed[at] = replacement;
      const auto scene = readScene(changed, "changed");
      EXPECT_TRUE(scene || !scene.error().reason.empty());
    }
  }
}

TEST(BadScenes, misspeltWordsGetTheNearestValidOne) {
  EXPECT_NE(
      refusal(R"({"bodies": {"a": {"angularVelocity": [0, 0, 0]}}})").remedy.find("did you mean \"angular_velocity\""),
      std::string::npos);
  EXPECT_NE(refusal(R"({"boddies": {}})").remedy.find("did you mean \"bodies\""), std::string::npos);
  EXPECT_NE(refusal(R"({"body": {}})").remedy.find("did you mean \"bodies\""), std::string::npos);
  EXPECT_NE(refusal(R"({"settings": {"solver": "automatic"}})").remedy.find("did you mean \"auto\""),
            std::string::npos);
  EXPECT_NE(refusal(R"({"joints": {"j": {"type": "hing"}}})").remedy.find("did you mean \"hinge\""), std::string::npos);
  EXPECT_NE(refusal(R"({"particles": {"p": {"mass": "5 kgs"}}})").remedy.find("did you mean \"kg\""),
            std::string::npos);
  EXPECT_NE(refusal(R"({"particles": {"hook": {}}, "joints": {"j": {"type": "ball", "a": "hok"}}})")
                .remedy.find("did you mean \"hook\""),
            std::string::npos);
}

TEST(BadScenes, aProblemReadsAsFileLineColumnPathReasonRemedy) {
  const Problem problem = refusal("{\n  \"settings\": {\"dt\": \"5 m\"}\n}");
  EXPECT_EQ(problemText("crane.json", problem),
            "crane.json:2:22: /settings/dt: found \"5 m\", which is not a time\n  units that fit: us, ms, s, min, h");
}

TEST(BadScenes, descriptionsMadeByProgramsAreCheckedToo) {
  Description description;
  EXPECT_TRUE(checkScene(description).has_value());
  description.particles.emplace_back("p", ParticleSettings{});
  description.particles[0].second.mass = std::nan("");
  EXPECT_EQ(checkScene(description).error().path, "/particles/p/mass");
  description.particles[0].second.mass = 1.0;
  description.particles.emplace_back("p", ParticleSettings{});
  EXPECT_NE(checkScene(description).error().reason.find("used twice"), std::string::npos);
  description.particles[1].first = "a/b";
  EXPECT_NE(checkScene(description).error().reason.find("'/'"), std::string::npos);
}

}  // namespace
