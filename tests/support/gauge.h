#pragma once
#include "reeve/model/element.h"

namespace reeve::test {

/// For an element that is stepped by hand: nothing is measured.
struct NoGauge : Gauge {
  double read(int) const override { return 0.0; }
};

}  // namespace reeve::test
