#pragma once
// Numbers as text, the same bits on every platform and in every locale.
#include <cstddef>
#include <string>
#include <string_view>

namespace reeve {

/// Length of the JSON number at the start of `text` (-1.5e3); 0 if there is none.
std::size_t numberLength(std::string_view text);

/// The value of a token that numberLength() accepted. Infinite if it is too large for a double.
double numberValue(std::string_view token);

/// The shortest text of 1 to 17 digits that reads back to the same double. Finite values only.
std::string numberText(double value);

}  // namespace reeve
