#include "reeve/elements/contacts.h"

#include <algorithm>
#include <cmath>

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

// Of a unit vector in a shape's frame: components this small are none.
constexpr double aligned = 1e-6;
// A normal closer than this to the axis of a cylinder says nothing about where on the rim the lowest point is.
constexpr double leastAcross = 0.02;

/// Largest distance of a point of the shape from the body's centre of mass.
double reachOf(const Shape& shape) {
  if (std::holds_alternative<HalfSpace>(shape.geometry)) return 0.0;
  const Aabb box = bounds(shape, Pose{});
  return box.lower.cwiseAbs().cwiseMax(box.upper.cwiseAbs()).norm();
}

Vec3 across(const Vec3& x, const Vec3& unit) { return x - unit * unit.dot(x); }

/// The surface of a shape at `point`, where the other body lies along the unit vector `out` (both in the world). A
/// face is told by `face`.
ContactSurface surfaceAt(const Instant& now, int block, const Shape& shape, const Vec3& point, const Vec3& out,
                         bool& face) {
  ContactSurface s;
  face = std::holds_alternative<HalfSpace>(shape.geometry);
  const bool turns = now.rotates(block);
  const Mat3 body = turns ? now.rotation(block) : Mat3(Mat3::Identity());
  const Mat3 local = shape.local.orientation.toRotationMatrix();
  const Vec3 p_B = body.transpose() * (point - now.position(block));
  const Vec3 p = local.transpose() * (p_B - shape.local.position), d = local.transpose() * (body.transpose() * out);
  Vec3 core = p, axis = Vec3::Zero();
  if (const auto* sphere = std::get_if<Sphere>(&shape.geometry)) {
    s.ball = sphere->radius;
    core = Vec3::Zero();
  } else if (const auto* capsule = std::get_if<Capsule>(&shape.geometry)) {
    s.ball = capsule->radius;
    core = Vec3(0, 0, std::clamp(p.z() - s.ball * d.z(), -capsule->halfLength, capsule->halfLength));
    s.straight = std::fabs(d.z()) < aligned;
    if (s.straight) axis = Vec3::UnitZ();
  } else if (const auto* cylinder = std::get_if<Cylinder>(&shape.geometry)) {
    const double tilt = std::sqrt(d.x() * d.x() + d.y() * d.y()), r = cylinder->radius;
    // The point of the rim, or of the side, that lies farthest out; the fixed points of a standing one stay with it.
    const bool farthest = tilt > leastAcross && p.x() * d.x() + p.y() * d.y() > 0.999 * r * tilt;
    face = tilt < aligned;
    if (farthest) {
      s.ring = r;
      core = Vec3(0, 0, p.z());
      axis = Vec3::UnitZ();
      s.straight = std::fabs(d.z()) < aligned;
    }
  } else if (std::holds_alternative<Box>(shape.geometry)) {
    int none = 0, along = 0;
    for (int k = 0; k < 3; ++k)
      if (std::fabs(d[k]) < aligned) ++none, along = k;
    face = none == 2;
    s.straight = none == 1;
    if (s.straight) axis = Vec3::Unit(along);
  }
  s.core = {block, turns ? Vec3(local * core + shape.local.position) : Vec3(Vec3::Zero())};
  if (turns) s.axis_B = local * axis;
  return s;
}

/// The point of a surface farthest along the unit vector d.
Vec3 surfacePoint(const Instant& now, const ContactSurface& s, const Vec3& d) {
  Vec3 p = now.point(s.core) + s.ball * d;
  if (s.ring == 0.0) return p;
  const Vec3 out = across(d, now.rotation(s.core.block) * s.axis_B);
  const double size = out.norm();
  return size > 0.0 ? Vec3(p + out * (s.ring / size)) : p;
}

/// From core to core, across what is straight; the normal of the start where that is no direction.
Vec3 normalBetween(const Instant& now, const Contact& c) {
  Vec3 d = now.point(c.b.core) - now.point(c.a.core);
  const Vec3 axisA = c.a.straight ? Vec3(now.rotation(c.a.core.block) * c.a.axis_B) : Vec3(Vec3::Zero()),
             axisB = c.b.straight ? Vec3(now.rotation(c.b.core.block) * c.b.axis_B) : Vec3(Vec3::Zero());
  const Vec3 both = axisA.cross(axisB);
  const double size = both.norm();
  if (c.a.straight && c.b.straight && size > 0.01)
    d = both * (both.dot(c.normal) < 0.0 ? -1.0 : 1.0);
  else
    d = c.a.straight ? across(d, axisA) : c.b.straight ? across(d, axisB) : d;
  const double length = d.norm();
  // What overlaps deeply, or passes the other in a trial, keeps the direction it came from.
  return length > 0.0 && d.dot(c.normal) > 0.5 * length ? Vec3(d / length) : c.normal;
}
}  // namespace

ContactPlace placeOf(const Instant& now, const Contact& c) {
  ContactPlace place;
  const auto ofFace = [&](int block) {
    return now.rotates(block) ? Vec3(now.rotation(block) * c.normal_B) : c.normal_B;
  };
  place.normal = c.rule == NormalRule::faceOfA   ? ofFace(c.a.core.block)
                 : c.rule == NormalRule::faceOfB ? ofFace(c.b.core.block)
                 : c.rule == NormalRule::fixed   ? c.normal
                                                 : normalBetween(now, c);
  place.pointA = surfacePoint(now, c.a, place.normal);
  place.pointB = surfacePoint(now, c.b, -place.normal);
  place.gap = place.normal.dot(place.pointB - place.pointA);
  return place;
}

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
      colliders_.push_back({body.name, body.block, &shape, body.friction, body.restitution, reachOf(shape), body.group,
                            body.mask, body.hidden});
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
  recalled_ = 0;
  Manifold manifold;
  for (const auto& [i, j] : broadphase_.update(boxes_)) {
    const Collider &a = colliders_[at(i)], &b = colliders_[at(j)];
    if (excludes(a.block, b.block)) continue;
    const double margin = reach_[at(i)] + reach_[at(j)];
    if (collide(*a.shape, poseOf(now, a), *b.shape, poseOf(now, b), margin, manifold) == 0) continue;
    reduce(manifold, 4);
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
  for (int k = 0; k < manifold.count; ++k) {
    const ContactPoint& p = manifold.points[at(k)];
    Contact& c = contacts_.emplace_back();
    c.key = ((static_cast<std::int64_t>(i) * static_cast<std::int64_t>(colliders_.size()) + j) << 32) | p.feature;
    c.colliderA = i;
    c.colliderB = j;
    c.normal = p.normal;
    bool faceA = false, faceB = false;
    c.a = surfaceAt(now, a.block, *a.shape, p.pointA, p.normal, faceA);
    c.b = surfaceAt(now, b.block, *b.shape, p.pointB, -p.normal, faceB);
    const double curved = c.a.ball + c.a.ring + c.b.ball + c.b.ring;
    c.rule = faceA          ? NormalRule::faceOfA
             : faceB        ? NormalRule::faceOfB
             : curved > 0.0 ? NormalRule::betweenCores
                            : NormalRule::fixed;
    // A rim that is met at an angle has no axis that the normal stays across: what it leans on gives the normal.
    const auto rim = [](const ContactSurface& s) { return s.ring > 0.0 && !s.straight; };
    if (c.rule == NormalRule::betweenCores && (rim(c.a) || rim(c.b))) c.rule = NormalRule::fixed;
    if (faceA || faceB) {
      const int block = faceA ? a.block : b.block;
      c.normal_B = now.rotates(block) ? Vec3(now.rotation(block).transpose() * c.normal) : c.normal;
    }
    c.gap = p.gap;
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
    const ContactMemory memory = recall(c, state);
    chooseTangents(now, memory, h, c);
    fresh_.push_back(memory);
  }
}

/// What is known of a contact from the step before. Pairs come in order, in this step as in that: one walk finds all.
ContactMemory Contacts::recall(const Contact& c, const State& state) {
  const std::vector<ContactMemory>& known = state.contacts;
  const std::int64_t pair = c.key >> 32;
  while (recalled_ < known.size() && known[recalled_].key >> 32 < pair) ++recalled_;
  for (std::size_t m = recalled_; m < known.size() && known[m].key >> 32 == pair; ++m)
    if (known[m].key == c.key) return known[m];
  ContactMemory memory;
  memory.key = c.key;
  if (c.gap < 1e-9 && state.steps == 0) memory.mode[0] = Mode::free;  // placed touching
  return memory;
}

/// The first tangent: the friction that acted while it stuck, otherwise where the contact is about to slip.
void Contacts::chooseTangents(const Instant& now, const ContactMemory& memory, double h, Contact& c) const {
  const Vec3& g = model_->description.settings.gravity;
  const ContactPlace place = placeOf(now, c);
  const auto predicted = [&](int body, const Vec3& point) -> Vec3 {
    const Block& block = model_->blocks[at(body)];
    Vec3 v = now.velocity(body);
    if (block.rotates) v += now.angularVelocity(body).cross(point - now.position(body));
    return v + (block.free && block.weighs ? Vec3(h * g) : Vec3(Vec3::Zero()));
  };
  Vec3 along = predicted(c.b.core.block, place.pointB) - predicted(c.a.core.block, place.pointA);
  if (memory.friction.norm() > 1e-9 && memory.mode[1] == Mode::free) along = memory.friction;
  along = across(along, c.normal);
  if (along.norm() > 1e-9) {
    c.tangent1 = along.normalized();
    c.tangent2 = c.normal.cross(c.tangent1);
  } else {
    orthonormalBasis(c.normal, c.tangent1, c.tangent2);
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

void Contacts::rows(const Instant& now, RowSet& out) const {
  int s = slot;
  for (const Contact& c : contacts_) {
    const ContactPlace place = placeOf(now, c);
    const int a = c.a.core.block, b = c.b.core.block;
    // A face turns with its body, and so pushes where the other one is.
    const Vec3& onA = c.rule == NormalRule::faceOfA ? place.pointB : place.pointA;
    const Vec3& onB = c.rule == NormalRule::faceOfB ? place.pointA : place.pointB;
    const auto push = [&](int block, const Vec3& point, const Vec3& direction) {
      if (!now.rotates(block)) return out.freshEntry(block, direction, Vec3::Zero());
      out.freshEntry(block, direction, (point - now.position(block)).cross(direction));
    };
    out.group();
    Row& normal = out.add(s);
    normal.error = place.gap - c.allowed;
    normal.lower = 0.0;
    normal.softness = c.softness;
    normal.restitution = c.restitution;
    normal.ramp = c.gap;
    push(a, onA, -place.normal);
    push(b, onB, place.normal);
    const Vec3 tangent1 =
        c.rule == NormalRule::fixed ? c.tangent1 : Vec3(across(c.tangent1, place.normal).normalized());
    const auto friction = [&](int rowSlot, const Vec3& t) {
      Row& row = out.add(rowSlot);
      row.level = Level::velocity;
      row.lower = row.upper = 0.0;
      row.softness = c.frictionSoftness;
      row.lowerSlot = row.upperSlot = s;
      row.lowerGain = -c.friction;
      row.upperGain = c.friction;
      push(a, onA, -t);
      push(b, onB, t);
    };
    friction(s + 1, tangent1);
    friction(s + 2, place.normal.cross(tangent1));
    s += 3;
  }
}

std::string Contacts::nameOf(ElementPart what, int localSlot) const {
  if (what != ElementPart::row) return {};
  const Contact& c = contacts_[at(localSlot / 3)];
  static constexpr const char* part[] = {"gap", "friction1", "friction2"};
  return "contacts." + colliderName(c.colliderA) + "-" + colliderName(c.colliderB) + "." + part[localSlot % 3];
}

}  // namespace reeve
