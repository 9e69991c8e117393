#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace reeve::command {
namespace {

int widthOf(int descriptor) {
  winsize size{};
  if (!isatty(descriptor)) return 0;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool cannotMove() {
  const char* terminal = std::getenv("TERM");
  return !terminal || std::string_view(terminal) == "dumb";
}

std::string duration(double seconds) {
  const auto whole = static_cast<long long>(seconds + 0.5);
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{}:{:02} min", whole / 60, whole % 60);
  return fmt::format("{}:{:02} h", whole / 3600, whole / 60 % 60);
}

}  // namespace

int terminalWidth() { return widthOf(STDOUT_FILENO); }

Progress::Progress(double seconds, bool wanted)
    : active_(wanted && seconds > 0.0 && isatty(STDERR_FILENO) && !cannotMove()),
      seconds_(seconds),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\033[K", stderr);
}

void Progress::show(double simulated) {
  using namespace std::chrono_literals;
  if (!active_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < (drawn_ ? 100ms : 400ms)) return;  // short runs show nothing at all
  last_ = now;
  const double share = std::clamp(simulated / seconds_, 0.0, 1.0);
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  const std::string left = share > 0.0 ? duration(elapsed * (1.0 - share) / share) + " left" : "";
  const std::string tail = fmt::format(" {:3.0f} %  {:.4g} of {:.4g} s  {:.3g} x real time  {}", 100.0 * share,
                                       simulated, seconds_, simulated / elapsed, left);
  const int room = std::min(widthOf(STDERR_FILENO) - static_cast<int>(tail.size()) - 1, 40);
  std::string bar;
  for (int i = 0; i < room; ++i) bar += i < share * room ? "█" : "░";
  fmt::print(stderr, "\r{}{}\033[K", bar, tail);
  std::fflush(stderr);
  drawn_ = true;
}

}  // namespace reeve::command
