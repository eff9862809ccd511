#pragma once

#include "app/output/cells.h"
#include "inspector/store/baseline_store.h"

#include <span>
#include <string>

namespace et::output {

/// A table of baselines, for people.
[[nodiscard]] std::string baselineTable(std::span<const inspector::store::BaselineEntry> entries,
                                        const Style& style);
/// JSON list of baselines (docs/reference/json.md).
[[nodiscard]] std::string baselineListJson(std::span<const inspector::store::BaselineEntry> entries);

/// Text of a baseline with the statistics of its samples, but not the samples.
[[nodiscard]] std::string baselineText(const inspector::Measurement& baseline, const Style& style);
/// JSON of a baseline, including its samples.
[[nodiscard]] std::string baselineJson(const inspector::Measurement& baseline);

}  // namespace et::output
