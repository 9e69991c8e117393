// A rope as a soft body of Bullet.
#include "peers.h"

#ifdef REEVE_HAVE_BULLET_SOFT
#include <BulletSoftBody/btSoftBodyHelpers.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>

namespace reeve::race {
namespace {

/// Stiffness 1 and 10 iterations on positions, as many as its rigid bodies have by default; no collisions.
class SoftRope : public Runner {
 public:
  SoftRope(const RopeShape& shape, double dt)
      : dispatcher_(&config_), world_(&dispatcher_, &broadphase_, &solver_, &config_), shape_(shape), dt_(dt) {
    world_.setGravity(btVector3(0, 0, btScalar(-9.81)));
    world_.getWorldInfo().m_gravity = btVector3(0, 0, btScalar(-9.81));
    world_.getWorldInfo().air_density = 0;
    rope_ = btSoftBodyHelpers::CreateRope(world_.getWorldInfo(), btVector3(0, 0, 0),
                                          btVector3(static_cast<btScalar>(shape.length), 0, 0), shape.segments - 1, 1);
    rope_->m_cfg.piterations = 10;
    rope_->m_cfg.collisions = 0;
    rope_->m_cfg.kDP = 0;
    rope_->m_materials[0]->m_kLST = 1;
    rope_->setTotalMass(static_cast<btScalar>(shape.mass));
    rope_->setMass(0, 0);
    rope_->setActivationState(DISABLE_DEACTIVATION);
    world_.addSoftBody(rope_, 0, 0);
  }
  ~SoftRope() override {
    world_.removeSoftBody(rope_);
    delete rope_;
  }
  bool step() override {
    world_.stepSimulation(static_cast<btScalar>(dt_), 0);
    return true;
  }
  double measure() override {
    double sum = 0.0;
    for (int i = 1; i < rope_->m_nodes.size(); ++i) sum += (rope_->m_nodes[i].m_x - rope_->m_nodes[i - 1].m_x).length();
    return sum / shape_.length - 1;
  }
  double energy() override {
    double sum = 0.0;
    for (int i = 1; i < rope_->m_nodes.size(); ++i) {
      const auto& node = rope_->m_nodes[i];
      sum += (0.5 * node.m_v.length2() + 9.81 * node.m_x.z()) / node.m_im;
    }
    return sum;
  }

 private:
  btSoftBodyRigidBodyCollisionConfiguration config_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btSoftRigidDynamicsWorld world_;
  RopeShape shape_;
  btSoftBody* rope_ = nullptr;
  double dt_;
};

}  // namespace

std::vector<Entrant> bulletRope(const RopeShape& shape) {
  Entrant e;
  e.engine = "bullet";
  e.how = "soft body";
  e.start = [shape](double dt) { return std::make_unique<SoftRope>(shape, dt); };
  return {e};
}

}  // namespace reeve::race
#else
namespace reeve::race {
std::vector<Entrant> bulletRope(const RopeShape&) { return {}; }
}  // namespace reeve::race
#endif
