#include "reeve/world/scene_events.h"

#include <cmath>
#include <utility>

#include "reeve/world/parts.h"

namespace reeve {

namespace {

/// The words of "cables.main.spans.2".
std::vector<std::string_view> wordsIn(std::string_view path) {
  std::vector<std::string_view> words;
  for (std::size_t dot = 0; dot != std::string_view::npos;) {
    dot = path.find('.');
    words.push_back(path.substr(0, dot));
    if (dot != std::string_view::npos) path.remove_prefix(dot + 1);
  }
  return words;
}

std::unexpected<Problem> misses(const std::string& on, const char* wanted) {
  return wrong("", "'" + on + "' is nothing this can be done to", std::string("name ") + wanted);
}

/// Turns a found handle into a place in `to`.
template <class H>
Done take(const std::expected<H, Problem>& found, H& to) {
  if (!found) return std::unexpected(found.error());
  to = *found;
  return {};
}

Done resolveJoint(const World& world, const std::vector<std::string_view>& words, const std::string& on,
                  ResolvedAction& to) {
  if (words.size() != 2 || words[0] != "joints") return misses(on, "a joint, joints.NAME");
  return take(world.joint(words[1]), to.joint);
}

Done resolveEnd(const World& world, const std::vector<std::string_view>& words, const std::string& on,
                ResolvedAction& to) {
  const bool end = words.size() == 3 && (words[2] == "first" || words[2] == "last");
  if (!end || words[0] != "cables") return misses(on, "the end of a cable, cables.NAME.first or cables.NAME.last");
  to.last = words[2] == "last";
  return take(world.cable(words[1]), to.cable);
}

Done resolveSpan(const World& world, const std::vector<std::string_view>& words, const std::string& on,
                 ResolvedAction& to) {
  const bool whole = words.size() == 2, span = words.size() == 4 && words[2] == "spans";
  if ((!whole && !span) || words[0] != "cables") return misses(on, "a span of a cable, cables.NAME.spans.0");
  if (span) {
    for (const char c : words[3])
      to.span = c >= '0' && c <= '9' && to.span < 100000 ? to.span * 10 + (c - '0') : 1000000;
    if (words[3].empty() || to.span >= 1000000) return misses(on, "a span by its number, cables.NAME.spans.0");
  }
  return take(world.cable(words[1]), to.cable);
}

Done resolveBrake(const World& world, const std::vector<std::string_view>& words, const std::string& on,
                  ResolvedAction& to) {
  const Description& d = world.description();
  if (words.size() != 2 || (words[0] != "rotors" && words[0] != "joints"))
    return misses(on, "a rotor, a hinge or a slider with a brake");
  const auto none = [] { return wrong("", "it has no brake", "give it \"brake\", what it holds"); };
  if (words[0] == "rotors") {
    if (auto ok = take(world.rotor(words[1]), to.rotor); !ok) return ok;
    if (d.rotors[at(to.rotor.index)].second.brake == 0.0) return none();
    return {};
  }
  if (auto ok = take(world.joint(words[1]), to.joint); !ok) return ok;
  if (d.joints[at(to.joint.index)].second.brake == 0.0) return none();
  return {};
}

Done resolveSet(const World& world, const ActionSettings& action, ResolvedAction& to) {
  if (auto ok = take(world.parameter(action.on), to.parameter); !ok) return ok;
  if (action.to >= to.parameter.low && action.to <= to.parameter.high) return {};
  return wrong("", "the value is outside of what this number may be",
               "give one from " + std::to_string(to.parameter.low) + " to " + std::to_string(to.parameter.high));
}

Done resolve(const World& world, const ActionSettings& action, ResolvedAction& to) {
  const auto words = wordsIn(action.on);
  switch (action.type) {
    case ActionType::release:
      return words[0] == "cables" ? resolveEnd(world, words, action.on, to) : resolveJoint(world, words, action.on, to);
    case ActionType::hold:
    case ActionType::hook:
      return resolveJoint(world, words, action.on, to);
    case ActionType::cut:
      return resolveSpan(world, words, action.on, to);
    case ActionType::brake:
    case ActionType::unbrake:
      return resolveBrake(world, words, action.on, to);
    case ActionType::drive:
    case ActionType::resume:
      if (words.size() != 2 || words[0] != "motors") return misses(action.on, "a motor, motors.NAME");
      return take(world.motor(words[1]), to.motor);
    case ActionType::set:
      return resolveSet(world, action, to);
    case ActionType::reel:
      return resolveEnd(world, words, action.on, to);
    case ActionType::convert:
      if (words.size() != 2 || words[0] != "cables") return misses(action.on, "a cable, cables.NAME");
      return take(world.cable(words[1]), to.cable);
  }
  return {};
}

Done act(World& world, const ActionSettings& action, const ResolvedAction& what) {
  const CableEnd end = what.last ? CableEnd::last : CableEnd::first;
  switch (action.type) {
    case ActionType::release:
      return what.joint.index >= 0 ? world.release(what.joint) : world.release(what.cable, end);
    case ActionType::hold:
      return world.hold(what.joint);
    case ActionType::hook:
      return world.hook(what.joint);
    case ActionType::cut:
      return world.cut(what.cable, what.span);
    case ActionType::brake:
    case ActionType::unbrake: {
      const bool held = action.type == ActionType::brake;
      return what.joint.index >= 0 ? world.brake(what.joint, held) : world.brake(what.rotor, held);
    }
    case ActionType::drive:
      return world.command(what.motor, MotorCommand{.target = action.to, .limit = action.limit});
    case ActionType::resume:
      return world.release(what.motor);
    case ActionType::set:
      return action.limit ? Done{} : world.set(what.parameter, action.to);  // in time: changeInTime()
    case ActionType::reel:
      return world.reel(what.cable, end, action.to);
    case ActionType::convert: {
      const auto done = world.convert(what.cable, action.model);
      return done ? Done{} : std::unexpected(done.error());
    }
  }
  return {};
}

}  // namespace

void EventLog::start(const Instant&, std::span<double> remembered, std::span<Sheet>) const {
  for (int i = 0; i < count_; ++i) overlay<EventMemory>(remembered, i * numbersIn<EventMemory>) = {};
}

const char* EventLog::inspect(const State& state, const Inspection& how) const {
  if (!how.outside) return nullptr;
  for (int i = 0; i < count_; ++i) {
    const double* numbers = state.memory.data() + memory + i * numbersIn<EventMemory>;
    const double count = numbers[0], held = numbers[2];
    if (!(count >= 0.0 && count < 1e9) || count != std::floor(count) || !(numbers[1] < unbounded) ||
        (held != 0.0 && held != 1.0))
      return "remembers events that cannot be";
  }
  return nullptr;
}

std::expected<std::vector<ResolvedEvent>, Problem> resolveEvents(const World& world) {
  const auto& events = world.description().events;
  std::vector<ResolvedEvent> out(events.size());
  for (std::size_t i = 0; i < events.size(); ++i) {
    const EventSettings& e = events[i];
    const std::string path = "/events/" + std::to_string(i);
    const auto place = [&](Problem problem, const std::string& where) {
      problem.path = path + where;
      return std::unexpected(std::move(problem));
    };
    if (!e.when.empty()) {
      const auto found = world.resolve(e.when);
      if (!found) return place(found.error(), "/when");
      out[i].when = *found;
    }
    for (std::size_t k = 0; !e.after.empty() && k < events.size(); ++k)
      if (events[k].name == e.after) out[i].after = static_cast<int>(k);
    if (!e.after.empty() && out[i].after < 0)
      return place(Problem{"", "there is no event named '" + e.after + "'", "correct the name"}, "/after");
    out[i].actions.resize(e.actions.size());
    for (std::size_t k = 0; k < e.actions.size(); ++k)
      if (auto ok = resolve(world, e.actions[k], out[i].actions[k]); !ok)
        return place(ok.error(), "/do/" + std::to_string(k) + "/on");
  }
  return out;
}

namespace {

/// Whether another event that happened later sets the same number. (Parts is World's own: hence templates.)
template <class Parts>
bool overtaken(const Parts& p, const EventLog& log, std::size_t event, std::int64_t key) {
  const auto& events = p.model().description.events;
  const EventMemory& mine = log.of(p.state, static_cast<int>(event));
  for (std::size_t i = 0; i < events.size(); ++i) {
    const EventMemory& other = log.of(p.state, static_cast<int>(i));
    if (i == event || !(other.count > 0)) continue;
    if (other.time < mine.time || (other.time == mine.time && i < event)) continue;
    for (std::size_t k = 0; k < events[i].actions.size(); ++k)
      if (events[i].actions[k].type == ActionType::set && p.resolvedEvents[i].actions[k].parameter.key == key)
        return true;
  }
  return false;
}

/// Numbers that events let change at a rate: a step's worth of it. Where they are is in the state as what they are now.
template <class Parts>
void changeInTime(World& world, const Parts& p) {
  const auto& events = p.model().description.events;
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (!(p.built->eventLog->of(p.state, static_cast<int>(i)).count > 0)) continue;
    for (std::size_t k = 0; k < events[i].actions.size(); ++k) {
      const ActionSettings& a = events[i].actions[k];
      if (a.type != ActionType::set || !a.limit) continue;
      const ParameterHandle& number = p.resolvedEvents[i].actions[k].parameter;
      const double now = world.get(number), most = *a.limit * p.model().description.settings.dt;
      if (now == a.to || overtaken(p, *p.built->eventLog, i, number.key)) continue;
      (void)world.set(number, std::fabs(a.to - now) <= most ? a.to : now + (a.to > now ? most : -most));
    }
  }
}

}  // namespace

/// Conditions are judged by the state as the step finds it, before any event of the step has acted.
void World::fireEvents() {
  Parts& p = *parts_;
  const auto& events = p.model().description.events;
  const EventLog& log = *p.built->eventLog;
  // What acts is known from the state alone, whatever a program has done since the last step.
  const bool fresh = std::exchange(p.fresh, p.fresh && p.state.steps == 0);
  p.now.evaluate();
  const double now = p.state.time, rounding = 1e-9 * p.model().description.settings.dt;
  p.firing.clear();
  for (std::size_t i = 0; i < events.size(); ++i) {
    const EventSettings& e = events[i];
    EventMemory& m = log.of(p.state, static_cast<int>(i));
    if (m.count > 0 && e.once) continue;
    const int after = p.resolvedEvents[i].after;
    const EventMemory* before = after >= 0 ? &log.of(p.state, after) : nullptr;
    const bool armed =
        now >= e.at - rounding && (!before || (before->count > 0 && now >= before->time + e.delay - rounding));
    bool holds = armed;
    if (armed && !e.when.empty()) {
      const double value = p.measure(p.resolvedEvents[i].when);
      holds = (!e.above || value > *e.above) && (!e.below || value < *e.below) && value == value;
    }
    if (holds && !m.held) {
      p.firing.push_back(static_cast<int>(i));
      m.count = m.count + 1;
      m.time = now;
    }
    m.held = holds;
  }
  p.fresh = fresh;
  // A conversion leaves other parts behind: what is used here is of those there are now.
  const std::vector<int> firing = p.firing;
  for (const int i : firing) {
    parts_->events.add({now, parts_->built->eventLog, i, EventKind::happens});
    const std::vector<ActionSettings> actions = description().events[at(i)].actions;
    for (std::size_t k = 0; k < actions.size(); ++k) {
      const ResolvedAction what = parts_->resolvedEvents[at(i)].actions[k];
      if (auto done = act(*this, actions[k], what); !done) {
        parts_->refusals.push_back(actions[k].on + ": " + done.error().reason);
        parts_->events.add({now, parts_->built->eventLog, i, EventKind::fails});
      }
    }
  }
  changeInTime(*this, *parts_);  // those there are now
}

std::string eventName(const Description& d, int event) {
  const std::string& name = d.events[at(event)].name;
  return "events." + (name.empty() ? std::to_string(event) : name);
}

std::string eventWords(const EventSettings& event) {
  static constexpr std::string_view verbs[] = {
      "releases", "holds", "hooks on", "cuts",    "closes the brake of", "opens the brake of", "drives",
      "resumes",  "sets",  "reels",    "converts"};
  std::string text;
  for (const ActionSettings& a : event.actions) {
    text += (text.empty() ? "" : ", ") + std::string(verbs[static_cast<std::size_t>(a.type)]) + " " + a.on;
  }
  return text;
}

}  // namespace reeve
