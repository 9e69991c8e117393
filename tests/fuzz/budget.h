#pragma once
// How long an input may be stepped for: what is over is left where it is, in the middle of a step too, so that no
// input keeps the others waiting. A step, or a build, that goes on long after that is what Ctrl-C would not end: the
// program ends with the input as its finding.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <thread>

#include "reeve/world/world.h"

namespace reeve::fuzz {

class Budget {
 public:
  explicit Budget(double seconds) {
    up().store(false);
    deadline().store(now() + static_cast<std::int64_t>(1e3 * seconds));
    static std::thread watcher = [] {
      std::thread thread([] {
        for (;; std::this_thread::sleep_for(std::chrono::milliseconds(20))) wake();
      });
      thread.detach();
      return thread;
    }();
  }
  ~Budget() { deadline().store(INT64_MAX); }
  Budget(const Budget&) = delete;
  bool over() const { return up().load(); }
  void watch(World& world) const { world.interruptBy(&up()); }

 private:
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  static constexpr std::int64_t patience = 5000;  ///< ms; 200 are promised, and 20 go by between two looks
#else
  static constexpr std::int64_t patience = 250;
#endif
#else
  static constexpr std::int64_t patience = 250;
#endif
  static void wake() {
    const std::int64_t late = now() - deadline().load();
    if (late >= 0) up().store(true);
    if (late < patience) return;
    std::fprintf(stderr, "it goes on %lld ms after it was interrupted\n", static_cast<long long>(late));
    std::abort();
  }
  /// ms of the processor: others may be at work too.
  static std::int64_t now() { return static_cast<std::int64_t>(std::clock()) * 1000 / CLOCKS_PER_SEC; }
  static std::atomic<bool>& up() {
    static std::atomic<bool> flag = false;
    return flag;
  }
  static std::atomic<std::int64_t>& deadline() {
    static std::atomic<std::int64_t> time = INT64_MAX;
    return time;
  }
};

}  // namespace reeve::fuzz
