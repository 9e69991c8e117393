#pragma once
// Everything a strand says about motion, against finite differences of the places of its material points: velocities of
// nodes and their rates, kinetic energy, momentum, mass, the velocity-dependent forces, weight, and every row.
#include "cables/strand_scenes.h"
#include "reeve/cables/strand/strand_cable.h"
#include "reeve/geometry/chart.h"
#include "reeve/geometry/transport.h"
#include "reeve/world/build.h"
#include "support/dice.h"

namespace reeve::test {

/// A strand in a world at rest, moved to a pose some way from the start of the step, with random velocities.
class Bench {
 public:
  /// `planar`: moves in the xz-plane only and keeps to the lengths, as wheels in that plane take for granted.
  Bench(Description d, std::string what, unsigned seed, bool planar = false, double away = 0.01)
      : what_(std::move(what)), planar_(planar) {
    auto built = build(std::move(d));
    if (!built) {
      ADD_FAILURE() << what_ << ": " << built.error().path << " " << built.error().reason;
      std::abort();
    }
    built_ = std::move(*built);
    strand_ = static_cast<const StrandCable*>(built_->cables.back());
    now_.bind(model(), built_->start);
    now_.rewind();
    now_.evaluate();
    meet();
    Dice random{seed};
    v_.resize(met_.v.size());
    base_.assign(v_.size(), 0.0);
    for (const Block& b : model().blocks)
      for (int k = 0; b.free && k < b.dof; ++k) {
        if (!moves(b, k)) continue;
        v_[at(b.v + k)] = random();
        // Turned parents of rotors would make the spin's share of a pose depend on the path there.
        // On wheels the material is taken to be as long as its span, so there the pose is the exact one.
        if (!planar_ && (!b.rotates || k < 3)) base_[at(b.v + k)] = away * random();
      }
    a_.assign(v_.size(), 0.0);
    place(base_);
    if (planar_) keepToTheRows();
  }

  /// Gradients of the length rows, one a line.
  Eigen::MatrixXd lengths(Eigen::VectorXd* error = nullptr) {
    RowSet rows;
    strand_->rows(now_, rows);
    std::vector<Eigen::VectorXd> lines;
    std::vector<double> errors;
    for (const Row& row : rows.rows) {
      if (row.level != Level::position || row.lower >= 0.0) continue;
      Eigen::VectorXd line = Eigen::VectorXd::Zero(static_cast<int>(v_.size()));
      for (int e = row.first; e < row.first + row.count; ++e) {
        const Entry& x = rows.entries[at(e)];
        const Block& b = model().blocks[at(x.block)];
        for (int k = 0; b.free && k < b.dof; ++k)
          if (moves(b, k)) line[b.v + k] += x.j[k];
      }
      lines.push_back(line);
      errors.push_back(row.error);
    }
    Eigen::MatrixXd all(static_cast<int>(lines.size()), static_cast<int>(v_.size()));
    for (std::size_t i = 0; i < lines.size(); ++i) all.row(static_cast<int>(i)) = lines[i].transpose();
    if (error) *error = Eigen::Map<Eigen::VectorXd>(errors.data(), static_cast<int>(errors.size()));
    return all;
  }
  /// On wheels material is taken to be as long as its span: a motion that keeps the lengths, to second order.
  void keepToTheRows() {
    const Eigen::MatrixXd j = lengths();
    const Eigen::MatrixXd back = j.completeOrthogonalDecomposition().pseudoInverse();
    Eigen::Map<Eigen::VectorXd> v(v_.data(), static_cast<int>(v_.size())), a(a_.data(), static_cast<int>(a_.size()));
    v -= back * (j * v);
    Eigen::VectorXd here, plus, minus;
    lengths(&here);
    const double h = 1e-4;
    place(along(h), h);
    lengths(&plus);
    place(along(-h), -h);
    lengths(&minus);
    place(base_);
    a = -back * ((plus - 2 * here + minus) / (h * h));
    across_ = Eigen::MatrixXd::Identity(j.cols(), j.cols()) - back * j;
  }

  const Model& model() const { return built_->model; }
  int events() const { return events_; }
  const StrandCable& strand() const { return *strand_; }

  /// Positions at increments u from the start of the step, the velocities as given.
  void place(const std::vector<double>& u, double later = 0.0) {
    now_.u = u;
    now_.place(0.0, 1.0);
    now_.v = v_;
    for (std::size_t i = 0; i < a_.size(); ++i) now_.v[i] += later * a_[i];
    now_.touch();
    now_.evaluate();
  }
  /// Along the motion: each block goes on with its own constant velocity.
  std::vector<double> along(double t) const {
    std::vector<double> u = base_;
    for (std::size_t i = 0; i < u.size(); ++i) u[i] += t * (v_[i] + 0.5 * t * a_[i]);
    return u;
  }
  std::vector<double> nudged(int index, double by) const {
    std::vector<double> u = base_;
    u[at(index)] += by;
    return u;
  }
  std::vector<int> coordinates() const {
    std::vector<int> all;
    for (const Block& b : model().blocks)
      for (int k = 0; b.free && k < b.dof; ++k)
        if (moves(b, k)) all.push_back(b.v + k);
    return all;
  }
  /// In the xz-plane: x, z and turns about y.
  bool moves(const Block& b, int k) const { return !planar_ || b.dof == 1 || k == 0 || k == 2 || k == 4; }
  std::vector<double> momentum() const {
    std::vector<double> p(v_.size(), 0.0);
    strand_->momentum(now_, p);
    return p;
  }
  std::vector<double> forces() const {
    Forces f;
    f.force.assign(v_.size(), 0.0);
    strand_->forces(now_, f);
    return f.force;
  }

  void nodesMoveAsTheySay() {
    const double h = 1e-5;
    for (int n = 0; n < strand_->built().nodeCount(); ++n) {
      place(base_);
      const Strand::Motion here = strand_->at(now_).nodeMotion(now_, n);
      place(along(h));
      const Strand::Motion plus = strand_->at(now_).nodeMotion(now_, n);
      place(along(-h));
      const Strand::Motion minus = strand_->at(now_).nodeMotion(now_, n);
      EXPECT_LT(((plus.x - minus.x) / (2 * h) - here.v).norm(), 1e-7) << what_ << " node " << n;
      Vec3 sum = Vec3::Zero();
      for (int i = 0; i < here.count; ++i) {
        const auto& c = here.carry[at(i)];
        const Block& b = model().blocks[at(c.block)];
        for (int k = 0; k < c.dof; ++k) sum += c.a.col(k) * v_[at(b.v + k)];
        const auto rate = (plus.carry[at(i)].a - minus.carry[at(i)].a) / (2 * h);
        EXPECT_LT((rate - c.d).leftCols(c.dof).norm(), 1e-6) << what_ << " node " << n << " block " << c.block;
      }
      EXPECT_LT((sum - here.v).norm(), 1e-12) << what_ << " node " << n;
    }
    place(base_);
  }

  void momentumAndMassComeFromTheEnergy() {
    const std::vector<double> p = momentum();
    const std::size_t n = v_.size();
    Eigen::MatrixXd mass = Eigen::MatrixXd::Zero(static_cast<int>(n), static_cast<int>(n));
    PatchSet patches;
    strand_->mass(now_, patches);
    for (const Patch& patch : patches.patches) {
      const Block &a = model().blocks[at(patch.a)], &b = model().blocks[at(patch.b)];
      for (int r = 0; r < a.dof; ++r)
        for (int c = 0; c < b.dof; ++c) {
          mass(a.v + r, b.v + c) += patch.k(r, c);
          if (patch.a != patch.b) mass(b.v + c, a.v + r) += patch.k(r, c);
        }
    }
    for (const Column& column : patches.columns) {
      const Block &a = model().blocks[at(column.a)], &b = model().blocks[at(column.b)];
      for (int r = 0; r < a.dof; ++r) {
        mass(a.v + r, b.v) += column.k[r];
        if (column.a != column.b) mass(b.v, a.v + r) += column.k[r];
      }
    }
    for (const int k : coordinates()) {
      const double step = 0.5;
      now_.v[at(k)] = v_[at(k)] + step;
      now_.touch();
      now_.evaluate();
      const double more = strand_->energy(now_, now_.past().force).kinetic;
      const std::vector<double> pMore = momentum();
      now_.v[at(k)] = v_[at(k)] - step;
      now_.touch();
      now_.evaluate();
      const double less = strand_->energy(now_, now_.past().force).kinetic;
      const std::vector<double> pLess = momentum();
      now_.v[at(k)] = v_[at(k)];
      now_.touch();
      now_.evaluate();
      EXPECT_NEAR((more - less) / (2 * step), p[at(k)], 1e-11) << what_ << " momentum " << k;
      for (const int j : coordinates())
        EXPECT_NEAR((pMore[at(j)] - pLess[at(j)]) / (2 * step), mass(j, k), 1e-11) << what_ << " mass " << j << k;
    }
  }

  /// Material points, and weights that integrate between corners.
  struct Point {
    double s, weight;
  };
  std::vector<Point> points() const {
    const std::vector<double> corner = strand_->at(now_).corners(now_);
    std::vector<Point> all;
    for (std::size_t i = 0; i + 1 < corner.size(); ++i) {
      const double length = corner[i + 1] - corner[i];
      if (length < 1e-9) continue;
      // In short pieces fewer: differences in time are not to reach over a corner.
      EXPECT_GT(length, 0.01) << what_;
      const GaussRule& rule = gaussRule(length < 0.1 ? 6 : 20);
      for (int k = 0; k < rule.count; ++k)
        all.push_back({corner[i] + length * rule.at[at(k)], length * rule.weight[at(k)]});
    }
    return all;
  }
  using Places = std::vector<Vec3>;
  Places placesAt(const std::vector<double>& u, const std::vector<Point>& all) {
    place(u);
    Places x;
    for (const Point& p : all) x.push_back(strand_->at(now_).materialPoint(now_, p.s));
    return x;
  }

  /// T = ∫ ½ρ|ẋ|² ds, and d'Alembert: ṗ − F = ∫ρ (∂x/∂q)ᵀ ẍ ds with all velocities constant. At a corner that material
  /// passes by ṡ its velocity jumps: the force for that acts on the mean of ∂x/∂q on both sides.
  void energyAndForcesComeFromThePlacesOfTheMaterial(double density, double share = 1.0) {
    const std::vector<Point> smooth = points();
    std::vector<double> f = forces(), still(v_.size(), 0.0);
    now_.v = still;
    now_.touch();
    now_.evaluate();
    still = forces();  // of a stretched segment
    for (std::size_t i = 0; i < f.size(); ++i) f[i] -= still[i];
    place(base_);
    const double stated = strand_->energy(now_, now_.past().force).kinetic, h = 5e-5, small = 1e-6, beside = 1e-4;
    double length = 0.0;
    for (const Point& p : smooth) length += p.weight;
    EXPECT_NEAR(length, strand_->built().length(), 1e-10) << what_;
    // Behind the points of the integral two before and two after every corner: straight on to the corner.
    std::vector<Point> all = smooth;
    std::vector<double> corner = strand_->at(now_).corners(now_);
    for (const double s : corner)
      for (const double d : {-1.0, -2.0, 1.0, 2.0}) all.push_back({s + d * beside, 0.0});
    const auto jumps = [&](std::size_t c) {
      return c > 0 && corner[c] - corner[c - 1] > 1e-9 && c + 1 < corner.size();
    };
    const auto sided = [&](const Places& x, std::size_t c, bool after) {
      const std::size_t i = smooth.size() + 4 * c + (after ? 2 : 0);
      return Vec3(2.0 * x[i] - x[i + 1]);
    };
    // Second differences over h and 2h, the error of h² taken out.
    const Places here = placesAt(base_, all), plus = placesAt(along(h), all), minus = placesAt(along(-h), all);
    const Places far = placesAt(along(2 * h), all), back = placesAt(along(-2 * h), all);
    const auto bend = [&](std::size_t i) {
      const Vec3 near = plus[i] - 2 * here[i] + minus[i], wide = far[i] - 2 * here[i] + back[i];
      return Vec3((16 * near - wide) / (12 * h * h));
    };
    const Places next = placesAt(along(small), all);
    const std::vector<double> cornerNext = strand_->at(now_).corners(now_);
    const Places last = placesAt(along(-small), all);
    const std::vector<double> cornerLast = strand_->at(now_).corners(now_);
    double energy = 0.0;
    for (std::size_t i = 0; i < smooth.size(); ++i)
      energy += 0.5 * density * all[i].weight * ((next[i] - last[i]) / (2 * small)).squaredNorm();
    EXPECT_NEAR(energy, stated, share * 1e-7 * std::max(1.0, stated)) << what_;
    const std::vector<int> q = coordinates();
    std::vector<double> work(v_.size(), 0.0);
    for (const int k : q) {
      const Places more = placesAt(nudged(k, small), all), less = placesAt(nudged(k, -small), all);
      for (std::size_t i = 0; i < smooth.size(); ++i)
        work[at(k)] += density * all[i].weight * (more[i] - less[i]).dot(bend(i)) / (2 * small);
      for (std::size_t c = 0; c < corner.size(); ++c) {
        if (!jumps(c)) continue;
        const double rate = (cornerNext[c] - cornerLast[c]) / (2 * small);
        const Vec3 jump =
            (sided(next, c, false) - sided(last, c, false) - sided(next, c, true) + sided(last, c, true)) / (2 * small);
        const Vec3 mean =
            (sided(more, c, false) - sided(less, c, false) + sided(more, c, true) - sided(less, c, true)) / (4 * small);
        work[at(k)] += density * rate * mean.dot(jump);
      }
    }
    place(along(1e-5), 1e-5);
    const std::vector<double> pPlus = momentum();
    place(along(-1e-5), -1e-5);
    const std::vector<double> pMinus = momentum();
    place(base_);
    Eigen::VectorXd off = Eigen::VectorXd::Zero(static_cast<int>(v_.size()));
    for (const int k : q) off[k] = (pPlus[at(k)] - pMinus[at(k)]) / 2e-5 - f[at(k)] - work[at(k)];
    if (planar_) off = (across_ * off).eval();  // what only stretches is the rows' affair
    for (const int k : q)
      EXPECT_NEAR(off[k], 0.0, share * 1e-6 * (1 + std::fabs(work[at(k)]))) << what_ << " force on " << k;
  }

  bool flows(int coordinate) const {
    for (const Block& b : model().blocks)
      if (b.v == coordinate && b.dof == 1) return true;
    return false;
  }

  /// From one pose to another the twist between ends that do not turn changes by what a direction carried along very
  /// many material points does.
  void twistIsCarriedBySmallCorners() {
    const auto twist = [&](const std::vector<double>& u) {
      place(u);
      RowSet rows;
      strand_->rows(now_, rows);
      for (const Row& row : rows.rows)
        if (strand_->nameOf(ElementPart::row, row.slot - strand_->slot).ends_with("twist")) return row.error;
      return std::nan("");
    };
    const auto carried = [&](const std::vector<double>& u, const Vec3& v, const Vec3& first, const Vec3& last) {
      place(u);
      Vec3 w = v, t = first;
      const auto walk = [&](const Vec3& next) {
        w = carriedOver(w, t, next);
        t = next;
      };
      const std::vector<double> corner = strand_->at(now_).corners(now_);
      constexpr int pieces = 2000;
      for (std::size_t c = 0; c + 1 < corner.size(); ++c) {
        const double step = (corner[c + 1] - corner[c]) / pieces;
        if (step < 1e-12) continue;
        const auto x = [&](double k) {
          return strand_->at(now_).materialPoint(now_, corner[c] + std::min(k, pieces - 1e-6) * step);
        };
        for (int k = 0; k <= pieces; ++k) {  // the slope of the parabola through three points
          const double middle = std::clamp(k, 1, pieces - 1), off = k - middle;
          walk((0.5 * (x(middle + 1) - x(middle - 1)) + off * (x(middle + 1) - 2 * x(middle) + x(middle - 1)))
                   .normalized());
        }
      }
      walk(last);
      return w;
    };
    std::vector<double> other = base_;
    for (const Block& b : model().blocks)
      for (int k = 0; b.free && k < b.dof; ++k)
        if (!b.rotates || k < 3) other[at(b.v + k)] += 0.05 * v_[at(b.v + k)];
    place(base_);
    const double all = strand_->built().length();
    const auto heading = [&](double s) {
      return Vec3(
          (strand_->at(now_).materialPoint(now_, s + 1e-4) - strand_->at(now_).materialPoint(now_, s)).normalized());
    };
    const Vec3 first = heading(1e-5), last = heading(all - 2e-4);
    Vec3 v, aside;
    orthonormalBasis(first, v, aside);
    const Vec3 before = carried(base_, v, first, last), after = carried(other, v, first, last);
    const double seen = std::atan2(last.dot(after.cross(before)), after.dot(before));
    const double said = twist(other) - twist(base_);
    EXPECT_NEAR(std::remainder(said - seen, 2 * M_PI), 0.0, 1e-5) << what_ << ": " << said;
    place(base_);
  }

  /// Weight, bending and stretch: what forces and rows do together at rest is −∂V/∂q, with Σ C²/2ε of the rows in V.
  void forcesAtRestComeFromTheEnergy() {
    std::vector<double> still(v_.size(), 0.0);
    std::swap(v_, still);
    place(base_);
    RowSet rows;
    const auto energy = [&](const std::vector<double>& u) {
      place(u);
      rows.clear();
      strand_->rows(now_, rows);
      double sum = strand_->energy(now_, now_.past().force).potential;
      for (const Row& row : rows.rows)
        if (row.compliance > 0.0) sum += 0.5 * row.error * row.error / row.compliance;
      return sum;
    };
    energy(base_);
    std::vector<double> f = forces();
    for (const Row& row : rows.rows) {
      if (row.compliance == 0.0) continue;
      for (int e = row.first; e < row.first + row.count; ++e) {
        const Entry& x = rows.entries[at(e)];
        const Block& b = model().blocks[at(x.block)];
        for (int k = 0; k < b.dof; ++k) f[at(b.v + k)] -= x.j[k] * row.error / row.compliance;
      }
    }
    for (const int k : coordinates()) {
      const double slope = (energy(nudged(k, 1e-6)) - energy(nudged(k, -1e-6))) / 2e-6;
      EXPECT_NEAR(f[at(k)], -slope, 1e-6 * (1 + std::fabs(slope))) << what_ << " force at rest on " << k;
    }
    std::swap(v_, still);
    place(base_);
  }

  void rowsAreGradients(double tolerance = 1e-6) {
    RowSet rows, plus, minus;
    strand_->rows(now_, rows);
    for (const int k : coordinates()) {
      plus.clear();
      minus.clear();
      place(nudged(k, 1e-6));
      strand_->rows(now_, plus);
      place(nudged(k, -1e-6));
      strand_->rows(now_, minus);
      ASSERT_EQ(plus.rows.size(), rows.rows.size()) << what_;
      for (std::size_t r = 0; r < rows.rows.size(); ++r) {
        if (rows.rows[r].level != Level::position) continue;
        // Rows with a compliance that hangs on s are energies: see below.
        if (rows.rows[r].compliance > 0.0 && flows(k)) continue;
        double entry = 0.0;
        for (int e = rows.rows[r].first; e < rows.rows[r].first + rows.rows[r].count; ++e) {
          const Entry& x = rows.entries[at(e)];
          const Block& b = model().blocks[at(x.block)];
          if (k >= b.v && k < b.v + b.dof) entry += x.j[k - b.v];
        }
        EXPECT_NEAR(entry, (plus.rows[r].error - minus.rows[r].error) / 2e-6, tolerance)
            << what_ << " " << strand_->nameOf(ElementPart::row, rows.rows[r].slot - strand_->slot) << " coordinate "
            << k;
      }
    }
    place(base_);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  /// What a strand meets comes before a step: a free node where it is about to, and once that is struck a corner.
  void meet() {
    struct : Gauge {
      double read(int) const override { return 0.0; }
    } none;
    Events events;
    met_ = built_->start;
    settle();
    for (int round = 0; round < 2; ++round) {
      strand_->begin(now_, {model().description.settings.dt, none, events}, met_);
      settle();
      now_.bind(model(), met_);
      now_.rewind();
      now_.evaluate();
      for (int k = 0; k < strand_->layout().slots; ++k) {
        if (strand_->nameOf(ElementPart::row, k).find(".touch") == std::string::npos) continue;
        met_.mode[at(strand_->slot + k)] = Mode::free;
        met_.force[at(strand_->slot + k)] = 1.0;
      }
    }
    events_ = static_cast<int>(events.all().size());
  }
  /// Blocks as the state has them.
  void settle() {
    Topology topology;
    strand_->topology(met_, topology);
    applyTopology(topology, built_->model.blocks);
  }

  std::string what_;
  bool planar_;
  std::unique_ptr<Built> built_;
  const StrandCable* strand_ = nullptr;
  Instant now_;
  State met_;
  int events_ = 0;
  std::vector<double> v_, base_, a_;
  Eigen::MatrixXd across_;
};

}  // namespace reeve::test
