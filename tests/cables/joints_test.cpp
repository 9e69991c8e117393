// Cable joints against closed forms.
#include "support/scenes.h"

namespace reeve::test {
namespace {

LinkSettings attach(std::string on, Vec3 point = Vec3::Zero()) {
  LinkSettings l;
  l.type = LinkType::attach;
  l.on = std::move(on);
  l.point = point;
  return l;
}

LinkSettings roll(std::string on, int side, double friction = unbounded) {
  LinkSettings l;
  l.type = LinkType::roll;
  l.on = std::move(on);
  l.side = side;
  l.friction = friction;
  return l;
}

RotorSettings wheel(Vec3 position, double radius, double inertia, std::string on = "world") {
  RotorSettings r;
  r.on = std::move(on);
  r.position = position;
  r.radius = radius;
  r.inertia = inertia;
  return r;
}

void mass(Description& d, const std::string& name, double m, Vec3 position) {
  ParticleSettings p;
  p.mass = m;
  p.position = position;
  d.particles.emplace_back(name, p);
}

/// Two masses over one wheel in the xz-plane. Seen along +y the plane's x axis and z axis turn clockwise (x towards
/// −z), so a cable that goes up on the left (−x), over the top and down on the right turns positively about +y.
Description atwood(double m1, double m2, double inertia, double r, double dt) {
  Description d = heavy(dt);
  mass(d, "left", m1, Vec3(-r, 0, -5));
  mass(d, "right", m2, Vec3(r, 0, -5));
  d.rotors.emplace_back("wheel", wheel(Vec3::Zero(), r, inertia));
  CableSettings c;
  c.route = {attach("left"), roll("wheel", 1), attach("right")};
  d.cables.emplace_back("rope", c);
  return d;
}

TEST(Atwood, AccelerationAndTensionDifferenceAreTheClosedFormUpToAMillionToOne) {
  for (const double m2 : {2.0, 1.001, 1e6}) {
    const double m1 = 1.0, inertia = 0.1, r = 0.3, dt = 1.0 / 240;
    World w = make(atwood(m1, m2, inertia, r, dt));
    run(w, 0.5);
    const double a = (m2 - m1) * 10 / (m1 + m2 + inertia / (r * r));
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z") / (a * 0.5), 1.0, 1e-6) << m2;
    EXPECT_NEAR(measure(w, "rotors.wheel.rate") / (a * 0.5 / r), 1.0, 1e-6);
    const double difference = measure(w, "cables.rope.spans.1.tension") - measure(w, "cables.rope.spans.0.tension");
    EXPECT_NEAR(difference / (inertia * a / (r * r)), 1.0, 1e-6) << m2;
    EXPECT_NEAR(measure(w, "cables.rope.length"), 10 + M_PI * r, 1e-9);
  }
}

TEST(Capstan, HoldsBelowAndSlipsAboveTheExponentialAndSlidesWithTheClosedFormAcceleration) {
  for (const double turns : {0.25, 0.5, 1.5}) {
    const double mu = 0.3, angle = 2 * M_PI * turns, kappa = std::exp(mu * angle), r = 0.3;
    const auto scene = [&](double factor) {
      Description d = heavy(1.0 / 240);
      BodySettings post;
      post.motion = BodyMotion::fixed;
      d.bodies.emplace_back("post", post);
      mass(d, "left", 1.0, turns == 0.25 ? Vec3(-5, 0, r) : Vec3(-r, 0, -5));
      mass(d, "right", kappa * factor, Vec3(r, 0, -5));
      if (turns == 0.25) {
        // A quarter turn: the light side is held by a horizontal force instead of gravity.
        d.particles.front().second.gravity = false;
        ForceSettings f;
        f.on = "left";
        f.force = Vec3(-10, 0, 0);
        d.forces.emplace_back("f", f);
      }
      LinkSettings drum = roll("post", 1, mu);
      drum.radius = r;
      drum.axis = Vec3::UnitY();
      drum.turns = turns > 1.0 ? 1 : 0;
      CableSettings c;
      c.route = {attach("left"), drum, attach("right")};
      d.cables.emplace_back("rope", c);
      return d;
    };
    World held = make(scene(0.99));
    run(held, 0.5);
    EXPECT_LT(std::fabs(measure(held, "particles.right.velocity.z")), 1e-6) << turns;
    World slipping = make(scene(1.01));
    run(slipping, 0.5);
    EXPECT_LT(measure(slipping, "particles.right.velocity.z"), -1e-3) << turns;
    World fast = make(scene(2.0));
    run(fast, 0.5);
    const double m2 = 2 * kappa, a = 10 * (m2 - kappa) / (m2 + kappa);
    EXPECT_NEAR(-measure(fast, "particles.right.velocity.z") / (a * 0.5), 1.0, 1e-3) << turns;
    EXPECT_NEAR(measure(fast, "cables.rope.spans.1.tension") / measure(fast, "cables.rope.spans.0.tension") / kappa,
                1.0, 1e-6);
    EXPECT_NEAR(measure(fast, "cables.rope.links.1.slip"), 0.5 * a * 0.25, 1e-3);
  }
}

TEST(Capstan, SweepSlidesLikeDirectAndHoldsLikeIt) {
  const double mu = 0.3, kappa = std::exp(mu * M_PI), r = 0.3;
  for (const double factor : {0.98, 2.0}) {
    Description d = heavy(1.0 / 60);
    d.settings.solver = SolverChoice::sweep;
    d.settings.substeps = 10;
    d.settings.iterations = 5;
    BodySettings post;
    post.motion = BodyMotion::fixed;
    d.bodies.emplace_back("post", post);
    mass(d, "left", 1.0, Vec3(-r, 0, -5));
    mass(d, "right", kappa * factor, Vec3(r, 0, -5));
    LinkSettings drum = roll("post", 1, mu);
    drum.radius = r;
    drum.axis = Vec3::UnitY();
    CableSettings c;
    c.route = {attach("left"), drum, attach("right")};
    d.cables.emplace_back("rope", c);
    World w = make(d);
    run(w, 0.5);
    const double m2 = factor * kappa, a = std::max(10 * (m2 - kappa) / (m2 + kappa), 0.0);
    EXPECT_NEAR(-measure(w, "particles.right.velocity.z"), a * 0.5, 1e-3) << factor;
  }
}

TEST(Pinhole, OneTensionOnBothSides) {
  Description d = heavy(1.0 / 240);
  mass(d, "left", 1.0, Vec3(-0.5, 0, -5));
  mass(d, "right", 3.0, Vec3(0.5, 0, -5));
  d.particles[0].second.position = Vec3(0, 0, -5);
  d.particles[1].second.position = Vec3(0, 0.0, -4);
  LinkSettings eye;
  eye.type = LinkType::pinhole;
  eye.friction = 0.0;
  CableSettings c;
  c.route = {attach("left"), eye, attach("right")};
  d.cables.emplace_back("rope", c);
  World w = make(d);
  run(w, 0.5);
  EXPECT_NEAR(-measure(w, "particles.right.velocity.z") / (10 * 2.0 / 4.0 * 0.5), 1.0, 1e-6);
  EXPECT_NEAR(measure(w, "cables.rope.spans.0.tension") / measure(w, "cables.rope.spans.1.tension"), 1.0, 1e-7);
  EXPECT_NEAR(measure(w, "cables.rope.length"), 9.0, 1e-9);
}

}  // namespace
}  // namespace reeve::test
