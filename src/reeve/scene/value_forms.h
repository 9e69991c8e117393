#pragma once
// The Forms of single values: numbers, texts, vectors, and what a scene writes in words of its own. forms.h composes
// them.
#include "reeve/scene/form.h"

namespace reeve::scene {

/// The table of a struct, in fields.cpp.
template <class T>
const Record& recordOf();
/// The words of an enumeration in its order, in fields.cpp.
template <class E>
std::span<const std::string_view> wordsOf();

/// Every struct and enumeration of description.h, in the order of the documentation.
// clang-format off
#define REEVE_RECORDS(DO)                                                                                  \
  DO(Description) DO(Settings) DO(BodySettings) DO(ShapeSettings) DO(MotionSettings) DO(RotorSettings)     \
  DO(ParticleSettings) DO(JointSettings) DO(MotorSettings) DO(Profile) DO(CouplingSettings) DO(ForceSettings) \
  DO(CableSettings) DO(LinkSettings) DO(MaterialSettings) DO(DoubtLimits) DO(ParticleCableSettings) DO(EventSettings)      \
  DO(ActionSettings) DO(Expectation) DO(PlotSettings) DO(ViewSettings)
#define REEVE_WORDS(DO)                                                                                    \
  DO(ShapeType) DO(BodyMotion) DO(JointType) DO(DistanceMode) DO(DriveType) DO(CableModel) DO(LinkType)    \
  DO(EndHold) DO(SectionShape) DO(TwistMeasure) DO(GuideShape) DO(SolverChoice) DO(StartChoice) DO(ParticleWay) DO(CurveType) DO(Predictor) \
  DO(DoubleRest) DO(SolveOrder) DO(TouchMode) DO(FrictionLaw) DO(OneWay) DO(Cleat) DO(ActionType)
#define REEVE_DECLARE(T) template <> const Record& recordOf<T>();
REEVE_RECORDS(REEVE_DECLARE)
#undef REEVE_DECLARE
#define REEVE_DECLARE(E) template <> std::span<const std::string_view> wordsOf<E>();
REEVE_WORDS(REEVE_DECLARE)
#undef REEVE_DECLARE
// clang-format on

/// Takes the void pointers of a Form back to the type.
template <class T>
class TypedForm : public Form {
 public:
  using Type = T;
  bool read(Reader& r, const json::Value& v, const Spec& s, void* out) const final {
    return readTo(r, v, s, *static_cast<T*>(out));
  }
  void write(JsonWriter& w, const void* v) const final { writeOf(w, *static_cast<const T*>(v)); }
  bool equal(const void* a, const void* b) const final {
    return same(*static_cast<const T*>(a), *static_cast<const T*>(b));
  }
  void copy(const void* from, void* to) const final { *static_cast<T*>(to) = *static_cast<const T*>(from); }
  bool check(Trail& t, const Spec& s, const void* v) const final { return good(t, s, *static_cast<const T*>(v)); }

 protected:
  virtual bool readTo(Reader& reader, const json::Value& value, const Spec& spec, T& out) const = 0;
  virtual void writeOf(JsonWriter& writer, const T& value) const = 0;
  virtual bool same(const T& a, const T& b) const = 0;
  virtual bool good(Trail&, const Spec&, const T&) const { return true; }
};

template <class F>
const F& theForm() {
  static const F form;
  return form;
}

// What every form of its own says.
// clang-format off
#define REEVE_FORM                                                                                        \
 public:                                                                                                  \
  void schema(JsonWriter& writer, const Spec& spec) const override;                                       \
  std::string words(const Spec& spec) const override;                                                     \
 protected:                                                                                               \
  bool readTo(Reader& reader, const json::Value& value, const Spec& spec, Type& out) const override;      \
  void writeOf(JsonWriter& writer, const Type& value) const override;
// clang-format on

class NumberForm : public TypedForm<double> {
  REEVE_FORM
  bool same(const double& a, const double& b) const override { return a == b || (a != a && b != b); }
  bool good(Trail& trail, const Spec& spec, const double& value) const override {
    return checkNumber(trail, spec, value);
  }
};

class IntegerForm : public TypedForm<int> {
  REEVE_FORM
  bool same(const int& a, const int& b) const override { return a == b; }
  bool good(Trail& trail, const Spec& spec, const int& value) const override { return checkNumber(trail, spec, value); }
};

class BooleanForm : public TypedForm<bool> {
  REEVE_FORM
  bool same(const bool& a, const bool& b) const override { return a == b; }
};

class TextForm : public TypedForm<std::string> {
  REEVE_FORM
  bool same(const std::string& a, const std::string& b) const override { return a == b; }
};

class Vec2Form : public TypedForm<Vec2> {
  REEVE_FORM
  bool same(const Vec2& a, const Vec2& b) const override;
  bool good(Trail& trail, const Spec& spec, const Vec2& value) const override;
};

class Vec3Form : public TypedForm<Vec3> {
  REEVE_FORM
  bool same(const Vec3& a, const Vec3& b) const override;
  bool good(Trail& trail, const Spec& spec, const Vec3& value) const override;
};

/// [w, x, y, z], {"axis", "angle"} or {"roll", "pitch", "yaw"}.
class OrientationForm : public TypedForm<Quat> {
  REEVE_FORM
  bool same(const Quat& a, const Quat& b) const override;
  bool good(Trail& trail, const Spec& spec, const Quat& value) const override;
};

/// A number, or an object; what its numbers measure comes from the field.
class ProfileForm : public TypedForm<Profile> {
  REEVE_FORM
  bool same(const Profile& a, const Profile& b) const override;
  bool good(Trail& trail, const Spec& spec, const Profile& value) const override;
};

/// 1 or "ccw", -1 or "cw"; 0 or "auto" leaves the choice to chooseSides().
class SideForm : public TypedForm<int> {
  REEVE_FORM
  bool same(const int& a, const int& b) const override { return a == b; }
  bool good(Trail& trail, const Spec& spec, const int& value) const override;
};

/// A time, or "end" for settings.seconds.
class MomentForm : public TypedForm<double> {
  REEVE_FORM
  bool same(const double& a, const double& b) const override { return a == b || (a != a && b != b); }
  bool good(Trail& trail, const Spec& spec, const double& value) const override {
    return checkNumber(trail, spec, value);
  }
};

/// "#rrggbb" or a CSS name.
class ColorForm : public TextForm {
 public:
  void schema(JsonWriter& writer, const Spec& spec) const override;
  bool good(Trail& trail, const Spec& spec, const std::string& value) const override;
};

/// "reeve": 1, the version of the format. Stands for nothing in the description.
class VersionForm : public TypedForm<Description> {
  REEVE_FORM
  bool same(const Description&, const Description&) const override { return true; }
};

/// "in" or "out": what positive spin of a drum does to its cable. Kept as a side that chooseSides() still has to find
/// (reelsIn, reelsOut), since that depends on which end of the route the drum is.
class ReelsForm : public TypedForm<int> {
 public:
  static constexpr int reelsIn = 2, reelsOut = -2;
  REEVE_FORM
  bool same(const int&, const int&) const override { return true; }  // what is written is the side
};

/// A text for other programs, "$schema". Read over and not kept.
class IgnoredForm : public TypedForm<Description> {
  REEVE_FORM
  bool same(const Description&, const Description&) const override { return true; }
};

/// The named numbers of a scene; read before everything else (expression.h).
class ParametersForm : public TypedForm<Description> {
  REEVE_FORM
  bool same(const Description&, const Description&) const override { return true; }
};

#undef REEVE_FORM

}  // namespace reeve::scene
