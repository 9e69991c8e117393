#pragma once
// Particle cables for tests.
#include "reeve/cables/particles/particle_cable.h"
#include "reeve/model/model.h"
#include "support/scenes.h"

namespace reeve::test {

inline LinkSettings held(std::string on, Vec3 point = Vec3::Zero(), EndHold hold = EndHold::pinned) {
  LinkSettings l;
  l.on = std::move(on);
  l.point = point;
  l.hold = hold;
  return l;
}

/// From one place of the world to another; free ends where asked.
inline CableSettings particleRope(Vec3 from, Vec3 to, int segments, bool fromFree = false, bool toFree = false) {
  CableSettings c;
  c.model = CableModel::particles;
  c.segments = segments;
  c.collides = false;
  c.material.mass = 0.1;
  c.material.radius = 0.005;
  c.route = {held("world", from, fromFree ? EndHold::free : EndHold::pinned),
             held("world", to, toFree ? EndHold::free : EndHold::pinned)};
  return c;
}

inline const ParticleCable& particleCable(const World& w, std::size_t which = 0) {
  for (const auto& e : w.model().elements)
    if (const auto* c = dynamic_cast<const ParticleCable*>(e.get()))
      if (which-- == 0) return *c;
  ADD_FAILURE() << "no particle cable";
  std::abort();
}

inline double worstStretch(const World& w, std::size_t which = 0) {
  const ParticleCable& c = particleCable(w, which);
  double worst = 0.0;
  for (int i = 0; i + 1 < c.count(); ++i)
    worst =
        std::max(worst, std::fabs((c.position(w.state(), i + 1) - c.position(w.state(), i)).norm() / c.rest(i) - 1.0));
  return worst;
}

}  // namespace reeve::test
