#pragma once
// A cable as a line of particles (Amiragov 2020): how it starts, what it remembers, how it is seen.
//
// It starts along a curve through its ends and the shape points between them (curve.h), or hanging when it is longer
// than the way, with particles at equal arc length. Its links are attachments: pinned (hard), sockets that let go when
// pulled harder than `lets_go` and take the particle back when it comes within `plugs_in` from further away
// (fig. 3.32), sockets that start empty (`active: false`), or free ends. A link between the ends holds the particle
// nearest to it.
//
// The particles are no coordinates of the world's solver: they are this element's memory and are advanced, together
// with those of all other particle cables, by ParticleSystem.
#include <memory>
#include <vector>

#include "reeve/cables/cable.h"
#include "reeve/model/typed_memory.h"

namespace reeve {

/// Of a link: whether it holds, whether its particle has been away since, the force on the body, and how far the
/// particle still is from its place (body frame): a plug slides in, it does not jump.
struct ParticleLinkMemory {
  Flag holds, away;
  Triple force, out;
};

class ParticleCable : public Cable {
 public:
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);

  CableTraits traits() const override { return {.word = "particles", .stepsItself = true, .drawnThick = true}; }
  ElementLayout layout() const override {
    return {.memory = linksFrom() + numbersIn<ParticleLinkMemory> * linkCount()};
  }
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  Energy energy(const Instant& now, std::span<const double> force) const override;
  const char* inspect(const State& state, const Inspection& how) const override;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override;
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points,
            std::vector<double>& tensions) const override;

  const CableSettings& settings() const { return settings_; }
  int count() const { return static_cast<int>(start_.size()); }
  int linkCount() const { return static_cast<int>(links_.size()); }
  double massOf(int i) const { return mass_[static_cast<std::size_t>(i)]; }
  double rest(int segment) const { return rest_[static_cast<std::size_t>(segment)]; }
  double compliance(int segment) const;
  double doubleRest(int i) const { return doubleRest_[static_cast<std::size_t>(i)]; }
  /// Rest length between two particles.
  double arcBetween(int a, int b) const;
  const Vec3& startPoint(int i) const { return start_[static_cast<std::size_t>(i)]; }

  struct Link {
    int particle = 0;
    Anchor anchor;  ///< where it is held
    std::string on;
    bool free = false;   ///< an end that is never held
    bool active = true;  ///< held at the start
    double letsGo = unbounded, plugsIn = 0.0;
    /// Segments that pass through the body that holds them: the part that starts inside it, as deep as a socket is, and
    /// three radii more.
    int spareFirst = 0, spareLast = -1;
  };
  const Link& link(int k) const { return links_[static_cast<std::size_t>(k)]; }

  // What is remembered, over State::memory: positions, velocities, tensions, links. Of a State that is const it is
  // const.
  template <class Kept>
  auto positions(Kept& s) const {
    return overlays<Triple>(s.memory, memory, count());
  }
  template <class Kept>
  auto velocities(Kept& s) const {
    return overlays<Triple>(s.memory, memory + 3 * count(), count());
  }
  template <class Kept>
  auto tensions(Kept& s) const {
    return overlays<double>(s.memory, memory + 6 * count(), count() - 1);
  }
  template <class Kept>
  auto& linkMemory(Kept& s, int k) const {
    return overlay<ParticleLinkMemory>(s.memory, memory + linksFrom() + numbersIn<ParticleLinkMemory> * k);
  }
  Vec3 position(const State& s, int i) const { return positions(s)[static_cast<std::size_t>(i)].vec(); }
  Vec3 velocity(const State& s, int i) const { return velocities(s)[static_cast<std::size_t>(i)].vec(); }
  double tension(const State& s, int i) const { return tensions(s)[static_cast<std::size_t>(i)]; }
  bool holds(const State& s, int k) const { return linkMemory(s, k).holds; }
  Vec3 outBy(const State& s, int k) const { return linkMemory(s, k).out.vec(); }
  Vec3 linearMomentum(const State& s) const;
  Vec3 angularMomentum(const State& s) const;

 private:
  int linksFrom() const { return 7 * count() - 1; }
  std::expected<void, Problem> check(const CableSite& site) const;
  std::expected<void, Problem> place(const CableSite& site);
  std::expected<std::vector<Vec3>, Problem> controlPoints(const CableSite& site) const;
  void hold(const CableSite& site);
  void spare(const CableSite& site, std::size_t link, Link& l) const;

  CableSettings settings_;
  std::vector<Vec3> start_, startVelocity_;
  std::vector<double> mass_, rest_, doubleRest_;
  std::vector<Link> links_;
};

}  // namespace reeve
