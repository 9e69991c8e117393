// The moving tackle in Simbody.
#include "simbody_tackle.h"

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

}  // namespace

std::unique_ptr<Runner> startSimbodyTackle(const SimbodyTackleShape& shape, double dt) {
  return std::make_unique<SimbodyTackle>(shape, dt);
}

std::string simbodyVersion() { return "Simbody " REEVE_SIMBODY_VERSION; }

}  // namespace reeve::race
#else
namespace reeve::race {
std::unique_ptr<Runner> startSimbodyTackle(const SimbodyTackleShape&, double) { return nullptr; }
std::string simbodyVersion() { return ""; }
}  // namespace reeve::race
#endif
