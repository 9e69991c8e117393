#pragma once
// Contacts between bodies: found once a step, written as rows at every trial instant.
//
// Each contact point is a group of three rows: the gap C = n·(p_b − p_a) with λ ≥ 0, and two friction rows J v = 0 with
// |λ_t| ≤ μ λ_n. p_a and p_b are the points of the surfaces that face each other at the trial, not points of the
// material: a surface is a core point, fixed to its body, with a ring of radius R about an axis of the body (cylinders)
// and a ball of radius r around it (spheres, capsules), and so its point farthest along the unit vector d is
//   p = core + R (d − a (a·d))/|d − a (a·d)| + r d.
// It extremises the gap, so J is that of the material at p (envelope theorem), rolling is exact at any turn per step,
// and friction acts where the surfaces meet. The normal is that of a face and turns with its body, or points from core
// to core across the axes along which the shapes are straight, or is fixed in the world during the step (edges of
// hulls). The first tangent lies along the slip, or along the friction force while it sticks, so that a friction box
// acts as the cone it stands for.
#include <cstdint>

#include "reeve/geometry/broadphase.h"
#include "reeve/geometry/collide.h"
#include "reeve/model/element.h"

namespace reeve {

/// Surface of a shape near a contact.
struct ContactSurface {
  Anchor core;
  Vec3 axis_B = Vec3::Zero();  ///< of the ring, or along which the surface is straight; zero: neither
  double ring = 0.0, ball = 0.0;
  /// Of `axis_B`: the surface is straight along it, so that the normal stays across it.
  bool straight = false;
};

/// What the normal follows during a step.
enum class NormalRule : std::uint8_t { fixed, faceOfA, faceOfB, betweenCores };

struct Contact {
  std::int64_t key = 0;
  int colliderA = 0, colliderB = 0;
  ContactSurface a, b;
  NormalRule rule = NormalRule::fixed;
  Vec3 normal, tangent1, tangent2;  ///< where the step begins
  Vec3 normal_B = Vec3::Zero();     ///< of a face: in its body's frame
  double friction = 0.0, restitution = 0.0;
  double softness = 0.0, frictionSoftness = 0.0;  ///< shares of the mobility
  double gap = 0.0;                               ///< m, where the step begins
  double allowed = 0.0;  ///< gap this step may leave, ≤ 0: what overlaps deeply parts at a bounded speed
};

/// Where the surfaces of a contact face each other at an instant.
struct ContactPlace {
  Vec3 normal, pointA, pointB;
  double gap = 0.0;
};
ContactPlace placeOf(const Instant& now, const Contact& contact);

class Contacts : public Element {
 public:
  /// Lists what can collide; pairs in `excluded` (of blocks, smaller first) never do.
  void build(const Model& model, std::vector<std::pair<int, int>> excluded);
  bool empty() const { return colliders_.empty(); }
  /// Finds the contacts of the coming step of length h and gives each its multipliers in the state.
  void find(const Instant& now, double h, State& state);
  /// After a step: what the state remembers of each contact.
  void remember(State& state) const;

  ElementLayout layout() const override { return {.slots = 3 * static_cast<int>(contacts_.size())}; }
  void rows(const Instant& now, RowSet& out) const override;
  std::string nameOf(ElementPart part, int index) const override;

  const std::vector<Contact>& contacts() const { return contacts_; }
  const std::string& colliderName(int collider) const { return colliders_[static_cast<std::size_t>(collider)].name; }

 private:
  struct Collider {
    std::string name;
    int block = 0;
    const Shape* shape = nullptr;
    double friction = 0.0, restitution = 0.0, reach = 0.0;
    unsigned group = 1, mask = ~0u;
    bool segment = false;  ///< of a cable
  };
  void addManifold(const Instant& now, int i, int j, const Manifold& manifold, double h, const State& state);
  ContactMemory recall(const Contact& contact, const State& state);
  void chooseTangents(const Instant& now, const ContactMemory& memory, double h, Contact& contact) const;
  Pose poseOf(const Instant& now, const Collider& c) const;
  bool excludes(int blockA, int blockB) const;

  const Model* model_ = nullptr;
  std::vector<Collider> colliders_;
  std::vector<Shape> particleShapes_;
  std::vector<std::pair<int, int>> excluded_;
  std::vector<BroadphaseBox> boxes_;
  Broadphase broadphase_;
  std::vector<double> reach_;
  std::vector<Contact> contacts_;
  std::vector<ContactMemory> fresh_;
  std::size_t recalled_ = 0;  ///< first of State::contacts whose pair is not behind the one at hand
};

}  // namespace reeve
