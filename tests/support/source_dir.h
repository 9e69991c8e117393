#pragma once
#include <string>

/// Where the sources of this build are. One object file knows it, so that all others are the same wherever they are
/// built.
std::string sourceDir();
