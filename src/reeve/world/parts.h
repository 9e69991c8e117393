#pragma once
// The insides of a World: model, state and workspace.
#include "reeve/elements/pushes.h"
#include "reeve/solvers/blocks.h"
#include "reeve/solvers/direct.h"
#include "reeve/solvers/sweep.h"
#include "reeve/world/build.h"
#include "reeve/world/scene_events.h"
#include "reeve/world/state_text.h"
#include "reeve/world/world.h"

#include <array>

namespace reeve {

/// Elements that take no part in a step until it is done: thousands of wheels in plain bearings are asked once, not
/// a dozen times.
class PassiveElements : public Element {
 public:
  std::vector<const Element*> all;
  void finish(const Instant& now, State& state, Events& events) const override {
    for (const Element* e : all) e->finish(now, state, events);
  }
};

/// Whether a step may not end with more energy than it began with (keep_energy.cpp): what is looked at.
enum class EnergyWatch { never, oddSteps, always };
/// Whether nothing that the description has can give energy.
bool nothingGives(const Description& scene);

struct World::Parts : Gauge {
  std::shared_ptr<Built> built;  ///< shared with clones
  std::shared_ptr<Built> first;  ///< as it was before any cable was converted; null: none was
  std::vector<Conversion> conversions;
  State state;
  State good;    ///< the last state that passed inspection
  State undone;  ///< where a step began that may be interrupted, or made again
  Verdict verdict;
  StepReport report;
  std::int64_t unconverged = 0;
  Contacts contacts;
  PassiveElements passive;
  Pushes pushes;
  std::vector<const Element*> elements;  ///< the model's, those that are passive as one, and the contacts
  std::vector<const Element*> pushed;    ///< pushes, and all of those
  DirectSolver direct;
  SweepSolver sweep;
  BlocksSolver blocks;
  Solver* solver = nullptr;
  std::vector<Observable> gauges;
  std::vector<ResolvedEvent> resolvedEvents;  ///< of the scene, in its order
  std::vector<int> firing;                    ///< scratch: those of this step
  std::vector<std::string> refusals;          ///< why actions of events could not be done, one for each such event
  Events events;
  Topology topology;  ///< as it was last applied
  std::vector<double> orderBefore;
  Instant now;                              ///< at `state`
  mutable std::vector<LinkView> linkViews;  ///< scratch
  mutable std::vector<SpanView> spanViews;
  bool converged = true;      ///< all of the step that is being made
  bool closed = false;        ///< nothing in the scene can give energy
  bool fresh = true;          ///< no step has led to this state: its forces are not known yet
  std::uint64_t version = 1;  ///< of what can be measured: counts states and commands
  mutable std::array<std::vector<double>, readingCount> arrays;
  mutable std::array<std::uint64_t, readingCount> arraysOf{};  ///< version that they show
  std::vector<std::vector<double>> left;                       ///< arrays that a program may still look at
  mutable std::vector<std::size_t> chainSpans;
  mutable State seen;  ///< the same state with the forces that act
  mutable std::uint64_t seenOf = 0;
  mutable std::unique_ptr<DirectSolver> forward;

  /// What is shown of the state: itself, or with the forces that act if no step has found them.
  const State& shown() const;
  template <class Value>
  void spanArray(const Instant& there, Value&& value, std::vector<double>& out) const;
  std::size_t spanCount(std::size_t cable) const;
  double lengthRate(int cable, int span) const;
  void fillRates(std::vector<double>& out) const;
  std::vector<double> momentArms(const Cable& cable, bool& any) const;
  /// Velocities of everything per unit of a joint's rate, by State::v index.
  std::vector<double> motionOf(const Joint& joint) const;

  const Model& model() const { return built->model; }
  std::expected<CableSettings, Problem> settingsFor(int cable, CableModel word) const;
  void goOnFrom(Parts& before, int cable);
  /// These parts come in the place of others: what programs look at stays where it is, or at least in memory.
  void keepViewsOf(Parts& before);
  /// Elements that act now: without pushes, and without contacts where there are none.
  std::span<const Element* const> acting() const {
    return {elements.data(), elements.size() - (contacts.contacts().empty() ? 1 : 0)};
  }
  double read(int gauge) const override;
  double measure(const Observable& o) const;
  double measureCable(const Observable& o) const;  ///< from linkViews and spanViews, which are of this cable
  /// Everything but the state, for a model.
  explicit Parts(std::shared_ptr<Built> model);
  /// The same model in another state.
  Parts(const Parts& other);
  Parts& operator=(const Parts&) = delete;
  ~Parts() override;
  void takeOver();      ///< after the state has become another one
  void openAccounts();  ///< of energy, from here on
  /// What programs and events change beside the steps is work of theirs: what there is after it less what there was.
  class Change {
   public:
    explicit Change(Parts& parts) : parts_(parts), before_(parts.energyNow()) {}
    ~Change() { parts_.state.accounts.done[static_cast<std::size_t>(Work::applied)] += parts_.energyNow() - before_; }
    Change(const Change&) = delete;
    Change& operator=(const Change&) = delete;

   private:
    Parts& parts_;
    double before_;
  };
  double energyNow();  ///< J, of all kinds together
  void restart();      ///< constraints, masses or forces have changed: velocities stay, their history is over
  /// Makes the blocks show this world's state, where a clone's may have been shown before.
  void use() {
    if (built->user != this) show();
  }
  void show();
  Done moveTo(const Edit& edit, Instant& there, std::span<double> v) const;
  Done take(Instant& there, State& next);
  std::string rowName(int slot) const;
  std::string blockName(int block) const;
  bool searchRest(Rest& rest, struct RestSearch& search);
  struct Curvature curvatureAtRest();
  Done nudge(std::span<const double> along, double most);
  void drop(const Element& element, int slots);
  double violation(const Joint& joint) const;
  std::expected<Parameter, Problem> blockParameter(std::string_view path, std::string_view section, int item,
                                                   std::string_view field) const;
  /// Solvers that have learnt nothing yet.
  void makeSolvers();
  void begin(double h);
  bool advance(double h, int count);
  EnergyWatch energyWatch() const;
  /// After a step that began at `undone` with so much energy: keep_energy.cpp. False if it was interrupted.
  bool keepEnergy(EnergyWatch watch, double had, std::size_t eventsBefore);
  void inspect();
  bool passes();                        ///< no element holds a number that is none; otherwise the verdict names it
  bool setMasses();                     ///< whether any changed
  bool fits(const State& other) const;  ///< a state of this scene, as far as can be told
  void applyTopology();                 ///< writes what the state says about blocks into the model
  void lookAround();                    ///< places `now` at the state
};

}  // namespace reeve
