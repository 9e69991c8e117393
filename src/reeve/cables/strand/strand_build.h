#pragma once
// From a route to a strand. In: what a scene says of a cable and where it is. Out: a strand, or what is wrong with it.
#include <string>

#include "reeve/cables/strand/strand.h"

namespace reeve {

class StrandBuild : public Strand {
 public:
  /// Builds what `site` asks for; `element` is who it is to the rest of the program.
  static std::expected<Strand, Problem> make(const CableSite& site, const Element& element);

 protected:
  /// While it is being built: what will be coordinates is still a place.
  struct Draft {
    std::string path;
    std::vector<Vec3> x;       ///< by node
    std::vector<bool> flows;   ///< by node
    std::vector<Vec2> u;       ///< by node, on its chart
    std::vector<Vec3> v;       ///< by node: start velocity of free ones
    std::vector<bool> slides;  ///< by node: it has parameters of its own
    std::string linkPath(std::size_t link) const { return path + "/route/" + std::to_string(link); }
  };
  std::expected<void, Problem> addLink(const CableSite& site, Draft& draft, std::size_t index);
  std::expected<void, Problem> addWheel(const CableSite& site, Draft& draft, std::size_t index);
  std::expected<void, Problem> addGuide(const CableSite& site, Draft& draft, std::size_t index);
  void addSlide(const CableSite& site, Draft& draft, std::size_t index, const Vec3& point_B, bool last);
  std::expected<void, Problem> addTube(const CableSite& site, Draft& draft, std::size_t index);
  /// The strand a link rides on; `ridden` becomes the node it names, counted along that strand, or −1.
  std::expected<const Strand*, Problem> hostOf(const CableSite& site, std::size_t index, const std::string& cablePath,
                                               int& ridden) const;
  void addGuideNode(const CableSite& site, Draft& draft, std::size_t index, int chart, const std::vector<double>& place,
                    bool leaves);
  static std::expected<void, Problem> checkPath(const std::vector<Vec3>& points, const std::string& path);
  Vec3 onGround(const Instant& now, const Ground& ground, const Vec2& u) const;
  std::expected<void, Problem> addBetween(const CableSite& site, Draft& draft, std::size_t index, const Strand& host,
                                          int ridden);
  std::expected<void, Problem> addRide(const CableSite& site, Draft& draft, std::size_t index);
  std::expected<void, Problem> finishBuilding(const CableSite& site, Draft& draft);
  SpanLink draftLink(const Instant& now, const Draft& draft, const Station& st) const;
  bool startsOff(const Station& st) const;
  void placeLifted(Draft& draft) const;
  void moveToTangent(const Instant& now, Draft& draft, std::size_t k, std::size_t other) const;
  void ringsAreNotTangent(Draft& draft);
  void moveToTangents(const Instant& now, Draft& draft) const;
  /// The station outside the guide whose span a node must be tangent to, or −1.
  int outsideOf(std::size_t k) const;
  std::expected<void, Problem> checkTangents(const Instant& now, const Draft& draft) const;
  std::expected<void, Problem> checkWinding(const Instant& now, const Draft& draft) const;
  double cosineOntoGuide(const Instant& now, const Draft& draft, std::size_t k) const;
  std::string howToWind(const Instant& now, const Draft& draft, std::size_t k) const;
  std::expected<double, Problem> addFreeNodes(const Instant& now, Draft& draft);
  std::expected<void, Problem> placePads(const Draft& draft);
  double draftLength(const Instant& now, const Draft& draft, const Segment& g, double free);
  std::expected<void, Problem> measure(const Instant& now, const Draft& draft, double free);
  void closeWraps();
  double storedOn(int st) const;
  void closeDrum(const Wheel& w, WheelMemory& kept, double stored) const;
  void makeDrums();
  void makeCoordinates(const CableSite& site, const Draft& draft);
  void makeSlides();
  std::expected<void, Problem> addFeatures(const CableSite& site, const Draft& draft);
  void addFeature(int block, const Shape& shape);
  void makeSpares(const CableSite& site);
  std::expected<void, Problem> checkClear(const CableSite& site, const Draft& draft) const;
  void makeEnds();
  bool rolls(int st) const;
  void addSheave(int st, Tackle& t) const;
  void makeTackles();
  std::expected<void, Problem> makeTwist(const Instant& now, const Draft& draft);
};

}  // namespace reeve
