#include "reeve/model/element.h"

namespace reeve {

void Element::start(const Instant&, std::span<double>) const {}
void Element::layOut(std::span<Sheet>) const {}
void Element::begin(const Instant&, const Gauge&, State&, std::vector<Notice>&) const {}
bool Element::settle(const State&, std::span<Block>) const { return false; }
std::unique_ptr<ElementCache> Element::makeCache() const { return nullptr; }
void Element::evaluate(const Instant&, ElementCache&) const {}
void Element::rows(const Instant&, RowSet&) const {}
void Element::stiffness(const Instant&, std::span<const double>, PatchSet&) const {}
void Element::forces(const Instant&, Forces&) const {}
void Element::momentum(const Instant&, std::span<double>) const {}
void Element::mass(const Instant&, PatchSet&) const {}
double Element::kinetic(const Instant&) const { return 0.0; }
double Element::potential(const Instant&) const { return 0.0; }
void Element::finish(const Instant&, State&, std::vector<Notice>&) const {}
double Element::energy(const Instant&, std::span<const double>) const { return 0.0; }
const char* Element::trouble(const State&, double) const { return nullptr; }
std::string Element::rowName(int localSlot) const { return name + "." + std::to_string(localSlot); }
std::string Element::blockName(int) const { return {}; }

}  // namespace reeve
