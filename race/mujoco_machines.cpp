// Atwood's machine, a winch, a tendon finger and boxes in MuJoCo.
#include "peers.h"

#ifdef REEVE_HAVE_MUJOCO
#include <functional>

#include "mujoco_runner.h"

namespace reeve::race {
namespace {
using namespace mj;

std::string massOf(double mass, double inertia) {
  return "<inertial pos=\"0 0 0\" mass=" + numbers({mass}) + " diaginertia=" + vec(Vec3::Constant(inertia)) + "/>";
}

/// A wheel that turns, one tendon for each span, each coupled to the wheel.
std::string atwoodWheel(const Description& d) {
  const auto& wheel = d.rotors.front().second;
  const double r = wheel.radius, inertia = wheel.inertia.value_or(0.5 * wheel.mass * r * r);
  std::string bodies, tendons, pairs;
  for (int i = 0; i < 2; ++i) {
    const auto& [name, b] = d.bodies[i];
    const double top = 0.5 * b.shapes.front().size.z();
    bodies += "<body name=\"" + name + "\" pos=" + vec(b.position) + ">" +
              massOf(*b.mass, *b.mass * top * top * 2 / 3) + "<freejoint/><site name=\"hook" + std::to_string(i) +
              "\" pos=" + vec(Vec3(0, 0, top)) + "/></body>";
    const std::string n = std::to_string(i);
    bodies += "<site name=\"rim" + n + "\" pos=" + vec(wheel.position + Vec3(i == 0 ? -r : r, 0, 0)) + "/>";
    tendons += "<spatial name=\"span" + n + "\"><site site=\"rim" + n + "\"/><site site=\"hook" + n +
               "\"/></spatial><fixed name=\"paid" + n + "\"><joint joint=\"spin\" coef=" + numbers({i == 0 ? -r : r}) +
               "/></fixed>";
    pairs += "<tendon tendon1=\"span" + n + "\" tendon2=\"paid" + n + "\"/>";
  }
  return header(-d.settings.gravity.z(), 50, 100000) + "<worldbody><body pos=" + vec(wheel.position) + ">" +
         massOf(wheel.mass, inertia) + "<joint name=\"spin\" type=\"hinge\" axis=\"0 1 0\"/></body>" + bodies +
         "</worldbody><tendon>" + tendons + "</tendon><equality>" + pairs + "</equality></mujoco>";
}

/// The drum's speed is given: it has so much inertia that nothing else changes it.
class Driven : public Falling {
 public:
  Driven(const std::string& xml, double dt, const char* name, std::function<double(double)> target)
      : Falling(xml, dt, name), target_(std::move(target)) {
    spin_ = model_->jnt_dofadr[mj_name2id(model_, mjOBJ_JOINT, "spin")];
  }
  bool step() override {
    data_->qvel[spin_] = target_(data_->time + 0.5 * model_->opt.timestep);
    return Mujoco::step();
  }
  double measure() override { return -Falling::measure(); }
  /// Without the drum's.
  double energy() override {
    const double speed = data_->qvel[spin_];
    return Mujoco::energy() - 0.5 * heavyDrum * speed * speed;
  }
  static constexpr double heavyDrum = 1e6;  ///< kg m²

 private:
  std::function<double(double)> target_;
  int spin_ = 0;
};

std::string winch(const Description& d) {
  const auto& drum = d.rotors.front().second;
  const auto& load = d.bodies.front().second;
  const double r = drum.radius, top = 0.5 * load.shapes.front().size.z();
  return header(-d.settings.gravity.z(), 50, 100000) +
         "<worldbody><site name=\"rim\" pos=" + vec(drum.position + Vec3(r, 0, 0)) +
         "/><body pos=" + vec(drum.position) + ">" + massOf(drum.mass, Driven::heavyDrum) +
         "<joint name=\"spin\" type=\"hinge\" axis=\"0 1 0\"/></body>" +
         "<body name=\"load\" pos=" + vec(load.position) + ">" + massOf(*load.mass, *load.mass * top * top * 2 / 3) +
         "<freejoint/><site name=\"hook\" pos=" + vec(Vec3(0, 0, top)) +
         "/></body></worldbody><tendon><spatial name=\"span\"><site site=\"rim\"/><site site=\"hook\"/></spatial>" +
         "<fixed name=\"paid\"><joint joint=\"spin\" coef=" + numbers({r}) +
         "/></fixed></tendon><equality><tendon tendon1=\"span\" tendon2=\"paid\"/></equality></mujoco>";
}

/// The angle of a joint; a force on the muscle that grows over a second.
class Finger : public Mujoco {
 public:
  Finger(const std::string& xml, double dt, double force) : Mujoco(xml, dt), force_(force) {
    model_->tendon_range[1] = data_->ten_length[0];
    joint_ = model_->jnt_qposadr[mj_name2id(model_, mjOBJ_JOINT, "middle")];
    muscle_ = model_->jnt_dofadr[mj_name2id(model_, mjOBJ_JOINT, "muscle")];
    mj_resetData(model_, data_);
    mj_forward(model_, data_);
  }
  bool step() override {
    const double s = std::min(1.0, data_->time + model_->opt.timestep);
    data_->qfrc_applied[muscle_] = -force_ * s * s * (3 - 2 * s);
    return Mujoco::step();
  }
  double measure() override { return data_->qpos[joint_]; }

 private:
  double force_;
  int joint_ = 0, muscle_ = 0;
};

std::string finger(const FingerShape& f) {
  std::string bodies, ends, route = "<site site=\"pull\"/><site site=\"palm\"/>";
  const char* names[] = {"proximal", "middle", "distal"};
  for (int i = 0; i < 3; ++i) {
    const std::string n = std::to_string(i);
    bodies += "<body pos=" + vec(Vec3(i == 0 ? 0.0 : f.length[i - 1], 0, 0)) +
              "><inertial pos=" + vec(Vec3(0.5 * f.length[i], 0, 0)) + " mass=" + numbers({f.mass}) +
              " diaginertia=" + vec(Vec3::Constant(f.inertia)) + "/><joint name=\"" + names[i] +
              "\" type=\"hinge\" axis=\"0 0 -1\" stiffness=" + numbers({f.stiffness[i]}) +
              " damping=" + numbers({f.damping}) + "/><site name=\"eye" + n +
              "\" pos=" + vec(Vec3(f.eye * f.length[i], -f.arm, 0)) + "/>";
    ends += "</body>";
    route += "<site site=\"eye" + n + "\"/>";
  }
  return header(0.0, 50, 100000) + "<worldbody><site name=\"palm\" pos=" + vec(Vec3(-f.palm, -f.arm, 0)) +
         "/><body pos=" + vec(Vec3(-f.muscle, -f.arm, 0)) + ">" + massOf(f.pullMass, 1e-5) +
         "<joint name=\"muscle\" type=\"slide\" axis=\"1 0 0\" damping=" + numbers({f.viscous}) +
         "/><site name=\"pull\"/></body>" + bodies + ends +
         "</worldbody><tendon><spatial limited=\"true\" range=\"0 1\">" + route + "</spatial></tendon></mujoco>";
}

class Boxes : public Mujoco {
 public:
  Boxes(const std::string& xml, double dt, double half) : Mujoco(xml, dt), half_(half) {}
  double measure() override {
    const mjData* now = evaluated();
    double lowest = 1e300;
    for (int i = 1; i < model_->nbody; ++i) lowest = std::min(lowest, now->xpos[3 * i + 2]);
    return lowest - half_;
  }

 private:
  double half_;
};

std::string boxes(const Description& d) {
  std::string bodies;
  int count = 0;
  for (const auto& [name, b] : d.bodies) {
    if (b.motion != BodyMotion::dynamic) continue;
    bodies += "<body pos=" + vec(b.position) + " quat=" + quat(b.orientation) +
              "><freejoint/><geom type=\"box\" size=" + vec(0.5 * b.shapes.front().size) +
              " density=" + numbers({b.density}) + " friction=\"0.55 0 0\"/></body>";
    ++count;
  }
  return "<mujoco><compiler angle=\"radian\"/><size njmax=\"" + std::to_string(120 * count) + "\" nconmax=\"" +
         std::to_string(30 * count) + "\" nstack=\"" + std::to_string(400000 + 40000 * count) +
         "\"/><option gravity=\"0 0 -9.81\" cone=\"elliptic\"/><worldbody><geom type=\"plane\" size=\"50 50 1\" "
         "friction=\"0.55 0 0\"/>" +
         bodies + "</worldbody></mujoco>";
}

}  // namespace

std::vector<Entrant> mujocoAtwood(const Description& d) {
  const std::string xml = atwoodWheel(d);
  return {entrant("hinged wheel", xml, [xml](double dt) { return std::make_unique<Falling>(xml, dt, "heavy"); })};
}

std::vector<Entrant> mujocoWinch(const Description& d, std::function<double(double)> speed) {
  const std::string xml = winch(d);
  Entrant e =
      entrant("hinged drum", xml, [xml, speed](double dt) { return std::make_unique<Driven>(xml, dt, "load", speed); });
  e.drive = "winch";
  return {e};
}

std::vector<Entrant> mujocoFinger(const FingerShape& shape) {
  const std::string xml = finger(shape);
  Entrant e = entrant("spatial tendon", xml,
                      [xml, shape](double dt) { return std::make_unique<Finger>(xml, dt, shape.force); });
  e.drive = "finger " + std::to_string(shape.force);
  return {e};
}

std::vector<Entrant> mujocoRope(const RopeShape& rope) {
  const int n = rope.segments;
  const double apart = rope.length / n;
  const std::string xml =
      header(9.81, 50, 100000) +
      "<worldbody><flexcomp name=\"rope\" type=\"grid\" dim=\"1\" count=" + numbers({n + 1.0, 1, 1}) +
      " spacing=" + vec(Vec3::Constant(apart)) + " pos=" + vec(Vec3(0.5 * rope.length, 0, 0)) +
      " mass=" + numbers({rope.mass * (n + 1) / n}) + " radius=" + numbers({0.1 * apart}) +
      "><edge equality=\"true\" solref=\"0.001 1\" solimp=\"0.9999 0.9999 0.001\"/><pin id=\"0\"/><contact "
      "contype=\"0\" conaffinity=\"0\"/></flexcomp></worldbody></mujoco>";
  return {entrant("flex", xml, nullptr)};
}

std::vector<Entrant> mujocoBoxes(const Description& d) {
  const std::string xml = boxes(d);
  const double half = 0.5 * d.bodies.back().second.shapes.front().size.z();
  Entrant e =
      entrant("Newton, elliptic cones", xml, [xml, half](double dt) { return std::make_unique<Boxes>(xml, dt, half); });
  if (d.bodies.size() > 101) e.start = nullptr;  // room for the contacts of 200 boxes is more than it can take
  return {e};
}

}  // namespace reeve::race
#else
namespace reeve::race {
std::vector<Entrant> mujocoAtwood(const Description&) { return {}; }
std::vector<Entrant> mujocoRope(const RopeShape&) { return {}; }
std::vector<Entrant> mujocoWinch(const Description&, std::function<double(double)>) { return {}; }
std::vector<Entrant> mujocoFinger(const FingerShape&) { return {}; }
std::vector<Entrant> mujocoBoxes(const Description&) { return {}; }
}  // namespace reeve::race
#endif
