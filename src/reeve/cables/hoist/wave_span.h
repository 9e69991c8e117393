#pragma once
// What the span of a cable of joints keeps of its wave in State::memory, typed: a WaveSpanState, then the four fields
// of the wave (u and its last three increments, 2(M+1) numbers each).
#include <algorithm>

#include "reeve/cables/hoist/span_wave.h"
#include "reeve/model/typed_memory.h"

namespace reeve {

struct WaveSpanState {
  Whole to;                 ///< the link at its end
  WaveMetric shape;         ///< δ, η and slope of its curve
  Triple side;              ///< first axis across the chord, world frame
  Triple start, end;        ///< m, where the chord's ends were
  Whole newest;             ///< of the ring of increments
  double madeWith;          ///< s, step of the increments; 0: there are none
  Flag inserted;            ///< the link it starts from was taken in before this step
  Flag hanging;             ///< it hangs at rest: wavy_hanging.cpp
  double slackFor;          ///< s, how long it has been slack enough for that
  Triple left_B;            ///< of a link that waits: the side of it on which the cable left it, on its body; or zero
  double flow;              ///< m/s, along its chord at the end of the last step, and
  double flowBefore;        ///< of the one before: wavy_along.cpp
  Whole flows;              ///< how many of them are known, and of the velocities below
  double axial;             ///< m/s², axial acceleration of its inertia beside the weight, in the last step
  double centrifugal;       ///< m/s², along the chord, and
  Triple coriolis;          ///< across it: what the chord's turning does, predicted for the step
  double centrifugalStart;  ///< both as they were at the start of the step
  Triple coriolisStart;
  Triple speed[2];        ///< m/s, of either end, and
  Triple speedBefore[2];  ///< in the step before
};

/// A span's state with its fields. `Number` is double or const double.
template <class Number>
class WaveSpanView {
 public:
  using Kept = std::conditional_t<std::is_const_v<Number>, const WaveSpanState, WaveSpanState>;
  static constexpr int numbersFor(int pieces) { return numbersIn<WaveSpanState> + 4 * 2 * (pieces + 1); }

  WaveSpanView(Number* first, int pieces) : first_(first), pieces_(pieces) {}
  operator WaveSpanView<const double>() const { return {first_, pieces_}; }
  Kept* operator->() const { return reinterpret_cast<Kept*>(first_); }
  /// 0: u, 1 to 3: the increments as they lie in the ring.
  Number* field(int which) const { return first_ + numbersIn<WaveSpanState> + which * 2 * (pieces_ + 1); }
  Number* u() const { return field(0); }
  /// The field of an increment, 0 the newest.
  int increment(int age) const { return 1 + ((*this)->newest + age) % 3; }
  WaveField history() const { return {u(), {field(increment(0)), field(increment(1)), field(increment(2))}}; }
  /// m, of its curve.
  double arc() const { return pieces_ * (*this)->shape.link; }
  /// Everything is zero.
  void clear() const { std::fill_n(first_, numbersFor(pieces_), 0.0); }
  void copyFrom(WaveSpanView<const double> other) const { std::copy_n(other.data(), numbersFor(pieces_), first_); }
  Number* data() const { return first_; }

 private:
  Number* first_;
  int pieces_;
};
using WaveSpan = WaveSpanView<double>;
using ConstWaveSpan = WaveSpanView<const double>;

}  // namespace reeve
