#pragma once
// What small motions ask of an element besides its rows: how everything it does changes with position, the negative
// part included. A step does without: Element::stiffness() writes the positive part alone, which keeps its matrix
// definite.
//
//   K = −∂(f + Jᵀλ)/∂q, λ held, with rotations as exp(φ) from where the bodies are.
//
// K is symmetric where the torques on every body balance, as they do at rest, and where rows are gradients. What a
// torque leaves over on a body is the skew part of its block, and a torque that is fixed in one body and acts on
// another has no mirrored block: hence all of K is written, block by block.
#include <vector>

#include <Eigen/Core>

#include "reeve/model/element.h"

namespace reeve {

class FullStiffness {
 public:
  using Six = Eigen::Matrix<double, 6, 6>;
  using Column = Eigen::Matrix<double, 6, 1>;
  /// What the gradient of C + ελ has that J has not: of rows whose compliance or rest length changes with position.
  struct Law {
    int slot = 0, block = 0;
    Column change = Column::Zero();
  };

  explicit FullStiffness(const Instant& now);

  /// Adds the change of what acts on `row` with the coordinates of `column`; nothing where either cannot move.
  void add(int row, int column, const Six& k);
  /// The same for one coordinate of `column`.
  void add(int row, int column, int coordinate, const Column& k);
  void addLaw(int slot, int block, const Column& change) { laws_.push_back({slot, block, change}); }

  /// A force at a point of a body, both held in the world but for the point.
  void lever(const Anchor& at, const Vec3& force);
  /// A spring of this stiffness between two points, without the levers of the force that it pulls with.
  void pair(const Anchor& a, const Anchor& b, const Mat3& k);
  /// A torque on `on` that turns with `owner`.
  void turning(int owner, int on, const Vec3& torque);

  const Eigen::MatrixXd& k() const { return k_; }  ///< by State::v index
  const std::vector<Law>& laws() const { return laws_; }

 private:
  const Block& block(int i) const { return now_.model().blocks[static_cast<std::size_t>(i)]; }
  const Instant& now_;
  Eigen::MatrixXd k_;
  std::vector<Law> laws_;
};

/// An element that can write its own.
class WritesFullStiffness {
 public:
  virtual ~WritesFullStiffness() = default;
  /// Adds that of its forces and rows; `force` by slot. False, and nothing written: not as it is now, so that
  /// differences have to do.
  virtual bool fullStiffness(const Instant& /*now*/, std::span<const double> /*force*/, FullStiffness& /*out*/) const {
    return false;
  }
};

}  // namespace reeve
