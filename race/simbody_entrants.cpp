// Simbody's entrants. What includes its headers is in simbody_runners.cpp.
#include <algorithm>

#include "peers.h"
#include "simbody_plain.h"

namespace reeve::race {
namespace {

class Chain : public Runner {
 public:
  Chain(const ChainShape& shape, ChainJudge judge, double dt) : shape_(shape), judge_(std::move(judge)), dt_(dt) {
    std::vector<PlainLink> links;
    chain_ = startSimbodyChain(shape_.plain(links), dt);
  }
  bool step() override {
    time_ += dt_;
    return chain_->step();
  }
  double measure() override {
    std::vector<double> seven(7 * shape_.links.size());
    chain_->poses(seven.data());
    return judge_(shape_, poseOf(seven), time_);
  }
  double energy() override { return chain_->energy(); }

 private:
  ChainShape shape_;
  ChainJudge judge_;
  double dt_, time_ = 0.0;
  std::unique_ptr<SimbodyChain> chain_;
};

}  // namespace

std::vector<Entrant> simbodyTackle(const trials::Tackle& t) {
  if (simbodyVersion().empty() || t.sheaves > 64) return {};
  Entrant e;
  e.engine = "simbody";
  e.how = "cable path, points";
  e.start = [t](double dt) {
    return startSimbodyTackle({t.sheaves, t.radius, t.load, t.weight(), t.drop, t.gravity}, dt);
  };
  return {e};
}

std::vector<Entrant> simbodyChain(const Description& d, const ChainJudge& judge) {
  if (simbodyVersion().empty()) return {};
  Entrant e;
  e.engine = "simbody";
  e.how = "tree, Runge-Kutta-Merson";
  e.start = [shape = ChainShape(d), judge](double dt) { return std::make_unique<Chain>(shape, judge, dt); };
  return {e};
}

}  // namespace reeve::race
