#include "reeve/geometry/hanging.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {
namespace {

double cosh(double x) {
  const double e = math::exp(std::abs(x));
  return 0.5 * (e + 1.0 / e);
}

/// sinh(x)/x − 1, to full relative accuracy.
double sinhExcess(double x) {
  const double q = x * x;
  if (q < 1.0) {
    double term = q / 6.0;
    double sum = term;
    for (int k = 2; k < 12; ++k) {
      term *= q / (2.0 * k * (2.0 * k + 1.0));
      sum += term;
    }
    return sum;
  }
  const double e = math::exp(std::abs(x));
  return 0.5 * (e - 1.0 / e) / std::abs(x) - 1.0;
}

double sinh(double x) { return x * (1.0 + sinhExcess(x)); }

double asinh(double x) {
  const double a = std::abs(x);
  const double value = math::log(a + std::sqrt(a * a + 1.0));
  return x < 0.0 ? -value : value;
}

/// y > 0 with sinh(y)/y = 1 + excess.
double solveHalfWidth(double excess) {
  // From below for small y (series), from above for large (sinh y ≈ eʸ/2); Newton's method on the logarithm does the
  // rest: it is nearly straight, log(sinh y / y) ~ y²/6 and then y − log 2y.
  double y = 0.0;
  if (excess < 3.0) {
    y = std::sqrt(6.0 * excess / (1.0 + 0.3 * excess));
  } else {
    const double l = math::log(2.0 * (1.0 + excess));
    y = l + math::log(l);
  }
  const bool small = excess < 0.5;
  for (int iteration = 0; iteration < 60; ++iteration) {
    const double now = sinhExcess(y);
    const double slope = (cosh(y) - 1.0 - now) / y;  // of sinh(y)/y
    // (cosh y − sinh y / y) / y cancels for small y: there y/3·(1 + y²/10 + y⁴/280 + …)
    const double q = y * y;
    const double accurate = q < 0.01 ? y / 3.0 * (1.0 + q / 10.0 * (1.0 + q / 28.0 * (1.0 + q / 54.0))) : slope;
    const double error = small ? now - excess : (1.0 + now) * math::log((1.0 + now) / (1.0 + excess));
    const double change = error / accurate;
    const double moved = std::max(y - change, 0.1 * y);
    const bool done = std::abs(moved - y) <= 2e-16 * y;
    y = moved;
    if (done) break;
  }
  return y;
}

/// Opens a fold: the shorter leg goes aside by so many pieces where it is lowest, and not at its end.
void openFold(const HangingCurve& curve, double pieces, std::span<Vec3> points) {
  Vec3 x, y;
  orthonormalBasis(curve.up, x, y);
  const double piece = curve.length / static_cast<double>(points.size() - 1);
  const double leg = 0.5 * (curve.length - std::abs(curve.rise)), aside = std::min(pieces * piece, 0.5 * leg);
  for (std::size_t i = 1; i + 1 < points.size(); ++i) {
    const double s = piece * static_cast<double>(i), rest = curve.rise > 0.0 ? s : curve.length - s;
    points[i] += aside * std::min(rest / leg, std::clamp((leg + piece - rest) / piece, 0.0, 1.0)) * x;
  }
}

}  // namespace

HangingCurve hangingCurve(const Vec3& start, const Vec3& end, double length, const Vec3& gravity) {
  HangingCurve curve;
  curve.start = start;
  curve.end = end;
  curve.length = length;
  const double pull = gravity.norm();
  curve.up = pull > 0.0 ? Vec3(-gravity / pull) : Vec3(Vec3::UnitZ());
  const Vec3 d = end - start;
  const double distance = d.norm();
  curve.rise = curve.up.dot(d);
  const Vec3 flat = d - curve.rise * curve.up;
  curve.width = flat.norm();
  if (!(length > distance)) {
    curve.parameter = HUGE_VAL;
    return curve;
  }
  if (curve.width <= 1e-12 * length) {
    curve.shape = HangingShape::folded;
    return curve;
  }
  curve.across = flat / curve.width;
  const double reach = std::sqrt((length - curve.rise) * (length + curve.rise));
  const double excess = (length - distance) * (length + distance) / (curve.width * (reach + curve.width));
  if (excess < 1e-15) {
    // Taut to rounding: the sag, about width·√excess, is invisible and its solution would be noise.
    curve.parameter = HUGE_VAL;
    return curve;
  }
  curve.shape = HangingShape::catenary;
  curve.halfWidth = solveHalfWidth(excess);
  curve.parameter = curve.width / (2.0 * curve.halfWidth);
  curve.tilt = 0.5 * math::log((length + curve.rise) / (length - curve.rise));
  return curve;
}

Vec3 HangingCurve::at(double fromStart) const {
  const double s = std::clamp(fromStart, 0.0, length);
  if (shape == HangingShape::straight) return start + (length > 0.0 ? s / length : 0.0) * (end - start);
  if (shape == HangingShape::folded) {
    const double down = 0.5 * (length - rise);
    const double height = s <= down ? -s : s - 2.0 * down;
    return start + height * up + (s / length) * (end - start - rise * up);
  }
  const double y = halfWidth;
  const double c = parameter;
  double u = asinh(s / c + sinh(tilt - y)) - tilt;
  for (int newton = 0; newton < 3; ++newton) {
    const double error = 2.0 * c * cosh(tilt + 0.5 * (u - y)) * sinh(0.5 * (u + y)) - s;
    u -= error / (c * cosh(tilt + u));
  }
  u = std::clamp(u, -y, y);
  const double height = 2.0 * c * sinh(tilt + 0.5 * (u - y)) * sinh(0.5 * (u + y));
  return start + c * (u + y) * across + height * up;
}

double HangingCurve::dip() const {
  if (shape == HangingShape::folded) return 0.5 * (length - std::abs(rise));
  if (shape == HangingShape::straight || std::abs(tilt) >= halfWidth) return 0.0;
  // From the lower end (at u = ∓y for a rise ≥ 0) down to u = −A: c(cosh(y − |A|) − 1).
  const double half = sinh(0.5 * (halfWidth - std::abs(tilt)));
  return 2.0 * parameter * half * half;
}

void hangingPolyline(const Vec3& start, const Vec3& end, double length, const Vec3& gravity, std::span<Vec3> points,
                     double aside) {
  const std::size_t n = points.size();
  if (n == 0) return;
  const auto place = [&](double curveLength) {
    const HangingCurve curve = hangingCurve(start, end, curveLength, gravity);
    for (std::size_t i = 0; i < n; ++i) {
      points[i] = curve.at(curveLength * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(n - 1, 1)));
    }
    points[0] = start;
    points[n - 1] = end;
    if (aside > 0.0 && curve.shape == HangingShape::folded) openFold(curve, aside, points);
    double sum = 0.0;
    for (std::size_t i = 1; i < n; ++i) sum += (points[i] - points[i - 1]).norm();
    return sum;
  };
  if (n < 3 || !(length > (end - start).norm())) {
    place((end - start).norm());
    return;
  }
  // The polyline's length grows with the curve's: a bracket, then its secant (Illinois' rule). An open fold makes it
  // longer than its curve.
  double low = length;
  double errorLow = place(low) - length;
  double high = length;
  double errorHigh = errorLow;
  for (int shrink = 0; shrink < 60 && errorLow > 1e-11 * length; ++shrink) {
    low = 0.5 * (low + (end - start).norm());
    errorLow = place(low) - length;
  }
  // Growing by doubling: with ends above each other the lowest corner may be far up the other side of the fold.
  double growth = std::max(-1.5 * errorLow, 1e-12 * length);
  for (int grow = 0; grow < 60 && errorHigh < 0.0; ++grow) {
    low = high;
    errorLow = errorHigh;
    high += growth;
    growth *= 2.0;
    errorHigh = place(high) - length;
  }
  double kept = 0.0;
  if (std::abs(errorHigh) <= 1e-11 * length) return;
  for (int step = 0; step < 150; ++step) {
    const bool halve = step % 3 == 2 || !(errorHigh > errorLow);
    const double middle = halve ? 0.5 * (low + high) : low - errorLow * (high - low) / (errorHigh - errorLow);
    const double error = place(middle) - length;
    if (std::abs(error) <= 1e-11 * length) return;
    if (error > 0.0) {
      high = middle;
      errorHigh = error;
      if (kept > 0.0) errorLow *= 0.5;
    } else {
      low = middle;
      errorLow = error;
      if (kept < 0.0) errorHigh *= 0.5;
    }
    kept = error;
  }
}

int outlinePath(const Outline& outline, const LinkFrame& frame, double s, double length, double step,
                std::span<Vec3> points) {
  if (points.empty()) return 0;
  std::size_t count = 0;
  const auto put = [&](double at) {
    if (count + 1 < points.size()) points[count++] = frame.toWorld(outline.at(at).point);
  };
  put(s);
  const bool forward = length >= 0.0;
  const double tiny = 1e-12 * outline.perimeter();
  double gone = 0.0;
  while (std::abs(length) - gone > tiny && count + 1 < points.size()) {
    const Outline::Piece piece = outline.pieceAhead(s + (forward ? gone : -gone), forward);
    const double advance = std::min(std::abs(length) - gone, piece.length);
    const double parts = piece.arc && step > 0.0 ? std::ceil(advance / step) : 1.0;
    for (double part = 1.0; part <= parts && count + 1 < points.size(); part += 1.0) {
      const double at = gone + advance * part / parts;
      if (std::abs(length) - at > tiny) put(s + (forward ? at : -at));
    }
    gone += advance;
  }
  points[count++] = frame.toWorld(outline.at(s + length).point);
  return static_cast<int>(count);
}

}  // namespace reeve
