// The step of `direct` where nothing acts but gravity: no rows couple the blocks, so each flies on its own.
#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"
#include "reeve/solvers/direct.h"

namespace reeve {

namespace {

/// Newton on I ω = p̂ for the turn θ of a body, all in the body's frame at the start of the step. With E = exp(−θ),
/// ω = kθ − b and so, E θ being θ itself,   r(θ) = I (kθ − E b) − E p̂ = 0.
/// For a small turn φ = T dθ (T the left Jacobian): dE x = E [x]× φ, hence dr = (k I T⁻¹ − I E [b]× − E [p̂]×) φ.
/// The matrix is kept while corrections are small: they shrink by a factor of their own size. Returns the iterations,
/// or -1 if they do not end.
int turnFreely(const Mat3& inertia, const Vec3& b, const Vec3& pHat, double k, double tolerance, int cap, Vec3& theta) {
  Mat3 inverse;
  double last = 0.0;
  for (int it = 0; it < cap; ++it) {
    const Mat3 e = rotationExp(-theta).toRotationMatrix();
    const Vec3 residual = inertia * (k * theta - e * b) - e * pHat;
    if (it == 0 || last > 1e-3) {
      const Mat3 tangent = k * (inertia * leftJacobianInverse(theta)) - inertia * (e * skew(b)) - e * skew(pHat);
      inverse = tangent.inverse();
    }
    Vec3 phi = -(inverse * residual);
    const double size = phi.norm();
    if (size > 1.0) phi /= size;
    theta += phi - 0.5 * theta.cross(phi);  // T⁻¹ φ to first order in θ: exact enough, the next residual tells
    const double ratio = it > 0 && last > 0.0 ? std::min(size / last, 1.0) : 1.0;
    if (size * ratio < tolerance) return it + 1;
    if (!std::isfinite(size)) return -1;
    last = size;
  }
  return -1;
}

}  // namespace

bool DirectSolver::coast(State& state, double h) {
  const Scheme s = Scheme::bdf2(h);
  const double back = 0.5 / h;
  const Vec3& gravity = model_->description.settings.gravity;
  for (const Body& body : model_->bodies)
    if (body.prescribed) return false;
  now_.bind(*model_, state);
  for (const Block& block : model_->blocks) {
    if (!block.free || !block.rotates) continue;
    const Vec3 w = triple(state.v, block.v + 3), past = triple(state.u, block.v + 3);
    const Quat q(state.q[at(block.q) + 3], state.q[at(block.q) + 4], state.q[at(block.q) + 5],
                 state.q[at(block.q) + 6]);
    const Mat3 toBody = q.toRotationMatrix().transpose();
    const Vec3 pHat = (4.0 * triple(state.p, block.v + 3) - triple(state.pOld, block.v + 3)) / 3.0;
    Vec3 theta = toBody * (2.0 * h * w - past);
    const int iterations =
        turnFreely(block.inertia_B, toBody * past * back, toBody * pHat, s.k, tolerance_, cap_, theta);
    if (iterations < 0) return false;
    report_.iterations = std::max(report_.iterations, iterations);
    // Kept aside until every block has come through.
    setTriple(now_.u, block.v + 3, theta);
  }
  for (const Block& block : model_->blocks) {
    if (!block.free) continue;
    const int linear = block.rotates ? 3 : block.dof;
    for (int k = 0; k < linear; ++k) {
      const std::size_t i = at(block.v + k);
      const double p =
          (4.0 * state.p[i] - state.pOld[i]) / 3.0 + (block.weighs && k < 3 ? s.c * block.mass * gravity[k] : 0.0);
      const double u = (p / block.mass + back * state.u[i]) / s.k;
      state.pOld[i] = state.p[i];
      state.p[i] = p;
      state.v[i] = s.k * u - back * state.u[i];
      state.u[i] = u;
      state.q[at(block.q + k)] += u;
    }
    if (!block.rotates) continue;
    double* q = state.q.data() + block.q + 3;
    const Quat start(q[0], q[1], q[2], q[3]);
    const Vec3 turn = triple(now_.u, block.v + 3);
    const Quat end = (start * rotationExp(turn)).normalized();
    q[0] = end.w(), q[1] = end.x(), q[2] = end.y(), q[3] = end.z();
    const Vec3 theta = start.toRotationMatrix() * turn, past = triple(state.u, block.v + 3);
    const Vec3 p = triple(state.p, block.v + 3);
    setTriple(state.p, block.v + 3, (4.0 * p - triple(state.pOld, block.v + 3)) / 3.0);
    setTriple(state.pOld, block.v + 3, p);
    setTriple(state.v, block.v + 3, s.k * theta - back * past);
    setTriple(state.u, block.v + 3, theta);
  }
  state.time += h;
  return true;
}

}  // namespace reeve
