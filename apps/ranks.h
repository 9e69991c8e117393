#pragma once
// The processes of an MPI job, where the command was started by mpirun. MPI is in a module of its own (ranks_mpi.cpp),
// which is loaded only then: other commands do not pay for it, and a build without MPI has none.
#include <memory>
#include <string>

namespace reeve::command {

class Ranks {
 public:
  /// Null outside of an MPI job. Throws a Failure in one if the module is missing.
  static std::unique_ptr<Ranks> join();
  ~Ranks();
  Ranks(const Ranks&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  void send(int to, const std::string& message);
  /// Waits for a message of anybody.
  std::string receive(int& from);
  /// Ends all processes of the job.
  void abort(int code);

 private:
  Ranks() = default;
  void* module_ = nullptr;
  int rank_ = 0, size_ = 1;
};

}  // namespace reeve::command
