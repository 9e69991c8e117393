#pragma once
// The stiffness of a span (tangent_span.h) by blocks of its two bodies.
#include "reeve/geometry/tangent_span.h"

namespace reeve {

using Mat6 = Eigen::Matrix<double, 6, 6, Eigen::RowMajor>;

/// What the stiffness of a span depends on.
struct SpanLine {
  struct End {
    Vec3 point, origin, axis;  ///< contact, and origin and normal of the link's plane
  };
  double length = 0.0;    ///< [m]
  Vec3 n = Vec3::Zero();  ///< from link 1 to link 2
  End end[2];
};

inline SpanLine lineOf(const SpanGeometry& s) {
  return {s.length,
          s.n,
          {{s.end[0].point, s.end[0].origin, s.end[0].axis}, {s.end[1].point, s.end[1].origin, s.end[1].axis}}};
}

/// An end of a span between two circles in one plane (circle_span.h).
struct CircleEnd {
  Vec3 lever, arm;  ///< m, from the body's reference to the circle's centre, and on to the contact
  double radius;    ///< m
  bool rotor;       ///< it turns freely about its axis
};
/// Adds spanStiffnessPositive() of such a span to the blocks of body 1, of body 2, and between them, in closed form.
/// Blocks that are null are not wanted. The span needs a length.
void addCircleStiffness(const Vec3& n, double length, double tension, const CircleEnd (&end)[2], Mat6* k11, Mat6* k22,
                        Mat6* k12);

/// spanStiffnessPositive() of body 1, of body 2, and between them. Blocks that are null are not wanted.
void spanStiffnessPositive(const SpanLine& span, double tension, const SpanMount& mount1, const SpanMount& mount2,
                           Mat6* k11, Mat6* k22, Mat6* k12);

}  // namespace reeve
