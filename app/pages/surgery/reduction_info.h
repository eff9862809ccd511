#pragma once

#include "app/tasks/reduce/reduce_run.h"
#include "inspector/format/table.h"

#include <filesystem>
#include <string>

namespace et::app {

/// Text for a terminal: the reduced program and its failure.
[[nodiscard]] std::string reductionText(const Reduction& reduction, const std::filesystem::path& folder);
/// docs/reference/json_correctness.md, reduce.
[[nodiscard]] inspector::report::Dict reductionInfo(const Reduction& reduction);

}  // namespace et::app
