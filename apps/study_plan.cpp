#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "command.h"
#include "reeve/record/number.h"
#include "reeve/scene/json.h"
#include "reeve/scene/nearest.h"
#include "reeve/scene/units.h"
#include "study.h"

namespace reeve::command {
namespace {

constexpr std::size_t mostRuns = 100000000;

/// Reads values of a plan; what is wrong ends the command with its place.
struct PlanReader {
  std::string file;

  [[noreturn]] void fail(const json::Value& at, const std::string& reason, const std::string& help) const {
    throw Failure(badInput,
                  fmt::format("{}:{}:{}: {}\nhelp: {}", file, at.place().line, at.place().column, reason, help));
  }
  const json::Value& need(const json::Value& in, const char* key, const char* help) const {
    if (const json::Value* found = in.find(key)) return *found;
    fail(in, fmt::format("there is no \"{}\"", key), help);
  }
  void only(const json::Value& in, std::vector<std::string_view> keys) const {
    for (const json::Value& item : in.items())
      if (std::find(keys.begin(), keys.end(), item.key()) == keys.end())
        fail(item, fmt::format("there is no \"{}\" here", item.key()), suggestion(item.key(), keys));
  }
  double number(const json::Value& value) const {
    if (value.kind() == json::Kind::number) return value.number();
    if (value.kind() == json::Kind::string)
      if (const auto quantity = scene::readQuantity(value.text()); quantity && std::isfinite(quantity->value))
        return quantity->value;
    fail(value, "found " + json::describe(value) + ", expected a number", "write 2000 or \"2 t\"");
  }
  std::string text(const json::Value& value) const {
    if (value.kind() == json::Kind::string) return std::string(value.text());
    fail(value, "found " + json::describe(value) + ", expected a text", "write it in double quotes");
  }
  std::size_t whole(const json::Value& value) const {
    const double n = value.number();
    if (value.kind() == json::Kind::number && n >= 1 && n <= static_cast<double>(mostRuns) && n == std::floor(n))
      return static_cast<std::size_t>(n);
    fail(value, "found " + json::describe(value) + ", expected a whole number of 1 or more", "write 10");
  }
};

/// A value of a list as JSON text again: numbers and texts are enough for a study.
std::string jsonText(const PlanReader& reader, const json::Value& value) {
  if (value.kind() == json::Kind::number) return record::shortest(value.number());
  if (value.kind() == json::Kind::boolean) return value.boolean() ? "true" : "false";
  if (value.kind() == json::Kind::string) return std::string(value.text());
  reader.fail(value, "found " + json::describe(value) + ", expected a number, a text, true or false",
              "write 2000 or \"2 t\"");
}

StudyInput readInput(const PlanReader& reader, const json::Value& value) {
  StudyInput input;
  input.path = value.key();
  if (value.kind() == json::Kind::array) {
    for (const json::Value& item : value.items()) input.values.push_back(jsonText(reader, item));
    if (input.values.empty()) reader.fail(value, "this list is empty", "give at least one value");
    return input;
  }
  if (value.kind() != json::Kind::object)
    reader.fail(value, "found " + json::describe(value) + ", expected a range or a list",
                "write {\"from\": 1, \"to\": 2, \"count\": 5} or [1, 1.5, 2]");
  reader.only(value, {"from", "to", "count"});
  input.from = reader.number(reader.need(value, "from", "a range has from and to"));
  input.to = reader.number(reader.need(value, "to", "a range has from and to"));
  input.count = value.find("count") ? reader.whole(*value.find("count")) : 10;
  return input;
}

StudyOutput readOutput(const PlanReader& reader, const json::Value& value) {
  static constexpr std::array<std::string_view, 5> takes{"end", "smallest", "largest", "rms", "mean"};
  StudyOutput output;
  if (value.kind() == json::Kind::string) {
    output.path = output.column = value.text();
    return output;
  }
  if (value.kind() != json::Kind::object)
    reader.fail(value, "found " + json::describe(value) + ", expected an observable",
                "write \"bodies.load.position.z\" or {\"path\": \"cables.rope.tension\", \"take\": \"largest\"}");
  reader.only(value, {"path", "take"});
  output.path = reader.text(reader.need(value, "path", "name an observable, as in \"cables.rope.tension\""));
  const std::string take = value.find("take") ? reader.text(*value.find("take")) : "end";
  const auto found = std::find(takes.begin(), takes.end(), take);
  if (found == takes.end())
    reader.fail(*value.find("take"), "there is no take \"" + take + "\"", suggestion(take, takes));
  output.take = static_cast<StudyOutput::Take>(found - takes.begin());
  output.column = take == "end" ? output.path : output.path + " " + take;
  return output;
}

/// Numbers that look random and are the same on every machine (splitmix64).
std::uint64_t scrambled(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
double share(std::uint64_t x) { return static_cast<double>(scrambled(x) >> 11) * 0x1p-53; }

/// The place of run k in a shuffle of n that depends on the seed alone: a permutation of the next power of two by
/// rounds of invertible steps, walked until it is within n.
std::size_t shuffled(std::size_t k, std::size_t n, std::uint64_t seed) {
  std::size_t mask = 1;
  while (mask < n) mask <<= 1;
  --mask;
  if (mask == 0) return 0;
  do {
    for (int round = 0; round < 4; ++round) {
      const std::uint64_t key = scrambled(seed * 16 + static_cast<std::uint64_t>(round));
      k = (k * (2 * (key & mask) + 1) + (key >> 32)) & mask;
      k ^= (k >> 3) & mask;
      k = (k * 5 + 1) & mask;
    }
  } while (k >= n);
  return k;
}

}  // namespace

std::size_t StudyPlan::count() const {
  if (sampling == "latin" || sign != 0.0) return runs;
  if (sampling == "list") return inputs.empty() ? 1 : inputs.front().values.size();
  std::size_t all = 1;
  for (const StudyInput& input : inputs) {
    all *= input.count > 0 ? input.count : input.values.size();
    if (all > mostRuns) return all;
  }
  return all;
}

std::vector<std::string> StudyPlan::inputsOf(std::size_t k) const {
  std::vector<std::string> texts;
  std::size_t rest = k;
  const auto within = [](const StudyInput& input, double at) {
    return record::shortest(input.from + (input.to - input.from) * at);
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const StudyInput& input = inputs[i];
    if (sampling == "latin") {
      const std::uint64_t own = scrambled(seed + 1000003 * (i + 1));
      const double at = (static_cast<double>(shuffled(k, runs, own)) + share(own ^ (k * 2654435761u + 1))) /
                        static_cast<double>(runs);
      texts.push_back(
          input.count > 0
              ? within(input, at)
              : input.values[std::min(static_cast<std::size_t>(at * static_cast<double>(input.values.size())),
                                      input.values.size() - 1)]);
      continue;
    }
    const std::size_t count = input.count > 0 ? input.count : input.values.size();
    const std::size_t index = sampling == "list" ? k : rest % count;
    rest /= count;
    if (input.count == 0)
      texts.push_back(input.values[index]);
    else
      texts.push_back(within(input, count > 1 ? static_cast<double>(index) / static_cast<double>(count - 1) : 0.0));
  }
  return texts;
}

std::vector<std::string> StudyPlan::inputsAt(const std::vector<double>& shares) const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    texts.push_back(record::shortest(inputs[i].from + (inputs[i].to - inputs[i].from) * shares[i]));
  return texts;
}

namespace {

/// "minimise" and "maximise": a search instead of a sampling.
void readSearch(const PlanReader& reader, const json::Value& root, StudyPlan& plan) {
  const json::Value *smallest = root.find("minimise"), *largest = root.find("maximise");
  if (!smallest && !largest) {
    if (const json::Value* method = root.find("method"))
      reader.fail(*method, "a method needs something to minimise", "add \"minimise\": an observable");
    return;
  }
  if (smallest && largest) reader.fail(*largest, "it cannot minimise and maximise", "leave one of them out");
  static constexpr std::array<std::string_view, 2> methods{"nelder-mead", "cma-es"};
  plan.sign = smallest ? 1.0 : -1.0;
  plan.outputs.insert(plan.outputs.begin(), readOutput(reader, smallest ? *smallest : *largest));
  plan.sampling = root.find("method") ? reader.text(*root.find("method")) : "nelder-mead";
  if (std::find(methods.begin(), methods.end(), plan.sampling) == methods.end())
    reader.fail(*root.find("method"), "there is no method \"" + plan.sampling + "\"",
                suggestion(plan.sampling, methods));
  if (const json::Value* sampling = root.find("sampling"))
    reader.fail(*sampling, "a search chooses its runs itself", "leave sampling out");
  for (const StudyInput& input : plan.inputs)
    if (input.count == 0)
      reader.fail(*root.find("vary"), "\"" + input.path + "\" is a list", "a search needs a range: from and to");
  plan.runs = root.find("runs") ? reader.whole(*root.find("runs")) : 1000;
}

}  // namespace

StudyPlan readPlan(const std::string& file, const std::string& text) {
  const auto document = json::parse(text);
  if (!document)
    throw Failure(badInput, fmt::format("{}:{}:{}: {}\nhelp: {}", file, document.error().line, document.error().column,
                                        document.error().reason, document.error().remedy));
  const PlanReader reader{file};
  const json::Value& root = document->root();
  if (root.kind() != json::Kind::object)
    reader.fail(root, "found " + json::describe(root) + ", expected a study in { }", "see docs/studies.md");
  reader.only(
      root, {"scene", "about", "vary", "sampling", "runs", "seed", "observe", "set", "minimise", "maximise", "method"});
  StudyPlan plan;
  plan.scene = reader.text(reader.need(root, "scene", "name a scene file or a shipped scene"));
  const json::Value& vary = reader.need(
      root, "vary", "say what varies, as in {\"bodies.load.mass\": {\"from\": 1, \"to\": 2, \"count\": 5}}");
  if (vary.kind() != json::Kind::object)
    reader.fail(vary, "found " + json::describe(vary) + ", expected paths with values, in { }", "see docs/studies.md");
  for (const json::Value& item : vary.items()) plan.inputs.push_back(readInput(reader, item));
  const bool searches = root.find("minimise") || root.find("maximise");
  const json::Value& observe =
      searches && !root.find("observe")
          ? root
          : reader.need(root, "observe", "say what is asked of a run, as in [\"cables.rope.tension\"]");
  if (&observe != &root)
    for (const json::Value& item : observe.items()) plan.outputs.push_back(readOutput(reader, item));
  if (plan.outputs.empty() && !searches)
    reader.fail(observe, "nothing is observed", "name an observable, as in [\"cables.rope.tension\"]");
  if (const json::Value* set = root.find("set"))
    for (const json::Value& item : set->items())
      plan.overrides.push_back(std::string(item.key()) + "=" + jsonText(reader, item));
  readSearch(reader, root, plan);
  if (const json::Value* sampling = root.find("sampling")) {
    static constexpr std::array<std::string_view, 3> known{"grid", "list", "latin"};
    plan.sampling = reader.text(*sampling);
    if (std::find(known.begin(), known.end(), plan.sampling) == known.end())
      reader.fail(*sampling, "there is no sampling \"" + plan.sampling + "\"", suggestion(plan.sampling, known));
  }
  if (plan.sampling == "latin")
    plan.runs = reader.whole(reader.need(root, "runs", "say how many, as in \"runs\": 100"));
  if (const json::Value* seed = root.find("seed")) plan.seed = reader.whole(*seed);
  if (plan.sampling == "list")
    for (const StudyInput& input : plan.inputs)
      if (input.count > 0 || input.values.size() != plan.inputs.front().values.size())
        reader.fail(vary, "a list needs as many values of every input",
                    "write lists of one length, or \"sampling\": \"grid\"");
  if (plan.count() > mostRuns)
    reader.fail(vary, "more than 100 million runs", "take fewer values, or \"sampling\": \"latin\"");
  return plan;
}

}  // namespace reeve::command
