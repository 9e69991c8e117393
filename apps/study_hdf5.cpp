#include "study_hdf5.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "command.h"

namespace reeve::command {
namespace {

namespace fs = std::filesystem;

struct Hdf5Module {
  long long (*open)(const char*) = nullptr;
  int (*numbers)(long long, const char*, int, const double*) = nullptr;
  int (*texts)(long long, const char*, int, const char* const*) = nullptr;
  int (*close)(long long) = nullptr;
};

Hdf5Module loadHdf5() {
  std::error_code error;
  const fs::path here = fs::read_symlink("/proc/self/exe", error).parent_path();
  void* module = nullptr;
  for (const fs::path& file : {here / "reeve_hdf5.so", here / "../lib/reeve/reeve_hdf5.so"})
    if (!module) module = ::dlopen(file.c_str(), RTLD_NOW);
  if (!module)
    throw Failure(badInput,
                  "--hdf5: this build writes no HDF5\nhelp: install libhdf5-dev and build again; table.csv is "
                  "always written");
  Hdf5Module m;
  m.open = reinterpret_cast<decltype(m.open)>(::dlsym(module, "reeve_hdf5_open"));
  m.numbers = reinterpret_cast<decltype(m.numbers)>(::dlsym(module, "reeve_hdf5_numbers"));
  m.texts = reinterpret_cast<decltype(m.texts)>(::dlsym(module, "reeve_hdf5_texts"));
  m.close = reinterpret_cast<decltype(m.close)>(::dlsym(module, "reeve_hdf5_close"));
  return m;
}

/// The cells of one line, quotes taken off.
std::vector<std::string> cellsOf(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"')
      cells.back() += line[++i];
    else if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

/// Whether all of a column are numbers, and which. An empty cell is NaN.
bool numbersOf(const std::vector<std::vector<std::string>>& rows, std::size_t column, std::vector<double>& out) {
  out.clear();
  for (std::size_t r = 1; r < rows.size(); ++r) {
    const std::string cell = column < rows[r].size() ? rows[r][column] : "";
    char* end = nullptr;
    const double value = cell.empty() ? std::strtod("nan", nullptr) : std::strtod(cell.c_str(), &end);
    if (!cell.empty() && *end != '\0') return false;
    out.push_back(value);
  }
  return true;
}

}  // namespace

void needHdf5() { loadHdf5(); }

void writeHdf5(const std::string& table, const fs::path& file) {
  const Hdf5Module m = loadHdf5();
  std::vector<std::vector<std::string>> rows;
  for (std::size_t from = 0; from < table.size();) {
    const std::size_t end = std::min(table.find('\n', from), table.size());
    if (table[from] != '#') rows.push_back(cellsOf(table.substr(from, end - from)));
    from = end + 1;
  }
  const long long out = m.open(file.c_str());
  bool good = out >= 0;
  const int count = static_cast<int>(rows.size()) - 1;
  std::vector<double> numbers;
  for (std::size_t c = 0; good && !rows.empty() && c < rows[0].size(); ++c) {
    if (numbersOf(rows, c, numbers)) {
      good = m.numbers(out, rows[0][c].c_str(), count, numbers.data()) == 0;
      continue;
    }
    std::vector<const char*> texts;
    for (std::size_t r = 1; r < rows.size(); ++r) texts.push_back(c < rows[r].size() ? rows[r][c].c_str() : "");
    good = m.texts(out, rows[0][c].c_str(), count, texts.data()) == 0;
  }
  if (out >= 0) good = m.close(out) == 0 && good;
  if (!good) throw Failure(badInput, file.string() + ": cannot be written");
}

}  // namespace reeve::command
