#pragma once

#include "app/output/cells.h"
#include "app/tasks/sanitize/memory_finding.h"

#include <span>
#include <string>
#include <string_view>

// Memory errors found by --sanitize.
namespace et::output {

/// For JSON, as described in docs/reference/json_profiling.md.
[[nodiscard]] List memoryErrorList(std::span<const tasks::MemoryFinding> findings);

/// Several lines for each error, and the command that reproduces them.
[[nodiscard]] std::string memoryErrorText(std::span<const tasks::MemoryFinding> findings,
                                          std::string_view command);

/// JUnit XML with a failure for each error; a single passed test if there are none.
[[nodiscard]] std::string memoryErrorJunit(std::span<const tasks::MemoryFinding> findings,
                                           std::string_view program, std::string_view command);

}  // namespace et::output
