#pragma once
// What there is: coordinates with mass, the things people name, and the elements that write rows.
// Built once from a Description, const afterwards.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "reeve/geometry/shape.h"
#include "reeve/math/types.h"
#include "reeve/model/description.h"

namespace reeve {

class Element;
class ElementMass;
class Executor;

/// A block of coordinates with a mass: the only thing a solver knows of a body, a rotor, a particle or a strand node.
/// Positions live in State::q (rigid: x, y, z, qw, qx, qy, qz; otherwise one number per degree of freedom),
/// velocities in State::v (rigid: linear of the centre of mass, then angular, world frame).
struct Block {
  int q = 0;                      ///< first index in State::q
  int v = 0;                      ///< first index in State::v
  int dof = 0;                    ///< 6 for a rigid body
  bool rotates = false;           ///< rigid: the last three velocities are angular
  bool free = true;               ///< unknown of the solver; otherwise fixed, prescribed or asleep
  bool asleep = false;            ///< a spare that is no part of the scene now (Element::topology): it does not collide
  bool massless = false;          ///< next to it: rows that share it are solved together
  bool weighs = false;            ///< gravity acts on the first three degrees of freedom
  double mass = 0.0;              ///< of every linear degree of freedom
  double nominal = 0.0;           ///< kg: the size of what it moves, where elements carry its mass; else 0
  Mat3 inertia_B = Mat3::Zero();  ///< rigid: about the centre of mass, body frame
};

/// The spin of a balanced wheel on a free parent. The wheel's mass and cross inertia are in the parent's block, its
/// spin about the axle is a block of its own, and what is left is the gyroscopic coupling: the parent's angular
/// momentum is I ω + p a, p the spin momentum and a the axle.
struct Spin {
  int rotor = 0;   ///< block
  int parent = 0;  ///< block
  Vec3 axis_B = Vec3::UnitY();
  int v = 0;  ///< of the rotor, in State::v
};

struct Body {
  std::string name;
  int block = 0;
  Vec3 center_B = Vec3::Zero();  ///< centre of mass from the body's origin
  std::vector<Shape> shapes;     ///< placed relative to the centre of mass
  double friction = 0.0, restitution = 0.0;
  unsigned group = 1, mask = ~0u;
  const MotionSettings* prescribed = nullptr;
  Pose start;           ///< of the origin
  bool hidden = false;  ///< part of a cable: collides, but is not a body of the scene
};

struct Rotor {
  std::string name;
  int block = 0;
  int parent = 0;                ///< block of the body it sits on
  Vec3 center_B = Vec3::Zero();  ///< from the parent's centre of mass
  Vec3 axis_B = Vec3::UnitY();
  double radius = 0.0;
};

struct Particle {
  std::string name;
  int block = 0;
  double radius = 0.0;
  bool hidden = false;  ///< part of a cable
};

/// A point fixed to a rigid block, or a particle itself.
struct Anchor {
  int block = 0;
  Vec3 local = Vec3::Zero();  ///< from the centre of mass, body frame
};

struct Model {
  Description description;
  std::vector<Block> blocks;  ///< blocks[0] is the world
  std::vector<Spin> spins;
  std::vector<Body> bodies;  ///< bodies[0] is the world
  std::vector<Rotor> rotors;
  std::vector<Particle> particles;
  std::vector<std::unique_ptr<Element>> elements;
  std::vector<const Element*> acting,
      passive;                             ///< the same by ElementLayout::passive: a step goes over them many times
  std::vector<int> cached;                 ///< those that work something out once for an instant
  std::vector<const ElementMass*> masses;  ///< of elements that have mass between blocks
  int positions = 0;                       ///< size of State::q
  int velocities = 0;                      ///< size of State::v
  int slots = 0;                           ///< multipliers of the elements
  int memory = 0;                          ///< numbers the elements remember
  int sheets = 0;                          ///< size of State::sheets
  int scratch = 0;                         ///< numbers they keep while an instant is looked at
  bool led = false;                        ///< some body goes as it is told
  bool hasElementMass = false;             ///< blocks without mass get it from elements: only `direct` can step that
  std::vector<int> colliders;              ///< block of everything that collides; contacts are named by pairs of them
  int layout = 0;                ///< counts who fell asleep or woke: what solvers keep of the pattern holds for one
  Executor* executor = nullptr;  ///< who runs independent work; null: here, in order. Never changes a result
  /// Set from outside (a signal, another thread) to end the step that is being made; null: nobody does. The world then
  /// goes back to where the step began.
  const std::atomic<bool>* interrupt = nullptr;
  bool interrupted() const { return interrupt && interrupt->load(std::memory_order_relaxed); }
};

}  // namespace reeve
