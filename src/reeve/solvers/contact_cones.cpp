#include "reeve/solvers/contact_cones.h"

#include <algorithm>
#include <cmath>

#include "reeve/math/at.h"
#include "reeve/solvers/six.h"
#include "reeve/solvers/solver.h"

namespace reeve {

namespace {

/// A search along a step ends where the slope is this share of that at its start.
constexpr double levelShare = 0.1;
constexpr int mostLooks = 20;
/// Passes: ρ where the sharpest has failed, by how much it shrinks and grows, the least of it, and the looks that one
/// may take: what rests on forces of the step before settles on them in a look or two.
constexpr double blunt = 0.1, sharpen = 0.4, blunter = 4.0, sharp = 1e-4, passSettled = 0.05;
constexpr int mostPassLooks = 6, mostFirstLooks = 4;
/// So few contacts settle by their modes, and exactly.
constexpr std::size_t few = 4;
/// Limits that a force moves what it acts on by, if that bears itself alone: about what weight does.
constexpr double ownLoad = 1e3;

bool isFriction(const Row& row, const Row& gap) {
  return row.level == Level::velocity && row.lower == 0.0 && row.upper == 0.0 && row.lowerSlot == gap.slot &&
         row.upperSlot == gap.slot && row.lowerGain == -row.upperGain;
}

bool isCone(const RowSet& rows, std::size_t g) {
  if (rows.groupSize(static_cast<int>(g)) != 3) return false;
  const std::size_t r = at(rows.groups[g]);
  const Row& gap = rows.rows[r];
  return gap.level == Level::position && gap.softness > 0.0 && gap.compliance == 0.0 && gap.lower == 0.0 &&
         gap.lowerSlot < 0 && gap.upperSlot < 0 && isFriction(rows.rows[r + 1], gap) &&
         isFriction(rows.rows[r + 2], gap);
}

/// Forces for what the rows ask; the piece they are of.
Cone::Piece law(const Cone& c, double blunt, const double* y, double* f) {
  f[0] = f[1] = f[2] = 0.0;
  if (!c.used) return Cone::Piece::open;
  const double lag = blunt * c.loaded * c.mobility, slow = blunt * c.loaded * c.mobilityFriction;
  f[0] = std::max(0.0, (lag * c.shift[0] - y[0]) / (lag + c.give()));
  if (c.pinned) {
    f[1] = -c.bound * c.along[0];
    f[2] = -c.bound * c.along[1];
    return f[0] > 0.0 ? Cone::Piece::slides : Cone::Piece::open;
  }
  const double e = slow + c.giveFriction(), a = slow * c.shift[1] - y[1], b = slow * c.shift[2] - y[2];
  const double asked = std::sqrt(a * a + b * b);
  const bool sticks = asked <= e * c.bound;
  const double share = sticks ? 1.0 / e : c.bound / asked;
  f[1] = share * a;
  f[2] = share * b;
  return f[0] > 0.0 ? (sticks ? Cone::Piece::sticks : Cone::Piece::slides) : Cone::Piece::open;
}

/// −∂f/∂y: of the gap, and of friction (11, 12, 22).
struct ConeTangent {
  double gap = 0.0, f11 = 0.0, f12 = 0.0, f22 = 0.0;
};

ConeTangent tangentOf(const Cone& c, double blunt) {
  ConeTangent t;
  if (!c.used) return t;
  const double lag = blunt * c.loaded * c.mobility, slow = blunt * c.loaded * c.mobilityFriction;
  if (c.force[0] > 0.0) t.gap = 1.0 / (lag + c.give());
  if (c.pinned || c.bound <= 0.0) return t;
  const double e = slow + c.giveFriction();
  double a = slow * c.shift[1] - c.y[1], b = slow * c.shift[2] - c.y[2];
  const double asked = std::sqrt(a * a + b * b);
  if (asked <= e * c.bound) {
    t.f11 = t.f22 = 1.0 / e;
    return t;
  }
  a /= asked, b /= asked;
  const double g = c.bound / asked;
  t.f11 = g * b * b;
  t.f22 = g * a * a;
  t.f12 = -g * a * b;
  return t;
}

}  // namespace

void Cones::find(const RowSet& rows) {
  std::size_t g = rows.groups.size(), count = 0;
  while (g > 0 && isCone(rows, g - 1)) --g, ++count;
  if (count <= few) count = 0;
  held_ = rows.rows.size() - 3 * count;
  if (cones_.size() != count) {
    cones_.assign(count, Cone{});
    written_.assign(count, Cone::Piece::open);
  }
  for (std::size_t c = 0; c < count; ++c) {
    cones_[c].row = static_cast<int>(held_ + 3 * c);
    cones_[c].gain = rows.rows[held_ + 3 * c + 1].upperGain;
  }
}

void Cones::begin(const RowSet& rows, std::span<const double> multiplier, double scale, double limit) {
  searches_ = false;
  blunt_ = 0.0;
  for (Cone& c : cones_) {
    for (int k = 0; k < 3; ++k) c.start[k] = scale * multiplier[at(rows.rows[at(c.row + k)].slot)];
    const double gap = c.start[0];
    c.bound = c.gain * std::max(gap, 0.0);
    c.ease = 1.0;
    c.pinned = false;
    c.used = true;
    if (gap * c.soft > limit) c.ease = limit / (gap * c.soft);
    const double flies = gap * c.mobility;  // by that force alone
    c.loaded = flies > ownLoad * limit ? ownLoad * limit / flies : 1.0;
  }
  std::fill(written_.begin(), written_.end(), Cone::Piece::open);
}

void Cones::beginPasses() {
  searches_ = true;
  blunt_ = sharp;
  first_ = true;
  looks_ = 0;
  for (Cone& c : cones_) {
    for (int k = 0; k < 3; ++k) c.shift[k] = c.start[k];
    c.bound = c.gain * std::max(c.start[0], 0.0);
  }
}

double Cones::respond(bool follow) {
  double moves = 0.0;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    Cone& c = cones_[i];
    c.piece = law(c, blunt_, c.y, c.force);
    const double bound = c.gain * c.force[0];
    if (!follow || bound == c.bound) continue;
    const double least = std::min(bound, c.bound);
    // Friction within both bounds does not feel the change.
    if (c.force[1] * c.force[1] + c.force[2] * c.force[2] >= least * least)
      moves = std::max(moves, c.mobilityFriction * std::fabs(bound - c.bound));
    // What the first look at something deep in another says of its load is far too much.
    if (!searches_ && written_[i] == Cone::Piece::open && c.piece != Cone::Piece::open) continue;
    c.bound = bound;
    c.piece = law(c, blunt_, c.y, c.force);
  }
  return moves;
}

/// A pass that does not settle is made again with a larger ρ: its corners are too sharp for where it begins.
void Cones::soften() {
  blunt_ = first_ ? blunt : std::min(blunt_ * blunter, blunt);
  first_ = false;
  looks_ = 0;
  for (Cone& c : cones_) c.piece = law(c, blunt_, c.y, c.force);
}

bool Cones::pass(double moved, double limit) {
  if (!searches_) return false;
  if (looks_++ == 0) firstMove_ = moved;
  const bool settled = (whole_ && steady()) || moved < passSettled * firstMove_ || moved < limit;
  if (!settled && looks_ >= (first_ ? mostFirstLooks : mostPassLooks)) soften();
  if (!settled) return false;
  double hidden = 0.0;
  for (const Cone& c : cones_) {
    hidden = std::max(hidden, blunt_ * c.loaded * c.mobility * std::fabs(c.force[0] - c.shift[0]));
    for (int k = 1; k < 3; ++k)
      hidden = std::max(hidden, blunt_ * c.loaded * c.mobilityFriction * std::fabs(c.force[k] - c.shift[k]));
  }
  if (moved < limit && hidden <= limit) return true;
  if (looks_ <= mostPassLooks / 2) blunt_ = std::max(blunt_ * sharpen, sharp);
  looks_ = 0;
  for (Cone& c : cones_) {
    for (int k = 0; k < 3; ++k) c.shift[k] = c.force[k];
    c.bound = c.gain * c.force[0];
    c.piece = law(c, blunt_, c.y, c.force);
  }
  return false;
}

bool Cones::steady() const {
  for (std::size_t i = 0; i < cones_.size(); ++i)
    if (cones_[i].piece != written_[i]) return false;
  return true;
}

void Cones::stiffness(const RowSet& rows, std::span<const Block> blocks, PatchSet& out) {
  int lastA = -1, lastB = -1;
  std::size_t first = 0;
  for (std::size_t i = 0; i < cones_.size(); ++i) {
    const Cone& c = cones_[i];
    written_[i] = c.piece;
    // The blocks of all three rows are the same, one or two.
    const Row& gap = rows.rows[at(c.row)];
    int free[2] = {-1, -1}, place[2] = {0, 0}, count = 0;
    for (int e = 0; e < gap.count; ++e) {
      const int block = rows.entries[at(gap.first + e)].block;
      if (!blocks[at(block)].free || count == 2) continue;
      free[count] = block;
      place[count++] = e;
    }
    if (count == 0) continue;
    if (free[0] != lastA || free[1] != lastB) {
      lastA = free[0], lastB = free[1];
      first = out.patches.size();
      out.add(free[0], free[0]);
      if (count == 2) out.add(free[1], free[1]), out.add(free[0], free[1]);
    }
    const ConeTangent t = tangentOf(c, blunt_);
    if (t.gap == 0.0 && t.f11 == 0.0 && t.f22 == 0.0) continue;
    double gj[2][3][6];
    const double* j[2][3];
    for (int b = 0; b < count; ++b) {
      for (int k = 0; k < 3; ++k) j[b][k] = rows.entries[at(rows.rows[at(c.row + k)].first + place[b])].j;
      for (int i = 0; i < 6; ++i) {
        gj[b][0][i] = t.gap * j[b][0][i];
        gj[b][1][i] = t.f11 * j[b][1][i] + t.f12 * j[b][2][i];
        gj[b][2][i] = t.f12 * j[b][1][i] + t.f22 * j[b][2][i];
      }
    }
    six::addOuter(j[0], gj[0], out.patches[first].k.data());
    if (count < 2) continue;
    six::addOuter(j[1], gj[1], out.patches[first + 1].k.data());
    six::addOuter(j[0], gj[1], out.patches[first + 2].k.data());
  }
}

double Cones::length(const RowSet& rows, std::span<const Block> blocks, std::span<const double> step, double slope) {
  whole_ = true;
  if (!searches_ || !(slope < 0.0)) return 1.0;
  double bent = -slope;  // curvature of everything but the cones
  for (Cone& c : cones_) {
    for (int k = 0; k < 3; ++k) c.rate[k] = rowRate(rows, rows.rows[at(c.row + k)], blocks, step);
    const ConeTangent t = tangentOf(c, blunt_);
    bent -= t.gap * c.rate[0] * c.rate[0] + t.f11 * c.rate[1] * c.rate[1] + 2.0 * t.f12 * c.rate[1] * c.rate[2] +
            t.f22 * c.rate[2] * c.rate[2];
  }
  bent = std::max(bent, 0.0);
  const auto slopeAt = [&](double share) {
    double sum = slope + share * bent;
    for (const Cone& c : cones_) {
      double y[3], f[3];
      for (int k = 0; k < 3; ++k) y[k] = c.y[k] + share * c.rate[k];
      law(c, blunt_, y, f);
      for (int k = 0; k < 3; ++k) sum -= c.rate[k] * (f[k] - c.force[k]);
    }
    return sum;
  };
  double low = 0.0, high = 1.0, atLow = slope, atHigh = slopeAt(1.0);
  if (atHigh <= -levelShare * slope) return 1.0;
  whole_ = false;
  for (int look = 0; look < mostLooks; ++look) {
    // Between them, by the chord, but by halves every other time: the slope has corners.
    const double share = look % 2 == 0 ? low - atLow * (high - low) / (atHigh - atLow) : 0.5 * (low + high);
    const double there = slopeAt(share);
    if (std::fabs(there) <= -levelShare * slope) return share;
    if (there < 0.0)
      low = share, atLow = there;
    else
      high = share, atHigh = there;
  }
  return low > 0.0 ? low : high;
}

bool Cones::tighten(double limit) {
  bool any = false;
  for (Cone& c : cones_) {
    const double sinks = c.give() * c.force[0];
    if (!(sinks > limit)) continue;
    c.ease *= 0.5 * limit / sinks;
    any = true;
  }
  return any;
}

void Cones::write(const RowSet& rows, double scale, std::span<double> multiplier, std::span<Mode> mode) const {
  for (const Cone& c : cones_)
    for (int k = 0; k < 3; ++k) {
      const std::size_t slot = at(rows.rows[at(c.row + k)].slot);
      multiplier[slot] = c.force[k] / scale;
      if (k == 0)
        mode[slot] = c.force[0] > 0.0 ? Mode::free : Mode::lower;
      else
        mode[slot] = c.piece != Cone::Piece::slides ? Mode::free : c.force[k] < 0.0 ? Mode::lower : Mode::upper;
    }
}

}  // namespace reeve
