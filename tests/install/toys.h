#pragma once
// A joint and a cable model that the library knows nothing of: what it takes to add one from outside.
#include <reeve/world/extensions.h>

namespace toys {

/// Keeps b's anchor in the plane through a's anchor across the joint's axis: C = n · (p_b − p_a).
class PlaneJoint : public reeve::Joint {
 public:
  explicit PlaneJoint(const reeve::JointSite& s) : Joint(s.settings, s.a, s.b, s.frameA, s.frameB) {}
  reeve::ElementLayout layout() const override { return {.slots = 1}; }
  void rows(const reeve::Instant& now, reeve::RowSet& out) const override {
    const reeve::Vec3 n = inA(now, frameA_.axis), d = now.point(b_) - now.point(a_);
    out.group();
    out.add(slot).error = n.dot(d);
    reeve::pushPoint(now, b_, n, out);
    reeve::pushPoint(now, a_, -n, out);
    if (now.rotates(a_.block)) out.entry(a_.block, reeve::Vec3::Zero(), n.cross(d));  // the plane turns with a
  }
};

/// A straight spring between two points that pulls and never pushes.
class SpringCable : public reeve::Cable {
 public:
  /// Worked out once for a trial.
  struct Line : reeve::ElementCache {
    reeve::Vec3 n = reeve::Vec3::UnitZ();
    double length = 0.0;
    int evaluated = 0;
  };

  static std::expected<std::unique_ptr<Cable>, reeve::Problem> make(const reeve::CableSite& site) {
    const reeve::CableSettings& s = *site.settings;
    if (s.route.size() != 2 || !s.length)
      return reeve::wrong("/cables/" + site.name, "a spring has two links and a length", "give it both");
    auto cable = std::make_unique<SpringCable>();
    for (std::size_t i = 0; i < 2; ++i) {
      cable->mounts_[i] = site.links[i];
      cable->ends_[i] = {site.links[i].block, site.links[i].center_B + s.route[i].point};
    }
    cable->rest_ = *s.length;
    cable->compliance_ = *s.length / s.material.axial;
    return cable;
  }

  reeve::CableTraits traits() const override { return {.word = "spring"}; }
  reeve::ElementLayout layout() const override { return {.slots = 1, .makeCache = reeve::makeCacheOf<Line>}; }
  void evaluate(const reeve::Instant& now, reeve::ElementCache& cache) const override {
    auto& line = static_cast<Line&>(cache);
    const reeve::Vec3 d = now.point(ends_[1]) - now.point(ends_[0]);
    line.length = d.norm();
    line.n = d / line.length;
    ++line.evaluated;
  }
  void rows(const reeve::Instant& now, reeve::RowSet& out) const override {
    const Line& line = now.cache<Line>(*this);
    out.group();
    reeve::Row& row = out.add(slot);
    row.error = line.length - rest_;
    row.compliance = compliance_;
    row.upper = 0.0;
    reeve::pushPoint(now, ends_[0], -line.n, out);
    reeve::pushPoint(now, ends_[1], line.n, out);
  }
  reeve::Energy energy(const reeve::Instant&, std::span<const double> force) const override {
    const double pull = force[static_cast<std::size_t>(slot)];
    return {.elastic = 0.5 * compliance_ * pull * pull};
  }
  void view(const reeve::Instant& now, const reeve::State& state, std::vector<reeve::LinkView>& links,
            std::vector<reeve::SpanView>& spans) const override {
    links.clear();
    spans.clear();
    for (std::size_t i = 0; i < 2; ++i) {
      reeve::LinkView& link = links.emplace_back();
      link.on = &mounts_[i].name;
      link.entry = link.exit = now.point(ends_[i]);
    }
    reeve::SpanView& span = spans.emplace_back();
    span.to = 1;
    span.start = links[0].exit;
    span.end = links[1].entry;
    span.length = now.cache<Line>(*this).length;
    span.rest = rest_;
    span.tension = -state.force[static_cast<std::size_t>(slot)];
  }
  void draw(const reeve::Instant& now, const reeve::State& state, std::vector<reeve::Vec3>& points,
            std::vector<double>& tensions) const override {
    points = {now.point(ends_[0]), now.point(ends_[1])};
    tensions.assign(2, -state.force[static_cast<std::size_t>(slot)]);
  }

 private:
  reeve::LinkMount mounts_[2];
  reeve::Anchor ends_[2];
  double rest_ = 0.0, compliance_ = 0.0;
};

inline reeve::Extensions extensions() {
  reeve::Extensions all;
  all.joints["plane"] = [](const reeve::JointSite& site) { return std::make_unique<PlaneJoint>(site); };
  all.cables["spring"] = SpringCable::make;
  return all;
}

}  // namespace toys
