#pragma once
#include <string>
#include <string_view>

namespace reeve::samples {

/// What is wrong with an XML text: tags that do not nest, stray quotes or ampersands, "nan" or "inf" in an attribute.
/// Empty if nothing is. Not a validator, but it catches what a writer can get wrong.
std::string flawOf(std::string_view xml);

}  // namespace reeve::samples
