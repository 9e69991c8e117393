#pragma once
// What a run may take of the machine, and what of a text may reach a terminal.
#include <string>
#include <string_view>

namespace reeve::command {

struct RunOptions;

/// Exit codes besides those of command.h: a run that is probably not what would happen; ended by Ctrl-C or SIGTERM.
enum RunExitCode { doubtful = 4, interruption = 130, terminated = 143 };

/// What the shell gets: that of the signal where one has ended a command that would have gone well.
int endedBySignal(int code);

/// What else `reeve run` is given.
struct RunCaps {
  bool force = false;          ///< takes over a state of another scene, by name
  bool allowDoubtful = false;  ///< a doubtful run ends with 0
  std::string time;            ///< by the clock, at most; empty: as long as it takes
  std::string memory;          ///< at most: "500 MB"; empty: what there is
};
int run(const RunOptions& options, const RunCaps& caps);

/// Ends the program with a message and the exit code of bad input when memory runs out: at `size` ("500MB", "2 GB"), or
/// where the machine has no more if that is empty.
void limitMemory(const std::string& size);

/// A text without control characters: escape sequences in a name must not command a terminal. Line ends and tabs stay.
std::string printable(std::string_view text);

}  // namespace reeve::command
