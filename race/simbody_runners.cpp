// The moving tackle and the chain in Simbody.
#include "simbody_plain.h"

#ifdef REEVE_HAVE_SIMBODY
#include <simbody/Simbody.h>

#include <cmath>
#include <iostream>

namespace reeve::race {
namespace {

/// A cable spring through points at the axles, stiff enough to stretch by a thousandth of the fall under its load, and
/// Simbody's implicit integrator of fixed steps. Beam and weight slide.
class SimbodyTackle : public Runner {
 public:
  SimbodyTackle(const SimbodyTackleShape& t, double dt)
      : matter_(system_), forces_(system_), cables_(system_), dt_(dt) {
    using namespace SimTK;
    std::cout.rdbuf(nullptr);  // its cable paths print what they do
    Force::UniformGravity gravity(forces_, matter_, Vec3(0, -t.gravity, 0));
    const int n = t.sheaves;
    const double r = t.radius;
    MobilizedBody::Slider beam(matter_.Ground(), Transform(Rotation(Pi / 2, ZAxis), Vec3(r * n, -t.drop, 0)),
                               Body::Rigid(MassProperties(t.load, Vec3(0), UnitInertia(1))),
                               Transform(Rotation(Pi / 2, ZAxis)));
    MobilizedBody::Slider weight(matter_.Ground(), Transform(Rotation(Pi / 2, ZAxis), Vec3(2 * r * n, -t.drop, 0)),
                                 Body::Rigid(MassProperties(t.weight, Vec3(0), UnitInertia(1))),
                                 Transform(Rotation(Pi / 2, ZAxis)));
    CablePath path(cables_, matter_.Ground(), Vec3(0), weight, Vec3(0));
    for (int i = 0; i < n; ++i) {
      const bool low = i % 2 == 0;
      const Vec3 at(r * (1 + 2 * i) - (low ? r * n : 0), 0, 0);
      CableObstacle::ViaPoint(path, low ? static_cast<MobilizedBody&>(beam) : matter_.Ground(), at);
    }
    // Rest length is set below, from the path at the start.
    const double pull = t.weight * t.gravity, stiffness = pull / 1e-5;
    weight_ = weight;
    system_.realizeTopology();
    State state = system_.getDefaultState();
    system_.realize(state, Stage::Position);
    const double length = path.getCableLength(state);
    CableSpring(forces_, path, stiffness, length, 0.0);
    system_.realizeTopology();
    state = system_.getDefaultState();
    system_.realize(state, Stage::Position);
    integrator_ = std::make_unique<CPodesIntegrator>(system_, CPodes::BDF, CPodes::Newton);
    integrator_->setAccuracy(1e-3);
    stepper_ = std::make_unique<TimeStepper>(system_, *integrator_);
    stepper_->initialize(state);
  }
  bool step() override {
    try {
      time_ += dt_;
      stepper_->stepTo(time_);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }
  double measure() override { return -weight_.getOneQ(stepper_->getState(), 0); }
  double energy() override {
    system_.realize(stepper_->getState(), SimTK::Stage::Dynamics);
    return system_.calcEnergy(stepper_->getState());
  }

 private:
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  SimTK::CableTrackerSubsystem cables_;
  SimTK::MobilizedBody::Slider weight_;
  std::unique_ptr<SimTK::Integrator> integrator_;
  std::unique_ptr<SimTK::TimeStepper> stepper_;
  double dt_, time_ = 0.0;
};

SimTK::Vec3 vec(const double* v) { return SimTK::Vec3(v[0], v[1], v[2]); }

/// Ball mobilizers, and its error-controlled integrator at its default accuracy, a thousandth.
class TreeOfBalls : public SimbodyChain {
 public:
  TreeOfBalls(const PlainChain& chain, double dt) : matter_(system_), forces_(system_), dt_(dt) {
    using namespace SimTK;
    Force::UniformGravity gravity(forces_, matter_, Vec3(0, 0, -chain.gravity));
    Rotation before;
    for (int i = 0; i < chain.count; ++i) {
      const PlainLink& l = chain.links[i];
      MobilizedBody parent = i == 0 ? MobilizedBody(matter_.Ground()) : MobilizedBody(links_.back());
      const Rotation turn(Quaternion(l.orientation[0], l.orientation[1], l.orientation[2], l.orientation[3]));
      MobilizedBody::Ball link(
          parent, Transform(vec(l.anchorBefore)),
          Body::Rigid(MassProperties(l.mass, Vec3(0), Inertia(l.inertia[0], l.inertia[1], l.inertia[2]))),
          Transform(vec(l.anchor)));
      link.setDefaultRotation(~before * turn);
      before = turn;
      links_.push_back(link);
    }
    if (chain.end) Constraint::Ball(matter_.Ground(), vec(chain.end), links_.back(), vec(chain.endAnchor));
    system_.realizeTopology();
    integrator_ = std::make_unique<RungeKuttaMersonIntegrator>(system_);
    stepper_ = std::make_unique<TimeStepper>(system_, *integrator_);
    stepper_->initialize(system_.getDefaultState());
  }
  bool step() override {
    try {
      time_ += dt_;
      stepper_->stepTo(time_);
      return true;
    } catch (const std::exception&) {
      return false;
    }
  }
  void poses(double* seven) const override {
    system_.realize(stepper_->getState(), SimTK::Stage::Position);
    for (const auto& link : links_) {
      const SimTK::Transform& at = link.getBodyTransform(stepper_->getState());
      const SimTK::Quaternion turn = at.R().convertRotationToQuaternion();
      for (int k = 0; k < 3; ++k) *seven++ = at.p()[k];
      for (int k = 0; k < 4; ++k) *seven++ = turn[k];
    }
  }
  double energy() override {
    system_.realize(stepper_->getState(), SimTK::Stage::Dynamics);
    return system_.calcEnergy(stepper_->getState());
  }

 private:
  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  std::vector<SimTK::MobilizedBody::Ball> links_;
  std::unique_ptr<SimTK::Integrator> integrator_;
  std::unique_ptr<SimTK::TimeStepper> stepper_;
  double dt_, time_ = 0.0;
};

}  // namespace

std::unique_ptr<SimbodyChain> startSimbodyChain(const PlainChain& chain, double dt) {
  return std::make_unique<TreeOfBalls>(chain, dt);
}

std::unique_ptr<Runner> startSimbodyTackle(const SimbodyTackleShape& shape, double dt) {
  return std::make_unique<SimbodyTackle>(shape, dt);
}

std::string simbodyVersion() { return "Simbody " REEVE_SIMBODY_VERSION; }

}  // namespace reeve::race
#else
namespace reeve::race {
std::unique_ptr<Runner> startSimbodyTackle(const SimbodyTackleShape&, double) { return nullptr; }
std::unique_ptr<SimbodyChain> startSimbodyChain(const PlainChain&, double) { return nullptr; }
std::string simbodyVersion() { return ""; }
}  // namespace reeve::race
#endif
