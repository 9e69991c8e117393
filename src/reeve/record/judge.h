#pragma once
// Whether what was simulated is physical, and not only finite. Looked at every few steps of a run:
//   row          a rigid row that holds is wrong by more than a share of the scene's size
//   drive        a drive without a limit misses its speed
//   overlap      two bodies are deeper in each other than a share of the thinner one
//   stretch      a cable that cannot stretch is longer than it is
//   passage      a body that a cable could come to lie on has passed it untouched
//   energy       all energy less the work of those who give some (motors, prescribed motion, applied forces: the
//                accounts of model/accounts.h) has risen above its lowest so far, by more than a share of what was
//                turned over, or above that of the start by a tenth of it. Where nothing can take energy: it has been
//                lost, by more than that share, or more than that was lost in steps that missed the tolerance
//   unconverged  too many steps missed the tolerance
// What is seen in one check may be an impact; what is seen in several in a row is reported. A rest length below zero is
// reported at once.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "reeve/model/accounts.h"
#include "reeve/world/observation.h"

namespace reeve::record {

/// How far a run can be believed: as asked; worth checking; probably not what would happen; went bad.
enum class Trust : std::uint8_t { good, note, doubtful, bad };
std::string_view trustName(Trust trust);

/// Something that speaks against a run.
struct Finding {
  enum class Kind : std::uint8_t { row, drive, overlap, stretch, passage, energy, unconverged };
  Kind kind = Kind::row;
  Trust level = Trust::doubtful;
  std::string subject;    ///< "cables.rope"
  std::string reason;     ///< "is 2 m longer than its 2 m: nothing that it holds can give way"
  double time = 0.0;      ///< s, when it was first reported
  double worst = 0.0;     ///< m, rad, m/s, rad/s, J or a share: the most so far
  std::int64_t seen = 0;  ///< in how many checks
};
std::string_view kindName(Finding::Kind kind);
Trust levelOf(const std::vector<Finding>& findings);

class Judge {
 public:
  Judge(const Description& scene, const Observation& start);
  /// `last`: nothing comes after it that could show whether what is seen stays.
  void look(const Observation& now, bool last = false);
  /// After a step without a check, from the total energy, J, and the accounts: it is further above that of the start
  /// than was allowed at the last check, so that lookAgain() is to see whether it stays there.
  bool suspects(double total, const Accounts& accounts) const;
  void lookAgain(const Observation& now) { energy(now, false, true); }
  const std::vector<Finding>& findings() const { return findings_; }

 private:
  struct Streak {
    std::string subject;
    int looks = 0;
  };
  static bool stays(Streak& streak, const std::string& subject, int looks);
  void tell(Finding::Kind kind, const std::string& subject, double worst, double time, const std::string& reason);
  void rows(const Observation& now);
  void drives(const Observation& now);
  void overlaps(const Observation& now);
  void stretches(const Observation& now, bool last);
  void passages(const Observation& now);
  void energy(const Observation& now, bool last, bool again = false);
  void loss(const Observation& now);
  bool bouncesBack(const std::string& collider) const;
  void convergence(const Observation& now, bool last);
  double thicknessOf(const std::string& collider) const;
  bool canMove(const std::string& thing) const;

  /// Steps in a row: in one or two a link may change.
  static constexpr int lastingSteps = 3;
  const Description* scene_;
  DoubtLimits limits_;
  double size_ = 1.0;       ///< m
  bool accounts_ = false;   ///< all work done on the scene is booked
  bool conserves_ = false;  ///< and nothing takes any
  std::int64_t before_ = 0, unconvergedBefore_ = 0;
  double rise_ = 0.0;  ///< above the lowest energy so far, a share of what was turned over
  Streak row_, overlap_, risen_, won_, loss_;
  std::vector<Streak> drive_, stretch_;
  double lowest_ = 0.0, highest_ = 0.0, kinetic_ = 0.0, turned_ = 0.0;  ///< J
  double allowed_ = unbounded;                                          ///< J above the start
  double started_ = 0.0;                                                ///< J, less what was done from outside
  double untaken_ = 0.0;                    ///< J, most so far, with what is booked as taken
  double hidden_ = 0.0;                     ///< J, not counted at the start
  double beginning_ = 0.0;                  ///< J, what the first steps of a motion may be off by
  double restLast_ = 0.0, unsolved_ = 0.0;  ///< J, so at the last look; lost where steps missed the tolerance
  std::int64_t unconvergedLast_ = 0;
  EnergyObservation last_;
  std::vector<Vec3> places_;  ///< of bodies at the last check
  std::vector<Finding> findings_;
};

}  // namespace reeve::record
