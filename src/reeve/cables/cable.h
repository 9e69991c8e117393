#pragma once
// A cable of any model: an element that can say what it looks like.
#include <expected>
#include <functional>
#include <memory>

#include "reeve/geometry/shape.h"
#include "reeve/model/element.h"
#include "reeve/model/parameter.h"
#include "reeve/model/problem.h"

namespace reeve {

/// What a link sits on, resolved: a rigid body, a particle, or a rotor on its parent body.
struct LinkMount {
  std::string name;
  int block = 0;                 ///< the body (a rotor's parent) or particle
  int rotor = -1;                ///< block of the spin, if it is a rotor
  Vec3 center_B = Vec3::Zero();  ///< of the body's origin or the rotor's centre, from the centre of mass
  Vec3 axis_B = Vec3::UnitY();
  double radius = 0.0;            ///< of a rotor
  std::span<const Shape> shapes;  ///< of a body, placed relative to the centre of mass
};

/// One free span, and one link, as observers see them.
struct SpanView {
  int from = 0, to = 0;  ///< links, by their place in links()
  Vec3 start = Vec3::Zero(), end = Vec3::Zero();
  double length = 0.0, rest = 0.0;
  double tension = 0.0;  ///< N; negative: it pushes
  bool parted = false;   ///< broken: its two ends hang from the links, `loose` metres of each
  double loose[2] = {0.0, 0.0};
  double sag = 0.0;  ///< greatest distance of a curved span from its chord
};
struct LinkView {
  LinkType type = LinkType::attach;
  const char* mode = "";
  const std::string* on = nullptr;
  double wrap = 0.0, slip = 0.0, stored = 0.0;
  Vec3 entry = Vec3::Zero(), exit = Vec3::Zero(), force = Vec3::Zero();
  bool holds = true;    ///< false: a free end, or a socket that let go
  double radius = 0.0;  ///< m, of a wheel: where the cable runs on it now
  int layers = 0;       ///< of a drum: begun
};

/// Coordinates of its own that a cable adds to the scene.
struct Freedom {
  int lagrangian = 0;  ///< places
  int eulerian = 0;    ///< material that flows
};

/// What the rest of a program may want to know of a cable's model.
struct CableTraits {
  const char* word = "";          ///< what it is called in scenes
  bool spansAreSegments = false;  ///< its spans are pieces of its own, not those of its route
  bool stepsItself = false;       ///< and acts by the impulses of an Euler step, which sweeps take as they are
  bool keepsEnergy = false;       ///< nothing of it drives, damps or strikes: what a time discretisation takes shows
  bool drawnThick = false;        ///< its polyline is fine enough to be drawn in its own thickness
};

enum class CableEnd { first, last };

class Cable : public Element, public Tunable {
 public:
  // What a program may do to a cable; the defaults say that this model cannot.
  std::optional<Parameter> parameter(std::string_view) const override { return {}; }
  std::string_view tunableFields() const override { return ""; }
  /// Pays out at an end, m/s, from now on; negative reels in. Empty if done, otherwise why not.
  virtual std::string reel(State& state, CableEnd end, double rate) const;
  /// The rest length of a span, m. Empty if done, otherwise why not.
  virtual std::string setRest(State& state, int span, double rest) const;
  /// Lets an attached end go. Empty if done, otherwise why not.
  virtual std::string release(State& state, CableEnd end) const;
  /// Cuts a span. Empty if done, otherwise why not.
  virtual std::string cut(State& state, int span) const;

  virtual CableTraits traits() const = 0;
  /// Links that are part of the route now, in order, and the spans between them. The vectors are filled anew.
  virtual void view(const Instant& now, const State& state, std::vector<LinkView>& links,
                    std::vector<SpanView>& spans) const = 0;
  /// For drawing: points and the tension at each.
  virtual void draw(const Instant& now, const State& state, std::vector<Vec3>& points,
                    std::vector<double>& tensions) const = 0;
  virtual Freedom freedom() const { return {}; }
  /// The block of a rigid segment that others may be attached to; -1 if there is none.
  virtual int segmentBlock(int /*segment*/) const { return -1; }
};

/// A rigid segment of a cable, to be made a body that collides but has no name of its own in the scene.
struct SegmentSeed {
  double mass = 0.0;
  Vec3 inertia = Vec3::Zero();  ///< principal, along the segment's own axes
  Pose pose;                    ///< of its centre of mass
  Vec3 velocity = Vec3::Zero(), angularVelocity = Vec3::Zero();
  std::optional<Shape> shape;  ///< none: it does not collide
  double friction = 0.5;
};

/// What a cable model needs from whoever builds the scene.
struct CableSite {
  std::string name;
  const CableSettings* settings = nullptr;
  std::vector<LinkMount> links;                       ///< one per link of the route
  std::vector<LinkMount> candidates;                  ///< bodies the cable may come to wrap
  const Instant* now = nullptr;                       ///< the start pose
  double massScale = 1.0;                             ///< kg, of the scene
  std::function<int()> addSlip;                       ///< makes a coordinate for material that slides over a link
  std::function<int(const SegmentSeed&)> addSegment;  ///< makes a rigid block
  std::function<int(double mass, const Vec3& position, const Vec3& velocity)> addParticle;  ///< makes a 3-dof block
  /// Makes a block of up to three coordinates whose mass the cable itself carries; `nominal` kg is the size of it.
  std::function<int(std::span<const double> start, std::span<const double> rate, double nominal)> addCoordinate;
  std::function<void()> carry;                                  ///< says that the cable carries mass between blocks
  std::function<const class Cable*(const std::string&)> cable;  ///< one built before this one; null if there is none
  std::function<void(int, int)> exclude;                        ///< these two blocks do not collide
};

/// Builds the cable its settings ask for, or says why this model cannot represent this route.
std::expected<std::unique_ptr<Cable>, Problem> makeCable(const CableSite& site);
/// What the cables of a scene share beyond their rows, or null: particle cables are advanced together.
std::unique_ptr<Element> joinCables(std::span<const Cable* const> cables, const Model& model);

}  // namespace reeve
