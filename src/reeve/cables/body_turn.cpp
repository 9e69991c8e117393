#include "reeve/cables/body_turn.h"

namespace reeve {

double bodyTurn(const Instant& now, const std::vector<double>& before, int block, const LinkFrame& plane) {
  if (!now.rotates(block)) return 0.0;
  const double expected = turnAbout(now.turned(block), now.rotation(block) * plane.normal);
  const Block& b = now.model().blocks[static_cast<std::size_t>(block)];
  if (b.free || now.h == 0.0 || expected == 0.0) return expected;
  const std::size_t k = static_cast<std::size_t>(b.q + 3);
  const Mat3 start = Quat(before[k], before[k + 1], before[k + 2], before[k + 3]).toRotationMatrix();
  const auto placed = [&](const Mat3& r) {
    return LinkFrame{Vec3::Zero(), r * plane.x, r * plane.y, r * plane.normal};
  };
  return turnBetween(placed(start), placed(now.rotation(block)), expected);
}

}  // namespace reeve
