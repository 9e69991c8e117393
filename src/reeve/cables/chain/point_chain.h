#pragma once
// The particle chain of section III of Servin and Lacoursière 2008, model (e): a chain whose route names every point.
//
// The points (particles, or places on bodies) have their own mass; the chain adds, with d_i = x_(i+1) − x_i:
//   links    C = |d_i| − d                                   compliance as given, or d/EA
//   bends    C = f (e_k·(û×v̂)), k = 1, 2                     û, v̂ along d_(i−1) and d_i, f = θ/sin θ, compliance d/EI
// The bend has two components instead of the paper's angle (eq. 14), whose direction is undefined when straight; e₁ and
// e₂ are kept across û from step to step, and stay as they are within a step. The other models need no rows of their
// own: (a) leaves bending out; (b) and (d) add a cable of joints through pinholes (one tension over the whole length);
// (c) a distance joint from the first point to the last. A closed one joins its last point to its first.
#include "reeve/cables/cable.h"
#include "reeve/model/full_stiffness.h"
#include "reeve/model/typed_memory.h"

namespace reeve {

/// The directions across a chain at a bend, world frame.
struct BendMemory {
  Triple e[2];
};

class PointChain : public Cable, public WritesFullStiffness {
 public:
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);
  /// Settings it cannot follow; chain_check.cpp.
  static std::expected<void, Problem> check(const CableSettings& settings, const std::string& path);

  CableTraits traits() const override { return {.word = "chain", .spansAreSegments = true}; }
  ElementLayout layout() const override {
    return {.slots = links() + 2 * bends(), .memory = numbersIn<BendMemory> * bends()};
  }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void rows(const Instant& now, RowSet& out) const override;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override;
  bool fullStiffness(const Instant& now, std::span<const double> force, FullStiffness& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  Energy energy(const Instant& now, std::span<const double> force) const override {
    return {.elastic = elasticEnergy(now, force)};
  }
  double elasticEnergy(const Instant& now, std::span<const double> force) const;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override;
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points,
            std::vector<double>& tensions) const override;

 private:
  template <class Kept>
  auto& bendMemory(Kept& state, int bend) const {
    return overlay<BendMemory>(state.memory, memory + numbersIn<BendMemory> * bend);
  }
  // A closed one goes on from the last point to the first; places are counted round.
  int count() const { return static_cast<int>(points_.size()); }
  int links() const { return settings_.closed ? count() : count() - 1; }
  int bends() const { return !bending_ ? 0 : settings_.closed ? count() : count() - 2; }
  const Anchor& point(int i) const { return points_[static_cast<std::size_t>(i % count())]; }
  double rest(int i) const { return rest_[static_cast<std::size_t>(i % links())]; }
  double compliance(int i) const;
  double bendCompliance(int i) const { return 0.5 * (rest(i) + rest(i + 1)) / settings_.material.bending; }
  void bendAt(const Instant& now, int i, const BendMemory& frame, double (&bend)[2]) const;
  void frameAcross(const Instant& now, int bend, BendMemory& frame) const;

  CableSettings settings_;
  std::vector<LinkMount> mounts_;
  std::vector<Anchor> points_;
  std::vector<double> rest_;
  bool bending_ = false;
};

}  // namespace reeve
