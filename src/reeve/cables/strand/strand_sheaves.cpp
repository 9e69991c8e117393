// Tackles of a strand: which of its wheels make one, and a strand seen with them.
#include <algorithm>
#include <cmath>

#include "reeve/cables/strand/strand_build.h"

namespace reeve {

namespace {
/// How near axles and planes of wheels on one body have to be to count as one, m and rad.
constexpr double sameDisc = 1e-12;
/// A wheel's disc is looked for among the last few.
constexpr std::size_t discsBack = 8;
}  // namespace

/// A wheel in a tackle never slips, and turns about the normal of its plane.
bool StrandBuild::rolls(int st) const {
  if (!station(st).wheel) return false;
  const Wheel& w = wheel(station(st).index);
  const Vec3& axis = w.mount.axis_B;
  return !w.drum && w.slip < 0 && w.mount.rotor >= 0 && w.outline.isCircle() &&
         std::min((axis - w.normal_B).norm(), (axis + w.normal_B).norm()) < sameDisc;
}

void StrandBuild::addSheave(int st, Tackle& t) const {
  const Wheel& w = wheel(station(st).index);
  std::size_t found = t.discs.size();
  for (std::size_t k = found > discsBack ? found - discsBack : 0; k < t.discs.size() && found == t.discs.size(); ++k) {
    const Tackle::Disc& d = t.discs[k];
    if (d.block == w.mount.block && (d.x_B - w.x_B).norm() + (d.y_B - w.y_B).norm() < sameDisc &&
        std::fabs(d.normal_B.dot(w.center_B - d.base_B)) < sameDisc)
      found = k;
  }
  if (found == t.discs.size()) t.discs.push_back({w.mount.block, w.still, w.center_B, w.x_B, w.y_B, w.normal_B});
  const Tackle::Disc& d = t.discs[found];
  Tackle::Sheave s;
  s.disc = static_cast<int>(found);
  s.rotor = w.mount.rotor;
  s.wheel = station(st).index;
  s.a = d.x_B.dot(w.center_B - d.base_B);
  s.b = d.y_B.dot(w.center_B - d.base_B);
  s.radius = w.outline.radius();
  s.side = w.side;
  s.axle = w.mount.axis_B.dot(w.normal_B) < 0.0 ? -1.0 : 1.0;
  t.sheaves.push_back(s);
}

/// Strands whose nodes come and go, that stretch, are lumped or hold twist, need every span as it is.
void StrandBuild::makeTackles() {
  const bool plain =
      !touches_ && breaks_ < 0 && !twist_.held && !settings_.lumped && settings_.material.axial == unbounded;
  rollsOnly_ = !touches_ && grounds_.empty() &&
               std::all_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.flow < 0; }) &&
               std::all_of(wheels_.begin(), wheels_.end(), [](const Wheel& w) { return w.slip < 0; });
  std::vector<char> falls(segments_.size(), 0), inside(wheels_.size(), 0);
  wheelStation_.assign(wheels_.size(), 0);
  reeved_.assign(wheels_.size(), 0);
  for (int st = 0; st < stationCount(); ++st)
    if (station(st).wheel) wheelStation_[at(station(st).index)] = st;
  for (int st = 0; plain && st < stationCount(); ++st) {
    int last = st;
    if (!rolls(st)) continue;
    while (last + 1 < stationCount() && rolls(last + 1)) ++last;
    if (last > st) {
      Tackle& t = tackles_.emplace_back();
      t.first = st;
      t.fall = st;
      for (int k = st; k <= last; ++k) {
        addSheave(k, t);
        reeved_[at(station(k).index)] = 1;
        inside[at(station(k).index)] = k > st && k < last;
        if (k == last) break;
        falls[at(k)] = 1;
        t.slack.push_back(segments_[at(k)].unilateral ? 1 : 0);
      }
    }
    st = last;
  }
  for (int i = 0; i < wheelCount(); ++i)
    if (!inside[at(i)]) outside_.push_back(i);
  for (int st = 0; st < stationCount(); ++st)
    if (!station(st).wheel || !reeved_[at(station(st).index)]) freeStations_.push_back(st);
  for (int i = 0; i < segmentCount(); ++i)
    if (!falls[at(i)]) freeSpans_.push_back(i);
}

}  // namespace reeve
