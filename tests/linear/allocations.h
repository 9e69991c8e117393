#pragma once
// Counts every call of operator new in this program.

namespace reeve {

long allocations();

}  // namespace reeve
