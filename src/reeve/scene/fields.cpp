#include "reeve/scene/fields.h"

#include <algorithm>

namespace reeve::scene {
namespace {

template <class S, class T>
S structOf(T S::*);
template <class S, class T>
T typeOf(T S::*);

/// A field of a struct: key, what it measures, what it may be, what it means.
template <auto member, class F = FormOf<decltype(typeOf(member))>>
Field field(std::string_view key, const Dimension& measures, const Range& range, std::string_view about) {
  using S = decltype(structOf(member));
  const auto get = [](const void* object) -> const void* { return &(static_cast<const S*>(object)->*member); };
  return {key, &theForm<F>(), get, about, Spec{&measures, range}};
}
template <auto member, class F = FormOf<decltype(typeOf(member))>>
Field field(std::string_view key, std::string_view about) {
  return field<member, F>(key, dimension::none, freely, about);
}

/// A field that belongs to the scene as a text, not to its description.
template <class F>
Field textField(std::string_view key, std::string_view about) {
  return {key, &theForm<F>(), [](const void* object) { return object; }, about, Spec{}};
}

template <auto member>
Discriminator kindIn(std::string_view key) {
  using S = decltype(structOf(member));
  return {key, wordsOf<decltype(typeOf(member))>(),
          [](const void* object) { return static_cast<unsigned>(static_cast<const S*>(object)->*member); },
          [](const void* from, void* to) { static_cast<S*>(to)->*member = static_cast<const S*>(from)->*member; }};
}

constexpr Range groups{"from 0 to 31", 0.0, 31.0}, counts{"from 0 to 1000000", 0.0, 1e6},
    substepCounts{"from 1 to 10000", 1.0, 1e4}, projectionCounts{"from 0 to 10000", 0.0, 1e4},
    linkCounts{"from 2 to 100000", 2.0, 1e5};

template <std::size_t n>
using Words = std::array<std::string_view, n>;

}  // namespace

// ---- the words of every enumeration, in its order

// clang-format off
template <> std::span<const std::string_view> wordsOf<ShapeType>() {
  static constexpr Words<7> words{"sphere", "capsule", "cylinder", "box", "hull", "prism", "half-space"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<BodyMotion>() {
  static constexpr Words<3> words{"dynamic", "kinematic", "static"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<JointType>() {
  static constexpr Words<6> words{"ball", "hinge", "slider", "fixed", "distance", "universal"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<DistanceMode>() {
  static constexpr Words<3> words{"both", "rope", "strut"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<DriveType>() {
  static constexpr Words<4> words{"velocity", "position", "force", "feedback"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<CableModel>() {
  static constexpr Words<5> words{"joints", "particles", "strand", "hoist", "chain"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<LinkType>() {
  static constexpr Words<9> words{"attach", "roll", "pinhole", "hybrid", "spool", "sheath", "guide", "node", "ride"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<GuideShape>() {
  static constexpr Words<9> words{"plane", "cylinder", "sphere", "torus", "line", "circle", "helix", "spline", "formula"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<EndHold>() {
  static constexpr Words<3> words{"pinned", "clamped", "free"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<SectionShape>() {
  static constexpr Words<2> words{"round", "square"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<TwistMeasure>() {
  static constexpr Words<2> words{"parallel", "crossed"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<WaveScheme>() {
  static constexpr Words<2> words{"implicit", "explicit"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<PullForm>() {
  static constexpr Words<2> words{"row", "force"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<StartChoice>() {
  static constexpr Words<2> words{"described", "equilibrium"};
  return words;
}

template <> std::span<const std::string_view> wordsOf<SolverChoice>() {
  static constexpr Words<4> words{"auto", "sweep", "direct", "blocks"};
  return words;
}

template <> std::span<const std::string_view> wordsOf<ParticleWay>() {
  static constexpr Words<5> words{"springs", "stiff", "jakobsen", "pbd", "xpbd"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<CurveType>() {
  static constexpr Words<3> words{"catmull-rom", "bezier", "polyline"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<Predictor>() {
  static constexpr Words<2> words{"euler", "verlet"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<DoubleRest>() {
  static constexpr Words<3> words{"none", "initial", "straight"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<SolveOrder>() {
  static constexpr Words<3> words{"along", "coloured", "chunks"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<TouchMode>() {
  static constexpr Words<4> words{"none", "points", "discrete", "swept"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<FrictionLaw>() {
  static constexpr Words<2> words{"coulomb", "depth"};
  return words;
}

template <> std::span<const std::string_view> wordsOf<OneWay>() {
  static constexpr Words<3> words{"off", "positive", "negative"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<Cleat>() {
  static constexpr Words<3> words{"off", "forward", "back"};
  return words;
}
template <> std::span<const std::string_view> wordsOf<ActionType>() {
  static constexpr Words<11> words{"release", "hold", "hook", "cut", "brake", "unbrake", "drive", "resume", "set", "reel", "convert"};
  return words;
}

// ---- the fields of every struct

using namespace dimension;

template <> const Record& recordOf<Profile>() {
  using P = Profile;
  static const Record record{.name = "profile",
      .about = "A number that changes with time: offset + rate t + amplitude sin(2 pi frequency t + phase) + table(t).",
      .fields = {
          field<&P::offset>("offset", profile, freely, "the constant part"),
          field<&P::rate>("rate", profileRate, freely, "change per second"),
          field<&P::amplitude>("amplitude", profile, freely, "of the sine"),
          field<&P::frequency>("frequency", frequency, nonNegative, "of the sine"),
          field<&P::phase>("phase", angle, freely, "of the sine at time 0"),
          field<&P::table>("table", profile, freely, "knots [time, value], times increasing; constant beyond the ends").pairsWithTime(),
          field<&P::smooth>("smooth", "cubic with zero slope at every knot, instead of piecewise linear"),
          field<&P::spline>("spline", "a smooth motion through all knots, instead of piecewise linear: at rest at the ends and where a value is given twice, without jumps of speed or acceleration"),
      },
      .oneLine = true};
  return record;
}

template <> const Record& recordOf<ShapeSettings>() {
  using S = ShapeSettings;
  using enum ShapeType;
  static const Record record{.name = "shape", .about = "A convex solid on a body.",
      .fields = {
          field<&S::type>("type", "what solid it is").need(),
          field<&S::radius>("radius", dimension::length, positive, "of the sphere, capsule or cylinder").on(sphere, capsule, cylinder).need(sphere, capsule, cylinder),
          field<&S::length>("length", dimension::length, positive, "along local z; of a capsule between the centers of its caps").on(capsule, cylinder, prism).need(capsule, cylinder, prism),
          field<&S::size>("size", dimension::length, positive, "full edge lengths of the box").on(box).need(box),
          field<&S::points>("points", dimension::length, freely, "corners; the solid is their convex hull").on(hull).need(hull).atLeast(4),
          field<&S::polygon>("polygon", dimension::length, freely, "convex outline in local xy").on(prism).need(prism).atLeast(3),
          field<&S::position>("position", dimension::length, freely, "on the body; a half-space fills what is below its local z = 0"),
          field<&S::orientation>("orientation", "on the body"),
      },
      .oneLine = true, .repeats = true, .leading = 1, .kind = kindIn<&S::type>("type")};
  return record;
}

template <> const Record& recordOf<MotionSettings>() {
  using M = MotionSettings;
  static const Record record{.name = "motion", .about = "The prescribed motion of a kinematic body: start + along travel(t), turned by turn(t) about an axis.",
      .fields = {
          field<&M::along>("along", none, direction, "of the travel, world frame"),
          field<&M::travel>("travel", dimension::length, freely, "distance along it"),
          field<&M::about>("about", none, direction, "axis through the body's origin, world frame"),
          field<&M::turn>("turn", angle, freely, "angle about it"),
      }};
  return record;
}

template <> const Record& recordOf<BodySettings>() {
  using B = BodySettings;
  using enum BodyMotion;
  static const Record record{.name = "body", .about = "A rigid body. Its mass and inertia come from its shapes and density unless given.",
      .fields = {
          field<&B::motion>("motion", "what moves it: forces, a prescribed motion, or nothing"),
          field<&B::position>("position", dimension::length, freely, "of the body's origin"),
          field<&B::orientation>("orientation", "of the body's frame"),
          field<&B::velocity>("velocity", velocity, freely, "of the body's origin").on(dynamic, kinematic),
          field<&B::angularVelocity>("angular_velocity", angularVelocity, freely, "world frame").on(dynamic, kinematic),
          field<&B::shapes>("shapes", "what it is made of"),
          field<&B::mass>("mass", mass, positive, "otherwise from density and shapes"),
          field<&B::inertia>("inertia", inertia, positive, "principal moments along the body's axes about the center of mass; otherwise from the shapes"),
          field<&B::center>("center", dimension::length, freely, "center of mass on the body; otherwise from the shapes"),
          field<&B::density>("density", density, positive, "of its shapes"),
          field<&B::friction>("friction", none, nonNegative, "contact coefficient"),
          field<&B::restitution>("restitution", none, fraction, "bounce of contacts"),
          field<&B::drag>("drag", damping, nonNegative, "force per velocity, opposes it"),
          field<&B::angularDrag>("angular_drag", angularDamping, nonNegative, "torque per angular velocity, opposes it"),
          field<&B::dragArea>("drag_area", area, nonNegative, "drag coefficient times area: the air drags with half its density times this times the square of the velocity in it; see settings.wind"),
          field<&B::gravity>("gravity", "whether gravity acts on it"),
          field<&B::collides>("collides", "whether it touches others"),
          field<&B::group>("group", none, groups, "collision group"),
          field<&B::ignores>("ignores", none, groups, "groups this body passes through"),
          field<&B::prescribed>("prescribed", "its motion over time").on(kinematic),
          field<&B::color, ColorForm>("color", "for drawing, \"#rrggbb\" or a CSS name"),
      },
      .repeats = true,
      .leading = 1, .kind = kindIn<&B::motion>("motion")};
  return record;
}

template <> const Record& recordOf<RotorSettings>() {
  using R = RotorSettings;
  static const Record record{.name = "rotor", .about = "A balanced wheel with one coordinate: its absolute spin about the axle.",
      .fields = {
          field<&R::on>("on", "parent body"),
          field<&R::position>("position", dimension::length, freely, "of the wheel's center, parent frame"),
          field<&R::axis>("axis", none, direction, "of the axle, parent frame; positive spin is right-handed about it"),
          field<&R::radius>("radius", dimension::length, positive, "of the groove the cable runs in"),
          field<&R::width>("width", dimension::length, positive, "of its groove: a cable that meets the wheel further beside its middle passes it by"),
          field<&R::inertia>("inertia", inertia, positive, "about the axle; otherwise mass radius^2 / 2"),
          field<&R::mass>("mass", mass, nonNegative, "carried by the parent, its cross inertia too"),
          field<&R::angle>("angle", angle, freely, "at the start"),
          field<&R::rate>("rate", angularVelocity, freely, "at the start"),
          field<&R::friction>("friction", torque, nonNegative, "Coulomb torque of the bearing"),
          field<&R::damping>("damping", angularDamping, nonNegative, "viscous torque of the bearing"),
          field<&R::brake>("brake", torque, nonNegative, "holding torque of a brake to the parent"),
          field<&R::brakeOpen>("brake_open", "the brake is open at the start"),
          field<&R::oneWay>("one_way", "a one-way clutch to the parent: it turns only in the positive, or only in the negative direction"),
          field<&R::pitch>("pitch", angle, nonNegative, "angle between teeth of a ratchet, which it may fall back by; 0: the clutch holds at once"),
          field<&R::torque>("torque", torque, freely, "constant, reacts on the parent"),
          field<&R::color, ColorForm>("color", "for drawing, \"#rrggbb\" or a CSS name"),
      },
      .repeats = true};
  return record;
}

template <> const Record& recordOf<ParticleSettings>() {
  using P = ParticleSettings;
  static const Record record{.name = "particle", .about = "A point with mass.",
      .fields = {
          field<&P::position>("position", dimension::length, freely, "at the start"),
          field<&P::velocity>("velocity", velocity, freely, "at the start"),
          field<&P::mass>("mass", mass, positive, "of the particle"),
          field<&P::radius>("radius", dimension::length, nonNegative, "collides as a sphere of this size when positive"),
          field<&P::drag>("drag", damping, nonNegative, "force per velocity, opposes it"),
          field<&P::gravity>("gravity", "whether gravity acts on it"),
      },
      .repeats = true};
  return record;
}

template <> const Record& recordOf<JointSettings>() {
  using J = JointSettings;
  using enum JointType;
  static const Record record{.name = "joint", .about = "Holds two bodies or particles together. Anchors and axes are in the world frame at the start pose.",
      .fields = {
          field<&J::type>("type", "what it leaves free").need(),
          field<&J::a>("a", "body or particle"),
          field<&J::b>("b", "body or particle"),
          field<&J::anchor>("anchor", dimension::length, freely, "where it holds; of a distance joint the point on a"),
          field<&J::anchorB>("anchor_b", dimension::length, freely, "the point on b; of a ball or fixed joint only if it is not active at the start").on(distance, ball, fixed),
          field<&J::axis>("axis", none, direction, "it turns about or slides along; of a universal joint the axis on a").on(hinge, slider, universal),
          field<&J::axisB>("axis_b", none, direction, "the axis on b").on(universal).need(universal),
          field<&J::mode>("mode", "both: keeps its length; rope: no longer than it; strut: no shorter").on(distance),
          field<&J::length>("length", dimension::length, nonNegative, "rest length; otherwise as it starts").on(distance),
          field<&J::compliance>("compliance", compliance, nonNegative, "stretch per force; 0 is rigid"),
          field<&J::damping>("damping", damping, nonNegative, "along with compliance"),
          field<&J::angularCompliance>("angular_compliance", angularCompliance, nonNegative, "turn per torque; 0 is rigid").on(hinge, slider, fixed, universal),
          field<&J::angularDamping>("angular_damping", angularDamping, nonNegative, "along with angular compliance").on(hinge, slider, fixed, universal),
          field<&J::lower>("lower", travel, freelyOrInf, "limit of the free coordinate").on(hinge, slider),
          field<&J::upper>("upper", travel, freelyOrInf, "limit of the free coordinate").on(hinge, slider),
          field<&J::restitution>("restitution", none, fraction, "bounce of limits, of a rope or of a strut").on(hinge, slider, distance),
          field<&J::friction>("friction", effort, nonNegative, "Coulomb, on the free coordinate").on(hinge, slider),
          field<&J::viscous>("viscous", effortPerSpeed, nonNegative, "damping of the free coordinate").on(hinge, slider),
          field<&J::stiffness>("stiffness", effortPerTravel, nonNegative, "of a spring on the free coordinate; its damper is viscous").on(hinge, slider),
          field<&J::rest>("rest", travel, freely, "where that spring is at rest").on(hinge, slider),
          field<&J::brake>("brake", effort, nonNegative, "holding torque or force on the free coordinate").on(hinge, slider),
          field<&J::brakeOpen>("brake_open", "the brake is open at the start").on(hinge, slider),
          field<&J::oneWay>("one_way", "a one-way clutch: the free coordinate may only grow (positive), or only fall (negative)").on(hinge, slider),
          field<&J::pitch>("pitch", travel, nonNegative, "between teeth of a ratchet, which it may fall back by; 0: the clutch holds at once").on(hinge, slider),
          field<&J::active>("active", "false: it holds nothing until an event or a program makes it"),
          field<&J::collide>("collide", "whether the joined bodies may touch"),
      },
      .repeats = true,
      .leading = 1, .kind = kindIn<&J::type>("type"),
      .enter = [](Reader& reader, const void* object) {
        using enum Surroundings::Coordinate;
        const JointType type = static_cast<const J*>(object)->type;
        reader.around.coordinate = type == hinge ? turning : type == slider ? sliding : unknown;
      }};
  return record;
}

namespace {

/// A motor measures what the joint or rotor it is on measures.
void enterMotor(Reader& reader, const void* object) {
  using enum Surroundings::Coordinate;
  const MotorSettings& motor = *static_cast<const MotorSettings*>(object);
  auto& known = reader.coordinates;
  if (known.empty() && reader.scene) {
    for (const auto& [name, joint] : reader.scene->joints)
      known.emplace_back(name, joint.type == JointType::hinge ? turning : joint.type == JointType::slider ? sliding : unknown);
    for (const auto& [name, rotor] : reader.scene->rotors) known.emplace_back(name, turning);
    std::ranges::sort(known);
  }
  const auto found = std::ranges::lower_bound(known, std::string_view(motor.on), {}, &decltype(reader.coordinates)::value_type::first);
  reader.around.coordinate = found != known.end() && found->first == motor.on ? found->second : unknown;
  constexpr const Dimension* follows[] = {&speed, &travel, &effort, &anything};
  reader.around.profile = follows[static_cast<std::size_t>(motor.drive)];
}

}  // namespace

template <> const Record& recordOf<MotorSettings>() {
  using M = MotorSettings;
  using enum DriveType;
  static const Record record{.name = "motor", .about = "Drives the free coordinate of a hinge, a slider or a rotor.",
      .fields = {
          field<&M::on>("on", "joint or rotor").need(),
          field<&M::drive>("drive", "what it controls"),
          field<&M::target>("target", profile, freely, "what the drive follows: rad/s or m/s, rad or m, N m or N; feedback: the set point of the observable"),
          field<&M::maxForce>("max_force", effort, nonNegativeOrInf, "most it can do"),
          field<&M::stiffness>("stiffness", effortPerTravel, positiveOrInf, "of the position drive; \"inf\" is exact").on(position),
          field<&M::damping>("damping", effortPerSpeed, nonNegative, "of the position drive").on(position),
          field<&M::observe>("observe", "what is measured, \"bodies.hook.position.z\"").on(feedback).need(feedback),
          field<&M::proportional>("proportional", anything, freely, "commanded speed per unit of error").on(feedback),
          field<&M::integral>("integral", anything, freely, "commanded speed per unit of error and second").on(feedback),
          field<&M::derivative>("derivative", anything, freely, "commanded speed per unit of error change per second").on(feedback),
          field<&M::maxSpeed>("max_speed", speed, nonNegativeOrInf, "limit of the commanded speed").on(feedback),
          field<&M::stall>("stall_force", effort, positive, "of a motor with a torque-speed line: torque or force at speed 0, when the target is no_load_speed").on(velocity),
          field<&M::noLoad>("no_load_speed", speed, positive, "of such a motor: effort = stall_force (target - speed) / no_load_speed").on(velocity),
      },
      .repeats = true,
      .leading = 2, .kind = kindIn<&M::drive>("drive"), .enter = enterMotor};
  return record;
}

template <> const Record& recordOf<CouplingSettings>() {
  using C = CouplingSettings;
  static const Record record{.name = "coupling", .about = "Ties the free coordinates of two hinges, sliders or rotors, both counted from the start: that of a = c1 x + c2 x^2 + ..., x that of b.",
      .fields = {
          field<&C::a>("a", "joint or rotor that follows").need(),
          field<&C::b>("b", "joint or rotor it follows").need(),
          field<&C::ratio>("ratio", anything, freely, "of a gear: travel of a per travel of b; negative turns it round"),
          field<&C::polynomial>("polynomial", anything, freely, "c1, c2, ... instead of ratio"),
          field<&C::compliance>("compliance", anything, nonNegative, "travel of a per torque or force on it; 0 is rigid"),
      },
      .oneLine = true, .repeats = true};
  return record;
}

template <> const Record& recordOf<ActionSettings>() {
  using A = ActionSettings;
  using enum ActionType;
  static const Record record{.name = "action", .about = "Something done to the running scene.",
      .fields = {
          field<&A::type>("action", "release: a joint, or the end of a cable; hold: a joint whose sides are together; hook: a ball, fixed or distance joint takes hold of its bodies as they are; cut: a span of a cable; brake, unbrake: close or open the brake of a rotor, hinge or slider; drive: a motor follows another target; resume: it does again what the scene says; set: a number that may change; reel: pay out at an end of a cable; convert: a cable goes on in another model").need(),
          field<&A::on>("on", "joints.NAME, rotors.NAME, motors.NAME, cables.NAME.first or .last (an end), cables.NAME.spans.N, cables.NAME (convert); set: a number, \"rotors.drum.friction\"").need(),
          field<&A::to>("to", anything, freely, "target of drive, value of set, m/s of reel (negative reels in)").on(drive, set, reel).need(drive, set, reel),
          field<&A::limit>("limit", anything, nonNegative, "most torque or force of drive from then on").on(drive),
          field<&A::model>("model", "what the cable is simulated by from then on").on(convert).need(convert),
          field<&A::limit>("rate", anything, positive, "how fast the number changes, per second (kg/s of a mass that is filled or emptied), until it has the value; without it, at once").on(set),
      },
      .oneLine = true, .repeats = true, .leading = 1, .kind = kindIn<&A::type>("action")};
  return record;
}

template <> const Record& recordOf<EventSettings>() {
  using E = EventSettings;
  static const Record record{.name = "event", .about = "What the scene does by itself at the beginning of the first step in which its time has come and its condition holds.",
      .fields = {
          field<&E::name>("name", "what it is called in reports and by others"),
          field<&E::at>("at", dimension::time, nonNegative, "when, or from when on its condition counts"),
          field<&E::after>("after", "name of an event that must have happened"),
          field<&E::delay>("delay", dimension::time, nonNegative, "time since that event"),
          field<&E::when>("when", "observable of its condition, \"bodies.hook.position.z\""),
          field<&E::above>("above", anything, freely, "the condition holds when it exceeds this"),
          field<&E::below>("below", anything, freely, "the condition holds when it is under this"),
          field<&E::once>("once", "false: whenever its condition becomes true again"),
          field<&E::actions>("do", "what is done, in order").need().atLeast(1),
      },
      .repeats = true};
  return record;
}

template <> const Record& recordOf<ForceSettings>() {
  using F = ForceSettings;
  static const Record record{.name = "force", .about = "A force or a torque from outside.",
      .fields = {
          field<&F::on>("on", "body, particle or rotor").need(),
          field<&F::force>("force", force, freely, "on a body or particle"),
          field<&F::torque>("torque", torque, freely, "on a body; on a rotor: its component along the axis"),
          field<&F::at>("at", dimension::length, freely, "point of attack, body frame"),
          field<&F::follows>("follows", "force and torque turn with the body"),
          field<&F::scale>("scale", none, freely, "factor over time"),
      },
      .repeats = true};
  return record;
}

template <> const Record& recordOf<LinkSettings>() {
  using L = LinkSettings;
  using enum LinkType;
  static const Record record{.name = "link", .about = "Where a cable meets a body, a rotor or a particle.",
      .fields = {
          field<&L::type>("type", "attach: fixed; roll: turns the wheel; pinhole: slides through a point; hybrid: rolls until the cable on it is used up; spool: an end wound on a drum; sheath: slides in a tube; guide: keeps to a curve or surface of a body; node: a free point of a strand; ride: goes along with another strand's nodes").need(),
          field<&L::on>("on", "body, rotor or particle; of ride the other strand"),
          field<&L::point>("point", dimension::length, freely, "on the body; of a wheel its center"),
          field<&L::radius>("radius", dimension::length, positive, "of the wheel; a rotor's own otherwise").on(roll, hybrid, spool, guide),
          field<&L::axis>("axis", none, direction, "normal of the cable plane, or axis of the guide, body frame; a rotor's own otherwise").on(roll, hybrid, spool, guide),
          field<&L::shape>("shape", none, counts, "roll on the cross-section of this shape of the body, counted from 0").on(roll, hybrid),
          field<&L::side, SideForm>("side", "the direction in which the cable runs about the axis: ccw is counter-clockwise, seen from the tip of the axis; auto: the side whose spans do not cross, or the shorter path; see sides-and-signs.md").on(roll, hybrid, spool),
          field<&L::side, ReelsForm>("reels", "instead of side: whether positive spin of the drum, and so a positive target of its motor, reels the cable in or out, at either end of a route").on(spool),
          field<&L::turns>("turns", none, counts, "whole turns beyond the first partial wrap").on(roll, hybrid, spool),
          field<&L::friction>("friction", none, nonNegativeOrInf, "capstan coefficient: 0 slides freely (default of pinhole and sheath), \"inf\" never slips (default of the others)").on(roll, pinhole, hybrid, spool, sheath, guide, ride),
          field<&L::cleat>("cleat", "a cam cleat: the cable slides only forward, towards the end of its route, or only back; model joints").on(roll, pinhole, sheath),
          field<&L::stored>("stored", dimension::length, nonNegative, "length wound on at the start").on(hybrid, spool),
           field<&L::flanges>("flanges", dimension::length, positive, "between the flanges of the drum: cable that finds no room in a layer winds on the next; left out: one layer, whose radius does not grow").on(hybrid, spool),
           field<&L::rise>("rise", dimension::length, positive, "with flanges: from layer to layer; the cable's diameter unless given").on(hybrid, spool),
           field<&L::groove>("groove", "false: the wheel is a plain cylinder, off whose edge the cable slides where it pulls more along the axle than friction holds; model joints").on(roll),
          field<&L::active>("active", "false: joins the route when the cable meets it; attach of a particle cable: a socket that starts empty"),
          field<&L::path>("path", dimension::length, freely, "the tube, or a spline guide, points on the body").on(sheath, guide).need(sheath),
          field<&L::guide>("guide", "the curve or surface a strand keeps to").on(guide),
          field<&L::formula>("formula", "of a guide of one's own: x, y and z in meters about its point and axis, each a formula of u and v with + - * / ^ sin cos tan asin acos atan exp log sqrt pi; without v it is a curve").on(guide),
          field<&L::minor>("minor", dimension::length, nonNegative, "radius of the tube of a torus").on(guide),
          field<&L::pitch>("pitch", dimension::length, freely, "guide: rise of a helix in a turn; drum with flanges: from turn to turn, the cable's diameter unless given").on(guide, hybrid, spool),
          field<&L::start>("start", none, freely, "where on the guide: angle or length, and for surfaces the second parameter; ride between nodes: the share of the distance").on(guide, ride),
          field<&L::end>("end", none, freely, "a second node on the same guide").on(guide),
          field<&L::velocity>("velocity", velocity, freely, "of a free node at the start, world frame").on(node),
          field<&L::flows>("flows", "the strand's material flows through; false: it is held there").on(guide, node, ride),
          field<&L::riding>("node", none, counts, "node of another strand, counted from 0; a ride without it takes all of them in order").on(ride, guide),
          field<&L::between>("between", "on the line from that node to the next, where it slides").on(ride),
          field<&L::hold>("hold", "end of a chain: pinned holds the point, clamped the direction and twist too, free only says where it starts").on(attach),
          field<&L::segment>("segment", none, counts, "end of a chain: on this segment, counted from 0, of the chain named by \"on\", which is listed before").on(attach),
          field<&L::letsGo>("lets_go", force, positiveOrInf, "socket of a particle cable: lets go when pulled harder").on(attach),
          field<&L::plugsIn>("plugs_in", dimension::length, nonNegative, "socket of a particle cable: takes its end back when that comes as close from further away; 0 never").on(attach),
      },
      .oneLine = true, .repeats = true, .leading = 1, .kind = kindIn<&L::type>("type"),
      .prepare = [](void* object) {
        L& link = *static_cast<L*>(object);
        if (link.type != attach && link.type != roll && link.type != hybrid && link.type != spool) link.friction = 0.0;
        if (link.type == roll || link.type == hybrid || link.type == spool) link.side = 0;
      }};
  return record;
}

template <> const Record& recordOf<MaterialSettings>() {
  using M = MaterialSettings;
  static const Record record{.name = "material", .about = "What a cable is made of, per meter.",
      .fields = {
          field<&M::mass>("mass", massPerLength, nonNegative, "per length"),
          field<&M::axial>("axial", force, positiveOrInf, "EA, force per strain; \"inf\" does not stretch"),
          field<&M::bending>("bending", flexuralRigidity, nonNegative, "EI"),
          field<&M::torsion>("torsion", flexuralRigidity, nonNegative, "GJ"),
          field<&M::radius>("radius", dimension::length, positive, "of the cable; half the side of a square section"),
          field<&M::young>("young", pressure, positive, "Young's modulus: axial, bending and torsion that are not given follow from it and the section (chain)"),
          field<&M::poisson>("poisson", none, freely, "Poisson ratio, for torsion from young"),
          field<&M::section>("section", "cross-section, for stiffness from young"),
          field<&M::damping>("damping", dimension::time, nonNegative, "of axial strain: force = EA (strain + damping strain rate)"),
          field<&M::drag>("drag", none, nonNegative, "strand: N s/m of every meter, against the velocity of the material"),
          field<&M::friction>("friction", none, nonNegativeOrInf, "contact coefficient; over candidate bodies the capstan's, where \"inf\" never slips"),
          field<&M::breaking>("breaking", force, positiveOrInf, "tension at which it breaks"),
      }};
  return record;
}

template <> const Record& recordOf<ParticleCableSettings>() {
  using P = ParticleCableSettings;
  static const Record record{.name = "particle cable", .about = "How a cable of model particles is held together, how it starts and what it touches. It has segments + 1 particles.",
      .fields = {
          field<&P::way>("way", "what holds it together: explicit springs, direct repositioning, Jakobsen's Verlet scheme, position based dynamics, or its extension with compliance"),
          field<&P::curve>("curve", "through the ends and the shape points: an extended cubic Catmull-Rom spline, Bezier pieces (every third point lies on it) or straight pieces"),
          field<&P::handle>("handle", none, nonNegative, "of the spline's tangents: 0.25 as in the thesis, 1/6 for the true Catmull-Rom spline"),
          field<&P::predictor>("predictor", "of the motion without constraints: euler takes the new velocity, verlet starts half a step back (second order)"),
          field<&P::substeps>("substeps", none, substepCounts, "of a step of the world; all particle cables of a scene take the largest of theirs"),
          field<&P::iterations>("iterations", none, projectionCounts, "of the projections in a substep. 0: automatic (xpbd: 4, each of them all distances at once, as with direct; otherwise 10)"),
          field<&P::damping>("damping", none, fraction, "share of the velocity lost in a substep"),
          field<&P::stiffness>("stiffness", none, fraction, "pbd: share of an error that a projection removes"),
          field<&P::spring>("spring", dimension::stiffness, positive, "springs: of a segment; otherwise EA over its length"),
          field<&P::springDamping>("spring_damping", dimension::damping, nonNegative, "springs: along a segment"),
          field<&P::doubles>("doubles", "distances of particles with one between them: none, kept as they start, or twice a segment, which straightens"),
          field<&P::doubleCompliance>("double_compliance", dimension::compliance, nonNegative, "xpbd: of the double distances"),
          field<&P::doubleStiffness>("double_stiffness", none, fraction, "of the double distances: share of an error that a projection removes; springs: share of the spring"),
          field<&P::masses>("masses", mass, positive, "of every particle; otherwise from the mass per length"),
          field<&P::velocity>("velocity", velocity, freely, "at the start, on top of that of what holds it"),
          field<&P::order>("order", "in which a cable's distances are solved: one after the other, color by color (for threads), or in chunks joined by seams (for comparison)"),
          field<&P::chunks>("chunks", none, substepCounts, "how many, with order chunks"),
          field<&P::direct>("direct", "pbd and xpbd: all distances of the cable at once, by one banded solve; of xpbd by itself where iterations are left open"),
          field<&P::touch>("touch", "how it meets bodies: not at all, with its particles only, with its segments where they end up, or with all they sweep"),
          field<&P::self>("self", "whether it meets itself and other particle cables that do"),
          field<&P::law>("law", "of friction: Coulomb's with the materials' coefficients, or the thesis' by depth"),
          field<&P::staticFriction>("static_friction", dimension::length, nonNegative, "law depth: what slides less than this in a substep stops"),
          field<&P::slidingFriction>("sliding_friction", none, nonNegative, "law depth: distance lost in a substep per depth"),
          field<&P::drag>("drag", none, nonNegative, "drag coefficient across the cable; 1.2 for a round one"),
          field<&P::skinDrag>("skin_drag", none, nonNegative, "drag coefficient along it; about 0.02"),
          field<&P::air>("air", density, nonNegative, "density of the air"),
          field<&P::wind>("wind", velocity, freely, "velocity of the air"),
          field<&P::gust>("gust", none, freely, "factor of the wind over time"),
      }};
  return record;
}

template <> const Record& recordOf<CableSettings>() {
  using C = CableSettings;
  static const Record record{.name = "cable", .about = "A route over links, a material, and the model that simulates them.",
      .fields = {
          field<&C::model>("model", "how it is simulated"),
          field<&C::route>("route", "its links in order").need().atLeast(2),
          field<&C::material>("material", "what it is made of"),
          field<&C::closed>("closed", "the last link leads back to the first"),
          field<&C::length>("length", dimension::length, positive, "rest length of the whole cable; otherwise as routed"),
          field<&C::tension>("tension", force, nonNegative, "at the start"),
          field<&C::slack>("slack", dimension::length, freely, "rest length beyond the measured path"),
          field<&C::slacks>("slacks", dimension::length, freely, "the same per span"),
          field<&C::compliance>("compliance", compliance, nonNegative, "per span of the route, instead of EA per meter"),
          field<&C::compression>("compression", none, fraction, "stiffness in compression as a fraction of that in tension"),
          field<&C::weight>("weight", "the weight of a span is shared between its ends"),
          field<&C::winding>("winding", torque, nonNegative, "torque that opposes bending onto a wheel"),
          field<&C::candidates>("candidates", "bodies the cable may come to wrap"),
          field<&C::nodes>("nodes", none, counts, "strand: free nodes in every free span"),
          field<&C::finest>("finest", dimension::length, nonNegative, "strand: free nodes nearer than this to the next one are moved to where the strand is coarsest; 0 chooses a tenth of a mean segment where material flows"),
          field<&C::lumped>("lumped", "strand: mass at the nodes instead of along the segments, for comparison"),
          field<&C::sliding>("sliding",
                             "strand: no material flows at nodes; holes are constraints that slide along its line, for "
                             "comparison"),
          field<&C::segments>("segments", none, counts, "chain: how many rigid segments; particles: how many distances between particles"),
          field<&C::shape>("shape", dimension::length, freely, "chain, particles: points it starts along, world frame, between its ends; otherwise hanging, or straight"),
          field<&C::preformed>("preformed", "chain: the start shape is the rest shape; otherwise straight"),
          field<&C::twisted>("twisted", none, freely, "chain: rest twist, rad/m"),
          field<&C::twist>("twist", "chain: how twist is measured; parallel shows none in pure bending, crossed is the paper's first form"),
          field<&C::bendGrowth>("bend_growth", none, nonNegative, "chain: a of the bend law angle (1 + a angle^2) at every joint"),
          field<&C::stiffens>("stiffens", force, nonNegative, "chain: load that doubles all stiffness, which grows with it; 0 never"),
          field<&C::collides>("collides", "chain: its segments touch bodies, other cables and each other"),
          field<&C::touchedBend>("touched_bend", none, positive, "chain: bending stiffness where it is touched, as a share of what it is elsewhere"),
          field<&C::merges>("merges", none, counts, "chain: segments that are straight and taut merge, up to 2^merges of them, and split where they bend or are touched"),
          field<&C::mergeAngle>("merge_angle", angle, positive, "chain: bend between neighbors up to which they count as straight"),
          field<&C::particles>("particles", "of a cable of model particles"),
          field<&C::waves>("waves", "joints: transverse waves ride on its spans; a hoist cable carries them wherever it has mass"),
          field<&C::waveScheme>("wave_scheme", "implicit is never suspended; explicit as published: suspended where the step is too long for it"),
          field<&C::subdivisions>("subdivisions", none, linkCounts, "links of every span that carries waves"),
          field<&C::waveDamping>("wave_damping", none, nonNegative, "of transverse motion: acceleration = -damping velocity"),
          field<&C::pull>("pull", "hoist: the tension as a constraint of the solver, or as published as an explicit force"),
          field<&C::payout>("payout", dimension::length, freely, "hoist, joints, chain, strand: length paid out at its first end, counted from its value at the start; negative reels in"),
          field<&C::drum>("drum", dimension::length, nonNegative, "hoist, joints, chain, strand: length that can be paid out before the drum is empty"),
          field<&C::pluck>("pluck", dimension::length, freely, "how far a span is drawn aside at the start, world frame"),
          field<&C::pluckAt>("pluck_at", none, fraction, "where, as a fraction of the span"),
          field<&C::pluckSpan>("pluck_span", none, counts, "which span, counted from 0"),
          field<&C::color, ColorForm>("color", "for drawing, \"#rrggbb\" or a CSS name"),
      },
      .repeats = true};
  return record;
}

template <> const Record& recordOf<DoubtLimits>() {
  using D = DoubtLimits;
  static const Record record{.name = "doubtful", .about = "From where on a run is called doubtful, as shares.",
      .fields = {
          field<&D::error>("error", none, positive, "of the scene's size: the error of a rigid joint or cable, or the speed a drive misses by in a second"),
          field<&D::stretch>("stretch", none, positive, "of its length: how much longer a cable is that cannot stretch"),
          field<&D::overlap>("overlap", none, positive, "of the thinner one's thickness: how deep bodies are in each other"),
          field<&D::gain>("gain", none, positive, "of the turnover: energy gained without a source"),
          field<&D::unconverged>("unconverged", none, positive, "of the steps: those that missed the tolerance"),
      }};
  return record;
}

template <> const Record& recordOf<Settings>() {
  using S = Settings;
  static const Record record{.name = "settings", .about = "How the scene is simulated.",
      .fields = {
          field<&S::gravity>("gravity", acceleration, freely, "z is up"),
          field<&S::dt>("dt", dimension::time, positive, "a step"),
          field<&S::seconds>("seconds", dimension::time, positive, "how long `reeve run` simulates"),
          field<&S::solver>("solver", "auto takes direct, and sweep for free particles or particle cables alone"),
          field<&S::substeps>("substeps", none, substepCounts, "per dt"),
          field<&S::iterations>("iterations", none, counts, "sweep: sweeps per substep; direct: maximum Newton iterations. 0: automatic (sweeps until nothing moves, at most 50; 30)"),
          field<&S::tolerance>("tolerance", none, positive, "of positions, m and rad"),
          field<&S::bounds>("bounds", none, positive, "m and m/s; beyond it the simulation went bad"),
          field<&S::wind>("wind", velocity, freely, "velocity of the air, for bodies with a drag_area"),
          field<&S::gust>("gust", none, freely, "factor of the wind over time"),
          field<&S::air>("air", density, nonNegative, "density of the air"),
          field<&S::start>("start", "as described, or at the state of rest that is found from there"),
          field<&S::doubtful>("doubtful", "limits beyond which a run is called doubtful"),
      }};
  return record;
}

template <> const Record& recordOf<Expectation>() {
  using E = Expectation;
  static const Record record{.name = "expectation", .about = "At this time this observable is so. Checked for every shipped scene.",
      .fields = {
          field<&E::at, MomentForm>("at", dimension::time, nonNegative, "when").need(),
          field<&E::observe>("observe", "what is measured, \"bodies.hook.position.z\"").need(),
          field<&E::equals>("equals", anything, freely, "what it is"),
          field<&E::within>("within", anything, nonNegative, "absolute tolerance of equals"),
          field<&E::relative>("relative", none, nonNegative, "relative tolerance of equals, added to within"),
          field<&E::above>("above", anything, freely, "what it exceeds"),
          field<&E::below>("below", anything, freely, "what it stays under"),
          field<&E::because>("because", "where the number comes from"),
      },
      .oneLine = true, .repeats = true};
  return record;
}

template <> const Record& recordOf<PlotSettings>() {
  using P = PlotSettings;
  static const Record record{.name = "plot", .about = "A diagram of observables over time.",
      .fields = {
          field<&P::title>("title", "over the diagram"),
          field<&P::observe>("observe", "what is drawn, \"bodies.hook.position.z\"").need().atLeast(1),
          field<&P::unit>("unit", "on the axis"),
      },
      .oneLine = true, .repeats = true};
  return record;
}

template <> const Record& recordOf<ViewSettings>() {
  using V = ViewSettings;
  static const Record record{.name = "view", .about = "How pictures look at the scene.",
      .fields = {
          field<&V::from>("from", none, direction, "from the target to the eye"),
          field<&V::target>("target", dimension::length, freely, "point in the middle; otherwise the middle of everything"),
          field<&V::height>("height", dimension::length, nonNegative, "of scene in the picture; 0 fits everything"),
          field<&V::at>("at", dimension::time, nonNegative, "time of the picture"),
      },
      .oneLine = true};
  return record;
}

template <> const Record& recordOf<Description>() {
  using D = Description;
  static const Record record = [] {
    // The order matters: expectations need settings.seconds, motors need joints and rotors.
    Record scene{.name = "scene", .about = "A Reeve scene. SI units, radians, z up. A number may carry a unit in quotes: \"20 cm\".",
      .fields = {
          textField<IgnoredForm>("$schema", "address of the JSON Schema, for editors"),
          textField<VersionForm>("reeve", "version of this format"),
          field<&D::name>("name", "title of the scene"),
          field<&D::about>("about", "what it shows and where it comes from"),
          textField<ParametersForm>("parameters", "numbers by name, for expressions: \"2*height + 0.3 m\"; see Parameters and repeats"),
          field<&D::settings>("settings", "how it is simulated"),
          field<&D::bodies>("bodies", "rigid bodies; \"world\" is the fixed one that is always there"),
          field<&D::rotors>("rotors", "wheels with one coordinate"),
          field<&D::particles>("particles", "points with mass"),
          field<&D::joints>("joints", "what holds bodies together"),
          field<&D::motors>("motors", "what drives joints and rotors"),
          field<&D::couplings>("couplings", "gears between joints and rotors"),
          field<&D::forces>("forces", "from outside"),
          field<&D::cables>("cables", "ropes, chains, belts and tendons"),
          field<&D::events>("events", "what happens at a time or on a condition"),
          field<&D::expect>("expect", "what must come out"),
          field<&D::plots>("plots", "diagrams worth drawing"),
          field<&D::view>("view", "how pictures look at it"),
      }};
    scene.fields[1].implied = true;
    return scene;
  }();
  return record;
}
// clang-format on

namespace {

template <class T>
DocumentedRecord documented() {
  return {&recordOf<T>(), [](void (*use)(void*, const Record&, void*), void* context) {
            T standard{};
            if constexpr (std::is_same_v<T, LinkSettings>) standard.side = 0;  // what a wheel's link has when left out
            use(context, recordOf<T>(), &standard);
          }};
}

}  // namespace

std::span<const DocumentedRecord> allRecords() {
#define REEVE_DOCUMENT(T) documented<T>(),
  static const DocumentedRecord all[] = {REEVE_RECORDS(REEVE_DOCUMENT)};
#undef REEVE_DOCUMENT
  return all;
}

}  // namespace reeve::scene
