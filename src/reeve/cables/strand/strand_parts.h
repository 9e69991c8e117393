#pragma once
// The parts of a strand: stations, segments and what they lie on, where its memory and its multipliers are, and ways to
// walk along it. It knows no motion.
#include "reeve/cables/strand/strand_page.h"
#include "reeve/cables/strand/strand_state.h"

namespace reeve {

/// s: of one step.
inline double stepOf(const Instant& now) {
  const Settings& settings = now.model().description.settings;
  return settings.dt / settings.substeps;
}

class StrandParts : public StrandNow {
 public:
  bool touches() const { return touches_; }
  std::span<const double> startMemory() const { return startMemory_; }
  const CableSettings& settings() const { return settings_; }
  int nodeCount() const { return static_cast<int>(nodes_.size()); }
  double length() const { return length_; }
  const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }
  const Wheel& wheel(int i) const { return wheels_[static_cast<std::size_t>(i)]; }
  const Station& station(int i) const { return stations_[static_cast<std::size_t>(i)]; }
  int stationCount() const { return static_cast<int>(stations_.size()); }
  int segmentCount() const { return static_cast<int>(segments_.size()); }
  bool hasSpares() const { return !spares_.empty(); }
  /// Whether a free end may slip out of one of its holes.
  bool losesEnds() const;
  const Segment& segment(int i) const { return segments_[static_cast<std::size_t>(i)]; }

 protected:
  int wheelCount() const { return static_cast<int>(wheels_.size()); }
  int slideCount() const { return static_cast<int>(slides_.size()); }
  int segmentBefore(int st) const { return st > 0 ? st - 1 : closed_ ? segmentCount() - 1 : -1; }
  int segmentAfter(int st) const { return st < segmentCount() ? st : -1; }
  bool turns(const Segment& g) const { return station(g.from).wheel || station(g.to).wheel; }
  int sharedChart(const Station& a, const Station& b) const;
  /// Whether friction along a guide acts where the strand comes on and where it leaves, not in the middle.
  bool gripsAtEnds(const Node& n) const;
  bool freeNode(int st) const {
    return !station(st).wheel && node(station(st).index).kept >= 0 && node(station(st).index).spare < 0;
  }
  /// m: a trial of the solver may take a segment for less than nothing, whose mass would be negative.
  double floorRest() const { return 0.1 * nearest_; }
  double nearestOf(const Segment& g) const;
  template <class T, class Memory>
  auto& remembered(Memory& numbers, int first) const {
    return overlay<T>(numbers, element_->memory + first);
  }
  template <class Kept>
  auto& wheelMemory(Kept& state, int wheel) const {
    return remembered<WheelMemory>(state.memory, wheel * numbersIn<WheelMemory>);
  }
  /// Rest length of a straight segment with a wheel at an end, at the start of the step: differences of s itself would
  /// round as the strand grows long.
  template <class Kept>
  auto& restLength(Kept& state, int segment) const {
    return remembered<double>(state.memory, restsFrom() + segment);
  }
  template <class Kept>
  auto& drumMemory(Kept& state, const Wheel& w) const {
    return remembered<DrumMemory>(state.memory, w.kept);
  }
  /// The angle of the place a drum's end is fixed to.
  template <class Memory>
  static auto& anchorOf(Memory& kept, const Wheel& w) {
    return w.winds ? kept.entryAngle : kept.exitAngle;
  }
  template <class Kept>
  auto& partedMemory(Kept& state, int segment) const {
    return remembered<PartedMemory>(state.memory, breaks_ + segment * numbersIn<PartedMemory>);
  }
  bool parted(const State& state, int segment) const { return breaks_ >= 0 && partedMemory(state, segment).parted; }
  /// Nothing pulls at a station between two segments that have parted.
  bool idle(const State& state, int st) const {
    const int before = segmentBefore(st), after = segmentAfter(st);
    return breaks_ >= 0 && before >= 0 && after >= 0 && parted(state, before) && parted(state, after);
  }
  /// m that have been paid out at the first end.
  template <class Kept>
  auto& paidOf(Kept& state) const {
    return remembered<double>(state.memory, paid_);
  }
  /// Momentum of the coordinate that is told there, kg m/s, at the end of the last step.
  template <class Kept>
  auto& payMomentumOf(Kept& state) const {
    return remembered<double>(state.memory, paid_ + 1);
  }
  int restsFrom() const { return wheelCount() * numbersIn<WheelMemory>; }
  template <class Kept>
  auto& spareMemory(Kept& state, const Spare& spare) const {
    return remembered<SpareMemory>(state.memory, spare.kept);
  }
  template <class Kept>
  auto& touchMemory(Kept& state, const Node& n) const {
    return remembered<TouchMemory>(state.memory, n.touch);
  }
  /// Material coordinate of a free Lagrangian node.
  template <class Kept>
  auto& materialOf(Kept& state, const Node& n) const {
    return remembered<double>(state.memory, n.kept);
  }
  /// Whether a free end has slipped out of this hole.
  template <class Kept>
  auto& goneFrom(Kept& state, const Node& n) const {
    return remembered<Flag>(state.memory, n.gone);
  }
  /// Whether the strand is off this surface.
  template <class Kept>
  auto& offPad(Kept& state, const Pad& pad) const {
    return remembered<Flag>(state.memory, pad.kept);
  }
  /// The segment a hole slides along; -1: it has left the strand.
  template <class Kept>
  auto& segmentOf(Kept& state, const Slide& slide) const {
    return remembered<Whole>(state.memory, slide.kept);
  }
  /// The angle of its twist, rad: whole turns count.
  template <class Kept>
  auto& twistOf(Kept& state) const {
    return remembered<double>(state.memory, twist_.kept);
  }
  /// Whether it has gone through a candidate.
  template <class Kept>
  auto& goneThrough(Kept& state) const {
    return remembered<Flag>(state.memory, lost_);
  }
  /// The order of its stations: 1 + which comes next, built ones first, then spares; 0 after the last.
  template <class Kept>
  auto orderOf(Kept& state) const {
    return overlays<Whole>(state.memory, element_->memory + order_, room_);
  }
  Role roleOf(const State& state, const Spare& spare) const {
    return static_cast<Role>(static_cast<int>(spareMemory(state, spare).role));
  }
  int lengthSlot(int segment) const { return element_->slot + segment; }
  /// Slots are for as many stations as there may be.
  int room() const { return room_; }
  int frictionSlot(int st) const { return element_->slot + room() + st; }
  /// Where every wheel rolls and nothing else is on the way, there is no friction and no tangency.
  int sideRoom() const { return rollsOnly_ ? 0 : room_; }
  int gaugeSlot(int st) const { return element_->slot + room() + sideRoom() + st; }
  int bendSlot(int st) const { return element_->slot + room() + 2 * sideRoom() + 3 * st; }
  /// Where nothing bends and nothing lies on a chart, nobody asks for these: over wheels every slot counts.
  int bendRoom() const { return settings_.material.bending > 0.0 || !grounds_.empty() ? 3 : 0; }
  int stopSlot(int segment) const { return bendSlot(0) + bendRoom() * room() + segment; }
  int slideSlot(int slide) const { return stopSlot(room()) + 2 * slide; }
  int twistSlot() const { return slideSlot(slideCount()); }
  int touchSlot(int node) const { return twistSlot() + 1 + node; }
  /// Stations of wheels, and segments: all, or (`tackled`) those that are not inside a tackle.
  template <class Visit>
  void everyWheel(bool tackled, Visit&& visit) const {
    for (const int i : outside_)
      if (tackled && !reeved_[static_cast<std::size_t>(i)]) visit(wheelStation_[static_cast<std::size_t>(i)]);
    for (int st = 0; !tackled && st < stationCount(); ++st)
      if (station(st).wheel) visit(st);
  }
  template <class Visit>
  void everyStation(bool tackled, Visit&& visit) const {
    for (int st = 0; !tackled && st < stationCount(); ++st) visit(st);
    if (!tackled) return;
    for (const int st : freeStations_) visit(st);
  }
  template <class Visit>
  void everySegment(bool tackled, Visit&& visit) const {
    for (int i = 0; !tackled && i < segmentCount(); ++i) visit(i);
    if (!tackled) return;
    for (const int i : freeSpans_) visit(i);
  }
  /// Calls visit(tackle, as it is now) for all of them, where they are seen as such.
  template <class Visit>
  void everyTackle(const Page& page, Visit&& visit) const {
    for (std::size_t k = 0; page.tackled && k < tackles_.size(); ++k) visit(tackles_[k], page.tackles[k]);
  }
  // What candidates change in the course of a run follows from this strand's memory; arrange() writes it. Without
  // candidates it stays as it was built.
  const Element* element_ = nullptr;
  CableSettings settings_;
  std::vector<Node> nodes_;
  std::vector<Wheel> wheels_;
  std::vector<Ground> grounds_;
  std::vector<Pad> pads_;
  std::vector<Feature> features_;
  std::vector<Solid> solids_;
  std::vector<Spare> spares_;
  std::vector<int> rovers_;  ///< free nodes of a strand with candidates, by node
  std::vector<Slide> slides_;
  Twist twist_;
  std::vector<Station> stations_;
  std::vector<Segment> segments_;
  std::vector<Station> built_;     ///< stations at the start
  std::vector<double> arranged_;   ///< the memory the present order was made from
  std::vector<LinkMount> mounts_;  ///< by link of the route
  std::vector<double> startMemory_;
  double density_ = 0.0;  ///< kg/m
  double length_ = 0.0;   ///< m, of all its material
  double finest_ = 0.0;   ///< m: free nodes nearer to the next one are put elsewhere
  double spacing_ = 0.0;  ///< m: of free nodes at the start
  double nearest_ = 0.0;  ///< m: no segment gets shorter, its ends stop
  int room_ = 0;          ///< most stations there may be
  std::vector<Tackle> tackles_;
  std::vector<int> wheelStation_;  ///< by wheel
  std::vector<char> reeved_;       ///< by wheel: part of a tackle
  std::vector<int> outside_;       ///< wheels that are not inside of one
  std::vector<int> freeStations_;  ///< stations that are in none
  std::vector<int> freeSpans_;     ///< segments that are not
  int order_ = 0;    ///< in this strand's memory: 1 + which station comes next, built ones first, then spares
  int lost_ = -1;    ///< in this strand's memory: 1 once it has gone through a candidate
  int paid_ = -1;    ///< in this strand's memory: what was paid out
  int breaks_ = -1;  ///< in this strand's memory: which segments have parted
  bool closed_ = false;
  bool rollsOnly_ = false;
  bool touches_ = false;  ///< free nodes come against candidates
};

}  // namespace reeve
