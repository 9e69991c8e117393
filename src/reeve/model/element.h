#pragma once
// An element: anything that writes rows or forces. Joints, motors, contacts and all cable models are elements.
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "reeve/model/instant.h"

namespace reeve {

/// Forces on blocks, by State::v index, with their (dissipative) derivatives with respect to velocity.
struct Forces {
  std::vector<double> force;  ///< N, N m
  PatchSet damping;           ///< −∂f/∂v, positive semi-definite
};

/// Something that happened, kept as indices until someone asks for words.
struct Notice {
  double time = 0.0;
  const class Element* element = nullptr;
  int link = -1;
  const char* what = "";
};

/// Reads a measured number for feedback drives; supplied by the world.
class Gauge {
 public:
  virtual ~Gauge() = default;
  virtual double read(int gauge) const = 0;
};

/// An element is const: what it remembers lives in State::memory[memory .. memory + memorySize()).
class Element {
 public:
  virtual ~Element() = default;

  std::string name;  ///< "joints.elbow"
  int index = 0;     ///< its place in the model
  int slot = 0;      ///< its first multiplier
  int memory = 0;    ///< its first remembered number
  int sheet = 0;     ///< its first of State::sheets
  int scratch = 0;   ///< its first number in Instant::scratch

  /// It takes no part in a step but for finish(): nobody need ask it for rows, forces or mass. Known when it is made.
  virtual bool quiet() const { return false; }
  virtual int slots() const { return 0; }
  virtual int scratchSize() const { return 0; }
  virtual int memorySize() const { return 0; }
  virtual int sheets() const { return 0; }
  /// Fills its memory from the start pose.
  virtual void start(const Instant& now, std::span<double> memory) const;
  /// Lays out its sheets as they are at the start.
  virtual void layOut(std::span<Sheet> sheets) const;
  /// Before a step, at the state it starts from: switch modes, sample controls. May write its memory.
  virtual void begin(const Instant& now, const Gauge& gauge, State& state, std::vector<Notice>& notices) const;
  /// Writes into the blocks what the state says about them: which spares are awake, and how much is wound on a drum.
  /// Returns whether anything changed. The world asks after begin() and whenever it takes over another state.
  virtual bool settle(const State& state, std::span<Block> blocks) const;
  /// Room for what it works out at an instant; null: it keeps nothing. Every instant has its own.
  virtual std::unique_ptr<ElementCache> makeCache() const;
  /// Works that out, once for each trial: rows() to finish() and what observes read it as now.cache<T>(*this). It is a
  /// function of the instant alone; of what the cache held before it may keep what a bound past state determines
  /// (Instant::binding).
  virtual void evaluate(const Instant& now, ElementCache& cache) const;
  /// Writes its rows at a trial instant.
  virtual void rows(const Instant& now, RowSet& out) const;
  /// Geometric stiffness under the multipliers `force` (indexed by slot): positive part only.
  virtual void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const;
  virtual void forces(const Instant& now, Forces& out) const;
  /// Elements that carry mass between blocks (strand segments) add their ∂T/∂v, their M, and put ∂T/∂q into forces().
  virtual void momentum(const Instant& now, std::span<double> p) const;
  virtual void mass(const Instant& now, PatchSet& out) const;
  /// Kinetic and gravitational energy of that mass, J.
  virtual double kinetic(const Instant& now) const;
  virtual double potential(const Instant& now) const;
  /// After a step, at the accepted instant: remember what flowed. `state` still holds the step's start in its memory.
  virtual void finish(const Instant& now, State& state, std::vector<Notice>& notices) const;
  /// Energy stored at this instant, J, given the multipliers.
  virtual double energy(const Instant& now, std::span<const double> force) const;
  /// What is wrong with what it moves by itself, or null: not finite, beyond the bounds (m and m/s).
  virtual const char* trouble(const State& state, double bounds) const;
  /// The name of one of its rows, for reports.
  virtual std::string rowName(int localSlot) const;
  /// What one of its coordinates is called, for people; empty if the block is not its own.
  virtual std::string blockName(int block) const;
};

}  // namespace reeve
