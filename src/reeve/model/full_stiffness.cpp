#include "reeve/model/full_stiffness.h"

#include "reeve/math/rotation.h"

namespace reeve {

FullStiffness::FullStiffness(const Instant& now) : now_(now) {
  const auto n = static_cast<Eigen::Index>(now.past().v.size());
  k_ = Eigen::MatrixXd::Zero(n, n);
}

void FullStiffness::add(int row, int column, const Six& k) {
  const Block &a = block(row), &b = block(column);
  if (a.free && b.free) k_.block(a.v, b.v, a.dof, b.dof) += k.topLeftCorner(a.dof, b.dof);
}

void FullStiffness::add(int row, int column, int coordinate, const Column& k) {
  const Block &a = block(row), &b = block(column);
  if (a.free && b.free) k_.col(b.v + coordinate).segment(a.v, a.dof) += k.head(a.dof);
}

/// τ = r × F, and the turn φ moves r by φ × r: −∂τ/∂φ = (F·r) I − r Fᵀ.
void FullStiffness::lever(const Anchor& at, const Vec3& force) {
  if (!now_.rotates(at.block)) return;
  const Vec3 r = now_.arm(at);
  Six k = Six::Zero();
  k.bottomRightCorner<3, 3>() = force.dot(r) * Mat3::Identity() - r * force.transpose();
  add(at.block, at.block, k);
}

void FullStiffness::pair(const Anchor& a, const Anchor& b, const Mat3& k) {
  Eigen::Matrix<double, 3, 6> moves[2];  // of a point: dx + φ × r
  const Anchor* ends[2] = {&a, &b};
  for (int e = 0; e < 2; ++e) {
    moves[e].leftCols<3>().setIdentity();
    moves[e].rightCols<3>() = -skew(now_.arm(*ends[e]));
  }
  for (int r = 0; r < 2; ++r)
    for (int c = 0; c < 2; ++c)
      add(ends[r]->block, ends[c]->block, Six((r == c ? 1.0 : -1.0) * (moves[r].transpose() * k * moves[c])));
}

/// −∂τ/∂φ of τ' = φ × τ.
void FullStiffness::turning(int owner, int on, const Vec3& torque) {
  if (!now_.rotates(owner) || !now_.rotates(on)) return;
  Six k = Six::Zero();
  k.bottomRightCorner<3, 3>() = skew(torque);
  add(on, owner, k);
}

}  // namespace reeve
