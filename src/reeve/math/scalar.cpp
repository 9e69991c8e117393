// How each function works, and why it keeps its accuracy:
//
// - Arguments are reduced to a short interval in *double-double* (an unevaluated sum hi + lo), so that nothing is lost
//   where the reduced argument is small: sin next to 1000π, log next to 1.
// - On the short interval a polynomial interpolates the remainder after the leading terms at Chebyshev nodes. The
//   coefficients were computed with 400-bit arithmetic and rounded to double; the relative error of each polynomial
//   before rounding is given beside it.
// - Every NaN returned is the one quiet NaN: its sign and payload otherwise differ between machines.
//
// Nothing here may be reordered or contracted: compile with -ffp-contract=off and never with -ffast-math.
#include "reeve/math/scalar.h"

#include <bit>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <limits>

#if FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__)
#error "reeve::math needs plain IEEE double arithmetic: no x87 registers, no -ffast-math"
#endif

namespace reeve::math {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t signBit = 0x8000'0000'0000'0000u;

std::uint64_t bitsOf(double x) { return std::bit_cast<std::uint64_t>(x); }
double magnitude(double x) { return std::bit_cast<double>(bitsOf(x) & ~signBit); }
bool isNegative(double x) { return (bitsOf(x) & signBit) != 0; }
double withSignOf(double x, double sign) {
  return std::bit_cast<double>((bitsOf(x) & ~signBit) | (bitsOf(sign) & signBit));
}
/// 2^k for k in [-1022, 1023].
double powerOfTwo(std::int64_t k) { return std::bit_cast<double>(static_cast<std::uint64_t>(k + 1023) << 52); }

/// x · 2^k for x near 1 and any k, with one rounding unless the result is subnormal.
double scale(double x, std::int64_t k) {
  if (k > 1023) return x * powerOfTwo(1023) * powerOfTwo(k - 1023 > 1023 ? 1023 : k - 1023);
  if (k < -1022) return x * powerOfTwo(-1000) * powerOfTwo(k + 1000 < -1022 ? -1022 : k + 1000);
  return x * powerOfTwo(k);
}

template <int N>
double evaluate(const double (&c)[N], double x) {
  double sum = c[N - 1];
  for (int i = N - 2; i >= 0; --i) sum = sum * x + c[i];
  return sum;
}

// ---- double-double: the unevaluated sum hi + lo, |lo| ≤ ulp(hi)/2 ----------------------------------------------

struct Double2 {
  double hi, lo;
};

/// a + b exactly, for |a| ≥ |b| or a = 0.
Double2 fastSum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
/// a + b exactly.
Double2 sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
/// The upper 26 bits of the significand.
double upperHalf(double a) { return std::bit_cast<double>(bitsOf(a) & ~std::uint64_t{0x07FF'FFFF}); }
/// a · b to 106 bits (Dekker), without overflow or underflow in between.
Double2 product(double a, double b) {
  const double p = a * b, a1 = upperHalf(a), a2 = a - a1, b1 = upperHalf(b), b2 = b - b1;
  return {p, ((a1 * b1 - p) + a1 * b2 + a2 * b1) + a2 * b2};
}
Double2 product(Double2 a, Double2 b) {
  const Double2 p = product(a.hi, b.hi);
  return fastSum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
Double2 quotient(Double2 a, Double2 b) {
  const double q = a.hi / b.hi;
  const Double2 p = product(q, b.hi);
  return fastSum(q, (((a.hi - p.hi) - p.lo) + a.lo - q * b.lo) / b.hi);
}

// ---- sin, cos, tan -----------------------------------------------------------------------------------------------

constexpr Double2 halfPi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
constexpr double quarterPi = 0x1.921fb54442d18p-1;
// π/2 in three parts of 33 bits and a rest: a count below 2^20 times a part is exact.
constexpr double halfPi1 = 0x1.921fb544p+0, halfPi2 = 0x1.0b4611a6p-34, halfPi3 = 0x1.3198a2ep-69;
constexpr double halfPi4 = 0x1.b839a252049c1p-104, halfPi34 = 0x1.3198a2e037073p-69;
constexpr double twoOverPi = 0x1.45f306dc9c883p-1;
// (sin r / r - 1)/r², error 2^-57; (cos r - 1 + r²/2)/r⁴, error 2^-59; |r| ≤ π/4.
constexpr double sinPoly[] = {-0x1.5555555555555p-3, 0x1.1111111111110p-7,   -0x1.a01a01a019937p-13,
                              0x1.71de3a54607a5p-19, -0x1.ae64541295cdfp-26, 0x1.61217ee5cca1bp-33,
                              -0x1.ab17bdcbd3414p-41};
constexpr double cosPoly[] = {0x1.5555555555555p-5,   -0x1.6c16c16c16967p-10, 0x1.a01a019f4e9b4p-16,
                              -0x1.27e4fa17bf139p-22, 0x1.1eeb68cd22f56p-29,  -0x1.907d8f29fe831p-37};

/// x = quadrant · π/2 + r, |r| ≤ π/4 (a little more next to the border).
struct Reduced {
  Double2 r;
  unsigned quadrant;
};

/// The fraction bits of 2/π, 32 to a word.
constexpr std::uint32_t twoOverPiBits[] = {
    0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB, 0xDEBBC561,
    0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E, 0xE88235F5, 0x2EBB4484,
    0xE99C7026, 0xB45F7E41, 0x3991D639, 0x835339F4, 0x9C845F8B, 0xBDF9283B, 0x1FF897FF, 0xDE05980F,
    0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF, 0x27CB09B7, 0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B,
    0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1, 0x1F8D5D08, 0x56033046, 0xFC7B6BAB};

/// Payne and Hanek's reduction for positive x ≥ 2^20: multiplies the significand with the seven words of 2/π that
/// decide the quadrant and 137 bits of the fraction; higher words contribute whole turns.
Reduced reduceHuge(double x) {
  const std::uint64_t bits = bitsOf(x);
  const int exponent = static_cast<int>(bits >> 52) - 1075;  // x = m · 2^exponent
  const std::uint64_t m = (bits & 0x000F'FFFF'FFFF'FFFFu) | 0x0010'0000'0000'0000u;
  const int first = exponent < 34 ? 0 : (exponent - 2) / 32;
  const int point = 32 * (first + 7) - exponent;  // fraction bits in the product

  std::uint32_t word[9] = {};  // least significant first
  for (int half = 0; half < 2; ++half) {
    const std::uint64_t factor = half == 0 ? m & 0xFFFF'FFFFu : m >> 32;
    std::uint64_t carry = 0;
    for (int i = 0; i < 7; ++i) {
      carry += factor * twoOverPiBits[first + 6 - i] + word[i + half];
      word[i + half] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    for (int i = 7 + half; i < 9; ++i) {
      carry += word[i];
      word[i] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
  }

  const auto bit = [&](int i) { return i < 288 ? (word[i / 32] >> (i % 32)) & 1u : 0u; };
  unsigned quadrant = bit(point) + 2 * bit(point + 1);
  for (int i = point; i < 288; ++i) word[i / 32] &= ~(1u << (i % 32));
  const bool roundUp = bit(point - 1) != 0;  // fraction ≥ 1/2: count from the next quadrant, fraction - 1 < 0
  if (roundUp) {
    ++quadrant;
    std::uint64_t borrow = 0;
    for (int i = 0; i < 9; ++i) {
      const std::uint64_t difference = 0 - static_cast<std::uint64_t>(word[i]) - borrow;
      word[i] = static_cast<std::uint32_t>(difference);
      borrow = (difference >> 32) & 1u;
    }
    for (int i = point; i < 288; ++i) word[i / 32] &= ~(1u << (i % 32));
  }
  Double2 fraction = {0, 0};
  for (int i = 8; i >= 0; --i) {
    const Double2 s = sum(fraction.hi, static_cast<double>(word[i]) * powerOfTwo(32 * i - point));
    fraction = {s.hi, fraction.lo + s.lo};
  }
  Double2 r = product(fastSum(fraction.hi, fraction.lo), halfPi);
  if (roundUp) r = {-r.hi, -r.lo};
  return {r, quadrant};
}

Reduced reduceToQuadrant(double x) {
  if (magnitude(x) >= 0x1p20) {
    Reduced a = reduceHuge(magnitude(x));
    if (isNegative(x)) a = {{-a.r.hi, -a.r.lo}, 0u - a.quadrant};
    return a;
  }
  constexpr double toInteger = 0x1.8p52;  // adding it rounds to the nearest integer, left in the low bits
  const double shifted = x * twoOverPi + toInteger;
  const double n = shifted - toInteger;
  const double a = x - n * halfPi1;  // exact
  Double2 r = sum(a, -(n * halfPi2));
  if (magnitude(r.hi) > 0x1p-20) {
    r = fastSum(r.hi, r.lo - n * halfPi34);
  } else {  // close to a multiple of π/2: more bits of it
    const Double2 s = sum(r.hi, -(n * halfPi3));
    r = sum(s.hi, (r.lo + s.lo) - n * halfPi4);
  }
  return {r, static_cast<unsigned>(bitsOf(shifted))};
}

/// sin(r) - r.hi
double sinRest(Double2 r) {
  const double z = r.hi * r.hi;
  return r.hi * z * evaluate(sinPoly, z) + r.lo * (1 - 0.5 * z);
}
/// cos(r) = 1 - r²/2 + ..., hi the rounded first two terms.
Double2 cosParts(Double2 r) {
  const double z = r.hi * r.hi, half = 0.5 * z, w = 1 - half;
  return {w, ((1 - w) - half) + (z * z * evaluate(cosPoly, z) - r.hi * r.lo)};
}
double sinNear(Double2 r) { return r.hi + sinRest(r); }
double cosNear(Double2 r) {
  const Double2 c = cosParts(r);
  return c.hi + c.lo;
}

// ---- atan ----------------------------------------------------------------------------------------------------------

/// atan(j/8)
constexpr Double2 atanTable[] = {{0x0p+0, 0x0p+0},
                                 {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                 {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                 {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                 {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                 {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                 {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                 {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                 {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
// (atan t / t - 1)/t², |t| ≤ 1/10, error 2^-60.
constexpr double atanPoly[] = {-0x1.5555555555555p-2, 0x1.99999999977d7p-3,  -0x1.2492491b0b60fp-3,
                               0x1.c71c524b3fd51p-4,  -0x1.74458c45f013fp-4, 0x1.32f07bf5a5c60p-4};

/// base + sign · atan(n/d) for finite 0 ≤ n ≤ d, d > 0. base is 0, π/2 or π.
double atanOfRatio(double n, double d, Double2 base, double sign) {
  double t = n / d;
  const int j = t < 0.1 ? 0 : static_cast<int>(t * 8 + 0.5);
  if (j > 0) {  // atan(n/d) = atan(j/8) + atan((n - d j/8)/(d + n j/8)), the numerator exact but for one rounding
    if (d > 0x1p1000) n *= 0x1p-100, d *= 0x1p-100;
    if (d < 0x1p-900) n *= 0x1p200, d *= 0x1p200;
    const double c = j * 0.125, upper = std::bit_cast<double>(bitsOf(d) & ~std::uint64_t{0x1F});
    t = ((n - c * upper) - c * (d - upper)) / (d + c * n);
  }
  const double z = t * t, rest = t + t * z * evaluate(atanPoly, z);
  const Double2 sector = fastSum(base.hi, sign * atanTable[j].hi);
  return sector.hi + (sector.lo + (base.lo + sign * atanTable[j].lo) + sign * rest);
}

// (asin s / s - 1)/s², s² ≤ 1/4, error 2^-58.
constexpr double asinPoly[] = {0x1.5555555555555p-3,  0x1.3333333333388p-4, 0x1.6db6db6dac1e0p-5, 0x1.f1c71c7a52ba3p-6,
                               0x1.6e8ba123e494cp-6,  0x1.1c4efce23019fp-6, 0x1.c990ad3d8fdcap-7, 0x1.7b027ee1dd585p-7,
                               0x1.3b49de7121487p-7,  0x1.31622469ce5adp-7, 0x1.8f193743418ffp-9, 0x1.406192d124629p-6,
                               -0x1.3b416bb7d9257p-6, 0x1.e529c6fce9bb4p-6};

/// asin(sqrt(z)) for z in [0, 1/4], as hi + lo.
Double2 asinOfRoot(double z) {
  const double s = std::sqrt(z);
  if (s == 0) return {0, 0};
  const Double2 square = product(s, s);
  const double rootRest = ((z - square.hi) - square.lo) / (2 * s);
  return {s, rootRest + s * z * evaluate(asinPoly, z)};
}

// ---- exp, log, pow -------------------------------------------------------------------------------------------------

// ln 2 = 42 bits + rest, so that an exponent times the first part is exact.
constexpr double ln2Upper = 0x1.62e42fefa3800p-1, ln2Lower = 0x1.ef35793c76730p-45;
constexpr double oneOverLn2 = 0x1.71547652b82fep+0;
// (exp r - 1 - r)/r², |r| ≤ ln(2)/2, error 2^-61.
constexpr double expPoly[] = {0x1.0000000000000p-1,  0x1.5555555555557p-3,  0x1.5555555555556p-5,
                              0x1.11111111100dcp-7,  0x1.6c16c16c162d4p-10, 0x1.a01a01abe7fe1p-13,
                              0x1.a01a01a6d889cp-16, 0x1.71de0231960ebp-19, 0x1.27e4db646b17ep-22,
                              0x1.af4de97ca4194p-26, 0x1.1f730349868cep-29};
// (2 atanh s / s - 2)/s², |s| ≤ (√2 - 1)/(√2 + 1), error 2^-60.
constexpr double logPoly[] = {0x1.5555555555555p-1, 0x1.9999999999a38p-2, 0x1.2492492476c87p-2, 0x1.c71c720160b47p-3,
                              0x1.745cf901605f7p-3, 0x1.3b1c360763b8ap-3, 0x1.0fbe83c2cbcf3p-3, 0x1.0c04595972ab8p-3};
// (atanh s / s - 1 - s²/3)/s⁴ on the same interval, error 2^-66 of atanh.
constexpr double atanhPoly[] = {0x1.999999999999ap-3, 0x1.2492492492491p-3, 0x1.c71c71c71cfd9p-4,
                                0x1.745d174513593p-4, 0x1.3b13b1bc75cd4p-4, 0x1.1110dfad0f8eap-4,
                                0x1.e1f7fa7547177p-5, 0x1.ac4a89c964b82p-5, 0x1.b8d433113b7fap-5};
constexpr Double2 third = {0x1.5555555555555p-2, 0x1.5555555555555p-56};

/// exp(x.hi + x.lo)
double expOf(Double2 x) {
  if (x.hi > 709.79) return infinity;
  if (x.hi < -745.14) return 0;
  constexpr double toInteger = 0x1.8p52;
  const double k = (x.hi * oneOverLn2 + toInteger) - toInteger;
  const Double2 r = sum(x.hi - k * ln2Upper, x.lo - k * ln2Lower);
  const Double2 one = fastSum(1, r.hi);
  const double rest = r.lo + (r.lo * r.hi + r.hi * r.hi * evaluate(expPoly, r.hi));
  return scale(one.hi + (one.lo + rest), static_cast<std::int64_t>(k));
}

/// x = 2^exponent · m, m in [√½, √2), for finite x > 0.
struct Split {
  double m;
  int exponent;
};
Split split(double x) {
  int exponent = 0;
  if (x < 0x1p-1022) x *= 0x1p54, exponent = -54;
  const std::uint64_t bits = bitsOf(x), fraction = bits & 0x000F'FFFF'FFFF'FFFFu;
  exponent += static_cast<int>(bits >> 52) - 1023;
  constexpr std::uint64_t rootTwo = 0x6'A09E'667F'3BCDu;  // fraction bits of √2
  const bool upper = fraction >= rootTwo;
  const std::uint64_t one = upper ? 0x3FE0'0000'0000'0000u : 0x3FF0'0000'0000'0000u;
  return {std::bit_cast<double>(fraction | one), exponent + (upper ? 1 : 0)};
}

/// log(x) for finite x > 0, to about 65 bits.
Double2 logOf(double x) {
  const Split a = split(x);
  const double f = a.m - 1;
  const Double2 s = quotient({f, 0}, sum(2, f));
  const Double2 z = product(s, s);
  const Double2 series = sum(third.hi, z.hi * evaluate(atanhPoly, z.hi) + third.lo);
  const Double2 factor = product(z, series);  // atanh s / s - 1
  const Double2 extra = product(s, factor);
  const Double2 head = fastSum(s.hi, extra.hi);
  const Double2 logM = {2 * head.hi, 2 * (head.lo + (s.lo + extra.lo))};
  const double k = a.exponent;
  const Double2 total = sum(k * ln2Upper, logM.hi);
  return fastSum(total.hi, total.lo + (logM.lo + k * ln2Lower));
}

enum class Parity { fraction, even, odd };
Parity parityOf(double y) {
  if (magnitude(y) >= 0x1p53) return Parity::even;
  if (std::floor(y) != y) return Parity::fraction;
  return std::floor(0.5 * y) == 0.5 * y ? Parity::even : Parity::odd;
}

}  // namespace

double sin(double x) {
  const double a = magnitude(x);
  if (a <= quarterPi) return a < 0x1p-27 ? x : sinNear({x, 0});
  if (!(a < infinity)) return nan;
  const Reduced q = reduceToQuadrant(x);
  const double value = (q.quadrant & 1u) ? cosNear(q.r) : sinNear(q.r);
  return (q.quadrant & 2u) ? -value : value;
}

double cos(double x) {
  const double a = magnitude(x);
  if (a <= quarterPi) return cosNear({x, 0});
  if (!(a < infinity)) return nan;
  const Reduced q = reduceToQuadrant(x);
  const double value = (q.quadrant & 1u) ? sinNear(q.r) : cosNear(q.r);
  return ((q.quadrant + 1) & 2u) ? -value : value;
}

void sincos(double x, double& s, double& c) {
  const double a = magnitude(x);
  if (a <= quarterPi) {
    s = a < 0x1p-27 ? x : sinNear({x, 0});
    c = cosNear({x, 0});
    return;
  }
  if (!(a < infinity)) {
    s = c = nan;
    return;
  }
  const Reduced q = reduceToQuadrant(x);
  const double sine = sinNear(q.r), cosine = cosNear(q.r);
  s = (q.quadrant & 1u) ? cosine : sine;
  c = (q.quadrant & 1u) ? sine : cosine;
  if (q.quadrant & 2u) s = -s;
  if ((q.quadrant + 1) & 2u) c = -c;
}

double tan(double x) {
  const double a = magnitude(x);
  if (a < 0x1p-27) return x;
  if (!(a < infinity)) return nan;
  const Reduced q = a <= quarterPi ? Reduced{{x, 0}, 0} : reduceToQuadrant(x);
  const Double2 cosine = cosParts(q.r);
  const Double2 s = fastSum(q.r.hi, sinRest(q.r)), c = fastSum(cosine.hi, cosine.lo);
  const Double2 t = (q.quadrant & 1u) ? quotient({-c.hi, -c.lo}, s) : quotient(s, c);
  return t.hi + t.lo;
}

double atan(double x) {
  const double a = magnitude(x);
  if (x != x) return nan;
  if (a == infinity) return withSignOf(halfPi.hi, x);
  const double value = a <= 1 ? atanOfRatio(a, 1, {0, 0}, 1) : atanOfRatio(1, a, halfPi, -1);
  return withSignOf(value, x);
}

double atan2(double y, double x) {
  if (x != x || y != y) return nan;
  const double ay = magnitude(y), ax = magnitude(x);
  const bool left = isNegative(x);
  double angle;
  if (ay == 0) {
    angle = left ? pi : 0;
  } else if (ax == infinity) {
    angle = ay == infinity ? (left ? 3 * quarterPi : quarterPi) : (left ? pi : 0);
  } else if (ay == infinity) {
    angle = halfPi.hi;
  } else if (ay <= ax) {
    angle = left ? atanOfRatio(ay, ax, {2 * halfPi.hi, 2 * halfPi.lo}, -1) : atanOfRatio(ay, ax, {0, 0}, 1);
  } else {
    angle = atanOfRatio(ax, ay, halfPi, left ? 1 : -1);
  }
  return withSignOf(angle, y);
}

double asin(double x) {
  const double a = magnitude(x);
  if (!(a <= 1)) return nan;
  if (a < 0.5) {
    const double z = x * x;
    return a < 0x1p-27 ? x : x + x * z * evaluate(asinPoly, z);
  }
  const Double2 half = asinOfRoot(0.5 * (1 - a));  // asin(a) = π/2 - 2 asin √((1 - a)/2)
  const Double2 head = fastSum(halfPi.hi, -2 * half.hi);
  return withSignOf(head.hi + (head.lo + (halfPi.lo - 2 * half.lo)), x);
}

double acos(double x) {
  const double a = magnitude(x);
  if (!(a <= 1)) return nan;
  if (a < 0.5) {
    const double z = x * x;
    const Double2 head = fastSum(halfPi.hi, -x);
    return head.hi + (head.lo + (halfPi.lo - x * z * evaluate(asinPoly, z)));
  }
  const Double2 half = asinOfRoot(0.5 * (1 - a));
  if (!isNegative(x)) return 2 * (half.hi + half.lo);
  const Double2 head = fastSum(2 * halfPi.hi, -2 * half.hi);
  return head.hi + (head.lo + (2 * halfPi.lo - 2 * half.lo));
}

double exp(double x) { return x != x ? nan : expOf({x, 0}); }

double log(double x) {
  if (!(x >= 0)) return nan;
  if (x == 0) return -infinity;
  if (x == infinity) return infinity;
  const Split a = split(x);
  // With s = f/(2 + f): log(1 + f) = 2 atanh s = f - (f²/2 - s (f²/2 + R)), R = 2 atanh s / s - 2.
  const double f = a.m - 1, s = f / (2 + f), z = s * s, half = 0.5 * f * f, k = a.exponent;
  const double rest = s * (half + z * evaluate(logPoly, z)) + k * ln2Lower;
  return k * ln2Upper - ((half - rest) - f);
}

double pow(double x, double y) {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return nan;
  const double a = magnitude(x);
  const Parity parity = parityOf(y);
  const bool negative = isNegative(x) && parity == Parity::odd;
  if (a == 1 && (magnitude(y) == infinity || parity != Parity::fraction)) return negative ? -1 : 1;
  double value;
  if (a == 0 || a == infinity) {
    value = (a == 0) == (y < 0) ? infinity : 0;
  } else if (magnitude(y) > 0x1p66) {  // even for the double next to 1 the result leaves the range
    value = (a > 1) == (y > 0) ? infinity : 0;
  } else if (x < 0 && parity == Parity::fraction) {
    return nan;
  } else {
    const Double2 l = logOf(a), p = product(y, l.hi);
    value = expOf(fastSum(p.hi, p.lo + y * l.lo));
  }
  return negative ? -value : value;
}

double hypot(double x, double y) {
  double a = magnitude(x), b = magnitude(y);
  if (a == infinity || b == infinity) return infinity;
  if (a != a || b != b) return nan;
  if (a < b) {
    const double t = a;
    a = b;
    b = t;
  }
  if (b <= a * 0x1p-54) return a + b;
  double unit = 1;
  if (a > 0x1p500) unit = 0x1p600;
  if (b < 0x1p-400) unit = 0x1p-600;
  a /= unit;
  b /= unit;
  const Double2 a2 = product(a, a), b2 = product(b, b), s = fastSum(a2.hi, b2.hi);
  return unit * std::sqrt(s.hi + (s.lo + (a2.lo + b2.lo)));
}

}  // namespace reeve::math
