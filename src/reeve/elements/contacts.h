#pragma once
// Contacts between bodies: found once a step, written as rows at every trial instant.
//
// Each contact point is a group of three rows: the gap C = n·(p_b − p_a) − r_a − r_b with λ ≥ 0, and two friction rows
// J v = 0 with |λ_t| ≤ μ λ_n. During a step n is fixed in the world, and what is fixed to the bodies are points of a
// core around which the surface is round: a corner itself, the centre of a ball (spheres, capsules) or of a disc
// (sections and rims of cylinders). What meets is the core's support along n at the trial, p + r n or p + r m with m
// the part of n across the disc's axis, so that a body may roll, or turn over a rim, by any angle in a step: with s the
// support, C = n·(p_b − p_a) − s_a − s_b, and since s is an envelope its derivative is that of the point that meets
// now. The first tangent lies along the slip, or along the friction force while it sticks, so that the friction box
// acts as the cone it stands for.
#include <cstdint>

#include "reeve/geometry/broadphase.h"
#include "reeve/geometry/collide.h"
#include "reeve/model/full_stiffness.h"

namespace reeve {

/// What a contact's surface is around its anchor: nothing (a corner), a ball, or a disc about an axis.
struct Rounding {
  double radius = 0.0;
  bool disc = false;
  Vec3 axis_B = Vec3::Zero();  ///< of a disc
};

struct Contact {
  std::int64_t key = 0;
  int colliderA = 0, colliderB = 0;
  Anchor a, b;  ///< cores
  Rounding roundA, roundB;
  Vec3 normal, tangent1, tangent2;
  double friction = 0.0, restitution = 0.0;
  double softness = 0.0, frictionSoftness = 0.0;  ///< shares of the mobility
  double allowed = 0.0;  ///< gap this step may leave, ≤ 0: what overlaps deeply parts at a bounded speed
};

class Contacts : public Element, public WritesFullStiffness {
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
  /// False where a disc or the rim of one touches: the place moves round it.
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
  std::string nameOf(ElementPart part, int index) const override;

  const std::vector<Contact>& contacts() const { return contacts_; }
  /// From a to b along the normal, m; negative when they overlap.
  static double gap(const Instant& now, const Contact& contact);
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
  std::int64_t keyOf(int i, int j, const ContactPoint& p) const;
  void addManifold(const Instant& now, int i, int j, const Manifold& manifold, double h, const State& state);
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
};

}  // namespace reeve
