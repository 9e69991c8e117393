#include "reeve/record/drag_meter.h"

#include <map>
#include <string_view>

#include "reeve/model/model.h"
#include "reeve/model/state.h"

namespace reeve::record {

DragMeter::DragMeter(const World& world) : time_(world.time()) {
  std::map<std::string_view, int> blocks;
  for (const Body& body : world.model().bodies) blocks.emplace(body.name, body.block);
  for (const Particle& particle : world.model().particles) blocks.emplace(particle.name, particle.block);
  const auto dragged = [&](const std::string& name, double linear, double angular) {
    const auto found = blocks.find(name);
    if (found != blocks.end()) add(world, found->second, linear, angular);
  };
  for (const auto& [name, body] : world.description().bodies) dragged(name, body.drag, body.angularDrag);
  for (const auto& [name, particle] : world.description().particles) dragged(name, particle.drag, 0.0);
}

void DragMeter::add(const World& world, int block, double linear, double angular) {
  const Block& b = world.model().blocks[static_cast<std::size_t>(block)];
  if (!b.free) return;
  for (int k = 0; k < b.dof; ++k) {
    const double coefficient = b.rotates && k >= 3 ? angular : linear;
    const auto at = static_cast<std::size_t>(b.v + k);
    if (coefficient > 0.0) dragged_.push_back({at, coefficient, world.state().v[at]});
  }
}

void DragMeter::look(const World& world) {
  const double h = world.time() - time_;
  time_ = world.time();
  for (Dragged& d : dragged_) {
    const double now = world.state().v[d.v];
    taken_ += h * d.coefficient * (now * now + now * d.before + d.before * d.before) / 3.0;
    d.before = now;
  }
}

}  // namespace reeve::record
