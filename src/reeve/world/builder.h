// How a description becomes a model: what the parts of build() share. Bodies in build_bodies.cpp, what acts on them in
// build_joints.cpp, cables in build_cables.cpp, their order and the start of everything in build.cpp.
#pragma once

#include <map>

#include "reeve/world/build.h"

namespace reeve {

class Builder {
 public:
  Builder(Description description, const Extensions& extensions, std::vector<RelaidCable> laid)
      : out_(std::make_unique<Built>()), extensions_(out_->extensions) {
    out_->model.description = std::move(description);
    out_->extensions = extensions;
    out_->laid = std::move(laid);
    for (const RelaidCable& l : out_->laid) out_->model.description.cables[at(l.cable)].second = l.settings;
  }
  std::expected<std::unique_ptr<Built>, Problem> run();

 private:
  enum class Kind { body, rotor, particle };
  struct Thing {
    Kind kind = Kind::body;
    int index = 0;
  };
  Model& model() { return out_->model; }
  const Description& scene() { return out_->model.description; }
  int addBlock(int dof, bool rotates, bool free);
  Done addBody(const std::string& name, const BodySettings& s);
  std::expected<Shape, Problem> makeShape(const ShapeSettings& s, const std::string& path);
  Done addRotorMass();
  Done addRotor(const std::string& name, const RotorSettings& s);
  Done addParticle(const std::string& name, const ParticleSettings& s);
  Done addJoint(const std::string& name, const JointSettings& s);
  Done addMotor(const std::string& name, const MotorSettings& s);
  Done addCoupling(const std::string& name, const CouplingSettings& s);
  Done addForce(const std::string& name, const ForceSettings& s);
  Done addCable(const std::string& name, const CableSettings& s);
  Done addMade(std::expected<std::unique_ptr<Cable>, Problem> cable, const std::string& name);
  std::expected<LinkMount, Problem> mountOf(const std::string& name, const std::string& path);
  std::expected<LinkMount, Problem> segmentOf(const LinkSettings& link, const std::string& path);
  void look(Instant& now);
  std::expected<Thing, Problem> find(const std::string& name, const std::string& path);
  std::expected<Anchor, Problem> anchorAt(const std::string& name, const Vec3& point_W, const std::string& path);
  AxisFrame frameOn(int block, const Vec3& axis, const Vec3& side);
  template <class T>
  T* addElement(std::unique_ptr<T> element, std::string name);
  void placeState();
  void startCommands();
  void addDrag(const std::string& name, int block, double linear, double angular);
  std::uint64_t sceneHash();

  std::unique_ptr<Built> out_;
  const Extensions& extensions_;
  const RelaidCable* laid_ = nullptr;  ///< where things are placed; null: at the start of the scene
  std::map<std::string, Thing> things_;
  std::map<std::string, const Drivable*> drivables_;
  std::vector<Mat3> startRotation_;
  std::vector<std::pair<Vec3, Vec3>> seeds_, particleSeeds_;  ///< start motion of what cables add
  struct CoordinateSeed {
    int block = 0;
    std::vector<double> start, rate;
  };
  std::vector<CoordinateSeed> coordinateSeeds_;
};

template <class T>
T* Builder::addElement(std::unique_ptr<T> element, std::string name) {
  T* raw = element.get();
  raw->name = std::move(name);
  raw->index = static_cast<int>(model().elements.size());
  raw->slot = model().slots;
  raw->memory = model().memory;
  raw->sheet = model().sheets;
  raw->scratch = model().scratch;
  const ElementLayout layout = raw->layout();
  model().scratch += layout.scratch;
  model().slots += layout.slots;
  model().memory += layout.memory;
  model().sheets += layout.sheets;
  if (layout.makeCache) model().cached.push_back(raw->index);
  if (layout.mass) model().masses.push_back(layout.mass);
  (layout.passive ? model().passive : model().acting).push_back(raw);
  model().elements.push_back(std::move(element));
  return raw;
}

}  // namespace reeve
