// reeve study FILE --dakota params.in results.out: one run for an optimiser outside, by Dakota's files.
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "command.h"
#include "set_value.h"
#include "study.h"
#include "study_run.h"

namespace reeve::command {
namespace {

struct DakotaParameters {
  std::vector<std::pair<std::string, std::string>> variables;  ///< descriptor, value
  std::size_t functions = 0;
};

/// Dakota's standard format: a count and the word, then one line of value and descriptor for each.
DakotaParameters readDakota(const std::string& file) {
  std::istringstream text(readText(file));
  DakotaParameters out;
  std::string line;
  std::size_t left = 0;
  while (std::getline(text, line)) {
    std::istringstream words(line);
    std::string value, label;
    if (!(words >> value >> label)) continue;
    if (label == "variables") {
      left = std::strtoul(value.c_str(), nullptr, 10);
    } else if (left > 0) {
      out.variables.emplace_back(label, value);
      --left;
    } else if (label == "functions") {
      out.functions = std::strtoul(value.c_str(), nullptr, 10);
    }
  }
  if (out.variables.empty())
    throw Failure(badInput,
                  fmt::format("{}: no variables in Dakota's standard format\nhelp: the first line is like \"2 "
                              "variables\"; leave aprepro out of the interface block",
                              file));
  return out;
}

}  // namespace

int studyForDakota(StudyJob job, const std::string& parameters, const std::string& results) {
  const DakotaParameters given = readDakota(parameters);
  if (given.functions != 0 && given.functions != job.plan.outputs.size())
    throw Failure(badInput,
                  fmt::format("{}: Dakota wants {} functions, the study observes {}\nhelp: give responses and "
                              "observe the same number",
                              parameters, given.functions, job.plan.outputs.size()));
  job.plan.inputs.clear();
  std::vector<std::string> values;
  for (const auto& [label, value] : given.variables) {
    StudyInput input;
    input.path = label;
    job.plan.inputs.push_back(input);
    values.push_back(value);
  }
  const std::string line = studyLine(job, 0, values);
  if (line.empty()) return notAsExpected;
  std::string out;
  if (!line.ends_with(",good\n")) {
    out = "FAIL\n";
    fmt::print(stderr, "reeve: {}", line);
  } else {
    std::size_t at = 0;
    for (std::size_t i = 0; i <= values.size(); ++i) at = line.find(',', at) + 1;
    for (const StudyOutput& output : job.plan.outputs) {
      const std::size_t end = line.find(',', at);
      out += line.substr(at, end - at) + " " + output.path + "\n";
      at = end + 1;
    }
  }
  writeText(results, out);
  return ok;
}

}  // namespace reeve::command
