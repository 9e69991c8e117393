#include "reeve/threads/threads.h"

namespace reeve {

Threads::Threads(int count) {
  for (int i = 1; i < count; ++i) threads_.emplace_back([this] { serve(); });
}

Threads::~Threads() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_all();
  for (std::thread& t : threads_) t.join();
}

/// Takes parts until there are none left.
void Threads::help() {
  std::unique_lock lock(mutex_);
  while (next_ < parts_) {
    const int part = next_++;
    ++busy_;
    lock.unlock();
    work_(context_, part);
    lock.lock();
    if (--busy_ == 0 && next_ >= parts_) done_.notify_all();
  }
}

void Threads::serve() {
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stop_ || next_ < parts_; });
      if (stop_) return;
    }
    help();
  }
}

void Threads::run(int parts, void (*work)(void*, int), void* context) {
  {
    const std::lock_guard lock(mutex_);
    work_ = work;
    context_ = context;
    next_ = 0;
    parts_ = parts;
  }
  wake_.notify_all();
  help();
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return busy_ == 0 && next_ >= parts_; });
}

}  // namespace reeve
