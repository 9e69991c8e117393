#pragma once
// Names of colors that scenes may use: those of CSS that pictures know.
#include <optional>
#include <span>
#include <string_view>

namespace reeve {

/// In alphabetical order.
std::span<const std::string_view> colorNames();
/// 0xrrggbb of "#rrggbb", "#rgb" or one of the names; none of anything else.
std::optional<int> colorValue(std::string_view text);

}  // namespace reeve
