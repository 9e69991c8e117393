// A cable at tension passes a split or a merge: nothing jumps, nothing is skipped, what must turn is brought to speed.
#include <algorithm>

#include "cables/cable_scenes.h"

namespace reeve::test {
namespace {

/// Tension of the first span at every step, and the steps at which something was met or left.
struct Passage {
  std::vector<double> tension;
  std::vector<std::size_t> events, met;  ///< all, and the splits only
  int splits = 0, merges = 0;
  double drift = 0.0;  ///< of the rest length, relative
};

Passage pass(Description d, double seconds) {
  World w = make(std::move(d));
  Passage p;
  const double length = measure(w, "cables.rope.length");
  const std::int64_t steps = std::llround(seconds / w.description().settings.dt);
  for (std::int64_t i = 0; i < steps && w.step().good; ++i) {
    for (const Event& e : w.takeEvents()) {
      const bool split = e.what.find("split") == 0, merge = e.what.find("merge") == 0;
      p.splits += split;
      p.merges += merge;
      if (split || merge) p.events.push_back(p.tension.size());
      if (split) p.met.push_back(p.tension.size());
    }
    p.tension.push_back(measure(w, "cables.rope.spans.0.tension"));
    p.drift = std::max(p.drift, std::fabs(measure(w, "cables.rope.length") / length - 1.0));
  }
  EXPECT_TRUE(w.verdict().good) << w.verdict().culprit << w.verdict().reason;
  return p;
}

/// The largest change of tension in one step, relative, in the step of an event and the two on either side of it.
double change(const Passage& p) {
  double most = 0.0;
  for (const std::size_t at : p.events)
    for (std::size_t i = at < 2 ? 1 : at - 2; i <= at + 2 && i < p.tension.size(); ++i)
      if (i > 0) most = std::max(most, std::fabs(p.tension[i] / p.tension[i - 1] - 1.0));
  return most;
}

/// The same without what the motion itself does: the change in a step less the mean of those before and after it. A
/// wheel that is met bends the course of tension (its second derivative jumps), which this still counts in full.
double jump(const Passage& p, const std::vector<std::size_t>& events) {
  double most = 0.0;
  for (const std::size_t at : events)
    for (std::size_t i = at < 3 ? 2 : at - 2; i <= at + 2 && i + 1 < p.tension.size(); ++i) {
      if (i < 2) continue;
      const double before = p.tension[i - 1] - p.tension[i - 2], here = p.tension[i] - p.tension[i - 1],
                   after = p.tension[i + 1] - p.tension[i];
      most = std::max(most, std::fabs(here - 0.5 * (before + after)) / p.tension[i]);
    }
  return most;
}

TEST(Split, APostPushedSlowlyIntoATautSpanAndWithdrawnChangesTensionByLessThanAThousandthAStep) {
  for (const bool swept : {false, true})
    for (const bool declared : {true, false})
      for (const double friction : {0.0, 0.2, unbounded}) {
        Description d = stretched(ramp({{0, 0}, {12, 1.1}, {24, 0}}), declared, friction);
        if (swept) {
          d.settings.solver = SolverChoice::sweep;
          d.settings.substeps = 4;
          d.settings.iterations = 10;
        }
        const Passage p = pass(d, 25.0);
        EXPECT_GE(p.splits, 1) << declared << friction;
        EXPECT_EQ(p.merges, p.splits);
        EXPECT_LT(change(p), 1e-3) << "declared " << declared << " friction " << friction << " sweep " << swept;
        EXPECT_LT(p.drift, 1e-9);
      }
}

TEST(Split, APostPushedInAtAMetreASecondMakesNoJumpBesideWhatTheMotionDoes) {
  for (int run = 0; run < 36; ++run) {
    const bool declared = run % 2 == 0;
    const double friction = run % 3 == 0 ? 0.0 : run % 3 == 1 ? 0.2 : unbounded;
    const Vec3 from(0, 0, 1.0 + 7e-4 * (run / 6));  // met and left at other times within a step
    const Passage p = pass(stretched(ramp({{0, 0}, {1.6, 1.1}, {3.2, 0}}), declared, friction, from), 4.0);
    EXPECT_GE(p.splits, 1) << declared << friction;
    EXPECT_EQ(p.merges, p.splits);
    // A cable that never slips keeps two tensions on one wheel until it leaves it: then they meet, and that is a
    // jump. With any finite friction they meet as the wrap goes to nothing.
    EXPECT_LT(jump(p, friction == unbounded ? p.met : p.events), 1e-3) << declared << " friction " << friction;
  }
}

TEST(Merge, LeavesEveryWheelBesideItWithTheCableThatLiesOnItAtOnce) {
  // The span from a fixed point to a wheel in a fixed bearing stands still, and is measured only once: what the bent
  // span laid on the wheel must be given back in the step of the merge itself.
  for (const bool declared : {true, false})
    for (const double friction : {0.0, unbounded})
      for (int phase = 0; phase < 6; ++phase) {
        const Vec3 from(0, 0, 1.0 + 7e-4 * phase);
        World w = make(stretched(ramp({{0, 0}, {1.6, 1.1}, {3.2, 0}}), declared, friction, from));
        int merges = 0;
        for (int i = 0; i < 240 * 4; ++i) {
          ASSERT_TRUE(w.step().good);
          for (const Event& e : w.takeEvents()) merges += e.what.find("merge") == 0;
          const Observation o = w.observe();
          const auto& links = o.cables[0].second.links;
          for (const LinkObservation& l : links) {
            if (l.on != "wheel") continue;
            ASSERT_NEAR(l.stored, 0.3 * l.wrap, 1e-9) << w.time();
            // Straight again: a quarter of the wheel, whatever lay on it before.
            if (links.size() == 3) {
              ASSERT_NEAR(l.wrap, M_PI / 2, 1e-9) << w.time() << " " << declared << friction << phase;
            }
          }
        }
        EXPECT_EQ(merges, 1);
      }
}

TEST(Split, AWheelAtRestThatAMovingRopeMeetsIsBroughtToItsSpeedByAnImpulse) {
  // Two equal weights on a rope that cannot stretch, moving at v; a third wheel is lowered onto the span between the
  // outer ones. It cannot slip: (2m + J) v' = 2m v + what else turns, with J = I/r², and the rope stays taut.
  const double m = 5.0, v = 2.0, r = 0.2, light = 1e-3, inertia = 0.4;
  Description d = heavy(1.0 / 240);
  for (const double x : {-2.0, 2.0}) d.rotors.emplace_back(x < 0 ? "left" : "right", wheelAt(Vec3(x, 0, 0), r, light));
  for (auto& [name, rotor] : d.rotors) rotor.rate = v / r;
  addMass(d, "up", m, Vec3(-2 - r, 0, -6)).velocity = Vec3(0, 0, v);
  addMass(d, "down", m, Vec3(2 + r, 0, -2)).velocity = Vec3(0, 0, -v);
  addMoved(d, "carriage", Vec3(0, 0, 0.6), Vec3(0, 0, -1), ramp({{0, 0}, {1, 0.25}}));
  d.rotors.emplace_back("met", wheelAt(Vec3::Zero(), r, inertia, "carriage"));
  LinkSettings met = rollOver("met", -1);
  met.active = false;
  addCable(d, "rope", {attachTo("up"), rollOver("left", 1), met, rollOver("right", 1), attachTo("down")});
  World w = make(d);
  bool split = false;
  double most = 0.0;
  for (int i = 0; i < 240; ++i) {
    ASSERT_TRUE(w.step().good);
    for (const Event& e : w.takeEvents()) split = split || e.what.find("split") == 0;
    if (!split) continue;
    most = std::max(most, measure(w, "cables.rope.spans.0.tension"));
    EXPECT_GT(measure(w, "cables.rope.spans.0.tension"), 0.0) << i;
  }
  ASSERT_TRUE(split);
  const double others = 2 * m + 2 * light / (r * r), after = v * others / (others + inertia / (r * r));
  EXPECT_NEAR(measure(w, "particles.up.velocity.z") / after, 1.0, 1e-2);
  EXPECT_NEAR(std::fabs(measure(w, "rotors.met.rate")) * r / after, 1.0, 1e-2);
  EXPECT_LT(most, 1.2 * m * 10);
}

TEST(Split, APostSweptAcrossATautSpanIsCaughtAtAnySpeedAndNeverSkipped) {
  // The way round a post of radius R at depth z below the line, from the fixed end to the wheel, is much longer than
  // the straight line: were the post skipped, the free length would be that of the straight span.
  const double radius = 0.1;
  for (const bool swept : {false, true})
    for (const bool declared : {true, false})
      for (const double speed : {1.0, 10.0, 100.0})
        for (int start = 0; start < 7; ++start) {
          const double offset = 0.061 * start;
          Profile travel;
          travel.rate = speed;
          Description d = stretched(travel, declared, 0.0, Vec3(0, 0, 0.5 + offset), radius);
          if (swept) {
            d.settings.solver = SolverChoice::sweep;
            d.settings.substeps = 4;
            d.settings.iterations = 10;
          }
          World w = make(d);
          int splits = 0, merges = 0;
          double z = 1.0;
          while (z > -1.0) {
            ASSERT_TRUE(w.step().good);
            for (const Event& e : w.takeEvents()) {
              splits += e.what.find("split") == 0;
              merges += e.what.find("merge") == 0;
            }
            z = 0.5 + offset - speed * w.time();
            if (z > -0.15) continue;
            // Caught in the very step in which it passed, and held since.
            ASSERT_EQ(splits, 1) << declared << " " << speed << " " << offset << " " << z;
            ASSERT_EQ(merges, 0) << declared << " " << speed << " " << offset << " " << z;
          }
          // The path below the post, by its closed form: tangents from the fixed end and to the wheel.
          const double d0 = std::hypot(3.0, z), first = std::sqrt(d0 * d0 - radius * radius);
          EXPECT_NEAR(measure(w, "cables.rope.spans.0.length"), first, 1e-9 * first);
          const double dx = 3.0, dz = -0.3 - z, d1 = std::hypot(dx, dz), both = radius + 0.3;
          const double second = std::sqrt(d1 * d1 - both * both);  // the post turns it the other way than the wheel
          EXPECT_NEAR(measure(w, "cables.rope.spans.1.length"), second, 1e-9 * second);
          EXPECT_GT(first + second, 6.05);
          const double wrap = measure(w, "cables.rope.links.1.wrap");
          EXPECT_GT(wrap, 0.5);
          EXPECT_LT(wrap, 1.5);
        }
}

}  // namespace
}  // namespace reeve::test
