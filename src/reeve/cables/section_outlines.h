#pragma once
// The outlines of sections that cables lie on, kept by link: a section is a function of shape, plane and cable radius,
// and is asked for in every iteration. It may be thrown away at any time.
#include <deque>

#include "reeve/geometry/outline.h"
#include "reeve/geometry/wrap_contact.h"

namespace reeve {

class SectionOutlines {
 public:
  /// A circle of this radius.
  const Outline& circle(int link, double radius) {
    Kept& kept = keptOf(link);
    if (kept.outline.radius() != radius || !kept.outline.isCircle()) {
      kept.outline.setRadius(radius);
      kept.shape = nullptr;
    }
    return kept.outline;
  }
  /// Of a shape cut by a plane, under a cable of this radius; `otherwise` where there is no section.
  /// It holds until the same link has another one.
  const Outline& at(int link, const Shape& shape, const WrapPlane& plane, double radius, const Outline& otherwise) {
    Kept& kept = keptOf(link);
    if (kept.shape != &shape || kept.plane.normal_B != plane.normal_B || kept.plane.height != plane.height) {
      const auto section = sectionOutline(shape, plane, radius);
      kept = {&shape, plane, section ? *section : otherwise};
    }
    return kept.outline;
  }

 private:
  struct Kept {
    const Shape* shape = nullptr;
    WrapPlane plane;
    Outline outline = Outline::point();
  };
  Kept& keptOf(int link) {
    const auto i = static_cast<std::size_t>(link);
    while (kept_.size() <= i) kept_.emplace_back();
    return kept_[i];
  }
  std::deque<Kept> kept_;  // references to what is in it stay
};

}  // namespace reeve
