#include "reeve/linear/elimination_order.h"

#include <algorithm>

namespace reeve {

namespace {

constexpr int hubRows = 24;        // a coordinate with more row neighbours than this is a hub
constexpr int bucketLimit = 4096;  // degrees beyond share one bucket

}  // namespace

std::span<const int> EliminationOrder::column(int k) const {
  const Element& e = element_[at(order_[at(k)])];
  return {pool_.data() + e.begin, at(e.end - e.begin)};
}

bool EliminationOrder::isRow(int i) const { return graph_.kind[at(i)] == NodeKind::row; }

bool EliminationOrder::isCounted(int i) const { return stage_ != Stage::inner || !node_[at(i)].hub; }

// Scalars of eliminated coordinates next to i that no eliminated row uses.
int EliminationOrder::surplus(int i) const {
  const Node& n = node_[at(i)];
  int sum = 0;
  const int begin = n.begin + n.neighbours;
  for (int k = begin; k < begin + n.elements; ++k) sum += element_[at(list_[at(k)])].surplus;
  return sum;
}

bool EliminationOrder::coordinateInReach(int i) const {
  const Node& n = node_[at(i)];
  if (n.openStrict + n.openLoose > 0) return true;
  const int begin = n.begin + n.neighbours;
  for (int k = begin; k < begin + n.elements; ++k)
    if (element_[at(list_[at(k)])].coordinates > 0) return true;
  return false;
}

// Finds a coordinate in reach that still has room for row i.
bool EliminationOrder::reserve(int i) {
  Node& n = node_[at(i)];
  const int size = graph_.size[at(i)];
  const auto tryIt = [&](int c) {
    Node& coordinate = node_[at(c)];
    if (isRow(c) || coordinate.state > State::ready || coordinate.room < size) return false;
    coordinate.room -= size;
    n.reserved = c;
    return true;
  };
  for (int k = n.begin; k < n.begin + n.neighbours; ++k)
    if (tryIt(list_[at(k)])) return true;
  const int begin = n.begin + n.neighbours;
  for (int k = begin; k < begin + n.elements; ++k) {
    const Element& e = element_[at(list_[at(k)])];
    if (e.coordinates == 0) continue;
    for (int v = e.begin; v < e.end; ++v)
      if (tryIt(pool_[at(v)])) return true;
  }
  return false;
}

bool EliminationOrder::mayGo(int i) {
  Node& n = node_[at(i)];
  const bool delayed = graph_.delayed[at(i)] != 0;
  if (stage_ == Stage::everything) return true;
  if (!isRow(i)) {
    if (stage_ == Stage::coordinates) return true;
    if (n.hub && stage_ == Stage::inner) return false;
    return !delayed || n.carried >= graph_.size[at(i)];
  }
  if (n.openStrict > 0) return false;
  if (delayed) return n.openRows == 0 && !coordinateInReach(i);
  if (surplus(i) >= graph_.size[at(i)]) return true;
  if (n.reserved >= 0 && node_[at(n.reserved)].state <= State::ready) return false;
  if (n.reserved < 0 && reserve(i)) return false;
  // Nothing can carry this row better later on. Without any coordinate behind it, it waits for the ones it has.
  return n.elements > 0 || n.openLoose == 0;
}

void EliminationOrder::place(int i) {
  Node& n = node_[at(i)];
  const int b = std::min(n.degree, bucketLimit);
  n.state = State::ready;
  n.previous = -1;
  n.next = bucket_[at(b)];
  if (n.next >= 0) node_[at(n.next)].previous = i;
  bucket_[at(b)] = i;
  lowest_ = std::min(lowest_, b);
}

void EliminationOrder::unplace(int i) {
  Node& n = node_[at(i)];
  if (n.state != State::ready) return;
  n.state = State::waiting;
  if (n.next >= 0) node_[at(n.next)].previous = n.previous;
  if (n.previous >= 0)
    node_[at(n.previous)].next = n.next;
  else
    bucket_[at(std::min(n.degree, bucketLimit))] = n.next;
}

int EliminationOrder::takeNext() {
  for (; lowest_ <= bucketLimit; ++lowest_) {
    const int i = bucket_[at(lowest_)];
    if (i < 0) continue;
    unplace(i);
    return i;
  }
  return -1;
}

void EliminationOrder::prepare() {
  const int n = static_cast<int>(graph_.size.size());
  node_.assign(at(n), Node{});
  element_.assign(at(n), Element{});
  list_.assign(graph_.neighbour.begin(), graph_.neighbour.end());
  pool_.clear();
  hubs_.clear();
  bucket_.assign(at(bucketLimit + 1), -1);
  order_.clear();
  position_.assign(at(n), -1);
  parent_.resize(at(n));
  lowest_ = 0;
  stamp_ = 0;
  for (int i = 0; i < n; ++i) {
    Node& node = node_[at(i)];
    node.begin = graph_.start[at(i)];
    node.neighbours = graph_.start[at(i + 1)] - node.begin;
    if (isRow(i)) continue;
    node.room = graph_.size[at(i)];
    int rows = 0;
    for (int k = node.begin; k < node.begin + node.neighbours; ++k) rows += isRow(list_[at(k)]) ? 1 : 0;
    node.hub = rows > hubRows;
    if (node.hub) hubs_.push_back(i);
  }
  for (int i = 0; i < n; ++i) {
    if (!isRow(i)) continue;
    Node& node = node_[at(i)];
    for (int k = node.begin; k < node.begin + node.neighbours; ++k) {
      const int v = list_[at(k)];
      if (isRow(v))
        node.openRows += graph_.delayed[at(v)] ? 0 : 1;
      else if (node_[at(v)].hub || graph_.delayed[at(v)])
        ++node.openLoose;
      else
        ++node.openStrict;
    }
  }
}

// Puts every node that may go at this stage into its bucket. Backwards, so that equal degrees go in node order.
void EliminationOrder::enter(Stage stage) {
  stage_ = stage;
  if (stage == Stage::hubs && !hubs_.empty()) attachHubs();
  const bool recount = stage == Stage::inner || (stage == Stage::hubs && !hubs_.empty());
  for (int i = static_cast<int>(node_.size()) - 1; i >= 0; --i) {
    Node& n = node_[at(i)];
    if (n.state > State::ready) continue;
    if (recount) {
      n.degree = 0;
      for (int k = n.begin; k < n.begin + n.neighbours; ++k)
        if (isCounted(list_[at(k)])) n.degree += graph_.size[at(list_[at(k)])];
      const int begin = n.begin + n.neighbours;
      for (int k = begin; k < begin + n.elements; ++k)
        n.degree += element_[at(list_[at(k)])].weight - graph_.size[at(i)];
    }
    if (mayGo(i)) place(i);
  }
}

// While they waited, nobody kept the lists of the hubs: makes them from the elements that live now.
void EliminationOrder::attachHubs() {
  hubList_.clear();
  for (const int h : hubs_) node_[at(h)].elements = 0;
  for (int e = 0; e < static_cast<int>(element_.size()); ++e) {
    if (node_[at(e)].state != State::element) continue;
    Element& element = element_[at(e)];
    element.weight = 0;
    for (int v = element.begin; v < element.end; ++v) {
      const int i = pool_[at(v)];
      element.weight += graph_.size[at(i)];
      if (node_[at(i)].hub) ++node_[at(i)].elements;
    }
  }
  // One slot more than entries: the element made by a pivot replaces at least one of them.
  int end = static_cast<int>(list_.size());
  for (const int h : hubs_) {
    Node& hub = node_[at(h)];
    const int first = hub.begin;
    const int count = hub.neighbours;
    hub.begin = end;
    hub.neighbours = 0;
    list_.resize(at(end + count + hub.elements));
    for (int k = first; k < first + count; ++k)
      if (node_[at(list_[at(k)])].state <= State::ready) list_[at(hub.begin + hub.neighbours++)] = list_[at(k)];
    end += count + hub.elements;
    hub.elements = 0;
  }
  for (int e = 0; e < static_cast<int>(element_.size()); ++e) {
    if (node_[at(e)].state != State::element) continue;
    for (int v = element_[at(e)].begin; v < element_[at(e)].end; ++v) {
      Node& hub = node_[at(pool_[at(v)])];
      if (hub.hub) list_[at(hub.begin + hub.neighbours + hub.elements++)] = e;
    }
  }
}

// The variables of the new element p: everything p is coupled with now. Absorbs p's elements.
void EliminationOrder::gather(int p) {
  Node& pivot = node_[at(p)];
  Element& made = element_[at(p)];
  made.begin = static_cast<int>(pool_.size());
  made.surplus = isRow(p) ? -graph_.size[at(p)] : graph_.size[at(p)];
  ++stamp_;
  pivot.stamp = stamp_;
  const auto add = [&](int v) {
    Node& n = node_[at(v)];
    if (n.stamp == stamp_ || n.state > State::ready) return;
    n.stamp = stamp_;
    pool_.push_back(v);
    made.coordinates += isRow(v) ? 0 : 1;
    if (isCounted(v)) made.weight += graph_.size[at(v)];
  };
  for (int k = pivot.begin; k < pivot.begin + pivot.neighbours; ++k) add(list_[at(k)]);
  const int begin = pivot.begin + pivot.neighbours;
  for (int k = begin; k < begin + pivot.elements; ++k) {
    const int e = list_[at(k)];
    for (int v = element_[at(e)].begin; v < element_[at(e)].end; ++v) add(pool_[at(v)]);
    made.surplus += element_[at(e)].surplus;
    node_[at(e)].state = State::absorbed;
  }
  made.end = static_cast<int>(pool_.size());
  pivot.state = State::element;
}

// Tells the original neighbours of p that it has gone.
void EliminationOrder::releaseNeighbours(int p) {
  const bool row = isRow(p);
  const bool loose = node_[at(p)].hub || graph_.delayed[at(p)] != 0;
  for (int k = graph_.start[at(p)]; k < graph_.start[at(p + 1)]; ++k) {
    const int v = graph_.neighbour[at(k)];
    Node& n = node_[at(v)];
    if (row && isRow(v)) n.openRows -= graph_.delayed[at(p)] ? 0 : 1;
    if (row && !isRow(v)) n.carried += graph_.size[at(p)];
    if (!row && isRow(v)) --(loose ? n.openLoose : n.openStrict);
  }
}

// Replaces, in the list of i, whatever the new element p covers; bounds the new degree.
void EliminationOrder::updateNode(int i, int p) {
  Node& n = node_[at(i)];
  unplace(i);
  const Element& made = element_[at(p)];
  const int inPivot = made.weight - graph_.size[at(i)];
  int degree = inPivot;
  int write = n.begin;
  const int firstElement = n.begin + n.neighbours;
  const int end = firstElement + n.elements;
  for (int k = n.begin; k < firstElement; ++k) {
    const int v = list_[at(k)];
    if (node_[at(v)].stamp == stamp_ || node_[at(v)].state > State::ready) continue;
    if (isCounted(v)) degree += graph_.size[at(v)];
    list_[at(write++)] = v;
  }
  n.neighbours = write - n.begin;
  for (int k = firstElement; k < end; ++k) {
    const int e = list_[at(k)];
    if (node_[at(e)].state != State::element) continue;
    degree += element_[at(e)].outside;
    list_[at(write++)] = e;
  }
  list_[at(write++)] = p;
  n.elements = write - n.begin - n.neighbours;
  n.degree = std::min(degree, n.degree + inPivot);
  if (mayGo(i)) place(i);
}

void EliminationOrder::eliminate(int p) {
  order_.push_back(p);
  gather(p);
  releaseNeighbours(p);
  const Element& made = element_[at(p)];
  for (int k = made.begin; k < made.end; ++k) {
    const int i = pool_[at(k)];
    if (!isCounted(i)) continue;
    const Node& n = node_[at(i)];
    const int begin = n.begin + n.neighbours;
    for (int q = begin; q < begin + n.elements; ++q) {
      Element& e = element_[at(list_[at(q)])];
      if (e.outsideStamp != stamp_) {
        e.outsideStamp = stamp_;
        e.outside = e.weight;
      }
      e.outside -= graph_.size[at(i)];
    }
  }
  // Backwards, so that of equal degrees the first listed goes first.
  for (int k = made.end - 1; k >= made.begin; --k)
    if (isCounted(pool_[at(k)])) updateNode(pool_[at(k)], p);
}

// Renumbers so that what is eliminated together lies together: a depth-first walk of the elimination tree, whose fill
// is the same (Liu, "The role of elimination trees in sparse factorization", 1990, section 4).
void EliminationOrder::postorder() {
  const int n = static_cast<int>(order_.size());
  // child_[p] and sibling_[i]: the tree, children in their old order; the roots are the children of n.
  child_.assign(at(n + 1), -1);
  sibling_.assign(at(n), -1);
  for (int k = 0; k < n; ++k) position_[at(order_[at(k)])] = k;
  for (int k = n - 1; k >= 0; --k) {
    const Element& e = element_[at(order_[at(k)])];
    int parent = n;
    for (int v = e.begin; v < e.end; ++v) parent = std::min(parent, position_[at(pool_[at(v)])]);
    sibling_[at(k)] = child_[at(parent)];
    child_[at(parent)] = k;
    parent_[at(k)] = parent;
  }
  list_.clear();
  for (int k = child_[at(n)]; k >= 0;) {
    while (child_[at(k)] >= 0) k = child_[at(k)];
    // Up, until there is a next child to go down to.
    for (;;) {
      list_.push_back(order_[at(k)]);
      if (sibling_[at(k)] >= 0) {
        k = sibling_[at(k)];
        break;
      }
      k = parent_[at(k)];
      if (k == n) {
        k = -1;
        break;
      }
    }
  }
  order_.assign(list_.begin(), list_.end());
}

void EliminationOrder::sortColumns() {
  for (std::size_t k = 0; k < order_.size(); ++k) position_[at(order_[k])] = static_cast<int>(k);
  for (int& v : pool_) v = position_[at(v)];
  for (const Element& e : element_) std::sort(pool_.begin() + e.begin, pool_.begin() + e.end);
}

bool EliminationOrder::compute(const NodeGraph& graph, std::int64_t limit) {
  graph_ = graph;
  prepare();
  for (const Stage stage : {Stage::inner, Stage::hubs, Stage::coordinates, Stage::everything}) {
    if (order_.size() == graph_.size.size()) break;
    enter(stage);
    for (int p = takeNext(); p >= 0; p = takeNext()) {
      eliminate(p);
      if (limit >= 0 && static_cast<std::int64_t>(pool_.size()) > limit) return false;
    }
    lowest_ = 0;
  }
  postorder();
  sortColumns();
  return true;
}

}  // namespace reeve
