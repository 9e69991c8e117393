#pragma once
// The one place where every field of a scene is declared. See form.h for what follows from it.
#include <span>
#include <string>
#include <string_view>

#include "reeve/scene/forms.h"

namespace reeve::scene {

/// A record, and a fresh object of its struct for the defaults.
struct DocumentedRecord {
  const Record* record;
  void (*withStandard)(void (*use)(void* context, const Record& record, void* standard), void* context);
};

/// Every record, in the order of the documentation.
std::span<const DocumentedRecord> allRecords();

/// What checkScene() looks for, all of it: at most Trail::most problems. `known` are problems that reading has met:
/// what they lie in is not judged again, and where a whole section could not be read, no name counts as missing.
std::vector<Problem> checkAll(const Description& description, std::span<const Problem> known = {});

}  // namespace reeve::scene
