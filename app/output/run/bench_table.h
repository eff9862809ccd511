#pragma once

#include "app/output/cells.h"
#include "app/tasks/compare/thread_curve.h"
#include "app/tasks/model/measure.h"
#include "app/tasks/model/model.h"

#include <cstdint>
#include <span>
#include <string>

namespace et::output {

/// One row per model and number of threads.
[[nodiscard]] Table threadCurveTable(std::span<const tasks::ThreadCurve> curves);
/// Describes what does not scale; empty if everything does.
[[nodiscard]] std::string notScalingText(std::span<const tasks::ThreadCurve> curves);
/// docs/reference/json_profiling.md, bench.
[[nodiscard]] std::string threadCurveJson(std::span<const tasks::ThreadCurve> curves);

/// The `bench` measurements of a model as JSON (docs/reference/json.md).
[[nodiscard]] Dict benchInfo(const std::string& file, const tasks::Model& model,
                             const tasks::Timings& timings, tasks::Repetitions repetitions);

/// The `bench` measurements of models (benchInfo()), one row each. Times are in milliseconds and memory in
/// bytes, as in the headers; Style::adaptUnits makes them readable.
[[nodiscard]] Table benchTable(const List& models);

/// The same for scripts: every column has a fixed unit, which its id contains.
[[nodiscard]] Table benchCsvTable(const List& models);

/// Number of measured executions, summed over all models.
[[nodiscard]] std::uint64_t benchExecutions(const List& models);

}  // namespace et::output
