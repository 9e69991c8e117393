#pragma once
// A chain of bodies on ball joints as numbers that any engine can take, and how far its joints have come apart.
#include <vector>

#include "reeve/math/types.h"
#include "reeve/model/description.h"

namespace reeve::race {

struct ChainShape {
  struct Link {
    Vec3 position;  ///< of the centre of mass, world
    Quat orientation;
    double mass;
    Vec3 inertia;               ///< principal, about the body's axes
    Vec3 anchorBefore, anchor;  ///< of its joint: on the link before it (or the world), and on this one
  };
  std::vector<Link> links;
  double length = 0.0;  ///< m, of one link
  double gravity = 0.0;

  explicit ChainShape(const Description& d) : gravity(-d.settings.gravity.z()) {
    for (std::size_t i = 0; i < d.bodies.size(); ++i) {
      const BodySettings& b = d.bodies[i].second;
      const Vec3 anchor = d.joints[i].second.anchor;
      Link l{b.position, b.orientation, *b.mass, *b.inertia, anchor, b.orientation.conjugate() * (anchor - b.position)};
      if (i > 0) l.anchorBefore = links[i - 1].orientation.conjugate() * (anchor - links[i - 1].position);
      links.push_back(l);
    }
    length = (d.joints[1].second.anchor - d.joints[0].second.anchor).norm();
  }

  /// Widest gap of a joint over the length of a link. place(i) and turn(i) give a link where it is now.
  template <class Place, class Turn>
  double gap(Place place, Turn turn) const {
    double worst = 0.0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Vec3 here = place(i) + turn(i) * links[i].anchor;
      const Vec3 there = i == 0 ? links[i].anchorBefore : Vec3(place(i - 1) + turn(i - 1) * links[i].anchorBefore);
      const double apart = (here - there).norm();
      worst = apart < worst ? worst : apart;  // NaN stays
    }
    return worst / length;
  }

  /// Kinetic and potential energy, J. spin(i) is in the world frame.
  template <class Place, class Turn, class Velocity, class Spin>
  double energy(Place place, Turn turn, Velocity velocity, Spin spin) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < links.size(); ++i) {
      const Link& l = links[i];
      const Vec3 w = turn(i).conjugate() * spin(i);
      sum += 0.5 * l.mass * velocity(i).squaredNorm() + 0.5 * w.dot(l.inertia.cwiseProduct(w)) +
             l.mass * gravity * place(i).z();
    }
    return sum;
  }
};

}  // namespace reeve::race
