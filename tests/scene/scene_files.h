#pragma once
#include <fstream>
#include <sstream>
#include <string>

inline std::string sourcePath(const std::string& path) { return std::string(REEVE_SOURCE_DIR) + "/" + path; }

inline std::string textOf(const std::string& path) {
  std::ifstream file(sourcePath(path), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
