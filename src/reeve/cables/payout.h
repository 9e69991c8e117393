#pragma once
// A winch that is a number, `payout`: what it has given at the first end of a cable, and when it stands.
#include <algorithm>
#include <cmath>

#include "reeve/model/model.h"
#include "reeve/model/typed_memory.h"

namespace reeve {

struct PayoutState {
  /// In `holding`.
  static constexpr int spanUsedUp = 1;     ///< it has drawn a span up to the next link
  static constexpr int fallsStraight = 2;  ///< it could only stretch what it reels in
  Whole holding;                           ///< why the winch stands: 0 (it does not), spanUsedUp or fallsStraight
  double held;                             ///< m, what it had paid out when it began to stand
  double heldBack;                         ///< m, what it has not reeled in so far while it stood
  Flag stopped;                            ///< the drum is empty, or there is nothing left to reel in

  void stand(int why, double at) {
    holding = why;
    held = at;
  }
  /// It is asked to pay out again, and has been asked to have paid out `asked` by now.
  void goOn(double asked) {
    holding = 0;
    heldBack += held - asked;
  }
};

/// A span, by the blocks its links are on.
struct Fall {
  int block[2] = {0, 0};
  Vec3 n = Vec3::Zero();  ///< from its first end to its second
  double length = 0.0;
};

/// Falls are straight when every body they hold is lifted by less than the first share of their tension; by less than
/// the second, when they are stretched beyond `overstretched` as well.
constexpr double straightSine = 0.02, flatSine = 0.1, overstretched = 0.02;
/// Pulleys stop this share of their radii apart, so that a tangent between them is left.
constexpr double blockShare = 0.02;

/// Whether a cable holds bodies that move, and lifts none of them by more than this share of its tension, whichever
/// way: reeling in could only stretch it. Falls of length l that make an angle α with the straight line can be
/// shortened by l α²/2; a winch that is to reel in as much as half of that in a step stands before.
template <class FallAt>
bool fallsAreStraight(const Model& model, int falls, FallAt&& fallAt, double sine, double reels) {
  const auto isFree = [&](int block) { return model.blocks[static_cast<std::size_t>(block)].free; };
  bool any = false;
  for (int k = 0; k < falls; ++k)
    for (const int block : fallAt(k).block) {
      if (!isFree(block)) continue;
      any = true;
      Vec3 pull = Vec3::Zero();
      double length = 0.0;
      int spans = 0;
      for (int j = 0; j < falls; ++j) {
        const Fall f = fallAt(j);
        if (f.block[0] == f.block[1] || (f.block[0] != block && f.block[1] != block)) continue;
        pull += f.block[0] == block ? f.n : Vec3(-f.n);
        length += f.length;
        ++spans;
      }
      const double least = std::max(sine, std::min(0.5, std::sqrt(4.0 * reels / std::max(length, 1e-9))));
      if (spans > 0 && pull.norm() > least * spans) return false;
    }
  return any;
}

}  // namespace reeve
