#pragma once
// All particle cables of a scene, advanced together over each step of the world.
//
// When a step begins, the particles (which are no coordinates of the world's solver) are taken from where they are to
// the end of the step, in substeps, against stand-ins for the bodies (bundle.h). What the stand-ins were given in
// impulse is remembered and acts on the bodies as a force over the same step: linear momentum passes over exactly. A
// body that is held by nothing else goes exactly where its stand-in went (with an Euler step; the second-order scheme
// does so on average).
//
// A substep: predict bodies and particles → find contacts → iterate over distances, own constraints and contacts →
// follow the ways that came out → v = (u − shift)/h, x += u → tensions and reactions.
#include <memory>
#include <vector>

#include "reeve/cables/particles/line.h"
#include "reeve/cables/particles/particle_cable.h"
#include "reeve/cables/particles/touch.h"

namespace reeve {

class ParticleSystem : public Element {
 public:
  ParticleSystem(std::vector<const ParticleCable*> cables, const Model& model);
  ~ParticleSystem() override;

  ElementLayout layout() const override;
  void begin(const Instant& now, const StepContext& context, State& state) const override;
  void forces(const Instant& now, Forces& out) const override;
  /// Of the air and of damping, on free particles, and of contacts; projections are not booked.
  void work(const Instant& now, std::span<const double> force, Doings& out) const override;

 private:
  struct Work;
  void load(const Instant& now, const State& state) const;
  void store(State& state, double step) const;
  void attach(const State& state) const;
  void stand(const Instant& now, double step) const;
  void weigh(int body) const;
  void merge() const;
  void substep(const Vec3& gravity, double time, double h, Executor* executor) const;
  void solve(double h, Executor* executor) const;
  void settleForces(const Vec3& gravity, double h) const;
  bool sound(double bounds) const;
  double slides(const ParticleCable& cable, const State& state, int link, double step) const;
  void switchLinks(const Instant& now, State& state, double time, double step, Events& events) const;
  void plug(const Instant& now, State& state, Events& events) const;

  std::vector<const ParticleCable*> cables_;
  std::vector<int> first_;       ///< first particle of each cable
  std::vector<int> blocks_;      ///< of the stand-ins
  std::vector<int> freeBodies_;  ///< stand-ins that feel the cables
  int substeps_ = 1;
  std::unique_ptr<Work> work_;  ///< scratch: may be thrown away between steps
};

}  // namespace reeve
