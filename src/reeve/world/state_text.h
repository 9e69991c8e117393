#pragma once
// A state as text, and back, from one list of what a state is.
//
//     reeve-state 6
//     check 0123456789abcdef          hash of all that follows
//     scene 0123456789abcdef          fingerprint of the model and where it starts (0: not told)
//     part 7 7 6 6 0 0 0 0 0 0 bodies.hook
//     ...                             first and count of its q, v, slots, memory and sheets; its name
//     convert 0 4                     a cable, by its place, and its model from then on; numbers of the state before it
//     words                           then the numbers, as 64-bit words in hexadecimal
#include <array>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reeve/model/model.h"
#include "reeve/model/problem.h"
#include "reeve/model/state.h"

namespace reeve {

/// Where what belongs to one thing of a scene lies in a state.
struct StatePart {
  enum Section { q, v, slots, memory, sheets, sections };
  struct Range {
    std::size_t first = 0, count = 0;
    bool operator==(const Range&) const = default;
  };
  std::array<Range, sections> range;
  std::string name;
  bool operator==(const StatePart&) const = default;
};

/// What coordinates of cables are called, which have no names of their own.
inline constexpr const char* cableCoordinates = "coordinates of cables ";
/// Bodies, rotors and particles with their coordinates, elements with what they remember, then the coordinates of
/// cables; in a fixed order.
std::vector<StatePart> partsOf(const Model& model);

/// A cable was given to another model when the world was in this state.
struct Conversion {
  int cable = 0;
  CableModel model = CableModel::joints;
  State before;
};

struct StateText {
  std::uint64_t fingerprint = 0;
  std::vector<StatePart> parts;
  State state;
  std::vector<Conversion> conversions;  ///< since the start of the scene
};

std::uint64_t stateHash(const State& state);
/// Of the model with its blocks as built, and of the state it starts from.
std::uint64_t modelFingerprint(const Model& model, std::span<const Block> blocks, const State& start);
std::string writeState(const StateText& text);
/// What was written, its checksum right and its parts within it; sizes, indices and numbers are still anybody's.
std::expected<StateText, Problem> readState(std::string_view text);
/// What is wrong with a state's numbers for a model that starts from `start`, or an empty text: sizes, what is not
/// finite, lengths of quaternions, bounds, keys of contacts, and what elements say of what they move by themselves.
std::string flawOf(const Model& model, const State& start, const State& state);

}  // namespace reeve
