// A cable model of one's own: a reel with a spring that pulls with the same force whatever its length (a balancer over
// a workbench). The library knows nothing of it; a description asks for it by the word in `extension`.
#include <reeve/reeve.h>

#include <cmath>
#include <cstdio>

class Balancer : public reeve::Cable {
 public:
  static std::expected<std::unique_ptr<Cable>, reeve::Problem> make(const reeve::CableSite& site) {
    if (site.links.size() != 2)
      return reeve::wrong("/cables/" + site.name, "a balancer has two links", "attach it at both ends");
    auto cable = std::make_unique<Balancer>();
    for (std::size_t i = 0; i < 2; ++i) {
      cable->mounts_[i] = site.links[i];
      cable->ends_[i] = {site.links[i].block, site.links[i].center_B + site.settings->route[i].point};
    }
    cable->pull_ = site.settings->tension.value_or(0.0);
    return cable;
  }
  reeve::CableTraits traits() const override { return {.word = "balancer"}; }
  reeve::ElementLayout layout() const override { return {.slots = 1}; }
  /// A row whose bounds are equal is a given force along its gradient; a stretched cable pulls with λ < 0.
  void rows(const reeve::Instant& now, reeve::RowSet& out) const override {
    const reeve::Vec3 n = (now.point(ends_[1]) - now.point(ends_[0])).normalized();
    out.group();
    reeve::Row& row = out.add(slot);
    row.level = reeve::Level::velocity;
    row.lower = row.upper = -pull_;
    reeve::pushPoint(now, ends_[0], -n, out);
    reeve::pushPoint(now, ends_[1], n, out);
  }
  void view(const reeve::Instant& now, const reeve::State&, std::vector<reeve::LinkView>& links,
            std::vector<reeve::SpanView>& spans) const override {
    links.assign(2, {});
    for (std::size_t i = 0; i < 2; ++i) {
      links[i].on = &mounts_[i].name;
      links[i].entry = links[i].exit = now.point(ends_[i]);
    }
    spans.assign(1, {});
    spans[0].to = 1;
    spans[0].start = links[0].exit;
    spans[0].end = links[1].entry;
    spans[0].length = spans[0].rest = (spans[0].end - spans[0].start).norm();
    spans[0].tension = pull_;
  }
  void draw(const reeve::Instant& now, const reeve::State&, std::vector<reeve::Vec3>& points,
            std::vector<double>& tensions) const override {
    points = {now.point(ends_[0]), now.point(ends_[1])};
    tensions.assign(2, pull_);
  }

 private:
  reeve::LinkMount mounts_[2];
  reeve::Anchor ends_[2];
  double pull_ = 0.0;  ///< N
};

int main() {
  reeve::Description scene;
  scene.bodies.emplace_back(
      "tool", reeve::BodySettings{.position = {0, 0, -1}, .mass = 3.0, .inertia = reeve::Vec3(0.01, 0.01, 0.01)});
  reeve::CableSettings reel;
  reel.extension = "balancer";
  reel.route = {reeve::LinkSettings{}, reeve::LinkSettings{.on = "tool"}};
  reel.tension = 30.0;
  scene.cables.emplace_back("reel", reel);
  reeve::Extensions own;
  own.cables["balancer"] = Balancer::make;
  auto world = reeve::World::build(scene, own);
  if (!world) return std::fprintf(stderr, "%s: %s\n", world.error().path.c_str(), world.error().reason.c_str()), 1;
  for (int i = 0; i < 120; ++i) world->step();
  // 30 N against 3 kg: a = 30/3 − 9.81 upward, for half a second.
  const double speed = world->read(*world->resolve("bodies.tool.velocity.z")), exact = 0.5 * (30.0 / 3.0 - 9.81);
  std::printf("the tool rises at %.4f m/s\n", speed);
  return std::fabs(speed - exact) < 1e-6 ? 0 : 1;
}
