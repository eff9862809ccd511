#pragma once

#include "app/output/cells.h"
#include "app/tasks/generate/perplexity.h"

#include <cstdint>
#include <span>
#include <string>

namespace et::output {

enum class PerplexityFormat : std::uint8_t { Table, Json };

/// One row per passage, and one for all if there are several; JSON (docs/reference/json.md) also has every
/// position.
[[nodiscard]] std::string renderPerplexity(const std::string& program, const std::string& reference,
                                           std::span<const tasks::PassageResult> results,
                                           PerplexityFormat format, const Style& style);

}  // namespace et::output
