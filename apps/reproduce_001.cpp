// Paper 001: Physical Experiments in School with Unity, Cable Simulation (Amiragov 2020). Figures 2.2 to 3.32.
#include "reproduce_001.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "command.h"
#include "reeve/cables/particles/curve.h"
#include "reeve/model/model.h"
#include "reeve/record/svg.h"

namespace reeve::command {

const ParticleCable& particleCableOf(const World& world) {
  for (const auto& e : world.model().elements)
    if (const auto* cable = dynamic_cast<const ParticleCable*>(e.get())) return *cable;
  throw Failure(badInput, "the scene has no particle cable");
}

double stretchOf(const World& world) {
  const ParticleCable& c = particleCableOf(world);
  double worst = 0.0;
  for (int i = 0; i + 1 < c.count(); ++i)
    worst = std::max(worst, (c.position(world.state(), i + 1) - c.position(world.state(), i)).norm() / c.rest(i) - 1.0);
  return worst;
}

std::string traceDrawing(const std::vector<Trace>& traces, Vec2 lower, Vec2 upper, const std::string& title,
                         double width) {
  const double scale = width / (upper.x() - lower.x()), height = scale * (upper.y() - lower.y()) + 22.0;
  const auto px = [&](const Vec2& p) {
    return fmt::format("{:.1f},{:.1f}", scale * (p.x() - lower.x()), 20.0 + scale * (upper.y() - p.y()));
  };
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0f} {:.0f}\"><rect width=\"100%\" height=\"100%\" "
      "fill=\"#fbfcfd\"/><text x=\"8\" y=\"14\" font-size=\"11\" font-family=\"sans-serif\" fill=\"#5b6570\">{}</text>",
      width, height, record::escaped(title));
  for (const Trace& t : traces) {
    out += fmt::format("<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" points=\"", t.color);
    for (const Vec2& p : t.points) out += px(p) + " ";
    out += "\"/>";
    for (std::size_t i = 0; t.dots && i < t.points.size(); ++i) {
      const Vec2& p = t.points[i];
      out += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2\" fill=\"{}\"/>", scale * (p.x() - lower.x()),
                         20.0 + scale * (upper.y() - p.y()), t.color);
    }
  }
  return out + "</svg>";
}

namespace {

CableSettings cableFrom(Vec3 from, Vec3 to, int segments, bool fromFree, bool toFree) {
  CableSettings c;
  c.model = CableModel::particles;
  c.segments = segments;
  c.material.mass = 0.1;
  c.material.radius = 0.006;
  LinkSettings a, b;
  a.point = from;
  b.point = to;
  if (fromFree) a.hold = EndHold::free;
  if (toFree) b.hold = EndHold::free;
  c.route = {a, b};
  return c;
}

Trace traceOf(const World& world, int across = 0) {
  Trace t;
  const ParticleCable& c = particleCableOf(world);
  for (int i = 0; i < c.count(); ++i) {
    const Vec3 x = c.position(world.state(), i);
    t.points.push_back(Vec2(x[across], x.z()));
  }
  return t;
}

BodySettings solid(const std::string& color, Vec3 position, ShapeSettings shape) {
  BodySettings b;
  b.motion = BodyMotion::fixed;
  b.position = position;
  b.shapes = {std::move(shape)};
  b.color = color;
  return b;
}

Outcome splineFigure(Sheet& sheet) {
  const std::vector<Vec3> points{Vec3(0, 0, 0),   Vec3(1, 0, 1.2), Vec3(2.2, 0, 0.6),
                                 Vec3(3, 0, 1.6), Vec3(4.2, 0, 1), Vec3(5, 0, 0.1)};
  const particles::Curve curve = particles::Curve::catmullRom(points, 0.25);
  double through = 0.0, smooth = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i)
    through = std::max(through, (curve.at(static_cast<double>(i) / 5.0) - points[i]).norm());
  for (int i = 1; i < curve.pieces(); ++i)
    smooth = std::max(smooth, (curve.pieceTangent(i - 1, 1.0) - curve.pieceTangent(i, 0.0)).norm());
  Trace line, marks;
  line.dots = false;
  for (int i = 0; i <= 200; ++i) {
    const Vec3 x = curve.at(i / 200.0);
    line.points.push_back(Vec2(x.x(), x.z()));
  }
  std::vector<Trace> all{line};
  for (std::size_t i = 0; i < points.size(); ++i) {
    const int piece = std::min(static_cast<int>(i), curve.pieces() - 1);
    const Vec3 handle = curve.pieceTangent(piece, static_cast<int>(i) == curve.pieces() ? 1.0 : 0.0) / 3.0;
    Trace tangent;
    tangent.color = "#c2571a";
    tangent.points = {Vec2(points[i].x() - handle.x(), points[i].z() - handle.z()), Vec2(points[i].x(), points[i].z()),
                      Vec2(points[i].x() + handle.x(), points[i].z() + handle.z())};
    all.push_back(tangent);
  }
  sheet.drawing(traceDrawing(all, Vec2(-0.4, -0.4), Vec2(5.4, 2.0), "spline and its tangents", 700),
                "extended cubic Catmull-Rom spline with handles of a quarter");
  return Outcome::judged(fmt::format("through its points to {:.1g} m, tangents continuous to {:.1g}", through, smooth),
                         through < 1e-12 && smooth < 1e-12);
}

Outcome eulerFigure(Sheet& sheet) {
  const auto fall = [](Predictor predictor, double dt, Trace* trace) {
    Description d;
    d.settings.dt = dt;
    CableSettings c = cableFrom(Vec3(0, 0, 0), Vec3(0, 0.1, 0), 1, true, true);
    c.particles.predictor = predictor;
    c.particles.velocity = Vec3(1, 0, 5);
    d.cables.emplace_back("point", c);
    World world = built(d);
    const auto note = [&](World& now) {
      if (!trace) return;
      const Vec3 x = particleCableOf(now).position(now.state(), 0);
      trace->points.push_back(Vec2(x.x(), x.z()));
    };
    note(world);
    advance(world, 1.0, note);
    return particleCableOf(world).position(world.state(), 0).z() - (5.0 - 0.5 * 9.81);
  };
  Trace exact, euler, verlet;
  exact.color = "#9aa4ae", euler.color = "#c2571a", exact.dots = false;
  for (int i = 0; i <= 50; ++i)
    exact.points.push_back(Vec2(i / 50.0, 5.0 * i / 50.0 - 4.905 * (i / 50.0) * (i / 50.0)));
  const double coarse = fall(Predictor::euler, 0.1, &euler), fine = fall(Predictor::euler, 0.05, nullptr);
  const double better = fall(Predictor::verlet, 0.1, &verlet);
  sheet.drawing(traceDrawing({exact, euler, verlet}, Vec2(-0.1, -0.6), Vec2(1.1, 1.5),
                             "Euler below, Verlet on the parabola", 500),
                "a throw in steps of 0.1 s");
  return Outcome::judged(
      fmt::format("Euler off by {:.4f} m at dt 0.1 s and {:.4f} m at 0.05 s (first order), Verlet by {:.1g} m", coarse,
                  fine, better),
      std::fabs(coarse / fine - 2.0) < 0.02 && std::fabs(better) < 1e-12);
}

Outcome startFigure(Sheet& sheet) {
  World world = built(shippedScene("school-bench"));
  sheet.picture(world, "where the lead of school-bench starts: a spline through its shape points");
  const ParticleCable& c = particleCableOf(world);
  double total = 0.0;
  for (int i = 0; i + 1 < c.count(); ++i) total += c.rest(i);
  const double stretch = stretchOf(world);
  return Outcome::judged(
      fmt::format("{} particles along {:.3f} m of spline, stretched by {:.1g} at most", c.count(), total, stretch),
      c.count() > 2 && std::fabs(stretch) < 1e-12);
}

/// A cable over a ball, held together by springs.
World springsOverBall(double spring) {
  Description d;
  d.settings.dt = 0.005;
  d.settings.bounds = 1e4;
  ShapeSettings ball;
  ball.radius = 0.2;
  d.bodies.emplace_back("ball", solid("steelblue", Vec3(0, 0, 0.2), ball));
  CableSettings c = cableFrom(Vec3(-0.6, 0, 0.6), Vec3(0.6, 0, 0.6), 30, false, false);
  c.particles.way = ParticleWay::springs;
  c.particles.spring = spring;
  c.particles.springDamping = 0.02;
  c.shape = {Vec3(-0.25, 0, 0.63), Vec3(0.2, 0, 0.58)};
  d.cables.emplace_back("cable", c);
  return built(d);
}

Outcome rubberFigure(Sheet& sheet) {
  World soft = springsOverBall(20.0), stiffer = springsOverBall(60.0);
  const bool good = advance(soft, 2.0) && advance(stiffer, 2.0);
  sheet.picture(soft, "springs of 20 N/m after 2 s");
  const double a = stretchOf(soft), b = stretchOf(stiffer);
  return Outcome::judged(
      fmt::format("stretched by {:.0f} % with springs of 20 N/m, {:.0f} % with 60 N/m", 100 * a, 100 * b),
      good && a > 0.2 && b < a);
}

Outcome brokenFigure(Sheet& sheet) {
  World world = springsOverBall(400.0);
  // From the start to the last moment at which all particles are still on the page.
  std::vector<Trace> traces{traceOf(world)};
  traces[0].color = "#9aa4ae";
  advance(world, 2.0, [&](World& now) {
    Trace t = traceOf(now);
    const bool near = std::all_of(t.points.begin(), t.points.end(), [](const Vec2& p) { return p.norm() < 3.0; });
    t.color = "#c2571a";
    if (near && traces.size() < 2)
      traces.push_back(std::move(t));
    else if (near)
      traces[1] = std::move(t);
  });
  sheet.drawing(
      traceDrawing(traces, Vec2(-2, -2), Vec2(2, 2), "springs of 400 N/m: at the start, and some steps later", 500),
      "the particles fly apart");
  const Verdict& v = world.verdict();
  return Outcome::judged(
      v.good ? "stayed together"
             : fmt::format("springs of 400 N/m: {} {} at {:.3f} s; the run ends there, with exit code 3", v.culprit,
                           v.reason, v.time),
      !v.good);
}

Outcome stiffFigure(Sheet& sheet) {
  Description d;
  d.settings.dt = 0.02;
  ShapeSettings bar;
  bar.type = ShapeType::capsule;
  bar.radius = 0.03;
  bar.length = 0.6;
  bar.orientation = Quat(std::sqrt(0.5), std::sqrt(0.5), 0, 0);
  d.bodies.emplace_back("bar", solid("steelblue", Vec3(0, 0, 0), bar));
  CableSettings c = cableFrom(Vec3(-0.5, 0, 0.2), Vec3(0.5, 0, 0.2), 16, true, true);
  c.particles.way = ParticleWay::stiff;
  c.particles.touch = TouchMode::points;
  c.particles.doubles = DoubleRest::straight;
  d.cables.emplace_back("cable", c);
  World world = built(d);
  // Met while its middle is within the bar's reach; a cable that merely fell would not stretch there.
  const double reach = bar.radius + c.material.radius + 1e-3;
  double before = 0.0, onBar = 0.0, left = -1.0, met = -1.0, aside = 0.0;
  int pictures = 0;
  advance(world, 0.6, [&](World& now) {
    const Vec3 middle = particleCableOf(now).position(now.state(), 8);
    const double stretch = stretchOf(now);
    if (middle.z() > reach) {
      before = std::max(before, stretch);
    } else if (middle.z() > -reach) {
      if (met < 0.0) met = now.time();
      onBar = std::max(onBar, stretch);
      aside = std::max(aside, std::fabs(middle.x()));
    } else if (left < 0.0) {
      left = now.time();
    }
    constexpr double moments[] = {0.175, 0.215, 0.295};  // it meets the bar, hangs stretched on it, is through
    if (pictures < 3 && now.time() > moments[pictures]) {
      sheet.picture(now,
                    fmt::format("repositioned segments at {:.2f} s: stretched by {:.0f} %", now.time(), 100 * stretch));
      ++pictures;
    }
  });
  return Outcome::judged(
      fmt::format(
          "falls unstretched ({:.0e}), meets the bar at {:.2f} s, stretches there by {:.0f} %, and its middle is "
          "through at {:.2f} s",
          before, met, 100 * onBar, left),
      before < 1e-3 && onBar > 0.1 && left > met && met > 0.0 && aside < bar.radius);
}

World sliding(bool rough) {
  Description d = shippedScene("table");
  d.expect.clear();
  ParticleCableSettings& p = d.cables[0].second.particles;
  p.way = ParticleWay::jakobsen;
  p.law = FrictionLaw::depth;
  p.substeps = 1;
  p.staticFriction = rough ? 2e-4 : 0.0;
  p.slidingFriction = rough ? 0.5 : 0.0;
  return built(d);
}

double speedOf(const World& world) {
  const ParticleCable& c = particleCableOf(world);
  Vec3 p = c.linearMomentum(world.state());
  double mass = 0.0;
  for (int i = 0; i < c.count(); ++i) mass += c.massOf(i);
  p.z() = 0.0;
  return p.norm() / mass;
}

Outcome puckFigure(Sheet& sheet) {
  World world = sliding(false);
  const double before = speedOf(world);
  const bool good = advance(world, 0.6);
  sheet.picture(world, "without friction after 0.6 s");
  return Outcome::judged(fmt::format("{:.4f} m/s of {:.4f} m/s left after 0.6 s on the table", speedOf(world), before),
                         good && speedOf(world) > 0.999 * before);
}

Outcome stopFigure(Sheet& sheet) {
  World world = sliding(true);
  const bool good = advance(world, 1.0);
  sheet.picture(world, "with the thesis' friction after 1 s");
  const double thesis = speedOf(world);
  World coulomb = built(shippedScene("table"));
  const Checked checked = checkExpectations(coulomb);
  return Outcome::judged(
      fmt::format("the thesis' friction: {:.1g} m/s left after 1 s; Coulomb's stops it where v^2/(2 mu g) says: {}",
                  thesis, checked.text()),
      good && thesis < 1e-6 && checked.pass());
}

Outcome socketFigure(Sheet& sheet) {
  World world = built(shippedScene("socket"));
  double force = 0.0, before = 0.0;
  std::string said;
  bool drawn = false;
  const Checked checked = checkExpectations(world, [&](World& now) {
    before = std::max(before, measured(now, "cables.lead.links.0.force.x"));
    for (const Event& e : now.takeEvents()) {
      if (e.what == "lets go" && force == 0.0) force = before;
      said += fmt::format("{}{} at {:.2f} s", said.empty() ? "" : ", ", e.what, e.time);
    }
    if (!drawn && now.time() > 3.0) drawn = true, sheet.picture(now, "pulled out, 3 s");
  });
  sheet.picture(world, "plugged in again");
  return Outcome::judged(fmt::format("{}; at {:.3f} N of 15; {}", said, force, checked.text()),
                         checked.pass() && std::fabs(force / 15.0 - 1.0) < 0.02);
}

}  // namespace

Paper particleCables() {
  Paper paper{"001",
              "Physical Experiments in School with Unity: Cable Simulation (Amiragov 2020)",
              {
                  {"fig 2.2: spline", "an extended cubic Catmull-Rom spline through its points", splineFigure},
                  {"fig 2.4: Euler's method", "inaccurate where the motion is not linear", eulerFigure},
                  {"fig 3.11: start position", "a white line", startFigure},
                  {"fig 3.16: soft springs", "rubbery", rubberFigure},
                  {"fig 3.17: stiff springs", "the system breaks, particles fly into space", brokenFigure},
                  {"fig 3.20: repositioning", "stretches, then falls through", stiffFigure},
                  {"fig 3.28: no friction", "slides like a puck on an air hockey table", puckFigure},
                  {"fig 3.31: friction", "slows down and comes to a stop", stopFigure},
                  {"fig 3.32: socket", "frees itself when pulled strongly enough", socketFigure},
              }};
  for (Item& item : stiffnessItems()) paper.items.push_back(std::move(item));
  for (Item& item : effortItems()) paper.items.push_back(std::move(item));
  for (Item& item : outlookItems()) paper.items.push_back(std::move(item));
  return paper;
}

}  // namespace reeve::command
