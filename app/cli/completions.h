#pragma once

#include "app/cli/command_doc.h"

#include <string>

/// Completion scripts, generated from the parser's options. They complete commands, options, option values
/// and paths.
namespace et::cli {

[[nodiscard]] std::string bashCompletions(const CommandDoc& program);
[[nodiscard]] std::string zshCompletions(const CommandDoc& program);
[[nodiscard]] std::string fishCompletions(const CommandDoc& program);

}  // namespace et::cli
