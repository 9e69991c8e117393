// A rope with a weight at either end falls over something round: the weights swing under it and past each other, and
// the rope winds on beyond half a turn, slack and taut in turn, with and without free nodes.
#include "cables/strand_meets.h"
#include "reeve/math/scalar.h"

namespace reeve::test {
namespace {

constexpr double ropeLength = 1.0, thinRadius = 0.005;

ShapeSettings roundShape(ShapeType type, double radius, double length = 0.0) {
  ShapeSettings s = cylinderAlongY(radius, length);
  s.type = type;
  if (type == ShapeType::sphere) {
    s = ShapeSettings{};
    s.type = type;
    s.radius = radius;
  }
  return s;
}

/// `aside`: m, one weight out of the plane of the other and the shape.
Description overIt(const ShapeSettings& shape, int nodes, double height, double aside = 0.0) {
  Description d = heavy(1.0 / 1000);
  BodySettings post;
  post.motion = BodyMotion::fixed;
  post.shapes.push_back(shape);
  d.bodies.emplace_back("post", post);
  for (const bool second : {false, true}) {
    BodySettings weight;
    weight.mass = second ? 1.2 : 1.0;
    weight.position = Vec3(second ? 0.5 : -0.5, second ? aside : 0.0, height);
    weight.shapes.push_back(roundShape(ShapeType::sphere, 0.04));
    d.bodies.emplace_back(second ? "b" : "a", weight);
  }
  CableSettings& rope = addStrand(d, "rope", 0.1, {attachTo("a"), attachTo("b")});
  rope.candidates = {"post"};
  rope.nodes = nodes;
  rope.material.radius = thinRadius;
  return d;
}

/// The length of rope that the winding of its two ends about an axis along y needs: two tangents and the arc between.
class EndsWinding {
 public:
  explicit EndsWinding(double radius) : radius_(radius) {}
  /// 0 while the rope may go straight past.
  double needs(const World& world) {
    const auto place = [&](const std::string& body) {
      return Vec2(measure(world, "bodies." + body + ".position.x"), measure(world, "bodies." + body + ".position.z"));
    };
    const Vec2 a = place("a"), b = place("b");
    turn_ += begun_ ? between(a_, a) - between(b_, b) : between(b, a);
    begun_ = true;
    a_ = a;
    b_ = b;
    const double before = std::sqrt(a.squaredNorm() - radius_ * radius_);
    const double after = std::sqrt(b.squaredNorm() - radius_ * radius_);
    const double wrap = turn_ - std::atan2(before, radius_) - std::atan2(after, radius_);
    return wrap > 0.0 ? before + radius_ * wrap + after : 0.0;
  }
  double turn() const { return turn_; }

 private:
  static double between(const Vec2& p, const Vec2& q) { return std::atan2(p.x() * q.y() - p.y() * q.x(), p.dot(q)); }
  double radius_, turn_ = 0.0;  ///< turn: of the ends, seen from the axis
  bool begun_ = false;
  Vec2 a_ = Vec2::Zero(), b_ = Vec2::Zero();
};

struct Swung {
  double needs = 0.0, turn = 0.0, gained = 0.0, deepest = 0.0, unconverged = 0.0, lengthError = 0.0;
  bool good = true, left = false;
};

Swung swing(const Description& d, double radius, double seconds) {
  Swung out;
  World world = make(d);
  EndsWinding winding(radius);
  const double start = measure(world, "energy.total");
  int steps = 0;
  while (world.time() < seconds && out.good && !out.left) {
    out.good = world.step().good;
    for (const Event& e : world.takeEvents()) out.left = out.left || e.what.find("leaves a body") != std::string::npos;
    out.needs = std::max(out.needs, winding.needs(world));
    out.turn = std::max(out.turn, winding.turn());
    out.gained = std::max(out.gained, measure(world, "energy.total") - start);
    out.lengthError = std::max(out.lengthError, std::fabs(measure(world, "cables.rope.length") - ropeLength));
    if (++steps % 5 == 0 || out.left) out.deepest = std::max(out.deepest, depth(world, thinRadius));
  }
  out.unconverged = measure(world, "health.unconverged");
  return out;
}

void expectSound(const Swung& s, const std::string& how, double radius) {
  EXPECT_TRUE(s.good) << how;
  EXPECT_LT(s.gained, 1e-9) << how;
  EXPECT_LT(s.lengthError, 1e-10) << how;
  EXPECT_LT(s.deepest, 0.05 * radius) << how;
  EXPECT_EQ(s.unconverged, 0.0) << how;
}

void expectHeld(const std::string& what, const ShapeSettings& shape, int nodes, double height) {
  const Swung s = swing(overIt(shape, nodes, height), shape.radius, 1.2);
  const std::string how = what + " of " + std::to_string(shape.radius) + " m, nodes " + std::to_string(nodes);
  std::printf("%s: turned by %.2f, needs %.6f m, gained %.1e J, %.2g mm inside\n", how.c_str(), s.turn, s.needs,
              s.gained, 1e3 * s.deepest);
  expectSound(s, how, shape.radius);
  EXPECT_GT(s.turn, 1.2 * math::pi + math::pi) << how;  // the ends have swung past each other
  EXPECT_LT(s.needs, ropeLength + 1e-3) << how;
}

TEST(StrandMeetsRound, ARodWhateverItsFreeNodes) {
  for (const double radius : {0.03, 0.05, 0.08, 0.1})
    for (const int nodes : {0, 2, 4, 8}) expectHeld("rod", roundShape(ShapeType::cylinder, radius, 0.6), nodes, 0.3);
}

TEST(StrandMeetsRound, ACapsuleWhateverItsFreeNodes) {
  for (const int nodes : {0, 2, 4, 8}) expectHeld("capsule", roundShape(ShapeType::capsule, 0.08, 0.3), nodes, 0.5);
}

/// Wound more than half round a ball nothing holds it to its great circle: it slips off sideways, and that is told.
TEST(StrandMeetsRound, ABallThatItSlipsOff) {
  // On top of a ball a rope is in balance, and unstable: without a start aside, rounding would choose where it slips
  // off.
  constexpr double aside = 1e-6;
  for (const double radius : {0.06, 0.1})
    for (const int nodes : {0, 2, 4, 8}) {
      const Swung s = swing(overIt(roundShape(ShapeType::sphere, radius), nodes, 0.3, aside), radius, 1.5);
      const std::string how = "ball of " + std::to_string(radius) + " m, nodes " + std::to_string(nodes);
      std::printf("%s: gained %.1e J, %.2g mm inside\n", how.c_str(), s.gained, 1e3 * s.deepest);
      expectSound(s, how, radius);
      EXPECT_TRUE(s.left) << how;
    }
}

}  // namespace
}  // namespace reeve::test
