#pragma once
// reeve reproduce: the tables and figures of the papers, measured again.
//
// A paper is one file that lists its items; adding one is that file and a line in the table of reproduce.cpp. An item
// says what the paper reports and has a function that measures. Its verdict comes out of the measurement: `pass` and
// `short` where there is a number or a behaviour to compare, `shown` where there is only a picture to look at.
#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "reeve/record/plot.h"
#include "reeve/record/report.h"
#include "reeve/world/world.h"

namespace reeve::command {

/// Collects the drawings of one item; draws nothing when nobody asked for a page.
class Sheet {
 public:
  Sheet(std::string idPrefix, bool wanted, bool timed = true)
      : prefix_(std::move(idPrefix)), wanted_(wanted), timed_(timed) {}
  bool wanted() const { return wanted_; }
  /// Whether times count. If not, it is not worth measuring them again and again.
  bool timed() const { return timed_; }
  void picture(const World& world, const std::string& caption);
  void plot(const std::vector<record::Panel>& panels, const std::string& caption);
  void drawing(std::string svg, const std::string& caption);
  const std::vector<record::ReportPicture>& drawings() const { return drawings_; }

 private:
  std::string nextPrefix() { return prefix_ + "-" + std::to_string(drawings_.size()) + "-"; }
  std::string prefix_;
  bool wanted_, timed_;
  std::vector<record::ReportPicture> drawings_;
};

/// What was measured, in words, and how it compares.
struct Outcome {
  enum Verdict { pass, tooShort, shown };
  std::string reeve;
  Verdict verdict = shown;
  bool fast = true;         ///< what the clock said; with --untimed it does not count
  double timesBelow = 0.0;  ///< another engine's error over ours; 0: not compared
  std::string theirs{};     ///< what that error is
  static Outcome judged(std::string text, bool good) { return {std::move(text), good ? pass : tooShort}; }
  /// Where the time a computation takes is part of what is compared.
  static Outcome timed(std::string text, bool good, bool fast) {
    return {std::move(text), good ? pass : tooShort, fast};
  }
  /// Beside another engine: `good`, and ten times below its error.
  static Outcome below(std::string text, bool good, double theirError, double ours, std::string theirs) {
    Outcome o = judged(std::move(text), good && 10 * ours <= theirError);
    o.timesBelow = theirError / std::max(ours, 1e-300);
    o.theirs = std::move(theirs);
    return o;
  }
  /// For pictures: `alive` is whether there was anything to draw.
  static Outcome drawn(std::string text, bool alive) { return {std::move(text), alive ? shown : tooShort}; }
};

struct Item {
  std::string name;      ///< "fig 12: forces"
  std::string reported;  ///< by the paper
  std::function<Outcome(Sheet&)> measure;
};

struct Paper {
  std::string number;  ///< first three digits of its file, or a name
  std::string title;
  std::vector<Item> items;
};

Paper cableJoints();     // 000
Paper particleCables();  // 001
Paper strands();         // 002
Paper hoistCable();      // 003
Paper rigidChain();      // 004
Paper newtonTendons();   // no paper: another engine's machines

}  // namespace reeve::command
