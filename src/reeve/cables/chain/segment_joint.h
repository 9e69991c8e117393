#pragma once
// The joint between two segments of a chain: the regularised stretch, bend and twist constraint (Servin and
// Lacoursière, Rigid Body Cable for Virtual Environments, 2008, section V), in angles.
//
// Each side carries a frame E = (e₁, e₂, d), d along the cable, so placed that both frames agree at rest. With g the
// gap, t = d_b seen from frame a, c = t_z = d_a·d_b and θ = atan2(|t_xy|, c) the bend angle:
//   stretch  C₁₂₃ = p_b − p_a                          world axes, isotropic: the gap lies along the force
//   bend     C₄₅  = f (−t_y, t_x), f = θ/sin θ         the swing part of the relative rotation, two components, radians
//   twist    C₆   = Ω − Ω₀ + 2π·(turns)                the rest of it: relative rotation = swing · twist
// Unlike eqs 21 and 22 the bend has a direction at 0 and the twist a sign; turns are counted through State::memory.
// With ω the angular velocity of b relative to a, in frame a, and f' = df/dc:
//   Ċ₄ = (f c − f' t_y², f' t_x t_y, −f t_x)·ω,   Ċ₅ = (f' t_x t_y, f c − f' t_x², −f t_y)·ω,   Ċ₆ = (ẑ + t)/(1 + c)·ω
// so bending without twisting shows no twist (the alternative, v-v, form of section V-A, made exact). The ordinary form
// of the paper, v on a against w on b across it, is TwistMeasure::crossed: Ω = atan2(m·(v×w), v·w) − π/2, m along
// d_a + d_b. It mixes bend into twist at second order: of a bend θ about the direction ψ across the axis it shows
//   Ω + δ,   δ = −θ² cos Ω (sin Ω/8 + sin(2ψ − Ω)/4)
// so that a torque M makes the joint softer in one direction, by up to 0.55 M rad⁻¹ of EI/ℓ (2 max of the bracket times
// cos Ω). Segments zigzag, and the twist is lost, where 4 (EI/ℓ − 0.55 M) + T ℓ < 0 in the worst case:
//   M < 1.8 EI/ℓ + 0.45 T ℓ
// is what it bears for certain. The parallel form has no such bound.
//
// Damping of the stretch must not resist a turn of the whole: with it the rows hold both sides in the middle of the
// gap, so that J v is the rate of the gap seen from a frame that turns with the mean of both, and force and reaction
// meet in one point whatever their direction: no angular momentum is lost. Undamped the force lies along the gap, and J
// is the gradient of C; damped it is that to the order of the strain, which Newton corrects.
//
// Energy ½ Σ C²/ε with ε = ℓ_s/EA, ℓ_b/EI, ℓ_t/GJ (eqs 35 to 37). ℓ is the cable length a joint stands for: half of
// each of its segments. The joints at the ends of an attached cable stand for half a segment, so that the lengths add
// up to L and stretch and twist obey the closed forms for every number of segments.
//
// Stiffness that grows with the load f (section VII-D), ε f = ε₀ f/(1 + f/S): the load is that of the step itself, so
// that the stretch has a potential, ε₀ S² (−x − ln(1 − x)) with x = C/(ε₀ S); it never reaches ε₀ S. A potential of
// that kind for bend and twist, ½ C²(1 + f/S)/ε, snaps: at no load a bent joint would rather be pulled. Theirs is
// changed between steps instead, by `Gain`, which makes no energy: a joint grows stiffer by no more than what growing
// softer has taken out of it. Straight it follows the load at once, bent as it straightens.
//
// Geometric stiffness: positive part of the levers under the force on the joint; of the moment M = M_⊥ + M_t d, with
// n = M_⊥ × d, the energy's second derivative to first order in the bend,
//   K_aa = K_bb = −sym(n dᵀ),   K_ab = d nᵀ − (M_t/2) [d]×
// taken whole: the twist part is what buckles a twisted rod, and its positive part alone costs Newton hundreds of
// iterations at 37 turns where this takes two.
#include "reeve/model/full_stiffness.h"

namespace reeve {

/// f = θ(1 + growth θ²)/sin θ and f' = df/d(cos θ) from sine and cosine of θ in [0, π]. Near a fold (θ = π), where both
/// have a pole, held as they are at sin θ = 1e-3.
void swingFactor(double sine, double cosine, double growth, double& f, double& fc);

/// ½ C²/ε, J: what is stored by a deformation. The multiplier would hold the damping too, and what a jump did; it tells
/// more exactly only where C is no more than the tolerance of a row that hardly gives, undamped.
double storedEnergy(double deformation, double compliance, double damping, double force);

/// How many times as stiff against bend and twist a joint is now, and how much energy, J, making it stiffer may take.
struct Gain {
  double bend = 1.0, twist = 1.0, account = 0.0;
};

struct SegmentJoint {
  Anchor a, b;
  Mat3 frameA = Mat3::Identity(), frameB = Mat3::Identity();  ///< columns e₁, e₂, d, in block frames
  double length = 0.0;                                        ///< of cable it stands for, m
  double stretch = 0.0;                                       ///< compliance, m/N
  double bend = 0.0, twist = 0.0;                             ///< compliance, rad/(N m); only where it bends, twists
  bool bends = false, twists = false;                         ///< false: free (no stiffness, or an end that is pinned)
  TwistMeasure measure = TwistMeasure::parallel;
  double restTwist = 0.0;  ///< rad
  double damping = 0.0;    ///< s
  double growth = 0.0;     ///< 1/rad², of the bend law θ(1 + growth θ²) (end of section V-C)
  double stiffens = 0.0;   ///< N: stiffness × (1 + load/stiffens) (section VII-D); 0 never
  Gain gain;
  bool moments = true;  ///< with the stiffness of its moments; a cable that cannot be wound up does without
  bool plainA = false, plainB = false;  ///< the frame is the block's own

  /// How it is deformed, with the gradients of its angles with respect to a world rotation of b (minus: of a).
  struct Shape {
    Vec3 gap = Vec3::Zero();
    Vec3 axisA = Vec3::UnitZ(), axisB = Vec3::UnitZ();  ///< d of either side, world
    double bend[2] = {0.0, 0.0};
    double twist = 0.0;  ///< turns counted, rest twist taken off
    Vec3 bendGradient[2] = {Vec3::Zero(), Vec3::Zero()};
    Vec3 twistGradient = Vec3::Zero();
  };
  /// `remembered` is the twist at the start of the step, as State::memory has it.
  Shape shape(const Instant& now, double remembered) const;
  /// Torque, over what the crossed form bears for certain under a tension, N; 0 for the parallel form.
  double crossedLoad(double torque, double tension) const;
  static constexpr int slots = 6;
  void rows(const Instant& now, double remembered, int slot, RowSet& out) const;
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const;
  /// Whether it can write all of its stiffness, and that (chain_full_stiffness.cpp).
  bool hasFullStiffness(const Instant& now) const;
  void fullStiffness(const Instant& now, int slot, std::span<const double> force, FullStiffness& out) const;
  double energy(const Instant& now, double remembered, std::span<const double> force) const;
  /// The gain of the next step: under this load, bending `share` times as stiffly as it would elsewhere.
  Gain follow(const Shape& s, std::span<const double> force, double share) const;

 private:
  void stiffen(const Instant& now, int slot, RowSet& out) const;
  double softening(std::span<const double> force) const;
};

}  // namespace reeve
