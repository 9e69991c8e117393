// Paper 000: figures that are looked at, and those whose scenes say themselves what is to be seen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce_000.h"
#include "reproduce_trial.h"

namespace reeve::command {

Stages::Stages(Sheet& sheet, const World& world) : sheet_(sheet) {
  const double end = world.description().settings.seconds;
  times_ = {0.0, end / 3, 2 * end / 3, end};
}

void Stages::look(const World& world) {
  if (next_ >= times_.size() || world.time() < times_[next_] - 1e-9) return;
  sheet_.picture(world, fmt::format("{} at {:.2f} s", world.description().name, world.time()));
  ++next_;
}

Item byExpectations(std::string name, std::string reported, std::string scene) {
  return {std::move(name), std::move(reported), [=](Sheet& sheet) {
            World world = built(shippedScene(scene));
            Stages stages(sheet, world);
            stages.look(world);
            double pull = 0.0;
            const Checked checked = checkExpectations(world, [&](World& now) {
              stages.look(now);
              if (now.steps() % 16 == 0)
                for (const SpanObservation& span : spansOf(now)) pull = std::max(pull, span.tension);
            });
            return Outcome::judged(fmt::format("{}: {}; largest tension {:.4g} N", scene, checked.text(), pull),
                                   checked.pass());
          }};
}

Outcome figure1(Sheet& sheet) {
  std::string text;
  bool alive = true;
  double lost = 0.0;
  for (const char* scene : {"hand", "pulley", "hilbert3"}) {
    World world = built(shippedScene(scene));
    const double length = totalLength(world);
    const bool good = advance(world, std::min(1.0, world.description().settings.seconds));
    sheet.picture(world, fmt::format("{} at {:.2f} s", scene, world.time()));
    text += fmt::format("{}{}: {} joints{}", text.empty() ? "" : ", ", scene, spansOf(world).size(),
                        good ? "" : " went bad");
    alive = alive && good;
    lost = std::max(lost, std::fabs(totalLength(world) - length));
  }
  return Outcome::judged(fmt::format("{}; rest length kept to {:.1g} m", text, lost), alive && lost < 1e-10);
}

Outcome flips(Sheet& sheet) {
  Description d = shippedScene("flips");
  World world = built(d);
  sheet.picture(world, "as declared");
  const double length = totalLength(world);
  for (auto& [name, cable] : d.cables)
    for (LinkSettings& link : cable.route)
      if (link.type == LinkType::roll) link.side = -link.side;
  World flipped = built(d);
  sheet.picture(flipped, "every orientation flipped");
  const bool good = advance(world, 0.5) && advance(flipped, 0.5);
  const double other = totalLength(flipped);
  return Outcome::judged(
      fmt::format("{} joints; {:.4g} m of cable, flipped {:.4g} m", spansOf(world).size(), length, other),
      good && std::fabs(other / length - 1) > 0.01);
}

Outcome links(Sheet& sheet) {
  World world = built(shippedScene("links"));
  Stages stages(sheet, world);
  stages.look(world);
  double unequal = 0.0;
  const double before = totalLength(world);
  const bool good = advance(world, world.description().settings.seconds, [&](World& now) {
    stages.look(now);
    if (now.steps() % 8 != 0) return;
    for (const auto& [name, cable] : now.observe().cables)
      for (std::size_t i = 1; i + 1 < cable.links.size(); ++i) {
        if (cable.links[i].kind != "pinhole" || cable.spans.size() <= i) continue;
        const double l = cable.spans[i - 1].tension, r = cable.spans[i].tension;
        if (l > 1e-6 && r > 1e-6) unequal = std::max(unequal, std::fabs(l - r) / std::max(l, r));
      }
  });
  std::string kinds;
  bool pinhole = false, attachment = false, hybrid = false;
  for (const auto& [name, cable] : world.description().cables)
    for (const LinkSettings& link : cable.route) {
      pinhole = pinhole || link.type == LinkType::pinhole;
      attachment = attachment || link.type == LinkType::attach;
      hybrid = hybrid || link.type == LinkType::hybrid;
    }
  const double drift = std::fabs(totalLength(world) - before) / before;
  return Outcome::judged(
      fmt::format(
          "pinhole {}, attachment {}, hybrid {}; tensions beside the pinhole differ by {:.1g}; length kept to {:.1g}",
          pinhole ? "yes" : "no", attachment ? "yes" : "no", hybrid ? "yes" : "no", unequal, drift),
      good && pinhole && attachment && hybrid && unequal < 1e-6 && drift < 1e-9);
}

/// Angle between a span and the plane of the wheel it leaves or meets, largest and smallest over all wheels on the
/// world.
Outcome skewWheels(Sheet& sheet) {
  World world = built(shippedScene("skew-wheels"));
  sheet.picture(world, "skew wheels at the start");
  double least = 1.0, most = 0.0;
  const auto look = [&](const World& now) {
    const Observation seen = now.observe();
    for (std::size_t c = 0; c < seen.cables.size(); ++c)
      for (const SpanObservation& span : seen.cables[c].second.spans)
        for (const std::string& end : {span.from, span.to})
          for (const auto& [name, rotor] : now.description().rotors) {
            if (name != end || rotor.on != "world" || span.length <= 0.0) continue;
            const double kink = std::fabs((span.end - span.start).normalized().dot(rotor.axis.normalized()));
            least = std::min(least, kink);
            most = std::max(most, kink);
          }
  };
  look(world);
  const double before = totalLength(world);
  const bool good = advance(world, world.description().settings.seconds);
  sheet.picture(world, fmt::format("skew wheels at {:.2f} s", world.time()));
  const double drift = std::fabs(totalLength(world) - before) / before;
  return Outcome::judged(
      fmt::format(
          "smoothest transition kinks by {:.1g} rad, sharpest by {:.3g} rad; runs {:.3g} s, length kept to {:.1g}",
          std::asin(least), std::asin(std::min(most, 1.0)), world.time(), drift),
      good && least < 1e-6 && most > 1e-2 && drift < 1e-9);
}

}  // namespace reeve::command
