#pragma once

#include "inspector/comparison/measurement.h"
#include "inspector/store/database/connection.h"

#include <cstdint>
#include <string_view>

namespace et::inspector::store {

/// Inserts the measurement under an unused name. Must be called inside a transaction.
[[nodiscard]] core::Result<> writeBaseline(Connection& database, std::string_view name,
                                           const Measurement& measurement);

/// Errors: Format (a value that our writers do not produce), Limit (too many operators or samples).
[[nodiscard]] core::Result<Measurement> readBaseline(Connection& database, std::int64_t baseline);

}  // namespace et::inspector::store
