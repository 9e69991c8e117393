#include "reeve/cables/chain/point_chain.h"

#include <algorithm>
#include <cmath>

#include "reeve/cables/chain/segment_joint.h"
#include "reeve/math/rotation.h"

namespace reeve {

namespace {
Vec3 along(const Instant& now, const Anchor& a, const Anchor& b, double& length) {
  const Vec3 d = now.point(b) - now.point(a);
  length = std::max(d.norm(), 1e-12);
  return d / length;
}
Vec3 across(const Vec3& direction, const Vec3& g) { return g - direction * direction.dot(g); }
}  // namespace

std::expected<std::unique_ptr<Cable>, Problem> PointChain::make(const CableSite& site) {
  const std::string path = "/cables/" + site.name;
  auto chain = std::make_unique<PointChain>();
  chain->settings_ = *site.settings;
  chain->mounts_ = site.links;
  if (auto ok = check(*site.settings, path); !ok) return std::unexpected(ok.error());
  for (std::size_t i = 0; i < site.links.size(); ++i) {
    const LinkSettings& s = site.settings->route[i];
    if (s.type != LinkType::attach || site.links[i].rotor >= 0)
      return std::unexpected(Problem{path + "/route/" + std::to_string(i),
                                     "a chain through points is attached to particles and bodies",
                                     "use attach on a particle or a body"});
    chain->points_.push_back({site.links[i].block, site.links[i].center_B + s.point});
  }
  for (int i = 0; i < chain->links(); ++i) {
    const double length = (site.now->point(chain->point(i + 1)) - site.now->point(chain->point(i))).norm();
    if (length < 1e-9)
      return std::unexpected(Problem{path + "/route/" + std::to_string((i + 1) % chain->count()),
                                     "two neighbouring points are at the same place", "move one"});
    chain->rest_.push_back(length);
  }
  chain->bending_ = site.settings->material.bending > 0.0;
  double total = 0.0;
  for (const double r : chain->rest_) total += r;
  if (site.settings->length)
    for (double& r : chain->rest_) r *= *site.settings->length / total;
  return chain;
}

double PointChain::compliance(int i) const {
  if (settings_.compliance) return *settings_.compliance;
  return settings_.material.axial == unbounded ? 0.0 : rest(i) / settings_.material.axial;
}

void PointChain::frameAcross(const Instant& now, int bend, BendMemory& frame) const {
  double length;
  const Vec3 u = along(now, point(bend), point(bend + 1), length);
  Vec3 e1 = across(u, frame.e[0].vec()), e2;
  if (e1.norm() < 0.1) orthonormalBasis(u, e1, e2);
  e1.normalize();
  e2 = u.cross(e1);
  frame.e[0].set(e1);
  frame.e[1].set(e2);
}

void PointChain::start(const Instant& now, std::span<double> remembered, std::span<Sheet>) const {
  for (int i = 0; i < bends(); ++i) {
    BendMemory& frame = overlay<BendMemory>(remembered, numbersIn<BendMemory> * i);
    frame = {};
    frameAcross(now, i, frame);
  }
}

void PointChain::finish(const Instant& now, State& state, Events&) const {
  for (int i = 0; i < bends(); ++i) frameAcross(now, i, bendMemory(state, i));
}

void PointChain::rows(const Instant& now, RowSet& out) const {
  for (int i = 0; i < links(); ++i) {
    double length;
    const Vec3 n = along(now, point(i), point(i + 1), length);
    out.group();
    Row& row = out.add(slot + i);
    row.error = length - rest(i);
    row.compliance = compliance(i);
    row.damping = settings_.material.damping;
    pushPoint(now, point(i), -n, out);
    pushPoint(now, point(i + 1), n, out);
  }
  for (int i = 0; i < bends(); ++i) {
    double before, after, f, fc;
    const Vec3 u = along(now, point(i), point(i + 1), before), v = along(now, point(i + 1), point(i + 2), after);
    const Vec3 turn = u.cross(v);
    swingFactor(turn.norm(), u.dot(v), settings_.bendGrowth, f, fc);
    out.group();
    for (int k = 0; k < 2; ++k) {
      const Vec3 e = bendMemory(now.past(), i).e[k].vec();
      const double sine = e.dot(turn);
      Row& row = out.add(slot + links() + 2 * i + k);
      row.error = f * sine;
      row.compliance = bendCompliance(i);
      row.damping = settings_.material.damping;
      const Vec3 gu = across(u, f * v.cross(e) + fc * sine * v) / before;
      const Vec3 gv = across(v, f * e.cross(u) + fc * sine * u) / after;
      pushPoint(now, point(i), -gu, out);
      pushPoint(now, point(i + 1), gu - gv, out);
      pushPoint(now, point(i + 2), gv, out);
    }
  }
}

void PointChain::stiffness(const Instant& now, std::span<const double> force, PatchSet& out) const {
  for (int i = 0; i < links(); ++i) {
    double length;
    const Vec3 n = along(now, point(i), point(i + 1), length);
    const double load = force[static_cast<std::size_t>(slot + i)];
    pairStiffness(now, point(i), point(i + 1), std::max(-load, 0.0) / length * (Mat3::Identity() - n * n.transpose()),
                  out);
    leverStiffness(now, point(i), -load * n, out);
    leverStiffness(now, point(i + 1), load * n, out);
  }
}

void PointChain::bendAt(const Instant& now, int i, const BendMemory& frame, double (&bend)[2]) const {
  double before, after, f, fc;
  const Vec3 u = along(now, point(i), point(i + 1), before), v = along(now, point(i + 1), point(i + 2), after);
  const Vec3 turn = u.cross(v);
  swingFactor(turn.norm(), u.dot(v), settings_.bendGrowth, f, fc);
  for (std::size_t k = 0; k < 2; ++k) bend[k] = f * turn.dot(frame.e[k].vec());
}

/// Of how it is deformed: the force holds damping too.
double PointChain::elasticEnergy(const Instant& now, std::span<const double> force) const {
  double sum = 0.0;
  for (int i = 0; i < links(); ++i) {
    double length;
    along(now, point(i), point(i + 1), length);
    sum += storedEnergy(length - rest(i), compliance(i), settings_.material.damping,
                        force[static_cast<std::size_t>(slot + i)]);
  }
  for (int i = 0; i < bends(); ++i) {
    double bend[2];
    bendAt(now, i, bendMemory(now.past(), i), bend);
    for (int k = 0; k < 2; ++k)
      sum += storedEnergy(bend[k], bendCompliance(i), settings_.material.damping,
                          force[static_cast<std::size_t>(slot + links() + 2 * i + k)]);
  }
  return sum;
}

void PointChain::view(const Instant& now, const State& state, std::vector<LinkView>& views,
                      std::vector<SpanView>& spans) const {
  views.clear();
  spans.clear();
  for (std::size_t i = 0; i < points_.size(); ++i) {
    LinkView& v = views.emplace_back();
    v.on = &mounts_[i].name;
    v.mode = "fixed";
    v.entry = v.exit = now.point(points_[i]);
  }
  for (int i = 0; i < links(); ++i) {
    SpanView& v = spans.emplace_back();
    v.from = i;
    v.to = (i + 1) % count();
    v.start = now.point(point(i));
    v.end = now.point(point(i + 1));
    v.length = (v.end - v.start).norm();
    v.rest = rest(i);
    v.tension = -state.force[static_cast<std::size_t>(slot + i)];
    const Vec3 pull = v.tension * (v.end - v.start) / std::max(v.length, 1e-12);
    views[static_cast<std::size_t>(i)].force += pull;
    views[static_cast<std::size_t>(v.to)].force -= pull;
  }
}

void PointChain::draw(const Instant& now, const State& state, std::vector<Vec3>& points,
                      std::vector<double>& tensions) const {
  points.clear();
  tensions.clear();
  for (int i = 0; i <= links(); ++i) {
    points.push_back(now.point(point(i)));
    tensions.push_back(-state.force[static_cast<std::size_t>(slot + std::min(i, links() - 1))]);
  }
}

}  // namespace reeve
