#include "ranks.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "command.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

template <class F>
F* entry(void* module, const char* name) {
  return reinterpret_cast<F*>(::dlsym(module, name));
}

}  // namespace

std::unique_ptr<Ranks> Ranks::join() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  if (!size) size = std::getenv("PMI_SIZE");
  if (!size) return nullptr;
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  std::unique_ptr<Ranks> ranks(new Ranks);
  for (const fs::path& file : {here / "reeve_mpi.so", here / "../lib/reeve/reeve_mpi.so"})
    if (!ranks->module_) ranks->module_ = ::dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!ranks->module_)
    throw Failure(badInput, fmt::format("started by mpirun, but reeve_mpi.so is not beside this program\nhelp: install "
                                        "libopenmpi-dev and build again, or use --threads and --shard"));
  using Start = int(int*, int*);
  if (entry<Start>(ranks->module_, "reeve_ranks_start")(&ranks->rank_, &ranks->size_) != 0)
    throw Failure(badInput, "MPI cannot be started");
  return ranks;
}

Ranks::~Ranks() {
  using Stop = void();
  if (module_) entry<Stop>(module_, "reeve_ranks_stop")();
}

void Ranks::send(int to, const std::string& message) {
  using Send = void(int, const char*, int);
  entry<Send>(module_, "reeve_ranks_send")(to, message.data(), static_cast<int>(message.size()));
}

std::string Ranks::receive(int& from) {
  using Probe = int(int*);
  using Take = void(int, char*, int);
  std::string message(static_cast<std::size_t>(entry<Probe>(module_, "reeve_ranks_probe")(&from)), '\0');
  entry<Take>(module_, "reeve_ranks_take")(from, message.data(), static_cast<int>(message.size()));
  return message;
}

void Ranks::abort(int code) {
  using Abort = void(int);
  entry<Abort>(module_, "reeve_ranks_abort")(code);
}

}  // namespace reeve::command
