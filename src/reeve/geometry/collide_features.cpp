// Contact points: the overlap of the two features that face each other, projected along the normal.
//
// Each core offers the feature that looks along the normal: a face, a disc (the end of a cylinder, as a 16-gon with the
// rim point farthest along the normal put in), a line (edge, side of a cylinder, capsule) or a point. One feature is
// clipped by the sides of the other; a clipped point has the gap between the two features along the normal. No feature
// needs to be exactly square to the normal, so a slightly tilted box keeps its four points, each with its own gap.
#include <array>
#include <cmath>
#include <limits>

#include "reeve/geometry/collide_internal.h"

namespace reeve::narrow {

namespace {

constexpr int discCorners = 16;
constexpr std::uint16_t rimId = discCorners;
constexpr std::uint16_t clipperEdge = 0x8000;  // marks an edge of the clipping feature in a contact's identity

// cos and sin of multiples of a sixteenth turn: tabulated, so that no library function is called.
constexpr double c1 = 0.92387953251128675613, c2 = 0.70710678118654752440, c3 = 0.38268343236508977173;
constexpr std::array<double, discCorners> discCos = {1, c1, c2, c3, 0, -c3, -c2, -c1, -1, -c1, -c2, -c3, 0, c3, c2, c1};

struct Feature {
  enum class Kind : std::uint8_t { point, line, polygon, disc };
  Kind kind = Kind::point;
  int count = 0;
  Vec3 normal;    // outward, of polygons and discs
  double offset;  // normal · x
  Vec3 centre;    // of discs
  double radius;
  std::array<Vec3, maxHullCorners> point;  // counter-clockwise about the normal
  std::array<std::uint16_t, maxHullCorners> id;

  bool flat() const { return kind >= Kind::polygon; }
  void put(const Vec3& p, int name) {
    point[count] = p;
    id[count++] = static_cast<std::uint16_t>(name & 0x7fff);
  }
};

void boxFace(const Vec3& half, const Vec3& n, Feature& f) {
  const Vec3 w = n.cwiseAbs();
  const int i = w.x() >= w.y() && w.x() >= w.z() ? 0 : w.y() >= w.z() ? 1 : 2;
  const int j = (i + 1) % 3, k = (i + 2) % 3;
  const double side = n[i] < 0 ? -1 : 1;
  f.kind = Feature::Kind::polygon;
  f.normal = Vec3::Unit(i) * side;
  f.offset = half[i];
  static constexpr int turn[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int c = 0; c < 4; ++c) {
    const int sj = side > 0 ? turn[c][0] : turn[c][1], sk = side > 0 ? turn[c][1] : turn[c][0];
    Vec3 p;
    p[i] = side * half[i];
    p[j] = sj * half[j];
    p[k] = sk * half[k];
    f.put(p, (side > 0 ? 1 << i : 0) | (sj > 0 ? 1 << j : 0) | (sk > 0 ? 1 << k : 0));
  }
}

void hullFeature(const Hull& h, const Vec3& n, Feature& f) {
  const int v = h.supportVertex(n);
  int best = -1;
  double most = 0.3;  // faces steeper than this tell nothing about where the contact is
  for (int i = h.around[v]; i < h.around[v + 1]; ++i) {
    const double c = h.faces[h.vertexFaces[i]].normal.dot(n);
    if (c > most) {
      most = c;
      best = h.vertexFaces[i];
    }
  }
  if (best >= 0) {
    const Hull::Face& face = h.faces[best];
    f.kind = Feature::Kind::polygon;
    f.normal = face.normal;
    f.offset = face.offset;
    for (int i = 0; i < face.count; ++i) f.put(h.vertices[h.corners[face.first + i]], h.corners[face.first + i]);
    return;
  }
  double level = 0.5;
  for (int i = h.around[v]; i < h.around[v + 1]; ++i) {
    const Hull::Edge& e = h.edges[h.vertexEdges[i]];
    const double c = std::abs((h.vertices[e.to] - h.vertices[e.from]).normalized().dot(n));
    if (c < level) {
      level = c;
      best = h.vertexEdges[i];
    }
  }
  f.kind = best >= 0 ? Feature::Kind::line : Feature::Kind::point;
  if (best < 0) return f.put(h.vertices[v], v);
  f.put(h.vertices[h.edges[best].from], h.edges[best].from);
  f.put(h.vertices[h.edges[best].to], h.edges[best].to);
}

void cylinderEnd(const Vec3& half, const Vec3& n, Feature& f) {
  const double side = n.z() < 0 ? -1 : 1, r = half.x(), z = side * half.z();
  f.kind = Feature::Kind::disc;
  f.normal = Vec3::UnitZ() * side;
  f.offset = half.z();
  f.centre = {0, 0, z};
  f.radius = r;
  const double tilt = std::sqrt(n.x() * n.x() + n.y() * n.y());
  const double x = tilt > 1e-9 ? n.x() / tilt : 1, y = tilt > 1e-9 ? n.y() / tilt : 0;
  for (int i = 0; i < discCorners; ++i) {
    const int at = side > 0 ? i : (discCorners - i) % discCorners,
              next = side > 0 ? (at + 1) % discCorners : (at + discCorners - 1) % discCorners;
    const auto cos = [](int k) { return discCos[k]; };
    const auto sin = [](int k) { return discCos[(k + 12) % discCorners]; };
    f.put({r * cos(at), r * sin(at), z}, at);
    if (!(tilt > 1e-9)) continue;
    const double after = side * (cos(at) * y - sin(at) * x), before = side * (x * sin(next) - y * cos(next));
    const bool ahead = cos(at) * x + sin(at) * y > 0;
    if (ahead && after > 1e-6 && before > 1e-6) f.put({r * x, r * y, z}, rimId);
  }
}

/// The feature of a core that looks along n, in the core's own frame.
void featureAlong(const Core& core, const Vec3& n, Feature& f) {
  switch (core.kind) {
    case CoreKind::box:
      return boxFace(core.half, n, f);
    case CoreKind::hull:
      return hullFeature(*core.hull, n, f);
    case CoreKind::segment: {
      const double along = core.half.dot(n), l = core.half.norm();
      if (!(std::abs(along) < 0.7 * l)) return f.put(along < 0 ? Vec3(-core.half) : core.half, along < 0 ? 0 : 1);
      f.kind = Feature::Kind::line;
      f.put(-core.half, 0);
      f.put(core.half, 1);
      return;
    }
    case CoreKind::cylinder: {
      if (std::abs(n.z()) > 0.7) return cylinderEnd(core.half, n, f);
      const double k = core.half.x() / std::sqrt(n.x() * n.x() + n.y() * n.y());
      f.kind = Feature::Kind::line;
      f.put({n.x() * k, n.y() * k, -core.half.z()}, 0);
      f.put({n.x() * k, n.y() * k, core.half.z()}, 1);
      return;
    }
    default:
      return f.put(Vec3::Zero(), 0);
  }
}

void place(Feature& f, const Mat3& R, const Vec3& t) {
  for (int i = 0; i < f.count; ++i) f.point[i] = (R * f.point[i] + t).eval();
  if (!f.flat()) return;
  f.normal = (R * f.normal).eval();
  f.offset += f.normal.dot(t);
  if (f.kind == Feature::Kind::disc) f.centre = (R * f.centre + t).eval();
}

/// A polygon being clipped: `edge[i]` names the edge that leaves point i. A point's identity is the pair of edges at
/// it.
struct Outline {
  int count = 0;
  std::array<Vec3, LocalManifold::capacity> point;
  std::array<std::uint16_t, LocalManifold::capacity> edge;

  void put(const Vec3& p, std::uint16_t leaving) {
    if (count == LocalManifold::capacity) return;
    point[count] = p;
    edge[count++] = leaving;
  }
};

/// Sutherland and Hodgman: what of `in` lies on the inner side of the plane side · (x − base) = 0.
void clip(const Outline& in, const Vec3& base, const Vec3& side, double slack, std::uint16_t name, Outline& out) {
  out.count = 0;
  for (int i = 0; i < in.count; ++i) {
    const int j = (i + 1) % in.count;
    const double hi = side.dot(in.point[i] - base) - slack, hj = side.dot(in.point[j] - base) - slack;
    if (hi <= 0) out.put(in.point[i], in.edge[i]);
    if ((hi <= 0) == (hj <= 0)) continue;
    const Vec3 cross = in.point[i] + (in.point[j] - in.point[i]) * (hi / (hi - hj));
    out.put(cross, hi <= 0 ? static_cast<std::uint16_t>(name | clipperEdge) : in.edge[i]);
  }
}

/// Whether every corner lies inside, which is the usual case of a small thing on a large one.
void clipPolygon(const Feature& clipper, const Vec3& n, double scale, Outline& subject, bool& cut) {
  Outline other;
  cut = false;
  for (int i = 0; i < clipper.count && subject.count > 0; ++i) {
    const Vec3& base = clipper.point[i];
    const Vec3 side = (clipper.point[(i + 1) % clipper.count] - base).cross(n);
    const double slack = 1e-9 * scale * side.norm();
    bool crosses = false;
    for (int k = 0; k < subject.count; ++k) crosses = crosses || side.dot(subject.point[k] - base) > slack;
    if (!crosses) continue;
    cut = true;
    clip(subject, base, side, slack, clipper.id[i], other);
    subject.count = other.count;
    for (int k = 0; k < other.count; ++k) {
      subject.point[k] = other.point[k];
      subject.edge[k] = other.edge[k];
    }
  }
}

/// Keeps the part low..high of the segment p + t d on the inner side; false when nothing remains.
bool clipLine(const Feature& clipper, const Vec3& n, double scale, const Vec3& p, const Vec3& d, double& low,
              double& high) {
  if (clipper.kind == Feature::Kind::disc) {
    // Along n onto the plane of the disc, then the chord of its circle.
    const double k = clipper.normal.dot(n);
    const Vec3 flatP = p - n * (clipper.normal.dot(p - clipper.centre) / k) - clipper.centre,
               flatD = d - n * (clipper.normal.dot(d) / k);
    const double dd = flatD.squaredNorm(), pd = flatP.dot(flatD), pp = flatP.squaredNorm();
    const double reach = clipper.radius + 1e-9 * scale, root = pd * pd - dd * (pp - reach * reach);
    if (!(root >= 0) || !(dd > 0)) return false;
    low = std::max(low, (-pd - std::sqrt(root)) / dd);
    high = std::min(high, (-pd + std::sqrt(root)) / dd);
    return low <= high;
  }
  for (int i = 0; i < clipper.count; ++i) {
    const Vec3& base = clipper.point[i];
    const Vec3 side = (clipper.point[(i + 1) % clipper.count] - base).cross(n);
    const double h = side.dot(p - base) - 1e-9 * scale * side.norm(), slope = side.dot(d);
    if (std::abs(slope) < 1e-14 * side.norm() * d.norm()) {
      if (h > 0) return false;
      continue;
    }
    const double t = -h / slope;
    if (slope > 0)
      high = std::min(high, t);
    else
      low = std::max(low, t);
  }
  return low <= high;
}

/// Collects contacts: `q` on the clipped feature, the clipping feature's plane below it along `n`.
class Collector {
 public:
  Collector(const Feature& clipper, const Vec3& n, bool clipperIsA, double margin, LocalManifold& out)
      : clipper_(clipper),
        n_(n),
        clipperIsA_(clipperIsA),
        margin_(margin),
        tilt_(1 / clipper.normal.dot(n)),
        out_(out) {}

  void put(const Vec3& q, std::uint32_t feature) {
    const double gap = (clipper_.normal.dot(q) - clipper_.offset) * tilt_;
    if (!(gap < margin_) || out_.count == LocalManifold::capacity) return;
    out_.points[out_.count++] = {clipperIsA_ ? Vec3(q - n_ * gap) : q, gap, feature};
  }

 private:
  const Feature& clipper_;
  Vec3 n_;
  bool clipperIsA_;
  double margin_, tilt_;
  LocalManifold& out_;
};

bool cardinal(std::uint16_t id) { return id == rimId || id % 4 == 0; }

/// `n` leaves the clipper towards the subject.
void clipFeatures(const Feature& clipper, const Feature& subject, const Vec3& n, bool clipperIsA, double scale,
                  double margin, LocalManifold& out) {
  Collector collect(clipper, n, clipperIsA, margin, out);
  if (subject.kind == Feature::Kind::point) return collect.put(subject.point[0], subject.id[0]);
  if (subject.kind == Feature::Kind::line) {
    const Vec3 &p = subject.point[0], d = subject.point[1] - p;
    double low = 0, high = 1;
    if (!clipLine(clipper, n, scale, p, d, low, high)) return;
    collect.put(p + d * low, low > 0 ? 2 : 0);
    if ((high - low) * d.norm() > 1e-6 * scale) collect.put(p + d * high, high < 1 ? 3 : 1);
    return;
  }
  Outline outline;
  for (int i = 0; i < subject.count; ++i) outline.put(subject.point[i], subject.id[i]);
  bool cut = false;
  clipPolygon(clipper, n, scale, outline, cut);
  for (int i = 0; i < outline.count; ++i) {
    // A whole disc stands on four fixed rim points and its lowest one.
    if (subject.kind == Feature::Kind::disc && !cut && !cardinal(outline.edge[i])) continue;
    const std::uint32_t arriving = outline.edge[(i + outline.count - 1) % outline.count];
    collect.put(outline.point[i], arriving << 16 | outline.edge[i]);
  }
}

/// Where two lines cross seen along n, if they do.
void crossing(const Feature& a, const Feature& b, const Vec3& n, double scale, double margin, LocalManifold& out) {
  const auto flat = [&](const Vec3& x) { return Vec3(x - n * n.dot(x)); };
  const Vec3 ha = 0.5 * (a.point[1] - a.point[0]), hb = 0.5 * (b.point[1] - b.point[0]);
  const Vec3 ma = a.point[0] + ha, mb = b.point[0] + hb, fa = flat(ha), fb = flat(hb);
  Vec3 pa, pb;
  closestSegments(Vec3::Zero(), fa, flat(mb - ma), fb, pa, pb);
  if ((pb - pa).norm() > 1e-8 * scale) return;
  const Vec3 onA = ma + ha * (pa.dot(fa) / std::max(fa.squaredNorm(), 1e-300));
  const Vec3 onB = mb + hb * ((pb - flat(mb - ma)).dot(fb) / std::max(fb.squaredNorm(), 1e-300));
  const double gap = n.dot(onB - onA);
  if (gap < margin) out.points[out.count++] = {onA, gap, 2};
}

/// Two lines: their crossing, or the ends of their common stretch when parallel. `n` leaves a.
void lines(const Feature& a, const Feature& b, const Vec3& n, double scale, double margin, LocalManifold& out) {
  const Vec3 da = a.point[1] - a.point[0], db = b.point[1] - b.point[0];
  const double aa = da.squaredNorm(), bb = db.squaredNorm(), cross2 = da.cross(db).squaredNorm();
  if (!(aa > 0) || !(bb > 0)) return;
  if (cross2 > 1e-6 * aa * bb) return crossing(a, b, n, scale, margin, out);
  const double t0 = da.dot(b.point[0] - a.point[0]) / aa, t1 = da.dot(b.point[1] - a.point[0]) / aa;
  const double low = std::max(0.0, std::min(t0, t1)), high = std::min(1.0, std::max(t0, t1));
  if (!(high >= low - 1e-9)) return;
  const int points = (high - low) * std::sqrt(aa) > 1e-6 * scale ? 2 : 1;
  for (int i = 0; i < points; ++i) {
    const double t = i == 0 ? low : high,
                 u = std::abs(t1 - t0) > 1e-12 ? std::clamp((t - t0) / (t1 - t0), 0.0, 1.0) : 0.0;
    const Vec3 pa = a.point[0] + da * t, pb = b.point[0] + db * u;
    const double gap = n.dot(pb - pa);
    if (gap < margin) out.points[out.count++] = {pa, gap, static_cast<std::uint32_t>(i)};
  }
}

}  // namespace

bool touchingFeatures(const Pair& pair, const Separation& separation, double margin, LocalManifold& out) {
  const Vec3& n = separation.axis.normal;
  Feature a, b;
  featureAlong(pair.a, n, a);
  featureAlong(pair.b, pair.rotation.transpose() * -n, b);
  place(b, pair.rotation, pair.offset);
  out.count = 0;
  const bool preferB = !a.flat() || (a.kind == Feature::Kind::disc && b.kind == Feature::Kind::polygon);
  if (a.flat() && !(preferB && b.flat()))
    clipFeatures(a, b, n, true, pair.scale, margin, out);
  else if (b.flat())
    clipFeatures(b, a, -n, false, pair.scale, margin, out);
  else if (a.kind == Feature::Kind::line && b.kind == Feature::Kind::line)
    lines(a, b, n, pair.scale, margin, out);
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < out.count; ++i) least = std::min(least, out.points[i].gap);
  return least <= separation.axis.gap + 1e-9 * pair.scale;
}

void addWitness(const Pair& pair, const Separation& separation, double margin, LocalManifold& out) {
  const Vec3& n = separation.axis.normal;
  const double gap = separation.axis.gap;
  if (!(gap < margin)) return;
  Vec3 at = separation.witness.a;
  if (!separation.hasWitness) {
    // Drawn apart along the normal until they just part, the closest points of the cores are those that touch first.
    Pair apart = pair;
    const double clear = 1e-4 * pair.scale;
    apart.offset += n * (clear - gap);
    const GjkResult found = gjk(apart, std::numeric_limits<double>::infinity());
    at = found.apart ? found.witness.a : Vec3(0.5 * (pair.supportA(n) + pair.supportB(-n)) - n * (0.5 * gap));
  }
  int deepest = -1;
  for (int i = 0; i < out.count; ++i)
    if (deepest < 0 || out.points[i].gap < out.points[deepest].gap) deepest = i;
  // A near neighbour gives way: two points almost in one place help nobody.
  if (deepest >= 0 && (out.points[deepest].a - at).norm() < 0.02 * pair.scale) {
    out.points[deepest].a = at;
    out.points[deepest].gap = gap;
    return;
  }
  if (out.count == LocalManifold::capacity) --out.count;
  out.points[out.count++] = {at, gap, 0xffffffffu};
}

void thin(LocalManifold& m, const Vec3& normal, int most) {
  if (m.count <= most) return;
  // Seven directions at odd angles, so that the corners of regular polygons do not tie.
  static constexpr double compass[7][2] = {
      {0.99500417, 0.09983342},   {0.54236000, 0.84014700},   {-0.31869500, 0.94785800}, {-0.93972900, 0.34191400},
      {-0.85313800, -0.52168500}, {-0.12412400, -0.99226700}, {0.69835700, -0.71574900}};
  const Vec3 u = perpendicular(normal), w = normal.cross(u);
  std::array<int, 8> chosen;
  int count = 0;
  const auto choose = [&](int i) {
    for (int k = 0; k < count; ++k)
      if (chosen[k] == i) return;
    chosen[count++] = i;
  };
  int deepest = 0;
  for (int i = 1; i < m.count; ++i)
    if (m.points[i].gap < m.points[deepest].gap) deepest = i;
  choose(deepest);
  const int directions = std::min(most - 1, 7);
  const auto chooseAlong = [&](const double(&c)[2]) {
    int best = 0;
    double far = 0;
    for (int i = 0; i < m.count; ++i) {
      const double x = c[0] * u.dot(m.points[i].a) + c[1] * w.dot(m.points[i].a);
      if (i == 0 || x > far) {
        far = x;
        best = i;
      }
    }
    choose(best);
  };
  for (int d = 0; d < directions; ++d) chooseAlong(compass[directions < 7 ? d * 7 / directions : d]);
  // Where one point is an extreme twice, or the deepest one, others have their turn: three are easily too few.
  for (int d = 0; d < 7 && count < most; ++d) chooseAlong(compass[d]);
  std::array<LocalContact, 8> kept;
  for (int i = 0; i < count; ++i) kept[i] = m.points[chosen[i]];
  for (int i = 0; i < count; ++i) m.points[i] = kept[i];
  m.count = count;
}

}  // namespace reeve::narrow
