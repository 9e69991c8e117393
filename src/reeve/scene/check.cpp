// What can be said about a scene without building it: references, names, and combinations of fields.
#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "reeve/scene/fields.h"
#include "reeve/scene/nearest.h"
#include "reeve/scene/number.h"
#include "reeve/scene/scene.h"

namespace reeve {
namespace {

using scene::Step;
using scene::Trail;

/// What a name stands for. Bodies, rotors and particles share one set of names; joints and rotors another.
enum class Thing { body, rotor, particle, joint, motor, cable, coupling };

struct Entry {
  std::string_view name;
  Thing thing;
  std::size_t index;
};

/// Names in order, for looking up.
class Directory {
 public:
  template <class T>
  void add(const Named<T>& section, Thing thing) {
    for (std::size_t i = 0; i < section.size(); ++i) entries_.push_back({section[i].first, thing, i});
  }
  void sort() {
    std::ranges::sort(entries_, [](const Entry& a, const Entry& b) {
      if (a.name != b.name) return a.name < b.name;
      return a.thing != b.thing ? a.thing < b.thing : a.index < b.index;
    });
  }
  const Entry* find(std::string_view name) const {
    const auto found = std::ranges::lower_bound(entries_, name, {}, &Entry::name);
    return found != entries_.end() && found->name == name ? &*found : nullptr;
  }
  /// The second of two entries with the same name.
  const Entry* duplicate() const {
    const auto found = std::ranges::adjacent_find(entries_, {}, &Entry::name);
    return found == entries_.end() ? nullptr : &found[1];
  }
  std::vector<std::string_view> names(std::initializer_list<Thing> things) const {
    std::vector<std::string_view> result;
    for (const Entry& entry : entries_)
      if (std::ranges::find(things, entry.thing) != things.end()) result.push_back(entry.name);
    return result;
  }

 private:
  std::vector<Entry> entries_;
};

constexpr std::string_view sectionOf(Thing thing) {
  constexpr std::array<std::string_view, 7> sections{"bodies", "rotors", "particles", "joints",
                                                     "motors", "cables", "couplings"};
  return sections[static_cast<std::size_t>(thing)];
}
constexpr std::string_view wordOf(Thing thing) {
  constexpr std::array<std::string_view, 7> words{"body", "rotor", "particle", "joint", "motor", "cable", "coupling"};
  return words[static_cast<std::size_t>(thing)];
}

class Checker : Trail {
 public:
  Checker(const Description& description, std::span<const Problem> known) : scene_(description), known_(known) {
    for (const Problem& one : known) allNames_ &= one.path.find('/', 1) != std::string::npos;
  }

  /// What is wrong, the first of each thing: of a body, of a link of a cable, of an expectation.
  std::vector<Problem> run() {
    ranges();
    names();
    each("bodies", scene_.bodies, &Checker::body);
    each("rotors", scene_.rotors, &Checker::rotor);
    each("particles", scene_.particles, &Checker::particle);
    each("joints", scene_.joints, &Checker::joint);
    each("motors", scene_.motors, &Checker::motor);
    each("couplings", scene_.couplings, &Checker::coupling);
    each("forces", scene_.forces, &Checker::force);
    each("cables", scene_.cables, &Checker::cable);
    events();
    expectations();
    plots();
    return found();
  }

 private:
  bool failAt(std::string_view key, std::string reason, std::string remedy = "") {
    const Step step(*this, key);
    return fail(std::move(reason), std::move(remedy));
  }

  /// Whether something in this place is wrong already: what follows from it is no mistake of its own.
  bool troubled() const {
    const auto inside = [&](const Problem& one) {
      return one.path.starts_with(path) && (one.path.size() == path.size() || one.path[path.size()] == '/');
    };
    return (failed && inside(problem)) || std::ranges::any_of(further, inside) || std::ranges::any_of(known_, inside);
  }

  template <class T>
  void each(std::string_view section, const Named<T>& items, bool (Checker::*check)(const T&)) {
    const Step step(*this, section);
    for (const auto& [name, item] : items) {
      const Step inner(*this, name);
      // A cable's links are judged one by one.
      if (section == "cables" || !troubled()) (this->*check)(item);
      if (full()) return;
    }
  }

  /// What each number may be. A part that could not be read has numbers that nobody has written.
  void ranges() {
    checkRecord(*this, scene::recordOf<Description>(), &scene_);
    std::vector<Problem> all = found();
    std::erase_if(all, [&](const Problem& one) {
      return std::ranges::any_of(known_, [&](const Problem& known) {
        // Of a part its name counts: /bodies/a; of a section that could not be read all of it.
        const std::size_t name = known.path.find('/', 1);
        const std::size_t end = name == std::string::npos ? name : known.path.find('/', name + 1);
        return (one.path + "/").starts_with(known.path.substr(0, end) + "/");
      });
    });
    further.clear();
    failed = !all.empty();
    if (!failed) return;
    problem = std::move(all.front());
    further.assign(std::make_move_iterator(all.begin() + 1), std::make_move_iterator(all.end()));
  }

  std::vector<Problem> found() const {
    if (!failed) return {};
    std::vector<Problem> all{problem};
    all.insert(all.end(), further.begin(), further.end());
    return all;
  }

  // ---- names

  void names() {
    movers_.add(scene_.bodies, Thing::body);
    movers_.add(scene_.rotors, Thing::rotor);
    movers_.add(scene_.particles, Thing::particle);
    driven_.add(scene_.rotors, Thing::rotor);
    driven_.add(scene_.joints, Thing::joint);
    others_.add(scene_.motors, Thing::motor);
    cables_.add(scene_.cables, Thing::cable);
    forces_.add(scene_.forces, Thing::motor);
    couplings_.add(scene_.couplings, Thing::coupling);
    for (Directory* directory : {&movers_, &driven_, &others_, &cables_, &forces_, &couplings_}) directory->sort();
    if (const Entry* world = movers_.find("world")) {
      const Step section(*this, sectionOf(world->thing));
      failAt("world", "the name \"world\" is taken: it is the fixed body that is always there", "choose another name");
    }
    unique(movers_, "bodies, rotors and particles");
    unique(driven_, "joints and rotors");
    unique(others_, "motors");
    unique(cables_, "cables");
    unique(forces_, "forces");
    unique(couplings_, "couplings");
  }

  void unique(const Directory& directory, std::string_view which) {
    const Entry* twice = directory.duplicate();
    if (!twice) return;
    const Step section(*this, &directory == &forces_ ? "forces" : sectionOf(twice->thing));
    failAt(twice->name, "the name " + json::quote(twice->name) + " is used twice among " + std::string(which),
           "rename one");
  }

  /// The thing a field names, if it is one of `allowed`; "world" gives null and success.
  bool refer(std::string_view key, const std::string& name, const Directory& directory,
             std::initializer_list<Thing> allowed, bool worldAllowed, const Entry*& found) {
    found = nullptr;
    if (worldAllowed && name == "world") return true;
    found = directory.find(name);
    if (found && std::ranges::find(allowed, found->thing) != allowed.end()) return true;
    std::string kinds;
    for (const Thing thing : allowed) (kinds += kinds.empty() ? "" : " or ") += wordOf(thing);
    if (found)
      return failAt(key, json::quote(name) + " is a " + std::string(wordOf(found->thing)) + ", expected a " + kinds);
    if (name == "world") return failAt(key, "\"world\" does not move, expected a " + kinds);
    if (!allNames_) return false;
    for (const Directory* other : {&movers_, &driven_, &cables_})
      if (const Entry* elsewhere = other->find(name))
        return failAt(key,
                      json::quote(name) + " is a " + std::string(wordOf(elsewhere->thing)) + ", expected a " + kinds,
                      suggestion("", directory.names(allowed)));
    auto valid = directory.names(allowed);
    if (worldAllowed) valid.insert(valid.begin(), "world");
    return failAt(key, "there is no " + kinds + " named " + json::quote(name),
                  valid.empty() ? "the scene has none yet" : suggestion(name, valid));
  }

  /// The first two words of "bodies.hook.position.z". The rest is for the world, which knows its observables.
  bool observable(std::string_view key, const std::string& text) {
    const std::string_view section = std::string_view(text).substr(0, text.find('.'));
    if (text.empty()) return failAt(key, "the observable is empty", "for example \"bodies.hook.position.z\"");
    for (const auto& [directory, thing] :
         {std::pair{&movers_, Thing::body}, std::pair{&movers_, Thing::rotor}, std::pair{&movers_, Thing::particle},
          std::pair{&driven_, Thing::joint}, std::pair{&others_, Thing::motor}, std::pair{&cables_, Thing::cable},
          std::pair{&couplings_, Thing::coupling}}) {
      if (section != sectionOf(thing)) continue;
      std::string_view name = std::string_view(text).substr(section.size());
      if (!name.empty()) name.remove_prefix(1);
      name = name.substr(0, name.find('.'));
      const Entry* found = directory->find(name);
      if (found && found->thing == thing) return true;
      if (!allNames_) return false;
      return failAt(key,
                    "found " + json::quote(text) + ", but there is no " + std::string(wordOf(thing)) + " named " +
                        json::quote(name),
                    suggestion(name, directory->names({thing})));
    }
    return true;
  }

  // ---- sections

  bool inside(std::string_view key, const Vec3& point) {
    const double reach = point.cwiseAbs().maxCoeff();
    if (reach <= scene_.settings.bounds) return true;
    return failAt(
        key, "found " + numberText(reach) + ", which is beyond settings.bounds, " + numberText(scene_.settings.bounds),
        "raise settings.bounds, or use SI units");
  }

  bool body(const BodySettings& body) {
    if (!inside("position", body.position) || !inside("velocity", body.velocity)) return false;
    {
      const Step shapes(*this, "shapes");
      for (std::size_t i = 0; i < body.shapes.size(); ++i) {
        const Step step(*this, i);
        if (!shape(body, body.shapes[i])) return false;
      }
    }
    if (body.motion != BodyMotion::dynamic || (body.mass && body.inertia) || !body.shapes.empty()) return true;
    return body.mass ? fail("this body has a mass but neither inertia nor shapes",
                            "give its inertia, or shapes; a point with mass is a particle")
                     : fail("this body has neither mass nor shapes",
                            "give it shapes, or mass and inertia, or \"motion\": \"static\"");
  }

  bool shape(const BodySettings& body, const ShapeSettings& shape) {
    if (shape.type == ShapeType::halfSpace && body.motion == BodyMotion::dynamic)
      return fail("a half-space has no end, so it cannot be part of a body that forces move",
                  "make the body \"static\" or \"kinematic\", or use a box");
    if (shape.type != ShapeType::prism) return true;
    const auto& polygon = shape.polygon;
    double least = 0.0, most = 0.0, turned = 0.0;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec2 before = polygon[(i + 1) % polygon.size()] - polygon[i];
      const Vec2 after = polygon[(i + 2) % polygon.size()] - polygon[(i + 1) % polygon.size()];
      const double turn = before.x() * after.y() - before.y() * after.x();
      least = std::min(least, turn);
      most = std::max(most, turn);
      // An outline that goes round twice bends one way only, but its edges point downward twice.
      turned += (before.y() <= 0.0) != (after.y() <= 0.0) ? 1.0 : 0.0;
    }
    if (least < 0.0 && most > 0.0) return failAt("polygon", "the outline is not convex", "split it into convex shapes");
    if (least == 0.0 && most == 0.0) return failAt("polygon", "the outline has no area");
    return turned <= 2.0 ||
           failAt("polygon", "the outline crosses itself", "list the corners in order, going round once");
  }

  bool rotor(const RotorSettings& rotor) {
    const Entry* parent = movers_.find(rotor.on);
    if (parent && parent->thing == Thing::rotor)
      return failAt("on", "a rotor cannot stand on the rotor " + json::quote(rotor.on), "put it on a body");
    if (!refer("on", rotor.on, movers_, {Thing::body}, true, parent)) return false;
    if (rotor.pitch > 0.0 && rotor.oneWay == OneWay::off)
      return failAt("pitch", "teeth hold only a rotor that turns one way", "give \"one_way\"");
    if (rotor.brakeOpen && rotor.brake == 0.0) return failAt("brake_open", "this rotor has no brake", "give \"brake\"");
    return rotor.inertia || rotor.mass > 0.0 ||
           fail("this rotor has neither inertia nor mass", "give one of them; its inertia would be mass radius^2 / 2");
  }

  bool particle(const ParticleSettings& particle) {
    return inside("position", particle.position) && inside("velocity", particle.velocity);
  }

  bool joint(const JointSettings& joint) {
    const Entry *a, *b;
    if (!refer("a", joint.a, movers_, {Thing::body, Thing::particle}, true, a)) return false;
    if (!refer("b", joint.b, movers_, {Thing::body, Thing::particle}, true, b)) return false;
    if (joint.a == joint.b)
      return fail("the joint holds " + json::quote(joint.a) + " to itself", "give \"a\" and \"b\" different bodies");
    const bool turns = joint.type != JointType::ball && joint.type != JointType::distance;
    for (const auto& [key, entry] : {std::pair{"a", a}, std::pair{"b", b}})
      if (turns && entry && entry->thing == Thing::particle)
        return failAt(key, json::quote(entry->name) + " is a particle, which has no orientation",
                      "use a ball or distance joint, or a body");
    if (joint.lower > joint.upper)
      return failAt("lower", "the lower limit " + numberText(joint.lower) + " is above the upper one");
    if (joint.anchorB && joint.active && joint.type != JointType::distance)
      return failAt("anchor_b", "a joint that holds from the start holds at one point", "give \"active\": false");
    if (joint.pitch > 0.0 && joint.oneWay == OneWay::off)
      return failAt("pitch", "teeth hold only a joint that turns or slides one way", "give \"one_way\"");
    if (joint.brakeOpen && joint.brake == 0.0) return failAt("brake_open", "this joint has no brake", "give \"brake\"");
    if (joint.lower == unbounded || joint.upper == -unbounded)
      return failAt(joint.lower == unbounded ? "lower" : "upper", "the limit leaves no room",
                    "\"-inf\" below and \"inf\" above leave it free");
    return true;
  }

  /// A joint or rotor with a free coordinate.
  bool driven(std::string_view key, const std::string& name, std::string_view remedy) {
    const Entry* on;
    if (!refer(key, name, driven_, {Thing::joint, Thing::rotor}, false, on)) return false;
    if (on->thing != Thing::joint) return true;
    const JointType type = scene_.joints[on->index].second.type;
    return type == JointType::hinge || type == JointType::slider ||
           failAt(key,
                  json::quote(name) + " is a " +
                      std::string(scene::wordsOf<JointType>()[static_cast<std::size_t>(type)]) +
                      " joint, which has no free coordinate to drive",
                  std::string(remedy));
  }

  bool coupling(const CouplingSettings& coupling) {
    constexpr std::string_view remedy = "couplings tie hinges, sliders and rotors";
    if (!driven("a", coupling.a, remedy) || !driven("b", coupling.b, remedy)) return false;
    if (coupling.a == coupling.b)
      return fail("the coupling ties " + json::quote(coupling.a) + " to itself", "give \"a\" and \"b\" different ones");
    return coupling.polynomial.empty() || coupling.ratio == 1.0 ||
           failAt("ratio", "found ratio and polynomial", "give one of them: the ratio is the first of the polynomial");
  }

  void events() {
    const Step section(*this, "events");
    for (std::size_t i = 0; i < scene_.events.size(); ++i) {
      const Step step(*this, i);
      if (!troubled()) event(scene_.events[i], i);
      if (full()) return;
    }
  }

  bool event(const EventSettings& event, std::size_t i) {
    const auto named = [&](const std::string& name) {
      return std::ranges::find(scene_.events, name, &EventSettings::name) - scene_.events.begin();
    };
    if (const std::string trouble = event.name.empty() ? "" : scene::nameTrouble(event.name); !trouble.empty())
      return failAt("name", trouble, "choose another name");
    if (!event.name.empty() && named(event.name) != static_cast<std::ptrdiff_t>(i))
      return failAt("name", "the name " + json::quote(event.name) + " is used twice among events", "rename one");
    if (!event.after.empty() && static_cast<std::size_t>(named(event.after)) == scene_.events.size()) {
      std::vector<std::string_view> names;
      for (const EventSettings& other : scene_.events)
        if (!other.name.empty()) names.push_back(other.name);
      return failAt("after", "there is no event named " + json::quote(event.after), suggestion(event.after, names));
    }
    if (event.after.empty() && event.delay > 0.0)
      return failAt("delay", "a delay counts from another event", "name it with \"after\", or give \"at\"");
    const bool limits = event.above || event.below;
    if (event.when.empty() && limits)
      return fail("this condition measures nothing", "give \"when\", an observable such as bodies.hook.position.z");
    if (!event.when.empty() && !limits) return fail("this condition has no limit", "give \"above\" or \"below\"");
    if (event.when.empty() && !event.once)
      return failAt("once", "what has no condition happens once", "remove it, or give \"when\"");
    return event.when.empty() || observable("when", event.when);
  }

  bool motor(const MotorSettings& motor) {
    if (!driven("on", motor.on, "motors drive hinges, sliders and rotors")) return false;
    if (motor.stall.has_value() != motor.noLoad.has_value())
      return fail("a torque-speed line needs two points", "give stall_force and no_load_speed");
    return motor.drive != DriveType::feedback || observable("observe", motor.observe);
  }

  bool force(const ForceSettings& force) {
    const Entry* on;
    if (!refer("on", force.on, movers_, {Thing::body, Thing::particle, Thing::rotor}, false, on)) return false;
    if (on->thing == Thing::rotor && force.force != Vec3::Zero())
      return failAt("force", "a force has no effect on a rotor",
                    "give a torque, or let the force act on the rotor's parent");
    if (on->thing == Thing::particle && force.torque != Vec3::Zero())
      return failAt("torque", "a torque has no effect on a particle", "remove it");
    return true;
  }

  bool cable(const CableSettings& cable) {
    std::size_t active = 0;
    {
      const Step route(*this, "route");
      bool good = !troubled();
      for (std::size_t i = 0; i < cable.route.size(); ++i) {
        const Step step(*this, i);
        if (!troubled()) good = link(cable, i) && good;
        active += cable.route[i].active || cable.model == CableModel::particles ? 1 : 0;
      }
      if (!good) return false;
      if (active < 2)
        return fail("only " + std::to_string(active) + " of its links is active, a cable needs at least 2");
    }
    if (troubled()) return false;
    const std::size_t spans = active - (cable.closed ? 0 : 1);
    if (!cable.slacks.empty() && cable.slacks.size() != spans)
      return failAt("slacks", "found " + std::to_string(cable.slacks.size()) + ", but the cable has " +
                                  std::to_string(spans) + " spans");
    if (!cable.slacks.empty() && cable.slack != 0.0)
      return failAt("slack", "found slack and slacks", "give one of them");
    const Step step(*this, "candidates");
    for (std::size_t i = 0; i < cable.candidates.size(); ++i) {
      const Entry* found;
      if (!refer(std::to_string(i), cable.candidates[i], movers_, {Thing::body}, true, found)) return false;
    }
    return true;
  }

  bool link(const CableSettings& cable, std::size_t i) {
    const LinkSettings& link = cable.route[i];
    const bool end = i == 0 || i + 1 == cable.route.size();
    const Entry* on;
    if (link.type == LinkType::ride || (link.type == LinkType::guide && link.riding)) {
      for (const auto& [name, other] : scene_.cables)
        if (name == link.on) return true;
      return failAt("on", "there is no cable named " + json::quote(link.on), "name a strand listed before this one");
    }
    if (link.segment) {
      for (const auto& [name, other] : scene_.cables) {
        if (&other == &cable) break;
        if (name == link.on && other.model == CableModel::chain) return true;
      }
      return failAt("on", "there is no chain named " + json::quote(link.on) + " before this cable",
                    "name a chain listed before, or leave out \"segment\"");
    }
    if (!refer("on", link.on, movers_, {Thing::body, Thing::rotor, Thing::particle}, true, on)) return false;
    const bool ring = cable.model == CableModel::chain && link.type == LinkType::attach;
    if (cable.closed && !ring && (link.type == LinkType::attach || link.type == LinkType::spool))
      return failAt("type", "a closed cable has no end to attach or wind", "set \"closed\": false, or let it roll");
    if (link.type == LinkType::spool && !end)
      return failAt("type", "a spool in the middle of a route: it holds an end of the cable",
                    "let it roll here, or end the cable with it");
    const bool socket = cable.model == CableModel::particles && link.type == LinkType::attach;
    if (!link.active && link.type == LinkType::attach && !socket)
      return failAt("active", "only a socket of a particle cable may start empty", "remove it, or use model particles");
    if (!link.active && end && !cable.closed && !socket)
      return failAt("active", "the ends of a cable are always active");
    if (link.cleat != Cleat::off && !(link.friction < unbounded))
      return failAt("cleat", "a cleat lets the cable slide one way, and on this link it never slips",
                    "give it a finite \"friction\", such as 0");
    const bool wheel = link.type == LinkType::roll || link.type == LinkType::hybrid || link.type == LinkType::spool;
    const bool ownWheel = on && on->thing == Thing::rotor;
    if (!wheel || ownWheel)
      return !link.shape || failAt("shape", json::quote(link.on) + " is a rotor, which has no shapes",
                                   "remove it: the wheel is the rotor's");
    if (link.shape) {
      const std::size_t count = on && on->thing == Thing::body ? scene_.bodies[on->index].second.shapes.size() : 0;
      return static_cast<std::size_t>(*link.shape) < count ||
             failAt("shape", "found shape " + std::to_string(*link.shape) + ", but " + json::quote(link.on) + " has " +
                                 std::to_string(count) + " shapes, counted from 0");
    }
    if (!link.radius)
      return fail("this link has no wheel: " + json::quote(link.on) + " is not a rotor",
                  "give \"radius\" and \"axis\", or \"shape\", or put it on a rotor");
    return link.axis || fail("this link has a radius but no axis", "give \"axis\", the normal of the cable plane");
  }

  void expectations() {
    const Step section(*this, "expect");
    for (std::size_t i = 0; i < scene_.expect.size() && !full(); ++i) {
      const Step step(*this, i);
      if (!troubled()) expectation(scene_.expect[i]);
    }
  }

  bool expectation(const Expectation& expectation) {
    if (!observable("observe", expectation.observe)) return false;
    if (expectation.at > scene_.settings.seconds)
      return failAt("at",
                    "found " + numberText(expectation.at) + " s, but the scene ends at " +
                        numberText(scene_.settings.seconds) + " s",
                    "raise settings.seconds");
    if (!expectation.equals && !expectation.above && !expectation.below)
      return fail("this expectation expects nothing", "give \"equals\", \"above\" or \"below\"");
    if (!expectation.equals && (expectation.within != 0.0 || expectation.relative != 0.0))
      return fail("a tolerance has no effect without \"equals\"", "remove it");
    return true;
  }

  void plots() {
    const Step section(*this, "plots");
    for (std::size_t i = 0; i < scene_.plots.size() && !full(); ++i) {
      const Step step(*this, i);
      const Step list(*this, "observe");
      if (troubled()) continue;
      for (std::size_t k = 0; k < scene_.plots[i].observe.size(); ++k)
        observable(std::to_string(k), scene_.plots[i].observe[k]);
    }
  }

  const Description& scene_;
  std::span<const Problem> known_;
  bool allNames_ = true;  ///< whether every section could be read
  Directory movers_, driven_, others_, cables_, forces_, couplings_;
};

}  // namespace

namespace scene {
std::vector<Problem> checkAll(const Description& description, std::span<const Problem> known) {
  return Checker(description, known).run();
}
}  // namespace scene

std::expected<void, Problem> checkScene(const Description& description) {
  if (auto problems = scene::checkAll(description); !problems.empty()) return std::unexpected(std::move(problems[0]));
  return {};
}

}  // namespace reeve
