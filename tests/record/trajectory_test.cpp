#include "reeve/record/trajectory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace reeve::record {
namespace {

TEST(Trajectory, isAHeaderOfPathsAndALinePerSample) {
  Trajectory table({"time", "bodies.a.position.x", "energy.total"});
  const double first[] = {0.0, 0.1, -3.0}, second[] = {0.5, 1.0 / 3.0, -3.0};
  table.add(0.0, first);
  table.add(0.5, second);
  EXPECT_EQ(table.samples(), 2u);
  EXPECT_EQ(table.take(), "time,bodies.a.position.x,energy.total\n0,0.1,-3\n0.5,0.3333333333333333,-3\n");
}

TEST(Trajectory, everyLineHasAsManyFieldsAsTheHeader) {
  Trajectory table({"a", "b", "c"});
  const double row[] = {1, std::nan(""), std::numeric_limits<double>::infinity()};
  table.add(0.0, row);
  table.add(0.1, std::span(row, 1));  // too short: the rest stays empty
  EXPECT_EQ(table.take(), "time,a,b,c\n0,1,,\n0.1,1,,\n");
}

TEST(Trajectory, takeEmptiesTheBufferAndTheHeaderIsWrittenOnce) {
  Trajectory table({"a"});
  EXPECT_EQ(table.take(), "time,a\n");
  EXPECT_EQ(table.waiting(), 0u);
  const double row[] = {2.0};
  table.add(1.0, row);
  EXPECT_EQ(table.take(), "1,2\n");
}

TEST(Trajectory, namesWithCommasAndQuotesAreQuoted) {
  Trajectory table({"bodies.a,\"b\".x"});
  EXPECT_EQ(table.take(), "time,\"bodies.a,\"\"b\"\".x\"\n");
}

}  // namespace
}  // namespace reeve::record
