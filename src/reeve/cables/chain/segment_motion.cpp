#include "reeve/cables/chain/segment_motion.h"

namespace reeve {

namespace {
/// |r|² 1 − r rᵀ
Mat3 orbit(const Vec3& r) { return r.squaredNorm() * Mat3::Identity() - r * r.transpose(); }
}  // namespace

SegmentMotion motionOf(const State& s, const Block& b) {
  SegmentMotion m;
  m.x = triple(s.q, b.q);
  m.q = Quat(s.q[at(b.q) + 3], s.q[at(b.q) + 4], s.q[at(b.q) + 5], s.q[at(b.q) + 6]);
  m.u = triple(s.u, b.v);
  m.theta = triple(s.u, b.v + 3);
  m.p = triple(s.p, b.v);
  m.l = triple(s.p, b.v + 3);
  m.pOld = triple(s.pOld, b.v);
  m.lOld = triple(s.pOld, b.v + 3);
  m.mass = b.mass;
  m.inertia_B = b.inertia_B;
  return m;
}

void setMotion(State& s, const Block& b, const SegmentMotion& m) {
  setTriple(s.q, b.q, m.x);
  const double wxyz[] = {m.q.w(), m.q.x(), m.q.y(), m.q.z()};
  for (int k = 0; k < 4; ++k) s.q[at(b.q + 3 + k)] = wxyz[k];
  setTriple(s.u, b.v, m.u);
  setTriple(s.u, b.v + 3, m.theta);
  setTriple(s.p, b.v, m.p);
  setTriple(s.p, b.v + 3, m.l);
  setTriple(s.pOld, b.v, m.pOld);
  setTriple(s.pOld, b.v + 3, m.lOld);
  setTriple(s.v, b.v, m.p / m.mass);
  setTriple(s.v, b.v + 3, m.inertia().inverse() * m.l);
}

void stopMotion(State& s, const Block& b) {
  for (auto* list : {&s.v, &s.u, &s.p, &s.pOld})
    for (int k = 0; k < b.dof; ++k) (*list)[at(b.v + k)] = 0.0;
}

void divideMotion(const SegmentMotion& whole, const Vec3 place[2], const Quat turned[2], SegmentMotion part[2]) {
  const Mat3 turn = whole.turn();
  Mat3 inertia = Mat3::Zero();
  for (int k = 0; k < 2; ++k) {
    part[k].q = (turned[k] * whole.q).normalized();
    inertia += part[k].inertia() + part[k].mass * orbit(place[k]);
  }
  const Vec3 spin = inertia.inverse() * whole.l;
  const Vec3 spinOld = turn.transpose() * (inertia.inverse() * (turn * whole.lOld));
  for (int k = 0; k < 2; ++k) {
    const Vec3 old = turn.transpose() * place[k];
    part[k].x = whole.x + place[k];
    part[k].u = part[k].x - (whole.xOld() + old);
    part[k].theta = whole.theta;
    part[k].p = part[k].mass * (whole.p / whole.mass + spin.cross(place[k]));
    part[k].pOld = part[k].mass * (whole.pOld / whole.mass + spinOld.cross(old));
    part[k].l = part[k].inertia() * spin;
    part[k].lOld = turn.transpose() * (part[k].inertia() * (turn * spinOld));
  }
}

void joinMotion(const SegmentMotion part[2], const Quat& q, SegmentMotion& whole) {
  whole.q = q;
  const double a = part[0].mass / whole.mass, b = part[1].mass / whole.mass;
  whole.x = a * part[0].x + b * part[1].x;
  whole.u = a * part[0].u + b * part[1].u;
  whole.p = part[0].p + part[1].p;
  whole.pOld = part[0].pOld + part[1].pOld;
  whole.l = whole.lOld = Vec3::Zero();
  // The turn of the step is found as the spin is: the increments have a moment too.
  Vec3 moment = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
  for (int k = 0; k < 2; ++k) {
    const Vec3 r = part[k].x - whole.x, old = part[k].xOld() - whole.xOld();
    whole.l += part[k].l + r.cross(part[k].p);
    whole.lOld += part[k].lOld + old.cross(part[k].pOld);
    moment += part[k].inertia() * part[k].theta + part[k].mass * r.cross(Vec3(part[k].u - whole.u));
    inertia += part[k].inertia() + part[k].mass * orbit(r);
  }
  whole.theta = inertia.inverse() * moment;
}

}  // namespace reeve
