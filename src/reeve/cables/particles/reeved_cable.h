#pragma once
// A line of particles over wheels, through eyes and on drums.
//
// The route is that of a cable of joints (joints_cable.h), with a particle ("bead") every l metres of every span: a
// bead is a link that holds the cable at a point with mass. Between two neighbours there is one row, C = length − rest
// ≤ 0: a string, which pulls and does not push. What a wheel, an eye or a drum does to the cable is what it does to one
// of joints: spans leave along tangents, friction obeys the capstan law against the surface that turns, and length that
// flows off a surface arrives in the span beside it. There is no polygon on the wheel, so its radius needs no
// correction.
//
// A bead that comes to a link vanishes on it (`absorb`), and one appears where the span at a link has grown by l
// (`emit`). The spans beside it are joined or divided; length is only ever moved. Mass is kept as well: what is no bead
// belongs to the link it lies nearest to (`lump`, kg). It turns with the wheel (or slides over it, where nothing
// turns), hangs on its body, and pulls along the cable with
//   F = ρ g·(b − a),   a and b where the cells of the beads before and after it end, half of l from them,
// so that nothing jumps when a bead comes or goes. Beads in the pool are blocks that sleep.
//
// Beads are coordinates of the world's solver, unlike the particles of ParticleSystem: wheels, motors and brakes are
// solved together with the cable.
#include "reeve/cables/joints/joints_cable.h"

namespace reeve {

class ReevedParticles : public JointsCable {
 public:
  /// Whether a cable needs it: it has a link that is no attachment, or nothing but its mass is given and it is tied to
  /// a body that another model holds, whose pull the stand-ins of a ParticleSystem do not know.
  static bool needed(const CableSite& site);
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);

  CableTraits traits() const override { return {.word = "particles", .drawnThick = true}; }
  ElementLayout layout() const override;
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void begin(const Instant& now, const StepContext& context, State& state) const override;
  void topology(const State& state, Topology& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override;
  void forces(const Instant& now, Forces& out) const override;
  /// Its spans are more than straight lines.
  bool fullStiffness(const Instant&, std::span<const double>, FullStiffness&) const override { return false; }
  Energy energy(const Instant& now, std::span<const double> force) const override;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override;
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points,
            std::vector<double>& tensions) const override;
  Freedom freedom() const override { return {.lagrangian = 3 * beads()}; }
  const char* inspect(const State& state, const Inspection& how) const override;
  std::string nameOf(ElementPart part, int index) const override;

 private:
  bool lies(const Instant&, int, int, double) const override { return true; }  // a groove keeps it
  int beads() const { return capacity() - declared_; }
  bool isBead(int i) const { return i >= declared_; }
  /// Cable runs over it, through it or onto it.
  bool passes(int i) const { return !isBead(i) && link(i).type != LinkType::attach; }
  double beadMass() const { return settings_.material.mass * spacing_; }
  double& lump(State& s, int i) const { return overlay<double>(s.memory, memory + JointsCable::memorySize() + i); }
  double lump(const State& s, int i) const { return overlay<double>(s.memory, memory + JointsCable::memorySize() + i); }

  // reeved_build.cpp
  static std::expected<void, Problem> check(const CableSite& site);
  struct Draft;
  void thread(const CableSite& site);
  void threadSpan(const CableSite& site, Draft& draft, int k);
  void addBeads(const CableSite& site, const Draft& draft, int pool);
  void layRoute(const Draft& draft, const std::vector<LinkState>& kept);
  Vec3 materialVelocity(const CableSite& site, int i, const SpanGeometry& span, bool exit) const;

  // reeved_feed.cpp
  void feed(const Instant& now, State& s, double h) const;
  bool absorb(const Instant& now, State& s, int place, double h) const;
  bool emit(const Instant& now, State& s, int place) const;
  int spare(const State& s) const;
  void insert(const Instant& now, State& s, int place, double before) const;
  double approach(const Instant& now, const State& s, int from, int to) const;
  void weigh(const Instant& now, State& s, int i, double more) const;
  void changeTurning(const Instant& now, State& s, int i, double more) const;
  double turning(const State& s, int i) const;

  // reeved_cable.cpp
  /// What lies at a link and is no bead: from `a` to `b` along the cable, m from the tangent points.
  struct Lying {
    Vec3 in = Vec3::Zero(), out = Vec3::Zero();  ///< tangent points
    Vec3 a = Vec3::Zero(), b = Vec3::Zero();
    double before = 0.0, after = 0.0;  ///< m
    bool ok = false;
  };
  Lying lyingAt(const Instant& now, const State& s, int place) const;

  double spacing_ = 0.0;            ///< l, m
  std::vector<double> base_;        ///< by declared link: inertia of its rotor, or mass of what slides
  std::vector<double> startLumps_;  ///< kg
};

}  // namespace reeve
