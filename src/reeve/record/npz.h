#pragma once
// Columns of numbers as a NumPy archive: numpy.load("trajectory.npz")["bodies.load.position.z"].
#include <span>
#include <string>

namespace reeve::record {

/// A ZIP archive of .npy arrays of doubles, uncompressed. Archives beyond 4 GiB are not written: the text is empty
/// then.
class NpzWriter {
 public:
  void add(const std::string& name, std::span<const double> values);
  std::string finish() &&;

 private:
  std::string out_, directory_;
  std::size_t entries_ = 0;
  bool tooLarge_ = false;
};

}  // namespace reeve::record
