#include "peers.h"

#ifdef REEVE_HAVE_BULLET
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>

#include "chain_shape.h"

namespace reeve::race {
namespace {

btVector3 bt(const Vec3& v) {
  return btVector3(static_cast<btScalar>(v.x()), static_cast<btScalar>(v.y()), static_cast<btScalar>(v.z()));
}
Vec3 from(const btVector3& v) { return Vec3(v.x(), v.y(), v.z()); }

/// Bullet as Debian has it: single precision, sequential impulse with its 10 iterations.
class Bullet : public Runner {
 public:
  Bullet(double gravity, double dt)
      : dispatcher_(&config_), world_(&dispatcher_, &broadphase_, &solver_, &config_), dt_(dt), gravity_(gravity) {
    world_.setGravity(bt(Vec3(0, 0, -gravity)));
  }
  ~Bullet() override {
    for (auto& j : joints_) world_.removeConstraint(j.get());
    for (auto& b : bodies_) world_.removeRigidBody(b.get());
  }
  bool step() override {
    world_.stepSimulation(static_cast<btScalar>(dt_), 0);
    time_ += dt_;
    return true;
  }
  double energy() override {
    double sum = 0.0;
    for (const auto& b : bodies_) {
      if (b->getInvMass() == 0) continue;
      const double mass = 1.0 / b->getInvMass();
      const Vec3 v = from(b->getLinearVelocity()),
                 w = from(b->getCenterOfMassTransform().getBasis().transpose() * b->getAngularVelocity());
      const Vec3 inverse = from(b->getInvInertiaDiagLocal());
      sum += 0.5 * mass * v.squaredNorm() + 0.5 * w.dot(w.cwiseQuotient(inverse)) +
             mass * gravity_ * b->getCenterOfMassPosition().z();
    }
    return sum;
  }

 protected:
  btRigidBody& add(btCollisionShape* shape, double mass, const Vec3& inertia, const Vec3& place, const Quat& turn,
                   double friction, bool collides) {
    btRigidBody::btRigidBodyConstructionInfo info(static_cast<btScalar>(mass), nullptr, shape, bt(inertia));
    info.m_startWorldTransform =
        btTransform(btQuaternion(static_cast<btScalar>(turn.x()), static_cast<btScalar>(turn.y()),
                                 static_cast<btScalar>(turn.z()), static_cast<btScalar>(turn.w())),
                    bt(place));
    info.m_friction = static_cast<btScalar>(std::sqrt(friction));  // Bullet multiplies, Reeve takes the geometric mean
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    if (collides)
      world_.addRigidBody(bodies_.back().get());
    else
      world_.addRigidBody(bodies_.back().get(), 0, 0);
    return *bodies_.back();
  }
  Vec3 place(std::size_t i) const { return from(bodies_[i]->getCenterOfMassPosition()); }
  Quat turn(std::size_t i) const {
    const btQuaternion q = bodies_[i]->getOrientation();
    return Quat(q.w(), q.x(), q.y(), q.z());
  }

  btDefaultCollisionConfiguration config_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
  double dt_, gravity_, time_ = 0.0;
};

class BulletChain : public Bullet {
 public:
  BulletChain(const ChainShape& shape, ChainJudge judge, double dt, btConstraintSolver* solver = nullptr)
      : Bullet(shape.gravity, dt), shape_(shape), judge_(std::move(judge)), own_(solver) {
    if (own_) {
      world_.setConstraintSolver(own_.get());
      world_.getSolverInfo().m_minimumSolverBatchSize = 1;  // one island, one problem
    }
    shapes_.push_back(std::make_unique<btSphereShape>(btScalar(0.02)));
    for (std::size_t i = 0; i < shape.links.size(); ++i) {
      const ChainShape::Link& l = shape.links[i];
      btRigidBody& b = add(shapes_.front().get(), l.mass, l.inertia, l.position, l.orientation, 0, false);
      if (i == 0)
        joints_.push_back(std::make_unique<btPoint2PointConstraint>(b, bt(l.anchor)));
      else
        joints_.push_back(
            std::make_unique<btPoint2PointConstraint>(*bodies_[i - 1], b, bt(l.anchorBefore), bt(l.anchor)));
      world_.addConstraint(joints_.back().get(), true);
    }
    if (!shape.end) return;
    joints_.push_back(std::make_unique<btPoint2PointConstraint>(*bodies_.back(), bt(shape.endAnchor)));
    world_.addConstraint(joints_.back().get(), true);
  }
  double measure() override {
    ChainPose now;
    for (std::size_t i = 0; i < bodies_.size(); ++i) now.places.push_back(place(i)), now.turns.push_back(turn(i));
    return judge_(shape_, now, time_);
  }

 private:
  ChainShape shape_;
  ChainJudge judge_;
  std::unique_ptr<btConstraintSolver> own_;
};

/// Links as a tree in reduced coordinates, ball joints.
class BulletTree : public Runner {
 public:
  BulletTree(const ChainShape& shape, ChainJudge judge, double dt)
      : dispatcher_(&config_),
        world_(&dispatcher_, &broadphase_, &solver_, &config_),
        shape_(shape),
        judge_(std::move(judge)),
        dt_(dt) {
    world_.setGravity(bt(Vec3(0, 0, -shape.gravity)));
    const int n = static_cast<int>(shape.links.size());
    tree_ = std::make_unique<btMultiBody>(n, btScalar(0), btVector3(0, 0, 0), true, false, true);
    tree_->setBasePos(btVector3(0, 0, 0));
    for (int i = 0; i < n; ++i) {
      const ChainShape::Link& l = shape.links[static_cast<std::size_t>(i)];
      const Quat before = i == 0 ? Quat(1, 0, 0, 0) : shape.links[static_cast<std::size_t>(i) - 1].orientation;
      const Quat turn = (l.orientation.conjugate() * before).normalized();  // parent to this, as Bullet wants it
      tree_->setupSpherical(i, static_cast<btScalar>(l.mass), bt(l.inertia), i - 1,
                            btQuaternion(static_cast<btScalar>(turn.x()), static_cast<btScalar>(turn.y()),
                                         static_cast<btScalar>(turn.z()), static_cast<btScalar>(turn.w())),
                            bt(l.anchorBefore), bt(-l.anchor), true);
    }
    tree_->finalizeMultiDof();
    tree_->setHasSelfCollision(false);
    tree_->setCanSleep(false);
    tree_->setLinearDamping(0);
    tree_->setAngularDamping(0);
    world_.addMultiBody(tree_.get());
    if (shape.end) {
      // Without a collider a link is in no island, and its constraint in no solve.
      collider_ = std::make_unique<btMultiBodyLinkCollider>(tree_.get(), n - 1);
      collider_->setCollisionShape(&point_);
      tree_->getLink(n - 1).m_collider = collider_.get();
      world_.addCollisionObject(collider_.get(), 0, 0);
      held_ =
          std::make_unique<btMultiBodyPoint2Point>(tree_.get(), n - 1, nullptr, bt(shape.endAnchor), bt(*shape.end));
      held_->setMaxAppliedImpulse(btScalar(1e10));
      world_.addMultiBodyConstraint(held_.get());
    }
    updatePoses();
  }
  ~BulletTree() override {
    if (held_) world_.removeMultiBodyConstraint(held_.get());
    if (collider_) world_.removeCollisionObject(collider_.get());
    world_.removeMultiBody(tree_.get());
  }
  bool step() override {
    world_.stepSimulation(static_cast<btScalar>(dt_), 0);
    updatePoses();
    time_ += dt_;
    return true;
  }
  double measure() override {
    ChainPose now;
    for (int i = 0; i < tree_->getNumLinks(); ++i) {
      const btTransform& at = tree_->getLink(i).m_cachedWorldTransform;
      const btQuaternion q = at.getRotation();
      now.places.push_back(from(at.getOrigin()));
      now.turns.push_back(Quat(q.w(), q.x(), q.y(), q.z()));
    }
    return judge_(shape_, now, time_);
  }
  double energy() override {
    // Velocities in the frames of the links; entry 0 is the base.
    btAlignedObjectArray<btVector3> spin, speed;
    spin.resize(tree_->getNumLinks() + 1);
    speed.resize(tree_->getNumLinks() + 1);
    tree_->compTreeLinkVelocities(&spin[0], &speed[0]);
    double sum = 0.0;
    for (int i = 0; i < tree_->getNumLinks(); ++i) {
      const ChainShape::Link& l = shape_.links[static_cast<std::size_t>(i)];
      const Vec3 w = from(spin[i + 1]);
      sum += l.mass * shape_.gravity * from(tree_->getLink(i).m_cachedWorldTransform.getOrigin()).z() +
             0.5 * l.mass * from(speed[i + 1]).squaredNorm() + 0.5 * w.dot(l.inertia.cwiseProduct(w));
    }
    return sum;
  }

 private:
  void updatePoses() {
    btAlignedObjectArray<btQuaternion> q;
    btAlignedObjectArray<btVector3> p;
    tree_->forwardKinematics(q, p);
  }
  btDefaultCollisionConfiguration config_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broadphase_;
  btMultiBodyConstraintSolver solver_;
  btMultiBodyDynamicsWorld world_;
  ChainShape shape_;
  ChainJudge judge_;
  std::unique_ptr<btMultiBody> tree_;
  btSphereShape point_{btScalar(0.02)};
  std::unique_ptr<btMultiBodyLinkCollider> collider_;
  std::unique_ptr<btMultiBodyPoint2Point> held_;
  double dt_, time_ = 0.0;
};

class BulletBoxes : public Bullet {
 public:
  BulletBoxes(const Description& d, double dt) : Bullet(-d.settings.gravity.z(), dt) {
    for (const auto& [name, b] : d.bodies) {
      if (b.shapes.front().type == ShapeType::halfSpace) {
        shapes_.push_back(std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), btScalar(0)));
        add(shapes_.back().get(), 0, Vec3::Zero(), b.position, b.orientation, b.friction, true);
      } else {
        const Vec3 size = b.shapes.front().size;
        const double mass = b.mass.value_or(b.density * size.prod());
        const Vec3 s = size.cwiseProduct(size);
        const Vec3 inertia = mass / 12 * Vec3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y());
        shapes_.push_back(std::make_unique<btBoxShape>(bt(0.5 * size)));
        add(shapes_.back().get(), mass, inertia, b.position, b.orientation, b.friction, true);
        half_ = 0.5 * size.z();
      }
    }
  }
  /// How far the lowest box is from standing on the ground.
  double measure() override {
    double lowest = 1e300;
    for (std::size_t i = 0; i < bodies_.size(); ++i)
      if (bodies_[i]->getInvMass() > 0) lowest = std::min(lowest, place(i).z());
    return lowest - half_;
  }

 private:
  double half_ = 0.0;
};

}  // namespace

std::vector<Entrant> bulletChain(const Description& d, const ChainJudge& judge) {
  Entrant e;
  e.engine = "bullet";
  e.how = "sequential impulse";
  e.start = [shape = ChainShape(d), judge](double dt) { return std::make_unique<BulletChain>(shape, judge, dt); };
  Entrant dantzig = e, tree = e;
  dantzig.how = "Dantzig";
  dantzig.start = [shape = ChainShape(d), judge](double dt) -> std::unique_ptr<Runner> {
    static btDantzigSolver lcp;
    return std::make_unique<BulletChain>(shape, judge, dt, new btMLCPSolver(&lcp));
  };
  tree.how = "multibody";
  tree.start = [shape = ChainShape(d), judge](double dt) { return std::make_unique<BulletTree>(shape, judge, dt); };
  return {e, dantzig, tree};
}

std::vector<Entrant> bulletBoxes(const Description& d) {
  Entrant e;
  e.engine = "bullet";
  e.how = "sequential impulse";
  e.exact = 0.0;
  e.start = [d](double dt) { return std::make_unique<BulletBoxes>(d, dt); };
  return {e};
}

std::string bulletVersion() {
  return "Bullet " + std::to_string(BT_BULLET_VERSION / 100) + "." + std::to_string(BT_BULLET_VERSION % 100);
}

}  // namespace reeve::race
#else
namespace reeve::race {
std::vector<Entrant> bulletChain(const Description&, const ChainJudge&) { return {}; }
std::vector<Entrant> bulletBoxes(const Description&) { return {}; }
std::string bulletVersion() { return ""; }
}  // namespace reeve::race
#endif
