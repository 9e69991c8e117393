#pragma once
// An element: anything that writes rows or forces. Joints, motors, contacts and all cable models are elements.
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reeve/model/event.h"
#include "reeve/model/instant.h"

namespace reeve {

/// Forces on blocks, by State::v index, with their (dissipative) derivatives with respect to velocity.
struct Forces {
  std::vector<double> force;  ///< N, N m
  PatchSet damping;           ///< −∂f/∂v, positive semi-definite
};

/// Reads a measured number for feedback drives; supplied by the world.
class Gauge {
 public:
  virtual ~Gauge() = default;
  virtual double read(int gauge) const = 0;
};

/// A step that is about to be made.
struct StepContext {
  double h = 0.0;  ///< s, of this substep
  const Gauge& gauge;
  Events& events;
};

/// Kinetic, potential (in gravity) and elastic energy, J.
struct Energy {
  double kinetic = 0.0, potential = 0.0, elastic = 0.0;
};

/// What a state says about the blocks of elements: which of their spares are awake, and how much is wound on a drum.
struct Topology {
  struct Awake {
    int block = 0;
    bool awake = true;
  };
  struct Wound {
    int block = 0;
    double inertia = 0.0;  ///< kg m²
  };
  std::vector<Awake> awake;
  std::vector<Wound> wound;
  std::vector<double> order;  ///< whatever else a pattern depends on: the order in which links follow each other
  void clear() {
    awake.clear();
    wound.clear();
    order.clear();
  }
};

/// Writes it into the blocks. True if one fell asleep, woke, or has another inertia now.
bool applyTopology(const Topology& topology, std::span<Block> blocks);

/// Mass between blocks (strand segments, cable along a span): what an element with such mass has besides. It puts ∂T/∂q
/// into Element::forces.
class ElementMass {
 public:
  virtual ~ElementMass() = default;
  /// Adds ∂T/∂v, by State::v index; nothing for a cable that keeps its own momentum.
  virtual void momentum(const Instant& now, std::span<double> p) const;
  virtual void mass(const Instant& now, PatchSet& out) const = 0;
};

/// How much room an element needs, and what else it has. Asked for when the model is built.
struct ElementLayout {
  int slots = 0;         ///< multipliers
  int memory = 0;        ///< numbers it remembers in State::memory
  int sheets = 0;        ///< of State::sheets
  bool passive = false;  ///< it takes no part in a step but for finish(): nobody asks it for rows, forces or mass
  int scratch = 0;       ///< numbers in Instant::scratch
  const ElementMass* mass = nullptr;
  /// Room for what it works out at an instant; null: it keeps nothing. Every instant has its own.
  std::unique_ptr<ElementCache> (*makeCache)() = nullptr;
  bool readsCacheInBegin = true;  ///< begin() reads it; false saves an evaluation in every step
};

/// For ElementLayout::makeCache.
template <class T>
std::unique_ptr<ElementCache> makeCacheOf() {
  return std::make_unique<T>();
}

/// What of an element has a name.
enum class ElementPart : std::uint8_t { row, block };

/// An element is const: what it remembers lives in State::memory, from `memory` on.
/// What Element::inspect looks at.
struct Inspection {
  double bounds = unbounded;  ///< m and m/s: what it moves by itself is finite and within them
  bool outside = false;       ///< instead: indices, counts and modes of a state from outside, before anything reads it
};

class Element {
 public:
  virtual ~Element() = default;

  std::string name;  ///< "joints.elbow"
  int index = 0;     ///< its place in the model
  int slot = 0;      ///< its first multiplier
  int memory = 0;    ///< its first remembered number
  int sheet = 0;     ///< its first of State::sheets
  int scratch = 0;   ///< its first number in Instant::scratch

  virtual ElementLayout layout() const;
  /// Fills its memory and its sheets from the start pose.
  virtual void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const;
  /// Before a step, at the state it starts from: switch modes, sample controls. May write its memory.
  virtual void begin(const Instant& now, const StepContext& context, State& state) const;
  /// Adds what the state says about its blocks. The world asks after begin() and whenever it takes over another state.
  virtual void topology(const State& state, Topology& out) const;
  /// Works out, once for each trial, what rows() to finish() and observers read as now.cache<T>(*this). It is a
  /// function of the instant alone; of what the cache held before it may keep what a bound past state determines
  /// (Instant::binding).
  virtual void evaluate(const Instant& now, ElementCache& cache) const;
  /// Writes its rows at a trial instant.
  virtual void rows(const Instant& now, RowSet& out) const;
  /// Geometric stiffness under the multipliers `force` (indexed by slot): positive part only.
  virtual void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const;
  virtual void forces(const Instant& now, Forces& out) const;
  /// After a step, at the accepted instant: remember what flowed. `state` still holds the step's start in its memory.
  virtual void finish(const Instant& now, State& state, Events& events) const;
  /// At the end of a step, before finish(): what its forces do, and what of rows it knows better (Row::work).
  virtual void work(const Instant& now, std::span<const double> force, Doings& out) const;
  /// What is stored at this instant, given the multipliers, and of mass between blocks what it has.
  virtual Energy energy(const Instant& now, std::span<const double> force) const;
  /// What is wrong with what it keeps in a state, or null.
  virtual const char* inspect(const State& state, const Inspection& how) const;
  /// The name of one of its rows (by its own slots), or what one of its coordinates is called (by block; empty if it is
  /// not its own).
  virtual std::string nameOf(ElementPart part, int index) const;
};

}  // namespace reeve
