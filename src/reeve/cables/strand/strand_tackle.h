#pragma once
// A tackle: sheaves of a strand one after the other that turn in one plane, as in a block and tackle. The mechanics are
// those of strand_look.cpp and strand_mass.cpp, written out in coordinates of that plane; there are thousands of them.
//
// The plane has axes X, Y and the normal N of the first sheave. Discs are the planes of the bodies that sheaves turn
// in; they coincide with it, their normals ±N. With ρ = σr of a sheave, counted about N, the fall from sheave 0 to 1 at
// distance d has
//     e = ρ₀ − ρ₁,  l² = d² − e²,  n = (l d + e N×d)/d²,  w = (e d − l N×d)/d²,  N×w = n,                         (1)
// touches at ρₖw from the centres and turns by β = −w·(V₁ − V₀)/l, V the centres' velocities. A rim turns by W = (ωx,
// ωy, Wₙ), its body's ω across the axle and its own spin along it: so
//     mₖ = Vₖ + W×ρₖw,   d(arm)/dt = ρₖ (β n + N (ωx wy − ωy wx)),   ṡₖ = ρₖ (β − Wₙ).                             (2)
// The arc between w₀ and w₁ has ∫ρa = λr² (Δw_y, −Δw_x), and its second moments are as in arcOf(). All that a sheave's
// axle takes up lies along N, so a body is pushed by n at the axle (lever L): rows (n, L×n), and its part of the mass
// with a spin is (f, L×f).
#include <array>
#include <span>
#include <type_traits>
#include <vector>

#include "reeve/cables/strand/strand_state.h"
#include "reeve/model/kinetics.h"

namespace reeve {

class Tackle {
 public:
  /// A plane of a body in which sheaves turn.
  struct Disc {
    int block = 0;
    bool still = false;
    Vec3 base_B = Vec3::Zero();  ///< a place in it, from the body's centre of mass
    Vec3 x_B = Vec3::UnitX(), y_B = Vec3::UnitZ(), normal_B = Vec3::UnitY();
  };
  struct Sheave {
    int disc = 0;
    int rotor = 0;            ///< block of its spin
    int wheel = 0;            ///< of the strand
    double a = 0.0, b = 0.0;  ///< m: of its centre from the disc's base
    double radius = 0.0;
    double side = 1.0;  ///< σ about the disc's normal
    double axle = 1.0;  ///< 1: along the disc's normal, -1: against it
  };
  /// What comes to the first sheave from outside, and what goes on from the last. World frame.
  struct End {
    bool there = false;  ///< there is a span, and it has a tangent
    double angle = 0.0;  ///< of the contact in the disc's plane
    Vec2 facing = Vec2::UnitX();
    double mass = 0.0;  ///< kg that moves with the rim
    Vec3 armRate = Vec3::Zero(), force = Vec3::Zero(), momentum = Vec3::Zero();
  };
  /// What a strand says to all of its tackles.
  struct Strand {
    double density = 0.0;  ///< kg/m
    double least = 0.0;    ///< m: no fall counts as shorter
  };
  /// What it remembers of its wheels and the rest lengths of its segments.
  template <class Kept>
  struct MemoryOf {
    template <class T>
    using Like = std::conditional_t<std::is_const_v<Kept>, const T, T>;
    std::span<Like<WheelMemory>> wheels;
    std::span<Like<double>> rests;
  };

  int first = 0;  ///< station of the first sheave
  int fall = 0;   ///< segment of the first fall
  std::vector<Disc> discs;
  std::vector<Sheave> sheaves;
  std::vector<char> slack;  ///< by fall: it may go slack

  int count() const { return static_cast<int>(sheaves.size()); }

  struct DiscNow {
    int block = 0;
    bool still = false, free = false;
    double flip = 1.0;   ///< of its normal against N
    double turn = 0.0;   ///< angle of its x from X, rad
    double moved = 0.0;  ///< its turn about its own normal in this step, rad
    // In coordinates of the plane: base, axes, what to add for the lever, and how they move.
    Vec3 base, x, y, lever, omega, velocity, baseRate, xRate, yRate;
    Vec3 p, l, force, moment;  ///< on its body, of all its sheaves
  };
  struct FallNow {
    double nx = 0.0, ny = 0.0;  ///< w = (ny, −nx)
    double length = 0.0, rest = 0.0;
    double angle[2] = {0.0, 0.0}, flowed[2] = {0.0, 0.0};
  };
  struct SheaveNow {
    Vec3 place;           ///< in coordinates of the plane
    double rho = 0.0;     ///< m
    double spin = 0.0;    ///< momentum of its rotor
    double torque = 0.0;  ///< on it
    int v = 0;            ///< of its rotor in State::v
  };
  /// Of all that moves with the rims on one disc, M, F and S about their centres and L their levers: Σ M, Σ M L, Σ F,
  /// Σ M L Lᵀ, Σ F Lᵀ, Σ S.
  struct BodyMass {
    double mass = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
    Vec3 lever = Vec3::Zero(), first = Vec3::Zero();
    Mat3 far = Mat3::Zero(), mixed = Mat3::Zero();
  };
  struct Now {
    Mat3 plane;  ///< columns X, Y, N
    bool known = false;
    std::array<End, 2> ends;
    std::vector<DiscNow> discs;
    std::vector<FallNow> falls;
    std::vector<SheaveNow> sheaves;
  };

  /// False where its discs do not lie in one plane (to 1e-9), a fall has no tangent, or two sheaves come so near that
  /// they have to be kept apart: then it is no tackle at this instant.
  bool look(const Instant& now, const Strand& strand, const MemoryOf<const State>& past, Now& out) const;
  /// Lengths of the falls, with multipliers from `slot` on.
  void rows(const Now& now, int slot, double damping, RowSet& out) const;
  void momentum(const Now& now, std::span<const Block> blocks, std::span<double> p) const;
  void forces(const Now& now, std::span<const Block> blocks, std::span<double> f) const;
  void mass(const Now& now, double density, PatchSet& out) const;
  /// `force`: multipliers of the falls' rows.
  void stiffness(const Now& now, std::span<const double> force, PatchSet& out) const;
  void finish(const Now& now, const MemoryOf<const State>& past, const MemoryOf<State>& out) const;

 private:
  struct Touch;
  struct Rim;
  Rim rimOf(const Now& now, double density, int sheave) const;
  void shareFall(const Now& now, int fall, double mass, std::size_t hubs, PatchSet& out) const;
  bool lookAtDiscs(const Instant& now, Now& out) const;
  Touch touchOf(const Now& now, const End& end, int sheave) const;
  void load(const Strand& strand, const Vec3& gravity, const Sheave& s, SheaveNow& at, DiscNow& disc,
            const Vec3& velocity, double spin, const Touch& in, const Touch& out) const;
};

}  // namespace reeve
