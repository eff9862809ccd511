#pragma once

#include "inspector/format/table.h"
#include "inspector/store/baseline_store.h"

#include <span>
#include <string>

namespace et::app {

/// A table of baselines, for people.
[[nodiscard]] std::string baselineTable(std::span<const inspector::store::BaselineEntry> entries,
                                        const inspector::report::Style& style);
/// Likewise for scripts (docs/json.md).
[[nodiscard]] std::string baselineListJson(std::span<const inspector::store::BaselineEntry> entries);

/// All that a baseline has but its samples: their statistics.
[[nodiscard]] std::string baselineText(const inspector::Measurement& baseline,
                                       const inspector::report::Style& style);
/// All that a baseline has, samples too.
[[nodiscard]] std::string baselineJson(const inspector::Measurement& baseline);

}  // namespace et::app
