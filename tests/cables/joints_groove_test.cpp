// Wheels with a groove, which keep their cable at any fleet angle, and plain ones, which it slides off.
#include "cables/cable_scenes.h"
#include "reeve/geometry/tangent_span.h"

namespace reeve::test {
namespace {

constexpr double radius = 0.2, width = 0.1;

/// A stretched rope over a wheel, one end of which is drawn along the axle at 0.5 m/s.
Description drawnAside(bool groove, double friction = unbounded) {
  Description d = heavy(1.0 / 240);
  d.rotors.emplace_back("wheel", wheelAt(Vec3::Zero(), radius, 0.1));
  d.rotors.back().second.width = width;
  addMoved(d, "car", Vec3(1, 0, -0.6), Vec3::UnitY(), ramp({{0, 0}, {4, 2}}, false));
  LinkSettings over = rollOver("wheel", 1, friction);
  over.groove = groove;
  CableSettings& c = addCable(d, "rope", {attachTo("world", Vec3(-1, 0, -0.6)), over, attachTo("car")});
  c.material.axial = 1000.0;
  c.material.friction = 0.25;
  return d;
}

/// Where the end has to be for the rope to pull along the axle by μ times what it presses on, from the wheel's edge.
double slidesOffAt(double friction) {
  const Outline wheel = Outline::circle(radius), point = Outline::point();
  const auto ratio = [&](double y) {
    SpanLink a{&point, 1, LinkFrame::fromNormal(Vec3(-1, 0, -0.6), Vec3::UnitY())};
    SpanLink edge{&wheel, 1, LinkFrame::fromNormal(Vec3(0, 0.5 * width, 0), Vec3::UnitY())};
    SpanLink b{&point, 1, LinkFrame::fromNormal(Vec3(1, y, -0.6), Vec3::UnitY())};
    const Vec3 pull = spanBetween(edge, b).n - spanBetween(a, edge).n;
    return pull.y() / std::hypot(pull.x(), pull.z());
  };
  double low = 0.0, high = 20.0;
  while (high - low > 1e-6) (ratio(0.5 * (low + high)) < friction ? low : high) = 0.5 * (low + high);
  return low;
}

TEST(Groove, KeepsTheCableAtAnyFleetAngle) {
  World w = make(drawnAside(true));
  run(w, 4.0);
  EXPECT_EQ(cableOf(w).links.size(), 3u);
}

TEST(Groove, WithoutOneTheCableSlidesOffWhereFrictionNoLongerHoldsItAtTheEdge) {
  for (const double friction : {unbounded, 0.1}) {
    World w = make(drawnAside(false, friction));
    const double at = slidesOffAt(friction < unbounded ? friction : 0.25);
    ASSERT_GT(at, 0.1);
    ASSERT_LT(at, 1.9);
    while (cableOf(w).links.size() == 3u && w.time() < 4.0) ASSERT_TRUE(w.step().good);
    EXPECT_NEAR(measure(w, "bodies.car.position.y"), at, 2 * 0.5 / 240) << friction;
    const auto events = w.takeEvents();
    ASSERT_FALSE(events.empty());
    EXPECT_EQ(events.back().subject, "cables.rope.links.1");
    EXPECT_NE(events.back().what.find("slid off"), std::string::npos);
    // It hangs from end to end beside the wheel, slack: what lay on the wheel is free.
    const double straight = std::hypot(2.0, measure(w, "bodies.car.position.y"));
    EXPECT_GT(measure(w, "cables.rope.length"), straight);
    run(w, 0.1);
    EXPECT_EQ(tension(w, 0), 0.0);
    EXPECT_EQ(cableOf(w).links.size(), 2u);
  }
}

TEST(Groove, IsRefusedWhereNothingCouldSlipOff) {
  Description particles = drawnAside(false);
  particles.cables[0].second.model = CableModel::particles;
  const auto other = World::build(particles);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().path, "/cables/rope/route/1/groove");
  EXPECT_EQ(other.error().remedy, "use model joints");
}

}  // namespace
}  // namespace reeve::test
