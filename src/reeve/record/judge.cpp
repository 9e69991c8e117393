#include "reeve/record/judge.h"

#include <algorithm>
#include <cmath>

#include "reeve/model/instant.h"
#include "reeve/record/evidence.h"
#include "reeve/record/notes.h"
#include "reeve/record/number.h"

namespace reeve::record {

namespace {

/// What is seen in so many checks in a row stays.
constexpr int lasting = 5;
/// No impact leaves bodies that deep in each other for this many.
constexpr int lastingOverlap = 3;
constexpr std::size_t mostFindings = 16;
/// Energy above that of the start has no excuse, while what is above the lowest so far may have been hidden in what is
/// not counted: of the limit for that, and checks in a row.
constexpr double startShare = 0.1;
constexpr int lastingGain = 2;
/// Limits where not all energy is counted: of the waves of hoist cables, and what bends and stretches in particle
/// cables.
constexpr double riseOfHoists = 0.5, riseOfParticles = 0.9;
/// Of the potential energy, or of what the bodies weigh over the size of the scene, which is the same wherever the
/// origin is: what the first steps of a motion may be off by, when hardly anything is turned over yet.
constexpr double firstSteps = 1e-4;
/// Of all energies there are: less is rounding.
constexpr double energyRounding = 1e-6;
/// Of the scene's size: what lies on each other.
constexpr double restingGap = 1e-6;
/// Weights of a particle: what a line is turned aside by with more, it lies on; under such a pull friction creeps.
constexpr double heldUp = 30.0, creepingPull = 1000.0;
/// Steps before the share of those that do not converge says anything; at the end of a short run.
constexpr std::int64_t enoughSteps = 20, enoughInAll = 3;

/// The first steps of a run may be checked one by one; what has to stay for some checks has to stay for some steps.
bool between(std::int64_t steps) { return steps <= 100 && steps % 4 != 0; }

template <class T>
const T* find(const Named<T>& list, const std::string& name) {
  for (const auto& [key, item] : list)
    if (key == name) return &item;
  return nullptr;
}

/// Least thickness of a shape, m.
double thickness(const ShapeSettings& s) {
  switch (s.type) {
    case ShapeType::sphere:
    case ShapeType::capsule:
      return 2.0 * s.radius;
    case ShapeType::cylinder:
      return std::min(2.0 * s.radius, s.length);
    case ShapeType::box:
      return s.size.minCoeff();
    case ShapeType::halfSpace:
      return unbounded;
    case ShapeType::prism:
    case ShapeType::hull:
      break;
  }
  Vec3 low = Vec3::Constant(unbounded), high = -low;
  for (const Vec3& p : s.points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  for (const Vec2& p : s.polygon)
    for (const double z : {-0.5 * s.length, 0.5 * s.length})
      low = low.cwiseMin(Vec3(p.x(), p.y(), z)), high = high.cwiseMax(Vec3(p.x(), p.y(), z));
  return (high - low).minCoeff();
}

/// Nothing in the scene takes energy: no cables, which slide and are caught, no drag, friction, damping, stops.
bool takesNothing(const Description& scene) {
  const auto joint = [](const auto& j) {
    const JointSettings& s = j.second;
    return s.damping == 0.0 && s.angularDamping == 0.0 && s.friction == 0.0 && s.viscous == 0.0 && s.brake == 0.0 &&
           s.mode == DistanceMode::both && s.lower == -unbounded && s.upper == unbounded && s.extension.empty();
  };
  const auto rotor = [](const auto& r) {
    return r.second.friction == 0.0 && r.second.damping == 0.0 && r.second.brake == 0.0;
  };
  return scene.cables.empty() && scene.motors.empty() && std::ranges::all_of(scene.joints, joint) &&
         std::ranges::all_of(scene.rotors, rotor) &&
         std::ranges::all_of(scene.bodies,
                             [](const auto& b) { return b.second.drag == 0.0 && b.second.angularDrag == 0.0; }) &&
         std::ranges::all_of(scene.particles, [](const auto& p) { return p.second.drag == 0.0; });
}

/// N, of the masses that the scene gives.
double weightOf(const Description& scene) {
  double mass = 0.0;
  for (const auto& [name, body] : scene.bodies)
    if (body.motion == BodyMotion::dynamic) mass += body.mass.value_or(0.0);
  for (const auto& [name, rotor] : scene.rotors) mass += rotor.mass;
  for (const auto& [name, particle] : scene.particles) mass += particle.mass;
  return mass * scene.settings.gravity.norm();
}

/// J that were done or taken between two checks.
double workedBetween(const EnergyObservation& a, const EnergyObservation& b) {
  return std::fabs(b.motors - a.motors) + std::fabs(b.moved - a.moved) + std::fabs(b.applied - a.applied) +
         std::fabs(b.friction - a.friction) + std::fabs(b.damping - a.damping) + std::fabs(b.drag - a.drag) +
         std::fabs(b.impacts - a.impacts);
}

/// J that it has, less what was done to it from outside: friction, damping, drag and impacts only take of it.
double ownEnergy(const EnergyObservation& e) { return e.total - e.motors - e.moved - e.applied; }

/// J that are left when what friction, damping, drag and blows took is counted too.
double restEnergy(const EnergyObservation& e) { return ownEnergy(e) - e.friction - e.damping - e.drag - e.impacts; }

/// How many times the weight of a particle a particle cable is pulled where it lies on something; 0 if it does not.
double pressedPull(const CableSettings& s, const CableObservation& cable, double gravity) {
  double most = 0.0;
  if (s.model != CableModel::particles || s.route.size() != 2 || !(s.material.friction > 0.0)) return most;
  for (std::size_t k = 1; k < cable.spans.size(); ++k) {
    const SpanObservation &in = cable.spans[k - 1], &out = cable.spans[k];
    if (in.parted || out.parted || !(in.length > 0.0) || !(out.length > 0.0)) continue;
    const double weight = 0.5 * (in.rest + out.rest) * s.material.mass * gravity;
    // Across the line: along it a load that bounces makes differences too.
    const Vec3 along = (out.end - in.start).normalized();
    Vec3 aside = (out.end - out.start) * (out.tension / out.length) - (in.end - in.start) * (in.tension / in.length);
    aside -= along.dot(aside) * along;
    if (weight > 0.0 && aside.norm() > heldUp * weight)
      most = std::max(most, std::min(in.tension, out.tension) / weight);
  }
  return most;
}

/// An event gives the motor another target than the scene.
bool commanded(const Description& scene, const std::string& motor) {
  for (const EventSettings& e : scene.events)
    for (const ActionSettings& a : e.actions)
      if (a.type == ActionType::drive && a.on == "motors." + motor) return true;
  return false;
}

}  // namespace

std::string_view trustName(Trust trust) {
  static constexpr std::string_view names[] = {"good", "note", "doubtful", "bad"};
  return names[static_cast<int>(trust)];
}

std::string_view kindName(Finding::Kind kind) {
  static constexpr std::string_view names[] = {"row",     "drive",  "overlap",    "stretch",
                                               "passage", "energy", "unconverged"};
  return names[static_cast<int>(kind)];
}

Trust levelOf(const std::vector<Finding>& findings) {
  Trust level = Trust::good;
  for (const Finding& f : findings) level = std::max(level, f.level);
  return level;
}

Judge::Judge(const Description& scene, const Observation& start)
    : scene_(&scene), limits_(scene.settings.doubtful), size_(sceneSize(start)) {
  before_ = start.steps;
  unconvergedBefore_ = start.health.unconverged;
  drive_.resize(scene.motors.size());
  stretch_.resize(scene.cables.size());
  // What models of a program's own do, they alone know; of waves on joints not all is booked, and of particles only
  // what the air does: prescribed motion and changes while it runs are not.
  accounts_ = std::ranges::all_of(scene.cables, [](const auto& c) {
    return c.second.extension.empty() && !c.second.waves && c.second.particles.wind == Vec3::Zero();
  });
  const auto particles = [](const auto& c) { return c.second.model == CableModel::particles; };
  if (std::ranges::any_of(scene.cables, particles))
    accounts_ =
        accounts_ && scene.forces.empty() && scene.events.empty() &&
        std::ranges::none_of(scene.bodies, [](const auto& b) { return b.second.motion == BodyMotion::kinematic; });
  rise_ = limits_.gain;
  for (const auto& [name, c] : scene.cables) {
    if (c.model == CableModel::hoist) rise_ = std::max(rise_, riseOfHoists);
    if (c.model == CableModel::particles) rise_ = std::max(rise_, riseOfParticles);
  }
  conserves_ = accounts_ && takesNothing(scene);
  last_ = start.energy;
  lowest_ = highest_ = started_ = ownEnergy(start.energy);
  untaken_ = restLast_ = restEnergy(start.energy);
  unconvergedLast_ = start.health.unconverged;
  kinetic_ = start.energy.kinetic;
  hidden_ = hiddenAt(scene, start);
  beginning_ = firstSteps * weightOf(scene) * size_;
  for (const auto& [name, body] : start.bodies) places_.push_back(body.position);
}

bool Judge::stays(Streak& streak, const std::string& subject, int looks) {
  streak.looks = streak.subject == subject ? streak.looks + 1 : 1;
  streak.subject = subject;
  return streak.looks >= looks;
}

void Judge::tell(Finding::Kind kind, const std::string& subject, double worst, double time, const std::string& reason) {
  auto f = std::ranges::find_if(findings_, [&](const Finding& x) { return x.kind == kind && x.subject == subject; });
  if (f == findings_.end()) {
    if (findings_.size() >= mostFindings) return;
    f = findings_.insert(f, Finding{.kind = kind, .subject = subject, .reason = {}, .time = time});
  }
  ++f->seen;
  if (worst < f->worst) return;
  f->worst = worst;
  f->reason = reason;
}

bool Judge::canMove(const std::string& thing) const {
  if (thing == "world") return false;
  const BodySettings* body = find(scene_->bodies, thing);
  return !body || body->motion == BodyMotion::dynamic;
}

void Judge::rows(const Observation& now) {
  const HealthObservation& h = now.health;
  if (!(h.worstError > limits_.error * size_) || h.worst.empty() || h.worst.starts_with("contacts.")) {
    row_.looks = 0;
    return;
  }
  if (!stays(row_, "rows", lasting)) return;  // of those that fight now one is worse and now another
  tell(Finding::Kind::row, h.worst, h.worstError, now.time,
       "is wrong by " + readable(h.worstError, 3) + " m or rad" +
           (h.worst.starts_with("motors.")
                ? rivalsOf(*scene_, now, h.worst.substr(7, h.worst.rfind('.') - 7), limits_.error * size_)
                : fightersOf(*scene_, now, h.worstError)));
}

void Judge::drives(const Observation& now) {
  for (std::size_t i = 0; i < scene_->motors.size(); ++i) {
    const auto& [name, m] = scene_->motors[i];
    if (m.drive != DriveType::velocity || m.maxForce < unbounded || m.stall || commanded(*scene_, name)) continue;
    const JointObservation* joint = find(now.joints, m.on);
    const RotorObservation* rotor = find(now.rotors, m.on);
    if (!joint && !rotor) continue;
    // A rotor's drive is about its parent, which may turn: only what sits on the world is compared.
    const RotorSettings* wheel = find(scene_->rotors, m.on);
    if (rotor && (!wheel || canMove(wheel->on))) continue;
    const double missed = std::fabs((joint ? joint->rate : rotor->rate) - profileValue(m.target, now.time));
    if (!(missed > limits_.error * size_)) {
      drive_[i].looks = 0;
      continue;
    }
    if (!stays(drive_[i], name, lasting)) continue;
    tell(Finding::Kind::drive, "motors." + name, missed, now.time,
         "has no limit and misses its speed by " + readable(missed, 3) + (joint ? " of its joint's units" : " rad/s") +
             rivalsOf(*scene_, now, name, limits_.error * size_));
  }
}

double Judge::thicknessOf(const std::string& collider) const {
  const BodySettings* body = find(scene_->bodies, collider);
  double most = 0.0;
  if (body)
    for (const ShapeSettings& s : body->shapes) most = std::max(most, thickness(s));
  const ParticleSettings* particle = find(scene_->particles, collider);
  if (particle) most = 2.0 * particle->radius;
  return most > 0.0 ? most : unbounded;
}

void Judge::overlaps(const Observation& now) {
  const ContactObservation* worst = nullptr;
  double most = limits_.overlap;
  for (const ContactObservation& c : now.contacts) {
    if (!(c.gap < -restingGap * size_)) continue;  // what rests is many, and no overlap
    const double share = -c.gap / std::min(thicknessOf(c.a), thicknessOf(c.b));
    if (share > most) most = share, worst = &c;
  }
  if (!worst) {
    overlap_.looks = 0;
    return;
  }
  const std::string pair = "contacts." + worst->a + "-" + worst->b;
  if (!stays(overlap_, pair, lastingOverlap)) return;
  std::string why;
  for (const auto& [name, m] : scene_->motors)
    if (!(m.maxForce < unbounded)) why = ": motors." + name + " has no limit";
  if (const std::string presses = pressing(*scene_, now, *worst); !presses.empty())
    why = ": bodies." + presses + " has prescribed motion";
  tell(Finding::Kind::overlap, pair, -worst->gap, now.time,
       "are " + readable(-worst->gap, 3) + " m deep in each other" + why);
}

void Judge::stretches(const Observation& now, bool last) {
  for (std::size_t i = 0; i < scene_->cables.size() && i < now.cables.size(); ++i) {
    const auto& [name, s] = scene_->cables[i];
    const CableObservation& cable = now.cables[i].second;
    double length = 0.0, rest = 0.0, least = 0.0;
    bool parted = false, gives = false;
    for (const SpanObservation& span : cable.spans) {
      length += span.length;
      rest += span.rest;
      if (!span.parted) least = std::min(least, span.rest);
      // What pulls, stretches; of particles the tension says how much, of others only what cannot stretch is judged.
      if (s.model == CableModel::particles) length -= std::max(span.tension, 0.0) * span.rest / s.material.axial;
      parted = parted || span.parted;
      gives = gives || canMove(span.from) || canMove(span.to);
    }
    if (-least > limits_.error * std::max(rest + cable.stored, 0.0)) {
      tell(Finding::Kind::stretch, "cables." + name, -least, now.time,
           "has a span whose rest length is " + readable(least, 3) + " m, less than nothing");
      continue;
    }
    if (const double pull = pressedPull(s, cable, scene_->settings.gravity.norm()); pull > creepingPull) {
      if (stays(stretch_[i], name + ".pull", lasting))
        tell(Finding::Kind::row, "cables." + name, pull, now.time,
             "is pulled round something by " + readable(pull, 3) +
                 " times the weight of a particle: friction creeps there; use a roll link, or another model");
      continue;
    }
    const bool judged = isRigid(s) || (s.model == CableModel::particles && !s.compliance && !s.material.young);
    if (!judged || parted || s.model == CableModel::hoist ||
        !(length - rest > limits_.stretch * (rest + cable.stored))) {
      stretch_[i].looks = 0;
      continue;
    }
    if (!stays(stretch_[i], name, last ? lastingGain : lasting)) continue;
    const std::string fight = isRigid(s) ? fightersOf(*scene_, now, length - rest) : "";
    tell(Finding::Kind::stretch, "cables." + name, length - rest, now.time,
         "is " + readable(length - rest, 3) + " m longer than its " + readable(rest, 3) + " m can be" +
             (!gives          ? ": nothing that it holds can give way"
              : fight.empty() ? ": take a smaller dt or more iterations"
                              : fight));
  }
}

/// What a cable may come to lie on was on one side of it and is on the other, and has not touched it.
void Judge::passages(const Observation& now) {
  for (std::size_t i = 0; i < scene_->cables.size() && i < now.cables.size(); ++i) {
    const auto& [name, s] = scene_->cables[i];
    const CableObservation& cable = now.cables[i].second;
    for (const std::string& other : s.candidates)
      for (std::size_t b = 0; b < now.bodies.size() && b < places_.size(); ++b) {
        const Vec3 &from = places_[b], &to = now.bodies[b].second.position;
        const double thick = thicknessOf(other);
        const auto on = [&](const LinkObservation& l) { return l.on == other && l.mode != "inactive"; };
        if (now.bodies[b].first != other || !(thick < unbounded) || !((to - from).norm() > thick) ||
            std::ranges::any_of(cable.links, on))
          continue;
        const std::vector<Vec3>& line = cable.polyline;
        const double apart = 0.5 * thick + s.material.radius;
        if (nearest(from, to, line) < 0.25 * thick && nearest(to, to, line) > apart &&
            nearest(from, from, line) > apart)
          tell(Finding::Kind::passage, "cables." + name, (to - from).norm(), now.time,
               "has let bodies." + other + " through, which goes " + readable((to - from).norm(), 3) +
                   " m from check to check and is " + readable(thick, 3) + " m thick: take a smaller dt");
      }
  }
  places_.clear();
  for (const auto& [name, body] : now.bodies) places_.push_back(body.position);
}

/// Whether an impact on it takes no energy.
bool Judge::bouncesBack(const std::string& collider) const {
  const BodySettings* body = find(scene_->bodies, collider);
  return body && body->restitution >= 1.0;
}

/// Where nothing takes energy, what is lost is lost by the steps.
void Judge::loss(const Observation& now) {
  for (const ContactObservation& c : now.contacts)
    if (conserves_ && c.force > 0.0 && !bouncesBack(c.a) && !bouncesBack(c.b)) conserves_ = false;
  const double rest = restEnergy(now.energy);
  untaken_ = std::max(untaken_, rest);
  // Of a blow that takes nothing what is booked is rounding, of as much as is turned over.
  const double lost = std::min(highest_ - ownEnergy(now.energy), untaken_ - rest);
  if (!conserves_ || !(lost > limits_.gain * kinetic_ + energyRounding * std::fabs(now.energy.potential))) {
    loss_.looks = 0;
    return;
  }
  if (!stays(loss_, "energy", lasting)) return;
  tell(Finding::Kind::energy, "energy", lost, now.time,
       readable(lost, 3) + " J were lost where nothing dissipates: take a smaller dt");
}

void Judge::energy(const Observation& now, bool last, bool again) {
  if (!accounts_) return;
  const bool passing = again || between(now.steps - before_);
  if (!passing) loss(now);
  const double balance = ownEnergy(now.energy);
  kinetic_ = std::max(kinetic_, now.energy.kinetic);
  turned_ += workedBetween(last_, now.energy);
  last_ = now.energy;
  lowest_ = std::min(lowest_, balance);
  highest_ = std::max(highest_, balance);
  // What was turned over: moved, worked and, where it only fell, lost.
  const double rise = balance - lowest_, won = balance - started_;
  const double turnover = kinetic_ + turned_ + std::max(highest_ - lowest_ - rise, 0.0);
  const double rounding = energyRounding * (std::fabs(now.energy.potential) + std::fabs(now.energy.elastic) + turnover);
  const auto tooMuch = [&](double more, double limit, Streak& streak, int looks) {
    if (!(more > limit * turnover + rounding)) {
      streak.looks = 0;
      return;
    }
    if (stays(streak, "energy", looks))
      tell(Finding::Kind::energy, "energy", more, now.time,
           readable(more, 3) + " J were gained without a source, of a turnover of " + readable(turnover, 3) + " J");
  };
  if (!passing) tooMuch(rise, rise_, risen_, lasting);
  // What finds no solution is stopped, or damped, and no account has that.
  const double rest = restEnergy(now.energy);
  if (now.health.unconverged > unconvergedLast_) unsolved_ += std::max(restLast_ - rest, 0.0);
  unconvergedLast_ = now.health.unconverged;
  restLast_ = rest;
  if (now.health.unconverged - unconvergedBefore_ >= enoughInAll && unsolved_ > limits_.gain * turnover + rounding)
    tell(Finding::Kind::energy, "solver", unsolved_, now.time,
         "lost " + readable(unsolved_, 3) + " J in steps that missed the tolerance, of " + readable(turnover, 3) +
             " J turned over");
  // The work of drives is summed from the ends of steps, and says little before there are some.
  if (!scene_->motors.empty() && now.steps - before_ < enoughSteps) return;
  const double hidden = hidden_ + slidingError(*scene_, now) +
                        std::max(firstSteps * std::fabs(now.energy.potential), beginning_) +
                        startShare * limits_.gain * turned_;
  allowed_ = hidden + startShare * limits_.gain * turnover + rounding;
  tooMuch(won - hidden, startShare * limits_.gain, won_, last ? 1 : again ? lastingSteps : lastingGain);
}

bool Judge::suspects(double total, const Accounts& accounts) const {
  const auto done = [&](Work kind) { return accounts.done[static_cast<std::size_t>(kind)]; };
  const double own = total - done(Work::motors) - done(Work::moved) - done(Work::applied);
  return accounts_ && (own - started_ > allowed_ || won_.looks > 0) && won_.looks < lastingSteps;
}

void Judge::convergence(const Observation& now, bool last) {
  const std::int64_t steps = now.steps - before_, missed = now.health.unconverged - unconvergedBefore_;
  const double share =
      steps < (last ? enoughInAll : enoughSteps) ? 0.0 : static_cast<double>(missed) / static_cast<double>(steps);
  std::erase_if(findings_, [](const Finding& f) { return f.kind == Finding::Kind::unconverged; });
  if (share > limits_.unconverged)
    tell(Finding::Kind::unconverged, "solver", share, now.time,
         "missed the tolerance in " + std::to_string(missed) + " of " + std::to_string(steps) + " steps");
}

void Judge::look(const Observation& now, bool last) {
  passages(now);
  energy(now, last);
  convergence(now, last);
  if (between(now.steps - before_)) return;
  rows(now);
  drives(now);
  overlaps(now);
  stretches(now, last);
}

}  // namespace reeve::record
