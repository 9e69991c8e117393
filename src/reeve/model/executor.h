#pragma once
// Who runs work that may be done in any order. The core has no threads: by default everything is done in place, and
// what has threads (reeve/threads) hands itself in through World::runWith. The work is cut into parts by its size
// alone, never by the number of threads, and parts never touch the same numbers: results are the same bits.
#include <algorithm>

namespace reeve {

class Executor {
 public:
  virtual ~Executor() = default;
  /// Calls work(context, i) for every i in [0, parts), in any order, and returns when all are done.
  virtual void run(int parts, void (*work)(void*, int), void* context) = 0;
};

/// Calls body(begin, end) for consecutive ranges of [0, count), `grain` long, here or elsewhere.
template <class Body>
void forRanges(Executor* executor, int count, int grain, Body&& body) {
  if (!executor || count <= grain) {
    if (count > 0) body(0, count);
    return;
  }
  struct Context {
    Body* body;
    int count, grain;
  } context{&body, count, grain};
  executor->run((count + grain - 1) / grain,
                [](void* given, int part) {
                  const Context& c = *static_cast<Context*>(given);
                  (*c.body)(part * c.grain, std::min(c.count, (part + 1) * c.grain));
                },
                &context);
}

}  // namespace reeve
