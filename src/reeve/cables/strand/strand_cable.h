#pragma once
// A strand as an element of a model: what it is, is in strand.h.
#include "reeve/cables/strand/strand.h"

namespace reeve {

class StrandCable : public Cable, public ElementMass {
 public:
  static std::expected<std::unique_ptr<Cable>, Problem> make(const CableSite& site);

  CableTraits traits() const override;
  ElementLayout layout() const override;
  void start(const Instant& now, std::span<double> memory, std::span<Sheet> sheets) const override;
  void begin(const Instant& now, const StepContext& context, State& state) const override;
  void topology(const State& state, Topology& out) const override { built_.topology(state, out); }
  void evaluate(const Instant& now, ElementCache& cache) const override;
  void rows(const Instant& now, RowSet& out) const override { at(now).rows(now, out); }
  void stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const override {
    at(now).stiffness(now, force, out);
  }
  void forces(const Instant& now, Forces& out) const override { at(now).forces(now, out); }
  void momentum(const Instant& now, std::span<double> p) const override { at(now).momentum(now, p); }
  void mass(const Instant& now, PatchSet& out) const override { at(now).mass(now, out); }
  void work(const Instant& now, std::span<const double> force, Doings& out) const override;
  void finish(const Instant& now, State& state, Events& events) const override { at(now).finish(now, state, events); }
  Energy energy(const Instant& now, std::span<const double> force) const override;
  const char* inspect(const State& state, const Inspection& how) const override;
  std::string nameOf(ElementPart part, int index) const override;
  void view(const Instant& now, const State& state, std::vector<LinkView>& links,
            std::vector<SpanView>& spans) const override {
    at(now).view(now, state, links, spans);
  }
  void draw(const Instant& now, const State& state, std::vector<Vec3>& points,
            std::vector<double>& tensions) const override {
    at(now).draw(now, state, points, tensions);
  }
  Freedom freedom() const override { return built_.freedom(); }

  /// As it was built, and as it is arranged at an instant that has been evaluated.
  const Strand& built() const { return built_; }
  const Strand& at(const Instant& now) const {
    if (!built_.touches()) return built_;
    return *now.cache<StrandCache>(*this).own;
  }

 private:
  Strand built_;
};

}  // namespace reeve
