#pragma once
// Where everything is, and how fast, at one instant: what elements are evaluated on.
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "reeve/model/model.h"
#include "reeve/model/moving.h"
#include "reeve/model/row.h"
#include "reeve/model/state.h"

namespace reeve {

/// What an element works out once at an instant and needs several times (rows, mass, forces). It belongs to the
/// instant, is never copied with it, and may be thrown away.
class Notebook {
 public:
  struct Page {
    virtual ~Page() = default;
    std::uint64_t written = 0;  ///< version of the instant it holds for; 0: none
  };
  Notebook() = default;
  Notebook(const Notebook&) {}
  Notebook& operator=(const Notebook&) { return *this; }
  /// The page of an element, made on first use.
  template <class T>
  T& page(int element) {
    const auto i = static_cast<std::size_t>(element);
    if (pages_.size() <= i) pages_.resize(i + 1);
    if (!pages_[i]) pages_[i] = std::make_unique<T>();
    return static_cast<T&>(*pages_[i]);
  }
  void clear() { pages_.clear(); }

 private:
  std::vector<std::unique_ptr<Page>> pages_;
};

/// What an element works out at an instant, once: rows, stiffness, forces, mass, finish and views read it. Its own
/// struct derives from this one. It keeps what it held from one evaluation to the next, so that nothing is allocated
/// twice.
struct ElementCache {
  virtual ~ElementCache() = default;
};

/// The caches of one instant, by element. A copy begins without any.
class ElementCaches {
 public:
  ElementCaches() = default;
  ElementCaches(const ElementCaches&) {}
  ElementCaches& operator=(const ElementCaches&) {
    version_ = 0;
    return *this;
  }
  void clear();
  void evaluate(const class Instant& now);
  std::uint64_t version() const { return version_; }
  const ElementCache& of(int element) const { return *caches_[static_cast<std::size_t>(element)]; }

 private:
  std::uint64_t version_ = 0;                          ///< of the instant they hold for; 0: none
  std::size_t known_ = 0;                              ///< elements that have been asked for theirs
  std::vector<std::unique_ptr<ElementCache>> caches_;  ///< by element; null: it has none
  std::vector<int> cached_;                            ///< elements that have one
};

/// Positions, velocities and cached rotations of all blocks. During an implicit step this is the trial end of the step;
/// `past` is the state it started from, `h` the step and `u` the increments so far.
class Instant {
 public:
  void bind(const Model& model, const State& past);
  /// Takes positions, velocities and time from the bound state (u = 0).
  void rewind();
  /// q = past.q moved by u, prescribed blocks where they are at `time`; rotations cached.
  void place(double time, double h);
  /// Prescribed blocks at `time`, with their velocities.
  void prescribe(double time);
  void cacheRotations();
  /// To be called after q, v or u were written from outside: what elements have worked out no longer holds.
  void touch() { ++version_; }
  std::uint64_t version() const { return version_; }
  /// Counts bind(): what elements have worked out of the past state alone holds for one.
  std::uint64_t binding() const { return binding_; }
  Notebook& notebook() const { return notebook_; }
  /// Lets every element that has a cache work out what it needs at this instant. To be called once positions,
  /// velocities, multipliers and the scheme of the step are set, and again after touch(); again without it does
  /// nothing.
  void evaluate() {
    if (caches_.version() != version_) caches_.evaluate(*this);
  }
  /// What the element has worked out here. The instant must have been evaluated as it is now.
  template <class T>
  const T& cache(const Element& element) const {
    return static_cast<const T&>(cacheOf(element));
  }

  const Model& model() const { return *model_; }
  /// Of the blocks as they were when it was bound.
  const Moving& moving() const { return moving_; }
  const State& past() const { return *past_; }
  double memory(int index) const { return past_->memory[static_cast<std::size_t>(index)]; }

  Vec3 position(int block) const { return Vec3(q[at(block)], q[at(block) + 1], q[at(block) + 2]); }
  Quat orientation(int block) const {
    const std::size_t i = at(block) + 3;
    return Quat(q[i], q[i + 1], q[i + 2], q[i + 3]);
  }
  const Mat3& rotation(int block) const { return rotations_[static_cast<std::size_t>(block)]; }
  Pose pose(int block) const { return {position(block), orientation(block)}; }
  Vec3 velocity(int block) const { return Vec3(v[vt(block)], v[vt(block) + 1], v[vt(block) + 2]); }
  Vec3 angularVelocity(int block) const { return Vec3(v[vt(block) + 3], v[vt(block) + 4], v[vt(block) + 5]); }
  double scalar(int block) const { return q[at(block)]; }
  double rate(int block) const { return v[vt(block)]; }
  bool rotates(int block) const { return model_->blocks[static_cast<std::size_t>(block)].rotates; }

  /// The rotation vector of a rigid block in this step.
  Vec3 turned(int block) const {
    const Block& b = model_->blocks[static_cast<std::size_t>(block)];
    const std::size_t i = vt(block) + 3;
    return b.free ? Vec3(u[i], u[i + 1], u[i + 2]) : told_[static_cast<std::size_t>(block)];
  }
  /// A point fixed to a rigid block, or a particle.
  Vec3 arm(const Anchor& a) const { return rotates(a.block) ? Vec3(rotation(a.block) * a.local) : Vec3::Zero(); }
  Vec3 point(const Anchor& a) const { return position(a.block) + arm(a); }
  Vec3 pointVelocity(const Anchor& a) const {
    return rotates(a.block) ? Vec3(velocity(a.block) + angularVelocity(a.block).cross(arm(a))) : velocity(a.block);
  }

  /// A multiplier at this trial, where the solver has one; that of the past state otherwise.
  double multiplier(int slot) const {
    const std::size_t i = static_cast<std::size_t>(slot);
    return trial.empty() ? past_->force[i] : trial[i];
  }

  std::vector<double> q, v, u;
  double time = 0.0;
  double h = 0.0;
  // The difference the step is made with, for elements that carry coordinates of their own (waves on a cable):
  // velocity = stepRate · increment + history, increment = what history foretells + stepScale · acceleration.
  double stepRate = 0.0;                ///< 1/h or 3/2h; 0: no step is being made
  double stepScale = 0.0;               ///< h² or 4h²/9
  bool second = false;                  ///< second order
  std::span<const double> trial;        ///< multipliers by slot
  mutable std::vector<double> scratch;  ///< of elements, from rows() to finish(); zeros at first

 private:
  std::size_t at(int block) const {
    return static_cast<std::size_t>(model_->blocks[static_cast<std::size_t>(block)].q);
  }
  std::size_t vt(int block) const {
    return static_cast<std::size_t>(model_->blocks[static_cast<std::size_t>(block)].v);
  }
  const ElementCache& cacheOf(const Element& element) const;
  const Model* model_ = nullptr;
  const State* past_ = nullptr;
  Moving moving_;
  std::size_t gathered_ = 0;  ///< blocks that moving_ knows
  int layout_ = -1;           ///< and the layout it is of
  std::vector<Mat3> rotations_;
  std::uint64_t version_ = 1, binding_ = 0;
  mutable Notebook notebook_;
  ElementCaches caches_;
  std::vector<Vec3> told_;  ///< rad, by block: how far prescribed bodies have turned since the past state
};

/// Adds the displacement of a point along `direction` to the row being written.
void pushPoint(const Instant& now, const Anchor& anchor, const Vec3& direction, RowSet& out);
/// The change of the lever arm under a force held in the world frame: positive part of (F·r) I − sym(r Fᵀ).
void leverStiffness(const Instant& now, const Anchor& anchor, const Vec3& force, PatchSet& out);
/// Stiffness of two points of (possibly the same) blocks: kA and kB at either, kX between them.
void pairStiffness(const Instant& now, const Anchor& a, const Anchor& b, const Mat3& kA, const Mat3& kB, const Mat3& kX,
                   PatchSet& out);
/// Of what is between them: a symmetric 3×3 stiffness.
void pairStiffness(const Instant& now, const Anchor& a, const Anchor& b, const Mat3& k, PatchSet& out);
/// The point of a block that lies there now.
Anchor anchorAt(const Instant& now, int block, const Vec3& point);

/// Value and rate of a profile.
double profileValue(const Profile& profile, double time);
double profileRate(const Profile& profile, double time);

}  // namespace reeve
