#include "reeve/elements/contacts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "reeve/elements/contact_points.h"
#include "reeve/math/rotation.h"
#include "reeve/model/parameter.h"

namespace reeve {

namespace {
// A body on a face has more contact rows than freedoms; a trace of give decides who carries what. A resting body sinks
// by this share of g h²/2, and one held by friction creeps by that share of it in every step.
constexpr double normalSoftness = 1e-5;
constexpr double frictionSoftness = 1e-6;
// Segments of a cable that lies on something have contacts at both ends, which nearly coincide with those of their
// neighbours: who carries what is next to undetermined, and needs more give before it can be found. A segment of 1/120
// s at rest sinks by a micrometre; on a slope it creeps by a tenth of a millimetre in a second.
constexpr double segmentSoftness = 3e-3;
// Bodies found deep in each other part at no more than this, m/s, instead of being thrown apart.
constexpr double recoverySpeed = 0.2;

/// A disc flatter than this against the normal (sine) touches with points of its rim, and they are corners.
constexpr double flat = 0.1;

/// How the shape is round about the point where it meets something along `outward`, and the core of that point.
Rounding roundingOf(const Shape& shape, const Pose& body, const Vec3& outward, Vec3& point) {
  double ball = 0.0;
  if (const auto* s = std::get_if<Sphere>(&shape.geometry)) ball = s->radius;
  if (const auto* c = std::get_if<Capsule>(&shape.geometry)) ball = c->radius;
  if (ball > 0.0) {
    point -= ball * outward;
    return {ball, false, Vec3::Zero()};
  }
  const auto* cylinder = std::get_if<Cylinder>(&shape.geometry);
  if (!cylinder) return {};
  const Pose pose = body * shape.local;
  const Vec3 axis = pose.direction(Vec3::UnitZ());
  const Vec3 across = outward - axis * axis.dot(outward);
  if (across.norm() < flat) return {};
  const Vec3 from = point - pose.position, centre = pose.position + axis * axis.dot(from);
  const double r = cylinder->radius;
  // The point of the section that lies farthest out, and no other corner of the overlap.
  if ((point - centre - r * across.normalized()).norm() > 0.01 * r) return {};
  point = centre;
  return {r, true, shape.local.direction(Vec3::UnitZ())};
}

/// From the core to where the surface is met along `outward`.
Vec3 surfaceFrom(const Instant& now, int block, const Rounding& round, const Vec3& outward) {
  if (!round.disc) return round.radius * outward;
  const Vec3 axis = now.rotates(block) ? Vec3(now.rotation(block) * round.axis_B) : round.axis_B;
  const Vec3 across = outward - axis * axis.dot(outward);
  const double l = across.norm();
  return l > 1e-12 ? Vec3(across * (round.radius / l)) : Vec3::Zero();
}

/// What is remembered of a contact, or null. The list is in the order of pairs (find() writes it so).
const ContactMemory* remembered(std::span<const ContactMemory> all, std::int64_t key) {
  const auto pair = [](const ContactMemory& m) { return m.key >> 32; };
  for (auto m = std::ranges::lower_bound(all, key >> 32, {}, pair); m != all.end() && pair(*m) == key >> 32; ++m)
    if (m->key == key) return &*m;
  return nullptr;
}

/// Points that hold a body up in every direction.
constexpr int mostPoints = 4;

/// Largest distance of a point of the shape from the body's centre of mass.
double reachOf(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape.geometry)) return 0.0;
  const Aabb box = bounds(shape, Pose{});
  return box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs()).norm();
}
}  // namespace

void Contacts::build(const Model& model, std::vector<std::pair<int, int>> excluded) {
  model_ = &model;
  name = "contacts";
  excluded_ = std::move(excluded);
  std::sort(excluded_.begin(), excluded_.end());
  colliders_.clear();
  particleShapes_.clear();
  particleShapes_.reserve(model.particles.size());
  for (const Body& body : model.bodies)
    for (const Shape& shape : body.shapes)
      if (body.mask != 0)
        colliders_.push_back({body.name, body.block, &shape, body.friction, body.restitution, reachOf(shape),
                              body.group, body.mask, body.hidden});
  for (const Particle& p : model.particles) {
    if (p.radius <= 0.0) continue;
    particleShapes_.push_back(Shape{Sphere{p.radius}, Pose{}});
    colliders_.push_back({p.name, p.block, &particleShapes_.back(), 0.5, 0.0, p.radius, 1, ~0u, false});
  }
  boxes_.resize(colliders_.size());
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    const Collider& c = colliders_[i];
    // Everything that does not move by itself is one owner: such things never collide with each other.
    const Block& b = model.blocks[at(c.block)];
    boxes_[i] = {Aabb{}, c.group, c.mask, b.free || b.asleep ? c.block : 0};
  }
  reach_.resize(colliders_.size());
}

Pose Contacts::poseOf(const Instant& now, const Collider& c) const {
  return now.rotates(c.block) ? now.pose(c.block) : Pose{now.position(c.block), Quat::Identity()};
}

bool Contacts::excludes(int a, int b) const {
  return std::binary_search(excluded_.begin(), excluded_.end(), std::pair(std::min(a, b), std::max(a, b)));
}

std::int64_t Contacts::keyOf(int i, int j, const ContactPoint& p) const {
  return ((static_cast<std::int64_t>(i) * static_cast<std::int64_t>(colliders_.size()) + j) << 32) | p.feature;
}

void Contacts::find(const Instant& now, double h, State& state) {
  const double fall = h * h * model_->description.settings.gravity.norm();
  for (std::size_t i = 0; i < colliders_.size(); ++i) {
    const Collider& c = colliders_[i];
    if (model_->blocks[at(c.block)].asleep) {
      boxes_[i].box = {Vec3::Constant(1.0), Vec3::Constant(-1.0)};  // lower above upper: no pairs
      continue;
    }
    const double speed =
        now.velocity(c.block).norm() + (now.rotates(c.block) ? now.angularVelocity(c.block).norm() * c.reach : 0.0);
    reach_[i] = 1.5 * h * speed + fall + 1e-4;
    Aabb& box = boxes_[i].box;
    box = bounds(*c.shape, poseOf(now, c));
    box.lower.array() -= reach_[i];
    box.upper.array() += reach_[i];
  }
  contacts_.clear();
  fresh_.clear();
  Manifold manifold;
  for (const auto& [i, j] : broadphase_.update(boxes_)) {
    const Collider &a = colliders_[at(i)], &b = colliders_[at(j)];
    if (excludes(a.block, b.block)) continue;
    const double margin = reach_[at(i)] + reach_[at(j)];
    if (collide(*a.shape, poseOf(now, a), *b.shape, poseOf(now, b), margin, manifold) == 0) continue;
    if (manifold.count > mostPoints) {
      std::array<bool, Manifold::capacity> known{};
      for (int k = 0; k < manifold.count; ++k)
        known[at(k)] = remembered(state.contacts, keyOf(i, j, manifold.points[at(k)])) != nullptr;
      if (!keepPoints(manifold, known, mostPoints)) reduce(manifold, mostPoints);
    }
    addManifold(now, i, j, manifold, h, state);
  }
  state.contacts = fresh_;
  state.force.resize(at(model_->slots) + 3 * contacts_.size());
  state.mode.resize(state.force.size());
  slot = model_->slots;
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const ContactMemory& m = state.contacts[c];
    const std::size_t s = at(model_->slots) + 3 * c;
    state.force[s] = m.normal;
    state.force[s + 1] = m.friction.dot(contacts_[c].tangent1);
    state.force[s + 2] = m.friction.dot(contacts_[c].tangent2);
    for (std::size_t k = 0; k < 3; ++k) state.mode[s + k] = m.mode[k];
  }
}

void Contacts::addManifold(const Instant& now, int i, int j, const Manifold& manifold, double h, const State& state) {
  const Collider &a = colliders_[at(i)], &b = colliders_[at(j)];
  const Pose poseA = poseOf(now, a), poseB = poseOf(now, b);
  for (int k = 0; k < manifold.count; ++k) {
    const ContactPoint& p = manifold.points[at(k)];
    Contact& c = contacts_.emplace_back();
    c.key = keyOf(i, j, p);
    c.colliderA = i;
    c.colliderB = j;
    c.normal = p.normal;
    Vec3 coreA = p.pointA, coreB = p.pointB;
    c.roundA = roundingOf(*a.shape, poseA, p.normal, coreA);
    c.roundB = roundingOf(*b.shape, poseB, -p.normal, coreB);
    const auto local = [&](int block, const Vec3& point) -> Vec3 {
      return now.rotates(block) ? Vec3(now.rotation(block).transpose() * (point - now.position(block))) : Vec3::Zero();
    };
    c.a = {a.block, local(a.block, coreA)};
    c.b = {b.block, local(b.block, coreB)};
    c.allowed = std::min(0.0, p.gap + recoverySpeed * h);
    const auto value = [&](int block, BlockField field, double declared) {
      return chosen(state, blockKey(block, field), declared);
    };
    c.friction =
        std::sqrt(value(a.block, BlockField::friction, a.friction) * value(b.block, BlockField::friction, b.friction));
    c.restitution = std::max(value(a.block, BlockField::restitution, a.restitution),
                             value(b.block, BlockField::restitution, b.restitution));
    c.softness = a.segment || b.segment ? segmentSoftness : normalSoftness;
    c.frictionSoftness = a.segment || b.segment ? segmentSoftness : frictionSoftness;

    ContactMemory memory;
    memory.key = c.key;
    if (const ContactMemory* old = remembered(state.contacts, c.key))
      memory = *old;
    else if (p.gap < 1e-9 && state.steps == 0)
      memory.mode[0] = Mode::free;  // placed touching
    // The first tangent: the friction that acted while it stuck, otherwise where the contact is about to slip.
    const Vec3& g = model_->description.settings.gravity;
    const auto predicted = [&](const Anchor& x) -> Vec3 {
      const Block& block = model_->blocks[at(x.block)];
      return now.pointVelocity(x) + (block.free && block.weighs ? Vec3(h * g) : Vec3::Zero());
    };
    Vec3 along = predicted(c.b) - predicted(c.a);
    if (memory.friction.norm() > 1e-9 && memory.mode[1] == Mode::free) along = memory.friction;
    along -= c.normal * c.normal.dot(along);
    if (along.norm() > 1e-9) {
      c.tangent1 = along.normalized();
      c.tangent2 = c.normal.cross(c.tangent1);
    } else {
      orthonormalBasis(c.normal, c.tangent1, c.tangent2);
    }
    fresh_.push_back(memory);
  }
}

void Contacts::remember(State& state) const {
  for (std::size_t c = 0; c < contacts_.size(); ++c) {
    const std::size_t s = at(model_->slots) + 3 * c;
    ContactMemory& m = state.contacts[c];
    m.normal = state.force[s];
    m.friction = state.force[s + 1] * contacts_[c].tangent1 + state.force[s + 2] * contacts_[c].tangent2;
    for (std::size_t k = 0; k < 3; ++k) m.mode[k] = state.mode[s + k];
  }
}

double Contacts::gap(const Instant& now, const Contact& c) {
  const Vec3 from = now.point(c.a) + surfaceFrom(now, c.a.block, c.roundA, c.normal);
  const Vec3 to = now.point(c.b) + surfaceFrom(now, c.b.block, c.roundB, -c.normal);
  return c.normal.dot(to - from);
}

namespace {
/// What of a contact belongs to one of its bodies: from its place to where the surfaces meet.
struct ContactSide {
  int block = 0;
  bool turns = false;
  double sign = 0.0;
  Vec3 arm;

  /// Adds the row of a motion along this direction.
  void push(const Vec3& along, RowSet& out) const {
    const Vec3 lever = turns ? Vec3(sign * arm.cross(along)) : Vec3(Vec3::Zero());
    out.freshEntry(block, sign * along, lever);
  }
};

ContactSide sideOf(const Instant& now, const Anchor& core, const Rounding& round, const Vec3& outward, double sign) {
  const bool turns = now.rotates(core.block);
  Vec3 arm = turns ? Vec3(now.rotation(core.block) * core.local) : Vec3(Vec3::Zero());
  if (round.radius > 0.0) arm += surfaceFrom(now, core.block, round, outward);
  return {core.block, turns, sign, arm};
}
}  // namespace

void Contacts::rows(const Instant& now, RowSet& out) const {
  int s = slot;
  for (const Contact& c : contacts_) {
    out.group();
    const ContactSide a = sideOf(now, c.a, c.roundA, c.normal, -1.0), b = sideOf(now, c.b, c.roundB, -c.normal, 1.0);
    Row& normal = out.add(s);
    normal.error = c.normal.dot((now.position(b.block) + b.arm) - (now.position(a.block) + a.arm)) - c.allowed;
    normal.lower = 0.0;
    normal.softness = c.softness;
    normal.restitution = c.restitution;
    a.push(c.normal, out);
    b.push(c.normal, out);
    for (int k = 1; k < 3; ++k) {
      const Vec3& along = k == 1 ? c.tangent1 : c.tangent2;
      Row& row = out.add(s + k);
      row.level = Level::velocity;
      row.work = Work::friction;
      row.lower = row.upper = 0.0;
      row.softness = c.frictionSoftness;
      row.lowerSlot = row.upperSlot = s;
      row.lowerGain = -c.friction;
      row.upperGain = c.friction;
      a.push(along, out);
      b.push(along, out);
    }
    s += 3;
  }
}

/// Normal and tangents stand still for a step, and so does what a ball adds to its core: a force at the core.
bool Contacts::fullStiffness(const Instant&, std::span<const double> force, FullStiffness& out) const {
  if (std::ranges::any_of(contacts_, [](const Contact& c) { return c.roundA.disc || c.roundB.disc; })) return false;
  std::size_t s = at(slot);
  for (const Contact& c : contacts_) {
    const Vec3 pushes = force[s] * c.normal + force[s + 1] * c.tangent1 + force[s + 2] * c.tangent2;
    out.lever(c.a, -pushes);
    out.lever(c.b, pushes);
    s += 3;
  }
  return true;
}

std::string Contacts::nameOf(ElementPart what, int localSlot) const {
  if (what != ElementPart::row) return {};
  const Contact& c = contacts_[at(localSlot / 3)];
  static constexpr const char* part[] = {"gap", "friction1", "friction2"};
  return "contacts." + colliderName(c.colliderA) + "-" + colliderName(c.colliderB) + "." + part[localSlot % 3];
}

}  // namespace reeve
