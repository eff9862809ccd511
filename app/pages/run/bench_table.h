#pragma once

#include "app/tasks/run/measure.h"
#include "app/tasks/run/model.h"
#include "inspector/format/table.h"

#include <cstdint>
#include <string>

namespace et::app {

/// What `bench` measured of a model, as its JSON has it (docs/json.md).
[[nodiscard]] inspector::report::Dict benchInfo(const std::string& file, const Model& model,
                                                const Timings& timings, Repetitions repetitions);

/// What `bench` measured of models (benchInfo()), a row each. Times are in milliseconds and
/// memory in bytes, as the headers say; Style::adaptUnits makes them readable.
[[nodiscard]] inspector::report::Table benchTable(const inspector::report::List& models);

/// The same for programs: every column keeps its unit, which its id names.
[[nodiscard]] inspector::report::Table benchCsvTable(const inspector::report::List& models);

/// How many executions were measured, of all models together.
[[nodiscard]] std::uint64_t benchExecutions(const inspector::report::List& models);

}  // namespace et::app
