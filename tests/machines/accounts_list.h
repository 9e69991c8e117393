#pragma once
// Shipped scenes whose accounts of energy close to more than a thousandth of what was turned over, and why. The table
// of docs/validation.md shows the reasons (scripts/accounts).
namespace reeve::test {

struct Listed {
  const char* scene;
  double share;  ///< of the turnover: at most
  const char* reason;
};

constexpr Listed listed[] = {
    {"none", 0.0, "none"},
};

}  // namespace reeve::test
