// What the machine does at best.
#include <algorithm>
#include <cstddef>
#include <vector>

#include "limit.h"
#include "reeve/threads/cpu_time.h"

namespace reeve::race {
namespace {

/// Keeps the compiler from knowing a value.
void hide(double& value) {
#if defined(__GNUC__)
  asm volatile("" : "+m"(value));
#else
  static volatile double sink;
  sink = value;
  value = sink;
#endif
}

#if defined(__x86_64__)
// Loops as the machine runs them: a compiler would keep them in memory, or make two of one.
// clang-format off
#define REEVE_CLEAR(k) "xorpd %%xmm" #k ", %%xmm" #k "\n\t"
#define REEVE_CLEAR_ALL                                                                                      \
  REEVE_CLEAR(0)                                                                                             \
  REEVE_CLEAR(1)                                                                                             \
  REEVE_CLEAR(2)                                                                                             \
  REEVE_CLEAR(3)                                                                                             \
  REEVE_CLEAR(4)                                                                                             \
  REEVE_CLEAR(5) REEVE_CLEAR(6) REEVE_CLEAR(7) REEVE_CLEAR(8) REEVE_CLEAR(9) REEVE_CLEAR(10) REEVE_CLEAR(11) \
      REEVE_CLEAR(12) REEVE_CLEAR(13)
#define REEVE_STEP(way, k) "mul" way " %%xmm12, %%xmm" #k "\n\tadd" way " %%xmm13, %%xmm" #k "\n\t"
#define REEVE_TWELVE(way)                                                                                            \
  REEVE_STEP(way, 0)                                                                                                 \
  REEVE_STEP(way, 1)                                                                                                 \
  REEVE_STEP(way, 2)                                                                                                 \
  REEVE_STEP(way, 3)                                                                                                 \
  REEVE_STEP(way, 4)                                                                                                 \
  REEVE_STEP(way, 5) REEVE_STEP(way, 6) REEVE_STEP(way, 7) REEVE_STEP(way, 8) REEVE_STEP(way, 9) REEVE_STEP(way, 10) \
      REEVE_STEP(way, 11)
#define REEVE_LOOP(body)                                                                                           \
  asm volatile(REEVE_CLEAR_ALL "1:\n\t" body "dec %0\n\tjnz 1b"                                                    \
               : "+r"(left), "+r"(i), "+r"(j), "+r"(k), "+r"(l)                                                    \
               :                                                                                                   \
               : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", \
                 "xmm12", "xmm13", "cc")

// clang-format on
enum class Loop { chained, scalar, packed, mixed };

/// Seconds of so many rounds.
double loopTime(Loop which, long rounds) {
  long left = rounds, i = 1, j = 2, k = 3, l = 4;
  const double start = threadSeconds();
  switch (which) {
    case Loop::chained:
      REEVE_LOOP(REEVE_STEP("sd", 0));
      break;
    case Loop::scalar:
      REEVE_LOOP(REEVE_TWELVE("sd"));
      break;
    case Loop::packed:
      REEVE_LOOP(REEVE_TWELVE("pd"));
      break;
    case Loop::mixed:  // 8 of doubles, 6 of integers, 2 for the loop: nothing waits
      REEVE_LOOP(
          "mulsd %%xmm12, %%xmm0\n\taddsd %%xmm13, %%xmm1\n\tadd $1, %1\n\tadd $1, %2\n\t"
          "mulsd %%xmm12, %%xmm2\n\taddsd %%xmm13, %%xmm3\n\tadd $1, %3\n\tadd $1, %4\n\t"
          "mulsd %%xmm12, %%xmm4\n\taddsd %%xmm13, %%xmm5\n\txor $1, %1\n\txor $1, %2\n\t"
          "mulsd %%xmm12, %%xmm6\n\taddsd %%xmm13, %%xmm7\n\t");
      break;
  }
  return threadSeconds() - start;
}

/// Per second, `perRound` of them in a round.
double rateOf(Loop which, double perRound, double seconds) {
  constexpr long rounds = 100000;
  double best = 0.0;
  for (double spent = 0.0; spent < seconds;) {
    const double took = loopTime(which, rounds);
    spent += took;
    best = std::max(best, perRound * rounds / took);
  }
  return best;
}
#endif

}  // namespace

Machine measureMachine(double seconds) {
  Machine m;
#if defined(__x86_64__)
  m.chained = rateOf(Loop::chained, 2, seconds);
  m.scalar = rateOf(Loop::scalar, 24, seconds);
  m.packed = rateOf(Loop::packed, 48, seconds);
  m.instructions = rateOf(Loop::mixed, 16, seconds);
#endif
  constexpr std::size_t count = 8'000'000;  // 64 MB, beyond any cache of one core
  std::vector<double> a(count, 1.0), b(count, 2.0), c(count, 3.0);
  const int times = seconds < 0.1 ? 2 : 5;
  m.copied = 16.0 * count / shortestOf(times, [&] {
               std::copy(b.begin(), b.end(), a.begin());
               hide(a[count / 2]);
             });
  m.triad = 24.0 * count / shortestOf(times, [&] {
              for (std::size_t i = 0; i < count; ++i) a[i] = b[i] + 0.5 * c[i];
              hide(a[count / 2]);
            });
  return m;
}

}  // namespace reeve::race
