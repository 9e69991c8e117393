#pragma once
// What paper 003 has in a file of its own.
#include "reproduce.h"

namespace reeve::command {

Item suspensionItem();

}  // namespace reeve::command
