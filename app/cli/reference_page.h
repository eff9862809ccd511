#pragma once

#include "app/cli/command_doc.h"

#include <string>

namespace et::app {

/// The reference of the program and all its verbs as Markdown: docs/cli.md.
[[nodiscard]] std::string referencePage(const CommandDoc& program);

}  // namespace et::app
