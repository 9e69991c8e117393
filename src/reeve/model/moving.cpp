#include "reeve/model/moving.h"

namespace reeve {

void Moving::gather(std::span<const Block> blocks) {
  *this = Moving{};
  int end = 0;
  for (const Block& b : blocks) end = b.v + b.dof > end ? b.v + b.dof : end;
  mass.assign(static_cast<std::size_t>(end), 0.0);
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Block& b = blocks[i];
    place.push_back({b.v, static_cast<std::int16_t>(b.dof), b.free});
    if (b.rotates) rotating.push_back(static_cast<int>(i));
    if (!b.free || b.dof == 0) continue;
    if (b.rotates) turning.push_back(static_cast<int>(i));
    if (b.weighs) {
      weighing.push_back(static_cast<int>(i));
      weighed += b.mass;
    }
    massless = massless || b.massless;
    if (!free.empty() && free.back().v + free.back().count == b.v)
      free.back().count += b.dof;
    else
      free.push_back({b.v, b.q, b.dof});
    const int linear = b.rotates ? 3 : b.dof;
    for (int k = 0; k < linear; ++k) mass[static_cast<std::size_t>(b.v + k)] = b.mass;
    if (!plain.empty() && plain.back().v + plain.back().count == b.v && plain.back().q + plain.back().count == b.q)
      plain.back().count += linear;
    else
      plain.push_back({b.v, b.q, linear});
  }
}

}  // namespace reeve
