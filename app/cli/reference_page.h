#pragma once

#include "app/cli/command_doc.h"

#include <string>

namespace et::cli {

/// Returns the Markdown reference of the program and all its commands: docs/reference/cli.md.
[[nodiscard]] std::string referencePage(const CommandDoc& program);

}  // namespace et::cli
