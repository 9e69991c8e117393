#pragma once
// How one declaration of a field serves reading, writing, comparing, checking, the schema and the documentation.
//
//   Form    what values of a C++ type look like in JSON (number, list of three, one of some words, ...)
//   Field   a member of a struct: its key, its Form, what it measures, what it may be, where it applies, what it means
//   Record  the fields of a struct, and the member that says which of them apply (`type`, `drive`, `motion`)
//
// The records of all structs of description.h stand in fields.cpp, one table each.
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reeve/model/description.h"
#include "reeve/model/problem.h"
#include "reeve/scene/expression.h"
#include "reeve/scene/json.h"
#include "reeve/scene/json_writer.h"
#include "reeve/scene/units.h"

namespace reeve::scene {

/// What a number may be. Beyond 1e40, and below 1e-40 for what must be positive, squares and inverses leave the range
/// of a double, and no physical quantity is there.
inline constexpr double largest = 1e40, smallest = 1e-40;

struct Range {
  std::string_view words;  ///< "positive"
  double low = -largest, high = largest;
  bool infinite = false;   ///< "inf" or "-inf" is allowed, on the side that has no bound
  bool direction = false;  ///< a vector that is not zero; read as a unit vector
};
inline constexpr Range freely{""};
inline constexpr Range positive{"positive", smallest};
inline constexpr Range nonNegative{"not negative", 0.0};
inline constexpr Range fraction{"from 0 to 1", 0.0, 1.0};
inline constexpr Range freelyOrInf{"", -largest, largest, true};
inline constexpr Range positiveOrInf{"positive or \"inf\"", smallest, largest, true};
inline constexpr Range nonNegativeOrInf{"not negative, or \"inf\"", 0.0, largest, true};
inline constexpr Range direction{"not zero; any length", -largest, largest, false, true};

/// What a Form knows of the field it serves.
struct Spec {
  const Dimension* dimension = &dimension::none;
  Range range = freely;
  std::size_t atLeast = 0;  ///< elements of a list
  bool timed = false;       ///< pairs of (time, value)
};

/// A place in a scene, and the problems met.
struct Trail {
  static constexpr std::size_t most = 20;  ///< problems; who has more has another kind of file
  std::string path;
  Problem problem;               ///< the first
  std::vector<Problem> further;  ///< after the first
  bool failed = false;

  bool full() const { return further.size() + 1 >= most; }
  std::size_t problems() const { return failed ? further.size() + 1 : 0; }
  /// One more remedy for the last problem.
  void advise(const std::string& remedy) {
    std::string& last = further.empty() ? problem.remedy : further.back().remedy;
    if (failed && !remedy.empty()) last += (last.empty() ? "" : "; ") + remedy;
  }

  /// Always false, so that a check can end with it.
  bool fail(std::string reason, std::string remedy = "") { return fail({}, std::move(reason), std::move(remedy)); }
  bool fail(json::Place place, std::string reason, std::string remedy) {
    if (failed && full()) return false;
    Problem now{path, std::move(reason), std::move(remedy), place.line, place.column};
    if (failed)
      further.push_back(std::move(now));
    else
      problem = std::move(now);
    failed = true;
    return false;
  }
};

/// Goes one level down for as long as it lives.
class Step {
 public:
  Step(Trail& trail, std::string_view key) : trail_(trail), size_(trail.path.size()) { (trail.path += '/') += key; }
  Step(Trail& trail, std::size_t index) : Step(trail, std::to_string(index)) {}
  ~Step() { trail_.path.resize(size_); }
  Step(const Step&) = delete;

 private:
  Trail& trail_;
  std::size_t size_;
};

/// What the placeholders among the dimensions stand for where the reader is.
struct Surroundings {
  enum class Coordinate { unknown, turning, sliding } coordinate = Coordinate::unknown;
  const Dimension* profile = &dimension::anything;
};

struct Reader : Trail {
  const Description* scene = nullptr;  ///< as far as it has been read
  Surroundings around;
  std::span<const Parameter> parameters;                                           ///< that expressions may use
  std::vector<std::pair<std::string_view, Surroundings::Coordinate>> coordinates;  ///< of joints and rotors, sorted

  using Trail::fail;
  bool fail(const json::Value& at, std::string reason, std::string remedy = "") {
    return fail(at.place(), std::move(reason), std::move(remedy));
  }
};

class Form {
 public:
  virtual ~Form() = default;
  virtual bool read(Reader& reader, const json::Value& value, const Spec& spec, void* out) const = 0;
  virtual void write(JsonWriter& writer, const void* value) const = 0;
  virtual bool equal(const void* a, const void* b) const = 0;
  virtual void copy(const void* from, void* to) const = 0;
  /// Whether the value is one a scene may have: finite, in range, long enough.
  virtual bool check(Trail& trail, const Spec& spec, const void* value) const = 0;
  /// Members of the JSON Schema of such a value, into an object that is open.
  virtual void schema(JsonWriter& writer, const Spec& spec) const = 0;
  /// Type and unit for the documentation, "3 numbers, m".
  virtual std::string words(const Spec& spec) const = 0;
  /// Fits on a line.
  virtual bool brief() const { return true; }
};

struct Field {
  std::string_view key;
  const Form* form;
  const void* (*member)(const void* object);
  std::string_view about;
  Spec spec = {};
  unsigned kinds = ~0u;  ///< bit k: applies to kind k of the record
  unsigned needed = 0;   ///< bit k: must be given for kind k
  bool implied = false;  ///< stands for nothing in the description: the format version

  /// The kinds that have this field; to others it is an error.
  template <class... Kinds>
  Field& on(Kinds... which) {
    kinds = (0u | ... | (1u << static_cast<unsigned>(which)));
    return *this;
  }
  /// Must be given; for some kinds only, if any are named. Does not change which kinds have it.
  template <class... Kinds>
  Field& need(Kinds... which) {
    needed = sizeof...(which) == 0 ? ~0u : (0u | ... | (1u << static_cast<unsigned>(which)));
    return *this;
  }
  Field& atLeast(std::size_t count) {
    spec.atLeast = count;
    return *this;
  }
  Field& pairsWithTime() {
    spec.timed = true;
    return *this;
  }
  const void* of(const void* object) const { return member(object); }
  void* of(void* object) const { return const_cast<void*>(member(object)); }
};

/// The member of a struct that says which of its fields apply.
struct Discriminator {
  std::string_view key;
  std::span<const std::string_view> words;
  unsigned (*get)(const void* object) = nullptr;
  void (*copy)(const void* from, void* to) = nullptr;
};

struct Record {
  std::string_view name;  ///< "shape"
  std::string_view about;
  std::vector<Field> fields;
  bool oneLine = false;
  bool repeats = false;     ///< may carry `repeat`: it stands in a list or has a name
  std::size_t leading = 0;  ///< this many fields are read before the others, and before the two functions are called
  Discriminator kind = {};
  void (*prepare)(void* object) = nullptr;                      ///< sets defaults that depend on the kind
  void (*enter)(Reader& reader, const void* object) = nullptr;  ///< sets the surroundings of the other fields

  unsigned kindBit(const void* object) const { return kind.get ? 1u << kind.get(object) : 1u; }
  std::string kindName(const void* object) const;
  std::vector<std::string_view> keys() const;
  /// The kinds in `bits` by name, "sphere, capsule".
  std::string kindNames(unsigned bits) const;
};

bool readRecord(Reader& reader, const Record& record, const json::Value& value, void* object);
/// Writes what differs from `standard`, which is a default object; its kind is set here.
void writeRecord(JsonWriter& writer, const Record& record, const void* object, void* standard);
bool equalRecords(const Record& record, const void* a, const void* b);
bool checkRecord(Trail& trail, const Record& record, const void* object);
void recordSchema(JsonWriter& writer, const Record& record, void* standard);

/// Why this cannot name a body or a joint; empty if it can.
std::string nameTrouble(std::string_view name);

/// Reads a number or a quantity with a unit that fits `dimension` here.
bool readNumber(Reader& reader, const json::Value& value, const Spec& spec, const Dimension& dimension, double& out);
bool checkNumber(Trail& trail, const Spec& spec, double value);
void numberSchema(JsonWriter& writer, const Spec& spec);
void writeNumber(JsonWriter& writer, double value);
/// ", m" or nothing.
std::string unitWords(const Dimension& dimension);

}  // namespace reeve::scene
