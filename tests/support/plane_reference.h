#pragma once
// An independent integration of machines in the x-z plane with one massless rope that cannot stretch: what the library
// is compared with. It shares nothing with it but the description of the scene.
//
// Coordinates: x, z and the turn θ about y of each free body, the absolute spin φ of each rotor. With u(δ) the
// direction at the angle δ from z toward x, a span leaves link i and comes to link j along u(δ), D the way from centre
// to centre,
//     w = s_j r_j − s_i r_i,   ℓ = √(|D|² − w²),   δ = angle of D − asin(w/|D|),
// s = ±1 the side of the rope. The rope slides over some links and sticks to others, which divide it into runs. The
// length of each run is constant:
//     C = Σ ℓ + Σ r s (δ_out − δ_in) − r_i s_i (φ_i − δ_out,i) + r_j s_j (φ_j − δ_in,j) − C(0),
// sums over its spans and the links it slides over, i and j the links it sticks to at its ends.
//     M q̈ = F − Jᵀ T,   J q̈ = −γ − 2 a Ċ − a² C
// with J and γ = q̇ᵀ ∂²C q̇ by differences of C, and Runge-Kutta of fourth order in time.
#include <string>
#include <vector>

#include "reeve/model/description.h"

namespace reeve::test {

class PlaneReference {
 public:
  explicit PlaneReference(const Description& scene);
  /// One step. False, and nothing done, if the motion stops being smooth: a run goes slack, the rope lifts off a link,
  /// or things come close to each other.
  bool step(double h);
  /// Of the body of this place in the scene.
  double x(int body) const { return q_[static_cast<std::size_t>(3 * body)]; }
  double z(int body) const { return q_[static_cast<std::size_t>(3 * body + 1)]; }
  double energy() const;
  double tension(int run) const { return tension_[static_cast<std::size_t>(run)]; }

 private:
  using Numbers = std::vector<double>;
  struct Link {
    int body = -1, rotor = -1;  ///< in the scene; -1: the world, none
    double px = 0.0, pz = 0.0;  ///< of its centre, on the body
    double radius = 0.0, side = 1.0;
    bool sticks = false;
  };
  struct Run {
    int first = 0, last = 0;  ///< links
  };
  void centre(const Numbers& q, const Link& l, double& x, double& z) const;
  double spin(const Numbers& q, const Link& l) const;
  double span(const Numbers& q, int i, double& direction, double& apart) const;
  double lengthOf(const Numbers& q, const Run& run) const;
  bool accelerate(const Numbers& q, const Numbers& v, Numbers& a);
  bool smooth(const Numbers& q) const;

  int bodies_ = 0;
  std::vector<Link> links_;
  std::vector<Run> runs_;
  Numbers mass_, weight_, q_, v_, start_, tension_;
  Numbers direction_;  ///< of the spans, where they were last: turns are counted
};

}  // namespace reeve::test
