#pragma once
// A BlockMatrix as a dense one, for comparison.
#include <Eigen/Dense>

#include "reeve/linear/block_matrix.h"

namespace reeve {

inline Eigen::MatrixXd toDense(const BlockMatrix& a) {
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(a.rows(), a.rows());
  for (int s = 0; s < a.slots(); ++s) {
    const int i = a.slotRow(s), j = a.slotColumn(s);
    for (int r = 0; r < a.size(i); ++r)
      for (int c = 0; c < a.size(j); ++c) dense(a.offset(i) + r, a.offset(j) + c) = a.values(s)[r * a.size(j) + c];
  }
  return dense;
}

}  // namespace reeve
