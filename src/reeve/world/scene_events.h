#pragma once
// What a scene does by itself, at a time or on a condition: control calls (world/control.h) that the world makes at the
// beginning of a step. Whether an event has happened is element memory, so that it is saved, hashed and restored.
#include "reeve/model/element.h"
#include "reeve/model/typed_memory.h"
#include "reeve/world/control.h"
#include "reeve/world/world.h"

namespace reeve {

struct EventMemory {
  Whole count;        ///< how often it has happened
  double time = 0.0;  ///< s, when it last did
  Flag held;          ///< its condition held at the last step
};

/// The memory of all events of a scene; it takes no part in a step.
class EventLog : public Element {
 public:
  explicit EventLog(int count) : count_(count) {}
  ElementLayout layout() const override { return {.memory = count_ * numbersIn<EventMemory>, .passive = true}; }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  const char* inspect(const State& state, const Inspection& how) const override;
  EventMemory& of(State& state, int event) const {
    return overlay<EventMemory>(state.memory, memory + event * numbersIn<EventMemory>);
  }
  const EventMemory& of(const State& state, int event) const {
    return overlay<EventMemory>(state.memory, memory + event * numbersIn<EventMemory>);
  }

 private:
  int count_;
};

/// An action with its names resolved.
struct ResolvedAction {
  JointHandle joint;
  RotorHandle rotor;
  MotorHandle motor;
  CableHandle cable;
  ParameterHandle parameter;
  bool last = false;  ///< end of the cable
  int span = 0;
};

struct ResolvedEvent {
  Observable when;
  int after = -1;  ///< place of the event that must have happened
  std::vector<ResolvedAction> actions;
};

/// Resolves the events of a world's scene, or says what is wrong with them.
std::expected<std::vector<ResolvedEvent>, Problem> resolveEvents(const World& world);

/// "events.brake", or by number where it has no name; and what it does, for people.
std::string eventName(const Description& description, int event);
std::string eventWords(const EventSettings& event);

}  // namespace reeve
