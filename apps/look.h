#pragma once
// The camera options that picture and film share.
#include <string>

#include "command.h"
#include "reeve/record/picture.h"

namespace reeve::command {

struct Look {
  record::PictureOptions options;
  std::string follow;  ///< body or particle that stays in the middle; empty for none

  /// The options of one instant: the camera goes along with what it follows.
  record::PictureOptions at(const Observation& seen) const;
};

/// Reads them, or says what is wrong.
Look readLook(const LookOptions& given, const Description& scene);

}  // namespace reeve::command
