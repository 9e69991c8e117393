#include "allocations.h"

#include <cstdlib>
#include <new>

namespace {

long count = 0;

}  // namespace

namespace reeve {

long allocations() { return count; }

}  // namespace reeve

void* operator new(std::size_t size) {
  ++count;
  if (void* p = std::malloc(size)) return p;
  std::abort();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
