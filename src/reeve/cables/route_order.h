#pragma once
// The order of a cable's links or nodes along its route, kept in State::memory as a count and indices.
#include "reeve/model/typed_memory.h"

namespace reeve {

/// Whether a count and indices from outside are an order: at least `least` of `most` links, none of them twice.
inline bool isOrder(const Whole& count, const Whole* first, int least, int most) {
  if (!isWithin(count, least, most)) return false;
  std::vector<char> seen(static_cast<std::size_t>(most), 0);
  for (int place = 0; place < count; ++place) {
    if (!isWithin(first[place], 0, most - 1) || seen[static_cast<std::size_t>(first[place])] != 0) return false;
    seen[static_cast<std::size_t>(first[place])] = 1;
  }
  return true;
}

/// `Number` is Whole or const Whole. Erasing leaves what lay behind the last place as it is.
template <class Number>
class RouteOrder {
 public:
  RouteOrder(Number& count, Number* first, bool closed) : count_(&count), first_(first), closed_(closed) {}
  int size() const { return *count_; }
  int spans() const { return closed_ ? size() : size() - 1; }
  int operator[](int place) const { return first_[place]; }
  int next(int place) const { return first_[place + 1 == size() ? 0 : place + 1]; }
  int before(int place) const { return first_[place == 0 ? size() - 1 : place - 1]; }
  void insert(int place, int link) {
    for (int j = size(); j > place; --j) first_[j] = first_[j - 1];
    first_[place] = link;
    *count_ = size() + 1;
  }
  void erase(int place) {
    for (int j = place; j + 1 < size(); ++j) first_[j] = first_[j + 1];
    *count_ = size() - 1;
  }

 private:
  Number* count_;
  Number* first_;  ///< indices, one for each place
  bool closed_;
};

}  // namespace reeve
