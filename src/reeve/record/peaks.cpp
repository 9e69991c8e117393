#include "reeve/record/peaks.h"

#include <algorithm>
#include <cmath>

namespace reeve::record {
namespace {

/// Large scenes (a chain of thousands) keep this many of a kind; what is beyond has the row of its cable.
constexpr std::size_t mostOfAKind = 256;

bool turns(const Description& scene, const std::string& drivable) {
  for (const auto& [name, joint] : scene.joints)
    if (name == drivable) return joint.type != JointType::slider;
  return true;
}

}  // namespace

PeakMeter::PeakMeter(const World& world) : time_(world.time()) {
  followCables(world);
  followMachines(world);
  values_.resize(observables_.size());
  world.readAll(observables_, values_);
  for (Followed& f : followed_)
    if (f.kind == Kind::power) f.before = values_[f.first];
}

void PeakMeter::follow(const World& world, Kind kind, const std::string& subject, const char* field,
                       const char* quantity, std::string unit, std::string label) {
  Followed f;
  f.peak.subject = subject;
  f.peak.quantity = quantity;
  f.peak.unit = std::move(unit);
  f.peak.label = std::move(label);
  f.kind = kind;
  f.first = observables_.size();
  const std::string path = subject + "." + field;
  for (const char* part : {".x", ".y", ".z"}) {
    const auto found = world.resolve(kind == Kind::magnitude ? path + part : path);
    if (!found) {
      observables_.resize(f.first);
      return;
    }
    observables_.push_back(*found);
    if (kind != Kind::magnitude) break;
  }
  followed_.push_back(std::move(f));
}

void PeakMeter::followCables(const World& world) {
  const Description& scene = world.description();
  const Observation start = world.observe();
  const auto breaks = [&](std::size_t from, double load) {
    for (std::size_t i = from; i < followed_.size(); ++i)
      if (std::isfinite(load)) followed_[i].peak.breaking = load;
  };
  for (const auto& [name, cable] : scene.cables) {
    const std::size_t from = followed_.size();
    follow(world, Kind::plain, "cables." + name, "tension", "tension", "N", name);
    breaks(from, cable.material.breaking);
  }
  for (std::size_t c = 0; c < start.cables.size() && c < scene.cables.size(); ++c) {
    const auto& [name, cable] = start.cables[c];
    if (cable.spans.size() < 2) continue;
    const std::size_t from = followed_.size();
    for (std::size_t i = 0; i < std::min(cable.spans.size(), mostOfAKind); ++i)
      follow(world, Kind::plain, "cables." + name + ".spans." + std::to_string(i), "tension", "tension", "N",
             name + ": " + cable.spans[i].from + " – " + cable.spans[i].to);
    breaks(from, scene.cables[c].second.material.breaking);
  }
}

void PeakMeter::followMachines(const World& world) {
  const Description& scene = world.description();
  const auto each = [](const auto& named, const auto& act) {
    for (std::size_t i = 0; i < std::min(named.size(), mostOfAKind); ++i) act(named[i].first, named[i].second);
  };
  each(scene.motors, [&](const std::string& name, const MotorSettings& motor) {
    const bool turn = turns(scene, motor.on);
    follow(world, Kind::plain, "motors." + name, "force", turn ? "torque" : "force", turn ? "N m" : "N", name);
    follow(world, Kind::power, "motors." + name, "work", "power", "W", name);
  });
  each(scene.joints, [&](const std::string& name, const JointSettings&) {
    follow(world, Kind::magnitude, "joints." + name, "force", "force", "N", name);
    follow(world, Kind::magnitude, "joints." + name, "torque", "torque", "N m", name);
  });
  each(scene.rotors, [&](const std::string& name, const RotorSettings&) {
    follow(world, Kind::plain, "rotors." + name, "rate", "rate", "rad/s", name);
  });
  each(scene.bodies, [&](const std::string& name, const BodySettings& body) {
    if (body.motion != BodyMotion::fixed)
      follow(world, Kind::magnitude, "bodies." + name, "velocity", "speed", "m/s", name);
  });
  each(scene.particles, [&](const std::string& name, const ParticleSettings&) {
    follow(world, Kind::magnitude, "particles." + name, "velocity", "speed", "m/s", name);
  });
}

void PeakMeter::look(const World& world) {
  const double h = world.time() - time_;
  time_ = world.time();
  world.readAll(observables_, values_);
  for (Followed& f : followed_) {
    const double* v = &values_[f.first];
    double value = *v;
    if (f.kind == Kind::magnitude) value = std::hypot(v[0], v[1], v[2]);
    if (f.kind == Kind::power) {
      value = h > 0.0 ? (*v - f.before) / h : 0.0;  // mean of the step
      f.before = *v;
    }
    if (!std::isfinite(value)) continue;
    Peak& p = f.peak;
    if (p.samples == 0 || value < p.smallest) p.smallest = value;
    if (p.samples == 0 || value > p.largest) p.largest = value;
    // What stays the same but for rounding was largest when it first was.
    if (p.samples == 0 || std::abs(value) > f.magnitude * (1.0 + 1e-9)) f.magnitude = std::abs(value), p.at = time_;
    f.squares += value * value;
    ++p.samples;
  }
}

std::vector<Peak> PeakMeter::peaks() const {
  std::vector<Peak> out;
  for (const Followed& f : followed_) {
    if (f.peak.samples == 0) continue;
    out.push_back(f.peak);
    out.back().rms = std::sqrt(f.squares / static_cast<double>(f.peak.samples));
  }
  return out;
}

}  // namespace reeve::record
