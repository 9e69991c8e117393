#include "reeve/record/npz.h"

#include <array>
#include <bit>
#include <cstdint>

namespace reeve::record {
namespace {

constexpr std::size_t largestArchive = 0xffff0000u;  ///< sizes in a plain ZIP have 32 bits

std::uint32_t crc32(const std::string& text) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> t{};
    for (std::uint32_t i = 0; i < 256; ++i) {
      std::uint32_t c = i;
      for (int k = 0; k < 8; ++k) c = (c & 1) ? 0xedb88320u ^ (c >> 1) : c >> 1;
      t[i] = c;
    }
    return t;
  }();
  std::uint32_t c = 0xffffffffu;
  for (const char byte : text) c = table[(c ^ static_cast<unsigned char>(byte)) & 0xff] ^ (c >> 8);
  return c ^ 0xffffffffu;
}

/// Little endian, as ZIP has it.
void put(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i) & 0xff);
}

std::string npyText(std::span<const double> values) {
  std::string head = "{'descr': '<f8', 'fortran_order': False, 'shape': (" + std::to_string(values.size()) + ",), }";
  while ((10 + head.size() + 1) % 64 != 0) head += ' ';
  head += '\n';
  std::string out("\x93NUMPY\x01\x00", 8);
  put(out, head.size(), 2);
  out += head;
  for (const double value : values) put(out, std::bit_cast<std::uint64_t>(value), 8);
  return out;
}

/// The part that a local header and the directory share: version, flags, method, time, checksum, sizes, name length.
std::string common(const std::string& name, std::uint32_t sum, std::size_t size) {
  std::string out;
  put(out, 20, 2);
  put(out, 0x800, 2);  // names are UTF-8
  put(out, 0, 2);      // stored
  put(out, 0, 2);
  put(out, 0x21, 2);  // 1980-01-01: the same run gives the same file
  put(out, sum, 4);
  put(out, size, 4);
  put(out, size, 4);
  put(out, name.size(), 2);
  put(out, 0, 2);
  return out;
}

}  // namespace

void NpzWriter::add(const std::string& name, std::span<const double> values) {
  const std::string file = name + ".npy", text = npyText(values);
  tooLarge_ |= out_.size() + text.size() + directory_.size() > largestArchive || entries_ >= 65000;
  if (tooLarge_) return;
  const std::string shared = common(file, crc32(text), text.size());
  put(directory_, 0x02014b50, 4);
  put(directory_, 20, 2);
  directory_ += shared;
  for (const int bytes : {2, 2, 2, 4}) put(directory_, 0, bytes);  // comment, disk, attributes
  put(directory_, out_.size(), 4);
  directory_ += file;
  put(out_, 0x04034b50, 4);
  out_ += shared + file + text;
  ++entries_;
}

std::string NpzWriter::finish() && {
  if (tooLarge_) return {};
  const std::size_t start = out_.size();
  out_ += directory_;
  put(out_, 0x06054b50, 4);
  put(out_, 0, 4);
  put(out_, entries_, 2);
  put(out_, entries_, 2);
  put(out_, directory_.size(), 4);
  put(out_, start, 4);
  put(out_, 0, 2);
  return std::move(out_);
}

}  // namespace reeve::record
