// Every joint type: its Jacobian against finite differences, and a closed-form motion with both solvers.
#include "reeve/elements/joint.h"
#include "reeve/model/element.h"
#include "reeve/model/state.h"
#include "support/scenes.h"

namespace reeve::test {
namespace {

constexpr std::array jointTypes{JointType::ball,  JointType::hinge,    JointType::slider,
                                JointType::fixed, JointType::distance, JointType::universal};

Description twoBodies(JointType type) {
  Description d = still(1e-3);
  BodySettings a = rigid(1.0, Vec3(1, 2, 2.5), Vec3(0.1, 0.2, 0.3)),
               b = rigid(2.0, Vec3(2, 3, 4), Vec3(1.2, -0.3, 0.4));
  a.orientation = rotationExp(Vec3(0.3, -0.2, 0.5));
  b.orientation = rotationExp(Vec3(-0.4, 0.1, 0.2));
  d.bodies.emplace_back("a", a);
  d.bodies.emplace_back("b", b);
  JointSettings j = joint(type, "a", "b", Vec3(0.5, 0.1, 0.2), Vec3(0.3, 0.8, -0.2));
  j.anchorB = Vec3(0.9, -0.2, 0.5);
  if (type == JointType::hinge || type == JointType::slider) {
    j.lower = -0.1;
    j.upper = 0.1;
  }
  d.joints.emplace_back("j", j);
  return d;
}

/// Rows of the world's model with its two bodies moved by small amounts.
std::vector<Row> rowsMoved(const World& w, const std::vector<double>& u, RowSet* keep = nullptr) {
  Instant now;
  now.bind(w.model(), w.state());
  now.rewind();
  now.u = u;
  now.place(0.0, 0.0);
  now.evaluate();
  RowSet rows;
  for (const auto& e : w.model().elements) e->rows(now, rows);
  if (keep) *keep = rows;
  return rows.rows;
}

TEST(Joints, JacobiansMatchFiniteDifferencesToAMillionth) {
  for (const JointType type : jointTypes) {
    World w = make(twoBodies(type));
    std::vector<double> u(w.state().v.size(), 0.0);
    const double e = 1e-5;
    // Evaluate away from the assembled pose so that every error is non-zero.
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = 0.0;
    RowSet here;
    rowsMoved(w, u, &here);
    for (std::size_t i = 0; i < u.size(); ++i) {
      if (i < 6) continue;  // the world
      auto up = u, down = u;
      up[i] += e;
      down[i] -= e;
      const auto high = rowsMoved(w, up), low = rowsMoved(w, down);
      for (std::size_t r = 0; r < here.rows.size(); ++r) {
        if (here.rows[r].level != Level::position) continue;
        double analytic = 0.0;
        for (int k = here.rows[r].first; k < here.rows[r].first + here.rows[r].count; ++k) {
          const Entry& entry = here.entries[static_cast<std::size_t>(k)];
          const int local = static_cast<int>(i) - w.model().blocks[static_cast<std::size_t>(entry.block)].v;
          if (local >= 0 && local < 6) analytic += entry.j[local];
        }
        const double numeric = (high[r].error - low[r].error) / (2 * e);
        EXPECT_NEAR(analytic, numeric, 1e-6)
            << "type " << static_cast<int>(type) << " row " << r << " coordinate " << i;
      }
    }
  }
}

TEST(Joints, StiffnessIsThePositivePartOfTheSecondDerivativeOfTheRow) {
  // For a distance row in tension between two particles-like anchors K is exact: compare Kφ with the change of Jᵀλ.
  World w = make(twoBodies(JointType::distance));
  RowSet here;
  std::vector<double> u(w.state().v.size(), 0.0);
  rowsMoved(w, u, &here);
  const double tension = -3.0;  // pulls
  Instant now;
  now.bind(w.model(), w.state());
  now.rewind();
  std::vector<double> force(static_cast<std::size_t>(w.model().slots), 0.0);
  force[static_cast<std::size_t>(here.rows[0].slot)] = tension;
  PatchSet k;
  w.model().elements[0]->stiffness(now, force, k);
  // Translations of b: exact.
  const double e = 1e-5;
  for (int c = 0; c < 3; ++c) {
    const int i = w.model().blocks[2].v + c;
    RowSet high, low;
    auto up = u, down = u;
    up[static_cast<std::size_t>(i)] += e;
    down[static_cast<std::size_t>(i)] -= e;
    rowsMoved(w, up, &high);
    rowsMoved(w, down, &low);
    for (int r = 0; r < 3; ++r) {
      const double numeric = -tension * (high.entries[1].j[r] - low.entries[1].j[r]) / (2 * e);
      double analytic = 0.0;
      for (const Patch& p : k.patches)
        if (p.a == 2 && p.b == 2) analytic += p.k(r, c);
      EXPECT_NEAR(analytic, numeric, 1e-6);
    }
  }
}

struct Case {
  const char* name;
  Description scene;
  std::string path;
  double at, expected;
};

std::vector<Case> closedForms() {
  std::vector<Case> all;
  {
    // Ball: a conical pendulum, steady: ω² = g/(l cos α) for a point on a massless rod; here a small sphere of known I.
    Description d = heavy(1.0 / 240);
    const double l = 1.0, alpha = 0.5, i = 1e-3, m = 1.0;
    const double w = std::sqrt(m * 10 * l / ((i + m * l * l - i) * std::cos(alpha)));
    BodySettings b = rigid(m, Vec3(i, i, i), Vec3(l * std::sin(alpha), 0, -l * std::cos(alpha)));
    b.angularVelocity = Vec3(0, 0, w);
    b.velocity = Vec3(0, w * l * std::sin(alpha), 0);
    d.bodies.emplace_back("b", b);
    d.joints.emplace_back("j", joint(JointType::ball, "world", "b", Vec3::Zero()));
    all.push_back({"ball: a conical pendulum keeps its height", d, "bodies.b.position.z", 2.0, -l * std::cos(alpha)});
  }
  {
    // Hinge: torque on a flywheel. Angle = τ t²/2I.
    Description d = still(1.0 / 240);
    d.bodies.emplace_back("b", rigid(1.0, Vec3(1, 0.5, 1)));
    d.joints.emplace_back("j", joint(JointType::hinge, "world", "b", Vec3::Zero()));
    ForceSettings f;
    f.on = "b";
    f.torque = Vec3(0, 0.3, 0);
    d.forces.emplace_back("f", f);
    all.push_back({"hinge: angle is τt²/2I through whole turns", d, "joints.j.coordinate", 5.0, 0.5 * 0.3 / 0.5 * 25});
  }
  {
    // Slider at 30 degrees: travel = g sin α t²/2.
    Description d = heavy(1.0 / 240);
    d.bodies.emplace_back("b", rigid(1.0, Vec3(1, 1, 1)));
    const double a = M_PI / 6;
    d.joints.emplace_back("j",
                          joint(JointType::slider, "world", "b", Vec3::Zero(), Vec3(std::cos(a), 0, -std::sin(a))));
    all.push_back({"slider: travel is g sin α t²/2", d, "joints.j.coordinate", 1.0, 0.5 * 10 * std::sin(a)});
  }
  {
    // Fixed: a cantilevered body's reaction torque is m g l.
    Description d = heavy(1.0 / 240);
    d.bodies.emplace_back("b", rigid(2.0, Vec3(1, 1, 1), Vec3(1.5, 0, 0)));
    d.joints.emplace_back("j", joint(JointType::fixed, "world", "b", Vec3::Zero()));
    all.push_back({"fixed: the reaction torque is m g l", d, "joints.j.torque.y", 1.0, -2.0 * 10 * 1.5});
  }
  {
    // Distance with compliance: static stretch m g c after damping.
    Description d = heavy(1.0 / 240);
    ParticleSettings p;
    p.position = Vec3(0, 0, -1);
    d.particles.emplace_back("p", p);
    JointSettings j = joint(JointType::distance, "world", "p", Vec3::Zero());
    j.compliance = 0.01;
    j.damping = 20.0;
    d.joints.emplace_back("j", j);
    all.push_back({"distance: a spring stretches by m g times its compliance", d, "joints.j.coordinate", 4.0, 1.1});
  }
  {
    // Universal, straight shafts: the driven shaft turns with the driver.
    Description d = still(1.0 / 240);
    d.bodies.emplace_back("a", rigid(1.0, Vec3(0.5, 1, 1)));
    d.bodies.emplace_back("b", rigid(1.0, Vec3(0.5, 1, 1), Vec3(1, 0, 0)));
    d.joints.emplace_back("left", joint(JointType::hinge, "world", "a", Vec3::Zero(), Vec3::UnitX()));
    d.joints.emplace_back("right", joint(JointType::hinge, "world", "b", Vec3(1, 0, 0), Vec3::UnitX()));
    d.joints.emplace_back("u", joint(JointType::universal, "a", "b", Vec3(0.5, 0, 0), Vec3::UnitZ()));
    d.joints.back().second.axisB = Vec3::UnitY();
    ForceSettings f;
    f.on = "a";
    f.torque = Vec3(0.4, 0, 0);
    d.forces.emplace_back("f", f);
    all.push_back(
        {"universal: both shafts turn by τt²/2(I+I)", d, "joints.right.coordinate", 3.0, 0.5 * 0.4 / 1.0 * 9});
  }
  return all;
}

TEST(Joints, SweepWithManySubstepsAndDirectAgreeOnEveryClosedFormToAThousandth) {
  for (Case& c : closedForms())
    for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
      Description d = c.scene;
      d.settings.solver = solver;
      if (solver == SolverChoice::sweep) {
        d.settings.substeps = 40;
        d.settings.iterations = 4;
      }
      World w = make(d);
      run(w, c.at);
      EXPECT_NEAR(measure(w, c.path) / c.expected, 1.0, 1e-3)
          << c.name << (solver == SolverChoice::sweep ? " (sweep)" : " (direct)");
    }
}

TEST(Motor, ForceLimitedVelocityDriveAcceleratesAtItsLimitThenHoldsItsSpeed) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = still(1e-3);
    d.settings.solver = solver;
    d.bodies.emplace_back("b", rigid(1.0, Vec3(1, 0.5, 1)));
    d.joints.emplace_back("j", joint(JointType::hinge, "world", "b", Vec3::Zero()));
    MotorSettings m;
    m.on = "j";
    m.target.offset = 2.0;
    m.maxForce = 0.5;
    d.motors.emplace_back("m", m);
    World w = make(d);
    run(w, 1.0);
    EXPECT_NEAR(measure(w, "joints.j.rate"), 1.0, 2e-3);
    run(w, 2.0);
    EXPECT_NEAR(measure(w, "joints.j.rate"), 2.0, 1e-9);
    EXPECT_NEAR(measure(w, "motors.m.work"), 0.5 * 0.5 * 4.0, 5e-3);
  }
}

TEST(Motor, PositionDriveFollowsItsProfileAndFeedbackReachesItsSetPoint) {
  Description d = heavy(1e-3);
  d.bodies.emplace_back("lift", rigid(3.0, Vec3(1, 1, 1)));
  d.joints.emplace_back("rail", joint(JointType::slider, "world", "lift", Vec3::Zero(), Vec3::UnitZ()));
  MotorSettings m;
  m.on = "rail";
  m.drive = DriveType::feedback;
  m.observe = "bodies.lift.position.z";
  m.target.offset = 1.5;
  m.proportional = 4.0;
  m.maxSpeed = 1.0;
  d.motors.emplace_back("m", m);
  World w = make(d);
  run(w, 5.0);
  EXPECT_NEAR(measure(w, "bodies.lift.position.z"), 1.5, 1e-4);

  d.motors[0].second = MotorSettings{};
  d.motors[0].second.on = "rail";
  d.motors[0].second.drive = DriveType::position;
  d.motors[0].second.target.table = {Vec2(0, 0), Vec2(2, 1)};
  d.motors[0].second.target.smooth = true;
  World p = make(d);
  run(p, 1.0);
  EXPECT_NEAR(measure(p, "bodies.lift.position.z"), 0.5, 1e-9);
  run(p, 2.0);
  EXPECT_NEAR(measure(p, "bodies.lift.position.z"), 1.0, 1e-9);
  EXPECT_NEAR(measure(p, "motors.m.force"), 30.0, 1e-6);
}

TEST(Hinge, LimitStopsItAndABrakeHoldsUpToItsTorque) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = heavy(1e-3);
    d.settings.solver = solver;
    if (solver == SolverChoice::sweep) d.settings.substeps = 20;
    d.bodies.emplace_back("arm", rigid(1.0, Vec3(0.1, 0.1, 0.1), Vec3(1, 0, 0)));
    JointSettings j = joint(JointType::hinge, "world", "arm", Vec3::Zero());
    j.upper = 0.5;
    d.joints.emplace_back("j", j);
    World w = make(d);
    run(w, 2.0);
    EXPECT_NEAR(measure(w, "joints.j.coordinate"), 0.5, 1e-4);
    d.joints[0].second.upper = unbounded;
    d.joints[0].second.brake = 10.1;
    World held = make(d);
    run(held, 1.0);
    EXPECT_NEAR(measure(held, "joints.j.coordinate"), 0.0, solver == SolverChoice::sweep ? 1e-3 : 1e-9);
    d.joints[0].second.brake = 9.0;
    World slipping = make(d);
    run(slipping, 0.1);
    EXPECT_NEAR(measure(slipping, "joints.j.rate"), (10.0 - 9.0) / 1.1 * 0.1, 2e-3);
  }
}

TEST(Hinge, CoulombFrictionAndViscousResistanceSlowItAsTheyShould) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = still(1e-3);
    d.settings.solver = solver;
    BodySettings wheel = rigid(1.0, Vec3(1, 0.5, 1));
    wheel.angularVelocity = Vec3(0, 4, 0);
    d.bodies.emplace_back("wheel", wheel);
    d.joints.emplace_back("j", joint(JointType::hinge, "world", "wheel", Vec3::Zero()));
    d.joints[0].second.friction = 1.0;
    World rubbing = make(d);
    run(rubbing, 1.0);
    EXPECT_NEAR(measure(rubbing, "joints.j.rate"), 4.0 - 1.0 / 0.5, 5e-3);
    run(rubbing, 2.0);
    EXPECT_NEAR(measure(rubbing, "joints.j.rate"), 0.0, 1e-9);
    d.joints[0].second.friction = 0.0;
    d.joints[0].second.viscous = 0.25;
    World oiled = make(d);
    run(oiled, 2.0);
    EXPECT_NEAR(measure(oiled, "joints.j.rate"), 4.0 * std::exp(-1.0), 2e-3);
  }
}

TEST(Slider, LimitReboundsAtItsRestitutionAndFrictionBrakesIt) {
  Description d = still(1e-3);
  BodySettings car = rigid(2.0, Vec3(1, 1, 1));
  car.velocity = Vec3(3, 0, 0);
  d.bodies.emplace_back("car", car);
  d.joints.emplace_back("rail", joint(JointType::slider, "world", "car", Vec3::Zero(), Vec3::UnitX()));
  d.joints[0].second.upper = 1.0;
  d.joints[0].second.restitution = 0.5;
  World w = make(d);
  run(w, 0.5);
  EXPECT_NEAR(measure(w, "joints.rail.rate"), -1.5, 1e-6);
  d.joints[0].second.upper = unbounded;
  d.joints[0].second.friction = 4.0;
  World braked = make(d);
  run(braked, 1.0);
  EXPECT_NEAR(measure(braked, "joints.rail.rate"), 3.0 - 4.0 / 2.0, 5e-3);
}

TEST(Distance, AStrutPushesAndDoesNotPull) {
  for (const SolverChoice solver : {SolverChoice::direct, SolverChoice::sweep}) {
    Description d = heavy(1e-3);
    d.settings.solver = solver;
    ParticleSettings p;
    p.position = Vec3(0, 0, 1);
    d.particles.emplace_back("held", p);
    p.position = Vec3(1, 0, -1);
    d.particles.emplace_back("falling", p);
    d.joints.emplace_back("under", joint(JointType::distance, "world", "held", Vec3::Zero()));
    d.joints.emplace_back("over", joint(JointType::distance, "world", "falling", Vec3(1, 0, 0)));
    for (auto& [name, j] : d.joints) j.mode = DistanceMode::strut;
    World w = make(d);
    run(w, 0.5);
    EXPECT_NEAR(measure(w, "particles.held.position.z"), 1.0, 1e-4);
    EXPECT_NEAR(measure(w, "particles.falling.velocity.z"), -5.0, 1e-2);
  }
}

TEST(Fixed, AngularComplianceBendsItByTorqueTimesCompliance) {
  Description d = heavy(1.0 / 240);
  d.bodies.emplace_back("arm", rigid(2.0, Vec3(1, 1, 1), Vec3(0.5, 0, 0)));
  d.joints.emplace_back("weld", joint(JointType::fixed, "world", "arm", Vec3::Zero()));
  d.joints[0].second.angularCompliance = 1e-3;
  d.joints[0].second.angularDamping = 100.0;
  World w = make(d);
  run(w, 8.0);
  const Vec3 along = w.observe().bodies[0].second.orientation * Vec3::UnitX();
  EXPECT_NEAR(std::asin(-along.z()), 2.0 * 10 * 0.5 * 1e-3, 2e-5);
}

TEST(Load, AForceThatFollowsItsBodyTurnsWithIt) {
  Description d = still(1e-3);
  BodySettings b = rigid(1.0, Vec3(1, 1, 1));
  b.angularVelocity = Vec3(0, 0, 2.0);
  d.bodies.emplace_back("b", b);
  ForceSettings f;
  f.on = "b";
  f.force = Vec3(1, 0, 0);
  f.follows = true;
  d.forces.emplace_back("thrust", f);
  World w = make(d);
  run(w, M_PI / 2);  // half a turn: ∫cos 2t = 0, ∫sin 2t = 1
  EXPECT_NEAR(measure(w, "bodies.b.velocity.x"), 0.0, 2e-3);
  EXPECT_NEAR(measure(w, "bodies.b.velocity.y"), 1.0, 2e-3);
}

}  // namespace
}  // namespace reeve::test
