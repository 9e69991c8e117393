#pragma once
// Counts every call of operator new in a program that asks.

namespace reeve {

long allocations();

}  // namespace reeve
