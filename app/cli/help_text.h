#pragma once

#include "app/cli/command_doc.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace et::cli {

/// Returns the complete --help text of a command. `parent` is the program for commands and empty for the
/// program itself. The terminal's width is used within readable limits; without one, lines have 80 columns.
[[nodiscard]] std::string helpText(const CommandDoc& command, std::string_view parent,
                                   std::optional<std::size_t> terminalWidth);

}  // namespace et::cli
