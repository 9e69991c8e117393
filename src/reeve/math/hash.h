#pragma once
// A 64-bit hash that is the same on every machine, for comparing states bit by bit between builds.
//
// Not for security and not for hash tables. Specified word by word, so that another program can compute it:
//   start      h = 0x243F6A8885A308D3                       (fraction bits of π)
//   word w     h = (h ^ w) · 0x9E3779B97F4A7C15 mod 2^64;   h = h ^ (h >> 32)
//   value      one more word holding the number of words so far, then h ^ (h >> 29)
// A double is the word of its IEEE bit pattern (so +0 and -0 differ; every NaN is 0x7FF8000000000000), an integer the
// word of its two's complement. A text is its length in bytes, then its bytes eight to a word, least significant byte
// first, the last word filled with zeros. A span of doubles is its length, then its elements.
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace reeve::math {

class Hasher {
 public:
  void add(double x);
  /// Every integer type counts as int64, so that size_t hashes alike where it has 32 bits.
  template <std::integral Integer>
  void add(Integer n) {
    word(static_cast<std::uint64_t>(static_cast<std::int64_t>(n)));
  }
  void add(std::string_view text);
  void add(std::span<const double> values);
  void add(const char* text) { add(std::string_view(text)); }

  /// The hash of all that was added so far; adding may go on.
  std::uint64_t value() const;

 private:
  void word(std::uint64_t w) {
    state_ = (state_ ^ w) * 0x9E37'79B9'7F4A'7C15u;
    state_ ^= state_ >> 32;
    ++words_;
  }

  std::uint64_t state_ = 0x243F'6A88'85A3'08D3u;
  std::uint64_t words_ = 0;
};

/// Sixteen lower-case hexadecimal digits.
std::string hex(std::uint64_t value);

}  // namespace reeve::math
