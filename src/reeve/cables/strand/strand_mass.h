#pragma once
// Mass of a strand. In: what the kinematics say of an instant. Out: the page of that instant, and from it momentum,
// mass matrix, weight, forces that go with the velocities, and energy of motion and height.
#include "reeve/cables/strand/strand_kinematics.h"

namespace reeve {

class StrandMass : public StrandKinematics {
 public:
  /// Wheels, nodes and segments at an instant.
  void evaluate(const Instant& now, Page& page) const;
  void forces(const Instant& now, Forces& out) const;
  void momentum(const Instant& now, std::span<double> p) const;
  void mass(const Instant& now, PatchSet& out) const;

 protected:
  void lookAtAll(const Instant& now, Page& page) const;
  bool lookAtTackles(const Instant& now, Page& page) const;
  void layOnWheel(const Vec3& gravity, int st, Page& page) const;
  Tackle::End tackleEnd(const Vec3& gravity, const Page& page, int segment, int end) const;
  Tackle::Strand toTackles() const;
  template <class Kept>
  auto tackleMemory(Kept& state) const {
    return Tackle::MemoryOf<Kept>{overlays<WheelMemory>(state.memory, element_->memory, wheelCount()),
                                  overlays<double>(state.memory, element_->memory + restsFrom(), segmentCount())};
  }
  /// Mass and moments of what lies on a wheel between two spans, about its centre.
  void arcOf(const Wheel& w, const WheelNow& at, const SpanNow& in, const SpanNow& out, RimMass& arc) const;
  void loadRim(const Vec3& gravity, const Wheel& w, const WheelNow& at, const RimMass& arc, const SpanNow& in,
               const SpanNow& out, RimLoad& load) const;
  EndLoad endLoad(const Vec3& gravity, const SpanNow& s, int end) const;
  void coupleRim(const Instant& now, const Wheel& w, const WheelNow& at, const RimMass& sum, std::size_t hubs,
                 PatchSet& out) const;
  void coupleRims(const Instant& now, const Page& page, const Segment& g, const SpanNow& span, double w,
                  std::size_t hubs, PatchSet& out) const;
  /// A patch to add to: that of a body many wheels sit on is found again among the first few since `first`.
  static Patch& hubPatch(PatchSet& out, std::size_t first, int a, int b);
  template <class Visit>
  void everyLoad(const Model& model, const Page& page, bool tackled, Visit&& visit) const;
  template <class Visit>
  void everyRim(const Page& page, bool tackled, Visit&& visit) const;
  /// Material points along a chart segment or a wheel: calls visit(end, ρ ds).
  template <class Visit>
  void alongChart(const Instant& now, const Segment& g, Visit&& visit) const;
  bool lumped(const SpanNow& s) const { return settings_.lumped || s.parted; }
  void addDrag(const Instant& now, Forces& out) const;
  double kinetic(const Instant& now, const Page& page) const;
  double potential(const Instant& now, const Page& page) const;
};

}  // namespace reeve
