#pragma once
#include <fstream>
#include <sstream>
#include <string>

#include "support/source_dir.h"

inline std::string sourcePath(const std::string& path) { return sourceDir() + "/" + path; }

inline std::string fileText(const std::string& path) {
  std::ifstream file(sourcePath(path), std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
