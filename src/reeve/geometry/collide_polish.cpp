// From a nearly right normal to the exact one, feature pair by feature pair.
//
// Where two edge-like features touch (a straight edge, the rim of a cylinder, its side seen as its axis swollen by the
// radius) the normal is the cross product of their tangents, which stays well defined when the gap passes zero; the
// difference of the closest points does not. For a rim the tangent turns, so its angle is solved for by Newton's method
// on
//   D · t = 0,   D = closest difference of the two curves, t = tangent of the rim.
// Every candidate is judged by the separation along it, which is exact for any normal, so a wrong one does no harm.
#include <array>
#include <cmath>

#include "reeve/geometry/collide_internal.h"

namespace reeve::narrow {

namespace {

/// An edge that touches is square to the normal; the start is nearly right, so steeper edges are left out.
constexpr double level = 0.5;

struct Line {
  Vec3 point, direction;  // unit
};

struct Rim {
  Vec3 centre, u, w;  // u × w is the axis
  double radius;
};

/// What a core offers near a direction, in the frame of a.
struct Around {
  std::array<Vec3, 4> flat;
  int flats = 0;
  std::array<Line, 4> line;  // those nearest to square with the direction
  int lines = 0;
  std::array<Rim, 2> rim;
  int rims = 0;
  bool hasCorner = false, hasSide = false;
  Vec3 corner;
  Line side;
};

void aroundHull(const Hull& h, const Vec3& d, Around& out) {
  const int v = h.supportVertex(d);
  out.corner = h.vertices[v];
  out.hasCorner = true;
  std::array<double, 4> aligned;
  for (int i = h.around[v]; i < h.around[v + 1]; ++i) {
    const Vec3& n = h.faces[h.vertexFaces[i]].normal;
    const double c = n.dot(d);
    int at = out.flats < 4 ? out.flats++ : 4;
    for (; at > 0 && aligned[at - 1] < c; --at)
      if (at < 4) {
        aligned[at] = aligned[at - 1];
        out.flat[at] = out.flat[at - 1];
      }
    if (at < 4) {
      aligned[at] = c;
      out.flat[at] = n;
    }
  }
  std::array<double, 4> steep;
  for (int i = h.around[v]; i < h.around[v + 1]; ++i) {
    const Hull::Edge& e = h.edges[h.vertexEdges[i]];
    const Vec3 along = (h.vertices[e.to] - h.vertices[e.from]).normalized();
    const double c = std::abs(along.dot(d));
    if (c > level) continue;
    int at = out.lines < 4 ? out.lines++ : 4;
    for (; at > 0 && steep[at - 1] > c; --at)
      if (at < 4) {
        steep[at] = steep[at - 1];
        out.line[at] = out.line[at - 1];
      }
    if (at < 4) {
      steep[at] = c;
      out.line[at] = {out.corner, along};
    }
  }
}

/// d: outward direction, in the core's own frame.
Around around(const Core& core, const Vec3& d) {
  Around out;
  switch (core.kind) {
    case CoreKind::point:
      out.hasCorner = true;
      out.corner.setZero();
      break;
    case CoreKind::segment:
      out.hasCorner = true;
      out.corner = support(core, d);
      if (core.half.squaredNorm() > 0) out.line[out.lines++] = {out.corner, core.half.normalized()};
      break;
    case CoreKind::box:
      out.hasCorner = true;
      out.corner = support(core, d);
      for (int i = 0; i < 3; ++i) {
        out.flat[out.flats++] = d[i] < 0 ? Vec3(-Vec3::Unit(i)) : Vec3::Unit(i);
        if (std::abs(d[i]) <= level) out.line[out.lines++] = {out.corner, Vec3::Unit(i)};
      }
      break;
    case CoreKind::hull:
      aroundHull(*core.hull, d, out);
      break;
    case CoreKind::cylinder: {
      const double up = d.z() < 0 ? -1 : 1;
      out.flat[out.flats++] = Vec3::UnitZ() * up;
      out.hasSide = true;
      out.side = {Vec3::Zero(), Vec3::UnitZ()};
      out.rim[out.rims++] = {Vec3::UnitZ() * (up * core.half.z()), Vec3::UnitX(), Vec3::UnitY(), core.half.x()};
      if (std::abs(d.z()) < 0.2)
        out.rim[out.rims++] = {Vec3::UnitZ() * (-up * core.half.z()), Vec3::UnitX(), Vec3::UnitY(), core.half.x()};
      break;
    }
    case CoreKind::halfSpace:
      break;
  }
  return out;
}

void place(Around& f, const Mat3& R, const Vec3& t) {
  const auto point = [&](Vec3& p) { p = (R * p + t).eval(); };
  const auto turn = [&](Vec3& d) { d = (R * d).eval(); };
  for (int i = 0; i < f.flats; ++i) turn(f.flat[i]);
  for (int i = 0; i < f.lines; ++i) {
    point(f.line[i].point);
    turn(f.line[i].direction);
  }
  for (int i = 0; i < f.rims; ++i) {
    point(f.rim[i].centre);
    turn(f.rim[i].u);
    turn(f.rim[i].w);
  }
  if (f.hasCorner) point(f.corner);
  if (f.hasSide) {
    point(f.side.point);
    turn(f.side.direction);
  }
}

/// A point on a rim, turned by small angles without trigonometry.
struct OnRim {
  const Rim& rim;
  double c, s;

  OnRim(const Rim& r, const Vec3& toward) : rim(r), c(toward.dot(r.u)), s(toward.dot(r.w)) {
    if (!(c * c + s * s > 1e-24)) c = 1, s = 0;
    turn(0);
  }
  void turn(double angle) {
    const double c1 = c - angle * s, s1 = s + angle * c, l = std::sqrt(c1 * c1 + s1 * s1);
    c = c1 / l;
    s = s1 / l;
  }
  Vec3 radial() const { return rim.u * c + rim.w * s; }
  Vec3 tangent() const { return rim.w * c - rim.u * s; }
  Vec3 point() const { return rim.centre + rim.radius * radial(); }
};

constexpr int newtonSteps = 12;

/// The normal where a rim and a line have a common perpendicular, starting near `toward`; zero if there is none.
Vec3 rimAgainstLine(const Rim& rim, const Line& line, const Vec3& toward) {
  OnRim at(rim, toward);
  for (int i = 0; i < newtonSteps; ++i) {
    const Vec3 t = at.tangent(), e = line.direction;
    Vec3 d = line.point - at.point();
    d -= e * e.dot(d);
    const double te = t.dot(e);
    const double f = d.dot(t), slope = -rim.radius * (1 - te * te) - d.dot(at.radial());
    if (!(std::abs(slope) > 1e-12 * rim.radius)) return Vec3::Zero();
    const double step = std::clamp(-f / slope, -0.5, 0.5);
    at.turn(step);
    if (std::abs(step) < 1e-14) break;
  }
  return at.tangent().cross(line.direction);
}

/// The same for two rims.
Vec3 rimAgainstRim(const Rim& a, const Rim& b, const Vec3& toward) {
  OnRim p(a, toward), q(b, -toward);
  for (int i = 0; i < newtonSteps; ++i) {
    const Vec3 d = q.point() - p.point(), tp = p.tangent(), tq = q.tangent();
    const double f = d.dot(tp), g = d.dot(tq), tt = tp.dot(tq);
    const double fp = -a.radius - d.dot(p.radial()), fq = b.radius * tt, gp = -a.radius * tt,
                 gq = b.radius - d.dot(q.radial());
    const double det = fp * gq - fq * gp;
    if (!(std::abs(det) > 1e-12 * a.radius * b.radius)) return Vec3::Zero();
    const double dp = std::clamp((-f * gq + g * fq) / det, -0.5, 0.5),
                 dq = std::clamp((-g * fp + f * gp) / det, -0.5, 0.5);
    p.turn(dp);
    q.turn(dq);
    if (std::abs(dp) + std::abs(dq) < 1e-14) break;
  }
  const Vec3 n = p.tangent().cross(q.tangent());
  return n.squaredNorm() > 1e-12 ? n : Vec3(q.point() - p.point());
}

class Polisher {
 public:
  Polisher(const Pair& pair, const Axis& start) : pair_(pair), start_(start), best_(start) {}

  /// Takes n, or −n if that is nearer to the start.
  void attempt(const Vec3& n) {
    const double l = n.norm();
    if (!(l > 1e-9 * std::min(1.0, pair_.scale))) return;
    Vec3 m = n / l;
    if (m.dot(start_.normal) < 0) m = -m;
    const double s = pair_.separation(m);
    if (s > best_.gap) best_ = {m, s};
  }
  void attemptFlat(const Vec3& n) {
    if (!(n.dot(start_.normal) > 0.5)) return;
    const double s = pair_.separation(n);
    if (!flat_ || s > bestFlat_.gap) bestFlat_ = {n, s};
    flat_ = true;
  }
  Axis result() const {
    if (flat_ && bestFlat_.gap >= best_.gap - 1e-10 * pair_.scale) return bestFlat_;
    return best_;
  }
  const Vec3& start() const { return start_.normal; }

 private:
  const Pair& pair_;
  Axis start_, best_, bestFlat_;
  bool flat_ = false;
};

/// Perpendicular from a point to a line.
Vec3 fromLine(const Line& line, const Vec3& p) {
  const Vec3 d = p - line.point;
  return d - line.direction * line.direction.dot(d);
}

void againstRims(Polisher& polisher, const Around& a, const Around& b, const Vec3& toward) {
  for (int i = 0; i < a.rims; ++i) {
    const Rim& rim = a.rim[i];
    for (int k = 0; k < b.lines; ++k) polisher.attempt(rimAgainstLine(rim, b.line[k], toward));
    if (b.hasSide) polisher.attempt(rimAgainstLine(rim, b.side, toward));
    if (b.hasCorner) {
      const Vec3 d = b.corner - rim.centre, across = rim.u * rim.u.dot(d) + rim.w * rim.w.dot(d);
      const double l = across.norm();
      if (l > 1e-12 * rim.radius) polisher.attempt(d - across * (rim.radius / l));
    }
  }
  if (a.hasSide) {
    if (b.hasCorner) polisher.attempt(fromLine(a.side, b.corner));
    for (int k = 0; k < b.lines; ++k) {
      const Vec3 n = a.side.direction.cross(b.line[k].direction);
      polisher.attempt(n.squaredNorm() > 1e-12 ? n : fromLine(a.side, b.line[k].point));
    }
  }
}

}  // namespace

Axis polish(const Pair& pair, const Axis& start) {
  // The start is exact between polytopes: it only needs to be put on the face it may have missed by rounding.
  const Around a = around(pair.a, start.normal);
  Around b = around(pair.b, pair.rotation.transpose() * -start.normal);
  place(b, pair.rotation, pair.offset);
  Polisher polisher(pair, start);
  for (int i = 0; i < a.flats; ++i) polisher.attemptFlat(a.flat[i]);
  for (int i = 0; i < b.flats; ++i) polisher.attemptFlat(-b.flat[i]);
  if (pair.a.polytope() && pair.b.polytope()) return polisher.result();
  againstRims(polisher, a, b, start.normal);
  againstRims(polisher, b, a, -start.normal);
  for (int i = 0; i < a.rims; ++i)
    for (int k = 0; k < b.rims; ++k) polisher.attempt(rimAgainstRim(a.rim[i], b.rim[k], start.normal));
  if (a.hasSide && b.hasSide) {
    const Vec3 n = a.side.direction.cross(b.side.direction);
    polisher.attempt(n.squaredNorm() > 1e-12 ? n : fromLine(a.side, b.side.point));
  }
  return polisher.result();
}

}  // namespace reeve::narrow
