#include "reeve/math/hash.h"

#include <bit>

namespace reeve::math {

void Hasher::add(double x) { word(x == x ? std::bit_cast<std::uint64_t>(x) : 0x7FF8'0000'0000'0000u); }

void Hasher::add(std::string_view text) {
  word(text.size());
  for (std::size_t start = 0; start < text.size(); start += 8) {
    std::uint64_t w = 0;
    for (std::size_t i = 0; i < 8 && start + i < text.size(); ++i)
      w |= static_cast<std::uint64_t>(static_cast<unsigned char>(text[start + i])) << (8 * i);
    word(w);
  }
}

void Hasher::add(std::span<const double> values) {
  word(values.size());
  for (const double x : values) add(x);
}

std::uint64_t Hasher::value() const {
  Hasher last = *this;
  last.word(words_);
  return last.state_ ^ (last.state_ >> 29);
}

std::string hex(std::uint64_t value) {
  std::string text(16, '0');
  for (std::size_t i = 0; i < 16; ++i) text[i] = "0123456789abcdef"[(value >> (60 - 4 * i)) & 15u];
  return text;
}

}  // namespace reeve::math
