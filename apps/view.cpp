// reeve view: the playground in the browser of this machine, with a scene that is opened again when its file changes.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "command.h"
#include "drive.h"
#include "files.h"
#include "serve.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

/// A name as a header may carry it.
std::string percentEncoded(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) || c == '-' || c == '_' || c == '.';
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

Reply sceneReply(const fs::path& scene) {
  try {
    return {200, "application/json", readText(scene.string()), {{"x-scene", percentEncoded(scene.stem().string())}}};
  } catch (const Failure& failure) {  // while an editor replaces it, for instance
    return {404, "text/plain; charset=utf-8", failure.what(), {}};
  }
}

}  // namespace

int view(const ViewOptions& options) {
  const fs::path page = options.page.empty() ? pageFolder() : fs::path(options.page);
  if (!fs::exists(page / "index.html"))
    throw Failure(badInput, options.page.empty()
                                ? "the playground's page is not built\nhelp: run `make web`, which needs npm"
                                : fmt::format("{}: has no index.html\nhelp: `make web` builds the page", options.page));
  const fs::path scene = options.scene.empty() ? fs::path() : fs::absolute(scenePath(options.scene));
  Server server(options.port, page, [&](const std::string& path) -> std::optional<Reply> {
    if (path != "/view/scene" || scene.empty()) return std::nullopt;
    return sceneReply(scene);
  });
  catchInterrupts();
  fmt::print("http://127.0.0.1:{}/{}\n", server.port(), scene.empty() ? "" : "#view");
  fmt::print("Open this address in a browser of this machine. Ctrl-C ends.\n");
  std::fflush(stdout);
  server.run([] { return interrupted(); });
  return ok;
}

}  // namespace reeve::command
