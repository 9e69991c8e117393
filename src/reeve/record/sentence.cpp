#include "reeve/record/sentence.h"

namespace reeve::record {

std::string firstSentence(const std::string& text) {
  std::string line = text.substr(0, text.find('\n'));
  for (std::size_t stop = line.find(". "); stop != std::string::npos; stop = line.find(". ", stop + 1)) {
    const char next = line.size() > stop + 2 ? line[stop + 2] : ' ';
    const bool goesOn = (next >= 'a' && next <= 'z') || (next >= '0' && next <= '9');
    if (!goesOn) {
      line.resize(stop + 1);
      break;
    }
  }
  return line;
}

std::string cutTo(std::string line, const std::function<bool(const std::string&)>& fits) {
  if (fits(line)) return line;
  while (!line.empty() && !fits(line + "…")) {
    while (line.size() > 1 && (static_cast<unsigned char>(line.back()) & 0xC0) == 0x80) line.pop_back();
    line.pop_back();
  }
  return line + "…";
}

}  // namespace reeve::record
