#pragma once
#include <filesystem>
#include <string>

namespace reeve::command {

/// The table of a study, CSV, as an HDF5 file: a dataset per column, of numbers where all of it are numbers. Fails
/// where this build has no HDF5.
void writeHdf5(const std::string& table, const std::filesystem::path& file);

/// The same check before a thousand runs.
void needHdf5();

}  // namespace reeve::command
