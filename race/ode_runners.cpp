#include "peers.h"

#ifdef REEVE_HAVE_ODE
#include <ode/ode.h>

#include <algorithm>

#include "chain_shape.h"

namespace reeve::race {
namespace {

Vec3 vecOf(const dReal* v) { return Vec3(v[0], v[1], v[2]); }

class OdeChain : public Runner {
 public:
  OdeChain(const ChainShape& shape, ChainJudge judge, double dt, bool quick)
      : shape_(shape), judge_(std::move(judge)), dt_(dt), quick_(quick) {
    [[maybe_unused]] static const bool ready = (dInitODE(), true);
    world_ = dWorldCreate();
    dWorldSetGravity(world_, 0, 0, -shape.gravity);
    for (std::size_t i = 0; i < shape.links.size(); ++i) {
      const ChainShape::Link& l = shape.links[i];
      const dBodyID b = dBodyCreate(world_);
      dMass mass;
      dMassSetParameters(&mass, l.mass, 0, 0, 0, l.inertia.x(), l.inertia.y(), l.inertia.z(), 0, 0, 0);
      dBodySetMass(b, &mass);
      dBodySetPosition(b, l.position.x(), l.position.y(), l.position.z());
      const dQuaternion q{l.orientation.w(), l.orientation.x(), l.orientation.y(), l.orientation.z()};
      dBodySetQuaternion(b, q);
      const dJointID joint = dJointCreateBall(world_, nullptr);
      dJointAttach(joint, b, i == 0 ? nullptr : bodies_[i - 1]);
      const Vec3 at = l.position + l.orientation * l.anchor;
      dJointSetBallAnchor(joint, at.x(), at.y(), at.z());
      bodies_.push_back(b);
    }
    if (!shape.end) return;
    const dJointID held = dJointCreateBall(world_, nullptr);
    dJointAttach(held, bodies_.back(), nullptr);
    dJointSetBallAnchor(held, shape.end->x(), shape.end->y(), shape.end->z());
  }
  ~OdeChain() override { dWorldDestroy(world_); }
  bool step() override {
    time_ += dt_;
    return (quick_ ? dWorldQuickStep(world_, dt_) : dWorldStep(world_, dt_)) != 0;
  }
  double measure() override { return judge_(shape_, pose(), time_); }
  double energy() override {
    std::vector<Vec3> velocities, spins;
    for (const dBodyID b : bodies_) {
      velocities.push_back(vecOf(dBodyGetLinearVel(b)));
      spins.push_back(vecOf(dBodyGetAngularVel(b)));
    }
    return shape_.energy(pose(), velocities, spins);
  }

 private:
  ChainPose pose() const {
    ChainPose now;
    for (const dBodyID b : bodies_) {
      now.places.push_back(vecOf(dBodyGetPosition(b)));
      const dReal* q = dBodyGetQuaternion(b);
      now.turns.emplace_back(q[0], q[1], q[2], q[3]);
    }
    return now;
  }
  ChainShape shape_;
  ChainJudge judge_;
  double dt_, time_ = 0.0;
  bool quick_;
  dWorldID world_ = nullptr;
  std::vector<dBodyID> bodies_;
};

}  // namespace

std::vector<Entrant> odeChain(const Description& d, const ChainJudge& judge) {
  std::vector<Entrant> entrants;
  for (const bool quick : {true, false}) {
    Entrant e;
    e.engine = "ode";
    e.how = quick ? "quick step" : "step";
    e.start = [shape = ChainShape(d), judge, quick](double dt) {
      return std::make_unique<OdeChain>(shape, judge, dt, quick);
    };
    entrants.push_back(e);
  }
  return entrants;
}

std::string odeVersion() { return "ODE " REEVE_ODE_VERSION; }

}  // namespace reeve::race
#else
namespace reeve::race {
std::vector<Entrant> odeChain(const Description&, const ChainJudge&) { return {}; }
std::string odeVersion() { return ""; }
}  // namespace reeve::race
#endif
