#include "support/source_dir.h"

std::string sourceDir() { return REEVE_SOURCE_DIR; }
