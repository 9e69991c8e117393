// The order of a strand's stations while nodes come and go. It is this strand's memory: which station comes next, and
// what each spare node is at present. Stations, segments and the spare nodes themselves are written from it, once for
// every change.
#include <algorithm>

#include "reeve/cables/strand/strand_build.h"
#include "reeve/math/rotation.h"
#include "reeve/math/scalar.h"

namespace reeve {

void StrandBuild::makeSpares(const CableSite& site) {
  built_ = stations_;
  if (!touches_) return;
  const double share = density_ * length_ / static_cast<double>(segments_.size());
  const auto block = [&](int dof) {
    const std::vector<double> zero(at(dof), 0.0);
    return site.addCoordinate(zero, zero, share);
  };
  order_ = static_cast<int>(startMemory_.size());
  for (int k = 0; k < room_; ++k) startMemory_.push_back(k < stationCount() ? k + 1 : 0);
  for (std::size_t k = 0; k < spares_.size(); ++k) {
    Spare& spare = spares_[k];
    spare.node = nodeCount();
    spare.ground = static_cast<int>(grounds_.size());
    spare.line = block(1);
    spare.surface = block(2);
    spare.place = block(3);
    spare.flow = block(1);
    spare.kept = static_cast<int>(startMemory_.size());
    startMemory_.insert(startMemory_.end(), numbersIn<SpareMemory>, 0.0);
    Node n;
    n.place = Place::waiting;
    n.spare = static_cast<int>(k);
    nodes_.push_back(std::move(n));
    grounds_.emplace_back().chart = lineChart(ChartFrame{});
  }
  for (std::size_t k = 0; k < built_.size(); ++k) {
    if (built_[k].wheel || built_[k].named || node(built_[k].index).kept < 0) continue;
    nodes_[at(built_[k].index)].rover = static_cast<int>(k);
    rovers_.push_back(built_[k].index);
  }
  spacing_ = length_ / static_cast<double>(segments_.size());
  lost_ = static_cast<int>(startMemory_.size());
  startMemory_.push_back(0.0);
  for (Node& n : nodes_) {
    const bool end = !closed_ && n.place == Place::point && (n.at0 == 0 || n.at0 + 1 == stationCount());
    if (n.spare < 0 && n.place != Place::free && !(end && n.anchor.block > 0)) continue;
    n.touch = static_cast<int>(startMemory_.size());
    startMemory_.insert(startMemory_.end(), numbersIn<TouchMemory>, 0.0);
  }
}

/// What a spare node is at present, from memory.
void StrandContact::role(const State& state, const Spare& spare) {
  Node& n = nodes_[at(spare.node)];
  const SpareMemory& kept = spareMemory(state, spare);
  const Role role = roleOf(state, spare);
  n.block = n.flow = n.kept = n.chart = -1;
  n.tangent = false;
  n.stands = stands(role);
  n.ball = 0.0;
  n.deep = kept.deep;
  // Between two places where it sticks, a strand that cannot stretch would be held twice.
  n.friction = settings_.material.axial < unbounded ? settings_.material.friction : 0.0;
  n.place = role == Role::waiting ? Place::waiting : role == Role::free ? Place::free : Place::chart;
  if (role == Role::free) {
    n.block = spare.place;
    n.kept = spare.kept + static_cast<int>(offsetof(SpareMemory, material) / sizeof(double));
  }
  if (n.place != Place::chart) return;
  n.flow = spare.flow;
  n.chart = spare.ground;
  if (role == Role::arcEnd) {
    n.chart = spares_[static_cast<std::size_t>(kept.at)].ground;
    n.block = spare.surface;
    n.tangent = true;
    return;
  }
  const Feature& f = features_[at(kept.feature)];
  Ground& ground = grounds_[at(spare.ground)];
  ground.block = f.block;
  ChartFrame frame;
  frame.origin = f.origin;
  if (role == Role::arcStart) {
    frame.z = f.kind == Feature::Kind::ball ? kept.axis.vec() : f.along;
    orthonormalBasis(frame.z, frame.x, frame.y);
    n.block = spare.surface;
    n.tangent = true;
    const double radius = f.radius - n.deep;
    // A trial of the solver may turn by any number of turns; what it has cannot.
    const double most = 2.0 * math::pi + 2.0 * length_ / radius;
    ground.chart = f.kind == Feature::Kind::ball ? sphereChart(frame, radius, most) : cylinderChart(frame, radius);
    return;
  }
  if (role == Role::held) {
    frame.origin += kept.at * f.along;
    frame.z = kept.out.vec();
    orthonormalBasis(frame.z, frame.x, frame.y);
    n.block = spare.line;
    ground.chart = lineChart(frame);
    return;
  }
  n.block = spare.surface;
  if (f.kind == Feature::Kind::rim) {
    frame.z = f.along;
    orthonormalBasis(frame.z, frame.x, frame.y);
    ground.chart = rimChart(frame, f.radius);
    return;
  }
  frame.x = kept.axis.vec();
  frame.y = kept.out.vec();
  frame.z = frame.x.cross(frame.y);
  if (role == Role::beside) frame.origin += f.radius * frame.y;
  if (f.kind == Feature::Kind::ball) n.ball = f.radius;
  ground.chart = planeChart(frame);
}

void StrandContact::arrange(const State& state) {
  if (!touches_) return;
  const double* const first = state.memory.data() + element_->memory + order_;
  const double* const last = first + room_ + numbersIn<SpareMemory> * static_cast<int>(spares_.size());
  if (std::equal(first, last, arranged_.begin(), arranged_.end())) return;
  arranged_.assign(first, last);
  for (const Spare& spare : spares_) role(state, spare);
  for (const int rover : rovers_) nodes_[at(rover)].place = Place::waiting;
  stations_.clear();
  for (int k = 0; k < room_ && first[k] > 0.5; ++k) {
    const int id = static_cast<int>(first[k]) - 1, built = static_cast<int>(built_.size());
    if (id >= built) {
      stations_.push_back({false, spares_[at(id - built)].node, stations_.back().link, false});
    } else if (const Station& st = built_[at(id)]; !st.wheel && node(st.index).rover >= 0) {
      stations_.push_back({false, st.index, stations_.back().link, false});
      nodes_[at(st.index)].place = Place::free;
    } else {
      stations_.push_back(st);
    }
    if (!stations_.back().wheel) nodes_[at(stations_.back().index)].at0 = k;
  }
  for (Pad& pad : pads_) pad.first = node(pad.node).at0;
  segments_.clear();
  for (int k = 0; k + (closed_ ? 0 : 1) < stationCount(); ++k) {
    Segment g;
    g.from = k;
    g.to = (k + 1) % stationCount();
    g.chart = sharedChart(station(k), station(g.to));
    // No strand is pushed. What lies on a round body that came by is not either, and where a free node was taken out
    // the strand may be loose (strand_rovers.cpp).
    g.unilateral = g.chart < 0 || node(station(k).index).spare >= 0 || gripsAtEnds(node(station(k).index));
    segments_.push_back(g);
  }
  if (closed_) segments_.back().around = length_;
}

void StrandContact::topology(const State& state, Topology& out) const {
  if (!touches_) return;
  const double* const first = state.memory.data() + element_->memory + order_;
  out.order.insert(out.order.end(), first, first + room_ + numbersIn<SpareMemory> * static_cast<int>(spares_.size()));
  for (const Spare& spare : spares_) {
    const Role role = roleOf(state, spare);
    const bool arc = role == Role::arcStart || role == Role::arcEnd;
    out.awake.push_back({spare.line, role == Role::held});
    out.awake.push_back({spare.surface, arc || role == Role::edge || role == Role::beside});
    out.awake.push_back({spare.place, role == Role::free});
    out.awake.push_back({spare.flow, role != Role::waiting && role != Role::free});
  }
  const auto order = orderOf(state);
  for (const int rover : rovers_) {
    const int id = node(rover).rover + 1;
    out.awake.push_back({node(rover).block, std::find(order.begin(), order.end(), id) != order.end()});
  }
}

/// Takes what rows had in their slots along to the new order. `was`: by station the one it was; −1 − k: it is new, and
/// cut off the segment that began at k.
void StrandContact::moveSlots(State& state, const std::vector<int>& was) const {
  const State old = state;
  for (std::size_t k = 0; k < was.size(); ++k) {
    const int to = static_cast<int>(k), from = was[k] < 0 ? -1 - was[k] : was[k];
    const auto copy = [&](int target, int source) {
      state.force[at(target)] = old.force[at(source)];
      state.mode[at(target)] = old.mode[at(source)];
    };
    copy(lengthSlot(to), lengthSlot(from));
    copy(stopSlot(to), stopSlot(from));
    restLength(state, to) = restLength(old, from);
    if (was[k] >= 0) {
      copy(frictionSlot(to), frictionSlot(from));
      copy(gaugeSlot(to), gaugeSlot(from));
      for (int j = 0; j < 3; ++j) copy(bendSlot(to) + j, bendSlot(from) + j);
      continue;
    }
    for (const int slot : {frictionSlot(to), gaugeSlot(to), bendSlot(to), bendSlot(to) + 1, bendSlot(to) + 2}) {
      state.force[at(slot)] = 0.0;
      state.mode[at(slot)] = Mode::free;
    }
  }
}

/// How many stations a state has.
int StrandContact::stationsIn(const State& state) const {
  const auto order = orderOf(state);
  return static_cast<int>(std::find(order.begin(), order.end(), 0) - order.begin());
}

/// Puts a node that waits between a station and the next.
void StrandContact::insertStation(State& state, int after, const Node& node) const {
  const std::span<Whole> order = orderOf(state);
  std::vector<int> was;
  const int count = stationsIn(state);
  for (int k = 0; k < count; ++k) {
    was.push_back(k);
    if (k == after) was.push_back(-1 - k);
  }
  for (std::size_t k = at(count); k > at(after + 1); --k) order[k] = order[k - 1];
  order[at(after + 1)] = idOf(node) + 1;
  moveSlots(state, was);
}

void StrandContact::removeStation(State& state, int st) const {
  const std::span<Whole> order = orderOf(state);
  const int out = station(st).index;
  std::vector<int> was;
  const int count = stationsIn(state);
  for (int k = 0; k < count; ++k)
    if (k != st) was.push_back(k);
  for (std::size_t k = at(st); k + 1 < at(count); ++k) order[k] = order[k + 1];
  order[at(count) - 1] = 0;
  if (node(out).spare >= 0) spareMemory(state, spares_[at(node(out).spare)]) = {};
  dropTouch(state, out);
  moveSlots(state, was);
}

/// A spare that waits takes the place of a free node.
void StrandContact::replaceStation(State& state, int st, const Spare& spare) const {
  orderOf(state)[at(st)] = idOf(node(spare.node)) + 1;
  dropTouch(state, station(st).index);
  for (const int slot : {frictionSlot(st), gaugeSlot(st), bendSlot(st), bendSlot(st) + 1, bendSlot(st) + 2}) {
    state.force[at(slot)] = 0.0;
    state.mode[at(slot)] = Mode::free;
  }
}

}  // namespace reeve
