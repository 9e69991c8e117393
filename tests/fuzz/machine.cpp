// Random machines of all models (support/random_machine.h), two of whose settings the bytes choose.
#include <cstring>

#include "exercise.h"
#include "support/random_machine.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace reeve;
  if (size < 8) return 0;
  static constexpr CableModel models[] = {CableModel::joints, CableModel::strand, CableModel::hoist, CableModel::chain,
                                          CableModel::particles};
  std::uint32_t number = 0;
  std::memcpy(&number, data + 1, sizeof number);
  Description d =
      test::randomMachine({.model = models[data[0] % 5], .spatial = (data[0] & 64) != 0}, number % 1000000u);
  static constexpr SolverChoice solvers[] = {SolverChoice::automatic, SolverChoice::direct, SolverChoice::sweep,
                                             SolverChoice::blocks};
  d.settings.solver = solvers[data[5] % 4];
  d.settings.dt = 1.0 / (30.0 + 8.0 * data[6]);
  fuzz::exercise(d, 50, data[7] % 50);
  return 0;
}
