// Everything a strand says about motion, against finite differences of the places of its material points: velocities of
// nodes and their rates, kinetic energy, momentum, mass, the velocity-dependent forces, weight, and every row.
#include "cables/strand_scenes.h"
#include "reeve/cables/strand/strand_cable.h"
#include "reeve/geometry/chart.h"
#include "reeve/world/build.h"

namespace reeve::test {
namespace {

/// A strand in a world at rest, moved to a pose some way from the start of the step, with random velocities.
class Bench {
 public:
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
    const auto random = [&] {
      seed = seed * 1664525u + 1013904223u;
      return 2.0 * static_cast<double>(seed >> 8) / 16777216.0 - 1.0;
    };
    v_.resize(built_->start.v.size());
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

  /// Positions at increments u from the start of the step, the velocities as given.
  void place(const std::vector<double>& u, double later = 0.0) {
    now_.u = u;
    now_.place(0.0, 1.0);
    now_.v = v_;
    for (std::size_t i = 0; i < a_.size(); ++i) now_.v[i] += later * a_[i];
    now_.touch();
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
    for (int n = 0; n < strand_->nodeCount(); ++n) {
      place(base_);
      const StrandCable::Motion here = strand_->nodeMotion(now_, n);
      place(along(h));
      const StrandCable::Motion plus = strand_->nodeMotion(now_, n);
      place(along(-h));
      const StrandCable::Motion minus = strand_->nodeMotion(now_, n);
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
      const double more = strand_->kinetic(now_);
      const std::vector<double> pMore = momentum();
      now_.v[at(k)] = v_[at(k)] - step;
      now_.touch();
      const double less = strand_->kinetic(now_);
      const std::vector<double> pLess = momentum();
      now_.v[at(k)] = v_[at(k)];
      now_.touch();
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
    const std::vector<double> corner = strand_->corners(now_);
    std::vector<Point> all;
    const GaussRule& rule = gaussRule(8);
    constexpr int pieces = 4;
    for (std::size_t i = 0; i + 1 < corner.size(); ++i) {
      const double length = corner[i + 1] - corner[i];
      if (length < 1e-9) continue;
      for (int piece = 0; piece < pieces; ++piece)
        for (int k = 0; k < rule.count; ++k)
          all.push_back({corner[i] + length * (piece + rule.at[at(k)]) / pieces, length / pieces * rule.weight[at(k)]});
    }
    return all;
  }
  Vec3 pointAt(const std::vector<double>& u, double s) {
    place(u);
    return strand_->materialPoint(now_, s);
  }

  /// T = ∫ ½ρ|ẋ|² ds, and d'Alembert: ṗ − F = ∫ρ (∂x/∂q)ᵀ ẍ ds with all velocities constant.
  void energyAndForcesComeFromThePlacesOfTheMaterial(double density, double share = 1.0) {
    const std::vector<Point> all = points();
    const std::vector<double> f = forces();
    const double stated = strand_->kinetic(now_), h = 1e-4;
    double length = 0.0;
    for (const Point& p : all) length += p.weight;
    EXPECT_NEAR(length, strand_->length(), 1e-10) << what_;
    double energy = 0.0;
    const std::vector<int> q = coordinates();
    std::vector<double> work(v_.size(), 0.0);
    for (const Point& p : all) {
      const Vec3 here = pointAt(base_, p.s), plus = pointAt(along(h), p.s), minus = pointAt(along(-h), p.s);
      const Vec3 velocity = (pointAt(along(1e-6), p.s) - pointAt(along(-1e-6), p.s)) / 2e-6;
      energy += 0.5 * density * p.weight * velocity.squaredNorm();
      const Vec3 acceleration = (plus - 2 * here + minus) / (h * h);
      for (const int k : q) {
        const Vec3 j = (pointAt(nudged(k, 1e-6), p.s) - pointAt(nudged(k, -1e-6), p.s)) / 2e-6;
        work[at(k)] += density * p.weight * j.dot(acceleration);
      }
    }
    EXPECT_NEAR(energy, stated, share * 1e-7 * std::max(1.0, stated)) << what_;
    place(along(1e-5), 1e-5);
    const std::vector<double> pPlus = momentum();
    place(along(-1e-5), -1e-5);
    const std::vector<double> pMinus = momentum();
    place(base_);
    Eigen::VectorXd off = Eigen::VectorXd::Zero(static_cast<int>(v_.size()));
    for (const int k : q) off[k] = (pPlus[at(k)] - pMinus[at(k)]) / 2e-5 - f[at(k)] - work[at(k)];
    if (planar_) off = (across_ * off).eval();  // what only stretches is the rows' affair
    for (const int k : q)
      EXPECT_NEAR(off[k], 0.0, share * 2e-5 * (1 + std::fabs(work[at(k)]))) << what_ << " force on " << k;
  }

  /// The weight: forces of gravity alone are −∂V/∂q.
  void weightComesFromThePotential(double share = 1.0) {
    std::vector<double> still(v_.size(), 0.0);
    std::swap(v_, still);
    place(base_);
    const std::vector<double> f = forces();
    for (const int k : coordinates()) {
      place(nudged(k, 1e-5));
      const double more = strand_->potential(now_);
      place(nudged(k, -1e-5));
      const double less = strand_->potential(now_);
      EXPECT_NEAR(f[at(k)], -(more - less) / 2e-5, share * 1e-6) << what_ << " weight on " << k;
    }
    std::swap(v_, still);
    place(base_);
  }

  bool flows(int coordinate) const {
    for (const Block& b : model().blocks)
      if (b.v == coordinate && b.dof == 1) return true;
    return false;
  }

  /// Bending and stretch: what their rows and forces do together is −∂V/∂q of V = Σ C²/2ε.
  void elasticForcesComeFromTheEnergy() {
    std::vector<double> still(v_.size(), 0.0);
    std::swap(v_, still);
    place(base_);
    RowSet rows;
    const auto energy = [&](const std::vector<double>& u) {
      place(u);
      rows.clear();
      strand_->rows(now_, rows);
      double sum = 0.0;
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
      EXPECT_NEAR(f[at(k)], -slope, 1e-6 * (1 + std::fabs(slope))) << what_ << " elastic force on " << k;
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
            << what_ << " " << strand_->rowName(rows.rows[r].slot - strand_->slot) << " coordinate " << k;
      }
    }
    place(base_);
  }

 private:
  std::string what_;
  bool planar_;
  std::unique_ptr<Built> built_;
  const StrandCable* strand_ = nullptr;
  Instant now_;
  std::vector<double> v_, base_, a_;
  Eigen::MatrixXd across_;
};

constexpr double density = 0.7;

Description bodies() {
  Description d = still(1.0 / 240);
  BodySettings a = rigid(1, Vec3(0.1, 0.2, 0.3), Vec3(0, 0, 0)), b = rigid(2, Vec3(0.3, 0.2, 0.4), Vec3(2, 0.1, 0.4));
  a.center = Vec3(0.05, 0.02, -0.03);
  b.center = Vec3(-0.04, 0.01, 0.06);
  b.orientation = Quat(0.9, 0.1, 0.3, -0.1).normalized();
  d.bodies.emplace_back("a", a);
  d.bodies.emplace_back("b", b);
  addMass(d, "p", 1.0, Vec3(-2, 0.3, -1));
  addMass(d, "q", 1.0, Vec3(4, -0.2, -1));
  return d;
}

void expectConsistent(Description d, const std::string& what, bool planar = false, double share = 1.0) {
  for (unsigned seed = 1; seed <= 2; ++seed) {
    Bench bench(d, what, seed, planar);
    bench.nodesMoveAsTheySay();
    bench.momentumAndMassComeFromTheEnergy();
    bench.energyAndForcesComeFromThePlacesOfTheMaterial(density, share);
    bench.rowsAreGradients();
    bench.elasticForcesComeFromTheEnergy();
  }
  d.settings.gravity = Vec3(0.5, -0.3, -9.0);
  Bench(std::move(d), what + " weighs", 3, planar).weightComesFromThePotential(share);
}

TEST(StrandDerivative, FreeNodesAndHoles) {
  Description d = bodies();
  addStrand(d, "s", density,
            {attachTo("p"), freeNode(Vec3(-1, 0.1, -0.4)), attachTo("a", Vec3(0.1, 0.2, 0.3)),
             freeNode(Vec3(1, 0.4, 0.4), Vec3::Zero(), true), through("b", Vec3(0.2, -0.1, 0.1)),
             freeNode(Vec3(3, 0.2, 0.1)), attachTo("q")})
      .material.bending = 0.3;
  expectConsistent(d, "free nodes and holes");
}

TEST(StrandDerivative, Tubes) {
  Description d = bodies();
  addStrand(d, "s", density,
            {attachTo("p"), tubeOn("a", {Vec3(-0.2, 0, 0), Vec3(0.3, 0.1, 0.1)}), through("b", Vec3(0.2, -0.1, 0.1)),
             attachTo("q")});
  expectConsistent(d, "tubes");
}

TEST(StrandDerivative, EveryGuide) {
  struct Case {
    GuideShape shape;
    std::vector<double> start, end;
  };
  const Case cases[] = {{GuideShape::plane, {-0.3, 0.1}, {0.4, 0.2}},
                        {GuideShape::cylinder, {2.4, -0.1}, {0.6, 0.2}},
                        {GuideShape::sphere, {2.4, -0.1}, {0.8, 0.2}},
                        {GuideShape::torus, {2.2, 0.5}, {0.8, 0.7}},
                        {GuideShape::line, {-0.2}, {0.3}},
                        {GuideShape::circle, {2.4}, {0.7}},
                        {GuideShape::helix, {2.4}, {0.7}},
                        {GuideShape::spline, {0.1}, {0.9}}};
  for (const Case& c : cases)
    for (const bool flows : {true, false}) {
      Description d = bodies();
      LinkSettings guide = guideOn("a", c.shape, Vec3(0.1, 0, 0.05), Vec3(0.1, 1.0, 0.2), 0.3, c.start, c.end, flows);
      guide.minor = 0.12;
      guide.pitch = 0.2;
      guide.path = {Vec3(-0.5, 0, 0), Vec3(-0.1, 0.1, 0.3), Vec3(0.2, 0, 0.3), Vec3(0.5, 0.1, 0)};
      addStrand(d, "s", density, {attachTo("p"), guide, attachTo("b", Vec3(0.1, 0, 0)), attachTo("q")})
          .material.bending = 0.2;
      // One Gauss rule crosses the knots of a spline, where its third derivative jumps.
      expectConsistent(d, "guide " + std::to_string(static_cast<int>(c.shape)) + (flows ? " flows" : " held"), false,
                       c.shape == GuideShape::spline ? 100.0 : 1.0);
    }
}

Description flatBodies() {
  Description d = still(1.0 / 240);
  BodySettings a = rigid(1, Vec3(0.1, 0.2, 0.3), Vec3(0, 0, 0)), b = rigid(2, Vec3(0.3, 0.2, 0.4), Vec3(2, 0, 0.4));
  a.center = Vec3(0.05, 0, -0.03);
  b.center = Vec3(-0.04, 0, 0.06);
  d.bodies.emplace_back("a", a);
  d.bodies.emplace_back("b", b);
  addMass(d, "p", 1.0, Vec3(-2, 0, -1));
  addMass(d, "q", 1.0, Vec3(4, 0, -1));
  return d;
}

// In the plane of the wheels. Where wheels are skew the strand has a corner at the rim, which the mass of the span
// leaves out of account; see docs/strand.md.
TEST(StrandDerivative, WheelsOnBodiesAndRotors) {
  for (const double friction : {unbounded, 0.0, 0.3}) {
    const std::string rubs = ", friction " + std::to_string(friction);
    {
      Description d = flatBodies();
      addStrand(d, "s", density,
                {attachTo("p"), rollOn("a", Vec3(0.1, 0, 0.05), 0.3, 1, friction),
                 rollOn("b", Vec3(0, 0, 0), 0.2, -1, friction), attachTo("q")});
      expectConsistent(d, "wheels fixed to bodies" + rubs, true);
    }
    {
      Description d = flatBodies();
      d.rotors.emplace_back("ra", wheelAt(Vec3(0.1, 0, 0.05), 0.3, 0.1, "a"));
      d.rotors.emplace_back("rb", wheelAt(Vec3(0.0, 0, 0.05), 0.2, 0.1, "b"));
      addStrand(d, "s", density,
                {attachTo("p"), rollOver("ra", 1, friction), freeNode(Vec3(1, 0, 0.9)), rollOver("rb", -1, friction),
                 attachTo("q")});
      expectConsistent(d, "rotors" + rubs, true);
    }
    for (const int side : {1, -1}) {
      Description d = still(1.0 / 240);
      d.rotors.emplace_back("ra", wheelAt(Vec3(0, 0, 0), 0.3, 0.1));
      d.rotors.emplace_back("rb", wheelAt(Vec3(1, 0, 0.1), 0.2, 0.1));
      d.rotors.emplace_back("rc", wheelAt(Vec3(0.4, 0, 0.8), 0.1, 0.1));
      std::vector<LinkSettings> route{rollOver("ra", side, friction), rollOver("rb", side, friction),
                                      rollOver("rc", side, friction)};
      if (side > 0) std::reverse(route.begin(), route.end());
      addStrand(d, "s", density, route).closed = true;
      expectConsistent(d, "a loop" + rubs, true);
    }
  }
}

TEST(StrandDerivative, Stretch) {
  Description d = bodies();
  CableSettings& c = addStrand(d, "s", density,
                               {attachTo("p"), through("a", Vec3(0.1, 0, 0.1)), freeNode(Vec3(1, 0, 0.9)),
                                through("b", Vec3(0.1, 0, 0.1)), attachTo("q")});
  c.material.axial = 50.0;
  c.material.bending = 0.4;
  c.tension = 3.0;
  for (unsigned seed = 1; seed <= 3; ++seed) Bench(d, "stretch", seed).elasticForcesComeFromTheEnergy();
}

TEST(StrandDerivative, RidesAndLinesBetweenNodesAndChartsOnNodes) {
  Description d = bodies();
  addStrand(d, "host", density,
            {attachTo("p"), freeNode(Vec3(-1, 0.1, -0.6)), freeNode(Vec3(0.5, 0.3, -0.5)), attachTo("q")});
  LinkSettings between = rideOn("host", 2);
  between.between = true;
  LinkSettings onNode = guideOn("host", GuideShape::circle, Vec3(0.1, 0, 0), Vec3(0, 1, 0.2), 0.2, {0.4}, {}, false);
  onNode.riding = 1;
  addStrand(d, "s", density,
            {attachTo("a", Vec3(-0.4, 0, 0)), onNode, rideOn("host", 2), between, attachTo("b", Vec3(0, 0.1, 0))});
  expectConsistent(d, "rides");
}

TEST(StrandDerivative, TwistBetweenClampedEnds) {
  Description d = bodies();
  LinkSettings first = attachTo("a", Vec3(0.1, 0.2, 0.3)), last = attachTo("b", Vec3(0.2, -0.1, 0.1));
  first.hold = last.hold = EndHold::clamped;
  CableSettings& c = addStrand(
      d, "s", density, {first, freeNode(Vec3(0.6, 0.7, 0.4)), through("p"), freeNode(Vec3(1.4, -0.4, 0.9)), last});
  c.material.torsion = 0.8;
  for (unsigned seed = 1; seed <= 3; ++seed) {
    Bench bench(d, "twist", seed);
    bench.rowsAreGradients();
    bench.elasticForcesComeFromTheEnergy();
  }
}

TEST(StrandDerivative, HolesThatSlideAlongTheLine) {
  Description d = bodies();
  CableSettings& c = addStrand(d, "s", density,
                               {attachTo("p"), tubeOn("a", {Vec3(-0.2, 0, 0), Vec3(0.3, 0.1, 0.1)}),
                                through("b", Vec3(0.2, -0.1, 0.1)), attachTo("q")});
  c.sliding = true;
  c.nodes = 2;
  // Away from the pose the rows are those of a line that misses the hole: exact to the first order in the miss.
  for (unsigned seed = 1; seed <= 3; ++seed) Bench(d, "sliding", seed, false, 0.0).rowsAreGradients();
}

TEST(StrandDerivative, LumpedMass) {
  Description d = bodies();
  addStrand(d, "s", density,
            {attachTo("p"), freeNode(Vec3(-1, 0.1, -0.4)), attachTo("a", Vec3(0.1, 0.2, 0.3)), attachTo("q")})
      .lumped = true;
  Bench bench(d, "lumped", 1);
  bench.momentumAndMassComeFromTheEnergy();
  bench.rowsAreGradients();
}

}  // namespace
}  // namespace reeve::test
