#pragma once
// An executor with threads, for worlds that have work to share out: world.runWith(&threads). Not part of the core.
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "reeve/model/executor.h"

namespace reeve {

class Threads : public Executor {
 public:
  /// `count` threads in all, the calling one included.
  explicit Threads(int count);
  ~Threads() override;
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;
  void run(int parts, void (*work)(void*, int), void* context) override;

 private:
  void serve();
  void help();

  std::vector<std::thread> threads_;
  std::mutex mutex_;
  std::condition_variable wake_, done_;
  void (*work_)(void*, int) = nullptr;
  void* context_ = nullptr;
  int parts_ = 0, next_ = 0, busy_ = 0;
  bool stop_ = false;
};

}  // namespace reeve
