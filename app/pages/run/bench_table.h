#pragma once

#include "app/tasks/run/measure.h"
#include "app/tasks/run/model.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <string>

namespace et::app {

/// The `bench` measurements of a model as JSON (docs/reference/json.md).
[[nodiscard]] inspector::report::Dict benchInfo(const std::string& file, const Model& model,
                                                const Timings& timings, Repetitions repetitions);

/// The `bench` measurements of models (benchInfo()), one row each. Times are in milliseconds and memory in
/// bytes, as in the headers; Style::adaptUnits makes them readable.
[[nodiscard]] inspector::report::Table benchTable(const inspector::report::List& models);

/// The same for scripts: every column has a fixed unit, which its id contains.
[[nodiscard]] inspector::report::Table benchCsvTable(const inspector::report::List& models);

/// Number of measured executions, summed over all models.
[[nodiscard]] std::uint64_t benchExecutions(const inspector::report::List& models);

}  // namespace et::app
