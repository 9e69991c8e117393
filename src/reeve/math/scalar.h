#pragma once
// Elementary functions that give the same bits on every compiler, level and machine.
//
// The C library's sin, exp and the rest differ between x86 machines and WebAssembly, so the core never calls them.
// These use only +, -, *, /, sqrt, floor and integer work on the exponent, which IEEE 754 fixes. Accuracy: about one
// unit in the last place over the range the core uses (|x| up to 1e6 for the trigonometric functions).

namespace reeve::math {

inline constexpr double pi = 3.14159265358979323846;

double sin(double x);
double cos(double x);
/// Both at once, for rotations.
void sincos(double x, double& s, double& c);
double tan(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double exp(double x);
double log(double x);
double pow(double x, double y);
double hypot(double x, double y);

}  // namespace reeve::math
