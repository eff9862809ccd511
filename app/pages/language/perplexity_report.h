#pragma once

#include "app/tasks/language/perplexity.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <span>
#include <string>

namespace et::app {

enum class PerplexityFormat : std::uint8_t { Table, Json };

/// A row a passage, and one for all where there are several; JSON (docs/json.md) has every
/// position as well.
[[nodiscard]] std::string renderPerplexity(const std::string& program, const std::string& reference,
                                           std::span<const PassageResult> results, PerplexityFormat format,
                                           const inspector::report::Style& style);

}  // namespace et::app
