#pragma once
// The order in which the nodes of a saddle-point matrix [A -Jᵀ; -J -E] are eliminated, and the pattern of the factor.
//
// Minimum degree on the quotient graph (Amestoy, Davis and Duff, "An approximate minimum degree ordering algorithm",
// 1996, without supervariables), with the choice of pivot restricted so that a pivot block exists and is large:
//
//  - A row waits for its coordinates: its pivot is then the whole -(J A⁻¹ Jᵀ + E).
//  - Except for hubs. A hub (a coordinate with very many rows, such as a beam with a thousand sheaves) eliminated early
//    would couple all its rows; it goes after everything else, and its rows are carried by their other coordinates.
//  - Those may be too few: a cable over n rotors has n + 1 spans. Each eliminated part (*element*) therefore counts its
//    coordinates less its rows. A row that finds nothing left reserves a coordinate it can still reach, normally a hub,
//    and waits for it: "one span row last". When no such coordinate has room the row is taken as it is: it is
//    redundant, or it carries itself by its compliance.
//  - Nodes found to be bad pivots by their values are *delayed*. A delayed coordinate (almost massless, more rows than
//    it can carry) waits until its rows have been carried by others; a delayed row waits for every coordinate in reach.
#include <cstdint>
#include <span>
#include <vector>

#include "reeve/math/at.h"

namespace reeve {

/// What a node of the matrix is, for the choice of elimination order only. A coordinate has a positive definite
/// diagonal block; a row (a group of constraint rows) may have a zero one until its coordinates are eliminated.
/// A light coordinate has next to no mass: it goes after the rows it takes part in, which others must carry.
enum class NodeKind : std::uint8_t { coordinate, row, light };

/// The neighbours of node i are neighbour[start[i]] to neighbour[start[i + 1] - 1], without i.
struct NodeGraph {
  std::span<const int> size;
  std::span<const NodeKind> kind;
  std::span<const std::uint8_t> delayed;
  std::span<const int> start;
  std::span<const int> neighbour;
};

class EliminationOrder {
 public:
  /// Deterministic; near linear in the size of the factor. Allocates only while the problem grows.
  /// Gives up and returns false when the factor gets more off-diagonal blocks than the limit, if that is not negative.
  bool compute(const NodeGraph& graph, std::int64_t limit = -1);

  /// The node eliminated at each position.
  std::span<const int> order() const { return order_; }
  /// Inverse of order().
  std::span<const int> position() const { return position_; }
  /// Positions > k of the nodes coupled with position k when it is eliminated, ascending.
  std::span<const int> column(int k) const;
  /// Whether node i is a coordinate with very many rows.
  bool isHub(int i) const { return node_[static_cast<std::size_t>(i)].hub; }

 private:
  enum class State : std::uint8_t { waiting, ready, element, absorbed };
  // The stages only ever add freedom: hubs may go, then delayed coordinates, then every row.
  enum class Stage : std::uint8_t { inner, hubs, coordinates, everything };

  struct Node {
    int begin = 0;       // of its list: first live neighbours, then live elements
    int neighbours = 0;  // how many of each
    int elements = 0;
    int degree = 0;                // approximate, in scalars, hubs left out while they wait
    int next = -1, previous = -1;  // in its bucket
    int openStrict = 0;            // row: coordinates of its own that must go before it
    int openLoose = 0;             // row: hubs and delayed coordinates of its own
    int openRows = 0;              // delayed row: undelayed rows coupled with it directly
    int carried = 0;               // delayed coordinate: scalars of its rows that have gone
    int reserved = -1;             // row: the coordinate it waits for
    int room = 0;                  // coordinate: scalars not yet reserved
    int stamp = 0;
    State state = State::waiting;
    bool hub = false;
  };
  struct Element {
    int begin = 0, end = 0;  // its variables in pool_
    int weight = 0;          // their scalars, hubs left out while they wait
    int coordinates = 0;     // how many of its variables are coordinates
    int surplus = 0;         // coordinates eliminated less rows eliminated, in scalars
    int outside = 0;         // scalars not in the pivot's list, valid for outsideStamp
    int outsideStamp = 0;
  };

  bool isRow(int i) const;
  bool isCounted(int i) const;
  int surplus(int i) const;
  bool mayGo(int i);
  bool coordinateInReach(int i) const;
  bool reserve(int i);
  void place(int i);
  void unplace(int i);
  int takeNext();
  void prepare();
  void enter(Stage stage);
  void attachHubs();
  void eliminate(int p);
  void gather(int p);
  void releaseNeighbours(int p);
  void updateNode(int i, int p);
  void postorder();
  void sortColumns();

  NodeGraph graph_;
  Stage stage_ = Stage::inner;
  std::vector<Node> node_;
  std::vector<Element> element_;
  std::vector<int> list_, pool_, hubs_, hubList_;
  std::vector<int> bucket_;
  std::vector<int> child_, sibling_, parent_;
  int lowest_ = 0;
  int stamp_ = 0;
  std::vector<int> order_, position_;
};

}  // namespace reeve
