// Figures of paper 000 that state geometry: tangents, and what turning bodies pay out.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "reeve/geometry/tangent.h"
#include "reeve/geometry/tangent_span.h"
#include "reeve/record/svg.h"
#include "reproduce_000.h"
#include "reproduce_trial.h"

namespace reeve::command {
namespace {

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// How far a segment is from being the tangent that σ asks for: perpendicular to the radius, and the wheel on its side.
double tangentError(const Vec2& from, const Vec2& to, const Vec2& centre, const Vec2& contact, double radius,
                    int sigma) {
  const Vec2 along = (to - from).normalized(), out = contact - centre;
  const double skewed = std::fabs(out.dot(along)) / radius, off = std::fabs(out.norm() - radius) / radius;
  const bool side = sigma * cross(along, centre - contact) > 0.0;
  return side ? std::max(skewed, off) : 1.0;
}

/// Metres to pixels of a small drawing, y upwards.
struct Frame {
  Vec2 centre;
  double scale;
  Vec2 operator()(const Vec2& p) const {
    return {360 + scale * (p.x() - centre.x()), 160 - scale * (p.y() - centre.y())};
  }
};

void drawOutline(record::Svg& svg, const Frame& frame, const Outline& outline, const Vec2& position) {
  constexpr const char* look = "fill=\"#e6eaf0\" stroke=\"#39424e\" stroke-width=\"1.5\"";
  if (outline.cornerCount() == 1) return svg.circle(frame(position), frame.scale * outline.radius(), look);
  std::vector<Vec2> corners;
  for (int k = 0; k < outline.cornerCount(); ++k) corners.push_back(frame(outline.corner(k) + position));
  svg.polygon(corners, look);
}

RotorSettings wheelAt(double x, double radius) {
  RotorSettings wheel;
  wheel.position = Vec3(x, 0, 0);
  wheel.radius = radius;
  wheel.inertia = 0.01;
  return wheel;
}

/// Uniform numbers that are the same everywhere.
class Dice {
 public:
  double operator()(double from, double to) {
    return from + (to - from) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }

 private:
  std::mt19937_64 engine_{20180612};
};

Outline randomOutline(Dice& dice) {
  if (dice(0, 1) < 0.3) return Outline::circle(dice(0.1, 0.8));
  std::vector<Vec2> points;
  const int count = static_cast<int>(dice(3, 13));
  for (int i = 0; i < count; ++i) points.emplace_back(dice(-0.9, 0.9), dice(-0.9, 0.9));
  return *Outline::hull(points);
}

}  // namespace

/// Two drums that turn by different amounts, both ways: what a drum pays out is its radius times its turn.
Outcome turningWheels(Sheet& sheet) {
  double worst = 0.0, balance = 0.0;
  bool good = true;
  for (const auto& [rate1, rate2] : {std::pair{3.0, 2.0}, std::pair{3.0, -2.0}}) {
    Description d;
    d.name = rate2 > 0 ? "one pays out, one winds up" : "both pay out";
    const double r1 = 0.4, r2 = 0.25;
    d.rotors.emplace_back("left", wheelAt(0, r1));
    d.rotors.emplace_back("right", wheelAt(2, r2));
    for (const auto& [on, rate] : {std::pair{"left", rate1}, std::pair{"right", rate2}}) {
      MotorSettings motor;
      motor.on = on;
      motor.target.offset = rate;
      d.motors.emplace_back(std::string(on) + " drive", motor);
    }
    CableSettings cable;
    for (const char* on : {"left", "right"}) {
      LinkSettings& link = cable.route.emplace_back();
      link.type = LinkType::spool;
      link.on = on;
      link.stored = 20.0;
    }
    cable.slack = 10.0;  // the drums are driven: the cable only counts
    d.cables.emplace_back("cable", cable);
    World world = built(d);
    sheet.picture(world, d.name + ": start");
    const Observation start = world.observe();
    good = advance(world, 2.0) && good;
    sheet.picture(world, d.name + ": after 2 s");
    const Observation end = world.observe();
    const CableObservation &a = start.cables[0].second, &b = end.cables[0].second;
    const double radii[] = {r1, r2};
    double paid = 0.0;
    for (std::size_t i = 0; i < 2; ++i) {
      const double out = a.links[i].stored - b.links[i].stored;
      worst = std::max(worst, std::fabs(std::fabs(out) - radii[i] * std::fabs(end.rotors[i].second.angle -
                                                                              start.rotors[i].second.angle)));
      paid += out;
    }
    balance = std::max(balance, std::fabs(b.spans[0].rest - a.spans[0].rest - paid));
  }
  return Outcome::judged(
      fmt::format("payout is radius times turn to {:.1g} m, and the rest length takes it to {:.1g} m", worst, balance),
      good && worst < 1e-9 && balance < 1e-9);
}

Outcome fourTangents(Sheet& sheet) {
  const Vec2 p1(0, 0), p2(3, 0.6);
  const double r1 = 0.8, r2 = 0.5;
  double worst = 0.0;
  const Frame frame{Vec2(1.5, 0.3), 120};
  record::Svg svg(720, 320, "Four common tangents of two circles");
  drawOutline(svg, frame, Outline::circle(r1), p1);
  drawOutline(svg, frame, Outline::circle(r2), p2);
  const char* colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7"};
  int k = 0;
  for (const int s1 : {1, -1})
    for (const int s2 : {1, -1}) {
      const CircleTangent t = circleTangent(p1, s1 * r1, p2, s2 * r2);
      worst = !t.found ? 1.0
                       : std::max({worst, tangentError(t.a1, t.a2, p1, t.a1, r1, s1),
                                   tangentError(t.a1, t.a2, p2, t.a2, r2, s2)});
      const std::string colour = colours[k++];
      svg.line(frame(t.a1), frame(t.a2), fmt::format("stroke=\"{}\" stroke-width=\"2.5\"", colour));
      svg.text(frame(0.5 * (t.a1 + t.a2)) + Vec2(0, -6), fmt::format("{}{}", s1 > 0 ? '+' : '-', s2 > 0 ? '+' : '-'),
               fmt::format("fill=\"{}\" font-size=\"14\" font-family=\"sans-serif\"", colour));
    }
  sheet.drawing(std::move(svg).finish(),
                "one tangent for each pair of orientations (+ counter-clockwise), left to right");
  // The same for wheels anywhere.
  Dice dice;
  int cases = 0;
  for (int i = 0; i < 20000; ++i) {
    const Vec2 q1(dice(-2, 2), dice(-2, 2)), q2(dice(-2, 2), dice(-2, 2));
    const double ra = dice(0.05, 1), rb = dice(0.05, 1);
    const int s1 = dice(0, 1) < 0.5 ? 1 : -1, s2 = dice(0, 1) < 0.5 ? 1 : -1;
    if ((q2 - q1).norm() < 1.01 * (ra + rb)) continue;
    const CircleTangent t = circleTangent(q1, s1 * ra, q2, s2 * rb);
    worst =
        !t.found
            ? 1.0
            : std::max({worst, tangentError(t.a1, t.a2, q1, t.a1, ra, s1), tangentError(t.a1, t.a2, q2, t.a2, rb, s2)});
    ++cases;
  }
  return Outcome::judged(
      fmt::format("all four found, and {} random ones: tangent and on the right side to {:.1g}", cases, worst),
      worst < 1e-10);
}

/// A pentagon that turns once under a cable pays out its perimeter.
Outcome polygonTurn(Sheet& sheet) {
  Description d;
  d.name = "a shape that turns";
  BodySettings shape;
  shape.motion = BodyMotion::kinematic;
  ShapeSettings& prism = shape.shapes.emplace_back();
  prism.type = ShapeType::prism;
  prism.length = 0.1;
  prism.polygon = {Vec2(0.5, -0.3), Vec2(0.45, 0.35), Vec2(-0.1, 0.6), Vec2(-0.5, 0.1), Vec2(-0.3, -0.45)};
  prism.orientation = Quat(Eigen::AngleAxisd(1.5707963267948966, Vec3::UnitX()));
  double perimeter = 0.0;
  for (std::size_t i = 0; i < prism.polygon.size(); ++i)
    perimeter += (prism.polygon[(i + 1) % prism.polygon.size()] - prism.polygon[i]).norm();
  MotionSettings turn;
  turn.about = Vec3::UnitY();
  turn.turn.table = {Vec2(0, 0), Vec2(8, 2 * 3.141592653589793)};
  turn.turn.smooth = true;
  shape.prescribed = turn;
  d.bodies.emplace_back("shape", shape);
  for (const auto& [name, x] : {std::pair{"left", -0.5}, std::pair{"right", 0.5}}) {
    ParticleSettings weight;
    weight.position = Vec3(x, 0, -8);
    weight.drag = 2.0;  // the polygon sways the weights; let that die down
    d.particles.emplace_back(name, weight);
  }
  CableSettings cable;
  cable.route.resize(3);
  cable.route[0].on = "left";
  cable.route[1].type = LinkType::roll;
  cable.route[1].on = "shape";
  cable.route[1].shape = 0;
  cable.route[1].axis = Vec3::UnitY();
  cable.route[2].on = "right";
  d.cables.emplace_back("cable", cable);
  World world = built(d);
  sheet.picture(world, "before the turn");
  const double left = measured(world, "cables.cable.spans.0.rest"),
               right = measured(world, "cables.cable.spans.1.rest");
  bool good = advance(world, 4.0);
  sheet.picture(world, "half way");
  good = advance(world, 20.0) && good;
  sheet.picture(world, "after one turn");
  const double paid = measured(world, "cables.cable.spans.1.rest") - right,
               taken = left - measured(world, "cables.cable.spans.0.rest");
  const double error = std::max(std::fabs(std::fabs(paid) - perimeter), std::fabs(std::fabs(taken) - perimeter));
  return Outcome::judged(fmt::format("one turn moves {:.9f} m from side to side; the hull's perimeter is {:.9f} m",
                                     std::fabs(paid), perimeter),
                         good && error < 1e-6);
}

Outcome tangentIteration(Sheet& sheet) {
  Dice dice;
  double worst = 0.0;
  int cases = 0, failed = 0, most = 0;
  double rounds = 0.0;
  for (int i = 0; i < 20000; ++i) {
    const Outline a = randomOutline(dice), b = randomOutline(dice);
    const double away = dice(0, 6.283), far = dice(2.9, 6);
    PlacedOutline one{&a, dice(0, 1) < 0.5 ? 1 : -1, Vec2::Zero()},
        two{&b, dice(0, 1) < 0.5 ? 1 : -1, far * Vec2(std::cos(away), std::sin(away))};
    const PlanarTangent exact = planarTangent(one, two);
    PlanarTangent rays;
    int needed = 1;
    for (; needed <= 100; ++needed)
      if ((rays = planarTangentByRays(one, two, needed)).status == TangentStatus::ok) break;
    if (exact.status != TangentStatus::ok || rays.status != TangentStatus::ok) {
      ++failed;
      continue;
    }
    worst = std::max({worst, (rays.a1 - exact.a1).norm(), (rays.a2 - exact.a2).norm()});
    if (a.isCircle() && b.isCircle()) {
      const CircleTangent closed = circleTangent(one.position, one.signedRadius(), two.position, two.signedRadius());
      worst = std::max({worst, (closed.a1 - exact.a1).norm(), (closed.a2 - exact.a2).norm()});
    }
    ++cases;
    rounds += needed;
    most = std::max(most, needed);
  }
  if (sheet.wanted()) {
    const Outline wheel = Outline::circle(0.7);
    const std::vector<Vec2> points{{0.6, -0.5}, {0.8, 0.3}, {0.1, 0.8}, {-0.6, 0.5}, {-0.7, -0.4}};
    const Outline shape = *Outline::hull(points);
    const Vec2 away(3.4, 0.3);
    const Frame frame{Vec2(1.7, 0.15), 110};
    record::Svg svg(720, 320, "The common tangent by iteration");
    drawOutline(svg, frame, wheel, Vec2::Zero());
    drawOutline(svg, frame, shape, away);
    Vec2 on(0.2, -0.67);
    for (int k = 0; k < 4; ++k) {
      const ExtremePoint there = extremePoint(shape, on - away, Side::right);
      const Vec2 p = there.point + away;
      svg.line(frame(on), frame(p),
               fmt::format("stroke=\"#d55e00\" stroke-width=\"{}\" opacity=\"{}\"", 1 + 0.6 * k, 0.4 + 0.2 * k));
      svg.text(frame(on + (0.4 + 0.1 * k) * (p - on)) + Vec2(0, -5), fmt::format("{}", k + 1),
               "fill=\"#39424e\" font-size=\"13\" font-family=\"sans-serif\"");
      const ExtremePoint here = extremePoint(wheel, p, Side::left);
      if (!here.found || (here.point - on).norm() < 1e-12) break;
      on = here.point;
    }
    sheet.drawing(std::move(svg).finish(), "rays from wheel to shape, each from the point the last one found");
  }
  return Outcome::judged(fmt::format("{} wheels and hulls: iteration and closed form agree to {:.1g} m; {:.1f} rounds "
                                     "on average, {} at most; {} without",
                                     cases, worst, rounds / std::max(cases, 1), most, failed),
                         cases > 0 && failed == 0 && worst < 1e-9);
}

/// Between skew planes a span, projected into each link's plane, is tangent there.
Outcome skewPlanes(Sheet& sheet) {
  Dice dice;
  double worst = 0.0;
  int cases = 0, none = 0;
  for (int i = 0; i < 20000; ++i) {
    const Outline a = randomOutline(dice), b = randomOutline(dice);
    const auto frame = [&](const Vec3& origin) {
      const Vec3 tilt(dice(-0.5, 0.5), dice(-0.5, 0.5), 1.0);
      return LinkFrame::fromNormal(origin, tilt.normalized());
    };
    SpanLink one{&a, dice(0, 1) < 0.5 ? 1 : -1, frame(Vec3::Zero())};
    SpanLink two{&b, dice(0, 1) < 0.5 ? 1 : -1, frame(Vec3(dice(4, 6), dice(-1, 1), dice(-0.5, 0.5)))};
    const SpanGeometry span = spanBetween(one, two);
    if (span.status != TangentStatus::ok) {
      ++none;
      continue;
    }
    for (const SpanEnd& end : span.end)
      worst = std::max(worst, end.tangent.dot(span.n) <= 0.0 ? 1.0 : std::fabs(end.outward.dot(span.n)));
    ++cases;
  }
  Description d;
  d.name = "a plane for each shape";
  d.view.from = Vec3(0.6, -1, 0.5);
  CableSettings cable;
  const Vec3 axes[] = {Vec3(0, 1, 0.2), Vec3(0.3, 1, 0), Vec3(-0.2, 1, -0.2)};
  for (int i = 0; i < 3; ++i) {
    RotorSettings wheel = wheelAt(1.2 * i, 0.3);
    wheel.position.z() = i == 1 ? -0.8 : 0.0;
    wheel.axis = axes[i].normalized();
    d.rotors.emplace_back("wheel" + std::to_string(i), wheel);
  }
  ParticleSettings weight;
  weight.position = Vec3(-0.3, 0, -2);
  d.particles.emplace_back("left", weight);
  weight.position = Vec3(2.7, 0, -2);
  d.particles.emplace_back("right", weight);
  cable.route.resize(5);
  cable.route[0].on = "left";
  for (std::size_t i = 0; i < 3; ++i) {
    cable.route[i + 1].type = LinkType::roll;
    cable.route[i + 1].on = "wheel" + std::to_string(i);
    cable.route[i + 1].side = i == 1 ? -1 : 1;
  }
  cable.route[4].on = "right";
  d.cables.emplace_back("cable", cable);
  World world = built(d);
  world.step();  // so that there are tensions to show
  sheet.picture(world, "wheels in planes of their own");
  return Outcome::judged(
      fmt::format("{} random pairs of planes: normal to the span within {:.1g} rad; {} found no tangent", cases, worst,
                  none),
      none == 0 && worst < 1e-9);
}

}  // namespace reeve::command
