// A cable goes on in another model. The scene is built anew with that cable laid out where everything is now; what the
// others remember is taken over. What cannot be said of it in the fields of a scene cannot be converted.
#include <algorithm>
#include <cmath>

#include "reeve/cables/idle.h"
#include "reeve/cables/idle_fields.h"
#include "reeve/cables/light_mass.h"
#include "reeve/math/scalar.h"
#include "reeve/model/kinetics.h"
#include "reeve/world/parts.h"

namespace reeve {

namespace {

/// Share of the length by which a cable that cannot stretch may be longer than its path: rounding of the steps.
constexpr double lengthRounding = 1e-9;

/// Takes from what a cable says of itself what another model cannot do with, or gives what it cannot do without, after
/// a build that failed for it.
bool adapt(CableSettings& cable, const std::string& path, const Description& scene, Problem& problem) {
  if (!problem.path.starts_with(path)) return false;
  const std::string_view field = std::string_view(problem.path).substr(path.size());
  if (field == "/material/mass" && !(cable.material.mass > 0.0)) {
    cable.material.mass = lightMassPerLength(scene, cable);
    problem.reason += ": a light cable is assumed";
    return true;
  }
  return problem.inapplicable && leaveOut(cable, field);
}

std::unexpected<Problem> refuse(const std::string& path, std::string reason, std::string remedy) {
  return wrong(path, std::move(reason), std::move(remedy));
}

void copyElement(const Element& from, const State& a, const Element& to, State& b) {
  const ElementLayout layout = from.layout(), other = to.layout();
  if (layout.slots != other.slots || layout.memory != other.memory || layout.sheets != other.sheets) return;
  std::copy_n(a.force.begin() + from.slot, layout.slots, b.force.begin() + to.slot);
  std::copy_n(a.mode.begin() + from.slot, layout.slots, b.mode.begin() + to.slot);
  std::copy_n(a.memory.begin() + from.memory, layout.memory, b.memory.begin() + to.memory);
  std::copy_n(a.sheets.begin() + from.sheet, layout.sheets, b.sheets.begin() + to.sheet);
}

/// The same element in another model of the scene; null: there is none. Those up to the cables stand in the same place.
const Element* twin(const Element* e, const Built& from, const Built& to) {
  if (!e) return nullptr;
  if (e->index <= from.cables.back()->index) return to.model.elements[at(e->index)].get();
  for (const auto& other : to.model.elements)
    if (other->index > to.cables.back()->index && other->name == e->name) return other.get();
  return nullptr;
}

/// What is remembered of everything but the cable.
State takenOver(const Built& from, const State& s, const Built& to, int cable) {
  State n = to.start;
  n.time = s.time;
  n.steps = s.steps;
  std::copy_n(s.q.begin(), to.namedPositions, n.q.begin());
  std::copy_n(s.v.begin(), to.namedVelocities, n.v.begin());
  for (std::size_t i = 0; i < to.cables.size(); ++i) {
    if (i == at(cable)) continue;
    const auto [first, end] = from.cableBlocks[i];
    for (int k = first; k < end; ++k) {
      const Block &a = from.model.blocks[at(k)], &b = to.model.blocks[at(to.cableBlocks[i].first + k - first)];
      std::copy_n(s.q.begin() + a.q, a.dof + (a.rotates ? 1 : 0), n.q.begin() + b.q);
      std::copy_n(s.v.begin() + a.v, a.dof, n.v.begin() + b.v);
    }
  }
  for (const auto& e : from.model.elements)
    if (const Element* other = twin(e.get(), from, to); other && e.get() != from.cables[at(cable)])
      copyElement(*e, s, *other, n);
  n.overrides = s.overrides;
  const std::int64_t low = elementKey(*from.cables[at(cable)], 0), high = low + (std::int64_t{1} << 20);
  std::erase_if(n.overrides, [&](const Override& o) { return o.key >= low && o.key < high; });
  n.pushes = s.pushes;
  n.accounts = s.accounts;
  n.h = 0.0;
  return n;
}

}  // namespace

/// What a scene would say of the cable as it is now.
std::expected<CableSettings, Problem> World::Parts::settingsFor(int cable, CableModel word) const {
  const Description& declared = (first ? first : built)->model.description;
  const std::string path = "/cables/" + model().description.cables[at(cable)].first;
  CableSettings s = declared.cables[at(cable)].second;  // a field that one model had no use for may serve the next
  s.model = word;
  if (!s.extension.empty())
    return refuse(path, "it is of a model of the program's own", "convert cables of the models of scenes");
  if (given(s.payout) || std::ranges::any_of(state.overrides, [&](const Override& o) {
        return o.key >> 20 == built->cables[at(cable)]->index;
      }))
    return refuse(path, "it is paid out, or a number of it was changed while it ran",
                  "convert it before that, or wind it on a drum that turns");
  built->cables[at(cable)]->view(now, state, linkViews, spanViews);
  // Links that a cable has come to lie on are in no scene, and what is loose has no route.
  const bool segments = built->cables[at(cable)]->traits().spansAreSegments;
  if (!segments && linkViews.size() != s.route.size())
    return refuse(path, "it lies on bodies that it has met, and no scene says where it lies on them",
                  "convert it while it touches its own links alone");
  double rest = 0.0, stored = 0.0, stretch = 0.0;
  for (std::size_t k = 0; k < spanViews.size(); ++k) {
    if (spanViews[k].parted)
      return refuse(path + "/route/" + std::to_string(spanViews[k].from), "it has parted there",
                    "convert it before it parts");
    rest += spanViews[k].rest;
    stretch += spanViews[k].length - spanViews[k].rest;
  }
  for (std::size_t k = 0; k < linkViews.size(); ++k) {
    const LinkView& link = linkViews[k];
    if (!link.holds && linkViews.size() == s.route.size() && s.route[k].hold != EndHold::free)
      return refuse(path + "/route/" + std::to_string(k), "it has come off there", "convert it before it comes off");
    stored += link.stored;
    if (linkViews.size() != s.route.size()) continue;
    LinkSettings& to = s.route[k];
    if (to.type == LinkType::spool || to.type == LinkType::hybrid) to.stored = link.stored;
    if (to.type == LinkType::roll) to.turns = static_cast<int>(std::floor(link.wrap / (2.0 * math::pi)));
  }
  // A few projections would leave it longer than its tension says, and what it stretches by is energy elsewhere.
  if (word == CableModel::particles && declared.cables[at(cable)].second.model != word) s.particles.direct = true;
  const bool gives = s.material.axial < unbounded || s.compliance.value_or(0.0) > 0.0;
  const bool sameSpans = spanViews.size() + (s.closed ? 0 : 1) == s.route.size();
  s.length.reset();
  s.tension.reset();
  s.slack = 0.0;
  s.slacks.clear();
  s.shape.clear();
  if (word == CableModel::strand) {  // it is as long as its route, and slack, or taut
    if (stretch > lengthRounding * rest && s.material.axial < unbounded)
      s.tension = s.material.axial * stretch / rest;
    else
      s.slack = std::max(-stretch, 0.0);
  } else if (word == CableModel::joints && gives && sameSpans && !segments) {
    for (const SpanView& span : spanViews) s.slacks.push_back(span.rest - span.length);
  } else {
    s.length = rest + stored;
  }
  return s;
}

/// What there was besides the model, its state and the solvers.
void World::Parts::goOnFrom(Parts& before, int cable) {
  state = takenOver(*before.built, before.state, *built, cable);
  first = before.first ? before.first : before.built;
  gauges = before.gauges;
  resolvedEvents = before.resolvedEvents;
  refusals = before.refusals;
  unconverged = before.unconverged;
  built->scene = before.built->scene;
  built->model.executor = before.model().executor;
  built->model.interrupt = before.model().interrupt;
  for (ElementEvent e : before.events.all()) {
    e.element = twin(e.element, *before.built, *built);
    events.add(e);
  }
  show();
  State modes = state;
  startModes(model(), std::span<const Element* const>(elements.data(), elements.size() - 1), modes);
  const Element& own = *built->cables[at(cable)];
  std::copy_n(modes.mode.begin() + own.slot, own.layout().slots, state.mode.begin() + own.slot);
  restart();
  state.pOld = state.p;
}

void World::Parts::keepViewsOf(Parts& before) {
  left = std::move(before.left);
  const auto keep = [&](std::vector<double>& was, std::vector<double>& is) {
    if (was.capacity() == 0) return;
    if (was.capacity() >= is.size()) {
      was.assign(is.begin(), is.end());
      is.swap(was);
    } else {
      left.push_back(std::move(was));
    }
  };
  keep(before.state.q, state.q);
  keep(before.state.v, state.v);
  for (std::size_t i = 0; i < arrays.size(); ++i) keep(before.arrays[i], arrays[i]);
  lookAround();
}

std::expected<Converted, Problem> World::convert(CableHandle handle, CableModel word) {
  if (auto ok = knows(handle, "cable", parts_->built->cables.size()); !ok) return std::unexpected(ok.error());
  Parts& p = *parts_;
  Converted out;
  out.before = p.energyNow();
  const std::string path = "/cables/" + description().cables[at(handle.index)].first;
  auto settings = p.settingsFor(handle.index, word);
  if (!settings) return std::unexpected(settings.error());
  const State& s = p.state;
  RelaidCable relaid{handle.index, *settings, s.time, {}, {}};
  relaid.q.assign(s.q.begin(), s.q.begin() + static_cast<std::ptrdiff_t>(p.built->namedPositions));
  relaid.v.assign(s.v.begin(), s.v.begin() + static_cast<std::ptrdiff_t>(p.built->namedVelocities));
  const Description& declared = (p.first ? p.first : p.built)->model.description;
  std::expected<std::unique_ptr<Built>, Problem> built;
  constexpr int mostFields = 64;
  for (int round = 0; round < mostFields; ++round) {
    std::vector<RelaidCable> laid = p.built->laid;
    std::erase_if(laid, [&](const RelaidCable& l) { return l.cable == handle.index; });
    laid.push_back(relaid);
    built = reeve::build(declared, p.built->extensions, std::move(laid));
    if (built) break;
    Problem problem = built.error();
    if (!adapt(relaid.settings, path, declared, problem)) return std::unexpected(problem);
    out.notes.push_back(std::move(problem));
  }
  if (!built) return std::unexpected(built.error());
  auto parts = std::make_unique<Parts>(std::shared_ptr<Built>(std::move(*built)));
  parts->goOnFrom(p, handle.index);
  if (!parts->passes())
    return wrong(path, "its state would not be one of numbers: " + parts->verdict.reason, "convert it at another time");
  parts->conversions = p.conversions;
  parts->conversions.push_back({handle.index, word, s});
  out.after = parts->energyNow();
  parts->state.accounts.done[static_cast<std::size_t>(Work::applied)] += out.after - out.before;
  parts->good = parts->state;
  parts->keepViewsOf(p);
  parts_ = std::move(parts);
  return out;
}

/// Makes the conversions of a saved state, from the start of the scene on.
Done World::replay(std::span<const Conversion> conversions) {
  const auto same = [](const Conversion& a, const Conversion& b) {
    return a.cable == b.cable && a.model == b.model && sameBits(a.before, b.before);
  };
  if (std::ranges::equal(conversions, parts_->conversions, same)) return {};
  World other = clone();
  other.reset();
  for (const Conversion& c : conversions) {
    if (auto ok = other.setState(c.before); !ok) return ok;
    if (at(c.cable) >= description().cables.size())
      return wrong("", "the saved state converts a cable that is not in this scene", "restore it into its own scene");
    const auto cable = other.cable(description().cables[at(c.cable)].first);
    if (auto done = other.convert(*cable, c.model); !done) return std::unexpected(done.error());
  }
  other.runWith(parts_->model().executor);
  other.interruptBy(parts_->model().interrupt);
  other.parts_->keepViewsOf(*parts_);
  parts_ = std::move(other.parts_);
  return {};
}

}  // namespace reeve
