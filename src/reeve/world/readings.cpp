#include "reeve/world/readings.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "reeve/math/rotation.h"
#include "reeve/model/kinetics.h"
#include "reeve/world/parts.h"

namespace reeve {

namespace {

constexpr double noSpan = std::numeric_limits<double>::quiet_NaN();

bool ofSpans(Reading which) { return which >= Reading::tensions; }

/// How far ahead and back spans are looked at for the rate of their lengths, as a share of the step: differences of
/// lengths are then good to rounding over it, and their curvature to its square.
constexpr double glimpse = 1e-2;

}  // namespace

namespace {
std::size_t declaredSpans(const CableSettings& cable) {
  return cable.closed ? cable.route.size() : cable.route.size() - 1;
}
}  // namespace

/// Spans of all cables as they are declared, from views at any instant.
template <class Value>
void World::Parts::spanArray(const Instant& there, Value&& value, std::vector<double>& out) const {
  for (std::size_t c = 0; c < built->cables.size(); ++c) {
    built->cables[c]->view(there, shown(), linkViews, spanViews);
    const std::size_t count = spanCount(c);
    for (std::size_t i = 0; i < count; ++i) out.push_back(i < spanViews.size() ? value(spanViews[i]) : noSpan);
  }
}

/// Of a chain those it has at the start, of others those of the route.
std::size_t World::Parts::spanCount(std::size_t cable) const {
  const CableSettings& settings = model().description.cables[cable].second;
  if (!built->cables[cable]->traits().spansAreSegments) return declaredSpans(settings);
  if (chainSpans.empty()) {
    chainSpans.assign(built->cables.size(), 0);
    std::vector<LinkView> links;
    std::vector<SpanView> spans;
    Instant start;
    start.bind(model(), built->start);
    start.rewind();
    start.evaluate();
    for (std::size_t i = 0; i < built->cables.size(); ++i) {
      if (!built->cables[i]->traits().spansAreSegments) continue;
      built->cables[i]->view(start, built->start, links, spans);
      chainSpans[i] = spans.size();
    }
  }
  return chainSpans[cable];
}

void World::Parts::fillRates(std::vector<double>& out) const {
  // The length of a span alone depends on where its tangents touch: no row has its gradient. Central difference.
  const double shift = glimpse * model().description.settings.dt;
  Instant there;
  std::vector<double> ahead;
  for (const bool forth : {false, true}) {
    there.bind(model(), state);
    there.rewind();
    for (std::size_t i = 0; i < there.u.size(); ++i) there.u[i] = (forth ? shift : -shift) * state.v[i];
    there.prescribe(state.time + (forth ? shift : -shift));
    there.place(state.time + (forth ? shift : -shift), 0.0);
    there.v = state.v;
    there.touch();
    there.evaluate();
    spanArray(
        there, [](const SpanView& v) { return v.length; }, forth ? ahead : out);
  }
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = (ahead[i] - out[i]) / (2.0 * shift);
}

std::span<const double> World::read(Reading which) const {
  const Parts& p = *parts_;
  constexpr std::size_t ground = 7;  // the world is the first body
  if (which == Reading::positions) return std::span<const double>(p.state.q).subspan(ground);
  if (which == Reading::velocities) return std::span<const double>(p.state.v).subspan(ground - 1);
  parts_->use();
  parts_->now.evaluate();
  std::vector<double>& out = p.arrays[static_cast<std::size_t>(which)];
  std::uint64_t& made = p.arraysOf[static_cast<std::size_t>(which)];
  if (made == p.version) return out;
  made = p.version;
  out.clear();
  switch (which) {
    case Reading::coordinates:
      for (const Joint* j : p.built->joints) out.push_back(j->coordinate(p.now));
      break;
    case Reading::rates:
      for (const Joint* j : p.built->joints) out.push_back(j->coordinateRate(p.now));
      break;
    case Reading::motorForces:
      for (const Motor* m : p.built->motors) out.push_back(p.shown().force[at(m->slot)]);
      break;
    case Reading::motorPowers:
      for (const Motor* m : p.built->motors) out.push_back(m->power(p.now, p.shown()));
      break;
    case Reading::tensions:
      p.spanArray(
          p.now, [](const SpanView& v) { return v.tension; }, out);
      break;
    case Reading::lengths:
      p.spanArray(
          p.now, [](const SpanView& v) { return v.length; }, out);
      break;
    case Reading::rests:
      p.spanArray(
          p.now, [](const SpanView& v) { return v.rest; }, out);
      break;
    case Reading::lengthRates:
      p.fillRates(out);
      break;
    default:
      break;
  }
  return out;
}

std::vector<std::string> World::names(Reading which) const {
  const Parts& p = *parts_;
  const Model& m = p.model();
  const Description& d = description();
  std::vector<std::string> out;
  if (ofSpans(which)) {
    for (std::size_t c = 0; c < d.cables.size(); ++c)
      for (std::size_t i = 0; i < p.spanCount(c); ++i)
        out.push_back("cables." + d.cables[c].first + ".spans." + std::to_string(i));
    return out;
  }
  if (which == Reading::coordinates || which == Reading::rates) {
    for (const auto& [name, joint] : d.joints) out.push_back("joints." + name);
    return out;
  }
  if (which == Reading::motorForces || which == Reading::motorPowers) {
    for (const auto& [name, motor] : d.motors) out.push_back("motors." + name);
    return out;
  }
  const bool places = which == Reading::positions;
  std::vector<std::string> stem(m.blocks.size());
  for (std::size_t i = 1; i < m.bodies.size(); ++i)
    stem[at(m.bodies[i].block)] = (m.bodies[i].hidden ? "cables." : "bodies.") + m.bodies[i].name;
  for (const Rotor& r : m.rotors) stem[at(r.block)] = "rotors." + r.name;
  for (const Particle& q : m.particles) stem[at(q.block)] = (q.hidden ? "cables." : "particles.") + q.name;
  for (std::size_t i = 1; i < m.blocks.size(); ++i) {
    const Block& b = m.blocks[i];
    if (stem[i].empty()) stem[i] = "coordinate " + std::to_string(i);
    if (b.dof == 1) {
      out.push_back(stem[i] + (places ? ".angle" : ".rate"));
      continue;
    }
    for (int k = 0; k < (b.rotates ? 3 : b.dof); ++k) {
      const std::string part(1, "xyz"[k]);
      out.push_back(stem[i] + (places ? (b.rotates ? ".center." : ".position.") : ".velocity.") + part);
    }
    if (!b.rotates) continue;
    if (places)
      for (const char* part : {"w", "x", "y", "z"}) out.push_back(stem[i] + ".orientation." + part);
    else
      for (const char* part : {"x", "y", "z"}) out.push_back(stem[i] + ".angular_velocity." + part);
  }
  return out;
}

double World::Parts::lengthRate(int cable, int span) const {
  std::size_t before = 0;
  for (int c = 0; c < cable; ++c) before += spanCount(at(c));
  std::vector<double> rates;
  fillRates(rates);
  return at(span) < spanCount(at(cable)) ? rates[before + at(span)] : noSpan;
}

/// Σ of the gradients of what pulls along the cable, by State::v index.
std::vector<double> World::Parts::momentArms(const Cable& cable, bool& any) const {
  RowSet rows;
  cable.rows(now, rows);
  std::vector<double> arms(state.v.size(), 0.0);
  any = false;
  for (const Row& row : rows.rows) {
    if (row.level != Level::position || row.upper != 0.0 || row.lower > -unbounded) continue;
    any = true;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = rows.entries[at(e)];
      const Block& b = model().blocks[at(entry.block)];
      for (int k = 0; k < b.dof; ++k) arms[at(b.v + k)] += entry.j[k];
    }
  }
  return arms;
}

std::expected<std::vector<double>, Problem> World::momentArms(CableHandle handle) const {
  if (auto ok = knows(handle, "cable", parts_->built->cables.size()); !ok) return std::unexpected(ok.error());
  parts_->use();
  parts_->now.evaluate();
  bool any = false;
  std::vector<double> arms = parts_->momentArms(*parts_->built->cables[at(handle.index)], any);
  if (!any)
    return wrong("cable", "this cable has no row of its length now",
                 "moment arms are for models joints, hoist and strand");
  arms.erase(arms.begin(), arms.begin() + 6);  // the world itself
  return arms;
}

std::expected<double, Problem> World::momentArm(CableHandle cable, JointHandle joint) const {
  if (auto ok = knows(joint, "joint", parts_->built->joints.size()); !ok) return std::unexpected(ok.error());
  const auto arms = momentArms(cable);
  if (!arms) return std::unexpected(arms.error());
  const Joint& on = *parts_->built->joints[at(joint.index)];
  if (on.settings().type != JointType::hinge && on.settings().type != JointType::slider)
    return wrong("joint", "only hinges and sliders have a coordinate", "use momentArms for bodies");
  const std::vector<double> motion = parts_->motionOf(on);
  double arm = 0.0;
  for (std::size_t i = 0; i < arms->size(); ++i) arm += (*arms)[i] * motion[i + 6];
  return arm;
}

std::expected<std::vector<double>, Problem> World::displacement(const State& from) const {
  const Parts& p = *parts_;
  if (!p.fits(from)) return wrong("from", "the state belongs to another scene", "take it from a world of this scene");
  Instant there, here;
  there.bind(p.model(), from);
  there.rewind();
  here.bind(p.model(), p.state);
  here.rewind();
  std::vector<double> out(p.state.v.size(), 0.0);
  for (std::size_t i = 0; i < p.model().blocks.size(); ++i) {
    const Block& b = p.model().blocks[i];
    for (int k = 0; k < (b.rotates ? 3 : b.dof); ++k) out[at(b.v + k)] = p.state.q[at(b.q + k)] - from.q[at(b.q + k)];
    if (!b.rotates) continue;
    const int block = static_cast<int>(i);
    setTriple(out, b.v + 3, rotationLog(here.orientation(block) * there.orientation(block).conjugate()));
  }
  out.erase(out.begin(), out.begin() + 6);  // the world itself
  return out;
}

namespace {

/// Whether a state rests and its own forces hold it: each row that gives way pulls by what it is stretched, and nothing
/// is left over. So it is where a solve for rest has led, and stiff cables under pretension keep theirs, which a solve
/// for accelerations cannot know.
bool heldAtRest(const Model& model, std::span<const Element* const> elements, const State& state) {
  double most = 0.0;
  for (const double f : state.force) most = std::max(most, std::fabs(f));
  if (most == 0.0 || std::any_of(state.v.begin(), state.v.end(), [](double v) { return v != 0.0; })) return false;
  Instant there;
  there.bind(model, state);
  there.rewind();
  there.evaluate();
  RowSet rows;
  Forces forces;
  forces.force.assign(state.v.size(), 0.0);
  for (const Element* e : elements) {
    e->rows(there, rows);
    e->forces(there, forces);
  }
  for (const Row& row : rows.rows) {
    const double f = state.force[at(row.slot)];
    if (row.level == Level::position && row.compliance > 0.0 && f != 0.0 &&
        std::fabs(row.error + row.compliance * f) > 1e-7 * row.compliance * most)
      return false;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = rows.entries[at(e)];
      const Block& b = model.blocks[at(entry.block)];
      for (int k = 0; k < b.dof; ++k) forces.force[at(b.v + k)] += f * entry.j[k];
    }
  }
  const Vec3& gravity = model.description.settings.gravity;
  for (const Block& b : model.blocks)
    for (int k = 0; b.free && k < b.dof; ++k) {
      const double weight = b.weighs && k < 3 ? b.mass * gravity[k] : 0.0;
      if (std::fabs(forces.force[at(b.v + k)] + weight) > 1e-8 * most) return false;
    }
  return true;
}

}  // namespace

const State& World::Parts::shown() const {
  if (!fresh) return state;
  if (seenOf == version) return seen;
  seenOf = version;
  seen = state;
  if (contacts.empty() && state.pushes.empty() && heldAtRest(model(), acting(), state)) return seen;
  if (!forward) forward = std::make_unique<DirectSolver>();
  Parts& mine = const_cast<Parts&>(*this);  // contacts are workspace: what they find belongs to `seen`
  const double h = model().description.settings.dt / model().description.settings.substeps;
  if (!contacts.empty()) mine.contacts.find(now, h, seen);
  const std::vector<const Element*>& all = seen.pushes.empty() ? elements : pushed;
  forward->accelerations(
      model(), std::span<const Element* const>(all.data(), all.size() - (contacts.contacts().empty() ? 1 : 0)), seen,
      h);
  if (!contacts.empty()) mine.contacts.remember(seen);
  for (const double f : seen.force)
    if (!(std::fabs(f) < unbounded)) {  // no acceleration to be had: what is known stays
      seen = state;
      break;
    }
  return seen;
}

}  // namespace reeve
