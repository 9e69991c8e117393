#pragma once
// A chain in DART, as plain numbers. DART is built with Eigen's vectors aligned and Reeve without, so the two cannot
// share a program's symbols: DART is in a module of its own, loaded by name, and nothing of Eigen passes between them.
#include "../plain_chain.h"

namespace reeve::race {

/// Handles are to be dropped; poses are seven numbers a link, position and quaternion w x y z.
struct DartCalls {
  const char* version;
  void* (*start)(const PlainChain&, double dt);
  /// False, and nothing is done, where it has gone wild: Debian's DART ends the program at what is not finite.
  bool (*step)(void*);
  void (*poses)(const void*, double* seven);
  double (*energy)(const void*);  ///< J
  void (*drop)(void*);
};

}  // namespace reeve::race
