#include "caps.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <new>

#include "command.h"

namespace reeve::command {
namespace {

char outOfMemory[160] = "reeve: there is not enough memory for this scene\nhelp: make it smaller\n";

/// No memory is left to say it with: what to say is written before.
void noMemory() {
  [[maybe_unused]] const auto written = write(STDERR_FILENO, outOfMemory, std::strlen(outOfMemory));
  _exit(badInput);
}

rlim_t parseSize(const std::string& text) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit(end, text.data() + text.size());
  std::erase(unit, ' ');
  const double factor = unit == "kB" || unit == "KB"  ? 1e3
                        : unit == "MB" || unit == "M" ? 1e6
                        : unit == "GB" || unit == "G" ? 1e9
                        : unit.empty() || unit == "B" ? 1.0
                                                      : 0.0;
  if (error != std::errc{} || factor == 0.0 || !(number * factor >= 1e7) || !(number * factor < 1e18))
    throw Failure(badInput, fmt::format("--memory: \"{}\" is not a size of at least 10 MB\nhelp: give 500MB or 2GB",
                                        printable(text)));
  return static_cast<rlim_t>(number * factor);
}

}  // namespace

void limitMemory(const std::string& size) {
  std::set_new_handler(noMemory);
  if (size.empty()) return;
  const rlim_t most = parseSize(size);
  std::snprintf(outOfMemory, sizeof outOfMemory,
                "reeve: this scene needs more than the --memory of %.0f MB\nhelp: give more, or make it smaller\n",
                static_cast<double>(most) / 1e6);
  const rlimit limit{most, most};
  setrlimit(RLIMIT_AS, &limit);
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0u;
    if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7f) {
      out += '?';
    } else if (c == 0xc2 && next >= 0x80 && next < 0xa0) {  // U+0080 to U+009F command terminals too
      out += '?';
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace reeve::command
