#include "reeve/record/picture.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "sample_scenes.h"
#include "well_formed.h"

namespace reeve::record {
namespace {

/// Set REEVE_PICTURES to a folder to look at what the tests draw.
void keep(const std::string& name, const std::string& svg) {
  if (const char* folder = std::getenv("REEVE_PICTURES")) std::ofstream(std::string(folder) + "/" + name + ".svg") << svg;
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

}  // namespace
}  // namespace reeve::record
