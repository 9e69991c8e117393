#pragma once
// MuJoCo as an entrant: a scene as XML, and words for writing it.
#include <mujoco/mujoco.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "race.h"
#include "reeve/math/types.h"

namespace reeve::race::mj {

class Mujoco : public Runner {
 public:
  Mujoco(const std::string& xml, double dt) {
    mju_user_warning = [](const char*) {};  // they are counted, not printed
    auto files = std::make_unique<mjVFS>();
    mj_defaultVFS(files.get());
    mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[0], xml.data(), xml.size());
    char error[500] = "";
    model_ = mj_loadXML("scene.xml", files.get(), error, sizeof error);
    mj_deleteVFS(files.get());
    if (!model_) {
      std::fprintf(stderr, "MuJoCo does not take its scene: %s\n", error);
      std::abort();
    }
    model_->opt.timestep = dt;
    data_ = mj_makeData(model_);
    aside_ = mj_makeData(model_);
    mj_forward(model_, data_);
  }
  ~Mujoco() override {
    mj_deleteData(aside_);
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  bool step() override {
    mj_step(model_, data_);
    return data_->warning[mjWARN_BADQACC].number == 0 && data_->warning[mjWARN_BADQPOS].number == 0 &&
           data_->warning[mjWARN_BADQVEL].number == 0;
  }
  double energy() override {
    const int flags = model_->opt.enableflags;
    model_->opt.enableflags |= mjENBL_ENERGY;  // without it the energies stay 0; steps that are timed do without
    const mjData* now = evaluated();
    model_->opt.enableflags = flags;
    return now->energy[0] + now->energy[1];
  }

 protected:
  /// Everything at the positions reached: after mj_step they are those of the step's beginning.
  const mjData* evaluated() {
    mj_copyData(aside_, model_, data_);
    mj_forward(model_, aside_);
    return aside_;
  }
  int body(const char* name) const { return mj_name2id(model_, mjOBJ_BODY, name); }

  mjModel* model_ = nullptr;
  mjData *data_ = nullptr, *aside_ = nullptr;
};

/// How far a body has come down.
class Falling : public Mujoco {
 public:
  Falling(const std::string& xml, double dt, const char* name) : Mujoco(xml, dt), body_(body(name)) {
    start_ = data_->xpos[3 * body_ + 2];
  }
  double measure() override { return start_ - evaluated()->xpos[3 * body_ + 2]; }

 private:
  int body_;
  double start_;
};

inline std::string numbers(std::initializer_list<double> values) {
  std::string s = "\"";
  char text[40];
  for (const double v : values) {
    std::snprintf(text, sizeof text, "%s%.17g", s.size() > 1 ? " " : "", v);
    s += text;
  }
  return s + "\"";
}
inline std::string vec(const Vec3& v) { return numbers({v.x(), v.y(), v.z()}); }
inline std::string quat(const Quat& q) { return numbers({q.w(), q.x(), q.y(), q.z()}); }

/// Contacts off: nothing in these scenes touches. Constraints as stiff as MuJoCo lets them be (its default gives way by
/// a tenth of the load, and wheels that turn would not hold a heavy beam at all). Memory for as many numbers as the
/// constraints of a long tackle take.
inline std::string header(double gravity, int constraints, std::size_t numbersOnStack) {
  const std::string stiff = "\"0.9999 0.9999 0.001\"";
  return "<mujoco><compiler angle=\"radian\"/><size njmax=\"" + std::to_string(constraints) + "\" nstack=\"" +
         std::to_string(numbersOnStack) + "\"/><option gravity=" + numbers({0, 0, -gravity}) +
         "><flag contact=\"disable\"/></option><default><tendon solimplimit=" + stiff + "/><equality solimp=" + stiff +
         "/></default>";
}

/// A tendon is limited to the length it has at the start.
template <class Base>
class Measured : public Base {
 public:
  template <class... More>
  explicit Measured(More&&... more) : Base(std::forward<More>(more)...) {
    for (int i = 0; i < this->model_->ntendon; ++i)
      if (this->model_->tendon_limited[i]) this->model_->tendon_range[2 * i + 1] = this->data_->ten_length[i];
    mj_resetData(this->model_, this->data_);
    mj_forward(this->model_, this->data_);
  }
};

inline Entrant entrant(const std::string& how, const std::string& xml,
                       std::function<std::unique_ptr<Runner>(double)> start) {
  Entrant e;
  e.scene = xml;
  e.engine = "mujoco";
  e.how = how;
  e.start = std::move(start);
  return e;
}

}  // namespace reeve::race::mj
