#pragma once

#include "app/cli/command_doc.h"

#include <string>

namespace et::cli {

/// Returns the manual page of the program and all its commands, in the man(7) language.
[[nodiscard]] std::string manPage(const CommandDoc& program);

}  // namespace et::cli
