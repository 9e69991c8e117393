#pragma once
// An independent solution of scenes/newton-rollers.json without friction: an exact ellipse or sector on its axle, under
// a cable from a hand that moves to a loaded slider. Three equations (angle, height of the load, length of the route)
// by Runge and Kutta in small steps; nothing of Reeve's is used.
namespace reeve::trials {

struct FreeRoller {
  /// Semi-axes or radius and opening, m and rad; `start` is the angle about y at the start.
  static FreeRoller ellipse(double a, double b, double start);
  static FreeRoller sector(double radius, double opening, double start);

  void advance(double until);  ///< s
  double tension() const;      ///< N, of both spans

  double angle = 0.0;  ///< rad, from the start

 private:
  struct Point {
    double x, z;
  };
  struct Rates {
    double angle, rate, height, speed, stretch;
  };
  Point contact(double turn, double px, double pz, bool left) const;
  Rates rates(double time, const Rates& state) const;

  double a_ = 0.0, b_ = 0.0, opening_ = 0.0, start_ = 0.0;
  double time_ = 0.0, rate_ = 0.0, height_ = 0.7, speed_ = 0.0, stretch_ = 0.0, stretching_ = 0.0;
};

}  // namespace reeve::trials
