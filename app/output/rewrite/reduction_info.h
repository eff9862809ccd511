#pragma once

#include "app/output/cells.h"
#include "app/tasks/reduce/reduce_run.h"

#include <filesystem>
#include <string>

namespace et::output {

/// Text for a terminal: the reduced program and its failure.
[[nodiscard]] std::string reductionText(const tasks::Reduction& reduction,
                                        const std::filesystem::path& folder);
/// docs/reference/json_correctness.md, reduce.
[[nodiscard]] Dict reductionInfo(const tasks::Reduction& reduction);

}  // namespace et::output
