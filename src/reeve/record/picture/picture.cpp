#include "reeve/record/picture.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "reeve/record/number.h"
#include "reeve/record/picture/canvas.h"

namespace reeve::record {
namespace {

/// Room around the scene for title and legends, px.
Rect pageArea(const PictureOptions& options) {
  const double side = std::min(34.0, 0.08 * options.width);
  return {{side, std::min(64.0, 0.14 * options.height)},
          {options.width - side, options.height - std::min(86.0, 0.18 * options.height)}};
}

std::vector<RopeLine> ropesOf(const Stage& stage) {
  std::vector<RopeLine> ropes;
  for (const auto& [name, cable] : stage.observation().cables) {
    RopeLine rope{name, nullptr, &cable, ropePieces(cable, stage.description().settings.gravity)};
    for (const auto& [other, settings] : stage.description().cables)
      if (other == name) rope.settings = &settings;
    ropes.push_back(std::move(rope));
  }
  return ropes;
}

/// What the picture must show. Fixed things that are much larger than what moves (floors, walls) may be cut off.
Rect seenBounds(const Canvas& canvas) {
  Rect seen;
  for (const Solid& solid : canvas.solids)
    if (!solid.fixed) seen.include(solid.bounds());
  for (const RopeLine& rope : canvas.ropes)
    for (const RopePiece& piece : rope.pieces) seen.include(canvas.flat(piece.a)), seen.include(canvas.flat(piece.b));
  for (const auto& [name, joint] : canvas.stage.description().joints)
    if (joint.anchor.allFinite() && joint.type != JointType::slider)  // a slider's anchor may be anywhere on its line
      seen.include(canvas.flat(canvas.stage.carried(canvas.stage.isWorld(joint.b) ? joint.a : joint.b, joint.anchor)));
  const Rect core = seen;
  const double size = core.size().maxCoeff();
  for (const Solid& solid : canvas.solids) {
    if (!solid.fixed) continue;
    const Rect bounds = solid.bounds();
    const bool cut = !core.empty() && size > 0.0 && bounds.size().maxCoeff() > 3.2 * size;
    const Rect part = cut ? bounds.intersection(core.grown(0.3 * size)) : bounds;
    if (!part.empty()) seen.include(part);
  }
  if (seen.empty()) seen.include(Rect{{-1, -1}, {1, 1}});
  const Rect ground = groundBounds(canvas, seen);
  if (!ground.empty()) seen.include(ground);
  return seen;
}

void aim(Canvas& canvas, const PictureOptions& options) {
  ViewSettings wanted = canvas.stage.description().view;
  if (options.target) wanted.target = options.target;
  if (options.sceneHeight > 0.0) wanted.height = options.sceneHeight;
  const bool kept = options.frame && !options.frame->empty();
  const Rect seen = kept ? Rect{options.frame->low, options.frame->high} : seenBounds(canvas);
  View fitted = canvas.view;
  fitted.fit(seen, canvas.page.grown(-10.0));  // room for the symbols of joints at the edge
  if (!(wanted.height > 0.0) && !wanted.target) {
    canvas.view = fitted;
    return;
  }
  const double scale = wanted.height > 0.0 ? canvas.page.size().y() / wanted.height : fitted.scale();
  if (wanted.target && wanted.target->allFinite()) {
    canvas.view.center(*wanted.target, scale, canvas.page);
    return;
  }
  const Vec2 half = canvas.page.size() / (2.0 * scale);
  canvas.view.fit(Rect{seen.center() - half, seen.center() + half}, canvas.page);
}

/// Whether a link puts a wheel on a body itself, where there is no rotor and no round shape to draw instead.
bool bringsWheel(const Description& scene, const LinkSettings& link) {
  const bool round = link.type == LinkType::roll || link.type == LinkType::hybrid || link.type == LinkType::spool;
  if (!round || !link.radius || link.shape) return false;
  for (const auto& [name, rotor] : scene.rotors)
    if (name == link.on) return false;
  for (const auto& [name, body] : scene.bodies)
    if (name == link.on)
      for (const ShapeSettings& shape : body.shapes)
        if (std::abs(shape.radius - *link.radius) < 0.02 * *link.radius &&
            (shape.position - link.point).norm() < 0.1 * *link.radius)
          return false;
  return true;
}

void addLinkWheels(std::vector<Solid>& solids, const Stage& stage, const View& view) {
  for (const LinkWheel& wheel : linkWheels(stage.description())) {
    const Pose pose = stage.pose(wheel.on);
    solids.push_back(wheelSolid({pose.point(wheel.center), pose.direction(wheel.axis),
                                 pose.direction(sideways(wheel.axis)), wheel.radius, 0.25 * wheel.radius},
                                view));
    solids.back().parent = wheel.on;
  }
}

}  // namespace

std::vector<LinkWheel> linkWheels(const Description& scene) {
  std::vector<LinkWheel> wheels;
  for (const auto& [name, cable] : scene.cables)
    for (const LinkSettings& link : cable.route) {
      if (!bringsWheel(scene, link)) continue;
      const bool known = std::any_of(wheels.begin(), wheels.end(), [&](const LinkWheel& other) {
        return other.on == link.on && (other.center - link.point).norm() < 1e-6;
      });
      if (!known) wheels.push_back({link.on, link.point, link.axis.value_or(Vec3::UnitY()), *link.radius});
    }
  return wheels;
}

namespace {

constexpr std::size_t cellsAcross = 32;

std::size_t cellAt(double share) {
  return static_cast<std::size_t>(std::clamp(share * static_cast<double>(cellsAcross), 0.0, cellsAcross - 1.0));
}

}  // namespace

void Canvas::index() {
  boxes.clear();
  for (const Solid& solid : solids) boxes.push_back(solid.bounds().grown(1.0));
  cells.assign(cellsAcross * cellsAcross, {});
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Vec2 low = (boxes[i].low - page.low).cwiseQuotient(page.size()),
               high = (boxes[i].high - page.low).cwiseQuotient(page.size());
    for (std::size_t y = cellAt(low.y()); y <= cellAt(high.y()); ++y)
      for (std::size_t x = cellAt(low.x()); x <= cellAt(high.x()); ++x) cells[y * cellsAcross + x].push_back(i);
  }
}

/// What lies beyond the page counts to the cell at its edge, for boxes and points alike.
const std::vector<std::size_t>& Canvas::near(const Vec2& p) const {
  static const std::vector<std::size_t> none;
  if (cells.empty()) return none;
  const Vec2 share = (p - page.low).cwiseQuotient(page.size());
  return cells[cellAt(share.y()) * cellsAcross + cellAt(share.x())];
}

const Solid* Canvas::topmost(const Vec2& p) const {
  const std::vector<std::size_t>& close = near(p);
  for (std::size_t k = close.size(); k-- > 0;)
    if (const std::size_t i = close[k]; boxes[i].contains(p) && solids[i].depth(p)) return &solids[i];
  return nullptr;
}

bool Canvas::isBackdrop(const Solid& solid) const {
  return solid.fixed && solid.kind == SolidKind::polyhedron &&
         solid.bounds().intersection(page).size().prod() > 0.35 * page.size().prod();
}

bool Canvas::hidden(const Vec3& p_W, const std::vector<bool>& except) const {
  const Vec3 p = view.project(p_W);
  const std::vector<std::size_t>& close = near(p.head<2>());
  return std::any_of(close.begin(), close.end(), [&](std::size_t i) {
    if (!boxes[i].contains(p.head<2>()) || (!except.empty() && except[i])) return false;
    const auto depth = solids[i].depth(p.head<2>());
    return depth && !(depth->first < p.z() + 1.0);
  });
}

std::vector<Solid> solidsOf(const Stage& stage, const View& view) {
  std::vector<Solid> solids;
  int colour = 0;
  for (const auto& [name, body] : stage.description().bodies) {
    const Pose pose = stage.pose(name);
    const bool fixed = body.motion == BodyMotion::fixed;
    const Colour usual = fixed ? fixedFill : body.motion == BodyMotion::kinematic ? kinematicFill : bodyFill(colour++);
    std::vector<ShapeSettings> shapes = body.shapes;
    // A body without a shape still is somewhere: a small ball marks its origin.
    const bool point = shapes.empty();
    if (point) shapes.emplace_back().type = ShapeType::sphere;
    for (const ShapeSettings& shape : shapes) {
      auto solid = solidOf(shape, pose, view);
      if (!solid) continue;
      solid->fill = parseColour(body.color, usual);
      solid->owner = name;
      solid->fixed = fixed;
      if (point) solid->radius = view.scale() == 1.0 ? 0.0 : 5.0;
      solids.push_back(std::move(*solid));
    }
  }
  for (const auto& [name, rotor] : stage.description().rotors) {
    solids.push_back(wheelSolid(stage.wheel(name, rotor), view));
    solids.back().fill = parseColour(rotor.color, wheelFill);
    solids.back().owner = name;
    solids.back().parent = rotor.on;
  }
  addLinkWheels(solids, stage, view);
  for (const auto& [name, particle] : stage.description().particles) {
    Solid dot;
    dot.a = view.project(stage.pose(name).position);
    dot.b = view.direction(Vec3::UnitZ());
    // One pixel per meter only while the picture is being fitted.
    dot.radius = std::max(particle.radius * view.scale(), view.scale() == 1.0 ? 0.0 : 3.0);
    dot.fill = Colour{0.42, 0.50, 0.60};
    dot.owner = name;
    solids.push_back(dot);
  }
  std::erase_if(solids,
                [](const Solid& s) { return !s.a.allFinite() || !s.b.allFinite() || !std::isfinite(s.radius); });
  return solids;
}

PictureFrame pictureFrame(const Description& description, const Observation& observation,
                          const PictureOptions& options) {
  const Stage stage(description, observation);
  Canvas canvas{stage, View(options.from.value_or(description.view.from)), pageArea(options), {}, {}, 0.0, 0.0, {}, {}};
  canvas.solids = solidsOf(stage, canvas.view);
  canvas.ropes = ropesOf(stage);
  const Rect seen = seenBounds(canvas);
  return {seen.low, seen.high};
}

void PictureForces::include(const Description& description, const Observation& observation) {
  force = std::max(force, forceScale(description, observation));
  tension = std::max(tension, largestTension(observation, tensionNoise * force));
}

Vec2 pageFor(const PictureFrame& frame) {
  if (frame.empty()) return {900, 600};
  const Vec2 size = frame.high - frame.low;
  if (size.y() > 1.5 * size.x()) return {600, 800};
  if (size.x() > 3.2 * size.y()) return {900, 420};
  return {900, 600};
}

std::string drawPicture(const Description& description, const Observation& observation, const PictureOptions& options) {
  const Stage stage(description, observation);
  Canvas canvas{stage, View(options.from.value_or(description.view.from)), pageArea(options), {}, {}, 0.0, 0.0, {}, {}};
  canvas.solids = solidsOf(stage, canvas.view);
  canvas.ropes = ropesOf(stage);
  aim(canvas, options);
  PictureForces forces = options.forces;
  forces.include(description, observation);
  canvas.tensionNoise = tensionNoise * forces.force;
  canvas.tensionScale = niceCeil(forces.tension);
  std::vector<Solid> solids = solidsOf(stage, canvas.view);
  canvas.solids.clear();
  for (const std::size_t i : paintingOrder(solids)) canvas.solids.push_back(std::move(solids[i]));
  canvas.index();

  Svg svg(options.width, options.height, description.name.empty() ? "Reeve scene" : description.name);
  svg.tag("rect", "width=\"100%\" height=\"100%\" fill=\"#ffffff\" ");
  const Vec2 corner(0, canvas.page.low.y() - 8), size(options.width, canvas.page.size().y() + 20);
  svg.define("<clipPath id=\"" + options.idPrefix + "page\"><rect " + attribute("x", corner.x()) +
             attribute("y", corner.y()) + attribute("width", size.x()) + attribute("height", size.y()) +
             "/></clipPath>");
  LabelPlacer labels(Rect{corner, corner + size}.grown(-4), [&](const Vec2& p) {
    const Solid* solid = canvas.topmost(p);
    return solid && !canvas.isBackdrop(*solid);
  });
  svg.open("g", "clip-path=\"url(#" + options.idPrefix + "page)\"");
  drawGround(svg, canvas);
  drawSupports(svg, canvas);
  SolidPainter painter(svg, options.idPrefix);
  for (Solid& solid : canvas.solids) {
    const bool backdrop = canvas.isBackdrop(solid);
    if (backdrop) solid.fill = mixed(solid.fill, {1, 1, 1}, 0.55);
    painter.draw(solid);
    if (backdrop)
      drawFloorShadows(svg, canvas, solid, options.idPrefix + "floor" + std::to_string(&solid - canvas.solids.data()));
  }
  drawJoints(svg, canvas, labels);
  drawRopes(svg, canvas, labels);
  drawContacts(svg, canvas);
  drawForces(svg, canvas);
  if (options.signs) drawSigns(svg, canvas, labels);
  if (options.labels) drawLabels(svg, canvas, labels);
  svg.close();
  drawFrame(svg, canvas, options, labels);
  return std::move(svg).finish();
}

std::expected<Vec3, Problem> parseView(std::string_view text) {
  if (const auto named = namedView(text)) return *named;
  const std::string copy(text);
  Vec3 v;
  const char* at = copy.c_str();
  for (int i = 0; i < 3; ++i) {
    char* end = nullptr;
    v[i] = std::strtod(at, &end);
    const bool last = i == 2;
    if (end == at || *end != (last ? '\0' : ',')) break;
    at = end + 1;
    if (last && v.allFinite() && v.norm() > 1e-9) return v;
  }
  return std::unexpected(
      Problem{"", "\"" + copy + "\" is not a view",
              "use front, back, left, right, side, top, bottom, iso, or a direction such as 1,-2,0.5"});
}

}  // namespace reeve::record
