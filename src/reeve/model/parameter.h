#pragma once
// Numbers of a scene that may change while a world runs. The model stays as it was built: a changed number is an entry
// of State::overrides, so it is saved, restored and hashed with everything else, and one model may serve many states.
// An element reads such a number through chosen(). Keys are stable for a scene: the element's place and the field's.
#include <optional>
#include <string_view>

#include "reeve/model/element.h"

namespace reeve {

inline std::int64_t elementKey(const Element& element, int field) {
  return (static_cast<std::int64_t>(element.index) << 20) + field;
}

/// Fields of blocks and of the bodies they belong to; written into the blocks by the world, or read by contacts.
enum class BlockField { mass, friction, restitution, count };
inline std::int64_t blockKey(int block, BlockField field) {
  return -1 - (static_cast<std::int64_t>(block) * static_cast<int>(BlockField::count) + static_cast<int>(field));
}
inline int blockOfKey(std::int64_t key) { return static_cast<int>((-1 - key) / static_cast<int>(BlockField::count)); }
inline BlockField fieldOfKey(std::int64_t key) {
  return static_cast<BlockField>((-1 - key) % static_cast<int>(BlockField::count));
}

struct Parameter {
  std::int64_t key = 0;
  double declared = 0.0;  ///< what the scene says
  double low = 0.0;       ///< the least it may be
  double high = unbounded;
};

/// An element some of whose numbers may change. Fields have the names of the scene file.
class Tunable {
 public:
  virtual ~Tunable() = default;
  virtual std::optional<Parameter> parameter(std::string_view field) const = 0;
  /// The fields that may change, "friction, damping".
  virtual std::string_view tunableFields() const = 0;
};

}  // namespace reeve
