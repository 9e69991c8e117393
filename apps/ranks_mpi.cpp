// The module reeve_mpi.so: MPI behind six C functions, for ranks.cpp.
#include <mpi.h>
#include <unistd.h>

extern "C" {

int reeve_ranks_start(int* rank, int* size) {
  if (MPI_Init(nullptr, nullptr) != MPI_SUCCESS) return 1;
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  return 0;
}

void reeve_ranks_stop() { MPI_Finalize(); }
void reeve_ranks_abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }
void reeve_ranks_send(int to, const char* text, int size) { MPI_Send(text, size, MPI_CHAR, to, 0, MPI_COMM_WORLD); }

/// Waits for a message of any rank; returns its size. Sleeps between looks, so that rank 0 does not take a core.
int reeve_ranks_probe(int* from) {
  MPI_Status status;
  for (int there = 0; !there;) {
    MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &there, &status);
    if (!there) usleep(100);
  }
  int size = 0;
  MPI_Get_count(&status, MPI_CHAR, &size);
  *from = status.MPI_SOURCE;
  return size;
}

void reeve_ranks_take(int from, char* text, int size) {
  MPI_Recv(text, size, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
}
