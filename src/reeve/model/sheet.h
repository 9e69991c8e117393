#pragma once
// Numbers of which copies of a state share one page until one of them writes. The waves along a cable's spans are by
// far the largest part of a state, and a step keeps three states: the last good one, where it starts and where it ends.
//
// A page that nobody holds any more waits to be written again, so a warm step allocates nothing. Copies of one sheet
// belong to one thread at a time.
#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace reeve {

class Sheet {
 public:
  Sheet() = default;
  /// So many zeros. Sheets of one size that are kin share the pages that wait.
  Sheet(std::size_t size, const Sheet& kin) {
    Pool* pool = kin.size() == size && kin.page_ ? kin.page_->pool : new Pool;
    page_ = take(*pool, size);
    std::fill(page_->numbers.begin(), page_->numbers.end(), 0.0);
  }
  Sheet(const Sheet& other) : page_(other.page_) {
    if (page_) ++page_->holders;
  }
  Sheet(Sheet&& other) noexcept : page_(std::exchange(other.page_, nullptr)) {}
  Sheet& operator=(const Sheet& other) {
    if (page_ == other.page_) return *this;
    if (other.page_) ++other.page_->holders;
    release();
    page_ = other.page_;
    return *this;
  }
  Sheet& operator=(Sheet&& other) noexcept {
    std::swap(page_, other.page_);
    return *this;
  }
  ~Sheet() { release(); }

  std::size_t size() const { return page_ ? page_->numbers.size() : 0; }
  const double* data() const { return page_ ? page_->numbers.data() : nullptr; }

  /// To be written here and there: it holds what it held.
  double* edit() {
    if (page_ && page_->holders > 1) {
      Page* own = take(*page_->pool, size());
      std::copy(page_->numbers.begin(), page_->numbers.end(), own->numbers.begin());
      --page_->holders;
      page_ = own;
    }
    return page_ ? page_->numbers.data() : nullptr;
  }
  /// To be written from end to end: it holds anything. What others hold stays.
  double* renew() {
    if (page_ && page_->holders > 1) {
      Page* own = take(*page_->pool, size());
      --page_->holders;
      page_ = own;
    }
    return page_ ? page_->numbers.data() : nullptr;
  }

 private:
  struct Pool;
  struct Page {
    std::vector<double> numbers;
    int holders = 0;
    Pool* pool = nullptr;
  };
  struct Pool {
    std::vector<Page*> waiting;
    std::size_t pages = 0;  ///< held and waiting
  };

  static Page* take(Pool& pool, std::size_t size) {
    Page* page;
    if (pool.waiting.empty()) {
      page = new Page;
      page->numbers.resize(size);
      page->pool = &pool;
      pool.waiting.reserve(++pool.pages);
    } else {
      page = pool.waiting.back();
      pool.waiting.pop_back();
    }
    page->holders = 1;
    return page;
  }
  void release() {
    if (!page_ || --page_->holders > 0) return;
    Pool* pool = page_->pool;
    pool->waiting.push_back(page_);
    if (pool->waiting.size() < pool->pages) return;
    for (Page* page : pool->waiting) delete page;
    delete pool;
  }

  Page* page_ = nullptr;
};

}  // namespace reeve
