// The joint between two segments of a chain: angles against rotations, Jacobians against finite differences.
#include <gtest/gtest.h>

#include <cmath>

#include "reeve/cables/chain/segment_joint.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve::test {
namespace {

/// Two rigid blocks beside the world, joined at their ends.
struct Pair {
  Model model;
  State state;
  Instant now;
  SegmentJoint joint;

  Pair() {
    for (int i = 0; i < 3; ++i) {
      Block b;
      b.q = 7 * i;
      b.v = 6 * i;
      b.dof = 6;
      b.rotates = true;
      b.free = i > 0;
      b.mass = 1.0;
      b.inertia_B = Mat3::Identity();
      model.blocks.push_back(b);
    }
    state.q.assign(21, 0.0);
    state.v.assign(18, 0.0);
    state.u = state.p = state.pOld = state.v;
    for (int i = 0; i < 3; ++i) place(i, Vec3::Zero(), Quat::Identity());
    joint.a = {1, Vec3(0.01, 0.02, 0.5)};
    joint.b = {2, Vec3(-0.03, 0.01, -0.4)};
    joint.bends = joint.twists = true;
  }
  void place(int block, const Vec3& x, const Quat& q) {
    const std::size_t i = static_cast<std::size_t>(7 * block);
    const double values[] = {x.x(), x.y(), x.z(), q.w(), q.x(), q.y(), q.z()};
    std::copy(values, values + 7, state.q.begin() + static_cast<std::ptrdiff_t>(i));
  }
  const Instant& look() {
    now.bind(model, state);
    now.rewind();
    return now;
  }
  /// Moves both blocks by u (twelve numbers) from the state.
  const Instant& moved(const Eigen::Matrix<double, 12, 1>& u) {
    now.bind(model, state);
    now.rewind();
    for (int k = 0; k < 12; ++k) now.u[static_cast<std::size_t>(6 + k)] = u[k];
    now.place(0.0, 1.0);
    return now;
  }
};

Eigen::Matrix<double, 6, 1> errors(const Instant& now, const SegmentJoint& j, double remembered) {
  RowSet rows;
  j.rows(now, remembered, 0, rows);
  Eigen::Matrix<double, 6, 1> c;
  for (int k = 0; k < 6; ++k) c[k] = rows.rows[static_cast<std::size_t>(k)].error;
  return c;
}

TEST(SegmentJoint, DampedOrNotItPassesOnNoMomentAndDampedItDoesNotFeelATurnOfTheWhole) {
  Pair p;
  p.joint.damping = 0.1;
  p.place(1, Vec3(0.1, 0.2, 0.3), rotationExp(Vec3(0.7, 0.4, -1.1)));
  p.place(2, Vec3(0.2, 0.5, 1.4), rotationExp(Vec3(0.2, 0.9, -0.3)));
  const Instant& now = p.look();
  RowSet rows;
  p.joint.rows(now, 0.0, 0, rows);
  const Vec3 turn(0.3, -0.8, 0.5);
  for (const Row& row : rows.rows) {
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
    double rate = 0.0;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const Entry& entry = rows.entries[static_cast<std::size_t>(e)];
      const Vec3 f(entry.j[0], entry.j[1], entry.j[2]), m(entry.j[3], entry.j[4], entry.j[5]);
      const Vec3 x = now.position(entry.block);
      force += f;
      moment += x.cross(f) + m;
      rate += f.dot(turn.cross(x)) + m.dot(turn);
    }
    EXPECT_LT(force.norm(), 1e-15);
    EXPECT_LT(moment.norm(), 1e-15);
    EXPECT_NEAR(rate, 0.0, 1e-15);
  }
}

TEST(SegmentJoint, RowsAreTheExactGradientOfTheirErrorsInAnyPose) {
  for (const TwistMeasure measure : {TwistMeasure::parallel, TwistMeasure::crossed})
    for (const double bend : {0.0, 1e-5, 0.3, 1.5, 2.8})
      for (const double twist : {0.0, 0.4, 3.0, 20.0}) {
        Pair p;
        p.joint.measure = measure;
        p.joint.growth = twist == 3.0 ? 0.7 : 0.0;
        p.joint.frameA = rotationExp(Vec3(0.3, -0.2, 0.9)).toRotationMatrix();
        p.joint.frameB = rotationExp(Vec3(-0.5, 0.1, 0.2)).toRotationMatrix();
        const Quat qa = rotationExp(Vec3(0.7, 0.4, -1.1));
        // E_b = E_a · swing · twist, so that the deformation is the asked one.
        const Quat swing = rotationExp(bend * Vec3(0.6, 0.8, 0)), turn = rotationExp(Vec3(0, 0, twist));
        const Mat3 eb = qa.toRotationMatrix() * p.joint.frameA * (swing * turn).toRotationMatrix();
        p.place(1, Vec3(0.1, 0.2, 0.3), qa);
        p.place(2, Vec3(0.2, 0.3, 1.4), Quat(Mat3(eb * p.joint.frameB.transpose())));
        const auto c0 = errors(p.look(), p.joint, twist);
        if (measure == TwistMeasure::parallel) {
          const double law = 1.0 + p.joint.growth * bend * bend;
          EXPECT_NEAR(c0[3], 0.6 * bend * law, 1e-12);
          EXPECT_NEAR(c0[4], 0.8 * bend * law, 1e-12);
          EXPECT_NEAR(c0[5], twist, 1e-12);
        }
        RowSet rows;
        p.joint.rows(p.now, twist, 0, rows);
        constexpr double e = 1e-6;
        const double scale = bend > 2.0 ? 30.0 : 1.0;  // near a fold the third derivatives are large
        for (int k = 0; k < 12; ++k) {
          Eigen::Matrix<double, 12, 1> u = Eigen::Matrix<double, 12, 1>::Zero();
          u[k] = e;
          const auto up = errors(p.moved(u), p.joint, twist);
          u[k] = -e;
          const auto down = errors(p.moved(u), p.joint, twist);
          for (int r = 0; r < 6; ++r) {
            const Row& row = rows.rows[static_cast<std::size_t>(r)];
            double j = 0.0;
            for (int i = row.first; i < row.first + row.count; ++i) {
              const Entry& entry = rows.entries[static_cast<std::size_t>(i)];
              if (entry.block == 1 + k / 6) j = entry.j[k % 6];
            }
            EXPECT_NEAR((up[r] - down[r]) / (2 * e), j, 2e-9 * scale)
                << "row " << r << " along " << k << " bend " << bend << " twist " << twist;
          }
        }
      }
}

TEST(SegmentJoint, TwistIsCountedThroughWholeTurnsAndForwardsAsWellAsBack) {
  Pair p;
  double remembered = 0.0;
  for (const double sign : {1.0, -1.0})
    for (int k = 0; k < 400; ++k) {
      const double before = remembered;
      Eigen::Matrix<double, 12, 1> u = Eigen::Matrix<double, 12, 1>::Zero();
      u[11] = sign * 2.9;  // nearly half a turn a step
      remembered = p.joint.shape(p.moved(u), remembered).twist;
      ASSERT_NEAR(remembered, before + sign * 2.9, 1e-9);
      p.state.q = p.now.q;
    }
  EXPECT_NEAR(remembered, 0.0, 1e-9);
}

TEST(SegmentJoint, PureBendingShowsNoTwistInTheParallelFormAndOnlySecondOrderInTheCrossedForm) {
  for (const double bend : {0.1, 0.5, 1.0}) {
    Pair p;
    p.place(2, Vec3(0, 0, 1), rotationExp(bend * Vec3(std::sqrt(0.5), std::sqrt(0.5), 0)));
    EXPECT_NEAR(p.joint.shape(p.look(), 0.0).twist, 0.0, 1e-15);
    p.joint.measure = TwistMeasure::crossed;
    const double leak = p.joint.shape(p.now, 0.0).twist;
    EXPECT_LT(std::fabs(leak), 0.3 * bend * bend);
    EXPECT_GT(std::fabs(leak), 0.1 * bend * bend);
  }
}

TEST(SegmentJoint, WhatTheCrossedFormShowsOfABendIsTheClosedFormToSecondOrder) {
  for (const double twist : {0.0, 0.4, 1.2, 2.5, 9.7})
    for (const double towards : {0.0, 0.6, 1.5, 2.4}) {
      constexpr double bend = 1e-3;
      Pair p;
      p.joint.measure = TwistMeasure::crossed;
      const Quat swing = rotationExp(bend * Vec3(std::cos(towards), std::sin(towards), 0));
      p.place(2, Vec3(0, 0, 1), swing * rotationExp(Vec3(0, 0, twist)));
      const double mixed = -bend * bend * std::cos(twist) * (std::sin(twist) / 8 + std::sin(2 * towards - twist) / 4);
      EXPECT_NEAR(p.joint.shape(p.look(), twist).twist - twist, mixed, 1e-12);
    }
}

TEST(SegmentJoint, RestTwistAndRestBendMeanNoLoad) {
  Pair p;
  p.joint.restTwist = 9.0;  // more than a turn
  p.joint.frameB = rotationExp(Vec3(0.4, 0.2, 0)).toRotationMatrix().transpose();
  const Quat rest = rotationExp(Vec3(0, 0, 9.0)) * rotationExp(Vec3(0.4, 0.2, 0));
  p.place(2, Vec3(0, 0, 0.9), rest);
  const SegmentJoint::Shape s = p.joint.shape(p.look(), 0.0);
  EXPECT_NEAR(s.bend[0], 0.0, 1e-14);
  EXPECT_NEAR(s.bend[1], 0.0, 1e-14);
  EXPECT_NEAR(s.twist, 0.0, 1e-14);
}

TEST(SegmentJoint, StiffeningRowsAskForTheLawAndHaveItsTangent) {
  Pair p;
  p.joint.bends = p.joint.twists = false;
  p.joint.stretch = 2e-3;
  p.joint.stiffens = 40.0;
  p.state.force = {30.0, -50.0, 20.0, 0, 0, 0};
  const auto rows = [&] {
    RowSet out;
    p.joint.rows(p.look(), 0.0, 0, out);
    return out;
  };
  const RowSet at = rows();
  const auto asked = [&] {
    const Vec3 f(p.state.force[0], p.state.force[1], p.state.force[2]);
    return Vec3(2e-3 * f / (1.0 + f.norm() / 40.0));
  };
  const Vec3 gap = p.look().point(p.joint.b) - p.look().point(p.joint.a);
  ASSERT_EQ(at.crosses.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(at.rows[k].error + at.rows[k].compliance * p.state.force[k],
                gap[static_cast<int>(k)] + asked()[static_cast<int>(k)], 1e-15);
  Mat3 tangent = Mat3::Zero();
  for (int k = 0; k < 3; ++k) tangent(k, k) = at.rows[static_cast<std::size_t>(k)].compliance;
  for (const Cross& c : at.crosses) tangent(c.a, c.b) = tangent(c.b, c.a) = c.compliance;
  for (int l = 0; l < 3; ++l) {
    double& f = p.state.force[static_cast<std::size_t>(l)];
    const double start = f;
    f = start + 1e-4;
    const Vec3 above = asked();
    f = start - 1e-4;
    const Vec3 slope = (above - asked()) / 2e-4;
    f = start;
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(tangent(k, l), slope[k], 1e-11) << k << l;
  }
}

}  // namespace
}  // namespace reeve::test
