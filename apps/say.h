#pragma once
// Words for people: whatever names a scene has, none of them commands the terminal.
#include <fmt/format.h>

#include <cstdio>

#include "caps.h"

namespace reeve::command {

template <class... Arguments>
void say(std::FILE* to, fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  fmt::print(to, "{}", printable(fmt::format(text, std::forward<Arguments>(arguments)...)));
}

}  // namespace reeve::command
