#pragma once
// A matrix between two points of bodies.
#include "reeve/math/rotation.h"
#include "reeve/model/element.h"

namespace reeve {

/// Stiffness between two points of (possibly the same) bodies: kA and kB at either, kX between them.
inline void patchEnds(const Instant& now, const Anchor& a, const Anchor& b, const Mat3& kA, const Mat3& kB,
                      const Mat3& kX, PatchSet& out) {
  using Mat36 = Eigen::Matrix<double, 3, 6>;
  const auto jacobian = [&](const Anchor& p) {
    Mat36 j = Mat36::Zero();
    j.leftCols<3>() = Mat3::Identity();
    if (now.rotates(p.block)) j.rightCols<3>() = -skew(now.arm(p));
    return j;
  };
  const auto& blocks = now.model().blocks;
  const bool freeA = blocks[static_cast<std::size_t>(a.block)].free,
             freeB = blocks[static_cast<std::size_t>(b.block)].free;
  const Mat36 ja = jacobian(a), jb = jacobian(b);
  if (freeA) out.add(a.block, a.block).k.noalias() = ja.transpose() * (kA * ja);
  if (freeB) out.add(b.block, b.block).k.noalias() = jb.transpose() * (kB * jb);
  if (!freeA || !freeB) return;
  if (a.block == b.block) {
    const Eigen::Matrix<double, 6, 6> x = ja.transpose() * (kX * jb);
    out.add(a.block, a.block).k = x + x.transpose();
  } else {
    out.add(a.block, b.block).k.noalias() = ja.transpose() * (kX * jb);
  }
}

/// The point of a block that lies there now.
inline Anchor anchorAt(const Instant& now, int block, const Vec3& point) {
  return {block,
          now.rotates(block) ? Vec3(now.rotation(block).transpose() * (point - now.position(block))) : Vec3::Zero()};
}

}  // namespace reeve
