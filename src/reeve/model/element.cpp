#include "reeve/model/element.h"

namespace reeve {

bool applyTopology(const Topology& topology, std::span<Block> blocks) {
  bool changed = false;
  for (const Topology::Awake& a : topology.awake) {
    Block& b = blocks[static_cast<std::size_t>(a.block)];
    changed = changed || b.free != a.awake;
    b.free = a.awake;
    b.asleep = !a.awake;
  }
  for (const Topology::Wound& wound : topology.wound) {
    double& inertia = blocks[static_cast<std::size_t>(wound.block)].mass;
    changed = changed || inertia != wound.inertia;
    inertia = wound.inertia;
  }
  return changed;
}

void ElementMass::momentum(const Instant&, std::span<double>) const {}

ElementLayout Element::layout() const { return {}; }
void Element::start(const Instant&, std::span<double>, std::span<Sheet>) const {}
void Element::begin(const Instant&, const StepContext&, State&) const {}
void Element::topology(const State&, Topology&) const {}
void Element::evaluate(const Instant&, ElementCache&) const {}
void Element::rows(const Instant&, RowSet&) const {}
void Element::stiffness(const Instant&, std::span<const double>, PatchSet&) const {}
void Element::forces(const Instant&, Forces&) const {}
void Element::finish(const Instant&, State&, Events&) const {}
void Element::work(const Instant&, std::span<const double>, Doings&) const {}
Energy Element::energy(const Instant&, std::span<const double>) const { return {}; }
const char* Element::inspect(const State&, const Inspection&) const { return nullptr; }

std::string Element::nameOf(ElementPart part, int index) const {
  return part == ElementPart::row ? name + "." + std::to_string(index) : std::string();
}

}  // namespace reeve
