#pragma once
// What the drag of bodies and particles takes out of a run, so that a change of energy is no riddle.
#include <vector>

#include "reeve/world/world.h"

namespace reeve::record {

/// Integrates c v² over the steps it is shown, each velocity taken as linear between two of them: second order in the
/// step, as `direct` is.
class DragMeter {
 public:
  explicit DragMeter(const World& world);
  void look(const World& world);
  /// J taken since it was made, not negative.
  double taken() const { return taken_; }

 private:
  struct Dragged {
    std::size_t v;       ///< State::v index
    double coefficient;  ///< N s/m or N m s
    double before;       ///< velocity when last looked at
  };
  void add(const World& world, int block, double linear, double angular);
  std::vector<Dragged> dragged_;
  double time_, taken_ = 0.0;
};

}  // namespace reeve::record
