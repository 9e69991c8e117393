#pragma once
// A chain of bodies on ball joints as numbers that any engine can take, and what it is judged by.
#include <functional>
#include <optional>
#include <vector>

#include "plain_chain.h"
#include "reeve/math/types.h"
#include "reeve/model/description.h"

namespace reeve::race {

/// Where the links are.
struct ChainPose {
  std::vector<Vec3> places;
  std::vector<Quat> turns;
};

/// Seven numbers a link, position and quaternion w x y z.
inline ChainPose poseOf(const std::vector<double>& seven) {
  ChainPose now;
  for (std::size_t i = 0; i < seven.size(); i += 7) {
    now.places.emplace_back(seven[i], seven[i + 1], seven[i + 2]);
    now.turns.emplace_back(seven[i + 3], seven[i + 4], seven[i + 5], seven[i + 6]);
  }
  return now;
}

struct ChainShape {
  struct Link {
    Vec3 position;  ///< of the centre of mass, world
    Quat orientation;
    double mass;
    Vec3 inertia;               ///< principal, about the body's axes
    Vec3 anchorBefore, anchor;  ///< of its joint: on the link before it (or the world), and on this one
  };
  std::vector<Link> links;
  std::optional<Vec3> end;  ///< where the last link is held too, world
  Vec3 endAnchor = Vec3::Zero();
  double length = 0.0;  ///< m, of one link
  double gravity = 0.0;

  /// Joint i holds body i to the one before it, the first to the world; one more holds the last to the world.
  explicit ChainShape(const Description& d) : gravity(-d.settings.gravity.z()) {
    for (std::size_t i = 0; i < d.bodies.size(); ++i) {
      const BodySettings& b = d.bodies[i].second;
      const Vec3 anchor = d.joints[i].second.anchor;
      Link l{b.position, b.orientation, *b.mass, *b.inertia, anchor, b.orientation.conjugate() * (anchor - b.position)};
      if (i > 0) l.anchorBefore = links[i - 1].orientation.conjugate() * (anchor - links[i - 1].position);
      links.push_back(l);
    }
    length = (d.joints[1].second.anchor - d.joints[0].second.anchor).norm();
    if (d.joints.size() == d.bodies.size()) return;
    end = d.joints.back().second.anchor;
    endAnchor = links.back().orientation.conjugate() * (*end - links.back().position);
  }

  /// As plain numbers, which are kept in `room`.
  PlainChain plain(std::vector<PlainLink>& room) const {
    room.clear();
    for (const Link& l : links) {
      const Quat& q = l.orientation;
      PlainLink& link = room.emplace_back(PlainLink{{}, {q.w(), q.x(), q.y(), q.z()}, l.mass, {}, {}, {}});
      for (int k = 0; k < 3; ++k) {
        link.place[k] = l.position[k], link.inertia[k] = l.inertia[k];
        link.anchorBefore[k] = l.anchorBefore[k], link.anchor[k] = l.anchor[k];
      }
    }
    return {room.data(), static_cast<int>(room.size()), gravity, end ? end->data() : nullptr, endAnchor.data()};
  }

  /// Widest gap of a joint over the length of a link.
  double gap(const ChainPose& now) const {
    double worst = 0.0;
    const auto take = [&](const Vec3& here, const Vec3& there) {
      const double apart = (here - there).norm();
      worst = apart < worst ? worst : apart;  // NaN stays
    };
    const auto at = [&](std::size_t i, const Vec3& anchor) { return Vec3(now.places[i] + now.turns[i] * anchor); };
    for (std::size_t i = 0; i < links.size(); ++i)
      take(at(i, links[i].anchor), i == 0 ? links[i].anchorBefore : at(i - 1, links[i].anchorBefore));
    if (end) take(at(links.size() - 1, endAnchor), *end);
    return worst / length;
  }

  /// Its joints from the first on, and its held end.
  std::vector<Vec3> line(const ChainPose& now) const {
    std::vector<Vec3> points;
    for (std::size_t i = 0; i < links.size(); ++i) points.push_back(now.places[i] + now.turns[i] * links[i].anchor);
    if (end) points.push_back(now.places.back() + now.turns.back() * endAnchor);
    return points;
  }

  /// Kinetic and potential energy, J. Velocities and spins are in the world frame.
  double energy(const ChainPose& now, const std::vector<Vec3>& velocities, const std::vector<Vec3>& spins) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Link& l = links[i];
      const Vec3 w = now.turns[i].conjugate() * spins[i];
      sum += 0.5 * l.mass * velocities[i].squaredNorm() + 0.5 * w.dot(l.inertia.cwiseProduct(w)) +
             l.mass * gravity * now.places[i].z();
    }
    return sum;
  }
};

/// Called after every step of a run that is judged; the last answer counts. Each run has a copy of its own.
using ChainJudge = std::function<double(const ChainShape&, const ChainPose&, double time)>;
/// The same of a line through a cable, from its first end on.
using LineJudge = std::function<double(const std::vector<Vec3>& line, double time)>;

inline ChainJudge alongLine(const LineJudge& judge) {
  return [judge](const ChainShape& shape, const ChainPose& now, double time) { return judge(shape.line(now), time); };
}

/// The widest gap so far.
inline ChainJudge widestGap() {
  return [worst = 0.0](const ChainShape& shape, const ChainPose& now, double) mutable {
    const double gap = shape.gap(now);
    worst = gap < worst ? worst : gap;
    return worst;
  };
}

}  // namespace reeve::race
