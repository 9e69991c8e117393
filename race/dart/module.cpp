// The module that has DART in it.
#include "module.h"

#include <dart/constraint/BallJointConstraint.hpp>
#include <dart/constraint/ConstraintSolver.hpp>
#include <dart/dynamics/BallJoint.hpp>
#include <dart/dynamics/BodyNode.hpp>
#include <dart/dynamics/Skeleton.hpp>
#include <dart/simulation/World.hpp>

#include <memory>
#include <string>

namespace reeve::race {
namespace {

Eigen::Vector3d vec(const double* v) { return Eigen::Vector3d(v[0], v[1], v[2]); }
Eigen::Quaterniond quat(const double* q) { return Eigen::Quaterniond(q[0], q[1], q[2], q[3]); }

/// Links as a tree in reduced coordinates, ball joints; where the end is held, a constraint. No shapes, so no contacts.
struct Chain {
  dart::simulation::WorldPtr world = dart::simulation::World::create();
  dart::dynamics::SkeletonPtr tree = dart::dynamics::Skeleton::create("chain");

  Chain(const PlainChain& shape, double dt) {
    using namespace dart::dynamics;
    BodyNode* before = nullptr;
    Eigen::Quaterniond turned = Eigen::Quaterniond::Identity();
    for (int i = 0; i < shape.count; ++i) {
      const PlainLink& l = shape.links[i];
      const std::string name = "link" + std::to_string(i);
      BallJoint::Properties joint;
      joint.mName = name;
      joint.mT_ParentBodyToJoint.translation() = vec(l.anchorBefore);
      joint.mT_ChildBodyToJoint.translation() = vec(l.anchor);
      BodyNode::Properties body;
      body.mName = name;
      body.mInertia = Inertia(l.mass, Eigen::Vector3d::Zero(), vec(l.inertia).asDiagonal());
      const auto made = tree->createJointAndBodyNodePair<BallJoint>(before, joint, body);
      const Eigen::Quaterniond turn = quat(l.orientation);
      made.first->setPositions(BallJoint::convertToPositions((turned.conjugate() * turn).toRotationMatrix()));
      turned = turn;
      before = made.second;
    }
    world->setGravity(Eigen::Vector3d(0, 0, -shape.gravity));
    world->setTimeStep(dt);
    world->addSkeleton(tree);
    if (shape.end)
      world->getConstraintSolver()->addConstraint(
          std::make_shared<dart::constraint::BallJointConstraint>(before, vec(shape.end)));
  }
};

const Chain& chain(const void* handle) { return *static_cast<const Chain*>(handle); }

bool step(void* handle) {
  constexpr double wild = 1e4;  // rad/s
  if (!(chain(handle).tree->getVelocities().cwiseAbs().maxCoeff() < wild)) return false;
  chain(handle).world->step();
  return true;
}

void poses(const void* handle, double* seven) {
  for (const auto* body : chain(handle).tree->getBodyNodes()) {
    const Eigen::Isometry3d& at = body->getWorldTransform();
    const Eigen::Quaterniond turn(at.linear());
    for (int k = 0; k < 3; ++k) *seven++ = at.translation()[k];
    for (const double x : {turn.w(), turn.x(), turn.y(), turn.z()}) *seven++ = x;
  }
}

const DartCalls calls{
    REEVE_DART_VERSION,
    [](const PlainChain& shape, double dt) -> void* { return new Chain(shape, dt); },
    step,
    poses,
    [](const void* handle) {
      return chain(handle).tree->computeKineticEnergy() + chain(handle).tree->computePotentialEnergy();
    },
    [](void* handle) { delete static_cast<Chain*>(handle); },
};

}  // namespace
}  // namespace reeve::race

extern "C" __attribute__((visibility("default"))) const reeve::race::DartCalls* reeveRaceDart() {
  return &reeve::race::calls;
}
