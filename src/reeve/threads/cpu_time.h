#pragma once
// How long something takes on this thread, whatever else the machine does. For benchmarks and tables, never for a step.
#include <time.h>

#include <algorithm>
#include <limits>

namespace reeve {

/// CPU time of the calling thread so far, s.
inline double threadSeconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// CPU time of the shortest of so many calls, s: on a busy machine that says more than the mean.
template <class Call>
double shortestOf(int times, Call&& call) {
  double shortest = std::numeric_limits<double>::infinity();
  for (int i = 0; i < times; ++i) {
    const double start = threadSeconds();
    call();
    shortest = std::min(shortest, threadSeconds() - start);
  }
  return shortest;
}

}  // namespace reeve
