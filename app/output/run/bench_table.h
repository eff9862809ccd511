#pragma once

#include "app/tasks/model/measure.h"
#include "app/tasks/model/model.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <string>

namespace et::output {

/// The `bench` measurements of a model as JSON (docs/reference/json.md).
[[nodiscard]] inspector::format::Dict benchInfo(const std::string& file, const tasks::Model& model,
                                                const tasks::Timings& timings,
                                                tasks::Repetitions repetitions);

/// The `bench` measurements of models (benchInfo()), one row each. Times are in milliseconds and memory in
/// bytes, as in the headers; Style::adaptUnits makes them readable.
[[nodiscard]] inspector::format::Table benchTable(const inspector::format::List& models);

/// The same for scripts: every column has a fixed unit, which its id contains.
[[nodiscard]] inspector::format::Table benchCsvTable(const inspector::format::List& models);

/// Number of measured executions, summed over all models.
[[nodiscard]] std::uint64_t benchExecutions(const inspector::format::List& models);

}  // namespace et::output
