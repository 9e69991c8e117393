#pragma once
// The stages of the narrow phase. Everything is in the frame of a; gaps are between cores, without their radii, unless
// a comment says otherwise. Internal to src/geometry.
#include "reeve/geometry/collide.h"
#include "reeve/geometry/support.h"

namespace reeve::narrow {

/// A normal (unit, from a to b) and the separation along it.
struct Axis {
  Vec3 normal = Vec3::UnitZ();
  double gap = 0;
};

/// Points of the two cores that face each other; b − a = gap · normal.
struct Witness {
  Vec3 a = Vec3::Zero();
  Vec3 b = Vec3::Zero();
};

/// A separation with the points that attain it, when the stage that found it knows them.
struct Separation {
  Axis axis;
  Witness witness;
  bool hasWitness = false;
};

// --- stages -----------------------------------------------------------------------------------------------------

struct GjkResult {
  bool apart;  ///< false: the cores touch or overlap, and the rest means nothing
  double distance;
  Vec3 normal;
  Witness witness;
};
/// Gilbert, Johnson and Keerthi 1988. Stops early, apart, once the distance is known to exceed `enough`. The distance
/// found is an upper bound, right to a fraction `tolerance` of itself; polytopes end exactly whatever it is.
GjkResult gjk(const Pair& pair, double enough, double tolerance = 1e-13);

/// The least translation that parts two overlapping cores of positive volume together, by growing the Minkowski
/// difference outwards at its face nearest the origin (van den Bergen 2001). Right to about 1e-5 of the scale on curved
/// cores, exact on polytopes. Needs no start from gjk, and is right for touching cores. False when rounding stopped it:
/// the axis is then the best met, not proven.
bool expand(const Pair& pair, Axis& axis);

/// Improves an axis that is nearly right: solves for the normal of the pairs of features (faces, edges, rims, sides,
/// corners) next to it, and keeps the best. Prefers a face normal when it is as good within rounding.
Axis polish(const Pair& pair, const Axis& start);

/// Best separating axis of two polytopes (point, segment, box or hull): the exact gap when it is negative, a lower
/// bound when positive. Returns early once the gap exceeds `enough`.
Axis separatingAxis(const Pair& pair, double enough);
Axis separatingAxisBoxes(const Pair& pair, double enough);

// --- contacts -----------------------------------------------------------------------------------------------------

/// Contacts in the frame of a, on the swollen surfaces.
struct LocalContact {
  Vec3 a;      ///< on a's core
  double gap;  ///< of the cores
  std::uint32_t feature;
};
struct LocalManifold {
  static constexpr int capacity = 2 * maxHullCorners + 16;
  int count = 0;
  std::array<LocalContact, capacity> points;
};

/// Overlap of the two features that face each other along the axis; keeps core gaps below `margin`. Returns whether it
/// attains the separation: a positive one is then the distance, whichever way the axis was found.
bool touchingFeatures(const Pair& pair, const Separation& separation, double margin, LocalManifold& out);

/// Adds the point that attains the separation, where the features missed it (an edge beside the chosen face, a rim
/// between the corners of its polygon).
void addWitness(const Pair& pair, const Separation& separation, double margin, LocalManifold& out);

/// The signed gap of two cores and their contacts with core gaps below `margin`. Stops early once the gap is known to
/// be larger: then it is not exact, and there are no contacts.
Separation touch(const Pair& pair, double margin, LocalManifold& out);

/// Keeps at most `most` points: extremes in fixed directions about the normal, and the deepest.
void thin(LocalManifold& m, const Vec3& normal, int most);

/// Closest points of two segments given as middle ± half.
void closestSegments(const Vec3& ma, const Vec3& ha, const Vec3& mb, const Vec3& hb, Vec3& a, Vec3& b);

// Closed forms, in the frame of a, which is the box or cylinder; b is a point or a segment.
Separation boxPoint(const Vec3& half, const Vec3& p);
Separation boxSegment(const Pair& pair, double enough);
Separation cylinderPoint(const Vec3& half, const Vec3& p);

}  // namespace reeve::narrow
