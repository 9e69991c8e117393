#include "peers.h"

#ifdef REEVE_HAVE_BULLET
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
  double dt_, gravity_;
};

class BulletChain : public Bullet {
 public:
  BulletChain(const ChainShape& shape, double dt) : Bullet(shape.gravity, dt), shape_(shape) {
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
  }
  double measure() override {
    worst_ =
        std::max(worst_, shape_.gap([&](std::size_t i) { return place(i); }, [&](std::size_t i) { return turn(i); }));
    return worst_;
  }

 private:
  ChainShape shape_;
  double worst_ = 0.0;
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

std::vector<Entrant> bulletChain(const Description& d) {
  Entrant e;
  e.engine = "bullet";
  e.how = "sequential impulse";
  e.exact = 0.0;
  e.start = [shape = ChainShape(d)](double dt) { return std::make_unique<BulletChain>(shape, dt); };
  return {e};
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
std::vector<Entrant> bulletChain(const Description&) { return {}; }
std::vector<Entrant> bulletBoxes(const Description&) { return {}; }
std::string bulletVersion() { return ""; }
}  // namespace reeve::race
#endif
