// From a route to a cable of joints: links placed on their bodies, spans measured at the start pose, errors for people.
#include <algorithm>
#include <cmath>

#include "reeve/cables/drum.h"
#include "reeve/cables/idle.h"
#include "reeve/cables/joints/joints_cable.h"
#include "reeve/geometry/collide.h"
#include "reeve/geometry/hull.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

/// What a link type may not be asked for.
std::expected<void, Problem> JointsCable::checkPlace(const LinkSettings& s, const std::string& path, const Link& l,
                                                     bool inside, bool onParticle) const {
  const bool ends = s.type == LinkType::hybrid || s.type == LinkType::spool,
             slides = s.type == LinkType::pinhole || s.type == LinkType::sheath;
  if (ends && inside)
    return wrong(path + "/type", "a hybrid or spool link ends a cable, but this one is in the middle",
                 "use roll, or make it the first or last link");
  if ((ends || s.type == LinkType::roll) && onParticle)
    return wrong(path + "/on", "'" + s.on + "' is a particle, which has no surface to roll on",
                 "use attach or pinhole, or a body");
  if (slides && !inside)
    return wrong(path + "/type", "a cable cannot end in a pinhole", "end it with attach, spool or hybrid");
  if (s.type == LinkType::roll && !inside)
    return wrong(path + "/type", "a cable cannot end on a wheel it only rolls over",
                 "end it with attach, spool or hybrid");
  if (s.type == LinkType::attach && closed_)
    return wrong(path + "/type", "a closed cable has no attachment", "make it open, or use roll or pinhole");
  if (slides && l.friction == unbounded)
    return wrong(path + "/friction", "a pinhole that never slips is an attachment",
                 "use attach, or give a finite friction");
  if (!s.active && (s.type != LinkType::roll || !inside))
    return wrong(path + "/active", "only a roll link inside the route can wait to be met", "leave active out");
  if (s.type == LinkType::sheath && s.path.size() < 2)
    return wrong(path + "/path", "a sheath needs a path of at least two points",
                 "give the points of the tube on the body");
  return {};
}

/// The plane of a wheel and what the cable runs on in it.
std::expected<void, Problem> JointsCable::addOutline(const LinkSettings& s, const std::string& path, Link& l) const {
  const bool onRotor = l.mount.rotor >= 0;
  l.normal_B = s.axis.value_or(onRotor ? l.mount.axis_B : Vec3::UnitY());
  if (l.normal_B.norm() < 1e-12)
    return wrong(path + "/axis", "the axis has no length", "give a direction, such as [0, 1, 0]");
  l.normal_B.normalize();
  if (onRotor && std::fabs(std::fabs(l.normal_B.dot(l.mount.axis_B)) - 1.0) > 1e-9)
    return wrong(path + "/axis", "the cable plane of a rotor is across its axle",
                 "leave the axis out, or give the rotor's own");
  orthonormalBasis(l.normal_B, l.x_B, l.y_B);
  if (l.x_B.cross(l.y_B).dot(l.normal_B) < 0.0) l.y_B = -l.y_B;
  if (!s.shape) {
    const double radius = s.radius.value_or(onRotor ? l.mount.radius : 0.0);
    if (!(radius > 0.0))
      return wrong(path + "/radius", "a wheel needs a radius above zero", "give radius, or use a pinhole for a point");
    l.outline = Outline::circle(radius);
    return {};
  }
  if (*s.shape < 0 || static_cast<std::size_t>(*s.shape) >= l.mount.shapes.size())
    return wrong(path + "/shape", "the body has no such shape", "count its shapes from 0");
  const auto section = crossSection(l.mount.shapes[static_cast<std::size_t>(*s.shape)], l.center_B, l.normal_B);
  if (section.kind == Section::Kind::circle) {
    l.center_B = section.centre;
    l.outline = Outline::circle(section.radius);
    return {};
  }
  if (section.kind != Section::Kind::polygon)
    return wrong(path + "/shape", "the cable plane does not cut the shape in a closed outline",
                 "move the point into the shape, or turn the axis");
  std::vector<Vec2> corners;
  for (const Vec3& p : section.polygon) corners.emplace_back(l.x_B.dot(p - l.center_B), l.y_B.dot(p - l.center_B));
  auto outline = Outline::hull(corners);
  if (!outline) return wrong(path + "/shape", "the cross-section is degenerate", "move the plane");
  l.outline = *outline;
  return {};
}

/// How a drum winds: in one layer, or between flanges in many.
std::expected<void, Problem> JointsCable::addLayers(const LinkSettings& s, const std::string& path, Link& l) const {
  auto layers = drumLayersOf(s, settings_.material.radius, l.outline.radius(), path);
  if (!layers) return std::unexpected(layers.error());
  l.layers = *layers;
  if (!l.layers.many()) return {};
  if (!l.outline.isCircle())
    return wrong(path + "/flanges", "cable winds in layers on a round drum, and this one is a section with corners",
                 "leave flanges out, or give a radius instead of the shape");
  if (settings_.waves)
    return wrong(path + "/flanges", "a cable with waves winds in one layer", "leave flanges out, or waves");
  l.outline.setRadius(l.layers.radiusAt(l.layers.angleOf(woundAtStart(s, l.layers, 0.0))));
  return {};
}

void JointsCable::addTube(const LinkSettings& s, Link& l) const {
  for (const Vec3& p : s.path) l.tube_B.push_back(l.mount.center_B + p);
  l.center_B = l.tube_B.front();
  for (std::size_t k = 1; k < s.path.size(); ++k) {
    l.tube += (s.path[k] - s.path[k - 1]).norm();
    if (k + 1 == s.path.size()) break;
    const Vec3 a = (s.path[k] - s.path[k - 1]).normalized(), b = (s.path[k + 1] - s.path[k]).normalized();
    l.tubeBend += math::acos(std::clamp(a.dot(b), -1.0, 1.0));
  }
}

namespace {

/// Half the width of a wheel's groove, as wide as a rotor's unless that says otherwise; a shape has none.
double grooveOf(const Description& scene, const LinkSettings& s, double rope) {
  if (s.shape) return unbounded;
  double width = RotorSettings{}.width;
  for (const auto& [name, rotor] : scene.rotors)
    if (name == s.on) width = rotor.width;
  return std::max(0.5 * width, rope);
}

}  // namespace

std::expected<void, Problem> JointsCable::addLink(const CableSite& site, std::size_t index) {
  const LinkSettings& s = settings_.route[index];
  const std::string path = "/cables/" + site.name + "/route/" + std::to_string(index);
  Link l;
  l.type = s.type;
  l.mount = site.links[index];
  l.friction = s.friction;
  l.cleat = s.cleat;
  if (l.cleat != Cleat::off && !(l.friction < unbounded))
    return wrong(path + "/cleat", "a cleat lets the cable slide one way, and on this link it never slips",
                 "give it a finite friction, such as 0");
  const bool inside = closed_ || (index > 0 && index + 1 < settings_.route.size());
  if (auto ok = checkPlace(s, path, l, inside, !site.now->rotates(l.mount.block)); !ok) return ok;
  l.center_B = l.mount.center_B + (l.mount.rotor >= 0 ? Vec3::Zero() : s.point);
  if (s.type == LinkType::roll || s.type == LinkType::hybrid || s.type == LinkType::spool)
    if (auto ok = addOutline(s, path, l); !ok) return ok;
  if (l.ends())
    if (auto ok = addLayers(s, path, l); !ok) return ok;
  if (l.round()) l.groove = grooveOf(site.now->model().description, s, settings_.material.radius);
  l.keeps = s.groove;
  if (!l.keeps && (!inside || !l.outline.isCircle() || settings_.waves))
    return wrong(path + "/groove",
                 settings_.waves ? "a cable with waves stays on its wheels"
                                 : "a cable slips off a round wheel in the middle of its route alone",
                 "leave groove out");
  if (s.type == LinkType::sheath) addTube(s, l);
  if (index > 0 && l.round() && links_.back().round() && links_.back().mount.block == l.mount.block &&
      links_.back().mount.rotor == l.mount.rotor &&
      (links_.back().center_B - l.center_B).norm() < 1e-9 * l.outline.reach())
    return wrong(path, "two links in a row lie on the same wheel, '" + s.on + "'",
                 "leave one out; whole turns are asked for by turns");
  if ((s.type == LinkType::roll || s.type == LinkType::pinhole || s.type == LinkType::sheath) && l.friction < unbounded)
    l.slip = site.addSlip();
  links_.push_back(std::move(l));
  return {};
}

/// A few links for every shape: several spans of one cable may come to lie on it, each in a plane of its own.
void JointsCable::addCandidate(const LinkMount& mount) {
  const int copies = std::clamp(closed_ ? declared_ : declared_ - 1, 1, 4);
  for (const Shape& shape : mount.shapes) {
    if (std::holds_alternative<HalfSpace>(shape.geometry)) continue;  // nothing goes round it
    Link l;
    l.type = LinkType::roll;
    l.mount = mount;
    l.found = std::make_shared<const Shape>(shape);
    l.center_B = middleOf(shape);
    const Aabb box = bounds(shape, Pose{});
    l.reach = (box.upper - box.lower).norm();
    l.friction = settings_.material.friction;
    l.sibling = capacity();
    l.outline = Outline::circle(l.reach);  // stands in until the plane is known
    for (int copy = 0; copy < copies; ++copy) links_.push_back(l);
  }
}

std::expected<std::unique_ptr<Cable>, Problem> JointsCable::make(const CableSite& site) {
  return make(site, std::make_unique<JointsCable>());
}

std::expected<std::unique_ptr<Cable>, Problem> JointsCable::make(const CableSite& site,
                                                                 std::unique_ptr<JointsCable> cable) {
  cable->settings_ = *site.settings;
  cable->closed_ = site.settings->closed;
  cable->pays_ = given(site.settings->payout);
  const std::string path = "/cables/" + site.name;
  if (site.settings->route.size() < 2) return wrong(path + "/route", "a cable needs at least two links", "add a link");
  if (cable->pays_ && (cable->closed_ || site.settings->waves || site.settings->route[0].type != LinkType::attach))
    return wrong(path + "/payout", "a cable of joints is paid out where its first link is attached, and without waves",
                 "attach it there, use a spool on a rotor with a motor, or model hoist");
  for (std::size_t i = 0; i < site.settings->route.size(); ++i)
    if (auto ok = cable->addLink(site, i); !ok) return std::unexpected(ok.error());
  cable->declared_ = static_cast<int>(cable->links_.size());
  for (const LinkMount& c : site.candidates) cable->addCandidate(c);
  for (Link& l : cable->links_)
    if (l.found && l.friction < unbounded) l.slip = site.addSlip();
  for (const Link& l : cable->links_)
    cable->watch_.push_back({!l.round() || l.ends(), l.type == LinkType::roll && l.slip >= 0});
  cable->joins_ = static_cast<int>(cable->links_.size()) > cable->declared_ ||
                  std::any_of(cable->watch_.begin(), cable->watch_.end(), [](const Watch& w) { return w.lifts; }) ||
                  std::any_of(site.settings->route.begin(), site.settings->route.end(),
                              [](const auto& l) { return !l.active || !l.groove; });
  if (auto ok = cable->measure(site); !ok) return std::unexpected(ok.error());
  return cable;
}

bool JointsCable::neverMoves(const Model& model, int i) const {
  const int block = link(i).mount.block;
  if (model.blocks[static_cast<std::size_t>(block)].free) return false;
  return block == 0 || std::none_of(model.bodies.begin(), model.bodies.end(),
                                    [&](const Body& b) { return b.block == block && b.prescribed; });
}

/// Bodies the cable may meet have to be beside it: from inside there is no side to meet them from.
std::expected<void, Problem> JointsCable::checkClear(const CableSite& site, int from, int to,
                                                     const SpanGeometry& span) const {
  const std::string path = "/cables/" + site.name + "/route/";
  for (int i = declared_; i < capacity(); ++i) {
    const Link& body = link(i);
    if (body.sibling != i) continue;
    const Pose pose = site.now->pose(body.mount.block);
    const double touches = 1e-6 * body.reach;
    for (const std::size_t end : {0u, 1u}) {
      const int own = end == 0 ? from : to;
      if (link(own).mount.block == body.mount.block) continue;
      const Vec3& p = span.end[end].point;
      if (closest(p, p, *body.found, pose).gap < -touches)
        return wrong(path + std::to_string(own),
                     "the cable starts inside '" + body.mount.name + "', which it may come to lie on",
                     "move the link out of the body, or leave '" + body.mount.name + "' out of candidates");
    }
  }
  return {};
}

/// Measures the route at the start pose and divides the rest length.
std::expected<void, Problem> JointsCable::measure(const CableSite& site) {
  const std::string path = "/cables/" + site.name;
  State s;
  s.memory.assign(static_cast<std::size_t>(memorySize()), 0.0);
  auto route = routeOf(s);
  for (int i = 0; i < capacity(); ++i) {
    const bool listed = i < declared_ && settings_.route[static_cast<std::size_t>(i)].active;
    if (listed) route.insert(route.size(), i);
    stateOf(s, i).side = i < declared_ ? settings_.route[static_cast<std::size_t>(i)].side : 1;
    stateOf(s, i).routed = listed;
    const Link& l = link(i);
    if (listed && l.ends())
      stateOf(s, i).stored =
          woundAtStart(settings_.route[static_cast<std::size_t>(i)], l.layers, l.outline.perimeter());
  }
  if (route.size() < 2) return wrong(path + "/route", "fewer than two links are active", "make at least two active");
  double free = 0.0, stored = 0.0;
  for (Link& l : links_) {
    const int i = static_cast<int>(&l - links_.data());
    if (i < declared_) l.still = neverMoves(site.now->model(), i);
    l.wheel = l.outline.isCircle() && !l.found && site.now->rotates(l.mount.block);
    l.spinsBack = l.mount.axis_B.dot(l.normal_B) < 0.0;
    slides_ = slides_ || l.slip >= 0;
  }
  const int spans = route.spans();
  std::vector<SpanGeometry> geometry;
  for (int k = 0; k < spans; ++k) {
    const int from = route[k], to = route.next(k);
    const SpanGeometry span = spanBetween(spanEnd(*site.now, s, from, true), spanEnd(*site.now, s, to, false));
    if (span.status != TangentStatus::ok)
      return wrong(
          path + "/route/" + std::to_string(to),
          "there is no tangent from '" + link(from).mount.name + "' to '" + link(to).mount.name + "' with these sides",
          "change side, move them apart, or check that neither lies inside the other");
    if (span.length < 1e-9)
      return wrong(path + "/route/" + std::to_string(to), "the span from '" + link(from).mount.name + "' has no length",
                   "put the links at different places");
    for (int i = from + 1; i < (to > from ? to : declared_); ++i) {
      // A link that waits to be met must be beside the cable: one that lies across it would be met from no side.
      const Link& waiting = link(i);
      if (settings_.route[static_cast<std::size_t>(i)].active || !waiting.outline.isCircle()) continue;
      const LinkFrame frame = frameOf(*site.now, s, i);
      const Vec2 a = frame.toPlane(span.end[0].point), d = frame.toPlane(span.end[1].point) - a;
      const double along = d.squaredNorm() > 0.0 ? std::clamp(-a.dot(d) / d.squaredNorm(), 0.0, 1.0) : 0.0;
      if ((a + along * d).norm() < (1.0 - 1e-6) * waiting.outline.radius())
        return wrong(path + "/route/" + std::to_string(i),
                     "the cable starts across '" + waiting.mount.name + "', which is to be met later",
                     "make it active with the side the cable passes on, or move it beside the cable");
    }
    geometry.push_back(span);
    if (link(from).still && link(to).still && !link(from).layers.many() && !link(to).layers.many()) {
      const SpanGradient g = spanGradient(span);
      const auto spin = [&](int i, std::size_t end) {
        return link(i).mount.rotor < 0 ? 0.0
                                       : axialMoment(*site.now, i, g.pull[end], g.moment[end], span.end[end].origin);
      };
      still_.resize(links_.size());
      still_[static_cast<std::size_t>(from)] = {
          to, stateOf(s, from).side, stateOf(s, to).side, spin(from, 0), spin(to, 1), span};
    }
    stateOf(s, from).rest = span.length;
    stateOf(s, from).exit = travelOf(span.end[0].place);
    stateOf(s, to).entry = travelOf(span.end[1].place);
    free += span.length;
  }
  for (int k = 0; k < spans; ++k)
    if (auto ok = checkClear(site, route[k], route.next(k), geometry[static_cast<std::size_t>(k)]); !ok) return ok;
  for (int k = 0; k < route.size(); ++k) {
    const int i = route[k];
    const Link& l = link(i);
    LinkState& on = stateOf(s, i);
    const LinkSettings& settings = settings_.route[static_cast<std::size_t>(i)];
    const int sigma = settings.side;
    const bool inside = closed_ || (k > 0 && k + 1 < route.size());
    if (l.type == LinkType::sheath) on.stored = l.tube;
    if (l.round() && inside) {
      const SpanGeometry& before = geometry[static_cast<std::size_t>(k == 0 ? spans - 1 : k - 1)];
      const SpanGeometry& after = geometry[static_cast<std::size_t>(k)];
      Wrap wrap = wrapBetween(l.outline, sigma, before.end[1].place, after.end[0].place, settings.turns);
      // A cable that only just touches reads as a whole turn; one turn is asked for by `turns`.
      if (settings.turns == 0 && wrap.angle > 2.0 * math::pi - 1e-9) wrap = Wrap{};
      on.exit = {on.entry.s + sigma * wrap.length, on.entry.angle + sigma * wrap.angle};
      on.stored = wrap.length;
    }
    on.share = 0.5 * on.stored;
    stored += on.stored;
  }
  // Rest length: given, or measured with slack, or from a start tension.
  const double asked = settings_.length ? *settings_.length - stored - free : settings_.slack;
  if (settings_.length && asked < -1e-9 * free && !canStretch())
    return wrong(path + "/length", "the cable is shorter than the path it takes, and it cannot stretch",
                 "give at least " + std::to_string(free + stored) + " m, or a finite axial stiffness");
  if (settings_.length && (settings_.slack != 0.0 || !settings_.slacks.empty()))
    return wrong(path + (settings_.slack != 0.0 ? "/slack" : "/slacks"),
                 "the length already says how slack the cable is", "leave it out, or leave out length");
  if (settings_.compliance && std::isfinite(settings_.material.axial))
    return wrong(path + "/compliance", "both a compliance per span and an axial stiffness are given",
                 "leave out compliance or material.axial");
  if (settings_.tension && !canStretch())
    return wrong(path + "/tension", "a cable that cannot stretch takes no start tension",
                 "give it a finite axial stiffness or a compliance");
  if (settings_.tension && (settings_.length || settings_.slack != 0.0 || !settings_.slacks.empty()))
    return wrong(path + "/tension", "a start tension already says how long the cable is",
                 "leave out length, slack and slacks, or the tension");
  if (!canStretch() && (settings_.slack < 0.0 || std::any_of(settings_.slacks.begin(), settings_.slacks.end(),
                                                             [](double x) { return x < 0.0; })))
    return wrong(path + (settings_.slack < 0.0 ? "/slack" : "/slacks"),
                 "a cable that cannot stretch cannot be shorter than its path",
                 "give slack of zero or more, or a finite axial stiffness");
  if (!settings_.slacks.empty() && settings_.slacks.size() != static_cast<std::size_t>(spans))
    return wrong(path + "/slacks", "there must be one slack for each of the " + std::to_string(spans) + " spans",
                 "give that many numbers");
  double clings = 0.0;  // what lies on links and stretches with the spans
  for (int k = 0; k < spans; ++k) clings += stretched(s, route[k], route.next(k), 0.0, 0.0).length;
  for (int k = 0; k < spans; ++k) {
    stateOf(s, route[k]).compliance = settings_.compliance.value_or(0.0);
    double& rest = stateOf(s, route[k]).rest;
    const double length = rest, lies = stretched(s, route[k], route.next(k), length, length).length - length;
    if (!settings_.slacks.empty())
      rest += settings_.slacks[static_cast<std::size_t>(k)];
    else if (asked < 0.0)
      rest += asked * (length + lies) / (free + clings);
    else
      rest += asked * length / free;
    if (settings_.tension) {
      // T = (ℓ − ρ)/ε with ε per span, or EA (ℓ − ρ)/(ρ + what lies on its links)
      rest = settings_.compliance ? length - *settings_.tension * *settings_.compliance
                                  : (length + lies) / (1.0 + *settings_.tension / settings_.material.axial) - lies;
    }
    if (rest + lies <= 0.0) return wrong(path, "a span would have no rest length", "give more length, or less tension");
  }
  // Half of the shortest span at most, so that no route begins at a stop.
  shortest_ = settings_.material.radius;
  for (const SpanGeometry& span : geometry) shortest_ = std::min(shortest_, 0.5 * span.length);
  startMemory_ = std::move(s.memory);
  return {};
}

void JointsCable::start(const Instant&, std::span<double> remembered, std::span<Sheet>) const {
  std::copy(startMemory_.begin(), startMemory_.end(), remembered.begin());
}

}  // namespace reeve
