#pragma once
// The nearest valid word, for messages about wrong ones.
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reeve {

/// Insertions, deletions, replacements and swaps of neighbors that turn one word into the other. Letter case is free.
int editDistance(std::string_view a, std::string_view b);

/// The candidate few edits away from `word`, or empty. Ties go to the first.
std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates);

/// What riggers and other programs call one of the candidates: "pulley" for "roll". Empty if it is none.
std::string_view synonym(std::string_view word, std::span<const std::string_view> candidates);

/// "did you mean "radius"? valid here: length, radius, size"; long lists are cut.
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace reeve
