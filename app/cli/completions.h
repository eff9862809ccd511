#pragma once

#include "app/cli/command_doc.h"

#include <string>

/// Completion scripts, made from what the parser knows. Each completes verbs, options, the values that an
/// option takes, and paths.
namespace et::app {

[[nodiscard]] std::string bashCompletions(const CommandDoc& program);
[[nodiscard]] std::string zshCompletions(const CommandDoc& program);
[[nodiscard]] std::string fishCompletions(const CommandDoc& program);

}  // namespace et::app
