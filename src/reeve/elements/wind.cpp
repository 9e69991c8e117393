#include "reeve/elements/wind.h"

namespace reeve {

void Wind::forces(const Instant& now, Forces& out) const {
  const Block& b = now.model().blocks[static_cast<std::size_t>(block_)];
  if (!b.free) return;
  const Settings& s = now.model().description.settings;
  const double gust = s.gust ? profileValue(*s.gust, now.time) : 1.0;
  const Vec3 u = now.velocity(block_) - gust * s.wind;
  const double half = 0.5 * s.air * chosen(now.past(), elementKey(*this, 0), area_), speed = u.norm();
  const std::size_t v = static_cast<std::size_t>(b.v);
  for (int k = 0; k < 3; ++k) out.force[v + static_cast<std::size_t>(k)] -= half * speed * u[k];
  // ∂F/∂u = −½ρA (|u| I + u uᵀ/|u|)
  Mat3 slope = half * speed * Mat3::Identity();
  if (speed > 0.0) slope += (half / speed) * (u * u.transpose());
  out.damping.add(block_, block_).k.topLeftCorner<3, 3>() = slope;
}

void Wind::work(const Instant& now, std::span<const double>, Doings& out) const {
  if (!now.model().blocks[static_cast<std::size_t>(block_)].free) return;
  const Settings& s = now.model().description.settings;
  const Vec3 air = (s.gust ? profileValue(*s.gust, now.time) : 1.0) * s.wind, u = now.velocity(block_) - air;
  const Vec3 force = -0.5 * s.air * chosen(now.past(), elementKey(*this, 0), area_) * u.norm() * u;
  out.add(Work::drag, force.dot(u));
  out.add(Work::applied, force.dot(air));
}

std::optional<Parameter> Wind::parameter(std::string_view field) const {
  if (field == "drag_area") return Parameter{elementKey(*this, 0), area_};
  return {};
}

}  // namespace reeve
