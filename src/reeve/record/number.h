#pragma once
// Numbers as text: exact for machines, short for people, rounded for pictures.
#include <string>
#include <string_view>
#include <vector>

namespace reeve::record {

/// The shortest decimal text that reads back as the same double; "nan", "inf" or "-inf" where there is none.
std::string shortest(double value);
/// Behind a text that is there: tables have hundreds of thousands of numbers.
void appendShortest(std::string& out, double value);

/// At most `decimals` places, trailing zeros dropped, never "-0".
std::string rounded(double value, int decimals);
void appendRounded(std::string& out, double value, int decimals);

/// `digits` significant digits for a table: 9.81, 1234.5, 1.2e-07.
std::string readable(double value, int digits = 5);

/// With an SI prefix: 12300 and "N" give "12.3 kN". Units with a blank or a slash take a power of ten instead.
std::string engineering(double value, std::string_view unit, int digits = 3);

/// Round positions that cover [low, high], about `wanted` of them, at a step of 1, 2 or 5 times a power of ten.
struct Ticks {
  double step = 1.0;
  int decimals = 0;  ///< enough to write every position exactly
  std::vector<double> at;
};
Ticks niceTicks(double low, double high, int wanted);

/// The largest of 1, 2 and 5 times a power of ten that is not above `value`. Zero for zero and worse.
double niceFloor(double value);
/// The smallest of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6 and 8 times a power of ten that is not below `value`.
double niceCeil(double value);

/// The prefix that brings `largest` between 1 and 1000, as its factor and its letter: 1e3 and "k".
struct Prefix {
  double factor = 1.0;
  std::string_view letter;
};
Prefix siPrefix(double largest);

}  // namespace reeve::record
