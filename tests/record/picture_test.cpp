#include "reeve/record/picture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>

#include "sample_scenes.h"
#include "well_formed.h"

namespace reeve::record {
namespace {

/// Set REEVE_PICTURES to a folder to look at what the tests draw.
void keep(const std::string& name, const std::string& svg) {
  if (const char* folder = std::getenv("REEVE_PICTURES"))
    std::ofstream(std::string(folder) + "/" + name + ".svg") << svg;
}

std::string draw(const std::string& name, const samples::Sample& sample, PictureOptions options = {}) {
  std::string svg = drawPicture(sample.description, sample.observation, options);
  keep(name, svg);
  return svg;
}

TEST(Picture, sampleScenesAreWellFormedFromEveryNamedView) {
  const std::pair<std::string, samples::Sample> all[] = {{"pendulum", samples::doublePendulum()},
                                                         {"pile", samples::pile()},
                                                         {"crane", samples::crane()},
                                                         {"net", samples::net()},
                                                         {"floor", samples::bigFloor()},
                                                         {"many", samples::manyThings()}};
  for (const auto& [name, sample] : all) {
    EXPECT_EQ(samples::flawOf(draw(name, sample)), "") << name;
    for (const char* view : {"front", "back", "left", "right", "top", "bottom", "iso"}) {
      PictureOptions options;
      options.from = *parseView(view);
      EXPECT_EQ(samples::flawOf(draw(name + "-" + view, sample, options)), "") << name << " from " << view;
    }
  }
}

TEST(Picture, ofNothingIsWellFormed) { EXPECT_EQ(samples::flawOf(draw("empty", {})), ""); }

/// A scene of every shape, wheel, particle and joint, all of it scaled and moved.
samples::Sample scaled(double scale, const Vec3& offset) {
  samples::Sample sample = samples::pile();
  const samples::Sample crane = samples::crane();
  sample.description.rotors = crane.description.rotors;
  sample.description.cables = crane.description.cables;
  sample.description.particles.emplace_back("dot", ParticleSettings{});
  sample.observation.cables = crane.observation.cables;
  for (auto& [name, body] : sample.description.bodies) {
    body.position = body.position * scale + offset;
    for (ShapeSettings& shape : body.shapes) {
      shape.radius *= scale, shape.length *= scale, shape.size *= scale;
      for (Vec3& p : shape.points) p *= scale;
      for (Vec2& p : shape.polygon) p *= scale;
    }
  }
  for (auto& [name, rotor] : sample.description.rotors)
    rotor.radius *= scale, rotor.width *= scale, rotor.position *= scale;
  for (auto& [name, cable] : sample.observation.cables) {
    for (Vec3& p : cable.polyline) p = p * scale + offset;
    for (auto& span : cable.spans) span.start = span.start * scale + offset, span.end = span.end * scale + offset;
  }
  const auto cables = sample.observation.cables;
  sample.observation = samples::atStart(sample.description);
  sample.observation.cables = cables;
  return sample;
}

TEST(Picture, ofDegenerateScenesHasNoNumberThatIsNotOne) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const std::pair<const char*, samples::Sample> all[] = {
      {"zero", scaled(0.0, Vec3::Zero())},        {"tiny", scaled(1e-12, Vec3::Zero())},
      {"huge", scaled(1e100, Vec3::Zero())},      {"largest", scaled(1e308, Vec3::Zero())},
      {"far", scaled(1.0, Vec3(1e9, -1e9, 1e9))}, {"farthest", scaled(1.0, Vec3::Constant(1e300))},
      {"nan", scaled(1.0, Vec3(nan, 0, 0))},      {"inf", scaled(1.0, Vec3(0, 0, inf))},
      {"nan size", scaled(nan, Vec3::Zero())},
  };
  for (const auto& [name, sample] : all)
    for (const char* view : {"front", "top", "iso"}) {
      PictureOptions options;
      options.from = *parseView(view);
      EXPECT_EQ(samples::flawOf(draw("hostile", sample, options)), "") << name << " from " << view;
    }
}

TEST(Picture, keepsToStartPosesWhereTheObservationIsBad) {
  samples::Sample sample = samples::doublePendulum();
  sample.observation.bodies[0].second.position = Vec3::Constant(std::nan(""));
  sample.observation.bodies[1].second.orientation.coeffs().setZero();
  EXPECT_EQ(samples::flawOf(draw("bad", sample)), "");
  EXPECT_EQ(samples::flawOf(drawPicture(sample.description, {})), "");
}

TEST(Picture, escapesNames) {
  samples::Sample sample = samples::crane();
  sample.description.name = "<&\"'>";
  sample.description.about = "a < b";
  for (auto& [name, body] : sample.description.bodies) name = "<" + name + "&>";
  EXPECT_EQ(samples::flawOf(draw("escape", sample)), "");
}

TEST(Picture, oddSizesAndViewsAreDrawnToo) {
  for (const auto& [width, height] : {std::pair(100.0, 100.0), std::pair(3000.0, 150.0), std::pair(120.0, 2000.0)}) {
    PictureOptions options;
    options.width = width, options.height = height;
    options.from = Vec3::Zero();
    EXPECT_EQ(samples::flawOf(draw("size", samples::crane(), options)), "");
  }
}

TEST(Picture, namesEveryBodyAndEachTension) {
  const std::string svg = draw("crane", samples::crane());
  for (const char* text : {">mast<", ">jib<", ">load<", ">drum<", ">hoist<", ">guy<", ">tag line<", ">6.3 kN<",
                           ">11.2 kN<", ">1 m<", ">t = 2.5 s<"})
    EXPECT_NE(svg.find(text), std::string::npos) << text;
}

TEST(Picture, slackCablesAreDashed) {
  samples::Sample sample = samples::crane();
  std::erase_if(sample.observation.cables, [](const auto& cable) { return cable.first == "tag line"; });
  EXPECT_EQ(draw("taut", sample).find("stroke-dasharray"), std::string::npos);
  EXPECT_NE(draw("slack", samples::crane()).find("stroke-dasharray"), std::string::npos);
}

TEST(Picture, aWheelShowsItsTurn) {
  samples::Sample sample = samples::crane();
  const std::string before = draw("turn", sample);
  sample.observation.rotors[0].second.angle += 0.3;
  EXPECT_NE(draw("turn", sample), before);
}

TEST(Picture, viewsAreNamesOrVectors) {
  EXPECT_EQ(*parseView("top"), Vec3(0, 0, 1));
  EXPECT_EQ(*parseView("1,-2,0.5"), Vec3(1, -2, 0.5));
  for (const char* bad : {"", "above", "1,2", "1,2,3,4", "0,0,0", "nan,0,0", "1,2,x"})
    EXPECT_FALSE(parseView(bad)) << bad;
}

TEST(Picture, isTheSameTextEveryTime) { EXPECT_EQ(draw("again", samples::pile()), draw("again", samples::pile())); }

std::size_t countOf(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Picture, signsPutOneArrowOnEveryWheelHingeAndLongSpanAndNoneWithoutBeingAsked) {
  const auto sample = samples::crane();
  const std::string blue = "#1f5fae";
  EXPECT_EQ(countOf(draw("unsigned", sample), blue), 0u);
  PictureOptions options;
  options.signs = true;
  const std::string svg = draw("signs", sample, options);
  EXPECT_EQ(samples::flawOf(svg), "");
  // Each arrow is a line or an arc, and its head.
  const std::size_t hinges =
      static_cast<std::size_t>(std::count_if(sample.description.joints.begin(), sample.description.joints.end(),
                                             [](const auto& joint) { return joint.second.type == JointType::hinge; }));
  EXPECT_GE(countOf(svg, blue), 2 * (sample.description.rotors.size() + hinges));
}

TEST(Picture, thoseOfARunShareTheColorsOfTheLargestTension) {
  auto sample = samples::crane();
  PictureForces forces;
  forces.include(sample.description, sample.observation);
  auto gentle = sample;
  for (auto& [name, cable] : gentle.observation.cables) {
    for (SpanObservation& span : cable.spans) span.tension *= 0.1;
    for (double& tension : cable.tensions) tension *= 0.1;
  }
  PictureOptions options;
  options.labels = false;
  const std::string own = draw("own", gentle, options);
  options.forces = forces;
  // The legend is that of the run, whatever this instant pulls.
  const auto legend = [](const std::string& svg) { return svg.substr(svg.find("url(#p-tension)")); };
  EXPECT_EQ(legend(draw("shared", gentle, options)), legend(draw("whole", sample, options)));
  EXPECT_NE(legend(draw("shared", gentle, options)), legend(own));
}

}  // namespace
}  // namespace reeve::record
