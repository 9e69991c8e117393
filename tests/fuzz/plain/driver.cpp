// A fuzz target without libFuzzer, for compilers that have none: PROGRAM SECONDS [FILE...]. Files first, then changes
// of them, or random bytes, until the time is up.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most, unsigned seed)
    __attribute__((weak));

namespace {

constexpr std::size_t roomForGrowth = 65536;

void feed(const std::string& text) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
}

/// What is being tried is in a file of its own when the program dies of it.
void keep(const std::string& text) {
  if (const char* file = std::getenv("REEVE_FUZZ_KEEP")) std::ofstream(file) << text;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(std::atof(argv[1]));
  std::vector<std::string> corpus;
  for (int i = 2; i < argc; ++i) {
    std::ifstream file(argv[i]);
    std::stringstream text;
    text << file.rdbuf();
    corpus.push_back(text.str());
  }
  long long executions = 0;
  for (const std::string& text : corpus) {
    if (Clock::now() > end) break;
    keep(text);
    feed(text);
    ++executions;
  }
  unsigned seed = static_cast<unsigned>(std::getenv("REEVE_FUZZ_SEED") ? std::atoi(std::getenv("REEVE_FUZZ_SEED")) : 1);
  const auto roll = [&] { return (seed = seed * 1664525u + 1013904223u) >> 8; };
  for (; Clock::now() < end; ++executions) {
    std::string text = corpus.empty() ? std::string() : corpus[roll() % corpus.size()];
    if (text.size() < 8) text.resize(8 + roll() % 24);
    if (LLVMFuzzerCustomMutator && roll() % 8 != 0) {
      const std::size_t size = text.size();
      text.resize(size + roomForGrowth);
      text.resize(LLVMFuzzerCustomMutator(reinterpret_cast<std::uint8_t*>(text.data()), size, text.size(), roll()));
    } else {
      const unsigned changes = text.size() <= 32 ? 8 : 1 + roll() % 4;
      for (unsigned k = 0; k < changes; ++k) text[roll() % text.size()] = static_cast<char>(roll());
    }
    keep(text);
    feed(text);
  }
  std::printf("%lld executions\n", executions);
  return 0;
}
