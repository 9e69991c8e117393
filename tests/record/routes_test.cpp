#include "reeve/record/routes.h"

#include <gtest/gtest.h>

namespace reeve::record {
namespace {

Observation at(double time, const std::vector<std::string>& links) {
  Observation seen;
  seen.time = time;
  CableObservation cable;
  for (std::size_t i = 0; i + 1 < links.size(); ++i) {
    SpanObservation span;
    span.from = links[i];
    span.to = links[i + 1];
    span.length = 2.0;
    span.rest = 1.5;
    span.tension = 3.0;
    cable.spans.push_back(span);
  }
  seen.cables.emplace_back("c", cable);
  return seen;
}

TEST(Routes, tellEverySpanWhileACableRunsOtherwiseThanAtTheStartAndOnceWhenItDoesAgain) {
  Routes routes;
  routes.add(at(0.0, {"world", "load"}));
  EXPECT_EQ(routes.take(), "time,cable,span,from,to,length,rest,tension,sag\n");
  routes.add(at(0.1, {"world", "load"}));
  EXPECT_EQ(routes.waiting(), 0u);
  routes.add(at(0.2, {"world", "a,peg", "load"}));
  EXPECT_EQ(routes.take(), "0.2,c,0,world,\"a,peg\",2,1.5,3,0\n0.2,c,1,\"a,peg\",load,2,1.5,3,0\n");
  routes.add(at(0.3, {"world", "load"}));
  EXPECT_EQ(routes.take(), "0.3,c,0,world,load,2,1.5,3,0\n");
  routes.add(at(0.4, {"world", "load"}));
  EXPECT_EQ(routes.take(), "");
}

TEST(Routes, aBodyTouchedInsteadOfAnotherIsAnotherRoute) {
  Routes routes;
  routes.add(at(0.0, {"world", "a", "load"}));
  routes.take();
  routes.add(at(0.1, {"world", "b", "load"}));
  EXPECT_EQ(routes.take(), "0.1,c,0,world,b,2,1.5,3,0\n0.1,c,1,b,load,2,1.5,3,0\n");
}

}  // namespace
}  // namespace reeve::record
