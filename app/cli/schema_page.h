#pragma once

#include "app/cli/command_doc.h"

#include <string>

namespace et::cli {

/// Returns the commands and their options as a JSON document, for programs that generate interfaces, such as
/// the functions of the Python package (cmake/package/python/commands.py).
[[nodiscard]] std::string schemaPage(const CommandDoc& program);

}  // namespace et::cli
