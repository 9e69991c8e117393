// DART, through its module.
#include <dlfcn.h>

#include "dart/module.h"
#include "peers.h"

#ifdef REEVE_DART_MODULE
namespace reeve::race {
namespace {

/// Null when the module cannot be loaded.
const DartCalls* dart() {
  static const DartCalls* calls = []() -> const DartCalls* {
    void* module = dlopen(REEVE_DART_MODULE, RTLD_NOW | RTLD_LOCAL);
    if (!module) return nullptr;
    using Find = const DartCalls* (*)();
    const auto find = reinterpret_cast<Find>(dlsym(module, "reeveRaceDart"));
    return find ? find() : nullptr;
  }();
  return calls;
}

class DartChain : public Runner {
 public:
  DartChain(const ChainShape& shape, ChainJudge judge, double dt) : shape_(shape), judge_(std::move(judge)), dt_(dt) {
    handle_ = dart()->start(shape_.plain(links_), dt);
  }
  ~DartChain() override { dart()->drop(handle_); }
  bool step() override {
    time_ += dt_;
    return dart()->step(handle_);
  }
  double measure() override {
    std::vector<double> seven(7 * shape_.links.size());
    dart()->poses(handle_, seven.data());
    return judge_(shape_, poseOf(seven), time_);
  }
  double energy() override { return dart()->energy(handle_); }

 private:
  ChainShape shape_;
  std::vector<PlainLink> links_;
  ChainJudge judge_;
  double dt_, time_ = 0.0;
  void* handle_;
};

}  // namespace

std::vector<Entrant> dartChain(const Description& d, const ChainJudge& judge) {
  if (!dart()) return {};
  Entrant e;
  e.engine = "dart";
  e.how = "tree";
  e.start = [shape = ChainShape(d), judge](double dt) { return std::make_unique<DartChain>(shape, judge, dt); };
  return {e};
}

std::string dartVersion() { return dart() ? std::string("DART ") + dart()->version : ""; }

}  // namespace reeve::race
#else
namespace reeve::race {
std::vector<Entrant> dartChain(const Description&, const ChainJudge&) { return {}; }
std::string dartVersion() { return ""; }
}  // namespace reeve::race
#endif
