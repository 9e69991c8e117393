#pragma once
// Strands (Sueda, Jones, Levin, Pai: Large-Scale Dynamic Simulation of Highly Constrained Strands, 2011).
//
// A strand is a row of *stations*: nodes, which have just the freedom their constraint leaves, and wheels. Mass and
// energy are in the segments between them. A node is Lagrangian (its material coordinate s is fixed) or Eulerian (s is
// a coordinate: material flows through it); its place is free, on a chart (any parametric curve or surface) of a body
// or of another node, rigid on a body, the place of a node of another strand, or on the line between two nodes.
//
// Velocity of the material in a segment. With x' = Δx/Δs,
//     ẋ(α) = (1−α) m₀ + α m₁,     mᵢ = ẋᵢ − x' ṡᵢ,                                                           (eq. 4)
// and on a shared chart the same in the parameters. Both are linear in the velocities: mᵢ = Aᵢ v. So are wheels: where
// a strand leaves a wheel in its plane its material moves with the rim, m = A v is the rim's velocity at the tangent
// point (plus slip along the tangent), and neither the tangent point's own motion nor a coordinate s is needed. Where
// it leaves at an angle to that plane it has a corner there: strand_skew.cpp.
//
// Equations of motion, in momentum form (model/kinetics.h). With J(α) = (1−α) A₀ + α A₁ and D/Dt at a fixed material
// point, α̇ = −((1−α) ṡ₀ + α ṡ₁)/Δs,
//     p = ∫ρ Jᵀẋ ds,      ṗ = ∫ρ (Jᵀg + (DJ/Dt)ᵀẋ) ds + Σ ½ρ (|m₋|² − |m₊|²) Sᵀ + rows.
// The sum is over corners: material passes them by ṡ = S v and goes over from m₊ to m₋ = m₊ + (x'₊ − x'₋) ṡ at once.
// The force for it, ρ ṡ (m₋ − m₊), acts between two velocities and two J: half of it on either side, J₋ − J₊ = (x'₊ −
// x'₋) S. With the ends of the integrals, d/dt ∫ρ Jᵀẋ ds ∋ ρ ṡ (J₋ᵀm₋ − J₊ᵀm₊), that leaves the sum: what Hamilton's
// principle gives for integrals of ½ρ|ẋ|² whose limits move. Halves keep energy (½ρ ṡ (|m₋|² − |m₊|²) is done), and
// momentum: a bent hole is pushed by T − ρ ṡ², as a small wheel. That is d'Alembert's principle, hence eq. 1 with its
// quadratic velocity terms and the motion of all bodies; it needs no ∂T/∂q and holds for the spin of rotors, which is
// no derivative of a coordinate. For a straight segment the integrals are closed; along charts and wheels Gauss' rule
// takes them, over many turns that of geometry/turn_rule.h.
//
// Rows. Inextensible: C = l − Δs = 0, or with compliance Δs/EA. The pull on s that a stretched segment adds (½ EA ε²)
// is a force. Bending at a node: κb = 2 t₀×t₁/(1 + t₀·t₁), V = ½ EI |κb|²/l̄; along a chart V = ½ EI κ² Δs. Friction
// over pinholes and wheels: bounds that hang on the tensions beside it, as in joints.
//
// Gauge. A free E-node on a curved chart can run along the strand without anything changing (ẋ = t ṡ lies in the kernel
// of both M and G). A row that keeps it where the span is tangent takes that freedom; its multiplier is next to
// nothing.
// The parts, each of which knows only those before it: StrandParts, StrandKinematics, StrandMass, StrandRows,
// StrandContact, Strand; StrandBuild makes one from a route.
#include <optional>

#include "reeve/cables/strand/strand_contact.h"

namespace reeve {

/// A strand with its stations in the order a state has them. Without candidates that is the order it was built in, and
/// there is one; with candidates every cache has its own copy, arranged as its instant's state says. What is here
/// happens between steps: nodes are put elsewhere, ends slip out, surfaces are left and met.
class Strand : public StrandContact {
 public:
  bool readsCacheInBegin() const;
  void begin(const Instant& now, const StepContext& context, State& state) const;
  void finish(const Instant& now, State& state, Events& events) const;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links, std::vector<SpanView>& spans) const;
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points, std::vector<double>& tensions) const;
  Freedom freedom() const;
  /// strand_payout.cpp: who pays out at the first end works against the strand there.
  void payWork(const Instant& now, std::span<const double> force, Doings& out) const;

 protected:
  const SpanNow* paidSpan(const Instant& now, Page& room) const;
  double payMomentum(const Instant& now) const;
  /// N: of the last step; before the first one what the law says of the start.
  void finishDrums(const Instant& now, const Page& page, State& state, Events& events) const;
  void rollAgain(const Instant& now, const Page& page, int st, State& state, Events& events) const;
  void partSegment(State& state, int segment, double before, double after) const;
  void breakMostLoaded(const Instant& now, State& state, Events& events) const;
  void runOff(const Instant& now, const Page& page, State& state, Events& events) const;
  double tensionOn(const Instant& now, const State& state, int segment) const;
  void noticeStop(const Instant& now, int segment, const State& state, Events& events) const;
  bool slideOn(const Instant& now, State& state, Events& events) const;
  bool slipOut(const Instant& now, State& state, Events& events) const;
  bool liftAndMeet(const Instant& now, State& state, std::vector<Moved>& before, Events& events) const;
  /// Free nodes one after the other, `low` to `high` of which may go elsewhere, in the segments `begin` to `end`.
  struct Run {
    int begin = 0, end = 0, low = 0, high = 0, next = 0;
    bool movable = false;
  };
  /// What the segments of a run have: kinetic energy, momentum, and its moment about the origin.
  struct RunMotion {
    double kinetic = 0.0;
    Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  };
  class RunProblem;
  struct Resampled {
    Run run;
    RunMotion before;
  };
  Run runAt(int st) const;
  /// Moves free nodes that came too near to the next one to where the strand is coarsest.
  void resample(const Instant& now, State& state, std::vector<Resampled>& moved) const;
  bool relocate(const Instant& now, State& state, const Run& run, int out, bool stays) const;
  RunMotion runMotion(const Page& page, const Run& run) const;
  bool holdsRun(const Instant& now, int st) const;
  /// Gives a run of which a node was put elsewhere the motion it had: strand_keep.cpp.
  void keepMotion(const Instant& fresh, State& state, const Run& run, const RunMotion& before) const;
};

struct StrandCache : StrandPageCache {
  std::optional<Strand> own;  ///< of a strand with candidates, arranged as this instant's state says
};

}  // namespace reeve
