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
  OdeChain(const ChainShape& shape, double dt, bool quick) : shape_(shape), dt_(dt), quick_(quick) {
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
  }
  ~OdeChain() override { dWorldDestroy(world_); }
  bool step() override { return (quick_ ? dWorldQuickStep(world_, dt_) : dWorldStep(world_, dt_)) != 0; }
  double measure() override {
    worst_ =
        std::max(worst_, shape_.gap([&](std::size_t i) { return place(i); }, [&](std::size_t i) { return turn(i); }));
    return worst_;
  }
  double energy() override {
    return shape_.energy([&](std::size_t i) { return place(i); }, [&](std::size_t i) { return turn(i); },
                         [&](std::size_t i) { return vecOf(dBodyGetLinearVel(bodies_[i])); },
                         [&](std::size_t i) { return vecOf(dBodyGetAngularVel(bodies_[i])); });
  }

 private:
  Vec3 place(std::size_t i) const { return vecOf(dBodyGetPosition(bodies_[i])); }
  Quat turn(std::size_t i) const {
    const dReal* q = dBodyGetQuaternion(bodies_[i]);
    return Quat(q[0], q[1], q[2], q[3]);
  }
  ChainShape shape_;
  double dt_;
  bool quick_;
  dWorldID world_ = nullptr;
  std::vector<dBodyID> bodies_;
  double worst_ = 0.0;
};

}  // namespace

std::vector<Entrant> odeChain(const Description& d) {
  std::vector<Entrant> entrants;
  for (const bool quick : {true, false}) {
    Entrant e;
    e.engine = "ode";
    e.how = quick ? "quick step" : "step";
    e.exact = 0.0;
    e.start = [shape = ChainShape(d), quick](double dt) { return std::make_unique<OdeChain>(shape, dt, quick); };
    entrants.push_back(e);
  }
  return entrants;
}

std::string odeVersion() { return "ODE " REEVE_ODE_VERSION; }

}  // namespace reeve::race
#else
namespace reeve::race {
std::vector<Entrant> odeChain(const Description&) { return {}; }
std::string odeVersion() { return ""; }
}  // namespace reeve::race
#endif
