#include "reeve/record/sentence.h"

#include <gtest/gtest.h>

namespace reeve::record {
namespace {

TEST(Sentence, EndsAtAFullStopThatIsNotAnAbbreviations) {
  EXPECT_EQ(firstSentence("Energy of a hook (fig. 8 of the paper). Four densities."),
            "Energy of a hook (fig. 8 of the paper).");
  EXPECT_EQ(firstSentence("A rope, i.e. a cable. It hangs."), "A rope, i.e. a cable.");
  EXPECT_EQ(firstSentence("One line\nand another."), "One line");
  EXPECT_EQ(firstSentence(""), "");
}

TEST(Sentence, IsCutBetweenCharacters) {
  const auto bytes = [](std::size_t most) { return [=](const std::string& line) { return line.size() <= most; }; };
  EXPECT_EQ(cutTo("short", bytes(5)), "short");
  EXPECT_EQ(cutTo("0.5 µm of wire", bytes(9)), "0.5 µ…");
  EXPECT_EQ(cutTo("0.5 µm of wire", bytes(8)), "0.5 …");
  EXPECT_EQ(cutTo("µµ", bytes(1)), "…");
}

}  // namespace
}  // namespace reeve::record
