#pragma once

#include "inspector/format/table.h"

#include <cstdint>

namespace et::cli {

/// What `bench` measured of models (as in its JSON), a row each. Times are in milliseconds and
/// memory in bytes, as the headers say; Style::adaptUnits makes them readable.
[[nodiscard]] inspector::report::Table benchTable(const inspector::report::List& models);

/// The same for programs: every column keeps its unit, which its id names.
[[nodiscard]] inspector::report::Table benchCsvTable(const inspector::report::List& models);

/// How many executions were measured, of all models together.
[[nodiscard]] std::uint64_t benchExecutions(const inspector::report::List& models);

}  // namespace et::cli
