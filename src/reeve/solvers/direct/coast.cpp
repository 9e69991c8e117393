#include "reeve/solvers/direct/coast.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"

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

/// p̂ = (4pₙ − pₙ₋₁)/3.
Vec3 momentumAhead(const State& state, int v) { return (4.0 * triple(state.p, v) - triple(state.pOld, v)) / 3.0; }

/// Takes a free block on by a step of `s`; `turn` is its turn in its own frame.
void flyOn(const Block& block, const Scheme& s, const Vec3& gravity, const Vec3& turn, State& state) {
  const double back = 0.5 / s.h;
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
  if (!block.rotates) return;
  double* q = state.q.data() + block.q + 3;
  const Quat start(q[0], q[1], q[2], q[3]);
  const Quat end = (start * rotationExp(turn)).normalized();
  q[0] = end.w(), q[1] = end.x(), q[2] = end.y(), q[3] = end.z();
  const Vec3 theta = start.toRotationMatrix() * turn, past = triple(state.u, block.v + 3);
  const Vec3 p = triple(state.p, block.v + 3);
  setTriple(state.p, block.v + 3, momentumAhead(state, block.v + 3));
  setTriple(state.pOld, block.v + 3, p);
  setTriple(state.v, block.v + 3, s.k * theta - back * past);
  setTriple(state.u, block.v + 3, theta);
}

}  // namespace

int coast(const Task& task, double h, State& state, std::vector<double>& turns) {
  const Scheme s = Scheme::bdf2(h);
  int most = 0;
  for (const Body& body : task.model->bodies)
    if (body.prescribed) return -1;
  turns.assign(state.v.size(), 0.0);
  for (const Block& block : task.blocks()) {
    if (!block.free || !block.rotates) continue;
    const Vec3 w = triple(state.v, block.v + 3), past = triple(state.u, block.v + 3);
    const Quat q(state.q[at(block.q) + 3], state.q[at(block.q) + 4], state.q[at(block.q) + 5],
                 state.q[at(block.q) + 6]);
    const Mat3 toBody = q.toRotationMatrix().transpose();
    Vec3 theta = toBody * (2.0 * h * w - past);
    const int iterations = turnFreely(block.inertia_B, toBody * past * (0.5 / h),
                                      toBody * momentumAhead(state, block.v + 3), s.k, task.tolerance, task.cap, theta);
    if (iterations < 0) return -1;
    most = std::max(most, iterations);
    // Kept aside until every block has come through.
    setTriple(turns, block.v + 3, theta);
  }
  for (const Block& block : task.blocks()) {
    if (!block.free) continue;
    flyOn(block, s, task.gravity(), block.rotates ? triple(turns, block.v + 3) : Vec3(Vec3::Zero()), state);
  }
  state.time += h;
  return most;
}

}  // namespace reeve
