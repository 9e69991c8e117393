// reeve film: a run as pictures in a row, and by way of other programs as GIF or MP4.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "command.h"
#include "drive.h"
#include "files.h"
#include "look.h"
#include "say.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

constexpr std::size_t mostPictures = 20000;

/// Runs a program without a shell, quietly. Exit code, or -1 if it is not there.
int runProgram(std::vector<std::string> words) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&files, stream, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0].c_str(), &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

bool onPath(const char* program) {
  const char* path = std::getenv("PATH");
  for (std::string_view rest = path ? path : ""; !rest.empty();) {
    const auto colon = std::min(rest.find(':'), rest.size());
    if (access((fs::path(rest.substr(0, colon)) / program).c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(colon + 1, rest.size()));
  }
  return false;
}

void mustHave(const char* program, const char* package, const std::string& out) {
  if (onPath(program)) return;
  throw Failure(badInput,
                fmt::format("film: {} is not installed, and {} needs it\nhelp: apt install {}, or give a folder "
                            "for the pictures: -o frames/",
                            program, out, package));
}

/// Pictures of a run, drawn when it is over: only then is it known what a camera that stays must show.
struct Take {
  std::vector<Observation> instants;
  record::PictureFrame frame;
};

std::string frameName(std::size_t index, const char* ending) { return fmt::format("frame-{:05}.{}", index, ending); }

void encode(const fs::path& folder, const std::string& out, double rate, std::size_t count) {
  for (std::size_t i = 0; i < count && !interrupted(); ++i)
    if (runProgram({"rsvg-convert", (folder / frameName(i, "svg")).string(), "-o",
                    (folder / frameName(i, "png")).string()}) != 0)
      throw Failure(badInput, "film: rsvg-convert could not draw a picture");
  std::vector<std::string> words{
      "ffmpeg", "-y", "-framerate", fmt::format("{:.6g}", rate), "-i", (folder / "frame-%05d.png").string()};
  if (out.ends_with(".gif"))
    words.insert(words.end(), {"-vf", "split[a][b];[a]palettegen=max_colors=128[p];[b][p]paletteuse=dither=none"});
  else
    words.insert(words.end(),
                 {"-pix_fmt", "yuv420p", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-movflags", "+faststart"});
  words.push_back(out);
  if (runProgram(std::move(words)) != 0 || !fs::exists(out))
    throw Failure(badInput,
                  fmt::format("{}: ffmpeg could not write it\nhelp: give a folder instead, and see what it says "
                              "about the pictures: -o frames/",
                              out));
}

/// A folder of its own for the pictures of one film, removed in the end.
struct Scratch {
  Scratch() {
    std::string name = (fs::temp_directory_path() / "reeve-film-XXXXXX").string();
    if (!mkdtemp(name.data())) throw Failure(badInput, "film: no temporary folder can be made");
    folder = name;
  }
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder, ignored);
  }
  fs::path folder;
};

}  // namespace

int film(const FilmOptions& options) {
  const bool moving = options.out.ends_with(".gif") || options.out.ends_with(".mp4");
  if (!moving && fs::path(options.out).has_extension())
    throw Failure(
        badInput,
        fmt::format("{}: not a kind of film\nhelp: end it with .gif or .mp4, or give a folder: frames/", options.out));
  if (moving) {
    mustHave("rsvg-convert", "librsvg2-bin", options.out);
    mustHave("ffmpeg", "ffmpeg", options.out);
  }
  if (!(options.rate > 0.0) || !(options.slow > 0.0))
    throw Failure(badInput, "film: --fps and --slow must be positive");
  LoadedScene scene = loadScene(options.scene, options.overrides);
  World world = buildWorld(scene);
  const double seconds = scene.description.settings.seconds, step = scene.description.settings.dt;
  const double pace = 1.0 / (options.rate * options.slow);  // simulated seconds between two pictures
  if (seconds / pace > static_cast<double>(mostPictures))
    throw Failure(
        badInput,
        fmt::format("film: more than {} pictures\nhelp: take fewer --seconds, a lower --fps, or a smaller --slow",
                    mostPictures));
  Look look = readLook(options.look, world.description());
  Take take;
  catchInterrupts();
  double due = 0.0;
  const auto sample = [&](const World& now) {
    if (now.time() + 0.5 * step < due) return;
    due += pace;
    take.instants.push_back(now.observe());
    take.frame.include(record::pictureFrame(now.description(), take.instants.back(), look.options));
    look.options.forces.include(now.description(), take.instants.back());
  };
  const record::RunFacts facts = drive(world, {.seconds = seconds, .sample = sample});
  if (!options.look.refit) look.options.frame = take.frame;
  if (options.look.size.empty()) {
    const Vec2 page = record::pageFor(take.frame);
    look.options.width = page.x(), look.options.height = page.y();
  }
  std::optional<Scratch> scratch;
  if (moving) scratch.emplace();
  const fs::path folder = moving ? scratch->folder : fs::path(options.out);
  std::error_code error;
  fs::create_directories(folder, error);
  for (std::size_t i = 0; i < take.instants.size(); ++i)
    writeText(folder / frameName(i, "svg"),
              record::drawPicture(world.description(), take.instants[i], look.at(take.instants[i])));
  if (moving) encode(folder, options.out, options.rate, take.instants.size());
  say(stdout, "{}: {} pictures, {:.6g} s of {} at {:.6g} a second\n", options.out, take.instants.size(), world.time(),
      scene.description.name, options.rate);
  if (facts.verdict.good) return ok;
  say(stderr, "reeve: the simulation went bad at t = {:.6g} s: {}: {}; the film ends there\n", facts.verdict.time,
      facts.verdict.culprit, facts.verdict.reason);
  return wentBad;
}

}  // namespace reeve::command
